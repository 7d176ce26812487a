"""The store: one database with all campaigns, and everybody who wants to hear of changes."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from sqlalchemy import Engine

from tablewright.errors import BadInput
from tablewright.game.registry import load_system
from tablewright.table import events as happened
from tablewright.table.database import rows
from tablewright.table.database.news import Hear, Listener, News, Subscription
from tablewright.table.database.opening import copy_file, engine_of, migrate, shown
from tablewright.table.database.place import Lock, address_of
from tablewright.table.database.presence import Presence
from tablewright.table.database.rows import Info, LinkRow
from tablewright.table.doing import make_seat
from tablewright.table.refusals import NotFound, StoreRefused
from tablewright.table.seats import Invitation, checked_name, hash_of, new_token
from tablewright.table.sitting import TABLE, Sitting
from tablewright.table.table import Table

MOST_OPEN = 400
"""How many campaigns are kept in memory; the one that was used longest ago is let go of first."""


class Made(NamedTuple):
    """A new campaign, and the link of its game master, which is shown this once."""

    table: Table
    invitation: Invitation


class Entry(NamedTuple):
    """Where a token leads: a table and a seat."""

    table: Table
    seat: str


class Store:
    """All campaigns of one database. Made by ``open_store``; safe to use from several threads."""

    def __init__(self, engine: Engine, lock: Lock | None, now: Callable[[], str], copy: Path | None) -> None:
        self.engine = engine
        self.now = now
        self.sender = secrets.token_hex(8)
        self.copied_to = copy
        self._lock = lock
        self._guard = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._news = News()
        self.presence = Presence(self.sender)
        self._listener: Listener | None = None
        if engine.url.get_backend_name() == "postgresql":
            self._listener = Listener(engine.url, self.sender, self._news, self.presence)
            self._listener.start()

    @property
    def where(self) -> str:
        """Where the database is, for people: a path, or an address without its password."""
        return shown(self.engine.url)

    # ------------------------------------------------------------------ campaigns

    def campaigns(self) -> list[Info]:
        """Every campaign, the last played first. For whoever has the database; no seat may see this list."""
        with rows.reading(self.engine) as connection:
            return rows.infos(connection)

    def make_campaign(
        self,
        title: str,
        system: str,
        *,
        game_master: str = "Game Master",
        options: Mapping[str, Any] | None = None,
        id: str | None = None,  # noqa: A002 - it is one
        seed: int | None = None,
    ) -> Made:
        """A new campaign with a seat for its game master. ``id`` and ``seed`` are for tests; both are secrets."""
        plain = checked_name(title)
        book = load_system(system)
        _ = book.book
        chosen = book.options.from_mapping(options or {}).to_mapping()
        name = id or secrets.token_urlsafe(9)
        drawn = secrets.randbits(128) if seed is None else seed
        sitting = Sitting(self.engine, name, self.now)
        sitting.add(
            happened.CampaignMade(
                title=plain, system=book.id, version=book.version, seed=f"{drawn:032x}", options=chosen
            ),
            TABLE,
        )
        seat = make_seat(sitting, game_master, "gm", approved=True)
        token, at = new_token(), self.now()
        sitting.batch.links.append(LinkRow(hash_of(token), name, seat, "gm", "link", at, None))
        with rows.writing(self.engine) as connection:
            rows.add_campaign(connection, Info(name, plain, book.id, at, at, 0))
            rows.append(connection, sitting.finish(), at, self.sender)
        return Made(self.table(name), Invitation(token, "gm", seat))

    def table(self, campaign: str) -> Table:
        """The table of a campaign; the same object for everybody in this process."""
        with self._guard:
            table = self._tables.get(campaign)
            if table is not None:
                self._tables.move_to_end(campaign)
                return table
        with rows.reading(self.engine) as connection:
            if rows.info(connection, campaign) is None:
                raise NotFound("there is no such campaign")
        with self._guard:
            table = self._tables.setdefault(campaign, Table(self, campaign))
            if len(self._tables) > MOST_OPEN:
                self._tables.popitem(last=False)
            return table

    # ------------------------------------------------------------------ tokens

    def exchange(self, token: str, *, name: str | None = None) -> tuple[str, Entry]:
        """A cookie for the token of a link, which is void from now on; an invitation to whoever comes stays valid.

        Whoever comes by an invitation names themselves and waits until the game master approves of the seat.
        """
        hash_, at = hash_of(token), self.now()
        with rows.reading(self.engine) as connection:
            link = rows.link_of(connection, hash_)
        if link is None or link.form == "cookie":
            raise NotFound("this link is not valid, or was used already; ask the game master for a new one")
        seat = link.seat
        if link.form == "invitation":
            if name is None:
                raise BadInput("say who you are", field="name")
            seat = self.table(link.campaign).ask_for_seat(link.role, name)
        cookie = new_token()
        with rows.writing(self.engine) as connection:
            if link.form == "link" and not rows.void_link(connection, hash_, at):
                raise NotFound("this link is not valid, or was used already; ask the game master for a new one")
            rows.add_link(connection, LinkRow(hash_of(cookie), link.campaign, seat, link.role, "cookie", at, None))
        assert seat is not None
        return cookie, Entry(self.table(link.campaign), seat)

    def enter(self, cookie: str) -> Entry:
        """The table and the seat that a cookie opens; ``NotFound`` for one that is void or was never given."""
        with rows.reading(self.engine) as connection:
            link = rows.link_of(connection, hash_of(cookie))
        if link is None or link.form != "cookie" or link.seat is None:
            raise NotFound("this seat is not open to you; ask the game master for a link")
        return Entry(self.table(link.campaign), link.seat)

    def leave(self, cookie: str) -> None:
        """Make a cookie void."""
        with rows.writing(self.engine) as connection:
            rows.void_link(connection, hash_of(cookie), self.now())

    # ------------------------------------------------------------------ news

    def subscribe(self, campaign: str, hear: Hear) -> Subscription:
        """Let a function hear that a campaign has changed: it gets the campaign and its last line, and nothing else.

        It is called after the commit, from the thread that made it or that heard of it from another process; it should
        do no more than wake somebody, who then asks ``Table.view`` for what their seat has to see.
        """
        return self._news.subscribe(campaign, hear)

    def tell(self, campaign: str, last: int) -> None:
        """Tell everybody in this process that something was written."""
        self._news.tell(campaign, last)

    # ------------------------------------------------------------------ as a whole

    def backup(self, path: Path) -> None:
        """A copy of the whole database while it is in use; a file that is there is not replaced."""
        if self.engine.url.get_backend_name() != "sqlite":
            raise StoreRefused("this copies a database file; use pg_dump for PostgreSQL, or export campaigns")
        copy_file(Path(str(self.engine.url.database)), path)

    def close(self) -> None:
        """Let go of the database."""
        if self._listener is not None:
            self._listener.stop()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(where: str | Path | None = None, *, serve: bool = False, now: Callable[[], str] | None = None) -> Store:
    """Open the database, made or migrated where that is needed: a path, a URL, ``TABLEWRIGHT_DB``, or the user's own.

    ``serve`` is for the one server that may use a database file; a second one is refused. ``now`` is for tests.
    """
    url = address_of(where)
    lock: Lock | None = None
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreRefused(f"{path.parent} cannot be made: {error.strerror}") from None
        if serve:
            lock = Lock(path).take()
    engine = engine_of(url)
    try:
        copy = migrate(engine)
    except BaseException:
        engine.dispose()
        if lock is not None:
            lock.release()
        raise
    return Store(engine, lock, now or _now, copy)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


__all__ = ["Entry", "Info", "Made", "Store", "Subscription", "open_store"]
