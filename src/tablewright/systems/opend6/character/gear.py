"""Hands and slots: gear that is worn, wielded and carried.

All of this is the same whomever an attack is aimed at, and does not change before a character takes up or lays down
something: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings, ItemStack, add_item, hands_taken
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Scene
from tablewright.systems.opend6.character.figures import Figures, figures, hampered, item, items, suits_worn
from tablewright.systems.opend6.character.record import HAND, HANDS, PACK, WORN, OpenD6Character
from tablewright.systems.opend6.content import ATTRIBUTES, Armour, Gear, Item, Location, Manoeuvre, Weapon
from tablewright.systems.opend6.mechanics.points import NOTHING
from tablewright.systems.opend6.options import Layering, OpenD6Options
from tablewright.systems.opend6.values import DieCode


def is_fist(arm: Arm) -> bool:
    return arm.weapon.skill == "fighting"


def is_bare_hand(arm: Arm) -> bool:
    return arm.weapon.id == "unarmed"


def is_edged(arm: Arm) -> bool:
    return arm.weapon.skill == "melee_combat" and (arm.weapon.blade or arm.weapon.point)


def is_blunt(arm: Arm) -> bool:
    return arm.weapon.skill == "melee_combat" and not arm.weapon.blade and not arm.weapon.point


def is_blade(arm: Arm) -> bool:
    return arm.weapon.skill == "melee_combat" and arm.weapon.blade


def is_shot(arm: Arm) -> bool:
    return arm.weapon.skill == "marksmanship"


def is_thrown(arm: Arm) -> bool:
    return arm.weapon.skill == "throwing"


def is_pointed(arm: Arm) -> bool:
    return arm.weapon.skill == "melee_combat" and arm.weapon.point


def is_held(arm: Arm) -> bool:
    return arm.weapon.ranges is None


def is_any_arm(arm: Arm) -> bool:
    return True


def can_pin(arm: Arm) -> bool:
    """Cloth is fastened with a point; bare hands hold a part down. [opend6.gap.weapon.edges]"""
    return arm.weapon.natural or arm.weapon.point


def is_whip(arm: Arm) -> bool:
    return arm.weapon.entangles


MOST_HANDS = 2  # opend6.gap.equipment.carrying


def place_for(found: Item) -> str:
    """Place where a thing is used: worn, in a hand, in both hands; the pack for anything else."""
    if isinstance(found, Armour) and not found.shield:
        return WORN
    return {0: PACK, 1: HAND, 2: HANDS}[found.hands]


def why_not_over(suit: Armour, worn: Iterable[Armour], layering: Layering) -> str | None:
    """Reason why a suit cannot be worn together with others; None if it can. [opend6.gap.armour.layering]"""
    for other in worn:
        if layering == "one_suit":
            return "a suit of armour is worn already"
        if suit.layer is None or suit.layer == other.layer:
            return f"{suit.name} does not go together with {other.name}"
    return None


def has_shield(belongings: Iterable[ItemStack], library: Library) -> bool:
    """True if a shield is held."""
    held = [items(library).get(carried.item) for carried in belongings if carried.place in (HAND, HANDS)]
    return any(isinstance(one, Armour) and one.shield for one in held)


def natural_place(found: Item, belongings: Belongings, library: Library) -> str:
    """Place for a new thing: where it is used if there is room, else the pack."""
    place = place_for(found)
    if place == WORN and suits_worn(belongings, library):
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
            return add_item(belongings, name, count - number, PACK, left=left)
        belongings = add_item(belongings, name, 1, place, left=left)
    return belongings


SKILLS_OF_AGILITY = ("fighting", "melee_combat", "dodge")
EXEMPT = ("fighting", "dodge")  # opend6.untrained.exempt
UNWIELDY, IMPROVISED = 5, 5
SIZES = {"50cm": 0, "25cm": 3, "10cm": 3, "5cm": 12, "1cm": 12, "tiny": 24}
"""Addition of a called shot by the size of its target. [opend6.gap.attack.called_shot]"""
CALLED_DICE = 1


def size_of(thing: Item | None) -> str:
    """The size of a thing in hand, as far as a called shot goes by it: above 50 cm or below.

    Weapons longer than 60 cm and those for two hands are above it, and so are all shields but small ones.
    """
    long = isinstance(thing, Weapon) and (thing.unwieldy or thing.hands > 1)
    wide = isinstance(thing, Armour) and not thing.small
    return "50cm" if long or wide else "25cm"


@dataclass(frozen=True, slots=True)
class Arm:
    """A weapon that a character can use now: in hand, or a part of them."""

    weapon: Weapon
    held: bool = False


class Manner(NamedTuple):
    """Manner of an attack: a weapon, a manoeuvre, and the target of a called shot."""

    weapon: str
    manoeuvre: str = ""
    at: str = ""

    @staticmethod
    @lru_cache(maxsize=4_096)
    def parse(detail: str) -> Manner:
        """From the detail of a use: ``long_sword``, ``long_sword/all_out``, ``long_sword/called/head``.

        >>> Manner.parse("long_sword/called/head")
        Manner(weapon='long_sword', manoeuvre='called', at='head')
        """
        weapon, _, rest = detail.partition("/")
        manoeuvre, _, at = rest.partition("/")
        return Manner(weapon, manoeuvre, at)

    def __str__(self) -> str:
        return "/".join([part for part in self if part])


# ---------------------------------------------------------------------- with what


_Things: TypeAlias = tuple[tuple[str, str], ...]
"""Belongings of a character, each by item and place."""


def _things(belongings: Belongings) -> _Things:
    """Belongings without their counts, which change with every shot: the very same for equal ones."""
    return _same_things(tuple([(carried.item, carried.place) for carried in belongings]))


@lru_cache(maxsize=4_096)
def _same_things(things: _Things) -> _Things:
    return things


@cached_by_identity
def _arms(belongings: Belongings, natural: tuple[str, ...], library: Library) -> Mapping[str, Arm]:
    return _arms_among(_things(belongings), natural, library)


@cached_by_identity
def _arms_among(things: _Things, natural: tuple[str, ...], library: Library) -> Mapping[str, Arm]:
    known = items(library)
    held = [
        Arm(weapon, True)
        for item, place in things
        if place in (HAND, HANDS) and isinstance(weapon := known.get(item), Weapon)
    ]
    own = [Arm(weapon) for name in natural if isinstance(weapon := known.get(name), Weapon)]
    unarmed = known.get("unarmed")
    bare = [Arm(unarmed)] if isinstance(unarmed, Weapon) and not own else []
    return MappingProxyType({arm.weapon.id: arm for arm in (*held, *own, *bare)})


def arms_by_id(scene: Scene, who: str) -> Mapping[str, Arm]:
    """Weapons of a participant by id."""
    one = scene[who]
    known = one.answers.get(arms_by_id)
    if known is None or known[1] is not scene.library:
        found = _arms(one.status.belongings, one.character.natural_weapons, scene.library)
        known = one.answers[arms_by_id] = found, scene.library
    arms: Mapping[str, Arm] = known[0]
    return arms


def arms(scene: Scene, who: str) -> tuple[Arm, ...]:
    """Weapons of a participant: those in hand, then natural ones, or else bare hands."""
    return _in_order(arms_by_id(scene, who))


@cached_by_identity
def _in_order(by_id: Mapping[str, Arm]) -> tuple[Arm, ...]:
    return tuple(by_id.values())


def arm_of(scene: Scene, who: str, weapon: str) -> Arm | None:
    """The weapon of this id, if a character has it ready."""
    return arms_by_id(scene, who).get(weapon)


# ---------------------------------------------------------------------- how


class Means(NamedTuple):
    """An attack in one manner, whomever it is aimed at.

    ``code`` and ``bonus`` are rolled for it, ``modifiers`` make it harder; ``damage`` is the attacker's own part of the
    damage, ``added`` and ``damage_plain`` are what comes to it, ``dealt`` all dice of it; ``extra_cm`` is how much
    further it reaches.
    """

    weapon: Weapon
    manoeuvre: Manoeuvre | None
    skill: str
    code: DieCode
    bonus: int
    extra_cm: int
    modifiers: tuple[Part, ...]
    harder: int
    damage: DieCode
    strength_bonus: int
    added: DieCode
    damage_plain: int
    dealt: DieCode


def means_of(scene: Scene, who: str, weapon: Weapon, manner: Manner) -> Means:
    """The part of an attack that its target does not change."""
    known = known_means(scene, who)
    found = known.get(manner)
    if found is None or found.weapon is not weapon:
        one = scene[who]
        found = known[manner] = _means(scene, one.character, one.status.belongings, weapon, manner)
    return found


def known_means(scene: Scene, who: str) -> dict[Manner, Means]:
    """The means of a character that were asked for so far: the very same dict as long as only counts change."""
    one = scene[who]
    return _known_means(one.character, one.status.belongings, scene.options, scene.library)


@cached_by_identity
def _known_means(
    character: OpenD6Character, belongings: Belongings, options: OpenD6Options, library: Library
) -> dict[Manner, Means]:
    return _means_with(character, _things(belongings), options, library)


@cached_by_identity
def _means_with(
    character: OpenD6Character, things: _Things, options: OpenD6Options, library: Library
) -> dict[Manner, Means]:
    return {}


def _means(scene: Scene, character: OpenD6Character, belongings: Belongings, weapon: Weapon, manner: Manner) -> Means:
    library: Library = scene.library
    manoeuvre = library.get(Manoeuvre, manner.manoeuvre) if library.has(Manoeuvre, manner.manoeuvre) else None
    mine, skill = figures(character, library), skill_of(weapon, manner)
    parts = [*_modifiers(scene.options, library, weapon, manner, manoeuvre)]
    special = skill == weapon.skill and weapon.id in mine.weapons
    if not special and (harder := unskilled(scene.options, mine, skill)):
        parts.append(Part("unskilled", harder, "opend6.untrained.modifier"))
    if scene.options.armour_layering == "layers" and skill in SKILLS_OF_AGILITY:
        worn = hampered(belongings, library)
        parts += [Part("layers of armour", worn, "opend6.gap.armour.layering")] if worn else []
    damage, added, plain = _damage(scene, DieCode(mine.strength_damage), weapon, manner, manoeuvre)
    return Means(
        weapon,
        manoeuvre,
        skill,
        mine.with_weapon(skill, weapon),
        mine.bonus(skill),
        0 if manoeuvre is None else manoeuvre.reach_cm,
        tuple(parts),
        sum([part.changed for part in parts]),
        damage,
        mine.strength_bonus if damage.dice else 0,
        added,
        plain,
        DieCode(max(0, damage.dice + added.dice), damage.pips + added.pips),
    )


def unskilled(options: OpenD6Options, mine: Figures, name: str) -> int:
    """Addition to a difficulty for want of the skill. [opend6.untrained.modifier, opend6.untrained.exempt]"""
    exempt = name in EXEMPT or name in mine.trained or name in ATTRIBUTES
    return 0 if exempt else options.untrained_modifier


def skill_of(weapon: Weapon, manner: Manner) -> str:
    """The skill of an attack: the weapon's, unless it entangles. [opend6.action.list]"""
    return "throwing" if manner.manoeuvre == "entangle" else weapon.skill


