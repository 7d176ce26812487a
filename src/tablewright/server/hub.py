"""Hub of the live connections of this process, by campaign, and their messages.

After each change of a table, one thread reads the views of all its connections and encodes the messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from starlette.websockets import WebSocket

from tablewright.errors import TablewrightError
from tablewright.server.callers import Caller
from tablewright.server.problems import BusyError
from tablewright.server.settings import Limits
from tablewright.table import ForbiddenError, NotFoundError, Store, Subscription, Table
from tablewright.table.view import SeenView

_log = logging.getLogger(__name__)

GONE = 4404
"""Close code of a connection whose seat is void."""

BROKEN = 4503
"""Close code of a connection whose table cannot be read."""

MOST_UNSENT = 10
"""Upper bound for views in an outbox; a slower connection is updated once it has caught up."""


Views: TypeAlias = "list[Seen | TablewrightError]"

Look: TypeAlias = Callable[[Table, Callable[[], Views]], Awaitable[Views]]
"""Runs a read function in the turn of a table, off the event loop."""


class Connection:
    """One WebSocket of one seat."""

    def __init__(self, socket: WebSocket, sitter: Caller, after: int, *, changes: bool) -> None:
        self.socket = socket
        self.sitter = sitter
        self.cursor = after
        self.sends_changes = changes
        self.told: dict[str, str] = {}
        self.is_due = True
        self.outbox: asyncio.Queue[str | Closing] = asyncio.Queue(maxsize=100)

    async def put(self, message: dict[str, Any]) -> None:
        """Queue a message behind the waiting ones."""
        await self.outbox.put(_json(message))

    def message(self, seen: Seen) -> str | None:
        """The message with the changes since the last one, or None if there are none.

        Hidden changes send no message at all, because its arrival would reveal them.
        """
        same = self.told is seen.parts
        changed = {} if same else {name: text for name, text in seen.parts.items() if self.told.get(name) != text}
        if not seen.lines and not changed and self.told:
            return None
        kind, parts = ("changes", changed) if self.sends_changes and self.told else ("view", seen.parts)
        self.told, self.cursor = seen.parts, seen.cursor
        return (
            f'{{"type":"{kind}",{",".join([seen.head, *[f"{_json(name)}:{text}" for name, text in parts.items()]])}}}'
        )


class Closing(NamedTuple):
    """End of a connection: its close code and reason."""

    code: int
    reason: str


class Seen(NamedTuple):
    """A view as JSON: the cursor and lines together, and each part of the state by its name."""

    cursor: int
    is_last: bool
    lines: bool
    head: str
    parts: dict[str, str]

    @classmethod
    def of(cls, view: SeenView) -> Seen:
        """Encode a view once, for all connections that get it."""
        head = _json({"cursor": view.cursor, "last": view.last, "lines": view.lines, "entries": view.entries})[1:-1]
        return cls(view.cursor, view.cursor >= view.last, bool(view.lines), head, view.state.texts)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


class Channel:
    """Live connections of one campaign."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.changed = asyncio.Event()
        self.subscription: Subscription | None = None
        self.telling: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Mark all connections for an update."""
        for connection in self.connections:
            connection.is_due = True
        self.changed.set()


class Hub:
    """Live connections of this process, by campaign."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.count = 0
        self._rooms: dict[str, Channel] = {}

    def join(self, connection: Connection, look: Look) -> None:
        """Add a connection; the first of a campaign subscribes to the store."""
        limits, table = self.limits, connection.sitter.table
        room = self._rooms.get(table.id)
        of_seat = [one for one in room.connections if one.sitter.seat == connection.sitter.seat] if room else []
        if self.count >= limits.sockets or len(of_seat) >= limits.sockets_of_seat:
            raise BusyError("too many connections are open; close other tabs, or try again later", 10)
        if room is None:
            room = self._rooms[table.id] = self._opened(table, look)
        room.connections.add(connection)
        room.changed.set()
        self.count += 1
        self._come_or_gone(table.id)

    def _opened(self, table: Table, look: Look) -> Channel:
        room, loop = Channel(), asyncio.get_running_loop()

        def hear(name: str, _: int) -> None:
            with suppress(RuntimeError):  # the event loop is already closed
                loop.call_soon_threadsafe(self.wake, name)

        def hear_who(name: str) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell_presence, name)

        def hear_writing(name: str, seat: str) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell_writing, name, seat)

        room.subscription = self.store.subscribe(table.id, hear)
        self.store.presence.changed = hear_who
        self.store.presence.writes = hear_writing
        room.telling = asyncio.create_task(_tell(look, table, room))
        return room

    def leave(self, connection: Connection) -> None:
        """Remove a connection."""
        campaign = connection.sitter.table.id
        room = self._rooms.get(campaign)
        if room is None or connection not in room.connections:
            return
        room.connections.discard(connection)
        self.count -= 1
        if not room.connections:
            del self._rooms[campaign]
            assert room.subscription is not None
            assert room.telling is not None
            room.subscription.close()
            room.telling.cancel()
        self._come_or_gone(campaign)

    def wake(self, campaign: str) -> None:
        """Update all connections of a campaign, and recheck their seats."""
        room = self._rooms.get(campaign)
        if room is not None:
            room.wake()

    def write(self, connection: Connection) -> None:
        """Tell the other seats of a campaign, at any process, that a seat is writing something for all of them."""
        campaign, seat = connection.sitter.table.id, connection.sitter.seat
        self.store.presence.write(campaign, seat)
        self._tell_writing(campaign, seat)

    def look_again(self, connection: Connection) -> None:
        """Update one connection."""
        room = self._rooms.get(connection.sitter.table.id)
        if room is not None:
            connection.is_due = True
            room.changed.set()

    def _here(self, campaign: str) -> set[Connection]:
        room = self._rooms.get(campaign)
        return room.connections if room is not None else set()

    def _come_or_gone(self, campaign: str) -> None:
        """Announce the connected seats to all connections and to other processes."""
        self.store.presence.set(campaign, [one.sitter.seat for one in self._here(campaign)])
        self._tell_presence(campaign)

    def _tell_presence(self, campaign: str) -> None:
        text = _json({"type": "presence", "seats": self.store.presence.seats(campaign)})
        for connection in self._here(campaign):
            with suppress(asyncio.QueueFull):
                connection.outbox.put_nowait(text)

    def _tell_writing(self, campaign: str, seat: str) -> None:
        text = _json({"type": "writing", "seat": seat})
        for connection in self._here(campaign):
            if connection.sitter.seat != seat and connection.outbox.qsize() < MOST_UNSENT:
                connection.outbox.put_nowait(text)


