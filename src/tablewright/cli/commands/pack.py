"""``tablewright pack``: check a content pack, list content, compare two packs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.arguments.flags import AsJson, Packs
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError, did_you_mean
from tablewright.game.narration.formatting import format_value
from tablewright.game.rules.entry_points import system_ids, unknown_system
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.game.content.entries import ContentEntry
    from tablewright.game.content.library import Library, Pack
    from tablewright.game.system.system import System

DOINGS = ("check", "list", "diff")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="check PATH | list SYSTEM KIND | diff A B",
            help="A and B are packs, or systems for their own content.",
        ),
    ] = None,
    *,
    system: Annotated[
        str | None,
        typer.Option(metavar="SYSTEM", help="Check against this system, not the declared one."),
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Check, list and compare content."""
    doing, *rest = validate_words(words or ()) or [""]
    if doing not in DOINGS:
        raise InvalidInputError(f'say what to do: {", ".join(DOINGS)}, not "{doing:.40}"{did_you_mean(doing, DOINGS)}')
    if system is not None and (doing != "check" or system not in system_ids()):
        if doing != "check":
            raise InvalidInputError(f"--system is for check; {doing} takes its system from what it is given")
        raise unknown_system(system[:100])
    if pack and doing != "list":
        raise InvalidInputError(f"--pack is for list, not for {doing}")
    with report_problems(as_json=as_json):
        if doing == "check":
            _check(rest, system, as_json)
        elif doing == "list":
            _list(rest, pack or (), as_json)
        else:
            _diff(rest, as_json)


# ---------------------------------------------------------------------- check


def _check(words: Sequence[str], system_id: str | None, as_json: bool) -> None:
    if len(words) != 1:
        raise InvalidInputError(f"check takes one pack, a file or a folder; {len(words)} were named")
    path = Path(words[0])
    system = load_system(system_id or system_of_pack(path))
    pack, library = _loaded(path, system)
    problems = _people_problems(path, pack, system, library)
    if problems:
        raise ProblemListError(problems)
    known = library.by_id
    replaced = [key for key in pack.by_id if key in known]
    counts = {kind: len(entries) for kind, entries in pack.entries if entries}
    if as_json:
        told: dict[str, Any] = {"ok": True, "path": words[0], "id": pack.id, "title": pack.title}
        told |= {"version": pack.version, "system": pack.system, "entries": counts}
        print_json(told | {"replaces": [{"kind": kind, "id": id_} for kind, id_ in replaced]})
        return
    from tablewright.cli.output.console import heading, indented, make_console  # noqa: PLC0415  (loads rich)

    console = make_console()
    console.print(heading(pack.title, f"{pack.id} {pack.version}, {pack.system}: nothing is wrong with it"))
    console.print(indented(", ".join([f"{count} {kind}" for kind, count in counts.items()]) or "no entries"))
    if replaced:
        console.print(indented(f"replaces {', '.join([f'{kind} {id_}' for kind, id_ in replaced])}"))


def system_of_pack(path: Path) -> str:
    """The system id that a pack declares."""
    from tablewright.game.files.documents import SUFFIXES, read_document  # noqa: PLC0415

    header = path
    if path.is_dir():
        found = [path / f"pack{suffix}" for suffix in SUFFIXES if (path / f"pack{suffix}").exists()]
        if not found:
            raise InvalidInputError(f"{path}: a pack in a folder has a file pack.yaml with its header")
        header = found[0]
    document = read_document(header)
    named = document.value.get("system") if isinstance(document.value, dict) else None
    if not isinstance(named, str):
        raise InvalidInputError(f'{document.name}: not a pack: a pack says "system: ..."', field="system")
    if named not in system_ids():
        raise InvalidInputError(
            f"{document.at(('system',))}: system: {unknown_system(named[:100]).message}", field="system"
        )
    return named


def _loaded(path: Path, system: System) -> tuple[Pack, Library]:
    from tablewright.game.content.packs import load_pack  # noqa: PLC0415  (brings in pydantic)
    from tablewright.game.system.shipped_content import shipped_library  # noqa: PLC0415  (brings in pydantic)

    library = shipped_library(system)
    return load_pack(path, dict(library.kinds), library), library


