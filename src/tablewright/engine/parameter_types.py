"""Types of parameter values, with parsing from text and JSON, a JSON schema and a description."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import inf
from typing import Any, TypeVar

from tablewright.engine.json_values import to_json
from tablewright.errors import InvalidInputError, did_you_mean

MOST_TEXT = 200
MOST_DIGITS = 12
MOST_ITEMS = 200
MOST_BETWEEN = 100_000
"""Upper bound for the values of a range."""
_NUMBER = re.compile(rf"\s*[+-]?[0-9]{{1,{MOST_DIGITS}}}\s*")

T = TypeVar("T")
_NONE_SEEN: Mapping[int, Any] = {}


class ParameterType(ABC):
    """Base class of parameter types."""

    @property
    def exact_type(self) -> type | None:
        """The type whose values, within bounds, are all accepted; None if more checks are needed."""
        return None

    @property
    def seen(self) -> Mapping[int, Any]:
        """Some accepted values by their identity: most calls come with the very same words and records."""
        return _NONE_SEEN

    @abstractmethod
    def accepts(self, value: object) -> bool:
        """True if a Python value has this type and is within bounds."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """Parse typed text; raises :class:`InvalidInputError` that names the allowed values."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """JSON schema of the value."""

    @abstractmethod
    def allowed(self) -> str:
        """Allowed values in words."""

    def from_json(self, value: object) -> Any:
        """Read a JSON value."""
        if isinstance(value, str):
            return self.parse(value)
        raise self._refuse_value(value)

    def ends(self) -> tuple[Any, Any] | None:
        """First and last value in order; None if the type is unbounded or unordered."""
        return None

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """Every value from ``first`` to ``last``, ascending or descending; unordered types refuse."""
        raise InvalidInputError(
            f"there is no order from {to_json(first)} to {to_json(last)}; name the values one by one"
        )

    def _refuse(self, text: str, hint: str = "") -> InvalidInputError:
        shown = text if len(text) <= 40 else text[:37] + "..."
        return InvalidInputError(f'"{shown}" is not allowed; allowed is {self.allowed()}{hint}')

    def _refuse_value(self, value: object) -> InvalidInputError:
        return InvalidInputError(f"{format_argument(value)} is not allowed; allowed is {self.allowed()}")


@dataclass(frozen=True)
class IntType(ParameterType):
    """Whole numbers within optional bounds."""

    low: int | None = None
    high: int | None = None

    @property
    def exact_type(self) -> type:
        """Always ``int``."""
        return int

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest number allowed; infinite if unbounded."""
        return (-inf if self.low is None else self.low, inf if self.high is None else self.high)

    def accepts(self, value: object) -> bool:
        """True if the value is an ``int`` within bounds; ``True`` and ``1.0`` are refused.

        Without bounds the value may be a kind of ``int`` of the rule's own.
        """
        if type(value) is not int:
            return self.low is self.high is None and isinstance(value, int) and not isinstance(value, bool | Enum)
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def parse(self, text: str) -> int:
        """Parse ASCII digits with an optional sign."""
        value = int(text.strip()) if _NUMBER.fullmatch(text) else None
        if value is None or not self.accepts(value):
            raise self._refuse(text)
        return value

    def from_json(self, value: object) -> int:
        """Read a JSON integer or its text."""
        if isinstance(value, str):
            return self.parse(value)
        if not isinstance(value, int) or not self.accepts(value):
            raise self._refuse_value(value)
        return value

    def ends(self) -> tuple[int, int] | None:
        """Lower and upper bound; None if either is missing."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def between(self, first: int, last: int) -> Sequence[int]:
        """Every whole number from ``first`` to ``last``."""
        return _counted(first, last)

    def schema(self) -> dict[str, Any]:
        """Integer schema with bounds."""
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer"} | {key: value for key, value in bounds.items() if value is not None}

    def allowed(self) -> str:
        """Range in words."""
        if self.low is not None and self.high is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.low is not None:
            return f"a whole number of {self.low} or more"
        if self.high is not None:
            return f"a whole number of {self.high} or less"
        return "a whole number"


@dataclass(frozen=True)
class BoolType(ParameterType):
    """Booleans, written as yes or no."""

    @property
    def exact_type(self) -> type:
        """Always ``bool``."""
        return bool

    def accepts(self, value: object) -> bool:
        """True if the value is ``True`` or ``False``; 1 and 0 are refused."""
        return value is True or value is False

    def parse(self, text: str) -> bool:
        """Parse yes, true, on, 1 or no, false, off, 0."""
        word = text.strip().lower()
        if word in ("yes", "true", "on", "1"):
            return True
        if word in ("no", "false", "off", "0"):
            return False
        raise self._refuse(text)

    def from_json(self, value: object) -> bool:
        """Read a JSON boolean or its text."""
        if isinstance(value, bool):
            return value
        return bool(super().from_json(value))

    def ends(self) -> tuple[bool, bool]:
        """False and True."""
        return False, True

    def between(self, first: bool, last: bool) -> Sequence[bool]:
        """One or both values."""
        return (first,) if first is last else (first, last)

    def schema(self) -> dict[str, Any]:
        """Boolean schema."""
        return {"type": "boolean"}

    def allowed(self) -> str:
        """The words yes and no."""
        return "yes or no"


@dataclass(frozen=True)
class TextType(ParameterType):
    """Free text, such as a name or a reason."""

    def accepts(self, value: object) -> bool:
        """True if the value is text of limited length without control characters."""
        return isinstance(value, str) and len(value) <= MOST_TEXT and value.isprintable()

    def parse(self, text: str) -> str:
        """Return the text unchanged."""
        if not self.accepts(text):
            raise self._refuse(text)
        return text

    def schema(self) -> dict[str, Any]:
        """String schema with the maximum length."""
        return {"type": "string", "maxLength": MOST_TEXT}

    def allowed(self) -> str:
        """Length limit in words."""
        return f"a text of at most {MOST_TEXT} printable characters"


@dataclass(frozen=True)
class EnumType(ParameterType):
    """One of several words: the members of an enum or the strings of a ``Literal``."""

    choices: tuple[tuple[str, Any], ...]

    @property
    def exact_type(self) -> type | None:
        """The enum type; None for a ``Literal``."""
        first = type(self.choices[0][1])
        return first if issubclass(first, Enum) else None

    @cached_property
    def seen(self) -> Mapping[int, Any]:
        """All members."""
        return {id(choice): choice for _, choice in self.choices}

    def accepts(self, value: object) -> bool:
        """True if the value is one of the members and has the same type."""
        try:
            return (type(value), value) in self._known
        except TypeError:  # not hashable
            return False

    @cached_property
    def _known(self) -> frozenset[tuple[type, Any]]:
        return frozenset([(type(choice), choice) for _, choice in self.choices])

    def parse(self, text: str) -> Any:
        """Return the member with this name; case, hyphens, underscores and spaces do not matter."""
        word = text.strip()
        for name, choice in self.choices:
            if word == name:
                return choice
        alike = [choice for name, choice in self.choices if _plain(name) == _plain(word)]
        if len(alike) == 1:
            return alike[0]
        raise self._refuse(text, did_you_mean(word, [name for name, _ in self.choices]))

    def from_json(self, value: object) -> Any:
        """Read the JSON form of a member, or its name."""
        for _, choice in self.choices:
            written = to_json(choice)
            if written == value and type(written) is type(value):
                return choice
        return super().from_json(value)

    def ends(self) -> tuple[Any, Any]:
        """First and last member as listed."""
        return self.choices[0][1], self.choices[-1][1]

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """Members from ``first`` to ``last`` as listed, forwards or backwards."""
        listed = [choice for _, choice in self.choices]
        return [listed[at] for at in _counted(listed.index(first), listed.index(last))]

    def schema(self) -> dict[str, Any]:
        """Enumeration schema, of type string if all members are strings."""
        written = [to_json(choice) for _, choice in self.choices]
        return {"type": "string", "enum": written} if all(isinstance(w, str) for w in written) else {"enum": written}

    def allowed(self) -> str:
        """Names of all members."""
        names = [name for name, _ in self.choices]
        return f"one of {', '.join(names)}" if len(names) > 1 else names[0]


def _plain(word: str) -> str:
    """Normalise case, hyphens, underscores and spaces."""
    return word.casefold().replace("-", "_").replace(" ", "_")


@dataclass(frozen=True)
class NotationType(ParameterType):
    """Value type with its own notation, such as a roll value; ``parse`` reads it and ``str`` writes it."""

    type: type[Any]

    @property
    def exact_type(self) -> type:  # type: ignore[valid-type]
        """The type itself."""
        return self.type

    def accepts(self, value: object) -> bool:
        """True if the value has exactly this type."""
        return type(value) is self.type

    def parse(self, text: str) -> Any:
        """Parse with the type's own ``parse``."""
        return self.type.parse(text)

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """Use the type's ``between`` if it has one; else count records that differ in one number."""
        counted = getattr(self.type, "between", None)
        if counted is not None:
            return counted(first, last)  # type: ignore[no-any-return]
        names = getattr(self.type, "_fields", ())
        apart = [name for name in names if getattr(first, name) != getattr(last, name)]
        if names and not apart:
            return (first,)
        if len(apart) != 1 or type(getattr(first, apart[0])) is not int or type(getattr(last, apart[0])) is not int:
            return super().between(first, last)
        numbers = _counted(getattr(first, apart[0]), getattr(last, apart[0]))
        return [self.type.parse(str(first._replace(**{apart[0]: number}))) for number in numbers]

    def schema(self) -> dict[str, Any]:
        """String schema with the type's description."""
        return {"type": "string", "description": self.allowed()}

    def allowed(self) -> str:
        """First line of the type's docstring, in lower case."""
        lines = (self.type.__doc__ or self.type.__name__).strip().splitlines()
        return lines[0].rstrip(".").lower() if lines else self.type.__name__


