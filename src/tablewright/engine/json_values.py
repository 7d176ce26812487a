"""JSON form of values, and the JSON schema of result types."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tablewright.dice import Dist, OrMore

_UNCHANGED = frozenset({type(None), bool, str, int})


def to_json(value: object) -> Any:
    """Convert a value to JSON: records as objects, enum members by their value, fractions as ``"a/b"``.

    >>> to_json((1, Fraction(1, 2), None))
    [1, '1/2', None]
    """
    kind = type(value)
    if kind in _UNCHANGED:
        return value
    if kind is tuple:
        return [to_json(part) for part in value]  # type: ignore[attr-defined]
    if isinstance(value, str):
        return value
    if isinstance(value, Enum):
        return to_json(value.value)
    if isinstance(value, OrMore):
        return value.json_text()
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return str(value)
    as_text = getattr(value, "json_text", None)
    if as_text is not None:
        return as_text()
    own_form = getattr(value, "to_json", None)
    if own_form is not None:
        return own_form()
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is not None:
            return {name: to_json(part) for name, part in zip(names, value, strict=True)}
        return [to_json(part) for part in value]
    if isinstance(value, list):
        return [to_json(part) for part in value]
    if isinstance(value, Dist):
        return [{"outcome": to_json(outcome), "exact": str(chance)} for outcome, chance in value.fractions()]
    if isinstance(value, Mapping):
        return {str(key): to_json(part) for key, part in value.items()}
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        return {name: to_json(getattr(value, name)) for name in fields}
    raise TypeError(f"{type(value).__name__} has no JSON form: {value!r}")


_PLAIN: dict[Any, dict[str, Any]] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Fraction: {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
    Any: {},
}


def result_schema(annotation: Any) -> dict[str, Any]:
    """JSON schema of a result type.

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
