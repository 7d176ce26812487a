"""Plain dice, weighed from nothing by all three libraries, each in its own quickest words."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import icepool
from dyce import H, P, expand
from measure import Row

from tablewright.dice import Die, Keep, Rollable, Sum
from tablewright.dice.notation import parse
from tablewright.systems.mars.dice import Rerolled

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # dyce calls this function experimental
    from dyce import explode_n

EXTRA_DICE = 20
"""How often the wild die is thrown again at most, for all three."""


def chances(answer: Any) -> dict[int, Fraction]:
    """A distribution of any of the libraries as outcomes and fractions."""
    weights = {outcome: int(weight) for outcome, weight in answer.items() if weight}
    total = sum(weights.values())
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def sums(count: int) -> Row:
    """Six-sided dice added up."""
    dice = Sum.copies(count, Die(6))
    return Row(f"{count}d6", dice.weigh, lambda: count @ icepool.d6, lambda: count @ H(6), chances)


def kept(count: int, sides: int, keep: int) -> Row:
    """The highest of some dice added up."""
    dice = Keep(count, Die(sides), keep)
    return Row(
        f"keep {keep} of {count}d{sides}",
        dice.weigh,
        lambda: icepool.d(sides).highest(count, keep),
        lambda: P.from_size(H(sides), count).h(slice(-keep, None)) if hasattr(P, "from_size") else _dyce_kept(*dice_key),
        chances,
    )
