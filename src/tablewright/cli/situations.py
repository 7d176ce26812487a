"""Checks as people read them: where the numbers of one come from, and every word a situation can be told in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from tablewright.cli.numbers import shown
from tablewright.cli.paper import HEAD, QUIET, definitions, heading, indented, paper

if TYPE_CHECKING:
    from tablewright.engine import Parameter
    from tablewright.game.checks import Check, Plan


def draw_plan(name: str, check: Check, plan: Plan) -> None:
    """Whose check it is, and every tally part by part."""
    console = paper()
    console.print(heading(f"{name}: {check.title}", " ".join([f"[{rule}]" for rule in check.rules])))
    for label, tally in plan.tallies.items():
        console.print(Text().append(f"{label} ").append(str(tally.total), style=HEAD))
        for line in tally.explain().splitlines()[:-1]:
            console.print(indented(line, style=QUIET))
    console.print()


def draw_checks(checks: Sequence[Check]) -> None:
    """Every check; those that are told in the same words stand together, with the words below them."""
    console = paper()
    groups: dict[tuple[Parameter, ...], list[Check]] = {}
    for check in checks:
        groups.setdefault(check.situation, []).append(check)
    for place, (words, members) in enumerate(groups.items()):
        if place:
            console.print()
        names = [check.id if check.title == check.id else f"{check.id} ({check.title})" for check in members]
        console.print(Text(", ".join(names), style=HEAD))
        definitions(console, [(word.name, describe(word)) for word in words])
    if not checks:
        console.print(Text("no checks yet", style=QUIET))


def describe(word: Parameter) -> str:
    """What a parameter means, what is allowed, and what it is if nothing is said."""
    allowed = word.kind.allowed()
    about = f"{word.about}: {allowed}" if word.about else allowed
    if word.required:
        return about
    return f"{about} (default {'empty' if word.default == () else shown(word.default)})"
