"""Typed parameters: one declaration gives the check of a call, the reading of text and JSON, the schema and the help.

A parameter's kind follows from its annotation: ``int``, ``bool``, ``str``, an enum, a ``Literal`` of words, a value
type that can ``parse`` its own notation, several of these in a ``tuple[X, ...]``, or any of them ``| None``.
``Annotated`` with a :class:`Param` adds the words and the bounds.
"""

from __future__ import annotations

import re
import types
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from inspect import Parameter as Signed
from inspect import signature
from math import inf
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tablewright.engine.values import to_json
from tablewright.errors import BadInput, nearest

MOST_TEXT = 200
MOST_DIGITS = 12
MOST_ITEMS = 200
MOST_BETWEEN = 100_000
"""How many values are counted from one to another."""
_NUMBER = re.compile(rf"\s*[+-]?[0-9]{{1,{MOST_DIGITS}}}\s*")
_MISSING: Any = object()

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Param:
    """What a parameter means, for ``Annotated[int, Param("the target to roll under", 0, 98)]``.

    ``unseen`` is what somebody supposes who may not know the value: ``Param("luck that is left", 0, 5, unseen=0)``.
    """

    about: str
    low: int | None = None
    high: int | None = None
    unseen: Any = _MISSING


class Kind(ABC):
    """What values a parameter takes."""

    @property
    def exact_type(self) -> type | None:
        """The one type whose values, within bounds, are all accepted, where it is as simple as that."""
        return None

    @abstractmethod
    def accepts(self, value: object) -> bool:
        """Whether a Python value is of this kind and within bounds."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The value that a person typed; raises :class:`BadInput` with what is allowed."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the value."""

    @abstractmethod
    def allowed(self) -> str:
        """What is allowed, in words."""

    def from_json(self, value: object) -> Any:
        """The value that JSON holds."""
        if isinstance(value, str):
            return self.parse(value)
        raise self._refuse_value(value)

    def ends(self) -> tuple[Any, Any] | None:
        """The first and the last value there is, in their order; None where there is no end or no order."""
        return None

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """Every value from one to another, in the order of the kind or against it."""
        raise BadInput(f"there is no order from {to_json(first)} to {to_json(last)}; name the values one by one")

    def _refuse(self, text: str, hint: str = "") -> BadInput:
        shown = text if len(text) <= 40 else text[:37] + "..."
        return BadInput(f'"{shown}" is not allowed; allowed is {self.allowed()}{hint}')

    def _refuse_value(self, value: object) -> BadInput:
        return BadInput(f"{shown(value)} is not allowed; allowed is {self.allowed()}")


@dataclass(frozen=True)
class Whole(Kind):
    """Whole numbers within bounds."""

    low: int | None = None
    high: int | None = None

    @property
    def exact_type(self) -> type:
        """Whole numbers themselves."""
        return int

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest number allowed, infinite where there is no bound."""
        return (-inf if self.low is None else self.low, inf if self.high is None else self.high)

    def accepts(self, value: object) -> bool:
        """Only ``int`` itself: neither ``True`` nor ``1.0`` is a whole number here."""
        if type(value) is not int:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def parse(self, text: str) -> int:
        """Plain ASCII digits with an optional sign."""
        value = int(text.strip()) if _NUMBER.fullmatch(text) else None
        if value is None or not self.accepts(value):
            raise self._refuse(text)
        return value

    def from_json(self, value: object) -> int:
        """A JSON number without a fraction, or its text."""
        if isinstance(value, str):
            return self.parse(value)
        if not isinstance(value, int) or not self.accepts(value):
            raise self._refuse_value(value)
        return value

    def ends(self) -> tuple[int, int] | None:
        """The bounds, where there are both."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def between(self, first: int, last: int) -> Sequence[int]:
        """Every whole number between them."""
        return _counted(first, last)

    def schema(self) -> dict[str, Any]:
        """An integer with its bounds."""
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer"} | {key: value for key, value in bounds.items() if value is not None}

    def allowed(self) -> str:
        """The range in words."""
        if self.low is not None and self.high is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.low is not None:
            return f"a whole number of {self.low} or more"
        if self.high is not None:
            return f"a whole number of {self.high} or less"
        return "a whole number"


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    @property
    def exact_type(self) -> type:
        """The two values themselves."""
        return bool

    def accepts(self, value: object) -> bool:
        """Only ``True`` and ``False`` themselves."""
        return value is True or value is False

    def parse(self, text: str) -> bool:
        """The usual words."""
        word = text.strip().lower()
        if word in ("yes", "true", "on", "1"):
            return True
        if word in ("no", "false", "off", "0"):
            return False
        raise self._refuse(text)

    def from_json(self, value: object) -> bool:
        """A JSON boolean, or its text."""
        if isinstance(value, bool):
            return value
        return bool(super().from_json(value))

    def ends(self) -> tuple[bool, bool]:
        """No and yes."""
        return False, True

    def between(self, first: bool, last: bool) -> Sequence[bool]:
        """One or both of the two."""
        return (first,) if first is last else (first, last)

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}

    def allowed(self) -> str:
        """The two words."""
        return "yes or no"


