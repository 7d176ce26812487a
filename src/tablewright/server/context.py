"""Parts that every route needs: the store, the working processes, the client. Kept on the application's state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Depends, Header, Path, Request, Response
from starlette.requests import HTTPConnection

from tablewright.errors import BadInput, TablewrightError
from tablewright.server.guarding import Rates, address_of
from tablewright.server.problems import Busy, Overloaded
from tablewright.server.queueing import Queue
from tablewright.server.repeating import Repeats
from tablewright.server.settings import Settings
from tablewright.server.working import Asker, Workers
from tablewright.table import Conflict, Forbidden, NotFound, Store, Table

if TYPE_CHECKING:
    from tablewright.server.jobs import Jobs
    from tablewright.server.live import Rooms

T = TypeVar("T")

COOKIE = "tablewright_seat"
HOST_COOKIE = "tablewright_host"
MOST_COOKIE = 200
SITTER, HOST_CHECKED = "tablewright.sitter", "tablewright.host"
"""Names in a request's scope for what its cookies were found to open."""
THREADS = {"asked": 16, "telling": 2, "bots": 1, "other": 20}
"""Number of threads for commands at tables, live views, bots, and everything else."""
MOST_IN_THREADS = 500


@dataclass
class Context:
    """The parts of a running server."""

    store: Store
    settings: Settings
    workers: Workers
    rooms: Rooms
    jobs: Jobs
    host_token: str
    queue: Queue = field(init=False)
    requests: Rates = field(init=False)
    messages: Rates = field(init=False)
    repeats: Repeats = field(default_factory=Repeats)
    counts: dict[str, int] = field(default_factory=dict)
    _limiters: dict[str, CapacityLimiter] = field(default_factory=dict)
    _going: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.queue = Queue(limits)
        self.requests = Rates(limits.requests_a_second, limits.burst)
        self.messages = Rates(limits.messages_a_second, limits.messages_at_once)

    def check_rate(self, rates: Rates, sitter: Sitter) -> None:
        """Refuse a seat that sends too often, wherever it sends from."""
        wait = rates.wait(f"{sitter.table.id} {sitter.seat}")
        if wait is not None:
            raise Busy("this seat sends too often; wait a little", wait)

    async def in_thread(self, function: Callable[[], T]) -> T:
        """Run what waits for the disk beside the event loop."""
        limiter = self._limiter("other")
        if limiter.statistics().tasks_waiting >= MOST_IN_THREADS:
            raise Overloaded
        return await run_sync(function, limiter=limiter)

    async def at_table(self, table: Table, function: Callable[[], T]) -> T:
        """Do something at a table when it is its turn, beside the event loop; refused where too much waits."""
        begin = self.queue.in_time(function)
        return await self.queue.take(table.id, partial(run_sync, begin, limiter=self._limiter("asked")))

    async def read(self, table: Table, function: Callable[[], dict[str, Any]]) -> Response:
        """Read something of a table, and have it written as JSON beside the event loop too."""
        text = await self.at_table(table, lambda: json.dumps(function(), ensure_ascii=False, separators=(",", ":")))
        return Response(text, media_type="application/json")

    async def look(self, table: Table, function: Callable[[], T]) -> T:
        """Look what is new at a table, when it is its turn; never refused."""
        run = partial(run_sync, function, limiter=self._limiter("telling"))
        return await self.queue.take(table.id, run, may_shed=False)

    async def act(
        self, sitter: Sitter, command: Any, key: str, expected: int | None, *, show: bool = False
    ) -> dict[str, Any]:
        """Do something at a table; what its bots do after it goes on by itself, in pieces that let others through.

        With ``show`` a conflict has the table as it is now.
        """
        self.count("acts")
        table, seat = sitter.table, sitter.seat

        def done() -> dict[str, Any]:
            try:
                return table.act(seat, command, key=key, expected=expected, cookie=sitter.cookie, finish=False)
            except Conflict as conflict:
                if show:
                    conflict.view = table.view(seat, conflict.cursor if expected is None else expected)
                raise

        answer = await self.at_table(table, done)
        if table.goes_further and table.id not in self._going:
            task = self._going[table.id] = asyncio.create_task(self._go_further(table))
            task.add_done_callback(lambda _: self._going.pop(table.id, None))
        return answer

    async def _go_further(self, table: Table) -> None:
        piece = partial(run_sync, table.go_further, limiter=self._limiter("bots"))
        with suppress(TablewrightError):  # the game master, who lets them go on, is told
            while await self.queue.take(table.id, piece, may_shed=False):
                pass

    def _limiter(self, kind: str) -> CapacityLimiter:
        return self._limiters.get(kind) or self._limiters.setdefault(kind, CapacityLimiter(THREADS[kind]))

    def stop(self) -> None:
        """End what goes on by itself."""
        for task in self._going.values():
            task.cancel()

    def count(self, what: str) -> None:
        """Count something for the metrics."""
        self.counts[what] = self.counts.get(what, 0) + 1


