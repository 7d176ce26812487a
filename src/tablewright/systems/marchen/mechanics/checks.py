"""Mechanics of checks and contests."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache, reduce
from typing import Annotated, Any, Literal, NamedTuple, cast

from tablewright.engine import Mechanic, Param, Request, again, best_of, chance, mechanic, minus, plus, roll, worst_of
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.systems.marchen.mechanics.dice import (
    DEGREE_OF_SIGMA,
    DIFFICULTIES,
    MODIFIER_SCALE,
    PASSIVE_BASE,
    SIGMA,
    Advantage,
    Degree,
    Difficulty,
    Measure,
    degree_of,
    dice_of,
    is_exceptional,
    measure_of,
    sigma_of,
)
from tablewright.systems.marchen.options import (
    Core,
    D20Scale,
    DegreeMethod,
    DiceChainMode,
    ExceptionalRule,
    OpposedTie,
    PassiveBase,
    TargetRule,
    TwoD6Extremes,
)

MOST_TASKS = 20
MOST_HELPERS = 10
MOST_MEMBERS = 30

TheCore = Annotated[Core, Param("the campaign's dice")]
TheDifficulty = Annotated[Difficulty, Param("difficulty of the task")]
Modifier = Annotated[int, Param("all modifiers but the difficulty, added up; five-fold on D100", -60, 60)]
Dm = Annotated[int, Param("a further DM that counts as it is on every core, such as that of the law level", -200, 200)]
TheAdvantage = Annotated[Advantage, Param("whether a second set of dice is rolled and which of the two counts")]
Steps = Annotated[int, Param("net steps up the dice chain", -20, 20)]
Contest = Annotated[bool, Param("whether another party made the difficulty, so that a tie is won by nobody")]
TheTargetRule = Annotated[TargetRule, Param("the target of each core")]
TheD20Scale = Annotated[D20Scale, Param("whether D20 difficulties modify the roll or are the target")]
TheTrivial = Annotated[
    Literal["auto", "roll", "veiled"],
    Param("whether trivial tasks succeed without a roll, are rolled, or succeed whatever is rolled"),
]
TheExceptionalRule = Annotated[ExceptionalRule, Param("which effects are exceptional on cores other than 2d6")]
TheTwoD6Extremes = Annotated[TwoD6Extremes, Param("whether 2d6 has the two extreme degrees")]
TheDegreeMethod = Annotated[DegreeMethod, Param("degrees from the table or from the normalised total")]
TheDiceChainMode = Annotated[DiceChainMode, Param("what moves along the dice chain: every die, or the core")]


class CheckResult(NamedTuple):
    """Result of a check: the effect by which the target was missed or passed, with degree and sigma."""

    effect: int
    degree: Degree
    sigma: int
    success: bool
    exceptional: bool


TRIVIALLY = CheckResult(1, Degree.SUCCEED, 1, True, False)
"""Result of a trivial task without a roll (marchen.difficulty.trivial)."""


@chance
def succeeded(result: CheckResult) -> int:
    """1 for a success, 0 for a failure."""
    return int(result.success)


@chance
def exceptionally(result: CheckResult) -> int:
    """1 for an exceptional success, 0 for everything else."""
    return int(result.success and result.exceptional)


def sigma(result: CheckResult) -> int:
    """The sigma value of the degree: the DM that a chained task gets."""
    return result.sigma


def helper_dm(result: CheckResult) -> int:
    """DM of a helper's check for the leader: +1 or +2, -1 or -2."""
    return (1 if result.success else -1) * (2 if result.exceptional else 1)  # marchen.aid.helper_dm