def internal_argument(kind: type[T]) -> type[T]:
    """Mark a class as an argument that rules pass to each other; its ``parse`` refuses all text.

    >>> from typing import NamedTuple
    >>> @internal_argument
    ... class Purse(NamedTuple):
    ...     points: int
    >>> Purse.parse("3")
    Traceback (most recent call last):
    ...
    tablewright.errors.InvalidInputError: this is made by the rule itself and cannot be written
    """

    def parse(text: str) -> T:
        raise InvalidInputError("this is made by the rule itself and cannot be written")

    kind.parse = staticmethod(parse)  # type: ignore[attr-defined]
    return kind


@dataclass(frozen=True)
class ListType(ParameterType):
    """List of values of one type, written with commas."""

    each: ParameterType

    def accepts(self, value: object) -> bool:
        """True if the value is a tuple of accepted values, within the length limit."""
        return type(value) is tuple and len(value) <= MOST_ITEMS and all(self.each.accepts(part) for part in value)

    def parse(self, text: str) -> tuple[Any, ...]:
        """Parse values separated by commas, with optional brackets."""
        stripped = text.strip().removeprefix("[").removesuffix("]")
        parts = [part for part in stripped.split(",") if part.strip()]
        if len(parts) > MOST_ITEMS:
            raise self._refuse(text)
        return tuple([self.each.parse(part) for part in parts])

    def from_json(self, value: object) -> tuple[Any, ...]:
        """Read a JSON array or its text."""
        if isinstance(value, str):
            return self.parse(value)
        if not isinstance(value, (list, tuple)) or len(value) > MOST_ITEMS:
            raise self._refuse_value(value)
        for part in value:
            if isinstance(part, str) and len(part) > MOST_TEXT:
                raise self._refuse(part)
        return tuple([self.each.from_json(part) for part in value])

    def schema(self) -> dict[str, Any]:
        """Array schema with the maximum length."""
        return {"type": "array", "items": self.each.schema(), "maxItems": MOST_ITEMS}

    def allowed(self) -> str:
        """Allowed values of each item in words."""
        return f"a list with commas, each {self.each.allowed()}"


