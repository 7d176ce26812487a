"""Fights: holding on, defences against missiles, interruptions of other deeds, preparing, and Fate in a climax."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, MISS, begin, fact, meeting, needed, person, plan
from systems.playing import answer, asked, last
from tablewright.engine import Roll, odds
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.aim import attack_call, planned
from tablewright.systems.opend6.bots import rate
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.prospects import prospect
from tablewright.systems.opend6.status import Grip, level


@pytest.mark.rule("opend6.turn.move_up", "opend6.gap.manoeuvre.disarm")
@pytest.mark.parametrize(("faces", "kept"), [([5, 5], False), ([6, 5, 5], True)])
def test_a_character_who_moves_up_to_hold_on_says_how_many_actions_there_will_be(faces: list[int], kept: bool) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "disarm:b:short_sword/disarm", HIT, [3, 3, 3], "yes")
    assert asked(session)[:5] == ("1", "2", "3", "4", "5")
    answer(session, "2", faces)  # Physique with two of three dice, against 14
    assert bool(session.scene["b"].belongings) is kept
    status = session.scene["b"].status
    assert (status.declared, status.left, "b" in session.scene.acted) == (2, 1, True)
    assert (session.seat, "communicate" in asked(session)) == ("b", True)
    answer(session, "communicate")
    assert session.scene.round == 2


@pytest.mark.rule("opend6.gap.defence.skills")
@pytest.mark.parametrize(
    ("defence", "against_arrows"), [("dodge", True), ("parry::short_sword", False), ("block", False)]
)
def test_only_a_dodge_helps_against_missiles(defence: str, against_arrows: bool) -> None:
    archer = person(FOE, belongings=[{"item": "rock", "place": "hand"}, *BOW])
    session = begin(HERO, archer)
    answer(session, "1", defence, [5, 5, 5, 5])
    shot, thrown = needed(session, "short_bow", "b", "a"), needed(session, "rock", "b", "a")
    assert (shot, thrown) == ((15, 15) if against_arrows else (5, 5))
    assert needed(session, "unarmed", "b", "a") == 15
    for weapon in ("short_bow", "rock", "unarmed"):
        exact = chances_to_hit(session, weapon)
        assert prospect(session.scene, "b", "a", weapon).promise.hits == int(exact * 1_000)


def chances_to_hit(session: Session, weapon: str) -> Fraction:
    """The chance that the foe hits the hero, by the rule itself."""
    arm = arm_of(session.scene, "b", weapon)
    assert arm is not None
    plan = planned(session.scene, "b", "a", arm.weapon, Manner(weapon))
    return odds(attack_call(session.scene, plan)).chance(lambda struck: struck.hit)


@pytest.mark.rule("opend6.gap.defence.skills")
def test_bots_do_not_parry_arrows() -> None:
    session = begin(HERO, person(FOE, belongings=BOW))
    answer(session, "2", "wait", "1", "shoot:a:short_bow", HIT)
    rating = {name: rate(session.scene, "a", ActionUse(name)).safety for name in ("dodge", "parry", "block")}
    assert rating["parry"] == rating["block"] == -100 < rating["dodge"]


@pytest.mark.rule("opend6.turn.interrupt")
def test_every_roll_of_an_action_can_be_interrupted() -> None:
    session = begin(person(attributes={"acumen": "5D"}, skills={"fighting": "8D"}), FOE)
    answer(session, "2", "wait", "1", "run_away", [5, 5, 5])
    assert (session.seat, asked(session)[0]) == ("a", "let_be")
    assert session.scene["b"].present
    answer(session, "grab:b:unarmed/hold", [5] * 7, [5, 5, 5], "leg")
    assert (session.scene["b"].present, last(session, "Taken").on) == (True, "does not get away")
    let = begin(person(attributes={"acumen": "5D"}), FOE)
    answer(let, "2", "wait", "1", "run_away", [5, 5, 5], "let_be")
    assert not let.scene["b"].present


@pytest.mark.rule("opend6.gap.manoeuvre.holding", "opend6.gap.ability.increased_attribute")
@pytest.mark.parametrize(
    ("fields", "options", "answers", "hurt"),
    [
        ({}, {}, ([5, 5], [4, 4, 4]), "healthy"),
        ({"abilities": 6}, {}, ([5, 5], [4, 4, 4]), "wounded"),  # 10 and 6 against 12
        ({"abilities": 2}, {}, ([5, 5], [4, 4, 4]), "healthy"),
        ({"abilities": 3}, {}, ([5, 5], [4, 4, 4]), "stunned"),
        ({"character_points": 1}, {"points.asked": "always"}, ([5, 5], "yes", [4], [4, 4, 4]), "stunned"),
        ({"fate_points": 1}, {"points.asked": "always"}, ("fate", [5, 5, 5, 5], [4, 4, 4]), "wounded"),
    ],
)
def test_a_choke_hurts_with_everything_that_counts_for_damage(
    fields: dict[str, Any], options: dict[str, Any], answers: tuple[Any, ...], hurt: str
) -> None:
    ranks = fields.get("abilities")
    strong = [{"id": "increased_attribute", "ranks": ranks, "attribute": "physique"}] if ranks else []
    ready = meeting(person(**(fields | {"abilities": strong})), FOE, options=options)
    choked = ready.scene.with_status("b", grip=Grip("a", "choked", "neck"))
    session = Session(replace(ready.header, scene=choked), ready.rulebook)
    session.do("opend6.encounter")
    answer(session, *answers)
    assert level(session.scene, "b") == hurt
    status = session.scene["a"].status
    assert (status.character_points, status.fate_points) == (0, 0)


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.extra_on_one_roll")
@pytest.mark.parametrize(("stacking", "dice"), [(False, 8), (True, 12)])
def test_a_further_fate_point_in_a_climactic_round_where_several_may_go_on_a_roll(stacking: bool, dice: int) -> None:
    options = {"fate.allow_stacking": stacking, "points.asked": "always"}
    session = begin(person(fate_points=2), FOE, options=options)
    answer(session, "1", "burn_fate", "slash:b:short_sword")
    if stacking:
        answer(session, "fate")
    assert isinstance(session.question, Roll)
    assert str(session.question.dice).startswith(f"{dice}D")


# ---------------------------------------------------------------------- preparing


READY = person(skills={"acrobatics": "4D", "jumping": "4D"})


@pytest.mark.rule("opend6.prepare.bonus")
@pytest.mark.parametrize(
    "deed",
    [
        "use_skill::acrobatics nobody total",
        "run_away",
        "vehicle_maneuver::charioteering",
        "catch::9",
        "dodge",
        "slash:b:short_sword",
        "punch:b:unarmed",
    ],
)
def test_a_preparation_serves_every_roll(deed: str) -> None:
    session = begin(READY, FOE)
    fact(session, "a", "vehicle", "9")
    fact(session, "a", "thrown", "9")
    answer(session, "1", "prepare", "1", "stop", "1", *deed.split())
    assert isinstance(session.question, Roll)
    own = 3 if deed in ("run_away", "vehicle_maneuver::charioteering") else 4
    assert str(session.question.dice).startswith(f"{own + 1}D")
    for _ in range(3 if deed.endswith(("sword", "unarmed")) else 1):  # the attack, the damage and the resistance
        answer(session, [4, 4, 4, 4, 4][: int(str(session.question.dice).partition("D")[0])])
    assert session.scene["a"].status.prepared == 0


@pytest.mark.rule("opend6.prepare.bonus")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("slash:a:short_sword", MISS), ()),  # beset by blows, even where they miss
        (("stop",), ("1", "slash:b:short_sword", [1, 1, 1, 1, 1])),
        (("stop",), ("1", "dodge", [3, 3, 3, 3, 3])),
        (("stop",), ("1", "communicate")),
        (("stop",), ("2", "wait")),
    ],
)
def test_a_character_who_is_distracted_or_does_something_else_has_prepared_nothing(
    before: tuple[Any, ...], after: tuple[Any, ...]
) -> None:
    session = begin(READY, FOE)
    answer(session, "1", "prepare")
    assert session.scene["a"].status.prepared == 1
    answer(session, "1", *before)
    assert session.scene["a"].status.prepared == int(bool(after))
    answer(session, *after)
    assert session.scene["a"].status.prepared == 0


@pytest.mark.rule("opend6.prepare.bonus", "opend6.gap.attack.aiming")
def test_shots_are_aimed_and_not_prepared() -> None:
    archer = person(READY, belongings=[{"item": "short_bow", "place": "hands"}, {"item": "arrow", "count": 3}])
    session = begin(archer, FOE)
    answer(session, "1", "prepare", "1", "stop", "1", "shoot:b:short_bow")
    assert isinstance(session.question, Roll)
    assert str(session.question.dice).startswith("4D")


@pytest.mark.rule("opend6.prepare.bonus")
def test_a_few_words_distract_nobody() -> None:
    session = begin(READY, FOE)
    answer(session, "1", "prepare", "1", "stop", "1", "speak")
    assert session.scene["a"].status.prepared == 1
    answer(session, "prepare")
    assert session.scene["a"].status.prepared == 2


# ---------------------------------------------------------------------- whips and bare hands


@pytest.mark.rule("opend6.action.list", "opend6.gap.manoeuvre.entangle")
def test_entangling_weapons_are_thrown() -> None:
    whip = person(belongings=[{"item": "bullwhip", "place": "hand"}], skills={"throwing": "5D"})
    session = begin(whip, FOE)
    found = plan(session, "bullwhip/entangle")
    assert (found.skill, str(found.throw.code)) == ("throwing", "5D")
    assert plan(session, "bullwhip").skill == "melee_combat"


@pytest.mark.rule("opend6.gap.manoeuvre.entangle", "opend6.gap.manoeuvre.escape")
@pytest.mark.parametrize("deed", ["escape::break", "let_go"])
def test_a_net_and_a_grip_are_two_things(deed: str) -> None:
    ready = meeting(HERO, FOE)
    caught = ready.scene.with_status("a", grip=Grip("b", "held", "leg"), tangled=5)
    session = Session(replace(ready.header, scene=caught), ready.rulebook)
    session.do("opend6.encounter")
    if deed == "let_go":
        answer(session, "1", "stop", "1", "let_go:a")
    else:
        answer(session, "1", deed, [3, 3, 3])
    status = session.scene["a"].status
    assert (status.grip is None, status.tangled) == ((True, 5) if deed == "let_go" else (False, 0))


@pytest.mark.rule("opend6.action.disarm", "opend6.action.pin", "opend6.gap.manoeuvre.list")
def test_actions_of_bare_hands() -> None:
    session = begin(person(belongings=[]), FOE)
    answer(session, "1")
    found = {name.partition(":")[0] for name in asked(session)}
    assert found >= {"disarm", "pin_part", "called_shot", "all_out", "sweep"}
    answer(session, "disarm:b:unarmed/disarm", [5, 5, 5, 5], [3, 3], "no")
    assert [one.item for one in session.scene.loose_items] == ["short_sword"]


@pytest.mark.rule("opend6.map.zero_rule")
@pytest.mark.parametrize("rule", ["own_code_below_1d", "net_pool_below_1d"])
def test_dice_of_aiming_count_where_the_whole_pool_does(rule: str) -> None:
    archer = person(skills={"marksmanship": "3D"}, belongings=BOW, wounds={"level": "incapacitated"})
    ready = meeting(archer, FOE, options={"dice.zero_rule": rule})
    session = Session(replace(ready.header, scene=ready.scene.with_status("a", aim=2, aim_at="b")), ready.rulebook)
    session.do("opend6.encounter")
    answer(session, "1")
    assert ("shoot:b:short_bow" in asked(session)) is (rule == "net_pool_below_1d")
