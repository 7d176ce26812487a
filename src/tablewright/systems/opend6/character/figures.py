"""Figures derived from a character, each as a tally.

``code(tally)`` turns a tally of pips into a die code. Nothing here knows of a scene: wounds, the multi-action penalty
and the situation are added where something is rolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from tablewright.engine import Tally
from tablewright.engine.tally import Part, Rounding
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_value
from tablewright.systems.opend6 import content
from tablewright.systems.opend6.character.record import HAND, HANDS, WORN, OpenD6Character, OwnAbility
from tablewright.systems.opend6.values import PIPS_PER_DIE, DieCode

START, SKILLS, LISTED = "opend6.gap.skill.start", "opend6.skill.names", "opend6.gap.skill.list"
SPECIALISED, ABILITIES = "opend6.gap.creation.specialisations", "opend6.gap.ability.list"
STATION = "opend6.gap.creature.body_points"
LAYERING, PER_LAYER = "opend6.gap.armour.layering", 4
THIN, THIN_PIPS = ("hide", "fabric"), 1
"""Layers that add little to another suit, and the pips they add. [opend6.gap.armour.layering]"""
STRENGTH, BODY = "opend6.gap.creation.strength_damage", "opend6.gap.creation.body_points"
FUNDS, MOVE = "opend6.gap.creation.funds", "opend6.gap.creation.move"
ARMOUR, OTHER = "opend6.gap.armour.list", "opend6.skill.alternate_attribute"
BODY_BASE, FUNDS_BASE = 20, 3
FUNDS_LOW, FUNDS_HIGH, TRADER = 1, 4, 8  # whole dice in Charisma and Intellect; in trading with its best specialisation
SILVER_PER_WEEK = 60


def code(tally: Tally) -> DieCode:
    """A tally of pips as a die code."""
    return DieCode.of_pips(tally.total)


def titled(name: str) -> str:
    """An id as people write it."""
    return name.replace("_", " ").capitalize()


# ---------------------------------------------------------------------- attributes and skills


def own_attribute(character: OpenD6Character, name: content.Governing) -> DieCode:
    """An attribute as it is written; 0D for an Extranormal one that a character does not have."""
    if name in content.ATTRIBUTES:
        found: DieCode = getattr(character.attributes, name)
        return found
    return character.attributes.extranormal if character.extranormal == name else DieCode(0)


def attribute(character: OpenD6Character, name: content.Governing) -> Tally:
    """An attribute's code, in pips."""
    return Tally.of(titled(name), own_attribute(character, name).in_pips, SKILLS)


def skill_of(name: str, library: Library) -> content.Skill:
    """A skill of the content; an unknown one is refused."""
    if not library.has(content.Skill, name):
        known = library.ids(content.Skill)
        raise InvalidInputError(f'there is no skill "{name:.40}"{did_you_mean(name, known)}', rule=LISTED)
    return library.get(content.Skill, name)


def skill_adds(character: OpenD6Character, name: str, library: Library) -> int:
    """The pips by which a skill exceeds its attribute: 0 for an untrained one."""
    own = character.skills.get(name)
    return 0 if own is None else own.in_pips - own_attribute(character, skill_of(name, library).attribute).in_pips


def special_adds(character: OpenD6Character, name: str, subject: str) -> int:
    """The pips of a specialisation; 0 where a character has none in the subject."""
    wanted = subject.casefold()
    return sum(
        [
            one.adds.in_pips
            for one in character.specialisations
            if one.skill == name and wanted and one.subject.casefold() == wanted
        ]
    )


def skill(
    character: OpenD6Character, name: str, library: Library, *, base: content.Attribute | None = None, subject: str = ""
) -> Tally:
    """A skill's code, in pips: its attribute, the adds, and those of a specialisation where it is about its subject.

    Of a skill without dice it is that of its attribute. [opend6.untrained.default_to_attribute] ``base`` is another
    attribute that takes the place of the usual one.
    """
    entry = skill_of(name, library)
    governing = base or entry.attribute
    tally = Tally.of(titled(governing), own_attribute(character, governing).in_pips, OTHER if base else START)
    tally = tally.add(f"{entry.name} adds", skill_adds(character, name, library), START)
    tally = tally.add(f"{entry.name}: {subject}", special_adds(character, name, subject), SPECIALISED)
    if character.wounds.weakened:
        lost = min(character.wounds.weakened * PIPS_PER_DIE, max(0, tally.total - tally.base))
        tally = tally.add("weakened since dying", -lost, "opend6.gap.wound.dying_rescue")
    return tally


