"""Making a character as somebody who has never done it: every system, on a phone, by keyboard, and what goes wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from server.serving import Served
from tablewright.game.character.character import read_character
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from web.browsing import Visitor, unfold
from web.drafts import draft, resume
from web.test_first import SYSTEMS

PHONE = {"width": 390, "height": 844}
MOST_STEPS = 150
IDS = re.compile(r"[a-z]_[a-z]|[a-z]\.[a-z]|\b(skill|class|trait|power|special|disadvantage):[a-z]")
"""Pattern of an id where a name should stand."""


def settled(page: Page) -> None:
    """Wait until something can be chosen, or the character is made."""
    page.wait_for_function(
        "() => document.querySelector('.sheet') || document.querySelector('.option:not([disabled])')"
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_is_finished_on_a_phone_and_says_what_was_chosen(
    visitor: Callable[..., Visitor], tmp_path: Path, system: str
) -> None:
    """A step back leads to the question before, closed options say why, and what was made can be taken along."""
    one = visitor(viewport=PHONE)
    page = one.page
    page.goto(f"/make/{system}")
    page.get_by_label("Name", exact=True).fill("Isolde")
    page.get_by_role("button", name="Step by step").click()
    settled(page)
    heading = page.locator("#making-heading")
    first = heading.inner_text()
    page.locator(".option").first.click()
    page.wait_for_url("**?at=1")
    page.get_by_role("button", name="Back", exact=True).click()
    page.wait_for_url("**?at=0")
    expect(heading).to_have_text(first)
    seen: set[str] = set()
    seen_closed = False
    for number in range(MOST_STEPS):
        settled(page)
        if page.locator(".sheet").count():
            break
        asked = page.locator("#making-heading").inner_text()
        options = page.locator(".option:not(.main)")
        if asked not in seen:
            seen.add(asked)
            expect(page.locator("#making-heading")).to_be_in_viewport()
            assert not one.is_wide(), asked
            for summary in page.locator("details.closed:not([open]) summary").all():
                summary.click()
            if not seen_closed and page.locator("details.closed").count():
                seen_closed = True
                expect(page.locator("details.closed li .chip").first).to_be_visible()
                assert one.flaws() == []
            found = page.locator(".making").inner_text()
            assert not IDS.search(found), (asked, IDS.search(found))
        done = page.locator(".option.main")
        if done.count() and (number > 12 or options.count() == 0):
            done.click()
            continue
        chosen = options.nth(number % options.count())
        label = chosen.locator(".name > span").first.inner_text().split("\n")[0]
        chosen.click()
        settled(page)
        if page.locator("aside").count():
            # an option begins with a capital letter, which what was chosen has only at the beginning of a line
            expect(page.locator("aside")).to_contain_text(label, ignore_case=True)
    expect(page.locator(".sheet-title")).to_have_text("Isolde")
    assert seen_closed
    expect(page.get_by_text("Everything is within the rules.")).to_be_visible()
    expect(page.locator("#review-heading")).to_be_focused()
    assert not one.is_wide()
    assert one.flaws() == []
    with page.expect_download() as coming:
        page.get_by_role("button", name="JSON").click()
    coming.value.save_as(tmp_path / "isolde.json")
    rules = load_system(system)
    made = read_character(json.loads((tmp_path / "isolde.json").read_text()), rules.rulebook.character).character
    assert rules.rulebook.legality(made, rules.options(), shipped_library(rules)).violations == ()
    with page.expect_download() as text:
        page.get_by_role("button", name="Markdown").click()
    assert text.value.suggested_filename == "isolde.md"


def test_the_same_question_again_leaves_everything_where_it_was(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=PHONE)
    page = one.page
    begun = draft("stage", lambda step: "skill" in step["heading"])
    begun["answers"].pop()
    resume(page, "stage", begun)
    heading = page.locator("#making-heading")
    settled(page)
    expect(heading).to_be_focused()
    page.keyboard.press("Tab")
    while page.evaluate("!document.activeElement.matches('.option')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(heading).to_contain_text("skill")
    settled(page)
    expect(heading).to_be_focused()
    # why one cannot go on yet is said where one would
    expect(page.locator(".left")).to_contain_text("You cannot go on yet: you still need a Body")
    page.get_by_label("Filter").fill("percep")
    option = page.locator(".option", has_text="Perception")
    expect(option).to_have_count(1)
    option.focus()
    before = page.evaluate("scrollY")
    for level in (2, 3):  # three levels, with nothing but Enter
        page.keyboard.press("Enter")
        expect(option).to_contain_text(f"Perception {level}")
        expect(option).to_be_focused()
    expect(page.get_by_label("Filter")).to_have_value("percep")
    assert page.evaluate("scrollY") == before
    expect(page.locator(".left")).to_be_in_viewport()
    page.get_by_label("Filter").fill("nonsense")
    expect(page.get_by_text("Nothing here is called “nonsense”.")).to_be_visible()
    # a step above leads back to it
    page.locator("aside").get_by_role("button", name="Details").click()
    expect(heading).to_have_text("Which race?")
    expect(page.locator("aside")).not_to_contain_text("Perception")


def test_announced_words_count(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=PHONE).page
    page.goto("/make/marchen")
    card = page.get_by_role("region", name="Make your own")
    unfold(page, "More about them")
    card.get_by_label("Culture").fill("The reed people")
    card.get_by_label("Terms").fill("1")
    card.get_by_role("button", name="At random").click()
    expect(page.locator(".sheet")).to_contain_text("The reed people")
    expect(page.locator(".sheet")).to_contain_text("22 years old")
    name = page.locator(".sheet-title").inner_text()
    assert name != "Nobody"
    page.get_by_role("button", name="Another one").click()
    expect(page.locator(".sheet-title")).not_to_have_text(name)
    expect(page.locator(".sheet")).to_contain_text("The reed people")
    # what stands beyond the bounds is refused with the reason, and nothing that was typed is lost
    page.get_by_role("button", name="Start over").click()
    unfold(page, "More about them")
    card.get_by_label("Terms").fill("99")
    card.get_by_role("button", name="At random").click()
    expect(card.get_by_label("Terms")).to_have_value("99")
    expect(page.locator(".sheet")).to_have_count(0)


def test_a_character_is_made_by_the_options_of_its_table(served: Served, sits: Callable[..., Visitor]) -> None:
    options = {"generation": "roll"}
    table = served.store.make_campaign("The cradle", "marchen", game_master="Gwen", options=options).table
    one = sits(table, "player", "Petra", viewport=PHONE)
    page = one.page
    page.goto("/make/marchen")
    expect(page.get_by_label("For which table")).to_have_value(table.id)
    expect(page.get_by_text("Generation: roll")).to_be_visible()
    assert one.flaws() == []
    assert not one.is_wide()
    page.get_by_role("button", name="At random").click()
    expect(page.get_by_text("Everything is within the rules.")).to_be_visible()
    page.get_by_role("button", name="Add to the table").click()
    page.wait_for_url(f"**/c/{table.id}")
    made = [hero["character"] for hero in table.view("gwen", 10**9)["characters"] if hero["seat"] == "petra"]
    assert [hero["generation"] for hero in made] == ["roll"]


def test_nothing_that_was_begun_is_lost_by_a_slip(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport={"width": 1280, "height": 900}).page
    page.goto("/make/opend6")
    page.get_by_label("Name", exact=True).fill("Hanna")
    page.get_by_role("button", name="Step by step").click()
    settled(page)
    page.locator(".option").first.click()
    page.wait_for_url("**?at=1")
    page.goto("/make/opend6")
    asks = page.get_by_role("dialog", name="Leave Hanna behind?")
    for name in ("At random", "Hedda", "Step by step"):
        page.get_by_role("button", name=name).click()
        expect(asks).to_contain_text("What you chose is lost.")
        page.keyboard.press("Escape")
        expect(asks).to_have_count(0)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("aside")).to_contain_text("Calling")
    expect(page.get_by_role("button", name="Another one")).to_have_count(0)


def test_a_file_that_is_refused_says_why_and_where_it_belongs(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=PHONE)
    page = one.page
    page.goto("/make/mars")
    hero = json.dumps({"system": "opend6", "rules": "1.0", "kind": "character", "name": "Sela"})
    for name, text in (("broken.json", "{oops"), ("other.json", hero)):
        page.locator("#character-file").set_input_files(
            {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        )
        expect(page.get_by_role("alert")).to_contain_text(name)
    expect(page.get_by_role("alert")).to_contain_text(f"is a character of {load_system('opend6').title}.")
    assert one.flaws() == []
    page.get_by_role("link", name="Go to OpenD6").click()
    page.wait_for_url("**/make/opend6")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.goto("/make/nonsense")
    expect(page.get_by_role("alert")).to_contain_text('there is no system "nonsense"')
    page.get_by_role("link", name="Choose a game").click()
    expect(page.get_by_role("link", name="OpenD6")).to_be_visible()
