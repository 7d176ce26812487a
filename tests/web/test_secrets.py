"""Journey 4, who sees what: checks against a secret number, rolls for some, a foe who comes in the middle, zones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from patience import wait_until
from server.serving import Served
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from web.browsing import Visitor, answer, first_turn, throw, tools, unfold
from web.browsing import told as told_in

GM = "gwen"
SECRET = 83
"""A number that no roll of the system comes to."""


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def hear(page: Page, found: list[str]) -> None:
    """Write down everything that reaches a browser from now on, line by line."""
    page.on("websocket", lambda line: line.on("framereceived", lambda told: found.append(str(told))))
    page.on("response", lambda answer: found.append(_text(answer)))


def _text(answer: Any) -> str:
    return str(answer.text()) if "/v1/campaigns/" in answer.url and answer.ok else ""


def holds(told: str, number: int) -> bool:
    """True if a number stands somewhere by itself, and not in the middle of an id."""
    return re.search(rf"(?<![\w.-]){number}(?![\w.-])", told) is not None


def test_three_people_are_asked_for_a_check_against_a_secret_number(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """One of them looks at a page of her own; of the others counts what reaches their seats."""
    table = gathered("The ambush", "mars")
    three = dict(zip(("ann", "bob", "cid"), ("aldith", "brakka", "corin"), strict=True))
    told: list[str] = []

    def are_seated(page: Page) -> None:
        for seat, who in three.items():
            if seat != "ann":
                table.invite(GM, role="player", name=seat.title())
            table.act(GM, {"do": "seat.hand", "who": who, "seat": seat})
            table.act(GM, {"do": "seat.set", "seat": seat, "dice": "ask"})
        hear(page, told)

    ann = sits(table, "player", "Ann", viewport={"width": 390, "height": 844}, first=are_seated)
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    tools(page)
    page.locator("#check").select_option("perception")
    page.get_by_label("Difficulty").first.fill(str(SECRET))
    unfold(page, "More about the situation")
    page.get_by_label("Keep the difficulty and the outcome secret").check()
    asked = page.get_by_role("group", name="Ask others for this check")
    for who in ("Aldith", "Brakka", "Corin"):
        asked.get_by_label(who).check()
    page.get_by_role("button", name="Ask them").click()
    # each is asked, one after the other, and throws their own dice
    expect(ann.page.locator("section.asked h2")).to_contain_text("rolls")
    ann.page.get_by_role("button", name=re.compile("^Roll d?")).first.click()
    expect(ann.page.locator("section.asked")).to_have_count(0)
    for seat in ("bob", "cid"):
        wait_until(lambda: (state(table)["question"] or {}).get("seat") == seat, f"{seat} is asked")  # noqa: B023
        assert answer(table, table.view(seat)["question"], gm=seat)
    traces = [line["fact"] for line in table.lines(GM) if line["fact"].get("mechanic") == "mars.check"]
    assert [trace["arguments"]["difficulty"] for trace in traces] == [SECRET] * 3
    expect(page.locator(".line.check")).not_to_have_count(0)
    told_in(ann.page)
    expect(ann.page.locator(".lines .line.check")).not_to_have_count(0)
    assert told
    assert not any(holds(text, SECRET) for text in told), "the number never left the server"
    assert not holds(ann.page.content(), SECRET)
    expect(ann.page.locator(".lines")).not_to_contain_text("failure")
    for seat in ("bob", "cid"):
        reached = json.dumps((table.view(seat), table.lines(seat)))
        assert not holds(reached, SECRET), seat
        assert "failure" not in str([line["text"] for line in table.lines(seat)]), seat


def test_rolls_for_the_game_master_and_blind_ones(
    served: Served, gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The whispers", "stage")
    gm = served.enter(table.host_link("gm").token)
    bob = served.enter(table.invite(GM, role="player", name="Bob").token)
    page = sits(table, "player", "Ann", viewport={"width": 1280, "height": 900}).page
    table.act(GM, {"do": "seat.hand", "who": "torvald", "seat": "ann"})
    for dice, audience in (("17d6", "gm"), ("19d6", "blind"), ("13d6", "public")):
        throw(page, dice, audience)
        wait_until(lambda: dice in str(table.lines(GM)), "it is thrown")  # noqa: B023
    heard = str(table.lines("bob"))
    assert [dice in heard for dice in ("17d6", "19d6", "13d6")] == [False, False, True]
    expect(page.locator(".line", has_text="17d6").first).to_be_visible()
    blind = [line for line in table.lines("ann") if "19d6" in str(line)]
    assert not [line for line in blind if line["fact"].get("faces") or line["fact"].get("outcome") is not None]
    # the log for the next session's recap, as each saw it
    page.get_by_role("link", name="Campaign").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Log as Markdown").click()
    own = coming.value.path().read_text(encoding="utf-8")
    others = [one.client.get(f"{one.base}/log").text for one in (gm, bob)]
    for told, secrets in zip((own, *others), (True, True, False), strict=True):
        assert told.startswith("# The whispers")
        assert "13d6" in told
        assert ("17d6" in told) == secrets


def test_a_foe_comes_in_the_middle_and_is_hidden_first(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The second wave", "stage")
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "together"})
    first_turn(table)
    wim = table.invite(GM, role="spectator", name="Wim").seat
    assert wim is not None
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    before = len(state(table)["scene"]["participants"])
    tools(page)
    unfold(page, "Bring someone in")
    page.locator("#comes").select_option("guard")
    page.get_by_label("Called").fill("sneak")
    page.get_by_label("Place").fill("6,0")
    page.get_by_label("Hidden from the others").check()
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".spot")).to_have_count(before + 1)
    expect(page.locator(".spot.hidden")).to_have_count(1)
    assert len(table.view(wim)["scene"]["participants"]) == before
    assert "sneak" not in str((table.view(wim), table.lines(wim)))
    side = next(one["side"] for one in state(table)["scene"]["participants"] if one["id"] == "sneak")
    assert side != state(table)["scene"]["participants"][0]["side"], "who comes is a foe unless said otherwise"
    page.get_by_role("button", name=re.compile(r"Reveal: .*sneak")).click()
    wait_until(lambda: len(table.view(wim)["scene"]["participants"]) == before + 1, "everyone sees it")


@pytest.fixture(scope="module")
def house(gathered: Callable[..., Table]) -> Table:
    """A fight in a house of three zones."""
    table = gathered("The house", "stage")
    table.act(GM, {"do": "scene.end", "anyway": True})
    told = load_scenario("stage:together").to_json()
    rooms = ["hall", "stairs", "loft"]
    first = told["participants"][0]["side"]
    for one in told["participants"]:
        one["position"] = "zone:hall" if one["side"] == first else "zone:stairs"
    told["ground"] = {"kind": "zones", "zones": rooms, "links": [rooms[:2], rooms[1:]]}
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": told})
    return table


def where(table: Table, who: str) -> str:
    """In which zone a character is."""
    found = next(one["position"] for one in state(table)["scene"]["participants"] if one["id"] == who)
    return str(found).removeprefix("zone:")


def chip(page: Page, who: str) -> Any:
    """A token in a zone."""
    return page.locator(f".zone [data-who='{who}']")


def test_tokens_in_zones_are_dragged_and_moved_by_keyboard(house: Table, sits: Callable[..., Visitor]) -> None:
    page = sits(house, viewport={"width": 1280, "height": 900}).page
    scene = state(house)["scene"]
    who = next(
        one["id"] for one in scene["participants"] if one["id"] != scene["turn"] and where(house, one["id"]) == "hall"
    )
    box, goal = chip(page, who).bounding_box(), page.locator(".zone[data-zone=loft]").bounding_box()
    assert box is not None
    assert goal is not None
    page.mouse.move(box["x"] + 15, box["y"] + 15)
    page.mouse.down()
    page.mouse.move(goal["x"] + 20, goal["y"] + 20, steps=4)
    page.mouse.up()
    expect(page.locator(".zone[data-zone=loft]").locator(f"[data-who='{who}']")).to_have_count(1)
    wait_until(lambda: where(house, who) == "loft", "they are in the loft")
    chip(page, who).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".zone[data-zone=stairs]").locator(f"[data-who='{who}']")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".zone[data-zone=loft]").locator(f"[data-who='{who}']")).to_have_count(1)
    assert where(house, who) == "loft"
    chip(page, who).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    wait_until(lambda: where(house, who) == "stairs", "they are on the stairs")


def test_a_zone_is_an_option_of_the_question(house: Table, sits: Callable[..., Visitor]) -> None:

    def is_asked(_: Page) -> None:
        for hero in state(house)["characters"]:
            house.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "ann"})
        while state(house)["question"]["seat"] != "ann" or "move::" not in str(state(house)["question"]["options"]):
            question = state(house)["question"]
            answer(house, question, "end_turn" if "end_turn" in str(question) else None)

    size = {"width": 390, "height": 844}
    player = sits(house, "player", "Ann", viewport=size, color_scheme="dark", first=is_asked)
    actor = state(house)["question"]["about"]["who"]
    page = player.page
    expect(page.locator(".zone.open")).not_to_have_count(0)
    goal = page.locator(".zone.open").first
    name = goal.get_attribute("data-zone")
    page.locator(".zone .who > b").first.wait_for()  # the chances have come
    assert player.flaws() == []
    assert not player.is_wide()
    player.picture("zones-phone")
    goal.get_by_role("button").last.click()
    expect(page.locator(f".zone[data-zone='{name}'] [data-who='{actor}']")).to_have_count(1)
    assert where(house, actor) == name
    others = [one["id"] for one in state(house)["scene"]["participants"] if one["id"] != actor]
    assert page.locator(f".zone [data-who='{others[0]}'].movable").count() == 0, "others are not theirs to move"
