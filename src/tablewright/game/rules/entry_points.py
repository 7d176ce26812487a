"""Announced systems and policies: their names and packages, without importing any of them.

An entry point of the group `tablewright.systems` announces a system:

    [project.entry-points."tablewright.systems"]
    coinfolk = "coinfolk_rules:system"

The name is the system's id; the value is a `System` object in the system's package. The group `tablewright.policies`
announces bots the same way: the name of a policy, and a function that takes a turn and returns an option.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


GROUP = "tablewright.systems"
POLICY_GROUP = "tablewright.policies"
_OWN_DISTRIBUTION = "tablewright"


def system_ids() -> tuple[str, ...]:
    """Ids of all announced systems, sorted; none is imported, so some may fail to load.

    >>> {"marchen", "mars", "opend6", "renaissance", "stage"} <= set(system_ids())
    True
    """
    return tuple(sorted(announced_systems()))


def package_of(system_id: str) -> str | None:
    """Package of an announced system; None for an unknown id."""
    found = announced_systems().get(system_id)
    return found.module if found else None


def unknown_system(name: str) -> InvalidInputError:
    """Error for an unknown system id, with the nearest one."""
    known = system_ids()
    return InvalidInputError(f'there is no system "{name}"{did_you_mean(name, known)} (known: {", ".join(known)})')


def entry_points(group: str = GROUP) -> tuple[EntryPoint, ...]:
    """Entry points of a group, those of this package first; two may have the same name."""
    return _entry_points_on(tuple(sys.path), group)


@lru_cache(maxsize=8)
def _entry_points_on(_path: tuple[str, ...], group: str) -> tuple[EntryPoint, ...]:
    """Entry points with those of this package first; third parties cannot replace them."""
    from importlib import metadata  # noqa: PLC0415  (slow to import)

    found = metadata.entry_points(group=group)
    return tuple(sorted(found, key=lambda point: (not _is_ours(point), point.name, point.value)))


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == _OWN_DISTRIBUTION


def announced_systems() -> dict[str, EntryPoint]:
    """Entry points by system id; of several with one name the first wins."""
    return _by_name(GROUP)


def announced_policies() -> dict[str, EntryPoint]:
    """Entry points of policies by name; of several with one name the first wins."""
    return _by_name(POLICY_GROUP)


def _by_name(group: str) -> dict[str, EntryPoint]:
    announced: dict[str, EntryPoint] = {}
    for point in entry_points(group):
        announced.setdefault(point.name, point)
    return announced
