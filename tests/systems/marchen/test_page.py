"""The page on Märchen Engine is true: its commands are run in order."""

from __future__ import annotations

import shlex

import pytest

from golden.pages import DOCS, check_page

PAGE = DOCS / "systems" / "marchen.md"


def test_the_page_shows_what_is_so(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    met = list(dict.fromkeys([shlex.split(command)[1] for command in check_page(PAGE)]))
    assert {"odds", "advise", "new", "sheet", "check", "do"} <= set(met)
