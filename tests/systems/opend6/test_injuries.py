"""Effects of injuries in a fight, under every system of injuries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, meeting, person
from systems.playing import answer, asked
from tablewright.engine import Choice
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful, play_to_end
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.aim import planned
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.events.attack import Struck
from tablewright.systems.opend6.status import STUNNED, is_dying, is_out, level, wound_dice, wound_penalty

# ---------------------------------------------------------------------- injuries


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.gap.wound.stunned")
def test_penalties_of_wounds() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4])  # 11 + 3 against 12: stunned
    assert level(session.scene, "b") == "stunned"
    answer(session, "1", "slash:a:short_sword", [1, 2, 2], "1", "stop", "1", "slash:a:short_sword", [1, 2, 2])
    answer(session, "1", "stop", "1", "slash:a:short_sword", MISS)  # the die is back after the next round
    hurt = begin(person(wounds={"level": "severely_wounded"}), FOE)
    answer(hurt, "1", "slash:b:short_sword", [2, 1])
    only = begin(HERO, FOE, options={"injury.stunned": "defend_only"})
    answer(only, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4], "1")
    assert not [name for name in asked(only) if name.startswith("slash")]
    assert "dodge" in asked(only)


@pytest.mark.rule("opend6.gap.wound.stunned")
def test_no_one_is_stunned_for_rounds_once_the_fight_is_over() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4])
    assert session.scene["b"].status.has(STUNNED)
    session.do("table.end", outcome="a truce")
    assert not session.scene["b"].status.has(STUNNED)
    assert wound_penalty(session.scene, "b") == 0


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.gap.wound.stunned", "opend6.map.penalty")
@pytest.mark.parametrize(
    ("level_", "stunned", "takes"),
    [
        ("healthy", False, None),
        ("healthy", True, ("stunned", 1)),
        ("stunned", False, None),  # the die is back
        ("wounded", False, ("wounded", 1)),
        ("wounded", True, ("wounded", 1)),
        ("severely_wounded", True, ("severely wounded", 2)),
    ],
)
def test_the_worst_injury_alone_takes_dice(level_: Any, stunned: bool, takes: tuple[str, int] | None) -> None:
    session = begin(person(wounds={"level": level_}), FOE)
    held = (Effect(STUNNED, OPEN_END),) if stunned else ()
    scene = session.scene.with_status("a", lasting=held)
    found = wound_dice(session.rulebook.subject(scene["a"], scene))
    assert (found and (found.label, found.changed)) == takes


@pytest.mark.rule("opend6.gap.wound.incapacitated")
def test_incapacitated_people_keep_going_or_fall() -> None:
    session = begin(HERO, FOE, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [5, 5, 5], [3, 4, 4], [5, 5, 5])  # 17 + 3 - 11 = 9; 15 is enough
    assert (level(session.scene, "b"), session.seat) == ("incapacitated", "b")
    other = begin(HERO, FOE, FOE)
    answer(other, "1", "slash:b:short_sword", HIT, [5, 5, 5], [3, 4, 4], [4, 5, 5])
    assert other.seat == "c"
    answer(other, "1", "stop", [3] * 10)
    assert other.scene["b"].status.wounds.unconscious == 30
    assert other.scene.clock.left("wakes", who="b") == 30 * 60 - 5


@pytest.mark.rule("opend6.gap.wound.mortally", "opend6.gap.wound.minutes")
def test_the_dying_roll_from_the_first_minute_on() -> None:
    session = begin(HERO, FOE, person(FOE, wounds={"level": "mortally_wounded"}))
    for _ in range(11):
        answer(session, "1", "stop", "1", "stop")
    answer(session, "1", "stop", "1", "stop")  # round 12: a minute is complete
    answer(session, [1, 1, 1])  # 0 after the 1 and the highest die are dropped... and 1 left
    assert session.scene["c"].status.dying_rounds == 12


@pytest.mark.rule("opend6.gap.body_points.zero", "opend6.gap.body_points.loss")
def test_without_body_points_a_character_is_dying() -> None:
    frail = person(FOE, body_points=6)
    session = begin(HERO, frail, FOE, options={"injury.system": "body_points"})
    answer(session, "1", "slash:b:short_sword", HIT, [3, 2, 2])  # 9 + 3 = 12: minus the maximum
    assert session.scene["b"].status.wounds.level == "dead"
    other = begin(HERO, person(FOE, body_points=8), FOE, options={"injury.system": "body_points"})
    answer(other, "1", "slash:b:short_sword", HIT, [3, 2, 2])
    assert (other.scene["b"].status.wounds.body_points, other.rulebook.health(other.scene["b"])) == (-4, "dying")


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.levels")
@pytest.mark.parametrize(("points", "levels"), [(61, 0), (60, 1), (30, 1), (29, 2)])  # 12 lost: 80 and 60 of 100 left
def test_levels_lost_are_those_that_the_points_pass(points: int, levels: int) -> None:
    session = begin(HERO, person(FOE, body_points=points), FOE, options={"injury.system": "body_points"})
    answer(session, "1", "slash:b:short_sword", HIT, [3, 2, 2])
    status = session.scene["b"].status
    assert (status.points_lost, status.levels_lost) == (12, levels)


@pytest.mark.rule("opend6.gap.damage.killing_blow")
@pytest.mark.parametrize(
    ("on", "before", "damage", "resisted", "after"),
    [
        (True, "healthy", [5, 5, 5], [2, 3, 2], "dead"),  # 20 - 7 = 13: mortal by itself
        (False, "healthy", [5, 5, 5], [2, 3, 2], "mortally_wounded"),
        (True, "healthy", [5, 5, 5], [2, 3, 3], "incapacitated"),  # 12
        (True, "incapacitated", [3, 3, 3], [3, 3, 3], "mortally_wounded"),  # one level more is no killing blow
    ],
)
def test_killing_blows(on: bool, before: str, damage: list[int], resisted: list[int], after: str) -> None:
    foe = person(FOE, wounds={"level": before})
    session = begin(HERO, foe, FOE, options={"injury.killing_blow": on})
    answer(session, "1", "slash:b:short_sword", HIT, damage, resisted)
    assert level(session.scene, "b") == after


@pytest.mark.rule("opend6.gap.damage.killing_blow")
@pytest.mark.parametrize(
    ("on", "points", "dead"), [(True, 21, True), (True, 22, False), (False, 21, False)]
)  # 20 of 21 are 95 of 100, 20 of 22 are 90
def test_killing_blows_take_nearly_all_body_points(on: bool, points: int, dead: bool) -> None:
    foe = person(FOE, body_points=points)
    session = begin(HERO, foe, FOE, options={"injury.system": "body_points", "injury.killing_blow": on})
    answer(session, "1", "slash:b:short_sword", HIT, [5, 5, 5])  # 17 + 3
    assert (session.scene["b"].status.wounds.level == "dead") is dead


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize("system_", ["body_points", "body_points_with_levels"])
def test_a_stun_weapon_takes_no_body_points_but_the_senses(system_: str) -> None:
    sapper = person(belongings=[{"item": "sap", "place": "hand"}])
    foe = person(FOE, skills={"stamina": "4D"}, belongings=[{"item": "padded_leather", "place": "worn"}])
    session = begin(sapper, foe, FOE, options={"injury.system": system_})
    answer(session, "1", "bash:b:sap", HIT, [6, 5, 5, 5], [2, 3, 3, 3, 3])  # 21 + 3 against stamina 4D and 1D
    wounds = session.scene["b"].status.wounds
    assert (wounds.unconscious, wounds.body_points) == (24 - 14, None)
    assert session.scene.clock.left("wakes", who="b") == 10 * 60
    held = begin(sapper, foe, FOE, options={"injury.system": system_})
    answer(held, "1", "bash:b:sap", HIT, [3, 3, 3], [3, 3, 3, 3, 3])  # 12 against 15
    assert held.scene["b"].status.wounds.unconscious == 0


@pytest.mark.rule("opend6.gap.damage.massive")
@pytest.mark.parametrize("on", [True, False])
def test_massive_damage_shakes(on: bool) -> None:
    session = begin(HERO, FOE, options={"injury.massive_damage": on})
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [2, 3, 2], "1")  # 14 - 7: wounded
    assert bool([name for name in asked(session) if name.startswith("slash")]) is not on


@pytest.mark.rule("opend6.gap.resistance.max")
def test_at_most_six_dice_resist() -> None:
    tank = person(FOE, attributes={"physique": "5D"}, belongings=[{"item": "plate_mail", "place": "worn"}])
    for on, dice in ((False, 8), (True, 6)):
        scene = meeting(HERO, tank, options={"resistance.max": on}).scene
        arm = arm_of(scene, "a", "short_sword")
        assert arm is not None
        plan = planned(scene, "a", "b", arm.weapon, Manner("short_sword"))
        assert plan.protection.resistance.dice + plan.protection.armour.dice == dice


@pytest.mark.rule("opend6.free.player_actions")
def test_resisting_damage_is_no_action() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [5, 5, 5])
    assert (session.scene["b"].status.declared, session.scene["b"].status.taken) == (0, 0)


@each_case("system_", ["wounds", "body_points", "body_points_with_levels"])
@each_case("method", ["first_action", "roll_once_per_scene", "roll_each_round", "no_roll"])
def test_the_even_fight_ends_under_every_injury_system_and_method(system_: str, method: str) -> None:
    scenario = load_scenario("opend6:even")
    options = scenario.options.put("injury.system", system_).put("initiative.method", method)
    session = open_session(replace(scenario, options=options), seed=3)
    session.do("opend6.encounter")
    assert play_to_end(session, {}, otherwise=careful)
    assert session.scene.ended in ("party win", "raiders win")


@pytest.mark.rule("opend6.gap.wound.stunned", "opend6.gap.wound.adding")
@pytest.mark.parametrize(
    ("deed", "dice"),
    [("push:b:unarmed/push", ()), ("slash:b:short_sword", ([2, 2, 2], [5, 5, 5]))],
)
def test_harmless_attacks_stun_no_one_again(deed: str, dice: tuple[list[int], ...]) -> None:
    session = begin(HERO, person(FOE, wounds={"level": "stunned"}))
    answer(session, "1", deed, HIT, *dice)
    assert (level(session.scene, "b"), session.scene["b"].status.lasting) == ("stunned", ())
    assert wound_penalty(session.scene, "b") == 0


@pytest.mark.rule("opend6.gap.wound.stunned", "opend6.gap.damage.stun")
@pytest.mark.parametrize(("resisted", "minutes"), [([5, 6, 5], 0), ([5, 5, 5], 1)])
def test_a_stun_weapon_stuns_anyone_who_is_stunned_already(resisted: list[int], minutes: int) -> None:
    sap = person(belongings=[{"item": "sap", "place": "hand"}])
    session = begin(sap, person(FOE, wounds={"level": "stunned"}), FOE)
    answer(session, "1", "bash:b:sap", [4, 4, 4, 4], [5, 4, 4], resisted)  # 13 and 3 for a fifth of 11
    status = session.scene["b"].status
    assert (status.wounds.level, status.wounds.unconscious, len(status.lasting)) == ("stunned", minutes, minutes)


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.damage.killing_blow")
@pytest.mark.parametrize("minds", ["always", "on_request"])
def test_a_stun_weapon_kills_nobody(minds: str) -> None:
    sap = person(belongings=[{"item": "sap", "place": "hand"}], fate_points=1)
    options = {"injury.system": "body_points", "injury.killing_blow": True, "points.asked": minds}
    session = begin(sap, person(FOE, body_points=10, attributes={"physique": "1D"}), FOE, options=options)
    answer(session, "1", "bash:b:sap")
    while not (struck := [line for line in session.log if isinstance(line, Struck)]):
        six = isinstance(session.question, Choice)
        answer(session, asked(session)[0]) if six else answer(session, _dice(session))
    assert struck[0].stunned >= 10
    assert level(session.scene, "b") != "dead"
    assert session.scene["b"].status.wounds.unconscious == struck[0].stunned


def _dice(session: Session) -> list[int]:
    """High faces for the attack and the damage, low ones for the resistance."""
    count = int(str(session.question).split("D")[0].split()[-1])
    return [5] * count if count > 1 else [2]


# ---------------------------------------------------------------------- Body Points with levels


LEVELS = {"injury.system": "body_points_with_levels"}


@pytest.mark.rule("opend6.gap.body_points.levels", "opend6.gap.wound.mortally")
@pytest.mark.parametrize(("most", "dying"), [(22, True), (23, False)])  # 2 of 22 are less than a tenth, 3 of 23 more
def test_a_character_who_has_less_than_a_tenth_of_the_body_points_left_is_dying(most: int, dying: bool) -> None:
    session = begin(HERO, person(FOE, body_points=most), FOE, options=LEVELS)
    answer(session, "1", "slash:b:short_sword", HIT, [5, 5, 5])  # 17 + 3
    assert session.scene["b"].status.wounds.body_points == most - 20
    assert (is_out(session.scene["b"]), is_dying(session.scene["b"])) == (dying, dying)
    assert level(session.scene, "b") == ("mortally_wounded" if dying else "incapacitated")


@pytest.mark.rule("opend6.gap.body_points.levels", "opend6.gap.wound.dying_rescue")
def test_a_character_who_comes_with_less_than_a_tenth_is_dying_until_there_is_aid() -> None:
    hurt = person(FOE, body_points=30, wounds={"body_points": 2})
    session = meeting(person(skills={"healing": "4D"}), hurt, options=LEVELS)
    assert is_dying(session.scene["b"])
    session.do("opend6.treat", who="b", healer="a")
    answer(session, [3, 3, 3, 3], [4, 4])  # 12: 2D
    assert not is_out(session.scene["b"])
    assert (session.scene["b"].status.wounds.body_points, level(session.scene, "b")) == (10, "severely_wounded")


@pytest.mark.rule("opend6.gap.body_points.levels", "opend6.gap.body_points.zero")
@pytest.mark.parametrize(("left", "alive"), [(2, True), (0, False)])
def test_only_without_any_body_points_the_end_comes_after_fifteen_minutes(left: int, alive: bool) -> None:
    hurt = person(FOE, attributes={"physique": "9D"}, body_points=30, wounds={"body_points": left, "dying_minutes": 14})
    session = meeting(HERO, hurt, options=LEVELS)
    session.do("opend6.dying", who="b", minutes=1)
    while session.question is not None:
        answer(session, [2] * 9)
    assert is_dying(session.scene["b"]) is alive
