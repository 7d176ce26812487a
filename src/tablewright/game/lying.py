"""What lies on the ground: things dropped, thrown or struck from a hand, where they lie and who can take them up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tablewright.game.belongings import add
from tablewright.game.ground import Position

if TYPE_CHECKING:
    from tablewright.game.scene import Scene


class Lying(NamedTuple):
    """One thing on the ground: whose it is, what it still holds, and where it lies; without a position at hand."""

    item: str
    owner: str
    left: int | None = None
    position: Position | None = None


def lay_down(scene: Scene, *things: Lying) -> Scene:
    """The scene with more on its ground."""
    return replace(scene, lying=(*scene.lying, *things)) if things else scene


def take_up(scene: Scene, *things: Lying) -> Scene:
    """The scene without these things on its ground; of several alike the first."""
    lying = list(scene.lying)
    for one in things:
        lying.remove(one)
    return replace(scene, lying=tuple(lying)) if things else scene


def lying_near(scene: Scene, who: str, reach: int = 1) -> Iterator[Lying]:
    """The things that somebody can take up from where they stand."""
    here = scene[who].position
    for one in scene.lying:
        if here is None or one.position is None or scene.ground.within(here, one.position, reach):
            yield one


def nearest_lying(scene: Scene, who: str, item: str, reach: int = 1) -> Lying | None:
    """What somebody gets hold of by an item's id: the first such thing within reach; None if there is none."""
    return next((one for one in lying_near(scene, who, reach) if one.item == item), None)


def gather(scene: Scene) -> Scene:
    """The scene after everybody has taken up what is theirs; what belongs to nobody here is left behind."""
    for one in scene.lying:
        if one.owner in scene:
            had = scene[one.owner].status.belongings
            scene = scene.change(one.owner, belongings=add(had, one.item, left=one.left))
    return replace(scene, lying=())
