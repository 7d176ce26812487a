"""Every registered system that can be played keeps every promise, on each of its demo scenarios once it is finished."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

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
    if system.is_finished or name == "together"
]
"""A system that is still being built keeps every promise on one of its scenarios."""


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


@pytest.mark.parametrize("system", [one for one in load_all().systems if one.is_finished], ids=lambda one: one.id)
def test_every_rule_is_named_where_it_is(system: System) -> None:
    """Whoever looks for a rule by its id finds it in the code, or in the data that holds its list."""
    folder = Path(import_module(system.package).__file__ or "").parent
    files = [path for pattern in ("*.py", "data/**/*.yaml") for path in folder.rglob(pattern)]
    text = "\n".join([path.read_text(encoding="utf-8") for path in files])
    named = set(re.findall(rf"\b{system.id}(?:\.[a-z0-9_]+)+", text))
    assert [rule.id for rule in system.ledger.rules if rule.kind != "guidance" and rule.id not in named] == []


def test_every_finished_system_has_its_four_scenarios() -> None:
    for system in load_all().systems:
        if system.is_finished:
            assert {"easy", "even", "hard", "together"} <= set(scenario_names(system.id)), system.id
