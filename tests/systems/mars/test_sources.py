"""Every source of advantage, every bonus and every limit of a roll by itself: each counts once, at its boundary."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import duel, fighter, place, scene_with
from tablewright.engine import odds
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.targeting import distance, within_reach
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.systems.mars.actions.aim import aim, farthest
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import AttackStep, Weapon
from tablewright.systems.mars.mechanics.harm import Harm, damage
from tablewright.systems.mars.now import Now, now, rulings
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Backswing
from tablewright.systems.mars.values import Degree, RollValue

HERO = fighter("Ann", ["club"])
FOE = fighter("Bob")


def blow(scene: Scene, arm: str = "club", who: str = "ann", target: str = "bob", **how: Any) -> Any:
    """An attack as it is aimed."""
    return aim(scene, who, *now(scene, who).arms[arm], target, **how).blow


def me(character: Any = HERO, *effects: MarsEffect, **options: Any) -> Now:
    """Roll of a character under effects and options."""
    return now(duel(character, FOE, options=MarsOptions(**options), mine={"effects": effects}).scene, "ann")


# ---------------------------------------------------------------------- circumstances of an attack


@pytest.mark.rule("mars.attack.sneak", "mars.effect.blind", "mars.effect.prone")
@pytest.mark.parametrize(
    ("mine", "theirs", "net"),
    [
        ((), (), (0, 0)),
        ((), (MarsEffect("blind"),), (1, 0)),
        ((), (MarsEffect("unsighted", stat="ann"),), (1, 0)),
        ((), (MarsEffect("prone"),), (1, 0)),
        ((), (MarsEffect("prone"), MarsEffect("blind")), (2, 0)),
        ((MarsEffect("blind"),), (), (0, 1)),
    ],
)
def test_every_circumstance_of_a_melee_attack_counts_once(mine: Any, theirs: Any, net: tuple[int, int]) -> None:
    found = blow(duel(HERO, FOE, mine={"effects": mine}, theirs={"effects": theirs}).scene)
    assert (found.advantage, found.disadvantage) == net


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize(("stat", "number"), [("bob", 1), ("somebody else", 0)])
def test_an_opening_is_good_against_one(stat: str, number: int) -> None:
    scene = duel(HERO, FOE, mine={"effects": (MarsEffect("opening", stat=stat),)}).scene
    assert (blow(scene).advantage, blow(scene).disadvantage) == (number, 0)


@pytest.mark.rule("mars.gap.maneuver.list")
def test_an_opening_helps_no_throw() -> None:
    scene = duel(fighter("Ann", ["knife"]), FOE, mine={"effects": (MarsEffect("opening", stat="bob"),)}).scene
    assert [blow(scene, arm).advantage for arm in ("knife", "knife/thrown")] == [1, 0]


@pytest.mark.rule("mars.effect.prone", "mars.action.seek_cover")
@pytest.mark.parametrize(
    ("effects", "melee", "thrown"),
    [
        ((), (0, 0), (0, 0)),
        ((MarsEffect("prone"),), (1, 0), (0, 1)),
        ((MarsEffect("cover"),), (0, 0), (0, 1)),
        ((MarsEffect("cover"), MarsEffect("prone")), (1, 0), (0, 2)),
    ],
)
def test_cover_and_lying_down_against_blows_and_throws(effects: Any, melee: Any, thrown: Any) -> None:
    scene = duel(fighter("Ann", ["knife"]), FOE, theirs={"effects": effects}).scene
    stab, throw = blow(scene, "knife"), blow(scene, "knife/thrown")
    assert (stab.advantage, stab.disadvantage) == melee
    assert (throw.advantage, throw.disadvantage) == thrown


@pytest.mark.rule("mars.attack.flanking")
def test_being_flanked_counts_once_and_takes_two_opposite_enemies() -> None:
    def advantage(*places: tuple[int, int], **how: Any) -> int:
        people = [place(HERO, "party", (9, 10), who="ann"), place(FOE, "foes", (10, 10), who="bob")]
        people += [place(HERO, "party", at, who=f"more{number}") for number, at in enumerate(places)]
        found: int = blow(scene_with(people, **how)).advantage
        return found

    assert advantage() == 0
    assert advantage((11, 10)) == 1
    assert advantage((10, 9)) == 0  # beside, not opposite
    assert advantage((12, 10)) == 0  # opposite, but out of reach
    assert advantage((10, 9), (10, 11)) == 1  # two others do
    assert advantage((10, 9), (11, 10)) == 1  # whichever two of them
    assert advantage(facts=Facts().set("flanked", "bob", "yes")) == 1
    assert advantage(facts=Facts().set("flanked", "ann", "yes")) == 0


@pytest.mark.rule("mars.gap.weapon.stray_shot")
def test_a_stray_shot_is_at_a_disadvantage() -> None:
    scene = duel(HERO, FOE).scene
    assert (blow(scene, stray=True).disadvantage, blow(scene).disadvantage) == (1, 0)


@pytest.mark.rule("mars.attack.flanking", "mars.gap.weapon.reach")
def test_distance_between_two_participants() -> None:
    scene = duel(HERO, FOE, apart=4).scene
    assert distance(scene, "ann", "bob") == 4
    assert [within_reach(scene, "ann", "bob", metres) for metres in (3, 4)] == [False, True]
    assert not within_reach(scene, "ann", "bob")
    assert within_reach(duel(HERO, FOE).scene, "ann", "bob")
    nowhere = scene_with([place(HERO, "party", None, who="ann"), place(FOE, "foes", (5, 5), who="bob")])
    assert distance(nowhere, "ann", "bob") == 1  # within the reach of everyone
    assert within_reach(nowhere, "ann", "bob", 0)


@pytest.mark.rule("mars.gap.weapon.ranged")
@pytest.mark.parametrize(("metres", "penalty"), [(1, 0), (4, 0), (5, -1), (8, -1), (9, -2), (13, -3)])
def test_every_further_range_costs_one(metres: int, penalty: int) -> None:
    scene = duel(fighter("Ann", ["knife"]), FOE, apart=metres).scene
    assert blow(scene, "knife/thrown").attack.modifier == penalty  # thrown 4/40


@pytest.mark.rule("mars.gap.weapon.ranged", "mars.gap.weapon.reach")
def test_range_of_an_attack() -> None:
    knife = now(duel(fighter("Ann", ["knife"]), FOE).scene, "ann").wielded[0].weapon
    assert [farthest(knife, "melee"), farthest(knife, "thrown"), farthest(knife, "shot")] == [1, 40, 0]


# ---------------------------------------------------------------------- what a character rolls


@pytest.mark.rule("mars.gap.armour.limited_vision", "mars.gap.armour.noisy", "mars.gap.armour.locking_grip")
def test_effects_of_armour_count_once() -> None:
    helmed, noisy, gripping = (fighter("Ann", wear=[piece]) for piece in ("full_helm", "full_plate", "gauntlets"))
    assert (me(helmed).skill("perception").disadvantage, me(helmed).skill("agility").disadvantage) == (1, 0)
    quiet = me(noisy).skill("agility", ("silent_movement",))
    assert (quiet.disadvantage, me(noisy).skill("agility").disadvantage) == (1, 0)
    assert me(noisy).skill("athletics", ("silent_movement",)).disadvantage == 0
    assert me(gripping).skill("athletics", ("disarming",)).advantage == 1
    assert me(gripping).skill("athletics").advantage == 0


@pytest.mark.rule("mars.effect.enhancement", "mars.effect.debilitation")
def test_an_effect_on_a_stat_is_shown_as_one_source() -> None:
    keen = me(HERO, MarsEffect("enhancement", stat="STR"), MarsEffect("debilitation", stat="RES"))
    throw = keen.roll("FORT")
    tallies = throw.tallies("fortitude")
    assert (throw.advantage, throw.disadvantage) == (1, 1)
    assert (tallies["advantage"].total, tallies["disadvantage"].total) == (1, 1)
    assert [keen.stat("STR").advantage, keen.stat("DEX").advantage, keen.stat("RES").disadvantage] == [1, 0, 1]


@pytest.mark.rule("mars.gap.fatigue.degrees", "mars.move.speed_modifiers")
@pytest.mark.parametrize(("degrees", "less"), [((), 0), ((1,), 1), ((2,), 1), ((3,), 2), ((1, 1), 1), ((2, 3), 3)])
def test_half_of_all_fatigue_rounded_up_is_taken_from_rolls_and_speed(degrees: tuple[int, ...], less: int) -> None:
    tired = tuple([MarsEffect("fatigue", degree=degree, source=f"need {at}") for at, degree in enumerate(degrees)])
    on, off = me(HERO, *tired, fatigue="on"), me(HERO, *tired, fatigue="off")
    assert on.roll("WILL").value.modifier == -less
    assert on.speed.total == 6 - less
    assert off.roll("WILL").value.modifier == 0
    assert off.speed.total == 6


@pytest.mark.rule("mars.gap.fatigue.degrees", "mars.move.speed_modifiers")
@pytest.mark.parametrize(("degree", "metres"), [(10, 1), (12, 1), (20, 1)])
def test_the_weary_still_go_a_metre(degree: int, metres: int) -> None:
    assert me(HERO, MarsEffect("fatigue", degree=degree), fatigue="on").speed.total == metres


@pytest.mark.rule("mars.effect.sickness_penalty")
def test_the_worst_sickness_counts() -> None:
    sick = me(HERO, MarsEffect("sickness", degree=1, source="a"), MarsEffect("sickness", degree=2, source="b"))
    assert sick.penalty == (("sickness", -2, "mars.effect.sickness_penalty"),)
    assert me().penalty == ()


@pytest.mark.rule("mars.stat.armour_rating", "mars.gap.maneuver.list")
def test_ratings_and_rallies_count_for_both_defences() -> None:
    braced = me(HERO, MarsEffect("rating", value=2, source="brace"), MarsEffect("rally", value=1))
    plain = me()
    for name in ("DEF", "EVA"):
        assert braced.roll(name).value.modifier - plain.roll(name).value.modifier == 3
    for other in ("INIT", "FORT", "WILL"):
        assert braced.roll(other).value == plain.roll(other).value


@pytest.mark.rule("mars.gap.maneuver.list")
def test_the_shaken_are_worse_at_what_is_aimed_at_enemies() -> None:
    shaken = me(HERO, MarsEffect("shaken", value=-2, source="intimidating_strike"))
    assert shaken.attack(shaken.wielded[0], "melee").value.modifier == -2
    assert shaken.skill("charisma", aimed=True).value.modifier == -2
    assert shaken.skill("charisma").value.modifier == 0


@pytest.mark.rule("mars.effect.overencumbered", "mars.move.speed_modifiers")
@pytest.mark.parametrize(
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


# ---------------------------------------------------------------------- what is in the hands


@pytest.mark.rule("mars.gap.armour.list", "mars.defence.block")
def test_the_best_shield_blocks() -> None:
    def best(*shields: tuple[str, int]) -> tuple[str, int] | None:
        things = tuple([ItemStack(item, place="hand", left=left) for item, left in shields])
        found = now(duel(FOE, FOE, mine={"belongings": things}).scene, "ann").blocking
        return None if found is None else (found.item, found.left)

    assert best(("small_shield", 10), ("medium_shield", 1)) == ("medium_shield", 1)
    assert best(("medium_shield", 1), ("small_shield", 10)) == ("medium_shield", 1)
    assert best(("small_shield", 3), ("small_shield", 5)) == ("small_shield", 5)
    assert best(("small_shield", 3), ("medium_shield", 0)) == ("small_shield", 3)  # a broken one blocks nothing
    assert best(("small_shield", 0)) is None
    assert best(("small_shield", 1)) == ("small_shield", 1)


@pytest.mark.rule("mars.defence.parry", "mars.gap.armour.list")
def test_weapons_that_can_parry_best_first() -> None:
    def parries(*things: tuple[str, int | None]) -> list[str]:
        held = tuple([ItemStack(item, place="hand", left=left) for item, left in things])
        here = now(duel(FOE, FOE, mine={"belongings": held}).scene, "ann")
        return [f"{item} {value}" for item, value in here.parries]

    assert parries(("straight_sword", None), ("buckler", None)) == ["buckler r10", "straight_sword r6"]
    assert parries(("small_shield", 10), ("straight_sword", None)) == ["small_shield r6", "straight_sword r6"]
    assert parries(("small_shield", 1), ("club", None))[0] == "small_shield r6"
    assert "small_shield r6" in parries(("small_shield", 0), ("club", None))  # broken, which spoils the blocking alone


@pytest.mark.rule("mars.gap.weapon.list", "mars.action.brandish")
def test_two_of_a_kind_are_told_apart_and_bare_hands_are_always_there() -> None:
    both = now(duel(fighter("Ann", ["dagger", "dagger"]), FOE).scene, "ann")
    assert [one.key for one in both.wielded] == ["dagger", "dagger#2", "unarmed"]
    assert [one.hands for one in both.wielded] == [1, 1, 0]
    two = now(duel(fighter("Ann", ["greatsword@hands"]), FOE).scene, "ann")
    assert [(one.key, one.hands) for one in two.wielded] == [("greatsword", 2), ("unarmed", 0)]
    stack = (ItemStack("dagger", 2, place="hand"), ItemStack("knife", place="pack"))
    three = now(duel(FOE, FOE, mine={"belongings": stack}).scene, "ann")
    assert [one.key for one in three.wielded] == ["dagger", "dagger#2", "unarmed"]


@pytest.mark.rule("mars.gap.weapon.reach")
def test_the_longest_melee_weapon_reaches_farthest() -> None:
    def reach(*hold: str) -> int:
        return now(duel(fighter("Ann", hold), FOE).scene, "ann").reach

    assert reach() == 1
    assert reach("club") == 1
    assert reach("shortbow@hands") == 1  # a bow does not reach, bare hands do
    long = next(weapon for weapon in duel(HERO, FOE).scene.library.of(Weapon) if weapon.features.reach == 2)
    assert reach(f"{long.id}@hands", "knife") == 2


@pytest.mark.rule("mars.gap.weapon.two_handed", "mars.gap.weapon.versatile")
@pytest.mark.parametrize(
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


# ---------------------------------------------------------------------- damage


@pytest.mark.rule("mars.damage.pipeline", "mars.attack.damage_by_outcome", "mars.defence.block_damage")
def test_no_shield_is_hurt_where_none_is_held() -> None:
    for degree in (Degree.FAILURE, Degree.GRAZE, Degree.SUCCESS, Degree.CRITICAL):
        assert {tuple(harm)[1] for harm in odds(damage(RollValue(6), degree))} == {0}
    assert set(odds(damage(RollValue(6), Degree.FAILURE))) == {Harm(0, 0)}


@pytest.mark.rule("mars.damage.pipeline", "mars.damage.minimum")
@pytest.mark.parametrize(
    ("reduction", "expected"), [(0, [1, 2, 3, 4]), (1, [1, 1, 2, 3]), (3, [1, 1, 1, 1]), (9, [1, 1, 1, 1])]
)
def test_reduction_takes_its_number_and_leaves_one(reduction: int, expected: list[int]) -> None:
    found = odds(damage(RollValue(4), Degree.SUCCESS, reduction=reduction))
    rolled = sorted([harm.character for harm, chance in found.fractions() for _ in range(int(4 * chance))])
    assert rolled == expected


@pytest.mark.rule("mars.defence.block_overflow", "mars.defence.block_damage")
@pytest.mark.parametrize(
    ("durability", "reduction", "through"),
    [(7, 0, 0), (6, 0, 0), (5, 0, 1), (3, 0, 3), (3, 2, 1), (3, 3, 1), (0, 0, 6)],
)
def test_damage_through_a_shield_by_its_durability(durability: int, reduction: int, through: int) -> None:
    found = odds(damage(RollValue(0, 9), Degree.SUCCESS, reduction=reduction, block=3, durability=durability))
    assert set(found) == {Harm(through, 6)}  # 9 less the block value of 3


# ---------------------------------------------------------------------- what earlier attacks of the turn change


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.gap.weapon.swift", "mars.gap.weapon.cleave")
@pytest.mark.parametrize(
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
@pytest.mark.parametrize(
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


@pytest.mark.rule("mars.gap.weapon.unfit", "mars.gap.weapon.large")
@pytest.mark.parametrize(("apart", "modifier"), [(1, -2), (2, -2), (3, 0)])
def test_a_javelin_is_unfit_within_two_metres(apart: int, modifier: int) -> None:
    scene = duel(fighter("Ann", ["javelin"]), FOE, apart=apart).scene
    assert blow(scene, "javelin/thrown").attack.modifier == modifier


@pytest.mark.rule("mars.attack.hit", "mars.gap.maneuver.list", "mars.maneuver.improvise")
@pytest.mark.parametrize(
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
def test_bare_hands_are_worse_at_another_type_of_damage() -> None:
    scene = duel(FOE, FOE).scene
    same = AttackStep(step="attack", becomes="bludgeoning", off_type=-1)
    other = AttackStep(step="attack", becomes="slashing", off_type=-1)
    found = [blow(scene, "unarmed", step=step) for step in (same, other)]
    assert [(one.attack.modifier, one.damage.modifier, one.kind) for one in found] == [
        (-1, -1, "bludgeoning"),
        (-2, -2, "slashing"),
    ]


@pytest.mark.rule("mars.attack.sneak")
def test_a_ruling_counts_for_whom_and_what_it_was_made() -> None:
    made = (
        Modifier("attack", 2, "high ground"),
        Modifier("attack", 1, "a blessing", "ann"),
        Modifier("attack", 4, "a curse", "bob"),
        Modifier("damage", 8, "poison"),
    )
    scene = replace(duel(HERO, FOE).scene, modifiers=made)
    assert rulings(scene, "attack", "ann") == (("high ground", 2, None), ("a blessing", 1, None))
    assert rulings(scene, "damage", "bob") == (("poison", 8, None),)
    assert rulings(scene, "defence", "ann") == ()


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
