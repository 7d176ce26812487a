"""The rules that roll: die codes with the Wild Die, checks, opposed rolls, and Character Points by choice."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import (
    Ask,
    Call,
    Mechanic,
    Param,
    Seat,
    become,
    chance,
    choose,
    d,
    finish,
    mechanic,
    versus,
    yes_no,
)
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.errors import RulesSayNo
from tablewright.systems.opend6.dice import LOWEST_CEILING, PointDice, Thrown, WildRoll
from tablewright.systems.opend6.options import (
    CancelScope,
    ChallengeLevel,
    CriticalFailureRule,
    OpenD6Options,
    Simplification,
)
from tablewright.systems.opend6.pools import related_modifier
from tablewright.systems.opend6.values import (
    Attempted,
    Checked,
    CriticalFailure,
    DieCode,
    Fortune,
    Grouped,
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
MODERATE = 15
"""What is supposed of a difficulty that is secret."""
HUMAN_LIMIT = DieCode(4)  # opend6.gap.advancement.upper_limit
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
Remainder: TypeAlias = Annotated[bool, Param("whether pips that are left without any die count as they are")]
Assumed: TypeAlias = Annotated[
    int | None, Param("the difficulty that the roller reckons with, where the true one is secret", 0, 200)
]
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
    bare_pips: Remainder = False

    @classmethod
    def of(cls, options: OpenD6Options, critical_failure: CriticalFailureRule | None = None, ought: bool = True) -> How:
        """How a table rolls by its options; what a Critical Failure does may be said for one roll."""
        return cls(
            critical_failure or options.critical_failure,
            options.cancel_scope,
            options.cancel_reaches_cp_dice,
            options.normalise_rolled_pips,
            options.simplification,
            ought,
            options.zero_rule == "exactly_zero",
        )

    @property
    def on_one(self) -> CriticalFailureRule:
        """What a Critical Failure does; to a Wild Die that is rolled alone it is never more than a complication."""
        return "complication" if self.simplification == "wild_die_only" else self.critical_failure


PLAIN = How()


@mechanic(rules=["opend6.simplify.quick", "opend6.map.zero_rule"])
async def known(total: int) -> int:
    """A total for which nothing is thrown."""
    return total


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
    if code.dice < 1 and not (how.bare_pips and code.pips > 0):
        raise RulesSayNo(f"{code} cannot be rolled: at least 1D is needed", rule="opend6.map.zero_rule")
    rolled = code.normalised() if how.normalise_rolled_pips else code
    real, fixed = simplified(rolled, how.simplification, how.ought_to_succeed)
    plus = real.pips + fixed + bonus
    cuts = highest is None
    ceiling = 6 * (real.dice + points + FURTHER_SIXES) if highest is None else max(highest - plus + 1, LOWEST_CEILING)
    if real.dice == 0 and not points:
        return known(plus).map(lambda total: Fallen(worth(total), False, worth(total)))
    if real.dice == 0:
        return throw(PointDice(points, ceiling, cuts, not cuts)).map(
            lambda total: Fallen(worth(total + plus), False, worth(total + plus))
        )
    on_one = how.on_one

    def read(thrown: Thrown) -> Fallen[V]:
        if on_one == "ask":
            return Fallen(worth(thrown.total + plus), thrown.critical_failure, worth(thrown.cancelled + plus))
        falls = worth((thrown.cancelled if on_one == "cancel" else thrown.total) + plus)
        return Fallen(falls, thrown.critical_failure and tells, falls)

    dice = WildRoll(real.dice - 1, points, ceiling, how.cancel_scope, how.cancel_reaches_cp_dice, cuts, not cuts)
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
        "success": chance(lambda checked: int(checked.success)),
        "level": lambda checked: checked.level.rank if checked.level else 0,
        "clean_success": chance(
            lambda checked: int(checked.success and checked.critical_failure is not CriticalFailure.COMPLICATION)
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
    objectives={"win": chance(lambda winner: int(winner is Side.INITIATOR))},
)
@spelled_out
async def opposed(
    initiator: Annotated[DieCode, Param("the die code of the one who acts")],
    resister: Annotated[DieCode, Param("the die code of the one who resists")],
    initiator_bonus: Bonus = 0,
    resister_bonus: Bonus = 0,
    how: How = PLAIN,
    initiator_points: Annotated[int, Param("Character Points the one who acts has put in", 0, MOST_POINTS)] = 0,
    resister_points: Annotated[int, Param("Character Points the one who resists has put in", 0, MOST_POINTS)] = 0,
) -> Side:
    """Both sides roll and the higher total wins; a tie goes to the one who started it."""
    acting = total(initiator, initiator_bonus, initiator_points, *how)
    resisting = total(resister, resister_bonus, resister_points, *how).across()
    if how.on_one == "ask":
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


@mechanic(
    rules=["opend6.group.single_roll", "opend6.success.ties", *ROLL_RULES],
    objectives={"successes": lambda grouped: sum(grouped.successes)},
)
@spelled_out
async def group_roll(
    code: Code,
    difficulties: Annotated[tuple[int, ...], Param("the difficulty of each target", 0, 500)],
    bonus: Bonus = 0,
    how: How = PLAIN,
) -> Grouped:
    """One roll for a whole group: the same total is compared with every target's difficulty."""
    if not difficulties:
        raise RulesSayNo("a group acts on somebody; no difficulty was named", rule="opend6.group.single_roll")

    def met(shown: int) -> tuple[bool, ...]:
        return tuple([shown >= difficulty for difficulty in difficulties])

    return await _settle(_fall(code, bonus, 0, how, met, highest=max(difficulties) - 1), how.on_one, Grouped)


