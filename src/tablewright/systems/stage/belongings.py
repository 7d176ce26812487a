"""Belongings outside fights: trade, wearing and wielding, repair and craft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, did_you_mean
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import AtPeace, Living, Who, advance_time, require_no_encounter
from tablewright.game.play.trade import ItemId, Trade, some, trading
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant
from tablewright.systems.stage.character.costs import may_learn
from tablewright.systems.stage.character.figures import can_damage, figures, is_whole, items, load
from tablewright.systems.stage.character.gear import acquired, drawn, item_of, slots_taken
from tablewright.systems.stage.character.record import BELT, HAND, HANDS, PACK, WORN, StageCharacter
from tablewright.systems.stage.content import GRADES, Armour, Gear, Item, Material, Spell, Weapon
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.harm import Able, Ready
from tablewright.systems.stage.legality import unprepared
from tablewright.systems.stage.modifiers import limits_now
from tablewright.systems.stage.recovery import meet_need
from tablewright.systems.stage.values import HOUR, MINUTE

SOLD_FOR = Fraction(1, 2)
DONNING = 5 * MINUTE  # stage.gap.equipment.armour
FULL_REST = 8  # hours


def _keeps(fallen: Participant) -> Refusal | None:
    able = fallen.present and fallen.status.able
    return Refusal(f"{fallen.name} is awake and keeps it", "stage.encounter.flow") if able else None


def _put(mine: Belongings, item_id: str, count: int, library: Library) -> Belongings:
    return goods.add_item(mine, item_of(item_id, library).id, count)


TRADE = Trade(
    find=item_of,
    put=_put,
    keeps=_keeps,
    owning="stage.gap.equipment.supplies",
    prices="stage.gap.character.starting_equipment",
    sells_for=SOLD_FOR,
)


def demand_load(game: Game, who: str, belongings: Belongings) -> None:
    """Refuse what is more than a character can carry at all (stage.encumbrance.loads)."""
    character, options, library = game[who].character, game.scene.options, game.scene.library
    limits = limits_now(game.rulebook.subject(game[who], game.scene))
    weighs = load(character, options, library, belongings)
    if limits is not None and weighs > limits.maximum:
        message = f"a load of {weighs} cannot be carried, at most {limits.maximum} can"
        raise IllegalActionError(message, rule="stage.encumbrance.loads")


@process(rules=["stage.equipment.retrieve", "stage.equipment.size"])
async def draw(game: Game, who: Ready, item: ItemId) -> None:
    """Take something in hand: one hand or both, by its Size."""
    library = game.scene.library
    size = figures(game[who].character, game.scene.options, library).size
    held = drawn(game[who].belongings, item, size, library)
    TRADE.change(game, who, f"draws {item_of(item, library).name}", held, cause="stage.equipment.retrieve")


@process(rules=["stage.equipment.retrieve"])
async def stow(
    game: Game, who: Ready, item: ItemId, reach: Annotated[bool, Param("whether it stays within easy reach")] = True
) -> None:
    """Put something away: to the belt, or into the pack."""
    mine = game[who].belongings
    found = item_of(item, game.scene.library)
    held = [one.place for one in mine if one.item == item and one.place in (HAND, HANDS, WORN)]
    if not held:
        raise IllegalActionError(f"{found.name} is not in hand", rule="stage.equipment.retrieve")
    stowed = goods.move(mine, item, BELT if reach else PACK, place=held[0], rule="stage.equipment.retrieve")
    TRADE.change(game, who, f"stows {found.name}", stowed, cause="stage.equipment.retrieve")


@process(rules=["stage.gap.equipment.armour", "stage.equipment.armor"])
async def wear(game: Game, who: Ready, item: ItemId) -> None:
    """Put on armour or clothes; one component goes on the body, one on the head."""
    library, mine = game.scene.library, game[who].belongings
    found = item_of(item, library)
    rule = "stage.gap.equipment.armour"
    changed = goods.move(mine, item, WORN, rule=rule)  # refuses what is not there
    if isinstance(found, Armour):
        if found.is_shield:
            raise IllegalActionError(f"{found.name} is held, not worn", rule=rule)
        if found.slot in slots_taken(mine, library):
            raise IllegalActionError(f"something is worn on the {found.slot} already", rule=rule)
    elif isinstance(found, Weapon):
        raise IllegalActionError(f"{found.name} cannot be worn", rule=rule)
    if isinstance(found, Armour) and found.slot == "body":
        await advance_time(game, DONNING, cause=rule)
    TRADE.change(game, who, f"puts on {found.name}", changed, cause=rule)


@process(rules=["stage.gap.equipment.supplies", "stage.encumbrance.loads"])
async def take(
    game: Game, who: Living, item: ItemId, count: Annotated[int, Param("the number of items", 1, 10_000)] = 1
) -> None:
    """Get something and carry it where it belongs: armour on the body, weapons in free hands; refused if too heavy."""
    library = game.scene.library
    found = item_of(item, library)
    got = acquired(game[who].character, found.id, count, library, game[who].belongings, game.scene.options)
    demand_load(game, who, goods.add_item(game[who].belongings, found.id, count) if got is None else got)
    assert got is not None
    TRADE.change(game, who, f"gets {some(found, count)}", got, cause="stage.gap.equipment.supplies")


# ---------------------------------------------------------------------- damage to gear


def damage_to(found: Item, amount: int, by: Material | None, *, bypass: bool = False) -> int:
    """The Integrity Points that damage takes from an item: nothing by an inferior material, less its Resistance."""
    if not can_damage(None if by is None else GRADES[by], GRADES[found.material]):
        return 0  # stage.equipment.material
    return max(0, amount - (0 if bypass else found.resistance))  # stage.equipment.resistance


def damaged(mine: Belongings, item_id: str, lost: int, library: Library) -> Belongings:
    """With Integrity Points lost by an item; at 0 it is destroyed and stays as wreckage (stage.equipment.integrity)."""
    found = item_of(item_id, library)
    if found.integrity is None:
        raise IllegalActionError(f"{found.name} cannot be damaged", rule="stage.equipment.integrity")
    for at, one in enumerate(mine):
        if one.item == item_id and is_whole(one):
            left = max(0, (found.integrity if one.left is None else one.left) - lost)
            return goods.with_one(mine, at, replace(one, count=1, left=left)) if lost else mine
    raise IllegalActionError(f"no {found.name} is whole", rule="stage.equipment.integrity")


def mended(mine: Belongings, item_id: str, library: Library) -> Belongings:
    """With all Integrity Points of an item restored; whole again it has no mark."""
    found = item_of(item_id, library)
    for at, one in enumerate(mine):
        if one.item == item_id and one.left is not None and found.integrity is not None:
            return goods.with_one(mine, at, replace(one, count=1, left=None))
    raise IllegalActionError(f"{found.name} is whole", rule="stage.crafts.repair")


@process(rules=["stage.equipment.integrity", "stage.equipment.material", "stage.equipment.resistance"])
async def damage_item(
    game: Game,
    who: Who,
    item: ItemId,
    amount: Annotated[int, Param("Body damage", 0, 1_000)],
    material: Annotated[Material | None, Param("the material of the weapon; none for a spell or fire")] = None,
) -> None:
    """Damage a carried item: only by an equal or superior material, and less its Resistance."""
    library = game.scene.library
    found = item_of(item, library)
    lost = damage_to(found, amount, material)
    hit = damaged(game[who].belongings, item, lost, library)
    words = f"{found.name} loses {lost} Integrity Points" if lost else f"{found.name} is not harmed"
    TRADE.change(game, who, words, hit, cause="stage.equipment.integrity")


# ---------------------------------------------------------------------- food


HEAT_FACTOR = 2
"""Water that a day in the heat takes, in rations (stage.environment.heat)."""


@process(rules=["stage.upkeep.supplies", "stage.upkeep.thirst", "stage.upkeep.hunger", "stage.environment.heat"])
async def use_supplies(
    game: Game,
    who: Able,
    food: Annotated[int, Param("days of rations", 0, 100)] = 1,
    water: Annotated[int, Param("days of water", 0, 100)] = 1,
) -> None:
    """Eat and drink from the belongings, which ends hunger and thirst; in the heat a day takes twice the water."""
    library = game.scene.library
    hot = bool(game.scene.facts.entries) and bool(game.scene.facts.get("heat", who))
    fed = without_supplies(game[who].belongings, "food", food, library)
    left = without_supplies(fed, "water", water * (HEAT_FACTOR if hot else 1), library)
    words = f"uses food for {food} and water for {water} days" + (" in the heat" if hot else "")
    TRADE.change(game, who, words, left, cause="stage.environment.heat" if hot else "stage.upkeep.supplies")
    if food:
        meet_need(game, who, "hunger")
    if water:
        meet_need(game, who, "thirst")


def without_supplies(mine: Belongings, what: str, days: int, library: Library) -> Belongings:
    """The belongings after so many days' food or water is used; refuses where there is too little."""
    known = items(library)
    for _ in range(days):
        holder = next((one for one in mine if _holds(one, what, known)), None)
        if holder is None:
            raise IllegalActionError(f"there is no {what} left", rule="stage.upkeep.supplies")
        mine = goods.remove_item(mine, holder.item, 1, holder.place, rule="stage.upkeep.supplies")
    return mine


