"""Facts of every kind of event of a system, made from the types of their fields."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tablewright.game.ground.position import Position
from tablewright.game.play.costs import Cost
from tablewright.game.scene.events import Event
from tablewright.game.system.rulebook import Rulebook

ANN, BOB = "ann", "bob"
_DEPTH = 4


def facts_of(kind: type[Event]) -> Iterator[dict[str, Any]]:
    """Facts of a kind of event: with everything there, with truths the other way round, and with the least there is."""
    for turn in range(3):
        hints = get_type_hints(kind)
        fact: dict[str, Any] = {"event": kind.kind}
        for place, entry in enumerate(fields(kind)):
            if entry.name in kind.mentions:
                fact[entry.name] = ANN if place % 2 == 0 else BOB
            elif entry.name == "to":
                fact[entry.name] = "everyone"
            elif turn == 2 and entry.default is not MISSING:
                fact[entry.name] = _plain(entry.default)
            else:
                fact[entry.name] = value_of(hints.get(entry.name, str), yes=turn == 0)
        yield fact


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Cost):
        return dict(value.amounts)
    return value if isinstance(value, str | int | bool | type(None)) else {}


def value_of(hint: Any, *, yes: bool, depth: int = 0) -> Any:
    """A JSON value of a type."""
    origin, given = get_origin(hint), get_args(hint)
    if hint is Any or depth > _DEPTH:
        return None
    if origin in (Union, types.UnionType):
        return value_of(given[0], yes=yes, depth=depth)
    if origin is Literal:
        return given[0 if yes else -1]
    if origin is tuple and given and given[-1] is not Ellipsis:
        return [value_of(part, yes=yes, depth=depth + 1) for part in given]
    if origin is tuple:
        return [value_of(given[0], yes=yes, depth=depth + 1)] if given and yes else []
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return {}
    if hint is bool:
        return yes
    if hint is int or hint is Fraction:
        return 2
    if hint is str:
        return "left_hand" if yes else "left"
    if hint is Position:
        return "1,2"
    if hint is Cost:
        return {"ap": 1}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint)).value
    if is_dataclass(hint) or hasattr(hint, "_fields") or hasattr(hint, "model_fields"):
        try:
            hints = get_type_hints(hint)
        except NameError:  # a type that only the type checker knows
            return None
        return {
            name: value_of(part, yes=yes, depth=depth + 1)
            for name, part in hints.items()
            if not name.startswith("_") and get_origin(part) is not type(None) and "ClassVar" not in str(part)
        }
    return None


def kinds_of(book: Rulebook) -> list[type[Event]]:
    """Kinds of events that a system knows, the common ones included."""
    return sorted(book.apply.kinds.values(), key=lambda kind: kind.kind)
