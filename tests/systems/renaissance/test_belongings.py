"""Belongings: trade in copper, hands and armor, loot from the fallen, making things."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, library, person, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.belongings import copper, find
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.tasks import days_of_work


def places(session: Session, who: str = "ann") -> dict[str, str]:
    """Places of a character's belongings."""
    return {one.item: one.place for one in session.scene[who].belongings}


def refused(session: Session, process: str, **words: Any) -> str | None:
    """The rule by which a process is refused; nothing has changed then."""
    before = session.scene
    with pytest.raises(IllegalActionError) as error:
        session.do(process, **words)
    assert session.scene == before
    return error.value.rule


@pytest.mark.rule("renaissance.gap.money.prices")
@pytest.mark.parametrize(("level", "item"), [("minor", "rope"), ("moderate", "halberd"), ("major", "shop")])
def test_prices(level: str, item: str) -> None:
    price = LEDGER["renaissance.gap.money.prices"].data[level]
    assert copper(find(item, library()), 2) == 2 * price
    session = session_of({"ann": somebody(copper=price)})
    session.do("renaissance.buy", who="ann", item=item)
    assert session.scene["ann"].character.copper == 0
    assert refused(session, "renaissance.buy", who="ann", item=item) == "renaissance.gap.money.prices"
    session.do("renaissance.sell", who="ann", item=item)
    assert session.scene["ann"].character.copper == price // 2
    assert session.scene["ann"].belongings == ()


@pytest.mark.rule("renaissance.gap.money.starting", "renaissance.gap.money.prices")
def test_nobody_starts_with_copper_and_some_things_are_not_for_sale() -> None:
    assert person("soldier").copper == LEDGER["renaissance.gap.money.starting"].data["copper"]
    session = session_of({"ann": somebody(copper=10_000)})
    assert refused(session, "renaissance.buy", who="ann", item="ball_of_fire") == "renaissance.gap.money.prices"
    with pytest.raises(InvalidInputError):
        session.do("renaissance.buy", who="ann", item="halbard")
    session.do("renaissance.earn", who="ann", amount="12")
    session.do("renaissance.pay", who="ann", amount="2")
    assert session.scene["ann"].character.copper == 10_010


@pytest.mark.rule("renaissance.gap.weapon.hands")
def test_hands_hold_two_things_or_one_large_one() -> None:
    session = session_of({"ann": somebody(copper=1_000)})
    for item in ("mace", "dagger", "halberd", "small_shield"):
        session.do("renaissance.buy", who="ann", item=item)
    assert places(session) == {"mace": "main", "dagger": "off", "halberd": "pack", "small_shield": "pack"}
    assert refused(session, "renaissance.draw", who="ann", item="halberd") == "renaissance.gap.weapon.hands"
    assert refused(session, "renaissance.draw", who="ann", item="small_shield") == "renaissance.gap.weapon.hands"
    session.do("renaissance.stow", who="ann", item="mace")
    assert refused(session, "renaissance.draw", who="ann", item="halberd") == "renaissance.gap.weapon.hands"
    session.do("renaissance.draw", who="ann", item="small_shield")
    assert places(session)["small_shield"] == "main"  # the off hand is full
    session.do("renaissance.stow", who="ann", item="dagger")
    session.do("renaissance.stow", who="ann", item="small_shield")
    session.do("renaissance.draw", who="ann", item="mace", hand="off")
    assert places(session)["mace"] == "off"
    assert refused(session, "renaissance.draw", who="ann", item="dagger", hand="off") == "renaissance.gap.weapon.hands"
    session.do("renaissance.stow", who="ann", item="mace")
    session.do("renaissance.draw", who="ann", item="halberd")
    assert places(session)["halberd"] == "both"
    assert refused(session, "renaissance.stow", who="ann", item="mace") == "renaissance.gap.weapon.hands"
    assert rulebook.export_character(session.scene, "ann").belongings == session.scene["ann"].belongings


