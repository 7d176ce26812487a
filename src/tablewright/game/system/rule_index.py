"""Index from a rule id to the code that implements it, with file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from typing import Any, NamedTuple

from tablewright.game.system.system import System

_ROOT = Path(__file__).parents[2]


class Usage(NamedTuple):
    """A use of a rule: kind, public name and code location (empty if unknown)."""

    kind: str
    name: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def usages_of(system: System, rule: str, *, everywhere: bool = False) -> tuple[Usage, ...]:
    """All uses of a rule: mechanics and rule options and, with ``everywhere``, the declarations of the rulebook."""
    found = [
        Usage("mechanic", mechanic.name, _line(mechanic.function))
        for mechanic in system.mechanics
        if rule in mechanic.rules
    ]
    found += [Usage("option", option.name) for option in system.options.describe() if option.rule == rule]
    if everywhere and system.rulebook_module is not None:
        found += _in_the_book(system, rule)
    return tuple(dict.fromkeys(found))


def _in_the_book(system: System, rule: str) -> Iterator[Usage]:
    book = system.rulebook
    for process in (book.create, book.encounter, *book.processes):
        if rule in process.rules:
            yield Usage("process", process.name, _line(process.function))
    for check in book.checks:
        if rule in check.rules:
            yield Usage("check", check.id, _line(check.plan))
    for action in book.actions:
        if rule in action.rules:
            yield Usage("action", action.id, _line(action.perform))
        for requirement in action.requires:
            if requirement.rule == rule:
                yield Usage("requirement of", action.id, _line(requirement.refuse))


def _line(function: Callable[..., Any]) -> str:
    """File and line of a function, relative to the program's folder if inside it; empty if it has no code."""
    code = getattr(unwrap(function), "__code__", None)
    if code is None:
        return ""
    path = Path(code.co_filename)
    shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name
    return f"{shown}:{code.co_firstlineno}"
