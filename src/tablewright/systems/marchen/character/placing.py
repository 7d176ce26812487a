"""Where things are: two hands, one suit of armour, the rest in the pack."""

from __future__ import annotations

from tablewright.game.belongings import Belongings, add
from tablewright.game.content import Library
from tablewright.systems.marchen.character.record import HAND, PACK, WORN
from tablewright.systems.marchen.content import Armour, Item, Weapon, find_item, item_of

MOST_HANDS = 2
HANDS = "marchen.gap.belongings.hands"


def hands_for(item: Item | None) -> int:
    """How many hands a thing takes."""
    return 2 if item is not None and item.two_handed else 1


def hands_taken(belongings: Belongings, library: Library) -> int:
    """How many hands are full."""
    held = [one for one in belongings if one.place == HAND]
    return sum([hands_for(find_item(one.item, library)) * one.count for one in held])


def suits_worn(belongings: Belongings, library: Library) -> int:
    """How many suits of armour are worn."""
    worn = [one for one in belongings if one.place == WORN]
    return sum([one.count for one in worn if isinstance(find_item(one.item, library), Armour)])


def natural_place(belongings: Belongings, item: Item, library: Library) -> str:
    """Where something new goes by itself, if there is room: armour on the body, arms in the hands."""
    if isinstance(item, Armour) and not item.shield:
        return PACK if suits_worn(belongings, library) else WORN
    if isinstance(item, Weapon | Armour):
        return HAND if hands_taken(belongings, library) + hands_for(item) <= MOST_HANDS else PACK
    return WORN if item.id in ("clothing", "fine_clothes") else PACK


def acquired(belongings: Belongings, id_: str, library: Library, count: int = 1) -> Belongings:
    """With something new, where it goes by itself; several are put into the pack but for the first."""
    item = item_of(id_, library)
    belongings = add(belongings, id_, 1, natural_place(belongings, item, library))
    return add(belongings, id_, count - 1, PACK) if count > 1 else belongings
