"""Answers that come late: the one who has gone on to something else is left there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, Response, Route, expect

from server.serving import Served
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import Table
from tablewright.table.export import export_campaign
from web.browsing import Visitor, settle, wait_in
from web.test_prepare import SMALL, fewer, opened, settled

GM = "gwen"
DESK = {"width": 1280, "height": 900}


class Held:
    """Requests of a page that the test holds back, but for those that end something."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.free = False
        page.route(address, self._hear)

    def _hear(self, route: Route) -> None:
        if self.free or route.request.method == "DELETE":
            route.continue_()
        else:
            self.waiting.append(route)

    def has_come(self) -> None:
        """Wait until something is asked for."""
        wait_in(self.page, lambda: self.waiting, "it is asked for")

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
    """A visitor who makes a MARS character, with one answer held back."""
    page = visitor(viewport=DESK).page
    page.goto("/make/mars")
    page.get_by_role("button", name="Step by step").click()
    page.locator(".option:enabled").first.wait_for()
    held = Held(page, "**/v1/characters/making")
    page.locator(".option").first.click()
    held.has_come()
    return page, held


def test_a_character_who_leaves_the_making_is_not_called_back(visitor: Callable[..., Visitor]) -> None:
    page, held = answered_while_making(visitor)
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Rules")).to_be_visible()
    held.let_go()
    expect(page).to_have_url(re.compile("/rules$"))
    # and what was answered counts all the same
    page.goto("/make/mars")
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile("at=1$"))


def test_creations_of_one_system_are_not_saved_as_another(visitor: Callable[..., Visitor]) -> None:
    page, held = answered_while_making(visitor)
    page.evaluate("history.pushState(null, '', '/make/opend6'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.locator("header", has=page.locator("h1"))).to_contain_text("OpenD6")
    held.let_go()
    expect(page).to_have_url(re.compile("/make/opend6$"))
    expect(page.get_by_role("button", name="Step by step")).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)


