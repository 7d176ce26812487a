"""Values of results by what follows them in a rule under way.

A choice inside a rule is decided by the values of the results that its part of the rule can have. Each function here
returns a step: it turns the value of what a result becomes into the value of the result itself. Steps from the
innermost part outwards lead from the objective of the whole rule to a value of any part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tablewright.engine.decisions import Deciding, Working, followed
from tablewright.engine.mechanic import Call, Value, demand_call
from tablewright.engine.odds import chain_from, look, odds
from tablewright.engine.request import Joint, Request
from tablewright.engine.results import DecisionRule
from tablewright.engine.tree import Decision

Continuation: TypeAlias = Callable[[Value], Value]
"""Function from the value of what a result becomes to the value of the result itself."""


def change_step(change: Callable[[Any], Any]) -> Continuation:
    """The result is changed."""
    return lambda value: lambda result: value(change(result))


def swap_step(value: Value) -> Value:
    """The result is the other side's."""
    return lambda result: -value(result)


def call_step(leads_to: Callable[[Any], Request[Any]], asker: Call[Any], *, last: bool) -> Continuation:
    """The result leads to a call; what the last call of a rule is worth is remembered."""

    def step(value: Value) -> Value:
        def worth(result: Any) -> Fraction:
            following = demand_call(leads_to(result), asker)
            known = followed.get((following, value)) if last else None
            if known is None:
                known = odds(following, value).expected(value)
                if last:
                    followed.put((following, value), known)
            return known

        return worth

    return step


def join_step(joint: Joint[Any]) -> Continuation:
    """The result is the first of two that are combined."""

    def step(value: Value) -> Value:
        def worth(first: Any) -> Fraction:
            answer, _ = look(joint.second.map(lambda second: joint.combine(first, second)))
            decided = answer.best(DecisionRule(value)) if isinstance(answer, Decision) else answer
            return decided.expected(value)

        return worth

    return step


def rest_step(call: Call[Any], sent: Sequence[Any]) -> Continuation:
    """The result is the next answer in a rule that has got some answers already."""

    def step(value: Value) -> Value:
        def worth(result: Any) -> Any:
            with Working(call) as work:
                chain = chain_from(call, (*sent, result), work)
                return Deciding(chain, DecisionRule(value), work).worth[chain.states[0]]

        return worth

    return step
