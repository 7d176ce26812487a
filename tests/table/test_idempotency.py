"""Links, cookies and campaigns under a key: a repeated request gets the same token, and no database holds it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from sqlalchemy import text

from patience import LIMIT
from table.playing import Group, group
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.table import (
    NotFoundError,
    Store,
    StoreFullError,
    TokenRequest,
    export_campaign,
    import_campaign,
    open_store,
)
from tablewright.table.database import queries
from tablewright.table.database.connection import engine_of
from tablewright.table.database.location import address_of

LONG = "a-key-of-many-random-letters"


def asked(cookie: str, key: str = "again", what: str = "this") -> TokenRequest:
    """A request under a key."""
    return TokenRequest(cookie, key, what)


def everything(where: str) -> str:
    """The whole database as one text."""
    engine, found = engine_of(address_of(where)), []
    with engine.connect() as connection:
        for table in ("campaigns", "lines", "feed", "snapshots", "requests", "links"):
            found += [str(tuple(row)) for row in connection.execute(text(f"SELECT * FROM {table}"))]
    engine.dispose()
    return "\n".join(found)


@pytest.fixture
def another(where: str, store: Store) -> Iterator[Store]:
    """The same database as another process sees it."""
    with open_store(where) as opened:
        yield opened


GIVEN: dict[str, Callable[[Store, Group, TokenRequest], Any]] = {
    "invite": lambda store, g, by: store.table(g.table.id).invite(g.gm, name="Zoe", asked=by),
    "invite whoever comes": lambda store, g, by: store.table(g.table.id).invite(g.gm, asked=by),
    "renew": lambda store, g, by: store.table(g.table.id).renew(g.gm, g.anna, asked=by),
    "the host's link": lambda store, g, by: store.table(g.table.id).host_link(asked=by),
    "a campaign": lambda store, g, by: store.make_campaign("Twice", "coinfolk", asked=by).invitation,
    "a campaign's file": lambda store, g, by: (
        import_campaign(store, "".join(export_campaign(store, g.table.id)), asked=by).invitation
    ),
}


@pytest.mark.parametrize("what", GIVEN)
def test_the_same_token_comes_from_everywhere_and_is_kept_nowhere(
    where: str, store: Store, another: Store, what: str
) -> None:
    g, give = group(store), GIVEN[what]
    by = asked(g.cookies[g.gm])
    first = give(store, g, by)
    before = (len(store.campaigns()), g.table.cursor(g.gm), len(g.table.view(g.gm)["seats"]))
    assert give(another, g, by) == first, "another process"
    assert give(store, g, by) == first, "the same process"
    assert before == (len(store.campaigns()), g.table.cursor(g.gm), len(g.table.view(g.gm)["seats"]))
    kept = everything(where)
    assert first.token not in kept
    assert g.cookies[g.gm] not in kept
    _, entry = another.exchange(first.token, name="Zoe")
    assert entry.table.id in {one.id for one in store.campaigns()}
    assert give(store, g, asked(g.cookies[g.gm], "other")).token != first.token


@pytest.mark.parametrize("what", GIVEN)
def test_the_same_token_comes_after_a_restart(where: str, what: str) -> None:
    with open_store(where, serve=True) as store:
        g = group(store)
        by = asked(g.cookies[g.gm])
        first = GIVEN[what](store, g, by)
    with open_store(where, serve=True) as store:
        campaigns = len(store.campaigns())
        assert GIVEN[what](store, g, by) == first
        assert len(store.campaigns()) == campaigns


def test_a_key_is_for_one_thing_and_for_one_asker(store: Store) -> None:
    g = group(store)
    first = g.table.invite(g.gm, name="Zoe", asked=asked(g.cookies[g.gm], "k", "invite Zoe"))
    with pytest.raises(InvalidInputError, match="another request"):
        g.table.invite(g.gm, name="Max", asked=asked(g.cookies[g.gm], "k", "invite Max"))
    cookie, _ = store.exchange(g.table.host_link().token)
    second = g.table.invite(g.gm, name="Zoe", asked=asked(cookie, "k", "invite Zoe"))
    assert second.token != first.token
    assert second.seat != first.seat, "another device of the same seat asks for itself"
    with pytest.raises(TablewrightError, match="only the game master can do this"):
        g.table.invite(g.anna, name="Zoe", asked=asked(g.cookies[g.anna], "k", "invite Zoe"))
    with pytest.raises(NotFoundError):
        g.table.invite(g.gm, name="Zoe", asked=asked(g.cookies[g.anna], "k", "invite Zoe"))


def test_a_revoked_seat_is_not_revoked_twice(store: Store, another: Store) -> None:
    """The one who was let in again in between stays."""
    g = group(store)
    by = asked(g.cookies[g.gm], "revoke", "revoke anna")
    g.table.revoke(g.gm, g.anna, asked=by)
    cookie, _ = store.exchange(g.table.renew(g.gm, g.anna).token)
    another.table(g.table.id).revoke(g.gm, g.anna, asked=by)
    assert store.enter(cookie).seat == g.anna


def test_a_cookie_that_is_void_gives_nothing_again(store: Store, another: Store) -> None:
    """A seat may be renewed because its cookie was stolen: a thief who knows the key gets no new one."""
    g = group(store)
    by = asked(g.cookies[g.gm], "renew", "renew gwen")
    renewed = g.table.renew(g.gm, g.gm, asked=by)
    for one in (store, another):
        with pytest.raises(NotFoundError):
            one.table(g.table.id).renew(g.gm, g.gm, asked=by)
    assert store.exchange(renewed.token)[1].seat == g.gm


def test_a_lost_cookie_comes_again_for_minutes(where: str) -> None:
    now = ["2026-03-04T05:06:07Z"]
    with open_store(where, now=lambda: now[0]) as store, open_store(where, now=lambda: now[0]) as another:
        g = group(store)
        link, open_link = g.table.invite(g.gm, name="Zoe").token, g.table.invite(g.gm).token
        cookie, entry = store.exchange(link, key=LONG)
        guest, seat = store.exchange(open_link, name="Max", key=LONG)
        host_link = store.host_link()
        host = store.exchange_host(host_link, key=LONG)
        now[0] = "2026-03-04T05:16:00Z"
        for one in (another, store):
            assert one.exchange(link, key=LONG) == (cookie, (one.table(g.table.id), entry.seat))
            assert one.exchange(open_link, name="Max", key=LONG) == (guest, (one.table(g.table.id), seat.seat))
            assert one.exchange_host(host_link, key=LONG) == host
            assert one.is_host(host or "")
        seats = g.table.view(g.gm)["seats"]
        assert sum(one["name"] == "Max" for one in seats) == 1
        for other in ("another-key-of-many-letters", None):
            with pytest.raises(NotFoundError):
                store.exchange(link, key=other)
        assert store.exchange(open_link, name="Max", key="another-key-of-many-letters")[0] != guest
        with pytest.raises(InvalidInputError, match="22 to 100"):
            store.exchange(link, key="short")
        with pytest.raises(InvalidInputError, match="another request"):
            store.exchange(open_link, name="Mia", key=LONG)
        assert not {cookie, guest, host, link, open_link} & {*everything(where).split("'")}
        now[0] = "2026-03-04T05:16:08Z"
        for token, name in ((link, None), (open_link, "Max")):
            with pytest.raises(NotFoundError):
                another.exchange(token, name=name, key=LONG)
        now[0] = "2026-03-04T05:06:08Z"
        g.table.revoke(g.gm, entry.seat)
        with pytest.raises(NotFoundError):
            another.exchange(link, key=LONG)


def test_many_who_ask_at_once_under_one_key_get_one_answer(where: str) -> None:
    """Four threads at two stores: one campaign, one seat, one cookie."""
    with ExitStack() as stack:
        stores = [stack.enter_context(open_store(where)) for _ in range(2)]
        g = group(stores[0])
        host, link = g.cookies[g.gm], g.table.invite(g.gm, name="Zoe").token
        campaigns, found, problems = len(stores[0].campaigns()), [], []

        def ask(store: Store) -> None:
            try:
                made = store.make_campaign("Once", "coinfolk", asked=asked(host, "new"))
                invited = store.table(g.table.id).invite(g.gm, name="Max", asked=asked(host, "max"))
                found.append((made.table.id, made.invitation.token, invited, store.exchange(link, key=LONG)[0]))
            except TablewrightError as problem:
                problems.append(problem)

        threads = [threading.Thread(target=ask, args=(store,)) for store in stores * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert problems == []
        assert len(found) == 4
        assert len(set(found)) == 1
        assert len(stores[0].campaigns()) == campaigns + 1
        assert [one["name"] for one in stores[1].table(g.table.id).view(g.gm)["seats"]].count("Max") == 1


def test_refused_acts_may_be_tried_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that was full when it was asked first leaves nothing behind, in the database or in memory."""
    g = group(store)
    by = asked(g.cookies[g.gm])
    append = queries.append_all

    def full(*_: Any) -> None:
        raise StoreFullError("the disk is full")

    monkeypatch.setattr(queries, "append_all", full)
    with pytest.raises(StoreFullError):
        g.table.invite(g.gm, asked=by)
    monkeypatch.setattr(queries, "append_all", append)
    links = everything(str(store.engine.url.render_as_string(hide_password=False))).count("invitation")
    g.act(g.gm, "throw", dice="d6")
    assert everything(str(store.engine.url.render_as_string(hide_password=False))).count("invitation") == links
    first = g.table.invite(g.gm, asked=by)
    assert store.exchange(first.token, name="Zoe")[1].seat.startswith("zoe-")


