"""Typed parameters: one declaration for validation, parsing of text and JSON, schema and help.

The annotation determines the type: ``int``, ``bool``, ``str``, an enum, a ``Literal`` of words, a value type with its
own ``parse``, a ``tuple[X, ...]`` of these, or any of them ``| None``. ``Annotated`` with a :class:`Param` adds a
description and bounds.

A named tuple without a ``parse`` is a *record*: the rule gets it whole, callers name its fields. A field is named alone
where no other record of the rule has it (``armour=3``), else by its path (``target.armour=3``), which always works.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from inspect import Parameter as Signed
from inspect import signature
from math import inf
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

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
_ANY = (-inf, inf)

MOST_NUMBER = 10**12
"""Upper bound for a plain number where a notation is expected."""


@dataclass(frozen=True, slots=True)
class Param:
    """Description and bounds of a parameter: ``Annotated[int, Param("the target to roll under", 0, 98)]``.

    ``unseen`` is the value assumed for seats that may not see the real one: ``Param("luck that is left", 0, 5,
    unseen=0)``.

    ``guard`` refuses values of a process by its game: it is called with the game, the value and the first rule of the
    process before the process starts, and raises an error.
    """

    about: str
    low: int | None = None
    high: int | None = None
    unseen: Any = _MISSING
    guard: Callable[[Any, Any, str], object] | None = None


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
        if is_record(annotation):
            return RecordType(annotation, fields_of(annotation))
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
    path: tuple[str, ...] = ()
    """Names of the records that contain the parameter, and its own name."""
    hint: Any = None
    """Annotation of the parameter."""
    guard: Callable[[Any, Any, str], object] | None = None
    """Check of the value against the game, before a process starts."""

    @property
    def supposable(self) -> bool:
        """True if the parameter declares an ``unseen`` value."""
        return self.unseen is not _MISSING

    @property
    def required(self) -> bool:
        """True if the parameter has no default."""
        return self.default is _MISSING

    def schema(self) -> dict[str, Any]:
        """JSON schema of the parameter."""
        own = self.kind.schema()
        own["description"] = self.about or own.get("description", "")
        return own if self.required else own | {"default": to_json(self.default)}


@dataclass(frozen=True, eq=False)
class RecordType(ParameterType):
    """A named tuple whose fields are parameters of their own."""

    type: type[Any]
    fields: tuple[Parameter, ...]

    @property
    def exact_type(self) -> type:  # type: ignore[valid-type]
        """The named tuple; its fields are checked by :meth:`accepts`."""
        return self.type

    @cached_property
    def _seen(self) -> dict[int, Any]:
        """Records that were checked, by identity: the same record of settings comes with every call."""
        return {}

    @cached_property
    def _checks(self) -> ArgumentChecks:
        return ArgumentChecks(self.fields)

    def accepts(self, value: Any) -> bool:
        """True if the value is this named tuple and each field has its type and is within bounds."""
        if type(value) is not self.type:
            return False
        if self._seen.get(id(value)) is value:
            return True
        usual, bounds, others = self._checks[tuple(map(type, value))]
        if usual is None:
            return False
        for at, low, high in bounds:
            if not low <= value[at] <= high:
                return False
        for at, accepts in others:
            if not accepts(value[at]):
                return False
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        self._seen[id(value)] = value
        return True

    def parse(self, text: str) -> Any:
        """Refuse text: a record is written field by field."""
        raise self._refuse(text)

    def from_json(self, value: object) -> Any:
        """Read a JSON object with the fields."""
        if not isinstance(value, Mapping):
            raise self._refuse_value(value)
        named, owner = Signature(self.fields), self.type.__name__
        return self.type._make(bind(owner, named, (), read_arguments(owner, named, value)))

    def schema(self) -> dict[str, Any]:
        """Object schema of the fields."""
        return {
            "type": "object",
            "title": self.type.__name__,
            "properties": {field.name: field.schema() for field in self.fields},
            "required": [field.name for field in self.fields if field.required],
            "additionalProperties": False,
        }

    def allowed(self) -> str:
        """Names of the fields."""
        return f"an object with {', '.join([field.name for field in self.fields])}"


MOST_SEEN = 1_024
"""Upper bound for the checked records cached per record type."""


class TypeChecks(NamedTuple):
    """Checks of values whose types are known, and the defaults that follow them; None if they are refused."""

    usual: tuple[Any, ...] | None
    bounds: tuple[tuple[int, float, float], ...] = ()
    others: tuple[tuple[int, Callable[[Any], bool]], ...] = ()


_REFUSED = TypeChecks(None)


class ArgumentChecks(dict[tuple[type, ...], TypeChecks]):
    """Checks of values for parameters in order, by the types of the values; found once for each row of types.

    Values may be missing at the end if their parameters have defaults.
    """

    __slots__ = ("_parameters",)

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        super().__init__()
        self._parameters = parameters

    def __missing__(self, types: tuple[type, ...]) -> TypeChecks:
        if len(self) >= MOST_SEEN:
            self.clear()
        checks = self[types] = self._found(types)
        return checks

    def _found(self, types: tuple[type, ...]) -> TypeChecks:
        """The defaults that follow values of some types, and the checks of these values that their types leave open."""
        kinds = [parameter.kind for parameter in self._parameters]
        rest = self._parameters[len(types) :]
        if len(types) > len(kinds) or any(one.required or not one.kind.accepts(one.default) for one in rest):
            return _REFUSED
        bounds: list[tuple[int, float, float]] = []
        others: list[tuple[int, Callable[[Any], bool]]] = []
        for at, (kind, of) in enumerate(zip(kinds, types, strict=False)):
            inner = kind.some if isinstance(kind, OptionalType) else kind
            if inner is not kind and of is type(None):
                continue
            if inner.exact_type is not of or isinstance(inner, RecordType) or (inner is not kind and of is not int):
                others.append((at, kind.accepts))
            elif isinstance(inner, IntType) and inner.bounds != _ANY:
                bounds.append((at, *inner.bounds))
        return TypeChecks(tuple([one.default for one in rest]), tuple(bounds), tuple(others))


def is_record(kind: type) -> bool:
    """True if a type is a record: a named tuple without a notation."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields") and not hasattr(kind, "parse")


