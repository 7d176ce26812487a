"""Shared parts of a running server that every route needs; stored on the application's state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Depends, Header, Path, Request, Response
from starlette.requests import HTTPConnection

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.server.callers import COOKIE, HOST_COOKIE, MOST_COOKIE, Caller
from tablewright.server.hub import Hub
from tablewright.server.idempotency import JobKeys
from tablewright.server.middleware import RateLimiter, address_of
from tablewright.server.problems import BusyError, OverloadedError
from tablewright.server.settings import Settings
from tablewright.server.worker_pool import Asker, WorkerPool
from tablewright.server.write_queue import Queue
from tablewright.table import ConflictError, ForbiddenError, NotFoundError, Store, Table

if TYPE_CHECKING:
    from tablewright.server.simulations import SimulationJobs

T = TypeVar("T")

SITTER, HOST_CHECKED = "tablewright.sitter", "tablewright.host"
"""Keys in a request's scope for the results of its cookie lookups."""
THREADS = {"asked": 16, "telling": 2, "bots": 1}
"""Number of threads for commands at tables, live views and bots."""
OTHER_THREADS = 20
MOST_IN_THREADS = 500
"""Number of threads for everything else, and the upper bound for work that waits for one of them."""


@dataclass
class Context:
    """The parts of a running server."""

    store: Store
    settings: Settings
    workers: WorkerPool
    rooms: Hub
    jobs: SimulationJobs
    host_token: str
    queue: Queue = field(init=False)
    requests: RateLimiter = field(init=False)
    messages: RateLimiter = field(init=False)
    repeats: JobKeys = field(default_factory=JobKeys)
    counts: dict[str, int] = field(default_factory=dict)
    imports: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """Lines done and lines in all of the running imports, by host and key."""
    _threads: dict[str, ThreadPoolExecutor] = field(default_factory=dict)
    _others: CapacityLimiter | None = None
    _going: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.queue = Queue(limits, at_once=THREADS["asked"])
        self.requests = RateLimiter(limits.requests_a_second, limits.burst)
        self.messages = RateLimiter(limits.messages_a_second, limits.messages_at_once)

    def check_rate(self, rates: RateLimiter, sitter: Caller) -> None:
        """Refuse a seat that exceeds the rate limit, across all its connections."""
        wait = rates.wait(f"{sitter.table.id} {sitter.seat}")
        if wait is not None:
            raise BusyError("this seat sends too often; wait a little", wait)

    async def in_thread(self, function: Callable[[], T]) -> T:
        """Run a blocking function in a thread; refuse it if too many are waiting."""
        if self._others is None:
            self._others = CapacityLimiter(OTHER_THREADS)
        if self._others.statistics().tasks_waiting >= MOST_IN_THREADS:
            raise OverloadedError
        return await run_sync(function, limiter=self._others)

    async def at_table(self, table: Table, function: Callable[[], T]) -> T:
        """Run a function on a table in a thread, in the table's turn; refuse it if too many are waiting."""
        begin = self.queue.in_time(function)
        return await self.queue.take(table.id, partial(self._in_thread_for, "asked", begin))

    async def read(self, table: Table, function: Callable[[], dict[str, Any]]) -> Response:
        """Read from a table and encode the result as JSON, both in a thread."""
        text = await self.at_table(table, lambda: json.dumps(function(), ensure_ascii=False, separators=(",", ":")))
        return Response(text, media_type="application/json")

    async def look(self, table: Table, function: Callable[[], T]) -> T:
        """Read new items of a table for live views, in the table's turn; never refused."""
        return await self.queue.take(table.id, partial(self._in_thread_for, "telling", function), may_shed=False)

    async def act(
        self, sitter: Caller, command: Any, key: str, expected: int | None, *, show: bool = False
    ) -> dict[str, Any]:
        """Execute a command; the bots' steps after it continue in the background, in chunks that let other seats in.

        With ``show`` a conflict error includes the current view.
        """
        self.count("acts")
        table, seat = sitter.table, sitter.seat

        def done() -> dict[str, Any]:
            try:
                return table.act(seat, command, key=key, expected=expected, cookie=sitter.cookie, finish=False)
            except ConflictError as conflict:
                if show:
                    conflict.view = table.view(seat, conflict.cursor if expected is None else expected)
                raise

        answer = await self.at_table(table, done)
        if table.goes_further and table.id not in self._going:
            task = self._going[table.id] = asyncio.create_task(self._go_further(table))
            task.add_done_callback(lambda _: self._going.pop(table.id, None))
        return answer

    async def _go_further(self, table: Table) -> None:
        piece = partial(self._in_thread_for, "bots", table.go_further)
        with suppress(TablewrightError):  # the game master gets the error when continuing them
            while await self.queue.take(table.id, piece, may_shed=False):
                pass

    def _in_thread_for(self, kind: str, function: Callable[[], T]) -> asyncio.Future[T]:
        """Run a function in one of the threads for a kind of work; cheaper than ``in_thread``, and never refused."""
        threads = self._threads.get(kind)
        if threads is None:
            threads = self._threads[kind] = ThreadPoolExecutor(THREADS[kind], thread_name_prefix=kind)
        return asyncio.get_running_loop().run_in_executor(threads, function)

    def stop(self) -> None:
        """Cancel the background tasks; threads end after what they have begun."""
        for task in self._going.values():
            task.cancel()
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)

    def count(self, what: str) -> None:
        """Increment a counter of the metrics."""
        self.counts[what] = self.counts.get(what, 0) + 1


