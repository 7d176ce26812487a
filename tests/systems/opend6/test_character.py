"""Figures of characters as tallies, their files, and what stands on their sheets."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import LEDGER, OPTIONS, C, from_text, library, person, rows, scene_of, somebody
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import character_text
from tablewright.game.character.sheet import sheet_json, sheet_markdown, sheet_text
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.figures import (
    armour,
    attribute,
    body_points,
    code,
    figures,
    funds,
    funds_code,
    initiative_dice,
    is_trained,
    item,
    move,
    resistance_bonus,
    silver_per_week,
    skill,
    strength_bonus,
    strength_damage,
    weapon_damage,
)
from tablewright.systems.opend6.character.record import OpenD6Character, OwnAbility, Specialisation, Wounds
from tablewright.systems.opend6.content import ATTRIBUTES, Ability, InitiativeEffect, Weapon
from tablewright.systems.opend6.encounter import factors, surprised_by
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.values import DieCode


def code_of(one: OpenD6Character, name: str) -> DieCode:
    """The code of an attribute or a skill, as every roll takes it."""
    return figures(one, library()).codes[name]


@pytest.mark.rule("opend6.gap.skill.start", "opend6.gap.dice.pips_per_die")
def test_a_skill_is_its_attribute_and_its_adds() -> None:
    one = somebody(intellect="2D+1", speaking="3D")
    tally = skill(one, "speaking", library())
    assert (code(tally), [part.changed for part in tally.parts]) == (C("3D"), [2])
    assert code(skill(one, "scholar", library())) == code(attribute(one, "intellect")) == C("2D+1")
    with pytest.raises(InvalidInputError, match="did you mean"):
        skill(one, "speakin", library())
    clumsy = somebody(stealth="2D+1", hide="2D")
    assert [is_trained(clumsy, name, library()) for name in ("stealth", "hide", "search")] == [True, False, False]


@pytest.mark.rule("opend6.skill.names", "opend6.gap.skill.list", "opend6.gap.skill.attributes")
def test_every_skill_belongs_to_its_attribute() -> None:
    listed, named = dict(rows("opend6.gap.skill.list")), LEDGER["opend6.skill.names"].data
    assert list(ATTRIBUTES) == list(LEDGER["opend6.gap.skill.attributes"].data["attributes"])
    assert list(ATTRIBUTES) == [one.casefold() for one in named["attributes"]]
    one = somebody(agility="1D+1", coordination="1D+2", physique="2D", intellect="2D+1", acumen="2D+2", charisma="3D")
    for governing, names in listed.items():
        assert {code_of(one, name) for name in names} == {getattr(one.attributes, governing)}
    for governing, names in named["skills"].items():
        assert {name.replace(" ", "_") for name in names} <= set(listed[governing.casefold()])


@pytest.mark.rule("opend6.gap.skill.extranormal")
def test_extranormal_skills_are_above_the_extranormal_attribute() -> None:
    wizard = somebody(extranormal="magic", extranormal_code="2D+1", alteration="3D")
    for name in LEDGER["opend6.gap.skill.extranormal"].data["magic"]:
        assert code_of(wizard, name) == (C("3D") if name == "alteration" else C("2D+1"))
    for name in LEDGER["opend6.gap.skill.extranormal"].data["miracles"]:
        assert code_of(wizard, name) == C("0D")


@pytest.mark.rule("opend6.gap.creation.strength_damage")
@each_case(
    ("physique", "lifting", "dice", "named"),
    [
        ("3D", None, 2, "Physique"),
        ("4D+2", None, 2, "Physique"),
        ("5D", None, 3, "Physique"),
        ("1D", None, 1, "Physique"),
        ("3D", "3D", 2, "Physique"),
        ("3D", "3D+1", 2, "Lifting"),
        ("3D", "4D+2", 2, "Lifting"),
        ("2D+2", "6D+2", 3, "Lifting"),
    ],
)
def test_strength_damage_is_half_of_physique_or_lifting(
    physique: str, lifting: str | None, dice: int, named: str
) -> None:
    one = somebody(physique=physique, **({"lifting": lifting} if lifting else {}))
    assert strength_damage(one, library()).total == figures(one, library()).strength_damage == dice
    assert named in strength_damage(one, library()).explain()


@pytest.mark.rule("opend6.gap.creation.body_points", "opend6.gap.creation.move")
def test_body_points_and_move() -> None:
    assert body_points(somebody(body_points=32)).total == 32
    assert body_points(somebody(physique="3D+1")).total == 20 + 13  # as rolled, or at four a die
    assert (move(somebody()).total, move(person("guard_dog")).total) == (10, 25)


@pytest.mark.rule("opend6.gap.creature.body_points")
@each_case(
    ("station", "points"), [("kids_elderly", 5), ("bystanders_animals", 10), ("minor_villains", 15), ("major", 20)]
)
def test_body_points_by_station(station: str, points: int) -> None:
    assert LEDGER["opend6.gap.creature.body_points"].data[station] == points
    extra = somebody(kind="creature", station=station)
    assert figures(extra, library()).body_points == points
    assert figures(extra.changed(body_points=33), library()).body_points == 33


EXCHANGE = (Specialisation(skill="trading", subject="currency exchange", adds=C("2D")),)


@pytest.mark.rule("opend6.gap.creation.funds")
@each_case(
    ("fields", "dice"),
    [
        ({}, 3),
        ({"charisma": "1D+2"}, 2),
        ({"charisma": "1D", "intellect": "1D+1"}, 1),
        ({"charisma": "4D", "intellect": "3D+2"}, 4),
        ({"intellect": "4D", "trading": "6D", "specialisations": EXCHANGE}, 5),
        ({"intellect": "4D", "trading": "5D+2", "specialisations": EXCHANGE}, 4),
        ({"charisma": "1D", "intellect": "1D", "trading": "1D"}, 1),
    ],
)
def test_funds(fields: dict[str, Any], dice: int) -> None:
    assert funds(somebody(**fields), library()).total == dice
    assert silver_per_week(somebody(**fields), library()).total == 60 * dice
    assert funds_code(somebody(**fields, funds_adds=C("0D+2")), library()) == DieCode(dice, 2)


@pytest.mark.rule("opend6.gap.ability.hardiness", "opend6.gap.ability.increased_attribute", "opend6.gap.ability.list")
def test_sources_of_hardiness() -> None:
    assert resistance_bonus(person("walking_dead"), library()).total == 2
    strong = somebody(abilities=(OwnAbility(id="increased_attribute", ranks=3, attribute="physique"),))
    assert resistance_bonus(strong, library()).total == strength_bonus(strong, library()).total == 3
    quick = somebody(abilities=(OwnAbility(id="increased_attribute", ranks=3, attribute="agility"),))
    assert resistance_bonus(quick, library()).total == strength_bonus(quick, library()).total == 0
    assert figures(quick, library()).bonus("dodge") == figures(quick, library()).bonus("agility") == 3


@pytest.mark.rule("opend6.gap.ability.fast_reactions")
def test_fast_reactions_add_dice_to_initiative() -> None:
    fast = somebody(abilities=(OwnAbility(id="fast_reactions", ranks=2),))
    assert initiative_dice(fast, library()).total == figures(fast, library()).initiative_dice == 2
    (effect,) = library().get(Ability, "fast_reactions").effects
    data = LEDGER["opend6.gap.ability.fast_reactions"].data
    assert isinstance(effect, InitiativeEffect)
    assert (effect.extra_actions, effect.times) == (data["extra_actions"], data["times"])


@pytest.mark.rule("opend6.gap.ability.combat_sense", "opend6.gap.ability.goes_first")
def test_never_surprised_and_first_to_act() -> None:
    sharp, first = (OwnAbility(id="combat_sense"),), (OwnAbility(id="goes_first"),)
    quick = somebody(acumen="4D", agility="4D")
    scene = scene_of({"ann": somebody(abilities=sharp), "bob": somebody(abilities=first), "cy": quick})
    assert [surprised_by(scene, who) for who in ("ann", "bob", "cy")] == [False, True, True]
    assert factors(scene, "bob") > factors(scene, "cy") > factors(scene, "ann")


@pytest.mark.rule("opend6.gap.armour.list", "opend6.gap.armour.shields")
def test_armour_protects_that_is_used_and_a_shield_only_from_the_front() -> None:
    worn, held = ItemStack("hard_leather", place="worn"), ItemStack("small_shield", place="hand")
    assert code(armour((worn, held), library())) == C("3D+1")
    assert code(armour((worn, held), library(), shield=False)) == C("1D+1")
    assert code(armour((ItemStack("hard_leather"), ItemStack("small_shield")), library())) == C("0D")


@pytest.mark.rule("opend6.gap.weapon.melee", "opend6.gap.weapon.missile", "opend6.gap.weapon.thrown")
@each_case(
    ("name", "damage"),
    [
        ("unarmed", "3D"),
        ("short_sword", "4D+2"),
        ("long_bow", "5D+2"),
        ("light_crossbow", "4D"),
        ("blowgun", "1D"),
        ("sling", "4D"),
        ("rock", "3D+1"),
    ],
)
def test_strength_adds_to_the_damage_of_most_weapons(name: str, damage: str) -> None:
    strong = somebody(physique="5D")  # Strength Damage 3D
    assert weapon_damage(strong, library().get(Weapon, name), library()).total == C(damage).in_pips


@pytest.mark.rule("opend6.gap.creature.list")
@each_case(("name", "row"), rows("opend6.gap.creature.list"))
def test_every_opponent_is_as_listed(name: str, row: Any) -> None:
    one = person(name)
    found = {field: getattr(one, field) for field in ("body_points", "wound_levels", "character_points")}
    found["strength_damage"] = strength_damage(one, library()).total
    assert found == {field: value for field, value in row.items() if field != "codes"}
    assert {what: str(code_of(one, what)) for what in row["codes"]} == dict(row["codes"])
    assert set(one.skills) == set(row["codes"]) - set(ATTRIBUTES)
    assert one.is_creature
    assert rulebook.legality(one, OPTIONS, library()).ok


def test_characters_weakened_by_dying_keep_their_attribute() -> None:
    one = somebody(agility="3D", dodge="5D", climbing="3D+2", wounds=Wounds(weakened=1))
    assert [str(code_of(one, name)) for name in ("dodge", "climbing", "stealth")] == ["4D", "3D", "3D"]


# ---------------------------------------------------------------------- files and sheets


@each_case("name", ["slayer", "ranger", "healer", "soldier", "guard_dog"])
def test_a_character_comes_unchanged_out_of_a_file_and_out_of_a_scene(name: str) -> None:
    one = person(name)
    for kind in ("yaml", "json"):
        assert from_text(character_text(one, kind)) == one
    assert rulebook.export_character(scene_of({"one": one}), "one") == one


def test_a_wrong_file_is_refused_with_everything_that_is_wrong() -> None:
    with pytest.raises(ProblemListError, match=r"(?s)agility.*fate_points"):
        from_text("system: opend6\nrules: '0.1.0'\nname: Ann\nattributes: {agility: 3E}\nfate_points: -1\n")
    with pytest.raises(InvalidInputError, match="did you mean"):
        item("long_swort", library())


@pytest.mark.rule("opend6.gap.creation.funds", "opend6.gap.creature.list", "opend6.gap.creation.specialisations")
def test_the_sheet_shows_every_figure_with_its_reasons() -> None:
    sela = person("ranger", funds_adds=C("0D+2"))
    sheet = rulebook.sheet(sela, OpenD6Options(injury_system="body_points"), library())
    text = sheet_text(sheet)
    for words in ("Marksmanship", "5D+1", "Marksmanship: bows", "10/100/250", "Body Points", "31", "Unarmed"):
        assert words in text
    assert "3D+2" in next(line for line in text.splitlines() if "Funds" in line)
    assert "half" in sheet.why("strength damage")
    assert "adds" in sheet.why("marksmanship")
    assert "# Sela" in sheet_markdown(sheet, explain=True)
    assert sheet_json(sheet)["subtitle"] == "Ranger"
    weapons = {str(row[0]): str(row[1]) for one in sheet.sections if one.title == "Weapons" for row in one.rows}
    assert (weapons["Long bow"], weapons["Short sword"]) == ("6D+1", "4D")
    assert "Body Points" not in sheet_text(rulebook.sheet(sela, OPTIONS, library()))
    assert "Unarmed" not in sheet_text(rulebook.sheet(person("guard_dog"), OPTIONS, library()))


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.levels")
@pytest.mark.parametrize(
    ("system", "points", "health"),
    [
        ("wounds", None, "wounded, unconscious, skills 1D weaker"),
        ("body_points", "24 of 31", "hurt, unconscious, skills 1D weaker"),
        ("body_points_with_levels", "24 of 31", "stunned, unconscious, skills 1D weaker"),
    ],
)
def test_the_sheet_tells_how_a_character_is(system: Any, points: str | None, health: str) -> None:
    def told(**changes: Any) -> tuple[Any, Any]:
        sheet = rulebook.sheet(person("ranger", **changes), OpenD6Options(injury_system=system), library())
        found = {one.label: one.value for section in sheet.sections for one in section.entries}
        return found.get("Body Points"), found["Health"]

    hurt = {"level": "wounded", "body_points": 24, "unconscious": 5, "weakened": 1}
    assert told(wounds=hurt) == (points, health)
    assert told() == (points and 31, "healthy")
