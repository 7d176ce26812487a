"""A question how to meet an attack names attacker, weapon and target, in every system; no question is a bare label."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tablewright.engine import Choice, Roll
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import QuestionDraft, word_question
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.session import Session

DEFENCES = {
    "marchen": "react?",
    "mars": "how to defend?",
    "opend6": "interrupt it?",
    "renaissance": "how to defend",
    "stage": "how to defend",
}
STEPS, SEEDS = 400, 8
ARMED = re.compile(r"^.+ (?:attacks|turns the tide on|throws) .+ (?:with|at) .+\. (?:How does|Does) .+\?$")


def worded(session: Session, question: Choice[Any]) -> QuestionDraft | None:
    """The open question in words, as its seat reads it."""
    viewer = session.seat or GAME_MASTER
    seen = project_question(session.playing, session.scene, viewer)
    if seen is None or "waiting" in seen:
        return None
    return word_question(question.key, seen, session.scene, session.rulebook, viewer, game=session.live)


def headings(system: str) -> list[tuple[str, str]]:
    """Questions of fights that are played at random, with their words, until attacks were met twice."""
    told: list[tuple[str, str]] = []
    for seed in range(SEEDS):
        dice, session = random.Random(seed), open_session(load_scenario(f"{system}:together"), seed=seed)
        begin_encounter(session)
        for _ in range(STEPS):
            question = session.question
            if question is None or [key for key, _ in told].count(DEFENCES[system]) > 1:
                break
            if isinstance(question, Roll):
                session.roll()
                continue
            assert isinstance(question, Choice)
            draft = worded(session, question)
            if draft is not None:
                told.append((question.key, str(draft.heading)))
            session.choose(dice.choice(question.ids))
    return told


@pytest.mark.parametrize("system", DEFENCES)
def test_a_defence_names_attacker_weapon_and_target(system: str) -> None:
    told = headings(system)
    met = [heading for key, heading in told if key == DEFENCES[system]]
    assert met
    if system == "opend6":  # any action can be interrupted; of an attack the weapon is named
        met = [heading for heading in met if " has rolled." not in heading]
    assert [heading for heading in met if not ARMED.match(heading)] == []
    assert [heading for _, heading in told if re.match(r"[^.?!]+: ", heading) and heading.endswith("?")] == []
