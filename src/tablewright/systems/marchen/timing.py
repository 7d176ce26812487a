"""Time: frames from an ounce to a season, working faster or slower, how long a task takes, the calendar.

The clock counts eighths of a second: an ounce is 7.5 seconds, and a quarter of it is still a whole number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from tablewright.engine import Mechanic, Param, d, mechanic
from tablewright.errors import RulesSayNo
from tablewright.game.clock import Calendar, Unit
from tablewright.systems.marchen.options import BellRow, CombatRound, MarchenOptions, TaskTime
from tablewright.systems.marchen.values import several

Frame: TypeAlias = Literal["ounce", "puncti", "bell", "hourglass", "watch", "day", "week", "month", "season"]
Increment: TypeAlias = Literal[
    "second", "minute", "hour", "ounce", "puncti", "bell", "hourglass", "watch", "day", "week", "month", "season"
]
FRAMES: tuple[Frame, ...] = get_args(Frame)
"""The rows of the table, from the shortest to the longest."""

TICKS_PER_SECOND = 8
MONTHS_PER_SEASON, SEASONS_PER_YEAR = 3, 4
MOST_ROWS = 2
SHIFT, TASK_TIME = "marchen.time.shift", "marchen.time.task_time"

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
    """So many of a unit in ticks of the clock."""
    ticks = seconds_of(unit, month_days) * TICKS_PER_SECOND * count
    if ticks.denominator != 1:
        raise RulesSayNo(f"{count} {unit} is no whole number of ticks", rule="marchen.time.additional")
    return int(ticks)


def round_ticks(combat_round: CombatRound) -> int:
    """How long a round of a fight lasts: an ounce, or six seconds."""
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
        raise RulesSayNo(f"a task counted in {frame}s cannot be done faster or slower by rows", rule=SHIFT)
    if abs(rows) > MOST_ROWS:
        raise RulesSayNo(f"at most {MOST_ROWS} rows faster or slower, not {abs(rows)}", rule=SHIFT)
    table = [row for row in FRAMES if bell_row == "counted" or row not in ("bell",) or row == named]
    at = table.index(named) + rows
    if not 0 <= at < len(table):
        raise RulesSayNo(f"{several(abs(rows), 'row')} from {frame} would be past the table", rule=SHIFT)
    return Shifted(table[at], rows)


def took(frame: str, sigma: int, task_time: TaskTime, month_days: int = 30) -> Fraction:
    """How many seconds a task took by its sigma, where no dice are rolled for it.

    >>> took("watch", 2, "sigma_units"), took("day", -3, "percent")
    (Fraction(7200, 1), Fraction(172800, 1))
    """
    if task_time == "percent":
        return seconds_of(frame, month_days) * PERCENT[sigma] / 100
    unit, count = SUB_UNITS.get("hourglass" if frame == "hour" else frame, (frame, 1 + sigma))
    return seconds_of(unit, month_days) * max(1, count - sigma)


@mechanic(
    rules=["marchen.time.duration", "marchen.time.task_time", "marchen.time.frames"],
    objectives={"soon": lambda seconds: -seconds},
)
async def duration(
    frame: Annotated[Increment, Param("the increment that the Referee names")] = "hourglass",
    sigma: Annotated[int, Param("the sigma of the check, where the time follows from it", -4, 4)] = 0,
    task_time: Annotated[TaskTime, Param("dice, or by sigma in smaller units or as a percentage")] = "d6",
    month_days: Annotated[int, Param("how many days a month has", 28, 31)] = 30,
) -> Fraction:
    """How many seconds a task takes: 1D6 times the increment, or what follows from the sigma of its check."""
    if task_time == "d6":
        return seconds_of(frame, month_days) * await d(6)
    return took(frame, sigma, task_time, month_days)


def calendar_of(month_days: int = 30) -> Calendar:
    """The units that durations are written in, for months of so many days."""

    def unit(name: str, *short: str, plural: str = "", spoken: bool = True) -> Unit:
        return Unit(name, ticks_of(name, 1, month_days), plural, short, spoken)

    year = Unit("year", ticks_of("season", SEASONS_PER_YEAR, month_days))
    return Calendar(
        (
            unit("second", "sec", spoken=False),
            unit("ounce"),
            unit("minute", "min", spoken=False),
            unit("puncti", plural="puncti"),
            unit("bell", spoken=False),
            unit("hourglass", "hour", "hours", plural="hourglasses", spoken=False),
            unit("watch", plural="watches"),
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
    """How long a month is at this table."""
    return ticks_of("month", 1, options.month_days)


def season_ticks(options: MarchenOptions) -> int:
    """How long a season is at this table."""
    return ticks_of("season", 1, options.month_days)


TIME_MECHANICS: tuple[Mechanic[..., Any], ...] = (duration,)
