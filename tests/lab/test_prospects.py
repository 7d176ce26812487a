"""Prospects of actions: exact, and computed from nothing that the actor may not know."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lab.scenes import folk, scenario
from tablewright.engine import Choice
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.evolve import evolve
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.lab import Deadline
from tablewright.lab.fights.forecast import as_known_to, meet, prospect, weigh_turn
from tablewright.lab.fights.turn_advice import advise_turn


def first_turn(name: str) -> Session:
    session = open_session(load_scenario(name), seed=1)
    session.do(session.rulebook.encounter.name)
    while session.scene.turn is None or not isinstance(session.question, Choice):
        if isinstance(session.question, Choice):
            session.choose(session.question.ids[session.question.default])
        else:
            session.roll()
    return session


def test_a_prospect_counts_what_comes_of_an_action() -> None:
    session = first_turn("stage:together")
    question = session.question
    assert isinstance(question, Choice)
    who = question.details["who"]
    use = next(one for one in question.options if isinstance(one, ActionUse) and one.id == "attack:guard-1:bow")
    found = prospect(session.rulebook, session.scene, who, use)
    assert (found.hits, found.harm) == (Fraction(5, 9), Fraction(5, 3))  # three on each hit
    assert found.fells == found.risk == 0
    assert found.to_json()["exact"]["hits"] == "5/9"


@pytest.mark.parametrize("name", ["stage:together", "renaissance:together"])
def test_the_actions_of_a_turn_are_worth_what_the_advice_says(name: str) -> None:
    session = first_turn(name)
    weighed = weigh_turn(session, seat=session.seat)
    advice = advise_turn(session)
    assert weighed.left_out == ()
    assert {offer.id: offer.value for offer in advice.offers} == {
        name: one.value for name, one in weighed.offers.items()
    }
    assert weighed.best == advice.best.id


def test_without_time_what_is_left_out_is_said() -> None:
    session = first_turn("stage:together")
    weighed = weigh_turn(session, seat=session.seat, deadline=Deadline(-1))
    assert weighed.offers == {}
    assert len(weighed.left_out) == len(session.question.ids) if isinstance(session.question, Choice) else False
    assert weighed.to_json()["options"] == []


def test_only_actions_are_weighed() -> None:
    session = open_session(load_scenario("stage:together"), seed=1)
    with pytest.raises(InvalidInputError, match="actions"):
        weigh_turn(session, seat=None)


def test_unknown_characters_are_not_assumed() -> None:
    session = first_turn("stage:together")
    scene = session.scene
    who = session.question.details["who"] if isinstance(session.question, Choice) else ""
    foe = scene.enemies(who)[0].id
    hidden = scene.with_participant(evolve(scene[foe], hidden=True))
    side, seat = scene[who].side, scene[who].seat
    known = as_known_to(session.rulebook, hidden, side, "somebody")
    assert foe not in known
    assert foe not in known.order
    assert foe in as_known_to(session.rulebook, hidden, side, None)
    assert foe in as_known_to(session.rulebook, scene, side, seat)


def test_two_sides_before_they_meet() -> None:
    told = scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 4, 2), folk("rat-2", "vermin", 4, 2))
    found, complete = meet(told)
    assert complete
    assert {one.who for one in found} == {"ann", "rat"}, "of those who are alike one is enough"
    ann = next(one for one in found if one.who == "ann")
    assert set(ann.by_target) == {"rat"}
    assert 0 < ann.hits < 1
    rest, complete = meet(told, ["ann"])
    assert ([one.who for one in rest], complete) == (["rat"], True)
    some, complete = meet(told, deadline=Deadline(-1))
    assert (len(some), complete) == (1, False), "at least one each time"
