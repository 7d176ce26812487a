"""Time limits as values; long-running work polls ``passed``."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

FIRST_SECONDS = 0.6
"""Usual processor seconds for a first answer on a turn; what is not worked out by then is told by ratings or later."""


class Deadline:
    """A time limit in seconds, counted from its creation; with ``None`` it never passes.

    >>> now = [100.0]
    >>> deadline = Deadline(5, clock=lambda: now[0])
    >>> deadline.passed
    False
    >>> now[0] = 105.5
    >>> deadline.passed, Deadline(None).passed
    (True, False)
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] | None = None) -> None:
        self.seconds = seconds
        self._clock = clock or monotonic
        self._end = None if seconds is None else self._clock() + seconds

    @property
    def passed(self) -> bool:
        """True if the time is up."""
        return self._end is not None and self._clock() > self._end

    def __str__(self) -> str:
        return "no time limit" if self.seconds is None else f"{self.seconds:g} seconds"


NEVER = Deadline(None)
