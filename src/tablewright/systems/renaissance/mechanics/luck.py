"""Mechanics of checks with Luck: daring, second rolls, contests with Luck on both sides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import Mechanic, Param, Role, become, both, chance, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.systems.renaissance.mechanics.checks import (
    LUCK_OBJECTIVES,
    LUCK_RULES,
    PLAIN,
    ROLL_AGAIN,
    Daring,
    Grading,
    LuckLimit,
    Penalties,
    Target,
    before_roll,
    luck_for_one,
    with_luck,
)
from tablewright.systems.renaissance.options import OrderedFirstFailure
from tablewright.systems.renaissance.values import D_PERCENT, Grade, Lucky, Quality, Regrade, Variable, flipped

Points: TypeAlias = Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)]
Again: TypeAlias = Annotated[bool, Param("whether a point buys a second roll, which then counts")]


@mechanic(
    rules=[*LUCK_RULES, "renaissance.gap.class.daredevil", "renaissance.gap.race.social_animal"],
    objectives=LUCK_OBJECTIVES,
)
async def gifted_check(
    target: Target,
    luck: Points,
    penalties: Penalties = 0,
    daring: Daring = 0,
    second_roll: Again = False,
    graded: Annotated[bool, Param("whether the result can be exceptional or critical")] = True,
    luck_per_check: LuckLimit = None,
    grading: Grading = PLAIN,
) -> Lucky:
    """A check with Luck and the gifts that use it.

    Before the roll a point ignores penalties and one more, for daredevils, adds its bonus. After it some may roll again
    for a point, once; then the digits may be swapped and the result upgraded as in every check.
    """
    change = grading.regrade if graded else Regrade.UNGRADED

    def read(rolled: int, goal: int) -> Grade:
        grade = grading.read(rolled, goal).grade
        return grade if graded else grading.changed(grade, change)

    points = luck_for_one(luck, luck_per_check)
    grade, change, spent = await with_luck(points, target, penalties, change, read, daring, second_roll)
    return Lucky(grading.changed(grade, change), spent)


class Done(NamedTuple):
    """Quality of a simple check, and the Luck points spent on it."""

    quality: Quality
    spent: int

    @property
    def excels(self) -> bool:
        """True if it was done well."""
        return self.quality is Quality.EXCEL


@mechanic(
    rules=["renaissance.simple.check", *LUCK_RULES, "renaissance.gap.class.daredevil"],
    objectives={
        "excel": chance(lambda done: int(done.excels)),
        "thrifty_excel": lambda done: int(done.excels) - Fraction(done.spent, 10),
    },
)
async def lucky_simple(
    target: Target,
    luck: Points,
    penalties: Penalties = 0,
    daring: Daring = 0,
    second_roll: Again = False,
    luck_per_check: LuckLimit = None,
) -> Done:
    """A simple check with Luck: before the roll as in every check; after it what was clumsy may be turned.

    There is no grade to upgrade.
    """
    points = luck_for_one(luck, luck_per_check)
    goal, spent = await before_roll(Role.ACTOR, points, target, penalties, daring)
    dice = throw(D_PERCENT).map(lambda rolled: (rolled <= goal, flipped(rolled) <= goal))
    excels, could = await dice
    if not excels and second_roll and points > spent and await _roll_again(Role.ACTOR):
        (excels, could), spent = await dice, spent + 1
    if not excels and could and points > spent and await _flip(Role.ACTOR):
        excels, spent = True, spent + 1
    return Done(Quality.EXCEL if excels else Quality.STUMBLE, spent)


# ---------------------------------------------------------------------- two sides with Luck

Way: TypeAlias = Literal["opposed", "ordered", "variable"]


class Contest(NamedTuple):
    """Result of a contest, and the Luck points that both sides spent."""

    result: Variable
    a_spent: int
    b_spent: int


class _Ends(NamedTuple):
    """Results of two rolls if no one, only A, only B, or both swap the digits."""

    neither: int
    a: int
    b: int
    both: int


A_WINS, B_WINS, PARTIAL, AGAIN = 1, -1, 2, 0
_RESULTS = {A_WINS: Variable.A_WINS, B_WINS: Variable.B_WINS, PARTIAL: Variable.BOTH_PARTIAL}
_FAILED = -1
_NOBODY = (_FAILED, _FAILED)
"""Margins of the leading side, if there is none or none is asked for."""


def _ahead(first: int, second: int) -> int:
    return (first > second) - (first < second)


def _in_part(first: int, second: int) -> int:
    if first > _FAILED and second > _FAILED:
        return PARTIAL
    return _ahead(first, second) if first != second else AGAIN


def _margins(goal: int) -> Callable[[int], tuple[int, int]]:
    def read(rolled: int) -> tuple[int, int]:
        swapped = flipped(rolled)
        return (rolled if rolled <= goal else _FAILED, swapped if swapped <= goal else _FAILED)

    return read


def _compared(judged: Callable[[int, int], int], mine: tuple[int, int], theirs: tuple[int, int]) -> _Ends:
    return _Ends(
        judged(mine[0], theirs[0]), judged(mine[1], theirs[0]), judged(mine[0], theirs[1]), judged(mine[1], theirs[1])
    )


@mechanic(rules=["renaissance.opposed.resolve", "renaissance.opposed.variable", "renaissance.luck.flip"])
async def two_rolls(
    a: Annotated[int, Param("the target of the first side", 0, 98)],
    b: Annotated[int, Param("the target of the second side", 0, 98)],
    partly: Annotated[bool, Param("whether both can succeed in part")] = False,
) -> _Ends:
    """Both sides roll: who wins if nobody, one, or both swap the digits; 2 is a success of both, 0 rolls again."""
    first, second = throw(D_PERCENT).map(_margins(a)), throw(D_PERCENT, Role.OPPONENT).map(_margins(b))
    return await both(first, second, partial(_compared, _in_part if partly else _ahead))


def _thrifty(contest: Contest) -> Fraction:
    return int(contest.result is Variable.A_WINS) - Fraction(contest.a_spent - contest.b_spent, 10)


def _contest_worth(contest: Contest) -> int:
    """A victory counts 100, half of it where both succeed in part, a Luck point 60 as everywhere it is weighed."""
    won = {Variable.A_WINS: 100, Variable.BOTH_PARTIAL: 50, Variable.B_WINS: 0}[contest.result]
    return won - 60 * (contest.a_spent - contest.b_spent)


CONTEST_OBJECTIVES: dict[str, Callable[[Any], int | Fraction]] = {
    "worth": _contest_worth,
    "win": chance(lambda contest: int(contest.result is Variable.A_WINS)),
    "no_defeat": chance(lambda contest: int(contest.result is not Variable.B_WINS)),
    "thrifty_win": _thrifty,
}
ALuck: TypeAlias = Annotated[int, Param("Luck points of the first side", 0, 20, unseen=0)]
BLuck: TypeAlias = Annotated[int, Param("Luck points of the second side", 0, 20, unseen=0)]
FirstFailure: TypeAlias = Annotated[OrderedFirstFailure, Param("effect of a failed first roll")]
Spent: TypeAlias = Annotated[int, Param("Luck points that were spent already", 0, 20)]
Compared: TypeAlias = Annotated[Way, Param("how the two checks are compared")]


class Contestants(NamedTuple):
    """Targets of both sides of a contest, their Luck, and how much of the targets penalties take away."""

    a: Target
    b: Target
    a_luck: ALuck = 0
    b_luck: BLuck = 0
    a_penalties: Penalties = 0
    b_penalties: Penalties = 0


class Gifts(NamedTuple):
    """Gifts of both sides: the bonus of a daredevil's point, and the right to a second roll."""

    a_daring: Daring = 0
    b_daring: Annotated[int, Param("the same for the second side", 0, 100)] = 0
    a_again: Again = False
    b_again: Again = False


