"""Queries that read and write the tables: plain functions on rows, independent of any game."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, literal_column, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from tablewright.table.campaign import LogLine
from tablewright.table.database.hash_chain import Places, StoredLine, hash_of_line, short_json
from tablewright.table.database.link_queries import HOST, LinkRow, void_links
from tablewright.table.database.picture_queries import PictureRow, add_pictures
from tablewright.table.database.prepared import Prepared, run_all
from tablewright.table.database.schema import campaigns, feed, lines, links, pictures, requests, snapshots
from tablewright.table.database.snapshot_queries import add_snapshot
from tablewright.table.errors import StoreDamagedError, StoreError, StoreFullError
from tablewright.table.events import from_plain, to_plain
from tablewright.table.feed import LineBodies

CHANNEL = "tablewright"
MOST_LINES_ASKED_AGAIN = 10_000
"""Number of lines for which a response is stored in case of a retry."""

MOST_OF_HOST_ASKED_AGAIN = 1_000
"""Upper bound for stored responses to the host."""

IMPORTING = "importing"
"""Reason of closure for a campaign whose import is still running; no list shows it."""
_FULL = 13  # SQLITE_FULL
_DAMAGED = (11, 26)  # SQLITE_CORRUPT, SQLITE_NOTADB


# hot statements, built once
_ABOUT = tuple([campaigns.c[name] for name in ("id", "title", "system", "made", "played", "last", "closed")])
_END = select(campaigns.c.last, campaigns.c.hash, campaigns.c.closed).where(campaigns.c.id == bindparam("campaign"))
_NOTIFY = Prepared(text("SELECT pg_notify(:channel, :payload)"))
_MOVED = Prepared(
    update(campaigns).where(campaigns.c.id == bindparam("campaign"), campaigns.c.last == bindparam("expected")),
    *("last", "played", "hash", "title"),
)
_ITEMS = (
    select(feed.c.number, feed.c.seq, feed.c.place, lines.c.at, lines.c.bodies)
    .join(lines, (lines.c.campaign == feed.c.campaign) & (lines.c.seq == feed.c.seq))
    .where(
        feed.c.campaign == bindparam("campaign"),
        feed.c.viewer == bindparam("viewer"),
        feed.c.number > bindparam("after"),
        feed.c.number <= bindparam("until"),
    )
    .order_by(feed.c.number)
    .limit(bindparam("most"))
)
_NUMBERS = (
    select(feed.c.viewer, feed.c.number, feed.c.seq)
    .where(feed.c.campaign == bindparam("campaign"), feed.c.seq.between(bindparam("low"), bindparam("high")))
    .order_by(feed.c.viewer, feed.c.number)
)
_ANSWERED = select(requests.c.digest, requests.c.answer).where(
    requests.c.campaign == bindparam("campaign"),
    requests.c.seat == bindparam("seat"),
    requests.c.key == bindparam("key"),
)
_ADD_LINES, _ADD_FEED, _ADD_REQUEST = [
    Prepared(insert(table), *[column.name for column in table.columns]) for table in (lines, feed, requests)
]
_is_open = (links.c.campaign == campaigns.c.id) & (links.c.form == literal_column("'cookie'")) & links.c.void.is_(None)
_STANDING = Prepared(
    select(campaigns.c.last, campaigns.c.closed, links.c.seat, requests.c.digest, requests.c.answer)
    .select_from(
        campaigns.outerjoin(links, _is_open & (links.c.hash == bindparam("hash"))).outerjoin(
            requests,
            (requests.c.campaign == campaigns.c.id)
            & (requests.c.seat == bindparam("seat"))
            & (requests.c.key == bindparam("key")),
        )
    )
    .where(campaigns.c.id == bindparam("campaign"))
)
DAMAGED = (
    "this campaign is damaged and closed; the host can check it with `tablewright verify` and bring it back with "
    "`tablewright restore`"
)
_guard = threading.Lock()
_turns: WeakKeyDictionary[Engine, AbstractContextManager[Any]] = WeakKeyDictionary()
_held = threading.local()
"""The open read transaction of this thread, inside ``one_moment``."""


class WriteConflict(Exception):
    """Another process appended first; nothing was written."""


class CampaignSummary(NamedTuple):
    """A campaign in the list of all: the times of creation and last play, and the length of its log.

    ``closed`` is the damage of a damaged campaign, or None.
    """

    id: str
    title: str
    system: str
    made: str
    played: str
    last: int
    closed: str | None = None


class FeedItem(NamedTuple):
    """One item of a viewer's feed: its number, its line, its time and its body."""

    number: int
    seq: int
    at: str
    body: dict[str, Any]


