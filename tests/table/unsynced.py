"""Database files that are not written through to the disk: a test process never loses power, and syncing is slow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tablewright.table.database import connection as product

set_sqlite = product._set_sqlite


@contextmanager
def unsynced() -> Iterator[None]:
    """Leave out every sync of the database files that are opened meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(product, "_set_sqlite", _set)
        yield


def _set(connection: Any, record: Any) -> None:
    set_sqlite(connection, record)
    connection.execute("PRAGMA synchronous=OFF")