NO_GIFTS = Gifts()


@mechanic(
    rules=[
        "renaissance.opposed.resolve",
        "renaissance.opposed.ordered",
        "renaissance.opposed.variable",
        "renaissance.luck.flip",
        "renaissance.luck.ignore_penalties",
        "renaissance.gap.class.daredevil",
        "renaissance.gap.race.social_animal",
    ],
    objectives=CONTEST_OBJECTIVES,
)
async def lucky_contest(
    sides: Contestants,
    way: Compared = "opposed",
    luck_per_check: LuckLimit = None,
    ordered_first_failure: FirstFailure = "lose",
    gifts: Gifts = NO_GIFTS,
) -> Contest:
    """Two checks against each other, with Luck on both sides; the first side decides first.

    Before the rolls each may ignore its penalties, and daredevils may dare. Once both rolls are known the side that is
    behind may roll again where a gift allows it, and each may swap the digits of its own roll. If there is no winner
    both roll again with the Luck that is left. In an ordered check the second side rolls only if the first one
    succeeds, which may take a second roll or swapping the digits.
    """
    mine, theirs = luck_for_one(sides.a_luck, luck_per_check), luck_for_one(sides.b_luck, luck_per_check)
    ours, a_spent = await before_roll(Role.ACTOR, mine, sides.a, sides.a_penalties, gifts.a_daring)
    other, b_spent = await before_roll(Role.OPPONENT, theirs, sides.b, sides.b_penalties, gifts.b_daring)
    left, again = (mine - a_spent, theirs - b_spent), (gifts.a_again, gifts.b_again)
    stakes = Stakes(ours, other, *left, way, ordered_first_failure, a_spent, b_spent, *again)
    return await become(rolled_contest(stakes))


