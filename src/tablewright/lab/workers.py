"""Who does the work: this process, a pool of processes, or a cluster. Results come in the order of the tasks.

A task is a function of a module and plain arguments. What is not needed any more is never begun, and what a killed
worker had in hand is done again by another.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

from tablewright.errors import BadInput, TablewrightError

MOST_WORKERS = 256
MOST_LOST = 3
"""How often workers may be lost before one more result has come."""

Task: TypeAlias = tuple[Any, ...]


class Workers(Protocol):
    """Whoever does the work. Closing it ends what is under way."""

    @property
    def words(self) -> str:
        """Who they are."""

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """What the function gives for each task, in the order of the tasks, as soon as it is there."""

    def close(self) -> None:
        """Nothing more is to be done."""


class Here:
    """This process."""

    words = "one process"

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """One after the other, each when it is asked for."""
        for task in tasks:
            yield function(*task)

    def close(self) -> None:
        """There is nothing to end."""


def _begin() -> None:
    """Whoever interrupts the program interrupts the one that it waits for, not its workers; they end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_program, daemon=True).start()


def _end_with_the_program() -> None:
    """A program that was killed can tell its workers nothing: they look for themselves."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Pool:
    """Processes of this machine. They are started anew, so that nothing of this one is in them."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None

    @property
    def words(self) -> str:
        """How many."""
        return f"{self.workers} processes"

    def _pool(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_begin)
        return self._executor

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Some tasks ahead of what was asked for, so that nobody waits."""
        ahead, left = 2 * self.workers, iter(tasks)
        waiting: deque[tuple[Task, Future[str] | None]] = deque()
        lost = 0
        while True:
            while len(waiting) < ahead and (task := next(left, None)) is not None:
                waiting.append((task, None))
            if not waiting:
                return
            try:
                for place, (task, future) in enumerate(waiting):
                    if future is None:
                        waiting[place] = (task, self._pool().submit(function, *task))
                first = waiting[0][1]
                assert first is not None
                result = first.result()
            except BrokenProcessPool:
                lost += 1
                self.close()
                if lost > MOST_LOST:
                    raise TablewrightError(
                        f"worker processes were lost {lost} times over the same piece of work; nothing more is tried"
                    ) from None
                waiting = deque([(task, future if _is_done(future) else None) for task, future in waiting])
                continue
            waiting.popleft()
            lost = 0
            yield result

    def close(self) -> None:
        """End the processes, whatever they are at."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        processes = dict(getattr(executor, "_processes", None) or {})
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            with suppress(OSError, ValueError, AttributeError):
                process.terminate()


def _is_done(future: Future[str] | None) -> bool:
    """Whether a result is there, which may have come before the pool broke."""
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


class Cluster:
    """Workers of a Dask cluster, which must have this program and the same content."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415  (only who has a cluster needs it)
        except ImportError:
            raise BadInput("--cluster needs Dask: pip install tablewright[cluster]") from None
        try:
            made: Any = distributed
            self._client: Any = made.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TypeError) as problem:
            raise BadInput(f"no cluster answers at {address:.80}: {str(problem) or type(problem).__name__}") from None
        self.address = address
        self._lost = (made.scheduler.KilledWorker, CancelledError, OSError, TimeoutError)

    @property
    def words(self) -> str:
        """Where, and how many."""
        return f"{self._size()} workers of {self.address}"

    def _size(self) -> int:
        return max(1, len(self._client.nthreads()))

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Some tasks ahead; the cluster itself gives what a lost worker had in hand to another."""
        left = iter(tasks)
        waiting: deque[Any] = deque()
        try:
            while True:
                while len(waiting) < 2 * self._size() and (task := next(left, None)) is not None:
                    waiting.append(self._client.submit(function, *task, pure=False))
                if not waiting:
                    return
                try:
                    result = str(waiting[0].result())
                except TablewrightError:
                    raise
                except self._lost as problem:
                    raise TablewrightError(f"the cluster at {self.address:.80} was lost: {problem!s:.200}") from None
                waiting.popleft()
                yield result
        finally:
            if waiting:
                self._client.cancel(list(waiting), force=True)

    def close(self) -> None:
        """Leave the cluster; it goes on without us."""
        self._client.close()


def workers_for(workers: int | None = None, cluster: str | None = None) -> Workers:
    """A cluster where one is named, else so many processes; all cores where nothing is said."""
    if cluster is not None:
        if workers is not None:
            raise BadInput("--workers is for this machine; a cluster has the workers that it has")
        return Cluster(cluster)
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise BadInput(f"workers is {workers}; allowed are 1 to {MOST_WORKERS}", field="workers")
    count = workers if workers is not None else cores()
    return Here() if count == 1 else Pool(count)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return min(MOST_WORKERS, len(os.sched_getaffinity(0)))
    except AttributeError:
        return min(MOST_WORKERS, os.cpu_count() or 1)
