"""Scenes in the middle of a turn, and single actions with typed dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from systems.mars.people import OPTIONS, library
from systems.playing import go, offered_by, placed, status, why_closed, with_perform
from tablewright.engine import Trace
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Ground
from tablewright.game.scene.scene import Participant, Scene, SceneSetup
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.values import Frozen
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, Stats
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Fight, Incoming, Turn, fight
from tablewright.systems.mars.values import RollValue

FIELD = Grid(size=(40, 40))


BOOK = with_perform("mars")


def fighter(name: str = "Somebody", hold: Iterable[str] = (), wear: Iterable[str] = (), **fields: Any) -> MarsCharacter:
    """A character with stats by their names (STR="r12"), weapons in hand (`club`, `spear@hands`) and worn armour."""
    stats = Stats(**{key: RollValue.parse(fields.pop(key)) for key in ("STR", "DEX", "INT", "RES") if key in fields})
    skills = {key: RollValue.parse(value) for key, value in fields.pop("skills", {}).items()}
    things = [ItemStack(item, place=place or "hand") for item, _, place in [word.partition("@") for word in hold]]
    things += [ItemStack(item, place="worn") for item in wear]
    things += [ItemStack(item, count) for item, count in fields.pop("pack", {}).items()]
    return MarsCharacter(name=name, stats=stats, skills=Frozen(skills), belongings=tuple(things), **fields)


def knight(*maneuvers: str, hold: str = "mace", rank: str = "r8", **fields: Any) -> Any:
    """A character who knows maneuvers and every combat skill."""
    skills = dict.fromkeys(("martial", "finesse", "unarmed", "ranged"), rank) | fields.pop("skills", {})
    return fighter("Ann", [hold], skills=skills, maneuvers=maneuvers, DEX="r10", **fields)


HERO = fighter("Ann", ["club"])
SKILLED = fighter("Ann", ["club"], skills={"martial": "r8"})
FOE = fighter("Bob")
RIVAL = fighter("Bob", ["club"])
CAPTAIN = fighter(
    "Ann",
    ["mace"],
    skills={"martial": "r8", "medicine": "r4", "craft": "r4"},
    maneuvers=("concussive_strike", "knock_down"),
)

STILL: dict[str, Any] = {"stamina": 0}
"""Without stamina no one evades or parries, so no question is asked."""

DOWN = (MarsEffect("unconscious"), MarsEffect("prone"))
DYING = (MarsEffect("dying"), *DOWN)


def place(
    character: MarsCharacter, side: str, at: Any = None, *, options: MarsOptions = OPTIONS, **more: Any
) -> Participant:
    """A participant on the field, with some fields of the status changed."""
    return placed("mars", character, side, at, options=options, **more)


def scene_with(
    people: Sequence[Participant],
    *,
    options: MarsOptions = OPTIONS,
    ground: Ground = FIELD,
    facts: Facts | None = None,
    turn: str | None = None,
    round_: int = 1,
    start: SceneSetup | None = None,
) -> Scene:
    """A fight that is under way; it is the turn of the first one unless another is named."""
    order = tuple([one.id for one in people])
    whose = turn or order[0]
    scene = Scene(
        "mars",
        tuple(people),
        options=options,
        ground=ground,
        facts=facts or Facts(),
        round=round_,
        order=order,
        turn=whose,
        setup=start or SceneSetup(),
        system_state=Fight(begun=True, order=order),
        library=library(),
    )
    for one in people:
        if one.status.initiative is None:
            scene = scene.with_status(one.id, initiative=10)
    return scene.with_status(whose, turn=Turn.begun(0), earlier=Turn())


def session_with(people: Sequence[Participant], **how: Any) -> Session:
    """A session of such a fight."""
    return Session(SessionHeader("mars", "0.1.0", scene_with(people, **how), 1), BOOK)


def fresh(people: list[Participant], options: MarsOptions | None = None, **how: Any) -> Session:
    """A fight in which nothing has happened yet."""
    table = options or MarsOptions()
    scene = scene_with(people, options=table, **how)
    for one in people:
        scene = scene.with_status(one.id, turn=Turn(), earlier=None, initiative=one.status.initiative)
    scene = replace(scene, round=0, order=(), turn=None, system_state=None)
    return Session(SessionHeader("mars", "0.1.0", scene, 1), BOOK)


def with_scene(session: Session, **changes: Any) -> Session:
    """The session with some fields of its scene changed."""
    return Session(replace(session.header, scene=replace(session.scene, **changes)), session.rulebook)


def with_status(session: Session, who: str = "ann", **changes: Any) -> Session:
    """The session with some fields of a participant's status changed."""
    scene = session.scene.with_status(who, **changes)
    return Session(replace(session.header, scene=scene), session.rulebook)