async def _tell(look: Look, table: Table, room: Channel) -> None:
    """Send new items to the connections of a campaign after each change."""
    while True:
        await room.changed.wait()
        room.changed.clear()
        due = [one for one in room.connections if one.is_due and one.outbox.qsize() < MOST_UNSENT]
        if not due:
            continue
        for connection in due:
            connection.is_due = False
        for connection, seen in zip(due, await _looked(look, table, due), strict=True):
            _deliver(room, connection, seen)


async def _looked(look: Look, table: Table, due: Sequence[Connection]) -> Views:
    """Views for each connection; a failure in one view does not affect the others."""
    try:
        return await look(table, partial(_look, table, [(one.sitter, one.cursor) for one in due]))
    except TablewrightError as problem:
        return [problem] * len(due)
    except Exception:
        if len(due) == 1:
            _log.exception("a view failed")
            return [TablewrightError("something went wrong on the server; nothing was changed, try again")]
        return [(await _looked(look, table, [one]))[0] for one in due]


def _look(table: Table, asked: Sequence[tuple[Caller, int]]) -> Views:
    """Views of some connections; equal views are encoded once."""
    written: dict[int, Seen] = {}
    found: Views = []
    for view in table.views([(sitter.seat, cursor, sitter.cookie) for sitter, cursor in asked]):
        if isinstance(view, TablewrightError):
            found.append(view)
        else:
            found.append(written.get(id(view)) or written.setdefault(id(view), Seen.of(view)))
    return found


def _deliver(room: Channel, connection: Connection, seen: Seen | TablewrightError) -> None:
    """Put a view into an outbox; there is room, because ``MOST_UNSENT`` leaves space for other messages."""
    message: str | Closing | None
    if isinstance(seen, (NotFoundError, ForbiddenError)):
        message = Closing(GONE, "this seat is no longer open to you")
    elif isinstance(seen, TablewrightError):
        message = Closing(BROKEN, seen.message[:100])
    else:
        message = connection.message(seen)
        if not seen.is_last:
            connection.is_due = True
            room.changed.set()
    if message is not None:
        with suppress(asyncio.QueueFull):
            connection.outbox.put_nowait(message)
