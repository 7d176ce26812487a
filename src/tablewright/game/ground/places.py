"""Ground without squares: zones with ways between them, bands of range between spots, and everyone together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Any, ClassVar, NamedTuple, TypeAlias

from tablewright.errors import BadInput, nearest
from tablewright.game.ground.position import (
    MOST_NAME,
    WALK,
    Exact,
    Ground,
    Path,
    Position,
    Walk,
    WrongGround,
    exact,
    is_exact,
    shown,
)

HERE = Position(name="here")
"""Where everybody is on ground that knows no places."""

MOST_ZONES = 500
MOST_LINKS = 5_000
MOST_BANDS = 20
MOST_PAIRS = 5_000

_Placed: TypeAlias = tuple[tuple[str | int, ...], str]


def zone(name: str) -> Position:
    """The position of whoever is in a zone.

    >>> str(zone("gate"))
    'zone:gate'
    """
    return Position.parse(f"zone:{name}")


def spot(name: str) -> Position:
    """The position of whoever stands with a group, or alone under one's own name, where only range bands count."""
    return Position.parse(f"spot:{name}")


class Link(NamedTuple):
    """A way between two zones; one that is not `passable` counts for distance (a chasm) but not for moving."""

    a: str
    b: str
    steps: Exact = 1
    passable: bool = True


