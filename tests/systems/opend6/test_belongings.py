"""Trade, money, hands and armour, loading, income, loot: by events, refused with their rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, begin
from systems.opend6.people import after, do, library, person, session_of, somebody
from systems.playing import answer, asked, events
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.session.session import Session
from tablewright.systems.opend6.belongings import TRADE
from tablewright.systems.opend6.character.figures import items
from tablewright.systems.opend6.character.record import Wounds
from tablewright.systems.opend6.options import OpenD6Options

RICH = somebody("Ann", silver=Fraction(200))


def held(session: Session, who: str = "ann") -> set[tuple[str, int, str]]:
    return {(one.item, one.count, one.place) for one in session.scene[who].belongings}


def in_use(session: Session) -> set[tuple[str, str]]:
    """Things that Ann holds and wears."""
    return {(item, place) for item, _, place in held(session) if place != "pack"}


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


@pytest.mark.rule("opend6.gap.equipment.carrying", "opend6.gap.armour.layering")
def test_two_hands_and_one_suit_of_armour() -> None:
    owned = [ItemStack(name) for name in ("long_sword", "battle_axe", "small_shield", "rope", "buckler")]
    suits = [ItemStack("chain_mail"), ItemStack("hides")]
    session = session_of({"ann": somebody("Ann", belongings=(*owned, *suits))})
    do(session, "wield", who="ann", wielded=["long_sword", "small_shield"])
    assert in_use(session) == {("long_sword", "hand"), ("small_shield", "hand")}
    do(session, "wield", who="ann", wielded=["battle_axe"])
    assert in_use(session) == {("battle_axe", "hands")}
    for wielded in (["battle_axe", "long_sword"], ["rope"]):
        refused("opend6.gap.equipment.carrying", session, "wield", who="ann", wielded=wielded)
    refused("opend6.gap.armour.layering", session, "wield", who="ann", wielded=["buckler", "small_shield"])
    do(session, "wield", who="ann")
    assert in_use(session) == set()
    assert [line.narrate() for line in events(session, BelongingsChanged)] == [
        "ann: holds Long sword and Small shield", "ann: holds Battle axe", "ann: holds nothing",
    ]  # fmt: skip
    do(session, "wear", who="ann", item="chain_mail")
    for item in ("hides", "small_shield", "rope"):
        refused("opend6.gap.armour.layering", session, "wear", who="ann", item=item)
    do(session, "take_off", who="ann", item="chain_mail")
    do(session, "wear", who="ann", item="hides")
    assert in_use(session) == {("hides", "worn")}


@pytest.mark.rule("opend6.gap.equipment.carrying", "opend6.gap.body_points.zero")
def test_giving_dropping_and_looting() -> None:
    session = session_of({"ann": person("slayer"), "bob": person("soldier", silver=Fraction(5))})
    do(session, "give", who="ann", to="bob", item="dagger")
    do(session, "drop", who="ann", item="long_sword")
    do(session, "take_up", who="bob", item="long_sword")
    assert {("dagger", 1, "pack"), ("long_sword", 1, "pack")} <= held(session, "bob")
    refused("opend6.gap.equipment.carrying", session, "loot", who="ann", fallen="bob")
    for wounds, options in (
        (Wounds(level="dead"), OpenD6Options()),
        (Wounds(body_points=0), OpenD6Options(injury_system="body_points")),
    ):
        bob = person("soldier", silver=Fraction(5), wounds=wounds)
        fallen = do(session_of({"ann": RICH, "bob": bob}, options), "loot", who="ann", fallen="bob")
        assert held(fallen) == {("short_sword", 1, "pack"), ("padded_leather", 1, "pack")}
        assert after(fallen, "ann").silver == 205


@pytest.mark.rule("opend6.gap.equipment.carrying")
def test_a_crossbow_is_loaded_beforehand() -> None:
    owned = (ItemStack("light_crossbow", place="hands"), ItemStack("bolt", 2), ItemStack("long_bow"))
    session = session_of({"ann": somebody("Ann", belongings=(*owned, ItemStack("arrow", 3)))})
    do(session, "load", who="ann", weapon="light_crossbow")
    crossbow = next(one for one in session.scene["ann"].belongings if one.item == "light_crossbow")
    assert crossbow.left == 1
    assert ("bolt", 1, "pack") in held(session)
    with pytest.raises(IllegalActionError):
        do(session, "load", who="ann", weapon="light_crossbow")
    for other in ("long_bow", "rope", "javelin"):
        with pytest.raises(IllegalActionError, match="not loaded beforehand"):
            do(session, "load", who="ann", weapon=other)


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
