"""Costs of growth, and how far each step goes.

Everything is counted in pips; a skill die buys nine pips of specialisations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.systems.opend6.character.record import Method, OpenD6Character, OwnAbility
from tablewright.systems.opend6.content import ATTRIBUTES, EXTRANORMAL, Ability, Skill
from tablewright.systems.opend6.values import PIPS_PER_DIE, DieCode

ATTRIBUTE_DICE, SKILL_DICE = 18, 7  # opend6.gap.creation.attribute_dice, opend6.gap.creation.skill_dice
LEAST_ATTRIBUTE, MOST_ATTRIBUTE = DieCode(1), DieCode(5)  # opend6.gap.creation.attribute_limits
EXPERIENCED_ADDS = DieCode(20)
"""Most dice in one skill of an experienced character at creation: far enough for all dice of all years."""
MOST_ADDS, MOST_SPECIAL_ADDS = DieCode(3), DieCode(3)  # opend6.gap.creation.skill_limits
SPECIAL_PIPS = 3 * PIPS_PER_DIE  # opend6.gap.creation.specialisations: for one skill die
CREATION_POINTS, ATTRIBUTE_DIE, SKILL_DIE, SPECIAL_DICE = 79, 4, 1, 1  # opend6.gap.creation.points
MOST_DISADVANTAGES = 10  # opend6.gap.creation.disadvantages
CHARACTER_POINTS, FATE_POINTS = 5, 1
FURTHER_RANK = 1  # opend6.gap.ability.cost
PER_BOUGHT_OFF = 10  # opend6.gap.advancement.disadvantage


class Year(NamedTuple):
    """Gain of a new character from a year of adventuring. [opend6.gap.creation.experienced]"""

    skill_dice: int
    character_points: int
    fate_points: int


FULL_YEAR, PART_TIME_YEAR = Year(15, 15, 2), Year(8, 8, 1)


def experience(character: OpenD6Character) -> Year:
    """Gain from all years of adventuring."""
    years, part = character.years, character.part_time_years
    return Year(*[full * years + half * part for full, half in zip(FULL_YEAR, PART_TIME_YEAR, strict=True)])


def is_experienced(character: OpenD6Character) -> bool:
    """True if a character has years of adventuring behind them, so that skills and disadvantages have no maximum."""
    return character.years > 0 or character.part_time_years > 0


def offered_disadvantages(years: int) -> int:
    """Ranks of disadvantages that are offered at creation; the experienced have no maximum, and more for each year.

    >>> offered_disadvantages(0), offered_disadvantages(2)
    (10, 30)
    """
    return MOST_DISADVANTAGES * (1 + years)  # more than that is left to character files and the game master


def ability_cost(own: OwnAbility, library: Library) -> int:
    """Cost of a Special Ability at creation with all its ranks."""
    if not library.has(Ability, own.id):
        return 0
    return library.get(Ability, own.id).cost + FURTHER_RANK * (own.ranks - 1)


def dice_for(pips: int) -> int:
    """Whole dice that must be bought for a number of pips."""
    return -(-pips // PIPS_PER_DIE)


def special_dice(pips: int) -> int:
    """Skill dice that must be bought for a number of pips of specialisations."""
    return -(-pips // SPECIAL_PIPS)


class Spent(NamedTuple):
    """Expenses of creation: pips of attributes, of skills and of specialisations, and points of options."""

    attributes: int
    skills: int
    specialisations: int
    options: int  # advantages and abilities
    disadvantages: int

    def skill_dice(self) -> int:
        """Cost in pips of skill dice: skills, whole dice of specialisations, options less disadvantages."""
        others = special_dice(self.specialisations) + self.options - self.disadvantages
        return self.skills + others * PIPS_PER_DIE

    def points(self) -> int:
        """Cost in creation points; whole dice only."""
        return (
            dice_for(self.attributes) * ATTRIBUTE_DIE
            + dice_for(self.skills) * SKILL_DIE
            + special_dice(self.specialisations) * SPECIAL_DICE
            + self.options
            - self.disadvantages
        )


def bought(character: OpenD6Character, what: str, name: str, subject: str = "") -> int:
    """The pips or ranks of something that were bought after creation."""
    wanted = (what, name, as_meant(subject))
    found = [one for one in character.advances if (one.what, one.name, as_meant(one.subject)) == wanted]
    return sum([one.pips for one in found])


def later_ranks(character: OpenD6Character, own: OwnAbility) -> int:
    """The ranks of an ability that were bought after creation."""
    return sum([bought(character, "ability", own.id, subject) for subject in {"", own.concern}])


def spent(character: OpenD6Character, library: Library) -> Spent:
    """Expenses of a character at creation, without later purchases."""
    attributes = {name: getattr(character.attributes, name).in_pips for name in (*ATTRIBUTES, "extranormal")}
    later = sum([one.pips for one in character.advances if one.what == "attribute"])
    skills = sum([adds(character, name, library) - bought(character, "skill", name) for name in character.skills])
    special = sum(
        [
            one.adds.in_pips - bought(character, "specialisation", one.skill, one.subject)
            for one in character.specialisations
        ]
    )
    abilities = sum(
        [
            ability_cost(one.changed(ranks=ranks), library)
            for one in character.abilities
            if (ranks := one.ranks - later_ranks(character, one)) > 0
        ]
    )
    advantages = sum(character.advantages.values()) - sum(
        [character.advantages.get(one.name, 0) for one in character.advances if one.what == "advantage"]
    )
    disadvantages = first_disadvantages(character)
    return Spent(sum(attributes.values()) - later, skills, special, abilities + advantages, disadvantages)


def first_disadvantages(character: OpenD6Character) -> int:
    """The ranks of disadvantages at creation: those that were bought off since count, those that were gained do not."""
    gained: set[str] = set()
    off = 0
    for one in character.advances:
        if one.what == "disadvantage":
            gained.add(one.name)
        elif one.what == "bought_off" and one.name in gained:
            gained.remove(one.name)
        elif one.what == "bought_off":
            off += one.cost // PER_BOUGHT_OFF
    return off + sum([rank for name, rank in character.disadvantages.items() if name not in gained])


def adds(character: OpenD6Character, name: str, library: Library) -> int:
    """The pips of a skill above its attribute; 0 for one that the content does not have."""
    if not library.has(Skill, name):
        return 0
    governing = library.get(Skill, name).attribute
    field = "extranormal" if governing in EXTRANORMAL else governing
    base: DieCode = getattr(character.attributes, field)
    return character.skills[name].in_pips - base.in_pips


def totals(method: Method, character: OpenD6Character) -> Mapping[str, int]:
    """Budget of creation: pips of attributes and of skills, or creation points."""
    more = experience(character).skill_dice
    if method == "creation_points":
        return {"points": CREATION_POINTS + more}
    return {"attributes": ATTRIBUTE_DICE * PIPS_PER_DIE, "skills": (SKILL_DICE + more) * PIPS_PER_DIE}
