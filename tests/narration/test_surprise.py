"""A surprise is told once for all whom it catches, and before the order of acting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narration.samples import lines_of, play_on
from tablewright.game.narration.entries import entries
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session

TOLD = {
    "mars": "Goblins 1 to 3 and Wolf are surprised and do not act yet.",
    "opend6": "Soldiers 1 and 2 and Ruffians 1 and 2 are surprised.",
    "renaissance": "Wolves 1 to 3 and Cougar suspect nothing.",
}


@pytest.mark.parametrize("system", TOLD)
def test_all_who_are_surprised_share_a_sentence(system: str) -> None:
    scenario = load_scenario(f"{system}:easy")
    foes = [one.id for one in scenario.entrants if one.side != scenario.sides[0]]
    session = open_session(replace(scenario, surprised=tuple(foes)), seed=3)
    begin_encounter(session)
    play_on(session)
    lines = lines_of(entries(session.live, session.rulebook, GAME_MASTER))
    assert lines[0].startswith(TOLD[system])
    assert len([line for line in lines if "surprised" in line or "suspect" in line]) == 1
    assert not any("disabled" in line and "on the alert" in line for line in lines)
    assert "Six seconds pass." not in lines
