"""Modules that a command loads: never array, web, database or plotting libraries, and only one system."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Sequence

import pytest

from patience import LIMIT
from tablewright.cli import NEW_OBJECTS, main, program

HEAVY = {"numpy", "dask", "sqlalchemy", "fastapi", "uvicorn", "starlette", "matplotlib", "icepool", "dyce", "pydantic"}

PROGRAM = """
import sys
opened = []
sys.addaudithook(lambda event, details: opened.append(str(details[0])) if event == "open" else None)
from tablewright.cli.program import run
status = run(sys.argv[1:])
print(status, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
print(*sorted(name for name in sys.modules if name.startswith("tablewright.systems.")), file=sys.stderr)
print(*[path for path in opened if "ledger" in path and not path.endswith((".py", ".pyc"))], file=sys.stderr)
"""


def loaded(*argv: str) -> tuple[set[str], set[str], list[str]]:
    """The modules, the systems and the ledger files that a command loads."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *argv],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
        encoding="utf-8",
    )
    first, systems, ledgers = done.stderr.split("\n")[:3]
    status, *modules = first.split()
    assert status == "0", done.stderr
    return set(modules), {name.split(".")[2] for name in systems.split()}, ledgers.split()


@pytest.mark.parametrize(
    "argv",
    [
        ("odds", "renaissance.opposed", "a=60", "b=65"),
        ("odds", "renaissance.opposed", "a=60", "b=65", "--json"),
        ("advise", "renaissance.lucky_check", "target=50", "luck=3"),
    ],
)
def test_odds_and_advice_read_one_ledger_and_load_one_system(argv: tuple[str, ...]) -> None:
    modules, systems, ledgers = loaded(*argv)
    assert not modules & (HEAVY | {"yaml"})
    assert systems == {"renaissance"}
    assert all("renaissance" in path for path in ledgers)  # the compiled form, for the options
    assert ("rich" in modules) == ("--json" not in argv)


def test_dice_load_no_system() -> None:
    modules, systems, ledgers = loaded("odds", "4d6kh3", "--json")
    assert not modules & (HEAVY | {"yaml"})
    assert systems == set()
    assert ledgers == []


def test_a_roll_reads_one_ledger() -> None:
    modules, systems, ledgers = loaded("roll", "renaissance.opposed", "a=60", "b=65")
    assert not modules & (HEAVY | {"yaml"})
    assert systems == {"renaissance"}
    assert all("renaissance" in path for path in ledgers)


@pytest.mark.parametrize("argv", [("rules", "critical"), ("rules",), ("mechanics",), (), ("--help",)])
def test_nothing_heavy_is_ever_loaded(argv: tuple[str, ...]) -> None:
    modules, _, _ = loaded(*argv)
    assert not modules & (HEAVY | {"yaml"})


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
