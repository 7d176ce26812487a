"""The words of the rules as values: roll values, degrees of success, dice that lie on the table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Literal, NamedTuple

from tablewright.dice import Die, Sum
from tablewright.errors import BadInput
from tablewright.systems.mars.options import OddRollValues

MOST_ROLL_VALUE = 200
MOST_MODIFIER = 999

_ROLL_VALUE = re.compile(r"r([0-9]{1,3})(?:([+-])([0-9]{1,3}))?", re.ASCII | re.IGNORECASE)
_SHOWN = re.compile(r"d([0-9]{1,2})[:=]([0-9]{1,2})", re.ASCII | re.IGNORECASE)


class RollValue(NamedTuple):
    """A roll value such as r14+1, from r0 to r200.

    ``n`` says which dice are rolled, ``modifier`` is added to their sum.

    >>> RollValue.parse("r14 + 1").dice()
    (10, 4)
    >>> str(RollValue.parse("R22"))
    'r22'
    """

    n: int
    modifier: int = 0

    @staticmethod
    def parse(text: str) -> RollValue:
        """Read ``rN``, ``rN+M`` or ``rN-M``, in either case and with spaces anywhere but inside numbers."""
        match = _ROLL_VALUE.fullmatch(re.sub(r"(?<![0-9]) +| +(?![0-9])", "", text))
        if match is None:
            raise BadInput(f'"{text[:40]}" is no roll value; write r14, r14+1 or r14-1', rule="mars.dice.notation")
        n, sign, modifier = match.groups()
        return RollValue(int(n), int(f"{sign}{modifier}") if sign else 0).checked()

    def checked(self) -> RollValue:
        """The roll value itself if it can be rolled; a negative or very large one is refused."""
        if not 0 <= self.n <= MOST_ROLL_VALUE:
            raise BadInput(f"r{self.n} cannot be rolled; r0 to r{MOST_ROLL_VALUE} can", rule="mars.dice.small_and_zero")
        if abs(self.modifier) > MOST_MODIFIER:
            raise BadInput(f"a modifier of {self.modifier} is out of bounds; at most {MOST_MODIFIER} are allowed")
        return self

    @staticmethod
    def merge(parts: Iterable[RollValue | int]) -> RollValue:
        """Several roll values and flat numbers rolled together as one [mars.dice.merge].

        >>> str(RollValue.merge([RollValue(14), RollValue(8), 2]))
        'r22+2'
        """
        n = modifier = 0
        for part in parts:
            n += part.n if isinstance(part, RollValue) else 0
            modifier += part.modifier if isinstance(part, RollValue) else part
        return RollValue(n, modifier).checked()

    def read_as(self, odd_roll_values: OddRollValues) -> RollValue:
        """How a table reads an odd roll value.

        >>> str(RollValue(15).read_as("even_plus_one"))
        'r14+1'
        """
        if self.n % 2 == 0 or odd_roll_values == "literal":
            return self
        if odd_roll_values == "even_plus_one":
            return RollValue(self.n - 1, self.modifier + 1)
        raise BadInput(f"{self} is odd, and this table rejects odd roll values", rule="mars.dice.odd_values")

    def dice(self) -> tuple[int, ...]:
        """The sides of the dice to roll, most first (mars.dice.table, mars.gap.dice.appendix).

        >>> RollValue(22).dice(), RollValue(2).dice(), RollValue(0).dice()
        ((12, 10), (2,), ())
        """
        tens, rest = divmod(self.n, 10)
        if rest == 2 and tens:
            return (12, *(10,) * (tens - 1))  # mars.dice.remainder_two
        return (*(10,) * tens, *((rest,) if rest else ()))

    def rolled(self) -> Sum:
        """The dice and the modifier as something to roll."""
        return Sum(tuple([Die(sides) for sides in self.dice()]), self.modifier)

    @property
    def maximum(self) -> int:
        """The highest total (mars.dice.maximum)."""
        return self.n + self.modifier

    @property
    def minimum(self) -> int:
        """The lowest total: every die shows 1."""
        return len(self.dice()) + self.modifier

    @property
    def passive(self) -> int:
        """What can be expected without rolling: half of N, and the whole modifier (mars.dice.passive)."""
        return self.n // 2 + self.modifier

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"r{self.n}{self.modifier:+d}" if self.modifier else f"r{self.n}"


class Degree(Enum):
    """How well a check went, worst first."""

    FAILURE = "failure"
    GRAZE = "graze"
    SUCCESS = "success"
    CRITICAL = "critical"

    __hash__ = object.__hash__  # calls with a degree are hashed by the thousand

    @property
    def succeeds(self) -> bool:
        """Whether it counts where a rule asks for a success; a graze does not."""
        return self in (Degree.SUCCESS, Degree.CRITICAL)  # mars.check.graze_meaning

    @property
    def rank(self) -> int:
        """0 for a failure up to 3 for a critical success."""
        return _RANKS[self]


_RANKS = {degree: rank for rank, degree in enumerate(Degree)}

THRESHOLD = 7  # mars.check.outcomes


def degree_of(margin: int) -> Degree:
    """The degree of a total that beats the difficulty by ``margin`` (mars.check.outcome_table).

    >>> degree_of(7), degree_of(0), degree_of(-1), degree_of(-7)
    (<Degree.CRITICAL: 'critical'>, <Degree.SUCCESS: 'success'>, <Degree.GRAZE: 'graze'>, <Degree.FAILURE: 'failure'>)
    """
    if margin >= THRESHOLD:
        return Degree.CRITICAL
    if margin >= 0:
        return Degree.SUCCESS
    return Degree.GRAZE if margin > -THRESHOLD else Degree.FAILURE


class Contested(NamedTuple):
    """How a contest went for each side; there are no grazes in it."""

    a: Degree
    b: Degree

    @staticmethod
    def of(difference: int) -> Contested:
        """The contest in which the first total is higher by ``difference``.

        >>> Contested.of(0).winner is None
        True
        """
        if difference == 0:
            return Contested(Degree.FAILURE, Degree.FAILURE)
        won = degree_of(abs(difference))
        return Contested(won, Degree.FAILURE) if difference > 0 else Contested(Degree.FAILURE, won)

    @property
    def winner(self) -> Literal["a", "b"] | None:
        """Who won, if anybody."""
        if self.a.succeeds:
            return "a"
        return "b" if self.b.succeeds else None


class Shown(NamedTuple):
    """A die that lies on the table, such as d10:3.

    >>> Shown.parse("d10:3")
    Shown(sides=10, face=3)
    """

    sides: int
    face: int

    @staticmethod
    def parse(text: str) -> Shown:
        """Read ``d10:3``: a ten-sided die that shows 3."""
        match = _SHOWN.fullmatch(text.strip())
        if match is None:
            raise BadInput(f'"{text[:40]}" is no die on the table; write d10:3 for a ten-sided die that shows 3')
        sides, face = map(int, match.groups())
        if not (1 <= sides <= 12 and 1 <= face <= sides):
            raise BadInput(f"{text.strip()} is not possible; a die has 1 to 12 sides and shows one of them")
        return Shown(sides, face)

    @property
    def id(self) -> str:
        """The notation, which names the die where it is an option."""
        return str(self)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"d{self.sides}:{self.face}"
