"""Packs: content as data. Weapons, armours, powers, creatures are entries of files that nothing in them can execute.

A system declares its kinds as models that derive from `Entry`; what is inside an entry derives from `Part`. A pack is a
YAML or JSON file, or a folder of them with the header in `pack.yaml`:

    pack: {id: harbour, title: Harbour gear, version: "1", origin: house}
    system: coinfolk
    weapons:
      - {id: gaff, name: Gaff, damage: 3}

A `Library` is the starter pack of a system and a user's own packs after it, which add entries or replace them by id.
Whatever is wrong with a pack is reported at once, each with file, line and column.

>>> class Weapon(Entry):
...     damage: int = Field(ge=0, le=12)
>>> pack = read_pack('{pack: {id: a, title: A, version: "1"}, system: coinfolk, weapons: [{id: gaff, damage: 13}]}',
...                  {"weapons": Weapon})
Traceback (most recent call last):
tablewright.errors.ManyProblems: pack:1:76: weapons[0].name: missing
pack:1:76: weapons[0].origin: missing
pack:1:96: weapons[0].damage: 13 is not allowed, allowed is 12 or less
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tablewright.errors import BadInput, ManyProblems, nearest
from tablewright.game.compiling import BadYaml, read_data
from tablewright.game.frozen import WRITTEN, Frozen, Written
from tablewright.game.ledger import Origin
from tablewright.game.yaml_lines import MOST_PROBLEMS, SUFFIXES, Document, Step, parse_document, read_document

if TYPE_CHECKING:
    from tablewright.game.system import System

__all__ = [
    "WRITTEN",
    "Amount",
    "Diff",
    "Entry",
    "Frozen",
    "Kinds",
    "Library",
    "Pack",
    "Part",
    "Refers",
    "Written",
    "diff",
    "library_of",
    "load_pack",
    "load_shipped_pack",
    "read_pack",
]

MOST_ENTRIES = 5_000
MOST_FILES = 200
MOST_PACKS = 50
PACK_FILE = "pack"
PACK_FOLDER = "data/pack"
ID_PATTERN = r"^[a-z][a-z0-9_]{0,59}$"

E = TypeVar("E", bound="Entry")


class Part(BaseModel):
    """What a part of an entry derives from: frozen, every field declared, no value taken for something it is not."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Entry(Part):
    """What every kind of content derives from. `origin` says who the entry is from; a pack may say it for all of its.

    Lists are tuples, mappings `Frozen`, so that entries can be parts of hashable values.
    """

    id: str = Field(pattern=ID_PATTERN)
    name: str = Field(min_length=1, max_length=80)
    origin: Origin

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON, as it would stand in a pack; fields with their usual value are left out."""
        return self.model_dump(mode="json", exclude_defaults=True)


Kinds: TypeAlias = Mapping[str, type[Entry]]
"""The kinds of content of a system by the name of their list in a pack: `{"weapons": Weapon}`."""


class Refers:
    """Marks the id of another entry: `ammunition: Annotated[str, Refers("items")]`; an id that nobody has is refused."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def check(value: str, info: core_schema.ValidationInfo) -> str:
            known = (info.context or {}).get("ids")
            if known is not None and value not in known.get(self.kind, ()):
                close = nearest(value, known.get(self.kind, ()))
                raise PydanticCustomError("notation", "{problem}", {"problem": f'no {self.kind} "{value}"{close}'})
            return value

        return core_schema.with_info_after_validator_function(check, handler(source))


class _Amount:
    """An exact number: 3, 0.5 or "1/2" in a file."""

    _text = re.compile(r"-?[0-9]{1,12}(?:/[1-9][0-9]{0,8})?\Z")

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: object) -> Fraction:
            if isinstance(value, Fraction) or type(value) is int:
                return Fraction(value)
            if isinstance(value, float) and abs(value) < 10**12:
                return Fraction(str(value))
            if isinstance(value, str) and self._text.match(value):
                return Fraction(value)
            raise PydanticCustomError(
                "notation", "{problem}", {"problem": f"{value!r:.40} is no number such as 0.5 or 1/2"}
            )

        return core_schema.no_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.numerator if value.denominator == 1 else str(value)
            ),
        )


Amount: TypeAlias = Annotated[Fraction, _Amount()]
"""An exact number in an entry, such as a weight or a price."""


class Header(Part):
    """What a pack says about itself."""

    id: str = Field(pattern=ID_PATTERN)
    title: str = Field(min_length=1, max_length=120)
    version: str = Field(min_length=1, max_length=40)
    origin: Origin | None = None


