"""A campaign in memory and on disk: loading, locking and writing it, for the table that its seats use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine

from tablewright.table import view as seeing
from tablewright.table.campaign import Seat
from tablewright.table.database import link_queries
from tablewright.table.database import queries as rows
from tablewright.table.database.group_commit import Writer
from tablewright.table.database.pins import Pins
from tablewright.table.database.queries import WriteConflict
from tablewright.table.errors import NO_SEAT, ConflictError, ForbiddenError, NotFoundError
from tablewright.table.idempotency import TokenRequest
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.tokens import Invitation, hash_of

R = TypeVar("R")

MOST_TRIES = 8
NOT_OPEN = "this seat is not open to you; ask the game master for a link"


class SeatRequest(NamedTuple):
    """A request of a seat: the cookie and the key that came with it, and the digest of its content."""

    seat: str
    cookie: str | None
    key: str | None
    digest: str


class StoreAccess(Protocol):
    """Interface of the store for tables."""

    engine: Engine
    now: Callable[[], str]
    sender: str
    writer: Writer
    pins: Pins

    def tell(self, campaign: str, last: int) -> None:
        """Notify the subscribers in this process of a write."""

    def given_before(self, campaign: str, asked: TokenRequest | None) -> Invitation | None:
        """The invitation already given for a repeated request; None for a new one."""


class StoredTable:
    """A campaign that is loaded on first use and written under a lock.

    It is pinned to this process while it is written; another process that wrote first makes it load again.
    """

    def __init__(self, store: StoreAccess, campaign: str) -> None:
        self.id = campaign
        self._store = store
        self._lock = threading.RLock()
        self._sitting: LoadedCampaign | None = None
        self._is_stale = False
        self._steps_left = 0
        self._connection: Connection | None = None
        self._states: dict[str, seeing.SeenState] = {}

    def _write(
        self,
        what: Callable[[LoadedCampaign], R],
        check: Callable[[LoadedCampaign, rows.RequestStanding | None], R | None] = lambda _, __: None,
        asked: SeatRequest | None = None,
    ) -> R:
        """Run a change and write its result in one step; notify subscribers after the commit.

        ``check`` refuses the change, or returns the response to an earlier request with the same key; it reads in the
        same transaction as the campaign. For a request of a seat (``asked``), one query tells all of this if the
        campaign in memory is up to date, and ``check`` gets its result. The campaign is pinned to this process
        meanwhile. If another process still writes first, the change is retried on a reloaded campaign under a row lock.
        """
        with self._lock, self._store.pins.held(self.id):
            for attempt in range(MOST_TRIES):
                start, steps_left = -1, 0
                try:
                    with self._held(attempt > 0):
                        standing = self._standing(asked) if asked is not None and attempt == 0 else None
                        ready = None if standing is None else self._current(standing.last, standing.closed)
                        with nullcontext() if ready is not None else self._moment():
                            sitting = ready or self._present()
                            start, steps_left = sitting.campaign.last, sitting.steps_left
                            before = check(sitting, None if ready is None else standing)
                        if before is not None:
                            return before
                        result = what(sitting)
                        self._commit(sitting)
                except WriteConflict:
                    self._sitting = None
                    self._store.pins.drop(self.id)
                    continue
                except BaseException:
                    if (
                        self._sitting is None
                        or self._sitting.campaign.last != start
                        or not self._sitting.batch.is_empty
                    ):
                        self._sitting = None  # the write failed: reload from the log
                        self._steps_left = steps_left
                    raise
                if sitting.campaign.last != start:
                    self._store.tell(self.id, sitting.campaign.last)
                return result
        raise ConflictError("too much happens at once; try again", 0)

    @contextmanager
    def _held(self, fast: bool) -> Iterator[None]:
        """Lock the campaign against other writers inside the block, if ``fast`` is set."""
        if not fast:
            yield
            return
        with rows.writing(self._store.engine) as connection:
            rows.hold(connection, self.id)
            self._connection = connection
            try:
                yield
            finally:
                self._connection = None

    def _standing(self, asked: SeatRequest) -> rows.RequestStanding | None:
        """Standing of a request, if the campaign is in memory."""
        if self._sitting is None:
            return None
        return rows.standing(self._store.engine, self.id, hash_of(asked.cookie or ""), asked.seat, asked.key or "")

    def _commit(self, sitting: LoadedCampaign) -> None:
        batch = sitting.finish()
        if not batch.is_empty:
            at = self._store.now()
            if self._connection is not None:
                rows.append(self._connection, batch, at, self._store.sender)
            else:
                self._store.writer.write(batch, at)
        sitting.begin()

    def _current(self, last: int, closed: str | None) -> LoadedCampaign | None:
        """The loaded campaign if it is up to date with the end of its log, and open; None if it must be read first."""
        sitting = self._sitting
        if sitting is None or self._is_stale or closed is not None or sitting.campaign.last != last:
            return None
        return sitting if sitting.is_ready else None

    def _present(self) -> LoadedCampaign:
        """The loaded campaign, up to date with its log."""
        if self._is_stale:
            self._is_stale, self._sitting = False, None
        sitting = self._sitting
        if sitting is None:
            sitting = self._sitting = LoadedCampaign.load(self._store.engine, self.id, self._store.now)
            sitting.steps_left, self._steps_left = self._steps_left, 0
        else:
            sitting.catch_up()
        if sitting.has_scene:
            sitting.entries()  # opens the scene; after an upgrade this may write a line
            if sitting.batch.lines:
                try:
                    self._commit(sitting)
                except WriteConflict:
                    self._sitting = None
                    return self._present()  # another process has written it
                except BaseException:
                    self._sitting = None
                    raise
                self._store.tell(self.id, sitting.campaign.last)
        return sitting

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Read everything in one transaction; load the campaign before it, because loading may write."""
        if self._sitting is None:
            self._present()
        with rows.one_moment(self._store.engine):
            yield

    def _check_cookie(self, seat: str, cookie: str | None) -> None:
        """Refuse a cookie that no longer opens this seat."""
        if cookie is None:
            return
        with rows.reading(self._store.engine) as connection:
            link = link_queries.link_of(connection, hash_of(cookie))
        if link is None or (link.form, link.campaign, link.seat) != ("cookie", self.id, seat):
            raise NotFoundError(NOT_OPEN)

    def _person(self, sitting: LoadedCampaign, seat: str) -> Seat:
        person = sitting.campaign.seats.get(seat)
        if person is None or person.removed:
            raise NotFoundError(NO_SEAT)
        if not person.approved:
            raise ForbiddenError("the game master has not approved of this seat yet; wait until they do")
        return person

    def forget(self) -> None:
        """Discard the loaded campaign; the next access reads it again."""
        with self._lock:
            self._sitting = None

    def forget_later(self) -> None:
        """Mark the loaded campaign as stale, without waiting for a running change."""
        self._is_stale = True

    def is_as_the_log_says(self) -> bool:
        """True if memory equals the whole log, folded from its first line without snapshots."""
        from tablewright.table.audit import same_as_log  # noqa: PLC0415 - only tests and backups need it

        with self._lock:
            return same_as_log(self._present())
