"""Content of OpenD6: the pack as it was reviewed and as the book has it, and packs of your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.people import LEDGER, library, person
from systems.packs import cases, check
from tablewright.errors import ProblemListError
from tablewright.game.content.packs import read_pack
from tablewright.systems.opend6.belongings import COINS
from tablewright.systems.opend6.character.figures import figures, items, weapon_damage
from tablewright.systems.opend6.content import (
    COMBAT_SKILLS,
    ITEMS,
    KINDS,
    PEOPLE,
    Ability,
    Ammunition,
    Armour,
    Circumstance,
    Gear,
    Skill,
    Task,
    Weapon,
)
from tablewright.systems.opend6.values import DieCode

MARKS = {
    "skills": pytest.mark.rule("opend6.gap.skill.list", "opend6.gap.skill.extranormal"),
    "weapons": pytest.mark.rule("opend6.gap.weapon.edges"),
    "abilities": pytest.mark.rule("opend6.gap.ability.cost"),
}


@pytest.mark.parametrize("kind", cases("opend6", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("opend6", kind)


# ---------------------------------------------------------------------- tables of the book


def skills(attributes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The skills of each attribute."""
    every = list(library().of(Skill))
    return {name: tuple([one.id for one in every if one.attribute == name]) for name in attributes}


def weapons(ids: Iterable[str], *more: str) -> dict[str, tuple[Any, ...]]:
    """The damage of weapons and other fields, or their ranges where no field is named."""
    found = {}
    for name in ids:
        one = library().get(Weapon, name)
        last = () if one.ranges is None else (one.ranges.short, one.ranges.medium, one.ranges.long)
        found[name] = (str(one.damage), *[getattr(one, field) for field in more], *last)
    return found


def tasks(ids: Iterable[str]) -> dict[str, int]:
    """The difficulties of tasks."""
    return {name: library().get(Task, name).difficulty for name in ids if library().has(Task, name)}


TABLES: dict[str, Callable[[Any], Any]] = {
    "gap.skill.list": skills,
    "gap.skill.extranormal": skills,
    "gap.ability.list": lambda data: {name: library().get(Ability, name).cost for name in data},
    "gap.armour.list": lambda data: {one.id: str(one.value) for one in library().of(Armour) if not one.shield},
    "gap.armour.shields": lambda data: {one.id: str(one.value) for one in library().of(Armour) if one.shield},
    "gap.weapon.melee": lambda data: weapons(data, "unwieldy"),
    "gap.weapon.missile": lambda data: weapons(data, "strength"),
    "gap.weapon.thrown": weapons,
    "gap.equipment.tools": lambda data: {
        name: (one.skills[0], str(one.bonus), one.uses) for name in data for one in [library().get(Gear, name)]
    },
    "gap.difficulty.observation": tasks,
    "gap.difficulty.locks": tasks,
    "gap.difficulty.information": lambda data: {
        **tasks(data),
        "per_century": library().get(Circumstance, "a_century_old").value,
        "guarded_secret": library().get(Circumstance, "guarded_secret").value,
    },
    "gap.equipment.prices": lambda data: {
        "coins": {name: str(worth) for name, worth in COINS.items()},
        "silver": {name: str(one.price) for name, one in items(library()).items() if one.price is not None},
    },
}


def plain(data: Any) -> Any:
    """A table without the difference between lists and tuples, or between numbers and their text."""
    if isinstance(data, str | int | Fraction) or data is None:
        return str(data)
    if isinstance(data, list | tuple):
        return [plain(one) for one in data]
    return {str(name): plain(one) for name, one in data.items()}


@pytest.mark.rule(
    "opend6.gap.difficulty.observation", "opend6.gap.difficulty.information", "opend6.gap.difficulty.locks"
)
@pytest.mark.parametrize(
    "table", [pytest.param(name, id=name, marks=pytest.mark.rule(f"opend6.{name}")) for name in TABLES]
)
def test_tables_of_the_book_are_in_the_pack(table: str) -> None:
    data = LEDGER[f"opend6.{table}"].data
    assert plain(TABLES[table](data)) == plain(data)


@pytest.mark.rule("opend6.gap.weapon.edges", "opend6.gap.equipment.carrying")
def test_blades_points_hands_and_ammunition() -> None:
    data, every = LEDGER["opend6.gap.weapon.edges"].data, list(library().of(Weapon))
    assert {one.id for one in every if one.blade} == set(data["blades"])
    assert {one.id for one in every if one.point} == set(data["points"])
    assert {one.id: one.reach for one in every if one.reach} == dict.fromkeys(data["reach_two_metres"], 2)
    assert {one.id: one.ammunition for one in every if one.ammunition} == dict(data["ammunition"])
    assert set(data["ammunition"].values()) == {one.id for one in library().of(Ammunition)}
    both = set(LEDGER["opend6.gap.equipment.carrying"].data["two_handed"])
    assert {one.id for one in every if one.hands == 2} == both
    assert {one.id for one in every if one.hands == 0} == {one.id for one in every if one.natural}
    assert all(one.hands == 1 for one in library().of(Armour) if one.shield)


def test_kinds_of_content() -> None:
    assert set(PEOPLE) <= set(KINDS)
    assert set(ITEMS) == {"weapons", "ammunition", "armour", "gear"}
    assert set(COMBAT_SKILLS) <= {one.id for one in library().of(Skill)}


# ---------------------------------------------------------------------- packs of your own


HEAD = 'pack: {id: mine, title: Mine, version: "1", origin: house}\nsystem: opend6\n'


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
