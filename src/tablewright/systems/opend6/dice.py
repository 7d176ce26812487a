"""A roll with its Wild Die, and the Wild Dice that Character Points buy.

Sixes on a Wild Die are thrown again without end, so totals are counted only up to a ceiling: whatever reaches it
counts as the ceiling itself. Below it every chance is exact, and so is every rule that does not look beyond it. Dice
that are ``whole`` show all that was thrown: what lies on the table must not tell how much of it matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tablewright.dice import Die, Dist, Face, Rollable
from tablewright.dice.tables import convolve, equal_dice
from tablewright.errors import BadInput
from tablewright.systems.opend6.options import CancelScope

D6 = Die(6)
LOWEST_CEILING = 2

MOST_WORK = 12_000_000
"""How much weighing bought dice that can be dropped may take: about a second."""


class Thrown(NamedTuple):
    """A roll: everything added up, whether it is a Critical Failure, and the sum where that cancels dice."""

    total: int
    critical_failure: bool
    cancelled: int

    def to_json(self) -> int | dict[str, int | bool]:
        """The sum alone, unless the roll is a Critical Failure: then also what is left where dice are dropped for it.

        >>> Thrown(9, False, 9).to_json(), Thrown(9, True, 5).to_json()
        (9, {'total': 9, 'critical_failure': True, 'with_dice_dropped': 5})
        """
        if not self.critical_failure:
            return self.total
        return {"total": self.total, "critical_failure": True, "with_dice_dropped": self.cancelled}


def _throw_wild(face: Face) -> int:
    """One Wild Die with all its sixes."""
    value = shown = face(D6)
    while shown == 6:
        shown = face(D6)
        value += shown
    return value


def _wild(ceiling: int) -> list[int]:
    """The weights of one Wild Die by its value; the last entry holds everything from the ceiling on."""
    tosses = -(-ceiling // 6) + 1
    table = [0] * ceiling
    scale = 6 ** (tosses - 1)
    for sixes in range(tosses):
        for last in range(1, 6):
            if 6 * sixes + last < ceiling:
                table[6 * sixes + last] = scale
        scale //= 6
    return [*table, 6**tosses - sum(table)]


def _up_to(table: list[int], ceiling: int) -> list[int]:
    """The same table with everything beyond the ceiling counted as the ceiling."""
    return table if len(table) <= ceiling + 1 else [*table[:ceiling], sum(table[ceiling:])]


def _wild_dice(count: int, ceiling: int, highest: int | None = None) -> list[int]:
    """The weights of the sum of Wild Dice, each showing at most ``highest``."""
    one = _wild(ceiling)
    table = [1]
    for _ in range(count):
        table = _up_to(convolve(table, one if highest is None else one[: highest + 1]), 2 * ceiling)
    return table


@dataclass(frozen=True, slots=True)
class PointDice(Rollable[int]):
    """The Wild Dice that Character Points buy: sixes go on, a 1 is just a 1.

    >>> PointDice(1, 7).weigh().at_least(7)
    Fraction(1, 6)
    """

    count: int
    ceiling: int
    cuts: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        _check(self.count, self.ceiling)

    def read(self, face: Face) -> int:
        """Throw one die after the other, each with all its sixes."""
        shown = sum([_throw_wild(face) for _ in range(self.count)])
        return shown if self.whole else min(shown, self.ceiling)

    def _weigh(self) -> Dist[int]:
        return Dist.from_table(0, _up_to(_wild_dice(self.count, self.ceiling), self.ceiling))

    @property
    def remainder(self) -> Fraction:
        """The chance of reaching the ceiling, where the rule would look beyond it."""
        return self.weigh()[self.ceiling] if self.cuts else Fraction(0)

    def __str__(self) -> str:
        return f"{self.count}D of Character Points"


@dataclass(frozen=True, slots=True)
class WildRoll(Rollable[Thrown]):
    """One Wild Die, regular dice, and dice bought with Character Points. [opend6.gap.dice.cancel]

    ``scope`` says whether the 1 of a Critical Failure is dropped with the highest die, ``reaches_points`` whether that
    die may be one of the bought ones. ``cuts`` is set where the rule looks beyond the ceiling, so that the chance of
    reaching it is reported.

    >>> WildRoll(3, 0, 15).weigh().chance(lambda thrown: thrown.total >= 14)
    Fraction(4501, 7776)
    """

    regular: int
    points: int
    ceiling: int
    scope: CancelScope = "wild_and_highest"
    reaches_points: bool = False
    cuts: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        _check(self.regular + self.points, self.ceiling)

    def read(self, face: Face) -> Thrown:
        """Throw the Wild Die first, then the regular dice, then the bought ones."""
        wild = _throw_wild(face)
        regular = [face(D6) for _ in range(self.regular)]
        bought = [_throw_wild(face) for _ in range(self.points)]
        total = wild + sum(regular) + sum(bought)
        most = total if self.whole else self.ceiling
        if wild != 1:
            return self._thrown(total, None, most)
        return self._thrown(total, max([*regular, *(bought if self.reaches_points else [])], default=0), most)

    def _thrown(self, total: int, highest: int | None, most: int) -> Thrown:
        """What lies there; ``highest`` is the highest die that can be dropped, 0 if there is none, None if none is."""
        shown = min(total, most)
        if highest is None:
            return Thrown(shown, False, shown)
        keeps_one = self.scope == "highest_only" and highest > 0
        return Thrown(shown, True, min(total - highest - (0 if keeps_one else 1), most))

    def _weigh(self) -> Dist[Thrown]:
        if self.reaches_points and self.points * self.ceiling**3 > MOST_WORK:
            raise BadInput(
                f"{self} are too many for exact odds where a bought die can be dropped; "
                "spend fewer points, or let the drop not reach bought dice"
            )
        wild = _wild(self.ceiling)
        bought = _wild_dice(self.points, self.ceiling)
        regular = equal_dice(self.regular, 6)
        one, wild[1] = wild[1], 0
        weights: dict[Thrown, int] = {}
        for total, weight in enumerate(convolve(convolve(wild, regular), bought), self.regular):
            if weight:
                thrown = self._thrown(total, None, self.ceiling)
                weights[thrown] = weights.get(thrown, 0) + weight
        for highest, low, table in self._by_highest(bought):
            for total, weight in enumerate(table, low + 1):
                if weight:
                    thrown = self._thrown(total, highest, self.ceiling)
                    weights[thrown] = weights.get(thrown, 0) + weight * one
        return Dist.from_dict(weights)

    def _by_highest(self, bought: list[int]) -> list[tuple[int, int, list[int]]]:
        """The regular and bought dice by the highest die that can be dropped: it, the lowest sum, and the table."""
        if self.regular == 0 and not (self.reaches_points and self.points):
            return [(0, 0, bought)]
        found = []
        before: list[int] = []
        for highest in range(1, (self.ceiling if self.reaches_points and self.points else 6) + 1):
            table = equal_dice(self.regular, min(highest, 6))
            if self.reaches_points:
                table = convolve(table, _wild_dice(self.points, self.ceiling, highest))
            exactly = [weight - less for weight, less in zip(table, before + [0] * len(table), strict=False)]
            found.append((highest, self.regular, exactly if self.reaches_points else convolve(exactly, bought)))
            before = table
        return found

    @property
    def remainder(self) -> Fraction:
        """The chance of reaching the ceiling, where the rule would look beyond it."""
        return self.weigh().chance(lambda thrown: thrown.total == self.ceiling) if self.cuts else Fraction(0)

    def __str__(self) -> str:
        bought = f" and {self.points}D of Character Points" if self.points else ""
        return f"{self.regular + 1}D with the Wild Die first{bought}"


def _check(dice: int, ceiling: int) -> None:
    if not 0 <= dice <= 200:
        raise BadInput(f"{dice} dice are too many; 0 to 200 can be rolled")
    if not LOWEST_CEILING <= ceiling <= 5_000:
        raise BadInput(f"a ceiling of {ceiling} is out of bounds; {LOWEST_CEILING} to 5,000 are allowed")
