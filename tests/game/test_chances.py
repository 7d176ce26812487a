"""Objectives shown in percent are declared as chances in every system: 1 or 0 for each outcome."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tablewright.cli.arguments.text import call_of
from tablewright.engine import Call, chance, choose, d, mechanic, odds
from tablewright.engine.advice import value_options
from tablewright.errors import InvalidInputError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system

PAGES = Path(__file__).parents[2] / "docs" / "systems"
NO_CHANCES = {
    "marchen": {"control", "spared", "cheap", "harm", "damage", "sigma", "good", "worth", "stay_up", "successes"},
    "mars": {"worth", "damage", "degree", "life"},
    "opend6": {"thrifty", "thrifty_success", "thrifty_win", "successes", "hits", "harm", "level", "spared", "better"},
    "renaissance": {"worth", "damage", "wounds", "hits", "thrifty_success", "thrifty_win", "bonus", "grade", "margin"},
    "stage": {"worth", "damage", "effect", "result"},
}
"""Objectives whose average may well lie between 0 and 1 and is none the less not a chance."""
PRICED = {"stage.flat_again"}
"""The number of successes is one less than its price."""


@mechanic(
    rules=["demo.hit.roll"],
    objectives={"hurt": lambda harm: harm, "hit": chance(lambda harm: int(harm > 0)), "half": lambda harm: harm > 1},
)
async def hit(dice: int) -> int:
    """Roll a die or two; ones and twos hurt nobody."""
    return max(0, await d(6, dice) - 2)


@mechanic(rules=["demo.coin.toss"])
async def toss() -> bool:
    """Toss a coin."""
    return await d(2) == 2


@mechanic(rules=["demo.coin.count"], objectives={"heads": int})
async def heads() -> int:
    """Toss a coin and count."""
    return await d(2) - 1


def test_a_chance_is_declared_and_not_guessed() -> None:
    assert [hit.is_chance(name) for name in (None, "hurt", "hit", "half")] == [False, False, True, False]
    assert toss.is_chance() is True  # yes or no is its own declaration
    assert heads.is_chance() is False  # one coin; with two of them it could be 2
    with pytest.raises(InvalidInputError, match='no objective "hti"'):
        hit.is_chance("hti")


@pytest.mark.parametrize(("objective", "in_chances"), [("hit", True), ("hurt", False)])
def test_results_of_options_are_told_like_their_objective(objective: str, in_chances: bool) -> None:
    weighed = value_options(choose("ann", "how many dice?", [1, 2], leads_to=hit, objective=objective))
    assert weighed is not None
    assert weighed.in_chances is in_chances
    worth = value_options(choose("ann", "which?", [0, 1], leads_to=lambda option: option))
    assert worth is not None
    assert worth.in_chances is False  # a worth is only a number


@pytest.mark.parametrize("system", sorted(set(system_ids()) & set(NO_CHANCES)))
def test_every_objective_of_a_system_is_what_it_is_declared_to_be(system: str) -> None:
    for rule in load_system(system).mechanics:
        for name in rule.objectives:
            declared = rule.is_chance(name)
            assert not (declared and name in NO_CHANCES[system]), f"{rule.name} {name}"
            if name in ("success", "win", "hit", "felled", "fells", "critical") and rule.name not in PRICED:
                assert declared, f"{rule.name} {name}"
    played = 0
    for call in _on_its_page(system):
        for name, value in call.mechanic.objectives.items():
            if call.mechanic.is_chance(name):
                played += 1
                assert {value(outcome) for outcome in odds(call, name).outcomes} <= {0, 1}, f"{call} {name}"
    assert played


def _on_its_page(system: str) -> list[Call[Any]]:
    """The rules whose odds the page of a system tells."""
    text = (PAGES / f"{system}.md").read_text(encoding="utf-8")
    told = re.findall(rf"^\$ tablewright (?:odds|advise) ({system}\.[^\n]*)$", text, re.MULTILINE)
    words = [[word for word in shlex.split(line) if "=" in word or word.startswith(system)] for line in told]
    return [call_of(line) for line in words if not any(mark in " ".join(line) for mark in ("..", "|"))]