def _modifiers(
    options: OpenD6Options, library: Library, weapon: Weapon, manner: Manner, manoeuvre: Manoeuvre | None
) -> Iterator[Part]:
    """Modifiers of an attack by its manner: the manoeuvre, a called shot, an unsuitable weapon."""
    if manoeuvre is not None:
        yield Part(manoeuvre.name, manoeuvre.difficulty, "opend6.gap.manoeuvre.list", "dice")
    if manner.at:
        if options.hit_locations and library.has(Location, manner.at):
            place = library.get(Location, manner.at)
            yield Part(place.name, place.difficulty, "opend6.gap.attack.hit_location", "dice")
        elif manner.at in SIZES:
            yield Part(f"called shot, {manner.at}", SIZES[manner.at], "opend6.gap.attack.called_shot", "dice")
    if weapon.unwieldy and options.unwieldy:
        yield Part("unwieldy", UNWIELDY, "opend6.gap.attack.unwieldy")
    if weapon.improvised:
        yield Part("improvised", IMPROVISED, "opend6.gap.attack.circumstances")


def _damage(
    scene: Scene, strength: DieCode, weapon: Weapon, manner: Manner, manoeuvre: Manoeuvre | None
) -> tuple[DieCode, DieCode, int]:
    """The damage of an attack: the attacker's own dice, added dice, and plain numbers."""
    own, added, plain = strength, weapon.damage, 0
    if weapon.natural:  # natural weapons belong to the character and are doubled with it
        own, added = DieCode(own.dice + added.dice, own.pips + added.pips), NOTHING
    if not weapon.strength:
        own = NOTHING
    if manoeuvre is not None:
        if manoeuvre.damage == "none":
            return NOTHING, NOTHING, 0
        if manoeuvre.damage == "strength":
            own, added = strength, NOTHING
        elif manoeuvre.damage == "instead":  # it is the ground that hurts, not the attacker's strength
            own, added = NOTHING, manoeuvre.code
        added = DieCode(added.dice + manoeuvre.dice, added.pips)
    if manner.at:
        if scene.options.hit_locations and scene.library.has(Location, manner.at):
            plain = scene.library.get(Location, manner.at).damage
        elif manner.manoeuvre == "called" and SIZES.get(manner.at):
            added = DieCode(added.dice + CALLED_DICE, added.pips)
    return own, added, plain
