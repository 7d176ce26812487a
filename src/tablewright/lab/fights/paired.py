"""Paired comparison of a job with and without one change, fight by fight with the same dice.

Each difference has its own interval. The two fights of a pair are equal until the change takes effect, which makes this
interval narrower than the two separate intervals suggest.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.game.system.rulebook import Rulebook
from tablewright.lab.fights.executors import Executor, SerialExecutor
from tablewright.lab.fights.intervals import Interval, Z
from tablewright.lab.fights.job import Job, naming_the_fight, ring_of
from tablewright.lab.fights.simulation import LEAST_FIGHTS, Progress, Result
from tablewright.lab.fights.totals import NOBODY, Count, FightTotals
from tablewright.lab.fights.trial import FightResult, tell


@dataclass
class Cells:
    """Contingency counts of a yes/no fact over pairs: true in both fights, in one only, in neither."""

    both: int = 0
    before: int = 0
    after: int = 0
    neither: int = 0

    def add(self, before: bool, after: bool) -> None:
        """Count one pair."""
        if before and after:
            self.both += 1
        elif before:
            self.before += 1
        elif after:
            self.after += 1
        else:
            self.neither += 1

    def merge(self, other: Cells) -> None:
        """Add the counts of another."""
        self.both += other.both
        self.before += other.before
        self.after += other.after
        self.neither += other.neither

    def difference(self) -> Interval:
        """Change of the share, by Agresti and Min's interval, which adds half a pair to each cell.

        >>> [round(bound, 3) for bound in Cells(both=40, before=5, after=15, neither=40).difference()]
        [0.1, 0.012, 0.184]
        """
        of = self.both + self.before + self.after + self.neither
        if not of:
            return Interval(0.0, -1.0, 1.0)
        first, second, whole = self.before + 0.5, self.after + 0.5, of + 2
        middle = (second - first) / whole
        half = Z * sqrt(max(0.0, first + second - (second - first) ** 2 / whole)) / whole
        return Interval((self.after - self.before) / of, max(-1.0, middle - half), min(1.0, middle + half))

    def to_json(self) -> list[int]:
        """The four counts as a JSON list."""
        return [self.both, self.before, self.after, self.neither]


@dataclass
class Pairs:
    """Totals of paired fights: those of each job, and those of the differences.

    ``alike`` counts pairs that ended with equal participants after equally many rounds.
    """

    before: FightTotals = field(default_factory=FightTotals)
    after: FightTotals = field(default_factory=FightTotals)
    alike: int = 0
    won: dict[str, Cells] = field(default_factory=dict)
    fell: dict[str, Cells] = field(default_factory=dict)
    died: dict[str, Cells] = field(default_factory=dict)
    rounds: Count = field(default_factory=Count)
    left: dict[str, dict[str, Count]] = field(default_factory=dict)

    def add(
        self, before: FightResult, after: FightResult, books: tuple[Rulebook, Rulebook], sides: tuple[str, ...]
    ) -> None:
        """Count one pair."""
        tell(self.before, before, books[0])
        tell(self.after, after, books[1])
        self.alike += before.scene.participants == after.scene.participants and before.rounds == after.rounds
        for side in (*sides, NOBODY):
            self.won.setdefault(side, Cells()).add(before.winner == side, after.winner == side)
        self.rounds.add(after.rounds - before.rounds)
        for one in before.scene.participants:
            if one.id not in after.scene:
                continue
            other = after.scene[one.id]
            self.fell.setdefault(one.id, Cells()).add(one.id in before.fell, one.id in after.fell)
            dead = books[0].vitals.dead(one), books[1].vitals.dead(other)
            self.died.setdefault(one.id, Cells()).add(*dead)
            counts = self.left.setdefault(one.id, {})
            for name, left in books[0].vitals.left.items():
                counts.setdefault(name, Count()).add(left(other) - left(one))

    def merge(self, other: Pairs) -> None:
        """Add the pairs of another, which come after these."""
        self.before.merge(other.before)
        self.after.merge(other.after)
        self.alike += other.alike
        self.rounds.merge(other.rounds)
        for mine, theirs in ((self.won, other.won), (self.fell, other.fell), (self.died, other.died)):
            for name, cells in theirs.items():
                mine.setdefault(name, Cells()).merge(cells)
        for who, counts in other.left.items():
            known = self.left.setdefault(who, {})
            for name, count in counts.items():
                known.setdefault(name, Count()).merge(count)

    def to_json(self) -> dict[str, Any]:
        """Totals as JSON with sorted keys."""

        def cells(of: Mapping[str, Cells]) -> dict[str, list[int]]:
            return {name: one.to_json() for name, one in sorted(of.items())}

        return {
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "alike": self.alike,
            "won": cells(self.won),
            "fell": cells(self.fell),
            "died": cells(self.died),
            "rounds": self.rounds.to_json(),
            "left": {
                who: {name: count.to_json() for name, count in sorted(counts.items())}
                for who, counts in sorted(self.left.items())
            },
        }

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Pairs:
        """Read totals from JSON."""

        def cells(of: Mapping[str, list[int]]) -> dict[str, Cells]:
            return {name: Cells(*numbers) for name, numbers in of.items()}

        return Pairs(
            FightTotals.from_json(raw["before"]),
            FightTotals.from_json(raw["after"]),
            raw["alike"],
            cells(raw["won"]),
            cells(raw["fell"]),
            cells(raw["died"]),
            Count.from_json(raw["rounds"]),
            {
                who: {name: Count.from_json(count) for name, count in counts.items()}
                for who, counts in raw["left"].items()
            },
        )


@dataclass(frozen=True)
class Difference:
    """Effect of a change: both results, and the differences with their own intervals."""

    before: Result
    after: Result
    pairs: Pairs
    stopped: str = ""

    @property
    def won(self) -> dict[str, Interval]:
        """Change of each side's win chance, and of the chance of a draw if one occurred."""
        drawn = self.before.counts.won.get(NOBODY) or self.after.counts.won.get(NOBODY)
        sides = (*self.before.job.sides, *([NOBODY] if drawn else []))
        return {side: self.pairs.won[side].difference() for side in sides if side in self.pairs.won}

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON."""
        pairs = self.pairs
        return {
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "stopped": self.stopped,
            "alike": pairs.alike,
            "difference": {
                "won": {side or "draw": interval.to_json() for side, interval in self.won.items()},
                "falls": {who: cells.difference().to_json() for who, cells in pairs.fell.items()},
                "dies": {who: cells.difference().to_json() for who, cells in pairs.died.items()},
                "rounds": pairs.rounds.mean().to_json(),
                "left": {
                    who: {name: count.mean().to_json() for name, count in counts.items()}
                    for who, counts in pairs.left.items()
                },
            },
        }


def fight_pairs(before: str, after: str, chunk: int) -> str:
    """Fight one chunk of two jobs in pairs; executors run this function."""
    return pair_some(before, after, Job.from_text(before).numbers(chunk))


def pair_some(before: str, after: str, numbers: range) -> str:
    """Fight the given fight numbers of two jobs in pairs."""
    rings = ring_of(before), ring_of(after)
    job = Job.from_text(before)
    pairs, books = Pairs(), (rings[0].book, rings[1].book)
    with naming_the_fight():
        for number in numbers:
            pairs.add(rings[0].fight(number), rings[1].fight(number), books, job.sides)
    return json.dumps(pairs.to_json(), separators=(",", ":"))


def compare_change(
    before: Job,
    after: Job,
    workers: Executor | None = None,
    *,
    until: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Difference:
    """Fight two jobs in pairs; both need the same system, seed and number of runs.

    ``until`` stops once the change of the first side's win chance is known to within that share.
    """
    if (before.seed, before.runs, before.system) != (after.seed, after.runs, after.system):
        raise InvalidInputError(
            "two jobs are compared fight by fight: they must have one system, one seed and as many runs"
        )
    staff, began = workers if workers is not None else SerialExecutor(), time.monotonic()
    texts = before.to_text(), after.to_text()
    pairs, stopped = Pairs(), ""
    results = staff.in_order(fight_pairs, ((*texts, chunk) for chunk in range(before.chunks)))
    try:
        for result in results:
            pairs.merge(Pairs.from_json(json.loads(result)))
            if progress is not None:
                progress(Progress(before, pairs.before, time.monotonic() - began))
            done = pairs.before.fights
            enough = until is not None and LEAST_FIGHTS <= done < before.runs
            if enough and pairs.won[before.sides[0]].difference().half <= (until or 0):
                stopped = "until"
                break
    except KeyboardInterrupt:
        stopped = "cancelled"
    seconds = time.monotonic() - began
    return Difference(
        Result(before, pairs.before, stopped, seconds, staff.words),
        Result(after, pairs.after, stopped, seconds, staff.words),
        pairs,
        stopped,
    )
