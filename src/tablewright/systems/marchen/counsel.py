"""What a table may want advice on, each as a rule with the alternatives as its choice.

More time or less, who leads and who aids, in which order linked tasks are done, which core has the swing one wants.
"""

from __future__ import annotations

from itertools import permutations
from typing import Annotated, Any, NamedTuple, get_args

from tablewright.engine import Mechanic, Param, Seat, chance, choose, finish, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.errors import BadInput, RulesSayNo
from tablewright.systems.marchen.mechanics import (
    MOST_HELPERS,
    PLAIN,
    CheckResult,
    Modifier,
    Modifiers,
    Table,
    Task,
    TheCore,
    TheDifficulty,
    aided,
    check,
    sigma,
    succeeded,
    task_chain,
)
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.timing import MOST_ROWS, Frame, shifted
from tablewright.systems.marchen.values import GATES

MOST_IN_ORDER = 5
SUCCESS = 100
CORES: tuple[Core, ...] = get_args(Core)


class Timed(NamedTuple):
    """How a check ended that was done faster or slower by so many rows."""

    result: CheckResult
    rows: int
    price: int

    @property
    def worth(self) -> int:
        """A success is worth 100; every row slower costs its price, every row faster saves it."""
        return SUCCESS * int(self.result.success) - self.price * self.rows


@mechanic(
    rules=["marchen.time.shift"],
    objectives={"worth": lambda timed: timed.worth, "success": chance(lambda timed: int(timed.result.success))},
)
@spelled_out
async def take_time(
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    modifier: Modifier = 0,
    frame: Annotated[Frame, Param("the time frame of the task")] = "watch",
    price: Annotated[int, Param("what a row of time is worth, where a success is worth 100", 0, 100)] = 10,
    table: Table = PLAIN,
) -> Timed:
    """Before the roll, move up to two rows of the time table: DM-1 for each row faster, DM+1 for each row slower."""
    rows = await choose(Seat.ACTOR, "how many rows slower", _rows(frame), default=0)
    result = check(core, difficulty, modifier + rows, "none", 0, 0, False, *table, "per_die")
    return await finish(result.map(lambda found: Timed(found, rows, price)))


def _rows(frame: Frame) -> list[int]:
    """How far one may move; the ends of the table are as near with the Bell as without it."""
    possible = []
    for rows in range(-MOST_ROWS, MOST_ROWS + 1):
        try:
            shifted(frame, rows)
        except RulesSayNo:
            continue
        possible.append(rows)
    return possible


class Effort(NamedTuple):
    """Who of several leads, and whether the others aid; they are counted from 1."""

    leader: int
    aided: bool

    @property
    def id(self) -> str:
        """How it is chosen."""
        return f"{self.leader} {'aided' if self.aided else 'alone'}"


@mechanic(rules=["marchen.aid.helper_dm", "marchen.aid.leader"], objectives={"success": succeeded, "sigma": sigma})
@spelled_out
async def lead(
    members: Modifiers,
    levels: Annotated[tuple[int, ...], Param("the level of each one in what is done; empty: all may aid", 0, 6)] = (),
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    max_helpers: Annotated[int | None, Param("how many helpers there is room for", 0, MOST_HELPERS)] = None,
    level_gates: Annotated[bool, Param("whether helpers need level 2")] = True,
    table: Table = PLAIN,
) -> CheckResult:
    """Several can do it together: one leads, and the others may roll first to help; or one does it alone.

    Normally whoever has the highest modifiers leads.
    """
    if not 1 <= len(members) <= MOST_HELPERS or len(levels) not in (0, len(members)):
        raise BadInput(
            f"1 to {MOST_HELPERS} take part, each with one level or nobody with any", rule="marchen.aid.leader"
        )

    def helpers(leader: int) -> tuple[int, ...]:
        able = [at for at in range(len(members)) if at != leader - 1]
        if level_gates and levels:
            able = [at for at in able if levels[at] >= GATES["aid_another"]]  # marchen.skill.level_gates
        return tuple([members[at] for at in able])

    usual = Effort(leader_of(members) + 1, bool(helpers(leader_of(members) + 1)))
    ways = [Effort(at + 1, False) for at in range(len(members))]
    ways += [Effort(at + 1, True) for at in range(len(members)) if helpers(at + 1)]
    taken = await choose(Seat.ACTOR, "who leads, and do the others aid", ways, default=usual)
    aid = helpers(taken.leader) if taken.aided else ()
    return await finish(aided(aid, core, difficulty, members[taken.leader - 1], max_helpers, *table))


def leader_of(modifiers: tuple[int, ...]) -> int:
    """Who leads: whoever's modifiers add up to the most, the first listed of equals.

    >>> leader_of((1, 4, 4))
    1
    """
    return max(range(len(modifiers)), key=lambda at: (modifiers[at], -at))  # marchen.aid.leader


class Order(NamedTuple):
    """An order of tasks."""

    tasks: tuple[Task, ...]

    @property
    def id(self) -> str:
        """How it is chosen."""
        return " then ".join([str(task) for task in self.tasks])


@mechanic(rules=["marchen.chain.dm"], objectives={"success": succeeded, "sigma": sigma})
@spelled_out
async def order_tasks(
    tasks: Annotated[tuple[Task, ...], Param("tasks that lead up to the last one, in any order")],
    last: Annotated[Task, Param("the task that matters")] = Task(),  # noqa: B008 - a frozen value
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> CheckResult:
    """Linked tasks whose order is free but for the last: each gives its sigma to the next."""
    if not 1 <= len(tasks) <= MOST_IN_ORDER:
        raise BadInput(f"1 to {MOST_IN_ORDER} tasks lead up to the last, not {len(tasks)}", rule="marchen.chain.dm")
    orders = [Order(order) for order in dict.fromkeys(permutations(tasks))]
    taken = await choose(Seat.ACTOR, "in which order", orders)
    return await finish(task_chain((*taken.tasks, last), core, 0, *table))


def swing(result: CheckResult) -> int:
    """How far a result is from an even one: the square of its sigma."""
    return result.sigma**2


@mechanic(
    rules=["marchen.core.selection", "marchen.core.dice"],
    objectives={"success": succeeded, "swing": swing, "steady": lambda result: -swing(result)},
)
@spelled_out
async def which_core(
    difficulty: TheDifficulty = "average",
    modifier: Modifier = 0,
    table: Table = PLAIN,
) -> CheckResult:
    """The same check with each of the seven cores: for success, for much swing, or for a steady hand."""
    core = await choose(Seat.ACTOR, "which core", CORES, default="2d6")
    return await finish(check(core, difficulty, modifier, "none", 0, 0, False, *table, "per_die"))


COUNSEL: tuple[Mechanic[..., Any], ...] = (take_time, lead, order_tasks, which_core)
