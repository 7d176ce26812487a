"""Reading and writing the tables: plain functions of rows, with no knowledge of games."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Select, bindparam, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from tablewright.table.campaign import Line
from tablewright.table.database.chain import Places, StoredLine, hash_of_line, hash_of_snapshot, short_json
from tablewright.table.database.schema import campaigns, feed, lines, links, requests, snapshots
from tablewright.table.events import from_plain, to_plain
from tablewright.table.feeding import Told
from tablewright.table.refusals import StoreDamaged, StoreFull, StoreRefused

CHANNEL = "tablewright"
MOST_LINES_ASKED_AGAIN = 10_000
"""For how many lines an answer is kept that somebody might ask for again."""

HOST = ""
"""Stands in place of a campaign for what belongs to none: links, cookies and keys of whoever started the server."""

MOST_OF_HOST_ASKED_AGAIN = 1_000
"""How many answers to the host are kept."""

IMPORTING = "importing"
"""The reason why a campaign is closed that is still being imported: nobody sees it."""
MOST_HASHES = 50
"""How many cookies are looked up at once."""

_FULL = 13  # SQLITE_FULL
_DAMAGED = (11, 26)  # SQLITE_CORRUPT, SQLITE_NOTADB


# what is asked all the time is put together once
_ABOUT = tuple([campaigns.c[name] for name in ("id", "title", "system", "made", "played", "last", "closed")])
_END = select(campaigns.c.last, campaigns.c.hash, campaigns.c.closed).where(campaigns.c.id == bindparam("campaign"))
_MOVED = update(campaigns).where(campaigns.c.id == bindparam("campaign"), campaigns.c.last == bindparam("expected"))
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
_LINK = select(links).where(links.c.hash == bindparam("hash"), links.c.void.is_(None))
_ADD_LINES, _ADD_FEED, _ADD_REQUEST = insert(lines), insert(feed), insert(requests)
DAMAGED = (
    "this campaign is damaged and closed; the host can check it with `tablewright verify` and bring it back with "
    "`tablewright restore`"
)
_guard = threading.Lock()
_turns: WeakKeyDictionary[Engine, AbstractContextManager[Any]] = WeakKeyDictionary()
_held = threading.local()
"""The transaction that reads in this thread, where several things are read of one moment."""


class Raced(Exception):
    """Somebody else appended first; nothing was written."""


class Info(NamedTuple):
    """A campaign in the list of all: when it was made and last played, and how many lines its log has.

    ``closed`` is what is wrong with one that is damaged.
    """

    id: str
    title: str
    system: str
    made: str
    played: str
    last: int
    closed: str | None = None


class Item(NamedTuple):
    """One thing that a viewer has to see: its number, the line it belongs to, when, and what is told."""

    number: int
    seq: int
    at: str
    body: dict[str, Any]


class LinkRow(NamedTuple):
    """What is known of a token."""

    hash: str
    campaign: str
    seat: str | None
    role: str
    form: str
    made: str
    void: str | None


class Request(NamedTuple):
    """What a seat was answered under a key."""

    seat: str
    key: str
    digest: str
    answer: str


@dataclass
class Batch:
    """What is written in one step or not at all. ``feeds`` are rows of viewer, number, line and place.

    ``title`` is what the campaign is called from now on, where that changes.
    """

    campaign: str
    expected: int
    lines: list[tuple[Line, Told]] = field(default_factory=list)
    feeds: list[tuple[str, int, int, int]] = field(default_factory=list)
    snapshot: tuple[int, int, bytes] | None = None
    request: Request | None = None
    links: list[LinkRow] = field(default_factory=list)
    voided: list[str] = field(default_factory=list)
    title: str | None = None

    @property
    def last(self) -> int:
        """The last line once it is written."""
        return self.lines[-1][0].seq if self.lines else self.expected

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.lines or self.request is not None or self.links or self.voided)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes; it is on the disk when this is left, or nothing of it is.

    A database file has one writer at a time. Those of this process wait for each other here: the file's own lock is
    asked for again and again, with longer and longer pauses.
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
    """A transaction that only reads; within ``one_moment`` it is that one."""
    held: tuple[Engine, Connection] | None = getattr(_held, "transaction", None)
    if held is not None and held[0] is engine:
        yield held[1]
        return
    try:
        with engine.connect() as connection, connection.begin():
            yield connection
    except DBAPIError as error:
        raise _refusal(error) from error


@contextmanager
def one_moment(engine: Engine) -> Iterator[None]:
    """Whatever is read within this, in this thread, is read in one transaction."""
    with reading(engine) as connection:
        before, _held.transaction = getattr(_held, "transaction", None), (engine, connection)
        try:
            yield
        finally:
            _held.transaction = before


def is_damage(error: DBAPIError) -> bool:
    """Whether a database says that what it holds is damaged."""
    original = error.orig
    code = getattr(original, "sqlite_errorcode", None) or 0
    return code & 0xFF in _DAMAGED or getattr(original, "sqlstate", None) in ("XX001", "XX002")


def _refusal(error: DBAPIError) -> Exception:
    original = error.orig
    if getattr(original, "sqlite_errorcode", None) == _FULL or getattr(original, "sqlstate", None) == "53100":
        return StoreFull("the disk is full: nothing was changed; make room and try again")
    if isinstance(error, IntegrityError):
        return Raced()
    first = str(original).strip().splitlines()[:1]
    if is_damage(error):
        return StoreDamaged(f"the database is damaged ({''.join(first)}); `tablewright verify` says where")
    return StoreRefused(f"the database cannot be used: {''.join(first)}")


# ---------------------------------------------------------------------- writing


def add_campaign(connection: Connection, info: Info) -> None:
    """Make room for a new campaign."""
    connection.execute(insert(campaigns).values(**info._asdict()))


def append(connection: Connection, batch: Batch, at: str, sender: str) -> None:
    """Write a batch after the line that its maker saw as the last; refused where there are more by now."""
    end = connection.execute(_END, {"campaign": batch.campaign}).first()
    if end is None or end.last != batch.expected:
        raise Raced
    new = _chained(end.hash, batch)
    changes: dict[str, Any] = {"last": batch.last, "played": at, "hash": new[-1].hash if new else end.hash}
    if batch.title is not None:
        changes["title"] = batch.title
    moved = connection.execute(_MOVED, {"campaign": batch.campaign, "expected": batch.expected, **changes})
    if moved.rowcount != 1:
        raise Raced
    if new:
        connection.execute(_ADD_LINES, [{"campaign": batch.campaign, **line._asdict()} for line in new])
    if batch.feeds:
        names = ("viewer", "number", "seq", "place")
        rows = [{"campaign": batch.campaign, **dict(zip(names, row, strict=True))} for row in batch.feeds]
        connection.execute(_ADD_FEED, rows)
    if batch.snapshot is not None:
        add_snapshot(connection, batch.campaign, *batch.snapshot)
        old = requests.c.seq < batch.last - MOST_LINES_ASKED_AGAIN
        connection.execute(delete(requests).where(requests.c.campaign == batch.campaign, old))
    if batch.request is not None:
        add_request(connection, batch.campaign, batch.request, batch.last)
    if batch.voided:
        void_links(connection, batch.campaign, batch.voided, at)
    if batch.links:
        connection.execute(insert(links), [link._asdict() for link in batch.links])
    _tell_others(connection, batch.campaign, batch.last, sender)


def _tell_others(connection: Connection, campaign: str, last: int, sender: str) -> None:
    """Let other processes on the same database server know, once it is written."""
    if connection.dialect.name == "postgresql":
        payload = f"{sender}:{campaign}:{last}"
        connection.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


def remove(connection: Connection, campaign: str, sender: str) -> None:
    """Take everything of a campaign out of the database, for good; its first row goes first, so that nobody appends."""
    connection.execute(delete(campaigns).where(campaigns.c.id == campaign))
    for table in (links, requests, feed, snapshots, lines):
        connection.execute(delete(table).where(table.c.campaign == campaign))
    _tell_others(connection, campaign, 0, sender)


def remove_last_lines(connection: Connection, campaign: str, most: int) -> bool:
    """Take out the last lines of a campaign that nobody has seen yet; whether there were any."""
    last = connection.execute(select(func.max(lines.c.seq)).where(lines.c.campaign == campaign)).scalar()
    if last is None:
        return False
    for table in (feed, snapshots, lines):
        connection.execute(delete(table).where(table.c.campaign == campaign, table.c.seq > last - most))
    return True


def abandoned(connection: Connection, before: str) -> list[str]:
    """Campaigns of which nothing was imported since a moment."""
    wanted = select(campaigns.c.id).where(campaigns.c.closed == IMPORTING, campaigns.c.played < before)
    return list(connection.execute(wanted).scalars())


def hold(connection: Connection, campaign: str) -> bool:
    """Let nobody else write to a campaign until this transaction is over; whether there is such a campaign.

    A database file is held as a whole anyway.
    """
    there = select(campaigns.c.last).where(campaigns.c.id == campaign)
    if connection.dialect.name == "postgresql":
        there = there.with_for_update()
    return connection.execute(there).first() is not None


def _chained(before: str, batch: Batch) -> list[StoredLine]:
    """The lines of a batch as they are stored, each with its hash."""
    found: list[StoredLine] = []
    for line, told in batch.lines:
        data, bodies = short_json(to_plain(line.event)), f"[{','.join(told.bodies)}]"
        stored = StoredLine(line.seq, line.parent, line.at, line.by, line.event.kind, data, bodies)
        before = hash_of_line(before, stored, told.places)
        found.append(stored._replace(hash=before))
    return found


def add_snapshot(connection: Connection, campaign: str, seq: int, head: int, data: bytes) -> None:
    """Keep the campaign as it is after a line; one that is there already stays."""
    there = select(snapshots.c.seq).where(snapshots.c.campaign == campaign, snapshots.c.seq == seq)
    if connection.execute(there).first() is None:
        text_, hash_ = data.decode(), hash_of_snapshot(seq, head, data.decode())
        values = {"campaign": campaign, "seq": seq, "head": head, "data": text_, "hash": hash_}
        connection.execute(insert(snapshots).values(**values))


# ---------------------------------------------------------------------- reading


def infos(connection: Connection) -> list[Info]:
    """All campaigns, the last played first; those of one second by their titles."""
    order = (campaigns.c.played.desc(), campaigns.c.title, campaigns.c.id)
    found = [Info(*row) for row in connection.execute(select(*_ABOUT).order_by(*order))]
    return [one for one in found if one.closed != IMPORTING]


def info(connection: Connection, campaign: str) -> Info | None:
    """One campaign."""
    found = connection.execute(select(*_ABOUT).where(campaigns.c.id == campaign)).first()
    return None if found is None or found.closed == IMPORTING else Info(*found)


def last_of(connection: Connection, campaign: str) -> int | None:
    """The last line of a campaign's log; a campaign that is closed because it is damaged is refused."""
    end = end_of(connection, campaign)
    if end is None or end.closed == IMPORTING:
        return None
    if end.closed is not None:
        raise StoreDamaged(DAMAGED)
    return end.last


