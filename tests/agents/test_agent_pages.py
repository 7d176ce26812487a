"""The pages on agents and language models say what is true: their commands and examples are run."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

from golden.pages import DOCS, check_page
from tablewright.agents.mcp.server import TOOLS

AGENTS, MCP = DOCS / "agents.md", DOCS / "mcp.md"


def test_the_page_shows_what_the_commands_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    commands = [shlex.split(command) for command in check_page(AGENTS)]
    assert {command[1] for command in commands} == {"league"}


@pytest.mark.parametrize(("page", "least"), [(AGENTS, 10), (MCP, 2)])
def test_the_examples_run(page: Path, least: int) -> None:
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted >= least
    assert failed == 0


def test_every_tool_is_on_the_page_and_the_settings_are_json() -> None:
    text = MCP.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    assert sorted([name for row in rows for name in re.findall(r"`(\w+)`", row)]) == sorted(TOOLS)
    settings = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    assert len(settings) == 2
    for one in settings:
        (servers,) = one.values()
        assert servers["tablewright"]["args"] == ["mcp"]
