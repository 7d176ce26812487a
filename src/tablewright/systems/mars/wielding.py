"""Weapons and shields in hand: how they can be used, and what holding them in one hand or two changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.systems.mars.attack import MULTIPLE_ATTACK_PENALTY, SWIFT_PENALTY
from tablewright.systems.mars.content import Armour, Weapon
from tablewright.systems.mars.status import Manner
from tablewright.systems.mars.throws import Part

TWO_HANDED, VERSATILE = "mars.gap.weapon.two_handed", "mars.gap.weapon.versatile"


class Wielded(NamedTuple):
    """Something to attack with: a key that tells two of a kind apart, the weapon, and how many hands hold it."""

    key: str
    weapon: Weapon
    hands: int
    left: int | None = None

    @property
    def bare(self) -> bool:
        """Whether nothing is held: fists, in gauntlets or not, claws and teeth."""
        return self.hands == 0

    @property
    def manners(self) -> tuple[Manner, ...]:
        """How it can be used: a bow shoots, a knife stabs or is thrown."""
        features = self.weapon.features
        if features.ranged is not None:
            return ("shot",)
        return ("melee", "thrown") if features.thrown is not None else ("melee",)


class Shield(NamedTuple):
    """A shield in a hand: its durability, and whether it can block."""

    item: str
    armour: Armour
    left: int


def grip(wielded: Wielded, manner: Manner) -> Iterator[Part]:
    """What holding a weapon in one hand or in two changes to hit."""
    features = wielded.weapon.features
    if manner == "melee":
        if features.two_handed and wielded.hands == 1:
            yield "two-handed weapon in one hand", -1, TWO_HANDED
        elif features.versatile and wielded.hands == 2:
            yield "versatile weapon in two hands", -1, VERSATILE
    elif manner == "shot" and features.versatile and wielded.hands == 1:
        yield "versatile weapon in one hand", -2, VERSATILE


def helping_hands(wielded: Wielded, manner: Manner) -> Iterator[Part]:
    """What helps the damage: a second hand, unless the weapon is thrown or does the work itself."""
    features = wielded.weapon.features
    # mars.gap.weapon.mechanical
    if wielded.hands == 2 and manner != "thrown" and not features.mechanical:
        if features.two_handed:
            yield "two hands", 1, TWO_HANDED
        elif features.versatile:
            yield "two hands", 1, VERSATILE


def missing_hand(wielded: Wielded, manner: Manner) -> Iterator[Part]:
    """What spoils the damage: one hand where the weapon wants two."""
    if wielded.hands == 1 and wielded.weapon.features.two_handed and manner == "melee":
        yield "one hand", 1, TWO_HANDED


def attack_penalty(weapon: Weapon) -> int:
    """What every earlier attack of the turn costs with this weapon."""
    return SWIFT_PENALTY if weapon.features.swift else MULTIPLE_ATTACK_PENALTY  # mars.gap.weapon.swift
