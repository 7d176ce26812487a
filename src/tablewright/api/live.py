"""A seat at a live table: the same turns and policies as in a fight of this program, over HTTP and a WebSocket.

A lost connection is opened again. What was missed then comes once, and an answer that may have been lost is sent again
under its old key, so that it happens once.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from tablewright.api.advice import Advice
from tablewright.api.live_protocol import (
    APPROVAL_SECONDS,
    PATIENCE,
    LiveTable,
    Retry,
    demand_retry,
    http_request,
    losses,
    websocket_library,
)
from tablewright.api.option import Option
from tablewright.api.turn import Policy, Turn, answer_of
from tablewright.errors import InvalidInputError, TablewrightError

if TYPE_CHECKING:
    from tablewright.lab.fights.option_features import DescribedOptions

AsyncPolicy: TypeAlias = "Callable[[AsyncTurn], Awaitable[Option | str]]"
"""Coroutine function that answers for a bot at a live table."""


class AsyncTurn(Turn):
    """A turn at a live table whose advice is awaited."""

    async def advice(self, seconds: float = 0) -> Advice[Any]:  # type: ignore[override]
        """Values of all options, as the server gives them."""
        return await asyncio.to_thread(super().advice, seconds)


class _Seat:
    """Common half of both faces of a live seat: entering, reading the table, and commands by HTTP."""

    def __init__(self, link: str, name: str | None, keep: Path | None, patience: float) -> None:
        self._table = LiveTable(link)
        self._keep = keep
        self._patience = patience
        self._name = name
        self._about: Mapping[str, Any] = {}

    @property
    def seat(self) -> str:
        """Id of the seat."""
        return str(self._about.get("seat", ""))

    @property
    def system(self) -> str:
        """Id of the system."""
        return str(self._about.get("system", ""))

    @property
    def view(self) -> Mapping[str, Any]:
        """The table as it was last seen, as plain data."""
        return self._table.view

    @property
    def lines(self) -> tuple[Mapping[str, Any], ...]:
        """Every line of the log that the seat has seen, in order, each once."""
        return tuple(self._table.lines)

    def narrate(self, since: int = 0) -> str:
        """The log in sentences as the seat may know it, from a line number on: a sentence or two for each action."""
        return "\n".join(self._table.told(since))

    @property
    def answers(self) -> int:
        """Number of answers given and acknowledged."""
        return self._table.answers

    def enter(self, *, wait: bool = True) -> None:
        """Exchange the link for the seat's cookie, or use the one that was kept.

        Return when the game master has approved the seat; without ``wait`` at once, and then ask :meth:`is_approved`.
        """
        table = self._table
        if self._keep is not None and self._keep.is_file():
            table.campaign, table.cookie = self._keep.read_text(encoding="utf-8").split()
        else:
            body = {"token": table.token} | ({} if self._name is None else {"name": self._name})
            told, headers = http_request(table, "POST", "/v1/enter", body, key=table.new_key(), retry=self._retry())
            table.entered(told, headers)
            if self._keep is not None:
                self._keep.write_text(f"{table.campaign} {table.cookie}", encoding="utf-8")
        while not self.is_approved() and wait:
            time.sleep(APPROVAL_SECONDS)

    def is_approved(self) -> bool:
        """True if the game master has let this seat in."""
        return bool(self._about.get("approved") or self._ask_about()["approved"])

    def _ask_about(self) -> Mapping[str, Any]:
        self._about, _ = http_request(self._table, "GET", f"{self._table.path}/seat", retry=self._retry())
        return self._about

    def _act(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        path = f"{self._table.path}/act"
        body = {"command": dict(command)}
        answer = http_request(self._table, "POST", path, body, key=self._table.new_key(), retry=self._retry())
        told: Mapping[str, Any] = answer[0]
        return told

    def _retry(self) -> Retry:
        return Retry(self._table.address, self._patience)

    def _turn(self, kind: type[Turn] = Turn) -> Turn | None:
        """The open choice of this seat; None if it is asked nothing."""
        question = self._table.question
        if question is None or question["kind"] != "choice":
            return None
        options = tuple([Option(one["id"], one["label"], one.get("cost") or "") for one in question["options"]])
        who = (question.get("about") or {}).get("who")
        return kind(
            seat=self._table.view["you"]["seat"],
            who=who if isinstance(who, str) else "",
            question=question["question"],
            options=options,
            default=question["default"],
            own_words=(question.get("about") or {}).get("own_words") is True,
            at=_ServerSide(self._table, question, self._retry),
        )

    def _chosen(self, option: Option | str) -> dict[str, Any]:
        """Message that answers the open choice."""
        question = self._table.question
        if question is None or question["kind"] != "choice":
            raise InvalidInputError("this seat is not asked for a choice now")
        turn = self._turn()
        assert turn is not None
        name = option.id if isinstance(option, Option) else option
        return self._table.answer(option=turn.option(name).id)


class _ServerSide:
    """A live table behind a turn."""

    def __init__(self, table: LiveTable, question: Mapping[str, Any], retry: Callable[[], Retry]) -> None:
        self._table = table
        self._question = question
        self._scene = table.view["scene"]
        self._retry = retry

    def scene(self) -> Mapping[str, Any]:
        """The scene as the seat sees it."""
        return self._scene or {"round": 0, "participants": []}

    def heading(self) -> str:
        """The question in sentences, as the server words it."""
        parts = self._question.get("heading") or [{"text": self._question["question"]}]
        return "".join([part["text"] for part in parts])

    def closed(self) -> tuple[Any, ...]:
        """Closed options with the reasons that the seat may know."""
        from tablewright.engine.options import ClosedOption  # noqa: PLC0415 - loads the engine

        closed = self._question.get("closed", ())
        return tuple([ClosedOption(one["id"], one["reason"], one.get("rule"), one.get("label", "")) for one in closed])

    def odds(self, option: str) -> Any:
        """Refused: the server gives the value of options, not their odds."""
        raise TablewrightError("a live table gives no odds of single options; ask for advice()")

    def advice(self, seconds: float) -> Advice[Any]:
        """Values of all options, as the server gives them."""
        told, _ = http_request(self._table, "GET", f"{self._table.path}/advice", retry=self._retry())
        if told["id"] != self._question["id"] or not told["options"]:
            raise TablewrightError("the server has no advice on this choice; take the default")
        return self._table.advice(self._question, told["options"])

    def features(self, *, odds: bool) -> DescribedOptions:
        """Features of all options, as the server gives them."""
        from tablewright.lab.fights.option_features import ReceivedFeatures  # noqa: PLC0415 - loads the game

        path = f"{self._table.path}/features?odds={str(odds).lower()}"
        told, _ = http_request(self._table, "GET", path, retry=self._retry())
        if told["id"] != self._question["id"]:
            raise TablewrightError("this turn is over; ask the seat for the present one")
        return ReceivedFeatures(told)


def advised(turn: Turn) -> Option:
    """Policy that follows the advice of the server; without advice it takes the default."""
    try:
        return turn.option(turn.advice().best.id)
    except TablewrightError:
        return turn.default


class LiveSeat(_Seat):
    """A seat at a live table, played by this thread; iteration gives its turns until the scene ends."""

    _line: Any = None
    _open_line: ExitStack | None = None

    def __enter__(self) -> Self:
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the table; the seat stays."""
        stack, self._open_line, self._line = self._open_line, None, None
        if stack is not None:
            with suppress(*losses()):
                stack.close()

    def __iter__(self) -> Iterator[Turn]:
        while (turn := self.next_turn()) is not None:
            yield turn

    def play(self, policy: Policy = advised) -> str:
        """Answer by a policy until the scene ends; return how it ended, in words."""
        for turn in self:
            self.choose(answer_of(policy, turn))
        return self._table.finished

    def choose(self, option: Option | str) -> None:
        """Answer the open choice; return when the server has it on disk or has refused it for another one."""
        self._send(self._chosen(option))

    def act(self, **command: Any) -> Mapping[str, Any]:
        """Send any command of the protocol: ``act(do="note.write", text="Hello")``."""
        return self._act(command)

    @property
    def turn(self) -> Turn | None:
        """The open choice of this seat as far as the table has been followed; None if it is asked nothing."""
        return self._turn() if self._table.is_settled else None

    def next_turn(self) -> Turn | None:
        """Wait for the next choice of this seat, throwing dice that it is asked for; None when the scene has ended."""
        while True:
            if self._table.is_settled:
                if self._table.has_ended():
                    return None
                if (turn := self._turn()) is not None:
                    return turn
                if self._table.question is not None:
                    self._send(self._table.answer(roll=True))
                    continue
            self._receive()

    def wait(self, seconds: float) -> bool:
        """Follow the table until this seat is asked for a choice or the scene ends, for at most some seconds.

        Return whether that happened: then :meth:`next_turn` returns at once.
        """
        end = time.monotonic() + seconds
        while True:
            if self._table.is_settled:
                scene = self._table.view["scene"]
                if self._turn() is not None or (scene is not None and scene["ended"] is not None):
                    return True
                if self._table.question is not None:
                    self._send(self._table.answer(roll=True))
                    continue
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._receive(left)

    def _send(self, message: Mapping[str, Any]) -> None:
        """Send an answer and wait for its acknowledgement; a lost connection sends it again under its key."""
        if self._line is not None:
            self._attempt(lambda: self._line.send(json.dumps(message)))
        while self._table.sent is not None:
            self._receive()

    def _receive(self, seconds: float | None = None) -> None:
        """Take one message, from a new connection if the old one is lost; without one, return after some seconds."""
        retry = self._retry()
        while True:
            if self._line is None and not self._attempt(self._open):
                retry.wait("the connection is refused")
                continue
            heard: list[str] = []
            if self._attempt(lambda heard=heard: self._hear(heard, seconds)):  # type: ignore[misc]
                if heard:
                    time.sleep(self._table.take(json.loads(heard[0])))
                return
            retry.wait("the connection is lost")

    def _hear(self, heard: list[str], seconds: float | None) -> None:
        """Append the next message of the connection; nothing if none comes in time."""
        with suppress(TimeoutError):
            heard.append(self._line.recv(seconds))

    def _open(self) -> None:
        library = websocket_library("websockets.sync.client")
        self._open_line = ExitStack()
        opening = library.connect(self._table.feed, additional_headers=self._table.headers, max_size=None)
        self._line = self._open_line.enter_context(opening)
        if self._table.sent is not None:
            self._line.send(json.dumps(self._table.sent))

    def _attempt(self, work: Callable[[], object]) -> bool:
        """Do something with the connection; a loss drops it, and a seat that is gone is an error."""
        try:
            work()
        except losses() as problem:
            self.close()
            demand_retry(problem)
            return False
        return True


