"""Many people at many tables, acting as fast as they can: nothing is refused, lost or doubled; bench/ tells how fast.

All the while one more asks for the dearest odds that are allowed, without pause.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Event
from typing import Any

import httpx

from patience import LIMIT
from server.serving import NO_CERTIFICATES, process

LOAD = Path(__file__).parents[2] / "bench" / "load.py"
ACTS = 3
"""Acts of each person."""


def loading() -> Any:
    """The load program."""
    spec = spec_from_file_location("load", LOAD)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["load"] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def odds_asked(url: str) -> Iterator[list[int]]:
    """Ask for dear odds without pause, each time for others; the statuses of the answers so far."""
    over, statuses = Event(), list[int]()

    def ask() -> None:
        with httpx.Client(base_url=url, timeout=LIMIT, verify=NO_CERTIFICATES) as client:
            for number in itertools.cycle(range(200, 100, -1)):
                if over.is_set():
                    return
                asked = {"dice": f"{number}d100", "most": 100}
                statuses.append(client.post("/v1/odds", json=asked).status_code)

    with ThreadPoolExecutor(1) as thread:
        asking = thread.submit(ask)
        try:
            yield statuses
        finally:
            over.set()
            asking.result()


def test_twenty_people_at_ten_tables_lose_nothing(tmp_path: Path) -> None:
    """`make soak` has more people, for long. A browser of other tests may keep a loop running in this thread."""
    load, db = loading(), str(tmp_path / "load.db")
    made = load.prepare(db, tables=10, people=2)
    with process(None, db) as served, odds_asked(served.url) as statuses, ThreadPoolExecutor(1) as thread:
        playing = load.everybody([f"127.0.0.1:{served.port}"], made, 0, {}, ACTS)
        tally = thread.submit(load._run, playing).result()
    assert 200 in statuses
    assert tally.acts == 20 * ACTS
    assert tally.refused == []
    assert not tally.due, "everybody has seen every act"
    assert {mark: count for mark, count in tally.seen.items() if count != 2} == {}
    assert load._written(db, made) == tally.acts - len(tally.shed)
