"""Injury and stress in play: wounds that are negated as they come, Durability that falls, attacks on the fallen."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    arm,
    at_home,
    closed,
    defended,
    fighter,
    held,
    playing,
    scene_with,
    went,
    with_status,
)
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import Effect
from tablewright.game.system.rulebook import Rating
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.actions.aim import aim_as_seen, damage_of
from tablewright.systems.renaissance.actions.attack import PLAINLY
from tablewright.systems.renaissance.bots import rate
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.mechanics.harm import NO_RESERVE
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Turn

ANN = fighter("Ann", ("short_sword", "main"))
HIT = ("attack:bob:short_sword", "plain", 29)  # 29 is a plain success: no bonus


@pytest.mark.rule("renaissance.injury.negate", "renaissance.injury.knockdown")
@pytest.mark.parametrize(("before", "bound", "goal"), [(0, 0, 90), (1, 0, 80), (1, 1, 90), (2, 1, 80)])
def test_a_character_who_negates_a_wound_falls_without_its_penalty(before: int, bound: int, goal: int) -> None:
    gnoll = fighter("Bob", race="gnoll")
    scene = with_status(scene_with((ANN, 5, 5), (gnoll, 6, 5)), "bob", wounds=before, bound=bound)
    assert now(scene, "bob").wounds_to_negate == (0 if goal == 80 else 1)
    for rolled in (goal, goal + 1):
        session = went(held(scene, "bob", "unaware"), *HIT, (2, 3), rolled)
        assert last(session, "Attacked").wounds == 1
        assert session.scene["bob"].status.has("prone") is (rolled > goal)


@pytest.mark.rule("renaissance.stress.stack_negate", "renaissance.stress.trauma_stun")
@pytest.mark.parametrize(("before", "soothed", "goal"), [(0, 0, 60), (1, 0, 50), (1, 1, 60)])
def test_a_character_who_negates_a_trauma_is_stunned_without_its_penalty(before: int, soothed: int, goal: int) -> None:
    elf = fighter("Elf", race="ash_elf", WIL=10)
    scene = with_status(at_home(elf, ANN), "elf", traumas=before, soothed=soothed)
    assert now(scene, "elf").number("WIL*3").total == 60
    for rolled in (goal, goal + 1):
        session = went(scene, 99, 10, rolled, process="renaissance.stress", who="elf", source="torture")
        assert session.scene["elf"].status.traumas == before + 1
        assert session.scene["elf"].status.has("stunned") is (rolled > goal)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dead"), [(59, False), (60, True)])
def test_a_character_who_bore_more_under_a_draught_dies_as_it_ends(damage: int, dead: bool) -> None:
    strong = playing(at_home(fighter("Bob"), ANN), "renaissance.dose", who="bob", chemical="monster").scene
    assert strong["bob"].status.durability == 40
    later = playing(with_status(strong, "bob", damage=damage), "renaissance.rest", days=1).scene
    assert (later["bob"].status.durability, later["bob"].status.dead) == (30, dead)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dice", "left"), [(33, (10, 9), (60, True)), (33, (9, 9), (59, False))])
def test_a_felled_character_loses_the_durability_of_a_sustained_power(
    damage: int, dice: tuple[int, int], left: tuple[int, bool]
) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", powers=("fortify",)), 6, 5), (fighter("Cat"), 30, 5))
    fortified = {"sustained": (Sustained("fortify", choice="DUR"),), "durability": 35, "damage": damage}
    session = went(with_status(scene, "bob", **fortified), *HIT, 99, dice)
    status = session.scene["bob"].status
    assert (status.damage, status.dead) == left
    assert (status.durability, status.sustained) == (30, ())
    assert last(session, "Attacked").dead is left[1]


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability")
@pytest.mark.parametrize(("damage", "sustained"), [(29, 1), (30, 0)])
def test_a_character_who_gives_up_a_power_may_be_disabled_by_it(damage: int, sustained: int) -> None:
    bob = fighter("Bob", powers=("fortify", "blur"))
    both = (Sustained("fortify", choice="DUR"), Sustained("blur"))
    scene = with_status(scene_with((bob, 5, 5), (ANN, 6, 5)), "bob", sustained=both, durability=35, damage=damage)
    status = went(scene, "stop_sustaining::fortify").scene["bob"].status
    assert (status.durability, len(status.sustained), status.dead) == (30, sustained, False)


# ---------------------------------------------------------------------- those who are down

BOB, CAT = fighter("Bob", ("mace", "main")), fighter("Cat", ("mace", "main"))


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.gap.state.helpless", "renaissance.attack.unaware")
@pytest.mark.parametrize(("dice", "dead"), [((10, 9), True), ((9, 9), False)])
def test_a_disabled_character_can_be_struck_without_defence(dice: tuple[int, int], dead: bool) -> None:
    scene = with_status(scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "bob", damage=33)
    session = playing(scene)
    attacks = [one for one in offered(session) if one.startswith("attack:")]
    assert attacks.index("attack:cat:short_sword") < attacks.index("attack:bob:short_sword")
    struck = last(answer(session, *HIT, dice), "Attacked")
    assert (struck.damage, struck.wounds, struck.prone) == (sum(dice) + 8, 4, False)
    assert (struck.dead, session.scene["bob"].status.dead) == (dead, dead)
    again = playing(session.scene.with_status("ann", spent=Ranks()))
    assert any(one.startswith("attack:bob") for one in offered(again)) is not dead


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.stress.track")
def test_an_overwhelmed_character_can_be_struck_and_defends() -> None:
    scene = with_status(scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "bob", overwhelmed=True)
    assert defended(scene, "short_sword")["fray"] == 50
    assert "attack:bob:short_sword" in offered(playing(scene))


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.multi.attacks")
def test_several_attacks_may_go_on_against_targets_they_brought_down() -> None:
    two = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
    scene = with_status(scene_with((two, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "bob", damage=29)
    session = went(scene, "attack_with_all:bob", "plain", 29, 99, (9, 9))
    assert session.scene["bob"].status.damage >= 30
    assert [one for one in offered(session) if one.startswith("next_attack")] == ["next_attack:bob:dagger@off"]
    spread = [one for one in offered(playing(with_status(scene, "bob", damage=30))) if "spread" in one]
    assert not spread  # one foe alone stands


@pytest.mark.rule("renaissance.injury.damage_track")
def test_bots_leave_the_fallen_alone() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 15, 15))
    for down in ({"damage": 30}, {"overwhelmed": True}, {"lasting": (Effect("unconscious"),)}):
        fallen = with_status(scene, "bob", **down)
        for use in (ActionUse("attack", "bob", "short_sword"), ActionUse("attack_with_all", "bob")):
            assert rate(scene, "ann", use).harm > 1
            assert rate(fallen, "ann", use) == Rating(harm=-1_000)


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.unaware", "renaissance.gap.state.helpless")
def test_an_attacker_sees_who_is_down_and_nothing_else_of_reserves() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 15, 15))
    sword = arm(scene, "ann", "short_sword")
    for damage, left in ((29, NO_RESERVE), (30, 0)):
        hurt = with_status(with_status(scene, "bob", damage=damage, luck=2), "ann", luck=3)
        for how in (PLAINLY, PLAINLY._replace(ignores=True), PLAINLY._replace(ignores=True, dares=True)):
            seen = aim_as_seen(hurt, "ann", "bob", sword, how).named_arguments()
            assert (seen["left"], seen["their_luck"], seen["luck"]) == (left, 0, how.spent)


@pytest.mark.rule("renaissance.strike.maim", "renaissance.strike.declare")
def test_the_maimed_part_is_named_before_the_roll() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    session = went(scene, "attack:bob:short_sword", "maim")
    assert offered(session) == ("hand", "arm", "leg", "eye", "ear")
    answer(session, "leg")
    declared = last(session, "Declared")
    assert (declared.who, declared.against, declared.part) == ("ann", "bob", "leg")
    hit = answer(session, 22, 99, (1, 1, 1, 1), 0)  # a critical one: the better of two rolls of damage
    assert hit.scene["bob"].status.lost == ("leg",)
    struck = last(hit, "Attacked")
    assert (struck.strike, struck.part, struck.effect, struck.critical) == ("maim", "leg", True, True)
    assert hit.scene["ann"].status.turn.part == ""
    missed = went(scene, "attack:bob:short_sword", "maim", "eye", 20, 99, (1, 1), 0)
    assert missed.scene["bob"].status.lost == ()
    tried = last(missed, "Attacked")
    assert (tried.strike, tried.part, tried.effect, tried.result) == ("maim", "eye", False, "hit")
    plain = went(scene.with_status("ann", turn=missed.scene["ann"].status.turn), *HIT, 99, (1, 1), 0)
    assert last(plain, "Attacked").part == ""


@pytest.mark.rule("renaissance.strike.called_shot", "renaissance.strike.declare")
def test_a_called_shot_names_its_place_before_the_roll() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "attack:bob:short_sword", "called_shot", "throat", 33, 99)
    answer(session, (1, 1, 1, 1), 0)
    struck = last(session, "Attacked")
    assert (struck.part, struck.effect, struck.lost) == ("throat", True, "")
    assert (struck.strike, struck.result) == ("called_shot", "critical hit")


# ---------------------------------------------------------------------- charges

PIKE = fighter("Pike", ("halberd", "both"))


@pytest.mark.rule("renaissance.brace.charge_goes_on")
@pytest.mark.parametrize(
    ("strike", "durability", "rolled", "stopped"),
    [
        ("plain", 30, (29, 99, (2, 2), 99), True),
        ("plain", 30, (29, 99, (2, 2), 0), False),  # wounded, and on her feet
        ("knock_down", 130, (31, 99, (2, 2), 99), False),  # on the ground without a wound
    ],
)
def test_a_braced_blow_that_wounds_and_fells_stops_the_charge(
    strike: str, durability: int, rolled: tuple[Any, ...], stopped: bool
) -> None:
    scene = held(scene_with((ANN, 2, 5), (PIKE, 14, 5)), "pike", "braced")
    scene = with_status(scene, "ann", durability=durability, dur_lost=30 - durability)
    session = went(scene, "charge", "meet_charge:ann", strike, *rolled)
    status = session.scene["ann"].status
    assert (status.turn.stopped, status.wounds > 0) == (stopped, durability == 30)
    assert any(one.startswith("attack") for one in offered(session)) is not stopped
    reason = ("the charge was stopped", "renaissance.brace.charge_goes_on")
    assert (closed(session).get("attack") == reason) is stopped
    assert (closed(session).get("attack_with_all") == reason) is stopped


@pytest.mark.rule("renaissance.charge.bonus", "renaissance.brace.attack")
def test_the_bonus_of_a_charge_ends_with_the_turn() -> None:
    scene = held(scene_with((ANN, 2, 5), (PIKE, 14, 5)), "pike", "braced")
    scene = with_status(scene, "pike", turn=Turn(charged=True, far=True))  # in the turn before
    session = went(scene, "charge", "meet_charge:ann", "plain", 29, 99, (1, 1), 0)
    assert last(session, "Attacked").damage == 2 + 6 + 5 + 5
    own = with_status(scene, "ann", turn=Turn(charged=True, far=True, answered=("pike",)))
    assert damage_of(own, "ann", arm(own, "ann", "short_sword"), unaware=False).plus == 3 + 5 + 5
