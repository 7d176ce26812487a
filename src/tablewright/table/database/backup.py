"""Backup of a whole database, and restoring from one.

A backup is always an SQLite file, whichever kind of database it came from. It can be served as it is, or restored into
a new database of either kind. It holds everything, including the hashes of links and cookies, and every person keeps
their seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

from sqlalchemy import URL, Connection, Engine, Table, func, insert, select
from sqlalchemy.exc import DBAPIError

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.table.database import link_queries
from tablewright.table.database import queries as rows
from tablewright.table.database.connection import (
    copy_file,
    engine_of,
    migrate,
    new_file,
    newest_form,
    reading_engine_of,
    revision_of_file,
    sync_folder,
)
from tablewright.table.database.schema import campaigns, lines, links, metadata, pictures, requests, snapshots
from tablewright.table.database.verification import damage_of
from tablewright.table.errors import StoreDamagedError, StoreError

AT_ONCE = 500
"""Rows per insert while copying."""


def copy_to_file(engine: Engine, copy: Path) -> None:
    """Copy a database that may be in use, as of one moment; refuse to replace an existing file."""
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
    """Transaction that sees one consistent state, however long it takes."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield connection


def carry_over(
    source: Connection, into: Connection, campaign: str | None = None, *, leave_out: Collection[Table] = ()
) -> None:
    """Copy every row, or the rows of one campaign; leave a ``leave_out`` table at its first damaged row."""
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


def restore(engine: Engine, path: Path) -> list[rows.CampaignSummary]:
    """Restore a whole backup into a database without campaigns, all or nothing. Return its campaigns."""
    with _opened(path) as copy:
        found = _check_whole(copy, path)
        try:
            with rows.writing(engine) as into, _one_moment(copy) as source:
                there = rows.infos(into)
                if there:
                    raise StoreError(
                        f"there are {len(there)} campaigns in it already; name a new database, or one campaign"
                    )
                carry_over(source, into)
        except rows.WriteConflict:
            raise StoreError("something of the copy is there already; name a new database") from None
        except DBAPIError as error:  # from reading the backup: rows.writing has already translated write errors
            raise StoreError(f"{path} cannot be read: {error.orig}") from None
    return found


def restore_campaign(
    engine: Engine, path: Path, wanted: str, *, at: str, sender: str, alone: bool
) -> tuple[list[rows.CampaignSummary], Path | None]:
    """Restore one campaign from a backup in place of the stored one.

    If the database file is too damaged for that, write a new file with the undamaged campaigns, and take the damaged
    ones from the backup where it has them. This needs exclusive use of the file (``alone``). Return the restored
    campaigns and the path of the saved damaged file, or None if there is none.
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
        except rows.WriteConflict:
            raise StoreError("another process writes to this campaign; try again") from None
        except StoreDamagedError as error:
            if engine.dialect.name != "sqlite" or not alone:
                raise StoreDamagedError(
                    f"nothing can be replaced in it ({error.message}); restore the whole copy into a new database"
                ) from None
            return _written_again(engine, copy, at)
        except DBAPIError as error:
            raise StoreError(f"{path} cannot be read: {error.orig}") from None
    return [found], None


def _written_again(engine: Engine, copy: Engine, at: str) -> tuple[list[rows.CampaignSummary], Path]:
    """Replace a damaged file by a new one: its undamaged campaigns, and the others from the backup.

    A damaged campaign that the backup lacks stays in the list, closed and without its lines.
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
                for name in (link_queries.HOST, *[one.id for one in there if one.id not in damaged]):
                    carry_over(whole, into, name, leave_out=(links, requests, snapshots, pictures))
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
    for end in ("-wal", "-shm"):  # SQLite would otherwise apply them to the new file
        beside = path.with_name(f"{path.name}{end}")
        if beside.exists():
            beside.rename(kept.with_name(f"{kept.name}{end}"))
    fresh.replace(path)
    sync_folder(path.parent)
    return back, kept


def _links_of(connection: Connection, campaign: str) -> dict[str, link_queries.LinkRow]:
    found = connection.execute(select(links).where(links.c.campaign == campaign))
    return {row.hash: link_queries.LinkRow(*row) for row in found}


def _join_links(into: Connection, campaign: str, now: dict[str, link_queries.LinkRow], at: str) -> None:
    """Keep links void that were voided since the backup, and keep newer links to seats that the backup knows."""
    then = _links_of(into, campaign)
    seats = {value.seat for value in then.values()} | {None}
    for hash_, link in now.items():
        if hash_ in then and link.void is not None:
            link_queries.void_link(into, hash_, at)
        elif hash_ not in then and link.seat in seats:
            link_queries.add_link(into, link)


def _check_whole(copy: Engine, path: Path, wanted: str | None = None) -> list[rows.CampaignSummary]:
    """All campaigns of a backup, or the wanted one; refuse a backup with damage."""
    with rows.reading(copy) as source:
        found = rows.infos(source)
        known = select(func.count()).select_from(lines).where(lines.c.campaign.not_in(select(campaigns.c.id)))
        if source.execute(known).scalar():
            raise StoreError(f"{path} is damaged: it has lines that belong to no campaign")
    if wanted is not None:
        titles = [one.title for one in found]
        found = [one for one in found if wanted in (one.id, one.title)]
        if len(found) != 1:
            many = "several campaigns are" if found else "no campaign is"
            raise InvalidInputError(
                f'{many} called "{wanted:.60}" in {path}; name its id or title{did_you_mean(wanted, titles)}'
            )
    for one in found:
        damage = damage_of(copy, one.id)
        if damage is not None:
            raise StoreError(f'{path} is damaged: "{one.title}", line {damage.line}: {damage.what}')
    return found


@contextmanager
def _opened(path: Path) -> Iterator[Engine]:
    """Open a backup made by this program, read-only; migrate a temporary copy of an older one."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    form, _ = revision_of_file(path.resolve())
    if form is None:
        raise StoreError(f"{path} is not a copy of a database of this program")
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
