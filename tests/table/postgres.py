"""A PostgreSQL for the tests: the one that `TABLEWRIGHT_TEST_PG` names, or one that is installed and started here."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from patience import LIMIT, wait_until
from tablewright.table import open_store
from tablewright.table.database.schema import metadata

VARIABLE = "TABLEWRIGHT_TEST_PG"
PACKAGE = "postgresql"
FORGETFUL = ("fsync=off", "full_page_writes=off", "autovacuum=off")
"""Settings of a server whose databases no one needs after a power loss."""


class Server:
    """A server of its own in a temporary folder, reached over a socket in it."""

    def __init__(self) -> None:
        self.programs = _programs()
        self.user = user()
        self.folder = Path(tempfile.mkdtemp(prefix="tw-pg-"))
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *more: str) -> str:
        """Start it, with more settings if any; gives the address of its first database."""
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        data = self.folder / "data"
        setup = [self.programs / "initdb", "-D", data, "-U", "tablewright", "-A", "trust", "-E", "UTF8", "--no-sync"]
        done = subprocess.run(
            [*map(str, setup), "--locale=C"], user=self.user, cwd=self.folder, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=100", *more]
        command = [str(self.programs / "postgres"), "-D", str(data)]
        for setting in settings:
            command += ["-c", setting]
        log = (self.folder / "log").open("wb")
        self.process = subprocess.Popen(command, user=self.user, cwd=self.folder, stdout=log, stderr=log)
        log.close()
        address = f"postgresql://tablewright@/postgres?host={self.folder}"
        wait_until(lambda: self._answers(address), "PostgreSQL answers")
        return address

    def _answers(self, address: str) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with suppress(psycopg.OperationalError):
            psycopg.connect(address).close()
            return True
        return False

    def stop(self) -> None:
        """Stop it, and remove everything."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def given() -> str | None:
    """The address that was given, if any."""
    return os.environ.get(VARIABLE) or None


class Databases:
    """Databases that the tests use in turn: to clear one costs a fraction of making one."""

    def __init__(self, server: str) -> None:
        self.server = server
        self._free: list[str] = []
        self._ready: list[str] = []
        self._form: str | None = None
        self._made: list[str] = []

    @contextmanager
    def empty(self) -> Iterator[str]:
        """The address of an empty database that no one else uses meanwhile."""
        where = self._taken()
        try:
            yield where
        finally:
            _empty(where)
            self._free.append(where)

    @contextmanager
    def ready(self) -> Iterator[str]:
        """The address of a database with all tables of the program and nothing in them."""
        if not self._ready:
            where = self._taken()
            open_store(where).close()
            self._ready.append(where)
            with psycopg.connect(where, autocommit=True) as connection:
                self._form = _form(connection)
        where = self._ready.pop()
        try:
            yield where
        finally:
            if _cleared(where, self._form):
                self._ready.append(where)
            else:
                _empty(where)
                self._free.append(where)

    def _taken(self) -> str:
        """The address of an empty database, which is made if there is none."""
        if not self._free:
            self._made.append(f"tw_{uuid.uuid4().hex[:16]}")
            self._free.append(make_database(self.server, self._made[-1]))
        return self._free.pop()

    def close(self) -> None:
        """Remove all of them."""
        for name in self._made:
            drop_database(self.server, name)


def _disconnect(connection: psycopg.Connection) -> None:
    """Disconnect everyone else from a database."""
    connection.execute(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


def _empty(where: str) -> None:
    """Disconnect everyone from a database and remove all that it holds."""
    with psycopg.connect(where, autocommit=True) as connection:
        _disconnect(connection)
        for (schema,) in connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
        ).fetchall():
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
        connection.execute("CREATE SCHEMA public")


def _form(connection: psycopg.Connection) -> str:
    """The tables and indexes of a database with their numbers of columns, triggers and checks, and its revision."""
    listed = connection.execute(
        "SELECT string_agg(nspname || '.' || relname || ' ' || relnatts || relhastriggers || relchecks, ',' ORDER BY"
        " nspname, relname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
        " WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
    ).fetchone()
    revision = None
    if listed is not None and "public.alembic_version " in str(listed[0]):
        revision = connection.execute("SELECT string_agg(version_num, ',') FROM alembic_version").fetchone()
    return f"{listed} {revision}"


def _cleared(where: str, form: str | None) -> bool:
    """Disconnect everyone from a database and delete its rows; false if a test has changed its form."""
    with psycopg.connect(where, autocommit=True) as connection:
        _disconnect(connection)
        is_as_before = _form(connection) == form
        if is_as_before:
            connection.execute("; ".join(f'DELETE FROM "{table}"' for table in metadata.tables))
    return is_as_before


def make_database(address: str, name: str, how: str = "") -> str:
    """A new, empty database on a server; gives its address."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" {how}')
    before, _, after = address.partition("?")
    return f"{before.rpartition('/')[0]}/{name}" + (f"?{after}" if after else "")


def drop_database(address: str, name: str) -> None:
    """Remove a database, with connections still open or not."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _programs() -> Path:
    with (Path(tempfile.gettempdir()) / "tablewright-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side, and one of them is enough to install it
        return _found_or_installed()


def _found_or_installed() -> Path:
    found = _installed()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", PACKAGE]):
            subprocess.run(command, env=environment, capture_output=True, check=False, timeout=600)
        found = _installed()
    assert found is not None, f"no PostgreSQL is installed; install it, or name one in {VARIABLE}"
    return found


def _installed() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    named = shutil.which("initdb")
    folders += [Path(named).parent] if named else []
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def user() -> str | None:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
