"""The store: one database with all campaigns, and everybody who wants to hear of changes."""

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

from tablewright.errors import BadInput
from tablewright.game.registry import load_system
from tablewright.table import events as happened
from tablewright.table.database import rows
from tablewright.table.database.copying import copy_to_file, restore, restore_campaign
from tablewright.table.database.grouping import Writer
from tablewright.table.database.news import EVERYTHING, Hear, Listener, News, Subscription
from tablewright.table.database.opening import engine_of, make_file, migrate, shown
from tablewright.table.database.place import Lock, address_of
from tablewright.table.database.presence import Presence
from tablewright.table.database.rows import HOST, Info, LinkRow, Raced
from tablewright.table.database.verifying import Progress, Report, quick_problems, verify
from tablewright.table.doing import make_seat
from tablewright.table.refusals import NotFound, StoreRefused
from tablewright.table.repeating import Once, checked_key, token_for
from tablewright.table.seats import Invitation, checked_name, hash_of, new_token
from tablewright.table.sitting import TABLE, Sitting
from tablewright.table.table import Table

MOST_OPEN = 400
"""How many campaigns are kept in memory; the one that was used longest ago is let go of first."""

MOMENT = "%Y-%m-%dT%H:%M:%SZ"

LEAST_KEY_OF_LINK = 22
"""How many letters the key of an exchange has: with the link, which may lie about, it gives the cookie once more."""

MINUTES_ASKED_AGAIN = 10
"""How long it does."""

HOURS_OF_IMPORT = 1
"""An import of which nothing was written for so long is over: its process was stopped."""

LINES_DISCARDED = 500

HOURS_OF_HOST_LINK = 24
"""How long a link of the host is valid that nobody has used."""

