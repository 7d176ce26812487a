"""Journey 5: run a campaign."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import expect

from patience import LIMIT, wait_until
from server.serving import NEIGHBOUR, Served
from tablewright.game.character.sheet import sheet_markdown
from tablewright.server.routes import campaigns
from tablewright.table import Table, export_campaign, import_campaign
from tablewright.table import export as campaign_export
from web.browsing import DESK, Visitor, pick, told, unfold

GM = "gwen"


def test_people_characters_time_options_and_files(
    served: Served, gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """The one who is invited asks without a browser here: the door itself is looked at in the tests of company."""
    table = gathered("The toll bridge", "mars")
    gm = sits(table, at="campaign", viewport={"width": 1280, "height": 900})
    page = gm.page
    # an invitation to the one who comes: they ask, the game master lets them in
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#shown-link").input_value()
    served.enter(link.partition("#")[2], "Bea")
    page.get_by_role("button", name="Let in: Bea").click()
    page.get_by_label("Played by: Corin").select_option(label="Bea")
    (bea,) = [seat["id"] for seat in table.view(GM)["seats"] if seat["name"] == "Bea"]
    wait_until(lambda: table.view(bea)["you"]["characters"] == ["corin"], "Bea plays Corin")
    # time passes
    page.get_by_label("How long").fill("3 days")
    page.get_by_role("button", name="Let time pass").click()
    expect(page.get_by_text("It is day 4")).to_be_visible()
    # options say what they make of a typical check
    unfold(page, "Options")
    option = page.locator(".option-card", has_text="Contest tie")
    option.wait_for()
    page.get_by_label("Reason").fill("we like it")
    option.locator("select").select_option(label="reroll")
    option.get_by_role("button", name="Apply").click()
    expect(option.locator("li.best")).to_contain_text("reroll")
    # a number is one too
    seconds = page.locator(".option-card", has_text="Complex skill seconds")
    seconds.get_by_label("Complex skill seconds").fill("12")
    seconds.get_by_role("button", name="Apply").click()
    expect(page.locator(".option-card", has_text="Complex skill seconds").get_by_role("button")).to_be_disabled()
    wait_until(lambda: table.view(GM)["scene"]["options"].get("complex_skill_seconds") == 12, "the option is set")
    assert gm.flaws() == []
    page.evaluate("scrollTo(0, 0)")
    gm.picture("campaign")
    # the whole campaign as a file
    with page.expect_download() as coming:
        page.get_by_role("link", name="Export the whole campaign").click()
    again = import_campaign(served.store, coming.value.path().read_text(encoding="utf-8")).table
    assert again.view(GM)["scene"]["options"] == table.view(GM)["scene"]["options"]
    assert again.title == "The toll bridge"


def test_a_link_is_copied_and_drawn_as_a_code_in_a_local_network(
    served: Served, gathered: Callable[..., Table], visitor: Callable[..., Visitor]
) -> None:
    """The page is opened at another name than the machine's own, without HTTPS, as the neighbours open it."""
    table = gathered("The open house", "mars")
    near = copy(served)
    near.url = f"http://{NEIGHBOUR}:{served.port}"
    gm = visitor(at=near, viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = gm.page
    page.goto(f"/#{table.host_link('gm').token}")
    page.get_by_role("link", name="Campaign").click()
    page.locator("#invite-name").fill("Petra")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#shown-link").input_value()
    assert link.startswith(f"{near.url}/#")
    code = page.get_by_role("img", name=f"QR code of the link {link}")
    expect(code).to_be_visible()
    expected = "".join(["".join(map(str, row)) for row in segno.make(link, micro=False).matrix])
    side = code.evaluate("svg => svg.viewBox.baseVal.width") - 8  # without the white border
    drawn = code.evaluate(
        """(svg, side) => Array.from({ length: side * side }, (_, at) => {
            const [x, y] = [at % side, Math.floor(at / side)];
            return svg.querySelector("path").isPointInFill(new DOMPoint(x + 0.5, y + 0.5)) ? 1 : 0;
        }).join("")""",
        side,
    )
    assert drawn == expected, "what is on the screen leads to the link"
    assert code.evaluate("svg => getComputedStyle(svg).backgroundColor") == "rgb(255, 255, 255)"
    assert gm.flaws(".made") == []
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".said p")).to_have_text("Copied.")
    page.locator("#invite-name").click()
    page.keyboard.press("Control+V")
    expect(page.locator("#invite-name")).to_have_value(link[:60])
    page.set_viewport_size({"width": 320, "height": 640})
    assert not gm.is_wide()
    made = page.locator(".made")
    assert made.evaluate("one => one.scrollWidth <= one.clientWidth"), "nothing sticks out of its box"
    made.scroll_into_view_if_needed()
    gm.picture("invitation")


