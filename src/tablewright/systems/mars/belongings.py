"""Belongings outside fights: trade, wearing and wielding, repair and craft."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Refusal
from tablewright.game.play.time_passage import AtLeisure, Who, advance_time, require_no_encounter
from tablewright.game.play.trade import ItemId, Loading, Trade, in_figures, some, trading
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.mars.character import gear
from tablewright.systems.mars.character.figures import can_use
from tablewright.systems.mars.character.gear import item as entry_of
from tablewright.systems.mars.character.record import HAND, HANDS, PACK, WORN, MarsCharacter
from tablewright.systems.mars.content import Armour, Currency, Gear, Item, PreparedGrant, Weapon
from tablewright.systems.mars.creation import acquired
from tablewright.systems.mars.events.recovery import AbilityUsed, DayWentOn
from tablewright.systems.mars.harm import tested
from tablewright.systems.mars.now import now, ruled
from tablewright.systems.mars.values import Degree

CURRENCY, PRICES, SELLING = "mars.equipment.currency", "mars.gap.equipment.prices", "mars.gap.equipment.selling"
SLOTS, BRANDISH = "mars.equipment.armour_slots", "mars.action.brandish"
REPAIR, CRAFT, FOOD = "mars.gap.armour.repair", "mars.skill.craft_requirements", "mars.gap.fatigue.degrees"
PREPARED = "always_prepared"  # mars.gap.talent.always_prepared
REPAIR_DIFFICULTY, REPAIR_HOURS = 10, 1
REPAIRED = {Degree.FAILURE: 0, Degree.GRAZE: 2, Degree.SUCCESS: 4, Degree.CRITICAL: 8}
SOLD_FOR = Fraction(1, 2)


def worth_of(currency: str, library: Library) -> Fraction:
    """Worth of a coin in units of the baseline currency."""
    return library.get(Currency, currency).worth


# ---------------------------------------------------------------------- trade


def _loads(found: Item) -> Loading | None:
    if not isinstance(found, Weapon) or found.features.reload is None or found.ammunition is None:
        return None
    return Loading(found.ammunition)


def _keeps(fallen: Participant) -> Refusal | None:
    conscious = fallen.status.conscious
    return Refusal(f"{fallen.id} is conscious and keeps it", "mars.effect.unconscious") if conscious else None


TRADE = Trade(
    find=entry_of,
    put=lambda mine, item, count, library: acquired(mine, item, library, count),
    currency=worth_of,
    keeps=_keeps,
    loads=_loads,
    owning="mars.equipment.availability",
    prices=PRICES,
    bought=("mars.equipment.starting_money", CURRENCY),
    selling=SELLING,
    sells_for=SOLD_FOR,
    paying=CURRENCY,
    loading="mars.gap.weapon.reload",
)


# ---------------------------------------------------------------------- who can do anything


def _able(game: Game, who: str, rule: str) -> str:
    """Id of a participant who acts with their hands: awake, and in no encounter."""
    require_no_encounter(game.scene, rule)
    return _awake(game, who)


def _awake(game: Game, who: str) -> str:
    """Id of a conscious participant."""
    if not game[who].status.conscious:
        raise game.scene.cannot(who, "is not conscious", "mars.effect.unconscious")
    return game[who].id


# ---------------------------------------------------------------------- wearing and wielding


@process(rules=["mars.equipment.armour_slots"])
async def wear(game: Game, who: AtLeisure, item: ItemId) -> None:
    """Put on armour, or clothes; each slot holds one thing."""
    library, mine = game.scene.library, game[who].belongings
    found = entry_of(item, library)
    if isinstance(found, Armour):
        if found.is_shield:
            raise IllegalActionError(f"{found.name} is held in a hand, not worn", rule=SLOTS)
        pieces = [(piece, piece.slots) for piece in gear.worn(mine, library).pieces if not piece.is_shield]
        for piece, slots in pieces:
            full = [slot for slot in found.slots if slot in slots]
            if full:
                raise IllegalActionError(
                    f"the slot {full[0]} holds {piece.name} already; take it off first", rule=SLOTS
                )
    elif not isinstance(found, Gear):
        raise IllegalActionError(f"{found.name} cannot be worn", rule=SLOTS)
    TRADE.change(game, who, f"puts on {found.name}", goods.move(mine, item, WORN, rule=SLOTS), cause=SLOTS)


@process(rules=["mars.equipment.armour_slots"])
async def take_off(game: Game, who: AtLeisure, item: ItemId) -> None:
    """Take off something worn and put it in the pack."""
    found = entry_of(item, game.scene.library)
    stowed = goods.move(game[who].belongings, item, PACK, place=WORN, rule=SLOTS)
    TRADE.change(game, who, f"takes off {found.name}", stowed, cause=SLOTS)


@process(rules=["mars.action.brandish"])
async def brandish(
    game: Game, who: Who, wielded: Annotated[tuple[str, ...], Param("items to wield, by id; empty for none")] = ()
) -> None:
    """Choose what is wielded; whatever else was in the hands is stowed.

    A weapon for two hands, or a versatile one by itself, is taken in both.
    """
    who = _able(game, who, BRANDISH)
    library, mine = game.scene.library, game[who].belongings
    for carried in mine:
        if carried.place in (HAND, HANDS):
            mine = goods.move(mine, carried.item, PACK, carried.count, place=carried.place, rule=BRANDISH)
    for item in wielded:
        found = entry_of(item, library)
        alone = len(wielded) == 1
        needs_both = isinstance(found, Weapon) and found.features.two_handed
        place = gear.hands_for(found) if alone or needs_both else HAND
        mine = goods.move(mine, item, place, place=PACK, rule=BRANDISH)
    if goods.hands_taken(mine) > gear.MOST_HANDS:
        raise IllegalActionError(
            f"that takes {goods.hands_taken(mine)} hands, and there are {gear.MOST_HANDS}", rule=BRANDISH
        )
    if gear.slots_taken(mine, library)["shield"] > 1:
        raise IllegalActionError("only one shield can be held at a time", rule=SLOTS)
    words = " and ".join([entry_of(item, library).name for item in wielded]) or "nothing"
    TRADE.change(game, who, f"wields {words}", mine, cause=BRANDISH)


# ---------------------------------------------------------------------- food


@process(rules=["mars.gap.fatigue.degrees"])
async def eat(
    game: Game,
    who: Who,
    meals: Annotated[int, Param("number of meals", 0, 3)] = 1,
    litres: Annotated[int, Param("litres of water", 0, 10)] = 0,
    bought: Annotated[bool, Param("whether it is bought, not taken from provisions")] = False,
) -> None:
    """Eat and drink, from what is carried unless it comes from elsewhere."""
    who = _awake(game, who)
    mine = game[who].belongings
    if not bought:
        mine = _used(mine, game.scene.library, meals, litres)
        if mine != game[who].belongings:
            TRADE.change(game, who, "uses provisions", mine, cause=FOOD)
    day = game[who].character.day
    eaten = day.changed(meals=day.meals + meals, litres=day.litres + litres)
    parts = [f"{meals} meal{'s' * (meals > 1)}"] * bool(meals) + [f"{litres} litre{'s' * (litres > 1)}"] * bool(litres)
    game.emit(DayWentOn(who=who, what=", ".join(parts) or "nothing to eat", day=eaten, cause=FOOD))


def _used(mine: Belongings, library: Library, meals: int, litres: int) -> Belongings:
    for what, number in (("meals", meals), ("litres", litres)):
        for _ in range(number):
            holder = next((one for one in mine if _holds(one, library, what)), None)
            if holder is None:
                raise IllegalActionError(f"there are no {what} left", rule=FOOD)
            holds = getattr(entry_of(holder.item, library), what)
            if holds == 1:
                mine = goods.remove_item(mine, holder.item, 1, holder.place, rule=FOOD)
                continue
            full = holds if holder.left is None else holder.left
            rest = goods.remove_item(mine, holder.item, 1, holder.place, rule=FOOD)
            mine = goods.add_item(rest, holder.item, 1, holder.place, left=full - 1)
    return mine


def _holds(carried: ItemStack, library: Library, what: str) -> bool:
    found = gear.items(library).get(carried.item)
    return isinstance(found, Gear) and getattr(found, what) > 0 and carried.left != 0


@process(rules=["mars.gap.fatigue.degrees"])
async def fill(game: Game, who: Who, item: ItemId = "waterskin") -> None:
    """Fill a waterskin again."""
    who = _awake(game, who)
    found = entry_of(item, game.scene.library)
    if not isinstance(found, Gear) or not found.litres:
        raise IllegalActionError(f"{found.name} holds no water", rule=FOOD)
    mine = game[who].belongings
    emptied = [one for one in mine if one.item == item and one.left is not None]
    for one in emptied:
        mine = goods.remove_item(mine, item, one.count, one.place, rule=FOOD)
        mine = goods.add_item(mine, item, one.count, one.place)
    TRADE.change(game, who, f"fills {found.name}", mine, cause=FOOD)


# ---------------------------------------------------------------------- repair and craft


async def _craft_check(game: Game, who: str, difficulty: int) -> Degree:
    return await tested(game, who, ruled(game.scene, who, "craft", now(game.scene, who).skill("craft")), difficulty)


def _demand_craft(scene: Scene, who: str) -> None:
    if not can_use(scene[who].character, "craft", scene.library):
        raise scene.cannot(who, "is not trained in Craft", "mars.skill.complex_gate")


@process(rules=["mars.gap.armour.repair"])
async def repair(
    game: Game,
    who: Who,
    item: Annotated[str, Param("the shield, by its id")],
    workshop: Annotated[bool, Param("whether there is an equipped workshop")] = False,
) -> None:
    """Repair a shield for an hour: a craft check of difficulty 10, with tools."""
    who = _able(game, who, REPAIR)
    library = game.scene.library
    found = entry_of(item, library)
    if not isinstance(found, Armour) or found.durability is None:
        raise IllegalActionError(f"{found.name} has no durability to restore", rule=REPAIR)
    mine = [one for one in game[who].belongings if one.item == item]
    if not mine:
        raise game.scene.cannot(who, f"has no {found.name}", REPAIR)
    if all(one.left is None or one.left >= found.durability for one in mine):
        raise IllegalActionError(f"{found.name} is not damaged", rule=REPAIR)
    if not workshop and gear.tools_for(game[who].belongings, "craft", library) is None:
        raise game.scene.cannot(who, f"has no tools to repair {found.name} with", REPAIR)
    _demand_craft(game.scene, who)
    await advance_time(game, REPAIR_HOURS * 3_600, cause=REPAIR)
    degree = await _craft_check(game, who, REPAIR_DIFFICULTY)
    worst = min([one.left for one in mine if one.left is not None])
    amount = min(REPAIRED[degree], found.durability - worst)
    if amount:
        whole = goods.restore(game[who].belongings, item, amount, most=found.durability, rule=REPAIR)
        TRADE.change(game, who, f"repairs {found.name} by {amount}", whole, cause=REPAIR)


@process(rules=["mars.skill.craft_requirements"])
async def craft(
    game: Game,
    who: Who,
    item: ItemId,
    difficulty: Annotated[int, Param("difficulty", 0, 100)],
    related: Annotated[
        Literal["background", "archetype", "skillset", "none"], Param("related part of the maker's past")
    ],
    helpers: Annotated[tuple[str, ...], Param("the ids of those who lend tools or knowledge")] = (),
    workshop: Annotated[bool, Param("whether there is an equipped workshop")] = False,
) -> None:
    """Make an item: it takes tools or a workshop, and a past that relates to it; others may supply either."""
    who = _able(game, who, CRAFT)
    library = game.scene.library
    found = entry_of(item, library)
    everybody = [who, *[game[one].id for one in helpers]]
    tools = workshop or any(gear.tools_for(game[one].belongings, "craft", library) for one in everybody)
    if not tools:
        raise IllegalActionError(f"nobody has the tools for {found.name}, and there is no workshop", rule=CRAFT)
    if related == "none":
        raise IllegalActionError(f"nobody's background, archetype or skills relate to {found.name}", rule=CRAFT)
    _demand_craft(game.scene, who)
    degree = await _craft_check(game, who, difficulty)
    if degree.succeeds:
        made = acquired(game[who].belongings, item, library)
        TRADE.change(game, who, f"makes {some(found, found.bundle)}", made, cause=CRAFT)


# ---------------------------------------------------------------------- always prepared


@process(rules=["mars.gap.talent.list"])
async def find(game: Game, who: Who, item: ItemId) -> None:
    """Find something among one's belongings as if it had always been there, and pay for it (Always Prepared)."""
    who = _awake(game, who)
    library, rule = game.scene.library, "mars.gap.talent.list"
    character: MarsCharacter = game[who].character
    able = list(gear.grants_of(character, library, PreparedGrant))
    if not able:
        raise game.scene.cannot(who, "does not have the talent Always Prepared", rule)
    grant, steps, _, _ = able[0]
    used = game[who].status.used.get(PREPARED, 0)
    if used >= steps:
        often = "once" if used == 1 else f"{used} times"
        raise game.scene.cannot(who, f"has used it {often} since the last long rest", "mars.rest.abilities")
    found = entry_of(item, library)
    price = Fraction(TRADE.price_of(found, found.bundle))
    most = grant.prices[min(steps, len(grant.prices)) - 1]
    if price > most:
        raise IllegalActionError(f"{found.name} costs {in_figures(price)}, at most {most} are allowed", rule=rule)
    if isinstance(found, Weapon) and found.features.two_handed:
        raise IllegalActionError(f"{found.name} cannot be carried concealed", rule=rule)
    left = TRADE.after_paying(game[who], price * (100 - grant.cheaper) / 100, found.name)
    game.emit(AbilityUsed(who=who, talent=PREPARED, cause=rule))
    got = goods.add_item(game[who].belongings, item, found.bundle, PACK)
    TRADE.change(game, who, f"has {some(found, found.bundle)} with them", got, left, cause=rule)


PROCESSES = (*trading(TRADE), wear, take_off, brandish, eat, fill, repair, craft, find)
