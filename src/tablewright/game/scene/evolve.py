"""Changed copies of frozen dataclasses, faster than ``dataclasses.replace``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from types import MemberDescriptorType
from typing import Any, TypeAlias, TypeVar

D = TypeVar("D")
_Write: TypeAlias = Mapping[str, Callable[[Any, Any], None]]
_plans: dict[type, tuple[Callable[[Any], Any], _Write] | None] = {}
"""By class: a copy function, and a setter for each field of the copy."""


def evolve(value: D, **changes: Any) -> D:
    """Copy of a frozen value with some fields changed, three times as fast as ``dataclasses.replace``.

    Every event replaces the scene and some statuses. Classes without slots or with a ``__post_init__`` fall back to
    ``dataclasses.replace``.
    """
    kind = type(value)
    try:
        plan = _plans[kind]
    except KeyError:
        plan = _plans[kind] = _plan(kind)
    if plan is None or not changes.keys() <= plan[1].keys():
        return replace(value, **changes)  # type: ignore[type-var]
    new: D = plan[0](value)
    for name, now in changes.items():
        plan[1][name](new, now)
    return new


def _plan(kind: type) -> tuple[Callable[[Any], Any], _Write] | None:
    """Compile a copy function for a class with slots; None if the class needs ``dataclasses.replace``."""
    slots = {entry.name: getattr(kind, entry.name, None) for entry in fields(kind)}
    write = {name: slot.__set__ for name, slot in slots.items() if isinstance(slot, MemberDescriptorType)}
    if len(write) < max(2, len(slots)) or hasattr(kind, "__post_init__"):
        return None
    lines = [f"    write_{name}(new, value.{name})" for name in write]
    known: dict[str, Any] = {f"write_{name}": setter for name, setter in write.items()}
    known |= {"make": object.__new__, "kind": kind}
    exec("\n".join(["def copy(value):", "    new = make(kind)", *lines, "    return new"]), known)
    return known["copy"], write
