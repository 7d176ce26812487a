"""What happens between fights: rest, care, sickness, needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablewright.game.common import Ruled
from tablewright.game.events import GAME_MASTER, OWNER, Apply, Event, shown
from tablewright.game.frozen import Frozen
from tablewright.game.prices import Paid
from tablewright.game.scene import Scene, replaced
from tablewright.systems.stage.character.record import Day, Sickness
from tablewright.systems.stage.events import moving
from tablewright.systems.stage.events.fighting import Attacked, Hurt, Restored, Spent, Tried, fainted
from tablewright.systems.stage.harm import after_restoring, most
from tablewright.systems.stage.status import Status
from tablewright.systems.stage.values import SURFACE

happens: Apply[Scene] = Apply(moving.happens)


@dataclass(frozen=True, kw_only=True)
class Rested(Event):
    """Somebody has rested eight hours, or as good as that: the surface tracks are full, as far as they can be."""

    words = "{who} is rested"
    who: str = shown()


@happens.on(Rested)
def _rested(scene: Scene, event: Rested) -> Scene:
    figure = most(scene, event.who)
    status: Status = scene[event.who].status
    changed: dict[str, object] = {}
    for track in SURFACE.values():
        changed |= after_restoring(status, figure, track, getattr(figure, track))
    if fainted(status) and any(changed[track] for track in SURFACE.values()):
        changed["unconscious"] = ""  # stage.gap.recovery.waking
    return scene.change(event.who, **changed)


@dataclass(frozen=True, kw_only=True)
class FirstAidGiven(Event):
    """The counters of Body damage are suppressed until Body damage comes again."""

    words = "{who}: first aid"
    who: str = shown()


@happens.on(FirstAidGiven)
def _first_aid_given(scene: Scene, event: FirstAidGiven) -> Scene:
    return scene.change(event.who, first_aid=True)


@dataclass(frozen=True, kw_only=True)
class Reanimated(Event):
    """Somebody dead lives again, with the tracks that the table sets."""

    words = "{who} lives again"
    who: str = shown()
    core: tuple[str, ...] = shown()


@happens.on(Reanimated)
def _reanimated(scene: Scene, event: Reanimated) -> Scene:
    figure = most(scene, event.who)
    changed: dict[str, object] = {"died": None, "unconscious": ""}
    for track in event.core:
        changed[track] = min(1, getattr(figure, track))
    if len(event.core) > 1:
        changed |= dict.fromkeys(SURFACE.values(), 0)
    else:
        changed["stamina"] = 0
    return scene.change(event.who, **changed)


@dataclass(frozen=True, kw_only=True)
class DayChanged(Event):
    """How somebody's day has gone so far is different: needs, uses, distances."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown(OWNER, default="")
    day: Day = shown(OWNER)


@happens.on(DayChanged)
def _day_changed(scene: Scene, event: DayChanged) -> Scene:
    return scene.change(event.who, day=event.day)


@dataclass(frozen=True, kw_only=True)
class Released(Event):
    """What cold, heat or thirst had taken can be restored from now on."""

    words = "{who} recovers from {what}"
    who: str = shown()
    what: str = shown(OWNER)


@happens.on(Released)
def _released(scene: Scene, event: Released) -> Scene:
    blocked = scene[event.who].status.blocked
    return scene.change(event.who, blocked=Frozen({name: lost for name, lost in blocked.items() if name != event.what}))


@dataclass(frozen=True, kw_only=True)
class Infected(Event):
    """Somebody carries a poison or a disease; others do not know before it shows."""

    who: str = shown(OWNER)
    sickness: Sickness = shown(OWNER)

    def in_words(self) -> str:
        """Who carries what.

        >>> print(Infected(who="ann", sickness=Sickness(ailment="mind_fever", level=5, incubation=9)).in_words())
        ann carries mind fever, level 5
        """
        return f"{self.who} carries {self.sickness.ailment.replace('_', ' ')}, level {self.sickness.level}"


@happens.on(Infected)
def _infected(scene: Scene, event: Infected) -> Scene:
    known = scene[event.who].status.sicknesses
    return scene.change(event.who, sicknesses=(*known, event.sickness))


@dataclass(frozen=True, kw_only=True)
class SicknessChanged(Event):
    """A poison or disease has attacked, was withstood, was treated, or is cured; ``gone`` ends it and what it did."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown(OWNER, default="")
    sickness: Sickness = shown(OWNER)
    counters: int = shown(OWNER, default=0)
    gone: bool = shown(OWNER, default=False)


@happens.on(SicknessChanged)
def _sickness_changed(scene: Scene, event: SicknessChanged) -> Scene:
    status: Status = scene[event.who].status
    found = [event.sickness if one.ailment == event.sickness.ailment else one for one in status.sicknesses]
    if not event.gone:
        return scene.change(event.who, sicknesses=tuple(found), counters=max(0, status.counters + event.counters))
    rest = tuple([one for one in status.sicknesses if one.ailment != event.sickness.ailment])
    scene = scene.change(event.who, sicknesses=rest, counters=max(0, status.counters - event.sickness.counters))
    figure = most(scene, event.who)
    for track, points in event.sickness.harm.items():
        scene = scene.change(event.who, **after_restoring(scene[event.who].status, figure, track, points))
    return scene


# ---------------------------------------------------------------------- who decides for the insane


def minded(scene: Scene, who: str) -> Scene:
    """Whoever has no Sanity left is the game master's, until some of it is back (stage.resource.insanity).

    Whoever is handed to another player in the meantime goes to that one then.
    """
    if who not in scene:
        return scene
    one = scene[who]
    status: Status = one.status
    if status.insane and one.seat != GAME_MASTER:
        scene = scene.with_participant(replaced(one, seat=GAME_MASTER))
        return scene.change(who, player=one.seat)
    if status.player and not status.insane:
        scene = scene.with_participant(replaced(one, seat=status.player))
        return scene.change(who, player="")
    return scene


def _minded(scene: Scene, event: Any) -> Scene:
    scene = minded(scene, event.who)
    return minded(scene, event.by) if isinstance(event, Attacked | Tried) else scene


for kind in (Attacked, Tried, Hurt, Spent, Paid, Restored, Reanimated, SicknessChanged, Ruled):
    happens.after(kind)(_minded)
