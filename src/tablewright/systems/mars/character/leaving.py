"""Coming into a scene and going out of it: what is carried over, and what falls due meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.game.clock import Clock, Due
from tablewright.game.scene import Participant, Scene
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.record import Day, Effect, EffectKind, MarsCharacter, Wounds
from tablewright.systems.mars.content import RESOURCES

DAY_SECONDS = 86_400
DAY, SICKNESS = "day", "sickness"
"""What falls due: a day is reckoned, a sickness may get better."""

LASTING: tuple[EffectKind, ...] = (
    "blind",
    "burning",
    "debilitation",
    "dying",
    "enhancement",
    "sickness",
    "unconscious",
    "stat_change",
    "fatigue",
)
"""The effects that go on when an encounter is over, unless they have a duration in rounds."""


def leave(scene: Scene, who: str) -> MarsCharacter:
    """The character that goes out of a scene, with its wounds, its belongings and how far its day has gone."""
    participant = scene[who]
    character: MarsCharacter = participant.character
    status: Any = participant.status
    most = figures(character, scene.library)
    left = {name: None if getattr(status, name) >= getattr(most, name) else getattr(status, name) for name in RESOURCES}
    kept = [_kept(effect, scene.clock, who) for effect in status.effects if effect.kind in LASTING and effect.lasts]
    wounds = Wounds(**left, effects=tuple(kept), used=status.used, dead=status.dead)
    counts = needs_days(participant, scene.options.fatigue == "on")
    day = _day(character.day, scene.clock, who, counts=counts)
    return character.changed(wounds=wounds, belongings=status.belongings, day=day)


def _kept(effect: Effect, clock: Clock, who: str) -> Effect:
    if effect.kind != "sickness" or effect.left is None:
        return effect
    due = sickness_due(clock, who, effect.source)
    return replace(effect, left=due.at - clock.now) if due else effect


def sickness_due(clock: Clock, who: str, source: str) -> Due | None:
    """When a sickness may get better next."""
    return next((due for due in clock.waiting(SICKNESS, who=who) if due.data == source), None)


def needs_days(participant: Participant, tiring: bool) -> bool:
    """Whether anything happens to somebody once a day: to the sick and tired, and to characters where needs tire."""
    if any(effect.kind in ("sickness", "fatigue") for effect in participant.status.effects):
        return True
    return tiring and not participant.character.is_creature


def _day(day: Day, clock: Clock, who: str, *, counts: bool) -> Day:
    """The day with all moments counted from now."""
    ahead = clock.left(DAY, who=who) if counts else None
    reckoned = 0 if ahead is None else ahead - DAY_SECONDS
    rested = None if day.rested_at is None else day.rested_at - clock.now
    if (rested, reckoned) == (day.rested_at, day.reckoned_at):
        return day
    return day.changed(rested_at=rested, reckoned_at=reckoned)


def opened(scene: Scene) -> Scene:
    """A new scene with everything on its clock that falls due for those who are in it."""
    clock = scene.clock
    for participant in scene.participants:
        clock = scheduled(clock, participant, scene.options.fatigue == "on")
    return scene if clock is scene.clock else replace(scene, clock=clock)


def scheduled(clock: Clock, participant: Participant, tiring: bool) -> Clock:
    """The clock with what falls due for one who comes: days while somebody is sick or may tire, and each sickness."""
    character: MarsCharacter = participant.character
    who, effects = participant.id, participant.status.effects
    if needs_days(participant, tiring) and clock.left(DAY, who=who) is None:
        after = min(DAY_SECONDS, max(1, DAY_SECONDS + character.day.reckoned_at))
        clock = clock.schedule(DAY, after=after, who=who, every=DAY_SECONDS)
    for effect in effects:
        if effect.kind == "sickness" and effect.left is not None and not sickness_due(clock, who, effect.source):
            clock = clock.schedule(SICKNESS, after=max(1, effect.left), who=who, data=effect.source)
    return clock
