"""Maneuvers and grabs, several weapons in one action, bare hands."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    closed,
    defended,
    duel,
    fighter,
    goal,
    held,
    hidden,
    playing,
    scene_with,
    target_of,
    went,
    with_status,
)
from tablewright.dice import TypedDice
from tablewright.engine import Choice, Roll, odds, play
from tablewright.game.play.effects import total_strength
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.attack import volley_of, worth_of
from tablewright.systems.renaissance.actions.maneuvers import own_goal, their_goal
from tablewright.systems.renaissance.content import CombatManeuver
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Turn
from tablewright.systems.renaissance.values import DV

ANN, BOB = fighter("Ann", ("short_sword", "main")), fighter("Bob", ("mace", "main"))
CID, CAT = fighter("Cid"), fighter("Cat")
TWO = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
BARE = duel(fighter("Ann"), fighter("Bob"))


# ---------------------------------------------------------------------- several weapons


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand", "renaissance.multi.targets")
def test_two_weapons_in_one_action_at_one_target_or_two() -> None:
    session = went(duel(TWO, BOB), "attack_with_all:bob")
    assert (goal(session.scene, "short_sword"), goal(session.scene, "dagger@off")) == (40, 30)
    answer(session, "plain", 99, "next_attack:bob:dagger@off", "plain", 99)
    assert [one.weapon for one in events(session, "Attacked")] == ["short_sword", "dagger"]
    assert session.scene["ann"].status.spent == {"standard": 1}
    session = went(scene_with((TWO, 5, 5), (BOB, 6, 5), (CID, 4, 5)), "attack_with_all::spread")
    assert goal(session.scene, "short_sword") == 30
    answer(session, "next_attack:bob:short_sword", "plain", 99)
    assert "next_attack:bob:dagger@off" not in offered(session)
    answer(session, "next_attack:cid:dagger@off", "plain", 99)
    assert session.scene["ann"].status.turn == Turn()


def volleys(*people: Any) -> list[str]:
    """The attacks with several weapons that are offered."""
    return [one for one in offered(playing(scene_with(*people))) if one.startswith("attack_with_all")]


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.targets")
def test_several_weapons_are_used_in_the_ways_that_reach() -> None:
    """A dagger that could be thrown and bare hands are no two attacks on a character five metres away."""
    ann = fighter("Ann", ("dagger", "off"))
    assert "attack_with_all:bob" in volleys((ann, 5, 5), (BOB, 6, 5))
    assert volleys((ann, 5, 5), (BOB, 10, 5)) == []
    assert "attack:bob:dagger@off~thrown_weapons" in offered(playing(duel(ann, BOB, 5)))
    both = fighter("Ann", ("dagger", "main"), ("dagger", "off"))
    session = went(duel(both, BOB, 4), "attack_with_all:bob", "plain", 99)
    assert [one.partition("@")[0].partition("~")[0] for one in events(session, "Volley")[0].weapons] == ["dagger"] * 2
    assert "next_attack:bob:dagger@off~thrown_weapons" in offered(session)
    ways = ["attack_with_all:bob", "attack_with_all:cid", "attack_with_all::spread"]
    assert volleys((both, 5, 5), (BOB, 6, 5), (CID, 9, 5)) == ways  # the one is struck, the other one out of reach
    assert "attack_with_all::spread" not in volleys((both, 5, 5), (BOB, 6, 5), (CID, 30, 5))


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.multi.attacks")
def test_several_attacks_may_go_on_against_targets_they_brought_down() -> None:
    people = (TWO, 5, 5), (BOB, 6, 5), (CAT, 5, 6)
    session = went(with_status(scene_with(*people), "bob", damage=29), "attack_with_all:bob", "plain", 29, 99, (9, 9))
    assert session.scene["bob"].status.damage >= 30
    assert [one for one in offered(session) if one.startswith("next_attack")] == ["next_attack:bob:dagger@off"]
    ways = offered(playing(with_status(scene_with(*people), "bob", damage=30)))
    assert not [one for one in ways if "spread" in one]  # one foe alone stands


# ---------------------------------------------------------------------- bare hands


def hands(scene: Scene) -> list[tuple[str, str]]:
    """Ann's ways to attack with her hands, with the hand of each."""
    return [(arm.key, arm.hand) for arm in now(scene, "ann").arms if arm.unarmed]


