"""Events of damage: going down, dying and waking up."""

from __future__ import annotations

from dataclasses import replace

from tablewright.game.scene.events import ParticipantEvent
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.turn import apply
from tablewright.systems.mars.mechanics.harm import Fate
from tablewright.systems.mars.status import Status, end, end_source, fight, gain


@apply.sets(
    endurance=lambda status, event: status.endurance - event.endurance,
    health=lambda status, event: status.health - event.health,
)
class Hurt(ParticipantEvent):
    """Damage that does not come from an attack; ``had`` are endurance and health before it."""

    damage: int = visible()
    by: str = visible()
    endurance: int = visible(OWNER, default=0)
    health: int = visible(OWNER, default=0)
    had: tuple[int, ...] = visible(OWNER, default=())


@apply.sets(health=lambda status, event: status.health - event.amount)
class HealthLost(ParticipantEvent):
    """Loss of health without damage."""

    amount: int = visible(OWNER)
    why: str = visible()


@apply.by(lambda scene, event: scene.with_status(event.who, tolerated=fight(scene).begun))
class Tolerated(ParticipantEvent):
    """Pain tolerance: damage beyond the last endurance is ignored, the first time in an encounter."""

    spared: bool = visible(default=True)


class Fell(ParticipantEvent):
    """Fall of a participant: unconscious, or dying as well. ``awake`` marks staying conscious while dying.

    Unconsciousness for some rounds ends before the turn ``turn_of`` in the round ``until``.
    """

    fate: Fate = visible()
    awake: bool = visible(default=False)
    source: str = visible(default="")
    turn_of: str = visible(default="")
    until: int | None = visible(default=None)


@apply.on(Fell)
def _fell(scene: Scene, event: Fell) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if event.fate is Fate.DYING:
        effects = end(effects, "unconscious", source="nonlethal")
        effects = gain(effects, MarsEffect("dying"))
    if event.awake:
        return scene.with_status(event.who, effects=effects)
    senseless = MarsEffect("unconscious", source=event.source, turn_of=event.turn_of, until=event.until)
    effects = gain(gain(effects, senseless), MarsEffect("prone"))
    effects = end_source(effects, status.concentration) if status.concentration else effects
    return scene.with_status(event.who, effects=effects, concentration="", ready=None, work=None)


class DyingChecked(ParticipantEvent):
    """A dying character's check was counted; the last two fields are the sums of all checks so far."""

    successes: int = visible(OWNER)
    failures: int = visible(OWNER)
    all_successes: int | None = visible(OWNER, default=None)
    all_failures: int | None = visible(OWNER, default=None)


@apply.on(DyingChecked)
def _dying_checked(scene: Scene, event: DyingChecked) -> Scene:
    status: Status = scene[event.who].status
    effects = tuple(
        [
            replace(one, successes=one.successes + event.successes, failures=one.failures + event.failures)
            if one.kind == "dying"
            else one
            for one in status.effects
        ]
    )
    return scene.with_status(event.who, effects=effects)


@apply.sets(effects=lambda status, _: end(status.effects, "dying"))
class Stabilised(ParticipantEvent):
    """End of dying; the unconscious stay so."""


@apply.sets(dead=True, concentration="", ready=None, work=None)
class Died(ParticipantEvent):
    """Death of a participant."""


@apply.sets(effects=lambda status, _: end(status.effects, "unconscious"))
class Woke(ParticipantEvent):
    """Return of consciousness, still lying on the ground."""
