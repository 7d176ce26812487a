"""Events of damage: going down, dying and waking up."""

from __future__ import annotations

from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.opend6.character.record import Wounds
from tablewright.systems.opend6.events.attack import blows
from tablewright.systems.opend6.status import Status, with_body_points
from tablewright.systems.opend6.values import WoundLevel

UNKNOWN = 100_000

apply: Reducer[Scene] = Reducer(blows)


class Endured(ParticipantEvent):
    """A character who is incapacitated stays on their feet, or loses consciousness."""

    awake: bool = visible()


@apply.sets(wounds=lambda status, event: status.wounds.changed(unconscious=event.minutes))
class SenselessFor(ParticipantEvent):
    """For how many minutes a character is unconscious."""

    minutes: int = visible(OWNER)


class DyingWentOn(ParticipantEvent):
    """A character at death's door has lived through another round."""

    rounds: int = visible(default=1)


@apply.sets(wounds=lambda status, _: status.wounds.changed(level="dead"), enduring=False, waiting=False, defence=None)
class Died(ParticipantEvent):
    """A character is dead."""


@apply.sets(wounds=lambda status, _: status.wounds.changed(unconscious=0))
class CameTo(ParticipantEvent):
    """A character is conscious again."""


class Healed(ParticipantEvent):
    """A character is better, or worse: another level, or other Body Points; none of both where all of them are back.

    ``was`` is the level before, ``had`` are the Body Points before.
    """

    level: WoundLevel | None = visible(OWNER, default=None)
    body_points: int | None = visible(OWNER, default=None)
    was: WoundLevel | None = visible(OWNER, default=None)
    had: int | None = visible(OWNER, default=None)


class Treated(ParticipantEvent):
    """A character was treated by a healer today; with no one, a new day begins."""

    mentions = ("who", "by")
    by: str = visible()


class Rescued(ParticipantEvent):
    """A character was brought back from death's door; it may have cost them dice of their skills."""

    level: WoundLevel = visible(OWNER, default="incapacitated")
    body_points: int | None = visible(OWNER, default=None)
    dice: int = visible(default=0)


@apply.on(Endured)
def _endured(scene: Scene, event: Endured) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if not event.awake:
        wounds = wounds.changed(unconscious=UNKNOWN)
    return scene.with_status(event.who, enduring=False, wounds=wounds)


@apply.on(DyingWentOn)
def _dying(scene: Scene, event: DyingWentOn) -> Scene:
    status: Status = scene[event.who].status
    rounds = status.dying_rounds + event.rounds
    minutes = rounds // 12
    wounds = status.wounds if minutes == status.wounds.dying_minutes else status.wounds.changed(dying_minutes=minutes)
    return scene.with_status(event.who, dying_rounds=rounds, wounds=wounds)


@apply.on(Healed)
def _healed(scene: Scene, event: Healed) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if event.level is None:
        wounds = with_body_points(scene, event.who, wounds, event.body_points)
        return scene.with_status(event.who, wounds=wounds)
    saved = wounds.level == "mortally_wounded" and event.level not in ("mortally_wounded", "dead")
    wounds = wounds.changed(level=event.level, dying_minutes=0 if saved else wounds.dying_minutes)
    return scene.with_status(
        event.who, wounds=wounds, dying_rounds=0 if saved else scene[event.who].status.dying_rounds
    )


@apply.on(Treated)
def _treated(scene: Scene, event: Treated) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    by = (*wounds.treated_by, event.by) if event.by else ()
    return scene.with_status(event.who, wounds=wounds.changed(treated_by=by))


@apply.on(Rescued)
def _rescued(scene: Scene, event: Rescued) -> Scene:
    wounds: Wounds = scene[event.who].status.wounds
    if event.body_points is None:
        wounds = wounds.changed(level=event.level)
    else:
        wounds = with_body_points(scene, event.who, wounds, event.body_points)
    wounds = wounds.changed(dying_minutes=0, weakened=min(10, wounds.weakened + event.dice))
    one = scene.with_status(event.who, wounds=wounds, dying_rounds=0)[event.who]
    weaker = one.character.changed(wounds=one.character.wounds.changed(weakened=wounds.weakened))
    return scene.with_participant(evolve(one, character=weaker))
