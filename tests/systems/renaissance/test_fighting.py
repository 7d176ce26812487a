"""Attacks in a fight: what they aim at and what is set against them, ambushes, strikes, what is told of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    arm,
    before_turns,
    closed,
    defended,
    duel,
    fighter,
    goal,
    held,
    hidden,
    playing,
    scene_with,
    went,
    with_status,
)
from tablewright.engine import Choice, Roll
from tablewright.game.ground.facts import ANYONE
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_log
from tablewright.systems.renaissance.actions.aim import category_of, strikes_for
from tablewright.systems.renaissance.now import now

BOW = ("long_bow", "both")
ANN, BOB = fighter("Ann", ("short_sword", "main")), fighter("Bob", ("mace", "main"))
ARCHER = fighter("Ann", BOW)


# ---------------------------------------------------------------------- aiming


@pytest.mark.rule("renaissance.ranged.range_modifiers", "renaissance.ranged.rules")
@pytest.mark.parametrize(
    ("apart", "category"),
    [(5, "short"), (10, "short"), (11, "medium"), (20, "medium"), (21, "long"), (31, "extreme"), (41, None)],
)
def test_the_first_category_that_is_not_exceeded_counts(apart: int, category: str | None) -> None:
    scene = duel(fighter("Ann", ("spear", "both")), BOB)
    assert category_of(apart, arm(scene, "ann", "spear~thrown_weapons")) == category


@pytest.mark.rule("renaissance.ranged.range_modifiers", "renaissance.ranged.throw_ranges")
@pytest.mark.parametrize("item", ["grenade", "cocktail", "smoke", "scour", "tar", "ball_of_fire"])
def test_range_takes_ten_for_each_category(item: str) -> None:
    thrower = fighter("Ann", (item, "main"))
    for x, target in ((5, 50), (6, 40), (15, 40), (16, 30), (30, 30), (31, 20)):
        assert goal(scene_with((thrower, 0, 0), (BOB, x, 0)), item) == target


@pytest.mark.rule("renaissance.ranged.point_blank")
def test_at_point_blank_shooting_and_throwing_are_hard() -> None:
    assert goal(scene_with((ARCHER, 5, 5), (BOB, 6, 6)), "long_bow") == 30
    assert goal(duel(ARCHER, BOB, 2), "long_bow") == 50


@pytest.mark.rule("renaissance.size.combat")
@pytest.mark.parametrize(("race", "ranged", "grab"), [("kobold", -10, 10), ("corpse", 0, 0), ("black_bear", 10, -10)])
def test_size_counts_for_shooting_and_grabbing(race: str, ranged: int, grab: int) -> None:
    bob = fighter("Bob", race=race)
    assert goal(duel(ARCHER, bob, 10), "long_bow") == 50 + ranged
    session = went(duel(fighter("Ann"), bob), "maneuver:bob:grab")
    trace = session.playing.context_of_call  # type: ignore[union-attr]
    assert trace is not None
    assert trace.tallies["a"].total == 50 + grab


@pytest.mark.rule(
    "renaissance.unarmed.attack_penalty", "renaissance.unarmed.defense_penalty", "renaissance.unarmed.penalty_option"
)
@pytest.mark.parametrize(("penalty", "less"), [(True, 10), (False, 0)])
def test_bare_hands_against_weapons(penalty: bool, less: int) -> None:
    bare, foe = fighter("Ann"), fighter("Bob")
    assert goal(duel(bare, BOB, unarmed_penalty=penalty), "unarmed") == 50 - less
    assert defended(duel(ANN, foe, unarmed_penalty=penalty), "short_sword")["unarmed"] == 50 - less
    fists = duel(bare, foe, unarmed_penalty=penalty)
    assert (goal(fists, "unarmed"), defended(fists, "unarmed")["unarmed"]) == (50, 50)


@pytest.mark.rule("renaissance.natural.attacks", "renaissance.gap.creature.attacks")
def test_claws_and_teeth_are_weapons() -> None:
    scene = duel(fighter("Ann", race="black_bear"), BOB)
    assert goal(scene, "bear_claws") == 50  # no penalty against weapons
    back = duel(ANN, fighter("Bob", race="black_bear"))
    assert defended(back, "short_sword")["bear_claws"] == 40  # but to defend with them has one
    session = went(scene, "attack_with_all:bob")
    assert session.scene["ann"].status.turn.volley == ("bear_claws", "bear_bite")


# ---------------------------------------------------------------------- defending


@pytest.mark.rule("renaissance.defense.parry", "renaissance.defense.movement_skill")
def test_weapons_parry_blows_and_weaving_lets_one_dodge() -> None:
    bob = fighter("Bob", ("long_sword", "both"))
    scene = duel(ANN, bob)
    assert defended(scene, "short_sword") == {"fray": 50, "long_sword": 50, "unarmed": 40}
    assert set(defended(duel(ARCHER, bob, 10), "long_bow")) == {"fray"}
    weaving = held(scene, "bob", "weaving", degree=20, source="athletics")
    assert defended(weaving, "short_sword") == {"fray": 70, "long_sword": 70, "unarmed": 60, "athletics": 70}


@pytest.mark.rule("renaissance.defense.full_defense", "renaissance.defense.full_defense_option")
def test_full_defense_adds_ten_until_the_next_turn() -> None:
    session = went(duel(ANN, BOB), "full_defense", "end_turn")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 60
    answer(session, "end_turn")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 50
    without = playing(duel(ANN, BOB, full_defense=False))
    assert closed(without)["full_defense"][1] == "renaissance.defense.full_defense_option"


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.gap.state.helpless")
def test_hidden_attackers_and_helpless_targets_leave_no_defence() -> None:
    scene = duel(ANN, BOB)
    unaware = held(scene, "bob", "unaware")
    for helpless in (hidden(scene, "ann"), unaware, with_status(scene, "bob", damage=30)):
        assert defended(helpless, "short_sword") == {}
    session = went(unaware, "attack:bob:short_sword", "plain", 20, (1, 1), 10)
    assert not session.scene["bob"].status.has("unaware")  # now they know


# ---------------------------------------------------------------------- ambushes


def sneaking(*rolled: int, light: str = "bright", race: str = "corpse", **luck: int) -> Session:
    """Ann sneaks up to Bob."""
    sneak = fighter("Ann", race="human", skills={"stealth": 40}, luck=luck.get("ann", 0))
    watch = fighter("Bob", race=race, skills={"perception": 40}, luck=luck.get("bob", 0))
    scene = before_turns(duel(sneak, watch, 10))
    scene = replace(scene, facts=scene.facts.set("light", ANYONE, light))
    return went(scene, *rolled, process="renaissance.encounter", sneaking="party")


@pytest.mark.rule("renaissance.gap.state.ambush", "renaissance.gap.race.senses")
@pytest.mark.parametrize(
    ("light", "race", "seen"),
    [("bright", "corpse", 40), ("dark", "human", 10), ("dim", "human", 30), ("dim", "orc", 40)],
)
def test_a_character_who_sneaks_rolls_against_passive_perception(light: str, race: str, seen: int) -> None:
    for shown, unaware in ((seen, False), (seen + 1, True)):  # Perception 60 - 20, less in the dark
        status = sneaking(60 if light != "bright" else 30, shown, light=light, race=race).scene["bob"].status
        assert status.has("unaware") is unaware


@pytest.mark.rule("renaissance.gap.state.ambush", "renaissance.luck.stat")
def test_sneaking_costs_nobody_any_luck() -> None:
    session = sneaking(30, 41, ann=2, bob=3)
    while not any(getattr(line, "kind", "") == "Contested" for line in session.log):
        question = session.question
        assert isinstance(question, Choice)  # whether to spend some: as it is suggested, no one does
        answer(session, question.ids[question.default])
    assert (session.scene["ann"].status.luck, session.scene["bob"].status.luck) == (2, 3)


@pytest.mark.rule("renaissance.gap.state.ambush")
def test_a_shouted_warning_wakes_every_friend() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (fighter("Cid"), 30, 5))
    scene = held(scene.with_participant(replace(scene["cid"], side=scene["ann"].side)), "cid", "unaware")
    session = went(scene, "warn")
    assert not session.scene["cid"].status.has("unaware")
    assert "warn" not in offered(session), "everybody knows"


@pytest.mark.rule("renaissance.gap.state.ambush")
@pytest.mark.parametrize("struck", [True, False])
def test_an_unaware_character_is_warned_by_harm_of_this_round_alone(struck: bool) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5), (fighter("Cid"), 30, 5))
    scene = with_status(held(scene, "cid", "unaware"), "bob", damage=5, wounds=1)  # of days ago
    blow = ("attack:bob:short_sword", "plain", 28, 99, (1, 1), 10) if struck else ()
    session = went(scene, *blow, "end_turn", "end_turn", "end_turn")
    assert session.scene.round == 2
    assert session.scene["cid"].status.has("unaware") is not struck


# ---------------------------------------------------------------------- strikes


@pytest.mark.rule("renaissance.strike.enabled", "renaissance.strike.knock_down", "renaissance.strike.mighty_blow")
@pytest.mark.rule("renaissance.strike.procedure")
def test_tables_and_weapons_allow_some_strikes() -> None:
    session = playing(duel(ANN, BOB, strikes_and_maneuvers=False))
    assert closed(session)["maneuver"][1] == "renaissance.strike.enabled"
    answer(session, "attack:bob:short_sword", 20, 60)  # no strike is asked for
    scene = duel(ARCHER, BOB, 4)
    shots, blows = [{one.id for one in strikes_for(scene, arm(scene, "ann", key))} for key in ("long_bow", "unarmed")]
    assert blows - shots == {"knock_down", "mighty_blow"}
    assert not shots - blows


@pytest.mark.rule("renaissance.strike.maim", "renaissance.strike.declare", "renaissance.strike.called_shot")
def test_the_place_of_a_strike_is_named_before_the_roll() -> None:
    scene = duel(ANN, BOB)
    session = went(scene, "attack:bob:short_sword", "maim")
    assert offered(session) == ("hand", "arm", "leg", "eye", "ear")
    answer(session, "leg")
    declared = last(session, "Declared")
    assert (declared.who, declared.against, declared.part) == ("ann", "bob", "leg")
    answer(session, 22, 99, (1, 1, 1, 1), 0)  # a critical one: the better of two rolls of damage
    assert session.scene["bob"].status.lost == ("leg",)
    struck = last(session, "Attacked")
    assert (struck.strike, struck.part, struck.effect, struck.critical) == ("maim", "leg", True, True)
    assert session.scene["ann"].status.turn.part == ""
    missed = went(scene, "attack:bob:short_sword", "maim", "eye", 20, 99, (1, 1), 0)
    assert missed.scene["bob"].status.lost == ()
    tried = last(missed, "Attacked")
    assert (tried.strike, tried.part, tried.effect, tried.result) == ("maim", "eye", False, "hit")
    plain = with_status(scene, "ann", turn=missed.scene["ann"].status.turn)
    assert last(went(plain, "attack:bob:short_sword", "plain", 29, 99, (1, 1), 0), "Attacked").part == ""
    beast = duel(ANN, fighter("Bob", race="black_bear"))
    assert offered(went(beast, "attack:bob:short_sword", "maim")) == ("leg", "eye", "ear")
    session = went(duel(ANN, BOB), "attack:bob:short_sword", "called_shot", "throat", 33, 99, (1, 1, 1, 1), 0)
    struck = last(session, "Attacked")
    assert (struck.part, struck.effect, struck.lost) == ("throat", True, "")
    assert (struck.strike, struck.result) == ("called_shot", "critical hit")


# ---------------------------------------------------------------------- who rolls, and what is told


@pytest.mark.rule("renaissance.attack.procedure")
def test_a_character_who_strikes_throws_the_dice_of_damage() -> None:
    session = went(duel(ANN, BOB), "attack:bob:short_sword", "plain", 40)
    assert session.seat == "bob"  # the defence is Bob's
    answer(session, 99)
    assert isinstance(session.question, Roll)
    assert session.seat == "ann"
    answer(session, (2, 2))
    assert session.seat == "bob"  # and so is staying upright


@pytest.mark.rule("renaissance.strike.declare")
def test_the_attempt_and_its_target_are_told_before_the_dice() -> None:
    for way, told in (
        (("attack:bob:short_sword", "mighty_blow"), "attack with short sword (mighty blow)"),
        (("maneuver:bob:trip",), "trip"),
    ):
        session = went(duel(ANN, BOB), *way)
        assert isinstance(session.question, Roll)
        assert (last(session, "Declared").what, last(session, "Declared").against) == (told, "bob")
    unseen = went(hidden(duel(ANN, BOB), "ann"), "attack:bob:short_sword", "plain")
    assert "Declared" not in [line.get("event") for line in project_log(unseen, "bob")]


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.injury.damage_track")
def test_an_attack_tells_the_state_of_its_target() -> None:
    scene = duel(fighter("Ann", ("halberd", "both")), BOB)
    struck = last(went(scene, "attack:bob:halberd", "plain", 20, 99, (1, 1), 99), "Attacked")
    assert (struck.result, struck.damage, struck.wounds, struck.prone, struck.felled) == ("hit", 13, 2, True, False)
    weak = with_status(scene, "bob", damage=25)
    struck = last(went(weak, "attack:bob:halberd", "mighty_blow", 20, 99, (1, 1)), "Attacked")
    assert (struck.strike, struck.effect, struck.damage, struck.felled) == ("mighty_blow", False, 13, True)


# ---------------------------------------------------------------------- wounds


@pytest.mark.rule("renaissance.injury.wound_penalty", "renaissance.injury.negate", "renaissance.stress.trauma_penalty")
def test_wounds_and_traumas_take_ten_each_unless_negated() -> None:
    def aimed(scene: Scene, **status: int) -> int:
        return goal(with_status(scene, "ann", **status), "short_sword")

    scene = duel(ANN, BOB)
    assert aimed(scene, wounds=2, traumas=1) == 20
    assert now(with_status(scene, "ann", wounds=2, traumas=1), "ann").skill("deception").total == 20
    assert aimed(scene, wounds=2, bound=1) == aimed(scene, traumas=2, soothed=1) == 40
    tough = duel(ANN.changed(traits={"high_pain_tolerance": ""}), BOB)
    assert aimed(tough, wounds=2) == 40
