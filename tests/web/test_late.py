"""Answers that come late: whoever has gone on to something else is left there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from patience import LIMIT
from server.serving import Served
from tablewright.table import Table
from tablewright.table.files import export_campaign
from web.browsing import Visitor, settle

GM = "gwen"
DESK = {"width": 1280, "height": 900}


class Held:
    """What a page asks for at an address, until the test lets it go on."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.free = False
        page.route(address, self._hear)

    def _hear(self, route: Route) -> None:
        if self.free:
            route.continue_()
        else:
            self.waiting.append(route)

    def has_come(self) -> None:
        """Wait until something is asked for."""
        end = time.monotonic() + LIMIT
        while not self.waiting:
            assert time.monotonic() < end, "it is never asked for"
            self.page.wait_for_timeout(20)

    def let_go(self) -> None:
        """Let everything go on, until it was answered and the page had time to do something about it."""
        self.free = True
        for one in self.waiting:
            one.continue_()
            answer = one.request.response()
            assert answer is not None
            answer.finished()
        settle(self.page)


def answered_while_making(visitor: Callable[..., Visitor]) -> tuple[Page, Held]:
    """Somebody who makes a character of MARS and has given an answer that is held back."""
    page = visitor(viewport=DESK).page
    page.goto("/make/mars")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator(".option").first.wait_for()
    held = Held(page, "**/v1/characters/making")
    page.locator(".option").first.click()
    held.has_come()
    return page, held


def test_whoever_leaves_the_making_is_not_called_back(visitor: Callable[..., Visitor]) -> None:
    page, held = answered_while_making(visitor)
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Look up a rule")).to_be_visible()
    held.let_go()
    expect(page).to_have_url(re.compile("/rules$"))
    # and what was answered counts all the same
    page.goto("/make/mars")
    page.get_by_role("button", name="Go on with it").click()
    expect(page).to_have_url(re.compile("at=1$"))


