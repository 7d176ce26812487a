"""Journey 2: know the odds."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from conformance.places import at_length
from tablewright.engine import odds
from tablewright.game.system.registry import find_mechanic, load_system
from web.browsing import Visitor, settle

FIELDS = r"[a-z]+_[a-z]+|->|degree (success|failure|yes|no)|worth [+−-]?\d|bot:"
"""Names of fields and ids, as no page shows them."""

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")


def exact(page: Page, column: int = 1) -> dict[str, Fraction]:
    """The chances as the table shows them."""
    rows = page.locator("#chances tbody tr").all()
    return {row.locator("th").inner_text(): Fraction(row.locator("code").nth(column - 1).inner_text()) for row in rows}


def ask(rule: str, **more: object) -> str:
    """The address of a whole question."""
    return f"/odds?q={quote(json.dumps({'rule': rule, **more}))}"


def test_the_exact_curve_a_second_setting_and_a_link_that_holds_the_question(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1200, "height": 900})
    page = one.page
    page.goto(ask("mars.check", a={"roll_value": "r16", "difficulty": 10}))
    expect(page.locator("#chances tbody tr")).to_have_count(3)
    wanted = odds(find_mechanic("mars.check").read({"roll_value": "r16", "difficulty": 10}))
    assert exact(page) == {outcome.value: wanted[outcome] for outcome in wanted}
    page.locator("canvas").wait_for()
    # the fraction of what one points at
    plot = page.locator(".u-over")
    box = plot.bounding_box()
    assert box is not None
    plot.hover(position={"x": box["width"] / 2, "y": box["height"] / 2})
    shown = wanted[next(outcome for outcome in wanted if outcome.value == "graze")]
    expect(page.locator(".u-legend")).to_contain_text(f"= {shown}")
    # a slider changes the curve at once
    page.get_by_label("Difficulty, slider").first.fill("12")
    expect(page.locator("#chances tbody tr", has_text="failure")).to_contain_text("1/6")
    # at least: degrees from the worst up
    page.get_by_role("radio", name="at least").check(force=True)
    expect(page.locator("#chances tbody tr").first).to_contain_text("≥ failure")
    assert exact(page)["≥ failure"] == 1
    # beside it a second setting
    page.get_by_role("radio", name="other numbers").check(force=True)
    second = page.get_by_role("group", name="Compared with")
    second.get_by_label("Difficulty", exact=True).fill("8")
    expect(page.locator("#chances thead")).to_contain_text("Points")
    expect(page.locator("#chances tbody tr", has_text="≥ success")).to_contain_text("13/20")
    assert exact(page, 2)["≥ failure"] == 1  # also where an outcome cannot come at all
    one.picture("odds")
    # the link holds everything
    held = json.loads(parse_qs(urlsplit(page.url).query)["q"][0])
    assert held["b"]["difficulty"] == 8
    again = visitor().page
    again.goto(page.url)
    expect(again.locator("#chances tbody tr", has_text="≥ success")).to_contain_text("13/20")
    assert exact(again, 2) == exact(page, 2)


def test_the_best_choice_is_marked_and_the_numbers_can_be_taken_along(
    visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    one = visitor(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = one.page
    page.goto(ask("stage.leveled", a={"dice": 4, "difficulty": 8}))
    expect(page.locator("li.best")).to_contain_text("3")
    expect(page.locator("li.best")).to_contain_text("best")
    with page.expect_download() as coming:
        page.get_by_role("button", name="CSV").click()
    coming.value.save_as(tmp_path / "odds.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "odds.csv").read_text())))
    assert sum(Fraction(row[2]) for row in rows[1:]) == 1
    with page.expect_download() as picture:
        page.get_by_role("button", name="PNG").click()
    picture.value.save_as(tmp_path / "odds.png")
    assert (tmp_path / "odds.png").read_bytes().startswith(b"\x89PNG")
    assert not one.is_wide()


def test_any_dice_and_what_is_refused(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto(ask("", a={}, dice="2d4"))
    expect(page.locator("#chances tbody tr")).to_have_count(7)
    field = page.get_by_label("Type your own dice")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    field.fill("2x")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("2d6")
    expect(page.locator("#chances tbody tr")).to_have_count(11)
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_house_rule_is_laid_over_the_curve(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1200, "height": 900})
    page = one.page
    page.goto(ask("mars.contest", a={"a": "r16", "b": "r14"}))
    page.locator("#chances tbody tr").first.wait_for()
    page.get_by_role("radio", name="a house rule").check(force=True)
    page.locator("#house").select_option("contest_tie")
    expect(page.locator("#chances thead")).to_contain_text("Contest tie: reroll")
    expect(page.locator("#chances thead")).to_contain_text("Contest tie: no winner")
    for column, value in ((1, "no_winner"), (2, "reroll")):
        wanted = odds(find_mechanic("mars.contest").read({"a": "r16", "b": "r14", "contest_tie": value}))
        own: dict[str, Fraction] = defaultdict(Fraction)
        for outcome, chance in wanted.fractions():
            own[outcome.a.value] += chance
        assert exact(page, column) == own
    assert one.flaws() == []
    one.picture("odds-house-rule")
    # the link holds it
    held = json.loads(parse_qs(urlsplit(page.url).query)["q"][0])
    assert held["house"] == {"option": "contest_tie", "value": "reroll"}
    shown = exact(page, 2)
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(page.locator("#chances thead")).to_contain_text("Contest tie: reroll")
    assert exact(page, 2) == shown
    assert not one.is_wide()


def test_a_house_rule_that_changes_another_roll_leads_there(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto(ask("mars.check", a={"roll_value": "r16", "difficulty": 10}))
    page.locator("#chances tbody tr").first.wait_for()
    page.get_by_role("radio", name="a house rule").check(force=True)
    page.locator("#house").select_option("passive_rolls")
    expect(page.get_by_text("It does not change this roll.")).to_be_visible()
    expect(page.locator("#chances thead")).not_to_contain_text("Points")
    page.get_by_role("button", name="Show the roll that it changes").click()
    # an opposed roll beside one against a number: another rule is played under the option
    expect(page.get_by_role("button", name="Opposed")).to_be_visible()
    expect(page.locator("#chances thead")).to_contain_text("Passive rolls: npc defence")
    wanted = odds(find_mechanic("mars.check").read({"roll_value": "r16", "difficulty": 7}))
    expect(page.locator("#chances tbody tr", has_text="graze")).to_contain_text("1/4")
    told = exact(page, 2)
    assert {outcome.value: wanted[outcome] for outcome in wanted if wanted[outcome]} == {
        name: chance for name, chance in told.items() if chance
    }
    assert page.locator("#house option[value=delay_persists]").is_disabled()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_roll_of_a_game_opens_without_a_complaint(visitor: Callable[..., Visitor], system: str) -> None:
    """The game is chosen before the roll; a form that no one has touched shows no error."""
    one = visitor(viewport={"width": 1440, "height": 900})
    page = one.page
    page.goto(f"/odds?system={system}")
    page.locator("#chances").wait_for()
    title = load_system(system).title
    expect(page.get_by_role("button", name=title)).to_be_visible()
    for mechanic in load_system(system).mechanics[:: 1 if at_length() else 8]:
        page.goto(f"/odds?rule={mechanic.name}")
        page.locator("#chances, .banner").first.wait_for()
        expect(page.locator("[aria-invalid=true], [role=alert]")).to_have_count(0)
        seen = page.locator("main").inner_text()
        assert not re.search(FIELDS, seen), mechanic.name


def test_omissions_are_told(visitor: Callable[..., Visitor]) -> None:
    """Dice that may go on for ever have outcomes that are too rare to list: their share is told."""
    page = visitor().page
    page.goto(ask("", a={}, dice="3d6!"))
    expect(page.get_by_text("Rarer outcomes")).to_be_visible()


def test_odds_suit_everybody(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1440, "height": 900})
    page = one.page
    page.goto(ask("opend6.check", a={"code": "4D+1", "difficulty": 15}))
    page.locator("canvas").wait_for()
    looks: tuple[tuple[int, int, Literal["light", "dark"]], ...]
    looks = ((1440, 900, "light"), (390, 844, "dark"), (320, 640, "light"))
    for width, height, scheme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mode", scheme)
        settle(page)
        assert not one.is_wide()
        assert (width != 390 and not at_length()) or one.flaws() == []
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_role("menuitemradio").first).to_be_focused()
        assert (width != 1440 and not at_length()) or one.flaws() == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Check")).to_be_focused()
