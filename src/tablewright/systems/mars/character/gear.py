"""Hands and slots: gear that is worn, wielded and carried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from tablewright.game.character.belongings import HANDS_AT, Belongings, ItemStack, hands_taken
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity, cached_by_value
from tablewright.systems.mars.character.record import HAND, HANDS, PACK, WORN, MarsCharacter, MarsEffect
from tablewright.systems.mars.content import ITEMS, Ancestry, Armour, Gear, Grant, Item, Talent, Trait, Weapon
from tablewright.systems.mars.mechanics.attack import MULTIPLE_ATTACK_PENALTY, SWIFT_PENALTY
from tablewright.systems.mars.values import Manner, Part

R = TypeVar("R")
ANCESTRY = "mars.character.ancestry"


class Granted(NamedTuple):
    """A feature of a character, with its number of steps and its source."""

    grant: Grant
    steps: int
    source: str
    rule: str


@cached_by_value
def granted(character: MarsCharacter, library: Library) -> tuple[Granted, ...]:
    """Grants of ancestry, talents and traits."""
    found: list[Granted] = []
    if library.has(Ancestry, character.ancestry):
        ancestry = library.get(Ancestry, character.ancestry)
        found += [Granted(grant, 1, ancestry.name, ANCESTRY) for grant in ancestry.grants]
    for id_, steps in character.talents.items():
        if library.has(Talent, id_) and steps > 0:
            talent = library.get(Talent, id_)
            found += [Granted(grant, steps, talent.name, "mars.gap.talent.list") for grant in talent.grants]
    for own in character.traits:
        name, grants = own.name, own.grants
        if own.id and library.has(Trait, own.id):
            trait = library.get(Trait, own.id)
            name, grants = name or trait.name, (*trait.grants, *grants)
        found += [Granted(grant, 1, name or "trait", "mars.character.trait") for grant in grants]
    return tuple(found)


def grants_of(character: MarsCharacter, library: Library, kind: type[R]) -> Sequence[tuple[R, int, str, str]]:
    """Grants of one kind that a character has: the grant, its steps, its source and the rule."""
    return _of_kind(character, library, kind)


@cached_by_identity
def _of_kind(character: MarsCharacter, library: Library, kind: type) -> Sequence[tuple[Any, int, str, str]]:
    return [one for one in granted(character, library) if isinstance(one[0], kind)]


MOST_HANDS = 2


def slots_taken(belongings: Belongings, library: Library) -> Counter[str]:
    """Number of worn items, and of shields in hand, by slot."""
    known, taken = items(library), Counter[str]()
    for carried in belongings:
        piece = known.get(carried.item)
        if isinstance(piece, Armour) and is_borne(carried, piece):
            taken.update(list(piece.slots) * carried.count)
    return taken


def hands_for(found: Item) -> str:
    """Best place to wield an item: two-handed and versatile weapons in both hands."""
    both = isinstance(found, Weapon) and (found.features.two_handed or found.features.versatile)
    return HANDS if both else HAND


def natural_place(belongings: Belongings, found: Item, library: Library) -> str:
    """Default place of a new item: armour on the body, weapons and shields in the hands, if there is room."""
    if isinstance(found, Armour):
        taken = slots_taken(belongings, library)
        if any(taken[slot] for slot in found.slots):
            return PACK
        if not found.is_shield:
            return WORN
    if isinstance(found, Weapon | Armour):
        free = MOST_HANDS - hands_taken(belongings)
        wanted = hands_for(found)
        if HANDS_AT[wanted] <= free:
            return wanted
        versatile = isinstance(found, Weapon) and not found.features.two_handed
        return HAND if free and versatile else PACK
    return PACK


def items(library: Library) -> Mapping[str, Item]:
    """All items that can be carried, by id."""
    return library.of_any(ITEMS, Item)


def item(item_id: str, library: Library) -> Item:
    """The item with this id, of any kind that can be carried."""
    return library.one_of_any(ITEMS, Item, item_id)


class Worn(NamedTuple):
    """Worn armour and held shields: sums, the pieces that protect, and all that weigh."""

    rating: int
    reduction: int
    pieces: tuple[Armour, ...]
    heavy: tuple[Armour, ...]

    @property
    def critical_defense(self) -> int:
        """By how much it raises the critical threshold of attackers."""
        return sum([piece.features.critical_defense for piece in self.pieces])

    def has(self, feature: str) -> bool:
        """True if a piece has a feature, by its name."""
        return any(getattr(piece.features, feature) for piece in self.pieces)


def is_borne(carried: ItemStack, armour: Armour) -> bool:
    """True if armour is worn, or a shield held in a hand."""
    return carried.place in ((HAND, HANDS) if armour.is_shield else (WORN,))


@cached_by_value
def worn(belongings: Belongings, library: Library) -> Worn:
    """Protection by belongings: a broken shield only weighs, and only one shield protects."""
    known = items(library)
    heavy: list[Armour] = []
    pieces: list[Armour] = []
    shields: list[Armour] = []
    for carried in belongings:
        piece = known.get(carried.item)
        if not isinstance(piece, Armour) or not is_borne(carried, piece):
            continue
        heavy.append(piece)
        if not piece.is_shield:
            pieces.append(piece)
        elif carried.left != 0:
            shields.append(piece)
    if shields:
        pieces.append(max(shields, key=lambda shield: shield.rating))
    return Worn(
        sum([piece.rating for piece in pieces]), sum([piece.reduction for piece in pieces]), tuple(pieces), tuple(heavy)
    )


def tools_for(belongings: Belongings, skill_id: str, library: Library) -> Gear | None:
    """Tools of a skill among belongings."""
    known = items(library)
    for carried in belongings:
        found = known.get(carried.item)
        if isinstance(found, Gear) and skill_id in found.tools_for:
            return found
    return None


TWO_HANDED, VERSATILE = "mars.gap.weapon.two_handed", "mars.gap.weapon.versatile"


class Wielded(NamedTuple):
    """A weapon ready to attack: a key that tells two of a kind apart, the weapon, and the hands that hold it."""

    key: str
    weapon: Weapon
    hands: int
    left: int | None = None

    @property
    def bare(self) -> bool:
        """True if nothing is held: fists, in gauntlets or not, claws and teeth."""
        return self.hands == 0

    @property
    def manners(self) -> tuple[Manner, ...]:
        """Manners of use: a bow shoots, a knife stabs or is thrown."""
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
    """Modifier to hit for one hand or two."""
    features = wielded.weapon.features
    if manner == "melee":
        if features.two_handed and wielded.hands == 1:
            yield "two-handed weapon in one hand", -1, TWO_HANDED
        elif features.versatile and wielded.hands == 2:
            yield "versatile weapon in two hands", -1, VERSATILE
    elif manner == "shot" and features.versatile and wielded.hands == 1:
        yield "versatile weapon in one hand", -2, VERSATILE


def helping_hands(wielded: Wielded, manner: Manner) -> Iterator[Part]:
    """Advantages on damage: a second hand, unless the weapon is thrown or mechanical."""
    features = wielded.weapon.features
    # mars.gap.weapon.mechanical
    if wielded.hands == 2 and manner != "thrown" and not features.mechanical:
        if features.two_handed:
            yield "two hands", 1, TWO_HANDED
        elif features.versatile:
            yield "two hands", 1, VERSATILE


def missing_hand(wielded: Wielded, manner: Manner) -> Iterator[Part]:
    """Disadvantages on damage: one hand where the weapon wants two."""
    if wielded.hands == 1 and wielded.weapon.features.two_handed and manner == "melee":
        yield "one hand", 1, TWO_HANDED


def attack_penalty(weapon: Weapon) -> int:
    """Penalty for every earlier attack of the turn with this weapon."""
    return SWIFT_PENALTY if weapon.features.swift else MULTIPLE_ATTACK_PENALTY  # mars.gap.weapon.swift


# ---------------------------------------------------------------------- what figures follow from


@cached_by_identity
def however_many(belongings: Belongings, library: Library) -> Belongings:
    """Belongings with one of each thing in the pack that is no weapon; the others only weigh."""
    return tuple(
        [
            replace(one, count=1)
            if one.count > 1 and one.place == PACK and not isinstance(item(one.item, library), Weapon)
            else one
            for one in belongings
        ]
    )


@cached_by_identity
def borne_only(belongings: Belongings) -> Belongings:
    """Belongings that are worn or held; of charges and durability it counts whether there is any."""
    return tuple(
        [
            replace(one, left=1) if one.left is not None and one.left > 1 else one
            for one in belongings
            if one.place != PACK
        ]
    )


@cached_by_identity
def however_long(effects: tuple[MarsEffect, ...]) -> tuple[MarsEffect, ...]:
    """Effects without their duration, which counts for no figure."""
    return tuple([MarsEffect(one.kind, one.stat, one.degree, one.value, one.source) for one in effects])
