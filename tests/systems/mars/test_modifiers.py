"""Modifiers: every source of advantage, bonus and limit of a roll by itself, each at its boundary."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    DYING,
    FOE,
    HERO,
    STILL,
    act,
    duel,
    fighter,
    place,
    scene_with,
    session_with,
)
from systems.mars.people import LEDGER, do, session_of
from systems.playing import last
from tablewright.game.ground.bands import Together
from tablewright.game.ground.facts import Facts
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.aim import aim, farthest
from tablewright.systems.mars.actions.maneuver_uses import check_step
from tablewright.systems.mars.actions.maneuvers import check_throw
from tablewright.systems.mars.character.record import MarsEffect, Wounds
from tablewright.systems.mars.content import SECONDARY, AttackStep, Maneuver
from tablewright.systems.mars.events.attack import AttackDeclared
from tablewright.systems.mars.now import Now, now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Backswing

HEALER = fighter("Ann", skills={"martial": "r8", "medicine": "r4"}, maneuvers=("feint",))
WOUNDED = FOE.changed(wounds=Wounds(health=3))


def blow(scene: Scene, arm: str = "club", who: str = "ann", target: str = "bob", **how: Any) -> Any:
    """An attack as it is aimed."""
    return aim(scene, who, *now(scene, who).arms[arm], target, **how).blow


def me(character: Any = HERO, *effects: MarsEffect, **options: Any) -> Now:
    """Roll of a character under effects and options."""
    return now(duel(character, FOE, options=MarsOptions(**options), mine={"effects": effects}).scene, "ann")


# ---------------------------------------------------------------------- circumstances of an attack


@pytest.mark.rule("mars.attack.sneak", "mars.effect.blind", "mars.effect.prone")
@each_case(
    ("mine", "theirs", "net"),
    [
        ((), (), (0, 0)),
        ((), (MarsEffect("blind"),), (1, 0)),
        ((), (MarsEffect("unconscious"),), (1, 0)),
        ((), (MarsEffect("unsighted", stat="ann"),), (1, 0)),
        ((), (MarsEffect("unsighted", stat="cid"),), (0, 0)),
        ((), (MarsEffect("prone"),), (1, 0)),
        ((), (MarsEffect("prone"), MarsEffect("blind")), (2, 0)),
        ((MarsEffect("blind"),), (), (0, 1)),
        ((MarsEffect("prone"),), (), (0, 0)),  # who lies on the ground strikes as well as ever
    ],
)
def test_every_circumstance_of_a_melee_attack_counts_once(mine: Any, theirs: Any, net: tuple[int, int]) -> None:
    found = blow(duel(HERO, FOE, mine={"effects": mine}, theirs={"effects": theirs}).scene)
    assert (found.advantage, found.disadvantage) == net


@pytest.mark.rule("mars.attack.sneak")
def test_the_surprised_and_those_who_see_no_attacker_are_attacked_with_advantage() -> None:
    assert blow(duel(HERO, FOE, theirs={"surprised": True}).scene).advantage == 1
    hidden = [place(HERO, "party", (1, 1), who="ann", hidden=True), place(FOE, "foes", (2, 1), who="bob", **STILL)]
    session = act(session_with(hidden), "attack:bob:club", faces=[(1, 9), (9,), (4, 4)])
    assert last(session, AttackDeclared).blow.sneak
    assert not session.scene["ann"].hidden  # seen now


@pytest.mark.rule("mars.gap.maneuver.list")
def test_an_opening_is_good_against_one_and_helps_no_throw() -> None:
    def advantage(stat: str, arm: str) -> int:
        opening = (MarsEffect("opening", stat=stat),)
        return int(blow(duel(fighter("Ann", ["knife"]), FOE, mine={"effects": opening}).scene, arm).advantage)

    assert [advantage(*one) for one in (("bob", "knife"), ("cid", "knife"), ("bob", "knife/thrown"))] == [1, 0, 0]


@pytest.mark.rule("mars.effect.prone", "mars.action.seek_cover")
@each_case(
    ("effects", "facts", "melee", "thrown"),
    [
        ((), Facts(), (0, 0), (0, 0)),
        ((MarsEffect("prone"),), Facts(), (1, 0), (0, 1)),
        ((MarsEffect("cover"),), Facts(), (0, 0), (0, 1)),
        ((MarsEffect("cover"), MarsEffect("prone")), Facts(), (1, 0), (0, 2)),
        ((), Facts().set("cover", "bob", "wall"), (0, 0), (0, 1)),
    ],
)
def test_cover_and_lying_down_against_blows_and_throws(effects: Any, facts: Facts, melee: Any, thrown: Any) -> None:
    scene = duel(fighter("Ann", ["knife"]), FOE, theirs={"effects": effects}, facts=facts).scene
    stab, throw = blow(scene, "knife"), blow(scene, "knife/thrown")
    assert (stab.advantage, stab.disadvantage) == melee
    assert (throw.advantage, throw.disadvantage) == thrown


@pytest.mark.rule("mars.attack.flanking", "mars.gap.fight.flanked")
def test_being_flanked_counts_once_and_takes_two_opposite_enemies() -> None:
    def advantage(*places: tuple[int, int], facts: Facts | None = None, **status: Any) -> int:
        people = [place(HERO, "party", (9, 10), who="ann"), place(FOE, "foes", (10, 10), who="bob")]
        people += [place(HERO, "party", at, who=f"more{number}", **status) for number, at in enumerate(places)]
        found: int = blow(scene_with(people, facts=facts)).advantage
        return found

    assert advantage() == 0
    assert advantage((11, 10)) == 1
    assert advantage((11, 11)) == advantage((10, 9)) == 0  # beside, not opposite
    assert advantage((12, 10)) == 0  # opposite, but out of reach
    assert advantage((11, 10), effects=(MarsEffect("unconscious"),)) == 0
    assert advantage((11, 10), hidden=True) == 0  # an advantage would tell that someone hides there
    assert advantage((10, 9), (10, 11)) == advantage((9, 9), (11, 11)) == 1  # two others do
    assert advantage((10, 9), (11, 10)) == 1  # whichever two of them
    assert advantage(facts=Facts().set("flanked", "bob", "yes")) == 1
    assert advantage(facts=Facts().set("flanked", "ann", "yes")) == 0


@pytest.mark.rule("mars.attack.flanking", "mars.attack.sneak")
def test_being_flanked_and_not_seeing_the_attacker_are_two_sources() -> None:
    archer = fighter("Dot", ["shortbow@hands"], pack={"arrow": 3})
    people = [
        place(HERO, "party", (9, 10), who="ann"),
        place(HERO, "party", (11, 10), who="cid", hidden=True),
        place(FOE, "foes", (10, 10), who="bob"),
        place(archer, "party", (3, 3), who="dot"),
    ]
    assert blow(scene_with(people), who="cid").advantage == 2  # from hiding, and with Ann on the other side
    people[1:3] = [place(HERO, "party", (11, 10), who="cid"), place(FOE, "foes", (10, 10), who="bob", surprised=True)]
    assert blow(scene_with(people), "shortbow", who="dot").advantage == 2  # flanked by the others
    together = [place(HERO, "party", None, who="ann"), place(FOE, "foes", None, who="bob")]
    for facts, net in ((Facts(), 0), (Facts().set("flanked", "bob", "yes"), 1)):
        assert blow(scene_with(together, ground=Together(), facts=facts)).advantage == net


@pytest.mark.rule("mars.attack.sneak", "mars.attack.flanking", "mars.action.seek_cover")
def test_every_source_of_advantage_can_be_named() -> None:
    archer = fighter("Cid", ["shortbow@hands"], pack={"arrow": 5})
    lying_in_cover = (MarsEffect("prone"), MarsEffect("cover"), MarsEffect("blind"))
    people = [
        place(HERO, "party", (9, 10), who="ann", effects=(MarsEffect("blind"), MarsEffect("opening", stat="bob"))),
        place(archer, "party", (11, 10), who="cid"),
        place(FOE, "foes", (10, 10), who="bob", effects=lying_in_cover),
    ]
    scene = session_with(people).scene
    for who, pros, cons in (("ann", 4, 1), ("cid", 2, 2)):
        wielded = now(scene, who).wielded[0]
        aimed = aim(scene, who, wielded, wielded.manners[0], "bob")
        tallies = aimed.to_hit.tallies("attack")
        assert (tallies["advantage"].total, tallies["disadvantage"].total) == (pros, cons)
        assert (aimed.blow.advantage, aimed.blow.disadvantage) == (pros, cons)
        assert all(rule in LEDGER for tally in tallies.values() for rule in tally.rules)


@pytest.mark.rule("mars.gap.weapon.ranged")
@each_case(("metres", "penalty"), [(1, 0), (4, 0), (5, -1), (8, -1), (9, -2), (13, -3)])
def test_every_further_range_costs_one(metres: int, penalty: int) -> None:
    scene = duel(fighter("Ann", ["knife"]), FOE, apart=metres).scene
    assert blow(scene, "knife/thrown").attack.modifier == penalty  # thrown 4/40


@pytest.mark.rule("mars.gap.weapon.ranged", "mars.gap.weapon.reach")
def test_range_of_an_attack() -> None:
    knife = now(duel(fighter("Ann", ["knife"]), FOE).scene, "ann").wielded[0].weapon
    assert [farthest(knife, "melee"), farthest(knife, "thrown"), farthest(knife, "shot")] == [1, 40, 0]


@pytest.mark.rule("mars.gap.weapon.unfit", "mars.gap.weapon.large")
@each_case(("apart", "modifier"), [(1, -2), (2, -2), (3, 0)])
def test_a_javelin_is_unfit_within_two_metres(apart: int, modifier: int) -> None:
    scene = duel(fighter("Ann", ["javelin"]), FOE, apart=apart).scene
    assert blow(scene, "javelin/thrown").attack.modifier == modifier


# ---------------------------------------------------------------------- what a character rolls


@pytest.mark.rule("mars.effect.enhancement", "mars.effect.debilitation")
def test_an_effect_on_a_stat_is_shown_as_one_source() -> None:
    keen = me(HERO, MarsEffect("enhancement", stat="STR"), MarsEffect("debilitation", stat="RES"))
    throw = keen.roll("FORT")
    tallies = throw.tallies("fortitude")
    assert (throw.advantage, throw.disadvantage) == (1, 1)
    assert (tallies["advantage"].total, tallies["disadvantage"].total) == (1, 1)
    assert [keen.stat("STR").advantage, keen.stat("DEX").advantage, keen.stat("RES").disadvantage] == [1, 0, 1]


@pytest.mark.rule("mars.gap.fatigue.degrees", "mars.move.speed_modifiers")
@each_case(
    ("degrees", "less"), [((), 0), ((1,), 1), ((2,), 1), ((3,), 2), ((1, 1), 1), ((2, 3), 3), ((10,), 5), ((12,), 6)]
)
def test_half_of_all_fatigue_rounded_up_is_taken_from_rolls_and_speed(degrees: tuple[int, ...], less: int) -> None:
    tired = tuple([MarsEffect("fatigue", degree=degree, source=f"need {at}") for at, degree in enumerate(degrees)])
    on, off = me(HERO, *tired, fatigue="on"), me(HERO, *tired, fatigue="off")
    assert (on.roll("WILL").value.modifier, on.speed.total) == (-less, max(1, 6 - less))  # the weary still go a metre
    assert (off.roll("WILL").value.modifier, off.speed.total) == (0, 6)


@pytest.mark.rule("mars.stat.armour_rating", "mars.gap.maneuver.list")
def test_ratings_and_rallies_count_for_both_defences() -> None:
    braced, plain = me(HERO, MarsEffect("rating", value=2, source="brace"), MarsEffect("rally", value=1)), me()
    more = {name: braced.roll(name).value.modifier - plain.roll(name).value.modifier for name in SECONDARY}
    assert more == {"INIT": 0, "DEF": 3, "EVA": 3, "FORT": 0, "WILL": 0}


@pytest.mark.rule("mars.gap.maneuver.list", "mars.effect.blind")
def test_the_shaken_and_the_blind_are_worse_at_what_is_aimed_at_enemies() -> None:
    shaken = me(HERO, MarsEffect("shaken", value=-2, source="intimidating_strike"))
    assert shaken.attack(shaken.wielded[0], "melee").value.modifier == -2
    assert [shaken.skill("charisma", aimed=aimed).value.modifier for aimed in (True, False)] == [-2, 0]
    blind = me(HERO, MarsEffect("blind"))
    assert [blind.skill("charisma", aimed=aimed).disadvantage for aimed in (True, False)] == [1, 0]
    assert me().skill("charisma", aimed=True).disadvantage == 0


@pytest.mark.rule("mars.effect.overencumbered", "mars.move.speed_modifiers")
@each_case(
    ("effects", "plates", "word"),
    [
        ((), 0, "none"),
        (("encumbered",), 0, "encumbered"),
        (("encumbered",), 9, "overencumbered"),
        (("overencumbered",), 2, "overencumbered"),
        ((), 2, "encumbered"),
    ],
)
def test_the_heavier_of_effect_and_load_counts(effects: Any, plates: int, word: str) -> None:
    loaded = fighter("Ann", STR="r8", pack={"full_plate": plates} if plates else {})
    assert me(loaded, *map(MarsEffect, effects), weight_tracking=True).encumbered == word


@pytest.mark.rule("mars.gap.talent.other_stat", "mars.effect.stat_changes")
def test_the_higher_stat_is_the_one_that_is_higher_now() -> None:
    talents = {"intimidation": 1}
    hero = fighter("Ann", STR="r10", RES="r10", talents=talents, skills={"charisma": "r4"})
    raging = (MarsEffect("stat_change", stat="STR", value=3, source="rage"),)
    shaken = (MarsEffect("stat_change", stat="RES", value=-3, source="spell"),)
    for effects, rolled in (((), "r14"), (raging, "r14+3"), (shaken, "r14")):
        session = duel(hero, FOE, mine={"effects": effects})
        assert str(now(session.scene, "ann").skill("charisma", ("intimidation",)).value) == rolled
    worse = duel(hero, FOE, mine={"effects": (*shaken, MarsEffect("debilitation", stat="STR"))})
    assert now(worse.scene, "ann").skill("charisma", ("intimidation",)).disadvantage == 1


# ---------------------------------------------------------------------- what is in the hands


@pytest.mark.rule("mars.gap.weapon.two_handed", "mars.gap.weapon.versatile")
@each_case(
    ("held", "arm", "hit", "damage_net"),
    [
        ("greatsword@hands", "greatsword", 0, 1),
        ("greatsword", "greatsword", -1, -1),
        ("shortspear", "shortspear", 0, 0),
        ("shortspear@hands", "shortspear", -1, 1),
        ("shortspear@hands", "shortspear/thrown", 0, 0),
        ("shortspear", "shortspear/thrown", 0, 0),
        ("knife", "knife", 0, 0),
    ],
)
def test_one_hand_or_two(held: str, arm: str, hit: int, damage_net: int) -> None:
    found = blow(duel(fighter("Ann", [held]), FOE).scene, arm)
    assert found.attack.modifier == hit
    assert found.damage_advantage - found.damage_disadvantage == damage_net


# ---------------------------------------------------------------------- what earlier attacks of the turn change


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.gap.weapon.swift", "mars.gap.weapon.cleave")
@each_case(
    ("hold", "attacks", "attacked", "penalty"),
    [
        ("mace", 0, (), 0),
        ("mace", 1, ("bob",), -4),
        ("mace", 2, ("bob", "bob"), -8),
        ("club", 1, ("bob",), -3),
        ("club", 3, ("cid",), -9),
        ("battleaxe", 1, ("cid",), 0),  # cleaves a character new
        ("battleaxe", 1, ("bob",), -4),
        ("battleaxe", 2, ("cid", "bob"), -8),
    ],
)
def test_penalty_for_every_earlier_attack(hold: str, attacks: int, attacked: tuple[str, ...], penalty: int) -> None:
    scene = duel(fighter("Ann", [hold]), FOE).scene
    turn = scene["ann"].status.turn._replace(attacks=attacks, attacked=attacked, weapon=hold)
    assert blow(scene.with_status("ann", turn=turn), hold).attack.modifier == penalty
    assert blow(scene.with_status("ann", turn=turn), hold, reaction=True).attack.modifier == 0


@pytest.mark.rule("mars.gap.talent.senses", "mars.attack.multiple_attack_penalty", "mars.gap.weapon.cleave")
@each_case(
    ("steps", "attacks", "last", "attacked", "modifier"),
    [
        (0, 1, "knife", "bob", -4),
        (2, 1, "knife", "bob", -4 + 2),
        (2, 1, "battleaxe", "bob", -4),  # the same weapon again
        (2, 0, "", "bob", 0),
        (2, 1, "knife", "cid", 2),  # cleaving a character new with the other weapon
        (2, 1, "battleaxe", "cid", 0),
        (0, 1, "knife", "cid", 0),
    ],
)
def test_the_other_weapon(steps: int, attacks: int, last: str, attacked: str, modifier: int) -> None:
    able = fighter("Ann", ["battleaxe", "knife"], talents={"ambidexterity": steps} if steps else {})
    scene = duel(able, FOE).scene
    turn = scene["ann"].status.turn._replace(attacks=attacks, attacked=(attacked,) * attacks, weapon=last)
    assert blow(scene.with_status("ann", turn=turn), "battleaxe").attack.modifier == modifier
    assert blow(scene.with_status("ann", turn=turn), "battleaxe", reaction=True).attack.modifier == 0


@pytest.mark.rule("mars.gap.weapon.backswing", "mars.gap.weapon.momentum")
def test_backswing_and_momentum_follow_what_came_before() -> None:
    scene = duel(fighter("Ann", ["staff", "club"]), FOE).scene
    turn = scene["ann"].status.turn
    swung = scene.with_status("ann", turn=turn._replace(backswing=(Backswing("staff", 2),), hit=("bob",)))
    assert (blow(swung, "staff").attack.modifier, blow(swung, "club").attack.modifier) == (2, 0)
    assert blow(swung, "staff", reaction=True).attack.modifier == 0
    assert (blow(swung, "staff").damage.modifier, blow(swung, "club").damage.modifier) == (0, 2)
    other = scene.with_status("ann", turn=turn._replace(hit=("cid",)))
    assert blow(other, "club").damage.modifier == 0


@pytest.mark.rule("mars.attack.hit", "mars.gap.maneuver.list", "mars.maneuver.improvise")
@each_case(
    ("step", "improvised", "hit", "hurts", "threshold"),
    [
        ({}, False, 0, 0, 7),
        ({"hit": -1, "damage": 2}, False, -1, 2, 7),
        ({"threshold": -2}, False, 0, 0, 5),
        ({"threshold": -9}, False, 0, 0, 1),
        ({"threshold": -6}, False, 0, 0, 1),
        ({"threshold": -5}, False, 0, 0, 2),
        ({}, True, -2, 0, 7),
        ({"becomes": "bludgeoning", "off_type": -1}, False, 0, 0, 7),
        ({"becomes": "slashing", "off_type": -1}, False, -1, -1, 7),
    ],
)
def test_changes_made_by_a_step_of_a_maneuver(
    step: dict[str, Any], improvised: bool, hit: int, hurts: int, threshold: int
) -> None:
    found = blow(duel(HERO, FOE).scene, step=AttackStep.model_construct(step="attack", **step), improvised=improvised)
    assert (found.attack.modifier, found.damage.modifier, found.threshold) == (hit, hurts, threshold)


@pytest.mark.rule("mars.gap.maneuver.list")
@each_case(("kind", "less"), [("bludgeoning", -1), ("slashing", -2)])
def test_bare_hands_are_worse_at_another_type_of_damage(kind: Any, less: int) -> None:
    found = blow(duel(FOE, FOE).scene, "unarmed", step=AttackStep(step="attack", becomes=kind, off_type=-1))
    assert (found.attack.modifier, found.damage.modifier, found.kind) == (less, less, kind)


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize(("maneuver", "called"), [("power_attack", "power attack"), ("", "trip")])
def test_name_of_a_change_to_the_roll(maneuver: str, called: str) -> None:
    scene, step = duel(HERO, FOE).scene, AttackStep(step="attack", hit=-2)
    aimed = aim(scene, "ann", *now(scene, "ann").arms["club"], "bob", step=step, maneuver=maneuver)
    assert (called, -2) in [(part.label, part.changed) for part in aimed.to_hit.tallies("roll")["roll"].parts]


# ---------------------------------------------------------------------- blind


@pytest.mark.rule("mars.effect.blind", "mars.gap.recovery.stabilise")
@each_case(("effects", "less"), [((), 0), ((MarsEffect("blind"),), 1)])
def test_the_blind_have_disadvantage_in_maneuvers_that_check_and_help_badly(effects: Any, less: int) -> None:
    session = duel(HEALER, FOE, mine={"effects": effects})
    step = check_step(session.scene.library.get(Maneuver, "feint").steps)
    assert step is not None
    assert check_throw(session.scene, "ann", step, (), False).disadvantage == less
    session.do("mars.perform", who="ann", use="maneuver:bob:feint")
    assert session.playing is not None
    assert session.playing.calls[-1].named_arguments()["disadvantage"] == less
    people = [
        place(HEALER, "party", (10, 10), who="ann", effects=effects),
        place(FOE, "party", (11, 10), who="bob", effects=DYING, health=-1, endurance=0),
        place(FOE, "foes", (20, 10), who="cat"),
    ]
    act(session_with(people), "stabilise:bob", faces=[(9, 1, 9) if less else (9, 1)])
    outside = session_of({"ann": HEALER.changed(wounds=Wounds(effects=effects)), "bob": WOUNDED})
    do(outside, "mars.long_rest", who=["bob"], healer="ann", faces=[(9, 1, 8) if less else (9, 1)])
    assert outside.scene["bob"].status.health == 3 + 2 - less  # who is treated heals faster
