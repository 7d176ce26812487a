"""Location of the database, and the lock that limits a database file to one server."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tablewright.errors import InvalidInputError
from tablewright.table.errors import StoreError

VARIABLE = "TABLEWRIGHT_DB"
NAME = "tables.db"


def data_folder() -> Path:
    """Folder for a user's data on this machine."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tablewright"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tablewright"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tablewright"


def address_of(given: str | Path | None) -> URL:
    """Address of a database: the given path or URL, the one in ``TABLEWRIGHT_DB``, or the user's own file.

    >>> str(address_of("/srv/tables.db"))
    'sqlite+pysqlite:////srv/tables.db'
    >>> str(address_of("postgresql://ann:secret@host/tables"))
    'postgresql+psycopg://ann:***@host/tables'
    """
    text = str(given) if given is not None else os.environ.get(VARIABLE) or str(data_folder() / NAME)
    if "://" not in text:
        path = Path(text).expanduser().resolve()
        return URL.create("sqlite+pysqlite", database=str(path))
    try:
        url = make_url(text)
    except ArgumentError:
        raise InvalidInputError(f'"{text.partition("://")[0]:.40}://..." is not an address of a database') from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        return URL.create("sqlite+pysqlite", database=str(Path(url.database).expanduser().resolve()))
    raise InvalidInputError(
        f'"{url.drivername:.40}" cannot be used; allowed are a file, sqlite:///FILE and postgresql://...'
    )


class Lock:
    """Lock of the one server that uses a database file; the system releases it when the process ends."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.lock")
        self._file: IO[bytes] | None = None

    def take(self) -> Self:
        """Take the lock; refuse if another server holds it."""
        file = self.path.open("ab")
        try:
            _lock(file)
        except OSError:
            file.close()
            raise StoreError(
                f"{self.path.with_suffix('')} is served already; stop the other server, or name another database"
            ) from None
        self._file = file
        return self

    def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self.take()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
