"""Demands on a finished system besides its promises; each returns the missing parts, empty when it is met."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from conformance.citing import cited
from conformance.places import ROOT, folders_of_tests, package_folder
from tablewright.game.narration.voices import sayings_of
from tablewright.game.rules.ledger import Ledger
from tablewright.game.rules.options import RuleOption
from tablewright.game.scenario.loader import scenario_names
from tablewright.game.scene.events import Event
from tablewright.game.system.load_errors import is_ours
from tablewright.game.system.option_impact import typical_odds, typical_values
from tablewright.game.system.system import System

MARK = "pytest.mark.rule"
SCENARIOS = ("easy", "even", "hard", "together")


def marked_rules(folder: Path) -> Iterator[tuple[str, str]]:
    """Every rule id in a `pytest.mark.rule(...)` anywhere below the folder, with where it stands."""
    for path in sorted(folder.rglob("*.py")):
        for rule, line in _marks_in(path, path.stat().st_mtime_ns):
            yield rule, f"{path.relative_to(folder)}:{line}"


@cache
def _marks_in(path: Path, _changed: int) -> tuple[tuple[str, int], ...]:
    """Rule ids and their lines in a file as it was when it was changed."""
    text = path.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text, str(path))) if MARK in text else ()
    calls = [node for node in nodes if isinstance(node, ast.Call) and _is_mark(node.func)]
    return tuple(
        [
            (argument.value, call.lineno)
            for call in calls
            for argument in call.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
    )


def _is_mark(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "rule" and ast.unparse(function) == MARK


def all_marked_rules() -> dict[str, str]:
    """Every rule that some test is marked with, here or with a third party's system, and one place where it is."""
    return {rule: place for folder in folders_of_tests() for rule, place in marked_rules(folder)}


def untested(ledger: Ledger, marked: set[str]) -> list[str]:
    """The rules of a ledger that no test is marked with; guidance needs none."""
    return [rule.id for rule in ledger.values() if rule.kind != "guidance" and rule.id not in marked]


def unmarked(system: System) -> list[str]:
    """The rules of a system that no test is marked with, and marks of rules that its ledger does not have."""
    marked = all_marked_rules()
    wrong = [rule for rule in marked if rule.startswith(f"{system.id}.") and rule not in system.ledger]
    lacking = [f"no test is marked with {rule}" for rule in untested(system.ledger, set(marked))]
    return [*lacking, *[f"{marked[rule]} is marked with {rule}, which the ledger does not have" for rule in wrong]]


def unnamed(system: System) -> list[str]:
    """The rules whose id stands neither in code nor in data, and that no declaration and no entry of a pack cites."""
    folder = package_folder(system.id)
    assert folder is not None
    files = [path for pattern in ("*.py", "data/**/*.yaml") for path in folder.rglob(pattern)]
    text = "\n".join([path.read_text(encoding="utf-8") for path in files])
    named = set(re.findall(rf"\b{system.id}(?:\.[a-z0-9_]+)+", text))
    named |= {rule for rule, _ in cited(system)}
    return [rule.id for rule in system.ledger.rules if rule.kind != "guidance" and rule.id not in named]


def scenarios_lacking(system: System) -> list[str]:
    """The demo scenarios that every system has and this one has not."""
    return [f"data/demo/{name}.yaml" for name in SCENARIOS if name not in scenario_names(system.id)]


def unshown(system: System, option: RuleOption) -> list[str]:
    """Missing parts for showing the effect of an option: a typical check whose odds some value changes."""
    values = typical_odds(system, option)
    if not values:
        takers = [each.name for each in system.mechanics if option.attribute in {one.name for one in each.params}]
        return [f"{option.name} has no typical=, though {name} takes it" for name in takers]
    if [one.value for one in values] != list(typical_values(option)) or values[0].expected is None:
        return [f"{option.name}: its typical check cannot be made with every value"]
    return [] if len({one.expected for one in values}) > 1 else [f"{option.name} changes nothing of its typical check"]


def unsaid(system: System) -> list[str]:
    """The kinds of events that have no words of their own, which a log would tell field by field, and idle sayings."""
    kinds, said = system.rulebook.apply.kinds, sayings_of(system.id).events
    return [
        name for name, kind in kinds.items() if name not in said and not kind.template and kind.narrate is Event.narrate
    ] + [f"a saying of {name}, which never happens" for name in said if name not in kinds]


def options_unshown(system: System) -> list[str]:
    """Missing parts for showing the effects of a system's options."""
    return [problem for option in system.options.describe() for problem in unshown(system, option)]


def undeclared(system: System) -> list[str]:
    """Missing or wrong declarations of mechanics: rules, result, parameters, defaults of options."""
    usual = {option.attribute: option.default for option in system.options.describe()}
    return [
        f"{mechanic.name}: {problem}"
        for mechanic in system.mechanics
        for problem in (
            *[f"the ledger has no {rule}" for rule in mechanic.rules if rule not in system.ledger],
            *([] if mechanic.rules else ["it names no rule"]),
            *([] if mechanic.schema()["result"] else ["its result has no schema"]),
            *[f"{one.name} is not explained" for one in mechanic.params if not one.about],
            *[
                f"{one.name} is {one.default!r}, but the option's usual value is {usual[one.name]!r}"
                for one in mechanic.params
                if one.name in usual and not one.required and one.default != usual[one.name]
            ],
        )
    ]


def unmeasured(system: System) -> list[str]:
    """A system of this repository has rows in the bench; a third party's need none."""
    rows = ROOT / "bench" / f"{system.id}_rows.py"
    return [] if not is_ours(system.package) or rows.is_file() else [f"bench/{rows.name} is not there"]
