"""Options that are numbers, at both ends."""

from __future__ import annotations

import pytest

from systems.playing import takes
from tablewright.systems.opend6.options import OpenD6Options


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        pytest.param("fate.several_skills", 1, 20, marks=pytest.mark.rule("opend6.fate.experience_restrictions")),
        pytest.param("untrained.modifier", 0, 30, marks=pytest.mark.rule("opend6.untrained.modifier")),
        pytest.param("difficulty.floor", 1, 15, marks=pytest.mark.rule("opend6.modifier.generic")),
        pytest.param("modifier.roleplaying", -5, 0, marks=pytest.mark.rule("opend6.modifier.roleplaying")),
        pytest.param("retry.small_shortfall_max", 0, 50, marks=pytest.mark.rule("opend6.retry.consequences")),
        pytest.param("retry.difficulty_step", 0, 50, marks=pytest.mark.rule("opend6.retry.consequences")),
    ],
)
def test_a_number_is_taken_up_to_its_ends(name: str, low: int, high: int) -> None:
    tried = [low - 1, low, high, high + 1]
    assert [takes(OpenD6Options, name, value) for value in tried] == [False, True, True, False]
