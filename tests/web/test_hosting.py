"""Administration by the host: rename and delete a table; equal names are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, own_sheet, told, tools, unfold

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def test_the_host_calls_a_table_otherwise_and_removes_it_by_its_name(
    served: Served,
    gathered: Callable[..., Table],
    visitor: Callable[..., Visitor],
    sits: Callable[..., Visitor],
    tmp_path: Path,
) -> None:
    """Before it is removed its file can be saved, from which it comes back."""
    table = gathered("The yuong table", "mars")
    player = sits(table, "player", "Petra")
    host = visitor(viewport=PHONE)
    page = host.page
    page.goto(f"/#{served.store.host_link()}")
    page.get_by_role("button", name="More for The yuong table").click()
    page.get_by_role("menuitem", name="Rename").click()
    box = page.get_by_role("dialog")
    expect(box.get_by_label("New title")).to_have_value("The yuong table")
    assert host.flaws("dialog") == []
    assert not host.is_wide()
    box.get_by_label("New title").fill("The old table")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play The old table", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play The yuong table", exact=True)).to_have_count(0)
    expect(page.locator(".said p")).to_contain_text("The old table")
    expect(player.page.locator("h1")).to_contain_text("The old table")
    expect(player.page.locator(".line").last).to_contain_text("is called The old table from now on")
    assert table.seat("gwen")["campaign"] == "The old table"
    # and removed
    more = page.get_by_role("button", name="More for The old table")
    more.click()
    page.get_by_role("menuitem", name="Remove").click()
    expect(box).to_contain_text("This cannot be undone.")
    remove = box.get_by_role("button", name="Remove it for good")
    expect(remove).to_be_disabled()
    assert not host.is_wide()
    page.keyboard.press("Escape")  # nothing has happened
    expect(page.locator("dialog")).to_have_count(0)  # closed, and the page knows
    expect(more).to_be_focused()
    page.keyboard.press("ArrowUp")  # the last of what can be done
    page.keyboard.press("Enter")
    with page.expect_download() as coming:
        box.get_by_role("link", name="Save its file first").click()
    coming.value.save_as(tmp_path / "old.ndjson")
    box.get_by_label("type its title").fill("the old table")
    expect(remove).to_be_disabled()
    box.get_by_label("type its title").fill("The old table")
    remove.click()
    expect(page.get_by_role("button", name="Play The old table", exact=True)).to_have_count(0)
    expect(page.locator(".said p")).to_contain_text("The old table was removed.")
    # a title as a phone writes it, and as the card shows it
    served.store.make_campaign("The keeper's yard (MARS)", "mars")
    page.reload()
    page.get_by_role("button", name="More for The keeper's yard (MARS)").click()
    page.get_by_role("menuitem", name="Remove").click()
    box.get_by_label("type its title").fill(" The keeper’s  yard ")
    remove.click()
    expect(page.get_by_role("button", name="More for The keeper's yard (MARS)")).to_have_count(0)
    expect(player.page.get_by_role("alert")).to_contain_text("the table was removed")
    assert table.id not in [one.id for one in served.store.campaigns()]
    page.locator("#file").set_input_files(tmp_path / "old.ndjson")
    page.wait_for_url("**/c/*")
    expect(page.locator("h1")).to_contain_text("The old table")


def test_a_game_master_who_is_not_the_host_is_told_who_does_it(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    page = sits(gathered("Somebody else's table", "mars")).page
    page.get_by_role("link", name="Campaign").click()
    expect(page.get_by_text("The host of the server renames and removes tables")).to_be_visible()
    page.get_by_role("link", name="Tables", exact=True).first.click()
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^More for"))).to_have_count(0)


def test_people_and_characters_of_one_name_are_told_apart(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The two Petras", "mars")
    table.invite("gwen", role="player", name="Petra")
    second = sits(table, "player", "Petra", viewport=PHONE)
    gm = sits(table, viewport={"width": 1280, "height": 900})
    table.act("gwen", {"do": "character.add", "character": "fighter"})
    page = second.page
    own_sheet(page)
    unfold(page, "Notes")
    page.get_by_label("Note", exact=True).fill("I am the other one")
    page.get_by_role("button", name="Write down").click()
    tools(gm.page)
    expect(gm.page.get_by_text("The game master sees every note")).to_have_count(0)  # which a player is told
    for one in (gm, second):
        expect(one.page.locator(".notes li").last).to_contain_text("by Petra 2")
        told(one.page)
        expect(one.page.locator(".line").last).to_contain_text("Petra 2: I am the other one")
        expect(one.page.locator(".line", has_text="Aldith 2 is part of the campaign")).to_have_count(1)
        expect(one.page.get_by_text(re.compile(r"petra-2|aldith-2"))).to_have_count(0)
    gm.page.get_by_role("link", name="Campaign").click()
    people = gm.page.locator("section", has=gm.page.get_by_role("heading", name="People"))
    for name in ("Petra 1", "Petra 2"):
        expect(people.locator("li", has_text=name)).to_have_count(1)
        expect(people.get_by_role("button", name=f"More for {name}")).to_be_visible()
    characters = gm.page.locator("section", has=gm.page.get_by_role("heading", name="Characters"))
    for name in ("Aldith 1", "Aldith 2"):
        expect(characters.locator("li", has_text=name)).to_have_count(1)


def test_opened_boxes_stay_open_whatever_happens_at_the_table(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The open diary", "mars")
    page = sits(table, "player", "Petra", viewport=DESK).page
    unfold(page, "Notes")
    note = page.get_by_label("Note", exact=True)
    note.fill("half a th")
    table.act("gwen", {"do": "character.add", "character": "fighter"})
    expect(page.locator(".line", has_text="Aldith 2")).to_be_visible()  # it has come
    expect(note).to_be_visible()
    note.press_sequentially("ought")
    page.get_by_role("button", name="Write down").click()
    expect(page.locator(".notes li").last).to_contain_text("half a thought")
    unfold(page, "Notes", shut=True)
    table.act("gwen", {"do": "character.add", "character": "fighter"})
    expect(page.locator(".line", has_text="Aldith 3")).to_be_visible()
    expect(note).not_to_be_visible()  # and what was closed stays closed


def test_half_a_note_outlasts_a_look_at_the_log_and_a_player_is_told_who_reads_it(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The diary", "mars")
    player = sits(table, "player", "Petra", viewport=PHONE)
    page = player.page
    own_sheet(page)
    unfold(page, "Notes")
    expect(page.get_by_text("The game master sees every note")).to_be_visible()
    note = page.get_by_label("Note", exact=True)
    note.fill("half a th")
    told(page)
    expect(note).to_have_count(0)
    own_sheet(page)
    expect(note).to_be_visible()
    expect(note).to_have_value("half a th")
    note.press_sequentially("ought")
    page.get_by_label("Who sees it").last.select_option(label="for me (the game master sees it too)")
    page.get_by_role("button", name="Write down").click()
    expect(page.locator(".notes li").last).to_contain_text("half a thought")
    assert "half a thought" in [one["text"] for one in table.view("gwen")["notes"]]  # so it is true
    told(page)
    own_sheet(page)
    expect(note).to_have_value("")
    unfold(page, "Roll dice")
    expect(page.locator("#dice-audience option[value=self]")).to_have_text("me (the game master sees it too)")
    assert player.flaws() == []
    assert not player.is_wide()
