"""Several people, or several checks: aiding, group checks, task chains, task pools, work that takes time, obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from tablewright.engine import Param, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.common import Checked
from tablewright.game.ground import ANYONE
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live
from tablewright.game.table_processes import check as free_check
from tablewright.game.trading import Who
from tablewright.systems.marchen.checks import may, modifier_tally, table_of
from tablewright.systems.marchen.counsel import leader_of
from tablewright.systems.marchen.degrees import consequence
from tablewright.systems.marchen.mechanics import CheckResult, GroupResult, aided, check, group
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.outside import Followed, ObstacleMet
from tablewright.systems.marchen.tables import Degree, Difficulty
from tablewright.systems.marchen.timing import TICKS_PER_SECOND, Increment, duration, shifted
from tablewright.systems.marchen.undertakings import PoolResult, filled, pooled
from tablewright.systems.marchen.values import SKILLS, alias_of

AID, CHAIN, POOL = "marchen.aid.helper_dm", "marchen.chain.dm", "marchen.pool.task_pool"
GROUP, RETRY, TIME = "marchen.group.check", "marchen.check.retry", "marchen.time.duration"
SOLVED, SHUT, EASIER = "solved", "shut", "easier"

Those = Annotated[tuple[str, ...], Param("the ids of those who take part")]
What = Annotated[str, Param("the check: a skill, a characteristic or an aspect")]
Hard = Annotated[Difficulty, Param("how hard it is")]
Special = Annotated[str, Param("the specialization that is used")]
Words = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


def _named(what: str) -> str:
    if what in ("physical", "mental", "social", "spiritual"):
        return what
    meant = alias_of(what)
    return str(meant.skill or meant.characteristic)


def _modifier(game: Live, who: str, what: str, special: str = "") -> int:
    subject = game.book.subject(game[who], game.scene)
    own = special if what in SKILLS else ""
    return subject.with_rulings(modifier_tally(subject, what, specialization=own), what).total


def _those(game: Live, who: Sequence[str], least: int, rule: str) -> tuple[str, ...]:
    named = tuple(dict.fromkeys([game[one].id for one in who]))
    if len(named) < least:
        raise BadInput(f"at least {least} take part, not {len(named)}", field="who", rule=rule)
    return named


@process(rules=["marchen.aid.helper_dm", "marchen.aid.leader", "marchen.aid.limit", "marchen.skill.level_gates"])
async def aid(
    game: Live,
    who: Those,
    what: What,
    difficulty: Hard = "average",
    specialization: Special = "",
    leader: Annotated[str, Param("who leads; empty for whoever has the most modifiers")] = "",
) -> CheckResult:
    """One leads and the others help: each of them rolls first, and helps or hinders."""
    those, what = _those(game, who, 2, AID), _named(what)
    options: MarchenOptions = game.scene.options
    modifiers = tuple([_modifier(game, one, what, specialization) for one in those])
    if leader and game[leader].id not in those:
        raise RulesSayNo(f"{leader} leads, but does not take part", rule="marchen.aid.leader")
    leads = those.index(game[leader].id) if leader else leader_of(modifiers)
    for at, one in enumerate(those):
        if at != leads:
            may(game[one].character, "aid_another", what, specialization, options)
    helpers = tuple([modifier for at, modifier in enumerate(modifiers) if at != leads])
    call = aided(helpers, options.core, difficulty, modifiers[leads], options.max_helpers, *table_of(options))
    result: CheckResult = await call.by(game.seat(those[leads]))
    game.emit(Checked(who=those[leads], what=f"{what}, aided", result=result.degree.value, cause=AID))
    return result


@process(rules=["marchen.group.check"])
async def group_check(
    game: Live, who: Those, what: What, difficulty: Hard = "average", specialization: Special = ""
) -> GroupResult:
    """Everybody makes the check; if at least half succeed, the group does."""
    those, what = _those(game, who, 1, GROUP), _named(what)
    options: MarchenOptions = game.scene.options
    modifiers = tuple([_modifier(game, one, what, specialization) for one in those])
    rules = (options.target_rule, options.d20_scale, options.degree_method)
    result: GroupResult = await group(modifiers, options.core, difficulty, *rules).by(game.seat(those[0]))
    words = "success" if result.success else "failure"
    for one in those:
        game.emit(Checked(who=one, what=f"{what}, together", result=words, cause=GROUP))
    return result


@process(rules=["marchen.chain.dm", "marchen.skill.level_gates"])
async def chain(
    game: Live,
    tasks: Annotated[tuple[str, ...], Param("the tasks in order, each as who:what:difficulty")],
) -> CheckResult:
    """Linked checks of one or several people: the sigma of each is a DM on the next; the first one starts it."""
    if not tasks:
        raise BadInput("a chain has tasks; none was named", field="tasks", rule=CHAIN)
    steps = [_step(game, task) for task in tasks]
    options: MarchenOptions = game.scene.options
    may(game[steps[0][0]].character, "start_task_chain", steps[0][1], "", options)
    carried, result = 0, None
    for who, what, difficulty in steps:
        situation = (f"difficulty={difficulty}", f"carried={carried}")
        result = await free_check(game, who, what, situation)
        carried = result.sigma
    assert result is not None  # there was at least one task
    last: CheckResult = result
    return last


def _step(game: Live, task: str) -> tuple[str, str, str]:
    who, _, rest = task.partition(":")
    what, _, difficulty = rest.partition(":")
    if not what:
        raise BadInput(f'"{task:.60}" is not of the form who:what:difficulty', field="tasks", rule=CHAIN)
    return game[who].id, _named(what), difficulty or "average"


@process(rules=["marchen.pool.task_pool", "marchen.pool.serendipity_adds_one", "marchen.skill.level_gates"])
async def pool(
    game: Live,
    who: Annotated[tuple[str, ...], Param("the ids of those who take part; the first one establishes it")],
    what: What,
    difficulty: Hard = "average",
    needed: Annotated[int | None, Param("successes needed; none for as many as take part, at least 2", 1, 60)] = None,
    specialization: Special = "",
) -> PoolResult:
    """A grand master establishes a pool: everybody adds successes in turn; a catastrophe closes it."""
    those, what = _those(game, who, 1, POOL), _named(what)
    options: MarchenOptions = game.scene.options
    may(game[those[0]].character, "establish_task_pool", what, specialization, options)
    enough = max(2, len(those)) if needed is None else needed
    table = table_of(options)._replace(trivial="roll")
    state = PoolResult(0, False, False)
    for one in those:
        modifier = _modifier(game, one, what, specialization)
        call = check(options.core, difficulty, modifier, "none", 0, 0, False, *table, options.dice_chain_mode)
        result: CheckResult = await call.by(game.seat(one))
        state = filled(state.successes, pooled(result), enough)
        words = f"{state.successes} of {enough}"
        game.emit(Checked(who=one, what=f"{what}, pooled", result=words, cause=POOL))
        if state.complete or state.closed:
            break
    words = (
        "the pool is complete" if state.complete else "the pool is closed" if state.closed else "the pool is not full"
    )
    game.emit(Followed(who=those[0], what=words, cause=POOL))
    return state


# ---------------------------------------------------------------------- time


@process(rules=["marchen.time.duration", "marchen.time.task_time", "marchen.time.shift", "marchen.time.frames"])
async def work(
    game: Live,
    who: Who,
    what: What,
    frame: Annotated[Increment, Param("the increment of the task")] = "hourglass",
    rows: Annotated[int, Param("rows of the time table slower (or, below 0, faster)", -9, 9)] = 0,
    situation: Words = (),
) -> CheckResult:
    """A task outside of stress: the check, and then the time it takes passes."""
    who, options = game[who].id, game.scene.options
    moved = shifted(frame, rows, options.bell_row).frame if rows else frame
    result: CheckResult = await free_check(game, who, _named(what), (f"frame={frame}", f"rows={rows}", *situation))
    call = duration(moved, result.sigma, options.task_time, options.month_days)
    seconds = await call.by(game.seat(who))
    await let_time_pass(game, int(seconds * TICKS_PER_SECOND), cause=TIME)
    return result


# ---------------------------------------------------------------------- obstacles


@process(rules=["marchen.check.retry", "marchen.degree.catastrophic", "marchen.degree.tie"])
async def attempt(
    game: Live,
    who: Who,
    what: What,
    obstacle: Annotated[str, Param("what is in the way, by a name of its own")],
    situation: Words = (),
    origin: Annotated[str, Param("where it comes from, such as the maker of a lock")] = "",
    required: Annotated[bool, Param("whether the party's goal depends on it")] = False,
    once: Annotated[bool, Param("whether there is but one try")] = False,
    repeatable: Annotated[bool, Param("whether a further success adds anything")] = False,
) -> CheckResult:
    """Try to overcome something: again and again, unless a failure shuts it; what is learned helps the next time."""
    who, facts = game[who].id, game.scene.facts
    state = facts.get("obstacle", ANYONE, obstacle)
    if state == SOLVED and not repeatable:
        raise RulesSayNo(f"{obstacle} is overcome already", rule=RETRY)
    if state == SHUT:
        raise RulesSayNo(f"{obstacle} cannot be tried again", rule=RETRY)
    known = [facts.get(EASIER, who, name) for name in dict.fromkeys([obstacle, origin]) if name]
    words = (*situation, "learned=yes") if any(known) else situation
    result: CheckResult = await free_check(game, who, _named(what), words)
    tied = result.effect == 0 and result.degree is Degree.FAIL_IN_STYLE  # only in a contest
    follows = consequence(result.degree, required=required, tied=tied)
    state = SOLVED if follows.goal else SHUT if once or not follows.retry else ""
    places = (obstacle, origin) if follows.scope == "origin" else (obstacle,)
    easier_now = tuple([name for name in places if name]) if follows.next_dm else ()
    cause = f"marchen.degree.{_entry(result.degree)}"
    game.emit(ObstacleMet(who=who, obstacle=obstacle, state=state, easier=easier_now, what=_told(follows), cause=cause))
    return result


def _entry(degree: Degree) -> str:
    return "nine_ways" if degree is Degree.MINOR_FAIL else degree.value


def _told(follows: Any) -> str:
    words = {
        "it goes wrong at a cost": follows.cost,
        "something goes wrong elsewhere": follows.trouble,
        "the story goes on by a harder way": follows.story,
        "the next time is easier": bool(follows.next_dm),
        "and a second thing succeeds": follows.boon,
    }
    return ", ".join([word for word, holds in words.items() if holds])


PROCESSES = (aid, group_check, chain, pool, work, attempt)
