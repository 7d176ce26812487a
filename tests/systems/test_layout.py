"""Layout of the systems: the files of docs/system-layout.md and no others, without import cycles."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import grimp
import pytest

import tablewright

SYSTEMS = Path(tablewright.__file__).parent / "systems"
IDS = ("marchen", "mars", "opend6", "renaissance", "stage")
PAGE = Path(tablewright.__file__).parents[2] / "docs" / "system-layout.md"
FEWEST_COMMON = 34


def files_of(system_id: str) -> set[str]:
    """Modules of a system as paths without suffix; a package stands for itself."""
    folder = SYSTEMS / system_id
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    return {str(path.parent) if path.name == "__init__" and path.parts[:-1] else str(path) for path in paths}


@cache
def rows() -> dict[str, list[str]]:
    """Rows of the page's tables: first cell, and every name in backticks of the others."""
    cells = [line.split("|")[1:-1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {first.strip().strip("`"): re.findall(r"`([^`]+)`", second) for first, second in cells}


def allows(name: str, system_id: str) -> bool:
    shared = [row for row in rows() if row not in IDS]
    return any(
        name == row or row.startswith(f"{name}/") or (row.endswith("/") and f"{name}/".startswith(row))
        for row in (*shared, *rows()[system_id])
    )


@pytest.mark.parametrize("system_id", IDS)
def test_every_file_is_on_the_page(system_id: str) -> None:
    assert sorted([name for name in files_of(system_id) if not allows(name, system_id)]) == []


@pytest.mark.parametrize("system_id", IDS)
def test_every_chapter_of_the_page_is_there(system_id: str) -> None:
    assert {name.rstrip("/") for name in rows()[system_id]} <= files_of(system_id)


def test_most_files_are_common_to_all() -> None:
    common = set.intersection(*[files_of(system_id) for system_id in IDS])
    assert len(common) >= FEWEST_COMMON, sorted(common)


@pytest.mark.parametrize("system_id", IDS)
def test_no_module_imports_itself_by_way_of_another(system_id: str) -> None:
    graph = _graph()
    package = f"tablewright.systems.{system_id}"
    below: dict[str, set[str]] = {
        module: {name for name in graph.find_modules_directly_imported_by(module) if name.startswith(f"{package}.")}
        for module in graph.modules
        if module.startswith(f"{package}.")
    }
    for module, imported in below.items():  # actions about other actions look them up in the index when they run
        if not module.endswith((".book", ".encounter", ".bots", ".prospects")):
            imported -= {f"{package}.actions.index", f"{package}.bots", f"{package}.prospects"}
    while leaves := [module for module, imported in below.items() if not imported & below.keys()]:
        for module in leaves:
            del below[module]
    assert sorted(below) == []


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("tablewright")