@mechanic(
    rules=["opend6.related.procedure", "opend6.related.modifier", "opend6.related.assist"],
    objectives={"success": chance(lambda checked: int(checked.success))},
)
@spelled_out
async def assisted(
    related: Annotated[DieCode, Param("the die code of the related skill, or of the one who helps")],
    related_difficulty: Annotated[int, Param("its difficulty number", 0, 500)],
    code: Code,
    difficulty: Difficulty,
    related_bonus: Bonus = 0,
    bonus: Bonus = 0,
    how: How = PLAIN,
) -> Checked:
    """A related skill first, one's own or a helper's: half its result points go on the total of the primary skill.

    A related roll that misses its difficulty lowers the total instead.
    """
    first = result_points(related, related_difficulty, related_bonus, 0, *how)
    return await first.map(lambda result: related_modifier(result.result_points)).into(
        lambda modifier: check(code, difficulty, bonus + modifier, 0, *how)
    )


# ---------------------------------------------------------------------- characters


@mechanic(rules=["opend6.gap.creation.body_points"])
async def body_points(
    physique: Annotated[DieCode, Param("the code of Physique")],
    bonus: Bonus = 0,
) -> int:
    """The Body Points of a new character: a Physique roll and 20; a 1 on the Wild Die just counts 1."""
    return await finish(total(physique, bonus + 20, critical_failure="complication"))


@mechanic(rules=["opend6.gap.advancement.body_points"])
async def new_die() -> int:
    """What a new full die of Physique adds to the Body Points."""
    return await finish(total(DieCode(1), critical_failure="complication"))


@mechanic(rules=["opend6.gap.advancement.upper_limit"])
@spelled_out
async def upper_limit(
    new: Annotated[DieCode, Param("the code that is aspired to")],
    limit: Annotated[DieCode, Param("the most of the species, less a die")] = HUMAN_LIMIT,
    how: How = PLAIN,
) -> bool:
    """Whether something can still be improved: the game master's roll of the limit must reach the new code's."""
    if how.on_one == "ask":
        aspired = await total(new, 0, 0, *how)
        return await finish(total(limit, 0, 0, *how).across().map(lambda shown: shown >= aspired))
    return await finish(versus(total(limit, 0, 0, *how).across(), total(new, 0, 0, *how)).map(lambda sign: sign >= 0))


# ---------------------------------------------------------------------- Character Points and Fate Points


def _thrifty(result: Any) -> Fraction:
    """A success is worth ten Character Points, or two Fate Points."""
    spent = Fraction(result.character_points, 10) + Fraction(result.fate_points, 2)
    return int(result.hoped) - spent


