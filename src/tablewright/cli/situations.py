"""Checks as people read them: where the numbers of one come from, and every word a situation can be told in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from tablewright.cli.paper import HEAD, QUIET, definitions, heading, indented, paper
from tablewright.engine.parameters import OrNothing, Several
from tablewright.engine.parameters import Text as Words
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.engine import Parameter
    from tablewright.game.checks import Check, Plan


def draw_plan(name: str, check: Check, plan: Plan) -> None:
    """Whose check it is, and every tally part by part."""
    console = paper()
    console.print(heading(f"{name}: {check.title}", " ".join([f"[{rule}]" for rule in check.rules])))
    for label, tally in plan.tallies.items():
        console.print(Text().append(f"{label} ").append(tally.reads or str(tally.total), style=HEAD))
        for line in tally.explain().splitlines()[:-1]:
            console.print(indented(line, style=QUIET))
    if plan.hint:
        console.print(Text(plan.hint, style=QUIET))
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
    kind = word.kind.some if isinstance(word.kind, OrNothing) else word.kind
    allowed = "" if isinstance(kind, Words) and word.about else word.kind.allowed()
    if isinstance(kind, Several) and isinstance(kind.each, Words):
        allowed = "a list with commas"
    about = ": ".join([part for part in (word.about, allowed) if part])
    if word.required:
        return about
    usual = {(): "empty", "": "empty", None: "none"}.get(word.default) if _is_plain(word.default) else None
    return f"{about} (default {usual or shown(word.default)})"


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | tuple)
