"""The starter pack: every table of the ledger row by row, what the book names, and packs that are wrong."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from each_case import each_case
from systems.renaissance.folk import LEDGER, OPTIONS, library, person, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError, ProblemListError
from tablewright.game.content.packs import read_pack
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import meant
from tablewright.systems.renaissance.content import (
    ITEMS,
    KINDS,
    CharacterClass,
    Disease,
    Power,
    PowerKind,
    Race,
    Skill,
    Spirit,
    Strike,
    Tradition,
    Trait,
    Weapon,
)
from tablewright.systems.renaissance.effects import FastHealing, Tag, Teleport, Words
from tablewright.systems.renaissance.now import now_with
from tablewright.systems.renaissance.values import DV, Formula

PACK = "pack: {id: own, title: Own, version: '1', origin: house}\nsystem: renaissance\n"


# ---------------------------------------------------------------------- weapons


@pytest.mark.rule("renaissance.gap.weapon.list", "renaissance.attack.skill")
@each_case(("name", "row"), LEDGER["renaissance.gap.weapon.list"].data.items())
def test_weapons_row_by_row(name: str, row: Any) -> None:
    weapon = library().get(Weapon, name)
    assert [way.skill for way in weapon.attacks] == list(row)
    place = {0: None, 1: "main", 2: "both"}[weapon.hands]
    carried = ({"item": name, "place": place},) if place else ()
    one = somebody(SOM=25, tweaks={"STR": 15}, skills=dict.fromkeys(row, 10), belongings=carried)  # DB is 7
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


@pytest.mark.rule("renaissance.unarmed.attack")
def test_bare_hands() -> None:
    data, unarmed = LEDGER["renaissance.unarmed.attack"].data, library().get(Weapon, "unarmed")
    assert (str(unarmed.attacks[0].dv), unarmed.attacks[0].ap) == (data["dv"], data["ap"])
    assert [tag.replace("_", "-").title() for tag in unarmed.tags] == list(data["tags"])
    assert unarmed.attacks[0].skill == meant(data["skill"])


THROWN = ("grenade", "cocktail", "smoke", "scour", "tar", "ball_of_fire")


@pytest.mark.rule("renaissance.ranged.throw_ranges")
@pytest.mark.parametrize("name", THROWN)
def test_bottles_and_fire_go_as_far_as_anything_thrown(name: str) -> None:
    data = LEDGER["renaissance.ranged.throw_ranges"].data
    way = library().get(Weapon, name).attacks[0]
    assert way.ranges == (data["short"], data["medium"], data["long"], data["extreme"])
    assert not way.dv.bonus


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


# ---------------------------------------------------------------------- strikes, diseases, magic


@pytest.mark.parametrize("strike", ["called_shot", "knock_down", "maim", "mighty_blow", "armor_gap"])
def test_strikes_are_those_of_the_book(strike: str) -> None:
    row, entry = LEDGER[f"renaissance.strike.{strike}"].data, library().get(Strike, strike)
    assert (entry.penalty, entry.melee_only) == (row["penalty"], row["melee_only"])
    assert entry.precision is (row.get("adds_tag") == "Precision")


@pytest.mark.parametrize("name", ["flu", "black_death", "raking_cough"])
def test_diseases_are_those_of_the_book(name: str) -> None:
    row, disease = LEDGER[f"renaissance.disease.{name}"].data, library().get(Disease, name)
    assert str(disease.resist) == row["resistance"]
    assert (disease.onset, disease.duration) == (row["onset_days"], row["duration_days"])
    assert list(disease.symptoms) == list(row["effects"])
    assert str(disease.dv or 0) == str(row.get("dv_per_day", 0))
    assert disease.dur_loss == -row.get("dur_per_month", 0)


@pytest.mark.rule("renaissance.power.definition")
def test_a_power_is_an_action_or_modifies_something() -> None:
    assert set(LEDGER["renaissance.power.definition"].data["fields"]) == {
        "name",
        "requires",
        "action",
        "effect",
        "modifies",
    }
    for power in library().of(Power):
        assert power.effects
        assert (power.action == "task") is bool(power.minutes)
    assert library().get(Power, "exploding_fireball").modifies == ("fireball",)
    jump = library().get(Power, "jump").effects[0]
    assert isinstance(jump, Teleport)
    assert jump.full_rates == 2


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
    session = session_of({"ann": person("mage")})
    session.do("renaissance.bless", who="ann", power="green_hand")
    assert "green_hand" in session.scene["ann"].character.powers
    assert rulebook.legality(session.scene["ann"].character, OPTIONS, library()).ok  # it costs nothing
    for power, reason in (("green_hand", "has Green Hand"), ("jump", "is learned, not granted")):
        with pytest.raises(IllegalActionError, match=reason):
            session.do("renaissance.bless", who="ann", power=power)
    session.do("renaissance.bless", who="ann", power="green_hand", back=True)
    assert "green_hand" not in session.scene["ann"].character.powers
    with pytest.raises(IllegalActionError, match="has not Green Hand"):
        session.do("renaissance.bless", who="ann", power="green_hand", back=True)


@pytest.mark.rule("renaissance.gap.magic.spirits")
@pytest.mark.parametrize(("name", "row"), LEDGER["renaissance.gap.magic.spirits"].data.items())
def test_spirits_row_by_row(name: str, row: Any) -> None:
    spirit = library().get(Spirit, name)
    assert (spirit.research, spirit.perform, spirit.bargain, spirit.will) == tuple(
        [row[key] for key in ("research", "perform", "bargain", "will")]
    )
    for boon in spirit.boons:
        assert library().get(Power, boon).granted_by == name


def test_traditions_are_those_of_the_book() -> None:
    mage, psion, priest = [library().get(Tradition, name) for name in ("mage", "psion", "priest")]
    assert (mage.skill, psion.skill) == ("spellcraft", "control")
    for tradition, rule in ((mage, "renaissance.magic.mage_scale"), (psion, "renaissance.magic.psion_scale")):
        data = LEDGER[rule].data
        assert [len(tradition.hours), len(tradition.days), len(tradition.weeks)] == [
            len(data[key]) for key in ("hours", "days", "weeks_or_months")
        ]
    steps = ("research", "design", "perform", "bargain")
    assert tuple([step.id for step in priest.steps]) == steps
    for at, step in enumerate(priest.steps):
        row = LEDGER[f"renaissance.magic.priest_{steps[at]}"].data
        assert row["order"] == at + 1
        assert step.minutes == 60 * row.get("hours", 0)
    assert [step.secret for step in priest.steps] == [False, True, True, False]
    assert (priest.steps[1].exceptional, priest.steps[1].critical) == (10, 20)


def test_every_grant_of_words_says_something() -> None:
    for kind in ("races", "traits", "classes"):
        for entry in library().of(kind):
            for grant in entry.grants:  # type: ignore[attr-defined]
                assert not isinstance(grant, Words) or len(grant.text) > 10


def test_every_entry_has_an_origin_and_things_have_one_name() -> None:
    for kind in KINDS:
        for entry in library().of(kind):
            assert entry.origin in ("seed", "upstream", "house")
    ids = [entry.id for kind in ITEMS for entry in library().of(kind)]
    assert len(ids) == len(set(ids))


# ---------------------------------------------------------------------- own packs


def test_own_packs_add_and_replace() -> None:
    own = PACK + "weapons:\n  - {id: dagger, name: Kris, attacks: [{skill: bladed_weapons, dv: 1d10+4+DB, ap: 3}]}\n"
    more = library().with_pack(read_pack(own, KINDS, library()))
    assert more.get(Weapon, "dagger").name == "Kris"
    assert more.get(Weapon, "mace").name == "Mace"


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
    with pytest.raises(ProblemListError) as error:
        read_pack(PACK + entry, KINDS, library())
    assert reason in str(error.value)


@pytest.mark.rule("renaissance.check.target_sources")
@pytest.mark.parametrize("text", ["XYZ", "XYZ*2", "SOM+XYZ", "som", "SOM*", "", "SOM*0"])
def test_a_target_is_made_of_known_figures(text: str) -> None:
    with pytest.raises(InvalidInputError) as error:
        Formula.parse(text)
    assert error.value.rule == "renaissance.check.target_sources"


@pytest.mark.rule("renaissance.check.target_sources")
def test_notations() -> None:
    for text in ("2d10+6+DB", "1d10", "1d10/2", "5", "1d10-1", "0"):
        assert str(DV.parse(text)) == text
    assert str(Formula.parse("COO+COO+REF")) == "COO*2+REF"
