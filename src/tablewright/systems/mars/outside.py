"""What happens outside fights, as small facts: rests, days, sickness and fatigue, trade, experience."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tablewright.game.common import BelongingsChanged, Ruled
from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.frozen import Ranks
from tablewright.game.scene import Scene
from tablewright.systems.mars.character.leaving import BY_ROUNDS, DAY_SECONDS, SICKNESS, on_the_clock
from tablewright.systems.mars.character.record import Day, Effect
from tablewright.systems.mars.events import (
    BurnedDown,
    Died,
    DyingChecked,
    EffectEnded,
    EffectGained,
    Fell,
    Gathered,
    Stabilised,
)
from tablewright.systems.mars.events import apply as in_scenes
from tablewright.systems.mars.status import Status, fight

WEEK = 7 * DAY_SECONDS  # mars.effect.sickness_end

apply: Apply[Scene] = Apply(in_scenes)
"""How every event of the system changes a scene."""


# ---------------------------------------------------------------------- rests and days


@dataclass(frozen=True, kw_only=True)
class Recovered(Event):
    """Somebody has got some of what was lost back."""

    who: str = shown()
    health: int = shown(OWNER, default=0)
    endurance: int = shown(OWNER, default=0)
    stamina: int = shown(OWNER, default=0)
    focus: int = shown(OWNER, default=0)

    def in_words(self) -> str:
        """Who recovers what."""
        gained = [f"{getattr(self, name)} {name}" for name in ("health", "endurance", "stamina", "focus")]
        return f"{self.who} recovers {', '.join([one for one in gained if not one.startswith('0 ')]) or 'nothing'}"


@apply.on(Recovered)
def _recovered(scene: Scene, event: Recovered) -> Scene:
    status: Status = scene[event.who].status
    return scene.change(
        event.who,
        health=status.health + event.health,
        endurance=status.endurance + event.endurance,
        stamina=status.stamina + event.stamina,
        focus=status.focus + event.focus,
    )


@dataclass(frozen=True, kw_only=True)
class DayWentOn(Event):
    """How somebody's day has gone by now: rests taken, meals, sleep."""

    who: str = shown()
    what: str = shown()
    day: Day = shown(OWNER)

    def in_words(self) -> str:
        """What was done."""
        return f"{self.who}: {self.what}"


@apply.on(DayWentOn)
def _day_went_on(scene: Scene, event: DayWentOn) -> Scene:
    participant = scene[event.who]
    return scene.with_participant(replace(participant, character=participant.character.changed(day=event.day)))


@dataclass(frozen=True, kw_only=True)
class AbilitiesRestored(Event):
    """Everything that can be used so often per rest can be used again."""

    who: str = shown()

    def in_words(self) -> str:
        """Whose."""
        return f"{self.who} can use every ability again"


@apply.on(AbilitiesRestored)
def _abilities_restored(scene: Scene, event: AbilitiesRestored) -> Scene:
    return scene.change(event.who, used=Ranks())


@dataclass(frozen=True, kw_only=True)
class AbilityUsed(Event):
    """An ability that a rest restores was used once."""

    who: str = shown()
    talent: str = shown()

    def in_words(self) -> str:
        """Who used what."""
        return f"{self.who} uses {self.talent.replace('_', ' ')}"


@apply.on(AbilityUsed)
def _ability_used(scene: Scene, event: AbilityUsed) -> Scene:
    used: Ranks = scene[event.who].status.used
    return scene.change(event.who, used=used.put(event.talent, used.get(event.talent, 0) + 1))


# ---------------------------------------------------------------------- sickness and fatigue


@dataclass(frozen=True, kw_only=True)
class SicknessChanged(Event):
    """A sickness has another degree from now on, or is over at 0; it is checked again after so many seconds."""

    who: str = shown()
    source: str = shown()
    degree: int = shown()
    left: int = shown(OWNER, default=WEEK)

    def in_words(self) -> str:
        """How it stands."""
        return (
            f"{self.who}: {self.source or 'sickness'} is over"
            if self.degree == 0
            else (f"{self.who}: {self.source or 'sickness'} at degree {self.degree}")
        )


