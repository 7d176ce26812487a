"""Companions: the walking corpse that a Corpse-Herder makes and repairs; followers are made like other people."""

from __future__ import annotations

from typing import Annotated, Any

from tablewright.engine import Param, Process, process
from tablewright.errors import BadInput, RulesSayNo, whole
from tablewright.game.character import Ranks
from tablewright.game.common import Joined
from tablewright.game.content import Library
from tablewright.game.scene import Live
from tablewright.game.standing import beside
from tablewright.systems.renaissance.character.figures import key_of, skill_of
from tablewright.systems.renaissance.character.giving import given, of_kind
from tablewright.systems.renaissance.character.record import Aptitudes, RenaissanceCharacter
from tablewright.systems.renaissance.events import Healed
from tablewright.systems.renaissance.grants import Companion
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Status, upright
from tablewright.systems.renaissance.tasks import Attempt, able, do_task, tend
from tablewright.systems.renaissance.trials import Steps, Task

RULE = "renaissance.gap.class.companions"
SOM, WIL, OTHERS = 15, 20, 5

Who = Annotated[str, Param("whose, by id")]


def minion_of(character: RenaissanceCharacter, library: Library) -> Companion:
    """What a class says about the minion that somebody can make; refused where none does."""
    for grant, _ in of_kind(Companion, given(character, library)):
        if grant.nature == "minion":
            return grant
    raise RulesSayNo(f"{character.name} is no Corpse-Herder", rule=RULE)


def minion_problems(minion: RenaissanceCharacter, maker: RenaissanceCharacter, library: Library) -> list[str]:
    """What is wrong with the ranks of a minion: too many, too learned, or more than its maker has."""
    problems = []
    total, most, learned = sum(minion.skills.values()), 200, 10
    if total > most:
        problems.append(f"{total} ranks, {most} are the most")
    for key, ranks in minion.skills.items():
        if "knowledge" in skill_of(key, library).categories and ranks > learned:
            problems.append(f"{key}: {learned} ranks are the most in a Knowledge skill")
        if ranks > maker.skills.get(key, 0):
            problems.append(f"{key}: its maker has {maker.skills.get(key, 0)}")
    return problems


def _ranks(skills: tuple[str, ...]) -> Ranks:
    found: dict[str, int] = {}
    for text in skills:
        name, _, number = text.partition("=")
        ranks = whole(number)
        if ranks is None:
            raise BadInput(f'"{text:.40}" is not a skill with its ranks; write fray=40', field="skills")
        found[key_of(name)] = ranks
    return Ranks(found)


@process(rules=["renaissance.gap.class.companions", "renaissance.action.check_at_start"])
async def raise_corpse(
    game: Live,
    who: Who,
    skills: Annotated[tuple[str, ...], Param("its ranks, each as skill=ranks")],
    name: Annotated[str, Param("what it is called")] = "Walking corpse",
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Task:
    """Make a minion of a corpse: an hour with a Spellcraft check, then it stands at its maker's side."""
    able(game, who)
    who, library = game[who].id, game.scene.library
    maker: RenaissanceCharacter = game[who].character
    grant = minion_of(maker, library)
    body = Aptitudes(COG=OTHERS, COO=OTHERS, INT=OTHERS, REF=OTHERS, SAV=OTHERS, SOM=SOM, WIL=WIL)
    minion = RenaissanceCharacter(
        name=name, kind="creature", race=grant.race, luck=0, aptitudes=body, skills=_ranks(skills)
    )
    problems = minion_problems(minion, maker, library)
    if problems:
        raise RulesSayNo("; ".join(problems), rule=RULE)
    goal = now(game.scene, who).skill(grant.skill)
    done = await do_task(game, who, goal, grant.minutes, steps, attempt, why="a minion", cause=RULE)
    if done.succeeds:
        me = game[who]
        number = 1 + sum([one.id.startswith(f"{who}-corpse") for one in game.scene.participants])
        position = next(iter(beside(game.scene, who, upright)), me.position)  # renaissance.gap.state.grid
        places = {"id": f"{who}-corpse-{number}", "side": me.side, "seat": me.seat, "position": position}
        joins = game.book.participant(minion, game.scene.options, library, **places)
        game.emit(Joined(who=joins.id, name=name, side=me.side, participant=joins, cause=RULE))
    return done


@process(rules=["renaissance.gap.class.companions"])
async def repair_corpse(
    game: Live, who: Who, minion: Annotated[str, Param("the minion, by its id")], steps: Steps = 0
) -> bool:
    """Half an hour with a Spellcraft check and a corpse: one wound is gone and 1d10 damage is repaired."""
    able(game, who)
    who, minion, library = game[who].id, game[minion].id, game.scene.library
    grant = minion_of(game[who].character, library)
    if game[minion].character.race != grant.race:
        raise RulesSayNo(f"{game.scene.called(minion)} is no minion", rule=RULE)
    status: Status = game[minion].status
    if status.dead or not (status.damage or status.wounds):
        raise RulesSayNo(f"there is nothing to repair about {game.scene.called(minion)}", rule=RULE)
    goal, heals = now(game.scene, who).skill(grant.skill), grant.repairs
    done = await tend(game, who, goal, grant.repair_minutes, steps, "a minion", cause=RULE, heals=heals)
    status = game[minion].status
    if done.succeeds and not status.dead:
        damage, wounds = max(0, status.damage - done.healed), max(0, status.wounds - 1)
        game.emit(Healed.of(minion, status, "is repaired", RULE, damage=damage, wounds=wounds))
    return done.succeeds


PROCESSES: tuple[Process[..., Any], ...] = (raise_corpse, repair_corpse)
