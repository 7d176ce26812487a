"""A game master, a player and a spectator at one table, each in a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from patience import wait_until
from tablewright.table import Table
from web.browsing import Visitor, first_turn, own_sheet, settle, throw, told, tools, unfold

HOSTILE = "<img src=x onerror=\"document.title='taken'\"> **bold** {{7*7}} 'quoted'"
SYSTEM = "stage"
DESK = {"width": 1400, "height": 900}


@pytest.fixture(scope="module")
def table(gathered: Callable[..., Table]) -> Table:
    """A table of its own, at rest, with its party."""
    return gathered("The yard", SYSTEM)


@pytest.fixture
def sit(table: Table, sits: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Makes a character who sits at the table."""
    return partial(sits, table)


def master(table: Table) -> str:
    """The game master's seat."""
    return "gwen"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(master(table))


def begin(table: Table) -> None:
    """Begin a fight, unless there is one."""
    if state(table)["scene"]["form"] != "encounter":
        table.act(master(table), {"do": "scene.end", "anyway": True})
        table.act(master(table), {"do": "scene.begin", "scenario": "even"})
        first_turn(table)


def test_a_fight_with_log_reasons_map_and_undo(table: Table, sit: Callable[..., Visitor]) -> None:
    begin(table)
    page = sit(viewport=DESK).page
    # whose turn it is, what is possible, what is not and why
    expect(page.locator(".order li.now")).to_have_count(1)
    page.locator(".asked .verb").first.wait_for()
    page.locator(".middle").click(position={"x": 300, "y": 300})
    page.keyboard.press("Space")
    palette = page.get_by_role("dialog", name="All actions")
    shut = palette.locator(".entry.off")
    expect(shut.first).to_be_attached()
    assert shut.first.locator("small").inner_text() != ""
    before = state(table)["last"]
    shut.first.dispatch_event("click")
    assert state(table)["last"] == before, "what is closed cannot be sent"
    page.keyboard.press("Escape")
    # why: where it comes from, and the rule's own words
    line = page.locator(".line", has_text=re.compile("first|initiative", re.IGNORECASE)).first
    wait_until(lambda: is_shown_on_hover(line), "the tools of a card appear under the pointer")
    page.mouse.move(0, 0)
    why = line.get_by_role("button", name=re.compile("^Why?"))
    why.focus()
    expect(line.locator(".tools")).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(page.locator(".why").first).to_be_visible()
    page.locator(".why a.rule").first.click()
    expect(page.get_by_role("dialog").locator("a[href^='/rules/']").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # a square on the map is an option of the question
    actor = state(table)["scene"]["turn"]
    start = next(who["position"] for who in state(table)["scene"]["participants"] if who["id"] == actor)
    cell = page.locator("button.goal").first
    cell.dispatch_event("click")
    page.wait_for_function("() => document.querySelectorAll('.line.action').length > 0")
    now = next(who["position"] for who in state(table)["scene"]["participants"] if who["id"] == actor)
    assert now != start
    # undo shows first what it does, and nothing leaves the log
    last = state(table)["last"]
    page.locator(".line.action").last.get_by_role("button", name="Undo").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(page.locator(".line.gone").first).to_contain_text("taken back by Gwen")
    after = state(table)
    assert after["last"] > last
    assert next(who["position"] for who in after["scene"]["participants"] if who["id"] == actor) == start


def is_shown_on_hover(line: Locator) -> bool:
    """True if the tools of a card are seen while the pointer is on it; the log may scroll away under the pointer."""
    line.hover()
    shown: bool = line.locator(".tools").evaluate("one => getComputedStyle(one).opacity === '1'")
    return shown


def test_the_map_by_keyboard_alone(table: Table, sit: Callable[..., Visitor]) -> None:
    begin(table)
    page = sit(viewport=DESK).page
    who = state(table)["scene"]["participants"][-1]
    token = page.locator(f".spot[data-who='{who['id']}'] button.token")
    token.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    column, row = map(int, who["position"].split(","))
    page.wait_for_function("() => document.activeElement?.closest('.spot') !== null")
    expect(token).to_be_focused()
    settle(page)
    assert state(table)["scene"]["participants"][-1]["position"] == f"{column},{row - 1}"


def test_a_player_answers_for_their_own_and_types_in_real_dice(table: Table, sit: Callable[..., Visitor]) -> None:

    def is_seated(_: Page) -> None:
        seat = next(one["id"] for one in state(table)["seats"] if one["name"] == "Ann")
        if state(table)["question"]:
            table.act(master(table), {"do": "scene.end", "anyway": True})
        who = [hero["id"] for hero in state(table)["characters"]]
        table.act(master(table), {"do": "scene.begin", "form": "time", "who": who})
        table.act(master(table), {"do": "seat.hand", "who": "brynh", "seat": seat})
        table.act(master(table), {"do": "seat.set", "seat": seat, "dice": "ask"})

    size = {"width": 390, "height": 844}
    player = sit("player", "Ann", viewport=size, color_scheme="dark", first=is_seated)
    page = player.page
    own_sheet(page)
    page.get_by_role("button", name="Roll a check").click()
    expect(page.locator("#roller option")).to_have_count(1)
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Table", exact=True).click()
    asked = page.locator("section.asked")
    asked.wait_for()
    count = int(state(table)["question"]["dice"].split("d")[0] or 1)
    page.get_by_label("Type your own dice").fill(" ".join(["4"] * count))
    page.get_by_role("button", name="Use these").click()
    told(page)
    expect(page.locator(".line.check .die").first).to_be_visible()
    assert player.flaws() == []
    assert not player.is_wide()
    player.picture("play-phone")
    expect(page.get_by_text("Begin a scene")).to_have_count(0)


def test_a_choice_inside_a_rule_is_weighed(seat: Callable[..., Visitor]) -> None:
    page = seat("renaissance").page
    tools(page)
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    asked = page.locator("section.asked[data-question]")
    asked.wait_for()
    expect(asked.locator(".option.best")).to_have_count(1)
    for _ in range(6):  # a check may offer several things before it is rolled
        if asked.count() == 0:
            break
        question = asked.get_attribute("data-question")
        asked.locator(".option").first.click()
        expect(page.locator(f"section.asked[data-question='{question}']")).to_have_count(0)
    expect(asked).to_have_count(0)


def test_hidden_and_whispered_lines(table: Table, sit: Callable[..., Visitor]) -> None:
    gm, watcher = sit(viewport=DESK), sit("spectator", "Wim", viewport={"width": 1280, "height": 720})
    for dice, audience in (("7d6", "self"), ("8d6", "public")):
        table.act(master(table), {"do": "throw", "dice": dice, "audience": audience})
    expect(gm.page.locator(".line", has_text="7d6").first).to_be_visible()
    expect(watcher.page.locator(".line", has_text="8d6").first).to_be_visible()
    expect(watcher.page.locator(".line", has_text="7d6")).to_have_count(0)
    expect(watcher.page.get_by_role("button", name="Roll", exact=True)).to_have_count(0)
    gm.page.locator(".spot[data-who=torvald] button").click()
    gm.page.get_by_role("button", name="Hide: Torvald").click()
    expect(watcher.page.locator(".spot[data-who=torvald]")).to_have_count(0)
    gm.page.get_by_role("button", name="Reveal: Torvald").first.click()
    expect(watcher.page.locator(".spot[data-who=torvald]")).to_have_count(1)


def test_a_spectator_sees_the_scene_on_a_projector(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    shown = gathered("The siege", SYSTEM)
    shown.act("gwen", {"do": "scene.end", "anyway": True})
    shown.act("gwen", {"do": "scene.begin", "scenario": "even"})
    first_turn(shown)
    one = sits(shown, "spectator", "Wall", viewport={"width": 1920, "height": 1080})
    page = one.page
    expect(page.locator(".order li.now")).to_be_in_viewport()
    expect(page.locator(".scene-map")).to_be_in_viewport()
    expect(page.locator(".line").last).to_be_in_viewport()
    size = page.locator(".lines .text").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size > 19, "read from the other end of the room"
    assert page.locator(".play input, .play select, .play textarea, .verb").count() == 0
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert one.flaws() == []
    assert not one.is_wide()
    one.picture("projector")


def test_a_lost_connection_comes_back_and_nothing_is_doubled_nor_hostile_notes_obeyed(
    table: Table, sit: Callable[..., Visitor]
) -> None:
    one = sit(viewport=DESK)
    page = one.page
    tools(page)
    before = len([line for line in table.lines(master(table)) if "9d6" in str(line.get("text"))])
    one.context.set_offline(True)
    page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    table.act(master(table), {"do": "note.write", "text": "while you were away"})
    throw(page, "9d6")
    settle(page)
    one.context.set_offline(False)
    expect(page.locator(".line", has_text="9d6").first).to_be_visible()
    lines = [line for line in table.lines(master(table)) if "9d6" in str(line.get("text"))]
    assert len(lines) == before + 1
    page.reload()
    expect(page.locator(".line", has_text="9d6")).to_have_count(before + 1)
    tools(page)
    expect(page.locator(".notes .note", has_text="while you were away").first).to_be_attached()
    # what anyone writes is text
    unfold(page, "Notes")
    page.get_by_label("Note", exact=True).fill(HOSTILE)
    page.get_by_role("button", name="Write down").click()
    expect(page.locator(".notes .note", has_text="onerror").first).to_have_text(HOSTILE.replace("**", ""))
    assert page.locator(".notes .note img").count() == 0
    assert "taken" not in page.title()


def test_pending_acts_are_sent_once_when_the_connection_is_back(table: Table, sit: Callable[..., Visitor]) -> None:
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

    page = sit(viewport=DESK, first=lambda page: page.route_web_socket("**/live?*", between)).page
    page.locator(".lines .line").first.wait_for()
    tools(page)
    throw(page, "11d6")
    expect(page.locator("output.result")).to_contain_text("11d6")
    assert lost["sent"] == 2
    found = [line for line in table.lines(master(table)) if "11d6" in str(line.get("text"))]
    assert len(found) == 1
    expect(page.locator(".line", has_text="11d6")).to_have_count(1)
