"""Rerolls by choice, in closed form: which die is best to reroll in every way the dice can lie.

Running the rule to every end would follow each die of each throw; here every way the dice can lie is one state, and
what a reroll is worth comes from one pass over the faces of the die that is taken up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Literal, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.engine import TooMuch
from tablewright.engine.mechanic import Value
from tablewright.systems.mars.dice import first_to_reroll, in_order, spread_of
from tablewright.systems.mars.values import Shown

Keep: TypeAlias = Literal["better", "worse"]

MOST_WORK = 400_000
"""How many ways the dice can lie, times dice, times rerolls."""


class _Pick(NamedTuple):
    """Taking up one die: the row of ways in which the dice lie when it shows each of its faces, and its face now."""

    row: int
    face: int


def dice_to_choose(dice: Sequence[Shown], keep: Keep) -> list[Shown]:
    """The dice that may be rerolled, each kind once, the one an automatic choice would take first.

    An advantage may take any die, a disadvantage only one that shows the greatest face.

    >>> [str(die) for die in dice_to_choose([Shown(10, 4), Shown(4, 4), Shown(4, 1)], "worse")]
    ['d10:4', 'd4:4']
    """
    if keep == "better":
        return sorted(set(dice), key=lambda die: first_to_reroll("max_gain", die))
    greatest = max(die.face for die in dice)
    return sorted({die for die in dice if die.face == greatest}, reverse=True)


@dataclass(frozen=True)
class ChosenRerolls:
    """The odds of a sum of dice when somebody chooses which ones are rerolled."""

    dice: tuple[int, ...]
    rerolls: int
    keep: Keep

    def __post_init__(self) -> None:
        if self._size > MOST_WORK:
            raise TooMuch(
                f"{len(self.dice)} dice with {self.rerolls} rerolls by choice are too many for exact odds; let a fixed "
                "rule choose the die (advantage_die_choice max_gain, disadvantage_tie more_sides)"
            )

    @property
    def _size(self) -> int:
        ways = 1
        for sides in set(self.dice):
            count = self.dice.count(sides)
            ways *= comb(count + sides - 1, count)
        return ways * len(self.dice) * self.rerolls

    @property
    def work(self) -> int:
        """What one decision costs; whoever resists decides anew for every total of the one who acts."""
        return self._size // 2

    @property
    def deciding(self) -> bool:
        """Whether there is ever more than one die to choose from."""
        if self.rerolls == 0:
            return False
        return len(self.dice) > 1 if self.keep == "better" else len(set(self.dice)) > 1

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction()

    def support(self) -> Sequence[int]:
        """Every sum."""
        return range(len(self.dice), sum(self.dice) + 1)

    @cached_property
    def _ways(self) -> dict[tuple[Shown, ...], int]:
        return spread_of(self.dice)

    @cached_property
    def _rows(self) -> list[list[int]]:
        """For every kind of die taken up and every way the others lie: the states by the face it shows."""
        place = {lying: at for at, lying in enumerate(self._ways)}
        rows = []
        for sides in dict.fromkeys(self.dice):
            others = list(self.dice)
            others.remove(sides)
            faces = [Shown(sides, face) for face in range(1, sides + 1)]
            rows += [[place[in_order((*lying, die))] for die in faces] for lying in spread_of(others)]
        return rows

    @cached_property
    def _picks(self) -> list[list[_Pick]]:
        """For every state what may be taken up, the automatic choice first."""
        rows: list[dict[Shown, int]] = [{} for _ in self._ways]
        for at, row in enumerate(self._rows):
            for face, state in enumerate(row, 1):
                rows[state][Shown(len(row), face)] = at
        return [
            [_Pick(found[die], die.face) for die in dice_to_choose(lying, self.keep)]
            for lying, found in zip(self._ways, rows, strict=True)
        ]

    def best(self, value: Value | None) -> Dist[int]:
        """The sum when every choice serves ``value``; without a value the automatic choice is taken."""
        if not self.dice or self.rerolls == 0:
            return _summed(self._ways)
        taken = self._automatic() if value is None else self._decide(value)
        step = lcm(*self.dice)
        weights = list(self._ways.values())
        for picks in reversed(taken):
            following = [0] * len(weights)
            for state, weight in enumerate(weights):
                if weight:
                    at, face = picks[state]
                    row = self._rows[at]
                    targets, stays = self._after(row, face)
                    share = weight * (step // len(row))
                    following[state] += share * stays
                    for target in targets:
                        following[target] += share
            weights = following
        return _summed(dict(zip(self._ways, weights, strict=True)))

    def _after(self, row: list[int], face: int) -> tuple[list[int], int]:
        """Where a reroll may lead, and how many faces change nothing."""
        if self.keep == "better":
            return row[face:], face
        return row[: face - 1], len(row) - face + 1

    def _automatic(self) -> list[list[_Pick]]:
        return [[picks[0] for picks in self._picks]] * self.rerolls

    def _decide(self, value: Value) -> list[list[_Pick]]:
        """The die to take up in every state, by the number of rerolls that are left after it."""
        by_sum = {total: float(value(total)) for total in self.support()}
        worth = [by_sum[sum([die.face for die in lying])] for lying in self._ways]
        slack = 1e-12 * max(1.0, *map(abs, by_sum.values()))
        taken = []
        for _ in range(self.rerolls):
            rerolled = [self._worths(row, worth) for row in self._rows]
            picks, following = [], []
            for options in self._picks:
                values = [rerolled[row][face - 1] for row, face in options]
                most = max(values)
                at = next(at for at, worth_of in enumerate(values) if worth_of >= most - slack)
                picks.append(options[at])
                following.append(values[at])
            taken.append(picks)
            worth = following
        return taken

    def _worths(self, row: list[int], worth: list[float]) -> list[float]:
        """What taking up a die is worth, by the face it shows."""
        sides = len(row)
        faces = [worth[state] for state in row]
        if self.keep == "worse":
            faces.reverse()
        ahead, found = 0.0, []
        for passed in range(sides - 1, -1, -1):
            found.append(((passed + 1) * faces[passed] + ahead) / sides)
            ahead += faces[passed]
        return found if self.keep == "worse" else found[::-1]


def _summed(ways: dict[tuple[Shown, ...], int]) -> Dist[int]:
    sums: dict[int, int] = {}
    for lying, weight in ways.items():
        if weight:
            total = sum([die.face for die in lying])
            sums[total] = sums.get(total, 0) + weight
    return Dist.from_dict(sums)
