"""Page of all powers, written from the pack and from the tests that show each of them.

    PYTHONPATH=tests python -m systems.stage.power_page

writes it again. A test shows a power if it is marked with its rule and runs over all powers of its type, or names it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from golden.pages import DOCS
from systems.stage.people import library
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.sheet import cost_words

PAGE = DOCS / "systems" / "stage-powers.md"
HEAD = """# The powers of The Stage

Every power of the book's tables (288) and of the gaps (63): its use, its cost, its effect, the rule behind it, and the
test that shows it. `tablewright rules RULE --code` leads to the code. The data is in
`src/tablewright/systems/stage/data/pack/powers.yaml`, the tests in `tests/systems/stage/`.
"""
COLUMNS = "| Power | Of, tier | Use | Cost | What it does | Rule | Shown by |"


class Shown(NamedTuple):
    """A test with the rules it is marked with, and its text."""

    name: str
    rules: frozenset[str]
    text: str


@cache
def tests() -> tuple[Shown, ...]:
    """Every marked test of the system."""
    return tuple([one for file in sorted(Path(__file__).parent.glob("test_*.py")) for one in _of(file)])


def _of(file: Path) -> Iterator[Shown]:
    text = file.read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        rules = [
            argument.value
            for mark in node.decorator_list
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
            for argument in mark.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
        whole = "\n".join([*[ast.unparse(mark) for mark in node.decorator_list], ast.unparse(node)])
        yield Shown(f"{file.stem}::{node.name}", frozenset(rules), whole)


def shown_by(power: Power) -> str:
    """The test that shows a power: one over all of its type first; empty if there is none."""
    marked = [one for one in tests() if power.rule in one.rules]
    for one in marked:
        if f"of_type('{power.type}'" in one.text:
            return one.name
    for one in marked:
        if f"'{power.id}'" in one.text or f"{power.id}'" in one.text or f":{power.id}" in one.text:
            return one.name
    return ""


def written() -> str:
    """The page as it should be."""
    by_skill: dict[str, list[Power]] = {}
    for one in library().of(Power):
        by_skill.setdefault(one.skill.replace("_", " "), []).append(one)
    lines = [HEAD]
    for skill, powers in by_skill.items():
        lines += [f"## {skill.title()}", "", COLUMNS, "|---" * 7 + "|"]
        for one in sorted(powers, key=lambda power: power.tier):
            cells = [one.name, f"{skill.title()} {one.tier}", one.when, cost_words(one), one.does]
            lines.append(f"| {' | '.join([*cells, f'`{one.rule}`', f'`{shown_by(one)}`'])} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
