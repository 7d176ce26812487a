"""Typed parameters: one declaration for validation, parsing of text and JSON, schema and help.

The annotation determines the type: ``int``, ``bool``, ``str``, an enum, a ``Literal`` of words, a value type with its
own ``parse``, a ``tuple[X, ...]`` of these, or any of them ``| None``. ``Annotated`` with a :class:`Param` adds a
description and bounds.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from inspect import Parameter as Signed
from inspect import signature
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from tablewright.engine.json_values import to_json
from tablewright.engine.parameter_types import (
    MOST_TEXT,
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    ParameterType,
    TextType,
    format_argument,
)
from tablewright.errors import InvalidInputError, did_you_mean

_MISSING: Any = object()

MOST_NUMBER = 10**12
"""Upper bound for a plain number where a notation is expected."""


@dataclass(frozen=True, slots=True)
class Param:
    """Description and bounds of a parameter: ``Annotated[int, Param("the target to roll under", 0, 98)]``.

    ``unseen`` is the value assumed for seats that may not see the real one: ``Param("luck that is left", 0, 5,
    unseen=0)``.
    """

    about: str
    low: int | None = None
    high: int | None = None
    unseen: Any = _MISSING


def kind_of(annotation: Any) -> ParameterType:
    """Parameter type of an annotation.

    >>> kind_of(Annotated[int, Param("faces", 1, 6)]).allowed()
    'a whole number from 1 to 6'
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *notes = get_args(annotation)
        bounds = next((note for note in notes if isinstance(note, Param)), None)
        return _bounded(kind_of(inner), bounds) if bounds else kind_of(inner)
    if annotation is int:
        return IntType()
    if annotation is bool:
        return BoolType()
    if annotation is str:
        return TextType()
    if origin is Literal:
        return EnumType(tuple([(str(choice), choice) for choice in get_args(annotation)]))
    if origin in (Union, types.UnionType):
        parts = [part for part in get_args(annotation) if part is not type(None)]
        if len(parts) == 1:
            return OptionalType(kind_of(parts[0]))
    if origin is tuple and len(get_args(annotation)) == 2 and get_args(annotation)[1] is Ellipsis:
        return ListType(kind_of(get_args(annotation)[0]))
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return EnumType(tuple([(str(member.value), member) for member in annotation]))
        if hasattr(annotation, "parse"):
            return NotationType(annotation)
    raise TypeError(f"no kind of parameter is known for {annotation!r}")


def _bounded(kind: ParameterType, bounds: Param) -> ParameterType:
    if isinstance(kind, IntType):
        low = kind.low if bounds.low is None else bounds.low
        return IntType(low, kind.high if bounds.high is None else bounds.high)
    if isinstance(kind, OptionalType):
        return OptionalType(_bounded(kind.some, bounds))
    if isinstance(kind, ListType):
        return ListType(_bounded(kind.each, bounds))
    return kind


@dataclass(frozen=True)
class Parameter:
    """One named parameter of a mechanic or process."""

    name: str
    kind: ParameterType
    about: str
    default: Any = _MISSING
    unseen: Any = _MISSING
    """Value assumed for seats that may not see the real one."""

    @property
    def supposable(self) -> bool:
        """Whether the parameter declares an ``unseen`` value."""
        return self.unseen is not _MISSING

    @property
    def required(self) -> bool:
        """Whether the parameter has no default."""
        return self.default is _MISSING

    def schema(self) -> dict[str, Any]:
        """JSON schema of the parameter."""
        own = self.kind.schema()
        own["description"] = self.about or own.get("description", "")
        return own if self.required else own | {"default": to_json(self.default)}


def parameters_of(function: Any, *, skip: int = 0) -> tuple[Parameter, ...]:
    """Parameters that a function declares, without the first ``skip``."""
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
    """Check positional and named values; return them as one tuple in the order of declaration.

    Text is read as the command line reads it: ``mars.check("r16", 14)``.
    """
    if len(args) > len(parameters):
        raise InvalidInputError(f"{owner} takes {len(parameters)} arguments, {len(args)} were given")
    given = dict(zip([parameter.name for parameter in parameters], args, strict=False))
    for name, value in kwargs.items():
        if name in given:
            raise InvalidInputError(f"{owner}: {name} was given twice", field=name)
        given[name] = value
    _refuse_unknown(owner, parameters, given)
    bound = []
    for parameter in parameters:
        value = given.get(parameter.name, parameter.default)
        if value is _MISSING:
            raise _missing(owner, parameters, given)
        bound.append(value if parameter.kind.accepts(value) else _from_words(owner, parameter, value))
    return tuple(bound)


def _from_words(owner: str, parameter: Parameter, value: object) -> Any:
    """Read a value as the command line does: text, a list, or a number where the type has a notation."""
    kind = parameter.kind
    notation = kind.some if isinstance(kind, OptionalType) else kind
    if isinstance(notation, NotationType) and type(value) is int and abs(value) < MOST_NUMBER:
        value = str(value)
    if isinstance(value, str) or (isinstance(value, list) and isinstance(notation, ListType)):
        return read_arguments(owner, (parameter,), {parameter.name: value})[parameter.name]
    message = f"{owner}: {parameter.name} is {format_argument(value)}; allowed is {kind.allowed()}"
    raise InvalidInputError(message, field=parameter.name)


def read_arguments(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Parse named values from text or JSON by parameter type; errors name the parameter."""
    _refuse_unknown(owner, parameters, given)
    read: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.name not in given:
            continue
        raw = given[parameter.name]
        if isinstance(raw, str) and len(raw) > MOST_TEXT:
            long = f"{owner}: {parameter.name} is {len(raw):,} characters long, at most {MOST_TEXT}"
            raise InvalidInputError(long, field=parameter.name)
        try:
            read[parameter.name] = parameter.kind.from_json(raw)
        except InvalidInputError as problem:
            raise InvalidInputError(f"{owner}: {parameter.name}: {problem.message}", field=parameter.name) from None
    if any(parameter.required and parameter.name not in read for parameter in parameters):
        raise _missing(owner, parameters, read)
    return read


def _refuse_unknown(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> None:
    names = [parameter.name for parameter in parameters]
    for name in given:
        if name not in names:
            shown = name if len(name) <= 40 else name[:37] + "..."
            known = f"its parameters are {', '.join(names)}" if names else "it takes none"
            hint = did_you_mean(name, names)
            raise InvalidInputError(f'{owner} has no parameter "{shown}"; {known}{hint}', field=shown)


def _missing(owner: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> InvalidInputError:
    lacking = [parameter for parameter in parameters if parameter.required and parameter.name not in given]
    wanted = ", ".join([f"{parameter.name} ({parameter.kind.allowed()})" for parameter in lacking])
    return InvalidInputError(f"{owner} needs {wanted}", field=lacking[0].name)
