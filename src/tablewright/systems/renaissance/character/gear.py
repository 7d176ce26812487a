"""Hands and slots: gear that is worn, wielded and carried.

A coating is kept by the weapon and the hand of the character who applied it; on a weapon that lies on the ground it is
marked as such until the weapon is taken up, and then goes to its new owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_value
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, PACK, WORN
from tablewright.systems.renaissance.content import ITEMS, Armour, Gear, Item, Weapon

HELD = (MAIN, OFF, BOTH)


def items(library: Library) -> Mapping[str, Item]:
    """Everything that can be carried, by its id."""
    return library.of_any(ITEMS, Item)


@dataclass(frozen=True, slots=True)
class Worn:
    """Gear that is worn and held: Armor and penalties by name, weapons by hand, heavy things."""

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
        """Number of full hands."""
        return sum([2 if place == BOTH else 1 for place, _ in (*self.weapons, *self.shields)])

    def penalty(self, aptitude: str) -> int:
        """Penalty of armour on skills linked to an aptitude."""
        return sum([value for _, linked, value in self.penalties if linked == aptitude])


@cached_by_value
def worn(belongings: Belongings, library: Library) -> Worn:
    """Gear that is worn or held among some belongings."""
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
        tuple(armor), tuple(penalties), tuple(slow), tuple(weapons), tuple(shields), heavy, tuple(tools), tuple(resists)
    )


def place_for(found: Item, belongings: Belongings, library: Library, hand: str = "") -> str | None:
    """Place for something that is drawn or put on; None if there is no room for it.

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


Coated: TypeAlias = tuple[tuple[str, str], ...]
"""Weapons with what is on them: `dagger`, `dagger@off`, `dagger@ground`."""

GROUND = "@ground"


def in_hand(item: str, place: str) -> str:
    """Key of a weapon at a place.

    >>> in_hand("dagger", "off"), in_hand("dagger", "main"), in_hand("dagger", "pack")
    ('dagger@off', 'dagger', 'dagger')
    """
    return f"{item}@off" if place == OFF else item


def coating_of(coated: Coated, belongings: Belongings, item: str, place: str) -> tuple[str, str]:
    """The coating of a weapon at a place, and its poison; with one of a kind in hand it is on that."""
    held = [one for one in belongings if one.item == item and one.place != PACK]
    for weapon, poison in coated:
        known, _, where = weapon.partition("@")
        if weapon == in_hand(item, place) or (len(held) < 2 and known == item and f"@{where}" != GROUND):
            return weapon, poison
    return "", ""


def without(coated: Coated, weapon: str) -> Coated:
    """Nothing is on a weapon any more."""
    return tuple([one for one in coated if one[0] != weapon])


def laid_down(coated: Coated, weapon: str) -> Coated:
    """A weapon lies on the ground with what is on it.

    >>> laid_down((("dagger@off", "venom"), ("mace", "venom")), "dagger@off")
    (('mace', 'venom'), ('dagger@ground', 'venom'))
    """
    found = [(weapon.partition("@")[0] + GROUND, poison) for known, poison in coated if known == weapon]
    return (*without(coated, weapon), *found)


def taken_up(coated: Coated, item: str) -> tuple[Coated, str]:
    """Without the coating of one thing on the ground, and what was on it.

    >>> taken_up((("dagger@ground", "venom"), ("dagger@ground", "venom")), "dagger")
    ((('dagger@ground', 'venom'),), 'venom')
    """
    for at, (weapon, poison) in enumerate(coated):
        if weapon == item + GROUND:
            return (*coated[:at], *coated[at + 1 :]), poison
    return coated, ""


def new_place(before: Belongings, after: Belongings, item: str) -> str:
    """Place of a thing that was just taken up."""
    had = {one.place for one in before if one.item == item}
    now = [one.place for one in after if one.item == item and one.place in (MAIN, OFF, BOTH)]
    return next((place for place in now if place not in had), PACK)


def at_home(coated: Coated, belongings: Belongings) -> Coated:
    """Coatings after everyone has taken up their own weapons; those left behind lose theirs."""
    owned = {one.item + GROUND for one in belongings}
    there = [one for one in coated if one[0] in owned or not one[0].endswith(GROUND)]
    return tuple({weapon.removesuffix(GROUND): poison for weapon, poison in there}.items())
