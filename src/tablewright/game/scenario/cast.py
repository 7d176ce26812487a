"""Characters and sides by words: files, ``SYSTEM:ID`` of a system's content, ``mars:goblin*3`` for three."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tablewright.errors import MOST_NAMED, InvalidInputError, ProblemListError, did_you_mean
from tablewright.game.character.character import Character, read_character, system_of_file
from tablewright.game.files.atomic import exists
from tablewright.game.files.documents import SUFFIXES
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.options import RuleOptions
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.system.registry import load_system
from tablewright.game.system.ruleset import Ruleset
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System

T = TypeVar("T")

SIDES = ("party", "foes", *"cdefghijklmnopqrstuvwxyz")
"""Names of the sides of a fight that is given as words."""

MOST_OF_ONE = 100
"""Upper bound for the copies of one character on a side."""

_CONTENT = re.compile(r"(?P<system>[a-zA-Z][a-zA-Z0-9_]*):(?P<id>[\w-]{1,60})\Z")
_TIMES = re.compile(r"(?P<who>.+)\*(?P<count>[0-9]{1,4})\Z")


class NamedCharacter(NamedTuple):
    """A character that a word names; ``path`` is its file, None for content. ``messages`` are about the file."""

    word: str
    path: Path | None
    ruleset: Ruleset
    character: Character
    messages: tuple[str, ...] = ()


def ruleset_of(
    system: System, options: Mapping[str, object] | None = None, packs: Iterable[str | Path] = ()
) -> Ruleset:
    """Ruleset of a system with rule options by public name and a user's own packs."""
    return Ruleset(system, read_options(system, options or {}), shipped_library(system, [Path(pack) for pack in packs]))


def read_options(system: System, given: Mapping[str, object]) -> RuleOptions:
    """Rule options by public name; text is read by the kind of the option, the others keep their defaults."""
    known = {field.name: field for field in system.options.describe()}
    read = {
        name: known[name].read(value) if name in known and isinstance(value, str) else value
        for name, value in given.items()
    }
    return system.options.from_mapping(read)


def find_character(
    word: str, options: Mapping[str, object] | None = None, packs: Iterable[str | Path] = ()
) -> NamedCharacter:
    """Load the character that a word names: a file, or ``SYSTEM:ID`` for a template or creature of the content."""
    named = _CONTENT.match(word)
    if named is not None and not exists(Path(word)):
        ruleset = ruleset_of(load_system(named["system"]), options, packs)
        return NamedCharacter(word, None, ruleset, ruleset.rulebook.character_of(named["id"], ruleset.library))
    path = Path(word)
    system_id = system_of_file(path)
    if system_id not in system_ids():
        close = did_you_mean(system_id, system_ids())
        raise InvalidInputError(f'{path}: it is of the system "{system_id:.40}", and there is no such system{close}')
    ruleset = ruleset_of(load_system(system_id), options, packs)
    loaded = read_character(path, ruleset.rulebook.character)
    return NamedCharacter(word, path, ruleset, loaded.character, loaded.messages)


def expand_words(side: str) -> list[str]:
    """Words of one side: several with commas, and ``goblin*3`` for three.

    >>> expand_words("ann.yaml, demo:rat*2")
    ['ann.yaml', 'demo:rat', 'demo:rat']
    """
    words: list[str] = []
    for word in [part.strip() for part in side.split(",") if part.strip()]:
        several = _TIMES.match(word)
        count = 1 if several is None else int(several["count"])
        if not 1 <= count <= MOST_OF_ONE:
            raise InvalidInputError(f'"{word:.60}": allowed are 1 to {MOST_OF_ONE} of one kind')
        words += [word if several is None else several["who"]] * count
    return words


class CastScenario(NamedTuple):
    """A fight made from sides: its scenario, the files of its participants by id, and messages about the files."""

    scenario: Scenario
    files: dict[str, Path]
    messages: tuple[str, ...]


