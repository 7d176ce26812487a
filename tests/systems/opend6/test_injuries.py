"""Effects of injuries in a fight, under every system of injuries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, kinds, meeting, person, pool
from systems.playing import answer, asked, events, last
from tablewright.engine import Choice
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful, play_to_end
from tablewright.game.session.session import Session
from tablewright.systems.opend6.events.attack import injured
from tablewright.systems.opend6.status import STUNNED, is_dying, is_out, level, wound_dice, wound_penalty

SLASH = ("1", "slash:b:short_sword", HIT)
"""One action, a hit with the short sword: Strength Damage 2D, 1D+2 of the weapon and 3 for the result points."""

POINTS = {"injury.system": "body_points"}
LEVELS = {"injury.system": "body_points_with_levels"}
SAP = person(belongings=[{"item": "sap", "place": "hand"}])
MINUTE = 60


def waking(session: Session, who: str = "b") -> list[int]:
    """In how many seconds a character wakes."""
    clock = session.scene.clock
    return [due.at - clock.now for due in clock.waiting("wakes", who=who)]


# ---------------------------------------------------------------------- Wound levels


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.gap.wound.stunned")
def test_penalties_of_wounds() -> None:
    session = answer(begin(HERO, FOE), *SLASH, [3, 3, 3], [4, 4, 4])  # 11 + 3 against 12: stunned
    assert level(session.scene, "b") == "stunned"
    answer(session, "1", "slash:a:short_sword", [1, 2, 2], "1", "stop", "1", "slash:a:short_sword", [1, 2, 2])
    answer(session, "1", "stop", "1", "slash:a:short_sword", MISS)  # the die is back after the next round
    hurt = answer(begin(person(wounds={"level": "severely_wounded"}), FOE), "1", "slash:b:short_sword")
    assert pool(hurt) == "2D"
    only = answer(begin(HERO, FOE, options={"injury.stunned": "defend_only"}), *SLASH, [3, 3, 3], [4, 4, 4], "1")
    assert "slash" not in kinds(only)
    assert "dodge" in kinds(only)


@pytest.mark.rule("opend6.gap.wound.stunned", "opend6.free.player_actions")
def test_no_one_is_stunned_for_rounds_once_the_fight_is_over() -> None:
    session = answer(begin(HERO, FOE), *SLASH, [3, 3, 3], [4, 4, 4])
    status = session.scene["b"].status
    assert (status.declared, status.taken) == (0, 0), "resisting is no action"
    assert status.has(STUNNED)
    session.do("table.end", outcome="a truce")
    assert not session.scene["b"].status.has(STUNNED)
    assert wound_penalty(session.scene, "b") == 0


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.wound.stunned")
def test_a_character_who_is_stunned_by_body_points_is_so_for_this_round_and_the_next() -> None:
    by_points = answer(begin(HERO, person(FOE, body_points=60), FOE, options=LEVELS), *SLASH, [5, 5, 5])
    by_levels = answer(begin(HERO, FOE), *SLASH, [3, 3, 3], [4, 4, 4])
    first, second = [
        [one.until for one in each.scene["b"].status.lasting if one.id == STUNNED] for each in (by_points, by_levels)
    ]
    assert first == second
    assert len(first) == 1


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.gap.wound.stunned", "opend6.map.penalty")
@each_case(
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
    held = (Effect(STUNNED, OPEN_END),) if stunned else ()
    session = meeting(person(wounds={"level": level_}), FOE, statuses={"a": {"lasting": held}})
    found = wound_dice(session.rulebook.subject(session.scene["a"], session.scene))
    assert (found and (found.label, found.changed)) == takes


@pytest.mark.rule("opend6.gap.wound.stunned", "opend6.gap.wound.adding")
@pytest.mark.parametrize(
    ("deed", "dice"), [("push:b:unarmed/push", ()), ("slash:b:short_sword", ([2, 2, 2], [5, 5, 5]))]
)
def test_harmless_attacks_stun_no_one_again(deed: str, dice: tuple[list[int], ...]) -> None:
    session = answer(begin(HERO, person(FOE, wounds={"level": "stunned"})), "1", deed, HIT, *dice)
    assert (level(session.scene, "b"), session.scene["b"].status.lasting) == ("stunned", ())
    assert wound_penalty(session.scene, "b") == 0


@pytest.mark.rule("opend6.gap.wound.incapacitated")
def test_incapacitated_people_keep_going_or_fall() -> None:
    session = answer(begin(HERO, FOE, FOE), *SLASH, [5, 5, 5], [3, 4, 4], [5, 5, 5])  # 20 - 11 = 9; 15 is enough
    assert (level(session.scene, "b"), session.seat) == ("incapacitated", "b")
    other = answer(begin(HERO, FOE, FOE), *SLASH, [5, 5, 5], [3, 4, 4], [4, 5, 5])
    assert other.seat == "c"
    answer(other, "1", "stop", [3] * 10)
    assert other.scene["b"].status.wounds.unconscious == 30
    assert waking(other) == [30 * MINUTE - 5]


@pytest.mark.rule("opend6.map.penalty", "opend6.map.zero_rule", "opend6.gap.wound.incapacitated")
@pytest.mark.parametrize(("declared", "dice"), [("1", "3D"), ("2", "2D"), ("3", "1D"), ("4", None)])
def test_several_actions_take_dice_from_the_roll_to_stay_awake(declared: str, dice: str | None) -> None:
    session = begin(person(attributes={"acumen": "5D"}), person(FOE, skills={"melee_combat": "6D"}), FOE)
    answer(session, declared, "communicate", *(["stop"] if declared != "1" else []))
    answer(session, "1", "slash:a:short_sword", [2] * 6, [4, 4, 4], [2, 2, 2])
    assert level(session.scene, "a") == "incapacitated"
    if dice is None:
        assert session.scene["a"].status.wounds.unconscious, "nobody stays awake without a die left"
    else:
        assert pool(session) == dice


@pytest.mark.rule("opend6.gap.wound.mortally", "opend6.gap.wound.minutes")
def test_the_dying_roll_from_the_first_minute_on() -> None:
    session = begin(HERO, FOE, person(FOE, wounds={"level": "mortally_wounded"}))
    for _ in range(12):
        answer(session, "1", "stop", "1", "stop")  # after round 12 a minute is complete
    answer(session, [1, 1, 1])  # the 1 and the highest die are dropped, and 1 is left
    assert session.scene["c"].status.dying_rounds == 12


@pytest.mark.rule("opend6.gap.wound.adding")
@pytest.mark.parametrize(
    ("wounds", "after"),
    [
        ({"level": "mortally_wounded"}, "dead"),
        ({"level": "incapacitated", "unconscious": 9}, "mortally_wounded"),
        ({"level": "dead"}, None),
    ],
)
def test_a_character_who_has_fallen_can_still_be_struck_but_the_dead_cannot(
    wounds: dict[str, Any], after: str | None
) -> None:
    session = answer(begin(HERO, person(FOE, wounds=wounds), FOE), "1")
    found = {name.partition(":")[0] for name in asked(session) if ":b:" in name}
    assert found == ({"slash", "punch", "kick"} if after else set())  # there is nothing to trip, to disarm or to hold
    if after:
        answer(session, "slash:b:short_sword", HIT, [2, 2, 2], [3, 3, 3])
        assert level(session.scene, "b") == after


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
    session = begin(HERO, person(FOE, wounds={"level": before}), FOE, options={"injury.killing_blow": on})
    answer(session, *SLASH, damage, resisted)
    assert level(session.scene, "b") == after


@pytest.mark.rule("opend6.gap.damage.massive")
@pytest.mark.parametrize("on", [True, False])
def test_massive_damage_shakes(on: bool) -> None:
    session = begin(HERO, FOE, options={"injury.massive_damage": on})
    answer(session, *SLASH, [3, 3, 3], [2, 3, 2], "1")  # 14 - 7: wounded
    assert ("slash" in kinds(session)) is not on


# ---------------------------------------------------------------------- Body Points


@pytest.mark.rule("opend6.gap.body_points.zero", "opend6.gap.body_points.loss", "opend6.gap.damage.killing_blow")
@pytest.mark.parametrize(
    ("options", "points", "damage", "left", "health"),
    [
        (POINTS, 6, [3, 2, 2], -6, "dead"),  # 9 + 3 = 12: minus the maximum
        (POINTS, 8, [3, 2, 2], -4, "dying"),
        (POINTS | {"injury.killing_blow": True}, 21, [5, 5, 5], 1, "dead"),  # 20 of 21 are 95 of 100
        (POINTS | {"injury.killing_blow": True}, 22, [5, 5, 5], 2, "barely standing"),  # and 20 of 22 are 90
        (POINTS | {"injury.killing_blow": False}, 21, [5, 5, 5], 1, "barely standing"),
    ],
)
def test_without_body_points_a_character_is_dying(
    options: dict[str, Any], points: int, damage: list[int], left: int, health: str
) -> None:
    session = answer(begin(HERO, person(FOE, body_points=points), FOE, options=options), *SLASH, damage)
    assert session.scene["b"].status.wounds.body_points == left
    assert session.rulebook.health(session.scene["b"]) == health


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.levels")
@each_case(
    ("most", "before", "loss", "levels"),
    [
        (61, 61, 12, 0),
        (60, 60, 12, 1),  # at 48 and below a character is stunned, at 35 wounded, at 23 severely
        (30, 30, 12, 1),
        (29, 29, 12, 2),
        (60, 60, 1, 0),
        (60, 35, 1, 0),
        (60, 35, 20, 1),
        (60, 60, 45, 3),
    ],
)
def test_levels_lost_are_those_that_the_points_pass(most: int, before: int, loss: int, levels: int) -> None:
    scene = begin(HERO, person(FOE, body_points=most), FOE, options=POINTS).scene
    hurt = scene.with_status("b", wounds=scene["b"].status.wounds.changed(body_points=before))
    after = injured(hurt, "b", "healthy", loss, 0)["b"].status
    assert (after.points_lost, after.levels_lost) == (loss, levels)


@pytest.mark.rule("opend6.gap.body_points.levels", "opend6.gap.wound.mortally")
@pytest.mark.parametrize(("most", "dying"), [(22, True), (23, False)])  # 2 of 22 are less than a tenth, 3 of 23 more
def test_a_character_who_has_less_than_a_tenth_of_the_body_points_left_is_dying(most: int, dying: bool) -> None:
    session = answer(begin(HERO, person(FOE, body_points=most), FOE, options=LEVELS), *SLASH, [5, 5, 5])  # 17 + 3
    assert session.scene["b"].status.wounds.body_points == most - 20
    assert (is_out(session.scene["b"]), is_dying(session.scene["b"])) == (dying, dying)
    assert level(session.scene, "b") == ("mortally_wounded" if dying else "incapacitated")


@pytest.mark.rule("opend6.gap.body_points.levels", "opend6.gap.body_points.zero")
@pytest.mark.parametrize(("left", "alive"), [(2, True), (0, False)])
def test_only_without_any_body_points_the_end_comes_after_fifteen_minutes(left: int, alive: bool) -> None:
    hurt = person(FOE, attributes={"physique": "9D"}, body_points=30, wounds={"body_points": left, "dying_minutes": 14})
    session = meeting(HERO, hurt, options=LEVELS)
    session.do("opend6.dying", who="b", minutes=1)
    while session.question is not None:
        answer(session, [2] * 9)
    assert is_dying(session.scene["b"]) is alive


# ---------------------------------------------------------------------- lost senses


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize("options", [POINTS, LEVELS])
@pytest.mark.parametrize(("damage", "resisted", "minutes"), [([6, 5, 5, 5], 14, 10), ([3, 3, 3], 15, 0)])
def test_a_stun_weapon_takes_no_body_points_but_the_senses(
    options: dict[str, str], damage: list[int], resisted: int, minutes: int
) -> None:
    foe = person(FOE, skills={"stamina": "4D"}, belongings=[{"item": "padded_leather", "place": "worn"}])
    session = begin(SAP, foe, FOE, options=options)
    answer(session, "1", "bash:b:sap", HIT, damage, [resisted - 12, 3, 3, 3, 3])  # against stamina 4D and 1D
    wounds = session.scene["b"].status.wounds
    assert (wounds.unconscious, wounds.body_points) == (minutes, None)
    assert waking(session) == ([minutes * MINUTE] if minutes else [])


@pytest.mark.rule("opend6.gap.wound.stunned", "opend6.gap.damage.stun")
@pytest.mark.parametrize(("resisted", "minutes"), [([5, 6, 5], 0), ([5, 5, 5], 1)])
def test_a_stun_weapon_stuns_anyone_who_is_stunned_already(resisted: list[int], minutes: int) -> None:
    session = begin(SAP, person(FOE, wounds={"level": "stunned"}), FOE)
    answer(session, "1", "bash:b:sap", [4, 4, 4, 4], [5, 4, 4], resisted)  # 13 and 3 for a fifth of 11
    status = session.scene["b"].status
    assert (status.wounds.level, status.wounds.unconscious, len(status.lasting)) == ("stunned", minutes, minutes)


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.damage.killing_blow")
@pytest.mark.parametrize("minds", ["always", "on_request"])
def test_a_stun_weapon_kills_nobody(minds: str) -> None:
    options = POINTS | {"injury.killing_blow": True, "points.asked": minds}
    foe = person(FOE, body_points=10, attributes={"physique": "1D"})
    session = answer(begin(person(SAP, fate_points=1), foe, FOE, options=options), "1", "bash:b:sap")
    while not events(session, "Struck"):
        if isinstance(session.question, Choice):
            answer(session, asked(session)[0])
        else:
            dice = int(pool(session)[:-1])
            answer(session, [5] * dice if dice > 1 else [2])  # the resistance is a single die
    assert last(session, "Struck").stunned >= 10
    assert level(session.scene, "b") != "dead"
    assert session.scene["b"].status.wounds.unconscious == last(session, "Struck").stunned


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.wound.incapacitated")
@pytest.mark.parametrize(
    ("deed", "damage", "left"),
    [
        ("bash:b:sap", [5, 5, 5], 12 * MINUTE),
        ("bash:b:sap", [2, 3, 3], 6 * MINUTE - 5),  # a second stun that would end sooner
        ("slash:b:short_sword", [5, 3, 3], 50 * MINUTE - 5),  # incapacitated: ten dice, when the round closes
    ],
)
def test_senses_that_are_lost_twice_are_lost_for_the_longer_time(deed: str, damage: list[int], left: int) -> None:
    armed = person(belongings=[{"item": item, "place": "hand"} for item in ("sap", "short_sword")])
    session = begin(armed, FOE, person(FOE, name="Third", attributes={"acumen": "1D"}))
    answer(session, "1", "bash:b:sap", HIT, [3, 3, 3], [2, 2, 2], "1", "stop", "1")
    assert (session.scene.round, waking(session)) == (2, [6 * MINUTE - 5])
    answer(session, deed, HIT, damage, [2, 2, 2])
    if deed.startswith("slash"):
        answer(session, "1", "stop", [5] * 10)
    assert waking(session) == [left]


# ---------------------------------------------------------------------- whole fights


@each_case("system_", ["wounds", "body_points", "body_points_with_levels"])
def test_the_even_fight_ends_under_every_injury_system(system_: str) -> None:
    scenario = load_scenario("opend6:even")
    options = scenario.options.put("injury.system", system_).put("initiative.method", "roll_each_round")
    session = open_session(replace(scenario, options=options), seed=3)
    session.do("opend6.encounter")
    assert play_to_end(session, {}, otherwise=careful)
    assert session.scene.ended in ("party win", "raiders win")
