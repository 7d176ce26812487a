"""Tasks of several checks or several characters: aid, groups, chains, work over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from tablewright.engine import Param, Tally, choose, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_events import CharacterChanged, Checked
from tablewright.game.play.time_passage import Who
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.session.processes import named_words
from tablewright.systems.opend6.chapters.points import PointsSpent, fate_refused, note_use
from tablewright.systems.opend6.character.figures import titled
from tablewright.systems.opend6.character.record import Standing, Tried
from tablewright.systems.opend6.checks import difficulty_of, for_points, plan, points_owned, pool
from tablewright.systems.opend6.content import Skill, Task
from tablewright.systems.opend6.mechanics.checks import group_roll
from tablewright.systems.opend6.mechanics.dice import NotPossible, RetryWhen, SecondChance, demanded, second_chance
from tablewright.systems.opend6.mechanics.points import Mended, Purse, mend, spendable_before
from tablewright.systems.opend6.now import OWN_LEFT, SPENT, complicate, how_of, terms
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.situations import MODERATE, USUAL, DifficultyValue
from tablewright.systems.opend6.status import demand_able, is_here
from tablewright.systems.opend6.values import Checked as Outcome
from tablewright.systems.opend6.values import CriticalFailure, DieCode, Grouped, Pointed, most_character_points

RELATED, ASSIST = "opend6.related.procedure", "opend6.related.assist"
DISABLED = "opend6.initiative.disabled_loses_action"
GROUP, RETRY, CONSEQUENCES = "opend6.group.single_roll", "opend6.retry.free", "opend6.retry.consequences"
STATES: Mapping[SecondChance, Standing] = {
    SecondChance.NEXT_TURN: "open",
    SecondChance.HARDER: "harder",
    SecondChance.TIME_OR_HELP: "needs_time_or_help",
    SecondChance.LOCKED_OUT: "locked_out",
}
What: TypeAlias = Annotated[str, Param("the skill or attribute, by its id")]
Words: TypeAlias = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]
Number: TypeAlias = Annotated[DifficultyValue, Param("a level such as difficult, or a number")]


async def _result_points(game: Game, who: str, what: str, given: Mapping[str, Any]) -> Pointed:
    """Roll a skill for its result points, with everything that was put into it.

    With ``spend`` its player is asked for points before the roll, and after it as long as it fails. [opend6.cp.timing]
    """
    asked = bool(given.get("spend"))
    if asked:
        given = {**given, "spend": False, **await _put_in(game, who, what, given)}
    planned = for_points(game.rulebook.subject(game[who], game.scene), what, **given)
    result: Pointed = await planned.call.by(game.seat(who), tallies=planned.tallies)
    if planned.then is not None:
        await planned.then(game, who, result)
    if asked and result.result_points < 0 and is_here(game.scene, who):
        left = _left_after(game, who, given)
        if left > 0:
            more: Mended = await mend(-result.result_points, left).by(game.seat(who), private=OWN_LEFT)
            result = result._replace(result_points=result.result_points + more.gain)
            if more.points and is_here(game.scene, who):
                game.emit(PointsSpent(who=who, character_points=more.points, on=what, cause=SPENT))
    return result


def _left_after(game: Game, who: str, given: Mapping[str, Any]) -> int:
    """The Character Points that may still go on a roll on which some were spent before. [opend6.cp.max_per_roll]"""
    status = game[who].status
    if not terms(game.scene).may_add_points(given["fate_points"], status.climactic):
        return 0
    put_in: int = given["character_points"]
    return most_character_points(status.character_points + put_in, game.scene.options.challenge_level) - put_in


async def _put_in(game: Game, who: str, what: str, given: Mapping[str, Any]) -> dict[str, int]:
    """Ask for the points that go on a roll before it is made."""
    scene, one = game.scene, game[who]
    subject = game.rulebook.subject(one, scene)
    terms_here, climactic = terms(scene), one.status.climactic
    made, owned = pool(subject, what, **given), points_owned(subject)
    refused = fate_refused(subject.character, owned.fate_points, subject.options, 1, given.get("moment", "ordinary"))
    purse = Purse(
        owned.character_points if terms_here.may_add_points(0, climactic) else 0,
        owned.fate_points if refused is None and terms_here.may_add_fate(climactic) else 0,
    )

    def code(fate: int) -> DieCode | None:
        found = made.rolled(subject.options, fate + climactic)
        return None if isinstance(found, NotPossible) else found

    found = spendable_before(purse, code, terms_here)
    if not found:
        return {"character_points": 0, "fate_points": 0}
    used = found[0]
    if len(found) > 1:
        used = await choose(game.seat(who), "spend points before the roll", found, details={"who": who, "on": what})
    return {"character_points": used.points, "fate_points": used.fate}


# ---------------------------------------------------------------------- related skills and help


@process(rules=["opend6.related.procedure", "opend6.related.modifier", "opend6.related.scope"])
async def related_check(
    game: Game,
    who: Who,
    related: Annotated[tuple[str, ...], Param("the related skills, which are used first")],
    what: What,
    related_difficulty: Annotated[
        tuple[DifficultyValue, ...], Param("the difficulty of each related skill, a level or a number; one for all")
    ] = (MODERATE,),
    situation: Words = (),
    at_once: Annotated[bool, Param("whether all are done at the same time, with the multi-action penalty")] = False,
) -> Outcome:
    """Check related skills, then the primary one; half of the result points of each change its total."""
    demand_able(game, who, DISABLED)
    if not related or len(related_difficulty) not in (1, len(related)):
        told = f"{len(related)} related skills are named, and {len(related_difficulty)} difficulties; one is for all"
        raise InvalidInputError(told, field="related_difficulty" if related else "related")
    for skill in related:
        if skill == what or related.count(skill) > 1:
            raise IllegalActionError(f"{titled(skill)} is named twice; each skill is used once", rule=RELATED)
    words = named_words(situation)
    actions = {"actions": 1 + len(related)} if at_once else {}
    spend = {"spend": True} if str(words.get("spend", "")).casefold() in ("yes", "true") else {}
    each = related_difficulty * len(related) if len(related_difficulty) == 1 else related_difficulty
    results = []
    for skill, difficulty in zip(related, each, strict=True):
        rolled = await _result_points(game, who, skill, {"difficulty": difficulty, **actions, **spend})
        results.append(rolled.result_points)
        demand_able(game, who, DISABLED)
    return await _primary(game, who, what, {**words, "related": results, **actions}, RELATED)


@process(rules=["opend6.related.assist"])
async def helped_check(
    game: Game,
    who: Who,
    what: What,
    helpers: Annotated[tuple[str, ...], Param("ids of the helpers")],
    helping_with: Annotated[str, Param("skill of the helpers, if it differs")] = "",
    helping_difficulty: Number = MODERATE,
    situation: Words = (),
) -> Outcome:
    """Try a task with helpers: each adds half the result points of a roll to the total; a failure hinders."""
    helping = [game[helper].id for helper in helpers]
    refuse_if(not helping or who in helping, "nobody helps themselves; name another character as helper", rule=ASSIST)
    for helper in helping:
        game.refuse_if(helping.count(helper) > 1, helper, "helps once, with an action of their own", ASSIST)
    for one in (who, *helping):
        demand_able(game, one, DISABLED)
    results = []
    for helper in helping:
        rolled = await _result_points(game, helper, helping_with or what, {"difficulty": helping_difficulty})
        results.append(rolled.result_points)
    return await _primary(game, who, what, {**named_words(situation), "helper_points": results}, ASSIST)


async def _primary(game: Game, who: str, what: str, given: Mapping[str, object], cause: str) -> Outcome:
    planned = game.rulebook.check(what).read(game.rulebook.subject(game[who], game.scene), given)
    result: Outcome = await planned.call.by(game.seat(who), tallies=planned.tallies, private=planned.private)
    if planned.then is not None:
        await planned.then(game, who, result)
    told = result.level.value if result.level else "failure"
    game.emit(Checked(who=who, what=what, result=told, cause=cause))
    return result


# ---------------------------------------------------------------------- groups


@process(rules=["opend6.group.single_roll"])
async def group_check(
    game: Game,
    who: Annotated[tuple[str, ...], Param("ids of the members of the group")],
    what: What,
    difficulties: Annotated[tuple[int, ...], Param("the difficulty of each one's target; one for all", 1, 200)],
) -> tuple[bool, ...]:
    """A group of the game master's acts under one roll, which is compared with each one's difficulty."""
    if not who:
        raise InvalidInputError("a group has members; nobody was named", field="who")
    if len(difficulties) not in (1, len(who)):
        raise InvalidInputError(f"{len(who)} act, and there are {len(difficulties)} difficulties", field="difficulties")
    each = difficulties * len(who) if len(difficulties) == 1 else difficulties
    members = [game[one].id for one in who]
    for one in members:
        demand_able(game, one, DISABLED)
    options: OpenD6Options = game.scene.options
    if options.single_roll:
        subject = game.rulebook.subject(game[members[0]], game.scene)
        made = pool(subject, what)
        needed = tuple([_difficulty(subject, what, one).total for one in each])
        fate = int(game[members[0]].status.climactic)
        call = group_roll(
            demanded(made.rolled(options, fate)), needed, made.added(options, fate).total, *how_of(subject, None, None)
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
            planned = plan(game.rulebook.subject(game[one], game.scene), what, difficulty=DifficultyValue(difficulty))
            result: Outcome = await planned.call.by(game.seat(one), tallies=planned.tallies)
            found.append(result.success)
            if planned.then is not None:
                await planned.then(game, one, result)
        _tell(game, members, what, found)
    return tuple(found)


def _tell(game: Game, members: list[str], what: str, found: list[bool]) -> None:
    """Record a group's check for every member who is still present."""
    for one, success in zip(members, found, strict=True):
        if is_here(game.scene, one):
            told = "success" if success else "failure"
            game.emit(Checked(who=one, what=f"{what}, in a group", result=told, cause=GROUP))


