"""Caches for pure functions, keyed by the identity of their arguments.

Large frozen values (a character, the content of a game) are slow to hash and to compare, and a fight looks up the same
object thousands of times. The caches therefore use its identity as the key, and hold a reference to the object to keep
its id from being reused. Tuples of small values (belongings, effects) are rebuilt with every change and often equal an
earlier tuple. An equal tuple is compared once and from then on found by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
V = TypeVar("V")


class Answering(Protocol):
    """Value that stores cached results about itself, such as a scene."""

    @property
    def answers(self) -> dict[Any, Any]:
        """Cached results by key."""


A = TypeVar("A", bound=Answering)

_MISSING: Any = object()
MOST_REMEMBERED = 4_096


def cached_by_identity(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a pure function of frozen objects by their identity; arguments are positional.

    >>> asked = []
    >>> @cached_by_identity
    ... def longest(words: tuple[str, ...]) -> int:
    ...     asked.append(words)
    ...     return max(map(len, words))
    >>> words = ("an", "example")
    >>> longest(words), longest(words), len(asked)
    (7, 7, 1)
    >>> longest(tuple("an example".split())), len(asked)
    (7, 1)
    """
    known: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}
    equal: dict[tuple[Any, ...], R] = {}

    def ask(*objects: Any) -> R:
        key = tuple(map(id, objects))
        kept = known.get(key)
        return _find(key, objects) if kept is None else kept[0]

    def ask_of_one(first: Any) -> R:
        kept = known.get((id(first),))
        return _find((id(first),), (first,)) if kept is None else kept[0]

    def ask_of_two(first: Any, second: Any) -> R:
        kept = known.get((id(first), id(second)))
        return _find((id(first), id(second)), (first, second)) if kept is None else kept[0]

    def ask_of_three(first: Any, second: Any, third: Any) -> R:
        kept = known.get((id(first), id(second), id(third)))
        return _find((id(first), id(second), id(third)), (first, second, third)) if kept is None else kept[0]

    def _find(key: tuple[int, ...], objects: tuple[Any, ...]) -> R:
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        answer = _for_equal(objects)
        known[key] = (answer, objects)
        return answer

    def _for_equal(objects: tuple[Any, ...]) -> R:
        alike = tuple([value if type(value) is tuple else _Same(value) for value in objects])
        try:
            found = equal.get(alike, _MISSING)  # a single lookup, because another thread may clear the dict at any time
        except TypeError:  # a tuple holds an unhashable value
            return function(*objects)  # type: ignore[call-arg]
        if found is not _MISSING:
            return found  # type: ignore[no-any-return]
        if len(equal) >= MOST_REMEMBERED:
            equal.clear()
        answer = equal[alike] = function(*objects)  # type: ignore[call-arg]
        return answer

    of_few: dict[int, Callable[..., R]] = {1: ask_of_one, 2: ask_of_two, 3: ask_of_three}
    params = signature(function).parameters.values()
    plain = all(param.kind is param.POSITIONAL_OR_KEYWORD and param.default is param.empty for param in params)
    return update_wrapper(of_few.get(len(params), ask) if plain else ask, function)


class _Same:
    """Cache key that compares an object by identity; comparing by value would be slow."""

    __slots__ = ("object",)

    def __init__(self, object_: Any) -> None:
        self.object = object_

    def __hash__(self) -> int:
        return id(self.object)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.object is self.object


def cached_by_value(function: Callable[[V, C], R]) -> Callable[[V, C], R]:
    """Cache a pure function of a frozen value and the content, by identity and for equal values.

    A new value that equals an earlier one is compared once and from then on found by identity.

    >>> content = {"club": 2}
    >>> asked = []
    >>> @cached_by_value
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

    return cached_by_identity(update_wrapper(ask, function))


def cached_on_scene(function: Callable[Concatenate[A, P], R]) -> Callable[Concatenate[A, P], R]:
    """Cache a pure function of a scene and plain values for the lifetime of the scene.

    Listing the options of a turn repeats the same queries on one scene many times: possible targets, paths to them.

    >>> from tablewright.game.scene.scene import Scene
    >>> asked = []
    >>> @cached_on_scene
    ... def is_over(scene: Scene, most: int) -> bool:
    ...     asked.append(most)
    ...     return scene.round >= most
    >>> scene = Scene("demo", round=3)
    >>> is_over(scene, 3), is_over(scene, 3), is_over(scene, 4), asked
    (True, True, False, [3, 4])
    """

    return update_wrapper(_asking(function), function)


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a caching wrapper with the exact signature of ``function``; a generic wrapper takes twice as long."""
    params = list(signature(function).parameters.values())
    scene, *others = [param.name for param in params]
    known: dict[str, Any] = {"function_": function, "missing_": _MISSING}
    written: list[str] = []
    for at, param in enumerate(params):
        if param.kind is param.KEYWORD_ONLY and "*" not in written:
            written.append("*")
        default = param.default is not param.empty
        known |= {f"default_{at}": param.default} if default else {}
        written.append(f"{param.name}=default_{at}" if default else param.name)
    key = ", ".join(["function_", *others, ""])
    given = ", ".join(
        [f"{param.name}={param.name}" if param.kind is param.KEYWORD_ONLY else param.name for param in params]
    )
    lines = [
        f"def ask({', '.join(written)}):",
        f"    known = {scene}.answers",
        f"    key = {key}",
        "    found = known.get(key, missing_)",  # a KeyError would cost more than many queries
        "    if found is missing_:",
        f"        found = known[key] = function_({given})",
        "    return found",
    ]
    exec("\n".join(lines), known)
    asking: Callable[..., Any] = known["ask"]
    return asking
