"""Vocabulary of the rules as values, with their notations and tables.

How a blow under way stands is kept in the scene as well (:class:`Fight`): a process may stop and go on anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import Tally
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.options import OddRollValues


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
            raise InvalidInputError(
                f'"{text[:40]}" is not a roll value; write r14, r14+1 or r14-1', rule="mars.dice.notation"
            )
        n, sign, modifier = match.groups()
        return RollValue(int(n), int(f"{sign}{modifier}") if sign else 0).checked()

    def checked(self) -> RollValue:
        """The roll value itself if it can be rolled; a negative or very large one is refused."""
        if not 0 <= self.n <= MOST_ROLL_VALUE:
            raise InvalidInputError(
                f"r{self.n} cannot be rolled; r0 to r{MOST_ROLL_VALUE} can", rule="mars.dice.small_and_zero"
            )
        if abs(self.modifier) > MOST_MODIFIER:
            raise InvalidInputError(
                f"a modifier of {self.modifier} is out of bounds; at most {MOST_MODIFIER} are allowed"
            )
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
        """Read an odd roll value by the table's option.

        >>> str(RollValue(15).read_as("even_plus_one"))
        'r14+1'
        """
        if self.n % 2 == 0 or odd_roll_values == "literal":
            return self
        if odd_roll_values == "even_plus_one":
            return RollValue(self.n - 1, self.modifier + 1)
        raise InvalidInputError(f"{self} is odd, and this table rejects odd roll values", rule="mars.dice.odd_values")

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
        """Passive value: half of N, and the whole modifier (mars.dice.passive)."""
        return self.n // 2 + self.modifier

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"r{self.n}{self.modifier:+d}" if self.modifier else f"r{self.n}"


class RollPart(NamedTuple):
    """One part of a merged roll value: dice, a flat modifier, or both."""

    label: str
    value: RollValue
    rule: str | None = None

    def __str__(self) -> str:
        shown = f"{self.value.modifier:+d}" if self.value.n == 0 else str(self.value)
        return f"{self.label} {shown}" + (f" [{self.rule}]" if self.rule else "")


@dataclass(frozen=True, slots=True)
class Rolled:
    """Roll values and flat numbers that are rolled together as one.

    >>> attack = Rolled.of("DEX", RollValue(10, 1)).add("finesse", RollValue(8)).add("armour penalty", -1)
    >>> str(attack.value), attack.tally().total
    ('r18', 18)
    >>> print(attack.explain())
    DEX r10+1
    finesse r8
    armour penalty -1
    = r18
    """

    parts: tuple[RollPart, ...] = ()

    @staticmethod
    def of(label: str, value: RollValue | int, rule: str | None = None) -> Rolled:
        """A roll value that so far has one part."""
        return Rolled((RollPart(label, _rolled(value), rule),))

    def add(self, label: str, value: RollValue | int, rule: str | None = None) -> Rolled:
        """With one part more; nothing is left out."""
        rolled = _rolled(value)
        return self if rolled == (0, 0) else Rolled((*self.parts, RollPart(label, rolled, rule)))

    def plus(self, other: Rolled) -> Rolled:
        """With all parts of another one."""
        return Rolled((*self.parts, *other.parts))

    @property
    def value(self) -> RollValue:
        """Roll value of the throw."""
        return RollValue.merge([part.value for part in self.parts])

    @property
    def maximum(self) -> int:
        """The highest total."""
        return self.value.maximum

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a hand in it, once, in order."""
        return tuple(dict.fromkeys([part.rule for part in self.parts if part.rule]))

    def tally(self, label: str = "") -> Tally:
        """Tally of the roll value; its total is the maximum, and it reads as it is rolled."""
        tally = Tally.of(label, 0) if label else None
        for part in self.parts:
            name = f"{part.label} r{part.value.n}" if part.value.n else part.label
            if tally is None:
                tally = Tally.of(name, part.value.maximum, part.rule)
            else:
                tally = tally.add(name, part.value.maximum, part.rule)
        return (tally or Tally.of(label or "nothing", 0)).reading(str(self.value))

    def explain(self) -> str:
        """One line for each part, and the roll."""
        return "\n".join([*map(str, self.parts), f"= {self.value}"])


