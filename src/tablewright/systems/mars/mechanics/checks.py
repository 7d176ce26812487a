"""Mechanics of checks and contests."""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Request,
    Role,
    again,
    become,
    both,
    chance,
    choose,
    finish,
    mechanic,
    minus,
)
from tablewright.engine import roll as throw
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.mechanics.dice import (
    MOST_REROLLS,
    ChosenRerolls,
    DieOrder,
    Keep,
    OnTable,
    Rerolled,
    dice_to_choose,
    in_order,
)
from tablewright.systems.mars.options import AdvantageDieChoice, ContestTie, DisadvantageTie, MarsOptions, OddRollValues
from tablewright.systems.mars.values import THRESHOLD, Contested, Degree, RollValue, Shown, degree_of

Rolled: TypeAlias = Annotated[RollValue, Param("roll value, skill and stat merged, such as r16+1")]
Difficulty: TypeAlias = Annotated[int, Param("the difficulty value", -100, 400)]
Advantage: TypeAlias = Annotated[int, Param("sources of advantage", 0, MOST_REROLLS)]
Disadvantage: TypeAlias = Annotated[int, Param("sources of disadvantage", 0, MOST_REROLLS)]
DieChoice: TypeAlias = Annotated[AdvantageDieChoice, Param("which die an advantage rerolls")]
Tie: TypeAlias = Annotated[DisadvantageTie, Param("which of equally great dice a disadvantage rerolls")]
Odd: TypeAlias = Annotated[OddRollValues, Param("reading of odd roll values")]
Members: TypeAlias = Annotated[tuple[RollValue, ...], Param("roll value of each member")]

MOST_MEMBERS = 20


class DiceRules(NamedTuple):
    """Dice settings of a table, for every mechanic that rolls."""

    advantage_die_choice: DieChoice = "ask"
    disadvantage_tie: Tie = "more_sides"
    odd_roll_values: Odd = "literal"

    @staticmethod
    def of(options: MarsOptions) -> DiceRules:
        """Settings that a table has chosen."""
        return DiceRules(options.advantage_die_choice, options.disadvantage_tie, options.odd_roll_values)


PLAIN = DiceRules()


class Luck(NamedTuple):
    """Sources of advantage and disadvantage of one roll."""

    advantage: Advantage = 0
    disadvantage: Disadvantage = 0


EVEN = Luck()


@chance
def _succeeds(degree: Degree) -> int:
    return int(degree.succeeds)


def _rank(degree: Degree) -> int:
    return degree.rank


DEGREE_OBJECTIVES = {
    "success": _succeeds,
    "critical": chance(lambda degree: int(degree is Degree.CRITICAL)),
    "no_failure": chance(lambda degree: int(degree is not Degree.FAILURE)),
    "degree": _rank,
}


# ---------------------------------------------------------------------- rolling


@lru_cache(maxsize=4_096)
def total_of(rolled: RollValue, advantage: int, disadvantage: int, rules: DiceRules) -> Request[int]:
    """Ask for the total of a roll value; pairs of advantage and disadvantage cancel."""
    die_choice, tie, odd = rules
    value = rolled.read_as(odd)
    dice = value.dice()
    order: DieOrder
    if dice and advantage > disadvantage:
        keep: Keep = "better"
        asked = die_choice == "ask"
        order = "lowest_die" if die_choice == "lowest_die" else "max_gain"
    elif dice and disadvantage > advantage:
        keep = "worse"
        asked = tie == "ask"
        order = "greatest_fewer_sides" if tie == "fewer_sides" else "greatest_more_sides"
    else:
        return throw(value.rolled())
    rerolls = abs(advantage - disadvantage)  # mars.advantage.cancel
    if asked:
        plus = value.modifier
        chosen = rerolled_by_choice(dice, rerolls, keep)
        return chosen.map(lambda total: total + plus) if plus else chosen
    return throw(Rerolled(dice, value.modifier, rerolls, order))


@mechanic(
    rules=["mars.advantage.die_choice", "mars.advantage.advantage", "mars.advantage.disadvantage"], closed=ChosenRerolls
)
async def rerolled_by_choice(dice: tuple[int, ...], rerolls: int, keep: Keep) -> int:
    """Throw dice, reroll them one after the other by choice, and add up the final faces."""
    return await throw(OnTable(dice)).into(lambda lying: rerolling(lying, rerolls, keep))


