"""Parsing of typed words: subjects, ``key=value`` arguments, numbers and faces."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tablewright.dice.source import MOST_SEED
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import find_mechanic, load_system

if TYPE_CHECKING:
    from tablewright.dice import Rollable
    from tablewright.engine import Call, Mechanic

AGAINST = "vs"
"""The word between the sides of a fight."""

MOST_WORDS = 100
MOST_LETTERS = 1_000
_DOTTED = re.compile(r"[^\W\d]\w*(\.\w+)+\Z")
_WHOLE = re.compile(r"[0-9]{1,40}\Z")


def validate_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words unchanged; refuse too many, empty or overlong ones."""
    if len(words) > MOST_WORDS:
        raise InvalidInputError(f"{len(words)} words were given, at most {MOST_WORDS} are read")
    for place, word in enumerate(words, start=1):
        if not word.strip():
            raise InvalidInputError(f"word {place} is empty")
        if len(word) > MOST_LETTERS:
            raise InvalidInputError(f'"{word[:20]}..." is {len(word):,} characters long, at most {MOST_LETTERS:,}')
    return words


def subject_of(words: Sequence[str]) -> Call[Any] | Rollable[Any]:
    """The subject of a command: a call of a mechanic, or dice."""
    if not words:
        raise InvalidInputError("name what to ask about: SYSTEM.MECHANIC key=value ..., or dice such as 4d6kh3")
    first, *rest = validate_words(words)
    if names_mechanic(first):
        return call_of(words)
    _refuse_named(first, rest)
    from tablewright.dice.notation import parse_dice  # noqa: PLC0415  (loads the grammar)

    return parse_dice(" ".join(words))


def call_of(words: Sequence[str]) -> Call[Any]:
    """The call described by ``SYSTEM.MECHANIC key=value ...``."""
    if not words:
        raise InvalidInputError("name a mechanic: SYSTEM.MECHANIC key=value ...; `tablewright mechanics` lists them")
    first, *rest = validate_words(words)
    if not names_mechanic(first):
        _refuse_named(first, rest)
    mechanic = find_mechanic(first[:100])
    return mechanic.read(arguments_of(rest, mechanic))


def names_mechanic(word: str) -> bool:
    """True if a word looks like ``SYSTEM.MECHANIC`` or the start of one; dice notation never does.

    >>> names_mechanic("demo.check"), names_mechanic("4d6kh3")
    (True, False)
    """
    return _DOTTED.match(word) is not None or ("." in word and word.partition(".")[0] in system_ids())


def _refuse_named(word: str, rest: Sequence[str]) -> None:
    """Refuse a bare system name, and arguments that only a mechanic takes."""
    if word in system_ids():
        names = [mechanic.name for mechanic in load_system(word).mechanics]
        known = f"its mechanics are {', '.join(names)}" if names else "it has no mechanics yet"
        raise InvalidInputError(f'"{word}" is a system, name one of its mechanics; {known}')
    for other in rest:
        if "=" in other and other.partition("=")[0].isidentifier():
            systems = ", ".join(system_ids())
            raise InvalidInputError(
                f'"{word:.60}" is not a mechanic, so it takes no "{other:.60}"; '
                f"a mechanic is named SYSTEM.MECHANIC, systems are {systems}{did_you_mean(word, system_ids())}"
            )


def arguments_of(words: Sequence[str], mechanic: Mechanic[..., Any]) -> dict[str, str]:
    """Parse ``key=value`` words into unparsed values; the mechanic reads them.

    Dashes in a key stand for underscores.
    """
    names = [parameter.name for parameter in mechanic.params]
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key:
            known = f"its parameters are {', '.join(names)}" if names else "it takes none"
            raise InvalidInputError(
                f'{mechanic.name}: "{word:.60}" is not key=value; {known}{did_you_mean(key, names)}'
            )
        if key in given:
            raise InvalidInputError(f"{mechanic.name}: {key:.60} is given twice", field=key)
        given[key] = value
    return given


def whole_number(text: str, name: str, low: int, high: int) -> int:
    """Parse a whole number within bounds, for an option called ``name``.

    >>> whole_number("12", "--times", 1, 1_000)
    12
    """
    digits = text.strip()
    if not _WHOLE.match(digits) or not low <= int(digits) <= high:
        raise InvalidInputError(f'{name} is "{text:.60}"; allowed is a whole number from {low} to {high}', field=name)
    return int(digits)


def seed_given(text: str | None) -> int | None:
    """The value of ``--seed``; None if it was not given."""
    return None if text is None else whole_number(text, "--seed", 0, MOST_SEED)


def seed_or_drawn(text: str | None) -> int:
    """The value of ``--seed``, or a random one of 32 bits, short enough to retype."""
    given = seed_given(text)
    return secrets.randbits(32) if given is None else given


def rounds_given(text: str | None) -> int | None:
    """The value of ``--rounds``; None if it was not given."""
    from tablewright.game.scenario.schema import MOST_ROUNDS  # noqa: PLC0415  (brings in pydantic)

    return None if text is None else whole_number(text, "--rounds", 1, MOST_ROUNDS)


def faces_of(text: str, most: int = 5_000, hint: str = "") -> list[int]:
    """Faces of real dice, separated by commas or spaces.

    Errors refer to ``--faces``, unless ``hint`` describes the allowed input.

    >>> faces_of("3,5 6")
    [3, 5, 6]
    """
    parts = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    if not parts or len(parts) > most:
        given = hint or f"allowed are 1 to {most:,} whole numbers with commas between them"
        raise InvalidInputError(
            f'{"" if hint else "--faces is "}"{text:.60}"{" are no faces" if hint else ""}; {given}'
        )
    for part in parts:
        if not re.match(r"-?[0-9]{1,6}\Z", part):
            given = hint or "faces are whole numbers with commas between them"
            raise InvalidInputError(f'{"" if hint else "--faces: "}"{part:.60}" is not a face; {given}')
    return [int(part) for part in parts]
