"""Dice on the page show what the server sent, for every kind of die; their flight ends when a character wants it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from conformance.places import at_length
from tablewright.table import Table
from web.browsing import BUILT, Visitor, build

GM = "gwen"
DESK = {"width": 1280, "height": 900}


@pytest.fixture
def drawing(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> Page:
    """A page with a canvas and the drawing of dice, as it was built."""
    build()
    (module,) = (BUILT.parent / "assets").glob("throwing-*.js")
    page = sits(gathered("A throw", "stage"), viewport=DESK).page
    page.evaluate(
        """async address => { window.dice = await import(address); const canvas = document.createElement('canvas');
        canvas.id = 'paper'; canvas.style.cssText = 'position:fixed;inset:0;width:900px;height:600px';
        document.body.append(canvas) }""",
        f"/assets/{module.name}",
    )
    return page


def test_the_faces_that_were_sent_look_up(drawing: Page) -> None:
    wrong = drawing.evaluate(
        """([kinds, times]) => { const canvas = document.getElementById('paper'); const wrong = [];
        for (const sides of kinds) for (let throwing = 0; throwing < times; throwing += 1) {
            const faces = [0, 1, 2].map(at => (throwing * 7 + at * 13) % sides + (sides === 100 ? 0 : 1));
            const dice = faces.map(face => ({ sides, face, group: face % 2, colour: 'steelblue' }));
            window.dice.throwDice(canvas, dice, { still: true, seed: throwing });
            const two = face => [String(face - face % 10).padStart(2, '0'), String(face % 10)];
            const wanted = faces.flatMap(face => sides === 100 ? two(face) : [String(face)]).join(' ');
            if (canvas.dataset.shown !== wanted) wrong.push([sides, wanted, canvas.dataset.shown]);
        }
        return wrong }""",
        [[4, 6, 8, 10, 12, 20, 100], 100 if at_length() else 40],
    )
    assert wrong == []


def test_a_flight_ends_at_once_when_it_is_ended(drawing: Page) -> None:
    shown = drawing.evaluate(
        """async () => { const canvas = document.getElementById('paper'); delete canvas.dataset.shown;
        let landed = 0; const die = { sides: 20, face: 17, group: 0, colour: 'steelblue' };
        const flight = window.dice.throwDice(canvas, [die], { landed: () => landed += 1 });
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        const before = canvas.dataset.shown ?? ''; flight.finish(); const after = canvas.dataset.shown;
        await new Promise(done => setTimeout(done, 50)); return [before, after, landed] }"""
    )
    assert shown == ["", "17", 1]


def test_a_throw_is_played_once_and_not_again_after_a_reload(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Falling dice", "mars")
    moving = "no-preference"
    page = sits(table, viewport=DESK, first=lambda page: page.emulate_media(reduced_motion=moving)).page
    page.locator(".spot").first.wait_for()
    expect(page.locator(".lines .line").first).to_be_visible()
    table.act(GM, {"do": "start", "process": "table.check", "with": {"who": "aldith", "what": "perception"}})
    tray = page.locator("[data-dice]")
    tray.wait_for()
    page.keyboard.press("Shift")  # any key ends the flight
    expect(page.locator("[data-dice].landed")).to_have_count(1)
    faces = [
        str(face)
        for line in table.lines(GM)
        for step in line["fact"].get("steps", ())
        for face in step.get("faces", ())
    ]
    shown = page.locator("[data-dice] canvas").get_attribute("data-shown") or ""
    assert set(shown.split()) <= set(faces)
    page.keyboard.press("Shift")
    expect(tray).to_have_count(0)
    expect(page.locator(".line.check")).to_have_count(1)
    page.reload()
    expect(page.locator(".line.check")).to_have_count(1)
    expect(tray).to_have_count(0)
