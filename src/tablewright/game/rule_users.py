"""Where a rule of a ledger is at work: what carries its id, and in which line of which file it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from typing import Any, NamedTuple

import tablewright
from tablewright.game.system import System

_ROOT = Path(tablewright.__file__).parent


class User(NamedTuple):
    """Something that follows a rule: what it is, its public name, and where its code is."""

    kind: str
    name: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def users_of(system: System, rule: str, *, everywhere: bool = False) -> tuple[User, ...]:
    """What follows a rule: mechanics and options, and ``everywhere`` what the heavy half of the system declares too."""
    found = [
        User("mechanic", mechanic.name, _line(mechanic.function))
        for mechanic in system.mechanics
        if rule in mechanic.rules
    ]
    found += [User("option", option.name) for option in system.options.describe() if option.rule == rule]
    if everywhere and system.rulebook is not None:
        found += _in_the_book(system, rule)
    return tuple(dict.fromkeys(found))


def _in_the_book(system: System, rule: str) -> Iterator[User]:
    book = system.book
    for process in (book.create, book.encounter, *book.processes):
        if rule in process.rules:
            yield User("process", process.name, _line(process.function))
    for check in book.checks:
        if rule in check.rules:
            yield User("check", check.id, _line(check.plan))
    for action in book.actions:
        if rule in action.rules:
            yield User("action", action.id, _line(action.perform))
        for requirement in action.requires:
            if requirement.rule == rule:
                yield User("requirement of", action.id, _line(requirement.holds))


def _line(function: Callable[..., Any]) -> str:
    """The file and line of a function, from the program's folder where it is in it."""
    code = getattr(unwrap(function), "__code__", None)
    if code is None:
        return ""
    path = Path(code.co_filename)
    shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name
    return f"{shown}:{code.co_firstlineno}"