def test_what_is_made_of_one_system_is_not_kept_as_another(visitor: Callable[..., Visitor]) -> None:
    page, held = answered_while_making(visitor)
    page.evaluate("history.pushState(null, '', '/make/opend6'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.locator("h1")).to_contain_text("OpenD6")
    held.let_go()
    expect(page).to_have_url(re.compile("/make/opend6$"))
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Go on with it")).to_have_count(0)


def test_a_fight_of_before_is_not_shown_under_another_scenario(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/prepare")
    page.locator("#system").select_option("mars")
    page.locator(".entrants li").first.wait_for()
    held = Held(page, re.compile(r"/v1/jobs/[^/]+$"))
    page.get_by_role("button", name="How would it go?").click()
    held.has_come()
    other = page.locator("#begin-with option").all_text_contents()
    page.locator("#begin-with").select_option(next(one for one in other if one != "even"))
    page.locator(".entrants li").first.wait_for()
    held.let_go()
    expect(page.locator(".wins")).to_have_count(0)
    expect(page.get_by_role("button", name="How would it go?")).to_be_enabled()


def test_a_scenario_of_another_system_that_comes_late_is_not_shown(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    others = Held(page, re.compile(r"/v1/systems/(?!mars/)[^/]+/scenarios/"))
    own = Held(page, re.compile("/v1/systems/mars/scenarios/"))
    page.goto("/prepare")
    others.has_come()
    page.locator("#system").select_option("mars")
    own.has_come()
    others.let_go()
    expect(page.locator(".entrants")).to_have_count(0)
    own.let_go()
    expect(page.locator(".entrants b", has_text="Aldith")).to_be_visible()
    # nor is another scenario of the same system, which could be changed in vain
    again = Held(page, re.compile("/v1/systems/mars/scenarios/together"))
    page.locator("#begin-with").select_option("together")
    again.has_come()
    expect(page.locator(".entrants")).to_have_count(0)
    again.let_go()
    expect(page.locator(".entrants b", has_text="Aldith")).to_be_visible()


def test_who_was_to_be_added_belongs_to_one_system(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/prepare")
    page.locator("#system").select_option("mars")
    first = page.locator("section.card", has=page.locator(".entrants")).first
    side = first.locator("h2").inner_text()
    first.locator(".adding select").select_option(index=1)
    expect(first.locator(".adding button")).to_be_enabled()
    for system in ("stage", "opend6", "renaissance", "marchen"):
        page.locator("#system").select_option(system)
        page.locator(".entrants li").first.wait_for()
        for one in page.locator("section.card", has=page.locator(".entrants")).all():
            if one.locator("h2").inner_text() == side:
                expect(one.locator(".adding button")).to_be_disabled()


def test_of_two_rules_the_one_that_was_chosen_last_is_shown(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/odds?rule=mars.check")
    expect(page.locator("#chances")).to_be_visible()
    held = Held(page, "**/v1/mechanics/renaissance.opposed")
    page.locator("#rule").select_option("renaissance.opposed")
    held.has_come()
    page.locator("#rule").select_option("stage.leveled")
    expect(page.get_by_label("Dice *").first).to_be_visible()
    held.let_go()
    expect(page.locator("#rule")).to_have_value("stage.leveled")
    expect(page.get_by_label("Dice *").first).to_be_visible()
    expect(page.locator("#chances")).to_be_visible()


def test_of_two_sheets_the_one_that_was_chosen_last_is_shown(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Two sheets", "mars")
    page = sits(table, viewport=DESK).page
    page.locator(".sheet").wait_for()
    held = Held(page, "**/sheets/corin")
    page.locator("#whose").select_option("corin")
    held.has_come()
    page.locator("#whose").select_option("dilly")
    expect(page.locator(".sheet-title")).to_have_text("Dilly")
    held.let_go()
    expect(page.locator(".sheet-title")).to_have_text("Dilly")


def test_a_link_in_the_text_of_a_rule_leads_there(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/odds?rule=mars.check")
    expect(page.locator("#chances")).to_be_visible()
    page.locator("summary", has_text="Rules behind it").click()
    dialog = page.get_by_role("dialog")
    other = dialog.locator("a[href^='/odds?rule=']", has_not_text=re.compile("^mars.check$")).first
    for rule in page.locator("details a.rule").all():
        rule.click()
        dialog.get_by_text("Where it stands").wait_for()
        if other.count():
            break
        page.keyboard.press("Escape")
    name = other.inner_text()
    other.click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#rule")).to_have_value(name)


def test_going_back_closes_the_text_of_a_rule(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/rules")
    page.get_by_role("navigation").get_by_role("link", name="Odds").click()
    page.locator("summary", has_text="Rules behind it").click()
    page.locator("details a.rule").first.click()
    page.get_by_role("dialog").get_by_text("Where it stands").wait_for()
    page.go_back()
    expect(page.get_by_role("heading", name="Look up a rule")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_table_file_that_was_mended_can_be_chosen_again(
    served: Served, gathered: Callable[..., Table], visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    table = gathered("From a file", "mars")
    page = visitor(viewport=DESK).page
    page.goto(f"/#{served.store.host_link()}")
    file = tmp_path / "table.ndjson"
    file.write_text("nothing", encoding="utf-8")
    page.locator("#file").set_input_files(file)
    expect(page.locator(".said")).not_to_be_empty()
    expect(page.locator("#file")).to_have_value("")
    file.write_text("".join(export_campaign(served.store, table.id)), encoding="utf-8")
    page.locator("#file").set_input_files(file)
    page.wait_for_url("**/c/*")


def test_what_a_change_is_refused_for_is_said_in_the_dialog(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("A wrong change", "mars")
    page = sits(table, viewport=DESK).page
    table.act(GM, {"do": "start", "process": "table.check", "with": {"who": "aldith", "what": "perception"}})
    page.locator(".line.rule").first.get_by_role("button", name="Change this line").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#changed-faces").fill("99")
    dialog.get_by_role("button", name="See what that does").first.click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def test_whoever_has_gone_on_is_not_seated_at_a_table(served: Served, visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto(f"/#{served.store.host_link()}")
    held = Held(page, re.compile(r"/v1/campaigns/[^/]+/(seat|link)$"))
    page.get_by_role("button", name="Play").first.click()
    held.has_come()
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    held.let_go()
    expect(page).to_have_url(re.compile("/rules$"))


def test_an_answer_that_breaks_off_is_no_riddle(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/rules")
    page.route("**/v1/rules?*", lambda route: route.fulfill(status=200, content_type="text/html", body="<p>proxy"))
    page.locator("#words").fill("wild die")
    expect(page.locator(".said")).not_to_be_empty()
    expect(page.locator(".said")).not_to_contain_text("null")


def test_a_page_that_does_not_come_says_so(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/rules")
    page.get_by_role("heading", name="Look up a rule").wait_for()
    page.route("**/assets/Odds-*.js", lambda route: route.fulfill(status=404, body=""))
    page.get_by_role("navigation").get_by_role("link", name="Odds").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This page did not come.")
    page.unroute_all()
    alert.get_by_role("button", name="Load it again").click()
    expect(page.get_by_role("heading", name="Know the odds")).to_be_visible()
