"""Numbers that are still growing, where a rule goes on with them and asks for choices.

A rule that goes on with an open-ended total would have a state for each of infinitely many numbers. Beyond some number
every choice is the same, though: no one pays for what is certain or nearly out of reach. From there on a total is left
as it is, a number with runs to come, and later dice are added to it and taken from it in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from tablewright.dice import Dist, Face, Rollable
from tablewright.errors import TablewrightError
from tablewright.systems.opend6.mechanics.open_ended import (
    SIX,
    Lead,
    OpenTotal,
    Runs,
    bought_total,
    dist_of,
)

Leads = Mapping[tuple[int, Runs, Runs], Fraction]
"""Chances by the number there is and the runs of both sides, which need not add up to 1."""

MOST_FOLLOWED = 20
"""Bought dice of which odds without end are worked out."""


class OpenNumber(int):
    """A number with runs to come: 6 more for each of its own, or 6 less for each run against it.

    It compares as the number there is, which is the least that it can become, or the most where runs are against it.

    >>> OpenNumber(30, (1,)) == 30, OpenNumber(30, (1,)) >= 30, OpenNumber(30, (1,)).shifted(2)
    (False, True, OpenNumber(32, (1,), ()))
    """

    ours: Runs
    theirs: Runs

    def __new__(cls, base: int, ours: Runs = (), theirs: Runs = ()) -> OpenNumber:  # noqa: PYI034 - as `OrMore`
        new = super().__new__(cls, base)
        new.ours, new.theirs = ours, theirs
        return new

    def shifted(self, by: int) -> OpenNumber:
        """The same runs on another number."""
        return OpenNumber(int(self) + by, self.ours, self.theirs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenNumber) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, Runs, Runs]:
        return int(self), self.ours, self.theirs

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenNumber, self._key()

    def __str__(self) -> str:
        return f"{int(self)}{' or more' * bool(self.ours)}{' or less' * bool(self.theirs)}"

    def __repr__(self) -> str:
        return f"OpenNumber({int(self)}, {self.ours}, {self.theirs})"


def shifted(number: int, by: int) -> int:
    """A number with so much added, its runs kept."""
    return number.shifted(by) if isinstance(number, OpenNumber) else number + by


def as_total(number: int) -> OpenTotal:
    """A number with the runs that are its own as a total."""
    return total_of([(number, Fraction(1))])


def chances_of(lead: Lead) -> Leads:
    """Chances of a lead."""
    return {key: Fraction(weight, lead.whole) for key, weight in lead.weights.items()}


def moved(number: int, dice: OpenTotal, sign: int = 1) -> Leads:
    """A number after dice are added to it, or taken from it where ``sign`` is -1."""
    ours, theirs = (number.ours, number.theirs) if isinstance(number, OpenNumber) else ((), ())
    found: dict[tuple[int, Runs, Runs], Fraction] = {}
    for (base, runs), weight in dice.weights.items():
        more, against = (runs, ()) if sign > 0 else ((), runs)
        key = (int(number) + sign * base, tuple(sorted(ours + more)), tuple(sorted(theirs + against)))
        found[key] = found.get(key, Fraction(0)) + Fraction(weight, dice.whole)
    return found


def follow(leads: Leads, low: int, high: int) -> dict[OpenNumber, Fraction]:
    """Chances of numbers, without runs between two bounds and with those that are left beyond either.

    Of two runs on different sides both end, or one of them: that leaves one fewer each time, and nothing is cut.

    >>> found = follow({(0, (1,), (1,)): Fraction(1)}, -5, 5)
    >>> {number: str(chance) for number, chance in found.items()}
    {OpenNumber(6, (1,), ()): '1/7', OpenNumber(-6, (), (1,)): '1/7', OpenNumber(0, (), ()): '5/7'}
    """
    found: dict[OpenNumber, Fraction] = {}
    waiting = [(base, ours, theirs, chance) for (base, ours, theirs), chance in leads.items()]
    while waiting:
        base, ours, theirs, chance = waiting.pop()
        grows = Fraction(1, SIX ** ours[0]) if ours else Fraction(0)
        answers = Fraction(1, SIX ** theirs[0]) if theirs else Fraction(0)
        if ours and theirs:
            chance /= 1 - grows * answers
            waiting += [
                (base, ours[1:], theirs[1:], chance * (1 - grows) * (1 - answers)),
                (base - SIX, ours[1:], theirs, chance * (1 - grows) * answers),
                (base + SIX, ours, theirs[1:], chance * grows * (1 - answers)),
            ]
        elif ours and base < high:
            waiting += [(base, ours[1:], (), chance * (1 - grows)), (base + SIX, ours, (), chance * grows)]
        elif theirs and base > low:
            waiting += [(base, (), theirs[1:], chance * (1 - answers)), (base - SIX, (), theirs, chance * answers)]
        else:
            number = OpenNumber(base, ours, theirs)
            found[number] = found.get(number, Fraction(0)) + chance
    return found


def total_of(numbers: Iterable[tuple[int, Fraction]]) -> OpenTotal:
    """A total of numbers with chances, with all of these as its share."""
    chances: dict[tuple[int, Runs], Fraction] = {}
    for number, chance in numbers:
        key = (int(number), number.ours if isinstance(number, OpenNumber) else ())
        chances[key] = chances.get(key, Fraction(0)) + chance
    common = lcm(*[chance.denominator for chance in chances.values()])
    weights = {key: int(chance * common) for key, chance in chances.items()}
    whole = sum(weights.values())
    return OpenTotal(weights, whole, Fraction(whole, common))


@lru_cache(maxsize=1_024)
def out_of_reach(points: int, price: Fraction) -> int:
    """The least number that so many bought dice reach with less chance than a price.

    >>> out_of_reach(1, Fraction(1, 10)), bought_total(1).at_least(10)
    (10, Fraction(1, 12))
    """
    return least_beyond(bought_total(min(points, MOST_FOLLOWED)), price)


def least_beyond(total: OpenTotal, price: Fraction) -> int:
    """The least number above nought that a total reaches with less chance than a price."""
    least = 1
    while total.at_least(least) >= price:
        least += 1
    return least


@dataclass(frozen=True, slots=True)
class Followed(Rollable[Any]):
    """Chances of a roll as odds follow it; play throws the dice themselves instead."""

    chances: Callable[..., Mapping[Any, Fraction]]
    given: tuple[Any, ...]

    def read(self, face: Face) -> Any:
        """Refused: this is never thrown."""
        raise TablewrightError(f"{self} is for odds alone")

    def _weigh(self) -> Dist[Any]:
        return dist_of(self.chances(*self.given))

    def __str__(self) -> str:
        return "a roll without end"
