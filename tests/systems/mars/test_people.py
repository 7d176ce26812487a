"""The people of the starter pack: every creature and template with what is written of them."""

from __future__ import annotations

from typing import Any

import pytest

from systems.mars.fights import duel, fighter, offered
from systems.mars.people import library, person
from tablewright.errors import BadInput
from tablewright.systems.mars.character import damage_reduction, language, maximum, secondary, stat
from tablewright.systems.mars.now import now

# ---------------------------------------------------------------------- creatures

CREATURES: dict[str, dict[str, Any]] = {
    "bandit": {
        "stats": "r10+1 r12+1 r8 r10",
        "skills": {"agility": 8, "charisma": 8, "perception": 6, "sleight": 10, "finesse": 8, "unarmed": 4},
        "talents": {"toughness": 2, "intimidation": 1},
        "maneuvers": {"feint", "intimidating_strike", "opportunity_strike"},
        "has": {"padded@worn": 1, "straight_sword@hand": 1, "knife@pack": 2},
        "tenths": 25,
    },
    "guard": {
        "stats": "r12+1 r12+1 r10 r10",
        "skills": {"athletics": 8, "charisma": 6, "perception": 8, "martial": 10, "unarmed": 6},
        "talents": {"toughness": 3},
        "maneuvers": {"battle_cry", "intercept", "opportunity_strike"},
        "has": {
            "chainmail@worn": 1,
            "half_helm@worn": 1,
            "straight_sword@hand": 1,
            "small_shield@hand": 1,
            "shortspear@pack": 1,
        },
        "tenths": 150,
    },
    "goblin": {
        "stats": "r8-1 r8+2 r6 r8+1",
        "skills": {"agility": 6, "perception": 4, "sleight": 4, "martial": 6, "ranged": 4},
        "talents": {},
        "maneuvers": {"battle_cry", "escape"},
        "has": {"leather@worn": 1, "crude_shortbow@hands": 1, "arrow@pack": 4, "crude_knife@pack": 1},
        "tenths": 2,
    },
    "wolf": {
        "stats": "r12+1 r12+1 r6 r10",
        "skills": {"agility": 6, "athletics": 8, "perception": 8, "unarmed": 8},
        "talents": {"toughness": 3},
        "maneuvers": {"crippling_strike", "opportunity_strike"},
        "has": {},
        "tenths": 0,
    },
    "bandit_captain": {
        "stats": "r12+1 r12+1 r10 r12+1",
        "skills": {"agility": 6, "athletics": 8, "charisma": 10, "perception": 8, "martial": 12, "unarmed": 6},
        "talents": {"toughness": 4, "second_wind": 1},
        "maneuvers": {"heavy_strike", "battle_cry", "knock_down", "opportunity_strike"},
        "has": {"leather@worn": 1, "half_helm@worn": 1, "longsword@hands": 1, "knife@pack": 2},
        "tenths": 250,
    },
    "orc_raider": {
        "stats": "r14 r12 r8 r12",
        "skills": {"athletics": 8, "charisma": 6, "perception": 4, "martial": 12, "unarmed": 4},
        "talents": {"rage": 2, "toughness": 4},
        "maneuvers": {"heavy_strike", "wild_strike", "intimidating_strike"},
        "has": {"padded@worn": 1, "battleaxe@hands": 1, "handaxe@pack": 2},
        "tenths": 80,
    },
}
"""Stats, skills, talents (toughness of +6 is two steps), maneuvers, belongings and money of each stat block."""


@pytest.mark.rule("mars.gap.creature.list")
@pytest.mark.parametrize("name", CREATURES)
def test_creatures_know_and_carry_what_is_written_of_them(name: str) -> None:
    row, one = CREATURES[name], person(name)
    assert " ".join([str(getattr(one.stats, each)) for each in ("STR", "DEX", "INT", "RES")]) == row["stats"]
    assert {skill: value.n for skill, value in one.skills.items()} == row["skills"]
    assert dict(one.talents) == row["talents"]
    assert set(one.maneuvers) == row["maneuvers"]
    assert {f"{thing.item}@{thing.place}": thing.count for thing in one.belongings} == row["has"]
    assert 10 * one.money == row["tenths"]


@pytest.mark.rule("mars.gap.armour.list")
@pytest.mark.parametrize("name", ["guard", "fighter"])
def test_shields_are_whole_at_first(name: str) -> None:
    assert {thing.item: thing.left for thing in person(name).belongings if thing.left is not None} == {
        "small_shield": 10
    }


def test_there_are_six_kinds_of_creatures() -> None:
    assert {entry.id for entry in library().of("creatures")} == set(CREATURES)


@pytest.mark.rule("mars.gap.creature.printed")
@pytest.mark.parametrize(
    ("name", "size", "endurance", "deflection", "evasion", "reduction"),
    [
        ("bandit_captain", "medium", 13 + 10, "r12+4", "r12+4", 3),  # four steps of toughness; leather and half helm
        ("orc_raider", "medium", 13 + 10, "r12+3", "r12+2", 2),  # an orc's RES is one better
    ],
)
def test_creatures_without_printed_figures_have_those_of_their_gear(
    name: str, size: str, endurance: int, deflection: str, evasion: str, reduction: int
) -> None:
    one = person(name)
    assert one.size == size
    assert maximum(one, "endurance", library()).total == endurance
    assert str(secondary(one, "DEF", library()).value) == deflection
    assert str(secondary(one, "EVA", library()).value) == evasion
    assert damage_reduction(one, library()).total == reduction


# ---------------------------------------------------------------------- templates