def judge(
    total: int,
    core: Core,
    measure: Measure,
    contest: bool = False,
    exceptional_rule: ExceptionalRule = "sigma4",
    two_d6_extremes: TwoD6Extremes = "sigma4",
    degree_method: DegreeMethod = "table",
) -> CheckResult:
    """The result of a total with all its DMs.

    >>> judge(11, "2d6", Measure(8, 0)).degree
    <Degree.SUCCEED_IN_STYLE: 'succeed_in_style'>
    """
    effect = total - measure.target
    exceptional = is_exceptional(core, effect, exceptional_rule)
    if degree_method == "table":
        degree = degree_of(core, effect, two_d6_extremes)
    else:
        degree = DEGREE_OF_SIGMA[sigma_of(dice_of(core), total)]
        if core != "2d6" and exceptional_rule == "sigma4":
            exceptional = degree in (Degree.CATASTROPHIC, Degree.SERENDIPITOUS)
    if contest and degree is Degree.TIE:
        degree = Degree.FAIL_IN_STYLE
    sigma = SIGMA[degree]
    return CheckResult(effect, degree, sigma, sigma >= 0, exceptional)


class Table(NamedTuple):
    """Options of a table that all checks share."""

    target_rule: TheTargetRule = "printed"
    d20_scale: TheD20Scale = "dm"
    trivial: TheTrivial = "auto"
    exceptional_rule: TheExceptionalRule = "sigma4"
    two_d6_extremes: TheTwoD6Extremes = "sigma4"
    degree_method: TheDegreeMethod = "table"

    def lets_pass(self, difficulty: Difficulty) -> bool:
        """True if a task succeeds without a roll."""
        return difficulty == "trivial" and self.trivial == "auto"

    def lets_pass_veiled(self, difficulty: Difficulty) -> bool:
        """True if dice are thrown only so that no one sees how easy a task is."""
        return difficulty == "trivial" and self.trivial == "veiled"

    def measure(self, core: Core, difficulty: Difficulty) -> Measure:
        """The target and the DM of a task."""
        return measure_of(core, difficulty, self.target_rule, self.d20_scale, self.degree_method)

    def judge(self, total: int, core: Core, measure: Measure, contest: bool = False) -> CheckResult:
        """The result of a total with all its DMs."""
        return judge(total, core, measure, contest, self.exceptional_rule, self.two_d6_extremes, self.degree_method)


PLAIN = Table()


class Attempt(NamedTuple):
    """A task, and everything that counts for the character who attempts it."""

    difficulty: TheDifficulty = "average"
    modifier: Modifier = 0
    advantage: TheAdvantage = "none"
    steps: Steps = 0
    dm: Dm = 0
    contest: Contest = False


AVERAGE = Attempt()


@lru_cache(maxsize=256)
def _rolled(core: Core, advantage: Advantage, steps: int = 0, mode: DiceChainMode = "per_die") -> Request[int]:
    """The dice of a check, moved along the chain, before anything is added.

    Rolled without their modifiers the dice need to be weighed only once, however many checks there are.
    """
    dice = dice_of(core, steps, mode).rolled()
    if advantage == "none":
        return roll(dice)
    return best_of(dice, 2) if advantage == "advantage" else worst_of(dice, 2)


@mechanic(
    rules=[
        "marchen.check.core_procedure",
        "marchen.core.dice",
        "marchen.core.target_2d6",
        "marchen.core.target_other",
        "marchen.core.no_natural_results",
        "marchen.core.d100_scale",
        "marchen.difficulty.modifies_result",
        "marchen.difficulty.default",
        "marchen.difficulty.complete_table",
        "marchen.difficulty.d20_scale",
        "marchen.difficulty.trivial",
        "marchen.effect.definition",
        "marchen.effect.exceptional",
        "marchen.degree.bands",
        "marchen.degree.tie",
        "marchen.degree.two_d6_extremes",
        "marchen.degree.sigma_method",
        "marchen.advantage.roll",
        "marchen.dice_chain.pools",
    ],
    objectives={"success": succeeded, "sigma": sigma, "exceptional": exceptionally},
)
async def check(
    core: TheCore = "2d6",
    attempt: Attempt = AVERAGE,
    table: Table = PLAIN,
    dice_chain_mode: TheDiceChainMode = "per_die",
) -> CheckResult:
    """Roll the core's dice, add all modifiers and the difficulty's DM, and read the degree from what passes the target.

    Natural extremes mean nothing by themselves. With advantage the better of two whole sets of dice counts, with
    disadvantage the worse. Steps on the dice chain change the dice, never the target or the degrees. A trivial task
    succeeds without a roll. A tie succeeds, but not in a contest.
    """
    difficulty, modifier, advantage, steps, dm, contest = attempt
    if table.lets_pass(difficulty):
        return TRIVIALLY
    measure = table.measure(core, difficulty)
    added = modifier * MODIFIER_SCALE[core] + measure.dm + dm
    shown = _rolled(core, advantage, steps, dice_chain_mode)
    if table.lets_pass_veiled(difficulty):
        return await shown.map(lambda _: TRIVIALLY)
    return await shown.map(lambda shown: table.judge(added + shown, core, measure, contest))


