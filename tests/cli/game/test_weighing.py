"""Advice at the table: what the options of a process lead to, and nothing that is not one's own to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from coinfolk import strike

from tablewright.cli.chart import draw_odds
from tablewright.cli.explaining import advise, odds
from tablewright.engine import Choose, Process, Roll, choose, process, yes_no
from tablewright.engine.reporting import answer_for
from tablewright.errors import BadInput
from tablewright.game.actions import Action, Actions, Use
from tablewright.game.opening import open_session
from tablewright.game.previewing import rule_behind
from tablewright.game.scenario import load_scenario
from tablewright.game.scene import Live
from tablewright.game.session import Session

RULE = "coinfolk.fight.strike"


@process(rules=[RULE])
async def brawl(game: Live) -> int:
    """Ann says with how many coins she strikes."""
    return await choose("ann", "how many coins?", [2, 4, 1], leads_to=strike, objective="harm")


@process(rules=[RULE])
async def ambush(game: Live) -> Any:
    """The cat strikes Ann; how much edge its claws have is nobody's to know."""
    return await strike(3, 2, 0, 2).by("vermin", "ann", hide=["edge"])


async def gamble(game: Live, who: str, use: Use) -> None:
    """Ann may spend luck before she strikes, or think better of it."""
    if use.detail == "perhaps" and not await yes_no(game.seat(who), "strike at all?"):
        return
    spent = await yes_no(game.seat(who), "spend luck first?", cost="1 luck")
    await strike(3 + spent, 1, 0, 0).by(game.seat(who), game.seat("cat"))


def table(*processes: Process[..., Any]) -> Session:
    plain = open_session(load_scenario("coinfolk:together"), seed=2)
    return Session(plain.header, replace(plain.book, processes=(*plain.book.processes, *processes)))


def test_each_option_is_told_with_what_it_leads_to(capsys: pytest.CaptureFixture[str]) -> None:
    session = table(brawl)
    session.do("coinfolk.brawl")
    advise(session, "ann", "")
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert told == ["harm, if everything after it is done well:", "2 1", "4 2 best by 1", "1 0.5 1/2"]


def test_advice_that_would_give_something_away_is_refused_in_words() -> None:
    session = table(ambush)
    session.do("coinfolk.ambush")
    session.type_in([2, 2, 1])
    assert session.seat == "ann"
    with pytest.raises(BadInput, match=r"advice would give away what is not yours to know \(edge\)"):
        advise(session, "ann", "")
    advise(session, "game master", "")


def test_what_is_not_ones_own_to_know_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    session = open_session(load_scenario("marchen:together"), seed=2)
    session.do("marchen.encounter")
    while session.seat not in ("roland", "gretel", "agnes", "morwen") or not isinstance(session.question, Choose):
        if isinstance(session.question, Roll):
            session.roll()
        else:
            session.choose("hold" if "hold" in session.question.ids else session.question.ids[0])  # type: ignore[union-attr]
    odds(session, str(session.seat), "")
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("not yours to know") == 1
    assert "not yours to know, and taken to be as usual: " in told
    assert "face modifier" in told


def test_odds_are_told_with_the_usual_answer_to_what_the_attacker_is_asked_first() -> None:
    plain = open_session(load_scenario("coinfolk:together"), seed=2)
    actions = Actions([Action("gamble", "Gamble", (RULE,), gamble)])
    session = Session(plain.header, replace(plain.book, actions=actions))
    behind = rule_behind(session, "ann", Use("gamble"), "ann")
    assert behind.subject == strike(3, 1, 0, 0)
    assert behind.presumed == ("spend luck first? no",)
    sure = Action("gamble", "Gamble", (RULE,), gamble, uses=lambda scene, who: [Use("gamble", detail="perhaps")])
    session = Session(plain.header, replace(plain.book, actions=Actions([sure])))
    with pytest.raises(BadInput, match=r"nothing is rolled for it with the usual answers: strike at all\? no"):
        rule_behind(session, "ann", Use("gamble", detail="perhaps"), "ann")


def test_what_is_always_nothing_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_for(strike(3, 1, 0, 0))  # nobody has luck to spend or breath to duck
    draw_odds(answer, brief=True)
    told = capsys.readouterr().out
    assert "harm: mean" in told
    assert "luck" not in told.partition("harm: mean")[2]
    assert "always" not in told
