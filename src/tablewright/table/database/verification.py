"""Integrity checks of a database: cheap ones on opening, and a full check on demand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import DBAPIError

from tablewright.table.database import queries as rows
from tablewright.table.database.hash_chain import FIRST, hash_of_line, hash_of_snapshot
from tablewright.table.database.picture_queries import all_ids, picture_of
from tablewright.table.database.queries import CampaignSummary
from tablewright.table.database.schema import campaigns, lines, snapshots
from tablewright.table.errors import StoreDamagedError, StoreError
from tablewright.table.pictures import picture_id

AT_ONCE = 500
"""Lines per transaction of a check."""

MOST_BYTES_CHECKED = 200_000_000
"""Upper bound for the size in bytes of a database file that is checked on opening."""

MOST_PROBLEMS = 20

Progress = Callable[[int, int], None]
"""Callback with the number of lines checked so far and the total."""


class LogDamage(NamedTuple):
    """Damage of a campaign: its first wrong line, the last time read from the log, and the problem."""

    line: int
    since: str | None
    what: str


class CampaignCheck(NamedTuple):
    """Result of checking a campaign; ``damage`` is None if it is intact."""

    info: CampaignSummary
    damage: LogDamage | None


class Report(NamedTuple):
    """Result of a full check; ``problems`` are those of the database itself, outside any log."""

    campaigns: tuple[CampaignCheck, ...]
    problems: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """True if the check found no problem."""
        return not self.problems and all(campaign.damage is None for campaign in self.campaigns)


# ---------------------------------------------------------------------- on opening


def quick_problems(path: Path) -> list[str]:
    """Structural problems that SQLite's quick check finds in a database file; none for a large or busy file."""
    if path.stat().st_size > MOST_BYTES_CHECKED:
        return []
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            return _pragma([str(row[0]) for row in connection.execute(f"PRAGMA quick_check({MOST_PROBLEMS})")])
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        return [] if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY else [str(error)]


def _pragma(said: list[str]) -> list[str]:
    return [] if said == ["ok"] else [line for one in said for line in one.splitlines() if line]


def check_ends(connection: Connection, campaign: str, after: int) -> None:
    """Refuse a log with missing lines, a wrong first line, or wrong lines after line ``after``."""
    end = rows.end_of(connection, campaign)
    if end is None:
        return
    first = rows.stored_between(connection, campaign, 1, 1)
    before = rows.stored_between(connection, campaign, after, after)
    tail = rows.stored_between(connection, campaign, after + 1, end.last)
    is_whole = (
        rows.count_lines(connection, campaign, end.last) == end.last
        and [line.seq for line, _ in tail] == list(range(after + 1, end.last + 1))
        and len(before) == (after > 0)
        and all(line.hash == hash_of_line(FIRST, line, places) for line, places in first)
    )
    hash_ = before[0][0].hash if before else FIRST
    for line, places in tail:
        is_whole, hash_ = is_whole and line.hash == hash_of_line(hash_, line, places), line.hash
    if not is_whole or hash_ != end.hash:
        raise StoreDamagedError(rows.DAMAGED)


# ---------------------------------------------------------------------- full check


def verify(engine: Engine, progress: Progress | None = None) -> Report:
    """Check every line of every campaign; close damaged campaigns and reopen intact ones."""
    problems = _of_database(engine)
    with rows.reading(engine) as connection:
        found = rows.infos(connection)
    total, done = sum(one.last for one in found), 0
    checked: list[CampaignCheck] = []
    for info in found:
        damage: LogDamage | None = None
        for damage, count in steps(engine, info.id):  # noqa: B007 - the last value counts
            done += count
            if progress is not None:
                progress(min(done, total), total)
        checked.append(CampaignCheck(info, damage))
    problems += _mark(engine, checked)
    return Report(tuple(checked), tuple(problems))


