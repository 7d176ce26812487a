"""The page on the lab says what is true: its commands and examples are run."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import pytest

from golden.pages import DOCS, check_page

PAGE = DOCS / "lab.md"


def test_the_page_shows_what_the_commands_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    commands = [shlex.split(command) for command in check_page(PAGE)]
    assert {command[1] for command in commands} >= {"simulate", "balance", "sweep"}
    used = {word for command in commands for word in command if word.startswith("--")}
    assert used >= {"--change", "--show", "--target"}


def test_the_examples_of_the_page_run() -> None:
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted >= 7
    assert failed == 0
