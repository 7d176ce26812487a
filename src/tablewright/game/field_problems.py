"""What a schema found wrong with a file, in words for people: file and line, field, value, what is allowed, nearest.

>>> from pydantic import BaseModel, ConfigDict, Field
>>> from tablewright.game.yaml_lines import parse_document
>>> class Sword(BaseModel):
...     model_config = ConfigDict(extra="forbid")
...     damage: int = Field(ge=1, le=12)
...     hands: int = 1
>>> read_as(Sword, parse_document("damage: 20\\nhand: 2\\n", "sword.yaml"))
Traceback (most recent call last):
tablewright.errors.ManyProblems: sword.yaml:1: damage: 20 is not allowed, allowed is 12 or less
sword.yaml:2: hand: unknown field; did you mean "hands"?
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from tablewright.errors import ManyProblems, nearest
from tablewright.game.frozen import Frozen
from tablewright.game.yaml_lines import MOST_PROBLEMS, Document, Step, dotted, shown

T = TypeVar("T")

_NOT_A = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dataclass_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "multiples of {}"),
    "string_too_short": ("min_length", "{} characters or more"),
    "string_too_long": ("max_length", "{} characters or fewer"),
    "too_short": ("min_length", "{} entries or more"),
    "too_long": ("max_length", "{} entries or fewer"),
    "string_pattern_mismatch": ("pattern", "text of the form {}"),
}
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")


def read_as(kind: type[T], document: Document) -> T:
    """The content of a file as a value of a type, strictly: nothing is taken for something that it is not.

    Everything that is wrong is reported at once.
    """
    try:
        return TypeAdapter(kind).validate_json(json.dumps(document.value), strict=True)
    except ValidationError as error:
        raise ManyProblems(problems_of(document, error, kind)) from None


def problems_of(document: Document, error: ValidationError, kind: Any = None) -> Iterator[str]:
    """Every problem as one line; `kind` is the type that was read, for the names that a field might have had."""
    found = error.errors(include_url=False)
    for problem in found[:MOST_PROBLEMS]:
        path = _real(document.value, problem["loc"])
        field = f"{dotted(path)}: " if path else ""
        yield f"{document.at(path)}: {field}{problem_words(problem, path, kind)}"
    if len(found) > MOST_PROBLEMS:
        yield f"{document.name}: and {len(found) - MOST_PROBLEMS} more"


def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a record type."""
    if isinstance(kind, type):
        if issubclass(kind, BaseModel):
            return tuple([entry.alias or name for name, entry in kind.model_fields.items()])
        if is_dataclass(kind):
            return tuple([entry.name for entry in fields(kind)])
        if hasattr(kind, "_fields"):
            return tuple(kind._fields)
    return ()


def lost_fields(written: Any, kept: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The paths of all keys in `written` that are not in `kept`: what a reading would silently drop."""
    if isinstance(written, Mapping) and isinstance(kept, Mapping):
        for name, value in written.items():
            if name in kept:
                yield from lost_fields(value, kept[name], (*path, name))
            else:
                yield (*path, name)
    elif isinstance(written, list) and isinstance(kept, list):
        for position, (value, there) in enumerate(zip(written, kept, strict=False)):
            yield from lost_fields(value, there, (*path, position))


def strange_fields(written: Any, kind: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The paths of all keys that a plain record (a dataclass, a named tuple) inside a type has no place for.

    pydantic passes the freedom of a model to keep unknown fields on to such records, which cannot keep them.
    """
    kind = _plain(kind)
    if isinstance(written, list):
        for position, value in enumerate(written):
            if isinstance(value, list | Mapping):
                yield from strange_fields(value, _at(kind, (position,)), (*path, position))
    elif isinstance(written, Mapping):
        known = () if hasattr(kind, "__get_pydantic_core_schema__") else fields_of(kind)
        for name, value in written.items():
            if known and name not in known:
                yield (*path, name)
            elif isinstance(value, list | Mapping):
                yield from strange_fields(value, _at(kind, (name,)), (*path, name))


def unknown_field(path: Sequence[Step], kind: Any) -> str:
    """The end of a message about a field that a record does not have."""
    known = fields_of(_at(kind, path[:-1]))
    return f"unknown field{nearest(str(path[-1]), known)}"


def problem_words(problem: Any, path: Sequence[Step] = (), kind: Any = None) -> str:
    """What is wrong with a value, as one of the errors of a schema has it: the value, and what is allowed."""
    reason, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if reason == "missing":
        return "missing"
    if reason in ("extra_forbidden", "unexpected_keyword_argument"):
        return unknown_field(path, kind)
    if reason in _NOT_A:
        return f"{shown(value)} is not {_NOT_A[reason]}"
    if reason in _BOUNDS:
        name, words = _BOUNDS[reason]
        return f"{shown(value)} is not allowed, allowed is {words.format(context[name])}"
    if reason in ("literal_error", "enum"):
        allowed = str(context["expected"])
        close = nearest(value, _QUOTED.findall(allowed)) if isinstance(value, str) else ""
        return f"{shown(value)} is not allowed, allowed is {allowed.replace(chr(39), '')}{close}"
    if reason == "notation":
        return str(context["problem"])
    return f"{shown(value)}: {str(problem['msg']).removeprefix('Value error, ')}"


def _real(written: Any, path: Iterable[Step]) -> tuple[Step, ...]:
    """A path without the steps that stand for branches of the schema; the last may be a field that is missing."""
    steps = list(path)
    real: list[Step] = []
    here = written
    for position, step in enumerate(steps):
        if isinstance(here, Mapping) and (step in here or position == len(steps) - 1):
            real.append(step)
            here = here.get(step)
        elif isinstance(here, list) and isinstance(step, int) and 0 <= step < len(here):
            real.append(step)
            here = here[step]
    return tuple(real)


def _at(kind: Any, path: Iterable[Step]) -> Any:
    """The record type below a path of a type; None where it cannot be told."""
    for step in path:
        kind = _plain(kind)
        if get_origin(kind) is Frozen:
            (kind,) = get_args(kind)
        elif isinstance(step, int) or get_origin(kind) in (dict, tuple, list):
            inside = get_args(kind)
            kind = inside[-1] if inside and inside[-1] is not Ellipsis else inside[0] if inside else None
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            entry = kind.model_fields.get(step)
            kind = entry.annotation if entry else None
        elif isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
            kind = _hints(kind).get(step)
        else:
            return None
    return _plain(kind)


@lru_cache(maxsize=256)
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _plain(kind: Any) -> Any:
    """A type without annotations and without the chance of being nothing."""
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            kind = next((part for part in get_args(kind) if part is not type(None)), None)
        else:
            return kind
