"""Remembering what pure functions gave, by the very objects they were asked about.

Frozen values that are large (a character, the content of a game) take long to hash and to compare, and the same object
is asked about thousands of times in a fight. So they are found by their identity; they are kept beside the answer, so
that their identity stays theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
V = TypeVar("V")

MOST_REMEMBERED = 4_096


def by_identity(function: Callable[P, R]) -> Callable[P, R]:
    """Remember what a pure function of frozen objects gave for these very objects; they are given by position.

    >>> asked = []
    >>> @by_identity
    ... def longest(words: tuple[str, ...]) -> int:
    ...     asked.append(words)
    ...     return max(map(len, words))
    >>> words = ("an", "example")
    >>> longest(words), longest(words), len(asked)
    (7, 7, 1)
    """
    known: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}

    def ask(*objects: Any) -> R:
        key = tuple(map(id, objects))
        kept = known.get(key)
        if kept is None:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            kept = known[key] = (function(*objects), objects)  # type: ignore[call-arg]
        return kept[0]

    return update_wrapper(ask, function)  # type: ignore[return-value]


class _Same:
    """An object as the key of a memory: the same object, not an equal one, which would take long to find out."""

    __slots__ = ("object",)

    def __init__(self, object_: Any) -> None:
        self.object = object_

    def __hash__(self) -> int:
        return id(self.object)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.object is self.object


def remembered(function: Callable[[V, C], R]) -> Callable[[V, C], R]:
    """Remember what a pure function of a frozen value and the content gave: by the very objects, and for equal values.

    A value that was made anew and equals an earlier one is looked up once and then known by itself.

    >>> content = {"club": 2}
    >>> asked = []
    >>> @remembered
    ... def worth(items: tuple[str, ...], content: dict[str, int]) -> int:
    ...     asked.append(items)
    ...     return sum([content[item] for item in items])
    >>> worth(("club", "club"), content), worth(tuple(["club"] * 2), content), len(asked)
    (4, 4, 1)
    """

    @lru_cache(maxsize=MOST_REMEMBERED)
    def found(value: V, same: _Same) -> R:
        return function(value, same.object)

    def ask(value: V, content: C) -> R:
        return found(value, _Same(content))

    return by_identity(update_wrapper(ask, function))