@dataclass(frozen=True)
class Text(Kind):
    """Words of one's own: a name, a reason."""

    def accepts(self, value: object) -> bool:
        """Text that is not too long and holds no control characters."""
        return isinstance(value, str) and len(value) <= MOST_TEXT and value.isprintable()

    def parse(self, text: str) -> str:
        """The text itself."""
        if not self.accepts(text):
            raise self._refuse(text)
        return text

    def schema(self) -> dict[str, Any]:
        """A string with its greatest length."""
        return {"type": "string", "maxLength": MOST_TEXT}

    def allowed(self) -> str:
        """What may be written."""
        return f"a text of at most {MOST_TEXT} printable characters"


@dataclass(frozen=True)
class Word(Kind):
    """One of several words: the members of an enum or the strings of a ``Literal``."""

    choices: tuple[tuple[str, Any], ...]

    @property
    def exact_type(self) -> type | None:
        """The enum, whose members are all allowed."""
        first = type(self.choices[0][1])
        return first if issubclass(first, Enum) else None

    def accepts(self, value: object) -> bool:
        """One of the members, of its own type."""
        return any(value == choice and type(value) is type(choice) for _, choice in self.choices)

    def parse(self, text: str) -> Any:
        """The member with this name, whatever the case."""
        word = text.strip()
        for name, choice in self.choices:
            if word == name:
                return choice
        alike = [choice for name, choice in self.choices if _plain(name) == _plain(word)]
        if len(alike) == 1:
            return alike[0]
        raise self._refuse(text, nearest(word, [name for name, _ in self.choices]))

    def from_json(self, value: object) -> Any:
        """What :func:`to_json` makes of a member, or its name."""
        for _, choice in self.choices:
            written = to_json(choice)
            if written == value and type(written) is type(value):
                return choice
        return super().from_json(value)

    def ends(self) -> tuple[Any, Any]:
        """The first and the last of the list."""
        return self.choices[0][1], self.choices[-1][1]

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """The words between them, as they are listed."""
        listed = [choice for _, choice in self.choices]
        return [listed[at] for at in _counted(listed.index(first), listed.index(last))]

    def schema(self) -> dict[str, Any]:
        """An enumeration, mostly of strings."""
        written = [to_json(choice) for _, choice in self.choices]
        return {"type": "string", "enum": written} if all(isinstance(w, str) for w in written) else {"enum": written}

    def allowed(self) -> str:
        """The list of words."""
        names = [name for name, _ in self.choices]
        return f"one of {', '.join(names)}" if len(names) > 1 else names[0]


def _plain(word: str) -> str:
    """A word as people may type it: whatever the case, with hyphens, underscores or spaces."""
    return word.casefold().replace("-", "_").replace(" ", "_")


@dataclass(frozen=True)
class Notated(Kind):
    """A value type with a notation of its own, such as a roll value: ``parse`` reads it, ``str`` writes it."""

    type: type[Any]

    @property
    def exact_type(self) -> type:  # type: ignore[valid-type]
        """The type itself."""
        return self.type

    def accepts(self, value: object) -> bool:
        """Exactly this type."""
        return type(value) is self.type

    def parse(self, text: str) -> Any:
        """What the type itself reads."""
        return self.type.parse(text)

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """As the type's own ``between`` counts; without it records that differ in one number are counted by it."""
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
        """A string, with the type's own words."""
        return {"type": "string", "description": self.allowed()}

    def allowed(self) -> str:
        """The first line of the type's documentation."""
        lines = (self.type.__doc__ or self.type.__name__).strip().splitlines()
        return lines[0].rstrip(".").lower() if lines else self.type.__name__


def unwritten(kind: type[T]) -> type[T]:
    """A class for arguments that rules hand to each other and nobody writes.

    >>> from typing import NamedTuple
    >>> @unwritten
    ... class Purse(NamedTuple):
    ...     points: int
    >>> Purse.parse("3")
    Traceback (most recent call last):
    ...
    tablewright.errors.BadInput: this is made by the rule itself and cannot be written
    """

    def parse(text: str) -> T:
        raise BadInput("this is made by the rule itself and cannot be written")

    kind.parse = staticmethod(parse)  # type: ignore[attr-defined]
    return kind


