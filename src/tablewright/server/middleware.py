"""Checks on every request before any other work: host name, origin, size, rate and speed.

Plain ASGI middleware covers both HTTP and WebSockets.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from tablewright.server.problems import MEDIA, BusyError, details, plain
from tablewright.server.settings import Limits, Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("tablewright.server.requests")

VERSION = "/v1/"
MOST_CLIENTS = 10_000
FILES = "/v1/campaigns/import"
ACTS = re.compile(r"/v1/campaigns/[^/]+/(act|preview)")
PICTURES = re.compile(r"/v1/campaigns/[^/]+/pictures")
CONTENT = re.compile(r"/v1/(characters(/random|/making)?|checks|packs|jobs|meetings)")
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
    (b"cross-origin-resource-policy", b"same-origin"),
)
OPENER = (b"cross-origin-opener-policy", b"same-origin")
"""Header for HTTPS and this machine alone: elsewhere browsers ignore it, and complain on the console."""

THIS_MACHINE = re.compile(r"(127\.[0-9.]+|localhost|\[::1\])(:\d+)?")


class RequestGuard:
    """Middleware that refuses requests not meant for this server, and adds security headers to responses."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        limits = settings.limits
        self.rates = RateLimiter(limits.requests_a_second, limits.burst)
        self.bytes = RateLimiter(limits.bytes_a_second, limits.burst_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request that passes the checks."""
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
        taken = scope[TAKEN] = self._taken(scope, receive)
        opener = (OPENER,) if scope["scheme"] == "https" or self.settings.secure or _is_local(scope) else ()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message.get("headers", ())}
                more = [pair for pair in (*HEADERS, *opener) if pair[0] not in own]
                if scope["path"].startswith(VERSION) and b"cache-control" not in own:
                    more.append((b"cache-control", b"no-store"))
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        await self.app(scope, taken, with_headers)

    def _most(self, scope: Scope) -> int:
        """Upper bound for the body of a route in bytes; a campaign file may be the largest."""
        limits, path = self.settings.limits, scope["path"]
        if path == FILES:
            return limits.file_bytes
        if ACTS.fullmatch(path):
            return limits.act_bytes
        if PICTURES.fullmatch(path):
            return limits.picture_bytes
        return limits.content_bytes if CONTENT.fullmatch(path) else limits.body_bytes

    def _taken(self, scope: Scope, receive: Receive) -> Taken:
        address, is_file = address_of(scope), scope["path"] == FILES  # only the host sends files, and is checked first

        def spend(amount: int) -> None:
            wait = None if is_file else self.bytes.wait(address, amount)
            if wait is not None:
                raise BusyError("too many bytes from this address; wait a little", wait)

        return Taken(receive, self._most(scope), spend, self.settings.limits)

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
        is_picture = PICTURES.fullmatch(scope["path"]) is not None
        if scope["type"] == "http" and unsafe and not _is_json(headers) and not (is_picture and _is_binary(headers)):
            wanted = "a picture is sent as application/octet-stream" if is_picture else "a body is application/json"
            return plain(415, "not a picture" if is_picture else "not JSON", wanted)
        length = headers.get(b"content-length", b"0")
        if scope["type"] == "http" and length.isdigit() and int(length) > self._most(scope):
            return plain(413, "too large", _too_large(int(length), self._most(scope), is_picture=is_picture))
        wait = self.rates.wait(address_of(scope))
        return None if wait is None else details(BusyError("this asks too often; wait a little", wait))


def _is_local(scope: Scope) -> bool:
    """True if the request names this machine itself as its host."""
    host = next((value for name, value in scope["headers"] if name.lower() == b"host"), b"")
    return THIS_MACHINE.fullmatch(host.decode("latin-1").lower()) is not None


def _is_json(headers: dict[bytes, bytes]) -> bool:
    """True if the body is JSON or empty; an HTML form of another site cannot send JSON without a preflight."""
    if headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers:
        return True
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower() in JSON


def _is_binary(headers: dict[bytes, bytes]) -> bool:
    """True if the body is declared as bytes; a form of another site cannot send these without a preflight either."""
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower() == b"application/octet-stream"


def _too_large(length: int, most: int, *, is_picture: bool) -> str:
    """Reason for refusing a body by its length."""
    if is_picture:
        return f"the picture has {length:,} bytes, and at most {most:,} are allowed; save it smaller"
    return f"more than {most:,} bytes"


class Noted:
    """Log record of a request: its status and duration.

    It holds the route template only, without campaigns, seats and queries, which are private.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self.send = send
        self.status = 0
        self.began = time.perf_counter()

    async def __call__(self, message: Message) -> None:
        """Forward a message and note its status."""
        if message["type"] in ("http.response.start", "websocket.close"):
            self.status = message.get("status") or message.get("code", 1000)
        await self.send(message)

    def say(self) -> None:
        """Log the request, if the level is enabled."""
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


TAKEN = "tablewright.taken"
"""Key of a request's ``Taken`` in its scope."""


def address_of(scope: Scope) -> str:
    """Address for rate limits: for IPv6 the /64 network, because one client owns all its addresses.

    >>> address_of({"client": ("2001:db8:1:2:3:4:5:6", 80)})
    '2001:db8:1:2::/64'
    """
    host = str((scope.get("client") or ("?", 0))[0])
    if ":" not in host:
        return host
    try:
        return str(ipaddress.ip_network((host, 64), strict=False))
    except ValueError:
        return host


class Taken:
    """Body of a request on arrival: bounded in bytes, counted for the rate limit, and refused if too slow."""

    def __init__(self, receive: Receive, most: int, spend: Callable[[int], None], limits: Limits) -> None:
        self.receive = receive
        self.most = most
        self.spend = spend
        self.limits = limits
        self.seen = 0
        self.clock = asyncio.get_running_loop().time
        self.began = self.clock()
        self.is_complete = False

    async def __call__(self) -> Message:
        """Receive the next message."""
        if self.is_complete:
            return await self.receive()  # waits for the disconnect
        due = self.began + self.limits.body_seconds + self.seen / self.limits.least_bytes_a_second
        try:
            message = await asyncio.wait_for(self.receive(), max(0.0, due - self.clock()))
        except TimeoutError:
            raise HTTPException(408, "the body arrives too slowly", headers={"Connection": "close"}) from None
        if message["type"] == "http.request":
            size = len(message.get("body", b""))
            self.seen += size
            self.is_complete = not message.get("more_body", False)
            if self.seen > self.most:
                raise HTTPException(413, f"more than {self.most:,} bytes")
            self.spend(size)
        return message


class RateLimiter:
    """Rate limit per client: a token bucket that refills at a steady rate."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, amount: int = 1) -> int | None:
        """Take an amount, even beyond the rest of the bucket; if it is empty, return the seconds to wait, else None."""
        now = self.clock()
        left, at = self._left.pop(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - at) * self.rate)
        needed = min(1, amount)
        allowed = left >= needed
        self._left[client] = (left - amount if allowed else left, now)
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
