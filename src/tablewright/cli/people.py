"""Characters named on a command line: files, or people of a system's content as SYSTEM:ID."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.cli.failing import note
from tablewright.cli.screen import counted
from tablewright.errors import BadInput, nearest
from tablewright.game.registry import load_system, system_ids
from tablewright.game.setting import Setting
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.game.character import Character
    from tablewright.game.legality import Legality
    from tablewright.game.options import Options
    from tablewright.game.system import System

_CONTENT = re.compile(r"(?P<system>[a-zA-Z][a-zA-Z0-9_]*):(?P<id>[\w-]{1,60})\Z")


class Person(NamedTuple):
    """A character that was named; ``path`` is its file, None for somebody of the content."""

    word: str
    path: Path | None
    setting: Setting
    character: Character
    messages: tuple[str, ...] = ()


def setting_of(system: System, options: Sequence[str] = (), packs: Sequence[str] = ()) -> Setting:
    """A system with the options and packs that were typed."""
    from tablewright.game.content import library_of  # noqa: PLC0415  (brings in pydantic)

    return Setting(system, options_of(system, options), library_of(system, [Path(pack) for pack in packs]))


def options_of(system: System, typed: Sequence[str]) -> Options:
    """The game master's options from words of the form NAME=VALUE; whatever is not named has its default."""
    known = {field.name: field for field in system.options.describe()}
    given: dict[str, object] = {}
    for word in typed:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadInput(f'--option is "{word:.60}"; write --option NAME=VALUE{nearest(name, known)}')
        given[name] = known[name].read(value) if name in known else value
    return system.options.from_mapping(given)


def person_of(word: str, options: Sequence[str] = (), packs: Sequence[str] = ()) -> Person:
    """The character that a word names, and what there is to say about its file."""
    named = _CONTENT.match(word)
    if named is not None and not _exists(Path(word)):
        setting = setting_of(load_system(named["system"]), options, packs)
        return Person(word, None, setting, setting.book.character_of(named["id"], setting.library))
    try:
        return _from_file(word, options, packs)
    except BadInput:
        if (of := kind_of_file(word)) is not None and of.kind == "scenario":
            told = f"{word:.200} is a scenario{f' of {of.system}' if of.system else ''}, no character"
            raise BadInput(f"{told}; fight it: {command_line('fight', word)}") from None
        raise


class FileKind(NamedTuple):
    """What a file turns out to hold: a ``character`` or a ``scenario``, and of which system, where it says so."""

    kind: str
    system: str


def kind_of_file(word: str) -> FileKind | None:
    """Whether a file holds a character or a scenario; None where it is neither, or cannot be read."""
    from tablewright.game.yaml_lines import read_document  # noqa: PLC0415

    try:
        value = read_document(Path(word)).value
    except BadInput:
        return None
    if not isinstance(value, dict):
        return None
    system = value.get("system")
    known = isinstance(system, str) and system in system_ids()
    if "participants" in value or "like" in value:
        return FileKind("scenario", str(system) if known else "")
    return FileKind("character", str(system)) if known and "name" in value else None


def command_line(*words: str) -> str:
    """A command that can be typed as it stands.

    >>> command_line("sheet", "old rat.yaml")
    "tablewright sheet 'old rat.yaml'"
    """
    return shlex.join(["tablewright", *words])


def _from_file(word: str, options: Sequence[str], packs: Sequence[str]) -> Person:
    """The character of a file."""
    from tablewright.game.character import read_character, system_of_file  # noqa: PLC0415  (brings in pydantic)

    path = Path(word)
    system_id = system_of_file(path)
    if system_id not in system_ids():
        close = nearest(system_id, system_ids())
        raise BadInput(f'{path}: it is of the system "{system_id:.40}", and there is no such system{close}')
    setting = setting_of(load_system(system_id), options, packs)
    loaded = read_character(path, setting.book.character)
    return Person(word, path, setting, loaded.character, loaded.messages)


def mention(messages: Sequence[str]) -> None:
    """Say what there is to say about a file, beside the answer."""
    for message in messages:
        note(message)