def test_days_pass_with_sickness_and_rest_and_experience_is_awarded_and_spent(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The long road", "mars")
    wounded = {"who": "aldith", "field": "health", "value": "3", "reason": "the last fight"}
    table.act(GM, {"do": "start", "process": "table.rule", "with": wounded})
    one = sits(table, at="campaign", viewport={"width": 390, "height": 844})
    page = one.page
    unfold(page, "Rest, healing")
    what = page.get_by_label("What", exact=True)
    what.select_option("mars.fall_sick")
    page.get_by_label("Degree").fill("2")
    page.get_by_label(re.compile(r"^Who( |\s|$)")).first.select_option("brakka")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".happened")).to_contain_text("sick")
    what.select_option("mars.days_of_rest")
    page.get_by_label("Aldith").last.check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("It is day 8")).to_be_visible()
    assert one.flaws() == []
    assert not one.is_wide()
    one.picture("rest-phone")
    people = {who["id"]: who["status"] for who in table.view(GM)["scene"]["participants"]}
    assert people["aldith"]["health"] > 3
    # the week is over: the sickness is rolled against, and everyone at the table can see why
    page.get_by_label("How long").fill("1 day")
    page.get_by_role("button", name="Let time pass").click()
    expect(page.get_by_text("It is day 9")).to_be_visible()
    assert any("sick" in str(line.get("text")) for line in table.lines(GM)[-40:])
    # experience is awarded and spent
    what.select_option("mars.award")
    page.get_by_label("Bonus").last.fill("90")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".happened")).to_contain_text("experience")
    before = sheet_of(table, "aldith")
    what.select_option("mars.spend")
    page.get_by_label(re.compile(r"^Who( |\s|$)")).first.select_option("aldith")
    page.get_by_role("button", name="Start", exact=True).click()
    asked = page.locator("section.asked")
    expect(asked).to_contain_text("experience")
    assert one.flaws("section.asked") == []
    page.get_by_label("Find an answer").fill("perception")
    asked.locator("button.option", has_text="Perception").first.click()
    asked.locator("button.option", has_text="Done").click()  # which the next question offers
    expect(asked).to_have_count(0)
    assert sheet_of(table, "aldith") != before
    # or on what is named as the sheet calls it
    what.select_option("mars.advance")
    page.get_by_label(re.compile(r"^Who( |\s|$)")).first.select_option("aldith")
    form = page.locator("form", has=page.get_by_role("button", name="Start", exact=True))
    form.get_by_label("What", exact=True).last.select_option(label="skill")
    name = form.get_by_label(re.compile("^Name"))
    expect(name).to_have_attribute("list", re.compile("."))
    offered = page.locator(f"datalist[id='{name.get_attribute('list')}'] option")
    expect(offered.and_(page.locator("[value='Agility']"))).to_have_count(1)
    name.fill("agilty")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".said p")).to_contain_text("agilty")
    name.fill("Agility")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".happened")).to_contain_text(re.compile("agility", re.IGNORECASE))
    expect(page.locator(".said p")).to_have_count(0)