def is_trained(character: OpenD6Character, name: str, library: Library, subject: str = "") -> bool:
    """True if a character is trained: a pip above the attribute, or an ability that counts as training."""
    if skill_adds(character, name, library) > 0 or special_adds(character, name, subject) > 0:
        return True
    return any(
        isinstance(effect, content.TotalEffect) and effect.trains and name in own.skills
        for own, effect in effects_of(character, library)
    )


# ---------------------------------------------------------------------- Special Abilities


def effects_of(character: OpenD6Character, library: Library) -> Iterator[tuple[OwnAbility, content.AbilityEffect]]:
    """Effects of a character's Special Abilities; one that the content does not have gives nothing."""
    for own in character.abilities:
        if library.has(content.Ability, own.id):
            for effect in library.get(content.Ability, own.id).effects:
                yield own, effect


def total_bonus(
    character: OpenD6Character, name: str, library: Library, *, base: content.Attribute | None = None
) -> Tally:
    """Bonus of Special Abilities on totals of an attribute or a skill, perhaps based on another attribute."""
    governing = base or (library.get(content.Skill, name).attribute if library.has(content.Skill, name) else name)
    tally = Tally.of("abilities", 0, ABILITIES)
    for own, effect in effects_of(character, library):
        if isinstance(effect, content.TotalEffect):
            meant = own.attribute == governing if effect.of == "attribute" else name in own.skills
            if meant:
                tally = tally.add(library.get(content.Ability, own.id).name, effect.each * own.ranks, ABILITIES)
    return tally


def resistance_bonus(character: OpenD6Character, library: Library) -> Tally:
    """Bonus of Special Abilities on damage resistance totals; an increased Physique counts."""
    tally = Tally.of("abilities", 0, ABILITIES)
    for own, effect in effects_of(character, library):
        if isinstance(effect, content.ResistanceEffect) or (
            isinstance(effect, content.TotalEffect) and own.attribute == "physique"
        ):
            tally = tally.add(library.get(content.Ability, own.id).name, effect.each * own.ranks, ABILITIES)
    return tally


def initiative_dice(character: OpenD6Character, library: Library) -> Tally:
    """The dice that Special Abilities add to initiative rolls."""
    tally = Tally.of("abilities", 0, ABILITIES)
    for own, effect in effects_of(character, library):
        if isinstance(effect, content.InitiativeEffect):
            tally = tally.add(library.get(content.Ability, own.id).name, effect.dice * own.ranks, ABILITIES)
    return tally


# ---------------------------------------------------------------------- derived figures


def strength_damage(character: OpenD6Character, library: Library) -> Tally:
    """Strength Damage in dice: half the whole dice of the higher of Physique and lifting, rounded up."""
    physique, lifting = own_attribute(character, "physique"), code(skill(character, "lifting", library))
    label, higher = ("Lifting", lifting) if lifting.in_pips > physique.in_pips else ("Physique", physique)
    whole = Tally.of(f"whole dice of {label}", higher.dice, STRENGTH)
    return whole.scale(Fraction(1, 2), "half", STRENGTH, Rounding.UP)


def strength_bonus(character: OpenD6Character, library: Library) -> Tally:
    """Bonus on a damage total with Strength Damage: an increased Physique."""
    tally = Tally.of("abilities", 0, ABILITIES)
    for own, effect in effects_of(character, library):
        if isinstance(effect, content.TotalEffect) and effect.of == "attribute" and own.attribute == "physique":
            tally = tally.add(library.get(content.Ability, own.id).name, effect.each * own.ranks, ABILITIES)
    return tally