@apply.on(SicknessChanged)
def _sickness_changed(scene: Scene, event: SicknessChanged) -> Scene:
    effects = []
    for effect in scene[event.who].status.effects:
        if effect.kind == "sickness" and effect.source == event.source:
            if event.degree > 0:
                effects.append(replace(effect, degree=event.degree, left=event.left))
        else:
            effects.append(effect)
    return on_the_clock(scene.change(event.who, effects=tuple(effects)), event.who)


@dataclass(frozen=True, kw_only=True)
class FatigueChanged(Event):
    """Somebody is more or less tired, hungry or thirsty than before."""

    who: str = shown()
    source: str = shown()
    degree: int = shown()

    def in_words(self) -> str:
        """How tired."""
        return f"{self.who}: {self.source} at degree {self.degree}"


@apply.on(FatigueChanged)
def _fatigue_changed(scene: Scene, event: FatigueChanged) -> Scene:
    kept = [
        effect
        for effect in scene[event.who].status.effects
        if effect.kind != "fatigue" or effect.source != event.source
    ]
    if event.degree > 0:
        kept.append(Effect("fatigue", degree=event.degree, source=event.source))
    return scene.change(event.who, effects=tuple(kept))


@apply.on(EffectGained, instead=True)
def _effect_gained(scene: Scene, event: EffectGained) -> Scene:
    """A sickness without a duration lasts a week, and is on the clock from the beginning; so is a fire."""
    if event.effect.kind == "burning":
        return _by_the_clock(in_scenes(scene, event), event.who)
    if event.effect.kind != "sickness":
        return in_scenes(scene, event)
    if event.effect.left is None:
        event = replace(event, effect=replace(event.effect, left=WEEK))
    before = scene[event.who].status.effects
    scene = in_scenes(scene, event)
    new = [one for one in scene[event.who].status.effects if one.kind == SICKNESS and one.source == event.effect.source]
    if any(one not in before for one in new):  # a stronger sickness of the same source begins anew
        clock = scene.clock.cancel(SICKNESS, who=event.who, data=event.effect.source)
        scene = replace(scene, clock=clock)
    return on_the_clock(scene, event.who)


def _by_the_clock(scene: Scene, who: str) -> Scene:
    """Outside of fights a fire burns and the dying struggle by the clock; in a fight by turns."""
    if fight(scene).begun:
        return scene
    clock = scene.clock
    for kind, what in BY_ROUNDS.items():
        if not scene[who].status.has(kind) or scene[who].status.dead:
            clock = clock.cancel(what, who=who)
    if clock is not scene.clock:
        scene = replace(scene, clock=clock)
    return scene if scene[who].status.dead else on_the_clock(scene, who)


def _went_on(scene: Scene, event: Any) -> Scene:
    return _by_the_clock(scene, event.who)


for _kind in (Fell, DyingChecked, Stabilised, Died, BurnedDown):
    apply.after(_kind)(_went_on)


@apply.after(EffectEnded)
def _effect_ended(scene: Scene, event: EffectEnded) -> Scene:
    return _by_the_clock(scene, event.who) if event.effect in BY_ROUNDS else scene


@apply.after(Ruled)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    return _by_the_clock(scene, event.who) if event.field == "effects" and event.who is not None else scene


@apply.after(Gathered)
def _gathered(scene: Scene, event: Gathered) -> Scene:
    for one in scene.participants:
        scene = _by_the_clock(scene, one.id) if one.present else scene
    return scene


# ---------------------------------------------------------------------- belongings


@apply.on(BelongingsChanged, instead=True)
def _belongings_changed(scene: Scene, event: BelongingsChanged) -> Scene:
    """As everywhere; and nobody is measured by their starting money any more."""
    scene = in_scenes(scene, event)
    participant = scene[event.who]
    return scene.with_participant(replace(participant, character=participant.character.changed(traded=True)))
