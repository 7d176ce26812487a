"""Several weapons and targets, maneuvers, touching and pointing, cover, being stunned, fire and stress in a fight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import FIELD, defended, fighter, goal, held, playing, scene_with, went, with_status
from tablewright.dice import TypedDice
from tablewright.engine import Choice, Trace, odds, play
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.position import cell
from tablewright.game.play.effects import total_strength
from tablewright.systems.renaissance.actions.attack import worth_of
from tablewright.systems.renaissance.actions.near import near_defences, near_goal
from tablewright.systems.renaissance.chapters.magic import step_goal
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Turn
from tablewright.systems.renaissance.values import DV

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
    assert [one.item for one in session.scene.loose_items] == ["mace"]


@pytest.mark.rule("renaissance.maneuver.feint")
def test_feints_stack_until_the_target_s_turn() -> None:
    session = went(scene_with((ANN, 5, 5), (BOB, 6, 5)), "maneuver:bob:feint", 30, 45, "maneuver:bob:feint", 30, 45)
    assert total_strength(session.scene["bob"].status.lasting, "feinted") == -40
    assert defended(session.scene, "short_sword")["fray"] == 10
    assert session.scene["ann"].status.spent == {"quick": 2}
    answer(session, "end_turn")
    assert defended(session.scene, "short_sword")["fray"] == 50


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.maneuver.grab_escape", "renaissance.gap.state.grabbed")
def test_a_grabbed_character_can_only_break_free() -> None:
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
    session = went(scene, "maneuver:bob:grab", rolled, 99, *(() if grabbed else (1,)))
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
def test_a_stunned_character_loses_the_next_turn_but_defends() -> None:
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
def test_occupied_hands(held: tuple[tuple[str, str], ...], hands: int) -> None:
    scene = scene_with((fighter("Ann", *held), 5, 5), (BOB, 6, 5))
    assert now(scene, "ann").numbers.worn.hands == hands


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.size.combat")
@pytest.mark.parametrize(("race", "more"), [("kobold", 10), ("human", 0), ("black_bear", -10)])
def test_size_counts_for_the_other_grab_rule_as_for_the_first(race: str, more: int) -> None:
    scene = scene_with((fighter("Ann"), 5, 5), (fighter("Bob", race=race), 6, 5), grab_rule="mos_over_str")
    session = went(held(scene, "bob", "unaware"), "maneuver:bob:grab", 99)
    told = next(line for line in session.log if isinstance(line, Trace))
    aimed = 50 + more - (10 if now(scene, "bob").armed else 0)
    assert (told.tallies["target"].total, told.call.named_arguments()["target"]) == (aimed, aimed)


@pytest.mark.rule("renaissance.grab.mos_over_str")
def test_a_character_who_is_grabbed_instead_is_not_hurt_at_all() -> None:
    ann = fighter("Ann", luck=2)
    scene = with_status(scene_with((ann, 5, 5), (fighter("Bob"), 6, 5), grab_rule="mos_over_str"), "bob", damage=29)
    session = went(with_status(scene, "ann", wounds=2), "maneuver:bob:grab", "plain:ignore_penalties", 41, 99)
    answer(session, "keep the result")
    struck = last(session, "Attacked")
    assert (struck.result, struck.damage, struck.felled) == ("hit", 0, False)
    assert (session.scene["bob"].status.has("grabbed"), session.scene["bob"].status.damage) == (True, 29)
    assert session.scene["ann"].status.luck == 1
    call = attack(60, DV(1, 5), holds=30, ignoring=False)
    assert worth_of(call) == odds(call, "worth").expected(call.mechanic.objective("worth")[1])
    assert [play(call, TypedDice([rolled])).result.holds for rolled in (31, 60)] == [True, True]
    assert play(call, TypedDice([30, 1])).result.damage == 6


# ---------------------------------------------------------------------- smaller things


@pytest.mark.rule("renaissance.prone.effects", "renaissance.brace.prepare")
def test_a_character_who_lies_may_brace_and_weave_without_moving() -> None:
    scene = held(
        scene_with((fighter("Ann", ("halberd", "both"), powers=("weave",)), 5, 5), (BOB, 9, 5)), "ann", "prone"
    )
    assert "brace" in offered(playing(scene))
    woven = went(scene, "use_power::weave")
    assert woven.scene["ann"].status.has("weaving")
    assert woven.scene["ann"].position == cell(5, 5)
    assert "destination::here" not in offered(woven)
    assert "destination::here" in offered(went(scene.with_status("ann", lasting=()), "use_power::weave"))


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.brace.attack")
@pytest.mark.parametrize("grabbed", [True, False])
def test_a_held_character_meets_no_charge(grabbed: bool) -> None:
    pike = fighter("Bob", ("halberd", "both"))
    scene = held(scene_with((ANN, 2, 5), (pike, 12, 5), (fighter("Cat"), 13, 5)), "bob", "braced")
    if grabbed:
        scene = held(scene, "bob", "grabbed", by="cat")
    session = went(scene, "charge", "toward:bob")
    assert ("meet_charge:ann" in offered(session)) is not grabbed


@pytest.mark.rule("renaissance.gap.hazard.chemicals", "renaissance.gap.hazard.fire")
@pytest.mark.parametrize(
    ("source", "name", "way", "prone"),
    [("scour", "scour", "Wash it off", False), ("tar", "fire", "Put out the flames", True)],
)
def test_an_acid_is_washed_off_and_a_fire_rolled_out(source: str, name: str, way: str, prone: bool) -> None:
    scene = held(scene_with((ANN, 5, 5), (BOB, 9, 5)), "ann", "burning", source=source, data="1d10")
    session = went(replace(scene, turn=None), 4)
    hurt = last(session, "Hurt")
    assert (hurt.who, hurt.damage, hurt.by) == ("ann", 4, name)
    assert isinstance(session.question, Choice)
    assert way in [option.label for option in session.question.options if option.id == "put_out"]
    answer(session, "put_out")
    assert not session.scene["ann"].status.has("burning")
    assert session.scene["ann"].status.has("prone") is prone


@pytest.mark.rule("renaissance.resistance.rule_option", "renaissance.gap.hazard.fire")
def test_resistance_counts_for_what_burns(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = held(scene_with((ANN, 5, 5), (BOB, 9, 5)), "ann", "burning", data="1d10")
    monkeypatch.setitem(now(scene, "ann").numbers.resists, "fire", 1)
    assert last(went(replace(scene, turn=None), 5), "Hurt").damage == 2
    acid = held(scene_with((ANN, 5, 5), (BOB, 9, 5)), "ann", "burning", source="scour", data="1d10")
    assert last(went(replace(acid, turn=None), 5), "Hurt").damage == 5


@pytest.mark.rule("renaissance.chemical.weapon_poison", "renaissance.ranged.rules")
def test_poison_and_throws_go_by_the_hand() -> None:
    ann = fighter("Ann", ("dagger", "main"), ("dagger", "off"))
    scene = held(scene_with((ann, 5, 5), (fighter("Bob", race="human"), 6, 5)), "bob", "unaware")
    scene = with_status(scene, "ann", coated=(("dagger@off", "blade_venom"),))
    main = went(scene, "attack:bob:dagger", "plain", 20, 9, 0)
    assert (last(main, "Attacked").poisoned, main.scene["ann"].status.coated) == ("", (("dagger@off", "blade_venom"),))
    off = went(scene, "attack:bob:dagger@off", "plain", 20, 9, 0)
    assert (last(off, "Attacked").poisoned, off.scene["ann"].status.coated) == ("blade_venom", ())
    thrown = went(scene, "attack:bob:dagger@off~thrown_weapons", "plain", 99)
    assert [one.place for one in thrown.scene["ann"].status.belongings] == ["main"]
    assert thrown.scene["ann"].status.coated == (("dagger@ground", "blade_venom"),)  # it went with the blade
    single = with_status(scene, "ann", belongings=(ItemStack("dagger", 1, "main"),))
    assert last(went(single, "attack:bob:dagger", "plain", 20, 9, 0), "Attacked").poisoned == "blade_venom"


@pytest.mark.rule("renaissance.magic.priest_design", "renaissance.magic.priest_perform")
@pytest.mark.parametrize("profession", ["priest", "cleric", "monk", "shaman"])
def test_a_comparable_profession_serves_for_rituals(profession: str) -> None:
    scene = scene_with((fighter("Ann", skills={f"profession:{profession}": 50}), 5, 5), (BOB, 6, 5))
    kind = scene.library.get("traditions", "priest")
    for step in kind.steps[1:3]:
        assert step_goal(scene, "ann", step)[0] == f"profession:{profession}"