def sheet_of(table: Table, who: str) -> str:
    """A character's sheet in words."""
    return sheet_markdown(table.sheet(GM, who))


PACK = """pack: {id: cutlery, title: Cutlery, version: "1.0"}
system: mars
weapons:
  - {id: spork, name: Spork, origin: house, damage: DAMAGE, types: [piercing], critical: 8, skills: [martial]}
"""


def test_a_pack_of_your_own(gathered: Callable[..., Table], sits: Callable[..., Visitor], tmp_path: Path) -> None:
    table = gathered("The kitchen", "mars")
    table.act(GM, {"do": "scene.end"})
    one = sits(table, at="campaign", viewport={"width": 1280, "height": 900})
    page = one.page
    wrong, right = tmp_path / "cutlery.yaml", tmp_path / "better.yaml"
    wrong.write_text(PACK.replace("DAMAGE", "lots"))
    page.locator("#pack").set_input_files(wrong)
    told = page.locator(".pack-problems")
    expect(told).to_contain_text("cutlery.yaml:4:")
    expect(told).to_contain_text('"lots"')
    assert one.flaws(".pack-problems") == []
    assert table.view(GM)["packs"] == []
    right.write_text(PACK.replace("DAMAGE", "r4"))
    page.locator("#pack").set_input_files(right)
    expect(page.get_by_role("button", name="Remove: Cutlery")).to_be_visible()
    expect(told).to_have_count(0)
    assert [pack["id"] for pack in table.view(GM)["packs"]] == ["cutlery"]
    page.get_by_role("button", name="Remove: Cutlery").click()
    expect(page.get_by_role("button", name="Remove: Cutlery")).to_have_count(0)


def test_notes_for_some_and_for_all(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The notes", "mars")
    ann = table.invite(GM, name="Ann").seat
    assert ann is not None
    gm = sits(table, at="campaign")
    unfold(gm.page, "Notes")
    for text, to in (("for all of you", "everyone"), ("the duke is a wolf", "self")):
        gm.page.get_by_label("Note", exact=True).fill(text)
        gm.page.get_by_label("Who sees it").select_option(to)
        gm.page.get_by_role("button", name="Write down").click()
        expect(gm.page.locator(".notes .note", has_text=text)).to_be_visible()
    assert [note["text"] for note in table.view(ann)["notes"]] == ["for all of you"]
    assert "the duke is a wolf" not in str((table.view(ann), table.lines(ann)))


def test_the_sheet_shows_what_a_purchase_changes_before_it_is_bought(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The teacher", "mars")
    table.act(GM, {"do": "start", "process": "mars.award", "with": {"bonus": 40}})
    one = sits(table, at="campaign", viewport={"width": 1440, "height": 900})
    page = one.page
    pick(page, "Aldith", "Let them advance")
    page.wait_for_url(f"**/c/{table.id}")
    strength = page.locator(".growth .option[data-id='stat:STR']")
    expect(strength.locator(".gives")).to_contain_text("STR r12+1 → r14+1")
    expect(strength).to_contain_text("costs 14")
    sheet = page.locator(".growth .live")
    expect(sheet.locator(".changed")).to_have_count(0)
    strength.hover()
    expect(sheet.locator(".changed", has_text="Health")).to_contain_text("15")
    one.picture("growth")
    assert one.flaws(".growth") == []
    page.get_by_label("Find something to buy").fill("agil")
    expect(page.locator(".growth .options .option")).to_have_count(1)
    agility = page.locator(".growth .option[data-id='skill:agility']")
    agility.focus()
    expect(sheet.locator(".changed", has_text="Agility")).to_be_visible()
    before = table.view(GM)["question"]["id"]
    page.keyboard.press("Enter")
    wait_until(lambda: table.view(GM)["question"]["id"] != before, "it is bought")
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".growth")).to_have_count(0)
    assert table.view(GM)["question"] is None


