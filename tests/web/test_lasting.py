"""Journey 4, what has to hold: a lost connection, tokens that are dragged, a log of thousands of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from conformance.places import at_length
from patience import wait_until
from tablewright.table import Table
from tablewright.table.events import Thrown
from web.browsing import Visitor, first_turn, settle, throw, told, tools

GM = "gwen"
MANY = 10_000 if at_length() else 1_000


def test_a_lost_connection_is_seen_and_what_waits_is_sent_once(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The storm", "stage")
    line: dict[str, Any] = {"cut": False, "sent": 0, "open": []}

    def between(route: Any) -> None:
        if line["cut"]:
            route.close(code=1011)
            return
        server = route.connect_to_server()
        line["open"].append(route)

        def from_page(message: str) -> None:
            line["sent"] += "13d6" in message
            server.send(message)

        route.on_message(from_page)

    size = {"width": 390, "height": 844}
    one = sits(table, viewport=size, first=lambda page: page.route_web_socket("**/live?*", between))
    page = one.page
    lost = page.locator(".banner", has_text="No connection")
    expect(page.locator(".banner")).to_have_count(0)
    line["cut"] = True
    line["open"][-1].close(code=1011)
    expect(lost).to_be_visible()
    tools(page)
    throw(page, "13d6")
    page.get_by_role("button", name="Table", exact=True).click()
    expect(lost).to_contain_text("1 waiting to be sent")
    assert one.flaws(".banner") == []
    page.reload()  # what waits survives a reload while no one answers
    expect(lost).to_contain_text("1 waiting to be sent")
    assert line["sent"] == 0
    line["cut"] = False
    expect(lost).to_have_count(0)
    told(page)
    expect(page.locator(".line", has_text="13d6")).to_have_count(1)
    assert line["sent"] == 1
    assert len([told for told in table.lines(GM) if "13d6" in str(told.get("text"))]) == 1


def test_a_token_is_dragged(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The yard of old", "stage")
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "scenario": "even"})
    first_turn(table)
    page = sits(table, viewport={"width": 1280, "height": 900}).page
    scene = table.view(GM)["scene"]
    who = next(one for one in scene["participants"] if one["id"] != scene["turn"])
    token = page.locator(f".spot[data-who='{who['id']}'] .portrait")
    token.wait_for()
    column, row = map(int, who["position"].split(","))
    target = f"{column},{row - 1}"

    def is_dragged() -> bool:
        """Drag the token, once more where the map was moved meanwhile."""
        settle(page)
        box = token.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        cell = 60 * page.evaluate("() => parseFloat(document.querySelector('.world').style.getPropertyValue('--z'))")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - cell / 2, steps=3)
        page.mouse.move(x, y - cell, steps=3)
        page.mouse.up()
        for _ in range(40):
            if position(table, who["id"]) != who["position"]:
                return True
            page.wait_for_timeout(50)
        return False

    wait_until(is_dragged, "the token is where it was put")
    now = next(one for one in table.view(GM)["scene"]["participants"] if one["id"] == who["id"])
    assert now["position"] == target


def position(table: Table, who: str) -> str:
    """Position of a participant."""
    return str(next(one["position"] for one in table.view(GM)["scene"]["participants"] if one["id"] == who))


def long_log(table: Table, count: int = MANY) -> None:
    """Write many lines at once."""

    def write(sitting: Any, _: str) -> Any:
        for number in range(count):
            face = number % 6 + 1
            sitting.add(Thrown(by=GM, dice="2d6", faces=(3, face), outcome=3 + face, stream="table"), GM)

    table._administer(GM, write)


def test_a_log_of_thousands_of_lines(gathered: Callable[..., Table], sits: Callable[..., Visitor]) -> None:
    table = gathered("The chronicle", "stage")
    long_log(table)
    newest = table.cursor(GM)
    one = sits(table, viewport={"width": 1280, "height": 900})
    page = one.page
    lines = page.locator(".lines li.line")
    expect(page.locator(f".line[data-number='{newest}']")).to_be_visible()
    assert lines.count() < 150, "only what can be seen is in the page"
    page.get_by_role("button", name="Search the log").click()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".line", has_text="The chronicle begins")).to_be_in_viewport()
    assert lines.count() < 150
    assert lines.first.get_attribute("aria-posinset") == "1"
    assert int(lines.first.get_attribute("aria-setsize") or 0) > MANY
    # what is read stays where it is while others play on
    box = page.locator(".lines")
    box.evaluate("box => { box.scrollTop = box.scrollHeight / 2 }")
    where = "[...document.querySelectorAll('.lines li')].find(li => li.getBoundingClientRect().top > 300)"
    page.wait_for_function(f"() => Math.abs({where}?.dataset.number - {MANY} / 2) < {MANY} / 10")
    settle(page)
    middle = page.evaluate(f"{where}.dataset.number")
    before = int(lines.first.get_attribute("aria-setsize") or 0)
    table.act(GM, {"do": "throw", "dice": "5d6"})
    page.wait_for_function(
        "n => Number(document.querySelector('.lines li').getAttribute('aria-setsize')) > n", arg=before
    )
    settle(page)
    assert page.evaluate(f"{where}.dataset.number") == middle
    page.get_by_role("button", name="To the newest").click()
    expect(page.locator(".line", has_text="5d6")).to_be_in_viewport()
    assert lines.count() < 150
    assert one.flaws(".lines") == []


def test_the_reason_is_told_if_the_table_cannot_be_read(
    gathered: Callable[..., Table], sits: Callable[..., Visitor]
) -> None:
    table = gathered("The burnt archive", "stage")

    def break_it(page: Page) -> None:
        page.route_web_socket("**/live?*", lambda route: route.close(code=4503, reason="line 7 was changed"))
        page.route(f"**/v1/campaigns/{table.id}?*", lambda route: route.abort())

    page = sits(table, first=break_it, at="/about").page
    page.goto(f"/c/{table.id}")
    expect(page.locator(".banner")).to_contain_text("The server refused: line 7 was changed. Trying again …")
    page.unroute_all()
    expect(page.locator(".play")).to_be_visible()
