"""Messages for problems of content, with file, line, column and the allowed alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from tablewright.errors import did_you_mean
from tablewright.game.files.documents import MOST_PROBLEMS, Document, Place, Step, dotted
from tablewright.game.files.validation import fields_of, problems_of

_FILE = re.compile(r":([0-9]+)(?::([0-9]+))?: .*", re.DOTALL)


class Lined(Document):
    """A document, or a part of one, whose messages begin with file, line and column."""

    __slots__ = ("_inner", "_prefix")

    def __init__(self, inner: Document, value: Any, prefix: tuple[Step, ...] = ()) -> None:
        super().__init__(inner.name, value)
        self._inner = inner
        self._prefix = prefix

    def with_value(self, value: Any) -> Document:
        """Copy with changed content and the same places."""
        return Lined(self._inner, value, self._prefix)

    def place(self, path: Iterable[Step]) -> Place:
        """Line and column of the value at a path."""
        return self._inner.place((*self._prefix, *path))

    def at(self, path: Iterable[Step]) -> str:
        """The place as text for a message; the bare name if the content comes from no file."""
        steps = (*self._prefix, *path)
        if self._inner.at(steps) == self.name:
            return self.name
        return "{}:{}:{}".format(self.name, *self._inner.place(steps))


def few(problems: Sequence[str]) -> list[str]:
    """Problems in file order, cut to a readable number, plus a count of the rest."""
    files = list(dict.fromkeys([_FILE.sub("", problem) for problem in problems]))
    problems = sorted(problems, key=lambda problem: (files.index(_FILE.sub("", problem)), *_place(problem)))
    more = len(problems) - MOST_PROBLEMS
    return list(problems) if more <= 0 else [*problems[:MOST_PROBLEMS], f"and {more} more"]


def _place(problem: str) -> tuple[int, int]:
    found = _FILE.search(problem)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def in_words(document: Document, error: ValidationError, model: type[BaseModel]) -> Iterator[str]:
    """Messages for all problems that a schema found; for a wrong or missing tag they list the allowed ones."""
    for problem, line in zip(error.errors(include_url=False), problems_of(document, error, model), strict=False):
        reason, path, context = problem["type"], problem["loc"], problem.get("ctx", {})
        if reason in ("union_tag_invalid", "union_tag_not_found"):
            inside = (*_without_tags(document.value, path), str(context["discriminator"]).strip("'"))
            start = f"{document.at(inside)}: {dotted(inside)}: "
            allowed = _tags(model, path)
            if reason == "union_tag_not_found":
                yield f"{start}missing, allowed is {', '.join(allowed)}"
            else:
                tag = str(context["tag"])
                yield f'{start}"{tag:.60}" is not allowed, allowed is {", ".join(allowed)}{did_you_mean(tag, allowed)}'
        elif reason == "extra_forbidden":
            known = fields_of(_inside(model, path[:-1]))
            name = str(path[-1])
            close = did_you_mean(name, known) or (f" (allowed: {', '.join(known[:20])})" if known else "")
            inside = (*_without_tags(document.value, path[:-1]), name)
            yield f"{document.at(inside)}: {dotted(inside)}: unknown field{close}"
        else:
            yield line


def _without_tags(value: Any, path: Iterable[Step]) -> tuple[Step, ...]:
    """Convert a path of the schema to a path of the content by dropping steps that name union members."""
    real: list[Step] = []
    for step in path:
        if step in value if isinstance(value, Mapping) else isinstance(value, list) and step in range(len(value)):
            real.append(step)
            value = value[step]
    return tuple(real)


def _inside(kind: Any, path: Iterable[Step]) -> Any:
    """The type at a path of the schema; None if it is unknown."""
    for step in path:
        kind = _bare(kind)
        branches = _branches(kind)
        if step in branches:
            kind = branches[str(step)]
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            entry = kind.model_fields.get(str(step))
            kind = entry.annotation if entry else None
        else:
            inner = [part for part in get_args(kind) if part is not Ellipsis]
            kind = inner[step] if isinstance(step, int) and step < len(inner) > 1 else inner[-1] if inner else None
    return _bare(kind)


def _tags(model: Any, path: Iterable[Step]) -> list[str]:
    return list(_branches(_inside(model, path)))


def _bare(kind: Any) -> Any:
    """A type without annotations; `X | None` becomes `X`."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        some = [part for part in get_args(kind) if part is not type(None)]
        return _bare(some[0]) if len(some) == 1 else kind
    return kind


def _branches(kind: Any) -> dict[str, Any]:
    """Members of a union by tag, the only value of a `Literal` field."""
    if get_origin(kind) not in (Union, UnionType):
        return {}
    found: dict[str, Any] = {}
    for part in map(_bare, get_args(kind)):
        if isinstance(part, type) and issubclass(part, BaseModel):
            for entry in part.model_fields.values():
                if get_origin(entry.annotation) is Literal and len(get_args(entry.annotation)) == 1:
                    found[str(get_args(entry.annotation)[0])] = part
                    break
    return found