def pick(page: Page, system: str, fight: str) -> None:
    """Choose another fight to prepare."""
    page.get_by_role("button", name="Other fights").click()
    page.locator(f"dialog button[data-game={system}]").click()
    page.locator(f"dialog button[data-fight={fight}]").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_fight_of_before_is_not_shown_under_another_scenario(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    fewer(page, 2)
    held = Held(page, re.compile(r"/v1/jobs/[^/]+$"))
    page.goto(f"/prepare?system={SMALL}&fight=even")
    held.has_come()
    job = held.waiting[0].request.url.rpartition("/")[2]
    after = Held(page, re.compile(rf"/v1/jobs/(?!{job}$)[^/]+$"))
    pick(page, SMALL, "together")
    after.has_come()
    held.let_go()
    expect(page.locator(".big")).to_have_text("–")
    expect(page.get_by_text(re.compile(r"\d fights"))).to_have_count(0)
    after.let_go()
    settled(page, 2)


def test_changes_in_a_row_end_each_simulation_before_the_next(visitor: Callable[..., Visitor]) -> None:
    page = opened(visitor(viewport=DESK), fights=2)
    slow, looks, ended = [True], Counter[str](), set()

    def report(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        looks[name] += 1
        if route.request.method == "DELETE":
            ended.add(name)
        if slow and name not in ended:
            route.fulfill(json={"id": name, "state": "running", "runs": 20, "seconds": 0})
        else:
            route.fallback()

    def reported(job: str) -> bool:
        return looks[job] >= 3

    def is_main(one: Response) -> bool:
        asked = one.request.post_data_json or {}
        return one.ok and one.url.endswith("/v1/jobs") and "before" not in asked  # a busy one is asked again

    page.route(re.compile(r"/v1/jobs/[^/]+$"), report)
    for _ in range(3):
        with page.expect_response(is_main) as begun:
            page.get_by_role("button", name="Change Rat").first.click()
            page.get_by_role("menuitem", name="One more like this").click()
        job = begun.value.json()["id"]
        wait_in(page, partial(reported, job), "it runs, and has no figures yet")
    slow.clear()
    settled(page, 2)


def test_a_scenario_of_another_system_that_comes_late_is_not_shown(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    fewer(page, 1)
    others = Held(page, re.compile(r"/v1/systems/(?!mars/)[^/]+/scenarios/"))
    own = Held(page, re.compile("/v1/systems/mars/scenarios/"))
    page.goto("/prepare")
    others.has_come()
    pick(page, "mars", "even")
    own.has_come()
    others.let_go()
    expect(page.locator(".people")).to_have_count(0)
    own.let_go()
    expect(page.locator(".people b", has_text="Aldith")).to_be_visible()
    # nor is another scenario of the same system, which could be changed in vain
    again = Held(page, re.compile("/v1/systems/mars/scenarios/together"))
    pick(page, "mars", "together")
    again.has_come()
    expect(page.locator(".people")).to_have_count(0)
    again.let_go()
    expect(page.locator(".people b", has_text="Aldith")).to_be_visible()


def test_characters_to_add_belong_to_the_system_at_hand(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    fewer(page, 1)
    page.goto("/prepare?system=mars&fight=easy")
    box = page.get_by_role("dialog")
    add = page.get_by_role("button", name=re.compile("^Add to "))
    add.first.click()
    box.get_by_role("searchbox").fill("bandit")
    expect(box.locator("li")).to_have_count(2)  # a bandit, and a captain of them
    box.get_by_role("button", name="Close").click()
    pick(page, "stage", "easy")
    add.first.click()
    expect(box.get_by_role("searchbox")).to_have_value("")
    names = [one["name"] for one in page.request.get("/v1/systems/stage").json()["templates"]]
    expect(box.locator("li button > span:last-child")).to_have_text(names)


def test_of_two_games_the_one_that_was_chosen_last_is_asked_about(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/odds?rule=mars.check")
    expect(page.locator("#chances")).to_be_visible()
    game = page.locator(".sentence button[aria-haspopup=menu]").first
    held = Held(page, re.compile(r"/v1/mechanics/renaissance\.[^/]+$"))
    game.click()
    page.get_by_role("menuitemradio", name="Renaissance").click()
    held.has_come()
    game.click()
    page.get_by_role("menuitemradio", name="The Stage").click()
    expect(page).to_have_url(re.compile(r"%22rule%22%3A%22stage\."))
    expect(page.locator("#chances")).to_be_visible()
    settle(page)
    chances = page.locator("#chances").inner_text()
    held.let_go()
    expect(game).to_have_text("The Stage")
    expect(page).to_have_url(re.compile(r"%22rule%22%3A%22stage\."))
    expect(page.locator("#chances")).to_have_text(chances, use_inner_text=True)


def test_listed_fights_are_those_of_the_game_that_was_chosen_last(visitor: Callable[..., Visitor]) -> None:
    page = opened(visitor(viewport=DESK), fights=1)
    held = Held(page, f"**/v1/systems/{SMALL}/scenarios")
    page.get_by_role("button", name="Other fights").click()
    held.has_come()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="The Stage").click()
    listed = dialog.locator(".fight", has_text=load_scenario("stage:hard").title)
    expect(listed).to_be_visible()
    held.let_go()
    expect(listed).to_be_visible()


def test_of_two_sheets_the_one_that_was_chosen_last_is_shown(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("Two sheets", "mars")
    page = sits(table, viewport=DESK).page
    title = page.locator("#whose")
    page.locator(".sheet-panel .skill").first.wait_for()
    held = Held(page, "**/sheets/corin?quiet=1")
    page.locator("#whose").select_option("corin")
    held.has_come()
    page.locator("#whose").select_option("dilly")
    subtitle = page.locator(".sheet-panel .names p")
    expect(subtitle).to_contain_text("rogue")
    held.let_go()
    expect(title).to_have_value("dilly")
    expect(subtitle).to_contain_text("rogue")


def test_a_link_in_the_text_of_a_rule_leads_there(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/odds?rule=mars.check")
    expect(page.locator("#chances")).to_be_visible()
    dialog = page.get_by_role("dialog")
    links = dialog.locator("a[href^='/odds?rule=']")
    other: str | None = None
    for rule in page.locator(".rules a.rule").all():
        rule.click()
        dialog.get_by_text("Source:").wait_for()
        found = [one.get_attribute("href") or "" for one in links.all()]
        other = next((one for one in found if not one.endswith("=mars.check")), None)
        if other:
            break
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert other
    dialog.locator(f"a[href='{other}']").click()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(re.compile(f"%22rule%22%3A%22{re.escape(other.rpartition('=')[2])}%22"))


def test_going_back_closes_the_text_of_a_rule(visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/rules")
    page.get_by_role("navigation").get_by_role("link", name="Odds").click()
    page.locator(".rules a.rule").first.click()
    page.get_by_role("dialog").get_by_text("Source:").wait_for()
    page.go_back()
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_text_of_a_rule_stays_open_while_the_question_is_kept_in_the_address(
    visitor: Callable[..., Visitor],
) -> None:
    page = visitor(viewport=DESK).page
    page.goto("/odds?rule=renaissance.opposed")
    expect(page).to_have_url(re.compile("/odds[?]q="))
    page.locator(".rules a.rule").first.click()
    page.get_by_role("dialog").get_by_text("Source:").wait_for()
    asked = page.url
    number = page.locator(".fields input[type=number]").first
    number.evaluate("one => { one.value = '41'; one.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(page).not_to_have_url(asked)
    settle(page)
    expect(page.get_by_role("dialog")).to_be_visible()


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


def test_a_refused_change_gives_its_reason_in_the_dialog(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("A wrong change", "mars")
    page = sits(table, viewport=DESK).page
    table.act(GM, {"do": "start", "process": "table.check", "with": {"who": "aldith", "what": "perception"}})
    line = page.locator(".line.check").first
    line.get_by_role("button", name="Change").press("Enter")  # it is there for the keyboard, wherever the log scrolls
    dialog = page.get_by_role("dialog")
    dialog.locator("#changed-faces").fill("99")
    dialog.get_by_role("button", name="Preview").first.click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def test_a_character_who_has_gone_on_is_not_seated_at_a_table(served: Served, visitor: Callable[..., Visitor]) -> None:
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
    page.get_by_role("heading", name="Rules", exact=True).wait_for()
    page.route("**/assets/Odds-*.js", lambda route: route.fulfill(status=404, body=""))
    page.get_by_role("navigation").get_by_role("link", name="Odds").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This page failed to load.")
    page.unroute_all()
    alert.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", name="Odds", exact=True)).to_be_visible()
