"""Many people at many tables: each acts once a second, and it is measured how soon everybody at their table sees it.

Starts a server of its own on the loopback, with a database in a folder that is thrown away, and sends only there:

    python bench/load.py --tables 50 --people 2 --seconds 300

What it tells: acts, refusals, how long from an act to everybody's screen (median, 99th percentile, longest), how much
of a processor's time the server took for one act, and whether every act is in the log of everybody exactly once.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tablewright.server.running import bound
from tablewright.table import open_store

HOST = "127.0.0.1"
MOST_TO_SEE = 300
"""How many seconds are waited at the end for what is not seen by everybody yet."""

MARK = re.compile(r"d6\+[0-9]{7,}")
"""Everybody throws a die with a number added that nobody else adds: so that each throw is known wherever it is seen."""


@dataclass
class Tally:
    """What was measured so far."""

    seconds: list[float] = field(default_factory=list)
    acts: int = 0
    refused: list[str] = field(default_factory=list)
    due: dict[str, tuple[float, int]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    cpu_an_act: float = float("nan")

    def sent(self, mark: str, people: int) -> None:
        """Somebody acts; so many have to see it."""
        self.acts += 1
        self.due[mark] = (time.perf_counter(), people)

    def saw(self, text: str, people: int) -> None:
        """Somebody sees a line."""
        for mark in set(MARK.findall(text)):
            self.seen[mark] = self.seen.get(mark, 0) + 1
            if self.seen[mark] == people and mark in self.due:
                self.seconds.append(time.perf_counter() - self.due.pop(mark)[0])


@dataclass
class Table:
    """A campaign and the cookies of whoever plays it."""

    campaign: str
    cookies: list[str]


def prepare(db: Path, tables: int, people: int) -> list[Table]:
    """Campaigns with everybody in their seats, written before the server starts."""
    made = []
    with open_store(db) as store:
        for number in range(tables):
            table, invitation = store.make_campaign(f"Table {number}", "mars")
            cookie, entry = store.exchange(invitation.token)
            cookies = [cookie]
            for person in range(people - 1):
                link = table.invite(entry.seat, name=f"Player {person}")
                cookies.append(store.exchange(link.token)[0])
            made.append(Table(table.id, cookies))
    return made


@dataclass(frozen=True)
class Play:
    """What everybody plays by: where, how long, from when, and where it is counted.

    With ``acts`` everybody acts so often, one act after the other, instead of once a second; ``wanted`` is how many
    acts there will be in all.
    """

    address: str
    seconds: float
    begin: float
    people: int
    tally: Tally
    acts: int | None = None
    wanted: int = 0

    def goes_on(self, act: int) -> bool:
        """Whether somebody acts again who has acted so often."""
        return time.perf_counter() < self.begin + self.seconds if self.acts is None else act < self.acts


async def person(play: Play, table: Table, at: int, seat: int) -> None:
    """One person: follows the table, and acts once a second."""
    url = f"ws://{play.address}/v1/campaigns/{table.campaign}/live"
    headers = {"Cookie": f"tablewright_seat={table.cookies[seat]}"}
    tally = play.tally
    async with connect(url, additional_headers=headers, max_size=None, open_timeout=None, ping_interval=None) as line:
        listening = asyncio.create_task(_listen(line, tally, play.people))
        if play.acts is None:
            await asyncio.sleep(max(0.0, play.begin - time.perf_counter()) + random.Random(f"{at}/{seat}").random())
        act = 0
        while play.goes_on(act):
            mark = f"d6+{1_000_000 + 100_000 * at + 10_000 * seat + act}"
            tally.sent(mark, play.people)
            command = {"do": "throw", "dice": mark}
            await line.send(json.dumps({"type": "act", "id": mark, "key": mark, "command": command}))
            act += 1
            await asyncio.sleep(1 if play.acts is None else 0)
        deadline = time.perf_counter() + MOST_TO_SEE
        while (tally.due or tally.acts < play.wanted) and time.perf_counter() < deadline:
            await asyncio.sleep(0.1)
        listening.cancel()


async def _listen(line: ClientConnection, tally: Tally, people: int) -> None:
    async for message in line:
        told: dict[str, Any] = json.loads(message)
        if told["type"] == "view":
            for one in told["lines"]:
                tally.saw(json.dumps(one), people)
        elif told["type"] == "problem":
            tally.refused.append(str(told["problem"]))


async def everybody(
    address: str, tables: list[Table], seconds: float, server: int = 0, acts: int | None = None
) -> Tally:
    """All of them at once; what the server takes of a processor is counted in the second half, when all is loaded."""
    people = len(tables[0].cookies)
    everyone = [(table, at, seat) for at, table in enumerate(tables) for seat in range(people)]
    play = Play(address, seconds, time.perf_counter() + 3, people, Tally(), acts, len(everyone) * (acts or 0))
    await asyncio.gather(_count_time(play, server), *[person(play, *who) for who in everyone])
    return play.tally


async def _count_time(play: Play, server: int) -> None:
    await asyncio.sleep(max(0.0, play.begin - time.perf_counter()) + play.seconds / 2)
    used, acts = _cpu_seconds(server), play.tally.acts
    await asyncio.sleep(play.seconds / 2)
    play.tally.cpu_an_act = (_cpu_seconds(server) - used) / max(1, play.tally.acts - acts)


def measure(tables: int, people: int, seconds: float, *, acts: int | None = None, busy: bool = False) -> dict[str, Any]:
    """Start a server, let people play, and tell what came of it; ``busy`` has one ask for dear odds without pause.

    With ``acts`` everybody acts so often, however long that takes.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "load.db"
        made = prepare(db, tables, people)
        with bound(HOST, 0) as free:
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "tablewright.cli", "serve", "--db", str(db), "--port", str(port), "--no-demo"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait(port)
            asker = subprocess.Popen([sys.executable, __file__, "--ask", str(port)]) if busy else None
            tally = asyncio.run(everybody(f"{HOST}:{port}", made, seconds, server.pid, acts))
            if asker is not None:
                asker.kill()
                asker.wait()
        finally:
            server.terminate()
            server.wait(MOST_TO_SEE)
        doubled = [mark for mark, count in tally.seen.items() if count != people]
        written = _written(db, made)
    found = sorted(tally.seconds) or [float("nan")]
    return {
        "tables": tables,
        "people": tables * people,
        "seconds": seconds,
        "acts": tally.acts,
        "refused": len(tally.refused),
        "first_refusal": tally.refused[0] if tally.refused else "",
        "not_seen_by_all": len(tally.due),
        "seen_too_often_or_too_seldom": len(doubled),
        "in_the_log": written,
        "median_ms": round(1000 * found[len(found) // 2], 1),
        "p99_ms": round(1000 * found[min(len(found) - 1, int(len(found) * 0.99))], 1),
        "longest_ms": round(1000 * found[-1], 1),
        "server_cpu_ms_an_act": round(1000 * tally.cpu_an_act, 2),
    }


def _cpu_seconds(pid: int) -> float:
    """How much of a processor's time a process has taken so far, without those that work odds out; where it is told."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _wait(port: int) -> None:
    for _ in range(10 * MOST_TO_SEE):
        try:
            if httpx.get(f"http://{HOST}:{port}/health", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def _written(db: Path, tables: Sequence[Table]) -> int:
    """How many marks stand in the logs, each counted once."""
    marks: set[str] = set()
    with open_store(db) as store:
        for table in tables:
            entry, after = store.enter(table.cookies[0]), 0
            while lines := entry.table.lines(entry.seat, after):
                after = lines[-1]["number"]
                marks.update(*[MARK.findall(json.dumps(line)) for line in lines])
    return len(marks)


def ask_without_pause(port: int) -> None:
    """Ask for the dearest odds that are allowed, over and over, each time for others, so that none are remembered."""
    with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=60) as client:
        for number in itertools.cycle(range(200, 100, -1)):
            client.post("/v1/odds", json={"dice": f"{number}d100"})


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--busy", action="store_true", help="while one asks for the dearest odds without pause")
    parser.add_argument("--ask", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        ask_without_pause(given.ask)
    print(json.dumps(measure(given.tables, given.people, given.seconds, busy=given.busy), indent=2))


if __name__ == "__main__":
    main()
