"""Events of a turn besides attacks: moves, costs, stances, preparations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from tablewright.game.character.belongings import Belongings
from tablewright.game.ground.position import Position
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.effects import refreshed
from tablewright.game.play.loose_items import pick_up, return_to_owners
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.scene import LooseItem, Scene, with_position, with_status
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.status import Fight, Ready, ReadyTrigger, Status, Turn, Work, after_encounter, fight, gain

apply: Reducer[Scene] = Reducer(common_reducer)


class Costly(ParticipantEvent):
    """Action that takes time or stamina; with ``slips`` an escape follows from it."""

    slips: ClassVar[bool] = False
    seconds: int = visible(default=0)
    free: bool = visible(default=False)
    stamina: int = visible(default=0)
    focus: int = visible(default=0)
    reaction: bool = visible(default=False)


def paid(scene: Scene, event: Costly, encounter: Fight | None = None, **changes: Any) -> Scene:
    """The scene after an action was paid for, with further changes of the status, and of the encounter if given."""
    participant = scene[event.who]
    status: Status = participant.status
    turn: Turn = changes.pop("turn", status.turn)
    turn = _with_time(
        turn,
        turn.seconds - event.seconds,
        turn.free and not event.free,
        turn.reaction and not event.reaction,
        turn.fresh and event.reaction,
    )
    status = _with_points(status, turn, status.stamina - event.stamina, status.focus - event.focus)
    status = evolve(status, **changes) if changes else status
    state = scene.system_state if encounter is None else encounter
    scene = scene.with_participant(with_status(participant, status), system_state=state)
    return after_escaping(scene, event.who, slips=event.slips) if event.seconds or event.free else scene


_with_time = evolver(Turn, "seconds", "free", "reaction", "fresh")
_with_points = evolver(Status, "turn", "stamina", "focus")


def after_escaping(scene: Scene, who: str, *, slips: bool) -> Scene:
    """Put a participant out of sight that moves directly after escaping; any other act ends the chance."""
    for one in scene.participants:
        effects = one.status.effects
        if effects and one.status.has("unsighted") and any(_slipping(effect, who) for effect in effects):
            kept = [effect for effect in effects if slips or not _slipping(effect, who)]
            gone = [replace(effect, degree=0) if _slipping(effect, who) else effect for effect in kept]
            scene = scene.with_status(one.id, effects=tuple(gone))
    return scene


def _slipping(effect: MarsEffect, who: str) -> bool:
    return effect.kind == "unsighted" and effect.stat == who and effect.degree > 0


class Walked(Costly):
    """Movement: the place reached so far, and the whole distance."""

    is_move = True
    slips: ClassVar[bool] = True
    position: Position = visible()
    metres: int = visible(default=0)
    sets_out: bool = visible(default=False)


@apply.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=evolve(turn, moves=turn.moves + 1))
    state = evolve(fight(scene), mover=event.who)
    return scene.with_participant(with_position(scene[event.who], event.position), system_state=state)


@apply.sets(turn=lambda status, _: evolve(status.turn, stopped=True))
class Stopped(ParticipantEvent):
    """End of movement for this turn."""


class Acted(Costly):
    """Action with its target, detail and result."""

    action: str = visible()
    target: str | None = visible(default=None)
    detail: str = visible(default="")
    check: bool = visible(default=False)

    mentions = ("who", "target")


@apply.on(Acted)
def _acted(scene: Scene, event: Acted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=evolve(turn, checks=turn.checks + event.check))


class ManeuverUsed(Costly):
    """Use of a maneuver that is more than an attack."""

    maneuver: str = visible()
    target: str | None = visible(default=None)

    mentions = ("who", "target")


@apply.on(ManeuverUsed)
def _maneuver_used(scene: Scene, event: ManeuverUsed) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=evolve(turn, maneuvers=(*turn.maneuvers, event.maneuver)))


@apply.by(lambda scene, event: pick_up(paid(scene, event, belongings=event.belongings), *event.picked_up))
class HandsChanged(Costly):
    """Change of the things in hand: wielded, reloaded or picked up."""

    belongings: Belongings = visible(OWNER)
    what: str = visible()
    picked_up: tuple[LooseItem, ...] = visible(default=())


@apply.by(lambda scene, event: paid(scene, event, ready=Ready(event.trigger, event.action, event.words)))
class GotReady(Costly):
    """Action readied for a trigger; ``words`` are those of a trigger that the player typed."""

    trigger: ReadyTrigger = visible(OWNER)
    action: str = visible(OWNER)
    words: str = visible(OWNER, default="")


class ReadyTaken(ParticipantEvent):
    """Start of a readied action as a reaction; ``over`` marks its end."""

    over: bool = visible(default=False)


@apply.on(ReadyTaken)
def _ready_taken(scene: Scene, event: ReadyTaken) -> Scene:
    turn: Turn = scene[event.who].status.turn
    if event.over:
        return scene.with_status(event.who, turn=evolve(turn, reacting=False))
    return scene.with_status(event.who, ready=None, turn=evolve(turn, reacting=True, reaction=False))


@apply.by(lambda scene, event: paid(scene, event, work=event.work))
class WorkedOn(Costly):
    """Progress of an extended action; without work it is given up or done."""

    work: Work | None = visible(default=None)
    given_up: bool = visible(default=False)


class CaughtBreath(Costly):
    """A second wind: endurance is back."""

    endurance: int = visible(OWNER)


@apply.on(CaughtBreath)
def _caught_breath(scene: Scene, event: CaughtBreath) -> Scene:
    status: Status = scene[event.who].status
    used = status.used.put("second_wind", status.used.get("second_wind", 0) + 1)
    return paid(
        scene,
        event,
        endurance=status.endurance + event.endurance,
        used=used,
        turn=evolve(status.turn, talents=(*status.turn.talents, "second_wind")),
    )


class FlewIntoRage(Costly):
    """Start of a rage: stronger and tougher, easier to hit."""

    strength: int = visible()
    reduction: int = visible()
    rating: int = visible()


@apply.on(FlewIntoRage)
def _flew_into_rage(scene: Scene, event: FlewIntoRage) -> Scene:
    status: Status = scene[event.who].status
    effects = gain(status.effects, MarsEffect("rage", degree=event.reduction, source="rage"))
    effects = gain(effects, MarsEffect("stat_change", stat="STR", value=event.strength, source="rage"))
    effects = gain(effects, MarsEffect("rating", value=event.rating, source="rage"))
    turn = evolve(status.turn, talents=(*status.turn.talents, "rage"))
    return paid(scene, event, effects=effects, turn=turn)


@apply.sets(stamina=lambda status, event: status.stamina - event.stamina)
class TollPaid(ParticipantEvent):
    """Keeping something up has cost stamina."""

    stamina: int = visible()


class Gathered(Event):
    """End of an encounter: owners have their things back, and effects counted in turns are over."""

    mentions: ClassVar[tuple[str, ...]] = ()
    items: tuple[str, ...] = visible(default=())


@apply.on(Gathered)
def _gathered(scene: Scene, event: Gathered) -> Scene:
    scene = return_to_owners(scene)
    scene = refreshed(scene, "encounter", *scene.participants)
    for one in scene.participants:
        scene = scene.with_status(one.id, effects=after_encounter(one.status.effects))
    return evolve(scene, system_state=Fight())


@apply.by(lambda scene, event: evolve(scene, system_state=evolve(fight(scene), done=(*fight(scene).done, event.task))))
class TaskDone(ParticipantEvent):
    """One of the checks of a complex challenge succeeded."""

    task: str = visible()
