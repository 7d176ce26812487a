"""Journey 3: prepare an encounter."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from web.browsing import Visitor

SMALL = "coinfolk"
"""The small system of the tests: its fights are over soon."""


def wins(page: Page, side: str) -> float:
    """The chance to win that the page shows."""
    row = page.locator("ul.wins li", has_text=side).locator(".number")
    return float(row.inner_text().removesuffix("%"))


def test_estimate_change_one_thing_and_see_what_it_does(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1280, "height": 900})
    page = one.page
    page.goto("/prepare")
    page.locator("section.card li").first.wait_for()
    page.locator("#system").select_option(SMALL)
    page.locator("#begin-with").select_option("together")
    page.locator(".entrants b", has_text="Ann").wait_for()
    page.get_by_role("button", name="How would it go?").click()
    expect(page.get_by_text("fights in")).to_be_visible(timeout=60_000)
    before = wins(page, "vermin")
    page.get_by_role("button", name="One more like this: rat").click()
    page.get_by_role("button", name="One more like this: rat", exact=True).click()
    expect(page.locator(".entrants li")).to_have_count(6)
    page.get_by_role("button", name="How would it go?").click()
    expect(page.get_by_text("points").first).to_be_visible(timeout=60_000)
    expect(page.get_by_text("fights in")).to_be_visible(timeout=60_000)
    assert wins(page, "vermin") > before
    assert one.flaws() == []
    one.picture("prepare")


def test_on_a_phone(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844}, color_scheme="dark")
    one.page.goto("/prepare")
    one.page.locator(".entrants li").first.wait_for()
    assert one.flaws() == []
    assert not one.is_wide()
