"""The web table in a real Chromium: how quickly exact odds follow a changed number, how soon a prepared encounter of
every system has a first estimate, and how a long log scrolls.

    .venv/bin/python bench/browser.py

It needs the built page (``make web``) and Chromium (``make parts``), and nothing else to be running beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "sixth")]

ODDS = """async count => {
    const input = document.querySelector('input[type=number]'), times = [];
    for (let step = 0; step < count; step += 1) {
        const before = document.querySelector('#chances tbody').textContent;
        const began = performance.now();
        input.value = String(6 + (step * 7) % 17);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        while (document.querySelector('#chances tbody').textContent === before) {
            if (performance.now() - began > 3000) break;
            await new Promise(requestAnimationFrame);
        }
        times.push(performance.now() - began);
    }
    return times;
}"""

ESTIMATE = """async () => {
    const began = performance.now();
    document.querySelector('.prepare button.main').click();
    while (!document.querySelector('ul.wins li .about')) {
        if (performance.now() - began > 60000) break;
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
}"""

SCROLL = """async steps => {
    const box = document.querySelector('.lines'), frames = [];
    let [last, most] = [performance.now(), 0];
    for (let step = 0; step < steps; step += 1) {
        box.scrollTop = (box.scrollHeight - box.clientHeight) * (step / steps);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
        most = Math.max(most, box.querySelectorAll('li').length);
    }
    return { frames: frames.slice(5), most };
}"""


def share(times: list[float], part: float) -> float:
    """The time that so many of them take at most."""
    ordered = sorted(times)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * part))], 1)


def estimated(page: Any) -> dict[str, float]:
    """From the click to a first estimate with its interval, for the even encounter of every system."""
    page.goto("/prepare")
    page.locator(".entrants li").first.wait_for()
    found = {}
    for system in [one.get_attribute("value") for one in page.locator("#system option").all()]:
        page.locator("#system").select_option(system)
        page.locator(".prepare button.main").wait_for()
        page.wait_for_timeout(4_000)  # somebody looks at it first
        found[system] = round(page.evaluate(ESTIMATE))
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("fights in").wait_for()
    return found


def measured(page: Any, table: Any, changes: int, frames: int, lines: int) -> dict[str, Any]:
    """All measurements, in milliseconds."""
    asked = {"rule": "mars.check", "a": {"roll_value": "r16", "difficulty": 10}}
    page.goto(f"/odds?q={quote(json.dumps(asked))}")
    page.locator("#chances tbody tr").first.wait_for()
    times = page.evaluate(ODDS, changes)
    estimates = estimated(page)
    page.goto(f"/#{table.host_link('gm').token}")
    page.wait_for_url(f"**/c/{table.id}")
    page.locator(".lines .line").first.wait_for()
    page.get_by_role("button", name="To the beginning").click()
    page.locator(".line", has_text="begins").first.wait_for(timeout=120_000)
    page.wait_for_timeout(1_000)
    scrolled = page.evaluate(SCROLL, frames)
    return {
        "odds": {"median": share(times, 0.5), "p95": share(times, 0.95), "changes": changes},
        "first_estimate": estimates,
        "scrolling": {
            "lines": lines,
            "median": share(scrolled["frames"], 0.5),
            "p95": share(scrolled["frames"], 0.95),
            "in_the_page": scrolled["most"],
        },
    }


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    from server.serving import serving  # noqa: PLC0415
    from web.browsing import FLAGS, Visitor, chromium  # noqa: PLC0415
    from web.test_lasting import GM, long_log  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--lines", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), workers=2) as served:
        table = served.store.make_campaign("The chronicle", "stage", game_master=GM.title()).table
        long_log(table, given.lines)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            one = Visitor(browser, served.url, viewport={"width": 1280, "height": 900})
            print(json.dumps(measured(one.page, table, given.changes, given.frames, given.lines), indent=2))
            browser.close()


if __name__ == "__main__":
    main()
