"""What lasts for a time: until somebody's turn, for rounds, until a moment of the clock, or until something ends it.

A status that has a field ``lasting`` holds such things: :class:`TookHold` puts one there, :class:`WoreOff` takes it
away. Rounds and passing time let everything wear off at its edge by themselves.

>>> from tablewright.game.scene import Scene
>>> scene = Scene("demo", round=3, order=("ann", "orc"), turn="ann")
>>> until_turn(scene, "orc").over(scene, "orc", "start")  # the orc acts later in this round
True
>>> until_turn(scene, "ann").over(scene, "ann", "end")  # this turn does not count, the next one does
False
>>> held = gain((), Lasting("feinted", until_turn(scene, "orc", edge="end"), -20, stacks="apart"))
>>> [one.degree for one in gain(held, held[0])]  # every feint by itself
[-20, -20]
>>> stunned = Lasting("stunned", for_rounds(scene, 1))
>>> [one.until.round for one in gain((stunned,), Lasting("stunned", for_rounds(scene, 3)))]  # the longer one counts
[5]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.events import Apply, Event, shown
from tablewright.game.scene import Live, Scene, replaced

Edge: TypeAlias = Literal["start", "end"]
Stacks: TypeAlias = Literal["longest", "strongest", "added", "apart"]

WEARS_OFF = "wears_off"
"""What falls due on the clock when something ends at a moment."""


class Until(NamedTuple):
    """When something ends by itself: at an edge of somebody's turn in a round or of the round itself, or at a moment.

    Without a round and without a moment it stays until something ends it.
    """

    round: int | None = None
    whose: str = ""
    edge: Edge = "end"
    moment: int | None = None

    @property
    def in_rounds(self) -> bool:
        """Whether it is counted in rounds, and so means nothing once the encounter is over."""
        return self.round is not None

    def over(self, scene: Scene, whose: str = "", edge: Edge | None = None) -> bool:
        """Whether it is over at an edge of somebody's turn, or of the round where nobody is named, or by now at all.

        Whoever is gone or out of order has no turn any more: what hangs on that turn is over with the round.
        """
        if self.moment is not None and scene.clock.now >= self.moment:
            return True
        if self.round is None or self.round > scene.round:
            return False
        if self.round < scene.round or (self.whose and self.whose in scene.acted):
            return True
        return (self.whose, self.edge) == (whose, edge) or (not whose and edge == "end")


OPEN_END = Until()
"""Until something ends it."""


def until_turn(scene: Scene, whose: str, count: int = 1, *, edge: Edge = "start") -> Until:
    """Until an edge of somebody's next turn, or of the one so many turns on; a turn under way is not counted."""
    to_come = scene.turn != whose and whose not in scene.acted and whose in scene.order
    return Until(scene.round + count - to_come, whose, edge)


def for_rounds(scene: Scene, count: int) -> Until:
    """Until the end of this round, or of the one so many rounds on."""
    return Until(scene.round + count - 1)


def same_turn_later(scene: Scene, rounds: int) -> Until:
    """Until just before the turn that is under way now, so many rounds later; between turns until a round begins."""
    return Until(scene.round + rounds, scene.turn or "", "start")


def for_time(scene: Scene, ticks: int) -> Until:
    """Until so much time has passed."""
    return Until(moment=scene.clock.now + ticks)


@dataclass(frozen=True, slots=True)
class Lasting:
    """Something that has hold of somebody. ``degree`` is how strong it is, ``by`` who and ``source`` what brought it.

    ``stacks`` says what becomes of the same thing from the same source twice: the one that lasts longest or the
    stronger one counts, their degrees are added, or each stays by itself. ``data`` is the system's own.
    """

    id: str
    until: Until = OPEN_END
    degree: int = 1
    by: str = ""
    source: str = ""
    stacks: Stacks = "longest"
    data: Any = None


