"""The live feed: over one WebSocket a seat gets whatever it has to see, from the cursor it names, and who is there.

Messages to the seat, each a JSON object with ``type``: ``view`` (lines after the cursor and the table as it is now),
``presence`` (the seats that are connected, to this process or to another), ``answer`` and ``problem`` (to something
that was sent with an ``id``), ``pong``. Messages from it: ``act`` (with ``id``, ``key``, ``command``, ``expected``) and
``ping``.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError
from starlette.websockets import WebSocketState

from tablewright.errors import BadInput, TablewrightError
from tablewright.game.field_problems import problem_words
from tablewright.server.context import COOKIE, CampaignId, Context, Sitter, context_of, sitter_of
from tablewright.server.guarding import Rates
from tablewright.server.models import Model
from tablewright.server.problems import Busy, details
from tablewright.table import Forbidden, NotFound

router = APIRouter(tags=["live"])

GONE = 4404
"""The code of a connection that is closed because its seat is void."""

CLOSED, FULL, BROKEN = 4403, 4429, 4503
ACTS_A_SECOND, ACTS_AT_ONCE = 10.0, 50
"""How often one connection may send something."""


class Sent(Model):
    """Something that a seat sends over its connection."""

    type: str = Field(pattern="^(act|ping)$")
    id: Annotated[str, Field(max_length=100)] = ""
    key: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    command: dict[str, Any] | None = None
    expected: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Connection:
    """One WebSocket of one seat."""

    def __init__(self, socket: WebSocket, sitter: Sitter, cookie: str, after: int) -> None:
        self.socket = socket
        self.sitter = sitter
        self.cookie = cookie
        self.cursor = after
        self.told: dict[str, Any] | None = None
        self.changed = asyncio.Event()
        self.rates = Rates(ACTS_A_SECOND, ACTS_AT_ONCE)
        self.outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=100)
        self.changed.set()

    def wake(self) -> None:
        """Something has changed; whoever waits looks what it is."""
        self.changed.set()


class Rooms:
    """Everybody who is connected to this process, by campaign."""

    def __init__(self) -> None:
        self.context: Context | None = None
        self.count = 0
        self._rooms: dict[str, set[Connection]] = {}
        self._closing: dict[str, Any] = {}

    def join(self, connection: Connection) -> None:
        """Somebody connects; the first of a campaign begins to listen to the store."""
        assert self.context is not None
        limits, campaign = self.context.settings.limits, connection.sitter.table.id
        room = self._rooms.setdefault(campaign, set())
        of_seat = Counter(one.sitter.seat for one in room)[connection.sitter.seat]
        if self.count >= limits.sockets or of_seat >= limits.sockets_of_seat:
            if not room:
                del self._rooms[campaign]
            raise Busy("too many connections are open already", 10)
        room.add(connection)
        self.count += 1
        if len(room) == 1:
            loop = asyncio.get_running_loop()

            def hear(name: str, _: int) -> None:
                with suppress(RuntimeError):  # the server is stopping
                    loop.call_soon_threadsafe(self.wake, name)

            def hear_who(name: str) -> None:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._tell_presence, name)

            self._closing[campaign] = self.context.store.subscribe(campaign, hear)
            self.context.store.presence.changed = hear_who
        self._come_or_gone(campaign)

    def leave(self, connection: Connection) -> None:
        """Somebody is gone."""
        campaign = connection.sitter.table.id
        room = self._rooms.get(campaign, set())
        if connection not in room:
            return
        room.discard(connection)
        self.count -= 1
        if not room:
            del self._rooms[campaign]
            self._closing.pop(campaign).close()
        self._come_or_gone(campaign)

    def wake(self, campaign: str) -> None:
        """Have everybody look what is new, and whether their seat is still open to them."""
        for connection in self._rooms.get(campaign, ()):
            connection.wake()

    def _come_or_gone(self, campaign: str) -> None:
        """Somebody has come or gone here: other processes hear of it too."""
        assert self.context is not None
        here = [one.sitter.seat for one in self._rooms.get(campaign, ())]
        self.context.store.presence.set(campaign, here)
        self._tell_presence(campaign)

    def _tell_presence(self, campaign: str) -> None:
        assert self.context is not None
        seats = self.context.store.presence.seats(campaign)
        for connection in self._rooms.get(campaign, ()):
            with suppress(asyncio.QueueFull):
                connection.outbox.put_nowait({"type": "presence", "seats": seats})


@router.websocket("/campaigns/{campaign}/live")
async def live(socket: WebSocket, campaign: CampaignId, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> None:
    """Follow a campaign from a cursor on."""
    context = context_of(socket)
    try:
        sitter = await sitter_of(socket, campaign)
        await context.in_thread(lambda: sitter.table.cursor(sitter.seat))
    except TablewrightError as problem:
        code = {NotFound: GONE, Forbidden: CLOSED}.get(type(problem), BROKEN)
        await _turn_away(socket, code, problem)
        return
    connection = Connection(socket, sitter, socket.cookies[COOKIE], after)
    try:
        context.rooms.join(connection)
    except Busy as problem:
        await _turn_away(socket, FULL, problem)
        return
    await socket.accept()
    tasks = [asyncio.create_task(work(context, connection)) for work in (_tell, _post, _listen)]
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


async def _tell(context: Context, connection: Connection) -> None:
    """Send whatever there is to see, whenever something has changed for this seat.

    What happens unseen sends nothing at all: that a message came would tell of it.
    """
    table, seat = connection.sitter.table, connection.sitter.seat
    while True:
        await connection.changed.wait()
        connection.changed.clear()
        try:
            look = partial(table.view, seat, connection.cursor, cookie=connection.cookie)
            seen = await context.look(table, look)
        except (NotFound, Forbidden):
            await connection.socket.close(GONE, "this seat is no longer open to you")
            return
        except TablewrightError as problem:
            await connection.socket.close(BROKEN, problem.message[:100])
            return
        connection.cursor = seen["cursor"]
        now = {name: value for name, value in seen.items() if name != "lines"}
        if seen["lines"] or now != connection.told:
            connection.told = now
            await connection.outbox.put({"type": "view", **seen})
        if seen["cursor"] < seen["last"]:
            connection.wake()


async def _post(_: Context, connection: Connection) -> None:
    """Send what lies in the outbox, one message after the other."""
    while True:
        message = await connection.outbox.get()
        await connection.socket.send_text(json.dumps(message, separators=(",", ":")))


async def _listen(context: Context, connection: Connection) -> None:
    """Do what the seat sends."""
    most = context.settings.limits.frame_bytes
    while True:
        message = await connection.socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > most:
            await connection.outbox.put(_problem("", BadInput(f"a message is JSON text of at most {most:,} letters")))
            continue
        await _do(context, connection, text)


async def _do(context: Context, connection: Connection, text: str) -> None:
    wait = connection.rates.wait("")
    if wait is not None:
        await connection.outbox.put(_problem("", Busy("this sends too often; wait a little", wait)))
        return
    try:
        sent = Sent.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        await connection.outbox.put(
            _problem("", BadInput(f"{where}: {problem_words(first, first['loc'])}", field=where or None))
        )
        return
    if sent.type == "ping":
        await connection.outbox.put({"type": "pong", "id": sent.id})
        return
    try:
        if sent.command is None or sent.key is None:
            raise BadInput("an act has a command and a key of your own making", field="command")
        done = await context.act(connection.sitter, sent.command, sent.key, sent.expected)
        await connection.outbox.put({"type": "answer", "id": sent.id, **done})
    except TablewrightError as problem:
        await connection.outbox.put(_problem(sent.id, problem))


def _problem(id_: str, problem: TablewrightError) -> dict[str, Any]:
    return {"type": "problem", "id": id_, "problem": details(problem)}
