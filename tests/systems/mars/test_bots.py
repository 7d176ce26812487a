"""Ratings of bots: looks, expectations of attacks, values of options and scenes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.mars.fights import duel, fighter, place, session_with, under_attack
from systems.playing import go, status
from tablewright.engine import odds
from tablewright.game.ground.bands import Together
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.bots import can_attack, rate, supposed, value
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.expectations import POINT, expect
from tablewright.systems.mars.mechanics.attack import Attempt, Body, Target, Wound, attack
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.prospects import EFFECT_WORTH, health
from tablewright.systems.mars.status import Turn
from tablewright.systems.mars.values import Degree, RollValue

HERO = fighter("Ann", ["straight_sword"], DEX="r12", skills={"martial": "r8"})
FOE = fighter("Bob", ["straight_sword", "small_shield"], ["padded"])


def aimed(session: Session) -> Any:
    scene = session.scene
    return aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, "fresh"),
        ({"endurance": 5}, "hurt"),
        ({"endurance": 6}, "fresh"),
        ({"health": 9}, "badly hurt"),
        ({"effects": (MarsEffect("unconscious"),)}, "unconscious"),
        ({"effects": (MarsEffect("dying"), MarsEffect("unconscious"))}, "dying"),
        ({"dead": True}, "dead"),
    ],
)
def test_visible_state_of_a_participant(changes: dict[str, Any], word: str) -> None:
    assert health(duel(HERO, FOE, theirs=changes).scene["bob"]) == word


def test_the_promise_of_an_attack_is_exact() -> None:
    session = duel(HERO, FOE)
    blow = aimed(session)
    call = attack(Attempt(blow.attack), Target(RollValue(10, 2)), Wound(blow.damage, 6), Body(2))
    exact = odds(call).expected(lambda attacked: attacked.damage)
    assert expect(session.scene, blow).harm == int(exact * POINT)
    known = blow._replace(degree=Degree.SUCCESS)
    assert expect(session.scene, known).hits == 1_000
    evading = blow._replace(defence="evade")
    assert expect(session.scene, evading).harm < expect(session.scene, blow).harm
    blocked = known._replace(block="small_shield")
    assert expect(session.scene, blocked).harm < expect(session.scene, known).harm


def test_attacks_are_rated_by_what_they_promise() -> None:
    session = duel(HERO, FOE)
    armed, bare = ActionUse("attack", "bob", "straight_sword"), ActionUse("attack", "bob", "unarmed")
    assert rate(session.scene, "ann", armed).harm > rate(session.scene, "ann", bare).harm
    late = session.scene.with_status("ann", turn=Turn.begun(0)._replace(attacks=2, weapon="straight_sword"))
    assert rate(late, "ann", armed).harm < rate(session.scene, "ann", armed).harm
    down = duel(HERO, FOE, theirs={"effects": (MarsEffect("unconscious"), MarsEffect("prone"))})
    assert rate(down.scene, "ann", armed).harm < 0
    assert not can_attack(down.scene, "ann")


def test_reactions_are_rated_by_what_they_spare() -> None:
    session = duel(HERO, FOE)
    struck = under_attack(session.scene, aimed(session))
    ratings = {
        use.id: rate(struck, "bob", use)
        for use in ACTIONS.options(struck, "bob", reactions=True, among=("deflect", "evade", "parry"))
        if isinstance(use, ActionUse)
    }
    assert ratings["deflect"] == (0, 0, 0)
    assert ratings["parry::straight_sword"].safety > ratings["evade"].safety > 0
    assert ratings["evade::step"].cost > ratings["evade"].cost
    hit = under_attack(session.scene, aimed(session)._replace(degree=Degree.CRITICAL))
    assert rate(hit, "bob", ActionUse("block")).safety > 0


def test_a_scene_is_worth_more_when_others_have_less() -> None:
    session = duel(HERO, FOE)
    start = value(session.scene, "party")
    assert value(session.scene.with_status("bob", endurance=3), "party") > start
    assert value(session.scene.with_status("ann", endurance=3), "party") < start
    assert value(session.scene.with_status("bob", effects=(MarsEffect("unconscious"),)), "party") > start + 500
    for kind, worth in EFFECT_WORTH.items():
        changed = value(session.scene.with_status("ann", effects=(MarsEffect(kind, degree=1),)), "party")  # type: ignore[arg-type]
        assert (changed > start) is (worth > 0), kind
    pending = under_attack(session.scene, aimed(session))
    assert value(pending, "party") > start


def test_nearer_is_better_for_who_fights_hand_to_hand() -> None:
    far, close = duel(HERO, FOE, apart=9), duel(HERO, FOE, apart=2)
    assert value(close.scene, "party") > value(far.scene, "party")
    assert not can_attack(far.scene, "ann")
    assert rate(far.scene, "ann", ActionUse("move", "bob")).harm > 0
    near = duel(HERO, FOE)
    assert can_attack(near.scene, "ann")
    assert rate(near.scene, "ann", ActionUse("move", "bob")).harm < 0


def test_every_option_can_be_rated_and_nothing_free_is_better_than_ending_the_turn() -> None:
    people = [
        place(HERO, "party", None, who="ann"),
        place(FOE, "foes", None, who="bob"),
        place(fighter("Cid", talents={"rage": 1, "second_wind": 1}, hold=["club"]), "party", None, who="cid"),
    ]
    session = session_with(people, ground=Together(), turn="cid")
    for use in ACTIONS.options(session.scene, "cid"):
        if isinstance(use, ActionUse):
            rating = rate(session.scene, "cid", use)
            assert all(isinstance(part, int | Fraction) for part in rating)
            if use.cost_text in ("nothing", "free"):
                assert rating.harm + rating.safety - rating.cost <= 0, use.id


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_bots_answer_reactions(policy: str) -> None:
    session = duel(HERO, FOE)
    session.do("mars.perform", who="ann", use="attack:bob:straight_sword")
    question: Any = session.question
    assert question.question == "how to defend?"
    answer = POLICIES[policy](session, question)
    assert 0 <= answer < len(question.ids)
    if policy != "random":
        assert question.ids[answer].startswith("parry")  # it spares most


def test_bots_pick_the_weapon_that_they_can_use() -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"mace": 1}, skills={"ranged": "r8", "martial": "r4"})
    session = duel(archer, FOE)
    assert rate(session.scene, "ann", ActionUse("brandish")).harm > 400  # no arrows
    go(session, "mars.perform", who="ann", use="brandish")
    assert now(session.scene, "ann").wielded[0].key == "mace"
    assert status(session).turn.seconds == 6


def test_the_best_bot_takes_others_for_what_they_look_like() -> None:
    session = duel(HERO, FOE)
    scene = session.scene
    most = scene["bob"].status.most
    for well, endurance, left, guessed in (
        (most.health, most.endurance, most.health, most.endurance),
        (most.health, most.endurance // 2, most.health, most.endurance // 2),
        (most.health - 1, 0, most.health // 2, 0),
    ):
        seen = supposed(scene.with_status("bob", health=well, endurance=endurance, stamina=0), "party")["bob"].status
        assert (seen.health, seen.endurance) == (left, guessed)
        assert seen.stamina > 0
    assert supposed(scene, "party")["ann"] == scene["ann"]


@pytest.mark.rule("mars.gap.weapon.thrown")
def test_nobody_throws_away_what_they_fight_with() -> None:
    raider = fighter("Ann", ["battleaxe@hands"], pack={"handaxe": 2}, DEX="r12", skills={"martial": "r8"})
    scene = duel(raider, FOE, apart=9).scene
    throw, walk = [
        rate(scene, "ann", use) for use in (ActionUse("attack", "bob", "battleaxe/thrown"), ActionUse("move", "bob"))
    ]
    assert throw.cost > 0
    assert sum(throw[:2]) - throw.cost < sum(walk[:2]) - walk.cost
    assert not can_attack(scene, "ann")
    juggler = fighter("Ann", ["knife"], pack={"knife": 3}, DEX="r12", skills={"finesse": "r8"})
    assert rate(duel(juggler, FOE, apart=9).scene, "ann", ActionUse("attack", "bob", "knife/thrown")).cost == 0
    assert can_attack(duel(fighter("Ann", ["javelin"]), FOE, apart=9).scene, "ann")  # made for it


@pytest.mark.rule("mars.gap.weapon.thrown")
def test_careful_bots_come_to_blows_with_their_weapons_in_hand() -> None:
    rogue = fighter("Ann", ["dagger"], DEX="r12", skills={"finesse": "r8"})
    session = duel(rogue, FOE, apart=9)
    session.do("mars.encounter")
    for _ in range(2):
        question: Any = session.question
        assert question.ids[POLICIES["careful"](session, question)] == "move:bob"
        session.choose("move:bob")
    question = session.question
    assert question.ids[POLICIES["careful"](session, question)] == "attack:bob:dagger"


@pytest.mark.rule("mars.attack.procedure")
def test_bots_defend_by_a_total_that_everybody_has_seen() -> None:
    session = duel(HERO, FOE, options=MarsOptions(defence_declaration="after_attack_roll"))
    for total, spares in ((5, True), (40, False)):
        blow = aimed(session)._replace(total=total)
        scene = under_attack(session.scene, blow)
        evading = rate(scene, "bob", ActionUse("evade"))
        assert (evading.safety > 0) is spares, total  # no one evades what hits for certain
    assert expect(session.scene, aimed(session)._replace(total=-20)).hits == 0


@pytest.mark.rule("mars.gap.armour.locking_grip", "mars.action.brandish")
def test_fists_in_gauntlets_are_no_reason_to_leave_the_mace_in_the_pack() -> None:
    for wear in ((), ("gauntlets",)):
        session = duel(fighter("Ann", wear=wear, pack={"mace": 1}, skills={"martial": "r8"}), FOE)
        assert rate(session.scene, "ann", ActionUse("brandish")).harm > 400, wear
    armed = duel(fighter("Ann", ["straight_sword"], ["gauntlets"]), FOE, apart=2)
    assert not can_attack(armed.scene, "ann")
