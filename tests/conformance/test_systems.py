"""Every registered system that can be played keeps every promise, on each of its demo scenarios."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.promises import PROMISES
from tablewright.game.registry import load_all
from tablewright.game.scenario import Scenario, load_scenario, scenario_names

PLAYABLE = [
    f"{system.id}:{name}"
    for system in load_all().systems
    if system.rulebook is not None
    for name in scenario_names(system.id)
]


@pytest.mark.parametrize("word", PLAYABLE)
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise(promise: Callable[[Scenario], None], word: str) -> None:
    promise(load_scenario(word))


def test_every_finished_system_has_its_four_scenarios() -> None:
    for system in load_all().systems:
        if system.is_finished:
            assert {"easy", "even", "hard", "together"} <= set(scenario_names(system.id)), system.id
