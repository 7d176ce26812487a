"""Items on the ground: dropped, thrown or struck from a hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tablewright.game.character.belongings import add_item
from tablewright.game.scene.scene import LooseItem

if TYPE_CHECKING:
    from tablewright.game.scene.scene import Scene


def drop_items(scene: Scene, *things: LooseItem) -> Scene:
    """Add items to the ground."""
    return replace(scene, loose_items=(*scene.loose_items, *things)) if things else scene


def pick_up(scene: Scene, *things: LooseItem) -> Scene:
    """Remove items from the ground; of several equal ones the first."""
    lying = list(scene.loose_items)
    for one in things:
        lying.remove(one)
    return replace(scene, loose_items=tuple(lying)) if things else scene


def items_in_reach(scene: Scene, who: str, reach: int = 1) -> Iterator[LooseItem]:
    """Items that a participant can pick up from where they stand; an unknown position counts as in reach."""
    here = scene[who].position
    for one in scene.loose_items:
        if here is None or one.position is None or scene.ground.within(here, one.position, reach):
            yield one


def nearest_lying(scene: Scene, who: str, item: str, reach: int = 1) -> LooseItem | None:
    """The first item with this id within reach, or None."""
    return next((one for one in items_in_reach(scene, who, reach) if one.item == item), None)


def return_to_owners(scene: Scene) -> Scene:
    """Return each item to its owner and clear the ground; items whose owner is not in the scene are lost."""
    for one in scene.loose_items:
        if one.owner in scene:
            had = scene[one.owner].status.belongings
            scene = scene.with_status(one.owner, belongings=add_item(had, one.item, left=one.left))
    return replace(scene, loose_items=())
