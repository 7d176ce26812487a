"""Mechanics of initiative and other rolls about a whole turn."""

from __future__ import annotations

from math import isqrt, pi, sin
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.dice import Sum
from tablewright.dice.source import Die
from tablewright.engine import Mechanic, Param, Role, again, both, chance, d, finish, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.systems.renaissance.mechanics.checks import (
    PLAIN,
    Boundary,
    CriticalCounts,
    Daring,
    Penalties,
    Target,
    with_luck,
)
from tablewright.systems.renaissance.mechanics.harm import NO_MEANS, Kept, Means, damage_dice, fresh_penalty, keep_up
from tablewright.systems.renaissance.options import RetryPenalty, ScatterMethod, StressBoundary, WoundCheck
from tablewright.systems.renaissance.values import DV, Grade, Regrade, is_exceptional_margin, judge

Luck: TypeAlias = Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)]
Steps: TypeAlias = Annotated[int, Param("steps of taking time, or of rushing if negative", -3, 3)]


class Timing(NamedTuple):
    """The time that a task takes."""

    minutes: Annotated[int, Param("the timeframe before taking time or rushing, in minutes", 0, 1_000_000)]
    steps: Steps = 0
    exceptional_halves_time: Annotated[bool, Param("whether an exceptional success takes half the time")] = False


class Reading(NamedTuple):
    """Options of a table about exceptional results."""

    exceptional_boundary: Boundary = "over"
    critical_counts_as_exceptional: CriticalCounts = True


AT_ONCE, PLAIN_READING = Timing(0), Reading()


# ---------------------------------------------------------------------- initiative


class Initiative(NamedTuple):
    """Initiative, and the Luck that was spent on it."""

    total: int
    luck: int = 0


@mechanic(
    rules=["renaissance.turn.initiative", "renaissance.combat.initiative"],
    objectives={"worth": lambda rolled: 10 * rolled.total - 25 * rolled.luck, "total": lambda rolled: rolled.total},
)
async def initiative(
    modifier: Annotated[int, Param("INIT, or whatever the game master says", -99, 99)],
    reroll: Annotated[bool, Param("whether a Luck point buys a second roll, which then counts")] = False,
    luck: Luck = 0,
    best_of_two: Annotated[bool, Param("whether the better of two rolls counts")] = False,
) -> Initiative:
    """1d10 and the initiative modifier."""
    rolled = await (both(d(10), d(10), max) if best_of_two else d(10))
    if reroll and luck > 0 and await yes_no(Role.ACTOR, "roll initiative again", cost_text="1 Luck"):
        return Initiative(await d(10) + modifier, 1)
    return Initiative(rolled + modifier)


# ---------------------------------------------------------------------- stress


class Strained(NamedTuple):
    """Result of stress: SV taken, traumas, stun, and the Luck spent."""

    stress: int
    traumas: int = 0
    stunned: bool = False
    luck: int = 0


class Mind(NamedTuple):
    """The victim of stress: the threshold of traumas, and what keeps it from being stunned."""

    trauma_threshold: Annotated[int, Param("the Trauma Threshold (TT)", 0, 99)] = 6
    nerves: Annotated[int, Param("WIL x3 with present penalties, against being stunned", -500, 500)] = 45
    penalties: Penalties = 0
    negated: Annotated[int, Param("how many traumas to come give no penalty", 0, 50)] = 0


CALM = Mind()


