"""Campaigns pinned to one of several processes on a PostgreSQL: no races, a fair turn for each, and no single point."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import psycopg
import pytest

from patience import LIMIT, wait_until
from table.playing import Group, group
from table.postgres import Databases
from tablewright.table import Store, Table, open_store
from tablewright.table.database import connection as opening
from tablewright.table.database import postgres as pins
from tablewright.table.database.postgres import AdvisoryPins, lock_number
from tablewright.table.loaded_campaign import LoadedCampaign

ACTS = 25


class Two(NamedTuple):
    """Two stores on one database, each with connections of its own, as two processes have."""

    where: str
    one: Store
    two: Store
    group: Group

    @property
    def tables(self) -> tuple[Table, Table]:
        """The same campaign at both."""
        return self.one.table(self.group.table.id), self.two.table(self.group.table.id)


@pytest.fixture
def two(databases: Databases) -> Iterator[Two]:
    """A campaign, opened twice."""
    with ExitStack() as stack:
        where = stack.enter_context(databases.ready())
        one, other = [stack.enter_context(open_store(where)) for _ in range(2)]
        for store in (one, other):
            assert store._listener is not None
            assert store._listener.ready.wait(LIMIT)
        yield Two(where, one, other, group(one))


def locks(where: str, campaign: str) -> list[int]:
    """The backends of the database that hold the lock of a campaign."""
    number = lock_number(campaign) % 2**64
    wanted = (
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
        " AND classid::bigint = %s AND objid::bigint = %s"
    )
    with psycopg.connect(where) as connection:
        return [pid for (pid,) in connection.execute(wanted, (number >> 32, number % 2**32))]


def note(table: Table, seat: str, text: str) -> None:
    """Write a note, under its text as the key."""
    table.act(seat, {"do": "note.write", "text": text}, key=text)


def notes(table: Table, seat: str) -> list[str]:
    """The notes in the order of the log."""
    lines: list[dict[str, Any]] = []
    while some := table.lines(seat, len(lines)):
        lines += some
    return [line["fact"]["text"] for line in lines if "note" in line["fact"]]


def test_a_campaign_is_pinned_to_the_process_that_writes_to_it(two: Two) -> None:
    here, there = two.tables
    gm, campaign = two.group.gm, two.group.table.id
    note(here, gm, "first")
    (first,) = locks(two.where, campaign)
    note(here, gm, "second")
    assert locks(two.where, campaign) == [first], "it is kept"
    note(there, gm, "third")
    (second,) = locks(two.where, campaign)
    assert second != first, "it is handed over to a process that asks for it"
    there.view(gm)
    here.view(gm)
    assert locks(two.where, campaign) == [second], "nobody needs it to read"
    assert notes(here, gm) == notes(there, gm) == ["first", "second", "third"]


def test_processes_that_write_by_turns_never_race(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reads the lines of the other; neither loses a race, after which it would read the campaign again."""
    monkeypatch.setattr(pins, "PATIENCE", LIMIT)
    loads: list[str] = []
    load = LoadedCampaign.load

    def counted(engine: Any, campaign: str, now: Any) -> LoadedCampaign:
        loads.append(campaign)
        return load(engine, campaign, now)

    gm = two.group.gm
    for table in two.tables:
        table.view(gm)
    monkeypatch.setattr(LoadedCampaign, "load", counted)
    wanted = [[f"{name}-{number}" for number in range(ACTS)] for name in ("here", "there")]

    def write(table: Table, texts: list[str]) -> None:
        for text in texts:
            note(table, gm, text)

    threads = [threading.Thread(target=write, args=given) for given in zip(two.tables, wanted, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    found = notes(two.tables[0], gm)
    assert [[text for text in found if text in own] for own in wanted] == wanted
    assert loads == []
    assert two.tables[0].is_as_the_log_says()


def test_a_process_that_waits_comes_before_the_one_that_let_go(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "ASK_AGAIN", LIMIT)
    monkeypatch.setattr(pins, "PATIENCE", LIMIT)
    campaign = two.group.table.id
    here, there = two.one.pins, two.two.pins
    assert isinstance(here, AdvisoryPins)
    order: list[str] = []

    def write() -> None:
        with there.held(campaign):
            order.append("there")

    waiting = threading.Thread(target=write)
    with here.held(campaign):
        waiting.start()
        wait_until(lambda: campaign in here._wanted, "the other process asks")
        order.append("here")
    with here.held(campaign):
        order.append("here again")
    waiting.join(LIMIT)
    assert order == ["here", "there", "here again"]


def test_a_process_that_hangs_stops_nobody_and_writes_nothing_late(
    two: Two, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The one that hangs has decided what to write already; it loses the race, reads again and writes after."""
    monkeypatch.setattr(pins, "PATIENCE", 0.1)
    here, there = two.tables
    gm = two.group.gm
    hangs, goes = threading.Event(), threading.Event()
    finish = LoadedCampaign.finish

    def hang(sitting: LoadedCampaign) -> Any:
        if sitting.batch.lines and threading.current_thread() is slow and not hangs.is_set():
            hangs.set()
            assert goes.wait(LIMIT)
        return finish(sitting)

    slow = threading.Thread(target=note, args=(here, gm, "slow"))
    monkeypatch.setattr(LoadedCampaign, "finish", hang)
    slow.start()
    assert hangs.wait(LIMIT)
    with caplog.at_level(logging.WARNING, "tablewright"):
        note(there, gm, "quick")
    assert "without its pin" in caplog.text
    goes.set()
    slow.join(LIMIT)
    assert notes(there, gm) == ["quick", "slow"]
    assert here.is_as_the_log_says()


def test_pins_are_free_when_their_connection_ends(two: Two) -> None:
    here, there = two.tables
    gm, campaign = two.group.gm, two.group.table.id
    note(here, gm, "first")
    (holder,) = locks(two.where, campaign)
    with psycopg.connect(two.where, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", (holder,))
    wait_until(lambda: not locks(two.where, campaign), "the lock is free")
    note(there, gm, "second")
    note(here, gm, "third")  # it does not know yet that its pins are gone
    note(there, gm, "fourth")
    note(here, gm, "fifth")
    assert notes(here, gm) == ["first", "second", "third", "fourth", "fifth"]
    assert len(locks(two.where, campaign)) == 1


def test_the_pin_used_longest_ago_is_let_go_first(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "MOST_PINNED", 2)
    for campaign in ("a", "b", "a", "c"):
        with two.one.pins.held(campaign):
            pass
    assert [len(locks(two.where, campaign)) for campaign in ("a", "b", "c")] == [1, 0, 1]
    two.one.pins.close()
    wait_until(lambda: not locks(two.where, "a"), "all are let go")


def test_a_connection_that_was_idle_is_tried_before_it_is_used(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restart of the database server drops every connection of the process, and no one notices."""
    monkeypatch.setattr(opening, "MOST_IDLE", 0.0)
    here, gm = two.tables[0], two.group.gm
    note(here, gm, "before")
    with psycopg.connect(two.where, autocommit=True) as connection:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        connection.execute(f"{others} AND pid <> pg_backend_pid()")
    note(here, gm, "after")
    assert notes(here, gm) == ["before", "after"]
