"""The page on OpenD6 is true: its commands are run in order, and it has what a newcomer needs."""

from __future__ import annotations

import re
import shlex

import pytest

from golden.pages import DOCS, check_page

PAGE = DOCS / "systems" / "opend6.md"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The commands of the page, which are all run and compared first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        return [shlex.split(command)[1:] for command in check_page(PAGE)]


def test_it_leads_from_a_die_code_to_a_character_a_fight_and_beyond(commands: list[list[str]]) -> None:
    met = list(dict.fromkeys([words[0] for words in commands]))
    assert met == ["odds", "advise", "new", "sheet", "check", "fight", "do"]
    assert any("--seat" in words and "--keep" in words for words in commands)


def test_it_shows_what_every_consequence_of_a_critical_failure_costs(commands: list[list[str]]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "4501/7776" in text
    asked = [words for words in commands if words[0] == "odds"]
    assert len(asked) == 4
    successes = [line for line in text.splitlines() if line.startswith("success: ")]
    adds_up, cancels, both_dropped, one_kept = [float(line.split()[1].rstrip("%")) for line in successes[:4]]
    assert adds_up > cancels
    assert both_dropped < one_kept
    assert 4501 - 4165 == 336
    assert "4165/7776" in text


def test_it_gives_advice_about_points(commands: list[list[str]]) -> None:
    asked = {words[1] for words in commands if words[0] == "advise"}
    assert {"opend6.improved_check", "opend6.attempt"} <= asked


@pytest.mark.parametrize(
    "mechanic",
    ["opend6.several_actions", "opend6.choose_defence", "opend6.prepare_or_act", "opend6.fate_now_or_later"],
)
def test_each_advice_is_shown_where_it_is_this_and_where_it_is_that(commands: list[list[str]], mechanic: str) -> None:
    asked = [words for words in commands if words[:2] == ["advise", mechanic]]
    assert len(asked) == 2


def test_what_is_left_to_the_game_master_is_said() -> None:
    assert "## What is left to the game master" in PAGE.read_text(encoding="utf-8")


def test_what_has_been_played_leaves_nothing_out() -> None:
    played = PAGE.read_text(encoding="utf-8").partition("## What has been played")[2]
    counts = re.findall(r"^\| ([a-z]+) \| (\d+) of (\d+) \|", played, re.MULTILINE)
    assert {"actions", "events", "conditions", "options", "weapons", "manoeuvres", "abilities"} <= {
        kind for kind, _, _ in counts
    }
    assert [kind for kind, occurred, there in counts if occurred != there] == []
