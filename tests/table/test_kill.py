"""Nothing is lost: a process is killed at random moments of heavy play, and everything it acknowledged is there."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from patience import LIMIT
from table.dying import digest
from table.playing import group
from tablewright.table import open_store
from tablewright.table.checking import differences
from tablewright.table.database import rows

TIMES = int(os.environ.get("TABLE_KILLS", "10"))
"""How often a process is killed on each kind of database; `make soak` says more."""

MOST_WORDS = 60
"""How many words are heard of a process before it is killed, at most: two for each deed."""


class Nursery:
    """The process that bears the children, and what they say."""

    def __init__(self) -> None:
        path = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "sixth"), *sys.path]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "table.dying"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
            text=True,
        )
        self.said: Queue[dict[str, Any]] = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(json.loads(line))

    def bear(self, **given: Any) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(given) + "\n")
        self.process.stdin.flush()
        born = self.said.get(timeout=LIMIT)
        assert born["kind"] == "born", born
        return int(born["pid"])

    def until_gone(self) -> Iterator[dict[str, Any]]:
        while (said := self.said.get(timeout=LIMIT))["kind"] != "gone":
            yield said

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    started = Nursery()
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
    """What the child says next; it plays on while it is heard, and is killed in the middle of something."""
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
        with rows.reading(store.engine) as connection:
            for word in done:
                assert rows.answered(connection, campaign, word["seat"], word["key"]) is not None, word
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
