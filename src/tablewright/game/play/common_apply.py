"""Reducer for the events common to all systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tablewright.engine.json_values import to_json
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.common_events import (
    BelongingsChanged,
    Cancelled,
    ChangedSides,
    CharacterChanged,
    Checked,
    DamageReduced,
    FactSet,
    Modified,
    Moved,
    OptionsChanged,
    OrderSet,
    ParticipantHidden,
    ParticipantJoined,
    ParticipantLeft,
    Revealed,
    RoundStarted,
    Ruled,
    SceneEnded,
    Scheduled,
    TimePassed,
    TurnEnded,
    TurnStarted,
    Unmodified,
)
from tablewright.game.play.costs import paying
from tablewright.game.play.effects import lasting, refreshed
from tablewright.game.play.loose_items import drop_items, pick_up
from tablewright.game.scene.arrival import enter_scene, leave_scene
from tablewright.game.scene.events import Reducer
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.scene import ActingSeat, Modifier, Participant, Scene, with_position

common_reducer: Reducer[Scene] = Reducer(lasting, paying)
"""Reducer for the events common to all systems; a system's own reducer starts from it."""


@common_reducer.on(ParticipantJoined)
def _joined(scene: Scene, event: ParticipantJoined) -> Scene:
    if event.who in scene:
        scene = scene.with_participant(event.participant)
    else:
        scene = evolve(scene, participants=(*scene.participants, event.participant))
    return enter_scene(scene, event.who)


@dataclass(frozen=True)
class _Arrival:
    """Reducer for `ParticipantJoined` that runs the usual one ``first`` and then the system's ``arrives``."""

    first: Callable[[Scene, Any], Scene]
    arrives: Callable[[Scene, str], Scene]

    def __call__(self, scene: Scene, event: ParticipantJoined) -> Scene:
        return self.arrives(self.first(scene, event), event.who)


def arriving(apply: Reducer[Scene], arrives: Callable[[Scene, str], Scene]) -> Reducer[Scene]:
    """Return a copy of the reducer that also calls ``arrives`` when a participant joins.

    Applying this twice replaces the hook instead of adding a second one.
    """
    first = apply.by_kind[ParticipantJoined]
    whole: Reducer[Scene] = Reducer(apply)
    whole.by_kind[ParticipantJoined] = _Arrival(first.first if isinstance(first, _Arrival) else first, arrives)
    return whole


@common_reducer.on(ParticipantLeft)
def _left(scene: Scene, event: ParticipantLeft) -> Scene:
    return leave_scene(scene, event.who)


@common_reducer.on(ChangedSides)
def _changed_sides(scene: Scene, event: ChangedSides) -> Scene:
    return scene.with_participant(evolve(scene[event.who], side=event.side))


@common_reducer.on(ParticipantHidden)
def _hid(scene: Scene, event: ParticipantHidden) -> Scene:
    return scene.with_participant(evolve(scene[event.who], hidden=True))


@common_reducer.on(Revealed)
def _revealed(scene: Scene, event: Revealed) -> Scene:
    return scene.with_participant(evolve(scene[event.who], hidden=False))


@common_reducer.on(OrderSet)
def _order_set(scene: Scene, event: OrderSet) -> Scene:
    return evolve(scene, order=event.order)


@common_reducer.on(RoundStarted)
def _round_started(scene: Scene, event: RoundStarted) -> Scene:
    scene = refreshed(scene, "round", *scene.participants)
    return evolve(scene, round=event.number, acted=(), turn=None)


_with_turn = evolver(Scene, "turn", "acted")


