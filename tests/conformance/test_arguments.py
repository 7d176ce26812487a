"""Arguments of mechanics: few parameters, and no call that is put together by position outside the engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system

SOURCES = Path(__file__).parents[2] / "src" / "tablewright"
MOST = 8
POSITIONAL = re.compile(r"(?<![\w.])Call\((?!\))")
"""A call made from a mechanic and a tuple, past all checks."""

GENERIC = ("api/rolls.py", "lab/odds/unknowns.py")
"""Modules that wrap dice or a rule that no one declared."""


@pytest.mark.parametrize("system", system_ids())
def test_no_mechanic_takes_more_than_eight_parameters(system: str) -> None:
    wide = {one.name: len(one.signature.declared) for one in load_system(system).mechanics}
    assert [name for name, count in wide.items() if count > MOST] == []


def test_calls_are_made_by_calling_a_mechanic() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{number}"
        for path in sorted(SOURCES.rglob("*.py"))
        if "engine" not in path.relative_to(SOURCES).parts and str(path.relative_to(SOURCES)) not in GENERIC
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if POSITIONAL.search(line)
    ]
    assert found == []
