"""Options that are numbers, at both ends."""

from __future__ import annotations

import pytest

from systems.playing import takes
from tablewright.systems.stage.options import StageOptions


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        pytest.param("max_increments", 1, 100, marks=pytest.mark.rule("stage.equipment.range_increment")),
        pytest.param("replacement_deficit", 0, 1000, marks=pytest.mark.rule("stage.guidance.death")),
        pytest.param("starting_points", 120, 100_000, marks=pytest.mark.rule("stage.character.point_budget")),
    ],
)
def test_a_number_is_taken_up_to_its_ends(name: str, low: int, high: int) -> None:
    tried = [low - 1, low, high, high + 1]
    assert [takes(StageOptions, name, value) for value in tried] == [False, True, True, False]
