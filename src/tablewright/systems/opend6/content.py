"""Kinds of content in a pack, as typed data from closed sets.

What a Special Ability gives are its `effects`, what a manoeuvre does to its victim is one of a few words; every class
names the rule it stands for. Die codes are written as in the book (``1D+2``, ``0D+2`` for two pips alone).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import Field

from tablewright.game.content.entries import Amount, ContentEntry, EntryPart, ForPeople, Kinds, Refers
from tablewright.game.values import WRITTEN, Frozen
from tablewright.systems.opend6.values import DieCode

Attribute: TypeAlias = Literal["agility", "coordination", "physique", "intellect", "acumen", "charisma"]
Extranormal: TypeAlias = Literal["magic", "miracles"]
Governing: TypeAlias = Literal[
    "agility", "coordination", "physique", "intellect", "acumen", "charisma", "magic", "miracles"
]
CombatSkill: TypeAlias = Literal["fighting", "melee_combat", "marksmanship", "throwing"]
UseOf: TypeAlias = Literal[
    "combat",
    "clues",
    "resisting",
    "offered",
    "distance",
    "obstacles",
    "leading",
    "tactics",
    "creating",
    "carrying_off",
    "wings",
    "information",
    "surgery",
    "transport",
    "evaluating",
    "recognising",
    "setting",
    "digging",
]
"""Uses of a skill that the book tells apart; ``offered``: where it names an attribute beside it."""

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
EXTRANORMAL: tuple[Extranormal, ...] = get_args(Extranormal)
COMBAT_SKILLS: tuple[CombatSkill, ...] = get_args(CombatSkill)
USES: tuple[UseOf, ...] = get_args(UseOf)

Code: TypeAlias = Annotated[DieCode, WRITTEN]
SkillId: TypeAlias = Annotated[str, Refers("skills")]


class Skill(ContentEntry):
    """A skill and the attribute that governs it. [opend6.gap.skill.list]

    ``alternates`` are uses for which another attribute fits better, ``exempt`` the uses without an unskilled modifier;
    ``retry`` says when a failed try may be repeated, where the book does; no one can use a skill that ``needs_adds``
    without adds in it.
    """

    attribute: Governing
    alternates: Frozen[Attribute] = Frozen()
    exempt: tuple[UseOf, ...] = ()
    interaction: bool = False
    needs_adds: bool = False
    retry: Literal["next_turn", "consequences"] | None = None


# ---------------------------------------------------------------------- things


class Item(ContentEntry):
    """An item that can be carried, with its price in silver; without a price it is not for sale."""

    price: Amount | None = None
    bundle: int = Field(default=1, ge=1, le=1_000)  # how many the price is for
    hands: int = Field(default=0, ge=0, le=2)
    small: bool = False  # one that a starting character may have


class Ranges(EntryPart):
    """Limits of short, medium and long range in metres; with ``physique`` they are added to a Physique roll."""

    short: int = Field(ge=-10, le=1_000)
    medium: int = Field(ge=-10, le=1_000)
    long: int = Field(ge=-10, le=1_000)
    physique: bool = False


class Weapon(Item):
    """A weapon. [opend6.gap.weapon.melee, opend6.gap.weapon.missile, opend6.gap.weapon.thrown]

    With ``strength`` the damage is added to the wielder's Strength Damage. An ``unwieldy`` weapon is longer than 60 cm.
    ``blade`` and ``point`` say what it is like (neither: blunt); ``reach`` is how far it goes in metres where it also
    reaches short range. ``reload`` is what loading takes, ``uses_per_round`` how often it works in a round (none: as
    often as there are actions). A ``natural`` weapon is a part of its wielder; a ``stun`` weapon only stuns. A
    specialisation may go by the weapon's name or by one of its ``families``. [opend6.gap.creation.specialisations]
    """

    skill: CombatSkill
    damage: Code
    strength: bool = True
    ranges: Ranges | None = None
    unwieldy: bool = False
    blade: bool = False
    point: bool = False
    reach: int = Field(default=0, ge=0, le=10)
    entangles: bool = False
    improvised: bool = False
    natural: bool = False
    stun: bool = False
    reload: Literal["none", "action", "separate_round", "whole_round"] = "none"
    uses_per_round: int | None = Field(default=None, ge=1, le=20)
    ammunition: Annotated[str, Refers("ammunition")] | None = None
    families: tuple[str, ...] = ()

    def is_about(self, subject: str) -> bool:
        """True if a specialisation in a subject is one in this weapon."""
        return subject.casefold() in (self.id, self.name.casefold(), *self.families)


class Ammunition(Item):
    """Missiles for a weapon."""


class Armour(Item):
    """Armour or shield: the code that is added to damage resistance. [opend6.gap.armour.list]

    A shield counts only if it is held between attacker and user. No two suits of one ``layer`` are worn together.
    """

    value: Code
    shield: bool = False
    layer: Literal["hide", "fabric", "leather", "mail", "plate"] | None = None


class Gear(Item):
    """Any other item: a tool gives a bonus to some skills, perhaps with limited uses or only to the trained."""

    skills: tuple[SkillId, ...] = ()
    bonus: Code = DieCode(0)
    uses: int | None = Field(default=None, ge=1, le=100)
    trained: bool = False  # whether the bonus is for the trained alone
    use: UseOf | None = None  # the only use of the skills that it helps with
    holds: Annotated[tuple[str, ...], ForPeople()] = ()  # contents of a kit, in words


# ---------------------------------------------------------------------- Special Abilities


class TotalEffect(EntryPart):
    """A bonus per rank on all totals of an attribute, or of three skills, which then count as trained."""

    kind: Literal["total"] = "total"
    of: Literal["attribute", "skills"]
    each: int = Field(ge=1, le=10)
    skills: int = Field(default=0, ge=0, le=10)  # how many skills are named
    trains: bool = False


class ResistanceEffect(EntryPart):
    """A bonus per rank on damage resistance totals."""

    kind: Literal["resistance"] = "resistance"
    each: int = Field(ge=1, le=10)


class InitiativeEffect(EntryPart):
    """Dice per rank on initiative, and a number of extra actions per adventure."""

    kind: Literal["initiative"] = "initiative"
    dice: int = Field(ge=0, le=5)
    extra_actions: int = Field(default=0, ge=0, le=5)
    times: int = Field(default=0, ge=0, le=20)


class NeverSurprised(EntryPart):
    """Immunity to surprise."""

    kind: Literal["never_surprised"] = "never_surprised"


class GoesFirst(EntryPart):
    """First place among equal initiatives."""

    kind: Literal["goes_first"] = "goes_first"


AbilityEffect: TypeAlias = Annotated[
    TotalEffect | ResistanceEffect | InitiativeEffect | NeverSurprised | GoesFirst, Field(discriminator="kind")
]


class Ability(ContentEntry):
    """A Special Ability, with the cost and the effects of its first rank. [opend6.gap.ability.list]"""

    cost: int = Field(ge=0, le=10)
    ranked: bool = True
    effects: tuple[AbilityEffect, ...] = Field(min_length=1)


# ---------------------------------------------------------------------- difficulties


class Task(ContentEntry):
    """A common task with its difficulty. [opend6.difficulty.choice]

    ``skills`` are those it can be done with (none: any); ``retry`` says when it may be tried again; a ``trained_only``
    task is closed to the untrained; ``seconds`` is how long it normally takes.
    """

    difficulty: int = Field(ge=0, le=200)
    skills: tuple[SkillId, ...] = ()
    trained_only: bool = False
    retry: Literal["next_turn", "consequences"] | None = None
    can_be_rushed: bool = True
    seconds: int = Field(default=5, ge=1, le=10_000_000)


class Circumstance(ContentEntry):
    """A modifier of difficulties; the game master picks from ``low`` to ``high``, ``value`` is the usual.

    What is for some ``skills`` alone counts once, unless it may come ``several`` times; ``rule`` is where it stands.
    [opend6.modifier.generic, opend6.gap.difficulty.interaction]
    """

    value: int = Field(ge=-50, le=50)
    low: Annotated[int | None, ForPeople()] = None
    high: Annotated[int | None, ForPeople()] = None
    skills: tuple[SkillId, ...] = ()
    several: bool = False
    rule: str = Field(default="", max_length=100)


# ---------------------------------------------------------------------- fights


class Manoeuvre(ContentEntry):
    """A way to attack: what it does to the difficulty, to the damage and to the victim. [opend6.gap.manoeuvre.list]

    ``damage`` says what is rolled: the weapon's with ``dice`` more or fewer, Strength Damage alone, ``code`` in the
    weapon's place, or nothing.
    """

    difficulty: int = Field(default=0, ge=-50, le=50)
    damage: Literal["weapon", "strength", "instead", "none"] = "weapon"
    dice: int = Field(default=0, ge=-10, le=10)
    code: Code = DieCode(0)
    reach_cm: int = Field(default=0, ge=0, le=500)
    whole_round: bool = False  # nothing else may be done in the round, not even defended
    victim: Literal["", "held", "choked", "down", "off_balance", "tackled"] = ""
    unbalanced_dice: int = Field(default=0, ge=0, le=5)  # fewer on the victim's next Agility roll
    not_stronger: bool = False  # only on targets whose Physique is not above the user's


class Location(ContentEntry):
    """A part of the body: the changes to difficulty and damage from aiming at it. [opend6.gap.attack.hit_location]"""

    difficulty: int = Field(ge=0, le=50)
    damage: int = Field(ge=-20, le=20)
    result_bonus: bool = True  # whether the attack's result points add to damage


class Hazard(ContentEntry):
    """Damage that no weapon does. [opend6.gap.damage.hazards]"""

    damage: Code
    every_cm: int | None = Field(default=None, ge=1, le=10_000)  # per this many centimetres of a fall
    from_cm: int = Field(default=0, ge=0, le=10_000)
    after_hours: int = Field(default=0, ge=0, le=1_000)


class Toughness(ContentEntry):
    """Toughness of a thing against damage. [opend6.gap.damage.objects]"""

    code: Code
    destroyed_at: int = Field(default=10, ge=1, le=100)


# ---------------------------------------------------------------------- people


class Template(ContentEntry):
    """A whole character, ready to be played."""

    character: Frozen[Any]
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)


class Calling(ContentEntry):
    """A template of the book: attribute dice distributed, skill dice still to spend. [opend6.gap.creation.templates]

    ``attributes`` are pips in the order of the attributes, with the Extranormal one last.
    """

    attributes: tuple[int, ...] = Field(min_length=7, max_length=7)
    extranormal: Extranormal | None = None
    skills: Annotated[tuple[SkillId, ...], ForPeople()] = ()  # its reputation; they are offered first


class Creature(ContentEntry):
    """An opponent or an animal with its printed figures."""

    character: Frozen[Any]
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)


KINDS: Kinds = {
    "skills": Skill,
    "weapons": Weapon,
    "ammunition": Ammunition,
    "armour": Armour,
    "gear": Gear,
    "abilities": Ability,
    "tasks": Task,
    "circumstances": Circumstance,
    "manoeuvres": Manoeuvre,
    "locations": Location,
    "hazards": Hazard,
    "toughness": Toughness,
    "callings": Calling,
    "templates": Template,
    "creatures": Creature,
}
PEOPLE = ("templates", "creatures")
ITEMS = ("weapons", "ammunition", "armour", "gear")
