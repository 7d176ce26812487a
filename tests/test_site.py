"""Documentation site: built without a network, without broken links, and with nothing loaded from elsewhere."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from hashlib import blake2b
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import docs_site
import pytest
from rules_pages import SYSTEMS, topic_page

import tablewright
from tablewright.game.rules.ledger import Ledger

OFFLINE = ["unshare", "--user", "--map-root-user", "--net"]


class Page(HTMLParser):
    """Anchors of a page, its links, and addresses that a browser would load by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag refers to."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        target = given.get("href") or given.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


def sources() -> list[Path]:
    """Every file that the site is built from, and those that say with which tools."""
    root = docs_site.ROOT
    folders = [root / name for name in ("docs", "src", "tools", "examples", "requirements", "web/public", "bench")]
    files = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    files += [path for path in root.iterdir() if path.suffix in (".md", ".toml", ".yml") or path.stem.isupper()]
    built = root / "src" / "tablewright" / "server" / "web"
    return sorted({path for path in files if path.is_file() and built not in path.parents})


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config) -> Path:
    """The site, built in a namespace without a network where the machine allows one.

    It is kept until something that it is built from has changed.
    """
    digest = blake2b(f"{sys.version}{__file__}".encode(), digest_size=16)
    for path in sources():
        digest.update(f"{path}\n".encode() + blake2b(path.read_bytes()).digest())
    kept = pytestconfig.cache.mkdir("documentation")
    folder = kept / digest.hexdigest() / "site"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side, and one of them builds it
        if not folder.is_dir():
            for older in kept.iterdir():
                shutil.rmtree(older, ignore_errors=True)
            made = kept / "made"
            built(made / "site")
            made.rename(folder.parent)
    return folder


def built(folder: Path) -> None:
    command = [sys.executable, str(docs_site.ROOT / "tools" / "docs_site.py"), "--output", str(folder)]
    if shutil.which("unshare") and subprocess.run([*OFFLINE, "true"], capture_output=True, check=False).returncode == 0:
        command = [*OFFLINE, *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def test_every_link_leads_to_a_page_and_an_anchor(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for target in [*page.links, *page.loaded]:
            split = urlsplit(target)
            if split.scheme in ("data", "mailto"):
                continue
            there = (path.parent / unquote(split.path)).resolve() if split.path else path
            if there == site:
                there = site / "index.html"
            anchor = unquote(split.fragment)
            if split.scheme or not there.is_file() or (anchor and anchor not in pages[there].anchors | {"__search"}):
                broken.append(f"{path.relative_to(site)}: {target}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {target for page in pages.values() for target in page.loaded}
    assert [target for target in loaded if urlsplit(target).netloc] == []
    for sheet in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?https?:", sheet.read_text(encoding="utf-8")) == []


def test_every_rule_has_a_place_and_is_found_by_search(site: Path, pages: dict[Path, Page]) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    count = 0
    for system in SYSTEMS:
        for rule in Ledger.load(system).values():
            address = f"rules/{topic_page(rule.topic).removesuffix('.md')}.html"
            assert rule.id in pages[site / address].anchors
            assert f'"{address}#{rule.id}"' in index
            count += 1
    assert count == 1_502


def test_the_reference_has_every_public_name(pages: dict[Path, Page], site: Path) -> None:
    anchors = pages[site / "reference" / "library.html"].anchors
    public = docs_site.public_names(tablewright)
    assert {docs_site.anchor(tablewright, name) for name in public} <= anchors
    assert sorted([name for names in docs_site.SUBJECTS.values() for name in names]) == public


def test_a_link_out_of_the_pages_is_redirected_or_becomes_text() -> None:
    def redirected(text: str) -> str:
        return docs_site.redirect(text, Path("docs/systems/mars.md"), Path("systems/mars.md"))

    assert redirected("[x](../playing.md#top)") == "[x](../playing.md#top)"
    assert redirected("[x](../../CHANGELOG.md)") == "[x](../changelog.md)"
    assert redirected("[`x`](../../src/tablewright/cli/program.py#L3)") == "`x`"
