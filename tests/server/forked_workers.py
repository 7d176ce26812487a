"""Workers of a server in this process, forked from one that has imported what they need."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection

import pytest

from forked import Forked
from server.late_workers import LateWorkers
from tablewright.server import worker_pool


class ForkedWorkers(LateWorkers):
    """Workers that cost a hundredth of a start: one is killed whenever a page goes away with a question open."""

    def _begin(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker_pool, "_SPAWN", _Forks)
            super()._begin()


class _Forks:
    """Stand-in for the part of `multiprocessing` that the pool uses."""

    Pipe = staticmethod(multiprocessing.Pipe)

    class Process:
        """A worker."""

        def __init__(self, target: Callable[[Connection], None], args: tuple[Connection], daemon: bool) -> None:
            assert target is worker_pool._serve
            assert daemon
            self._pipe = args[0]

        def start(self) -> None:
            """Fork it; it ends with the pipe."""
            self._process = Forked(sys.path, streams=(self._pipe.fileno(),), env={}, is_worker=True)

        def kill(self) -> None:
            """End it, and wait for nothing."""
            self._process.kill()
            self._process.forget()
