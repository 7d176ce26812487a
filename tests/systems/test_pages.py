"""The pages on the systems are true: their commands are run in order, and they have what a newcomer needs."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from each_case import each_case
from golden.pages import DOCS, programs_in, words_on

SOURCES = DOCS.parent / "src" / "tablewright" / "systems"


class Page(NamedTuple):
    """Commands on the page of a system, in this order; the ones it advises on."""

    programs: str
    advice: dict[str, str] = {}
    judge: str = "game master"


PAGES = {
    "marchen": Page(
        "odds advise new sheet do check fight",
        {"which_core": "", "take_time": "", "lead": "", "order_tasks": "", "strike": ""},
        "Referee",
    ),
    "mars": Page(
        "odds new sheet check fight advise do",
        {"reroll": "dice", "attack": "evasion", "attack_routine": "penalty improvised"},
    ),
    "opend6": Page(
        "odds advise new sheet check do fight",
        {"improved_check": "", "attempt": ""},
    ),
    "stage": Page(
        "odds advise new sheet check fight do",
        {"leveled": "difficulty", "opposed_leveled": "opposing", "attack": "defences forms", "shooting": "dodge"},
    ),
}


@cache
def commands(system: str) -> list[list[str]]:
    """The commands of a page, which are all run and compared first."""
    return words_on(DOCS / "systems" / f"{system}.md")


def advised(system: str, mechanic: str) -> list[list[str]]:
    """The words of every command that asks for advice on a mechanic."""
    return [words for words in commands(system) if words[:2] == ["advise", f"{system}.{mechanic}"]]


@pytest.mark.parametrize("system", PAGES)
def test_it_leads_from_the_first_odds_to_a_fight_and_beyond(system: str) -> None:
    assert programs_in(commands(system)) == PAGES[system].programs.split()
    assert any("--seat" in words and "--keep" in words for words in commands(system))


@each_case(("system", "mechanic"), [(name, each) for name, page in PAGES.items() for each in page.advice])
def test_it_gives_every_piece_of_advice(system: str, mechanic: str) -> None:
    asked = advised(system, mechanic)
    assert asked
    for named in PAGES[system].advice[mechanic].split():
        assert any(word.startswith(f"{named}=") for words in asked for word in words), named


@pytest.mark.parametrize("system", PAGES)
def test_it_says_what_is_left_to_the_game_master(system: str) -> None:
    page = DOCS / "systems" / f"{system}.md"
    assert f"## What is left to the {PAGES[system].judge}" in page.read_text(encoding="utf-8")
    assert (SOURCES / system / "README.md").is_file()


def test_the_page_on_renaissance_leads_from_a_roll_to_a_character() -> None:
    assert set(programs_in(commands("renaissance"))) >= {"odds", "advise", "new", "sheet", "check", "do"}
    assert any(words[:2] == ["odds", "renaissance.opposed"] for words in commands("renaissance"))


def test_the_page_on_opend6_shows_what_every_consequence_of_a_critical_failure_costs() -> None:
    text = (DOCS / "systems" / "opend6.md").read_text(encoding="utf-8")
    assert len([words for words in commands("opend6") if words[:2] == ["odds", "opend6.check"]]) == 4
    successes = [line for line in text.splitlines() if line.startswith("success: ")]
    adds_up, cancels, both_dropped, one_kept = [float(line.split()[1].rstrip("%")) for line in successes[:4]]
    assert adds_up > cancels
    assert both_dropped < one_kept
    assert "4501/7776" in text
    assert "4165/7776" in text


@pytest.mark.parametrize("mechanic", ["several_actions", "choose_defence", "prepare_or_act", "fate_now_or_later"])
def test_the_page_on_opend6_shows_each_advice_where_it_is_this_and_where_it_is_that(mechanic: str) -> None:
    assert len(advised("opend6", mechanic)) == 2
