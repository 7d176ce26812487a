"""Mechanics of checks and contests."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Request,
    Role,
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
from tablewright.engine.mechanic import FixedOdds
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.dice import LOWEST_CEILING, PointDice, related_modifier
from tablewright.systems.opend6.mechanics.open_ended import yes_or_no
from tablewright.systems.opend6.mechanics.rolls import PLAIN, How, fall, open_total, rollable, settle
from tablewright.systems.opend6.options import ChallengeLevel
from tablewright.systems.opend6.values import (
    MOST_PIPS,
    Attempted,
    Checked,
    CriticalFailure,
    DieCode,
    DifficultyLevel,
    Fortune,
    Grouped,
    Improved,
    Level,
    Pointed,
    Rolled,
    most_character_points,
)

MOST_POINTS = 100
"""Character Points on one roll at most, where the table sets no limit."""
MOST_BONUS = 200
INCREDIBLE = 17  # opend6.result.levels
MODERATE = 15
"""Assumption about a secret difficulty."""
HIGHEST_LOSS = MOST_PIPS
"""The most that pips can take from a total."""
HUMAN_LIMIT = DieCode(4)  # opend6.gap.advancement.upper_limit

Code: TypeAlias = Annotated[DieCode, Param("the die code that is rolled, such as 4D+1")]
Difficulty: TypeAlias = Annotated[int, Param("the difficulty number", 0, 500)]
Bonus: TypeAlias = Annotated[int, Param("plain-number bonuses and penalties on the total", -MOST_BONUS, MOST_BONUS)]
Bought: TypeAlias = Annotated[int, Param("Character Points spent before the roll", 0, MOST_POINTS)]
Assumed: TypeAlias = Annotated[
    int | None, Param("the difficulty that the roller reckons with, where the true one is secret", 0, 200)
]

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


def _as_it_is(total: int) -> int:
    return total


# ---------------------------------------------------------------------- rolls


@mechanic(rules=ROLL_RULES, objectives={"total": lambda rolled: rolled.total})
async def roll(code: Code, bonus: Bonus = 0, character_points: Bought = 0, how: How = PLAIN) -> Rolled:
    """Roll a die code: one Wild Die, the others regular; the total, and what a Critical Failure did.

    A 6 on the Wild Die is added and thrown again, without end. A 1 on its first toss is a Critical Failure: it cancels
    the highest die, or all dice count and there is a complication. Dice bought with Character Points are Wild Dice on
    which a 1 is harmless.
    """
    falls = fall(rollable(code, how), bonus, character_points, how, _as_it_is)
    return await settle(falls, how.on_one, Rolled)


@mechanic(rules=ROLL_RULES)
async def total(code: Code, bonus: Bonus = 0, character_points: Bought = 0, how: How = PLAIN) -> int:
    """The bare total of a roll, as `opend6.roll` gives it."""
    falls = fall(rollable(code, how), bonus, character_points, how, _as_it_is, tells=False)
    return await settle(falls, how.on_one, lambda shown, _: shown)


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
async def check(
    code: Code, difficulty: Difficulty, bonus: Bonus = 0, character_points: Bought = 0, how: How = PLAIN
) -> Checked:
    """Roll a die code against a difficulty: meeting it succeeds, and how far it is beaten gives the level."""
    falls = fall(
        rollable(code, how),
        bonus,
        character_points,
        how,
        lambda shown: Level.of(shown - difficulty),
        highest=difficulty + INCREDIBLE - 1,
    )
    return await settle(falls, how.on_one, lambda level, one: Checked(level is not None, level, one))


@mechanic(
    rules=["opend6.result.points", "opend6.check.skill_check", *ROLL_RULES],
    objectives={"result_points": lambda result: result.result_points},
)
async def result_points(
    code: Code, difficulty: Difficulty, bonus: Bonus = 0, character_points: Bought = 0, how: How = PLAIN
) -> Pointed:
    """Roll a die code against a difficulty: the result points are the total less the difficulty."""
    falls = fall(rollable(code, how), bonus, character_points, how, lambda shown: shown - difficulty, beyond=difficulty)
    return await settle(falls, how.on_one, Pointed)


def _opposed_odds(
    initiator: DieCode,
    resister: DieCode,
    initiator_bonus: int,
    resister_bonus: int,
    how: How,
    initiator_points: int,
    resister_points: int,
) -> FixedOdds[Side]:
    mine = open_total(rollable(initiator, how), initiator_bonus, initiator_points, how)
    yours = open_total(rollable(resister, how), resister_bonus, resister_points, how)
    return yes_or_no(mine.over(yours).at_least(0), Side.INITIATOR, Side.RESISTER)


@mechanic(
    rules=["opend6.opposed.resolve", "opend6.success.ties"],
    objectives={"win": chance(lambda winner: int(winner is Side.INITIATOR))},
    closed=_opposed_odds,
)
async def opposed(
    initiator: Annotated[DieCode, Param("the die code of the one who acts")],
    resister: Annotated[DieCode, Param("the die code of the one who resists")],
    initiator_bonus: Bonus = 0,
    resister_bonus: Bonus = 0,
    how: How = PLAIN,
    initiator_points: Annotated[int, Param("Character Points the one who acts has put in", 0, MOST_POINTS)] = 0,
    resister_points: Annotated[int, Param("Character Points the one who resists has put in", 0, MOST_POINTS)] = 0,
) -> Side:
    """Roll for both sides; the higher total wins, and a tie goes to the actor."""
    acting = total(initiator, initiator_bonus, initiator_points, how)
    resisting = total(resister, resister_bonus, resister_points, how).by_opponent()
    if how.on_one == "ask":
        first = await acting
        wins = await resisting.map(lambda second: first >= second)
    else:
        wins = await versus(acting, resisting) >= 0
    return Side.INITIATOR if wins else Side.RESISTER


@mechanic(
    rules=["opend6.special.wild_die_only"],
    objectives={"clean_success": chance(lambda fortune: int(fortune is not Fortune.COMPLICATION))},
)
async def wild_die_only() -> Fortune:
    """A task far below the skill is rolled with the Wild Die alone and succeeds; a 1 is a complication, a 6 luck."""
    fortunes = {1: Fortune.COMPLICATION, 6: Fortune.LUCK}
    return await finish(d(6).map(lambda shown: fortunes.get(shown, Fortune.PLAIN)))


@mechanic(
    rules=["opend6.group.single_roll", "opend6.success.ties", *ROLL_RULES],
    objectives={"successes": lambda grouped: sum(grouped.successes)},
)
async def group_roll(
    code: Code,
    difficulties: Annotated[tuple[int, ...], Param("the difficulty of each target", 0, 500)],
    bonus: Bonus = 0,
    how: How = PLAIN,
) -> Grouped:
    """One roll for a whole group: the same total is compared with every target's difficulty."""
    if not difficulties:
        raise IllegalActionError("a group needs at least one difficulty", rule="opend6.group.single_roll")

    def met(shown: int) -> tuple[bool, ...]:
        return tuple([shown >= difficulty for difficulty in difficulties])

    falls = fall(rollable(code, how), bonus, 0, how, met, highest=max(difficulties) - 1)
    return await settle(falls, how.on_one, Grouped)


