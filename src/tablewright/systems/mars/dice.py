"""Dice of which some are rerolled: advantage keeps the better face of a die, disadvantage the worse one.

Where a fixed rule says which die is rerolled, :class:`Rerolled` weighs the roll in one sweep. The rule takes the dice
in a fixed order of what they show (the lowest face first, say), and a rerolled die that leaves its place is evenly
spread over the faces that come later in it. So it is enough to know, place by place, how many dice lie there and
how many rerolls are left. Where the roller chooses, see :mod:`tablewright.systems.mars.choosing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import Literal, TypeAlias

from tablewright.dice import Die, Dist, Face, Rollable
from tablewright.dice.tables import convolve, equal_dice
from tablewright.errors import BadInput
from tablewright.systems.mars.values import Shown

MOST_REROLLS = 10

DieOrder: TypeAlias = Literal["max_gain", "lowest_die", "greatest_more_sides", "greatest_fewer_sides"]
"""Which die is rerolled: the first two are for advantage, the others for disadvantage."""


def gain(die: Shown) -> Fraction:
    """What rerolling a die and keeping the better face adds on average.

    >>> gain(Shown(10, 3)), gain(Shown(4, 4))
    (Fraction(14, 5), Fraction(0, 1))
    """
    missing = die.sides - die.face
    return Fraction(missing * (missing + 1), 2 * die.sides)  # mars.advantage.die_choice


@cache
def first_to_reroll(order: DieOrder, die: Shown) -> tuple[Fraction | int, int]:
    """A sort key: of the dice on the table the one with the lowest key is rerolled."""
    if order == "max_gain":
        return -gain(die), -die.sides
    if order == "lowest_die":
        return die.face, -die.sides
    return -die.face, -die.sides if order == "greatest_more_sides" else die.sides


@cache
def reroll_order(order: DieOrder, kinds: frozenset[int]) -> dict[Shown, int]:
    """The place of every face of some kinds of dice in the order in which they are rerolled."""
    every = [Shown(sides, face) for sides in kinds for face in range(1, sides + 1)]
    return {die: place for place, die in enumerate(sorted(every, key=lambda die: first_to_reroll(order, die)))}


@dataclass(frozen=True, slots=True)
class Rerolled(Rollable[int]):
    """Dice added up after ``rerolls`` of them, one after the other, were rerolled in a fixed order.

    >>> Rerolled((10, 4), 0, 1, "max_gain").weigh().mean
    Fraction(3939, 400)
    """

    dice: tuple[int, ...]
    plus: int
    rerolls: int
    order: DieOrder

    def __post_init__(self) -> None:
        if not 0 <= self.rerolls <= MOST_REROLLS:
            raise BadInput(f"{self.rerolls} rerolls are out of bounds; 0 to {MOST_REROLLS} are allowed")

    @property
    def better(self) -> bool:
        """Whether the better face of a rerolled die is kept."""
        return self.order in ("max_gain", "lowest_die")

    def read(self, face: Face) -> int:
        """Throw all dice, then reroll one after the other, looking at all of them each time."""
        shown = [Shown(sides, face(Die(sides))) for sides in self.dice]
        keep = max if self.better else min
        turn = reroll_order(self.order, frozenset(self.dice))
        for _ in range(self.rerolls if shown else 0):
            at = min(range(len(shown)), key=lambda place: turn[shown[place]])
            sides = shown[at].sides
            shown[at] = Shown(sides, keep(shown[at].face, face(Die(sides))))
        return self.plus + sum([die.face for die in shown])

    def _weigh(self) -> Dist[int]:
        table = [0] * (sum(self.dice) + 1)
        for low, weights, factor in self._endings():
            for total, weight in enumerate(weights, low):
                table[total] += weight * factor
        return Dist.from_table(self.plus, table)

    def _endings(self) -> Iterator[tuple[int, list[int], int]]:
        """The ways in which the rerolls can run out: tables of the sum of the dice, and how much each counts."""
        counts = {sides: self.dice.count(sides) for sides in self.dice}
        if not counts:
            yield 0, [1], 1
            return
        step = lcm(*counts)
        free = {sides: sides for sides in counts}  # how many faces of each kind of die still lie ahead
        ways = [0] * self.rerolls + [1]  # by the number of rerolls that are left
        for sides, shown in reroll_order(self.order, frozenset(counts)):
            count, left, factor = counts[sides], free[sides] - 1, step // sides
            stays = shown if self.better else sides - shown + 1
            at_place = [[way * comb(count, here) for way in ways] for here in range(count + 1)]
            if left == 0:
                at_place[:count] = [[0] * len(ways)] * count
            for rerolls in range(self.rerolls, 0, -1):
                for here in range(1, count + 1):
                    weight = at_place[here][rerolls] * factor
                    if weight:
                        at_place[here][rerolls - 1] += weight * stays
                        if left:
                            at_place[here - 1][rerolls - 1] += weight
            free[sides] = left
            others_low, others = self._spread(
                {other: number for other, number in counts.items() if other != sides}, free
            )
            for here in range(count + 1):
                if at_place[here][0]:
                    low, table = self._spread({sides: count - here}, free)
                    yield others_low + low + here * shown, convolve(others, table), at_place[here][0]
            ways = [0, *at_place[0][1:]]
            if not any(ways):
                return

    def _spread(self, counts: dict[int, int], free: dict[int, int]) -> tuple[int, list[int]]:
        """The lowest sum and the table of dice that lie evenly on the faces ahead of them."""
        low, table = 0, [1]
        for sides, count in counts.items():
            low += count * (sides - free[sides] + 1 if self.better else 1)
            table = convolve(table, equal_dice(count, free[sides]))
        return low, table

    def __str__(self) -> str:
        dice = "+".join([f"d{sides}" for sides in self.dice]) or "no dice"
        plus = f"{self.plus:+d}" if self.plus else ""
        kept = "better" if self.better else "worse"
        times = "once" if self.rerolls == 1 else f"{self.rerolls} times"
        return f"{dice}{plus}, one die rerolled {times} and the {kept} face kept" if self.rerolls else f"{dice}{plus}"


@dataclass(frozen=True, slots=True)
class OnTable(Rollable[tuple[Shown, ...]]):
    """Dice that are thrown and left lying, so that somebody can choose among them."""

    dice: tuple[int, ...]

    def read(self, face: Face) -> tuple[Shown, ...]:
        """Throw all dice and put them in order."""
        return in_order([Shown(sides, face(Die(sides))) for sides in self.dice])

    def _weigh(self) -> Dist[tuple[Shown, ...]]:
        return Dist.from_dict(spread_of(self.dice))

    def __str__(self) -> str:
        return "+".join([f"d{sides}" for sides in self.dice]) or "no dice"


def in_order(dice: Sequence[Shown]) -> tuple[Shown, ...]:
    """The same dice with most sides first and, among equal ones, the highest face first."""
    return tuple(sorted(dice, reverse=True))


def spread_of(dice: Sequence[int]) -> dict[tuple[Shown, ...], int]:
    """Every way the dice can lie, in order, and how many rolls give it."""
    lying: dict[tuple[Shown, ...], int] = {(): 1}
    for sides in sorted(set(dice), reverse=True):
        for added in range(1, dice.count(sides) + 1):
            longer: dict[tuple[Shown, ...], int] = {}
            faces = [Shown(sides, face) for face in range(1, sides + 1)]
            for before, ways in lying.items():
                last = before[-1].face if added > 1 else sides
                same = sum([1 for die in before if die == before[-1]]) if added > 1 else 0
                for die in faces[:last]:
                    # multinomial counts grow by added / (how often this face lies there now)
                    often = same + 1 if added > 1 and die.face == last else 1
                    longer[(*before, die)] = ways * added // often
            lying = longer
    return lying
