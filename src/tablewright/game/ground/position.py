"""Positions, and what every kind of ground answers."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, TypeAlias

from tablewright.errors import BadInput, ManyProblems

Exact: TypeAlias = int | Fraction
"""A distance or a cost: whole, or a fraction where the rule book keeps halves."""

MOST_COORDINATE = 10_000
MOST_NAME = 60
_CELL = re.compile(r"\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*(?:,\s*(-?[0-9]{1,6})\s*)?\Z")
_NAMED = re.compile(r"(?:(?:zone|spot):[^\s,:](?:[^,:\n]*[^\s,:])?|here)\Z")


class Position(NamedTuple):
    """A square such as 3,4 (a cube: 3,4,1), a zone such as zone:gate, a spot such as spot:archers, or here.

    >>> Position.parse("3,4"), str(Position.parse("zone:old gate"))
    (Position(x=3, y=4, z=0, name=''), 'zone:old gate')
    """

    x: int = 0
    y: int = 0
    z: int = 0
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Position:
        """What a text says; whether there is such a position is the ground's to say."""
        found = _CELL.match(text)
        if found:
            x, y, z = (int(number or 0) for number in found.groups())
            if max(abs(x), abs(y), abs(z)) > MOST_COORDINATE:
                raise BadInput(f'position "{text.strip()}" is too far out, at most {MOST_COORDINATE:,} either way')
            return cls(x, y, z)
        named = text.strip()
        if _NAMED.match(named) and len(named) <= MOST_NAME + 5:
            return cls(name=named)
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise BadInput(
            f'"{shown}" is no position; allowed are a square "3,4", a cube "3,4,1", "zone:NAME", "spot:NAME"'
        )

    def __str__(self) -> str:
        if self.name:
            return self.name
        return f"{self.x},{self.y},{self.z}" if self.z else f"{self.x},{self.y}"

    def json_text(self) -> str:
        """The text form, which is also the form in JSON."""
        return str(self)

    @property
    def point(self) -> tuple[int, int, int]:
        """Column, row and level."""
        return self[:3]

    @property
    def is_cell(self) -> bool:
        """Whether it is a square or cube of a grid."""
        return not self.name

    @property
    def place(self) -> str:
        """The bare name of a zone or spot: `gate` of `zone:gate`."""
        return self.name.partition(":")[2] or self.name


def cell(x: int, y: int, z: int = 0) -> Position:
    """A square of a grid: column, row (growing to the south) and, where there are cubes, level.

    >>> str(cell(3, 4))
    '3,4'
    """
    return Position(x, y, z)


class Path(NamedTuple):
    """A way from the first position to the last, and what it costs."""

    steps: tuple[Position, ...]
    cost: Exact

    @property
    def end(self) -> Position:
        """Where the way ends."""
        return self.steps[-1]

    def __str__(self) -> str:
        return f"{' > '.join(map(str, self.steps))} ({self.cost})"


class Walk(NamedTuple):
    """How somebody moves: `avoid` cannot be entered (enemies in the way), `no_stop` can be passed but not ended on
    (friends); `difficult` is False for who does not care about difficult ground, `vertical` True for who can fly.
    """

    avoid: Collection[Position] = ()
    no_stop: Collection[Position] = ()
    difficult: bool = True
    vertical: bool = False


WALK = Walk()
"""Nobody in the way, on foot."""


class WrongGround(ManyProblems):
    """A ground that cannot be; `placed` holds each problem with the path of keys and indices that leads to it."""

    def __init__(self, placed: Iterable[tuple[tuple[str | int, ...], str]]) -> None:
        self.placed = tuple(placed)
        super().__init__(f"{'.'.join(map(str, path))}: {message}" if path else message for path, message in self.placed)


class Ground:
    """What every kind of ground answers. Distances and costs are exact and in the ground's own unit.

    Grounds are frozen, hash at once and compare by what they say. It is no ``ABC``: which kind a ground is of is asked
    by the ten thousand in every fight, and of those that takes five times as long.
    """

    __slots__ = ()

    kind: ClassVar[str]

    @abstractmethod
    def distance(self, a: Position, b: Position) -> Exact:
        """How far it is from one position to the other, for ranges and reach; obstacles do not count."""

    def within(self, a: Position, b: Position, reach: Exact) -> bool:
        """Whether the distance is at most `reach`."""
        return self.distance(a, b) <= reach

    @abstractmethod
    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """The positions one step away that can be entered, always in the same order."""

    @abstractmethod
    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """The cheapest way, or None where there is none within the budget."""

    @abstractmethod
    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Every position where one can end with this budget, with its cost, cheapest first; the start is the first."""

    @abstractmethod
    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """As far as the budget goes along the cheapest way to anywhere within `reach` of the goal.

        None where no way leads there; a path of one step where one already stands within reach or cannot move.
        """

    def line(self, a: Position, b: Position) -> tuple[Position, ...]:
        """The positions on the straight line between two, both included."""
        return (a,) if a == b else (a, b)

    def opposite(self, middle: Position, a: Position, b: Position) -> bool:
        """Whether two positions lie on exactly opposite sides of a third; only a grid can tell."""
        return False

    @abstractmethod
    def trouble(self, at: Position) -> str | None:
        """Why nobody can stand there, in words; None for a position of this ground."""

    @property
    def shares(self) -> bool:
        """Whether several may stand on one position."""
        return True

    def parse(self, text: str) -> Position:
        """The position that a text names on this ground."""
        at = Position.parse(text)
        trouble = self.trouble(at)
        if trouble:
            raise BadInput(trouble)
        return at

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The ground as plain JSON; `read_ground` gives an equal one."""

    def __reduce__(self) -> tuple[Any, ...]:
        # What is worked out at the start (hashes of words above all) is not valid in another interpreter.
        return type(self), tuple([getattr(self, entry.name) for entry in fields(self) if entry.init])  # type: ignore[arg-type]


def exact(number: Exact) -> Exact:
    """The same number as a plain whole number where it is one."""
    return number.numerator if type(number) is not int and number.denominator == 1 else number


def is_exact(value: object) -> bool:
    """Whether a value is a whole number or a fraction; `True` is neither."""
    return isinstance(value, Fraction) or type(value) is int


def shown(value: object) -> str:
    """A value in a message, never long."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
