"""Connections, patrons, standing, holdings and heirs."""

from __future__ import annotations

import pytest

from systems.marchen.acts import ann, done, why_not
from systems.marchen.people import OPTIONS, data, hero, somebody, together
from systems.playing import examples
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.marchen.chapters.life import (
    counted_standing,
    married,
    retired,
    standing_cost,
    support_cost,
    with_heir,
)
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.mechanics.dice import Degree

# ---------------------------------------------------------------------- connections


@pytest.mark.rule("marchen.connection.make")
def test_connections_are_made_with_people_who_have_names() -> None:
    session = together(somebody())
    for wrong in ("", "  ", "x" * 61):
        with pytest.raises(InvalidInputError, match="1 to 60 letters"):
            session.do("marchen.make_connection", who="ann", person=wrong)
    for right in ("B", " Bo ", "x" * 60):
        assert ann(session).connection(right.strip()) is None
        done(session, "make_connection", who="ann", person=right)
        assert ann(session).connection(right.strip()) == 1
        assert "marchen.connection.make" in why_not(session, "make_connection", who="ann", person=right)
    assert list(ann(session).connections) == ["B", "Bo", "x" * 60]


@pytest.mark.rule("marchen.connection.forge_bond", "marchen.connection.aid", "marchen.connection.ranks")
def test_bonds_and_aid() -> None:
    session = together(somebody(connections={"Bob": -1}))
    for process, rank in (("forge_bond", 0), ("aid_connection", 2), ("aid_connection", 4), ("forge_bond", 4)):
        done(session, process, who="ann", person="Bob")
        assert ann(session).connections == {"Bob": rank}
        if rank == 2:
            assert session.log[-1].narrate() == "ann: Bob is friendly (+2)"  # type: ignore[union-attr]
    assert "unknown" in why_not(session, "forge_bond", who="ann", person="Cid")


@pytest.mark.rule("marchen.connection.compel")
def test_compelling() -> None:
    for given, expect in examples("marchen.connection.compel"):
        session = together(somebody(connections={"Bob": given["rank"]}, skills={"persuasion": 0}))
        result = done(session, "compel_connection", [1, 1], who="ann", person="Bob")
        assert (result.effect, ann(session).connections["Bob"]) == (2 + given["rank"] - 8, expect["rank"])
    session = together(somebody(connections={"Bob": 3}, personality=1, skills={"intimidation": 1}))
    result = done(session, "compel_connection", [1, 2], who="ann", person="Bob", skill="intimidation")
    assert (result.effect, ann(session).connections["Bob"]) == (0, 3)  # who is persuaded does it
    assert "unknown" in why_not(session, "compel_connection", who="ann", person="Cid")


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
def test_the_price_of_standing() -> None:
    for given, expect in examples("marchen.gap.advancement.standing"):
        one = somebody(social=given["new_score"] - 1, treasure=40, discount=3)
        assert standing_cost(one.changed(discount=0), OPTIONS) == expect["treasure"]
        session = together(one)
        done(session, "raise_standing", who="ann")
        assert score(ann(session), "social", OPTIONS).total == given["new_score"]
        assert (ann(session).treasure, ann(session).discount) == (40 - expect["treasure"] + 3, 0)
    assert [standing_cost(somebody(discount=off), OPTIONS) for off in (12, 20)] == [0, 0]
    assert "costs 12 and Ann has 11 Treasure" in why_not(together(somebody(treasure=11)), "raise_standing", who="ann")
    highest = together(somebody(social=4, treasure=100))
    assert "marchen.aspect.current_and_maximum" in why_not(highest, "raise_standing", who="ann")


@pytest.mark.rule("marchen.sojourn.drum_up_support", "marchen.sojourn.receive_title")
def test_support_costs_a_sixth_and_standing_counts_at_home_and_where_a_title_was_received() -> None:
    ((given, expect),) = examples("marchen.sojourn.drum_up_support")
    assert standing_cost(somebody(social=1), OPTIONS) == given["normal_cost"]
    assert support_cost(somebody(social=1), OPTIONS) == expect["treasure"]
    assert support_cost(somebody(social=-2), OPTIONS) == 2
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
        assert "already" in why_not(session, process, who="ann", **given)


# ---------------------------------------------------------------------- heirs


@pytest.mark.rule("marchen.season.name_an_heir", "marchen.season.epilogue")
def test_an_heir_is_named_once_and_an_epilogue_needs_one() -> None:
    session = together(somebody(spiritual=1))
    assert "marchen.season.epilogue" in why_not(session, "write_epilogue", who="ann")
    done(session, "name_heir", who="ann", heir="Oliver")
    raised = data("marchen.season.name_an_heir")["spiritual_maximum"]
    assert (ann(session).heir, score(ann(session), "spiritual", OPTIONS).total) == ("Oliver", 1 + raised)
    assert "marchen.season.name_an_heir" in why_not(session, "name_heir", who="ann", heir="Roland")
    assert with_heir(somebody(spiritual=4), "Oliver", OPTIONS).heir == "Oliver"
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


@pytest.mark.rule("marchen.season.court_a_spouse")
def test_a_marriage_takes_nothing_away() -> None:
    for known, after in (({"Eva": 4}, 4), ({"Eva": 3}, 3), ({"Eva": 1}, 3), ({"Eva": -2}, 3), ({}, 3)):
        assert married(hero(connections=known), "Eva").connections["Eva"] == after


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
