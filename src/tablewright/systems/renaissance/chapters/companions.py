"""Companions: the walking corpse that a Corpse-Herder makes and repairs."""

from __future__ import annotations

from typing import Annotated, Any

from tablewright.engine import Param, Process, process
from tablewright.errors import IllegalActionError, InvalidInputError, parse_whole_number, refuse_if
from tablewright.game.content.library import Library
from tablewright.game.play.common_events import ParticipantJoined
from tablewright.game.play.targeting import free_neighbours
from tablewright.game.scene.game import Game
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.character.figures import given, key_of, of_kind, skill_of
from tablewright.systems.renaissance.character.record import Aptitudes, RenaissanceCharacter
from tablewright.systems.renaissance.effects import Companion
from tablewright.systems.renaissance.events.recovery import Healed
from tablewright.systems.renaissance.mechanics.turn import Steps, Task
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Status, upright
from tablewright.systems.renaissance.tasks import Able, Attempt, do_task, tend

RULE = "renaissance.gap.class.companions"
SOM, WIL, OTHERS = 15, 20, 5


def minion_of(character: RenaissanceCharacter, library: Library) -> Companion:
    """Grant of the class that lets a character make a minion; refused if there is none."""
    for grant, _ in of_kind(Companion, given(character, library)):
        if grant.nature == "minion":
            return grant
    raise IllegalActionError(f"{character.name} is no Corpse-Herder", rule=RULE)


def minion_problems(
    minion: RenaissanceCharacter, maker: RenaissanceCharacter, grant: Companion, library: Library
) -> list[str]:
    """Violations of the limits on a minion's ranks: of the class that lets its maker make it, and of its maker."""
    problems = []
    total = sum(minion.skills.values())
    if total > grant.ranks:
        problems.append(f"{total} ranks, {grant.ranks} are the most")
    for key, ranks in minion.skills.items():
        if "knowledge" in skill_of(key, library).categories and ranks > grant.most_knowledge:
            problems.append(f"{key}: {grant.most_knowledge} ranks are the most in a Knowledge skill")
        if ranks > maker.skills.get(key, 0):
            problems.append(f"{key}: its maker has {maker.skills.get(key, 0)}")
    return problems


def _ranks(skills: tuple[str, ...]) -> Ranks:
    found: dict[str, int] = {}
    for text in skills:
        name, _, number = text.partition("=")
        ranks = parse_whole_number(number)
        if ranks is None:
            raise InvalidInputError(f'"{text:.40}" is not a skill with its ranks; write fray=40', field="skills")
        found[key_of(name)] = ranks
    return Ranks(found)


@process(rules=["renaissance.gap.class.companions", "renaissance.action.check_at_start"])
async def raise_corpse(
    game: Game,
    who: Able,
    skills: Annotated[tuple[str, ...], Param("its ranks, each as skill=ranks")],
    name: Annotated[str, Param("its name")] = "Walking corpse",
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Task:
    """Make a minion of a corpse: an hour with a Spellcraft check, then it stands at its maker's side."""
    library = game.scene.library
    maker: RenaissanceCharacter = game[who].character
    grant = minion_of(maker, library)
    body = Aptitudes(COG=OTHERS, COO=OTHERS, INT=OTHERS, REF=OTHERS, SAV=OTHERS, SOM=SOM, WIL=WIL)
    minion = RenaissanceCharacter(
        name=name, kind="creature", race=grant.race, luck=0, aptitudes=body, skills=_ranks(skills)
    )
    problems = minion_problems(minion, maker, grant, library)
    refuse_if(problems, "; ".join(problems), rule=RULE)
    goal = now(game.scene, who).skill(grant.skill)
    done = await do_task(game, who, goal, grant.minutes, steps, attempt, why="a minion", cause=RULE)
    if done.succeeds:
        me = game[who]
        number = 1 + sum([one.id.startswith(f"{who}-corpse") for one in game.scene.participants])
        position = next(iter(free_neighbours(game.scene, who, upright)), me.position)  # renaissance.gap.state.grid
        places = {"id": f"{who}-corpse-{number}", "side": me.side, "seat": me.seat, "position": position}
        joins = game.rulebook.participant(minion, game.scene.options, library, **places)
        game.emit(ParticipantJoined(who=joins.id, name=name, side=me.side, participant=joins, cause=RULE))
    return done


@process(rules=["renaissance.gap.class.companions"])
async def repair_corpse(
    game: Game, who: Able, minion: Annotated[str, Param("the minion, by its id")], steps: Steps = 0
) -> bool:
    """Repair a minion: half an hour, a Spellcraft check and a corpse remove one wound and 1d10 damage."""
    minion, library = game[minion].id, game.scene.library
    grant = minion_of(game[who].character, library)
    game.refuse_if(game[minion].character.race != grant.race, minion, "is not a minion", RULE)
    status: Status = game[minion].status
    if status.dead or not (status.damage or status.wounds):
        raise IllegalActionError(f"there is nothing to repair about {game.scene.display_name(minion)}", rule=RULE)
    goal, heals = now(game.scene, who).skill(grant.skill), grant.repairs
    done = await tend(game, who, goal, grant.repair_minutes, steps, "a minion", cause=RULE, heals=heals)
    status = game[minion].status
    if done.succeeds and not status.dead:
        damage, wounds = max(0, status.damage - done.healed), max(0, status.wounds - 1)
        game.emit(Healed.of(minion, status, "is repaired", RULE, damage=damage, wounds=wounds))
    return done.succeeds


PROCESSES: tuple[Process[..., Any], ...] = (raise_corpse, repair_corpse)
