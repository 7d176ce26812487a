"""Accessibility of every page, at a desk and on a phone, dark and light; keyboard only; new lines are announced."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from patience import wait_until
from server.serving import Served
from tablewright.table import Table
from web.browsing import DESK, Visitor, first_turn, tools, unfold

GM = "gwen"
MOST_TABS = 200
PAGES = (
    ("/make", ".games a"),
    ("/make/mars", ".ready li"),
    ("/rules/mars.check.outcomes", ".rule h1"),
    ("/nowhere", ".wrap > h1:only-child"),
)
"""Pages that no test of their own looks at in all sizes and colours."""

GO = "address => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')) }"
"""Goes to another page without loading everything again."""


def test_no_page_has_a_flaw(served: Served, gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("By day and by night", "stage")
    one = sits(table, viewport=DESK)
    page = one.page
    tools(page)
    page.locator("details.odds-now li").first.wait_for()
    for summary in page.locator(".play summary").all():
        if summary.is_visible() and not summary.evaluate("one => one.parentElement.open"):
            summary.click()
    found = {"free play": one.flaws_everywhere()}
    page.get_by_role("link", name="Campaign").click()
    unfold(page, "Options")
    page.locator(".option-card").first.wait_for()
    found["campaign"] = one.flaws_everywhere()
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "even"})
    first_turn(table)
    page.get_by_role("link", name="Play", exact=True).click()
    page.locator("section.asked").wait_for()
    found["fight"] = one.flaws_everywhere()
    page.locator("#log-heading").click()
    page.keyboard.press("/")
    page.locator(".entry").first.wait_for()
    found["palette"] = one.flaws_everywhere()
    page.keyboard.press("Escape")
    expect(page.locator(".entry")).to_have_count(0)  # it gives the focus back when it is gone
    page.locator(".line .tools").last.get_by_role("button", name="Undo to here").press("Enter")
    page.get_by_role("dialog").locator("li").first.wait_for()
    found["dialog"] = one.flaws_everywhere()
    page.keyboard.press("Escape")
    for address, ready in PAGES:
        page.evaluate(GO, address)
        page.locator(ready).first.wait_for()
        found[address] = one.flaws_everywhere()
    page.goto(f"/#{served.store.host_link()}")
    page.locator(".tables li").first.wait_for()
    found["tables"] = one.flaws_everywhere()
    assert {name: flaws for name, flaws in found.items() if flaws} == {}
    for scheme in ("dark", "light"):
        page.get_by_role("button", name="Switch to the").click()
        expect(page.locator("html")).to_have_attribute("data-mode", scheme)
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-mode", scheme)  # what was chosen stays


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(MOST_TABS):
        if wanted.and_(page.locator(":focus")).count():
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by the keyboard")


def test_a_fight_by_keyboard_alone(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    """Begun, acted in, a reason read, a line undone: without a mouse."""
    table = gathered("By keys", "stage")
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    reach(page, page.get_by_role("button", name="Game master’s tools"))
    page.keyboard.press("Enter")
    reach(page, page.locator("summary", has_text="Begin a scene"))
    page.keyboard.press("Enter")
    reach(page, page.get_by_label("The other side acts by itself"))
    page.keyboard.press("Space")
    reach(page, page.get_by_role("button", name="Begin the encounter"))
    page.keyboard.press("Enter")
    page.locator("section.asked").wait_for()
    first_turn(table)  # what is asked before it is the same by keyboard
    page.locator("section.asked[data-turn] .verb").first.wait_for()
    before = table.view(GM)["scene"]["turn"]
    page.keyboard.press("e")
    names = {one["id"]: one["name"] for one in table.view(GM)["characters"]}
    names.pop(before, None)
    wait_until(lambda: table.view(GM)["scene"]["turn"] in names, "the turn of another hero begins")
    now = table.view(GM)["scene"]["turn"]
    expect(page.locator("#asked-heading")).to_contain_text(names[now])
    page.locator(".asked .verb:not([aria-disabled='true'])").first.wait_for()
    last = table.view(GM)["last"]
    page.keyboard.press("1")
    wait_until(lambda: table.view(GM)["last"] > last, "the first verb is done")
    reach(page, page.get_by_role("button", name=re.compile("^Why?")).first)
    page.keyboard.press("Enter")
    expect(page.locator(".why").first).to_be_visible()
    reach(page, page.locator(".line.action").last.get_by_role("button", name="Undo to here"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li").first).to_be_visible()
    page.keyboard.press("Escape")  # first a look, nothing has happened
    expect(page.locator("dialog")).to_have_count(0)
    reach(page, page.locator(".line.action").last.get_by_role("button", name="Undo to here"))
    page.keyboard.press("Enter")
    reach(page, dialog.get_by_role("button", name="Do it"))
    page.keyboard.press("Enter")
    expect(page.locator(".line.gone").first).to_be_visible()
    assert table.view(GM)["scene"]["turn"] == now


def test_new_lines_are_read_out_and_nothing_moves_for_anyone_who_wants_it_so(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Out loud", "stage")
    page = sits(table, "player", "Ann").page  # these browsers ask for less motion
    said = page.locator("section.log [aria-live=polite]")
    expect(said).to_have_count(1)
    for dice in ("5d6", "7d6"):
        table.act(GM, {"do": "throw", "dice": dice})
        expect(said).to_contain_text(dice)
        expect(page.locator(".line", has_text=dice)).to_have_count(1)  # it is there, and no die has moved
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("navigation").count() == 1
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    expect(page.locator("[data-dice]")).to_have_count(0)
    lasts = "() => [...document.getAnimations()].filter(one => one.effect.getTiming().duration > 1).length"
    assert page.evaluate(lasts) == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
