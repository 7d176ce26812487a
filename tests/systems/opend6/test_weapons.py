"""Weapons and armour row by row: specialisations, throws by strength, what is knocked away, suits over each other."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, begin, fact, needed, person, plan
from systems.opend6.people import LEDGER, C, do, library, planned, session_of, somebody
from systems.playing import answer, asked
from tablewright.engine import Roll
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.systems.opend6.actions.aim import ranges
from tablewright.systems.opend6.actions.attack import KINDS, Kind, places_to_aim_at
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.figures import figures, hampered
from tablewright.systems.opend6.character.gear import Manner
from tablewright.systems.opend6.character.record import OpenD6Character, Specialisation
from tablewright.systems.opend6.content import Armour, Manoeuvre, Weapon
from tablewright.systems.opend6.events.attack import RangeRolled
from tablewright.systems.opend6.events.turn import Taken
from tablewright.systems.opend6.now import armour_of
from tablewright.systems.opend6.options import OpenD6Options

WEAPONS = {one.id: one for one in library().of(Weapon)}
SUITS = {one.id: one for one in library().of(Armour) if not one.shield}
LAYERS = OpenD6Options(armour_layering="layers")


def special(skill: str, subject: str, adds: str = "1D") -> dict[str, str]:
    """A specialisation, as a file has it."""
    return {"skill": skill, "subject": subject, "adds": adds}


# ---------------------------------------------------------------------- specialisations


@pytest.mark.rule("opend6.gap.creation.specialisations")
@each_case("name", list(WEAPONS))
def test_a_specialisation_counts_with_its_weapon_and_its_family_alone(name: str) -> None:
    weapon = WEAPONS[name]
    for subject in (weapon.name, name, *weapon.families):
        adept = somebody(specialisations=(Specialisation(skill=weapon.skill, subject=subject, adds=C("1D")),))
        found = figures(adept, library())
        assert found.with_weapon(weapon.skill, weapon) == C("3D")  # 2D of the attribute
        others = [one for one in WEAPONS.values() if one.id != name and not set(one.families) & set(weapon.families)]
        assert all(found.with_weapon(one.skill, one) == C("2D") for one in others)
    assert [kin for kin in WEAPONS if WEAPONS[kin].is_about(name)] == [name]


@pytest.mark.rule("opend6.gap.creation.specialisations")
def test_families_of_weapons() -> None:
    kin = {family: {one.id for one in WEAPONS.values() if family in one.families} for family in ("bows", "swords")}
    assert kin == {
        "bows": {"long_bow", "short_bow"},
        "swords": {"short_sword", "long_sword", "rapier", "two_handed_sword"},
    }


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.untrained.modifier")
def test_attack_and_parry_with_a_weapon_a_character_is_specialised_in() -> None:
    adept = person(skills={"melee_combat": "3D"}, specialisations=[special("melee_combat", "Swords")])
    session = begin(adept, FOE)
    assert (plan(session, "short_sword").throw.code, plan(session, "unarmed/tackle").throw.code) == (C("4D"), C("4D"))
    assert needed(session, "short_sword") == 5  # trained with swords, though not in the skill
    answer(session, "1", "parry::short_sword", [3, 3, 3, 3])
    assert session.scene["a"].status.defence.total == 12
    axe = begin(adept | {"belongings": [{"item": "hatchet", "place": "hand"}]}, FOE)
    assert (plan(axe, "hatchet").throw.code, needed(axe, "hatchet")) == (C("3D"), 10)


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.map.zero_rule")
def test_a_specialisation_lasts_for_more_actions() -> None:
    weak: dict[str, Any] = {"attributes": {"agility": "1D"}, "skills": {"melee_combat": "1D", "fighting": "4D"}}
    adept = begin(person(**weak, specialisations=[special("melee_combat", "short sword")]), FOE)
    answer(adept, "2")
    assert {"slash:b:short_sword", "parry::short_sword"} <= set(asked(adept))
    other = begin(person(**weak, specialisations=[special("melee_combat", "axes")]), FOE)
    answer(other, "2")
    assert not {"slash:b:short_sword", "parry::short_sword"} & set(asked(other))


@pytest.mark.rule("opend6.gap.creation.specialisations")
def test_the_sheet_has_the_code_with_each_weapon() -> None:
    sela = rulebook.character_of("ranger", library())
    assert isinstance(sela, OpenD6Character)
    weapons = next(one for one in rulebook.sheet(sela, OpenD6Options(), library()).sections if one.title == "Weapons")
    shown = {str(row[0]): str(row[1]) for row in weapons.rows}
    assert (shown["Long bow"], shown["Short sword"]) == ("6D+1", "4D")


# ---------------------------------------------------------------------- throws by strength


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(("name", "steps"), [("rock", (-2, -1, 0)), ("dart", (0, 1, 2))])
def test_range_of_a_throw(name: str, steps: tuple[int, int, int]) -> None:
    strong = person(skills={"lifting": "3D+2"}, belongings=[{"item": name, "place": "hand"}])
    fixed = begin(strong, FOE)
    assert ranges(fixed.scene, "a", WEAPONS[name]) == tuple([14 + step for step in steps])  # 4 x 3D and 2 pips
    rolled = begin(strong, FOE, options={"range.physique": "rolled"})
    assert ranges(rolled.scene, "a", WEAPONS[name]) == tuple([20 + step for step in steps])  # without a further six
    answer(rolled, "1", f"throw:b:{name}", [4, 3, 2])
    assert [line.metres for line in rolled.log if isinstance(line, RangeRolled)] == [11]


# ---------------------------------------------------------------------- whom one can strike, what drops


@pytest.mark.rule("opend6.gap.attack.hit")
def test_everybody_in_reach_is_offered_and_of_others_one_is_named() -> None:
    ground = {"ground": {"kind": "grid", "size": [30, 3]}}
    near = begin(
        HERO,
        FOE,
        FOE,
        **ground,
        places={"a": {"position": "0,0"}, "b": {"position": "2,0"}, "c": {"position": "2,1"}},
    )
    answer(near, "1")
    assert [name for name in asked(near) if name.startswith("slash")] == ["slash:b:short_sword", "slash:c:short_sword"]
    far = begin(
        HERO,
        FOE,
        FOE,
        **ground,
        places={"a": {"position": "0,0"}, "b": {"position": "20,0"}, "c": {"position": "21,0"}},
    )
    answer(far, "1")
    assert not [name for name in asked(far) if name.startswith("slash")]
    closed = [one.reason for one in far.question.closed if one.id == "slash"]  # type: ignore[union-attr]
    assert closed == ["Foe 1 is out of reach of the short sword"]


@pytest.mark.rule("opend6.gap.manoeuvre.disarm", "opend6.action.disarm")
def test_a_weapon_drops_before_a_shield() -> None:
    shield, sword = {"item": "buckler", "place": "hand"}, {"item": "short_sword", "place": "hand"}
    both = begin(HERO, person(FOE, belongings=[shield, sword]))
    answer(both, "1", "disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no")
    assert [one.item for one in both.scene["b"].belongings] == ["buckler"]
    alone = begin(HERO, person(FOE, belongings=[shield]))
    answer(alone, "1", "disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no")
    assert (alone.scene["b"].belongings, alone.scene.loose_items[0].item) == ((), "buckler")


@pytest.mark.rule("opend6.gap.manoeuvre.pinning")
@pytest.mark.parametrize(("faces", "loose"), [([4, 5], False), ([4, 6], True)])
def test_a_pinned_part_is_torn_loose_with_ten(faces: list[int], loose: bool) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3], "arm", "2", "escape", faces)
    assert (session.scene["b"].status.grip is None) is loose


@pytest.mark.rule("opend6.gap.difficulty.catching")
def test_catching_takes_the_throwers_total_or_nine_less() -> None:
    less = LEDGER["opend6.gap.difficulty.catching"].data["meant_to_be_caught"]
    for offered, faces, caught in [
        ("catch::14", [3, 3, 3, 4], False),
        ("catch::14", [3, 3, 4, 4], True),
        (f"catch::{14 + less}", [2, 1, 1, 1], True),
    ]:
        session = begin(HERO, FOE)
        fact(session, "a", "thrown", "14")
        answer(session, "1", offered, faces)
        said = [line.on for line in session.log if isinstance(line, Taken)]
        assert said == ["catches it" if caught else "does not catch it"]


@pytest.mark.rule("opend6.gap.manoeuvre.limits")
def test_nobody_is_flipped_or_tripped_who_lies_already() -> None:
    session = begin(HERO, FOE)
    answer(session, "2")
    downs = {"flip:b:unarmed/flip", "trip:b:unarmed/knockdown"}
    assert downs <= set(asked(session))
    answer(session, "trip:b:unarmed/knockdown", [5, 5, 5])
    assert not downs & set(asked(session))
    assert "push:b:unarmed/push" in asked(session)


# ---------------------------------------------------------------------- armour in layers


@pytest.mark.rule("opend6.gap.armour.layering")
@each_case("name", list(SUITS))
def test_which_suits_go_together(name: str) -> None:
    rows = LEDGER["opend6.gap.armour.layering"].data["layers"]
    (kind,) = [layer for layer, suits in rows.items() if name in suits]
    assert SUITS[name].layer == kind
    for other in SUITS:
        owned = (ItemStack(name, place="worn"), ItemStack(other, place="pack"))
        session = session_of({"ann": somebody("Ann", belongings=owned)}, LAYERS)
        both = somebody(kind="creature", belongings=(ItemStack(name, place="worn"), ItemStack(other, place="worn")))
        wrong = {one.rule for one in rulebook.legality(both, LAYERS, library()).violations}
        if other in rows[kind]:
            assert wrong == {"opend6.gap.armour.layering"}
            with pytest.raises(IllegalActionError, match="does not go together"):
                do(session, "wear", who="ann", item=other)
        else:
            assert wrong == set()
            do(session, "wear", who="ann", item=other)
            thin = [one for one in (name, other) if SUITS[one].layer in ("hide", "fabric")]
            full = sum([SUITS[one].value.in_pips for one in (name, other)])
            least = min([SUITS[one].value.in_pips for one in thin], default=0)
            worn = armour_of(session.scene["ann"].belongings, library()).in_pips
            assert worn == (full - least + 1 if thin else full)
        assert rulebook.legality(both, OpenD6Options(), library()).violations


@pytest.mark.rule("opend6.gap.armour.layering")
def test_layers_make_agility_harder() -> None:
    suits = [{"item": one, "place": "worn"} for one in ("soft_leather", "chain_mail", "hides")]
    sword = [{"item": "short_sword", "place": "hand"}]
    for count, harder in [(0, 0), (1, 0), (2, 4), (3, 8)]:
        session = begin(person(belongings=[*sword, *suits[:count]]), FOE, options={"armour.layering": "layers"})
        assert hampered(session.scene["a"].belongings, library()) == harder
        assert needed(session, "short_sword") == 5 + harder
        answer(session, "1", "dodge", [5, 4, 4, 4])
        assert session.scene["a"].status.defence.total == 17 - harder
    owned = tuple([ItemStack(one["item"], place="worn") for one in suits[:2]])
    ann = somebody(agility="3D", climbing="4D", search="4D", belongings=owned)
    told = {
        skill: planned(ann, skill, LAYERS, difficulty=10).tallies["difficulty"].total
        for skill in ("climbing", "search")
    }
    assert told == {"climbing": 14, "search": 10}
    assert planned(ann, "climbing", LAYERS, difficulty=10, use="distance").tallies["difficulty"].total == 10  # Physique
    assert planned(ann, "climbing", difficulty=10).tallies["difficulty"].total == 10


@pytest.mark.rule("opend6.gap.creature.body_points")
@pytest.mark.parametrize(("station", "points"), list(LEDGER["opend6.gap.creature.body_points"].data.items()))
def test_body_points_by_station(station: str, points: int) -> None:
    somebody_of_the_story = somebody(kind="creature", station=station)
    assert figures(somebody_of_the_story, library()).body_points == points
    assert figures(somebody_of_the_story.changed(body_points=33), library()).body_points == 33
    assert {"kids_elderly": 5, "bystanders_animals": 10, "minor_villains": 15, "major": 20}[station] == points


@pytest.mark.rule("opend6.gap.manoeuvre.list")
@each_case("kind", KINDS)
def test_only_a_manoeuvre_of_the_list_goes_further(kind: Kind) -> None:
    manoeuvres = [one for one in library().of(Manoeuvre) if one.id == kind.manoeuvre]
    assert kind.extra_cm == sum([one.reach_cm for one in manoeuvres])


CROSSBOW: list[dict[str, Any]] = [
    {"item": "light_crossbow", "place": "hands"},
    {"item": "bolt", "count": 9, "place": "pack"},
]


@pytest.mark.rule("opend6.gap.weapon.reload")
def test_a_light_crossbow_is_never_loaded_and_shot_in_one_round() -> None:
    session = begin(person(belongings=CROSSBOW), FOE)
    answer(session, "1", "shoot:b:light_crossbow", [1, 1, 1, 1], "1", "stop")
    answer(session, "2", "ready_weapon::light_crossbow")
    with pytest.raises(IllegalActionError, match="in which it was loaded"):
        session.rulebook.actions.check(session.scene, "a", ActionUse("shoot", "b", "light_crossbow"))
    answer(session, "stop", "1", "stop", "1")
    assert "shoot:b:light_crossbow" in asked(session)


@pytest.mark.rule("opend6.gap.weapon.reload")
def test_a_loaded_weapon_is_drawn_and_shot_in_the_same_round() -> None:
    session = begin(person(belongings=[one | {"place": "pack"} for one in CROSSBOW]), FOE)
    answer(session, "2", "ready_weapon::light_crossbow")
    assert "shoot:b:light_crossbow" in asked(session)


@pytest.mark.rule("opend6.gap.manoeuvre.disarm", "opend6.gap.attack.called_shot")
@pytest.mark.parametrize(
    ("item", "place", "harder"),
    [("dagger", "hand", 3), ("long_sword", "hand", 0), ("short_bow", "hands", 0), ("buckler", "hand", 3)],
)
def test_a_disarmed_item_has_its_own_size(item: str, place: str, harder: int) -> None:
    session = begin(HERO, person(FOE, belongings=[{"item": item, "place": place}]))
    (size,) = places_to_aim_at(session.scene, Manner.parse("short_sword/disarm"), "b")
    assert needed(session, f"short_sword/disarm/{size}") == 5 + harder
    answer(session, "1", "disarm:b:short_sword/disarm")
    assert isinstance(session.question, Roll)  # no one is asked for the size
