"""Store of all campaigns in one database, with subscriptions to changes."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self
from weakref import WeakValueDictionary

from sqlalchemy import Connection, Engine

from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import load_system
from tablewright.table import events as happened
from tablewright.table.database import link_queries
from tablewright.table.database import queries as rows
from tablewright.table.database.backup import copy_to_file, restore, restore_campaign
from tablewright.table.database.connection import engine_of, make_file, migrate, shown
from tablewright.table.database.group_commit import Writer
from tablewright.table.database.link_queries import HOST, LinkRow
from tablewright.table.database.location import Lock, address_of
from tablewright.table.database.notifications import EVERYTHING, Hear, Notifier, Subscription
from tablewright.table.database.pins import Pins
from tablewright.table.database.presence import Presence
from tablewright.table.database.queries import CampaignSummary, WriteConflict
from tablewright.table.database.verification import Progress, Report, quick_problems, verify
from tablewright.table.errors import NotFoundError, StoreError
from tablewright.table.handlers.seats import make_seat
from tablewright.table.idempotency import TokenRequest, checked_key, token_for
from tablewright.table.loaded_campaign import TABLE, LoadedCampaign
from tablewright.table.table import Table
from tablewright.table.tokens import Invitation, checked_name, hash_of, new_token

MOST_OPEN = 400
"""Upper bound for campaigns kept in memory; the least recently used one goes first."""

MOMENT = "%Y-%m-%dT%H:%M:%SZ"

LEAST_KEY_OF_LINK = 22
"""Minimum length of the key of an exchange; together with a leaked link it could recover the cookie."""

MINUTES_ASKED_AGAIN = 10
"""Minutes during which the same key recovers the cookie."""

HOURS_OF_IMPORT = 1
"""Hours without a write after which an import counts as abandoned."""

LINES_DISCARDED = 500

HOURS_OF_HOST_LINK = 24
"""Hours for which an unused link of the host is valid."""

USED = "this link is not valid, or was used already; ask for a new one"


class CreatedCampaign(NamedTuple):
    """A new campaign, and the link of its game master, which is shown only once."""

    table: Table
    invitation: Invitation


class SeatAccess(NamedTuple):
    """Table and seat that a token opens."""

    table: Table
    seat: str


class Store:
    """All campaigns of one database. Create it with ``open_store``; safe to use from several threads."""

    def __init__(self, engine: Engine, lock: Lock | None, now: Callable[[], str], copy: Path | None) -> None:
        self.engine = engine
        self.now = now
        self.sender = secrets.token_hex(8)
        self.writer = Writer(engine, self.sender)
        self.copied_to = copy
        self.report: Report | None = None
        self.damaged_at: Path | None = None
        self._lock = lock
        self._guard = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._in_use: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._news = Notifier()
        self._news.subscribe(EVERYTHING, self._hear)
        self.presence = Presence(self.sender)
        self.pins = Pins()
        self._listener: Listener | None = None
        if engine.url.get_backend_name() == "postgresql":
            from tablewright.table.database.postgres import AdvisoryPins, Listener  # noqa: PLC0415  (loads the driver)

            self.pins = AdvisoryPins(engine.url, self.sender)
            self._listener = Listener(engine.url, self.sender, self._news, self.presence, self.pins)
            self._listener.start()

    @property
    def where(self) -> str:
        """Printable location of the database: a path, or an address without its password."""
        return shown(self.engine.url)

    # ------------------------------------------------------------------ campaigns

    def campaigns(self) -> list[CampaignSummary]:
        """Every campaign, the last played first. For the host only; no seat may see this list."""
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
        asked: TokenRequest | None = None,
    ) -> CreatedCampaign:
        """Create a campaign with a seat for its game master. ``id`` and ``seed`` are for tests; both are secrets.

        ``asked`` makes retries safe: a retry returns the same campaign.
        """
        plain = checked_name(title)
        book = load_system(system)
        _ = book.rulebook
        chosen = book.options.from_mapping(options or {}).to_mapping()
        name = id or secrets.token_urlsafe(9)
        drawn = secrets.randbits(128) if seed is None else seed

        def made(connection: Connection, token: str) -> tuple[str, Invitation]:
            sitting = LoadedCampaign(self.engine, name, self.now)
            first = happened.CampaignMade(
                title=plain, system=book.id, version=book.version, seed=f"{drawn:032x}", options=chosen
            )
            sitting.add(first, TABLE)
            seat, at = make_seat(sitting, game_master, "gm", approved=True), self.now()
            sitting.batch.links.append(LinkRow(hash_of(token), name, seat, "gm", "link", at, None))
            rows.add_campaign(connection, CampaignSummary(name, plain, book.id, at, at, 0))
            rows.append(connection, sitting.finish(), at, self.sender)
            return name, Invitation(token, "gm", seat)

        return self.make_once(asked, made)

    def make_once(
        self, asked: TokenRequest | None, make: Callable[[Connection, str], tuple[str, Invitation]]
    ) -> CreatedCampaign:
        """Write a new campaign; return the earlier one if the key was used before."""
        try:
            with rows.writing(self.engine) as connection:
                found = None if asked is None else rows.answered(connection, HOST, asked.owner, asked.key)
                if asked is None or found is None:
                    token, word = token_for(asked)
                    campaign, invitation = make(connection, token)
                    if asked is not None:
                        rows.add_request(connection, HOST, asked.request(word, invitation, campaign))
                else:
                    campaign, invitation = asked.campaign(found), asked.again(found)
        except WriteConflict:
            if asked is None:
                raise
            return self.make_once(asked, make)  # another process used the same key first
        return CreatedCampaign(self.table(campaign), invitation)

    def remove_campaign(self, campaign: str, title: str, *, asked: TokenRequest | None = None) -> None:
        """Delete a campaign with all its data, for good. For the host only.

        ``title`` must match the campaign's title as a safeguard. Connected seats learn that their seat is gone. A retry
        under the same key has no effect.
        """
        with rows.writing(self.engine) as connection:
            found = None if asked is None else rows.answered(connection, HOST, asked.owner, asked.key)
            if asked is not None and found is not None:
                asked.campaign(found)  # refuses a key that was used for another request
                return
            rows.hold(connection, campaign)
            info = rows.info(connection, campaign)
            if info is None:
                raise NotFoundError("there is no such campaign")
            if " ".join(title.split()) != info.title:
                raise InvalidInputError(f'this table is called "{info.title}"; say so to remove it', field="title")
            rows.remove(connection, campaign, self.sender)
            if asked is not None:
                rows.add_request(connection, HOST, asked.request("", Invitation("", "", None), campaign))
        with self._guard:
            self._tables.pop(campaign, None)
            self._in_use.pop(campaign, None)
        self.tell(campaign, 0)

    def table(self, campaign: str) -> Table:
        """Table of a campaign; one shared object per process."""
        with self._guard:
            table = self._in_use.get(campaign)
            if table is not None:
                return self._kept(table)
        with rows.reading(self.engine) as connection:
            if rows.info(connection, campaign) is None:
                raise NotFoundError("there is no such campaign")
        with self._guard:
            table = self._in_use.get(campaign) or self._in_use.setdefault(campaign, Table(self, campaign))
            return self._kept(table)

    def _kept(self, table: Table) -> Table:
        """Mark a table as most recently used; beyond ``MOST_OPEN``, evict the least recently used one."""
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        if len(self._tables) > MOST_OPEN:
            self._tables.popitem(last=False)
        return table

    # ------------------------------------------------------------------ tokens

    def look_at_link(self, token: str) -> dict[str, Any]:
        """Look at a link without using it up; ``open`` is false for one that is void or unknown."""
        with rows.reading(self.engine) as connection:
            link = link_queries.link_of(connection, hash_of(token))
        if link is None or link.form == "cookie":
            return {"open": False}
        if link.campaign == HOST:
            return {"open": True, "host": True}
        shown = self.table(link.campaign).link_json(link.role, link.seat)
        return {"open": True, "host": False, "asks_name": link.form == "invitation", **shown}

    def exchange(
        self, token: str, *, name: str | None = None, character: str | None = None, key: str | None = None
    ) -> tuple[str, SeatAccess]:
        """Exchange the token of a link for a cookie. The link becomes void; an open invitation stays valid.

        A person with an invitation gives a name, and perhaps the id of a free character, and waits for the game
        master's approval. The same ``key`` returns the
        same cookie for some minutes in case the response was lost; it must be a long one.
        """
        link = self._link(token)
        if link.campaign == HOST:
            raise NotFoundError(USED)
        asked, table = _exchanging(token, key, name), self.table(link.campaign)
        given = self._given_lately(link, asked)
        if given is None and link.void is not None:
            raise NotFoundError(USED)
        if given is None and link.form == "invitation":
            if name is None:
                raise InvalidInputError("give a name for your seat", field="name")
            given = table.ask_for_seat(link.role, name, asked, wants=character)
        given = given or self._exchanged(link, asked)
        assert given.seat is not None
        return given.token, SeatAccess(table, given.seat)

    def _link(self, token: str) -> LinkRow:
        """The link of a token, even if it was already used."""
        with rows.reading(self.engine) as connection:
            link = link_queries.link_ever(connection, hash_of(token))
        if link is None or link.form == "cookie":
            raise NotFoundError(USED)
        return link

    def _exchanged(self, link: LinkRow, asked: TokenRequest | None) -> Invitation:
        """Exchange a one-time link for a cookie."""
        cookie, word = token_for(asked)
        at, made = self.now(), Invitation(cookie, link.role, link.seat)
        with rows.writing(self.engine) as connection:
            is_there = link.campaign == HOST or rows.hold(connection, link.campaign)
            is_first = is_there and link_queries.void_link(connection, link.hash, at)
            if is_first:
                kept = LinkRow(hash_of(cookie), link.campaign, link.seat, link.role, "cookie", at, None)
                link_queries.add_link(connection, kept)
                if asked is not None:
                    rows.add_request(connection, link.campaign, asked.request(word, made))
        given = made if is_first else self._given_lately(link, asked)
        if given is None:
            raise NotFoundError(USED)
        return given

    def _given_lately(self, link: LinkRow, asked: TokenRequest | None) -> Invitation | None:
        """The cookie given for the same key within the last minutes, if still valid; None for a new key."""
        given = self.given_before(link.campaign, asked)
        if given is None:
            return None
        with rows.reading(self.engine) as connection:
            cookie = link_queries.link_of(connection, hash_of(given.token))
        if cookie is None or cookie.made < self._ago(timedelta(minutes=MINUTES_ASKED_AGAIN)):
            raise NotFoundError(USED)
        return given

    def given_before(self, campaign: str, asked: TokenRequest | None) -> Invitation | None:
        """The invitation already given for a repeated request; None for a new one."""
        if asked is None:
            return None
        with rows.reading(self.engine) as connection:
            found = rows.answered(connection, campaign, asked.owner, asked.key)
        return None if found is None else asked.again(found)

    def enter(self, cookie: str) -> SeatAccess:
        """Table and seat that a cookie opens; ``NotFoundError`` if it is void or unknown."""
        with rows.reading(self.engine) as connection:
            link = link_queries.link_of(connection, hash_of(cookie))
        if link is None or link.form != "cookie" or link.seat is None:
            raise NotFoundError("this seat is not open to you; ask the game master for a link")
        return SeatAccess(self.table(link.campaign), link.seat)

    def leave(self, cookie: str) -> None:
        """Void a cookie or an unused link."""
        with rows.writing(self.engine) as connection:
            link_queries.void_link(connection, hash_of(cookie), self.now())

    # ------------------------------------------------------------------ the host

    def host_link(self, *, renew: bool = False) -> str:
        """Token of a link for the host, which opens the list of all campaigns.

        The link is void after one exchange, or after a day. ``renew`` voids all older links and cookies of the host.
        """
        token, at = new_token(), self.now()
        old = at if renew else self._ago(timedelta(hours=HOURS_OF_HOST_LINK))
        with rows.writing(self.engine) as connection:
            link_queries.void_host_links(connection, at, before=old, forms=("link", "cookie") if renew else ("link",))
            link_queries.add_link(connection, LinkRow(hash_of(token), HOST, None, "host", "link", at, None))
        return token

    def exchange_host(self, token: str, *, key: str | None = None) -> str | None:
        """Exchange the token of a host's link for a cookie; None if the link belongs to a seat.

        The link becomes void. The same ``key`` returns the same cookie, as for other links.
        """
        link, asked = self._link(token), _exchanging(token, key, None)
        if link.campaign != HOST:
            return None
        given = self._given_lately(link, asked)
        if given is None and link.made < self._ago(timedelta(hours=HOURS_OF_HOST_LINK)):
            raise NotFoundError(USED)
        return (given or self._exchanged(link, asked)).token

    def is_host(self, cookie: str) -> bool:
        """True if a cookie is the host's."""
        with rows.reading(self.engine) as connection:
            link = link_queries.link_of(connection, hash_of(cookie))
        return link is not None and link.campaign == HOST and link.form == "cookie"

    def _ago(self, time: timedelta) -> str:
        return (datetime.fromisoformat(self.now()) - time).astimezone(UTC).strftime(MOMENT)

    # ------------------------------------------------------------------ notifications

    def subscribe(self, campaign: str, hear: Hear) -> Subscription:
        """Call a function on every change of a campaign, with the campaign id and its last line only.

        The call comes after the commit, from the writing thread or from the listener thread. The function should only
        wake a task that then reads ``Table.view`` for its seat.
        """
        return self._news.subscribe(campaign, hear)

    def _hear(self, campaign: str, last: int) -> None:
        """Reload a campaign that was removed or restored, or whose notifications may have been lost."""
        table = self._in_use.get(campaign) if last == 0 else None
        if table is not None:
            table.forget_later()

    def tell(self, campaign: str, last: int) -> None:
        """Notify the subscribers in this process of a write."""
        self._news.tell(campaign, last)

    # ------------------------------------------------------------------ the whole database

    def backup(self, path: Path) -> None:
        """Back up the database while it is in use, as of one moment; refuse to replace an existing file.

        The backup is an SQLite file, also for PostgreSQL. It can be served as it is, or restored into either kind.
        """
        copy_to_file(self.engine, path)

    def restore(self, path: Path, campaign: str | None = None) -> list[CampaignSummary]:
        """Restore a backup into a database without campaigns, all or nothing; return the campaigns.

        With ``campaign``, an id or a title, restore only that one in place of the stored one. Links and cookies that
        were voided since stay void. If a damaged file had to be rewritten, ``damaged_at`` is the path of the saved old
        file.
        """
        if campaign is None:
            return restore(self.engine, path)
        alone = self._lock is not None
        found, self.damaged_at = restore_campaign(
            self.engine, path, campaign, at=self.now(), sender=self.sender, alone=alone
        )
        for one in found:
            self.tell(one.id, 0)
        return found

    def verify(self, progress: Progress | None = None) -> Report:
        """Check every campaign while the database is in use; close damaged ones and reopen intact ones.

        ``progress`` is called with the number of lines checked and the total.
        """
        return verify(self.engine, progress)

    def discard(self, campaign: str) -> None:
        """Delete an unfinished import in chunks."""
        while True:
            with rows.writing(self.engine) as connection:
                if not rows.remove_last_lines(connection, campaign, LINES_DISCARDED):
                    rows.remove(connection, campaign, self.sender)
                    return

    def look_over(self) -> None:
        """Run the cheap checks on a database just opened, and a full check if they find a problem.

        The result of a full check is in ``report``.
        """
        if self.engine.dialect.name == "sqlite" and quick_problems(Path(str(self.engine.url.database))):
            self.report = self.verify()

    def discard_abandoned(self) -> None:
        """Delete unfinished imports whose process has stopped."""
        with rows.reading(self.engine) as connection:
            found = rows.abandoned(connection, self._ago(timedelta(hours=HOURS_OF_IMPORT)))
        for campaign in found:
            self.discard(campaign)

    def close(self) -> None:
        """Close the database."""
        if self._listener is not None:
            self._listener.stop()
        self.pins.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _exchanging(token: str, key: str | None, name: str | None) -> TokenRequest | None:
    checked_key(key, LEAST_KEY_OF_LINK)
    return None if key is None else TokenRequest(token, key, f"exchange {name or ''}")


def open_store(where: str | Path | None = None, *, serve: bool = False, now: Callable[[], str] | None = None) -> Store:
    """Open the database and create or migrate it if needed: a path, a URL, ``TABLEWRIGHT_DB``, or the user's own.

    ``serve`` takes the lock of the one server per database file; a second server is refused. ``now`` is for tests.
    """
    url = address_of(where)
    lock: Lock | None = None
    path: Path | None = None
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{path.parent} cannot be made: {error.strerror}") from None
        if serve:
            lock = Lock(path).take()
    engine = engine_of(url)
    try:
        if path is not None:
            make_file(path)
        copy = migrate(engine, alone=None if path is None or serve else Lock(path))
    except BaseException:
        engine.dispose()
        if lock is not None:
            lock.release()
        raise
    store = Store(engine, lock, now or _now, copy)
    try:
        store.look_over()
        if serve:
            store.discard_abandoned()
    except BaseException:
        store.close()
        raise
    return store


def _now() -> str:
    return datetime.now(UTC).strftime(MOMENT)


__all__ = ["CampaignSummary", "CreatedCampaign", "SeatAccess", "Store", "Subscription", "open_store"]