def _holds(carried: ItemStack, what: str, known: Mapping[str, Item]) -> bool:
    found = known.get(carried.item)
    return isinstance(found, Gear) and getattr(found, what) > 0


# ---------------------------------------------------------------------- crafts


def materials_price(found: Item, part: Fraction) -> Fraction:
    """Price of materials in whole coins: half of the item's price to make it, a tenth to repair it."""
    return Fraction(ceil((found.price or 0) * part))


@process(rules=["stage.crafts.craft"])
async def craft(
    game: Game,
    who: AtPeace,
    item: ItemId,
    known: Annotated[bool, Param("whether the design is known")] = True,
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
) -> bool:
    """Make an item: Crafts (craft), materials worth half of its price; a failure wastes half of them."""
    rule = "stage.crafts.craft"
    found = item_of(item, game.scene.library)
    if not known:
        raise IllegalActionError(f"the design of {found.name} is not known", rule=rule)
    materials = materials_price(found, Fraction(1, 2))
    TRADE.after_paying(game[who], materials, f"material for {found.name}")
    success = await _made(game, who, "crafts.craft", (f"thing={item}", *situation))
    used = materials if success else Fraction(ceil(materials / 2))
    left = TRADE.after_paying(game[who], used, f"material for {found.name}")
    mine = game[who].belongings
    got = goods.add_item(mine, item, found.bundle) if success else mine
    words = f"makes {some(found, found.bundle)}" if success else f"wastes material for {found.name}"
    TRADE.change(game, who, words, got, left, cause=rule)
    return success


