"""A real server on the loopback for the tests: its own port, its own database, real requests and real WebSockets."""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from forked import Forked
from patience import LIMIT, wait_until
from server.forked_workers import ForkedWorkers
from table.unsynced import unsynced
from tablewright.server.runner import bound, server_for
from tablewright.server.settings import Limits, Settings
from tablewright.table import Store, Table, open_store

TESTS = Path(__file__).parents[1]
_KEYS = itertools.count(1)
NEIGHBOUR = "table.test"
"""The name under which browsers reach this machine as if it were another one in the local network."""

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Requests stay on this machine; to read its certificates for each client costs more than all its requests."""


class Served:
    """A running server and its visitors."""

    def __init__(self, store: Store | None, port: int, app: Any) -> None:
        self._store = store
        self.port = port
        self.app = app
        self.url = f"http://127.0.0.1:{port}"
        self.process: Forked | None = None
        self.said: list[str] = []
        self._clients: list[httpx.Client] = []
        self.demos: dict[str, Table] = {}

    @property
    def store(self) -> Store:
        """The served database, for a test that looks at it."""
        assert self._store is not None
        return self._store

    def client(self) -> httpx.Client:
        """A client without a seat."""
        self._clients.append(httpx.Client(base_url=self.url, timeout=LIMIT, verify=NO_CERTIFICATES))
        return self._clients[-1]

    def is_healthy(self) -> bool:
        """Ask whether it answers; a server process that has ended never will."""
        assert self.process is None or self.process.poll() is None, self.said
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/health", timeout=LIMIT, verify=NO_CERTIFICATES).status_code == 200
        return False

    def close(self) -> None:
        """Close all clients."""
        for client in self._clients:
            client.close()

    def enter(self, token: str, name: str | None = None) -> Person:
        """A client that opens a link."""
        client = self.client()
        answer = client.post("/v1/enter", json={"token": token} | ({"name": name} if name else {}))
        assert answer.status_code == 200, answer.text
        return Person(self, client, answer.json()["id"])

    def person(self, cookie: str, campaign: str) -> Person:
        """A client with an existing cookie."""
        client = self.client()
        client.headers["Cookie"] = f"tablewright_seat={cookie}"
        return Person(self, client, campaign)

    def campaign(self, title: str = "The pantry", system: str = "coinfolk") -> Person:
        """The game master of a new campaign."""
        return self.enter(self.store.make_campaign(title, system, game_master="Gwen").invitation.token)


class Person:
    """A client with a seat and a cookie."""

    def __init__(self, served: Served, client: httpx.Client, campaign: str) -> None:
        self.served = served
        self.client = client
        self.campaign = campaign
        self.base = f"/v1/campaigns/{campaign}"

    def view(self, after: int = 0) -> dict[str, Any]:
        """The seat's view."""
        answer = self.client.get(self.base, params={"after": after})
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def post(self, path: str, body: dict[str, Any], key: str | None = None) -> httpx.Response:
        """Send something."""
        headers = {"Idempotency-Key": key or f"key-{next(_KEYS)}"}
        return self.client.post(f"{self.base}/{path}", json=body, headers=headers)

    def act(self, do: str, expected: int | None = None, key: str | None = None, **more: Any) -> httpx.Response:
        """Do something at the table."""
        body: dict[str, Any] = {"command": {"do": do, **more}}
        return self.post("act", body | ({} if expected is None else {"expected": expected}), key)

    def done(self, do: str, **more: Any) -> dict[str, Any]:
        """Do something that must be allowed."""
        key = more.pop("key", None) or f"key-{next(_KEYS)}"
        answer = self.act(do, key=key, **more)
        while answer.status_code == 503 and "after" in answer.json():  # a busy machine: sent again under the same key
            time.sleep(answer.json()["after"])
            answer = self.act(do, key=key, **more)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def invite(self, name: str, role: str = "player") -> Person:
        """Another client, by an invitation of this one."""
        answer = self.post("invite", {"role": role, "name": name})
        assert answer.status_code == 200, answer.text
        return self.served.enter(answer.json()["token"])

    @property
    def cookies(self) -> str:
        """The cookies of this one's browser, as a header."""
        kept = "; ".join([f"{cookie.name}={cookie.value}" for cookie in self.client.cookies.jar])
        return kept or self.client.headers.get("Cookie", "")

    @contextmanager
    def live(
        self, after: int = 0, *, latest: int | None = None, changes: bool = False, **headers: str
    ) -> Iterator[ClientConnection]:
        """A live connection."""
        more = ("" if latest is None else f"&latest={latest}") + ("&changes=1" if changes else "")
        address = f"ws://127.0.0.1:{self.served.port}{self.base}/live?after={after}{more}"
        with connect(address, additional_headers={"Cookie": self.cookies, **headers}, open_timeout=LIMIT) as opened:
            yield opened


