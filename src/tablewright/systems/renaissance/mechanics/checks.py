"""Mechanics of checks and contests."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import Mechanic, Param, Role, again, both, chance, choose, finish, mechanic, versus, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.request import Request
from tablewright.systems.renaissance.mechanics.dice import Throw, uses_of_luck
from tablewright.systems.renaissance.options import (
    DowngradeCritical,
    ExceptionalBoundary,
    OrderedFirstFailure,
    RegradeLimit,
)
from tablewright.systems.renaissance.values import (
    D_PERCENT,
    Checked,
    Grade,
    Lucky,
    LuckyMargin,
    Quality,
    Regrade,
    Side,
    Variable,
    Won,
    flipped,
    judge,
    limited,
    natural_grade,
    natural_grades,
    regraded,
)

R = TypeVar("R")
COMMON_KNOWLEDGE = 10  # renaissance.modifier.common_knowledge

Target: TypeAlias = Annotated[int, Param("the target after all modifiers; it counts as 0 to 98", -500, 500)]
Boundary: TypeAlias = Annotated[ExceptionalBoundary, Param("whether a margin of exactly 30 is exceptional")]
CriticalCounts: TypeAlias = Annotated[bool, Param("whether a critical serves as an exceptional result")]
Change: TypeAlias = Annotated[Regrade, Param("upgrades and downgrades of the result, in order")]
Limit: TypeAlias = Annotated[RegradeLimit, Param("effect of an upgrade and a downgrade on one check")]
Downgraded: TypeAlias = Annotated[DowngradeCritical, Param("where a downgraded critical success lands")]


@chance
def _succeeds(grade: Grade) -> int:
    return int(grade.succeeds)


def _rank(grade: Grade) -> int:
    return grade.rank


class Grading(NamedTuple):
    """Options and changes that decide the grade of a check."""

    exceptional_boundary: Boundary = "over"
    regrade: Change = Regrade.NONE
    regrade_limit: Limit = "one_each_cancel"
    downgrade_critical: Downgraded = "to_exceptional"

    def read(self, rolled: int, goal: int) -> Checked:
        """Result of a roll before anything changes its grade."""
        return judge(rolled, goal, self.exceptional_boundary)

    @property
    def is_plain(self) -> bool:
        """True if nothing changes the grade."""
        return self.regrade.effective(self.regrade_limit) is Regrade.NONE

    def changed(self, grade: Grade, change: Regrade) -> Grade:
        """A grade after an upgrade or a downgrade."""
        return regraded(grade, change, self.regrade_limit, self.downgrade_critical)


PLAIN = Grading()


def _reader(target: int, grading: Grading) -> Callable[[int], Checked]:
    """Reader of a roll against this target."""
    goal = limited(target)

    if grading.is_plain:
        return lambda rolled: grading.read(rolled, goal)

    def read(rolled: int) -> Checked:
        natural = grading.read(rolled, goal)
        return Checked(grading.changed(natural.grade, grading.regrade), natural.margin)

    return read


def _grader(target: int, grading: Grading) -> Callable[[int], Grade]:
    """Function from a number rolled against this target to its grade."""
    goal, boundary, change = limited(target), grading.exceptional_boundary, grading.regrade
    if grading.is_plain:
        return natural_grades(goal, boundary).__getitem__
    return lambda rolled: grading.changed(natural_grade(rolled, goal, boundary), change)


# ---------------------------------------------------------------------- one check


@mechanic(
    rules=[
        "renaissance.check.d_percent",
        "renaissance.check.resolve",
        "renaissance.check.margin",
        "renaissance.check.target_limits",
        "renaissance.grade.ladder",
        "renaissance.grade.exceptional",
        "renaissance.grade.critical",
        "renaissance.grade.normal",
        "renaissance.regrade.upgrade",
        "renaissance.regrade.downgrade",
        "renaissance.regrade.margins_unchanged",
        "renaissance.regrade.limit",
    ],
    objectives={"success": chance(lambda checked: int(checked.succeeds)), "grade": lambda checked: checked.grade.rank},
)
async def margin(target: Target, grading: Grading = PLAIN) -> Checked:
    """Roll D% under or equal to the target: the grade together with the Margin of Success or of Failure.

    The margin of a success is the number rolled, that of a failure the number rolled less the target. A double is
    critical, a margin over 30 exceptional. An upgrade or a downgrade changes the grade, never the margin.
    """
    return await finish(throw(D_PERCENT).map(_reader(target, grading)))


@mechanic(
    rules=[
        "renaissance.check.resolve",
        "renaissance.check.target_limits",
        "renaissance.grade.ladder",
        "renaissance.regrade.upgrade",
        "renaissance.regrade.downgrade",
        "renaissance.regrade.never_flips",
        "renaissance.regrade.limit",
    ],
    objectives={"success": _succeeds, "grade": _rank},
)
async def check(target: Target, grading: Grading = PLAIN) -> Grade:
    """Roll D% under or equal to the target; the result is one of six grades.

    0 always succeeds and 99 always fails. A double is critical, a margin over 30 exceptional; critical outranks.
    """
    return await finish(throw(D_PERCENT).map(_grader(target, grading)))


@mechanic(
    rules=["renaissance.simple.check"], objectives={"excel": chance(lambda quality: int(quality is Quality.EXCEL))}
)
async def simple_check(target: Target) -> Quality:
    """Roll D% where success is assumed: up to the target it is done well, above it clumsily, never with a grade."""
    goal = limited(target)
    return await finish(throw(D_PERCENT).map(lambda rolled: Quality.EXCEL if rolled <= goal else Quality.STUMBLE))


@mechanic(rules=["renaissance.modifier.common_knowledge"])
async def common_knowledge(ranks: Annotated[int, Param("ranks in the skill", 0, 100)]) -> bool:
    """Common knowledge of a skill: with 10 ranks or more, without a roll."""
    return ranks >= COMMON_KNOWLEDGE


# ---------------------------------------------------------------------- two sides

_FAILED = -1


@mechanic(rules=["renaissance.check.resolve", "renaissance.check.margin", "renaissance.check.target_limits"])
async def success_margin(target: Target) -> int:
    """The Margin of Success that opposed checks compare; -1, below all of them, for a failure."""
    goal = limited(target)
    return await finish(throw(D_PERCENT).map(lambda rolled: rolled if rolled <= goal else _FAILED))


def _is_success(compared: int) -> bool:
    return compared > _FAILED


@mechanic(
    rules=["renaissance.opposed.resolve", "renaissance.opposed.different_skills"],
    objectives={"win": chance(lambda winner: int(winner is Side.A))},
)
async def opposed(
    a: Annotated[int, Param("the target of the first side", -500, 500)],
    b: Annotated[int, Param("the target of the second side", -500, 500)],
) -> Side:
    """Two sides make a check each: the one success wins, of two successes the higher; otherwise both roll again."""
    sign = await versus(success_margin(limited(a)), success_margin(limited(b)))
    if sign == 0:
        await again()
    return Side.A if sign > 0 else Side.B


@mechanic(
    rules=["renaissance.opposed.resolve", "renaissance.check.margin", "renaissance.grade.ladder"],
    objectives={
        "win": chance(lambda won: int(won.winner is Side.A)),
        "margin": lambda won: won.margin if won.winner is Side.A else 0,
    },
)
async def opposed_margin(
    a: Annotated[int, Param("the target of the first side", -500, 500)],
    b: Annotated[int, Param("the target of the second side", -500, 500)],
    exceptional_boundary: Boundary = "over",
) -> Won:
    """An opposed check with the winner's grade and Margin of Success; of several rolls the last ones count."""

    def ahead(first: int, second: int) -> int:
        """The winner's margin counted from 1 on, negative for the second side, 0 for no one."""
        if first == second:
            return 0
        return first + 1 if first > second else -second - 1

    result = await both(success_margin(limited(a)), success_margin(limited(b)), ahead)
    if result == 0:
        await again()
    rolled = abs(result) - 1
    grade = judge(rolled, rolled, exceptional_boundary).grade
    return Won(Side.A if result > 0 else Side.B, grade, rolled)


