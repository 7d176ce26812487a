"""Many people at many tables: each acts once a second, and it is measured how soon everybody at their table sees it.

Starts a server of its own on the loopback, with a database that is thrown away, and sends only there:

    python bench/load.py --tables 50 --people 2 --seconds 300
    python bench/load.py --sweep --seconds 60
    python bench/load.py --sweep --seconds 20 --before CHECKOUT

It tells how many acts were sent, shed (503) or refused otherwise, how long until an act is shed or acknowledged and
until it is on everybody's screen (median, 99th percentile, longest), how much processor time one act that was done took
of the server, of PostgreSQL and of the players (who share the machine with them), the largest memory of a server
process, and whether every act that was acknowledged is in the log of everybody exactly once. ``--sweep`` does so with
50, 100, 200, 300 and 500 tables on SQLite, on PostgreSQL and on PostgreSQL with two server processes that share the
tables (on the PostgreSQL of TABLEWRIGHT_TEST_PG, or one that is started), and prints a table. ``--before`` lets the
same people play at a server of a compiled checkout of an earlier version too, in turn with this one.
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
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import httpx

from tablewright.table import open_store

HERE = Path(__file__).parents[1]

LEVELS = (50, 100, 200, 300, 500)
CONNECTING = 50
"""How many connections are opened at a time, before anybody acts."""
HOST = "127.0.0.1"
MOST_TO_SEE = 300
"""How many seconds are waited at the end for what is not seen by everybody yet."""

MARK = re.compile(r"d6\+[0-9]{7,}")
"""Everybody throws a die with a number added that nobody else at the table adds, so that each throw can be known."""

Mark: TypeAlias = tuple[int, str]
"""A throw: its table and its dice."""


@dataclass
class Tally:
    """What was measured so far."""

    seconds: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    acts: int = 0
    shed: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    due: dict[Mark, float] = field(default_factory=dict)
    sent_at: dict[Mark, float] = field(default_factory=dict)
    seen: dict[Mark, int] = field(default_factory=dict)
    cpu_an_act: dict[str, float] = field(default_factory=dict)

    def sent(self, mark: Mark) -> None:
        """Note that an act was sent."""
        self.acts += 1
        self.due[mark] = self.sent_at[mark] = time.perf_counter()

    def saw(self, table: int, text: str, people: int) -> None:
        """Note the acts that a person sees."""
        for dice in set(MARK.findall(text)):
            mark = (table, dice)
            self.seen[mark] = self.seen.get(mark, 0) + 1
            if self.seen[mark] == people and mark in self.due:
                self.seconds.append(time.perf_counter() - self.due.pop(mark))

    def answered(self, mark: Mark) -> None:
        """Note that an act was acknowledged."""
        self.acknowledged.append(time.perf_counter() - self.sent_at.pop(mark))

    def refuse(self, mark: Mark, problem: dict[str, Any]) -> None:
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
    """Campaigns with everybody in their seats."""
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
    """One run: server addresses, duration, start and counts.

    With ``acts`` everybody acts that many times, each after the answer to the last, instead of once a second.
    """

    addresses: Sequence[str]
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


_TEXT, _PING = 1, 9
"""Kinds of WebSocket frames."""


class Line(asyncio.Protocol):
    """A WebSocket that costs little: whole text frames of a server that it trusts, and no more of the protocol."""

    def __init__(self, path: str, cookie: str, hear: Callable[[str], None]) -> None:
        self._head = f"GET {path} HTTP/1.1\r\nCookie: tablewright_seat={cookie}\r\n"
        self._hear = hear
        self._got = b""
        self._transport: Any = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Ask for the WebSocket."""
        self._transport = transport
        host, port = transport.get_extra_info("peername")
        named = {"Host": f"{host}:{port}", "Upgrade": "websocket", "Connection": "Upgrade"}
        named |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": b64encode(bytes(16)).decode()}
        transport.write((self._head + "".join([f"{name}: {one}\r\n" for name, one in named.items()]) + "\r\n").encode())

    def data_received(self, data: bytes) -> None:
        """Hear every frame that is complete."""
        got = self._got + data if self._got else data
        if not self.opened.done():
            head, end, got = got.partition(b"\r\n\r\n")
            if not end:
                self._got = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self.opened.set_result(None)
        at = 0
        while (frame := _frame(got, at)) is not None:
            kind, (start, at) = got[at] & 0x0F, frame
            if kind == _TEXT:
                self._hear(got[start:at].decode())
            elif kind == _PING:
                self._transport.write(b"\x8a" + bytes([0x80 | (at - start)]) + bytes(4) + got[start:at])
        self._got = got[at:]

    def send(self, text: str) -> None:
        """Send a text; its mask of zeros leaves it as it is."""
        data = text.encode()
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self._transport.write(b"\x81" + length + bytes(4) + data)

    def close(self) -> None:
        """End it."""
        self._transport.close()