def _of_database(engine: Engine) -> list[str]:
    problems: list[str] = []
    if engine.dialect.name == "sqlite":
        with _told(problems), engine.connect() as connection:
            said = connection.execute(text(f"PRAGMA integrity_check({MOST_PROBLEMS})"))
            problems += _pragma([str(row[0]) for row in said])
    known = select(campaigns.c.id)
    with _told(problems), rows.reading(engine) as connection:
        lost = connection.execute(
            select(func.count()).select_from(lines).where(lines.c.campaign.not_in(known))
        ).scalar_one()
        if lost:
            problems.append(f"there are {lost} lines of no campaign")
    with _told(problems), rows.reading(engine) as connection:
        c = snapshots.c
        for campaign, seq in connection.execute(select(c.campaign, c.seq)).all():
            row = connection.execute(select(c.head, c.data, c.hash).where(c.campaign == campaign, c.seq == seq)).one()
            if row.hash != hash_of_snapshot(seq, row.head, row.data):
                problems.append(f"the snapshot of {campaign} at line {seq} is damaged; it is not used")
    with _told(problems), rows.reading(engine) as connection:
        for campaign, id_ in all_ids(connection):
            data = picture_of(connection, campaign, id_)
            if data is None or picture_id(data) != id_:
                problems.append(f"a picture of {campaign} is damaged; it is not shown")
    return problems[:MOST_PROBLEMS]


@contextmanager
def _told(problems: list[str]) -> Iterator[None]:
    """Context manager that records a read error as a problem and continues."""
    try:
        yield
    except (DBAPIError, StoreError) as error:
        problems.append(_reason(error))


def _reason(error: Exception) -> str:
    cause = error if isinstance(error, DBAPIError) else error.__cause__
    words = str(cause.orig if isinstance(cause, DBAPIError) else error).strip().splitlines()
    return words[0] if words else type(error).__name__


def _mark(engine: Engine, checked: list[CampaignCheck]) -> list[str]:
    """Close damaged campaigns and reopen intact ones; return the problems of doing so."""
    changed = [
        (one.info.id, None if one.damage is None else f"line {one.damage.line}: {one.damage.what}")
        for one in checked
        if (one.damage is None) is not (one.info.closed is None)
    ]
    problems: list[str] = []
    for campaign, why in changed:
        with _told(problems), rows.writing(engine) as connection:
            rows.close(connection, campaign, why)
    return problems


def damage_of(engine: Engine, campaign: str) -> LogDamage | None:
    """First damage in the log of a campaign, or None."""
    damage: LogDamage | None = None
    for damage, _ in steps(engine, campaign):  # noqa: B007 - the last value counts
        pass
    return damage


def steps(engine: Engine, campaign: str) -> Iterator[tuple[LogDamage | None, int]]:
    """Check a log in chunks; yield the damage so far and the number of lines in the chunk.

    The check stops at the first damage.
    """
    hash_, seq, at = FIRST, 0, None
    numbers: dict[str, int] = {}
    while True:
        try:
            with rows.reading(engine) as connection:
                end = rows.end_of(connection, campaign)
                if end is None:
                    return
                high = min(seq + AT_ONCE, end.last)  # lines after the last one may be in the middle of being written
                found = rows.stored_between(connection, campaign, seq + 1, high)
                told = rows.numbers_of(connection, campaign, seq + 1, high)
        except (DBAPIError, StoreError) as error:
            yield _unreadable(engine, campaign, seq, at, _reason(error)), 0
            return
        start = seq
        for one in found:
            line = one[0]
            if line.seq != seq + 1:
                yield LogDamage(seq + 1, at, "the line is missing"), 0
                return
            seq, at = line.seq, line.at
            if line.hash != hash_of_line(hash_, *one):
                yield LogDamage(seq, at, "the line is not as it was written"), 0
                return
            hash_ = line.hash
        for viewer, number, line_ in told:
            if numbers.setdefault(viewer, number - 1) != number - 1:
                yield LogDamage(line_, at, "what is told of the line is not counted one by one"), 0
                return
            numbers[viewer] = number
        if seq != high:
            yield LogDamage(seq + 1, at, "the line is missing"), 0
            return
        if seq == end.last:
            wrong = LogDamage(seq, at, "the line is not the last that was written") if end.hash != hash_ else None
            yield wrong, seq - start
            return
        yield None, seq - start


def _unreadable(engine: Engine, campaign: str, seq: int, at: str | None, why: str) -> LogDamage:
    """The first unreadable line after line ``seq``."""
    for number in range(seq + 1, seq + AT_ONCE + 1):
        try:
            with rows.reading(engine) as connection:
                found = rows.stored_between(connection, campaign, number, number)
        except (DBAPIError, StoreError):
            return LogDamage(number, at, f"the line cannot be read: {why}")
        at = found[0][0].at if found else at
    return LogDamage(seq + 1, at, f"the lines cannot be read: {why}")
