"""Own packs: strikes, conditions, powers, diseases and races do what their entries say."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import (
    arm,
    at_home,
    closed,
    defended,
    duel,
    fighter,
    goal,
    held,
    playing,
    target_of,
    then,
    went,
    with_pack,
)
from systems.renaissance.folk import creature, library, library_with
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.aim import aim, strikes_for
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import numbers
from tablewright.systems.renaissance.creation import _follower_points
from tablewright.systems.renaissance.mechanics.harm import PRECISE, Strike
from tablewright.systems.renaissance.now import now, vulnerability_of
from tablewright.systems.renaissance.options import RenaissanceOptions

ANN = fighter("Ann", ("short_sword", "main"))
BOB = fighter("Bob", ("mace", "main"))


# ---------------------------------------------------------------------- ways to move


@pytest.mark.rule("renaissance.movement.move", "renaissance.movement.move_quickly")
def test_a_race_without_feet_neither_walks_nor_runs() -> None:
    fish = "races:\n  - {id: fish, name: Fish, DUR: 10, STR: 10, movement: {swim: {base: 3, full: 9}}}\n"
    swimmer = numbers(creature(race="fish"), library_with(fish), (), ())
    assert (swimmer.base, swimmer.full) == (0, 0)
    assert (swimmer.movement["swim"].base, swimmer.movement["swim"].full) == (3, 9)


# ---------------------------------------------------------------------- strikes

HEW = "strikes:\n  - {id: hew, name: Hew, penalty: -30, melee_only: true, precision: true, result: maim}\n"


@pytest.mark.rule("renaissance.strike.procedure", "renaissance.strike.maim", "renaissance.strike.declare")
def test_two_strikes_may_bring_about_the_same() -> None:
    scene = with_pack(duel(ANN, BOB), HEW)
    session = went(scene, "attack:bob:short_sword")
    assert {"maim", "hew"} <= set(offered(session))
    answer(session, "hew", "leg", 11, 99, (1, 1, 1, 1), 0)
    assert session.scene["bob"].status.lost == ("leg",)
    missed = went(scene, "attack:bob:short_sword", "hew", "leg", goal(scene, "short_sword") - 29)
    assert events(missed, "Attacked")[-1].result == "miss"  # the penalty is that of the strike chosen
    for text in ("maim:-20", "maim:-30:hew"):
        assert str(Strike.parse(text)) == text


@pytest.mark.rule("renaissance.resistance.keywords", "renaissance.strike.procedure")
@pytest.mark.parametrize(("precise", "resisted"), [("true", -1), ("false", 0)])
@pytest.mark.parametrize("result", ["maim", "knock_down"])
def test_a_strike_is_precise_if_its_entry_says_so(precise: str, resisted: int, result: str) -> None:
    own = f"strikes:\n  - {{id: stab, name: Stab, penalty: -10, precision: {precise}, result: {result}}}\n"
    scene = with_pack(duel(ANN, fighter("Bob", race="frozen_horror")), own)
    sword = arm(scene, "ann", "short_sword")
    stab = next(one for one in strikes_for(scene, sword) if one.id == "stab")
    given = aim(scene, "ann", "bob", sword, strike=stab).call.named_arguments()
    counted = given["vulnerability"] + (given["precision"] if result in PRECISE else 0)
    assert counted == resisted


# ---------------------------------------------------------------------- conditions


def condition(id_: str, **fields: Any) -> str:
    """A pack that writes a condition again."""
    more = "".join([f", {name}: {str(value).lower()}" for name, value in fields.items()])
    return f"conditions:\n  - {{id: {id_}, name: {id_.title()}, origin: house{more}}}\n"


@pytest.mark.rule("renaissance.prone.effects", "renaissance.condition.framework")
def test_a_condition_changes_attacks_and_defences_as_it_is_written() -> None:
    archer = fighter("Ann", ("short_sword", "main"), ("long_bow", "both"))
    scene = with_pack(duel(archer, BOB), condition("dazed", melee_against=30, ranged_against=-5))
    dazed = held(scene, "bob", "dazed")
    assert goal(dazed, "short_sword") == goal(scene, "short_sword") + 30
    assert goal(dazed, "long_bow") == goal(scene, "long_bow") - 5
    assert goal(held(scene, "bob", "prone"), "short_sword") == goal(scene, "short_sword") + 10
    scene = with_pack(duel(ANN, BOB), condition("dazed", no_defense=True))
    assert "fray" in defended(scene, "short_sword")
    assert defended(held(scene, "bob", "dazed"), "short_sword") == {}


@pytest.mark.rule("renaissance.condition.framework", "renaissance.gap.state.grabbed")
def test_a_condition_takes_away_actions_or_leaves_only_the_escape() -> None:
    scene = with_pack(duel(ANN, BOB), condition("dazed", no_actions=True))
    assert playing(scene).scene.turn == "ann"
    assert playing(held(scene, "ann", "dazed")).scene.turn == "bob"
    scene = with_pack(duel(ANN, BOB), condition("netted", only_escape=True))
    assert "attack:bob:short_sword" in offered(playing(scene))
    session = playing(held(scene, "ann", "netted"))
    assert closed(session)["attack"][0] == "netted: only breaking free is possible"


@pytest.mark.rule("renaissance.condition.bleeding", "renaissance.condition.framework")
def test_a_condition_leaves_a_trail() -> None:
    def target(here: Scene) -> int:
        plan = rulebook.check("search").read(rulebook.subject(here["ann"], here), {"follows": "bob"})
        return plan.tallies["target"].total

    scene = with_pack(duel(ANN, BOB), condition("dripping", tracking=15))
    assert target(held(scene, "bob", "dripping")) == target(scene) + 15


# ---------------------------------------------------------------------- other entries


def at_peace(*people: Any, text: str = "") -> Scene:
    """People outside fights, with a pack besides the starter pack."""
    return with_pack(at_home(*people), text) if text else at_home(*people)


@pytest.mark.rule("renaissance.condition.framework")
def test_a_condition_does_its_damage_by_the_clock_until_its_check_ends_it() -> None:
    text = condition("venomous", dv="'2'", every=120, ends="check", check="survival", minutes=5)
    session = went(at_peace(ANN, BOB, text=text), process="renaissance.inflict", who="bob", condition="venomous")
    session.do("table.pass_time", amount="5 minutes")
    assert session.scene["bob"].status.damage == 4
    kept = rulebook.export_character(session.scene, "bob")
    assert [one.id for one in kept.harm.held] == ["venomous"]
    then(session, "stop_bleeding", 5, who="bob", by="ann", condition="venomous")
    assert target_of(session) == 20  # Survival without ranks: Intuition alone
    assert not session.scene["bob"].status.has("venomous")
    session.do("table.pass_time", amount="10 minutes")
    assert session.scene["bob"].status.damage == 10  # three more within the check


@pytest.mark.rule("renaissance.condition.framework")
@pytest.mark.parametrize("ends", ["quick", "standard"])
def test_an_action_ends_a_condition(ends: str) -> None:
    scene = with_pack(duel(ANN, BOB), condition("tangled", ends=ends, melee_against=10))
    session = went(held(scene, "ann", "tangled"), "shake_off::tangled")
    assert not session.scene["ann"].status.has("tangled")
    assert session.scene["ann"].status.spent == {ends: 1}
    prone = with_pack(duel(ANN, BOB), condition("prone", ends=ends))
    assert went(held(prone, "ann", "prone"), "stand").scene["ann"].status.spent == {ends: 1}


@pytest.mark.rule("renaissance.condition.framework", "renaissance.gap.hazard.fire")
def test_fire_burns_as_the_condition_says() -> None:
    scene = with_pack(duel(ANN, BOB), condition("burning", dv="'4'", every=3, ends="standard"))
    session = went(held(scene, "bob", "burning"), "end_turn")
    assert session.scene["bob"].status.damage == 4


@pytest.mark.rule("renaissance.condition.framework")
def test_nobody_is_made_helpless_or_held_by_a_word() -> None:
    scene = at_peace(ANN, BOB)
    for name, origin in (("disabled", "damage"), ("grabbed", "a grab")):
        with pytest.raises(IllegalActionError, match=origin):
            went(scene, process="renaissance.inflict", who="bob", condition=name)
    with pytest.raises(InvalidInputError, match="bleeding"):
        went(scene, process="renaissance.inflict", who="bob", condition="bleedin")
    with pytest.raises(IllegalActionError, match="no check ends stunned"):
        went(scene, process="renaissance.stop_bleeding", who="bob", by="ann", condition="stunned")


@pytest.mark.rule("renaissance.action.sustained", "renaissance.power.definition")
@pytest.mark.parametrize("start", ["quick", "standard"])
def test_beginning_a_power_costs_what_its_entry_says(start: str) -> None:
    ward = (
        f"powers:\n  - {{id: ward, name: Ward, kinds: [spell], action: sustained, start: {start},"
        " effects: [{effect: while, gives: {grant: armor, value: 2}}]}\n"
    )
    scene = with_pack(duel(fighter("Ann", powers=("ward",)), BOB), ward)
    assert went(scene, "sustain::ward").scene["ann"].status.spent == {start: 1}


@pytest.mark.rule("renaissance.power.definition", "renaissance.gap.power.list")
@pytest.mark.parametrize(("modifies", "dice"), [("fireball", 3), ("frostball", 2)])
def test_a_power_modifies_only_the_powers_that_it_names(modifies: str, dice: int) -> None:
    own = (
        "powers:\n  - {id: frostball, name: Frostball, kinds: [spell], action: quick,"
        " effects: [{effect: held_weapon, weapon: dagger, turns: 1}]}\n"
        f"  - {{id: hotter, name: Hotter, kinds: [spell], action: none, modifies: [{modifies}],"
        " effects: [{effect: fiercer, tag: fire, dice: 1, ap: 0}, {effect: explodes, weapon: ball_of_fire}]}\n"
    )
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "frostball", "hotter"))
    scene = with_pack(duel(mage, BOB), own)
    assert arm(scene, "ann", "ball_of_fire").dv.dice == dice
    assert ("explode::ball_of_fire" in offered(playing(scene))) is (modifies == "fireball")


POX = (
    "diseases:\n  - {{id: pox, name: Pox, resist: DUR, onset: 0, duration: 7, penalty: -10, dv: '1', treatment: {}}}\n"
)


@pytest.mark.rule("renaissance.disease.treatment")
@pytest.mark.parametrize(
    ("treatment", "rolled", "left"),
    [
        ("cure", (5,), None),
        ("extra_resistance_check", (5, 50), 7 * 24 - 1),
        ("extra_resistance_check", (5, 5), None),
        ("shorten_duration", (5,), 3 * 24),
        ("cure", (90,), 7 * 24 - 1),
    ],
)
def test_a_treatment_does_what_its_disease_says(treatment: str, rolled: tuple[int, ...], left: int | None) -> None:
    living = fighter("Bob", race="human")
    scene = at_peace(ANN, living, text=POX.format(treatment))
    session = went(scene, 98, process="renaissance.expose", who="bob", disease="pox")
    session.do("renaissance.treat", who="bob", by="ann", disease="pox")
    answer(session, *rolled)
    ill = session.scene["bob"].status.held("disease")
    hours = None if ill is None else (ill.until.moment - session.scene.clock.now) // 3600
    assert hours == left


@pytest.mark.rule("renaissance.gap.creation.npcs", "renaissance.gap.class.companions")
def test_a_follower_has_the_points_that_the_class_grants() -> None:
    richer = "classes:\n  - {id: marshal, name: Marshal, grants: [{grant: companion, nature: follower, points: 500}]}\n"
    assert (_follower_points(library()), _follower_points(library_with(richer))) == (450, 500)


@pytest.mark.rule("renaissance.gap.race.shifter")
@pytest.mark.parametrize(("picks", "legal"), [(2, True), (1, False)])
def test_a_shifter_has_as_many_features_as_its_race_says(picks: int, legal: bool) -> None:
    grants = f"grants: [{{grant: shape, picks: {picks}}}]"
    shape = f"races:\n  - {{id: changeling, name: Changeling, DUR: 30, STR: 30, {grants}}}\n"
    one = fighter("Ann", race="changeling", features=("hybrid_claws", "hybrid_teeth")).changed(kind="character")
    rules = rulebook.legality(one, RenaissanceOptions(), library_with(shape)).rules
    assert ("renaissance.gap.race.shifter" not in rules) is legal


@pytest.mark.rule("renaissance.resistance.keywords")
def test_armour_may_resist_a_keyword() -> None:
    own = "armours:\n  - {id: wet_coat, name: Wet Coat, armor: 1, resists: [fire]}\n"
    scene = with_pack(duel(ANN, fighter("Bob", ("wet_coat", "worn"))), own)
    assert [vulnerability_of(now(scene, "bob"), (tag,)) for tag in ("fire", "cold")] == [-1, 0]
