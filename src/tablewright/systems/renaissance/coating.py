"""What is on a blade: in a hand, in the pack, or where it lies on the ground (renaissance.chemical.weapon_poison).

Whoever has coated a weapon keeps account of it by the weapon and the hand; what lies on the ground is marked as such
until somebody takes it up, and then it is theirs.
"""

from __future__ import annotations

from typing import TypeAlias

from tablewright.game.belongings import Belongings
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, PACK

Coated: TypeAlias = tuple[tuple[str, str], ...]
"""Weapons with what is on them: `dagger`, `dagger@off`, `dagger@ground`."""

GROUND = "@ground"


def in_hand(item: str, place: str) -> str:
    """How a weapon at a place is written.

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
    """Where a thing is that was just taken up."""
    had = {one.place for one in before if one.item == item}
    now = [one.place for one in after if one.item == item and one.place in (MAIN, OFF, BOTH)]
    return next((place for place in now if place not in had), PACK)


def at_home(coated: Coated, belongings: Belongings) -> Coated:
    """What is on weapons once everybody has taken up what is theirs: nothing on those that were left behind."""
    owned = {one.item + GROUND for one in belongings}
    there = [one for one in coated if one[0] in owned or not one[0].endswith(GROUND)]
    return tuple({weapon.removesuffix(GROUND): poison for weapon, poison in there}.items())