@dataclass(frozen=True)
class Pack:
    """A pack that was read: its header and its entries by kind, in the order of its files."""

    id: str
    title: str
    version: str
    system: str
    source: str = ""
    licence: str = ""
    entries: tuple[tuple[str, tuple[Entry, ...]], ...] = field(default=(), repr=False)

    def of(self, kind: str) -> tuple[Entry, ...]:
        """The entries of one kind."""
        return dict(self.entries).get(kind, ())

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Entry]:
        """Every entry by kind and id."""
        return {(kind, entry.id): entry for kind, entries in self.entries for entry in entries}

    def __len__(self) -> int:
        return sum(len(entries) for _, entries in self.entries)

    def to_json(self) -> dict[str, Any]:
        """The pack as plain JSON, in the form of a pack file."""
        plain: dict[str, Any] = {"pack": {"id": self.id, "title": self.title, "version": self.version}}
        plain["system"] = self.system
        for name in ("source", "licence"):
            if getattr(self, name):
                plain[name] = getattr(self, name)
        return plain | {kind: [entry.to_json() for entry in entries] for kind, entries in self.entries if entries}


@dataclass(frozen=True)
class Library:
    """The content of a game: packs in order, a later one adding entries or replacing those with the same id."""

    system: str
    kinds: tuple[tuple[str, type[Entry]], ...]
    packs: tuple[Pack, ...] = ()

    def __hash__(self) -> int:
        return hash((self.system, self.packs))

    @cached_property
    def _merged(self) -> dict[str, dict[str, tuple[Entry, Pack]]]:
        merged: dict[str, dict[str, tuple[Entry, Pack]]] = {kind: {} for kind, _ in self.kinds}
        for pack in self.packs:
            for kind, entries in pack.entries:
                for entry in entries:
                    merged[kind][entry.id] = (entry, pack)
        return merged

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Entry]:
        """Every entry by kind and id."""
        return {(kind, id_): entry for kind, found in self._merged.items() for id_, (entry, _) in found.items()}

    @overload
    def get(self, kind: type[E], id_: str) -> E: ...
    @overload
    def get(self, kind: str, id_: str) -> Entry: ...
    def get(self, kind: type[E] | str, id_: str) -> Entry:
        """The entry of a kind (by the name of its list, or by its model) with an id."""
        return self._found(kind, id_)[0]

    @overload
    def of(self, kind: type[E]) -> tuple[E, ...]: ...
    @overload
    def of(self, kind: str) -> tuple[Entry, ...]: ...
    def of(self, kind: type[E] | str) -> tuple[Entry, ...]:
        """Every entry of a kind; a replaced entry keeps the place of the one it replaces."""
        return tuple([entry for entry, _ in self._merged[self._name(kind)].values()])

    def has(self, kind: type[Entry] | str, id_: str) -> bool:
        """Whether there is such an entry."""
        return id_ in self._merged[self._name(kind)]

    def pack_of(self, kind: type[Entry] | str, id_: str) -> Pack:
        """The pack that an entry is from."""
        return self._found(kind, id_)[1]

    def find(self, id_: str) -> tuple[tuple[str, Entry], ...]:
        """The entries with an id, of whatever kind, each with its kind."""
        return tuple([(kind, found[id_][0]) for kind, found in self._merged.items() if id_ in found])

    def with_pack(self, pack: Pack) -> Library:
        """With one more pack, after the others."""
        if pack.system != self.system:
            raise BadInput(f'pack "{pack.id}" is for the system "{pack.system}", not for "{self.system}"')
        if any(known.id == pack.id for known in self.packs):
            raise BadInput(f'there are two packs "{pack.id}"')
        if len(self.packs) >= MOST_PACKS:
            raise BadInput(f"there are already {MOST_PACKS} packs, no more can be used at once")
        return Library(self.system, self.kinds, (*self.packs, pack))

    def _name(self, kind: type[Entry] | str) -> str:
        for name, model in self.kinds:
            if kind in (name, model):
                return name
        names = [name for name, _ in self.kinds]
        asked = kind if isinstance(kind, str) else kind.__name__
        raise BadInput(f'there is no kind of content "{asked:.40}"{nearest(asked, names)} (kinds: {", ".join(names)})')

    def _found(self, kind: type[Entry] | str, id_: str) -> tuple[Entry, Pack]:
        name = self._name(kind)
        known = self._merged[name]
        try:
            return known[id_]
        except KeyError:
            pass
        close = nearest(id_, known)
        if not close:
            by_name = {entry.name: entry.id for entry, _ in known.values()}
            meant = next((by_name[word] for word in by_name if f'"{word}"' in nearest(id_, [word])), None)
            close = f'; did you mean "{meant}"?' if meant else ""
        raise BadInput(f'there are no {name} "{id_:.60}"{close}', field=name)


# ---------------------------------------------------------------------- reading


