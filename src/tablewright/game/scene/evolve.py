"""Changed copies of frozen dataclasses, faster than ``dataclasses.replace``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from types import MemberDescriptorType
from typing import Any, TypeAlias, TypeVar

D = TypeVar("D")
R = TypeVar("R", bound=tuple[Any, ...])
_Write: TypeAlias = Mapping[str, Callable[[Any, Any], None]]
_Keep: TypeAlias = Callable[[Any, Any, Mapping[str, Any]], None]
_plans: dict[type, tuple[Callable[[Any], Any], _Write, _Keep | None] | None] = {}
"""By class: a copy function, a setter for each field of the copy, and what the copy keeps besides its fields."""
_makers: dict[tuple[Any, ...], Callable[..., Any]] = {}
"""By class of named tuples and changed fields."""


def evolve(value: D, **changes: Any) -> D:
    """Copy of a frozen value with some fields changed, several times as fast as ``dataclasses.replace``.

    Every event replaces the scene and some statuses. Classes without slots or with a ``__post_init__`` fall back to
    ``dataclasses.replace``. A class may have a method ``_keep(copy, changes)`` that hands on caches which still hold.
    """
    kind = type(value)
    try:
        plan = _plans[kind]
    except KeyError:
        plan = _plans[kind] = _plan(kind)
    if plan is None:
        return replace(value, **changes)  # type: ignore[type-var]
    copy, write, keep = plan
    new: D = copy(value)
    try:
        for name, now in changes.items():
            write[name](new, now)
    except KeyError:
        return replace(value, **changes)  # type: ignore[type-var]  # it says that there is no such field
    if keep is not None:
        keep(value, new, changes)
    return new


def evolve_record(record: R, **changes: Any) -> R:
    """Copy of a named tuple with some fields changed, twice as fast as its ``_replace``.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     first: int
    ...     second: int
    >>> evolve_record(Pair(1, 2), second=3)
    Pair(first=1, second=3)
    """
    key = (type(record), *changes)
    try:
        make = _makers[key]
    except KeyError:
        make = _makers[key] = _maker(type(record), list(changes))
    made: R = make(record, *changes.values())
    return made


def _maker(kind: Any, changed: list[str]) -> Callable[..., Any]:
    """Compile a function of a named tuple and the new values of some of its fields."""
    if not set(changed) <= set(kind._fields):
        raise TypeError(f"{kind.__name__} has no fields {', '.join(sorted(set(changed) - set(kind._fields)))}")
    items = [name if name in changed else f"record_[{at}]" for at, name in enumerate(kind._fields)]
    known: dict[str, Any] = {"make_": tuple.__new__, "kind_": kind}
    exec(f"def made({', '.join(['record_', *changed])}): return make_(kind_, ({', '.join(items)},))", known)
    made: Callable[..., Any] = known["made"]
    return made


def _plan(kind: type) -> tuple[Callable[[Any], Any], _Write, _Keep | None] | None:
    """Compile a copy function for a class with slots; None if the class needs ``dataclasses.replace``.

    The copy is filled while it belongs to a class with the same slots that is not frozen: plain assignments take a
    fraction of the time of slot setters.
    """
    slots = {entry.name: getattr(kind, entry.name, None) for entry in fields(kind)}
    write = {name: slot.__set__ for name, slot in slots.items() if isinstance(slot, MemberDescriptorType)}
    if len(write) < max(2, len(slots)) or hasattr(kind, "__post_init__"):
        return None
    open_kind: Any = type(kind.__name__, kind.__bases__, {"__slots__": kind.__dict__.get("__slots__", ())})
    if open_kind.__setattr__ is not object.__setattr__:
        return None
    lines = [f"    new.{name} = value.{name}" for name in write]
    if hasattr(kind, "answers") and "answers" not in slots:  # the copy has not been asked anything yet
        lines.append("    new.answers = {}")
    known: dict[str, Any] = {"make": object.__new__, "kind": kind, "open_kind": open_kind}
    lines = ["def copy(value):", "    new = make(open_kind)", *lines, "    new.__class__ = kind", "    return new"]
    exec("\n".join(lines), known)
    return known["copy"], write, getattr(kind, "_keep", None)
