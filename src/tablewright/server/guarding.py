"""What every request passes before anything is done: whose name it used, from which page it came, how large it is.

Plain ASGI, so that it holds for HTTP and for WebSockets alike.
"""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from tablewright.server.problems import MEDIA, Busy, details, plain
from tablewright.server.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("tablewright.server.requests")

VERSION = "/v1/"
MOST_CLIENTS = 10_000
FILES = "/v1/campaigns/import"
JSON = frozenset((b"application/json", b"application/x-ndjson"))
SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Refuses what cannot be meant for this server, and adds the headers that keep a page to itself."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.rates = Rates(settings.limits.requests_a_second, settings.limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        noted = Noted(scope, send)
        try:
            await self._pass(scope, receive, noted)
        finally:
            noted.say()

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, refusal, receive, send)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        taken = Taken(receive, self._most(scope))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message.get("headers", ())}
                more = [pair for pair in HEADERS if pair[0] not in own]
                if scope["path"].startswith(VERSION) and b"cache-control" not in own:
                    more.append((b"cache-control", b"no-store"))
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        await self.app(scope, taken, with_headers)

    def _most(self, scope: Scope) -> int:
        """How many bytes a body may have; a whole campaign has more than anything else."""
        limits = self.settings.limits
        return limits.file_bytes if scope["path"] == FILES else limits.body_bytes

    def _refusal(self, scope: Scope) -> dict[str, Any] | None:
        headers = {name.lower(): value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self.settings.hosts:
            return plain(421, "not this server", "this server is not reached under that name; open the printed address")
        origin = headers.get(b"origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if unsafe and origin is not None and origin.decode("latin-1").lower() not in self.settings.origins:
            return plain(403, "another site", "this comes from a page of another site")
        if unsafe and headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site"):
            return plain(403, "another site", "this comes from a page of another site")
        if scope["type"] == "http" and unsafe and not _is_json(headers):
            return plain(415, "not JSON", "a body is application/json")
        length = headers.get(b"content-length", b"0")
        if scope["type"] == "http" and length.isdigit() and int(length) > self._most(scope):
            return plain(413, "too large", f"more than {self._most(scope):,} bytes")
        client = (scope.get("client") or ("?", 0))[0]
        wait = self.rates.wait(client)
        return None if wait is None else details(Busy("this asks too often; wait a little", wait))


def _is_json(headers: dict[bytes, bytes]) -> bool:
    """A form of another page cannot send this type without asking first."""
    if headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers:
        return True
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower() in JSON


class Noted:
    """What the log says of a request: how it was answered and how long it took.

    The address is the one of the document, without what stands in it: campaigns, seats and queries are nobody's.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self.send = send
        self.status = 0
        self.began = time.perf_counter()

    async def __call__(self, message: Message) -> None:
        """The next piece of the answer."""
        if message["type"] in ("http.response.start", "websocket.close"):
            self.status = message.get("status") or message.get("code", 1000)
        await self.send(message)

    def say(self) -> None:
        """Say it, where somebody wants to know."""
        if not _log.isEnabledFor(logging.INFO):
            return
        address = getattr(self.scope.get("route"), "path", "elsewhere")
        is_short = self.scope["path"].startswith(VERSION) and address.startswith("/") and VERSION not in address
        told = {
            "method": self.scope.get("method", "websocket").lower(),
            "address": f"{VERSION}{address[1:]}" if is_short else address,
            "status": self.status,
            "milliseconds": round((time.perf_counter() - self.began) * 1000),
        }
        _log.info("answered", extra={"told": told})


class Taken:
    """A body as it comes in, up to as many bytes as are allowed."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive = receive
        self.most = most
        self.seen = 0

    async def __call__(self) -> Message:
        """The next piece."""
        message = await self.receive()
        if message["type"] == "http.request":
            self.seen += len(message.get("body", b""))
            if self.seen > self.most:
                raise HTTPException(413, f"more than {self.most:,} bytes")
        return message


class Rates:
    """How often each address may ask: a bucket that fills at a steady rate."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> int | None:
        """None where it may go on; else in how many seconds."""
        now = self.clock()
        left, at = self._left.pop(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - at) * self.rate)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return None if allowed else max(1, round((1 - left) / self.rate))


async def _refuse(scope: Scope, told: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + int(told["status"]), "reason": str(told["title"])})
        return
    body = json.dumps(told).encode()
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(body)).encode()), *HEADERS]
    if "after" in told:
        headers.append((b"retry-after", str(told["after"]).encode()))
    await send({"type": "http.response.start", "status": told["status"], "headers": headers})
    await send({"type": "http.response.body", "body": body})
