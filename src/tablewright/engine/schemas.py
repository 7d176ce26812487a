"""The JSON schema of what a mechanic gives back."""

from __future__ import annotations

import types
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN: dict[Any, dict[str, Any]] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Fraction: {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
    Any: {},
}


def result_schema(annotation: Any) -> dict[str, Any]:
    """The schema of a result type: numbers, words, records of them.

    >>> result_schema(int | None)
    {'anyOf': [{'type': 'integer'}, {'type': 'null'}]}
    """
    if annotation in _PLAIN:
        return dict(_PLAIN[annotation])
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return {"anyOf": [result_schema(part) for part in parts]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return {"type": "array", "items": result_schema(parts[0])}
        return {"type": "array", "prefixItems": [result_schema(part) for part in parts]}
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return {"enum": [member.value for member in annotation]}
        if hasattr(annotation, "json_text"):
            return {"type": "string"}
        if issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
            return _record(annotation, get_type_hints(annotation))
        if hasattr(annotation, "__dataclass_fields__"):
            return _record(annotation, get_type_hints(annotation))
    raise TypeError(f"no JSON schema is known for {annotation!r}")


def _record(annotation: type[Any], hints: dict[str, Any]) -> dict[str, Any]:
    names = getattr(annotation, "_fields", None) or list(annotation.__dataclass_fields__)
    return {
        "type": "object",
        "title": annotation.__name__,
        "properties": {name: result_schema(hints[name]) for name in names},
        "required": list(names),
    }
