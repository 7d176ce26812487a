"""Where everybody stands: who is near whom, who can be a target, and which ways lead where.

What a scene says about places is read here once for all systems, so that nobody forgets who is hidden, who has left and
who has fallen. ``stands`` is the system's word for being in the way and worth aiming at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from tablewright.game.ground import Grid, Ground, Path, Position, Together, Walk
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene

Stands: TypeAlias = Callable[[Participant], bool]

BESIDE = 1


def distance(scene: Scene, who: str, other: str) -> int:
    """How far two are from each other, rounded down; whoever has no place on a ground with places is next to everybody.

    >>> from tablewright.game.ground import cell
    >>> def one(id: str, at: Position, **more: bool) -> Participant:
    ...     return Participant(id=id, name=id, side=id, seat=id, character=None, status=None, position=at, **more)
    >>> people = one("ann", cell(0, 0)), one("bob", cell(0, 3)), one("cat", cell(0, 1), hidden=True)
    >>> scene = Scene("demo", people, ground=Grid())
    >>> distance(scene, "ann", "bob"), near(scene, "ann", "bob"), near(scene, "ann", "bob", 3)
    (3, False, True)
    >>> [foe.id for foe in targets(scene, "ann", lambda one: True)]
    ['bob']
    >>> print(toward(scene, "ann", "bob", 9, lambda one: True).end)
    0,2
    """
    here, there = scene[who].position, scene[other].position
    if here is None or there is None:
        return 0 if isinstance(scene.ground, Together) else BESIDE
    return int(scene.ground.distance(here, there))


def near(scene: Scene, who: str, other: str, reach: int = BESIDE) -> bool:
    """Whether two are within reach of each other; whoever has no place is."""
    here, there = scene[who].position, scene[other].position
    return here is None or there is None or scene.ground.within(here, there, reach)


def targets(scene: Scene, who: str, stands: Stands) -> list[Participant]:
    """Whom somebody could turn against: those of other sides who are present, stand, and are not hidden from them."""
    return list(_targets_of(scene, scene[who].side, stands))


@of_scene
def _targets_of(scene: Scene, side: str, stands: Stands) -> list[Participant]:
    return [one for one in scene.participants if one.side != side and one.present and not one.hidden and stands(one)]


def known_about(scene: Scene, who: str, stands: Stands) -> tuple[list[Position], list[Position]]:
    """Where friends and where foes stand, as far as somebody knows of them; the fallen are stepped over."""
    side = scene[who].side
    friends: list[Position] = []
    foes: list[Position] = []
    for one in scene.participants:
        if one.id == who or one.position is None or (one.hidden and one.side != side) or not stands(one):
            continue
        (friends if one.side == side else foes).append(one.position)
    return friends, foes


def occupied(scene: Scene, who: str, stands: Stands) -> frozenset[Position]:
    """Where somebody cannot stop because others stand there; nowhere on ground where people share places."""
    if scene.ground.shares:
        return frozenset()
    friends, foes = known_about(scene, who, stands)
    return frozenset(friends + foes)


def walk_of(scene: Scene, who: str, stands: Stands) -> Walk:
    """How somebody walks: not past foes, past friends but not into their places."""
    if scene.ground.shares:
        return Walk()
    ways = _ways_of(scene, stands)
    known: Walk | None = ways.get(who)
    if known is None:
        friends, foes = known_about(scene, who, stands)
        known = ways[who] = Walk(avoid=frozenset(foes), no_stop=frozenset(friends))
    return known


def toward(scene: Scene, who: str, other: str, budget: int, stands: Stands, *, reach: int = BESIDE) -> Path | None:
    """The way towards somebody until they are in reach, as far as the budget goes; None where none leads there."""
    here, there = scene[who].position, scene[other].position
    if here is None or there is None or isinstance(scene.ground, Together):
        return None
    ways, asked = _ways_of(scene, stands), (who, other, budget, reach)
    try:
        known: Path | None = ways[asked]
    except KeyError:
        walk = walk_of(scene, who, stands)
        straight = _straight(scene.ground, here, there, budget, walk, reach=reach)
        known = ways[asked] = straight or _approach(scene.ground, here, there, budget, walk, reach=reach)
    return known


@of_scene
def _ways_of(scene: Scene, stands: Stands) -> dict[Any, Any]:
    """How people walk and which ways lead to whom, as far as it was asked while everybody is where they are now."""
    everybody = [(one.id, one.side, one.position, one.hidden, stands(one)) for one in scene.participants]
    return _ways_among(scene.ground, tuple(everybody))


@lru_cache(maxsize=1_024)
def _ways_among(ground: Ground, everybody: tuple[tuple[str, str, Position | None, bool, bool], ...]) -> dict[Any, Any]:
    """Room for ways: they stay the same, from scene to scene, until somebody moves, falls, hides, comes or goes.

    That is all that :func:`known_about` reads. In it are walks by whose they are, and paths by whose they are, to whom
    they lead, how far one goes and how near one has to come.
    """
    return {}


def destinations(scene: Scene, who: str, budget: int, stands: Stands) -> list[Position]:
    """Everywhere that somebody can go for so much, nearest first, without where they are."""
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        return []
    return [at for at in scene.ground.reachable(here, budget, walk_of(scene, who, stands)) if at != here]


def beside(scene: Scene, who: str, stands: Stands) -> list[Position]:
    """The places next to somebody that are free as far as they know."""
    here = scene[who].position
    if here is None:
        return []
    taken = occupied(scene, who, stands)
    return [at for at in scene.ground.neighbours(here) if at not in taken]


def _straight(ground: Ground, here: Position, there: Position, budget: int, walk: Walk, *, reach: int) -> Path | None:
    """The straight way, where nothing stands in it and no ground is difficult: then no other is shorter."""
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
    steps = min(goal, budget)
    if steps and line[steps] in walk.no_stop:
        return None
    return Path(line[: steps + 1], steps)


@lru_cache(maxsize=4_096)
def _approach(ground: Ground, here: Position, there: Position, budget: int, walk: Walk, *, reach: int) -> Path | None:
    return ground.approach(here, there, budget, walk, reach=reach)
