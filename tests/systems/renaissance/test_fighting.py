"""Fights on the grid: the allotment, moving, charging and bracing, being prone, weapons and ranges, being hurt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    FIELD,
    arm,
    closed,
    defended,
    fighter,
    goal,
    held,
    hidden,
    kinds,
    playing,
    scene_with,
    went,
    with_status,
)
from tablewright.dice import TypedDice
from tablewright.engine import Choice, play
from tablewright.errors import InvalidInputError
from tablewright.game.ground.position import cell
from tablewright.game.ground.zones import Link, Zones, zone
from tablewright.game.scene.events import Event
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.renaissance.actions.aim import aim, category_of, metres
from tablewright.systems.renaissance.actions.move import far_foes, way_to
from tablewright.systems.renaissance.bots import health, is_bloodied
from tablewright.systems.renaissance.encounter import _goes_on
from tablewright.systems.renaissance.mechanics.turn import Initiative, initiative
from tablewright.systems.renaissance.now import in_reach, now
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import Turn

SWORD, BOW = (("short_sword", "main"),), (("long_bow", "both"),)
ANN = fighter("Ann", *SWORD)
BOB = fighter("Bob", ("mace", "main"))
PIKE = fighter("Pike", ("halberd", "both"))


# ---------------------------------------------------------------------- turns


@pytest.mark.rule("renaissance.combat.allotment", "renaissance.turn.allotment", "renaissance.action.standard")
def test_a_standard_and_a_quick_action_or_three_quick_ones() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "full_defense", "drop_prone")
    assert closed(session)["stand"] == ("no quick action is left", "renaissance.combat.allotment")
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "drop_prone", "stand")
    assert closed(session)["attack"] == ("no standard action is left", "renaissance.combat.allotment")
    answer(session, "drop_prone")
    assert closed(session)["stand"][0] == "no quick action is left"


@pytest.mark.rule("renaissance.turn.allotment")
def test_a_turn_goes_on_while_a_character_can_act_in_it() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    assert _goes_on(scene, "ann")
    assert not _goes_on(scene, "bob")  # it is not his turn
    assert not _goes_on(held(scene, "ann", "stunned"), "ann")
    assert not _goes_on(with_status(scene, "ann", damage=30), "ann")
    assert not _goes_on(with_status(scene, "bob", damage=30), "ann")  # no one is left to fight
    met = held(scene_with((ANN, 5, 5), (PIKE, 6, 5)), "pike", "braced")
    assert not _goes_on(with_status(met, "ann", turn=Turn(charged=True)), "ann")  # the charge is met first


@pytest.mark.rule("renaissance.check.target_sources", "renaissance.gap.power.list")
def test_sustained_powers_count_always_or_where_they_apply() -> None:
    session = playing(scene_with((fighter("Ann", powers=("green_hand", "blur")), 5, 5), (BOB, 6, 5)))
    before = {words: now(session.scene, "ann").skill(*words).total for words in (("survival",), ("stealth", "sight"))}
    hearing = now(session.scene, "ann").skill("stealth").total
    answer(session, "sustain::green_hand")
    assert now(session.scene, "ann").skill("survival").total == before["survival",] + 10
    answer(session, "stop_sustaining::green_hand", "sustain::blur")
    assert now(session.scene, "ann").skill("stealth", "sight").total == before["stealth", "sight"] + 10
    assert now(session.scene, "ann").skill("stealth").total == hearing


@pytest.mark.rule("renaissance.action.quick")
def test_drawing_a_weapon_is_a_quick_action() -> None:
    scene = scene_with((fighter("Ann", ("short_sword", "pack")), 5, 5), (BOB, 6, 5))
    session = went(scene, "draw::short_sword")
    assert session.scene["ann"].status.spent == {"quick": 1}
    assert "attack:bob:short_sword" in offered(session)


@pytest.mark.rule("renaissance.turn.task_allotment")
def test_no_task_is_offered_in_combat() -> None:
    session = playing(scene_with((ANN, 5, 5), (BOB, 6, 5)))
    assert not [one for one in offered(session) if one.startswith(("task", "work", "job"))]
    assert "end_turn" in offered(session)  # the one who goes on with a task loses the turn


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.combat.sustain_costs_quick_action")
@pytest.mark.parametrize(("costs", "left"), [(True, {"quick": 1}), (False, {})])
def test_sustaining_takes_a_quick_action_of_every_turn(costs: bool, left: dict[str, int]) -> None:
    mage = fighter("Ann", *SWORD, powers=("master", "blur"))
    scene = scene_with((mage, 5, 5), (BOB, 6, 5), sustain_costs_quick_action=costs)
    session = went(scene, "sustain::master", "sustain::blur", "end_turn", "end_turn")
    assert session.scene.round == 2
    assert session.scene["ann"].status.spent == left


@pytest.mark.rule("renaissance.gap.state.fast_healing", "renaissance.combat.sustain_cost")
def test_healing_at_the_start_of_turns_waits_for_the_next() -> None:
    mage = fighter("Ann", *SWORD, powers=("heal",))
    hurt = with_status(scene_with((mage, 5, 5), (BOB, 6, 5)), "ann", damage=5)
    session = went(hurt, "sustain::heal")
    assert playing(session.scene).scene == session.scene  # taken up again in the same turn nothing happens
    answer(session, "end_turn", "end_turn")
    assert session.scene["ann"].status.damage < 5


@pytest.mark.rule("renaissance.action.sustained", "renaissance.action.sustain_penalty")
def test_every_sustained_action_beyond_the_first_costs_ten() -> None:
    mage = fighter("Ann", *SWORD, powers=("master", "blur"))
    session = playing(scene_with((mage, 5, 5), (BOB, 6, 5)))
    before = goal(session.scene, "short_sword")
    answer(session, "sustain::master")
    assert goal(session.scene, "short_sword") == before
    answer(session, "sustain::blur")
    assert goal(session.scene, "short_sword") == before - 10


@pytest.mark.rule("renaissance.combat.turn_length", "renaissance.turn.combat_is_turn_order")
def test_a_round_takes_three_seconds() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "end_turn", "end_turn")
    assert (session.scene.clock.now, session.scene.round) == (3, 2)


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.combat.initiative")
def test_initiative_is_a_die_and_init() -> None:
    scene = scene_with((fighter("Ann", INT=30, REF=20), 5, 5), (BOB, 6, 5))  # INIT 10 and 8
    session = went(replace_order(scene), 3, 6)
    assert [session.scene[who].status.initiative for who in ("ann", "bob")] == [13, 14]
    assert session.scene.order == ("bob", "ann")


def replace_order(scene: Any) -> Any:
    """The scene before anyone has rolled."""
    from dataclasses import replace

    return replace(scene, order=(), round=0, turn=None)


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.combat.initiative")
def test_nobody_without_luck_is_asked_to_roll_initiative_again() -> None:
    def yes(ask: Any) -> int:
        return int(ask.ids.index("yes"))

    assert play(initiative(3, reroll=True, luck=0), TypedDice([4]), yes).result == Initiative(7)
    assert play(initiative(3, reroll=True, luck=1), TypedDice([4, 9]), yes).result == Initiative(12, 1)


@pytest.mark.rule("renaissance.turn.initiative_tie")
def test_ties_go_to_the_modifier_then_to_a_further_roll_or_to_the_game_master() -> None:
    quick = fighter("Ann", INT=30, REF=20)
    session = went(replace_order(scene_with((quick, 5, 5), (BOB, 6, 5))), 4, 6)  # 14 each, INIT 10 against 8
    assert session.scene.order == ("ann", "bob")
    session = went(replace_order(scene_with((ANN, 5, 5), (BOB, 6, 5))), 4, 4, 2, 2, 3, 9)
    assert session.scene.order == ("bob", "ann")
    session = went(replace_order(scene_with((ANN, 5, 5), (BOB, 6, 5), initiative_tie="gm")), 4, 4)
    assert session.seat == GAME_MASTER
    assert answer(session, "bob").scene.order == ("bob", "ann")


@pytest.mark.rule("renaissance.gap.trait.ready")
@pytest.mark.parametrize(
    ("how", "answers", "total"),
    [("luck_reroll", (2, "yes", 9), 17), ("best_of_two", ((2, 9),), 17), ("head_of_order", (2,), 110)],
)
def test_the_ready_trait(how: str, answers: tuple[Any, ...], total: int) -> None:
    ready = fighter("Ann", luck=1, traits={"ready": ""})
    session = playing(replace_order(scene_with((ready, 5, 5), (BOB, 6, 5), ready_trait=how)))
    if how == "best_of_two":
        answer(session, 2, 9)
    else:
        answer(session, *answers)
    assert session.scene["ann"].status.initiative == total


# ---------------------------------------------------------------------- the grid


@pytest.mark.rule("renaissance.grid.distance")
@pytest.mark.parametrize(("x", "y", "apart"), [(8, 5, 3), (8, 8, 4), (6, 6, 1), (7, 6, 2), (15, 6, 10)])
def test_distances_are_straight_and_rounded_to_the_nearest_metre(x: int, y: int, apart: int) -> None:
    assert metres(scene_with((ANN, 5, 5), (BOB, x, y)), "ann", "bob") == apart


@pytest.mark.rule("renaissance.grid.facing")
@pytest.mark.rule("renaissance.grid.squares", "renaissance.combat.threaten", "renaissance.grid.distance")
def test_all_eight_squares_around_are_in_reach() -> None:
    around = [(x, y) for x in (4, 5, 6) for y in (4, 5, 6) if (x, y) != (5, 5)]
    assert all(in_reach(scene_with((ANN, 5, 5), (BOB, x, y)), "ann", "bob", 1) for x, y in around)
    session = playing(scene_with((ANN, 5, 5), (BOB, 7, 5)))
    assert not [one for one in offered(session) if one.startswith("attack:")]
    for (x, y), reached in {(7, 6): True, (3, 5): True, (6, 6): True, (7, 7): False, (8, 5): False}.items():
        assert ("attack:bob:halberd" in offered(playing(scene_with((PIKE, 5, 5), (BOB, x, y))))) is reached


@pytest.mark.rule("renaissance.gap.weapon.list")
def test_a_character_who_holds_a_long_weapon_threatens_by_it_and_not_by_bare_hands() -> None:
    me = now(scene_with((PIKE, 5, 5), (BOB, 6, 5)), "pike")
    assert sorted([arm.reach for arm in me.arms]) == [1, 2]
    assert me.reach == 2


@pytest.mark.rule("renaissance.grid.path_length")
def test_a_diagonal_step_is_a_metre_and_a_half() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 30, 15)), "move", "elsewhere")  # base rate 4
    there = offered(session)
    assert "destination::9,5" in there
    assert "destination::10,5" not in there
    assert "destination::7,7" in there
    assert "destination::8,8" not in there


@pytest.mark.rule("renaissance.grid.other_maps")
def test_other_maps_are_played_on_as_their_ground_measures() -> None:
    hall = Zones(("hall", "stairs", "yard"), (Link("hall", "stairs"), Link("stairs", "yard", 3)))
    here = replace(scene_with((ANN, 5, 5), (BOB, 6, 5)), ground=hall)
    here = here.with_participant(replace(here["ann"], position=zone("hall")))
    offers = {}
    for name in hall.names:
        scene = here.with_participant(replace(here["bob"], position=zone(name)))
        offers[name] = "attack:bob:short_sword" in offered(playing(scene))
    assert offers == {"hall": True, "stairs": True, "yard": False}


@pytest.mark.rule("renaissance.grid.other_maps")
def test_the_map_of_an_earlier_version_is_no_option_any_more() -> None:
    assert RenaissanceOptions.from_mapping({"battle_map": "hex"}) == RenaissanceOptions()
    assert "battle_map" not in RenaissanceOptions().to_mapping()
    with pytest.raises(InvalidInputError, match='"battle_map" is unknown'):
        RenaissanceOptions.field("battle_map")


@pytest.mark.rule("renaissance.movement.move", "renaissance.movement.one_per_turn")
def test_a_move_goes_as_far_as_the_base_rate_once_a_turn() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 25, 5)), "move", "toward:bob")
    assert session.scene["ann"].position == cell(9, 5)
    for other in ("move", "move_quickly", "charge"):
        assert closed(session)[other] == ("one movement action a turn", "renaissance.movement.one_per_turn")
    assert goal(session.scene, "short_sword") == 50  # no penalty


@pytest.mark.rule("renaissance.movement.move_quickly")
def test_moving_quickly_costs_ten_on_physical_skills_until_the_next_turn() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 15, 5)), "move_quickly", "toward:bob")
    scene = session.scene
    assert scene["ann"].position == cell(14, 5)
    me = now(scene, "ann")
    assert (goal(scene, "short_sword"), me.skill("fray").total, me.skill("deception").total) == (40, 40, 50)
    assert me.number("SOM*3").total == 60
    answer(session, "end_turn", "end_turn")
    assert goal(session.scene, "short_sword") == 50


@pytest.mark.rule("renaissance.movement.charge", "renaissance.charge.bonus")
@pytest.mark.parametrize(("start", "far"), [(6, False), (5, True)])
def test_a_charge_far_enough_adds_the_damage_bonus(start: int, far: bool) -> None:
    session = went(scene_with((ANN, start, 5), (BOB, 14, 5)), "charge")  # ends at 13,5: 7 or 8 m of 2 x 4
    scene = session.scene
    assert scene["ann"].position == cell(13, 5)
    assert scene["ann"].status.turn.far is far
    call = aim(scene, "ann", "bob", arm(scene, "ann", "short_sword")).call
    assert call.named_arguments()["dv"].plus == 3 + 5 + (5 if far else 0)
    assert call.named_arguments()["target"] == 40


@pytest.mark.rule("renaissance.brace.prepare", "renaissance.brace.attack", "renaissance.brace.charge_goes_on")
def test_a_braced_weapon_strikes_the_charger_first() -> None:
    scene = scene_with((PIKE, 20, 5), (fighter("Orc", *SWORD), 10, 5))
    session = went(scene, "brace", "end_turn", "charge")
    assert session.seat == "pike"
    assert set(offered(session)) == {"let_pass:orc", "meet_charge:orc"}
    answer(session, "meet_charge:orc", "plain", 30, 60, (1, 1), 10)
    struck = last(session, "Attacked")
    assert (struck.by, struck.damage) == ("pike", 2 + 6 + 5 + 5)  # the weapon, DB, and DB again for the brace
    assert session.seat == "orc"
    assert "attack:pike:short_sword" in offered(session)
    passed = went(scene, "brace", "end_turn", "charge", "let_pass:orc")
    assert passed.seat == "orc"
    assert "Attacked" not in kinds(passed)
    felled = went(scene, "brace", "end_turn", "charge", "meet_charge:orc", "plain", 50, 60, (10, 10))
    assert felled.scene.ended is not None


@pytest.mark.rule("renaissance.brace.attack")
def test_a_braced_weapon_meets_only_whom_it_reaches() -> None:
    """The orc charges Ann; Pike stands ready three squares from where it stops, and then two."""
    ann, orc = fighter("Ann", *SWORD), fighter("Orc", *SWORD)
    for apart, meets in ((3, False), (2, True)):
        scene = held(scene_with((orc, 10, 5), (ann, 21, 5), (PIKE, 20, 5 + apart)), "pike", "braced")
        session = went(scene, "charge", "toward:ann")
        assert session.scene["orc"].position == cell(20, 5)
        assert ("meet_charge:orc" in offered(session)) is meets
    bare = held(scene_with((orc, 10, 5), (ann, 21, 5), (fighter("Pike"), 20, 6)), "pike", "braced")
    assert went(bare, "charge", "toward:ann").seat == "orc"  # the weapon is gone


@pytest.mark.rule("renaissance.brace.prepare")
def test_only_a_weapon_with_the_tag_can_be_braced() -> None:
    assert closed(playing(scene_with((ANN, 5, 5), (BOB, 6, 5))))["brace"] == (
        "nothing to brace",
        "renaissance.brace.prepare",
    )


@pytest.mark.rule("renaissance.grid.path_length")
def test_one_goes_towards_foes_who_are_not_in_reach_the_nearest_first() -> None:
    foes = [(fighter("Near"), 6, 5), (fighter("Far"), 20, 5), (fighter("Nearer"), 12, 5), (fighter("Away"), 9, 9)]
    scene = scene_with((ANN, 5, 5), *foes)
    scene = scene.with_participant(evolve(scene["away"], position=None))
    assert [foe.id for foe in far_foes(scene, "ann")] == ["nearer", "far"]


@pytest.mark.rule("renaissance.grid.path_length")
def test_one_step_is_a_way_too() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 7, 5)), "move", "toward:bob")
    assert session.scene["ann"].position == cell(6, 5)


@pytest.mark.rule("renaissance.grid.path_length")
def test_a_way_counts_as_the_ground_counts_its_diagonals() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 9, 9))
    plain = evolve(scene, ground=replace(FIELD, diagonal="one"))
    assert way_to(plain, "ann", "bob", 3) == cell(8, 8)  # to the last metre, where a diagonal step is one
    assert way_to(scene, "ann", "bob", 3) == cell(7, 7)  # and half a metre more where it is not


@pytest.mark.rule("renaissance.movement.stunt")
def test_a_stunt_takes_an_athletics_check_and_goes_over_foes() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    session = went(scene, "stunt::quick", 50, "destination::7,5")
    assert session.scene["ann"].position == cell(7, 5)
    lurking = went(scene.with_participant(replace(scene["bob"], hidden=True)), "stunt::quick", 50)
    assert "destination::6,5" in offered(lurking)  # its absence told of the hidden foe
    failed = went(scene, "stunt::quick", 51)
    assert "end_turn" in offered(failed)  # and not where to
    assert failed.scene["ann"].position == cell(5, 5)
    assert failed.scene["ann"].status.spent == {"quick": 1}


@pytest.mark.rule("renaissance.prone.enter", "renaissance.prone.stand")
def test_getting_down_and_up_are_quick_actions() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "drop_prone")
    assert session.scene["ann"].status.has("prone")
    assert closed(session)["move"] == ("prone", "renaissance.prone.effects")
    answer(session, "stand")
    assert not session.scene["ann"].status.has("prone")
    assert session.scene["ann"].status.spent == {"quick": 2}


@pytest.mark.rule("renaissance.prone.effects")
def test_a_character_who_lies_is_easier_to_strike_and_harder_to_shoot_and_crawls() -> None:
    down = held(scene_with((fighter("Ann", *SWORD), 5, 5), (BOB, 6, 5)), "bob", "prone")
    assert goal(down, "short_sword") == 60
    far = scene_with((fighter("Ann", *BOW), 5, 5), (BOB, 15, 5))
    assert goal(held(far, "bob", "prone"), "long_bow") == goal(far, "long_bow") - 10
    session = playing(held(scene_with((ANN, 5, 5), (BOB, 20, 5)), "ann", "prone"))
    answer(session, "crawl", "toward:bob")
    assert session.scene["ann"].position == cell(9, 5)
    assert session.scene["ann"].status.spent == {"standard": 1}
    assert goal(held(scene_with((ANN, 5, 5), (BOB, 6, 5)), "ann", "prone"), "short_sword") == 50


# ---------------------------------------------------------------------- aiming


@pytest.mark.rule("renaissance.ranged.range_modifiers", "renaissance.ranged.rules")
@pytest.mark.parametrize(
    ("apart", "category"),
    [(5, "short"), (10, "short"), (11, "medium"), (20, "medium"), (21, "long"), (31, "extreme"), (41, None)],
)
def test_the_first_category_that_is_not_exceeded_counts(apart: int, category: str | None) -> None:
    scene = scene_with((fighter("Ann", ("spear", "both")), 0, 0), (BOB, 1, 0))
    assert category_of(apart, arm(scene, "ann", "spear~thrown_weapons")) == category


@pytest.mark.rule("renaissance.ranged.range_modifiers", "renaissance.ranged.throw_ranges")
@pytest.mark.parametrize(("x", "target"), [(5, 50), (6, 40), (15, 40), (16, 30), (30, 30), (31, 20)])
def test_range_takes_ten_for_each_category(x: int, target: int) -> None:
    assert goal(scene_with((fighter("Ann", ("grenade", "main")), 0, 0), (BOB, x, 0)), "grenade") == target


@pytest.mark.rule("renaissance.ranged.point_blank")
def test_at_point_blank_shooting_and_throwing_are_hard() -> None:
    assert goal(scene_with((fighter("Ann", *BOW), 5, 5), (BOB, 6, 6)), "long_bow") == 30
    assert goal(scene_with((fighter("Ann", *BOW), 5, 5), (BOB, 7, 5)), "long_bow") == 50


@pytest.mark.rule("renaissance.size.combat")
@pytest.mark.parametrize(("race", "ranged", "grab"), [("kobold", -10, 10), ("corpse", 0, 0), ("black_bear", 10, -10)])
def test_size_counts_for_shooting_and_grabbing(race: str, ranged: int, grab: int) -> None:
    scene = scene_with((fighter("Ann", *BOW), 5, 5), (fighter("Bob", race=race), 15, 5))
    assert goal(scene, "long_bow") == 50 + ranged
    session = went(scene_with((fighter("Ann"), 5, 5), (fighter("Bob", race=race), 6, 5)), "maneuver:bob:grab")
    trace = session.playing.context_of_call  # type: ignore[union-attr]
    assert trace is not None
    assert trace.tallies["a"].total == 50 + grab


@pytest.mark.rule(
    "renaissance.unarmed.attack_penalty", "renaissance.unarmed.defense_penalty", "renaissance.unarmed.penalty_option"
)
@pytest.mark.parametrize(("penalty", "less"), [(True, 10), (False, 0)])
def test_bare_hands_against_weapons(penalty: bool, less: int) -> None:
    scene = scene_with((fighter("Ann"), 5, 5), (BOB, 6, 5), unarmed_penalty=penalty)
    assert goal(scene, "unarmed") == 50 - less
    bare = scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5), unarmed_penalty=penalty)
    assert defended(bare, "short_sword")["unarmed"] == 50 - less
    fists = scene_with((fighter("Ann"), 5, 5), (fighter("Bob"), 6, 5), unarmed_penalty=penalty)
    assert goal(fists, "unarmed") == 50
    assert defended(fists, "unarmed")["unarmed"] == 50


@pytest.mark.rule("renaissance.natural.attacks", "renaissance.gap.creature.attacks")
def test_claws_and_teeth_are_weapons() -> None:
    scene = scene_with((fighter("Ann", race="black_bear"), 5, 5), (BOB, 6, 5))
    assert goal(scene, "bear_claws") == 50  # no penalty against weapons
    back = scene_with((ANN, 5, 5), (fighter("Bob", race="black_bear"), 6, 5))
    assert defended(back, "short_sword")["bear_claws"] == 40  # but to defend with them has one
    session = went(scene, "attack_with_all:bob")
    assert session.scene["ann"].status.turn.volley == ("bear_claws", "bear_bite")


@pytest.mark.rule("renaissance.defense.parry", "renaissance.defense.movement_skill")
def test_weapons_parry_blows_and_weaving_lets_one_dodge() -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", ("long_sword", "both")), 6, 5))
    assert defended(scene, "short_sword") == {"fray": 50, "long_sword": 50, "unarmed": 40}
    far = scene_with((fighter("Ann", *BOW), 5, 5), (fighter("Bob", ("long_sword", "both")), 15, 5))
    assert set(defended(far, "long_bow")) == {"fray"}
    weaving = held(scene, "bob", "weaving", degree=20, source="athletics")
    assert defended(weaving, "short_sword") == {"fray": 70, "long_sword": 70, "unarmed": 60, "athletics": 70}


@pytest.mark.rule("renaissance.defense.full_defense", "renaissance.defense.full_defense_option")
def test_full_defense_adds_ten_until_the_next_turn() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "full_defense", "end_turn")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 60
    answer(session, "end_turn")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 50
    without = playing(scene_with((ANN, 5, 5), (BOB, 6, 5), full_defense=False))
    assert closed(without)["full_defense"][1] == "renaissance.defense.full_defense_option"


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.gap.state.helpless")
def test_hidden_attackers_and_helpless_targets_leave_no_defence() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    assert defended(hidden(scene, "ann"), "short_sword") == {}
    assert defended(held(scene, "bob", "unaware"), "short_sword") == {}
    assert defended(with_status(scene, "bob", damage=30), "short_sword") == {}
    session = went(held(scene, "bob", "unaware"), "attack:bob:short_sword", "plain", 20, (1, 1), 10)
    assert not session.scene["bob"].status.has("unaware")  # now they know


@pytest.mark.rule("renaissance.gap.state.ambush")
def test_a_character_who_sneaks_rolls_against_passive_perception() -> None:
    sneak = fighter("Ann", *SWORD, skills={"stealth": 40})
    scene = replace_order(scene_with((sneak, 5, 5), (fighter("Bob", skills={"perception": 40}), 6, 5)))
    session = went(scene, 30, 41, process="renaissance.encounter", sneaking="party")  # Perception 60 - 20
    assert session.scene["bob"].status.has("unaware")
    aware = went(scene, 30, 40, process="renaissance.encounter", sneaking="party")
    assert not aware.scene["bob"].status.has("unaware")


@pytest.mark.rule("renaissance.gap.state.ambush", "renaissance.luck.stat")
def test_sneaking_costs_nobody_any_luck() -> None:
    sneak = fighter("Ann", *SWORD, skills={"stealth": 40}, luck=2)
    scene = replace_order(scene_with((sneak, 5, 5), (fighter("Bob", skills={"perception": 40}, luck=3), 6, 5)))
    session = went(scene, 30, 41, process="renaissance.encounter", sneaking="party")
    while not any(line.kind == "Contested" for line in session.log if isinstance(line, Event)):
        question = session.question
        assert isinstance(question, Choice)  # whether to spend some: as it is suggested, no one does
        answer(session, question.ids[question.default])
    assert (session.scene["ann"].status.luck, session.scene["bob"].status.luck) == (2, 3)


@pytest.mark.rule("renaissance.strike.enabled")
def test_a_table_may_play_without_strikes_and_maneuvers() -> None:
    session = playing(scene_with((ANN, 5, 5), (BOB, 6, 5), strikes_and_maneuvers=False))
    assert closed(session)["maneuver"][1] == "renaissance.strike.enabled"
    answer(session, "attack:bob:short_sword", 20, 60)  # no strike is asked for


@pytest.mark.rule("renaissance.injury.wound_penalty", "renaissance.injury.negate", "renaissance.stress.trauma_penalty")
def test_wounds_and_traumas_take_ten_each_unless_negated() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    hurt = with_status(scene, "ann", wounds=2, traumas=1)
    assert goal(hurt, "short_sword") == 20
    assert now(hurt, "ann").skill("deception").total == 20
    assert goal(with_status(scene, "ann", wounds=2, bound=1), "short_sword") == 40
    assert goal(with_status(scene, "ann", traumas=2, soothed=1), "short_sword") == 40
    tough = scene_with((fighter("Ann", *SWORD, traits={"high_pain_tolerance": ""}), 5, 5), (BOB, 6, 5))
    assert goal(with_status(tough, "ann", wounds=2), "short_sword") == 40
    assert with_status(tough, "ann", wounds=2)["ann"].status.wounds == 2  # still there


@pytest.mark.rule("renaissance.combat.bloodied", "renaissance.injury.damage_track")
def test_one_point_is_between_bloodied_and_disabled() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    most = scene["bob"].status.durability
    looks = [health(with_status(scene, "bob", damage=damage)["bob"]) for damage in (most - 1, most)]
    assert looks == ["bloodied", "disabled"]


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.injury.uniform")
@pytest.mark.parametrize(
    ("before", "dead", "word"), [(0, False, "bloodied"), (10, False, "disabled"), (40, True, "dead")]
)
def test_damage_adds_up_to_disabled_and_dead(before: int, dead: bool, word: str) -> None:
    scene = with_status(scene_with((ANN, 5, 5), (BOB, 6, 5), (fighter("Cid"), 20, 5)), "bob", damage=before)
    dice: tuple[Any, ...] = (20, (10, 2), 10) if before < 30 else (20, (10, 2))
    rolls = (20, 60, (10, 2), 10) if before == 0 else (20, 60, (10, 2)) if before == 10 else dice
    session = went(scene, "attack:bob:short_sword" if before < 30 else "end_turn")
    if before < 30:
        answer(session, "plain", *rolls)  # 2d10+3+5 = 20
        assert health(session.scene["bob"]) == word
    else:
        from tablewright.systems.renaissance.harm import is_dead

        assert is_dead(session.scene, "bob", 60) is dead
        assert not is_dead(session.scene, "bob", 59)


@pytest.mark.rule("renaissance.combat.bloodied")
@pytest.mark.parametrize(("damage", "bloodied"), [(12, False), (13, True)])
def test_bloodied_is_more_than_half(damage: int, bloodied: bool) -> None:
    assert is_bloodied(damage, 25) is bloodied
