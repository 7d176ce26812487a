"""Events of a campaign. Every line of the log holds one of them, and the state follows from them alone.

Each field declares its visibility, as in ``game.events``. Fields in ``inner`` appear in no projection, not even the
game master's: seeds, records and copies for internal use. Undo covers events with ``played``; it does not cover seats,
notes and dice thrown outside the game.
"""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from tablewright.engine.request import EVERYONE
from tablewright.errors import InvalidInputError
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER, OWNER, Visibility, field_visibilities, secret, visible

Plain = dict[str, Any]
"""A JSON object."""


class TableEvent(Event):
    """Base class of the events of a campaign. Fields that only the owner may see go to the owner's seat."""

    mentions: ClassVar[tuple[str, ...]] = ("who", "seat", "by")
    inner: ClassVar[tuple[str, ...]] = ()
    played: ClassVar[bool] = False

    def as_seen_by(self, viewer: str, *, owned: bool = False) -> dict[str, Any] | None:
        """The event as a viewer may see it; None if it is hidden from the viewer."""
        if viewer != GAME_MASTER and self.to not in (EVERYONE, viewer):
            return None
        known = {Visibility.EVERYONE, Visibility.OWNER} if owned or self.to == viewer else {Visibility.EVERYONE}
        seen = [
            name
            for name, sight in field_visibilities(type(self))
            if name not in self.inner and (viewer == GAME_MASTER or sight in known)
        ]
        return {"event": self.kind} | {name: _plain(getattr(self, name)) for name in seen}


# ---------------------------------------------------------------------- the campaign and its seats


class CampaignMade(TableEvent):
    """The campaign was created."""

    template = "{title} begins"
    inner = ("seed", "options")

    title: str = visible()
    system: str = visible()
    version: str = visible()
    seed: str = secret()
    options: Plain = secret()


class CampaignRenamed(TableEvent):
    """The host renamed the campaign."""

    template = "this table is called {title} from now on"

    title: str = visible()


class SettingSet(TableEvent):
    """The game master changed a setting of this table, such as who may start a process."""

    template = "the game master sets {name}"

    name: str = visible()
    value: Any = visible()


class SeatMade(TableEvent):
    """A seat was created, approved or waiting for approval. ``joined`` is the number of public lines before it.

    ``wants`` is the character that its owner asked for; approval hands it over if it is still free.
    """

    inner = ("joined", "wants")

    seat: str = visible()
    name: str = visible()
    role: str = visible()
    approved: bool = visible()
    joined: int = secret(default=0)
    wants: str = secret(default="")

    def narrate(self) -> str:
        """Text for an approved seat, or for one that waits for approval."""
        return f"{self.seat} has a seat at the table" if self.approved else f"{self.seat} waits at the door"


class SeatApproved(TableEvent):
    """The game master approved a seat. ``joined`` is the number of public lines before that."""

    template = "{seat} takes part"
    inner = ("joined",)

    seat: str = visible()
    name: str = visible()
    joined: int = secret(default=0)


class SeatRenamed(TableEvent):
    """A seat was renamed."""

    template = "{seat} is called {name}"

    seat: str = visible()
    name: str = visible()


class SeatRemoved(TableEvent):
    """A seat was removed; its links are void."""

    template = "{seat} leaves the table"

    seat: str = visible()
    name: str = visible()


class SeatSet(TableEvent):
    """The dice of a seat are thrown automatically (``auto``), or the seat is asked to throw them (``ask``)."""

    seat: str = visible()
    dice: str = visible()

    def narrate(self) -> str:
        """Text that says who throws the dice."""
        return f"{self.seat} throws real dice" if self.dice == "ask" else f"dice are thrown for {self.seat}"


class CharacterHanded(TableEvent):
    """A character was handed to another seat, or to the game master."""

    who: str = visible()
    seat: str | None = visible()
    name: str = visible(default="")

    def narrate(self) -> str:
        """Text that names the new player; ``name`` is set for a character that is not part of the campaign yet."""
        return f"{self.who} is played by {self.seat or 'the game master'}"


# ---------------------------------------------------------------------- outside the game


class NoteWritten(TableEvent):
    """A note was written, for everyone or for some viewers; it replaces an older note of the same id."""

    template = "{by}: {text}"

    note: str = visible()
    by: str = visible()
    text: str = visible()


class NoteRemoved(TableEvent):
    """A note was removed."""

    template = "note {note} is gone"

    note: str = visible()


class EncounterKept(TableEvent):
    """The game master prepared an encounter; it replaces an older one of the same id."""

    template = "the encounter {title} is prepared"
    inner = ("scenario",)

    encounter: str = secret()
    title: str = secret()
    scenario: Plain = secret()


