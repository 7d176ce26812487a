"""The page on Coinfolk is true: its commands are run in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden.pages import check_page

PAGE = Path(__file__).resolve().parents[1] / "docs" / "coinfolk.md"


def test_the_page_shows_what_the_commands_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(check_page(PAGE)) > 5