USED = "this link is not valid, or was used already; ask whoever gave it to you for a new one"


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
        self.writer = Writer(engine, self.sender)
        self.copied_to = copy
        self.report: Report | None = None
        self.damaged_at: Path | None = None
        self._lock = lock
        self._guard = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._in_use: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._news = News()
        self._news.subscribe(EVERYTHING, self._hear)
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
        asked: Once | None = None,
    ) -> Made:
        """A new campaign with a seat for its game master. ``id`` and ``seed`` are for tests; both are secrets.

        ``asked`` makes it safe to ask again: the same campaign comes, and no second one is made.
        """
        plain = checked_name(title)
        book = load_system(system)
        _ = book.book
        chosen = book.options.from_mapping(options or {}).to_mapping()
        name = id or secrets.token_urlsafe(9)
        drawn = secrets.randbits(128) if seed is None else seed

        def made(connection: Connection, token: str) -> tuple[str, Invitation]:
            sitting = Sitting(self.engine, name, self.now)
            first = happened.CampaignMade(
                title=plain, system=book.id, version=book.version, seed=f"{drawn:032x}", options=chosen
            )
            sitting.add(first, TABLE)
            seat, at = make_seat(sitting, game_master, "gm", approved=True), self.now()
            sitting.batch.links.append(LinkRow(hash_of(token), name, seat, "gm", "link", at, None))
            rows.add_campaign(connection, Info(name, plain, book.id, at, at, 0))
            rows.append(connection, sitting.finish(), at, self.sender)
            return name, Invitation(token, "gm", seat)

        return self.make_once(asked, made)

    def make_once(self, asked: Once | None, make: Callable[[Connection, str], tuple[str, Invitation]]) -> Made:
        """Write a new campaign; where it was asked for before under the same key, give that one."""
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
        except Raced:
            if asked is None:
                raise
            return self.make_once(asked, make)  # another process was quicker with the same key
        return Made(self.table(campaign), invitation)

    def remove_campaign(self, campaign: str, title: str, *, asked: Once | None = None) -> None:
        """Take a campaign out of the database with everything that belongs to it; nothing brings it back.

        ``title`` has to be what it is called: nobody removes another one by mistake. Whoever sits at it is told that
        their seat is gone. Asked again under the same key, it is done already. For whoever has the database.
        """
        with rows.writing(self.engine) as connection:
            found = None if asked is None else rows.answered(connection, HOST, asked.owner, asked.key)
            if asked is not None and found is not None:
                asked.campaign(found)  # refuses what was asked for otherwise
                return
            rows.hold(connection, campaign)
            info = rows.info(connection, campaign)
            if info is None:
                raise NotFound("there is no such campaign")
            if " ".join(title.split()) != info.title:
                raise BadInput(f'this table is called "{info.title}"; say so to remove it', field="title")
            rows.remove(connection, campaign, self.sender)
            if asked is not None:
                rows.add_request(connection, HOST, asked.request("", Invitation("", "", None), campaign))
        with self._guard:
            self._tables.pop(campaign, None)
            self._in_use.pop(campaign, None)
        self.tell(campaign, 0)

    def table(self, campaign: str) -> Table:
        """The table of a campaign; the same object for everybody in this process."""
        with self._guard:
            table = self._in_use.get(campaign)
            if table is not None:
                return self._kept(table)
        with rows.reading(self.engine) as connection:
            if rows.info(connection, campaign) is None:
                raise NotFound("there is no such campaign")
        with self._guard:
            table = self._in_use.get(campaign) or self._in_use.setdefault(campaign, Table(self, campaign))
            return self._kept(table)

    def _kept(self, table: Table) -> Table:
        """A table, now the one that was used last; the one used longest ago is let go of, unless it is in use."""
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        if len(self._tables) > MOST_OPEN:
            self._tables.popitem(last=False)
        return table

    # ------------------------------------------------------------------ tokens

    def exchange(self, token: str, *, name: str | None = None, key: str | None = None) -> tuple[str, Entry]:
        """A cookie for the token of a link, which is void from now on; an invitation to whoever comes stays valid.

        Whoever comes by an invitation names themselves and waits until the game master approves of the seat. Under the
        same ``key`` the same cookie comes again, for minutes, if the answer was lost; it has to be a long one.
        """
        link = self._link(token)
        if link.campaign == HOST:
            raise NotFound(USED)
        asked, table = _exchanging(token, key, name), self.table(link.campaign)
        given = self._given_lately(link, asked)
        if given is None and link.void is not None:
            raise NotFound(USED)
        if given is None and link.form == "invitation":
            if name is None:
                raise BadInput("say who you are", field="name")
            given = table.ask_for_seat(link.role, name, asked)
        given = given or self._exchanged(link, asked)
        assert given.seat is not None
        return given.token, Entry(table, given.seat)

    def _link(self, token: str) -> LinkRow:
        """What a link leads to, or led to before it was used."""
        with rows.reading(self.engine) as connection:
            link = rows.link_ever(connection, hash_of(token))
        if link is None or link.form == "cookie":
            raise NotFound(USED)
        return link

    def _exchanged(self, link: LinkRow, asked: Once | None) -> Invitation:
        """A cookie for a link that is used up by it."""
        cookie, word = token_for(asked)
        at, made = self.now(), Invitation(cookie, link.role, link.seat)
        with rows.writing(self.engine) as connection:
            is_there = link.campaign == HOST or rows.hold(connection, link.campaign)
            is_first = is_there and rows.void_link(connection, link.hash, at)
            if is_first:
                kept = LinkRow(hash_of(cookie), link.campaign, link.seat, link.role, "cookie", at, None)
                rows.add_link(connection, kept)
                if asked is not None:
                    rows.add_request(connection, link.campaign, asked.request(word, made))
        given = made if is_first else self._given_lately(link, asked)
        if given is None:
            raise NotFound(USED)
        return given

    def _given_lately(self, link: LinkRow, asked: Once | None) -> Invitation | None:
        """The cookie that was given for the same key a few minutes ago, and is valid still."""
        given = self.given_before(link.campaign, asked)
        if given is None:
            return None
        with rows.reading(self.engine) as connection:
            cookie = rows.link_of(connection, hash_of(given.token))
        if cookie is None or cookie.made < self._ago(timedelta(minutes=MINUTES_ASKED_AGAIN)):
            raise NotFound(USED)
        return given

    def given_before(self, campaign: str, asked: Once | None) -> Invitation | None:
        """What was answered already to what is asked again."""
        if asked is None:
            return None
        with rows.reading(self.engine) as connection:
            found = rows.answered(connection, campaign, asked.owner, asked.key)
        return None if found is None else asked.again(found)

    def enter(self, cookie: str) -> Entry:
        """The table and the seat that a cookie opens; ``NotFound`` for one that is void or was never given."""
        with rows.reading(self.engine) as connection:
            link = rows.link_of(connection, hash_of(cookie))
        if link is None or link.form != "cookie" or link.seat is None:
            raise NotFound("this seat is not open to you; ask the game master for a link")
        return Entry(self.table(link.campaign), link.seat)

    def leave(self, cookie: str) -> None:
        """Make a cookie, or a link that nobody has used, void."""
        with rows.writing(self.engine) as connection:
            rows.void_link(connection, hash_of(cookie), self.now())

    # ------------------------------------------------------------------ the host

    def host_link(self, *, renew: bool = False) -> str:
        """The token of a link for whoever has the database, which opens the list of all campaigns.

        It is used up when it is exchanged, and void after a day. ``renew`` makes all older ones void, cookies too.
        """
        token, at = new_token(), self.now()
        old = at if renew else self._ago(timedelta(hours=HOURS_OF_HOST_LINK))
        with rows.writing(self.engine) as connection:
            rows.void_host_links(connection, at, before=old, forms=("link", "cookie") if renew else ("link",))
            rows.add_link(connection, LinkRow(hash_of(token), HOST, None, "host", "link", at, None))
        return token

    def exchange_host(self, token: str, *, key: str | None = None) -> str | None:
        """A cookie for the token of a host's link, which is void from now on; none for another link.

        Under the same ``key`` the same cookie comes again, as for the other links.
        """
        link, asked = self._link(token), _exchanging(token, key, None)
        if link.campaign != HOST:
            return None
        given = self._given_lately(link, asked)
        if given is None and link.made < self._ago(timedelta(hours=HOURS_OF_HOST_LINK)):
            raise NotFound(USED)
        return (given or self._exchanged(link, asked)).token

    def is_host(self, cookie: str) -> bool:
        """Whether a cookie is the host's."""
        with rows.reading(self.engine) as connection:
            link = rows.link_of(connection, hash_of(cookie))
        return link is not None and link.campaign == HOST and link.form == "cookie"

    def _ago(self, time: timedelta) -> str:
        return (datetime.fromisoformat(self.now()) - time).astimezone(UTC).strftime(MOMENT)

    # ------------------------------------------------------------------ news

    def subscribe(self, campaign: str, hear: Hear) -> Subscription:
        """Let a function hear that a campaign has changed: it gets the campaign and its last line, and nothing else.

        It is called after the commit, from the thread that made it or that heard of it from another process; it should
        do no more than wake somebody, who then asks ``Table.view`` for what their seat has to see.
        """
        return self._news.subscribe(campaign, hear)

    def _hear(self, campaign: str, last: int) -> None:
        """Read a campaign again that was removed or restored, or of which word may have been missed."""
        table = self._in_use.get(campaign) if last == 0 else None
        if table is not None:
            table.forget_later()

    def tell(self, campaign: str, last: int) -> None:
        """Tell everybody in this process that something was written."""
        self._news.tell(campaign, last)

    # ------------------------------------------------------------------ as a whole

    def backup(self, path: Path) -> None:
        """A copy of the whole database while it is in use, as of one moment; a file that is there is not replaced.

        It is a database file, also of a PostgreSQL: it can be served as it is, or restored into either kind.
        """
        copy_to_file(self.engine, path)

    def restore(self, path: Path, campaign: str | None = None) -> list[Info]:
        """Bring back everything of a copy, into a database without campaigns; gives the campaigns. All or nothing.

        With ``campaign``, its id or its title, only that one comes back, in place of what is there of it; the others
        stay as they are. Links and cookies that were made void since stay void. Where the file has to be written again,
        ``damaged_at`` says where the damaged one is kept.
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
        """Check everything, while it is in use; a campaign that is damaged is closed from now on.

        One that was closed and is whole is opened again. ``progress`` hears how many lines are checked, and of how
        many.
        """
        return verify(self.engine, progress)

    def discard(self, campaign: str) -> None:
        """Take out a campaign that was not imported as a whole, some lines at a time."""
        while True:
            with rows.writing(self.engine) as connection:
                if not rows.remove_last_lines(connection, campaign, LINES_DISCARDED):
                    rows.remove(connection, campaign, self.sender)
                    return

    def look_over(self) -> None:
        """Check a database that was just opened as far as that is cheap, and all of it where something is wrong.

        ``report`` says what was found then.
        """
        if self.engine.dialect.name == "sqlite" and quick_problems(Path(str(self.engine.url.database))):
            self.report = self.verify()

    def discard_abandoned(self) -> None:
        """Take out what is left of imports whose process was stopped."""
        with rows.reading(self.engine) as connection:
            found = rows.abandoned(connection, self._ago(timedelta(hours=HOURS_OF_IMPORT)))
        for campaign in found:
            self.discard(campaign)

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


def _exchanging(token: str, key: str | None, name: str | None) -> Once | None:
    checked_key(key, LEAST_KEY_OF_LINK)
    return None if key is None else Once(token, key, f"exchange {name or ''}")


def open_store(where: str | Path | None = None, *, serve: bool = False, now: Callable[[], str] | None = None) -> Store:
    """Open the database, made or migrated where that is needed: a path, a URL, ``TABLEWRIGHT_DB``, or the user's own.

    ``serve`` is for the one server that may use a database file; a second one is refused. ``now`` is for tests.
    """
    url = address_of(where)
    lock: Lock | None = None
    path: Path | None = None
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


__all__ = ["Entry", "Info", "Made", "Store", "Subscription", "open_store"]
