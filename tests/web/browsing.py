"""A real browser for the tests: Debian's Chromium, and visitors of a table."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize, expect

from conformance.places import at_length
from patience import LIMIT
from server.serving import NEIGHBOUR
from tablewright.table import Table
from tablewright.table.errors import ConflictError

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src" / "tablewright" / "server" / "web" / "index.html"
SOURCES = ROOT / "web"
AXE = SOURCES / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = ROOT / "docs" / "web"
PICTURED = bool(os.environ.get("TABLEWRIGHT_PICTURES"))
"""True if the pictures of the docs are taken."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--no-first-run",
    "--disable-background-networking",
    f"--host-resolver-rules=MAP {NEIGHBOUR} 127.0.0.1",
    "--js-flags=--no-opt --no-maglev",
    "--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface",  # the second is what Playwright asks for
]
"""A page lives for seconds here: what would be spent on faster code or another process is never won back."""

ROOMY = 1 << 30
"""Bytes of shared memory from which on the browser needs no files of its own in its place."""

WHOLE = ("heading-order", "landmark-one-main", "region")
"""Rules of axe that look at the whole page."""

COLOURS = ("color-contrast", "link-in-text-block")
"""Rules of axe whose answer differs between light and dark."""

COSTLY = "color-contrast"
"""The rule of axe that takes as long as all others: for looks at colours, and for `make soak`."""

EXPECTED = ("Failed to load resource", "WebSocket connection to")
"""Messages of the browser itself where a request is refused or a connection is lost."""

FORBIDDEN = re.compile(r"[a-z]+_[a-z]+|->|\bdegree \w|\bworth\b|\bbot:")
"""Text that no page may show: ids, fields and the inner values of bots."""

DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
USUAL: ViewportSize = {"width": 1280, "height": 720}

expect.set_options(timeout=LIMIT * 1000)


def chromium() -> str:
    """Path of Chromium; the shell without a window, which takes a fifth less work, where it is installed."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert found is not None, "make parts installs Chromium"
    return found


def opened(playwright: Playwright) -> Browser:
    """Chromium, with pictures shared between its processes in memory where there is room: files cost a tenth more."""
    shared = Path("/dev/shm")
    has_room = shared.is_dir() and shutil.disk_usage(shared).free >= ROOMY
    left_out = ["--disable-dev-shm-usage"] if has_room else None
    return playwright.chromium.launch(executable_path=chromium(), args=FLAGS, ignore_default_args=left_out)


@cache
def build() -> None:
    """Build the page where it is missing or older than its sources; of several test processes one does it."""
    with (SOURCES / "package.json").open(encoding="utf-8") as lock:
        flock(lock, LOCK_EX)
        done = subprocess.run(["make", "--silent", "web"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def answer(table: Table, question: dict[str, Any], option: str | None = None, gm: str = "gwen") -> bool:
    """Answer a question for the game master: a roll by dice, a choice by the option or its default.

    An open page may answer the same question first. That is no error: nothing is done, and the caller reads again.
    """
    given = {"roll": True} if question["kind"] == "roll" else {"option": option or question["default"]}
    try:
        table.act(gm, {"do": "answer", "question": question["id"], **given})
    except ConflictError:
        return False
    return True


def first_turn(table: Table, gm: str = "gwen") -> None:
    """Answer what is asked before the first turn of a fight, such as powers that serve initiative."""
    for _ in range(100):
        seen = table.view(gm, 10**9)
        question = seen["question"]
        if seen["scene"]["turn"] is not None or question is None:
            return
        answer(table, question, gm=gm)
    raise AssertionError("it is nobody's turn")


def tools(page: Page) -> None:
    """Open the game master's column, wherever it is: beside the scene or behind a tab."""
    page.locator(".play").wait_for()
    if not page.locator(".play[data-left=gm], .play[data-part=gm]").count():  # where it is open it may still be coming
        desk = page.get_by_role("button", name="Game master’s tools", exact=True)
        (desk if desk.count() else page.get_by_role("button", name="Master", exact=True)).first.click()
    page.locator(".column.forms").wait_for()


