"""Reports and refusals as a person at a terminal reads them: typed as they should read, matched by the program."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from tablewright.cli.program import run

FILE = Path(__file__).parent / "reports.txt"
HERO = ["new", "mars", "--template", "fighter", "--name", "Aldith", "-o", "hero.yaml"]
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Report(NamedTuple):
    """A command, the lines typed into it, and the wanted lines."""

    title: str
    command: list[str]
    typed: list[str]
    wanted: list[str]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Always."""
        return True


def read_reports() -> list[Report]:
    """The reports of the file."""
    found: list[Report] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        mark, rest = line[:2], line[2:].lstrip() if line[:3] == "== " else line[2:]
        if mark == "==":
            found.append(Report(rest, [], [], []))
        elif mark == "$ ":
            found[-1].command.extend(rest.split())
        elif mark == "< ":
            found[-1].typed.append(rest)
        elif mark.startswith(">"):
            found[-1].wanted.append(rest)
    return found


def plain(line: str) -> str:
    """A line with its numbers, and the spaces between its words, made equal."""
    return " ".join(_NUMBER.sub("#", line.removeprefix("> ")).split())


def reads_as(lines: list[str], wanted: list[str]) -> bool:
    """Whether lines are as wanted, where an ellipsis stands for words that depend on the dice."""
    patterns = [re.escape(line).replace("…", ".+") for line in wanted]
    return len(lines) == len(patterns) and all(map(re.fullmatch, patterns, lines))


def told(report: Report, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines of a command's output, without what was typed."""
    out = Terminal()
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        run(HERO)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join([f"{line}\n" for line in report.typed])))
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(out):
        run(report.command)
    typed = {f"> {line}" for line in report.typed}
    text = [line for stream in (printed, out) for line in stream.getvalue().splitlines() if line not in typed]
    return [plain(line) for line in text]


@pytest.fixture(scope="module")
def told_by() -> dict[tuple[str, ...], list[str]]:
    """Output by command and typed lines: several reports look at the same one."""
    return {}


@pytest.mark.parametrize("report", read_reports(), ids=lambda one: one.title)
def test_it_reads_as_it_should(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told_by: dict[tuple[str, ...], list[str]]
) -> None:
    asked = (*report.command, "<", *report.typed)
    if asked not in told_by:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setenv("NO_COLOR", "1")
        told_by[asked] = told(report, monkeypatch)
    lines = told_by[asked]
    wanted = [plain(line) for line in report.wanted]
    assert wanted
    found = any(reads_as(lines[at : at + len(wanted)], wanted) for at in range(len(lines)))
    assert found, "\n".join([*wanted, "---", *lines])
