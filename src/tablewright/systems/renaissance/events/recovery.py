"""Events between fights: rest, care, sickness, trade, experience."""

from __future__ import annotations

from typing import Any

from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.tracks import shared_fields
from tablewright.game.play.trade import after_trade
from tablewright.game.scene.events import ParticipantEvent
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.scene.visibility import OWNER, secret, visible
from tablewright.systems.renaissance.character.gear import in_hand, new_place, taken_up, without
from tablewright.systems.renaissance.events.fight import apply
from tablewright.systems.renaissance.status import Job, Plan, Status, with_durability


@apply.by(lambda scene, event: scene.with_status(event.who, **shared_fields(Status, event)))
class Healed(ParticipantEvent):
    """A recovery: the harm that is left, by the names of the fields; only the owner sees the numbers."""

    why: str = visible()
    damage: int = visible(OWNER)
    wounds: int = visible(OWNER)
    bound: int = visible(OWNER)
    tried: int = visible(OWNER)
    stress: int = visible(OWNER)
    traumas: int = visible(OWNER)
    soothed: int = visible(OWNER)
    meditated: int = visible(OWNER)
    mending: int = visible(OWNER)
    easing: int = visible(OWNER)
    overwhelmed: bool = visible()

    @classmethod
    def of(cls, who: str, status: Status, why: str, cause: str, **changes: Any) -> Healed:
        """The event for a status of which only some fields change; wounds that are not negated heal first."""
        found = shared_fields(cls, status) | changes
        for name, most in (("bound", "wounds"), ("tried", "wounds"), ("soothed", "traumas"), ("meditated", "traumas")):
            found[name] = min(found[name], found[most])
        return cls(who=who, why=why, cause=cause, **found)


@apply.sets("incubating")
class Infected(ParticipantEvent):
    """A disease that was caught or does not show any more; no one but the game master knows."""

    incubating: tuple[str, ...] = secret()


@apply.by(lambda scene, event: with_durability(scene.with_status(event.who, dur_lost=event.dur_lost), event.who))
class Wasted(ParticipantEvent):
    """A disease has reduced Durability."""

    dur_lost: int = visible()


@apply.sets("plan")
class Planned(ParticipantEvent):
    """The days of a character are planned."""

    what: str = visible(OWNER)
    plan: Plan = visible(OWNER)


class Worked(ParticipantEvent):
    """Work has gone on: what is left of jobs, steps of a ritual that are done, by name."""

    what: str = visible()
    told: str = visible(OWNER, default="")
    work: tuple[tuple[str, int], ...] | None = visible(OWNER, default=None)
    jobs: tuple[Job, ...] | None = visible(OWNER, default=None)


@apply.on(Worked)
def _worked(scene: Scene, event: Worked) -> Scene:
    changes = {"work": event.work, "jobs": event.jobs}
    return scene.with_status(event.who, **{name: value for name, value in changes.items() if value is not None})


@apply.sets(tasked=lambda _, event: event.minutes)
class TimeSpent(ParticipantEvent):
    """Minutes of the day that went into tasks so far."""

    minutes: int = visible(OWNER)


# ---------------------------------------------------------------------- things that change hands


@apply.on(BelongingsChanged, instead=True)
def _traded(scene: Scene, event: BelongingsChanged) -> Scene:
    """Apply a trade; after it, belongings and money are no longer measured by creation points."""
    had = scene[event.who].belongings
    changed = after_trade(common_reducer(scene, event), event, had)
    for lies in event.taken_up:
        changed = _with_coating(changed, event.who, lies, new_place(had, event.belongings, lies.item))
    return changed


def _with_coating(scene: Scene, who: str, lies: LooseItem, place: str) -> Scene:
    """Move the coating of a weapon to the participant who takes it up."""
    if lies.owner not in scene:
        return scene
    left, poison = taken_up(scene[lies.owner].status.coated, lies.item)
    if not poison:
        return scene
    scene = scene.with_status(lies.owner, coated=left)
    weapon = in_hand(lies.item, place)
    return scene.with_status(who, coated=(*without(scene[who].status.coated, weapon), (weapon, poison)))
