"""Gear in hand during a fight: draw, load, take up."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.errors import parse_whole_number
from tablewright.game.character import belongings as goods
from tablewright.game.play.action_kinds import with_each
from tablewright.game.play.actions import ActionUse, Refusal, each_use
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.loose_items import items_in_reach
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.opend6.actions.requirements import HANDS, acting
from tablewright.systems.opend6.character.figures import items
from tablewright.systems.opend6.character.gear import arm_of
from tablewright.systems.opend6.character.record import HAND, PACK
from tablewright.systems.opend6.character.record import HANDS as BOTH
from tablewright.systems.opend6.content import Weapon
from tablewright.systems.opend6.events.turn import Readied, Taken
from tablewright.systems.opend6.now import succeeds
from tablewright.systems.opend6.status import Status, is_here
from tablewright.systems.opend6.values import lower_first

READY, RELOAD = "opend6.action.ready_weapon", "opend6.gap.weapon.reload"


def _to_ready(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Weapons to draw, and weapons to load."""
    status: Status = scene[who].status
    known = items(scene.library)
    loading = [item for item in dict.fromkeys(status.unloaded) if arm_of(scene, who, item) is not None]
    for item in loading:
        yield ActionUse("ready_weapon", detail=item, label=f"Ready the {lower_first(known[item].name)}")
    for carried in status.belongings:
        found = known.get(carried.item)
        if isinstance(found, Weapon) and carried.place == PACK and carried.item not in loading:
            yield ActionUse("ready_weapon", detail=carried.item, label=f"Draw the {lower_first(found.name)}")


def _may_ready(scene: Scene, who: str, use: ActionUse) -> Refusal | str | None:
    status: Status = scene[who].status
    item = str(use.detail)
    weapon = items(scene.library).get(item)
    if not isinstance(weapon, Weapon):
        return f"the {item.replace('_', ' ')} is not a weapon"
    if item in status.unloaded and arm_of(scene, who, item) is not None:
        if weapon.reload == "separate_round" and item in status.fired:
            return Refusal(f"{weapon.name} cannot be loaded in the round in which it was shot", RELOAD)
        if weapon.reload == "whole_round" and (status.taken or status.declared > 1):
            return Refusal(f"loading {weapon.name} takes the whole round", RELOAD)
    return None


@acting("Ready a weapon", (READY, RELOAD), (HANDS, each_use(_may_ready)), _to_ready)
async def _ready_weapon(game: Game, who: str, use: ActionUse) -> None:
    """Draw or load a weapon: without a roll, unless the game master has set one (the fact ``stress``)."""
    item = str(use.detail)
    weapon = items(game.scene.library)[item]
    assert isinstance(weapon, Weapon)
    said = parse_whole_number(str(game.scene.facts.get("stress", who))) if game.scene.facts.entries else None
    if said is not None and not await succeeds(game, who, weapon.skill, said):
        if is_here(game.scene, who):
            game.emit(Taken(who=who, on=f"does not get {weapon.name} ready", cause=READY))
        return
    if not is_here(game.scene, who):
        return
    status: Status = game[who].status
    if arm_of(game.scene, who, item) is not None:
        whole = weapon.reload == "whole_round"
        game.emit(Readied(who=who, item=item, actions=max(1, status.left) if whole else 1, cause=RELOAD))
        return
    mine = game[who].belongings
    both = weapon.hands > 1
    known = items(game.scene.library)
    for carried in mine:
        shield = known.get(carried.item)
        in_the_way = carried.place == BOTH or (carried.place == HAND and (both or isinstance(shield, Weapon)))
        if in_the_way:
            mine = goods.move(mine, carried.item, PACK, carried.count, place=carried.place, rule=READY)
    mine = goods.move(mine, item, BOTH if both else HAND, 1, place=PACK, rule=READY)
    game.emit(BelongingsChanged(who=who, what=f"draws {weapon.name}", belongings=mine, cause=READY))
    game.emit(Readied(who=who, item=item, cause=READY))


def _on_the_ground(scene: Scene, who: str) -> list[str]:
    return [lies.item for lies in items_in_reach(scene, who, 3)] if scene.loose_items else []


@acting("Take something up", READY, (HANDS,), with_each(_on_the_ground, "Take up the {}"))
async def _take_up(game: Game, who: str, use: ActionUse) -> None:
    found = next((one for one in items_in_reach(game.scene, who, 3) if one.item == use.detail), None)
    if found is None:
        return
    mine = goods.add_item(game[who].belongings, found.item, 1, left=found.left)
    what = f"takes up {found.item.replace('_', ' ')}"
    game.emit(BelongingsChanged(who=who, what=what, belongings=mine, taken_up=(found,), cause=READY))
    game.emit(Taken(who=who, on=what, cause=READY))


WEAPONS = (_ready_weapon, _take_up)
