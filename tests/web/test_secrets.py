"""Journey 4, who sees what: checks against a secret number, rolls for some, a foe who comes in the middle, zones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from patience import wait_until
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


def heard(one: Visitor) -> list[str]:
    """Everything that reaches this browser from now on, line by line."""
    found: list[str] = []
    one.page.on("websocket", lambda line: line.on("framereceived", lambda told: found.append(str(told))))
    one.page.on("response", lambda answer: found.append(_text(answer)))
    one.page.reload()
    one.page.locator(".play").wait_for()
    return found


def _text(answer: Any) -> str:
    return str(answer.text()) if "/v1/campaigns/" in answer.url and answer.ok else ""


def holds(told: str, number: int) -> bool:
    """True if a number stands somewhere by itself, and not in the middle of an id."""
    return re.search(rf"(?<![\w.-]){number}(?![\w.-])", told) is not None


def test_three_people_are_asked_for_a_check_against_a_secret_number(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The ambush", "mars")
    gm = sits(table, viewport={"width": 1280, "height": 900})
    three = dict(zip(("ann", "bob", "cid"), ("aldith", "brakka", "corin"), strict=True))
    players = [sits(table, "player", seat.title(), viewport={"width": 390, "height": 844}) for seat in three]
    for seat, who in three.items():
        table.act(GM, {"do": "seat.hand", "who": who, "seat": seat})
        table.act(GM, {"do": "seat.set", "seat": seat, "dice": "ask"})
    told = [heard(one) for one in players]
    page = gm.page
    tools(page)
    page.locator("#check").select_option("perception")
    page.get_by_label("Difficulty").first.fill(str(SECRET))
    unfold(page, "More about the situation")
    page.get_by_label("Keep the difficulty and the outcome secret").check()
    asked = page.get_by_role("group", name="Ask others for this check")
    for who in ("Aldith", "Brakka", "Corin"):
        asked.get_by_label(who).check()
    page.get_by_role("button", name="Ask them").click()
    for one in players:  # each is asked, one after the other, and throws their own dice
        expect(one.page.locator("section.asked h2")).to_contain_text("rolls")
        one.page.get_by_role("button", name=re.compile("^Roll d?")).first.click()
        expect(one.page.locator("section.asked")).to_have_count(0)
    traces = [line["fact"] for line in table.lines(GM) if line["fact"].get("mechanic") == "mars.check"]
    assert [trace["arguments"]["difficulty"] for trace in traces] == [SECRET] * 3
    expect(page.locator(".line.check")).not_to_have_count(0)
    assert not any(holds(text, SECRET) for mine in told for text in mine), "the number never left the server"
    for one in players:
        told_in(one.page)
        assert not holds(one.page.content(), SECRET)
        expect(one.page.locator(".lines")).not_to_contain_text("failure")


def test_rolls_for_the_game_master_and_blind_ones(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], tmp_path: Path
) -> None:
    table = gathered("The whispers", "stage")
    desk = {"width": 1280, "height": 900}
    gm = sits(table, viewport=desk)
    ann, bob = sits(table, "player", "Ann", viewport=desk), sits(table, "player", "Bob", viewport=desk)
    table.act(GM, {"do": "seat.hand", "who": "torvald", "seat": "ann"})
    page = ann.page
    for dice, audience in (("17d6", "gm"), ("19d6", "blind"), ("13d6", "public")):
        throw(page, dice, audience)
        expect(gm.page.locator(".line", has_text=dice)).to_have_count(1)
    expect(bob.page.locator(".line", has_text="13d6")).to_have_count(1)
    for dice in ("17d6", "19d6"):
        expect(bob.page.locator(".line", has_text=dice)).to_have_count(0)
    expect(page.locator(".line", has_text="17d6").first).to_be_visible()
    blind = [line for line in table.lines("ann") if "19d6" in str(line)]
    assert not [line for line in blind if line["fact"].get("faces") or line["fact"].get("outcome") is not None]
    # the log for the next session's recap, as each saw it
    for one, secrets in ((gm, True), (bob, False)):
        one.page.get_by_role("link", name="Campaign").click()
        with one.page.expect_download() as coming:
            one.page.get_by_role("button", name="Log as Markdown").click()
        coming.value.save_as(tmp_path / "log.md")
        told = (tmp_path / "log.md").read_text()
        assert told.startswith("# The whispers")
        assert "13d6" in told
        assert ("17d6" in told) == secrets


def test_a_foe_comes_in_the_middle_and_is_hidden_first(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The second wave", "stage")
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "even"})
    first_turn(table)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    watcher = sits(table, "spectator", "Wim", viewport={"width": 1280, "height": 720})
    before = len(state(table)["scene"]["participants"])
    expect(watcher.page.locator(".spot")).to_have_count(before)
    page = gm.page
    tools(page)
    unfold(page, "Bring someone in")
    page.locator("#comes").select_option("guard")
    page.get_by_label("Called").fill("sneak")
    page.get_by_label("Place").fill("6,0")
    page.get_by_label("Hidden from the others").check()
    assert gm.flaws() == []
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".spot")).to_have_count(before + 1)
    expect(page.locator(".spot.hidden")).to_have_count(1)
    table.act(GM, {"do": "throw", "dice": "13d6"})
    expect(watcher.page.locator(".lines .line", has_text="13d6")).to_have_count(1)
    expect(watcher.page.locator(".spot")).to_have_count(before)
    assert "sneak" not in watcher.page.content()
    side = next(one["side"] for one in state(table)["scene"]["participants"] if one["id"] == "sneak")
    assert side != state(table)["scene"]["participants"][0]["side"], "who comes is a foe unless said otherwise"
    page.get_by_role("button", name=re.compile(r"Reveal: .*sneak")).click()
    expect(watcher.page.locator(".spot")).to_have_count(before + 1)


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
    gm = sits(house, viewport={"width": 1280, "height": 900})
    page = gm.page
    scene = state(house)["scene"]
    who = next(
        one["id"] for one in scene["participants"] if one["id"] != scene["turn"] and where(house, one["id"]) == "hall"
    )
    assert gm.flaws() == []
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
    player = sits(house, "player", "Ann", viewport={"width": 390, "height": 844}, color_scheme="dark")
    for hero in state(house)["characters"]:
        house.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "ann"})
    while state(house)["question"]["seat"] != "ann" or "move::" not in str(state(house)["question"]["options"]):
        question = state(house)["question"]
        answer(house, question, "end_turn" if "end_turn" in str(question) else None)
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