@mechanic(
    rules=["renaissance.opposed.ordered", "renaissance.opposed.ordered_first_failure"],
    objectives={"win": chance(lambda winner: int(winner is Side.A))},
)
async def ordered(
    a: Annotated[int, Param("the target of the side that rolls first", -500, 500)],
    b: Annotated[int, Param("the target of the other side", -500, 500)],
    ordered_first_failure: Annotated[OrderedFirstFailure, Param("effect of a failed first roll")] = "lose",
) -> Side:
    """One side rolls first and, failing, loses; if it succeeds the other side has to beat it; on a tie both roll again.

    Where a failed first roll does not lose at once, the other side needs a success to win and both roll again without.
    """
    first = await success_margin(limited(a))
    if first == _FAILED and ordered_first_failure == "lose":
        return Side.B
    sign = await success_margin(limited(b)).map(lambda second: (first > second) - (first < second))
    if sign == 0:
        await again()
    return Side.A if sign > 0 else Side.B


@mechanic(
    rules=["renaissance.opposed.variable"],
    objectives={
        "win": chance(lambda result: int(result is Variable.A_WINS)),
        "no_defeat": chance(lambda result: int(result is not Variable.B_WINS)),
    },
)
async def variable(
    a: Annotated[int, Param("the target of the first side", -500, 500)],
    b: Annotated[int, Param("the target of the second side", -500, 500)],
) -> Variable:
    """An opposed check in which both sides can succeed, each in part; margins are not compared.

    If only one side succeeds it wins; if neither does, both roll again.
    """
    first = await success_margin(limited(a)).map(_is_success)
    second = await success_margin(limited(b)).map(_is_success)
    if first and second:
        return Variable.BOTH_PARTIAL
    if not first and not second:
        await again()
    return Variable.A_WINS if first else Variable.B_WINS


