"""Simulations that run beside everything else: piece by piece in a process of their own, with figures on the way."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tablewright.errors import TablewrightError
from tablewright.game.registry import system_ids
from tablewright.server.problems import Busy, details
from tablewright.server.settings import Limits
from tablewright.server.working import Asker, Refused, Workers
from tablewright.table import NotFound

if TYPE_CHECKING:
    from tablewright.lab.counts import Counts
    from tablewright.lab.pairs import Pairs

CHUNK_SECONDS = 300.0
MOST_TO_STOP = 2.0
"""How many seconds what is being fought may still take when a simulation is cancelled."""
PIECE_SECONDS = 0.4
"""About how long is fought before the figures are told again; whoever waits sees them after the very first fight."""


@dataclass
class Running:
    """A simulation on its way, or at its end."""

    id: str
    owner: Asker
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
    is_stopping: bool = False

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
        self._warming: dict[str, asyncio.Task[None]] = {}

    @property
    def running(self) -> int:
        """How many are on their way."""
        return sum([job.state == "running" for job in self._jobs.values()])

    async def start(self, owner: Asker, asked: dict[str, Any], until: float | None) -> Running:
        """Begin a simulation; its name is hard to guess and opens it only to whoever began it.

        It is read by the process that fights it, so that nobody's odds hold it up.
        """
        workers = self.ready()
        self._check_room(owner)
        made = await workers.ask(owner, "job", asked)
        self._check_room(owner)
        job = Running(secrets.token_urlsafe(9), owner, made["text"], made["chunks"], until, made.get("before"))
        self._jobs[job.id] = job
        while len(self._jobs) > self.limits.jobs_kept:
            self._forget_one()
        job.task = asyncio.create_task(self._run(job, workers))
        return job

    def _check_room(self, owner: Asker) -> None:
        """Refuse one more simulation where too many run: in all, of one client, or of all clients without a seat."""
        running = [job.owner for job in self._jobs.values() if job.state == "running"]
        own = [one for one in running if one.id == owner.id]
        strangers = [one for one in running if not one.is_known]
        is_full = len(running) >= self.limits.jobs or len(own) >= self.limits.jobs_at_once
        if is_full or (not owner.is_known and len(strangers) >= self.limits.jobs_of_strangers):
            raise Busy("too many simulations are running already; wait for one, or cancel it", 5)

    def _forget_one(self) -> None:
        for name, job in self._jobs.items():
            if job.state != "running":
                del self._jobs[name]
                return

    def get(self, owner: Asker, name: str) -> Running:
        """A simulation of a client, by its id."""
        job = self._jobs.get(name)
        if job is None or job.owner.id != owner.id:
            raise NotFound("there is no such simulation of yours")
        return job

    def cancel(self, job: Running) -> None:
        """Stop it; what is done is kept. What is being fought is fought to its end, unless that takes long."""
        if job.state == "running" and job.task is not None and not job.is_stopping:
            job.is_stopping = True
            asyncio.get_running_loop().call_later(MOST_TO_STOP, job.task.cancel)

    async def _run(self, job: Running, workers: Workers) -> None:
        from tablewright.lab.counts import Counts  # noqa: PLC0415
        from tablewright.lab.jobs import Job, counts_of  # noqa: PLC0415
        from tablewright.lab.simulating import reason_to_stop  # noqa: PLC0415

        plain, job.counts = Job.from_text(job.text), Counts()
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
                # as in the lab, what is enough is looked at where a chunk ends: the same job stops at the same fight
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

    def ready(self) -> Workers:
        """Have the process that fights wait for the first simulation, so that nobody waits for it."""
        if self._workers is None:
            self._workers = Workers(1, self.limits)
            self._workers.start()
        return self._workers

    def warm(self, scenario: str | dict[str, Any]) -> None:
        """Have a system loaded there before somebody wants a fight of it."""
        system = scenario.partition(":")[0] if isinstance(scenario, str) else str(scenario.get("system"))[:60]
        if system in system_ids() and system not in self._warming:
            self._warming[system] = asyncio.create_task(self._warmed(self.ready(), scenario))

    async def _warmed(self, workers: Workers, scenario: str | dict[str, Any]) -> None:
        with suppress(TablewrightError):  # what is wrong with it is said to whoever wants it fought
            await workers.ask(Asker("", "", is_known=True), "warm", {"scenario": scenario}, CHUNK_SECONDS)

    def stop(self) -> None:
        """End everything."""
        for task in [*self._warming.values(), *[job.task for job in self._jobs.values() if job.state == "running"]]:
            if task is not None:
                task.cancel()
        if self._workers is not None:
            self._workers.stop()


def _next_size(size: int, seconds: float) -> int:
    """How many fights come next, so that they take about as long as one likes to wait."""
    return size * 2 if seconds < PIECE_SECONDS / 2 else max(1, size // 2) if seconds > PIECE_SECONDS * 2 else size


def _with_pairs(job: Running, text: str) -> Counts:
    """Put another piece of pairs to those that are there; gives what was counted with the change."""
    from tablewright.lab.pairs import Pairs  # noqa: PLC0415

    found = Pairs.from_json(json.loads(text))
    if job.pairs is None:
        job.pairs = found
    else:
        job.pairs.merge(found)
    return job.pairs.after
