"""Why a table says no, beyond wrong input and the rules of the game."""

from __future__ import annotations

from typing import Any

from tablewright.errors import TablewrightError


class Forbidden(TablewrightError):
    """The seat may not do this: it is somebody else's, or the game master's."""

    exit_status = 1


class NotFound(TablewrightError):
    """There is no such campaign, seat or link, or none that the asker may know of: both are told alike."""

    exit_status = 2


class Conflict(TablewrightError):
    """Something that the seat had not seen happened first.

    ``cursor`` is how much there is to see now; ``view`` is what that is, where a server adds it.
    """

    exit_status = 1

    def __init__(self, message: str, cursor: int) -> None:
        super().__init__(message)
        self.cursor = cursor
        self.view: dict[str, Any] | None = None


class StoreRefused(TablewrightError):
    """The database cannot be opened: it is in use, newer than this program, or nothing that this program made."""

    exit_status = 2


class StoreDamaged(StoreRefused):
    """What is in the database is not what was written: a campaign, or the whole database, is closed."""

    exit_status = 1


class StoreFull(TablewrightError):
    """There is no room on the disk: nothing was changed, and everything can still be read."""

    exit_status = 1