def _difficulty(subject: Subject, what: str, difficulty: int) -> Tally:
    """A difficulty with all its changes for a character."""
    return difficulty_of(subject, what, USUAL | {"difficulty": DifficultyValue(difficulty)})


# ---------------------------------------------------------------------- second chances


def retry_when(game: Game, what: str, task: str) -> RetryWhen:
    """Time until a task may be tried again: by the task, the skill, or the table."""
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
    game: Game,
    who: Who,
    what: What,
    task: Annotated[str, Param("the task: a common one by its id, or any name")],
    difficulty: Annotated[
        DifficultyValue | None, Param("a level such as difficult, or a number; moderate unless said or set by the task")
    ] = None,
    situation: Words = (),
    helped: Annotated[bool, Param("whether more time was taken or help came since it went wrong")] = False,
) -> Pointed:
    """Try a task, perhaps again: after a narrow failure it is harder, after a bad one it takes time or help first."""
    demand_able(game, who, DISABLED)
    tried = game[who].character.tries.get(task, Tried())
    common = game.scene.library.has(Task, task)
    called = game.scene.library.get(Task, task).name if common else task
    refuse_if(tried.state == "locked_out", f"{called} went so wrong that it cannot be tried again", rule=CONSEQUENCES)
    if tried.state == "needs_time_or_help" and not helped:
        told = f"{called} went wrong; it takes more time or help first (helped=yes)"
        raise IllegalActionError(told, rule=CONSEQUENCES)
    given: dict[str, object] = {"task": task} if common else {"difficulty": str(MODERATE)}
    if difficulty is not None:
        given["difficulty"] = str(difficulty)
    given |= {**named_words(situation), "tries": tried.failures}
    check = game.rulebook.check(what)
    read = check.contender(game.rulebook.subject(game[who], game.scene), given).situation
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
    """Result of foraging by its level of success: the quality of the food and for how many days it lasts.

    >>> forage("minimal"), forage("spectacular")
    (('subsistence', 1), ('wholesome', 2))
    """
    ranks = [str(one["level"]).casefold() for one in Ledger.load("opend6")["opend6.result.levels"].data["levels"]]
    good = ranks.index(level) >= ranks.index("spectacular")
    return ("wholesome", 2) if good else ("subsistence", 1)


PROCESSES = (related_check, helped_check, group_check, try_task)