def _frame(got: bytes, at: int) -> tuple[int, int] | None:
    """Start and end of the content of the frame at a place, or None if it is not complete."""
    if len(got) < at + 2:
        return None
    length, start = got[at + 1] & 0x7F, at + 2
    if length >= 126:
        wide = 2 if length == 126 else 8
        length, start = int.from_bytes(got[start : start + wide], "big"), start + wide
    return (start, start + length) if len(got) >= start + length else None


async def person(play: Play, table: Table, at: int, seat: int) -> None:
    """One person: follows the table, and acts once a second."""
    tally = play.tally
    address = play.addresses[at % len(play.addresses)]
    host, _, port = address.partition(":")
    is_linux = sys.platform == "linux"  # where every address of 127.0.0.0/8 is this machine
    own: dict[str, Any] = {"local_addr": (f"127.{1 + at // 250}.{at % 250}.{seat + 1}", 0)} if is_linux else {}
    path = f"/v1/campaigns/{table.campaign}/live?changes=1"
    line = Line(path, table.cookies[seat], partial(_hear, play, at))
    async with play.opening:
        await asyncio.get_running_loop().create_connection(lambda: line, host, int(port), **own)
        await line.opened
    play.missing -= 1
    if not play.missing:
        play.begin = time.perf_counter() + 1
        play.connected.set()
    await play.connected.wait()
    due, act = play.begin + random.Random(f"{at}/{seat}").random(), 0
    while play.goes_on(act, due):
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        dice = f"d6+{1_000_000 + 10_000 * seat + act}"
        tally.sent((at, dice))
        command = {"do": "throw", "dice": dice}
        line.send(json.dumps({"type": "act", "id": dice, "key": dice, "command": command}))
        act += 1
        due += 1
        while play.acts is not None and (at, dice) in tally.sent_at:
            await asyncio.sleep(0.01)
            due = 0.0
    play.acting -= 1
    while play.acting:  # others may still act, and everybody is to see it
        await asyncio.sleep(0.1)
    deadline = time.perf_counter() + MOST_TO_SEE
    while (tally.due or tally.sent_at) and time.perf_counter() < deadline:
        await asyncio.sleep(0.1)
    line.close()


def _hear(play: Play, at: int, text: str) -> None:
    if text.startswith(('{"type":"view"', '{"type":"changes"')):
        play.tally.saw(at, text, play.people)  # without decoding it: this is measured on the same machine
        return
    told: dict[str, Any] = json.loads(text)
    if told["type"] == "answer":
        play.tally.answered((at, told["id"]))
    elif told["type"] == "problem":
        play.tally.refuse((at, told["id"]), told["problem"])


Clocks: TypeAlias = "Mapping[str, Callable[[], float]]"
"""Processor seconds so far, by whose they are."""


async def everybody(
    addresses: Sequence[str], tables: list[Table], seconds: float, clocks: Clocks, acts: int | None = None
) -> Tally:
    """All of them at once; what is taken of a processor is counted in the second half, when all is loaded."""
    people = len(tables[0].cookies)
    play = Play(addresses, seconds, people, Tally(), acts, missing=people * len(tables), acting=people * len(tables))
    everyone = [(table, at, seat) for at, table in enumerate(tables) for seat in range(people)]
    await asyncio.gather(_count_time(play, clocks), *[person(play, *who) for who in everyone])
    return play.tally


