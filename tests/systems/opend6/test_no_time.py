"""Processes that are refused between two turns of a fight, or are actions there."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import IllegalActionError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.equipment.carrying", "opend6.gap.armour.layering")
@pytest.mark.parametrize(
    ("process", "given", "rule"),
    [
        ("rest", {"days": 2}, "opend6.gap.healing.natural_wounds"),
        ("wield", {}, "opend6.gap.equipment.carrying"),
        ("wear", {"item": "leather"}, "opend6.gap.armour.layering"),
        ("take_off", {"item": "leather"}, "opend6.gap.armour.layering"),
    ],
)
def test_days_and_hands_wait_for_the_end_of_a_fight(process: str, given: dict[str, Any], rule: str) -> None:
    session = open_session(load_scenario("opend6:even"), seed=1)
    session.do("opend6.encounter")
    while not session.scene.in_encounter:
        session.roll()
    before = session.scene
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter") as no:
        session.do(f"opend6.{process}", who="hedda", **given)
    assert (no.value.rule, session.scene) == (rule, before)
