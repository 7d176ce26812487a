"""Attacks that are no blows, by the rules of every attack: blasts and splashes, touching and pointing, maneuvers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import fighter, held, hidden, playing, rolls, scene_with, went, with_status
from tablewright.dice.source import TypedDice
from tablewright.engine import Trace, play
from tablewright.errors import IllegalActionError
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.systems.renaissance.actions.near import near_defences, near_goal
from tablewright.systems.renaissance.mechanics.turn import amount
from tablewright.systems.renaissance.values import DV

ANN, BOB, CAT = fighter("Ann", ("short_sword", "main")), fighter("Bob"), fighter("Cat")
BOMBER = fighter("Ann", ("grenade", "main"))


# ---------------------------------------------------------------------- blasts and splashes


@pytest.mark.rule("renaissance.attack.critical", "renaissance.area.blast", "renaissance.attack.critical_rule")
@pytest.mark.parametrize(
    ("rolled", "rule", "dice", "damage"),
    [
        (22, "roll_twice_best", (9, 8, 9, 9), 9 + 9 + 5 - 6),
        (21, "roll_twice_best", (9, 8), 9 + 8 - 6),
        (22, "ignore_armor", (9, 8), 9 + 8 + 5),
    ],
)
def test_a_critical_blast_is_a_critical_attack(rolled: int, rule: str, dice: tuple[int, ...], damage: int) -> None:
    scene = scene_with((BOMBER, 5, 5), (fighter("Bob", ("mail", "worn")), 19, 5), critical_attack=rule)
    session = went(scene, "attack:bob:grenade", rolled, dice, 0)
    assert last(session, "Attacked").result == ("critical hit" if rolled == 22 else "hit")
    assert last(session, "Hurt").damage == damage
    assert play(amount(DV(2, 5), True), TypedDice([1, 2, 3, 4])).result == 12
    assert play(amount(DV(2, 5)), TypedDice([1, 2])).result == 8


@pytest.mark.rule("renaissance.luck.ignore_penalties", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize(
    ("choice", "rolled", "hits", "left"),
    [
        ("plain", 40, False, 6),
        ("plain:ignore_penalties", 50, True, 5),
        ("plain:ignore_penalties", 51, False, 5),
        ("plain:dare", 40, True, 5),
        ("plain:dare", 41, False, 5),
        ("plain:ignore_penalties:dare", 70, True, 4),
        ("plain:ignore_penalties:dare", 71, False, 4),
    ],
)
def test_luck_is_spent_before_a_blast_is_rolled(choice: str, rolled: int, hits: bool, left: int) -> None:
    bold = fighter("Ann", ("smoke", "main"), luck=6, classes=("daredevil",))
    scene = with_status(scene_with((bold, 5, 5), (BOB, 9, 5)), "ann", wounds=3)
    session = went(scene, "attack:bob:smoke")
    assert set(offered(session)) == {"plain", "plain:ignore_penalties", "plain:dare", "plain:ignore_penalties:dare"}
    answer(session, choice, rolled)
    while not rolls(session):
        answer(session, "no" if "no" in offered(session) else "keep the result")
    answer(session, *((1,) if hits else (1, 1, 1)))
    assert last(session, "Attacked").result == ("hit" if hits else "scatters")
    assert session.scene["ann"].status.luck == left
    told = next(line for line in session.log if isinstance(line, Trace) and line.tallies.get("target"))
    assert told.tallies["target"].total == told.call.values[0]


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.modifier.assist")
@pytest.mark.parametrize(
    ("weapon", "rolled"), [("grenade", (20, (9, 9), 0, 0)), ("smoke", (20, 3)), ("smoke", (99, 1, 10, 1))]
)
def test_a_character_who_is_in_a_blast_is_aware_and_help_is_used_up(weapon: str, rolled: tuple[Any, ...]) -> None:
    scene = scene_with((fighter("Ann", (weapon, "main")), 5, 5), (BOB, 19, 5), (CAT, 20, 5))
    scene = held(held(held(scene, "bob", "unaware"), "cat", "unaware"), "ann", "assisted", degree=10)
    session = went(hidden(scene, "ann"), f"attack:bob:{weapon}", *rolled)
    missed = rolled[0] == 99  # ten metres north of them
    assert not session.scene["bob"].status.has("unaware")
    assert session.scene["cat"].status.has("unaware") is missed
    assert not session.scene["ann"].status.has("assisted")
    assert not session.scene["ann"].hidden


# ---------------------------------------------------------------------- maneuvers


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.maneuver.procedure")
@pytest.mark.parametrize("rolled", [30, 99])
def test_a_character_who_is_tripped_at_is_aware_and_sees_who_does_it(rolled: int) -> None:
    scene = hidden(held(scene_with((ANN, 5, 5), (BOB, 6, 5)), "bob", "unaware"), "ann")
    session = went(scene, "maneuver:bob:trip", rolled)
    assert not session.scene["bob"].status.has("unaware")
    assert not session.scene["ann"].hidden


# ---------------------------------------------------------------------- touching and pointing


def evades(scene: Scene, *, touch: bool = True) -> int:
    """The best that Bob can set against a touch or a pointing finger."""
    return max([one.target for one in near_defences(scene, "ann", "bob", touch=touch)])


@pytest.mark.rule("renaissance.touch.attack", "renaissance.defense.full_defense", "renaissance.maneuver.feint")
def test_a_touch_is_avoided_as_a_blow_is() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    assert evades(scene) == 30
    assert evades(held(scene, "bob", "guarded", degree=10)) == 40
    assert evades(held(scene, "bob", "feinted", degree=-20)) == 10
    assert evades(held(scene, "bob", "weaving", degree=20, source="athletics")) == 50
    assert evades(replace(scene, modifiers=(Modifier("defence", 5, "luck", "bob"),))) == 35
    assert near_defences(with_status(scene, "bob", damage=30), "ann", "bob", touch=True) == ()


@pytest.mark.rule("renaissance.touch.attack", "renaissance.indicate.attack", "renaissance.prone.effects")
def test_the_situation_counts_for_touching_and_pointing() -> None:
    def aimed(scene: Scene, *, touch: bool, **more: Any) -> int:
        return near_goal(scene, "ann", "bob", touch=touch, **more).total

    near, far = scene_with((ANN, 5, 5), (BOB, 6, 5)), scene_with((ANN, 5, 5), (BOB, 30, 5))
    small = scene_with((ANN, 5, 5), (fighter("Bob", race="kobold"), 30, 5))
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
        assert near_goal(scene_with((ann, 5, 5), (BOB, 30, 5)), "ann", "bob", touch=False).total == far
        assert near_goal(scene_with((ann, 5, 5), (BOB, 6, 5)), "ann", "bob", touch=False).total == near
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), indicate_attack_rule="plus_coo")
    assert near_goal(scene, "ann", "bob", touch=False).total == 50


@pytest.mark.rule("renaissance.luck.limit", "renaissance.luck.ignore_penalties", "renaissance.touch.attack")
def test_luck_for_a_touch_is_what_it_is_for_every_attack() -> None:
    lucky = fighter("Ann", luck=4)
    scene = with_status(scene_with((lucky, 5, 5), (BOB, 6, 5)), "ann", wounds=3)
    session = went(scene, "plain:ignore_penalties", process="renaissance.touch", who="ann", target="bob")
    answer(session, 80, 99, "keep the result")
    assert session.scene["ann"].status.luck == 3
    assert last(session, "Contested").result == "won"
    strict = scene_with((lucky, 5, 5), (BOB, 6, 5), luck_per_check=1)
    session = went(strict, 24, 99, process="renaissance.touch", who="ann", target="bob")
    assert offered(session) == ("keep the result", "flip")  # which serves as well as an upgrade


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.indicate.attack", "renaissance.injury.damage_track")
@pytest.mark.parametrize("process", ["renaissance.touch", "renaissance.indicate"])
def test_a_character_who_is_touched_or_pointed_at_is_aware(process: str) -> None:
    scene = held(hidden(held(scene_with((ANN, 5, 5), (BOB, 6, 5)), "bob", "unaware"), "ann"), "ann", "assisted")
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
