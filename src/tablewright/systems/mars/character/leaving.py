"""Coming into a scene and going out of it: what is carried over, and what falls due meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablewright.game.clock import Clock, Data
from tablewright.game.pending import pending_of
from tablewright.game.scene import Participant, Scene
from tablewright.game.tracks import to_keep
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.record import Day, Effect, EffectKind, MarsCharacter, Wounds
from tablewright.systems.mars.content import RESOURCES

DAY_SECONDS = 86_400
ROUND_SECONDS = 6
DAY, SICKNESS, FIRE, DEATH = "day", "sickness", "fire", "death"
"""What falls due: a day is reckoned, a sickness may get better; outside of turns fires burn, the dying struggle."""

BY_ROUNDS: dict[EffectKind, str] = {"burning": FIRE, "dying": DEATH}
"""What goes on round by round, and by which name it falls due outside of fights."""

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
    due = {(one.what, one.data): one.left for one in pending_of(scene, who)}
    kept = [_kept(effect, due) for effect in status.effects if _lasts(effect, status)]
    wounds = Wounds(**to_keep(status, most, RESOURCES), effects=tuple(kept), used=status.used, dead=status.dead)
    counts = needs_days(participant, scene.options.fatigue == "on")
    day = _day(character.day, due.get((DAY, None)) if counts else None, scene.clock.now)
    return character.changed(wounds=wounds, belongings=status.belongings, day=day)


def _lasts(effect: Effect, status: Any) -> bool:
    """Whether an effect goes along; what is kept up by concentration does not (mars.concentration.single)."""
    if effect.kind == "prone":
        return any(one.kind == "unconscious" for one in status.effects)  # mars.effect.unconscious
    kept_up = bool(status.concentration) and effect.source == status.concentration
    return effect.kind in LASTING and effect.lasts and not kept_up


def _kept(effect: Effect, due: Mapping[tuple[str, Data], int]) -> Effect:
    if effect.kind != "sickness" or effect.left is None:
        return effect
    return replace(effect, left=due.get((SICKNESS, effect.source), effect.left))


def needs_days(participant: Participant, tiring: bool) -> bool:
    """Whether anything happens to somebody once a day: to the sick and tired, and to characters where needs tire."""
    if any(effect.kind in ("sickness", "fatigue") for effect in participant.status.effects):
        return True
    return tiring and not participant.character.is_creature


def _day(day: Day, ahead: int | None, now: int) -> Day:
    """The day with all moments counted from now; the next reckoning is ``ahead`` by so many seconds."""
    reckoned = 0 if ahead is None else ahead - DAY_SECONDS
    rested = None if day.rested_at is None else day.rested_at - now
    if (rested, reckoned) == (day.rested_at, day.reckoned_at):
        return day
    return day.changed(rested_at=rested, reckoned_at=reckoned)


def arrived(scene: Scene, who: str) -> Scene:
    """The scene that somebody has come into: the day's moments counted on its clock, and what falls due on it."""
    participant, now = scene[who], scene.clock.now
    day: Day = participant.character.day
    if now and day.rested_at is not None:
        shifted = participant.character.changed(day=day.changed(rested_at=day.rested_at + now))
        scene = scene.with_participant(replace(participant, character=shifted))
    return on_the_clock(scene, who)


def on_the_clock(scene: Scene, who: str) -> Scene:
    """The scene with what falls due for somebody on its clock."""
    clock = scheduled(scene.clock, scene[who], scene.options.fatigue == "on")
    return scene if clock is scene.clock else replace(scene, clock=clock)


def scheduled(clock: Clock, participant: Participant, tiring: bool) -> Clock:
    """The clock with what falls due for one who comes: days of the sick and tired, sickness, fire, dying."""
    character: MarsCharacter = participant.character
    who, effects = participant.id, participant.status.effects
    if needs_days(participant, tiring) and clock.left(DAY, who=who) is None:
        after = min(DAY_SECONDS, max(1, DAY_SECONDS + character.day.reckoned_at))
        clock = clock.schedule(DAY, after=after, who=who, every=DAY_SECONDS)
    for effect in effects:
        waits = clock.left(SICKNESS, who=who, data=effect.source) is not None
        if effect.kind == "sickness" and effect.left is not None and not waits:
            clock = clock.schedule(SICKNESS, after=max(1, effect.left), who=who, data=effect.source)
        what = BY_ROUNDS.get(effect.kind)
        if what is not None and clock.left(what, who=who) is None:
            clock = clock.schedule(what, after=ROUND_SECONDS, who=who)
    return clock