# ---------------------------------------------------------------------- luck

Penalties: TypeAlias = Annotated[
    int, Param("how much the target would be higher without its negative modifiers", 0, 500)
]
Luck: TypeAlias = Annotated[int, Param("Luck points that may be spent", 0, 20)]
LuckLimit: TypeAlias = Annotated[int | None, Param("how many points one check may take", 1, 20)]
Daring: TypeAlias = Annotated[int, Param("bonus of a daredevil's point before the roll", 0, 100)]

LUCK_RULES = [
    "renaissance.luck.ignore_penalties",
    "renaissance.luck.flip",
    "renaissance.luck.upgrade",
    "renaissance.luck.limit",
    "renaissance.regrade.limit",
]
ROLL_AGAIN = "roll again"
LUCK_OBJECTIVES = {
    "success": chance(lambda result: int(result.grade.succeeds)),
    "grade": lambda result: result.grade.rank,
    "exceptional": chance(lambda result: int(result.grade.rank >= Grade.EXCEPTIONAL_SUCCESS.rank)),
    "thrifty_success": lambda result: int(result.grade.succeeds) - Fraction(result.spent, 10),
}


def luck_for_one(luck: int, most: int | None) -> int:
    """The points that one check may take (renaissance.luck.limit).

    >>> luck_for_one(3, None), luck_for_one(3, 1), luck_for_one(0, 1)
    (3, 1, 0)
    """
    return luck if most is None else min(luck, most)


def percent_against(goal: int) -> Request[int]:
    """D% against a target: in statistics of luck a success counts 100, whatever its margin."""
    return throw(D_PERCENT, worth=_worth_of_success(goal))