class End(NamedTuple):
    """The end of a log as the campaign has it: the last line, its hash, and why the campaign is closed."""

    last: int
    hash: str
    closed: str | None


def end_of(connection: Connection, campaign: str) -> End | None:
    """The end of a campaign's log."""
    found = connection.execute(_END, {"campaign": campaign}).first()
    return None if found is None else End(*found)


def close(connection: Connection, campaign: str, why: str | None) -> None:
    """Close a campaign for a reason, or open it again."""
    connection.execute(update(campaigns).where(campaigns.c.id == campaign).values(closed=why))


def newest_snapshot(connection: Connection, campaign: str, until: int) -> str | None:
    """The newest snapshot up to a line; those that are damaged are passed over."""
    c = snapshots.c
    while True:
        wanted = select(c.seq, c.head, c.data, c.hash).where(c.campaign == campaign, c.seq <= until)
        row = connection.execute(wanted.order_by(c.seq.desc()).limit(1)).first()
        if row is None or row.hash == hash_of_snapshot(row.seq, row.head, row.data):
            return None if row is None else str(row.data)
        until = row.seq - 1


def snapshot_heads(connection: Connection, campaign: str, low: int, high: int) -> dict[int, int]:
    """Which snapshots there are of heads between two lines: the head, and the line of the snapshot."""
    wanted = select(snapshots.c.head, func.max(snapshots.c.seq)).where(
        snapshots.c.campaign == campaign, snapshots.c.head.between(low, high)
    )
    return {row[0]: row[1] for row in connection.execute(wanted.group_by(snapshots.c.head))}


