"""Files are replaced in one step and get the usual permissions."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tablewright.game.files.atomic import write_atomically


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o666 & ~mask
    (tmp_path / "new").chmod(0o640)
    write_atomically(tmp_path / "new", b"other")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["new"]
    assert (tmp_path / "new").read_text() == "other"


def test_nobody_elses_files_get_other_rights_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(os, "umask", changed.append)
    writers = [threading.Thread(target=write_atomically, args=(tmp_path / str(number), "x")) for number in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert changed == []
    assert len(list(tmp_path.iterdir())) == 4


def test_items_present_by_then_stay(tmp_path: Path) -> None:
    write_atomically(tmp_path / "one", "first", replace=False)
    with pytest.raises(FileExistsError):
        write_atomically(tmp_path / "one", "second", replace=False)
    assert [one.name for one in tmp_path.iterdir()] == ["one"]
    assert (tmp_path / "one").read_text() == "first"
