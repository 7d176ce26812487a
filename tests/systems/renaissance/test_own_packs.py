"""Own packs and lost limbs: strikes by id, conditions as they are written, resistance in blasts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import arm, at_home, closed, defended, fighter, goal, held, playing, scene_with, went
from systems.renaissance.folk import library, somebody
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.aim import aim, strikes_for
from tablewright.systems.renaissance.actions.maneuvers import their_goal
from tablewright.systems.renaissance.actions.requirements import room_for
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.bots import FALLEN, rate
from tablewright.systems.renaissance.character.figures import numbers
from tablewright.systems.renaissance.content import KINDS, CombatManeuver, Weapon
from tablewright.systems.renaissance.creation import _follower_points
from tablewright.systems.renaissance.mechanics.harm import PRECISE, Strike
from tablewright.systems.renaissance.now import now, vulnerability_of
from tablewright.systems.renaissance.options import RenaissanceOptions

HEAD = "pack: {id: own, title: Own, version: '1', origin: house}\nsystem: renaissance\n"
ANN = fighter("Ann", ("short_sword", "main"))
BOB = fighter("Bob", ("mace", "main"))


def with_pack(scene: Scene, text: str) -> Scene:
    """The scene with a pack of one's own besides the starter pack."""
    return replace(scene, library=library().with_pack(read_pack(HEAD + text, KINDS, library())))


# ---------------------------------------------------------------------- ways to move


@pytest.mark.rule("renaissance.movement.move", "renaissance.movement.move_quickly")
def test_a_race_without_feet_neither_walks_nor_runs() -> None:
    fish = "races:\n  - {id: fish, name: Fish, DUR: 10, STR: 10, movement: {swim: {base: 3, full: 9}}}\n"
    swimmer = numbers(somebody(race="fish"), library().with_pack(read_pack(HEAD + fish, KINDS, library())), (), ())
    assert (swimmer.base, swimmer.full) == (0, 0)
    assert (swimmer.movement["swim"].base, swimmer.movement["swim"].full) == (3, 9)


# ---------------------------------------------------------------------- strikes

HEW = "strikes:\n  - {id: hew, name: Hew, penalty: -30, melee_only: true, precision: true, result: maim}\n"


@pytest.mark.rule("renaissance.strike.procedure", "renaissance.strike.maim")
def test_two_strikes_may_bring_about_the_same() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), HEW)
    session = went(scene, "attack:bob:short_sword")
    assert {"maim", "hew"} <= set(offered(session))
    answer(session, "hew", "leg", 11, 99, (1, 1, 1, 1), 0)
    assert session.scene["bob"].status.lost == ("leg",)
    missed = went(scene, "attack:bob:short_sword", "hew", "leg", goal(scene, "short_sword") - 29)
    assert events(missed, "Attacked")[-1].result == "miss"  # the penalty is that of the strike chosen


@pytest.mark.rule("renaissance.strike.declare")
@pytest.mark.parametrize("text", ["maim:-20", "maim:-30:hew"])
def test_a_strike_is_read_as_it_is_written(text: str) -> None:
    assert str(Strike.parse(text)) == text


@pytest.mark.rule("renaissance.resistance.keywords", "renaissance.strike.procedure")
@pytest.mark.parametrize(("precise", "resisted"), [("true", -1), ("false", 0)])
@pytest.mark.parametrize("result", ["maim", "knock_down"])
def test_a_strike_is_precise_if_its_entry_says_so(precise: str, resisted: int, result: str) -> None:
    own = f"strikes:\n  - {{id: stab, name: Stab, penalty: -10, precision: {precise}, result: {result}}}\n"
    scene = with_pack(scene_with((ANN, 5, 5), (fighter("Bob", race="frozen_horror"), 6, 5)), own)
    sword = arm(scene, "ann", "short_sword")
    stab = next(one for one in strikes_for(scene, sword) if one.id == "stab")
    given = aim(scene, "ann", "bob", sword, strike=stab).call.named_arguments()
    counted = given["vulnerability"] + (given["precision"] if result in PRECISE else 0)
    assert counted == resisted


