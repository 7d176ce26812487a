"""Pins of campaigns to one of several server processes; ``postgres`` implements them by advisory locks."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

WANTED, FREE = "!", "-"
"""Messages between processes: a request to write to a campaign, and the release of its pin."""


class Pins:
    """Pins of a database that only one process serves; every method does nothing."""

    def held(self, campaign: str) -> AbstractContextManager[None]:
        """Context in which no other process writes to a campaign, if possible."""
        del campaign
        return nullcontext()

    def drop(self, campaign: str) -> None:
        """Release a pin that did not prevent a write conflict, for example after the lock connection was lost."""

    def hear(self, campaign: str, message: str) -> None:
        """Handle a message from another process."""

    def close(self) -> None:
        """Release all pins."""
