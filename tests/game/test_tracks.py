"""Tracks: what is left, what is kept, and how it looks to others."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace as Values

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.game.play.tracks import describe_level, remaining, to_saved

NAMES = ("health", "luck")


@pytest.mark.parametrize(("kept", "left"), [(None, 10), (0, 0), (-3, -3), (9, 9), (10, 10), (14, 10)])
def test_state_left_on_arrival(kept: int | None, left: int) -> None:
    found = remaining(Values(health=kept, luck=None), Values(health=10, luck=2), NAMES)
    assert found == {"health": left, "luck": 2}


@pytest.mark.parametrize(("left", "kept"), [(10, None), (11, None), (9, 9), (0, 0), (-4, -4)])
def test_state_kept_on_leaving(left: int, kept: int | None) -> None:
    assert to_saved(Values(health=left, luck=1), Values(health=10, luck=2), NAMES) == {"health": kept, "luck": 1}


def test_a_character_who_was_well_has_all_of_a_higher_maximum() -> None:
    kept = Values(**to_saved(Values(health=10, luck=1), Values(health=10, luck=2), NAMES))
    assert remaining(kept, Values(health=12, luck=4), NAMES) == {"health": 12, "luck": 1}


@given(st.integers(-9, 9), st.integers(0, 9))
def test_leaving_and_coming_again_changes_nothing(left: int, most: int) -> None:
    now, highest = Values(luck=min(left, most)), Values(luck=most)
    assert remaining(Values(**to_saved(now, highest, ["luck"])), highest, ["luck"]) == {"luck": now.luck}


def test_look_of_the_page() -> None:
    words: dict[int | Fraction, str] = {Fraction(1, 2): "hurt", 0: "down", Fraction(1, 4): "badly hurt"}
    seen = [describe_level(left, 9, words, "well") for left in (-2, 0, 1, 2, 3, 4, 5, 9)]
    assert seen == ["down", "down", "badly hurt", "badly hurt", "hurt", "hurt", "well", "well"]