@pytest.mark.rule("renaissance.multi.off_hand", "renaissance.unarmed.attack", "renaissance.multi.attacks")
def test_a_free_off_hand_strikes_beside_the_weapon_as_an_off_hand() -> None:
    scene = duel(ANN, CAT)
    assert hands(scene) == [("unarmed", ""), ("unarmed@off", "off")]
    assert volley_of(scene, "ann", "cat") == ("short_sword", "unarmed@off")
    assert (goal(scene, "unarmed", foe="cat"), goal(scene, "unarmed@off", foe="cat")) == (50, 40)
    session = went(scene, "attack_with_all:cat", "plain", 99)
    assert goal(session.scene, "unarmed@off", foe="cat") == 30
    assert hands(duel(fighter("Ann", ("dagger", "off")), CAT)) == [("unarmed", "main")]
    assert volley_of(BARE, "ann", "bob") == ("unarmed", "unarmed@off")


@pytest.mark.rule("renaissance.defense.parry", "renaissance.unarmed.attack")
@pytest.mark.parametrize("items", [(("halberd", "both"),), (("short_sword", "main"), ("small_shield", "off"))])
def test_full_hands_leave_a_kick_and_the_body_to_defend(items: tuple[tuple[str, str], ...]) -> None:
    scene = duel(fighter("Ann", *items), BOB)
    assert hands(scene) == [("unarmed", "")]
    assert volley_of(scene, "ann", "bob") == ()
    assert goal(scene, "unarmed") == 40  # unarmed against armed
    assert "attack:bob:unarmed" in offered(playing(scene))
    assert defended(scene, "mace", "bob", "ann")["unarmed"] == 40


@pytest.mark.rule("renaissance.gap.armor.list", "renaissance.gap.weapon.hands")
@each_case(
    ("items", "occupied"),
    [
        ((), 0),
        ((("mace", "main"),), 1),
        ((("halberd", "both"),), 2),
        ((("mace", "main"), ("small_shield", "off")), 2),
        ((("small_shield", "off"), ("mace", "pack")), 1),
    ],
)
def test_occupied_hands(items: tuple[tuple[str, str], ...], occupied: int) -> None:
    assert now(duel(fighter("Ann", *items), BOB), "ann").numbers.worn.hands == occupied


# ---------------------------------------------------------------------- maneuvers


@pytest.mark.rule("renaissance.maneuver.procedure", "renaissance.maneuver.check_option", "renaissance.maneuver.trip")
@pytest.mark.rule("renaissance.maneuver.disarm")
def test_tripping_and_disarming_are_opposed_checks_or_ordered_ones() -> None:
    for rolled in ((30, 20), (60, 70, 30, 20)):  # where both fail, again
        assert went(duel(ANN, BOB), "maneuver:bob:trip", *rolled).scene["bob"].status.has("prone")
    ordered = went(duel(ANN, BOB, maneuver_check="ordered"), "maneuver:bob:trip", 60)
    assert not ordered.scene["bob"].status.has("prone")
    assert last(ordered, "Contested").result == "lost"
    session = went(duel(ANN, BOB), "maneuver:bob:disarm/mace", 30, 20)
    assert session.scene["bob"].status.belongings == ()
    assert [one.item for one in session.scene.loose_items] == ["mace"]


@pytest.mark.rule("renaissance.maneuver.trip", "renaissance.grid.squares")
def test_a_maneuver_is_tried_with_a_weapon_that_reaches() -> None:
    pike = fighter("Ann", ("halberd", "both"), skills={"pole_arms": 10, "unarmed_combat": 60})
    for apart, aimed in ((1, 80), (2, 30)):
        scene = duel(pike, BOB, apart)
        assert own_goal(scene, "ann", "bob", scene.library.get(CombatManeuver, "trip")).total == aimed