def _people_problems(path: Path, pack: Pack, system: System, library: Library) -> list[str]:
    """Problems of the characters in a pack that cannot be read."""
    from tablewright.game.character.character import read_character  # noqa: PLC0415

    problems: list[str] = []
    for kind in system.rulebook.character_kinds:
        for entry in pack.of(kind):
            where = f"{path}: {kind} {entry.id}: character"
            try:
                read_character(dict(getattr(entry, "character")), system.rulebook.character)  # noqa: B009
            except ProblemListError as wrong:
                problems += [f"{where}: {problem.removeprefix('data: ')}" for problem in wrong.problems]
            except TablewrightError as wrong:
                problems.append(f"{where}: {wrong.message.removeprefix('data: ')}")
    return problems


# ---------------------------------------------------------------------- list


def _list(words: Sequence[str], packs: Sequence[str], as_json: bool) -> None:
    if not 1 <= len(words) <= 2:
        raise InvalidInputError(
            f"list takes a system and perhaps a kind of content; systems: {', '.join(system_ids())}"
        )
    from tablewright.game.system.shipped_content import shipped_library  # noqa: PLC0415  (brings in pydantic)

    library = shipped_library(load_system(words[0][:100]), [Path(pack) for pack in packs])
    kinds = [name for name, _ in library.kinds] if len(words) == 1 else [words[1]]
    content = {kind: library.of(kind) for kind in kinds}
    if as_json:
        told = {
            kind: [entry.to_json() | {"pack": library.pack_of(kind, entry.id).id} for entry in entries]
            for kind, entries in content.items()
        }
        print_json({"system": library.system, "packs": [pack.id for pack in library.packs], "content": told})
        return
    from tablewright.cli.output.console import definitions, heading, make_console  # noqa: PLC0415  (loads rich)

    console = make_console()
    titles = ", ".join([f"{pack.title} {pack.version}" for pack in library.packs]) or "no packs"
    console.print(heading(library.system, titles))
    if len(words) == 1:
        definitions(console, [(kind, str(len(entries))) for kind, entries in content.items()])
        return
    rows = []
    for entry in content[words[1]]:
        own = "" if len(library.packs) == 1 else f" [{library.pack_of(words[1], entry.id).id}]"
        rows.append((entry.id, f"{entry.name}{own}: {_fields(entry)} ({entry.origin})"))
    definitions(console, rows)


def _fields(entry: ContentEntry) -> str:
    plain = {name: value for name, value in entry.to_json().items() if name not in ("id", "name", "origin")}
    return ", ".join([f"{name} {_short(value)}" for name, value in plain.items()]) or "nothing else"


def _short(value: Any) -> str:
    if isinstance(value, dict | list):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= 60 else f"{text[:57]}..."
    return format_value(value)


# ---------------------------------------------------------------------- diff


def _diff(words: Sequence[str], as_json: bool) -> None:
    if len(words) != 2:
        raise InvalidInputError(f"diff takes two packs, or systems for what comes with them; {len(words)} were named")
    from tablewright.game.content.diff import diff  # noqa: PLC0415  (brings in pydantic)
    from tablewright.game.system.shipped_content import shipped_library  # noqa: PLC0415  (brings in pydantic)

    sides: list[Any] = []
    systems: list[str] = []
    for word in words:
        if word in system_ids():
            systems.append(word)
            sides.append(shipped_library(load_system(word)))
        else:
            systems.append(system_of_pack(Path(word)))
            sides.append(_loaded(Path(word), load_system(systems[-1]))[0])
    if systems[0] != systems[1]:
        raise InvalidInputError(f"they are for different systems: {systems[0]} and {systems[1]}")
    found = diff(sides[0], sides[1])
    if as_json:
        print_json({"system": systems[0]} | found.to_json())
        return
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import make_console  # noqa: PLC0415

    console = make_console()
    for line in str(found).splitlines() or ["no difference"]:
        console.print(Text(line))