@mechanic(
    rules=["opend6.related.procedure", "opend6.related.modifier", "opend6.related.assist"],
    objectives={"success": chance(lambda checked: int(checked.success))},
)
async def assisted(
    related: Annotated[DieCode, Param("the die code of the related skill, or of the one who helps")],
    related_difficulty: Annotated[int, Param("its difficulty number", 0, 500)],
    code: Code,
    difficulty: Difficulty,
    related_bonus: Bonus = 0,
    bonus: Bonus = 0,
    how: How = PLAIN,
) -> Checked:
    """Roll a related skill first: half its result points are added to the total of the primary skill.

    A related roll that misses its difficulty lowers the total instead.
    """
    enough = difficulty + INCREDIBLE + HIGHEST_LOSS - bonus
    falls = fall(
        rollable(related, how),
        related_bonus,
        0,
        how,
        lambda shown: related_modifier(shown - related_difficulty),
        highest=related_difficulty + 2 * max(0, enough),
    )
    first = result_points(related, related_difficulty, related_bonus, 0, how)
    modifier = first.map(lambda result: related_modifier(result.result_points))
    if how.on_one != "ask":
        modifier = modifier.weighed_as(falls.map(lambda fallen: fallen.added))
    return await modifier.into(lambda more: _helped(code, difficulty, bonus + more, how))


def _helped(code: DieCode, difficulty: int, bonus: int, how: How) -> Call[Checked]:
    """The check of the primary skill; help beyond the highest bonus lowers the difficulty instead."""
    more = max(0, bonus - MOST_BONUS)
    return check(code, max(0, difficulty - more), bonus - more, 0, how)


@mechanic(rules=["opend6.difficulty.standard"])
async def difficulty_level(difficulty: Annotated[int, Param("the difficulty number", 0, 1_000)]) -> DifficultyLevel:
    """Look up the level of a difficulty number: 14 is moderate, 31 and more are legendary. Nothing is rolled."""
    return DifficultyLevel.of(difficulty)


# ---------------------------------------------------------------------- characters


@mechanic(rules=["opend6.gap.creation.body_points"])
async def body_points(physique: Annotated[DieCode, Param("the code of Physique")], bonus: Bonus = 0) -> int:
    """The Body Points of a new character: a Physique roll and 20; a 1 on the Wild Die just counts 1."""
    return await finish(total(physique, bonus + 20, critical_failure="complication"))


@mechanic(rules=["opend6.gap.advancement.body_points"])
async def new_die() -> int:
    """Body Points for a new full die of Physique."""
    return await finish(total(DieCode(1), critical_failure="complication"))


def _limit_odds(new: DieCode, limit: DieCode, how: How) -> FixedOdds[bool]:
    most, aspired = open_total(rollable(limit, how), 0, 0, how), open_total(rollable(new, how), 0, 0, how)
    return yes_or_no(most.over(aspired).at_least(0), True, False)


