"""Advice at the table: what the options of a process lead to, and nothing that is not one's own to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from coinfolk import strike

from tablewright.cli.play.explain import advise, odds
from tablewright.cli.views.odds_chart import draw_odds
from tablewright.cli.views.turn_advice import weigh_and_draw
from tablewright.engine import Choice, Process, Roll, choose, process, yes_no
from tablewright.engine.report import answer_for
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import Action, Actions, ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.session.opening import open_session
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.lab import deadline
from tablewright.lab.fights import turn_advice

RULE = "coinfolk.fight.strike"


@process(rules=[RULE])
async def brawl(game: Game) -> int:
    """Ann says with how many coins she strikes."""
    return await choose("ann", "how many coins?", [2, 4, 1], leads_to=strike, objective="harm")


@process(rules=[RULE])
async def ambush(game: Game) -> Any:
    """The cat strikes Ann; how much edge its claws have is nobody's to know."""
    return await strike(3, 2, 0, 2).by("vermin", "ann", hide=["edge"])


async def gamble(game: Game, who: str, use: ActionUse) -> None:
    """Ann may spend luck before she strikes, or think better of it."""
    if use.detail == "perhaps" and not await yes_no(game.seat(who), "strike at all?"):
        return
    spent = await yes_no(game.seat(who), "spend luck first?", cost_text="1 luck")
    await strike(3 + spent, 1, 0, 0).by(game.seat(who), game.seat("cat"))


def table(*processes: Process[..., Any]) -> Session:
    plain = open_session(load_scenario("coinfolk:together"), seed=2)
    return Session(plain.header, replace(plain.rulebook, processes=(*plain.rulebook.processes, *processes)))


def test_each_option_is_told_with_what_it_leads_to(capsys: pytest.CaptureFixture[str]) -> None:
    session = table(brawl)
    session.do("coinfolk.brawl")
    advise(session, "ann", "")
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert told == ["Best for Ann: 4, clearly.", "4 2 harm best", "2 1 harm much worse", "1 0.5 harm much worse"]


def test_advice_that_would_give_something_away_is_refused_in_words() -> None:
    session = table(ambush)
    session.do("coinfolk.ambush")
    session.type_in([2, 2, 1])
    assert session.seat == "ann"
    with pytest.raises(InvalidInputError, match="would give away what is not yours to know"):
        advise(session, "ann", "")
    advise(session, "game master", "")


def test_secrets_of_others_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    session = open_session(load_scenario("marchen:together"), seed=2)
    session.do("marchen.encounter")
    while session.seat not in ("roland", "gretel", "agnes", "morwen") or not isinstance(session.question, Choice):
        if isinstance(session.question, Roll):
            session.roll()
        else:
            session.choose("hold" if "hold" in session.question.ids else session.question.ids[0])  # type: ignore[union-attr]
    odds(session, str(session.seat), "")
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("hidden from you; there the usual is assumed") == 1


def test_odds_are_told_with_the_usual_answer_to_what_the_attacker_is_asked_first() -> None:
    plain = open_session(load_scenario("coinfolk:together"), seed=2)
    actions = Actions([Action("gamble", "Gamble", (RULE,), gamble)])
    session = Session(plain.header, replace(plain.rulebook, actions=actions))
    behind = preview_rule(session, "ann", ActionUse("gamble"), "ann")
    assert behind.subject == strike(3, 1, 0, 0)
    assert behind.presumed == ("spend luck first? no",)
    sure = Action(
        "gamble", "Gamble", (RULE,), gamble, candidates=lambda scene, who: [ActionUse("gamble", detail="perhaps")]
    )
    session = Session(plain.header, replace(plain.rulebook, actions=Actions([sure])))
    with pytest.raises(InvalidInputError, match=r"nothing is rolled for it with the usual answers: strike at all\? no"):
        preview_rule(session, "ann", ActionUse("gamble", detail="perhaps"), "ann")


def test_constant_zeros_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_for(strike(3, 1, 0, 0))  # no one has luck to spend or breath to duck
    draw_odds(answer, brief=True)
    told = capsys.readouterr().out
    assert "harm: mean" in told
    assert "luck" not in told.partition("harm: mean")[2]
    assert "always" not in told


def test_advice_on_a_turn_comes_at_a_glance_and_then_exactly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is valued within a first time that is over at once; the exact order follows, as if asked alone."""
    session = open_session(load_scenario("coinfolk:together"), seed=3)
    session.do("coinfolk.encounter")
    while not isinstance(question := session.question, Choice) or question.question != "what now?":
        if isinstance(question, Choice):
            session.choose(question.ids[question.default])
        else:
            session.roll()
    weigh_and_draw(session, session.seat or "", 60)
    at_once = capsys.readouterr().out
    assert "glance" not in at_once
    monkeypatch.setattr(turn_advice, "_under_way", {})
    monkeypatch.setattr(deadline, "FIRST_SECONDS", -1.0)
    weigh_and_draw(session, session.seat or "", 60)
    first, _, then = capsys.readouterr().out.partition("At a glance, while the exact values are worked out.\n")
    assert then == at_once
    assert first.startswith("Best for")
    monkeypatch.setattr(turn_advice, "_under_way", {})
    weigh_and_draw(session, session.seat or "", -1)
    assert "At a glance only: 0 of" in capsys.readouterr().out
