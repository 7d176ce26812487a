"""Values of results by what follows them in a rule under way.

A choice inside a rule is decided by the values of the results that its part of the rule can have. Each function here
returns a step: it turns the value of what a result becomes into the value of the result itself. Steps from the
innermost part outwards lead from the objective of the whole rule to a value of any part of it. The same steps in the
same call give the same values, whatever dice lie on the table, so that values are remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from tablewright.engine.exact.decisions import Deciding, Working, followed, worth_of_results
from tablewright.engine.exact.nodes import Decision
from tablewright.engine.mechanic import Call, Value, demand_call
from tablewright.engine.odds import chain_from, known, look
from tablewright.engine.request import Joint, Request
from tablewright.engine.results import DecisionRule, Odds

Place = tuple[Call[Any], tuple[Any, ...]]
"""A call and its answers so far, which determine its next request."""


class Continuation(NamedTuple):
    """One step of the way from a result to the end of a rule.

    ``step`` turns the value of what the result becomes into the value of the result itself. Of one call, the same row
    of keys means the same row of steps.
    """

    step: Callable[[Value], Value]
    key: Hashable


def value_of_results(call: Call[Any], value: Value, steps: Sequence[Continuation]) -> Value:
    """Value of the results of a part of a call, from the value of the result of the whole; remembered."""
    key = (call, value, tuple([step.key for step in steps]))
    for step in reversed(steps):
        value = step.step(value)
    try:
        known = worth_of_results.get(key)
    except TypeError:  # an answer that cannot be hashed
        return value
    if known is None:
        known = {}
        worth_of_results.put(key, known)
    return _remembered(value, known)


def _remembered(value: Value, known: dict[Any, Any]) -> Value:
    """The same function, with its values cached."""

    def worth(result: Any) -> Any:
        found = known.get(result)
        if found is None:
            found = known[result] = value(result)
        return found

    return worth


def change_step(change: Callable[[Any], Any], place: Place) -> Continuation:
    """Step for a result that is mapped."""
    return Continuation(lambda value: lambda result: value(change(result)), place)


def swap_step(place: Place) -> Continuation:
    """Step for a result of the other side."""
    return Continuation(lambda value: lambda result: -value(result), place)


def call_step(leads_to: Callable[[Any], Request[Any]], asker: Call[Any], place: Place, *, last: bool) -> Continuation:
    """Step for a result that leads to a call; the values of the last call of a rule are cached."""

    def step(value: Value) -> Value:
        def worth(result: Any) -> Any:  # a float where the call has choices
            following = demand_call(leads_to(result), asker)
            worth = followed.get((following, value)) if last else None
            if worth is None:
                answer = known(following)
                worth = answer.expected(value) if isinstance(answer, Odds) else answer.worth(DecisionRule(value))
                if last:
                    followed.put((following, value), worth)
            return worth

        return worth

    return Continuation(step, place)


def join_step(joint: Joint[Any], place: Place) -> Continuation:
    """Step for the first of two combined results."""

    def step(value: Value) -> Value:
        def worth(first: Any) -> Fraction:
            answer, _ = look(joint.second.map(lambda second: joint.combine(first, second)))
            decided = answer.best(DecisionRule(value)) if isinstance(answer, Decision) else answer
            return decided.expected(value)

        return worth

    return Continuation(step, (place, "first"))


def join_on_step(joint: Joint[Any], first: Any, place: Place) -> Continuation:
    """Step for the second of two combined results; the first one is known."""
    combine = partial(joint.combine, first)
    return Continuation(lambda value: lambda second: value(combine(second)), (place, "second", first))


def rest_step(place: Place) -> Continuation:
    """Step for a result that is the next answer of a rule under way."""
    call, sent = place

    def step(value: Value) -> Value:
        def worth(result: Any) -> Any:
            with Working(call) as work:
                chain = chain_from(call, (*sent, result), work)
                return Deciding(chain, DecisionRule(value), work).worth[chain.states[0]]

        return _remembered(worth, {})

    return Continuation(step, place)