def with_turn(session: Session, **fields: Any) -> Session:
    """The session in a turn of `ann` that has just begun, with some fields changed."""
    return with_status(session, turn=Turn.begun(0)._replace(**fields))


def duel(
    attacker: MarsCharacter,
    target: MarsCharacter,
    *,
    apart: int = 1,
    options: MarsOptions = OPTIONS,
    mine: Mapping[str, Any] | None = None,
    theirs: Mapping[str, Any] | None = None,
    **how: Any,
) -> Session:
    """Two against each other, `ann` and `bob`; it is the turn of `ann`."""
    people = [
        place(attacker, "party", (10, 10), who="ann", options=options, **(mine or {})),
        place(target, "foes", (10 + apart, 10), who="bob", options=options, **(theirs or {})),
    ]
    return session_with(people, options=options, **how)


def before_turn(attacker: Any, target: Any, **mine: Any) -> Session:
    """A fight in which the turn of `ann` is about to begin; a friend of hers is far away."""
    people = [
        place(attacker, "party", (10, 10), who="ann", **mine),
        place(target, "foes", (11, 10), who="bob"),
        place(HERO, "party", (30, 30), who="cid"),
    ]
    session = session_with(people)
    return with_status(session, earlier=None, turn=Turn())


def at_turn_start(session: Session, *, faces: list[tuple[int, ...]], **choices: Any) -> Session:
    """The encounter up to the next question about an action."""
    session.do("mars.encounter")
    rolls = list(faces)
    while session.question is not None and getattr(session.question, "question", "") != "what now?":
        if hasattr(session.question, "dice"):
            session.type_in(rolls.pop(0))
        else:
            question = session.question.question
            session.choose(choices.get(question.split()[0], session.question.ids[session.question.default]))
    assert not rolls
    return session


def act(session: Session, use: str, *, who: str = "ann", **how: Any) -> Session:
    """Take one action with typed dice."""
    return go(session, "mars.perform", who=who, use=use, **how)


def offered(session: Session, who: str = "ann", *, reactions: bool = False) -> list[str]:
    """The ids of everything that may be done now."""
    return offered_by(ACTIONS, session, who, reactions=reactions)


def closed(session: Session, action: str, who: str = "ann", *, reactions: bool = False) -> tuple[str, str | None]:
    """Reason and rule against an action."""
    return why_closed(ACTIONS, session, who, action, reactions=reactions)


def under_attack(scene: Scene, blow: Incoming) -> Scene:
    """The scene while a blow is under way."""
    return replace(scene, system_state=replace(fight(scene), incoming=(blow,)))


def aimed(scene: Scene, who: str = "ann", target: str = "bob") -> Any:
    """The blow of the first weapon in hand."""
    wielded = now(scene, who).wielded[0]
    return aim(scene, who, wielded, wielded.manners[0], target).blow


def calls(session: Session, mechanic: str = "mars.attack") -> list[dict[str, Any]]:
    """The arguments of every call of a mechanic."""
    traces = [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic]
    return [trace.call.named_arguments() for trace in traces]


def effect(session: Session, who: str, kind: Any) -> MarsEffect | None:
    """An effect on a participant."""
    found: MarsEffect | None = status(session, who).effect(kind)
    return found
