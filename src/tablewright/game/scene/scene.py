"""Scene: one encounter or stretch of time with its participants, as an immutable value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tablewright.engine import Tally
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.character.belongings import Belongings
from tablewright.game.ground.bands import Together
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import Ground, Position
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.visibility import GAME_MASTER, visible
from tablewright.game.time.clock import Clock

if TYPE_CHECKING:
    from tablewright.game.time.timers import PendingTimer


class UnknownParticipantError(InvalidInputError):
    """Unknown participant id ``who``; the message lists the known ones."""

    def __init__(self, who: str, here: Iterable[str]) -> None:
        known = list(here)
        super().__init__(f'nobody here is called "{who:.40}"; here are: {", ".join(known)}{did_you_mean(who, known)}')
        self.who = who


class _Answering:
    """Base class with a slot for cached results about an object; they are not part of its value."""

    __slots__ = ("answers",)

    answers: dict[Any, Any]
    """Cached results by key (see ``caching.cached_on_scene``)."""

    def __new__(cls, *fields: Any, **named: Any) -> Self:
        """Create an object that has not been asked anything yet."""
        made = super().__new__(cls)
        object.__setattr__(made, "answers", {})
        return made


class _Hashed(_Answering):
    """Base class with a slot for the cached hash."""

    __slots__ = ("_hash",)

    _hash: int


class ActingSeat(str):
    """Seat that also names the participant it acts for; rules pass it on to say who rolls.

    >>> seat = ActingSeat("me", "ann")
    >>> seat == "me", seat.who
    (True, 'ann')
    """

    __slots__ = ("who",)

    who: str

    def __new__(cls, seat: str, who: str = "") -> Self:
        """Create a seat that equals its plain name."""
        made = super().__new__(cls, seat)
        made.who = who
        return made


def side_apart(who: str) -> str:
    """Side of a participant who is hidden from all others, allies included."""
    return f"unseen-{who}"[:60]


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant(_Hashed):
    """A character in a scene, with side, seat, position and status.

    ``seat`` decides for the participant. ``status`` is the system's own frozen value; its fields declare their
    visibility. Other sides cannot see ``hidden`` participants. ``pending`` holds the timers of absent participants;
    those of present ones are on the clock (see ``game.scene.arrival``).
    """

    id: str = visible()
    name: str = visible()
    side: str = visible()
    seat: str = visible()
    character: Any
    status: Any = visible()
    position: Any = visible(default=None)
    hidden: bool = False
    present: bool = visible(default=True)
    pending: tuple[PendingTimer, ...] = ()

    def __hash__(self) -> int:
        """Hash of the fields that play changes; cached, because most participants stay the same between scenes."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.id, self.side, self.status, self.position, self.present)))
            return self._hash

    @property
    def looks_on(self) -> bool:
        """True if it is hidden on a side of its own (see :func:`side_apart`); no fight waits for it to fall."""
        return self.hidden and self.side == side_apart(self.id)

    @property
    def belongings(self) -> Belongings:
        """Belongings from the status if it has any, otherwise from the character."""
        found: Belongings = getattr(self.status, "belongings", self.character.belongings)
        return found


with_status = evolver(Participant, "status")
"""A participant with another status."""
with_position = evolver(Participant, "position")
"""A participant at another place."""


@dataclass(frozen=True, slots=True)
class Modifier:
    """Number that the game master adds to every tally named ``what``, for one participant or for all."""

    what: str
    value: int
    reason: str
    who: str | None = None

    @property
    def id(self) -> str:
        """Id by which a ruling removes the modifier."""
        return f"{self.what}:{self.who or 'all'}:{self.reason}"


