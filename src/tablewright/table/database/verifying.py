"""Checks that a database holds what was written: cheap ones when it is opened, and all of them on demand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import DBAPIError

from tablewright.table.database import rows
from tablewright.table.database.chain import FIRST, hash_of_line, hash_of_snapshot
from tablewright.table.database.rows import Info
from tablewright.table.database.schema import campaigns, lines, snapshots
from tablewright.table.refusals import StoreDamaged, StoreRefused

AT_ONCE = 500
"""Lines that are checked in one transaction."""

MOST_BYTES_CHECKED = 200_000_000
"""A larger database file is not read as a whole when it is opened."""

MOST_PROBLEMS = 20

Progress = Callable[[int, int], None]
"""Called with how many lines are checked, and how many there are."""


class Damage(NamedTuple):
    """The damage of a campaign: the first line that is not as it was written, and when that line was written."""

    line: int
    since: str | None
    what: str


class Checked(NamedTuple):
    """A campaign that was checked; ``damage`` is None for one that is whole."""

    info: Info
    damage: Damage | None


class Report(NamedTuple):
    """Everything that was checked; ``problems`` are those of the database itself, outside any log."""

    campaigns: tuple[Checked, ...]
    problems: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and all(one.damage is None for one in self.campaigns)


# ---------------------------------------------------------------------- when it is opened


def quick_problems(path: Path) -> list[str]:
    """The problems that SQLite finds in the structure of a database file, without reading what is in it."""
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
    """Refuse a log that lacks lines, or whose first line or lines after another are not as they were written."""
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
        raise StoreDamaged(rows.DAMAGED)


# ---------------------------------------------------------------------- all of it


def verify(engine: Engine, progress: Progress | None = None) -> Report:
    """Check every line of every campaign; a campaign that is damaged is closed, and one that is whole is opened."""
    problems = _of_database(engine)
    with rows.reading(engine) as connection:
        found = rows.infos(connection)
    total, done = sum(one.last for one in found), 0
    checked: list[Checked] = []
    for info in found:
        damage: Damage | None = None
        for damage, count in steps(engine, info.id):  # noqa: B007 - the last one counts
            done += count
            if progress is not None:
                progress(min(done, total), total)
        checked.append(Checked(info, damage))
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
    return problems[:MOST_PROBLEMS]


@contextmanager
def _told(problems: list[str]) -> Iterator[None]:
    """Note what cannot be read, and go on."""
    try:
        yield
    except (DBAPIError, StoreRefused) as error:
        problems.append(_reason(error))


def _reason(error: Exception) -> str:
    cause = error if isinstance(error, DBAPIError) else error.__cause__
    words = str(cause.orig if isinstance(cause, DBAPIError) else error).strip().splitlines()
    return words[0] if words else type(error).__name__


def _mark(engine: Engine, checked: list[Checked]) -> list[str]:
    """Close campaigns that are damaged, and open those again that are whole."""
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


def damage_of(engine: Engine, campaign: str) -> Damage | None:
    """The first thing that is wrong with the log of a campaign."""
    damage: Damage | None = None
    for damage, _ in steps(engine, campaign):  # noqa: B007 - the last one counts
        pass
    return damage


def steps(engine: Engine, campaign: str) -> Iterator[tuple[Damage | None, int]]:
    """Check a log some lines at a time; gives what is wrong so far, and how many lines were looked at.

    Nothing is looked at after the first thing that is wrong.
    """
    hash_, seq, at = FIRST, 0, None
    numbers: dict[str, int] = {}
    while True:
        try:
            with rows.reading(engine) as connection:
                end = rows.end_of(connection, campaign)
                if end is None:
                    return
                high = min(seq + AT_ONCE, end.last)  # lines after the last one may be written just now
                found = rows.stored_between(connection, campaign, seq + 1, high)
                told = rows.numbers_of(connection, campaign, seq + 1, high)
        except (DBAPIError, StoreRefused) as error:
            yield _unreadable(engine, campaign, seq, at, _reason(error)), 0
            return
        start = seq
        for one in found:
            line = one[0]
            if line.seq != seq + 1:
                yield Damage(seq + 1, at, "the line is missing"), 0
                return
            seq, at = line.seq, line.at
            if line.hash != hash_of_line(hash_, *one):
                yield Damage(seq, at, "the line is not as it was written"), 0
                return
            hash_ = line.hash
        for viewer, number, line_ in told:
            if numbers.setdefault(viewer, number - 1) != number - 1:
                yield Damage(line_, at, "what is told of the line is not counted one by one"), 0
                return
            numbers[viewer] = number
        if seq != high:
            yield Damage(seq + 1, at, "the line is missing"), 0
            return
        if seq == end.last:
            wrong = Damage(seq, at, "the line is not the last that was written") if end.hash != hash_ else None
            yield wrong, seq - start
            return
        yield None, seq - start


def _unreadable(engine: Engine, campaign: str, seq: int, at: str | None, why: str) -> Damage:
    """The first line after another that cannot be read."""
    for number in range(seq + 1, seq + AT_ONCE + 1):
        try:
            with rows.reading(engine) as connection:
                found = rows.stored_between(connection, campaign, number, number)
        except (DBAPIError, StoreRefused):
            return Damage(number, at, f"the line cannot be read: {why}")
        at = found[0][0].at if found else at
    return Damage(seq + 1, at, f"the lines cannot be read: {why}")
