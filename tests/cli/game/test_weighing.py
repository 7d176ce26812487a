"""Advice at the table: what the options of a process lead to, and nothing that is not one's own to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from coinfolk import strike

from tablewright.cli.explaining import advise, odds
from tablewright.engine import Choose, Process, Roll, choose, process
from tablewright.errors import BadInput
from tablewright.game.opening import open_session
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
