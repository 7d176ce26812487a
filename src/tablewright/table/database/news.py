"""Who wants to hear that something happened: callbacks in this process, and word from others over PostgreSQL."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

import psycopg
from sqlalchemy import URL

from tablewright.table.database.presence import Presence, Word
from tablewright.table.database.rows import CHANNEL

Hear: TypeAlias = Callable[[str, int], None]
"""Called with the campaign and its last line, from whichever thread wrote it or heard of it."""

EVERYTHING = ""
WAIT = 0.25
"""How many seconds word from others is waited for before own word is sent."""

_log = logging.getLogger(__name__)


class Subscription:
    """Somebody who hears of a campaign until ``close``."""

    def __init__(self, news: News, campaign: str, hear: Hear) -> None:
        self._news = news
        self.campaign = campaign
        self.hear = hear

    def close(self) -> None:
        """Hear no more."""
        self._news.drop(self)


class News:
    """All who listen in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: dict[str, list[Subscription]] = {}

    def subscribe(self, campaign: str, hear: Hear) -> Subscription:
        """Let a function hear of every change of a campaign; of every campaign if its name is empty."""
        subscription = Subscription(self, campaign, hear)
        with self._lock:
            self._all.setdefault(campaign, []).append(subscription)
        return subscription

    def drop(self, subscription: Subscription) -> None:
        """Take somebody off the list."""
        with self._lock:
            left = [one for one in self._all.get(subscription.campaign, ()) if one is not subscription]
            if left:
                self._all[subscription.campaign] = left
            else:
                self._all.pop(subscription.campaign, None)

    def tell(self, campaign: str, last: int) -> None:
        """Tell everybody who listens; what goes wrong with one of them is logged and stops nobody else."""
        with self._lock:
            some = [*self._all.get(EVERYTHING, ()), *self._all.get(campaign, ())]
        for one in some:
            try:
                one.hear(campaign, last)
            except Exception:
                _log.exception("a subscriber failed")

    def tell_all(self) -> None:
        """Something may have been missed: whoever listens looks again."""
        with self._lock:
            known = [name for name in self._all if name != EVERYTHING]
        for name in known:
            self.tell(name, 0)


class Listener(threading.Thread):
    """Hears from other processes on the same PostgreSQL; connects again when the connection is lost."""

    def __init__(self, url: URL, sender: str, news: News, presence: Presence) -> None:
        super().__init__(name="tablewright-listener", daemon=True)
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._sender = sender
        self._news = news
        self._presence = presence
        self._over = threading.Event()
        self.ready = threading.Event()

    def run(self) -> None:
        """Listen until told to stop."""
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
        while not self._over.is_set():
            self._say(connection, self._presence.words())
            for notify in connection.notifies(timeout=WAIT, stop_after=100):
                sender, _, rest = notify.payload.partition(":")
                campaign, _, said = rest.partition(":")
                if sender == self._sender:
                    continue
                if said.isdecimal():
                    self._news.tell(campaign, int(said))
                else:
                    self._presence.hear(sender, campaign, said)
            self._presence.forget()
        self._say(connection, self._presence.leave())

    def _say(self, connection: psycopg.Connection[tuple[object, ...]], words: list[Word]) -> None:
        for campaign, said in words:
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self._sender}:{campaign}:{said}"))

    def stop(self) -> None:
        """Stop listening, and wait until it has."""
        self._over.set()
        self.join(timeout=10)
