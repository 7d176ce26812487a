"""The page on Renaissance is true: its commands are run in order."""

from __future__ import annotations

import shlex

import pytest

from golden.pages import DOCS, check_page

PAGE = DOCS / "systems" / "renaissance.md"


def test_it_leads_from_a_roll_to_a_character_and_beyond(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    commands = [shlex.split(command)[1:] for command in check_page(PAGE)]
    met = list(dict.fromkeys([words[0] for words in commands]))
    assert set(met) >= {"odds", "advise", "new", "sheet", "check", "do"}
    assert any(words[:2] == ["odds", "renaissance.opposed"] for words in commands)
