"""A grid of scenarios as one job: every value of every axis with every other, kept in one file as it is worked off.

    title: How many rats, and does it help to think?
    scenarios: [coinfolk:together]
    runs: 400
    seed: 1
    axes:
      tactics: ["", "policy:folk=random"]
      rats: ["", "add:rat", "add:rat, add:rat"]

The values of an axis are changes as :mod:`tablewright.lab.changing` reads them; nothing is the scenario as it is. What
is done stands in an SQLite file: each chunk is written in one step and can be there only once, so that a job that was
killed goes on where it was, with nothing lost and nothing counted twice.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from tablewright.dice.source import MOST_SEED
from tablewright.errors import BadInput, nearest
from tablewright.game.scenario import load_scenario
from tablewright.game.yaml_lines import read_document
from tablewright.lab.changing import changed
from tablewright.lab.counts import Counts
from tablewright.lab.jobs import MOST_RUNS, Job, counts_of, fight_chunk, job_of
from tablewright.lab.simulating import Result, gather, reason_to_stop
from tablewright.lab.workers import Here, Workers

FORMAT = 1
MOST_CASES = 2_000
MOST_AXES = 10
MOST_VALUES = 200
AS_IT_IS = "as it is"
_PERCENT = re.compile(r"\s*([0-9]{1,2}(?:\.[0-9]{1,6})?)\s*%\s*\Z")
_KNOWN = ("title", "scenarios", "runs", "seed", "until", "axes", "anyway")


@dataclass(frozen=True)
class Case:
    """One scenario of a grid: the value of each axis, and the job."""

    labels: Mapping[str, str]
    job: Job


@dataclass(frozen=True)
class Grid:
    """All cases, in order; ``until`` stops each of them when its win chances are known so well."""

    title: str
    cases: tuple[Case, ...]
    until: float | None = None

    @property
    def id(self) -> str:
        """A short name that only this grid has."""
        text = json.dumps([case.job.id for case in self.cases] + [self.until])
        return blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def fights(self) -> int:
        """How many there are in all."""
        return sum([case.job.runs for case in self.cases])


def read_grid(path: Path) -> Grid:
    """The grid that a file describes; every case is checked before the first fight."""
    given = read_document(path).value
    if not isinstance(given, dict):
        raise BadInput(f"{path}: this is no grid; it holds {', '.join(_KNOWN)}")
    unknown = [str(name) for name in given if name not in _KNOWN]
    if unknown:
        raise BadInput(
            f'{path}: "{unknown[0]:.40}" is unknown; allowed are {", ".join(_KNOWN)}{nearest(unknown[0], _KNOWN)}'
        )
    words = _texts(given, "scenarios", path)
    if not words:
        raise BadInput(f"{path}: scenarios names none; write scenarios: [SYSTEM:NAME, file.yaml]", field="scenarios")
    runs = _whole(given, "runs", path, default=1_000, low=1, high=MOST_RUNS)
    seed = _whole(given, "seed", path, default=1, low=0, high=MOST_SEED)
    until = _share(given.get("until"))
    if until is not None and (not isinstance(until, int | float) or isinstance(until, bool) or not 0 < until < 1):
        raise BadInput(f"{path}: until is {until!r:.40}; allowed is a share above 0 and below 1, such as 1% or 0.01")
    axes = _axes(given.get("axes", {}), path)
    size = len(words)
    for values in axes.values():
        size *= len(values)
    if size > MOST_CASES:
        raise BadInput(f"{path}: the grid has {size:,} cases, at most {MOST_CASES:,}")
    anyway = given.get("anyway", False) is True
    cases = []
    for word in words:
        file = path.parent / word
        scenario = load_scenario(file if file.is_file() else word)
        plain = job_of(scenario, runs=runs, seed=seed, anyway=anyway)
        for picked in product(*axes.values()):
            labels = {"scenario": word} if len(words) > 1 else {}
            labels |= {name: value or AS_IT_IS for name, value in zip(axes, picked, strict=True)}
            changes = ", ".join([value for value in picked if value])
            cases.append(Case(labels, changed(plain, changes, anyway=anyway) if changes else plain))
    return Grid(str(given.get("title", path.stem))[:200], tuple(cases), until)


def _share(given: Any) -> Any:
    """A share that is written in percent as a number; everything else as it is."""
    read = _PERCENT.match(given) if isinstance(given, str) else None
    return given if read is None else float(read[1]) / 100


def _texts(given: Mapping[Any, Any], name: str, path: Path) -> list[str]:
    found = given.get(name, [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or len(found) > MOST_VALUES or not all(isinstance(one, str) for one in found):
        raise BadInput(f"{path}: {name} is a list of at most {MOST_VALUES} texts", field=name)
    return found


def _whole(given: Mapping[Any, Any], name: str, path: Path, *, default: int, low: int, high: int) -> int:
    found = given.get(name, default)
    if type(found) is not int or not low <= found <= high:
        raise BadInput(f"{path}: {name} is {found!r:.40}; allowed is a whole number from {low} to {high:,}", field=name)
    return found


def _axes(given: Any, path: Path) -> dict[str, list[str]]:
    if not isinstance(given, dict) or len(given) > MOST_AXES or not all(isinstance(name, str) for name in given):
        raise BadInput(f"{path}: axes are at most {MOST_AXES} names, each with a list of changes", field="axes")
    axes = {name: _texts(given, name, path) for name in given}
    for name, values in axes.items():
        if not values or len(set(values)) < len(values):
            raise BadInput(f"{path}: the axis {name:.40} has no values, or one of them twice", field="axes")
    return axes


class Kept:
    """The file in which a grid is worked off."""

    def __init__(self, path: Path, grid: Grid) -> None:
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise BadInput(f"{path} cannot be written: it is a folder, or its folder is not there")
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
            why = "another process works on it" if "locked" in str(problem) else "it is no file of a sweep"
            raise BadInput(f"{path} cannot be used: {why}") from None
        if found is not None and found != (FORMAT, grid.id):
            self.close()
            raise BadInput(f"{path} holds another grid, or one that was changed since; name another file")

    def done(self) -> set[tuple[int, int]]:
        """What is there already: cases by their place, and chunks."""
        return set(self._base.execute("SELECT job, chunk FROM chunks"))

    def keep(self, case: int, chunk: int, counts: str) -> None:
        """Keep what a chunk has counted: wholly or not at all."""
        self._base.execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?)", (case, chunk, counts))

    def counts(self, case: int) -> Iterator[Counts]:
        """What is there of a case, chunk by chunk in order, up to the first that is missing."""
        rows = self._base.execute("SELECT chunk, counts FROM chunks WHERE job = ? ORDER BY chunk", (case,))
        for place, (chunk, text) in enumerate(rows):
            if chunk != place:
                return
            yield counts_of(text)

    def close(self) -> None:
        """Let others have the file."""
        self._base.close()


def sweep(
    grid: Grid,
    path: Path,
    workers: Workers | None = None,
    *,
    progress: Callable[[int, int, float], None] | None = None,
) -> list[tuple[Case, Result]]:
    """Work a grid off, or go on with it; an interrupt from the keyboard keeps what is done.

    ``progress`` hears how many fights are done, of how many, and the seconds.
    """
    staff, began = workers if workers is not None else Here(), time.monotonic()
    kept = Kept(path, grid)
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


def _so_far(kept: Kept, place: int) -> Counts:
    counts = Counts()
    for chunk in kept.counts(place):
        counts.merge(chunk)
    return counts


def _stopped(kept: Kept, grid: Grid, place: int, case: Case) -> bool:
    return bool(gather(case.job, kept.counts(place), until=grid.until)[1])


def _result(kept: Kept, grid: Grid, place: int, case: Case, staff: Workers) -> Result:
    """What a case came to; the same however often it was gone on with."""
    counts, stopped, _ = gather(case.job, kept.counts(place), until=grid.until)
    if not stopped and counts.fights < case.job.runs:
        stopped = "cancelled"
    return Result(case.job, counts, stopped, 0.0, staff.words)
