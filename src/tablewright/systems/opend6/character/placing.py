"""Where things go: what is put on, what is taken in hand, and what goes into the pack."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.game.belongings import Belongings, Carried, add
from tablewright.game.content import Library
from tablewright.systems.opend6.character.figures import item, items, suits_worn
from tablewright.systems.opend6.character.record import HAND, HANDS, PACK, WORN
from tablewright.systems.opend6.content import Armour, Gear, Item, Weapon
from tablewright.systems.opend6.fight_options import Layering

MOST_HANDS = 2  # opend6.gap.equipment.carrying


def place_for(found: Item) -> str:
    """Where a thing is used: worn, in a hand, in both hands; the pack for what is neither."""
    if isinstance(found, Armour) and not found.shield:
        return WORN
    return {0: PACK, 1: HAND, 2: HANDS}[found.hands]


def hands_taken(belongings: Iterable[Carried]) -> int:
    """How many hands are full."""
    return sum([{HAND: 1, HANDS: 2}.get(carried.place, 0) * carried.count for carried in belongings])


def is_dressed(belongings: Belongings, library: Library) -> bool:
    """Whether a suit of armour is worn."""
    return bool(suits_worn(belongings, library))


def why_not_over(suit: Armour, worn: Iterable[Armour], layering: Layering) -> str | None:
    """Why a suit cannot be worn together with others; None if it can. [opend6.gap.armour.layering]"""
    for other in worn:
        if layering == "one_suit":
            return "a suit of armour is worn already"
        if suit.layer is None or suit.layer == other.layer:
            return f"{suit.name} does not go together with {other.name}"
    return None


def has_shield(belongings: Iterable[Carried], library: Library) -> bool:
    """Whether a shield is held."""
    held = [items(library).get(carried.item) for carried in belongings if carried.place in (HAND, HANDS)]
    return any(isinstance(one, Armour) and one.shield for one in held)


def natural_place(found: Item, belongings: Belongings, library: Library) -> str:
    """Where something new goes by itself: where it is used if there is room, else into the pack."""
    place = place_for(found)
    if place == WORN and is_dressed(belongings, library):
        return PACK
    if isinstance(found, Armour) and found.shield and has_shield(belongings, library):
        return PACK
    wielded = isinstance(found, Weapon | Armour)
    if place in (HAND, HANDS) and (not wielded or hands_taken(belongings) + found.hands > MOST_HANDS):
        return PACK
    return place


def acquired(belongings: Belongings, name: str, library: Library, count: int = 1) -> Belongings:
    """The belongings with something new, where it goes; the first of several in hand or worn, the rest in the pack."""
    found = item(name, library)
    left = found.uses if isinstance(found, Gear) else None
    for number in range(count):
        place = natural_place(found, belongings, library) if number == 0 else PACK
        if place == PACK:
            return add(belongings, name, count - number, PACK, left=left)
        belongings = add(belongings, name, 1, place, left=left)
    return belongings
