"""Regressions that long runs of random play have found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance import promises
from systems.marchen.casts import armed, settled, troubled
from systems.marchen.fights import begun, duel, fighter
from systems.marchen.people import OPTIONS, options, somebody, template
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.systems.marchen.character.figures import figures, threshold
from tablewright.systems.marchen.now import body
from tablewright.systems.marchen.values import ASPECTS


@pytest.mark.rule("marchen.gap.threshold.size")
def test_nobody_has_a_threshold_of_nothing_on_the_long_scale() -> None:
    using = options(score_scale="cepheus")
    for one in (somebody(), template("wolf"), template("ghost")):
        for aspect in ASPECTS:
            assert threshold(one, aspect, using).total >= 4
            assert figures(one, using).thresholds[aspect] == threshold(one, aspect, using).total
    assert body(begun(duel(fighter("Ann"), score_scale="cepheus")).scene, "ann", "physical").bearing.threshold == 4
    assert threshold(somebody(), "physical", OPTIONS).total == 12


# ---------------------------------------------------------------------- promises, under harder conditions


@pytest.mark.parametrize(
    ("promise", "name", "cast", "number"),
    [
        (promises.a_hidden_foe_stays_hidden, "together", troubled, 1),
        (promises.a_hidden_foe_stays_hidden, "together", troubled, 2),
        (promises.only_what_is_legal_is_offered, "together", troubled, 3),
        (promises.the_log_replays, "easy", troubled, 3),
        (promises.an_encounter_goes_on_from_the_scene, "together", armed, 2),
        (promises.undo_and_redo, "together", armed, 1),
        (promises.saving_changes_nothing, "together", settled, 0),
    ],
)
def test_promises_are_kept_in_trouble(
    promise: Callable[[Scenario], None], name: str, cast: Callable[[Scenario, int], Scenario], number: int
) -> None:
    promise(cast(load_scenario(f"marchen:{name}"), number))
