"""Weapons in play: specialisations, how far a throw goes, whom one can strike, readying, loading and reloading."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import BOW, FOE, HERO, MISS, begin, field, needed, person, plan, weapon
from systems.opend6.people import C, library, somebody
from systems.playing import answer, asked, last
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.systems.opend6.actions.aim import band, ranges
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.record import Specialisation
from tablewright.systems.opend6.content import Weapon

WEAPONS = {one.id: one for one in library().of(Weapon)}


def carried(*things: tuple[str, str], **counts: int) -> list[dict[str, Any]]:
    """Things with their places, and how many of some others are in the pack."""
    held = [{"item": item, "place": place} for item, place in things]
    return [*held, *[{"item": item, "count": count, "place": "pack"} for item, count in counts.items()]]


# ---------------------------------------------------------------------- specialisations


@pytest.mark.rule("opend6.gap.creation.specialisations")
@each_case("name", list(WEAPONS))
def test_a_specialisation_counts_with_its_weapon_and_its_family_alone(name: str) -> None:
    own = WEAPONS[name]
    for subject in (own.name, name, *own.families):
        adept = somebody(specialisations=(Specialisation(skill=own.skill, subject=subject, adds=C("1D")),))
        found = figures(adept, library())
        assert found.with_weapon(own.skill, own) == C("3D")  # 2D of the attribute
        others = [one for one in WEAPONS.values() if one.id != name and not set(one.families) & set(own.families)]
        assert all(found.with_weapon(one.skill, one) == C("2D") for one in others)
    assert [kin for kin in WEAPONS if WEAPONS[kin].is_about(name)] == [name]
    assert {one.id for one in WEAPONS.values() if "bows" in one.families} == {"long_bow", "short_bow"}


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.untrained.modifier", "opend6.map.zero_rule")
def test_attack_and_parry_with_a_weapon_a_character_is_specialised_in() -> None:
    swords = [{"skill": "melee_combat", "subject": "Swords", "adds": "1D"}]
    adept = person(skills={"melee_combat": "3D"}, specialisations=swords)
    session = begin(adept, FOE)
    assert (plan(session, "short_sword").throw.code, plan(session, "unarmed/tackle").throw.code) == (C("4D"), C("4D"))
    assert needed(session, "short_sword") == 5  # trained with swords, though not in the skill
    answer(session, "1", "parry::short_sword", [3, 3, 3, 3])
    assert session.scene["a"].status.defence.total == 12
    axe = begin(adept | {"belongings": carried(("hatchet", "hand"))}, FOE)
    assert (plan(axe, "hatchet").throw.code, needed(axe, "hatchet")) == (C("3D"), 10)
    weak: dict[str, Any] = {"attributes": {"agility": "1D"}, "skills": {"melee_combat": "1D", "fighting": "4D"}}
    for special in (swords, []):  # one die more lasts for two actions
        offered = asked(answer(begin(person(**weak, specialisations=special), FOE), "2"))
        assert len({"slash:b:short_sword", "parry::short_sword"} & set(offered)) == 2 * len(special)


# ---------------------------------------------------------------------- how far


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(("name", "steps"), [("rock", (-2, -1, 0)), ("dart", (0, 1, 2))])
def test_range_of_a_throw(name: str, steps: tuple[int, int, int]) -> None:
    strong = person(skills={"lifting": "3D+2"}, belongings=carried((name, "hand")))
    fixed = begin(strong, FOE, **field(a="0,0", b="14,0"))
    assert ranges(fixed.scene, "a", WEAPONS[name]) == tuple([14 + step for step in steps])  # 4 x 3D and 2 pips
    assert band(fixed.scene, "a", "b", weapon(fixed, name)) == ("long" if name == "rock" else "short")
    rolled = begin(strong, FOE, options={"range.physique": "rolled"})
    assert ranges(rolled.scene, "a", WEAPONS[name]) == tuple([20 + step for step in steps])  # without a further six
    answer(rolled, "1", f"throw:b:{name}", [4, 3, 2])
    assert last(rolled, "RangeRolled").metres == 11


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(
    ("metres", "faces", "hitting"),
    [
        (12, [4, 4, 4], [5, 5, 5, 5]),  # exactly as far as it goes: long range, 10 more
        (12, [4, 4, 3], None),
        (12, [5, 4, 4], [5, 4, 4, 2]),  # short 11, medium 12, long 13
        (12, [5, 5, 4], [2, 3, 3, 2]),
        (15, [5, 5, 5], [5, 5, 5, 5]),  # further than four metres a die
        (18, [6, 5, 4, 4], [5, 5, 5, 5]),
        (19, None, None),  # out of reach without another six
    ],
)
def test_a_throw_goes_as_far_as_it_is_rolled(metres: int, faces: list[int] | None, hitting: list[int] | None) -> None:
    rocks = person(belongings=[{"item": "rock", "place": "hand", "count": 2}])
    session = answer(begin(rocks, FOE, **field(a="0,0", b=f"{metres},0"), options={"range.physique": "rolled"}), "1")
    assert ("throw:b:rock" in asked(session)) is (faces is not None)
    if faces is None:
        return
    answer(session, "throw:b:rock", faces)
    if hitting is not None:
        assert last(session, "RangeRolled").metres == sum(faces)
        answer(session, hitting, [3, 3], [3, 3, 3])
        assert session.scene["a"].status.thrown == 0
    assert last(session, "Struck").hit is (hitting is not None)


@pytest.mark.rule("opend6.gap.attack.hit")
def test_everybody_in_reach_is_offered_and_of_others_one_is_named() -> None:
    near = answer(begin(HERO, FOE, FOE, **field(a="0,0", b="2,0", c="2,1")), "1")
    assert [name for name in asked(near) if name.startswith("slash")] == ["slash:b:short_sword", "slash:c:short_sword"]
    far = answer(begin(HERO, FOE, FOE, **field(a="0,0", b="20,0", c="21,0")), "1")
    assert not [name for name in asked(far) if name.startswith("slash")]
    closed = [one.reason for one in far.question.closed if one.id == "slash"]  # type: ignore[union-attr]
    assert closed == ["Foe 1 is out of reach of the short sword"]


# ---------------------------------------------------------------------- readying and loading


@pytest.mark.rule("opend6.gap.weapon.reload", "opend6.action.ready_weapon")
def test_a_bow_is_readied_with_an_action_and_arrows_are_used_up() -> None:
    session = answer(begin(person(belongings=BOW), FOE), "3", "shoot:b:short_bow", [2, 1])
    assert "shoot:b:short_bow" not in asked(session)
    answer(session, "ready_weapon::short_bow", "shoot:b:short_bow", [2, 1])
    assert [one.count for one in session.scene["a"].belongings if one.item == "arrow"] == [3]


@pytest.mark.rule("opend6.gap.weapon.reload", "opend6.action.ready_weapon")
def test_of_two_alike_weapons_the_empty_one_is_readied_first() -> None:
    bows = carried(("short_bow", "hands"), ("short_bow", "pack"), arrow=5)
    offered = asked(answer(begin(person(belongings=bows), FOE), "2", "shoot:b:short_bow", [2, 1, 1]))
    assert [one for one in offered if one.startswith("ready_weapon")] == ["ready_weapon::short_bow"]
    assert len(set(offered)) == len(offered)


@pytest.mark.rule("opend6.action.ready_weapon")
@pytest.mark.parametrize(
    ("drawn", "places"), [("long_bow", ["pack", "pack", "hands"]), ("dagger", ["pack", "hand", "hand"])]
)
def test_drawing_puts_away_what_is_in_the_way(drawn: str, places: list[str]) -> None:
    mine = carried(("short_sword", "hand"), ("buckler", "hand"), (drawn, "pack"))
    session = answer(begin(person(belongings=mine), FOE), "1", f"ready_weapon::{drawn}")
    found = {one.item: one.place for one in session.scene["a"].belongings}
    assert [found[name] for name in ("short_sword", "buckler", drawn)] == places


@pytest.mark.rule("opend6.action.ready_weapon")
@pytest.mark.parametrize(("faces", "ready"), [([4, 3, 3], True), ([3, 3, 3], False)])
def test_under_stress_readying_a_weapon_takes_a_roll(faces: list[int], ready: bool) -> None:
    session = begin(person(belongings=carried(("short_sword", "pack"))), FOE)
    session.do("table.set_fact", who="a", fact="stress", value="10")
    answer(session, "2", "ready_weapon::short_sword", faces)
    assert (session.scene["a"].belongings[0].place == "hand") is ready
    assert session.scene["a"].status.left == 1


@pytest.mark.rule("opend6.map.equipment_limit", "opend6.gap.weapon.reload")
@pytest.mark.parametrize(
    ("name", "missile"), [("light_crossbow", "bolt"), ("heavy_crossbow", "bolt"), ("hand_crossbow", "crossbow_dart")]
)
def test_a_crossbow_is_shot_once_in_a_round(name: str, missile: str) -> None:
    session = answer(begin(person(belongings=carried((name, "hands"), **{missile: 9})), FOE), "3")
    for fired, rules in (((), [None]), ((name,), ["opend6.map.equipment_limit"])):
        scene = session.scene.with_status("a", fired=fired)
        offers = session.rulebook.actions.options(scene, "a", among=["shoot"])
        assert [getattr(one, "rule", None) for one in offers] == rules
    answer(session, f"shoot:b:{name}", [2, 1])
    assert f"ready_weapon::{name}" not in asked(session)


@pytest.mark.rule("opend6.gap.weapon.reload")
def test_a_crossbow_takes_its_time_to_load() -> None:
    light = begin(person(belongings=carried(("light_crossbow", "hands"), bolt=9)), FOE)
    answer(light, "1", "shoot:b:light_crossbow", MISS, "1", "stop", "2", "ready_weapon::light_crossbow")
    with pytest.raises(IllegalActionError, match="in which it was loaded"):
        light.rulebook.actions.check(light.scene, "a", ActionUse("shoot", "b", "light_crossbow"))
    answer(light, "stop", "1", "stop", "1")
    assert "shoot:b:light_crossbow" in asked(light)
    heavy = begin(person(belongings=carried(("heavy_crossbow", "hands"), bolt=9)), FOE)
    answer(heavy, "1", "shoot:b:heavy_crossbow", MISS, "1", "stop", "2")
    assert "ready_weapon::heavy_crossbow" not in asked(heavy)
    drawn = begin(person(belongings=carried(("light_crossbow", "pack"), bolt=9)), FOE)
    answer(drawn, "2", "ready_weapon::light_crossbow")
    assert "shoot:b:light_crossbow" in asked(drawn), "it was loaded before the fight"
