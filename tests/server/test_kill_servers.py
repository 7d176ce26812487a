"""Two servers on one PostgreSQL, killed at random moments of play at both: nothing acknowledged is lost or doubled."""

from __future__ import annotations

import logging
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from patience import LIMIT, wait_until
from server.serving import NO_CERTIFICATES, free_port
from table.dying import deed, digest
from table.nursery import Nursery
from table.playing import Group, group
from table.postgres import Databases
from table.test_kill import TIMES, check
from tablewright.table import open_store

_log = logging.getLogger(__name__)

SEED = int(os.environ.get("TABLE_KILL_SEED", "1"))
ROUND = 10
"""Number of kills after which everything is checked."""
MOST_ACTS = 12
"""Number of acts that are acknowledged between two kills, at most."""
BOTH = 0.1
"""Share of the kills that both servers die of."""
PEOPLE = 3
"""Number of clients that play at once, each at both servers."""


class DyingServer:
    """A server on a port of its own that is killed and started again."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.port = free_port()
        self.nursery = Nursery("server.dying")
        self.pid = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.pid = self.nursery.bear(where=self.where, port=self.port)
        said = self.nursery.said.get(timeout=LIMIT)
        assert said["kind"] == "ready", said

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        os.kill(self.pid, signal.SIGKILL)
        assert list(self.nursery.until_gone()) == []

    def stop(self) -> None:
        """End it for good."""
        self.kill()
        self.nursery.stop()


class Client:
    """A client with all seats at two servers; an unanswered request is sent again to the other."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.number = number
        self.chance = random.Random(f"{SEED} client {number}")
        self.http = httpx.Client(timeout=LIMIT, verify=NO_CERTIFICATES)

    def _send(self, seat: str, method: str, path: str, key: str = "", **more: Any) -> httpx.Response:
        """Send a request until a server answers it."""
        headers = {"Cookie": f"tablewright_seat={self.game.group.cookies[seat]}", "Idempotency-Key": key or "none"}
        while True:
            port = self.chance.choice(self.game.ports)
            try:
                url = f"http://127.0.0.1:{port}/v1/campaigns/{self.game.group.table.id}{path}"
                answer = self.http.request(method, url, headers=headers, **more)
            except httpx.TransportError:
                self.game.failovers += 1
                time.sleep(0.01)
                continue
            assert answer.status_code < 500 or "after" in answer.json(), answer.text
            if answer.status_code != 503:
                return answer
            time.sleep(0.05)

    def view(self, seat: str, after: int = 0) -> dict[str, Any]:
        """The table as a seat sees it, at either server."""
        answer = self._send(seat, "GET", "", params={"after": after})
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def preview(self, seat: str, command: dict[str, Any]) -> dict[str, Any]:
        """The word that confirms a command; a command that is refused is not confirmed by this one."""
        told: dict[str, Any] = self._send(seat, "POST", "/preview", json={"command": command}).json()
        return {"confirm": "no"} | told

    def play(self) -> None:
        """Act until the round is over."""
        while not self.game.is_over.is_set():
            key = f"{self.number}-{len(self.game.tried)}-{self.chance.getrandbits(40)}"
            seat, command = deed(self, self.chance, key)
            self.game.tried.add(key)
            answer = self._send(seat, "POST", "/act", key, json={"command": command})
            if answer.status_code == 200:
                lines = answer.json()["lines"]
                numbers = [line["number"] for line in lines]
                self.game.done.append({"seat": seat, "key": key, "numbers": numbers, "digest": digest(lines)})
            else:
                assert answer.status_code in (409, 422), answer.text


class Game:
    """A group at two servers, and everything that they were told."""

    def __init__(self, played: Group, ports: list[int]) -> None:
        self.group = played
        self.ports = ports
        self.is_over = threading.Event()
        self.done: list[dict[str, Any]] = []
        self.tried: set[str] = set()
        self.failovers = 0
        self.problems: list[BaseException] = []
        self.clients = [Client(self, number) for number in range(PEOPLE)]

    def _play(self, client: Client) -> None:
        try:
            client.play()
        except BaseException as problem:
            self.problems.append(problem)
            raise

    def wait_for(self, acts: int) -> None:
        """Wait until so many acts are acknowledged."""
        wait_until(lambda: self.problems or len(self.done) >= acts, "people play on")
        assert not self.problems

    def start(self) -> list[threading.Thread]:
        """Let everyone play until the round is over."""
        self.is_over.clear()
        threads = [threading.Thread(target=self._play, args=(client,)) for client in self.clients]
        for thread in threads:
            thread.start()
        return threads


@pytest.fixture
def where(databases: Databases) -> Iterator[str]:
    """A PostgreSQL database with nothing in its tables."""
    with databases.ready() as ready:
        yield ready


def test_nothing_acknowledged_is_lost_when_either_server_is_killed(where: str) -> None:
    chance = random.Random(SEED)
    with ExitStack() as stack:
        with open_store(where) as store:
            played = group(store)
        servers = [DyingServer(where) for _ in range(2)]
        for server in servers:
            server.start()
            stack.callback(server.stop)
        game = Game(played, [server.port for server in servers])
        for client in game.clients:
            stack.callback(client.http.close)
        for begin in range(0, TIMES, ROUND):
            threads = game.start()
            try:
                for _ in range(begin, min(begin + ROUND, TIMES)):
                    game.wait_for(len(game.done) + chance.randint(1, MOST_ACTS))
                    victims = servers if chance.random() < BOTH else [chance.choice(servers)]
                    time.sleep(0.02 * chance.random())
                    for server in victims:
                        server.kill()
                    game.wait_for(len(game.done) + (len(victims) == 1))  # they play on at the other one
                    for server in victims:
                        server.start()
            finally:
                game.is_over.set()
                for thread in threads:
                    thread.join(LIMIT)
            assert not game.problems
            check(where, played.table.id, game.done, game.tried)
    _log.info("%s kills, %s acts acknowledged, %s requests sent again", TIMES, len(game.done), game.failovers)
    assert game.failovers, "nobody noticed a kill"
