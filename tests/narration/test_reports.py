"""Reports and refusals as a person at a terminal reads them: typed as they should read, matched by the program."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from tablewright.cli.arguments.jobs import progress_teller
from tablewright.cli.output.progress import bar
from tablewright.cli.program import run
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.simulation import Progress
from tablewright.lab.fights.totals import FightTotals

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
    """True if lines are as wanted; an ellipsis stands for words that depend on the dice."""
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


def drawn(what: str, *steps: tuple[int, int, float, str]) -> list[str]:
    """The texts beside a bar after each step, without the bar and the clock."""
    stream = Terminal()
    with redirect_stderr(stream), bar(what) as tell:
        assert tell is not None
        for step in steps:
            tell(*step)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).replace("\r", "\n")
    return [re.sub(r"[━╸╺ ]{2,}", " ", line).rpartition(" ")[0].strip() for line in text.splitlines() if line.strip()]


def test_146_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample 146: how much is done, how long it still takes, and who wins so far."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    shown: list[str] = []
    job = job_of(load_scenario("mars:even"), runs=1_000)
    progress = Progress(job, FightTotals(60, won={"party": 29, "raiders": 31}), 2.5)
    teller = progress_teller(lambda done, of, seconds, word: shown.extend(drawn(job.title, (done, of, seconds, word))))
    assert teller is not None
    teller(progress)
    assert "Weighing options 3 of 59, about 56 s left." in drawn("Weighing options", (3, 59, 3.0, ""))
    assert shown[-1] == "The toll bridge 60 of 1,000, about 39 s left. The party wins 48% so far (36% to 61%)"
