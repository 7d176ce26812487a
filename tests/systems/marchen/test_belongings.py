"""Belongings: the market, hands and armour, conditions of things, supply, gifts."""

from __future__ import annotations

import pytest

from systems.marchen.acts import ann, done, why_not
from systems.marchen.people import OPTIONS, book, data, library, options, somebody, template, together
from systems.playing import status
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.belongings import better, with_supply
from tablewright.systems.marchen.character.gear import worse


@pytest.mark.rule("marchen.month.go_to_market", "marchen.gap.belongings.market")
def test_the_market() -> None:
    session = together(somebody(treasure=8))
    done(session, "buy", who="ann", item="mail")
    assert (ann(session).treasure, session.scene["ann"].belongings) == (3, (ItemStack("mail", place="worn"),))
    done(session, "buy", who="ann", item="sword")
    assert (ann(session).treasure, session.scene["ann"].belongings[1]) == (0, ItemStack("sword", place="hand"))
    assert "marchen.month.go_to_market" in why_not(session, "buy", who="ann", item="rope")
    done(session, "sell", who="ann", item="mail")
    assert ann(session).treasure == 2  # half of 5, rounded down
    assert "not for sale" in why_not(session, "buy", who="ann", item="claws")


@pytest.mark.rule("marchen.gap.belongings.hands")
def test_hands_and_armour() -> None:
    assert data("marchen.gap.belongings.hands")["hands"] == 2
    things = ("sword", "shield", "pike", "mail", "jack", "rope", "fine_clothes")
    session = together(somebody(belongings=tuple([ItemStack(item) for item in things])))
    for process, item in (("draw", "sword"), ("draw", "shield"), ("wear", "mail"), ("wear", "fine_clothes")):
        done(session, process, who="ann", item=item)
    places = {one.item: one.place for one in status(session).belongings}
    assert places == {
        "sword": "hand",
        "shield": "hand",
        "mail": "worn",
        "fine_clothes": "worn",
        **dict.fromkeys(("pike", "jack", "rope"), "pack"),
    }
    for process, items in (("draw", ("pike", "rope", "jack")), ("wear", ("jack", "shield", "pike"))):
        for item in items:
            assert "marchen.gap.belongings.hands" in why_not(session, process, who="ann", item=item)
    for item in ("sword", "shield", "mail"):
        done(session, "stow", who="ann", item=item)
    done(session, "draw", who="ann", item="pike")
    assert "no room" in why_not(session, "draw", who="ann", item="sword")
    done(session, "wear", who="ann", item="jack")
    suited = (ItemStack("mail", place="worn"), ItemStack("sword", place="hand"), ItemStack("shield", place="hand"))
    broken = book().legality(somebody(belongings=suited), OPTIONS, library()).rules
    assert "marchen.gap.belongings.hands" not in broken  # one suit and two hands are no more than there may be


@pytest.mark.rule("marchen.gap.belongings.hands")
def test_places_of_new_items() -> None:
    session = together(somebody(treasure=60))
    for item, count in (("dagger", 3), ("jack", 2), ("fine_clothes", 1), ("shield", 1), ("rope", 1), ("pike", 1)):
        done(session, "buy", who="ann", item=item, count=count)
    places = [(one.item, one.count, one.place) for one in session.scene["ann"].belongings]
    assert places == [
        ("dagger", 1, "hand"),
        ("dagger", 2, "pack"),
        ("jack", 1, "worn"),
        ("jack", 1, "pack"),
        ("fine_clothes", 1, "worn"),
        ("shield", 1, "hand"),
        ("rope", 1, "pack"),
        ("pike", 1, "pack"),
    ]


@pytest.mark.rule("marchen.ounces.withstand_damage", "marchen.resource.tracks")
def test_things_take_conditions_until_they_are_destroyed() -> None:
    session = together(somebody(belongings=(ItemStack("sword", place="hand"), ItemStack("rope", 2))))
    done(session, "damage_item", who="ann", item="sword")
    assert session.scene["ann"].belongings[-1] == ItemStack("sword", place="hand", left=3)
    done(session, "damage_item", who="ann", item="sword", conditions=2)
    assert session.scene["ann"].belongings[-1].left == 1
    done(session, "damage_item", who="ann", item="sword")
    assert [one.item for one in session.scene["ann"].belongings] == ["rope"]
    assert "destroyed" in session.log[-1].narrate()  # type: ignore[union-attr]
    done(session, "damage_item", who="ann", item="rope")
    assert [(one.count, one.left) for one in session.scene["ann"].belongings] == [(1, None), (1, 3)]
    assert "no sword" in why_not(session, "damage_item", who="ann", item="sword")


@pytest.mark.rule("marchen.resource.tracks", "marchen.recover.repair")
def test_of_several_things_the_worst_is_worn_down_and_mended() -> None:
    mine = worse((ItemStack("sword", place="hand"),), "sword", 3)
    assert better(mine, "sword", 1) == (ItemStack("sword", place="hand", left=2),)
    assert better(mine, "sword", 4) == (ItemStack("sword", place="hand"),)
    with pytest.raises(IllegalActionError, match=r"marchen\.recover\.repair"):
        better((ItemStack("sword"),), "sword", 1)
    two = (ItemStack("sword", 1, "hand", 3), ItemStack("sword", 1, "pack", 1))
    assert sorted([one.left or 0 for one in better(two, "sword", 1)]) == [2, 3]
    assert sorted([one.left or 0 for one in worse(two, "sword", 1)]) == [3]  # the other is destroyed
    sound = (ItemStack("sword", 1, "hand"), ItemStack("sword", 1, "pack", 3))
    assert [(one.place, one.left) for one in worse(sound, "sword", 1)] == [("hand", None), ("pack", 2)]
    assert [(one.place, one.left) for one in better(sound, "sword", 1)] == [("hand", None), ("pack", None)]


@pytest.mark.rule("marchen.resource.tracks")
def test_supply_has_its_limits() -> None:
    assert [with_supply(somebody(supply=4), change).supply for change in (-5, -1, 1, 2)] == [0, 3, 5, 5]
    session = together(somebody(supply=2))
    done(session, "supply", who="ann", change=-2)
    assert ann(session).supply == 0
    assert "marchen.resource.tracks" in why_not(session, "supply", who="ann", change=-1)


def test_gifts_and_leaving_with_them() -> None:
    session = together(template("soldier"), template("healer"))
    done(session, "give", who="roland", to="agnes", item="dagger")
    assert "dagger" in [one.item for one in session.scene["agnes"].belongings]
    assert "dagger" not in [one.item for one in session.scene["roland"].belongings]
    assert "is up and keeps it" in why_not(session, "loot", who="roland", fallen="agnes")
    session.do("table.rule", who="agnes", field="down", value="true", reason="hit by a falling beam")
    done(session, "loot", who="roland", fallen="agnes", item="cudgel")
    assert "cudgel" in [one.item for one in session.scene["roland"].belongings]
    left = book().export_character(session.scene, "agnes")
    assert "dagger" in [one.item for one in left.belongings]
    assert book().legality(left, options(), library()).ok
