"""Every registered system that can be played keeps every promise, on each of its demo scenarios."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.promises import PROMISES
from tablewright.game.options import OptionField
from tablewright.game.registry import load_all
from tablewright.game.scenario import Scenario, load_scenario, scenario_names
from tablewright.game.system import System
from tablewright.game.typical import typical_odds, typical_values

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


OPTIONS = [(system, option) for system in load_all().systems for option in system.options.describe()]


@pytest.mark.parametrize(("system", "option"), OPTIONS, ids=[f"{one.id}:{two.name}" for one, two in OPTIONS])
def test_an_option_shows_what_it_changes(system: System, option: OptionField) -> None:
    """Whatever a mechanic takes as a parameter has a typical check, and some value changes its odds."""
    values = typical_odds(system, option)
    if not values:
        takers = [each.name for each in system.mechanics if option.attribute in {one.name for one in each.params}]
        assert not takers
    else:
        assert [one.value for one in values] == list(typical_values(option))
        assert values[0].expected is not None
        assert len({one.expected for one in values}) > 1


def test_every_finished_system_has_its_four_scenarios() -> None:
    for system in load_all().systems:
        if system.is_finished:
            assert {"easy", "even", "hard", "together"} <= set(scenario_names(system.id)), system.id
