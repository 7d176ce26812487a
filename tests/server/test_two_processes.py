"""Two server processes on one PostgreSQL: connections to either see the same, in the same order."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from patience import LIMIT
from server.serving import Person, Served, heard, process
from table.playing import Group, group
from table.postgres import Databases
from tablewright.table import open_store
from tablewright.table.database.presence import AGAIN, FORGOTTEN, Presence

THROWS = 10


class Two(NamedTuple):
    """A group, and two servers for it."""

    group: Group
    one: Served
    two: Served

    def at(self, served: Served, seat: str) -> Person:
        """A player of the group at one of the servers."""
        return served.person(self.group.cookies[seat], self.group.table.id)


@pytest.fixture(scope="module")
def servers(databases: Databases) -> Iterator[tuple[str, Served, Served]]:
    """Two processes."""
    with ExitStack() as stack:
        where = stack.enter_context(databases.ready())
        store = stack.enter_context(open_store(where))
        one, two = [stack.enter_context(process(store, where)) for _ in range(2)]
        yield where, one, two


@pytest.fixture
def two(servers: tuple[str, Served, Served]) -> Two:
    """A new campaign at both."""
    _, one, other = servers
    return Two(group(one.store), one, other)


def listen(line: ClientConnection, upto: int, found: list[dict[str, Any]]) -> None:
    """Take lines until there are enough of them."""
    while len(found) < upto:
        found += heard(line, "view")["lines"]


def test_everyone_sees_the_same_order_of_events(two: Two) -> None:
    g = two.group
    places = {g.gm: two.one, g.anna: two.two, g.ben: two.one, g.watcher: two.two}
    people = {seat: two.at(served, seat) for seat, served in places.items()}
    told: dict[str, list[dict[str, Any]]] = {seat: [] for seat in people}
    before = {seat: g.table.cursor(seat) for seat in people}
    with ExitStack() as stack:
        lines = {seat: stack.enter_context(person.live(after=before[seat])) for seat, person in people.items()}
        for line in lines.values():
            heard(line, "view")
        listening = [
            threading.Thread(target=listen, args=(lines[seat], 3 * THROWS, told[seat]), daemon=True) for seat in people
        ]
        for thread in listening:
            thread.start()

        def throw(seat: str) -> None:
            for number in range(1, THROWS + 1):
                people[seat].done("throw", dice=f"d6+{number}", key=f"{seat}-{number}")

        acting = [threading.Thread(target=throw, args=(seat,)) for seat in (g.gm, g.anna, g.ben)]
        for thread in acting:
            thread.start()
        for thread in [*acting, *listening]:
            thread.join(LIMIT)
    orders = {seat: [(line["fact"]["by"], line["fact"]["dice"]) for line in lines] for seat, lines in told.items()}
    assert len(orders[g.gm]) == 3 * THROWS
    assert all(order == orders[g.gm] for order in orders.values())
    for seat, found in told.items():
        assert [line["number"] for line in found] == list(range(before[seat] + 1, before[seat] + 3 * THROWS + 1))
    for seat in (g.gm, g.anna, g.ben):
        own = [dice for by, dice in orders[g.watcher] if by == seat]
        assert own == [f"d6+{number}" for number in range(1, THROWS + 1)]
    assert g.table.is_as_the_log_says()


def test_a_fight_is_fought_across_both(two: Two) -> None:
    """Each answer is given at the other server than the last; both ask the same afterwards."""
    g = two.group
    masters = [two.at(served, g.gm) for served in (two.one, two.two)]
    masters[0].done("scene.begin", scenario="together")
    for number in range(12):
        asked = [master.view(2**53)["question"] for master in masters]
        assert asked[0] == asked[1]
        if asked[0] is None:
            break
        given = {"roll": True} if asked[0]["kind"] == "roll" else {"option": asked[0]["default"]}
        masters[number % 2].done("answer", question=asked[0]["id"], **given)
    views = [[two.at(served, seat).view() for served in (two.one, two.two)] for seat in (g.gm, g.anna, g.watcher)]
    assert all(one == other for one, other in views)


def test_a_seat_that_missed_an_event_elsewhere_gets_a_conflict(two: Two) -> None:
    g = two.group
    gm, anna = two.at(two.one, g.gm), two.at(two.two, g.anna)
    seen = anna.view()["last"]
    first = gm.act("throw", dice="d6", key="twice")
    late = anna.act("throw", dice="d6", expected=seen)
    assert (late.status_code, late.json()["cursor"]) == (409, seen + 1)
    assert [line["number"] for line in anna.view(after=seen)["lines"]] == [seen + 1]
    again = two.at(two.two, g.gm).act("throw", dice="d6", key="twice")
    assert again.json() == first.json(), "the same key at the other server does nothing twice"
    assert anna.view()["last"] == seen + 1


def until_there(line: ClientConnection, *seats: str) -> None:
    """Wait until these are told to be there, and no one else."""
    while heard(line, "presence")["seats"] != sorted(seats):
        pass


def test_presence_is_told_across_both_servers(two: Two) -> None:
    g = two.group
    gm, anna = two.at(two.one, g.gm), two.at(two.two, g.anna)
    with gm.live() as his:
        until_there(his, g.gm)
        with anna.live() as hers:
            until_there(his, g.anna, g.gm)
            until_there(hers, g.anna, g.gm)
            hers.send(json.dumps({"type": "writing"}))
            assert heard(his, "writing")["seat"] == g.anna
        until_there(his, g.gm)


def test_a_seat_that_is_revoked_at_one_is_shut_at_the_other(two: Two) -> None:
    g = two.group
    gm, anna = two.at(two.one, g.gm), two.at(two.two, g.anna)
    with anna.live() as hers:
        heard(hers, "view")
        assert gm.post("revoke", {"seat": g.anna}).status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            heard(hers, "nothing more")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
    assert anna.client.get(anna.base).status_code == 404


def test_keys_of_links_hold_at_both(two: Two) -> None:
    """Asked again at the other server the same token comes; from another seat nothing of it does."""
    g = two.group
    here, there, anna = two.at(two.one, g.gm), two.at(two.two, g.gm), two.at(two.two, g.anna)
    bodies: dict[str, dict[str, Any]] = {
        "invite": {"role": "spectator", "name": "Zed"},
        "renew": {"seat": g.ben},
        "revoke": {"seat": g.watcher},
    }
    for path, body in bodies.items():
        first, again = (person.post(path, body, key=f"{path}-key") for person in (here, there))
        assert (first.status_code, again.status_code) == (200, 200)
        assert first.content == again.content
        assert there.post(path, {"seat": g.gm}, key="invite-key").status_code == 422, "one key is for one thing"
    token = here.post("invite", bodies["invite"], key="invite-key").json()["token"]
    stolen = anna.post("invite", bodies["invite"], key="invite-key")
    assert (stolen.status_code, token in stolen.text) == (403, False)
    assert [one["name"] for one in here.view()["seats"]].count("Zed") == 1
    assert two.two.enter(token).view()["you"]["name"] == "Zed"


def test_the_host_is_known_at_both(two: Two) -> None:
    link = next(line for line in two.one.said if line.startswith("host ")).partition("#")[2]
    key = {"Idempotency-Key": "a-long-key-of-the-browser"}
    host, again = two.two.client(), two.one.client()
    for browser in (host, again):
        assert browser.post("/v1/enter", json={"token": link}, headers=key).json() == {"host": True}
    assert host.cookies["tablewright_host"] == again.cookies["tablewright_host"], "an answer that was lost"
    thief = two.two.client().post("/v1/enter", json={"token": link}, headers={"Idempotency-Key": "x" * 30})
    assert thief.status_code == 404
    new = {"title": "New", "system": "coinfolk"}
    campaign = two.group.table.id
    for path, body in (("/v1/campaigns", new), (f"/v1/campaigns/{campaign}/link", {})):
        before = len(host.get("/v1/campaigns").json()["campaigns"])
        told = [one.post(path, json=body, headers={"Idempotency-Key": path}) for one in (host, again)]
        assert told[0].status_code in (200, 201), told[0].text
        assert told[0].json() == told[1].json()
        assert len(again.get("/v1/campaigns").json()["campaigns"]) == before + (path == "/v1/campaigns")
        two.two.enter(told[0].json()["token"])
    assert two.one.client().get("/v1/campaigns").status_code == 403


def test_a_silent_process_has_nobody_present() -> None:
    now = 0.0
    here, there = Presence("here", lambda: now), Presence("there", lambda: now)
    changed: list[str] = []
    here.changed = changed.append
    there.set("pantry", ["anna", "ben", "anna"])
    assert there.words() == [("pantry", "?"), ("pantry", "@anna,ben")]
    here.hear("there", "pantry", "@anna,ben")
    now = AGAIN
    (again,) = there.words()
    here.hear("there", *again)
    assert changed == ["pantry"], "what is said again is no news"
    now = AGAIN + FORGOTTEN
    here.forget()
    assert here.seats("pantry") == ["anna", "ben"]
    now += 1
    assert here.seats("pantry") == []
    here.forget()
    assert changed == ["pantry", "pantry"]
    here.set("pantry", ["gwen"])
    here.words()
    here.hear("there", "pantry", "?")
    assert here.words() == [("pantry", "@gwen")]
    assert here.leave() == [("pantry", "@")]
    assert json.dumps(here.seats("pantry")) == "[]"
