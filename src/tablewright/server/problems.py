"""Refusals as problem details (RFC 9457): a status, one sentence, the path of the value and the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from tablewright.errors import BadInput, ManyProblems, RulesSayNo, TablewrightError
from tablewright.table import Conflict, Forbidden, NotFound, StoreFull, StoreRefused

MEDIA = "application/problem+json"


class Busy(TablewrightError):
    """There is too much to do just now, or this asks too often; ``after`` says in how many seconds to try again."""

    def __init__(self, message: str, after: int = 1) -> None:
        super().__init__(message)
        self.after = after


class Overloaded(Busy):
    """More waits to be done than can be done soon; nothing of this was done."""

    def __init__(self) -> None:
        super().__init__("the server is busy; try again in a moment", 1)


class TookTooLong(TablewrightError):
    """A question was not answered in the time that one may take."""


_STATUS: tuple[tuple[type[TablewrightError], int, str], ...] = (
    (Overloaded, 503, "busy"),
    (Busy, 429, "too much at once"),
    (TookTooLong, 422, "too much work"),
    (Forbidden, 403, "not yours to do"),
    (NotFound, 404, "not found"),
    (Conflict, 409, "something happened first"),
    (RulesSayNo, 409, "the rules say no"),
    (StoreFull, 507, "no room on the disk"),
    (StoreRefused, 503, "the database cannot be used"),
    (BadInput, 422, "not understood"),
)


def details(problem: TablewrightError) -> dict[str, Any]:
    """A refusal as plain data, with its HTTP status."""
    status, title = next(
        ((code, words) for kind, code, words in _STATUS if isinstance(problem, kind)), (422, "refused")
    )
    told: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": problem.message}
    if problem.field is not None:
        told["field"] = problem.field
    if problem.rule is not None:
        told["rule"] = problem.rule
    if isinstance(problem, ManyProblems):
        told["problems"] = list(problem.problems)
    if isinstance(problem, Conflict):
        told["cursor"] = problem.cursor
        told |= {} if problem.view is None else {"view": problem.view}
    if isinstance(problem, Busy):
        told["after"] = problem.after
    return told


def answer(told: Mapping[str, Any]) -> JSONResponse:
    """Problem details as a response."""
    headers = {"Retry-After": str(told["after"])} if "after" in told else None
    return JSONResponse(dict(told), status_code=int(told["status"]), media_type=MEDIA, headers=headers)


def plain(status: int, title: str, detail: str) -> dict[str, Any]:
    """Problem details for what is no error of the program's own kind."""
    return {"type": "about:blank", "title": title, "status": status, "detail": detail}
