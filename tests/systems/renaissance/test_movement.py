"""Movement on the grid: distances and reach, moves, charges and bracing against them, stunts, lying prone."""

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
    duel,
    fighter,
    goal,
    held,
    kinds,
    playing,
    scene_with,
    went,
    with_status,
)
from tablewright.errors import InvalidInputError
from tablewright.game.ground.position import cell
from tablewright.game.ground.zones import Link, Zones, zone
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.aim import aim, damage_of, metres
from tablewright.systems.renaissance.actions.move import far_foes, way_to
from tablewright.systems.renaissance.now import in_reach, now
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import Turn

SWORD, BOW = ("short_sword", "main"), ("long_bow", "both")
ANN, BOB = fighter("Ann", SWORD), fighter("Bob", ("mace", "main"))
PIKE = fighter("Pike", ("halberd", "both"))


def at(scene: Scene, who: str = "ann") -> Any:
    """The square of a character."""
    return scene[who].position


# ---------------------------------------------------------------------- the grid


@pytest.mark.rule("renaissance.grid.distance")
@pytest.mark.parametrize(("x", "y", "apart"), [(8, 5, 3), (8, 8, 4), (6, 6, 1), (7, 6, 2), (15, 6, 10)])
def test_distances_are_straight_and_rounded_to_the_nearest_metre(x: int, y: int, apart: int) -> None:
    assert metres(scene_with((ANN, 5, 5), (BOB, x, y)), "ann", "bob") == apart
    assert FIELD.distance(cell(0, 0), cell(2, 2)) == 3


@pytest.mark.rule("renaissance.grid.facing")
@pytest.mark.rule("renaissance.grid.squares", "renaissance.combat.threaten", "renaissance.grid.distance")
def test_all_eight_squares_around_are_in_reach() -> None:
    around = [(x, y) for x in (4, 5, 6) for y in (4, 5, 6) if (x, y) != (5, 5)]
    assert all(in_reach(scene_with((ANN, 5, 5), (BOB, x, y)), "ann", "bob", 1) for x, y in around)
    session = playing(duel(ANN, BOB, 2))
    assert not [one for one in offered(session) if one.startswith("attack:")]
    assert closed(session)["attack"] == ("out of reach", "renaissance.grid.squares")


@pytest.mark.rule("renaissance.gap.weapon.list", "renaissance.grid.squares")
def test_some_weapons_reach_a_square_further() -> None:
    for item, place, reach in (("halberd", "both", 2), ("spear", "both", 2), ("mace", "main", 1)):
        ann = fighter("Ann", (item, place))
        for x, y, apart in ((6, 6, 1), (7, 5, 2), (7, 6, 2), (3, 5, 2), (7, 7, 3), (8, 5, 3)):
            ways = offered(playing(scene_with((ann, 5, 5), (BOB, x, y))))
            assert (f"attack:bob:{item}" in ways) is (apart <= reach), (item, x, y)
    me = now(duel(PIKE, BOB), "pike")
    assert (sorted([way.reach for way in me.arms]), me.reach) == ([1, 2], 2)  # it threatens, and bare hands do not


@pytest.mark.rule("renaissance.grid.path_length")
def test_a_diagonal_step_is_a_metre_and_a_half() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 30, 15)), "move", "elsewhere")  # base rate 4
    there = {one.removeprefix("destination::") for one in offered(session)} & {"9,5", "10,5", "7,7", "8,8"}
    assert there == {"9,5", "7,7"}
    scene = scene_with((ANN, 5, 5), (BOB, 9, 9))
    plain = evolve(scene, ground=replace(FIELD, diagonal="one"))
    assert way_to(plain, "ann", "bob", 3) == cell(8, 8)  # to the last metre, where a diagonal step is one
    assert way_to(scene, "ann", "bob", 3) == cell(7, 7)  # and half a metre more where it is not


