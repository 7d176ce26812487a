"""The page on playing says what is true: its commands are run in order, with the answers that stand behind prompts.

`TABLEWRIGHT_WRITE_PAGES=1 pytest tests/cli/game/test_playing_page.py` writes the output anew.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli.conftest import Runner

PAGE = Path(__file__).parents[3] / "docs" / "playing.md"
SIXTH = Path(__file__).parents[2] / "sixth"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_PROMPT = re.compile(r"^(?:> |name \[.*?\]: |.*\(Enter throws\): )(.*)$", re.MULTILINE)


def commands_of(block: str) -> list[tuple[str, str]]:
    """Each command of a block with the output below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def run(tw: Runner, command: str, shown: str) -> str:
    """What a command shows now; its answers are those behind the prompts of the page."""
    words = shlex.split(command)
    env = {"PYTHONPATH": str(SIXTH), "COLUMNS": "80", "NO_COLOR": "1"}
    if words[0] == "cat":
        return Path(words[1]).read_text(encoding="utf-8")
    assert words[0] == "tablewright"
    typed = "".join([f"{line.strip()}\n" for line in _PROMPT.findall(shown)])
    ran = tw.process(*words[1:], typed=typed, env=env)
    lines = [line.rstrip() for line in (ran.out + ran.err).splitlines()]
    return "\n".join(lines) + "\n" if lines else ""


def test_the_page_shows_what_the_commands_show(folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    writes = os.environ.get("TABLEWRIGHT_WRITE_PAGES") == "1"
    seen: set[str] = set()
    for block in _BLOCK.findall(page):
        written = ""
        for command, shown in commands_of(block):
            now = run(folk, command, shown)
            written += f"$ {command}\n{now}"
            seen.add(shlex.split(command)[1])
            if not writes:
                assert now == shown.rstrip("\n") + "\n", command
        page = page.replace(block, written)
    assert seen >= {"new", "sheet", "check", "fight", "do", "pack"}
    if writes:
        PAGE.write_text(page, encoding="utf-8")
