"""Options that are numbers, at both ends."""

from __future__ import annotations

import pytest

from systems.playing import takes
from tablewright.systems.renaissance.options import RenaissanceOptions


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        pytest.param("shifts_per_day", 0, 3, marks=pytest.mark.rule("renaissance.mode.down_time_gm")),
    ],
)
def test_a_number_is_taken_up_to_its_ends(name: str, low: int, high: int) -> None:
    tried = [low - 1, low, high, high + 1]
    assert [takes(RenaissanceOptions, name, value) for value in tried] == [False, True, True, False]