@lru_cache(maxsize=100)
def _worth_of_success(goal: int) -> Callable[[int], int]:
    return lambda rolled: 100 * (rolled <= goal)


async def before_roll(
    seat: Role, luck: int, target: int, penalties: int, daring: int, asked: str = "ignore the penalties"
) -> tuple[int, int]:
    """Target of a side after its Luck before the roll, and the points spent.

    A point ignores penalties, and one more adds its bonus for daredevils (renaissance.gap.class.daredevil).
    """
    ignores = luck > 0 and penalties > 0 and await yes_no(seat, asked, cost_text="1 Luck")
    dares = luck > ignores and daring > 0 and await yes_no(seat, f"dare it, for {daring:+d}", cost_text="1 Luck")
    return limited(target + penalties * ignores + daring * dares), int(ignores) + int(dares)


async def with_luck(
    points: int,
    target: int,
    penalties: int,
    regrade: Regrade,
    read: Callable[[int, int], R],
    daring: int = 0,
    second_roll: bool = False,
) -> tuple[R, Regrade, int]:
    """A check with Luck: what lies there in the end, what still changes its grade, and the points spent.

    Some may roll again for a point, once (renaissance.gap.race.social_animal).
    """
    goal, spent = await before_roll(Role.ACTOR, points, target, penalties, daring)

    def read_both(rolled: int) -> Throw[R]:
        swapped = flipped(rolled)
        return Throw(read(rolled, goal), None if swapped == rolled else read(swapped, goal))

    dice = throw(D_PERCENT).map(read_both)
    lies = await dice
    if second_roll and points > spent and await yes_no(Role.ACTOR, ROLL_AGAIN, cost_text="1 Luck"):
        lies, spent = await dice, spent + 1
    # Offered by the digits alone: which results they give would tell of a secret target.
    uses = uses_of_luck(points - spent, regrade, can_flip=lies.flipped is not None)
    use = uses[0] if len(uses) == 1 else await choose(Role.ACTOR, "spend Luck on the result", uses)
    result = lies.flipped if use.flips and lies.flipped is not None else lies.natural
    return result, use.regrade(regrade), spent + use.points


@mechanic(rules=LUCK_RULES, objectives=LUCK_OBJECTIVES)
async def lucky_check(
    target: Target, luck: Luck, penalties: Penalties = 0, luck_per_check: LuckLimit = None, grading: Grading = PLAIN
) -> Lucky:
    """A check on which Luck points are spent by choice, one for each use.

    Before the roll a point makes all negative modifiers count for nothing. After it a point swaps the digits of the
    roll, which is then judged again, and a point upgrades the result, unless it was upgraded already.
    """

    def read(rolled: int, goal: int) -> Grade:
        return grading.read(rolled, goal).grade

    points = luck_for_one(luck, luck_per_check)
    grade, change, spent = await with_luck(points, target, penalties, grading.regrade, read)
    return Lucky(grading.changed(grade, change), spent)


@mechanic(rules=[*LUCK_RULES, "renaissance.check.margin"], objectives=LUCK_OBJECTIVES)
async def lucky_margin(
    target: Target, luck: Luck, penalties: Penalties = 0, luck_per_check: LuckLimit = None, grading: Grading = PLAIN
) -> LuckyMargin:
    """A check with Luck as in `renaissance.lucky_check`, together with the margin of the number that counts."""
    points = luck_for_one(luck, luck_per_check)
    checked, change, spent = await with_luck(points, target, penalties, grading.regrade, grading.read)
    return LuckyMargin(grading.changed(checked.grade, change), checked.margin, spent)


MECHANICS: tuple[Mechanic[..., Any], ...] = (
    check,
    margin,
    success_margin,
    simple_check,
    common_knowledge,
    opposed,
    opposed_margin,
    ordered,
    variable,
    lucky_check,
    lucky_margin,
)
