"""Finer points of life and war: traits, standing, helpers, gear, what a battle does at least, armour against deeds."""

from __future__ import annotations

import pytest

from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import OPTIONS, ann, book, done, library, options, somebody, together, told
from systems.marchen.test_seasons import alone, hero, refused, season, week
from systems.playing import answer as go_on
from tablewright.dice.source import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.sheet import sheet_text
from tablewright.systems.marchen.character.figures import armour, current
from tablewright.systems.marchen.character.record import Condition, Wounds
from tablewright.systems.marchen.mechanics.harm import hazard, pay_the_price
from tablewright.systems.marchen.mechanics.magic import cast
from tablewright.systems.marchen.now import arms_of, body
from tablewright.systems.marchen.status import leave

TRAIT = "marchen.sojourn.gain_trait"
HURT = {"damage": {"physical": 5}}


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living")
def test_a_character_who_has_paid_the_last_treasure_has_lived_well() -> None:
    for bonus in (1, 2):
        session = season(alone(hero(treasure=3 * bonus)), f"standard_of_living:{bonus}")
        assert (ann(session).treasure, [one.value for one in ann(session).raises]) == (0, [bonus])
        assert "comes to nothing" not in told(session)
        assert refused(session, f"standard_of_living:{bonus}") == "marchen.sojourn.raise_standard_of_living"


@pytest.mark.rule("marchen.sojourn.gain_trait")
def test_the_owner_says_which_trait_makes_room() -> None:
    session = season(alone(hero(traits=("grim", "tall"))), "gain_trait:merry", answers=["tall"])
    assert ann(session).traits == ("grim", "merry")
    assert ann(season(alone(hero(traits=("grim",))), "gain_trait:merry")).traits == ("merry",)
    assert ann(season(alone(), "gain_trait:merry")).traits == ("merry",)


@pytest.mark.rule("marchen.sojourn.gain_trait", "marchen.gap.career.check")
def test_only_traits_that_one_has_and_no_scars_are_given_up() -> None:
    scar = Condition(name="social scar", aspect="social", permanent=True)
    scarred = hero(traits=("social scar", "grim"), wounds=Wounds(conditions=(scar,)))
    assert ann(season(alone(scarred), "gain_trait:merry")).traits == ("social scar", "merry")
    for plan in ("gain_trait:social scar>merry", "gain_trait:tall>merry", "gain_trait:grim", "gain_trait:grim>"):
        assert refused(alone(scarred), plan) == TRAIT


@pytest.mark.rule("marchen.sojourn.raise_standing")
def test_standing_is_raised_at_home_and_nowhere_else() -> None:
    session = alone(hero(treasure=30))
    done(session, "arrive", place="Lübeck", culture="Hanse")
    with pytest.raises(IllegalActionError, match="not at home") as no:
        session.do("marchen.raise_standing", who="ann")
    assert no.value.rule == "marchen.sojourn.raise_standing"
    done(session, "arrive", place="Köln", culture="Rhineland")
    done(session, "raise_standing", who="ann")
    assert ann(session).treasure == 18


@pytest.mark.rule("marchen.aid.limit")
def test_helpers_for_whom_there_is_no_room_have_made_no_check() -> None:
    helpers = [somebody(one, skills={"athletics": 2}) for one in ("Bob", "Cid")]
    session = together(hero(skills={"athletics": 2}, muscle=4), *helpers, max_helpers=1)
    for who in ("ann", "bob", "cid"):
        done(session, "gain_help", who=who, dm=1)
    done(session, "aid", [4, 4, 4, 4], who=("ann", "bob", "cid"), what="athletics")
    assert [len(session.scene[who].status.nexts) for who in ("ann", "bob", "cid")] == [0, 0, 1]


