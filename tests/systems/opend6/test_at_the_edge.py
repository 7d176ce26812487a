"""Figures at their edges: passive bonus, stunned by Body Points, crossbows, what does no harm, equal codes."""

from __future__ import annotations

import pytest

from systems.opend6.fights import FOE, HERO, HIT, begin, meeting, person
from systems.opend6.people import library, somebody
from systems.playing import answer
from tablewright.engine import ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.systems.opend6.actions.aim import passive_bonus, planned
from tablewright.systems.opend6.actions.index import ACTIONS
from tablewright.systems.opend6.character.figures import strength_damage
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.events.attack import injured
from tablewright.systems.opend6.status import STUNNED, level


@pytest.mark.rule("opend6.gap.defence.passive_bonus")
@pytest.mark.parametrize(("dodge", "bonus"), [("4D", 0), ("4D+1", 1), ("6D", 1), ("6D+1", 2), ("8D", 2), ("8D+1", 3)])
def test_each_two_dice_above_four_begun_add_one(dodge: str, bonus: int) -> None:
    assert passive_bonus(begin(HERO, person(FOE, skills={"dodge": dodge})).scene, "b") == bonus


@pytest.mark.rule("opend6.gap.body_points.loss")
def test_a_character_who_is_stunned_by_body_points_is_so_for_this_round_and_the_next() -> None:
    options = {"injury.system": "body_points_with_levels"}
    by_points = begin(HERO, person(FOE, body_points=60), FOE, options=options)
    answer(by_points, "1", "slash:b:short_sword", HIT, [5, 5, 5])
    by_levels = begin(HERO, FOE)
    answer(by_levels, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4])
    ends = [
        [one.until for one in each.scene["b"].status.lasting if one.id == STUNNED] for each in (by_points, by_levels)
    ]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 1


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.levels")
@pytest.mark.parametrize(("before", "loss", "levels"), [(60, 1, 0), (35, 1, 0), (35, 20, 1), (60, 45, 3)])
def test_only_levels_that_are_lost_by_body_points_are_counted(before: int, loss: int, levels: int) -> None:
    """Of 60 Body Points one is healthy above 48, stunned from 36 on, wounded from 24, severely from 12."""
    options = {"injury.system": "body_points"}
    scene = begin(HERO, person(FOE, body_points=60), FOE, options=options).scene
    hurt = scene.with_status("b", wounds=scene["b"].status.wounds.changed(body_points=before))
    assert injured(hurt, "b", "healthy", loss, 0)["b"].status.levels_lost == levels


@pytest.mark.rule("opend6.map.equipment_limit")
@pytest.mark.parametrize(
    ("weapon", "loaded_with"),
    [("light_crossbow", "bolt"), ("heavy_crossbow", "bolt"), ("hand_crossbow", "crossbow_dart")],
)
@pytest.mark.parametrize("fired", [False, True])
def test_a_crossbow_is_shot_once_in_a_round(weapon: str, loaded_with: str, fired: bool) -> None:
    shooter = person(belongings=[{"item": weapon, "place": "hands"}, {"item": loaded_with, "count": 9}])
    scene = begin(shooter, FOE).scene.with_status("a", fired=(weapon,) if fired else (), declared=2)
    offers = ACTIONS.options(scene, "a", among=["shoot"])
    assert any(isinstance(one, ActionUse) for one in offers) is not fired
    assert [one.rule for one in offers if isinstance(one, ClosedOption)] == (
        ["opend6.map.equipment_limit"] if fired else []
    )


@pytest.mark.rule("opend6.gap.attack.surprise", "opend6.result.fifth_damage")
@pytest.mark.parametrize(("manoeuvre", "harmless"), [("disarm", True), ("entangle", True), ("", False)])
def test_holds_do_no_harm(manoeuvre: str, harmless: bool) -> None:
    scene = meeting(HERO, FOE).scene
    arm = arm_of(scene, "a", "short_sword")
    assert arm is not None
    assert planned(scene, "a", "b", arm.weapon, Manner("short_sword", manoeuvre)).blow.harmless is harmless


@pytest.mark.rule("opend6.gap.creation.strength_damage")
def test_of_equal_codes_the_attribute_is_named() -> None:
    assert "Physique" in strength_damage(somebody(physique="3D", lifting="3D"), library()).explain()
    assert "Lifting" in strength_damage(somebody(physique="3D", lifting="3D+1"), library()).explain()


# ---------------------------------------------------------------------- what a hit brings about


WHIP = person(belongings=[{"item": "bullwhip", "place": "hand"}])


@pytest.mark.rule("opend6.gap.manoeuvre.entangle")
def test_a_whip_of_the_least_damage_entangles_by_one() -> None:
    weak = person(WHIP, attributes={"physique": "1D"})
    session = begin(weak, FOE, options={"result.damage_bonus": "off"})
    answer(session, "1", "entangle:b:bullwhip/entangle", HIT, [1, 1])
    assert session.scene["b"].status.tangled == 1


@pytest.mark.rule("opend6.gap.manoeuvre.entangle", "opend6.gap.manoeuvre.list")
def test_a_target_that_leaves_after_the_roll_is_not_entangled() -> None:
    session = begin(WHIP, FOE, FOE, options={"wild.critical_failure": "complication"})
    answer(session, "1", "entangle:b:bullwhip/entangle", [1, 6, 6, 6], [3, 3, 3])
    session.do("table.leave", who="b")
    answer(session, "later")
    assert session.scene["b"].status.tangled == 0


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.gap.attack.hit")
def test_a_target_that_dies_of_a_grab_is_not_held() -> None:
    session = begin(person(skills={"lifting": "7D"}), FOE, FOE)
    answer(session, "1", "grab:b:unarmed/hold", HIT, [6, 6, 6, 6, 5], [1, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert (session.scene["b"].status.grip, session.seat) == (None, "c")


# ---------------------------------------------------------------------- turns moved up


@pytest.mark.rule("opend6.turn.move_up")
def test_no_turn_is_moved_up_before_the_first_round() -> None:
    with pytest.raises(IllegalActionError, match="no round is under way"):
        meeting(HERO, FOE).do("opend6.move_up", who="b")


@pytest.mark.rule("opend6.turn.move_up")
def test_no_turn_is_moved_up_after_the_fight() -> None:
    session = begin(HERO, FOE)
    session.do("table.end", outcome="peace")
    with pytest.raises(IllegalActionError, match="no round is under way"):
        session.do("opend6.move_up", who="b")


@pytest.mark.rule("opend6.turn.move_up")
def test_the_turn_under_way_cannot_be_moved_up() -> None:
    session = begin(HERO, FOE)
    with pytest.raises(IllegalActionError, match="has acted already"):
        session.do("opend6.move_up", who="a")
