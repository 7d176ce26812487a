"""Trade, money, hands and armour, loading, income, loot: by events, refused with their rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, begin
from systems.opend6.people import LEDGER, after, do, library, person, session_of, somebody
from systems.playing import answer, asked
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.session.session import Session
from tablewright.systems.opend6.belongings import COINS, TRADE
from tablewright.systems.opend6.character.figures import items
from tablewright.systems.opend6.character.record import Wounds
from tablewright.systems.opend6.content import Ammunition, Armour, Gear, Weapon
from tablewright.systems.opend6.options import OpenD6Options

RICH = somebody("Ann", silver=Fraction(200))


def held(session: Session, who: str = "ann") -> set[tuple[str, int, str]]:
    return {(one.item, one.count, one.place) for one in session.scene[who].belongings}


def refused(rule: str, session: Session, process: str, **given: Any) -> None:
    with pytest.raises(IllegalActionError) as caught:
        do(session, process, **given)
    assert caught.value.rule == rule


@pytest.mark.rule("opend6.gap.equipment.prices", "opend6.gap.equipment.selling")
def test_buying_and_selling() -> None:
    session = session_of({"ann": RICH})
    do(session, "buy", who="ann", item="long_sword")
    do(session, "buy", who="ann", item="chain_mail")
    do(session, "buy", who="ann", item="arrow", count=8)
    assert after(session, "ann").silver == 200 - 24 - 120 - 7
    assert held(session) == {("long_sword", 1, "hand"), ("chain_mail", 1, "worn"), ("arrow", 8, "pack")}
    refused("opend6.gap.equipment.prices", session, "buy", who="ann", item="plate_mail")
    refused("opend6.gap.equipment.prices", session, "buy", who="ann", item="rock")
    do(session, "sell", who="ann", item="long_sword")
    assert after(session, "ann").silver == 49 + 12
    do(session, "earn", who="ann", amount="2 gold")
    do(session, "pay", who="ann", amount="4 copper")
    assert after(session, "ann").silver == 61 + 16 - Fraction(1, 2)
    with pytest.raises(InvalidInputError, match="coin"):
        do(session, "earn", who="ann", amount="2 shells")


@pytest.mark.rule("opend6.gap.equipment.prices")
@each_case("found", list(items(library()).values()))
def test_everything_for_sale_can_be_bought_for_its_price(found: Any) -> None:
    session = session_of({"ann": somebody("Ann", silver=Fraction(1_000))})
    if found.price is None:
        refused("opend6.gap.equipment.prices", session, "buy", who="ann", item=found.id)
        return
    do(session, "buy", who="ann", item=found.id)
    assert after(session, "ann").silver == 1_000 - found.price
    assert TRADE.price_of(found, 3) == 3 * found.price
    assert any(one.item == found.id for one in session.scene["ann"].belongings)


@pytest.mark.rule("opend6.gap.equipment.prices")
def test_coins() -> None:
    data = LEDGER["opend6.gap.equipment.prices"].data
    assert {name: Fraction(str(worth)) for name, worth in data["coins"].items()} == COINS
    listed = {name: Fraction(str(price)) for name, price in data["silver"].items()}
    assert {name: one.price for name, one in items(library()).items() if one.price is not None} == listed


@pytest.mark.rule("opend6.gap.equipment.carrying")
def test_two_hands() -> None:
    owned = (
        ItemStack("long_sword"),
        ItemStack("battle_axe"),
        ItemStack("small_shield"),
        ItemStack("rope"),
        ItemStack("buckler"),
    )
    session = session_of({"ann": somebody("Ann", belongings=owned)})
    do(session, "wield", who="ann", wielded=["long_sword", "small_shield"])
    assert {one for one in held(session) if one[2] != "pack"} == {
        ("long_sword", 1, "hand"),
        ("small_shield", 1, "hand"),
    }
    do(session, "wield", who="ann", wielded=["battle_axe"])
    assert {one for one in held(session) if one[2] != "pack"} == {("battle_axe", 1, "hands")}
    refused("opend6.gap.equipment.carrying", session, "wield", who="ann", wielded=["battle_axe", "long_sword"])
    refused("opend6.gap.equipment.carrying", session, "wield", who="ann", wielded=["rope"])
    refused("opend6.gap.armour.layering", session, "wield", who="ann", wielded=["buckler", "small_shield"])
    do(session, "wield", who="ann")
    assert all(place == "pack" for _, _, place in held(session))
    assert [line.narrate() for line in session.log if isinstance(line, BelongingsChanged)] == [
        "ann: holds Long sword and Small shield", "ann: holds Battle axe", "ann: holds nothing",
    ]  # fmt: skip


@pytest.mark.rule("opend6.gap.armour.layering")
def test_one_suit_of_armour() -> None:
    owned = (ItemStack("chain_mail"), ItemStack("hides"), ItemStack("small_shield"), ItemStack("rope"))
    session = session_of({"ann": somebody("Ann", belongings=owned)})
    do(session, "wear", who="ann", item="chain_mail")
    refused("opend6.gap.armour.layering", session, "wear", who="ann", item="hides")
    refused("opend6.gap.armour.layering", session, "wear", who="ann", item="small_shield")
    refused("opend6.gap.armour.layering", session, "wear", who="ann", item="rope")
    do(session, "take_off", who="ann", item="chain_mail")
    do(session, "wear", who="ann", item="hides")
    assert ("hides", 1, "worn") in held(session)


@pytest.mark.rule("opend6.action.ready_weapon")
def test_taking_something_up_in_a_fight_takes_an_action() -> None:
    session = begin(HERO, FOE)
    session.do("opend6.drop", who="a", item="short_sword")
    answer(session, "1", "take_up::short_sword")
    assert ("short_sword", 1, "pack") in held(session, "a")
    assert session.scene.loose_items == ()
    assert session.scene.turn != "a", "it was the one action of the turn"


@pytest.mark.rule("opend6.action.ready_weapon")
@pytest.mark.parametrize(("metres", "in_reach"), [(3, True), (4, False)])
def test_items_on_the_ground_are_in_reach_up_to_three_metres(metres: int, in_reach: bool) -> None:
    places = {"a": {"position": "0,0"}, "b": {"position": f"{metres},0"}}
    session = begin(HERO, FOE, ground={"kind": "grid", "size": [9, 2]}, places=places)
    session.do("opend6.drop", who="b", item="short_sword")
    answer(session, "1")
    assert ("take_up::short_sword" in asked(session)) == in_reach


@pytest.mark.rule("opend6.gap.equipment.carrying")
def test_giving_dropping_and_looting() -> None:
    people = {"ann": person("slayer"), "bob": person("soldier", silver=Fraction(5))}
    session = session_of(people)
    do(session, "give", who="ann", to="bob", item="dagger")
    assert ("dagger", 1, "pack") in held(session, "bob")
    do(session, "drop", who="ann", item="long_sword")
    do(session, "take_up", who="bob", item="long_sword")
    assert ("long_sword", 1, "pack") in held(session, "bob")
    refused("opend6.gap.equipment.carrying", session, "loot", who="ann", fallen="bob")
    fallen = session_of({"ann": RICH, "bob": person("soldier", silver=Fraction(5), wounds=Wounds(level="dead"))})
    do(fallen, "loot", who="ann", fallen="bob")
    assert held(fallen) == {("short_sword", 1, "pack"), ("padded_leather", 1, "pack")}
    assert after(fallen, "ann").silver == 205


@pytest.mark.rule("opend6.gap.equipment.carrying", "opend6.gap.body_points.zero")
def test_a_character_who_has_no_body_points_left_keeps_nothing() -> None:
    options = OpenD6Options(injury_system="body_points")
    people = {"ann": RICH, "bob": person("soldier", silver=Fraction(5), wounds=Wounds(body_points=0))}
    session = session_of(people, options)
    do(session, "loot", who="ann", fallen="bob")
    assert after(session, "ann").silver == 205


@pytest.mark.rule("opend6.gap.equipment.carrying")
def test_a_crossbow_is_loaded_beforehand() -> None:
    owned = (
        ItemStack("light_crossbow", place="hands"),
        ItemStack("bolt", 2),
        ItemStack("long_bow"),
        ItemStack("arrow", 3),
    )
    session = session_of({"ann": somebody("Ann", belongings=owned)})
    do(session, "load", who="ann", weapon="light_crossbow")
    crossbow = next(one for one in session.scene["ann"].belongings if one.item == "light_crossbow")
    assert crossbow.left == 1
    assert ("bolt", 1, "pack") in held(session)
    with pytest.raises(IllegalActionError):
        do(session, "load", who="ann", weapon="light_crossbow")
    for other in ("long_bow", "rope", "javelin"):
        with pytest.raises(IllegalActionError, match="not loaded beforehand"):
            do(session, "load", who="ann", weapon=other)


@pytest.mark.rule("opend6.gap.creation.funds")
def test_income_by_the_week() -> None:
    session = session_of({"ann": RICH})
    do(session, "income", who="ann", weeks=2)
    assert after(session, "ann").silver == 200 + 2 * 3 * 60


def test_a_character_who_has_traded_is_no_longer_as_they_were_made() -> None:
    session = session_of({"ann": person("slayer")})
    do(session, "wield", who="ann", wielded=["dagger"])
    assert not after(session, "ann").traded
    do(session, "gain", who="ann", item="plate_mail")
    assert after(session, "ann").traded
    earned = session_of({"ann": person("slayer")})
    do(earned, "earn", who="ann", amount="3 gold")
    assert after(earned, "ann").traded


@pytest.mark.rule("opend6.gap.equipment.carrying")
def test_weapons_that_take_both_hands() -> None:
    both = set(LEDGER["opend6.gap.equipment.carrying"].data["two_handed"])
    assert {one.id for one in library().of(Weapon) if one.hands == 2} == both
    free = {"unarmed", "bite", "claws"}
    assert {one.id for one in library().of(Weapon) if one.hands == 0} == free
    assert free == {one.id for one in library().of(Weapon) if one.natural}


def test_ammunition_goes_with_its_weapons() -> None:
    shot = {one.ammunition for one in library().of(Weapon) if one.ammunition}
    assert shot == {one.id for one in library().of(Ammunition)}
    assert all(one.hands == 1 for one in library().of(Armour) if one.shield)
    assert all(set(one.skills) <= {skill.id for skill in library().of("skills")} for one in library().of(Gear))
