"""A newcomer: from the printed link to a first rolled check, without reading anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Locator, expect

from conformance.places import at_length
from patience import wait_until
from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, tools

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
RETRY = 2_000
"""Milliseconds after which a click is tried again, where what is clicked may go away meanwhile."""

ANSWER = ".line.check, section.asked, dialog section.check"
"""A roll is answered by its card, or by what its rule or its situation asks first."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)] if at_length() else [(390, 844)])
def test_from_the_printed_link_to_a_demo_fight(
    first_day: Served, visitor: Callable[..., Visitor], width: int, height: int
) -> None:
    """Two clicks on what stands out, both in sight without scrolling; nothing is typed."""
    one = visitor(first_day, viewport={"width": width, "height": height})
    page = one.page
    token = first_day.store.host_link()
    page.goto(f"/#{token}")
    cover = page.get_by_role("button", name="Märchen Engine").first
    expect(cover).to_be_in_viewport()
    if width > 1000:
        one.picture("tables")
    cover.click()
    start = page.get_by_role("button", name="Start the fight")
    expect(start).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    start.click()
    page.wait_for_url("**/c/*")
    table = first_day.store.table(page.url.rpartition("/")[2])
    assert table.view("game-master")["scene"]["form"] == "encounter"
    assert token not in page.url
    assert token not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])")
    # and from then on home begins with the running fight
    page.goto("/")
    back = page.get_by_role("button", name="Back to the fight")
    expect(back).to_be_in_viewport(ratio=1)
    first, games = back.bounding_box(), page.locator(".card").first.bounding_box()
    assert first is not None
    assert games is not None
    assert first["y"] < games["y"]
    back.click()
    page.wait_for_url(f"**/c/{table.id}")


def test_the_first_check_by_keyboard_alone(first_day: Served, visitor: Callable[..., Visitor]) -> None:
    one = visitor(first_day, viewport={"width": 1280, "height": 800})
    page = one.page
    page.goto(f"/#{first_day.store.host_link()}")
    play = page.locator("li[data-game=mars]").get_by_role("button", name=re.compile("^Play "))
    play.wait_for()

    def is_at_the_table() -> bool:
        """Press the button's key on the first page, once more where the page was drawn again meanwhile."""
        if "/c/" not in page.url:
            with suppress(Error):
                play.focus(timeout=RETRY)
                page.keyboard.press("Enter")
                page.wait_for_url("**/c/*", timeout=RETRY)
        return "/c/" in page.url

    wait_until(is_at_the_table, "the table is there")
    page.locator(".skill").first.focus()
    page.keyboard.press("Enter")
    page.locator(ANSWER).first.wait_for()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_newcomer_takes_the_first_turn_in_six_clicks(
    first_day: Served, visitor: Callable[..., Visitor], system: str
) -> None:
    """Thirty seconds at five seconds for each step: nothing is typed, and what stands out is clicked.

    Answers to foes that the dice let act first do not count.
    """
    page = visitor(first_day, viewport={"width": 1280, "height": 800}).page
    page.goto(f"/#{first_day.store.host_link()}")
    page.locator(f".games .card[data-game={system}]").click()
    page.get_by_role("button", name="Start the fight").click()
    page.wait_for_url("**/c/*")
    table = first_day.store.table(page.url.rpartition("/")[2])
    clicks, turn = 2, ""
    while not turn:
        wait_until(lambda: table.view("game-master", 10**9)["question"], "something is asked")
        seen = table.view("game-master", 10**9)
        card = page.locator(f"section.asked[data-question='{seen['question']['id']}'][aria-busy=false]")
        if not settled(card, table, seen["question"]["id"]):
            continue
        expect(card.locator(".verb .waiting")).to_have_count(0)
        last = seen["last"]
        try:
            is_turn = card.get_attribute("data-turn", timeout=RETRY) is not None
            card.locator(".verb, .option").first.click(timeout=RETRY)
        except Error:  # the page went on meanwhile
            continue
        turn = (is_turn and seen["scene"]["turn"]) or ""
        clicks += is_turn or seen["scene"]["turn"] is None
        wait_until(lambda: table.view("game-master", 10**9)["last"] > last, "it was answered")  # noqa: B023
    assert clicks <= 6, clicks


def settled(card: Locator, table: Table, question: str) -> bool:
    """Wait until a question is open on the page; False where it is answered by something that was chosen before."""

    def is_there() -> bool:
        return card.count() > 0 or (table.view("game-master", 10**9)["question"] or {}).get("id") != question

    wait_until(is_there, "the question is on the page")
    return card.count() > 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_opens_on_something_to_roll(seat: Callable[..., Visitor], system: str) -> None:
    one = seat(system, viewport={"width": 1280, "height": 900})
    tools(one.page)
    one.page.locator("details.odds-now li").first.wait_for()
    one.page.get_by_role("button", name="Roll", exact=True).click()
    told, asked = one.page.locator("section.log li.line.check"), one.page.locator("section.asked .option").first
    for _ in range(100):  # a check may offer a choice: whatever stands first
        told.first.or_(asked).first.wait_for()
        if told.count():
            break
        with suppress(Error):  # the choice that was made may go away just now
            asked.click(timeout=RETRY)
    expect(told).not_to_have_count(0)


def test_a_skill_on_the_sheet_is_a_check(seat: Callable[..., Visitor]) -> None:
    page = seat("mars", viewport={"width": 1280, "height": 900}).page
    page.locator(".skill", has_text="Perception").click()
    expect(page.locator(".line.check", has_text="Perception").or_(page.locator("#check"))).to_be_visible()
