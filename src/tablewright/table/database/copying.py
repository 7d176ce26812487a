"""A copy of a whole database, and a database from such a copy.

A copy is always a database file, whichever kind it was made of: it can be served as it is, and brought into a new
database of either kind. Everything is in it, hashes of links and cookies too, so that everybody comes back to their
seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import URL, Connection, Engine, func, insert, select
from sqlalchemy.exc import DBAPIError

from tablewright.table.database import rows
from tablewright.table.database.opening import copy_file, engine_of, migrate, new_file, newest_form, revision_of_file
from tablewright.table.database.schema import campaigns, lines, metadata
from tablewright.table.refusals import StoreRefused

AT_ONCE = 500
"""So many rows are carried over at a time."""


def copy_to_file(engine: Engine, copy: Path) -> None:
    """A whole copy of a database that may be in use, as of one moment; a file that is there is not replaced."""
    if engine.url.get_backend_name() == "sqlite":
        copy_file(Path(str(engine.url.database)), copy)
        return
    with new_file(copy) as half:
        target = engine_of(URL.create("sqlite+pysqlite", database=str(half)))
        try:
            migrate(target)
            with _one_moment(engine) as source, target.connect().execution_options(writing=True) as into, into.begin():
                carry_over(source, into)
        finally:
            target.dispose()


@contextmanager
def _one_moment(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees everything as it was when it began, however long it takes."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield connection


def carry_over(source: Connection, into: Connection) -> None:
    """Every row of every table."""
    for table in metadata.sorted_tables:
        found = source.execution_options(yield_per=AT_ONCE).execute(select(table))
        for some in found.mappings().partitions(AT_ONCE):
            into.execute(insert(table), [dict(row) for row in some])


def restore(engine: Engine, path: Path) -> list[rows.Info]:
    """Bring everything of a copy into a database without campaigns; all of it, or nothing. Gives its campaigns."""
    with _opened(path) as copy:
        try:
            with rows.writing(engine) as into, _one_moment(copy) as source:
                there = rows.infos(into)
                if there:
                    raise StoreRefused(f"there are {len(there)} campaigns in it already; name a new database")
                found = rows.infos(source)
                _check_whole(source, found, path)
                carry_over(source, into)
        except rows.Raced:
            raise StoreRefused("something of the copy is there already; name a new database") from None
        except DBAPIError as error:  # what reads the copy; what writes is told apart by now
            raise StoreRefused(f"{path} cannot be read: {error.orig}") from None
    return found


def _check_whole(source: Connection, found: list[rows.Info], path: Path) -> None:
    counted = select(lines.c.campaign, func.count()).group_by(lines.c.campaign)
    there = {campaign: number for campaign, number in source.execute(counted)}  # noqa: C416 - rows are no pairs
    for one in found:
        if there.get(one.id, 0) != one.last:
            raise StoreRefused(f'{path} is not whole: "{one.title}" has {there.get(one.id, 0)} of {one.last} lines')
    known = select(func.count()).select_from(lines).where(lines.c.campaign.not_in(select(campaigns.c.id)))
    if source.execute(known).scalar():
        raise StoreRefused(f"{path} is not whole: there are lines of no campaign")


@contextmanager
def _opened(path: Path) -> Iterator[Engine]:
    """A copy that was made by this program, read only; an older one is brought to the form of today beside it."""
    if not path.is_file():
        raise StoreRefused(f"there is no file {path}")
    form, _ = revision_of_file(path.resolve())
    if form is None:
        raise StoreRefused(f"{path} is no copy of a database of this program")
    with TemporaryDirectory(prefix="tablewright-") as folder:
        chosen = path.resolve()
        if form != newest_form():
            chosen = Path(folder) / "older.db"
            copy_file(path.resolve(), chosen)
        engine = engine_of(URL.create("sqlite+pysqlite", database=str(chosen)))
        try:
            migrate(engine)
            yield engine
        finally:
            engine.dispose()
