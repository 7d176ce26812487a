"""The starter pack: weapons row by row, what the book names, powers, and packs that are wrong."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from each_case import each_case
from systems.renaissance.fights import then
from systems.renaissance.folk import LEDGER, OPTIONS, creature, library, library_with, person, refused, session_of
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import meant
from tablewright.systems.renaissance.content import (
    ITEMS,
    KINDS,
    CharacterClass,
    Power,
    PowerKind,
    Race,
    Skill,
    Trait,
    Weapon,
)
from tablewright.systems.renaissance.effects import FastHealing, Tag
from tablewright.systems.renaissance.now import now_with
from tablewright.systems.renaissance.values import DV, Formula

# ---------------------------------------------------------------------- weapons


@pytest.mark.rule("renaissance.gap.weapon.list", "renaissance.attack.skill")
@each_case(("name", "row"), LEDGER["renaissance.gap.weapon.list"].data.items())
def test_weapons_row_by_row(name: str, row: Any) -> None:
    weapon = library().get(Weapon, name)
    assert [way.skill for way in weapon.attacks] == list(row)
    place = {0: None, 1: "main", 2: "both"}[weapon.hands]
    carried = ({"item": name, "place": place},) if place else ()
    one = creature(SOM=25, tweaks={"STR": 15}, skills=dict.fromkeys(row, 10), belongings=carried)  # DB is 7
    session = session_of({"ann": one})
    now = now_with(one, session.scene["ann"].status, OPTIONS, library())
    arms = {arm.attack.skill: arm for arm in now.arms if arm.weapon.id == name}
    for skill, figures in row.items():
        arm = arms[skill]
        written = DV.parse(figures["dv"])
        assert (arm.dv.dice, arm.dv.plus) == (written.dice, written.plus + 7 * written.bonus)
        assert arm.ap == figures["ap"]
        assert list(arm.attack.ranges) == list(figures.get("ranges", []))
        assert now.with_weapon(arm).total == (25 if library().get(Skill, skill).aptitude == "SOM" else 15) + 10


# ---------------------------------------------------------------------- what the book names


@pytest.mark.rule("renaissance.character.content_named")
def test_everything_that_the_book_names_is_there() -> None:
    data = LEDGER["renaissance.character.content_named"].data
    for name in data["classes"]:
        assert library().has(CharacterClass, meant(name))
    for kind, model in (("traits", Trait), ("powers", Power), ("items", Weapon), ("races", Race)):
        for name in data[kind]:
            assert library().has(model, meant(name)), name
    for name in data["tags"]:
        assert meant(name) in get_args(Tag)
    assert data["abilities"] == ("Fast Healing",)
    assert any(isinstance(grant, FastHealing) for race in library().of(Race) for grant in race.grants)


# ---------------------------------------------------------------------- powers, and all entries


@pytest.mark.rule("renaissance.power.definition")
def test_a_power_is_an_action_or_modifies_something() -> None:
    fields = {"name", "requires", "action", "effect", "modifies"}
    assert set(LEDGER["renaissance.power.definition"].data["fields"]) == fields
    for power in library().of(Power):
        assert power.effects
        assert (power.action == "task") is bool(power.minutes)
    assert library().get(Power, "exploding_fireball").modifies == ("fireball",)


@pytest.mark.rule("renaissance.power.categories")
def test_the_four_kinds_of_powers() -> None:
    data = LEDGER["renaissance.power.categories"].data
    assert [meant(name) for name in data] == list(get_args(PowerKind))
    assert meant("Blessing") == "boon"
    for power in library().of(Power):
        if "spell" in power.kinds:
            assert "spellcraft" in power.needs.skills
        if "sleight" in power.kinds:
            assert "control" in power.needs.skills
        if "maneuver" in power.kinds:
            skills = [library().get(Skill, key) for key in power.needs.skills]
            assert any("combat" in skill.categories for skill in skills) or power.needs.categories
        if "boon" in power.kinds:
            assert power.granted_by is not None


@pytest.mark.rule("renaissance.power.categories", "renaissance.gap.power.requirements")
def test_spirits_grant_boons_and_take_them_back() -> None:
    session = then(session_of({"ann": person("mage")}), "bless", who="ann", power="green_hand")
    assert "green_hand" in session.scene["ann"].character.powers
    assert rulebook.legality(session.scene["ann"].character, OPTIONS, library()).ok  # it costs nothing
    refused(session, "bless", "has Green Hand", who="ann", power="green_hand")
    refused(session, "bless", "is learned, not granted", who="ann", power="jump")
    then(session, "bless", who="ann", power="green_hand", back=True)
    assert "green_hand" not in session.scene["ann"].character.powers
    refused(session, "bless", "has not Green Hand", who="ann", power="green_hand", back=True)


def test_every_entry_has_an_origin_and_things_have_one_name() -> None:
    for kind in KINDS:
        for entry in library().of(kind):
            assert entry.origin in ("seed", "upstream", "house")
    ids = [entry.id for kind in ITEMS for entry in library().of(kind)]
    assert len(ids) == len(set(ids))


# ---------------------------------------------------------------------- own packs


def test_own_packs_add_and_replace() -> None:
    more = library_with(
        "weapons:\n  - {id: dagger, name: Kris, attacks: [{skill: bladed_weapons, dv: 1d10+4+DB, ap: 3}]}\n"
    )
    assert (more.get(Weapon, "dagger").name, more.get(Weapon, "mace").name) == ("Kris", "Mace")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("weapons:\n  - {id: gun, name: Gun, attacks: [{skill: guns, dv: 1d10}]}\n", "no skills"),
        ("weapons:\n  - {id: gun, name: Gun, attacks: [{skill: fray, dv: lots}]}\n", "is not an amount"),
        ("numbers:\n  - {id: luck, name: Luck, formula: FUN*3}\n", "is not a target"),
        ("traits:\n  - {id: odd, name: Odd, nature: strange, grants: [{grant: armor, value: 1}]}\n", "nature"),
        ("powers:\n  - {id: fly, name: Fly, kinds: [spell], action: quick, effects: [{effect: flight}]}\n", "effect"),
    ],
)
def test_wrong_packs_are_refused(entry: str, reason: str) -> None:
    with pytest.raises(ProblemListError, match=reason):
        library_with(entry)


@pytest.mark.rule("renaissance.check.target_sources")
def test_a_target_is_made_of_known_figures() -> None:
    for text in ("XYZ", "XYZ*2", "SOM+XYZ", "som", "SOM*", "", "SOM*0"):
        with pytest.raises(InvalidInputError) as error:
            Formula.parse(text)
        assert error.value.rule == "renaissance.check.target_sources"
    for text in ("2d10+6+DB", "1d10", "1d10/2", "5", "1d10-1", "0"):
        assert str(DV.parse(text)) == text
    assert str(Formula.parse("COO+COO+REF")) == "COO*2+REF"
