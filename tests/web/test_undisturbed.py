"""Updates of the table leave an unfinished action alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from web.browsing import Visitor, first_turn, own_sheet, settle, tools, unfold, wait_in
from web.test_turn import unweighed

GM = "gwen"
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def happens(table: Table, page: Page, dice: str) -> None:
    """Throw dice at the table and wait until the page shows it."""
    table.act(GM, {"do": "throw", "dice": dice})
    expect(page.locator(".line", has_text=dice)).to_have_count(1)


def fight(table: Table) -> None:
    """A fight in which everyone is within reach."""
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "together"})
    first_turn(table)


def test_dice_that_are_half_typed_in_stay(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Real dice", "stage")
    table.act(GM, {"do": "seat.set", "seat": GM, "dice": "ask"})
    page = sits(table, viewport=DESK).page
    tools(page)
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator("section.asked").wait_for()
    page.locator("#faces").press_sequentially("4 ")
    unfold(page, "Or decide the result")
    page.locator("#ruled").fill("7")
    happens(table, page, "11d6")
    expect(page.locator("#faces")).to_have_value("4 ")
    expect(page.locator("#ruled")).to_have_value("7")


def test_options_stay_found_aimed_and_weighed(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Filtered", "stage")
    fight(table)
    page = sits(table, alone=True, viewport=DESK).page
    chance = page.locator(".verb .big", has_text="%").first
    expect(chance).to_be_visible()
    preset = page.locator(".target").inner_text()
    page.keyboard.press("[")  # another opponent than the page aims at by itself
    expect(page.locator(".target")).not_to_have_text(preset)
    expect(chance).to_be_visible()
    aimed = page.locator(".target").inner_text()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/advice" in one.url else None)
    page.keyboard.press("/")
    find = page.get_by_role("dialog").get_by_role("combobox")
    find.fill("attack")
    entries = page.locator(".entry", has=page.locator(".cost:not(:empty)"))
    before = entries.count()
    page.clock.install()
    table.act(GM, {"do": "throw", "dice": "11d6"})
    expect(page.locator(".line", has_text="11d6")).to_have_count(1)
    expect(find).to_have_value("attack")
    expect(entries).to_have_count(before)
    page.clock.run_for(1_000)  # longer than the page thinks before it asks
    settle(page)
    assert asked == [], "what it promises has not changed"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".target")).to_have_text(aimed)
    # a number that the game master says does change it
    more = {"what": "attack", "value": 2, "reason": "sun"}
    with page.expect_request("**/advice?quiet=1*"):
        table.act(GM, {"do": "start", "process": "table.modify", "with": more})
        page.clock.resume()
    expect(chance).to_be_visible()
    expect(page.locator(".target")).to_have_text(aimed)


def test_odds_are_those_of_anyone_who_is_asked_and_not_asked_for_again(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Asked at length", "mars")
    page = sits(table, alone=True, viewport=DESK).page
    tools(page)
    page.locator("details.odds-now li").first.wait_for()
    page.locator("#check").select_option("perception")
    unfold(page, "More about the situation")
    others = page.get_by_role("group", name="Ask others")
    for who in ("Corin", "Dilly"):
        others.get_by_label(who).check()
    of_all = page.locator("details.odds-now summary")
    expect(of_all).to_have_count(2)
    expect(of_all.nth(0)).to_have_text(re.compile("Corin"))
    expect(of_all.nth(1)).to_have_text(re.compile("Dilly"))
    odds = page.locator("details.odds-now", has_text="Corin")
    odds.locator("summary").click()
    expect(odds.locator("li").first).not_to_be_visible()
    page.clock.install()
    happens(table, page, "11d6")
    page.clock.run_for(1_000)
    settle(page)
    expect(odds.locator("summary")).to_be_visible()
    expect(odds.locator("li").first).not_to_be_visible()  # it was closed
    for who in ("Corin", "Dilly"):
        others.get_by_label(who).uncheck()
    expect(of_all).to_have_count(1)


def test_the_keyboard_stays_in_a_note_when_the_next_scene_begins(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Scene after scene", "mars")
    page = sits(table, "player", "Petra", viewport=DESK).page
    table.act(GM, {"do": "seat.hand", "who": "aldith", "seat": "petra"})
    page.locator(".skill").first.wait_for()
    unfold(page, "Notes")
    note = page.get_by_label("Note", exact=True)
    note.press_sequentially("half a ")
    table.act(GM, {"do": "scene.end"})
    expect(page.get_by_text("No scene is open.")).to_be_visible()
    table.act(GM, {"do": "scene.begin", "form": "time", "who": ["aldith"]})
    page.locator(".spot").first.wait_for()
    expect(note).to_be_focused()
    page.keyboard.type("thought")
    expect(note).to_have_value("half a thought")


def test_an_answer_by_keyboard_leads_to_the_next_question(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Enter and Enter", "stage")
    fight(table)
    page = sits(table, viewport=DESK, first=unweighed).page
    for _ in range(2):  # one turn after the other: the button is gone after each
        heading = page.locator("#asked-heading").inner_text()
        page.get_by_role("button", name="End turn").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#asked-heading")).not_to_have_text(heading)
        page.wait_for_function("() => document.activeElement !== document.body")


def test_without_a_scene_nothing_on_the_sheet_pretends_to_roll(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Between scenes", "mars")
    page = sits(table, viewport=DESK).page
    expect(page.locator(".skill:not([aria-disabled])").first).to_be_visible()
    table.act(GM, {"do": "scene.end"})
    expect(page.get_by_text("No scene is open.")).to_be_visible()
    expect(page.locator(".skill").first).to_be_visible()
    expect(page.locator(".skill:not([aria-disabled])")).to_have_count(0)


def test_the_box_of_notes_does_not_close_over_what_is_written(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The last note", "mars")
    table.act(GM, {"do": "note.write", "text": "soon gone", "to": "everyone"})
    page = sits(table, "player", "Petra", viewport=PHONE).page
    table.act(GM, {"do": "seat.hand", "who": "aldith", "seat": "petra"})
    own_sheet(page)
    note = page.get_by_label("Note", exact=True)
    note.fill("half a thought")
    table.act(GM, {"do": "note.remove", "id": state(table)["notes"][0]["id"]})
    expect(page.locator(".notes li")).to_have_count(0)
    expect(note).to_be_visible()


def test_a_choice_that_has_come_or_gone_is_given_up(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Comes once", "mars")
    for title in ("Ambush", "Siege"):
        table.act(GM, {"do": "encounter.keep", "title": title, "scenario": load_scenario("mars:even").to_json()})
    table.act(GM, {"do": "character.add", "character": "rogue", "id": "friend"})
    page = sits(table, viewport=DESK).page
    tools(page)
    unfold(page, "Bring someone in")
    page.locator("#comes").select_option("friend")
    page.get_by_role("button", name="Bring in", exact=True).click()
    expect(page.locator("#comes option[value=friend]")).to_have_count(0)
    expect(page.locator("#comes")).not_to_have_value("")
    count = len(state(table)["scene"]["participants"])
    again = page.get_by_role("button", name="Bring in", exact=True)
    expect(again).not_to_have_attribute("aria-disabled", "true")
    again.click()
    expect(page.locator(".spot")).to_have_count(count + 1)
    unfold(page, "Begin a scene")
    page.locator("#prepared").select_option("Ambush")
    page.locator("#begin-scene").get_by_role("button", name="Remove").click()
    expect(page.locator("#prepared option", has_text="Ambush")).to_have_count(0)
    expect(page.get_by_role("button", name="Begin what was prepared")).to_be_disabled()
    expect(page.locator("#prepared")).to_have_value("")


def test_boxes_ticked_in_a_row_all_count(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Many ticks", "mars")
    held: list[Any] = []

    def between(route: Any) -> None:
        server = route.connect_to_server()
        route.on_message(lambda told: held.append((server, told)) if "setting.set" in told else server.send(told))

    line = "**/live?*"
    page = sits(table, at="campaign", viewport=DESK, first=lambda page: page.route_web_socket(line, between)).page
    unfold(page, "Players may start")
    boxes = page.locator("details", has_text="Players may start").locator("input[type=checkbox]:not(:checked)")
    before = set(state(table)["settings"]["players_start"])
    names = [boxes.nth(place) for place in range(3)]
    handles = [one.element_handle() for one in names]
    for one in handles:
        assert one is not None
        one.check()
    wait_in(page, lambda: len(held) == len(handles), "every tick was sent")
    for server, message in held:
        server.send(message)
    expect(page.locator("summary", has_text="Players may start")).to_contain_text(f"({len(before) + 3})")
    assert len(state(table)["settings"]["players_start"]) == len(before) + 3


def test_odds_that_come_late_move_nothing_in_the_game_masters_column(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("A place kept free", "mars")
    one = sits(table, viewport=DESK)
    page = one.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/odds?quiet=1", hold)
    tools(page)
    below = page.locator(".column details.card").first
    wait_in(page, lambda: held, "the odds are asked for")
    before = below.bounding_box()
    assert before is not None
    expect(page.locator(".odds-now")).to_have_count(0)
    held[-1].continue_()
    page.locator(".odds-now .bars li").first.wait_for()
    settle(page)
    assert below.bounding_box() == before


def test_values_are_asked_for_again_where_the_server_is_busy_or_takes_longer(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """A busy server is asked once more; an answer that leaves everything out is followed by one with the usual time."""
    table = gathered("Slow values", "stage")
    fight(table)
    asked: list[str] = []

    def first(route: Route) -> None:
        asked.append(route.request.url.partition("?")[2])
        if len(asked) == 1:
            route.fulfill(status=429, content_type="application/problem+json", body='{"detail": "busy"}')
        elif "first=1" in asked[-1]:
            route.fulfill(content_type="application/json", body='{"options": [], "left_out": ["attack"]}')
        else:
            route.continue_()

    page = sits(table, viewport=DESK, first=lambda page: page.route("**/advice?quiet=1*", first)).page
    expect(page.locator(".verb .big", has_text="%").first).to_be_visible()
    assert asked[:2] == ["quiet=1&first=1"] * 2
    assert list(dict.fromkeys(asked)) == ["quiet=1&first=1", "quiet=1"]
