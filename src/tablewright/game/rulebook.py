"""What a system declares beyond its mechanics: characters, checks, actions, encounters, content. Loaded when needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.engine import Process
from tablewright.errors import BadInput, nearest
from tablewright.game.actions import Actions, Use
from tablewright.game.character import Character, read_character
from tablewright.game.checks import Check, Subject
from tablewright.game.common import arriving, common
from tablewright.game.events import Apply, hidden_numbers
from tablewright.game.options import Options
from tablewright.game.pending import taken_along
from tablewright.game.prices import Allotment, Price, Purses
from tablewright.game.reckoning import Reckoning
from tablewright.game.remembering import by_identity
from tablewright.game.scene import Live, Participant, Scene, SeatOf

if TYPE_CHECKING:
    from tablewright.game.clock import Calendar, Due
    from tablewright.game.content import Entry, Library
    from tablewright.game.legality import Legality
    from tablewright.game.sheet import Sheet


class Rating(NamedTuple):
    """What an option promises at a glance: harm to foes, safety for oneself, what it costs. Any whole scale will do."""

    harm: int | Fraction = 0
    safety: int | Fraction = 0
    cost: int | Fraction = 0


def _no_value(scene: Scene, side: str) -> int:
    return 0


def _no_rating(scene: Scene, who: str, use: Use) -> Rating:
    return Rating()


def _unknown_health(participant: Participant) -> str:
    return "unknown"


def _as_it_is(scene: Scene, who: str) -> Any:
    """The character with the belongings that its status has, and what is due for it."""
    character, has = scene[who].character, scene[who].belongings
    return taken_along(scene, who, character if has is character.belongings else character.changed(belongings=has))


def _unchanged(scene: Scene) -> Scene:
    return scene


def _unconverted(character: Any, old: Any, new: Any) -> Any:
    return character


def _made_by(enter: Callable[[Subject], Any]) -> type | None:
    """The kind of status that is said to be made; None where nothing is said."""
    said = getattr(enter, "__annotations__", {}).get("return")
    kind = getattr(enter, "__globals__", {}).get(said) if isinstance(said, str) else said
    return kind if isinstance(kind, type) and is_dataclass(kind) else None


async def _nothing_due(game: Live, due: Due) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """All that the rest of the program needs to make characters and to play scenes of one system.

    ``enter`` makes the status of a character that comes into a scene; ``leave`` gives the character that goes out of
    it, with what it keeps of the status (wounds, points spent). ``arrives`` completes a scene that somebody has come
    into, at its opening or in the middle: what falls due for them goes on its clock. ``opened`` completes a new scene
    with what belongs to the scene itself; ``begun`` does both. ``converted`` gives a character as it is under other
    options (character, old options, new options). ``encounter`` is the process that runs a fight from any scene to its
    end; ``fall_due`` is what happens when a thing that was scheduled falls due. ``value`` says
    what a scene is worth to a side (harm done, harm to expect, resources); ``rate`` rates one option at a glance.
    ``supposed`` is the scene as a side supposes it to be, where it may not know the numbers of the others; without
    it they are supposed to be as they came. ``health`` is the word others see instead of hidden numbers, ``reckoning``
    what is counted over many fights. ``people`` are the kinds of content whose entries hold a whole character as
    ``character``: templates and creatures. ``idle`` is the id of the action by which one does nothing.
    ``calendar_by`` gives the calendar of a table whose options change the length of its units. ``foreseen`` gives every
    scene that an action can lead to, with weights, where a system knows that quicker than by playing it (book, scene,
    who, use; None for what it does not know).
    """

    character: type[Character]
    create: Process[..., Any]
    legality: Callable[[Any, Any, Any], Legality]
    sheet: Callable[[Any, Any, Any], Sheet]
    enter: Callable[[Subject], Any]
    encounter: Process[..., Any]
    actions: Actions
    calendar: Calendar
    apply: Apply[Scene] = field(default_factory=lambda: common)
    kinds: Mapping[str, type[Entry]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    processes: tuple[Process[..., Any], ...] = ()
    people: tuple[str, ...] = ()
    idle: str = ""
    fall_due: Callable[[Live, Due], Awaitable[None]] = _nothing_due
    leave: Callable[[Scene, str], Any] = _as_it_is
    arrives: Callable[[Scene, str], Scene] | None = None
    opened: Callable[[Scene], Scene] = _unchanged
    converted: Callable[[Any, Any, Any], Any] = _unconverted
    value: Callable[[Scene, str], int | Fraction | float] = _no_value
    rate: Callable[[Scene, str, Use], Rating] = _no_rating
    supposed: Callable[[Scene, str], Scene] | None = None
    health: Callable[[Participant], str] = _unknown_health
    reckoning: Reckoning = field(default_factory=Reckoning)
    unit_of_money: str = "coins"
    calendar_by: Callable[[Any], Calendar] | None = None
    foreseen: Callable[[Rulebook, Scene, str, Use], Sequence[tuple[Scene, int]] | None] | None = None

    def __post_init__(self) -> None:
        if self.arrives is not None:
            object.__setattr__(self, "apply", arriving(self.apply, self.arrives))
        status = _made_by(self.enter)
        if status is None or type(self.actions.purses) not in (Purses, Allotment):
            return  # purses of a system's own are its own affair
        for action in self.actions:
            for purse, _ in action.price.amounts if isinstance(action.price, Price) else ():
                if not self.actions.purses.knows(purse, status):
                    hint = nearest(purse, [entry.name for entry in fields(status)])
                    raise BadInput(f'the price of "{action.id}" is in {purse}, which no status has{hint}')

    def begun(self, scene: Scene) -> Scene:
        """A new scene, complete: everybody in it has arrived, and what belongs to the scene itself is on its clock."""
        if self.arrives is not None:
            for one in scene.participants:
                scene = self.arrives(scene, one.id)
        return self.opened(scene)

    def calendar_of(self, options: Any) -> Calendar:
        """The calendar of a table that plays by these options."""
        return self.calendar if self.calendar_by is None else self.calendar_by(options)

    @cached_property
    def process_by_name(self) -> Mapping[str, Process[..., Any]]:
        """Every process of the system by its public name, the common ones included."""
        from tablewright.game.table_processes import TABLE_PROCESSES  # noqa: PLC0415 - they run over rulebooks

        own = {process.name: process for process in (self.create, self.encounter, *self.processes)}
        return own | {process.name: process for process in TABLE_PROCESSES}

    def process(self, name: str) -> Process[..., Any]:
        """A process by its public name."""
        try:
            return self.process_by_name[name]
        except KeyError:
            known = self.process_by_name
            raise BadInput(
                f'there is no process "{name:.60}"; there are: {", ".join(known)}{nearest(name, known)}'
            ) from None

    def check(self, name: str) -> Check:
        """A kind of check by its id."""
        for check in self.checks:
            if check.id == name:
                return check
        known = [check.id for check in self.checks]
        raise BadInput(f'there is no check "{name:.40}"; try {", ".join(known[:12])}{nearest(name, known)}')

    def character_of(self, id_: str, library: Library) -> Character:
        """The character that an entry of the content holds: a template or a creature."""
        for kind in self.people:
            if library.has(kind, id_):
                return _held_by(library.get(kind, id_), self.character)
        known = [entry.id for kind in self.people for entry in library.of(kind)]
        raise BadInput(
            f'nobody in the content is called "{id_:.40}"; there are: {", ".join(known)}{nearest(id_, known)}'
        )

    def supposed_by(self, scene: Scene, side: str) -> Scene:
        """The scene as a side supposes it to be: what it may not know of others is a guess."""
        if self.supposed is not None:
            return self.supposed(scene, side)
        for one in scene.participants:
            if one.side != side:
                fresh = self.enter(Subject(one.character, scene.options, scene.library))
                scene = scene.change(one.id, **{name: getattr(fresh, name) for name in hidden_numbers(one.status)})
        return scene

    def subject(self, participant: Participant, scene: Scene) -> Subject:
        """A participant as the one who makes a check."""
        return Subject(participant.character, scene.options, scene.library, participant.status, scene, participant.id)

    def participant(self, character: Any, options: Options, library: Library | None, **places: Any) -> Participant:
        """A character as a participant who has just come; ``places`` are id, side, seat, position and the like."""
        subject = Subject(character, options, library)
        own = {"name": character.name, "pending": getattr(character, "pending", ())}
        whole = own | places
        whole["seat"] = SeatOf(whole["seat"], whole["id"])
        return Participant(character=character, status=self.enter(subject), **whole)


@by_identity
def _held_by(entry: Any, kind: type[Character]) -> Character:
    """The character that an entry holds, which is read once: fights by the thousand begin with the same people."""
    return read_character(dict(entry.character), kind).character
