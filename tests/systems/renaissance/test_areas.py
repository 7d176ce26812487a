"""Blasts, splashes and explosions, where they scatter, whom they hurt; smoke, fire, cover and light."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    arm,
    closed,
    duel,
    fighter,
    goal,
    held,
    hidden,
    kinds,
    playing,
    rolls,
    scene_with,
    target_of,
    went,
    with_pack,
    with_status,
)
from tablewright.dice import TypedDice
from tablewright.engine import Choice, odds, play
from tablewright.errors import InvalidInputError
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.effects import until_turn_of
from tablewright.game.play.vitals import Damage
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.actions.aim import cover_of
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.harm import _in_smoke
from tablewright.systems.renaissance.mechanics.turn import _rounded, amount, landing, scatter
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.values import DV

ANN, BOB = fighter("Ann", ("short_sword", "main")), fighter("Bob", ("mace", "main"))
CAT, CID, DOT = fighter("Cat"), fighter("Cid"), fighter("Dot")
ARCHER, BOMBER = fighter("Ann", ("long_bow", "both")), fighter("Ann", ("grenade", "main"))


def said(scene: Scene, what: str, who: str, value: str) -> Scene:
    """The scene with something that the game master said."""
    return replace(scene, facts=scene.facts.set(what, who, value))


def harmed(session: Session) -> dict[str, int]:
    """The damage of each one who was hurt."""
    return {one.who: one.damage for one in events(session, "Hurt")}


# ---------------------------------------------------------------------- cover and light


@pytest.mark.rule("renaissance.gap.hazard.cover", "renaissance.gap.race.senses")
@pytest.mark.parametrize(
    ("fact", "value", "less"),
    [
        ("cover", "minimal", 10),
        ("cover", "partial", 30),
        ("light", "dim", 10),
        ("light", "dark", 30),
        ("light", "bright", 0),
    ],
)
def test_cover_and_darkness_count_for_blows_and_shots(fact: str, value: str, less: int) -> None:
    for fight, weapon in ((duel(ANN, BOB), "short_sword"), (duel(ARCHER, BOB, 10), "long_bow")):
        session = playing(fight)
        session.do("table.set_fact", who="bob", fact=fact, value=value)
        assert goal(session.scene, weapon) == goal(fight, weapon) - less
        if fact == "light":
            assert goal(said(fight, "light", ANYONE, value), weapon) == goal(fight, weapon) - less


@pytest.mark.rule("renaissance.gap.hazard.cover")
def test_total_cover_forbids_an_attack() -> None:
    session = playing(said(duel(ARCHER, BOB, 10), "cover", "bob", "total"))
    assert closed(session)["attack"] == ("behind total cover", "renaissance.gap.hazard.cover")
    with pytest.raises(InvalidInputError):
        session.choose("attack:bob:long_bow")


@pytest.mark.rule("renaissance.gap.race.senses")
@pytest.mark.parametrize(("race", "less"), [("human", 0), ("corpse", 30), ("frozen_horror", 30)])
def test_infrared_sees_only_what_is_warm(race: str, less: int) -> None:
    scene = duel(fighter("Ann", ("mace", "main"), race="dwarf"), fighter("Bob", race=race))
    assert goal(scene, "mace") - goal(said(scene, "light", "bob", "dark"), "mace") == less


@pytest.mark.rule("renaissance.gap.hazard.cover", "renaissance.gap.hazard.chemicals")
def test_a_character_who_stands_in_smoke_has_partial_cover_until_they_leave_it() -> None:
    thrower = fighter("Ann", ("smoke", "main"), ("long_bow", "pack"))
    scene = scene_with((thrower, 5, 5), (BOB, 10, 5), (CID, 18, 5))
    session = went(scene, "attack:bob:smoke", 20, 2)  # a radius of 2 + 3
    here = session.scene
    assert (cover_of(here, "ann", here["bob"]), cover_of(here, "ann", here["cid"])) == ("partial", "")
    assert cover_of(said(here, "cover", "bob", "total"), "ann", here["bob"]) == "total"  # the better one counts
    assert cover_of(said(here, "cover", "bob", "minimal"), "ann", here["bob"]) == "partial"
    answer(session, "end_turn", "move", "elsewhere", "destination::9,5")
    assert session.scene["bob"].status.has("covered")  # still within
    answer(session, "end_turn", "end_turn", "end_turn", "move_quickly", "elsewhere", "destination::16,5")
    assert not session.scene["bob"].status.has("covered")
    shot = duel(ARCHER, BOB, 10)
    covered = with_status(shot, "bob", lasting=here["bob"].status.lasting)
    assert goal(covered, "long_bow") == goal(shot, "long_bow") - 30
    for middle, within in (("5,5,5", True), ("4,5,5", False)):  # the edge of the smoke is still smoke
        assert _in_smoke(here, here["bob"], middle) is within


# ---------------------------------------------------------------------- blasts


@pytest.mark.rule("renaissance.area.blast", "renaissance.area.blast_no_defense", "renaissance.armor.damage")
def test_a_blast_loses_two_for_every_metre_and_nobody_defends() -> None:
    armored = fighter("Bob", ("plate", "worn"))
    session = went(
        scene_with((BOMBER, 0, 5), (armored, 10, 5), (CID, 12, 5), (DOT, 20, 5)),
        "attack:bob:grenade",
        *(20, (9, 9), 10, 10),
    )
    assert harmed(session) == {"bob": 18 - 10, "cid": 18 - 4}
    assert not session.scene["ann"].status.belongings  # gone
    thrown = last(session, "Attacked")
    assert (thrown.luck, thrown.their_luck, thrown.damage, thrown.wounds) == (0, 0, 0, 0)  # Luck is paid with the roll


@pytest.mark.rule("renaissance.attack.critical", "renaissance.area.blast", "renaissance.attack.critical_rule")
@pytest.mark.parametrize(
    ("rolled", "rule", "dice", "damage"),
    [
        (22, "roll_twice_best", (9, 8, 9, 9), 9 + 9 + 5 - 6),
        (21, "roll_twice_best", (9, 8), 9 + 8 - 6),
        (22, "ignore_armor", (9, 8), 9 + 8 + 5),
    ],
)
def test_a_critical_blast_is_a_critical_attack(rolled: int, rule: str, dice: tuple[int, ...], damage: int) -> None:
    scene = duel(BOMBER, fighter("Bob", ("mail", "worn")), 14, critical_attack=rule)
    session = went(scene, "attack:bob:grenade", rolled, dice, 0)
    assert last(session, "Attacked").result == ("critical hit" if rolled == 22 else "hit")
    assert last(session, "Hurt").damage == damage
    assert play(amount(DV(2, 5), True), TypedDice([1, 2, 3, 4])).result == 12
    assert play(amount(DV(2, 5)), TypedDice([1, 2])).result == 8


@pytest.mark.rule("renaissance.luck.ignore_penalties", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize(
    ("choice", "rolled", "hits", "left"),
    [
        ("plain", 40, False, 6),
        ("plain:ignore_penalties", 50, True, 5),
        ("plain:ignore_penalties", 51, False, 5),
        ("plain:dare", 40, True, 5),
        ("plain:dare", 41, False, 5),
        ("plain:ignore_penalties:dare", 70, True, 4),
        ("plain:ignore_penalties:dare", 71, False, 4),
    ],
)
def test_luck_is_spent_before_a_blast_is_rolled(choice: str, rolled: int, hits: bool, left: int) -> None:
    bold = fighter("Ann", ("smoke", "main"), luck=6, classes=("daredevil",))
    session = went(with_status(duel(bold, BOB, 4), "ann", wounds=3), "attack:bob:smoke")
    assert set(offered(session)) == {"plain", "plain:ignore_penalties", "plain:dare", "plain:ignore_penalties:dare"}
    answer(session, choice, rolled)
    while not rolls(session):
        answer(session, "no" if "no" in offered(session) else "keep the result")
    assert target_of(session) == 20 + 30 * ("ignore" in choice) + 20 * ("dare" in choice)
    answer(session, *((1,) if hits else (1, 1, 1)))
    assert last(session, "Attacked").result == ("hit" if hits else "scatters")
    assert session.scene["ann"].status.luck == left


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.modifier.assist")
@pytest.mark.parametrize(
    ("weapon", "rolled"), [("grenade", (20, (9, 9), 0, 0)), ("smoke", (20, 3)), ("smoke", (99, 1, 10, 1))]
)
def test_a_character_who_is_in_a_blast_is_aware_and_help_is_used_up(weapon: str, rolled: tuple[Any, ...]) -> None:
    scene = scene_with((fighter("Ann", (weapon, "main")), 5, 5), (BOB, 19, 5), (CAT, 20, 5))
    scene = held(held(held(scene, "bob", "unaware"), "cat", "unaware"), "ann", "assisted", degree=10)
    session = went(hidden(scene, "ann"), f"attack:bob:{weapon}", *rolled)
    missed = rolled[0] == 99  # ten metres north of them
    assert not session.scene["bob"].status.has("unaware")
    assert session.scene["cat"].status.has("unaware") is missed
    assert not session.scene["ann"].status.has("assisted")
    assert not session.scene["ann"].hidden


def blasted(rule: str, *rolled: Any, vulnerable: bool) -> dict[str, int]:
    """The damage of a grenade to Bob, who is vulnerable to fire or resists it, and to Cid."""
    word = "true" if vulnerable else "false"
    kind = (
        "races:\n  - {id: kindling, name: Kindling, playable: false, DUR: 30, STR: 30,"
        f" movement: {{foot: {{base: 4, full: 12}}}}, grants: [{{grant: resists, tag: fire, vulnerable: {word}}}]}}\n"
    )
    people = (BOMBER, 0, 5), (fighter("Bob"), 10, 5), (CID, 10, 6)
    scene = with_pack(scene_with(*people, resistance_rule=rule), kind)
    bob = scene["bob"]
    scene = scene.with_participant(replace(bob, character=bob.character.changed(race="kindling")))
    return harmed(went(scene, "attack:bob:grenade", *rolled))


@pytest.mark.rule("renaissance.resistance.option_4", "renaissance.area.blast")
@pytest.mark.parametrize(("vulnerable", "damage"), [(True, 12), (False, 8)])
def test_a_character_who_resists_a_blast_takes_the_lowest_of_two_rolls(vulnerable: bool, damage: int) -> None:
    again = (6, 6) if vulnerable else (4, 4)
    assert blasted("reroll_damage", 20, (5, 5), again, 0, 0, vulnerable=vulnerable) == {"bob": damage, "cid": 10 - 2}


@pytest.mark.rule("renaissance.resistance.option_3", "renaissance.area.blast")
def test_the_check_of_a_blast_is_regraded_for_each_target() -> None:
    assert blasted("regrade", 20, (5, 5), 0, 0, vulnerable=True) == {"bob": 10 + 5, "cid": 10 - 2}
    lowered = blasted("regrade", 31, (5, 5), 0, 0, vulnerable=False)
    assert lowered == {"bob": 10 + 5, "cid": 10 + 5 - 2}  # the margin alone brings the bonus


# ---------------------------------------------------------------------- scattering


@pytest.mark.rule("renaissance.ranged.scatter_when", "renaissance.ranged.scatter")
def test_a_blast_that_misses_scatters() -> None:
    scene = scene_with((BOMBER, 5, 5), (BOB, 10, 5), (CID, 10, 9))
    session = went(scene, "attack:bob:grenade", 99, 5, 4, (6, 6), 10)  # south, 4 m: onto Cid
    assert harmed(session) == {"bob": 12 - 8, "cid": 12}
    bow = went(duel(ARCHER, BOB, 10), "attack:bob:long_bow", "plain", 99)
    assert last(bow, "Attacked").result == "miss"  # an arrow is not tracked


@pytest.mark.rule("renaissance.ranged.scatter", "renaissance.ranged.scatter_method")
def test_eight_directions_and_ten_metres() -> None:
    assert [landing(4, metres).east for metres in range(1, 11)] == [1, 1, 2, 3, 4, 4, 5, 6, 6, 7]
    assert play(scatter(), TypedDice([9, 10, 3, 5])).result == (5, 0)
    assert odds(scatter()).expected(lambda land: int(land.south < 0 and land.east == 0)) == Fraction(1, 8)
    for shown, lands in (
        ((90, 4), (4, 0)),
        ((45, 10), (7, -7)),
        ((0, 4), (0, -4)),
        ((359, 10), (0, -10)),
        ((360, 4), (0, -4)),
    ):
        assert play(scatter("drop_die"), TypedDice(list(shown))).result == lands
    with pytest.raises(InvalidInputError):
        play(scatter("drop_die"), TypedDice([361, 4]))
    rounded = {0: 0, 499: 0, 500: 1, 1_499: 1, 1_500: 2, -499: 0, -500: -1, -1_499: -1, -1_500: -2}
    assert {one: _rounded(one) for one in rounded} == rounded  # half a square away from the centre


# ---------------------------------------------------------------------- splashes and what burns


@pytest.mark.rule("renaissance.area.splash", "renaissance.gap.hazard.chemicals")
def test_a_splash_covers_its_radius_and_does_no_damage_itself() -> None:
    scene = scene_with((fighter("Ann", ("scour", "main")), 5, 5), (BOB, 10, 5), (CID, 12, 5), (DOT, 20, 5))
    session = went(scene, "attack:bob:scour", 20, 4)  # 4 / 2 = 2 m
    assert [session.scene[who].status.has("burning") for who in ("bob", "cid", "dot")] == [True, True, False]
    assert session.scene["bob"].status.damage == 0
    answer(session, "end_turn", (3, 4), 10)
    assert session.scene["bob"].status.damage == 7  # 2d10 at the start of the own turn


@pytest.mark.rule("renaissance.area.splash", "renaissance.gap.hazard.chemicals")
def test_a_splash_burns_for_the_turns_of_its_entry() -> None:
    goo = (
        "weapons:\n  - {id: goo, name: Goo, hands: 1, price: minor, used_up: true, tags: [one_handed, splash, fire],"
        " area: {radius: '1', dv: '1', turns: 2}, attacks: [{skill: thrown_weapons, dv: '0', ranges: [5, 15]}]}\n"
    )
    session = went(with_pack(duel(fighter("Ann", ("goo", "main")), BOB, 5), goo), "attack:bob:goo", 20)
    for _ in range(3):  # it burns at the start of one turn of Bob's and is out before the next one
        answer(session, "end_turn")
        assert session.scene["bob"].status.damage == 1
        answer(session, "end_turn")


@pytest.mark.rule("renaissance.gap.hazard.chemicals", "renaissance.gap.hazard.fire")
def test_a_cocktail_sets_fire_even_to_the_disabled_for_two_hundred_turns() -> None:
    scene = scene_with((fighter("Ann", ("cocktail", "main")), 5, 5), (fighter("Bob"), 10, 5), (CID, 30, 5))
    session = went(with_status(scene, "bob", damage=28), "attack:bob:cocktail", 20, 8)  # no one asks whether he stands
    status = session.scene["bob"].status
    assert (status.damage >= 30, status.dead) == (True, False)
    assert status.held("burning").until == until_turn_of(session.scene, "bob", 200)


@pytest.mark.rule("renaissance.area.blast", "renaissance.gap.hazard.fire", "renaissance.gap.creature.attacks")
def test_harm_of_blasts_and_flames_is_the_thrower_s() -> None:
    scene = duel(fighter("Ann", ("cocktail", "main")), fighter("Bob"), 5)
    session = went(scene, "attack:bob:cocktail", 20, 8, 50)
    (hurt,) = events(session, "Hurt")
    assert (hurt.who, hurt.by, hurt.doer) == ("bob", "cocktail", "ann")
    assert session.scene["bob"].status.held("burning").by == "ann"
    answer(session, "end_turn", 4)
    assert [one.doer for one in events(session, "Hurt")] == ["ann", "ann"]
    assert rulebook.vitals is not None
    after = scene.with_status("bob", damage=hurt.damage)
    assert [*rulebook.vitals.damage_from(scene, hurt, after)] == [Damage("bob", hurt.damage, "ann", "cocktail")]


@pytest.mark.rule("renaissance.gap.hazard.chemicals", "renaissance.gap.hazard.fire")
@pytest.mark.parametrize(
    ("source", "name", "way", "prone"),
    [("scour", "scour", "Wash it off", False), ("tar", "fire", "Put out the flames", True)],
)
def test_an_acid_is_washed_off_and_a_fire_rolled_out(source: str, name: str, way: str, prone: bool) -> None:
    scene = held(duel(ANN, BOB, 4), "ann", "burning", source=source, data="1d10")
    session = went(replace(scene, turn=None), 4)
    hurt = last(session, "Hurt")
    assert (hurt.who, hurt.damage, hurt.by) == ("ann", 4, name)
    assert isinstance(session.question, Choice)
    assert way in [option.label for option in session.question.options if option.id == "put_out"]
    answer(session, "put_out")
    assert not session.scene["ann"].status.has("burning")
    assert session.scene["ann"].status.has("prone") is prone


@pytest.mark.rule("renaissance.core.stacking", "renaissance.gap.hazard.fire")
def test_acid_eats_while_flames_burn() -> None:
    scene = held(duel(ANN, BOB, 5), "bob", "burning", source="scour", data="2d10", by="ann")
    session = went(held(scene, "bob", "burning", source="cocktail", data="1d10+2", by="ann"), "end_turn", (1, 2), 3)
    assert [(one.by, one.damage) for one in events(session, "Hurt")] == [("scour", 3), ("fire", 5)]
    assert session.scene["bob"].status.damage == 8


@pytest.mark.rule("renaissance.resistance.rule_option", "renaissance.gap.hazard.fire")
def test_resistance_counts_for_what_burns(monkeypatch: pytest.MonkeyPatch) -> None:
    for source, damage in (("", 2), ("scour", 5)):
        scene = held(duel(ANN, BOB, 4), "ann", "burning", source=source, data="1d10")
        monkeypatch.setitem(now(scene, "ann").numbers.resists, "fire", 1)
        assert last(went(replace(scene, turn=None), 5), "Hurt").damage == damage


# ---------------------------------------------------------------------- balls of fire


def mage(*more: str) -> Any:
    """A character who knows how to make fire."""
    return fighter("Ann", powers=("fireball", *more))


def explode(scene: Scene, *rolled: Any) -> Session:
    """The scene after a ball of fire has exploded in the hand of its maker."""
    return went(scene, "use_power::fireball", "explode::ball_of_fire", *rolled)


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.power.definition")
def test_a_fireball_is_held_and_thrown() -> None:
    session = went(duel(mage(), BOB, 5), "use_power::fireball")
    assert session.scene["ann"].status.spent == {"quick": 1}
    ball = arm(session.scene, "ann", "ball_of_fire")
    assert (ball.dv.dice, ball.dv.plus, ball.ap) == (2, 0, 0)
    answer(session, "attack:bob:ball_of_fire", "plain", 20, 99, (3, 4), 10)
    assert last(session, "Attacked").damage == 7
    assert session.scene["ann"].status.belongings == ()  # gone


@pytest.mark.rule("renaissance.gap.power.list")
def test_a_ball_of_fire_burns_in_the_hand_and_for_five_turns_after_it_has_left_it() -> None:
    session = went(duel(mage(), BOB, 4), "use_power::fireball")
    for _ in range(8):
        answer(session, "end_turn", "end_turn")
    assert [one.item for one in session.scene["ann"].status.belongings] == ["ball_of_fire"]
    answer(session, "stow::ball_of_fire@main")  # dismissed at will
    assert not session.scene["ann"].status.belongings
    assert not session.scene.loose_items
    session = went(duel(mage(), BOB, 4), "use_power::fireball", "attack:bob:ball_of_fire", "plain", 99)
    assert [(one.item, str(one.position)) for one in session.scene.loose_items] == [("ball_of_fire", "9,5")]
    for _ in range(4):
        answer(session, "end_turn", "end_turn")
    assert session.scene.loose_items  # four turns
    answer(session, "end_turn", "end_turn")
    assert not session.scene.loose_items
    assert "goes out" in last(session, "BelongingsChanged").what


@pytest.mark.rule("renaissance.gap.power.list")
def test_only_its_maker_can_take_a_ball_of_fire_up_again() -> None:
    session = went(duel(mage(), BOB), "use_power::fireball", "drop_item::ball_of_fire@main")
    assert "pick_up::ball_of_fire" in offered(session)
    answer(session, "end_turn")
    assert "pick_up::ball_of_fire" not in offered(session)
    answer(session, "end_turn", "pick_up::ball_of_fire")
    assert not session.scene.loose_items
    assert rulebook.export_character(session.scene, "ann").belongings == ()  # no one carries fire home


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.maneuver.disarm")
def test_a_ball_of_fire_that_is_struck_from_the_hand_goes_out() -> None:
    maker = fighter("Bob", ("ball_of_fire", "main"), race="human", powers=("fireball",), skills={"spellcraft": 40})
    session = went(duel(ANN, maker), "maneuver:bob:disarm/ball_of_fire", 40, 99)
    assert last(session, "HandsChanged").what == "drops ball of fire"
    assert session.scene.clock.left("gutters", who="bob") == 15


@pytest.mark.rule("renaissance.power.guidelines", "renaissance.gap.power.list", "renaissance.area.blast")
@pytest.mark.parametrize(
    ("rolled", "damage"),
    [((99,), {}), ((20, 21), {}), ((20, 19, 10), {"bob": 8}), ((40, 99, 10), {"bob": 8 + 5})],
    ids=["missed", "avoided", "hit", "hit exceptionally"],
)
def test_everyone_in_an_explosion_but_its_maker_opposes_one_check(
    rolled: tuple[int, ...], damage: dict[str, int]
) -> None:
    session = explode(duel(mage("exploding_fireball"), BOB), (5, 5), *rolled)
    assert harmed(session) == damage
    assert [one.what for one in events(session, "Contested")] == ["explosion"]


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.power.guidelines")
def test_an_unaware_character_gets_clear_of_no_explosion() -> None:
    session = explode(held(duel(mage("exploding_fireball"), BOB), "bob", "unaware"), (5, 5), 20, 10)
    assert harmed(session) == {"bob": 8}  # without a roll of Bob's


@pytest.mark.rule("renaissance.gap.power.list")
def test_intense_fire_pierces_armor_in_a_blast() -> None:
    scene = duel(mage("exploding_fireball", "intense_fire"), fighter("Bob", ("plate", "worn")))
    ball = arm(went(scene, "use_power::fireball").scene, "ann", "ball_of_fire")
    assert (ball.dv.dice, ball.dv.plus, ball.ap) == (3, 0, 1)
    assert harmed(explode(scene, (9, 9, 4), 20, 99, 10)) == {"bob": 22 - 2 - (10 - 1)}


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.area.blast")
def test_a_ball_that_was_thrown_may_explode_where_it_lies() -> None:
    scene = scene_with((mage("exploding_fireball"), 5, 5), (BOB, 10, 5), (CID, 11, 5))
    missed = ("use_power::fireball", "attack:bob:ball_of_fire", "plain", 99)
    # The maker's check against Bob, who fails to get clear of the blast; and against Cid, who does.
    session = went(scene, *missed, "explode::ball_of_fire@ground", (6, 6), 20, 99, 10, 20, 21)
    assert harmed(session) == {"bob": 12}
    assert not session.scene.loose_items
    assert not [one for one in offered(went(duel(mage(), BOB, 5), *missed)) if one.startswith("explode")]


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.area.blast_no_defense", "renaissance.ranged.scatter_when")
def test_an_exploding_ball_is_thrown_as_a_blast() -> None:
    maker = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    scene = scene_with((maker, 5, 5), (BOB, 8, 5), (CID, 9, 5))
    session = playing(scene)
    assert {"attack:bob:ball_of_fire", "attack:bob:ball_of_fire~explodes"} <= set(offered(session))
    answer(session, "attack:bob:ball_of_fire~explodes", 20, (6, 6), 10, 10)  # no one defends
    assert harmed(session) == {"bob": 12, "cid": 10}
    assert {one.doer for one in events(session, "Hurt")} == {"ann"}
    assert not session.scene.loose_items
    assert not session.scene["ann"].status.belongings
    # Three squares west: at its maker's feet.
    assert "ann" not in harmed(went(scene, "attack:bob:ball_of_fire~explodes", 95, 7, 3, (6, 6)))
    plain = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball",))
    assert "attack:bob:ball_of_fire~explodes" not in offered(playing(duel(plain, BOB, 3)))


# ---------------------------------------------------------------------- several targets of one blow

CLEAVE = (
    "powers:\n  - {id: cleave, name: Cleave, kinds: [maneuver], action: standard,"
    " effects: [{effect: sweep, targets: 2}]}\n"
)
CLEAVER = fighter("Ann", ("short_sword", "main"), powers=("cleave",))


@pytest.mark.rule("renaissance.multi.targets_scope", "renaissance.multi.targets")
@pytest.mark.parametrize(("scope", "less"), [("multiple_attacks_only", 0), ("general", 10)])
def test_a_blow_at_several_targets(scope: Any, less: int) -> None:
    people = (CLEAVER, 5, 5), (BOB, 6, 5), (CID, 5, 6), (DOT, 4, 4)
    scene = with_pack(scene_with(*people, multiple_target_scope=scope), CLEAVE)
    aimed = now(scene, "ann").skill("bladed_weapons").total - less
    session = went(scene, "use_power::cleave", "plain", aimed, 99, (2, 2), 10)
    answer(session, "plain", aimed + 1)  # just misses
    struck = [(one.who, one.result.endswith("hit")) for one in events(session, "Attacked")]
    assert struck == [("bob", True), ("cid", False)]
    assert session.scene["ann"].status.turn.volley_of == 0
    assert kinds(session).count("Volley") == 1  # a third is beyond its reach of two
    alone = with_pack(duel(CLEAVER, BOB, multiple_target_scope=scope), CLEAVE)
    missed = went(alone, "use_power::cleave", "plain", aimed + less, 99)
    assert missed.question is not None  # one target alone: no penalty, a hit
    far = playing(with_pack(duel(CLEAVER, BOB, 11), CLEAVE))
    assert closed(far)["use_power"][0] == "nobody is in reach of a melee weapon"
