"""Journey 4, the game master's side: odds on what is offered, changed lines, harm in part, numbers because I say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tablewright.lab.prospects import weigh_turn
from tablewright.table import Table
from tablewright.table.weighing import session_for
from web.browsing import Visitor, first_turn

SYSTEM = "stage"
GM = "gwen"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def fight(table: Table) -> None:
    """Begin a fight in which everybody is within reach, and the game master answers for all."""
    if state(table)["scene"]:
        table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "together"})
    first_turn(table)


def test_offered_actions_tell_their_odds(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The odds", SYSTEM)
    fight(table)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    page = gm.page
    expect(page.locator("button.option .worth:visible", has_text="hits").first).to_be_visible()
    star = page.locator("button.option", has_text="★")
    expect(star).to_have_count(1)
    session = session_for(table.question_wanted(GM))
    weighed = weigh_turn(session, seat=None)
    assert weighed.best is not None
    label = next(one["label"] for one in state(table)["question"]["options"] if one["id"] == weighed.best)
    if "best of those weighed" not in (star.text_content() or ""):  # on a busy machine some are left out
        expect(star).to_contain_text(label)
    name, best = max(weighed.offers.items(), key=lambda pair: pair[1].hits)
    label = next(one["label"] for one in state(table)["question"]["options"] if one["id"] == name)
    chance = "100 %" if best.hits == 1 else f"{float(best.hits) * 100:.1f} %"
    assert f"hits {chance}" in (page.locator("button.option", has_text=label).first.text_content() or "")
    assert page.locator("button.option .worth:visible", has_text="hits").first.get_attribute("title")
    assert gm.flaws() == []


def test_a_player_is_told_the_odds_where_the_table_says_so(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Their odds", SYSTEM)
    player = sits(table, "player", "Ann", viewport={"width": 390, "height": 844}, color_scheme="dark")
    for hero in state(table)["characters"]:
        table.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "ann"})
    fight(table)
    while state(table)["question"]["seat"] != "ann":
        question = state(table)["question"]
        table.act(GM, {"do": "answer", "option": "end_turn" if "end_turn" in str(question) else question["default"]})
    page = player.page
    expect(page.locator("button.option .worth:visible", has_text="hits").first).to_be_visible()
    assert player.flaws() == []
    assert not player.is_wide()
    table.act(GM, {"do": "setting.set", "name": "odds", "value": False})
    page.reload()
    page.locator("button.option:visible").first.wait_for()
    expect(page.get_by_role("button", name="What is it worth?")).to_have_count(0)
    expect(page.locator("button.option .worth")).to_have_count(0)


def test_a_line_is_changed_after_a_look_at_what_that_does(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The change", SYSTEM)
    fight(table)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    page = gm.page
    first = state(table)["question"]
    attack = next(one for one in first["options"] if one["id"].startswith("attack"))
    table.act(GM, {"do": "answer", "option": attack["id"]})
    table.act(GM, {"do": "answer", "option": state(table)["question"]["default"]})
    line = page.locator(".line.choice", has_text="what now? attack").first
    expect(line).to_be_visible()
    other = next(one for one in first["options"] if one["id"] == "end_turn")
    line.get_by_role("button", name="Change this line").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("select").select_option(other["id"])
    assert gm.flaws() == []
    dialog.get_by_role("button", name="See what that does").click()
    expect(dialog.locator("li.changes").first).to_be_visible()
    expect(dialog.locator("li.changes .becomes").first).to_contain_text("what now? end turn")
    expect(dialog).to_contain_text("is dropped")  # what was answered after it
    assert gm.flaws() == []
    gm.picture("change-line")
    before = state(table)["last"]
    dialog.get_by_role("button", name="Do it").click()
    expect(page.locator(".line.choice:not(.gone)", has_text="what now? end turn").first).to_be_visible()
    expect(page.locator(".line.choice.gone", has_text="what now? attack").first).to_be_visible()
    assert state(table)["last"] > before
    assert table.is_as_the_log_says()


def test_harm_is_proposed_and_counts_half(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The harm", SYSTEM)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    page = gm.page
    page.get_by_role("link", name="Campaign").click()
    page.get_by_label("Harm is proposed").check()
    page.get_by_role("link", name="Play", exact=True).click()
    fight(table)
    for part in ("Half of the harm", "None of the harm", "Apply"):
        while not state(table)["proposal"]:
            question = state(table)["question"]
            attacks = [one["id"] for one in question.get("options", ()) if one["id"].startswith("attack")]
            more = {"roll": True} if question["kind"] == "roll" else {"option": (attacks or [question["default"]])[0]}
            table.act(GM, {"do": "answer", **more})
        expect(page.get_by_role("heading", name="This would happen")).to_be_visible()
        expect(page.locator(".proposal li").first).to_be_visible()
        expect(page.locator(".line.proposed").last).to_contain_text("Proposed:")
        if part.startswith("Half"):
            assert gm.flaws() == []
            gm.picture("proposal")
        seen = table.view(GM, 10**9)["last"]
        page.get_by_role("button", name=part, exact=True).click()
        expect(page.get_by_role("heading", name="This would happen")).to_have_count(0)
        lines = [line["text"] for line in table.lines(GM, seen) if line.get("text")]
        assert any("of it counts for" in text for text in lines) == (part != "Apply"), lines


def test_two_more_because_i_say_so(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The say-so", "mars")
    gm = sits(table, viewport={"width": 390, "height": 844})
    page = gm.page
    page.locator("details.odds-now li").first.wait_for()
    page.locator("#check").select_option("perception")
    bars = page.locator("details.odds-now .bars")
    expect(bars).to_contain_text("failure")
    before = bars.inner_text()
    page.get_by_role("button", name="+2 because I say so").click()
    expect(bars).not_to_have_text(before)
    page.get_by_label("Because", exact=True).first.fill("the moon is out")
    assert gm.flaws() == []
    assert not gm.is_wide()
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator("output.result").wait_for()
    trace = [line["fact"] for line in table.lines(GM) if "mechanic" in line["fact"]][-1]
    parts = trace["tallies"]["roll_value"]["parts"]
    assert ("the moon is out", 2) in [(part["label"], part["changed"]) for part in parts]
    # and one that lasts, until it is taken away again
    page.locator("summary", has_text="Because I say so").click()
    page.get_by_label("Added to").fill("perception")
    page.locator("#say-value").fill("-3")
    page.locator("#say-reason").fill("fog")
    page.get_by_role("button", name="It is so from now on").click()
    expect(page.locator("li", has_text="fog").first).to_contain_text("−3")
    assert state(table)["scene"]["modifiers"][0]["value"] == -3
    page.get_by_role("button", name="Remove: fog").click()
    expect(page.get_by_role("button", name="Remove: fog")).to_have_count(0)
    assert state(table)["scene"]["modifiers"] == []


def test_degrees_or_better(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The degrees", "mars")
    page = sits(table).page
    page.locator("details.odds-now li").first.wait_for()
    page.get_by_label("this degree or better").check()
    bars = page.locator("details.odds-now .bars li")
    expect(bars.first).to_contain_text("≥ failure")
    expect(bars.first).to_contain_text("100 %")
    shares = [float(text.split()[-2]) for text in bars.all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
