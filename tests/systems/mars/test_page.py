"""The page on MARS is true: its commands are run in order, and it has what a newcomer needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden.pages import DOCS, all_played, programs_in, words_on

PAGE = DOCS / "systems" / "mars.md"


@pytest.fixture(scope="module")
def commands() -> list[list[str]]:
    """The commands of the page, which are all run and compared first."""
    return words_on(PAGE)


def test_it_leads_from_making_a_character_to_a_fight_and_beyond(commands: list[list[str]]) -> None:
    assert programs_in(commands) == ["odds", "new", "sheet", "check", "fight", "advise", "do"]
    assert any("--seat" in words and "--keep" in words for words in commands)


@pytest.mark.parametrize(
    ("mechanic", "named"),
    [
        ("mars.reroll", "dice"),
        ("mars.attack", "evasion"),
        ("mars.attack_routine", "penalty"),
        ("mars.attack_routine", "improvised"),
    ],
)
def test_it_gives_the_four_pieces_of_advice(commands: list[list[str]], mechanic: str, named: str) -> None:
    asked = [words for words in commands if words[:2] == ["advise", mechanic]]
    assert any(word.startswith(f"{named}=") for words in asked for word in words)


def test_what_is_left_to_the_game_master_is_said() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "## What is left to the game master" in text
    assert len(text.splitlines()) < 600


def test_what_has_been_played_leaves_nothing_out() -> None:
    played = all_played(PAGE)
    assert {"actions", "events", "conditions", "options", "weapons", "maneuvers", "talents"} <= set(played)
    assert all(played.values()), played


def test_the_pages_it_names_are_there() -> None:
    assert (PAGE.parent / "../playing.md").is_file()
    assert (Path(__file__).parents[3] / "src/tablewright/systems/mars/README.md").is_file()
