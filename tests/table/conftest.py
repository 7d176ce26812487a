"""Every test of the store runs on both kinds of database; each test has a database of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.postgres import Databases
from table.unsynced import unsynced
from tablewright.table import Store, open_store


@pytest.fixture(scope="session", autouse=True)
def _unsynced() -> Iterator[None]:
    with unsynced():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, migrated: Path, tmp_path: Path) -> Iterator[str]:
    """URL of a new database, of either kind, with all tables and nothing in them."""
    if request.param == "sqlite":
        yield str(shutil.copy(migrated, tmp_path / "tables.db"))
        return
    databases: Databases = request.getfixturevalue("databases")
    with databases.ready() as ready:
        yield ready


def empty_database(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """URL of a new, empty database of the requested kind; it is removed afterwards."""
    if request.param == "sqlite":
        yield str(file)
        return
    databases: Databases = request.getfixturevalue("databases")
    with databases.empty() as where:
        yield where


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a new, empty database, of either kind."""
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


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all tables and nothing in them, to be copied."""
    file = tmp_path_factory.mktemp("migrated") / "tables.db"
    open_store(file).close()
    return file


@pytest.fixture
def quick(migrated: Path, tmp_path: Path) -> Iterator[Store]:
    """A store in a file, for what does not depend on the database."""
    with open_store(shutil.copy(migrated, tmp_path / "tables.db")) as opened:
        yield opened