@mechanic(rules=["mars.advantage.die_choice", "mars.advantage.advantage", "mars.advantage.disadvantage"])
async def rerolling(dice: tuple[Shown, ...], rerolls: int, keep: Keep) -> int:
    """Reroll dice that lie on the table one after the other; of each the better or the worse face stays."""
    if rerolls == 0 or not dice:
        return sum([die.face for die in dice])
    options = dice_to_choose(dice, keep)
    die = options[0] if len(options) == 1 else await choose(Role.ACTOR, "which die is rerolled", options)
    kept = await throw(Sum((Die(die.sides),))).map(lambda face: (max if keep == "better" else min)(face, die.face))
    others = list(dice)
    others.remove(die)
    return await become(rerolling(in_order([*others, Shown(die.sides, kept)]), rerolls - 1, keep))


@mechanic(
    rules=[
        "mars.dice.decompose",
        "mars.dice.remainder_two",
        "mars.dice.small_and_zero",
        "mars.dice.odd_values",
        "mars.dice.no_total_floor",
        "mars.advantage.advantage",
        "mars.advantage.disadvantage",
        "mars.advantage.cancel",
    ]
)
async def roll(
    roll_value: Rolled, advantage: Advantage = 0, disadvantage: Disadvantage = 0, dice: DiceRules = PLAIN
) -> int:
    """Roll a roll value and add everything up.

    Advantage and disadvantage cancel in pairs. Each advantage that is left rerolls a die and keeps its better face,
    each disadvantage rerolls the greatest die and keeps its worse face. The total may be zero or negative.
    """
    return await finish(total_of(roll_value, advantage, disadvantage, dice))


# ---------------------------------------------------------------------- checks


