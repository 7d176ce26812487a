"""Words and numbers of the page agree: stars, names of rules, weapons and foes, and tokens on a picture of zones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from patience import wait_until
from table.drawing import drawn
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from tablewright.table.pictures import encode_picture
from web.browsing import DESK, PHONE, Visitor, answer, settle
from web.test_turn import GM, fight, state


def until(table: Table, asked: str) -> dict[str, Any]:
    """Answer until something is asked, and return the question."""
    for _ in range(300):
        question: dict[str, Any] | None = state(table)["question"]
        if question is None:
            fight(table)
        elif question.get("question") == asked:
            return question
        else:
            answer(table, question, question.get("pass"))
    raise AssertionError(f"nobody is asked: {asked}")


def advised(table: Table, page: Page, weighed: list[dict[str, Any]]) -> None:
    """Give the page an advice of ours, for which it asks again where a number is changed."""

    def told(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps({"options": weighed, "left_out": []}))

    page.unroute("**/advice?*")
    page.route("**/advice?*", told)
    with page.expect_response("**/advice?*"):
        more = {"what": "defence", "value": 1, "reason": "sun"}
        table.act(GM, {"do": "start", "process": "table.modify", "with": more})
    page.locator("section.asked .option").first.wait_for()
    expect(page.locator(".option .soon")).to_have_count(0)


def starred(page: Page) -> Locator:
    """The options with a star."""
    return page.locator(".option.best")


def test_kinds_have_an_article_and_a_star_never_contradicts_the_numbers(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Stars over the bridge", "mars")
    fight(table)
    question = until(table, "how to defend?")
    page = sits(table, viewport=DESK).page
    names = {one["id"]: one["name"] for one in state(table)["scene"]["participants"]}
    attacker = f"The {names[question['about']['attacker']]}"
    expect(page.locator("section.asked h2")).to_contain_text(f"{attacker} ")
    expect(page.locator(".line.action .who", has_text=attacker).last).to_be_visible()
    first, second = [option["id"] for option in question["options"][:2]]

    def weighed(id_: str, value: str, chance: str, *, best: bool = False) -> dict[str, Any]:
        return {"id": id_, "value": value, "best": best, "chance": chance}

    # of what comes to the same, the likeliest
    advised(table, page, [weighed(first, "5", "hits 80%", best=True), weighed(second, "5", "hits 30%")])
    expect(starred(page)).to_have_count(1)
    expect(starred(page)).to_contain_text("70%")
    expect(starred(page).locator(".star small")).to_have_count(0)
    # where it is not the likeliest, it says why
    advised(
        table, page, [weighed(first, "9", "hits 80%, 1 damage", best=True), weighed(second, "5", "hits 30%, 6 damage")]
    )
    expect(starred(page)).to_contain_text("20%")
    expect(starred(page).locator(".star small")).to_have_text("less damage")
    # damage that comes for certain is a number too
    advised(table, page, [weighed(first, "5", "16 damage"), weighed(second, "9", "0.8 damage", best=True)])
    expect(page.locator(".option .number").first).to_contain_text("16")
    expect(starred(page).locator(".number")).to_contain_text("0.8")
    # and one that was weighed alone is not the best of several
    advised(table, page, [weighed(second, "9", "hits 30%", best=True)])
    expect(starred(page)).to_have_count(0)


def test_the_one_who_attacks_is_named_where_the_question_does_not(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The stairs of the keep", "stage")
    fight(table, foes=4)
    until(table, "deflect")
    seen = state(table)
    attacker = next(one["name"] for one in seen["scene"]["participants"] if one["id"] == seen["scene"]["turn"])
    page = sits(table, viewport=DESK).page
    expect(page.locator("section.asked h2")).to_contain_text(attacker)
    expect(page.locator("section.asked .duel .portrait")).to_have_count(2)


def struck_back(table: Table) -> dict[str, Any]:
    """Clash until all the damage of an action falls on the one who began it; the entry of that action."""
    for _ in range(300):
        for entry in table.view(GM, 0)["entries"]:
            harmed = {one["who"] for one in entry["after"] if one["sort"] == "harm"}
            if harmed == {entry["who"]} and any(throw["whose"] for throw in entry["dice"]):
                found: dict[str, Any] = entry
                return found
        question = state(table)["question"]
        if question is None:
            fight(table)
            continue
        clashes = [one["id"] for one in question.get("options") or () if one["id"].startswith("clash:")]
        answer(table, question, clashes[0] if clashes and "pass" in question else None)
    raise AssertionError("nobody struck back")


def test_damage_of_a_counter_is_of_the_side_that_dealt_it(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Struck back", "marchen")
    fight(table)
    entry = struck_back(table)
    people = {one["id"]: one["side"] for one in state(table)["scene"]["participants"]}
    ours = people[entry["who"]] == state(table)["scene"]["participants"][0]["side"]
    card = sits(table, viewport=DESK).page.locator(f".line.action[data-number='{entry['lines'][0]}']")
    damage = card.locator(".throw", has=card.page.locator(".what", has_text="damage"))
    expect(damage.locator(".die").first).to_have_class(re.compile(r"\bfoe\b" if ours else r"\bus\b"))
    expect(card.locator(".outcome")).to_have_text("Miss")


def test_two_weapons_of_one_name_are_told_apart(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Two daggers", "mars")
    fight(table)
    for _ in range(200):
        question = state(table)["question"]
        if question is None:
            fight(table)
        elif "pass" in question and any("#2" in one["id"] for one in question["options"]):
            break
        else:
            answer(table, question, question.get("pass"))
    page = sits(table, viewport=DESK).page
    page.locator("section.asked[data-turn] .verb").first.wait_for()
    names = page.locator(".verb .name").all_inner_texts()
    assert len(set(names)) == len(names), names
    page.locator(".middle").click(position={"x": 300, "y": 300})
    page.keyboard.press("Space")
    palette = page.get_by_role("dialog", name="All actions")
    expect(palette.locator(".entry", has_text="second dagger").first).to_be_attached()


def test_a_rule_is_called_by_its_title_beside_its_odds(visitor: Callable[..., Visitor]) -> None:
    page = visitor().page
    page.goto("/odds")
    link = page.locator("p.rules a").first
    expect(link).not_to_have_text("the rule")
    told = page.evaluate("async id => (await (await fetch('/v1/rules/' + id)).json()).title", link_id(link))
    expect(link).to_have_text(told)


def link_id(link: Locator) -> str:
    """Id of the rule behind a link."""
    return str(link.get_attribute("href")).rpartition("/")[2]


def test_tokens_are_put_anywhere_on_the_picture_of_zones(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The house of many rooms", "stage")
    hero = state(table)["characters"][0]["id"]
    told = load_scenario("stage:together").to_json()
    first = told["participants"][0]["side"]
    for one in told["participants"]:
        one["position"] = "zone:hall" if one["side"] == first else "zone:stairs"
    told["ground"] = {"kind": "zones", "zones": ["hall", "stairs"], "links": [["hall", "stairs"]]}
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": told})
    picture = table.add_picture(GM, encode_picture(drawn(size=(400, 300)), "map"))
    table.act(GM, {"do": "map.set", "picture": picture["id"]})
    gm = sits(table, viewport=DESK)
    petra = sits(table, "player", "Petra", viewport=PHONE)
    table.act(GM, {"do": "seat.hand", "who": hero, "seat": "petra"})
    token = gm.page.locator(f"[data-token='{hero}']")
    token.wait_for()
    settle(gm.page)
    token.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        gm.page.keyboard.press(key)
    wait_until(lambda: hero in (state(table)["map"]["tokens"] or {}), "the token was put there")
    x, y = state(table)["map"]["tokens"][hero]
    other = petra.page.locator(f"[data-token='{hero}']")
    expect(other).to_have_attribute("style", f"left: {x / 10:g}%; top: {y / 10:g}%;")
    # whoever plays the character drags it
    box = other.bounding_box()
    board = petra.page.locator(".board").bounding_box()
    assert box is not None
    assert board is not None
    petra.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    petra.page.mouse.down()
    petra.page.mouse.move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 4, steps=4)
    petra.page.mouse.up()
    wait_until(lambda: state(table)["map"]["tokens"][hero] != [x, y], "the token was dragged")
    moved = state(table)["map"]["tokens"][hero]
    assert abs(moved[0] - 500) < 30, moved
    assert abs(moved[1] - 250) < 30, moved
    assert not petra.is_wide()