@mechanic(
    rules=["marchen.check.passive", "marchen.check.passive_base"], objectives={"success": succeeded, "sigma": sigma}
)
async def passive(
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    modifier: Modifier = 0,
    dm: Dm = 0,
    table: Table = PLAIN,
    passive_base: Annotated[PassiveBase, Param("value that replaces the dice")] = "mean",
    contest: Contest = False,
) -> CheckResult:
    """A check without a roll: a fixed figure stands in for the dice, everything else is as in any check."""
    if table.lets_pass(difficulty) or table.lets_pass_veiled(difficulty):
        return TRIVIALLY
    measure = table.measure(core, difficulty)
    total = PASSIVE_BASE[passive_base][core] + modifier * MODIFIER_SCALE[core] + measure.dm + dm
    return table.judge(total, core, measure, contest)


class Task(NamedTuple):
    """A task as its difficulty and the modifiers of the one who does it, such as difficult+2."""

    difficulty: Difficulty = "average"
    modifier: int = 0

    @staticmethod
    def parse(text: str) -> Task:
        """Read ``difficult+2``, ``easy`` or ``+2``, which is an average task.

        >>> Task.parse("very_difficult-1")
        Task(difficulty='very_difficult', modifier=-1)
        """
        match = re.fullmatch(r"([a-z_]*)([+-][0-9]{1,3})?", text.strip(), re.ASCII)
        difficulty = match[1] or "average" if match and text.strip() else ""
        if match is None or difficulty not in DIFFICULTIES:
            known = f"difficulties are {', '.join(DIFFICULTIES)}{did_you_mean(difficulty, DIFFICULTIES)}"
            raise InvalidInputError(f'"{text:.40}" is not a task such as difficult+2; {known}')
        return Task(cast("Difficulty", difficulty), int(match[2] or 0))

    def __str__(self) -> str:
        return f"{self.difficulty}{self.modifier:+d}" if self.modifier else self.difficulty

    def json_text(self) -> str:
        """The task as it is typed."""
        return str(self)


@mechanic(rules=["marchen.chain.dm"], objectives={"success": succeeded, "sigma": sigma})
async def task_chain(
    tasks: Annotated[tuple[Task, ...], Param("the tasks in their order")],
    core: TheCore = "2d6",
    carried: Annotated[int, Param("the sigma that an earlier task brings along", -4, 4)] = 0,
    table: Table = PLAIN,
) -> CheckResult:
    """Linked checks: each gives the next one a DM equal to the sigma of its degree; the last one's result counts."""
    if not 1 <= len(tasks) <= MOST_TASKS:
        raise InvalidInputError(f"a chain has 1 to {MOST_TASKS} tasks, not {len(tasks)}", rule="marchen.chain.dm")
    earlier, (difficulty, modifier) = tasks[:-1], tasks[-1]
    if not earlier:
        return await check(core, Attempt(difficulty, modifier + carried), table)
    before = task_chain(earlier, core, carried, table)
    if table.lets_pass(difficulty):
        await before.map(lambda result: None)
        return TRIVIALLY
    measure = table.measure(core, difficulty)
    scale = MODIFIER_SCALE[core]
    added = modifier * scale + measure.dm
    # the sigma brought along and the dice meet in one sum, so that the last check is read once and not once per sigma
    return await plus(before.map(lambda result: result.sigma * scale), _rolled(core, "none")).map(
        lambda shown: table.judge(added + shown, core, measure)
    )