def load_pack(path: Path, kinds: Kinds, base: Library | None = None) -> Pack:
    """Read and check a pack: a file, or a folder of files whose `pack.yaml` has the header.

    `base` is the content that its entries may refer to besides its own.
    """
    if not path.is_dir():
        return _checked([read_document(path)], kinds, base)
    documents, problems = [], []
    for file in _files(path):
        try:
            documents.append(read_document(file))
        except ManyProblems as wrong:
            problems += wrong.problems
        except BadInput as wrong:
            problems.append(wrong.message)
    try:
        pack = _checked(documents, kinds, base) if documents else None
    except ManyProblems as wrong:
        raise ManyProblems([*problems, *wrong.problems]) from None
    if problems or pack is None:
        raise ManyProblems(problems or [f"{path}: a pack needs a file {PACK_FILE}.yaml"])
    return pack


def load_shipped_pack(path: Path, kinds: Kinds, base: Library | None = None) -> Pack:
    """The same for a pack that comes with a system: quickly from its compiled form; checked anew if that is wrong."""
    try:
        files = _files(path) if path.is_dir() else [path]
        return _checked([Document(str(file), read_data(file)) for file in files], kinds, base)
    except (BadYaml, BadInput):
        return load_pack(path, kinds, base)


def read_pack(text: str | bytes, kinds: Kinds, base: Library | None = None, *, name: str = "pack") -> Pack:
    """Read and check a pack that is given as YAML text."""
    return _checked([parse_document(text, name)], kinds, base)


def library_of(system: System, own: Sequence[Path] = ()) -> Library:
    """The starter pack of a system and a user's own packs after it.

    The starter pack is the folder `data/pack` of the system's package.
    """
    library = _starter(system.id, system.package, tuple(system.book.kinds.items()))
    problems: list[str] = []
    for path in own:
        try:
            library = library.with_pack(load_pack(path, dict(library.kinds), library))
        except ManyProblems as wrong:
            problems += wrong.problems
        except BadInput as wrong:
            problems.append(f"{path}: {wrong.message}" if str(path) not in wrong.message else wrong.message)
    if problems:
        raise ManyProblems(problems)
    return library


@lru_cache(maxsize=32)
def _starter(system: str, package: str, kinds: tuple[tuple[str, type[Entry]], ...]) -> Library:
    library = Library(system, kinds)
    folder = package_folder(package) / PACK_FOLDER
    return library.with_pack(load_shipped_pack(folder, dict(kinds))) if folder.is_dir() else library


def package_folder(package: str) -> Path:
    """The folder of a package; the package itself is not imported."""
    from importlib.util import find_spec  # noqa: PLC0415

    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        return Path(folder)
    raise BadInput(f'there is no package "{package}"')


def _files(folder: Path) -> list[Path]:
    """The files of a pack, the one with the header first."""
    found = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES and ".compiled" not in file.suffixes)
    if len(found) > MOST_FILES:
        raise BadInput(f"{folder}: {len(found)} files, at most {MOST_FILES}")
    header = [file for file in found if file.stem == PACK_FILE]
    if len(header) != 1:
        raise BadInput(f"{folder}: a pack in a folder has one file {PACK_FILE}.yaml with its header, not {len(header)}")
    return header + [file for file in found if file.stem != PACK_FILE]


class _Lined(Document):
    """A document whose messages begin with file, line and column."""

    __slots__ = ()

    def at(self, path: Iterable[Step]) -> str:
        """The place of a path, where the content comes from a file."""
        if self._root is None:
            return self.name
        place = self.place(path)
        return f"{self.name}:{place.line}:{place.column}"


def _checked(documents: Sequence[Document], kinds: Kinds, base: Library | None) -> Pack:
    """The pack that one or several documents make up; the first has the header."""
    lined = [_Lined(document.name, document.value, document._root) for document in documents]
    origin = _origin(lined[0].value)
    ids = _ids([document.value for document in lined], kinds)
    context = {
        "ids": {kind: [*ids[kind], *(entry.id for entry in base.of(kind))] if base else ids[kind] for kind in kinds}
    }
    problems = list(_twins(lined, kinds))
    read: list[Any] = []
    for number, document in enumerate(lined):
        model = _file_model(tuple(kinds.items()), number == 0)
        value = _with_origin(document.value, kinds, origin)
        try:
            read.append(model.model_validate_json(json.dumps(value), context=context))
        except ValidationError as error:
            problems += _in_words(document.with_lines(value), error, model)
    if base is not None and isinstance(lined[0].value, Mapping):
        given = lined[0].value.get("system")
        if isinstance(given, str) and given != base.system:
            where = lined[0].at(("system",))
            problems.append(f'{where}: system: "{given:.40}" is another system, this is for "{base.system}"')
    if problems:
        raise ManyProblems(
            problems[:MOST_PROBLEMS]
            + ([f"and {len(problems) - MOST_PROBLEMS} more"] if len(problems) > MOST_PROBLEMS else [])
        )
    head = read[0]
    entries = tuple([(kind, tuple([entry for file in read for entry in getattr(file, kind)])) for kind in kinds])
    return Pack(
        id=head.pack.id,
        title=head.pack.title,
        version=head.pack.version,
        system=head.system,
        source=head.source,
        licence=head.licence,
        entries=entries,
    )
