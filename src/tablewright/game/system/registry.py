"""Registry of installed systems. A system that fails to load is reported and skipped; the others still load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.errors import InvalidInputError
from tablewright.game.rules.entry_points import announced_systems, entry_points, system_ids, unknown_system

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tablewright.engine import Mechanic
    from tablewright.game.system.system import System

_SYSTEM_ID = re.compile(r"[a-z][a-z0-9_]*\Z")


class Broken(NamedTuple):
    """An announced system that cannot be used, and the reason."""

    id: str
    reason: str


class LoadedSystems(NamedTuple):
    """All working systems, sorted by id, and the broken ones."""

    systems: tuple[System, ...]
    broken: tuple[Broken, ...]


def load_system(system_id: str) -> System:
    """Load a system by id; an unknown id is refused with the nearest one, a broken system with the reason."""
    found = announced_systems().get(system_id)
    if found is None:
        raise unknown_system(system_id)
    loaded = _load(found)
    if isinstance(loaded, Broken):
        raise InvalidInputError(f'the system "{loaded.id}" cannot be loaded: {loaded.reason}')
    return loaded


def load_all() -> LoadedSystems:
    """Load every announced system; failures and duplicate ids go to `broken`."""
    systems: list[System] = []
    broken: list[Broken] = []
    announced = announced_systems()
    for system_id in sorted(announced):
        loaded = _load(announced[system_id])
        if isinstance(loaded, Broken):
            broken.append(loaded)
        else:
            systems.append(loaded)
    broken += [
        Broken(twin.name, f'{twin.value} is skipped: "{twin.name}" is already {announced[twin.name].value}')
        for twin in entry_points()
        if twin.value != announced[twin.name].value
    ]
    return LoadedSystems(tuple(systems), tuple(broken))


def find_mechanic(name: str) -> Mechanic[..., Any]:
    """Find a mechanic by public name, such as `mars.check`; loads only its system."""
    system_id, dot, _ = name.partition(".")
    if not dot:
        raise InvalidInputError(
            f'a mechanic is named SYSTEM.MECHANIC, not "{name}"; systems are {", ".join(system_ids())}'
        )
    return load_system(system_id).mechanic(name)


def _load(point: EntryPoint) -> System | Broken:
    from tablewright.game.system.system import System  # noqa: PLC0415  (listing ids needs no engine)

    if not _SYSTEM_ID.match(point.name):
        return Broken(point.name, "an id is lower-case letters, digits and underscores, and begins with a letter")
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        from tablewright.game.system.load_errors import fault  # noqa: PLC0415 - needed only on failure

        return Broken(point.name, fault(error, point.module))
    if not isinstance(loaded, System):
        return Broken(point.name, f"{point.value} is a {type(loaded).__name__}, not a System")
    if loaded.id != point.name:
        return Broken(point.name, f'{point.value} calls itself "{loaded.id}"')
    return loaded
