"""Remembering what pure functions gave, by the very objects they were asked about.

Frozen values that are large (a character, the content of a game) take long to hash and to compare, and the same object
is asked about thousands of times in a fight. So they are found by their identity; they are kept beside the answer, so
that their identity stays theirs. Tuples of small values (what somebody carries, what has taken hold of them) are made
anew with every change and soon equal earlier ones: an equal tuple is looked up once and then known by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from tablewright.game.scene import Scene

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
V = TypeVar("V")

_MISSING: Any = object()
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
            found = equal.get(alike, _MISSING)  # in one step: another thread may clear it at any time
        except TypeError:  # something in a tuple cannot be hashed
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


def of_scene(function: Callable[Concatenate[Scene, P], R]) -> Callable[Concatenate[Scene, P], R]:
    """Remember what a pure function of a scene and of plain values gave, as long as the scene lives.

    While one option after the other is looked at the same is asked of one scene many times: who can be a target, which
    way leads to whom.

    >>> from tablewright.game.scene import Scene
    >>> asked = []
    >>> @of_scene
    ... def is_over(scene: Scene, most: int) -> bool:
    ...     asked.append(most)
    ...     return scene.round >= most
    >>> scene = Scene("demo", round=3)
    >>> is_over(scene, 3), is_over(scene, 3), is_over(scene, 4), asked
    (True, True, False, [3, 4])
    """

    return update_wrapper(_asking(function), function)


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """The remembering function, written out for the parameters of another: half the time of one that takes any.

    What was found out about a scene is looked for in its own place: the property is a third of the time this takes.
    """
    params = list(signature(function).parameters.values())
    scene, *others = [param.name for param in params]
    known: dict[str, Any] = {"function_": function}
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
        "    try:",
        f"        return {scene}._answers[{key}]",
        "    except (AttributeError, KeyError):",  # the first question of all, or the first time that this one is asked
        "        pass",
        f"    found = {scene}.answers[{key}] = function_({given})",
        "    return found",
    ]
    exec("\n".join(lines), known)
    asking: Callable[..., Any] = known["ask"]
    return asking