def traumas_of(sv: int, threshold: int, boundary: StressBoundary = "over") -> int:
    """Number of traumas from stress taken at one time (renaissance.stress.trauma).

    >>> traumas_of(6, 6), traumas_of(7, 6), traumas_of(12, 6), traumas_of(13, 6), traumas_of(12, 6, "at_least")
    (0, 1, 1, 2, 2)
    """
    threshold = max(1, threshold)
    if boundary == "at_least":
        return sv // threshold
    return max(0, -(-sv // threshold) - 1)


def amount_of(dv: DV, shown: int) -> int:
    """Total of an amount from its dice, with the flat bonus, halved if the DV says so."""
    full = max(0, shown + dv.plus)
    return full // 2 if dv.half else full


def dice_of(dv: DV) -> Sum:
    """The dice of an amount."""
    return Sum.copies(dv.dice, Die(10), 0)


@mechanic(
    rules=[
        "renaissance.stress.resist",
        "renaissance.stress.two_values",
        "renaissance.stress.trauma",
        "renaissance.stress.trauma_stun",
        "renaissance.stress.stack_negate",
    ],
    objectives={
        "worth": lambda taken: -(10 * taken.stress + 30 * taken.traumas + 30 * taken.stunned + 60 * taken.luck),
        "stress": lambda taken: taken.stress,
        "traumas": lambda taken: taken.traumas,
    },
)
async def stress(
    sv: Annotated[DV, Param("the Stress Value, such as 1d10+1")],
    target: Target,
    half: Annotated[bool, Param("whether half of it is taken even on a success")] = False,
    mind: Mind = CALM,
    means: Means = NO_MEANS,
    stress_boundary: Annotated[StressBoundary, Param("whether stress equal to a threshold exceeds it")] = "over",
    wound_check: Annotated[WoundCheck, Param("how many checks several traumas ask for")] = "per_event",
) -> Strained:
    """Stress: resisted with WIL x3 or taken in full; more than the threshold at once is a trauma, which may stun."""
    luck, *further = means
    resisted = await keep_up(target, mind.penalties, luck, 1, *further)
    if resisted.passed and not half:
        return Strained(0, luck=resisted.luck)
    sv_taken = await throw(dice_of(sv)).map(lambda shown: amount_of(sv, shown)) if sv.dice else amount_of(sv, 0)
    if resisted.passed:
        sv_taken //= 2
    traumas = traumas_of(sv_taken, mind.trauma_threshold, stress_boundary)
    if not traumas:
        return Strained(sv_taken, luck=resisted.luck)
    checks = traumas if wound_check == "per_wound" else 1
    fresh = fresh_penalty(traumas, mind.negated)
    left, penalties = luck - resisted.luck, mind.penalties + fresh
    steady: Kept = await keep_up(mind.nerves - fresh, penalties, left, checks, *further, resisted.luck)
    return Strained(sv_taken, traumas, not steady.passed, steady.luck)


@mechanic(rules=["renaissance.area.blast", "renaissance.area.splash", "renaissance.attack.critical"])
async def amount(
    dv: Annotated[DV, Param("an amount of dice, such as 2d10+6")],
    twice: Annotated[bool, Param("whether the better of two rolls counts, as after a critical attack")] = False,
) -> int:
    """Roll an amount once: a radius, or damage that is the same for everyone in an area."""
    if not dv.dice:
        return amount_of(dv, 0)
    dice = damage_dice(dv.dice, int(twice), Role.ACTOR)
    return await finish(dice.map(lambda shown: amount_of(dv, shown)))


# ---------------------------------------------------------------------- chemicals, diseases, care


@mechanic(
    rules=["renaissance.disease.course", "renaissance.disease.framework", "renaissance.chemical.framework"],
    objectives={"worth": lambda kept: 3 * kept.passed - kept.luck, "resisted": chance(lambda kept: int(kept.passed))},
)
async def resist(target: Target, penalties: Penalties = 0, luck: Luck = 0, daring: Daring = 0) -> Kept:
    """Resist a disease or a chemical: passed, one is not infected, or is spared a part."""
    return await finish(keep_up(target, penalties, luck, 1, daring))


ONE_DIE = DV(1)  # renaissance.healing.binding


class Bound(NamedTuple):
    """Result of binding a wound: success, damage healed, Luck and minutes spent."""

    succeeds: bool
    healed: int
    luck: int
    minutes: int = 0


@mechanic(
    rules=["renaissance.healing.binding", "renaissance.magic.psion_scale"],
    objectives={"worth": lambda bound: 10 * bound.healed + 40 * bound.succeeds - 60 * bound.luck},
)
async def bind(
    target: Target,
    penalties: Penalties = 0,
    luck: Luck = 0,
    heals: Annotated[DV, Param("how much is recovered")] = ONE_DIE,
    daring: Daring = 0,
    timing: Timing = AT_ONCE,
    reading: Reading = PLAIN_READING,
) -> Bound:
    """Bind a wound, or soothe a trauma, as a task: on a success one is negated and 1d10 is recovered."""
    done: Task = await task(target, timing, penalties, luck, daring, reading)
    if not done.succeeds:
        return Bound(False, 0, done.luck, done.minutes)
    shown = await throw(dice_of(heals))
    return Bound(True, amount_of(heals, shown), done.luck, done.minutes)


# ---------------------------------------------------------------------- tasks


class Task(NamedTuple):
    """Result of a task: grade, minutes and Luck spent."""

    grade: Grade
    minutes: int
    luck: int

    @property
    def succeeds(self) -> bool:
        """True if it is done."""
        return self.grade.succeeds


def timeframe(minutes: int, steps: int) -> int:
    """The time of a task after taking time (steps up to 3, half as much again each) or rushing (down to -3).

    >>> timeframe(60, 2), timeframe(60, -1), timeframe(60, 0)
    (120, 45, 60)
    """
    return minutes * (2 + steps) // 2 if steps >= 0 else minutes * (4 + steps) // 4


RETRY = -10  # renaissance.modifier.retry


def retry_penalty(attempt: int, how: RetryPenalty = "cumulative") -> int:
    """Penalty of a further attempt, counted from 1 (renaissance.modifier.retry_penalty).

    >>> [retry_penalty(attempt) for attempt in (1, 2, 3)], retry_penalty(3, "flat")
    ([0, -10, -20], -10)
    """
    return RETRY * (attempt - 1 if how == "cumulative" else min(1, attempt - 1))


def minutes_lost(minutes: int, exceptional: bool) -> int:
    """The time after which a task that fails is given up (renaissance.action.failed_task_time).

    >>> minutes_lost(60, exceptional=False), minutes_lost(60, exceptional=True)
    (15, 30)
    """
    return minutes // 2 if exceptional else minutes // 4


@mechanic(
    rules=[
        "renaissance.action.check_at_start",
        "renaissance.action.failed_task_time",
        "renaissance.action.task",
        "renaissance.grade.critical_counts_as_exceptional",
    ],
    objectives={
        "success": chance(lambda task: int(task.grade.succeeds)),
        "time": lambda task: task.minutes,
        "worth": lambda task: 100 * task.grade.succeeds - 60 * task.luck,
    },
)
async def task(
    target: Target,
    timing: Timing,
    penalties: Penalties = 0,
    luck: Luck = 0,
    daring: Daring = 0,
    reading: Reading = PLAIN_READING,
    second_roll: Annotated[bool, Param("whether a point buys a second roll, which then counts")] = False,
) -> Task:
    """A task or a job: the check is made at the start, and says how long it takes, or when it is given up."""

    def read(rolled: int, goal: int) -> tuple[Grade, bool]:
        checked = judge(rolled, goal, reading.exceptional_boundary)
        return checked.grade, is_exceptional_margin(checked.margin, reading.exceptional_boundary)

    (natural, wide), change, spent = await with_luck(luck, target, penalties, Regrade.NONE, read, daring, second_roll)
    grade = PLAIN.changed(natural, change)
    critical = grade in (Grade.CRITICAL_SUCCESS, Grade.CRITICAL_FAILURE)
    normal = grade in (Grade.NORMAL_SUCCESS, Grade.NORMAL_FAILURE)
    special = not normal and (not critical or wide or reading.critical_counts_as_exceptional)
    whole = timeframe(timing.minutes, timing.steps)
    if not grade.succeeds:
        return Task(grade, minutes_lost(whole, special), spent)
    fast = timing.exceptional_halves_time and timing.steps >= 0 and special
    return Task(grade, whole // 2 if fast else whole, spent)


# ---------------------------------------------------------------------- scattering

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")


class Landing(NamedTuple):
    """By how many squares east and south something lands from where it was aimed."""

    east: int
    south: int


def landing(direction: int, metres: int) -> Landing:
    """Landing place of a scattered shot: directions from 1, north, clockwise (renaissance.ranged.scatter).

    >>> landing(1, 4), landing(4, 10), landing(7, 2)
    (Landing(east=0, south=-4), Landing(east=7, south=7), Landing(east=-2, south=0))
    """
    name = DIRECTIONS[direction - 1]
    along = (isqrt(2 * metres * metres) + 1) // 2 if len(name) == 2 else metres  # the nearest square on the diagonal
    return Landing(along * (("e" in name) - ("w" in name)), along * (("s" in name) - ("n" in name)))


@mechanic(
    rules=["renaissance.ranged.scatter", "renaissance.ranged.scatter_method"],
    objectives={"east": lambda land: abs(land.east), "south": lambda land: abs(land.south)},
)
async def scatter(
    scatter_method: Annotated[ScatterMethod, Param("two ten-sided dice, or one that is dropped")] = "two_d10",
) -> Landing:
    """Scatter of an area attack that misses: one of eight directions and 1 to 10 metres, or any of 360 degrees."""
    if scatter_method == "drop_die":
        return await both(throw(Sum((Die(360, low=0),))), d(10), _pointing)
    direction = await d(10).map(lambda shown: shown if shown <= len(DIRECTIONS) else 0)
    if not direction:
        await again()
    return await finish(d(10).map(lambda metres: landing(direction, metres)))


def _pointing(degrees: int, metres: int) -> Landing:
    """The nearest square in the direction of an angle, clockwise from north, in whole numbers."""
    sine, cosine = _SINES[degrees], _SINES[(degrees + 90) % 360]
    return Landing(_rounded(sine * metres), -_rounded(cosine * metres))


def _rounded(thousandths: int) -> int:
    return -_rounded(-thousandths) if thousandths < 0 else (thousandths + 500) // 1_000


_SINES = tuple([round(1_000 * sin(pi * degrees / 180)) for degrees in range(360)])

MECHANICS: tuple[Mechanic[..., Any], ...] = (initiative, stress, amount, resist, bind, task, scatter)
