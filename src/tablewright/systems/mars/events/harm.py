"""Damage, going down, dying and waking up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablewright.game.events import OWNER, Event, shown
from tablewright.game.scene import Scene
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.character import Effect
from tablewright.systems.mars.damage import Fate
from tablewright.systems.mars.events.costs import apply
from tablewright.systems.mars.status import (
    Status,
    fight,
)


@dataclass(frozen=True, kw_only=True)
class Hurt(Event):
    """Somebody took damage from something else than an attack."""

    who: str = shown()
    damage: int = shown()
    by: str = shown()
    endurance: int = shown(OWNER, default=0)
    health: int = shown(OWNER, default=0)

    def in_words(self) -> str:
        """How much, and from what."""
        return f"{self.who} takes {self.damage} damage ({self.by})"


@apply.on(Hurt)
def _hurt(scene: Scene, event: Hurt) -> Scene:
    status: Status = scene[event.who].status
    return scene.change(event.who, endurance=status.endurance - event.endurance, health=status.health - event.health)


@dataclass(frozen=True, kw_only=True)
class HealthLost(Event):
    """Somebody lost health without damage."""

    who: str = shown()
    amount: int = shown(OWNER)
    why: str = shown()

    def in_words(self) -> str:
        """Why."""
        return f"{self.who} loses {self.amount} health ({self.why})"


@apply.on(HealthLost)
def _health_lost(scene: Scene, event: HealthLost) -> Scene:
    return scene.change(event.who, health=scene[event.who].status.health - event.amount)


@dataclass(frozen=True, kw_only=True)
class Tolerated(Event):
    """Pain tolerance: what went beyond the last endurance is lost, once in an encounter: when it is first used up."""

    who: str = shown()
    spared: bool = shown(default=True)

    def in_words(self) -> str:
        """Who, if there was anything beyond it."""
        return f"{self.who} does not feel the rest" if self.spared else ""


@apply.on(Tolerated)
def _tolerated(scene: Scene, event: Tolerated) -> Scene:
    return scene.change(event.who, tolerated=fight(scene).begun)  # outside of encounters every time is the first


@dataclass(frozen=True, kw_only=True)
class Fell(Event):
    """Somebody went down: unconscious, or dying as well. ``awake`` is who stays conscious while dying.

    Who is unconscious for some rounds only wakes before a turn of somebody, in a round: ``turn_of`` and ``until``.
    """

    who: str = shown()
    fate: Fate = shown()
    awake: bool = shown(default=False)
    source: str = shown(default="")
    turn_of: str = shown(default="")
    until: int | None = shown(default=None)

    def in_words(self) -> str:
        """What has become of them."""
        awake = ", but stays conscious" if self.awake else ""
        return f"{self.who} is {self.fate.value}{awake}"


@apply.on(Fell)
def _fell(scene: Scene, event: Fell) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if event.fate is Fate.DYING:
        effects = stack.end(effects, "unconscious", source="nonlethal")
        effects = stack.gain(effects, Effect("dying"))
    if event.awake:
        return scene.change(event.who, effects=effects)
    senseless = Effect("unconscious", source=event.source, turn_of=event.turn_of, until=event.until)
    effects = stack.gain(stack.gain(effects, senseless), Effect("prone"))
    effects = stack.end_source(effects, status.concentration) if status.concentration else effects
    return scene.change(event.who, effects=effects, concentration="", ready=None, work=None)


@dataclass(frozen=True, kw_only=True)
class DyingChecked(Event):
    """A dying character's check was counted."""

    who: str = shown()
    successes: int = shown(OWNER)
    failures: int = shown(OWNER)

    def in_words(self) -> str:
        """What it counts."""
        return f"{self.who} struggles: {self.successes} successes, {self.failures} failures"


@apply.on(DyingChecked)
def _dying_checked(scene: Scene, event: DyingChecked) -> Scene:
    status: Status = scene[event.who].status
    effects = tuple(
        [
            replace(one, successes=one.successes + event.successes, failures=one.failures + event.failures)
            if one.kind == "dying"
            else one
            for one in status.effects
        ]
    )
    return scene.change(event.who, effects=effects)


@dataclass(frozen=True, kw_only=True)
class Stabilised(Event):
    """Somebody is no longer dying; who was unconscious stays so."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} is stable"


@apply.on(Stabilised)
def _stabilised(scene: Scene, event: Stabilised) -> Scene:
    return scene.change(event.who, effects=stack.end(scene[event.who].status.effects, "dying"))


@dataclass(frozen=True, kw_only=True)
class Died(Event):
    """Somebody is dead."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} dies"


@apply.on(Died)
def _died(scene: Scene, event: Died) -> Scene:
    return scene.change(event.who, dead=True, concentration="", ready=None, work=None)


@dataclass(frozen=True, kw_only=True)
class Woke(Event):
    """Somebody is conscious again, still lying where they fell."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} wakes up"


@apply.on(Woke)
def _woke(scene: Scene, event: Woke) -> Scene:
    return scene.change(event.who, effects=stack.end(scene[event.who].status.effects, "unconscious"))