def context_of(connection: HTTPConnection) -> Context:
    """The parts of the server that a request came to."""
    context: Context = connection.app.state.context
    return context


Here = Annotated[Context, Depends(context_of)]
CampaignId = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")]
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=100, pattern=r"^[!-~]+$")]


def needed_key(key: Key = None) -> str:
    """The key without which nothing is changed: asked again under it, nothing happens twice."""
    if key is None:
        raise BadInput("send a header Idempotency-Key of your own making, so that nothing happens twice", field="key")
    return key


NeededKey = Annotated[str, Depends(needed_key)]


@dataclass(frozen=True)
class Sitter:
    """Who asks: their table, their seat, and the cookie that opens it."""

    table: Table
    seat: str
    cookie: str


def cookie_path(campaign: str) -> str:
    """Where a cookie is sent to: one browser may have a seat in each of several campaigns."""
    return f"/v1/campaigns/{campaign}"


async def sitter_of(connection: HTTPConnection, campaign: CampaignId) -> Sitter:
    """The seat that a request's cookie opens, in the campaign that it names; looked up once for a request."""
    sitter = await _seat_of(connection)
    if sitter is None or sitter.table.id != campaign:
        raise NotFound("there is no such campaign, or no seat of yours in it; open the link of your game master")
    return sitter


async def _seat_of(connection: HTTPConnection) -> Sitter | None:
    """The seat that a request's cookie opens, of whichever campaign."""
    if SITTER not in connection.scope:
        context, cookie = context_of(connection), connection.cookies.get(COOKIE)
        sitter = None
        if cookie and len(cookie) <= MOST_COOKIE:
            with suppress(NotFound):
                entry = await context.in_thread(lambda: context.store.enter(cookie))
                sitter = Sitter(entry.table, entry.seat, cookie)
        connection.scope[SITTER] = sitter
    found: Sitter | None = connection.scope[SITTER]
    return found


Seated = Annotated[Sitter, Depends(sitter_of)]


async def asker_of(request: Request) -> Asker:
    """The seat or the host where a valid cookie says so, else the address: a cookie that opens nothing is none."""
    address = address_of(request.scope)
    sitter = await _seat_of(request)
    if sitter is not None:
        return Asker(f"seat {sitter.table.id} {sitter.seat}", address, is_known=True)
    if await _is_host(request):
        return Asker("host", address, is_known=True)
    return Asker(f"address {address}", address, is_known=False)


def hashed(secret: str) -> str:
    """A secret as it may be kept."""
    return blake2b(secret.encode(), digest_size=16).hexdigest()


async def host_only(request: Request, context: Here) -> str:
    """Refuse everybody but the host, who may list and make campaigns; gives the host's cookie."""
    if not await _is_host(request):
        raise Forbidden("this is for whoever started the server; open the first link that it printed")
    return request.cookies[HOST_COOKIE]


async def _is_host(request: Request) -> bool:
    """Look up, once for a request, if it has the host's cookie."""
    if HOST_CHECKED not in request.scope:
        context, cookie = context_of(request), request.cookies.get(HOST_COOKIE, "")
        known = bool(cookie) and len(cookie) <= MOST_COOKIE
        request.scope[HOST_CHECKED] = known and await context.in_thread(lambda: context.store.is_host(cookie))
    return bool(request.scope[HOST_CHECKED])


HostOnly = Depends(host_only)
Host = Annotated[str, HostOnly]


async def ask(context: Context, request: Request, question: str, body: dict[str, Any]) -> Response:
    """Have a question worked out, for a route whose answer it is."""
    text = await context.workers.ask_text(await asker_of(request), question, body)
    return Response(text, media_type="application/json")
