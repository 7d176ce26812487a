"""Groups of settings that many rules share, declared once as a named tuple and flattened for callers.

Without them every rule would repeat the same parameters and collect them in its first line.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from functools import lru_cache, update_wrapper
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

R = TypeVar("R")


def flatten_settings(function: Callable[..., Coroutine[Any, Any, R]]) -> Callable[..., Coroutine[Any, Any, R]]:
    """Replace named tuples among a rule's parameters by their fields.

    A rule may have several groups if no two settings share a name. Callers (Python, JSON, the command line) name each
    setting; calls and traces contain no groups.

    >>> from typing import NamedTuple
    >>> from tablewright.engine import d, mechanic, odds
    >>> class Dice(NamedTuple):
    ...     sides: int = 6
    ...     keep_ones: bool = True
    >>> PLAIN = Dice()
    >>> @mechanic(rules=["demo.roll.thrice"])
    ... @flatten_settings
    ... async def roll(count: int, dice: Dice = PLAIN, plus: int = 0) -> int:
    ...     "Roll some dice."
    ...     return await d(dice.sides, count, plus)
    >>> [parameter.name for parameter in roll.params], roll(2, sides=4)
    (['count', 'sides', 'keep_ones', 'plus'], demo.roll(2, 4, True, 0))
    >>> str(odds(roll(2, sides=4)).mean)
    '5'
    """
    parameters: list[Parameter] = []
    annotations: dict[str, Any] = {}
    groups: list[tuple[int, int, Callable[[Iterable[Any]], Any]]] = []
    names = getattr(function, "__globals__", {})
    for declared in signature(function).parameters.values():
        kind: Any = names.get(declared.annotation) if isinstance(declared.annotation, str) else declared.annotation
        if isinstance(kind, type) and hasattr(kind, "_fields") and not hasattr(kind, "parse"):
            at = len(parameters)
            groups.append((at, at + len(kind._fields), kind._make))  # type: ignore[attr-defined]
            for name, hint in _hints(kind).items():
                default = kind._field_defaults.get(name, Parameter.empty)  # type: ignore[attr-defined]
                parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=hint))
        else:
            parameters.append(declared)
    for parameter in parameters:
        if parameter.name in annotations:
            raise TypeError(f"{function.__qualname__} has two settings of the name {parameter.name}")
        annotations[parameter.name] = parameter.annotation
    if not groups:
        raise TypeError(f"{function.__qualname__} has no named tuple of settings among its parameters")

    if len(groups) == 1:
        [(first, end, gather)] = groups

        def spelled(*given: Any) -> Coroutine[Any, Any, R]:
            return function(*given[:first], gather(given[first:end]), *given[end:])
    else:

        def spelled(*given: Any) -> Coroutine[Any, Any, R]:
            gathered: list[Any] = []
            so_far = 0
            for first, end, gather in groups:
                gathered += given[so_far:first]
                gathered.append(gather(given[first:end]))
                so_far = end
            return function(*gathered, *given[so_far:])

    update_wrapper(spelled, function)
    spelled.__annotations__ = annotations | {"return": function.__annotations__["return"]}
    spelled.__signature__ = signature(function).replace(parameters=parameters)  # type: ignore[attr-defined]
    return spelled


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