async def _count_time(play: Play, clocks: Clocks) -> None:
    await play.connected.wait()
    await asyncio.sleep(max(0.0, play.begin - time.perf_counter()) + play.seconds / 2)
    used, done = {name: clock() for name, clock in clocks.items()}, len(play.tally.acknowledged)
    await asyncio.sleep(play.seconds / 2)
    done = max(1, len(play.tally.acknowledged) - done)
    play.tally.cpu_an_act = {name: 1000 * (clock() - used[name]) / done for name, clock in clocks.items()}


def measure(
    tables: int,
    people: int,
    seconds: float,
    *,
    acts: int | None = None,
    busy: bool = False,
    database: str | None = None,
    servers: int = 1,
    postgres: int | None = None,
    checkout: Path = HERE,
) -> dict[str, Any]:
    """Start a server, let people play, and measure; ``busy`` adds a client that asks for expensive odds all the time.

    With ``acts`` everybody acts that many times, however long that takes. Several ``servers`` share the tables of a
    PostgreSQL, whose first process is ``postgres`` if it runs here. The server is that of ``checkout``.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = database or str(Path(folder) / "load.db")
        of_version = os.environ | {"PYTHONPATH": str(checkout / "src")}
        made = [Table(**one) for one in _asked(of_version, "--prepare", db, "--tables", tables, "--people", people)]
        ports = [_free_port() for _ in range(servers)]
        command = [sys.executable, "-m", "tablewright.cli", "serve", "--db", db, "--no-demo", "--port"]
        running = [subprocess.Popen([*command, str(port)], env=of_version, stdout=subprocess.DEVNULL) for port in ports]
        asker = None
        try:
            for port in ports:
                _wait(port)
            asker = subprocess.Popen([sys.executable, __file__, "--ask", str(ports[0])]) if busy else None
            clocks: dict[str, Callable[[], float]] = {
                "players": time.process_time,
                "server": lambda: sum(_cpu_seconds(one.pid) for one in running),
                "postgres": lambda: sum(map(_cpu_seconds, _family(postgres))),
            }
            addresses = [f"{HOST}:{port}" for port in ports]
            tally = _run(everybody(addresses, made, seconds, clocks, acts))
            memory = max([_memory(one.pid) for one in running])
        finally:
            if asker is not None:
                asker.kill()
                asker.wait()
            for one in running:
                one.terminate()
            for one in running:
                one.wait(MOST_TO_SEE)
        doubled = [mark for mark, count in tally.seen.items() if count != people]
        written = _asked(of_version, "--written", db, given=[asdict(one) for one in made])
    seen, answers, shed = (sorted(one) or [float("nan")] for one in (tally.seconds, tally.acknowledged, tally.shed))
    return {
        "database": "PostgreSQL" if database else "SQLite",
        "processes": servers,
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
        **{f"{name}_cpu_ms_an_act": round(spent, 2) for name, spent in tally.cpu_an_act.items()},
        "server_memory_mb": memory,
    }


def _asked(environment: Mapping[str, str], *words: object, given: Any = None) -> Any:
    """The answer of this program, run by the version that the environment names."""
    command = [sys.executable, __file__, *map(str, words)]
    asked = subprocess.run(
        command, env=environment, input=json.dumps(given), stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(asked.stdout)


def _part(found: Sequence[float], part: float) -> float:
    """The time in milliseconds within which a part of all is done."""
    return round(1000 * found[min(len(found) - 1, int(len(found) * part))], 1)


HEADS = (
    *(
        "version",
        "database",
        "processes",
        "tables",
        "people",
        "acts",
        "shed",
        "shed_p99_ms",
        "answer_median_ms",
        "answer_p99_ms",
    ),
    *("median_ms", "p99_ms", "server_cpu_ms_an_act", "postgres_cpu_ms_an_act", "players_cpu_ms_an_act"),
    *("server_memory_mb", "refused", "not_seen_by_all"),
)


SETUPS = (("sqlite", 1), ("postgres", 1), ("postgres", 2))
"""Databases and numbers of server processes that are measured."""


def sweep(people: int, seconds: float, levels: Sequence[int], before: Path | None = None) -> Iterator[str]:
    """Measure every level on both databases, on PostgreSQL with one and with two server processes; gives the rows of a
    Markdown table. An earlier version is measured in turn with this one, with one process.
    """
    earlier = [] if before is None else [("before", before, *setup) for setup in SETUPS if setup[1] == 1]
    setups = [*earlier, *[("now", HERE, *setup) for setup in SETUPS]]
    yield f"| {' | '.join(HEADS)} |"
    yield f"|{'---|' * len(HEADS)}"
    with postgresql() as (make, pid):
        for tables in levels:
            for version, checkout, kind, servers in setups:
                database = make(f"load_{version}_{tables}_{servers}") if kind == "postgres" else None
                told = measure(
                    *(tables, people, seconds), database=database, servers=servers, postgres=pid, checkout=checkout
                )
                told["version"] = version
                told["shed"] = f"{100 * told['shed'] / max(1, told['acts']):.1f} %"
                yield f"| {' | '.join([str(told[head]) for head in HEADS])} |"


@contextmanager
def postgresql() -> Iterator[Any]:
    """A PostgreSQL as the tests use it: a function that makes an empty database, and the first process if it is new."""
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
        yield make, None if server is None or server.process is None else server.process.pid
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


def _family(pid: int | None) -> list[int]:
    """A process and its children, where they are told."""
    try:
        return [] if pid is None else [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as free:
        return int(free.getsockname()[1])


def _run(work: Coroutine[Any, Any, Tally]) -> Tally:
    """Run in the cheapest event loop there is."""
    try:
        import uvloop  # noqa: PLC0415  (missing on Windows)
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def _wait(port: int) -> None:
    for _ in range(10 * MOST_TO_SEE):
        try:
            if httpx.get(f"http://{HOST}:{port}/health", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def _written(db: str, tables: Sequence[Table]) -> int:
    """How many throws stand in the logs, each counted once."""
    marks: set[Mark] = set()
    with open_store(db) as store:
        for at, table in enumerate(tables):
            entry, after = store.enter(table.cookies[0]), 0
            while lines := entry.table.lines(entry.seat, after):
                after = lines[-1]["number"]
                marks.update([(at, dice) for line in lines for dice in MARK.findall(json.dumps(line))])
    return len(marks)


def ask_without_pause(port: int) -> None:
    """Ask for the dearest odds that are allowed, over and over, each time for others, so that none are remembered."""
    with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=60) as client:
        for number in itertools.cycle(range(200, 100, -1)):
            answer = client.post("/v1/odds", json={"dice": f"{number}d100", "most": 100})
            if answer.status_code not in (200, 429, 503):
                raise SystemExit(answer.text)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--busy", action="store_true", help="while one asks for the dearest odds without pause")
    parser.add_argument("--sweep", action="store_true", help="every number of tables, on SQLite and on PostgreSQL")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS, help="the numbers of tables of a sweep")
    parser.add_argument("--processes", type=int, default=1, help="how many servers share a PostgreSQL database")
    parser.add_argument("--db", help="the address of an empty PostgreSQL database; else a new file")
    parser.add_argument("--before", type=Path, help="a compiled checkout of an earlier version, for the sweep")
    parser.add_argument("--ask", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--prepare", help=argparse.SUPPRESS)
    parser.add_argument("--written", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.prepare:
        print(json.dumps([asdict(one) for one in prepare(given.prepare, given.tables, given.people)]))
        return
    if given.written:
        print(_written(given.written, [Table(**one) for one in json.load(sys.stdin)]))
        return
    if given.ask:
        ask_without_pause(given.ask)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if given.sweep:
        for row in sweep(given.people, given.seconds, given.levels, given.before and given.before.resolve()):
            print(row, flush=True)
        return
    told = measure(
        given.tables, given.people, given.seconds, busy=given.busy, database=given.db, servers=given.processes
    )
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
