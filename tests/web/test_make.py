"""Journey 1: make a character."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablewright.game.character import read_character
from tablewright.game.content import library_of
from tablewright.game.registry import load_system
from tablewright.table import Table
from web.browsing import Visitor
from web.test_first import SYSTEMS

MOST_STEPS = 80


def test_system_cards_with_a_sample_roll_and_its_odds(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1280, "height": 900})
    page = one.page
    page.goto("/make")
    for system in SYSTEMS:
        title = load_system(system).title
        card = page.locator("li.card", has=page.get_by_role("heading", name=title, exact=True))
        card.locator(".bars li").first.wait_for()
    page.get_by_role("button", name="Roll it").first.click()
    expect(page.get_by_text("It came out as").first).to_be_visible()
    assert one.flaws() == []
    one.picture("make")


def test_step_by_step_with_back_closed_options_and_review(visitor: Callable[..., Visitor], tmp_path: Path) -> None:
    one = visitor(viewport={"width": 1200, "height": 900})
    page = one.page
    page.goto("/make/mars")
    page.get_by_label("Name").first.fill("Isolde")
    page.get_by_role("button", name="Begin").click()
    first = page.locator("#making-heading").inner_text()
    page.locator(".option").first.click()
    expect(page.locator("#making-heading")).not_to_have_text(first)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#making-heading")).to_have_text(first)
    seen_closed = False
    for _ in range(MOST_STEPS):
        page.locator(".option, .sheet").first.wait_for()
        if page.locator(".sheet").count():
            break
        closed = page.locator("details.closed")
        if closed.count() and not seen_closed:
            seen_closed = True
            closed.locator("summary").click()
            expect(closed.locator("li").first).to_contain_text(":")
            assert one.flaws() == []
            one.picture("make-steps")
        done = page.locator(".option", has_text="Done")
        before = page.locator("#making-heading").inner_text() + page.locator("dl.data").inner_text()
        (done if done.count() else page.locator(".option")).first.click()
        page.wait_for_function(
            """before => document.querySelector('.sheet') || (!document.querySelector('.option[disabled]') &&
            document.querySelector('#making-heading'))""",
            arg=before,
        )
    expect(page.locator(".sheet-title")).to_have_text("Isolde")
    assert seen_closed
    expect(page.get_by_text("Everything is within the rules.")).to_be_visible()
    assert one.flaws() == []
    with page.expect_download() as coming:
        page.get_by_role("button", name="JSON").click()
    coming.value.save_as(tmp_path / "isolde.json")
    system = load_system("mars")
    made = read_character(json.loads((tmp_path / "isolde.json").read_text()), system.book.character).character
    assert system.book.legality(made, system.options(), library_of(system)).violations == ()
    with page.expect_download() as text:
        page.get_by_role("button", name="Markdown").click()
    assert text.value.suggested_filename == "isolde.md"


def walked(page: Page) -> None:
    """Go through all steps, taking whatever stands first."""
    for _ in range(MOST_STEPS):
        page.locator(".option, .sheet").first.wait_for()
        if page.locator(".sheet").count():
            return
        done = page.locator(".option", has_text="Done")
        (done if done.count() else page.locator(".option")).first.click()
        page.wait_for_function(
            "() => document.querySelector('.sheet') || !document.querySelector('.option[disabled]')",
        )


def test_every_violation_leads_to_its_step(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844})
    page = one.page
    wrong = [("motivation", "mars.create.motivation"), ("stats.STR", "mars.create.stats"), ("odd", "mars.skill.basic")]

    def amiss(route: Any) -> None:  # what is made is within the rules, so what is told of it is made worse
        answer = route.fetch()
        told = answer.json()
        if told.get("made"):
            found = [{"where": where, "rule": rule, "message": "too much"} for where, rule in wrong]
            told["made"]["legality"] = {"ok": False, "violations": found}
        route.fulfill(response=answer, json=told)

    page.route("**/v1/characters/making", amiss)
    page.goto("/make/mars")
    page.get_by_role("button", name="Begin").click()
    walked(page)
    rows = page.locator(".no-print li")
    expect(rows).to_have_count(len(wrong))
    expect(rows.locator("button.link")).to_have_count(len(wrong))
    assert one.flaws() == []
    assert not one.is_wide()
    rows.nth(0).get_by_role("button", name="Go back to this step: Motivation").click()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Motivation")
    walked(page)
    rows.nth(1).get_by_role("button", name="Starting stats").click()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Starting stats")


def test_a_character_from_a_file_is_checked(visitor: Callable[..., Visitor], tmp_path: Path) -> None:
    system = load_system("opend6")
    library = library_of(system)
    hero = next(iter(library.of("templates")))
    plain = system.book.character_of(hero.id, library).to_json()
    plain["skills"] = {**plain["skills"], "climbing": "19D"}
    (tmp_path / "hero.json").write_text(json.dumps(plain))
    one = visitor(viewport={"width": 1200, "height": 900})
    page = one.page
    page.goto("/make/opend6")
    page.locator("#character-file").set_input_files(tmp_path / "hero.json")
    rows = page.locator(".no-print li")
    expect(rows.first).to_be_visible()
    made = read_character(plain, system.book.character).character
    assert rows.count() == len(system.book.legality(made, system.options(), library).violations)
    rows.first.get_by_role("button", name="Show it on the sheet").click()
    expect(page.locator(".sheet section.best")).to_be_focused()
    assert one.flaws() == []


def test_a_sheet_is_printed_on_one_page(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844})
    page = one.page
    page.goto("/make/opend6")
    page.get_by_role("button", name="At random").click()
    page.locator(".sheet").wait_for()
    assert not one.is_wide()
    page.emulate_media(media="print")
    expect(page.locator("header.top")).to_be_hidden()
    assert pages_of(page) == 1


def test_six_opponents_are_printed_on_one_page(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto("/make/mars")
    several = page.get_by_role("group", name="Up to six")
    for who in ("Bandit", "Wolf", "Goblin", "Orc Raider", "Aldith", "Dilly"):
        several.get_by_label(who, exact=True).check()
    expect(several.get_by_label("Guard", exact=True)).to_be_disabled()  # six are enough
    page.get_by_role("button", name="Show them").click()
    expect(page.locator(".six .sheet")).to_have_count(6)
    page.emulate_media(media="print")
    assert pages_of(page) == 1


def pages_of(page: Page) -> int:
    """On how many sheets of paper it comes out."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_what_is_in_the_making_outlasts_a_reload_and_back(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The long making", "mars")
    one = sits(table, viewport={"width": 390, "height": 844})
    page = one.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Make a character").click()
    page.wait_for_url("**/make/mars")  # the table's own system
    page.get_by_label("Name").first.fill("Isolde")
    page.get_by_role("button", name="Begin").click()
    heading = page.locator("#making-heading")
    seen = []
    for _ in range(3):
        expect(heading).to_be_focused()
        seen.append((heading.inner_text(), page.locator("dl.data").inner_text()))
        page.locator(".option").first.click()
        page.wait_for_url(f"**/make/mars?at={len(seen)}")
    expect(heading).to_be_visible()
    now = (heading.inner_text(), page.locator("dl.data").inner_text())
    page.reload()
    expect(heading).to_have_text(now[0])
    expect(page.locator("dl.data")).to_have_text(re.compile(re.escape(now[1].split("\n")[0])))
    page.go_back()  # one step back
    expect(heading).to_have_text(seen[2][0])
    page.go_forward()
    expect(heading).to_have_text(now[0])
    page.locator("nav").get_by_role("link", name="Play", exact=True).click()
    expect(page.locator("h1")).to_contain_text("The long making")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Make a character").click()
    expect(page.get_by_text("Isolde is not finished yet.")).to_be_visible()
    assert one.flaws() == []
    page.get_by_role("button", name="Go on with it").click()
    expect(heading).to_have_text(now[0])
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("dialog")).to_contain_text("Leave Isolde behind?")
    page.get_by_role("button", name="Cancel").click()
    expect(heading).to_have_text(now[0])  # nothing was lost by a slip
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Leave it behind").click()
    expect(page.locator("#template")).to_be_visible()
    expect(page.get_by_text("not finished yet")).to_have_count(0)
    page.reload()
    expect(page.locator("#template")).to_be_visible()


