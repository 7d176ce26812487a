"""Every test of the store runs on both kinds of database; each test has a database of its own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from table import postgres
from tablewright.table import Store, open_store


def empty_database(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """Where a new, empty database is, of the kind that a fixture asks for; it is gone afterwards."""
    if request.param == "sqlite":
        yield str(file)
        return
    address = request.getfixturevalue("postgresql")
    name = f"tw_{uuid.uuid4().hex[:16]}"
    yield postgres.make_database(address, name)
    postgres.drop_database(address, name)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a new, empty database is."""
    yield from empty_database(request, tmp_path / "tables.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Another new, empty database, of either kind."""
    yield from empty_database(request, tmp_path / "elsewhere.db")


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    """A store of either kind, open."""
    with open_store(where, serve=True) as opened:
        yield opened


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Store]:
    """A store in a file, for what does not depend on the database."""
    with open_store(tmp_path / "tables.db") as opened:
        yield opened
