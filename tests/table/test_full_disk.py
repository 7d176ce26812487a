"""A PostgreSQL without room: the action is refused, the table stays readable, and play goes on when there is room."""

from __future__ import annotations

import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from table import postgres
from table.playing import group
from table.postgres import Databases
from tablewright.table import StoreFullError, open_store

SMALL = 24 * 1024 * 1024


class Disk(NamedTuple):
    """A database, and how its disk becomes full and empty again."""

    where: str
    fill: Callable[[], None]
    empty: Callable[[], None]


@pytest.fixture(params=["a small disk", "an error of the server"])
def disk(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Disk]:
    """A database on a disk of its own, where one can be mounted; else one whose server says that there is no room."""
    with ExitStack() as stack:
        if request.param == "a small disk":
            yield _on_small_disk(databases.server, f"tw_{uuid.uuid4().hex[:16]}", stack)
        else:
            where = stack.enter_context(databases.empty())
            yield Disk(where, lambda: _say(where, _NO_ROOM), lambda: _say(where, "DROP FUNCTION no_room CASCADE"))


_NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON feed FOR EACH ROW EXECUTE FUNCTION no_room();
"""


def _say(where: str, statement: str) -> None:
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(statement)


def _on_small_disk(address: str, name: str, stack: ExitStack) -> Disk:
    folder = Path(f"/tmp/{name}")
    if postgres.given() is not None:
        pytest.skip("the database server that was given has its own disks")
    folder.mkdir()
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    stack.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=False)
    space = folder / "space"
    space.mkdir()
    user = postgres.user()
    if user is not None:
        shutil.chown(space, user)
    _say(address, f"CREATE TABLESPACE {name} LOCATION '{space}'")
    stack.callback(_say, address, f"DROP TABLESPACE {name}")
    where = postgres.make_database(address, name, f"TABLESPACE {name}")
    stack.callback(postgres.drop_database, address, name)
    filler = folder / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file:
            try:
                for size in (65_536, 512):
                    while file.write(b"x" * size) == size:
                        pass
            except OSError:
                return

    return Disk(where, fill, filler.unlink)


def test_a_full_disk_refuses_and_stays_readable(disk: Disk) -> None:
    with open_store(disk.where, serve=True) as store:
        g = group(store)
        g.begin()
        seats = (g.gm, g.anna, g.watcher)
        disk.fill()
        written = 0

        def write() -> None:
            nonlocal written
            for number in range(3_000):
                g.act(g.anna, "note.write", text="x" * 9_000, key=f"k{number}")
                written += 1

        with pytest.raises(StoreFullError, match="nothing was changed"):
            write()
        seen = [g.table.view(seat) for seat in seats]
        assert sum(line["fact"].get("event") == "NoteWritten" for line in seen[0]["lines"]) == written
        g.table.forget()
        assert [g.table.view(seat) for seat in seats] == seen, "it can be read from the disk"
        with pytest.raises(StoreFullError):
            write()
        with open_store(disk.where) as other:
            assert other.table(g.table.id).view(g.anna) == seen[1]
        disk.empty()
        g.act(g.anna, "note.write", text="again", key=f"k{written}")
        g.answer()
        assert g.table.is_as_the_log_says()
