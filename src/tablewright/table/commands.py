"""Commands that a seat may send to a table: one model per command, with ``do`` as the discriminator.

``Table.act`` reads them, and a server publishes them in its schema. Sizes, depths and counts are bounded because
commands come from untrusted clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.files.validation import problem_words
from tablewright.table.tokens import check_seen

MOST_DEPTH = 40
MOST_VALUES = 60_000
MOST_TEXT = 200_000
MOST_CHARACTERS = 2_000_000


def bounded(value: Any) -> Any:
    """Return plain data unchanged; raise ValueError if it is too deep, too large or not plain."""
    left, letters = MOST_VALUES, MOST_CHARACTERS
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        one, depth = stack.pop()
        left -= 1
        if left < 0:
            raise ValueError(f"more than {MOST_VALUES:,} values")
        if depth > MOST_DEPTH:
            raise ValueError(f"more than {MOST_DEPTH} levels of nesting")
        if isinstance(one, str):
            letters -= len(one)
            if len(one) > MOST_TEXT or letters < 0:
                raise ValueError(f"a text of more than {MOST_TEXT:,} letters, or more than {MOST_CHARACTERS:,} in all")
            if not one.isascii() and any("\ud800" <= letter <= "\udfff" for letter in one):
                raise ValueError("an incomplete character in its text")
        elif isinstance(one, Mapping):
            for key, inside in one.items():
                if not isinstance(key, str):
                    raise ValueError("a key that is not text")
                stack += [(key, depth + 1), (inside, depth + 1)]
        elif isinstance(one, list | tuple):
            stack += [(inside, depth + 1) for inside in one]
        elif one is not None and not isinstance(one, bool | int | float):
            raise ValueError(f"a {type(one).__name__}, which is not plain data")
        elif isinstance(one, int) and one.bit_length() > 256:
            raise ValueError("a number with too many digits")
    return value


def _printable(text: str) -> str:
    if any(letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("it has characters that cannot be printed")
    if not text.strip():
        raise ValueError("it has nothing but blanks")
    return text.strip()


def _readable(text: str) -> str:
    if any((letter < " " and letter != "\n") or letter == "\x7f" for letter in text):
        raise ValueError("it has characters that cannot be printed")
    if not text.strip():
        raise ValueError("it has nothing but blanks")
    return text.strip()


def _seen(text: str) -> str:
    plain = _printable(text)
    try:
        check_seen(plain)
    except InvalidInputError as unseen:
        raise ValueError(unseen.message) from unseen
    return plain


Id = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_printable)]
Name = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_seen)]
PictureId = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Short = Annotated[str, Field(max_length=500)]
Number = Annotated[int, Field(ge=1, le=2**53)]
PlainData = Annotated[dict[str, Any], AfterValidator(bounded)]
Audience: TypeAlias = Literal["public", "gm", "blind", "self"]


class Command(BaseModel):
    """Base class of all commands; refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Answered(Command):
    """An answer to a question: an option, a throw, the faces of real dice, or an outcome set by the game master."""

    option: Annotated[str, Field(max_length=500)] | None = None
    roll: Literal[True] | None = None
    faces: Annotated[list[Annotated[int, Field(ge=-1_000, le=1_000_000)]], Field(max_length=1_000)] | None = None
    set: Short | None = None
    reason: Short = ""

    @model_validator(mode="after")
    def _one(self) -> Answered:
        given = [name for name in ("option", "roll", "faces", "set") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of option, roll, faces and set")
        return self


class Answer(Answered):
    """Answer the open question; ``question`` is its id and guards against answering a different one."""

    do: Literal["answer"]
    question: Annotated[str, Field(max_length=40)] | None = None


class Start(Command):
    """Start a process by its public name."""

    do: Literal["start"]
    process: Id
    arguments: PlainData = Field(default_factory=dict, alias="with")


class Join(Command):
    """Add a participant to the open scene."""

    do: Literal["join"]
    entrant: PlainData


class ApplyProposal(Command):
    """Apply the proposal; its damage counts in full, half or not at all."""

    do: Literal["proposal.apply"]
    harm: Literal["all", "half", "none"] = "all"


class DismissProposal(Command):
    """Dismiss the proposal; the question opens again, and dice already thrown for it keep their faces."""

    do: Literal["proposal.dismiss"]
    reason: Short = ""


class GoOn(Command):
    """Let dice and bots continue after an undo."""

    do: Literal["go_on"]


class Throw(Command):
    """Throw dice outside the game."""

    do: Literal["throw"]
    dice: Annotated[str, Field(min_length=1, max_length=200)]
    audience: Audience = "public"
    faces: Annotated[list[int], Field(max_length=1_000)] | None = None


class BeginScene(Command):
    """Begin an encounter or a stretch of time; an open scene without an open question ends first."""

    do: Literal["scene.begin"]
    form: Literal["encounter", "time"] = "encounter"
    title: Name | Literal[""] = ""
    scenario: Annotated[str, Field(max_length=120)] | PlainData | None = None
    who: Annotated[list[Id], Field(max_length=200)] = Field(default_factory=list)
    side: Id = "party"
    bots: Annotated[dict[Id, Id], Field(max_length=200)] = Field(default_factory=dict)


class EndScene(Command):
    """End the open scene; ``anyway`` ends it even while a question is open."""

    do: Literal["scene.end"]
    outcome: Short = ""
    anyway: bool = False


class AddCharacter(Command):
    """Add a character from the content of a file, or from a content template by its id."""

    do: Literal["character.add"]
    character: Id | PlainData
    id: Id | None = None
    seat: Id | None = None
    known: bool = True


class ReplaceCharacter(Command):
    """Replace the sheet of a character."""

    do: Literal["character.replace"]
    who: Id
    character: PlainData
    reason: Short = ""


class DropCharacter(Command):
    """Remove a character from the campaign."""

    do: Literal["character.drop"]
    who: Id


class WriteNote(Command):
    """Write a note; ``id`` replaces an older note by the same seat."""

    do: Literal["note.write"]
    text: Annotated[str, Field(min_length=1, max_length=10_000)]
    to: Literal["everyone", "gm", "self"] = "everyone"
    id: Id | None = None


class RemoveNote(Command):
    """Remove a note."""

    do: Literal["note.remove"]
    id: Id


class KeepEncounter(Command):
    """Save a prepared encounter, visible only to the game master; ``id`` replaces an older one."""

    do: Literal["encounter.keep"]
    title: Name
    scenario: PlainData
    id: Id | None = None


class DropEncounter(Command):
    """Delete a prepared encounter."""

    do: Literal["encounter.drop"]
    id: Id


class Say(Command):
    """Say something at the table: to everyone, to the game master (``gm``), or to one seat as a whisper.

    ``who`` speaks as a character, and ``emote`` tells what the character does. The text may be a chat command: ``/roll
    2d6``, ``/me`` with an act, or ``/w`` with a name and a whisper.
    """

    do: Literal["say"]
    text: Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_readable)]
    to: Id = "everyone"
    who: Id | None = None
    emote: bool = False


