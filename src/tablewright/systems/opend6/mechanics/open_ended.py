"""Totals of dice that are thrown again without end, in closed form.

A Wild Die shows 1 to 5 at once, or it is a 6 and goes on: then it is worth 6, and what the last toss shows, and 6 more
for each further six. The number of those is a *run*: it ends with five chances in six and grows with one. So the total
of any dice is a finite table of numbers, each with so many runs to come, and the chance that a total reaches a number,
or that one total exceeds another, is a finite sum over geometric series. Nothing is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from tablewright.dice import Dist, OrMore
from tablewright.dice.weights import equal_dice

SIX = 6
Runs = tuple[int, ...]
"""Runs to come, each by its power: a run of power p grows with a chance of 1 in 6 ** p."""

MOST_BOUGHT = 8
"""Bought dice of which a closed form is worked out: more would take seconds."""

T = TypeVar("T")


class OpenTotal(NamedTuple):
    """A total as a finite table: weights by the number there is and the runs to come, each worth 6.

    ``share`` is the chance of all of it, where it is a part of a roll.
    """

    weights: Mapping[tuple[int, Runs], int]
    whole: int
    share: Fraction = Fraction(1)

    def at_least(self, least: int) -> Fraction:
        """Chance of ``least`` or more.

        >>> counted_total(3, 0).at_least(14)
        Fraction(4165, 7776)
        """
        return self.over(NOTHING).at_least(least)

    def over(self, other: OpenTotal) -> Lead:
        """The lead over another total.

        >>> counted_total(2, 0).over(counted_total(2, 0)).at_least(0)
        Fraction(74335, 139968)
        """
        weights: dict[tuple[int, Runs, Runs], int] = {}
        for (base, ours), weight in self.weights.items():
            for (less, theirs), part in other.weights.items():
                key = (base - less, ours, theirs)
                weights[key] = weights.get(key, 0) + weight * part
        return Lead(weights, self.whole * other.whole)

    def plus(self, other: OpenTotal | int) -> OpenTotal:
        """The sum of two totals, or of a total and a number."""
        if isinstance(other, int):
            return self._replace(weights={(base + other, runs): part for (base, runs), part in self.weights.items()})
        weights: dict[tuple[int, Runs], int] = {}
        for (base, runs), weight in self.weights.items():
            for (more, further), part in other.weights.items():
                key = (base + more, tuple(sorted(runs + further)))
                weights[key] = weights.get(key, 0) + weight * part
        return OpenTotal(weights, self.whole * other.whole)

    def floored(self, least: int) -> OpenTotal:
        """The same total where everything below ``least`` counts as that.

        >>> bought_total(1).plus(-8).floored(0).at_least(1)
        Fraction(1, 9)
        """
        return self.map_below(least, lambda _: least)

    def map_below(self, least: int, change: Callable[[int], int]) -> OpenTotal:
        """The same total with every number below ``least`` changed; runs are followed until they reach it."""
        weights: dict[tuple[int, Runs], Fraction] = {}
        to_do = [(base, runs, Fraction(weight)) for (base, runs), weight in self.weights.items()]
        while to_do:
            base, runs, weight = to_do.pop()
            if base < least and runs:
                grows = Fraction(1, SIX ** runs[0])
                to_do += [(base, runs[1:], weight * (1 - grows)), (base + SIX, runs, weight * grows)]
                continue
            key = (base if base >= least else change(base), runs)
            weights[key] = weights.get(key, Fraction(0)) + weight
        return _scaled(weights, self)

    def divided(self, by: int) -> OpenTotal:
        """The total divided, rounded up: of as many sixes as it is divided by, one is left.

        >>> bought_total(1).divided(5).at_least(2)
        Fraction(1, 6)
        """
        weights: dict[tuple[int, Runs], Fraction] = {}
        for (start, runs), weight in self.weights.items():
            found: dict[tuple[int, Runs], Fraction] = {(start, ()): Fraction(weight)}
            for power in runs:
                grows = Fraction(1, SIX**power)
                spread: dict[tuple[int, Runs], Fraction] = {}
                for (base, further), part in found.items():
                    for left in range(by):
                        key = (base + SIX * left, (*further, power * by))
                        chance = (1 - grows) * grows**left / (1 - grows**by)
                        spread[key] = spread.get(key, Fraction(0)) + part * chance
                found = spread
            for (base, further), part in found.items():
                rounded = (-(-base // by), tuple(sorted(further)))
                weights[rounded] = weights.get(rounded, Fraction(0)) + part
        return _scaled(weights, self)

    def chances(self, top: int) -> dict[int, Fraction]:
        """Chances of every number below ``top``, and of ``top`` or more."""
        lowest = min([base for base, _ in self.weights])
        return self.over(NOTHING).table(lowest, max(lowest, top), is_open=False)

    def only(self, holds: Callable[[int], bool]) -> OpenTotal:
        """The part of a total whose numbers, runs aside, pass a test; its share is its chance."""
        kept = {key: weight for key, weight in self.weights.items() if holds(key[0])}
        whole = sum(kept.values())
        return OpenTotal(kept, whole, self.share * Fraction(whole, self.whole))


def _scaled(weights: Mapping[tuple[int, Runs], Fraction], total: OpenTotal) -> OpenTotal:
    """A table of fractions in whole numbers."""
    common = lcm(*[weight.denominator for weight in weights.values()])
    return OpenTotal({key: int(weight * common) for key, weight in weights.items()}, total.whole * common, total.share)


NOTHING = OpenTotal({(0, ()): 1}, 1)
"""A total of nought."""


class Lead(NamedTuple):
    """The lead of one total over another: weights by the number there is and the runs of both sides."""

    weights: Mapping[tuple[int, Runs, Runs], int]
    whole: int

    def at_least(self, least: int) -> Fraction:
        """Chance of a lead of ``least`` or more."""
        return self.reached(least, least)[0]

    def reached(self, low: int, top: int) -> list[Fraction]:
        """Chances of a lead of each number from ``low`` to ``top`` or more, in whole numbers up to the last step."""
        found = [Fraction(0)] * (top - low + 1)
        by_runs: dict[tuple[Runs, Runs], dict[int, int]] = {}
        for (base, ours, theirs), weight in self.weights.items():
            by_runs.setdefault((ours, theirs), {})[base] = weight
        for (ours, theirs), weights in by_runs.items():
            first, last = min(weights), max(weights)
            sums = [0, *accumulate([weights.get(base, 0) for base in range(first, last + 1)])]
            fewest = -((last - low) // SIX)
            chances = [run_chance(ours, theirs, runs) for runs in range(fewest, -((first - top) // SIX) + 1)]
            common = lcm(*[chance.denominator for chance in chances])
            shares = [chance.numerator * (common // chance.denominator) for chance in chances]
            for least in range(low, top + 1):
                total = 0
                for runs in range(-((last - least) // SIX), -((first - least) // SIX) + 1):
                    start = least - SIX * runs - first  # six numbers from here on need as many runs
                    counted = sums[min(len(sums) - 1, max(0, start + SIX))] - sums[min(len(sums) - 1, max(0, start))]
                    total += counted * shares[runs - fewest]
                found[least - low] += Fraction(total, common * self.whole)
        return found

    def beyond(self, least: int) -> Fraction:
        """Mean of what a lead has beyond ``least``; a lead below it counts as none."""
        parts = [
            weight * (SIX * run_excess(ours, theirs, runs + 1) + rest * run_chance(ours, theirs, runs))
            for (ours, theirs, runs, rest), weight in self._grouped(least).items()
        ]
        return sum(parts, Fraction(0)) / self.whole

    def _grouped(self, least: int) -> dict[tuple[Runs, Runs, int, int], int]:
        """Weights by the runs of both sides, how many must be ahead, and what is beyond then."""
        grouped: dict[tuple[Runs, Runs, int, int], int] = {}
        for (base, ours, theirs), weight in self.weights.items():
            runs = -((base - least) // SIX)
            key = (ours, theirs, runs, base + SIX * runs - least)
            grouped[key] = grouped.get(key, 0) + weight
        return grouped

    def table(self, low: int, top: int, *, is_open: bool) -> dict[Any, Fraction]:
        """Chances of every lead: ``low`` or less, each number up to ``top``, and ``top`` or more.

        Where the table ``is_open`` the last is told as the rest, with its exact mean.
        """
        reached = [Fraction(1), *self.reached(low + 1, top), Fraction(0)]
        chances: dict[Any, Fraction] = {
            low + at: chance - following
            for at, (chance, following) in enumerate(pairwise(reached))
            if chance > following
        }
        if is_open and top in chances:
            rest = chances.pop(top)
            chances[self.rest(top)] = rest
        return chances

    def rest(self, top: int) -> OrMore:
        """The rest of a table from ``top`` on, which must have a chance, with its exact mean."""
        return OrMore(top, top + self.beyond(top) / self.at_least(top))


# ---------------------------------------------------------------------- runs


@lru_cache(maxsize=65_536)
def run_chance(ours: Runs, theirs: Runs, least: int) -> Fraction:
    """Chance that some runs together exceed others by ``least`` or more.

    Of two runs on different sides both end, or one of them, or both grow, which leaves the lead as it was.

    >>> run_chance((1,), (), 1), run_chance((1,), (1,), 1), run_chance((1, 1), (), 0)
    (Fraction(1, 6), Fraction(1, 7), Fraction(1, 1))
    """
    if not ours:
        return Fraction(int(least <= 0)) if not theirs else 1 - run_chance(theirs, (), 1 - least)
    if not theirs:
        if least <= 0:
            return Fraction(1)
        grows = Fraction(1, SIX ** ours[0])
        return (1 - grows) * run_chance(ours[1:], (), least) + grows * run_chance(ours, (), least - 1)
    grows, answers = Fraction(1, SIX ** ours[0]), Fraction(1, SIX ** theirs[0])
    settled = (
        (1 - grows) * (1 - answers) * run_chance(ours[1:], theirs[1:], least)
        + (1 - grows) * answers * run_chance(ours[1:], theirs, least + 1)
        + grows * (1 - answers) * run_chance(ours, theirs[1:], least - 1)
    )
    return settled / (1 - grows * answers)


@lru_cache(maxsize=65_536)
def run_excess(ours: Runs, theirs: Runs, least: int) -> Fraction:
    """Mean of what some runs have over others from ``least`` on: the sum of the chances of it and of every more.

    >>> run_excess((1,), (), 1), run_excess((), (), 1), run_excess((), (), -1)
    (Fraction(1, 5), Fraction(0, 1), Fraction(2, 1))
    """
    if not ours and not theirs:
        return Fraction(max(0, 1 - least))
    if not ours:
        if least > 0:
            return Fraction(0)
        return 1 - least - _mean(theirs) + run_excess(theirs, (), 2 - least)
    if not theirs:
        if least <= 0:
            return _mean(ours) + 1 - least
        grows = Fraction(1, SIX ** ours[0])
        return (1 - grows) * run_excess(ours[1:], (), least) + grows * run_excess(ours, (), least - 1)
    grows, answers = Fraction(1, SIX ** ours[0]), Fraction(1, SIX ** theirs[0])
    settled = (
        (1 - grows) * (1 - answers) * run_excess(ours[1:], theirs[1:], least)
        + (1 - grows) * answers * run_excess(ours[1:], theirs, least + 1)
        + grows * (1 - answers) * run_excess(ours, theirs[1:], least - 1)
    )
    return settled / (1 - grows * answers)


def _mean(runs: Runs) -> Fraction:
    return sum([Fraction(1, SIX**power - 1) for power in runs], Fraction(0))


def open_table(total: OpenTotal, ceiling: int) -> Dist[Any]:
    """All totals below a ceiling, and one line for the rest.

    >>> open_table(bought_total(1), 12).at_least(12)
    Fraction(1, 36)
    """
    lowest = min([base for base, _ in total.weights])
    return dist_of(total.over(NOTHING).table(lowest, max(lowest, ceiling), is_open=True))


def rest_of(total: OpenTotal, top: int) -> OrMore:
    """The rest of the table of a total that can be ``top`` or more, with its exact mean."""
    return total.over(NOTHING).rest(top)


def dist_of(chances: Mapping[T, Fraction]) -> Dist[T]:
    """Distribution of exact chances that add up to 1, or to the share of a part."""
    common = lcm(*[chance.denominator for chance in chances.values()])
    return Dist.from_dict({outcome: int(chance * common) for outcome, chance in chances.items() if chance})


# ---------------------------------------------------------------------- dice


_SHOWN = OpenTotal(
    {(face, ()): 5 for face in range(1, 6)} | {(SIX + face, (1,)): 1 for face in range(1, 6)},
    30,
)
"""A Wild Die: 1 to 5, or a six with what the last toss shows and a run."""


@lru_cache(maxsize=1_024)
def bought_total(count: int) -> OpenTotal:
    """Dice bought with Character Points: sixes go on, a 1 is just a 1."""
    return NOTHING if count == 0 else bought_total(count - 1).plus(_SHOWN)


def _regular(dice: int, highest: int = SIX) -> list[tuple[int, int]]:
    """Sums of regular dice that show at most ``highest``, with their weights."""
    return list(enumerate(equal_dice(dice, highest), dice)) if dice else [(0, 1)]


@lru_cache(maxsize=1_024)
def plain_total(regular: int, points: int) -> OpenTotal:
    """A roll that is no Critical Failure: the Wild Die shows anything but a 1."""
    wild = _SHOWN.only(lambda base: base > 1)
    shown: dict[tuple[int, Runs], int] = {(base, ()): weight for base, weight in _regular(regular)}
    dice = OpenTotal(shown, SIX**regular)
    return wild.plus(dice).plus(bought_total(points))._replace(share=wild.share)


@lru_cache(maxsize=1_024)
def failed_totals(regular: int, points: int) -> tuple[tuple[int, OpenTotal], ...]:
    """Rolls that are a Critical Failure, by the highest regular die: all dice added, the 1 included."""
    bought = bought_total(points)
    if not regular:
        return ((0, bought.plus(1)._replace(share=Fraction(1, SIX))),)
    found, before = [], dict[int, int]()
    for highest in range(1, SIX + 1):
        table = dict(_regular(regular, highest))
        dice: dict[tuple[int, Runs], int] = {
            (base, ()): weight - before.get(base, 0) for base, weight in table.items() if weight > before.get(base, 0)
        }
        ways = sum(dice.values())
        share = Fraction(ways, SIX ** (regular + 1))
        found.append((highest, OpenTotal(dice, ways).plus(bought).plus(1)._replace(share=share)))
        before = table
    return tuple(found)


def mixed(parts: Sequence[OpenTotal]) -> OpenTotal:
    """One total of parts that exclude each other, by their shares."""
    common = lcm(*[(part.share / part.whole).denominator for part in parts])
    weights: dict[tuple[int, Runs], int] = {}
    for part in parts:
        factor = int(part.share / part.whole * common)
        for key, weight in part.weights.items():
            weights[key] = weights.get(key, 0) + weight * factor
    share = sum([part.share for part in parts], Fraction(0))
    return OpenTotal(weights, sum(weights.values()), share)


@lru_cache(maxsize=4_096)
def failed_total(regular: int, points: int, cancels: bool, keeps_one: bool) -> OpenTotal:
    """A Critical Failure as it counts: without the dice that it cancels, or with all of them."""
    parts = []
    for highest, part in failed_totals(regular, points):
        less = highest + (0 if keeps_one and highest else 1) if cancels else 0
        parts.append(part.plus(-less))
    return mixed(parts)


@lru_cache(maxsize=4_096)
def counted_total(regular: int, points: int, cancels: bool = True, keeps_one: bool = False) -> OpenTotal:
    """The total of a roll as it counts: with a 1 on the Wild Die the dice that it cancels are left out.

    >>> counted_total(3, 0).at_least(14)
    Fraction(4165, 7776)
    """
    return mixed([plain_total(regular, points), failed_total(regular, points, cancels, keeps_one)])


@dataclass(frozen=True)
class Formula(Generic[T]):
    """Odds of a rule without choices, by a formula."""

    dist: Dist[T]
    deciding: bool = False
    remainder: Fraction = Fraction(0)
    work: int = 1

    def support(self) -> Sequence[T]:
        """Every outcome."""
        return self.dist.outcomes

    def best(self, value: Callable[[Any], Any] | None) -> Dist[T]:
        """The distribution: there are no choices."""
        return self.dist


def yes_or_no(chance: Fraction, yes: T, no: T) -> Formula[T]:
    """Odds of a rule with two results, by the chance of the first."""
    return Formula(dist_of({yes: chance, no: 1 - chance}))
