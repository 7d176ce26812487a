"""What can happen to a campaign. Every line of its log holds one of these; its state is what they say.

Each field says who may see it, as in ``game.events``; what stands in ``inner`` is in no projection at all, not even the
game master's: seeds, records and copies from which the table works. Lines that are ``played`` can be undone; seats,
notes and dice thrown besides the game are not undone with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from tablewright.engine.asks import EVERYONE
from tablewright.errors import BadInput
from tablewright.game.events import GAME_MASTER, OWNER, Event, Sight, secret, shown, sights

Plain = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, kw_only=True)
class TableEvent(Event):
    """Something that happened to a campaign. ``owner`` is the seat that sees the owner's fields."""

    about: ClassVar[tuple[str, ...]] = ("who", "seat", "by")
    inner: ClassVar[tuple[str, ...]] = ()
    played: ClassVar[bool] = False

    def as_seen_by(self, viewer: str, *, owned: bool = False) -> dict[str, Any] | None:
        """The fact as a viewer may see it; None where it hears nothing of it."""
        if viewer != GAME_MASTER and self.to not in (EVERYONE, viewer):
            return None
        known = {Sight.EVERYONE, Sight.OWNER} if owned or self.to == viewer else {Sight.EVERYONE}
        seen = [
            name
            for name, sight in sights(type(self))
            if name not in self.inner and (viewer == GAME_MASTER or sight in known)
        ]
        return {"event": self.kind} | {name: _plain(getattr(self, name)) for name in seen}


# ---------------------------------------------------------------------- the campaign and its people


@dataclass(frozen=True, kw_only=True)
class CampaignMade(TableEvent):
    """A campaign begins."""

    words = "{title} begins"
    inner = ("seed", "options")

    title: str = shown()
    system: str = shown()
    version: str = shown()
    seed: str = secret()
    options: Plain = secret()


@dataclass(frozen=True, kw_only=True)
class CampaignRenamed(TableEvent):
    """The host has the campaign called otherwise."""

    words = "this table is called {title} from now on"

    title: str = shown()


@dataclass(frozen=True, kw_only=True)
class SettingSet(TableEvent):
    """The game master changed how this table is played: who may start what, and the like."""

    words = "the game master sets {name}"

    name: str = shown()
    value: Any = shown()


@dataclass(frozen=True, kw_only=True)
class SeatMade(TableEvent):
    """Somebody has a seat, or waits for the game master to approve of it. ``joined`` is how much they missed."""

    inner = ("joined",)

    seat: str = shown()
    name: str = shown()
    role: str = shown()
    approved: bool = shown()
    joined: int = secret(default=0)

    def in_words(self) -> str:
        """Whether there is a place for them, or they have to be let in."""
        return f"there is a seat for {self.seat}" if self.approved else f"{self.seat} waits at the door"


@dataclass(frozen=True, kw_only=True)
class SeatApproved(TableEvent):
    """The game master lets somebody take part. ``joined`` is how much there was to see by then."""

    words = "{seat} takes part"
    inner = ("joined",)

    seat: str = shown()
    name: str = shown()
    joined: int = secret(default=0)


@dataclass(frozen=True, kw_only=True)
class SeatRenamed(TableEvent):
    """Somebody is called otherwise."""

    words = "{seat} is called {name}"

    seat: str = shown()
    name: str = shown()


@dataclass(frozen=True, kw_only=True)
class SeatRemoved(TableEvent):
    """Somebody does not take part any more; the seat's links are void."""

    words = "{seat} leaves the table"

    seat: str = shown()
    name: str = shown()


@dataclass(frozen=True, kw_only=True)
class SeatSet(TableEvent):
    """Somebody's dice are thrown for them (``auto``), or they are asked (``ask``)."""

    words = "{seat}: dice {dice}"

    seat: str = shown()
    dice: str = shown()


@dataclass(frozen=True, kw_only=True)
class CharacterHanded(TableEvent):
    """A character belongs to another seat from now on, or to the game master."""

    who: str = shown()
    seat: str | None = shown()
    name: str = shown(default="")

    def in_words(self) -> str:
        """Who plays whom; ``name`` is what somebody new is called, who is not part of the campaign yet."""
        return f"{self.who} is played by {self.seat or 'the game master'}"


