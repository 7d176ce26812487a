"""A copy of a whole database, and a database from such a copy.

A copy is always a database file, whichever kind it was made of: it can be served as it is, and brought into a new
database of either kind. Everything is in it, hashes of links and cookies too, so that everybody comes back to their
seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

from sqlalchemy import URL, Connection, Engine, Table, func, insert, select
from sqlalchemy.exc import DBAPIError

from tablewright.errors import BadInput, nearest
from tablewright.table.database import rows
from tablewright.table.database.opening import (
    copy_file,
    engine_of,
    migrate,
    new_file,
    newest_form,
    reading_engine_of,
    revision_of_file,
    sync_folder,
)
from tablewright.table.database.schema import campaigns, lines, links, metadata, requests, snapshots
from tablewright.table.database.verifying import damage_of
from tablewright.table.refusals import StoreDamaged, StoreRefused

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


def carry_over(
    source: Connection, into: Connection, campaign: str | None = None, *, leave_out: Collection[Table] = ()
) -> None:
    """Every row of every table, or those of one campaign; of some tables only what can be read."""
    for table in metadata.sorted_tables:
        wanted = select(table)
        if campaign is not None:
            wanted = wanted.where((table.c.id if table is campaigns else table.c.campaign) == campaign)
        try:
            found = source.execution_options(yield_per=AT_ONCE).execute(wanted)
            for some in found.mappings().partitions(AT_ONCE):
                into.execute(insert(table), [dict(row) for row in some])
        except DBAPIError as error:
            if table not in leave_out or not rows.is_damage(error):
                raise


def restore(engine: Engine, path: Path) -> list[rows.Info]:
    """Bring everything of a copy into a database without campaigns; all of it, or nothing. Gives its campaigns."""
    with _opened(path) as copy:
        found = _check_whole(copy, path)
        try:
            with rows.writing(engine) as into, _one_moment(copy) as source:
                there = rows.infos(into)
                if there:
                    raise StoreRefused(
                        f"there are {len(there)} campaigns in it already; name a new database, or one campaign"
                    )
                carry_over(source, into)
        except rows.Raced:
            raise StoreRefused("something of the copy is there already; name a new database") from None
        except DBAPIError as error:  # what reads the copy; what writes is told apart by now
            raise StoreRefused(f"{path} cannot be read: {error.orig}") from None
    return found


def restore_campaign(
    engine: Engine, path: Path, wanted: str, *, at: str, sender: str, alone: bool
) -> tuple[list[rows.Info], Path | None]:
    """Bring one campaign of a copy back in place of what is there of it.

    A database file that is too damaged for that is written again without what is damaged: that comes from the copy, as
    far as it is there. This needs a file that nobody else uses (``alone``). Gives the campaigns that came back, and
    where the damaged file is kept.
    """
    with _opened(path) as copy:
        found = _check_whole(copy, path, wanted)[0]
        try:
            with rows.writing(engine) as into, _one_moment(copy) as source:
                now = _links_of(into, found.id)
                rows.remove(into, found.id, sender)
                carry_over(source, into, found.id)
                rows.close(into, found.id, None)
                _join_links(into, found.id, now, at)
        except rows.Raced:
            raise StoreRefused("another process writes to this campaign; try again") from None
        except StoreDamaged as error:
            if engine.dialect.name != "sqlite" or not alone:
                raise StoreDamaged(
                    f"nothing can be replaced in it ({error.message}); restore the whole copy into a new database"
                ) from None
            return _written_again(engine, copy, at)
        except DBAPIError as error:
            raise StoreRefused(f"{path} cannot be read: {error.orig}") from None
    return [found], None


def _written_again(engine: Engine, copy: Engine, at: str) -> tuple[list[rows.Info], Path]:
    """Put a new file in the place of a damaged one: what is whole of it, and the rest from a copy.

    A damaged campaign that the copy has not stays in the list, closed and without its lines.
    """
    path = Path(str(engine.url.database))
    stamp = at.replace(":", "-")
    fresh, kept = [path.with_name(f"{path.stem}-{stamp}-{what}{path.suffix}") for what in ("restored", "damaged")]
    with rows.reading(engine) as connection:
        there = rows.infos(connection)
    damaged = {one.id for one in there if damage_of(engine, one.id) is not None}
    with rows.reading(copy) as connection:
        back = [one for one in rows.infos(connection) if one.id in damaged and damage_of(copy, one.id) is None]
    with new_file(fresh) as half:
        target = engine_of(URL.create("sqlite+pysqlite", database=str(half)))
        try:
            migrate(target)
            with (
                engine.connect() as whole,
                whole.begin(),
                _one_moment(copy) as source,
                target.connect().execution_options(writing=True) as into,
                into.begin(),
            ):
                for name in (rows.HOST, *[one.id for one in there if one.id not in damaged]):
                    carry_over(whole, into, name, leave_out=(links, requests, snapshots))
                for one in back:
                    carry_over(source, into, one.id)
                    rows.close(into, one.id, None)
                for one in there:
                    if one.id in damaged - {restored.id for restored in back}:
                        rows.add_campaign(into, one._replace(closed="line 1: what was left is in the damaged file"))
        finally:
            target.dispose()
    engine.dispose()
    copy2(path, kept)
    for end in ("-wal", "-shm"):  # else they would be taken for those of the new file
        beside = path.with_name(f"{path.name}{end}")
        if beside.exists():
            beside.rename(kept.with_name(f"{kept.name}{end}"))
    fresh.replace(path)
    sync_folder(path.parent)
    return back, kept


def _links_of(connection: Connection, campaign: str) -> dict[str, rows.LinkRow]:
    found = connection.execute(select(links).where(links.c.campaign == campaign))
    return {row.hash: rows.LinkRow(*row) for row in found}


def _join_links(into: Connection, campaign: str, now: dict[str, rows.LinkRow], at: str) -> None:
    """Keep void what was made void since the copy, and links that were given since to seats that the copy knows."""
    then = _links_of(into, campaign)
    seats = {one.seat for one in then.values()} | {None}
    for hash_, link in now.items():
        if hash_ in then and link.void is not None:
            rows.void_link(into, hash_, at)
        elif hash_ not in then and link.seat in seats:
            rows.add_link(into, link)


def _check_whole(copy: Engine, path: Path, wanted: str | None = None) -> list[rows.Info]:
    """The campaigns of a copy, or the one that is wanted, if nothing is wrong with them."""
    with rows.reading(copy) as source:
        found = rows.infos(source)
        known = select(func.count()).select_from(lines).where(lines.c.campaign.not_in(select(campaigns.c.id)))
        if source.execute(known).scalar():
            raise StoreRefused(f"{path} is not whole: there are lines of no campaign")
    if wanted is not None:
        titles = [one.title for one in found]
        found = [one for one in found if wanted in (one.id, one.title)]
        if len(found) != 1:
            many = "several campaigns are" if found else "no campaign is"
            raise BadInput(f'{many} called "{wanted:.60}" in {path}; name its id or title{nearest(wanted, titles)}')
    for one in found:
        damage = damage_of(copy, one.id)
        if damage is not None:
            raise StoreRefused(f'{path} is not whole: "{one.title}", line {damage.line}: {damage.what}')
    return found


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
            older = engine_of(URL.create("sqlite+pysqlite", database=str(chosen)))
            try:
                migrate(older)
            finally:
                older.dispose()
        engine = reading_engine_of(chosen)
        try:
            yield engine
        finally:
            engine.dispose()
