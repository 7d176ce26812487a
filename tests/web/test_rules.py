"""Journey 6: look up a rule."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tablewright.game.ledger import Ledger
from web.browsing import Visitor


def test_search_and_the_page_of_a_rule(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844})
    page = one.page
    page.goto("/rules")
    page.get_by_label("Words").fill("wild die")
    page.locator(".found a").first.wait_for()
    page.get_by_label("System").select_option("opend6")
    expect(page.locator(".found li", has_text="MARS")).to_have_count(0)
    assert one.flaws() == []
    one.picture("rules-phone")
    page.locator(".found a").first.click()
    expect(page.get_by_text("Where it stands")).to_be_visible()
    rule = page.url.rpartition("/")[2]
    assert page.locator("h1").inner_text() == Ledger.load("opend6")[rule].title
    assert one.flaws() == []
    page.go_back()
    expect(page.get_by_label("Words")).to_have_value("wild die")


def test_a_rule_says_which_mechanic_uses_it(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto("/rules/mars.check.outcomes")
    page.get_by_role("link", name="mars.check", exact=True).click()
    page.locator("#chances").wait_for()
    assert page.locator("#rule").input_value() == "mars.check"
