"""Belongings outside fights: the market, treasure, wearing and wielding, damage to things and repair, supply."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import RulesSayNo
from tablewright.game import belongings as goods
from tablewright.game.actions import Refused
from tablewright.game.belongings import Belongings, Room
from tablewright.game.common import CharacterChanged
from tablewright.game.content import Library
from tablewright.game.scene import Live, Participant
from tablewright.game.trading import ItemId, Trade, Who, trading
from tablewright.systems.marchen.character.placing import (
    HANDS,
    MOST_HANDS,
    acquired,
    hands_for,
    hands_taken,
    suits_worn,
)
from tablewright.systems.marchen.character.record import HAND, PACK, SOUND, WORN, MarchenCharacter
from tablewright.systems.marchen.content import Armour, Item, Weapon, find_item, item_of
from tablewright.systems.marchen.status import Status

MARKET, TRACKS = "marchen.gap.belongings.market", "marchen.resource.tracks"
DAMAGE = "marchen.ounces.withstand_damage"
MOST_SUPPLY = 5


def cost_of(item: Item, count: int) -> int:
    """What so many of an item cost in Treasure; what is part of a body is not for sale."""
    if item.price is None:
        raise RulesSayNo(f"{item.name} is not for sale", rule=MARKET)
    return item.price * count


def _keeps(fallen: Participant) -> Refused | None:
    status: Status = fallen.status
    if status.down or status.yielded:
        return None
    why = "is up" if fallen.present else "is gone"
    return Refused(f"{fallen.name} {why} and keeps it", MARKET)


TRADE = Trade(
    find=item_of,
    price=cost_of,
    put=lambda mine, item, count, library: acquired(mine, item, library, count),
    purse="treasure",
    keeps=_keeps,
    owning=TRACKS,
    prices="marchen.month.go_to_market",
    bought=(MARKET,),
    selling=MARKET,
    paying=TRACKS,
)


def drawn(mine: Belongings, item: str, library: Library) -> Belongings:
    """Belongings with something taken in hand; hands that are full keep what they hold."""
    found = item_of(item, library)
    room = Room(HAND, MOST_HANDS, lambda id_: hands_for(find_item(id_, library)))
    if not (isinstance(found, Weapon) or (isinstance(found, Armour) and found.shield)):
        raise RulesSayNo(f"{found.name} is not wielded", rule=HANDS)
    return goods.move(mine, item, room, rule=HANDS)


def stowed(mine: Belongings, item: str) -> Belongings:
    """Belongings with something that was in hand or worn put into the pack."""
    place = next((one.place for one in mine if one.item == item and one.place != PACK), HAND)
    return goods.move(mine, item, PACK, place=place, rule=HANDS)


@process(rules=["marchen.gap.belongings.hands"])
async def draw(game: Live, who: Who, item: ItemId) -> None:
    """Take a weapon or a shield in hand."""
    who, library = game[who].id, game.scene.library
    TRADE.change(
        game, who, f"draws {item_of(item, library).name}", drawn(game[who].belongings, item, library), cause=HANDS
    )


@process(rules=["marchen.gap.belongings.hands"])
async def stow(game: Live, who: Who, item: ItemId) -> None:
    """Put something that is in hand or worn into the pack."""
    who, library = game[who].id, game.scene.library
    TRADE.change(game, who, f"stows {item_of(item, library).name}", stowed(game[who].belongings, item), cause=HANDS)


@process(rules=["marchen.gap.belongings.hands"])
async def wear(game: Live, who: Who, item: ItemId) -> None:
    """Put on armour or clothes; one suit of armour at a time."""
    who, library = game[who].id, game.scene.library
    mine, found = game[who].belongings, item_of(item, library)
    if isinstance(found, Weapon) or (isinstance(found, Armour) and found.shield):
        raise RulesSayNo(f"{found.name} is held, not worn", rule=HANDS)
    if isinstance(found, Armour) and suits_worn(mine, library):
        raise RulesSayNo("a suit of armour is worn already", rule=HANDS)
    TRADE.change(game, who, f"puts on {found.name}", goods.move(mine, item, WORN, rule=HANDS), cause=HANDS)


# ---------------------------------------------------------------------- damage to things


def worse(mine: Belongings, item: str, conditions: int, place: str = "", rule: str = DAMAGE) -> Belongings:
    """Belongings of which one thing has so many conditions more; with four it is destroyed.

    It is the one at a place where there is one, and of several the worst.
    """
    own = [one for one in mine if one.item == item]
    if not own:
        raise RulesSayNo(f"there is no {item}", rule=rule)
    own = [one for one in own if one.place == place] or own
    worst = min(own, key=lambda one: SOUND if one.left is None else one.left)
    left = (SOUND if worst.left is None else worst.left) - conditions
    rest = goods.take_away(mine, item, 1, worst.place, rule=rule)
    return rest if left <= 0 else goods.add(rest, item, 1, worst.place, left=left)


def conditions_of(mine: Belongings, item: str) -> int:
    """How many conditions the worst of some equal things has."""
    return SOUND - min([SOUND if one.left is None else one.left for one in mine if one.item == item], default=SOUND)


def better(mine: Belongings, item: str, conditions: int, rule: str = "marchen.recover.repair") -> Belongings:
    """Belongings of which one thing has lost so many conditions."""
    worn = [one for one in mine if one.item == item and one.left is not None]
    if not worn:
        raise RulesSayNo(f"{item} needs no repair", rule=rule)
    worst = min(worn, key=lambda one: one.left or 0)
    left = min(SOUND, (worst.left or 0) + conditions)
    rest = goods.take_away(mine, item, 1, worst.place, rule=rule)
    return goods.add(rest, item, 1, worst.place, left=None if left >= SOUND else left)


@process(rules=["marchen.ounces.withstand_damage", "marchen.resource.tracks"])
async def damage_item(
    game: Live,
    who: Who,
    item: ItemId,
    conditions: Annotated[int, Param("how many conditions it takes", 1, SOUND)] = 1,
) -> None:
    """Something takes conditions: each is -1 on checks with it, and four destroy it."""
    who, found = game[who].id, item_of(item, game.scene.library)
    worn = worse(game[who].belongings, item, conditions)
    gone = goods.count_of(worn, item) < goods.count_of(game[who].belongings, item)
    words = (
        "is destroyed" if gone else f"has {conditions} more conditions" if conditions > 1 else "has a condition more"
    )
    TRADE.change(game, who, f"{found.name} {words}", worn, cause=DAMAGE)


# ---------------------------------------------------------------------- supply


def with_supply(character: MarchenCharacter, change: int) -> MarchenCharacter:
    """A character with more or less supply, from 0 to 5."""
    return character.changed(supply=min(max(character.supply + change, 0), MOST_SUPPLY))


@process(rules=["marchen.resource.tracks"])
async def supply(game: Live, who: Who, change: Annotated[int, Param("how much comes in or is used", -5, 5)]) -> None:
    """Supply comes in or is used; there is never less than none nor more than five."""
    who, character = game[who].id, game[who].character
    if character.supply + change < 0:
        raise RulesSayNo(f"{game.scene.called(who)} has {character.supply} supply, {-change} are needed", rule=TRACKS)
    changed = with_supply(character, change)
    words = f"supply {changed.supply}"
    game.emit(CharacterChanged(who=who, what=words, character=changed, cause=TRACKS))


PROCESSES = (*trading(TRADE), draw, stow, wear, damage_item, supply)
__all__ = ["PROCESSES", "TRADE", "better", "drawn", "hands_taken", "stowed", "with_supply", "worse"]
