"""Rows of the pack that no ledger table holds figure by figure: natural weapons, chemicals, states, stress."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, OPTIONS, goal, library, person, session_of, somebody
from tablewright.game.lasting import Lasting
from tablewright.systems.renaissance.character.active import active
from tablewright.systems.renaissance.character.figures import movement, numbers, senses
from tablewright.systems.renaissance.content import (
    Chemical,
    CombatManeuver,
    Condition,
    Disease,
    Gear,
    Language,
    Race,
    Skill,
    StressSource,
    Tradition,
    Weapon,
)
from tablewright.systems.renaissance.grants import Companion, LuckBonus, Rival
from tablewright.systems.renaissance.now import now_with

NATURAL = {  # DV, AP, what an exceptional hit does, rake
    "shifter_claws": ("2d10", 2, "", None),
    "shifter_teeth": ("1d10+2", 2, "exceptional", None),
    "wolf_bite": ("1d10+4", 0, "exceptional", None),
    "wolverine_bite": ("1d10+2", 0, "", None),
    "wolverine_claws": ("1d10+3", 0, "", None),
    "cougar_bite": ("1d10+5", 0, "exceptional", "2d10+6"),
    "cougar_claws": ("1d10+6", 1, "exceptional", "2d10+6"),
    "bear_claws": ("2d10+6", 1, "", None),
    "bear_bite": ("1d10+7", 0, "", None),
    "raptor_bite": ("1d10+7", 1, "exceptional_charge", None),
    "horror_talons": ("2d10+10", 3, "", None),
}


@pytest.mark.rule("renaissance.gap.creature.list", "renaissance.natural.attacks")
@pytest.mark.parametrize(("name", "row"), NATURAL.items())
def test_natural_weapons(name: str, row: tuple[str, int, str, str | None]) -> None:
    weapon = library().get(Weapon, name)
    way = weapon.attacks[0]
    assert (str(way.dv), way.ap, weapon.grabs, str(weapon.rake) if weapon.rake else None) == row
    assert way.skill == "unarmed_combat"
    assert (weapon.natural, weapon.hands, set(weapon.tags)) == (True, 0, {"natural", "off_hand"})
    assert weapon.trips is (name == "raptor_bite")


ARMS = {
    "wolf": {"wolf_bite": 60},
    "wolverine": {"wolverine_bite": 70, "wolverine_claws": 70},
    "cougar": {"cougar_bite": 70, "cougar_claws": 70},
    "black_bear": {"bear_claws": 60, "bear_bite": 60},
    "raptor": {"raptor_bite": 70},
    "frozen_horror": {"horror_talons": 70},
    "commonwealth_soldier": {"halberd": 70},
}


@pytest.mark.rule("renaissance.gap.creature.list")
@pytest.mark.parametrize(("name", "totals"), ARMS.items())
def test_attacks_of_creatures(name: str, totals: dict[str, int]) -> None:
    one = person(name)
    now = now_with(one, session_of({"it": one}).scene["it"].status, OPTIONS, library())
    own = {arm.weapon.id: now.with_weapon(arm).total for arm in now.arms if arm.weapon.id != "unarmed"}
    assert own == totals
    if name == "commonwealth_soldier":
        arm = next(arm for arm in now.arms if arm.weapon.id == "halberd")
        assert (str(arm.dv), arm.ap, arm.reach) == ("2d10+12", 2, 2)
        assert (goal("fray", one), goal("stealth", one)) == (50, 40)  # in brigandine


MOVES = {
    "wolf": {"foot": (5, 15)},
    "wolverine": {"foot": (3, 9), "climb": (3, 9)},
    "cougar": {"foot": (4, 12), "climb": (4, 12)},
    "black_bear": {"foot": (4, 12), "climb": (3, 9)},
    "raptor": {"foot": (5, 15), "leap": (5, 15), "glide": (3, 9), "climb": (3, 9)},
    "commonwealth_soldier": {"foot": (5, 15)},
    "frozen_horror": {"foot": (4, 12), "climb": (3, 9), "leap": (5, 15)},
}


@pytest.mark.rule("renaissance.gap.creature.list")
@pytest.mark.parametrize(("name", "ways"), MOVES.items())
def test_movement_and_senses_of_creatures(name: str, ways: dict[str, tuple[int, int]]) -> None:
    found = movement(person(name), library())
    assert {way: (one.base, one.full) for way, one in found.items()} == ways
    sense = {"commonwealth_soldier": ("low_light", "scent"), "frozen_horror": ("blind_sight",)}
    assert senses(person(name), library()) == sense.get(name, ("scent",))


# ---------------------------------------------------------------------- chemicals


@pytest.mark.parametrize(("name", "amount"), LEDGER["renaissance.gap.hazard.chemicals"].data.items())
def test_what_is_thrown(name: str, amount: str) -> None:
    weapon = library().get(Weapon, name)
    assert weapon.used_up
    if name in ("grenade", "cocktail"):
        assert (str(weapon.attacks[0].dv), weapon.has("blast"), weapon.area) == (amount, True, None)
    else:
        assert weapon.area is not None
        assert weapon.has("splash")
        assert str(weapon.area.radius) == amount
    assert weapon.has("fire") is (name in ("grenade", "cocktail", "tar"))
    assert weapon.has("caustic") is (name == "scour")


@pytest.mark.rule("renaissance.gap.money.prices", "renaissance.gap.chemical.list")
def test_prices_of_chemicals() -> None:
    entries = [*library().of(Chemical), *[one for one in library().of(Weapon) if one.used_up]]
    prices = {one.id: one.price for one in entries if one.price is not None}
    minor = {"stim", "healing_draught", "numbing", "grenade", "cocktail", "smoke"}
    moderate = {"healing_potion", "monster", "blade_venom", "scour", "tar"}
    assert prices == dict.fromkeys(minor, "minor") | dict.fromkeys(moderate, "moderate")


def test_what_goes_on_after_it_was_thrown() -> None:
    cocktail, smoke, scour, tar = [library().get(Weapon, name) for name in ("cocktail", "smoke", "scour", "tar")]
    assert (str(cocktail.burning), cocktail.burning_turns) == ("1d10+2", 200)  # ten minutes
    assert smoke.area is not None
    assert smoke.area.cover == "partial"
    assert smoke.area.dv is None
    assert scour.area is not None
    assert (str(scour.area.dv), str(scour.area.objects), scour.area.put_out) == ("2d10", "1d10+3", "washed")
    assert tar.area is not None
    assert (str(tar.area.dv), tar.area.put_out) == ("1d10", "standard")


POTIONS: dict[str, dict[str, int]] = {
    "stim": {"INIT": 2},
    "numbing": {"INIT": -2, "negated_wounds": 1},
    "monster": {"DUR": 10, "STR": 10, "WT": 2, "DR": 20},
    "healing_draught": {},
}


@pytest.mark.rule("renaissance.gap.chemical.list")
@pytest.mark.parametrize(("name", "changes"), POTIONS.items())
def test_potions_change_figures(name: str, changes: dict[str, int]) -> None:
    one = somebody(race="human", SAV=15)
    given = active(((), (Lasting("chemical", source=name),), 0), library())
    before, after = numbers(one, library(), (), ()), numbers(one, library(), (), given)
    for figure in ("INIT", "DUR", "STR", "WT", "DR", "negated_wounds"):
        assert getattr(after, figure) - getattr(before, figure) == changes.get(figure, 0), figure
    assert after.aptitudes["SAV"] - before.aptitudes["SAV"] == (-10 if name == "monster" else 0)
    scene = session_of({"ann": one}).scene.change("ann", lasting=(Lasting("chemical", source=name),))
    from tablewright.systems.renaissance.book import rulebook

    sick = rulebook.check("resist_disease").read(rulebook.subject(scene["ann"], scene), {}).tallies["target"].total
    assert sick - 2 * after.DUR == (10 if name == "healing_draught" else 0)


def test_times_of_chemicals() -> None:
    hour, day = 3600, 86_400
    seconds = {one.id: (one.onset, one.duration) for one in library().of(Chemical)}
    assert seconds == {
        "stim": (0, hour),
        "healing_draught": (0, day),
        "numbing": (0, hour),
        "healing_potion": (0, 12 * hour),
        "monster": (0, hour),
        "blade_venom": (3, 60),
        "swallowed_scour": (0, 30),
    }
    hourly, after = library().get(Chemical, "healing_potion").tolls
    assert (hourly.heals, hourly.every, hourly.times) == (1, hour, 12)
    assert (after.heals_wounds, after.every, after.after_damage) == (1, 12 * hour, True)
    venom = library().get(Chemical, "blade_venom")
    toll = venom.tolls[0]
    assert (str(venom.resist), venom.spares, venom.coats, venom.nature) == ("DUR*2", "half", True, "poison")
    assert (str(toll.dv), toll.every, toll.times, toll.first) == ("1d10", 60, 2, True)
    draught = library().get(Chemical, "healing_draught").tolls[0]
    assert (draught.heals, draught.every) == (1, day)
    assert str(library().get(Chemical, "swallowed_scour").tolls[0].dv) == "3d10"


# ---------------------------------------------------------------------- states, diseases, stress


@pytest.mark.parametrize(("name", "sv"), LEDGER["renaissance.gap.stress.sources"].data.items())
def test_sources_of_stress(name: str, sv: str) -> None:
    source = library().get(StressSource, name)
    assert str(source.sv) == sv
    assert str(source.resist) == ("WIL*2" if name == "torture" else "WIL*3")
    assert source.on_success == ("half" if name == "manifestation" else "none")


def test_conditions() -> None:
    states = {one.id: one for one in library().of(Condition)}
    data = LEDGER["renaissance.prone.effects"].data
    assert (states["prone"].melee_against, states["prone"].ranged_against) == (
        data["melee_against"],
        data["ranged_against"],
    )
    bleeding, data = states["bleeding"], LEDGER["renaissance.condition.bleeding"].data
    assert (str(bleeding.dv), bleeding.every, bleeding.tracking) == (
        str(data["dv_per_minute"]),
        60,
        data["tracking_bonus"],
    )
    assert (bleeding.check, bleeding.minutes) == ("medicine", data["end"]["minutes"])
    assert (str(states["burning"].dv), states["burning"].every) == ("1d10", 3)
    assert [one.id for one in states.values() if one.no_actions] == [
        "stunned",
        "disabled",
        "overwhelmed",
        "unconscious",
    ]
    assert [one.id for one in states.values() if one.no_defense] == ["disabled", "unconscious"]
    assert [one.id for one in states.values() if one.only_escape] == ["grabbed"]


def test_more_about_diseases() -> None:
    data = LEDGER["renaissance.gap.disease.defaults"].data
    flu, plague, cough = [library().get(Disease, name) for name in ("flu", "black_death", "raking_cough")]
    assert [one.penalty for one in (flu, plague, cough)] == [data["flu"], 0, 0]
    assert {one.treatment_bonus for one in (flu, plague, cough)} == {data["treatment"]}
    assert [one.unconscious for one in (flu, plague, cough)] == [False, True, False]
    assert (cough.dur_loss, cough.dur_every) == (5, 30)
    scene = session_of({"ann": somebody()}).scene
    sick = scene.change("ann", lasting=(Lasting("disease", source="flu"),))
    from tablewright.systems.renaissance.book import rulebook

    for what in ("stealth", "realize"):
        plain = rulebook.check(what).read(rulebook.subject(scene["ann"], scene), {}).tallies["target"].total
        ill = rulebook.check(what).read(rulebook.subject(sick["ann"], sick), {}).tallies["target"].total
        assert ill - plain == data["flu"]


@pytest.mark.parametrize("name", ["disarm", "feint", "grab", "trip"])
def test_maneuvers_are_those_of_the_book(name: str) -> None:
    row, entry = LEDGER[f"renaissance.maneuver.{name}"].data, library().get(CombatManeuver, name)
    assert entry.action == row["action"]
    words = {"melee attack skill": "melee", "Resist Social Manipulation": "resist_social_manipulation"}
    assert entry.skill == words.get(row["check"], row["check"].lower().replace(" ", "_"))
    assert list(entry.against) == [words.get(one, one.lower().replace(" ", "_")) for one in row["against"]]
    assert entry.value == row.get("defense_modifier", 0)


# ---------------------------------------------------------------------- people and things


GROUPS = {
    "human": ("HHED",),
    "ash_elf": ("HHED",),
    "halfling": ("HHED",),
    "dwarf": ("HHED",),
    "orc": ("HHED",),
    "gnoll": ("GR",),
    "kobold": ("DDK",),
    "drake": ("DDK", "HHED"),
    "shifter": ("HHED", "GR"),
}


@pytest.mark.rule("renaissance.gap.language.groups")
@pytest.mark.parametrize(("race", "groups"), GROUPS.items())
def test_who_can_pronounce_what(race: str, groups: tuple[str, ...]) -> None:
    assert library().get(Race, race).groups == groups
    spoken = [one.id for one in library().of(Language) if one.group in groups]
    assert spoken


def test_gear() -> None:
    tools = {one.id: (one.tools_for, one.bonus) for one in library().of(Gear) if one.tools_for}
    assert tools["medicine_kit"] == (("medicine",), 0)
    assert tools["shop"] == (("craft",), 10)
    prices = {one.id: one.price for one in library().of(Gear)}
    assert [name for name, price in prices.items() if price == "major"] == ["shop"]
    assert None not in prices.values()
    assert [name for name, price in prices.items() if price == "minor"] == [
        "rope",
        "torch",
        "rations",
        "waterskin",
        "blanket",
    ]
    assert [one.id for one in library().of(Gear) if one.heavy] == ["shop", "trade_goods"]
    for weapon in library().of(Weapon):
        assert not weapon.heavy


CLASSES: dict[str, Any] = {
    "daredevil": (LuckBonus, {"value": 20}),
    "duelist": (Rival, {"bonus": 10, "penalty": -10}),
    "leader": (Companion, {"nature": "follower", "points": 450}),
    "corpse_herder": (Companion, {"nature": "minion", "ranks": 200, "minutes": 60, "repair_minutes": 30}),
}


@pytest.mark.rule("renaissance.gap.class.list")
@pytest.mark.parametrize(("name", "grant"), CLASSES.items())
def test_figures_of_classes(name: str, grant: tuple[type[Any], dict[str, Any]]) -> None:
    entry: Any = library().get("classes", name)
    kind, figures = grant
    found = next(one for one in entry.grants if isinstance(one, kind))
    assert {key: getattr(found, key) for key in figures} == figures


CATEGORIES = {
    "social": ["animal_handling", "barter", "deception", "disguise", "intimidate", "persuasion", "protocol", "read"],
    "movement": ["athletics", "fly", "ride"],
    "ranged_attack": ["projectile_weapons", "thrown_weapons"],
    "trade": ["barter", "craft", "profession"],
    "passive": ["knowledge", "language", "profession", "protocol"],
    "knowledge": ["art", "knowledge", "language", "medicine", "protocol", "research"],
    "technical": [
        "barter",
        "craft",
        "disable_device",
        "investigate",
        "knowledge",
        "medicine",
        "profession",
        "spellcraft",
    ],
    "mental": ["control", "knowledge", "language", "perception", "research", "spellcraft"],
    "exotic": ["exotic_skill"],
}


@pytest.mark.rule("renaissance.gap.skill.list")
@pytest.mark.parametrize(("category", "skills"), CATEGORIES.items())
def test_categories_of_skills(category: str, skills: list[str]) -> None:
    assert [one.id for one in library().of(Skill) if one.is_in(category)] == skills


@pytest.mark.rule("renaissance.gap.skill.list")
def test_combat_and_physical_skills() -> None:
    melee = ["bladed_weapons", "blunt_weapons", "pointed_weapons", "pole_arms", "unarmed_combat"]
    attack = sorted([*melee, "projectile_weapons", "thrown_weapons"])
    assert [one.id for one in library().of(Skill) if one.is_in("melee_attack")] == melee
    assert sorted([one.id for one in library().of(Skill) if one.is_in("attack")]) == attack
    combat = sorted([*attack, "fray", "intimidate", "stealth"])
    assert sorted([one.id for one in library().of(Skill) if one.is_in("combat")]) == combat
    others = ["athletics", "craft", "disable_device", "fly", "fray", "medicine", "ride", "search", "sleight_of_hand"]
    physical = sorted([*attack, *others, "spellcraft", "sport", "stealth", "survival"])
    assert sorted([one.id for one in library().of(Skill) if one.is_in("physical")]) == physical
    fields = ["art", "craft", "exotic_skill", "knowledge", "language", "profession", "sport"]
    assert [one.id for one in library().of(Skill) if one.field] == fields


def test_rituals_take_their_time() -> None:
    mage, psion, priest = [library().get(Tradition, name) for name in ("mage", "psion", "priest")]
    assert [step.minutes for step in mage.steps] == [240, 60]
    assert [step.minutes for step in psion.steps] == [240]
    assert [step.minutes for step in priest.steps] == [480, 240, 60, 0]
    assert (mage.ranks, psion.ranks) == (40, 40)
    assert [step.skills for step in mage.steps] == [("spellcraft",), ("spellcraft",)]


def test_a_minion_needs_no_points_and_a_follower_no_corpse() -> None:
    minion: Any = library().get("classes", "corpse_herder")
    follower: Any = library().get("classes", "leader")
    assert (minion.grants[0].points, str(minion.grants[0].repairs)) == (0, "1d10")
    assert (follower.grants[0].ranks, follower.grants[0].minutes, follower.grants[0].race) == (0, 0, "")


def test_who_can_be_played_and_who_is_an_animal() -> None:
    playable = [one.id for one in library().of(Race) if one.playable]
    assert playable == list(LEDGER["renaissance.gap.race.list"].data)
    animals = [one.id for one in library().of(Race) if one.animal]
    assert animals == ["wolf", "wolverine", "cougar", "black_bear", "raptor"]


@pytest.mark.rule("renaissance.gap.race.shifter")
def test_hybrid_features_figure_by_figure() -> None:
    def hybrid(*features: str) -> Any:
        return somebody(race="shifter", features=features, form="hybrid")

    climb = movement(hybrid("hybrid_climb"), library())["climb"]
    assert (climb.base, climb.full) == (3, 9)
    assert "climb" not in movement(hybrid("hybrid_claws"), library())
    base = goal("perception", hybrid("hybrid_claws"))
    assert goal("perception", hybrid("hybrid_hearing"), when=["hearing"]) - base == 20
    assert goal("perception", hybrid("hybrid_motion"), when=["moving_target"]) - base == 10
    assert senses(hybrid("hybrid_scent"), library()) == ("low_light", "scent")
    assert senses(hybrid("hybrid_motion"), library()) == ("low_light", "motion_sense")


APTITUDES = {  # COG COO INT REF SAV SOM WIL
    "wolf": (5, 5, 15, 10, 5, 20, 15),
    "wolverine": (3, 15, 10, 15, 3, 15, 25),
    "cougar": (3, 15, 10, 20, 3, 20, 20),
    "black_bear": (3, 10, 15, 10, 3, 20, 20),
    "raptor": (4, 10, 10, 20, 4, 20, 10),
}


@pytest.mark.rule("renaissance.gap.creature.list")
@pytest.mark.parametrize(("name", "row"), APTITUDES.items())
def test_the_aptitudes_of_creatures(name: str, row: tuple[int, ...]) -> None:
    own = person(name).aptitudes.model_dump()
    assert tuple([own[one] for one in ("COG", "COO", "INT", "REF", "SAV", "SOM", "WIL")]) == row


@pytest.mark.rule("renaissance.gap.class.companions")
def test_the_aptitudes_of_a_minion() -> None:
    own = person("corpse_minion").aptitudes.model_dump()
    assert own == {"COG": 5, "COO": 5, "INT": 5, "REF": 5, "SAV": 5, "SOM": 15, "WIL": 20}
