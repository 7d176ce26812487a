"""Where things go: hands, what is worn, what is within easy reach, and what can be carried at all."""

from __future__ import annotations

from tablewright.game.belongings import Belongings, add
from tablewright.game.content import Library
from tablewright.systems.stage.character.figures import figures, hands_for, hands_taken, items, load, size_of
from tablewright.systems.stage.character.record import BELT, HAND, HANDS, PACK, WORN, StageCharacter
from tablewright.systems.stage.content import Ammunition, Armour, Item, Weapon
from tablewright.systems.stage.options import StageOptions

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
    """Whether somebody of a Size holds a thing in one hand or in both; None if not at all (stage.equipment.size)."""
    hands = hands_for(found.size, size)
    return None if hands is None else HAND if hands == 1 else HANDS


def natural_place(belongings: Belongings, found: Item, size: int, library: Library) -> str:
    """Where something new goes by itself: armour on the body, weapons and shields in free hands, else to the belt.

    A shield is held in one hand whatever its Size; it cannot be used with a weapon for two hands.
    """
    if isinstance(found, Armour) and not found.is_shield:
        return PACK if found.slot in slots_taken(belongings, library) else WORN
    free = MOST_HANDS - hands_taken(belongings)
    if isinstance(found, Armour):
        return HAND if free else PACK
    if isinstance(found, Weapon):
        place = place_in_hand(found, size)
        if place is not None and {HAND: 1, HANDS: 2}[place] <= free:
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
        mine = add(mine, item_id, 1, natural_place(mine, found, size, library))
    if count > 2:
        mine = add(mine, item_id, count, BELT if isinstance(found, Ammunition) else PACK)
    most = figures(character, options, library).limits.maximum
    return mine if load(character, options, library, mine) <= most else None