def shut(person: Person) -> int:
    """The code with which a connection is closed before anything comes."""
    with person.live() as line, suppress(ConnectionClosed):
        line.recv(timeout=LIMIT)
        raise AssertionError("something came")
    assert line.close_code is not None
    return line.close_code


def heard(connection: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of a kind, or of one of several."""
    while True:
        message: dict[str, Any] = json.loads(connection.recv(timeout=LIMIT))
        if message["type"] in kinds:
            return message


def free_port() -> int:
    """A port that no one listens at, below those that clients are given: only another server could take it."""
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", port))
            return port


@contextmanager
def process(store: Store | None, db: str | None, *more: str, host: str | None = None) -> Iterator[Served]:
    """A server in a process of its own, as the command line starts it; ``store`` is another look at its database."""
    port = free_port()
    command = ["serve", "--port", str(port), *(["--host", host] if host is not None else [])]
    command += [*(["--db", db] if db is not None else []), *(more or ["--no-demo"])]
    served = Served(store, port, None)
    served.url = f"http://{host or '127.0.0.1'}:{port}"
    heard, said = os.pipe()
    with open(heard, encoding="utf-8") as lines, open(os.devnull) as nothing:  # noqa: PTH123
        path = os.pathsep.join([str(TESTS), str(TESTS / "sixth"), str(TESTS.parent / "src")])
        running = Forked(command, streams=(nothing.fileno(), said, 2), env=os.environ | {"PYTHONPATH": path})
        os.close(said)
        served.process = running
        try:
            for line in lines:
                served.said.append(line.rstrip())
                if line.startswith("stop with"):
                    break
            wait_until(served.is_healthy, "the server answers")
            yield served
        finally:
            served.close()
            running.terminate()
            assert running.wait() == 0


@contextmanager
def serving(
    folder: Path,
    limits: Limits | None = None,
    workers: int = 1,
    where: str | None = None,
    now: Callable[[], str] | None = None,
    proxies: tuple[str, ...] = (),
) -> Iterator[Served]:
    """A server in a thread of its own, with a database in a folder."""
    listening = bound("127.0.0.1", 0)
    port: int = listening.getsockname()[1]
    with unsynced():
        store = open_store(where or folder / "tables.db", serve=True, now=now)
    generous = limits or Limits(
        requests_a_second=10_000,
        burst=10_000,
        odds_seconds=None,
        odds_at_once=30,
        burst_bytes=1_000_000_000,
        expected_seconds=3_600,
        waiting_seconds=3_600,
    )
    chosen = Settings(
        hosts=(f"127.0.0.1:{port}", f"{NEIGHBOUR}:{port}"), workers=workers, limits=generous, proxies=proxies
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tablewright.server.app.WorkerPool", ForkedWorkers)
        server, app = server_for(store, chosen)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive(), "the server begins")
    assert thread.is_alive()
    served = Served(store, port, app)
    try:
        yield served
    finally:
        served.close()
        server.should_exit = True
        thread.join(LIMIT)
        store.close()
