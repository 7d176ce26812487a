"""After the last blow: who stands, who did what, what is urgent, and rest, loot and experience in one click each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from conformance.places import at_length
from patience import wait_until
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from web.browsing import FORBIDDEN, Visitor, answer

GM = "gwen"
HEROES = 4
DESK = {"width": 1440, "height": 900}


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def fought(table: Table) -> None:
    """A fight of the whole party against one foe, to its end."""
    told = load_scenario("mars:together").to_json()
    first = told["participants"][0]["side"]
    foe = next(
        one for one in told["participants"] if one["side"] != first and "goblin" in str(one["character"]).lower()
    )
    told["participants"] = [one for one in told["participants"] if one["side"] == first] + [foe]
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": told, "bots": {foe["side"]: "careful"}})
    for _ in range(400):
        seen = state(table)
        question = seen["question"]
        if question is None:
            break
        attacks = [one["id"] for one in question.get("options") or () if one["id"].startswith(f"attack:{foe['id']}")]
        option = attacks[0] if attacks else question.get("pass")
        answer(table, question, option)
    assert state(table)["scene"]["ended"] is not None


def test_the_end_of_a_fight_offers_what_comes_next(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """A projector stands on no side, and names those that stand."""
    table = gathered("The last blow", "mars")
    fought(table)
    stand = {who["side"] for who in state(table)["scene"]["participants"] if who["standing"]}
    wall = sits(table, "spectator", "Beamer", viewport=DESK).page.locator("section.summary")
    (side,) = stand
    expect(wall.locator("h2")).to_have_text(f"The {side} {'stand' if side.endswith('s') else 'stands'}")
    expect(wall).not_to_contain_text(re.compile(r"\byours?\b", re.IGNORECASE))
    hero = [who for who in state(table)["scene"]["participants"] if who["standing"]][-1]
    table.act(GM, {"do": "start", "process": "mars.afflict", "with": {"who": hero["id"], "effect": "dying"}})
    one = sits(table, viewport=DESK)
    page = one.page
    summary = page.locator("section.summary")
    expect(summary.locator("h2")).to_have_text("Your side stands")
    people = state(table)["scene"]["participants"]
    expect(summary.locator(".deeds li")).to_have_count(len(people))
    down = [who for who in people if not who["standing"]]
    assert down
    expect(summary.locator(".others li").first).to_contain_text(down[-1]["health"])
    assert (one.flaws_everywhere() if at_length() else one.flaws()) == []
    assert FORBIDDEN.findall(page.locator("body").inner_text()) == []
    one.picture("end")
    expect(summary.get_by_role("button", name=f"Stabilise: {hero['name']}")).to_be_visible()
    expect(summary.locator(".gains")).to_have_text(re.compile(rf"^\d+ experience for each of {HEROES}\.$"))
    # a dying hero cannot rest; the others do
    for name, done in (("Rest now", "Rested"), ("Grant it", "Granted")):
        summary.get_by_role("button", name=name).click()
        expect(summary.get_by_text(done)).to_be_visible()
    last = state(table)["last"]
    summary.get_by_role("button", name="Take what").first.click()
    wait_until(lambda: state(table)["last"] > last, "it is taken")
    # each can be taken back from here
    summary.get_by_role("button", name="Undo", exact=True).last.click()
    page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(page.locator(".line.gone")).not_to_have_count(0)
    # the table is still there behind it
    summary.get_by_role("button", name="Close the summary").click()
    expect(summary).to_have_count(0)
    page.get_by_role("button", name="Show the summary").click()
    expect(summary).to_have_count(1)
    page.set_viewport_size({"width": 390, "height": 844})
    assert not one.is_wide()
    summary.get_by_role("button", name="Go on").click()
    wait_until(lambda: state(table)["scene"] is None, "the scene is closed")
