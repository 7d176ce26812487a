"""Pages for newcomers: commands and examples run, links lead somewhere, and every page is listed."""

from __future__ import annotations

import ast
import doctest
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from each_case import each_case
from golden.pages import DOCS, words_on
from tablewright.game.system.registry import load_system

ROOT = DOCS.parent
PAGES = ("install.md", "for-players.md", "for-game-masters.md", "for-designers.md", "for-developers.md")
BOOKS = ("marchen", "mars", "opend6", "renaissance", "stage")
WRITTEN = [*sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("systems/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", [*[DOCS / name for name in PAGES], ROOT / "README.md"], ids=lambda path: path.name)
def test_the_preview_is_what_one_gets(page: Path) -> None:
    assert words_on(page)
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0
    assert len(page.read_text(encoding="utf-8").splitlines()) < 200, "short"


RUN_BY = {
    "adding-a-system.md": "conformance/test_pages.py",
    "engine.md": "engine/test_docs.py",
    "fights.md": "cli/game/test_playing_page.py",
    "game-layer.md": "conformance/test_pages.py",
    "internet.md": "server/test_proxy.py",
    "agents.md": "agents/test_agent_pages.py",
    "lab-odds.md": "lab/test_page.py",
    "lab.md": "lab/test_lab_page.py",
    "mcp.md": "agents/test_agent_pages.py",
    "playing.md": "cli/game/test_playing_page.py",
    "programs.md": "api/test_programs.py",
    "protocol.md": "server/test_protocol.py",
    "table.md": "table/test_table_page.py",
}
"""Pages whose examples other tests run."""


def test_the_examples_of_every_page_are_run_by_a_test() -> None:
    shown = re.compile(r"^(?:```(?:console|python|sh|nginx)$|>>> )", re.MULTILINE)
    pages = {path.name for path in DOCS.glob("*.md") if shown.search(path.read_text(encoding="utf-8"))}
    assert pages - set(PAGES) == set(RUN_BY)
    for page, test in RUN_BY.items():
        assert page.removesuffix(".md") in (ROOT / "tests" / test).read_text(encoding="utf-8"), page


PLACES = re.compile(r"\[`(?P<name>[\w.]+)`\]\((?P<file>[^)\s#]+\.py)#L(?P<line>\d+)\)")
NEAR = 40
"""Lines that a name may have moved from its link before the page must be rewritten (TABLEWRIGHT_WRITE_PAGES=1)."""


def _defined(source: str) -> Iterator[tuple[str, int]]:
    """Every class, function and declared field of a file, as `name` or `Class.name`, with its line."""
    tree = ast.parse(source)
    owners: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
    owners += [(f"{node.name}.", node) for node in tree.body if isinstance(node, ast.ClassDef)]
    for owner, inside in owners:
        for node in inside.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{owner}{node.name}", node.lineno
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield f"{owner}{node.target.id}", node.lineno


@each_case("page", WRITTEN)
def test_a_link_to_a_line_leads_to_what_it_names(page: Path) -> None:
    far: list[str] = []

    def right(found: re.Match[str]) -> str:
        lines = dict(_defined((page.parent / found["file"]).read_text(encoding="utf-8")))
        line = lines.get(found["name"]) or lines[found["name"].rpartition(".")[2]]
        if abs(line - int(found["line"])) > NEAR:
            far.append(f"{found['name']} stands at line {line}")
        return f"[`{found['name']}`]({found['file']}#L{line})"

    written = PLACES.sub(right, page.read_text(encoding="utf-8"))
    if os.environ.get("TABLEWRIGHT_WRITE_PAGES"):
        page.write_text(written, encoding="utf-8")
    else:
        assert far == []


@each_case("page", WRITTEN)
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


def test_the_readme_is_short_and_says_first_how_to_serve() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^    (make \w+)", text, re.MULTILINE)[:2]
    assert (first, second) == ("make serve", "make test")
    assert len(re.findall(r"!\[", text)) == 1
    assert len(text.split("\n\n")[1].splitlines()) == 3, "what it is, in three lines"
    assert len(text.splitlines()) <= 90
    assert "pip install tablewright" not in text, "there is no package index"


@pytest.mark.parametrize("system", BOOKS)
def test_every_game_is_finished(system: str) -> None:
    assert load_system(system).is_finished