def snapshot_at(connection: Connection, campaign: str, seq: int) -> str | None:
    """The snapshot of a line; None where it is damaged."""
    c = snapshots.c
    wanted = select(c.seq, c.head, c.data, c.hash).where(c.campaign == campaign, c.seq == seq)
    row = connection.execute(wanted).one()
    return str(row.data) if row.hash == hash_of_snapshot(row.seq, row.head, row.data) else None


class Row(NamedTuple):
    """A line as it is stored, with what it tells."""

    line: Line
    bodies: tuple[dict[str, Any], ...]


def rows_between(connection: Connection, campaign: str, low: int, high: int, *, told: bool = False) -> list[Row]:
    """The lines from one to another, both included, in order; with what they tell only where that is asked for."""
    c = lines.c
    wanted = (
        select(c.seq, c.parent, c.at, c.by, c.kind, c.data, *([c.bodies] if told else []))
        .where(c.campaign == campaign, c.seq.between(low, high))
        .order_by(c.seq)
    )
    found: list[Row] = []
    for row in connection.execute(wanted):
        event = from_plain(row.kind, json.loads(row.data))
        line = Line(row.seq, row.parent, row.at, row.by, event)
        found.append(Row(line, tuple(json.loads(row.bodies)) if told else ()))
    return found


