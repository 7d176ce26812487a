"""Belongings outside fights: trade, money, wearing and wielding, loading, food, repair, craft, what is found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import duel, fighter
from systems.mars.people import LEDGER, alone, character, do, left, library, person, session_of, somebody
from systems.playing import status
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import Belongings, ItemStack, count_of
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.trade import Money
from tablewright.game.session.session import Session
from tablewright.systems.mars.belongings import worth_of
from tablewright.systems.mars.character.figures import armour_rating
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, Wounds
from tablewright.systems.mars.content import ITEMS, Item
from tablewright.systems.mars.creation import acquired
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

PRICED = [
    entry.id for kind in ITEMS for entry in library().of(kind) if isinstance(entry, Item) and entry.price is not None
]


def rich(money: int | Fraction = 500, *belongings: ItemStack, **fields: Any) -> MarsCharacter:
    return somebody(money=Fraction(money), belongings=belongings, **fields)


def owned(session: Session, item: str, who: str = "ann") -> int:
    return count_of(status(session, who).belongings, item)


def place_of(session: Session, item: str, who: str = "ann") -> list[str]:
    return [one.place for one in status(session, who).belongings if one.item == item]


# ---------------------------------------------------------------------- trade


@pytest.mark.rule("mars.gap.equipment.prices")
@each_case("item", PRICED)
def test_everything_costs_its_price(item: str) -> None:
    entry = next(found for kind in ITEMS for found in library().of(kind) if found.id == item)
    assert isinstance(entry, Item)
    assert entry.price is not None
    session = do(alone(rich()), "mars.buy", who="ann", item=item)
    assert character(session).money == 500 - entry.price
    assert owned(session, item) == entry.bundle
    do(session, "mars.buy", who="ann", item=item, count=3)
    assert character(session).money == 500 - entry.price - entry.price * 3 / entry.bundle


@pytest.mark.rule("mars.gap.equipment.prices")
def test_unaffordable_or_unsaleable_items_are_refused() -> None:
    session = alone(rich(9))
    with pytest.raises(IllegalActionError, match="Mace costs 10 and Somebody has 9"):
        do(session, "mars.buy", who="ann", item="mace")
    with pytest.raises(IllegalActionError, match="not for sale"):
        do(session, "mars.buy", who="ann", item="wolf_bite")
    with pytest.raises(InvalidInputError, match="did you mean"):
        do(session, "mars.buy", who="ann", item="dager")
    assert character(session).money == 9


@pytest.mark.rule("mars.gap.equipment.selling")
def test_things_are_sold_for_half() -> None:
    session = alone(rich(0, ItemStack("mace"), ItemStack("arrow", 20)))
    do(session, "mars.sell", who="ann", item="mace")
    assert character(session).money == Fraction(str(LEDGER["mars.gap.equipment.selling"].data["part"])) * 10
    do(session, "mars.sell", who="ann", item="arrow", count=10)
    assert character(session).money == 5 + Fraction(5, 4)
    do(session, "mars.sell", who="ann", item="arrow", count=10, price="1 copper")
    assert character(session).money == 5 + Fraction(5, 4) + 1
    with pytest.raises(IllegalActionError):
        do(session, "mars.sell", who="ann", item="mace")


@pytest.mark.rule("mars.equipment.currency", "mars.gap.equipment.prices")
def test_currencies_are_worth_what_the_table_says() -> None:
    example = LEDGER["mars.equipment.currency"].examples[0]
    given = example["given"]
    into = Fraction(given["amount"]) * worth_of(given["from"], library()) / worth_of(given["to"], library())
    assert into == example["expect"]
    for name, worth in LEDGER["mars.gap.equipment.prices"].data.items():
        assert worth_of(name, library()) == Fraction(str(worth))
        session = do(alone(rich(0)), "mars.earn", who="ann", amount=f"3 {name}")
        assert character(session).money == 3 * Fraction(str(worth))


@pytest.mark.rule("mars.equipment.currency")
def test_paying_and_earning() -> None:
    session = do(alone(rich(2)), "mars.pay", who="ann", amount="5 copper")
    assert character(session).money == Fraction(3, 2)
    with pytest.raises(IllegalActionError, match=r"costs 2 and Somebody has 1\.5"):
        do(session, "mars.pay", who="ann", amount="2")
    assert str(Money.parse(" 2.50 Gold")) == "2.5 gold"
    with pytest.raises(InvalidInputError, match="not an amount of money"):
        Money.parse("a few")


def test_things_change_hands() -> None:
    session = session_of({"ann": rich(0, ItemStack("knife", 2, "hand")), "bob": rich(0)})
    do(session, "mars.give", who="ann", to="bob", item="knife")
    assert (owned(session, "knife"), owned(session, "knife", "bob")) == (1, 1)
    assert place_of(session, "knife", "bob") == ["pack"]
    with pytest.raises(IllegalActionError):
        do(session, "mars.give", who="bob", to="ann", item="knife", count=2)
    do(session, "mars.lose", who="bob", item="knife")
    assert owned(session, "knife", "bob") == 0
    do(session, "mars.gain", who="bob", item="torch", count=4)
    assert owned(session, "torch", "bob") == 4


@pytest.mark.rule("mars.effect.unconscious")
def test_only_the_fallen_are_looted() -> None:
    out = person("bandit", wounds=Wounds(effects=(MarsEffect("unconscious"),)))
    session = session_of({"ann": rich(0), "rob": out, "bob": person("guard")})
    with pytest.raises(IllegalActionError, match="conscious"):
        do(session, "mars.loot", who="ann", fallen="bob")
    do(session, "mars.loot", who="ann", fallen="rob", item="knife")
    assert (owned(session, "knife"), owned(session, "knife", "rob")) == (1, 1)
    do(session, "mars.loot", who="ann", fallen="rob", item="knife", count=1)
    assert owned(session, "knife") == 2
    do(session, "mars.loot", who="ann", fallen="rob")
    assert status(session, "rob").belongings == ()
    assert (character(session).money, character(session, "rob").money) == (Fraction(5, 2), Fraction(0))
    assert owned(session, "straight_sword") == 1


# ---------------------------------------------------------------------- wearing and wielding


@pytest.mark.rule("mars.equipment.armour_slots")
def test_one_thing_in_each_slot() -> None:
    things = ("padded", "leather", "vambraces", "gauntlets", "small_shield", "club", "cloak")
    session = alone(rich(0, *map(ItemStack, things)))

    def refused(item: str, reason: str) -> None:
        with pytest.raises(IllegalActionError, match=reason) as error:
            do(session, "mars.wear", who="ann", item=item)
        assert error.value.rule == "mars.equipment.armour_slots"

    do(session, "mars.wear", who="ann", item="padded")
    refused("leather", "slot body holds Padded Armour already")
    do(session, "mars.wear", who="ann", item="gauntlets")
    refused("vambraces", "slot arms holds Gauntlets already")
    do(session, "mars.take_off", who="ann", item="padded")
    do(session, "mars.wear", who="ann", item="leather")
    assert armour_rating(left(session), library()).total == 3
    refused("small_shield", "held in a hand")
    refused("club", "cannot be worn")
    do(session, "mars.wear", who="ann", item="cloak")
    assert place_of(session, "cloak") == ["worn"]


@pytest.mark.rule("mars.action.brandish")
def test_two_hands_and_no_more() -> None:
    mine = (ItemStack("longsword"), ItemStack("small_shield", left=10), ItemStack("greatsword"), ItemStack("knife", 2))
    session = alone(rich(0, *mine))
    do(session, "mars.brandish", who="ann", wielded="longsword")
    assert place_of(session, "longsword") == ["hands"]  # versatile, and nothing else is held
    do(session, "mars.brandish", who="ann", wielded=("longsword", "small_shield"))
    assert (place_of(session, "longsword"), place_of(session, "small_shield")) == (["hand"], ["hand"])
    with pytest.raises(IllegalActionError, match="that takes 3 hands"):
        do(session, "mars.brandish", who="ann", wielded=("greatsword", "small_shield"))
    assert place_of(session, "longsword") == ["hand"]
    do(session, "mars.brandish", who="ann", wielded=("knife", "knife"))
    assert [one.count for one in status(session).belongings if one.place == "hand"] == [2]
    do(session, "mars.brandish", who="ann")
    assert {one.place for one in status(session).belongings} == {"pack"}
    assert [one.left for one in status(session).belongings if one.item == "small_shield"] == [10]


@pytest.mark.rule("mars.gap.weapon.reload")
def test_loading_beforehand_takes_a_bolt() -> None:
    session = alone(rich(100))
    do(session, "mars.buy", who="ann", item="crossbow")
    with pytest.raises(IllegalActionError):
        do(session, "mars.load", who="ann", weapon="crossbow")
    do(session, "mars.buy", who="ann", item="bolt")
    do(session, "mars.load", who="ann", weapon="crossbow")
    assert owned(session, "bolt") == 19
    with pytest.raises(IllegalActionError, match="no room"):
        do(session, "mars.load", who="ann", weapon="crossbow")
    do(session, "mars.buy", who="ann", item="shortbow")
    with pytest.raises(IllegalActionError, match="not loaded beforehand"):
        do(session, "mars.load", who="ann", weapon="shortbow")


def test_the_log_says_what_and_how_many() -> None:
    session = alone(rich())
    do(session, "mars.buy", who="ann", item="rope")
    do(session, "mars.buy", who="ann", item="rope", count=2)
    words = [line.narrate() for line in session.log if isinstance(line, BelongingsChanged)]
    assert words == ["ann: buys Rope (18 m)", "ann: buys 2 Rope (18 m)"]


@pytest.mark.rule("mars.equipment.armour_slots", "mars.equipment.availability", "mars.equipment.starting_money")
@pytest.mark.parametrize(
    ("had", "item", "count", "place"),
    [
        ([], "dagger", 1, "hand 1"),
        ([], "dagger", 2, "hand 2"),
        ([], "dagger", 3, "pack 3"),
        ([], "small_shield", 1, "hand 1"),
        ([], "padded", 1, "worn 1"),
        ([], "arrow", None, "pack 20"),
        (["padded"], "leather", 1, "pack 1"),
        (["straight_sword"], "small_shield", 1, "hand 1"),
        (["straight_sword", "small_shield"], "mace", 1, "pack 1"),
    ],
)
def test_places_of_new_items(had: list[str], item: str, count: int | None, place: str) -> None:
    belongings: Belongings = ()
    for earlier in had:
        belongings = acquired(belongings, earlier, library())
    new = [one for one in acquired(belongings, item, library(), count) if one.item == item]
    assert [f"{one.place} {one.count}" for one in new] == [place]
    assert [one.left for one in new] == [10 if item == "small_shield" else None]


# ---------------------------------------------------------------------- food


@pytest.mark.rule("mars.gap.fatigue.degrees")
def test_provisions_are_used_up() -> None:
    session = alone(person("fighter"))
    do(session, "mars.eat", who="ann", meals=3, litres=2)
    assert owned(session, "ration") == 1
    assert [one.left for one in status(session).belongings if one.item == "waterskin"] == [0]
    assert (character(session).day.meals, character(session).day.litres) == (3, 2)
    with pytest.raises(IllegalActionError, match="no meals left"):
        do(session, "mars.eat", who="ann", meals=2)
    with pytest.raises(IllegalActionError, match="no litres left"):
        do(session, "mars.eat", who="ann", meals=0, litres=1)
    do(session, "mars.eat", who="ann", meals=3, litres=1, bought=True)
    assert owned(session, "ration") == 1
    do(session, "mars.fill", who="ann")
    do(session, "mars.eat", who="ann", meals=0, litres=2)
    with pytest.raises(IllegalActionError, match="holds no water"):
        do(session, "mars.fill", who="ann", item="ration")


# ---------------------------------------------------------------------- repair and craft


def smith(*belongings: ItemStack, mind: str = "r10", craft: int = 4) -> Session:
    """A trained smith alone with some things."""
    return alone(somebody(INT=mind, skills={"craft": RollValue(craft)}, belongings=belongings))


TOOLS = ItemStack("small_toolkit_wood")


@pytest.mark.rule("mars.gap.armour.repair")
@pytest.mark.parametrize(
    ("item", "left", "faces", "word", "after"),
    [
        ("large_shield", 3, (1, 2), "failure", 3),
        ("large_shield", 3, (2, 2), "graze", 3 + 2),
        ("large_shield", 3, (5, 4), "graze", 3 + 2),
        ("large_shield", 3, (6, 4), "success", 3 + 4),
        ("large_shield", 3, (10, 6), "success", 3 + 4),
        ("large_shield", 3, (10, 7), "critical", 3 + 8),
        ("small_shield", 5, (10, 7), "critical", 10),  # never more than the maximum
    ],
)
def test_repair_restores_durability_by_degree(
    item: str, left: int, faces: tuple[int, ...], word: str, after: int
) -> None:
    data = LEDGER["mars.gap.armour.repair"].data
    assert after == min(10 if item == "small_shield" else 15, left + data.get(word, 0))
    session = smith(ItemStack(item, place="hand", left=left), TOOLS, mind="r14")
    do(session, "mars.repair", who="ann", item=item, faces=[faces])
    assert [one.left for one in status(session).belongings if one.item == item] == [after]
    assert session.scene.clock.now == data["hours"] * 3600


@pytest.mark.rule("mars.gap.armour.repair", "mars.skill.complex_gate")
def test_needs_of_repair() -> None:
    broken = ItemStack("small_shield", left=0)
    with pytest.raises(IllegalActionError, match="not trained in Craft"):
        do(smith(broken, TOOLS, craft=0), "mars.repair", who="ann", item="small_shield")
    with pytest.raises(IllegalActionError, match="no tools"):
        do(smith(broken), "mars.repair", who="ann", item="small_shield")
    session = do(smith(broken), "mars.repair", who="ann", item="small_shield", workshop=True, faces=[(10, 4)])
    assert [one.left for one in status(session).belongings] == [4]
    with pytest.raises(IllegalActionError, match="is not damaged"):
        do(smith(ItemStack("small_shield", left=10)), "mars.repair", who="ann", item="small_shield", workshop=True)
    with pytest.raises(IllegalActionError, match="no durability"):
        do(smith(broken), "mars.repair", who="ann", item="buckler", workshop=True)


@pytest.mark.rule("mars.skill.craft_requirements")
def test_making_things_needs_tools_and_a_past_and_others_may_supply_them() -> None:
    crafter = somebody(INT="r10", skills={"craft": RollValue(4)})
    session = session_of({"ann": crafter, "bob": rich(0, ItemStack("large_toolkit_smith"))})
    mace: dict[str, Any] = {"who": "ann", "item": "mace", "difficulty": 10}
    with pytest.raises(IllegalActionError, match="tools"):
        do(session, "mars.craft", **mace, related="background")
    with pytest.raises(IllegalActionError, match="relate"):
        do(session, "mars.craft", **mace, related="none", workshop=True)
    do(session, "mars.craft", **mace, related="skillset", helpers="bob", faces=[(6, 4)])
    assert owned(session, "mace") == 1
    do(session, "mars.craft", **{**mace, "item": "club"}, related="background", workshop=True, faces=[(5, 4)])
    assert owned(session, "club") == 0  # a graze is no success


# ---------------------------------------------------------------------- always prepared


@pytest.mark.rule("mars.gap.talent.always_prepared", "mars.rest.abilities")
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_always_prepared_finds_things_up_to_a_price(steps: int) -> None:
    data = LEDGER["mars.gap.talent.always_prepared"].data
    session = alone(rich(100, talents={"always_prepared": steps}))
    with pytest.raises(IllegalActionError, match=f"at most {data['prices'][str(steps)]}"):
        do(session, "mars.find", who="ann", item="padded")
    for used in range(steps):
        do(session, "mars.find", who="ann", item="rope")
        price = 3 * Fraction(100 - data["cheaper_percent"], 100)
        assert character(session).money == 100 - price * (used + 1)
    with pytest.raises(IllegalActionError, match="since the last long rest"):
        do(session, "mars.find", who="ann", item="rope")
    do(session, "mars.long_rest", who="ann")
    do(session, "mars.find", who="ann", item="rope")


@pytest.mark.rule("mars.gap.talent.always_prepared")
def test_the_price_itself_may_be_reached() -> None:
    session = do(alone(rich(9, talents={"always_prepared": 3})), "mars.find", who="ann", item="mace")
    assert character(session).money == 0  # 10, less a tenth


@pytest.mark.rule("mars.gap.talent.always_prepared")
@each_case(
    ("money", "steps", "item", "reason"),
    [
        (500, 0, "rope", "talent Always Prepared"),
        (100, 4, "spear", "cannot be carried concealed"),
        (0, 4, "rope", "has 0"),
    ],
)
def test_a_search_that_cannot_succeed_is_refused(money: int, steps: int, item: str, reason: str) -> None:
    with pytest.raises(IllegalActionError, match=reason):
        do(alone(rich(money, talents={"always_prepared": steps} if steps else {})), "mars.find", who="ann", item=item)


# ---------------------------------------------------------------------- options


@pytest.mark.rule("mars.carry.size_multiplier")
@pytest.mark.parametrize(("rounding", "encumbered"), [("floor", "encumbered"), ("exact", "none")])
def test_the_rounding_of_capacity_decides_at_the_edge(rounding: Any, encumbered: str) -> None:
    small = somebody(
        STR="r8+1", size="small", belongings=(ItemStack("cloak", 20), ItemStack("belt"))
    )  # 20.25 of 20.25 kg
    session = alone(small, MarsOptions(weight_tracking=True, capacity_rounding=rounding))
    assert now(session.scene, "ann").encumbered == encumbered


@pytest.mark.rule("mars.effect.unconscious", "mars.skill.craft_requirements", "mars.gap.armour.repair")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("repair", {"item": "small_shield", "workshop": True}),
        ("craft", {"item": "club", "difficulty": 5, "related": "background", "workshop": True}),
        ("brandish", {}),
    ],
)
def test_the_unconscious_do_nothing_with_their_hands(process: str, arguments: dict[str, Any]) -> None:
    session = alone(person("fighter", wounds=Wounds(effects=(MarsEffect("unconscious"),))))
    with pytest.raises(IllegalActionError, match="not conscious"):
        do(session, f"mars.{process}", who="ann", **arguments)


@pytest.mark.rule("mars.equipment.armour_slots", "mars.rest.limits", "mars.action.brandish")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("wear", {"who": "ann", "item": "full_plate"}),
        ("take_off", {"who": "ann", "item": "padded"}),
        ("brandish", {"who": "ann"}),
        ("repair", {"who": "ann", "item": "small_shield"}),
        ("short_rest", {"who": ["ann"]}),
        ("long_rest", {"who": ["ann"]}),
        ("days_of_rest", {"who": ["ann"]}),
    ],
)
def test_long_acts_are_not_done_in_a_fight(process: str, arguments: dict[str, Any]) -> None:
    session = duel(fighter("Ann", wear=["padded"], pack={"full_plate": 1, "small_shield": 1}), fighter("Bob"))
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter"):
        do(session, f"mars.{process}", **arguments)
