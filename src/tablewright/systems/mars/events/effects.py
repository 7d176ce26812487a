"""Effects that take hold and end, and concentration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tablewright.game.events import Event, shown
from tablewright.game.scene import Scene
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.character import Effect, EffectKind
from tablewright.systems.mars.events.costs import apply
from tablewright.systems.mars.status import (
    Status,
)


@dataclass(frozen=True, kw_only=True)
class EffectGained(Event):
    """An effect has taken hold of somebody; ``other`` is who they have lost sight of, or have an opening against."""

    about = ("who", "other")
    who: str = shown()
    effect: Effect = shown()
    other: str | None = shown(default=None)

    def in_words(self) -> str:
        """Who has what."""
        effect = self.effect
        if self.other is not None:
            how = {"unsighted": "loses sight of", "opening": "has an opening against"}
            return f"{self.who} {how.get(effect.kind, effect.kind)} {self.other}"
        kind = "armour rating" if effect.kind == "rating" else effect.kind.replace("_", " ")
        what = " ".join([part for part in (kind, effect.stat) if part])
        number = f" {effect.degree}" if effect.degree > 1 else f" {effect.value:+d}" if effect.value else ""
        return f"{self.who}: {what}{number}"


@apply.on(EffectGained)
def _effect_gained(scene: Scene, event: EffectGained) -> Scene:
    status: Status = scene[event.who].status
    changes: dict[str, Any] = {"effects": stack.gain(status.effects, event.effect)}
    if event.effect.kind == "stunned":  # it interrupts: mars.effect.stun_interrupts
        changes |= {"ready": None, "work": None}
    return scene.change(event.who, **changes)


@dataclass(frozen=True, kw_only=True)
class EffectEnded(Event):
    """An effect is over."""

    who: str = shown()
    effect: EffectKind = shown()
    stat: str | None = shown(default=None)
    source: str | None = shown(default=None)
    value: int | None = shown(default=None)

    def in_words(self) -> str:
        """Who is rid of what."""
        words = {"rating": f"armour rating {self.value:+d}" if self.value else "armour rating"}
        return f"{self.who}: {words.get(self.effect, self.effect.replace('_', ' '))} ends"


@apply.on(EffectEnded)
def _effect_ended(scene: Scene, event: EffectEnded) -> Scene:
    which = {"stat": event.stat, "source": event.source}
    left = stack.end(scene[event.who].status.effects, event.effect, **which, value=event.value)
    return scene.change(event.who, effects=left)


@dataclass(frozen=True, kw_only=True)
class BurnedDown(Event):
    """A fire on somebody lost a degree."""

    who: str = shown()

    def in_words(self) -> str:
        """Whose."""
        return f"the fire on {self.who} burns down"


@apply.on(BurnedDown)
def _burned_down(scene: Scene, event: BurnedDown) -> Scene:
    effects = tuple(
        [
            replace(one, degree=one.degree - 1) if one.kind == "burning" else one
            for one in scene[event.who].status.effects
            if one.kind != "burning" or one.degree > 1
        ]
    )
    return scene.change(event.who, effects=effects)


@dataclass(frozen=True, kw_only=True)
class ConcentrationChanged(Event):
    """Somebody concentrates on something else, or on nothing; what was kept up by it ends."""

    who: str = shown()
    on: str = shown(default="")

    def in_words(self) -> str:
        """On what."""
        return f"{self.who} concentrates on {self.on}" if self.on else f"{self.who} loses concentration"


@apply.on(ConcentrationChanged)
def _concentration_changed(scene: Scene, event: ConcentrationChanged) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if status.concentration and status.concentration != event.on:
        effects = stack.end_source(effects, status.concentration)
    return scene.change(event.who, concentration=event.on, effects=effects)