@mechanic(rules=["opend6.gap.advancement.upper_limit"], closed=_limit_odds)
async def upper_limit(
    new: Annotated[DieCode, Param("the code that is aspired to")],
    limit: Annotated[DieCode, Param("the most of the species, less a die")] = HUMAN_LIMIT,
    how: How = PLAIN,
) -> bool:
    """Roll if an ability can still improve: the roll of the limit must reach that of the new code."""
    if how.on_one == "ask":
        aspired = await total(new, 0, 0, how)
        return await finish(total(limit, 0, 0, how).by_opponent().map(lambda shown: shown >= aspired))
    return await finish(
        versus(total(limit, 0, 0, how).by_opponent(), total(new, 0, 0, how)).map(lambda sign: sign >= 0)
    )


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
    before = await choose(Role.ACTOR, "Character Points before the roll", range(most + 1)) if most else 0
    aim = difficulty if assumed is None else assumed
    top = max(difficulty, aim)
    doubt = None if assumed is None else top - aim
    falls = fall(
        rollable(code, how), bonus, before, how, lambda shown: max(top - shown, 0), highest=top - 1, tells=False
    )
    left = most - before
    if how.on_one == "ask":
        short = await settle(falls, how.on_one, lambda shown, _: shown)
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
    if not await yes_no(Role.ACTOR, "spend another Character Point", cost_text="1 Character Point"):
        return Improved(success, spent, hoped)
    return await _one_more(short).into(lambda rest: after_roll(rest, left - 1, spent + 1, slack, doubt))


def _one_more(short: int) -> Request[int]:
    """One die bought after the roll, and by how much the total falls short then."""
    return throw(PointDice(1, max(short, LOWEST_CEILING))).map(lambda shown: max(short - shown, 0))


class Allowance(NamedTuple):
    """Character Points that may go on a roll."""

    character_points: Annotated[int, Param("Character Points that may be spent", 0, MOST_POINTS, unseen=0)] = 0
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic"
    allow_mixing: Annotated[bool, Param("whether both kinds of points may go on the same roll")] = False

    def most(self, fate: int) -> int:
        """Character Points that may be spent beside Fate Points. [opend6.points.no_mixing]"""
        if fate and not self.allow_mixing:
            return 0
        return most_character_points(self.character_points, self.challenge_level)


NO_POINTS = Allowance()


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
async def attempt(
    code: Annotated[DieCode | None, Param("the die code without a Fate Point; none where it cannot be rolled so")],
    difficulty: Annotated[int, Param("the difficulty number", 0, 200, unseen=MODERATE)],
    fated: Annotated[
        tuple[DieCode, ...], Param("the die code with one Fate Point, with two, as many as may go on it")
    ] = (),
    allowance: Allowance = NO_POINTS,
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
        raise IllegalActionError("there is no code to roll", rule="opend6.map.zero_rule")
    may = range(least, len(fated) + 1)
    fate = await choose(Role.ACTOR, "Fate Points before the roll", may) if len(may) > 1 else least
    rolled = fated[fate - 1] if fate or code is None else code
    plus = fated_bonus[fate - 1] if 0 < fate <= len(fated_bonus) else bonus
    most = allowance.most(fate)
    before = await choose(Role.ACTOR, "Character Points before the roll", range(most + 1)) if most else 0
    aim = difficulty if assumed is None else assumed
    top = max(difficulty + INCREDIBLE, aim)
    state = Spending(top - difficulty, None if assumed is None else top - aim, most - before, before, fate)
    falls = fall(rollable(rolled, how), plus, before, how, lambda shown: max(top - shown, 0), highest=top - 1)
    if how.on_one == "ask":
        short, one = await settle(falls, how.on_one, lambda shown, consequence: (shown, consequence))
        return await become(afterwards(short, one, state))
    harm = CriticalFailure.CANCEL if how.on_one == "cancel" else CriticalFailure.COMPLICATION
    return await falls.into(
        lambda fallen: afterwards(fallen.added, harm if fallen.critical_failure else CriticalFailure.NONE, state)
    )


class Spending(NamedTuple):
    """State of a roll with points: its aim, and the points left for it."""

    slack: int
    doubt: int | None
    left: int
    spent: int
    fate: int


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.result.points", "opend6.result.levels"])
async def afterwards(short: int, critical_failure: CriticalFailure, state: Spending) -> Attempted:
    """Spend Character Points after the roll of an attempt, one by one, as long as it seems worth it."""
    points, left, spent = state.slack - short, state.left, state.spent
    hoped = points >= 0 if state.doubt is None else short <= state.doubt
    ends = left == 0 or (state.doubt is not None and hoped)
    if ends or not await yes_no(Role.ACTOR, "spend another Character Point", cost_text="1 Character Point"):
        return Attempted(points >= 0, Level.of(points), critical_failure, spent, state.fate, hoped)
    following = state._replace(left=left - 1, spent=spent + 1)
    return await _one_more(short).into(lambda rest: afterwards(rest, critical_failure, following))


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
    difficulty_level,
)
