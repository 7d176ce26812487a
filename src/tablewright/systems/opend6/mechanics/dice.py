"""Dice of the book and their closed forms.

Sixes on a Wild Die are thrown again without end. In play every one of them counts. Odds need no end either: a roll is a
finite table of totals with so many dice that still go on, and each of those adds sixes by a geometric series
(:mod:`.open_ended`). A rule that asks only whether a number is reached looks at totals up to a ``ceiling``: whatever
reaches it counts as the ceiling itself, and every chance is exact. A table of all totals ends in one line for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Dist, Face, Rollable
from tablewright.dice.weights import convolve, equal_dice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.opend6.mechanics.open_ended import (
    DIE,
    SIX,
    OpenTotal,
    Runs,
    added,
    least_beyond,
    open_table,
)
from tablewright.systems.opend6.mechanics.open_ended import NOTHING as NO_DICE
from tablewright.systems.opend6.options import CancelScope, FateStacking, ZeroRule
from tablewright.systems.opend6.values import CriticalFailure, DieCode

D6 = Die(6)
LOWEST_CEILING = 2

MOST_WORK = 12_000_000
"""Limit of the work on bought dice that can be dropped: about a second."""


MOST_DROPPED = 5
"""Bought dice of which the highest can be dropped and whose totals are still worked out without end."""


# ---------------------------------------------------------------------- totals without end


def _sums(dice: int, sides: int) -> dict[int, int]:
    return dict(enumerate(equal_dice(dice, sides), dice)) if dice else {0: 1}


def _number_of(weights: Mapping[int, int], whole: int, runs: Runs = ()) -> OpenTotal:
    return OpenTotal({(base, runs, ()): weight for base, weight in weights.items() if weight}, whole)


@lru_cache(maxsize=1_024)
def bought_total(count: int) -> OpenTotal:
    """Dice bought with Character Points: sixes go on, a 1 is just a 1."""
    return _number_of(_sums(count, 5), 5**count, (DIE,) * count)


_HELD = _number_of({2: 6, 3: 6, 4: 6, 5: 6, 7: 1}, 30, (DIE,))
"""A Wild Die that shows no 1 at once: five rolls in six."""


@lru_cache(maxsize=1_024)
def plain_total(regular: int, points: int) -> OpenTotal:
    """A roll that is no Critical Failure: the Wild Die shows anything but a 1."""
    return _HELD.plus(_number_of(_sums(regular, SIX), SIX**regular)).plus(bought_total(points))


def _by_highest(dice: int, sides: int, highest: int) -> dict[int, int]:
    """Sums of dice of which the highest shows a number."""
    below = _sums(dice, min(sides, highest - 1)) if highest > 1 else {}
    return {base: weight - below.get(base, 0) for base, weight in _sums(dice, min(sides, highest)).items()}


@lru_cache(maxsize=1_024)
def failed_totals(regular: int, points: int) -> tuple[tuple[int, OpenTotal], ...]:
    """Rolls that are a Critical Failure, by the highest regular die: all dice added, the 1 included."""
    bought = bought_total(points).plus(1)
    if not regular:
        return ((0, bought._replace(whole=bought.whole * SIX)),)
    return tuple(
        [
            (highest, _number_of(_by_highest(regular, SIX, highest), SIX ** (regular + 1)).plus(bought))
            for highest in range(1, SIX + 1)
        ]
    )


@lru_cache(maxsize=4_096)
def failed_total(regular: int, points: int, cancels: bool, keeps_one: bool = False, reaches: bool = False) -> OpenTotal:
    """A Critical Failure as it counts: without the dice that it cancels, or with all of them."""
    if cancels and reaches and points:
        left = _dropped_total(regular, points).plus(int(keeps_one))
        return left._replace(whole=left.whole * SIX)
    parts = []
    for highest, part in failed_totals(regular, points):
        less = highest + (0 if keeps_one and highest else 1) if cancels else 0
        parts.append(part.plus(-less))
    return added(parts)


def _dropped_total(regular: int, points: int) -> OpenTotal:
    """Regular and bought dice without the highest of them.

    Bought dice with a six are higher than any other: of those the one with the most sixes is dropped.
    """
    if points > MOST_DROPPED:
        raise InvalidInputError(
            f"{points} bought dice are too many for exact odds where one of them can be dropped; "
            "spend fewer points, or let the drop not reach bought dice"
        )
    parts: list[OpenTotal] = []
    for highest in range(1, SIX + 1):
        both = _number_of(_sums(regular, highest), 1).plus(_number_of(_sums(points, min(5, highest)), 1))
        below = OpenTotal({}, 1)
        if highest > 1:
            below = _number_of(_sums(regular, highest - 1), 1).plus(_number_of(_sums(points, highest - 1), 1))
        table = {key: weight - below.weights.get(key, 0) for key, weight in both.weights.items()}
        parts.append(
            OpenTotal({key: weight for key, weight in table.items() if weight}, SIX ** (regular + points)).plus(
                -highest
            )
        )
    for sixes in range(1, points + 1):
        ways = OpenTotal({(SIX * (sixes - 1), (), ()): comb(points, sixes)}, SIX**points)
        others = _number_of(_sums(points - sixes, 5), 1).plus(_number_of(_sums(regular, SIX), SIX**regular))
        parts.append(ways.plus(others).plus(_without_highest(sixes)))
    return added(parts)


@lru_cache(maxsize=32)
def _without_highest(dice: int) -> OpenTotal:
    """Further sixes and last tosses of Wild Dice in step with each other, but for the one that goes on longest."""
    if dice == 1:
        return NO_DICE
    parts = [_number_of(_by_highest(dice, 5, highest), 1).plus(-highest) for highest in range(1, SIX)]
    for following in range(1, dice):
        ended = _number_of(_sums(dice - following, 5), 1).plus(SIX * (following - 1)).plus(_without_highest(following))
        parts.append(
            OpenTotal({key: weight * comb(dice, following) for key, weight in ended.weights.items()}, ended.whole)
        )
    return added(parts).plus(OpenTotal({(0, ((dice, dice - 1),), ()): 1}, SIX**dice - 1))


@lru_cache(maxsize=4_096)
def counted_total(
    regular: int, points: int, cancels: bool = True, keeps_one: bool = False, reaches: bool = False
) -> OpenTotal:
    """The total of a roll as it counts: with a 1 on the Wild Die the dice that it cancels are left out.

    >>> counted_total(3, 0).at_least(14)
    Fraction(4165, 7776)
    """
    return added([plain_total(regular, points), failed_total(regular, points, cancels, keeps_one, reaches)])


@lru_cache(maxsize=1_024)
def out_of_reach(points: int, price: Fraction) -> int:
    """The least number that so many bought dice reach with less chance than a price.

    >>> out_of_reach(1, Fraction(1, 10)), bought_total(1).at_least(10)
    (10, Fraction(1, 12))
    """
    return least_beyond(bought_total(points), price)


# ---------------------------------------------------------------------- rolls


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


def _wild_dice(count: int, ceiling: int, highest: int) -> list[int]:
    """The weights of the sum of Wild Dice, each showing at most ``highest``."""
    one = _wild(ceiling)[: highest + 1]
    table = [1]
    for _ in range(count):
        table = _up_to(convolve(table, one), 2 * ceiling)
    return table


@dataclass(frozen=True, slots=True)
class PointDice(Rollable[int]):
    """The Wild Dice that Character Points buy: sixes go on, a 1 is just a 1.

    >>> PointDice(1, 7).weigh().at_least(7)
    Fraction(1, 6)
    """

    count: int
    ceiling: int
    ends_open: bool = False

    def __post_init__(self) -> None:
        _check(self.count, self.ceiling)

    def read(self, face: Face) -> int:
        """Throw one die after the other, each with all its sixes."""
        return sum([_throw_wild(face) for _ in range(self.count)])

    def _weigh(self) -> Dist[int]:
        if self.ends_open:
            return open_table(bought_total(self.count), self.ceiling)
        return Dist.from_chances(bought_total(self.count).chances(self.ceiling))

    def __str__(self) -> str:
        return f"{self.count}D of Character Points"


@dataclass(frozen=True, slots=True)
class WildRoll(Rollable[Thrown]):
    """One Wild Die, regular dice, and dice bought with Character Points. [opend6.gap.dice.cancel]

    ``scope`` says whether the 1 of a Critical Failure is dropped with the highest die, ``reaches_points`` whether that
    die may be one of the bought ones. ``ends_open`` is set where totals are told as a table: its last line is the
    ceiling or more, with its exact mean.

    >>> WildRoll(3, 0, 15).weigh().chance(lambda thrown: thrown.total >= 14)
    Fraction(4501, 7776)
    """

    regular: int
    points: int
    ceiling: int
    scope: CancelScope = "wild_and_highest"
    reaches_points: bool = False
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
        keeps_one, most = self.scope == "highest_only", self.ceiling
        reaches = self.reaches_points and self.points > 0
        rest = [most, most]
        if self.ends_open:
            rest = [
                counted_total(self.regular, self.points, cancels, keeps_one, reaches).rest(most)
                for cancels in (False, True)
            ]
        chances: dict[Thrown, Fraction] = {}
        for total, chance in plain_total(self.regular, self.points).chances(most).items():
            shown = (total, total) if total < most else rest
            chances[Thrown(shown[0], False, shown[1])] = chance
        for total, left, chance in self._dropped() if reaches else self._cancelled():
            thrown = Thrown(total if total < most else rest[0], True, left if left < most else rest[1])
            chances[thrown] = chances.get(thrown, Fraction(0)) + chance
        return Dist.from_chances(chances)

    def _cancelled(self) -> Iterator[tuple[int, int, Fraction]]:
        """Critical Failures that drop a regular die: the total, what is left of it, and the chance."""
        for highest, part in failed_totals(self.regular, self.points):
            less = highest + (0 if self.scope == "highest_only" and highest else 1)
            for total, chance in part.chances(self.ceiling + less).items():
                yield total, total - less, chance

    def _dropped(self) -> Iterator[tuple[int, int, Fraction]]:
        """Critical Failures that may drop a bought die, of which any may go on without end.

        Dice that reach the ceiling count as the ceiling. Where totals are told as a table the chance of each rest is
        known without them, so that only totals below the ceiling are counted out.
        """
        if self.points * self.ceiling**3 > MOST_WORK:
            raise InvalidInputError(
                f"{self} are too many for exact odds where a bought die can be dropped; "
                "spend fewer points, or let the drop not reach bought dice"
            )
        keeps_one, most = self.scope == "highest_only", self.ceiling
        left = dict[int, Fraction]()
        if self.ends_open:
            left = failed_total(self.regular, self.points, True, keeps_one, True).chances(most)
        whole = 6 ** (self.regular + 1) * sum(_wild(most)) ** self.points
        before: list[int] = []
        for highest in range(1, max(most, 6) + 1):
            bought = _wild_dice(self.points, most, min(highest, most))
            table = convolve(equal_dice(self.regular, min(highest, 6)), bought)
            for total, weight in enumerate(table, self.regular + 1):
                at = total - self.regular - 1
                chance = Fraction(weight - (before[at] if at < len(before) else 0), whole)
                kept = total - highest - (not keeps_one)
                if chance and total < most:
                    yield total, kept, chance
                    if left:
                        left[kept] -= chance
                elif chance and not left:
                    yield most, kept, chance
            before = table
        yield from [(most, kept, chance) for kept, chance in left.items() if chance]

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


@lru_cache(maxsize=4_096)
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
    """Return a code that can be rolled; refuse any other with the rule."""
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


@lru_cache(maxsize=64)
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
