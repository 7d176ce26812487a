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
from tablewright.systems.opend6.content import ATTRIBUTES, Ability, GoesFirst, InitiativeEffect, NeverSurprised, Weapon
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
    assert code(skill(one, "scholar", library())) == C("2D+1")
    assert DieCode.of_pips(C("2D+1").in_pips + C("0D+2").in_pips) == C("3D")
    assert code(attribute(one, "intellect")) == C("2D+1")


@pytest.mark.rule("opend6.skill.names", "opend6.gap.skill.list", "opend6.gap.skill.attributes")
def test_every_skill_belongs_to_its_attribute() -> None:
    assert list(ATTRIBUTES) == list(LEDGER["opend6.gap.skill.attributes"].data["attributes"])
    assert [one.casefold() for one in LEDGER["opend6.skill.names"].data["attributes"]] == list(ATTRIBUTES)
    listed = dict(rows("opend6.gap.skill.list"))
    assert sum([len(names) for names in listed.values()]) == 47
    one = somebody(agility="1D+1", coordination="1D+2", physique="2D", intellect="2D+1", acumen="2D+2", charisma="3D")
    for governing, names in listed.items():
        for name in names:
            assert code_of(one, name) == getattr(one.attributes, governing)
    for governing, names in LEDGER["opend6.skill.names"].data["skills"].items():
        for name in names:
            assert name.replace(" ", "_") in listed[governing.casefold()]
    with pytest.raises(InvalidInputError, match="did you mean"):
        skill(one, "climbin", library())


@pytest.mark.rule("opend6.gap.skill.extranormal")
def test_extranormal_skills_are_above_the_extranormal_attribute() -> None:
    wizard = somebody(extranormal="magic", extranormal_code="2D+1", alteration="3D")
    for name in LEDGER["opend6.gap.skill.extranormal"].data["magic"]:
        assert code_of(wizard, name) == (C("3D") if name == "alteration" else C("2D+1"))
    for name in LEDGER["opend6.gap.skill.extranormal"].data["miracles"]:
        assert code_of(wizard, name) == C("0D")


@pytest.mark.rule("opend6.gap.creation.strength_damage")
def test_strength_damage() -> None:
    for physique, lifting, dice in (
        ("3D", None, 2), ("4D+2", None, 2), ("5D", None, 3), ("2D+2", "6D+2", 3), ("1D", None, 1), ("3D", "4D+2", 2),
    ):  # fmt: skip
        one = somebody(physique=physique, **({"lifting": lifting} if lifting else {}))
        assert strength_damage(one, library()).total == dice
        assert figures(one, library()).strength_damage == dice


@pytest.mark.rule("opend6.gap.creation.body_points")
def test_body_points_as_rolled_or_at_four_a_die() -> None:
    assert body_points(somebody(body_points=32)).total == 32
    assert body_points(somebody(physique="3D+1")).total == 20 + 13


@pytest.mark.rule("opend6.gap.creation.move")
def test_move() -> None:
    assert move(somebody()).total == 10
    assert move(person("guard_dog")).total == 25


@pytest.mark.rule("opend6.gap.creation.funds")
def test_funds() -> None:
    def dice(**fields: Any) -> int:
        return funds(somebody(**fields), library()).total

    assert dice() == 3
    assert dice(charisma="1D+2") == 2
    assert dice(charisma="1D", intellect="1D+1") == 1
    assert dice(charisma="4D", intellect="3D+2") == 4
    exchange = Specialisation(skill="trading", subject="currency exchange", adds=C("2D"))
    trader: dict[str, Any] = {"intellect": "4D", "trading": "6D", "specialisations": (exchange,)}
    assert dice(**trader) == 5
    assert dice(**{**trader, "trading": "5D+2"}) == 4
    assert silver_per_week(somebody(**trader), library()).total == 300
    assert dice(charisma="1D", intellect="1D", trading="1D") == 1
    assert funds_code(somebody(funds_adds=C("0D+2")), library()) == C("3D+2")


@pytest.mark.rule("opend6.gap.ability.list")
@pytest.mark.parametrize(("name", "cost"), rows("opend6.gap.ability.list"))
def test_every_ability_gives_what_it_says(name: str, cost: int) -> None:
    ability = library().get(Ability, name)
    assert ability.cost == cost
    concerns: dict[str, Any] = {
        "skill_bonus": {"skills": ("hide", "search", "stealth")},
        "increased_attribute": {"attribute": "agility"},
    }
    own = OwnAbility(id=name, **concerns.get(name, {}))
    with_it, without = figures(somebody(abilities=(own,)), library()), figures(somebody(), library())
    kinds = {type(effect) for effect in ability.effects}
    assert with_it != without or kinds & {NeverSurprised, GoesFirst}


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
@each_case(("name", "value"), [*rows("opend6.gap.armour.list"), *rows("opend6.gap.armour.shields")])
def test_every_armour_protects_as_listed(name: str, value: str) -> None:
    is_shield = name in LEDGER["opend6.gap.armour.shields"].data
    used = (ItemStack(name, place="hand" if is_shield else "worn"),)
    assert code(armour(used, library())) == C(value)
    assert code(armour((ItemStack(name),), library())) == C("0D")
    away = armour(used, library(), shield=False)  # a shield counts only between attacker and user
    assert code(away) == (C("0D") if is_shield else C(value))