@pytest.mark.rule("renaissance.maneuver.feint")
def test_feints_stack_until_the_target_s_turn() -> None:
    session = went(duel(ANN, BOB), *("maneuver:bob:feint", 30, 45) * 2)
    assert total_strength(session.scene["bob"].status.lasting, "feinted") == -40
    assert defended(session.scene, "short_sword")["fray"] == 10
    assert session.scene["ann"].status.spent == {"quick": 2}
    answer(session, "end_turn")
    assert defended(session.scene, "short_sword")["fray"] == 50


@pytest.mark.rule("renaissance.maneuver.feint", "renaissance.defense.full_defense", "renaissance.maneuver.procedure")
@pytest.mark.parametrize(("id_", "degree"), [("feinted", -20), ("guarded", 10)])
@pytest.mark.parametrize(("maneuver", "counts"), [("trip", 1), ("grab", 1), ("disarm", 1), ("feint", 0)])
def test_a_feint_and_full_defense_count_against_maneuvers(id_: str, degree: int, maneuver: str, counts: int) -> None:
    scene = duel(ANN, BOB)
    entry = scene.library.get(CombatManeuver, maneuver)
    before = their_goal(scene, "bob", "ann", entry).total
    assert their_goal(held(scene, "bob", id_, degree=degree), "bob", "ann", entry).total == before + degree * counts


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.maneuver.procedure")
@pytest.mark.parametrize("maneuver", ["trip", "grab", "disarm/mace"])
@pytest.mark.parametrize(("rolled", "won"), [(50, True), (51, False)])
def test_an_unaware_target_opposes_no_maneuver_and_is_aware_then(maneuver: str, rolled: int, won: bool) -> None:
    scene = hidden(held(duel(fighter("Ann"), BOB), "bob", "unaware"), "ann")
    session = went(scene, f"maneuver:bob:{maneuver}", rolled)
    assert isinstance(session.question, Choice)  # no one rolls against it
    assert last(session, "Contested").result == ("won" if won else "lost")
    assert not session.scene["bob"].status.has("unaware")
    assert not session.scene["ann"].hidden


# ---------------------------------------------------------------------- grabs


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.maneuver.grab_escape", "renaissance.gap.state.grabbed")
def test_a_grabbed_character_can_only_break_free() -> None:
    grab = ("maneuver:bob:grab", 30, 20)
    session = went(BARE, *grab, "end_turn")
    assert session.scene["bob"].status.has("grabbed")
    assert {one.partition(":")[0] for one in offered(session)} == {"escape", "end_turn"}
    assert defended(session.scene, "unarmed")["fray"] == 50  # may still defend
    answer(session, "escape", 30, 20)
    assert not session.scene["bob"].status.has("grabbed")
    assert not went(BARE, *grab, "let_go:bob").scene["bob"].status.has("grabbed")


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.grab.rule_option")
@pytest.mark.parametrize(("rule", "minds"), [("maneuver", False), ("mos_over_str", True)])
def test_actions_of_a_grabbed_character(rule: Any, minds: bool) -> None:
    ann = fighter("Ann", ("mace", "main"), classes=("duelist",), powers=("master",))
    session = playing(held(duel(ann, BOB, grab_rule=rule), "ann", "grabbed", by="bob", source="bob"))
    mental = {"sustain::master", "name_rival"}
    assert mental & set(offered(session)) == (mental if minds else set())
    assert "escape" in offered(session)
    assert closed(session)["attack"][1] == "renaissance.maneuver.grab"


