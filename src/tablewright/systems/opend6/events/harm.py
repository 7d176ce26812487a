"""Dying, coming to, and getting better."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.scene import Scene, replaced
from tablewright.systems.opend6.character.record import Wounds
from tablewright.systems.opend6.events.blows import blows
from tablewright.systems.opend6.status import Status, with_body_points
from tablewright.systems.opend6.values import WoundLevel

UNKNOWN = 100_000

apply: Apply[Scene] = Apply(blows)


@dataclass(frozen=True, kw_only=True)
class Endured(Event):
    """Somebody who is incapacitated stays on their feet, or loses consciousness."""

    who: str = shown()
    awake: bool = shown()

    def in_words(self) -> str:
        """Whether they keep going."""
        return f"{self.who} keeps going" if self.awake else f"{self.who} loses consciousness"


@dataclass(frozen=True, kw_only=True)
class SenselessFor(Event):
    """For how many minutes somebody is unconscious."""

    words = "{who} is unconscious[ for {minutes} minutes]"
    who: str = shown()
    minutes: int = shown(OWNER)


@dataclass(frozen=True, kw_only=True)
class DyingWentOn(Event):
    """Somebody at death's door has lived through another round."""

    words = "{who} is dying"
    who: str = shown()
    rounds: int = shown(default=1)


@dataclass(frozen=True, kw_only=True)
class Died(Event):
    """Somebody is dead."""

    words = "{who} dies"
    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class CameTo(Event):
    """Somebody is conscious again."""

    words = "{who} comes to"
    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class Healed(Event):
    """Somebody is better, or worse: another level, or other Body Points; none of both where all of them are back."""

    words = "{who}'s wounds change[: {level}][: {body_points} Body Points]"
    who: str = shown()
    level: WoundLevel | None = shown(OWNER, default=None)
    body_points: int | None = shown(OWNER, default=None)


@dataclass(frozen=True, kw_only=True)
class Treated(Event):
    """Somebody was treated by a healer today; with nobody, a new day begins."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()

    def in_words(self) -> str:
        """Who treated whom."""
        return f"{self.by} treats {self.who}" if self.by else f"{self.who}: a new day"


@dataclass(frozen=True, kw_only=True)
class Rescued(Event):
    """Somebody was brought back from death's door; it may have cost them dice of their skills."""

    words = "{who} is out of danger[, {dice}D weaker]"
    who: str = shown()
    level: WoundLevel = shown(OWNER, default="incapacitated")
    body_points: int | None = shown(OWNER, default=None)
    dice: int = shown(default=0)


@apply.on(Endured)
def _endured(scene: Scene, event: Endured) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if not event.awake:
        wounds = wounds.changed(unconscious=UNKNOWN)
    return scene.change(event.who, enduring=False, wounds=wounds)


@apply.on(SenselessFor)
def _senseless(scene: Scene, event: SenselessFor) -> Scene:
    return scene.change(event.who, wounds=scene[event.who].status.wounds.changed(unconscious=event.minutes))


@apply.on(DyingWentOn)
def _dying(scene: Scene, event: DyingWentOn) -> Scene:
    status: Status = scene[event.who].status
    rounds = status.dying_rounds + event.rounds
    minutes = rounds // 12
    wounds = status.wounds if minutes == status.wounds.dying_minutes else status.wounds.changed(dying_minutes=minutes)
    return scene.change(event.who, dying_rounds=rounds, wounds=wounds)


@apply.on(Died)
def _died(scene: Scene, event: Died) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    return scene.change(event.who, wounds=wounds.changed(level="dead"), enduring=False, waiting=False, defence=None)


@apply.on(CameTo)
def _came_to(scene: Scene, event: CameTo) -> Scene:
    return scene.change(event.who, wounds=scene[event.who].status.wounds.changed(unconscious=0))


@apply.on(Healed)
def _healed(scene: Scene, event: Healed) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if event.level is None:
        wounds = with_body_points(scene, event.who, wounds, event.body_points)
        return scene.change(event.who, wounds=wounds)
    saved = wounds.level == "mortally_wounded" and event.level not in ("mortally_wounded", "dead")
    wounds = wounds.changed(level=event.level, dying_minutes=0 if saved else wounds.dying_minutes)
    return scene.change(event.who, wounds=wounds, dying_rounds=0 if saved else scene[event.who].status.dying_rounds)


@apply.on(Treated)
def _treated(scene: Scene, event: Treated) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    by = (*wounds.treated_by, event.by) if event.by else ()
    return scene.change(event.who, wounds=wounds.changed(treated_by=by))


@apply.on(Rescued)
def _rescued(scene: Scene, event: Rescued) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if event.body_points is None:
        wounds = wounds.changed(level=event.level)
    else:
        wounds = with_body_points(scene, event.who, wounds, event.body_points)
    wounds = wounds.changed(dying_minutes=0, weakened=min(10, wounds.weakened + event.dice))
    one = scene.change(event.who, wounds=wounds, dying_rounds=0)[event.who]
    weaker = one.character.changed(wounds=one.character.wounds.changed(weakened=wounds.weakened))
    return scene.with_participant(replaced(one, character=weaker))
