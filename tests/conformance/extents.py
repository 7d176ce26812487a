"""What a system's play must show. A system says more as `EXTENT` in the file `extent.py` of its tests (see `places`).

The lines of `plays.txt` beside it are the plays to begin with.

>>> Extent(never_negative=("stamina",)).never_negative
('stamina',)
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, TypeAlias

from conformance.drawing import Below
from conformance.places import TESTS, folder_of_tests, package_folder
from tablewright.game.content import Entry
from tablewright.game.events import Event
from tablewright.game.scenario import Scenario
from tablewright.game.scene import Scene
from tablewright.game.session import Session

Arguments: TypeAlias = Callable[[Session, Below], Mapping[str, Any]]
"""Gives the arguments with which a process is tried in a session."""

Shows: TypeAlias = Callable[[Scene, Event | None], Iterable[str]]
"""Gives what a scene shows after an event, and before the first one."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """What must occur in a system's play before it is played out, where the usual reading is not enough.

    Usually that is: every action, every kind of event that the system adds, every condition (a status field that is
    true or false must become true, a field of named values must have each), every value of every option, every check,
    every process, and of every kind of content that shows in options and events, every entry.
    """

    more: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further words by the kind they belong to, such as ``{"effects": ("blind", "prone")}``; each must occur."""

    carried: tuple[str, ...] = ()
    """Kinds of content whose entries occur when somebody who takes part carries them."""

    exempt: Mapping[str, str] = field(default_factory=dict)
    """What need not occur, as ``kind:id`` (or ``kind:*``), each with the reason."""

    never_negative: tuple[str, ...] = ()
    """The fields of a status that are never below zero."""

    arguments: Mapping[str, Arguments] = field(default_factory=dict)
    """How a process is called, by its name, where arguments drawn at random would rarely be right."""

    checks: Mapping[str, Arguments] = field(default_factory=dict)
    """How a check is made, by its id: `who` makes it and the words of the `situation`, where usual ones fit rarely."""

    conditions: Callable[[Any], Iterable[str]] | None = None
    """Further conditions that a status tells of; those that must occur are named in ``more`` as ``conditions``.

    Where nothing is said, the ids of what is ``lasting`` in a status count, each as soon as the code or a play has it.
    """

    shows: Mapping[str, Shows] = field(default_factory=dict)
    """What has occurred, by its kind, where it is not enough that a word turns up in an event; see ``more`` too."""

    casts: Mapping[str, Callable[[Scenario, int], Scenario]] = field(default_factory=dict)
    """Further ways to cast a scenario, by name: with which characters and gear the number given is played."""

    first: tuple[str, ...] = ()
    """The plays to begin with, each as its command has it: few that together show everything, chosen from many.

    Where none are named here, they are the lines of ``plays.txt`` beside the extent.
    """

    plays: int = 400
    """How many plays `make test` may take until everything has occurred."""


def extent_of(system_id: str) -> Extent:
    """The extent that a system declares; the usual one where it declares none."""
    folder = folder_of_tests(system_id)
    if folder is None:
        return Extent()
    declared: Extent = _module(folder / "extent.py").EXTENT if (folder / "extent.py").is_file() else Extent()
    plays = folder / "plays.txt"
    if declared.first or not plays.is_file():
        return declared
    return replace(declared, first=tuple([line for line in plays.read_text(encoding="utf-8").splitlines() if line]))


def _module(file: Path) -> Any:
    """What a file declares; those of this repository are modules among the tests and may import each other."""
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


def ammunition_of(scene: Scene, kind: type[Entry], weapons: Iterable[str]) -> Iterator[str]:
    """What weapons are loaded with, where they are loaded at all."""
    for weapon in weapons:
        ammunition: str | None = getattr(scene.library.get(kind, weapon), "ammunition")  # noqa: B009 - of many models
        if ammunition is not None:
            yield ammunition


@cache
def lasting_ids(system_id: str) -> frozenset[str]:
    """The ids of what lasts that the code of a system writes out: `Lasting("winded", ...)`."""
    folder = package_folder(system_id)
    calls = [
        node
        for file in (folder.rglob("*.py") if folder is not None else ())
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Lasting" and node.args
    ]
    first = [call.args[0] for call in calls]
    return frozenset([one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)])
