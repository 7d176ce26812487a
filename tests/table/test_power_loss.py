"""The power fails: whatever was not synced to the disk is gone, and everything that was acknowledged is there.

A small library, compiled here and loaded before libc, keeps what the disk would hold after a loss of power
(`power_loss.c`). A process plays on such a disk and is killed; what would be left is opened, and play goes on.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.nursery import Nursery
from table.playing import group
from table.test_kill import check, next_word
from tablewright.table import StoreError, open_store

TIMES = int(os.environ.get("TABLE_POWER_LOSSES", "3"))
"""Number of power failures."""

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that keeps what was synced."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux loads a library before libc in this way")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler to build the disk that loses what was not synced")
    made = tmp_path_factory.mktemp("library") / "power_loss.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(HERE / "power_loss.c"), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the disk that loses what was not synced cannot be built: {done.stderr[:200]}")
    return made


class Disk:
    """A folder, and what would be left of it after a loss of power."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.durable = folder / "disk", folder / "durable"
        self.folder.mkdir()
        self.keep_all()

    def keep_all(self) -> None:
        """Everything that is there now was there long before."""
        shutil.rmtree(self.durable, ignore_errors=True)
        for name in ("data", "names"):
            (self.durable / name).mkdir(parents=True)
        for path in self.folder.iterdir():
            inode = str(path.stat().st_ino)
            shutil.copyfile(path, self.durable / "data" / inode)
            (self.durable / "names" / path.name).write_text(inode)

    def lose_power(self) -> None:
        """Leave nothing that was not synced."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for name in (self.durable / "names").iterdir():
            kept = self.durable / "data" / name.read_text()
            (self.folder / name.name).write_bytes(kept.read_bytes() if kept.exists() else b"")
        self.keep_all()


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


@pytest.fixture(scope="module")
def nursery(library: Path) -> Iterator[Nursery]:
    """A process whose children play on such a disk."""
    started = Nursery("table.losing_power", preloaded=library)
    yield started
    started.stop()


def words_until_killed(nursery: Nursery, disk: Disk, acknowledged: int, **given: Any) -> list[dict[str, Any]]:
    """Output of a process before it was killed, some time after its acknowledgements."""
    environment = {"DISK": str(disk.folder), "DURABLE": str(disk.durable)}
    child = nursery.bear(disk=environment, **given)
    said: list[dict[str, Any]] = []
    while sum(word["kind"] == "done" for word in said) < acknowledged:
        said.append(next_word(nursery))
    os.kill(child, signal.SIGKILL)
    return said + list(nursery.until_gone())


def test_nothing_acknowledged_is_lost_with_the_power(disk: Disk, nursery: Nursery) -> None:
    where, chance = str(disk.folder / "tables.db"), random.Random(3)
    with open_store(where) as store:
        campaign = group(store).table.id
    disk.keep_all()
    done: list[dict[str, Any]] = []
    tried: set[str] = set()
    for number in range(TIMES):
        wanted = chance.randrange(3, 40)
        said = words_until_killed(
            nursery, disk, wanted, where=where, campaign=campaign, seed=number + 1, copy=None, careless=False
        )
        tried |= {word["key"] for word in said}
        done += [word for word in said if word["kind"] == "done"]
        disk.lose_power()
        check(where, campaign, done, tried)
        with open_store(where, serve=True) as store:
            assert store.verify().is_whole
        disk.keep_all()
    assert len(done) >= 3 * TIMES


def test_a_database_that_syncs_nothing_would_lose_something(disk: Disk, nursery: Nursery) -> None:
    """The disk really forgets: without this the test above would prove nothing."""
    where = str(disk.folder / "tables.db")
    with open_store(where) as store:
        campaign = group(store).table.id
    disk.keep_all()
    said = words_until_killed(nursery, disk, 10, where=where, campaign=campaign, seed=1, copy=None, careless=True)
    disk.lose_power()
    done = [word for word in said if word["kind"] == "done"]
    with pytest.raises((AssertionError, StoreError, KeyError)):
        check(where, campaign, done, {word["key"] for word in said})


def test_a_copy_is_there_when_it_is_said_to_be(disk: Disk, nursery: Nursery) -> None:
    where, copy = str(disk.folder / "tables.db"), disk.folder / "copy.db"
    with open_store(where) as store:
        campaign = group(store).table.id
    disk.keep_all()
    said = words_until_killed(nursery, disk, 14, where=where, campaign=campaign, seed=2, copy=str(copy), careless=False)
    kinds = [word["kind"] for word in said]
    assert "copied" in kinds
    before = [word for word in said[: kinds.index("copied")] if word["kind"] == "done"]
    disk.lose_power()
    assert [path.name for path in disk.folder.iterdir() if "half" in path.name] == []
    check(str(copy), campaign, before, {word["key"] for word in said})
    with open_store(copy) as store:
        assert store.verify().is_whole
