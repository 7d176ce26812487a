"""Background simulations, run in chunks in a process of their own, with intermediate figures."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tablewright.errors import TablewrightError
from tablewright.game.rules.entry_points import system_ids
from tablewright.server.problems import BusyError, details
from tablewright.server.settings import Limits
from tablewright.server.worker_pool import Asker, RefusedTask, WorkerPool
from tablewright.table import NotFoundError

if TYPE_CHECKING:
    from tablewright.lab.fights.paired import Pairs
    from tablewright.lab.fights.totals import FightTotals

CHUNK_SECONDS = 300.0
MOST_TO_STOP = 2.0
"""Seconds that the running fights may still take after a cancellation."""
UNWATCHED_SECONDS = 20.0
"""Seconds after the last look at a simulation until it gives way to another one."""
PIECE_SECONDS = 0.12
"""Approximate seconds of one request, after which a cancelled simulation ends; the first request is one fight."""


@dataclass
class RunningJob:
    """A running or finished simulation."""

    id: str
    owner: Asker
    text: str
    chunks: int
    until: float | None
    before: str | None = None
    pairs: Pairs | None = None
    began: float = field(default_factory=time.monotonic)
    counts: FightTotals | None = None
    stopped: str = ""
    state: str = "running"
    problem: dict[str, Any] | None = None
    ended: float | None = None
    task: asyncio.Task[None] | None = None
    is_stopping: bool = False
    looked: float = field(default_factory=time.monotonic)
    """Time of the last look at it."""

    def to_json(self) -> dict[str, Any]:
        """Progress, and the figures so far with their intervals."""
        from tablewright.lab.fights.job import Job  # noqa: PLC0415  (loaded on demand)
        from tablewright.lab.fights.simulation import Result  # noqa: PLC0415

        job = Job.from_text(self.text)
        seconds = (self.ended or time.monotonic()) - self.began
        told: dict[str, Any] = {"id": self.id, "state": self.state, "runs": job.runs, "seconds": round(seconds, 2)}
        if self.problem is not None:
            told["problem"] = self.problem
        if self.counts is not None:
            told["result"] = Result(job, self.counts, self.stopped, seconds, "the server").to_json()
        if self.pairs is not None and self.before is not None:
            from tablewright.lab.fights.paired import Difference  # noqa: PLC0415

            results = [
                Result(Job.from_text(text), counts, self.stopped, seconds, "the server")
                for text, counts in ((self.before, self.pairs.before), (self.text, self.pairs.after))
            ]
            found = Difference(results[0], results[1], self.pairs, self.stopped).to_json()
            told |= {"before": found["before"], "difference": found["difference"]}
        return told


class SimulationJobs:
    """Simulations of one server; a few run at once, and the finished ones are kept for a while."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._jobs: OrderedDict[str, RunningJob] = OrderedDict()
        self._workers: WorkerPool | None = None
        self._warming: dict[str, asyncio.Task[None]] = {}

    @property
    def running(self) -> int:
        """Number of running simulations."""
        return sum([job.state == "running" for job in self._jobs.values()])

    async def start(self, owner: Asker, asked: dict[str, Any], until: float | None) -> RunningJob:
        """Start a simulation; its id is hard to guess, and only its owner may see it.

        The simulation process reads the job itself, and does not wait behind odds.
        """
        workers = self.ready()
        self._check_room(owner)
        made = await workers.ask(owner, "job", asked)
        self._check_room(owner)
        job = RunningJob(secrets.token_urlsafe(9), owner, made["text"], made["chunks"], until, made.get("before"))
        self._jobs[job.id] = job
        while len(self._jobs) > self.limits.jobs_kept:
            self._forget_one()
        job.task = asyncio.create_task(self._run(job, workers))
        job.task.add_done_callback(partial(_close, job))
        return job

    def _check_room(self, owner: Asker) -> None:
        """Refuse another simulation if too many run: in all, of one client, or of all clients without a seat.

        A simulation that no one has looked at for a while gives way; its page was closed.
        """
        running = [job.owner for job in self._jobs.values() if job.state == "running"]
        own = [one for one in running if one.id == owner.id]
        strangers = [one for one in running if not one.is_known]
        is_full = len(running) >= self.limits.jobs or len(own) >= self.limits.jobs_at_once
        if is_full or (not owner.is_known and len(strangers) >= self.limits.jobs_of_strangers):
            self._end_unwatched()
            raise BusyError("too many simulations are running already; wait for one, or cancel it", 5)

    def _end_unwatched(self) -> None:
        """End every simulation that no one looks at any more."""
        now = time.monotonic()
        for job in self._jobs.values():
            if job.state == "running" and job.task is not None and now - job.looked > UNWATCHED_SECONDS:
                job.is_stopping = True  # a cancellation may be lost where an answer arrives at the same moment
                job.task.cancel()

    def _forget_one(self) -> None:
        for name, job in self._jobs.items():
            if job.state != "running":
                del self._jobs[name]
                return

    def get(self, owner: Asker, name: str) -> RunningJob:
        """A simulation of a client, by its id; refuse the ids of other clients."""
        job = self._jobs.get(name)
        if job is None or job.owner.id != owner.id:
            raise NotFoundError("there is no such simulation of yours")
        job.looked = time.monotonic()
        return job

    async def cancel(self, job: RunningJob) -> None:
        """Cancel a simulation, keep its results and wait for its end.

        Running fights may finish within ``MOST_TO_STOP`` seconds.
        """
        if job.state != "running" or job.task is None:
            return
        job.is_stopping = True
        _, late = await asyncio.wait([job.task], timeout=MOST_TO_STOP)
        if late:
            job.task.cancel()
            await asyncio.wait([job.task])

    async def _run(self, job: RunningJob, workers: WorkerPool) -> None:
        from tablewright.lab.fights.job import Job, counts_of  # noqa: PLC0415
        from tablewright.lab.fights.simulation import reason_to_stop  # noqa: PLC0415
        from tablewright.lab.fights.totals import FightTotals  # noqa: PLC0415

        plain, job.counts = Job.from_text(job.text), FightTotals()
        itself = Asker(f"job {job.id}", job.id, is_known=True)
        try:
            size = 1
            for chunk in range(job.chunks):
                numbers = plain.numbers(chunk)
                while numbers:
                    asked = {"text": job.text, "before": job.before, "numbers": numbers[:size]}
                    began, numbers = time.monotonic(), numbers[size:]
                    if job.before is None:
                        told = await workers.ask(itself, "fights", asked, CHUNK_SECONDS)
                        job.counts.merge(counts_of(told["counts"]))
                    else:
                        told = await workers.ask(itself, "pairs", asked, CHUNK_SECONDS)
                        job.counts = _with_pairs(job, told["pairs"])
                    if job.is_stopping:
                        job.state = job.stopped = "cancelled"
                        return
                    size = _next_size(size, time.monotonic() - began)
                # stop only at the end of a chunk, as the lab does: the same job stops at the same fight
                job.stopped = reason_to_stop(plain, job.counts, job.until)
                if job.stopped:
                    break
            job.state = "done"
        except asyncio.CancelledError:
            job.state, job.stopped = "cancelled", "cancelled"
        except TablewrightError as problem:
            job.state = "failed"
            job.problem = problem.told if isinstance(problem, RefusedTask) else details(problem)
        finally:
            job.ended = time.monotonic()

    def ready(self) -> WorkerPool:
        """The pool with the simulation process, started on the first call."""
        if self._workers is None:
            self._workers = WorkerPool(1, self.limits)
            self._workers.start()
        return self._workers

    def warm(self, scenario: str | dict[str, Any]) -> None:
        """Load a system in the simulation process ahead of the first fight."""
        system = scenario.partition(":")[0] if isinstance(scenario, str) else str(scenario.get("system"))[:60]
        if system in system_ids() and system not in self._warming:
            self._warming[system] = asyncio.create_task(self._warmed(self.ready(), scenario))

    async def _warmed(self, workers: WorkerPool, scenario: str | dict[str, Any]) -> None:
        with suppress(TablewrightError):  # the simulation itself will report the error
            await workers.ask(Asker("", "", is_known=True), "warm", {"scenario": scenario}, CHUNK_SECONDS)

    def stop(self) -> None:
        """Stop all simulations and the simulation process."""
        for task in [*self._warming.values(), *[job.task for job in self._jobs.values() if job.state == "running"]]:
            if task is not None:
                task.cancel()
        if self._workers is not None:
            self._workers.stop()


def _close(job: RunningJob, task: asyncio.Task[None]) -> None:
    """Record the end of a simulation whose task ended without doing so: cancelled before it began, or by a fault."""
    if job.state == "running":
        job.state, job.stopped = ("cancelled", "cancelled") if task.cancelled() else ("failed", "failed")
        job.ended = job.ended or time.monotonic()


def _next_size(size: int, seconds: float) -> int:
    """Number of fights in the next request, adjusted to take about ``PIECE_SECONDS``."""
    return size * 2 if seconds < PIECE_SECONDS / 2 else max(1, size // 2) if seconds > PIECE_SECONDS * 2 else size


def _with_pairs(job: RunningJob, text: str) -> FightTotals:
    """Add more pairs to the job; return the totals with the change."""
    from tablewright.lab.fights.paired import Pairs  # noqa: PLC0415

    found = Pairs.from_json(json.loads(text))
    if job.pairs is None:
        job.pairs = found
    else:
        job.pairs.merge(found)
    return job.pairs.after
