"""Several weapons and targets, maneuvers, touching and pointing, cover, being stunned, fire and stress in a fight."""

from __future__ import annotations

import pytest

from systems.renaissance.fights import (
    FIELD,
    answer,
    defended,
    events,
    fighter,
    goal,
    held,
    last,
    offered,
    playing,
    scene_with,
    went,
)
from tablewright.game.ground import cell
from tablewright.game.lasting import degree
from tablewright.systems.renaissance.aiming import (
    near_defences,
    near_goal,
)
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Turn

SWORD, BOW = (("short_sword", "main"),), (("long_bow", "both"),)
ANN = fighter("Ann", *SWORD)
BOB = fighter("Bob", ("mace", "main"))
PIKE = fighter("Pike", ("halberd", "both"))


# ---------------------------------------------------------------------- several weapons


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand")
def test_two_weapons_in_one_action() -> None:
    two = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
    session = went(scene_with((two, 5, 5), (BOB, 6, 5)), "attack_with_all:bob")
    assert goal(session.scene, "short_sword") == 40
    assert goal(session.scene, "dagger@off") == 30
    answer(session, "plain", 99, "next_attack:bob:dagger@off", "plain", 99)
    assert [one.weapon for one in events(session, "Attacked")] == ["short_sword", "dagger"]
    assert session.scene["ann"].status.spent == {"standard": 1}


@pytest.mark.rule("renaissance.multi.targets")
def test_several_targets_of_several_weapons() -> None:
    two = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
    scene = scene_with((two, 5, 5), (BOB, 6, 5), (fighter("Cid"), 4, 5))
    session = went(scene, "attack_with_all::spread")
    assert goal(session.scene, "short_sword") == 30
    answer(session, "next_attack:bob:short_sword", "plain", 99)
    assert "next_attack:bob:dagger@off" not in offered(session)
    assert "next_attack:cid:dagger@off" in offered(session)
    answer(session, "next_attack:cid:dagger@off", "plain", 99)
    assert session.scene["ann"].status.turn == Turn()


# ---------------------------------------------------------------------- maneuvers


@pytest.mark.rule("renaissance.maneuver.procedure", "renaissance.maneuver.check_option", "renaissance.maneuver.trip")
def test_tripping_is_an_opposed_check_or_an_ordered_one() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    session = went(scene, "maneuver:bob:trip", 30, 20)
    assert session.scene["bob"].status.has("prone")
    again = went(scene, "maneuver:bob:trip", 60, 70, 30, 20)  # both fail: again
    assert again.scene["bob"].status.has("prone")
    ordered = went(scene_with((ANN, 5, 5), (BOB, 6, 5), maneuver_check="ordered"), "maneuver:bob:trip", 60)
    assert not ordered.scene["bob"].status.has("prone")
    assert last(ordered, "Contested").result == "lost"


@pytest.mark.rule("renaissance.maneuver.disarm")
def test_disarming_lets_an_item_drop() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "maneuver:bob:disarm/mace", 30, 20)
    assert session.scene["bob"].status.belongings == ()
    assert [one.item for one in session.scene.lying] == ["mace"]


@pytest.mark.rule("renaissance.maneuver.feint")
def test_feints_stack_until_the_target_s_turn() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "maneuver:bob:feint", 30, 45, "maneuver:bob:feint", 30, 45)
    assert degree(session.scene["bob"].status.lasting, "feinted") == -40
    assert defended(session.scene, "short_sword")["fray"] == 10
    assert session.scene["ann"].status.spent == {"quick": 2}
    answer(session, "end_turn")
    assert defended(session.scene, "short_sword")["fray"] == 50


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.maneuver.grab_escape", "renaissance.gap.state.grabbed")
def test_who_is_grabbed_can_only_break_free() -> None:
    session = went(scene_with((fighter("Ann"), 5, 5), (fighter("Bob"), 6, 5)), "maneuver:bob:grab", 30, 20, "end_turn")
    assert session.scene["bob"].status.has("grabbed")
    assert {one.partition(":")[0] for one in offered(session)} == {"escape", "end_turn"}
    assert defended(session.scene, "unarmed")["fray"] == 50  # may still defend
    answer(session, "escape", 30, 20)
    assert not session.scene["bob"].status.has("grabbed")
    let = went(scene_with((fighter("Ann"), 5, 5), (fighter("Bob"), 6, 5)), "maneuver:bob:grab", 30, 20, "let_go:bob")
    assert not let.scene["bob"].status.has("grabbed")


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.grab.rule_option")
@pytest.mark.parametrize(("rolled", "grabbed"), [(31, True), (30, False)])
def test_the_other_grab_rule_compares_the_margin_with_strength(rolled: int, grabbed: bool) -> None:
    scene = scene_with((fighter("Ann"), 5, 5), (fighter("Bob"), 6, 5), grab_rule="mos_over_str")
    session = went(scene, "maneuver:bob:grab", rolled, 99, 1)
    if session.question is not None and not hasattr(session.question, "options"):
        answer(session, 10)
    assert session.scene["bob"].status.has("grabbed") is grabbed
    assert (session.scene["bob"].status.damage == 0) is grabbed


def test_field_is_the_book_s_grid() -> None:
    assert FIELD.distance(cell(0, 0), cell(2, 2)) == 3


