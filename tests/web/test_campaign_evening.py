"""An evening of a campaign with a game master and two players on phones, from the invitation to the printed sheet."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, Response, expect

from conformance.places import at_length
from patience import wait_until
from server.serving import Served
from table.drawing import drawn
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.system.registry import load_system
from tablewright.game.values import thaw
from tablewright.table import Table, export_campaign, import_campaign, open_store
from web.browsing import Visitor, answer, own_sheet, settle, told, tools, unfold, wait_in
from web.test_make import pages_of
from web.test_making import MOST_STEPS, settled

GM = "gwen"
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
BUILT = "marchen"
"""The game in which a character is built step by step; in the others templates play."""

GAMES = (BUILT, "mars", "opend6", "renaissance", "stage") if at_length() else ("mars",)
HARMFUL = "<script>alert(1)</script> [no](javascript:alert(1)) <img src=x onerror=alert(1)> [yes](https://example.org)"
"""Markdown of which one link remains, and the rest is text."""

MORE: dict[str, dict[str, Any]] = {
    "marchen": {"bonus": 60},
    "mars": {"bonus": 60},
    "opend6": {"character_points": 60},
    "renaissance": {"good_play": 20},
    "stage": {"bonus": 60},
}
"""Enough experience to buy something with."""

WORDS = {"handout": "quellmar", "text": "zibbeth", "whisper": "ostwick", "check": "felmoor", "hidden": "grinlock"}
"""A word for each secret of the evening; none is in any rule book."""


def state(table: Table, seat: str = GM) -> dict[str, Any]:
    """The table as a seat sees it."""
    return table.view(seat, 10**9)


def written_down(one: Visitor) -> list[str]:
    """Everything that reaches a browser from now on."""
    found: list[str] = []

    def hear(answer: Response) -> None:
        if "/v1/campaigns/" in answer.url and "/pictures/" not in answer.url:
            with suppress(Error):  # the page went on before the answer was read; the live frames tell it again
                found.append(answer.text())

    one.page.on("websocket", lambda line: line.on("framereceived", lambda told: found.append(str(told))))
    one.page.on("response", hear)
    one.page.reload()
    one.page.locator(".play").wait_for()
    return found


def sheet_of(table: Table, who: str) -> Any:
    """A character as its game master sees it."""
    return next(one["character"] for one in state(table)["characters"] if one["id"] == who)


def choose(page: Page, button: Locator, picture: Path) -> None:
    """Choose a file behind a button."""
    with page.expect_file_chooser() as asked:
        button.click()
    asked.value.set_files(picture)


def is_drawn(image: Locator) -> bool:
    """True if a picture has arrived and can be seen."""
    return bool(image.evaluate("one => one.complete && one.naturalWidth > 0"))


def sees(image: Locator) -> None:
    """Wait until a picture is there."""
    image.wait_for()
    wait_until(lambda: is_drawn(image), "the picture is drawn")


def is_fine(one: Visitor) -> None:
    """Nothing is wrong for a screen reader, and nothing scrolls sideways, on two phones."""
    assert one.flaws() == []
    for size in (SMALL, PHONE):
        one.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert not one.is_wide(), size


def say(page: Page, text: str, to: str | None = None) -> None:
    """Say something at the table, or whisper it."""
    told(page)
    page.get_by_label("To", exact=True).select_option(label="Everyone" if to is None else f"Whisper to {to}")
    page.get_by_label("Say something").fill(text)
    page.locator("form.talk").get_by_role("button").click()
    expect(page.get_by_label("Say something")).to_have_value("")


def build(one: Visitor, table: Table, system: str) -> None:
    """Build a character step by step on a phone and bring it to the table."""
    page = one.page
    page.goto(f"/make/{system}")
    page.get_by_label("Name", exact=True).fill("Isolde")
    page.get_by_role("button", name="Step by step").click()
    for number in range(MOST_STEPS):
        settled(page)
        if page.locator(".sheet").count():
            break
        options, done = page.locator(".option:not(.main)"), page.locator(".option.main")
        if done.count() and (number > 12 or options.count() == 0):
            done.click()
        else:
            options.nth(number % options.count()).click()
    expect(page.get_by_text("Everything is within the rules.")).to_be_visible()
    is_fine(one)
    page.get_by_role("button", name="Add to the table").click()
    page.wait_for_url(f"**/c/{table.id}")


def check_secretly(table: Table, system: str, who: str) -> None:
    """A check that the game master keeps to himself."""
    check = next(one for one in load_system(system).rulebook.checks if "difficulty" in one.hidden)
    for words in ("hard", "difficult", "20"):
        given = {"what": check.id, "situation": [f"difficulty={words}"], "audience": "blind"}
        with suppress(InvalidInputError):
            table.act(
                GM,
                {"do": "start", "process": "table.check", "with": given | {"who": who, "because": WORDS["check"]}},
            )
            return
    raise AssertionError("no difficulty is known")


def chooses(petra: Visitor, table: Table, offers: Locator) -> None:
    """Let Petra click the first offer until her question is answered; a click may meet a page that is being drawn."""
    number = state(table, "petra")["question"]["id"]

    def is_answered() -> bool:
        asked: dict[str, Any] = state(table, "petra")["question"] or {}
        return bool(asked.get("id") != number)

    def clicks() -> bool:
        if not is_answered() and offers.first.is_visible():
            with suppress(Error):  # it was redrawn under the pointer
                offers.first.click(timeout=5_000)
            settle(petra.page)
        return is_answered()

    wait_in(petra.page, clicks, "she has chosen")


def fight(table: Table, system: str, petra: Visitor, hers: str) -> None:
    """A fight against one foe: Petra takes her first turn on the phone, everyone else plays by himself."""
    scenario = load_scenario(f"{system}:together").to_json()
    first = scenario["participants"][0]["side"]
    foe = next(one for one in scenario["participants"] if one["side"] != first)
    heroes = [hero["id"] for hero in state(table)["characters"]]
    party = [
        {name: value for name, value in one.items() if name != "id"} | {"character": who, "side": first}
        for who, one in zip(heroes, [one for one in scenario["participants"] if one["side"] == first] * 2, strict=False)
    ]
    scenario["participants"] = [*party, foe]
    bots = {who: "aggressive" for who in (*heroes, foe["side"]) if who != hers}
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "encounter", "scenario": scenario, "bots": bots})
    has_clicked = False
    for _ in range(400):
        seen = state(table)
        question = seen["question"]
        if question is None:
            break
        if question.get("seat") == "petra" and not has_clicked and question["kind"] == "choice":
            petra.page.locator(".tabs").get_by_role("button", name="Table", exact=True).click()
            chooses(petra, table, petra.page.locator(".verb:not([aria-disabled=true]), [data-question] .option"))
            has_clicked = True
            continue
        options = [one["id"] for one in question.get("options") or ()]
        attacks = [one for one in options if foe["id"] in one]
        option = (attacks or [question.get("default")])[0]
        answer(table, question, option)
    assert state(table)["scene"]["ended"] is not None


def whole(table: Table, seats: tuple[str, ...]) -> list[Any]:
    """Everything that the seats see of a campaign, and its pictures."""
    found: list[Any] = []
    for seat in seats:
        view = table.view(seat)
        view["campaign"] = view["campaign"] | {"id": ""}
        pictures = [*view["portraits"].values(), *[one["picture"] for one in view["handouts"] if one["picture"]]]
        found.append((view, [table.picture(seat, one) for one in pictures]))
    return found


@pytest.mark.parametrize("system", GAMES)
def test_an_evening(
    served: Served,
    visitor: Callable[..., Visitor],
    sits: Callable[..., Visitor],
    tmp_path: Path,
    system: str,
) -> None:
    files = {name: tmp_path / f"{name}.png" for name in ("portrait", "map", "handout")}
    for (name, file), colour in zip(files.items(), ("teal", "olive", "purple"), strict=True):
        file.write_bytes(drawn(colour, (320, 240)))
        assert name in file.name
    table = served.store.make_campaign(f"An evening of {system}", system, game_master="Gwen").table
    gm = sits(table, viewport=DESK)

    # invitations: one from the page, one more
    gm.page.get_by_role("link", name="Campaign").click()
    gm.page.locator("#invite-name").fill("Petra")
    gm.page.get_by_role("button", name="Make a link").click()
    expect(gm.page.get_by_text("Send this link to Petra.")).to_be_visible()
    link = gm.page.locator("input[readonly], code", has_text="").first
    address = link.input_value() if link.evaluate("one => one.tagName") == "INPUT" else link.inner_text()
    petra = visitor(viewport=PHONE)
    petra.page.goto(f"/#{address.partition('#')[2]}")
    petra.page.wait_for_url(f"**/c/{table.id}")
    otto = sits(table, "player", "Otto", viewport=PHONE)
    gm.page.goto(f"/c/{table.id}")

    # characters
    scenario = load_scenario(f"{system}:together")
    party = [(one.id, thaw(one.character)) for one in scenario.on(scenario.sides[0])]
    for number, (id_, character) in enumerate(party):
        seat = ("otto", None if system == BUILT else "petra")[number] if number < 2 else None
        more = {} if seat is None else {"seat": seat}
        table.act(GM, {"do": "character.add", "character": character, "id": id_, **more})
    if system == BUILT:
        build(petra, table, system)
    hers = state(table, "petra")["you"]["characters"][0]
    name = next(one["name"] for one in state(table)["characters"] if one["id"] == hers)

    # from here on everything that reaches the phones is written down
    heard_by = {"petra": written_down(petra), "otto": written_down(otto)}
    heroes = [one["id"] for one in state(table)["characters"]]
    table.act(GM, {"do": "scene.begin", "form": "time", "who": heroes})

    # a portrait from the phone, seen by everyone
    own_sheet(petra.page)
    unfold(petra.page, "Pictures")
    choose(petra.page, petra.page.get_by_role("button", name=f"Choose a portrait for {name}"), files["portrait"])
    wait_until(lambda: hers in state(table)["portraits"], "the portrait is set")
    portrait = state(table)["portraits"][hers]
    shown = f'.face img[src$="{portrait}"]'
    sees(petra.page.locator(shown).first)
    sees(gm.page.locator(shown).first)
    is_fine(petra)

    # the map
    tools(gm.page)
    unfold(gm.page, "Pictures")
    choose(gm.page, gm.page.get_by_role("button", name="Choose a picture for the map"), files["map"])
    petra.page.locator(".tabs").get_by_role("button", name="Table", exact=True).click()
    for page in (gm.page, petra.page, otto.page):
        sees(page.get_by_role("img", name="Map of the scene"))

    # a token on it, moved by its player from the phone and seen by everyone
    petra.page.locator(f'[data-who="{hers}"] button').first.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        petra.page.keyboard.press(key)
    wait_until(lambda: hers in state(table)["map"]["tokens"], "the token is placed")
    assert state(table, "otto")["map"]["tokens"] == state(table)["map"]["tokens"]
    is_fine(petra)

    # a handout for Petra alone
    unfold(gm.page, "Handouts")
    gm.page.get_by_role("button", name="Write a handout").click()
    gm.page.locator("#handout-title").fill(f"The {WORDS['handout']} letter")
    gm.page.locator("#handout-text").fill(f"# Come\nto the **{WORDS['text']}** gate\n\n{HARMFUL}")
    choose(gm.page, gm.page.get_by_role("button", name="Choose a picture", exact=True), files["handout"])
    gm.page.locator("img.chosen").wait_for()
    gm.page.get_by_role("button", name="Save handout").click()
    gm.page.get_by_role("button", name=f"Show The {WORDS['handout']} letter").click()
    gm.page.get_by_role("group", name="Show to").get_by_label("Petra").check()
    assert gm.flaws() == []
    gm.page.locator(".readers").get_by_role("button", name=f"Show The {WORDS['handout']} letter").click()
    letter = petra.page.get_by_role("dialog", name=f"The {WORDS['handout']} letter")
    sees(letter.locator("img"))
    expect(letter.locator("strong")).to_have_text(WORDS["text"])
    expect(letter).to_contain_text("<script>alert(1)</script>")
    expect(letter.locator("a")).to_have_count(1)
    expect(letter.locator("a")).to_have_attribute("href", "https://example.org/")
    assert letter.locator("script, iframe, [onerror]").count() == 0
    is_fine(petra)
    letter.get_by_role("button", name="Close").click()

    # talk: aloud from the phone, a whisper to Otto, dice, and an act of a character
    say(gm.page, f"beware of {WORDS['whisper']}", "Otto")
    told(otto.page)
    expect(otto.page.locator(".line", has_text=f"Gwen whispers to Otto: beware of {WORDS['whisper']}")).to_have_count(1)
    is_fine(otto)
    say(petra.page, "/roll 2d6")
    say(petra.page, "/me nods")
    expect(otto.page.locator(".line", has_text=f"{name} nods")).to_have_count(1)
    expect(gm.page.locator(".line", has_text="Petra rolls")).to_have_count(1)
    say(petra.page, "all hear this")

    # a secret check, and a character hidden with a portrait
    check_secretly(table, system, heroes[0])
    foe = thaw(scenario.on(scenario.sides[1])[0].character)
    table.act(
        GM,
        {
            "do": "join",
            "entrant": {"character": foe, "id": WORDS["hidden"], "name": WORDS["hidden"].title(), "hidden": True},
        },
    )
    table.act(GM, {"do": "portrait.set", "who": WORDS["hidden"], "picture": state(table)["handouts"][0]["picture"]})

    table.act(GM, {"do": "token.place", "who": WORDS["hidden"], "x": 500, "y": 500})
    assert set(state(table)["map"]["tokens"]) == {hers, WORDS["hidden"]}
    assert set(state(table, "petra")["map"]["tokens"]) == {hers}

    # the fight, and what comes after it
    fight(table, system, petra, hers)
    summary = gm.page.locator("section.summary")
    summary.wait_for()
    fallen = [one for one in state(table)["scene"]["participants"] if not one["standing"] and one["id"] not in heroes]
    if fallen and any(one["standing"] for one in state(table)["scene"]["participants"] if one["id"] in heroes):
        last = state(table)["last"]
        summary.get_by_role("button", name="Take what").first.click()
        wait_until(lambda: state(table)["last"] > last, "it is taken")
    summary.get_by_role("button", name="Grant it").click()
    expect(summary.get_by_text("Granted")).to_be_visible()
    rest = summary.get_by_role("button", name="Rest now")
    if rest.count():
        rest.click()
        wait_until(lambda: not rest.count() or state(table)["question"] is not None, "they rest")
        for _ in range(100):
            question = state(table)["question"]
            if question is None:
                break
            answer(table, question)
    table.act(GM, {"do": "scene.end", "anyway": True})

    # advancement on the phone
    table.act(GM, {"do": "scene.begin", "form": "time", "who": heroes})
    whom = [hers] if system in ("marchen", "mars", "stage") else hers
    table.act(GM, {"do": "start", "process": f"{system}.award", "with": {"who": whom} | MORE[system]})
    if system == "opend6":  # points are spent between adventures
        table.act(GM, {"do": "start", "process": "opend6.end_adventure", "with": {"who": hers}})
    before = sheet_of(table, hers)
    table.act(GM, {"do": "start", "process": f"{system}.spend", "with": {"who": hers}})
    assert state(table, "petra")["question"] is not None
    petra.page.locator(".tabs").get_by_role("button", name="Table", exact=True).click()
    petra.page.locator("[data-question], section.asked").first.wait_for()
    expect(petra.page.locator(".growth .gives .chip").first).to_be_visible()  # what it gives stands on each purchase
    is_fine(petra)
    bought = petra.page.locator("[data-question] .option").filter(has_not_text="Done")
    chooses(petra, table, bought)
    while (asked := state(table)["question"]) is not None:
        answer(table, asked)
    assert sheet_of(table, hers) != before, "she has grown"

    # the sheet on paper
    own_sheet(petra.page)
    petra.page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1 } }")
    petra.page.get_by_role("button", name="Print or save as PDF").click()
    petra.page.wait_for_function("() => window.printed === 1")
    petra.page.emulate_media(media="print")
    expect(petra.page.locator(".paper .sheet-title")).to_have_text(name)
    expect(petra.page.locator(".play")).to_be_hidden()
    assert is_drawn(petra.page.locator(".paper img"))
    assert 1 <= pages_of(petra.page) <= 3
    petra.page.emulate_media(media="screen")
    expect(petra.page.locator(".paper")).to_have_count(0)  # the browser says when it has printed
    expect(petra.page.locator(".play")).to_be_visible()

    # secrets stayed where they belong
    say(gm.page, "good night")
    for one in (petra, otto):
        told(one.page)
        expect(one.page.locator(".line", has_text="good night")).to_have_count(1)
    reached = {who: "".join(all_).casefold() for who, all_ in heard_by.items()}
    secret = {
        "petra": ("whisper", "check", "hidden"),
        "otto": ("handout", "text", "check", "hidden"),
    }
    for who, kinds in secret.items():
        assert [kind for kind in kinds if WORDS[kind] in reached[who]] == [], who
    assert state(table)["handouts"][0]["picture"] not in reached["otto"]
    assert WORDS["handout"] in reached["petra"]
    assert WORDS["whisper"] in reached["otto"]

    # the same campaign in an empty database
    text = "".join(export_campaign(served.store, table.id))
    with open_store(tmp_path / "empty.db") as other:
        again = import_campaign(other, text).table
        seats = (GM, "petra", "otto")
        assert json.dumps([view for view, _ in whole(again, seats)]) == json.dumps([v for v, _ in whole(table, seats)])
        assert [pictures for _, pictures in whole(again, seats)] == [pictures for _, pictures in whole(table, seats)]
