"""Cases found by long runs of play: each was a play that failed, went wrong or was a pain by hand."""

from __future__ import annotations

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import at_home, closed, fighter, hidden, playing, scene_with, went, with_status
from tablewright.engine import Choice, Playthrough, Roll
from tablewright.errors import IllegalActionError
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.loose_items import drop_items
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.views import project_log
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.bots import rate
from tablewright.systems.renaissance.mechanics.dice import LuckUse
from tablewright.systems.renaissance.mechanics.luck import rolled_contest

BOB = fighter("Bob", ("mace", "main"), race="human")


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_two_blades_of_a_kind_are_coated_each_by_itself() -> None:
    ann = fighter("Ann", ("dagger", "main"), ("dagger", "off"), ("blade_venom", "pack"))
    ways = offered(playing(scene_with((ann, 5, 5), (BOB, 6, 5))))
    coats = ["coat::blade_venom/dagger", "coat::blade_venom/dagger@off"]
    assert [one for one in ways if one.startswith("coat")] == coats


@pytest.mark.rule("renaissance.injury.damage_track")
def test_a_disabled_character_binds_no_wounds() -> None:
    scene = with_status(at_home(fighter("Ann", race="human"), BOB), "ann", damage=30)
    scene = with_status(scene, "bob", wounds=1)
    with pytest.raises(IllegalActionError) as refused:
        playing(scene, "renaissance.bind_wounds", who="bob", by="ann")
    assert refused.value.rule == "renaissance.injury.damage_track"
    with pytest.raises(IllegalActionError):
        playing(scene, "renaissance.work", who="ann", skill="medicine", minutes=5)


@pytest.mark.rule("renaissance.healing.care_physical")
def test_care_goes_on_in_the_next_scene() -> None:
    hurt = with_status(at_home(fighter("Ann", race="human"), BOB), "ann", damage=20)
    session = playing(hurt, "renaissance.plan", who="ann", body="bob")
    ann = rulebook.export_character(session.scene, "ann")
    again = at_home(ann, BOB)
    assert again["ann"].status.plan.body == "bob"
    after = playing(again, "renaissance.rest", days=2)
    assert after.scene["ann"].status.damage == 20 - 2 * 3


@pytest.mark.rule("renaissance.attack.procedure")
def test_a_character_who_strikes_throws_the_dice_of_damage() -> None:
    session = went(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)), "attack:bob:short_sword")
    answer(session, "plain", 40)
    assert session.seat == "bob"  # the defence is Bob's
    answer(session, 99)
    assert isinstance(session.question, Roll)
    assert session.seat == "ann"
    answer(session, (2, 2))
    assert session.seat == "bob"  # and so is staying upright


def test_the_cost_of_luck_is_told_in_words() -> None:
    assert [use.cost for use in LuckUse] == ["", "1 Luck", "1 Luck", "2 Luck"]


@pytest.mark.rule("renaissance.turn.allotment", "renaissance.combat.allotment")
def test_a_turn_does_not_offer_every_foe_for_every_step() -> None:
    foes = [(fighter(f"Foe{at}"), 14 if at == 2 else 20, 2 * at) for at in range(8)]
    session = playing(scene_with((fighter("Ann", ("short_sword", "main"), classes=("duelist",)), 5, 5), *foes))
    assert len(offered(session)) < 16
    assert isinstance(session.question, Choice)
    assert session.question.details["left"] == "1 standard and 1 quick, or 3 quick"
    answer(session, "name_rival", "rival:foe2")
    assert session.question.details["left"] == "1 standard, or 2 quick"
    answer(session, "move")
    assert [one for one in offered(session) if one.startswith("toward")][:1] == ["toward:foe2"]  # the nearest first
    answer(session, "toward:foe7")
    assert str(events(session, "Walked")[-1].position) != "5,5"


@pytest.mark.rule("renaissance.movement.charge")
def test_nobody_charges_the_air() -> None:
    session = playing(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)))
    assert "charge" not in offered(session)
    assert "move" in offered(session)


# ---------------------------------------------------------------------- what a fight by hand has shown


@pytest.mark.rule("renaissance.multi.attacks")
def test_several_weapons_are_offered_only_where_two_of_them_reach() -> None:
    """A dagger that could be thrown and bare hands are no two attacks on a character five metres away."""
    ann = fighter("Ann", ("dagger", "off"))
    assert "attack_with_all:bob" in offered(playing(scene_with((ann, 5, 5), (BOB, 6, 5))))
    far = offered(playing(scene_with((ann, 5, 5), (BOB, 10, 5))))
    assert "attack:bob:dagger@off~thrown_weapons" in far
    assert not [one for one in far if one.startswith("attack_with_all")]


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.targets")
def test_weapons_are_used_in_the_way_that_reaches() -> None:
    ann, two = fighter("Ann", ("dagger", "main"), ("dagger", "off")), fighter("Two", race="human")
    session = went(scene_with((ann, 5, 5), (BOB, 9, 5)), "attack_with_all:bob", "plain", 99)
    assert [one.partition("@")[0].partition("~")[0] for one in events(session, "Volley")[0].weapons] == ["dagger"] * 2
    assert "next_attack:bob:dagger@off~thrown_weapons" in offered(session)
    apart = playing(scene_with((ann, 5, 5), (BOB, 6, 5), (two, 9, 5)))  # the one struck, the other one out of reach
    assert [one for one in offered(apart) if one.startswith("attack_with_all")] == [
        "attack_with_all:bob",
        "attack_with_all:two",
        "attack_with_all::spread",
    ]
    assert "attack_with_all::spread" not in offered(playing(scene_with((ann, 5, 5), (BOB, 6, 5), (two, 30, 5))))


