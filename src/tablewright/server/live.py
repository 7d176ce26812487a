"""The live feed: over one WebSocket a seat gets whatever it has to see, from the cursor it names, and who is there.

Whenever a table changes, one thread looks at it for everybody who follows it, and writes the messages.

Messages to the seat, each a JSON object with ``type``: ``view`` (lines after the cursor and the table as it is now),
``changes`` (the same with only those parts of the table that have changed, for a connection that asks for it),
``presence`` (the seats that are connected, to this process or to another), ``answer`` and ``problem`` (to something
that was sent with an ``id``), ``pong``. Messages from it: ``act`` (with ``id``, ``key``, ``command``, ``expected``) and
``ping``.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError
from starlette.websockets import WebSocketState

from tablewright.errors import BadInput, TablewrightError
from tablewright.game.field_problems import problem_words
from tablewright.server.context import CampaignId, Context, Sitter, context_of, sitter_of
from tablewright.server.models import Model
from tablewright.server.problems import Busy, details
from tablewright.table import Forbidden, NotFound, Subscription, Table

router = APIRouter(tags=["live"])
_log = logging.getLogger("tablewright.server.live")

GONE = 4404
"""The code of a connection that is closed because its seat is void."""

CLOSED, FULL, BROKEN = 4403, 4429, 4503


class Sent(Model):
    """Something that a seat sends over its connection."""

    type: str = Field(pattern="^(act|ping)$")
    id: Annotated[str, Field(max_length=100)] = ""
    key: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    command: dict[str, Any] | None = None
    expected: Annotated[int, Field(ge=0, le=2**53)] | None = None


MOST_UNSENT = 10
"""How many views may lie in an outbox; a connection that is slower looks again when it has caught up."""


class Connection:
    """One WebSocket of one seat."""

    def __init__(self, socket: WebSocket, sitter: Sitter, after: int, *, changes: bool) -> None:
        self.socket = socket
        self.sitter = sitter
        self.cursor = after
        self.sends_changes = changes
        self.told: dict[str, str] = {}
        self.is_due = True
        self.outbox: asyncio.Queue[str | Closing] = asyncio.Queue(maxsize=100)

    async def put(self, message: dict[str, Any]) -> None:
        """Send a message after those that wait."""
        await self.outbox.put(_json(message))

    def message(self, seen: Seen) -> str | None:
        """The message after what was told last, or None where nothing is new.

        What happens unseen sends nothing at all: that a message came would tell of it.
        """
        changed = {name: text for name, text in seen.parts.items() if self.told.get(name) != text}
        if not seen.lines and not changed and self.told:
            return None
        kind, parts = ("changes", changed) if self.sends_changes and self.told else ("view", seen.parts)
        self.told, self.cursor = seen.parts, seen.cursor
        return (
            f'{{"type":"{kind}",{",".join([seen.head, *[f"{_json(name)}:{text}" for name, text in parts.items()]])}}}'
        )


class Closing(NamedTuple):
    """The end of a connection: its code and reason."""

    code: int
    reason: str


class Seen(NamedTuple):
    """A view as JSON: cursor and lines together, and each part of the table by its name."""

    cursor: int
    is_last: bool
    lines: bool
    head: str
    parts: dict[str, str]

    @classmethod
    def of(cls, view: dict[str, Any]) -> Seen:
        """Write a view once, for every connection that is shown it."""
        own = ("cursor", "last", "lines")
        head = _json({name: view[name] for name in own})[1:-1]
        parts = {name: _json(value) for name, value in view.items() if name not in own}
        return cls(view["cursor"], view["cursor"] >= view["last"], bool(view["lines"]), head, parts)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


class Room:
    """Everybody who follows one campaign."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.changed = asyncio.Event()
        self.subscription: Subscription | None = None
        self.telling: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Have everybody look what is new."""
        for connection in self.connections:
            connection.is_due = True
        self.changed.set()


class Rooms:
    """Everybody who is connected to this process, by campaign."""

    def __init__(self) -> None:
        self.context: Context | None = None
        self.count = 0
        self._rooms: dict[str, Room] = {}

    def join(self, connection: Connection) -> None:
        """Add a connection; the first of a campaign begins to listen to the store."""
        assert self.context is not None
        limits, table = self.context.settings.limits, connection.sitter.table
        room = self._rooms.get(table.id)
        of_seat = [one for one in room.connections if one.sitter.seat == connection.sitter.seat] if room else []
        if self.count >= limits.sockets or len(of_seat) >= limits.sockets_of_seat:
            raise Busy("too many connections are open already", 10)
        if room is None:
            room = self._rooms[table.id] = self._opened(table)
        room.connections.add(connection)
        room.changed.set()
        self.count += 1
        self._come_or_gone(table.id)

    def _opened(self, table: Table) -> Room:
        assert self.context is not None
        room, loop = Room(), asyncio.get_running_loop()

        def hear(name: str, _: int) -> None:
            with suppress(RuntimeError):  # the server is stopping
                loop.call_soon_threadsafe(self.wake, name)

        def hear_who(name: str) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell_presence, name)

        room.subscription = self.context.store.subscribe(table.id, hear)
        self.context.store.presence.changed = hear_who
        room.telling = asyncio.create_task(_tell(self.context, table, room))
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
        """Have everybody look what is new, and whether their seat is still open to them."""
        room = self._rooms.get(campaign)
        if room is not None:
            room.wake()

    def look_again(self, connection: Connection) -> None:
        """Have one connection look what is new."""
        room = self._rooms.get(connection.sitter.table.id)
        if room is not None:
            connection.is_due = True
            room.changed.set()

    def _here(self, campaign: str) -> set[Connection]:
        room = self._rooms.get(campaign)
        return room.connections if room is not None else set()

    def _come_or_gone(self, campaign: str) -> None:
        """Tell everybody who is here now; other processes hear of it too."""
        assert self.context is not None
        self.context.store.presence.set(campaign, [one.sitter.seat for one in self._here(campaign)])
        self._tell_presence(campaign)

    def _tell_presence(self, campaign: str) -> None:
        assert self.context is not None
        text = _json({"type": "presence", "seats": self.context.store.presence.seats(campaign)})
        for connection in self._here(campaign):
            with suppress(asyncio.QueueFull):
                connection.outbox.put_nowait(text)


@router.websocket("/campaigns/{campaign}/live")
async def live(
    socket: WebSocket, campaign: CampaignId, after: Annotated[int, Query(ge=0, le=2**53)] = 0, changes: bool = False
) -> None:
    """Follow a campaign from a cursor on; with ``changes`` only what has changed is sent after the first view."""
    context = context_of(socket)
    try:
        sitter = await sitter_of(socket, campaign)
        await context.in_thread(lambda: sitter.table.cursor(sitter.seat))
    except TablewrightError as problem:
        code = {NotFound: GONE, Forbidden: CLOSED}.get(type(problem), BROKEN)
        await _turn_away(socket, code, problem)
        return
    connection = Connection(socket, sitter, after, changes=changes)
    try:
        context.rooms.join(connection)
    except Busy as problem:
        await _turn_away(socket, FULL, problem)
        return
    await socket.accept()
    tasks = [asyncio.create_task(work(context, connection)) for work in (_post, _listen)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        context.rooms.leave(connection)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, TablewrightError):
                await task
        if socket.application_state is WebSocketState.CONNECTED:
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close()


async def _turn_away(socket: WebSocket, code: int, problem: TablewrightError) -> None:
    """Close with a code that says why: a handshake that is refused would only say that it was."""
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.accept()
        await socket.close(code, problem.message[:100])


async def _tell(context: Context, table: Table, room: Room) -> None:
    """Send everybody in a room whatever there is to see, whenever something has changed."""
    while True:
        await room.changed.wait()
        room.changed.clear()
        due = [one for one in room.connections if one.is_due and one.outbox.qsize() < MOST_UNSENT]
        if not due:
            continue
        for connection in due:
            connection.is_due = False
        for connection, seen in zip(due, await _looked(context, table, due), strict=True):
            _deliver(room, connection, seen)


async def _looked(context: Context, table: Table, due: Sequence[Connection]) -> Sequence[Seen | TablewrightError]:
    """Views for each connection; a fault in one of them keeps nothing from the others."""
    try:
        return await context.look(table, partial(_look, table, [(one.sitter, one.cursor) for one in due]))
    except TablewrightError as problem:
        return [problem] * len(due)
    except Exception:
        if len(due) == 1:
            _log.exception("a view failed")
            return [TablewrightError("something went wrong here")]
        return [(await _looked(context, table, [one]))[0] for one in due]


def _look(table: Table, asked: Sequence[tuple[Sitter, int]]) -> list[Seen | TablewrightError]:
    """The views of some connections, written once for all that see the same."""
    written: dict[int, Seen] = {}
    found: list[Seen | TablewrightError] = []
    for view in table.views([(sitter.seat, cursor, sitter.cookie) for sitter, cursor in asked]):
        if isinstance(view, TablewrightError):
            found.append(view)
        else:
            found.append(written.get(id(view)) or written.setdefault(id(view), Seen.of(view)))
    return found


def _deliver(room: Room, connection: Connection, seen: Seen | TablewrightError) -> None:
    """Put into an outbox what was seen; there is room, since views leave some for everything else."""
    message: str | Closing | None
    if isinstance(seen, (NotFound, Forbidden)):
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


async def _post(context: Context, connection: Connection) -> None:
    """Send what lies in the outbox, one message after the other."""
    while True:
        message = await connection.outbox.get()
        if isinstance(message, Closing):
            await connection.socket.close(message.code, message.reason)
            return
        await connection.socket.send_text(message)
        if connection.is_due and connection.outbox.empty():
            context.rooms.look_again(connection)


async def _listen(context: Context, connection: Connection) -> None:
    """Do what the seat sends."""
    most = context.settings.limits.frame_bytes
    while True:
        message = await connection.socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > most:
            await connection.put(_problem("", BadInput(f"a message is JSON text of at most {most:,} letters")))
            continue
        await _do(context, connection, text)


async def _do(context: Context, connection: Connection, text: str) -> None:
    sent, wrong = _read(text)
    try:
        context.check_rate(context.messages, connection.sitter)
    except Busy as problem:
        await connection.put(_problem(sent.id if sent else "", problem))
        await asyncio.sleep(problem.after)  # nothing more is read from this connection meanwhile
        return
    if sent is None:
        await connection.put(_problem("", wrong))
        return
    if sent.type == "ping":
        await connection.put({"type": "pong", "id": sent.id})
        return
    try:
        if sent.command is None or sent.key is None:
            raise BadInput("an act has a command and a key of your own making", field="command")
        done = await context.act(connection.sitter, sent.command, sent.key, sent.expected)
        await connection.put({"type": "answer", "id": sent.id, **done})
    except TablewrightError as problem:
        await connection.put(_problem(sent.id, problem))


def _read(text: str) -> tuple[Sent | None, BadInput]:
    """A message, or what is wrong with it."""
    try:
        return Sent.model_validate_json(text), BadInput("")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        return None, BadInput(f"{where}: {problem_words(first, first['loc'])}", field=where or None)


def _problem(id_: str, problem: TablewrightError) -> dict[str, Any]:
    return {"type": "problem", "id": id_, "problem": details(problem)}
