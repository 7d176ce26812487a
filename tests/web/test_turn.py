"""A turn at the table: one click for an attack, one for a defence, in every game; the same by map, palette and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from conformance.places import at_length
from patience import wait_until
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from web.browsing import DESK, FORBIDDEN, PHONE, Visitor, answer, settle, told, wait_in

GM = "gwen"
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
MOST_AT_ONCE = 4
BRIDGES = {
    "marchen": "The bridge in the wood",
    "mars": "The toll bridge",
    "opend6": "The bridge at the mill",
    "renaissance": "The bridge over the pass",
    "stage": "The bridge of sighs",
}
"""Titles as a table would have them; they are on the pictures of the docs."""
LABELS = "all => all.map(one => one.getAttribute('aria-label'))"


def state(table: Table) -> dict[str, Any]:
    """The table as its game master sees it."""
    return table.view(GM, 10**9)


def fight(table: Table, scenario: str = "together", foes: int = 2) -> None:
    """Begin a fight of the party against two, who act by themselves and cannot win before anyone has a turn."""
    found = load_scenario(f"{table.view(GM)['campaign']['system']}:{scenario}")
    told, other = found.to_json(), found.sides[1]
    others = [one for one in told["participants"] if one["side"] == other]
    told["participants"] = [one for one in told["participants"] if one["side"] != other] + others[-foes:]
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": told, "bots": {other: "careful"}})


def is_attack(table: Table, least: int = 1) -> bool:
    """True if a character of the party has to act, and can attack a foe, or so many."""
    seen = state(table)
    question = seen["question"]
    foes = {
        one["id"] for one in seen["scene"]["participants"] if one["side"] != seen["scene"]["participants"][0]["side"]
    }
    options = question.get("options") or []
    return "pass" in question and len({one["id"].split(":")[1] for one in options if ":" in one["id"]} & foes) >= least


def until_attack(table: Table, least: int = 1) -> None:
    """Answer what comes before, until an attack on so many foes is offered, or on any follows the open question."""
    for _ in range(200):
        question = state(table)["question"]
        if question is None:  # it is over before anyone could: once more
            fight(table)
            continue
        if is_attack(table, least) or (least == 1 and question.get("question") == "how many actions this round?"):
            return
        answer(table, question, question.get("pass"))
    raise AssertionError(f"nobody can attack: {state(table)['question']}")


def acts(table: Table) -> int:
    """Number of answers at the table so far."""
    return len([line for line in table.lines(GM) if line["kind"] in ("choice", "rule")])


def ready(page: Page, table: Table) -> None:
    """Wait until the verbs of the open question stand there, with their chances and what they lead to."""
    wait_until(lambda: open_turn(page, table).count(), "the verbs can be used")
    expect(page.locator(".verb .waiting")).to_have_count(0)
    settle(page)


def unweighed(page: Page) -> None:
    """Have nothing weighed that a question offers, which takes the longest of a turn."""
    page.route("**/advice?*", lambda route: route.fulfill(json={"options": [], "left_out": []}))


def open_turn(page: Page, table: Table) -> Locator:
    """The verbs that the game master's page offers for the question that is open now, once it can be answered."""
    question = state(table)["question"]
    return page.locator(
        f"section.asked[data-turn][data-known][aria-busy=false][data-question='{question['id']}'] .verb"
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_attack_is_one_click_and_on_another_two_and_no_text_is_an_id(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], system: str
) -> None:
    table = gathered(BRIDGES[system], system)
    fight(table)
    until_attack(table)
    one = sits(table, viewport=DESK)
    page = one.page
    ready(page, table)
    assert FORBIDDEN.findall(page.locator("body").inner_text()) == []
    assert not at_length() or one.flaws() == []  # of one game it is looked at where every page is
    expect(page.locator("section.asked .star > svg")).to_have_count(1)
    expect(page.locator("section.asked option", has_text="★")).to_have_count(0)
    assert is_inside(page, "section.asked, section.asked .more, .spot .chance", ".scene-map")
    before, turn = state(table)["last"], state(table)["scene"]["turn"]
    attack = page.locator(".verb").first
    expect(page.locator(".order li.aimed")).to_have_count(1)
    attack.click()
    wait_until(lambda: hit_or_miss(table, before), "the attack was made")
    assert state(table)["scene"]["round"] >= 1
    # on another: one click aims, the next attacks
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    until_attack(table, 2)
    ready(page, table)
    if system == "mars":
        page.locator(".line.action").last.get_by_role("button", name=re.compile("^Why")).press("Enter")
        expect(page.locator(".why a.rule").first).to_be_visible()
        one.picture("play")
    last = state(table)["last"]
    aimed = page.locator(".spot.aimed").get_attribute("data-who")
    page.locator(".spot:not(.aimed):has(.chance) button.token").first.click()
    expect(page.locator(f".spot.aimed:not([data-who='{aimed}'])")).to_have_count(1)
    page.locator(".verb").first.click()
    wait_until(lambda: hit_or_miss(table, last), "the other attack was made")
    assert turn