@pytest.mark.rule("renaissance.touch.attack", "renaissance.touch.rule_option")
@pytest.mark.parametrize(("how", "target", "defence"), [("plus20", 80, 30), ("plus_coo", 70, 20)])
def test_a_touch_is_easier_than_a_blow(how: str, target: int, defence: int) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", ("short_sword", "main")), 6, 5), touch_attack_rule=how)
    found = near_goal(scene, "ann", "bob", touch=True)
    assert found.total == target  # COO+REF+SOM = 60 + 20, or Unarmed 50 + COO 20
    assert max(one.target for one in near_defences(scene, "ann", "bob", touch=True)) == defence
    session = went(scene, 30, 31, process="renaissance.touch", who="ann", target="bob")
    assert last(session, "Contested").result == ("won" if defence < 31 else "lost")


@pytest.mark.rule("renaissance.indicate.attack", "renaissance.indicate.rule_option")
@pytest.mark.parametrize(("how", "target", "defence"), [("plus20", 80, 30), ("plus_coo", 70, 20)])
def test_pointing_is_easier_than_shooting(how: str, target: int, defence: int) -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 15, 5), indicate_attack_rule=how)
    found = near_goal(scene, "ann", "bob", touch=False)
    assert found.total == target
    assert [one.target for one in near_defences(scene, "ann", "bob", touch=False)] == [defence]
    session = went(scene, target + 1, process="renaissance.indicate", who="ann", target="bob")
    assert last(session, "Contested").result == "lost"


@pytest.mark.rule("renaissance.gap.hazard.cover", "renaissance.gap.race.senses")
@pytest.mark.parametrize(
    ("fact", "value", "less"),
    [("cover", "minimal", 10), ("cover", "partial", 30), ("light", "dim", 10), ("light", "dark", 30)],
)
def test_cover_and_darkness_count_for_attacks(fact: str, value: str, less: int) -> None:
    session = playing(scene_with((ANN, 5, 5), (BOB, 6, 5)))
    session.do("table.set_fact", who="bob", fact=fact, value=value)
    assert goal(session.scene, "short_sword") == 50 - less


@pytest.mark.rule("renaissance.gap.state.stunned")
def test_who_is_stunned_loses_the_next_turn_but_defends() -> None:
    scene = scene_with((BOB, 5, 5), (ANN, 6, 5))
    session = playing(scene)
    session.do("renaissance.inflict", who="ann", condition="stunned")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 50
    answer(session, "end_turn")
    assert session.seat == "bob"
    assert session.scene.round == 2
    assert not session.scene["ann"].status.has("stunned")


@pytest.mark.rule("renaissance.gap.state.grid")
def test_nobody_walks_through_standing_foes_but_over_the_fallen() -> None:
    wall = [(fighter(f"W{y}"), 7, y) for y in range(20)]
    standing = went(scene_with((ANN, 5, 5), *wall), "move", "elsewhere")
    assert "destination::8,5" not in offered(standing)
    fallen = went(held(scene_with((ANN, 5, 5), *wall), "w5", "prone"), "move", "elsewhere")
    assert "destination::8,5" in offered(fallen)


@pytest.mark.rule("renaissance.gap.hazard.fire")
def test_fire_burns_until_it_is_put_out() -> None:
    session = playing(scene_with((BOB, 5, 5), (ANN, 6, 5)))
    session.do("renaissance.inflict", who="ann", condition="burning")
    answer(session, "end_turn", 4)
    assert session.scene["ann"].status.damage == 4
    answer(session, "put_out")
    assert session.scene["ann"].status.has("prone")
    assert not session.scene["ann"].status.has("burning")


@pytest.mark.rule("renaissance.gap.stress.sources")
@pytest.mark.parametrize(
    ("source", "target", "faces"),
    [("torture", 40, 2), ("loss", 60, 1), ("failed_motivation", 60, 1), ("manifestation", 60, 0)],
)
def test_every_source_of_stress_has_its_value(source: str, target: int, faces: int) -> None:
    human = fighter("Bob", race="human")
    scene = scene_with((ANN, 5, 5), (human, 6, 5))
    session = went(scene, target + 1, 1, process="renaissance.stress", who="bob", source=source)
    assert session.scene["bob"].status.stress == 1 + faces
    resisted = went(scene, target, process="renaissance.stress", who="bob", source=source)
    if source == "manifestation":
        answer(resisted, 9)
    assert resisted.scene["bob"].status.stress == (4 if source == "manifestation" else 0)


# ---------------------------------------------------------------------- reach and hands


@pytest.mark.rule("renaissance.gap.weapon.list", "renaissance.grid.squares")
@pytest.mark.parametrize(
    ("weapon", "place", "reach"), [("halberd", "both", 2), ("spear", "both", 2), ("mace", "main", 1)]
)
def test_some_weapons_reach_a_square_further(weapon: str, place: str, reach: int) -> None:
    ann = fighter("Ann", (weapon, place))
    for apart in (1, 2, 3):
        ways = offered(playing(scene_with((ann, 5, 5), (BOB, 5 + apart, 5))))
        assert (f"attack:bob:{weapon}" in ways) is (apart <= reach)


@pytest.mark.rule("renaissance.gap.armor.list", "renaissance.gap.weapon.hands")
@pytest.mark.parametrize(
    ("held", "hands"),
    [
        ((), 0),
        ((("mace", "main"),), 1),
        ((("halberd", "both"),), 2),
        ((("mace", "main"), ("small_shield", "off")), 2),
        ((("small_shield", "off"), ("mace", "pack")), 1),
    ],
)
def test_how_many_hands_are_full(held: tuple[tuple[str, str], ...], hands: int) -> None:
    scene = scene_with((fighter("Ann", *held), 5, 5), (BOB, 6, 5))
    assert now(scene, "ann").numbers.worn.hands == hands