def note_person(person: Person, options: Sequence[str] = (), packs: Sequence[str] = ()) -> None:
    """Say what there is to say about somebody's file, and whether the character breaks the rules of making."""
    mention(person.messages)
    if person.path is not None:
        setting = person.setting
        found = setting.book.legality(person.character, setting.options, setting.library)
        note_outside(person.character.name, found, lists_problems(setting.system.id, person.word, options, packs))


def lists_problems(system_id: str, file: str, options: Sequence[str] = (), packs: Sequence[str] = ()) -> str:
    """The command that says all that is outside the rules in a character's file."""
    typed = [word for option in options for word in ("--option", option)]
    typed += [word for pack in packs for word in ("--pack", pack)]
    return f"`{command_line('new', system_id, '--from', file, *typed)}` lists them"


def note_outside(name: str, legality: Legality, more: str = "") -> None:
    """One line about a character outside the rules of making, who is not refused; ``more`` says how to see all."""
    if not legality.ok:
        problems = legality.violations
        told = more or f"the first: {problems[0]}"
        note(f"{name} is outside the rules of making ({counted(len(problems), 'problem')}; {told})")


def ids_of(people: Sequence[Person]) -> list[str]:
    """An id for each, made of the name; a number is added where several are called the same."""
    taken: list[str] = []
    for person in people:
        taken.append(free_id(person.character.name, taken))
    return taken


def free_id(name: str, taken: Collection[str]) -> str:
    """An id made of a name that nobody else has.

    >>> free_id("Old Rat", ["old-rat"])
    'old-rat-2'
    """
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    base = "-".join(words)[:56] or "somebody"
    free, number = base, 1
    while free in taken:
        number += 1
        free = f"{base}-{number}"
    return free


def differences(before: Any, after: Any, where: str = "") -> list[str]:
    """What has changed in plain data, one line a value.

    >>> differences({"marks": 0, "grit": 3}, {"marks": 2, "grit": 3})
    ['marks: 0 -> 2']
    >>> differences({"bag": [{"item": "rope", "count": 2}], "hurt": None}, {"bag": [], "hurt": 3})
    ['bag: no longer rope (count 2)', 'hurt: now 3']
    """
    if before == after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        names = dict.fromkeys([*before, *after])
        return [line for name in names for line in differences(before.get(name), after.get(name), _inside(where, name))]
    if isinstance(before, list) and isinstance(after, list):
        pairs = list(zip(before, after, strict=False))
        if len(before) == len(after) and all(_called(old) == _called(new) for old, new in pairs):
            return [line for old, new in pairs for line in differences(old, new, _inside(where, _called(new)))]
        gone, come = _surplus(before, after), _surplus(after, before)
        return [f"{where}: no longer {_plain(one)}" for one in gone] + [f"{where}: now {_plain(one)}" for one in come]
    if before in _NOTHING:
        return [f"{where}: now {_plain(after)}"]
    if after in _NOTHING:
        return [f"{where}: no longer {_plain(before)}"]
    return [f"{where}: {_plain(before)} -> {_plain(after)}"]


_NOTHING: tuple[Any, ...] = (None, "", [], {})
_NAMES = ("item", "id", "name", "kind", "what")


def _surplus(some: list[Any], others: list[Any]) -> list[Any]:
    """What is in one list and not in the other, counted."""
    left = list(others)
    surplus = []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            surplus.append(one)
    return surplus


def _called(entry: Any) -> str:
    """What an entry of a list is called, so that the same one is found again."""
    return next((str(entry[key]) for key in _NAMES if key in entry), "") if isinstance(entry, dict) else ""


def _inside(where: str, name: str) -> str:
    return f"{where}.{name}" if where and name else where or name


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        called = next((key for key in _NAMES if value.get(key) not in _NOTHING), None)
        rest = [f"{name} {_plain(part)}" for name, part in value.items() if name != called and part not in _NOTHING]
        if called is None:
            return ", ".join(rest)
        return f"{_plain(value[called])} ({', '.join(rest)})" if rest else _plain(value[called])
    if isinstance(value, list):
        return "; ".join(map(_plain, value)) or "none"
    return shown(value)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
