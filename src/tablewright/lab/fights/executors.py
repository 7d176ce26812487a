"""Executors of chunks: this process, a process pool or a Dask cluster.

Results arrive in the order of the tasks. A task is a module-level function with plain arguments. Closing an executor
drops tasks that have not started. A task whose worker was killed runs again on another worker.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.context import BaseContext, SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, Protocol, TypeAlias

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.extras import needs_extra

MOST_WORKERS = 256
MOST_LOST = 3
"""Upper bound for consecutive worker losses without a new result."""

Task: TypeAlias = tuple[Any, ...]


class Executor(Protocol):
    """Interface of all executors. Closing one stops its running tasks."""

    @property
    def words(self) -> str:
        """Description for people, such as "4 processes"."""

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Yield the result of each task in task order, as soon as it is available."""

    def close(self) -> None:
        """Stop all work and release the workers."""


class SerialExecutor:
    """Executor that runs tasks in this process."""

    words = "one process"

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Run each task when its result is requested."""
        for task in tasks:
            yield function(*task)

    def close(self) -> None:
        """Do nothing: no workers to stop."""


def _begin() -> None:
    """Prepare a worker: it ignores SIGINT, since its parent stops it by SIGTERM, and rarely collects garbage.

    Forked workers have inherited the handlers of their parent. Without the threshold a collection would follow each
    chunk.
    """
    from tablewright.lab.fights.trial import NEW_OBJECTS  # noqa: PLC0415 - only workers need it

    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_program, daemon=True).start()


def _end_with_the_program() -> None:
    """Exit the worker when its parent dies, since a killed parent cannot stop it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_starting = threading.Lock()


class WorkerProcess(SpawnProcess):
    """Spawned process that does not run the caller's program again, so that a script needs no ``__main__`` guard."""

    def start(self) -> None:
        """Start the process while the main module is out of sight of the start method."""
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                super().start()
            finally:
                sys.modules["__main__"] = main


class WorkerContext(SpawnContext):
    """Start method of workers."""

    Process = WorkerProcess


def worker_context() -> BaseContext:
    """Start method that suits this process now: workers are forked where that is safe, else spawned."""
    return multiprocessing.get_context("fork") if _can_fork() else WorkerContext()


class ProcessExecutor:
    """Pool of local processes, started at once.

    Where this process has no other threads they are forked: they begin with everything that is loaded and remembered
    here, and fight from their first moment. Elsewhere, and after a loss, they are spawned and load it themselves.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None
        if _can_fork():
            self._pool().submit(int).result()

    @property
    def words(self) -> str:
        """Description with the number of processes."""
        return f"{self.workers} processes"

    def _pool(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(self.workers, mp_context=worker_context(), initializer=_begin)
        return self._executor

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Run tasks with up to two per worker in flight; resubmit unfinished ones after a broken pool."""
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
        """Terminate the processes, also in the middle of a task."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        processes = dict(getattr(executor, "_processes", None) or {})
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            with suppress(OSError, ValueError, AttributeError):
                process.terminate()


def _can_fork() -> bool:
    """True if forking is safe: no other thread may hold a lock that a forked process would wait for in vain."""
    return sys.platform == "linux" and threading.active_count() == 1


def _is_done(future: Future[str] | None) -> bool:
    """True if a future holds a result, possibly from before the pool broke."""
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


class DaskExecutor:
    """Workers of a Dask cluster. They need this program and the same content."""

    def __init__(self, address: str) -> None:
        with needs_extra("cluster"):
            import distributed  # noqa: PLC0415  (optional dependency)
        try:
            made: Any = distributed
            self._client: Any = made.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TypeError) as problem:
            raise InvalidInputError(
                f"no cluster answers at {address:.80}: {str(problem) or type(problem).__name__}"
            ) from None
        self.address = address
        self._lost = (made.scheduler.KilledWorker, CancelledError, OSError, TimeoutError)

    @property
    def words(self) -> str:
        """Description with the number of workers and the scheduler address."""
        return f"{self._size()} workers of {self.address}"

    def _size(self) -> int:
        return max(1, len(self._client.nthreads()))

    def in_order(self, function: Callable[..., str], tasks: Iterable[Task]) -> Iterator[str]:
        """Run tasks with up to two per worker in flight; Dask reruns the tasks of a lost worker."""
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
        """Disconnect from the cluster without shutting it down."""
        self._client.close()


def workers_for(workers: int | None = None, cluster: str | None = None) -> Executor:
    """Executor for a cluster address or a number of processes; by default one process per core."""
    if cluster is not None:
        if workers is not None:
            raise InvalidInputError("--workers is for this machine; a cluster has the workers that it has")
        return DaskExecutor(cluster)
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise InvalidInputError(f"workers is {workers}; allowed are 1 to {MOST_WORKERS}", field="workers")
    count = workers if workers is not None else cores()
    return SerialExecutor() if count == 1 else ProcessExecutor(count)


def cores() -> int:
    """Number of cores available to this process, at most ``MOST_WORKERS``."""
    try:
        return min(MOST_WORKERS, len(os.sched_getaffinity(0)))
    except AttributeError:
        return min(MOST_WORKERS, os.cpu_count() or 1)