# ---------------------------------------------------------------------- limbs


@pytest.mark.rule("renaissance.injury.negate", "renaissance.strike.maim")
@pytest.mark.parametrize("part", ["hand", "arm"])
def test_a_lost_hand_wields_no_two_handed_weapon(part: str) -> None:
    scene = scene_with((fighter("Ann", ("halberd", "both")), 5, 5), (BOB, 6, 5))
    assert "attack:bob:halberd" in offered(playing(scene))
    maimed = scene.with_status("ann", lost=(part,))
    assert not [one for one in offered(playing(maimed)) if one.startswith("attack:bob:halberd")]
    assert "halberd" not in defended(maimed, "mace", "bob", "ann")
    free = scene_with((fighter("Ann"), 5, 5), (BOB, 6, 5)).with_status("ann", lost=(part,))
    assert room_for(free, "ann", library().get(Weapon, "halberd")) is None
    assert room_for(free, "ann", library().get(Weapon, "mace")) == "main"
    assert "unarmed@off" not in [one.key for one in now(free, "ann").arms]


@pytest.mark.rule("renaissance.injury.negate")
def test_nobody_takes_a_halberd_into_one_hand_between_fights() -> None:
    scene = scene_with((fighter("Ann", ("halberd", "pack")), 5, 5), (BOB, 6, 5)).with_status("ann", lost=("hand",))
    calm = replace(scene, order=(), round=0, turn=None)
    with pytest.raises(IllegalActionError, match="lacks the hands for Halberd"):
        went(calm, process="renaissance.draw", who="ann", item="halberd")


@pytest.mark.rule("renaissance.strike.maim")
@pytest.mark.parametrize(
    ("race", "parts"), [("black_bear", ("leg", "eye", "ear")), ("corpse", ("hand", "arm", "leg", "eye", "ear"))]
)
def test_beasts_lose_legs_and_no_hands(race: str, parts: tuple[str, ...]) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", race=race), 6, 5))
    assert offered(went(scene, "attack:bob:short_sword", "maim")) == parts


# ---------------------------------------------------------------------- conditions


def condition(id_: str, **fields: Any) -> str:
    """A pack that writes a condition again."""
    more = "".join([f", {name}: {str(value).lower()}" for name, value in fields.items()])
    return f"conditions:\n  - {{id: {id_}, name: {id_.title()}, origin: house{more}}}\n"


@pytest.mark.rule("renaissance.prone.effects", "renaissance.condition.framework")
def test_a_condition_changes_attacks_as_it_is_written() -> None:
    archer = fighter("Ann", ("short_sword", "main"), ("long_bow", "both"))
    scene = with_pack(scene_with((archer, 5, 5), (BOB, 6, 5)), condition("dazed", melee_against=30, ranged_against=-5))
    dazed = held(scene, "bob", "dazed")
    assert goal(dazed, "short_sword") == goal(scene, "short_sword") + 30
    assert goal(dazed, "long_bow") == goal(scene, "long_bow") - 5
    prone = held(scene, "bob", "prone")
    assert goal(prone, "short_sword") == goal(scene, "short_sword") + 10


@pytest.mark.rule("renaissance.condition.framework")
def test_a_condition_takes_away_defences() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("dazed", no_defense=True))
    assert "fray" in defended(scene, "short_sword")
    assert defended(held(scene, "bob", "dazed"), "short_sword") == {}


@pytest.mark.rule("renaissance.condition.framework")
def test_a_condition_takes_away_actions() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("dazed", no_actions=True))
    assert playing(scene).scene.turn == "ann"
    assert playing(held(scene, "ann", "dazed")).scene.turn == "bob"


@pytest.mark.rule("renaissance.condition.framework", "renaissance.gap.state.grabbed")
def test_a_condition_leaves_only_the_escape() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("netted", only_escape=True))
    assert "attack:bob:short_sword" in offered(playing(scene))
    session = playing(held(scene, "ann", "netted"))
    assert closed(session)["attack"][0] == "netted: only breaking free is possible"


