"""Protocol of a live seat, independent of threads and tasks: its state, its messages, and requests by HTTP."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from fractions import Fraction
from http.client import HTTPException
from http.cookies import SimpleCookie
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from tablewright.api.advice import Advice
from tablewright.api.option import Option
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError
from tablewright.extras import needs_extra

GONE = 4404
"""Close code of a seat that is no longer there."""

PATIENCE = 300.0
"""Usual number of seconds for which a table that does not answer is tried."""

APPROVAL_SECONDS = 2.0
"""Pause between two looks for the game master's approval."""

MOST_PAUSE = 10.0
_HTTP_SECONDS = 60
_BUSY = (429, 502, 503, 504)
_COOKIE = "tablewright_seat"


class Retry:
    """Growing pauses between tries, up to a limit in all."""

    def __init__(self, address: str, patience: float) -> None:
        self._address = address
        self._patience = patience
        self._end = time.monotonic() + patience
        self._tries = 0

    def next_pause(self, why: str, least: float = 0.0) -> float:
        """Seconds until the next try; refused when the patience is used up."""
        if time.monotonic() > self._end:
            raise TablewrightError(f"{self._address} does not answer for {self._patience:g} seconds: {why}")
        self._tries += 1
        return max(least, min(MOST_PAUSE, 0.05 * 2.0**self._tries))

    def wait(self, why: str, least: float = 0.0) -> None:
        """Sleep until the next try."""
        time.sleep(self.next_pause(why, least))


class LiveTable:
    """A table as one seat sees it, with the answer that is under way.

    A view is settled when it holds everything up to the seat's last answer; only then its question counts.
    """

    def __init__(self, link: str) -> None:
        parts = urlsplit(str(link))
        if parts.scheme not in ("http", "https") or not parts.netloc or not parts.fragment:
            raise InvalidInputError(
                f'"{link!s:.80}" is not a link to a table; it begins with http and has a token behind #'
            )
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.fragment
        self.campaign = ""
        self.cookie = ""
        self.cursor = 0
        self.answers = 0
        self.view: dict[str, Any] = {}
        self.lines: list[Mapping[str, Any]] = []
        self.entries: dict[int, Mapping[str, Any]] = {}
        self.sent: dict[str, Any] | None = None
        self.finished = ""
        self._reached = 0
        self._scene: str | None = None
        self._over: str | None = None

    @property
    def path(self) -> str:
        """Path of the campaign."""
        return f"/v1/campaigns/{self.campaign}"

    @property
    def feed(self) -> str:
        """Address of the live feed, from the cursor on."""
        return f"{self.address.replace('http', 'ws', 1)}{self.path}/live?after={self.cursor}&changes=1"

    @property
    def headers(self) -> dict[str, str]:
        """Headers that open the seat."""
        return {"Cookie": f"{_COOKIE}={self.cookie}"} if self.cookie else {}

    def new_key(self) -> str:
        """Key under which a request happens once."""
        return secrets.token_urlsafe(24)

    def entered(self, told: Mapping[str, Any], headers: Any) -> None:
        """Take the seat that the server answered with."""
        if told.get("host") or "id" not in told:
            raise InvalidInputError("this is the host's link; a program needs the link of a seat")
        self.campaign = str(told["id"])
        self.cookie = SimpleCookie(headers["Set-Cookie"])[_COOKIE].value

    def take(self, message: Mapping[str, Any]) -> float:
        """Take a message of the feed; return the number of seconds to wait before the next."""
        kind = message["type"]
        if kind in ("view", "changes"):
            self.view = {**self.view, **message} if kind == "changes" else dict(message)
            new = [line for line in message["lines"] if line["number"] > self.cursor]
            self.lines += new
            self.cursor = max(self.cursor, message["cursor"])
            self._tell(new, message.get("entries", ()))
        elif self.sent is not None and message.get("id") == self.sent["id"]:
            if kind == "answer":
                self.answers += 1
                self._reached = max(self._reached, message["cursor"])
                self.sent = None
            elif kind == "problem":
                return self._refused(message["problem"])
        return 0.0

    def _tell(self, lines: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]]) -> None:
        """Take new entries by their first line; one that comes again replaces the old, and undone ones go."""
        for line in lines:
            for first, last in line["fact"].get("lines", ()) if line["kind"] == "undone" else ():
                self.entries = {number: one for number, one in self.entries.items() if not first <= number <= last}
        for entry in entries:
            self.entries[int(entry["lines"][0])] = entry

    def told(self, since: int = 0) -> list[str]:
        """The log in sentences: every entry that has a line after a number."""
        rows = [entry for _, entry in sorted(self.entries.items()) if entry["lines"][1] > since]
        return ["".join([part["text"] for part in entry["headline"]]) for entry in rows if entry["kind"] != "turn"]

    def _refused(self, problem: Mapping[str, Any]) -> float:
        """Drop a refused answer; one that came too late is decided again, any other is an error."""
        self.sent = None
        if problem.get("status") in (409, *_BUSY):
            self._reached = max(self._reached, problem.get("cursor", 0))
            return float(problem.get("after", 0))
        raise problem_error(problem)

    @property
    def is_settled(self) -> bool:
        """True if the view is the present one and nothing is under way."""
        return bool(self.view) and self.sent is None and self.cursor >= max(self.view["last"], self._reached)

    @property
    def question(self) -> Mapping[str, Any] | None:
        """The open question of this seat; None if it is asked nothing."""
        question: Mapping[str, Any] | None = self.view.get("question")
        if question is None or "id" not in question or question.get("seat") != self.view["you"]["seat"]:
            return None
        return question

    def has_ended(self) -> bool:
        """True if the scene that is played has ended; an end is told once, and then the next scene is waited for."""
        scene = self.view["scene"]
        now = None if scene is None else scene["id"]
        if self._scene is not None and now != self._scene:
            self._scene, self.finished = None, "the scene was closed"
            return True
        if scene is None or now == self._over:
            return False
        self._scene = now
        if scene["ended"] is None:
            return False
        self._scene, self._over, self.finished = None, now, str(scene["ended"])
        return True

    def answer(self, **answer: Any) -> dict[str, Any]:
        """Message that answers the open question; it is under way until the server acknowledges it."""
        assert self.question is not None
        key = self.new_key()
        command = {"do": "answer", "question": self.question["id"], **answer}
        self.sent = {"type": "act", "id": key, "key": key, "command": command}
        return self.sent

    def advice(self, question: Mapping[str, Any], options: Sequence[Mapping[str, Any]]) -> Advice[Any]:
        """Advice of the server on a choice."""
        labels = {one["id"]: one["label"] for one in question["options"]}
        values = [(Option(one["id"], labels.get(one["id"], "")), Fraction(one["value"])) for one in options]
        best = next((one["id"] for one in options if one["best"]), options[0]["id"])
        value = next(worth for option, worth in values if option.id == best)
        return Advice(self.view["you"]["name"], question["question"], "", value, values, best=best)