@pytest.mark.rule("renaissance.grid.other_maps")
def test_other_maps_are_played_on_as_their_ground_measures() -> None:
    hall = Zones(("hall", "stairs", "yard"), (Link("hall", "stairs"), Link("stairs", "yard", 3)))
    here = replace(duel(ANN, BOB), ground=hall)
    here = here.with_participant(replace(here["ann"], position=zone("hall")))
    offers = {}
    for name in hall.names:
        scene = here.with_participant(replace(here["bob"], position=zone(name)))
        offers[name] = "attack:bob:short_sword" in offered(playing(scene))
    assert offers == {"hall": True, "stairs": True, "yard": False}
    nowhere = duel(ANN, BOB)
    for who in ("ann", "bob"):
        nowhere = nowhere.with_participant(replace(nowhere[who], position=None))
    ways = offered(playing(nowhere))  # without places everyone is next to everyone
    assert ("attack:bob:short_sword" in ways, "stunt::quick" in ways) == (True, False)
    # The map of an earlier version is no option any more.
    assert RenaissanceOptions.from_mapping({"battle_map": "hex"}) == RenaissanceOptions()
    assert "battle_map" not in RenaissanceOptions().to_mapping()
    with pytest.raises(InvalidInputError, match='"battle_map" is unknown'):
        RenaissanceOptions.field("battle_map")


# ---------------------------------------------------------------------- moving


@pytest.mark.rule("renaissance.movement.move", "renaissance.movement.one_per_turn")
def test_a_move_goes_as_far_as_the_base_rate_once_a_turn() -> None:
    session = went(duel(ANN, BOB, 20), "move", "toward:bob")
    assert at(session.scene) == cell(9, 5)
    for other in ("move", "move_quickly", "charge"):
        assert closed(session)[other] == ("one movement action a turn", "renaissance.movement.one_per_turn")
    assert goal(session.scene, "short_sword") == 50  # no penalty
    assert at(went(duel(ANN, BOB, 2), "move", "toward:bob").scene) == cell(6, 5)  # one step is a way too


@pytest.mark.rule("renaissance.movement.move_quickly")
def test_moving_quickly_costs_ten_on_physical_skills_until_the_next_turn() -> None:
    session = went(duel(ANN, BOB, 10), "move_quickly", "toward:bob")
    assert at(session.scene) == cell(14, 5)
    me = now(session.scene, "ann")
    assert (goal(session.scene, "short_sword"), me.skill("fray").total, me.skill("deception").total) == (40, 40, 50)
    assert me.number("SOM*3").total == 60
    answer(session, "end_turn", "end_turn")
    assert goal(session.scene, "short_sword") == 50


@pytest.mark.rule("renaissance.grid.path_length", "renaissance.gap.state.grid")
def test_ways_lead_to_foes_not_in_reach_and_through_none_who_stand() -> None:
    foes = [(fighter("Near"), 6, 5), (fighter("Far"), 20, 5), (fighter("Nearer"), 12, 5), (fighter("Away"), 9, 9)]
    scene = scene_with((ANN, 5, 5), *foes)
    scene = scene.with_participant(evolve(scene["away"], position=None))
    assert [foe.id for foe in far_foes(scene, "ann")] == ["nearer", "far"]
    wall = scene_with((ANN, 5, 5), *[(fighter(f"W{y}"), 7, y) for y in range(20)])
    for scene, through in ((wall, False), (held(wall, "w5", "prone"), True)):
        assert ("destination::8,5" in offered(went(scene, "move", "elsewhere"))) is through


@pytest.mark.rule("renaissance.movement.stunt")
def test_a_stunt_takes_an_athletics_check_and_goes_over_foes() -> None:
    scene = duel(ANN, BOB)
    assert at(went(scene, "stunt::quick", 50, "destination::7,5").scene) == cell(7, 5)
    lurking = went(scene.with_participant(replace(scene["bob"], hidden=True)), "stunt::quick", 50)
    assert "destination::6,5" in offered(lurking)  # its absence told of the hidden foe
    failed = went(scene, "stunt::quick", 51)
    assert "end_turn" in offered(failed)  # and not where to
    assert (at(failed.scene), failed.scene["ann"].status.spent) == (cell(5, 5), {"quick": 1})


# ---------------------------------------------------------------------- charges


