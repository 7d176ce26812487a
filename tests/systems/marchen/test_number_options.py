"""Options that are numbers, at both ends."""

from __future__ import annotations

import pytest

from systems.playing import takes
from tablewright.systems.marchen.options import MarchenOptions


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        pytest.param("max_helpers", 0, 10, marks=pytest.mark.rule("marchen.aid.limit")),
    ],
)
def test_a_number_is_taken_up_to_its_ends(name: str, low: int, high: int) -> None:
    tried = [low - 1, low, high, high + 1]
    assert [takes(MarchenOptions, name, value) for value in tried] == [False, True, True, False]
