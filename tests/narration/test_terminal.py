"""No id reaches a person at a terminal: menus, advice, odds, simulations and summaries of all games, searched."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from narration.clean import problems_of
from narration.test_processes import told

HEROES = {"marchen": "roland", "mars": "aldith", "opend6": "mirre", "renaissance": "pip", "stage": "arlef"}
_ALLOWED = re.compile(r"\(\w+ NAME says why\)|^Rules: .*|\s*tablewright fight .*|\bOpenD6\b")


def wrong(lines: list[str]) -> list[str]:
    """Lines with something that no person should read."""
    return [line for line in lines if problems_of(_ALLOWED.sub("", line))]


@pytest.mark.parametrize("system", HEROES)
def test_no_id_is_shown_to_a_player(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ["roll", "roll", "all", "advise", "odds", "look", "why", "1", "1", "roll", "all", "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join([f"{line}\n" for line in typed])))
    status, lines = told("fight", f"{system}:even", "--seed", "7", "--seat", f"{HEROES[system]}=me")
    assert status == 0
    assert any(line.startswith(("Best for", "The rules do not say which of these is better.")) for line in lines)
    assert wrong(lines) == []


@pytest.mark.parametrize("system", HEROES)
def test_no_id_is_shown_in_a_report(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        ("simulate", f"{system}:easy", "--runs", "3", "--seed", "1", "--workers", "1"),
        ("fight", f"{system}:easy", "--brief"),
    ):
        status, lines = told(*words)
        assert status == 0
        assert wrong(lines) == []
