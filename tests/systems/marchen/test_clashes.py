"""Clashes and answers to a blow, turning the tide, ending the fight."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import told, why_not
from systems.marchen.fights import begun, closed, duel, fighter, objective, ruled, spot
from systems.marchen.people import book, hurt
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.engine import Choice
from tablewright.engine.advice import value_options
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.systems.marchen.actions.attack import answering
from tablewright.systems.marchen.actions.maneuvers import MOVES
from tablewright.systems.marchen.book import rulebook
from tablewright.systems.marchen.bots import rate
from tablewright.systems.marchen.mechanics.checks import CheckResult
from tablewright.systems.marchen.mechanics.dice import Degree
from tablewright.systems.marchen.mechanics.harm import all_or_nothing
from tablewright.systems.marchen.now import body
from tablewright.systems.marchen.status import Help

# ---------------------------------------------------------------------- clashes and answers


@pytest.mark.rule("marchen.ounces.clash")
def test_a_clasher_who_wins_is_in_control() -> None:
    for dice, bob, ann in (([[4, 4], [1, 2]], 6, 0), ([[1, 2], [4, 4]], 0, 6)):
        session = go_on(begun(duel(), 3, 1), "clash:bob:sword", *dice, [2, 2, 2], [1, 2])
        assert (status(session, "bob").physical, status(session).physical) == (bob, ann)
        assert status(session).in_control is (bob > 0)


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.clash")
def test_a_character_who_answers_a_clash_uses_up_what_waits_for_them() -> None:
    session = go_on(spot(), "secure_advantage:ann", [6, 6], "hold")
    ruled(session, "ann", hindered=True)
    assert [one.dm for one in status(session).nexts] == [1]
    go_on(session, "clash:ann:sword", [2, 2], [6, 6, 2, 2], [1, 1, 1], [1, 2])  # 4 against the worse set, 4 + 1
    assert status(session, "bob").physical == 3
    assert (status(session).nexts, status(session).hindered) == ((), False)


@pytest.mark.rule("marchen.gap.fight.minor_actions", "marchen.gap.fight.aim", "marchen.ounces.clash")
def test_an_answer_by_crossbow_is_a_shot_like_any_other_if_it_is_loaded() -> None:
    bow = fighter("Bob", skills={"ranged_combat": 0}, home_tl=2, belongings=(ItemStack("crossbow", 1, "hand"),))
    session = ruled(spot(bob=bow), "bob", aim=3)
    go_on(session, "clash:bob:sword", [1, 1], [6, 6, 6, 6], [1, 1], [1, 2])
    assert (status(session, "bob").unloaded, status(session, "bob").aim) == (("crossbow",), 0)
    left = answering(session.scene, "bob", "ann", "physical")[0]
    assert left is not None
    assert left.id == "unarmed"
    empty = ruled(spot(bob=bow), "bob", aim=3, unloaded='["crossbow"]')
    go_on(empty, "clash:bob:sword", [1, 1], [6, 6])  # he gets out of the way
    assert (status(empty, "bob").aim, status(empty, "bob").unloaded) == (3, ("crossbow",))


@pytest.mark.rule("marchen.gap.fight.minor_actions", "marchen.ounces.strike")
def test_a_character_who_strikes_back_with_a_crossbow_has_shot_it() -> None:
    shooter = fighter("Bob", skills={"ranged_combat": 0}, belongings=(ItemStack("crossbow", 1, "hand"),))
    for faces, shot in (([1, 3], ()), ([1, 2], ("crossbow",)), ([1, 1], ("crossbow",))):
        session = begun(duel(fighter("Ann"), shooter))
        go_on(session, "strike:bob:sword", "none", faces)
        if shot:
            go_on(session, [1, 1], [1, 1])  # what it does to Ann, and how she endures it
        assert status(session, "bob").unloaded == shot
    foreseen = rulebook.foresee(begun(duel(fighter("Ann"), shooter)).scene, "ann", ActionUse("strike", "bob", "sword"))
    assert foreseen
    assert {scene["bob"].status.unloaded for scene, _ in foreseen} == {(), ("crossbow",)}


@pytest.mark.rule("marchen.check.characteristic", "marchen.ounces.clash", "marchen.gap.threshold.hurt")
def test_words_are_resisted_as_any_characteristic_check() -> None:
    bob = fighter("Bob", mental=3, acuity=1)
    for adds, total in ((False, 1), (True, 4)):
        session = duel(fighter("Ann", skills={"intimidation": 1}), bob, characteristic_check_adds_aspect=adds)
        assert answering(session.scene, "bob", "ann", "mental")[:2] == (None, total)
        waiting = session.scene.with_status("bob", nexts=(Help("a plan", 2),))
        assert answering(waiting, "bob", "ann", "mental")[1] == total + 2
    for mental, resists in ((5, 0), (6, -1)):  # the hurt resist worse but endure as well
        scene = duel(bob=fighter("Bob", wounds=hurt(mental=mental))).scene
        assert answering(scene, "bob", "ann", "mental")[1] == resists
        assert answering(scene, "bob", "ann", "spiritual")[1] == 0
        assert body(scene, "bob", "mental").bearing.endure == 0


# ---------------------------------------------------------------------- turning the tide


@pytest.mark.rule("marchen.ounces.turn_the_tide")
@pytest.mark.parametrize(
    "move",
    [
        ("turn_the_tide:bob:sword", "none", [4, 3], [2, 2, 2], [1, 2]),  # 7 + 1: a tie
        ("turn_the_tide:bob:sword", "none", [1, 1], [1, 1, 1], [1, 2]),
        ("turn_the_tide::gain_ground/position", [3, 4]),
        ("turn_the_tide:ann:secure_advantage", [6, 6]),
    ],
)
def test_turning_the_tide_takes_the_initiative_from_the_foe_but_once(move: tuple[Any, ...]) -> None:
    session = ruled(begun(duel(), 3, 2), "bob", in_control=True)
    assert not status(session).in_control
    go_on(session, *move)
    assert not status(session, "bob").in_control
    assert status(session).turned
    if [4, 3] in move:
        assert (status(session, "bob").physical, status(session).in_control) == (6, True)
    again = ruled(begun(duel(), 3, 2), "ann", turned=True)
    assert closed(again)["turn_the_tide"] == "marchen.ounces.turn_the_tide"


@pytest.mark.rule("marchen.ounces.turn_the_tide")
def test_the_tide_can_be_turned_by_any_move() -> None:
    session = spot()
    session.do("marchen.set_objective", name="the bridge", steps=2)
    ids = [one for one in asked(session) if one.startswith("turn_the_tide")]
    assert ids == [
        "turn_the_tide:bob:sword",
        "turn_the_tide::gain_ground/position",
        "turn_the_tide::gain_ground/objective",
        "turn_the_tide::take_defensive_action",
        "turn_the_tide:ann:secure_advantage",
        "turn_the_tide:bob:compel",
    ]
    assert book().foresee(session.scene, "ann", ActionUse("turn_the_tide", "bob", "compel")) is None
    assert book().foresee(session.scene, "ann", ActionUse("turn_the_tide", "bob", "sword")) is not None
    for move in MOVES:
        assert rate(session.scene, "ann", ActionUse("turn_the_tide", "bob", move)).cost == 8


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.ounces.gain_ground", "marchen.ounces.take_defensive_action")
def test_ground_and_objectives_are_gained_by_turning_the_tide() -> None:
    session = go_on(spot(), "turn_the_tide::gain_ground/position", [3, 4])  # 7 + 1: a tie
    assert (status(session).in_control, status(session).turned) == (True, True)
    assert [one.dm for one in status(session).nexts] == [1]
    failed = go_on(spot(), "turn_the_tide::gain_ground/position", [3, 3])
    assert (status(failed).in_control, status(failed).turned, status(failed).nexts) == (False, True, ())
    assert "Ann fails to gain ground and is in a bad spot." in told(failed)
    bridge = spot()
    bridge.do("marchen.set_objective", name="the bridge", steps=2)
    go_on(bridge, "turn_the_tide::gain_ground/objective", [4, 4])
    assert objective(bridge).of("party") == 1
    go_on(bridge, "hold", "hold")
    assert closed(bridge)["turn_the_tide"] == "marchen.fight.control"
    gate = spot()
    gate.do("marchen.set_objective", name="the gate", steps=1)
    go_on(gate, "turn_the_tide::take_defensive_action", [3, 4])
    assert (objective(gate).taken_by, status(gate).in_control) == ("party", True)
    failed = go_on(spot(), "turn_the_tide::take_defensive_action", [3, 3])
    assert (status(failed).in_control, status(failed).lasting) == (False, ())


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.ounces.secure_advantage")
def test_a_tide_that_does_not_turn_counts_as_costly() -> None:
    for faces, control, dms in (([5, 5], True, []), ([3, 6], False, [-3]), ([6, 6], True, [1])):  # untrained, and +1
        status = go_on(spot(), "turn_the_tide:ann:secure_advantage", faces).scene["ann"].status
        assert (status.in_control, [one.dm for one in status.nexts]) == (control, dms)
    worst, failed = (
        CheckResult(-6, Degree.CATASTROPHIC, -4, False, True),
        CheckResult(-1, Degree.FAIL, -2, False, False),
    )
    assert (all_or_nothing(worst), all_or_nothing(failed)[1:3]) == (worst, (Degree.COSTLY, -3))
    tie = CheckResult(0, Degree.TIE, 0, True, False)
    assert all_or_nothing(tie) == tie


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.puncti.compel")
def test_a_foe_can_be_talked_down_by_turning_the_tide() -> None:
    won = go_on(spot(), "turn_the_tide:bob:compel", [6, 5], [4, 4])  # 11 - 3 + 1 against 8
    assert (won.scene["bob"].present, won.scene.ended) == (False, "party win")
    lost = go_on(spot(), "turn_the_tide:bob:compel", [6, 4], [5, 4])  # 8 against 9
    assert (status(lost).in_control, status(lost).turned, status(lost, "bob").compelled) == (False, True, True)
    assert "Ann fails to turn the tide and is in a bad spot." in told(lost)
    calm = go_on(begun(duel(), 3, 4), "hold")
    assert "turn_the_tide:bob:compel" not in asked(calm)
    assert "turn_the_tide:bob:sword" in asked(calm)


# ---------------------------------------------------------------------- ending the fight


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_ending_the_fight_takes_a_hurt_foe_and_risks_the_position() -> None:
    assert closed(begun(duel()))["end_the_fight"] == "marchen.puncti.end_the_fight"
    hurt = ruled(begun(duel()), "bob", physical=6)
    go_on(hurt, "end_the_fight:bob:sword", "flees", "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    assert (hurt.scene["bob"].present, hurt.scene.ended) == (False, "party win")
    weak = ruled(begun(duel()), "bob", physical=6)
    go_on(weak, "end_the_fight:bob:sword", "flees", "none", [4, 4], [1, 1, 1], [1, 2])
    assert (weak.scene["bob"].present, status(weak).in_control) == (True, False)
    words = ruled(begun(duel(fighter("Ann", skills={"persuasion": 1, "melee_combat": 0}))), "bob", social=6)
    go_on(words, "end_the_fight:bob:snub", "yields", [6, 5], [1], [1, 2])
    assert (words.scene["bob"].present, words.scene.ended) == (False, "party win")


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_there_is_advice_on_the_fate_of_the_foe() -> None:
    session = go_on(ruled(begun(duel()), "bob", physical=6), "end_the_fight:bob:sword")
    assert isinstance(session.question, Choice)
    weighed = value_options(session.question)
    assert weighed is not None
    assert {one.id: (int(one.value), one.best) for one in weighed.options} == {
        "felled": (12, True),
        "yields": (12, False),
        "flees": (11, False),
    }


@pytest.mark.rule("marchen.puncti.end_the_fight")
@pytest.mark.parametrize("how", ["yields", "flees"])
def test_a_character_who_flees_keeps_what_they_have(how: str) -> None:
    session = ruled(begun(duel()), "bob", physical=6)
    go_on(session, "end_the_fight:bob:sword", how, "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    loot = {"who": "ann", "fallen": "bob", "item": "sword"}
    if how == "flees":
        assert "Bob is gone and keeps it" in why_not(session, "loot", **loot)
    else:
        session.do("marchen.loot", **loot)
        assert [one.item for one in status(session).belongings] == ["sword", "sword"]