def gain(held: tuple[Lasting, ...], new: Lasting) -> tuple[Lasting, ...]:
    """What somebody has when one more thing takes hold."""
    if new.stacks == "apart":
        return (*held, new)
    for at, known in enumerate(held):
        if (known.id, known.source) == (new.id, new.source):
            return (*held[:at], _joined(known, new), *held[at + 1 :])
    return (*held, new)


def _joined(known: Lasting, new: Lasting) -> Lasting:
    longer = max(known, new, key=_length)
    if new.stacks == "longest":
        return longer
    if new.stacks == "added":
        return replace(longer, degree=known.degree + new.degree)
    return max(known, new, key=lambda one: (abs(one.degree), _length(one)))


def _length(one: Lasting) -> tuple[bool, int, int, bool]:
    """What only something else can end lasts longest, then what is counted by the clock, then what is in rounds."""
    until = one.until
    open_end = until.round is None and until.moment is None
    return open_end, until.moment or 0, until.round or 0, until.edge == "end"


def holds(held: Iterable[Lasting], id_: str) -> Lasting | None:
    """The first thing of a kind that has hold of somebody; None if none has."""
    return next((one for one in held if one.id == id_), None)


def degree(held: Iterable[Lasting], id_: str) -> int:
    """How strong everything of a kind is together; 0 if nothing has hold."""
    return sum([one.degree for one in held if one.id == id_])


def ending(scene: Scene, whose: str = "", edge: Edge | None = None) -> list[tuple[str, Lasting]]:
    """Whom what holds that is over now, as :meth:`Until.over` says."""
    return [
        (one.id, held)
        for one in scene.participants
        for held in getattr(one.status, "lasting", ())
        if held.until.over(scene, whose, edge)
    ]


def from_source(scene: Scene, source: str, by: str = "") -> list[tuple[str, Lasting]]:
    """Whom what holds that one source keeps up, by one person where one is named: it ends with the source."""
    return [
        (one.id, held)
        for one in scene.participants
        for held in getattr(one.status, "lasting", ())
        if held.source == source and by in ("", held.by)
    ]


# ---------------------------------------------------------------------- taking hold and wearing off


@dataclass(frozen=True, kw_only=True)
class TookHold(Event):
    """Something has taken hold of somebody for a time."""

    who: str = shown()
    what: Lasting = shown()

    def in_words(self) -> str:
        """Who is held by what."""
        number = "" if self.what.degree == 1 else f" {self.what.degree}"
        return f"{self.who}: {self.what.id.replace('_', ' ')}{number}"


@dataclass(frozen=True, kw_only=True)
class WoreOff(Event):
    """What had hold of somebody is over."""

    who: str = shown()
    what: Lasting = shown()

    def in_words(self) -> str:
        """Who is rid of what."""
        return f"{self.who}: {self.what.id.replace('_', ' ')} is over"


lasting: Apply[Scene] = Apply()
"""How these two change a scene; every system has them with the common events."""


@lasting.on(TookHold)
def _took_hold(scene: Scene, event: TookHold) -> Scene:
    moment = event.what.until.moment
    if moment is not None and moment > scene.clock.now:
        clock = scene.clock.schedule(WEARS_OFF, after=moment - scene.clock.now)
        scene = replaced(scene, clock=clock)
    return scene.change(event.who, lasting=gain(scene[event.who].status.lasting, event.what))


@lasting.on(WoreOff)
def _wore_off(scene: Scene, event: WoreOff) -> Scene:
    held: tuple[Lasting, ...] = scene[event.who].status.lasting
    at = held.index(event.what)
    return scene.change(event.who, lasting=(*held[:at], *held[at + 1 :]))


def wear_off(game: Live, whose: str = "", edge: Edge | None = None, *, cause: str) -> None:
    """Let everything wear off that is over at an edge of somebody's turn, of the round, or by now at all."""
    for who, held in game.of_scene(ending, whose, edge):
        game.emit(WoreOff(who=who, what=held, cause=cause))
