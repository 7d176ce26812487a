"""What people do in a turn besides attacking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tablewright.game.belongings import Belongings
from tablewright.game.events import OWNER, Event, shown
from tablewright.game.ground import Position
from tablewright.game.lying import Lying, gather, take_up
from tablewright.game.scene import Scene, replaced
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.character import Effect
from tablewright.systems.mars.events.costs import Costly, apply, paid, told
from tablewright.systems.mars.status import (
    Fight,
    Ready,
    ReadyTrigger,
    Status,
    Turn,
    Work,
    fight,
)


@dataclass(frozen=True, kw_only=True)
class Walked(Costly):
    """Somebody moves: where to by now, and how far all in all."""

    slips: ClassVar[bool] = True
    position: Position = shown()
    metres: int = shown(default=0)
    sets_out: bool = shown(default=False)

    def in_words(self) -> str:
        """Where to."""
        return told(self, f"{self.who} sets out" if self.sets_out else f"{self.who} moves to {self.position}")


@apply.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=turn._replace(moves=turn.moves + 1))
    scene = scene.with_participant(replaced(scene[event.who], position=event.position))
    return replaced(scene, extra=replaced(fight(scene), mover=event.who))


@dataclass(frozen=True, kw_only=True)
class Stopped(Event):
    """Somebody's movement is over for this turn."""

    who: str = shown()

    def in_words(self) -> str:
        """Whose."""
        return f"{self.who} is stopped"


@apply.on(Stopped)
def _stopped(scene: Scene, event: Stopped) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return scene.change(event.who, turn=turn._replace(stopped=True))


@dataclass(frozen=True, kw_only=True)
class Acted(Costly):
    """Somebody did something: what, on whom or with what, and what became of it."""

    action: str = shown()
    target: str | None = shown(default=None)
    detail: str = shown(default="")
    check: bool = shown(default=False)

    about = ("who", "target")

    def in_words(self) -> str:
        """What."""
        on = f" {self.target}" if self.target else ""
        detail = f" {self.detail.replace('_', ' ')}" if self.detail else ""
        return told(self, f"{self.who}: {self.action.replace('_', ' ')}{on}{detail}")


@apply.on(Acted)
def _acted(scene: Scene, event: Acted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=turn._replace(checks=turn.checks + event.check))


@dataclass(frozen=True, kw_only=True)
class ManeuverUsed(Costly):
    """Somebody uses a maneuver that is more than an attack."""

    maneuver: str = shown()
    target: str | None = shown(default=None)

    about = ("who", "target")

    def in_words(self) -> str:
        """Which one."""
        on = f" on {self.target}" if self.target else ""
        return told(self, f"{self.who}: {self.maneuver.replace('_', ' ')}{on}")


@apply.on(ManeuverUsed)
def _maneuver_used(scene: Scene, event: ManeuverUsed) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=turn._replace(maneuvers=(*turn.maneuvers, event.maneuver)))


@dataclass(frozen=True, kw_only=True)
class HandsChanged(Costly):
    """Somebody wields other things now, has reloaded or picked something up."""

    belongings: Belongings = shown(OWNER)
    what: str = shown()
    picked_up: tuple[Lying, ...] = shown(default=())

    def in_words(self) -> str:
        """What."""
        return told(self, f"{self.who}: {self.what}")


@apply.on(HandsChanged)
def _hands_changed(scene: Scene, event: HandsChanged) -> Scene:
    return take_up(paid(scene, event, belongings=event.belongings), *event.picked_up)


@dataclass(frozen=True, kw_only=True)
class GotReady(Costly):
    """Somebody waits for a trigger with an action."""

    trigger: ReadyTrigger = shown(OWNER)
    action: str = shown(OWNER)

    def in_words(self) -> str:
        """For what."""
        return told(self, f"{self.who} readies {self.action} for: {self.trigger.replace('_', ' ')}")


@apply.on(GotReady)
def _got_ready(scene: Scene, event: GotReady) -> Scene:
    return paid(scene, event, ready=Ready(event.trigger, event.action))


@dataclass(frozen=True, kw_only=True)
class ReadyTaken(Event):
    """Somebody's readied action is carried out now, as a reaction; ``over`` when it has been."""

    who: str = shown()
    over: bool = shown(default=False)

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} has done it" if self.over else f"{self.who} was ready for that"


