"""Dice of the book and their closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from tablewright.dice import Dist
from tablewright.engine.mechanic import Value
from tablewright.systems.renaissance.options import DowngradeCritical, ExceptionalBoundary, RegradeLimit
from tablewright.systems.renaissance.values import LuckyMargin, Regrade, flipped, judge, limited, regraded

R = TypeVar("R")


class Throw(NamedTuple, Generic[R]):
    """Reading of a roll as it lies and with its digits swapped."""

    natural: R
    flipped: R


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
        """Whether the digits of the roll are swapped."""
        return self in (LuckUse.FLIP, LuckUse.FLIP_AND_UPGRADE)

    @property
    def upgrades(self) -> bool:
        """Whether the result is upgraded."""
        return self in (LuckUse.UPGRADE, LuckUse.FLIP_AND_UPGRADE)

    def regrade(self, regrade: Regrade) -> Regrade:
        """Change of the grade after this use."""
        return (regrade.with_upgrade() or regrade) if self.upgrades else regrade


_USES = tuple(LuckUse)

MOST_DIGITS = 9


def is_more(first: float, second: float) -> bool:
    """Whether one way is worth more than another, by more than what is lost in reckoning.

    >>> is_more(0.3, 0.1 + 0.2), is_more(0.1 + 0.2, 0.3), is_more(0.31, 0.3)
    (False, False, True)
    """
    return round(first - second, MOST_DIGITS) > 0


def uses_of_luck(points: int, regrade: Regrade, *, can_flip: bool) -> list[LuckUse]:
    """Uses of Luck for a result: a flip that changes nothing and a second upgrade are not offered.

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


@dataclass(frozen=True)
class LuckyMargins:
    """The odds of `renaissance.lucky_margin`: every number rolled with everything that Luck can make of it."""

    target: int
    luck: int
    penalties: int
    luck_per_check: int | None
    exceptional_boundary: ExceptionalBoundary
    regrade: Regrade
    regrade_limit: RegradeLimit
    downgrade_critical: DowngradeCritical

    @property
    def points(self) -> int:
        """The points that may be spent."""
        return self.luck if self.luck_per_check is None else min(self.luck, self.luck_per_check)

    @property
    def deciding(self) -> bool:
        """Whether there is anything to spend."""
        return self.points > 0

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction(0)

    @property
    def work(self) -> int:
        """One step for each number rolled, without and with penalties."""
        return 100 * len(self._ways)

    @cached_property
    def _ways(self) -> list[list[list[LuckyMargin]]]:
        """Without and with ignoring the penalties: for every number rolled what can be made of it."""
        ignoring = [0, 1] if self.points > 0 and self.penalties > 0 else [0]
        return [[list(self._results(rolled, ignores)) for rolled in range(100)] for ignores in ignoring]

    def _results(self, rolled: int, ignores: int) -> Iterator[LuckyMargin]:
        goal = limited(self.target + self.penalties * ignores)
        natural = judge(rolled, goal, self.exceptional_boundary)
        swapped = judge(flipped(rolled), goal, self.exceptional_boundary)
        for use in uses_of_luck(self.points - ignores, self.regrade, can_flip=swapped != natural):
            grade, margin = swapped if use.flips else natural
            changed = regraded(grade, use.regrade(self.regrade), self.regrade_limit, self.downgrade_critical)
            yield LuckyMargin(changed, margin, ignores + use.points)

    def support(self) -> Sequence[LuckyMargin]:
        """Everything that can be made of any number."""
        return tuple(dict.fromkeys([result for way in self._ways for results in way for result in results]))

    def best(self, value: Value | None) -> Dist[LuckyMargin]:
        """Every choice by what it is worth; without a value no point is spent."""
        if value is None:
            return Dist.of(*[results[0] for results in self._ways[0]])
        worth = {result: float(value(result)) for result in self.support()}
        picked = []
        for way in self._ways:
            picks = []
            for results in way:
                most = max([worth[result] for result in results])
                picks.append(next(result for result in results if not is_more(most, worth[result])))
            picked.append(picks)
        values = [sum([worth[pick] for pick in picks]) / 100 for picks in picked]
        return Dist.of(*picked[int(is_more(values[-1], values[0]))])