@pytest.mark.rule("renaissance.condition.bleeding", "renaissance.condition.framework")
def test_a_condition_leaves_a_trail() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("dripping", tracking=15))

    def target(here: Scene) -> int:
        plan = rulebook.check("search").read(rulebook.subject(here["ann"], here), {"follows": "bob"})
        return plan.tallies["target"].total

    assert target(held(scene, "bob", "dripping")) == target(scene) + 15


# ---------------------------------------------------------------------- resistance to blasts


def blasted(rule: str, *rolled: Any, vulnerable: bool) -> dict[str, int]:
    """The damage of a grenade to Bob, who is vulnerable to fire or resists it, and to Cid."""
    word = "true" if vulnerable else "false"
    kind = (
        "races:\n  - {id: kindling, name: Kindling, playable: false, DUR: 30, STR: 30,"
        f" movement: {{foot: {{base: 4, full: 12}}}}, grants: [{{grant: resists, tag: fire, vulnerable: {word}}}]}}\n"
    )
    own = library().with_pack(read_pack(HEAD + kind, KINDS, library()))
    people = (fighter("Ann", ("grenade", "main")), 0, 5), (fighter("Bob"), 10, 5), (fighter("Cid"), 10, 6)
    scene = replace(scene_with(*people, resistance_rule=rule), library=own)
    bob = scene["bob"]
    scene = scene.with_participant(replace(bob, character=bob.character.changed(race="kindling")))
    session = went(scene, "attack:bob:grenade", *rolled)
    return {one.who: one.damage for one in events(session, "Hurt")}


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


# ---------------------------------------------------------------------- defences against maneuvers


@pytest.mark.rule("renaissance.maneuver.feint", "renaissance.defense.full_defense", "renaissance.maneuver.procedure")
@pytest.mark.parametrize(("id_", "degree"), [("feinted", -20), ("guarded", 10)])
@pytest.mark.parametrize("maneuver", ["trip", "grab", "disarm"])
def test_a_feint_and_full_defense_count_against_maneuvers(id_: str, degree: int, maneuver: str) -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    entry = library().get(CombatManeuver, maneuver)
    before = their_goal(scene, "bob", "ann", entry).total
    assert their_goal(held(scene, "bob", id_, degree=degree), "bob", "ann", entry).total == before + degree
    social = library().get(CombatManeuver, "feint")
    plain = their_goal(scene, "bob", "ann", social).total
    assert their_goal(held(scene, "bob", id_, degree=degree), "bob", "ann", social).total == plain


# ---------------------------------------------------------------------- bots and blasts


@pytest.mark.rule("renaissance.area.blast", "renaissance.power.guidelines")
@pytest.mark.parametrize(("damage", "explodes"), [(0, True), (14, False), (31, True), (45, False)])
def test_a_bot_brings_down_no_friend_with_an_explosion(damage: int, explodes: bool) -> None:
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    foes = [(fighter(name), 6, 4 + at) for at, name in enumerate(("Bob", "Eve", "Fay"))]
    around = [(fighter(name), 4, 4 + at) for at, name in enumerate(("Gus", "Hal"))]
    scene = scene_with((mage, 5, 5), *foes, *around, (fighter("Cid"), 5, 7))
    scene = scene.with_participant(replace(scene["cid"], side="party")).with_status("cid", damage=damage)
    use = ActionUse("explode", None, "ball_of_fire")  # at most 30 with a great success, 26 two metres away
    assert (rate(scene, "ann", use).harm > 0) is explodes
    if not explodes:
        assert rate(scene, "ann", use).harm <= FALLEN.harm


@pytest.mark.rule("renaissance.area.blast")
@pytest.mark.parametrize("friends", [0, 2])
def test_a_bot_throws_no_exploding_fire_among_its_own(friends: int) -> None:
    mage = fighter("Ann", powers=("fireball", "exploding_fireball"))
    others = [(fighter(name), 9 + at, 9) for at, name in enumerate(("Cid", "Dot"))]  # four metres from Bob
    scene = scene_with((mage, 5, 5), (BOB, 9, 5), *others)
    for one in ("cid", "dot")[:friends]:
        scene = scene.with_participant(replace(scene[one], side="party"))
    session = went(scene, "use_power::fireball")
    assert isinstance(session.question, Choice)
    uses = [option for option in session.question.options if option.action == "attack"]
    blast = next(one for one in uses if one.target == "bob" and str(one.detail).endswith("~explodes"))
    assert (rate(session.scene, "ann", blast).harm < 0) is bool(friends)