def context_of(connection: HTTPConnection) -> Context:
    """Context of the server that received a request."""
    context: Context = connection.app.state.context
    return context


Here = Annotated[Context, Depends(context_of)]
CampaignId = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=100, pattern=r"^[!-~]+$")]


def needed_key(key: Key = None) -> str:
    """The idempotency key, which every change requires; a retry under the same key has no effect."""
    if key is None:
        raise InvalidInputError(
            "send a header Idempotency-Key of your own making, so that nothing happens twice", field="key"
        )
    return key


NeededKey = Annotated[str, Depends(needed_key)]


async def sitter_of(connection: HTTPConnection, campaign: CampaignId) -> Caller:
    """The caller whose cookie opens a seat in the named campaign; looked up once per request."""
    sitter = await _seat_of(connection)
    if sitter is None or sitter.table.id != campaign:
        raise NotFoundError("there is no such campaign, or no seat of yours in it; open the link of your game master")
    return sitter


async def _seat_of(connection: HTTPConnection) -> Caller | None:
    """The caller whose cookie opens a seat in any campaign, or None."""
    if SITTER not in connection.scope:
        context, cookie = context_of(connection), connection.cookies.get(COOKIE)
        sitter = None
        if cookie and len(cookie) <= MOST_COOKIE:
            with suppress(NotFoundError):
                entry = await context.in_thread(lambda: context.store.enter(cookie))
                sitter = Caller(entry.table, entry.seat, cookie)
        connection.scope[SITTER] = sitter
    found: Caller | None = connection.scope[SITTER]
    return found


Seated = Annotated[Caller, Depends(sitter_of)]


async def asker_of(request: Request) -> Asker:
    """The client for limits: the seat or host of a valid cookie, or else the address."""
    address = address_of(request.scope)
    sitter = await _seat_of(request)
    if sitter is not None:
        return Asker(f"seat {sitter.table.id} {sitter.seat}", address, is_known=True)
    if await is_host(request):
        return Asker("host", address, is_known=True)
    return Asker(f"address {address}", address, is_known=False)


def hashed(secret: str) -> str:
    """Hash of a secret, for storage."""
    return blake2b(secret.encode(), digest_size=16).hexdigest()


async def host_only(request: Request, context: Here) -> str:
    """Refuse all callers but the host; return the host's cookie."""
    if not await is_host(request):
        raise ForbiddenError("only the host may do this; open the first link that the server printed")
    return request.cookies[HOST_COOKIE]


async def is_host(request: Request) -> bool:
    """True if a request has the host's cookie; looked up once per request."""
    if HOST_CHECKED not in request.scope:
        context, cookie = context_of(request), request.cookies.get(HOST_COOKIE, "")
        known = bool(cookie) and len(cookie) <= MOST_COOKIE
        request.scope[HOST_CHECKED] = known and await context.in_thread(lambda: context.store.is_host(cookie))
    return bool(request.scope[HOST_CHECKED])


HostOnly = Depends(host_only)
Host = Annotated[str, HostOnly]


async def ask(context: Context, request: Request, question: str, body: dict[str, Any]) -> Response:
    """Send a question to a worker and return its answer as the response."""
    text = await context.workers.ask_text(await asker_of(request), question, body)
    return Response(text, media_type="application/json")
