"""Fighting a job to its end, or as far as it is needed: chunk by chunk, in their order.

What is looked at on the way (whether the interval is narrow enough, whether anything can end at all, whether somebody
wants it to stop) is looked at after each chunk in its order, never in the order in which they arrive: so the same job
gives the same figures on one worker, on two, and on a cluster.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from tablewright.errors import BadInput
from tablewright.lab.counts import NOBODY, Count, Counts
from tablewright.lab.intervals import Interval, share
from tablewright.lab.jobs import Job, counts_of, fight_chunk
from tablewright.lab.workers import Here, Workers

LEAST_FIGHTS = 100
"""Before so many fights no interval is taken for narrow enough."""

ENOUGH_TO_TELL = 20
"""After so many fights that nobody was hurt in it is clear that none would ever end."""


@dataclass(frozen=True)
class Progress:
    """How far it has come."""

    job: Job
    counts: Counts
    seconds: float

    @property
    def rate(self) -> float:
        """Fights in a second."""
        return self.counts.fights / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """How long it will still take at this rate, if nothing stops it before."""
        return (self.job.runs - self.counts.fights) / self.rate if self.rate else 0.0


@dataclass(frozen=True)
class Result:
    """What came of a job. ``stopped`` is empty, or ``until`` (narrow enough), ``cancelled`` or ``endless``."""

    job: Job
    counts: Counts
    stopped: str = ""
    seconds: float = 0.0
    workers: str = ""

    @property
    def digest(self) -> str:
        """A short word for all that was counted: equal results have equal digests."""
        text = json.dumps(self.counts.to_json(), sort_keys=True, separators=(",", ":"))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def wins(self) -> dict[str, Interval]:
        """The chance that each side wins, and that nobody does where that happened."""
        sides = {side: self.counts.share_won(side) for side in self.job.sides}
        return sides | ({NOBODY: self.counts.share_won(NOBODY)} if NOBODY in self.counts.won else {})

    @property
    def people(self) -> list[str]:
        """Everybody who was counted: first those of the scenario in its order, then those who came."""
        known = [str(given["id"]) for given in self.job.scenario["participants"]]
        return [*known, *[who for who in self.counts.people if who not in known]] if self.counts.fights else []

    @property
    def why_no_end(self) -> str:
        """In words, why fights were ended by the round limit; empty where none was."""
        return no_end(self.job, self.counts)

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON."""
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
            "path": job.path,
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


def person_json(counts: Counts, who: str) -> dict[str, Any]:
    """What was counted of one participant, as JSON."""
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


def no_end(job: Job, counts: Counts) -> str:
    """Why fights were ended by the round limit, in words; empty where none was."""
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
    workers: Workers | None = None,
    *,
    until: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Fight a job. It stops early when every win chance is known to within ``until`` (half of the interval's width).

    An interrupt from the keyboard stops it too: what is done is kept, up to the first chunk that is not.
    """
    if until is not None and not 0 < until < 1:
        raise BadInput(f"until is {until}; allowed is a share above 0 and below 1, such as 0.01", field="until")
    staff = workers if workers is not None else Here()
    text = job.to_text()
    results = staff.in_order(fight_chunk, ((text, chunk) for chunk in range(job.chunks)))
    counts, stopped, seconds = gather(job, map(counts_of, results), until=until, progress=progress)
    return Result(job, counts, stopped, seconds, staff.words)


def gather(
    job: Job,
    chunks: Iterable[Counts] | Iterator[Counts],
    *,
    until: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Counts, str, float]:
    """Put chunks together in their order until there is reason to stop; gives that reason too, and the seconds."""
    began = time.monotonic()
    counts, stopped = Counts(), ""
    try:
        for chunk in chunks:
            counts.merge(chunk)
            if progress is not None:
                progress(Progress(job, counts, time.monotonic() - began))
            stopped = reason_to_stop(job, counts, until)
            if stopped:
                break
    except KeyboardInterrupt:
        stopped = "cancelled"
    return counts, stopped, time.monotonic() - began


def reason_to_stop(job: Job, counts: Counts, until: float | None) -> str:
    """Why no more fights are needed; empty where they are."""
    if counts.fights >= job.runs:
        return ""
    if counts.fights >= ENOUGH_TO_TELL and counts.harmless == counts.fights:
        return "endless"
    if until is not None and counts.fights >= LEAST_FIGHTS:
        widest = max(counts.share_won(side).half for side in (*job.sides, NOBODY))
        if widest <= until:
            return "until"
    return ""
