"""An evening at a table of one's own: who plays, what is prepared for them, and what is told to whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, own_sheet, pick, tools, unfold
from web.test_prepare import settled
from web.test_turn import fight

GM = "gwen"
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def own_table(served: Served, title: str, heroes: dict[str, str]) -> Table:
    """A table of its own with characters that no scenario knows."""
    table = served.store.make_campaign(title, "mars", game_master="Gwen").table
    for name, template in heroes.items():
        table.act(GM, {"do": "character.add", "character": template, "id": name})
    return table


def test_players_take_the_place_of_the_party_and_free_play_has_a_title(
    served: Served, sits: Callable[..., Visitor]
) -> None:
    table = own_table(served, "Our own", {"ysabel": "rogue", "odo": "ranger"})
    page = sits(table, viewport=DESK).page
    tools(page)
    expect(page.get_by_label("Use your party")).to_be_checked()
    page.get_by_role("button", name="Begin the encounter").click()
    page.locator("section.asked").wait_for()
    people = state(table)["scene"]["participants"]
    assert {one["id"] for one in people if one["side"] == "party"} == {"ysabel", "odo"}
    places = [one["position"] for one in people]
    assert len(set(places)) == len(places)
    expect(page.get_by_text("is not in this scene")).to_have_count(0)
    # or the party that comes with it
    table.act(GM, {"do": "scene.end", "anyway": True})
    expect(page.get_by_text("No scene is open.")).to_be_visible()
    tools(page)
    page.get_by_label("Use your party").uncheck()
    page.get_by_role("button", name="Begin the encounter").click()
    expect(page.locator(".spot[data-who=brakka]")).to_have_count(1)
    assert "ysabel" not in {one["id"] for one in state(table)["scene"]["participants"]}
    # free play is called as the game master calls it
    table.act(GM, {"do": "scene.end", "anyway": True})
    tools(page)
    page.get_by_role("button", name="Begin free play").click()
    expect(page.locator("header.top")).to_contain_text("Free play")
    tools(page)
    unfold(page, "Begin a scene")
    page.locator("#scene-title").fill("In the tavern")
    page.get_by_role("button", name="Begin free play").click()
    expect(page.locator("header.top")).to_contain_text("In the tavern")


def test_a_fight_is_prepared_for_those_who_play_and_begun_later(served: Served, sits: Callable[..., Visitor]) -> None:
    heroes = {"ysabel": "rogue", "odo": "ranger", "pia": "fighter", "bo": "fighter", "kai": "berserker"}
    table = own_table(served, "The five of us", heroes)
    wim = table.invite(GM, role="spectator", name="Wim").seat
    assert wim is not None
    gm = sits(table, viewport=DESK)
    page = gm.page
    seen = table.cursor(wim)
    page.evaluate("sessionStorage.fights = 1")
    page.get_by_role("navigation").get_by_role("link", name="Prepare").click()
    party = page.locator(".people").first
    page.get_by_role("button", name="Use your party").click()
    expect(party.locator("li")).to_have_count(5)
    expect(page.get_by_role("button", name="Use your party")).to_have_count(0)
    settled(page, 1)
    expect(party.locator("li", has_text="Dilly")).to_contain_text("deals")

    def save(*, again: bool = False) -> None:
        page.get_by_role("button", name="Save for later").click()
        box = page.get_by_role("dialog")
        expect(box.get_by_label("Table")).to_have_value(table.id)
        box.get_by_label("Title").fill("Ambush")
        assert again or gm.flaws("dialog") == []
        box.get_by_role("button", name="Save it").click()
        expect(box).to_have_count(0)

    save()
    assert table.cursor(wim) == seen, "nobody else hears of it"
    assert [one["title"] for one in state(table)["encounters"]] == ["Ambush"]
    # what is taken out, changed and kept again is the same one
    page.get_by_role("button", name="Other fights").click()
    page.get_by_role("dialog").get_by_role("button", name="Ambush").click()
    expect(page.locator("h1")).to_have_text("Ambush")
    expect(party.locator("li")).to_have_count(5)
    page.get_by_role("button", name="Change Wolf").click()
    page.get_by_role("menuitem", name="One more like this").click()
    expect(page.locator(".people b", has_text="Wolf 2")).to_be_visible()
    save(again=True)
    (kept,) = state(table)["encounters"]
    assert "wolf-2" in {one["id"] for one in table.encounter(GM, kept["id"])["scenario"]["participants"]}
    page.get_by_role("button", name="Play it now").click()
    page.get_by_role("dialog").get_by_role("button", name="Begin the fight").click()
    page.wait_for_url(f"**/c/{table.id}")
    people = state(table)["scene"]["participants"]
    assert {one["id"] for one in people if one["side"] == "party"} == set(heroes)
    assert len({one["position"] for one in people}) == len(people)


def test_a_player_without_a_character_is_told_so(served: Served, sits: Callable[..., Visitor]) -> None:
    table = own_table(served, "The newcomers", {"ysabel": "rogue"})
    petra = sits(table, "player", "Petra", viewport=PHONE)
    own_sheet(petra.page)
    box = petra.page.locator(".left")
    told = box.get_by_text("You have no character at this table yet.")
    expect(told).to_be_visible()
    expect(box.get_by_role("link", name="Create a character")).to_have_attribute("href", "/make/mars")
    assert petra.flaws() == []
    assert not petra.is_wide()
    table.act(GM, {"do": "setting.set", "name": "players_add", "value": False})
    expect(box).to_contain_text("The game master hands you one.")
    table.act(GM, {"do": "seat.hand", "who": "ysabel", "seat": "petra"})
    expect(told).to_have_count(0)


def test_a_link_says_whose_it_is(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Many links", "mars")
    page = sits(table, at="campaign", viewport=DESK).page
    for name in ("Ann", "Bo"):
        page.locator("#invite-name").fill(name)
        page.get_by_role("button", name="Make a link").click()
        expect(page.get_by_text(f"Send this link to {name}.")).to_be_visible()
        expect(page.locator("#invite-name")).to_have_value("")
        expect(page.get_by_text("It works only on this machine.")).to_be_visible()
        expect(page.locator(".made svg[role=img]")).to_have_count(0)
    pick(page, "Ann", "New link")
    expect(page.get_by_text("Send this link to Ann.")).to_be_visible()
    assert [one["name"] for one in state(table)["seats"]] == ["Gwen", "Ann", "Bo"]


def test_a_player_takes_home_what_they_have_seen(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Taken home", "mars")
    table.act(GM, {"do": "note.write", "text": "the butler did it", "to": "gm"})
    page = sits(table, "player", "Petra", at="campaign", viewport=PHONE).page
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export everything you have seen").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert "Taken home" in text
    assert "butler" not in text


def test_a_game_master_is_not_told_to_wait_where_they_may_roll(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("In between", "mars")

    def fights(_: Page) -> None:
        table.act(GM, {"do": "seat.hand", "who": "aldith", "seat": "petra"})
        fight(table)

    petra = sits(table, "player", "Petra", viewport=PHONE, first=fights)
    first = "A question is open; it has to be answered first."
    gm = sits(table, viewport=DESK)
    gm.page.locator("section.asked, section.waiting").first.wait_for()
    tools(gm.page)
    expect(gm.page.get_by_text(first)).to_have_count(0)
    roll = gm.page.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_be_enabled()
    roll.click()
    expect(gm.page.locator("output.result")).to_contain_text(
        re.compile(" at [A-Z]")
    )  # a sentence, not the fields of the result
    own_sheet(petra.page)
    petra.page.get_by_role("button", name="Roll a check").click()
    expect(petra.page.get_by_text(first)).to_be_visible()
    expect(petra.page.get_by_role("button", name="Roll", exact=True)).to_be_disabled()
