"""Ground of named zones with links between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
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

MOST_ZONES = 500
MOST_LINKS = 5_000


def zone(name: str) -> Position:
    """Position of participants in a zone.

    >>> str(zone("gate"))
    'zone:gate'
    """
    return Position.parse(f"zone:{name}")


class Link(NamedTuple):
    """Connection of two zones; one that is not `passable` (a chasm) counts for distance but not for movement."""

    a: str
    b: str
    steps: Exact = 1
    passable: bool = True


@dataclass(frozen=True, slots=True)
class Zones(Ground):
    """Named zones and the links between them, in steps. Distances inside a zone are 0.

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
            raise WrongGroundError(problems)
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
            raise WrongGroundError(
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
        """Fewest steps between two zones, over all links."""
        try:
            return self._distances(a)[b]
        except KeyError:
            raise InvalidInputError(self.trouble(a) or self.trouble(b) or f"{a} and {b} are not joined") from None

    def neighbours(self, at: Position) -> tuple[Position, ...]:
        """Zones joined to this one by a passable link."""
        return tuple(dict.fromkeys([to for to, _, passable in self._ways.get(at, ()) if passable]))

    def path(self, start: Position, goal: Position, walk: Walk = WALK, *, budget: Exact | None = None) -> Path | None:
        """Cheapest path over passable links, or None if there is none within the budget."""
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
        """Zones where a move within the budget can end, with their cost, cheapest first."""
        spread = self._spread(start, budget, walk.avoid, False)
        return {at: exact(cost) for at, cost, _ in spread if at == start or at not in walk.no_stop}

    def approach(
        self, start: Position, goal: Position, budget: Exact, walk: Walk = WALK, *, reach: Exact = 1
    ) -> Path | None:
        """Follow the cheapest path to any zone within `reach` of the goal as far as the budget allows."""
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
        """Reason that a position is not a zone of this ground; None if it is one."""
        if at in self._ways:
            return None
        known = ", ".join(self.names[:20])
        return f'there is no zone "{at.place or at}"{did_you_mean(at.place, self.names)} (zones: {known})'

    def parse(self, text: str) -> Position:
        """Parse a zone, with or without the prefix `zone:`; unknown zones are refused."""
        bare = text.strip().removeprefix("zone:")
        if bare not in self.names:
            known = ", ".join(self.names[:20])
            raise InvalidInputError(
                f"there is no zone {format_distance(bare)}{did_you_mean(bare, self.names)} (zones: {known})"
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


def _zone_problems(zones: Zones) -> Iterator[Placed]:
    if not 1 <= len(zones.names) <= MOST_ZONES:
        yield ("zones",), f"{len(zones.names):,} zones; allowed are 1 to {MOST_ZONES}"
    if len(zones.links) > MOST_LINKS:
        yield ("links",), f"{len(zones.links):,} links; at most {MOST_LINKS:,}"
    for number, name in enumerate(zones.names):
        yield from wrong_name(("zones", number), name)
        if name in zones.names[:number]:
            yield ("zones", number), f"{format_distance(name)} is given twice"
    for number, link in enumerate(zones.links):
        for name in (link.a, link.b):
            if name not in zones.names:
                yield (
                    ("links", number),
                    f"there is no zone {format_distance(name)}{did_you_mean(str(name), zones.names)}",
                )
        if link.a == link.b:
            yield ("links", number), f"a link joins two zones, not {format_distance(link.a)} to itself"
        if not is_exact(link.steps) or not 0 < link.steps <= 1_000:
            yield ("links", number), f"{format_distance(link.steps)} steps; allowed is more than 0 and at most 1,000"
