"""Values as JSON and back to text: the small frozen values that mechanics take and give."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from tablewright.dice import Dist


def to_json(value: object) -> Any:
    """A value in the forms JSON has: records as objects, enum members by their value, fractions as ``"a/b"``.

    >>> to_json((1, Fraction(1, 2), None))
    [1, '1/2', None]
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Enum):
        return to_json(value.value)
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
