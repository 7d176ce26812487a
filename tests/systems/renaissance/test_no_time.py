"""Processes that are refused between two turns of a fight."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import IllegalActionError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session


@pytest.mark.rule("renaissance.mode.down_time", "renaissance.gap.weapon.hands")
@pytest.mark.parametrize(
    ("process", "given", "rule"),
    [
        ("rest", {"days": 1}, "renaissance.mode.down_time"),
        ("draw", {"who": "hrask", "item": "dagger"}, "renaissance.gap.weapon.hands"),
        ("stow", {"who": "hrask", "item": "dagger"}, "renaissance.gap.weapon.hands"),
    ],
)
def test_days_and_hands_wait_for_the_end_of_a_fight(process: str, given: dict[str, Any], rule: str) -> None:
    session = open_session(load_scenario("renaissance:even"), seed=1)
    session.do("renaissance.encounter")
    while not session.scene.in_encounter:
        session.roll()
    before = session.scene
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter") as no:
        session.do(f"renaissance.{process}", **given)
    assert (no.value.rule, session.scene) == (rule, before)
