"""Effects with a duration: turns, rounds, clock time, or until removed.

A status with a field ``lasting`` holds effects (:class:`Affected`): :class:`EffectGained` adds one,
:class:`EffectEnded` removes it. Rounds and passing time end each effect when its duration is over.

>>> from tablewright.game.scene.scene import Scene
>>> scene = Scene("demo", round=3, order=("ann", "orc"), turn="ann")
>>> until_turn_of(scene, "orc").over(scene, "orc", "start")  # the orc acts later in this round
True
>>> until_turn_of(scene, "ann").over(scene, "ann", "end")  # this turn does not count, the next one does
False
>>> held = add_effect((), Effect("feinted", until_turn_of(scene, "orc", edge="end"), -20, stacks="apart"))
>>> [one.degree for one in add_effect(held, held[0])]  # every feint by itself
[-20, -20]
>>> stunned = Effect("stunned", for_rounds(scene, 1))
>>> [one.until.round for one in add_effect((stunned,), Effect("stunned", for_rounds(scene, 3)))]  # the longer counts
[5]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import Until, passing_fields, visible

Edge: TypeAlias = Literal["start", "end"]
Stacks: TypeAlias = Literal["longest", "strongest", "added", "apart"]

WEARS_OFF = "wears_off"
"""Name of the timer that ends effects with a duration in clock time."""


class Duration(NamedTuple):
    """The end of an effect: an edge of a turn, an edge of a round, or a moment of the clock.

    Without a round and a moment the effect stays until something removes it.
    """

    round: int | None = None
    whose: str = ""
    edge: Edge = "end"
    moment: int | None = None

    @property
    def in_rounds(self) -> bool:
        """True if it is counted in rounds and therefore means nothing outside an encounter."""
        return self.round is not None

    def over(self, scene: Scene, whose: str = "", edge: Edge | None = None) -> bool:
        """True if it has expired at this edge of a turn, of the round (if ``whose`` is empty), or already before.

        A participant who left or is not in the turn order has no turn: what depends on that turn expires with the
        round.
        """
        if self.moment is not None and scene.clock.now >= self.moment:
            return True
        if self.round is None or self.round > scene.round:
            return False
        if self.round < scene.round or (self.whose and self.whose in scene.acted):
            return True
        return (self.whose, self.edge) == (whose, edge) or (not whose and edge == "end")


OPEN_END = Duration()
"""Duration of an effect that stays until something removes it."""


def until_turn_of(scene: Scene, whose: str, count: int = 1, *, edge: Edge = "start") -> Duration:
    """Duration until an edge of a participant's ``count``-th turn from now; a turn under way does not count."""
    to_come = scene.turn != whose and whose not in scene.acted and whose in scene.order
    return Duration(scene.round + count - to_come, whose, edge)


def for_rounds(scene: Scene, count: int) -> Duration:
    """Duration until the end of this round, or of the ``count``-th round from this one."""
    return Duration(scene.round + count - 1)


def for_ticks(scene: Scene, ticks: int) -> Duration:
    """Duration of this many ticks of the clock."""
    return Duration(moment=scene.clock.now + ticks)


@dataclass(frozen=True, slots=True)
class Effect:
    """A condition or bonus on a participant. ``degree`` is its strength, ``by`` its author and ``source`` its origin.

    ``stacks`` decides about the same effect from the same source twice: the longest or the strongest counts, their
    degrees are added, or both stay apart. ``data`` belongs to the system.
    """

    id: str
    until: Duration = OPEN_END
    degree: int = 1
    by: str = ""
    source: str = ""
    stacks: Stacks = "longest"
    data: Any = None


def add_effect(held: tuple[Effect, ...], new: Effect) -> tuple[Effect, ...]:
    """Add an effect, merging it with an equal one as its ``stacks`` says."""
    if new.stacks == "apart":
        return (*held, new)
    for at, known in enumerate(held):
        if (known.id, known.source) == (new.id, new.source):
            return (*held[:at], _joined(known, new), *held[at + 1 :])
    return (*held, new)