@apply.on(ReadyTaken)
def _ready_taken(scene: Scene, event: ReadyTaken) -> Scene:
    turn: Turn = scene[event.who].status.turn
    if event.over:
        return scene.change(event.who, turn=turn._replace(reacting=False))
    return scene.change(event.who, ready=None, turn=turn._replace(reacting=True, reaction=False))


@dataclass(frozen=True, kw_only=True)
class WorkedOn(Costly):
    """Somebody goes on with an extended action; without work it is given up or done."""

    work: Work | None = shown(default=None)
    given_up: bool = shown(default=False)

    def in_words(self) -> str:
        """How far it has come."""
        if self.work is None:
            return f"{self.who} {'gives it up' if self.given_up else 'is done'}"
        return told(self, f"{self.who} works on {self.work.detail}: {self.work.done} of {self.work.needed} s")


@apply.on(WorkedOn)
def _worked_on(scene: Scene, event: WorkedOn) -> Scene:
    return paid(scene, event, work=event.work)


@dataclass(frozen=True, kw_only=True)
class CaughtBreath(Costly):
    """A second wind: endurance is back."""

    endurance: int = shown(OWNER)

    def in_words(self) -> str:
        """Who."""
        return told(self, f"{self.who} gets a second wind")


@apply.on(CaughtBreath)
def _caught_breath(scene: Scene, event: CaughtBreath) -> Scene:
    status: Status = scene[event.who].status
    used = status.used.put("second_wind", status.used.get("second_wind", 0) + 1)
    return paid(
        scene,
        event,
        endurance=status.endurance + event.endurance,
        used=used,
        turn=status.turn._replace(talents=(*status.turn.talents, "second_wind")),
    )


@dataclass(frozen=True, kw_only=True)
class FlewIntoRage(Costly):
    """Somebody rages: stronger and tougher, easier to hit."""

    strength: int = shown()
    reduction: int = shown()
    rating: int = shown()

    def in_words(self) -> str:
        """Who."""
        return told(self, f"{self.who} flies into a rage")


@apply.on(FlewIntoRage)
def _flew_into_rage(scene: Scene, event: FlewIntoRage) -> Scene:
    status: Status = scene[event.who].status
    effects = stack.gain(status.effects, Effect("rage", degree=event.reduction, source="rage"))
    effects = stack.gain(effects, Effect("stat_change", stat="STR", value=event.strength, source="rage"))
    effects = stack.gain(effects, Effect("rating", value=event.rating, source="rage"))
    turn = status.turn._replace(talents=(*status.turn.talents, "rage"))
    return paid(scene, event, effects=effects, turn=turn)


@dataclass(frozen=True, kw_only=True)
class TollPaid(Event):
    """Keeping something up has cost stamina."""

    who: str = shown()
    stamina: int = shown()

    def in_words(self) -> str:
        """How much."""
        return f"{self.who} pays {self.stamina} stamina for the rage"


@apply.on(TollPaid)
def _toll_paid(scene: Scene, event: TollPaid) -> Scene:
    return scene.change(event.who, stamina=scene[event.who].status.stamina - event.stamina)


@dataclass(frozen=True, kw_only=True)
class Gathered(Event):
    """When it is over, what lay on the ground is with its owners again; what is counted in turns has ended."""

    about: ClassVar[tuple[str, ...]] = ()
    items: tuple[str, ...] = shown(default=())

    def in_words(self) -> str:
        """What was taken up."""
        things = ", ".join([item.replace("_", " ") for item in self.items])
        return f"everybody takes up what is theirs: {things}" if things else "everybody catches their breath"


@apply.on(Gathered)
def _gathered(scene: Scene, event: Gathered) -> Scene:
    scene = gather(scene)
    for one in scene.participants:
        status: Status = one.status
        scene = scene.change(
            one.id,
            effects=stack.after_encounter(status.effects),
            turn=Turn(),
            earlier=None,
            ready=None,
            work=None,
            initiative=None,
            tolerated=False,
            surprised=False,
        )
    return replaced(scene, extra=Fight())


@dataclass(frozen=True, kw_only=True)
class TaskDone(Event):
    """One of the checks of a complex challenge succeeded."""

    who: str = shown()
    task: str = shown()

    def in_words(self) -> str:
        """Which one."""
        return f"{self.who}: {self.task} is done"


@apply.on(TaskDone)
def _task_done(scene: Scene, event: TaskDone) -> Scene:
    known = fight(scene)
    return replaced(scene, extra=replaced(known, done=(*known.done, event.task)))