class EncounterDropped(TableEvent):
    """The game master deleted a prepared encounter."""

    template = "the encounter {encounter} is no longer prepared"

    encounter: str = secret()


class PictureAdded(TableEvent):
    """A seat uploaded a picture; only the uploader and the game master know of it until it is used."""

    inner = ("size",)

    picture: str = visible()
    by: str = visible()
    width: int = visible()
    height: int = visible()
    size: int = secret()

    def narrate(self) -> str:
        """No text: the log tells when the picture is used."""
        return ""


class PortraitSet(TableEvent):
    """A character got a portrait, or lost it if ``picture`` is empty."""

    who: str = visible()
    name: str = visible()
    picture: str = visible(default="")

    def narrate(self) -> str:
        """Text for a new or removed portrait."""
        return f"{self.name} has a new portrait" if self.picture else f"{self.name} has no portrait any more"


class MapSet(TableEvent):
    """The game master laid a picture under the map of a scene, or removed it if ``picture`` is empty."""

    scene: str = visible()
    picture: str = visible(default="")

    def narrate(self) -> str:
        """Text for a new or removed map."""
        return "there is a new map" if self.picture else "the map is gone"


class TokenPlaced(TableEvent):
    """A token was put somewhere on the picture under the map of a scene, in thousandths of its width and height."""

    scene: str = visible()
    who: str = visible()
    x: int = visible()
    y: int = visible()

    def narrate(self) -> str:
        """No text: the map shows it."""
        return ""


class HandoutKept(TableEvent):
    """The game master wrote a handout; it replaces an older one of the same id and stays shown to the same seats."""

    template = "the handout {title} is ready"

    handout: str = secret()
    title: str = secret()
    text: str = secret()
    picture: str = secret(default="")


class HandoutShown(TableEvent):
    """The game master showed a handout to one seat, or to everyone if ``seat`` is empty."""

    handout: str = visible()
    title: str = visible()
    seat: str = visible(default="")

    def narrate(self) -> str:
        """Text that names the reader."""
        return f"{self.seat or 'everyone'} gets the handout {self.title}"


class HandoutHidden(TableEvent):
    """The game master took a handout back from all seats."""

    template = "the handout {title} is taken back"

    handout: str = secret()
    title: str = secret()


class HandoutDropped(TableEvent):
    """The game master deleted a handout."""

    template = "the handout {title} is deleted"

    handout: str = secret()
    title: str = secret()


class Said(TableEvent):
    """A seat said something at the table, as itself or as the character ``who``.

    ``seat`` is the reader of a whisper: the sender, the reader and the game master see it. An ``emote`` tells what the
    character does.
    """

    by: str = visible()
    text: str = visible()
    who: str = visible(default="")
    name: str = visible(default="")
    seat: str = visible(default="")
    emote: bool = visible(default=False)

    def as_seen_by(self, viewer: str, *, owned: bool = False) -> dict[str, Any] | None:
        """The event as a viewer may see it; the sender of a whisper sees it too."""
        seen = super().as_seen_by(viewer, owned=owned)
        return super().as_seen_by(self.to) if seen is None and viewer == self.by else seen

    def narrate(self) -> str:
        """Text with the speaker, and with the reader of a whisper."""
        speaker = self.name or self.by
        if self.emote:
            return f"{speaker} {self.text}"
        return f"{speaker} whispers to {self.seat}: {self.text}" if self.seat else f"{speaker}: {self.text}"


class Thrown(TableEvent):
    """A seat threw dice outside the game."""

    template = "{by} rolls {dice}: {faces} = {outcome}"
    inner = ("stream",)

    by: str = visible()
    dice: str = visible()
    faces: tuple[int, ...] = visible()
    outcome: int = visible()
    audience: str = visible(default="public")
    stream: str = secret(default="")


class UndoAsked(TableEvent):
    """A player asked the game master to undo a line. ``line`` is its number in the game master's feed."""

    template = "{by} asks to undo[ “{text}”][: {reason}]"

    by: str = visible()
    reason: str = visible(default="")
    text: str = visible(default="")
    line: int = secret()


# ---------------------------------------------------------------------- undoable events


class UndoableEvent(TableEvent):
    """Base class of the events that undo covers."""

    played = True


class CharacterAdded(UndoableEvent):
    """A character joined the campaign; if it is not ``known``, it is the game master's secret."""

    template = "{who} is part of the campaign"

    who: str = visible()
    name: str = visible()
    character: Plain = visible(OWNER)
    known: bool = secret(default=True)


class CharacterReplaced(UndoableEvent):
    """The game master replaced the sheet of a character, for a reason."""

    template = "{who} is changed[: {reason}]"

    who: str = visible()
    character: Plain = visible(OWNER)
    reason: str = visible(default="")


