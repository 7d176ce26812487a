"""Declarations of a system for the conformance tests: `EXTENT` in the file `extent.py` of its tests (see `places`).

>>> Extent(never_negative=("stamina",)).never_negative
('stamina',)
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, TypeAlias

from conformance.drawing import Below
from conformance.places import TESTS, folder_of_tests, package_folder
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.session import Session

Arguments: TypeAlias = Callable[[Session, Below], Mapping[str, Any]]
"""Gives the arguments with which a process is tried in a session."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """Extra demands on the tests of a system, and the checks and processes that random play tries.

    The usual: every action, every kind of event that the system adds, every condition (each flag of a status set, each
    named value of a status field, each id of a lasting effect), and every process.
    """

    more_conditions: tuple[str, ...] = ()
    """Further conditions that must occur."""

    conditions: Callable[[Any], Iterable[str]] | None = None
    """Reads further conditions from a status, in the place of the ids of its lasting effects."""

    exempt: Mapping[str, str] = field(default_factory=dict)
    """Names that need not occur, as ``kind:name``, each with the reason."""

    never_negative: tuple[str, ...] = ()
    """Status fields that are never below zero."""

    arguments: Mapping[str, Arguments] = field(default_factory=dict)
    """Arguments of a process, by its name, where random ones would rarely be right."""

    before: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Processes after which another one can be started, by its name: wounds are bound after a fall."""

    checks: Mapping[str, Arguments] = field(default_factory=dict)
    """Participant and situation of a check, by its id, where random ones would rarely be right."""

    casts: Mapping[str, Callable[[Scenario, int], Scenario]] = field(default_factory=dict)
    """Further casts of a scenario, by name: characters and gear for a number."""


def extent_of(system_id: str) -> Extent:
    """The declared extent of a system, or the usual one."""
    folder = folder_of_tests(system_id)
    if folder is None or not (folder / "extent.py").is_file():
        return Extent()
    declared: Extent = _module(folder / "extent.py").EXTENT
    return declared


def _module(file: Path) -> Any:
    """The module of a file; those of this repository may import each other."""
    if file.parents[1] == TESTS / "systems":
        return import_module(f"systems.{file.parent.name}.extent")
    name = f"extent_at_{file}"
    if name not in sys.modules:
        found = spec_from_file_location(name, file)
        if found is None or found.loader is None:
            raise ImportError(f"{file} cannot be read")
        sys.modules[name] = module_from_spec(found)
        try:
            found.loader.exec_module(sys.modules[name])
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def conditions_of(status: Any, extent: Extent) -> Iterator[str]:
    """Conditions of a status: flags that are set, fields of named values, effects that last."""
    kind: Any = type(status)
    for name in _names(kind):
        value = getattr(status, name)
        if value is True:
            yield name
        elif isinstance(value, (str, Enum)):
            yield f"{name}={value.value if isinstance(value, Enum) else value}"
    if extent.conditions is not None:
        yield from extent.conditions(status)
    else:
        yield from [effect.id for effect in getattr(status, "lasting", ())]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Names of the fields of a status."""
    return tuple([entry.name for entry in fields(kind)])


@cache
def lasting_ids(system_id: str) -> frozenset[str]:
    """Ids of lasting effects that the code of a system writes out: `Effect("winded", ...)`."""
    folder = package_folder(system_id)
    calls = [
        node
        for file in (folder.rglob("*.py") if folder is not None else ())
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Effect" and node.args
    ]
    first = [call.args[0] for call in calls]
    return frozenset([one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)])
