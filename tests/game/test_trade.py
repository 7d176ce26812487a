"""Trade, gifts, loot and items on the ground, for Coinfolk and for declarations made in the test."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from coinfolk import system
from coinfolk.book import TRADE, Coinling, Weapon, rulebook

from game.opened import open_characters
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack, count_of
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.narration.projection import project_scene
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.loose_items import drop_items, nearest_lying, pick_up, return_to_owners
from tablewright.game.play.trade import Loading, Money, Trade, trading
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session

GEAR = "coinfolk.creation.gear"


def session_of(*belongings: ItemStack, trade: Trade | None = None, pennies: int = 7) -> Session:
    ann = Coinling(name="Ann", pennies=pennies, belongings=belongings)
    session = open_characters(system, [("ann", ann), ("bob", Coinling(name="Bob", pennies=1))], seed=1)
    if trade is None:
        return session
    return Session(session.header, replace(rulebook, processes=trading(trade)))


def has(session: Session, who: str = "ann") -> list[str]:
    return [str(one) for one in session.scene[who].belongings]


def money(session: Session, who: str = "ann") -> int:
    found: int = session.scene[who].character.pennies
    return found


def changes(session: Session) -> list[BelongingsChanged]:
    return [line for line in session.log if isinstance(line, BelongingsChanged)]


# ---------------------------------------------------------------------- money


def test_buying_takes_the_price_and_selling_gives_half_of_it_rounded_down() -> None:
    session = session_of()
    session.do("coinfolk.buy", who="ann", item="poker")
    assert (has(session), money(session)) == (["poker (pack)"], 4)
    session.do("coinfolk.buy", who="ann", item="knife", count=2)
    assert (has(session), money(session)) == (["poker (pack)", "2 knife (pack)"], 0)
    session.do("coinfolk.sell", who="ann", item="poker")  # half of 3
    assert (has(session), money(session)) == (["2 knife (pack)"], 1)
    session.do("coinfolk.sell", who="ann", item="knife", count=2, price="3")
    assert (has(session), money(session)) == ([], 7)
    assert [event.narrate() for event in changes(session)][:2] == ["ann: buys Poker", "ann: buys 2 Bread knife"]


def test_unaffordable_or_unsaleable_items_are_refused_and_change_nothing() -> None:
    session = session_of(ItemStack("knife"), pennies=2)
    before = session.scene
    with pytest.raises(IllegalActionError, match="Poker costs 3 and Ann has 2") as refused:
        session.do("coinfolk.buy", who="ann", item="poker")
    assert refused.value.rule == GEAR
    with pytest.raises(IllegalActionError, match="2 knife are needed"):
        session.do("coinfolk.sell", who="ann", item="knife", count=2)
    with pytest.raises(IllegalActionError, match="it costs 3"):
        session.do("coinfolk.pay", who="ann", amount="3")
    with pytest.raises(IllegalActionError, match="not a whole number of pennies"):
        session.do("coinfolk.earn", who="ann", amount="1.5")
    with pytest.raises(InvalidInputError, match="no currency"):
        session.do("coinfolk.earn", who="ann", amount="3 gold")
    with pytest.raises(InvalidInputError, match="did you mean"):
        session.do("coinfolk.buy", who="ann", item="pokr")
    assert session.scene == before


def test_paying_and_earning_in_other_coins() -> None:
    coins: dict[str, int | Fraction] = {"shilling": 12, "farthing": Fraction(1, 4)}
    session = session_of(trade=replace(TRADE, currency=lambda name, library: coins[name]))
    session.do("coinfolk.earn", who="ann", amount="2 shilling")
    assert money(session) == 7 + 24
    session.do("coinfolk.pay", who="ann", amount="8 farthing")
    assert money(session) == 31 - 2
    assert str(Money.parse(" 2.50 Gold")) == "2.5 gold"


def test_things_sold_together_are_bought_together_and_put_where_they_belong() -> None:
    def put(mine: Any, item: str, count: int, library: Any) -> Any:
        return (*mine, ItemStack(item, count, "rack"))

    session = session_of(trade=replace(TRADE, lot=lambda found: 2, put=put, sells_for=Fraction(1)))
    session.do("coinfolk.buy", who="ann", item="knife")
    assert (has(session), money(session)) == (["2 knife (rack)"], 3)
    session.do("coinfolk.sell", who="ann", item="knife")
    assert money(session) == 5


# ---------------------------------------------------------------------- gifts and loot


def test_giving_gaining_and_losing() -> None:
    session = session_of(ItemStack("knife", 2, "hand"))
    session.do("coinfolk.give", who="ann", to="bob", item="knife")
    assert (has(session), has(session, "bob")) == (["knife (hand)"], ["knife (pack)"])
    with pytest.raises(IllegalActionError, match="ann has it already"):
        session.do("coinfolk.give", who="ann", to="ann", item="knife")
    session.do("coinfolk.gain", who="bob", item="poker")
    session.do("coinfolk.lose", who="bob", item="knife")
    assert has(session, "bob") == ["poker (pack)"]
    session.undo()
    assert has(session, "bob") == ["knife (pack)", "poker (pack)"]


def test_only_who_cannot_object_is_looted_and_the_money_goes_along() -> None:
    session = session_of(ItemStack("knife"), ItemStack("poker", 2))
    with pytest.raises(IllegalActionError, match="Ann is up and keeps it"):
        session.do("coinfolk.loot", who="bob", fallen="ann")
    session.do("table.rule", who="ann", field="health", value="0", reason="a fall")
    session.do("coinfolk.loot", who="bob", fallen="ann", item="poker")
    assert (has(session), has(session, "bob")) == (["knife (pack)", "poker (pack)"], ["poker (pack)"])
    for more in ({}, {"item": "knife"}):
        with pytest.raises(IllegalActionError, match="Ann has it already"):
            session.do("coinfolk.loot", who="ann", fallen="ann", **more)
    session.do("coinfolk.loot", who="bob", fallen="ann")
    assert (has(session), money(session)) == ([], 0)
    with pytest.raises(IllegalActionError, match="Ann has it already"):
        session.do("coinfolk.loot", who="ann", fallen="ann")
    assert (has(session, "bob"), money(session, "bob")) == (["2 poker (pack)", "knife (pack)"], 1 + 7)


def test_without_a_word_on_who_keeps_it_there_is_no_looting() -> None:
    names = [process.name for process in trading(replace(TRADE, keeps=None))]
    assert "coinfolk.loot" not in names
    assert "coinfolk.load" not in names


# ---------------------------------------------------------------------- ammunition


def test_loading_takes_what_the_weapon_takes() -> None:
    def loads(found: Weapon) -> Loading | None:
        return Loading("knife", 2) if found.id == "poker" else None

    session = session_of(ItemStack("poker", left=0), ItemStack("knife", 3), trade=replace(TRADE, loads=loads))
    for _ in range(2):
        session.do("coinfolk.load", who="ann", weapon="poker")
    assert has(session) == ["poker (pack, 2 left)", "knife (pack)"]
    with pytest.raises(IllegalActionError, match="no room in poker"):
        session.do("coinfolk.load", who="ann", weapon="poker")
    with pytest.raises(IllegalActionError, match="not loaded beforehand"):
        session.do("coinfolk.load", who="ann", weapon="knife")


# ---------------------------------------------------------------------- the ground


def test_dropped_items_lie_with_their_contents_until_taken_up() -> None:
    session = session_of(ItemStack("poker", 1, "hand", left=3))
    session.do("coinfolk.drop", who="ann", item="poker")
    here = session.scene["ann"].position
    assert (has(session), session.scene.loose_items) == ([], (LooseItem("poker", "ann", 3, here),))
    (seen,) = project_scene(session.scene, rulebook, "bob")["lying"]
    assert (seen["item"], seen["owner"], seen["left"]) == ("poker", "ann", 3)
    session.do("coinfolk.take_up", who="bob", item="poker")
    assert (has(session, "bob"), session.scene.loose_items) == (["poker (pack, 3 left)"], ())
    with pytest.raises(IllegalActionError, match="no Poker lies within Ann's reach"):
        session.do("coinfolk.take_up", who="ann", item="poker")


def test_only_what_is_near_can_be_taken_up() -> None:
    scene = session_of().scene
    placed = replace(scene["ann"], position=cell(5, 5))
    scene = replace(scene.with_participant(placed), ground=Grid())
    far, near = LooseItem("knife", "bob", 1, cell(9, 9)), LooseItem("knife", "bob", 2, cell(5, 6))
    scene = drop_items(scene, far, near)
    assert nearest_lying(scene, "ann", "knife") == near
    assert nearest_lying(scene, "ann", "knife", reach=20) == far
    assert nearest_lying(scene, "ann", "poker", reach=20) is None
    assert pick_up(scene, near).loose_items == (far,)


def test_after_the_scene_everyone_keeps_their_belongings() -> None:
    scene = drop_items(session_of(ItemStack("knife")).scene, LooseItem("knife", "ann"), LooseItem("poker", "nobody"))
    scene = return_to_owners(scene)
    assert count_of(scene["ann"].belongings, "knife") == 2
    assert scene.loose_items == ()


def test_belongings_are_in_one_place_and_written_back_on_leaving() -> None:
    session = session_of(ItemStack("knife"))
    session.do("coinfolk.buy", who="ann", item="poker")
    session.do("coinfolk.lose", who="ann", item="knife")
    left = rulebook.export_character(session.scene, "ann")
    assert [str(one) for one in left.belongings] == ["poker (pack)"]
    assert left.pennies == 4
    again = open_characters(system, [("ann", left)], seed=1)
    assert [str(one) for one in again.scene["ann"].belongings] == ["poker (pack)"]
