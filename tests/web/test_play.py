"""Journey 4: a game master, a player and a spectator at one table, each in a browser of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablewright.table import Table
from web.browsing import Visitor, first_turn, settle

HOSTILE = "<img src=x onerror=\"document.title='taken'\"> **bold** {{7*7}} 'quoted'"
SYSTEM = "stage"


@pytest.fixture(scope="module")
def table(gathered: Callable[..., Table]) -> Table:
    """A table of its own, at rest, with its party."""
    return gathered("The yard", SYSTEM)


@pytest.fixture
def sit(table: Table, sits: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Makes somebody who sits at the table."""
    return partial(sits, table)


def master(table: Table) -> str:
    """The game master's seat."""
    return "gwen"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(master(table))


def begin(table: Table, page: Page) -> None:
    """Begin the fight."""
    page.get_by_text("Begin a scene").click()
    page.get_by_label("The other side acts by itself").uncheck()
    page.get_by_role("button", name="Begin the encounter").click()
    page.locator("section.asked").wait_for()
    assert state(table)["scene"]["form"] == "encounter"
    first_turn(table)
    page.locator(".order li.now").wait_for()


def test_a_fight_with_log_reasons_map_and_undo(table: Table, sit: Callable[..., Visitor]) -> None:
    one = sit(viewport={"width": 1400, "height": 900})
    page = one.page
    begin(table, page)
    # whose turn it is, what is possible, what is not and why
    expect(page.locator(".order li.now")).to_have_count(1)
    page.locator("details.closed summary").click()
    expect(page.locator("details.closed a.rule").first).to_be_visible()
    assert one.flaws() == []
    # why: the trace with dice and rules, and the rule's own words
    page.get_by_role("button", name="Why? initiative").first.click()
    expect(page.locator(".why .die").first).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    one.picture("play")
    page.locator(".why a.rule").first.click()
    page.get_by_role("dialog").get_by_text("Where it stands").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # a square on the map is an option of the question
    actor = state(table)["scene"]["turn"]
    before = next(who["position"] for who in state(table)["scene"]["participants"] if who["id"] == actor)
    page.locator("rect.goal").first.click()
    page.wait_for_function("() => document.querySelectorAll('.line.choice').length > 0")
    now = next(who["position"] for who in state(table)["scene"]["participants"] if who["id"] == actor)
    assert now != before
    # undo shows first what it does, and nothing leaves the log
    last = state(table)["last"]
    page.locator(".line.choice").last.get_by_role("button", name="Undo").click()
    page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(page.locator(".line.gone").first).to_be_visible()
    after = state(table)
    assert after["last"] > last
    assert next(who["position"] for who in after["scene"]["participants"] if who["id"] == actor) == before


def test_the_map_by_keyboard_alone(table: Table, sit: Callable[..., Visitor]) -> None:
    one = sit(viewport={"width": 1400, "height": 900})
    page = one.page
    if state(table)["scene"]["form"] != "encounter":
        begin(table, page)
    who = state(table)["scene"]["participants"][-1]
    token = page.locator(f"g.token[aria-label^='{who['name']},']").last
    token.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    column, row = map(int, who["position"].split(","))
    expect(page.locator(".line", has_text=f"{column},{row - 1}").first).to_be_visible()
    assert state(table)["scene"]["participants"][-1]["position"] == f"{column},{row - 1}"