def _rolled(value: RollValue | int) -> RollValue:
    return value if isinstance(value, RollValue) else RollValue(0, value)


Speed: TypeAlias = Literal["full-round", "standard", "swift", "free", "reaction", "free_reaction"]
Manner: TypeAlias = Literal["melee", "shot", "thrown"]


Part: TypeAlias = tuple[str, int, str | None]
"""A number with its name and its rule."""

MOST_SOURCES = 10


class Throw:
    """A roll to make: its roll value, its advantages and disadvantages, and the sources of all of them."""

    __slots__ = ("_tallies", "advantage", "cons", "disadvantage", "pros", "rolled", "value")

    def __init__(self, rolled: Rolled, pros: tuple[Part, ...] = (), cons: tuple[Part, ...] = ()) -> None:
        self.rolled = rolled
        self.value = rolled.value
        self.pros = pros
        self.cons = cons
        self.advantage = min(MOST_SOURCES, sum([value for _, value, _ in pros]))
        self.disadvantage = min(MOST_SOURCES, sum([value for _, value, _ in cons]))
        self._tallies: dict[str, dict[str, Tally]] = {}

    def with_parts(self, parts: Iterable[Part], pros: Iterable[Part] = (), cons: Iterable[Part] = ()) -> Throw:
        """With some numbers and sources more."""
        parts, pros, cons = tuple(parts), tuple(pros), tuple(cons)
        if not parts and not pros and not cons:
            return self
        rolled = self.rolled
        for label, value, rule in parts:
            rolled = rolled.add(label, value, rule)
        return Throw(rolled, (*self.pros, *pros), (*self.cons, *cons))

    def passive(self, odd: OddRollValues = "literal") -> Throw:
        """Passive value of the throw, moved by the number of dice for advantage or disadvantage."""
        value = self.value.read_as(odd)  # mars.dice.odd_values
        net = self.advantage - self.disadvantage
        number = len(value.dice())
        rolled = Rolled.of("passive value", value.passive, "mars.dice.passive")
        if net > 0:
            rolled = rolled.add("net advantage", number, "mars.gap.dice.passive_advantage")
        elif net < 0:
            rolled = rolled.add("net disadvantage", -number, "mars.gap.dice.passive_advantage")
        return Throw(rolled)

    def tallies(self, name: str, prefix: str = "") -> dict[str, Tally]:
        """Tallies for the arguments of a mechanic; ``name`` is the argument of the roll value."""
        known = self._tallies.get(name)
        if known is None:
            known = {name: self.rolled.tally()}
            if self.pros:
                known[f"{prefix}advantage"] = sources(self.pros)
            if self.cons:
                known[f"{prefix}disadvantage"] = sources(self.cons)
            self._tallies[name] = known
        return known


@lru_cache(maxsize=1_024)
def sources(parts: tuple[Part, ...]) -> Tally:
    """Sources of advantage or disadvantage, counted by name."""
    (label, value, rule), *others = parts
    return Tally.of(label, value, rule).add_all(others)


MOST_ROLL_VALUE = 200
MOST_MODIFIER = 999

_ROLL_VALUE = re.compile(r"r([0-9]{1,3})(?:([+-])([0-9]{1,3}))?", re.ASCII | re.IGNORECASE)
_SHOWN = re.compile(r"d([0-9]{1,2})[:=]([0-9]{1,2})", re.ASCII | re.IGNORECASE)


class Degree(Enum):
    """Degree of a check, worst first."""

    FAILURE = "failure"
    GRAZE = "graze"
    SUCCESS = "success"
    CRITICAL = "critical"

    __hash__ = object.__hash__  # calls with a degree are hashed by the thousand

    @property
    def succeeds(self) -> bool:
        """True if it counts where a rule asks for a success; a graze does not."""
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
    """Degrees of both sides of a contest; there are no grazes."""

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
        """The winning side; None on a tie."""
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
            raise InvalidInputError(
                f'"{text[:40]}" is not a die on the table; write d10:3 for a ten-sided die that shows 3'
            )
        sides, face = map(int, match.groups())
        if not (1 <= sides <= 12 and 1 <= face <= sides):
            raise InvalidInputError(f"{text.strip()} is not possible; a die has 1 to 12 sides and shows one of them")
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