@pytest.mark.rule("opend6.gap.weapon.melee", "opend6.gap.weapon.missile", "opend6.gap.weapon.thrown")
@each_case(
    ("name", "row"), [row for table in ("melee", "missile", "thrown") for row in rows(f"opend6.gap.weapon.{table}")]
)
def test_every_weapon_hurts_as_listed(name: str, row: Any) -> None:
    weapon = library().get(Weapon, name)
    one = somebody(physique="5D")  # Strength Damage 3D
    with_strength = row[1] if name in LEDGER["opend6.gap.weapon.missile"].data else True
    own = C("3D").in_pips if with_strength else 0
    assert weapon_damage(one, weapon, library()).total == own + C(row[0]).in_pips
    if name in LEDGER["opend6.gap.weapon.melee"].data:
        assert weapon.unwieldy is row[1]
        assert weapon.ranges is None
        assert weapon.skill == ("fighting" if name == "unarmed" else "melee_combat")
    else:
        assert weapon.ranges is not None
        assert [weapon.ranges.short, weapon.ranges.medium, weapon.ranges.long] == list(row[-3:])
        assert weapon.ranges.physique is (name in ("dart", "rock"))
        missile = name in LEDGER["opend6.gap.weapon.missile"].data
        assert weapon.skill == ("marksmanship" if missile else "throwing")


@pytest.mark.rule("opend6.gap.creature.list")
@pytest.mark.parametrize(("name", "row"), rows("opend6.gap.creature.list"))
def test_every_opponent_is_as_listed(name: str, row: Any) -> None:
    one = person(name)
    assert (one.body_points, one.wound_levels) == (row["body_points"], row["wound_levels"])
    assert strength_damage(one, library()).total == row["strength_damage"]
    assert one.character_points == row["character_points"]
    assert one.is_creature
    for what, printed in row["codes"].items():
        assert code_of(one, what) == C(printed), what
    named = set(row["codes"]) - set(ATTRIBUTES)
    assert set(one.skills) == named
    assert rulebook.legality(one, OPTIONS, library()).ok


def test_the_printed_codes_of_opponents() -> None:
    soldier, dog = person("soldier"), person("guard_dog")
    assert [str(code_of(soldier, name)) for name in ("dodge", "lifting", "search", "mettle")] == [
        "3D", "3D+1", "2D+1", "2D+1",
    ]  # fmt: skip
    assert [str(code_of(dog, name)) for name in ("dodge", "fighting", "running")] == ["6D", "5D", "4D+1"]
    assert (dog.scale, dog.natural_weapons) == (-4, ("bite",))


def test_trained_or_not() -> None:
    one = somebody(stealth="2D+1", hide="2D")
    assert [is_trained(one, name, library()) for name in ("stealth", "hide", "search")] == [True, False, False]


def test_characters_weakened_by_dying_keep_their_attribute() -> None:
    one = somebody(agility="3D", dodge="5D", climbing="3D+2", wounds=Wounds(weakened=1))
    assert [str(code_of(one, name)) for name in ("dodge", "climbing", "stealth")] == ["4D", "3D", "3D"]


# ---------------------------------------------------------------------- files and sheets


@pytest.mark.parametrize("name", ["slayer", "gladiator", "ranger", "healer", "guard_dog"])
def test_files_round_trip(name: str) -> None:
    one = person(name)
    for kind in ("yaml", "json"):
        assert from_text(character_text(one, kind)) == one


def test_a_wrong_file_is_refused_with_everything_that_is_wrong() -> None:
    with pytest.raises(ProblemListError) as caught:
        from_text("system: opend6\nrules: '0.1.0'\nname: Ann\nattributes: {agility: 3E}\nfate_points: -1\n")
    assert "agility" in str(caught.value)
    assert "fate_points" in str(caught.value)


def test_going_into_a_scene_and_out_again_changes_nothing() -> None:
    for name in ("slayer", "healer", "soldier"):
        one = person(name)
        assert rulebook.export_character(scene_of({"one": one}), "one") == one


def test_the_sheet_shows_every_figure_with_its_reasons() -> None:
    sela = person("ranger")
    sheet = rulebook.sheet(sela, OpenD6Options(injury_system="body_points"), library())
    text = sheet_text(sheet)
    for words in ("Marksmanship", "5D+1", "Marksmanship: bows", "6D+1", "Long bow", "10/100/250", "Body Points", "31"):
        assert words in text
    assert "half" in sheet.why("strength damage")
    assert "adds" in sheet.why("marksmanship")
    assert "# Sela" in sheet_markdown(sheet, explain=True)
    assert sheet_json(sheet)["subtitle"] == "Ranger"
    assert "Body Points" not in sheet_text(rulebook.sheet(sela, OPTIONS, library()))


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
    wounds = {"level": "wounded", "body_points": 24, "unconscious": 5, "weakened": 1}
    shown = rulebook.sheet(person("ranger", wounds=wounds), OpenD6Options(injury_system=system), library())
    told = {one.label: one.value for section in shown.sections for one in section.entries}
    assert (told.get("Body Points"), told["Health"]) == (points, health)
    unhurt = rulebook.sheet(person("ranger"), OpenD6Options(injury_system=system), library())
    told = {one.label: one.value for section in unhurt.sections for one in section.entries}
    assert (told.get("Body Points"), told["Health"]) == (points and 31, "healthy")


def test_an_unknown_item_is_named() -> None:
    with pytest.raises(InvalidInputError, match="did you mean"):
        item("long_swort", library())
    assert isinstance(person("slayer"), OpenD6Character)


@pytest.mark.rule("opend6.gap.creation.funds", "opend6.gap.creature.list")
def test_the_sheet_shows_funds_in_full_and_bare_hands_where_there_are_some() -> None:
    rich = rulebook.sheet(person("ranger", funds_adds=C("0D+2")), OpenD6Options(), library())
    assert "3D+2" in next(line for line in sheet_text(rich).splitlines() if "Funds" in line)
    assert "Unarmed" in sheet_text(rich)
    assert "Unarmed" not in sheet_text(rulebook.sheet(person("guard_dog"), OpenD6Options(), library()))