class SetPortrait(Command):
    """Set the portrait of a character to an uploaded picture; without one, the character gets its icon back."""

    do: Literal["portrait.set"]
    who: Id
    picture: PictureId | None = None


class SetMap(Command):
    """Lay an uploaded picture under the map of the open scene, or remove it."""

    do: Literal["map.set"]
    picture: PictureId | None = None


class PlaceToken(Command):
    """Put a token somewhere on the picture under the map, in thousandths of its width and height."""

    do: Literal["token.place"]
    who: Name
    x: Annotated[int, Field(ge=0, le=1_000)]
    y: Annotated[int, Field(ge=0, le=1_000)]


class KeepHandout(Command):
    """Write a handout in Markdown, with a picture if wanted; no one else sees it yet. ``id`` replaces an older one."""

    do: Literal["handout.keep"]
    title: Name
    text: Annotated[str, Field(max_length=10_000)] = ""
    picture: PictureId | None = None
    id: Id | None = None


class ShowHandout(Command):
    """Show a handout to some seats, or to everyone, now and later."""

    do: Literal["handout.show"]
    id: Id
    seats: Literal["everyone"] | Annotated[list[Id], Field(min_length=1, max_length=60)]


class HideHandout(Command):
    """Take a handout back from all seats."""

    do: Literal["handout.hide"]
    id: Id


class DropHandout(Command):
    """Delete a handout."""

    do: Literal["handout.drop"]
    id: Id