@dataclass(frozen=True)
class Several(Kind):
    """Any number of values of one kind, written with commas between them."""

    each: Kind

    def accepts(self, value: object) -> bool:
        """A tuple whose every part is accepted."""
        return type(value) is tuple and len(value) <= MOST_ITEMS and all(self.each.accepts(part) for part in value)

    def parse(self, text: str) -> tuple[Any, ...]:
        """The parts between commas."""
        stripped = text.strip().removeprefix("[").removesuffix("]")
        parts = [part for part in stripped.split(",") if part.strip()]
        if len(parts) > MOST_ITEMS:
            raise self._refuse(text)
        return tuple([self.each.parse(part) for part in parts])

    def from_json(self, value: object) -> tuple[Any, ...]:
        """A JSON array, or its text."""
        if isinstance(value, str):
            return self.parse(value)
        if not isinstance(value, (list, tuple)) or len(value) > MOST_ITEMS:
            raise self._refuse_value(value)
        for part in value:
            if isinstance(part, str) and len(part) > MOST_TEXT:
                raise self._refuse(part)
        return tuple([self.each.from_json(part) for part in value])

    def schema(self) -> dict[str, Any]:
        """An array."""
        return {"type": "array", "items": self.each.schema(), "maxItems": MOST_ITEMS}

    def allowed(self) -> str:
        """What each part may be."""
        return f"a list with commas, each {self.each.allowed()}"


@dataclass(frozen=True)
class OrNothing(Kind):
    """A value of one kind, or none."""

    some: Kind

    def accepts(self, value: object) -> bool:
        """None, or what the kind accepts."""
        return value is None or self.some.accepts(value)

    def parse(self, text: str) -> Any:
        """Nothing, the word none, or what the kind reads; where any text is read, none is a text like others."""
        words = ("",) if isinstance(self.some, Text) else ("none", "null", "")
        return None if text.strip().lower() in words else self.some.parse(text)

    def from_json(self, value: object) -> Any:
        """JSON null, or what the kind reads."""
        if value is None or isinstance(value, str):
            return None if value is None else self.parse(value)
        return self.some.from_json(value)

    def ends(self) -> tuple[Any, Any] | None:
        """Those of the kind: nothing stands apart from its order."""
        return self.some.ends()

    def between(self, first: Any, last: Any) -> Sequence[Any]:
        """As the kind has it."""
        if first is None or last is None:
            return super().between(first, last)
        return self.some.between(first, last)

    def schema(self) -> dict[str, Any]:
        """The kind's schema or null."""
        return {"anyOf": [self.some.schema(), {"type": "null"}]}

    def allowed(self) -> str:
        """What the kind allows, or none."""
        return f"{self.some.allowed()}, or none"


