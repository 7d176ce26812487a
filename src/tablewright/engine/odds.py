"""Exact odds: every outcome of a call with its whole-number weight, also where a rule rolls again without end.

A call is grown into a tree (:mod:`tablewright.engine.tree`). Tail calls connect the trees to a chain of states, which
is weighed in whole numbers (:mod:`tablewright.engine.chain`). Where somebody chooses, the choices are made first
(:mod:`tablewright.engine.deciding`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from tablewright.dice import Dist
from tablewright.dice.rollable import weigh
from tablewright.engine.answers import Odds, Policy, Way
from tablewright.engine.asks import Across, Ask, Choose, InContext, Joint, Mapped, Roll
from tablewright.engine.chain import NeverEnds, Weighed, row_of, weigh_all, weigh_one
from tablewright.engine.deciding import AcrossDecision, CallDecision, Chain, MappedDecision, Working, decided
from tablewright.engine.mechanic import Call, Mechanic, Value
from tablewright.engine.memory import Memory
from tablewright.engine.tree import Decision, Ends, Tail, Tree, grow, known_tree
from tablewright.errors import TablewrightError

__all__ = ["Odds", "Policy", "decision_or_odds", "forget", "known", "look", "odds", "worth"]

T = TypeVar("T")

FEW_OUTCOMES = 12
"""With at most so many outcomes all states of a chain are weighed and remembered, with more only the one asked for."""

MOST_REMEMBERED = 4_096
"""How many states of one chain are remembered."""

_memory: Memory[Call[Any], Odds[Any] | CallDecision | Weighed] = Memory(8_192)

_worths: Memory[tuple[Call[Any], str | None], Fraction] = Memory(16_384)
"""What calls are worth on average, by an objective that they declare."""


def odds(call: Call[T], objective: str | Value | None = None, *, policy: Policy | None = None) -> Odds[T]:
    """The exact distribution of a call.

    Where the rule asks for choices they are made by ``policy``, or so that the expected value of ``objective`` (a name
    that the mechanic declares, or a function of the result) is highest for the one who acts and lowest for opponents.
    A policy must answer the same question always alike.
    """
    value = call.mechanic.objective(objective)[1] if isinstance(objective, str) else objective
    answer = known(call)
    if isinstance(answer, Odds):
        return answer
    if policy is None and value is None:
        value = call.mechanic.objective(None)[1]
    with Working(call):
        return answer.best(Way(None, policy) if policy is not None else Way(value))


def worth(call: Call[Any], objective: str | None = None) -> Fraction:
    """What a call is worth on average by an objective that it declares, or by its first; remembered."""
    known_worth = _worths.get((call, objective))
    if known_worth is None:
        value = call.mechanic.objective(objective)[1]
        known_worth = odds(call, value).expected(value)
        _worths.put((call, objective), known_worth)
    return known_worth


def forget() -> None:
    """Drop everything that is remembered, so that the next answer is worked out anew."""
    _memory.clear()
    _worths.clear()
    decided.clear()
    weigh.cache_clear()


# ---------------------------------------------------------------------- what an ask gives in bulk


def look(ask: Ask[Any]) -> tuple[Dist[Any] | Decision, Fraction | int]:
    """The answer of an ask in bulk, and the chance that a cap on dice cut it short."""
    if isinstance(ask, Roll):
        return ask.dice.weigh(), ask.dice.remainder
    if isinstance(ask, Call):
        answer = known(ask)
        return answer, answer.remainder if isinstance(answer, Odds) else 0
    if isinstance(ask, Mapped):
        inner, cut = look(ask.ask)
        if isinstance(inner, Dist):
            return inner.map(ask.change), cut
        return MappedDecision(inner, ask.change), cut
    if isinstance(ask, Joint):
        (first, cut), (second, other_cut) = look(ask.first), look(ask.second)
        if isinstance(first, Dist) and isinstance(second, Dist):
            return _joined(ask, first, second), cut + other_cut
        return look(Call(_IN_TURN, (ask,)))
    if isinstance(ask, InContext):
        return look(ask.ask)
    if isinstance(ask, Across):
        inner, cut = look(ask.ask)
        return (inner if isinstance(inner, Dist) else AcrossDecision(inner)), cut
    if isinstance(ask, Choose):
        return look(Call(_CHOICE, (ask,)))
    if isinstance(ask, Ask):
        raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")
    raise TablewrightError(f"{ask!r:.80} is no ask and cannot be part of one")


def _joined(ask: Joint[Any], first: Dist[Any], second: Dist[Any]) -> Dist[Any]:
    """In bulk where both are numbers; other values bring their own order and their own sums."""
    if first.numeric and second.numeric:
        if ask.kind == "versus":
            return first.compare(second)
        if ask.kind == "plus":
            return first + second
        if ask.kind == "minus":
            return first - second
    return first.product(second, ask.combine)


async def _in_turn(joint: Joint[T]) -> T:
    return await joint.in_turn()


async def _choice(ask: Ask[T]) -> T:
    return await ask


_IN_TURN: Mechanic[..., Any] = Mechanic("both in turn", _in_turn, (), {})
_CHOICE: Mechanic[..., Any] = Mechanic("choice", _choice, (), {})


# ---------------------------------------------------------------------- chains of calls


def known(call: Call[Any]) -> Odds[Any] | CallDecision:
    """The odds of a call, or the decision it turns out to be; remembered."""
    answer = _memory.get(call)
    if answer is None:
        answer = decision_or_odds(call)
        _memory.put(call, answer)
    elif isinstance(answer, Weighed):
        answer = answer.odds()
        _memory.put(call, answer)
    return answer


def decision_or_odds(call: Call[Any], *, by_rule: bool = False) -> Odds[Any] | CallDecision:
    """Work a call out: its odds, or the decision it turns out to be where somebody chooses.

    ``by_rule`` runs the rule itself even where a closed form is there.
    """
    with Working(call) as work:
        if call.mechanic.closed is not None and not by_rule:
            form = call.mechanic.closed(*call.arguments)
            if form.deciding:
                return CallDecision(call, None, form, lambda: decision_or_odds(call, by_rule=True))
            return Odds.from_dist(form.best(None), form.remainder)
        ends = Ends()
        trees: list[Tree] = []
        grown: list[Tail] = []
        ends.tail(call, call)
        for state in ends.states:  # which grows with every new tail call
            if trees and (state.call.mechanic.closed is not None or _is_weighed(state.call)):
                trees.append(known_tree(state.call, *look(state.call), ends))
            else:
                trees.append(grow(state, look, ends, work))
                grown.append(state)
        chain = Chain(trees, ends)
    if not chain.leaves:
        raise NeverEnds(chain.states[0])
    if any(tree.choosing for tree in trees):
        return CallDecision(call, chain)
    rows = [row_of(tree) for tree in trees]
    if len(trees) == 1 or len(chain.leaves) > FEW_OUTCOMES:
        return weigh_one(rows.__getitem__, chain.states)
    weighed = weigh_all(rows, chain.states, chain.leaves, chain.order)
    _memory.put_all([(state.call, weighed[state.number]) for state in grown[:MOST_REMEMBERED]])
    return weighed[0].odds()


def _is_weighed(call: Call[Any]) -> bool:
    return isinstance(_memory.peek(call), (Odds, Weighed))
