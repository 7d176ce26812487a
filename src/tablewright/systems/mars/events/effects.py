"""Events of effects that begin and end, and of concentration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.game.scene.events import ParticipantEvent
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import visible
from tablewright.systems.mars import status
from tablewright.systems.mars.character.record import EffectKind, MarsEffect
from tablewright.systems.mars.events.turn import apply
from tablewright.systems.mars.status import Status, end_source, gain


class MarsEffectGained(ParticipantEvent, kind="EffectGained"):
    """Start of an effect; ``other`` is the participant out of sight, or the target of an opening."""

    mentions = ("who", "other")
    effect: MarsEffect = visible()
    other: str | None = visible(default=None)


@apply.on(MarsEffectGained)
def _effect_gained(scene: Scene, event: MarsEffectGained) -> Scene:
    status: Status = scene[event.who].status
    changes: dict[str, Any] = {"effects": gain(status.effects, event.effect)}
    if event.effect.kind == "stunned":  # it interrupts: mars.effect.stun_interrupts
        changes |= {"ready": None, "work": None}
    return scene.with_status(event.who, **changes)


class MarsEffectEnded(ParticipantEvent, kind="EffectEnded"):
    """An effect is over."""

    effect: EffectKind = visible()
    stat: str | None = visible(default=None)
    source: str | None = visible(default=None)
    value: int | None = visible(default=None)


@apply.on(MarsEffectEnded)
def _effect_ended(scene: Scene, event: MarsEffectEnded) -> Scene:
    which = {"stat": event.stat, "source": event.source}
    left = status.end(scene[event.who].status.effects, event.effect, **which, value=event.value)
    return scene.with_status(event.who, effects=left)


@apply.sets(
    effects=lambda status, _: tuple(
        [
            replace(one, degree=one.degree - 1) if one.kind == "burning" else one
            for one in status.effects
            if one.kind != "burning" or one.degree > 1
        ]
    )
)
class BurnedDown(ParticipantEvent):
    """Loss of a degree of a fire."""


class ConcentrationChanged(ParticipantEvent):
    """Change of concentration; effects that it kept up end."""

    on: str = visible(default="")


@apply.on(ConcentrationChanged)
def _concentration_changed(scene: Scene, event: ConcentrationChanged) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if status.concentration and status.concentration != event.on:
        effects = end_source(effects, status.concentration)
    return scene.with_status(event.who, concentration=event.on, effects=effects)
