"""Distances, targets and paths between the participants of a scene.

All systems read positions through this module, which leaves out hidden, absent and fallen participants. ``stands`` is
the system's predicate for a participant who blocks the way and is worth targeting.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Exact, Ground, Path, Position, Walk
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene

Stands: TypeAlias = Callable[[Participant], bool]

BESIDE = 1


def distance(scene: Scene, who: str, other: str) -> int:
    """Distance between two participants, rounded down.

    A participant without a position is next to everyone on ground with positions.

    >>> from tablewright.game.ground.position import cell
    >>> def one(id: str, at: Position, **more: bool) -> Participant:
    ...     return Participant(id=id, name=id, side=id, seat=id, character=None, status=None, position=at, **more)
    >>> people = one("ann", cell(0, 0)), one("bob", cell(0, 3)), one("cat", cell(0, 1), hidden=True)
    >>> scene = Scene("demo", people, ground=Grid())
    >>> distance(scene, "ann", "bob"), within_reach(scene, "ann", "bob"), within_reach(scene, "ann", "bob", 3)
    (3, False, True)
    >>> [foe.id for foe in targets(scene, "ann", lambda one: True)]
    ['bob']
    >>> print(path_toward(scene, "ann", "bob", 9, lambda one: True).end)
    0,2
    """
    here, there = scene[who].position, scene[other].position
    if here is None or there is None:
        return 0 if isinstance(scene.ground, Together) else BESIDE
    return int(scene.ground.distance(here, there))


def distances(scene: Scene, who: str, stands: Stands) -> list[tuple[Participant, int]]:
    """Enemies that a participant can target, each with its distance (see :func:`distance`)."""
    me, ground = scene[who], scene.ground
    here, foes, measured = me.position, _targets_of(scene, me.side, stands), ground.distance
    unplaced = 0 if isinstance(ground, Together) else BESIDE
    if here is None:
        return [(foe, unplaced) for foe in foes]
    return [(foe, unplaced if foe.position is None else int(measured(here, foe.position))) for foe in foes]


def within_reach(scene: Scene, who: str, other: str, reach: int = BESIDE) -> bool:
    """True if two participants are within reach of each other; always if one has no position."""
    here, there = scene[who].position, scene[other].position
    return here is None or there is None or scene.ground.within(here, there, reach)


def targets(scene: Scene, who: str, stands: Stands) -> list[Participant]:
    """Enemies that a participant can target: present, standing and not hidden."""
    return list(_targets_of(scene, scene[who].side, stands))


@cached_on_scene
def _targets_of(scene: Scene, side: str, stands: Stands) -> list[Participant]:
    return [one for one in scene.participants if one.side != side and one.present and not one.hidden and stands(one)]


def known_positions(scene: Scene, who: str, stands: Stands) -> tuple[list[Position], list[Position]]:
    """Positions of friends and of foes that a participant knows of; fallen ones do not block and are left out."""
    side = scene[who].side
    friends: list[Position] = []
    foes: list[Position] = []
    for one in scene.participants:
        if one.id == who or one.position is None or (one.hidden and one.side != side) or not stands(one):
            continue
        (friends if one.side == side else foes).append(one.position)
    return friends, foes


def occupied(scene: Scene, who: str, stands: Stands) -> frozenset[Position]:
    """Positions where a participant cannot stop because others stand there; none on ground with shared positions."""
    if scene.ground.shares:
        return frozenset()
    friends, foes = known_positions(scene, who, stands)
    return frozenset(friends + foes)


def movement_of(scene: Scene, who: str, stands: Stands) -> Walk:
    """Movement constraints of a participant: not past foes; past friends, but not onto their positions."""
    if scene.ground.shares:
        return Walk()
    ways = _ways_of(scene, stands)
    known: Walk | None = ways.get(who)
    if known is None:
        friends, foes = known_positions(scene, who, stands)
        known = ways[who] = Walk(avoid=frozenset(foes), no_stop=frozenset(friends))
    return known


def path_toward(
    scene: Scene, who: str, other: str, budget: Exact, stands: Stands, *, reach: int = BESIDE
) -> Path | None:
    """Path to another participant until in reach, as far as the budget allows, or None if there is none."""
    here, there = scene[who].position, scene[other].position
    if here is None or there is None or isinstance(scene.ground, Together):
        return None
    ways, asked = _ways_of(scene, stands), (who, other, budget, reach)
    try:
        known: Path | None = ways[asked]
    except KeyError:
        walk = movement_of(scene, who, stands)
        straight = _straight(scene.ground, here, there, budget, walk, reach=reach)
        known = ways[asked] = straight or _approach(scene.ground, here, there, budget, walk, reach=reach)
    return known


@cached_on_scene
def _ways_of(scene: Scene, stands: Stands) -> dict[Any, Any]:
    """Cache of walks and paths for the current positions of all participants."""
    everybody = [(one.id, one.side, one.position, one.hidden, stands(one)) for one in scene.participants]
    return _ways_among(scene.ground, tuple(everybody))


@lru_cache(maxsize=1_024)
def _ways_among(ground: Ground, everybody: tuple[tuple[str, str, Position | None, bool, bool], ...]) -> dict[Any, Any]:
    """An empty cache that stays valid across scenes until a participant moves, falls, hides, joins or leaves.

    The key holds everything that :func:`known_positions` reads. The cache maps participant ids to walks, and tuples of
    participant, target, budget and reach to paths.
    """
    return {}


def destinations(scene: Scene, who: str, budget: int, stands: Stands) -> list[Position]:
    """Reachable positions within the budget, nearest first, without the current one."""
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        return []
    return [at for at in scene.ground.reachable(here, budget, movement_of(scene, who, stands)) if at != here]


def free_neighbours(scene: Scene, who: str, stands: Stands) -> list[Position]:
    """Neighbouring positions that are free as far as the participant knows."""
    here = scene[who].position
    if here is None:
        return []
    taken = occupied(scene, who, stands)
    return [at for at in scene.ground.neighbours(here) if at not in taken]


def _straight(ground: Ground, here: Position, there: Position, budget: Exact, walk: Walk, *, reach: int) -> Path | None:
    """The straight path on a plain grid if nothing blocks it, or None; no other path is shorter."""
    if (
        not isinstance(ground, Grid)
        or ground.diagonal != "one"
        or ground.measure != "steps"
        or ground.step != 1
        or ground.difficult
        or ground.blocked
    ):
        return None
    line = ground.line(here, there)
    goal = max(0, len(line) - 1 - reach)
    if any(at in walk.avoid for at in line[1 : goal + 1]) or (goal and line[goal] in walk.no_stop):
        return None
    steps = min(goal, int(budget))
    if steps and line[steps] in walk.no_stop:
        return None
    return Path(line[: steps + 1], steps)


@lru_cache(maxsize=4_096)
def _approach(ground: Ground, here: Position, there: Position, budget: Exact, walk: Walk, *, reach: int) -> Path | None:
    return ground.approach(here, there, budget, walk, reach=reach)
