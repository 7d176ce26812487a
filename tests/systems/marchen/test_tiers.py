"""Damage by tiers: armour that is used up, blows, deeds, battles, hardships and the sheet."""

from __future__ import annotations

import pytest

from systems.marchen.acts import done
from systems.marchen.fights import SWORD, begun, duel, fighter
from systems.marchen.people import library, options, somebody, together
from systems.playing import answer as go_on
from systems.playing import status
from tablewright.dice.source import TypedDice
from tablewright.engine import odds, play
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.character.figures import armour, threshold
from tablewright.systems.marchen.content import Assault
from tablewright.systems.marchen.mechanics.harm import hazard, pay_the_price
from tablewright.systems.marchen.mechanics.magic import cast
from tablewright.systems.marchen.now import arms_of, body, dice_of_damage


def test_tiers_wear_armour_down_for_the_length_of_a_fight() -> None:
    bob = fighter("Bob", belongings=(*SWORD, ItemStack("mail", 1, "worn")))
    session = begun(duel(bob=bob, damage_model="tiers"))
    assert body(session.scene, "bob", "physical")[:2] == (0, 2)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 2])
    assert (status(session, "bob").physical, status(session, "bob").soaked) == (1, 2)


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.weapon.cudgel")
def test_assaults_and_lighter_cudgels_have_their_tiers() -> None:
    scene = together(fighter("Ann", skills={"deception": 1}), damage_model="tiers").scene
    found = {name: dice_of_damage(scene, arms) for name, arms in arms_of(scene, "ann").items()}
    assert {name: dice for name, dice in found.items() if library().has(Assault, name)} == {"snub": 1, "fright": 1}
    for dice in (2, 3):
        ann = fighter("Ann", belongings=(ItemStack("cudgel", 1, "hand"),))
        session = together(ann, damage_model="tiers", cudgel_dice=dice)
        assert arms_of(session.scene, "ann")["cudgel"].tier == dice


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.gap.damage.tiers")
def test_by_tiers_a_battle_hits_by_tiers() -> None:
    armoured = fighter("Bob", belongings=(*SWORD, ItemStack("padded", 1, "worn")))
    for faces, ann in (([6, 6, 1, 1], 0), ([5, 5, 1, 1], 1)):  # a clear win and a narrow one
        session = duel(bob=armoured, damage_model="tiers")
        tier = arms_of(session.scene, "ann")["sword"].tier
        assert (tier, body(session.scene, "bob", "physical").soak) == (3, 1)
        done(session, "fight_battle", faces, side="party", against="foes")
        assert (status(session, "bob").physical, status(session, "bob").soaked, status(session).physical) == (2, 1, ann)


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.casting.depths", "marchen.gap.casting.price")
def test_by_tiers_a_deed_and_its_price_are_tiers_and_use_armour_up() -> None:
    mailed = fighter("Bob", belongings=(ItemStack("plate", 1, "worn"),), physical=4)
    session = begun(duel(fighter("Ann", skills={"arcana": 2}), mailed, damage_model="tiers"))
    go_on(session, "cast_harm:bob:shape", [4, 4])
    assert (status(session, "bob").physical, status(session, "bob").soaked) == (0, 2)
    hurt = play(cast(2, 2, soak=1, damage_model="tiers"), TypedDice([4, 4, 1, 1])).result.hurt
    assert (hurt.damage, hurt.soaked) == (1, 1)
    for depth, tier in ((1, 1), (2, 2), (3, 3), (4, 5)):
        won = play(cast(2, depth, threshold=90, damage_model="tiers"), TypedDice([4, 4, 1, 1])).result
        assert won.hurt.damage == tier
        healed = play(cast(2, depth, purpose="heal", damage_model="tiers"), TypedDice([4, 4])).result
        assert (healed.healed, healed.price.damage) == (tier, 1)
    for faces, price in (([1, 2], 1), ([1, 1], 2)):  # costly, catastrophic
        assert play(cast(0, 2, damage_model="tiers"), TypedDice(faces)).result.price.damage == price


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.ounces.pay_the_price")
def test_by_tiers_hardships_and_failures_are_tiers_too() -> None:
    for dice, tier in ((0, 0), (1, 1), (3, 3), (4, 5), (7, 5)):
        call = hazard(dice, 2, threshold=90, enduring=False, damage_model="tiers")
        assert [suffered.damage for suffered in odds(call).outcomes] == [tier + 2]
        assert play(call, TypedDice([])).result.damage == tier + 2
    for degree, tier in (("costly", 1), ("catastrophic", 2)):
        price = pay_the_price(degree, threshold=90, damage_model="tiers")
        assert play(price, TypedDice([1, 1])).result.suffered.damage == tier  # nothing is endured
    session = together(fighter("Ann"), damage_model="tiers")
    done(session, "hurt", [1, 2], who="ann", dice=3)
    assert status(session).physical == 3
    done(session, "face_danger", [1, 3, 1, 3], ["pay"], who="ann", skill="athletics")  # costly: a Small one
    assert status(session).physical == 4


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.armour.natural")
def test_by_tiers_a_sheet_shows_points_of_armour_and_thresholds_are_small() -> None:
    mailed = fighter("Ann", belongings=(ItemStack("mail", 1, "worn"), ItemStack("shield", 1, "hand")), hide=2, acuity=3)
    for model, physical, mental, soak in (("dice", 8, 3, 0), ("tiers", 3, 0, 3)):
        using = options(damage_model=model)
        worn = [armour(mailed, aspect, using, library()).total for aspect in ("physical", "mental")]
        assert worn == [physical, mental]
        assert body(together(mailed, damage_model=model).scene, "ann", "physical").soak == soak
    tiers, long = options(damage_model="tiers"), options(damage_model="tiers", score_scale="cepheus")
    assert threshold(somebody(physical=2, muscle=3), "physical", tiers).total == 6
    assert threshold(somebody(physical=-4), "physical", tiers).total == 1
    assert threshold(somebody(muscle=12, agility=12, stamina=12), "physical", long).total == 6