class SetOption(Command):
    """Set a rule option from now on."""

    do: Literal["option.set"]
    name: Id
    value: Annotated[str, Field(max_length=60)] | int | bool | None
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class AddPack(Command):
    """Use a content pack, given as the text of its file or as data; players see it only if it is ``known``."""

    do: Literal["pack.add"]
    pack: Annotated[str, Field(max_length=MOST_TEXT)] | PlainData
    known: bool = False


class RemovePack(Command):
    """Stop using a content pack."""

    do: Literal["pack.remove"]
    pack: Id


class ApproveSeat(Command):
    """Approve a seat that asked to take part."""

    do: Literal["seat.approve"]
    seat: Id


class RenameSeat(Command):
    """Rename a seat."""

    do: Literal["seat.rename"]
    seat: Id
    name: Name


class RemoveSeat(Command):
    """Remove a seat from the table and void its links."""

    do: Literal["seat.remove"]
    seat: Id


class HandCharacter(Command):
    """Give a character to another seat, or to the game master."""

    do: Literal["seat.hand"]
    who: Id
    seat: Id | None


class SetSeat(Command):
    """Choose whether dice are thrown automatically (``auto``), or the seat throws them or types them in (``ask``)."""

    do: Literal["seat.set"]
    seat: Id | None = None
    dice: Literal["auto", "ask"]


class SetSetting(Command):
    """Change a setting of this table; see ``SETTINGS``."""

    do: Literal["setting.set"]
    name: Id
    value: Annotated[Any, AfterValidator(bounded)]


class Undo(Command):
    """Undo a line and all lines after it; ``line`` is the seat's own number, ``confirm`` comes from a preview."""

    do: Literal["undo"]
    line: Number
    confirm: Annotated[str, Field(max_length=64)] | None = None
    reason: Short = ""


class Redo(Command):
    """Redo the last undo."""

    do: Literal["redo"]
    confirm: Annotated[str, Field(max_length=64)] | None = None


class Change(Command):
    """Change the answer at a line, and run the later answers again as far as they still fit."""

    do: Literal["change"]
    line: Number
    answer: Answered
    confirm: Annotated[str, Field(max_length=64)] | None = None


class TakeBack(Command):
    """Undo the caller's last answer, unless another seat has acted since or dice were shown."""

    do: Literal["take_back"]


class AskUndo(Command):
    """Ask the game master to undo a line."""

    do: Literal["undo.ask"]
    line: Number
    reason: Short = ""


AnyCommand = Annotated[
    Answer
    | Start
    | Join
    | ApplyProposal
    | DismissProposal
    | GoOn
    | Throw
    | BeginScene
    | EndScene
    | AddCharacter
    | ReplaceCharacter
    | DropCharacter
    | WriteNote
    | RemoveNote
    | KeepEncounter
    | DropEncounter
    | Say
    | SetPortrait
    | SetMap
    | PlaceToken
    | KeepHandout
    | ShowHandout
    | HideHandout
    | DropHandout
    | SetOption
    | AddPack
    | RemovePack
    | ApproveSeat
    | RenameSeat
    | RemoveSeat
    | HandCharacter
    | SetSeat
    | SetSetting
    | Undo
    | Redo
    | Change
    | TakeBack
    | AskUndo,
    Field(discriminator="do"),
]
"""Any command; ``COMMANDS.json_schema()`` gives its JSON schema."""

COMMANDS: TypeAdapter[Any] = TypeAdapter(AnyCommand)


def read_command(given: Mapping[str, Any] | Command) -> Any:
    """Parse a command from plain data; the error lists up to 20 problems at once."""
    if isinstance(given, Command):
        return given
    try:
        bounded(given)
    except ValueError as error:
        raise InvalidInputError(f"the command has {error}") from None
    try:
        return COMMANDS.validate_python(given)
    except ValidationError as error:
        problems = [
            f"{_path(problem['loc'])}: {problem_words(problem, problem['loc'])}"
            for problem in error.errors(include_url=False)
        ]
        first = error.errors()[0]["loc"]
        raise ProblemListError(problems[:20], field=_path(first)) from None


def _path(steps: tuple[str | int, ...]) -> str:
    """Dotted path of a problem inside the command, without the name of the model."""
    return ".".join([str(step) for step in steps[1:]]) or "do"