class StoredResponse(NamedTuple):
    """The stored response to a request that a seat sent under a key."""

    seat: str
    key: str
    digest: str
    answer: str


@dataclass
class PendingWrite:
    """Changes of one campaign that are written together or not at all.

    ``feeds`` are (viewer, number, line, place) rows. ``title`` is the new title of the campaign, or None if it stays.
    """

    campaign: str
    expected: int
    lines: list[tuple[LogLine, LineBodies]] = field(default_factory=list)
    feeds: list[tuple[str, int, int, int]] = field(default_factory=list)
    snapshot: tuple[int, int, bytes] | None = None
    request: StoredResponse | None = None
    links: list[LinkRow] = field(default_factory=list)
    voided: list[str] = field(default_factory=list)
    title: str | None = None
    pictures: list[PictureRow] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last line of the log after this write."""
        return self.lines[-1][0].seq if self.lines else self.expected

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        return not (self.lines or self.request is not None or self.links or self.voided or self.pictures)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Write transaction; on leaving, all of it is on disk or none of it is.

    A database file has one writer at a time. Writers of this process queue on a lock here, because SQLite's own lock
    only retries with growing pauses.
    """
    try:
        with (
            _turn_of(engine),
            engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            yield connection
    except DBAPIError as error:
        raise _refusal(error) from error


def _turn_of(engine: Engine) -> AbstractContextManager[Any]:
    if engine.dialect.name != "sqlite":
        return nullcontext()
    with _guard:
        return _turns.setdefault(engine, threading.RLock())


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Read transaction; inside ``one_moment`` the transaction of that block.

    On PostgreSQL each statement is a transaction of its own. READ COMMITTED gives each statement a new snapshot anyway,
    and this saves the round trips for BEGIN and COMMIT.
    """
    held: tuple[Engine, Connection] | None = getattr(_held, "transaction", None)
    if held is not None and held[0] is engine:
        yield held[1]
        return
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                connection.execution_options(isolation_level="AUTOCOMMIT")
            with connection.begin():
                yield connection
    except DBAPIError as error:
        raise _refusal(error) from error


@contextmanager
def one_moment(engine: Engine) -> Iterator[None]:
    """Run all reads of this thread inside the block in one transaction."""
    with reading(engine) as connection:
        before, _held.transaction = getattr(_held, "transaction", None), (engine, connection)
        try:
            yield
        finally:
            _held.transaction = before


def is_damage(error: DBAPIError) -> bool:
    """True if a database error reports damaged data."""
    original = error.orig
    code = getattr(original, "sqlite_errorcode", None) or 0
    return code & 0xFF in _DAMAGED or getattr(original, "sqlstate", None) in ("XX001", "XX002")


def _refusal(error: DBAPIError) -> Exception:
    original = error.orig
    if getattr(original, "sqlite_errorcode", None) == _FULL or getattr(original, "sqlstate", None) == "53100":
        return StoreFullError("the disk is full: nothing was changed; make room and try again")
    if isinstance(error, IntegrityError):
        return WriteConflict()
    first = str(original).strip().splitlines()[:1]
    if is_damage(error):
        return StoreDamagedError(f"the database is damaged ({''.join(first)}); `tablewright verify` says where")
    return StoreError(f"the database cannot be used: {''.join(first)}")


# ---------------------------------------------------------------------- writing


def add_campaign(connection: Connection, info: CampaignSummary) -> None:
    """Insert the row of a new campaign."""
    connection.execute(insert(campaigns).values(**info._asdict()))


def append(connection: Connection, batch: PendingWrite, at: str, sender: str) -> None:
    """Append a batch after the last line that its author saw; raise ``WriteConflict`` if there are newer lines."""
    append_all(connection, [(batch, at)], sender)


def append_all(connection: Connection, dated: Sequence[tuple[PendingWrite, str]], sender: str) -> None:
    """Append batches of several campaigns, each with its timestamp; refuse all if one conflicts.

    One statement writes the rows of all batches of a table, and all statements go to a database server together,
    because each wait for its answer costs a round trip.
    """
    ids = [batch.campaign for batch, _ in dated]
    found = _ends_of(len(ids)).run(connection, {f"id_{place}": id_ for place, id_ in enumerate(ids)})
    ends = {row.id: row for row in found}
    moved: list[dict[str, Any]] = []
    new: list[dict[str, Any]] = []
    for batch, at in dated:
        end = ends.pop(batch.campaign, None)
        if end is None or end.last != batch.expected:
            raise WriteConflict
        chained = _chained(end.hash, batch)
        new += [{"campaign": batch.campaign, **line._asdict()} for line in chained]
        changes = {"last": batch.last, "played": at, "hash": chained[-1].hash if chained else end.hash}
        title = end.title if batch.title is None else batch.title
        moved.append({"campaign": batch.campaign, "expected": batch.expected, "title": title, **changes})
    names = ("viewer", "number", "seq", "place")
    told = [
        {"campaign": batch.campaign, **dict(zip(names, row, strict=True))} for batch, _ in dated for row in batch.feeds
    ]
    answers = [
        {"campaign": batch.campaign, **batch.request._asdict(), "seq": batch.last}
        for batch, _ in dated
        if batch.request is not None
    ]
    written = ((_MOVED, moved), (_ADD_LINES, new), (_ADD_FEED, told), (_ADD_REQUEST, answers))
    news = _news_of([(batch.campaign, batch.last) for batch, _ in dated], sender)
    told_others = ((_NOTIFY, news),) if connection.dialect.name == "postgresql" else ()
    if run_all(connection, [(one, values) for one, values in (*written, *told_others) if values])[0] != len(moved):
        raise WriteConflict
    for batch, at in dated:
        _append_rest(connection, batch, at)


@cache
def _ends_of(count: int) -> Prepared:
    """Query of the ends of a number of logs."""
    c = campaigns.c
    ids: list[Any] = [bindparam(f"id_{place}") for place in range(count)]
    return Prepared(select(c.id, c.title, c.last, c.hash).where(c.id.in_(ids)))


def _append_rest(connection: Connection, batch: PendingWrite, at: str) -> None:
    """Write the parts of a batch that most batches do not have."""
    if batch.snapshot is not None:
        add_snapshot(connection, batch.campaign, *batch.snapshot)
        old = requests.c.seq < batch.last - MOST_LINES_ASKED_AGAIN
        connection.execute(delete(requests).where(requests.c.campaign == batch.campaign, old))
    if batch.pictures:
        add_pictures(connection, batch.campaign, batch.pictures)
    if batch.voided:
        void_links(connection, batch.campaign, batch.voided, at)
    if batch.links:
        connection.execute(insert(links), [link._asdict() for link in batch.links])


def _tell_others(connection: Connection, ends: Sequence[tuple[str, int]], sender: str) -> None:
    """Notify other processes on the same PostgreSQL of new last lines; delivered at commit."""
    if connection.dialect.name == "postgresql":
        run_all(connection, [(_NOTIFY, _news_of(ends, sender))])


def _news_of(ends: Sequence[tuple[str, int]], sender: str) -> list[dict[str, str]]:
    return [{"channel": CHANNEL, "payload": f"{sender}:{campaign}:{last}"} for campaign, last in ends]


def remove(connection: Connection, campaign: str, sender: str) -> None:
    """Delete a campaign for good; its own row goes first, which blocks concurrent appends."""
    connection.execute(delete(campaigns).where(campaigns.c.id == campaign))
    for table in (links, requests, pictures, feed, snapshots, lines):
        connection.execute(delete(table).where(table.c.campaign == campaign))
    _tell_others(connection, [(campaign, 0)], sender)


def remove_last_lines(connection: Connection, campaign: str, most: int) -> bool:
    """Delete up to ``most`` last lines of an unfinished import; return False if there were none."""
    last = connection.execute(select(func.max(lines.c.seq)).where(lines.c.campaign == campaign)).scalar()
    if last is None:
        return False
    for table in (feed, snapshots, lines):
        connection.execute(delete(table).where(table.c.campaign == campaign, table.c.seq > last - most))
    return True


def abandoned(connection: Connection, before: str) -> list[str]:
    """Unfinished imports with no new line since a moment."""
    wanted = select(campaigns.c.id).where(campaigns.c.closed == IMPORTING, campaigns.c.played < before)
    return list(connection.execute(wanted).scalars())


def hold(connection: Connection, campaign: str) -> bool:
    """Lock a campaign against other writers until the transaction ends; return False if it does not exist.

    SQLite locks the whole file anyway.
    """
    there = select(campaigns.c.last).where(campaigns.c.id == campaign)
    if connection.dialect.name == "postgresql":
        there = there.with_for_update()
    return connection.execute(there).first() is not None


def _chained(before: str, batch: PendingWrite) -> list[StoredLine]:
    """The lines of a batch as stored rows, each with its hash."""
    found: list[StoredLine] = []
    for line, told in batch.lines:
        data, bodies = short_json(to_plain(line.event)), f"[{','.join(told.bodies)}]"
        stored = StoredLine(line.seq, line.parent, line.at, line.by, line.event.kind, data, bodies)
        before = hash_of_line(before, stored, told.places)
        found.append(stored._replace(hash=before))
    return found


# ---------------------------------------------------------------------- reading


def infos(connection: Connection) -> list[CampaignSummary]:
    """All campaigns, the last played first, then by title; without unfinished imports."""
    order = (campaigns.c.played.desc(), campaigns.c.title, campaigns.c.id)
    found = [CampaignSummary(*row) for row in connection.execute(select(*_ABOUT).order_by(*order))]
    return [one for one in found if one.closed != IMPORTING]


def info(connection: Connection, campaign: str) -> CampaignSummary | None:
    """One campaign; None if it does not exist or its import is not finished."""
    found = connection.execute(select(*_ABOUT).where(campaigns.c.id == campaign)).first()
    return None if found is None or found.closed == IMPORTING else CampaignSummary(*found)


def last_of(connection: Connection, campaign: str) -> int | None:
    """Last line of a campaign's log, or None if there is no such campaign; raise an error if it is damaged."""
    end = end_of(connection, campaign)
    if end is None or end.closed == IMPORTING:
        return None
    if end.closed is not None:
        raise StoreDamagedError(DAMAGED)
    return end.last


class End(NamedTuple):
    """End of a log as its campaign stores it: the last line, its hash, and the reason of closure."""

    last: int
    hash: str
    closed: str | None


class RequestStanding(NamedTuple):
    """Data of one moment for a request of a seat.

    The end of the log, the reason of closure, the seat that the cookie opens, and the stored response under its key.
    """

    last: int
    closed: str | None
    seat: str | None
    digest: str | None
    answer: str | None


def standing(engine: Engine, campaign: str, cookie: str, seat: str, key: str) -> RequestStanding | None:
    """Standing of a request, by the hash of its cookie; None if there is no such campaign."""
    asked = {"campaign": campaign, "hash": cookie, "seat": seat, "key": key}
    found = _read(_STANDING, engine, asked)
    return RequestStanding(*found[0]) if found else None


class Seated(NamedTuple):
    """End of a log, its reason of closure, and the seats that cookies open, by the hash of the cookie."""

    last: int
    closed: str | None
    seats: dict[str, str]


def seated(engine: Engine, campaign: str, cookies: Sequence[str]) -> Seated | None:
    """End of a log and the seats of some cookies, of one moment; None if there is no such campaign."""
    asked = {"campaign": campaign} | {f"hash_{place}": hash_ for place, hash_ in enumerate(cookies)}
    found = _read(_seated_by(len(cookies)), engine, asked)
    seats = {hash_: seat for _, _, hash_, seat in found if seat is not None}
    return Seated(found[0][0], found[0][1], seats) if found else None


@cache
def _seated_by(count: int) -> Prepared:
    """Query of the end of a log and of a number of cookies."""
    hashes: list[Any] = [bindparam(f"hash_{place}") for place in range(count)]
    opened = campaigns.outerjoin(links, _is_open & links.c.hash.in_(hashes))
    wanted = select(campaigns.c.last, campaigns.c.closed, links.c.hash, links.c.seat).select_from(opened)
    return Prepared(wanted.where(campaigns.c.id == bindparam("campaign")))


def _read(query: Prepared, engine: Engine, values: dict[str, Any]) -> Sequence[Any]:
    try:
        return query.read(engine, values)
    except DBAPIError as error:
        raise _refusal(error) from error


def end_of(connection: Connection, campaign: str) -> End | None:
    """End of a campaign's log; None if there is no such campaign."""
    found = connection.execute(_END, {"campaign": campaign}).first()
    return None if found is None else End(*found)


def close(connection: Connection, campaign: str, why: str | None) -> None:
    """Close a campaign for a reason; None opens it again."""
    connection.execute(update(campaigns).where(campaigns.c.id == campaign).values(closed=why))


class LineRow(NamedTuple):
    """A line of the log, with its bodies if they were requested."""

    line: LogLine
    bodies: tuple[dict[str, Any], ...]


def rows_between(connection: Connection, campaign: str, low: int, high: int, *, told: bool = False) -> list[LineRow]:
    """Lines from ``low`` to ``high``, both included, in order; ``told`` adds their bodies."""
    c = lines.c
    wanted = (
        select(c.seq, c.parent, c.at, c.by, c.kind, c.data, *([c.bodies] if told else []))
        .where(c.campaign == campaign, c.seq.between(low, high))
        .order_by(c.seq)
    )
    found: list[LineRow] = []
    for row in connection.execute(wanted):
        event = from_plain(row.kind, json.loads(row.data))
        line = LogLine(row.seq, row.parent, row.at, row.by, event)
        found.append(LineRow(line, tuple(json.loads(row.bodies)) if told else ()))
    return found


def stored_between(connection: Connection, campaign: str, low: int, high: int) -> list[tuple[StoredLine, Places]]:
    """Lines from ``low`` to ``high``, both included, as stored, each with the bodies that each viewer sees."""
    wanted = select(*[lines.c[name] for name in StoredLine._fields])
    found = connection.execute(
        wanted.where(lines.c.campaign == campaign, lines.c.seq.between(low, high)).order_by(lines.c.seq)
    )
    places = places_between(connection, campaign, low, high)
    return [(StoredLine(*row), places.get(row.seq, {})) for row in found]


def count_lines(connection: Connection, campaign: str, until: int) -> int:
    """Number of stored lines of a campaign up to a line."""
    wanted = select(func.count()).select_from(lines).where(lines.c.campaign == campaign, lines.c.seq <= until)
    return connection.execute(wanted).scalar_one()


def steps_between(connection: Connection, campaign: str, low: int, high: int) -> dict[int, tuple[int | None, str]]:
    """Parent and kind of every line from ``low`` to ``high``, both included."""
    wanted = select(lines.c.seq, lines.c.parent, lines.c.kind).where(
        lines.c.campaign == campaign, lines.c.seq.between(low, high)
    )
    return {seq: (parent, kind) for seq, parent, kind in connection.execute(wanted)}


def rows_of(connection: Connection, campaign: str, seqs: Sequence[int]) -> list[LineRow]:
    """Lines by their numbers, in order, without bodies."""
    found: list[LineRow] = []
    for start in range(0, len(seqs), 500):
        some = list(seqs[start : start + 500])
        wanted = (
            select(lines)
            .where(lines.c.campaign == campaign, lines.c.seq.in_(bindparam("some", some, expanding=True)))
            .order_by(lines.c.seq)
        )
        for row in connection.execute(wanted):
            event = from_plain(row.kind, json.loads(row.data))
            found.append(LineRow(LogLine(row.seq, row.parent, row.at, row.by, event), ()))
    return sorted(found, key=lambda row: row.line.seq)


def items_after(
    connection: Connection, campaign: str, viewer: str, after: int, *, until: int, most: int
) -> list[FeedItem]:
    """Feed items of a viewer after one number and up to another, at most ``most``."""
    asked = {"campaign": campaign, "viewer": viewer, "after": after, "until": until, "most": most}
    found: list[FeedItem] = []
    parsed: tuple[int, list[Any]] = (0, [])
    for number, seq, place, at, bodies in connection.execute(_ITEMS, asked):
        if parsed[0] != seq:
            parsed = (seq, json.loads(bodies))
        found.append(FeedItem(number, seq, at, parsed[1][place]))
    return found


def numbers_of(connection: Connection, campaign: str, low: int, high: int) -> list[tuple[str, int, int]]:
    """Viewer, number and line of every feed item of the lines from ``low`` to ``high``, both included."""
    asked = {"campaign": campaign, "low": low, "high": high}
    return [(viewer, number, seq) for viewer, number, seq in connection.execute(_NUMBERS, asked)]


def places_between(connection: Connection, campaign: str, low: int, high: int) -> dict[int, dict[str, list[int]]]:
    """Body indexes by line and viewer, for the lines from ``low`` to ``high``, both included."""
    c = feed.c
    wanted = (
        select(c.seq, c.viewer, c.place)
        .where(c.campaign == campaign, c.seq.between(low, high))
        .order_by(c.seq, c.viewer, c.number)
    )
    found: dict[int, dict[str, list[int]]] = {}
    for seq, viewer, place in connection.execute(wanted):
        found.setdefault(seq, {}).setdefault(viewer, []).append(place)
    return found


def line_of(connection: Connection, campaign: str, viewer: str, number: int) -> int | None:
    """The line of a viewer's feed item; None if there is no such item."""
    wanted = select(feed.c.seq).where(feed.c.campaign == campaign, feed.c.viewer == viewer, feed.c.number == number)
    found: int | None = connection.execute(wanted).scalar()
    return found


def count(connection: Connection, campaign: str, viewer: str) -> int:
    """Number of a viewer's last feed item; 0 if there is none."""
    wanted = select(func.max(feed.c.number)).where(feed.c.campaign == campaign, feed.c.viewer == viewer)
    return connection.execute(wanted).scalar() or 0


def answered(connection: Connection, campaign: str, seat: str, key: str) -> tuple[str, str] | None:
    """Digest of the request that a seat sent under a key, and the stored response; None for a new key."""
    found = connection.execute(_ANSWERED, {"campaign": campaign, "seat": seat, "key": key}).first()
    return None if found is None else (found.digest, found.answer)


def add_request(connection: Connection, campaign: str, request: StoredResponse, seq: int | None = None) -> None:
    """Store the response to a request under its key; raise ``WriteConflict`` if the key is already taken.

    ``seq`` is the line of the response (default: the last one). Responses to the host are numbered instead, and the
    oldest are deleted first.
    """
    at = last_of(connection, campaign) if seq is None else seq
    if campaign == HOST:
        newest = connection.execute(select(func.max(requests.c.seq)).where(requests.c.campaign == HOST)).scalar() or 0
        at = newest + 1
        old = requests.c.seq <= at - MOST_OF_HOST_ASKED_AGAIN
        connection.execute(delete(requests).where(requests.c.campaign == HOST, old))
    _ADD_REQUEST.run(connection, {"campaign": campaign, **request._asdict(), "seq": at})
