"""Cover and smoke, grenades against armor, fire that leaves the hand, sweeping blows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import closed, fighter, kinds, playing, scene_with, went
from systems.renaissance.folk import library
from tablewright.errors import InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.ground.facts import ANYONE
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.aim import attack_goal, cover_of
from tablewright.systems.renaissance.content import KINDS
from tablewright.systems.renaissance.harm import _in_smoke
from tablewright.systems.renaissance.now import now

ARCHER = fighter("Ann", ("long_bow", "both"))
BOB = fighter("Bob", ("mace", "main"))


def said(scene: Scene, what: str, who: str, value: str) -> Scene:
    """The scene with something that the game master said."""
    return replace(scene, facts=scene.facts.set(what, who, value))


def bow(scene: Scene) -> int:
    """The target of a shot at Bob."""
    arm = now(scene, "ann").arm("long_bow")
    assert arm is not None
    return attack_goal(scene, "ann", "bob", arm).total


@pytest.mark.rule("renaissance.gap.hazard.cover")
def test_cover_hampers_and_total_cover_forbids() -> None:
    scene = scene_with((ARCHER, 5, 5), (BOB, 15, 5))
    open_field = bow(scene)
    assert bow(said(scene, "cover", "bob", "minimal")) == open_field - 10
    assert bow(said(scene, "cover", "bob", "partial")) == open_field - 30
    session = playing(said(scene, "cover", "bob", "total"))
    assert closed(session)["attack"] == ("behind total cover", "renaissance.gap.hazard.cover")
    with pytest.raises(InvalidInputError):
        session.choose("attack:bob:long_bow")


@pytest.mark.rule("renaissance.gap.race.senses")
@pytest.mark.parametrize(("light", "less"), [("dim", 10), ("dark", 30), ("bright", 0)])
def test_light_counts_in_attacks_as_in_checks(light: str, less: int) -> None:
    scene = scene_with((ARCHER, 5, 5), (BOB, 15, 5))
    assert bow(said(scene, "light", "bob", light)) == bow(scene) - less
    assert bow(said(scene, "light", ANYONE, light)) == bow(scene) - less


@pytest.mark.rule("renaissance.gap.hazard.cover", "renaissance.gap.hazard.chemicals")
def test_a_character_who_stands_in_smoke_has_partial_cover_until_they_leave_it() -> None:
    scene = scene_with(
        (fighter("Ann", ("smoke", "main"), ("long_bow", "pack")), 5, 5), (BOB, 10, 5), (fighter("Cid"), 18, 5)
    )
    session = went(scene, "attack:bob:smoke", 20, 2)  # a radius of 2 + 3
    here = session.scene
    assert (cover_of(here, "ann", here["bob"]), cover_of(here, "ann", here["cid"])) == ("partial", "")
    assert cover_of(said(here, "cover", "bob", "total"), "ann", here["bob"]) == "total"  # the better one counts
    assert cover_of(said(here, "cover", "bob", "minimal"), "ann", here["bob"]) == "partial"
    answer(session, "end_turn", "move", "elsewhere", "destination::9,5")
    assert session.scene["bob"].status.has("covered")  # still within
    answer(session, "end_turn", "end_turn", "end_turn", "move_quickly", "elsewhere", "destination::16,5")
    assert not session.scene["bob"].status.has("covered")
    shot = scene_with((ARCHER, 5, 5), (BOB, 15, 5))
    covered = shot.with_status("bob", lasting=here["bob"].status.lasting)
    assert bow(covered) == bow(shot) - 30


@pytest.mark.rule("renaissance.gap.hazard.cover")
@pytest.mark.parametrize(("middle", "within"), [("5,5,5", True), ("4,5,5", False)])
def test_the_edge_of_the_smoke_is_still_smoke(middle: str, within: bool) -> None:
    scene = scene_with((fighter("Ann"), 1, 1), (BOB, 10, 5))
    assert _in_smoke(scene, scene["bob"], middle) is within


@pytest.mark.rule("renaissance.area.blast", "renaissance.armor.damage")
def test_armor_counts_against_a_grenade() -> None:
    plate = fighter("Bob", ("plate", "worn"))
    scene = scene_with((fighter("Ann", ("grenade", "main")), 0, 5), (plate, 10, 5), (fighter("Cid"), 11, 5))
    session = went(scene, "attack:bob:grenade", 20, (9, 9), 10, 10)
    assert {one.who: one.damage for one in events(session, "Hurt")} == {"bob": 18 - 10, "cid": 18 - 2}


@pytest.mark.rule("renaissance.gap.power.list")
def test_intense_fire_pierces_armor_in_a_blast() -> None:
    mage = fighter("Ann", powers=("fireball", "exploding_fireball", "intense_fire"))
    scene = scene_with((mage, 5, 5), (fighter("Bob", ("plate", "worn")), 6, 5))
    session = went(scene, "use_power::fireball", "explode::ball_of_fire", (9, 9, 4), 20, 99, 10)
    assert {one.who: one.damage for one in events(session, "Hurt")} == {"bob": 22 - 2 - (10 - 1)}


# ---------------------------------------------------------------------- fire that leaves the hand


def mage(*more: str) -> Any:
    return fighter("Ann", powers=("fireball", *more))


@pytest.mark.rule("renaissance.gap.power.list")
def test_a_ball_of_fire_lasts_for_five_turns_after_it_has_left_the_hand() -> None:
    scene = scene_with((mage(), 5, 5), (BOB, 9, 5))
    session = went(scene, "use_power::fireball", "attack:bob:ball_of_fire", "plain", 99)
    assert [(one.item, str(one.position)) for one in session.scene.loose_items] == [("ball_of_fire", "9,5")]
    for _ in range(4):
        answer(session, "end_turn", "end_turn")
    assert session.scene.loose_items  # four turns
    answer(session, "end_turn", "end_turn")
    assert not session.scene.loose_items
    assert "goes out" in last(session, "BelongingsChanged").what


@pytest.mark.rule("renaissance.gap.power.list")
def test_it_burns_in_the_hand_as_long_as_it_is_held() -> None:
    session = went(scene_with((mage(), 5, 5), (BOB, 9, 5)), "use_power::fireball")
    for _ in range(8):
        answer(session, "end_turn", "end_turn")
    assert [one.item for one in session.scene["ann"].status.belongings] == ["ball_of_fire"]
    answer(session, "stow::ball_of_fire@main")  # dismissed at will
    assert not session.scene["ann"].status.belongings
    assert not session.scene.loose_items


@pytest.mark.rule("renaissance.gap.power.list")
def test_only_its_maker_can_take_it_up_again() -> None:
    session = went(scene_with((mage(), 5, 5), (BOB, 6, 5)), "use_power::fireball", "drop_item::ball_of_fire@main")
    assert "pick_up::ball_of_fire" in offered(session)
    answer(session, "end_turn")
    assert "pick_up::ball_of_fire" not in offered(session)
    answer(session, "end_turn", "pick_up::ball_of_fire")
    assert not session.scene.loose_items
    kept = session.rulebook.export_character(session.scene, "ann")
    assert kept.belongings == ()  # no one carries fire home


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.area.blast")
def test_a_ball_that_was_thrown_may_explode_where_it_lies() -> None:
    scene = scene_with((mage("exploding_fireball"), 5, 5), (BOB, 10, 5), (fighter("Cid"), 11, 5))
    session = went(
        scene,
        "use_power::fireball",
        "attack:bob:ball_of_fire",
        "plain",
        99,
        "explode::ball_of_fire@ground",
        (6, 6),
        20,  # the maker's check against Bob, who fails to get clear of the blast
        99,
        10,
        20,  # against Cid, who gets clear
        21,
    )
    assert {one.who: one.damage for one in events(session, "Hurt")} == {"bob": 12}
    assert not session.scene.loose_items
    plain = went(
        scene_with((mage(), 5, 5), (BOB, 10, 5)), "use_power::fireball", "attack:bob:ball_of_fire", "plain", 99
    )
    assert not [one for one in offered(plain) if one.startswith("explode")]


# ---------------------------------------------------------------------- several targets

PACK = """pack: {id: own, title: Own, version: '1', origin: house}
system: renaissance
powers:
  - {id: cleave, name: Cleave, kinds: [maneuver], action: standard, effects: [{effect: sweep, targets: 2}]}
