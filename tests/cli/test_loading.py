"""Modules that a command loads: never array, web, database or plotting libraries, and only one system."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from patience import LIMIT
from tablewright.cli import NEW_OBJECTS, main, program

HEAVY = {"numpy", "dask", "sqlalchemy", "fastapi", "uvicorn", "starlette", "matplotlib", "icepool", "dyce", "pydantic"}

PROGRAM = """
import json, sys
opened = []
sys.addaudithook(lambda event, details: opened.append(str(details[0])) if event == "open" else None)
from tablewright.cli.program import run
told = []
for argv in json.loads(sys.argv[1]):
    status = run(argv)
    modules = sorted({name.partition(".")[0] for name in sys.modules})
    systems = sorted({name.split(".")[2] for name in sys.modules if name.startswith("tablewright.systems.")})
    ledgers = [path for path in opened if "ledger" in path and not path.endswith((".py", ".pyc"))]
    told.append([status, modules, systems, ledgers])
print(json.dumps(told), file=sys.stderr)
"""

DICE = ("odds", "4d6kh3", "--json")
OF_ONE_SYSTEM = (
    ("odds", "renaissance.opposed", "a=60", "b=65", "--json"),
    ("odds", "renaissance.opposed", "a=60", "b=65"),
    ("advise", "renaissance.lucky_check", "target=50", "luck=3"),
    ("roll", "renaissance.opposed", "a=60", "b=65"),
)
OTHERS = (("rules", "critical"), ("rules",), ("mechanics",), (), ("--help",))


class Loaded(NamedTuple):
    """Modules, systems and ledger files that have been loaded when a command is done."""

    status: int
    modules: list[str]
    systems: list[str]
    ledgers: list[str]


@pytest.fixture(scope="module")
def loaded() -> dict[tuple[str, ...], Loaded]:
    """Everything that is loaded after each of several commands, which run in one process, the lightest first."""
    commands = [DICE, *OF_ONE_SYSTEM, *OTHERS]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
        encoding="utf-8",
    )
    told = [Loaded(*one) for one in json.loads(done.stderr)]
    assert {one.status for one in told} == {0}
    return dict(zip(commands, told, strict=True))


def test_odds_advice_and_rolls_read_one_ledger_and_load_one_system(loaded: dict[tuple[str, ...], Loaded]) -> None:
    for argv in OF_ONE_SYSTEM:
        after = loaded[argv]
        assert after.systems == ["renaissance"]
        assert all("renaissance" in path for path in after.ledgers)  # the compiled form, for the options
    as_json, drawn, *_ = OF_ONE_SYSTEM
    assert [("rich" in loaded[argv].modules) for argv in (as_json, drawn)] == [False, True]


def test_dice_load_no_system(loaded: dict[tuple[str, ...], Loaded]) -> None:
    assert loaded[DICE].systems == []
    assert loaded[DICE].ledgers == []


def test_nothing_heavy_is_ever_loaded(loaded: dict[tuple[str, ...], Loaded]) -> None:
    for argv, after in loaded.items():
        assert not set(after.modules) & (HEAVY | {"yaml"}), argv


def test_importing_the_package_loads_nothing_of_it() -> None:
    program = "import sys, tablewright; print(*[n for n in sys.modules if n.startswith('tablewright.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_command_rarely_looks_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded objects stay; garbage is collected as usual after a command has loaded."""
    usual = gc.get_threshold()
    seen: list[int] = []

    def run(_words: Sequence[str]) -> int:
        seen.append(gc.get_threshold()[0])
        return 0

    monkeypatch.setattr(program, "run", run)
    assert main() == 0
    assert seen[0] >= NEW_OBJECTS > 0
    assert gc.get_threshold() == usual