def test_an_import_shows_its_progress_and_others_play_on(
    served: Served,
    visitor: Callable[..., Visitor],
    gathered: Callable[..., Table],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The import is held in the middle: its page shows how far it is, and another table takes an act."""
    moved, other = gathered("On the move", "mars"), gathered("Meanwhile", "mars")
    for number in range(20):
        moved.act(GM, {"do": "note.write", "text": f"note {number}"})
    file = tmp_path / "move.ndjson"
    file.write_text("".join(export_campaign(served.store, moved.id)), encoding="utf-8")
    total = len(file.read_text(encoding="utf-8").splitlines()) - 1
    monkeypatch.setattr(campaign_export, "CHUNK", 5)
    go, brought = threading.Event(), import_campaign

    def slowly(*given: Any, progress: Callable[[int, int | None], None], **more: Any) -> Any:
        def told(done: int, of: int | None) -> None:
            progress(done, of)
            assert done < 10 or go.wait(LIMIT)

        return brought(*given, progress=told, **more)

    monkeypatch.setattr(campaigns, "import_campaign", slowly)
    host = visitor(viewport={"width": 320, "height": 640})
    host.page.goto(f"/#{served.store.host_link()}")
    host.page.locator("#file").set_input_files(file)
    bar = host.page.get_by_role("progressbar", name="Opening move.ndjson")
    expect(bar).to_have_attribute("aria-valuetext", f"10 of {total} lines")
    assert host.flaws("main") == []
    assert not host.is_wide()
    served.enter(other.host_link("gm").token).done("say", text="we play on")
    expect(bar).to_be_visible()
    go.set()
    host.page.wait_for_url("**/c/*")
    expect(bar).to_have_count(0)
    assert [one.title for one in served.store.campaigns()].count("On the move") == 2


def test_talk_shows_who_writes_who_spoke_and_what_was_refused(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The murmur", "mars")
    ann = sits(table, "player", "Ann", viewport={"width": 390, "height": 844})
    bob = sits(table, "player", "Bob", viewport=DESK)
    for one in (ann, bob):  # it fades when the test says so, not after some seconds
        one.page.evaluate(
            "() => { const later = setTimeout; window.setTimeout = (work, ms, ...more) =>"
            " ms === 6000 ? ((window.fade = work), 0) : later(work, ms, ...more) }"
        )
    told(ann.page)
    told_to_bob = bob.page.locator("form.talk .writing")
    told_to_ann = ann.page.locator("form.talk .writing")
    ann.page.get_by_label("To", exact=True).select_option(label="Whisper to Gwen")
    ann.page.get_by_label("Say something").press_sequentially("psst")
    ann.page.get_by_label("Say something").fill("")
    ann.page.get_by_label("To", exact=True).select_option(label="Everyone")
    bob.page.get_by_label("Say something").press_sequentially("well")
    expect(told_to_ann).to_have_text("Bob is writing …")
    expect(told_to_bob).to_have_count(0)  # no one hears of a whisper, nor of oneself
    ann.page.get_by_label("Say something").press_sequentially("hello")
    expect(told_to_bob).to_have_text("Ann is writing …")
    bob.page.get_by_label("Say something").press("Enter")
    expect(told_to_ann).to_have_count(0)
    bob.page.evaluate("window.fade()")
    expect(told_to_bob).to_have_count(0)
    expect(bob.page.locator(".line", has_text="Bob: well")).to_have_count(1)
    # what is refused says why beside the field, and is kept
    field = ann.page.get_by_label("Say something")
    field.fill("/shrug")
    field.press("Enter")
    refusal = ann.page.locator("form.talk").get_by_role("alert")
    expect(refusal).to_contain_text("not a chat command")
    expect(field).to_have_value("/shrug")
    expect(ann.page.locator(".said p")).to_have_count(1)  # of Bob, and no message of the page
    assert ann.flaws("form.talk") == []
    field.press_sequentially("s")
    expect(refusal).to_have_count(0)
    # speech stands in bubbles with its speaker
    table.act(GM, {"do": "say", "text": "Who: goes there?"})
    table.act(GM, {"do": "say", "text": "run", "to": "bob"})
    table.act("bob", {"do": "say", "text": "/me bows"})
    bubbles = bob.page.locator(".line .said")
    expect(bubbles).to_have_text(["Bob: well", "Gwen: Who: goes there?", "Gwen whispers to Bob: run", "Bob bows"])
    expect(bubbles.nth(2).get_by_role("img", name="Whisper")).to_be_visible()
    left, right = bubbles.nth(1).locator("p").bounding_box(), bubbles.nth(0).locator("p").bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"] + right["width"], "one's own words stand on the right"
    assert bob.flaws(".log") == []


LISTENS = """() => {
    window.calls = [];
    const node = () => ({ connect: (next) => next });
    const value = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
        constructor() { this.state = 'suspended'; this.currentTime = 0; }
        async resume() { this.state = 'running'; }
        createOscillator() {
            return { ...node(), frequency: value, stop() {}, start: () => window.calls.push(this.state) };
        }
        createGain() { return { ...node(), gain: value } }
    };
    navigator.vibrate = (pattern) => window.calls.push(pattern);
}"""
"""A speaker and a motor that write down what they are told; the speaker is not awake at first."""

HIDES = """() => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});
    document.dispatchEvent(new Event('visibilitychange')) }"""


@pytest.mark.parametrize(
    ("size", "calls"), [(DESK, ["running", [40, 60, 40]]), ({"width": 390, "height": 844}, [[40, 60, 40]])]
)
def test_a_hidden_page_calls_by_sound_at_a_desk_and_by_vibration(
    gathered: Callable[..., Table], sits: Callable[..., Visitor], size: dict[str, int], calls: list[Any]
) -> None:
    table = gathered("The summons", "mars")
    one = sits(table, "player", "Ann", first=lambda page: page.add_init_script(f"({LISTENS})()"), viewport=size)
    page = one.page
    table.act(GM, {"do": "seat.hand", "who": "aldith", "seat": "ann"})
    table.act(GM, {"do": "seat.set", "seat": "ann", "dice": "ask"})
    expect(page.locator(".sheet-panel, .tabs").first).to_be_visible()
    page.locator("h1").first.click()  # a browser lets a page sound and shake once it was used
    page.evaluate(HIDES)
    check = {"who": "aldith", "what": "perception", "situation": ["difficulty=8"], "audience": "public"}
    table.act(GM, {"do": "start", "process": "table.check", "with": check})
    page.locator("section.asked").wait_for()
    wait_until(lambda: len(page.evaluate("window.calls")) >= len(calls), "it calls")
    assert sorted(page.evaluate("window.calls"), key=str) == sorted(calls, key=str)


def test_a_token_out_of_sight_is_brought_back_by_the_keyboard(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    """The map moves under its frame; the frame itself never scrolls, which would leave it beside the map for good."""
    table = gathered("The far shore", "opend6")
    one = sits(table, viewport=DESK)
    page = one.page
    board = page.locator(".scene-map")
    board.wait_for()
    edge = board.bounding_box()
    assert edge is not None
    page.mouse.move(edge["x"] + 40, edge["y"] + 300)
    page.mouse.down()
    page.mouse.move(edge["x"] + 40, edge["y"] + 2300, steps=4)
    page.mouse.up()
    token = page.locator("[data-who] button").first
    expect(token).not_to_be_in_viewport()
    page.keyboard.press("Tab")
    token.focus()
    expect(token).to_be_in_viewport()
    assert board.evaluate("one => [one.scrollTop, one.parentElement.scrollTop]") == [0, 0]
    page.get_by_role("button", name="Show everyone").click()
    expect(token).to_be_in_viewport()
