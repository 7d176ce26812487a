"""The rules that roll: die codes with the Wild Die, checks, opposed rolls, and Character Points by choice."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import Ask, Mechanic, Param, Seat, become, choose, d, finish, mechanic, versus, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.errors import RulesSayNo
from tablewright.systems.opend6.dice import LOWEST_CEILING, PointDice, Thrown, WildRoll
from tablewright.systems.opend6.options import CancelScope, ChallengeLevel, CriticalFailureRule, Simplification
from tablewright.systems.opend6.values import (
    Checked,
    CriticalFailure,
    DieCode,
    Fortune,
    Improved,
    Level,
    Pointed,
    Rolled,
    most_character_points,
    simplified,
)

V = TypeVar("V")
R = TypeVar("R")

MOST_POINTS = 20
INCREDIBLE = 17  # opend6.result.levels
FURTHER_SIXES = 18
"""How many sixes of the Wild Dice a bare total counts beyond the dice themselves."""

Code: TypeAlias = Annotated[DieCode, Param("the die code that is rolled, such as 4D+1")]
Difficulty: TypeAlias = Annotated[int, Param("the difficulty number", 0, 500)]
Bonus: TypeAlias = Annotated[int, Param("plain-number bonuses and penalties on the total", -200, 200)]
Bought: TypeAlias = Annotated[int, Param("Character Points spent before the roll", 0, MOST_POINTS)]
OnOne: TypeAlias = Annotated[CriticalFailureRule, Param("what a 1 on the first toss of the Wild Die does")]
Scope: TypeAlias = Annotated[CancelScope, Param("whether the 1 is dropped together with the highest die")]
Reaches: TypeAlias = Annotated[bool, Param("whether a die bought with a Character Point can be dropped")]
Normalise: TypeAlias = Annotated[bool, Param("whether every three pips become a die before the roll")]
Fewer: TypeAlias = Annotated[Simplification, Param("how fewer dice are rolled")]
Ought: TypeAlias = Annotated[bool, Param("for a quick conversion: whether it ought to succeed (4 a die) or fail (3)")]

ROLL_RULES = [
    "opend6.dice.die_code",
    "opend6.dice.bonus_number",
    "opend6.wild.one_per_roll",
    "opend6.wild.critical_success",
    "opend6.wild.critical_failure",
    "opend6.wild.cf_cancel",
    "opend6.wild.cf_complication",
    "opend6.wild.later_ones",
    "opend6.cp.die_behaviour",
    "opend6.simplify.chart",
    "opend6.simplify.quick",
]


class Side(Enum):
    """The two sides of an opposed roll."""

    INITIATOR = "initiator"
    RESISTER = "resister"


class How(NamedTuple):
    """How a table rolls: the settings that one roll needs."""

    critical_failure: OnOne = "cancel"
    cancel_scope: Scope = "wild_and_highest"
    cancel_reaches_cp_dice: Reaches = False
    normalise_rolled_pips: Normalise = False
    simplification: Fewer = "none"
    ought_to_succeed: Ought = True

    @property
    def on_one(self) -> CriticalFailureRule:
        """What a Critical Failure does; to a Wild Die that is rolled alone it is never more than a complication."""
        return "complication" if self.simplification == "wild_die_only" else self.critical_failure


PLAIN = How()


class Fallen(NamedTuple, Generic[V]):
    """What a roll comes to: with a Critical Failure, if its dice are added or some of them cancelled."""

    added: V
    critical_failure: bool
    cancelled: V


def _fall(
    code: DieCode,
    bonus: int,
    points: int,
    how: How,
    worth: Callable[[int], V],
    *,
    highest: int | None = None,
    tells: bool = True,
) -> Ask[Fallen[V]]:
    """Ask for the dice of a roll; ``worth`` narrows a total, and totals above ``highest`` are all worth the same.

    ``tells`` is unset where nobody wants to know of a Critical Failure beyond what it does to the total.
    """
    if code.dice < 1:
        raise RulesSayNo(f"{code} cannot be rolled: at least 1D is needed", rule="opend6.map.zero_rule")
    rolled = code.normalised() if how.normalise_rolled_pips else code
    real, fixed = simplified(rolled, how.simplification, how.ought_to_succeed)
    plus = real.pips + fixed + bonus
    cuts = highest is None
    ceiling = 6 * (real.dice + points + FURTHER_SIXES) if highest is None else max(highest - plus + 1, LOWEST_CEILING)
    if real.dice == 0:
        return throw(PointDice(points, ceiling, cuts)).map(
            lambda total: Fallen(worth(total + plus), False, worth(total + plus))
        )
    on_one = how.on_one

    def read(thrown: Thrown) -> Fallen[V]:
        if on_one == "ask":
            return Fallen(worth(thrown.total + plus), thrown.critical_failure, worth(thrown.cancelled + plus))
        falls = worth((thrown.cancelled if on_one == "cancel" else thrown.total) + plus)
        return Fallen(falls, thrown.critical_failure and tells, falls)

    dice = WildRoll(real.dice - 1, points, ceiling, how.cancel_scope, how.cancel_reaches_cp_dice, cuts)
    return throw(dice).map(read)


async def _settle(falls: Ask[Fallen[V]], on_one: CriticalFailureRule, result: Callable[[V, CriticalFailure], R]) -> R:
    """Throw the dice and settle what a Critical Failure does; ``result`` says what the rule gives."""
    if on_one != "ask":
        one = CriticalFailure.CANCEL if on_one == "cancel" else CriticalFailure.COMPLICATION
        none = CriticalFailure.NONE
        return await finish(falls.map(lambda fallen: result(fallen.added, one if fallen.critical_failure else none)))
    fallen = await falls
    if not fallen.critical_failure:
        return result(fallen.added, CriticalFailure.NONE)
    consequences = [CriticalFailure.CANCEL, CriticalFailure.COMPLICATION]
    consequence = await choose(Seat.GAME_MASTER, "what the Critical Failure does", consequences)
    return result(fallen.cancelled if consequence is CriticalFailure.CANCEL else fallen.added, consequence)


# ---------------------------------------------------------------------- rolls


@mechanic(rules=ROLL_RULES, objectives={"total": lambda rolled: rolled.total})
@spelled_out
async def roll(
    code: Code,
    bonus: Bonus = 0,
    character_points: Bought = 0,
    how: How = PLAIN,
) -> Rolled:
    """Roll a die code: one Wild Die, the others regular; the total, and what a Critical Failure did.

    A 6 on the Wild Die is added and thrown again, without end. A 1 on its first toss is a Critical Failure: it cancels
    the highest die, or all dice count and there is a complication. Dice bought with Character Points are Wild Dice on
    which a 1 is harmless.
    """
    return await _settle(_fall(code, bonus, character_points, how, int), how.on_one, Rolled)


@mechanic(rules=ROLL_RULES)
@spelled_out
async def total(
    code: Code,
    bonus: Bonus = 0,
    character_points: Bought = 0,
    how: How = PLAIN,
) -> int:
    """The bare total of a roll, as `opend6.roll` gives it."""
    falls = _fall(code, bonus, character_points, how, int, tells=False)
    return await _settle(falls, how.on_one, lambda shown, _: shown)


# ---------------------------------------------------------------------- checks


@mechanic(
    rules=["opend6.check.skill_check", "opend6.success.ties", "opend6.result.levels", *ROLL_RULES],
    objectives={
        "success": lambda checked: int(checked.success),
        "level": lambda checked: checked.level.rank if checked.level else 0,
        "clean_success": lambda checked: int(
            checked.success and checked.critical_failure is not CriticalFailure.COMPLICATION
        ),
    },
)
@spelled_out
async def check(
    code: Code,
    difficulty: Difficulty,
    bonus: Bonus = 0,
    character_points: Bought = 0,
    how: How = PLAIN,
) -> Checked:
    """Roll a die code against a difficulty: meeting it succeeds, and how far it is beaten gives the level."""
    falls = _fall(
        code,
        bonus,
        character_points,
        how,
        lambda shown: Level.of(shown - difficulty),
        highest=difficulty + INCREDIBLE - 1,
    )
    return await _settle(falls, how.on_one, lambda level, one: Checked(level is not None, level, one))


@mechanic(
    rules=["opend6.result.points", "opend6.check.skill_check", *ROLL_RULES],
    objectives={"result_points": lambda result: result.result_points},
)
@spelled_out
async def result_points(
    code: Code,
    difficulty: Difficulty,
    bonus: Bonus = 0,
    character_points: Bought = 0,
    how: How = PLAIN,
) -> Pointed:
    """Roll a die code against a difficulty: the result points are the total less the difficulty."""
    falls = _fall(code, bonus, character_points, how, lambda shown: shown - difficulty)
    return await _settle(falls, how.on_one, Pointed)


@mechanic(
    rules=["opend6.opposed.resolve", "opend6.success.ties"],
    objectives={"win": lambda winner: int(winner is Side.INITIATOR)},
)
async def opposed(
    initiator: Annotated[DieCode, Param("the die code of the one who acts")],
    resister: Annotated[DieCode, Param("the die code of the one who resists")],
    initiator_bonus: Bonus = 0,
    resister_bonus: Bonus = 0,
    critical_failure: OnOne = "cancel",
    cancel_scope: Scope = "wild_and_highest",
) -> Side:
    """Both sides roll and the higher total wins; a tie goes to the one who started it."""
    acting = total(initiator, initiator_bonus, critical_failure=critical_failure, cancel_scope=cancel_scope)
    resisting = total(resister, resister_bonus, critical_failure=critical_failure, cancel_scope=cancel_scope).across()
    if critical_failure == "ask":
        first = await acting
        wins = await resisting.map(lambda second: first >= second)
    else:
        wins = await versus(acting, resisting) >= 0
    return Side.INITIATOR if wins else Side.RESISTER


@mechanic(rules=["opend6.special.wild_die_only"])
async def wild_die_only() -> Fortune:
    """A task far below the skill is rolled with the Wild Die alone and succeeds; a 1 is a complication, a 6 luck."""
    fortunes = {1: Fortune.COMPLICATION, 6: Fortune.LUCK}
    return await finish(d(6).map(lambda shown: fortunes.get(shown, Fortune.PLAIN)))


# ---------------------------------------------------------------------- Character Points


@mechanic(
    rules=["opend6.cp.extra_wild_die", "opend6.cp.max_per_roll", "opend6.cp.timing", "opend6.cp.die_behaviour"],
    objectives={
        "success": lambda result: int(result.success),
        "thrifty_success": lambda result: int(result.success) - Fraction(result.spent, 10),
    },
)
@spelled_out
async def improved_check(
    code: Code,
    difficulty: Annotated[int, Param("the difficulty number", 0, 200)],
    character_points: Annotated[int, Param("Character Points that may be spent", 0, MOST_POINTS)],
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic",
    bonus: Bonus = 0,
    how: How = PLAIN,
) -> Improved:
    """A check on which Character Points are spent by choice, before the roll and, one after the other, after it.

    Each point adds a Wild Die on which a 1 is harmless. The challenge level limits all points on one roll together.
    Points are asked for only as long as the check has not succeeded.
    """
    most = most_character_points(character_points, challenge_level)
    before = await choose(Seat.ACTOR, "Character Points before the roll", range(most + 1)) if most else 0
    falls = _fall(
        code, bonus, before, how, lambda shown: max(difficulty - shown, 0), highest=difficulty - 1, tells=False
    )
    if how.on_one == "ask":
        missing = await _settle(falls, how.on_one, lambda shown, _: shown)
        return await become(after_roll(missing, most - before, before))
    return await falls.map(lambda fallen: fallen.added).into(lambda missing: after_roll(missing, most - before, before))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.cp.die_behaviour"])
async def after_roll(missing: int, left: int, spent: int) -> Improved:
    """The total misses the difficulty: spend Character Points one by one, as long as it seems worth it."""
    if missing == 0 or left == 0:
        return Improved(missing == 0, spent)
    if not await yes_no(Seat.ACTOR, "spend another Character Point", cost="1 Character Point"):
        return Improved(False, spent)
    die = PointDice(1, max(missing, LOWEST_CEILING))
    return await throw(die).into(lambda shown: after_roll(max(missing - shown, 0), left - 1, spent + 1))


MECHANICS: tuple[Mechanic[..., Any], ...] = (
    check,
    roll,
    total,
    result_points,
    opposed,
    wild_die_only,
    improved_check,
)