KIT = {
    "clothes@worn": 1,
    "belt@worn": 1,
    "boots@worn": 1,
    "gloves@worn": 1,
    "backpack@pack": 1,
    "bedroll@pack": 1,
    "flint_and_steel@pack": 1,
    "ration@pack": 4,
    "waterskin@pack": 1,
}
"""What everybody starts with: clothing is worn, the rest is carried."""

TEMPLATES: dict[str, dict[str, Any]] = {
    "fighter": {
        "is": ("human", "medium", "soldier", "fighter"),
        "stats": [12, 10, 8, 10],
        "skills": {"martial": 8, "athletics": 6, "medicine": 6, "charisma": 4, "perception": 4},
        "talents": {"extra_maneuver": 1, "toughness": 1},
        "has": {"padded@worn": 1, "straight_sword@hand": 1, "small_shield@hand": 1},
        "money": 10,
    },
    "berserker": {
        "is": ("orc", "large", "farmer", "berserker"),
        "stats": [12, 10, 8, 10],
        "skills": {"martial": 8, "athletics": 6, "charisma": 6, "unarmed": 4, "wild_empathy": 4},
        "talents": {"rage": 1},
        "has": {"padded@worn": 1, "greatsword@hands": 1, "javelin@pack": 3},
        "money": 6,
    },
    "ranger": {
        "is": ("elf", "medium", "scholar", "ranger"),
        "stats": [10, 12, 10, 8],
        "skills": {"agility": 6, "medicine": 6, "perception": 6, "ranged": 6, "wild_empathy": 6},
        "talents": {"deduction": 1, "toughness": 1},
        "has": {"padded@worn": 1, "shortbow@hands": 1, "arrow@pack": 20, "knife@pack": 2},
        "money": 13,
    },
    "rogue": {
        "is": ("halfling", "small", "scoundrel", "rogue"),
        "stats": [8, 12, 10, 10],
        "skills": {"sleight": 8, "finesse": 6, "perception": 6, "agility": 4, "charisma": 4},
        "talents": {"danger_sense": 1},
        "has": {"padded@worn": 1, "half_helm@worn": 1, "dagger@hand": 2},
        "money": 5,
    },
    "assassin": {
        "is": ("human", "medium", "commoner", "assassin"),
        "stats": [10, 12, 10, 8],
        "skills": {"agility": 8, "finesse": 6, "medicine": 6, "perception": 4, "sleight": 4},
        "talents": {"ambidexterity": 1},
        "has": {"padded@worn": 1, "thrusting_sword@hand": 1, "dagger@hand": 1, "dagger@pack": 1, "knife@pack": 1},
        "money": 4,
    },
    "magister": {
        "is": ("dwarf", "medium", "artisan", "magister"),
        "stats": [10, 8, 12, 10],
        "skills": {"knowledge": 8, "craft": 6, "medicine": 6, "perception": 4, "sleight": 4},
        "talents": {"always_prepared": 1},
        "has": {"padded@worn": 1, "staff@hands": 1, "small_toolkit_wood@pack": 1},
        "money": 18,
    },
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_dressed_armed_and_packed(name: str) -> None:
    row, one = TEMPLATES[name], person(name)
    assert (one.ancestry, one.size, one.background, one.archetype) == row["is"]
    assert [getattr(one.stats, each).n for each in ("STR", "DEX", "INT", "RES")] == row["stats"]
    assert {skill: value.n for skill, value in one.skills.items()} == row["skills"]
    assert dict(one.talents) == row["talents"]
    things: dict[str, int] = {}
    for thing in one.belongings:
        where = f"{thing.item}@{thing.place}"
        things[where] = things.get(where, 0) + thing.count
    assert things == row["has"] | KIT
    assert one.money == row["money"]
    assert str(stat(one, "STR", library()).value).startswith("r")


def test_there_is_a_template_of_every_archetype_that_is_no_custom_one() -> None:
    assert {entry.id for entry in library().of("templates")} == set(TEMPLATES)


SPEAKING = {
    "bandit": ["common"],
    "guard": ["common"],
    "goblin": ["common"],
    "wolf": [],
    "bandit_captain": ["common"],
    "orc_raider": ["common", "orc"],
    "fighter": ["common", "dwarven"],
    "berserker": ["common", "orc"],
    "ranger": ["common", "elven"],
    "rogue": ["common", "elven"],
    "assassin": ["common", "orc"],
    "magister": ["common", "dwarven"],
}


@pytest.mark.rule("mars.skill.languages", "mars.gap.creature.list")
@pytest.mark.parametrize(("name", "spoken"), SPEAKING.items())
def test_everybody_speaks_their_own_languages_without_a_roll(name: str, spoken: list[str]) -> None:
    speaker = person(name)
    for one in ("common", "dwarven", "elven", "orc"):
        if one in spoken:
            assert language(speaker, one, library()) is None
        else:
            with pytest.raises(BadInput, match="does not know the language"):
                language(speaker, one, library())


@pytest.mark.rule("mars.gap.creature.list", "mars.gap.creature.printed")
def test_what_a_wolf_has_for_one_purpose_alone() -> None:
    wolf = person("wolf")
    session = duel(wolf, fighter())
    me = now(session.scene, "ann")
    assert str(me.skill("agility", ("silent_movement",)).value) == "r18+1"
    assert str(me.skill("agility", ("hiding",)).value) == "r18+1"
    assert str(me.skill("agility").value) == "r12+1"  # it is not for falls, nor against being tripped
    assert [one for one in offered(session) if "crippling" in one] == ["maneuver:bob:crippling_strike/wolf_bite"]