@pytest.mark.rule("marchen.puncti.check_gear", "marchen.ounces.lose_momentum")
def test_looking_for_gear_is_a_check_like_others() -> None:
    session = alone(hero(supply=1, songs=("The road",)))
    done(session, "gain_help", who="ann", dm=2)
    done(session, "sing", who="ann", song="The road")
    assert done(session, "check_gear", [2, 2], who="ann", item="a rope")  # 4 + 1 + 2 + 1: a tie
    assert (ann(session).supply, session.scene["ann"].status.nexts) == (0, ())
    done(session, "lose_momentum", who="ann")
    assert not done(session, "check_gear", [6, 6, 3, 4], who="ann", item="a rope")
    assert not session.scene["ann"].status.hindered
    assert done(session, "check_gear", [4, 4], who="ann", item="a rope")


# ---------------------------------------------------------------------- harm


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.gap.damage.formula")
@pytest.mark.parametrize(("model", "dice"), [("dice", [1]), ("tiers", [])])
def test_a_serendipitous_battle_hurts_the_best_armoured(model: str, dice: list[int]) -> None:
    dagger = (ItemStack("dagger", 1, "hand"),)
    for muscle, harm in ((1, 0), (2, 1)):  # a critical success and a serendipitous one; the dagger is half as strong
        leader = fighter("Ann", belongings=dagger, home_tl=0, physical=muscle)
        foe = fighter("Bob", hide=30, belongings=(*dagger, ItemStack("battle_dress", 1, "worn")), home_tl=0)
        session = duel(leader, foe, damage_model=model)
        done(session, "fight_battle", [6, 6, 1, 1, *dice], side="party", against="foes")
        assert session.scene["bob"].status.physical == harm


@pytest.mark.rule("marchen.gap.damage.formula")
def test_the_least_of_a_hit_is_in_its_odds() -> None:
    call = hazard(1, 0, 20, 0, 0, 50, enduring=False, least=1)
    assert [suffered.damage for suffered in odds(call).outcomes] == [1]
    assert play(call, TypedDice([3])).result.damage == 1


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.gap.casting.price")
def test_a_deed_of_the_spirit_heals_and_wearies() -> None:
    session = ruled(begun(duel(fighter("Ann", skills={"theurgy": 2}))), "ann", physical=9)
    go_on(session, "cast_heal:ann:shape", [6, 5], [3, 4])
    status = session.scene["ann"].status
    assert status.physical < 9
    assert status.spiritual > 0


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.casting.depths")
def test_by_tiers_armour_is_used_up_by_deeds_too() -> None:
    mailed = fighter("Bob", belongings=(ItemStack("plate", 1, "worn"),), physical=4)
    session = begun(duel(fighter("Ann", skills={"arcana": 2}), mailed, damage_model="tiers"))
    go_on(session, "cast_harm:bob:shape", [4, 4])
    status = session.scene["bob"].status
    assert (status.physical, status.soaked) == (0, 2)
    hurt = play(cast(2, 2, soak=1, damage_model="tiers"), TypedDice([4, 4, 1, 1])).result.hurt
    assert (hurt.damage, hurt.soaked) == (1, 1)


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.casting.price")
def test_by_tiers_a_deed_and_its_price_are_tiers_too() -> None:
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
    assert session.scene["ann"].status.physical == 3
    done(session, "face_danger", [1, 3, 1, 3], ["pay"], who="ann", skill="athletics")  # costly: a Small one
    assert session.scene["ann"].status.physical == 4


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.weapon.cudgel")
def test_a_lighter_cudgel_is_of_a_lower_tier() -> None:
    ann = fighter("Ann", belongings=(ItemStack("cudgel", 1, "hand"),))
    for dice in (2, 3):
        session = together(ann, damage_model="tiers", cudgel_dice=dice)
        assert arms_of(session.scene, "ann")["cudgel"].tier == dice


@pytest.mark.rule("marchen.resource.tracks")
def test_a_sheet_counts_the_conditions_of_the_weapon_in_hand() -> None:
    worn, sound = ItemStack("sword", 1, "pack", left=1), ItemStack("sword", 1, "hand")
    broken = somebody("Ann", skills={"melee_combat": 0}, home_tl=1, belongings=(worn, sound))
    shown = [line for line in sheet_text(book().sheet(broken, OPTIONS, library())).splitlines() if "3D6" in line]
    assert shown[0].split()[:2] == ["Sword", "0"]


