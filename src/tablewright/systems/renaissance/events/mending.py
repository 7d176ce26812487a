"""What happens outside of turns: healing, diseases, plans, tasks and jobs, things that change hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tablewright.game.common import BelongingsChanged, common
from tablewright.game.events import OWNER, Event, secret, shown
from tablewright.game.lying import Lying
from tablewright.game.scene import Scene
from tablewright.game.trading import after_trade
from tablewright.systems.renaissance.coating import in_hand, new_place, taken_up, without
from tablewright.systems.renaissance.events.fighting import apply
from tablewright.systems.renaissance.status import Job, Plan, Status, with_durability


@dataclass(frozen=True, kw_only=True)
class Healed(Event):
    """Somebody is better: what is left of harm, by the names of the fields; only the owner sees the numbers."""

    words = "{who}: {why}"
    who: str = shown()
    why: str = shown()
    damage: int = shown(OWNER)
    wounds: int = shown(OWNER)
    bound: int = shown(OWNER)
    tried: int = shown(OWNER)
    stress: int = shown(OWNER)
    traumas: int = shown(OWNER)
    soothed: int = shown(OWNER)
    meditated: int = shown(OWNER)
    mending: int = shown(OWNER)
    easing: int = shown(OWNER)
    overwhelmed: bool = shown()

    FIELDS: ClassVar[tuple[str, ...]] = (
        "damage",
        "wounds",
        "bound",
        "tried",
        "stress",
        "traumas",
        "soothed",
        "meditated",
        "mending",
        "easing",
        "overwhelmed",
    )

    @classmethod
    def of(cls, who: str, status: Status, why: str, cause: str, **changes: Any) -> Healed:
        """What somebody is like afterwards: as they are, but for some fields."""
        now = {name: getattr(status, name) for name in cls.FIELDS} | changes
        return cls(who=who, why=why, cause=cause, **now)


@apply.on(Healed)
def _healed(scene: Scene, event: Healed) -> Scene:
    return scene.change(event.who, **{name: getattr(event, name) for name in Healed.FIELDS})


@dataclass(frozen=True, kw_only=True)
class Infected(Event):
    """Somebody has caught something, or something does not show any more; nobody but the game master knows."""

    who: str = shown()
    incubating: tuple[str, ...] = secret()

    def in_words(self) -> str:
        """What somebody carries by now."""
        carried = ", ".join([one.replace("_", " ") for one in self.incubating])
        return f"{self.who} carries unseen: {carried}" if carried else f"{self.who} carries nothing unseen any more"


@apply.on(Infected)
def _infected(scene: Scene, event: Infected) -> Scene:
    return scene.change(event.who, incubating=event.incubating)


@dataclass(frozen=True, kw_only=True)
class Wasted(Event):
    """A disease has taken from somebody's Durability."""

    words = "{who} wastes away"
    who: str = shown()
    dur_lost: int = shown()


@apply.on(Wasted)
def _wasted(scene: Scene, event: Wasted) -> Scene:
    return with_durability(scene.change(event.who, dur_lost=event.dur_lost), event.who)


@dataclass(frozen=True, kw_only=True)
class Planned(Event):
    """How somebody spends their days from now on."""

    words = "{who} plans: {what}"
    who: str = shown()
    what: str = shown(OWNER)
    plan: Plan = shown(OWNER)


@apply.on(Planned)
def _planned(scene: Scene, event: Planned) -> Scene:
    return scene.change(event.who, plan=event.plan)


@dataclass(frozen=True, kw_only=True)
class Worked(Event):
    """Work has gone on: what is left of jobs, steps of a ritual that are done, by name."""

    words = "{who} works on {what}[: {told}]"
    who: str = shown()
    what: str = shown()
    told: str = shown(OWNER, default="")
    work: tuple[tuple[str, int], ...] | None = shown(OWNER, default=None)
    jobs: tuple[Job, ...] | None = shown(OWNER, default=None)


@apply.on(Worked)
def _worked(scene: Scene, event: Worked) -> Scene:
    changes = {"work": event.work, "jobs": event.jobs}
    return scene.change(event.who, **{name: value for name, value in changes.items() if value is not None})


@dataclass(frozen=True, kw_only=True)
class TimeSpent(Event):
    """How many minutes of the day somebody has given to tasks by now."""

    who: str = shown()
    minutes: int = shown(OWNER)

    def in_words(self) -> str:
        """Nothing: the task itself is told."""
        return ""


@apply.on(TimeSpent)
def _time_spent(scene: Scene, event: TimeSpent) -> Scene:
    return scene.change(event.who, tasked=event.minutes)


# ---------------------------------------------------------------------- things that change hands


@apply.on(BelongingsChanged, instead=True)
def _traded(scene: Scene, event: BelongingsChanged) -> Scene:
    """As usual; whoever has got something more, or other money, is not measured by creation points any more."""
    had = scene[event.who].belongings
    changed = after_trade(common(scene, event), event, had)
    for lies in event.taken_up:
        changed = _with_coating(changed, event.who, lies, new_place(had, event.belongings, lies.item))
    return changed


def _with_coating(scene: Scene, who: str, lies: Lying, place: str) -> Scene:
    """What is on a weapon goes with it to whoever takes it up."""
    if lies.owner not in scene:
        return scene
    left, poison = taken_up(scene[lies.owner].status.coated, lies.item)
    if not poison:
        return scene
    scene = scene.change(lies.owner, coated=left)
    weapon = in_hand(lies.item, place)
    return scene.change(who, coated=(*without(scene[who].status.coated, weapon), (weapon, poison)))
