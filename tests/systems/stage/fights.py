"""Fights in the making: scenes in the middle of somebody's turn, single actions with typed dice, for the tests here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from systems.playing import go, offered_by, placed, why_closed, with_perform
from systems.stage.people import OPTIONS, library, somebody
from tablewright.engine import Choice
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Ground
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import Effect
from tablewright.game.scene.scene import Participant, Scene, SceneSetup
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.options import StageOptions

ONE, TWO = {"dice for the first roll": "1"}, {"dice for the first roll": "2"}
"""Answers about how many dice of an attack go on its first roll."""

FIELD = Grid(size=(20, 20), shared=True)


BOOK = with_perform("stage")


def fighter(**fields: Any) -> StageCharacter:
    """A character with Close Combat 2 and a spear in hand."""
    return somebody(**{"close_combat": 2, "perception": 1, "academics": 1, "has": ["spear@hand"], **fields})


def place(
    character: StageCharacter, side: str, at: Any = None, *, options: StageOptions = OPTIONS, **more: Any
) -> Participant:
    """A character on the field, with some fields of the status changed."""
    return placed("stage", character, side, at, options=options, **more)


def scene_with(
    people: Sequence[Participant],
    *,
    options: StageOptions = OPTIONS,
    ground: Ground | None = None,
    facts: Facts | None = None,
    turn: str | None = None,
    start: SceneSetup | None = None,
    begun: bool = True,
) -> Scene:
    """A fight that is under way; it is the turn of the first one unless another is named."""
    order = tuple([one.id for one in people])
    placed = any(one.position is not None for one in people)
    scene = Scene(
        "stage",
        tuple(people),
        options=options,
        ground=ground or (FIELD if placed else Scene("stage").ground),
        facts=facts or Facts(),
        setup=start or SceneSetup(),
        library=library(),
    )
    if begun:
        scene = replace(scene, round=1, order=order, turn=turn or order[0])
    return scene


def playing(scene: Scene) -> Session:
    """A session that goes on from a scene."""
    return Session(SessionHeader("stage", "0.1.0", scene, 1), BOOK)


def session_with(people: Sequence[Participant], **how: Any) -> Session:
    """A session of such a fight."""
    return playing(scene_with(people, **how))


def undisturbed(character: StageCharacter, **fields: Any) -> Session:
    """Ann alone, outside of fights."""
    return session_with([place(character, "party", who="ann", **fields)], begun=False)


def asked(session: Session) -> Choice[Any]:
    """The open question, which is a choice."""
    assert isinstance(session.question, Choice), session.question
    return session.question


def next_round(session: Session, who: str = "ann") -> Session:
    """The same a round later, in the turn of the same one, with all AP."""
    scene = replace(session.scene, round=session.scene.round + 1, turn=who, acted=())
    return playing(scene.with_status(who, ap=3))


def held_by(session: Session, condition: str, who: str = "ann") -> Effect:
    """Effect that holds a character; there must be one."""
    held: Effect | None = session.scene[who].status.held(condition)
    assert held is not None
    return held


def duel(
    attacker: StageCharacter,
    target: StageCharacter,
    *others: Participant,
    apart: int | None = None,
    options: StageOptions = OPTIONS,
    mine: Mapping[str, Any] | None = None,
    theirs: Mapping[str, Any] | None = None,
    **how: Any,
) -> Session:
    """Two against each other, `ann` and `bob`, next to each other or so many cubes apart; it is the turn of `ann`.

    The ``others`` stand on either side, the party's or the foes'.
    """
    first, second = (None, None) if apart is None else ((5, 5), (5 + apart, 5))
    people = [
        place(attacker, "party", first, who="ann", options=options, **(mine or {})),
        place(target, "foes", second, who="bob", options=options, **(theirs or {})),
        *others,
    ]
    return session_with(people, options=options, **how)


def act(session: Session, use: str, *, who: str = "ann", **how: Any) -> Session:
    """Take one action with typed dice."""
    return go(session, "stage.perform", who=who, use=use, **how)


def strike(session: Session, first: Sequence[int], second: Sequence[int] = (), use: str = "", **how: Any) -> Session:
    """An attack of `ann` on `bob` with the faces of both rolls; other rolls come before in ``before``."""
    before = [list(one) for one in how.pop("before", ())]
    after = [list(one) for one in how.pop("after", ())]
    choices = {"dice for the first roll": str(len(first)), **how.pop("choices", {})}
    if len(first) + len(second) == 1:
        choices.pop("dice for the first roll")
    rolls = [*before, list(first), *([list(second)] if second else []), *after]
    return act(session, use or "attack:bob:spear", faces=rolls, choices=choices, **how)


def offered(session: Session, who: str = "ann") -> list[str]:
    """The ids of everything that may be done now."""
    return offered_by(ACTIONS, session, who)


def closed(session: Session, action: str, who: str = "ann") -> tuple[str, str | None]:
    """Reason why an action cannot be taken at all, and the rule."""
    return why_closed(ACTIONS, session, who, action)


def ap_of(session: Session, use: str, who: str = "ann") -> int:
    """The AP that an action costs which may be taken now."""
    (found,) = [one for one in ACTIONS.options(session.scene, who) if isinstance(one, ActionUse) and one.id == use]
    return ACTIONS.by_id[found.action].price_of(session.scene, who, found)["ap"]
