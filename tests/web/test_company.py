"""A game master among others: whose question it is, who is at the door, who is left out, who comes on which side."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from conformance.places import at_length
from tablewright.table import Table
from web.browsing import Visitor, answer, first_turn, own_sheet, tools, unfold

GM = "gwen"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def fight(table: Table, scenario: str = "even") -> None:
    """Another scene, a fight."""
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": scenario})


def until(table: Table, seat: str) -> None:
    """Answer until a character is asked what to do."""
    for _ in range(200):
        question = state(table)["question"]
        if question["seat"] == seat and question["kind"] == "choice":
            return
        ends = next((one["id"] for one in question.get("options", ()) if one["id"].startswith("end")), None)
        answer(table, question, ends)
    raise AssertionError(f"{seat} is never asked")


def test_a_present_player_answers_their_own_questions(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Whose turn", "stage")

    def is_asked(_: Page) -> None:
        for hero in state(table)["characters"]:
            table.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "petra"})
        fight(table, "together")
        until(table, "petra")

    petra = sits(table, "player", "Petra", viewport=PHONE, first=is_asked)
    gm = sits(table, viewport=DESK, color_scheme="dark")
    page, waiting = gm.page, gm.page.locator("section.waiting")
    answers = ".asked .option, .asked .verb"
    expect(waiting).to_contain_text("Petra chooses")
    expect(page.locator(answers)).to_have_count(0)
    expect(page.locator("button.goal")).to_have_count(0)
    assert gm.flaws("section.waiting") == []
    if at_length():
        page.emulate_media(color_scheme="light")
        expect(page.locator("html")).to_have_attribute("data-mode", "light")
        assert gm.flaws("section.waiting", colours_only=True) == []
    expect(petra.page.locator(answers).first).to_be_visible()
    page.get_by_role("button", name="Answer for Petra").click()
    expect(page.locator(answers).first).to_be_visible()
    expect(waiting).to_have_count(0)
    # once she has gone, no one waits for her
    until(table, "petra")
    petra.page.goto("/rules")
    expect(page.locator(answers).first).to_be_visible()
    expect(waiting).to_have_count(0)


def test_a_newcomer_at_the_door_is_announced_on_the_play_page(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], visitor: Callable[..., Visitor]
) -> None:
    table = gathered("The door", "mars")
    gm = sits(table, viewport=PHONE)
    guest = visitor(viewport=PHONE)
    guest.page.goto(f"/#{table.invite(GM, role='player').token}")
    name = guest.page.get_by_label("Your name at the table")
    name.fill("   ")
    guest.page.get_by_role("button", name=re.compile("^Sit down")).click()
    expect(guest.page.get_by_text("This link was used")).to_have_count(0)
    name.fill("Bea")
    guest.page.get_by_role("button", name=re.compile("^Sit down")).click()
    expect(guest.page.get_by_text("at the door")).to_be_visible()
    tools(gm.page)
    door = gm.page.locator(".door")
    expect(door).to_contain_text("Bea wants to join")
    expect(door).to_be_in_viewport(ratio=1)
    assert gm.flaws(".door") == []
    assert not gm.is_wide()
    gm.page.get_by_role("button", name="Let in: Bea").click()
    expect(door).to_have_count(0)
    expect(guest.page.locator("h1")).to_contain_text("The door")


def test_a_person_sent_away_from_the_door_is_told_so(
    gathered: Callable[..., Table], visitor: Callable[..., Visitor]
) -> None:
    table = gathered("The shut door", "mars")
    guest = visitor(viewport=PHONE)
    guest.page.goto(f"/#{table.invite(GM, role='player').token}")
    guest.page.get_by_label("Your name at the table").fill("Bea")
    guest.page.get_by_role("button", name=re.compile("^Sit down")).click()
    expect(guest.page.get_by_text("at the door")).to_be_visible()
    (bea,) = [one["id"] for one in table.view(GM)["seats"] if one["name"] == "Bea"]
    table.act(GM, {"do": "seat.remove", "seat": bea})
    expect(guest.page.get_by_role("alert")).to_contain_text("This seat is not open")
    expect(guest.page.get_by_text("at the door")).to_have_count(0)


def test_a_new_character_is_brought_into_the_scene(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The newcomer", "mars")

    def comes(_: Page) -> None:
        table.act(GM, {"do": "character.add", "character": "rogue", "id": "newcomer"})
        table.act(GM, {"do": "seat.hand", "who": "newcomer", "seat": "petra"})

    petra = sits(table, "player", "Petra", viewport=PHONE, first=comes)
    gm = sits(table, viewport=DESK)
    name = "Dilly"
    own_sheet(petra.page)
    petra.page.get_by_role("button", name="Roll a check").click()
    expect(petra.page.locator("section.check")).to_contain_text("is not in this scene. The game master")
    expect(petra.page.get_by_text("You have no character here.")).to_have_count(0)
    tools(gm.page)
    expect(gm.page.get_by_text(f"{name} is not in this scene.")).to_be_visible()
    gm.page.get_by_role("button", name=f"Bring in: {name}").click()
    expect(petra.page.locator("#roller option")).to_have_count(1)
    expect(gm.page.get_by_text(f"{name} is not in this scene.")).to_have_count(0)
    # in a fight they come to their own people as well
    fight(table)
    gm.page.get_by_role("button", name=f"Bring in: {name}").click()
    expect(gm.page.get_by_text(f"{name} is not in this scene.")).to_have_count(0)
    sides = {one["id"]: one["side"] for one in state(table)["scene"]["participants"]}
    assert sides["newcomer"] == sides["aldith"]


def test_friends_come_to_their_party_and_foes_against_it_under_any_name(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Two sides", "mars")
    page = sits(table, viewport=DESK).page
    tools(page)
    unfold(page, "Bring someone in")
    page.locator("#comes").select_option("bandit")
    page.get_by_label("Called").fill("Jörg the Older")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator(".spot", has_text="Older")).to_have_count(1)
    people = {one["id"]: one for one in state(table)["scene"]["participants"]}
    assert people["jorg-the-older"]["name"] == "Jörg the Older"
    assert people["jorg-the-older"]["side"] != people["aldith"]["side"], "also in free play"
    # a character of the campaign comes to a fight where the scenario has a party of its own
    table.act(GM, {"do": "character.add", "character": "rogue", "id": "friend"})
    fight(table)
    first_turn(table)
    expect(page.locator(".order li.now")).to_have_count(1)
    page.locator("details:has(#comes)").evaluate("details => { details.open = true }")
    page.locator("#comes").select_option("friend")
    page.get_by_role("button", name="Bring in", exact=True).click()
    expect(page.locator("#comes option[value=friend]")).to_have_count(0)
    sides = {one["id"]: one["side"] for one in state(table)["scene"]["participants"]}
    assert sides["friend"] == sides["aldith"]


def test_namesakes_are_told_apart(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The twins", "mars")
    fight(table)
    for one, place in (("grimfang", "1,1"), ("zweizahn", "2,2")):
        table.act(
            GM, {"do": "join", "entrant": {"character": "goblin", "id": one, "side": "raiders", "position": place}}
        )
    page = sits(table, viewport=DESK).page
    tools(page)
    goblins = [one["id"] for one in state(table)["scene"]["participants"] if one["name"] == "Goblin"]
    assert len(goblins) == 3
    for number, one in enumerate(goblins, 1):
        expect(page.locator(f".spot[data-who='{one}'] .name")).to_have_text(f"Goblin {number}")
        expect(page.locator(f"#roller option[value='{one}']")).to_have_text(f"Goblin {number}")
    names = page.locator(".spot .name").all_text_contents()
    assert len(set(names)) == len(names)


def test_a_fight_that_begins_and_the_newest_line_are_in_sight(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("In sight", "mars")
    for number in range(15):
        table.act(GM, {"do": "throw", "dice": f"{number + 1}d6"})
    page = sits(table, viewport=DESK).page
    expect(page.locator(".line").last).to_be_in_viewport(ratio=0.95)
    tools(page)
    unfold(page, "Begin a scene")
    page.get_by_label("The other side acts by itself").uncheck()
    page.get_by_role("button", name="Begin the encounter").click()
    expect(page.locator("#asked-heading")).to_be_in_viewport(ratio=1)
    expect(page.locator(".scene-map")).to_be_in_viewport()
    expect(page.locator(".line").last).to_be_in_viewport(ratio=0.95)
    assert page.evaluate("scrollY") == 0


def test_a_table_with_nobody_says_where_to_begin(served: Any, visitor: Callable[..., Visitor]) -> None:
    made = served.store.make_campaign("The empty one", "mars", game_master="Gwen")
    page = visitor(viewport=PHONE).page
    page.goto(f"/#{made.invitation.token}")
    page.wait_for_url("**/c/*")
    page.get_by_role("button", name="Begin a scene").click()
    expect(page.get_by_role("button", name="Begin free play")).to_be_disabled()
    expect(page.get_by_text("Nobody is part of the campaign yet.")).to_be_visible()
    page.locator("#begin-scene").get_by_role("link", name="Make a character").click()
    page.wait_for_url("**/make/mars")
    page.get_by_role("link", name="Play", exact=True).locator("visible=true").click()
    expect(page.locator("h1")).to_contain_text("The empty one")