@pytest.mark.rule("renaissance.movement.charge", "renaissance.charge.bonus")
@pytest.mark.parametrize(("start", "far"), [(6, False), (5, True)])
def test_a_charge_far_enough_adds_the_damage_bonus(start: int, far: bool) -> None:
    scene = went(scene_with((ANN, start, 5), (BOB, 14, 5)), "charge").scene  # ends at 13,5: 7 or 8 m of 2 x 4
    assert (at(scene), scene["ann"].status.turn.far) == (cell(13, 5), far)
    call = aim(scene, "ann", "bob", arm(scene, "ann", "short_sword")).call
    assert call.named_arguments()["dv"].plus == 3 + 5 + (5 if far else 0)
    assert call.named_arguments()["target"] == 40


@pytest.mark.rule("renaissance.movement.charge", "renaissance.brace.prepare")
def test_charging_and_bracing_need_a_way_and_a_weapon() -> None:
    ways = offered(playing(duel(ANN, BOB)))
    assert ("charge" in ways, "move" in ways) == (False, True)
    assert closed(playing(duel(ANN, BOB)))["brace"] == ("nothing to brace", "renaissance.brace.prepare")


@pytest.mark.rule("renaissance.brace.prepare", "renaissance.brace.attack", "renaissance.brace.charge_goes_on")
def test_a_braced_weapon_strikes_the_charger_first() -> None:
    scene = scene_with((PIKE, 20, 5), (fighter("Orc", SWORD), 10, 5))
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


@pytest.mark.rule("renaissance.brace.attack", "renaissance.maneuver.grab")
@pytest.mark.parametrize(
    ("weapon", "apart", "grabbed", "meets"),
    [("halberd", 3, False, False), ("halberd", 2, False, True), ("halberd", 1, True, False), (None, 1, False, False)],
    ids=["out of reach", "in reach", "held", "unarmed"],
)
def test_a_braced_weapon_meets_only_whom_it_reaches(weapon: str | None, apart: int, grabbed: bool, meets: bool) -> None:
    """The orc charges Ann; Pike stands ready so many squares from where it stops."""
    pike = fighter("Pike", *([(weapon, "both")] if weapon else []))
    scene = scene_with((fighter("Orc", SWORD), 10, 5), (ANN, 21, 5), (pike, 20, 5 + apart))
    scene = held(scene, "pike", "braced", *(["grabbed"] * grabbed), by="ann")
    session = went(scene, "charge", "toward:ann")
    assert at(session.scene, "orc") == cell(20, 5)
    assert ("meet_charge:orc" in offered(session)) is meets
    assert session.seat == ("pike" if meets else "orc")


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


# ---------------------------------------------------------------------- lying on the ground


@pytest.mark.rule("renaissance.prone.enter", "renaissance.prone.stand")
def test_getting_down_and_up_are_quick_actions() -> None:
    session = went(duel(ANN, BOB), "drop_prone")
    assert session.scene["ann"].status.has("prone")
    assert closed(session)["move"] == ("prone", "renaissance.prone.effects")
    answer(session, "stand")
    assert not session.scene["ann"].status.has("prone")
    assert session.scene["ann"].status.spent == {"quick": 2}


@pytest.mark.rule("renaissance.prone.effects", "renaissance.brace.prepare")
def test_a_character_who_lies_is_easier_to_strike_and_harder_to_shoot_and_crawls() -> None:
    assert goal(held(duel(ANN, BOB), "bob", "prone"), "short_sword") == 60
    far = duel(fighter("Ann", BOW), BOB, 10)
    assert goal(held(far, "bob", "prone"), "long_bow") == goal(far, "long_bow") - 10
    session = went(held(duel(ANN, BOB, 15), "ann", "prone"), "crawl", "toward:bob")
    assert (at(session.scene), session.scene["ann"].status.spent) == (cell(9, 5), {"standard": 1})
    assert goal(held(duel(ANN, BOB), "ann", "prone"), "short_sword") == 50
    weaver = duel(fighter("Ann", ("halberd", "both"), powers=("weave",)), BOB, 4)
    down = held(weaver, "ann", "prone")
    assert "brace" in offered(playing(down))
    woven = went(down, "use_power::weave")  # without moving
    assert (woven.scene["ann"].status.has("weaving"), at(woven.scene)) == (True, cell(5, 5))
    assert "destination::here" not in offered(woven)
    assert "destination::here" in offered(went(weaver, "use_power::weave"))
