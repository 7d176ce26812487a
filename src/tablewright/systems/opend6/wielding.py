"""What somebody attacks with, and how: weapons that are at hand, manners of using them, and what goes into each.

All of this is the same whomever an attack is aimed at, and does not change before somebody takes up or lays down
something: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from tablewright.engine.tally import Part
from tablewright.game.belongings import Belongings
from tablewright.game.content import Library
from tablewright.game.remembering import by_identity
from tablewright.game.scene import Scene
from tablewright.systems.opend6.character import HAND, HANDS, Figures, OpenD6Character, figures, hampered, items
from tablewright.systems.opend6.content import ATTRIBUTES, Armour, Item, Location, Manoeuvre, Weapon
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.spending import NOTHING
from tablewright.systems.opend6.values import DieCode

SKILLS_OF_AGILITY = ("fighting", "melee_combat", "dodge")
EXEMPT = ("fighting", "dodge")  # opend6.untrained.exempt
UNWIELDY, IMPROVISED = 5, 5
SIZES = {"50cm": 0, "25cm": 3, "10cm": 3, "5cm": 12, "1cm": 12, "tiny": 24}
"""What a called shot at something of a size adds. [opend6.gap.attack.called_shot]"""
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
    """A weapon that somebody can use now: in hand, or a part of them."""

    weapon: Weapon
    held: bool = False


class Manner(NamedTuple):
    """How an attack is made: a weapon, a manoeuvre, something that is aimed at."""

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


@by_identity
def _arms(belongings: Belongings, natural: tuple[str, ...], library: Library) -> Mapping[str, Arm]:
    known = items(library)
    held = [
        Arm(weapon, True)
        for carried in belongings
        if carried.place in (HAND, HANDS) and isinstance(weapon := known.get(carried.item), Weapon)
    ]
    own = [Arm(weapon) for name in natural if isinstance(weapon := known.get(name), Weapon)]
    unarmed = known.get("unarmed")
    bare = [Arm(unarmed)] if isinstance(unarmed, Weapon) and not own else []
    return MappingProxyType({arm.weapon.id: arm for arm in (*held, *own, *bare)})


def arms_by_id(scene: Scene, who: str) -> Mapping[str, Arm]:
    """What somebody could attack with, by the weapon's id."""
    one = scene[who]
    return _arms(one.status.belongings, one.character.natural_weapons, scene.library)


def arms(scene: Scene, who: str) -> tuple[Arm, ...]:
    """What somebody could attack with: what is in hand, then what is a part of them, or else bare hands."""
    return tuple(arms_by_id(scene, who).values())


def arm_of(scene: Scene, who: str, weapon: str) -> Arm | None:
    """The weapon of this id, if somebody has it ready."""
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
    """What goes into an attack that its target does not change."""
    known = known_means(scene, who)
    found = known.get(manner)
    if found is None or found.weapon is not weapon:
        one = scene[who]
        found = known[manner] = _means(scene, one.character, one.status.belongings, weapon, manner)
    return found


def known_means(scene: Scene, who: str) -> dict[Manner, Means]:
    """The means of somebody that were asked for so far, as long as their belongings stay what they are."""
    one = scene[who]
    return _known_means(one.character, one.status.belongings, scene.options, scene.library)


@by_identity
def _known_means(
    character: OpenD6Character, belongings: Belongings, options: OpenD6Options, library: Library
) -> dict[Manner, Means]:
    return {}


def _means(scene: Scene, character: OpenD6Character, belongings: Belongings, weapon: Weapon, manner: Manner) -> Means:
    library: Library = scene.library
    manoeuvre = library.get(Manoeuvre, manner.manoeuvre) if library.has(Manoeuvre, manner.manoeuvre) else None
    mine, skill = figures(character, library), skill_of(weapon, manner, library)
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
    """What a roll of a fight has on top for want of the skill. [opend6.untrained.modifier, opend6.untrained.exempt]"""
    exempt = name in EXEMPT or name in mine.trained or name in ATTRIBUTES
    return 0 if exempt else options.untrained_modifier


def skill_of(weapon: Weapon, manner: Manner, library: Library) -> str:
    """The skill of an attack: the weapon's, unless the manoeuvre has its own. [opend6.action.list]"""
    if manner.manoeuvre == "entangle":
        return "throwing"
    if library.has(Manoeuvre, manner.manoeuvre) and library.get(Manoeuvre, manner.manoeuvre).skill == "fighting":
        return "fighting"
    return weapon.skill


def _modifiers(
    options: OpenD6Options, library: Library, weapon: Weapon, manner: Manner, manoeuvre: Manoeuvre | None
) -> Iterator[Part]:
    """What makes an attack harder whoever makes it: the manoeuvre, what is aimed at, a weapon no good for it."""
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
    """The damage of an attack: the attacker's own part, what is added to it, and plain numbers."""
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
