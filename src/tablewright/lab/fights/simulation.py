"""Simulation of a job, chunk by chunk, until it is complete or may stop early.

Stop conditions are tested after each chunk in chunk order, not in order of arrival. The same job therefore gives the
same figures on one worker, on two and on a cluster.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.lab.fights.executors import Executor, SerialExecutor
from tablewright.lab.fights.intervals import Interval, share
from tablewright.lab.fights.job import Job, counts_of, fight_chunk
from tablewright.lab.fights.totals import NOBODY, Count, FightTotals

LEAST_FIGHTS = 100
"""Lower bound for fights before an interval can stop a job."""

ENOUGH_TO_TELL = 20
"""Number of fights, all without damage, after which a job counts as endless."""

TEST_MARGIN = 0.03
TEST_ODDS = 19.0
"""Distance from the target at which a :class:`SideTest` is wrong in 5 of 100 searches, and the odds for that."""


@dataclass(frozen=True)
class Progress:
    """Progress of a running job."""

    job: Job
    counts: FightTotals
    seconds: float

    @property
    def rate(self) -> float:
        """Fights per second."""
        return self.counts.fights / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class SideTest:
    """Wald's sequential test on which side of a target a win chance lies.

    It weighs ``TEST_MARGIN`` above the target against as much below it, and stops when one is ``TEST_ODDS`` times as
    likely as the other: far from the target after a few dozen fights. Within the margin either answer is as good.

    >>> test = SideTest("party", 0.6)
    >>> counts = FightTotals(fights=30, won={"party": 5})
    >>> test.is_decided(counts), test.is_above(counts), test.is_decided(FightTotals(fights=30, won={"party": 18}))
    (True, False, False)
    """

    side: str
    target: float

    def score(self, counts: FightTotals) -> float:
        """Logarithm of the likelihood ratio of above against below."""
        low, high = max(1e-3, self.target - TEST_MARGIN), min(1 - 1e-3, self.target + TEST_MARGIN)
        won = counts.won.get(self.side, 0)
        return won * log(high / low) + (counts.fights - won) * log((1 - high) / (1 - low))

    def is_decided(self, counts: FightTotals) -> bool:
        """True if one answer is likely enough."""
        return abs(self.score(counts)) >= log(TEST_ODDS)

    def is_above(self, counts: FightTotals) -> bool:
        """The likelier answer: at or above the target."""
        return self.score(counts) >= 0 if self.is_decided(counts) else counts.share_won(self.side).value >= self.target


@dataclass(frozen=True)
class Result:
    """Result of a job.

    ``stopped`` is empty, or the reason for an early stop: ``until`` (narrow enough), ``decided`` (by a test),
    ``cancelled`` or ``endless``.
    """

    job: Job
    counts: FightTotals
    stopped: str = ""
    seconds: float = 0.0
    workers: str = ""

    @property
    def digest(self) -> str:
        """Short hash of all totals; equal results have equal digests."""
        text = json.dumps(self.counts.to_json(), sort_keys=True, separators=(",", ":"))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def wins(self) -> dict[str, Interval]:
        """Win chance of each side, and of a draw if one occurred."""
        sides = {side: self.counts.share_won(side) for side in self.job.sides}
        return sides | ({NOBODY: self.counts.share_won(NOBODY)} if NOBODY in self.counts.won else {})

    @property
    def people(self) -> list[str]:
        """Participant ids: those of the scenario in its order, then those who joined later."""
        known = [str(given["id"]) for given in self.job.scenario["participants"]]
        return [*known, *[who for who in self.counts.people if who not in known]] if self.counts.fights else []

    @property
    def why_no_end(self) -> str:
        """Explanation of fights that hit the round limit; empty if none did."""
        return no_end(self.job, self.counts)

    def to_json(self) -> dict[str, Any]:
        """The whole result as JSON."""
        counts, job = self.counts, self.job
        return {
            "title": job.title,
            "system": job.system,
            "job": job.id,
            "seed": job.seed,
            "runs": job.runs,
            "fights": counts.fights,
            "stopped": self.stopped,
            "digest": self.digest,
            "policies": job.policies,
            "tactics": job.tactics,
            "path": "played",  # the only path since 0.2; readers of 0.1 expect the field
            "won": {side or "draw": interval.to_json() for side, interval in self.wins.items()},
            "outcomes": counts.outcomes,
            "rounds": _number(counts.rounds),
            "people": {who: person_json(counts, who) for who in self.people},
            "nobody": {name: count.filled(counts.fights).mean(0).to_json() for name, count in counts.nobody.items()},
            "no_end": self.why_no_end,
            "examples": {side or "draw": numbers for side, numbers in counts.examples.items()},
            "asks": counts.asks,
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
        }


def _number(count: Count) -> dict[str, Any]:
    told: dict[str, Any] = {"mean": count.mean().to_json()}
    for name, below in (("tenth", 0.1), ("median", 0.5), ("ninetieth", 0.9)):
        found = count.quantile(below)
        told[name] = None if found is None else found.to_json()
    return told


def person_json(counts: FightTotals, who: str) -> dict[str, Any]:
    """Totals of one participant as JSON."""
    person, of = counts.people[who], counts.fights
    return {
        "falls": share(person.fell, of).to_json(),
        "dies": share(person.died, of).to_json(),
        "goes": share(person.gone, of).to_json(),
        "left": {name: _number(count) for name, count in person.left.items()},
        "dealt": person.dealt.filled(of).mean(0).to_json(),
        "to_own_side": person.own.filled(of).mean(0).to_json(),
        "taken": person.taken.filled(of).mean(0).to_json(),
        "by_source": {name: count.filled(of).mean(0).to_json() for name, count in person.by_source.items()},
    }


def no_end(job: Job, counts: FightTotals) -> str:
    """Explain why fights hit the round limit; empty if none did."""
    if not counts.limited:
        return ""
    limit = job.scenario["rounds"]
    were = "was" if counts.limited == 1 else "were"
    words = f"{counts.limited:,} of {counts.fights:,} fights {were} ended by the limit of {limit} rounds"
    still = counts.still.mean().value
    if counts.harmless == counts.limited:
        words += "; nobody was hurt in any of them"
    elif still < 1:
        words += "; people were hurt in them to the end"
    else:
        words += f"; nobody was hurt in their last {still:.3g} rounds on average"
    done = sorted(counts.done.items(), key=lambda pair: (-pair[1], pair[0]))
    total = sum(counts.done.values())
    if done:
        words += "; what was done in them: " + ", ".join([f"{name} {times / total:.0%}" for name, times in done[:5]])
    return words


def simulate(
    job: Job,
    workers: Executor | None = None,
    *,
    until: float | None = None,
    test: SideTest | None = None,
    after: FightTotals | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Run a job, and stop early once every win chance is known to within ``until`` or a test is decided.

    ``until`` is half the width of the interval. ``after`` are the totals of the first chunks of the same job, which are
    not run again. A keyboard interrupt also stops the job; it keeps all chunks before the first missing one.
    """
    if until is not None and not 0 < until < 1:
        raise InvalidInputError(
            f"until is {until}; allowed is a share above 0 and below 1, such as 0.01", field="until"
        )
    staff = workers if workers is not None else SerialExecutor()
    text = job.to_text()
    counts = FightTotals()
    if after is not None:
        counts.merge(after)
        stopped = reason_to_stop(job, counts, until, test)
        if stopped or counts.fights >= job.runs:
            return Result(job, counts, stopped, 0.0, staff.words)
    chunks = range(-(-counts.fights // job.chunk), job.chunks)
    results = staff.in_order(fight_chunk, ((text, chunk) for chunk in chunks))
    stopped, seconds = gather_into(counts, job, map(counts_of, results), until=until, test=test, progress=progress)
    return Result(job, counts, stopped, seconds, staff.words)


def gather(
    job: Job,
    chunks: Iterable[FightTotals] | Iterator[FightTotals],
    *,
    until: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[FightTotals, str, float]:
    """Merge chunks in order until a stop condition holds; return totals, stop reason and seconds."""
    counts = FightTotals()
    return counts, *gather_into(counts, job, chunks, until=until, progress=progress)


def gather_into(
    counts: FightTotals,
    job: Job,
    chunks: Iterable[FightTotals] | Iterator[FightTotals],
    *,
    until: float | None = None,
    test: SideTest | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[str, float]:
    """Merge chunks in order into the totals until a stop condition holds; return stop reason and seconds."""
    began, stopped = time.monotonic(), ""
    try:
        for chunk in chunks:
            counts.merge(chunk)
            if progress is not None:
                progress(Progress(job, counts, time.monotonic() - began))
            stopped = reason_to_stop(job, counts, until, test)
            if stopped:
                break
    except KeyboardInterrupt:
        stopped = "cancelled"
    return stopped, time.monotonic() - began


def reason_to_stop(job: Job, counts: FightTotals, until: float | None, test: SideTest | None = None) -> str:
    """Reason to stop early: ``endless``, ``until``, ``decided``, or empty to continue."""
    if counts.fights >= job.runs:
        return ""
    if counts.fights >= ENOUGH_TO_TELL and counts.harmless == counts.fights:
        return "endless"
    if until is not None and counts.fights >= LEAST_FIGHTS:
        widest = max(counts.share_won(side).half for side in (*job.sides, NOBODY))
        if widest <= until:
            return "until"
    if test is not None and test.is_decided(counts):
        return "decided"
    return ""
