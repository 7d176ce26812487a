"""Pool of worker processes that answer questions, which keeps odds from blocking tables.

Each process handles one question at a time. A question that takes too long is stopped by killing its process, and a new
process takes its place; no rule needs to check the time. The number of waiting questions is bounded, per client and in
all.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from collections import Counter
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.server.problems import AnswerTimeoutError, BusyError, details
from tablewright.server.settings import Limits

Asked = tuple[str, dict[str, Any], int | None]
"""A question, its body, and the upper bound in bytes for an answer as JSON text, or None for a plain value."""

_SPAWN = multiprocessing.get_context("spawn")
NICE = 5
MOST_TO_BEGIN = 120.0
"""Upper bound for the seconds that a process may take to start."""


class RefusedTask(TablewrightError):
    """An error from a worker, as problem details."""

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__(str(told["detail"]), field=told.get("field"), rule=told.get("rule"))
        self.told = told


class Asker(NamedTuple):
    """The client that a question or a simulation counts for; ``is_known`` if it has a valid cookie."""

    id: str
    address: str
    is_known: bool


class WorkerPool:
    """Worker processes and their waiting questions."""

    def __init__(self, count: int, limits: Limits) -> None:
        self.limits = limits
        self.asked = 0
        self.stopped = 0
        self._count = count
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: set[_Worker] = set()
        self._waiting = 0
        self._of: Counter[str] = Counter()
        self._is_ended = False

    def start(self) -> None:
        """Start the processes."""
        for _ in range(self._count):
            self._begin()

    def _begin(self) -> None:
        if self._is_ended:
            return
        worker = _Worker()
        self._all.add(worker)
        self._idle.put_nowait(worker)

    async def ask_text(self, client: Asker, question: str, body: dict[str, Any]) -> bytes:
        """The answer as JSON text, encoded by the worker; the event loop never handles its size."""
        answer: bytes = await self.ask(client, question, body, most=self.limits.answer_bytes)
        return answer

    async def ask(
        self,
        client: Asker,
        question: str,
        body: dict[str, Any],
        seconds: float | None = None,
        *,
        most: int | None = None,
    ) -> Any:
        """The answer to a question; refused beyond the limits per client, per address, for strangers and in all.

        With ``most``, the answer is JSON text of at most that many bytes.
        """
        limits = self.limits
        bounds = {client.id: limits.odds_at_once, f"at {client.address}": limits.odds_of_address}
        if not client.is_known:
            bounds["strangers"] = limits.odds_of_strangers
        if self._waiting >= limits.odds_waiting or any(self._of[name] >= most for name, most in bounds.items()):
            raise BusyError("too many questions wait for an answer already; try again in a moment", 1)
        self._waiting += 1
        self._of.update(bounds.keys())
        self.asked += 1
        try:
            worker = await self._idle.get()
            allowed = seconds or self.limits.odds_seconds
            return await self._worked(worker, (question, {**body, "seconds": allowed}, most), allowed)
        finally:
            self._waiting -= 1
            self._of.subtract(bounds.keys())
            for name in [name for name in bounds if not self._of[name]]:
                del self._of[name]

    async def _worked(self, worker: _Worker, asked: Asked, seconds: float | None) -> Any:
        try:
            await asyncio.wait_for(worker.begun(), MOST_TO_BEGIN)
            kind, told = await asyncio.wait_for(worker.ask(asked), seconds)
        except BaseException as problem:
            self._all.discard(worker)
            worker.kill()
            self.stopped += 1
            self._begin()
            if isinstance(problem, TimeoutError) and seconds is not None:
                raise AnswerTimeoutError(
                    f"this takes more than {seconds:g} seconds to work out; ask for less"
                ) from None
            if isinstance(problem, (EOFError, OSError)):
                raise AnswerTimeoutError("this could not be worked out; ask for something simpler") from None
            raise
        self._idle.put_nowait(worker)
        await asyncio.sleep(0)  # let a waiting question take the worker before a client's next one
        if kind == "refused":
            raise RefusedTask(told)
        return told

    def stop(self) -> None:
        """Stop the processes."""
        self._is_ended = True
        for worker in self._all:
            worker.kill()
        self._all.clear()


class _Worker:
    """One worker process, and the pipe to it."""

    def __init__(self) -> None:
        self.line, theirs = _SPAWN.Pipe()
        self.process: SpawnProcess = _SPAWN.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False

    async def begun(self) -> None:
        """Wait until the process has started; the time limit of a question begins after that."""
        if not self.is_ready:
            await self._heard()
            self.is_ready = True

    async def ask(self, asked: Asked) -> tuple[str, Any]:
        """Send a question and wait for the answer."""
        self.line.send(asked)
        answer: tuple[str, Any] = await self._heard()
        return answer

    async def _heard(self) -> Any:
        """Receive the next message without blocking the event loop."""
        loop = asyncio.get_running_loop()
        came: asyncio.Future[None] = loop.create_future()

        def ready() -> None:
            if not came.done():
                came.set_result(None)

        place = self.line.fileno()
        loop.add_reader(place, ready)
        try:
            await came
        finally:
            loop.remove_reader(place)
        os.set_blocking(self.line.fileno(), True)  # some loops change that; a long answer comes in several reads
        return self.line.recv()

    def kill(self) -> None:
        """Kill the process."""
        with suppress(OSError):
            self.line.close()
        self.process.kill()


def _serve(line: Connection) -> None:
    """Main function of a worker: answer questions until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(NICE)
    from tablewright.server.tasks import QUESTIONS  # noqa: PLC0415  (loaded only in the worker)

    line.send(("ready", None))
    while True:
        try:
            question, body, most = line.recv()
        except (EOFError, OSError):
            return
        try:
            found = QUESTIONS[question](body)
            answer: tuple[str, Any] = ("answer", found if most is None else _written(found, most))
        except TablewrightError as problem:
            answer = ("refused", details(problem))
        except RecursionError:
            answer = (
                "refused",
                details(AnswerTimeoutError("this is nested too deep to work out; ask for something simpler")),
            )
        except Exception as problem:  # keep the process alive for other clients
            answer = ("refused", details(TablewrightError(f"this is a bug in tablewright: {problem!r:.200}")))
        line.send(answer)


def _written(answer: dict[str, Any], most: int) -> bytes:
    """Encode an answer as JSON; refuse one that is too long."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(text) > most:
        raise InvalidInputError(
            f"the answer has {len(text):,} bytes, and at most {most:,} are sent; ask for less at once"
        )
    return text