class CharacterDropped(UndoableEvent):
    """A character left the campaign."""

    template = "{who} is no longer part of the campaign"

    who: str = visible()


class OptionSet(UndoableEvent):
    """The table changed a rule option; characters that depend on it are converted."""

    template = "from now on: {name} is {value}[ ({reason})]"
    inner = ("options", "characters")

    name: str = visible()
    value: str | int | bool | None = visible()
    reason: str = visible(default="")
    options: Plain = secret()
    characters: dict[str, Plain] = field(default_factory=dict, metadata=secret().metadata)


class PackAdded(UndoableEvent):
    """The table started to use a content pack; if it is not ``known``, it is the game master's secret."""

    template = "pack {title} is used"
    inner = ("content",)

    pack: str = visible()
    title: str = visible()
    version: str = visible()
    content: Plain = secret()
    known: bool = secret(default=False)


class PackRemoved(UndoableEvent):
    """The table stopped using a content pack."""

    template = "pack {pack} is no longer used"

    pack: str = visible()


class SceneBegan(UndoableEvent):
    """A scene began: an encounter, or a stretch of time."""

    template = "{title} begins"
    inner = ("source", "seats", "seed", "bots")

    scene: str = visible()
    form: str = visible()
    title: str = visible()
    source: Plain = secret()
    seats: dict[str, str] = secret()
    seed: str = secret()
    bots: dict[str, str] = field(default_factory=dict, metadata=secret().metadata)


class Entered(UndoableEvent):
    """An entry from outside came into the scene: an answer, the faces of a roll, a process or a new participant.

    ``asked`` is the question that it answers. ``recalled`` is the key of the remembered roll that it repeated.
    ``facts`` is the number of records that it caused. The line stores these as the game master sees them, and other
    viewers get parts of them.
    """

    inner = ("entry", "asked", "recalled", "facts", "seat", "unasked")

    scene: str = visible()
    entry: Any = secret()
    seat: str = secret(default="")
    asked: str = secret(default="")
    recalled: str | None = secret(default=None)
    facts: int = secret(default=0)
    unasked: bool = secret(default=False)


class SceneClosed(UndoableEvent):
    """A scene ended; the characters of the campaign leave it in their current state."""

    template = "the scene is over[: {outcome}]"
    inner = ("characters", "options")

    scene: str = visible()
    outcome: str = visible(default="")
    now: int = visible()
    characters: dict[str, Plain] = secret()
    options: Plain = secret()


# ---------------------------------------------------------------------- proposals


class Proposed(TableEvent):
    """An answer that would harm others; it counts once the game master applies it, and not if dismissed."""

    inner = ("entry", "by", "unasked")

    scene: str = visible()
    entry: Any = secret()
    by: str = secret()
    unasked: bool = secret(default=False)


class Dismissed(TableEvent):
    """The game master dismissed a proposal. Dice already thrown for it show the same faces if thrown again."""

    template = "what was proposed does not happen[: {reason}]"
    inner = ("remembered",)

    by: str = visible()
    reason: str = visible(default="")
    remembered: dict[str, list[list[int]]] = field(default_factory=dict, metadata=secret().metadata)


# ---------------------------------------------------------------------- undo


class Undone(TableEvent):
    """Play returned to an earlier line: ``head`` is the last line that counts now, ``was`` the one before.

    ``why`` is ``undo``, ``take back``, ``change`` or ``rules changed``. ``remembered`` holds the faces of dropped
    rolls, by the key of the roll.
    """

    inner = ("head", "was", "remembered")

    by: str = visible(default="")
    why: str = visible(default="undo")
    reason: str = visible(default="")
    head: int = secret()
    was: int = secret()
    remembered: dict[str, list[list[int]]] = field(default_factory=dict, metadata=secret().metadata)


class Redone(TableEvent):
    """The last undo was reverted."""

    inner = ("head", "was")

    by: str = visible(default="")
    head: int = secret()
    was: int = secret()


KINDS: dict[str, type[TableEvent]] = {
    kind.kind: kind
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
        PictureAdded,
        PortraitSet,
        MapSet,
        TokenPlaced,
        HandoutKept,
        HandoutShown,
        HandoutHidden,
        HandoutDropped,
        Said,
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
"""Event classes of a campaign, by kind."""


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[kind])


def to_plain(event: TableEvent) -> Plain:
    """Encode an event as plain data, without its kind."""
    return {entry.name: _plain(getattr(event, entry.name)) for entry in fields(event)}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def from_plain(kind: str, plain: Plain) -> TableEvent:
    """Decode the event of a log line; refuse unknown kinds and invalid fields."""
    if kind not in KINDS:
        raise InvalidInputError(f'the log has an unknown event "{kind:.40}"')
    try:
        event: TableEvent = _adapter(kind).validate_python(plain)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInputError(f"{kind}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return event
