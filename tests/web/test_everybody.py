"""What every page owes to everybody: no serious flaw, dark or light; the keyboard alone; new lines are read out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from patience import wait_until
from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, first_turn

GM = "gwen"
MOST_TABS = 200
PAGES = (
    ("/make", ".bars li"),
    ("/make/mars", "#template"),
    ("/odds", "#chances tbody tr"),
    ("/prepare", ".entrants li"),
    ("/rules?words=wild", ".found a"),
    ("/rules/mars.check.outcomes", ".card h3"),
    ("/nowhere", "main p"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_flaw(
    served: Served, gathered: Callable[..., Table], sits: Callable[..., Visitor], scheme: str
) -> None:
    table = gathered(f"In the {scheme}", "stage")
    one = sits(table, viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = one.page
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    page.locator("details.odds-now li").first.wait_for()
    for summary in page.locator(".play summary").all():
        if summary.is_visible() and not summary.evaluate("one => one.parentElement.open"):
            summary.click()
    found = {"free play": one.flaws()}
    page.get_by_role("link", name="Campaign").click()
    page.locator("summary", has_text="Options").click()
    page.locator(".option-card").first.wait_for()
    found["campaign"] = one.flaws()
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "even"})
    first_turn(table)
    page.get_by_role("link", name="Play", exact=True).click()
    page.locator("section.asked").wait_for()
    found["fight"] = one.flaws()
    for address, ready in PAGES:
        page.goto(address)
        page.locator(ready).first.wait_for()
        found[address] = one.flaws()
    page.goto(f"/#{served.store.host_link()}")
    page.locator("li.card").first.wait_for()
    found["tables"] = one.flaws()
    assert {name: flaws for name, flaws in found.items() if flaws} == {}
    other = {"light": "dark", "dark": "light"}[scheme]
    page.get_by_role("button", name="Switch to the").click()
    expect(page.locator("html")).to_have_attribute("data-theme", other)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", other)  # what was chosen stays


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(MOST_TABS):
        if wanted.count() and wanted.first.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by the keyboard")


def test_a_fight_by_keyboard_alone(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    """Begun, acted in, a reason read, a line undone: without a mouse."""
    table = gathered("By keys", "stage")
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    page.locator("details.odds-now li").first.wait_for()
    reach(page, page.locator("summary", has_text="Begin a scene"))
    page.keyboard.press("Enter")
    reach(page, page.get_by_label("The other side acts by itself"))
    page.keyboard.press("Space")
    reach(page, page.get_by_role("button", name="Begin the encounter"))
    page.keyboard.press("Enter")
    page.locator("section.asked").wait_for()
    first_turn(table)  # what is asked before it is the same by keyboard
    page.locator(".order li.now").wait_for()
    end = page.locator("section.asked button.option", has_text="End")
    reach(page, end)
    before = table.view(GM)["scene"]["turn"]
    page.keyboard.press("Enter")
    wait_until(lambda: table.view(GM)["scene"]["turn"] != before, "the turn ends")
    expect(page.locator(".line.choice").first).to_be_visible()
    reach(page, page.get_by_role("button", name="Why? initiative").first)
    page.keyboard.press("Enter")
    expect(page.locator(".why .die").first).to_be_visible()
    reach(page, page.locator(".line.choice").last.get_by_role("button", name="Undo to here"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li.drops").first).to_be_visible()
    page.keyboard.press("Escape")  # first a look, nothing has happened
    expect(page.locator("dialog")).to_have_count(0)
    assert table.view(GM)["scene"]["turn"] != before
    reach(page, page.locator(".line.choice").last.get_by_role("button", name="Undo to here"))
    page.keyboard.press("Enter")
    reach(page, dialog.get_by_role("button", name="Do it"))
    page.keyboard.press("Enter")
    expect(page.locator(".line.gone").first).to_be_visible()
    wait_until(lambda: table.view(GM)["scene"]["turn"] == before, "the turn is back")


def test_new_lines_are_read_out(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Out loud", "stage")
    page = sits(table, "player", "Ann").page
    said = page.locator("section.log [aria-live=polite]")
    expect(said).to_have_count(1)
    for dice in ("5d6", "7d6"):
        table.act(GM, {"do": "throw", "dice": dice})
        expect(said).to_contain_text(dice)
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("navigation").count() == 1


def test_nothing_moves_for_whoever_wants_it_so(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The still", "stage")
    page = sits(table).page  # these browsers ask for less motion
    moves = "() => getComputedStyle(document.querySelector('.lines .line:last-child')).animationName"
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert page.evaluate(moves) == "none"
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moves) == "come"
