"""The host renames a campaign or removes it for good, on a database file and on a real PostgreSQL."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from table.playing import group
from tablewright.errors import InvalidInputError
from tablewright.table import NotFoundError, Store, TokenRequest, export_campaign, import_campaign, open_store
from tablewright.table.database import queries, schema

HOST = "the-cookie-of-the-host"
OWN = (schema.campaigns.c.id, *[table.c.campaign for table in (schema.lines, schema.feed, schema.links)])


def kept_of(store: Store, campaign: str) -> list[int]:
    """Number of rows of a campaign in each table."""
    columns = [*OWN, schema.snapshots.c.campaign, schema.requests.c.campaign]
    with queries.reading(store.engine) as connection:
        counts = [select(func.count()).select_from(one.table).where(one == campaign) for one in columns]
        return [connection.execute(count).scalar_one() for count in counts]


def test_a_new_title_is_everywhere_and_lasts(where: str) -> None:
    with open_store(where, serve=True) as store:
        g = group(store)
        g.begin()
        heard: list[int] = []
        store.subscribe(g.table.id, lambda _, last: heard.append(last))
        assert g.table.rename("  The   larder ") == "The larder"
        assert heard == [store.campaigns()[0].last]
        for seat in (g.gm, g.anna, g.watcher):
            seen = g.table.view(seat)
            assert seen["campaign"]["title"] == "The larder"
            assert seen["lines"][-1]["text"] == "this table is called The larder from now on"
        assert [one.title for one in store.campaigns()] == ["The larder"]
        assert g.table.is_as_the_log_says()
        cursor = g.table.cursor(g.gm)
        g.table.rename("The larder")
        assert g.table.cursor(g.gm) == cursor, "what it is called already is no news"
        with pytest.raises(InvalidInputError):
            g.table.rename(" ")
        assert "played" not in g.table.lines(g.gm)[-1], "undo leaves it as it is"
        name = g.table.id
    with open_store(where, serve=True) as store:
        assert store.table(name).seat("gwen")["campaign"] == "The larder"
        copy = import_campaign(store, "".join(export_campaign(store, name)))
        assert [one.title for one in store.campaigns()] == ["The larder", "The larder"]
        assert copy.table.seat("gwen")["campaign"] == "The larder"


def test_a_title_is_asked_for_once(store: Store) -> None:
    g = group(store)
    first, second = TokenRequest(HOST, "one", "rename The attic"), TokenRequest(HOST, "one", "rename The barn")
    g.table.rename("The attic", asked=first)
    g.table.rename("The cellar", asked=TokenRequest(HOST, "two", "rename The cellar"))
    g.table.rename("The attic", asked=first)
    assert g.table.view(g.gm)["campaign"]["title"] == "The cellar"
    with pytest.raises(InvalidInputError, match="used for another request"):
        g.table.rename("The barn", asked=second)


def test_nothing_is_left_of_what_was_removed(store: Store) -> None:
    g, other = group(store), group(store)
    g.begin()
    g.act(g.anna, "note.write", text="hello", key="a")
    stays, title = kept_of(store, other.table.id), g.table.view(g.gm)["campaign"]["title"]
    heard: list[str] = []
    store.subscribe(g.table.id, lambda campaign, _: heard.append(campaign))
    with pytest.raises(InvalidInputError, match=title):
        store.remove_campaign(g.table.id, "another")
    assert kept_of(store, g.table.id)[0] == 1
    store.remove_campaign(g.table.id, f" {title} ")
    assert kept_of(store, g.table.id) == [0] * 6
    assert kept_of(store, other.table.id) == stays
    assert heard == [g.table.id], "every listener looks again"
    for refused in (
        lambda: g.table.view(g.gm),
        lambda: g.act(g.anna, "throw", dice="d6"),
        lambda: g.table.invite(g.gm, name="Zoe"),
        lambda: g.table.rename("again"),
        lambda: store.table(g.table.id),
        lambda: store.enter(g.cookies[g.anna]),
        lambda: store.remove_campaign(g.table.id, title),
    ):
        with pytest.raises(NotFoundError):
            refused()
    assert kept_of(store, g.table.id) == [0] * 6
    assert other.act(other.anna, "throw", dice="d6")["lines"]


def test_a_link_to_what_was_removed_opens_nothing(store: Store) -> None:
    g = group(store)
    link = g.table.invite(g.gm, name="Zoe").token
    store.remove_campaign(g.table.id, g.table.view(g.gm)["campaign"]["title"])
    with pytest.raises(NotFoundError):
        store.exchange(link)
    assert kept_of(store, g.table.id) == [0] * 6


def test_removing_is_asked_for_once(store: Store) -> None:
    g, other = group(store), group(store)
    title = g.table.view(g.gm)["campaign"]["title"]
    asked = TokenRequest(HOST, "one", f"remove {g.table.id} {title}")
    for _ in range(2):
        store.remove_campaign(g.table.id, title, asked=asked)
    with pytest.raises(InvalidInputError, match="used for another request"):
        store.remove_campaign(
            other.table.id, title, asked=TokenRequest(HOST, "one", f"remove {other.table.id} {title}")
        )
    assert [one.id for one in store.campaigns()] == [other.table.id]


def test_another_process_hears_that_a_campaign_is_gone(where: str) -> None:
    """Both have it open; the one that did not remove it says that it is not there, and writes nothing."""
    if where.startswith("/"):
        pytest.skip("a database file has one server")
    with open_store(where) as one, open_store(where) as two:
        g = group(one)
        there = two.table(g.table.id)
        there.view(g.gm)
        one.remove_campaign(g.table.id, there.view(g.gm)["campaign"]["title"])
        with pytest.raises(NotFoundError):
            there.act(g.anna, {"do": "throw", "dice": "d6"})
        with pytest.raises(NotFoundError):
            there.view(g.gm)
        assert kept_of(two, g.table.id) == [0] * 6
