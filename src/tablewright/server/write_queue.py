"""Queue of work at tables: one piece at a time per table, in order of arrival, with an upper bound.

Work beyond the bound is refused at once, and so is work that waited too long before it began. Every accepted request
therefore gets a response soon.
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


@dataclass
class _Line:
    """Waiting work of one table, and its length."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Queue:
    """Waiting and running work at tables; ``shed`` counts the refused pieces."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self.length = 0
        self.shed = 0
        self._lines: dict[str, _Line] = {}

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
        if may_shed and (line.length >= self.limits.waiting_of_table or self.length >= self.limits.waiting):
            self.shed += 1
            if not line.length:
                del self._lines[table]
            raise OverloadedError
        counted = int(may_shed)
        line.length += 1
        self.length += counted
        try:
            async with line.turn:
                return await work()
        finally:
            self.length -= counted
            line.length -= 1
            if not line.length:
                del self._lines[table]
