"""Rules that a system cites, in declarations, in code, in violations and as causes of events: all are in its ledger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.places import package_folder
from tablewright.errors import TablewrightError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.events import Event
from tablewright.game.session.opening import open_session
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System

NO_RULE = ("ruling", "table")
"""Causes of events that follow no rule: the game master's word, and people who come and go."""

FAR = (-1, 0, 1, 9, 20, 99)
"""Values for the numbers of a character that break some rule."""


def cited(system: System) -> Iterator[tuple[str, str]]:
    """Every rule that a declaration cites, with what cites it."""
    book = system.rulebook
    for mechanic in system.mechanics:
        yield from [(rule, f"the mechanic {mechanic.name}") for rule in mechanic.rules]
    for option in system.options.describe():
        yield option.rule, f"the option {option.name}"
    for action in book.actions:
        yield from [(rule, f"the action {action.id}") for rule in action.rules]
        yield from [(one.rule, f"a requirement of the action {action.id}") for one in action.requires]
    for process in (book.create, book.encounter, *book.processes):
        yield from [(rule, f"the process {process.name}") for rule in process.rules]
    for check in book.checks:
        yield from [(rule, f"the check {check.id}") for rule in check.rules]
    for entry in shipped_library(system).by_id.values():
        if isinstance(rule := getattr(entry, "rule", None), str) and rule.startswith(f"{system.id}."):
            yield rule, f"the entry {entry.id} of a pack"


def named(system: System) -> Iterator[tuple[str, str]]:
    """Every id with at least three parts in the code and data of a system, with its file: all of them name rules."""
    folder = package_folder(system.id)
    assert folder is not None
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("data/**/*.yaml")]):
        found = re.findall(rf"(?<![\w./-]){system.id}(?:\.[a-z0-9_]+){{2,}}(?![\w./-])", path.read_text("utf-8"))
        yield from [(rule, str(path.relative_to(folder))) for rule in dict.fromkeys(found)]


def violated(system: System, scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Every rule that is said to be broken by the people of a scenario, each made wrong in many ways."""
    library = shipped_library(system)
    for one in open_session(scenario, seed=1).scene.participants:
        for character in made_wrong(one.character):
            try:
                found = system.rulebook.legality(character, scenario.options, library).violations
            except TablewrightError:
                continue  # too wrong to be looked at
            yield from [(violation.rule, f'the violation "{violation}"') for violation in found]


def made_wrong(character: Any) -> Iterator[Any]:
    """The character with each of its numbers far out, its names unknown, its things gone, doubled or unheard of."""
    for name, value in character:
        others: list[Any] = []
        if type(value) is int:
            others = [far for far in FAR if far != value]
        elif isinstance(value, tuple):
            others = [(), (*value, *value)] if value else []
        if name == "belongings":
            others.append((*value, ItemStack("no such thing")))
        for other in others:
            try:
                yield character.changed(**{name: other})
            except TablewrightError:
                continue  # no character can be like that


def wrongly_cited(scenario: Scenario) -> list[str]:
    """Citations of rules that the ledger does not have, in one scenario."""
    system = load_system(scenario.system)
    found = dict.fromkeys([*cited(system), *named(system), *violated(system, scenario)])
    mechanics = {mechanic.name for mechanic in system.mechanics}  # sayings name their numbers: "mars.check.roll_value"
    return [
        f"{what} cites {rule}"
        for rule, what in found
        if rule not in system.ledger
        if not (rule.rpartition(".")[0] in mechanics and "narration" in what)
    ]


def wrongly_caused(system: System, log: Iterable[Any]) -> list[str]:
    """The events of a log whose cause is no rule of the ledger."""
    wrong = [
        f'{line.kind} is caused by "{line.cause}"'
        for line in log
        if isinstance(line, Event) and line.cause not in system.ledger and line.cause not in NO_RULE
    ]
    return list(dict.fromkeys(wrong))
