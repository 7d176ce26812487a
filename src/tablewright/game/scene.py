"""A scene: one encounter or one stretch of time with its participants, as an immutable value."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import itemgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from tablewright.engine import Game, Tally
from tablewright.errors import BadInput, nearest
from tablewright.game.belongings import Belongings
from tablewright.game.clock import Clock
from tablewright.game.events import GAME_MASTER, Event, shown
from tablewright.game.ground import Facts, Ground, Together
from tablewright.game.lying import Lying

if TYPE_CHECKING:
    from tablewright.game.pending import Pending
    from tablewright.game.rulebook import Rulebook


class NobodyHere(BadInput):
    """Somebody was named who is not in the scene; ``who`` is the name, and the message says who is here."""

    def __init__(self, who: str, here: Iterable[str]) -> None:
        known = list(here)
        super().__init__(f'nobody here is called "{who:.40}"; here are: {", ".join(known)}{nearest(who, known)}')
        self.who = who


D = TypeVar("D")
R = TypeVar("R")
_Read: TypeAlias = Callable[[Any], tuple[Any, ...]]
_Write: TypeAlias = Mapping[str, Callable[[Any, Any], None]]
_plans: dict[type, tuple[Callable[[Any], Any], _Write] | None] = {}
"""By kind of value: what makes a copy of one, and how each field of the copy is written."""


def replaced(value: D, **changes: Any) -> D:
    """A frozen value with some fields changed: what ``dataclasses.replace`` gives, in a third of the time.

    Scenes and statuses are replaced with every event. Where a class has no slots or completes itself after it was made,
    it is made anew.
    """
    kind = type(value)
    try:
        plan = _plans[kind]
    except KeyError:
        plan = _plans[kind] = _plan(kind)
    if plan is None or not changes.keys() <= plan[1].keys():
        return replace(value, **changes)  # type: ignore[type-var]
    new: D = plan[0](value)
    for name, now in changes.items():
        plan[1][name](new, now)
    return new


def copied_by(kind: type, read: _Read, write: _Write) -> None:
    """Say how values of a class are copied by :func:`replaced`: what is read of one, and how each part is written."""

    def copy(value: Any) -> Any:
        new: Any = object.__new__(kind)
        for setter, now in zip(write.values(), read(value), strict=True):
            setter(new, now)
        return new

    _plans[kind] = copy, write


def _plan(kind: type) -> tuple[Callable[[Any], Any], _Write] | None:
    """How values of a class with slots are copied: by a function that is written out for its fields."""
    slots = {entry.name: getattr(kind, entry.name, None) for entry in fields(kind)}
    write = {name: slot.__set__ for name, slot in slots.items() if isinstance(slot, MemberDescriptorType)}
    if len(write) < max(2, len(slots)) or hasattr(kind, "__post_init__"):
        return None
    lines = [f"    write_{name}(new, value.{name})" for name in write]
    known: dict[str, Any] = {f"write_{name}": setter for name, setter in write.items()}
    known |= {"make": object.__new__, "kind": kind}
    exec("\n".join(["def copy(value):", "    new = make(kind)", *lines, "    return new"]), known)
    return known["copy"], write


class _Answering:
    """A place for what was found out about this very value: no part of it, and gone with it."""

    __slots__ = ("_answers",)

    _answers: dict[Any, Any]

    @property
    def answers(self) -> dict[Any, Any]:
        """What was found out, by the question (see ``remembering.of_scene``)."""
        try:
            return self._answers
        except AttributeError:
            object.__setattr__(self, "_answers", {})
            return self._answers


class _Hashed(_Answering):
    """A place for the hash: found out once for every value."""

    __slots__ = ("_hash",)

    _hash: int


class SeatOf(str):
    """A seat, and for whom of all those that it plays: rules hand it on, so that people can be told who rolls.

    >>> seat = SeatOf("me", "ann")
    >>> seat == "me", seat.who
    (True, 'ann')
    """

    __slots__ = ("who",)

    who: str

    def __new__(cls, seat: str, who: str = "") -> Self:
        """The seat, which is equal to its plain name."""
        made = super().__new__(cls, seat)
        made.who = who
        return made


def side_apart(who: str) -> str:
    """The side of somebody who is hidden from everybody else, whatever side they are on."""
    return f"unseen-{who}"[:60]


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant(_Hashed):
    """Somebody in a scene: a character with what has become of it here.

    ``seat`` is who decides for it. ``status`` is the system's own frozen value; its fields say who may see them.
    ``hidden`` participants are not known to the other sides. ``pending`` is what is due for somebody who is not here;
    for those who are here it stands on the clock (see ``game.pending``).
    """

    id: str = shown()
    name: str = shown()
    side: str = shown()
    seat: str = shown()
    character: Any
    status: Any = shown()
    position: Any = shown(default=None)
    hidden: bool = False
    present: bool = shown(default=True)
    pending: tuple[Pending, ...] = ()

    def __hash__(self) -> int:
        """By what changes in play; remembered, since most of a scene is as it was before."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.id, self.side, self.status, self.position, self.present)))
            return self._hash

    @property
    def looks_on(self) -> bool:
        """Whether it is hidden on a side of its own (see :func:`side_apart`): no fight waits for it to fall."""
        return self.hidden and self.side == side_apart(self.id)

    @property
    def belongings(self) -> Belongings:
        """What it has here: the status has them where things change hands, and the character otherwise."""
        found: Belongings = getattr(self.status, "belongings", self.character.belongings)
        return found


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number that the game master added to whatever is tallied under ``what``, for one participant or for all."""

    what: str
    value: int
    reason: str
    who: str | None = None

    @property
    def id(self) -> str:
        """What it is called when it is to be removed."""
        return f"{self.what}:{self.who or 'all'}:{self.reason}"


@dataclass(frozen=True, slots=True)
class Start:
    """How a scene starts and what ends it, as the scenario says: who is surprised, how long it may last.

    ``ends`` is ``last_side`` (at most one side is left), ``first_fall`` (somebody is out of it) or ``game_master``
    (only by a ruling); ``more`` are further facts that the system knows what to do with.
    """

    surprised: tuple[str, ...] = ()
    rounds: int = 100
    ends: str = "last_side"
    more: Any = ()


class _Indexed(_Answering):
    """A place for the participants by id: found out once for every scene, no part of its value."""

    __slots__ = ("_by_id", "_called")

    _by_id: dict[str, Participant]
    _called: dict[str, str]


@dataclass(frozen=True, slots=True)
class Scene(_Indexed):
    """The state of play. ``acted`` are those who had their turn in this round; ``extra`` is the system's own."""

    system: str
    participants: tuple[Participant, ...] = ()
    options: Any = None
    ground: Ground = field(default_factory=Together)
    clock: Clock = field(default_factory=Clock)
    facts: Facts = field(default_factory=Facts)
    modifiers: tuple[Modifier, ...] = ()
    lying: tuple[Lying, ...] = ()
    round: int = 0
    order: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    turn: str | None = None
    ended: str | None = None
    start: Start = field(default_factory=Start)
    extra: Any = None
    library: Any = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        """By what changes most in play."""
        return hash((self.participants, self.round, self.acted, self.turn, self.ended))

    def _index(self) -> dict[str, Participant]:
        try:
            return self._by_id
        except AttributeError:
            by_id = {participant.id: participant for participant in self.participants}
            object.__setattr__(self, "_by_id", by_id)
            return by_id

    def __getitem__(self, who: str) -> Participant:
        try:
            return self._by_id[who]
        except (AttributeError, KeyError):
            found = self._index().get(who)
        if found is not None:
            return found
        raise NobodyHere(who, list(self._by_id))

    def __contains__(self, who: object) -> bool:
        return who in self._index()

    @property
    def present(self) -> tuple[Participant, ...]:
        """Those who have not left."""
        return tuple([participant for participant in self.participants if participant.present])

    @property
    def in_encounter(self) -> bool:
        """Whether an encounter is under way, round by round."""
        return self.round > 0 and self.ended is None

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that still have somebody here, in order of appearance."""
        return tuple(dict.fromkeys([participant.side for participant in self.present]))

    def others(self, who: str) -> Iterator[Participant]:
        """Everybody present but one."""
        return (participant for participant in self.present if participant.id != who)

    def foes(self, who: str) -> tuple[Participant, ...]:
        """Those present on other sides."""
        side = self[who].side
        return tuple([participant for participant in self.present if participant.side != side])

    def friends(self, who: str) -> tuple[Participant, ...]:
        """The others present on the same side."""
        side = self[who].side
        return tuple([participant for participant in self.others(who) if participant.side == side])

    def with_participant(self, changed: Participant) -> Scene:
        """The scene with one participant replaced."""
        who = changed.id
        scene = replaced(self, participants=tuple([changed if one.id == who else one for one in self.participants]))
        by_id = self._index()
        object.__setattr__(scene, "_by_id", by_id | {who: changed} if who in by_id else by_id)
        return scene

    def change(self, who: str, **status: Any) -> Scene:
        """The scene with some fields of one participant's status changed."""
        participant = self[who]
        return self.with_participant(replaced(participant, status=replaced(participant.status, **status)))

    def next_to_act(self) -> str | None:
        """The first in the order who is present and has not acted in this round."""
        for who in self.order:
            if who not in self.acted and who in self and self[who].present:
                return who
        return None

    def with_rulings(self, tally: Tally, what: str, who: str | None = None) -> Tally:
        """A tally with whatever the game master added to it."""
        for modifier in self.modifiers:
            if modifier.what == what and modifier.who in (None, who):
                tally = tally.add(modifier.reason, modifier.value, kind="ruling")
        return tally

    def called(self, who: str) -> str:
        """What people call somebody: by name; where others have the same name, by ids made of it, or by both."""
        try:
            return self._called[who]
        except AttributeError:
            object.__setattr__(self, "_called", {})
        except KeyError:
            pass
        if who not in self:
            return who
        name = self[who].name
        alike = [one.id for one in self.participants if one.name == name and (one.id == who or not one.hidden)]
        made_of_it = "-".join(name.casefold().split())
        if len(alike) == 1:
            found = name
        elif all(id_.startswith(made_of_it) for id_ in alike):
            found = who
        else:
            found = f"{name} ({who})"
        self._called[who] = found
        return found

    def knows_of(self, viewer: str, who: str) -> bool:
        """Whether a seat may know that somebody is here: hidden ones are known to their own side's seats alone."""
        if viewer == GAME_MASTER or who not in self:
            return True
        participant = self[who]
        if not participant.hidden or participant.seat == viewer:
            return True
        return any(other.seat == viewer and other.side == participant.side for other in self.participants)

    def known_to(self, viewer: str) -> Scene:
        """The scene without those whom a seat may not know of."""
        known = tuple([one for one in self.participants if self.knows_of(viewer, one.id)])
        if len(known) == len(self.participants):
            return self
        ids = {one.id for one in known}
        return replaced(
            self,
            participants=known,
            order=tuple([who for who in self.order if who in ids]),
            acted=tuple([who for who in self.acted if who in ids]),
            turn=self.turn if self.turn in ids else None,
        )


