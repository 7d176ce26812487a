"""One server with the demo campaigns and one Chromium for all tests of the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from conformance.places import at_length
from server.serving import Served, serving
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.values import thaw
from tablewright.server.demo import make_demos
from tablewright.table import CreatedCampaign, Store, Table
from web.browsing import Pages, Visitor, build, opened

HERE = Path(__file__).parent


QUICK_GAME = {
    "test_every_system_is_finished_on_a_phone_and_says_what_was_chosen": "mars",
    "test_an_attack_is_one_click_and_on_another_two_and_no_text_is_an_id": "mars",
    "test_on_a_phone_turn_target_and_two_verbs_are_in_sight": "opend6",
    "test_every_system_opens_on_something_to_roll": "stage",
    "test_a_newcomer_takes_the_first_turn_in_six_clicks": "mars",
    "test_no_table_of_a_printed_sheet_is_cut": "renaissance",
    "test_a_first_interval_comes_soon": "opend6",
    "test_every_roll_of_a_game_opens_without_a_complaint": "opend6",
    "test_a_table_is_loaded_within_its_budget": "renaissance",
    "test_nobody_on_the_map_is_covered": "mars",
}
"""Tests that walk one and the same page for each game, with one of the five; `make soak` walks all."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the other games to `make soak`."""
    if at_length():
        return
    config.hook.pytest_deselected(items=[item for item in items if _is_another_game(item)])
    items[:] = [item for item in items if not _is_another_game(item)]


def _is_another_game(item: pytest.Item) -> bool:
    game = QUICK_GAME.get(getattr(item, "originalname", item.name))
    return game is not None and item.path.parent == HERE and not item.name.endswith(f"[{game}]")


@contextmanager
def seeded_by_title() -> Iterator[None]:
    """Seed each campaign by its title, so that a test meets the same dice in every run; ``TEST_DICE`` gives others."""
    make, salt = Store.make_campaign, os.environ.get("TEST_DICE", "")

    def seeded(store: Store, title: str, system: str, **more: Any) -> CreatedCampaign:
        more.setdefault("seed", crc32(f"{salt}/{system}/{title}".encode()))
        return make(store, title, system, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "make_campaign", seeded)
        yield


@pytest.fixture(autouse=True)
def dice() -> Iterator[None]:
    """The same dice in every run; tests of other folders in this process keep theirs."""
    with seeded_by_title():
        yield


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server with the built page."""
    build()
    with serving(tmp_path_factory.mktemp("web")) as running:
        with seeded_by_title():
            make_demos(running.store)
        running.demos = {one.system: running.store.table(one.id) for one in running.store.campaigns()}
        yield running


@pytest.fixture
def first_day(tmp_path: Path) -> Iterator[Served]:
    """A server of its own, just begun: no one has played at it."""
    build()
    with serving(tmp_path) as running:
        make_demos(running.store)
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as playwright:
        chromium = opened(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def pages(served: Served, browser: Browser) -> Pages:
    """Pages of the shared server."""
    return Pages(browser, served.url)


@pytest.fixture
def visitor(served: Served, pages: Pages) -> Iterator[Callable[..., Visitor]]:
    """Opens a browser of its own for a visitor of the shared server, or of another."""
    everybody: list[Visitor] = []

    def come(at: Served = served, **more: Any) -> Visitor:
        everybody.append(Visitor(pages, at.url, **more))
        return everybody[-1]

    yield come
    for one in everybody:
        one.leave()


@pytest.fixture
def seat(served: Served, visitor: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Seats a visitor at the demo campaign of a system, as game master unless another role is given."""

    def sit(system: str, role: str = "gm", name: str | None = None, **more: Any) -> Visitor:
        table = served.demos[system]
        link = table.host_link("gm") if role == "gm" else table.invite("game-master", role=role, name=name)
        one = visitor(**more)
        enter(one, table, link.token)
        return one

    return sit


def enter(one: Visitor, table: Table, token: str, at: str = "") -> None:
    """Take a seat by its link, and open its table or another page.

    That the link itself leads there is what the first tests show.
    """
    entered = one.context.request.post("/v1/enter", data={"token": token})
    assert entered.ok, entered.text()
    one.page.goto(at if at.startswith("/") else f"/c/{table.id}/{at}".rstrip("/"))


@pytest.fixture(scope="session")
def gathered(served: Served) -> Callable[..., Table]:
    """Makes a table of its own, at rest, with the party of a system; its game master is called Gwen."""

    def make(title: str, system: str) -> Table:
        made = served.store.make_campaign(title, system, game_master="Gwen")
        gm = made.invitation.seat
        assert gm is not None
        scenario = load_scenario(f"{system}:together")
        for entrant in scenario.on(scenario.sides[0]):
            made.table.act(gm, {"do": "character.add", "character": thaw(entrant.character), "id": entrant.id})
        who = [hero["id"] for hero in made.table.view(gm)["characters"]]
        made.table.act(gm, {"do": "scene.begin", "form": "time", "who": who})
        return made.table

    return make


@pytest.fixture
def sits(visitor: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Seats a visitor at a table.

    With ``at`` at another page, such as ``campaign`` or ``/rules``; ``first`` is done with the page before that.
    """

    def come(
        table: Table,
        role: str = "gm",
        name: str | None = None,
        *,
        at: str = "",
        first: Callable[[Page], object] = lambda _: None,
        **more: Any,
    ) -> Visitor:
        link = table.host_link("gm") if role == "gm" else table.invite("gwen", role=role, name=name)
        one = visitor(**more)
        first(one.page)
        enter(one, table, link.token, at)
        if not at:
            one.page.locator(".play").wait_for()
        return one

    return come
