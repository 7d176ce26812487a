"""Closed options say in a sentence with a subject why they are closed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tablewright.engine import Choice, Roll
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.policies import careful

_WITHOUT_SUBJECT = re.compile(
    r"(?:Not|Prone|Raging|Grabbed|Held|Costs|Takes|Used|Is|Has|Cannot|Delayed|Next|In (?:a|plain|control)|Once|"
    r"On their|Out of reach|No such|Nothing (?:to|in|else))\b|No .+ left\.|No .+ (?:is|are) (?:free|left)"
)


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_a_closed_option_names_what_its_reason_is_about(system: str) -> None:
    session = open_session(replace(load_scenario(f"{system}:even"), rounds=3), seed=1)
    begin_encounter(session)
    told: dict[str, str] = {}
    for _ in range(400):
        question = session.question
        if question is None:
            break
        if isinstance(question, Roll):
            session.roll()
            continue
        assert isinstance(question, Choice)
        viewer = session.seat or GAME_MASTER
        seen = project_question(session.playing, session.scene, viewer)
        if seen is not None and "waiting" not in seen:
            worded = word_question(question.key, seen, session.scene, session.rulebook, viewer, game=session.live)
            told |= {one.sentence: one.label for one in worded.closed}
        session.choose(question.ids[careful(session, question)])
    assert len(told) > 3
    assert [text for text in told if _WITHOUT_SUBJECT.match(text)] == []
