"""Ground without a map: range bands between spots, and everyone together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ground.position import (
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
    wrong_name,
)

HERE = Position(name="here")
"""The only position on ground without positions."""
MOST_BANDS = 20
MOST_PAIRS = 5_000


def spot(name: str) -> Position:
    """Position of a group, or of a single participant under their own name, for range bands."""
    return Position.parse(f"spot:{name}")


class Band(NamedTuple):
    """A range band and the greatest distance that belongs to it."""

    name: str
    limit: Exact


@dataclass(frozen=True, slots=True)
class Bands(Ground):
    """Range bands between named spots; a spot is a group or one participant.

    Participants on the same spot are in the nearest band. Pairs that are not listed are in the band `usual`. The
    distance between two spots is the limit of their band, so a weapon reaches bands whose limit is within its range.

    >>> field = Bands((Band("near", 2), Band("far", 30)), usual="far")
    >>> field.band(spot("archers"), spot("wolf")), field.distance(spot("archers"), spot("wolf"))
    ('far', 30)
    >>> field.put(spot("archers"), spot("wolf"), "near").band(spot("wolf"), spot("archers"))
    'near'
    """

    kind: ClassVar[str] = "bands"

    bands: tuple[Band, ...]
    usual: str = ""
    between: tuple[tuple[str, str, str], ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)
    _index: dict[str, int] = field(init=False, repr=False, compare=False)
    _pairs: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        change = object.__setattr__
        if not self.usual and self.bands:
            change(self, "usual", self.bands[0].name)
        problems = list(_band_problems(self))
        if problems:
            raise WrongGroundError(problems)
        index = {band.name: number for number, band in enumerate(self.bands)}
        tidy = sorted((min(a, b), max(a, b), name) for a, b, name in self.between)
        change(self, "between", tuple(tidy))
        change(self, "_index", index)
        change(self, "_pairs", {(a, b): index[name] for a, b, name in tidy})
        change(self, "_hash", hash((self.bands, self.usual, self.between)))

    def __hash__(self) -> int:
        return self._hash

    def _band(self, a: Position, b: Position) -> int:
        if a == b:
            return 0
        one, other = a.place, b.place
        return self._pairs.get((one, other) if one < other else (other, one), self._index[self.usual])

    def band(self, a: Position, b: Position) -> str:
        """Name of the band between two spots."""
        return self.bands[self._band(a, b)].name

    def distance(self, a: Position, b: Position) -> Exact:
        """Limit of the band between two spots."""
        return self.bands[self._band(a, b)].limit

    def put(self, a: Position, b: Position, band: str) -> Bands:
        """Copy with another band between two spots; unknown bands are refused."""
        if band not in self._index:
            raise InvalidInputError(
                f'there is no band "{band}"{did_you_mean(band, self._index)} (bands: {", ".join(self._index)})'
            )
        if a == b:
            raise InvalidInputError(f"{a} is always in the band {self.bands[0].name} of itself")
        pair = (min(a.place, b.place), max(a.place, b.place))
        kept = [entry for entry in self.between if entry[:2] != pair]
        if band != self.usual:
            kept.append((*pair, band))
        return replace(self, between=tuple(kept))

    def spots(self) -> tuple[Position, ...]:
        """Spots named in `between`, sorted."""
        return tuple([spot(name) for name in sorted({name for a, b, _ in self.between for name in (a, b)})])

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """Known spots in the nearest band."""
        return tuple([other for other in self.spots() if other != at and self._band(at, other) == 0])

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Straight path to the other spot, at the cost of the distance; None if it is closed or beyond the budget."""
        if start == goal:
            return Path((start,), 0)
        cost = self.distance(start, goal)
        if goal in walk.avoid or goal in walk.no_stop or (budget is not None and cost > budget):
            return None
        return Path((start, goal), cost)

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Known spots within the budget, with their cost."""
        found = [
            (self.distance(start, other), other)
            for other in self.spots()
            if other != start and other not in walk.avoid and other not in walk.no_stop
        ]
        return {start: 0} | {at: cost for cost, at in sorted(found) if cost <= budget}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """Path to the other spot if the budget allows it; otherwise a path that stays at the start."""
        if self.distance(start, goal) <= reach:
            return Path((start,), 0)
        return self.path(start, goal, walk, budget=budget) or Path((start,), 0)

    def trouble(self, at: Position) -> str | None:
        """Reason that a position is not a spot; None if it is one."""
        return None if at.name.startswith("spot:") else f'"{at}" is not a spot; a position here is written "spot:NAME"'

    def parse(self, text: str) -> Position:
        """Parse a spot, with or without the prefix `spot:`."""
        bare = text.strip().removeprefix("spot:")
        return spot(bare)

    def to_json(self) -> dict[str, Any]:
        """The bands as plain JSON."""
        return {
            "kind": self.kind,
            "bands": [
                {"name": name, "limit": limit if isinstance(limit, int) else str(limit)} for name, limit in self.bands
            ],
            "usual": self.usual,
            "between": [{"spots": [a, b], "band": band} for a, b, band in self.between],
        }


@dataclass(frozen=True, slots=True)
class Together(Ground):
    """Everyone is in reach of everyone: no positions, no movement, one distance.

    >>> Together().distance(HERE, HERE), Together().path(HERE, HERE)
    (1, Path(steps=(Position(x=0, y=0, z=0, name='here'),), cost=0))
    """

    kind: ClassVar[str] = "together"

    apart: Exact = 1

    def __post_init__(self) -> None:
        if not is_exact(self.apart) or not 0 <= self.apart <= 1_000:
            raise WrongGroundError(
                [(("apart",), f"{format_distance(self.apart)}; allowed is a distance from 0 to 1,000")]
            )
        object.__setattr__(self, "apart", exact(self.apart))

    def distance(self, a: Position, b: Position) -> Exact:
        """The same distance for all positions."""
        return self.apart

    def within(self, a: Position, b: Position, reach: Exact) -> bool:
        """Always True."""
        return True

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """Always empty."""
        return ()

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Path that stays in place."""
        return Path((HERE,), 0)

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Only `HERE`, at no cost."""
        return {HERE: 0}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """Path that stays in place."""
        return Path((HERE,), 0)

    def trouble(self, at: Position) -> str | None:
        """Always None; positions do not matter."""
        return None

    def parse(self, text: str) -> Position:
        """Always `HERE`."""
        return HERE

    def to_json(self) -> dict[str, Any]:
        """The ground as plain JSON."""
        if self.apart == 1:
            return {"kind": self.kind}
        return {"kind": self.kind, "apart": self.apart if isinstance(self.apart, int) else str(self.apart)}


def _band_problems(ground: Bands) -> Iterator[Placed]:
    if not 1 <= len(ground.bands) <= MOST_BANDS:
        yield ("bands",), f"{len(ground.bands)} bands; allowed are 1 to {MOST_BANDS}"
    names = [band.name for band in ground.bands]
    for number, band in enumerate(ground.bands):
        yield from wrong_name(("bands", number), band.name)
        if band.name in names[:number]:
            yield ("bands", number), f"{format_distance(band.name)} is given twice"
        if not is_exact(band.limit) or not 0 <= band.limit <= 10**9:
            yield ("bands", number), f"the limit {format_distance(band.limit)} is not a distance"
        elif number and is_exact(ground.bands[number - 1].limit):
            before = ground.bands[number - 1].limit
            if band.limit <= before:
                yield ("bands", number), f"{band.name} ends at {band.limit}, not beyond the band before it ({before})"
    if ground.bands and ground.usual not in names:
        yield ("usual",), f"there is no band {format_distance(ground.usual)}{did_you_mean(ground.usual, names)}"
    if len(ground.between) > MOST_PAIRS:
        yield ("between",), f"{len(ground.between):,} pairs; at most {MOST_PAIRS:,}"
        return
    seen: set[tuple[str, str]] = set()
    for number, (a, b, name) in enumerate(ground.between):
        for word in (a, b):
            yield from wrong_name(("between", number), word)
        if name not in names:
            yield ("between", number), f"there is no band {format_distance(name)}{did_you_mean(str(name), names)}"
        pair = (min(a, b), max(a, b))
        if a == b:
            yield ("between", number), f"a pair is two spots, not {format_distance(a)} twice"
        elif pair in seen:
            yield ("between", number), f"{a} and {b} are given twice"
        seen.add(pair)
