"""Characters: frozen values that systems extend with their own fields, and their files.

>>> class Coiner(Character):
...     system: str = "coinfolk"
...     rules: str = "1.0"
...     luck: int = Field(default=1, ge=0, le=6)
...     skills: Ranks = Ranks()
>>> loaded = read_character("system: coinfolk\\nrules: '1.0'\\nname: Ann\\nskills: {climb: 4}\\nhat: red\\n", Coiner)
>>> loaded.character.skills["climb"], loaded.messages
(4, ('text:5: hat: unknown field, kept as it is',))
>>> print(character_text(loaded.character.changed(luck=3)), end="")
system: coinfolk
rules: "1.0"
kind: character
name: Ann
luck: 3
skills:
  climb: 4
belongings: []
notes: ""
hat: red
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.files.atomic import write_atomically
from tablewright.game.files.documents import (
    Document,
    Format,
    Place,
    Step,
    dotted,
    dump_document,
    format_of,
    parse_document,
    quote,
    read_document,
)
from tablewright.game.files.validation import lost_fields, problems_of, strange_fields, unknown_field
from tablewright.game.values import KEPT, WRITTEN, Frozen, NotationField, Ranks, freeze, thaw

__all__ = [
    "KEPT",
    "WRITTEN",
    "Character",
    "Field",
    "Frozen",
    "FrozenModel",
    "ItemStack",
    "LoadedCharacter",
    "NotationField",
    "Ranks",
    "character_text",
    "freeze",
    "read_character",
    "system_of_file",
    "thaw",
    "write_character",
]

MOST_BYTES = 1024 * 1024
MOST_BELONGINGS = 1_000
MOST_NAME = 200
MOST_NOTES = 20_000

_FIRST = ("system", "rules", "kind", "name")
_LAST = ("belongings", "notes")
_REMEMBERED = ("digest", "_hash")
_DOTTED_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}\Z")
_UNKNOWN_FIELD = "unknown field, kept as it is"

Extra = Annotated[Any, KEPT]


class FrozenModel(BaseModel):
    """Frozen record that keeps unknown fields; the base of a character and of the records inside it.

    Fields are numbers, strings, tuples, `Frozen` mappings and other such records. A list or a dict is refused, because
    a mutable value cannot be part of a scene.
    """

    model_config = ConfigDict(frozen=True, extra="allow", ignored_types=(cached_property,))
    if not TYPE_CHECKING:  # a type checker would take it for a parameter
        __pydantic_extra__: dict[str, Extra]

    def model_post_init(self, _context: Any) -> None:
        """Refuse mutable field values."""
        for name, value in self.__dict__.items():
            try:
                hash(value)
            except TypeError:
                kind = type(self).__name__
                raise TablewrightError(f"{kind}.{name} is a {type(value).__name__}; use a tuple or Frozen") from None

    @property
    def unknown(self) -> Frozen[Any]:
        """Fields of the file that this version does not know."""
        return Frozen(self.__pydantic_extra__ or {})

    @cached_property
    def digest(self) -> bytes:
        """Digest of sixteen bytes, equal for equal values in every process."""
        return blake2b(self.model_dump_json().encode(), digest_size=16).digest()

    @cached_property
    def _hash(self) -> int:
        return int.from_bytes(self.digest[:7], "little")

    def json_text(self) -> dict[str, Any]:
        """The record as plain JSON, for events and statuses that hold it."""
        return self.model_dump(mode="json")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return self.digest == other.digest

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy without validation of the changed fields; `changed` validates them."""
        copied = super().model_copy(update=update, deep=deep)
        for name in _REMEMBERED:
            copied.__dict__.pop(name, None)
        return copied

    def changed(self, **fields: Any) -> Self:
        """Copy with some fields changed and validated; unknown fields are refused."""
        own = type(self).model_fields
        for name in fields:
            if name not in own:
                raise InvalidInputError(f"{type(self).__name__}: {name}: {unknown_field((name,), type(self))}")
        values = {name: getattr(self, name) for name in own} | (self.__pydantic_extra__ or {}) | fields
        try:
            return type(self).model_validate(values)
        except ValidationError as error:
            raise ProblemListError(problems_of(Document(type(self).__name__, fields), error)) from None


