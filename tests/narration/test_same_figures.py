"""One figure for one option: the question, ``odds`` and ``advise`` say the same, and so do the page and programs."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from narration.samples import play_on
from tablewright.api.session_question import option_odds
from tablewright.cli.play import explain
from tablewright.cli.program import run
from tablewright.engine import Choice
from tablewright.game.narration.phrases import percent
from tablewright.game.narration.voices import sayings_of
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.promises import figures_of_options, promises
from tablewright.game.session.session import Session
from tablewright.game.system.registry import find_mechanic
from tablewright.table import open_store

CHECKS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "marchen": ("soldier", "athletics", {}),
    "mars": ("fighter", "athletics", {}),
    "opend6": ("soldier", "climbing", {}),
    "renaissance": ("soldier", "athletics", {"luck": 0}),
    "stage": ("torvald", "athletics.climb", {"difficulty": "average"}),
}
"""A character, a check and its situation, of each system."""


@cache
def at_a_turn(system: str) -> Session:
    """A fight at the first turn in which an attack has a chance; several tests look at it."""
    session = open_session(load_scenario(f"{system}:together"), seed=7)
    begin_encounter(session)

    def attacks(now: Session) -> bool:
        question = now.question
        return isinstance(question, Choice) and question.key == "what now?" and bool(figures(now))

    play_on(session, attacks)
    return session


def figures(session: Session) -> dict[str, str]:
    """Promises of the options of the open choice, as its seat sees them beside the options."""
    return promises(session, str(session.seat), sayings_of(session.scene.system))


def printed(command: str, session: Session, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Output of a command at the terminal, a line each with single spaces."""
    monkeypatch.setenv("COLUMNS", "200")
    with redirect_stdout(io.StringIO()) as out:
        getattr(explain, command)(session, str(session.seat), "")
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("system", CHECKS)
def test_the_question_odds_and_advice_name_the_same_chances(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = at_a_turn(system)
    question, told = session.question, figures(session)
    assert isinstance(question, Choice)
    odds, advice = printed("odds", session, monkeypatch), printed("advise", session, monkeypatch)
    labels = dict(zip(question.ids, map(question.label, question.options), strict=True))
    compared = 0
    for id_, promise in told.items():
        assert any(re.search(rf"{re.escape(labels[id_])} {re.escape(promise)}\Z", line) for line in odds), (
            id_,
            promise,
        )
        if any(other != labels[id_] and other.startswith(labels[id_]) for other in labels.values()):
            continue
        in_advice = [line for line in advice if line.startswith(f"{labels[id_]} ") and "%" in line]
        assert all(promise in line for line in in_advice), (promise, in_advice)
        compared += bool(in_advice)
    assert compared


@pytest.mark.parametrize("system", CHECKS)
def test_the_chance_beside_an_option_is_that_of_its_exact_odds(system: str) -> None:
    session = at_a_turn(system)
    told = figures(session)
    exact = figures_of_options(session, str(session.seat))
    compared = 0
    for id_, promise in list(told.items())[:8]:
        odds = option_odds(session, id_, str(session.seat))
        for one in [one for one in exact[id_] if one.is_chance]:
            value = find_mechanic(one.mechanic).objectives[one.objective]
            assert one.mean == sum([Fraction(value(outcome)) * chance for outcome, chance in odds.items()])
            assert percent(one.mean) in promise or not one.mean
            compared += 1
    assert compared


@pytest.mark.parametrize("system", CHECKS)
def test_a_check_has_the_same_odds_at_the_terminal_and_at_the_table(system: str, tmp_path: Path) -> None:
    content, what, situation = CHECKS[system]
    with redirect_stdout(io.StringIO()) as out:
        run(["check", f"{system}:{content}", what, *[f"{name}={value}" for name, value in situation.items()], "--json"])
    store = open_store(tmp_path / "table.db")
    _, (table, gm) = store.exchange(store.make_campaign("A table", system, seed=7).invitation.token)
    table.act(gm, {"do": "character.add", "character": content, "id": "hero"})
    assert table.odds(gm, "hero", what, situation)["odds"]["outcomes"] == json.loads(out.getvalue())["odds"]["outcomes"]
    store.close()
