"""What a system's play must show. A system says more in `tests/systems/<id>/extent.py`, or in a file here, as `EXTENT`.

>>> Extent(never_negative=("stamina",)).never_negative
('stamina',)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from conformance.drawing import Below
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
    """Further conditions that a status tells of; those that must occur are named in ``more`` as ``conditions``."""

    shows: Mapping[str, Shows] = field(default_factory=dict)
    """What has occurred, by its kind, where it is not enough that a word turns up in an event; see ``more`` too."""

    casts: Mapping[str, Callable[[Scenario, int], Scenario]] = field(default_factory=dict)
    """Further ways to cast a scenario, by name: with which characters and gear the number given is played."""

    first: tuple[str, ...] = ()
    """The plays to begin with, each as its command has it: few that together show everything, chosen from many."""

    plays: int = 400
    """How many plays `make test` may take until everything has occurred."""


def extent_of(system_id: str) -> Extent:
    """The extent that a system declares; the usual one where it declares none."""
    for name in (f"systems.{system_id}.extent", f"conformance.extents.{system_id}"):
        if _exists(name):
            declared: Extent = import_module(name).EXTENT
            return declared
    return Extent()


def _exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # one of the packages above it is not there
        return False
