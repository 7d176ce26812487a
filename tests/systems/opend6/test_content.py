"""The starter pack against the lists, a pack of one's own, and that a wrong one is refused with its lines."""

from __future__ import annotations

import pytest

from systems.opend6.people import LEDGER, library, person, rows
from tablewright.errors import ProblemListError
from tablewright.game.content.packs import read_pack
from tablewright.systems.opend6.character.figures import figures, weapon_damage
from tablewright.systems.opend6.content import (
    COMBAT_SKILLS,
    ITEMS,
    KINDS,
    PEOPLE,
    Ability,
    Skill,
    Weapon,
)
from tablewright.systems.opend6.values import DieCode

HEAD = 'pack: {id: mine, title: Mine, version: "1", origin: house}\nsystem: opend6\n'


def test_everything_has_an_origin_and_a_name() -> None:
    for kind in KINDS:
        for entry in library().of(kind):
            assert entry.origin in ("seed", "upstream", "house")
            assert entry.name[0].isupper()
    assert set(PEOPLE) <= set(KINDS)
    assert set(ITEMS) == {"weapons", "ammunition", "armour", "gear"}


@pytest.mark.rule("opend6.gap.skill.list", "opend6.gap.skill.extranormal")
def test_there_are_no_other_skills() -> None:
    listed = {
        name
        for rule in ("opend6.gap.skill.list", "opend6.gap.skill.extranormal")
        for _, names in rows(rule)
        for name in names
    }
    assert {one.id for one in library().of(Skill)} == listed
    assert set(COMBAT_SKILLS) <= listed
    assert [one.id for one in library().of(Skill) if one.needs_adds] == ["reading_writing"]


@pytest.mark.rule("opend6.gap.ability.cost")
def test_abilities_of_the_ledger_are_there() -> None:
    for name in ("skill_bonus", "increased_attribute", "fast_reactions", "combat_sense", "hardiness", "goes_first"):
        assert library().get(Ability, name).cost == LEDGER[f"opend6.gap.ability.{name}"].data["cost"]


@pytest.mark.rule("opend6.gap.weapon.edges")
def test_blades_points_and_long_weapons() -> None:
    data, weapons = LEDGER["opend6.gap.weapon.edges"].data, list(library().of(Weapon))
    assert {one.id for one in weapons if one.blade} == set(data["blades"])
    assert {one.id for one in weapons if one.point} == set(data["points"])
    assert {one.id: one.reach for one in weapons if one.reach} == dict.fromkeys(data["reach_two_metres"], 2)
    assert {one.id: one.ammunition for one in weapons if one.ammunition} == dict(data["ammunition"])


def test_a_pack_of_your_own_adds_and_replaces() -> None:
    text = HEAD + (
        "weapons:\n"
        "  - {id: great_club, name: Great club, skill: melee_combat, damage: 2D+1, hands: 2, price: 10}\n"
        "  - {id: dagger, name: Fine dagger, skill: melee_combat, damage: 1D+1, hands: 1, price: 30}\n"
        "skills:\n"
        "  - {id: alchemy, name: Alchemy, attribute: intellect}\n"
    )
    mine = library().with_pack(read_pack(text, KINDS, library()))
    hedda = person("slayer")
    assert weapon_damage(hedda, mine.get(Weapon, "great_club"), mine).total == DieCode(4, 1).in_pips
    assert mine.get(Weapon, "dagger").name == "Fine dagger"
    assert figures(hedda, mine).codes["alchemy"] == hedda.attributes.intellect
    assert library().get(Weapon, "dagger").name == "Dagger"


def test_a_wrong_pack_is_refused_with_every_error() -> None:
    text = HEAD + (
        "weapons:\n"
        "  - {id: club, name: Club, skill: clubbing, damage: 1E}\n"
        "  - {id: bow, name: Bow, skill: marksmanship, damage: 1D, ammunition: bullets}\n"
        "abilities:\n"
        "  - {id: odd, name: Odd, cost: 1, effects: [{kind: flying}]}\n"
    )
    with pytest.raises(ProblemListError) as caught:
        read_pack(text, KINDS, library())
    said = str(caught.value)
    for words in ("4:", "clubbing", "1E", "bullets", "flying"):
        assert words in said
