"""Vocabulary of the rules as values, with their notations and tables.

A test compares every one of them with the ledger.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, TypeAlias, get_args

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.rules.ledger import table

Aspect: TypeAlias = Literal["physical", "mental", "social", "spiritual"]
Characteristic: TypeAlias = Literal[
    "muscle",
    "agility",
    "stamina",
    "intellect",
    "reasoning",
    "acuity",
    "manners",
    "personality",
    "identity",
    "skepticism",
    "faith",
    "mystery",
]
SkillId: TypeAlias = Literal[
    "ranged_combat",
    "athletics",
    "melee_combat",
    "stealth",
    "acrobatics",
    "sleight_of_hand",
    "drive_ride_pilot",
    "ruggedness",
    "unarmed_combat",
    "social_sciences",
    "life_sciences",
    "physical_sciences_survival",
    "engineering",
    "insight",
    "investigation",
    "traditions",
    "perception",
    "formal_sciences",
    "style",
    "performance",
    "etiquette",
    "deception",
    "persuasion",
    "intimidation",
    "bureaucracy",
    "animal_handling",
    "leadership",
    "arcana",
    "gnosis",
    "chaos",
    "theurgy",
    "adept",
    "order",
    "metaphysics",
    "animism",
    "shamanism",
]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
CHARACTERISTICS: tuple[Characteristic, ...] = get_args(Characteristic)
SKILLS: tuple[SkillId, ...] = get_args(SkillId)
SCORES: tuple[Aspect | Characteristic, ...] = (*ASPECTS, *CHARACTERISTICS)
"""The sixteen scores of a being."""

CHARACTERISTICS_OF: dict[Aspect, tuple[Characteristic, ...]] = {  # marchen.aspect.list
    aspect: CHARACTERISTICS[3 * at : 3 * at + 3] for at, aspect in enumerate(ASPECTS)
}
ASPECT_OF: dict[Characteristic, Aspect] = {  # marchen.characteristic.list
    characteristic: aspect for aspect, those in CHARACTERISTICS_OF.items() for characteristic in those
}
CHARACTERISTIC_OF: dict[SkillId, Characteristic] = {  # marchen.skill.tree
    skill: CHARACTERISTICS[at // 3] for at, skill in enumerate(SKILLS)
}
SKILL_ASPECT: dict[SkillId, Aspect] = {skill: ASPECT_OF[CHARACTERISTIC_OF[skill]] for skill in SKILLS}
SPIRITUAL: tuple[SkillId, ...] = tuple([skill for skill in SKILLS if SKILL_ASPECT[skill] == "spiritual"])

ASPECT_NAMES: dict[str, dict[Aspect, str]] = {  # marchen.aspect.list, the option aspect_names
    "srd": {"physical": "Physical", "mental": "Mental", "social": "Social", "spiritual": "Spiritual"},
    "fame": {"physical": "Fitness", "mental": "Academic", "social": "Emotional", "spiritual": "Mystical"},
}
SKILL_NAMES: dict[SkillId, str] = {
    skill: {
        "drive_ride_pilot": "Drive / Ride / Pilot",
        "physical_sciences_survival": "Physical Sciences / Survival",
        "sleight_of_hand": "Sleight of Hand",
    }.get(skill, skill.replace("_", " ").title())
    for skill in SKILLS
}

# ---------------------------------------------------------------------- levels

HIGHEST, MYTHIC = 4, 6
"""The cap of skills and specializations, and the cap under the option ``mythic_levels``."""


class LevelRow(NamedTuple):
    """A level of a skill or specialization: its titles, its years of study and what it lets one do."""

    level: int
    traditional: str
    modern: str
    years: int
    privilege: str


LEVELS: tuple[LevelRow, ...] = (  # marchen.skill.level_table
    LevelRow(0, "Commoner", "Self-Taught", 2, "background only"),
    LevelRow(1, "Apprentice", "Associate's Degree", 2, "specializations at level 0"),
    LevelRow(2, "Journeyman", "Bachelor's Degree", 2, "aid_another"),
    LevelRow(3, "Master", "Master's Degree", 2, "start_task_chain"),
    LevelRow(4, "Grand Master", "Doctorate Degree", 2, "establish_task_pool"),
    LevelRow(5, "Demigods, Principalities and Powers", "", 0, "burn_for_successes"),
    LevelRow(6, "Deities (Apotheosis)", "", 0, "burn_to_move_levels"),
)
Privilege: TypeAlias = Literal["aid_another", "start_task_chain", "establish_task_pool"]
GATES: dict[Privilege, int] = {"aid_another": 2, "start_task_chain": 3, "establish_task_pool": 4}


def cap(mythic_levels: bool) -> int:
    """The highest level there is: 4, or 6 where demigods and deities are common."""
    return MYTHIC if mythic_levels else HIGHEST  # marchen.skill.cap, marchen.specialization.cap


def years_to(level: int | None) -> int:
    """The years of study that a level stands for altogether.

    >>> years_to(None), years_to(0), years_to(4)
    (0, 2, 10)
    """
    return 0 if level is None else sum([row.years for row in LEVELS[: level + 1]])  # marchen.advancement.study_time


class SkillLevel(NamedTuple):
    """A skill and its level as they are written down.

    >>> SkillLevel.parse("Drive / Ride / Pilot-3"), str(SkillLevel("Gambling", 2))
    (SkillLevel(skill='Drive / Ride / Pilot', level=3), 'Gambling-2')
    """

    skill: str
    level: int

    @staticmethod
    def parse(text: str) -> SkillLevel:
        """Read a name, a hyphen and a level; the last hyphen counts, so that names may have their own."""
        name, hyphen, level = text.rpartition("-")
        if not (hyphen and name.strip() and level.strip().isdecimal() and level.isascii() and len(level) <= 2):
            raise InvalidInputError(
                f'"{text:.60}" is not a skill with its level, such as Athletics-2', rule="marchen.skill.notation"
            )
        return SkillLevel(name.strip(), int(level))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.skill}-{self.level}"


class Alias(NamedTuple):
    """The meaning of a name from another game."""

    skill: SkillId | None = None
    specialization: str = ""
    characteristic: Characteristic | None = None


@cache
def aliases() -> dict[str, Alias]:
    """Names from other games, with what they mean here."""
    meant = table("marchen.skill.aliases").items()
    return {
        name: Alias(one.get("skill"), one.get("specialization", ""), one.get("characteristic")) for name, one in meant
    }


def alias_of(name: str) -> Alias:
    """The meaning of a name: one of the 36 skills or twelve characteristics by id or title, or an old name.

    >>> alias_of("Sleight of Hand").skill, alias_of("hunting")[:2], alias_of("Strength").characteristic
    ('sleight_of_hand', ('physical_sciences_survival', 'Tracking'), 'muscle')
    """
    word = name.strip().casefold()
    for skill, title in SKILL_NAMES.items():
        if word in (skill, title.casefold()):
            return Alias(skill)
    for characteristic in CHARACTERISTICS:
        if word == characteristic:
            return Alias(characteristic=characteristic)
    for known, meant in aliases().items():
        if word == known.casefold():
            return meant
    names = [*SKILLS, *CHARACTERISTICS, *aliases()]
    raise InvalidInputError(f'there is no skill "{name:.40}"{did_you_mean(name, names)}', rule="marchen.skill.aliases")


def aspect_named(name: str) -> Aspect | None:
    """The aspect of a name, in any of the ways they are called; None if it is none.

    >>> aspect_named("Physical"), aspect_named("fitness"), aspect_named("luck")
    ('physical', 'physical', None)
    """
    word = name.strip().casefold()
    return next((aspect for aspect in ASPECTS if word in map(str.casefold, other_names(aspect))), None)


def other_names(aspect: Aspect) -> tuple[str, ...]:
    """The names of an aspect in all the ways they are called."""
    return tuple([names[aspect] for names in ASPECT_NAMES.values()])


class Meant(NamedTuple):
    """The check and the specialization behind a name, and the rest after a stroke."""

    what: str
    specialization: str = ""
    rest: str = ""


def meant_by(text: str) -> Meant:
    """A skill, a characteristic or an aspect by any of its names, with what follows it after a stroke.

    >>> meant_by("Sword")
    Meant(what='melee_combat', specialization='Broadsword', rest='')
    >>> meant_by("Drive / Ride / Pilot/Cart")
    Meant(what='drive_ride_pilot', specialization='', rest='Cart')
    """
    word, rest = text, ""
    while True:
        if (aspect := aspect_named(word)) is not None:
            return Meant(aspect, "", rest)
        try:
            found = alias_of(word)
        except InvalidInputError:
            word, stroke, _ = word.rpartition("/")
            if not stroke:
                raise
            rest = text[len(word) + 1 :].strip()
        else:
            return Meant(str(found.skill or found.characteristic), found.specialization, rest)


def several(number: int, word: str) -> str:
    """A number of things in words.

    >>> several(1, "fact"), several(0, "use")
    ('1 fact', '0 uses')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