def fields_or_value(value: Any) -> list[Any]:
    """The fields of a record, those of inner records too, or a list of the value alone."""
    return [part for own in value for part in fields_or_value(own)] if is_record(type(value)) else [value]


def types_of(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Types of values and of the fields of records; ``True`` and 1 are equal, but no key may confuse them.

    >>> types_of((1, True))
    (<class 'int'>, <class 'bool'>)
    """
    return tuple([(type(value), types_of(value)) if isinstance(value, tuple) else type(value) for value in values])


class Signature:
    """Parameters of a rule: as it declares them, and as callers name them.

    ``declared`` may contain records. ``named`` has their fields instead, each with the name and the path by which
    callers name it.
    """

    def __init__(self, declared: Sequence[Parameter]) -> None:
        self.declared = tuple(declared)
        self._records: list[tuple[str, int, int, RecordType]] = []
        flat = [field for parameter in declared for field in self._spread(parameter, ())]
        alone = [field.name for field in flat]
        named = [field if alone.count(field.name) == 1 else replace(field, name=".".join(field.path)) for field in flat]
        self.named = tuple(named)
        self._fields = {".".join(field.path): at for at, field in enumerate(named)}
        self._fields |= {field.name: at for at, field in enumerate(named)}
        self._find_records(declared, (), 0)

    def _spread(self, parameter: Parameter, above: tuple[str, ...]) -> list[Parameter]:
        path = (*above, parameter.name)
        if not isinstance(parameter.kind, RecordType):
            return [replace(parameter, path=path)]
        spread = []
        for field in parameter.kind.fields:
            own = field
            if not parameter.required:
                own = replace(field, default=getattr(parameter.default, field.name))
            spread += self._spread(own, path)
        return spread

    def _find_records(self, parameters: Sequence[Parameter], above: tuple[str, ...], at: int) -> int:
        for parameter in parameters:
            if isinstance(parameter.kind, RecordType):
                path = (*above, parameter.name)
                place = len(self._records)
                end = self._find_records(parameter.kind.fields, path, at)
                self._records.insert(place, (".".join(path), at, end, parameter.kind))
                at = end
            else:
                at += 1
        return at

    def knows(self, name: str) -> bool:
        """True if a field or a record has this name or path."""
        return name in self._fields or any(path == name for path, _, _, _ in self._records)

    def field_at(self, name: str) -> int:
        """Place of a field by its name or path."""
        return self._fields[name]

    def record_named(self, name: str, value: object) -> tuple[int, RecordType] | None:
        """First place and type of the record of a name, if the value is one or a mapping, or no field has the name."""
        for path, first, _, kind in self._records:
            if path == name and (name not in self._fields or isinstance(value, (Mapping, kind.type))):
                return first, kind
        return None

    def record_starting(self, first: int, value: object) -> RecordType | None:
        """The record that starts at a place and has the type of a value."""
        return next((kind for _, start, _, kind in self._records if start == first and kind.type is type(value)), None)

    def values(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Arguments as declared, with the fields of records in their place."""
        if not self._records:
            return tuple(arguments)
        return tuple([part for value in arguments for part in fields_or_value(value)])

    def gathered(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Values by field as arguments, with records whole."""
        if not self._records:
            return tuple(values)
        rest = iter(values)
        return tuple([_gather(parameter, rest) for parameter in self.declared])


def _gather(parameter: Parameter, rest: Iterator[Any]) -> Any:
    if not isinstance(parameter.kind, RecordType):
        return next(rest)
    return parameter.kind.type._make([_gather(field, rest) for field in parameter.kind.fields])


def fields_of(record: type[Any]) -> tuple[Parameter, ...]:
    """Fields of a named tuple as parameters."""
    hints, defaults = get_type_hints(record, include_extras=True), record._field_defaults
    return tuple(
        [_declared(record.__qualname__, name, hints[name], defaults.get(name, _MISSING)) for name in record._fields]
    )


def parameters_of(function: Any, *, skip: int = 0) -> tuple[Parameter, ...]:
    """Parameters that a function declares, without the first ``skip``."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, declared in list(signature(function).parameters.items())[skip:]:
        if declared.kind is not Signed.POSITIONAL_OR_KEYWORD:
            raise TypeError(f"{function.__qualname__}: {name} must be a plain parameter, neither * nor keyword-only")
        if name not in hints:
            raise TypeError(f"{function.__qualname__}: {name} has no annotation, so its kind is not known")
        default = _MISSING if declared.default is Signed.empty else declared.default
        found.append(_declared(function.__qualname__, name, hints[name], default))
    return tuple(found)


def _declared(owner: str, name: str, hint: Any, default: Any) -> Parameter:
    """A parameter or field by its annotation."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    said = next((note for note in notes if isinstance(note, Param)), Param(""))
    kind = kind_of(hint)
    if isinstance(kind, OptionalType) and isinstance(kind.some, RecordType):
        raise TypeError(f"{owner}: {name} is a record or None; give the record a usual value instead of None")
    if said.unseen is not _MISSING and not kind.accepts(said.unseen):
        raise TypeError(f"{owner}: {name} cannot be supposed to be {said.unseen!r:.40}")
    return Parameter(name, kind, said.about, default, said.unseen, (name,), hint, said.guard)


def bind(owner: str, named: Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Check positional and named values; return them as one tuple in the order of declaration.

    Records may be given whole or field by field. Text is read as the command line reads it: ``mars.check("r16", 14)``.
    """
    parameters = named.named
    values: list[Any] = []
    for value in args:
        whole = named.record_starting(len(values), value)
        values += [value] if whole is None else fields_or_value(value)
    if len(values) > len(parameters):
        raise InvalidInputError(f"{owner} takes {len(parameters)} arguments, {len(values)} were given")
    given = dict(enumerate(values))
    _refuse_unknown(owner, named, kwargs)
    for name, value in kwargs.items():
        record = named.record_named(name, value)
        first = named.field_at(name) if record is None else record[0]
        parts = [value] if record is None else _parts(owner, name, record[1], value)
        for at, part in enumerate(parts, first):
            if at in given:
                raise InvalidInputError(f"{owner}: {name} was given twice", field=name)
            given[at] = part
    bound = []
    for at, parameter in enumerate(parameters):
        value = given.get(at, parameter.default)
        if value is _MISSING:
            raise _missing(owner, parameters, [parameters[known].name for known in given])
        bound.append(value if parameter.kind.accepts(value) else _from_words(owner, parameter, value))
    return named.gathered(bound)


def _parts(owner: str, name: str, record: RecordType, value: object) -> list[Any]:
    """Fields of a record that was given whole, as the named tuple or as a mapping."""
    if type(value) is record.type:
        return fields_or_value(value)
    if isinstance(value, Mapping):
        return fields_or_value(record.from_json(value))
    message = f"{owner}: {name} is {format_argument(value)}; allowed is {record.allowed()}"
    raise InvalidInputError(message, field=name)


def _from_words(owner: str, parameter: Parameter, value: object) -> Any:
    """Read a value as the command line does: text, a list, or a number where the type has a notation."""
    kind = parameter.kind
    notation = kind.some if isinstance(kind, OptionalType) else kind
    if isinstance(notation, NotationType) and type(value) is int and abs(value) < MOST_NUMBER:
        value = str(value)
    if isinstance(value, str) or (isinstance(value, list) and isinstance(notation, ListType)):
        return _read(owner, parameter, value)
    message = f"{owner}: {parameter.name} is {format_argument(value)}; allowed is {kind.allowed()}"
    raise InvalidInputError(message, field=parameter.name)


def read_arguments(owner: str, named: Signature, given: Mapping[str, object]) -> dict[str, Any]:
    """Parse named values from text or JSON by parameter type; errors name the parameter."""
    read = _read_given(owner, named, given)
    if any(parameter.required and parameter.name not in read for parameter in named.named):
        raise _missing(owner, named.named, read)
    return read


def _read_given(owner: str, named: Signature, given: Mapping[str, object]) -> dict[str, Any]:
    """Values that were given, by the name of their parameter; the fields of records one by one."""
    _refuse_unknown(owner, named, given)
    read: dict[str, Any] = {}
    for name, raw in given.items():
        record = named.record_named(name, raw)
        if record is None:
            parameter = named.named[named.field_at(name)]
            more = {parameter.name: _read(owner, parameter, raw)}
        elif isinstance(raw, Mapping):
            more = _read_given(owner, named, {f"{name}.{field}": value for field, value in raw.items()})
        else:
            text = f"{owner}: {name} is {format_argument(raw)}; allowed is {record[1].allowed()}"
            raise InvalidInputError(text, field=name)
        twice = next((one for one in more if one in read), None)
        if twice is not None:
            raise InvalidInputError(f"{owner}: {twice} was given twice", field=twice)
        read |= more
    return read


def _read(owner: str, parameter: Parameter, raw: object) -> Any:
    if isinstance(raw, str) and len(raw) > MOST_TEXT:
        long = f"{owner}: {parameter.name} is {len(raw):,} characters long, at most {MOST_TEXT}"
        raise InvalidInputError(long, field=parameter.name)
    try:
        return parameter.kind.from_json(raw)
    except InvalidInputError as problem:
        raise InvalidInputError(f"{owner}: {parameter.name}: {problem.message}", field=parameter.name) from None


def _refuse_unknown(owner: str, named: Signature, given: Mapping[str, object]) -> None:
    for name in given:
        if not named.knows(name):
            names = [parameter.name for parameter in named.named]
            shown = name if len(name) <= 40 else name[:37] + "..."
            known = f"its parameters are {', '.join(names)}" if names else "it takes none"
            hint = did_you_mean(name, names)
            raise InvalidInputError(f'{owner} has no parameter "{shown}"; {known}{hint}', field=shown)


def _missing(owner: str, parameters: Sequence[Parameter], given: Container[str]) -> InvalidInputError:
    lacking = [parameter for parameter in parameters if parameter.required and parameter.name not in given]
    wanted = ", ".join([f"{parameter.name} ({parameter.kind.allowed()})" for parameter in lacking])
    return InvalidInputError(f"{owner} needs {wanted}", field=lacking[0].name)