class _Lying(NamedTuple):
    """Two rolls on the table: their result, and the margins of the leading side, natural and swapped."""

    ends: _Ends
    natural: int
    swapped: int


def _on_the_table(
    judged: Callable[[int, int], int], *, again: bool = True
) -> Callable[[tuple[int, int], tuple[int, int]], _Lying]:
    """Reader of two rolls; ``again`` keeps the margin that a second roll of the other side must beat."""

    def read(mine: tuple[int, int], theirs: tuple[int, int]) -> _Lying:
        ends = _compared(judged, mine, theirs)
        ahead = theirs if ends.neither == B_WINS else mine if ends.neither == A_WINS else _NOBODY
        return _Lying(ends, *(ahead if again else _NOBODY))

    return read


class Stakes(NamedTuple):
    """Targets, Luck and gifts of both sides of a contest, and the points spent already."""

    a: Annotated[int, Param("the target of the first side", 0, 98)]
    b: Annotated[int, Param("the target of the second side", 0, 98)]
    a_luck: ALuck
    b_luck: BLuck
    way: Compared = "opposed"
    ordered_first_failure: FirstFailure = "lose"
    a_spent: Spent = 0
    b_spent: Spent = 0
    a_again: Again = False
    b_again: Again = False

    @property
    def judged(self) -> Callable[[int, int], int]:
        """Comparison of two margins."""
        return _in_part if self.way == "variable" else _ahead

    def spend(self, first: bool) -> Stakes:
        """With a point spent by one side."""
        if first:
            return self._replace(a_luck=max(0, self.a_luck - 1), a_spent=self.a_spent + 1)
        return self._replace(b_luck=max(0, self.b_luck - 1), b_spent=self.b_spent + 1)

    def may_roll_again(self, first: bool) -> bool:
        """True if one side can buy a second roll."""
        return self.a_again and self.a_luck > 0 if first else self.b_again and self.b_luck > 0


