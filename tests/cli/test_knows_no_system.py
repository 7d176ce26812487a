"""The command line knows no system: whatever it shows of one comes from the registry."""

from __future__ import annotations

import ast
from pathlib import Path

import tablewright.cli
from tablewright.game.rules.entry_points import system_ids

MODULES = sorted(Path(tablewright.cli.__file__).parent.glob("**/*.py"))


def test_no_module_holds_the_id_of_a_system_or_imports_one() -> None:
    assert len(MODULES) > 10
    ids = set(system_ids())
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in ids, f"{path}:{node.lineno}"
                assert node.value.partition(".")[0] not in ids, f"{path}:{node.lineno}"
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("tablewright.systems"), f"{path}:{node.lineno}"
