"""The lists of the starter pack beside the same lists written out again: every word and figure of an entry."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.mars.people import library
from tablewright.systems.mars.content import (
    Ancestry,
    Archetype,
    Armour,
    Background,
    Currency,
    Gear,
    Maneuver,
    Skill,
    Talent,
    Trait,
    Weapon,
)


def plain(part: Any) -> str:
    """A step or a grant as one short line, without what it does not have; a single target goes without saying."""
    given = part.model_dump()
    words = [f"{key}={value}" for key, value in given.items() if value not in (None, False, 0, "", ())]
    return " ".join([word for word in words if word != "targets=1"])


# ---------------------------------------------------------------------- maneuvers

MANEUVERS = {
    "heavy_strike": ("offensive", "MU", ["step=attack hit=-1 damage=2"], ["step=attack hit=-2 damage=4"]),
    "precise_strike": ("offensive", "FRU", ["step=attack hit=2 damage=-1"], ["step=attack hit=4 damage=-2"]),
    "wild_strike": (
        "offensive",
        "MU",
        ["step=attack hit=1 damage=1", "step=rating value=-1 rounds=1"],
        ["step=attack hit=2 damage=2", "step=rating value=-2 rounds=1"],
    ),
    "penetrating_strike": ("offensive", "FR", ["step=attack threshold=-2"], ["step=attack threshold=-3"]),
    "crippling_strike": ("offensive", "MR", ["step=attack", "step=inflict effect=halved_speed rounds=2"], []),
    "concussive_strike": (
        "offensive",
        "MU",
        [
            "step=attack melee=True becomes=bludgeoning off_type=-1",
            "step=inflict effect=stunned at_zero_endurance=unconscious",
        ],
        [],
    ),
    "knock_down": ("offensive", "MRU", ["step=attack hit=-2", "step=inflict effect=prone"], []),
    "opportunity_strike": ("offensive", "FMU", ["step=attack hit=2 melee=True", "step=stop"], []),
    "feint": ("tactical", "FMU", ["step=check skill=charisma melee=True", "step=opening rounds=1"], []),
    "battle_cry": ("tactical", "FMRU", ["step=rally value=2 metres=30 rounds=1"], []),
    "brace": ("defensive", "FMU", ["step=rating value=1 rounds=1"], ["step=rating value=2 rounds=1"]),
    "double_shot": ("offensive", "R", ["step=attack hit=-2 targets=2"], []),
    "intimidating_strike": (
        "offensive",
        "MU",
        [
            "step=check skill=charisma melee=True",
            "step=inflict effect=shaken rounds=1 value=-2",
            "step=attack melee=True",
        ],
        [],
    ),
    "intercept": ("defensive", "FMU", ["step=intercept rating=2 metres=1"], []),
    "escape": ("tactical", "FR", ["step=check skill=agility observers=True", "step=inflict effect=unsighted"], []),
}
"""The type, the skills by their first letters, the steps and the steps for 1 stamina more."""

LETTERS = {"F": "finesse", "M": "martial", "R": "ranged", "U": "unarmed"}


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize("maneuver", library().of(Maneuver), ids=lambda maneuver: maneuver.id)
def test_maneuvers_do_step_by_step_what_is_written(maneuver: Maneuver) -> None:
    kind, skills, steps, more = MANEUVERS[maneuver.id]
    assert maneuver.type == kind
    assert maneuver.skills == tuple([LETTERS[letter] for letter in skills])
    assert [plain(step) for step in maneuver.steps] == steps
    boosted = maneuver.boost
    assert ([] if boosted is None else [plain(step) for step in boosted.steps]) == more
    assert boosted is None or (boosted.stamina, boosted.at) == (1, 12)
    triggers = {"opportunity_strike": ("moves_in_reach", True), "intercept": ("ally_attacked", False)}
    assert (maneuver.trigger, maneuver.not_prone) == triggers.get(maneuver.id, (None, False))


# ---------------------------------------------------------------------- weapons

WEAPONS = {
    "unarmed": ("B", 2),
    "cestus": ("B", 4),
    "club": ("B", 6),
    "handaxe": ("S", 6),
    "knife": ("P", 8),
    "sap": ("B", 6),
    "staff": ("B", 6),
    "dagger": ("PS", 10),
    "thrusting_sword": ("P", 10),
    "battleaxe": ("S", 6),
    "greatsword": ("PS", 6),
    "mace": ("B", 8),
    "spear": ("P", 6),
    "straight_sword": ("PS", 6),
    "longsword": ("PS", 6),
    "javelin": ("P", 8),
    "shortbow": ("P", 8),
    "crossbow": ("P", 10),
    "shortspear": ("P", 6),
    "crude_knife": ("P", 8),
    "crude_shortbow": ("P", 6),
    "wolf_bite": ("P", 6),
    "wolf_claw": ("S", 2),
    "chair_leg": ("B", 6),
    "broken_bottle": ("P", 8),
}
TYPES = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}

CREATURES_OWN: dict[str, dict[str, Any]] = {
    "shortspear": {"price": 5, "weight": 2, "skills": "finesse martial ranged"},
    "crude_knife": {"weight": Fraction(1, 2), "hit": -1, "basic": True},
    "crude_shortbow": {"weight": Fraction(3, 2), "hit": -1, "skills": "ranged", "ammunition": "arrow"},
    "wolf_bite": {"skills": "unarmed", "natural": True},
    "wolf_claw": {"skills": "unarmed", "natural": True},
    "chair_leg": {"weight": 1, "hit": -1, "basic": True},
    "broken_bottle": {"weight": Fraction(1, 2), "hit": -1, "basic": True},
}


@pytest.mark.rule("mars.gap.weapon.list", "mars.gap.creature.list", "mars.gap.weapon.improvised")
@pytest.mark.parametrize("weapon", library().of(Weapon), ids=lambda weapon: weapon.id)
def test_every_weapon_has_its_types_and_its_critical_bonus(weapon: Weapon) -> None:
    letters, critical = WEAPONS[weapon.id]
    assert (weapon.types, weapon.critical) == (tuple([TYPES[letter] for letter in letters]), critical)
    assert weapon.strength is (weapon.id != "crossbow")
    assert weapon.natural is (weapon.id in ("unarmed", "wolf_bite", "wolf_claw"))
    assert weapon.ammunition == {"shortbow": "arrow", "crude_shortbow": "arrow", "crossbow": "bolt"}.get(weapon.id)
    assert weapon.bundle == 1


@pytest.mark.rule("mars.gap.creature.list", "mars.gap.weapon.improvised")
@pytest.mark.parametrize("name", CREATURES_OWN)
def test_weapons_of_creatures_and_improvised_ones(name: str) -> None:
    weapon, row = library().get(Weapon, name), CREATURES_OWN[name]
    assert (weapon.price, weapon.weight, weapon.hit) == (row.get("price"), row.get("weight", 0), row.get("hit", 0))
    assert " ".join(weapon.skills) == row.get("skills", "")
    assert weapon.basic is row.get("basic", False)


# ---------------------------------------------------------------------- where people come from

ANCESTRIES: dict[str, dict[str, Any]] = {
    "human": {
        "choose_stats": 2,
        "sizes": ("medium", "small", "large"),
        "sized": True,
        "speed": 6,
        "languages": ("common",),
        "choose_languages": 1,
        "grants": [
            "grant=maximum resource=endurance first=1",
            "grant=maximum resource=stamina first=1",
            "grant=maximum resource=focus first=1",
            "grant=skill_choice value=1",
        ],
    },
    "dwarf": {
        "stats": {"STR": 2, "RES": 1, "DEX": -1},
        "sizes": ("medium",),
        "speed": 5,
        "languages": ("common", "dwarven"),
        "grants": [
            "grant=advantage on=FORT when=sickness",
            "grant=advantage on=athletics when=knocked_down",
            "grant=capacity sizes=1",
        ],
    },
    "elf": {
        "stats": {"INT": 2, "DEX": 1, "STR": -1},
        "sizes": ("medium",),
        "speed": 6,
        "languages": ("common", "elven"),
        "grants": [
            "grant=skill skill=knowledge value=1",
            "grant=skill skill=charisma value=-1",
            "grant=skill skill=perception value=1 when=wilderness",
        ],
    },
    "halfling": {
        "stats": {"DEX": 2, "RES": 1, "STR": -1},
        "sizes": ("small",),
        "speed": 6,
        "languages": ("common",),
        "choose_languages": 1,
        "grants": ["grant=advantage on=WILL when=fear", "grant=skill skill=charisma value=1 when=stories"],
    },
    "orc": {
        "stats": {"STR": 1, "RES": 1},
        "sizes": ("medium", "large"),
        "sized": True,
        "speed": 6,
        "languages": ("common", "orc"),
        "grants": [
            "grant=skill skill=charisma value=1 when=intimidation",
            "grant=roll roll=WILL value=1 when=intimidation",
            "grant=pain_tolerance",
        ],
    },
}


@pytest.mark.rule("mars.character.ancestry", "mars.gap.ancestry.abilities")
@pytest.mark.parametrize("ancestry", library().of(Ancestry), ids=lambda ancestry: ancestry.id)
def test_ancestries_as_listed(ancestry: Ancestry) -> None:
    row = dict(ANCESTRIES[ancestry.id])
    assert [plain(grant) for grant in ancestry.grants] == row["grants"]
    assert ancestry.speed == row["speed"]
    assert (tuple(ancestry.sizes), ancestry.sized) == (row["sizes"], row.get("sized", False))
    assert dict(ancestry.stats) == row.get("stats", {})
    assert ancestry.choose_stats == row.get("choose_stats", 0)
    assert tuple(ancestry.languages) == row["languages"]
    assert ancestry.choose_languages == row.get("choose_languages", 0)


BACKGROUNDS = {
    "artisan": ({"charisma": 1, "craft": 1}, 0, ()),
    "commoner": ({}, 2, ("basic",)),
    "farmer": ({"athletics": 1, "wild_empathy": 1}, 0, ()),
    "scholar": ({"knowledge": 1, "perception": 1}, 0, ()),
    "scoundrel": ({"agility": 1, "sleight": 1}, 0, ()),
    "soldier": ({"athletics": 1, "medicine": 1}, 0, ()),
    "custom": ({}, 2, ("basic", "complex")),
}


@pytest.mark.rule("mars.character.background")
@pytest.mark.parametrize("background", library().of(Background), ids=lambda background: background.id)
def test_backgrounds_as_listed(background: Background) -> None:
    skills, choose, among = BACKGROUNDS[background.id]
    assert dict(background.skills) == skills
    assert (background.choose, tuple(background.among) if choose else ()) == (choose, among)


ARCHETYPES: dict[str, tuple[str, int, dict[str, int], dict[str, int], bool]] = {
    "assassin": (
        "agility 8, finesse/ranged 6, medicine 6, perception 4, sleight 4",
        1,
        {"ambidexterity": 1},
        {"DEX": 11},
        False,
    ),
    "berserker": (
        "martial 8, athletics 6, charisma 6, unarmed 4, wild_empathy 4",
        3,
        {"rage": 1},
        {"STR": 11, "RES": 11},
        False,
    ),
    "fighter": (
        "finesse/martial/ranged 8, athletics 6, medicine 6, charisma 4, perception 4",
        3,
        {"extra_maneuver": 1, "toughness": 1},
        {"STR": 11, "DEX": 11},
        True,
    ),
    "magister": (
        "knowledge 8, craft 6, medicine 6, perception 4, sleight 4",
        0,
        {"always_prepared": 1},
        {"INT": 11},
        False,
    ),
    "ranger": (
        "agility/athletics 6, medicine 6, perception 6, finesse/martial/ranged 6, wild_empathy 6",
        1,
        {"deduction": 1, "toughness": 1},
        {"INT": 11},
        False,
    ),
    "rogue": (
        "sleight 8, finesse/ranged 6, perception 6, agility 4, charisma 4",
        1,
        {"danger_sense": 1},
        {"DEX": 11},
        False,
    ),
}


@pytest.mark.rule("mars.character.archetype")
@pytest.mark.parametrize("name", ARCHETYPES)
def test_archetypes_as_listed(name: str) -> None:
    archetype = library().get(Archetype, name)
    skills, maneuvers, talents, needs, either = ARCHETYPES[name]
    assert ", ".join([f"{'/'.join(slot.any_of)} {slot.value}" for slot in archetype.skills]) == skills
    assert (archetype.maneuvers, dict(archetype.talents)) == (maneuvers, talents)
    assert (dict(archetype.needs.stats), archetype.needs.any_stat) == (needs, either)
    assert not archetype.custom


@pytest.mark.rule("mars.gap.archetype.custom")
def test_the_custom_archetype_has_two_spreads() -> None:
    custom = library().get(Archetype, "custom")
    assert custom.custom
    assert [list(spread) for spread in custom.spreads] == [[8, 6, 6, 4, 4], [6, 6, 6, 6, 6]]
    assert {entry.id for entry in library().of(Archetype)} == {*ARCHETYPES, "custom"}


@pytest.mark.rule("mars.character.trait")
def test_what_traits_give() -> None:
    given = {
        trait.id: [plain(grant) for grant in trait.grants if grant.grant != "words"] for trait in library().of(Trait)
    }
    assert given == {
        "animal_familiar": [],
        "arcane_bond": [],
        "blind_sight": [],
        "efficient_sleeper": ["grant=quick_rest divisor=2"],
        "eidetic_memory": ["grant=advantage on=knowledge when=recall"],
        "involuntary_transformation": [],
        "necrovisitation": [],
    }


# ---------------------------------------------------------------------- talents, skills, gear and money

TALENTS = {
    "toughness": ["grant=maximum resource=endurance first=4 further=2 rests=True"],
    "extra_maneuver": ["grant=maneuvers number=1"],
    "intimidation": ["grant=other_stat skill=charisma stat=STR when=('intimidation',)"],
    "deduction": ["grant=other_stat skill=perception stat=INT when=('tracking', 'hidden_things')"],
    "weightlifter": ["grant=advantage on=athletics when=heavy_objects", "grant=capacity sizes=1"],
    "ambidexterity": ["grant=other_weapon value=1"],
    "danger_sense": ["grant=alert"],
    "diehard": ["grant=diehard"],
    "second_wind": ["grant=second_wind uses=1"],
    "rage": ["grant=rage focus=2 first=2 further=1 rating=-2 toll=1"],
    "teamwork": ["grant=teamwork"],
    "always_prepared": ["grant=prepared prices=(4, 7, 10, 12) cheaper=10"],
}


@pytest.mark.rule("mars.gap.talent.list")
@pytest.mark.parametrize("talent", library().of(Talent), ids=lambda talent: talent.id)
def test_what_talents_give(talent: Talent) -> None:
    assert [plain(grant) for grant in talent.grants] == TALENTS[talent.id]


SKILLS = {
    "basic": {"agility": "DEX", "athletics": "STR", "charisma": "RES", "knowledge": "INT", "perception": "DEX"},
    "complex": {"contacts": "RES", "craft": "INT", "medicine": "INT", "sleight": "DEX", "wild_empathy": "RES"},
    "combat": {"finesse": "DEX", "martial": "DEX", "ranged": "DEX", "unarmed": "DEX"},
}


@pytest.mark.rule("mars.skill.basic", "mars.skill.associated_stat")
def test_skills_by_group_and_stat() -> None:
    found: dict[str, dict[str, str]] = {}
    for skill in library().of(Skill):
        found.setdefault(skill.group, {})[skill.id] = skill.stat
    assert found == SKILLS


GEAR = {
    "backpack": (30, 100, 1, 1),
    "bedroll": (30, 100, 1, 1),
    "belt": (5, 25, 1, 1),
    "boots": (20, 50, 1, 1),
    "clothes": (50, 100, 1, 1),
    "flint_and_steel": (20, 25, 1, 1),
    "gloves": (20, 25, 1, 1),
    "ration": (8, 200, 4, 4),
    "waterskin": (20, 225, 1, 1),
    "cloak": (20, 100, 1, 0),
    "candles": (10, 100, 10, 0),
    "grappling_hook": (30, 200, 1, 0),
    "lantern": (30, 100, 1, 0),
    "lantern_oil": (30, 25, 1, 0),
    "rope": (30, 300, 1, 0),
    "torch": (2, 100, 1, 0),
    "musical_instrument": (100, 150, 1, 0),
    "small_toolkit_locks": (100, 200, 1, 0),
    "small_toolkit_wood": (100, 200, 1, 0),
    "large_toolkit_smith": (250, 500, 1, 0),
}
"""Tenths of a unit, hundredths of a kilogram, how many for that, and how many everybody starts with."""


@pytest.mark.rule("mars.gap.equipment.prices", "mars.gap.equipment.starting_kit")
@pytest.mark.parametrize("gear", library().of(Gear), ids=lambda gear: gear.id)
def test_gear_as_listed(gear: Gear) -> None:
    assert gear.price is not None
    assert (int(10 * gear.price), int(100 * gear.weight), gear.bundle, gear.free) == GEAR[gear.id]
    tools = {"small_toolkit_locks": ("sleight",), "small_toolkit_wood": ("craft",), "large_toolkit_smith": ("craft",)}
    assert gear.tools_for == tools.get(gear.id, ())
    assert (gear.meals, gear.litres) == {"ration": (1, 0), "waterskin": (0, 2)}.get(gear.id, (0, 0))


@pytest.mark.rule("mars.equipment.currency")
def test_kinds_of_money() -> None:
    assert {entry.id: (int(10 * entry.worth), entry.setting) for entry in library().of(Currency)} == {
        "silver": (10, "medieval"),
        "copper": (1, "medieval"),
        "electrum": (100, "medieval"),
        "gold": (1000, "medieval"),
        "dollar": (10, "modern"),
    }


ARMOURS: dict[
    str, tuple[Any, ...]
] = {  # price, rating, reduction, strength, kilograms, slots, block, durability, parry
    "padded": (20, 2, 2, 6, 6, "body", None, None, None),
    "leather": (30, 2, 3, 8, 8, "body", None, None, None),
    "segmented": (45, 3, 3, 10, 10, "body", None, None, None),
    "chainmail": (65, 3, 4, 12, 13, "body", None, None, None),
    "transitional": (90, 4, 4, 14, 16, "body", None, None, None),
    "full_plate": (120, 4, 5, 16, 20, "body", None, None, None),
    "half_helm": (15, 1, 0, 0, 1, "head", None, None, None),
    "full_helm": (30, 1, 1, 0, 2, "head", None, None, None),
    "vambraces": (30, 1, 1, 0, 2, "arms", None, None, None),
    "gauntlets": (40, 1, 1, 0, 3, "arms hands", None, None, None),
    "greaves": (15, 1, 0, 0, 1, "legs", None, None, None),
    "plated_boots": (30, 1, 1, 0, 2, "legs feet", None, None, None),
    "buckler": (10, 0, 0, 6, 2, "shield", None, None, "r10"),
    "small_shield": (15, 0, 0, 8, 3, "shield", 3, 10, "r6"),
    "medium_shield": (25, 1, 0, 10, 4, "shield", 4, 12, "r4"),
    "large_shield": (40, 1, 0, 12, 6, "shield", 5, 15, None),
}


@pytest.mark.rule("mars.gap.armour.list", "mars.gap.armour.threshold", "mars.gap.armour.shields")
@pytest.mark.parametrize("name", ARMOURS)
def test_every_piece_of_armour_has_the_row_of_its_table(name: str) -> None:
    one = library().get(Armour, name)
    parry = one.features.parry
    assert ARMOURS[name] == (
        one.price,
        one.rating,
        one.reduction,
        one.strength,
        one.weight,
        " ".join(one.slots),
        one.block,
        one.durability,
        None if parry is None else str(parry),
    )
