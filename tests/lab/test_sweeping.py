"""Grids: every case, killed in the middle and gone on with, nothing lost and nothing counted twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from patience import LIMIT
from tablewright.errors import InvalidInputError
from tablewright.lab.fights.simulation import simulate
from tablewright.lab.fights.sweep import read_grid, sweep

MANY = "abcdefghijklmnopqrstuvwxyz"
GRID = """
title: rats
scenarios: [coinfolk:together]
runs: {runs}
seed: 3
axes:
  tactics: ["", "policy:folk=random"]
  rats: ["", "add:rat"]
"""


def grid_file(folder: Path, runs: int = 4) -> Path:
    path = folder / "grid.yaml"
    path.write_text(GRID.format(runs=runs), encoding="utf-8")
    return path


def test_a_grid_is_every_value_with_every_other(tmp_path: Path) -> None:
    grid = read_grid(grid_file(tmp_path))
    assert [dict(case.labels) for case in grid.cases] == [
        {"tactics": "as it is", "rats": "as it is"},
        {"tactics": "as it is", "rats": "add:rat"},
        {"tactics": "policy:folk=random", "rats": "as it is"},
        {"tactics": "policy:folk=random", "rats": "add:rat"},
    ]
    results = sweep(grid, tmp_path / "kept")
    for case, result in results:
        assert result.digest == simulate(case.job).digest
    assert grid.fights == 16


def test_finished_work_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = read_grid(grid_file(tmp_path))
    first = [result.digest for _, result in sweep(grid, tmp_path / "kept")]
    monkeypatch.setattr("tablewright.lab.fights.sweep.fight_chunk", None)  # would fail if anything were fought
    assert [result.digest for _, result in sweep(grid, tmp_path / "kept")] == first


SCRIPT = """
import os, signal, sys
from pathlib import Path
from tablewright.lab.fights.sweep import read_grid, sweep
from tablewright.lab.fights.executors import ProcessExecutor
def kill_everybody(done, fights, seconds):
    if done >= fights // 10:
        os.killpg(0, signal.SIGKILL)
if __name__ == "__main__":
    sweep(read_grid(Path(sys.argv[1])), Path(sys.argv[2]), ProcessExecutor(2), progress=kill_everybody)
"""


def test_a_killed_sweep_goes_on_with_nothing_lost_and_nothing_twice(tmp_path: Path) -> None:
    path, kept = grid_file(tmp_path, runs=12), tmp_path / "kept"
    script = tmp_path / "long.py"
    script.write_text(SCRIPT, encoding="utf-8")
    tests = Path(__file__).parents[1]
    path_of_tests = os.pathsep.join([str(tests), str(tests / "sixth")])
    process = subprocess.Popen(
        [sys.executable, str(script), str(path), str(kept)],
        env=os.environ | {"PYTHONPATH": path_of_tests},
        start_new_session=True,
    )
    assert process.wait(LIMIT) == -signal.SIGKILL
    base = sqlite3.connect(kept)
    done = base.execute("SELECT job, chunk, counts FROM chunks").fetchall()
    base.close()
    assert 0 < len(done) < 48
    grid = read_grid(path)
    results = sweep(grid, kept)
    base = sqlite3.connect(kept)
    after = base.execute("SELECT job, chunk, counts FROM chunks").fetchall()
    base.close()
    assert set(done) <= set(after)
    assert len({(job, chunk) for job, chunk, _ in after}) == len(after) == 48
    for case, result in results:
        assert result.counts.fights == 12
        assert result.digest == simulate(case.job).digest


def test_a_file_of_another_grid_is_not_touched(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    sweep(read_grid(grid_file(tmp_path, runs=1)), kept)
    before = kept.read_bytes()
    with pytest.raises(InvalidInputError, match="holds another grid"):
        sweep(read_grid(grid_file(tmp_path, runs=2)), kept)
    assert kept.read_bytes() == before
    (tmp_path / "letter").write_text("Dear Ann, " * 200, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="not a file of a sweep"):
        sweep(read_grid(grid_file(tmp_path, runs=2)), tmp_path / "letter")
    assert (tmp_path / "letter").read_text(encoding="utf-8").startswith("Dear Ann")
    with pytest.raises(InvalidInputError, match="cannot be written"):
        sweep(read_grid(grid_file(tmp_path, runs=2)), tmp_path)


def test_until_stops_each_case_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text("scenarios: coinfolk:together\nruns: 2000\nuntil: 0.08\n", encoding="utf-8")
    grid = read_grid(path)
    ((case, result),) = sweep(grid, tmp_path / "kept")
    assert result.stopped == "until"
    assert result.digest == simulate(case.job, until=0.05).digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "this is not a grid"),
        ("scenario: coinfolk:even", 'did you mean "scenarios"'),
        ("scenarios: []", "scenarios names none"),
        ("scenarios: [coinfolk:even]\nruns: 0", "runs is 0"),
        ("scenarios: [coinfolk:even]\nuntil: 3", "until is 3"),
        ("scenarios: [coinfolk:even]\naxes: {a: []}", "has no values"),
        ("scenarios: [coinfolk:even]\naxes: {a: ['add:rta']}", 'did you mean "rat"'),
        ("scenarios: [coinfolk:evn]", 'did you mean "even"'),
        ("scenarios: [coinfolk:even]\naxes: [x]", "axes are at most"),
        (
            f"scenarios: [coinfolk:even]\naxes: {{a: {[*MANY]}, b: {[*MANY]}, c: [a, b, c]}}",
            "2,028 cases",
        ),
    ],
)
def test_a_wrong_grid_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=said):
        read_grid(path)