@pytest.mark.rule("renaissance.gap.state.grabbed", "renaissance.maneuver.grab")
@each_case(
    ("race", "items", "free"),
    [
        ("gnoll", (("halberd", "both"),), False),
        ("gnoll", (("mace", "main"),), True),
        ("wolf", (), True),
        ("frozen_horror", (), True),
    ],
)
def test_only_beasts_grab_with_full_hands(race: str, items: Any, free: bool) -> None:
    scene = duel(fighter("Ann", *items, race=race), BOB)
    assert ("maneuver:bob:grab" in offered(playing(scene))) is free


@pytest.mark.rule("renaissance.gap.state.grabbed", "renaissance.unarmed.attack")
def test_a_hand_that_holds_a_character_holds_and_strikes_nothing_else() -> None:
    grabber = fighter("Ann", ("mace", "main"), ("dagger", "pack"), powers=("fireball",))
    scene = scene_with((grabber, 5, 5), (BOB, 6, 5), (CID, 5, 6))
    hand = {"maneuver:cid:grab", "draw::dagger", "use_power::fireball", "attack_with_all:cid"}
    assert hand <= set(offered(playing(scene)))
    assert not hand & set(offered(playing(held(scene, "bob", "grabbed", by="ann", source="ann"))))
    bare = offered(playing(held(BARE, "bob", "grabbed", by="ann", source="ann")))
    assert ("attack_with_all:bob" in bare, "attack:bob:unarmed" in bare) == (False, True)


# ---------------------------------------------------------------------- the other rule for grabs


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.grab.rule_option")
@pytest.mark.parametrize(("rolled", "grabbed"), [(31, True), (30, False)])
def test_the_other_grab_rule_compares_the_margin_with_strength(rolled: int, grabbed: bool) -> None:
    scene = duel(fighter("Ann"), fighter("Bob"), grab_rule="mos_over_str")
    session = went(scene, "maneuver:bob:grab", rolled, 99, *(() if grabbed else (1,)))
    assert session.scene["bob"].status.has("grabbed") is grabbed
    assert (session.scene["bob"].status.damage == 0) is grabbed


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.size.combat")
@pytest.mark.parametrize(("race", "aimed"), [("kobold", 60), ("human", 50), ("black_bear", 30)])  # a bear is armed
def test_size_counts_for_the_other_grab_rule_as_for_the_first(race: str, aimed: int) -> None:
    scene = held(duel(fighter("Ann"), fighter("Bob", race=race), grab_rule="mos_over_str"), "bob", "unaware")
    assert target_of(went(scene, "maneuver:bob:grab", 99)) == aimed


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.multi.off_hand")
def test_a_character_who_has_the_main_hand_full_grabs_with_the_other() -> None:
    session = went(duel(ANN, CID, grab_rule="mos_over_str"), "maneuver:cid:grab", 41)  # 20 + 30 - 10
    assert isinstance(session.question, Choice)
    assert last(session, "Attacked").result == "miss"
    free = went(duel(CAT, CID, grab_rule="mos_over_str"), "maneuver:cid:grab", 41)
    assert isinstance(free.question, Roll)  # the defence


@pytest.mark.rule("renaissance.grab.mos_over_str")
def test_a_character_who_is_grabbed_instead_is_not_hurt_at_all() -> None:
    scene = duel(fighter("Ann", luck=2), fighter("Bob"), grab_rule="mos_over_str")
    scene = with_status(with_status(scene, "bob", damage=29), "ann", wounds=2)
    session = went(scene, "maneuver:bob:grab", "plain:ignore_penalties", 41, 99, "keep the result")
    struck = last(session, "Attacked")
    assert (struck.result, struck.damage, struck.felled) == ("hit", 0, False)
    assert (session.scene["bob"].status.has("grabbed"), session.scene["bob"].status.damage) == (True, 29)
    assert session.scene["ann"].status.luck == 1
    call = attack(60, DV(1, 5), holds=30, ignoring=False)
    assert worth_of(call) == odds(call, "worth").expected(call.mechanic.objective("worth")[1])
    assert [play(call, TypedDice([rolled])).result.holds for rolled in (31, 60)] == [True, True]
    assert play(call, TypedDice([30, 1])).result.damage == 6
