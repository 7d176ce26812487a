"""Checks from a character and a situation: every modifier by name, the tally and the odds before anything is rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.engine import Call, Parameter, Tally
from tablewright.engine.parameters import bind, read_arguments


@dataclass(frozen=True, slots=True)
class Plan:
    """A check ready to be rolled: the call of the mechanic, and where its numbers come from."""

    call: Call[Any]
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    hide: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """Who makes a check: the character, and the status where a scene is under way."""

    character: Any
    options: Any
    library: Any
    status: Any = None


@dataclass(frozen=True)
class Check:
    """A kind of check people ask for by name (a skill, a save), with the words a situation can be told in.

    ``situation`` are typed parameters: every modifier of the book that can apply is reachable by one of them.
    ``hidden`` names those of them (a difficulty) that the game master may keep secret.
    """

    id: str
    title: str
    situation: tuple[Parameter, ...]
    plan: Callable[..., Plan]
    rules: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def read(self, subject: Subject, given: Mapping[str, object]) -> Plan:
        """The plan for a situation told in text or JSON."""
        values = bind(self.id, self.situation, (), read_arguments(self.id, self.situation, given))
        named = dict(zip([parameter.name for parameter in self.situation], values, strict=True))
        return self.plan(subject, **named)