def losses() -> tuple[type[BaseException], ...]:
    """Errors of a lost connection; :func:`demand_retry` says which ones allow another try."""
    return (websocket_library("websockets.exceptions").WebSocketException, OSError, EOFError)


def demand_retry(problem: BaseException) -> None:
    """Raise an error if the server refused a connection for good; a lost one may be opened again."""
    received = getattr(problem, "rcvd", None)
    if received is not None and received.code == GONE:
        raise TablewrightError("the seat is gone: its link was revoked, or the campaign removed") from None
    status = getattr(getattr(problem, "response", None), "status_code", None)
    if status is not None and status not in _BUSY:
        raise TablewrightError(
            f"the table does not let this program in (status {status}); is it the address of its link?"
        ) from None


def websocket_library(module: str) -> Any:
    """A module of the WebSocket library."""
    with needs_extra("live"):
        return import_module(module)


def http_request(
    table: LiveTable, method: str, path: str, body: Any = None, *, key: str = "", retry: Retry
) -> tuple[Any, Any]:
    """Send a request until it is answered, always under the same key; a refusal is an error."""
    headers = {"Content-Type": "application/json", **table.headers} | ({"Idempotency-Key": key} if key else {})
    data = None if body is None else json.dumps(body).encode()
    while True:
        request = urllib.request.Request(f"{table.address}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=_HTTP_SECONDS) as answer:
                return json.load(answer), answer.headers
        except urllib.error.HTTPError as refused:
            problem = _problem(refused)
            if refused.code not in _BUSY:
                raise problem_error(problem) from None
            retry.wait(str(problem["detail"]), float(problem.get("after", 0)))
        except (OSError, ValueError, HTTPException) as lost:
            retry.wait(str(lost) or type(lost).__name__)


def _problem(refused: urllib.error.HTTPError) -> Mapping[str, Any]:
    try:
        told = json.load(refused)
    except (OSError, ValueError):
        told = None
    if isinstance(told, dict) and "detail" in told:
        return told
    return {"status": refused.code, "detail": f"the server answers {refused.code} {refused.reason}"}


def problem_error(problem: Mapping[str, Any]) -> TablewrightError:
    """Error of this program for a refusal of the server."""
    kind = IllegalActionError if problem.get("status") == 409 else InvalidInputError
    return kind(str(problem["detail"]), field=problem.get("field"), rule=problem.get("rule"))
