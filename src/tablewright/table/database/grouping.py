"""Group commit: what several tables write at the same time goes to the disk in one transaction.

Waiting for the disk is what an act takes longest for. While one transaction is on its way, others gather behind it, and
the next one takes them all.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from sqlalchemy import Engine

from tablewright.table.database import rows
from tablewright.table.database.rows import Batch

MOST_IN_GROUP = 64


@dataclass(eq=False)
class _Waiting:
    """A batch that waits to be written, and what became of it."""

    batch: Batch
    at: str
    is_done: bool = False
    problem: BaseException | None = None


class Writer:
    """Writes batches of all tables of one database; safe to use from several threads."""

    def __init__(self, engine: Engine, sender: str) -> None:
        self._engine = engine
        self._sender = sender
        self._guard = threading.Lock()
        self._turn = threading.Lock()
        self._queue: list[_Waiting] = []

    def write(self, batch: Batch, at: str) -> None:
        """Write a batch, alone or with others; returns when it is on the disk, or raises what kept it from there."""
        mine = _Waiting(batch, at)
        with self._guard:
            self._queue.append(mine)
        with self._turn:
            while not mine.is_done:
                with self._guard:
                    group, self._queue = self._queue[:MOST_IN_GROUP], self._queue[MOST_IN_GROUP:]
                self._write(group)
        if mine.problem is not None:
            raise mine.problem

    def _write(self, group: list[_Waiting]) -> None:
        """Write some batches in one transaction; where one is refused, each by itself."""
        problem: BaseException | None = None
        try:
            with rows.writing(self._engine) as connection:
                for one in sorted(group, key=lambda one: one.batch.campaign):  # the same order in every process
                    rows.append(connection, one.batch, one.at, self._sender)
        except BaseException as error:  # each caller raises its own
            problem = error
        if problem is not None and len(group) > 1:
            for one in group:
                self._write([one])
            return
        for one in group:
            one.problem, one.is_done = problem, True
