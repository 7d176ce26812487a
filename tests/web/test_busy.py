"""A server that has too much to do: the page says so and sends again what was not taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from server.serving import Served
from tablewright.table import Table
from web.browsing import Visitor, tools, unfold

GM = "gwen"
DESK = {"width": 1280, "height": 900}


def test_older_notes_are_shown_when_asked_for_and_acts_refused_by_a_busy_server_are_sent_again(
    gathered: Callable[..., Table],
    sits: Callable[..., Visitor],
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = gathered("The busy one", "mars")
    for number in range(7):
        table.act(GM, {"do": "note.write", "text": f"{number} " + "x" * 9_990})
    page = sits(table, viewport=DESK).page
    tools(page)
    expect(page.locator(".notes li")).to_have_count(5)
    page.get_by_role("button", name="Show older notes (2 more)").click()
    expect(page.locator(".notes li")).to_have_count(7)
    expect(page.locator(".notes li").first).to_contain_text("0 x")
    expect(page.get_by_role("button", name="Show older notes")).to_have_count(0)
    box = page.locator("details", has=page.locator("ul.notes"))
    unfold(page, "Notes")
    page.locator("#note").fill("remember the milk")
    queue = served.app.state.context.queue
    with monkeypatch.context() as full:
        full.setattr(queue, "limits", replace(queue.limits, waiting_of_table=0))
        box.get_by_role("button", name="Write", exact=False).click()
        expect(page.locator(".banner")).to_contain_text("busy; trying again")
    expect(page.locator(".notes li", has_text="remember the milk")).to_have_count(1)
    expect(page.locator(".banner")).to_have_count(0)
    assert [one["text"][:17] for one in table.view(GM, 10**9)["notes"]].count("remember the milk") == 1
