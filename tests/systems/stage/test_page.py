"""The pages on The Stage are true: commands are run in order, and every power stands in the list with what it does."""

from __future__ import annotations

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


def test_it_leads_from_a_pool_to_what_is_learned(commands: list[list[str]]) -> None:
    met = list(dict.fromkeys([words[0] for words in commands]))
    assert [word for word in met if word != "fight"] == ["odds", "advise", "new", "sheet", "check", "do"]


@pytest.mark.parametrize("mechanic", ["stage.leveled", "stage.opposed_leveled"])
def test_it_gives_advice_on_splits(commands: list[list[str]], mechanic: str) -> None:
    assert any(words[:2] == ["advise", mechanic] for words in commands)


def test_the_list_of_powers_says_what_each_changes_and_which_test_shows_it() -> None:
    assert PAGE_OF_POWERS.read_text(encoding="utf-8") == written(), "python -m systems.stage.power_page writes it anew"
    assert len(library().of(Power)) == 288 + 63
    assert [one.id for one in library().of(Power) if not shown_by(one)] == []