@pytest.mark.rule("renaissance.gap.armor.one_suit")
def test_one_suit_and_one_shield() -> None:
    session = session_of({"ann": somebody(copper=1_000)})
    for item in ("leather", "plate", "small_shield", "large_shield"):
        session.do("renaissance.buy", who="ann", item=item)
    assert places(session) == {"leather": "worn", "plate": "pack", "small_shield": "off", "large_shield": "pack"}
    assert refused(session, "renaissance.draw", who="ann", item="plate") == "renaissance.gap.armor.one_suit"
    assert refused(session, "renaissance.draw", who="ann", item="large_shield") == "renaissance.gap.weapon.hands"
    session.do("renaissance.stow", who="ann", item="leather")
    session.do("renaissance.draw", who="ann", item="plate")
    assert places(session)["plate"] == "worn"
    session.do("renaissance.buy", who="ann", item="rope")
    assert refused(session, "renaissance.draw", who="ann", item="rope") == "renaissance.gap.weapon.hands"


@pytest.mark.rule("renaissance.gap.weapon.hands")
def test_loot_only_from_those_who_cannot_object() -> None:
    bob = somebody("Bob", copper=7, belongings=(ItemStack("mace", place="main"), ItemStack("rope", 2)))
    session = session_of({"ann": somebody(), "bob": bob})
    assert refused(session, "renaissance.loot", who="ann", fallen="bob") == "renaissance.gap.weapon.hands"
    session.do("table.rule", who="bob", field="dead", value="true", reason="a fall")
    session.do("renaissance.loot", who="ann", fallen="bob")
    assert session.scene["bob"].belongings == ()
    assert sorted(places(session)) == ["mace", "rope"]
    assert session.scene["ann"].character.copper == 7


def test_give_drop_and_take_up() -> None:
    session = session_of({"ann": somebody(belongings=(ItemStack("rope", 2),)), "bob": somebody("Bob")})
    session.do("renaissance.give", who="ann", to="bob", item="rope")
    session.do("renaissance.drop", who="ann", item="rope")
    assert (places(session), places(session, "bob")) == ({}, {"rope": "pack"})
    session.do("renaissance.take_up", who="bob", item="rope")
    assert session.scene["bob"].belongings == (ItemStack("rope", 2),)
    session.do("renaissance.lose", who="bob", item="rope", count=2)
    session.do("renaissance.gain", who="bob", item="dagger")
    assert places(session, "bob") == {"dagger": "main"}


# ---------------------------------------------------------------------- making things

SMITH = somebody(COG=15, luck=0, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"),))


@pytest.mark.rule("renaissance.gap.money.crafting")
@pytest.mark.parametrize(("item", "level"), [("rope", "minor"), ("mace", "moderate"), ("shop", "major")])
def test_making_things_takes_its_time(item: str, level: str) -> None:
    minutes = LEDGER["renaissance.gap.money.crafting"].data[level]
    session = session_of({"ann": SMITH})
    session.do("renaissance.craft", who="ann", item=item, field="smith")
    session.type_in([45])
    assert item in places(session)
    assert session.scene.clock.now == days_of_work(minutes) * 60


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.action.failed_task_time")
def test_a_failure_makes_nothing_and_loses_time() -> None:
    for rolled, quarters in ((46, 1), (80, 2), (99, 2)):
        session = session_of({"ann": SMITH})
        session.do("renaissance.craft", who="ann", item="mace", field="smith")
        session.type_in([rolled])
        assert "mace" not in places(session)
        assert session.scene.clock.now == 480 * 60 * quarters // 4


@pytest.mark.rule("renaissance.gap.money.crafting")
def test_a_shop_helps_and_tools_are_needed() -> None:
    session = session_of({"ann": SMITH.changed(belongings=(ItemStack("shop"),))})
    session.do("renaissance.craft", who="ann", item="mace", field="smith", tools="shop", steps=-1)
    session.type_in([45])  # 15 + 30 + 10 - 10
    assert "mace" in places(session)
    assert session.scene.clock.now == 480 * 60 * 3 // 4
    assert (
        refused(session, "renaissance.craft", who="ann", item="rope", field="smith") == "renaissance.gap.money.crafting"
    )
    assert (
        refused(session, "renaissance.craft", who="ann", item="ball_of_fire", field="smith", tools="shop")
        == "renaissance.gap.money.crafting"
    )
    fast = RenaissanceOptions(exceptional_halves_time=True)
    session = session_of({"ann": SMITH}, fast)
    session.do("renaissance.craft", who="ann", item="rope", field="smith")
    session.type_in([40])
    assert session.scene.clock.now == 60 * 60
