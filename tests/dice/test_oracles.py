"""icepool and dyce, two libraries by other people, give the same distributions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import icepool
import pytest
from dyce import H, P, expand
from hypothesis import given, settings
from hypothesis import strategies as st

from each_case import each_case
from tablewright.dice import BestOf, Die, Dist, Exploding, Keep, PoolHighest, PoolShowing, Sum


def chances(found: Any) -> dict[Any, Fraction]:
    """A distribution of any library."""
    items = {
        tuple(outcome) if isinstance(outcome, tuple) else outcome: int(weight) for outcome, weight in found.items()
    }
    total = sum(items.values())
    return {outcome: Fraction(weight, total) for outcome, weight in items.items() if weight}


SIDES = (1, 2, 3, 6, 10, 20)


@each_case("sides", SIDES)
@each_case("count", [1, 2, 5, 13, 40])
def test_sums(count: int, sides: int) -> None:
    ours = chances(Sum.copies(count, Die(sides)).weigh())
    assert ours == chances(count @ icepool.d(sides))
    assert ours == chances(count @ H(sides))


def test_sums_of_mixed_dice() -> None:
    ours = chances(Sum.of(4, 6, 6, 12, 20, plus=-3).weigh())
    assert ours == chances(icepool.d4 + 2 @ icepool.d6 + icepool.d12 + icepool.d20 - 3)
    assert ours == chances(H(4) + 2 @ H(6) + H(12) + H(20) - 3)


def pools() -> Iterator[tuple[int, int, int]]:
    for count, sides in ((2, 20), (4, 6), (5, 10), (7, 4), (12, 6), (20, 10)):
        for keep in sorted({1, 2, count // 2, count - 1}):
            yield count, sides, keep


@each_case(("count", "sides", "keep"), list(pools()))
def test_keeping(count: int, sides: int, keep: int) -> None:
    highest = chances(Keep(count, Die(sides), keep).weigh())
    lowest = chances(Keep(count, Die(sides), keep, highest=False).weigh())
    assert highest == chances(icepool.d(sides).highest(count, keep))
    assert lowest == chances(icepool.d(sides).lowest(count, keep))
    if count <= 7:
        assert highest == chances((count @ P(sides)).at(slice(-keep, None)))
        assert lowest == chances((count @ P(sides)).at(slice(keep)))


@each_case("depth", [0, 1, 6, 20])
@each_case("sides", [2, 4, 6, 10])
def test_explosions(sides: int, depth: int) -> None:
    assert chances(Exploding(Die(sides), on=sides, most=depth).weigh()) == chances(
        icepool.d(sides).explode(depth=depth) if depth else icepool.d(sides)
    )


def test_explosions_on_several_faces() -> None:
    ours = chances(Exploding(Die(6), on=5, most=7).weigh())
    assert ours == chances(icepool.d6.explode([5, 6], depth=7))


@pytest.mark.parametrize("times", [1, 2, 5])
def test_the_best_and_the_worst_of_several_rolls(times: int) -> None:
    two = 2 @ icepool.d6
    assert chances(BestOf(Sum.of(6, 6), times).weigh()) == chances(two.highest(times))
    assert chances(BestOf(Sum.of(6, 6), times, highest=False).weigh()) == chances(two.lowest(times))


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (3, 6), (4, 10), (6, 4)])
def test_pools_with_their_highest_face_and_with_any_one(count: int, sides: int) -> None:
    rolls = icepool.d(sides).pool(count).expand()
    assert chances(PoolHighest(count, Die(sides)).weigh()) == chances(
        rolls.map(lambda faces: (sum(faces), max(faces)), star=False)
    )
    assert chances(PoolShowing(count, Die(sides)).weigh()) == chances(
        rolls.map(lambda faces: (sum(faces), 1 in faces), star=False)
    )


weights = st.dictionaries(st.integers(-20, 20), st.integers(1, 20), min_size=1, max_size=6)


@given(weights, weights)
@settings(max_examples=25, deadline=None)
def test_arithmetic_and_comparison(one: dict[int, int], other: dict[int, int]) -> None:
    ours, theirs = Dist(one), Dist(other)
    ice_one, ice_other = icepool.Die(one), icepool.Die(other)
    assert chances(ours + theirs) == chances(ice_one + ice_other) == chances(H(one) + H(other))
    assert chances(ours - theirs) == chances(ice_one - ice_other) == chances(H(one) - H(other))
    assert chances(ours * theirs) == chances(ice_one * ice_other) == chances(H(one) * H(other))
    assert chances(ours.compare(theirs)) == chances(ice_one.cmp(ice_other))
    assert ours.mean == Fraction(ice_one.mean())
    assert ours.variance == Fraction(ice_one.variance())


@pytest.mark.filterwarnings("ignore:`expand` is experimental")
@given(weights, st.integers(-20, 20), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_rerolls_and_conditions(table: dict[int, int], least: int, depth: int) -> None:
    ours, ice = Dist(table), icepool.Die(table)
    if ours.at_least(least):  # where every outcome is unwanted, icepool divides by zero
        limited = ice.reroll(lambda outcome: outcome < least, depth=depth)
        assert chances(ours.reroll(lambda outcome: outcome < least, depth)) == chances(limited)
        assert chances(ours.given(lambda outcome: outcome >= least)) == chances(
            ice.reroll(lambda outcome: outcome < least, depth="inf")
        )
        if least > -20:
            again = expand(lambda r: r.h if r.outcome < least else r.outcome, H(table))
            assert chances(ours.reroll(lambda outcome: outcome < least)) == chances(again)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5, unique=True), st.integers(1, 6))
@settings(max_examples=15, deadline=None)
def test_repeated_sums_of_uneven_dice(faces: list[int], count: int) -> None:
    uneven = {face: face + 1 for face in faces}
    assert chances(Dist(uneven).times(count)) == chances(count @ icepool.Die(uneven)) == chances(count @ H(uneven))