@mechanic(rules=["renaissance.opposed.resolve", "renaissance.luck.flip"], objectives=CONTEST_OBJECTIVES)
async def rolled_contest(stakes: Stakes) -> Contest:
    """The rolls of a contest and the Luck spent on them, repeated until one side has won."""
    again = stakes.may_roll_again(True), stakes.may_roll_again(False)
    flips_a = False
    if stakes.way == "ordered" and stakes.ordered_first_failure == "lose":
        mine = await throw(D_PERCENT).map(_margins(stakes.a))
        if mine[0] == _FAILED and again[0] and await _roll_again(Role.ACTOR):
            return await become(rolled_contest(stakes.spend(True)._replace(a_again=False)))
        flips_a = mine[0] == _FAILED < mine[1] and stakes.a_luck > 0 and await _flip(Role.ACTOR)
        if mine[0] == _FAILED and not flips_a:
            return Contest(Variable.B_WINS, stakes.a_spent, stakes.b_spent)
        meet = _on_the_table(_ahead, again=any(again))
        theirs = throw(D_PERCENT, Role.OPPONENT).map(_margins(stakes.b))
        lies = await theirs.map(lambda other: meet((mine[1], mine[1]) if flips_a else mine, other))
    elif any(again):
        rolls = throw(D_PERCENT).map(_margins(stakes.a)), throw(D_PERCENT, Role.OPPONENT).map(_margins(stakes.b))
        lies = await both(*rolls, _on_the_table(stakes.judged))
    else:
        lies = _Lying(await two_rolls(stakes.a, stakes.b, stakes.way == "variable"), *_NOBODY)
    stakes = stakes.spend(True) if flips_a else stakes
    for ahead, behind, seat in ((B_WINS, True, Role.ACTOR), (A_WINS, False, Role.OPPONENT)):
        can = stakes.may_roll_again(behind) and not (behind and flips_a)
        if lies.ends.neither == ahead and can and await _roll_again(seat):
            return await become(turned_contest(behind, lies.natural, lies.swapped, stakes))
    return await _finished(lies.ends, stakes, may_flip=not flips_a)


@mechanic(rules=["renaissance.gap.race.social_animal", "renaissance.luck.flip"], objectives=CONTEST_OBJECTIVES)
async def turned_contest(
    first: Annotated[bool, Param("whether it is the first side that rolls again")],
    natural: Annotated[int, Param("the margin of the other side's roll; -1 for a failure", -1, 98)],
    swapped: Annotated[int, Param("its margin with the digits swapped", -1, 98)],
    stakes: Stakes,
) -> Contest:
    """A second roll, bought with a Luck point, against a roll that stays; the other side may answer in kind."""
    meet, stays = _on_the_table(stakes.judged), (natural, swapped)
    stakes = stakes.spend(first)._replace(a_again=stakes.a_again and not first, b_again=stakes.b_again and first)
    if first:
        lies = await throw(D_PERCENT).map(_margins(stakes.a)).map(lambda mine: meet(mine, stays))
    else:
        lies = await throw(D_PERCENT, Role.OPPONENT).map(_margins(stakes.b)).map(lambda theirs: meet(stays, theirs))
    can = lies.ends.neither == (A_WINS if first else B_WINS) and stakes.may_roll_again(not first)
    if can and await _roll_again(Role.OPPONENT if first else Role.ACTOR):
        return await become(turned_contest(not first, lies.natural, lies.swapped, stakes))
    return await _finished(lies.ends, stakes)


async def _finished(ends: _Ends, stakes: Stakes, *, may_flip: bool = True) -> Contest:
    """Both may swap the digits of their own rolls, the first side first; without a winner both roll again."""
    helps = not (_no_better(ends.a, ends.neither) and _no_better(ends.both, ends.b))
    now, turned = ends.neither, ends.b
    if may_flip and stakes.a_luck > 0 and helps and await _flip(Role.ACTOR):
        now, turned, stakes = ends.a, ends.both, stakes.spend(True)
    if stakes.b_luck > 0 and not _no_better(now, turned) and await _flip(Role.OPPONENT):
        now, stakes = turned, stakes.spend(False)
    if now == AGAIN:
        return await become(rolled_contest(stakes))
    return Contest(_RESULTS[now], stakes.a_spent, stakes.b_spent)


def _no_better(new: int, old: int) -> bool:
    """True if the first side has nothing from an end in place of another; turned round, nor has the second side.

    To roll again may be better or worse than a success of both.
    """
    return new in (old, B_WINS) or old == A_WINS


async def _flip(seat: Role) -> bool:
    return await yes_no(seat, "flip the digits", cost_text="1 Luck")


async def _roll_again(seat: Role) -> bool:
    return await yes_no(seat, ROLL_AGAIN, cost_text="1 Luck")


LUCKY_MECHANICS: tuple[Mechanic[..., Any], ...] = (
    gifted_check,
    lucky_simple,
    two_rolls,
    lucky_contest,
    rolled_contest,
    turned_contest,
)