def pick(page: Page, name: str, item: str) -> None:
    """Choose something from the menu beside a name."""
    page.get_by_role("button", name=f"More for {name}", exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def own_sheet(page: Page) -> None:
    """Open the player's sheet with the forms below it, where it is behind a tab."""
    tab = page.locator(".tabs").get_by_role("button", name="You", exact=True)
    if tab.is_visible() and tab.get_attribute("aria-pressed") != "true":
        tab.click()


def told(page: Page) -> None:
    """Open the log, where it is behind a tab."""
    tab = page.locator(".tabs").get_by_role("button", name=re.compile("^Log"))
    if tab.is_visible() and tab.get_attribute("aria-pressed") != "true":
        tab.click()


def unfold(page: Page, heading: str, *, shut: bool = False) -> None:
    """Open a part of the page that is folded, or shut it; a click is repeated if the page moved beneath it."""
    summary = page.locator("summary", has_text=heading)

    def is_open() -> bool:
        return bool(summary.evaluate("one => one.parentElement.open"))

    def is_done() -> bool:
        if is_open() is shut:
            summary.click()
            settle(page)
        return is_open() is not shut

    wait_in(page, is_done, heading)


def throw(page: Page, dice: str, audience: str | None = None) -> None:
    """Throw dice from the box for it."""
    unfold(page, "Roll dice")
    page.locator("#dice").fill(dice)
    if audience is not None:
        page.locator("#dice-audience").select_option(audience)
    page.get_by_role("button", name="Roll these", exact=True).click()


def settle(page: Page) -> None:
    """Let the page finish what it has begun: everything that is due by now is done, and drawn."""
    frame = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
    page.evaluate(f"async () => {{ await fetch('/health').catch(() => null); await {frame}; await {frame} }}")


def wait_in(page: Page, condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds, while what the page sends is heard."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, f"{what}: waited {LIMIT:g} seconds in vain"
        page.wait_for_timeout(20)


FEWER = """const send = window.fetch;
const runs = () => Number(sessionStorage.fights ?? 3);
window.fetch = (address, asked) => send(address, address === '/v1/jobs' && asked?.method === 'POST'
    ? { ...asked, body: JSON.stringify({ ...JSON.parse(asked.body), runs: runs() }) } : asked)"""
"""Has three fights simulated, or ``sessionStorage.fights``, instead of as many as the page asks for."""

UNPAINTED = """const paper = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (...kind) {
    return this.matches('.ground') && !window.painted ? null : paper.apply(this, kind) }"""
"""Leaves the ground under a scene bare without ``window.painted``: to paint it is a third of the work of a page."""


class Pages:
    """Pages of one server that visitors use one after the other, each in a browser context of its own.

    The next visitor finds no cookie and nothing stored; the process and what it has read and compiled are kept.
    """

    LASTING = ("add_init_script", "route_web_socket", "on")
    """Ways to change a page that cannot be taken back: no one uses it after that."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self._free: list[Page] = []
        self._changed: set[Page] = set()

    def take(self) -> Page:
        """A page that no visitor uses."""
        if self._free:
            return self._free.pop()
        page = made(self.browser, self.url).new_page()
        for name in self.LASTING:
            setattr(page, name, self._noting(page, getattr(page, name)))
        return page

    def _noting(self, page: Page, change: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **more: Any) -> Any:
            self._changed.add(page)
            return change(*given, **more)

        return noted

    def give_back(self, page: Page) -> None:
        """Leave a page as it was found, or close it."""
        if page in self._changed or len(page.context.pages) > 1:
            self._changed.discard(page)
            page.context.close()
            return
        page.unroute_all()
        page.context.set_offline(False)
        page.goto("/health")
        page.context.clear_cookies()
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.mouse.move(0, 0)
        self._free.append(page)


def made(browser: Browser, url: str, **more: Any) -> BrowserContext:
    """A browser context of its own."""
    context = browser.new_context(base_url=url, reduced_motion="reduce", **more)
    context.set_default_timeout(LIMIT * 1000)
    context.add_init_script(f"{FEWER};\n{UNPAINTED if not PICTURED else ''}")
    return context


class Visitor:
    """A visitor with a browser context of their own for as long as they stay."""

    def __init__(self, pages: Pages, url: str, *, alone: bool = False, **more: Any) -> None:
        self.url = url
        self.complaints: list[str] = []
        is_own = alone or url != pages.url or not more.keys() <= {"viewport", "color_scheme"}
        self.pages = None if is_own else pages
        self.page: Page = made(pages.browser, url, **more).new_page() if is_own else pages.take()
        self.context = self.page.context
        if not is_own:
            self.page.set_viewport_size(more.get("viewport") or USUAL)
            self.page.emulate_media(
                media="null", color_scheme=more.get("color_scheme", "light"), reduced_motion="reduce"
            )
        self._listens: dict[Any, Any] = {
            "pageerror": lambda error: self.complaints.append(str(error)),
            "console": self._hear,
        }
        for event, listen in self._listens.items():
            Page.on(self.page, event, listen)  # taken back when they leave: it changes nothing

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not any(words in message.text for words in EXPECTED):
            self.complaints.append(message.text)

    def leave(self) -> None:
        """Close the page; nothing may have gone wrong in it."""
        for event, listen in self._listens.items():
            self.page.remove_listener(event, listen)
        if self.pages is None:
            self.context.close()
        else:
            self.pages.give_back(self.page)
        assert self.complaints == [], self.complaints

    def picture(self, name: str) -> None:
        """A screenshot for the docs, if they are taken; the tests' own system is not on it."""
        if PICTURED:
            PICTURES.mkdir(parents=True, exist_ok=True)
            self.page.evaluate(
                """() => [...document.querySelectorAll('li, label, .chip, button, .card')]
                    .filter(one => one.textContent.includes('Coinfolk') && !one.querySelector('li, .card'))
                    .forEach(one => one.remove())"""
            )
            assert "Coinfolk" not in self.page.locator("body").inner_text()
            self.page.screenshot(path=PICTURES / f"{name}.png")

    def flaws(self, within: str = "html", *, colours: bool = False, colours_only: bool = False) -> list[str]:
        """Accessibility violations that axe finds, of any impact; contrast only with ``colours`` and in `make soak`.

        Within a part of the page where the rest is looked at elsewhere; a part that is not there is an error.
        """
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if colours_only:
            options["runOnly"] = list(COLOURS)
        else:
            options["rules"] = {name: {"enabled": within == "html"} for name in WHOLE}
            options["rules"][COSTLY] = {"enabled": colours or at_length()}
        asked = "async ([within, options]) => (await axe.run(within, options)).violations"
        return [
            f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:3]}"
            for one in self.page.evaluate(asked, [within, options])
        ]

    def flaws_everywhere(self) -> list[str]:
        """Violations on a dark phone, colours of a light desk, and words that no page says; ends light at a desk.

        In `make soak` also the colours of a light phone and a dark desk, and all of the light desk.
        """
        found: list[str] = []
        looks: tuple[tuple[str, ViewportSize, Literal["light", "dark"], bool], ...] = (
            ("phone", PHONE, "light", True),
            ("phone", PHONE, "dark", False),
            ("desk", DESK, "dark", True),
            ("desk", DESK, "light", not at_length()),
        )
        looks = looks if at_length() else looks[1::2]
        for name, size, scheme, colours_only in looks:
            self.page.set_viewport_size(size)
            self.page.emulate_media(color_scheme=scheme)
            expect(self.page.locator("html")).to_have_attribute("data-mode", scheme)
            settle(self.page)
            found += [f"{name}, {scheme}: {flaw}" for flaw in self.flaws(colours=True, colours_only=colours_only)]
        words = FORBIDDEN.findall(self.page.locator("body").inner_text())
        return [*found, *[f"says {word}" for word in words]]

    def is_wide(self) -> bool:
        """Tell whether the page is wider than the window."""
        wide: bool = self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        return wide
