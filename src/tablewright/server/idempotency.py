"""Idempotency keys for work that lives only in this process, such as simulations.

Responses are kept in memory for some minutes, and only for the same client. Persistent changes store theirs in the
database (:meth:`Table.act`, :mod:`tablewright.table.idempotency`).
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from tablewright.errors import InvalidInputError

MINUTES = 10
MOST_REMEMBERED = 10_000


class _Done(NamedTuple):
    digest: str
    at: float
    answer: asyncio.Future[dict[str, Any]]


class JobKeys:
    """Responses by client and key."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._done: OrderedDict[tuple[str, str], _Done] = OrderedDict()

    async def once(
        self, owner: str, key: str, digest: str, work: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Run the work, or return the response to an earlier run under the key; a failed run may be retried."""
        self._forget()
        known = self._done.get((owner, key))
        if known is not None:
            if known.digest != digest:
                raise InvalidInputError("this key was used for another request already; make a new one", field="key")
            return await asyncio.shield(known.answer)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._done[owner, key] = _Done(digest, self.clock(), answer)
        try:
            result = await work()
        except BaseException as problem:
            self._done.pop((owner, key), None)
            if not answer.done():
                answer.set_exception(problem)
                answer.exception()  # mark it as retrieved: asyncio would log an unretrieved exception
            raise
        answer.set_result(result)
        return result

    def _forget(self) -> None:
        oldest = self.clock() - MINUTES * 60
        while self._done:
            first = next(iter(self._done.values()))
            if first.at >= oldest and len(self._done) <= MOST_REMEMBERED:
                return
            self._done.popitem(last=False)
