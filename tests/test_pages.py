"""The pages for people are true: commands and examples run, links lead somewhere, and everybody finds theirs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from golden.pages import DOCS, words_on
from tablewright.game.registry import load_system

ROOT = DOCS.parent
PAGES = ("for-players.md", "for-game-masters.md", "for-designers.md", "for-developers.md")
BOOKS = ("marchen", "mars", "opend6", "renaissance", "stage")
WRITTEN = [*sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("systems/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", [*[DOCS / name for name in PAGES], ROOT / "README.md"], ids=lambda path: path.name)
def test_what_is_shown_is_what_one_gets(page: Path) -> None:
    assert words_on(page)
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0
    assert len(page.read_text(encoding="utf-8").splitlines()) < 200, "short"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target and not target.startswith("#"):
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_the_index_names_every_page() -> None:
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\(([^)\s]+)\)", text))
    there = {str(path.relative_to(DOCS)) for path in DOCS.glob("**/*.md")} - {"README.md"}
    assert there <= named


def test_the_readme_says_first_how_to_serve() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^    (make \w+)", text, re.MULTILINE)[:2]
    assert (first, second) == ("make serve", "make test")
    assert len(re.findall(r"!\[", text)) == 1
    opening = text.split("\n\n")[1]
    assert len(re.findall(r"[.:!?](?=\s|$)", opening.replace("program:", "program"))) == 2, "two sentences"


@pytest.mark.parametrize("system", BOOKS)
def test_every_game_is_finished(system: str) -> None:
    assert load_system(system).is_finished