def is_inside(page: Page, parts: str, whole: str) -> bool:
    """True if no part is cut off at the left or right edge of the whole."""
    inside: bool = page.evaluate(
        """([parts, whole]) => { const edge = document.querySelector(whole).getBoundingClientRect();
            return [...document.querySelectorAll(parts)].map(one => one.getBoundingClientRect())
            .every(one => one.left >= edge.left && one.right <= edge.right) }""",
        [parts, whole],
    )
    return inside


def hit_or_miss(table: Table, after: int) -> bool:
    """True if dice were thrown, or harm is done or asked about, since a line."""
    lines = table.lines(GM, after)
    return any(line["kind"] == "rule" or "mechanic" in line["fact"] for line in lines) or bool(
        (state(table)["question"] or {}).get("so_far")
        or "attacker" in str((state(table)["question"] or {}).get("about"))
    )


def test_at_a_desk_everything_is_in_sight_and_a_verb_a_key_and_the_palette_send_the_same(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """The palette is opened by a key and gives the focus back."""
    table = gathered("The palette", "mars")
    fight(table)
    until_attack(table)
    sent: list[str] = []

    def between(route: Any) -> None:  # what is answered is refused, so that every way begins at the same turn
        server = route.connect_to_server()

        def from_page(message: str) -> None:
            told = json.loads(message)
            if told.get("command", {}).get("do") != "answer":
                server.send(message)
                return
            sent.append(told["command"]["option"])
            refusal = {"title": "refused", "status": 409, "detail": "Not now."}
            route.send(json.dumps({"type": "problem", "id": told["id"], "problem": refusal}))

        route.on_message(from_page)

    page = sits(table, viewport=DESK, first=lambda page: page.route_web_socket("**/live?*", between)).page
    ready(page, table)
    for part in (".scene-map", ".strip", "section.asked", ".sheet-panel .hero", "section.log"):
        expect(page.locator(part)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    seen = """() => { const box = document.querySelector('.lines').getBoundingClientRect();
        return [...document.querySelectorAll('.lines .line')].map(one => one.getBoundingClientRect())
        .filter(one => one.top >= box.top - 1 && one.bottom <= box.bottom + 1).length }"""
    assert page.evaluate(seen) >= 4
    page.locator("#log-heading").click()
    verb = page.locator(".verb").nth(1)
    verb.focus()
    page.keyboard.press("/")
    field = page.get_by_role("dialog").get_by_role("combobox")
    expect(field).to_be_focused()
    page.locator(".entry").first.wait_for()
    settle(page)
    whole = page.locator(".entry").count()
    found = page.evaluate(
        """async () => { const field = document.querySelector('dialog input');
        field.value = 'mo'; field.dispatchEvent(new Event('input', {bubbles: true}));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        return document.querySelectorAll('.entry').length }"""
    )
    assert found < whole, "typing filters in the next frame"
    # what is closed stands last and says why
    field.fill("")
    expect(page.locator(".entry")).to_have_count(whole)
    expect(page.locator(".list .group").last).to_have_text("Unavailable")
    for shut in page.locator(".entry.off").all():
        assert shut.locator("small").inner_text().strip()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(verb).to_be_focused()
    # three ways to the same answer
    page.locator(".verb").first.click()
    wait_in(page, lambda: len(sent) == 1, "the verb was sent")
    ready(page, table)
    page.keyboard.press("1")
    wait_in(page, lambda: len(sent) == 2, "the key was sent")
    ready(page, table)
    label = page.locator(".verb").first.locator(".name").inner_text()
    aimed = page.locator(".spot.aimed .name").inner_text()
    page.locator("#log-heading").click()
    page.keyboard.press("Space")
    expect(field).to_be_focused()
    field.fill(f"{label} {aimed}")
    page.keyboard.press("Enter")
    wait_in(page, lambda: len(sent) == 3, "the entry of the palette was sent")
    assert len(set(sent)) == 1, sent


def petra_fights(table: Table) -> None:
    """Begin a fight in which the player Petra plays the whole party."""
    for hero in state(table)["characters"]:
        table.act(GM, {"do": "seat.hand", "who": hero["id"], "seat": "petra"})
    fight(table)


def until_defence(table: Table) -> None:
    """Let Petra fight until she is asked how to defend, with as many ways as there can be."""
    petra_fights(table)
    for _ in range(200):
        question = state(table)["question"]
        if question.get("question") == "how to defend?" and len(question["options"]) == MOST_AT_ONCE:
            return
        answer(table, question, question.get("pass"))
    raise AssertionError("nobody is attacked")


def test_a_defence_is_one_click_and_the_question_says_against_what(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Defend", "mars")
    petra = sits(table, "player", "Petra", viewport=DESK, first=lambda _: until_defence(table))
    about = state(table)["question"]["about"]
    names = {one["id"]: one["name"] for one in state(table)["scene"]["participants"]}
    page = petra.page
    asked = page.locator("section.asked[data-question]:not([data-turn])")
    expect(asked.locator("h2")).to_contain_text(names[about["attacker"]])
    assert asked.locator("h2").inner_text().strip() != names[about["attacker"]]
    expect(asked.locator(".word:empty")).to_have_count(0)
    for option in asked.locator(".option").all():
        number = option.locator(".number, .word").inner_text()
        assert number.strip(), "its number, or why it has none"
    assert asked.locator(".option.best").count() <= 1
    # both of them lie in the free part of the scene
    bar = page.locator(".bottom").bounding_box()
    assert bar is not None
    for who in (about["attacker"], about["who"]):
        box = page.locator(f".spot[data-who='{who}'] .portrait").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"] + 4
    assert FORBIDDEN.findall(page.locator("body").inner_text()) == []
    assert (petra.flaws_everywhere() if at_length() else petra.flaws("section.asked")) == []
    # on a phone all four are in sight at once, and nothing scrolls
    page.set_viewport_size(PHONE)
    settle(page)
    expect(asked.locator(".option")).to_have_count(MOST_AT_ONCE)
    for option in asked.locator("h2, .option").all():
        expect(option).to_be_in_viewport(ratio=1)
    assert asked.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    before = state(table)["last"]
    asked.locator(".option").first.click()
    wait_until(lambda: state(table)["last"] > before, "it was answered")


def test_a_trigger_is_written_in_the_players_own_words(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Ready", "mars")

    def is_asked(_: Page) -> None:
        petra_fights(table)
        until_attack(table)
        answer(table, state(table)["question"], "ready")

    petra = sits(table, "player", "Petra", viewport=DESK, first=is_asked)
    field = petra.page.get_by_label("Or in your own words")
    field.fill("the bell rings")
    field.press("Enter")
    wait_until(lambda: state(table)["question"]["question"] == "to do what?", "it was answered")
    assert petra.flaws("section.asked") == []
    answer(table, state(table)["question"], "ready_to::drop_prone")
    expect(petra.page.locator("body")).to_contain_text("the bell rings")


def test_aiming_moves_the_mark_and_the_chances_follow_the_verb(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Aiming", "marchen")
    fight(table)
    until_attack(table)
    page = sits(table, viewport=DESK).page
    ready(page, table)
    marks = page.locator(".order li.aimed")
    expect(marks).to_have_count(1)
    first = page.locator(".spot.aimed").get_attribute("data-who")
    page.keyboard.press("]")
    expect(page.locator(f".spot.aimed:not([data-who='{first}'])")).to_have_count(1)
    aimed_at = re.compile("aimed at")
    expect(page.locator(".spot.aimed button.token")).to_have_attribute("aria-label", aimed_at)
    expect(marks.locator("button")).to_have_attribute("aria-label", aimed_at)
    page.keyboard.press("[")
    expect(page.locator(".spot.aimed")).to_have_attribute("data-who", first or "")
    ready(page, table)
    shown = set()
    for verb in page.locator(".verb").all():
        verb.hover()
        settle(page)
        shown.add(tuple(page.locator(".spot .chance").all_inner_texts()))
    assert len(shown) > 1, "the chances are those of the verb that is pointed at"


def test_shape_number_and_fall_are_seen(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Who is who", "mars")
    petra = sits(table, "player", "Petra", viewport=DESK)  # she plays nobody
    fight(table)
    page = petra.page
    expect(page.locator(".spot .portrait")).to_have_count(len(state(table)["scene"]["participants"]))
    rings = {
        one.get_attribute("class"): one.locator(".ring path").first.get_attribute("d")
        for one in page.locator(".spot .portrait").all()
    }
    assert len(set(rings.values())) == 2, "the two sides differ in shape"
    called = page.locator(".order .name").all_inner_texts()
    assert len(set(called)) == len(called) > 0, "two of the same name differ in number"
    # the one who has fallen is grey, tilted and has a badge, on the map and in the order
    down: list[dict[str, Any]] = []
    for _ in range(400):
        down = [one for one in state(table)["scene"]["participants"] if not one["standing"]]
        if down or state(table)["question"] is None:
            break
        question = state(table)["question"]
        foes = [one["id"] for one in question.get("options") or () if one["id"].startswith(("attack", "maneuver"))]
        option = foes[0] if foes else question.get("pass")
        answer(table, question, option)
    assert down
    spot = page.locator(f".spot[data-who='{down[0]['id']}']")
    expect(spot.locator(".portrait.down .badge")).to_have_count(1)
    expect(spot.locator(".face")).to_have_css("filter", re.compile("grayscale"))
    expect(spot.locator(".face")).not_to_have_css("rotate", "none")
    card = page.locator(".order li", has=page.locator(".portrait.down"))
    expect(card.first.locator(".badge")).to_have_count(1)
    expect(card.first.locator(".face")).not_to_have_css("rotate", "none")
    expect(card.first.locator("button")).to_have_attribute("aria-label", re.compile(r"\bdown\b"))
    # of those whom a seat does not play it hears a word, and the ring shows no more than that
    seen = table.view("petra", 10**9)["scene"]["participants"]
    assert seen
    for one in seen:
        assert "left" not in one, one
        assert not re.search(r"\d", f"{one['health']} {one.get('words', '')}"), one
        assert not {"health", "endurance"} & set(one["status"]), one
    dashes = "all => all.map(one => Number(one.getAttribute('stroke-dasharray').split(' ')[0]))"
    shown = page.locator(".ring path:not(.track)").evaluate_all(dashes)
    assert shown
    assert {length % 25 for length in shown} == {0}
    assert not [
        label for label in page.locator(".spot button.token").evaluate_all(LABELS) if re.search(r"\d/\d", label)
    ]


def test_the_strip_scrolls_and_shows_anyone_who_acts(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Many", "opend6")
    fight(table, "even", foes=12)
    for _ in range(5):
        question = state(table)["question"]
        answer(table, question, question.get("pass"))
    page = sits(table, viewport=PHONE).page
    page.locator(".order li.now").wait_for()
    question = state(table)["question"]
    answer(table, question, question.get("pass"))
    assert len(state(table)["scene"]["order"]) > 8
    settle(page)
    expect(page.locator(".order li.now")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".order li.now button")).to_have_attribute("aria-label", re.compile("acts now"))
    acted = page.locator(".order li.acted button")
    acted.first.wait_for(state="attached")
    assert all("has acted" in label for label in acted.evaluate_all(LABELS))


def until_declared(table: Table) -> None:
    """Answer until it is asked how many actions are declared for a round."""
    for _ in range(200):
        until_attack(table)
        question = state(table)["question"]
        if question["question"] == "how many actions this round?":
            return
        answer(table, question, question["pass"])
    raise AssertionError("nobody declares actions")


def more_actions(page: Page, table: Table) -> None:
    """Declare three actions beside the turn."""
    question = state(table)["question"]
    count = page.locator(".declare select")
    expect(count.locator("option")).to_have_count(len(question["options"]))
    count.select_option("3")
    expect(page.locator(".declare")).to_contain_text("-2D")
    ready(page, table)
    page.locator(".verb").first.tap()
    wait_until(lambda: declared(table, question["about"]["who"]) == 3, "three actions were declared")


def declared(table: Table, who: str) -> int:
    """Number of actions declared for this round."""
    found = next(one for one in state(table)["scene"]["participants"] if one["id"] == who)
    return int(found["status"]["declared"] or 0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_on_a_phone_turn_target_and_two_verbs_are_in_sight(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], system: str
) -> None:
    """In OpenD6 the number of actions is declared there as well."""
    table = gathered(f"In the hand, {system}", system)
    fight(table)
    until_attack(table)
    if system == "opend6":
        until_declared(table)
    one = sits(table, viewport=PHONE, has_touch=True, is_mobile=True)
    page = one.page
    ready(page, table)
    for part in ("#asked-heading", ".target"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for verb in page.locator(".verb").all()[:2]:
        expect(verb).to_be_in_viewport(ratio=1)
    expect(page.locator(".verb")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert not one.is_wide()
    assert is_inside(page, ".spot .chance", ".scene-map")
    assert one.flaws() == []
    # without a pointer that hovers, Why? and Undo are in a menu of the card
    told(page)
    card = page.locator(".line:has(.menu)").last
    card.get_by_role("button", name=re.compile("^What can be done with: ")).tap()
    assert one.flaws("[role=menu]") == []
    items = page.get_by_role("menuitem")
    assert items.all_inner_texts()[-1] == "Undo"
    page.get_by_role("menuitem", name="Why?").tap()
    expect(card.locator(".why")).to_be_visible()
    expect(items).to_have_count(0)
    assert card.locator(".tools").count() == 0
    page.locator(".tabs").get_by_role("button", name="Table", exact=True).click()
    page.set_viewport_size({"width": 320, "height": 640})
    settle(page)
    assert not one.is_wide()
    parts = "[...document.querySelectorAll('.verb, .target, .end')]"
    ends = f"() => Math.max(...{parts}.map(one => one.getBoundingClientRect().right))"
    assert page.evaluate(ends) <= 320
    page.set_viewport_size({"width": 640, "height": 400})  # a window of 1280 by 800 at 200 %
    settle(page)
    for part in ("Table", "Log", "You", "Master"):
        page.locator(".tabs").get_by_role("button", name=re.compile(f"^{part}")).click()
        settle(page)
        assert not one.is_wide(), part
    if system == "opend6":
        page.set_viewport_size(PHONE)
        page.locator(".tabs").get_by_role("button", name="Table", exact=True).click()
        more_actions(page, table)


def test_a_hidden_tab_calls_and_falls_silent(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("Elsewhere", "stage")
    page = sits(table, viewport=DESK).page
    page.locator(".spot").first.wait_for()
    hide = """hidden => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
        document.dispatchEvent(new Event('visibilitychange')) }"""
    page.evaluate(hide, True)
    fight(table)
    page.wait_for_function("() => document.title.startsWith('●')")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-dot.svg")
    page.evaluate(hide, False)
    page.wait_for_function("() => !document.title.startsWith('●')")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")


def test_a_key_counts_as_soon_as_the_next_question_is_there(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """The server tells what has changed and that an answer was taken in two messages, in any order."""
    table = gathered("Two messages", "mars")
    fight(table)
    until_attack(table)
    held: dict[str, list[Callable[[], None]]] = {"answer": [], "changes": []}
    holding = {"kind": "answer"}

    def between(route: Any) -> None:
        server = route.connect_to_server()

        def from_server(message: str) -> None:
            kind = message[len('{"type":"') :].partition('"')[0]
            if kind == holding["kind"]:
                held[kind].append(lambda: route.send(message))
            else:
                route.send(message)

        server.on_message(from_server)

    def on_the_way(page: Page) -> None:
        unweighed(page)
        page.route_web_socket("**/live?*", between)

    page = sits(table, viewport=DESK, first=on_the_way).page
    ready(page, table)
    # the change comes first: the next turn is open though the last answer is not confirmed yet
    before = state(table)["scene"]["turn"]
    page.keyboard.press("e")
    wait_until(lambda: state(table)["scene"]["turn"] != before, "the turn was ended")
    until_attack(table)
    ready(page, table)
    assert len(held["answer"]) == 1
    # the answer comes first: the old turn is closed until the change is there, and a key is no second answer
    holding["kind"] = "changes"
    for one in held["answer"]:
        one()
    ready(page, table)
    last = state(table)["last"]
    page.keyboard.press("e")
    wait_until(lambda: state(table)["last"] > last, "the turn was ended")
    wait_in(page, lambda: held["changes"], "the change has come")
    expect(page.locator("section.asked")).to_have_attribute("aria-busy", "true")
    page.keyboard.press("e")
    settle(page)
    expect(page.locator("[role=alert]")).to_have_count(0)
    holding["kind"] = ""
    for one in held["changes"]:
        one()
    until_attack(table)
    ready(page, table)


def test_without_a_connection_actions_are_closed_and_reading_goes_on(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Cut off", "stage")
    fight(table)
    until_attack(table)
    line: dict[str, Any] = {"cut": False, "open": []}

    def between(route: Any) -> None:
        if line["cut"]:
            route.close(code=1011)
            return
        server = route.connect_to_server()
        line["open"].append(route)
        route.on_message(server.send)

    page = sits(table, viewport=DESK, first=lambda page: page.route_web_socket("**/live?*", between)).page
    ready(page, table)
    line["cut"] = True
    line["open"][-1].close(code=1011)
    expect(page.locator(".banner")).to_contain_text("No connection")
    before = state(table)["last"]
    expect(page.locator(".verb").first).to_have_attribute("aria-disabled", "true")
    page.locator(".verb").first.dispatch_event("click")
    page.keyboard.press("1")
    settle(page)
    assert state(table)["last"] == before
    page.locator(".sheet-panel").get_by_role("tab", name="Skills").click()
    expect(page.locator(".lines .line").last).to_be_visible()
    line["cut"] = False
    expect(page.locator(".banner")).to_contain_text("Back again")
    expect(page.locator(".verb").first).not_to_have_attribute("aria-disabled", "true")