@dataclass(frozen=True, slots=True)
class Zones(Ground):
    """Named zones and the ways between them, in steps. Everyone in a zone is at distance 0.

    >>> inn = Zones(("hall", "stairs", "loft"), (Link("hall", "stairs"), Link("stairs", "loft", 2)))
    >>> inn.distance(zone("hall"), zone("loft"))
    3
    >>> print(inn.path(zone("hall"), zone("loft")))
    zone:hall > zone:stairs > zone:loft (3)
    """

    kind: ClassVar[str] = "zones"

    names: tuple[str, ...]
    links: tuple[Link, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)
    _ways: dict[Position, tuple[tuple[Position, Exact, bool], ...]] = field(init=False, repr=False, compare=False)
    _known: dict[Position, dict[Position, Exact]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = list(_zone_problems(self))
        if problems:
            raise WrongGround(problems)
        ways: dict[Position, list[tuple[Position, Exact, bool]]] = {zone(name): [] for name in self.names}
        for link in self.links:
            a, b = zone(link.a), zone(link.b)
            ways[a].append((b, link.steps, link.passable))
            ways[b].append((a, link.steps, link.passable))
        change = object.__setattr__
        change(self, "_hash", hash((self.names, self.links)))
        change(self, "_ways", {at: tuple(onward) for at, onward in ways.items()})
        change(self, "_known", {})
        far = [name for name in self.names if zone(name) not in self._distances(zone(self.names[0]))]
        if far:
            raise WrongGround(
                [(("links",), f'no link joins "{far[0]}" to "{self.names[0]}"; give one, or an impassable one')]
            )

    def __hash__(self) -> int:
        return self._hash

    def _distances(self, start: Position) -> dict[Position, Exact]:
        known = self._known.get(start)
        if known is None:
            known = self._known[start] = {at: cost for at, cost, _ in self._spread(start, None, (), True)}
        return known

    def _spread(
        self, start: Position, budget: Exact | None, avoid: Collection[Position], anyhow: bool
    ) -> Iterator[tuple[Position, Exact, dict[Position, Position]]]:
        costs: dict[Position, Exact] = {start: 0}
        came: dict[Position, Position] = {}
        done: set[Position] = set()
        heap: list[tuple[Exact, Position]] = [(0, start)]
        while heap:
            cost, at = heappop(heap)
            if at in done:
                continue
            done.add(at)
            yield at, cost, came
            for to, steps, passable in self._ways[at]:
                total = cost + steps
                if not (passable or anyhow) or to in avoid or (budget is not None and total > budget):
                    continue
                if to not in costs or total < costs[to]:
                    costs[to] = total
                    came[to] = at
                    heappush(heap, (total, to))

    def distance(self, a: Position, b: Position) -> Exact:
        """The fewest steps between two zones, over every link."""
        try:
            return self._distances(a)[b]
        except KeyError:
            raise BadInput(self.trouble(a) or self.trouble(b) or f"{a} and {b} are not joined") from None

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """The zones that a passable link joins to this one."""
        return tuple(dict.fromkeys([to for to, _, passable in self._ways.get(at, ()) if passable]))

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """The cheapest way over passable links, or None where there is none within the budget."""
        if goal != start and goal in walk.no_stop:
            return None
        for at, cost, came in self._spread(start, budget, walk.avoid, False):
            if at == goal:
                back = [at]
                while back[-1] in came:
                    back.append(came[back[-1]])
                return Path(tuple(reversed(back)), exact(cost))
        return None

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Every zone where one can end with this budget, with its cost, cheapest first."""
        spread = self._spread(start, budget, walk.avoid, False)
        return {at: exact(cost) for at, cost, _ in spread if at == start or at not in walk.no_stop}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """As far as the budget goes along the cheapest way to any zone within `reach` of the goal."""
        for at, _, _ in self._spread(start, None, walk.avoid, False):
            if self.distance(at, goal) <= reach and (at == start or at not in walk.no_stop):
                whole = self.path(start, at, Walk(walk.avoid))
                assert whole is not None
                return self._cut(whole, budget, walk.no_stop)
        return None

    def _cut(self, whole: Path, budget: Exact, no_stop: Collection[Position]) -> Path:
        best = Path(whole.steps[:1], 0)
        cost: Exact = 0
        for number, to in enumerate(whole.steps[1:], start=1):
            cost += min(steps for at, steps, passable in self._ways[whole.steps[number - 1]] if at == to and passable)
            if cost > budget:
                break
            if to not in no_stop:
                best = Path(whole.steps[: number + 1], exact(cost))
        return best

    def trouble(self, at: Position) -> str | None:
        """Why nobody can be there: there is no such zone."""
        if at in self._ways:
            return None
        return (
            f'there is no zone "{at.place or at}"{nearest(at.place, self.names)} (zones: {", ".join(self.names[:20])})'
        )

    def parse(self, text: str) -> Position:
        """The zone that a text names, with or without `zone:` before it."""
        bare = text.strip().removeprefix("zone:")
        if bare not in self.names:
            raise BadInput(
                f"there is no zone {shown(bare)}{nearest(bare, self.names)} (zones: {', '.join(self.names[:20])})"
            )
        return zone(bare)

    def to_json(self) -> dict[str, Any]:
        """The zones as plain JSON."""
        links = []
        for link in self.links:
            plain: dict[str, Any] = {"between": [link.a, link.b]}
            if link.steps != 1:
                plain["steps"] = link.steps if isinstance(link.steps, int) else str(link.steps)
            if not link.passable:
                plain["passable"] = False
            links.append(plain)
        return {"kind": self.kind, "zones": list(self.names), "links": links}


class Band(NamedTuple):
    """A band of range and the greatest distance that still belongs to it."""

    name: str
    limit: Exact


@dataclass(frozen=True, slots=True)
class Bands(Ground):
    """Range bands: what counts is how far apart two spots are, by name. A spot is a group, or one participant.

    Who shares a spot is in the nearest band; a pair that nothing was said about is in the band `usual`. The distance
    between two spots is the limit of their band, so that a weapon reaches whatever its limit reaches.

    >>> field = Bands((Band("near", 2), Band("far", 30)), usual="far")
    >>> field.band(spot("archers"), spot("wolf")), field.distance(spot("archers"), spot("wolf"))
    ('far', 30)
    >>> field.closer(spot("archers"), spot("wolf")).band(spot("wolf"), spot("archers"))
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
            raise WrongGround(problems)
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
        """The name of the band that two spots are in."""
        return self.bands[self._band(a, b)].name

    def distance(self, a: Position, b: Position) -> Exact:
        """The limit of the band that two spots are in."""
        return self.bands[self._band(a, b)].limit

    def put(self, a: Position, b: Position, band: str) -> Bands:
        """With two spots in another band."""
        if band not in self._index:
            raise BadInput(f'there is no band "{band}"{nearest(band, self._index)} (bands: {", ".join(self._index)})')
        if a == b:
            raise BadInput(f"{a} is always in the band {self.bands[0].name} of itself")
        pair = (min(a.place, b.place), max(a.place, b.place))
        kept = [entry for entry in self.between if entry[:2] != pair]
        if band != self.usual:
            kept.append((*pair, band))
        return replace(self, between=tuple(kept))

    def closer(self, a: Position, b: Position) -> Bands:
        """With two spots one band nearer, if there is one."""
        return self.put(a, b, self.bands[max(0, self._band(a, b) - 1)].name)

    def farther(self, a: Position, b: Position) -> Bands:
        """With two spots one band farther apart, if there is one."""
        return self.put(a, b, self.bands[min(len(self.bands) - 1, self._band(a, b) + 1)].name)

    def spots(self) -> tuple[Position, ...]:
        """Every spot that something was said about."""
        return tuple([spot(name) for name in sorted({name for a, b, _ in self.between for name in (a, b)})])

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """The known spots in the nearest band."""
        return tuple([other for other in self.spots() if other != at and self._band(at, other) == 0])

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Straight to the other spot, at the cost of the distance."""
        if start == goal:
            return Path((start,), 0)
        cost = self.distance(start, goal)
        if goal in walk.avoid or goal in walk.no_stop or (budget is not None and cost > budget):
            return None
        return Path((start, goal), cost)

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Every known spot whose distance is within the budget."""
        found = [
            (self.distance(start, other), other)
            for other in self.spots()
            if other != start and other not in walk.avoid and other not in walk.no_stop
        ]
        return {start: 0} | {at: cost for cost, at in sorted(found) if cost <= budget}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """To the other spot if the budget allows it; otherwise `closer` is the way to come nearer."""
        if self.distance(start, goal) <= reach:
            return Path((start,), 0)
        return self.path(start, goal, walk, budget=budget) or Path((start,), 0)

    def trouble(self, at: Position) -> str | None:
        """Why nobody can be there: it is not a spot."""
        return None if at.name.startswith("spot:") else f'"{at}" is no spot; a position here is written "spot:NAME"'

    def parse(self, text: str) -> Position:
        """The spot that a text names, with or without `spot:` before it."""
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
    """Everyone is in reach of everyone: no positions, no moving, always the same distance.

    >>> Together().distance(HERE, HERE), Together().path(HERE, HERE)
    (1, Path(steps=(Position(x=0, y=0, z=0, name='here'),), cost=0))
    """

    kind: ClassVar[str] = "together"

    apart: Exact = 1

    def __post_init__(self) -> None:
        if not is_exact(self.apart) or not 0 <= self.apart <= 1_000:
            raise WrongGround([(("apart",), f"{shown(self.apart)}; allowed is a distance from 0 to 1,000")])
        object.__setattr__(self, "apart", exact(self.apart))

    def distance(self, a: Position, b: Position) -> Exact:
        """Always the same."""
        return self.apart

    def within(self, a: Position, b: Position, reach: Exact) -> bool:
        """Always: everyone is in reach."""
        return True

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """None: there is nowhere else."""
        return ()

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """One is already there."""
        return Path((HERE,), 0)

    def reachable(self, start: Position, budget: Exact, walk: Walk = WALK) -> dict[Position, Exact]:
        """Only here."""
        return {HERE: 0}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """One is already there."""
        return Path((HERE,), 0)

    def trouble(self, at: Position) -> str | None:
        """Nothing is wrong with any position: it does not count."""
        return None

    def parse(self, text: str) -> Position:
        """Here, whatever the text says."""
        return HERE

    def to_json(self) -> dict[str, Any]:
        """The ground as plain JSON."""
        if self.apart == 1:
            return {"kind": self.kind}
        return {"kind": self.kind, "apart": self.apart if isinstance(self.apart, int) else str(self.apart)}


def _zone_problems(zones: Zones) -> Iterator[_Placed]:
    if not 1 <= len(zones.names) <= MOST_ZONES:
        yield ("zones",), f"{len(zones.names):,} zones; allowed are 1 to {MOST_ZONES}"
    if len(zones.links) > MOST_LINKS:
        yield ("links",), f"{len(zones.links):,} links; at most {MOST_LINKS:,}"
    for number, name in enumerate(zones.names):
        yield from _wrong_name(("zones", number), name)
        if name in zones.names[:number]:
            yield ("zones", number), f"{shown(name)} is given twice"
    for number, link in enumerate(zones.links):
        for name in (link.a, link.b):
            if name not in zones.names:
                yield ("links", number), f"there is no zone {shown(name)}{nearest(str(name), zones.names)}"
        if link.a == link.b:
            yield ("links", number), f"a link joins two zones, not {shown(link.a)} to itself"
        if not is_exact(link.steps) or not 0 < link.steps <= 1_000:
            yield ("links", number), f"{shown(link.steps)} steps; allowed is more than 0 and at most 1,000"


def _band_problems(ground: Bands) -> Iterator[_Placed]:
    if not 1 <= len(ground.bands) <= MOST_BANDS:
        yield ("bands",), f"{len(ground.bands)} bands; allowed are 1 to {MOST_BANDS}"
    names = [band.name for band in ground.bands]
    for number, band in enumerate(ground.bands):
        yield from _wrong_name(("bands", number), band.name)
        if band.name in names[:number]:
            yield ("bands", number), f"{shown(band.name)} is given twice"
        if not is_exact(band.limit) or not 0 <= band.limit <= 10**9:
            yield ("bands", number), f"the limit {shown(band.limit)} is no distance"
        elif number and is_exact(ground.bands[number - 1].limit):
            before = ground.bands[number - 1].limit
            if band.limit <= before:
                yield ("bands", number), f"{band.name} ends at {band.limit}, not beyond the band before it ({before})"
    if ground.bands and ground.usual not in names:
        yield ("usual",), f"there is no band {shown(ground.usual)}{nearest(ground.usual, names)}"
    if len(ground.between) > MOST_PAIRS:
        yield ("between",), f"{len(ground.between):,} pairs; at most {MOST_PAIRS:,}"
        return
    seen: set[tuple[str, str]] = set()
    for number, (a, b, name) in enumerate(ground.between):
        for word in (a, b):
            yield from _wrong_name(("between", number), word)
        if name not in names:
            yield ("between", number), f"there is no band {shown(name)}{nearest(str(name), names)}"
        pair = (min(a, b), max(a, b))
        if a == b:
            yield ("between", number), f"a pair is two spots, not {shown(a)} twice"
        elif pair in seen:
            yield ("between", number), f"{a} and {b} are given twice"
        seen.add(pair)


def _wrong_name(path: tuple[str | int, ...], name: object) -> Iterator[_Placed]:
    try:
        if isinstance(name, str) and len(name) <= MOST_NAME and Position.parse(f"zone:{name}").place == name:
            return
    except BadInput:
        pass
    yield path, f"{shown(name)} is no name: 1 to {MOST_NAME} characters without commas and colons"
