"""Hands and slots: gear that is worn, wielded and carried."""

from __future__ import annotations

from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import Belongings, Slot, add_item
from tablewright.game.content.library import Library
from tablewright.systems.marchen.character.record import HAND, PACK, SOUND, WORN
from tablewright.systems.marchen.content import Armour, Item, Weapon, find_item, item_of

DAMAGE = "marchen.ounces.withstand_damage"


def drawn(mine: Belongings, item: str, library: Library) -> Belongings:
    """Belongings with something taken in hand; hands that are full keep what they hold."""
    found = item_of(item, library)
    room = Slot(HAND, MOST_HANDS, lambda id_: hands_for(find_item(id_, library)))
    if not is_wielded(found):
        raise IllegalActionError(f"{found.name} is not wielded", rule=HANDS)
    return goods.move(mine, item, room, rule=HANDS)


def is_wielded(item: Item) -> bool:
    """True if an item is held in use: a weapon or a shield."""
    return isinstance(item, Weapon) or (isinstance(item, Armour) and item.shield)


# ---------------------------------------------------------------------- damage to things


def worse(mine: Belongings, item: str, conditions: int, place: str = "", rule: str = DAMAGE) -> Belongings:
    """Belongings of which one thing has so many conditions more; with four it is destroyed.

    It is the one at a place where there is one, and of several the worst.
    """
    own = [one for one in mine if one.item == item]
    if not own:
        raise IllegalActionError(f"there is no {item}", rule=rule)
    own = [one for one in own if one.place == place] or own
    worst = min(own, key=lambda one: SOUND if one.left is None else one.left)
    left = (SOUND if worst.left is None else worst.left) - conditions
    rest = goods.remove_item(mine, item, 1, worst.place, rule=rule)
    return rest if left <= 0 else goods.add_item(rest, item, 1, worst.place, left=left)


MOST_HANDS = 2
HANDS = "marchen.gap.belongings.hands"


def hands_for(item: Item | None) -> int:
    """Number of hands that an item takes."""
    return 2 if item is not None and item.two_handed else 1


def hands_taken(belongings: Belongings, library: Library) -> int:
    """Number of hands in use."""
    held = [one for one in belongings if one.place == HAND]
    return sum([hands_for(find_item(one.item, library)) * one.count for one in held])


def suits_worn(belongings: Belongings, library: Library) -> int:
    """Number of suits of armour worn."""
    worn = [one for one in belongings if one.place == WORN]
    return sum([one.count for one in worn if isinstance(find_item(one.item, library), Armour)])


def natural_place(belongings: Belongings, item: Item, library: Library) -> str:
    """The place of a new item if there is room: armour on the body, arms in the hands."""
    if isinstance(item, Armour) and not item.shield:
        return PACK if suits_worn(belongings, library) else WORN
    if isinstance(item, Weapon | Armour):
        return HAND if hands_taken(belongings, library) + hands_for(item) <= MOST_HANDS else PACK
    return WORN if item.id in ("clothing", "fine_clothes") else PACK


def acquired(belongings: Belongings, id_: str, library: Library, count: int = 1) -> Belongings:
    """With something new, where it goes by itself; several are put into the pack but for the first."""
    item = item_of(id_, library)
    belongings = add_item(belongings, id_, 1, natural_place(belongings, item, library))
    return add_item(belongings, id_, count - 1, PACK) if count > 1 else belongings
