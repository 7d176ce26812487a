"""Luck of the dice: a correction that makes win chances known from fewer fights, without a bias.

In a mirrored job every second fight throws the opposite faces of the fight before it: a 6 for every 1. What one side
owes to lucky dice in one fight it mostly loses in the other, so the share won by the pair varies less.

The luck of a side is the sum over its dice of face less mean face; where a roll says what its faces are worth, of worth
less mean worth. Dice thrown in an even fight count more than those thrown when it is nearly decided. The expectation of
luck is zero whatever the policies do, because each die is weighted and compared with its mean before it is thrown.
Subtracting a multiple of it from the wins therefore keeps their expectation. The pairs are dealt into groups, and the
multiples for each group come from least squares over all other groups: multiples fitted to the same pairs would be
biased.

All sums are whole numbers, so merged totals give the same figures in any grouping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from operator import mul
from typing import Any

from tablewright.dice.source import Die, SeededDice
from tablewright.lab.fights.intervals import Interval, share_of_effective, student

UNIT = 5_040
"""Luck of a die that shows its highest instead of its middle face is nearly this number, whatever its sides."""

GROUPS = 5
"""Number of groups of pairs. With two, half of the pairs would tell the multiples; more hardly tell them better."""

LEAST_PAIRS = 20
"""Lower bound for pairs before luck corrects anything."""

LEAST_OF_EACH = 10
"""Lower bound for fights won and for fights not won; rarer wins have no reliable variance."""

MOST_GAIN = 8.0
"""Upper bound for the number of fights that one fight may count for."""


@lru_cache(maxsize=256)
def luck_of_faces(sides: int) -> tuple[int, ...]:
    """Luck of each face of a die, from the lowest face up: symmetric around zero, hence zero on average.

    >>> luck_of_faces(4), sum(luck_of_faces(100))
    ((-3780, -1260, 1260, 3780), 0)
    """
    low = [-((sides - 1 - 2 * place) * UNIT // sides) for place in range(sides // 2)]
    return (*low, *([0] if sides % 2 else []), *[-luck for luck in reversed(low)])


@lru_cache(maxsize=4_096)
def luck_of_worths(worth: Callable[[int], int], die: Die) -> tuple[int, ...]:
    """Luck of each face of a die by what the faces are worth, zero on average.

    >>> luck_of_worths(lambda face: 100 if face <= 3 else 0, Die(4))
    (2500, 2500, 2500, -7500)
    """
    worths = [worth(die.low + place) for place in range(die.sides)]
    total, scale = sum(worths), max(1, 100 // die.sides)
    return tuple([scale * (die.sides * one - total) for one in worths])


class MeasuredDice(SeededDice):
    """Seeded dice that add up the luck of their faces, by ``worth`` where it is given.

    ``mirror`` shows the opposite faces.
    """

    __slots__ = ("luck", "mirror", "worth")

    def __init__(
        self, seed: int | bytes, stream: str, k: int, *, mirror: bool, worth: Callable[[int], int] | None = None
    ) -> None:
        super().__init__(seed, stream, 0, k)
        self.luck = 0
        self.mirror = mirror
        self.worth = worth

    def below(self, limit: int) -> int:
        """Uniform number below a limit, counted from the other end in a mirrored fight."""
        number = super().below(limit)
        return limit - 1 - number if self.mirror else number

    def face(self, die: Die) -> int:
        """Throw one die."""
        place = self.below(die.sides)
        luck = luck_of_faces(die.sides) if self.worth is None else luck_of_worths(self.worth, die)
        self.luck += luck[place]
        return die.low + place


@dataclass
class LuckTotals:
    """Sums over mirrored pairs: of each side's luck, of the wins, and of all their products.

    The pairs are counted in groups by their number. ``sums`` has one square of products for each group, over one, the
    luck of each side and the wins of each name in ``winners``.
    """

    sides: tuple[str, ...]
    winners: tuple[str, ...]
    sums: list[list[list[int]]] = field(default_factory=list)
    _first: tuple[int, list[int]] | None = None

    def __post_init__(self) -> None:
        if not self.sums:
            size = 1 + len(self.sides) + len(self.winners)
            self.sums = [[[0] * size for _ in range(size)] for _ in range(GROUPS)]

    def add(self, number: int, winner: str, luck: Mapping[str, int]) -> None:
        """Count one fight; a pair is an even number and the next one."""
        told = [luck.get(side, 0) for side in self.sides] + [int(winner == name) for name in self.winners]
        if number % 2 == 0:
            self._first = number, told
        elif self._first is not None and self._first[0] == number - 1:
            pair = [1, *[one + other for one, other in zip(self._first[1], told, strict=True)]]
            square = self.sums[number // 2 % GROUPS]
            for row, one in zip(square, pair, strict=True):
                for at, other in enumerate(pair):
                    row[at] += one * other
            self._first = None

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum([square[0][0] for square in self.sums])

    def merge(self, other: LuckTotals) -> None:
        """Add the sums of another."""
        for mine, theirs in zip(self.sums, other.sums, strict=True):
            for row, more in zip(mine, theirs, strict=True):
                for at, number in enumerate(more):
                    row[at] += number

    def share_won(self, winner: str, fights: int) -> Interval | None:
        """Win chance corrected for luck; None where luck says nothing and plain counting is to be used."""
        if winner not in self.winners or self.pairs < LEAST_PAIRS or 2 * self.pairs != fights:
            return None
        at = 1 + len(self.sides) + self.winners.index(winner)
        every = _added(self.sums)
        won = every[0][at]
        if min(won, fights - won) < LEAST_OF_EACH:
            return None
        lucky = range(1, 1 + len(self.sides))
        total = squares = 0.0
        for square in self.sums:
            others = _added((every, square), (1, -1))
            multiples = _least_squares(others, lucky, at)
            total += square[0][at] - sum([by * square[0][x] for by, x in zip(multiples, lucky, strict=True)])
            squares += square[at][at]
            for by, x in zip(multiples, lucky, strict=True):
                squares -= 2 * by * square[x][at]
                squares += by * sum([more * square[x][y] for more, y in zip(multiples, lucky, strict=True)])
        pairs = self.pairs
        variance = max(0.0, squares - total * total / pairs) / (pairs - 1) / pairs / 4
        return share_of_effective(total / fights, variance, fights, MOST_GAIN, student(pairs - 1))

    def to_json(self) -> list[Any]:
        """Totals as JSON."""
        return [list(self.sides), list(self.winners), self.sums]

    @staticmethod
    def from_json(raw: Sequence[Any]) -> LuckTotals:
        """Read totals from JSON."""
        sides, winners, sums = raw
        return LuckTotals(tuple(sides), tuple(winners), [[list(row) for row in square] for square in sums])


def _added(squares: Sequence[Sequence[Sequence[int]]], times: Sequence[int] | None = None) -> list[list[int]]:
    """Sum of squares of products, each as many times as is given, else once."""
    by = times or (1,) * len(squares)
    rows = zip(*squares, strict=True)
    return [[sum(map(mul, by, cells)) for cells in zip(*of, strict=True)] for of in rows]


def _least_squares(square: Sequence[Sequence[int]], lucky: Iterable[int], at: int) -> list[float]:
    """Multiples of each luck that leave the least variance of the wins; 0 for luck that does not vary."""
    places, of = list(lucky), square[0][0]
    rows: list[list[float]] = []
    for x in places:  # whole numbers up to here: the centred products are exact
        centred = [of * square[x][y] - square[0][x] * square[0][y] for y in (*places, at)]
        rows.append([float(number) for number in centred])
    scales = [sqrt(rows[x][x]) for x in range(len(rows))]
    for x, row in enumerate(rows):
        for y in range(len(rows)):
            row[y] = row[y] / (scales[x] * scales[y]) if scales[x] and scales[y] else float(x == y)
        row[-1] = row[-1] / scales[x] if scales[x] else 0.0
    for x, row in enumerate(rows):  # elimination; a luck that the others determine gets no multiple
        if row[x] < 1e-9:
            row[:] = [float(x == y) for y in range(len(rows))] + [0.0]
        for other in rows[x + 1 :]:
            factor = other[x] / row[x]
            for y in range(x, len(row)):
                other[y] -= factor * row[y]
    found = [0.0] * len(rows)
    for x in reversed(range(len(rows))):
        known = sum([rows[x][y] * found[y] for y in range(x + 1, len(rows))])
        found[x] = (rows[x][-1] - known) / rows[x][x]
    return [number / scale if scale else 0.0 for number, scale in zip(found, scales, strict=True)]