def _are_seen_alike(before: Sequence[Participant], after: Sequence[Participant]) -> bool:
    """Whether all that :meth:`Scene.knows_of` goes by is the same of everybody."""
    if len(before) != len(after):
        return False
    for old, new in zip(before, after, strict=True):
        if old is not new and (old.hidden, old.id, old.seat, old.side) != (new.hidden, new.id, new.seat, new.side):
            return False
    return True


class Live(Game[Scene, Event]):
    """A scene under way, as processes get it: ``g.scene``, ``g[who]``, ``g.emit(event)`` and the rules of the book."""

    __slots__ = ("_sights", "book", "temper")

    def __init__(self, scene: Scene, book: Rulebook, apply: Callable[[Scene, Event], Scene] | None = None) -> None:
        super().__init__(scene, apply or book.apply)
        self.book = book
        self.temper: Callable[[Live, Scene, Event], None] | None = None
        self._sights: list[tuple[int, Scene]] = [(0, scene)]

    def emit(self, event: Event) -> None:
        """Let something happen; when it changes who knows of whom, the log keeps that in mind."""
        before = self.state
        super().emit(event)
        old, new = before.participants, self.state.participants
        if new is not old and not _are_seen_alike(old, new):
            self._sights.append((len(self.log) - 1, self.state))
        if self.temper is not None:
            self.temper(self, before, event)

    def scenes_of(self, line: int) -> tuple[Scene, Scene]:
        """For who knew of whom: a scene as it was before a line of the log, and as it was from then on."""
        before, after = [bisect_right(self._sights, at, key=itemgetter(0)) - 1 for at in (line - 1, line)]
        return self._sights[max(0, before)][1], self._sights[after][1]

    def take_back(self, scene: Scene, lines: int) -> None:
        """Everything is as it was when the log had so many lines."""
        self.state = scene
        del self.log[lines:]
        while len(self._sights) > 1 and self._sights[-1][0] >= lines:
            self._sights.pop()

    @property
    def scene(self) -> Scene:
        """The present scene; another value after every event."""
        return self.state

    def __getitem__(self, who: str) -> Participant:
        return self.state[who]

    def of_scene(self, function: Callable[..., R], *given: Any) -> R:
        """What a pure function gives for the present scene; whoever remembers such answers is asked here."""
        return function(self.scene, *given)

    def aside(self, function: Callable[..., R], *given: Any) -> R:
        """The same for what is only offered or shown: what comes after follows from the answer alone, not from this."""
        return function(self.scene, *given)

    def seat(self, who: str) -> str:
        """Who decides for a participant."""
        return self.state[who].seat
