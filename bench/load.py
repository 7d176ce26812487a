"""Many people at many tables: each acts once a second, and it is measured how soon everybody at their table sees it.

Starts a server of its own on the loopback, with a database that is thrown away, and sends only there:

    python bench/load.py --tables 50 --people 2 --seconds 300
    python bench/load.py --sweep --seconds 60

It tells how many acts were sent, shed (503) or refused otherwise, how long until an act is shed or acknowledged and
until it is on everybody's screen (median, 99th percentile, longest), how much processor time the server took for one
act, its largest memory, and whether every act that was acknowledged is in the log of everybody exactly once.
``--sweep`` does so with 50, 100, 200, 300 and 500 tables on SQLite and on PostgreSQL (that of TABLEWRIGHT_TEST_PG, or
one that is started), and prints a table.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tablewright.server.runner import bound
from tablewright.table import open_store

LEVELS = (50, 100, 200, 300, 500)
CONNECTING = 50
"""How many connections are opened at a time, before anybody acts."""
HOST = "127.0.0.1"
MOST_TO_SEE = 300
"""How many seconds are waited at the end for what is not seen by everybody yet."""

MARK = re.compile(r"d6\+[0-9]{7,}")
"""Everybody throws a die with a number added that nobody else adds: so that each throw is known wherever it is seen."""


@dataclass
class Tally:
    """What was measured so far."""

    seconds: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    acts: int = 0
    shed: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    due: dict[str, float] = field(default_factory=dict)
    sent_at: dict[str, float] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    cpu_an_act: float = float("nan")

    def sent(self, mark: str) -> None:
        """Note that an act was sent."""
        self.acts += 1
        self.due[mark] = self.sent_at[mark] = time.perf_counter()

    def saw(self, text: str, people: int) -> None:
        """Note the acts that a person sees."""
        for mark in set(MARK.findall(text)):
            self.seen[mark] = self.seen.get(mark, 0) + 1
            if self.seen[mark] == people and mark in self.due:
                self.seconds.append(time.perf_counter() - self.due.pop(mark))

    def answered(self, mark: str) -> None:
        """Note that an act was acknowledged."""
        self.acknowledged.append(time.perf_counter() - self.sent_at.pop(mark))

    def refuse(self, mark: str, problem: dict[str, Any]) -> None:
        """Note that an act was refused, and is not expected on any screen."""
        self.due.pop(mark, None)
        sent = self.sent_at.pop(mark)
        if problem["status"] == 503 and "after" in problem:
            self.shed.append(time.perf_counter() - sent)
        else:
            self.refused.append(str(problem))


@dataclass
class Table:
    """A campaign and the cookies of whoever plays it."""

    campaign: str
    cookies: list[str]


def prepare(db: str, tables: int, people: int) -> list[Table]:
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


@dataclass
class Play:
    """One run: server address, duration, start and counts.

    With ``acts`` everybody acts that many times, each after the answer to the last, instead of once a second.
    """

    address: str
    seconds: float
    people: int
    tally: Tally
    acts: int | None = None
    begin: float = 0.0
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    opening: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(CONNECTING))
    missing: int = 0
    acting: int = 0

    def goes_on(self, act: int, due: float) -> bool:
        """Whether a person who has acted so often acts again."""
        return due < self.begin + self.seconds if self.acts is None else act < self.acts


async def person(play: Play, table: Table, at: int, seat: int) -> None:
    """One person: follows the table, and acts once a second."""
    url = f"ws://{play.address}/v1/campaigns/{table.campaign}/live?changes=1"
    headers = {"Cookie": f"tablewright_seat={table.cookies[seat]}"}
    tally = play.tally
    is_linux = sys.platform == "linux"  # where every address of 127.0.0.0/8 is this machine
    own: dict[str, Any] = {"local_addr": (f"127.{1 + at // 250}.{at % 250}.{seat + 1}", 0)} if is_linux else {}
    async with play.opening:
        line = await connect(
            url,
            additional_headers=headers,
            max_size=None,
            compression=None,
            open_timeout=None,
            ping_interval=None,
            **own,
        )
    play.missing -= 1
    if not play.missing:
        play.begin = time.perf_counter() + 1
        play.connected.set()
    async with line:
        listening = asyncio.create_task(_listen(line, tally, play.people))
        await play.connected.wait()
        due, act = play.begin + random.Random(f"{at}/{seat}").random(), 0
        while play.goes_on(act, due):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            mark = f"d6+{1_000_000 + 100_000 * at + 10_000 * seat + act}"
            tally.sent(mark)
            command = {"do": "throw", "dice": mark}
            await line.send(json.dumps({"type": "act", "id": mark, "key": mark, "command": command}))
            act += 1
            due += 1
            while play.acts is not None and mark in tally.sent_at:
                await asyncio.sleep(0.01)
                due = 0.0
        play.acting -= 1
        while play.acting:  # others may still act, and everybody is to see it
            await asyncio.sleep(0.1)
        deadline = time.perf_counter() + MOST_TO_SEE
        while (tally.due or tally.sent_at) and time.perf_counter() < deadline:
            await asyncio.sleep(0.1)
        listening.cancel()


async def _listen(line: ClientConnection, tally: Tally, people: int) -> None:
    async for message in line:
        text = str(message)
        if text.startswith(('{"type":"view"', '{"type":"changes"')):
            tally.saw(text, people)  # without decoding it: this is measured on the same machine
            continue
        told: dict[str, Any] = json.loads(text)
        if told["type"] == "answer":
            tally.answered(told["id"])
        elif told["type"] == "problem":
            tally.refuse(told["id"], told["problem"])


async def everybody(
    address: str, tables: list[Table], seconds: float, server: int = 0, acts: int | None = None
) -> Tally:
    """All of them at once; what the server takes of a processor is counted in the second half, when all is loaded."""
    people = len(tables[0].cookies)
    play = Play(address, seconds, people, Tally(), acts, missing=people * len(tables), acting=people * len(tables))
    everyone = [(table, at, seat) for at, table in enumerate(tables) for seat in range(people)]
    await asyncio.gather(_count_time(play, server), *[person(play, *who) for who in everyone])
    return play.tally


async def _count_time(play: Play, server: int) -> None:
    await play.connected.wait()
    await asyncio.sleep(max(0.0, play.begin - time.perf_counter()) + play.seconds / 2)
    used, acts = _cpu_seconds(server), play.tally.acts
    await asyncio.sleep(play.seconds / 2)
    play.tally.cpu_an_act = (_cpu_seconds(server) - used) / max(1, play.tally.acts - acts)


def measure(
    tables: int,
    people: int,
    seconds: float,
    *,
    acts: int | None = None,
    busy: bool = False,
    database: str | None = None,
) -> dict[str, Any]:
    """Start a server, let people play, and measure; ``busy`` adds a client that asks for expensive odds all the time.

    With ``acts`` everybody acts that many times, however long that takes.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = database or str(Path(folder) / "load.db")
        made = prepare(db, tables, people)
        with bound(HOST, 0) as free:
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "tablewright.cli", "serve", "--db", db, "--port", str(port), "--no-demo"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait(port)
            asker = subprocess.Popen([sys.executable, __file__, "--ask", str(port)]) if busy else None
            tally = asyncio.run(everybody(f"{HOST}:{port}", made, seconds, server.pid, acts))
            memory = _memory(server.pid)
            if asker is not None:
                asker.kill()
                asker.wait()
        finally:
            server.terminate()
            server.wait(MOST_TO_SEE)
        doubled = [mark for mark, count in tally.seen.items() if count != people]
        written = _written(db, made)
    seen, answers, shed = (sorted(one) or [float("nan")] for one in (tally.seconds, tally.acknowledged, tally.shed))
    return {
        "database": "PostgreSQL" if database else "SQLite",
        "tables": tables,
        "people": tables * people,
        "seconds": seconds,
        "acts": tally.acts,
        "shed": len(tally.shed),
        "shed_median_ms": _part(shed, 0.5),
        "shed_p99_ms": _part(shed, 0.99),
        "refused": len(tally.refused),
        "first_refusal": tally.refused[0] if tally.refused else "",
        "not_seen_by_all": len(tally.due),
        "seen_too_often_or_too_seldom": len(doubled),
        "in_the_log": written,
        "answer_median_ms": _part(answers, 0.5),
        "answer_p99_ms": _part(answers, 0.99),
        "median_ms": _part(seen, 0.5),
        "p99_ms": _part(seen, 0.99),
        "longest_ms": _part(seen, 1),
        "server_cpu_ms_an_act": round(1000 * tally.cpu_an_act, 2),
        "server_memory_mb": memory,
    }