@dataclass(frozen=True)
class OptionalType(ParameterType):
    """A value of another type, or None."""

    some: ParameterType

    def accepts(self, value: object) -> bool:
        """True if the value is None or accepted by the inner type."""
        return value is None or self.some.accepts(value)

    def parse(self, text: str) -> Any:
        """Parse empty text and "none" as None, all else by the inner type; for free text only empty text is None."""
        words = ("",) if isinstance(self.some, TextType) else ("none", "null", "")
        return None if text.strip().lower() in words else self.some.parse(text)

    def from_json(self, value: object) -> Any:
        """Read JSON null, or a value of the inner type."""
        if value is None or isinstance(value, str):
            return None if value is None else self.parse(value)
        return self.some.from_json(value)

    def ends(self) -> tuple[Any, Any] | None:
        """First and last value of the inner type; None has no place in the order."""
        return self.some.ends()

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """Values between two values of the inner type; None is refused."""
        if first is None or last is None:
            return super().between(first, last)
        return self.some.between(first, last)

    def schema(self) -> dict[str, Any]:
        """Schema of the inner type, or null."""
        return {"anyOf": [self.some.schema(), {"type": "null"}]}

    def allowed(self) -> str:
        """Allowed values of the inner type, or none."""
        return f"{self.some.allowed()}, or none"


def _counted(first: int, last: int) -> Sequence[int]:
    """Whole numbers from ``first`` to ``last``, ascending or descending.

    >>> list(_counted(2, 4)), list(_counted(4, 2))
    ([2, 3, 4], [4, 3, 2])
    """
    if abs(last - first) >= MOST_BETWEEN:
        raise InvalidInputError(
            f"from {first} to {last} are {abs(last - first) + 1:,} values, at most {MOST_BETWEEN:,}"
        )
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def format_argument(value: object) -> str:
    """Short text of a value for an error message; Python refuses to print very long integers.

    >>> format_argument(1.5), format_argument(10**9999)
    ('1.5', 'a number of 33216 bits')
    """
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