# ---------------------------------------------------------------------- figures of entries that the rules read


def at_peace(*people: Any, text: str = "", **options: Any) -> Scene:
    """People outside fights, with a pack besides the starter pack."""
    return with_pack(at_home(*people, **options), text) if text else at_home(*people, **options)


@pytest.mark.rule("renaissance.condition.framework")
def test_a_condition_does_its_damage_by_the_clock_until_its_check_ends_it() -> None:
    text = condition("venomous", dv="'2'", every=120, ends="check", check="survival", minutes=5)
    session = went(at_peace(ANN, BOB, text=text), process="renaissance.inflict", who="bob", condition="venomous")
    session.do("table.pass_time", amount="5 minutes")
    assert session.scene["bob"].status.damage == 4
    kept = session.rulebook.export_character(session.scene, "bob")
    assert [one.id for one in kept.harm.held] == ["venomous"]
    session.do("renaissance.stop_bleeding", who="bob", by="ann", condition="venomous")
    assert session.playing is not None
    assert session.playing.calls[0].named_arguments()["target"] == 20  # Survival without ranks: Intuition alone
    answer(session, 5)
    assert not session.scene["bob"].status.has("venomous")
    harm = session.scene["bob"].status.damage
    session.do("table.pass_time", amount="10 minutes")
    assert session.scene["bob"].status.damage == harm == 10  # three more within the check


@pytest.mark.rule("renaissance.condition.framework")
@pytest.mark.parametrize("ends", ["quick", "standard"])
def test_an_action_ends_a_condition(ends: str) -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("tangled", ends=ends, melee_against=10))
    session = went(held(scene, "ann", "tangled"), "shake_off::tangled")
    assert not session.scene["ann"].status.has("tangled")
    assert session.scene["ann"].status.spent == {ends: 1}
    prone = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("prone", ends=ends))
    assert went(held(prone, "ann", "prone"), "stand").scene["ann"].status.spent == {ends: 1}


@pytest.mark.rule("renaissance.condition.framework", "renaissance.gap.hazard.fire")
def test_fire_burns_as_the_condition_says() -> None:
    scene = with_pack(scene_with((ANN, 5, 5), (BOB, 6, 5)), condition("burning", dv="'4'", every=3, ends="standard"))
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


@pytest.mark.rule("renaissance.area.splash", "renaissance.gap.hazard.chemicals")
def test_a_splash_burns_for_the_turns_of_its_entry() -> None:
    goo = (
        "weapons:\n  - {id: goo, name: Goo, hands: 1, price: minor, used_up: true, tags: [one_handed, splash, fire],"
        " area: {radius: '1', dv: '1', turns: 2}, attacks: [{skill: thrown_weapons, dv: '0', ranges: [5, 15]}]}\n"
    )
    scene = with_pack(scene_with((fighter("Ann", ("goo", "main")), 5, 5), (BOB, 10, 5)), goo)
    session = went(scene, "attack:bob:goo", 20)
    for damage in (1, 1, 1):  # it burns at the start of one turn of Bob's and is out before the next one
        answer(session, "end_turn")
        assert session.scene["bob"].status.damage == damage
        answer(session, "end_turn")


@pytest.mark.rule("renaissance.action.sustained", "renaissance.power.definition")
@pytest.mark.parametrize("start", ["quick", "standard"])
def test_beginning_a_power_costs_what_its_entry_says(start: str) -> None:
    ward = (
        f"powers:\n  - {{id: ward, name: Ward, kinds: [spell], action: sustained, start: {start},"
        " effects: [{effect: while, gives: {grant: armor, value: 2}}]}\n"
    )
    scene = with_pack(scene_with((fighter("Ann", powers=("ward",)), 5, 5), (BOB, 6, 5)), ward)
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
    scene = with_pack(scene_with((mage, 5, 5), (BOB, 6, 5)), own)
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
    own = library().with_pack(read_pack(HEAD + richer, KINDS, library()))
    assert (_follower_points(library()), _follower_points(own)) == (450, 500)


