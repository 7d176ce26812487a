"""Dice of the book and their closed forms.

Running the rule to every end would follow each die of each throw; here every way the dice can lie is one state, and
what a reroll is worth comes from one pass over the faces of the die that is taken up.

Where a fixed rule says which die is rerolled, :class:`Rerolled` weighs the roll in one sweep. The rule takes the dice
in a fixed order of what they show (the lowest face first, say), and a rerolled die that leaves its place is evenly
spread over the faces that come later in it. So it is enough to know, place by place, how many dice lie there and
how many rerolls are left. Where the roller chooses, see :class:`ChosenRerolls`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import comb, lcm
from typing import Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Dist, Face, Rollable
from tablewright.dice.weights import convolve, equal_dice
from tablewright.engine import TooComplexError
from tablewright.engine.mechanic import Value
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.values import Shown

Keep: TypeAlias = Literal["better", "worse"]

MOST_WORK = 400_000
"""Limit on the ways the dice can lie, times dice, times rerolls."""


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
    """Odds of a sum of dice with rerolls by choice."""

    dice: tuple[int, ...]
    rerolls: int
    keep: Keep

    def __post_init__(self) -> None:
        if self._size > MOST_WORK:
            raise TooComplexError(
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
        """Work of one decision; the resisting side decides again for every total of the acting side."""
        return self._size // 2

    @property
    def deciding(self) -> bool:
        """True if there is ever more than one die to choose from."""
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
        """For every state the dice that may be rerolled, the automatic choice first."""
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
        """States that a reroll may lead to, and the number of faces that change nothing."""
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
        """Value of rerolling a die, by the face it shows."""
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


MOST_REROLLS = 10

DieOrder: TypeAlias = Literal["max_gain", "lowest_die", "greatest_more_sides", "greatest_fewer_sides"]
"""Rule that picks the rerolled die: the first two are for advantage, the others for disadvantage."""


def gain(die: Shown) -> Fraction:
    """Average gain of rerolling a die and keeping the better face.

    >>> gain(Shown(10, 3)), gain(Shown(4, 4))
    (Fraction(14, 5), Fraction(0, 1))
    """
    missing = die.sides - die.face
    return Fraction(missing * (missing + 1), 2 * die.sides)  # mars.advantage.die_choice


@cache
def first_to_reroll(order: DieOrder, die: Shown) -> tuple[float, int]:
    """A sort key: of the dice on the table the one with the lowest key is rerolled.

    Gains of dice are far enough apart to be compared as floats, and equal ones are equal floats.
    """
    if order == "max_gain":
        return -float(gain(die)), -die.sides
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
            raise InvalidInputError(f"{self.rerolls} rerolls are out of bounds; 0 to {MOST_REROLLS} are allowed")

    @property
    def better(self) -> bool:
        """True if the better face of a rerolled die is kept."""
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
    """Dice that are thrown and left on the table, to choose among them."""

    dice: tuple[int, ...]

    def read(self, face: Face) -> tuple[Shown, ...]:
        """Throw all dice and put them in order."""
        return in_order([Shown(sides, face(Die(sides))) for sides in self.dice])

    def _weigh(self) -> Dist[tuple[Shown, ...]]:
        return Dist.from_dict(spread_of(self.dice))

    def __str__(self) -> str:
        return "+".join([f"d{sides}" for sides in self.dice]) or "no dice"


def in_order(dice: Sequence[Shown]) -> tuple[Shown, ...]:
    """Dice sorted by sides and then by face, the highest first."""
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
