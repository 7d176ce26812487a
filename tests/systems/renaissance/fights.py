"""Fights of Renaissance for the tests of this folder: people on a grid, dice typed in, options by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from systems.playing import answer
from systems.renaissance.folk import library, library_with
from tablewright.engine import Choice, Roll, Trace
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.effects import Effect
from tablewright.game.scene.events import Event
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.time.clock import Clock
from tablewright.systems.renaissance.actions.aim import all_defences, attack_goal
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.record import Aptitudes, RenaissanceCharacter
from tablewright.systems.renaissance.now import Arm, now
from tablewright.systems.renaissance.options import RenaissanceOptions

FIELD = Grid(diagonal="one_and_a_half", measure="straight", size=(40, 20))


def fighter(
    name: str, *items: tuple[str, str], race: str = "corpse", luck: int = 0, **more: Any
) -> RenaissanceCharacter:
    """A fighter with aptitudes of 20 (as a corpse DUR and STR 30, DB 5), 30 ranks in what fighting takes, and items."""
    own = {key: more.pop(key, 20) for key in ("COG", "COO", "INT", "REF", "SAV", "SOM", "WIL")}
    skills = {
        "fray": 30,
        "bladed_weapons": 30,
        "pole_arms": 30,
        "unarmed_combat": 30,
        "thrown_weapons": 30,
        "projectile_weapons": 30,
        "athletics": 30,
        "deception": 30,
        "medicine": 30,
        **more.pop("skills", {}),
    }
    return RenaissanceCharacter(
        name=name,
        kind="creature",
        race=race,
        luck=luck,
        aptitudes=Aptitudes(**own),
        skills=Ranks(skills),
        belongings=tuple([ItemStack(item, 1, place) for item, place in items]),
        **more,
    )


def scene_with(
    *people: tuple[RenaissanceCharacter, int, int], options: RenaissanceOptions | None = None, **changes: Any
) -> Scene:
    """The first on one side, all others on the other, at their squares; the first has the turn."""
    options = options or RenaissanceOptions(**changes)
    everybody = [
        rulebook.participant(
            one,
            options,
            library(),
            id=one.name.lower(),
            side="party" if at == 0 else "foes",
            seat=one.name.lower(),
            position=cell(x, y),
        )
        for at, (one, x, y) in enumerate(people)
    ]
    ids = tuple([one.id for one in everybody])
    return Scene(
        "renaissance",
        tuple(everybody),
        options,
        ground=FIELD,
        clock=Clock(),
        library=library(),
        round=1,
        order=ids,
        turn=ids[0],
    )


def duel(one: RenaissanceCharacter, other: RenaissanceCharacter, apart: int = 1, **options: Any) -> Scene:
    """Two foes so many squares apart; the first has the turn."""
    return scene_with((one, 5, 5), (other, 5 + apart, 5), **options)


def before_turns(scene: Scene) -> Scene:
    """The scene before anyone has rolled initiative."""
    return replace(scene, order=(), round=0, turn=None)


def at_home(*people: Any, **options: Any) -> Scene:
    """People next to each other, outside of combat."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people)], **options)
    return rulebook.open_scene(before_turns(scene))


def held(scene: Scene, who: str, *ids: str, **more: Any) -> Scene:
    """The scene with something that has hold of a character."""
    has = scene[who].status.lasting
    return scene.with_status(who, lasting=(*has, *[Effect(id_, **more) for id_ in ids]))


def playing(scene: Scene, process: str = "renaissance.encounter", **given: Any) -> Session:
    """A session of the scene with a process under way."""
    session = Session(SessionHeader("renaissance", "0.1.0", scene, 1), rulebook)
    session.do(process, **given)
    return session


def went(scene: Scene, *answers: Any, process: str = "renaissance.encounter", **given: Any) -> Session:
    """A process on a scene with some answers given."""
    return answer(playing(scene, process, **given), *answers)


def with_pack(scene: Scene, text: str) -> Scene:
    """The scene with the entries of another pack besides the starter pack."""
    return replace(scene, library=library_with(text))


def then(session: Session, process: str, *answers: Any, **given: Any) -> Session:
    """One more process of the same session, with some answers given."""
    session.do(f"renaissance.{process}", **given)
    return answer(session, *answers)


def target_of(session: Session, side: str = "target") -> int:
    """The target of the last check, by the name of its tally."""
    traced = [line for line in session.log if isinstance(line, Trace) and side in line.tallies][-1]
    total = traced.tallies[side].total
    assert side != "target" or total == traced.call.values[0]
    return total


def kinds(session: Session) -> list[str]:
    """The kinds of all events in order."""
    return [line.kind for line in session.log if isinstance(line, Event)]


def closed(session: Session) -> dict[str, tuple[str, str | None]]:
    """Closed options with reason and rule."""
    assert isinstance(session.question, Choice)
    return {one.id: (one.reason, one.rule) for one in session.question.closed}


def rolls(session: Session) -> bool:
    """True if dice are asked for."""
    return isinstance(session.question, Roll)


def with_status(scene: Scene, who: str, **changes: Any) -> Scene:
    """The scene with some fields of a character's status changed."""
    return scene.with_status(who, **changes)


def hidden(scene: Scene, who: str) -> Scene:
    """The scene with a character unknown to the other side."""
    return scene.with_participant(evolve(scene[who], hidden=True))


def arm(scene: Scene, who: str, key: str) -> Arm:
    """A way to attack by its key."""
    found = now(scene, who).arm(key)
    assert found is not None, [one.key for one in now(scene, who).arms]
    return found


def goal(scene: Scene, key: str, who: str = "ann", foe: str = "bob") -> int:
    """The target of an attack."""
    return attack_goal(scene, who, foe, arm(scene, who, key)).total


def defended(scene: Scene, key: str, who: str = "ann", foe: str = "bob") -> dict[str, int]:
    """The targets of every defence against an attack."""
    found = all_defences(scene, who, foe, arm(scene, who, key))
    return {name: one.total for name, one in found}