class Winner(Enum):
    """Winner of an opposed check."""

    A = "a"
    B = "b"
    NOBODY = "nobody"


class OpposedResult(NamedTuple):
    """By how much effect ``a`` was better than ``b``, and who won."""

    margin: int
    winner: Winner


@chance
def won(result: OpposedResult) -> int:
    """1 if ``a`` won, so that its mean is the chance of it."""
    return int(result.winner is Winner.A)


Characteristic = Annotated[int, Param("the score of the relevant characteristic, which decides ties", -10, 40)]


class Rivals(NamedTuple):
    """Both sides of an opposed check."""

    a_modifier: Modifier = 0
    b_modifier: Modifier = 0
    a_difficulty: TheDifficulty = "average"
    b_difficulty: TheDifficulty = "average"
    a_characteristic: Characteristic = 0
    b_characteristic: Characteristic = 0
    a_advantage: TheAdvantage = "none"
    b_advantage: TheAdvantage = "none"


class RivalTable(NamedTuple):
    """Options of a table that opposed checks read."""

    target_rule: TheTargetRule = "printed"
    d20_scale: TheD20Scale = "dm"
    opposed_tie: Annotated[OpposedTie, Param("winner of equal effects")] = "characteristic"


class RivalShifts(NamedTuple):
    """Steps on the dice chain and further DMs of both sides."""

    a_steps: Steps = 0
    b_steps: Steps = 0
    a_dm: Dm = 0
    b_dm: Dm = 0


EQUALS, USUAL_TIES, UNSHIFTED = Rivals(), RivalTable(), RivalShifts()


@mechanic(
    rules=["marchen.opposed.resolve", "marchen.opposed.tie", "marchen.core.d100_scale", "marchen.advantage.roll"],
    objectives={"win": won},
)
async def opposed(
    core: TheCore = "2d6",
    rivals: Rivals = EQUALS,
    table: RivalTable = USUAL_TIES,
    shifts: RivalShifts = UNSHIFTED,
    dice_chain_mode: TheDiceChainMode = "per_die",
    degree_method: TheDegreeMethod = "table",
) -> OpposedResult:
    """Two checks against each other: the higher effect wins, also if both failed.

    Equal effects are won by the higher characteristic, or rolled afresh if these are equal too; under the option
    ``opposed_tie: fail_in_style`` nobody wins them. Trivial tasks are rolled here like all others.
    """
    scale = MODIFIER_SCALE[core]
    a = measure_of(core, rivals.a_difficulty, table.target_rule, table.d20_scale, degree_method)
    b = measure_of(core, rivals.b_difficulty, table.target_rule, table.d20_scale, degree_method)
    ahead = (rivals.a_modifier - rivals.b_modifier) * scale + a.dm - b.dm - a.target + b.target
    mine = _rolled(core, rivals.a_advantage, shifts.a_steps, dice_chain_mode)
    theirs = _rolled(core, rivals.b_advantage, shifts.b_steps, dice_chain_mode).by_opponent()
    margin = ahead + shifts.a_dm - shifts.b_dm + await minus(mine, theirs)
    if margin == 0 and table.opposed_tie == "fail_in_style":
        return OpposedResult(0, Winner.NOBODY)
    decisive = margin or rivals.a_characteristic - rivals.b_characteristic
    if decisive == 0:
        await again()
    return OpposedResult(margin, Winner.A if decisive > 0 else Winner.B)


Lucks = Annotated[tuple[Advantage, ...], Param("the advantage or disadvantage of each one; none where nothing is said")]


def with_luck(modifiers: tuple[int, ...], luck: tuple[Advantage, ...]) -> list[tuple[int, Advantage]]:
    """Each one's modifiers with each one's luck; who has none named has none.

    >>> with_luck((1, 2), ("disadvantage",))
    [(1, 'disadvantage'), (2, 'none')]
    """
    return [(modifier, luck[at] if at < len(luck) else "none") for at, modifier in enumerate(modifiers)]