# ---------------------------------------------------------------------- besides the game


@dataclass(frozen=True, kw_only=True)
class NoteWritten(TableEvent):
    """Somebody wrote something down, for everyone or for some; an older note of the same id is replaced."""

    words = "{by}: {text}"

    note: str = shown()
    by: str = shown()
    text: str = shown()


@dataclass(frozen=True, kw_only=True)
class NoteRemoved(TableEvent):
    """A note was taken away."""

    words = "note {note} is gone"

    note: str = shown()


@dataclass(frozen=True, kw_only=True)
class EncounterKept(TableEvent):
    """The game master prepared an encounter for later; an older one of the same id is replaced."""

    words = "the encounter {title} is prepared"
    inner = ("scenario",)

    encounter: str = secret()
    title: str = secret()
    scenario: Plain = secret()


@dataclass(frozen=True, kw_only=True)
class EncounterDropped(TableEvent):
    """The game master needs a prepared encounter no more."""

    words = "the encounter {encounter} is no longer prepared"

    encounter: str = secret()


@dataclass(frozen=True, kw_only=True)
class Thrown(TableEvent):
    """Somebody threw dice besides the game."""

    words = "{by} rolls {dice}: {faces} = {outcome}"
    inner = ("stream",)

    by: str = shown()
    dice: str = shown()
    faces: tuple[int, ...] = shown()
    outcome: int = shown()
    audience: str = shown(default="public")
    stream: str = secret(default="")


@dataclass(frozen=True, kw_only=True)
class UndoAsked(TableEvent):
    """A player asks the game master to take something back. ``line`` is where, as the game master counts."""

    words = "{by} asks to undo[ “{text}”][: {reason}]"

    by: str = shown()
    reason: str = shown(default="")
    text: str = shown(default="")
    line: int = secret()


# ---------------------------------------------------------------------- played: what can be undone


@dataclass(frozen=True, kw_only=True)
class Played(TableEvent):
    """Something that undo takes back."""

    played = True


@dataclass(frozen=True, kw_only=True)
class CharacterAdded(Played):
    """A character is part of the campaign from now on; those that are not ``known`` are the game master's secret."""

    words = "{who} is part of the campaign"

    who: str = shown()
    name: str = shown()
    character: Plain = shown(OWNER)
    known: bool = secret(default=True)


@dataclass(frozen=True, kw_only=True)
class CharacterReplaced(Played):
    """The game master put another sheet in a character's place, for a reason."""

    words = "{who} is changed[: {reason}]"

    who: str = shown()
    character: Plain = shown(OWNER)
    reason: str = shown(default="")


@dataclass(frozen=True, kw_only=True)
class CharacterDropped(Played):
    """A character is no longer part of the campaign."""

    words = "{who} is no longer part of the campaign"

    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class OptionSet(Played):
    """The table plays by another variant from now on; characters that go with it are converted."""

    words = "from now on: {name} is {value}[ ({reason})]"
    inner = ("options", "characters")

    name: str = shown()
    value: str | int | bool | None = shown()
    reason: str = shown(default="")
    options: Plain = secret()
    characters: dict[str, Plain] = field(default_factory=dict, metadata=secret().metadata)


@dataclass(frozen=True, kw_only=True)
class PackAdded(Played):
    """A pack of the table is used from now on; one that is not ``known`` is the game master's secret."""

    words = "pack {title} is used"
    inner = ("content",)

    pack: str = shown()
    title: str = shown()
    version: str = shown()
    content: Plain = secret()
    known: bool = secret(default=False)


@dataclass(frozen=True, kw_only=True)
class PackRemoved(Played):
    """A pack is no longer used."""

    words = "pack {pack} is no longer used"

    pack: str = shown()


@dataclass(frozen=True, kw_only=True)
class SceneBegan(Played):
    """A scene begins: an encounter, or a stretch of time."""

    words = "{title} begins"
    inner = ("source", "seats", "seed", "bots")

    scene: str = shown()
    form: str = shown()
    title: str = shown()
    source: Plain = secret()
    seats: dict[str, str] = secret()
    seed: str = secret()
    bots: dict[str, str] = field(default_factory=dict, metadata=secret().metadata)


