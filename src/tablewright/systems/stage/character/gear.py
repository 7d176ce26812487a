"""Hands and slots: gear that is worn, wielded and carried."""

from __future__ import annotations

from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import HANDS_AT, Belongings, add_item, hands_taken
from tablewright.game.content.library import Library
from tablewright.systems.stage.character.figures import figures, hands_for, items, load, size_of
from tablewright.systems.stage.character.record import BELT, HAND, HANDS, PACK, WORN, StageCharacter
from tablewright.systems.stage.content import ITEMS, Ammunition, Armour, Item, Weapon
from tablewright.systems.stage.options import StageOptions


def item_of(item_id: str, library: Library) -> Item:
    """The item with this id, of any kind that can be carried."""
    return library.one_of_any(ITEMS, Item, item_id)


# ---------------------------------------------------------------------- hands and places


def drawn(mine: Belongings, item_id: str, size: int, library: Library) -> Belongings:
    """With something in hand; refuses what is too large or finds no free hand (stage.equipment.size)."""
    found = item_of(item_id, library)
    place = HAND if isinstance(found, Armour) and found.is_shield else place_in_hand(found, size)
    if place is None:
        message = f"{found.name} of Size {found.size} cannot be wielded at Size {size}"
        raise IllegalActionError(message, rule="stage.equipment.size")
    if isinstance(found, Armour) and not found.is_shield:
        raise IllegalActionError(f"{found.name} is worn, not held", rule="stage.gap.equipment.armour")
    held = goods.move(mine, item_id, place, rule="stage.equipment.retrieve")
    if hands_taken(held) > MOST_HANDS:
        raise IllegalActionError(f"no hand is free for {found.name}", rule="stage.equipment.size")
    return held


def taken_up(mine: Belongings, item_id: str, size: int, library: Library) -> Belongings:
    """With something out of the pack in hand, if it finds a free one; else it stays there."""
    try:
        return drawn(mine, item_id, size, library)
    except IllegalActionError:
        return mine


MOST_HANDS = 2
_USUAL = StageOptions()


def slots_taken(belongings: Belongings, library: Library) -> list[str]:
    """The parts of the body on which armour is worn."""
    known = items(library)
    taken: list[str] = []
    for carried in belongings:
        piece = known.get(carried.item)
        if isinstance(piece, Armour) and carried.place == WORN:
            taken += [piece.slot] * carried.count
    return taken


def place_in_hand(found: Item, size: int) -> str | None:
    """True if a character of a Size holds a thing in one hand or in both; None if not at all (stage.equipment.size)."""
    hands = hands_for(found.size, size)
    return None if hands is None else HAND if hands == 1 else HANDS


def natural_place(belongings: Belongings, found: Item, size: int, library: Library) -> str:
    """Default place of a new item: armour on the body, weapons and shields in free hands, else the belt.

    A shield is held in one hand whatever its Size; it cannot be used with a weapon for two hands.
    """
    if isinstance(found, Armour) and not found.is_shield:
        return PACK if found.slot in slots_taken(belongings, library) else WORN
    free = MOST_HANDS - hands_taken(belongings)
    if isinstance(found, Armour):
        return HAND if free else PACK
    if isinstance(found, Weapon):
        place = place_in_hand(found, size)
        if place is not None and HANDS_AT[place] <= free:
            return place
        return BELT
    return BELT if isinstance(found, Ammunition) else PACK


def acquired(
    character: StageCharacter,
    item_id: str,
    count: int,
    library: Library,
    belongings: Belongings | None = None,
    options: StageOptions = _USUAL,
) -> Belongings | None:
    """The belongings with something new where it goes; None where that is more than can be carried."""
    mine = character.belongings if belongings is None else belongings
    found = items(library)[item_id]
    size = size_of(character, library).total
    for _ in range(count if count <= 2 else 0):
        mine = add_item(mine, item_id, 1, natural_place(mine, found, size, library))
    if count > 2:
        mine = add_item(mine, item_id, count, BELT if isinstance(found, Ammunition) else PACK)
    most = figures(character, options, library).limits.maximum
    return mine if load(character, options, library, mine) <= most else None
