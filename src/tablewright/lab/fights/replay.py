"""Replay of one fight of a job, from the job's seed and the fight's number, with its full log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.lab.fights.job import Job
from tablewright.lab.fights.totals import NOBODY
from tablewright.lab.fights.trial import Arena, Trial, winner_of


@dataclass(frozen=True)
class ReplayedFight:
    """One fight as a session; its log holds every event and the trace of every mechanic."""

    job: Job
    number: int
    winner: str
    trial: Trial

    @property
    def rounds(self) -> int:
        """Number of rounds fought."""
        return self.trial.scene.round

    def to_json(self) -> dict[str, Any]:
        """The fight as JSON with all records."""
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


def replay_fight(job: Job, number: int) -> ReplayedFight:
    """Replay a fight by its number; a number outside the job is refused."""
    if not 0 <= number < job.runs:
        raise InvalidInputError(
            f"there is no fight {number}; the job has the numbers 0 to {job.runs - 1}", field="show"
        )
    return _seen(job, job.ring(), number)


def look_for(job: Job, wanted: str, told: Callable[[int], None] | None = None) -> ReplayedFight:
    """Replay the first fight that the first side ``won`` or ``lost``, or that was a ``draw``.

    ``told`` is called after each fight with the number of fights checked. Without a match it raises an error.
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


def _seen(job: Job, ring: Arena, number: int) -> ReplayedFight:
    trial = ring.play(number)
    return ReplayedFight(job, number, winner_of(trial.scene, ring.book), trial)
