"""Checks in several steps: a related skill first, helpers, groups under one roll, and second chances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from tablewright.engine import Param, Tally, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.checks import Subject
from tablewright.game.common import CharacterChanged, Checked
from tablewright.game.ledger import Ledger
from tablewright.game.scene import Live
from tablewright.game.table_processes import named_words
from tablewright.systems.opend6.character.record import OpenD6Character, Standing, Tried
from tablewright.systems.opend6.checks import difficulty_of, for_points, plan, pool
from tablewright.systems.opend6.content import Skill, Task
from tablewright.systems.opend6.mechanics import How, group_roll
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.points import note_use
from tablewright.systems.opend6.pools import RetryWhen, SecondChance, demanded, second_chance
from tablewright.systems.opend6.rolling import complicate
from tablewright.systems.opend6.situations import MODERATE, USUAL, DifficultyValue
from tablewright.systems.opend6.status import demand_able, is_here
from tablewright.systems.opend6.values import Checked as Outcome
from tablewright.systems.opend6.values import CriticalFailure, Grouped, Pointed

RELATED, ASSIST, SCOPE = "opend6.related.procedure", "opend6.related.assist", "opend6.related.scope"
DISABLED = "opend6.initiative.disabled_loses_action"
GROUP, RETRY, CONSEQUENCES = "opend6.group.single_roll", "opend6.retry.free", "opend6.retry.consequences"
STATES: Mapping[SecondChance, Standing] = {
    SecondChance.NEXT_TURN: "open",
    SecondChance.HARDER: "harder",
    SecondChance.TIME_OR_HELP: "needs_time_or_help",
    SecondChance.LOCKED_OUT: "locked_out",
}
Who: TypeAlias = Annotated[str, Param("the id of who acts")]
What: TypeAlias = Annotated[str, Param("the skill or attribute, by its id")]
Words: TypeAlias = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]
Number: TypeAlias = Annotated[DifficultyValue, Param("a level such as difficult, or a number")]


async def _result_points(game: Live, who: str, what: str, given: Mapping[str, Any]) -> Pointed:
    """Roll a skill for its result points, with everything that was put into it."""
    planned = for_points(game.book.subject(game[who], game.scene), what, **given)
    result: Pointed = await planned.call.by(game.seat(who), tallies=planned.tallies)
    if planned.then is not None:
        await planned.then(game, who, result)
    return result


# ---------------------------------------------------------------------- related skills and help


@process(rules=["opend6.related.procedure", "opend6.related.modifier", "opend6.related.scope"])
async def related_check(
    game: Live,
    who: Who,
    related: Annotated[str, Param("the related skill, which is used first")],
    what: What,
    related_difficulty: Number = MODERATE,
    situation: Words = (),
    at_once: Annotated[bool, Param("whether both are done at the same time, with the multi-action penalty")] = False,
) -> Outcome:
    """A related skill first, then the primary one, whose total half the related result points change."""
    who = game[who].id
    demand_able(game, who, DISABLED)
    actions = {"actions": 2} if at_once else {}
    first = await _result_points(game, who, related, {"difficulty": related_difficulty, **actions})
    given = {**named_words(situation), "related": [first.result_points], **actions}
    return await _primary(game, who, what, given, RELATED)


@process(rules=["opend6.related.assist"])
async def helped_check(
    game: Live,
    who: Who,
    what: What,
    helpers: Annotated[tuple[str, ...], Param("the ids of those who help")],
    helping_with: Annotated[str, Param("the skill of the helpers, if it is another one")] = "",
    helping_difficulty: Number = MODERATE,
    situation: Words = (),
) -> Outcome:
    """Others help: each rolls, and half the result points go on the total; whoever fails hinders."""
    who = game[who].id
    helping = [game[helper].id for helper in helpers]
    if not helping or who in helping:
        raise RulesSayNo("help comes from somebody else", rule=ASSIST)
    for helper in helping:
        if helping.count(helper) > 1:
            raise RulesSayNo(f"{game.scene.called(helper)} helps once, with an action of their own", rule=ASSIST)
    for one in (who, *helping):
        demand_able(game, one, DISABLED)
    results = []
    for helper in helping:
        rolled = await _result_points(game, helper, helping_with or what, {"difficulty": helping_difficulty})
        results.append(rolled.result_points)
    return await _primary(game, who, what, {**named_words(situation), "helper_points": results}, ASSIST)


async def _primary(game: Live, who: str, what: str, given: Mapping[str, object], cause: str) -> Outcome:
    planned = game.book.check(what).read(game.book.subject(game[who], game.scene), given)
    result: Outcome = await planned.call.by(game.seat(who), tallies=planned.tallies, private=planned.private)
    if planned.then is not None:
        await planned.then(game, who, result)
    told = result.level.value if result.level else "failure"
    game.emit(Checked(who=who, what=what, result=told, cause=cause))
    return result


# ---------------------------------------------------------------------- groups


@process(rules=["opend6.group.single_roll"])
async def group_check(
    game: Live,
    who: Annotated[tuple[str, ...], Param("the ids of those who act alike")],
    what: What,
    difficulties: Annotated[tuple[int, ...], Param("the difficulty of each one's target; one for all", 1, 200)],
) -> tuple[bool, ...]:
    """A group of the game master's acts under one roll, which is compared with each one's difficulty."""
    if not who:
        raise BadInput("a group has members; nobody was named", field="who")
    if len(difficulties) not in (1, len(who)):
        raise BadInput(f"{len(who)} act, and there are {len(difficulties)} difficulties", field="difficulties")
    each = difficulties * len(who) if len(difficulties) == 1 else difficulties
    members = [game[one].id for one in who]
    for one in members:
        demand_able(game, one, DISABLED)
    options: OpenD6Options = game.scene.options
    if options.single_roll:
        subject = game.book.subject(game[members[0]], game.scene)
        made = pool(subject, what)
        needed = tuple([_difficulty(subject, what, one).total for one in each])
        fate = int(game[members[0]].status.climactic)
        call = group_roll(
            demanded(made.rolled(options, fate)), needed, made.added(options, fate).total, *How.of(options)
        )
        rolled: Grouped = await call.by(game.seat(members[0]), tallies=made.tallies(fate, options))
        found = list(rolled.successes)
        _tell(game, members, what, found)
        here = [one for one in members if is_here(game.scene, one)]
        for one in here:
            note_use(game, one, what)
        if here and rolled.critical_failure is CriticalFailure.COMPLICATION:
            await complicate(game, here[0], 0 if all(found) else None)
    else:
        found = []
        for one, difficulty in zip(members, each, strict=True):
            planned = plan(game.book.subject(game[one], game.scene), what, difficulty=DifficultyValue(difficulty))
            result: Outcome = await planned.call.by(game.seat(one), tallies=planned.tallies)
            found.append(result.success)
            if planned.then is not None:
                await planned.then(game, one, result)
        _tell(game, members, what, found)
    return tuple(found)


def _tell(game: Live, members: list[str], what: str, found: list[bool]) -> None:
    """What came of a group's check for each of them, who is still here."""
    for one, success in zip(members, found, strict=True):
        if is_here(game.scene, one):
            told = "success" if success else "failure"
            game.emit(Checked(who=one, what=f"{what}, in a group", result=told, cause=GROUP))


