"""Home and the way in: games by their covers, the running fight first, and invitations that name the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import ViewportSize, expect

from conformance.places import at_length
from server.serving import Served
from tablewright.game.system.registry import load_system
from tablewright.table import Table
from web.browsing import Visitor, settle
from web.test_first import SYSTEMS

DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}


def test_every_game_has_its_own_face(served: Served, visitor: Callable[..., Visitor]) -> None:
    """Accent, neutrals, title face and cover of each game differ from those of every other."""
    page = visitor(viewport=DESK).page
    page.goto(f"/#{served.store.host_link()}")
    page.locator(".games .card").nth(4).wait_for()
    look = """card => {
        const style = getComputedStyle(card);
        const title = getComputedStyle(card.querySelector('.name'));
        const cover = card.querySelector('img').src;
        return [style.backgroundColor, style.getPropertyValue('--accent'), title.fontFamily, cover];
    }"""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mode", scheme)
        seen = [page.locator(f".games .card[data-game={system}]").evaluate(look) for system in SYSTEMS]
        for of_one in zip(*seen, strict=True):
            assert len(set(of_one)) == len(SYSTEMS), of_one


def test_home_suits_everybody(served: Served, visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=DESK, color_scheme="dark")
    page = one.page
    page.goto(f"/#{served.store.host_link()}")
    page.get_by_role("button", name=re.compile("^Play ")).first.wait_for()
    for viewport in (DESK, PHONE, NARROW):
        page.set_viewport_size(viewport)
        settle(page)
        assert not at_length() or one.flaws() == []  # once it is looked at where every page is
        assert not one.is_wide()
        page.locator(".card").first.click()
        page.get_by_role("radio").first.wait_for()
        assert (viewport is not PHONE and not at_length()) or one.flaws("dialog") == []
        page.keyboard.press("Escape")
        expect(page.locator(".card").first).to_be_focused()


def test_a_stranger_is_told_what_to_do_and_hears_nothing_of_tables(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=DESK)
    page = one.page
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto("/")
    expect(page.get_by_text("You have no seat yet")).to_be_visible()
    expect(page.get_by_role("button", name="New table")).to_have_count(0)
    page.goto("/#a-link-that-nobody-ever-made")
    expect(page.get_by_role("alert")).to_contain_text("no longer valid")
    assert refused == []
    assert one.flaws() == []


def test_an_invitation_names_the_table_and_takes_a_name_and_one_click(
    gathered: Callable[..., Table], visitor: Callable[..., Visitor]
) -> None:
    table = gathered("The evening at the inn", "mars")
    one = visitor(viewport=DESK)
    page = one.page
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"/#{table.invite('gwen').token}")
    expect(page.get_by_role("heading", name="The evening at the inn")).to_be_visible()
    expect(page.get_by_text("Gwen invites you to")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"^{load_system('mars').title}\b"))).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(5)  # four of the party, and someone new
    looks: tuple[tuple[ViewportSize, Literal["light", "dark"]], ...]
    looks = ((DESK, "light"), (NARROW, "light"), (PHONE, "dark")) if at_length() else ((NARROW, "dark"),)
    for viewport, scheme in looks:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mode", scheme)
        assert one.flaws() == []
        assert not one.is_wide()
    assert refused == []
    field = page.get_by_label("Your name at the table")
    expect(field).to_be_focused()
    page.keyboard.type("Petra")
    page.locator("label", has_text="Brakka").click()
    expect(page.get_by_role("radio", name="Brakka")).to_be_checked()
    page.get_by_role("button", name="Sit down as Brakka").click()
    page.wait_for_url(f"**/c/{table.id}")
    [waiting] = [seat for seat in table.view("gwen")["seats"] if not seat["approved"]]
    assert (waiting["name"], waiting["wants"]) == ("Petra", "brakka")
    table.act("gwen", {"do": "seat.approve", "seat": waiting["id"]})
    assert table.view(waiting["id"])["you"]["characters"] == ["brakka"]


def test_a_name_that_is_taken_is_said_where_it_was_typed(
    gathered: Callable[..., Table], visitor: Callable[..., Visitor]
) -> None:
    table = gathered("The crowded inn", "stage")
    one = visitor(viewport=DESK)
    page = one.page
    page.goto(f"/#{table.invite('gwen').token}")
    field = page.get_by_label("Your name at the table")
    field.fill("Gwen")
    page.get_by_role("button", name=re.compile("^Sit down")).click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("is taken at this table")).to_be_visible()
    expect(field).to_have_value("Gwen")
    assert one.flaws("main") == []


def test_about_names_everybody_whose_work_is_in_the_page(visitor: Callable[..., Visitor]) -> None:
    one = visitor(viewport=PHONE)
    page = one.page
    page.goto("/about")
    for words in ("game-icons.net", "CC BY 3.0", "Lucide", "Figtree", "SIL Open Font License", "Svelte"):
        expect(page.get_by_text(words).first).to_be_visible()
    assert one.flaws() == []
    assert not one.is_wide()
    whole = page.request.get("/licences.txt").text()
    for words in ("Grenze Gotisch", "SIL OPEN FONT LICENSE", "Reserved Font Name Limelight", "Floating"):
        assert words.lower() in whole.lower()
