"""How a roll is put together before any dice are thrown, and what its result points are good for afterwards.

Pure functions of small numbers: checks, fights and the game master's tables all use these and nothing else.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from tablewright.errors import RulesSayNo
from tablewright.systems.opend6.options import FateStacking, ZeroRule
from tablewright.systems.opend6.values import CriticalFailure, DieCode

PREPARED = {2: 1, 4: 2, 8: 3}  # opend6.prepare.bonus: times as long, and the dice that it gives
RUSHED = {Fraction(1, 4): 5, Fraction(1, 2): 10, Fraction(3, 4): 20}  # opend6.rush.difficulty: time saved
RUSH_SECONDS = 10  # the shortest task that can be rushed
NOTHING = DieCode(0)
LEAST_TIME = Fraction(1, 4)  # opend6.rush.limits

RetryWhen: TypeAlias = Literal["next_turn", "consequences"]


class NotPossible(NamedTuple):
    """Why something cannot be rolled, and by which rule."""

    reason: str
    rule: str


# ---------------------------------------------------------------------- dice


def fate_factor(fate_points: int, stacking: FateStacking = "additive") -> int:
    """By how much the own code is multiplied: 2 for one Fate Point, then 3 and 4, or 4 and 8.

    >>> [fate_factor(points) for points in range(3)], fate_factor(2, "geometric")
    ([1, 2, 3], 4)
    """
    return 1 + fate_points if stacking == "additive" else 2**fate_points  # opend6.fate.extra_on_one_roll


def remaining(own: DieCode, factor: int, penalty: int) -> DieCode:
    """What is left of somebody's own code: multiplied first, penalty dice taken away then; pips are kept.

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
        raise RulesSayNo(code.reason, rule=code.rule)
    return code


def penalty_dice(actions: int, allotment: int = 1) -> int:
    """The multi-action penalty: one die for each action beyond the allotment, on every one of them.

    >>> penalty_dice(4), penalty_dice(9, 8), penalty_dice(1)
    (3, 1, 0)
    """
    return max(0, actions - allotment)  # opend6.map.penalty, opend6.map.allotment


# ---------------------------------------------------------------------- time


def prepared_dice(factor: Fraction | int) -> int:
    """The bonus dice for taking so many times as long: those of the last full doubling.

    >>> [prepared_dice(factor) for factor in (1, 2, 3, 4, 7, 8, 20)]
    [0, 1, 1, 2, 2, 3, 3]
    """
    return max([dice for times, dice in PREPARED.items() if factor >= times], default=0)


def rushed_difficulty(part: Fraction | int) -> int | NotPossible:
    """What is added to the difficulty for taking only a part of the time: the next higher step.

    >>> rushed_difficulty(Fraction(1, 2)), rushed_difficulty(Fraction(7, 10)), rushed_difficulty(Fraction(1, 4))
    (10, 10, 20)
    """
    saved = 1 - Fraction(part)
    if part < LEAST_TIME:
        return NotPossible("no task can be done in less than a quarter of its time", "opend6.rush.limits")
    return min([harder for least, harder in RUSHED.items() if saved <= least]) if saved > 0 else 0


# ---------------------------------------------------------------------- result points


def related_modifier(result_points: int) -> int:
    """What a related skill, or a helper, does to the primary total: half its result points, at least 1.

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
    """What is taken off the damage of a fall by an acrobatics check against 10.

    >>> [broken_fall(points) for points in (-1, 0, 4, 5, 12)]
    [0, 1, 1, 2, 3]
    """
    return 0 if result_points < 0 else 1 + result_points // 5  # opend6.gap.difficulty.breaking_a_fall


def suggests_wild_die_only(code: DieCode, difficulty: int) -> bool:
    """Whether any normal roll reaches the difficulty, so that the Wild Die alone is enough.

    >>> suggests_wild_die_only(DieCode(6, 1), 7), suggests_wild_die_only(DieCode(6, 1), 8)
    (True, False)
    """
    return difficulty <= code.dice + code.pips  # opend6.special.wild_die_only


# ---------------------------------------------------------------------- second chances


class SecondChance(Enum):
    """Whether and when a failed task may be tried again."""

    NEXT_TURN = "next_turn"
    HARDER = "retry_next_round_harder"
    TIME_OR_HELP = "needs_time_or_help"
    LOCKED_OUT = "disaster_locked_out"


def second_chance(
    result_points: int, critical_failure: CriticalFailure, when: RetryWhen, small_shortfall: int = 5
) -> SecondChance:
    """What a failure leaves of the chance to try again.

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
