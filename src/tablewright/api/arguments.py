"""Checks of the kinds of arguments, so that a wrong one is refused with its name and not by an error from inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from inspect import Parameter, signature
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from tablewright.engine.parameter_types import format_argument
from tablewright.errors import InvalidInputError, did_you_mean

F = TypeVar("F", bound=Callable[..., Any])

Packs: TypeAlias = "str | Path | Iterable[str | Path]"
"""Content packs: a file or folder, or several."""

MOST_NAME = 255
"""Upper bound for the characters of a file's name."""


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_number(value: object) -> bool:
    return isinstance(value, Fraction) or (type(value) in (int, float) and isfinite(cast("float", value)))


def _is_path(value: object) -> bool:
    return isinstance(value, str | Path) and all(len(part) <= MOST_NAME for part in Path(value).parts)


def _is_paths(value: object) -> bool:
    return _is_path(value) or (isinstance(value, list | tuple) and all(map(_is_path, value)))


KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "a text"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "int": (_is_whole, "a whole number"),
    "float": (_is_number, "a number"),
    "Fraction | float": (_is_number, "a number"),
    "str | Path": (_is_path, "a path"),
    "Packs": (_is_paths, "a path or a list of paths"),
    "Mapping[str, object]": (lambda value: isinstance(value, Mapping), "a mapping of names to values"),
    "Mapping[str, Sequence[str]]": (lambda value: isinstance(value, Mapping), "a mapping of names to lists"),
    "Sequence[int]": (
        lambda value: isinstance(value, Sequence) and not isinstance(value, str | bytes),
        "a list of whole numbers",
    ),
    "str | Sequence[str]": (
        lambda value: isinstance(value, str) or (isinstance(value, list | tuple) and all(map(_is_text, value))),
        "a text or a list of texts",
    ),
    "Told": (callable, "a function of two numbers"),
}
"""Checks and descriptions by annotation; other annotations are not checked here."""


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def check_argument(name: str, value: object, annotation: str) -> None:
    """Refuse a value that is not of the annotated kind, with its name."""
    kind = annotation.removesuffix(" | None")
    if value is None and kind != annotation:
        return
    known = KINDS.get("Told" if kind.startswith("Callable[") else kind)
    if known is not None and not known[0](value):
        words = "a function" if kind.startswith("Callable[") else known[1]
        raise InvalidInputError(f"{name} is {format_argument(value)}; allowed is {words}", field=name)


def check_named(given: Mapping[str, object], annotations: Mapping[str, Any]) -> None:
    """Check settings by name; an unknown one is refused with the nearest."""
    for name, value in given.items():
        if name not in annotations:
            known = [*annotations]
            raise InvalidInputError(
                f'"{name:.40}" is unknown; allowed are {", ".join(known)}{did_you_mean(name, known)}', field=name
            )
        annotation = annotations[name]
        check_argument(name, value, getattr(annotation, "__forward_arg__", str(annotation)))


def checked(function: F) -> F:
    """Check the plain arguments of a public function by their annotations, before it begins."""

    @wraps(function)
    def check(*args: Any, **kwargs: Any) -> Any:
        names, annotations = _annotated(function)
        for name, value in [*zip(names, args, strict=False), *kwargs.items()]:
            if name in annotations:
                check_argument(name, value, annotations[name])
        return function(*args, **kwargs)

    return cast("F", check)


@lru_cache(maxsize=256)
def _annotated(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Names of the parameters by place, and the annotations that are checked."""
    declared = signature(function).parameters.values()
    places = [one.name for one in declared if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    named = {one.name: one.annotation for one in declared if isinstance(one.annotation, str)}
    return tuple(places), {name: text for name, text in named.items() if _is_checked(text)}


def _is_checked(annotation: str) -> bool:
    kind = annotation.removesuffix(" | None")
    return kind in KINDS or kind.startswith("Callable[")


def paths_of(packs: Packs) -> list[str | Path]:
    """Packs as a list."""
    return [packs] if isinstance(packs, str | Path) else list(packs)
