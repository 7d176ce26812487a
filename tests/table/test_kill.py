"""Nothing is lost: a process is killed at random moments of heavy play, and everything it acknowledged is there."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest

from patience import LIMIT
from table.dying import digest
from table.nursery import Nursery
from table.playing import group
from tablewright.table import open_store
from tablewright.table.audit import differences
from tablewright.table.database import queries

TIMES = int(os.environ.get("TABLE_KILLS", "3"))
"""Kills of a process on each kind of database; `make soak` sets more."""

MOST_WORDS = 60
"""Most words heard from a process before it is killed: two for each deed."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    started = Nursery("table.dying")
    yield started
    started.stop()


def test_nothing_acknowledged_is_lost_and_nothing_happens_twice(where: str, nursery: Nursery) -> None:
    seed = int(os.environ.get("TABLE_KILL_SEED", "1"))
    chance = random.Random(seed)
    with open_store(where) as store:
        g = group(store)
        campaign = g.table.id
    again: list[Any] | None = None
    done: list[dict[str, Any]] = []
    tried: set[str] = set()
    for number in range(TIMES):
        child = nursery.bear(where=where, campaign=campaign, seed=seed * 1_000 + number, again=again)
        said = [next_word(nursery) for _ in range(chance.randint(1, MOST_WORDS))]
        os.kill(child, signal.SIGKILL)
        said += nursery.until_gone()
        open_try: list[Any] | None = None
        for word in said:
            if word["kind"] == "try":
                open_try = [word["seat"], word["command"], word["key"]]
                tried.add(word["key"])
            else:
                open_try = None
                if word["kind"] == "done":
                    done.append(word)
        again = open_try
        check(where, campaign, done, tried)
    assert len(done) >= TIMES, "too little was played"


def next_word(nursery: Nursery) -> dict[str, Any]:
    """Next output of the child process, which plays on and is killed in the middle of its work."""
    try:
        said = nursery.said.get(timeout=LIMIT)
    except Empty:
        raise AssertionError("the child says nothing") from None
    assert said["kind"] != "gone", "the child ended by itself"
    return said


def check(where: str, campaign: str, done: list[dict[str, Any]], tried: set[str]) -> None:
    """Everything acknowledged is there as it was told, nothing is there twice, and state equals replay."""
    with open_store(where) as store:
        table = store.table(campaign)
        lines = {seat: {line["number"]: line for line in all_lines(table, seat)} for seat in ("gwen", "anna", "ben")}
        for seat, seen in lines.items():
            assert list(seen) == list(range(1, len(seen) + 1)), seat
        with queries.reading(store.engine) as connection:
            for word in done:
                assert queries.answered(connection, campaign, word["seat"], word["key"]) is not None, word
        for word in done:
            assert digest([lines[word["seat"]][number] for number in word["numbers"]]) == word["digest"], word
        notes = Counter(line["fact"]["text"] for line in lines["gwen"].values() if "note" in line["fact"])
        assert max(notes.values(), default=1) == 1
        assert set(notes) <= tried
        table.view("gwen")
        assert table._sitting is not None
        assert list(differences(table._sitting)) == []


def all_lines(table: Any, seat: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while some := table.lines(seat, len(found)):
        found += some
    return found
