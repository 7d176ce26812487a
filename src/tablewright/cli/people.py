"""Characters named on a command line: files, or people of a system's content as SYSTEM:ID."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.cli.failing import note
from tablewright.errors import BadInput, nearest
from tablewright.game.registry import load_system, system_ids
from tablewright.game.setting import Setting
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.game.character import Character
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
    from tablewright.game.character import read_character, system_of_file  # noqa: PLC0415  (brings in pydantic)

    named = _CONTENT.match(word)
    if named is not None and named["system"] in system_ids() and not _exists(Path(word)):
        setting = setting_of(load_system(named["system"]), options, packs)
        return Person(word, None, setting, setting.book.character_of(named["id"], setting.library))
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
    >>> differences({"bag": [{"item": "rope"}], "hurt": None}, {"bag": [], "hurt": 3})
    ['bag: no longer item rope', 'hurt: now 3']
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
_NAMES = ("item", "id", "name", "kind")


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
        return ", ".join([f"{name} {_plain(part)}" for name, part in value.items() if part not in (None, "", [], {})])
    if isinstance(value, list):
        return "; ".join(map(_plain, value)) or "none"
    return shown(value)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
