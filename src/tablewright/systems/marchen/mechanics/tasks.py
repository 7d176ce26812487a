"""Mechanics beyond one check: automatic results, rerolls, task pools, scores by dice."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from tablewright.dice import Die, Keep
from tablewright.engine import Mechanic, Param, Request, Role, chance, choose, d, mechanic, roll, yes_no
from tablewright.errors import InvalidInputError
from tablewright.systems.marchen.mechanics.checks import (
    MOST_MEMBERS,
    PLAIN,
    Attempt,
    CheckResult,
    Dm,
    Modifier,
    Modifiers,
    Table,
    TheAdvantage,
    TheCore,
    TheDifficulty,
    check,
    sigma,
    succeeded,
)
from tablewright.systems.marchen.mechanics.dice import BANDS, MODIFIER_SCALE, SIGMA, Degree, dice_of
from tablewright.systems.marchen.options import AdvantageReroll

POOL, REROLL = "marchen.pool.task_pool", "marchen.advantage.reroll"

# ---------------------------------------------------------------------- without a roll


@mechanic(rules=["marchen.play.basic_process"], objectives={"success": succeeded})
async def automatic(
    outcome: Annotated[Literal["success", "failure"], Param("decision of the Referee without a roll")] = "success",
    core: TheCore = "2d6",
) -> CheckResult:
    """The Referee decides that an approach succeeds or fails by itself: Succeed or Fail, without a roll."""
    if outcome == "success":
        return CheckResult(1, Degree.SUCCEED, SIGMA[Degree.SUCCEED], True, False)
    return CheckResult(BANDS[core][2] - 1, Degree.FAIL, SIGMA[Degree.FAIL], False, False)


# ---------------------------------------------------------------------- rerolls


class Reroll(NamedTuple):
    """Dice to reroll: some of the lowest of one set."""

    set: Literal["first", "second", "none"]
    number: int = 0

    @property
    def id(self) -> str:
        """Id of the option."""
        return f"{self.set} {self.number}" if self.number else "keep"


class Rated(NamedTuple):
    """A task whose dice lie on the table: its difficulty and its DMs."""

    difficulty: TheDifficulty = "average"
    modifier: Modifier = 0
    dm: Dm = 0


UNMODIFIED = Rated()
Faces = Annotated[tuple[int, ...], Param("the faces of a set that lies on the table", 1, 600)]


@mechanic(
    rules=["marchen.advantage.reroll", "marchen.advantage.roll"], objectives={"success": succeeded, "sigma": sigma}
)
async def reroll(
    first: Faces,
    second: Faces,
    core: TheCore = "2d6",
    advantage: TheAdvantage = "advantage",
    allows: Annotated[int, Param("number of dice that may be rerolled", 1, 8)] = 8,
    task: Rated = UNMODIFIED,
    table: Table = PLAIN,
    advantage_reroll: Annotated[AdvantageReroll, Param("whether a reroll reaches a set, or one die of it")] = "set",
) -> CheckResult:
    """Two sets lie on the table and something allows a reroll: it reaches one of them, once; then they are compared.

    Of the chosen set the lowest dice are rolled again, as many as allowed; ``advantage_reroll: die`` allows one.
    """
    pool = dice_of(core)
    for faces in (first, second):
        if len(faces) != pool.number or any(face > pool.sides for face in faces):
            raise InvalidInputError(f"{list(faces)} is not a roll of {pool}", rule=REROLL)
    most = 1 if advantage_reroll == "die" else min(allows, pool.number)
    ways = [Reroll("none"), *[Reroll(which, k) for which in ("first", "second") for k in range(1, most + 1)]]
    way = await choose(Role.ACTOR, "which dice are rolled again", ways)
    totals = {"first": sum(first), "second": sum(second)}
    if way.number:
        kept = sorted(first if way.set == "first" else second)[way.number :]
        totals[way.set] = sum(kept) + await d(pool.sides, way.number)
    shown = min(totals.values()) if advantage == "disadvantage" else max(totals.values())
    measure = table.measure(core, task.difficulty)
    return table.judge(shown + task.modifier * MODIFIER_SCALE[core] + measure.dm + task.dm, core, measure)


# ---------------------------------------------------------------------- task pools


class PoolResult(NamedTuple):
    """State of a task pool: its successes, whether they suffice, and whether a catastrophe closed it."""

    successes: int
    complete: bool
    closed: bool


def pooled(result: CheckResult) -> int:
    """Successes that a check adds to a pool: 1, or 2 for a serendipitous one.

    Below 0 it was catastrophic and closes the pool.
    """
    if result.degree is Degree.CATASTROPHIC:
        return -1
    return int(result.success) + (result.degree is Degree.SERENDIPITOUS)  # marchen.pool.serendipity_adds_one


def filled(successes: int, added: int, needed: int) -> PoolResult:
    """A pool after one more check.

    >>> filled(1, 2, 4), filled(3, -1, 4)
    (PoolResult(successes=3, complete=False, closed=False), PoolResult(successes=3, complete=False, closed=True))
    """
    now = successes + max(0, added)
    return PoolResult(now, now >= needed, added < 0)


@mechanic(
    rules=["marchen.pool.task_pool", "marchen.pool.serendipity_adds_one", "marchen.difficulty.trivial"],
    objectives={"complete": chance(lambda result: int(result.complete)), "successes": lambda result: result.successes},
)
async def task_pool(
    members: Modifiers,
    needed: Annotated[int | None, Param("successes needed; none for as many as take part, at least 2", 1, 60)] = None,
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    table: Table = PLAIN,
) -> PoolResult:
    """Let members in turn add successes to a pool until there are enough; a catastrophe closes it.

    A success adds one, a serendipitous one adds two. Trivial tasks are rolled here.
    """
    if not 1 <= len(members) <= MOST_MEMBERS:
        raise InvalidInputError(f"a pool has 1 to {MOST_MEMBERS} members, not {len(members)}", rule=POOL)
    enough = max(2, len(members)) if needed is None else needed
    rolled = table._replace(trivial="roll")
    successes = 0
    if len(members) > 1:
        before: PoolResult = await task_pool(members[:-1], enough, core, difficulty, table)
        if before.complete or before.closed:
            return before
        successes = before.successes
    last: Request[int] = check(core, Attempt(difficulty, members[-1]), rolled).map(pooled)
    return filled(successes, await last, enough)


# ---------------------------------------------------------------------- demigods


class BurnResult(NamedTuple):
    """Result of a check, and the points burnt for it."""

    result: CheckResult
    burnt: int


@mechanic(
    rules=["marchen.mythic.burn_for_success", "marchen.option.mythic_levels"],
    objectives={
        "success": chance(lambda burn: int(burn.result.success)),
        "worth": lambda burn: 10 * int(burn.result.success) - burn.burnt,
    },
)
async def burning(
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    modifier: Modifier = 0,
    points: Annotated[int, Param("points of aspects and characteristics that could be burnt", 0, 100)] = 1,
    table: Table = PLAIN,
) -> BurnResult:
    """Make a check with the skill at level 5: a point burnt for good turns a failure into Succeed."""
    result = await check(core, Attempt(difficulty, modifier), table)
    if result.success or points < 1:
        return BurnResult(result, 0)
    if await yes_no(
        Role.ACTOR, "burn a point for a success?", cost_text="1 point of an aspect or characteristic, for good"
    ):
        return BurnResult(CheckResult(result.effect, Degree.SUCCEED, SIGMA[Degree.SUCCEED], True, False), 1)
    return BurnResult(result, 0)


# ---------------------------------------------------------------------- scores by dice

ROLLED = ((5, -4), (8, -3), (13, -2), (17, -1), (22, 1), (27, 2), (30, 3), (32, 4))  # marchen.gap.generation.roll


def score_of_roll(total: int) -> int:
    """The score of a roll of 5d8 without the lowest.

    >>> score_of_roll(4), score_of_roll(13), score_of_roll(18), score_of_roll(32)
    (-4, -2, 1, 4)
    """
    return next(score for highest, score in ROLLED if total <= highest)


@mechanic(rules=["marchen.gap.generation.roll"], objectives={"score": int})
async def rolled_score() -> int:
    """Roll one score: 5d8 without the lowest, read from the table."""
    return await roll(Keep(5, Die(8), 4)).map(score_of_roll)


UNDERTAKINGS: tuple[Mechanic[..., Any], ...] = (automatic, reroll, task_pool, burning, rolled_score)
