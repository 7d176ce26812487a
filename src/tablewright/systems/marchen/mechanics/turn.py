"""Mechanics of initiative and other rolls about a whole turn.

More time or less, who leads and who aids, in which order linked tasks are done, which core has the swing one wants.

The clock counts eighths of a second: an ounce is 7.5 seconds, and a quarter of it is still a whole number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from tablewright.engine import Mechanic, Param, Role, chance, choose, d, finish, mechanic
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.time.calendar import Calendar, Unit
from tablewright.systems.marchen.mechanics.checks import (
    MOST_HELPERS,
    PLAIN,
    AidedTask,
    Attempt,
    CheckResult,
    Modifier,
    Modifiers,
    Room,
    Table,
    Task,
    TheAdvantage,
    TheCore,
    TheDifficulty,
    aided,
    check,
    sigma,
    succeeded,
    task_chain,
)
from tablewright.systems.marchen.mechanics.dice import MODIFIER_SCALE, dice_of
from tablewright.systems.marchen.mechanics.harm import FAILED_BADLY, word_of
from tablewright.systems.marchen.options import BellRow, CombatRound, Core, MarchenOptions, TaskTime
from tablewright.systems.marchen.values import GATES, several

MOST_IN_ORDER = 5
SUCCESS = 100
CORES: tuple[Core, ...] = get_args(Core)


class Timed(NamedTuple):
    """Result of a check that was done faster or slower by some rows."""

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
async def take_time(
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    modifier: Modifier = 0,
    frame: Annotated[Frame, Param("the time frame of the task")] = "watch",
    price: Annotated[int, Param("value of a row of time; a success is worth 100", 0, 100)] = 10,
    table: Table = PLAIN,
) -> Timed:
    """Before the roll, move up to two rows of the time table: DM-1 for each row faster, DM+1 for each row slower."""
    rows = await choose(Role.ACTOR, "how many rows slower", _rows(frame), default=0)
    result = check(core, Attempt(difficulty, modifier + rows), table)
    return await finish(result.map(lambda found: Timed(found, rows, price)))


def _rows(frame: Frame) -> list[int]:
    """Rows that a task may move; the ends of the table are as near with the Bell as without it."""
    possible = []
    for rows in range(-MOST_ROWS, MOST_ROWS + 1):
        try:
            shifted(frame, rows)
        except IllegalActionError:
            continue
        possible.append(rows)
    return possible


class Effort(NamedTuple):
    """The leader of several, and whether the others aid; members are counted from 1."""

    leader: int
    aided: bool

    @property
    def id(self) -> str:
        """Id of the option."""
        return f"{self.leader} {'aided' if self.aided else 'alone'}"


@mechanic(rules=["marchen.aid.helper_dm", "marchen.aid.leader"], objectives={"success": succeeded, "sigma": sigma})
async def lead(
    members: Modifiers,
    levels: Annotated[tuple[int, ...], Param("the level of each one in what is done; empty: all may aid", 0, 6)] = (),
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    max_helpers: Room = None,
    level_gates: Annotated[bool, Param("whether helpers need level 2")] = True,
    table: Table = PLAIN,
) -> CheckResult:
    """Several can do it together: one leads, and the others may roll first to help; or one does it alone.

    Normally the member with the highest modifiers leads.
    """
    if not 1 <= len(members) <= MOST_HELPERS or len(levels) not in (0, len(members)):
        raise InvalidInputError(
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
    taken = await choose(Role.ACTOR, "who leads, and do the others aid", ways, default=usual)
    aid = helpers(taken.leader) if taken.aided else ()
    return await finish(aided(aid, core, AidedTask(difficulty, members[taken.leader - 1], max_helpers), table))


def leader_of(modifiers: tuple[int, ...]) -> int:
    """Index of the leader: the highest modifiers, the first listed of equals.

    >>> leader_of((1, 4, 4))
    1
    """
    return max(range(len(modifiers)), key=lambda at: (modifiers[at], -at))  # marchen.aid.leader


class Order(NamedTuple):
    """An order of tasks."""

    tasks: tuple[Task, ...]

    @property
    def id(self) -> str:
        """Id of the option."""
        return " then ".join([str(task) for task in self.tasks])


@mechanic(rules=["marchen.chain.dm"], objectives={"success": succeeded, "sigma": sigma})
async def order_tasks(
    tasks: Annotated[tuple[Task, ...], Param("tasks that lead up to the last one, in any order")],
    last: Annotated[Task, Param("the task that matters")] = Task(),  # noqa: B008 - a frozen value
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> CheckResult:
    """Linked tasks whose order is free but for the last: each gives its sigma to the next."""
    if not 1 <= len(tasks) <= MOST_IN_ORDER:
        raise InvalidInputError(
            f"1 to {MOST_IN_ORDER} tasks lead up to the last, not {len(tasks)}", rule="marchen.chain.dm"
        )
    orders = [Order(order) for order in dict.fromkeys(permutations(tasks))]
    taken = await choose(Role.ACTOR, "in which order", orders)
    return await finish(task_chain((*taken.tasks, last), core, 0, table))


def swing(result: CheckResult) -> int:
    """Distance of a result from an even one: the square of its sigma."""
    return result.sigma**2


@mechanic(
    rules=["marchen.core.selection", "marchen.core.dice"],
    objectives={"success": succeeded, "swing": swing, "steady": lambda result: -swing(result)},
)
async def which_core(
    difficulty: TheDifficulty = "average", modifier: Modifier = 0, table: Table = PLAIN
) -> CheckResult:
    """Make the same check with each of the seven cores: for success, for much swing, or for a steady hand."""
    core = await choose(Role.ACTOR, "which core", CORES, default="2d6")
    return await finish(check(core, Attempt(difficulty, modifier), table))


COUNSEL: tuple[Mechanic[..., Any], ...] = (take_time, lead, order_tasks, which_core)


class Entered(NamedTuple):
    """Entry into a fight: the effect that orders turns, the initiative, and whether a round is lost."""

    effect: int
    in_control: bool
    loses_round: bool


def entered(result: CheckResult) -> Entered:
    """The entry by a check; costly or worse also loses the first round."""
    return Entered(result.effect, result.success, word_of(result) in FAILED_BADLY)


def ambushing(core: Core, agility: int, table: Table = PLAIN) -> Entered:
    """The entry of an ambusher: as if the dice showed their most.

    >>> ambushing("2d6", 1)
    Entered(effect=5, in_control=True, loses_round=False)
    """
    number, sides = dice_of(core)
    measure = table.measure(core, "average")
    total = number * sides + agility * MODIFIER_SCALE[core]
    return Entered(total - measure.target, True, False)  # marchen.gap.fight.surprise


@mechanic(
    rules=["marchen.puncti.enter_the_fray"],
    objectives={"control": lambda entered: int(entered.in_control) - int(entered.loses_round)},
)
async def enter_the_fray(
    modifier: Modifier = 0, advantage: TheAdvantage = "none", core: TheCore = "2d6", table: Table = PLAIN
) -> Entered:
    """Come into a fight: an agility check says who acts when, and who begins in control."""
    return await check(core, Attempt("average", modifier, advantage), table).map(entered)


FRAY: tuple[Mechanic[..., Any], ...] = (enter_the_fray,)


Frame: TypeAlias = Literal["ounce", "puncti", "bell", "hourglass", "watch", "day", "week", "month", "season"]
Increment: TypeAlias = Literal[
    "second", "minute", "hour", "ounce", "puncti", "bell", "hourglass", "watch", "day", "week", "month", "season"
]
FRAMES: tuple[Frame, ...] = get_args(Frame)
"""The rows of the table, from the shortest to the longest."""

TICKS_PER_SECOND = 8
MONTHS_PER_SEASON, SEASONS_PER_YEAR = 3, 4
MOST_ROWS = 2
SHIFT = "marchen.time.shift"

SECONDS: dict[str, Fraction] = {  # marchen.time.frames, marchen.time.additional; month and season follow from options
    "atom": Fraction(15, 2) / 47,
    "second": Fraction(1),
    "personal combat round": Fraction(6),
    "ounce": Fraction(15, 2),
    "minute": Fraction(60),
    "momenta": Fraction(90),
    "parte": Fraction(240),
    "minuta": Fraction(360),
    "lunar puncti": Fraction(720),
    "puncti": Fraction(900),
    "kilosecond": Fraction(1_000),
    "bell": Fraction(1_800),
    "hourglass": Fraction(3_600),
    "hour": Fraction(3_600),
    "canonical hour": Fraction(10_800),
    "watch": Fraction(14_400),
    "quadrant": Fraction(21_600),
    "day": Fraction(86_400),
    "week": Fraction(604_800),
}
SUB_UNITS: dict[str, tuple[str, int]] = {  # marchen.time.task_time
    "hourglass": ("bell", 2),
    "watch": ("hour", 4),
    "day": ("quadrant", 4),
    "week": ("day", 7),
    "month": ("week", 4),
    "season": ("month", 3),
}
PERCENT = {-4: 400, -3: 200, -2: 150, -1: 100, 0: 100, 1: 100, 2: 75, 3: 50, 4: 25}


def seconds_of(unit: str, month_days: int = 30) -> Fraction:
    """The length of a unit of time in seconds.

    >>> seconds_of("watch"), seconds_of("season", 28)
    (Fraction(14400, 1), Fraction(7257600, 1))
    """
    if unit == "month":
        return SECONDS["day"] * month_days  # marchen.time.frames
    if unit == "season":
        return SECONDS["day"] * month_days * MONTHS_PER_SEASON
    return SECONDS[unit]


def ticks_of(unit: str, count: int = 1, month_days: int = 30) -> int:
    """Ticks of the clock in a number of units."""
    ticks = seconds_of(unit, month_days) * TICKS_PER_SECOND * count
    if ticks.denominator != 1:
        raise IllegalActionError(f"{count} {unit} is not a whole number of ticks", rule="marchen.time.additional")
    return int(ticks)


def round_ticks(combat_round: CombatRound) -> int:
    """Length of a round in ticks: an ounce, or six seconds."""
    return ticks_of("ounce" if combat_round == "ounce" else "personal combat round")  # marchen.time.combat_round


class Shifted(NamedTuple):
    """A frame after working faster or slower, and the DM for it."""

    frame: Frame
    dm: int


def shifted(frame: str, rows: int, bell_row: BellRow = "counted") -> Shifted:
    """Move one or two rows: shorter (below 0) costs a DM of 1 for each row, longer gives one.

    >>> shifted("watch", -1), shifted("watch", 2)
    (Shifted(frame='hourglass', dm=-1), Shifted(frame='week', dm=2))
    """
    named = "hourglass" if frame == "hour" else frame
    if named not in FRAMES:
        if rows == 0:
            return Shifted("ounce", 0)
        if not frame:
            raise IllegalActionError(f"say how long the task usually takes: {', '.join(FRAMES)}", rule=SHIFT)
        raise IllegalActionError(f"a task counted in {frame}s cannot be done faster or slower by rows", rule=SHIFT)
    if abs(rows) > MOST_ROWS:
        raise IllegalActionError(f"at most {MOST_ROWS} rows faster or slower, not {abs(rows)}", rule=SHIFT)
    table = [row for row in FRAMES if bell_row == "counted" or row not in ("bell",) or row == named]
    at = table.index(named) + rows
    if not 0 <= at < len(table):
        raise IllegalActionError(f"{several(abs(rows), 'row')} from {frame} would be past the table", rule=SHIFT)
    return Shifted(table[at], rows)


def took(frame: str, sigma: int, task_time: TaskTime, month_days: int = 30) -> Fraction:
    """Seconds of a task by its sigma, without dice.

    >>> took("watch", 2, "sigma_units"), took("day", -3, "percent")
    (Fraction(7200, 1), Fraction(172800, 1))
    """
    if task_time == "percent":
        return seconds_of(frame, month_days) * PERCENT[sigma] / 100
    unit, count = SUB_UNITS.get("hourglass" if frame == "hour" else frame, (frame, 1 + sigma))
    return seconds_of(unit, month_days) * max(1, count - sigma)


@mechanic(
    rules=["marchen.time.duration", "marchen.time.task_time", "marchen.time.frames"],
    objectives={"soon": lambda seconds: -seconds, "seconds": lambda seconds: seconds},
)
async def duration(
    frame: Annotated[Increment, Param("the increment that the Referee names")] = "hourglass",
    sigma: Annotated[int, Param("the sigma of the check, where the time follows from it", -4, 4)] = 0,
    task_time: Annotated[TaskTime, Param("dice, or by sigma in smaller units or as a percentage")] = "d6",
    month_days: Annotated[int, Param("days of a month", 28, 31)] = 30,
) -> Fraction:
    """Seconds of a task: 1D6 times the increment, or a time that follows from the sigma of its check."""
    if task_time == "d6":
        return seconds_of(frame, month_days) * await d(6)
    return took(frame, sigma, task_time, month_days)


def calendar_of(month_days: int = 30) -> Calendar:
    """The units of time for months of so many days, those that are only typed included (marchen.time.additional).

    An atom is no whole number of ticks and cannot be counted.
    """

    def unit(name: str, *short: str, plural: str = "", spoken: bool = True) -> Unit:
        return Unit(name, ticks_of(name, 1, month_days), plural, short, spoken)

    year = Unit("year", ticks_of("season", SEASONS_PER_YEAR, month_days))
    return Calendar(
        (
            unit("second", "sec", spoken=False),
            Unit("round", ticks_of("personal combat round"), spoken=False),
            unit("ounce"),
            unit("minute", "min", spoken=False),
            unit("momenta", plural="momenta", spoken=False),
            unit("parte", spoken=False),
            unit("minuta", plural="minuta", spoken=False),
            unit("lunar puncti", plural="lunar puncti", spoken=False),
            unit("puncti", plural="puncti"),
            unit("kilosecond", spoken=False),
            unit("bell", spoken=False),
            unit("hourglass", "hour", "hours", plural="hourglasses", spoken=False),
            unit("canonical hour", spoken=False),
            unit("watch", plural="watches"),
            unit("quadrant", spoken=False),
            unit("day"),
            unit("week"),
            unit("month"),
            unit("season"),
            year,
        ),
        counted=("day", "season", "year"),
    )


CALENDAR = calendar_of()


@lru_cache(maxsize=8)
def _calendar(month_days: int) -> Calendar:
    return calendar_of(month_days)


def calendar_by(options: MarchenOptions) -> Calendar:
    """The calendar of a table, whose months have as many days as it likes."""
    return _calendar(options.month_days)


def month_ticks(options: MarchenOptions) -> int:
    """Length of a month at this table, in ticks."""
    return ticks_of("month", 1, options.month_days)


def season_ticks(options: MarchenOptions) -> int:
    """Length of a season at this table, in ticks."""
    return ticks_of("season", 1, options.month_days)


TIME_MECHANICS: tuple[Mechanic[..., Any], ...] = (duration,)
