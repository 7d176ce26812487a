"""Looking at one fight of many: it is fought again from the job's seed and its number, and told in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablewright.errors import BadInput, TablewrightError
from tablewright.lab.counts import NOBODY
from tablewright.lab.fights import Ring, Trial, winner_of
from tablewright.lab.jobs import Job


@dataclass(frozen=True)
class Seen:
    """One fight as a whole session: its log has every event and the trace of every rule."""

    job: Job
    number: int
    winner: str
    trial: Trial

    @property
    def rounds(self) -> int:
        """How long it took."""
        return self.trial.scene.round

    def to_json(self) -> dict[str, Any]:
        """The fight as JSON, with all facts."""
        return {
            "title": self.job.title,
            "system": self.job.system,
            "seed": self.job.seed,
            "number": self.number,
            "winner": self.winner or None,
            "outcome": self.trial.scene.ended,
            "rounds": self.rounds,
            "entries": len(self.trial.entries),
            "facts": self.trial.facts,
        }


def look_at(job: Job, number: int) -> Seen:
    """The fight of a number."""
    if not 0 <= number < job.runs:
        raise BadInput(f"there is no fight {number}; the job has the numbers 0 to {job.runs - 1}", field="show")
    return _seen(job, job.ring(), number)


def look_for(job: Job, wanted: str, told: Callable[[int], None] | None = None) -> Seen:
    """The first fight that the first side has ``won``, has ``lost``, or that was a ``draw``.

    ``told`` hears after each fight how many were looked at.
    """
    first, ring = job.sides[0], job.ring()
    for number in range(job.runs):
        seen = _seen(job, ring, number)
        if wanted == {first: "won", NOBODY: "draw"}.get(seen.winner, "lost"):
            return seen
        if told is not None:
            told(number + 1)
    words = "ended without a winner" if wanted == "draw" else f"was {wanted} by {first}"
    raise TablewrightError(f"of {job.runs:,} fights none {words}")


def _seen(job: Job, ring: Ring, number: int) -> Seen:
    trial = ring.play(number)
    return Seen(job, number, winner_of(trial.scene, ring.book), trial)