@common_reducer.on(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    return _with_turn(refreshed(scene, "turn", scene[event.who]), event.who, scene.acted)


@common_reducer.on(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    turn = None if scene.turn == event.who else scene.turn  # a participant who acted early ends only their own turn
    return _with_turn(scene, turn, (*scene.acted, event.who))


@common_reducer.on(Moved)
def _moved(scene: Scene, event: Moved) -> Scene:
    return scene.with_participant(with_position(scene[event.who], event.position))


@common_reducer.on(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """Advance to the next timer or by the whole amount, whichever comes first."""
    return evolve(scene, clock=scene.clock.step(scene.clock.now + event.amount)[0])


@common_reducer.on(Scheduled)
def _scheduled(scene: Scene, event: Scheduled) -> Scene:
    clock = scene.clock.schedule(
        event.what, after=event.after, who=event.who or "", every=event.every, data=event.data, rank=event.rank
    )
    return evolve(scene, clock=clock)


@common_reducer.on(Cancelled)
def _cancelled(scene: Scene, event: Cancelled) -> Scene:
    return evolve(scene, clock=scene.clock.cancel(event.what, who=event.who, data=event.data))


@common_reducer.on(OptionsChanged)
def _options_changed(scene: Scene, event: OptionsChanged) -> Scene:
    return evolve(scene, options=scene.options.put(event.name, event.value))


@common_reducer.on(FactSet)
def _fact_set(scene: Scene, event: FactSet) -> Scene:
    against = event.other or ANYONE
    if event.value is None:
        return evolve(scene, facts=scene.facts.clear(event.fact, event.who, against))
    return evolve(scene, facts=scene.facts.set(event.fact, event.who, event.value, against))


@common_reducer.on(Modified)
def _modified(scene: Scene, event: Modified) -> Scene:
    added = Modifier(event.what, event.value, event.reason, event.who)
    return evolve(scene, modifiers=(*[known for known in scene.modifiers if known.id != added.id], added))


@common_reducer.on(Unmodified)
def _unmodified(scene: Scene, event: Unmodified) -> Scene:
    gone = Modifier(event.what, 0, event.reason, event.who).id
    return evolve(scene, modifiers=tuple([known for known in scene.modifiers if known.id != gone]))


@common_reducer.on(Checked)
def _checked(scene: Scene, event: Checked) -> Scene:
    return scene


@common_reducer.on(CharacterChanged)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    return scene.with_participant(evolve(scene[event.who], character=event.character))


@common_reducer.on(BelongingsChanged)
def _belongings_changed(scene: Scene, event: BelongingsChanged) -> Scene:
    scene = scene.with_status(event.who, belongings=event.belongings)
    if event.money is not None:
        participant = scene[event.who]
        paid = participant.character.changed(**{event.purse: event.money})
        scene = scene.with_participant(evolve(participant, character=paid))
    return drop_items(pick_up(scene, *event.taken_up), *event.laid_down)


@common_reducer.on(SceneEnded)
def _scene_ended(scene: Scene, event: SceneEnded) -> Scene:
    return evolve(refreshed(scene, "encounter", *scene.participants), ended=event.outcome, turn=None)


_OF_THE_SCENE = ("round", "order", "acted", "turn", "ended")
_OF_THE_PARTICIPANT = ("name", "side", "seat", "position", "hidden", "present")


@common_reducer.on(DamageReduced)
def _spared(scene: Scene, event: DamageReduced) -> Scene:
    return scene.with_participant(evolve(scene[event.who], status=event.status))


@common_reducer.on(Ruled)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Set a field of the scene, of a participant or of its status; the name decides which."""
    if event.who is None:
        if event.field not in _OF_THE_SCENE:
            raise _no_such_field(event.field, _OF_THE_SCENE)
        return evolve(scene, **{event.field: _of_the_scene(scene, event)})
    participant = scene[event.who]
    if event.field == "present":
        is_here = _like(participant.present, event)
        return scene if is_here is participant.present else (enter_scene if is_here else leave_scene)(scene, event.who)
    if event.field in _OF_THE_PARTICIPANT:
        ruled = {event.field: _of_the_participant(scene, participant, event)}
        return scene.with_participant(evolve(participant, **ruled))
    status = participant.status
    known = [entry.name for entry in fields(status)] if is_dataclass(status) else []
    if event.field not in known:
        raise _no_such_field(event.field, (*known, *_OF_THE_PARTICIPANT))
    return scene.with_status(
        event.who, **{event.field: _fitting(type(status), _like(getattr(status, event.field), event), event)}
    )


def _of_the_scene(scene: Scene, event: Ruled) -> Any:
    """The ruled value of a field of the scene; participants named in orders and turns must exist."""
    value = tuple(event.value) if isinstance(event.value, list) else event.value
    if event.field == "round":
        return _like(scene.round, event)
    if event.field in ("order", "acted"):
        for who in _like((), event):
            scene[str(who)]
        return value
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{event.field} is a word or null, not {to_json(value)!r:.40}", field=event.field)
    return scene[value].id if event.field == "turn" and value is not None else value


def _of_the_participant(scene: Scene, participant: Participant, event: Ruled) -> Any:
    if event.field == "seat" and isinstance(event.value, str):
        return ActingSeat(event.value, participant.id)
    if event.field != "position":
        return _like(getattr(participant, event.field), event)
    if event.value is None:
        return None
    if not isinstance(event.value, str):
        raise InvalidInputError(f"position is a word such as 3,4, not {to_json(event.value)!r:.40}", field=event.field)
    return scene.ground.parse(event.value)


def _like(present: object, event: Ruled) -> Any:
    """The ruled value with the type of the current one; another type is refused."""
    value = tuple(event.value) if isinstance(event.value, list) else event.value
    if present is not None and type(value) is not type(present):
        kinds = {int: "a whole number", bool: "true or false", str: "a word", ActingSeat: "a word", tuple: "a list"}
        kind = kinds.get(type(present))
        raise InvalidInputError(
            f"{event.field} is {kind or type(present).__name__}, not {to_json(value)!r:.40}", field=event.field
        )
    return value


def _fitting(kind: type, value: Any, event: Ruled) -> Any:
    """The ruled value if the field of a status can hold it.

    A list may be empty or hold words or whole numbers as annotated. Lists of records are refused.
    """
    if not isinstance(value, tuple) or not value:
        return value
    each = _held_in(kind).get(event.field)
    if each in (str, int) and all(type(one) is each for one in value):
        return value
    if get_origin(each) is Literal and all(one in get_args(each) for one in value):
        return value
    wanted = {str: "words", int: "whole numbers"}.get(each) if each else None
    wanted = ", ".join(map(str, get_args(each))) if get_origin(each) is Literal else wanted
    allowed = f"a list of {wanted}" if wanted else "only emptied by a ruling: []"
    raise InvalidInputError(f"{event.field} is {allowed}, not {to_json(value)!r:.40}", field=event.field)


@cache
def _held_in(kind: type) -> dict[str, Any]:
    """Element type of each field of a status annotated as a tuple of any length.

    Empty if the annotations cannot be resolved.
    """
    try:
        hints = get_type_hints(kind)
    except NameError:
        return {}
    return {name: get_args(hint)[0] for name, hint in hints.items() if get_args(hint)[1:] == (Ellipsis,)}


def _no_such_field(name: str, known: tuple[str, ...]) -> InvalidInputError:
    return InvalidInputError(
        f'there is nothing called "{name:.40}" to rule on; there are: {", ".join(known)}{did_you_mean(name, known)}'
    )
