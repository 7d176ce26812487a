"""Pack loading: full checks for files of users, compiled files for packs that ship with a system."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, create_model

from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.content.entries import ContentEntry, EntryPart, Id, Kinds
from tablewright.game.content.library import Library, Pack
from tablewright.game.content.problems import Lined, few, in_words
from tablewright.game.files.documents import SUFFIXES, Document, dotted, parse_document, quote, read_document
from tablewright.game.rules.ledger import Origin
from tablewright.game.rules.yaml_compiler import YamlError, read_data

MOST_ENTRIES = 5_000
MOST_FILES = 200
PACK_FILE = "pack"


class PackHeader(EntryPart):
    """Header of a pack."""

    id: Id
    title: str = Field(min_length=1, max_length=120)
    version: str = Field(min_length=1, max_length=40)
    origin: Origin | None = None


def load_pack(path: Path, kinds: Kinds, base: Library | None = None) -> Pack:
    """Read and check a pack: a file, or a folder of files whose `pack.yaml` has the header.

    Entries may also refer to entries of `base`.
    """
    if not path.is_dir():
        return _checked([read_document(path)], kinds, base)
    documents: list[Document] = []
    problems: list[str] = []
    for file in _files(path):
        try:
            documents.append(read_document(file))
        except ProblemListError as wrong:
            problems += wrong.problems
        except InvalidInputError as wrong:
            problems.append(wrong.message)
    if not documents or Path(documents[0].name).stem != PACK_FILE:  # the other files mean nothing without a header
        raise ProblemListError(problems)
    try:
        pack = _checked(documents, kinds, base)
    except ProblemListError as wrong:
        raise ProblemListError([*problems, *wrong.problems]) from None
    if problems:
        raise ProblemListError(problems)
    return pack


def load_shipped_pack(path: Path, kinds: Kinds, base: Library | None = None) -> Pack:
    """Read a pack that ships with a system from its compiled form; on errors, read and check the source."""
    try:
        files = _files(path) if path.is_dir() else [path]
        return _checked([Document(str(file), read_data(file)) for file in files], kinds, base)
    except (YamlError, InvalidInputError):
        return load_pack(path, kinds, base)


def read_pack(text: str | bytes, kinds: Kinds, base: Library | None = None, *, name: str = "pack") -> Pack:
    """Read and check a pack from YAML text."""
    return _checked([parse_document(text, name)], kinds, base)


def package_folder(package: str) -> Path:
    """Folder of a package, without importing the package."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        return Path(folder)
    raise InvalidInputError(f'there is no package "{package}"')


def _files(folder: Path) -> list[Path]:
    """Files of a pack, the one with the header first."""
    found = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES and ".compiled" not in file.suffixes)
    if len(found) > MOST_FILES:
        raise InvalidInputError(f"{folder}: {len(found)} files, at most {MOST_FILES}")
    header = [file for file in found if file.stem == PACK_FILE]
    if len(header) != 1:
        raise InvalidInputError(
            f"{folder}: a pack in a folder has one file {PACK_FILE}.yaml with its header, not {len(header)}"
        )
    return header + [file for file in found if file.stem != PACK_FILE]


def _checked(documents: Sequence[Document], kinds: Kinds, base: Library | None) -> Pack:
    """Build a pack from its documents; the first one has the header."""
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
        raise ProblemListError(few(problems))
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
def _file_model(kinds: tuple[tuple[str, type[ContentEntry]], ...], with_header: bool) -> type[EntryPart]:
    """Schema of a pack file."""
    fields: dict[str, Any] = {}
    if with_header:
        text = (str, Field(default="", max_length=2_000))
        fields = {"pack": (PackHeader, ...), "system": (str, ...), "source": text, "licence": text}
    for name, model in kinds:
        if name in ("pack", "system", "source", "licence") or not name.isidentifier() or hasattr(BaseModel, name):
            raise TypeError(f'"{name}" cannot be the name of a kind of content')
        if not issubclass(model, ContentEntry):
            raise TypeError(f"the kind {name} is not a model that derives from Entry")
        fields[name] = (tuple[model, ...], Field(default=(), max_length=MOST_ENTRIES))  # type: ignore[valid-type]
    return create_model("PackFile", __base__=EntryPart, **fields)


def _origin(value: Any) -> str | None:
    header = value.get("pack") if isinstance(value, dict) else None
    return header.get("origin") if isinstance(header, dict) else None


def _with_origin(value: Any, kinds: Kinds, origin: str | None) -> Any:
    """Copy of a file's content with the header's origin set on entries that have none."""
    if origin is None or not isinstance(value, dict):
        return value
    return {
        name: [{"origin": origin, **entry} if isinstance(entry, dict) else entry for entry in content]
        if name in kinds and isinstance(content, list)
        else content
        for name, content in value.items()
    }


def _ids(documents: Iterable[Document], kinds: Kinds) -> Iterator[tuple[str, str, Document, int]]:
    """Kind, id, document and position of every entry that has an id."""
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
            yield f"{document.at(path)}: {dotted(path)}: {quote(id_)} is given twice, first at {before}"


def _other_system(head: Document, base: Library | None) -> Iterator[str]:
    given = head.value.get("system") if isinstance(head.value, dict) else None
    if base is not None and isinstance(given, str) and given != base.system:
        yield f'{head.at(("system",))}: system: "{given:.40}" is another system, allowed is {base.system}'
