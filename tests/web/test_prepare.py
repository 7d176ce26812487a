"""Journey 3: prepare an encounter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tablewright.game.scenario import load_scenario
from tablewright.lab.jobs import job_of
from tablewright.lab.prospects import meet
from tablewright.lab.simulating import Result
from tablewright.table import Table
from web.browsing import Visitor

SMALL = "coinfolk"
"""The small system of the tests: its fights are over soon."""

GM = "gwen"
FIGHTS = 60
"""So many are enough to show what a change does."""


def wins(page: Page, side: str) -> float:
    """The chance to win that the page shows."""
    row = page.locator("ul.wins li", has_text=side).locator(".number")
    return float(row.inner_text().removesuffix("%"))


def fight(page: Page, fights: int = FIGHTS) -> None:
    """Have so many fought instead of a thousand, and watch until they are."""

    def fewer(route: Route) -> None:
        asked: dict[str, Any] = route.request.post_data_json or {}
        route.continue_(post_data=json.dumps(asked | {"runs": fights}))

    page.route("**/v1/jobs", fewer)
    with page.expect_response(lambda one: "/v1/jobs/" in one.url and one.json()["state"] == "done"):
        page.get_by_role("button", name="How would it go?").click()
    expect(page.get_by_text(f"{fights} fights in")).to_be_visible()


def opened(one: Visitor) -> Page:
    """The page with the small encounter on it."""
    page = one.page
    page.goto("/prepare")
    page.locator("section.card li").first.wait_for()
    page.locator("#system").select_option(SMALL)
    page.locator(".entrants b", has_text="Ann").wait_for()  # its own scenarios are there to choose from
    page.locator("#begin-with").select_option("together")
    page.locator(".entrants b", has_text="Bob").wait_for()
    return page


def test_estimate_change_one_thing_and_see_what_it_does(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1280, "height": 900})
    page = opened(one)
    # blow for blow: exact, and the same as from the lab
    found, _ = meet(load_scenario(f"{SMALL}:together"))
    for side in ("folk", "vermin"):
        own = [meeting.hits for meeting in found if meeting.side == side]
        expect(page.locator(".meeting")).to_contain_text(f"{side} hit")
        expect(page.locator(".meeting")).not_to_contain_text("looking further")
        told = re.search(rf"{side} hit ([0-9.]+) %", page.locator(".meeting").inner_text())
        assert told is not None
        assert float(told[1]) == pytest.approx(float(sum(own)) / len(own) * 100, abs=0.051)
    fight(page)
    before = wins(page, "vermin")
    # one more of them: fought in pairs, and the difference has an interval of its own
    page.get_by_role("button", name="One more like this: rat").click()
    expect(page.locator(".entrants li")).to_have_count(5)
    fight(page)
    expect(page.locator(".changed").first).to_be_visible()
    assert wins(page, "vermin") > before
    expect(page.locator("ul.wins li", has_text="vermin").locator(".changed")).to_contain_text("+")
    assert one.flaws() == []
    # a lost one, told from beginning to end, with its reasons
    page.get_by_role("button", name="Show a lost one").click()
    expect(page.locator("#replay-heading")).to_contain_text("vermin won")
    expect(page.locator("#replay-heading")).to_be_focused()
    page.locator(".replay .line.rule").first.get_by_role("button", name="Why?").click()
    expect(page.locator(".replay .why .die").first).to_be_visible()
    assert one.flaws() == []
    page.locator(".replay").scroll_into_view_if_needed()
    one.picture("replay")


WATCH = """() => {
    window.seen = [];
    new MutationObserver(() => {
        const told = document.querySelector('ul.wins li .about')?.textContent ?? '';
        const found = /between ([0-9.]+) % and ([0-9.]+) %/.exec(told);
        const numbers = [...document.querySelectorAll('[role=status]')].map(one => parseInt(one.textContent));
        const fights = numbers.find(Number.isFinite);
        if (found && fights) window.seen.push([fights, Number(found[1]), Number(found[2])]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_a_first_estimate_grows_narrower_until_one_stops_it(visitor: Callable[..., Visitor]) -> None:
    page = opened(visitor(viewport={"width": 1280, "height": 900}))
    job = job_of(load_scenario(f"{SMALL}:together"), runs=200)
    counts = {fights: job.ring().count(range(fights)) for fights in (10, 200)}
    stopped: list[str] = []

    def so_far(route: Route) -> None:
        if route.request.method == "DELETE":
            stopped.append(route.request.url)
        fights = 200 if stopped else 10
        result = Result(job, counts[fights]).to_json()
        told = {"id": route.request.url.rpartition("/")[2], "state": "cancelled" if stopped else "running"}
        route.fulfill(json=told | {"runs": 1_000, "seconds": 1.0, "result": result})

    page.route("**/v1/jobs/*", so_far)
    page.evaluate(WATCH)
    page.get_by_role("button", name="How would it go?").click()
    expect(page.get_by_text("10 of up to 1000 fights")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("200 fights in")).to_be_visible()
    assert len(stopped) == 1
    seen = page.evaluate("seen")
    widths = [high - low for _, low, high in seen]
    assert list(dict.fromkeys([fights for fights, _, _ in seen])) == [10, 200]
    assert widths[0] > widths[-1] > 0


def test_a_demo_encounter_of_a_real_system(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 1280, "height": 900})
    page = one.page
    page.goto("/prepare")
    page.locator(".entrants li").first.wait_for()
    page.locator("#system").select_option("mars")
    page.locator(".entrants b", has_text="Aldith").wait_for()
    fight(page, 8)
    low, high = re.findall(r"[0-9.]+(?= %)", page.locator("ul.wins li .about").first.inner_text())[:2]
    assert 0 <= float(low) < float(high) <= 100
    expect(page.locator(".people tbody tr")).to_have_count(8)
    assert one.flaws() == []
    one.picture("prepare")


def test_how_they_play_is_chosen_and_matters(visitor: Callable[..., Visitor]) -> None:
    page = opened(visitor(viewport={"width": 1280, "height": 900}))
    offered = page.get_by_label("Plays: ann").locator("option").all_inner_texts()
    assert set(offered) >= {"aggressive", "best", "careful", "random"}
    page.get_by_label("Plays: ann").select_option("random")
    page.get_by_label("Plays: bob").select_option("random")
    with page.expect_request("**/v1/jobs") as sent:
        page.get_by_role("button", name="How would it go?").click()
    body: Any = sent.value.post_data_json
    told = {one["id"]: one.get("policy") for one in body["scenario"]["participants"]}
    assert (told["ann"], told["bob"]) == ("random", "random")
    expect(page.locator("ul.wins li").first).to_be_visible()


def test_an_encounter_is_kept_hidden_and_begun_later(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The pantry", SMALL)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    watcher = sits(table, "spectator", "Wim")
    seen = table.cursor("wim")
    page = opened(gm)
    page.get_by_role("button", name="One more like this: rat").click()
    page.locator("#keep-at").select_option(label="The pantry")
    page.get_by_label("Title", exact=True).fill("The cellar")
    page.get_by_role("button", name="Keep it hidden").click()
    expect(page.get_by_role("button", name="The cellar")).to_be_visible()
    assert table.cursor("wim") == seen, "nobody else hears of it"
    expect(watcher.page.get_by_text("The cellar")).to_have_count(0)
    # brought back to change it, and begun at the table
    page.locator("#begin-with").select_option("even")
    page.get_by_role("button", name="The cellar").click()
    expect(page.locator(".entrants li")).to_have_count(5)
    page.goto(f"/c/{table.id}")
    page.locator(".lines .line").first.wait_for()
    page.get_by_text("Begin a scene").click()
    page.get_by_label("Prepared before").select_option(label="The cellar")
    page.get_by_role("button", name="Begin what was prepared").click()
    expect(page.locator(".order li", has_text="Rat")).to_have_count(2)
    assert gm.flaws() == []
    assert table.view(GM)["scene"]["form"] == "encounter"


def test_only_tables_of_the_system_are_offered(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    other, table = gathered("Elsewhere", "stage"), gathered("Right here", "mars")
    one = sits(other)
    one.page.goto(f"/#{table.host_link('gm').token}")
    one.page.wait_for_url(f"**/c/{table.id}")
    one.page.locator(".lines .line").first.wait_for()
    page = one.page
    page.get_by_role("link", name="Prepare").click()
    expect(page.locator("#system")).to_have_value("mars")  # as the table where one was
    expect(page.locator("#keep-at option", has_text="Right here")).to_have_count(1)
    expect(page.locator("#keep-at option", has_text="Elsewhere")).to_have_count(0)
    page.locator("#system").select_option("stage")
    expect(page.locator("#keep-at option", has_text="Elsewhere")).to_have_count(1)
    expect(page.locator("#keep-at option", has_text="Right here")).to_have_count(0)


def test_on_a_phone(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport={"width": 390, "height": 844}, color_scheme="dark")
    one.page.goto("/prepare")
    one.page.locator(".entrants li").first.wait_for()
    one.page.locator(".meeting b").first.wait_for()
    assert one.flaws() == []
    assert not one.is_wide()