Modifiers = Annotated[tuple[int, ...], Param("the modifiers of each one, added up; five-fold on D100", -60, 60)]
Room = Annotated[int | None, Param("number of helpers with room to help", 0, MOST_HELPERS)]


class AidedTask(NamedTuple):
    """A task that several work on: its difficulty, the leader's modifiers, and the room for helpers."""

    difficulty: TheDifficulty = "average"
    modifier: Modifier = 0
    max_helpers: Room = None


class LeaderLuck(NamedTuple):
    """Other modifiers of the leader's own check."""

    advantage: TheAdvantage = "none"
    steps: Steps = 0
    dm: Dm = 0
    contest: Contest = False


ROOM_FOR_ALL, NO_LUCK = AidedTask(), LeaderLuck()


@mechanic(rules=["marchen.aid.helper_dm", "marchen.aid.limit"], objectives={"success": succeeded, "sigma": sigma})
async def aided(
    helpers: Modifiers,
    core: TheCore = "2d6",
    task: AidedTask = ROOM_FOR_ALL,
    table: Table = PLAIN,
    leader: LeaderLuck = NO_LUCK,
    dice_chain_mode: TheDiceChainMode = "per_die",
    helpers_luck: Lucks = (),
) -> CheckResult:
    """Every helper rolls the same check first; each success helps the leader, each failure hinders him.

    Exceptional results count double. Helpers without room are left out in the order given. Advantage and
    steps on the dice chain are the leader's alone; helpers have their own luck.
    """
    if len(helpers) > MOST_HELPERS:
        raise InvalidInputError(f"{len(helpers)} helpers are too many; at most {MOST_HELPERS} may be given")
    difficulty, modifier, max_helpers = task
    advantage, steps, dm, contest = leader
    if table.lets_pass(difficulty):
        return TRIVIALLY
    measure = table.measure(core, difficulty)
    scale = MODIFIER_SCALE[core]
    added = modifier * scale + measure.dm + dm
    aid = [
        check(core, Attempt(difficulty, helper, luck, dm=dm), table).map(helper_dm)
        for helper, luck in with_luck(helpers, helpers_luck)[:max_helpers]
    ]
    shown = _rolled(core, advantage, steps, dice_chain_mode)
    if aid:
        shown = plus(reduce(plus, aid).map(lambda dm: dm * scale), shown)
    if table.lets_pass_veiled(difficulty):
        return await shown.map(lambda _: TRIVIALLY)
    return await shown.map(lambda shown: table.judge(added + shown, core, measure, contest))


class GroupResult(NamedTuple):
    """Result of a group: the number of members who succeeded, and whether the group did."""

    successes: int
    success: bool


@mechanic(rules=["marchen.group.check"], objectives={"success": chance(lambda result: int(result.success))})
async def group(
    members: Modifiers,
    core: TheCore = "2d6",
    difficulty: TheDifficulty = "average",
    target_rule: TheTargetRule = "printed",
    d20_scale: TheD20Scale = "dm",
    degree_method: TheDegreeMethod = "table",
    luck: Lucks = (),
) -> GroupResult:
    """Let every member make the check, also a trivial one; the group succeeds if at least half do."""
    if not 1 <= len(members) <= MOST_MEMBERS:
        raise InvalidInputError(
            f"a group has 1 to {MOST_MEMBERS} members, not {len(members)}", rule="marchen.group.check"
        )

    table = Table(target_rule, d20_scale, "roll", degree_method=degree_method)
    checks = [check(core, Attempt(difficulty, modifier, own), table) for modifier, own in with_luck(members, luck)]
    successes = await reduce(plus, [check.map(succeeded) for check in checks])
    return GroupResult(successes, 2 * successes >= len(members))


MECHANICS: tuple[Mechanic[..., Any], ...] = (check, passive, task_chain, opposed, aided, group)
