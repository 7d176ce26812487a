"""Clicks act once, destructive ones ask first, and old errors go away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, pick, tools, unfold

GM = "gwen"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def settled(page: Page) -> None:
    """Wait until nothing is under way any more."""
    expect(page.locator("button[aria-disabled=true]")).to_have_count(0)


def test_a_double_click_is_one_click(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Twice", "mars")
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    tools(page)
    unfold(page, "Notes")
    page.get_by_label("Note", exact=True).fill("only once")
    page.get_by_role("button", name="Write down").dblclick()
    expect(page.locator(".notes .note")).to_have_count(1)
    unfold(page, "Roll dice")
    page.locator("#dice").fill("13d6")
    page.get_by_role("button", name="Roll these", exact=True).dblclick()
    expect(page.locator("output.result")).to_contain_text("13d6")
    unfold(page, "Begin a scene")
    scenes = len(state(table)["scenes"])
    page.get_by_role("button", name="Begin free play").dblclick()
    expect(page.locator(".line", has_text="13d6")).to_have_count(1)
    settled(page)
    assert len(state(table)["scenes"]) == scenes + 1
    assert len(state(table)["notes"]) == 1

    page.get_by_role("link", name="Campaign").click()
    characters = len(state(table)["characters"])
    page.locator("#ready").select_option("orc_raider")
    page.get_by_role("button", name="Add", exact=True).dblclick()
    settled(page)
    expect(page.locator("li.who")).to_have_count(characters + 1)
    unfold(page, "Rest, healing")
    page.get_by_label("What", exact=True).select_option("mars.award")
    page.get_by_role("group", name="Who").get_by_label("Aldith").check()
    before = [line for line in table.lines(GM) if "experience" in str(line.get("text"))]
    page.get_by_role("button", name="Start", exact=True).dblclick()
    expect(page.locator(".happened")).to_contain_text("experience")
    settled(page)
    told = [line for line in table.lines(GM) if "experience" in str(line.get("text"))]
    assert len(told) == len(before) + 1, "one award"


def test_one_table_is_made_by_a_double_click(served: Served, visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto(f"/#{served.store.host_link()}")
    page.get_by_role("button", name="New table").click()
    page.get_by_label("Title", exact=True).fill("Made by two clicks")
    page.get_by_role("button", name="Create the table").dblclick()
    page.wait_for_url("**/c/*")
    expect(page.locator("h1")).to_contain_text("Made by two clicks")
    assert [one.title for one in served.store.campaigns()].count("Made by two clicks") == 1


def test_a_button_is_closed_while_its_work_is_under_way(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Under way", "stage")
    held: list[Any] = []

    def between(route: Any) -> None:  # what is sent comes to the server only when the test lets it
        server = route.connect_to_server()
        route.on_message(lambda message: held.append((server, message)) if "17d6" in message else server.send(message))

    size, line = {"width": 1280, "height": 900}, "**/live?*"
    page = sits(table, viewport=size, first=lambda page: page.route_web_socket(line, between)).page
    page.locator(".lines .line").first.wait_for()
    tools(page)
    unfold(page, "Roll dice")
    page.locator("#dice").fill("17d6")
    throw = page.get_by_role("button", name="Roll these", exact=True)
    throw.click()
    expect(throw).to_be_disabled()
    expect(throw).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#dice").press("Enter")
    expect(throw).to_be_disabled()
    assert len(held) == 1
    server, message = held[0]
    server.send(message)
    expect(page.locator("output.result")).to_contain_text("17d6")
    expect(throw).to_be_enabled()
    expect(page.locator(".line", has_text="17d6")).to_have_count(1)


def test_taking_out_and_sending_away_are_asked_about_first(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The farewell", "mars")
    table.invite(GM, role="player", name="Petra")
    gm = sits(table, at="campaign", viewport={"width": 390, "height": 844})
    page = gm.page
    pick(page, "Corin", "Remove from the campaign")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Remove Corin from the campaign?")
    assert gm.flaws("dialog") == []
    assert not gm.is_wide()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert "corin" in [one["id"] for one in state(table)["characters"]]
    pick(page, "Corin", "Remove from the campaign")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert "corin" in [one["id"] for one in state(table)["characters"]]
    pick(page, "Petra", "Remove from the table")
    expect(dialog).to_contain_text("Remove Petra from the table?")
    dialog.get_by_role("button", name="Remove from the table").click()
    expect(page.get_by_role("button", name="More for Petra")).to_have_count(0)
    assert "petra" not in [one["id"] for one in state(table)["seats"]]
    table.act(GM, {"do": "scene.end", "anyway": True})
    pick(page, "Corin", "Remove from the campaign")
    dialog.get_by_role("button", name="Remove from the campaign").click()
    expect(page.get_by_role("button", name="More for Corin")).to_have_count(0)
    assert "corin" not in [one["id"] for one in state(table)["characters"]]


def test_invalid_dice_are_refused_in_plain_words_and_the_error_goes_with_the_next_thing_that_is_done(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The second try", "mars")
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    tools(page)
    unfold(page, "Roll dice")
    page.locator("#dice").fill("no dice at all")
    page.get_by_role("button", name="Roll these", exact=True).click()
    expect(page.locator(".said p")).to_be_visible()
    page.locator("#dice").fill("3d6")
    page.get_by_role("button", name="Roll these", exact=True).click()
    expect(page.locator("output.result")).to_contain_text("3d6")
    expect(page.locator(".said p")).to_have_count(0)
    # faces that are typed in are refused before they are sent
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_role("button", name="Roll", exact=True).click()
    line = page.locator(".line.check").last
    line.get_by_role("button", name="Change").press("Enter")  # it is there for the keyboard, wherever the log scrolls
    faces = page.locator("#changed-faces")
    now = faces.input_value()
    faces.fill("abc")
    look = page.get_by_role("dialog").get_by_role("button", name="Preview").first
    look.click()
    expect(page.locator("#changed-faces:invalid")).to_have_count(1)
    expect(page.locator(".said p")).to_have_count(0)
    faces.fill(now)
    look.click()
    expect(page.get_by_role("dialog")).to_contain_text("What this would do")
