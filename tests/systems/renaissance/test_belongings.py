"""Belongings: trade in copper, hands and armor, loot from the fallen, making things."""

from __future__ import annotations

import pytest

from systems.playing import asked as offered
from systems.renaissance.fights import closed, duel, fighter, playing, then
from systems.renaissance.folk import LEDGER, creature, library, person, refused, session_of
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.position import cell
from tablewright.game.play.loose_items import drop_items
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.belongings import copper, find
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.tasks import days_of_work

HANDS, ARMOR = "renaissance.gap.weapon.hands", "renaissance.gap.armor.one_suit"
PRICES, CRAFTING = "renaissance.gap.money.prices", "renaissance.gap.money.crafting"
MINUTE, DAY = 60, 86_400


def places(session: Session, who: str = "ann") -> dict[str, str]:
    """Places of a character's belongings."""
    return {one.item: one.place for one in session.scene[who].belongings}


def buying(*items: str) -> Session:
    """A session in which Ann has bought some things."""
    session = session_of({"ann": creature(copper=1_000)})
    for item in items:
        then(session, "buy", who="ann", item=item)
    return session


def draw(session: Session, item: str, **more: str) -> str:
    """The place of something that Ann takes from her pack."""
    return places(then(session, "draw", who="ann", item=item, **more))[item]


def stow(session: Session, *items: str) -> None:
    """Ann puts things into her pack."""
    for item in items:
        then(session, "stow", who="ann", item=item)


# ---------------------------------------------------------------------- trade


@pytest.mark.rule("renaissance.gap.money.prices")
@pytest.mark.parametrize(("level", "item"), [("minor", "rope"), ("moderate", "halberd"), ("major", "shop")])
def test_prices(level: str, item: str) -> None:
    price = LEDGER["renaissance.gap.money.prices"].data[level]
    assert copper(find(item, library()), 2) == 2 * price
    session = then(session_of({"ann": creature(copper=price)}), "buy", who="ann", item=item)
    assert session.scene["ann"].character.copper == 0
    assert refused(session, "buy", who="ann", item=item) == PRICES
    then(session, "sell", who="ann", item=item)
    assert session.scene["ann"].character.copper == price // 2
    assert session.scene["ann"].belongings == ()


@pytest.mark.rule("renaissance.gap.money.starting", "renaissance.gap.money.prices")
def test_nobody_starts_with_copper_and_some_things_are_not_for_sale() -> None:
    assert person("soldier").copper == LEDGER["renaissance.gap.money.starting"].data["copper"]
    session = session_of({"ann": creature(copper=10_000)})
    assert refused(session, "buy", who="ann", item="ball_of_fire") == PRICES
    with pytest.raises(InvalidInputError):
        session.do("renaissance.buy", who="ann", item="halbard")
    then(then(session, "earn", who="ann", amount="12"), "pay", who="ann", amount="2")
    assert session.scene["ann"].character.copper == 10_010


# ---------------------------------------------------------------------- hands and armor


@pytest.mark.rule("renaissance.gap.weapon.hands")
def test_hands_hold_two_things_or_one_large_one() -> None:
    session = buying("mace", "dagger", "halberd", "small_shield")
    assert places(session) == {"mace": "main", "dagger": "off", "halberd": "pack", "small_shield": "pack"}
    assert refused(session, "draw", who="ann", item="halberd") == HANDS
    assert refused(session, "draw", who="ann", item="small_shield") == HANDS
    stow(session, "mace")
    assert refused(session, "draw", who="ann", item="halberd") == HANDS
    assert draw(session, "small_shield") == "main"  # the off hand is full
    stow(session, "dagger", "small_shield")
    assert draw(session, "mace", hand="off") == "off"
    assert refused(session, "draw", who="ann", item="dagger", hand="off") == HANDS
    stow(session, "mace")
    assert draw(session, "halberd") == "both"
    assert refused(session, "stow", who="ann", item="mace") == HANDS
    assert rulebook.export_character(session.scene, "ann").belongings == session.scene["ann"].belongings


@pytest.mark.rule("renaissance.gap.armor.one_suit")
def test_one_suit_and_one_shield() -> None:
    session = buying("leather", "plate", "small_shield", "large_shield")
    assert places(session) == {"leather": "worn", "plate": "pack", "small_shield": "off", "large_shield": "pack"}
    assert refused(session, "draw", who="ann", item="plate") == ARMOR
    assert refused(session, "draw", who="ann", item="large_shield") == HANDS
    stow(session, "leather")
    assert draw(session, "plate") == "worn"
    then(session, "buy", who="ann", item="rope")
    assert refused(session, "draw", who="ann", item="rope") == HANDS


