"""Touching and pointing at a character, by the rules of every attack."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import duel, fighter, held, hidden, playing, scene_with, went, with_status
from tablewright.errors import IllegalActionError
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.systems.renaissance.actions.near import near_defences, near_goal

ANN, BOB, CAT = fighter("Ann", ("short_sword", "main")), fighter("Bob"), fighter("Cat")


def aimed(scene: Scene, *, touch: bool, **more: Any) -> int:
    """The target of a touch or of a pointing finger."""
    return near_goal(scene, "ann", "bob", touch=touch, **more).total


def evades(scene: Scene, *, touch: bool = True) -> int:
    """The best that Bob can set against a touch or a pointing finger."""
    return max([one.target for one in near_defences(scene, "ann", "bob", touch=touch)])


@pytest.mark.rule("renaissance.touch.attack", "renaissance.touch.rule_option")
@pytest.mark.parametrize(("how", "target", "defence"), [("plus20", 80, 30), ("plus_coo", 70, 20)])
def test_a_touch_is_easier_than_a_blow(how: str, target: int, defence: int) -> None:
    scene = duel(ANN, fighter("Bob", ("short_sword", "main")), touch_attack_rule=how)
    assert (aimed(scene, touch=True), evades(scene)) == (target, defence)  # COO+REF+SOM + 20, or Unarmed 50 + COO 20
    session = went(scene, 30, 31, process="renaissance.touch", who="ann", target="bob")
    assert last(session, "Contested").result == ("won" if defence < 31 else "lost")


@pytest.mark.rule("renaissance.indicate.attack", "renaissance.indicate.rule_option")
@pytest.mark.parametrize(("how", "target", "defence"), [("plus20", 80, 30), ("plus_coo", 70, 20)])
def test_pointing_is_easier_than_shooting(how: str, target: int, defence: int) -> None:
    scene = duel(ANN, fighter("Bob", ("mace", "main")), 10, indicate_attack_rule=how)
    assert (aimed(scene, touch=False), evades(scene, touch=False)) == (target, defence)
    session = went(scene, target + 1, process="renaissance.indicate", who="ann", target="bob")
    assert last(session, "Contested").result == "lost"


@pytest.mark.rule("renaissance.touch.attack", "renaissance.defense.full_defense", "renaissance.maneuver.feint")
def test_a_touch_is_avoided_as_a_blow_is() -> None:
    scene = duel(ANN, BOB)
    assert evades(scene) == 30
    assert evades(held(scene, "bob", "guarded", degree=10)) == 40
    assert evades(held(scene, "bob", "feinted", degree=-20)) == 10
    assert evades(held(scene, "bob", "weaving", degree=20, source="athletics")) == 50
    assert evades(replace(scene, modifiers=(Modifier("defence", 5, "luck", "bob"),))) == 35
    assert near_defences(with_status(scene, "bob", damage=30), "ann", "bob", touch=True) == ()


@pytest.mark.rule("renaissance.touch.attack", "renaissance.indicate.attack", "renaissance.prone.effects")
def test_the_situation_counts_for_touching_and_pointing() -> None:
    near, far = duel(ANN, BOB), duel(ANN, BOB, 25)
    small = duel(ANN, fighter("Bob", race="kobold"), 25)
    assert (aimed(near, touch=True), aimed(held(near, "bob", "prone"), touch=True)) == (80, 90)
    assert (aimed(far, touch=False), aimed(held(far, "bob", "prone"), touch=False)) == (80, 70)
    assert (aimed(small, touch=False), aimed(far, touch=False, category="long")) == (70, 60)
    assert aimed(replace(far, facts=far.facts.set("cover", "bob", "partial")), touch=False) == 50
    assert aimed(replace(near, modifiers=(Modifier("attack", -5, "wind", "ann"),)), touch=True) == 75
    assert aimed(held(near, "ann", "assisted", degree=10), touch=True) == 90
    assert aimed(held(near, "ann", "rival", degree=10, by="bob", data=-10), touch=True) == 90


@pytest.mark.rule("renaissance.ranged.point_blank", "renaissance.indicate.attack")
def test_pointing_from_nearby_hampers_only_those_who_aim_by_skill() -> None:
    for skill, far, near in ((60, 100, 80), (30, 80, 80)):
        ann = fighter("Ann", skills={"thrown_weapons": skill})
        assert (aimed(duel(ann, BOB, 25), touch=False), aimed(duel(ann, BOB), touch=False)) == (far, near)
    assert aimed(duel(ANN, BOB, indicate_attack_rule="plus_coo"), touch=False) == 50


@pytest.mark.rule("renaissance.luck.limit", "renaissance.luck.ignore_penalties", "renaissance.touch.attack")
def test_luck_for_a_touch_is_what_it_is_for_every_attack() -> None:
    lucky = fighter("Ann", luck=4)
    scene = with_status(duel(lucky, BOB), "ann", wounds=3)
    session = went(scene, "plain:ignore_penalties", process="renaissance.touch", who="ann", target="bob")
    answer(session, 80, 99, "keep the result")
    assert session.scene["ann"].status.luck == 3
    assert last(session, "Contested").result == "won"
    strict = duel(lucky, BOB, luck_per_check=1)
    session = went(strict, 24, 99, process="renaissance.touch", who="ann", target="bob")
    assert offered(session) == ("keep the result", "flip")  # which serves as well as an upgrade


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.indicate.attack", "renaissance.injury.damage_track")
@pytest.mark.parametrize("process", ["renaissance.touch", "renaissance.indicate"])
def test_a_character_who_is_touched_or_pointed_at_is_aware(process: str) -> None:
    scene = held(hidden(held(duel(ANN, BOB), "bob", "unaware"), "ann"), "ann", "assisted")
    session = went(scene, 99, process=process, who="ann", target="bob")
    assert not session.scene["bob"].status.has("unaware")
    assert not session.scene["ann"].status.has("assisted")
    assert not session.scene["ann"].hidden
    with pytest.raises(IllegalActionError, match="cannot act"):
        playing(with_status(scene, "ann", damage=30), process, who="ann", target="bob")


@pytest.mark.rule("renaissance.touch.attack", "renaissance.indicate.attack", "renaissance.combat.allotment")
@pytest.mark.parametrize(("action", "at"), [("touch", 6), ("indicate", 20)])
def test_touching_and_pointing_are_standard_actions_of_their_own_turn(action: str, at: int) -> None:
    scene = scene_with((ANN, 5, 5), (BOB, at, 5))
    session = went(scene, f"{action}:bob", 60, 99)
    assert session.scene["ann"].status.spent == {"standard": 1}
    assert last(session, "Contested").result == "won"
    assert f"{action}:bob" not in offered(session)  # no second standard action


@pytest.mark.rule("renaissance.indicate.attack", "renaissance.ranged.throw_ranges")
@pytest.mark.parametrize(("apart", "target"), [(5, 80), (6, 70), (16, 60), (31, 50), (46, None)])
def test_pointing_has_the_ranges_of_a_throw(apart: int, target: int | None) -> None:
    scene = replace(scene_with((ANN, 0, 5), (BOB, 1, 5)), ground=Grid(measure="straight", size=(60, 20)))
    scene = scene.with_participant(replace(scene["bob"], position=cell(apart, 5)))
    session = playing(scene)
    assert ("indicate:bob" in offered(session)) is (target is not None)
    if target is not None:
        answer(session, "indicate:bob")
        assert session.playing is not None
        assert session.playing.calls[0].named_arguments()["target"] == target
    assert "touch:bob" not in offered(playing(scene))


@pytest.mark.rule("renaissance.touch.attack")
def test_of_several_foes_in_reach_one_is_chosen() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "touch")
    assert offered(session) == ("toward:bob", "toward:cat")
    answer(session, "toward:cat", 60, 99)
    assert last(session, "Contested").against == "cat"
