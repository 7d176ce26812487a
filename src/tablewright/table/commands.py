"""What a seat may ask of a table, as plain data: one model for each, told apart by ``do``.

They are what ``Table.act`` reads, what a server puts into its schema, and what is refused when it is not understood.
Sizes, depths and counts are bounded: commands come from anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from tablewright.errors import BadInput, ManyProblems
from tablewright.game.field_problems import problem_words

MOST_DEPTH = 40
MOST_VALUES = 60_000
MOST_TEXT = 200_000
MOST_CHARACTERS = 2_000_000


def bounded(value: Any) -> Any:
    """Refuse plain data that is too deep, too large, or no plain data."""
    left, letters = MOST_VALUES, MOST_CHARACTERS
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        one, depth = stack.pop()
        left -= 1
        if left < 0:
            raise ValueError(f"more than {MOST_VALUES:,} values")
        if depth > MOST_DEPTH:
            raise ValueError(f"more than {MOST_DEPTH} levels deep")
        if isinstance(one, str):
            letters -= len(one)
            if len(one) > MOST_TEXT or letters < 0:
                raise ValueError(f"a text of more than {MOST_TEXT:,} letters, or more than {MOST_CHARACTERS:,} in all")
            if not one.isascii() and any("\ud800" <= letter <= "\udfff" for letter in one):
                raise ValueError("half a letter")
        elif isinstance(one, Mapping):
            for key, inside in one.items():
                if not isinstance(key, str):
                    raise ValueError("a name that is no text")
                stack += [(key, depth + 1), (inside, depth + 1)]
        elif isinstance(one, list | tuple):
            stack += [(inside, depth + 1) for inside in one]
        elif one is not None and not isinstance(one, bool | int | float):
            raise ValueError(f"a {type(one).__name__} is no plain data")
        elif isinstance(one, int) and one.bit_length() > 256:
            raise ValueError("a number with too many digits")
    return value


def _printable(text: str) -> str:
    if any(letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("letters that cannot be printed")
    if not text.strip():
        raise ValueError("nothing but blanks")
    return text.strip()


Id = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_printable)]
Name = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_printable)]
Short = Annotated[str, Field(max_length=500)]
Number = Annotated[int, Field(ge=1, le=2**53)]
PlainData = Annotated[dict[str, Any], AfterValidator(bounded)]
Audience: TypeAlias = Literal["public", "gm", "blind", "self"]


class Command(BaseModel):
    """What all have in common: nothing unknown is taken along."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Answered(Command):
    """How a question is answered: an option, a throw, the faces of real dice, or what the game master sets it to."""

    option: Annotated[str, Field(max_length=500)] | None = None
    roll: Literal[True] | None = None
    faces: Annotated[list[Annotated[int, Field(ge=-1_000, le=1_000_000)]], Field(max_length=1_000)] | None = None
    set: Short | None = None
    reason: Short = ""

    @model_validator(mode="after")
    def _one(self) -> Answered:
        given = [name for name in ("option", "roll", "faces", "set") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an answer is one of option, roll, faces and set")
        return self


class Answer(Answered):
    """Answer the open question; ``question`` is its id, so that no other question is answered by mistake."""

    do: Literal["answer"]
    question: Annotated[str, Field(max_length=40)] | None = None


class Start(Command):
    """Start a process by its public name."""

    do: Literal["start"]
    process: Id
    arguments: PlainData = Field(default_factory=dict, alias="with")


class Join(Command):
    """Somebody comes into the open scene."""

    do: Literal["join"]
    entrant: PlainData


class ApplyProposal(Command):
    """Let happen what was proposed; the harm of it counts as a whole, half, or not at all."""

    do: Literal["proposal.apply"]
    harm: Literal["all", "half", "none"] = "all"


class DismissProposal(Command):
    """Do not let happen what was proposed; the question is open again, and dice thrown for it stay as they are."""

    do: Literal["proposal.dismiss"]
    reason: Short = ""


class GoOn(Command):
    """Let dice and bots go on after an undo."""

    do: Literal["go_on"]


class Throw(Command):
    """Throw dice besides the game."""

    do: Literal["throw"]
    dice: Annotated[str, Field(min_length=1, max_length=200)]
    audience: Audience = "public"
    faces: Annotated[list[int], Field(max_length=1_000)] | None = None


class BeginScene(Command):
    """Begin an encounter or a stretch of time; a scene that is open and asks nothing ends."""

    do: Literal["scene.begin"]
    form: Literal["encounter", "time"] = "encounter"
    title: Annotated[str, Field(max_length=60)] = ""
    scenario: Annotated[str, Field(max_length=120)] | PlainData | None = None
    who: Annotated[list[Id], Field(max_length=200)] = Field(default_factory=list)
    side: Id = "party"
    bots: Annotated[dict[Id, Id], Field(max_length=200)] = Field(default_factory=dict)


class EndScene(Command):
    """End the open scene; ``anyway`` also where something is asked."""

    do: Literal["scene.end"]
    outcome: Short = ""
    anyway: bool = False


class AddCharacter(Command):
    """Add a character: a file's content, or the id of a template of the content."""

    do: Literal["character.add"]
    character: Id | PlainData
    id: Id | None = None
    seat: Id | None = None
    known: bool = True


class ReplaceCharacter(Command):
    """Put another sheet in a character's place."""

    do: Literal["character.replace"]
    who: Id
    character: PlainData
    reason: Short = ""


class DropCharacter(Command):
    """Take a character out of the campaign."""

    do: Literal["character.drop"]
    who: Id


class WriteNote(Command):
    """Write something down; ``id`` replaces an older note of one's own."""

    do: Literal["note.write"]
    text: Annotated[str, Field(min_length=1, max_length=10_000)]
    to: Literal["everyone", "gm", "self"] = "everyone"
    id: Id | None = None


class RemoveNote(Command):
    """Take a note away."""

    do: Literal["note.remove"]
    id: Id


class KeepEncounter(Command):
    """Keep a prepared encounter for later, hidden from everybody else; ``id`` replaces an older one."""

    do: Literal["encounter.keep"]
    title: Name
    scenario: PlainData
    id: Id | None = None


class DropEncounter(Command):
    """Keep a prepared encounter no longer."""

    do: Literal["encounter.drop"]
    id: Id


class SetOption(Command):
    """Play by another variant from now on."""

    do: Literal["option.set"]
    name: Id
    value: Annotated[str, Field(max_length=60)] | int | bool | None
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class AddPack(Command):
    """Use a pack of the table: the text of its file, or its content; players know of it only where it is ``known``."""

    do: Literal["pack.add"]
    pack: Annotated[str, Field(max_length=MOST_TEXT)] | PlainData
    known: bool = False


class RemovePack(Command):
    """Use a pack no longer."""

    do: Literal["pack.remove"]
    pack: Id


class ApproveSeat(Command):
    """Let somebody take part who asked to."""

    do: Literal["seat.approve"]
    seat: Id


class RenameSeat(Command):
    """Call somebody otherwise."""

    do: Literal["seat.rename"]
    seat: Id
    name: Name


class RemoveSeat(Command):
    """Send somebody from the table; their links are void."""

    do: Literal["seat.remove"]
    seat: Id


class HandCharacter(Command):
    """Give a character to another seat, or to the game master."""

    do: Literal["seat.hand"]
    who: Id
    seat: Id | None


class SetSeat(Command):
    """Have dice thrown, or be asked to throw them or type them in."""

    do: Literal["seat.set"]
    seat: Id | None = None
    dice: Literal["auto", "ask"]


class SetSetting(Command):
    """Change how this table is played; see ``SETTINGS``."""

    do: Literal["setting.set"]
    name: Id
    value: Annotated[Any, AfterValidator(bounded)]


class Undo(Command):
    """Take back a line and all after it; ``line`` as the seat counts, ``confirm`` from a preview."""

    do: Literal["undo"]
    line: Number
    confirm: Annotated[str, Field(max_length=64)] | None = None
    reason: Short = ""


class Redo(Command):
    """Bring back what was undone last."""

    do: Literal["redo"]
    confirm: Annotated[str, Field(max_length=64)] | None = None


class Change(Command):
    """Answer otherwise at a line, and run the later answers again as far as they still fit."""

    do: Literal["change"]
    line: Number
    answer: Answered
    confirm: Annotated[str, Field(max_length=64)] | None = None


class TakeBack(Command):
    """Take back one's own last answer, before anybody else has acted or dice were shown."""

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
"""Any command; a JSON schema of it is ``COMMANDS.json_schema()``."""

COMMANDS: TypeAdapter[Any] = TypeAdapter(AnyCommand)


def read_command(given: Mapping[str, Any] | Command) -> Any:
    """The command that plain data stands for; everything that is wrong with it is said at once."""
    if isinstance(given, Command):
        return given
    try:
        bounded(given)
    except ValueError as error:
        raise BadInput(f"the command is too much: {error}") from None
    try:
        return COMMANDS.validate_python(given)
    except ValidationError as error:
        problems = [f"{_path(one['loc'])}: {problem_words(one, one['loc'])}" for one in error.errors(include_url=False)]
        first = error.errors()[0]["loc"]
        raise ManyProblems(problems[:20], field=_path(first)) from None


def _path(steps: tuple[str | int, ...]) -> str:
    """Where in the command something is wrong, without the name of the model it was read as."""
    return ".".join([str(step) for step in steps[1:]]) or "do"
