"""What all actions share: who can act at all, what AP an action takes now, how long its effects last."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tablewright.game.actions import Requirement, Use
from tablewright.game.common import Revealed
from tablewright.game.lasting import Lasting, Until, WoreOff, until_turn
from tablewright.game.prices import Price
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.stage.now import distance, out_of_sight
from tablewright.systems.stage.status import Status, adjacent, stands


@lru_cache(maxsize=64)
def of_ap(ap: int) -> Price:
    """A price in AP alone."""
    return Price.of(ap=ap)


def _able(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    if status.able:
        return None
    if status.dead:
        return "dead"
    return "comatose" if status.comatose else "unconscious"


def _in_the_way_of_arms(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return None if stands(scene[target]) else f"{scene.called(target)} is out of it"


def _alive_to_hit(scene: Scene, who: str, use: Use) -> str | None:
    target = scene[str(use.target)]
    gone = not target.present or target.status.dead or target.status.integrity == 0
    return f"{scene.called(target.id)} is out of it" if gone else None


def _next_to(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return None if target == who or adjacent(scene, who, target) else f"{scene.called(target)} is not adjacent"


def _to_be_hit(scene: Scene, who: str, use: Use) -> str | None:
    if use.target is None or not out_of_sight(scene, use.target, who):
        return None
    return f"{scene.called(use.target)} is behind full cover"


def _alive(scene: Scene, who: str, use: Use) -> str | None:
    thing = use.target is not None and scene[use.target].status.integrity is not None
    return f"{scene.called(str(use.target))} is a thing" if thing else None


ABLE = Requirement("stage.encounter.flow", _able, always=True)
STANDS = Requirement("stage.attack.procedure", _in_the_way_of_arms)
TO_BE_HIT = Requirement("stage.attack.procedure", _alive_to_hit)
ADJACENT = Requirement("stage.movement.cubes", _next_to)
EXPOSED = Requirement("stage.terrain.cover", _to_be_hit)
LIVING = Requirement("stage.mount.properties", _alive)


@of_scene
def foes(scene: Scene, who: str) -> list[Participant]:
    """Those of other sides whom somebody knows of and who stand."""
    side = scene[who].side
    return [one for one in scene.participants if one.side != side and not one.hidden and stands(one)]


@of_scene
def fallen(scene: Scene, who: str) -> list[Participant]:
    """Those of other sides who lie there and are alive: they can be hit, with nothing but Size and cover.

    (stage.attack.hit_difficulty)
    """
    side = scene[who].side
    lying = [one for one in scene.participants if one.side != side and one.present and not one.status.able]
    return [one for one in lying if not one.hidden and not one.status.dead and one.status.integrity is None]


@of_scene
def foes_beside(scene: Scene, who: str) -> list[Participant]:
    """The foes that are adjacent; where nobody is, one who is not, to say why not."""
    known = foes(scene, who)
    return [foe for foe in known if adjacent(scene, who, foe.id)] or known[:1]


def friends(scene: Scene, who: str) -> list[Participant]:
    """Those of one's own side who are present and alive, oneself included."""
    side = scene[who].side
    return [one for one in scene.participants if one.side == side and one.present and not one.status.dead]


"""What everybody is called, of the last participants that were asked about."""


def end_of_next_turn(scene: Scene, who: str, rounds: int = 1) -> Until:
    """The end of somebody's next turn, or of the one so many rounds on (stage.encounter.flow)."""
    return until_turn(scene, who, rounds, edge="end")


def ambushes(scene: Scene, who: str) -> bool:
    """Whether somebody has an Ambush advantage: hidden from the others, or lying in wait."""
    one = scene[who]
    return one.hidden or one.status.ambush


def show_up(game: Live, who: str, cause: str) -> None:
    """Whoever has attacked out of hiding is seen from now on."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=cause))


def use_up(game: Live, who: str, once: Iterable[Lasting], cause: str) -> None:
    """What counted for one check only is over."""
    for held in once:
        if held in game[who].status.lasting:
            game.emit(WoreOff(who=who, what=held, cause=cause))


def nearer(scene: Scene, who: str, other: str, cubes: int) -> bool:
    """Whether somebody is within so many cubes."""
    return distance(scene, who, other) <= cubes
