"""What is worn and held, and what it weighs on whoever wears it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.game.belongings import Belongings
from tablewright.game.content import Library
from tablewright.game.remembering import by_identity, remembered
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, PACK, WORN
from tablewright.systems.renaissance.content import ITEMS, Armour, Gear, Item, Weapon

HELD = (MAIN, OFF, BOTH)


@by_identity
def items(library: Library) -> Mapping[str, Item]:
    """Everything that can be carried, by its id."""
    found: dict[str, Any] = {}
    for kind in ITEMS:
        found |= {entry.id: entry for entry in library.of(kind)}
    return found


@dataclass(frozen=True, slots=True)
class Worn:
    """What is worn and held: Armor and penalties by name, weapons by the hand that holds them, heavy things."""

    armor: tuple[tuple[str, int], ...]
    penalties: tuple[tuple[str, str, int], ...]  # name, linked aptitude, value
    initiative: tuple[tuple[str, int], ...]
    weapons: tuple[tuple[str, Weapon], ...]  # place, weapon
    shields: tuple[tuple[str, Armour], ...]
    heavy: int
    tools: tuple[tuple[str, str, int], ...]  # name, skill, bonus
    resists: tuple[str, ...]

    @property
    def hands(self) -> int:
        """How many hands are full."""
        return sum([2 if place == BOTH else 1 for place, _ in (*self.weapons, *self.shields)])

    def penalty(self, aptitude: str) -> int:
        """What armour takes from skills linked to an aptitude."""
        return sum([value for _, linked, value in self.penalties if linked == aptitude])


@remembered
def worn(belongings: Belongings, library: Library) -> Worn:
    """What some belongings come to, as far as they are worn or held."""
    known = items(library)
    armor, penalties, slow, weapons, shields, tools = [], [], [], [], [], []
    resists: list[str] = []
    heavy = 0
    for carried in belongings:
        found = known.get(carried.item)
        if found is None:
            continue
        heavy += carried.count if found.heavy else 0
        if isinstance(found, Armour) and (carried.place == WORN or (found.shield and carried.place in HELD)):
            armor.append((found.name, found.armor))
            penalties += [(found.name, name, found.penalty) for name in found.aptitudes]
            slow += [(found.name, found.initiative)] if found.initiative else []
            resists += found.resists
            if found.shield:
                shields.append((carried.place, found))
        elif isinstance(found, Weapon) and carried.place in HELD:
            weapons += [(carried.place, found)]
        elif isinstance(found, Gear):
            tools += [(found.name, skill, found.bonus) for skill in found.tools_for]
    return Worn(
        tuple(armor),
        tuple(penalties),
        tuple(slow),
        tuple(weapons),
        tuple(shields),
        heavy,
        tuple(tools),
        tuple(resists),
    )


def place_for(found: Item, belongings: Belongings, library: Library, hand: str = "") -> str | None:
    """Where something is drawn to or put on; None where there is no room for it.

    One suit can be worn; both hands can hold one thing each, or one thing together. A weapon goes to the dominant hand
    if that is free, else to the off hand; a shield goes to the off hand first. ``hand`` asks for one of them.
    """
    full = [carried.place for carried in belongings]
    if isinstance(found, Armour) and not found.shield:
        return None if any(_is_suit(one.item, library) for one in belongings if one.place == WORN) else WORN
    if not isinstance(found, Weapon | Armour):
        return PACK
    if isinstance(found, Armour) and worn(belongings, library).shields:
        return None
    free = [] if BOTH in full else [place for place in (MAIN, OFF) if place not in full]
    if isinstance(found, Weapon) and found.hands == 2:
        return BOTH if len(free) == 2 else None
    if hand:
        return hand if hand in free else None
    first = OFF if isinstance(found, Armour) else MAIN
    return first if first in free else free[0] if free else None


def _is_suit(item: str, library: Library) -> bool:
    found = items(library).get(item)
    return isinstance(found, Armour) and not found.shield