class Character(FrozenModel):
    """Base class of every system's character.

    A system gives `system` and `rules` their defaults (its id and its version) and adds its fields. `rules` is the
    version of the system that wrote the character. `kind` is the system's word for the type: a character, a creature.
    """

    system: str
    rules: str = Field(min_length=1, max_length=40)
    name: str = Field(min_length=1, max_length=MOST_NAME)
    kind: str = Field(default="character", min_length=1, max_length=MOST_NAME)
    belongings: tuple[ItemStack, ...] = Field(default=(), max_length=MOST_BELONGINGS)
    notes: str = Field(default="", max_length=MOST_NOTES)

    def __repr__(self) -> str:
        """Short form; the repr of a scene includes every character."""
        return f"<{self.kind} {self.name} {self.digest.hex()[:12]}>"

    @property
    def is_creature(self) -> bool:
        """True if it is a creature; the limits of character creation do not apply to it."""
        return self.kind != "character"

    @classmethod
    def upgraded(cls, written: dict[str, Any], rules: str) -> dict[str, Any]:
        """Convert the fields of a file that another version of the rules wrote.

        A system overrides this when it renames or reorders fields. It may raise `InvalidInputError` to say why it
        cannot open the file. `rules` is the version that wrote the file.
        """
        return written

    def to_json(self) -> dict[str, Any]:
        """The character as plain data in the order of its file: identity first, unknown fields last."""
        dumped = self.model_dump(mode="json")
        own = [name for name in type(self).model_fields if name not in (*_FIRST, *_LAST)]
        order = dict.fromkeys([*_FIRST, *own, *_LAST, *dumped])
        return {name: dumped[name] for name in order}


C = TypeVar("C", bound=Character)


class LoadedCharacter(NamedTuple, Generic[C]):
    """A character from a file, and messages about it."""

    character: C
    messages: tuple[str, ...] = ()


# ---------------------------------------------------------------------- reading


def read_character(source: Path | str | Document | Mapping[str, Any], character_type: type[C]) -> LoadedCharacter[C]:
    """Read a character from a file (a `Path`), from YAML or JSON text, or from plain data.

    Unknown fields are kept and reported. A file of older rules is upgraded; a file of newer rules is read as far as
    possible. The messages mention both. The error lists all problems at once.
    """
    document = _document(source)
    written = document.value
    if not isinstance(written, dict):
        raise InvalidInputError(f"{document.name}: a character is a mapping of fields, not {quote(written)}")
    current = _default(character_type, "rules")
    rules = written.get("rules", current)
    _right_system(document, character_type)
    messages: list[str] = []
    age = _compare(rules, current) if isinstance(rules, str) and isinstance(current, str) else 0
    asked = written
    if age:
        asked = _brought_up_to_date(document, character_type, str(rules), str(current))
        if age < 0:
            asked = {**asked, "rules": current}
            messages.append(f"{document.name}: written by rules {rules}, opened with rules {current}")
        else:
            messages.append(f"{document.name}: written by newer rules {rules}; these are {current}, please check it")
    strange = list(strange_fields(asked, character_type))
    try:
        character = character_type.model_validate_json(json.dumps(_without(asked, strange)), strict=True)
    except ValidationError as error:
        problems = problems_of(document.with_value(asked), error, character_type)
        raise ProblemListError([*messages, *problems, *_refused(document, strange, character_type)]) from None
    strange = strange or list(lost_fields(asked, character.model_dump(mode="json")))
    if strange:
        raise ProblemListError([*messages, *_refused(document, strange, character_type)])
    messages += _unknown(document, character)
    return LoadedCharacter(character, tuple(messages))


def system_of_file(source: Path | str | Document) -> str:
    """Id of the system that a character file names."""
    document = _document(source)
    system = document.value.get("system") if isinstance(document.value, dict) else None
    if not isinstance(system, str):
        raise InvalidInputError(
            f'{document.name}: not a character: a character\'s file says "system: ..."', field="system"
        )
    return system


