"""Errors of a table, beyond invalid input and illegal actions."""

from __future__ import annotations

from typing import Any

from tablewright.errors import TablewrightError

NO_SEAT = "there is no such seat at this table; take one of those who take part"
NOT_YOURS = "no character of yours has this id; take one of your own"
GAME_MASTERS = "only the game master can do this; ask them for it"
ONLY_WATCH = "spectators only watch; ask the game master for a player's seat"


class ForbiddenError(TablewrightError):
    """An action that the seat may not take: it belongs to another seat or to the game master."""

    exit_status = 1


class NotFoundError(TablewrightError):
    """Unknown campaign, seat or link, or one hidden from the caller; the message does not tell which."""

    exit_status = 2


class ConflictError(TablewrightError):
    """A change that the seat had not seen came first.

    ``cursor`` is the seat's current number of feed items; ``view`` is its current view, if a server adds it.
    """

    exit_status = 1

    def __init__(self, message: str, cursor: int) -> None:
        super().__init__(message)
        self.cursor = cursor
        self.view: dict[str, Any] | None = None


class StoreError(TablewrightError):
    """A database that cannot be opened: in use, newer than this program, or made by another program."""

    exit_status = 2


class StoreDamagedError(StoreError):
    """Data that differs from what was written; the campaign or the whole database is closed."""

    exit_status = 1


class StoreFullError(TablewrightError):
    """Full disk: nothing was changed, and reading still works."""

    exit_status = 1
