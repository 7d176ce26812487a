"""Things change hands, are drawn, worn, damaged, repaired, made and enchanted; spells are prepared and learned."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, words
from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.costs import Cost
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session
from tablewright.systems.stage.chapters.enchantment import enchanted
from tablewright.systems.stage.character.figures import enchantments_in, energy_in
from tablewright.systems.stage.checks import demand_payable
from tablewright.systems.stage.content import Enchantment
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import HOUR

LEDGER = Ledger.load("stage")


def things(session: Session, who: str = "ann") -> list[str]:
    return [str(one) for one in session.scene[who].belongings]


def of_ann(*has: str, **fields: Any) -> Session:
    return session_of({"ann": somebody(3, name="Ann", has=has, **fields)})


@pytest.mark.rule("stage.gap.character.starting_equipment")
def test_buying_and_selling() -> None:
    session = of_ann(money=100)
    session.do("stage.buy", who="ann", item="long_sword")
    session.do("stage.buy", who="ann", item="arrow")
    assert things(session) == ["long_sword (pack)", "20 arrow (pack)"]
    assert session.scene["ann"].character.money == 100 - 80 - 4
    session.do("stage.sell", who="ann", item="long_sword")
    assert session.scene["ann"].character.money == 16 + 40
    with pytest.raises(IllegalActionError, match="costs 500 and Ann has 56"):
        session.do("stage.buy", who="ann", item="plate_harness")
    with pytest.raises(IllegalActionError, match="not for sale"):
        session.do("stage.buy", who="ann", item="bite")


@pytest.mark.rule("stage.equipment.retrieve", "stage.equipment.size")
def test_drawing_takes_hands_by_size() -> None:
    session = of_ann("long_sword", "bow@belt", "small_shield", "great_sword", "mail_shirt")
    session.do("stage.draw", who="ann", item="long_sword")
    session.do("stage.draw", who="ann", item="small_shield")
    assert {"long_sword (hand)", "small_shield (hand)"} <= set(things(session))
    with pytest.raises(IllegalActionError, match="no hand is free for Bow"):
        session.do("stage.draw", who="ann", item="bow")
    session.do("stage.stow", who="ann", item="long_sword")
    session.do("stage.stow", who="ann", item="small_shield", reach=False)
    session.do("stage.draw", who="ann", item="bow")
    assert {"bow (hands)", "long_sword (belt)", "small_shield (pack)"} <= set(things(session))
    with pytest.raises(IllegalActionError, match="is worn, not held"):
        session.do("stage.draw", who="ann", item="mail_shirt")
    with pytest.raises(IllegalActionError, match="not in hand"):
        session.do("stage.stow", who="ann", item="great_sword")
    small = of_ann("great_sword", race="alp")
    with pytest.raises(IllegalActionError, match="cannot be wielded at Size 6"):
        small.do("stage.draw", who="ann", item="great_sword")


@pytest.mark.rule("stage.gap.equipment.armour", "stage.equipment.armor")
def test_wearing_armour() -> None:
    session = of_ann("mail_shirt", "leather_armour", "helmet", "small_shield", "club")
    session.do("stage.wear", who="ann", item="mail_shirt")
    session.do("stage.wear", who="ann", item="helmet")
    with pytest.raises(IllegalActionError, match="worn on the body already"):
        session.do("stage.wear", who="ann", item="leather_armour")
    with pytest.raises(IllegalActionError, match="held, not worn"):
        session.do("stage.wear", who="ann", item="small_shield")
    with pytest.raises(IllegalActionError, match="cannot be worn"):
        session.do("stage.wear", who="ann", item="club")
    session.do("stage.stow", who="ann", item="mail_shirt", reach=False)
    session.do("stage.wear", who="ann", item="leather_armour")
    assert "leather_armour (worn)" in things(session)


@pytest.mark.rule("stage.encumbrance.loads")
def test_found_items_go_to_their_place_unless_too_heavy() -> None:
    session = session_of({"ann": somebody(name="Ann", guile=2)})  # at most 6
    session.do("stage.take", who="ann", item="mail_shirt")
    session.do("stage.take", who="ann", item="long_sword")
    session.do("stage.take", who="ann", item="arrow", count=20)
    assert things(session) == ["mail_shirt (worn)", "long_sword (hand)", "20 arrow (belt)"]
    with pytest.raises(IllegalActionError, match="a load of 13/2 cannot be carried, at most 6 can"):
        session.do("stage.take", who="ann", item="rope")
    both = session_of({"ann": somebody(name="Ann", guile=2)})
    both.do("stage.take", who="ann", item="dagger", count=2)
    assert things(both) == ["2 dagger (hand)"]
    both.do("stage.take", who="ann", item="dagger", count=3)
    assert things(both) == ["2 dagger (hand)", "3 dagger (pack)"]


@pytest.mark.rule("stage.equipment.integrity", "stage.equipment.material")
def test_gear_is_damaged_and_destroyed() -> None:
    session = of_ann("small_shield@hand", "short_sword@hand")
    session.do("stage.damage_item", who="ann", item="short_sword", amount=9, material="wood")
    assert "short_sword (hand)" in things(session)
    session.do("stage.damage_item", who="ann", item="small_shield", amount=4, material="steel")
    assert "small_shield (hand, 2 left)" in things(session)
    session.do("stage.damage_item", who="ann", item="small_shield", amount=9)
    assert "small_shield (hand, 0 left)" in things(session)
    with pytest.raises(IllegalActionError, match="is whole"):
        session.do("stage.damage_item", who="ann", item="small_shield", amount=1)


@pytest.mark.rule("stage.crafts.repair")
def test_repair_takes_hours_and_a_tenth_of_the_price() -> None:
    session = of_ann("small_shield@hand", "crafts_kit", money=10)
    session.do("stage.damage_item", who="ann", item="small_shield", amount=4)
    session.do("stage.repair", who="ann", item="small_shield")  # Size 5, Complexity 3
    answer(session, "2", [4, 4], [5])
    assert session.result
    assert "small_shield (hand)" in things(session)
    assert session.scene["ann"].character.money == 8  # a tenth of 15, in whole coins
    assert session.scene.clock.now == 3 * HOUR  # eight less the second roll of 5
    with pytest.raises(IllegalActionError, match="is whole"):
        session.do("stage.repair", who="ann", item="small_shield")


@pytest.mark.rule("stage.crafts.craft")
def test_making_things_wastes_half_the_material_when_it_fails() -> None:
    session = of_ann("crafts_kit", money=40)
    session.do("stage.craft", who="ann", item="bow")  # Size 6, Complexity 5
    answer(session, "2", [5, 5])
    assert not session.result
    assert session.scene["ann"].character.money == 30
    assert session.scene.clock.now == 8 * HOUR
    session.do("stage.craft", who="ann", item="bow")
    answer(session, "2", [6, 5], [6])
    assert session.result
    assert session.scene["ann"].character.money == 10
    assert "bow (pack)" in things(session)
    assert session.scene.clock.now == 10 * HOUR
    with pytest.raises(IllegalActionError, match="costs 20 and Ann has 10"):
        session.do("stage.craft", who="ann", item="bow")
    with pytest.raises(IllegalActionError, match="design"):
        session.do("stage.craft", who="ann", item="club", known=False)


@pytest.mark.rule("stage.crafts.craft")
def test_half_of_an_odd_number_of_coins_is_rounded_up() -> None:
    session = of_ann("crafts_kit", money=10)
    session.do("stage.craft", who="ann", item="dagger")  # material for 5
    answer(session, "2", [1, 1])
    assert session.scene["ann"].character.money == 7


@pytest.mark.rule("stage.gap.equipment.armour")
def test_missing_armour_is_not_put_on() -> None:
    session = session_of({"ann": somebody(3, has=["padded_coat@worn"])})
    with pytest.raises(IllegalActionError, match="mail_shirt"):
        session.do("stage.wear", who="ann", item="mail_shirt")


@pytest.mark.rule("stage.power_effect.ap_cost", "stage.crafts.sabotage", "stage.skill.description_fields")
def test_a_mechanic_works_in_moments() -> None:
    session = of_ann("crafts_kit", powers=("mechanic",))
    situation = ["thing=good_lock", "powers=mechanic"]
    session.do("table.check", who="ann", what="crafts.sabotage", situation=situation)
    answer(session, "2", [6, 6], [4])
    assert session.scene.clock.now == 0
    assert session.scene["ann"].status.intellect == 24 - 1
    session.do("table.check", who="ann", what="crafts.sabotage", situation=["thing=good_lock"])
    answer(session, "2", [6, 6], [4])
    assert session.scene.clock.now == HOUR


@pytest.mark.rule("stage.upkeep.supplies")
def test_supplies_are_used_up() -> None:
    session = session_of(
        {"ann": somebody(3, name="Ann").changed(belongings=(ItemStack("ration", 3), ItemStack("water", 2)))}
    )
    session.do("stage.use_supplies", who="ann", food=2, water=1)
    assert things(session) == ["ration (pack)", "water (pack)"]
    with pytest.raises(IllegalActionError, match="no food left"):
        session.do("stage.use_supplies", who="ann", food=2, water=0)
    assert things(session) == ["ration (pack)", "water (pack)"]


def test_the_fallen_are_looted_and_the_standing_are_not() -> None:
    session = session_of({"ann": somebody(3, name="Ann"), "bob": person("guard", money=7)})
    with pytest.raises(IllegalActionError, match="is awake and keeps it"):
        session.do("stage.loot", who="ann", fallen="bob")
    session.do("table.rule", who="bob", field="vitality", value="0", reason="fell down the stairs")
    session.do("stage.loot", who="ann", fallen="bob", item="spear")
    assert things(session) == ["spear (pack)"]
    session.do("stage.loot", who="ann", fallen="bob")
    assert session.scene["bob"].belongings == ()
    assert session.scene["ann"].character.money == 7


# ---------------------------------------------------------------------- points and hours


@pytest.mark.rule("stage.skill.description_fields", "stage.resource.spend")
def test_a_cost_is_paid_whether_or_not_the_check_succeeds() -> None:
    session = session_of({"ann": somebody(1, name="Ann", has=["medicine_kit"])})
    for face, left in ((1, 7), (6, 6)):
        session.do("table.check", who="ann", what="medicine.first_aid")
        session.type_in([face])
        assert session.scene["ann"].status.intellect == left


@pytest.mark.rule("stage.power.payment", "stage.resource.spend")
def test_a_power_without_points_costs_the_core() -> None:
    arlef = person("arlef").changed(wounds=person("arlef").wounds.changed(stamina=0))
    session = session_of({"arlef": arlef})
    session.do("table.check", who="arlef", what="guile.disable", situation=["thing=good_lock", "powers=thief"])
    session.type_in([2, 2, 2])
    assert (session.scene["arlef"].status.stamina, session.scene["arlef"].status.vitality) == (0, 3)


@pytest.mark.rule("stage.resource.spend")
@pytest.mark.parametrize("last", ["allow", "forbid"])
def test_the_last_core_point(last: str) -> None:
    options = StageOptions(spend_last_core=last)  # type: ignore[arg-type]
    arlef = person("arlef")
    dying = arlef.changed(wounds=arlef.wounds.changed(stamina=0, vitality=1))
    if last == "allow":
        assert numbers(plan(dying, "guile.disable", options, thing="good_lock", powers="thief"))[3] == 8
    else:
        with pytest.raises(IllegalActionError, match="costs 1 stamina, 0 left"):
            plan(dying, "guile.disable", options, thing="good_lock", powers="thief")
    with pytest.raises(IllegalActionError, match="costs 9 stamina, 4 left"):
        demand_payable(alone(arlef, options), Cost.of(stamina=9), "stage.resource.spend")
    able = Cost.of(stamina=8 if last == "allow" else 7)
    demand_payable(alone(arlef, options), able, "stage.resource.spend")


# ---------------------------------------------------------------------- magic in hours


@pytest.mark.rule("stage.magic.app_learn", "stage.magic.learn_limit")
def test_learning_a_spell() -> None:
    session = session_of({"ysolt": person("ysolt")})
    session.do("stage.learn", who="ysolt", what="searing_hand")
    answer(session, "1", [3], [4])
    assert session.result
    assert "searing_hand" in session.scene["ysolt"].character.spells
    assert session.scene.clock.now == (8 - 4) * HOUR
    assert session.scene["ysolt"].status.stamina == 5 - 1
    with pytest.raises(IllegalActionError, match="needs Infusion 3"):
        session.do("stage.learn", who="ysolt", what="mend_flesh")
    with pytest.raises(IllegalActionError, match="known already"):
        session.do("stage.learn", who="ysolt", what="flare")
    with pytest.raises(IllegalActionError, match="is learned with"):
        session.do("stage.learn", who="ysolt", what="vigour", skill="projection")
    session.do("stage.learn", who="ysolt", what="warding")
    answer(session, "1", [2])  # Difficulty 3 times 2
    assert not session.result
    assert session.scene["ysolt"].character.enchantments == ()
    assert numbers(plan(person("ysolt"), "infusion.learn", spell="wither"))[3] == 3


@pytest.mark.rule("stage.magic.app_detect")
def test_detecting_and_identifying_magic() -> None:
    data = LEDGER["stage.magic.app_detect"].data
    for circle in (1, 4):
        assert numbers(plan(somebody(3), "psionics.detect", circle=circle))[3] == circle
        assert numbers(plan(somebody(3), "psionics.detect", circle=circle, identify="yes"))[3] == 3 * circle
    assert data["identify_difficulty"] == "3 x circle"


@pytest.mark.rule("stage.magic.app_enchant", "stage.magic.enchant_check")
def test_the_difficulty_of_an_enchantment() -> None:
    (example,) = LEDGER["stage.magic.app_enchant"].examples
    given, expected = example["given"], example["expect"]
    words_ = {"circle": given["circle"], "core": given["sacrifice_core"], "complexity": given["complexity"]}
    planned = plan(somebody(3), "animation.enchant", **words_)
    assert numbers(planned)[3] == expected["difficulty"]
    session = session_of({"ann": somebody(3, name="Ann")})
    situation = [f"{name}={value}" for name, value in words_.items()]
    session.do("table.check", who="ann", what="animation.enchant", situation=situation)
    session.type_in([1, 1, 1])
    assert session.scene["ann"].status.stamina == 24 - expected["cost"]
    with pytest.raises(IllegalActionError, match="Complexity 6 holds no 7"):
        plan(somebody(3), "animation.enchant", circle=1, core=3, complexity=6, already=4)


def _enchanter(**fields: Any) -> Any:
    return somebody(3, name="Ann", has=["short_sword@hand"], enchantments=("keen_edge", "hardening"), **fields)


@pytest.mark.rule("stage.magic.sacrifice", "stage.magic.app_enchant", "stage.magic.combine_enchantments")
def test_enchanting_a_sword() -> None:
    session = session_of({"ann": _enchanter(), "wolf": person("wolf"), "bear": person("bear")})
    session.do("stage.enchant", who="ann", enchantment="keen_edge", item="short_sword", core=1, sacrifice="wolf")
    session.type_in([1, 1, 1])  # circle 1, core 1, Complexity 6: it fails
    assert not session.result
    assert session.scene["wolf"].status.dead  # also when the check fails
    assert not session.scene["ann"].belongings[0].more
    assert session.scene.clock.now == HOUR
    session.do("stage.enchant", who="ann", enchantment="keen_edge", item="short_sword", core=2, sacrifice="bear")
    session.type_in([3, 3, 3])
    assert session.result
    sword = session.scene["ann"].belongings[0]
    assert (enchantments_in(sword), energy_in(sword)) == (("keen_edge",), {"vitality": 2})
    assert session.scene.clock.now == 3 * HOUR
    assert session.scene["ann"].status.stamina == 24 - 1 - 2
    session.do("stage.enchant", who="ann", enchantment="keen_edge", item="short_sword", core=4)
    session.type_in([6, 6, 6])
    sword = session.scene["ann"].belongings[0]
    assert (enchantments_in(sword), energy_in(sword)) == (("keen_edge", "keen_edge"), {"vitality": 6})
    with pytest.raises(IllegalActionError, match="Complexity 6 holds no 7"):
        session.do("stage.enchant", who="ann", enchantment="keen_edge", item="short_sword", core=1)
    assert "puts Keen Edge into short_sword" in " ".join(words(session))


@pytest.mark.rule("stage.magic.combine_enchantments", "stage.magic.app_enchant")
@pytest.mark.parametrize("count", [1, 2])
def test_one_thing_of_several_is_enchanted_and_the_others_stay_as_they_are(count: int) -> None:
    broken, club, spear = ItemStack("dagger", left=0), ItemStack("club"), ItemStack("spear")
    mine = (broken, club, ItemStack("dagger", count=count), spear)
    edge = library().get(Enchantment, "keen_edge")
    after = enchanted(mine, "dagger", edge, 2)
    sharp = next(one for one in after if enchantments_in(one))
    rest = [one for one in after if one is not sharp]
    assert (sharp.item, sharp.count, energy_in(sharp)) == ("dagger", 1, {"vitality": 2})
    assert rest == [broken, club, *([ItemStack("dagger")] if count == 2 else []), spear]


@pytest.mark.rule("stage.magic.sacrifice", "stage.gap.magic.enchantments")
def test_items_that_cannot_be_enchanted() -> None:
    session = session_of({"ann": _enchanter(), "wolf": person("wolf")})
    common = {"who": "ann", "item": "short_sword"}
    with pytest.raises(IllegalActionError, match=r"takes no .*, which goes into armour"):
        session.do("stage.enchant", enchantment="hardening", core=2, **common)
    with pytest.raises(IllegalActionError, match="Ann does not know Vigour, but Keen Edge, Hardening"):
        session.do("stage.enchant", enchantment="vigour", core=2, **common)
    large = session_of(
        {"ann": _enchanter().changed(belongings=(ItemStack("great_sword", place="hands"),)), "wolf": person("wolf")}
    )
    with pytest.raises(IllegalActionError, match="Wolf has 7 Vitality, not 8"):
        large.do("stage.enchant", who="ann", enchantment="keen_edge", item="great_sword", core=8, sacrifice="wolf")
    with pytest.raises(InvalidInputError, match="enchants and cannot be the sacrifice; name another one"):
        session.do("stage.enchant", enchantment="keen_edge", core=1, sacrifice="ann", **common)
    armour = session_of({"ann": _enchanter().changed(belongings=(ItemStack("mail_shirt", place="worn"),))})
    with pytest.raises(IllegalActionError, match="needs 2 Vitality, the sacrifice yields 1"):
        armour.do("stage.enchant", who="ann", enchantment="hardening", item="mail_shirt", core=1)


@pytest.mark.rule("stage.power_effect.sacrifice_potency")
def test_a_stronger_sacrifice_counts_for_more() -> None:
    session = session_of(
        {"ann": _enchanter(powers=("death_knell",)).changed(belongings=(ItemStack("mail_shirt", place="worn"),))}
    )
    session.do("stage.enchant", who="ann", enchantment="hardening", item="mail_shirt", core=1)
    session.type_in([6, 3, 2])  # circle 2, core 1, Complexity 8
    assert session.result
    assert energy_in(session.scene["ann"].belongings[0]) == {"vitality": 3}
    assert session.scene.clock.now == HOUR
    with pytest.raises(IllegalActionError, match="Complexity 8 holds no 9"):
        session.do("stage.enchant", who="ann", enchantment="hardening", item="mail_shirt", core=4)


@pytest.mark.rule("stage.magic.focus", "stage.gap.magic.focus")
def test_spells_are_prepared_in_a_thing_to_hold() -> None:
    session = session_of({"ysolt": person("ysolt")})
    session.do("stage.prepare", who="ysolt", spells=["flare", "wither"])
    assert session.scene["ysolt"].character.prepared == ("flare", "wither")
    with pytest.raises(IllegalActionError, match="Ysolt does not know Daze, but Healing Touch, Wither, Flare, Ward"):
        session.do("stage.prepare", who="ysolt", spells=["daze"])
    with pytest.raises(IllegalActionError, match=r'"wnad" is not among the belongings.*; did you mean "wand"'):
        session.do("stage.prepare", who="ysolt", spells=["flare"], item="wnad")
    plain = person("ysolt").changed(powers=("focus",), prepared=())
    session = session_of({"ysolt": plain})
    with pytest.raises(IllegalActionError, match="1 more spells than the Focus holds"):
        session.do("stage.prepare", who="ysolt", spells=["flare", "wither", "ward"])


def test_hours_are_exact() -> None:
    assert Fraction(HOUR, 60) == 5
    assert OPTIONS.magic == "on"