def stored_between(connection: Connection, campaign: str, low: int, high: int) -> list[tuple[StoredLine, Places]]:
    """The lines from one to another, both included, as they are stored, and who is told what of them."""
    wanted = select(*[lines.c[name] for name in StoredLine._fields])
    found = connection.execute(
        wanted.where(lines.c.campaign == campaign, lines.c.seq.between(low, high)).order_by(lines.c.seq)
    )
    places = places_between(connection, campaign, low, high)
    return [(StoredLine(*row), places.get(row.seq, {})) for row in found]


def count_lines(connection: Connection, campaign: str, until: int) -> int:
    """How many lines there are of a campaign up to a line."""
    wanted = select(func.count()).select_from(lines).where(lines.c.campaign == campaign, lines.c.seq <= until)
    return connection.execute(wanted).scalar_one()


def steps_between(connection: Connection, campaign: str, low: int, high: int) -> dict[int, tuple[int | None, str]]:
    """The parent and the kind of every line from one to another, both included."""
    wanted = select(lines.c.seq, lines.c.parent, lines.c.kind).where(
        lines.c.campaign == campaign, lines.c.seq.between(low, high)
    )
    return {seq: (parent, kind) for seq, parent, kind in connection.execute(wanted)}


def rows_of(connection: Connection, campaign: str, seqs: Sequence[int]) -> list[Row]:
    """Some lines, in order."""
    found: list[Row] = []
    for start in range(0, len(seqs), 500):
        some = list(seqs[start : start + 500])
        wanted = (
            select(lines)
            .where(lines.c.campaign == campaign, lines.c.seq.in_(bindparam("some", some, expanding=True)))
            .order_by(lines.c.seq)
        )
        for row in connection.execute(wanted):
            event = from_plain(row.kind, json.loads(row.data))
            found.append(Row(Line(row.seq, row.parent, row.at, row.by, event), ()))
    return sorted(found, key=lambda row: row.line.seq)


def items_after(connection: Connection, campaign: str, viewer: str, after: int, *, until: int, most: int) -> list[Item]:
    """What a viewer has to see after a number, up to another."""
    asked = {"campaign": campaign, "viewer": viewer, "after": after, "until": until, "most": most}
    found: list[Item] = []
    parsed: tuple[int, list[Any]] = (0, [])
    for number, seq, place, at, bodies in connection.execute(_ITEMS, asked):
        if parsed[0] != seq:
            parsed = (seq, json.loads(bodies))
        found.append(Item(number, seq, at, parsed[1][place]))
    return found


def numbers_of(connection: Connection, campaign: str, low: int, high: int) -> list[tuple[str, int, int]]:
    """Viewer, number and line of everything that was told between two lines, both included."""
    asked = {"campaign": campaign, "low": low, "high": high}
    return [(viewer, number, seq) for viewer, number, seq in connection.execute(_NUMBERS, asked)]


def places_between(connection: Connection, campaign: str, low: int, high: int) -> dict[int, dict[str, list[int]]]:
    """For every line from one to another, and every viewer, which bodies are told."""
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
    """The line that a viewer's number stands for."""
    wanted = select(feed.c.seq).where(feed.c.campaign == campaign, feed.c.viewer == viewer, feed.c.number == number)
    found: int | None = connection.execute(wanted).scalar()
    return found