@pytest.mark.rule("marchen.gap.armour.list", "marchen.gap.armour.natural")
def test_hide_and_armour_together_may_be_more_than_any_blow() -> None:
    dressed = fighter("Bob", hide=30, belongings=(ItemStack("battle_dress", 1, "worn"),))
    session = begun(duel(fighter("Ann"), dressed))
    go_on(session, "strike:bob:sword", "none", [4, 5], [6, 6, 6])
    assert session.scene["bob"].status.physical == 0
    done(duel(fighter("Ann"), dressed), "fight_battle", [6, 6, 1, 1, 1, 1, 1], side="party", against="foes")


@pytest.mark.rule("marchen.gap.damage.formula", "marchen.gap.fight.battle")
def test_a_battle_may_be_won_by_far_where_the_effect_counts() -> None:
    session = duel(core="D100", damage_bonus="effect")
    done(session, "fight_battle", [100, 1, 1, 1, 1], side="party", against="foes")
    assert session.scene["bob"].status.physical == 3 + 49


@pytest.mark.rule("marchen.gap.damage.tiers", "marchen.gap.armour.natural")
def test_by_tiers_a_sheet_shows_points_of_armour() -> None:
    mailed = fighter("Ann", belongings=(ItemStack("mail", 1, "worn"), ItemStack("shield", 1, "hand")), hide=2, acuity=3)
    for model, physical, mental in (("dice", 8, 3), ("tiers", 3, 0)):
        using = options(damage_model=model)
        worn = [armour(mailed, aspect, using, library()).total for aspect in ("physical", "mental")]
        assert worn == [physical, mental]
        assert body(together(mailed, damage_model=model).scene, "ann", "physical").soak == (
            3 if model == "tiers" else 0
        )


@pytest.mark.rule("marchen.week.honoring_the_fallen")
def test_the_fallen_are_honoured_once_by_each() -> None:
    session = week(alone(hero(spiritual=2)), "honoring_the_fallen:Otto")
    assert refused(session, "honoring_the_fallen:otto", "week") == "marchen.week.honoring_the_fallen"
    week(session, "honoring_the_fallen:Rosa")
    assert current(ann(session), "spiritual", OPTIONS).total == 4


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_character_who_is_down_but_conscious_stays_so_from_scene_to_scene() -> None:
    for conscious in (True, False):
        session = ruled(alone(), "ann", down=True, conscious=conscious)
        again = together(leave(session.scene, "ann"))
        assert (again.scene["ann"].status.down, again.scene["ann"].status.conscious) == (True, conscious)


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.puncti.compel", "marchen.gap.fight.reactions")
@pytest.mark.parametrize(
    ("use", "faces"), [("cast_harm:ann:sense", [[4, 4], [1], [1, 1]]), ("compel:ann", [[1, 1], [6, 6]])]
)
def test_a_character_who_harms_or_threatens_from_hiding_is_seen(use: str, faces: list[list[int]]) -> None:
    session = duel(fighter("Ann"), fighter("Bob", skills={"arcana": 1, "intimidation": 0}))
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    go_on(session, use, *faces)
    assert not session.scene["bob"].hidden


@pytest.mark.rule("marchen.watch.first_aid")
def test_first_aid_that_fails_is_told_as_such_and_was_given() -> None:
    session = together(hero(skills={"life_sciences": 0}), somebody("Bob", wounds=Wounds.model_validate(HURT)))
    assert done(session, "first_aid", [3, 4], who="ann", patient="bob") == 0
    assert "The treatment does not help Bob." in told(session)
    assert "heals" not in told(session)
    with pytest.raises(IllegalActionError, match="was treated"):
        session.do("marchen.first_aid", who="ann", patient="bob")
