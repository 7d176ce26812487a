"""No id reaches a person who does something between fights: every process that needs no argument, told and searched."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from narration.clean import problems_of
from tablewright.cli.program import run
from tablewright.game.session.processes import processes_by_name
from tablewright.game.system.registry import load_system

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
_TYPED = re.compile(
    r"\b(?:table|marchen|mars|opend6|renaissance|stage)\.[a-z_]+"
    r"|[a-z_]+=\S+|`[^`]*`|\[[a-z0-9._]+\]"
    r'|--choose "[^"]*"'
)
"""Text to type or to look up: names of processes, arguments and rules."""


def told(*words: str) -> tuple[int, list[str]]:
    """Exit status of a command, and its lines without the text that a person would type."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(out):
        status = run(words)
    return status, [_TYPED.sub("", line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_id_is_told_by_a_process(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    book = load_system(system).rulebook
    wrong: dict[str, list[str]] = {}
    done: list[str] = []
    status, sheet = told("new", system, "--random", "--seed", "5", "--name", "Wanda", "-o", "wanda.yaml")
    assert status == 0
    wrong["new"] = [line for line in sheet if problems_of(line)]
    for name, process in processes_by_name(book).items():
        needed = [one.name for one in process.params if one.required and one.name != "who"]
        if process in (book.create, book.encounter) or needed:
            continue
        status, lines = told("do", name, "wanda.yaml", "--seed", "1")
        done += [name] * (status == 0)
        wrong[name] = [line for line in lines if problems_of(line)]
    assert len(done) >= 4, done
    assert {name: lines for name, lines in wrong.items() if lines} == {}


def test_an_end_that_leaves_nothing_to_recover_from_is_told() -> None:
    status, lines = told("do", "marchen.face_the_end", "marchen:soldier", "--faces", "6,6")
    assert (status, lines[0].strip()) == (0, "Roland faces the end and has nothing to recover from.")
