"""Timers of a character that is in no scene, with the ticks they have left."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from tablewright.game.character.character import KEPT, Field, FrozenModel
from tablewright.game.time.calendar import MOST_TICKS

MOST_PENDING = 1_000


class PendingTimer(FrozenModel):
    """A timer that travels with a character between scenes; `left` is in ticks."""

    what: str = Field(min_length=1, max_length=200)
    left: int = Field(ge=1, le=MOST_TICKS)
    every: int = Field(default=0, ge=0, le=MOST_TICKS)
    data: Annotated[Any, KEPT] = None
    rank: int = Field(default=0, ge=-1_000, le=1_000)


PendingTimers: TypeAlias = Annotated[tuple[PendingTimer, ...], Field(max_length=MOST_PENDING)]
"""Type of the character field that keeps timers between scenes: ``pending: PendingTimers = ()``."""