def _difficulty(subject: Subject, what: str, difficulty: int) -> Tally:
    """What a difficulty comes to for somebody with everything that changes it."""
    return difficulty_of(subject, what, USUAL | {"difficulty": DifficultyValue(difficulty)})


# ---------------------------------------------------------------------- second chances


def retry_of(character: OpenD6Character, task: str) -> Tried:
    """How a task stands that somebody has tried before."""
    return character.tries.get(task, Tried())


def retry_when(game: Live, what: str, task: str) -> RetryWhen:
    """When a task may be tried again: as the task says, or the skill, or the table."""
    library = game.scene.library
    if library.has(Task, task) and library.get(Task, task).retry is not None:
        found: RetryWhen = library.get(Task, task).retry
        return found
    if library.has(Skill, what) and library.get(Skill, what).retry is not None:
        skill: RetryWhen = library.get(Skill, what).retry
        return skill
    usual: RetryWhen = game.scene.options.retry
    return usual


@process(rules=["opend6.retry.free", "opend6.retry.consequences"])
async def try_task(
    game: Live,
    who: Who,
    what: What,
    task: Annotated[str, Param("what is tried: a common task by its id, or any name for it")],
    difficulty: Annotated[
        DifficultyValue | None, Param("a level such as difficult, or a number; moderate unless said or set by the task")
    ] = None,
    situation: Words = (),
    helped: Annotated[bool, Param("whether more time was taken or help came since it went wrong")] = False,
) -> Pointed:
    """Try a task, perhaps again: after a narrow failure it is harder, after a bad one it takes time or help first."""
    who = game[who].id
    demand_able(game, who, DISABLED)
    tried = retry_of(game[who].character, task)
    common = game.scene.library.has(Task, task)
    called = game.scene.library.get(Task, task).name if common else task
    if tried.state == "locked_out":
        raise RulesSayNo(f"{called} went so wrong that it cannot be tried again", rule=CONSEQUENCES)
    if tried.state == "needs_time_or_help" and not helped:
        told = f"{called} went wrong; it takes more time or help first (helped=yes)"
        raise RulesSayNo(told, rule=CONSEQUENCES)
    given: dict[str, object] = {"task": task} if common else {"difficulty": str(MODERATE)}
    if difficulty is not None:
        given["difficulty"] = str(difficulty)
    given |= {**named_words(situation), "tries": tried.failures}
    check = game.book.check(what)
    read = check.contender(game.book.subject(game[who], game.scene), given).situation
    result = await _result_points(game, who, what, read)
    success = result.result_points >= 0
    if success:
        left = game[who].character.tries
        kept = left.drop(task) if task in left else left
        words = f"{called}: done"
    else:
        small = game.scene.options.small_shortfall_max
        chance = second_chance(result.result_points, result.critical_failure, retry_when(game, what, task), small)
        harder = tried.failures + (chance is not SecondChance.NEXT_TURN)
        kept = game[who].character.tries.put(task, Tried(failures=harder, state=STATES[chance]))
        words = f"{called}: {chance.value.replace('_', ' ')}"
    if kept != game[who].character.tries:
        changed = game[who].character.changed(tries=kept)
        game.emit(CharacterChanged(who=who, what=words, character=changed, cause=RETRY if success else CONSEQUENCES))
    game.emit(Checked(who=who, what=what, result="success" if success else "failure", cause=RETRY))
    return result


def forage(level: str) -> tuple[str, int]:
    """What foraging finds by its level of success: the quality of the food and for how many days it lasts.

    >>> forage("minimal"), forage("spectacular")
    (('subsistence', 1), ('wholesome', 2))
    """
    ranks = [str(one["level"]).casefold() for one in Ledger.load("opend6")["opend6.result.levels"].data["levels"]]
    good = ranks.index(level) >= ranks.index("spectacular")
    return ("wholesome", 2) if good else ("subsistence", 1)


PROCESSES = (related_check, helped_check, group_check, try_task)
