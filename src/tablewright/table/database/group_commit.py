"""Group commit: concurrent writes of several tables share one transaction.

Waiting for the disk takes most of the time of an act. While one transaction is under way, later batches queue behind
it, and the next transaction writes them all.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from sqlalchemy import Engine

from tablewright.table.database import queries as rows
from tablewright.table.database.queries import PendingWrite

MOST_IN_GROUP = 64


@dataclass(eq=False)
class _Waiting:
    """A queued batch and its result."""

    batch: PendingWrite
    at: str
    is_done: bool = False
    problem: BaseException | None = None


class Writer:
    """Writer of the batches of all tables of one database; safe to use from several threads."""

    def __init__(self, engine: Engine, sender: str) -> None:
        self._engine = engine
        self._sender = sender
        self._guard = threading.Lock()
        self._turn = threading.Lock()
        self._queue: list[_Waiting] = []

    def write(self, batch: PendingWrite, at: str) -> None:
        """Write a batch, alone or with others; return when it is on disk, or raise the error that prevented it."""
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
        """Write some batches in one transaction; if one is refused, write each by itself."""
        problem: BaseException | None = None
        try:
            with rows.writing(self._engine) as connection:
                in_order = sorted(group, key=lambda one: one.batch.campaign)  # the same lock order in every process
                rows.append_all(connection, [(one.batch, one.at) for one in in_order], self._sender)
        except BaseException as error:  # each caller raises its own error
            problem = error
        if problem is not None and len(group) > 1:
            for one in group:
                self._write([one])
            return
        for one in group:
            one.problem, one.is_done = problem, True
