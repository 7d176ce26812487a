"""Journey 5: run a campaign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from server.serving import Served
from web.browsing import Visitor


def test_people_characters_time_options_and_files(
    served: Served, seat: Callable[..., Visitor], visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    gm = seat("mars", viewport={"width": 1280, "height": 900})
    page = gm.page
    page.get_by_role("link", name="Campaign").click()
    # an invitation to whoever comes: they ask, the game master lets them in
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#shown-link").input_value()
    guest = visitor(viewport={"width": 390, "height": 844})
    guest.page.goto(link)
    guest.page.get_by_label("What are you called?").fill("Bea <b>")
    guest.page.get_by_role("button", name="Come in").click()
    expect(guest.page.get_by_text("at the door")).to_be_visible()
    page.get_by_role("button", name="Let in: Bea <b>").click()
    expect(guest.page.locator("h1")).to_contain_text("The toll bridge")
    page.get_by_label("Played by: Corin").select_option(label="Bea <b>")
    expect(guest.page.locator("#roller")).to_contain_text("Corin")
    # time passes
    page.get_by_label("How long").fill("3 days")
    page.get_by_role("button", name="Let time pass").click()
    expect(page.get_by_text("It is day 4")).to_be_visible()
    # options say what they make of a typical check
    page.locator("summary", has_text="Options").click()
    option = page.locator(".option-card", has_text="Contest tie")
    option.wait_for()
    page.get_by_label("Reason").fill("we like it")
    option.locator("select").select_option(label="reroll")
    option.get_by_role("button", name="Play by it").click()
    expect(option.locator("li.best")).to_contain_text("reroll")
    assert gm.flaws() == []
    gm.picture("campaign")
    # the whole campaign as a file, and back again
    with page.expect_download() as coming:
        page.get_by_role("link", name="Export the whole campaign").click()
    coming.value.save_as(tmp_path / "mars.ndjson")
    host = visitor()
    host.page.goto(f"/#{served.app.state.context.host_token}")
    host.page.locator("#file").set_input_files(tmp_path / "mars.ndjson")
    host.page.wait_for_url("**/c/*")
    expect(host.page.locator("h1")).to_contain_text("The toll bridge")


def test_the_log_as_markdown(seat: Callable[..., Visitor], tmp_path: Path) -> None:
    page = seat("opend6").page
    page.get_by_role("link", name="Campaign").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="The log as Markdown").click()
    coming.value.save_as(tmp_path / "log.md")
    assert (tmp_path / "log.md").read_text().startswith("# The ruined mill")
