"""Grid of squares or cubes: diagonals, difficult and blocked squares, and cheapest paths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import product
from math import isqrt
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ground.position import (
    MOST_COORDINATE,
    WALK,
    Exact,
    Ground,
    Path,
    Placed,
    Position,
    Walk,
    WrongGroundError,
    exact,
    format_distance,
    is_exact,
)

Diagonal: TypeAlias = Literal["one", "one_and_a_half", "alternating", "two", "none"]
Measure: TypeAlias = Literal["steps", "straight"]

MOST_SIDE = 1_000
MOST_MARKED = 20_000
MOST_FACTOR = 100
MOST_VISITED = 40_000

COMPASS: dict[str, tuple[int, int]] = {
    "north": (0, -1),
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
}
"""The eight directions, clockwise; north is up, towards row 0."""

_Step: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Grid(Ground):
    """Squares (or, with levels, cubes) of `step` metres.

    `diagonal` is the count of a diagonal step: `one`; `one_and_a_half` (halves are kept); `alternating` (1, 2, 1, 2
    along a path); `two` (as many as the straight steps it replaces); `none` (no diagonal steps). `measure` is the
    measure of distances: `steps` by the same rule, or `straight`, from centre to centre and rounded to the nearest
    whole metre. Squares begin at 0,0 in the upper left; without a `size` there is no edge. `difficult` squares multiply
    the cost of the step into them; `blocked` ones cannot be entered. `corners` allows diagonal steps past the corner of
    a blocked square. `shared` allows several participants on one square.

    >>> Grid(diagonal="one_and_a_half").distance(Position(0, 0), Position(3, 3))
    Fraction(9, 2)
    >>> Grid(measure="straight").distance(Position(0, 0), Position(3, 3))
    4
    >>> Grid(step=10, shared=True).distance(Position(0, 0), Position(1, 1, 2))
    20
    """

    kind: ClassVar[str] = "grid"

    step: Exact = 1
    diagonal: Diagonal = "one"
    measure: Measure = "steps"
    size: tuple[int, ...] | None = None
    difficult: tuple[tuple[Position, Exact], ...] = ()
    blocked: tuple[Position, ...] = ()
    corners: bool = True
    shared: bool = False
    _hash: int = field(init=False, repr=False, compare=False)
    _plain: bool = field(init=False, repr=False, compare=False)
    """True if a square is a metre, diagonally too, and distances are counted in squares."""
    _factors: dict[Position, Exact] = field(init=False, repr=False, compare=False)
    _walls: frozenset[Position] = field(init=False, repr=False, compare=False)
    _near: dict[tuple[Position, bool], tuple[tuple[Position, int], ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise WrongGroundError(problems)
        change = object.__setattr__
        change(self, "step", exact(self.step))
        change(self, "difficult", tuple(sorted((at, exact(factor)) for at, factor in self.difficult)))
        change(self, "blocked", tuple(sorted(self.blocked)))
        change(self, "_factors", dict(self.difficult))
        change(self, "_walls", frozenset(self.blocked))
        change(self, "_near", {})
        change(self, "_plain", self.diagonal == "one" and self.measure == "steps" and self.step == 1)
        said = (self.step, self.diagonal, self.measure, self.size, self.difficult, self.blocked)
        change(self, "_hash", hash((said, self.corners, self.shared)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def shares(self) -> bool:
        """True if several participants may share a square."""
        return self.shared

    def steps(self, a: Position, b: Position) -> Exact:
        """Steps between two squares on open ground; diagonals count by the grid's rule."""
        return exact(Fraction(_half_steps(self.diagonal, a, b), 2))

    def distance(self, a: Position, b: Position) -> Exact:
        """Distance in metres, by steps or straight."""
        if self._plain:
            return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2]))
        if self.measure == "straight":
            squares = (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2
            if self.step == 1:
                return (isqrt(4 * squares) + 1) // 2
            return (isqrt(int(4 * squares * self.step * self.step)) + 1) // 2
        if self.diagonal == "one":
            return exact(self.step * max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2])))
        return exact(Fraction(_half_steps(self.diagonal, a, b), 2) * self.step)

    def within(self, a: Position, b: Position, reach: Exact) -> bool:
        """True if the distance is at most `reach`; plain squares compare each axis, which is faster."""
        if self._plain:
            return abs(a[0] - b[0]) <= reach and abs(a[1] - b[1]) <= reach and abs(a[2] - b[2]) <= reach
        return self.distance(a, b) <= reach

    def adjacent(self, a: Position, b: Position) -> bool:
        """True if two squares touch at a side or a corner; a square does not touch itself.

        >>> Grid(diagonal="two").adjacent(Position(0, 0), Position(1, 1))
        True
        """
        return max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)) == 1

    def neighbours(self, at: Position, *, vertical: bool = False) -> tuple[Position, ...]:
        """Squares one step away that are neither blocked nor off the grid, clockwise from north."""
        return tuple([to for to, _ in self._ways(at, vertical)])

    def opposite(self, middle: Position, a: Position, b: Position) -> bool:
        """True if two squares lie on exactly opposite sides of a third.

        >>> Grid().opposite(Position(2, 2), Position(1, 1), Position(3, 3))
        True
        """
        return a != b and a.x + b.x == 2 * middle.x and a.y + b.y == 2 * middle.y and a.z + b.z == 2 * middle.z

    def line(self, a: Position, b: Position) -> tuple[Position, ...]:
        """Squares nearest to the straight line between two, both included; the same from either end.

        >>> [str(at) for at in Grid().line(Position(0, 0), Position(3, 1))]
        ['0,0', '1,0', '2,1', '3,1']
        """
        return _line(a, b)

    def area(self, centre: Position, radius: Exact) -> tuple[Position, ...]:
        """Squares within a distance, in order, blocked ones included; other levels only if the grid has several.

        >>> [str(at) for at in Grid(diagonal="none").area(Position(0, 0), 1)]
        ['-1,0', '0,-1', '0,0', '0,1', '1,0']
        """
        span = int((radius + 1) / self.step)
        levels = range(-span, span + 1) if self.size and len(self.size) == 3 else range(1)
        if (2 * span + 1) ** 2 * len(levels) > 4 * MOST_VISITED:
            raise InvalidInputError(
                f"an area of radius {radius} is too large, it has more than {4 * MOST_VISITED:,} squares"
            )
        side = range(-span, span + 1)
        cells = (Position(centre.x + x, centre.y + y, centre.z + z) for x, y, z in product(side, side, levels))
        return tuple([at for at in cells if _inside(self.size, at) and self.distance(centre, at) <= radius])

    def offset(self, start: Position, direction: str, metres: Exact) -> Position:
        """The square `metres` away in a compass direction; diagonals are rounded to the nearest square.

        >>> [str(Grid().offset(Position(0, 0), "northeast", metres)) for metres in (1, 2, 3, 10)]
        ['1,-1', '1,-1', '2,-2', '7,-7']
        """
        if direction not in COMPASS:
            allowed = ", ".join(COMPASS)
            raise InvalidInputError(
                f'"{direction[:40]}" is not a direction{did_you_mean(direction, COMPASS)} (allowed: {allowed})'
            )
        x, y = COMPASS[direction]
        along = metres / Fraction(self.step)
        squares = along * along / (2 if x and y else 1)
        count = (isqrt(int(4 * squares)) + 1) // 2
        return Position(start.x + x * count, start.y + y * count, start.z)

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Cheapest path, or None if there is none within the budget."""
        if goal != start and (goal in walk.avoid or goal in walk.no_stop or self.trouble(goal)):
            return None
        rule = self.diagonal
        found = self._search(
            start,
            goal,
            walk,
            arrived=lambda at: at == goal,
            ahead=lambda at, odd: _half_steps(rule, at, goal, odd),
            limit=None if budget is None else self._half_steps_for(budget),
        )
        return None if found is None else Path(tuple([at for at, _ in found]), self._metres(found[-1][1]))

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Squares where a move within the budget can end, with their cost, cheapest first."""
        best: dict[Position, Exact] = {}
        for (at, _), cost, _ in self._spread(start, walk, self._half_steps_for(budget), lambda at, odd: 0, None):
            best.setdefault(at, cost)
        return {at: self._metres(cost) for at, cost in best.items() if at == start or at not in walk.no_stop}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """Follow the cheapest path to any square within `reach` of the goal as far as the budget allows."""
        near = int((reach + Fraction(1, 2)) / self.step)
        x, y, z = goal.point
        taken = walk.no_stop
        found = self._search(
            start,
            goal,
            walk,
            arrived=lambda at: self.distance(at, goal) <= reach and (at == start or at not in taken),
            ahead=lambda at, _: 2 * max(0, abs(at[0] - x) - near, abs(at[1] - y) - near, abs(at[2] - z) - near),
        )
        if found is None:
            return None
        limit = self._half_steps_for(budget)
        while found[-1][1] > limit or (found[-1][0] in taken and len(found) > 1):
            found.pop()
        return Path(tuple([at for at, _ in found]), self._metres(found[-1][1]))

    def trouble(self, at: Position) -> str | None:
        """Reason that a square cannot be occupied: off the grid or blocked; None if it can."""
        if not at.is_cell:
            return f'"{at}" is not a square of a grid; a position here is written "3,4"'
        if not _inside(self.size, at):
            assert self.size is not None
            edges = ", ".join(f"0 to {side - 1}" for side in self.size)
            return f'"{at}" is outside of the grid, allowed are columns and rows {edges}'
        return f'"{at}" is a blocked square' if at in self._walls else None

    def to_json(self) -> dict[str, Any]:
        """The grid as plain JSON; default values are left out."""
        plain: dict[str, Any] = {"kind": self.kind}
        if self.step != 1:
            plain["step"] = self.step if isinstance(self.step, int) else str(self.step)
        plain |= {"diagonal": self.diagonal}
        if self.measure != "steps":
            plain["measure"] = self.measure
        if self.size is not None:
            plain["size"] = list(self.size)
        if self.difficult:
            plain["difficult"] = {
                str(at): factor if isinstance(factor, int) else str(factor) for at, factor in self.difficult
            }
        if self.blocked:
            plain["blocked"] = [str(at) for at in self.blocked]
        if not self.corners:
            plain["corners"] = False
        if self.shared:
            plain["shared"] = True
        return plain

    # ---------------------------------------------------------------- path search; costs are in half steps

    def _metres(self, cost: Exact) -> Exact:
        doubled = cost * self.step
        return exact(Fraction(doubled, 2)) if type(doubled) is not int or doubled % 2 else doubled // 2

    def _half_steps_for(self, metres: Exact) -> Exact:
        return exact(2 * metres) if self.step == 1 else exact(Fraction(metres * 2) / self.step)

    def _ways(self, at: Position, vertical: bool) -> tuple[tuple[Position, int], ...]:
        """Squares one step away, each with the number of axes the step changes; cached."""
        known = self._near.get((at, vertical))
        if known is None:
            if len(self._near) >= MOST_VISITED:
                self._near.clear()
            known = self._near[at, vertical] = tuple(
                [
                    (to, axes)
                    for x, y, z, axes in _steps(self.diagonal, vertical)
                    if self._leads(at, to := Position(at.x + x, at.y + y, at.z + z), axes)
                ]
            )
        return known

    def _leads(self, at: Position, to: Position, axes: int) -> bool:
        if to in self._walls or not _inside(self.size, to):
            return False
        return axes == 1 or self.corners or not any(corner in self._walls for corner in _corners(at, to))

    def _spread(
        self,
        start: Position,
        walk: Walk,
        limit: Exact | None,
        ahead: Callable[[Position, int], int],
        box: tuple[tuple[int, int], ...] | None,
    ) -> Iterator[tuple[_State, Exact, dict[_State, _State]]]:
        """States in order of cost plus estimate, each once, with their cost and a map of predecessors."""
        alternating = self.diagonal == "alternating"
        along_axes = _HALF_STEPS.get(self.diagonal, _HALF_STEPS["one"])
        factors = self._factors if walk.difficult else {}
        avoid, vertical, near = walk.avoid, walk.vertical, self._near
        first = (start, 0)
        costs: dict[_State, Exact] = {first: 0}
        came: dict[_State, _State] = {}
        heap: list[tuple[Exact, int, _State]] = [(ahead(start, 0), ahead(start, 0), first)]
        done: set[_State] = set()
        while heap:
            _, _, state = heappop(heap)
            if state in done:
                continue
            done.add(state)
            if len(done) > MOST_VISITED:
                raise InvalidInputError(
                    f"no way from {start} was found within {MOST_VISITED:,} squares; give the grid a size"
                )
            cost = costs[state]
            yield state, cost, came
            at, odd = state
            for to, axes in near.get((at, vertical)) or self._ways(at, vertical):
                if to in avoid:
                    continue
                if box and not all(low <= part <= high for part, (low, high) in zip(to.point, box, strict=True)):
                    continue
                own, turned = along_axes[axes], odd
                if alternating and axes > 1:
                    own, turned = (4, 0) if odd else (2, 1)
                total = cost + (own * factors.get(to, 1) if factors else own)
                if limit is not None and total > limit:
                    continue
                reached = (to, turned)
                before = costs.get(reached)
                if before is None or total < before:
                    costs[reached] = total
                    came[reached] = state
                    left = ahead(to, turned)
                    heappush(heap, (total + left, left, reached))

    def _search(
        self,
        start: Position,
        goal: Position,
        walk: Walk,
        *,
        arrived: Callable[[Position], bool],
        ahead: Callable[[Position, int], int],
        limit: Exact | None = None,
    ) -> list[tuple[Position, Exact]] | None:
        box = None if self.size else self._box(start, goal, walk.avoid)
        costs: dict[_State, Exact] = {}
        for state, cost, came in self._spread(start, walk, limit, ahead, box):
            costs[state] = cost
            if arrived(state[0]):
                back = [state]
                while back[-1] in came:
                    back.append(came[back[-1]])
                return [(at, costs[(at, odd)]) for at, odd in reversed(back)]
        return None

    def _box(self, start: Position, goal: Position, avoid: Collection[Position]) -> tuple[tuple[int, int], ...]:
        """Bounds that a cheapest path never leaves: all marked squares plus a margin of two."""
        special = [at.point for at in (start, goal, *self.blocked, *self._factors, *avoid)]
        return tuple([(min(along) - 2, max(along) + 2) for along in zip(*special, strict=True)])


