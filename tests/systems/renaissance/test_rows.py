"""Creatures, chemicals, diseases and maneuvers of the pack in use: figures that follow from several entries."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, OPTIONS, goal, library, person, session_of, somebody
from tablewright.game.play.effects import Effect
from tablewright.systems.renaissance.character.figures import active, movement, numbers, senses
from tablewright.systems.renaissance.content import (
    CombatManeuver,
    Disease,
    StressSource,
    Weapon,
)
from tablewright.systems.renaissance.now import now_with

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
def test_thrown_items(name: str, amount: str) -> None:
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
    given = active(((), (Effect("chemical", source=name),), 0), library())
    before, after = numbers(one, library(), (), ()), numbers(one, library(), (), given)
    for figure in ("INIT", "DUR", "STR", "WT", "DR", "negated_wounds"):
        assert getattr(after, figure) - getattr(before, figure) == changes.get(figure, 0), figure
    assert after.aptitudes["SAV"] - before.aptitudes["SAV"] == (-10 if name == "monster" else 0)
    scene = session_of({"ann": one}).scene.with_status("ann", lasting=(Effect("chemical", source=name),))
    from tablewright.systems.renaissance.book import rulebook

    sick = rulebook.check("resist_disease").read(rulebook.subject(scene["ann"], scene), {}).tallies["target"].total
    assert sick - 2 * after.DUR == (10 if name == "healing_draught" else 0)


# ---------------------------------------------------------------------- states, diseases, stress


@pytest.mark.parametrize(("name", "sv"), LEDGER["renaissance.gap.stress.sources"].data.items())
def test_sources_of_stress(name: str, sv: str) -> None:
    source = library().get(StressSource, name)
    assert str(source.sv) == sv
    assert str(source.resist) == ("WIL*2" if name == "torture" else "WIL*3")
    assert source.on_success == ("half" if name == "manifestation" else "none")


def test_more_about_diseases() -> None:
    data = LEDGER["renaissance.gap.disease.defaults"].data
    flu, plague, cough = [library().get(Disease, name) for name in ("flu", "black_death", "raking_cough")]
    assert [one.penalty for one in (flu, plague, cough)] == [data["flu"], 0, 0]
    assert {one.treatment_bonus for one in (flu, plague, cough)} == {data["treatment"]}
    assert [one.unconscious for one in (flu, plague, cough)] == [False, True, False]
    assert (cough.dur_loss, cough.dur_every) == (5, 30)
    scene = session_of({"ann": somebody()}).scene
    sick = scene.with_status("ann", lasting=(Effect("disease", source="flu"),))
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
