"""Every dice object is held against all its rolls, thrown one by one through its own `read`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from each_case import each_case
from tablewright.dice import BestOf, Die, Dist, Exploding, Keep, PoolHighest, PoolShowing, Rollable, Sum
from tablewright.dice import weights as tables
from tablewright.dice.rollable import MOST_DICE, check_dice
from tablewright.dice.source import MOST_SIDES
from tablewright.errors import InvalidInputError


class NeedsAnother(Exception):
    """The faces given so far are used up."""

    def __init__(self, die: Die) -> None:
        self.die = die


def every_roll(rollable: Rollable[Any]) -> dict[Any, Fraction]:
    """The chance of each outcome, by throwing every possible sequence of faces, however long each is."""
    found: dict[Any, Fraction] = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        left = list(reversed(faces))

        def face(die: Die, left: list[int] = left) -> int:
            if not left:
                raise NeedsAnother(die)
            return left.pop()

        try:
            outcome = rollable.read(face)
        except NeedsAnother as needed:
            die = needed.die
            waiting += [((*faces, shown), chance / die.sides) for shown in range(die.low, die.high + 1)]
        else:
            assert not left, "the roll used fewer faces than it asked for"
            found[outcome] = found.get(outcome, Fraction(0)) + chance
    return found


def assert_weighs_like_all_rolls(rollable: Rollable[Any]) -> None:
    assert dict(rollable.weigh().fractions()) == every_roll(rollable)


small_dice = st.builds(Die, st.integers(1, 5), st.integers(-2, 2))

ROLLABLES: list[Rollable[Any]] = [
    Sum((), 3),
    Sum.of(1, 1),
    Sum.of(6, 6, 6, plus=-2),
    Sum.of(10, 4, plus=1),
    Sum((Die(3, low=-1),) * 4 + (Die(10, low=0),), 2),
    *[Keep(4, Die(5), keep, highest) for keep in range(5) for highest in (True, False)],
    Keep(0, Die(6), 0),
    Keep(6, Die(1), 2),
    Keep(3, Die(4, low=-1), 2, highest=False),
    PoolHighest(0, Die(6)),
    PoolHighest(1, Die(6)),
    PoolHighest(4, Die(5)),
    PoolHighest(3, Die(4, low=0)),
    PoolHighest(3, Die(1)),
    PoolShowing(0, Die(6)),
    PoolShowing(1, Die(6)),
    PoolShowing(4, Die(5)),
    PoolShowing(3, Die(4, low=0)),
    PoolShowing(3, Die(1)),
    Exploding(Die(6), on=6, most=4),
    Exploding(Die(6), on=4, most=3),
    Exploding(Die(6), on=2, most=3),
    Exploding(Die(6), on=6, most=0),
    Exploding(Die(6), on=7, most=3),
    Exploding(Die(4, low=0), on=2, most=4),
    Exploding(Die(4, low=-2), on=0, most=4),
    BestOf(Sum.of(4, 4), 1),
    BestOf(Sum.of(4, 4), 3),
    BestOf(Sum.of(4, 4), 3, highest=False),
    BestOf(Keep(3, Die(3), 2), 2),
    BestOf(Exploding(Die(3), on=3, most=2), 3),
]


@each_case("rollable", ROLLABLES)
def test_the_closed_form_is_that_of_all_rolls(rollable: Rollable[Any]) -> None:
    assert_weighs_like_all_rolls(rollable)


@given(st.lists(small_dice, max_size=5), st.integers(-5, 5))
@settings(max_examples=40, deadline=None)
def test_any_sum(dice: list[Die], plus: int) -> None:
    assert_weighs_like_all_rolls(Sum(tuple(dice), plus))


@given(st.integers(1, 5), small_dice, st.data(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_keep(count: int, die: Die, data: st.DataObject, highest: bool) -> None:
    assert_weighs_like_all_rolls(Keep(count, die, data.draw(st.integers(0, count)), highest))


@given(st.builds(Die, st.integers(2, 5), st.integers(-2, 2)), st.data(), st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_any_explosion(die: Die, data: st.DataObject, most: int) -> None:
    assert_weighs_like_all_rolls(Exploding(die, data.draw(st.integers(die.low + 1, die.high + 1)), most))


# ---------------------------------------------------------------------- laws


@given(st.integers(0, 30), st.integers(1, 20))
def test_keeping_all_is_the_sum_and_keeping_none_is_nothing(count: int, sides: int) -> None:
    die = Die(sides)
    assert Keep(count, die, count).weigh() == Keep(count, die, count, False).weigh() == Sum.copies(count, die).weigh()
    assert Keep(count, die, 0).weigh() == Dist.of(0)


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_the_lowest_mirror_the_highest(count: int, sides: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(1, count))
    mirrored = keep * (sides + 1) - Keep(count, Die(sides), keep, highest=False).weigh()
    assert mirrored == Keep(count, Die(sides), keep).weigh()


@given(st.integers(1, 20), st.integers(1, 20))
def test_keeping_the_highest_is_the_best_of_so_many(count: int, sides: int) -> None:
    best = Keep(count, Die(sides), 1).weigh()
    assert best == BestOf(Sum.of(sides), count).weigh()
    assert best == PoolHighest(count, Die(sides)).weigh().map(lambda shown: shown.highest)


@given(st.integers(0, 8), st.integers(1, 8))
def test_pools_add_up_like_plain_dice(count: int, sides: int) -> None:
    plain = Sum.copies(count, Die(sides)).weigh()
    assert PoolHighest(count, Die(sides)).weigh().map(lambda shown: shown.sum) == plain
    assert PoolShowing(count, Die(sides)).weigh().map(lambda shown: shown.sum) == plain


def test_the_best_of_one_is_the_roll_itself() -> None:
    for highest in (True, False):
        assert BestOf(Sum.of(6, 6), 1, highest).weigh() == Sum.of(6, 6).weigh()


@pytest.mark.parametrize("most", [0, 1, 5, 20])
def test_the_remainder_is_the_chance_that_the_last_throw_explodes_too(most: int) -> None:
    dice = Exploding(Die(6), on=5, most=most)
    assert dice.remainder == Fraction(1, 3) ** (most + 1)
    uncapped = Exploding(Die(6), on=5, most=most + 1).weigh()
    exact = [total for total in dice.weigh() if total < (most + 1) * 5]
    assert all(dice.weigh()[total] == uncapped[total] for total in exact)
    assert Sum.of(6).remainder == 0
    assert BestOf(dice, 3).remainder <= 3 * dice.remainder


def test_dice_objects_are_values() -> None:
    assert Keep(4, Die(6), 3) == Keep(4, Die(6), 3)
    assert hash(Keep(4, Die(6), 3)) == hash(Keep(4, Die(6), 3))
    assert Keep(4, Die(6), 3).weigh() is Keep(4, Die(6), 3).weigh()
    with pytest.raises(AttributeError):
        Sum.of(6).plus = 3  # type: ignore[misc]


def test_large_pools_are_exact() -> None:
    assert Sum.copies(1_000, Die(6)).weigh().mean == 3_500
    assert Sum.copies(1_000, Die(6)).weigh().variance == Fraction(35_000, 12)
    assert sum(Sum.copies(1_000, Die(6)).weigh().weights) == 6**1_000
    assert Keep(20, Die(10), 5).weigh().total == 10**20
    assert Keep(20, Die(10), 5).weigh()[50] == 1 - sum(
        [Fraction(n, 10**20) for n in [9**20, 20 * 9**19, 190 * 9**18, 1140 * 9**17, 4845 * 9**16]]
    )


# ---------------------------------------------------------------------- bounds


@each_case(
    "make",
    [
        lambda: Sum.copies(10**9, Die(6)),
        lambda: Sum.copies(-1, Die(6)),
        lambda: Sum.of(10**6),
        lambda: Sum.of(0),
        lambda: Sum.copies(MOST_DICE + 1, Die(6)),
        lambda: Sum.copies(MOST_DICE, Die(MOST_SIDES)).weigh(),
        lambda: check_dice(True, Die(6)),
        lambda: check_dice(1, Die(6.0)),  # type: ignore[arg-type]
        lambda: Keep(3, Die(6), 4),
        lambda: Keep(3, Die(6), -1),
        lambda: Keep(10**9, Die(6), 3),
        lambda: Keep(2_000, Die(6), 1_000).weigh(),
        lambda: Keep(100, Die(1_000), 50).weigh(),
        lambda: PoolHighest(MOST_DICE, Die(MOST_SIDES)).weigh(),
        lambda: PoolShowing(MOST_DICE, Die(MOST_SIDES)).weigh(),
        lambda: Exploding(Die(1), on=1),
        lambda: Exploding(Die(6), on=1),
        lambda: Exploding(Die(6), on=6, most=10**6),
        lambda: Exploding(Die(MOST_SIDES), on=2, most=100).weigh(),
        lambda: BestOf(Sum.of(6), 0),
        lambda: BestOf(Sum.of(6), 10**9),
        lambda: BestOf(Sum.copies(1_000, Die(6)), 1_000).weigh(),
    ],
)
def test_values_out_of_bounds_are_refused_in_one_line(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        make()
    assert len(str(refused.value).splitlines()) == 1


# ---------------------------------------------------------------------- tables

some_weights = st.lists(st.integers(0, 9), min_size=1, max_size=7)
long_tables = st.lists(st.integers(0, 10**40), min_size=60, max_size=90).filter(any)
closed_weights = some_weights.filter(lambda table: table[0] > 0 and table[-1] > 0)


def slow_sum(a: Sequence[int], b: Sequence[int]) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for (i, left), (j, right) in product(enumerate(a), enumerate(b)):
        result[i + j] += left * right
    return result


@given(some_weights, some_weights)
def test_convolve(a: list[int], b: list[int]) -> None:
    assert tables.convolve(a, b) == slow_sum(a, b)


@given(long_tables, long_tables)
@settings(max_examples=20, deadline=None)
def test_convolve_of_long_tables_of_large_weights(a: list[int], b: list[int]) -> None:
    assert tables.convolve(a, b) == slow_sum(a, b)


@given(closed_weights, st.integers(0, 6))
def test_power(table: list[int], count: int) -> None:
    slow = [1]
    for _ in range(count):
        slow = slow_sum(slow, table)
    assert tables.power(table, count) == slow


@given(st.integers(0, 12), st.integers(1, 12))
def test_equal_dice(count: int, sides: int) -> None:
    slow = [1]
    for _ in range(count):
        slow = slow_sum(slow, [1] * sides)
    assert tables.equal_dice(count, sides) == slow


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any), st.integers(1, 4), st.data())
def test_highest_kept_of_any_table(weights: list[int], count: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(1, count))
    slow = [0] * (keep * (len(weights) - 1) + 1)
    for faces in product(range(len(weights)), repeat=count):
        weight = 1
        for face in faces:
            weight *= weights[face]
        slow[sum(sorted(faces, reverse=True)[:keep])] += weight
    assert tables.highest_kept(weights, count, keep) == slow