class LooseItem(NamedTuple):
    """One item on the ground: its owner, remaining charges and position; without a position it is within reach."""

    item: str
    owner: str
    left: int | None = None
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class SceneSetup:
    """Start and end conditions of a scene from the scenario: surprise and the limit of rounds.

    ``ends`` is ``last_side`` (at most one side is left), ``first_fall`` (the first participant is out) or
    ``game_master`` (only a ruling ends it). ``more`` holds further facts for the system, ``side_names`` the display
    names of sides.
    """

    surprised: tuple[str, ...] = ()
    rounds: int = 100
    ends: str = "last_side"
    more: Any = ()
    side_names: tuple[tuple[str, str], ...] = ()


_NUMBER = re.compile(r"-([1-9][0-9]{0,3})\Z")
_SMALL_WORDS = re.compile(r"(?:an?|and|at|by|del?|der|di|du|for|from|in|l[ae]|o[fnr]|the|to|van|von|with|y|zum?)\Z")


@lru_cache(maxsize=1_024)
def capitalised(name: str) -> str:
    """A name that begins with a capital, with capitals throughout.

    >>> capitalised("Guard dog"), capitalised("Keeper of the bridge"), capitalised("ann")
    ('Guard Dog', 'Keeper of the Bridge', 'ann')
    """
    if not name[:1].isupper():
        return name
    words = [word if _SMALL_WORDS.match(word) else word[:1].upper() + word[1:] for word in name.split(" ")]
    return " ".join(words)


_SAME: Any = object()


def _look_alike(one: Participant, other: Participant) -> bool:
    """True if display names and :meth:`Scene.can_see` do not tell two participants apart."""
    if one is other:
        return True
    who = one.id == other.id and one.name == other.name
    return who and one.hidden == other.hidden and one.seat == other.seat and one.side == other.side


class _Indexed(_Answering):
    """Base class with slots for an index of participants by id and for display names; not part of the value."""

    __slots__ = ("_by_id", "_called")

    _by_id: dict[str, Participant]
    _called: dict[str, str]


