"""The web table in a real Chromium: how quickly exact odds follow a changed number, how soon a prepared encounter of
every system has a first estimate, how a long log scrolls, how smoothly dice fall and a map is dragged, how soon a
question is shown, how soon a table is painted, and how much it shifts while it loads.

    .venv/bin/python bench/browser.py

It needs the built page (``make web``) and Chromium (``make parts``), and nothing else to be running beside it.
"""

from __future__ import annotations

import argparse
import json
import re
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
    document.querySelector('[role=menuitem]').click();
    await new Promise(requestAnimationFrame);
    while (document.querySelector('.figures.stale') || !document.querySelector('.band')) {
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


DICE = """async () => {
    const frames = []; let last = performance.now();
    while (!document.querySelector('[data-dice]')) await new Promise(requestAnimationFrame);
    while (document.querySelector('[data-dice]:not(.landed)')) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
    }
    return frames.slice(2);
}"""

DRAG = """async steps => {
    const map = document.querySelector('.scene-map'), box = map.getBoundingClientRect(), frames = [];
    const at = step => ({ bubbles: true, pointerId: 1, buttons: 1, isPrimary: true,
        clientX: box.x + box.width / 2 + 80 * Math.sin(step / 8), clientY: box.y + box.height * 0.45 });
    map.dispatchEvent(new PointerEvent('pointerdown', at(0)));
    let last = performance.now();
    for (let step = 0; step < steps; step += 1) {
        map.dispatchEvent(new PointerEvent('pointermove', at(step)));
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
    }
    map.dispatchEvent(new PointerEvent('pointerup', at(steps)));
    return frames.slice(5);
}"""

PAINT = """() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
    shift: window.shifted,
})"""

SHIFT = """window.shifted = 0;
new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value })
    .observe({ type: 'layout-shift', buffered: true });"""

HEAR = """window.WebSocket = class extends WebSocket {
    constructor(...all) {
        super(...all);
        this.addEventListener('message', () => { window.heard ||= performance.now() });
    }
};"""

QUESTION = """() => {
    const old = document.querySelector('section.asked').dataset.question;
    window.heard = 0;
    window.shown = (async () => {
        while ((document.querySelector('section.asked')?.dataset.question ?? old) === old)
            await new Promise(requestAnimationFrame);
        return performance.now() - window.heard;
    })();
}"""

FAST_3G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}


def share(times: list[float], part: float) -> float:
    """The time that so many of them take at most."""
    ordered = sorted(times)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * part))], 1)


def estimated(page: Any) -> dict[str, float]:
    """From a change to the first estimate with its interval, for the even encounter of every system."""
    found = {}
    for system in ("marchen", "mars", "opend6", "renaissance", "stage"):
        page.goto(f"/prepare?system={system}&fight=even")
        page.locator(".band").wait_for()
        page.get_by_role("button", name="Stop", exact=True).first.click()
        page.get_by_role("button", name="Fight on").wait_for()
        page.get_by_role("button", name=re.compile("^Change ")).last.click()
        found[system] = round(page.evaluate(ESTIMATE))
    return found


def painted(browser: Any, served: Any, table: Any, *, slow: bool) -> dict[str, Any]:
    """First paint of a table and the shift while it loads; ``slow`` has a quarter of the processor, on Fast 3G."""
    from web.browsing import Visitor  # noqa: PLC0415

    one = Visitor(browser, served.url, viewport={"width": 1440, "height": 900})
    page = one.page
    page.goto(f"/#{table.host_link('gm').token}")
    page.wait_for_url(f"**/c/{table.id}")
    page.add_init_script(SHIFT)
    line = one.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    if slow:
        line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        line.send("Network.emulateNetworkConditions", FAST_3G)
    page.goto(page.url)
    page.locator(".verb").first.wait_for(timeout=120_000)
    page.wait_for_load_state("networkidle")
    found = page.evaluate(PAINT)
    one.context.close()
    return {"first_contentful_paint": round(found["paint"]), "layout_shift": round(found["shift"], 4)}


def moving(browser: Any, served: Any, table: Any, frames: int) -> dict[str, Any]:
    """Frames while dice fall and while the map is dragged."""
    context = browser.new_context(base_url=served.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"/#{table.host_link('gm').token}")
    page.wait_for_url(f"**/c/{table.id}")
    page.locator(".verb").first.wait_for(timeout=120_000)
    page.wait_for_timeout(1_000)
    dragged = page.evaluate(DRAG, frames)
    times: list[float] = []
    for _ in range(3):
        table.act("gwen", {"do": "throw", "dice": "3d10"})
        times += page.evaluate(DICE)
        page.locator("[data-dice]").wait_for(state="detached", timeout=60_000)
    context.close()
    return {
        "dice": {"median": share(times, 0.5), "p95": share(times, 0.95), "frames": len(times)},
        "map": {"median": share(dragged, 0.5), "p95": share(dragged, 0.95), "frames": len(dragged)},
    }


def asked(browser: Any, served: Any, table: Any, turns: int) -> dict[str, Any]:
    """From the message that a question is open to the frame that shows it, for so many turns that end."""
    from web.browsing import Visitor, answer  # noqa: PLC0415

    one = Visitor(browser, served.url, viewport={"width": 1440, "height": 900})
    page = one.page
    page.add_init_script(HEAR)
    page.goto(f"/#{table.host_link('gm').token}")
    page.wait_for_url(f"**/c/{table.id}")
    page.locator(".verb").first.wait_for(timeout=120_000)
    times: list[float] = []
    for _ in range(turns):
        question = table.view("gwen", 10**9)["question"]
        page.locator(f"section.asked[data-question='{question['id']}']").wait_for(timeout=120_000)
        page.wait_for_timeout(500)
        page.evaluate(QUESTION)
        answer(table, question, question.get("pass"))
        times.append(page.evaluate("window.shown"))
    one.context.close()
    return {"median": share(times, 0.5), "p95": share(times, 0.95), "turns": turns}


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
    page.get_by_role("button", name="Search the log").click()
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
    from web.browsing import FLAGS, Visitor, chromium, first_turn  # noqa: PLC0415
    from web.test_lasting import GM, long_log  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), workers=2) as served:
        table = served.store.make_campaign("The chronicle", "stage", game_master=GM.title()).table
        long_log(table, given.lines)
        fight = served.store.make_campaign("The bridge", "mars", game_master=GM.title(), seed=1).table
        fight.act(GM, {"do": "scene.begin", "scenario": "together"})
        first_turn(fight)
        with sync_playwright() as playwright:
            # a visitor's browser compiles what runs often and has more processes: too much for the seconds of a test
            flags = [flag for flag in FLAGS if not flag.startswith(("--js-flags", "--enable-features"))]
            browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
            one = Visitor(browser, served.url, viewport={"width": 1280, "height": 900})
            found = measured(one.page, table, given.changes, given.frames, given.lines)
            found |= moving(browser, served, fight, given.frames)
            found["question"] = asked(browser, served, fight, given.turns)
            found["desk"] = painted(browser, served, fight, slow=False)
            found["slow"] = painted(browser, served, fight, slow=True)
            print(json.dumps(found, indent=2))
            browser.close()


if __name__ == "__main__":
    main()