def _document(source: Path | str | Document | Mapping[str, Any]) -> Document:
    if isinstance(source, Document):
        return source
    if isinstance(source, Path):
        return read_document(source, most_bytes=MOST_BYTES)
    if isinstance(source, str):
        kind: Format = "json" if source.lstrip().startswith("{") else "yaml"
        return parse_document(source, "text", kind, most_bytes=MOST_BYTES)
    try:
        text = json.dumps(thaw(source), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"this is not plain data: {error}") from None
    return Document("data", parse_document(text, "data", "json", most_bytes=MOST_BYTES).value)


def _default(character_type: type[Character], name: str) -> Any:
    return character_type.model_fields[name].get_default()


def _right_system(document: Document, character_type: type[Character]) -> None:
    known = _default(character_type, "system")
    given = document.value.get("system", known)
    if isinstance(known, str) and given != known:
        raise InvalidInputError(
            f'{document.at(("system",))}: system: {quote(given)} is not allowed, allowed is "{known}"', field="system"
        )


def _compare(rules: str, current: str) -> int:
    """Negative for older rules, positive for newer ones; a version that is not a dotted number counts as older."""
    if rules == current:
        return 0
    written, known = _numbers(rules), _numbers(current)
    return 1 if written is not None and known is not None and written > known else -1


def _numbers(version: str) -> list[int] | None:
    return [int(part) for part in version.split(".")] if _DOTTED_NUMBER.match(version) else None


def _brought_up_to_date(
    document: Document, character_type: type[Character], rules: str, current: str
) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(document.value))
    try:
        return character_type.upgraded(copied, rules)
    except TablewrightError as error:
        raise InvalidInputError(
            f"{document.name}: written by rules {rules}, cannot be opened with rules {current}: {error}"
        ) from None


def _without(written: dict[str, Any], strange: Sequence[Sequence[Step]]) -> dict[str, Any]:
    """Copy of the content without the given keys, to validate the rest."""
    if not strange:
        return written
    left: dict[str, Any] = json.loads(json.dumps(written))
    for path in strange:
        here: Any = left
        for step in path[:-1]:
            here = here[step]
        del here[path[-1]]
    return left


def _refused(document: Document, strange: Iterable[Sequence[Step]], character_type: type[Character]) -> list[str]:
    """Messages about unknown fields in records that would not keep them."""
    return [f"{document.at(path)}: {dotted(path)}: {unknown_field(path, character_type)}" for path in strange]


def _unknown(document: Document, character: Character) -> list[str]:
    """Messages about unknown fields that were kept, at any depth."""
    found: list[tuple[Place, str]] = []

    def look(value: Any, path: tuple[str | int, ...]) -> None:
        extra: Mapping[str, Any] = {}
        inside: list[tuple[str | int, Any]] = []
        if isinstance(value, FrozenModel):
            extra = value.unknown
            inside = [(name, getattr(value, name)) for name in type(value).model_fields]
        elif isinstance(value, ItemStack):
            extra = value.more
        elif isinstance(value, Frozen):
            inside = list(value.items())
        elif isinstance(value, tuple) and not hasattr(value, "_fields"):
            inside = list(enumerate(value))
        for name in extra:
            there = (*path, name)
            found.append((document.place(there), f"{document.at(there)}: {dotted(there)}: {_UNKNOWN_FIELD}"))
        for step, part in inside:
            look(part, (*path, step))

    look(character, ())
    return [message for _, message in sorted(found, key=lambda entry: entry[0])]


# ---------------------------------------------------------------------- writing


def character_text(character: Character, kind: Format = "yaml") -> str:
    """The character as the text of a file."""
    return dump_document(character.to_json(), kind)


def write_character(path: Path, character: Character, *, force: bool = False) -> None:
    """Write a character file atomically, as YAML or JSON by its suffix.

    An existing file is replaced only if it holds a character; `force` replaces any file.
    """
    text = character_text(character, format_of(path))
    if len(text.encode()) > MOST_BYTES:
        raise InvalidInputError(f"{path}: the character is larger than {MOST_BYTES:,} bytes")
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not force:
            _is_character(path)
        write_atomically(target, text)
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _is_character(path: Path) -> None:
    try:
        system_of_file(path)
    except InvalidInputError as error:
        raise InvalidInputError(
            f"{path} is there already and is not a character; it is not replaced ({error})"
        ) from None
