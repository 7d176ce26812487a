"""The pages on The Stage are true: commands are run in order, and every power stands in the list with what it does."""

from __future__ import annotations

import re
import shlex

import pytest

from golden.pages import DOCS, check_page
from systems.stage.people import library
from systems.stage.power_page import PAGE as PAGE_OF_POWERS
from systems.stage.power_page import shown_by, written
from tablewright.systems.stage.powers import Power

PAGE = DOCS / "systems" / "stage.md"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The commands of the page, which are all run and compared first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        return [shlex.split(command)[1:] for command in check_page(PAGE)]


def test_it_leads_from_a_pool_to_a_fight_and_beyond(commands: list[list[str]]) -> None:
    met = list(dict.fromkeys([words[0] for words in commands]))
    assert met == ["odds", "advise", "new", "sheet", "check", "fight", "do"]
    assert any("--seat" in words and "--keep" in words for words in commands)


@pytest.mark.parametrize(
    ("mechanic", "named"),
    [
        ("stage.leveled", "difficulty"),
        ("stage.opposed_leveled", "opposing"),
        ("stage.attack", "defences"),
        ("stage.shooting", "dodge"),
        ("stage.attack", "forms"),
    ],
)
def test_it_gives_the_pieces_of_advice(commands: list[list[str]], mechanic: str, named: str) -> None:
    asked = [words for words in commands if words[:2] == ["advise", mechanic]]
    assert any(word.startswith(f"{named}=") for words in asked for word in words)


def test_what_is_left_to_the_game_master_is_said() -> None:
    assert "## What is left to the game master" in PAGE.read_text(encoding="utf-8")


def test_what_has_been_played_leaves_nothing_out() -> None:
    played = PAGE.read_text(encoding="utf-8").partition("## What has been played")[2]
    counts = re.findall(r"^\| ([a-z ]+) \| (\d+) of (\d+) \|", played, re.MULTILINE)
    assert {"actions", "events", "conditions", "options", "powers", "weapons", "spells"} <= {
        kind for kind, _, _ in counts
    }
    assert [kind for kind, occurred, there in counts if occurred != there] == []


def test_the_list_of_powers_says_what_each_changes_and_which_test_shows_it() -> None:
    assert PAGE_OF_POWERS.read_text(encoding="utf-8") == written(), "python -m systems.stage.power_page writes it anew"
    assert len(library().of(Power)) == 288 + 63
    assert [one.id for one in library().of(Power) if not shown_by(one)] == []
