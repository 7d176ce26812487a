"""Hands and slots: what can be worn and wielded at the same time."""

from __future__ import annotations

from collections import Counter

from tablewright.game.belongings import Belongings, Carried
from tablewright.game.content import Library
from tablewright.systems.mars.character.record import HAND, HANDS, PACK, WORN
from tablewright.systems.mars.character.wearing import is_borne, items
from tablewright.systems.mars.content import Armour, Item, Weapon

MOST_HANDS = 2
_TAKEN = {HAND: 1, HANDS: 2}


def hands_taken(belongings: Belongings) -> int:
    """How many hands are full."""
    return sum([_TAKEN.get(carried.place, 0) * carried.count for carried in belongings])


def slots_taken(belongings: Belongings, library: Library) -> Counter[str]:
    """How often each slot is taken by what is worn, or held as a shield."""
    known, taken = items(library), Counter[str]()
    for carried in belongings:
        piece = known.get(carried.item)
        if isinstance(piece, Armour) and is_borne(carried, piece):
            taken.update(list(piece.slots) * carried.count)
    return taken


def wields(carried: Carried) -> bool:
    """Whether something is in a hand."""
    return carried.place in _TAKEN


def hands_for(found: Item) -> str:
    """How an item is wielded best: two-handed and versatile weapons in both hands."""
    both = isinstance(found, Weapon) and (found.features.two_handed or found.features.versatile)
    return HANDS if both else HAND


def natural_place(belongings: Belongings, found: Item, library: Library) -> str:
    """Where something new goes by itself: armour on the body, weapons and shields in the hands, if there is room."""
    if isinstance(found, Armour):
        taken = slots_taken(belongings, library)
        if any(taken[slot] for slot in found.slots):
            return PACK
        if not found.is_shield:
            return WORN
    if isinstance(found, Weapon | Armour):
        free = MOST_HANDS - hands_taken(belongings)
        wanted = hands_for(found)
        if _TAKEN[wanted] <= free:
            return wanted
        versatile = isinstance(found, Weapon) and not found.features.two_handed
        return HAND if free and versatile else PACK
    return PACK
