"""Options that are numbers, at both ends."""

from __future__ import annotations

import pytest

from systems.playing import takes
from tablewright.systems.mars.options import MarsOptions


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        pytest.param("basic_skill_seconds", 0, 6, marks=pytest.mark.rule("mars.check.duration")),
        pytest.param("complex_skill_seconds", 2, 86_400, marks=pytest.mark.rule("mars.check.duration")),
    ],
)
def test_a_number_is_taken_up_to_its_ends(name: str, low: int, high: int) -> None:
    tried = [low - 1, low, high, high + 1]
    assert [takes(MarsOptions, name, value) for value in tried] == [False, True, True, False]
