"""Sustained actions in and out of combat, help by several, bare hands beside weapons, gifts that fit the moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import at_home, defended, fighter, goal, held, playing, scene_with, went, with_status
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.evolve import evolve
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.actions.attack import volley_of
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.now import now

MAGE = fighter("Ann", race="human", powers=("fortify", "blur", "master"))
BOB, CAT = fighter("Bob", ("mace", "main")), fighter("Cat")
BLUR = (Sustained("blur"),)


# ---------------------------------------------------------------------- sustaining


@pytest.mark.rule("renaissance.action.sustained", "renaissance.action.sustain_penalty")
def test_things_are_sustained_outside_of_combat() -> None:
    session = playing(at_home(MAGE, BOB), "renaissance.sustain", who="ann", what="watching the box")
    before = now(session.scene, "ann").skill("perception").total
    assert session.scene["ann"].status.sustained == (Sustained("watching the box", power=False),)
    session.do("renaissance.sustain", who="ann", what="fortify", figure="DUR")
    assert now(session.scene, "ann").skill("perception").total == before - 10
    assert session.scene["ann"].status.durability == 35
    session.do("renaissance.stop_sustaining", who="ann", what="watching the box")
    assert now(session.scene, "ann").skill("perception").total == before
    assert [one.what for one in session.scene["ann"].status.sustained] == ["fortify"]


@pytest.mark.rule("renaissance.action.sustained", "renaissance.combat.sustain_cost")
@pytest.mark.parametrize(
    ("process", "given", "refused"),
    [
        ("sustain", {"what": "blur"}, "sustains that already"),
        ("sustain", {"what": "heal"}, "cannot sustain Heal"),
        ("sustain", {"what": "fortify"}, "raises one of COG"),
        ("sustain", {"what": "fortify", "figure": "LUCK"}, "raises one of COG"),
        ("stop_sustaining", {"what": "master"}, 'sustains no "master"'),
    ],
)
def test_unsustainable_powers_are_refused(process: str, given: dict[str, Any], refused: str) -> None:
    scene = with_status(at_home(MAGE, BOB), "ann", sustained=BLUR)
    with pytest.raises((IllegalActionError, InvalidInputError), match=refused):
        playing(scene, f"renaissance.{process}", who="ann", **given)


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.injury.damage_track")
def test_in_combat_sustaining_is_an_action() -> None:
    fight = with_status(scene_with((MAGE, 5, 5), (BOB, 6, 5)), "ann", sustained=BLUR)
    for process, what in (("sustain", "master"), ("stop_sustaining", "blur")):
        with pytest.raises(IllegalActionError, match="takes a quick action"):
            playing(fight, f"renaissance.{process}", who="ann", what=what)
    with pytest.raises(IllegalActionError, match="cannot act"):
        playing(with_status(at_home(MAGE, BOB), "ann", damage=30), "renaissance.sustain", who="ann", what="master")


@pytest.mark.rule("renaissance.combat.sustain_cost")
@pytest.mark.parametrize(("stunned", "costs", "left"), [(True, True, 0), (True, False, 1), (False, True, 1)])
def test_a_character_who_is_stunned_at_the_start_of_a_turn_sustains_nothing(
    stunned: bool, costs: bool, left: int
) -> None:
    scene = scene_with((MAGE, 5, 5), (BOB, 6, 5), sustain_costs_quick_action=costs)
    scene = with_status(
        replace(scene, turn=None), "ann", sustained=(Sustained("fortify", choice="DUR"),), durability=35
    )
    session = playing(held(scene, "ann", "stunned") if stunned else scene)
    status = session.scene["ann"].status
    assert (len(status.sustained), status.durability) == (left, 35 if left else 30)
    assert [one.sustained for one in events(session, "SustainChanged")] == ([] if left else [()])


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.disease.black_death", "renaissance.stress.track")
def test_a_character_who_is_unconscious_or_overwhelmed_sustains_nothing() -> None:
    scene = with_status(at_home(MAGE, BOB), "ann", sustained=(Sustained("fortify", choice="DUR"),), durability=35)
    session = went(scene, 99, process="renaissance.expose", who="ann", disease="black_death")
    session.do("renaissance.rest", days=3)
    status = session.scene["ann"].status
    assert (status.has("unconscious"), status.sustained, status.durability) == (True, (), 30)
    nearly = with_status(scene, "ann", stress=40)
    broken = went(nearly, 99, 1, process="renaissance.stress", who="ann", source="torture").scene["ann"].status
    assert (broken.overwhelmed, broken.sustained, broken.durability) == (True, (), 30)


# ---------------------------------------------------------------------- assisting


@pytest.mark.rule("renaissance.modifier.assist", "renaissance.gap.class.soldier")
def test_three_soldiers_assist_one_and_all_have_helped_then() -> None:
    ann = fighter("Ann", ("short_sword", "main"))
    soldiers = [fighter(name, classes=("soldier",)) for name in ("Dan", "Eve", "Fay", "Gus")]
    people = [(ann, 5, 5), (BOB, 6, 5), *[(one, 5, 6 + at % 2) for at, one in enumerate(soldiers)]]
    scene = scene_with(*people)
    for one in soldiers:
        scene = scene.with_participant(evolve(scene[one.name.lower()], side="party"))
    plain = goal(scene, "short_sword")
    for at, who in enumerate(("dan", "eve", "fay")):
        assert goal(scene, "short_sword") == plain + 10 * at
        session = playing(replace(scene, turn=who))
        assert "assist:ann" in offered(session)
        scene = answer(session, "assist:ann").scene
        fresh = with_status(replace(scene, turn=who), who, spent=Ranks())
        assert "assist:ann" not in offered(playing(fresh))  # each of them once
    assert goal(scene, "short_sword") == plain + 30
    assert "assist:ann" not in offered(playing(replace(scene, turn="gus")))
    struck = went(replace(scene, turn="ann"), "attack:bob:short_sword", "plain", 99)
    assert goal(struck.scene, "short_sword") == plain
    assert last(struck, "Attacked").result == "miss"


# ---------------------------------------------------------------------- bare hands


@pytest.mark.rule("renaissance.multi.off_hand", "renaissance.unarmed.attack", "renaissance.multi.attacks")
def test_a_free_off_hand_strikes_beside_the_weapon_as_an_off_hand() -> None:
    scene = scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (CAT, 6, 5))
    assert [(arm.key, arm.hand) for arm in now(scene, "ann").arms] == [
        ("short_sword", "main"),
        ("unarmed", ""),
        ("unarmed@off", "off"),
    ]
    assert volley_of(scene, "ann", "cat") == ("short_sword", "unarmed@off")
    assert (goal(scene, "unarmed", foe="cat"), goal(scene, "unarmed@off", foe="cat")) == (50, 40)
    session = went(scene, "attack_with_all:cat", "plain", 99)
    assert goal(session.scene, "unarmed@off", foe="cat") == 30
    left = scene_with((fighter("Ann", ("dagger", "off")), 5, 5), (CAT, 6, 5))
    assert [(arm.key, arm.hand) for arm in now(left, "ann").arms if arm.unarmed] == [("unarmed", "main")]
    bare = scene_with((fighter("Ann"), 5, 5), (CAT, 6, 5))
    assert volley_of(bare, "ann", "cat") == ("unarmed", "unarmed@off")


@pytest.mark.rule("renaissance.defense.parry", "renaissance.unarmed.attack")
@pytest.mark.parametrize("items", [(("halberd", "both"),), (("short_sword", "main"), ("small_shield", "off"))])
def test_full_hands_leave_a_kick_and_the_body_to_defend(items: tuple[tuple[str, str], ...]) -> None:
    scene = scene_with((fighter("Ann", *items), 5, 5), (BOB, 6, 5))
    assert [(arm.key, arm.hand) for arm in now(scene, "ann").arms if arm.unarmed] == [("unarmed", "")]
    assert volley_of(scene, "ann", "bob") == ()
    assert goal(scene, "unarmed") == 40  # unarmed against armed
    assert "attack:bob:unarmed" in offered(playing(scene))
    assert defended(scene, "mace", "bob", "ann")["unarmed"] == 40


# ---------------------------------------------------------------------- gifts


@pytest.mark.rule("renaissance.stress.resist", "renaissance.gap.trait.list")
@pytest.mark.parametrize(("detail", "goal_"), [("Torture", 60), ("loss", 40)])
def test_the_hardened_resist_their_source_better(detail: str, goal_: int) -> None:
    scene = at_home(fighter("Ann", traits={"hardened": detail}), BOB)
    for rolled in (goal_, goal_ + 1):
        session = playing(scene, "renaissance.stress", who="ann", source="torture")
        answer(session, rolled)
        assert (session.question is None) is (rolled == goal_)


@pytest.mark.rule("renaissance.movement.stunt", "renaissance.gap.trait.list")
def test_the_limber_are_better_where_suppleness_counts() -> None:
    scene = scene_with((fighter("Ann", traits={"limber": ""}), 5, 5), (BOB, 6, 5))
    me = now(scene, "ann")
    assert me.skill("athletics", "suppleness").total == me.skill("athletics").total + 10
    assert me.number("SOM*3", "suppleness").total == me.number("SOM*3").total + 10
    subject = rulebook.subject(scene["ann"], scene)
    told = rulebook.check("athletics").read(subject, {"when": ["suppleness"]}).tallies["target"].total
    assert told == me.skill("athletics").total + 10


@pytest.mark.rule("renaissance.modifier.specialization")
@pytest.mark.parametrize(
    ("skill", "special", "weapon", "more"),
    [
        ("thrown_weapons", "Throwing Knives", "throwing_knife", 10),
        ("bladed_weapons", "Knives", "dagger", 10),
        ("bladed_weapons", "knife", "dagger", 10),
        ("bladed_weapons", "Short Swords", "short_sword", 10),
        ("bladed_weapons", "Knives", "short_sword", 0),
        ("bladed_weapons", "Daggers", "dagger", 10),
    ],
)
def test_a_specialization_fits_by_what_a_weapon_is(skill: str, special: str, weapon: str, more: int) -> None:
    ann = fighter("Ann", (weapon, "main"), specializations={skill: special})
    me = now(scene_with((ann, 5, 5), (BOB, 6, 5)), "ann")
    arm = me.arm(weapon)
    assert arm is not None
    assert me.with_weapon(arm).total == 50 + more
