"""Several server processes on one PostgreSQL: messages between them, and pins of campaigns to one of them.

A process keeps the advisory lock of a campaign that it has written to, until another process asks for it or it holds
too many. The locks belong to one connection and become free as soon as the process ends, even by a crash. A pin only
spares two processes a race that one of them would lose. The order of the log does not depend on it: a batch is appended
directly after the line that its process saw, or not at all. A process whose request for a pin gets no reply may
therefore continue without it.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any

import psycopg
from sqlalchemy import URL

from tablewright.table.database.notifications import Notifier
from tablewright.table.database.pins import FREE, WANTED, Pins
from tablewright.table.database.presence import Presence, Word
from tablewright.table.database.queries import CHANNEL

MOST_PINNED = 400
"""Upper bound for pins of a process; the least recently used one is released first."""

ASK_AGAIN = 0.05
"""Seconds between two requests for a pin; a process that released one waits as long before taking it again."""

PATIENCE = 1.0
"""Seconds after which a process continues without the pin because its holder does not reply."""

KEEPALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
"""Settings that make PostgreSQL free the locks of an unreachable machine within half a minute."""

WAIT = 0.25
"""Longest time in seconds to wait for messages from other processes before sending own ones."""

_log = logging.getLogger(__name__)


class Listener(threading.Thread):
    """Thread that receives messages from other processes on the same PostgreSQL; reconnects after a lost connection."""

    def __init__(self, url: URL, sender: str, news: Notifier, presence: Presence, pins: Pins) -> None:
        super().__init__(name="tablewright-listener", daemon=True)
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._sender = sender
        self._news = news
        self._presence = presence
        self._pins = pins
        self._over = threading.Event()
        self._woken, self._wake = socket.socketpair()
        self.ready = threading.Event()

    def run(self) -> None:
        """Listen until stopped."""
        wait = 0.1
        while not self._over.is_set():
            try:
                with psycopg.connect(self._dsn, autocommit=True, connect_timeout=10) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if self.ready.is_set():
                        self._news.tell_all()
                    self.ready.set()
                    wait = 0.1
                    self._hear(connection)
            except psycopg.Error:
                _log.warning("the connection that listens was lost; it is made again")
                self._over.wait(wait)
                wait = min(5.0, wait * 2)

    def _hear(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._over.is_set():
                self._say(connection, self._presence.words())
                selector.select(WAIT)
                for notify in connection.notifies(timeout=0, stop_after=100):
                    self._receive(notify.payload)
                self._presence.forget()
        self._say(connection, self._presence.leave())

    def _receive(self, payload: str) -> None:
        """Pass a message on, unless this process sent it."""
        sender, _, rest = payload.partition(":")
        campaign, _, said = rest.partition(":")
        if sender == self._sender:
            return
        if said.isdecimal():
            self._news.tell(campaign, int(said))
        elif said in (WANTED, FREE):
            self._pins.hear(campaign, said)
        else:
            self._presence.hear(sender, campaign, said)

    def _say(self, connection: psycopg.Connection[tuple[object, ...]], words: list[Word]) -> None:
        for campaign, said in words:
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self._sender}:{campaign}:{said}"))

    def stop(self) -> None:
        """Stop listening and wait for the thread, at most 10 seconds."""
        self._over.set()
        self._wake.close()
        self.join(timeout=10)
        self._woken.close()


class AdvisoryPins(Pins):
    """Pins of one process on a PostgreSQL; safe to use from several threads, one at a time per campaign."""

    def __init__(self, url: URL, sender: str) -> None:
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._sender = sender
        self._guard = threading.RLock()
        self._connection: psycopg.Connection[Any] | None = None
        self._pinned: OrderedDict[str, None] = OrderedDict()
        self._in_use: set[str] = set()
        self._wanted: set[str] = set()
        self._left_until: dict[str, float] = {}
        self._freed: dict[str, threading.Event] = {}

    @contextmanager
    def held(self, campaign: str) -> Iterator[None]:
        """Context in which no other process writes to a campaign; entered without a pin after ``PATIENCE`` seconds."""
        try:
            self._take(campaign)
        except psycopg.Error:
            self._lose()  # the database may be unreachable; the write will report it
        try:
            yield
        finally:
            with self._guard:
                self._in_use.discard(campaign)
                if campaign in self._wanted:
                    self._let_go(campaign)
                    self._wanted.discard(campaign)

    def _take(self, campaign: str) -> None:
        end = time.monotonic() + PATIENCE
        with self._guard:
            self._in_use.add(campaign)
            if campaign in self._pinned:
                self._pinned.move_to_end(campaign)
                return
            freed = self._freed[campaign] = threading.Event()
        try:
            while not self._took(campaign):
                now = time.monotonic()
                if now >= end:
                    _log.warning("a campaign is written to without its pin: the process that has it does not answer")
                    return
                self._say(campaign, WANTED)
                if freed.wait(min(ASK_AGAIN, end - now)):
                    freed.clear()
                    with self._guard:
                        self._left_until.pop(campaign, None)
        finally:
            with self._guard:
                del self._freed[campaign]

    def _took(self, campaign: str) -> bool:
        """Try to lock a campaign; return False for a short time after releasing it to another process."""
        with self._guard:
            if time.monotonic() < self._left_until.get(campaign, 0.0):
                return False
            self._left_until.pop(campaign, None)
            row = self._execute("SELECT pg_try_advisory_lock(%s)", (lock_number(campaign),)).fetchone()
            if row is None or not row[0]:
                return False
            self._pinned[campaign] = None
            for name in [name for name in self._pinned if name not in self._in_use][: len(self._pinned) - MOST_PINNED]:
                self._let_go(name)
            return True

    def drop(self, campaign: str) -> None:
        """Release a pin that did not prevent a write conflict."""
        with self._guard:
            self._let_go(campaign)

    def hear(self, campaign: str, message: str) -> None:
        """Handle a message from another process: release a campaign that it wants, or retry one that it released."""
        with self._guard:
            if message == FREE and campaign in self._freed:
                self._freed[campaign].set()
            if message == WANTED and campaign in self._in_use:
                self._wanted.add(campaign)  # also while this process is still taking it: the other one is next
            elif message == WANTED and campaign in self._pinned:
                self._wanted.add(campaign)
                self._let_go(campaign)

    def _let_go(self, campaign: str) -> None:
        if campaign not in self._pinned:
            return
        del self._pinned[campaign]
        if campaign in self._wanted:
            self._wanted.discard(campaign)
            now = time.monotonic()
            self._left_until = {name: until for name, until in self._left_until.items() if until > now}
            self._left_until[campaign] = now + ASK_AGAIN
        try:
            self._execute("SELECT pg_advisory_unlock(%s)", (lock_number(campaign),))
            self._say(campaign, FREE)
        except psycopg.Error:
            self._lose()

    def _say(self, campaign: str, message: str) -> None:
        self._execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self._sender}:{campaign}:{message}"))

    def _execute(self, statement: str, values: tuple[Any, ...]) -> psycopg.Cursor[Any]:
        with self._guard:
            if self._connection is None:
                self._connection = psycopg.connect(self._dsn, autocommit=True, connect_timeout=10, options=KEEPALIVE)
            return self._connection.execute(statement.encode(), values)

    def _lose(self) -> None:
        """Forget all pins together with their connection."""
        with self._guard:
            connection, self._connection = self._connection, None
            self._pinned.clear()
            self._wanted.clear()
            if connection is not None:
                with suppress(psycopg.Error):
                    connection.close()

    def close(self) -> None:
        """Release all pins."""
        self._lose()


def lock_number(campaign: str) -> int:
    """Number of the advisory lock of a campaign."""
    return int.from_bytes(blake2b(campaign.encode(), digest_size=8, person=b"campaign").digest(), signed=True)
