"""Tasks of several checks or several characters: aid, groups, chains, work over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from tablewright.engine import Param, Role, process
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.common_events import Checked
from tablewright.game.play.time_passage import advance_time, require_no_encounter
from tablewright.game.scene.game import Game
from tablewright.game.session.processes import check as free_check
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.checks import may, use_boons
from tablewright.systems.marchen.events.fight import HelpUsed
from tablewright.systems.marchen.events.recovery import EASIER, ONCE, Followed, ObstacleMet
from tablewright.systems.marchen.mechanics.checks import (
    AidedTask,
    Attempt,
    CheckResult,
    GroupResult,
    LeaderLuck,
    OpposedResult,
    Rivals,
    aided,
    check,
    group,
    opposed,
)
from tablewright.systems.marchen.mechanics.dice import Degree, Difficulty, consequence, dice_of, sigma_of
from tablewright.systems.marchen.mechanics.tasks import PoolResult, filled, pooled
from tablewright.systems.marchen.mechanics.turn import TICKS_PER_SECOND, Increment, duration, leader_of, shifted
from tablewright.systems.marchen.modifiers import rival_table_of, table_of
from tablewright.systems.marchen.now import Ready, how_checked, lucks, readied
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import Status, lives
from tablewright.systems.marchen.values import CHARACTERISTIC_OF, SkillId, meant_by

AID, CHAIN, POOL = "marchen.aid.helper_dm", "marchen.chain.dm", "marchen.pool.task_pool"
GROUP, RETRY, TIME = "marchen.group.check", "marchen.check.retry", "marchen.time.duration"
SOLVED, SHUT = "solved", "shut"

Those = Annotated[tuple[str, ...], Param("ids of those who take part")]
What = Annotated[str, Param("the check: a skill, a characteristic or an aspect")]
Hard = Annotated[Difficulty, Param("difficulty")]
Special = Annotated[str, Param("the specialization that is used")]
Words = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


def _named(what: str, special: str = "") -> tuple[str, str]:
    """The check and the specialization behind a name."""
    meant = meant_by(what)
    return meant.what, special or meant.rest or meant.specialization


def _words(game: Game, who: str, what: str, special: str) -> tuple[str, ...]:
    """The specialization as a word of the situation; it counts if the character has it (marchen.skill.aliases)."""
    own = game[who].character.specializations
    has = any(one.skill == what and one.name.casefold() == special.casefold() for one in own)
    return (f"specialization={special}",) if has else ()


def _those(game: Game, who: Sequence[str], least: int, rule: str) -> tuple[str, ...]:
    named = tuple(dict.fromkeys([game[one].id for one in who]))
    if len(named) < least:
        raise InvalidInputError(f"at least {least} take part, not {len(named)}", field="who", rule=rule)
    able(game, *named)
    return named


@process(rules=["marchen.aid.helper_dm", "marchen.aid.leader", "marchen.aid.limit", "marchen.skill.level_gates"])
async def aid(
    game: Game,
    who: Those,
    what: What,
    difficulty: Hard = "average",
    specialization: Special = "",
    leader: Annotated[str, Param("leader; empty for the one with the highest modifiers")] = "",
) -> CheckResult:
    """Let one lead and the others help: each helper rolls first, and helps or hinders."""
    those, (what, special) = _those(game, who, 2, AID), _named(what, specialization)
    options: MarchenOptions = game.scene.options
    made = [readied(game.scene, one, what, specialization=special) for one in those]
    modifiers = tuple([one.tally.total for one in made])
    if leader and game[leader].id not in those:
        name = game.scene.display_name(game[leader].id)
        raise IllegalActionError(f"{name} leads, but does not take part", rule="marchen.aid.leader")
    leads = those.index(game[leader].id) if leader else leader_of(modifiers)
    for at, one in enumerate(those):
        if at != leads:
            may(game[one].character, "aid_another", what, special, options)
    helpers = [one for at, one in enumerate(made) if at != leads]
    call = aided(
        tuple([one.tally.total for one in helpers]),
        options.core,
        AidedTask(difficulty, modifiers[leads], options.max_helpers),
        table_of(options),
        LeaderLuck(made[leads].luck),
        helpers_luck=lucks(helpers),
    )
    result: CheckResult = await call.by(game.seat(those[leads]))
    helping = [at for at in range(len(those)) if at != leads][: options.max_helpers]
    for at in (leads, *helping):  # helpers without room have made no check
        count(game, those[at], made[at])
    game.emit(Checked(who=those[leads], what=f"{what}, aided", result=result.degree.value, cause=AID))
    return result


@process(rules=["marchen.group.check"])
async def group_check(
    game: Game, who: Those, what: What, difficulty: Hard = "average", specialization: Special = ""
) -> GroupResult:
    """Let everyone make the check; if at least half succeed, the group does."""
    those, (what, special) = _those(game, who, 1, GROUP), _named(what, specialization)
    options: MarchenOptions = game.scene.options
    made = [readied(game.scene, one, what, specialization=special) for one in those]
    modifiers = tuple([one.tally.total for one in made])
    rules = (options.target_rule, options.d20_scale, options.degree_method, lucks(made))
    result: GroupResult = await group(modifiers, options.core, difficulty, *rules).by(game.seat(those[0]))
    for one, its in zip(those, made, strict=True):
        count(game, one, its)
    words = "success" if result.success else "failure"
    for one in those:
        game.emit(Checked(who=one, what=f"{what}, together", result=words, cause=GROUP))
    return result


@process(rules=["marchen.chain.dm", "marchen.skill.level_gates"])
async def chain(
    game: Game,
    tasks: Annotated[
        tuple[str, ...], Param("the tasks in order, each as who:what:difficulty, what as skill or skill/specialization")
    ],
) -> CheckResult:
    """Make linked checks by one or several characters: the sigma of each is a DM on the next."""
    if not tasks:
        raise InvalidInputError("a chain has tasks; none was named", field="tasks", rule=CHAIN)
    steps = [_step(game, task) for task in tasks]
    able(game, *[step[0] for step in steps])
    options: MarchenOptions = game.scene.options
    may(game[steps[0][0]].character, "start_task_chain", *steps[0][1:3], options)
    carried, result = 0, None
    for who, what, special, difficulty in steps:
        situation = (f"difficulty={difficulty}", f"carried={carried}", *_words(game, who, what, special))
        result = await free_check(game, who, what, situation)
        carried = result.sigma
    assert result is not None  # there was at least one task
    last: CheckResult = result
    return last


def _step(game: Game, task: str) -> tuple[str, str, str, str]:
    who, _, rest = task.partition(":")
    what, _, difficulty = rest.partition(":")
    if not what:
        raise InvalidInputError(f'"{task:.60}" is not of the form who:what:difficulty', field="tasks", rule=CHAIN)
    return game[who].id, *_named(what), difficulty or "average"


@process(rules=["marchen.pool.task_pool", "marchen.pool.serendipity_adds_one", "marchen.skill.level_gates"])
async def pool(
    game: Game,
    who: Annotated[tuple[str, ...], Param("ids of those who take part; the first establishes it")],
    what: What,
    difficulty: Hard = "average",
    needed: Annotated[int | None, Param("successes needed; none for as many as take part, at least 2", 1, 60)] = None,
    specialization: Special = "",
) -> PoolResult:
    """Establish a task pool as a grand master: members add successes in turn; a catastrophe closes it."""
    those, (what, special) = _those(game, who, 1, POOL), _named(what, specialization)
    options: MarchenOptions = game.scene.options
    may(game[those[0]].character, "establish_task_pool", what, special, options)
    enough = max(2, len(those)) if needed is None else needed
    table = table_of(options)._replace(trivial="roll")
    state = PoolResult(0, False, False)
    for one in those:
        made = readied(game.scene, one, what, specialization=special)
        mode = options.dice_chain_mode
        call = check(options.core, Attempt(difficulty, made.tally.total, made.luck), table, mode)
        result: CheckResult = await call.by(game.seat(one))
        count(game, one, made)
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
    game: Game,
    who: AtEase,
    what: What,
    frame: Annotated[Increment, Param("the increment of the task")] = "hourglass",
    rows: Annotated[int, Param("rows of the time table slower (or, below 0, faster)", -9, 9)] = 0,
    situation: Words = (),
) -> CheckResult:
    """Do a task outside of stress: the check, and then the time that it takes."""
    options, (what, special) = game.scene.options, _named(what)
    moved = shifted(frame, rows, options.bell_row).frame if rows else frame
    words = (f"frame={frame}", f"rows={rows}", *_words(game, who, what, special), *situation)
    result: CheckResult = await free_check(game, who, what, words)
    call = duration(moved, result.sigma, options.task_time, options.month_days)
    seconds = await call.by(game.seat(who))
    await advance_time(game, int(seconds * TICKS_PER_SECOND), cause=TIME)
    return result


# ---------------------------------------------------------------------- obstacles


@process(rules=["marchen.check.retry", "marchen.degree.catastrophic", "marchen.degree.tie"])
async def attempt(
    game: Game,
    who: Able,
    what: What,
    obstacle: Annotated[str, Param("name of the obstacle")],
    situation: Words = (),
    origin: Annotated[str, Param("origin of the obstacle, such as the maker of a lock")] = "",
    required: Annotated[bool, Param("whether the party's goal depends on it")] = False,
    once: Annotated[bool, Param("whether there is but one try")] = False,
    repeatable: Annotated[bool, Param("whether a further success adds anything")] = False,
) -> CheckResult:
    """Try to overcome an obstacle, again and again unless a failure shuts it; lessons help the next time."""
    facts, (what, special) = game.scene.facts, _named(what)
    state = facts.get("obstacle", ANYONE, obstacle)
    refuse_if(state == SOLVED and not repeatable, f"{obstacle} is overcome already", rule=RETRY)
    refuse_if(state == SHUT, f"{obstacle} cannot be tried again", rule=RETRY)
    known = {name: facts.get(EASIER, who, name) for name in (obstacle, origin) if name}
    words = (*_words(game, who, what, special), *situation)
    result: CheckResult = await free_check(game, who, what, (*words, "learned=yes") if any(known.values()) else words)
    tied = _is_tied(result, game.scene.options)
    follows = consequence(result.degree, required=required, tied=tied)
    state = SOLVED if follows.goal else SHUT if once or not follows.retry else ""
    places = (obstacle, origin) if follows.scope == "origin" else (obstacle,)
    easier_now = tuple([name for name in places if name]) if follows.next_dm else ()
    met = ObstacleMet(
        who=who,
        obstacle=obstacle,
        state=state,
        easier=easier_now,
        lasts=follows.scope == "origin",
        used=tuple([name for name, often in known.items() if often == ONCE]),
        what=_told(follows),
        cause=f"marchen.degree.{_entry(result.degree)}",
    )
    game.emit(met)
    return result


def _is_tied(result: CheckResult, options: MarchenOptions) -> bool:
    """True if no one has won a contest: the check would have been a tie (marchen.degree.tie)."""
    if result.degree is not Degree.FAIL_IN_STYLE:
        return False
    if options.degree_method == "table":
        return result.effect == 0
    core, table = how_checked(options)
    return sigma_of(dice_of(core), result.effect + table.measure(core, "average").target) == 0


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


OUTCOMES = "marchen.gap.face.outcomes"
Alive = Annotated[str, Param("a participant of the scene", guard=lambda game, who, _: alive(game, who))]
"""Parameter of a process for a participant who is not at an end; others are refused before the process starts."""
Able = Annotated[str, Param("a participant of the scene", guard=lambda game, who, _: able(game, who))]
"""The same, for one who is not down either."""
AtEase = Annotated[str, Param("a participant of the scene", guard=lambda game, who, _: at_ease(game, who))]
"""The same, outside of a fight."""
OwnBoon = Annotated[str, Param("a boon of the character to use up, by its name")]


async def rolled(
    game: Game,
    who: str,
    what: str,
    *more: tuple[str, int, str | None],
    specialization: str = "",
    difficulty: Difficulty = "average",
    dm: int = 0,
    advantages: int = 0,
    boon: str = "",
    matter: str = "",
) -> CheckResult:
    """Make a check of a skill, a characteristic or an aspect with everything that counts now."""
    made = readied(
        game.scene, who, what, *more, specialization=specialization, advantages=advantages, boon=boon, matter=matter
    )
    core, table = how_checked(game.scene.options)
    call = check(core, Attempt(difficulty, made.tally.total, made.luck, dm=dm), table)
    result: CheckResult = await call.by(game.seat(who), tallies={"modifier": made.tally})
    count(game, who, made)
    return result


async def contended(
    game: Game, who: str, skill: SkillId, other: str, answer: str, *more: tuple[str, int, str | None], boon: str = ""
) -> OpposedResult:
    """Make an opposed check of a skill against another character, whose modifiers stay secret."""
    scene, options = game.scene, game.scene.options
    mine, theirs = readied(scene, who, skill, *more, boon=boon), readied(scene, other, answer)
    resists = CHARACTERISTIC_OF.get(answer, answer)  # type: ignore[call-overload]
    rivals = Rivals(
        mine.tally.total,
        theirs.tally.total,
        a_characteristic=score(scene[who].character, CHARACTERISTIC_OF[skill], options).total,
        b_characteristic=score(scene[other].character, resists, options).total,
        a_advantage=mine.luck,
        b_advantage=theirs.luck,
    )
    call = opposed(options.core, rivals, rival_table_of(options), degree_method=options.degree_method)
    result: OpposedResult = await call.by(
        game.seat(who),
        game.seat(other),
        tallies={"a_modifier": mine.tally, "b_modifier": theirs.tally},
        private={"b_modifier": Role.OPPONENT, "b_characteristic": Role.OPPONENT},
    )
    count(game, who, mine)
    count(game, other, theirs)
    return result


def able(game: Game, *people: str, rule: str = OUTCOMES) -> None:
    """Refuse participants who are down or at an end."""
    for who in people:
        status: Status = game[who].status
        game.refuse_if(status.down, who, f"is {status.fate or 'down'}", rule)


def alive(game: Game, *people: str) -> None:
    """Refuse what takes a life that is not over; one may be down for that."""
    for who in people:
        game.refuse_if(not lives(game[who]), who, f"is {game[who].status.fate}", OUTCOMES)


def takes_time(game: Game) -> None:
    """Refuse in a fight, which goes by the ounce, whatever takes a puncti or longer."""
    require_no_encounter(game.scene, "marchen.action.scales")


def at_ease(game: Game, who: str) -> None:
    """Refuse participants who are down, and anyone in a fight."""
    able(game, who)
    takes_time(game)


def aware(game: Game, *people: str) -> None:
    """Refuse participants who cannot hear and answer; being down alone does not matter."""
    for who in people:
        status: Status = game[who].status
        game.refuse_if(status.fate or not status.conscious, who, f"is {status.fate or 'unconscious'}", OUTCOMES)


def count(game: Game, who: str, made: Ready, to: str = EVERYONE) -> None:
    """Use up the helps and boons that counted for a check."""
    use_boons(game, who, made.boons)
    status = game[who].status
    if status.nexts or status.hindered:
        game.emit(HelpUsed(who=who, to=to, cause="marchen.chain.dm"))