"""


@pytest.mark.rule("renaissance.multi.targets_scope", "renaissance.multi.targets")
@pytest.mark.parametrize(("scope", "less"), [("multiple_attacks_only", 0), ("general", 10)])
def test_a_blow_at_several_targets(scope: Any, less: int) -> None:
    own = library().with_pack(read_pack(PACK, KINDS, library()))
    ann = fighter("Ann", ("short_sword", "main"), powers=("cleave",))
    scene = scene_with(
        (ann, 5, 5), (BOB, 6, 5), (fighter("Cid"), 5, 6), (fighter("Dot"), 4, 4), multiple_target_scope=scope
    )
    scene = replace(scene, library=own)
    goal = now(scene, "ann").skill("bladed_weapons").total - less
    session = went(scene, "use_power::cleave", "plain", goal, 99, (2, 2), 10)
    answer(session, "plain", goal + 1)  # just misses
    assert [(one.who, one.result.endswith("hit")) for one in events(session, "Attacked")] == [
        ("bob", True),
        ("cid", False),
    ]
    assert session.scene["ann"].status.turn.volley_of == 0
    assert kinds(session).count("Volley") == 1  # a third is beyond its reach of two
    alone = replace(scene_with((ann, 5, 5), (BOB, 6, 5), multiple_target_scope=scope), library=own)
    missed = went(alone, "use_power::cleave", "plain", goal + less, 99)
    assert missed.question is not None  # one target alone: no penalty, a hit


@pytest.mark.rule("renaissance.multi.targets")
def test_nobody_sweeps_the_air() -> None:
    own = library().with_pack(read_pack(PACK, KINDS, library()))
    ann = fighter("Ann", ("short_sword", "main"), powers=("cleave",))
    session = playing(replace(scene_with((ann, 5, 5), (BOB, 16, 5)), library=own))
    assert closed(session)["use_power"][0] == "nobody is in reach of a melee weapon"


# ---------------------------------------------------------------------- blasts and splashes


@pytest.mark.rule("renaissance.area.blast", "renaissance.area.blast_no_defense")
def test_a_blast_loses_two_for_every_metre_and_nobody_defends() -> None:
    scene = scene_with(
        (fighter("Ann", ("grenade", "main")), 2, 5), (BOB, 10, 5), (fighter("Cid"), 12, 5), (fighter("Dot"), 20, 5)
    )
    session = went(scene, "attack:bob:grenade", 20, (6, 6), 10, 10)
    hurt = {one.who: one.damage for one in events(session, "Hurt")}
    assert hurt == {"bob": 12, "cid": 8}
    assert not session.scene["ann"].status.belongings  # gone
    thrown = last(session, "Attacked")
    assert (thrown.luck, thrown.their_luck, thrown.damage, thrown.wounds) == (0, 0, 0, 0)  # Luck is paid with the roll


@pytest.mark.rule("renaissance.ranged.scatter_when", "renaissance.ranged.scatter")
def test_a_blast_that_misses_scatters() -> None:
    scene = scene_with((fighter("Ann", ("grenade", "main")), 5, 5), (BOB, 10, 5), (fighter("Cid"), 10, 9))
    session = went(scene, "attack:bob:grenade", 99, 5, 4, (6, 6), 10)  # south, 4 m: onto Cid
    hurt = {one.who: one.damage for one in events(session, "Hurt")}
    assert hurt == {"bob": 12 - 8, "cid": 12}
    bow = went(
        scene_with((fighter("Ann", ("long_bow", "both")), 5, 5), (BOB, 15, 5)), "attack:bob:long_bow", "plain", 99
    )
    assert last(bow, "Attacked").result == "miss"  # an arrow is not tracked


@pytest.mark.rule("renaissance.area.splash", "renaissance.gap.hazard.chemicals")
def test_a_splash_covers_its_radius_and_does_no_damage_itself() -> None:
    scene = scene_with(
        (fighter("Ann", ("scour", "main")), 5, 5), (BOB, 10, 5), (fighter("Cid"), 12, 5), (fighter("Dot"), 20, 5)
    )
    session = went(scene, "attack:bob:scour", 20, 4)  # 4 / 2 = 2 m
    assert [session.scene[who].status.has("burning") for who in ("bob", "cid", "dot")] == [True, True, False]
    assert session.scene["bob"].status.damage == 0
    answer(session, "end_turn", (3, 4), 10)
    assert session.scene["bob"].status.damage == 7  # 2d10 at the start of the own turn