# ---------------------------------------------------------------------- unaware targets and infected blades


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.maneuver.procedure")
@pytest.mark.parametrize("maneuver", ["trip", "grab", "disarm/mace"])
@pytest.mark.parametrize(("rolled", "won"), [(50, True), (51, False)])
def test_an_unaware_target_opposes_no_maneuver(maneuver: str, rolled: int, won: bool) -> None:
    ann = fighter("Ann")
    scene = held(scene_with((ann, 5, 5), (BOB, 6, 5)), "bob", "unaware")
    session = went(scene, f"maneuver:bob:{maneuver}", rolled)
    assert isinstance(session.question, Choice)  # no one rolls against it
    assert events(session, "Contested")[-1].result == ("won" if won else "lost")
    assert not session.scene["bob"].status.has("unaware")


@pytest.mark.rule("renaissance.disease.exposure", "renaissance.chemical.weapon_poison")
@pytest.mark.parametrize(("resisted", "caught"), [(99, ("flu",)), (10, ())])
def test_a_blade_coated_with_a_disease_infects_the_wounded(resisted: int, caught: tuple[str, ...]) -> None:
    bob = fighter("Bob", race="human")
    calm = at_peace(ANN, bob)
    session = went(calm, process="renaissance.expose", who="ann", disease="flu", weapon="short_sword")
    assert session.scene["ann"].status.coated == (("short_sword", "flu"),)
    scene = scene_with((ANN, 5, 5), (bob, 6, 5)).with_status("ann", coated=(("short_sword", "flu"),))
    fight = went(scene, "attack:bob:short_sword", "plain", 20, 99, (10, 10), 0, resisted)
    assert fight.scene["bob"].status.incubating == caught
    assert fight.scene["ann"].status.coated == ()
    assert events(fight, "Attacked")[-1].poisoned == ""  # no one learns of it
    with pytest.raises(IllegalActionError, match="in hand: short_sword"):
        went(calm, process="renaissance.expose", who="ann", disease="flu", weapon="mace")


@pytest.mark.rule("renaissance.gap.race.shifter")
@pytest.mark.parametrize(("picks", "legal"), [(2, True), (1, False)])
def test_a_shifter_has_as_many_features_as_its_race_says(picks: int, legal: bool) -> None:
    grants = f"grants: [{{grant: shape, picks: {picks}}}]"
    shape = f"races:\n  - {{id: changeling, name: Changeling, DUR: 30, STR: 30, {grants}}}\n"
    own = library().with_pack(read_pack(HEAD + shape, KINDS, library()))
    one = fighter("Ann", race="changeling", features=("hybrid_claws", "hybrid_teeth")).changed(kind="character")
    rules = rulebook.legality(one, RenaissanceOptions(), own).rules
    assert ("renaissance.gap.race.shifter" not in rules) is legal


@pytest.mark.rule("renaissance.resistance.keywords")
def test_armour_may_resist_a_keyword() -> None:
    own = "armours:\n  - {id: wet_coat, name: Wet Coat, armor: 1, resists: [fire]}\n"
    scene = with_pack(scene_with((ANN, 5, 5), (fighter("Bob", ("wet_coat", "worn")), 6, 5)), own)
    assert [vulnerability_of(now(scene, "bob"), (tag,)) for tag in ("fire", "cold")] == [-1, 0]


@pytest.mark.rule("renaissance.strike.knock_down", "renaissance.strike.mighty_blow", "renaissance.strike.procedure")
def test_some_strikes_are_for_melee_alone() -> None:
    scene = scene_with((fighter("Ann", ("long_bow", "both")), 5, 5), (BOB, 9, 5))
    shots = {one.id for one in strikes_for(scene, arm(scene, "ann", "long_bow"))}
    blows = {one.id for one in strikes_for(scene, arm(scene, "ann", "unarmed"))}
    assert blows - shots == {"knock_down", "mighty_blow"}
    assert not shots - blows
