"""Values drawn for whatever a system asks for by name: arguments of processes, words of a situation, people.

Everything is drawn through one function `below(n)`, a number from 0 to n - 1, so that a seeded generator and a test
tool that makes examples smaller can both draw.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from tablewright.engine import Parameter, Roll
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    ParameterType,
    TextType,
)
from tablewright.errors import TablewrightError
from tablewright.game.session.session import Session

T = TypeVar("T")

Below: TypeAlias = Callable[[int], int]
"""Gives a number from 0 to one less than its argument."""

WORDS = ("3 days", "10 minutes", "cover", "sight", "nobody", "")
"""Other values of a text: a duration, a fact, a name that no one has, nothing."""

PEOPLE = ("who", "whom", "by", "target", "other", "healer", "patient", "helper", "helpers")
"""Parameters that name a character."""

NOTATIONS = ("1", "12", "60", "d8", "2d6", "3d-2", "3D", "4D+1", "r10", "r14+1", "r20")
"""Samples of values with a notation of their own; a kind takes those that it can read."""


def seeded(*seed: object) -> Below:
    """Draws that are the same for the same seed, on every machine."""
    return random.Random(repr(seed)).randrange


def one_of(options: Sequence[T], below: Below) -> T:
    """One of several, evenly."""
    return options[below(len(options))]


def value_of(kind: ParameterType, name: str, session: Session, below: Below) -> Any:
    """A value of a kind as plain data, for the parameter of this name."""
    if isinstance(kind, OptionalType):
        return None if below(3) == 0 else value_of(kind.some, name, session, below)
    if isinstance(kind, ListType):
        return [value_of(kind.each, name, session, below) for _ in range(1 + below(2))]
    if isinstance(kind, IntType):
        return _number(kind, below)
    if isinstance(kind, BoolType):
        return bool(below(2))
    if isinstance(kind, EnumType):
        return one_of([word for word, _ in kind.choices], below)
    if isinstance(kind, NotationType):
        return one_of([text for text in NOTATIONS if _reads(kind, text)] or ["1"], below)
    assert isinstance(kind, TextType), kind
    return _text(name, session, below)


def _text(name: str, session: Session, below: Below) -> str:
    """Mostly a value that fits the name: a character's id, the id of an entry of that kind; sometimes anything else."""
    people = [one.id for one in session.scene.participants]
    library = session.scene.library
    entries: list[tuple[str, str]] = list(library.by_id) if library else []
    named = [entry for kind, entry in entries if kind.startswith(name) or name.startswith(kind.rstrip("s"))]
    carried: list[str] = [thing.item for one in session.scene.participants for thing in one.belongings]
    if below(5) == 0:
        return one_of([*[entry for _, entry in entries], *WORDS, *session.scene.sides], below)
    if name in PEOPLE or not (named or carried):
        return one_of(people, below)
    return one_of(one_of([found for found in (named, carried, carried, people) if found], below), below)


def _reads(kind: NotationType, text: str) -> bool:
    try:
        kind.parse(text)
    except TablewrightError:
        return False
    return True


def _number(kind: IntType, below: Below) -> int:
    low = kind.low if kind.low is not None else -20
    high = kind.high if kind.high is not None else low + 60
    return (low, high, low + below(min(high - low, 12) + 1), low + below(high - low + 1))[below(4)]


def arguments(parameters: Sequence[Parameter], session: Session, below: Below) -> dict[str, Any]:
    """Named values for some parameters; those that have a usual value keep it half of the time."""
    return {
        parameter.name: value_of(parameter.kind, parameter.name, session, below)
        for parameter in parameters
        if parameter.required or below(2)
    }


def situation(parameters: Sequence[Parameter], session: Session, below: Below) -> list[str]:
    """Words of a situation, as they are typed."""
    return [
        f"{name}={'yes' if value is True else 'no' if value is False else value}"
        for name, value in arguments(parameters, session, below).items()
        if value is not None and not isinstance(value, list)
    ]


def faces(asked: Roll[Any], below: Below) -> tuple[int, ...]:
    """Faces that a person could have typed in for a roll."""
    shown: list[int] = []

    def face(die: Any) -> int:
        shown.append(die.low + below(die.sides))
        return shown[-1]

    asked.dice.read(face)
    return tuple(shown)
