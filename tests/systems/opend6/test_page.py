"""The page on OpenD6 is true: its commands are run in order, and it has what a newcomer needs."""

from __future__ import annotations

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


def test_it_leads_from_a_die_code_to_a_character_and_its_advancement(commands: list[list[str]]) -> None:
    met = [words[0] for words in commands]
    assert {"odds", "advise", "new", "sheet", "check", "do"} <= set(met)


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
