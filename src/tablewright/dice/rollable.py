"""Dice objects that can be rolled face by face, weighed exactly and printed.

A dice object is a small frozen value. ``read`` requests its faces one by one; a generator, a person with real dice or a
record can supply them. ``weigh`` returns the exact distribution of the same rule, in closed form or by one pass over
the faces, without enumerating rolls. A brute-force test compares the two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from tablewright.dice import weights as tables
from tablewright.dice.dist import Dist
from tablewright.dice.source import MOST_SIDES, Die, Face
from tablewright.errors import InvalidInputError

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

MOST_DICE = 2_000
MOST_EXTRA_DICE = 100

NEVER = Fraction(0)
"""The chance 0, as one shared object."""


class Rollable(ABC, Generic[T_co]):
    """Base class of everything that can be rolled and weighed; subclasses are hashable values."""

    __slots__ = ()

    @abstractmethod
    def read(self, face: Face) -> T_co:
        """Throw the dice by calling ``face`` for each one in order, and return the outcome."""

    @abstractmethod
    def _weigh(self) -> Dist[T_co]:
        """Compute the exact distribution of :meth:`read`."""

    def weigh(self) -> Dist[T_co]:
        """Exact distribution of :meth:`read`, cached."""
        return weigh(self)

    @property
    def remainder(self) -> Fraction:
        """Chance that a cap on extra dice cut the roll short; 0 for rolls without a cap."""
        return NEVER


class Weights:
    """Cache of exact distributions with a limit in bytes; the oldest entries are dropped first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._known: dict[Rollable[Any], tuple[Dist[Any], int]] = {}
        self._bytes = 0
        self._lock = Lock()

    def __call__(self, rollable: Rollable[T]) -> Dist[T]:
        """Exact distribution of one dice object."""
        found = self._known.get(rollable)
        if found is not None:
            return found[0]
        dist = rollable._weigh()  # noqa: SLF001
        size = 1_000 + len(dist) * (64 + dist.total.bit_length() // 8)
        kept = dist, size
        with self._lock:
            if self._known.setdefault(rollable, kept) is kept:
                self._bytes += size
            while self._bytes > self._most_bytes:
                self._bytes -= self._known.pop(next(iter(self._known)))[1]
        return dist

    def cache_clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._known.clear()
            self._bytes = 0


weigh = Weights(most_bytes=64_000_000)


def check_dice(count: int, die: Die) -> None:
    """Refuse a number of dice or sides that is out of bounds.

    >>> check_dice(10**9, Die(6))
    Traceback (most recent call last):
        ...
    tablewright.errors.InvalidInputError: 1000000000 dice are too many; 0 to 2,000 dice can be rolled at once
    """
    if type(count) is not int or not 0 <= count <= MOST_DICE:
        raise InvalidInputError(f"{count} dice are too many; 0 to {MOST_DICE:,} dice can be rolled at once")
    if type(die.sides) is not int or type(die.low) is not int or not 1 <= die.sides <= MOST_SIDES:
        raise InvalidInputError(f"a die with {die.sides} sides is out of bounds; 1 to {MOST_SIDES:,} sides are allowed")


@dataclass(frozen=True, slots=True)
class Sum(Rollable[int]):
    """Sum of dice of any sizes, plus a number.

    >>> Sum.of(10, 4, plus=1).weigh().mean
    Fraction(9, 1)
    >>> str(Sum.of(10, 4, plus=1))
    'd10+d4+1'
    """

    dice: tuple[Die, ...]
    plus: int = 0

    def __post_init__(self) -> None:
        if type(self.plus) is not int:
            raise InvalidInputError(f"what is added to dice is a whole number, not {self.plus!r}")
        for die in set(self.dice):
            check_dice(len(self.dice), die)

    @staticmethod
    def of(*sides: int, plus: int = 0) -> Sum:
        """Sum of dice with the given numbers of sides."""
        return Sum(tuple([Die(size) for size in sides]), plus)

    @staticmethod
    def copies(count: int, die: Die, plus: int = 0) -> Sum:
        """Sum of ``count`` equal dice."""
        check_dice(count, die)
        return Sum((die,) * count, plus)

    def read(self, face: Face) -> int:
        """Throw each die in order and return the total."""
        total = self.plus
        for die in self.dice:
            total += face(die)
        return total

    def _weigh(self) -> Dist[int]:
        low, entries, bits = self.plus, 1, 0
        groups = _grouped(self.dice)
        for die, count in groups:
            low += count * die.low
            entries += count * (die.sides - 1)
            bits += count * die.sides.bit_length()
        tables.bound(entries, bits, self)
        table = [1]
        for die, count in groups:
            equal = tables.equal_dice(count, die.sides)
            table = tables.convolve(table, equal) if len(table) > 1 else equal
        return Dist.from_table(low, table)

    def __str__(self) -> str:
        parts = [f"{count if count > 1 else ''}{die}" for die, count in _grouped(self.dice)]
        return "+".join(parts) + _signed(self.plus) if parts else str(self.plus)


def _grouped(dice: tuple[Die, ...]) -> list[tuple[Die, int]]:
    if dice and dice.count(dice[0]) == len(dice):
        return [(dice[0], len(dice))]
    counts: dict[Die, int] = {}
    for die in dice:
        counts[die] = counts.get(die, 0) + 1
    return list(counts.items())


def _signed(number: int) -> str:
    return f"{number:+d}" if number else ""


@dataclass(frozen=True, slots=True)
class Keep(Rollable[int]):
    """Sum of the ``keep`` highest (or lowest) of ``count`` equal dice.

    >>> Keep(4, Die(6), 3).weigh().mean
    Fraction(15869, 1296)
    """

    count: int
    die: Die
    keep: int
    highest: bool = True

    def __post_init__(self) -> None:
        check_dice(self.count, self.die)
        if type(self.keep) is not int or not 0 <= self.keep <= self.count:
            raise InvalidInputError(f"{self.keep} of {self.count} dice cannot be kept; 0 to {self.count} can")

    def read(self, face: Face) -> int:
        """Throw all dice and return the sum of the kept ones."""
        faces = sorted([face(self.die) for _ in range(self.count)], reverse=self.highest)
        return sum(faces[: self.keep])

    def _weigh(self) -> Dist[int]:
        sides, count, keep = self.die.sides, self.count, self.keep
        if keep == 0:
            return Dist.of(0)
        tables.bound(keep * (sides - 1) + 1, count * sides.bit_length(), self)
        if keep == count:
            table = tables.equal_dice(count, sides)
        elif self.highest:
            table = tables.highest_kept([1] * sides, count, keep, self)
        else:
            table = tables.highest_kept([1] * sides, count, keep, self)[::-1]
        return Dist.from_table(self.die.low * keep, table)

    def __str__(self) -> str:
        return f"{self.count}{self.die}{'kh' if self.highest else 'kl'}{self.keep}"


class SumHighest(NamedTuple):
    """Sum of a pool and its highest face."""

    sum: int
    highest: int


@dataclass(frozen=True, slots=True)
class PoolHighest(Rollable[SumHighest]):
    """Equal dice, read as their sum and their highest face.

    >>> PoolHighest(2, Die(6)).weigh()[SumHighest(4, 3)]
    Fraction(1, 18)
    """

    count: int
    die: Die

    def __post_init__(self) -> None:
        check_dice(self.count, self.die)

    def read(self, face: Face) -> SumHighest:
        """Throw all dice; the highest face of no dice is 0."""
        faces = [face(self.die) for _ in range(self.count)]
        return SumHighest(sum(faces), max(faces, default=0))

    def _weigh(self) -> Dist[SumHighest]:
        """Count rolls with highest face h as rolls of h-sided dice minus rolls of (h-1)-sided dice."""
        count, die = self.count, self.die
        if count == 0:
            return Dist.of(SumHighest(0, 0))
        tables.bound(count * die.sides * die.sides // 2, count * die.sides.bit_length(), self)
        weights: dict[SumHighest, int] = {}
        lower: list[int] = []
        for sides in range(1, die.sides + 1):
            table = tables.equal_dice(count, sides)
            for offset, weight in enumerate(table):
                less = lower[offset] if offset < len(lower) else 0
                if weight > less:
                    weights[SumHighest(die.low * count + offset, die.low + sides - 1)] = weight - less
            lower = table
        return Dist.from_dict(weights)

    def __str__(self) -> str:
        return f"{self.count}{self.die} with the highest"


class SumShown(NamedTuple):
    """Sum of a pool and whether any die shows its lowest face."""

    sum: int
    shown: bool


@dataclass(frozen=True, slots=True)
class PoolShowing(Rollable[SumShown]):
    """Equal dice, read as their sum and whether any of them shows the lowest face.

    >>> PoolShowing(2, Die(6)).weigh()[SumShown(5, True)]
    Fraction(1, 18)
    """

    count: int
    die: Die

    def __post_init__(self) -> None:
        check_dice(self.count, self.die)

    def read(self, face: Face) -> SumShown:
        """Throw all dice, add them up and look for the lowest face."""
        faces = [face(self.die) for _ in range(self.count)]
        return SumShown(sum(faces), self.die.low in faces)

    def _weigh(self) -> Dist[SumShown]:
        """Count rolls without the lowest face as rolls of dice with one side less."""
        count, die = self.count, self.die
        tables.bound(count * die.sides, count * die.sides.bit_length(), self)
        every = tables.equal_dice(count, die.sides)
        without = [0] * count + tables.equal_dice(count, die.sides - 1) if die.sides > 1 else []
        if count == 0:
            without = [1]
        weights: dict[SumShown, int] = {}
        for offset, weight in enumerate(every):
            clean = without[offset] if offset < len(without) else 0
            if weight > clean:
                weights[SumShown(die.low * count + offset, True)] = weight - clean
            if clean:
                weights[SumShown(die.low * count + offset, False)] = clean
        return Dist.from_dict(weights)

    def __str__(self) -> str:
        return f"{self.count}{self.die} with any {self.die.low}"


def exploded(low: int, faces: list[int], bursting: list[int], most: int, what: object) -> tuple[int, list[int]]:
    """Lowest total and weight table of one die that adds up to ``most`` extra dice.

    ``faces`` are the weights of one throw from ``low`` up; ``bursting`` is the part of them that adds another throw.
    """
    sides, whole = len(faces), sum(faces)
    tables.bound((most + 1) * sides, (most + 1) * whole.bit_length(), what)
    first = next(at for at, weight in enumerate(bursting) if weight)
    again = bursting[first : next(at for at in range(sides, 0, -1) if bursting[at - 1])]
    ends = [face - burst for face, burst in zip(faces, bursting, strict=True)]
    if len(again) > 1:
        bits = most * whole.bit_length()
        tables.bound_work(most * tables.convolve_seconds(most * len(again), bits // 2, sides, whole.bit_length()), what)
    start, stop = min(low, low + most * (low + first)), max(low + sides, low + sides + most * (low + sides - 1))
    result = [0] * (stop - start)
    # chain: weights of `extra` bursting throws in a row; its lowest total rises by the lowest bursting face each time
    chain, at, scale = [1], low, whole**most
    for extra in range(most + 1):
        closed = tables.convolve(chain, ends if extra < most else faces)
        for offset, weight in enumerate(closed, at - start):
            result[offset] += weight * scale
        chain = tables.convolve(chain, again)
        at += low + first
        scale //= whole
    return start, result


@dataclass(frozen=True, slots=True)
class Exploding(Rollable[int]):
    """Die that is thrown again and added while it shows ``on`` or more, at most ``most`` times.

    Every total below ``most * on`` has its exact chance; :attr:`remainder` is the chance of exceeding the cap.

    >>> Exploding(Die(6), on=6, most=10).weigh()[7]
    Fraction(1, 36)
    >>> Exploding(Die(6), on=6, most=1).remainder
    Fraction(1, 36)
    """

    die: Die
    on: int
    most: int = 20

    def __post_init__(self) -> None:
        check_dice(1, self.die)
        if type(self.on) is not int or type(self.most) is not int:
            raise InvalidInputError("the face that explodes and the number of extra dice are whole numbers")
        if self.on <= self.die.low:
            raise InvalidInputError(
                f"{self.die} that explodes on {self.on} or more never ends; {self.die.low + 1} is the least"
            )
        if not 0 <= self.most <= MOST_EXTRA_DICE:
            raise InvalidInputError(f"{self.most} extra dice are out of bounds; 0 to {MOST_EXTRA_DICE} are allowed")

    def read(self, face: Face) -> int:
        """Throw and add until a face is below ``on`` or the cap is reached."""
        total = shown = face(self.die)
        extra = 0
        while shown >= self.on and extra < self.most:
            shown = face(self.die)
            total += shown
            extra += 1
        return total

    def _weigh(self) -> Dist[int]:
        die = self.die
        if self.on > die.high:
            return Dist.uniform(die.low, die.high)
        bursting = [1 if face >= self.on else 0 for face in range(die.low, die.high + 1)]
        return Dist.from_table(*exploded(die.low, [1] * die.sides, bursting, self.most, self))

    @property
    def remainder(self) -> Fraction:
        """Chance that every throw up to the cap exploded, including the last."""
        return Fraction(max(0, self.die.high - self.on + 1), self.die.sides) ** (self.most + 1)

    def __str__(self) -> str:
        return f"{self.die}!" if self.on == self.die.high else f"{self.die}!>={self.on}"


@dataclass(frozen=True, slots=True)
class BestOf(Rollable[int]):
    """Highest (or lowest) total of the same dice rolled ``times`` times.

    >>> BestOf(Sum.of(20), 2).weigh().mean
    Fraction(553, 40)
    """

    dice: Rollable[int]
    times: int
    highest: bool = True

    def __post_init__(self) -> None:
        if type(self.times) is not int or not 1 <= self.times <= 1_000:
            raise InvalidInputError(f"{self.times} rolls are out of bounds; the best of 1 to 1,000 can be taken")

    def read(self, face: Face) -> int:
        """Roll ``times`` times and return the highest (or lowest) total."""
        totals = [self.dice.read(face) for _ in range(self.times)]
        return max(totals) if self.highest else min(totals)

    def _weigh(self) -> Dist[int]:
        one = self.dice.weigh()
        tables.bound(len(one), self.times * one.total.bit_length(), self)
        running = 0
        powers = [0]
        for weight in one.weights if self.highest else one.weights[::-1]:
            running += weight
            powers.append(running**self.times)
        steps = [high - low for low, high in pairwise(powers)]
        outcomes = one.outcomes if self.highest else one.outcomes[::-1]
        return Dist(zip(outcomes, steps, strict=True))

    @property
    def remainder(self) -> Fraction:
        """Upper bound: the sum of the remainders of the single rolls, at most 1."""
        return min(Fraction(1), self.dice.remainder * self.times)

    def __str__(self) -> str:
        return f"{'best' if self.highest else 'worst'} of {self.times} x ({self.dice})"