def count(connection: Connection, campaign: str, viewer: str) -> int:
    """How much a viewer has to see."""
    wanted = select(func.max(feed.c.number)).where(feed.c.campaign == campaign, feed.c.viewer == viewer)
    return connection.execute(wanted).scalar() or 0


def answered(connection: Connection, campaign: str, seat: str, key: str) -> tuple[str, str] | None:
    """The digest of what a seat asked under a key, and what it was answered."""
    found = connection.execute(_ANSWERED, {"campaign": campaign, "seat": seat, "key": key}).first()
    return None if found is None else (found.digest, found.answer)


def add_request(connection: Connection, campaign: str, request: Request, seq: int | None = None) -> None:
    """Keep what was answered under a key; refused where somebody else was quicker with the same.

    ``seq`` is the line that belongs to it, where there is one. The host's answers are counted instead, and the oldest
    are forgotten first.
    """
    at = last_of(connection, campaign) if seq is None else seq
    if campaign == HOST:
        newest = connection.execute(select(func.max(requests.c.seq)).where(requests.c.campaign == HOST)).scalar() or 0
        at = newest + 1
        old = requests.c.seq <= at - MOST_OF_HOST_ASKED_AGAIN
        connection.execute(delete(requests).where(requests.c.campaign == HOST, old))
    connection.execute(_ADD_REQUEST, {"campaign": campaign, **request._asdict(), "seq": at})


# ---------------------------------------------------------------------- links


def link_of(connection: Connection, hash_: str) -> LinkRow | None:
    """What a token opens, by its hash; nothing if it is void."""
    found = connection.execute(_LINK, {"hash": hash_}).first()
    return None if found is None else LinkRow(*found)


def seats_of(connection: Connection, campaign: str, hashes: Sequence[str]) -> dict[str, str]:
    """The seats of a campaign that cookies open, by the hashes of the cookies; those that are void open none."""
    found: dict[str, str] = {}
    wanted = list(dict.fromkeys(hashes))
    for start in range(0, len(wanted), MOST_HASHES):
        some = wanted[start : start + MOST_HASHES]
        asked = {"campaign": campaign} | {f"hash_{place}": hash_ for place, hash_ in enumerate(some)}
        found |= {hash_: seat for hash_, seat in connection.execute(_opened_by(len(some)), asked) if seat is not None}
    return found


@cache
def _opened_by(count: int) -> Select[Any]:
    """The statement for so many hashes."""
    c = links.c
    hashes: list[Any] = [bindparam(f"hash_{place}") for place in range(count)]
    return select(c.hash, c.seat).where(
        c.hash.in_(hashes), c.campaign == bindparam("campaign"), c.form == "cookie", c.void.is_(None)
    )


def link_ever(connection: Connection, hash_: str) -> LinkRow | None:
    """What a token opens, or has opened before it was void."""
    found = connection.execute(select(links).where(links.c.hash == hash_)).first()
    return None if found is None else LinkRow(*found)


def void_host_links(connection: Connection, at: str, *, before: str, forms: Sequence[str]) -> None:
    """Make void what the host was given before a moment."""
    old = (links.c.campaign == HOST) & links.c.form.in_(forms) & (links.c.made <= before) & links.c.void.is_(None)
    connection.execute(update(links).where(old).values(void=at))


def void_link(connection: Connection, hash_: str, at: str) -> bool:
    """Make one token void; whether it was valid until now."""
    gone = connection.execute(update(links).where(links.c.hash == hash_, links.c.void.is_(None)).values(void=at))
    return gone.rowcount == 1


def add_link(connection: Connection, link: LinkRow) -> None:
    """Keep the hash of a token."""
    connection.execute(insert(links).values(**link._asdict()))


def void_links(connection: Connection, campaign: str, seats: Sequence[str], at: str) -> None:
    """Make every token of some seats void; an empty name stands for invitations to whoever comes."""
    for seat in seats:
        whose = links.c.seat.is_(None) if not seat else links.c.seat == seat
        gone = update(links).where(links.c.campaign == campaign, whose, links.c.void.is_(None))
        connection.execute(gone.values(void=at))
