"""Injury and stress in play: wounds that are negated as they come, Durability that falls, attacks on the fallen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.renaissance.fights import fighter, held, last, playing, scene_with, went, with_status
from tablewright.game.scene import Scene
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.active import Sustained
from tablewright.systems.renaissance.now import now

ANN = fighter("Ann", ("short_sword", "main"))
HIT = ("attack:bob:short_sword", "plain", 29)  # 29 is a plain success: no bonus


def at_home(*people: Any, **options: Any) -> Scene:
    """People next to each other, outside of combat."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people)], **options)
    return rulebook.begun(replace(scene, order=(), round=0, turn=None))


@pytest.mark.rule("renaissance.injury.negate", "renaissance.injury.knockdown")
@pytest.mark.parametrize(("before", "bound", "goal"), [(0, 0, 90), (1, 0, 80), (1, 1, 90), (2, 1, 80)])
def test_who_negates_a_wound_falls_without_its_penalty(before: int, bound: int, goal: int) -> None:
    gnoll = fighter("Bob", race="gnoll")
    scene = with_status(scene_with((ANN, 5, 5), (gnoll, 6, 5)), "bob", wounds=before, bound=bound)
    assert now(scene, "bob").wounds_to_negate == (0 if goal == 80 else 1)
    for rolled in (goal, goal + 1):
        session = went(held(scene, "bob", "unaware"), *HIT, (2, 3), rolled)
        assert last(session, "Attacked").wounds == 1
        assert session.scene["bob"].status.has("prone") is (rolled > goal)


@pytest.mark.rule("renaissance.stress.stack_negate", "renaissance.stress.trauma_stun")
@pytest.mark.parametrize(("before", "soothed", "goal"), [(0, 0, 60), (1, 0, 50), (1, 1, 60)])
def test_who_negates_a_trauma_is_stunned_without_its_penalty(before: int, soothed: int, goal: int) -> None:
    elf = fighter("Elf", race="ash_elf", WIL=10)
    scene = with_status(at_home(elf, ANN), "elf", traumas=before, soothed=soothed)
    assert now(scene, "elf").number("WIL*3").total == 60
    for rolled in (goal, goal + 1):
        session = went(scene, 99, 10, rolled, process="renaissance.stress", who="elf", source="torture")
        assert session.scene["elf"].status.traumas == before + 1
        assert session.scene["elf"].status.has("stunned") is (rolled > goal)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dead"), [(59, False), (60, True)])
def test_who_bore_more_under_a_draught_dies_as_it_ends(damage: int, dead: bool) -> None:
    strong = playing(at_home(fighter("Bob"), ANN), "renaissance.dose", who="bob", chemical="monster").scene
    assert strong["bob"].status.durability == 40
    later = playing(with_status(strong, "bob", damage=damage), "renaissance.rest", days=1).scene
    assert (later["bob"].status.durability, later["bob"].status.dead) == (30, dead)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dice", "left"), [(33, (10, 9), (60, True)), (33, (9, 9), (59, False))])
def test_who_is_felled_loses_the_durability_of_a_sustained_power(
    damage: int, dice: tuple[int, int], left: tuple[int, bool]
) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", powers=("fortify",)), 6, 5), (fighter("Cat"), 30, 5))
    fortified = {"sustained": (Sustained("fortify", choice="DUR"),), "durability": 35, "damage": damage}
    session = went(with_status(scene, "bob", **fortified), *HIT, 99, dice)
    status = session.scene["bob"].status
    assert (status.damage, status.dead) == left
    assert (status.durability, status.sustained) == (30, ())
    assert last(session, "Attacked").dead is left[1]


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability")
@pytest.mark.parametrize(("damage", "sustained"), [(29, 1), (30, 0)])
def test_who_gives_up_a_power_may_be_disabled_by_it(damage: int, sustained: int) -> None:
    bob = fighter("Bob", powers=("fortify", "blur"))
    both = (Sustained("fortify", choice="DUR"), Sustained("blur"))
    scene = with_status(scene_with((bob, 5, 5), (ANN, 6, 5)), "bob", sustained=both, durability=35, damage=damage)
    status = went(scene, "stop_sustaining::fortify").scene["bob"].status
    assert (status.durability, len(status.sustained), status.dead) == (30, sustained, False)
