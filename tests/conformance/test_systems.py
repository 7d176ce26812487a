"""Every registered system that can be played keeps every promise; at length on each of its demo scenarios."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.demands import scenarios_lacking, undeclared, unmeasured, unnamed, unsaid, unshown
from conformance.places import at_length
from conformance.promises import PROMISES
from each_case import each_case
from tablewright.game.rules.options import RuleOption
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.system.registry import load_all
from tablewright.game.system.system import System

PLAYABLE = [
    f"{system.id}:{name}"
    for system in load_all().systems
    if system.rulebook_module is not None
    for name in scenario_names(system.id)
    if name == "together" or (system.is_finished and at_length())
]
"""Every system on one of its scenarios; `make soak` has the finished ones on all of them."""


@pytest.mark.parametrize("word", PLAYABLE)
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise_is_not_broken(promise: Callable[[Scenario], None], word: str) -> None:
    promise(load_scenario(word))


OPTIONS = [(system, option) for system in load_all().systems for option in system.options.describe()]


@each_case(("system", "option"), OPTIONS)
def test_an_option_shows_what_it_changes(system: System, option: RuleOption) -> None:
    """Every option that a mechanic takes has a typical check, and some value changes its odds."""
    assert unshown(system, option) == []


FINISHED = [one for one in load_all().systems if one.is_finished]


@each_case("system", FINISHED)
@each_case("demand", [unnamed, undeclared, scenarios_lacking, unmeasured, unsaid])
def test_demand(demand: Callable[[System], list[str]], system: System) -> None:
    assert demand(system) == []
