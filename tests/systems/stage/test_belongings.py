"""Things change hands, are drawn, worn, damaged, repaired, made and enchanted; spells are prepared and learned."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, go, words
from systems.stage.fights import ONE
from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, refused, session_of, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.costs import Cost
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.chapters.enchantment import enchanted
from tablewright.systems.stage.character.figures import enchantments_in, energy_in
from tablewright.systems.stage.checks import demand_payable
from tablewright.systems.stage.content import Enchantment
from tablewright.systems.stage.legality import legality
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import HOUR, MINUTE

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
    refused("costs 500 and Ann has 56", session.do, "stage.buy", who="ann", item="plate_harness")
    refused("not for sale", session.do, "stage.buy", who="ann", item="bite")


@pytest.mark.rule("stage.equipment.retrieve", "stage.equipment.size")
def test_drawing_takes_hands_by_size() -> None:
    session = of_ann("long_sword", "bow@belt", "small_shield", "great_sword", "mail_shirt")
    session.do("stage.draw", who="ann", item="long_sword")
    session.do("stage.draw", who="ann", item="small_shield")
    assert {"long_sword (hand)", "small_shield (hand)"} <= set(things(session))
    refused("no hand is free for Bow", session.do, "stage.draw", who="ann", item="bow")
    session.do("stage.stow", who="ann", item="long_sword")
    session.do("stage.stow", who="ann", item="small_shield", reach=False)
    session.do("stage.draw", who="ann", item="bow")
    assert {"bow (hands)", "long_sword (belt)", "small_shield (pack)"} <= set(things(session))
    refused("is worn, not held", session.do, "stage.draw", who="ann", item="mail_shirt")
    refused("not in hand", session.do, "stage.stow", who="ann", item="great_sword")
    small = of_ann("great_sword", race="alp")
    refused("cannot be wielded at Size 6", small.do, "stage.draw", who="ann", item="great_sword")


@pytest.mark.rule("stage.encumbrance.loads")
def test_found_items_go_to_their_place_unless_too_heavy() -> None:
    session, both = [session_of({"ann": somebody(name="Ann", guile=2)}) for _ in range(2)]  # at most 6
    for item, count in (("mail_shirt", 1), ("long_sword", 1), ("arrow", 20)):
        session.do("stage.take", who="ann", item=item, count=count)
    assert things(session) == ["mail_shirt (worn)", "long_sword (hand)", "20 arrow (belt)"]
    too_much = "a load of 13/2 cannot be carried, at most 6 can"
    refused(too_much, session.do, "stage.take", who="ann", item="rope")
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
    refused("is whole", session.do, "stage.damage_item", who="ann", item="small_shield", amount=1)


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
    refused("is whole", session.do, "stage.repair", who="ann", item="small_shield")


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
    refused("costs 20 and Ann has 10", session.do, "stage.craft", who="ann", item="bow")
    refused("design", session.do, "stage.craft", who="ann", item="club", known=False)
    session.do("stage.craft", who="ann", item="dagger")  # material for 5
    answer(session, "2", [1, 1])
    assert session.scene["ann"].character.money == 7, "half of an odd number is rounded up"


@pytest.mark.rule("stage.gap.equipment.armour", "stage.equipment.armor")
def test_wearing_armour() -> None:
    session = of_ann("mail_shirt", "leather_armour", "helmet", "small_shield", "club")
    session.do("stage.wear", who="ann", item="mail_shirt")
    assert session.scene.clock.now == 5 * MINUTE
    session.do("stage.wear", who="ann", item="helmet")
    assert session.scene.clock.now == 5 * MINUTE, "only what is worn on the body takes time"
    refused("worn on the body already", session.do, "stage.wear", who="ann", item="leather_armour")
    refused("held, not worn", session.do, "stage.wear", who="ann", item="small_shield")
    refused("cannot be worn", session.do, "stage.wear", who="ann", item="club")
    refused("plate_harness", session.do, "stage.wear", who="ann", item="plate_harness")
    session.do("stage.stow", who="ann", item="mail_shirt", reach=False)
    session.do("stage.wear", who="ann", item="leather_armour")
    assert "leather_armour (worn)" in things(session)


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
    refused("no food left", session.do, "stage.use_supplies", who="ann", food=2, water=0)
    assert things(session) == ["ration (pack)", "water (pack)"]


def test_the_fallen_are_looted_and_the_standing_are_not() -> None:
    session = session_of({"ann": somebody(3, name="Ann"), "bob": person("guard", money=7)})
    refused("is awake and keeps it", session.do, "stage.loot", who="ann", fallen="bob")
    session.do("table.rule", who="bob", field="vitality", value="0", reason="fell down the stairs")
    session.do("stage.loot", who="ann", fallen="bob", item="spear")
    assert things(session) == ["spear (pack)"]
    session.do("stage.loot", who="ann", fallen="bob")
    assert session.scene["bob"].belongings == ()
    assert session.scene["ann"].character.money == 7


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
        pick: Any = {"thing": "good_lock", "powers": "thief"}
        refused("costs 1 stamina, 0 left", plan, dying, "guile.disable", options, **pick)
    rule = "stage.resource.spend"
    refused("costs 9 stamina, 4 left", demand_payable, alone(arlef, options), Cost.of(stamina=9), rule)
    demand_payable(alone(arlef, options), Cost.of(stamina=8 if last == "allow" else 7), rule)


@pytest.mark.rule("stage.magic.app_learn", "stage.magic.learn_limit")
def test_learning_a_spell() -> None:
    session = session_of({"ysolt": person("ysolt")})
    session.do("stage.learn", who="ysolt", what="searing_hand")
    answer(session, "1", [3], [4])
    assert session.result
    assert "searing_hand" in session.scene["ysolt"].character.spells
    assert session.scene.clock.now == (8 - 4) * HOUR
    assert session.scene["ysolt"].status.stamina == 5 - 1
    refused("needs Infusion 3", session.do, "stage.learn", who="ysolt", what="mend_flesh")
    refused("known already", session.do, "stage.learn", who="ysolt", what="flare")
    refused("is learned with", session.do, "stage.learn", who="ysolt", what="vigour", skill="projection")
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
    wolf, sword = person("wolf"), ItemStack("short_sword", place="hand")
    dead = wolf.changed(name="Dead", wounds=wolf.wounds.changed(stamina=0, vitality=0, dead=True))

    def cannot(why: str, enchantment: str, thing: ItemStack = sword, **how: Any) -> None:
        ann = _enchanter().changed(belongings=(thing,))
        session = session_of({"ann": ann, "wolf": wolf, "dead": dead})
        refused(why, session.do, "stage.enchant", who="ann", item=thing.item, enchantment=enchantment, **how)

    cannot(r"takes no .*, which goes into armour", "hardening", core=2)
    cannot("Ann does not know Vigour, but Keen Edge, Hardening", "vigour", core=2)
    large = ItemStack("great_sword", place="hands")
    cannot("Wolf has 7 Vitality, not 8", "keen_edge", large, core=8, sacrifice="wolf")
    cannot("enchants and cannot be the sacrifice; name another one", "keen_edge", core=1, sacrifice="ann")
    cannot("is dead", "keen_edge", core=2, sacrifice="dead")
    mail = ItemStack("mail_shirt", place="worn")
    cannot("needs 2 Vitality, the sacrifice yields 1", "hardening", mail, core=1)


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
def test_spells_are_prepared_in_a_thing_to_hold_during_a_rest() -> None:
    ysolt = person("ysolt")
    session = session_of({"ysolt": ysolt.changed(wounds=ysolt.wounds.changed(intellect=0))})
    session.do("stage.prepare", who="ysolt", spells=["flare", "wither"])
    assert session.scene["ysolt"].character.prepared == ("flare", "wither")
    assert session.scene.clock.now == 8 * HOUR
    assert session.scene["ysolt"].status.intellect > 0
    knows = "Ysolt does not know Daze, but Healing Touch, Wither, Flare, Ward"
    refused(knows, session.do, "stage.prepare", who="ysolt", spells=["daze"])
    misspelt = r'"wnad" is not among the belongings.*; did you mean "wand"'
    refused(misspelt, session.do, "stage.prepare", who="ysolt", spells=["flare"], item="wnad")
    plain = session_of({"ysolt": ysolt.changed(powers=("focus",), prepared=())})
    many = ["flare", "wither", "ward"]
    refused("1 more spells than the Focus holds", plain.do, "stage.prepare", who="ysolt", spells=many)


def kept(session: Session, who: str = "ann") -> Any:
    """A character as they go out of a scene."""
    return rulebook.export_character(session.scene, who)


@pytest.mark.rule("stage.magic.app_learn", "stage.gap.magic.starting_spells")
def test_enchantments_are_learned_and_nobody_begins_with_them() -> None:
    ysolt = person("ysolt")
    unlearned = legality(ysolt.changed(enchantments=("vigour",)), OPTIONS, library()).violations
    assert [(one.where, one.rule) for one in unlearned] == [("enchantments", "stage.magic.app_learn")]
    session = session_of({"ann": ysolt})
    go(session, "stage.learn", who="ann", what="vigour", faces=[[3], [1]], choices=ONE)
    knows = kept(session)
    assert (knows.enchantments, knows.learned) == (("vigour",), 1)
    assert legality(knows, OPTIONS, library()).ok


@pytest.mark.rule("stage.power_effect.item_bonus")
def test_a_lost_item_is_replaced_by_one_that_was_used_for_eight_hours() -> None:
    chosen: Any = {"powers": ("item_affinity",), "choices": {"item_affinity": ["spear"]}}
    used: dict[str, Any] = {"who": "ann", "power": "item_affinity", "item": "club"}
    refused("Spear is not lost", of_ann("spear", "club", **chosen).do, "stage.get_used_to", **used)
    lost = of_ann("club", **chosen)
    refused("not among the belongings", lost.do, "stage.get_used_to", **used | {"item": "dagger"})
    refused("not bought for an item", lost.do, "stage.get_used_to", **used | {"power": "style"})
    lost.do("stage.get_used_to", **used)
    assert lost.scene.clock.now == 8 * HOUR
    assert lost.scene["ann"].character.choices["item_affinity"] == ("club",)
