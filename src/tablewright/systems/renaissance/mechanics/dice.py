"""Dice of the book and their closed forms."""

from __future__ import annotations

from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from tablewright.systems.renaissance.values import Regrade

R = TypeVar("R")


class Throw(NamedTuple, Generic[R]):
    """Reading of a roll as it lies and with its digits swapped; None if both digits are the same."""

    natural: R
    flipped: R | None


class LuckUse(Enum):
    """Use of Luck points after a check."""

    KEEP = "keep the result"
    FLIP = "flip"
    UPGRADE = "upgrade"
    FLIP_AND_UPGRADE = "flip and upgrade"

    @property
    def points(self) -> int:
        """Luck points, one for each use."""
        return (0, 1, 1, 2)[_USES.index(self)]

    @property
    def cost(self) -> str:
        """The points in words."""
        return f"{self.points} Luck" if self.points else ""

    @property
    def flips(self) -> bool:
        """True if the digits of the roll are swapped."""
        return self in (LuckUse.FLIP, LuckUse.FLIP_AND_UPGRADE)

    @property
    def upgrades(self) -> bool:
        """True if the result is upgraded."""
        return self in (LuckUse.UPGRADE, LuckUse.FLIP_AND_UPGRADE)

    def regrade(self, regrade: Regrade) -> Regrade:
        """Change of the grade after this use."""
        return (regrade.with_upgrade() or regrade) if self.upgrades else regrade


_USES = tuple(LuckUse)

MOST_DIGITS = 9


def is_more(first: float, second: float) -> bool:
    """True if one way is worth more than another, by more than what is lost in reckoning.

    >>> is_more(0.3, 0.1 + 0.2), is_more(0.1 + 0.2, 0.3), is_more(0.31, 0.3)
    (False, False, True)
    """
    return round(first - second, MOST_DIGITS) > 0


def uses_of_luck(points: int, regrade: Regrade, *, can_flip: bool) -> list[LuckUse]:
    """Uses of Luck for a result: a flip of two equal digits and a second upgrade are not offered.

    >>> [use.value for use in uses_of_luck(1, Regrade.NONE, can_flip=True)]
    ['keep the result', 'flip', 'upgrade']
    """
    return [
        use
        for use in _USES
        if use.points <= points
        and (can_flip or not use.flips)
        and (not use.upgrades or regrade.with_upgrade() is not None)
    ]
