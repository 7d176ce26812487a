"""Many results of one call, drawn from its exact table."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TypeVar

from tablewright.dice import Dice
from tablewright.engine.mechanic import Call, Value
from tablewright.engine.odds import Policy, odds
from tablewright.errors import BadInput

T = TypeVar("T")

MOST_SAMPLES = 10_000_000


def sample(
    call: Call[T], count: int, dice: Dice, objective: str | Value | None = None, *, policy: Policy | None = None
) -> list[T]:
    """``count`` independent results of a call; the same dice give the same results.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.coin.toss"])
    ... async def toss() -> bool:
    ...     "Toss a coin."
    ...     return await d(2) == 2
    >>> sum(sample(toss(), 1_000, Dice(seed=1)))
    490
    """
    if not 0 <= count <= MOST_SAMPLES:
        raise BadInput(f"{count} samples are out of bounds; 0 to {MOST_SAMPLES:,} can be drawn")
    exact = odds(call, objective, policy=policy)
    outcomes = exact.outcomes
    steps = list(accumulate(exact.weights))
    below, total = dice.below, exact.total
    return [outcomes[bisect_right(steps, below(total))] for _ in range(count)]
