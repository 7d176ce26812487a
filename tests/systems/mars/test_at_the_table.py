"""A fight of MARS as a person meets it: whose dice are whose, what is left of a turn, what the options promise."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.engine import Choice, Roll, odds
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.systems.mars.mechanics.attack import attack, to_hit
from tablewright.systems.mars.values import Degree

ME = "aldith"


def together(seed: int = 1) -> Session:
    session = open_session(load_scenario("mars:together"), seed=seed)
    session.do("mars.encounter")
    return session


def until(session: Session, question: str, seat: str = ME) -> Choice[Any]:
    """Play carefully until a seat is asked a question."""
    for _ in range(5_000):
        asked = session.question
        assert asked is not None, f"{question} never came up"
        if isinstance(asked, Roll):
            session.roll()
        elif session.seat == seat and asked.question == question:
            return asked
        else:
            session.choose(asked.ids[careful(session, asked)])
    raise AssertionError(f"{question} never came up")


def test_the_dice_of_a_defence_are_the_defenders() -> None:
    session = together()
    asked = until(session, "how to defend?")
    attacker = session.scene[asked.details["attacker"]].seat
    session.choose("evade")
    while isinstance(session.question, Choice):  # a character may step in
        session.choose(session.question.ids[0])
    playing = session.playing
    assert playing is not None
    assert [call.mechanic for call in playing.calls] == [attack, to_hit]
    assert set(playing.trace_so_far().tallies) == {"attack", "evasion"}
    seats = []
    while session.playing is playing and playing.calls and isinstance(session.question, Roll):
        seats.append(session.seat)
        session.roll()
        if len(seats) == 2:
            break
    assert seats == [attacker, ME]


def test_the_question_says_what_is_left_of_a_turn() -> None:
    session = together()
    asked = until(session, "what now?")
    assert asked.details["left"] == "6 s and a free action"
    session.choose(next(name for name in asked.ids if name.startswith("attack:")))
    asked = until(session, "what now?")
    assert asked.details["left"] == "4 s and a free action"
    session.choose("drop_prone")
    assert until(session, "what now?").details["left"] == "4 s"


def options(session: Session) -> dict[str, ActionUse]:
    asked = session.question
    assert isinstance(asked, Choice)
    return dict(zip(asked.ids, asked.options, strict=True))


def test_the_odds_of_an_attack_are_those_against_a_target_that_deflects() -> None:
    session = together()
    until(session, "what now?")
    name, use = next((name, use) for name, use in options(session).items() if name.startswith("attack:"))
    before = session.facts
    call = preview_rule(session, ME, use, ME).subject
    assert call.mechanic is attack
    assert call.named_arguments()["declared"] == "deflect"
    assert session.facts == before  # asking changes nothing
    assert name in options(session)


def test_the_odds_of_a_defence_are_those_of_the_blow_that_comes() -> None:
    session = together()
    until(session, "how to defend?")
    found = {name: preview_rule(session, ME, use, ME).subject for name, use in options(session).items()}
    declared = {name: call.named_arguments()["declared"] for name, call in found.items()}
    assert (declared["deflect"], declared["evade"]) == ("deflect", "evade")
    grazed = {name: odds(call).chance(lambda attacked: attacked.degree is Degree.GRAZE) for name, call in found.items()}
    assert grazed["deflect"] > grazed["evade"] == 0  # who evades is not grazed
    parried = found["parry::straight_sword"].named_arguments()
    assert (str(parried["deflection"]), str(parried["parry"])) == ("r10+4", "r6")  # having stepped in
    hits = {name: odds(call).chance(lambda attacked: attacked.hits) for name, call in found.items()}
    assert hits["parry::straight_sword"] < hits["evade"] < hits["deflect"]


def test_a_rule_without_rolls_has_no_odds() -> None:
    session = together()
    until(session, "what now?")
    for name in ("end_turn", "drop_prone"):
        with pytest.raises(InvalidInputError, match="nothing is rolled"):
            preview_rule(session, ME, options(session)[name], ME)
