"""Live feed over one WebSocket: a seat gets its feed items from a cursor on, and the connected seats.

Messages to the seat are JSON objects with a ``type``: ``view`` (feed items after the cursor and the current state),
``changes`` (the same with only the changed parts of the state, for a connection that requests it), ``presence`` (the
seats connected to any process), ``writing`` (a seat that is writing something for everyone), ``answer`` and ``problem``
(responses to a message with an ``id``), and ``pong``. Messages from the seat are ``act`` (with ``id``, ``key``,
``command``, ``expected``), ``writing`` and ``ping``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError
from starlette.websockets import WebSocketState

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.files.validation import problem_words
from tablewright.server.context import CampaignId, Context, context_of, sitter_of
from tablewright.server.hub import BROKEN, GONE, Closing, Connection
from tablewright.server.problems import BusyError, details
from tablewright.server.schemas import Model
from tablewright.table import ForbiddenError, NotFoundError

router = APIRouter(tags=["live"])

CLOSED, FULL = 4403, 4429
"""Close codes of refused connections: the seat is not approved, or too many are open."""


class Sent(Model):
    """A message from a seat."""

    type: str = Field(pattern="^(act|ping|writing)$")
    id: Annotated[str, Field(max_length=100)] = ""
    key: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    command: dict[str, Any] | None = None
    expected: Annotated[int, Field(ge=0, le=2**53)] | None = None


@router.websocket("/campaigns/{campaign}/live")
async def live(
    socket: WebSocket,
    campaign: CampaignId,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    latest: Annotated[int, Query(ge=0, le=500)] | None = None,
    changes: bool = False,
) -> None:
    """Follow a campaign from a cursor on, or from its ``latest`` items on.

    With ``changes``, messages after the first view hold only changes.
    """
    context = context_of(socket)
    try:
        sitter = await sitter_of(socket, campaign)
        cursor = await context.in_thread(lambda: sitter.table.cursor(sitter.seat))
    except TablewrightError as problem:
        code = {NotFoundError: GONE, ForbiddenError: CLOSED}.get(type(problem), BROKEN)
        await _turn_away(socket, code, problem)
        return
    begin = after if latest is None else max(0, cursor - latest)
    connection = Connection(socket, sitter, begin, changes=changes)
    try:
        context.rooms.join(connection, context.look)
    except BusyError as problem:
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
    """Accept and close with a code for the reason; a refused handshake could not carry one."""
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.accept()
        await socket.close(code, problem.message[:100])


async def _post(context: Context, connection: Connection) -> None:
    """Send the messages of the outbox in order."""
    while True:
        message = await connection.outbox.get()
        if isinstance(message, Closing):
            await connection.socket.close(message.code, message.reason)
            return
        await connection.socket.send_text(message)
        if connection.is_due and connection.outbox.empty():
            context.rooms.look_again(connection)


async def _listen(context: Context, connection: Connection) -> None:
    """Handle the messages from the seat."""
    most = context.settings.limits.frame_bytes
    while True:
        message = await connection.socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > most:
            await connection.put(_problem("", InvalidInputError(f"a message is JSON text of at most {most:,} letters")))
            continue
        await _do(context, connection, text)


async def _do(context: Context, connection: Connection, text: str) -> None:
    sent, wrong = _read(text)
    try:
        context.check_rate(context.messages, connection.sitter)
    except BusyError as problem:
        await connection.put(_problem(sent.id if sent else "", problem))
        await asyncio.sleep(problem.after)  # read nothing more from this connection meanwhile
        return
    if sent is None:
        await connection.put(_problem("", wrong))
        return
    if sent.type == "ping":
        await connection.put({"type": "pong", "id": sent.id})
        return
    if sent.type == "writing":
        context.rooms.write(connection)
        return
    try:
        if sent.command is None or sent.key is None:
            raise InvalidInputError("an act needs a command, and a key that you choose", field="command")
        done = await context.act(connection.sitter, sent.command, sent.key, sent.expected)
        await connection.put({"type": "answer", "id": sent.id, **done})
    except TablewrightError as problem:
        await connection.put(_problem(sent.id, problem))


def _read(text: str) -> tuple[Sent | None, InvalidInputError]:
    """Parse a message; None and the error if it is invalid."""
    try:
        return Sent.model_validate_json(text), InvalidInputError("")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        if not where:
            return None, InvalidInputError("a message is a JSON object that names its type")
        return None, InvalidInputError(f"{where}: {problem_words(first, first['loc'])}", field=where)


def _problem(id_: str, problem: TablewrightError) -> dict[str, Any]:
    return {"type": "problem", "id": id_, "problem": details(problem)}
