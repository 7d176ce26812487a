"""Craft: what is sent, where from, and how it looks at any size, in the dark and the light."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from server.serving import Served
from tablewright.table import Table
from web.browsing import DESK, FORBIDDEN, Visitor, settle
from web.test_turn import fight, ready, state, until_attack

KINDS = {"js": "script", "css": "style", "woff2": "font", "svg": "picture"}
BUDGET = {"script": 110_000, "style": 14_000, "font": 65_000, "icons": 40_000}
"""Bytes that a table may send at first, as they are transferred."""

MOST_IN_ALL = 260_000
MOST_SHIFT = 0.02
"""Distance that anything moves while portraits, odds and fonts come, as the browser measures layout shift."""

SHIFT = """window.painted = true; window.shifted = 0;
new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value })
    .observe({ type: 'layout-shift', buffered: true });"""
COLOURS = """() => { const ground = document.querySelector('canvas.ground');
    return new Set(new Uint32Array(ground.getContext('2d').getImageData(0, 0, 300, 300).data.buffer)).size }"""
COVERED = """() => {
    const box = one => one.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const all = selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility());
    const names = all('.spot .name'), faces = all('.spot:not(.down) .portrait'), found = [];
    names.forEach((one, at) => names.slice(at + 1).filter(other => over(box(one), box(other)))
        .forEach(other => found.push(`${one.textContent} and ${other.textContent}`)));
    for (const part of all('.middle .tools, .middle .bottom, .middle .strip'))
        faces.filter(one => over(box(one), box(part)))
            .forEach(one => found.push(`${one.closest('.spot').dataset.who} under ${part.className}`));
    return found;
}"""
"""Names on the map that cover each other, and standing people under what floats over it."""
PAGES = (
    "/",
    "/rules",
    "/rules?words=parry&system=mars",
    "/odds?system=mars",
    "/prepare?system=mars",
    "/make",
    "/about",
)


def shown(page: Page) -> None:
    """Wait until the page is there, with what it asked for at once."""
    page.locator("h1, h2").first.wait_for()
    settle(page)


def transferred(page: Page) -> Counter[str]:
    """Bytes of the files of the page by kind, as they came over the wire."""
    entries: list[dict[str, Any]] = page.evaluate(
        "performance.getEntriesByType('resource').map(one => ({ name: one.name, size: one.encodedBodySize }))"
    )
    found: Counter[str] = Counter()
    for one in entries:
        name = one["name"].partition("?")[0].rpartition("/")[2]
        kind = "icons" if name.startswith("icons-") else KINDS.get(name.rpartition(".")[2], "")
        found[kind] += one["size"] if "/assets/" in one["name"] else 0
    return found


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_a_table_is_loaded_within_its_budget(served: Served, seat: Callable[..., Visitor], system: str) -> None:
    for role in ("gm", "player"):
        page = seat(system, role, "Ann", alone=True, viewport={"width": 1440, "height": 900}).page
        page.add_init_script(SHIFT)
        page.goto(page.url)  # the table alone, not the way there
        page.locator("#log-heading").wait_for()
        if role == "player":
            page.locator(".forms").wait_for()
        page.wait_for_load_state("networkidle")
        found = transferred(page)
        for kind, most in BUDGET.items():
            assert 0 < found[kind] <= most, (role, kind, found)
        assert sum(found.values()) <= MOST_IN_ALL, (role, found)
        assert page.evaluate("shifted") <= MOST_SHIFT, role
        assert page.evaluate(COLOURS) > 100, "the ground is painted"


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_nobody_on_the_map_is_covered(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], system: str
) -> None:
    table = gathered(f"In full view, {system}", system)
    fight(table, foes=4)
    until_attack(table)
    page = sits(table, viewport=DESK).page
    low: ViewportSize = {"width": 1280, "height": 800}
    narrow: ViewportSize = {"width": 1024, "height": 768}
    for size in (DESK, low, narrow):
        page.set_viewport_size(size)
        ready(page, table)
        expect(page.locator(".spot .portrait")).to_have_count(len(state(table)["scene"]["participants"]))
        assert page.evaluate(COVERED) == [], size


def test_pages_ask_nobody_else_need_no_scrolling_sideways_and_have_large_targets(
    visitor: Callable[..., Visitor],
) -> None:
    """Targets are at least 24 pixels either way, except within running text; the console is silent."""
    one = visitor(viewport={"width": 1440, "height": 900}, has_touch=True)
    page, elsewhere, said = one.page, [], []
    page.on("request", lambda request: elsewhere.append(request.url) if not request.url.startswith(one.url) else None)
    page.on("console", lambda message: said.append((page.url, message.text)))
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => console.error(e.violatedDirective))"
    )
    for address in PAGES:
        page.goto(address)
        shown(page)
        assert FORBIDDEN.findall(page.locator("body").inner_text()) == [], address
        page.set_viewport_size({"width": 390, "height": 844})
        settle(page)
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, a[href], select, [type=search]')]
                .filter(one => one.checkVisibility() && getComputedStyle(one).display !== 'inline')
                .filter(one => !one.closest('.unseen, .skip'))
                .map(one => [one.textContent.trim() || one.ariaLabel, one.getBoundingClientRect()])
                .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
                .map(([name, box]) => `${name}: ${box.width} by ${box.height}`)"""
        )
        assert small == [], address
        for width, height in ((320, 800), (640, 400)):  # a window of 1280 by 800 at 200 % has 640 by 400 pixels
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert not one.is_wide(), (address, width)
    assert [url for url in elsewhere if not url.startswith(("data:", "blob:"))] == []
    assert said == []


def test_the_mode_is_kept_and_colours_change_with_it(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}, color_scheme="dark").page
    page.goto("/about")
    body = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(body)
    page.get_by_role("button", name="Switch to the light theme").click()
    expect(page.locator("html")).to_have_attribute("data-mode", "light")
    assert page.evaluate(body) != dark
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-mode", "light")


def test_files_are_sent_compressed_and_kept_for_ever(served: Served) -> None:
    client = served.client()
    with client.stream("GET", "/", headers={"Accept-Encoding": "br, gzip"}) as page:
        assert page.headers["content-encoding"] == "br"
        assert page.headers["cache-control"] == "no-cache"
    plain = client.get("/", headers={"Accept-Encoding": "identity"}).text
    name = next(one for one in re.findall(r'"(/assets/[^"]+\.js)"', plain) if "components" in one)
    for encoding in ("br", "gzip"):
        with client.stream("GET", name, headers={"Accept-Encoding": encoding}) as script:
            assert script.headers["content-encoding"] == encoding
            assert "immutable" in script.headers["cache-control"]