@mechanic(
    rules=["mars.check.skill_check", "mars.check.outcomes", "mars.advantage.advantage", "mars.advantage.disadvantage"],
    objectives=DEGREE_OBJECTIVES,
)
async def check(
    roll_value: Rolled,
    difficulty: Difficulty,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Degree:
    """Roll against a difficulty: the total decides whether it is a failure, a graze, a success or a critical success.

    Seven above the difficulty is critical, the difficulty itself a success; up to six below it is a graze.
    """
    total = total_of(roll_value, advantage, disadvantage, dice)
    return await finish(total.map(lambda shown: degree_of(shown - difficulty)))


@mechanic(
    rules=["mars.advantage.die_choice", "mars.advantage.advantage", "mars.advantage.disadvantage"],
    objectives=DEGREE_OBJECTIVES,
)
async def reroll(
    dice: Annotated[tuple[Shown, ...], Param("the dice that lie on the table, such as d10:3,d4:4")],
    difficulty: Difficulty,
    rerolls: Annotated[int, Param("rerolls that are left", 1, MOST_REROLLS)] = 1,
    modifier: Annotated[int, Param("modifier to the dice", -999, 999)] = 0,
    keep: Annotated[Keep, Param("better for an advantage, worse for a disadvantage")] = "better",
) -> Degree:
    """The dice are thrown and lie on the table: choose which die to reroll, once for each reroll that is left.

    Every reroll may take any die, also one that was rerolled before; a disadvantage always takes a greatest one.
    """
    if not 1 <= len(dice) <= MOST_MEMBERS:
        raise InvalidInputError(f"{len(dice)} dice lie on the table; 1 to {MOST_MEMBERS} are allowed", field="dice")
    aim = difficulty - modifier
    return await finish(rerolling(in_order(dice), rerolls, keep).map(lambda total: degree_of(total - aim)))


@mechanic(rules=["mars.opposed.difficulty_setting", "mars.check.outcomes"], objectives=DEGREE_OBJECTIVES)
async def opposed(
    roll_value: Rolled,
    against: Annotated[RollValue, Param("roll of the resisting side, which is the difficulty")],
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    against_advantage: Advantage = 0,
    against_disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Degree:
    """One side acts and the other resists: the total of the resisting side is the difficulty; a tie is a success."""
    acting = total_of(roll_value, advantage, disadvantage, dice)
    resisting = total_of(against, against_advantage, against_disadvantage, dice).by_opponent()
    return await finish(minus(acting, resisting).map(degree_of))


@mechanic(
    rules=["mars.opposed.contest"],
    objectives={
        "win": chance(lambda result: int(result.winner == "a")),
        "no_defeat": chance(lambda result: int(result.winner != "b")),
        "degree": lambda result: result.a.rank,
    },
)
async def contest(
    a: Annotated[RollValue, Param("roll value of the first side")],
    b: Annotated[RollValue, Param("roll value of the second side")],
    contest_tie: Annotated[ContestTie, Param("outcome of a tie")] = "no_winner",
    a_advantage: Advantage = 0,
    a_disadvantage: Disadvantage = 0,
    b_advantage: Advantage = 0,
    b_disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Contested:
    """A contest that only one side can win: the strictly higher total succeeds, seven higher is critical.

    There are no grazes. On a tie both fail, or both roll again.
    """
    one, other = total_of(a, a_advantage, a_disadvantage, dice), total_of(b, b_advantage, b_disadvantage, dice)
    difference = await minus(one, other.by_opponent()).map(Contested.of)
    if difference.winner is None and contest_tie == "reroll":
        await again()
    return difference


class Competition(NamedTuple):
    """Outcome of a contest of several: the number of the winner, 0 for no one, and the winner's degree."""

    winner: int
    degree: Degree


class _Ahead(NamedTuple):
    """The highest total of some, who has it, and by how much it is ahead of the next, as far as that counts."""

    total: int
    who: tuple[int, ...]
    margin: int = THRESHOLD

    def beside(self, other: _Ahead) -> _Ahead:
        """The leader of both groups together."""
        if self.total == other.total:
            return _Ahead(self.total, (*self.who, *other.who), 0)
        first, second = (self, other) if self.total > other.total else (other, self)
        return first._replace(margin=min(first.margin, first.total - second.total))


def _ahead(number: int, total: int) -> _Ahead:
    return _Ahead(total, (number,))


COMPETITION_OBJECTIVES = {
    "win": chance(lambda result: int(result.winner == 1)),
    "no_defeat": chance(lambda result: int(result.winner in (0, 1))),
    "critical": chance(lambda result: int(result.winner == 1 and result.degree is Degree.CRITICAL)),
}


@mechanic(rules=["mars.opposed.contest"], objectives=COMPETITION_OBJECTIVES)
async def contest_of_several(
    roll_values: Members,
    contest_tie: Annotated[ContestTie, Param("outcome of a tie for the highest total")] = "no_winner",
    dice: DiceRules = PLAIN,
) -> Competition:
    """A contest of several that only one can win: the one highest total succeeds, seven above the next is critical.

    The answer is the number of the winner, counted from 1. On a tie for the highest total nobody wins, or those who
    share it roll again.
    """
    if not 2 <= len(roll_values) <= MOST_MEMBERS:
        raise InvalidInputError(f"{len(roll_values)} compete; 2 to {MOST_MEMBERS} can", field="roll_values")
    return await become(competing(roll_values, tuple(range(1, len(roll_values) + 1)), contest_tie, dice))


@mechanic(rules=["mars.opposed.contest"], objectives=COMPETITION_OBJECTIVES)
async def competing(
    roll_values: tuple[RollValue, ...], numbers: tuple[int, ...], contest_tie: ContestTie, dice: DiceRules
) -> Competition:
    """A contest among the remaining sides."""
    totals: list[Request[_Ahead]] = [
        total_of(value, 0, 0, dice).map(partial(_ahead, number))
        for value, number in zip(roll_values, numbers, strict=True)
    ]
    ahead = await reduce(lambda so_far, following: both(so_far, following, _Ahead.beside), totals)
    if len(ahead.who) == 1:
        return Competition(ahead.who[0], degree_of(ahead.margin))
    if contest_tie == "no_winner":
        return Competition(0, Degree.FAILURE)
    if ahead.who == numbers:
        await again()
    still = tuple([value for value, number in zip(roll_values, numbers, strict=True) if number in ahead.who])
    return await become(competing(still, ahead.who, contest_tie, dice))


@mechanic(rules=["mars.check.group_action"], objectives=DEGREE_OBJECTIVES)
async def group_action(
    roll_values: Members,
    difficulty: Difficulty,
    mode: Annotated[Literal["best", "worst"], Param("whether one success is enough or everyone must succeed")] = "best",
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Degree:
    """Several characters make the same check, and only the best or only the worst result counts."""
    if not 1 <= len(roll_values) <= MOST_MEMBERS:
        raise InvalidInputError(
            f"{len(roll_values)} members act together; 1 to {MOST_MEMBERS} can", field="roll_values"
        )
    checks: list[Call[Degree]] = [check(value, difficulty, advantage, disadvantage, dice) for value in roll_values]
    counts = max if mode == "best" else min

    def pick(one: Degree, other: Degree) -> Degree:
        return counts(one, other, key=_rank)

    together: Request[Degree] = reduce(lambda so_far, following: both(so_far, following, pick), checks[1:], checks[0])
    return await finish(together)


MECHANICS: tuple[Mechanic[..., Any], ...] = (check, roll, reroll, opposed, contest, contest_of_several, group_action)
