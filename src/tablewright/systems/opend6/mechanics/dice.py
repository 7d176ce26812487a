"""Dice of the book and their closed forms.

Sixes on a Wild Die are thrown again without end. In play every one of them counts. Odds need no end either: a roll is a
finite table of totals with so many dice that still go on, and each of those adds sixes by a geometric series
(:mod:`.open_ended`). A rule that asks only whether a number is reached looks at totals up to a ``ceiling``: whatever
reaches it counts as the ceiling itself, and every chance is exact. A table of all totals ends in one line for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Dist, Face, Rollable
from tablewright.dice.weights import convolve, equal_dice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.opend6.mechanics.open_ended import (
    MOST_BOUGHT,
    bought_total,
    counted_total,
    dist_of,
    failed_totals,
    open_table,
    plain_total,
    rest_of,
)
from tablewright.systems.opend6.options import CancelScope, FateStacking, ZeroRule
from tablewright.systems.opend6.values import CriticalFailure, DieCode

D6 = Die(6)
LOWEST_CEILING = 2

MOST_WORK = 12_000_000
"""Limit of the work on bought dice that can be dropped: about a second."""


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
    ends_open: bool = False

    def __post_init__(self) -> None:
        _check(self.count, self.ceiling)

    def read(self, face: Face) -> int:
        """Throw one die after the other, each with all its sixes."""
        return sum([_throw_wild(face) for _ in range(self.count)])

    def _weigh(self) -> Dist[int]:
        if self.ends_open and self.count <= MOST_BOUGHT:
            return open_table(bought_total(self.count), self.ceiling)
        return Dist.from_table(0, _up_to(_wild_dice(self.count, self.ceiling), self.ceiling))

    @property
    def remainder(self) -> Fraction:
        """The chance of reaching the ceiling, where the rule would look beyond it."""
        cut = self.cuts or (self.ends_open and self.count > MOST_BOUGHT)
        return self.weigh()[self.ceiling] if cut else Fraction(0)

    def __str__(self) -> str:
        return f"{self.count}D of Character Points"


@dataclass(frozen=True, slots=True)
class WildRoll(Rollable[Thrown]):
    """One Wild Die, regular dice, and dice bought with Character Points. [opend6.gap.dice.cancel]

    ``scope`` says whether the 1 of a Critical Failure is dropped with the highest die, ``reaches_points`` whether that
    die may be one of the bought ones. ``ends_open`` is set where totals are told as a table: its last line is the
    ceiling or more. ``cuts`` is set where a rule looks beyond the ceiling nevertheless, so that the chance of reaching
    it is reported.

    >>> WildRoll(3, 0, 15).weigh().chance(lambda thrown: thrown.total >= 14)
    Fraction(4501, 7776)
    """

    regular: int
    points: int
    ceiling: int
    scope: CancelScope = "wild_and_highest"
    reaches_points: bool = False
    cuts: bool = False
    ends_open: bool = False

    def __post_init__(self) -> None:
        _check(self.regular + self.points, self.ceiling)

    def read(self, face: Face) -> Thrown:
        """Throw the Wild Die first, then the regular dice, then the bought ones."""
        wild = _throw_wild(face)
        regular = [face(D6) for _ in range(self.regular)]
        bought = [_throw_wild(face) for _ in range(self.points)]
        total = wild + sum(regular) + sum(bought)
        if wild != 1:
            return self._thrown(total, None, total)
        return self._thrown(total, max([*regular, *(bought if self.reaches_points else [])], default=0), total)

    def _thrown(self, total: int, highest: int | None, most: int) -> Thrown:
        """The thrown dice; ``highest`` is the highest die that can be dropped, 0 if there is none, None if none is."""
        shown = min(total, most)
        if highest is None:
            return Thrown(shown, False, shown)
        keeps_one = self.scope == "highest_only" and highest > 0
        return Thrown(shown, True, min(total - highest - (0 if keeps_one else 1), most))

    def _weigh(self) -> Dist[Thrown]:
        if self.reaches_points and self.points * self.ceiling**3 > MOST_WORK:
            raise InvalidInputError(
                f"{self} are too many for exact odds where a bought die can be dropped; "
                "spend fewer points, or let the drop not reach bought dice"
            )
        if self.ends_open and not self.remainder_counts:
            return self._weigh_open()
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

    def _weigh_open(self) -> Dist[Thrown]:
        """All totals below the ceiling, and one line for the rest with its exact mean."""
        keeps_one, most = self.scope == "highest_only", self.ceiling
        rest = [
            rest_of(counted_total(self.regular, self.points, cancels, keeps_one), most) for cancels in (False, True)
        ]
        held = plain_total(self.regular, self.points)
        chances: dict[Thrown, Fraction] = {}
        for total, chance in held.chances(most).items():
            shown = (total, total) if total < most else rest
            chances[Thrown(shown[0], False, shown[1])] = chance * held.share
        for highest, part in failed_totals(self.regular, self.points):
            less = highest + (0 if keeps_one and highest else 1)
            for total, chance in part.chances(most + less).items():
                left = total - less
                thrown = Thrown(total if total < most else rest[0], True, left if left < most else rest[1])
                chances[thrown] = chances.get(thrown, Fraction(0)) + chance * part.share
        return dist_of(chances)

    @property
    def remainder_counts(self) -> bool:
        """True if there is no closed form here: a die without end can be dropped, or there are too many of them."""
        return (self.reaches_points and self.points > 0) or self.points > MOST_BOUGHT

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
        if not self.cuts and not (self.ends_open and self.remainder_counts):
            return Fraction(0)
        return self.weigh().chance(lambda thrown: thrown.total == self.ceiling)

    def __str__(self) -> str:
        bought = f" and {self.points}D of Character Points" if self.points else ""
        return f"{self.regular + 1}D with the Wild Die first{bought}"


def _check(dice: int, ceiling: int) -> None:
    if not 0 <= dice <= 200:
        raise InvalidInputError(f"{dice} dice are too many; 0 to 200 can be rolled")
    if not LOWEST_CEILING <= ceiling <= 5_000:
        raise InvalidInputError(f"a ceiling of {ceiling} is out of bounds; {LOWEST_CEILING} to 5,000 are allowed")


PREPARED = {2: 1, 4: 2, 8: 3}  # opend6.prepare.bonus: times as long, and the dice that it gives
RUSHED = {Fraction(1, 4): 5, Fraction(1, 2): 10, Fraction(3, 4): 20}  # opend6.rush.difficulty: time saved
RUSH_SECONDS = 10  # the shortest task that can be rushed
NOTHING = DieCode(0)
LEAST_TIME = Fraction(1, 4)  # opend6.rush.limits

RetryWhen: TypeAlias = Literal["next_turn", "consequences"]


class NotPossible(NamedTuple):
    """Reason why something cannot be rolled, with its rule."""

    reason: str
    rule: str


# ---------------------------------------------------------------------- dice


def fate_factor(fate_points: int, stacking: FateStacking = "additive") -> int:
    """Multiplier of the character's own code: 2 for one Fate Point, then 3 and 4, or 4 and 8.

    >>> [fate_factor(points) for points in range(3)], fate_factor(2, "geometric")
    ([1, 2, 3], 4)
    """
    return 1 + fate_points if stacking == "additive" else 2**fate_points  # opend6.fate.extra_on_one_roll


def remaining(own: DieCode, factor: int, penalty: int) -> DieCode:
    """Rest of a character's own code: multiplied first, then less penalty dice; pips are kept.

    >>> remaining(DieCode(4, 1), 2, 1)
    DieCode(dice=7, pips=2)
    """
    return DieCode(own.dice * factor - penalty, own.pips * factor)  # opend6.fate.order, opend6.map.penalty


def assembled(
    own: DieCode,
    *,
    factor: int = 1,
    penalty: int = 0,
    bonus: DieCode = NOTHING,
    zero_rule: ZeroRule = "own_code_below_1d",
) -> DieCode | NotPossible:
    """The code that is rolled: the own one multiplied by Fate, less penalty dice, with bonus dice from outside.

    >>> assembled(DieCode(4, 1), factor=2, penalty=1, bonus=DieCode(1))
    DieCode(dice=8, pips=2)
    >>> assembled(DieCode(1, 2), penalty=1)
    NotPossible(reason='0D+2 is left of 1D+2, and at least 1D is needed', rule='opend6.map.zero_rule')
    """
    left = remaining(own, factor, penalty)
    rolled = DieCode(max(0, left.dice) + bonus.dice, left.pips + bonus.pips)
    net = DieCode(left.dice + bonus.dice, left.pips + bonus.pips)
    if zero_rule == "own_code_below_1d":
        short = left.dice < 1
    elif zero_rule == "net_pool_below_1d":
        short, rolled = net.dice < 1, net
    else:
        short = left.dice < 0 or (left.dice == 0 and left.pips <= 0)
    if short:
        shown = left if zero_rule != "net_pool_below_1d" else net
        shown = shown if shown.dice >= 0 else DieCode(0)
        return NotPossible(f"{shown} is left of {own}, and at least 1D is needed", "opend6.map.zero_rule")
    return rolled


def demanded(code: DieCode | NotPossible) -> DieCode:
    """A code that can be rolled; what cannot is refused with its rule."""
    if isinstance(code, NotPossible):
        raise IllegalActionError(code.reason, rule=code.rule)
    return code


def penalty_dice(actions: int, allotment: int = 1) -> int:
    """The multi-action penalty: one die for each action beyond the allotment, on every one of them.

    >>> penalty_dice(4), penalty_dice(9, 8), penalty_dice(1)
    (3, 1, 0)
    """
    return max(0, actions - allotment)  # opend6.map.penalty, opend6.map.allotment


# ---------------------------------------------------------------------- time


def prepared_dice(factor: Fraction | int) -> int:
    """Bonus dice for taking ``factor`` times as long: one for each full doubling.

    >>> [prepared_dice(factor) for factor in (1, 2, 3, 4, 7, 8, 20)]
    [0, 1, 1, 2, 2, 3, 3]
    """
    return max([dice for times, dice in PREPARED.items() if factor >= times], default=0)


def rushed_difficulty(part: Fraction | int) -> int | NotPossible:
    """Addition to the difficulty for taking only a part of the time: the next higher step.

    >>> rushed_difficulty(Fraction(1, 2)), rushed_difficulty(Fraction(7, 10)), rushed_difficulty(Fraction(1, 4))
    (10, 10, 20)
    """
    saved = 1 - Fraction(part)
    if part < LEAST_TIME:
        return NotPossible("no task can be done in less than a quarter of its time", "opend6.rush.limits")
    return min([harder for least, harder in RUSHED.items() if saved <= least]) if saved > 0 else 0


# ---------------------------------------------------------------------- result points


def related_modifier(result_points: int) -> int:
    """Modifier of the primary total by a related skill or a helper: half its result points, at least 1.

    >>> [related_modifier(points) for points in (4, 0, 1, -1, -3)]
    [2, 1, 1, -1, -2]
    """
    size = max(1, (abs(result_points) + 1) // 2)
    return size if result_points >= 0 else -size  # opend6.related.modifier


def half_bonus(result_points: int) -> int:
    """Half the result points of a success, rounded up: a bonus elsewhere.

    >>> [half_bonus(points) for points in (0, 1, 4, 5, -3)]
    [0, 1, 2, 3, 0]
    """
    return max(0, result_points + 1) // 2  # opend6.result.half_bonus


def fifth_bonus(result_points: int) -> int:
    """A fifth of the result points of an attack, rounded up: more damage.

    >>> [fifth_bonus(points) for points in (0, 1, 5, 6, 10, -1)]
    [0, 1, 1, 2, 2, 0]
    """
    return max(0, result_points + 4) // 5  # opend6.result.fifth_damage


def broken_fall(result_points: int) -> int:
    """Reduction of a fall's damage by an acrobatics check against 10.

    >>> [broken_fall(points) for points in (-1, 0, 4, 5, 12)]
    [0, 1, 1, 2, 3]
    """
    return 0 if result_points < 0 else 1 + result_points // 5  # opend6.gap.difficulty.breaking_a_fall


def suggests_wild_die_only(code: DieCode, difficulty: int) -> bool:
    """True if any normal roll reaches the difficulty, so that the Wild Die alone is enough.

    >>> suggests_wild_die_only(DieCode(6, 1), 7), suggests_wild_die_only(DieCode(6, 1), 8)
    (True, False)
    """
    return difficulty <= code.dice + code.pips  # opend6.special.wild_die_only


# ---------------------------------------------------------------------- second chances


class SecondChance(Enum):
    """Rule for trying a failed task again, and the time until then."""

    NEXT_TURN = "next_turn"
    HARDER = "retry_next_round_harder"
    TIME_OR_HELP = "needs_time_or_help"
    LOCKED_OUT = "disaster_locked_out"


def second_chance(
    result_points: int, critical_failure: CriticalFailure, when: RetryWhen, small_shortfall: int = 5
) -> SecondChance:
    """The second chance that a failure leaves.

    >>> second_chance(-5, CriticalFailure.CANCEL, "consequences").value
    'retry_next_round_harder'
    >>> second_chance(-6, CriticalFailure.CANCEL, "consequences").value
    'disaster_locked_out'
    """
    if when == "next_turn":
        return SecondChance.NEXT_TURN  # opend6.retry.free
    if -result_points <= small_shortfall:
        return SecondChance.HARDER
    failed = critical_failure is not CriticalFailure.NONE
    return SecondChance.LOCKED_OUT if failed else SecondChance.TIME_OR_HELP  # opend6.retry.consequences
