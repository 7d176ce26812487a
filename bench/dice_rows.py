"""Plain dice, weighed from nothing by all three libraries, each in the words it answers quickest."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import icepool
from dyce import H, P, expand, explode_n
from dyce.lifecycle import ExperimentalWarning
from measure import Row

from tablewright.dice import Die, Keep, Sum
from tablewright.dice.notation import parse_dice
from tablewright.systems.mars.mechanics.dice import Rerolled

warnings.simplefilter("ignore", ExperimentalWarning)  # printing them would be measured too

EXTRA_DICE = 20
"""How often the Wild Die is thrown again at most, for all three."""


def chances(answer: Any) -> dict[int, Fraction]:
    """A distribution of any of the libraries as outcomes and fractions."""
    weights = {outcome: int(weight) for outcome, weight in answer.items() if weight}
    total = sum(weights.values())
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def _sum(count: int) -> Row:
    dice = Sum.copies(count, Die(6))
    why = "eleven additions are soon done; what is left is making the distribution, its lowest terms and its total."
    return Row(f"{count}d6", dice.weigh, lambda: _icepool_sum(count), lambda: count @ H(6), chances, why=why)


def _icepool_sum(count: int) -> Any:
    """Beyond a few hundred dice icepool's own recursion is too deep for Python, so there it adds up sums of 100."""
    return count // 100 @ (100 @ icepool.d6) if count > 100 else count @ icepool.d6


def _kept(keep: int, count: int, sides: int) -> Row:
    dice = Keep(count, Die(sides), keep)
    return Row(
        f"keep {keep} of {count}d{sides}",
        dice.weigh,
        lambda: icepool.d(sides).highest(count, keep),
        lambda: (count @ P(sides)).at(slice(-keep, None)),
        chances,
    )


def _wild(count: int) -> Row:
    code = parse_dice(f"{count}D")
    return Row(
        f"wild die, {count}D",
        code.weigh,
        lambda: (count - 1) @ icepool.d6 + icepool.d6.explode(depth=EXTRA_DICE),
        lambda: (count - 1) @ H(6) + explode_n(H(6), n=EXTRA_DICE),
        chances,
    )


def _icepool_lowest_again() -> Any:
    def again(faces: tuple[int, ...]) -> Any:
        lowest, *others = faces
        return icepool.d10.map(lambda new: sum(others) + max(lowest, new))

    return icepool.d10.pool(3).expand().map(again, star=False)


def _dyce_lowest_again() -> Any:
    def again(pool: Any) -> Any:
        lowest, *others = pool.roll
        return H(10).apply(lambda new: sum(others) + max(lowest, new))

    return expand(again, 3 @ P(10))


def rows() -> Iterator[Row]:
    """All rows."""
    for count in (2, 10, 100, 1_000):
        yield _sum(count)
    yield _kept(3, 4, 6)
    yield _kept(5, 20, 10)
    for count in (2, 5, 10, 20):
        yield _wild(count)
    lowest_again = Rerolled((10, 10, 10), 0, 1, "lowest_die")
    yield Row(
        "3d10, the lowest thrown again, the better kept",
        lowest_again.weigh,
        _icepool_lowest_again,
        _dyce_lowest_again,
        chances,
    )


ROWS: list[Row] = list(rows())