def test_the_hosts_answers_are_kept_for_a_while(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_OF_HOST_ASKED_AGAIN", 2)
    cookie = "a-cookie-of-the-host"
    made = [quick.make_campaign("One", "coinfolk", asked=asked(cookie, f"{number}")) for number in range(3)]
    assert quick.make_campaign("One", "coinfolk", asked=asked(cookie, "2")).table.id == made[2].table.id
    assert quick.make_campaign("One", "coinfolk", asked=asked(cookie, "0")).table.id not in {m.table.id for m in made}


def test_a_link_of_the_host_is_used_up_grows_old_and_is_renewed(where: str) -> None:
    now = ["2026-03-04T05:06:07Z"]
    with closing(open_store(where, now=lambda: now[0])) as store:
        g = group(store)
        token = store.host_link()
        cookie = store.exchange_host(token)
        assert cookie is not None
        assert store.is_host(cookie)
        assert not store.is_host(token)
        assert not store.is_host(g.cookies[g.gm])
        with pytest.raises(NotFoundError):
            store.exchange_host(token)
        with pytest.raises(NotFoundError):
            store.enter(cookie)
        assert store.exchange_host(g.table.host_link().token) is None, "it leads to a seat"
        with pytest.raises(NotFoundError):
            store.exchange(store.host_link())
        old = store.host_link()
        now[0] = "2026-03-05T05:06:08Z"
        with pytest.raises(NotFoundError):
            store.exchange_host(old)
        assert store.is_host(cookie), "a cookie lasts"
        renewed = store.host_link(renew=True)
        assert not store.is_host(cookie)
        assert store.is_host(store.exchange_host(renewed) or "")
