"""Reading packs: the checked way for files that people write, the quick way for what comes with a system."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, ValidationError, create_model

from tablewright.errors import BadInput, ManyProblems
from tablewright.game.compiling import BadYaml, read_data
from tablewright.game.content.entries import Entry, Id, Kinds, Part
from tablewright.game.content.library import Library, Pack
from tablewright.game.content.problems import Lined, few, in_words
from tablewright.game.ledger import Origin
from tablewright.game.yaml_lines import SUFFIXES, Document, dotted, parse_document, read_document, shown

if TYPE_CHECKING:
    from tablewright.game.system import System

MOST_ENTRIES = 5_000
MOST_FILES = 200
PACK_FILE = "pack"
PACK_FOLDER = "data/pack"


class Header(Part):
    """What a pack says about itself."""

    id: Id
    title: str = Field(min_length=1, max_length=120)
    version: str = Field(min_length=1, max_length=40)
    origin: Origin | None = None


def load_pack(path: Path, kinds: Kinds, base: Library | None = None) -> Pack:
    """Read and check a pack: a file, or a folder of files whose `pack.yaml` has the header.

    `base` is the content that its entries may refer to besides its own.
    """
    if not path.is_dir():
        return _checked([read_document(path)], kinds, base)
    documents: list[Document] = []
    problems: list[str] = []
    for file in _files(path):
        try:
            documents.append(read_document(file))
        except ManyProblems as wrong:
            problems += wrong.problems
        except BadInput as wrong:
            problems.append(wrong.message)
    if not documents or Path(documents[0].name).stem != PACK_FILE:  # without a header the rest means nothing
        raise ManyProblems(problems)
    try:
        pack = _checked(documents, kinds, base)
    except ManyProblems as wrong:
        raise ManyProblems([*problems, *wrong.problems]) from None
    if problems:
        raise ManyProblems(problems)
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
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
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


def _checked(documents: Sequence[Document], kinds: Kinds, base: Library | None) -> Pack:
    """The pack that one or several documents make up; the first has the header."""
    origin = _origin(documents[0].value)
    lined = [Lined(document, _with_origin(document.value, kinds, origin)) for document in documents]
    known = {kind: list(base.ids(kind)) if base else [] for kind in kinds}
    for kind, id_, _, _ in _ids(lined, kinds):
        known[kind].append(id_)
    problems: list[str] = []
    read: list[Any] = []
    for number, document in enumerate(lined):
        model = _file_model(tuple(kinds.items()), number == 0)
        try:
            read.append(model.model_validate_json(json.dumps(document.value), context={"ids": known}))
        except ValidationError as error:
            problems += in_words(document, error, model)
    problems += _twins(lined, kinds)
    problems += _other_system(lined[0], base)
    if problems:
        raise ManyProblems(few(problems))
    head = read[0]
    return Pack(
        id=head.pack.id,
        title=head.pack.title,
        version=head.pack.version,
        system=head.system,
        source=head.source,
        licence=head.licence,
        entries=tuple([(kind, tuple([entry for file in read for entry in getattr(file, kind)])) for kind in kinds]),
    )


@lru_cache(maxsize=64)
def _file_model(kinds: tuple[tuple[str, type[Entry]], ...], with_header: bool) -> type[Part]:
    """The schema of a file of a pack."""
    fields: dict[str, Any] = {}
    if with_header:
        text = (str, Field(default="", max_length=2_000))
        fields = {"pack": (Header, ...), "system": (str, ...), "source": text, "licence": text}
    for name, model in kinds:
        if name in ("pack", "system", "source", "licence") or not name.isidentifier() or hasattr(BaseModel, name):
            raise TypeError(f'"{name}" cannot be the name of a kind of content')
        if not issubclass(model, Entry):
            raise TypeError(f"the kind {name} is no model that derives from Entry")
        fields[name] = (tuple[model, ...], Field(default=(), max_length=MOST_ENTRIES))  # type: ignore[valid-type]
    return create_model("PackFile", __base__=Part, **fields)


def _origin(value: Any) -> str | None:
    header = value.get("pack") if isinstance(value, dict) else None
    return header.get("origin") if isinstance(header, dict) else None


def _with_origin(value: Any, kinds: Kinds, origin: str | None) -> Any:
    """The content of a file, its entries with the origin that the header gives to all that have none."""
    if origin is None or not isinstance(value, dict):
        return value
    return {
        name: [{"origin": origin, **entry} if isinstance(entry, dict) else entry for entry in content]
        if name in kinds and isinstance(content, list)
        else content
        for name, content in value.items()
    }


def _ids(documents: Iterable[Document], kinds: Kinds) -> Iterator[tuple[str, str, Document, int]]:
    """Kind, id and place of every entry that has an id."""
    for document in documents:
        for kind in kinds:
            entries = document.value.get(kind) if isinstance(document.value, dict) else None
            for number, entry in enumerate(entries if isinstance(entries, list) else ()):
                id_ = entry.get("id") if isinstance(entry, dict) else None
                if isinstance(id_, str):
                    yield kind, id_, document, number


def _twins(documents: Iterable[Document], kinds: Kinds) -> Iterator[str]:
    first: dict[tuple[str, str], tuple[Document, int]] = {}
    for kind, id_, document, number in _ids(documents, kinds):
        known, place = first.setdefault((kind, id_), (document, number))
        if (known, place) != (document, number):
            path, before = (kind, number, "id"), known.at((kind, place, "id"))
            yield f"{document.at(path)}: {dotted(path)}: {shown(id_)} is given twice, first at {before}"


def _other_system(head: Document, base: Library | None) -> Iterator[str]:
    given = head.value.get("system") if isinstance(head.value, dict) else None
    if base is not None and isinstance(given, str) and given != base.system:
        yield f'{head.at(("system",))}: system: "{given:.40}" is another system, allowed is {base.system}'
