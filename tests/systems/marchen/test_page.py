"""The page on Märchen Engine is true: its commands are run in order, and it has what a newcomer needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden.pages import DOCS, all_played, programs_in, words_on

PAGE = DOCS / "systems" / "marchen.md"


@pytest.fixture(scope="module")
def commands() -> list[list[str]]:
    """The commands of the page, which are all run and compared first."""
    return words_on(PAGE)


def test_it_leads_from_making_a_character_to_a_fight_and_beyond(commands: list[list[str]]) -> None:
    assert programs_in(commands) == ["odds", "advise", "new", "sheet", "do", "check", "fight"]
    assert any("--seat" in words and "--keep" in words for words in commands)


@pytest.mark.parametrize("mechanic", ["which_core", "take_time", "lead", "order_tasks", "strike"])
def test_it_gives_every_piece_of_advice(commands: list[list[str]], mechanic: str) -> None:
    assert any(words[:2] == ["advise", f"marchen.{mechanic}"] for words in commands)


def test_what_is_left_to_the_referee_is_said() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "## What is left to the Referee" in text
    assert len(text.splitlines()) < 600


def test_what_has_been_played_leaves_nothing_out() -> None:
    played = all_played(PAGE)
    assert {"actions", "events", "conditions", "options", "weapons", "processes", "activities"} <= set(played)
    assert all(played.values()), played


def test_the_pages_it_names_are_there() -> None:
    assert (PAGE.parent / "../playing.md").is_file()
    assert (Path(__file__).parents[3] / "src/tablewright/systems/marchen/README.md").is_file()