def body_points(character: OpenD6Character) -> Tally:
    """The most Body Points: what was rolled for them; where nothing was, those of a station in the story, or 20 and
    Physique at four a die."""
    if character.body_points is not None:
        return Tally.of("rolled", character.body_points, BODY)
    if character.station is not None:
        points = Ledger.load("opend6")[STATION].data[character.station]
        return Tally.of(character.station.replace("_", " "), points, STATION)
    physique = character.attributes.physique
    tally = Tally.of("base", BODY_BASE, BODY)
    return tally.add("Physique, four a die", 4 * physique.dice + physique.pips, "opend6.simplify.quick")


def funds(character: OpenD6Character, library: Library) -> Tally:
    """The dice of Funds: the money that a character can easily raise."""
    tally = Tally.of("base", FUNDS_BASE, FUNDS)
    for name in ("charisma", "intellect"):
        dice = own_attribute(character, name).dice
        tally = tally.add(f"{titled(name)} {dice}D", (dice >= FUNDS_HIGH) - (dice <= FUNDS_LOW), FUNDS)
    best = max([one.adds.in_pips for one in character.specialisations if one.skill == "trading"], default=0)
    trader = skill(character, "trading", library).total + best >= TRADER * PIPS_PER_DIE
    return tally.add("a seasoned trader", int(trader), FUNDS).limit(1, rule=FUNDS)


def funds_code(character: OpenD6Character, library: Library) -> DieCode:
    """The code of Funds, with later purchases."""
    return DieCode.of_pips(funds(character, library).total * PIPS_PER_DIE + character.funds_adds.in_pips)


def silver_per_week(character: OpenD6Character, library: Library) -> Tally:
    """Income of a week in silver."""
    dice = funds_code(character, library).dice
    return Tally.of("Funds", dice, FUNDS).scale(Fraction(SILVER_PER_WEEK), f"{SILVER_PER_WEEK} silver each", FUNDS)


def move(character: OpenD6Character) -> Tally:
    """Metres a round."""
    return Tally.of("move", character.move, MOVE)


# ---------------------------------------------------------------------- what is worn and carried


def item(name: str, library: Library) -> content.Item:
    """A thing of the content by its id; an unknown one is refused."""
    return library.one_of_any(content.ITEMS, content.Item, name, rule="opend6.gap.equipment.prices")


def items(library: Library) -> Mapping[str, content.Item]:
    """All items that can be carried, by id."""
    return library.of_any(content.ITEMS, content.Item)


def armour(belongings: Belongings, library: Library, *, shield: bool = True) -> Tally:
    """Armour worn, and a shield held between attacker and user, in pips."""
    tally = Tally.of("armour", 0, ARMOUR)
    suits = suits_worn(belongings, library)
    best = max(suits, key=lambda suit: (suit.value.in_pips, suit.layer not in THIN), default=None)
    for suit in suits:
        thin = suit.layer in THIN and suit is not best
        pips, rule = (THIN_PIPS, LAYERING) if thin else (suit.value.in_pips, ARMOUR)
        tally = tally.add_parts([Part(suit.name, pips, rule)])
    for carried in belongings:
        found = items(library).get(carried.item)
        if isinstance(found, content.Armour) and found.shield and shield and carried.place in (HAND, HANDS):
            tally = tally.add_parts([Part(found.name, found.value.in_pips, ARMOUR)])
    return tally


def suits_worn(belongings: Belongings, library: Library) -> list[content.Armour]:
    """The suits of armour that a character wears."""
    found = [items(library).get(carried.item) for carried in belongings if carried.place == WORN]
    return [one for one in found if isinstance(one, content.Armour) and not one.shield]


def hampered(belongings: Belongings, library: Library) -> int:
    """Addition to the difficulty of Agility rolls for suits worn over each other."""
    return PER_LAYER * max(0, len(suits_worn(belongings, library)) - 1)


def weapon_damage(character: OpenD6Character, weapon: content.Weapon, library: Library) -> Tally:
    """The dice and pips of a weapon's damage in its wielder's hands, in pips."""
    if not weapon.strength:
        return Tally.of(weapon.name, weapon.damage.in_pips, "opend6.gap.damage.total")
    own = strength_damage(character, library).total * PIPS_PER_DIE
    return Tally.of("Strength Damage", own, STRENGTH).add(weapon.name, weapon.damage.in_pips, "opend6.gap.damage.total")


