"""Connections, patrons, standing, holdings, heirs; and belongings."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.people import OPTIONS, ann, book, data, done, library, options, somebody, template, together
from systems.playing import examples
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.belongings import better, with_supply
from tablewright.systems.marchen.chapters.life import counted_standing, retired, standing_cost, support_cost, with_heir
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.gear import worse
from tablewright.systems.marchen.mechanics.dice import Degree

# ---------------------------------------------------------------------- connections


@pytest.mark.rule("marchen.connection.make")
def test_making_a_connection() -> None:
    session = together(somebody())
    assert ann(session).connection("Bob the smith") is None
    done(session, "make_connection", who="ann", person="Bob the smith")
    assert ann(session).connection("Bob the smith") == 1
    with pytest.raises(IllegalActionError, match=r"marchen\.connection\.make"):
        session.do("marchen.make_connection", who="ann", person="Bob the smith")


@pytest.mark.rule("marchen.connection.make")
def test_people_have_names() -> None:
    session = together(somebody())
    for wrong in ("", "  ", "x" * 61):
        with pytest.raises(InvalidInputError, match="1 to 60 letters"):
            session.do("marchen.make_connection", who="ann", person=wrong)
    for right in ("B", " Bo ", "x" * 60):
        done(session, "make_connection", who="ann", person=right)
    assert list(ann(session).connections) == ["B", "Bo", "x" * 60]


@pytest.mark.rule("marchen.connection.forge_bond", "marchen.connection.aid", "marchen.connection.ranks")
def test_bonds_and_aid() -> None:
    session = together(somebody(connections={"Bob": -1}))
    done(session, "forge_bond", who="ann", person="Bob")
    assert ann(session).connections == {"Bob": 0}
    done(session, "aid_connection", who="ann", person="Bob")
    assert ann(session).connections == {"Bob": 2}
    assert session.log[-1].narrate() == "ann: Bob is friendly (+2)"  # type: ignore[union-attr]
    done(session, "aid_connection", who="ann", person="Bob")
    done(session, "forge_bond", who="ann", person="Bob")
    assert ann(session).connections == {"Bob": 4}
    with pytest.raises(IllegalActionError, match="unknown"):
        session.do("marchen.forge_bond", who="ann", person="Cid")


@pytest.mark.rule("marchen.connection.compel")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.connection.compel"))
def test_compelling(given: dict[str, Any], expect: dict[str, int]) -> None:
    session = together(somebody(connections={"Bob": given["rank"]}, skills={"persuasion": 0}))
    result = done(session, "compel_connection", [1, 1], who="ann", person="Bob")
    assert result.effect == 2 + given["rank"] - 8
    assert ann(session).connections["Bob"] == expect["rank"]


@pytest.mark.rule("marchen.connection.compel")
def test_a_persuaded_character_does_it() -> None:
    session = together(somebody(connections={"Bob": 3}, personality=1, skills={"intimidation": 1}))
    result = done(session, "compel_connection", [1, 2], who="ann", person="Bob", skill="intimidation")
    assert (result.effect, ann(session).connections["Bob"]) == (0, 3)
    with pytest.raises(IllegalActionError, match="unknown"):
        session.do("marchen.compel_connection", who="ann", person="Cid")


@pytest.mark.rule("marchen.connection.test")
def test_testing_a_bond() -> None:
    ((given, expect),) = examples("marchen.connection.test")
    session = together(somebody(connections={"Bob": given["rank"]}))
    assert done(session, "test_connection", [2, 2], who="ann", person="Bob").effect == given["effect"]
    assert ann(session).connections["Bob"] == expect["rank"]
    assert done(session, "test_connection", [4, 4], who="ann", person="Bob").success
    assert ann(session).connections["Bob"] == expect["rank"]
    assert done(session, "test_connection", [1, 1], who="ann", person="Bob").degree is Degree.CATASTROPHIC
    assert ann(session).connections["Bob"] == -3


# ---------------------------------------------------------------------- standing and holdings


@pytest.mark.rule("marchen.gap.advancement.standing", "marchen.sojourn.raise_standing")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.gap.advancement.standing"))
def test_the_price_of_standing(given: dict[str, int], expect: dict[str, int]) -> None:
    one = somebody(social=given["new_score"] - 1, treasure=40, discount=3)
    assert standing_cost(one.changed(discount=0), OPTIONS) == expect["treasure"]
    session = together(one)
    done(session, "raise_standing", who="ann")
    assert score(ann(session), "social", OPTIONS).total == given["new_score"]
    assert (ann(session).treasure, ann(session).discount) == (40 - expect["treasure"] + 3, 0)


@pytest.mark.rule("marchen.sojourn.raise_standing")
def test_standing_that_cannot_be_raised() -> None:
    with pytest.raises(IllegalActionError, match="costs 12 and Ann has 11 Treasure"):
        together(somebody(treasure=11)).do("marchen.raise_standing", who="ann")
    with pytest.raises(IllegalActionError, match=r"marchen\.aspect\.current_and_maximum"):
        together(somebody(social=4, treasure=100)).do("marchen.raise_standing", who="ann")
    assert standing_cost(somebody(discount=12), OPTIONS) == 0
    assert standing_cost(somebody(discount=20), OPTIONS) == 0


@pytest.mark.rule("marchen.sojourn.drum_up_support")
def test_support_in_one_matter_costs_a_sixth() -> None:
    ((given, expect),) = examples("marchen.sojourn.drum_up_support")
    assert standing_cost(somebody(social=1), OPTIONS) == given["normal_cost"]
    assert support_cost(somebody(social=1), OPTIONS) == expect["treasure"]
    assert support_cost(somebody(social=-2), OPTIONS) == 2


@pytest.mark.rule("marchen.sojourn.receive_title")
def test_standing_counts_at_home_and_where_a_title_was_received() -> None:
    one = somebody(social=2, culture="Rhineland", titles=("Hanse",))
    assert [counted_standing(one, culture, OPTIONS) for culture in ("Rhineland", "Hanse", "Venice")] == [2, 2, 0]
    assert counted_standing(somebody(social=-2, culture="Rhineland"), "Venice", OPTIONS) == -2
    assert [support_cost(one, OPTIONS, culture) for culture in ("", "Hanse", "Venice")] == [6, 6, 2]


def test_patrons_and_holdings() -> None:
    session = together(somebody(culture="Rhineland"))
    done(session, "take_patron", who="ann", person="the Countess")
    done(session, "gain_holding", who="ann", name="the mill", specialty="Baking")
    assert ann(session).patrons == ("the Countess",)
    assert [(one.name, one.culture, one.specialty) for one in ann(session).holdings] == [
        ("the mill", "Rhineland", "Baking")
    ]
    for process, given in (("take_patron", {"person": "the Countess"}), ("gain_holding", {"name": "the mill"})):
        with pytest.raises(IllegalActionError, match="already"):
            session.do(f"marchen.{process}", who="ann", **given)


# ---------------------------------------------------------------------- heirs


@pytest.mark.rule("marchen.season.name_an_heir")
def test_an_heir_is_named_once() -> None:
    session = together(somebody(spiritual=1))
    done(session, "name_heir", who="ann", heir="Oliver")
    row = data("marchen.season.name_an_heir")
    assert (ann(session).heir, score(ann(session), "spiritual", OPTIONS).total) == (
        "Oliver",
        1 + row["spiritual_maximum"],
    )
    with pytest.raises(IllegalActionError, match=r"marchen\.season\.name_an_heir"):
        session.do("marchen.name_heir", who="ann", heir="Roland")
    assert with_heir(somebody(spiritual=4), "Oliver", OPTIONS).heir == "Oliver"


@pytest.mark.rule("marchen.season.epilogue")
def test_an_epilogue_needs_an_heir() -> None:
    session = together(somebody())
    with pytest.raises(IllegalActionError, match=r"marchen\.season\.epilogue"):
        session.do("marchen.write_epilogue", who="ann")
    done(session, "name_heir", who="ann", heir="Oliver")
    done(session, "write_epilogue", who="ann", role="patron")
    assert ann(session).retired == "patron"
    with pytest.raises(IllegalActionError, match="retired already"):
        retired(ann(session), "sage")


@pytest.mark.rule("marchen.season.epilogue")
def test_a_character_who_retires_as_a_patron_is_one_to_the_heir() -> None:
    session = together(somebody(heir="Oliver"), somebody("Oliver"), somebody("Roland"))
    done(session, "write_epilogue", who="ann", role="patron")
    assert [session.scene[who].character.patrons for who in ("oliver", "roland")] == [("Ann",), ()]
    later = together(ann(session), somebody("Oliver"))  # the heir comes into play after the epilogue
    assert later.scene["oliver"].character.patrons == ("Ann",)
    done(later, "season", plans=["oliver=meet_patron:Ann"])
    assert [one.name for one in later.scene["oliver"].character.boons] == ["counsel of Ann"]
    sage = together(somebody(heir="Oliver"), somebody("Oliver"))
    done(sage, "write_epilogue", who="ann", role="sage")
    assert sage.scene["oliver"].character.patrons == ()


# ---------------------------------------------------------------------- belongings


@pytest.mark.rule("marchen.month.go_to_market", "marchen.gap.belongings.market")
def test_the_market() -> None:
    session = together(somebody(treasure=8))
    done(session, "buy", who="ann", item="mail")
    assert (ann(session).treasure, session.scene["ann"].belongings) == (3, (ItemStack("mail", place="worn"),))
    done(session, "buy", who="ann", item="sword")
    assert (ann(session).treasure, session.scene["ann"].belongings[1]) == (0, ItemStack("sword", place="hand"))
    with pytest.raises(IllegalActionError, match=r"marchen\.month\.go_to_market"):
        session.do("marchen.buy", who="ann", item="rope")
    done(session, "sell", who="ann", item="mail")
    assert ann(session).treasure == 2  # half of 5, rounded down
    with pytest.raises(IllegalActionError, match="not for sale"):
        session.do("marchen.buy", who="ann", item="claws")


@pytest.mark.rule("marchen.gap.belongings.hands")
def test_hands_and_armour() -> None:
    row = data("marchen.gap.belongings.hands")
    things = [ItemStack(item) for item in ("sword", "shield", "pike", "mail", "jack", "rope", "fine_clothes")]
    session = together(somebody(belongings=tuple(things)))
    for process, item in (("draw", "sword"), ("draw", "shield"), ("wear", "mail"), ("wear", "fine_clothes")):
        done(session, process, who="ann", item=item)
    places = {one.item: one.place for one in session.scene["ann"].belongings}
    assert [places[item] for item in ("sword", "shield", "mail", "fine_clothes", "pike")] == [
        "hand",
        "hand",
        "worn",
        "worn",
        "pack",
    ]
    assert row["hands"] == 2
    for process, item in (
        ("draw", "pike"),
        ("draw", "rope"),
        ("draw", "jack"),
        ("wear", "jack"),
        ("wear", "shield"),
        ("wear", "pike"),
    ):
        with pytest.raises(IllegalActionError, match=r"marchen\.gap\.belongings\.hands"):
            session.do(f"marchen.{process}", who="ann", item=item)
    for item in ("sword", "shield", "mail"):
        done(session, "stow", who="ann", item=item)
    done(session, "draw", who="ann", item="pike")
    with pytest.raises(IllegalActionError, match="no room"):
        session.do("marchen.draw", who="ann", item="sword")
    done(session, "wear", who="ann", item="jack")


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
    with pytest.raises(IllegalActionError, match="no sword"):
        session.do("marchen.damage_item", who="ann", item="sword")


@pytest.mark.rule("marchen.recover.repair")
def test_repairs() -> None:
    mine = worse((ItemStack("sword", place="hand"),), "sword", 3)
    assert better(mine, "sword", 1) == (ItemStack("sword", place="hand", left=2),)
    assert better(mine, "sword", 4) == (ItemStack("sword", place="hand"),)
    with pytest.raises(IllegalActionError, match=r"marchen\.recover\.repair"):
        better((ItemStack("sword"),), "sword", 1)


@pytest.mark.rule("marchen.resource.tracks")
def test_supply_has_its_limits() -> None:
    assert [with_supply(somebody(supply=4), change).supply for change in (-5, -1, 1, 2)] == [0, 3, 5, 5]
    session = together(somebody(supply=2))
    done(session, "supply", who="ann", change=-2)
    assert ann(session).supply == 0
    with pytest.raises(IllegalActionError, match=r"marchen\.resource\.tracks"):
        session.do("marchen.supply", who="ann", change=-1)


def test_gifts_and_leaving_with_them() -> None:
    session = together(template("soldier"), template("healer"))
    done(session, "give", who="roland", to="agnes", item="dagger")
    assert "dagger" in [one.item for one in session.scene["agnes"].belongings]
    assert "dagger" not in [one.item for one in session.scene["roland"].belongings]
    with pytest.raises(IllegalActionError, match="is up and keeps it"):
        session.do("marchen.loot", who="roland", fallen="agnes")
    session.do("table.rule", who="agnes", field="down", value="true", reason="hit by a falling beam")
    done(session, "loot", who="roland", fallen="agnes", item="cudgel")
    assert "cudgel" in [one.item for one in session.scene["roland"].belongings]
    left = book().export_character(session.scene, "agnes")
    assert "dagger" in [one.item for one in left.belongings]
    assert book().legality(left, options(), library()).ok


def test_strange_names_are_refused_and_change_nothing() -> None:
    session = together(somebody(experience=50, skills={"stealth": 1}, connections={"Bob": 1}))
    before = ann(session)
    for process, given in (
        ("make_connection", {"person": " "}),
        ("take_patron", {"person": "x" * 61}),
        ("gain_holding", {"name": ""}),
        ("name_heir", {"heir": ""}),
        ("advance", {"what": "specialization", "name": "x" * 61, "skill": "stealth"}),
        ("advance", {"what": "characteristic", "name": "clothing"}),
        ("advance", {"what": "specialization", "name": "Shadowing"}),
        ("test_connection", {"person": "Bob", "skill": "plate"}),
        ("train", {"skill": "plate"}),
    ):
        with pytest.raises((InvalidInputError, IllegalActionError)):
            session.do(f"marchen.{process}", who="ann", **given)
        assert ann(session) == before
    with pytest.raises(IllegalActionError, match=r"marchen\.aid\.leader"):
        together(before, somebody("Bob"), somebody("Cid")).do(
            "marchen.aid", who=("ann", "bob"), what="muscle", leader="cid"
        )


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
