"""The pages on The Stage are true: commands are run in order, and every power stands in the list with what it does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from golden.pages import DOCS, check_page
from systems.stage.people import library
from tablewright.systems.stage.character.sheet import cost_words
from tablewright.systems.stage.powers import Power

PAGE = DOCS / "systems" / "stage.md"
POWERS = DOCS / "systems" / "stage-powers.md"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The commands of the page, which are all run and compared first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        return [shlex.split(command)[1:] for command in check_page(PAGE)]


def test_it_leads_from_a_pool_to_what_is_learned(commands: list[list[str]]) -> None:
    met = list(dict.fromkeys([words[0] for words in commands]))
    assert [word for word in met if word != "fight"] == ["odds", "advise", "new", "sheet", "check", "do"]


@pytest.mark.parametrize("mechanic", ["stage.leveled", "stage.opposed_leveled"])
def test_it_gives_advice_on_splits(commands: list[list[str]], mechanic: str) -> None:
    assert any(words[:2] == ["advise", mechanic] for words in commands)


def rows_of(page: Path) -> list[list[str]]:
    """The rows of the tables of a page, cell by cell."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if row[0] != "Power" and not re.fullmatch(r"-+", row[0])]


def test_every_power_is_listed_with_what_it_changes_and_the_rule_whose_tests_show_it() -> None:
    listed = {row[0]: row[1:] for row in rows_of(POWERS)}
    assert len(listed) == len(library().of(Power)) == 351
    for one in library().of(Power):
        skill = one.skill.replace("_", " ")
        assert listed[one.name] == [f"{skill} {one.tier}", one.when, cost_words(one), one.does, f"`{one.rule}`"]


def test_every_rule_of_the_list_has_a_test_that_is_marked_with_it() -> None:
    tests = "".join([file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py")])
    marked = set(re.findall(r"stage\.power_effect\.[a-z_]+", tests))
    missing = {row[-1].strip("`") for row in rows_of(POWERS)} - marked
    # the powers that are used in encounters are tested with them
    assert not {rule for rule in missing if rule.removeprefix("stage.power_effect.") in PASSIVE}


PASSIVE = (
    "assist_cap",
    "assist_untrained",
    "skill_die",
    "skill_level_flat",
    "item_bonus",
    "stat_bonus",
    "ignore_encumbrance",
    "ignore_disability",
    "normal_move_cost",
    "time_factor",
    "no_penalty",
    "grant_ability",
    "sacrifice_potency",
    "focus",
    "ap_cost",
    "swap_cost",
    "substitute_skill",
    "share_power",
    "bestow",
    "more_targets",
    "bonus_cap_up",
    "range_double",
)
