"""Sweeps: a grid of scenarios, every value of every axis combined, with results saved to one file.

    title: How many rats, and does it help to think?
    scenarios: [coinfolk:together]
    runs: 400
    seed: 1
    axes:
      tactics: ["", "policy:folk=random"]
      rats: ["", "add:rat", "add:rat, add:rat"]

The values of an axis are changes as :mod:`tablewright.lab.fights.changes` reads them; an empty value is the unchanged
scenario. Results are stored in an SQLite file. Each chunk is written in one transaction and at most once, so a killed
job continues where it stopped: nothing is lost and nothing is counted twice.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from tablewright.dice.source import MOST_SEED
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.files.documents import read_document
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.executors import Executor, SerialExecutor
from tablewright.lab.fights.job import MOST_RUNS, Job, counts_of, fight_chunk, job_of
from tablewright.lab.fights.simulation import Result, gather, reason_to_stop
from tablewright.lab.fights.totals import FightTotals

FORMAT = 1
MOST_CASES = 2_000
MOST_AXES = 10
MOST_VALUES = 200
AS_IT_IS = "as it is"
_PERCENT = re.compile(r"\s*([0-9]{1,2}(?:\.[0-9]{1,6})?)\s*%\s*\Z")
_KNOWN = ("title", "scenarios", "runs", "seed", "until", "axes", "anyway")


@dataclass(frozen=True)
class SweepCase:
    """One scenario of a grid: a label for each axis, and the job."""

    labels: Mapping[str, str]
    job: Job


@dataclass(frozen=True)
class SweepGrid:
    """All cases in order; ``until`` stops a case once its win chances are known to within that share."""

    title: str
    cases: tuple[SweepCase, ...]
    until: float | None = None

    @property
    def id(self) -> str:
        """Short hash of the grid."""
        text = json.dumps([case.job.id for case in self.cases] + [self.until])
        return blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def fights(self) -> int:
        """Total number of fights."""
        return sum([case.job.runs for case in self.cases])


def read_grid(path: Path) -> SweepGrid:
    """Read a grid file; every case is validated before the first fight."""
    given = read_document(path).value
    if not isinstance(given, dict):
        raise InvalidInputError(f"{path}: this is not a grid; it holds {', '.join(_KNOWN)}")
    unknown = [str(name) for name in given if name not in _KNOWN]
    if unknown:
        raise InvalidInputError(
            f'{path}: "{unknown[0]:.40}" is unknown; allowed are {", ".join(_KNOWN)}{did_you_mean(unknown[0], _KNOWN)}'
        )
    words = _texts(given, "scenarios", path)
    if not words:
        raise InvalidInputError(
            f"{path}: scenarios names none; write scenarios: [SYSTEM:NAME, file.yaml]", field="scenarios"
        )
    runs = _whole(given, "runs", path, default=1_000, low=1, high=MOST_RUNS)
    seed = _whole(given, "seed", path, default=1, low=0, high=MOST_SEED)
    until = _share(given.get("until"))
    if until is not None and (not isinstance(until, int | float) or isinstance(until, bool) or not 0 < until < 1):
        raise InvalidInputError(
            f"{path}: until is {until!r:.40}; allowed is a share above 0 and below 1, such as 1% or 0.01"
        )
    axes = _axes(given.get("axes", {}), path)
    size = len(words)
    for values in axes.values():
        size *= len(values)
    if size > MOST_CASES:
        raise InvalidInputError(f"{path}: the grid has {size:,} cases, at most {MOST_CASES:,}")
    anyway = given.get("anyway", False) is True
    cases: list[SweepCase] = []
    for word in words:
        file = path.parent / word
        scenario = load_scenario(file if file.is_file() else word)
        plain = job_of(scenario, runs=runs, seed=seed, anyway=anyway)
        cases += cases_of(plain, axes, {"scenario": word} if len(words) > 1 else {}, anyway=anyway)
    return SweepGrid(str(given.get("title", path.stem))[:200], tuple(cases), until)


def cases_of(
    job: Job, axes: Mapping[str, Sequence[str]], labels: Mapping[str, str] | None = None, *, anyway: bool = False
) -> list[SweepCase]:
    """One case for every combination of the changes on the axes; an empty change leaves the job as it is."""
    cases = []
    for picked in product(*axes.values()):
        own = dict(labels or {}) | {name: value or AS_IT_IS for name, value in zip(axes, picked, strict=True)}
        changes = ", ".join([value for value in picked if value])
        cases.append(SweepCase(own, changed(job, changes, anyway=anyway) if changes else job))
    return cases


def _share(given: Any) -> Any:
    """Convert a percentage text to a share; return any other value unchanged."""
    read = _PERCENT.match(given) if isinstance(given, str) else None
    return given if read is None else float(read[1]) / 100


def _texts(given: Mapping[Any, Any], name: str, path: Path) -> list[str]:
    found = given.get(name, [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or len(found) > MOST_VALUES or not all(isinstance(one, str) for one in found):
        raise InvalidInputError(f"{path}: {name} is a list of at most {MOST_VALUES} texts", field=name)
    return found


def _whole(given: Mapping[Any, Any], name: str, path: Path, *, default: int, low: int, high: int) -> int:
    found = given.get(name, default)
    if type(found) is not int or not low <= found <= high:
        raise InvalidInputError(
            f"{path}: {name} is {found!r:.40}; allowed is a whole number from {low} to {high:,}", field=name
        )
    return found


def _axes(given: Any, path: Path) -> dict[str, list[str]]:
    if not isinstance(given, dict) or len(given) > MOST_AXES or not all(isinstance(name, str) for name in given):
        raise InvalidInputError(
            f"{path}: axes are at most {MOST_AXES} names, each with a list of changes", field="axes"
        )
    axes = {name: _texts(given, name, path) for name in given}
    for name, values in axes.items():
        if not values or len(set(values)) < len(values):
            raise InvalidInputError(f"{path}: the axis {name:.40} has no values, or one of them twice", field="axes")
    return axes


class SweepStore:
    """SQLite file with the results of a grid. It is locked while open, and refuses a different grid."""

    def __init__(self, path: Path, grid: SweepGrid) -> None:
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise InvalidInputError(f"{path} cannot be written: it is a folder, or its folder is not there")
        self.path = path
        try:
            self._base = sqlite3.connect(path, timeout=1, isolation_level=None)
            self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.execute("BEGIN EXCLUSIVE")
            self._base.execute("CREATE TABLE IF NOT EXISTS grid (format INTEGER, id TEXT)")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS chunks (job INTEGER, chunk INTEGER, counts TEXT, PRIMARY KEY (job, chunk))"
            )
            found = self._base.execute("SELECT format, id FROM grid").fetchone()
            if found is None:
                self._base.execute("INSERT INTO grid VALUES (?, ?)", (FORMAT, grid.id))
            self._base.execute("COMMIT")
        except sqlite3.DatabaseError as problem:
            why = "another process works on it" if "locked" in str(problem) else "it is not a file of a sweep"
            raise InvalidInputError(f"{path} cannot be used: {why}") from None
        if found is not None and found != (FORMAT, grid.id):
            self.close()
            raise InvalidInputError(f"{path} holds another grid, or one that was changed since; name another file")

    def done(self) -> set[tuple[int, int]]:
        """Saved (case, chunk) pairs."""
        return set(self._base.execute("SELECT job, chunk FROM chunks"))

    def keep(self, case: int, chunk: int, counts: str) -> None:
        """Save the totals of a chunk in one transaction; a chunk that is already saved stays."""
        self._base.execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?)", (case, chunk, counts))

    def counts(self, case: int) -> Iterator[FightTotals]:
        """Saved totals of a case in chunk order, up to the first missing chunk."""
        rows = self._base.execute("SELECT chunk, counts FROM chunks WHERE job = ? ORDER BY chunk", (case,))
        for place, (chunk, text) in enumerate(rows):
            if chunk != place:
                return
            yield counts_of(text)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._base.close()


def sweep(
    grid: SweepGrid,
    path: Path,
    workers: Executor | None = None,
    *,
    progress: Callable[[int, int, float], None] | None = None,
) -> list[tuple[SweepCase, Result]]:
    """Run or resume a grid; a keyboard interrupt keeps the finished chunks.

    ``progress`` receives the finished fights, all fights and the elapsed seconds.
    """
    staff, began = workers if workers is not None else SerialExecutor(), time.monotonic()
    kept = SweepStore(path, grid)
    try:
        there = kept.done()
        enough = {place for place, case in enumerate(grid.cases) if _stopped(kept, grid, place, case)}
        so_far = {place: _so_far(kept, place) for place in range(len(grid.cases))}
        done = sum([len(grid.cases[place].job.numbers(chunk)) for place, chunk in there])
        sent: list[tuple[int, int]] = []

        def tasks() -> Iterator[tuple[str, int]]:
            for place, case in enumerate(grid.cases):
                text = case.job.to_text()
                for chunk in range(case.job.chunks):
                    if place in enough:
                        break
                    if (place, chunk) not in there:
                        sent.append((place, chunk))
                        yield text, chunk

        try:
            for at, counts in enumerate(staff.in_order(fight_chunk, tasks())):
                place, chunk = sent[at]
                kept.keep(place, chunk, counts)
                done += len(grid.cases[place].job.numbers(chunk))
                so_far[place].merge(counts_of(counts))
                if place not in enough and reason_to_stop(grid.cases[place].job, so_far[place], grid.until):
                    enough.add(place)
                if progress is not None:
                    progress(done, grid.fights, time.monotonic() - began)
        except KeyboardInterrupt:
            pass
        return [(case, _result(kept, grid, place, case, staff)) for place, case in enumerate(grid.cases)]
    finally:
        kept.close()


def _so_far(kept: SweepStore, place: int) -> FightTotals:
    counts = FightTotals()
    for chunk in kept.counts(place):
        counts.merge(chunk)
    return counts


def _stopped(kept: SweepStore, grid: SweepGrid, place: int, case: SweepCase) -> bool:
    return bool(gather(case.job, kept.counts(place), until=grid.until)[1])


def _result(kept: SweepStore, grid: SweepGrid, place: int, case: SweepCase, staff: Executor) -> Result:
    """Result of a case from its saved chunks, independent of interruptions."""
    counts, stopped, _ = gather(case.job, kept.counts(place), until=grid.until)
    if not stopped and counts.fights < case.job.runs:
        stopped = "cancelled"
    return Result(case.job, counts, stopped, 0.0, staff.words)
