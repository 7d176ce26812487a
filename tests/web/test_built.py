"""The built page: within its size budget, made from the server's document, without inline code."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path

from openapi import document

from web.browsing import BUILT, ROOT, SOURCES, build

MOST_FIRST_LOAD = 130_000
SCRIPT = re.compile(r'(?:src|href)="/(assets/[^"]+\.js)"')
IMPORTED = re.compile(r'(?:from|import)\s*"\./([^"]+\.js)"')


def loaded(names: list[str], folder: Path) -> set[str]:
    """The scripts that these load before anything is shown."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += [f"assets/{more}" for more in IMPORTED.findall((folder / name).read_text(encoding="utf-8"))]
    return found


def test_the_first_load_is_small_and_nothing_is_inline() -> None:
    build()
    page, folder = BUILT.read_text(encoding="utf-8"), BUILT.parent
    names = SCRIPT.findall(page)
    assert names
    scripts = loaded(names, folder)
    table = [path.relative_to(folder).as_posix() for path in folder.glob("assets/Table-*.js")]
    with_table = loaded(names + table, folder)
    assert not any("uPlot" in name for name in with_table)
    assert sum(len(gzip.compress((folder / name).read_bytes())) for name in scripts | with_table) < MOST_FIRST_LOAD
    assert not re.search(r"<script(?![^>]*src=)|<style|style=| on\w+=", page)


def test_the_licence_of_every_package_in_the_page_is_beside_it_and_in_the_notice() -> None:
    build()
    text = (BUILT.parent / "licences.txt").read_text(encoding="utf-8")
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8").lower()
    named = re.findall(r"^(.+)\n=+\n\n", text, re.MULTILINE)
    assert {"svelte", "clsx", "uplot", "@floating-ui/dom", "Figtree", "Limelight"} <= {*named}
    for name in named:
        if name not in ("Interface icons", "Drawings"):
            assert name.removeprefix("@").partition("/")[0].replace("-", " ").lower() in notice, name
    assert "this permission notice appear in all copies" in text, "that of the interface icons"


def test_the_types_are_those_of_the_served_document(tmp_path: Path) -> None:
    build()
    written, made = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    written.write_text(document(), encoding="utf-8")
    tool = SOURCES / "node_modules" / ".bin" / "openapi-typescript"
    subprocess.run([tool, written, "-o", made], check=True, cwd=SOURCES, capture_output=True)
    now = (SOURCES / "src" / "api" / "schema.d.ts").read_text(encoding="utf-8")
    assert now == made.read_text(encoding="utf-8"), "make types writes web/src/api/schema.d.ts anew"


def test_no_page_knows_a_system_by_name_or_makes_markup_of_text() -> None:
    systems = ("marchen", "mars", "opend6", "renaissance", "stage")
    for path in (SOURCES / "src").rglob("*"):
        if path.suffix not in (".svelte", ".ts") or path.name == "schema.d.ts":
            continue
        text = path.read_text(encoding="utf-8")
        assert not [name for name in systems if re.search(rf"[\"'`/.]{name}[\"'`/.]", text)], path
        assert "{@html" not in text, path
        assert "innerHTML" not in text, path
