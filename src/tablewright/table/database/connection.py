"""Connections to a database with durable settings, and migrations, each preceded by a dated copy."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError
from sqlalchemy.pool import QueuePool

from tablewright.extras import needs_extra
from tablewright.table.errors import StoreError

MIGRATIONS = "tablewright.table:migrations"
BUSY_MILLISECONDS = 15_000

MIGRATING = 0x7461626C65
"""Number of the advisory lock held while migrating a PostgreSQL database."""

KEPT_OPEN = 40
"""Pool size for a database file: the number of reading threads of a server."""

MOST_IDLE = 2.0
"""Idle seconds after which a connection to a database server is pinged before use."""

KEPT_OPEN_TO_SERVER = 20
"""Pool size for a database server, which several processes share."""


def make_file(path: Path) -> None:
    """Create an empty database file that only its owner can read; an existing file keeps its mode.

    SQLite gives the files that it creates beside it the same mode.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from None
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush the directory entries of a folder to disk; do nothing on systems without support for it."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def reading_engine_of(path: Path) -> Engine:
    """Engine for reading a database file; it changes nothing in the file, not even the journal mode."""
    engine = create_engine(
        "sqlite+pysqlite://",
        hide_parameters=True,
        creator=lambda: sqlite3.connect(
            f"{path.as_uri()}?mode=ro",
            uri=True,
            timeout=BUSY_MILLISECONDS / 1000,
            check_same_thread=False,
            isolation_level=None,
        ),
        poolclass=QueuePool,
    )
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def engine_of(url: URL) -> Engine:
    """Engine of a database. A commit is on disk when it returns."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(
            url,
            hide_parameters=True,  # rows hold people's secrets: keep them out of errors and logs
            pool_size=KEPT_OPEN,
            connect_args={"check_same_thread": False, "timeout": BUSY_MILLISECONDS / 1000},
        )
        event.listen(engine, "connect", _set_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    with needs_extra("postgres"):
        engine = create_engine(
            url,
            hide_parameters=True,
            pool_size=KEPT_OPEN_TO_SERVER,
            max_overflow=KEPT_OPEN_TO_SERVER,
            isolation_level="READ COMMITTED",
            connect_args={"options": "-c synchronous_commit=on", "connect_timeout": 10},
        )
    _check_idle_connections(engine)
    return engine


def _check_idle_connections(engine: Engine) -> None:
    """Ping connections that were idle for a while before use; the server may have restarted."""

    def note(_connection: Any, record: Any) -> None:
        record.info["idle_since"] = time.monotonic()

    def check(connection: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("idle_since", time.monotonic()) < MOST_IDLE:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error

    event.listen(engine, "checkin", note)
    event.listen(engine, "checkout", check)


def _set_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # this module begins transactions itself
    cursor = connection.cursor()
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MILLISECONDS}"):
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    if connection.get_execution_options().get("writing", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        driver: Any = connection.connection.driver_connection
        driver.execute("BEGIN")  # takes no lock and cannot fail; hot: called for every read


def migrate(
    engine: Engine,
    *,
    versions: str | None = None,
    today: Callable[[], datetime] | None = None,
    alone: AbstractContextManager[Any] | None = None,
) -> Path | None:
    """Migrate a database to the newest revision; return the path of the copy made before, or None.

    Refuse a newer database, or one from another program, before touching it. ``alone`` is entered before changing a
    database that may be in use. ``versions`` is for tests: another folder of migration steps.
    """
    config = _config(versions)
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head()
    if _revision(engine)[0] == newest:
        return None
    with _one_at_a_time(engine):
        now, is_empty = _revision(engine)
        if now == newest:
            return None  # another process has migrated it meanwhile
        if now is None and not is_empty:
            raise StoreError(f"{shown(engine.url)} is a database of something else; it was not touched")
        if now is not None and now not in {step.revision for step in scripts.walk_revisions()}:
            raise StoreError(
                f"{shown(engine.url)} was made by a newer version of this program (its form is {now:.20}, this program "
                f"knows {newest}); it was not touched"
            )
        with nullcontext() if now is None or alone is None else alone:
            stamp = (today or (lambda: datetime.now(UTC)))().strftime("%Y-%m-%dT%H-%M-%S")
            copy = _copy(engine, now, stamp) if now is not None else None
            with engine.connect().execution_options(writing=True) as connection, connection.begin():
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
    return copy


def _config(versions: str | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    if versions is not None:
        config.set_main_option("version_locations", versions)
        config.set_main_option("path_separator", "newline")
    return config


def newest_form() -> str | None:
    """Newest revision that this program knows."""
    return ScriptDirectory.from_config(_config()).get_current_head()


@contextmanager
def _one_at_a_time(engine: Engine) -> Iterator[None]:
    """Let one process migrate a PostgreSQL database while the others wait."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:number)"), {"number": MIGRATING})
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": MIGRATING})


