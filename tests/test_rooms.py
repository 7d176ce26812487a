"""Rooms keep to themselves: what knows no system names none, and no file is too long to be read in one sitting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablewright
from each_case import each_case
from tablewright.game.rules.entry_points import system_ids

SOURCES = Path(tablewright.__file__).parent
ROOMS = [
    room for room in ("dice", "engine", "game", "api", "cli", "lab", "table", "server") if (SOURCES / room).is_dir()
]
MOST_LINES = 600


def leaks(source: str, ids: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Lines of a module that import a system or hold its id as a string."""
    tree = ast.parse(source)
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            full = [node.module or "", *[f"{node.module}.{name.name}" for name in node.names]]
            yield from [(node.lineno, name) for name in full if _of_a_system(name)]
        elif isinstance(node, ast.Import):
            yield from [(node.lineno, name.name) for name in node.names if _of_a_system(name.name)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            named = node.value.replace(":", ".").replace("/", ".").split(".")[0]
            if named in ids or _of_a_system(node.value):
                yield node.lineno, node.value


def _of_a_system(name: str) -> bool:
    return name == "tablewright.systems" or name.startswith("tablewright.systems.")


def modules(room: str) -> list[Path]:
    return sorted((SOURCES / room).rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_knows_a_system(room: str) -> None:
    ids = frozenset(system_ids())
    assert len(ids) >= 6
    assert modules(room)
    found = [
        f"{path.relative_to(SOURCES)}:{line}: {what}"
        for path in modules(room)
        for line, what in leaks(path.read_text(encoding="utf-8"), ids)
    ]
    # the group of entry points is called like the package; it names no system
    allowed = [
        line
        for line in found
        if line.startswith("game/rules/entry_points.py:") and line.endswith(": tablewright.systems")
    ]
    assert [line for line in found if line not in allowed] == []
    assert len(allowed) <= 1


@each_case(
    "source",
    [
        "import tablewright.systems.demo",
        "from tablewright.systems import demo",
        "from tablewright.systems.demo import check",
        "from tablewright import systems",
        "name = 'demo'",
        "name = 'demo.check'",
        "name = 'demo:even'",
        "names = {'a': ['demo']}",
        "def f(name='demo'): ...",
        "match x:\n    case 'demo': pass",
        "path = 'tablewright.systems.demo'",
    ],
)
def test_a_leak_is_found(source: str) -> None:
    assert list(leaks(source, frozenset({"demo"})))


@pytest.mark.parametrize(
    "source",
    [
        '"""Such as demo."""',
        'def f():\n    """\n    >>> odds("demo.check")\n    """',
        "name = 'democracy'",
        "name = 'a demo'",
        "import tablewright.systematic",
        "demo = 1",
    ],
)
def test_harmless_views_are_left_alone(source: str) -> None:
    assert not list(leaks(source, frozenset({"demo"})))


def test_no_file_is_longer_than_one_sitting() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES.rglob("*.py")}
    assert len(lengths) > 50
    assert {str(path): length for path, length in lengths.items() if length > MOST_LINES} == {}