def _joined(known: Effect, new: Effect) -> Effect:
    longer = max(known, new, key=_length)
    if new.stacks == "longest":
        return longer
    if new.stacks == "added":
        return replace(longer, degree=known.degree + new.degree)
    return max(known, new, key=lambda one: (abs(one.degree), _length(one)))


def _length(one: Effect) -> tuple[bool, int, int, bool]:
    """Sort key by duration: open-ended effects last longest, then those with clock time, then those in rounds."""
    until = one.until
    open_end = until.round is None and until.moment is None
    return open_end, until.moment or 0, until.round or 0, until.edge == "end"


class Affected:
    """Base class of a status that holds effects."""

    __slots__ = ()
    lasting: tuple[Effect, ...]

    def has(self, id_: str) -> bool:
        """True if an effect with this id is active."""
        for held in self.lasting:  # noqa: SIM110 - asked for many times in every turn
            if held.id == id_:
                return True
        return False

    def held(self, id_: str) -> Effect | None:
        """The first active effect with this id; None if there is none."""
        for held in self.lasting:
            if held.id == id_:
                return held
        return None


def total_strength(held: Iterable[Effect], id_: str) -> int:
    """Sum of the degrees of all effects with this id; 0 if there is none."""
    return sum([one.degree for one in held if one.id == id_])


def expired_effects(scene: Scene, whose: str = "", edge: Edge | None = None) -> list[tuple[str, Effect]]:
    """Expired effects as (participant id, effect) pairs; see :meth:`Duration.over`."""
    return [
        (one.id, held)
        for one in scene.participants
        for held in getattr(one.status, "lasting", ())
        if held.until.over(scene, whose, edge)
    ]


def refreshed(scene: Scene, end: Until, *people: Participant) -> Scene:
    """The scene without what lasted until now for these people, as the fields of their status declare it."""
    for one in people:
        kind: Any = type(one.status)
        over = passing_fields(kind, end)
        changed = {name: value for name, value in over.items() if getattr(one.status, name) != value}
        if changed:
            scene = scene.with_status(one.id, **changed)
    return scene


def without_rounds(scene: Scene) -> Scene:
    """The scene without effects that are counted in rounds, for no one takes a turn any more."""
    for one in scene.participants:
        left = tuple([held for held in one.status.lasting if not held.until.in_rounds])
        if len(left) < len(one.status.lasting):
            scene = scene.with_status(one.id, lasting=left)
    return scene


# ---------------------------------------------------------------------- events


class EffectGained(ParticipantEvent, kind="TookHold"):
    """A participant gained an effect."""

    what: Effect = visible()

    def narrate(self) -> str:
        """The participant, the effect and its degree unless that is 1."""
        number = "" if self.what.degree == 1 else f" {self.what.degree}"
        return f"{self.who}: {self.what.id.replace('_', ' ')}{number}"


class EffectEnded(ParticipantEvent, kind="WoreOff"):
    """An effect on a participant ended."""

    what: Effect = visible()

    def narrate(self) -> str:
        """The participant and the ended effect."""
        return f"{self.who}: {self.what.id.replace('_', ' ')} is over"


lasting: Reducer[Scene] = Reducer()
"""Reducer for the two effect events; part of the common reducer."""


@lasting.on(EffectGained)
def _took_hold(scene: Scene, event: EffectGained) -> Scene:
    moment = event.what.until.moment
    if moment is not None and moment > scene.clock.now:
        clock = scene.clock.schedule(WEARS_OFF, after=moment - scene.clock.now)
        scene = evolve(scene, clock=clock)
    return scene.with_status(event.who, lasting=add_effect(scene[event.who].status.lasting, event.what))


@lasting.on(EffectEnded)
def _wore_off(scene: Scene, event: EffectEnded) -> Scene:
    held: tuple[Effect, ...] = scene[event.who].status.lasting
    at = held.index(event.what)
    return scene.with_status(event.who, lasting=(*held[:at], *held[at + 1 :]))


def expire_effects(game: Game, whose: str = "", edge: Edge | None = None, *, cause: str) -> None:
    """Emit the end of every effect that has expired at this edge of a turn or round, or already before."""
    for who, held in expired_effects(game.scene, whose, edge):
        game.emit(EffectEnded(who=who, what=held, cause=cause))
