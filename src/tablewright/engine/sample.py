"""Random samples of one call, drawn from its exact odds."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from hashlib import shake_256
from itertools import accumulate
from typing import TypeVar

from tablewright.dice import SeededDice
from tablewright.engine.mechanic import Call, Value
from tablewright.engine.odds import Strategy, odds
from tablewright.errors import InvalidInputError

T = TypeVar("T")

MOST_SAMPLES = 10_000_000
MOST_ENTRIES = 65_536
DRAWN_AT_ONCE = 16_384


def sample(
    call: Call[T], count: int, dice: SeededDice, objective: str | Value | None = None, *, policy: Strategy | None = None
) -> list[T]:
    """Draw ``count`` independent results of a call; the same dice give the same results.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.coin.toss"])
    ... async def toss() -> bool:
    ...     "Toss a coin."
    ...     return await d(2) == 2
    >>> heads = sum(sample(toss(), 1_000, SeededDice(seed=1)))
    >>> heads == sum(sample(toss(), 1_000, SeededDice(seed=1))), 400 < heads < 600
    (True, True)
    """
    if type(count) is not int or not 0 <= count <= MOST_SAMPLES:
        raise InvalidInputError(f"{count} samples are out of bounds; 0 to {MOST_SAMPLES:,} can be drawn")
    exact = odds(call, objective, policy=policy)
    outcomes, steps = exact.outcomes, list(accumulate(exact.weights))
    numbers = _numbers_below(exact.total, count, dice.below(1 << 256).to_bytes(32, "little"))
    if exact.total <= MOST_ENTRIES:
        table = [outcome for outcome, weight in exact.items() for _ in range(weight)]
        return [table[number] for number in numbers]
    return [outcomes[bisect_right(steps, number)] for number in numbers]


def _numbers_below(limit: int, count: int, seed: bytes) -> Iterator[int]:
    """Yield ``count`` uniform whole numbers from 0 to ``limit - 1``, from blocks of one long hash."""
    width = max(8, (limit.bit_length() + 7) // 8 + 4)
    fair = (1 << 8 * width) // limit * limit
    block = 0
    while count > 0:
        raw = shake_256(seed + block.to_bytes(8, "little")).digest(min(count, DRAWN_AT_ONCE) * width)
        if width == 8:
            words: Iterable[int] = struct.unpack(f"<{len(raw) // 8}Q", raw)
        else:
            words = [int.from_bytes(raw[at : at + width], "little") for at in range(0, len(raw), width)]
        drawn = [word % limit for word in words if word < fair]
        yield from drawn
        count -= len(drawn)
        block += 1