def test_a_random_character_is_named_kept_and_added(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The naming", "stage")
    one = sits(table, "player", "Petra", viewport={"width": 1200, "height": 900})
    page = one.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Make a character").click()
    card = page.locator(".card", has=page.get_by_role("heading", name="At random"))
    card.get_by_label("Name").fill("Old Tom")
    card.get_by_role("button", name="At random").click()
    expect(page.locator(".sheet-title")).to_have_text("Old Tom")
    page.locator("#rename").fill("Jörg")
    page.get_by_role("button", name="Call them so").click()
    expect(page.locator(".sheet-title")).to_have_text("Jörg")
    sheet = page.locator(".sheet").inner_text()
    assert one.flaws() == []
    page.goto(f"/c/{table.id}")
    page.locator(".lines .line").first.wait_for()
    page.go_back()
    expect(page.locator(".sheet-title")).to_have_text("Jörg")
    assert page.locator(".sheet").inner_text() == sheet
    page.get_by_role("button", name="Add to the table").click()  # the table where one was is chosen already
    page.wait_for_url(f"**/c/{table.id}")
    assert "Jörg" in [hero["name"] for hero in table.view("gwen", 10**9)["characters"]]
    page.goto("/make/stage")
    expect(page.locator("#template")).to_be_visible()
    expect(page.get_by_text("not finished yet")).to_have_count(0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_table_of_a_printed_sheet_is_cut(visitor: Callable[..., Visitor], system: str) -> None:
    page = visitor(viewport={"width": 703, "height": 1000}).page  # A4 without its margins
    page.goto(f"/make/{system}")
    page.locator("#template").wait_for()
    page.get_by_role("button", name="Take one that is ready").click()
    page.locator(".sheet").wait_for()
    page.emulate_media(media="print")
    cut = "one => one.querySelector('table').getBoundingClientRect().width - one.getBoundingClientRect().width"
    for box in page.locator(".sheet .scroll").all():
        assert box.evaluate(cut) < 1, box.inner_text()
