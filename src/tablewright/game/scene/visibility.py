"""Visibility of fields: who may see which part of an event, a status or another dataclass.

The field declares it: ``visible()`` for everyone, ``visible(OWNER)`` for the seat that owns the participant. A field
without a declaration is visible to the game master only.
"""

from __future__ import annotations

from dataclasses import MISSING, field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeAlias

from tablewright.engine.json_values import to_json

GAME_MASTER = "game master"
"""The seat that sees everything."""


class Visibility(Enum):
    """Audience of a field."""

    EVERYONE = "everyone"
    OWNER = "owner"
    GAME_MASTER = "game master"


OWNER = Visibility.OWNER
_SIGHT = "tablewright.sight"
_TOLD = "tablewright.told"
_UNTIL = "tablewright.until"
Until: TypeAlias = Literal["turn", "round", "encounter"]


def visible(
    to: Visibility = Visibility.EVERYONE, *, default: Any = MISSING, told: bool | str = True, until: Until | None = None
) -> Any:
    """Declare a dataclass field as visible to everyone or to the owner; the game master always sees it.

    A field with ``told=False`` is bookkeeping: viewers can look it up, but one-line summaries of a status leave it out.
    A string is the text for a flag that is usually true and now false ("in a bad spot" instead of "not in control").

    ``until`` is when a field of a status has its default value again: at the start of the participant's next turn, at
    the start of the next round, or with the end of the encounter, which ends the other two as well.
    """
    return field(default=default, metadata={_SIGHT: to, _TOLD: told, _UNTIL: until})


@cache
def passing_fields(kind: type[Any], end: Until) -> dict[str, Any]:
    """Fields of a dataclass that are over with a turn, a round or the encounter, and their values from then on."""
    over = ("turn", "round", "encounter") if end == "encounter" else (end,)
    known = fields(kind) if is_dataclass(kind) else ()
    return {entry.name: entry.default for entry in known if entry.metadata.get(_UNTIL) in over}


def secret(*, default: Any = MISSING) -> Any:
    """Declare a dataclass field as visible to the game master only; the explicit form of no declaration."""
    return field(default=default, metadata={_SIGHT: Visibility.GAME_MASTER})


def bookkeeping(kind: type[Any]) -> frozenset[str]:
    """Fields that one-line summaries of a dataclass leave out."""
    return frozenset([entry.name for entry in fields(kind) if not entry.metadata.get(_TOLD, True)])


def negative_words(kind: type[Any]) -> dict[str, str]:
    """Texts for false flags, by field name, for fields that have one."""
    return {entry.name: words for entry in fields(kind) if isinstance(words := entry.metadata.get(_TOLD), str)}


def undeclared_fields(kind: type[Any]) -> tuple[str, ...]:
    """Fields of a dataclass without declared visibility."""
    return tuple([entry.name for entry in fields(kind) if _SIGHT not in entry.metadata])


def field_visibilities(kind: type[Any]) -> tuple[tuple[str, Visibility], ...]:
    """Fields of a dataclass with their visibility; undeclared fields belong to the game master."""
    known = _VISIBILITIES.get(kind)
    if known is None:
        known = tuple([(entry.name, entry.metadata.get(_SIGHT, Visibility.GAME_MASTER)) for entry in fields(kind)])
        _VISIBILITIES[kind] = known
    return known


_VISIBILITIES: dict[type[Any], tuple[tuple[str, Visibility], ...]] = {}
"""Fields of the dataclasses that were asked for: every view of a scene asks for those of all its people."""


def hidden_numbers(value: Any) -> tuple[str, ...]:
    """Integer fields of a dataclass that are not visible to everyone."""
    return tuple(
        [
            name
            for name, sight in field_visibilities(type(value))
            if sight is not Visibility.EVERYONE and type(getattr(value, name)) is int
        ]
    )


def visible_fields(value: Any, *, owned: bool, all_seeing: bool) -> dict[str, Any]:
    """Fields of a dataclass that a viewer may see, as JSON."""
    seen: dict[str, Any] = {}
    for name, sight in field_visibilities(type(value)):
        if all_seeing or sight is Visibility.EVERYONE or (owned and sight is OWNER):
            seen[name] = to_json(getattr(value, name))
    return seen


class NotVisible(AttributeError):
    """Access to a field that the viewer may not see."""
