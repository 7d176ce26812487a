"""Simulations that run beside everything else: piece by piece in a process of their own, with figures on the way."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tablewright.errors import TablewrightError
from tablewright.server.problems import Busy, details
from tablewright.server.settings import Limits
from tablewright.server.working import Refused, Workers
from tablewright.table import NotFound

if TYPE_CHECKING:
    from tablewright.lab.counts import Counts
    from tablewright.lab.pairs import Pairs

CHUNK_SECONDS = 300.0


@dataclass
class Running:
    """A simulation on its way, or at its end."""

    id: str
    owner: str
    text: str
    chunks: int
    until: float | None
    before: str | None = None
    pairs: Pairs | None = None
    began: float = field(default_factory=time.monotonic)
    counts: Counts | None = None
    stopped: str = ""
    state: str = "running"
    problem: dict[str, Any] | None = None
    ended: float | None = None
    task: asyncio.Task[None] | None = None

    def to_json(self) -> dict[str, Any]:
        """How far it is, and the figures so far with their intervals."""
        from tablewright.lab.jobs import Job  # noqa: PLC0415  (loaded when it is needed)
        from tablewright.lab.simulating import Result  # noqa: PLC0415

        job = Job.from_text(self.text)
        seconds = (self.ended or time.monotonic()) - self.began
        told: dict[str, Any] = {"id": self.id, "state": self.state, "runs": job.runs, "seconds": round(seconds, 2)}
        if self.problem is not None:
            told["problem"] = self.problem
        if self.counts is not None:
            told["result"] = Result(job, self.counts, self.stopped, seconds, "the server").to_json()
        if self.pairs is not None and self.before is not None:
            from tablewright.lab.pairs import Difference  # noqa: PLC0415

            results = [
                Result(Job.from_text(text), counts, self.stopped, seconds, "the server")
                for text, counts in ((self.before, self.pairs.before), (self.text, self.pairs.after))
            ]
            found = Difference(results[0], results[1], self.pairs, self.stopped).to_json()
            told |= {"before": found["before"], "difference": found["difference"]}
        return told


class Jobs:
    """The simulations of one server: few at once, the finished ones kept for a while."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._jobs: OrderedDict[str, Running] = OrderedDict()
        self._workers: Workers | None = None

    @property
    def running(self) -> int:
        """How many are on their way."""
        return sum([job.state == "running" for job in self._jobs.values()])

    def start(self, owner: str, made: dict[str, Any], until: float | None) -> Running:
        """Begin a simulation; its name is hard to guess and opens it only to whoever began it."""
        if self.running >= self.limits.jobs:
            raise Busy("too many simulations are running already; wait for one, or cancel it", 5)
        self.ready()
        assert self._workers is not None
        job = Running(secrets.token_urlsafe(9), owner, made["text"], made["chunks"], until, made.get("before"))
        self._jobs[job.id] = job
        while len(self._jobs) > self.limits.jobs_kept:
            self._forget_one()
        job.task = asyncio.create_task(self._run(job, self._workers))
        return job

    def _forget_one(self) -> None:
        for name, job in self._jobs.items():
            if job.state != "running":
                del self._jobs[name]
                return

    def get(self, owner: str, name: str) -> Running:
        """A simulation of somebody's own."""
        job = self._jobs.get(name)
        if job is None or job.owner != owner:
            raise NotFound("there is no such simulation of yours")
        return job

    def cancel(self, job: Running) -> None:
        """Stop it; what is done is kept."""
        if job.state == "running" and job.task is not None:
            job.task.cancel()

    async def _run(self, job: Running, workers: Workers) -> None:
        from tablewright.lab.counts import Counts  # noqa: PLC0415
        from tablewright.lab.jobs import Job, counts_of  # noqa: PLC0415
        from tablewright.lab.simulating import reason_to_stop  # noqa: PLC0415

        plain, job.counts = Job.from_text(job.text), Counts()
        try:
            for chunk in range(job.chunks):
                if job.before is None:
                    told = await workers.ask(job.id, "fights", {"text": job.text, "chunk": chunk}, CHUNK_SECONDS)
                    job.counts.merge(counts_of(told["counts"]))
                else:
                    asked = {"before": job.before, "text": job.text, "chunk": chunk}
                    told = await workers.ask(job.id, "pairs", asked, CHUNK_SECONDS)
                    job.counts = _with_pairs(job, told["pairs"])
                job.stopped = reason_to_stop(plain, job.counts, job.until)
                if job.stopped:
                    break
            job.state = "done"
        except asyncio.CancelledError:
            job.state, job.stopped = "cancelled", "cancelled"
        except TablewrightError as problem:
            job.state = "failed"
            job.problem = problem.told if isinstance(problem, Refused) else details(problem)
        finally:
            job.ended = time.monotonic()

    def ready(self) -> None:
        """Have the process that fights wait for the first simulation, so that nobody waits for it."""
        if self._workers is None:
            self._workers = Workers(1, self.limits)
            self._workers.start()

    def stop(self) -> None:
        """End everything."""
        for job in self._jobs.values():
            self.cancel(job)
        if self._workers is not None:
            self._workers.stop()


def _with_pairs(job: Running, text: str) -> Counts:
    """Put another piece of pairs to those that are there; gives what was counted with the change."""
    from tablewright.lab.pairs import Pairs  # noqa: PLC0415

    found = Pairs.from_json(json.loads(text))
    if job.pairs is None:
        job.pairs = found
    else:
        job.pairs.merge(found)
    return job.pairs.after
