"""Closed forms beside their rules: for arguments drawn at random, the formula gives what running the rule gives."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from conformance.drawing import Below, seeded, value_of
from tablewright.dice import Dist
from tablewright.engine import Call, Mechanic
from tablewright.engine.exact import tree
from tablewright.engine.mechanic import FixedOdds
from tablewright.engine.odds import decision_or_odds, odds
from tablewright.engine.parameter_types import IntType, ListType, OptionalType, ParameterType, TextType
from tablewright.errors import TablewrightError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system

SETS = int(os.environ.get("CLOSED_FORM_SETS", "8"))
"""Sets of arguments drawn for each closed form; the long run takes hundreds."""

WORK = 4_000 if "CLOSED_FORM_SETS" in os.environ else 2_000
"""Steps that running a rule may take; larger draws are left out."""

WITHOUT_END = Fraction(1, 10**6)
"""Difference allowed where the rule throws open-ended dice: run as a rule, they stop after some sixes."""

OPEN_ENDED = ("opend6",)

BY_HAND = {"opend6.let_through": "its rule rolls against a total without end; test_wild_die.py counts it by hand"}

AS_TEXT = {"renaissance.clash": {"defences": ["1:50-10", "1:35"]}}
"""Arguments with a notation of their own, which take part in every draw."""


def closed_forms() -> list[Mechanic[..., Any]]:
    """Every mechanic of every game that has a closed form, also those that only other mechanics call."""
    found: dict[str, Mechanic[..., Any]] = {}
    for system in system_ids():
        for module in {one.function.__module__ for one in load_system(system).mechanics}:
            for value in vars(sys.modules[module]).values():
                if isinstance(value, Mechanic) and value.closed is not None:
                    found[value.name] = value
    return [found[name] for name in sorted(found)]


def small(kind: ParameterType, below: Below) -> Any:
    """A value of a kind that a rule can be run with: small numbers, seldom any that is allowed."""
    if isinstance(kind, OptionalType):
        return None if below(3) == 0 else small(kind.some, below)
    if isinstance(kind, ListType):
        return [small(kind.each, below) for _ in range(1 + below(2))]
    if isinstance(kind, IntType):
        low = 1 if kind.low is None else max(kind.low, -3)
        high = 8 if kind.high is None else kind.high
        return low + below(high - low + 1 if below(4) == 0 and high <= 200 else min(high - low, 8) + 1)
    return value_of(kind, "", None, below)  # type: ignore[arg-type]  # no session: texts are left out


def drawn(rule: Mechanic[..., Any], below: Below) -> Call[Any] | None:
    """A call with random arguments; None where the rule refuses them."""
    given = {
        one.name: small(one.kind, below)
        for one in rule.params
        if (one.required or below(2)) and not isinstance(one.kind, TextType)
    }
    try:
        return rule.read(given | AS_TEXT.get(rule.name, {}))
    except TablewrightError:
        return None


def by_rule(call: Call[Any]) -> Call[Any]:
    """The same call of the same rule without its closed form."""
    return replace(call.mechanic, closed=None)(*call.arguments)


def differences(call: Call[Any]) -> list[str]:
    """Objectives of a call for which formula and rule differ, and "odds" where the outcomes do."""
    rule, run = call.mechanic, by_rule(call)
    most = WITHOUT_END if rule.system in OPEN_ENDED else 0
    found = [
        name
        for name, value in (rule.objectives or {"result": int}).items()
        if abs(Fraction(odds(call, value).expected(value)) - Fraction(odds(run, value).expected(value))) > most
    ]
    assert rule.closed is not None
    form = rule.closed(*call.arguments)
    if not most and form is not None and not form.deciding:
        ruled = decision_or_odds(run)
        assert isinstance(ruled, Dist)
        found += ["odds"] * (dict(odds(call).fractions()) != dict(ruled.fractions()))
    return found


RULES = [one for one in closed_forms() if one.name not in BY_HAND]


@pytest.mark.parametrize("rule", RULES, ids=[one.name for one in RULES])
def test_formula_and_rule_agree(rule: Mechanic[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_WORK", WORK)
    below, compared = seeded(rule.name, SETS), 0
    assert rule.closed is not None
    for _ in range(20 * SETS):
        call = drawn(rule, below)
        try:
            if call is None or rule.closed(*call.arguments) is None:
                continue
            assert differences(call) == [], call
        except TablewrightError:  # too much for the rule, or arguments that it refuses on the way
            continue
        compared += 1
        if compared == SETS:
            return
    assert compared >= SETS // 3, f"only {compared} of {20 * SETS} draws of {rule.name} could be run as a rule"


def test_a_case_counted_by_hand_has_a_closed_form() -> None:
    assert set(BY_HAND) <= {one.name for one in closed_forms()}


def test_a_wrong_formula_is_noticed() -> None:
    rule = next(one for one in closed_forms() if one.name == "marchen.hazard")
    wrong: Any = lambda *given: FixedOdds(Dist.of(odds(by_rule(rule(*given))).outcomes[-1]))  # noqa: E731
    assert differences(replace(rule, closed=wrong)(*rule.read({"dice": 2, "plus": 1}).arguments))