def test_a_player_answers_for_their_own_and_types_in_real_dice(table: Table, sit: Callable[..., Visitor]) -> None:
    player = sit("player", "Ann", viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = player.page
    seat = next(one["id"] for one in state(table)["seats"] if one["name"] == "Ann")
    if state(table)["question"]:
        table.act(master(table), {"do": "scene.end", "anyway": True})
    who = [hero["id"] for hero in state(table)["characters"]]
    table.act(master(table), {"do": "scene.begin", "form": "time", "who": who})
    table.act(master(table), {"do": "seat.hand", "who": "brynh", "seat": seat})
    table.act(master(table), {"do": "seat.set", "seat": seat, "dice": "ask"})
    expect(page.locator("#roller option")).to_have_count(1)
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    asked = page.locator("section.asked")
    asked.wait_for()
    faces = " ".join(["4"] * 20)
    count = int((asked.locator("h2").inner_text().split()[1].split("d")[0]) or 1)
    page.get_by_label("Or type in real dice").first.fill(" ".join(faces.split()[:count]))
    page.get_by_role("button", name="Use these").click()
    expect(page.locator(".line.rule .die").first).to_be_visible()
    assert player.flaws() == []
    assert not player.is_wide()
    player.picture("play-phone")
    expect(page.get_by_text("Begin a scene")).to_have_count(0)


def test_a_choice_inside_a_rule_is_weighed(seat: Callable[..., Visitor]) -> None:
    page = seat("renaissance").page
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator("section.asked").wait_for()
    page.get_by_role("button", name="What is it worth?").click()
    expect(page.locator(".option", has_text="★").first).to_be_visible()
    page.locator(".option").first.click()
    expect(page.locator("section.asked")).to_have_count(0)


def test_what_is_hidden_and_what_is_whispered(table: Table, sit: Callable[..., Visitor]) -> None:
    gm, watcher = sit(), sit("spectator", "Wim", viewport={"width": 1280, "height": 720})
    gm.page.get_by_text("Throw dice").click()
    gm.page.locator("#dice").fill("7d6")
    gm.page.locator("#dice-audience").select_option("self")
    gm.page.get_by_role("button", name="Throw", exact=True).click()
    expect(gm.page.locator(".line", has_text="7d6").first).to_be_visible()
    gm.page.locator("#dice").fill("8d6")
    gm.page.locator("#dice-audience").select_option("public")
    gm.page.get_by_role("button", name="Throw", exact=True).click()
    expect(watcher.page.locator(".line", has_text="8d6").first).to_be_visible()
    expect(watcher.page.locator(".line", has_text="7d6")).to_have_count(0)
    expect(watcher.page.get_by_role("button", name="Roll", exact=True)).to_have_count(0)
    gm.page.get_by_role("button", name="Hide: Torvald").click()
    expect(watcher.page.locator(".order", has_text="Torvald")).to_have_count(0)
    gm.page.get_by_role("button", name="Reveal: Torvald").click()
    expect(watcher.page.locator(".order", has_text="Torvald")).to_have_count(1)
    assert watcher.flaws() == []
    watcher.picture("spectator")


def test_a_spectator_sees_the_scene_on_a_projector(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    shown = gathered("The stage", SYSTEM)
    shown.act("gwen", {"do": "scene.end", "anyway": True})
    shown.act("gwen", {"do": "scene.begin", "scenario": "even"})
    first_turn(shown)
    one = sits(shown, "spectator", "Wall", viewport={"width": 1920, "height": 1080})
    page = one.page
    expect(page.locator(".order li.now")).to_be_in_viewport()
    expect(page.locator(".map svg")).to_be_in_viewport()
    expect(page.locator(".line").last).to_be_in_viewport()
    size = page.locator(".lines .text").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size > 20, "read from the other end of the room"
    assert page.locator(".play button:not(.quiet), .play input, .play select, .play textarea").count() == 0
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert one.flaws() == []
    assert not one.is_wide()
    one.picture("projector")


def test_hostile_names_and_notes_are_text(table: Table, sit: Callable[..., Visitor]) -> None:
    one = sit()
    page = one.page
    page.locator("summary", has_text="Notes").click()
    page.get_by_label("Note", exact=True).fill(HOSTILE)
    page.get_by_role("button", name="Write down").click()
    expect(page.locator("p.note", has_text="onerror").first).to_have_text(HOSTILE)
    assert page.locator("p.note img").count() == 0
    assert "taken" not in page.title()


def test_a_lost_connection_comes_back_and_nothing_is_doubled(table: Table, sit: Callable[..., Visitor]) -> None:
    one = sit()
    page = one.page
    page.get_by_text("Throw dice").click()
    before = len([line for line in table.lines(master(table)) if "9d6" in str(line.get("text"))])
    one.context.set_offline(True)
    page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    page.locator("#dice").fill("9d6")
    table.act(master(table), {"do": "note.write", "text": "while you were away"})
    page.get_by_role("button", name="Throw", exact=True).click()
    settle(page)
    one.context.set_offline(False)
    expect(page.locator(".line", has_text="9d6").first).to_be_visible()
    lines = [line for line in table.lines(master(table)) if "9d6" in str(line.get("text"))]
    assert len(lines) == before + 1
    page.reload()
    expect(page.locator(".line", has_text="9d6")).to_have_count(before + 1)
    expect(page.locator("p.note", has_text="while you were away").first).to_be_visible()


def test_what_waits_is_sent_once_when_the_connection_is_back(table: Table, sit: Callable[..., Visitor]) -> None:
    one = sit()
    page = one.page
    lost = {"now": False, "sent": 0}

    def between(route: Any) -> None:  # the line is cut after the first throw went out: its answer never comes
        server = route.connect_to_server()

        def from_page(message: str) -> None:
            if "11d6" in message:
                lost["sent"] += 1
                server.send(message)
                if not lost["now"]:
                    lost["now"] = True
                    route.close(code=1011)
                return
            server.send(message)

        route.on_message(from_page)

    page.route_web_socket("**/live?*", between)
    page.reload()
    page.locator(".lines .line").first.wait_for()
    page.get_by_text("Throw dice").click()
    page.locator("#dice").fill("11d6")
    page.get_by_role("button", name="Throw", exact=True).click()
    expect(page.locator("output.result")).to_contain_text("11d6")
    assert lost["sent"] == 2
    found = [line for line in table.lines(master(table)) if "11d6" in str(line.get("text"))]
    assert len(found) == 1
    expect(page.locator(".line", has_text="11d6")).to_have_count(1)
