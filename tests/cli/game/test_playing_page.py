"""The page on playing says what is true: its commands are run in order, with the answers that stand behind prompts."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from golden.pages import DOCS, check_page
from narration.clean import problems_of

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_the_page_shows_what_the_commands_show(folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = check_page(DOCS / "playing.md")
    assert {shlex.split(command)[1] for command in commands} >= {"new", "sheet", "check", "fight", "do", "pack"}


def test_the_fights_of_all_games_are_told_as_they_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(check_page(DOCS / "fights.md")) == 5
    text = (DOCS / "fights.md").read_text(encoding="utf-8").partition("```console")[2]
    told = [line for line in text.splitlines() if not line.startswith(("$ ", "```", "## "))]
    assert {line: found for line in told if (found := problems_of(line.replace("OpenD6", "")))} == {}


def test_a_page_that_shows_something_else_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLEWRIGHT_WRITE_PAGES", raising=False)
    page = tmp_path / "page.md"
    page.write_text("```console\n$ tablewright roll 2d6 --seed 1\nsomething else\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="roll 2d6"):
        check_page(page)
    monkeypatch.setenv("TABLEWRIGHT_WRITE_PAGES", "1")
    check_page(page)
    monkeypatch.delenv("TABLEWRIGHT_WRITE_PAGES")
    assert check_page(page) == ["tablewright roll 2d6 --seed 1"]
    assert "something else" not in page.read_text(encoding="utf-8")
