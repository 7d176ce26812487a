"""Promises under harder conditions than the scenarios have, where long runs of random play have found faults."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance import promises
from systems.marchen import casts as marchen
from systems.mars import extent as mars
from systems.opend6 import extent as opend6
from systems.stage import extent as stage
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.scenario import Scenario


@pytest.mark.parametrize(
    ("promise", "scenario", "cast", "number"),
    [
        (promises.a_hidden_foe_stays_hidden, "marchen:together", marchen.troubled, 1),
        (promises.a_hidden_foe_stays_hidden, "marchen:together", marchen.troubled, 2),
        (promises.only_what_is_legal_is_offered, "marchen:together", marchen.troubled, 3),
        (promises.the_log_replays, "marchen:easy", marchen.troubled, 3),
        (promises.an_encounter_goes_on_from_the_scene, "marchen:together", marchen.armed, 2),
        (promises.undo_and_redo, "marchen:together", marchen.armed, 1),
        (promises.saving_changes_nothing, "marchen:together", marchen.settled, 0),
        (
            promises.a_hidden_foe_stays_hidden,
            "mars:together",
            mars.troubled,
            1,
        ),  # awareness of who sneaks told of it
        (promises.a_hidden_foe_stays_hidden, "mars:easy", mars.troubled, 3),  # the fire on it did
        (promises.a_hidden_foe_stays_hidden, "mars:even", mars.troubled, 4),  # its own look-out for who sneaks did
        (promises.a_hidden_foe_stays_hidden, "mars:even", mars.troubled, 1),  # the offer to act after it did
        (promises.a_hidden_foe_stays_hidden, "mars:together", mars.troubled, 3),
        (promises.only_what_is_legal_is_offered, "mars:hard", mars.troubled, 2),
        (promises.the_log_replays, "mars:easy", mars.troubled, 3),
        (promises.undo_and_redo, "mars:together", mars.armed, 1),
        (promises.saving_changes_nothing, "mars:even", mars.armed, 0),
        (promises.a_hidden_foe_stays_hidden, "opend6:together", opend6.troubled, 1),
        (promises.only_what_is_legal_is_offered, "opend6:easy", opend6.troubled, 3),
        (promises.the_log_replays, "opend6:easy", opend6.troubled, 2),
        (promises.undo_and_redo, "opend6:easy", opend6.armed, 1),
        (promises.saving_changes_nothing, "opend6:easy", opend6.armed, 0),
        (promises.only_what_is_legal_is_offered, "stage:easy", stage.troubled, 1),
        (promises.the_log_replays, "stage:easy", stage.gifted, 7),
        (promises.undo_and_redo, "stage:together", stage.armed, 1),
        (promises.saving_changes_nothing, "stage:easy", stage.troubled, 0),
    ],
)
def test_promises_are_kept_in_trouble(
    promise: Callable[[Scenario], None], scenario: str, cast: Callable[[Scenario, int], Scenario], number: int
) -> None:
    promise(cast(load_scenario(scenario), number))
