"""Bugs found by long runs of random play."""

from __future__ import annotations

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, duel, offered, place, session_with
from systems.stage.people import somebody
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.values import freeze


@pytest.mark.rule("stage.medicine.reanimate")
def test_the_long_dead_are_not_brought_back() -> None:
    people = [place(somebody(3), "party", who="ann"), place(somebody(1), "party", who="bob", vitality=0, died=-40_000)]
    session = session_with([*people, place(somebody(1), "foes", who="eve")])
    act(session, "reanimate:bob", faces=[[6, 6, 6]])
    assert not events(session, "Tried")[0].success
    assert status(session, "bob").dead


@pytest.mark.rule("stage.medicine.first_aid", "stage.resource.death")
def test_nobody_gives_the_dead_first_aid() -> None:
    people = [place(somebody(3), "party", who="ann"), place(somebody(1), "party", who="bob", vitality=0, died=0)]
    session = session_with(people, begun=False)
    with pytest.raises(IllegalActionError, match=r"Somebody 2 is dead"):
        go(session, "stage.first_aid", healer="ann", patient="bob")


@pytest.mark.rule("stage.magic.enchantment_types")
def test_a_thing_that_changes_hands_keeps_what_is_in_it() -> None:
    keen = ItemStack(
        "short_sword", place="hand", more=freeze({"enchantments": ["keen_edge"], "energy": {"vitality": 1}})
    )
    session = duel(somebody(3), somebody(3).changed(belongings=(keen,)), theirs={"ap": 0, "stamina": 0, "vitality": 3})
    act(session, "disarm:bob", faces=[[6, 6, 6]], choices={"how to defend": "nothing"})  # with bare hands: it is taken
    (held,) = session.scene["ann"].status.belongings
    assert tuple(held.more["enchantments"]) == ("keen_edge",)


@pytest.mark.rule("stage.encounter.flow")
def test_two_of_one_name_are_told_apart() -> None:
    people = [place(somebody(3), "party", who="ann")]
    session = session_with([*people, *[place(somebody(2), "foes", who=f"guard-{number}") for number in (1, 2)]])
    session.do("stage.encounter")
    labels = [one.label for one in session.question.options if one.action == "trip"]  # type: ignore[union-attr]
    assert labels == ["Trip Somebody 2", "Trip Somebody 3"]
    assert "trip:guard-2" in offered(session)