class AsyncLiveSeat(_Seat):
    """A seat at a live table, played by a task; asynchronous iteration gives its turns until the scene ends."""

    _line: Any = None
    _open_line: AsyncExitStack | None = None

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.enter)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave the table; the seat stays."""
        stack, self._open_line, self._line = self._open_line, None, None
        if stack is not None:
            with suppress(*losses()):
                await stack.aclose()

    async def __aiter__(self) -> AsyncIterator[AsyncTurn]:
        while (turn := await self.next_turn()) is not None:
            yield turn

    async def play(self, policy: Policy | AsyncPolicy = advised) -> str:
        """Answer by a policy until the scene ends; a plain function runs in a thread. Return how it ended, in words."""
        async for turn in self:
            if inspect.iscoroutinefunction(policy):
                answer = await policy(turn)
                await self.choose(answer)
            else:
                plain = self._turn()
                assert plain is not None
                await self.choose(await asyncio.to_thread(answer_of, policy, plain))  # type: ignore[arg-type]
        return self._table.finished

    async def choose(self, option: Option | str) -> None:
        """Answer the open choice; return when the server has it on disk or has refused it for another one."""
        await self._send(self._chosen(option))

    async def act(self, **command: Any) -> Mapping[str, Any]:
        """Send any command of the protocol: ``act(do="note.write", text="Hello")``."""
        return await asyncio.to_thread(self._act, command)

    async def next_turn(self) -> AsyncTurn | None:
        """Wait for the next choice of this seat, throwing dice that it is asked for; None when the scene has ended."""
        while True:
            if self._table.is_settled:
                if self._table.has_ended():
                    return None
                turn = self._turn(AsyncTurn)
                if isinstance(turn, AsyncTurn):
                    return turn
                if self._table.question is not None:
                    await self._send(self._table.answer(roll=True))
                    continue
            await self._receive()

    async def _send(self, message: Mapping[str, Any]) -> None:
        if self._line is not None:
            await self._attempt(self._line.send(json.dumps(message)))
        while self._table.sent is not None:
            await self._receive()

    async def _receive(self) -> None:
        retry = self._retry()
        while True:
            if self._line is None and await self._attempt(self._open()) is None:
                await asyncio.sleep(retry.next_pause("the connection is refused"))
                continue
            heard = await self._attempt(self._line.recv())
            if heard is not None:
                await asyncio.sleep(self._table.take(json.loads(heard)))
                return
            await asyncio.sleep(retry.next_pause("the connection is lost"))

    async def _open(self) -> bool:
        library = websocket_library("websockets.asyncio.client")
        self._open_line = AsyncExitStack()
        opening = library.connect(self._table.feed, additional_headers=self._table.headers, max_size=None)
        self._line = await self._open_line.enter_async_context(opening)
        if self._table.sent is not None:
            await self._line.send(json.dumps(self._table.sent))
        return True

    async def _attempt(self, work: Awaitable[Any]) -> Any:
        """Result of something done with the connection, True for none; None if the connection was lost."""
        try:
            found = await work
        except losses() as problem:
            await self.close()
            demand_retry(problem)
            return None
        return True if found is None else found


def connect(
    link: str, *, name: str | None = None, keep: str | Path | None = None, patience: float = PATIENCE
) -> LiveSeat:
    """A seat at a live table, by the link that the game master gave away: ``with connect(link) as seat: ...``.

    ``name`` is asked for by open invitations. A link works once: ``keep`` is a file for the seat's cookie, with which
    the program comes back later. ``patience`` is the number of seconds for which a table that does not answer is tried.

    A whole bot:

        import tablewright as tw

        with tw.connect("http://127.0.0.1:8000/#SECRET", name="Robin", keep="robin.seat") as seat:
            for turn in seat:
                seat.choose(turn.default)
            print(seat.narrate())
    """
    websocket_library("websockets")  # before the link is used up
    return LiveSeat(link, name, None if keep is None else Path(keep), patience)


def connect_async(
    link: str, *, name: str | None = None, keep: str | Path | None = None, patience: float = PATIENCE
) -> AsyncLiveSeat:
    """The same for asynchronous programs, with the same arguments.

    A whole bot:

        import asyncio
        import tablewright as tw

        async def main() -> None:
            async with tw.connect_async("http://127.0.0.1:8000/#SECRET", name="Robin") as seat:
                async for turn in seat:
                    await seat.choose(turn.default)

        asyncio.run(main())
    """
    websocket_library("websockets")
    return AsyncLiveSeat(link, name, None if keep is None else Path(keep), patience)
