"""Errors as problem details (RFC 9457): a status, one sentence, the path of the value and the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from tablewright.errors import IllegalActionError, InvalidInputError, ProblemListError, TablewrightError
from tablewright.table import ConflictError, ForbiddenError, NotFoundError, StoreError, StoreFullError

MEDIA = "application/problem+json"


class BusyError(TablewrightError):
    """Too much work, or too many requests by one client; ``after`` is the number of seconds until a retry."""

    def __init__(self, message: str, after: int = 1) -> None:
        super().__init__(message)
        self.after = after


class OverloadedError(BusyError):
    """Too much waiting work; the request was not executed."""

    def __init__(self) -> None:
        super().__init__("the server is busy; try again in a moment", 1)


class AnswerTimeoutError(TablewrightError):
    """A question that exceeded its time limit."""


_STATUS: tuple[tuple[type[TablewrightError], int, str], ...] = (
    (OverloadedError, 503, "busy"),
    (BusyError, 429, "too much at once"),
    (AnswerTimeoutError, 422, "too much work"),
    (ForbiddenError, 403, "not yours to do"),
    (NotFoundError, 404, "not found"),
    (ConflictError, 409, "something happened first"),
    (IllegalActionError, 409, "the rules say no"),
    (StoreFullError, 507, "no room on the disk"),
    (StoreError, 503, "the database cannot be used"),
    (InvalidInputError, 422, "not understood"),
)


def details(problem: TablewrightError) -> dict[str, Any]:
    """Problem details of an error, with its HTTP status."""
    status, title = next(
        ((code, words) for kind, code, words in _STATUS if isinstance(problem, kind)), (422, "refused")
    )
    told: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": problem.message}
    if problem.field is not None:
        told["field"] = problem.field
    if problem.rule is not None:
        told["rule"] = problem.rule
    if isinstance(problem, ProblemListError):
        told["problems"] = list(problem.problems)
    if isinstance(problem, ConflictError):
        told["cursor"] = problem.cursor
        told |= {} if problem.view is None else {"view": problem.view}
    if isinstance(problem, BusyError):
        told["after"] = problem.after
    return told


def answer(told: Mapping[str, Any], *, quiet: bool = False) -> JSONResponse:
    """Response with problem details; with ``quiet`` it is a success whose body has them as ``problem``.

    A browser writes every refused request on its console. A page that asks ahead expects some to be refused.
    """
    if quiet:
        return JSONResponse({"problem": dict(told)})
    headers = {"Retry-After": str(told["after"])} if "after" in told else None
    return JSONResponse(dict(told), status_code=int(told["status"]), media_type=MEDIA, headers=headers)


def plain(status: int, title: str, detail: str) -> dict[str, Any]:
    """Problem details for other errors, by status, title and text."""
    return {"type": "about:blank", "title": title, "status": status, "detail": detail}