def tool_for(
    belongings: Belongings, name: str, library: Library, *, trained: bool = True, use: str | None = None
) -> content.Gear | None:
    """Best usable tool for a skill among the belongings, or None; single-use tools included."""
    best: content.Gear | None = None
    for carried in belongings:
        found = items(library).get(carried.item)
        if not isinstance(found, content.Gear) or name not in found.skills or carried.left == 0:
            continue
        if found.use is not None and found.use != use:
            continue
        if (trained or not found.trained) and (best is None or found.bonus.in_pips > best.bonus.in_pips):
            best = found
    return best


# ---------------------------------------------------------------------- all at once


@dataclass(frozen=True, slots=True)
class Figures:
    """Plain numbers of a character, computed once for frequent use.

    ``codes`` has every attribute and skill by its id, ``weapons`` the codes with weapons of a specialisation,
    ``bonuses`` the bonuses of abilities to their totals (0 is left out), ``trained`` the trained skills, ``most_dice``
    the dice of the best code.
    """

    codes: Mapping[str, DieCode]
    most_dice: int
    weapons: Mapping[str, DieCode]
    bonuses: Mapping[str, int]
    trained: frozenset[str]
    strength_damage: int
    strength_bonus: int
    resistance_bonus: int
    initiative_dice: int
    body_points: int
    move: int

    def bonus(self, name: str) -> int:
        """Bonus of abilities on the totals of an attribute or a skill."""
        return self.bonuses.get(name, 0)

    def with_weapon(self, skill: str, weapon: content.Weapon | None) -> DieCode:
        """The code of a skill that is rolled with a weapon: a specialisation counts for the weapon's own skill."""
        special = self.weapons.get(weapon.id) if weapon is not None and weapon.skill == skill else None
        return self.codes[skill] if special is None else special


def weapon_skill(character: OpenD6Character, weapon: content.Weapon, library: Library) -> Tally:
    """The skill of a weapon in a character's hands, in pips, with the best specialisation that is about it."""
    own = [one for one in character.specialisations if one.skill == weapon.skill and weapon.is_about(one.subject)]
    best = max(own, key=lambda one: one.adds.in_pips, default=None)
    return skill(character, weapon.skill, library, subject="" if best is None else best.subject)


def _specialised(character: OpenD6Character, library: Library) -> dict[str, DieCode]:
    skills = {one.skill for one in character.specialisations}
    about = [weapon for weapon in library.of(content.Weapon) if weapon.skill in skills]
    found = {weapon.id: weapon_skill(character, weapon, library) for weapon in about}
    return {name: code(tally) for name, tally in found.items() if any(part.rule == SPECIALISED for part in tally.parts)}


@cached_by_value
def figures(character: OpenD6Character, library: Library) -> Figures:
    """The figures of a character, worked out once."""
    names = library.ids(content.Skill)
    codes: dict[str, DieCode] = {name: own_attribute(character, name) for name in content.ATTRIBUTES}
    if character.extranormal:
        codes[character.extranormal] = own_attribute(character, character.extranormal)
    codes |= {name: code(skill(character, name, library)) for name in names}
    bonuses = {name: total_bonus(character, name, library).total for name in codes} if character.abilities else {}
    return Figures(
        codes=MappingProxyType(codes),
        most_dice=max(codes.values()).dice,
        weapons=MappingProxyType(_specialised(character, library) if character.specialisations else {}),
        bonuses=MappingProxyType({name: bonus for name, bonus in bonuses.items() if bonus}),
        trained=frozenset([name for name in names if is_trained(character, name, library)]),
        strength_damage=strength_damage(character, library).total,
        strength_bonus=strength_bonus(character, library).total,
        resistance_bonus=resistance_bonus(character, library).total,
        initiative_dice=initiative_dice(character, library).total,
        body_points=body_points(character).total,
        move=move(character).total,
    )
