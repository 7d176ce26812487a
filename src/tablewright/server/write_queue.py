"""Queue of work at tables: one piece at a time per table, in order of arrival, with an upper bound.

Work beyond the bound is refused at once, and so is work that would wait too long: the queue knows its length and the
pace at which it moves, so a refusal does not wait itself. Work that waits too long all the same is not begun.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tablewright.server.problems import OverloadedError
from tablewright.server.settings import Limits

T = TypeVar("T")

STEADY = 20
"""Number of finished pieces over which the pace is averaged."""


@dataclass
class _Line:
    """Waiting work of one table, and its length."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Queue:
    """Waiting and running work at tables; ``shed`` counts the refused pieces.

    ``at_once`` pieces run at the same time. ``pace`` is the time between two finished pieces while more than that wait.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic, at_once: int = 1) -> None:
        self.limits = limits
        self.clock = clock
        self.at_once = at_once
        self.length = 0
        self.shed = 0
        self.pace = 0.0
        self._lines: dict[str, _Line] = {}
        self._moved: float | None = None
        """Time at which the queue last moved; None while nothing waits."""

    @property
    def expected_seconds(self) -> float:
        """Seconds that one more piece would wait; a queue that stands still counts by the time that it has stood."""
        waiting = self.length - self.at_once
        if waiting <= 0 or self._moved is None:
            return 0.0
        return waiting * max(self.pace, self.clock() - self._moved)

    @property
    def is_full(self) -> bool:
        """True if one more piece would be refused, whatever its table."""
        return self.length >= self.limits.waiting or self.expected_seconds > self.limits.expected_seconds

    def check(self) -> None:
        """Refuse at once what the queue could not take, before anything else is done for it."""
        if self.is_full:
            self.shed += 1
            raise OverloadedError

    def in_time(self, function: Callable[[], T]) -> Callable[[], T]:
        """Wrap a function with a deadline; it refuses to begin after waiting too long."""
        due = self.clock() + self.limits.waiting_seconds

        def begin() -> T:
            if self.clock() > due:
                self.shed += 1
                raise OverloadedError
            return function()

        return begin

    async def take(self, table: str, work: Callable[[], Awaitable[T]], *, may_shed: bool = True) -> T:
        """Run work in the turn of a table; refuse it at once if too much waits, at the table or in all.

        With ``may_shed=False``, for work that no client sent, it is never refused and does not count in all.
        """
        line = self._lines.get(table) or self._lines.setdefault(table, _Line())
        if may_shed and (line.length >= self.limits.waiting_of_table or self.is_full):
            self.shed += 1
            if not line.length:
                del self._lines[table]
            raise OverloadedError
        line.length += 1
        if may_shed:
            self._enter()
        try:
            async with line.turn:
                return await work()
        finally:
            if may_shed:
                self._leave()
            line.length -= 1
            if not line.length:
                del self._lines[table]

    def _enter(self) -> None:
        self.length += 1
        if self.length == self.at_once + 1:
            self._moved = self.clock()

    def _leave(self) -> None:
        """Count a finished piece; only a queue in which something waits tells the pace."""
        if self._moved is not None:
            now = self.clock()
            self.pace += (now - self._moved - self.pace) / STEADY
            self._moved = now
        self.length -= 1
        if self.length <= self.at_once:
            self._moved = None
