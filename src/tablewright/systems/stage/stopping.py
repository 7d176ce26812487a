"""What stops damage that has got through: blocks with armour, an ally or a mount that deflects, powers that absorb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.game.frozen import Frozen
from tablewright.game.prices import Price
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.blows import Block
from tablewright.systems.stage.now import (
    affordable,
    effects,
    most_defense_points,
    neighbours,
    pool,
    price_of,
    resistance_of,
    stops,
)
from tablewright.systems.stage.now import announced as announced_price
from tablewright.systems.stage.powers import Permit, Trigger
from tablewright.systems.stage.powers import Price as OtherPrice
from tablewright.systems.stage.rolling import Rolled
from tablewright.systems.stage.status import Status, same_cube, stands
from tablewright.systems.stage.values import Attribute
from tablewright.systems.stage.ways import (
    MOST_WAYS,
    able_helpers,
    bundles,
    helping,
    lent_dice,
    otherwise,
    points_of,
    reined,
)

BARDING = "block+mount"


class Blocking(NamedTuple):
    """The blocks that can be chosen, with their prices; ``ally`` is who could deflect."""

    blocks: tuple[Block, ...] = ()
    deflections: tuple[Block, ...] = ()
    absorptions: tuple[Block, ...] = ()
    prices: Frozen[Price] = Frozen()
    ally: str = ""
    helpers: tuple[str, ...] = ()


def blocks(
    scene: Scene, who: str, attribute: Attribute, *, ambush: bool = False, helpers: tuple[str, ...] = ()
) -> Blocking:
    """Every way to stop damage that has got through: block with armour, an ally who deflects, powers that absorb.

    ``helpers`` are those who have agreed to assist, as far as they can.
    """
    status: Status = scene[who].status
    prices: dict[str, Price] = {}
    if not status.able:  # the fallen stop nothing themselves
        able = not ambush and not status.dead and status.integrity is None
        ally, deflecting = _deflector(scene, who, attribute, prices) if able else ("", [])
        return Blocking(deflections=tuple(deflecting), prices=Frozen(prices), ally=ally)
    helpers = able_helpers(scene, helpers, "defense", 0) if helpers else ()
    own = list(_own_blocks(scene, who, prices, helpers)) if stops(scene, who, attribute) else []
    absorbing = []
    for one, trigger in effects(scene, who, Trigger):
        if trigger.at == "damaged" and attribute in trigger.of and affordable(scene, who, price_of(one.power)):
            level = sum([scene[who].character.level(each.amount.level_of or "") for each in trigger.then])
            _, points, others = points_of(price_of(one.power))
            absorbing.append(Block(one.id, points=points, others=others, absorbs=level))
            prices[one.id] = price_of(one.power)
    ally, deflecting = "", []
    if not ambush:
        ally, deflecting = _deflector(scene, who, attribute, prices)
    return Blocking(tuple(own), tuple(deflecting), tuple(absorbing), Frozen(prices), ally, helpers)


def _own_blocks(scene: Scene, who: str, prices: dict[str, Price], helpers: tuple[str, ...]) -> Iterator[Block]:
    most = most_defense_points(scene, who)
    if not most:
        return
    key, price = "defense.block", Price.of(stamina=1)
    held = lent_dice(scene, who, helpers, "defense", 0)
    if scene[who].character.is_creature:
        held += (reined(scene, who, "defense"),)
    plain = pool(scene, who, key, dice=held)
    found: list[tuple[str, Rolled, Price, int, int]] = [("block", plain, price, most, 1)]
    for bundle in bundles(helping(scene, who, key)):
        name = "+".join(["block", *[one.id for one in bundle]])
        found.append(
            (name, pool(scene, who, key, dice=held, announced=bundle), price + announced_price(bundle), most, 1)
        )
    for one, other in effects(scene, who, OtherPrice):
        if key in other.actions:
            found.append((f"block+{one.id}", plain, otherwise(price, one, other), most, 1))
    for one, permit in effects(scene, who, Permit):
        more = price + price_of(one.power)
        if permit.what == "second_block":
            found.append((f"block+{one.id}", plain, price + more, most, 2))
        elif permit.what == "ally_maximum":
            best = max([most_defense_points(scene, each.id) for each in _allies(scene, who)], default=0)
            if best > most:
                found.append((f"block+{one.id}", plain, more, best, 1))
    for name, made, cost, highest, times in found[:MOST_WAYS]:
        if affordable(scene, who, cost):
            ap, points, others = points_of(cost)
            prices[name] = cost
            yield Block(name, made.dice.total, made.flat.total, highest, times, ap, points, others=others)


def _allies(scene: Scene, who: str) -> list[Participant]:
    side = scene[who].side
    return [
        one
        for one in scene.participants
        if one.id != who and one.side == side and stands(one) and same_cube(scene, who, one.id)
    ]


def _deflector(scene: Scene, who: str, attribute: Attribute, prices: dict[str, Price]) -> tuple[str, list[Block]]:
    """The ally next to the target whose armour stops most, and how they would deflect (stage.defense.deflect)."""
    mount: str = scene[who].status.rides
    if mount and mount in scene and stands(scene[mount]) and scene[mount].status.integrity is None:
        barding = _barding(scene, mount, attribute, prices)
        if barding[0]:
            return barding
    side, best, highest = scene[who].side, "", 0
    found: list[tuple[Block, Price]] = []
    for ally in neighbours(scene, who):
        if ally.side != side or ally.id == mount or not most_defense_points(scene, ally.id):
            continue
        if not stops(scene, ally.id, attribute):
            continue
        made = pool(scene, ally.id, "defense.deflect")
        stopped = min(4 * made.dice.total + made.flat.total, most_defense_points(scene, ally.id))
        if stopped > highest:
            ways = _deflections(scene, ally.id, attribute)
            if ways:
                highest, best, found = stopped, ally.id, ways
    for way, price in found:
        prices[way.name] = price
    return best, [way for way, _ in found]


def _barding(scene: Scene, mount: str, attribute: Attribute, prices: dict[str, Price]) -> tuple[str, list[Block]]:
    """The armour of a mount that is trained in Defense works for its rider too (stage.mount.defend)."""
    price, most = Price.of(stamina=1), most_defense_points(scene, mount)
    trained = scene[mount].character.level("defense")
    if not trained or not most or not stops(scene, mount, attribute) or not affordable(scene, mount, price):
        return "", []
    made = pool(scene, mount, "defense.block", dice=(reined(scene, mount, "defense"),))
    resistance = resistance_of(scene, mount, attribute)
    prices[BARDING] = price
    return mount, [Block(BARDING, made.dice.total, made.flat.total, most, resistance=resistance)]


def _deflections(scene: Scene, who: str, attribute: Attribute) -> list[tuple[Block, Price]]:
    """How somebody deflects: plainly, for other AP, or with powers announced for it (stage.power.announce)."""
    key, own = "defense.deflect", Price.of(ap=1, stamina=1)
    offered = [("deflect", pool(scene, who, key), own)]
    for one, other in effects(scene, who, OtherPrice):
        if key in other.actions:
            offered.append((f"deflect+{one.id}", pool(scene, who, key), otherwise(own, one, other)))
    for bundle in bundles(helping(scene, who, key)):
        name = "+".join(["deflect", *[one.id for one in bundle]])
        offered.append((name, pool(scene, who, key, announced=bundle), own + announced_price(bundle)))
    found = []
    resistance, most = resistance_of(scene, who, attribute), most_defense_points(scene, who)
    for name, made, price in offered[:MOST_WAYS]:
        if affordable(scene, who, price):
            ap, points, others = points_of(price)
            dice, flat = made.dice.total, made.flat.total
            found.append((Block(name, dice, flat, most, 1, ap, points, resistance=resistance, others=others), price))
    return found