@dataclass(frozen=True, kw_only=True)
class Entered(Played):
    """Something came into the scene from outside: an answer, the faces of a roll, a process, somebody who joins.

    ``asked`` is the question it answers, ``recalled`` which remembered roll it showed again, ``facts`` how many facts
    it brought about; these stand beside the line, as the game master sees them, and are what the others get parts of.
    """

    inner = ("entry", "asked", "recalled", "facts", "seat", "unasked")

    scene: str = shown()
    entry: Any = secret()
    seat: str = secret(default="")
    asked: str = secret(default="")
    recalled: str | None = secret(default=None)
    facts: int = secret(default=0)
    unasked: bool = secret(default=False)


@dataclass(frozen=True, kw_only=True)
class SceneClosed(Played):
    """A scene is over: whoever belongs to the campaign goes out of it with what is kept."""

    words = "the scene is over[: {outcome}]"
    inner = ("characters", "options")

    scene: str = shown()
    outcome: str = shown(default="")
    now: int = shown()
    characters: dict[str, Plain] = secret()
    options: Plain = secret()


# ---------------------------------------------------------------------- what the game master applies


@dataclass(frozen=True, kw_only=True)
class Proposed(TableEvent):
    """What an answer would do to others: it counts when the game master applies it, and not when it is dismissed."""

    inner = ("entry", "by", "unasked")

    scene: str = shown()
    entry: Any = secret()
    by: str = secret()
    unasked: bool = secret(default=False)


@dataclass(frozen=True, kw_only=True)
class Dismissed(TableEvent):
    """The game master does not apply what was proposed. Dice that were thrown for it show the same if thrown again."""

    words = "what was proposed does not happen[: {reason}]"
    inner = ("remembered",)

    by: str = shown()
    reason: str = shown(default="")
    remembered: dict[str, list[list[int]]] = field(default_factory=dict, metadata=secret().metadata)


# ---------------------------------------------------------------------- undo


@dataclass(frozen=True, kw_only=True)
class Undone(TableEvent):
    """Play goes on from an earlier line: ``head`` is the last that counts now, ``was`` the last that counted before.

    ``why`` is ``undo``, ``take back``, ``change`` or ``rules changed``; ``remembered`` are the faces of rolls that were
    dropped, by what was rolled.
    """

    inner = ("head", "was", "remembered")

    by: str = shown(default="")
    why: str = shown(default="undo")
    reason: str = shown(default="")
    head: int = secret()
    was: int = secret()
    remembered: dict[str, list[list[int]]] = field(default_factory=dict, metadata=secret().metadata)


@dataclass(frozen=True, kw_only=True)
class Redone(TableEvent):
    """What was undone last counts again."""

    inner = ("head", "was")

    by: str = shown(default="")
    head: int = secret()
    was: int = secret()


KINDS: dict[str, type[TableEvent]] = {
    kind.__name__: kind
    for kind in (
        CampaignMade,
        CampaignRenamed,
        SettingSet,
        SeatMade,
        SeatApproved,
        SeatRenamed,
        SeatRemoved,
        SeatSet,
        CharacterHanded,
        NoteWritten,
        NoteRemoved,
        EncounterKept,
        EncounterDropped,
        Thrown,
        UndoAsked,
        CharacterAdded,
        CharacterReplaced,
        CharacterDropped,
        OptionSet,
        PackAdded,
        PackRemoved,
        SceneBegan,
        Entered,
        SceneClosed,
        Proposed,
        Dismissed,
        Undone,
        Redone,
    )
}
"""Every kind of event of a campaign, by its name."""


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[kind])


def to_plain(event: TableEvent) -> Plain:
    """The event as JSON, without its kind."""
    return {entry.name: _plain(getattr(event, entry.name)) for entry in fields(event)}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def from_plain(kind: str, plain: Plain) -> TableEvent:
    """The event that a line of the log holds."""
    if kind not in KINDS:
        raise BadInput(f'"{kind:.40}" is nothing that can happen to a campaign')
    try:
        event: TableEvent = _adapter(kind).validate_python(plain)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{kind}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return event
