"""The programs of docs/programs.md run, print what stands below them, and are typed."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from forked import Forked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "programs.md"
WRITES = os.environ.get("TABLEWRIGHT_WRITE_PAGES") == "1"
_PROGRAM = re.compile(r"```python\n(?P<code>.*?)```\n```text\n(?P<printed>.*?)```\n", re.DOTALL)
_FILE = re.compile(r"in `(?P<name>[\w.]+)`:\n\n```yaml\n(?P<text>.*?)```\n", re.DOTALL)


class Program(NamedTuple):
    """A program of the page and the text below it."""

    code: str
    printed: str


PROGRAMS = [Program(*found.groups()) for found in _PROGRAM.finditer(PAGE.read_text(encoding="utf-8"))]


def files_beside(folder: Path) -> None:
    for found in _FILE.finditer(PAGE.read_text(encoding="utf-8")):
        (folder / found["name"]).write_text(found["text"], encoding="utf-8")


def printed_by(script: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a program here; one that starts worker processes runs in a process of its own."""
    if re.search(r"tw\.(simulate|what_if|balance)\(", code):
        env = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
        names = [script.with_suffix(f".{name}") for name in ("typed", "printed", "problems")]
        with ExitStack() as stack:
            files = [stack.enter_context(name.open("w+")).fileno() for name in names]
            Forked([str(script)], streams=tuple(files), env=env, folder=script.parent, calls="forked:script").wait()
        _, printed, problems = [name.read_text(encoding="utf-8") for name in names]
        assert problems == ""
        return printed
    monkeypatch.chdir(script.parent)
    with redirect_stdout(StringIO()) as out:
        runpy.run_path(str(script), run_name="__main__")
    return out.getvalue()


def test_the_page_has_all_programs() -> None:
    assert len(PROGRAMS) == 13
    assert PAGE.read_text(encoding="utf-8").count("```python") == 13


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_prints_what_stands_below_it(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files_beside(tmp_path)
    script = tmp_path / "program.py"
    script.write_text(program.code, encoding="utf-8")
    printed = printed_by(script, program.code, monkeypatch)
    if WRITES:
        text = PAGE.read_text(encoding="utf-8")
        old = f"```python\n{program.code}```\n```text\n{program.printed}```"
        PAGE.write_text(text.replace(old, f"```python\n{program.code}```\n```text\n{printed}```"), encoding="utf-8")
    else:
        assert printed == program.printed


REVEALED = {
    'tw.odds("4d6")': "Odds[int]",
    'tw.odds("mars.check", "r16", 14)': "Odds[Any]",
    'tw.odds(tw.mars.check("r16", 14))': "Odds[Degree]",
    'tw.odds(tw.mars.check, "r16", 14)': "Odds[Degree]",
    'tw.odds("4d6") >= 15': '"Chance"',
    'tw.roll("4d6")': "Played[int]",
    'tw.simulate("mars:even")': '"Simulation"',
    'tw.mars.check("r16", [14])': "Argument 2",
    'tw.mars.check("r16", 14, advantge=1)': "Unexpected keyword argument",
    'tw.simulate("mars:even", rnds=3)': "Unexpected keyword argument",
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Lines of the type checker about all programs and what is revealed, read with the cache of `make check`."""
    folder = tmp_path_factory.mktemp("typed")
    for number, program in enumerate(PROGRAMS):
        (folder / f"program_{number}.py").write_text(program.code, encoding="utf-8")
    code = "import tablewright as tw\n" + "".join([f"reveal_type({expression})\n" for expression in REVEALED])
    (folder / "revealed.py").write_text(code, encoding="utf-8")
    files = sorted(folder.glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *map(str, files)]
    environment = os.environ | {"MYPYPATH": str(folder)}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return [line.rpartition(f"{folder.name}/")[2] for line in run.stdout.splitlines()]


def test_all_programs_are_typed(checked: list[str]) -> None:
    assert [line for line in checked if line.startswith("program_")] == []
    assert checked[-1].endswith(f"errors in 1 file (checked {len(PROGRAMS) + 1} source files)")


def test_a_type_checker_sees_the_surface_as_it_is(checked: list[str]) -> None:
    for place, (expression, expected) in enumerate(REVEALED.items(), start=2):
        about = [line for line in checked if line.startswith(f"revealed.py:{place}:")]
        assert any(expected in re.sub(r"\b(?:[a-z_]\w*\.)+", "", line) for line in about), (expression, about)