@pytest.mark.rule("renaissance.grid.squares")
def test_attacks_that_reach_nobody_say_so() -> None:
    session = playing(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 15, 5)))
    assert closed(session)["attack"] == ("out of reach", "renaissance.grid.squares")


@pytest.mark.rule("renaissance.strike.declare")
def test_the_attempt_and_its_target_are_told_before_the_dice() -> None:
    scene = scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5))
    session = went(scene, "attack:bob:short_sword", "mighty_blow")
    assert isinstance(session.question, Roll)
    declared = last(session, "Declared")
    assert (declared.what, declared.against) == ("attack with short sword (mighty blow)", "bob")
    went_down = went(scene, "maneuver:bob:trip")
    assert (last(went_down, "Declared").what, last(went_down, "Declared").against) == ("trip", "bob")
    unseen = answer(playing(hidden(scene, "ann")), "attack:bob:short_sword", "plain")
    seen_by_bob = [line["event"] for line in project_log(unseen, "bob") if "event" in line]
    assert "Declared" not in seen_by_bob


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.injury.damage_track")
def test_an_attack_tells_the_state_of_its_target() -> None:
    scene = scene_with((fighter("Ann", ("halberd", "both")), 5, 5), (BOB, 6, 5))
    falls = went(scene, "attack:bob:halberd", "plain", 20, 99, (1, 1), 99)
    struck = last(falls, "Attacked")
    assert (struck.result, struck.damage, struck.wounds, struck.prone, struck.felled) == ("hit", 13, 2, True, False)
    felled = went(with_status(scene, "bob", damage=25), "attack:bob:halberd", "mighty_blow", 20, 99, (1, 1))
    struck = last(felled, "Attacked")
    assert (struck.strike, struck.effect, struck.damage, struck.felled) == ("mighty_blow", False, 13, True)


@pytest.mark.rule("renaissance.turn.combat_is_turn_order")
def test_a_fight_is_over_with_the_last_foe() -> None:
    scene = with_status(scene_with((fighter("Ann", ("halberd", "both")), 5, 5), (BOB, 6, 5)), "bob", damage=25)
    session = went(scene, "attack:bob:halberd", "plain", 20, 99, (1, 1))
    assert session.question is None  # no one is asked what else they would do
    assert session.scene.ended == "party win"


@pytest.mark.rule("renaissance.luck.flip")
def test_a_flip_that_helps_nobody_is_not_offered() -> None:
    """28 against 40, and 82 is no success with 45: the point would be lost."""
    for target, offered_flip in ((45, False), (90, True)):
        contest = Playthrough(rolled_contest(target, 40, 1, 0))
        contest.type_in([28])
        contest.type_in([40])
        assert isinstance(contest.question, Choice) is offered_flip


@pytest.mark.rule("renaissance.gap.creature.attacks")
@pytest.mark.parametrize(("race", "allowed"), [("black_bear", False), ("gnoll", True), ("frozen_horror", True)])
def test_a_bear_picks_up_no_javelin(race: str, allowed: bool) -> None:
    scene = scene_with((fighter("Ann", race=race), 5, 5), (BOB, 6, 5))
    scene = drop_items(scene, LooseItem("javelin", "bob", None, cell(5, 6)))
    session = playing(scene)
    assert ("pick_up::javelin" in offered(session)) is allowed
    if not allowed:
        assert closed(session)["pick_up"] == ("beasts have no hands", "renaissance.gap.creature.attacks")


def test_nobody_with_claws_takes_a_javelin_instead() -> None:
    scene = drop_items(
        scene_with((fighter("Ann", race="frozen_horror"), 5, 5), (BOB, 15, 5)), LooseItem("javelin", "bob")
    )
    assert rate(scene, "ann", ActionUse("pick_up", None, "javelin")).harm < 0
    bare = drop_items(scene_with((fighter("Ann"), 5, 5), (BOB, 15, 5)), LooseItem("javelin", "bob"))
    assert rate(bare, "ann", ActionUse("pick_up", None, "javelin")).harm > 0


@pytest.mark.rule("renaissance.charge.bonus")
@pytest.mark.parametrize(("near", "better"), [(7, "move_quickly"), (9, "charge")])
def test_bots_charge_where_the_way_is_long_enough_for_the_bonus(near: int, better: str) -> None:
    """A charge adds damage from twice the base rate of 4 on; a shorter way is better run."""
    scene = scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 5 + near, 5))
    harm = {way: rate(scene, "ann", ActionUse(way)).harm for way in ("move_quickly", "charge")}
    assert max(harm, key=lambda way: harm[way]) == better


def test_bots_take_up_only_weapons_that_last() -> None:
    bare = scene_with((fighter("Ann"), 5, 5), (BOB, 15, 5))
    for item in ("grenade", "leather", "rope"):
        lies = drop_items(bare, LooseItem(item, "bob"))
        assert rate(lies, "ann", ActionUse("pick_up", None, item)).harm < 0


@pytest.mark.rule("renaissance.strike.declare")
def test_the_odds_of_an_attack_are_those_of_a_plain_one() -> None:
    session = playing(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)))
    assert isinstance(session.question, Choice)
    behind = preview_rule(session, "ann", session.question.option("attack:bob:short_sword"), "ann")
    assert behind.presumed == ("which strike? a plain attack at 50",)
    assert behind.subject.named_arguments()["strikes"] == ()
    assert behind.subject.named_arguments()["target"] == 50
