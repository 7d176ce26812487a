"""Characters named on the command line: files, or SYSTEM:ID for a system's content."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.cli.output.errors import note
from tablewright.cli.output.streams import counted
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ids import free_id
from tablewright.game.narration.formatting import format_value
from tablewright.game.rules.entry_points import system_ids

if TYPE_CHECKING:
    from tablewright.game.character.legality import Legality
    from tablewright.game.rules.options import RuleOptions
    from tablewright.game.scenario.cast import NamedCharacter
    from tablewright.game.system.system import System


def options_of(system: System, typed: Sequence[str]) -> RuleOptions:
    """Rule options from NAME=VALUE words; the others keep their defaults."""
    from tablewright.game.scenario.cast import read_options  # noqa: PLC0415  (brings in pydantic)

    return read_options(system, typed_options(typed, [field.name for field in system.options.describe()]))


def typed_options(typed: Sequence[str], known: Sequence[str] = ()) -> dict[str, str]:
    """Unread values of rule options by name, from NAME=VALUE words."""
    given: dict[str, str] = {}
    for word in typed:
        name, equals, value = word.partition("=")
        if not equals:
            raise InvalidInputError(f'--option is "{word:.60}"; write --option NAME=VALUE{did_you_mean(name, known)}')
        given[name] = value
    return given


def person_of(word: str, options: Sequence[str] = (), packs: Sequence[str] = ()) -> NamedCharacter:
    """Load the character that a word names; the file of a scenario gets an error of its own."""
    from tablewright.game.scenario.cast import find_character  # noqa: PLC0415  (brings in pydantic)

    given = typed_options(options)
    try:
        return find_character(word, given, packs)
    except InvalidInputError:
        if (of := kind_of_file(word)) is not None and of.kind == "scenario":
            told = f"{word:.200} is a scenario{f' of {of.system}' if of.system else ''}, no character"
            raise InvalidInputError(f"{told}; fight it: {command_line('fight', word)}") from None
        raise


class FileKind(NamedTuple):
    """Contents of a file: ``character`` or ``scenario``, and the system if the file names one."""

    kind: str
    system: str


def kind_of_file(word: str) -> FileKind | None:
    """Kind of a file; None if it is neither a character nor a scenario, or cannot be read."""
    from tablewright.game.files.documents import read_document  # noqa: PLC0415

    try:
        value = read_document(Path(word)).value
    except InvalidInputError:
        return None
    if not isinstance(value, dict):
        return None
    system = value.get("system")
    known = isinstance(system, str) and system in system_ids()
    if "participants" in value or "like" in value:
        return FileKind("scenario", str(system) if known else "")
    return FileKind("character", str(system)) if known and "name" in value else None


def command_line(*words: str) -> str:
    """A shell-quoted tablewright command.

    >>> command_line("sheet", "old rat.yaml")
    "tablewright sheet 'old rat.yaml'"
    """
    return shlex.join(["tablewright", *words])


def mention(messages: Sequence[str]) -> None:
    """Print messages about a file to the error stream."""
    for message in messages:
        note(message)


def note_person(person: NamedCharacter, options: Sequence[str] = (), packs: Sequence[str] = ()) -> None:
    """Print messages about a character's file, and whether the character breaks the creation rules."""
    mention(person.messages)
    if person.path is not None:
        ruleset = person.ruleset
        found = ruleset.rulebook.legality(person.character, ruleset.options, ruleset.library)
        note_outside(person.character.name, found, lists_problems(ruleset.system.id, person.word, options, packs))


def lists_problems(system_id: str, file: str, options: Sequence[str] = (), packs: Sequence[str] = ()) -> str:
    """Hint with the command that lists all rule violations of a character's file."""
    typed = [word for option in options for word in ("--option", option)]
    typed += [word for pack in packs for word in ("--pack", pack)]
    return f"`{command_line('new', system_id, '--from', file, *typed)}` lists them"


def note_outside(name: str, legality: Legality, more: str = "") -> None:
    """Note in one line that a character breaks the creation rules; ``more`` tells how to list the violations."""
    if not legality.ok:
        problems = legality.violations
        told = more or f"the first: {problems[0]}"
        note(f"{name} is outside the rules of making ({counted(len(problems), 'problem')}; {told})")


def ids_of(people: Sequence[NamedCharacter]) -> list[str]:
    """Unique ids made from the characters' names; duplicates get a number."""
    taken: list[str] = []
    for person in people:
        taken.append(free_id(person.character.name, taken))
    return taken


def differences(before: Any, after: Any, where: str = "") -> list[str]:
    """Changed values of plain data, one line each.

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
    """Multiset difference of two lists."""
    left = list(others)
    surplus = []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            surplus.append(one)
    return surplus


def _called(entry: Any) -> str:
    """Name of a list entry, used to match it in another list; empty if it has none."""
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
    return format_value(value)