@mechanic(
    rules=["opend6.cp.extra_wild_die", "opend6.cp.max_per_roll", "opend6.cp.timing", "opend6.cp.die_behaviour"],
    objectives={
        "success": chance(lambda result: int(result.hoped)),
        "thrifty_success": lambda result: int(result.hoped) - Fraction(result.spent, 10),
    },
)
@spelled_out
async def improved_check(
    code: Code,
    difficulty: Annotated[int, Param("the difficulty number", 0, 200, unseen=MODERATE)],
    character_points: Annotated[int, Param("Character Points that may be spent", 0, MOST_POINTS, unseen=0)],
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic",
    bonus: Bonus = 0,
    how: How = PLAIN,
    assumed: Assumed = None,
) -> Improved:
    """A check on which Character Points are spent by choice, before the roll and, one after the other, after it.

    Each point adds a Wild Die on which a 1 is harmless. The challenge level limits all points on one roll together.
    Nobody is told whether the roll is enough: as long as there are points one is asked for another. Whoever reckons
    with an ``assumed`` difficulty spends for that, and is asked no more once it is reached.
    """
    most = most_character_points(character_points, challenge_level)
    before = await choose(Seat.ACTOR, "Character Points before the roll", range(most + 1)) if most else 0
    aim = difficulty if assumed is None else assumed
    top = max(difficulty, aim)
    doubt = None if assumed is None else top - aim
    falls = _fall(code, bonus, before, how, lambda shown: max(top - shown, 0), highest=top - 1, tells=False)
    left = most - before
    if how.on_one == "ask":
        short = await _settle(falls, how.on_one, lambda shown, _: shown)
        return await become(after_roll(short, left, before, top - difficulty, doubt))
    return await falls.map(lambda fallen: fallen.added).into(
        lambda short: after_roll(short, left, before, top - difficulty, doubt)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.cp.die_behaviour"])
async def after_roll(short: int, left: int, spent: int, slack: int = 0, doubt: int | None = None) -> Improved:
    """The roll is made: spend Character Points one by one, as long as it seems worth it.

    ``short`` is by how much the total falls short of the higher of two numbers, the difficulty and what is assumed;
    ``slack`` and ``doubt`` are how far each of them is below it. Without a doubt nothing is assumed, and one is asked
    as long as there are points.
    """
    success, hoped = short <= slack, short <= (slack if doubt is None else doubt)
    if left == 0 or (doubt is not None and hoped):
        return Improved(success, spent, hoped)
    if not await yes_no(Seat.ACTOR, "spend another Character Point", cost="1 Character Point"):
        return Improved(success, spent, hoped)
    return await _one_more(short).into(lambda rest: Call(after_roll, (rest, left - 1, spent + 1, slack, doubt)))


def _one_more(short: int) -> Ask[int]:
    """One die bought after the roll, and by how much the total falls short then."""
    return throw(PointDice(1, max(short, LOWEST_CEILING), whole=True)).map(lambda shown: max(short - shown, 0))


@mechanic(
    rules=[
        "opend6.check.roll_assembly",
        "opend6.points.no_mixing",
        "opend6.fate.timing",
        "opend6.fate.per_roll_limit",
        "opend6.cp.timing",
        "opend6.cp.max_per_roll",
    ],
    objectives={
        "success": chance(lambda result: int(result.hoped)),
        "thrifty_success": _thrifty,
        "level": lambda result: result.level.rank if result.level else 0,
    },
)
@spelled_out
async def attempt(
    code: Annotated[DieCode | None, Param("the die code without a Fate Point; none where it cannot be rolled so")],
    difficulty: Annotated[int, Param("the difficulty number", 0, 200, unseen=MODERATE)],
    fated: Annotated[
        tuple[DieCode, ...], Param("the die code with one Fate Point, with two, as many as may go on it")
    ] = (),
    character_points: Annotated[int, Param("Character Points that may be spent", 0, MOST_POINTS, unseen=0)] = 0,
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic",
    allow_mixing: Annotated[bool, Param("whether both kinds of points may go on the same roll")] = False,
    assumed: Assumed = None,
    bonus: Bonus = 0,
    fated_bonus: Annotated[
        tuple[int, ...], Param("the number on the total with one Fate Point, with two; as without if it is not said")
    ] = (),
    how: How = PLAIN,
) -> Attempted:
    """A check with everything that can be spent on it: a Fate Point before the roll, Character Points before and after.

    With a difficulty that the roller does not know, choices are made for the ``assumed`` one.
    """
    least = 0 if code is not None else 1
    if least > len(fated):
        raise RulesSayNo("there is no code to roll", rule="opend6.map.zero_rule")
    may = range(least, len(fated) + 1)
    fate = await choose(Seat.ACTOR, "Fate Points before the roll", may) if len(may) > 1 else least
    rolled = fated[fate - 1] if fate or code is None else code
    plus = fated_bonus[fate - 1] if 0 < fate <= len(fated_bonus) else bonus
    most = 0 if fate and not allow_mixing else most_character_points(character_points, challenge_level)
    before = await choose(Seat.ACTOR, "Character Points before the roll", range(most + 1)) if most else 0
    aim = difficulty if assumed is None else assumed
    top = max(difficulty + INCREDIBLE, aim)
    state = Spending(top - difficulty, None if assumed is None else top - aim, most - before, before, fate)
    falls = _fall(rolled, plus, before, how, lambda shown: max(top - shown, 0), highest=top - 1)
    if how.on_one == "ask":
        short, one = await _settle(falls, how.on_one, lambda shown, consequence: (shown, consequence))
        return await become(afterwards(short, one, *state))
    harm = CriticalFailure.CANCEL if how.on_one == "cancel" else CriticalFailure.COMPLICATION
    return await falls.into(
        lambda fallen: afterwards(fallen.added, harm if fallen.critical_failure else CriticalFailure.NONE, *state)
    )


class Spending(NamedTuple):
    """What a roll with points is about, and what is left to spend on it."""

    slack: int
    doubt: int | None
    left: int
    spent: int
    fate: int


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.result.points", "opend6.result.levels"])
async def afterwards(
    short: int, critical_failure: CriticalFailure, slack: int, doubt: int | None, left: int, spent: int, fate: int
) -> Attempted:
    """The roll of an attempt is made: spend Character Points one by one, as long as it seems worth it."""
    points = slack - short
    hoped = points >= 0 if doubt is None else short <= doubt
    ends = left == 0 or (doubt is not None and hoped)
    if ends or not await yes_no(Seat.ACTOR, "spend another Character Point", cost="1 Character Point"):
        return Attempted(points >= 0, Level.of(points), critical_failure, spent, fate, hoped)
    return await _one_more(short).into(
        lambda rest: Call(afterwards, (rest, critical_failure, slack, doubt, left - 1, spent + 1, fate))
    )


MECHANICS: tuple[Mechanic[..., Any], ...] = (
    check,
    roll,
    total,
    result_points,
    opposed,
    wild_die_only,
    improved_check,
    attempt,
    assisted,
    group_roll,
    body_points,
    new_die,
    upper_limit,
)
