"""Positions and the interface of all kinds of ground."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError, ProblemListError

Exact: TypeAlias = int | Fraction
"""A distance or a cost: whole, or a fraction where the rule book keeps halves."""

Placed: TypeAlias = tuple[tuple[str | int, ...], str]
"""A problem of a ground and the path of keys and indices that leads to it."""

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
        """Parse a position; only the ground can tell whether it exists."""
        found = _CELL.match(text)
        if found:
            x, y, z = (int(number or 0) for number in found.groups())
            if max(abs(x), abs(y), abs(z)) > MOST_COORDINATE:
                raise InvalidInputError(
                    f'position "{text.strip()}" is too far out, at most {MOST_COORDINATE:,} either way'
                )
            return cls(x, y, z)
        named = text.strip()
        if _NAMED.match(named) and len(named) <= MOST_NAME + 5:
            return cls(name=named)
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise InvalidInputError(
            f'"{shown}" is not a position; allowed are a square "3,4", a cube "3,4,1", "zone:NAME", "spot:NAME"'
        )

    def __str__(self) -> str:
        if self.name:
            return self.name
        return f"{self.x},{self.y},{self.z}" if self.z else f"{self.x},{self.y}"

    def json_text(self) -> str:
        """Text form, also used in JSON."""
        return str(self)

    @property
    def point(self) -> tuple[int, int, int]:
        """Column, row and level."""
        return self[:3]

    @property
    def is_cell(self) -> bool:
        """True if it is a square or cube of a grid."""
        return not self.name

    @property
    def place(self) -> str:
        """Bare name of a zone or spot: `gate` of `zone:gate`."""
        return self.name.partition(":")[2] or self.name


def cell(x: int, y: int, z: int = 0) -> Position:
    """A square of a grid: column, row (growing to the south) and, for cubes, level.

    >>> str(cell(3, 4))
    '3,4'
    """
    return Position(x, y, z)


class Path(NamedTuple):
    """Positions from the start to the end of a move, and its cost."""

    steps: tuple[Position, ...]
    cost: Exact

    @property
    def end(self) -> Position:
        """Last position of the path."""
        return self.steps[-1]

    def __str__(self) -> str:
        return f"{' > '.join(map(str, self.steps))} ({self.cost})"


class Walk(NamedTuple):
    """Movement conditions of a participant.

    `avoid` cannot be entered (enemies); `no_stop` can be passed but not ended on (friends). `difficult` is False if
    difficult ground costs nothing extra. `vertical` is True for flight.
    """

    avoid: Collection[Position] = ()
    no_stop: Collection[Position] = ()
    difficult: bool = True
    vertical: bool = False


WALK = Walk()
"""Movement on foot without obstacles."""


class WrongGroundError(ProblemListError):
    """Invalid ground; `placed` holds each problem with the path of keys and indices that leads to it."""

    def __init__(self, placed: Iterable[Placed]) -> None:
        self.placed = tuple(placed)
        super().__init__(f"{'.'.join(map(str, path))}: {message}" if path else message for path, message in self.placed)


class Ground:
    """Interface of all kinds of ground. Distances and costs are exact and in the ground's own unit.

    Grounds are frozen, cache their hash and compare by value. The class is not an ``ABC``, because every fight runs
    tens of thousands of ``isinstance`` checks, which take five times as long on an ``ABC``.
    """

    __slots__ = ()

    kind: ClassVar[str]

    @abstractmethod
    def distance(self, a: Position, b: Position) -> Exact:
        """Distance between two positions for ranges and reach; obstacles do not count."""

    def within(self, a: Position, b: Position, reach: Exact) -> bool:
        """True if the distance is at most `reach`."""
        return self.distance(a, b) <= reach

    @abstractmethod
    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """Positions one step away that can be entered, in a fixed order."""

    @abstractmethod
    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Cheapest path, or None if there is none within the budget."""

    @abstractmethod
    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Positions where a move within the budget can end, with their cost, cheapest first; the start is the first."""

    @abstractmethod
    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """Follow the cheapest path to any position within `reach` of the goal as far as the budget allows.

        None if no path leads there. The path has one step if the start is within reach already or no move is possible.
        """

    def line(self, a: Position, b: Position) -> tuple[Position, ...]:
        """Positions on the straight line between two, both included."""
        return (a,) if a == b else (a, b)

    def opposite(self, middle: Position, a: Position, b: Position) -> bool:
        """True if two positions lie on exactly opposite sides of a third; always False except on a grid."""
        return False

    @abstractmethod
    def trouble(self, at: Position) -> str | None:
        """Reason that a position cannot be occupied; None if it is valid on this ground."""

    @property
    def shares(self) -> bool:
        """True if several participants may share a position."""
        return True

    def parse(self, text: str) -> Position:
        """Parse a position of this ground; others are refused."""
        at = Position.parse(text)
        trouble = self.trouble(at)
        if trouble:
            raise InvalidInputError(trouble)
        return at

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The ground as plain JSON; `read_ground` returns an equal one."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Cached values, above all hashes of strings, are not valid in another interpreter.
        return type(self), tuple([getattr(self, entry.name) for entry in fields(self) if entry.init])  # type: ignore[arg-type]


def exact(number: Exact) -> Exact:
    """The same number, as an int if it is whole."""
    return number.numerator if type(number) is not int and number.denominator == 1 else number


def is_exact(value: object) -> bool:
    """True if a value is an int or a fraction; `True` is neither."""
    return isinstance(value, Fraction) or type(value) is int


def format_distance(value: object) -> str:
    """A value for a message, at most 60 characters."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def wrong_name(path: tuple[str | int, ...], name: object) -> Iterator[Placed]:
    """Problem with the name of a zone or spot, if there is one."""
    try:
        if isinstance(name, str) and len(name) <= MOST_NAME and Position.parse(f"zone:{name}").place == name:
            return
    except InvalidInputError:
        pass
    yield path, f"{format_distance(name)} is not a name: 1 to {MOST_NAME} characters without commas and colons"