def _counted(first: int, last: int) -> Sequence[int]:
    """Whole numbers up or down.

    >>> list(_counted(2, 4)), list(_counted(4, 2))
    ([2, 3, 4], [4, 3, 2])
    """
    if abs(last - first) >= MOST_BETWEEN:
        raise BadInput(f"from {first} to {last} are {abs(last - first) + 1:,} values, at most {MOST_BETWEEN:,}")
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def shown(value: object) -> str:
    """A value for an error message, cut short; Python itself refuses to write very long numbers.

    >>> shown(1.5), shown(10**9999)
    ('1.5', 'a number of 33216 bits')
    """
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def kind_of(annotation: Any) -> Kind:
    """The kind that an annotation stands for.

    >>> kind_of(Annotated[int, Param("faces", 1, 6)]).allowed()
    'a whole number from 1 to 6'
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *notes = get_args(annotation)
        bounds = next((note for note in notes if isinstance(note, Param)), None)
        return _bounded(kind_of(inner), bounds) if bounds else kind_of(inner)
    if annotation is int:
        return Whole()
    if annotation is bool:
        return Flag()
    if annotation is str:
        return Text()
    if origin is Literal:
        return Word(tuple([(str(choice), choice) for choice in get_args(annotation)]))
    if origin in (Union, types.UnionType):
        parts = [part for part in get_args(annotation) if part is not type(None)]
        if len(parts) == 1:
            return OrNothing(kind_of(parts[0]))
    if origin is tuple and len(get_args(annotation)) == 2 and get_args(annotation)[1] is Ellipsis:
        return Several(kind_of(get_args(annotation)[0]))
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return Word(tuple([(str(member.value), member) for member in annotation]))
        if hasattr(annotation, "parse"):
            return Notated(annotation)
    raise TypeError(f"no kind of parameter is known for {annotation!r}")


def _bounded(kind: Kind, bounds: Param) -> Kind:
    if isinstance(kind, Whole):
        low = kind.low if bounds.low is None else bounds.low
        return Whole(low, kind.high if bounds.high is None else bounds.high)
    if isinstance(kind, OrNothing):
        return OrNothing(_bounded(kind.some, bounds))
    if isinstance(kind, Several):
        return Several(_bounded(kind.each, bounds))
    return kind


@dataclass(frozen=True)
class Parameter:
    """One named parameter of a mechanic or process."""

    name: str
    kind: Kind
    about: str
    default: Any = _MISSING
    unseen: Any = _MISSING
    """What somebody supposes who may not know it."""

    @property
    def supposable(self) -> bool:
        """Whether it is said what to suppose in place of a value that is hidden."""
        return self.unseen is not _MISSING

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is _MISSING

    def schema(self) -> dict[str, Any]:
        """The JSON schema of this parameter."""
        own = self.kind.schema()
        own["description"] = self.about or own.get("description", "")
        return own if self.required else own | {"default": to_json(self.default)}


def parameters_of(function: Any, *, skip: int = 0) -> tuple[Parameter, ...]:
    """The parameters that a function declares, without the first ``skip``."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, declared in list(signature(function).parameters.items())[skip:]:
        if declared.kind is not Signed.POSITIONAL_OR_KEYWORD:
            raise TypeError(f"{function.__qualname__}: {name} must be a plain parameter, neither * nor keyword-only")
        if name not in hints:
            raise TypeError(f"{function.__qualname__}: {name} has no annotation, so its kind is not known")
        annotation = hints[name]
        notes = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
        said = next((note for note in notes if isinstance(note, Param)), Param(""))
        default = _MISSING if declared.default is Signed.empty else declared.default
        kind = kind_of(annotation)
        if said.unseen is not _MISSING and not kind.accepts(said.unseen):
            raise TypeError(f"{function.__qualname__}: {name} cannot be supposed to be {said.unseen!r:.40}")
        found.append(Parameter(name, kind, said.about, default, said.unseen))
    return tuple(found)


def bind(
    owner: str, parameters: Sequence[Parameter], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Positional and named Python values as one tuple in the order of declaration, checked against their kinds."""
    if len(args) > len(parameters):
        raise BadInput(f"{owner} takes {len(parameters)} arguments, {len(args)} were given")
    given = dict(zip([parameter.name for parameter in parameters], args, strict=False))
    for name, value in kwargs.items():
        if name in given:
            raise BadInput(f"{owner}: {name} was given twice", field=name)
        given[name] = value
    _refuse_unknown(owner, parameters, given)
    bound = []
    for parameter in parameters:
        value = given.get(parameter.name, parameter.default)
        if value is _MISSING:
            raise _missing(owner, parameters, given)
        if not parameter.kind.accepts(value):
            message = f"{owner}: {parameter.name} is {shown(value)}; allowed is {parameter.kind.allowed()}"
            raise BadInput(message, field=parameter.name)
        bound.append(value)
    return tuple(bound)


def read_arguments(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Named values from text or JSON, each read by its parameter's kind; every problem is named at its parameter."""
    _refuse_unknown(owner, parameters, given)
    read: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.name not in given:
            continue
        raw = given[parameter.name]
        if isinstance(raw, str) and len(raw) > MOST_TEXT:
            raise BadInput(f"{owner}: {parameter.name} is {len(raw):,} characters long, at most {MOST_TEXT}")
        try:
            read[parameter.name] = parameter.kind.from_json(raw)
        except BadInput as problem:
            raise BadInput(f"{owner}: {parameter.name}: {problem.message}", field=parameter.name) from None
    if any(parameter.required and parameter.name not in read for parameter in parameters):
        raise _missing(owner, parameters, read)
    return read


def _refuse_unknown(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> None:
    names = [parameter.name for parameter in parameters]
    for name in given:
        if name not in names:
            shown = name if len(name) <= 40 else name[:37] + "..."
            known = f"its parameters are {', '.join(names)}" if names else "it takes none"
            hint = nearest(name, names)
            raise BadInput(f'{owner} has no parameter "{shown}"; {known}{hint}', field=shown)


def _missing(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> BadInput:
    lacking = [parameter for parameter in parameters if parameter.required and parameter.name not in given]
    wanted = ", ".join([f"{parameter.name} ({parameter.kind.allowed()})" for parameter in lacking])
    return BadInput(f"{owner} needs {wanted}", field=lacking[0].name)
