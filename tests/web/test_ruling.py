"""Journey 4, the game master's side: odds on what is offered, changed lines, harm in part, numbers because I say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from patience import wait_until
from tablewright.lab.fights.forecast import weigh_turn
from tablewright.table import Table
from tablewright.table.advice import session_for
from web.browsing import FORBIDDEN, Visitor, answer, first_turn, settle, tools, unfold

SYSTEM = "stage"
GM = "gwen"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def fight(table: Table) -> None:
    """Begin a fight in which everyone is within reach, and the game master answers for all."""
    if state(table)["scene"]:
        table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "together"})
    first_turn(table)


def test_offered_actions_tell_their_odds(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The odds", SYSTEM)
    fight(table)
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    expect(page.locator(".verb .big", has_text="%").first).to_be_visible()
    session = session_for(table.question_wanted(GM))
    weighed = weigh_turn(session, seat=None)
    assert weighed.best is not None
    page.keyboard.press("/")
    palette = page.get_by_role("dialog", name="All actions")
    # exactly one thing is starred, and it is what is worth most
    star = palette.locator(".entry", has=page.locator(".star"))
    expect(star).to_have_count(1)
    label = next(one["label"] for one in state(table)["question"]["options"] if one["id"] == weighed.best)
    expect(star).to_contain_text(label)
    name, best = max(weighed.offers.items(), key=lambda pair: pair[1].hits)
    label = next(one["label"] for one in state(table)["question"]["options"] if one["id"] == name)
    palette.get_by_role("combobox").fill(label)
    expect(palette.locator(".entry .number").first).to_have_text(f"{round(float(best.hits) * 100)}%")
    page.keyboard.press("Escape")
    expect(page.locator(".verb .big[title]").first).to_be_visible()


def test_a_player_is_told_the_odds_where_the_table_says_so(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Their odds", SYSTEM)

    def is_asked(_: Page) -> None:
        for hero in state(table)["characters"]:
            table.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "ann"})
        fight(table)
        while state(table)["question"]["seat"] != "ann":
            question = state(table)["question"]
            answer(table, question, "end_turn" if "end_turn" in str(question) else None)

    size = {"width": 390, "height": 844}
    player = sits(table, "player", "Ann", viewport=size, color_scheme="dark", first=is_asked)
    page = player.page
    expect(page.locator(".verb .big", has_text="%").first).to_be_visible()
    assert player.flaws("section.asked") == []
    assert not player.is_wide()
    table.act(GM, {"do": "setting.set", "name": "odds", "value": False})
    page.reload()
    page.locator(".verb").first.wait_for()
    settle(page)
    expect(page.locator(".verb .big")).to_have_count(0)
    expect(page.locator(".asked .star")).to_have_count(0)


def test_a_line_is_changed_after_a_look_at_what_that_does(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The bridge at dusk", SYSTEM)
    fight(table)
    first = state(table)["question"]
    attack = next(one for one in first["options"] if one["id"].startswith("attack"))
    assert answer(table, first, attack["id"])
    assert answer(table, state(table)["question"])
    gm = sits(table, viewport={"width": 1280, "height": 900})
    page = gm.page
    line = page.locator(".line.action").last
    expect(line).to_be_visible()
    other = next(one for one in first["options"] if one["id"] == "end_turn")
    line.get_by_role("button", name="Change").press("Enter")  # it is there for the keyboard, wherever the log scrolls
    dialog = page.get_by_role("dialog")
    dialog.locator("select").select_option(other["id"])
    dialog.get_by_role("button", name="Preview").click()
    expect(dialog.locator("li.changes").first).to_be_visible()
    assert gm.flaws("dialog") == []
    gm.picture("change-line")
    before = state(table)["last"]
    dialog.get_by_role("button", name="Do it").click()
    expect(page.locator(".line.gone").first).to_be_visible()
    assert state(table)["last"] > before
    assert state(table)["scene"]["turn"] != first["about"]["who"]
    assert table.is_as_the_log_says()


def until_proposed(table: Table) -> None:
    """Attack until somebody would come to harm."""
    while not state(table)["proposal"]:
        question = state(table)["question"]
        attacks = [one["id"] for one in question.get("options", ()) if one["id"].startswith("attack")]
        answer(table, question, attacks[0] if attacks else None)


def test_harm_is_proposed_and_counts_half(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The bridge by night", SYSTEM)
    gm = sits(table, at="campaign", viewport={"width": 1280, "height": 900})
    page = gm.page
    page.get_by_label("Damage waits for the game master").check()
    wait_until(lambda: state(table)["settings"]["harm"] == "game master", "damage waits")
    page.goto("/about")  # no one looks on until there is something to decide
    fight(table)
    until_proposed(table)
    page.goto(f"/c/{table.id}")
    tools(page)
    for part in ("Half damage", "No damage", "Apply"):
        expect(page.get_by_role("heading", name="Proposed")).to_be_visible()
        expect(page.locator(".proposal li").first).to_be_visible()
        if part.startswith("Half"):
            assert gm.flaws(".proposal") == []
            assert FORBIDDEN.findall(page.locator("body").inner_text()) == []
            gm.picture("proposal")
        seen = table.view(GM, 10**9)["last"]
        page.get_by_role("button", name=part, exact=True).click()
        expect(page.get_by_role("heading", name="Proposed")).to_have_count(0)
        lines = [line["text"] for line in table.lines(GM, seen) if line.get("text")]
        assert any("of it counts for" in text for text in lines) == (part != "Apply"), lines
        if part != "Apply":  # the same blow once more
            undo = {"do": "undo", "line": seen + 1}
            table.act(GM, undo | {"confirm": table.preview(GM, undo)["confirm"]})
            until_proposed(table)


def test_odds_of_degrees_or_better_and_two_more_because_i_say_so(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The say-so", "mars")
    gm = sits(table, viewport={"width": 390, "height": 844})
    page = gm.page
    tools(page)
    page.locator("details.odds-now li").first.wait_for()
    bars = page.locator("details.odds-now .bars")
    # of degrees, or of each and better
    tick = page.get_by_label("this or better")
    tick.check()
    shown = bars.locator("li")
    expect(shown.first).to_contain_text("≥ failure")
    expect(shown.first).to_contain_text("100%")
    shares = [int(text.split()[-1].rstrip("%")) for text in shown.all_inner_texts() if "under" not in text]
    assert shares == sorted(shares, reverse=True)
    of_degrees = page.locator("#check").input_value()
    page.locator("#check").select_option("perception")
    expect(tick).to_have_count(0)  # it succeeds or fails
    page.locator("#check").select_option(of_degrees)
    expect(tick).to_be_checked()  # it stays chosen
    tick.uncheck()
    expect(shown.first).not_to_contain_text("≥")
    page.locator("#check").select_option("perception")
    expect(tick).to_have_count(0)
    before = bars.inner_text()
    page.get_by_role("button", name="+2, my ruling").click()
    expect(bars).not_to_have_text(before, use_inner_text=True)
    page.get_by_label("Because", exact=True).first.fill("the moon is out")
    assert not gm.is_wide()
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator("output.result").wait_for()
    trace = [line["fact"] for line in table.lines(GM) if "mechanic" in line["fact"]][-1]
    parts = trace["tallies"]["roll_value"]["parts"]
    assert ("the moon is out", 2) in [(part["label"], part["changed"]) for part in parts]
    # and one that lasts, until it is taken away again
    unfold(page, "Adjust a roll")
    page.get_by_label("Added to").fill("perception")
    page.locator("#say-value").fill("-3")
    page.locator("#say-reason").fill("fog")
    page.get_by_role("button", name="Apply until changed").click()
    expect(page.locator("li", has_text="fog").first).to_contain_text("−3")
    assert state(table)["scene"]["modifiers"][0]["value"] == -3
    page.get_by_role("button", name="Remove: fog").click()
    expect(page.get_by_role("button", name="Remove: fog")).to_have_count(0)
    assert state(table)["scene"]["modifiers"] == []
