"""Events between fights: rest, care, sickness, trade, experience."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.game.play.common_events import BelongingsChanged, CharacterChanged, Ruled
from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.values import Ranks
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.record import Day, MarsCharacter, MarsEffect
from tablewright.systems.mars.content import RESOURCES
from tablewright.systems.mars.events import attack as _attack  # noqa: F401  (registers its events)
from tablewright.systems.mars.events import encounter as _encounter  # noqa: F401
from tablewright.systems.mars.events.effects import BurnedDown, MarsEffectEnded, MarsEffectGained
from tablewright.systems.mars.events.harm import Died, DyingChecked, Fell, Stabilised
from tablewright.systems.mars.events.turn import Gathered
from tablewright.systems.mars.events.turn import apply as in_scenes
from tablewright.systems.mars.status import BY_ROUNDS, DAY_SECONDS, SICKNESS, Status, fight, on_the_clock


def change(game: Game, who: str, what: str, character: MarsCharacter, *, cause: str) -> None:
    """The participant with a changed character; a full resource stays full, and none is above its maximum."""
    before = figures(game[who].character, game.scene.library)
    after = figures(character, game.scene.library)
    status = game[who].status
    game.emit(CharacterChanged(who=who, what=what, character=character, cause=cause))
    changed = [_change(getattr(status, name), getattr(before, name), getattr(after, name)) for name in RESOURCES]
    if any(changed):
        health, endurance, stamina, focus = changed
        had, rule = amounts_of(status), "mars.stat.resource_behaviour"
        game.emit(
            Recovered(who=who, health=health, endurance=endurance, stamina=stamina, focus=focus, had=had, cause=rule)
        )


def amounts_of(status: Status) -> tuple[int, ...]:
    """Amounts of the resources, in the order of ``RESOURCES``."""
    return tuple([getattr(status, name) for name in RESOURCES])


def _change(now: int, before: int, after: int) -> int:
    return after - now if now == before or now > after else 0


WEEK = 7 * DAY_SECONDS  # mars.effect.sickness_end

apply: Reducer[Scene] = Reducer(in_scenes)
"""Reducer of every event of the system."""


# ---------------------------------------------------------------------- rests and days


@apply.sets(
    health=lambda status, event: status.health + event.health,
    endurance=lambda status, event: status.endurance + event.endurance,
    stamina=lambda status, event: status.stamina + event.stamina,
    focus=lambda status, event: status.focus + event.focus,
)
class Recovered(ParticipantEvent):
    """Recovery of resources; ``had`` are the amounts before it, in the order of ``RESOURCES``."""

    health: int = visible(OWNER, default=0)
    endurance: int = visible(OWNER, default=0)
    stamina: int = visible(OWNER, default=0)
    focus: int = visible(OWNER, default=0)
    had: tuple[int, ...] = visible(OWNER, default=())


class DayWentOn(ParticipantEvent):
    """State of a participant's day: rests taken, meals, sleep."""

    what: str = visible()
    day: Day = visible(OWNER)


@apply.on(DayWentOn)
def _day_went_on(scene: Scene, event: DayWentOn) -> Scene:
    participant = scene[event.who]
    return scene.with_participant(replace(participant, character=participant.character.changed(day=event.day)))


@apply.sets(used=Ranks())
class AbilitiesRestored(ParticipantEvent):
    """Abilities with a number of uses per rest were restored."""


@apply.sets(used=lambda status, event: status.used.put(event.talent, status.used.get(event.talent, 0) + 1))
class AbilityUsed(ParticipantEvent):
    """An ability that a rest restores was used once."""

    talent: str = visible()


# ---------------------------------------------------------------------- sickness and fatigue


class SicknessChanged(ParticipantEvent):
    """A sickness has another degree from now on, or is over at 0; it is checked again after so many seconds."""

    source: str = visible()
    degree: int = visible()
    left: int = visible(OWNER, default=WEEK)


@apply.on(SicknessChanged)
def _sickness_changed(scene: Scene, event: SicknessChanged) -> Scene:
    effects = []
    for effect in scene[event.who].status.effects:
        if effect.kind == "sickness" and effect.source == event.source:
            if event.degree > 0:
                effects.append(replace(effect, degree=event.degree, left=event.left))
        else:
            effects.append(effect)
    return on_the_clock(scene.with_status(event.who, effects=tuple(effects)), event.who)


class FatigueChanged(ParticipantEvent):
    """Change of fatigue, hunger or thirst."""

    source: str = visible()
    degree: int = visible()


@apply.on(FatigueChanged)
def _fatigue_changed(scene: Scene, event: FatigueChanged) -> Scene:
    kept = [
        effect
        for effect in scene[event.who].status.effects
        if effect.kind != "fatigue" or effect.source != event.source
    ]
    if event.degree > 0:
        kept.append(MarsEffect("fatigue", degree=event.degree, source=event.source))
    return scene.with_status(event.who, effects=tuple(kept))


@apply.on(MarsEffectGained, instead=True)
def _effect_gained(scene: Scene, event: MarsEffectGained) -> Scene:
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
    if any(one not in before for one in new):  # a stronger sickness of the same source begins again
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


@apply.after(MarsEffectEnded)
def _effect_ended(scene: Scene, event: MarsEffectEnded) -> Scene:
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
    """Apply the trade; from then on the starting money is no longer checked."""
    scene = in_scenes(scene, event)
    participant = scene[event.who]
    return scene.with_participant(replace(participant, character=participant.character.changed(traded=True)))