def _part(found: Sequence[float], part: float) -> float:
    """The time in milliseconds within which a part of all is done."""
    return round(1000 * found[min(len(found) - 1, int(len(found) * part))], 1)


HEADS = (
    *("database", "tables", "people", "acts", "shed", "shed_p99_ms", "answer_median_ms", "answer_p99_ms"),
    *("median_ms", "p99_ms", "server_cpu_ms_an_act", "server_memory_mb", "refused", "not_seen_by_all"),
)


def sweep(people: int, seconds: float) -> Iterator[str]:
    """Measure every level on both databases; gives the rows of a Markdown table."""
    yield f"| {' | '.join(HEADS)} |"
    yield f"|{'---|' * len(HEADS)}"
    with postgresql() as make:
        for number, tables in enumerate(LEVELS):
            for database in (None, make(f"load_{number}")):
                told = measure(tables, people, seconds, database=database)
                told["shed"] = f"{100 * told['shed'] / max(1, told['acts']):.1f} %"
                yield f"| {' | '.join([str(told[head]) for head in HEADS])} |"


@contextmanager
def postgresql() -> Iterator[Any]:
    """A PostgreSQL as the tests use it: gives a function that makes an empty database and tells its address."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from table import postgres  # noqa: PLC0415

    address, server = postgres.given(), None
    if address is None:
        server = postgres.Server()
        address = server.start()
    made: list[str] = []

    def make(name: str) -> str:
        made.append(f"{name}_{os.getpid()}")
        return str(postgres.make_database(address, made[-1]))

    try:
        yield make
    finally:
        for name in made:
            postgres.drop_database(address, name)
        if server is not None:
            server.stop()


def _memory(pid: int) -> float:
    """The largest memory of a process so far in megabytes, where it is told."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    except OSError:
        found = None
    return round(int(found[1]) / 1024, 1) if found else float("nan")


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


def _written(db: str, tables: Sequence[Table]) -> int:
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
    parser.add_argument("--sweep", action="store_true", help="every number of tables, on SQLite and on PostgreSQL")
    parser.add_argument("--db", help="the address of an empty PostgreSQL database; else a new file")
    parser.add_argument("--ask", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        ask_without_pause(given.ask)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if given.sweep:
        for row in sweep(given.people, given.seconds):
            print(row, flush=True)
        return
    told = measure(given.tables, given.people, given.seconds, busy=given.busy, database=given.db)
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
