"""Schema errors in words: file and line, field, value, allowed values and the nearest name.

>>> from pydantic import BaseModel, ConfigDict, Field
>>> from tablewright.game.files.documents import parse_document
>>> class Sword(BaseModel):
...     model_config = ConfigDict(extra="forbid")
...     damage: int = Field(ge=1, le=12)
...     hands: int = 1
>>> read_as(Sword, parse_document("damage: 20\\nhand: 2\\n", "sword.yaml"))
Traceback (most recent call last):
tablewright.errors.ProblemListError: sword.yaml:1: damage: 20 is not allowed, allowed is 12 or less
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

from tablewright.errors import ProblemListError, did_you_mean
from tablewright.game.files.documents import MOST_PROBLEMS, Document, Step, dotted, quote

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
    """Validate the content of a file strictly as a type, without conversions.

    The error lists all problems at once.
    """
    try:
        return TypeAdapter(kind).validate_json(json.dumps(document.value), strict=True)
    except ValidationError as error:
        raise ProblemListError(problems_of(document, error, kind)) from None


def problems_of(document: Document, error: ValidationError, kind: Any = None) -> Iterator[str]:
    """One line for each problem; `kind` is the type that was read and supplies field names for suggestions."""
    found = [problem for problem in error.errors(include_url=False) if not _follows(problem)]
    for problem in found[:MOST_PROBLEMS]:
        path = _real(document.value, problem["loc"])
        field = f"{dotted(path)}: " if path else ""
        yield f"{document.at(path)}: {field}{problem_words(problem, path, kind)}"
    if len(found) > MOST_PROBLEMS:
        yield f"{document.name}: and {len(found) - MOST_PROBLEMS} more"


def _follows(problem: Any) -> bool:
    """True if a list is called too short only because some of its entries were refused, each with its own problem."""
    return problem["type"] == "too_short" and len(problem["input"]) >= int(problem["ctx"]["min_length"])


def fields_of(kind: Any) -> tuple[str, ...]:
    """Field names of a record type; empty for other types."""
    if isinstance(kind, type):
        if issubclass(kind, BaseModel):
            return tuple([entry.alias or name for name, entry in kind.model_fields.items()])
        if is_dataclass(kind):
            return tuple([entry.name for entry in fields(kind)])
        if hasattr(kind, "_fields"):
            return tuple(kind._fields)
    return ()


def lost_fields(written: Any, kept: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Paths of keys in `written` that are not in `kept`, which a reader would silently drop."""
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
    """Paths of keys that a plain record (dataclass or named tuple) inside a type cannot hold.

    pydantic extends a model's permission for extra fields to such records, which would drop them.
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
    """End of a message about an unknown field, with the nearest name."""
    known = fields_of(_at(kind, path[:-1]))
    return f"unknown field{did_you_mean(str(path[-1]), known)}"


def problem_words(problem: Any, path: Sequence[Step] = (), kind: Any = None) -> str:
    """Message for one schema error: the value and the allowed values."""
    reason, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if reason in ("missing", "union_tag_not_found"):
        return "missing"
    if reason in ("extra_forbidden", "unexpected_keyword_argument"):
        return unknown_field(path, kind)
    if reason in _NOT_A:
        return f"{quote(value)} is not {_NOT_A[reason]}"
    if reason in _BOUNDS:
        name, words = _BOUNDS[reason]
        if isinstance(value, list):
            return f"{len(value)} entries are not allowed, allowed is {words.format(context[name])}"
        return f"{quote(value)} is not allowed, allowed is {words.format(context[name])}"
    if reason in ("literal_error", "enum"):
        allowed = str(context["expected"])
        close = did_you_mean(value, _QUOTED.findall(allowed)) if isinstance(value, str) else ""
        return f"{quote(value)} is not allowed, allowed is {allowed.replace(chr(39), '')}{close}"
    if reason == "notation":
        return str(context["problem"])
    if reason == "union_tag_invalid":
        tags = _QUOTED.findall(context["expected_tags"])
        return (
            f"{quote(context['tag'])} is not allowed, allowed is {', '.join(tags)}{did_you_mean(context['tag'], tags)}"
        )
    said = str(problem["msg"]).removeprefix("Value error, ")
    return said if isinstance(value, Mapping) else f"{quote(value)}: {said}"


def _real(written: Any, path: Iterable[Step]) -> tuple[Step, ...]:
    """A path without the steps that stand for branches of the schema; the last may be a missing field."""
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
    """The record type at a path of a type; None if it is unknown."""
    for step in path:
        kind = _plain(kind)
        outer = get_origin(kind)
        if isinstance(step, int) or outer in (tuple, list) or (isinstance(outer, type) and issubclass(outer, Mapping)):
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
    """A type without annotations; `X | None` becomes `X`."""
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            kind = next((part for part in get_args(kind) if part is not type(None)), None)
        else:
            return kind