@process(rules=["stage.crafts.repair"])
async def repair(
    game: Game,
    who: AtPeace,
    item: ItemId,
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
) -> bool:
    """Repair an item: Crafts (repair), materials worth a tenth of its price; all Integrity Points come back."""
    rule, library = "stage.crafts.repair", game.scene.library
    found = item_of(item, library)
    mended(game[who].belongings, item, library)  # refuses what is whole
    left = TRADE.after_paying(game[who], materials_price(found, Fraction(1, 10)), f"material for {found.name}")
    TRADE.change(game, who, f"buys material for {found.name}", game[who].belongings, left, cause=rule)
    success = await _made(game, who, "crafts.repair", (f"thing={item}", *situation))
    if success:
        whole = mended(game[who].belongings, item, library)
        TRADE.change(game, who, f"repairs {found.name}", whole, cause=rule)
    return success


async def _made(game: Game, who: str, what: str, situation: tuple[str, ...]) -> bool:
    from tablewright.game.session.processes import check  # noqa: PLC0415 - it runs over rulebooks

    result = await check(game, who, what, situation)
    return bool(result.success)


# ---------------------------------------------------------------------- the Focus


@process(rules=["stage.magic.focus", "stage.gap.magic.focus"])
async def prepare(
    game: Game,
    who: Who,
    spells: Annotated[tuple[str, ...], Param("the ids of the spells to prepare")],
    item: Annotated[str, Param("the id of the Focus; empty to keep the present one")] = "",
) -> None:
    """Rest for 8 hours and choose the spells in a Focus meanwhile."""
    from tablewright.systems.stage.recovery import rest  # noqa: PLC0415 - it heals by what is done with things here

    require_no_encounter(game.scene, "stage.magic.focus")
    library, options = game.scene.library, game.scene.options
    character: StageCharacter = game[who].character
    focus = item or character.focus
    if not any(one.item == focus for one in game[who].belongings):
        owned = [one.item for one in game[who].belongings]
        message = f'"{focus:.40}" is not among the belongings; a Focus is a thing to hold{did_you_mean(focus, owned)}'
        raise IllegalActionError(message, rule="stage.gap.magic.focus")
    for id_ in spells:
        spell = library.get(Spell, id_)
        if id_ not in character.spells or not may_learn(spell, character):
            known = ", ".join([library.get(Spell, one).name for one in character.spells]) or "no spell"
            message = f"{character.name} does not know {spell.name}, but {known}"
            raise IllegalActionError(message, rule="stage.magic.focus")
    changed = character.changed(focus=focus, prepared=tuple(dict.fromkeys(spells)))
    over = unprepared(changed, options, library)
    if over:
        raise IllegalActionError(f"{over} more spells than the Focus holds", rule="stage.magic.focus")
    await rest.function(game, (who,), FULL_REST)
    now: StageCharacter = game[who].character
    changed = now.changed(focus=changed.focus, prepared=changed.prepared)
    names = ", ".join([library.get(Spell, id_).name for id_ in changed.prepared]) or "nothing"
    game.emit(CharacterChanged(who=who, what=f"prepares {names}", character=changed, cause="stage.magic.focus"))


