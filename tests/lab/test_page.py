"""The page on tables of odds and advice says what is true: its commands and examples run, its bounds are the code's."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import pytest

from golden.pages import DOCS, check_page
from tablewright.cli.output import progress as waiting
from tablewright.lab.odds import advice_curve as advising
from tablewright.lab.odds import columns as views
from tablewright.lab.odds import comparison as comparing
from tablewright.lab.odds import ranges
from tablewright.lab.odds import table as tables
from tablewright.lab.odds import unknowns as hidden

PAGE = DOCS / "lab-odds.md"


def test_the_page_shows_what_the_commands_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    commands = [shlex.split(command) for command in check_page(PAGE)]
    assert ["tablewright", "advise", "fight.json"] in commands
    systems = {word.partition(".")[0] for command in commands for word in command[2:3]}
    assert systems >= {"mars", "stage", "opend6", "renaissance"}
    used = {word for command in commands for word in command if word.startswith("--")}
    assert used >= {"--at-least", "--at", "--of", "--versus", "--option", "--weights", "--objective"}


def test_the_examples_of_the_page_run() -> None:
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted > 10
    assert failed == 0


@pytest.mark.parametrize(
    ("row", "bound"),
    [
        ("arguments that range at once", ranges.MOST_AXES),
        ("values of one range", ranges.MOST_VALUES),
        ("cells of a table", tables.MOST_CELLS),
        ("numbers of a table", views.MOST_FIGURES),
        ("cases side by side", comparing.MOST_CASES),
        ("points of advice", advising.MOST_POINTS),
        ("values of a secret", hidden.MOST_HIDDEN),
        ("seconds that a table", waiting.MOST_SECONDS),
    ],
)
def test_the_bounds_on_the_page_are_those_of_the_code(row: str, bound: int) -> None:
    (line,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row}")]
    assert f"| {bound:,}" in line