_HALF_STEPS: dict[Diagonal, tuple[int, ...]] = {
    "one": (0, 2, 2, 2),
    "one_and_a_half": (0, 2, 3, 3),
    "two": (0, 2, 4, 6),
}
"""Half steps of a step, indexed by the number of axes it changes."""

_State: TypeAlias = tuple[Position, int]
"""Position, and whether the next diagonal of an alternating grid is the long one."""


@lru_cache(maxsize=16)
def _steps(rule: Diagonal, vertical: bool) -> tuple[_Step, ...]:
    level = [(x, y, 0) for x, y in COMPASS.values()]
    if vertical:
        level += [(x, y, z) for z in (1, -1) for x, y in ((0, 0), *COMPASS.values())]
    with_axes = [(x, y, z, abs(x) + abs(y) + abs(z)) for x, y, z in level]
    return tuple([step for step in with_axes if step[3] == 1 or rule != "none"])


def _half_steps(rule: Diagonal, a: Position, b: Position, odd: int = 0) -> int:
    short, middle, long = sorted((abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)))
    match rule:
        case "one":
            return 2 * long
        case "one_and_a_half":
            return 2 * long + middle
        case "alternating":
            return 2 * (long + (middle + odd) // 2)
        case _:
            return 2 * (long + middle + short)


def _inside(size: tuple[int, ...] | None, at: Position) -> bool:
    if size is None:
        return True
    width, height, levels = (*size, 1)[:3]
    return 0 <= at.x < width and 0 <= at.y < height and 0 <= at.z < levels


def _corners(at: Position, to: Position) -> Iterator[Position]:
    """Squares that a diagonal step cuts past."""
    for point in product({at.x, to.x}, {at.y, to.y}, {at.z, to.z}):
        if point not in (at.point, to.point):
            yield Position(*point)


@lru_cache(maxsize=MOST_VISITED)
def _line(a: Position, b: Position) -> tuple[Position, ...]:
    """Squares between two; the same on every grid, and cached because path searches need them often."""
    if b < a:
        return _line(b, a)[::-1]
    count = max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
    on_the_way = [
        Position(_between(a.x, b.x, part, count), _between(a.y, b.y, part, count), _between(a.z, b.z, part, count))
        for part in range(count)
    ]
    return (*on_the_way, b)


def _between(start: int, end: int, part: int, count: int) -> int:
    """Nearest whole number to a point between start and end; halves round up."""
    return (2 * (start * count + (end - start) * part) + count) // (2 * count)


def _problems(grid: Grid) -> Iterator[Placed]:
    if not is_exact(grid.step) or not 0 < grid.step <= 1_000:
        yield ("step",), f"{format_distance(grid.step)} metres a step; allowed is more than 0 and at most 1,000"
    for name, allowed in (("diagonal", get_args(Diagonal)), ("measure", get_args(Measure))):
        value = getattr(grid, name)
        if value not in allowed:
            close = did_you_mean(value, allowed) if isinstance(value, str) else ""
            yield (name,), f"{format_distance(value)} is not known; allowed are {', '.join(allowed)}{close}"
    size_is_good = grid.size is None or (
        len(grid.size) in (2, 3) and all(type(side) is int and 1 <= side <= MOST_SIDE for side in grid.size)
    )
    if not size_is_good:
        yield ("size",), f"allowed are columns and rows (and levels), each from 1 to {MOST_SIDE:,}"
    for name, marked in (("difficult", [at for at, _ in grid.difficult]), ("blocked", list(grid.blocked))):
        if len(marked) > MOST_MARKED:
            yield (name,), f"{len(marked):,} squares; at most {MOST_MARKED:,}"
            continue
        yield from _wrong_cells(grid, name, marked, size_is_good)
    for number, (at, factor) in enumerate(grid.difficult):
        if not is_exact(factor) or not 1 <= factor <= MOST_FACTOR:
            yield ("difficult", number), f"{at} has the factor {format_distance(factor)}; allowed is 1 to {MOST_FACTOR}"


def _wrong_cells(grid: Grid, name: str, marked: Iterable[Position], size_is_good: bool) -> Iterator[Placed]:
    seen: set[Position] = set()
    for number, at in enumerate(marked):
        if not at.is_cell:
            yield (name, number), f"{format_distance(str(at))} is not a square"
            continue
        if max(abs(at.x), abs(at.y), abs(at.z)) > MOST_COORDINATE:
            yield (name, number), f'"{at}" is too far out'
        elif size_is_good and not _inside(grid.size, at):
            yield (name, number), f'"{at}" is outside of the grid'
        if at in seen:
            yield (name, number), f'"{at}" is given twice'
        seen.add(at)
