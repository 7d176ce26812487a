"""Whole fights: in every game two browsers play one to its end by keyboard, with an undo and a secret check."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from conformance.places import at_length
from patience import wait_until
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from web.browsing import Visitor, answer, tools, unfold

GM, PLAYER = "gwen", "petra"
DESK = {"width": 1280, "height": 900}
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
QUICK = ("opend6",)
"""Games that are played in every run: in one a question comes before each turn, in the other inside each attack."""
HEROES = 2
MOST_KEYS = 150
NUMBERS = "all => all.map(one => one.querySelector('.number, .word')?.innerText.trim())"
"""Forms in which an option of a question gives its chance."""


def state(table: Table, seat: str = GM) -> dict[str, Any]:
    """The table as a seat sees it."""
    return table.view(seat, 10**9)


def small_fight(table: Table, system: str) -> None:
    """Begin a fight of two heroes, whom the player plays, against one foe who acts by itself."""
    told = load_scenario(f"{system}:together").to_json()
    first = told["participants"][0]["side"]
    ours = [one for one in told["participants"] if one["side"] == first][:HEROES]
    foe = next(one for one in told["participants"] if one["side"] != first)
    told["participants"] = [*ours, foe]
    for one in ours:
        table.act(GM, {"do": "seat.hand", "who": one["id"], "seat": PLAYER})
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": told, "bots": {foe["side"]: "aggressive"}})


@pytest.mark.parametrize("system", SYSTEMS if at_length() else QUICK)
def test_two_browsers_play_a_fight_to_its_end_by_keyboard(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], system: str
) -> None:
    table = gathered(f"To the end, {system}", system)
    gm, player = sits(table, viewport=DESK), sits(table, "player", PLAYER.title(), viewport=DESK)
    small_fight(table, system)
    page, keys, undone = player.page, 0, False
    while state(table)["scene"]["ended"] is None or state(table)["question"] is not None:
        question = state(table)["question"]
        assert question is not None
        if question["seat"] != PLAYER:  # the game master's: what comes before initiative, or concerns no player
            answer(table, question)
            continue
        if question["kind"] == "roll":  # the table rolls by itself, a few dice at a time, and shows how far it is
            wait_until(lambda: state(table)["question"] != question, "the table has rolled")  # noqa: B023
            continue
        card = open_card(page, table)
        if card is None:
            continue
        if not undone and card.locator(".end").count():
            secret_check(gm.page, page, table)
        keys += 1
        assert keys < MOST_KEYS, f"no end after {MOST_KEYS} keys: {question}"
        if keys > 1:
            page.wait_for_function("() => document.activeElement.closest('section.asked')")  # the focus is never lost
        before = state(table)["last"]
        expect(card.locator(".waiting, .soon")).to_have_count(0)
        told = card.locator(".option").evaluate_all(NUMBERS)
        assert all(told), f"its number, or why it has none: {question}"
        page.keyboard.press("1" if card.locator(".option, .verb .big").count() else "e")
        wait_until(lambda: state(table)["last"] > before, "the key was an answer")  # noqa: B023
        if not undone and any(entry["kind"] == "action" for entry in table.view(GM)["entries"]):
            undone = True
            gm.page.locator(".line.action").first.wait_for()
            rest(page, table)
            take_back(gm.page, page)
    assert undone
    for one in (gm, player):
        expect(one.page.locator("section.summary h2")).to_have_text(
            re.compile("Your side stands|The others stand|Nobody is left standing")
        )
    # one action is one card: none was left half told
    expect(page.locator(".line.action:not(.gone)", has_text=re.compile(r"\.\.\.$"))).to_have_count(0)


def secret_check(gm: Page, player: Page, table: Table) -> None:
    """The game master checks something that the player never hears of."""
    if gm.locator(".column.forms").count():
        return
    tools(gm)
    gm.locator("#roller").select_option(state(table)["scene"]["participants"][-1]["id"])
    gm.locator("details.odds-now li").first.wait_for()
    unfold(gm, "More about the situation")
    gm.locator("#audience").select_option("gm")
    before = state(table)["last"]
    gm.get_by_role("button", name="Roll", exact=True).click()
    wait_until(lambda: rolled(table, GM, before), "the game master has the result")
    assert not rolled(table, PLAYER, before)
    expect(player.locator(".line.check .die")).to_have_count(0)


def open_card(page: Page, table: Table) -> Locator | None:
    """The card of the question that the player is asked, as soon as it can be answered.

    None where the page answers the question itself, because the player chose the answer together with the verb.
    """
    asked = state(table, PLAYER)["question"]
    if asked is None or "id" not in asked:
        return None
    card = page.locator(f"section.asked[data-question='{asked['id']}'][aria-busy=false]")
    wait_until(lambda: card.count() or state(table, PLAYER)["question"] != asked, "the question is on the page")
    return card if card.count() else None


def rest(page: Page, table: Table) -> None:
    """Wait until the page has answered all that was chosen beside the verb, and the table waits for an answer."""
    wait_until(lambda: state(table)["question"] or state(table)["scene"]["ended"], "the table waits")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def rolled(table: Table, seat: str, after: int) -> bool:
    """True if a seat sees a roll after a line."""
    return any("mechanic" in line["fact"] for line in table.lines(seat, after))


def take_back(gm: Page, player: Page) -> None:
    """The game master undoes the last action, and the player sees by whom."""
    number = gm.locator(".line.action").last.get_attribute("data-number")
    last = gm.locator(f".line[data-number='{number}']")
    last.get_by_role("button", name=re.compile("^Undo to here")).press("Enter")
    gm.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(player.locator(".line.gone").first).to_contain_text("taken back by Gwen")
