"""Events of turn order: initiative, surprise, rounds, turns, delays; and rulings."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from tablewright.errors import InvalidInputError, did_you_mean, parse_whole_number
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import CharacterChanged, ParticipantJoined, RoundStarted, Ruled, TurnEnded
from tablewright.game.scene.events import Event, ParticipantEvent
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.scene import Scene, with_status
from tablewright.game.scene.visibility import visible
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.record import EFFECTS, EffectKind, MarsEffect
from tablewright.systems.mars.events.turn import after_escaping, apply
from tablewright.systems.mars.status import Most, Status, Turn, end, fight


class OrderDecided(Event):
    """Turn order without delays, and whether it begins with a surprise round."""

    mentions: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = visible()
    surprise: bool = visible(default=False)


@apply.on(OrderDecided)
def _order_decided(scene: Scene, event: OrderDecided) -> Scene:
    known = fight(scene)
    if not known.begun and not event.surprise:  # without a surprise round no one stays surprised
        scene = _unsurprised(scene)
    return evolve(
        scene, order=event.order, system_state=evolve(known, begun=True, surprise=event.surprise, order=event.order)
    )


def _unsurprised(scene: Scene) -> Scene:
    for one in scene.participants:
        if one.status.surprised:
            scene = scene.with_status(one.id, surprised=False)
    return scene


@apply.sets(initiative=lambda _, event: event.total, tied=0)
class InitiativeRolled(ParticipantEvent):
    """Initiative roll of a participant."""

    total: int = visible()


class TieDecided(Event):
    """Members of a team with the same initiative have agreed on who goes first."""

    mentions: ClassVar[tuple[str, ...]] = ("order",)
    order: tuple[str, ...] = visible()


@apply.on(TieDecided)
def _tie_decided(scene: Scene, event: TieDecided) -> Scene:
    for place, who in enumerate(event.order, 1):
        scene = scene.with_status(who, tied=place)
    return scene


@apply.sets(surprised=True)
class WasSurprised(ParticipantEvent):
    """Surprise: unaware of all opponents."""


class SurpriseOver(Event):
    """End of the surprise round: everyone is aware and has a place in the order."""

    mentions: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = visible()


@apply.on(SurpriseOver)
def _surprise_over(scene: Scene, event: SurpriseOver) -> Scene:
    scene = _unsurprised(scene)
    return evolve(scene, order=event.order, system_state=evolve(fight(scene), surprise=False, order=event.order))


@apply.on(RoundStarted, instead=True)
def _round_started(scene: Scene, event: RoundStarted) -> Scene:
    options = scene.options
    known = fight(scene)
    everybody = []
    for one in scene.participants:
        status: Status = one.status
        if status.delayed or (options.reaction_refresh == "round_start" and not status.turn.reaction):
            fresh = options.reaction_refresh == "round_start"
            turn = evolve(status.turn, reaction=True) if fresh else status.turn
            everybody.append(evolve(one, status=evolve(status, delayed=False, turn=turn)))
        else:
            everybody.append(one)
    order = scene.order if options.delay_persists or not known.begun else known.order
    return evolve(scene, round=event.number, acted=(), turn=None, order=order, participants=tuple(everybody))


class TurnBegan(ParticipantEvent):
    """Start of a turn: time, free action and reaction are renewed, and stuns take their toll.

    It is ``settled`` that it begins now where something waited for its start, which has happened by then.
    """

    stuns: int = visible(default=0)
    settled: bool = visible(default=False)


@apply.on(TurnBegan)
def _turn_began(scene: Scene, event: TurnBegan) -> Scene:
    status: Status = scene[event.who].status
    turn = Turn.begun(event.stuns)._replace(fresh=not event.settled)
    if scene.options.reaction_refresh == "round_start":
        turn = evolve(turn, reaction=status.turn.reaction)
    lapses = scene.options.ready_expiry == "next_own_turn"
    return scene.with_status(
        event.who,
        turn=turn,
        earlier=status.turn,
        ready=None if lapses else status.ready,
        effects=end(status.effects, "stunned") if event.stuns else status.effects,
    )


@apply.after(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    if event.who not in scene:
        return scene
    scene = after_escaping(scene, event.who, slips=False)
    participant = scene[event.who]
    turn = _with_time(participant.status.turn, 0, False, False)
    return scene.with_participant(with_status(participant, _with_turns(participant.status, turn, None)))


_with_time = evolver(Turn, "seconds", "free", "fresh")
_with_turns = evolver(Status, "turn", "earlier")


class Delayed(ParticipantEvent):
    """Delay of a turn within the round."""

    mentions = ("who", "after")
    after: str = visible()


@apply.on(Delayed)
def _delayed(scene: Scene, event: Delayed) -> Scene:
    status: Status = scene[event.who].status
    turn = status.earlier if status.earlier is not None else status.turn
    scene = scene.with_status(event.who, delayed=True, turn=turn, earlier=None)
    others = [who for who in scene.order if who != event.who]
    at = others.index(event.after) + 1
    order = (*others[:at], event.who, *others[at:])
    known = fight(scene)
    base = order if scene.options.delay_persists else known.order
    return evolve(scene, turn=None, order=order, system_state=evolve(known, order=base))


@apply.on(ParticipantJoined, instead=True)
def _joined(scene: Scene, event: ParticipantJoined) -> Scene:
    came = event.participant
    changed = replace(event, participant=evolve(came, status=evolve(came.status, initiative=None)))
    return common_reducer(scene, changed)


@apply.on(CharacterChanged, instead=True)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    """Belongings that were bought or sold are in the scene as well."""
    before = scene[event.who]
    scene = common_reducer(scene, event)
    if event.character.belongings != before.character.belongings:
        scene = scene.with_status(event.who, belongings=event.character.belongings)
    most = figures(event.character, scene.library)
    return scene.with_status(event.who, most=Most(most.health, most.endurance))


@apply.on(Ruled, instead=True)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Effects are ruled by their names, such as prone or burning:3."""
    if event.field != "effects" or event.who is None:
        return common_reducer(scene, event)
    given = (event.value,) if isinstance(event.value, str) else tuple(event.value or ())
    return scene.with_status(event.who, effects=tuple([effect_named(str(word)) for word in given]))


def effect_named(word: str) -> MarsEffect:
    """An effect as a game master writes it: prone, burning:3, debilitation:STR, stat_change:STR:2.

    >>> effect_named("debilitation:STR").stat, effect_named("burning:3").degree
    ('STR', 3)
    """
    name, *rest = word.split(":")
    kinds: dict[str, EffectKind] = {kind: kind for kind in EFFECTS}
    if name not in kinds:
        raise InvalidInputError(
            f'"{name:.40}" is not an effect; there are: {", ".join(EFFECTS)}{did_you_mean(name, EFFECTS)}'
        )
    stat, number = "", 0
    for part in rest:
        size = parse_whole_number(part.lstrip("+-"))
        if size is not None:
            number = -size if part.startswith("-") else size
        else:
            stat = part
    kind = kinds[name]
    counted = kind in ("burning", "sickness", "stunned", "fatigue")
    return MarsEffect(kind, stat=stat, degree=max(1, number) if counted else 0, value=0 if counted else number)
