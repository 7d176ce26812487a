"""Totals of dice that are thrown again without end, in closed form.

A Wild Die is worth 1 to 5, whatever the last toss shows, and 6 for every six before it. The number of those sixes is a
*run*: it ends with five chances in six and grows with one. So the total of any dice is a finite table of numbers, each
with so many runs to come, and the chance that a total reaches a number, or that one total exceeds another, is a finite
sum over geometric series. Nothing is cut.

A rule that goes on with such a total and asks for choices would have a state for each of infinitely many numbers.
Beyond some number every choice is the same, though. From there on a state is an :class:`OpenNumber`, a number with runs
to come, and later dice are added to it and taken from it in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Dist, Face, OrMore, Rollable
from tablewright.engine.mechanic import FixedOdds
from tablewright.errors import InvalidInputError, TablewrightError

SIX = 6
Run: TypeAlias = tuple[int, int]
"""A run by its power and its step: it grows with a chance of 1 in 6 ** power, and then by 6 * step."""
Runs: TypeAlias = tuple[Run, ...]
Key: TypeAlias = tuple[int, Runs, Runs]
"""The number there is, the runs that are added to it, and those that are taken from it."""
DIE: Run = (1, 1)
"""The run of one Wild Die."""

MOST_PAIRS = 1_600
"""Pairs of runs on both sides of a lead at most: more would take seconds."""

T = TypeVar("T")


class OpenNumber(OrMore):
    """A number as a state of a rule: itself, or all numbers beyond a bound at once, by their chances.

    It compares as the number there is; beyond a bound that is the one next to it.

    >>> rest = OpenNumber(30, (((30, (DIE,), ()), 1),))
    >>> rest == 30, rest >= 30, str(sum_of(rest, 2)), OpenNumber(30) == 30
    (False, True, '32 or more', False)
    """

    parts: tuple[tuple[Key, int], ...]

    def __new__(cls, base: int, parts: tuple[tuple[Key, int], ...] = ()) -> OpenNumber:  # noqa: PYI034 - as `OrMore`
        new = int.__new__(cls, base)
        new.parts = parts
        return new

    @property
    def mean(self) -> Fraction:  # type: ignore[override]
        """Mean of all numbers in the run."""
        found = self.__dict__.get("known_mean")
        if found is None:
            found = self.__dict__["known_mean"] = self._find_mean()
        return found

    def _find_mean(self) -> Fraction:
        if not self.parts:
            return Fraction(int(self))
        bases = weights = 0
        by_runs: dict[tuple[Runs, Runs], int] = {}
        for (base, ours, theirs), weight in self.parts:
            bases, weights = bases + base * weight, weights + weight
            by_runs[ours, theirs] = by_runs.get((ours, theirs), 0) + weight
        runs = [(_mean(ours) - _mean(theirs)) * weight for (ours, theirs), weight in by_runs.items()]
        return (bases + SIX * sum(runs, Fraction(0))) / weights

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenNumber) and int(self) == int(other) and self.parts == other.parts

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((int(self), len(self.parts)))

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenNumber, (int(self), self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return str(int(self))
        return f"{int(self)} or {'more' if self.mean > int(self) else 'less'}"

    def __repr__(self) -> str:
        return f"OpenNumber({int(self)}, {self.parts})"


class OpenTotal(NamedTuple):
    """A total as a finite table of weights, out of ``whole``: all of it, or the part of a roll that passes a test."""

    weights: Mapping[Key, int]
    whole: int

    @property
    def share(self) -> Fraction:
        """Chance of the whole total."""
        return Fraction(sum(self.weights.values()), self.whole)

    def at_least(self, least: int) -> Fraction:
        """Chance of ``least`` or more.

        >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

        >>> counted_total(3, 0).at_least(14)
        Fraction(4165, 7776)
        """
        return self.reached(least, least)[0]

    def plus(self, other: OpenTotal | int) -> OpenTotal:
        """The sum of two totals, or of a total and a number."""
        if isinstance(other, int):
            return OpenTotal(
                {(base + other, ours, theirs): part for (base, ours, theirs), part in self.weights.items()}, self.whole
            )
        weights: dict[Key, int] = {}
        joined: dict[tuple[Runs, Runs, Runs, Runs], tuple[Runs, Runs]] = {}
        for (base, ours, theirs), weight in self.weights.items():
            for (more, further, against), part in other.weights.items():
                runs = joined.get((ours, theirs, further, against))
                if runs is None:
                    runs = tuple(sorted(ours + further)), tuple(sorted(theirs + against))
                    joined[ours, theirs, further, against] = runs
                key = (base + more, *runs)
                weights[key] = weights.get(key, 0) + weight * part
        return OpenTotal(weights, self.whole * other.whole)

    def over(self, other: OpenTotal) -> OpenTotal:
        """The lead over another total.

        >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

        >>> counted_total(2, 0).over(counted_total(2, 0)).at_least(0)
        Fraction(74335, 139968)
        """
        against: dict[Key, int] = {
            (-base, theirs, ours): weight for (base, ours, theirs), weight in other.weights.items()
        }
        return self.plus(OpenTotal(against, other.whole))

    def only(self, holds: Callable[[int], bool]) -> OpenTotal:
        """The part of a total whose numbers, runs aside, pass a test."""
        return OpenTotal({key: weight for key, weight in self.weights.items() if holds(key[0])}, self.whole)

    # ------------------------------------------------------------------ runs

    def settled(self) -> OpenTotal:
        """The same without runs on both sides of one number.

        Of two such runs both end at once, or one of them outlives the other: that leaves one fewer each time.
        """
        if not any(ours and theirs for _, ours, theirs in self.weights):
            return self
        waiting: dict[tuple[Runs, Runs], list[_Table]] = {}
        for runs, table in self.by_runs().items():
            waiting[runs] = [(table, self.whole)]
        found: list[tuple[Mapping[Key, int], int]] = []
        while waiting:
            ours, theirs = longest = max(waiting, key=lambda runs: len(runs[0]) + len(runs[1]))
            table, whole = _combined(waiting.pop(longest))
            if len(ours) * len(theirs) > MOST_PAIRS:
                raise InvalidInputError(
                    f"{len(ours)} dice without end against {len(theirs)} are too many to work out exactly"
                )
            if not ours or not theirs:
                found.append(({(base, ours, theirs): weight for base, weight in table.items()}, whole))
                continue
            for mine, yours, parts, scale in _paired(ours[0], theirs[0]):
                runs = tuple(sorted(ours[1:] + mine)), tuple(sorted(theirs[1:] + yours))
                spread: dict[int, int] = {}
                for shift, factor in parts:
                    for base, weight in table.items():
                        spread[base + shift] = spread.get(base + shift, 0) + weight * factor
                waiting.setdefault(runs, []).append((spread, whole * scale))
        return added(found)

    def followed(self, low: int, high: int) -> OpenTotal:
        """The same without runs on numbers between two bounds; beyond them runs are left as they are.

        >>> sorted(OpenTotal({(0, (DIE,), (DIE,)): 1}, 1).followed(-5, 5).weights.items())
        [((-6, (), ((1, 1),)), 1), ((0, (), ()), 5), ((6, ((1, 1),), ()), 1)]
        """
        found: list[tuple[Mapping[Key, int], int]] = []
        total = self.settled()
        for (ours, theirs), table in total.by_runs().items():
            sign, bound = (1, high) if ours else (-1, -low)
            whole, runs = total.whole, ours or theirs
            numbers = {sign * base: weight for base, weight in table.items()}
            while numbers:
                kept = (runs, ()) if sign > 0 else ((), runs)
                first = min(numbers)
                if not runs or first >= bound:
                    found.append(({(sign * base, *kept): weight for base, weight in numbers.items()}, whole))
                    break
                power, steps = runs[0][0], SIX * runs[0][1]
                scale = SIX ** (power * ((bound - 1 - first) // steps + 1))
                whole *= scale
                numbers = {base: weight * scale for base, weight in numbers.items()}
                ended: dict[int, int] = {}
                for base in range(first, bound):
                    weight = numbers.pop(base, 0)
                    if weight:
                        grows = weight // SIX**power
                        ended[base] = weight - grows
                        numbers[base + steps] = numbers.get(base + steps, 0) + grows
                found.append(({(sign * base, *kept): weight for base, weight in numbers.items()}, whole))
                numbers, runs = ended, runs[1:]
        return added(found)

    def floored(self, least: int) -> OpenTotal:
        """The same total where everything below ``least`` counts as that.

        >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

        >>> bought_total(1).plus(-8).floored(0).at_least(1)
        Fraction(1, 9)
        """
        if all(base >= least and not theirs for base, _, theirs in self.weights):
            return self
        weights: dict[Key, int] = {}
        followed = self.followed(least, least)
        for (base, ours, theirs), weight in followed.weights.items():
            key: Key = (base, ours, theirs) if base > least else (least, ours, ())
            weights[key] = weights.get(key, 0) + weight
        return OpenTotal(weights, followed.whole)

    def divided(self, by: int) -> OpenTotal:
        """The total divided, rounded up: of as many sixes as it is divided by, one is left.

        >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

        >>> bought_total(1).divided(5).at_least(2)
        Fraction(1, 6)
        """
        found: list[tuple[Mapping[Key, int], int]] = []
        for (ours, theirs), table in self.by_runs().items():
            assert not theirs
            spread, whole = table, self.whole
            for power, step in ours:
                grows = SIX**power
                split: dict[int, int] = {}
                for left in range(by):
                    factor = (grows - 1) * grows ** (by - 1 - left)
                    for base, weight in spread.items():
                        now = base + SIX * step * left
                        split[now] = split.get(now, 0) + weight * factor
                spread, whole = split, whole * (grows**by - 1)
            runs = tuple([(power * by, step) for power, step in ours])
            weights: dict[Key, int] = {}
            for base, weight in spread.items():
                key: Key = (-(-base // by), runs, ())
                weights[key] = weights.get(key, 0) + weight
            found.append((weights, whole))
        return added(found)

    def by_runs(self) -> dict[tuple[Runs, Runs], dict[int, int]]:
        """Tables of numbers by their runs."""
        found: dict[tuple[Runs, Runs], dict[int, int]] = {}
        for (base, ours, theirs), weight in self.weights.items():
            found.setdefault((ours, theirs), {})[base] = weight
        return found

    # ------------------------------------------------------------------ chances

    def reached(self, low: int, top: int) -> list[Fraction]:
        """Chances of each number from ``low`` to ``top`` or more, in whole numbers up to the last step."""
        found = [Fraction(0)] * (top - low + 1)
        total = self.settled()
        for (ours, theirs), weights in total.by_runs().items():
            first, last = min(weights), max(weights)
            sums = [0, *accumulate([weights.get(base, 0) for base in range(first, last + 1)])]
            fewest = -((last - low) // SIX)
            shares, common = _chances(ours, theirs, fewest, -((first - top) // SIX))
            for least in range(low, top + 1):
                part = 0
                for runs in range(-((last - least) // SIX), -((first - least) // SIX) + 1):
                    start = least - SIX * runs - first  # six numbers from here on need as many runs
                    counted = sums[min(len(sums) - 1, max(0, start + SIX))] - sums[min(len(sums) - 1, max(0, start))]
                    part += counted * shares[runs - fewest]
                found[least - low] += Fraction(part, common * total.whole)
        return found

    def table(self, low: int, top: int, *, is_open: bool) -> dict[Any, Fraction]:
        """Chances of every number: ``low`` or less, each number up to ``top``, and ``top`` or more.

        Where the table ``is_open`` the last is told as the rest, with its exact mean.
        """
        reached = [self.share, *self.reached(low + 1, top), Fraction(0)]
        chances: dict[Any, Fraction] = {
            low + at: chance - following
            for at, (chance, following) in enumerate(pairwise(reached))
            if chance > following
        }
        if is_open and top in chances:
            chances[self.rest(top)] = chances.pop(top)
        return chances

    def chances(self, top: int) -> dict[int, Fraction]:
        """Chances of every number below ``top``, and of ``top`` or more."""
        lowest = min([base for base, _, _ in self.weights])
        return self.table(lowest, max(lowest, top), is_open=False)

    def rest(self, top: int) -> OrMore:
        """The rest of a table from ``top`` on, which must have a chance, with its exact mean."""
        beyond = Fraction(0)
        total = self.settled()
        for (ours, theirs), weights in total.by_runs().items():
            for base, weight in weights.items():
                beyond += weight * _excess(ours, theirs, base - top)
        return OrMore(top, top + beyond / total.whole / self.at_least(top))

    def numbers(self, low: int, high: int) -> dict[OpenNumber, Fraction]:
        """Chances of its numbers as states of a rule: each between two bounds, and all beyond either as one.

        >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

        >>> {str(number): str(chance) for number, chance in bought_total(1).numbers(0, 5).items()}
        {'1': '1/6', '2': '1/6', '3': '1/6', '4': '1/6', '5 or more': '1/3'}
        """
        found: dict[OpenNumber, Fraction] = {}
        beyond: tuple[dict[Key, int], dict[Key, int]] = {}, {}
        followed = self.followed(low, high)
        for key, weight in followed.weights.items():
            base, ours, theirs = key
            if ours or base >= high:
                beyond[1][key] = weight
            elif theirs or base < low:
                beyond[0][key] = weight
            else:
                found[OpenNumber(base)] = Fraction(weight, followed.whole)
        for next_to, weights in zip((max, min), beyond, strict=True):
            if weights:
                total = OpenTotal(weights, followed.whole)
                found[total.as_number(next_to([base for base, _, _ in weights]))] = total.share
        return found

    def as_number(self, base: int) -> OpenNumber:
        """The whole total as one state of a rule."""
        divisor = gcd(*self.weights.values())
        return OpenNumber(base, tuple([(key, weight // divisor) for key, weight in sorted(self.weights.items())]))


NOTHING = OpenTotal({(0, (), ()): 1}, 1)
"""A total of nought."""

_Table: TypeAlias = tuple[dict[int, int], int]
"""Weights by number, and their total."""


def _combined(tables: Sequence[_Table]) -> _Table:
    """One table of several, out of a common number."""
    if len(tables) == 1:
        return tables[0]
    common = lcm(*[whole for _, whole in tables])
    found: dict[int, int] = {}
    for table, whole in tables:
        factor = common // whole
        for base, weight in table.items():
            found[base] = found.get(base, 0) + weight * factor
    return found, common


def added(parts: Iterable[tuple[Mapping[Key, int], int]]) -> OpenTotal:
    """One total of parts that exclude each other."""
    listed = [(weights, whole) for weights, whole in parts if weights]
    common = lcm(*[whole for _, whole in listed])
    found: dict[Key, int] = {}
    for weights, whole in listed:
        factor = common // whole
        for key, weight in weights.items():
            found[key] = found.get(key, 0) + weight * factor
    return OpenTotal(found, common)


def as_total(number: int, chance: Fraction = Fraction(1)) -> OpenTotal:
    """A number as a total, or all that it stands for."""
    if isinstance(number, OpenNumber) and number.parts:
        weights = {key: weight * chance.numerator for key, weight in number.parts}
        return OpenTotal(weights, sum([weight for _, weight in number.parts]) * chance.denominator)
    return OpenTotal({(int(number), (), ()): chance.numerator}, chance.denominator)


def least_beyond(total: OpenTotal, price: Fraction) -> int:
    """The least number above nought that a total reaches with less chance than a price."""
    return least_beyond_both(NOTHING, total, price)


def least_beyond_both(one: OpenTotal, other: OpenTotal, price: Fraction) -> int:
    """The least number above nought that two totals both reach with less chance than a price."""

    def likely(number: int) -> bool:
        reached = other.at_least(number)
        return reached >= price and (one is NOTHING or reached * one.at_least(number) >= price)

    low, high = 0, 1
    while likely(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if likely(middle) else (low, middle)
    return high


def sum_of(number: int, other: int) -> int:
    """The sum of two numbers, of which each may stand for all beyond a bound."""
    if not isinstance(number, OpenNumber) and not isinstance(other, OpenNumber):
        return number + other
    together = int(number) + int(other)
    if not getattr(number, "parts", ()) and not getattr(other, "parts", ()):
        return OpenNumber(together)
    return as_total(number).plus(as_total(other)).as_number(together)


@lru_cache(maxsize=256)
def _paired(our: Run, their: Run) -> list[tuple[Runs, Runs, list[tuple[int, int]], int]]:
    """Two runs against each other as cases with a run on one side at most: shifts with weights, out of a number."""
    (power, step), (other_power, other_step) = our, their
    common = lcm(step, other_step)
    more, less = common // step, common // other_step
    grows, answers = SIX**power, SIX**other_power
    ahead = [(SIX * step * left, (grows - 1) * grows ** (more - 1 - left)) for left in range(more)]
    behind = [(-SIX * other_step * left, (answers - 1) * answers ** (less - 1 - left)) for left in range(less)]
    shifts = [(up + down, weight * part) for up, weight in ahead for down, part in behind]
    a, b = grows**more, answers**less
    cases: list[tuple[Runs, Runs, int, int]] = [
        ((), (), 0, (a - 1) * (b - 1)),
        ((), ((other_power * less, common),), -SIX * common, a - 1),
        (((power * more, common),), (), SIX * common, b - 1),
    ]
    scale = (a - 1) * (b - 1) * (a * b - 1)
    divisor = gcd(scale, *[weight * factor for _, weight in shifts for *_, factor in cases])
    return [
        (mine, yours, [(shift + leap, weight * factor // divisor) for shift, weight in shifts], scale // divisor)
        for mine, yours, leap, factor in cases
    ]


def _chances(ours: Runs, theirs: Runs, first: int, last: int) -> tuple[list[int], int]:
    """Chances that runs on one side come to each number of sixes or more, as whole numbers out of another."""
    if not theirs:
        tail, common = _tail(ours, max(1, last))
        return [common if sixes <= 0 else tail[sixes] for sixes in range(first, last + 1)], common
    tail, common = _tail(theirs, max(1, 1 - first))
    return [0 if sixes > 0 else common - tail[1 - sixes] for sixes in range(first, last + 1)], common


def _tail(runs: Runs, most: int) -> tuple[list[int], int]:
    """Chances that runs come to 0, 1, 2 sixes or more, up to ``most`` at least, as whole numbers out of another."""
    return _whole_tail(runs, 1 << most.bit_length()) if runs else ([1] + [0] * most, 1)


@lru_cache(maxsize=4_096)
def _whole_tail(runs: Runs, most: int) -> tuple[list[int], int]:
    rate = max([-(-power // step) for power, step in runs])
    exactly = [1] + [0] * most  # each times 6 ** (rate * sixes)
    whole = 1
    for power, step in runs:
        whole *= SIX**power
        factor, less = SIX**power - 1, SIX ** (rate * step - power)
        for sixes in range(most + 1):
            before = exactly[sixes - step] * less if sixes >= step else 0
            exactly[sixes] = factor * exactly[sixes] + before
    common = whole * SIX ** (rate * most)
    tail = [common]
    for sixes in range(most):
        tail.append(tail[-1] - exactly[sixes] * SIX ** (rate * (most - sixes)))
    return tail, common


@lru_cache(maxsize=4_096)
def _mean(runs: Runs) -> Fraction:
    return sum([Fraction(step, SIX**power - 1) for power, step in runs], Fraction(0))


def _excess(ours: Runs, theirs: Runs, ahead: int) -> Fraction:
    """Mean of what a number with runs on one side has beyond another; ``ahead`` is by how much it is ahead already."""
    if theirs:
        return ahead - SIX * _mean(theirs) + _excess(theirs, (), -ahead)
    sixes = max(0, -(ahead // SIX))
    tail, common = _tail(ours, max(1, sixes))
    further = _mean(ours) - Fraction(sum(tail[1 : sixes + 1]), common)
    return SIX * further + (ahead + SIX * sixes) * Fraction(tail[sixes], common)


# ---------------------------------------------------------------------- distributions


def open_table(total: OpenTotal, ceiling: int) -> Dist[Any]:
    """All totals below a ceiling, and one line for the rest.

    >>> from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total

    >>> open_table(bought_total(1), 12).at_least(12)
    Fraction(1, 36)
    """
    lowest = min([base for base, _, _ in total.weights])
    return Dist.from_chances(total.table(lowest, max(lowest, ceiling), is_open=True))


@dataclass(frozen=True, slots=True)
class Followed(Rollable[Any]):
    """Chances of a roll as odds follow it; play throws the dice themselves instead."""

    chances: Callable[..., Mapping[Any, Fraction]]
    given: tuple[Any, ...]

    def read(self, face: Face) -> Any:
        """Refused: this is never thrown."""
        raise TablewrightError(f"{self} is for odds alone")

    def _weigh(self) -> Dist[Any]:
        return Dist.from_chances(self.chances(*self.given))

    def __str__(self) -> str:
        return "a roll without end"


def yes_or_no(chance: Fraction, yes: T, no: T) -> FixedOdds[T]:
    """Odds of a rule with two results, by the chance of the first."""
    return FixedOdds(Dist.from_chances({yes: chance, no: 1 - chance}))
