"""Journey 1: make a character."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablewright.game.character.character import read_character
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.table import Table
from web.browsing import Visitor
from web.drafts import Step, draft, first_option, resume
from web.test_first import SYSTEMS


def test_the_game_is_chosen_by_its_cover(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1440, "height": 900})
    page = one.page
    page.goto("/make")
    for system in SYSTEMS:
        expect(page.get_by_role("link", name=load_system(system).title)).to_have_attribute("href", f"/make/{system}")
    one.picture("make")
    page.get_by_role("link", name="The Stage").click()
    expect(page.get_by_role("button", name="Step by step")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-game", "stage")


def test_every_option_says_what_it_gives_and_the_sheet_shows_it_before(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1440, "height": 900})
    page = one.page
    resume(page, "mars", draft("mars", lambda step: step["heading"] == "Which archetype?"))
    entries = {entry.name: entry for entry in shipped_library(load_system("mars")).of("archetypes")}
    page.locator(".option:enabled").first.wait_for()
    for option in page.locator(".options .option").all():
        label = option.locator(".name").inner_text().strip()
        assert label in entries
        expect(option.locator(".about, .gives .chip").first).to_be_visible()
    sheet = page.get_by_role("region", name="Sheet so far")
    rogue = page.locator(".option", has_text="Rogue")
    page.mouse.move(5, 400)  # nothing is looked at
    expect(sheet.locator(".changed")).to_have_count(0)
    rogue.focus()
    expect(sheet.locator(".changed", has_text="Rogue")).to_be_visible()
    assert one.flaws() == []
    one.picture("make-steps")
    before = page.url
    page.get_by_role("button", name="Choose for me").hover()
    page.get_by_role("button", name="Choose for me").focus()
    expect(sheet.locator(".changed")).to_have_count(0)
    assert page.url == before  # nothing was chosen by looking at it
    rogue.click()
    expect(sheet.locator(".data", has_text="Archetype")).to_contain_text("Rogue")


def is_too_dear(step: Step) -> bool:
    """True if something costs more than is left, and by how much is said."""
    return step["answers"] > 8 and any(re.search(r"\d", closed["reason"]) for closed in step["closed"])


def test_unaffordable_items_say_by_how_much(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}).page
    resume(page, "stage", draft("stage", is_too_dear))
    closed = page.locator("details.closed")
    closed.wait_for()
    if closed.get_attribute("open") is None:
        closed.locator("summary").click()
    expect(closed.locator("li", has_text=re.compile(r"\d")).first).to_be_visible()


def as_a_fighter(step: Step) -> str:
    """Choose the fighter where an archetype is asked for, and elsewhere whatever stands first."""
    return "fighter" if step["heading"] == "Which archetype?" else first_option(step)


def test_the_shop_tells_what_things_do_in_these_hands(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1440, "height": 900})
    page = one.page
    resume(page, "mars", draft("mars", lambda step: step["heading"] == "Buy what?", as_a_fighter))
    shop = page.get_by_role("table", name="Weapons")
    expect(shop.get_by_role("columnheader", name="To hit", exact=True)).to_be_visible()
    first = shop.get_by_role("row").filter(has_text="Cestus")
    expect(first.get_by_role("cell").nth(1)).to_contain_text(re.compile(r"^r\d+"))
    # a weapon is looked at, then taken from the warning, which has nothing to say after it
    warning = page.get_by_text("You have no weapon")
    sheet = page.get_by_role("region", name="Sheet so far")
    first.get_by_role("button").focus()
    expect(sheet.locator(".changed", has_text="Cestus")).to_be_visible()
    assert one.flaws() == []
    page.evaluate("document.querySelector('.question').scrollTo(0, 0); scrollTo(0, 0)")
    one.picture("shop")
    page.get_by_role("button", name=re.compile("^Take: ")).first.click()
    expect(warning).to_have_count(0)
    expect(page.locator(".shop .mine")).to_have_count(1)
    page.get_by_role("radio", name="Armour").or_(page.get_by_role("button", name="Armour", exact=True)).first.click()
    dear = page.locator(".shop .shut", has_text="Plate").first
    expect(dear).to_contain_text(re.compile(r"\d"))  # by how much it is too dear
    page.set_viewport_size({"width": 320, "height": 640})
    assert not one.is_wide()


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
    address = resume(page, "mars", draft("mars", lambda _: False))
    rows = page.locator(".wrong li")
    expect(rows).to_have_count(len(wrong))
    expect(rows.get_by_role("button")).to_have_count(len(wrong))
    assert one.flaws() == []
    assert not one.is_wide()
    rows.nth(0).get_by_role("button", name="Go back to this step: Motivation").click()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Motivation")
    page.goto(address)
    rows.nth(1).get_by_role("button", name="Starting stats").click()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Starting stats")


def test_a_character_from_a_file_is_checked(visitor: Callable[..., Visitor], tmp_path: Path) -> None:
    system = load_system("opend6")
    library = shipped_library(system)
    hero = next(iter(library.of("templates")))
    plain = system.rulebook.character_of(hero.id, library).to_json()
    plain["skills"] = {**plain["skills"], "climbing": "19D"}
    (tmp_path / "hero.json").write_text(json.dumps(plain))
    one = visitor(viewport={"width": 1200, "height": 900})
    page = one.page
    page.goto("/make/opend6")
    page.locator("#character-file").set_input_files(tmp_path / "hero.json")
    rows = page.locator(".wrong li")
    expect(rows.first).to_be_visible()
    made = read_character(plain, system.rulebook.character).character
    expect(rows).to_have_count(len(system.rulebook.legality(made, system.options(), library).violations))
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
    expect(page.get_by_role("navigation").first).to_be_hidden()
    assert pages_of(page) == 1


def test_six_opponents_are_printed_on_one_page(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto("/make/mars")
    page.get_by_text("Choose them").click()
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


def test_a_character_in_the_making_survives_reload_and_back(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The long making", "mars")
    one = sits(table, at="/make/mars", viewport={"width": 390, "height": 844})
    page = one.page
    page.get_by_label("Name", exact=True).fill("Isolde")
    page.get_by_role("button", name="Step by step").click()
    heading = page.locator("#making-heading")
    seen = []
    for _ in range(3):
        expect(heading).to_be_focused()
        seen.append((heading.inner_text(), page.locator(".live").inner_text()))
        page.locator(".option").first.click()
        page.wait_for_url(f"**/make/mars?at={len(seen)}")
    expect(heading).to_be_visible()
    now = (heading.inner_text(), page.locator(".live").inner_text())
    page.reload()
    expect(heading).to_have_text(now[0])
    expect(page.locator(".live")).to_contain_text(now[1].split("\n")[0])
    page.go_back()  # one step back
    expect(heading).to_have_text(seen[2][0])
    page.go_forward()
    expect(heading).to_have_text(now[0])
    page.goto(f"/c/{table.id}")
    expect(page.locator("h1")).to_contain_text("The long making")
    page.goto("/make/mars")
    expect(page.get_by_text("Isolde is not finished yet.")).to_be_visible()
    assert one.flaws("main") == []
    page.get_by_role("button", name="Continue").click()
    expect(heading).to_have_text(now[0])
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("dialog")).to_contain_text("Leave Isolde behind?")
    page.get_by_role("button", name="Cancel").click()
    expect(heading).to_have_text(now[0])  # nothing was lost by a slip
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Leave it behind").click()
    expect(page.get_by_role("button", name="Step by step")).to_be_visible()
    expect(page.get_by_text("not finished yet")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Step by step")).to_be_visible()


def test_a_random_character_is_named_kept_and_added(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The naming", "stage")
    page = sits(table, "player", "Petra", at="/make/stage", viewport={"width": 1200, "height": 900}).page
    page.get_by_label("Name", exact=True).fill("Old Tom")
    page.get_by_role("button", name="At random").click()
    expect(page.locator(".sheet-title")).to_have_text("Old Tom")
    page.locator("#rename").fill("Jörg")
    page.get_by_role("button", name="Save name").click()
    expect(page.locator(".sheet-title")).to_have_text("Jörg")
    sheet = page.locator(".sheet").inner_text()
    page.goto(f"/c/{table.id}")
    page.locator(".lines .line").first.wait_for()
    page.go_back()
    expect(page.locator(".sheet-title")).to_have_text("Jörg")
    expect(page.locator(".sheet")).to_have_text(sheet, use_inner_text=True)
    page.get_by_role("button", name="Add to the table").click()  # the table where one was is chosen already
    page.wait_for_url(f"**/c/{table.id}")
    assert "Jörg" in [hero["name"] for hero in table.view("gwen", 10**9)["characters"]]
    page.goto("/make/stage")
    expect(page.get_by_role("button", name="Step by step")).to_be_visible()
    expect(page.get_by_text("not finished yet")).to_have_count(0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_table_of_a_printed_sheet_is_cut(visitor: Callable[..., Visitor], system: str) -> None:
    page = visitor(viewport={"width": 703, "height": 1000}).page  # A4 without its margins
    page.goto(f"/make/{system}")
    page.locator(".ready button").first.click()
    page.locator(".sheet").wait_for()
    page.emulate_media(media="print")
    cut = "one => one.querySelector('table').getBoundingClientRect().width - one.getBoundingClientRect().width"
    for box in page.locator(".sheet .scroll").all():
        assert box.evaluate(cut) < 1, box.inner_text()
