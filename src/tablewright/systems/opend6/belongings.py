"""Belongings outside fights: trade, wearing and wielding, repair and craft."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import hands_taken
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Refusal
from tablewright.game.play.time_passage import AtLeisure, Who, require_no_encounter
from tablewright.game.play.trade import ItemId, Loading, Trade, trading
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant
from tablewright.systems.opend6.character.figures import item as entry_of
from tablewright.systems.opend6.character.figures import silver_per_week, suits_worn
from tablewright.systems.opend6.character.gear import MOST_HANDS, acquired, has_shield, why_not_over
from tablewright.systems.opend6.character.record import HAND, HANDS, PACK, WORN
from tablewright.systems.opend6.content import Armour, Item, Weapon
from tablewright.systems.opend6.status import is_out

PRICES, SELLING, CARRYING = (
    "opend6.gap.equipment.prices",
    "opend6.gap.equipment.selling",
    "opend6.gap.equipment.carrying",
)
LAYERING, FUNDS = "opend6.gap.armour.layering", "opend6.gap.creation.funds"
COINS: Mapping[str, Fraction] = {"copper": Fraction(1, 8), "silver": Fraction(1), "gold": Fraction(8)}


def worth_of(coin: str, library: Library) -> Fraction:
    """Worth of a coin in silver."""
    if coin not in COINS:
        raise InvalidInputError(
            f'there is no coin "{coin:.40}"; there are copper, silver and gold{did_you_mean(coin, COINS)}'
        )
    return COINS[coin]


def keeps(fallen: Participant) -> Refusal | None:
    """Reason why a participant cannot be looted: no one who can act loses anything."""
    return None if is_out(fallen) else Refusal(f"{fallen.name} can still act and keeps it", CARRYING)


def loads(found: Item) -> Loading | None:
    """Weapons that are loaded beforehand: crossbows."""
    if not isinstance(found, Weapon) or found.ammunition is None or found.reload in ("none", "action"):
        return None
    return Loading(found.ammunition)


TRADE = Trade(
    find=entry_of,
    put=lambda mine, item, count, library: acquired(mine, item, library, count),
    currency=worth_of,
    keeps=keeps,
    loads=loads,
    purse="silver",
    owning=CARRYING,
    prices=PRICES,
    selling=SELLING,
    paying=PRICES,
    loading="opend6.gap.weapon.reload",
    sells_for=Fraction(1, 2),
)


@process(rules=["opend6.gap.equipment.carrying"])
async def wield(
    game: Game,
    who: Who,
    wielded: Annotated[tuple[str, ...], Param("what is in the hands from now on, by id; empty for nothing")] = (),
) -> None:
    """Choose the things in hand; everything else is stowed. In a fight this is a separate action."""
    require_no_encounter(game.scene, CARRYING)
    library, mine = game.scene.library, game[who].belongings
    for carried in mine:
        if carried.place in (HAND, HANDS):
            mine = goods.move(mine, carried.item, PACK, carried.count, place=carried.place, rule=CARRYING)
    for name in wielded:
        found = entry_of(name, library)
        if found.hands == 0:
            raise IllegalActionError(f"{found.name} cannot be held in a hand", rule=CARRYING)
        if isinstance(found, Armour) and has_shield(mine, library):
            raise IllegalActionError("only one shield can be held", rule=LAYERING)
        mine = goods.move(mine, name, HANDS if found.hands > 1 else HAND, place=PACK, rule=CARRYING)
    if hands_taken(mine) > MOST_HANDS:
        raise IllegalActionError(f"{hands_taken(mine)} hands are needed, there are {MOST_HANDS}", rule=CARRYING)
    words = " and ".join([entry_of(name, library).name for name in wielded]) or "nothing"
    TRADE.change(game, who, f"holds {words}", mine, cause=CARRYING)


@process(rules=["opend6.gap.armour.layering"])
async def wear(game: Game, who: AtLeisure, item: ItemId) -> None:
    """Put on armour: one suit, or where the table has it so several of different kinds."""
    library, mine = game.scene.library, game[who].belongings
    found = entry_of(item, library)
    if not isinstance(found, Armour):
        raise IllegalActionError(f"{found.name} cannot be worn", rule=LAYERING)
    if found.shield:
        raise IllegalActionError(f"{found.name} is held in a hand, not worn", rule=LAYERING)
    refused = why_not_over(found, suits_worn(mine, library), game.scene.options.armour_layering)
    if refused:
        raise IllegalActionError(refused, rule=LAYERING)
    TRADE.change(game, who, f"puts on {found.name}", goods.move(mine, item, WORN, rule=LAYERING), cause=LAYERING)


@process(rules=["opend6.gap.armour.layering"])
async def take_off(game: Game, who: AtLeisure, item: ItemId) -> None:
    """Take off armour and stow it."""
    found = entry_of(item, game.scene.library)
    stowed = goods.move(game[who].belongings, item, PACK, place=WORN, rule=LAYERING)
    TRADE.change(game, who, f"takes off {found.name}", stowed, cause=LAYERING)


@process(rules=["opend6.gap.creation.funds"])
async def income(game: Game, who: Who, weeks: Annotated[int, Param("how many weeks", 1, 520)] = 1) -> None:
    """Get the silver that Funds bring in a week."""
    tally = silver_per_week(game[who].character, game.scene.library)
    money = game[who].character.silver + tally.total * weeks
    TRADE.change(game, who, f"earns {tally.total * weeks} silver", game[who].belongings, money, cause=FUNDS)


PROCESSES = (*trading(TRADE), wield, wear, take_off, income)
