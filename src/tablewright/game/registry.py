"""Which systems there are. A system is announced by an entry point of the group `tablewright.systems`:

    [project.entry-points."tablewright.systems"]
    coinfolk = "coinfolk_rules:system"

The name is the system's id, the value a `System` object in the system's package. Asking for ids imports no system, and
a system that cannot be loaded is reported and skipped: it never stops the others.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.errors import BadInput, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tablewright.engine import Mechanic
    from tablewright.game.system import System

GROUP = "tablewright.systems"
_OWN_DISTRIBUTION = "tablewright"
_SYSTEM_ID = re.compile(r"[a-z][a-z0-9_]*\Z")


class Broken(NamedTuple):
    """A system that is announced but cannot be used, and why."""

    id: str
    reason: str


class Loaded(NamedTuple):
    """All systems that work, by id, and the ones that do not."""

    systems: tuple[System, ...]
    broken: tuple[Broken, ...]


def system_ids() -> tuple[str, ...]:
    """The ids of all announced systems, sorted; none is imported, so some may turn out broken."""
    return tuple(sorted(_announced()))


def package_of(system_id: str) -> str | None:
    """The package of an announced system; None for an unknown id."""
    found = _announced().get(system_id)
    return found.module if found else None


def load_system(system_id: str) -> System:
    """The system with this id; an unknown id is refused with the nearest one, a broken system with the reason."""
    found = _announced().get(system_id)
    if found is None:
        raise unknown_system(system_id)
    loaded = _load(found)
    if isinstance(loaded, Broken):
        raise BadInput(f'the system "{loaded.id}" cannot be loaded: {loaded.reason}')
    return loaded


def load_all() -> Loaded:
    """Every announced system; whatever is wrong with one of them is in `broken`."""
    systems: list[System] = []
    broken: list[Broken] = []
    announced = _announced()
    for system_id in sorted(announced):
        loaded = _load(announced[system_id])
        if isinstance(loaded, Broken):
            broken.append(loaded)
        else:
            systems.append(loaded)
    broken += [
        Broken(twin.name, f'{twin.value} is skipped: "{twin.name}" is already {announced[twin.name].value}')
        for twin in _entry_points()
        if twin.value != announced[twin.name].value
    ]
    return Loaded(tuple(systems), tuple(broken))


def find_mechanic(name: str) -> Mechanic[..., Any]:
    """The mechanic with this public name, such as `mars.check`; loads its system alone."""
    system_id, dot, _ = name.partition(".")
    if not dot:
        raise BadInput(f'a mechanic is named SYSTEM.MECHANIC, not "{name}"; systems are {", ".join(system_ids())}')
    return load_system(system_id).mechanic(name)


def unknown_system(name: str) -> BadInput:
    """The error for a system id that nobody announced."""
    known = system_ids()
    return BadInput(f'there is no system "{name}"{nearest(name, known)} (known: {", ".join(known)})')


def _entry_points() -> tuple[EntryPoint, ...]:
    return _entry_points_on(tuple(sys.path))


@lru_cache(maxsize=4)
def _entry_points_on(_path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Our own systems first: a third party adds systems, it does not replace them."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow to import)

    found = entry_points(group=GROUP)
    return tuple(sorted(found, key=lambda point: (not _is_ours(point), point.name, point.value)))


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == _OWN_DISTRIBUTION


def _announced() -> dict[str, EntryPoint]:
    announced: dict[str, EntryPoint] = {}
    for point in _entry_points():
        announced.setdefault(point.name, point)
    return announced


def _load(point: EntryPoint) -> System | Broken:
    from tablewright.game.system import System  # noqa: PLC0415  (asking for ids needs no engine)

    if not _SYSTEM_ID.match(point.name):
        return Broken(point.name, "an id is lower-case letters, digits and underscores, and begins with a letter")
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        from tablewright.game.faults import fault  # noqa: PLC0415 - nothing is wrong with it, as a rule

        return Broken(point.name, fault(error, point.module))
    if not isinstance(loaded, System):
        return Broken(point.name, f"{point.value} is a {type(loaded).__name__}, not a System")
    if loaded.id != point.name:
        return Broken(point.name, f'{point.value} calls itself "{loaded.id}"')
    return loaded