def shown(url: URL) -> str:
    """Printable address of a database: a path, or a URL without its password."""
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def _revision(engine: Engine) -> tuple[str | None, bool]:
    """Revision of the database, and whether it is empty; a file is only read."""
    if engine.url.get_backend_name() == "sqlite":
        return revision_of_file(Path(str(engine.url.database)))
    try:
        with engine.connect() as connection:
            tables = inspect(connection).get_table_names()
            if "alembic_version" not in tables:
                return None, not tables
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar(), False
    except OperationalError as error:
        first = str(error.orig).strip().splitlines()[:1]
        raise StoreError(f"{shown(engine.url)} cannot be reached: {''.join(first)}") from None


def revision_of_file(path: Path) -> tuple[str | None, bool]:
    """Revision of a database file, and whether it is empty."""
    if not path.exists() or path.stat().st_size == 0:
        return None, True
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=BUSY_MILLISECONDS / 1000)
        try:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if "alembic_version" not in tables:
                return None, not tables
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            return (found[0] if found else None), False
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is not a database that can be opened: {error}") from None


def _copy(engine: Engine, now: str, stamp: str) -> Path | None:
    """Copy the database before a migration: to a file beside it, or to a new schema on a server."""
    if engine.url.get_backend_name() == "sqlite":
        path = Path(str(engine.url.database))
        copy = path.with_name(f"{path.stem}-{stamp}-form-{now}{path.suffix}")
        copy_file(path, copy)
        return copy
    schema = f"before_{stamp}_form_{now}".replace("-", "_")
    with engine.begin() as connection:
        connection.execute(text(f'CREATE SCHEMA "{schema}"'))
        for table in inspect(connection).get_table_names():
            connection.execute(text(f'CREATE TABLE "{schema}"."{table}" AS TABLE "{table}"'))
    return None


def copy_file(path: Path, copy: Path) -> None:
    """Copy a database file that may be in use; refuse to replace an existing file."""
    with new_file(copy) as half:
        source = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=BUSY_MILLISECONDS / 1000)
        try:
            target = sqlite3.connect(half)
            try:
                source.backup(target)
            finally:
                target.close()
        finally:
            source.close()


def _sync_file(path: Path) -> None:
    number = os.open(path, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Write a file under a temporary name, readable only by its owner; it appears complete or not at all."""
    if path.exists():
        raise StoreError(f"{path} is there already; it was not replaced")
    half = path.with_name(f".{path.name}.half")
    try:
        half.unlink(missing_ok=True)
        half.touch(mode=0o600)
        yield half
        _sync_file(half)
        half.rename(path)
        sync_folder(path.parent)
    except (sqlite3.Error, OSError, DBAPIError) as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[:1]
        raise StoreError(f"{path} cannot be written: {''.join(reason)}") from None
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            half.with_name(f"{half.name}{end}").unlink(missing_ok=True)
