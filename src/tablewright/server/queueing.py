"""The queue of work at tables: one piece at a time for each table, in the order it came, and an end to the queue.

Past the end work is refused at once, and so is what has waited too long before it began: whatever is answered is
answered soon.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tablewright.server.problems import Overloaded
from tablewright.server.settings import Limits

T = TypeVar("T")


@dataclass
class _Line:
    """The work that waits for one table, and how much of it there is."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Queue:
    """Work at tables that waits or is done just now; ``shed`` counts what was refused."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self.length = 0
        self.shed = 0
        self._lines: dict[str, _Line] = {}

    def in_time(self, function: Callable[[], T]) -> Callable[[], T]:
        """Something to be done from now on, which refuses to begin when it has waited too long."""
        due = self.clock() + self.limits.waiting_seconds

        def begin() -> T:
            if self.clock() > due:
                self.shed += 1
                raise Overloaded
            return function()

        return begin

    async def take(self, table: str, work: Callable[[], Awaitable[T]], *, may_shed: bool = True) -> T:
        """Do something when it is its turn at a table; refused at once where too much waits, there or in all.

        Work that nobody sent, such as telling what is new, is not refused and does not count in all.
        """
        line = self._lines.get(table) or self._lines.setdefault(table, _Line())
        if may_shed and (line.length >= self.limits.waiting_of_table or self.length >= self.limits.waiting):
            self.shed += 1
            if not line.length:
                del self._lines[table]
            raise Overloaded
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
