"""Who acts when: initiative, surprise, rounds, turns, delays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tablewright.game.common import Joined, RoundStarted, TurnEnded, common
from tablewright.game.events import Event, shown
from tablewright.game.scene import Scene, replaced
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.events.costs import after_escaping, apply
from tablewright.systems.mars.status import (
    Status,
    Turn,
    fight,
)


@dataclass(frozen=True, kw_only=True)
class OrderDecided(Event):
    """Who acts when, delays left aside, and whether it begins with a surprise round."""

    about: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = shown()
    surprise: bool = shown(default=False)

    def in_words(self) -> str:
        """The order."""
        return f"{'surprise! ' if self.surprise else ''}order: {', '.join(self.order)}"


@apply.on(OrderDecided)
def _order_decided(scene: Scene, event: OrderDecided) -> Scene:
    known = fight(scene)
    if not known.begun and not event.surprise:  # without a surprise round nobody stays surprised
        scene = _unsurprised(scene)
    return replaced(
        scene, order=event.order, extra=replaced(known, begun=True, surprise=event.surprise, order=event.order)
    )


def _unsurprised(scene: Scene) -> Scene:
    for one in scene.participants:
        if one.status.surprised:
            scene = scene.change(one.id, surprised=False)
    return scene


@dataclass(frozen=True, kw_only=True)
class InitiativeRolled(Event):
    """Somebody rolled initiative."""

    who: str = shown()
    total: int = shown()

    def in_words(self) -> str:
        """Who, and how much."""
        return f"{self.who} rolls initiative {self.total}"


@apply.on(InitiativeRolled)
def _initiative_rolled(scene: Scene, event: InitiativeRolled) -> Scene:
    return scene.change(event.who, initiative=event.total)


@dataclass(frozen=True, kw_only=True)
class WasSurprised(Event):
    """Somebody is unaware of all opponents."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} is surprised"


@apply.on(WasSurprised)
def _was_surprised(scene: Scene, event: WasSurprised) -> Scene:
    return scene.change(event.who, surprised=True)


@dataclass(frozen=True, kw_only=True)
class SurpriseOver(Event):
    """The surprise round is over: everybody is aware, and everybody has a place in the order."""

    about: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = shown()

    def in_words(self) -> str:
        """The order from now on."""
        return f"the surprise is over; order: {', '.join(self.order)}"


@apply.on(SurpriseOver)
def _surprise_over(scene: Scene, event: SurpriseOver) -> Scene:
    scene = _unsurprised(scene)
    return replaced(scene, order=event.order, extra=replaced(fight(scene), surprise=False, order=event.order))


@apply.on(RoundStarted, instead=True)
def _round_started(scene: Scene, event: RoundStarted) -> Scene:
    options = scene.options
    known = fight(scene)
    everybody = []
    for one in scene.participants:
        status: Status = one.status
        if status.delayed or (options.reaction_refresh == "round_start" and not status.turn.reaction):
            fresh = options.reaction_refresh == "round_start"
            turn = status.turn._replace(reaction=True) if fresh else status.turn
            everybody.append(replaced(one, status=replaced(status, delayed=False, turn=turn)))
        else:
            everybody.append(one)
    order = scene.order if options.delay_persists or not known.begun else known.order
    return replaced(scene, round=event.number, acted=(), turn=None, order=order, participants=tuple(everybody))


@dataclass(frozen=True, kw_only=True)
class TurnBegan(Event):
    """Somebody's turn has truly begun: time, free action and reaction are there again, stuns take their toll.

    It is ``settled`` that it begins now where something waited for its start, which has happened by then.
    """

    who: str = shown()
    stuns: int = shown(default=0)
    settled: bool = shown(default=False)

    def in_words(self) -> str:
        """What stuns took of the turn; that it is somebody's turn was said before."""
        times = "once" if self.stuns == 1 else f"{self.stuns} times"
        return f"{self.who} begins stunned, {times}" if self.stuns else ""


@apply.on(TurnBegan)
def _turn_began(scene: Scene, event: TurnBegan) -> Scene:
    status: Status = scene[event.who].status
    turn = Turn.begun(event.stuns)._replace(fresh=not event.settled)
    if scene.options.reaction_refresh == "round_start":
        turn = turn._replace(reaction=status.turn.reaction)
    lapses = scene.options.ready_expiry == "next_own_turn"
    return scene.change(
        event.who,
        turn=turn,
        earlier=status.turn,
        ready=None if lapses else status.ready,
        effects=stack.end(status.effects, "stunned") if event.stuns else status.effects,
    )


@apply.after(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    if event.who not in scene:
        return scene
    turn: Turn = scene[event.who].status.turn
    scene = after_escaping(scene, event.who, slips=False)
    return scene.change(event.who, turn=turn._replace(seconds=0, free=False, fresh=False), earlier=None)


@dataclass(frozen=True, kw_only=True)
class Delayed(Event):
    """Somebody acts later in this round."""

    about = ("who", "after")
    who: str = shown()
    after: str = shown()

    def in_words(self) -> str:
        """After whom."""
        return f"{self.who} waits until after {self.after}"


@apply.on(Delayed)
def _delayed(scene: Scene, event: Delayed) -> Scene:
    status: Status = scene[event.who].status
    turn = status.earlier if status.earlier is not None else status.turn
    scene = scene.change(event.who, delayed=True, turn=turn, earlier=None)
    others = [who for who in scene.order if who != event.who]
    at = others.index(event.after) + 1
    order = (*others[:at], event.who, *others[at:])
    known = fight(scene)
    base = order if scene.options.delay_persists else known.order
    return replaced(scene, turn=None, order=order, extra=replaced(known, order=base))


@apply.on(Joined, instead=True)
def _joined(scene: Scene, event: Joined) -> Scene:
    came = event.participant
    changed = replace(event, participant=replaced(came, status=replaced(came.status, initiative=None)))
    return common(scene, changed)
