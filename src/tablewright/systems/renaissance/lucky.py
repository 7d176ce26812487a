"""Checks with everything that Luck and gifts can do: daring, a second roll, and contests with Luck on both sides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import Mechanic, Param, Seat, become, both, choose, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.systems.renaissance.luck import Throw, uses_of_luck
from tablewright.systems.renaissance.mechanics import LUCK_OBJECTIVES, LUCK_RULES, PLAIN, Grading, LuckLimit, Target
from tablewright.systems.renaissance.options import OrderedFirstFailure
from tablewright.systems.renaissance.values import (
    D_PERCENT,
    Grade,
    Lucky,
    Regrade,
    Variable,
    flipped,
    limited,
)

Points: TypeAlias = Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)]
Penalties: TypeAlias = Annotated[
    int, Param("how much the target would be higher without its negative modifiers", 0, 500)
]


@mechanic(
    rules=[*LUCK_RULES, "renaissance.gap.class.daredevil", "renaissance.gap.race.social_animal"],
    objectives=LUCK_OBJECTIVES,
)
@spelled_out
async def gifted_check(
    target: Target,
    luck: Points,
    penalties: Penalties = 0,
    daring: Annotated[int, Param("what a point before the roll adds, for daredevils", 0, 100)] = 0,
    second_roll: Annotated[bool, Param("whether a point buys a second roll, which then counts")] = False,
    graded: Annotated[bool, Param("whether the result can be exceptional or critical")] = True,
    luck_per_check: LuckLimit = None,
    grading: Grading = PLAIN,
) -> Lucky:
    """A check with Luck by somebody who can do more with it than others.

    Before the roll a point ignores penalties and one more, for daredevils, adds its bonus. After it some may roll again
    for a point, once; then the digits may be swapped and the result upgraded as in every check.
    """
    points = luck if luck_per_check is None else min(luck, luck_per_check)
    ignores = points > 0 and penalties > 0 and await yes_no(Seat.ACTOR, "ignore the penalties", cost="1 Luck")
    dares = points > ignores and daring > 0 and await yes_no(Seat.ACTOR, "dare it", cost="1 Luck")
    goal = limited(target + penalties * ignores + daring * dares)
    spent = int(ignores) + int(dares)
    return await become(gifted_roll(goal, points - spent, spent, second_roll, graded, *grading))


@mechanic(rules=LUCK_RULES, objectives=LUCK_OBJECTIVES)
@spelled_out
async def gifted_roll(
    target: Annotated[int, Param("the target within its limits", 0, 98)],
    luck: Annotated[int, Param("Luck points that may still be spent", 0, 20, unseen=0)],
    spent: Annotated[int, Param("Luck points spent already", 0, 20)] = 0,
    second_roll: Annotated[bool, Param("whether a point buys a second roll, which then counts")] = False,
    graded: Annotated[bool, Param("whether the result can be exceptional or critical")] = True,
    grading: Grading = PLAIN,
) -> Lucky:
    """The roll of a check with Luck, and what is spent on the result."""

    def read(rolled: int) -> Grade:
        grade = grading.read(rolled, target).grade
        return grade if graded else grading.changed(grade, Regrade.UNGRADED)

    found = await throw(D_PERCENT).map(lambda rolled: Throw(read(rolled), read(flipped(rolled))))
    if second_roll and luck > 0 and await yes_no(Seat.ACTOR, "roll again", cost="1 Luck"):
        return await become(gifted_roll(target, luck - 1, spent + 1, False, graded, *grading))
    change = grading.regrade if graded else Regrade.UNGRADED
    uses = uses_of_luck(luck, change, can_flip=found.flipped != found.natural)
    use = uses[0] if len(uses) == 1 else await choose(Seat.ACTOR, "spend Luck on the result", uses)
    grade = found.flipped if use.flips else found.natural
    return Lucky(grading.changed(grade, use.regrade(grading.regrade)) if graded else grade, spent + use.cost)


# ---------------------------------------------------------------------- two sides with Luck

Way: TypeAlias = Literal["opposed", "ordered", "variable"]


class Contest(NamedTuple):
    """How a contest went, and the Luck points that both spent on it."""

    result: Variable
    a_spent: int
    b_spent: int


class _Ends(NamedTuple):
    """What two rolls come to if nobody, only A, only B, or both swap the digits."""

    neither: int
    a: int
    b: int
    both: int


A_WINS, B_WINS, PARTIAL, AGAIN = 1, -1, 2, 0
_RESULTS = {A_WINS: Variable.A_WINS, B_WINS: Variable.B_WINS, PARTIAL: Variable.BOTH_PARTIAL}
_FAILED = -1


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


@mechanic(rules=["renaissance.opposed.resolve", "renaissance.opposed.variable", "renaissance.luck.flip"])
async def two_rolls(
    a: Annotated[int, Param("the target of the first side", 0, 98)],
    b: Annotated[int, Param("the target of the second side", 0, 98)],
    partly: Annotated[bool, Param("whether both can succeed in part")] = False,
) -> _Ends:
    """Both sides roll: who wins if nobody, one, or both swap the digits; 2 is a success of both, 0 rolls again."""
    read_a, read_b = _margins(a), _margins(b)
    judged = _in_part if partly else _ahead

    def read(first: int, second: int) -> _Ends:
        (mine, mine_swapped), (theirs, theirs_swapped) = read_a(first), read_b(second)
        return _Ends(
            judged(mine, theirs),
            judged(mine_swapped, theirs),
            judged(mine, theirs_swapped),
            judged(mine_swapped, theirs_swapped),
        )

    return await both(throw(D_PERCENT), throw(D_PERCENT, Seat.OPPONENT), read)


def _thrifty(contest: Contest) -> Fraction:
    return int(contest.result is Variable.A_WINS) - Fraction(contest.a_spent - contest.b_spent, 10)


CONTEST_OBJECTIVES: dict[str, Callable[[Any], int | Fraction]] = {
    "win": lambda contest: int(contest.result is Variable.A_WINS),
    "no_defeat": lambda contest: int(contest.result is not Variable.B_WINS),
    "thrifty_win": _thrifty,
}


@mechanic(
    rules=[
        "renaissance.opposed.resolve",
        "renaissance.opposed.ordered",
        "renaissance.opposed.variable",
        "renaissance.luck.flip",
        "renaissance.luck.ignore_penalties",
    ],
    objectives=CONTEST_OBJECTIVES,
)
async def lucky_contest(
    a: Target,
    b: Target,
    a_luck: Annotated[int, Param("Luck points of the first side", 0, 20, unseen=0)] = 0,
    b_luck: Annotated[int, Param("Luck points of the second side", 0, 20, unseen=0)] = 0,
    a_penalties: Penalties = 0,
    b_penalties: Penalties = 0,
    way: Annotated[Way, Param("how the two checks are compared")] = "opposed",
    luck_per_check: LuckLimit = None,
    ordered_first_failure: Annotated[OrderedFirstFailure, Param("what a failed first roll means")] = "lose",
) -> Contest:
    """Two checks against each other, with Luck on both sides; the first side decides first.

    Before the rolls each may ignore its penalties. Once both rolls are known each may swap the digits of its own. If
    there is no winner both roll again with the Luck that is left. In an ordered check the second side rolls only if the
    first one succeeds, which may take swapping the digits.
    """
    mine = a_luck if luck_per_check is None else min(a_luck, luck_per_check)
    theirs = b_luck if luck_per_check is None else min(b_luck, luck_per_check)
    mine_ignored = mine > 0 and a_penalties > 0 and await yes_no(Seat.ACTOR, "ignore the penalties", cost="1 Luck")
    ignorable = theirs > 0 and b_penalties > 0
    other_ignored = ignorable and await yes_no(Seat.OPPONENT, "ignore the penalties", cost="1 Luck")
    return await become(
        rolled_contest(
            limited(a + a_penalties * mine_ignored),
            limited(b + b_penalties * other_ignored),
            mine - mine_ignored,
            theirs - other_ignored,
            way,
            ordered_first_failure,
            int(mine_ignored),
            int(other_ignored),
        )
    )


@mechanic(rules=["renaissance.opposed.resolve", "renaissance.luck.flip"], objectives=CONTEST_OBJECTIVES)
async def rolled_contest(
    a: Annotated[int, Param("the target of the first side", 0, 98)],
    b: Annotated[int, Param("the target of the second side", 0, 98)],
    a_luck: Annotated[int, Param("Luck points that the first side may still spend", 0, 20, unseen=0)],
    b_luck: Annotated[int, Param("Luck points that the second side may still spend", 0, 20, unseen=0)],
    way: Annotated[Way, Param("how the two checks are compared")] = "opposed",
    ordered_first_failure: Annotated[OrderedFirstFailure, Param("what a failed first roll means")] = "lose",
    a_spent: Annotated[int, Param("points that the first side has spent", 0, 20)] = 0,
    b_spent: Annotated[int, Param("points that the second side has spent", 0, 20)] = 0,
) -> Contest:
    """The rolls of a contest and the Luck that is spent on them, again and again until somebody has won."""
    flips_a = False
    if way == "ordered" and ordered_first_failure == "lose":
        natural, swapped = await throw(D_PERCENT).map(_margins(a))
        flips_a = natural == _FAILED < swapped and a_luck > 0 and await _flip(Seat.ACTOR)
        if natural == _FAILED and not flips_a:
            return Contest(Variable.B_WINS, a_spent, b_spent)

        def meet(rolled: int) -> _Ends:
            plain, turned = _margins(b)(rolled)
            return _Ends(
                _ahead(natural, plain), _ahead(swapped, plain), _ahead(natural, turned), _ahead(swapped, turned)
            )

        ends = await throw(D_PERCENT, Seat.OPPONENT).map(meet)
    else:
        ends = await two_rolls(a, b, way == "variable")
    if not flips_a and a_luck > 0 and (ends.neither, ends.b) != (ends.a, ends.both):
        flips_a = await _flip(Seat.ACTOR)
    now, turned = (ends.a, ends.both) if flips_a else (ends.neither, ends.b)
    flips_b = b_luck > 0 and now != turned and await _flip(Seat.OPPONENT)
    end = turned if flips_b else now
    spent = (a_spent + flips_a, b_spent + flips_b)
    if end == AGAIN:
        return await become(
            rolled_contest(a, b, a_luck - flips_a, b_luck - flips_b, way, ordered_first_failure, *spent)
        )
    return Contest(_RESULTS[end], *spent)


async def _flip(seat: Seat) -> bool:
    return await yes_no(seat, "flip the digits", cost="1 Luck")


LUCKY_MECHANICS: tuple[Mechanic[..., Any], ...] = (gifted_check, gifted_roll, two_rolls, lucky_contest, rolled_contest)
