"""Optional parts: the base install works without them, and a missing one names the command that installs it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import tablewright
from patience import LIMIT
from tablewright.extras import EXTRAS, MissingExtraError, needs_extra

ROOT = Path(__file__).parents[1]
BASE = {"lark", "pydantic", "pydantic_core", "yaml", "rich", "typer", "click", "typing_extensions"}
OPTIONAL = {package for _, packages in EXTRAS.values() for package in packages}
IMPORTED = re.compile(r"^ *(?:import|from) +(\w+)", re.MULTILINE)

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
sys.argv = ["tablewright", *{words!r}]
from tablewright.cli import main
raise SystemExit(main())
"""


def run_without(extra: str, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program where the packages of an extra cannot be imported; "" stands for all extras."""
    missing = set(EXTRAS[extra][1]) if extra else OPTIONAL
    script = WITHOUT.format(missing=missing, words=words)
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def test_every_extra_of_the_package_is_known() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {*EXTRAS, "agents", "all"} == set(told["project"]["optional-dependencies"])


def test_the_sources_import_nothing_that_is_not_declared() -> None:
    imported: set[str] = set()
    here = {*sys.stdlib_module_names, "tablewright"}
    for path in (ROOT / "src" / "tablewright").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if {*IMPORTED.findall(source)} <= here:  # the others are read again, since lines of prose may look like imports
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                imported |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    assert imported - here <= BASE | OPTIONAL
    assert imported >= OPTIONAL - {"dask", "websockets"}, "an extra that nothing uses"


def test_a_module_that_no_extra_has_is_not_blamed_on_one() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"), needs_extra("server"):
        raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")
    with pytest.raises(MissingExtraError), needs_extra("server"):
        raise ModuleNotFoundError("No module named 'sqlalchemy.orm'", name="sqlalchemy.orm")


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("server", ["serve"]),
        ("server", ["link"]),
        ("server", ["verify", "tables.db"]),
        ("server", ["backup", "copy.db"]),
        ("postgres", ["verify", "postgresql://127.0.0.1:1/tables"]),
        ("plot", ["odds", "2d6", "--output", "odds.png"]),
        ("cluster", ["simulate", "mars:even", "--cluster", "tcp://127.0.0.1:1"]),
        ("mcp", ["mcp"]),
    ],
)
def test_a_command_names_the_extra_that_it_needs(extra: str, words: list[str], tmp_path: Path) -> None:
    done = run_without(extra, words, tmp_path)
    assert done.returncode == 2
    assert done.stderr == f'error: {EXTRAS[extra][0]} is not installed; run: pip install "tablewright[{extra}]"\n'


def test_a_picture_from_python_names_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"] or ["matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r'run: pip install "tablewright\[plot\]"'):
        tablewright.odds("2d6").save_plot(str(tmp_path / "odds.png"))


@pytest.mark.parametrize("connect", [tablewright.connect, tablewright.connect_async])
def test_a_live_table_names_its_extra_before_the_link_is_used_up(
    connect: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(MissingExtraError, match=r'run: pip install "tablewright\[live\]"'):
        connect("http://127.0.0.1:1/#token")


@pytest.mark.parametrize("words", [["odds", "4d6kh3"], ["sheet", "--help"], ["rules", "mars.check.outcomes"]])
def test_the_base_install_is_enough_for_the_rest(words: list[str], tmp_path: Path) -> None:
    done = run_without("", words, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("code", "unloaded"),
    [
        ("import tablewright.table", "sqlalchemy alembic psycopg fastapi"),
        ("from tablewright.table import open_store; open_store('t.db').close()", "psycopg fastapi"),
        ("import tablewright.lab.odds.charts", "matplotlib"),
    ],
)
def test_optional_packages_are_loaded_when_they_are_used(code: str, unloaded: str, tmp_path: Path) -> None:
    script = f"import sys\n{code}\nprint(*sorted(set({unloaded.split()!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
