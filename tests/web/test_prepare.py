"""Prepare a fight: who would win, what one change does, and on to a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from conformance.places import at_length
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.system.registry import load_system
from tablewright.lab.fights.forecast import meet
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.simulation import Result
from tablewright.table import Table
from web.browsing import PICTURED, Visitor, settle
from web.conftest import enter

SMALL = "coinfolk"
"""The small system of the tests: its fights are over soon."""

GM = "gwen"
FIGHTS = 12
"""Enough fights to show the effect of a change."""

DESK = {"width": 1440, "height": 900}


def fewer(page: Page, fights: int = FIGHTS) -> None:
    """Have so many fought on the next page instead of a thousand."""
    page.goto("/health")
    page.evaluate(f"sessionStorage.fights = {fights}")


def opened(one: Visitor, fight: str = "together", system: str = SMALL, fights: int = FIGHTS) -> Page:
    """The page with a fight on it, as soon as it was fought."""
    page = one.page
    fewer(page, fights)
    page.goto(f"/prepare?system={system}&fight={fight}")
    settled(page, fights)
    return page


def settled(page: Page, fights: int = FIGHTS) -> None:
    """Wait until so many were fought, and what is shown belongs to what stands there."""
    told = "one fight" if fights == 1 else f"{fights} fights"
    expect(page.get_by_text(told, exact=True)).to_be_visible()
    expect(page.locator(".figures.stale")).to_have_count(0)


def wins(page: Page) -> int:
    """The chance of the first side that the page shows, in percent."""
    text = page.locator(".big").inner_text()
    return {"under 1%": 0, "over 99%": 100}.get(text) or int(text.removesuffix("%"))


def row(page: Page, text: str) -> Any:
    """The row of a change."""
    return page.locator("section", has=page.get_by_role("heading", name="What would one change do?")).locator(
        "li", has_text=text
    )


def test_a_change_shows_its_difference_and_do_it_takes_it_over(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=DESK)
    page = opened(one)
    # blow for blow: exact, and the same as from the lab
    found, _ = meet(load_scenario(f"{SMALL}:together"))
    for side in ("folk", "vermin"):
        own = [meeting.hits for meeting in found if meeting.side == side]
        expect(page.locator(".meeting")).to_contain_text(
            f"{round(float(sum(own)) / len(own) * 100)}% to hit for {side}"
        )
    before = wins(page)
    another = row(page, "Another Rat comes")
    span = re.compile(r"^(between [−+][\d.]+ and [−+][\d.]+|within the margin.*)$")
    expect(another.locator(".between")).to_have_text(span)
    expect(another.locator(".points")).to_contain_text("−")
    expect(another.locator(".chance")).to_contain_text("%")
    chance = another.locator(".chance").inner_text()
    assert one.flaws() == []
    another.get_by_role("button", name="Do it: Another Rat comes").click()
    expect(page.get_by_text("two against three")).to_be_visible()
    settled(page)
    assert wins(page) < before
    expect(page.locator(".big")).to_have_text(chance, use_inner_text=True)  # the same fights with the same dice
    # a lost one, told from beginning to end, with its reasons
    page.get_by_role("button", name="Watch one that was lost").click()
    told = page.get_by_role("dialog")
    expect(told).to_contain_text("Won by the vermin after")
    told.get_by_role("button", name="Why?").first.click()
    expect(told.locator(".why").first).to_be_visible()
    # with the dice of both sides, in their colours
    expect(told.locator(".dice .die.us").first).to_be_visible()
    expect(told.locator(".dice .die.foe").first).to_be_visible()
    assert one.flaws("dialog") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Watch one that was lost")).to_be_focused()


def test_stale_figures_are_greyed_at_once_and_policies_are_chosen(visitor: Callable[..., Visitor]) -> None:
    page = opened(visitor(viewport=DESK), fights=2)
    held: list[Route] = []
    holds = [True]

    def hold(route: Route) -> None:
        held.append(route) if holds else route.fallback()

    page.route("**/v1/jobs", hold)
    page.get_by_role("button", name="Change Rat").click()
    page.get_by_role("menuitem", name="One more like this").click()
    expect(page.locator(".figures.stale")).to_be_visible()  # though nothing was answered yet
    expect(page.locator(".gauge.stale")).to_be_visible()
    expect(page.locator(".people.stale")).to_have_count(2)
    expect(page.locator(".change .points", has_text=re.compile(r"\d"))).to_have_count(0)
    holds.clear()
    for route in held:
        route.fallback()
    expect(page.locator(".figures.stale")).to_have_count(0)
    # a policy counts from the next fight on
    body: Any = None
    for who in ("Ann", "Bob"):
        page.get_by_role("button", name=f"Change {who}").click()
        with page.expect_request(partial(is_fought, who=who.lower())) as sent:
            page.get_by_role("menuitemradio", name="Plays at random").click()
        body = sent.value.post_data_json
    told = {one["id"]: one.get("policy") for one in body["scenario"]["participants"]}
    assert (told["ann"], told["bob"]) == ("random", "random")


def is_fought(request: Request, who: str) -> bool:
    """True if a fight has a character play at random; what one change more would do is not meant."""
    if request.method != "POST" or not request.url.endswith("/v1/jobs"):
        return False
    asked: dict[str, Any] = request.post_data_json or {}
    told = {one["id"]: one.get("policy") for one in asked["scenario"]["participants"]}
    return "before" not in asked and told[who] == "random"


BOXES = """() => [...document.querySelectorAll('.wrap h1, .wrap h2, .people li, .gauge, .told')].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(' ');
})"""


def test_the_band_narrows_and_nothing_else_moves(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    job = job_of(load_scenario(f"{SMALL}:together"), runs=60)
    counts = {fights: job.ring().count(range(fights)) for fights in (6, 60)}
    stopped: list[str] = []

    def so_far(route: Route) -> None:
        if route.request.method == "DELETE":
            stopped.append(route.request.url)
        fights = 60 if stopped else 6
        result = Result(job, counts[fights]).to_json()
        told = {"id": route.request.url.rpartition("/")[2], "state": "cancelled" if stopped else "running"}
        route.fulfill(json=told | {"runs": 1_000, "seconds": 1.0, "result": result})

    page.route("**/v1/jobs/*", so_far)
    page.goto(f"/prepare?system={SMALL}&fight=together")
    expect(page.get_by_text("6 of 1000 fights")).to_be_visible()
    expect(page.locator(".meeting")).not_to_contain_text("counting")

    def band() -> float:
        width: float = page.locator(".band").evaluate("one => one.getBoundingClientRect().width")
        return width

    wide, boxes = band(), page.evaluate(BOXES)
    page.get_by_role("button", name="Stop", exact=True).first.click()
    expect(page.get_by_text("60 fights", exact=True)).to_be_visible()
    assert 0 < band() < wide
    assert page.evaluate(BOXES) == boxes


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_a_first_interval_comes_soon(visitor: Callable[..., Visitor], system: str) -> None:
    """After one fight, with its wide interval; the time itself is measured by ``bench/browser.py``."""
    page = visitor(viewport=DESK).page
    fewer(page, 1)
    page.goto(f"/prepare?system={system}")
    expect(page.locator(".band")).to_be_visible()
    expect(page.locator(".figures")).to_contain_text(re.compile(r"Party, between \d+ and \d+"))
    expect(page.locator("h1")).to_have_text(load_scenario(f"{system}:even").title)
    seen = page.locator("main").inner_text()
    assert not re.search(r"[a-z]+_[a-z]+|->|bot:", seen)


def test_fights_have_names_and_descriptions(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=DESK)
    system = "mars" if at_length() or PICTURED else "marchen"  # the one with the most words, and the quickest
    page = opened(one, "even", system, 24) if PICTURED else opened(one, "easy", system, 1)
    if PICTURED:
        expect(page.locator(".change .points", has_text=re.compile(r"\d"))).to_have_count(3)
        expect(page.locator(".change").get_by_text("counting")).to_have_count(0)
    one.picture("prepare")
    page.get_by_role("button", name=re.compile("^Watch one that was")).last.click()
    expect(page.get_by_role("dialog").locator("li").nth(5)).to_be_visible()
    seen = page.get_by_role("dialog").inner_text()
    assert not re.search(r"[a-z]+_[a-z]+|->|\bdegree |; gives ", seen), "a fight is told in sentences"
    one.picture("replay")
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="dark")
    assert one.flaws() == []
    page.get_by_role("button", name="Other fights").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=load_system(SMALL).title).click()
    scenario = load_scenario(f"{SMALL}:hard")
    entry = dialog.locator(".fight", has_text=scenario.title)
    expect(entry).to_contain_text(scenario.about[:40])
    assert one.flaws("dialog") == []
    entry.click()
    expect(page.locator("h1")).to_have_text(scenario.title)
    expect(page.locator("html")).to_have_attribute("data-game", SMALL)


def test_only_tables_of_the_game_are_offered(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    other, table = gathered("Elsewhere", "stage"), gathered("Right here", "mars")
    one = sits(other)
    enter(one, table, table.host_link("gm").token)
    one.page.locator(".play").wait_for()
    one.page.get_by_role("link", name="Prepare").first.click()
    page = one.page
    expect(page.locator("h1")).to_have_text(load_scenario("mars:even").title)  # as the table where one was
    page.get_by_role("button", name="Save for later").click()
    tables = page.get_by_role("dialog").get_by_label("Table")
    expect(tables.locator("option", has_text="Right here")).to_have_count(1)
    expect(tables.locator("option", has_text="Elsewhere")).to_have_count(0)


def test_on_a_phone_and_in_the_dark(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = opened(one, "together", "renaissance" if at_length() else SMALL, 2)
    expect(page.locator(".meeting b").first).to_be_visible()
    for width in (390, 320, 1024):
        page.set_viewport_size({"width": width, "height": 844})
        settle(page)
        assert not one.is_wide()
        assert (width != 390 and not at_length()) or one.flaws() == []
    page.get_by_role("button", name="Play it now").click(force=True)  # no seat: a touch shows no tooltip
    expect(page.locator(".toast")).to_contain_text("Sit down at a table of this game")