def scenario_of_sides(
    sides: Sequence[Sequence[str | Character]],
    *,
    packs: Iterable[str | Path] = (),
    names: Sequence[str] = SIDES,
    title: str = "",
) -> CastScenario:
    """Scenario of characters against each other; all problems with them are reported together.

    A word is a file, ``SYSTEM:ID``, or the id of a template or creature of the system that the others name.
    """
    if len(sides) < 2 or not all(sides) or len(sides) > len(names):
        raise InvalidInputError(f"every side needs at least one character, on 2 to {len(names)} sides")
    cast = [one for side in sides for one in side]
    words = [one for one in cast if isinstance(one, str)]
    own = list(packs)
    named: dict[str, NamedCharacter] = {}
    problems: list[str] = []
    for word in dict.fromkeys([word for word in words if Path(word).suffix.lower() in SUFFIXES or ":" in word]):
        try:
            named[word] = find_character(word, packs=own)
        except ProblemListError as wrong:
            problems += wrong.problems
        except InvalidInputError as wrong:
            problems.append(str(wrong))
    if problems:
        raise ProblemListError(problems)
    systems = {found.character.system: found.character.name for found in named.values()}
    systems |= {one.system: one.name for one in cast if isinstance(one, Character)}
    if not systems:
        raise InvalidInputError(
            "name at least one character's file, or SYSTEM:ID; the others may be ids of the content"
        )
    if len(systems) > 1:
        books = [f"{name} plays by {load_system(system).title}" for system, name in systems.items()]
        raise InvalidInputError(f"{' and '.join(books)}; they cannot meet")
    participants: list[dict[str, Any]] = [
        {"side": names[place], "character": _character(one, named)} for place, side in enumerate(sides) for one in side
    ]
    plain: dict[str, Any] = {"title": title[:60] or "a fight", "system": next(iter(systems))}
    plain |= {"participants": participants, "packs": [str(Path(pack).absolute()) for pack in own]}
    scenario = read_scenario(plain, folder=Path("/"))
    found = [named.get(one) if isinstance(one, str) else None for one in cast]
    come = zip(scenario.entrants, found, strict=True)
    files = {entrant.id: one.path for entrant, one in come if one is not None and one.path is not None}
    return CastScenario(scenario, files, tuple([message for one in named.values() for message in one.messages]))


def _character(one: str | Character, named: Mapping[str, NamedCharacter]) -> Any:
    """A participant's character as a scenario holds it."""
    if isinstance(one, Character):
        return one.to_json()
    return named[one].character.to_json() if one in named else one


def participants_named(word: str, entrants: Sequence[tuple[str, str, str]]) -> list[str]:
    """Participant ids matched by a word: ids and sides first, then names; exact case first, then any case.

    ``entrants`` are triples of id, side and name.

    >>> participants_named("rat", [("rat", "vermin", "Ratty"), ("ann", "folk", "Rat")])
    ['rat']
    >>> participants_named("RATTY", [("rat", "vermin", "Ratty"), ("ann", "folk", "Rat")])
    ['rat']
    """
    exactly = [who for who, side, _ in entrants if word in (who, side)]
    if exactly:
        return exactly
    wanted = word.casefold()
    called = [who for who, side, _ in entrants if wanted in (who.casefold(), side.casefold())]
    return called or [who for who, _, name in entrants if wanted == name.casefold()]


EVERYONE = "*"
"""Word for all participants."""


def assign(given: Mapping[str, T], entrants: Sequence[tuple[str, str, str]], where: str = "") -> dict[str, T]:
    """Values by participant id, from values by participant, by side, by name, or for everyone (``*``).

    A later value replaces an earlier one. ``where`` begins the error about a word that names no one.
    """
    assigned: dict[str, T] = {}
    for word, value in given.items():
        found = [who for who, _, _ in entrants] if word == EVERYONE else participants_named(word, entrants)
        if not found:
            known = list(dict.fromkeys([side for _, side, _ in entrants] + [who for who, _, _ in entrants]))
            raise nobody_called(word, known, where)
        assigned |= dict.fromkeys(found, value)
    return assigned


def nobody_called(word: str, known: Sequence[str], where: str = "") -> InvalidInputError:
    """Error for a word that names no participant, with the nearest one."""
    prefix = f"{where}: " if where else ""
    listed = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
    return InvalidInputError(f'{prefix}nobody is called "{word:.40}"; there are: {listed}{did_you_mean(word, known)}')