@process(rules=["stage.power_effect.item_bonus"])
async def get_used_to(
    game: Game,
    who: AtPeace,
    power: Annotated[str, Param("the power that was bought for one item, by id")],
    item: ItemId,
) -> None:
    """Use another item for 8 hours after the chosen one was lost: from then on the power is for that one."""
    rule, library = "stage.power_effect.item_bonus", game.scene.library
    character: StageCharacter = game[who].character
    chosen = character.choices.get(power, ())
    found = library.get(Power, power) if library.has(Power, power) else None
    for_items = found is not None and any(getattr(each, "when", None) == "chosen_item" for each in found.effects)
    if not for_items or not chosen:
        message = f'"{power:.40}" was not bought for an item{did_you_mean(power, character.choices)}'
        raise IllegalActionError(message, rule=rule)
    owned = [one.item for one in game[who].belongings]
    if chosen[0] in owned:
        raise IllegalActionError(f"{item_of(chosen[0], library).name} is not lost", rule=rule)
    if item_of(item, library).id not in owned:
        raise IllegalActionError(f"{item_of(item, library).name} is not among the belongings", rule=rule)
    await advance_time(game, FULL_REST * HOUR, cause=rule)
    now: StageCharacter = game[who].character
    used = now.changed(choices=now.choices.put(power, (item,)))
    what = f"{item_of(item, library).name} for {library.get(Power, power).name}"
    game.emit(CharacterChanged(who=who, what=what, character=used, cause=rule))


PROCESSES = (*trading(TRADE), draw, stow, wear, take, damage_item, use_supplies, craft, repair, prepare, get_used_to)
