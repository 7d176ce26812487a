"""Belongings outside fights: trade, wearing and wielding, repair and craft."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import Belongings
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import Living, Who
from tablewright.game.play.trade import ItemId, Trade, trading
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant
from tablewright.systems.marchen.character.gear import DAMAGE, HANDS, acquired, drawn, is_wielded, suits_worn, worse
from tablewright.systems.marchen.character.record import HAND, PACK, SOUND, WORN, MarchenCharacter
from tablewright.systems.marchen.content import Armour, Item, item_of
from tablewright.systems.marchen.status import Status

MARKET, TRACKS = "marchen.gap.belongings.market", "marchen.resource.tracks"


MOST_SUPPLY = 5


def cost_of(item: Item, count: int) -> int:
    """Price of some items in Treasure; a part of a body is not for sale."""
    if item.price is None:
        raise IllegalActionError(f"{item.name} is not for sale", rule=MARKET)
    return item.price * count


def _keeps(fallen: Participant) -> Refusal | None:
    status: Status = fallen.status
    if status.down or status.yielded:
        return None
    why = "is up" if fallen.present else "is gone"
    return Refusal(f"{fallen.name} {why} and keeps it", MARKET)


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


def stowed(mine: Belongings, item: str) -> Belongings:
    """Belongings with something that was in hand or worn put into the pack."""
    place = next((one.place for one in mine if one.item == item and one.place != PACK), HAND)
    return goods.move(mine, item, PACK, place=place, rule=HANDS)


@process(rules=["marchen.gap.belongings.hands"])
async def draw(game: Game, who: Living, item: ItemId) -> None:
    """Take a weapon or a shield in hand."""
    library = game.scene.library
    TRADE.change(
        game, who, f"draws {item_of(item, library).name}", drawn(game[who].belongings, item, library), cause=HANDS
    )


@process(rules=["marchen.gap.belongings.hands"])
async def stow(game: Game, who: Living, item: ItemId) -> None:
    """Put something that is in hand or worn into the pack."""
    library = game.scene.library
    TRADE.change(game, who, f"stows {item_of(item, library).name}", stowed(game[who].belongings, item), cause=HANDS)


@process(rules=["marchen.gap.belongings.hands"])
async def wear(game: Game, who: Living, item: ItemId) -> None:
    """Put on armour or clothes; one suit of armour at a time."""
    library = game.scene.library
    mine, found = game[who].belongings, item_of(item, library)
    if is_wielded(found):
        raise IllegalActionError(f"{found.name} is held, not worn", rule=HANDS)
    if isinstance(found, Armour) and suits_worn(mine, library):
        raise IllegalActionError("a suit of armour is worn already", rule=HANDS)
    TRADE.change(game, who, f"puts on {found.name}", goods.move(mine, item, WORN, rule=HANDS), cause=HANDS)


def conditions_of(mine: Belongings, item: str) -> int:
    """Conditions of the worst of some equal items."""
    return SOUND - min([SOUND if one.left is None else one.left for one in mine if one.item == item], default=SOUND)


def better(mine: Belongings, item: str, conditions: int, rule: str = "marchen.recover.repair") -> Belongings:
    """Belongings of which one thing has lost so many conditions."""
    worn = [one for one in mine if one.item == item and one.left is not None]
    if not worn:
        raise IllegalActionError(f"{item} needs no repair", rule=rule)
    worst = min(worn, key=lambda one: one.left or 0)
    left = min(SOUND, (worst.left or 0) + conditions)
    rest = goods.remove_item(mine, item, 1, worst.place, rule=rule)
    return goods.add_item(rest, item, 1, worst.place, left=None if left >= SOUND else left)


@process(rules=["marchen.ounces.withstand_damage", "marchen.resource.tracks"])
async def damage_item(
    game: Game, who: Who, item: ItemId, conditions: Annotated[int, Param("number of conditions", 1, SOUND)] = 1
) -> None:
    """Give an item conditions: each is -1 on checks with it, and four destroy it."""
    found = item_of(item, game.scene.library)
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
async def supply(
    game: Game, who: Who, change: Annotated[int, Param("amount that comes in, or below 0 is used", -5, 5)]
) -> None:
    """Add or use supply, between 0 and 5."""
    character = game[who].character
    if character.supply + change < 0:
        raise game.scene.cannot(who, f"has {character.supply} supply, {-change} are needed", TRACKS)
    changed = with_supply(character, change)
    words = f"supply {changed.supply}"
    game.emit(CharacterChanged(who=who, what=words, character=changed, cause=TRACKS))


PROCESSES = (*trading(TRADE), draw, stow, wear, damage_item, supply)
