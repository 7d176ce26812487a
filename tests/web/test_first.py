"""A newcomer: from the printed link to a first rolled check, without reading anything."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from server.serving import Served
from web.browsing import Visitor

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
RETRY = 2_000
"""Milliseconds after which a click is tried again, where what is clicked may go away meanwhile."""

ANSWER = "output.result, section.asked"
"""A roll is answered by its result, or by what its rule asks before there is one, such as Renaissance's luck."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_from_the_printed_link_to_a_first_check(
    first_day: Served, visitor: Callable[..., Visitor], width: int, height: int
) -> None:
    """Two clicks on what stands out, both in sight without scrolling; nothing is typed."""
    one = visitor(first_day, viewport={"width": width, "height": height})
    page = one.page
    token = first_day.store.host_link()
    page.goto(f"/#{token}")
    first = page.locator("button.main").first
    expect(first).to_be_in_viewport(ratio=1)
    if width > 1000:
        one.picture("tables")
    first.click()
    roll = page.locator("button.main.roll")
    expect(roll).to_be_enabled()
    expect(roll).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    roll.click()
    expect(page.locator(ANSWER).first).to_be_in_viewport()
    assert token not in page.url
    assert token not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])")


def test_the_first_check_by_keyboard_alone(first_day: Served, visitor: Callable[..., Visitor]) -> None:
    one = visitor(first_day, viewport={"width": 1280, "height": 800})
    page = one.page
    page.goto(f"/#{first_day.store.host_link()}")
    page.locator("button.main").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("button.main.roll")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(ANSWER).first.wait_for()


def test_the_list_of_tables_suits_everybody(served: Served, visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 800}, color_scheme="dark")
    one.page.goto(f"/#{served.store.host_link()}")
    one.page.locator("li.card").first.wait_for()
    assert one.page.locator("li.card").count() >= len(SYSTEMS)
    assert one.flaws() == []
    assert not one.is_wide()
    one.picture("tables-phone")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_opens_on_something_to_roll(seat: Callable[..., Visitor], system: str) -> None:
    one = seat(system)
    one.page.locator("details.odds-now li").first.wait_for()
    one.page.get_by_role("button", name="Roll", exact=True).click()
    told, asked = one.page.locator("section.log li.line.rule"), one.page.locator("section.asked .option:enabled").first
    for _ in range(100):  # a check may offer a choice: whatever stands first
        told.first.or_(asked).first.wait_for()
        if told.count():
            break
        with suppress(Error):  # the choice that was made may go away just now
            asked.click(timeout=RETRY)
    expect(told).not_to_have_count(0)


def test_a_skill_on_the_sheet_is_a_check(seat: Callable[..., Visitor]) -> None:
    page = seat("mars").page
    page.locator(".sheet table").get_by_role("button", name="Check Perception").click()
    expect(page.locator("#check")).to_have_value("perception")
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_focused()