@dataclass(frozen=True, slots=True)
class Scene(_Indexed):
    """State of play; ``acted`` had their turn this round, ``system_state`` is the system's own."""

    system: str
    participants: tuple[Participant, ...] = ()
    options: Any = None
    ground: Ground = field(default_factory=Together)
    clock: Clock = field(default_factory=Clock)
    facts: Facts = field(default_factory=Facts)
    modifiers: tuple[Modifier, ...] = ()
    loose_items: tuple[LooseItem, ...] = ()
    round: int = 0
    order: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    turn: str | None = None
    ended: str | None = None
    setup: SceneSetup = field(default_factory=SceneSetup)
    system_state: Any = None
    library: Any = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        """Hash of the fields that change most in play."""
        return hash((self.participants, self.round, self.acted, self.turn, self.ended))

    def _keep(self, copy: Scene, changes: AbstractSet[str]) -> None:
        """Hand the index and the names on to a copy with the same participants."""
        if "participants" not in changes:
            object.__setattr__(copy, "_by_id", self._index())
            object.__setattr__(copy, "_called", self._names())

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
        raise UnknownParticipantError(who, list(self._by_id))

    def __contains__(self, who: object) -> bool:
        return who in self._index()

    @property
    def present(self) -> tuple[Participant, ...]:
        """Participants who have not left."""
        return tuple([participant for participant in self.participants if participant.present])

    @property
    def in_encounter(self) -> bool:
        """True if an encounter is under way."""
        return self.round > 0 and self.ended is None

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides with present participants, in order of appearance."""
        return tuple(dict.fromkeys([participant.side for participant in self.present]))

    def others(self, who: str) -> Iterator[Participant]:
        """Present participants except one."""
        return (participant for participant in self.present if participant.id != who)

    def enemies(self, who: str) -> tuple[Participant, ...]:
        """Participants present on other sides."""
        side = self[who].side
        return tuple([participant for participant in self.present if participant.side != side])

    def allies(self, who: str) -> tuple[Participant, ...]:
        """Other participants present on the same side."""
        side = self[who].side
        return tuple([participant for participant in self.others(who) if participant.side == side])

    def with_participant(self, changed: Participant, *, system_state: Any = _SAME) -> Scene:
        """Copy of the scene with one participant replaced, and with the system's own state if given."""
        by_id = self._index()
        before = by_id.get(changed.id)
        state = self.system_state if system_state is _SAME else system_state
        if before is None:
            return evolve(self, system_state=state)
        by_id = by_id | {changed.id: changed}  # in the order of the participants
        called = self._names() if _look_alike(before, changed) else {}
        return _with_people(self, tuple(by_id.values()), state, by_id, called)

    def _names(self) -> dict[str, str]:
        """Cache of display names, shared by copies of a scene whose participants look alike."""
        try:
            return self._called
        except AttributeError:
            object.__setattr__(self, "_called", {})
            return self._called

    def with_status(self, who: str, **status: Any) -> Scene:
        """Copy of the scene with some status fields of one participant changed."""
        participant = self[who]
        return self.with_participant(with_status(participant, evolve(participant.status, **status)))

    def next_to_act(self, may_act: Callable[[Scene, str], bool] | None = None) -> str | None:
        """First in the turn order who is present, has not acted this round and may act; None if all have."""
        for who in self.order:
            if who not in self.acted and who in self and self[who].present and (not may_act or may_act(self, who)):
                return who
        return None

    def apply_rulings(self, tally: Tally, what: str, who: str | None = None) -> Tally:
        """Add the game master's modifiers for ``what`` to a tally."""
        for modifier in self.modifiers:
            if modifier.what == what and modifier.who in (None, who):
                tally = tally.add(modifier.reason, modifier.value, kind="ruling")
        return tally

    def cannot(self, who: str, why: str, rule: str) -> IllegalActionError:
        """Error that refuses something to a participant: the display name, the reason and the rule."""
        return IllegalActionError(f"{self.display_name(who)} {why}", rule=rule)

    def display_name(self, who: str) -> str:
        """Display name of a participant; several of one name are numbered from 1.

        The number is that of the id where all ids end in one, otherwise the place in the scenario. Other hidden
        participants do not count.
        """
        called = self._names()
        if who in called:
            return called[who]
        if who not in self:
            return who
        name = self[who].name
        alike = [
            participant.id
            for participant in self.participants
            if participant.name == name and (participant.id == who or not participant.hidden)
        ]
        found = capitalised(name)
        if len(alike) > 1:
            numbers = [_NUMBER.search(id_) for id_ in alike]
            own = [int(number[1]) for number in numbers if number is not None]
            place = alike.index(who)
            found += f" {own[place] if len(own) == len(alike) == len(set(own)) else place + 1}"
        called[who] = found
        return found

    def can_see(self, viewer: str, who: str) -> bool:
        """True if a viewer may know that a participant is here; only seats of their own side see hidden ones."""
        if viewer == GAME_MASTER or who not in self:
            return True
        participant = self[who]
        if not participant.hidden or participant.seat == viewer:
            return True
        return any(other.seat == viewer and other.side == participant.side for other in self.participants)

    def shows_the_same(self, other: Scene) -> bool:
        """True if :meth:`can_see` gives the same answers for both scenes."""
        mine, theirs = self.participants, other.participants
        if mine is theirs or self._names() is other._names():
            return True
        return len(mine) == len(theirs) and all(map(_look_alike, mine, theirs))

    def visible_to(self, viewer: str) -> Scene:
        """Copy of the scene without the participants that a viewer cannot see."""
        known = tuple([participant for participant in self.participants if self.can_see(viewer, participant.id)])
        if len(known) == len(self.participants):
            return self
        ids = {one.id for one in known}
        return evolve(
            self,
            participants=known,
            order=tuple([who for who in self.order if who in ids]),
            acted=tuple([who for who in self.acted if who in ids]),
            turn=self.turn if self.turn in ids else None,
        )


_with_people = evolver(Scene, "participants", "system_state", "_by_id", "_called")