@pytest.mark.rule("renaissance.gap.weapon.hands")
def test_loot_only_from_those_who_cannot_object() -> None:
    bob = creature("Bob", copper=7, belongings=(ItemStack("mace", place="main"), ItemStack("rope", 2)))
    session = session_of({"ann": creature(), "bob": bob})
    assert refused(session, "loot", who="ann", fallen="bob") == HANDS
    session.do("table.rule", who="bob", field="dead", value="true", reason="a fall")
    then(session, "loot", who="ann", fallen="bob")
    assert session.scene["bob"].belongings == ()
    assert sorted(places(session)) == ["mace", "rope"]
    assert session.scene["ann"].character.copper == 7


def test_give_drop_and_take_up() -> None:
    session = session_of({"ann": creature(belongings=(ItemStack("rope", 2),)), "bob": creature("Bob")})
    then(then(session, "give", who="ann", to="bob", item="rope"), "drop", who="ann", item="rope")
    assert (places(session), places(session, "bob")) == ({}, {"rope": "pack"})
    then(session, "take_up", who="bob", item="rope")
    assert session.scene["bob"].belongings == (ItemStack("rope", 2),)
    then(then(session, "lose", who="bob", item="rope", count=2), "gain", who="bob", item="dagger")
    assert places(session, "bob") == {"dagger": "main"}


@pytest.mark.rule("renaissance.gap.creature.attacks")
@pytest.mark.parametrize(("race", "allowed"), [("black_bear", False), ("gnoll", True), ("frozen_horror", True)])
def test_a_bear_picks_up_no_javelin(race: str, allowed: bool) -> None:
    scene = duel(fighter("Ann", race=race), fighter("Bob"))
    session = playing(drop_items(scene, LooseItem("javelin", "bob", None, cell(5, 6))))
    assert ("pick_up::javelin" in offered(session)) is allowed
    if not allowed:
        assert closed(session)["pick_up"] == ("beasts have no hands", "renaissance.gap.creature.attacks")


# ---------------------------------------------------------------------- making things

SMITH = creature(COG=15, luck=0, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"),))


def crafting(item: str, *rolled: int, **more: str | int) -> Session:
    """A smith tries to make something."""
    return then(session_of({"ann": SMITH}), "craft", *rolled, who="ann", item=item, field="smith", **more)


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.action.job", "renaissance.mode.down_time")
@pytest.mark.parametrize(("item", "level"), [("rope", "minor"), ("mace", "moderate"), ("shop", "major")])
def test_making_things_takes_its_time(item: str, level: str) -> None:
    session = crafting(item, 45)
    assert item in places(session)
    minutes = days_of_work(LEDGER["renaissance.gap.money.crafting"].data[level])
    assert session.scene.clock.now == minutes * MINUTE
    if level == "major":  # a shift of work is a day
        assert minutes * MINUTE == 24 * DAY + 480 * MINUTE
        assert crafting(item, 46).scene.clock.now == 6 * DAY + 120 * MINUTE


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.mode.down_time_tasks")
def test_making_small_things_takes_hours_of_the_day() -> None:
    session, rope = session_of({"ann": SMITH}), {"who": "ann", "item": "rope", "field": "smith"}
    for _ in range(4):
        then(session, "craft", 45, **rope)
    refused(session, "craft", "0 minutes left for tasks today", **rope)
    then(then(session, "rest", days=1), "craft", 45, **rope)


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.action.failed_task_time")
def test_a_failure_makes_nothing_and_loses_time() -> None:
    for rolled, quarters in ((46, 1), (80, 2), (99, 2)):
        session = crafting("mace", rolled)
        assert "mace" not in places(session)
        assert session.scene.clock.now == 480 * MINUTE * quarters // 4


@pytest.mark.rule("renaissance.gap.money.crafting")
def test_a_shop_helps_and_tools_are_needed() -> None:
    session, given = session_of({"ann": SMITH.changed(belongings=(ItemStack("shop"),))}), {"who": "ann"}
    then(session, "craft", 45, item="mace", field="smith", tools="shop", steps=-1, **given)  # 15 + 30 + 10 - 10
    assert "mace" in places(session)
    assert session.scene.clock.now == 480 * MINUTE * 3 // 4
    assert refused(session, "craft", item="rope", field="smith", **given) == CRAFTING
    assert refused(session, "craft", item="ball_of_fire", field="smith", tools="shop", **given) == CRAFTING
    fast = session_of({"ann": SMITH}, RenaissanceOptions(exceptional_halves_time=True))
    then(fast, "craft", 40, item="rope", field="smith", **given)
    assert fast.scene.clock.now == 60 * MINUTE