# ---------------------------------------------------------------------- connections

LEAST_RANK, MOST_RANK, CONNECTED = -4, 4, 1
CONNECTION_LABELS: dict[int, str] = {  # marchen.connection.ranks
    -4: "Vindictive",
    -3: "Hostile",
    -2: "Unfriendly",
    -1: "Dislike",
    0: "Indifferent",
    1: "Amiable",
    2: "Friendly",
    3: "Affectionate",
    4: "Devoted",
}


# ---------------------------------------------------------------------- technology

_CODES = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and no O: marchen.tech.higher


def tl_code(tl: int) -> str:
    """The pseudo-hexadecimal code of a technology level.

    >>> tl_code(2), tl_code(10), tl_code(16), tl_code(18)
    ('2', 'A', 'G', 'J')
    """
    if tl < 0:
        raise InvalidInputError(f"a technology level is 0 or more, not {tl}", rule="marchen.tech.higher")
    return _CODES[tl] if tl < len(_CODES) else str(tl)


def tech_difference(user_tl: int, object_tl: int) -> int:
    """The DM for using something of another technology level, in either direction.

    >>> tech_difference(1, 8), tech_difference(8, 1)
    (-7, -7)
    """
    return -abs(user_tl - object_tl)  # marchen.tech.difference_dm


# ---------------------------------------------------------------------- ranges

Band: TypeAlias = Literal["touch", "reach", "catch", "rock", "see", "hear"]
BANDS: tuple[Band, ...] = get_args(Band)
METRES: dict[Band, int] = {band: table("marchen.gap.range.bands")[band] for band in BANDS}
