"""Exact odds: every outcome of a call with its whole-number weight, also where a rule rolls again without end.

A call is grown into a tree (:mod:`tablewright.engine.tree`). Tail calls connect the trees to a chain of states, which
is solved component by component: a state that only returns to itself is conditioned on not doing so, a cycle of several
is solved as linear equations in fractions. Choices are made by what they lead to: floats choose, integers count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.dice.rollable import weigh
from tablewright.engine.asks import Ask, Choose, InContext, Joint, Mapped, Roll, Seat
from tablewright.engine.chain import components, solve_cycle
from tablewright.engine.mechanic import Call, ClosedForm, Mechanic, Value
from tablewright.engine.memory import Memory
from tablewright.engine.tree import Chance, Choice, Decision, Deferred, Leaf, Node, Tail, TooMuch, Tree, grow, leaf_tree
from tablewright.errors import TablewrightError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

MOST_STATES = 20_000
"""How many different calls one chain of tail calls may pass through."""

MOST_DEPTH = 40
"""How deep mechanics may call each other."""

MOST_PASSES = 50
"""How often choices in a rule that starts again are reconsidered until they stand still."""

Policy: TypeAlias = Callable[[Choose[Any]], int]
"""Answers a choice by the position of the option taken."""


class Odds(Dist[T_co]):
    """The exact distribution of a call, with what the rule did on the way.

    ``again`` is the chance that the rule starts afresh the first time through; ``remainder`` bounds the chance that a
    cap on extra dice cut a roll short.
    """

    __slots__ = ("again", "remainder")

    again: Fraction
    remainder: Fraction

    @staticmethod
    def from_weights(weights: dict[T, int], again: Fraction, remainder: Fraction) -> Odds[T]:
        """Odds from positive whole-number weights."""
        new: Odds[T] = Odds.__new__(Odds)
        new._fill_from_dict(weights, set(map(type, weights)))
        new.again = again
        new.remainder = remainder
        return new

    @staticmethod
    def from_dist(dist: Dist[T], remainder: Fraction | int = 0) -> Odds[T]:
        """Odds that are known as a distribution."""
        new: Odds[T] = Odds.__new__(Odds)
        new._fill(dist.outcomes, dist.weights)
        new.again = Fraction(0)
        new.remainder = Fraction(remainder)
        return new


@dataclass(frozen=True)
class Way:
    """How choices are made: by a policy, or by what outcomes are worth (in floats, or in fractions for advice)."""

    value: Callable[[Any], Any] | None = None
    policy: Policy | None = None
    exact: bool = False

    def key(self, support: Sequence[Any]) -> tuple[Any, ...]:
        """Two ways with the same key decide the same."""
        values = None if self.value is None else tuple([self.value(outcome) for outcome in support])
        return (self.policy, self.exact, values)


def odds(call: Call[T], objective: str | Value | None = None, *, policy: Policy | None = None) -> Odds[T]:
    """The exact distribution of a call.

    Where the rule asks for choices they are made by ``policy``, or so that the expected value of ``objective`` (a name
    that the mechanic declares, or a function of the result) is highest for the one who acts and lowest for opponents.
    """
    answer = known(call)
    if isinstance(answer, Odds):
        return answer
    value = None
    if policy is None:
        value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return answer.best(Way(value, policy))


def forget() -> None:
    """Drop everything that is remembered, so that the next answer is worked out anew."""
    _memory.clear()
    _decided.clear()
    weigh.cache_clear()


# ---------------------------------------------------------------------- what an ask gives in bulk

_memory: Memory[Call[Any], Odds[Any] | CallDecision] = Memory(8_192)
_decided: Memory[tuple[Any, ...], Odds[Any]] = Memory(2_048)
_depth: ContextVar[int] = ContextVar("depth of calls being worked out", default=0)


@contextmanager
def _deeper(call: Call[Any]) -> Iterator[None]:
    """Count how deep calls are nested, and refuse before Python's own limit is met."""
    depth = _depth.get()
    if depth >= MOST_DEPTH:
        raise TooMuch(f"{call!r} is nested more than {MOST_DEPTH} calls deep; leave a rule by become() instead")
    token = _depth.set(depth + 1)
    try:
        yield
    finally:
        _depth.reset(token)


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
    if isinstance(ask, Choose):
        return look(Call(_CHOICE, (ask,)))
    raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")


def _joined(ask: Joint[Any], first: Dist[Any], second: Dist[Any]) -> Dist[Any]:
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


class MappedDecision(Decision):
    """A decision whose outcomes are narrowed before anybody else sees them."""

    __slots__ = ("change", "inner")

    def __init__(self, inner: Decision, change: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.change = change

    def support(self) -> Sequence[Any]:
        """The narrowed outcomes, each once."""
        return tuple(dict.fromkeys(map(self.change, self.inner.support())))

    def best(self, way: Way) -> Dist[Any]:
        """Decide by what the narrowed outcomes are worth."""
        value = way.value
        narrowed = None if value is None else (lambda outcome: value(self.change(outcome)))
        return self.inner.best(Way(narrowed, way.policy, way.exact)).map(self.change)


# ---------------------------------------------------------------------- chains of calls


@dataclass
class Chain:
    """All states that a call can pass through by tail calls, in an order in which each needs only earlier ones."""

    trees: dict[Call[Any], Tree] = field(default_factory=dict)
    order: list[list[Call[Any]]] = field(default_factory=list)


def known(call: Call[Any]) -> Odds[Any] | CallDecision:
    """The odds of a call, or the decision it turns out to be; remembered."""
    answer = _memory.get(call)
    if answer is None:
        answer = decision_or_odds(call)
        _memory.put(call, answer)
    return answer


def decision_or_odds(call: Call[Any]) -> Odds[Any] | CallDecision:
    """Work a call out: its odds, or the decision it turns out to be where somebody chooses."""
    with _deeper(call):
        if call.mechanic.closed is not None:
            form = call.mechanic.closed(*call.arguments)
            if form.deciding:
                return CallDecision(call, Chain(), form)
            return Odds.from_dist(form.best(None), form.remainder)
        chain = _reach(call)
        undecided: set[Call[Any]] = set()
        solved: dict[Call[Any], Odds[Any]] = {}
        for component in chain.order:
            trees = [chain.trees[state] for state in component]
            if any(tree.choosing or not undecided.isdisjoint(tree.tails) for tree in trees):
                undecided.update(component)
            else:
                solved.update(_solve(component, chain.trees, solved, Made()))
        for state, result in solved.items():
            if state != call:
                _memory.put(state, result)
        return CallDecision(call, chain) if call in undecided else solved[call]


def _reach(call: Call[Any]) -> Chain:
    """Grow the trees of all calls that can be reached by tail calls and are not known yet."""
    chain = Chain()
    waiting = [call]
    while waiting:
        state = waiting.pop()
        if state in chain.trees:
            continue
        if len(chain.trees) >= MOST_STATES:
            raise TooMuch(f"{call!r} passes through more than {MOST_STATES:,} states; narrow its arguments")
        if state != call and (isinstance(_memory.get(state), Odds) or state.mechanic.closed is not None):
            chain.trees[state] = leaf_tree(state, *look(state))
        else:
            chain.trees[state] = grow(state, look)
        waiting.extend(chain.trees[state].tails)
    chain.order = components({state: tree.tails for state, tree in chain.trees.items()})
    return chain


# ---------------------------------------------------------------------- whole-number weights


@dataclass
class Made:
    """The choices that were made in a chain: the child taken, and the distribution of decisions made elsewhere."""

    taken: dict[Choice, int] = field(default_factory=dict)
    resolved: dict[Deferred, Dist[Any]] = field(default_factory=dict)


@dataclass
class Row:
    """One state: the weights of its outcomes and of the states it goes over into, out of ``total``."""

    ends: dict[Any, int]
    tails: dict[Call[Any], int]
    total: int
    cut: Fraction


def _row(tree: Tree, made: Made) -> Row:
    """Collect the weights of all paths; paths with the same denominator are added before a common one is sought."""
    ends: dict[int, dict[Any, int]] = {}
    tails: dict[int, dict[Call[Any], int]] = {}
    cut = Fraction(0)
    waiting: list[tuple[Node, int, int]] = [(tree.root, 1, 1)]
    while waiting:
        node, weight, total = waiting.pop()
        if isinstance(node, Leaf):
            group = ends.setdefault(total, {})
            group[node.outcome] = group.get(node.outcome, 0) + weight
        elif isinstance(node, Tail):
            states = tails.setdefault(total, {})
            states[node.call] = states.get(node.call, 0) + weight
        elif isinstance(node, Choice):
            waiting.append((node.children[made.taken[node]], weight, total))
        elif isinstance(node, Chance):
            if node.cut:
                cut += Fraction(weight, total) * node.cut
            longer = total * node.total
            waiting.extend(
                [(child, weight * part, longer) for child, part in zip(node.children, node.weights, strict=True)]
            )
        else:
            dist = made.resolved[node]
            longer = total * dist.total
            if isinstance(dist, Odds) and dist.remainder:
                cut += Fraction(weight, total) * dist.remainder
            children = dict(zip(node.answers, node.children, strict=True))
            waiting.extend([(children[answer], weight * part, longer) for answer, part in dist.items()])
    if len(ends) + len(tails) == 1 or (ends.keys() == tails.keys() and len(ends) == 1):
        common = next(iter(ends or tails))
        return Row(ends.get(common, {}), tails.get(common, {}), common, cut)
    common = lcm(*ends, *tails)
    return Row(_added(ends, common), _added(tails, common), common, cut)


def _added(groups: dict[int, dict[T, int]], common: int) -> dict[T, int]:
    result: dict[T, int] = {}
    for total, group in groups.items():
        factor = common // total
        for key, weight in group.items():
            result[key] = result.get(key, 0) + weight * factor
    return result


def _solve(
    component: list[Call[Any]], trees: dict[Call[Any], Tree], solved: dict[Call[Any], Odds[Any]], made: Made
) -> dict[Call[Any], Odds[Any]]:
    """The odds of states that lead only to each other and to states that are solved."""
    if len(component) > 1:
        rows = {state: _row(trees[state], made) for state in component}
        return _solve_together(rows, solved)
    state = component[0]
    row = _row(trees[state], made)
    back = row.tails.pop(state, 0)
    weights, cut = row.ends, row.cut
    if row.tails:
        weights = dict(weights)
        common = lcm(*{solved[target].total for target in row.tails})
        if common > 1:
            weights = {outcome: weight * common for outcome, weight in weights.items()}
        for target, weight in row.tails.items():
            part = solved[target]
            factor = weight * (common // part.total)
            for outcome, share in part.items():
                weights[outcome] = weights.get(outcome, 0) + share * factor
            if part.remainder:
                cut += Fraction(weight, row.total) * part.remainder
    if not weights:
        raise TablewrightError(f"{state!r} never resolves: it always starts again")
    again = Fraction(back, row.total)
    if cut:
        cut = cut / (1 - again)
    return {state: Odds.from_weights(weights, again, cut)}


_CUT = object()


def _solve_together(rows: dict[Call[Any], Row], solved: dict[Call[Any], Odds[Any]]) -> dict[Call[Any], Odds[Any]]:
    """States that lead to each other in a circle: linear equations, solved exactly."""
    inside: dict[Call[Any], dict[Call[Any], Fraction]] = {}
    outside: dict[Call[Any], dict[Any, Fraction]] = {}
    for state, row in rows.items():
        inside[state] = {target: Fraction(w, row.total) for target, w in row.tails.items() if target in rows}
        known = {outcome: Fraction(weight, row.total) for outcome, weight in row.ends.items()}
        cut = row.cut
        for target, weight in row.tails.items():
            if target not in rows:
                chance = Fraction(weight, row.total)
                cut += chance * solved[target].remainder
                for outcome, share in solved[target].fractions():
                    known[outcome] = known.get(outcome, Fraction(0)) + chance * share
        outside[state] = known | {_CUT: cut} if cut else known
    result: dict[Call[Any], Odds[Any]] = {}
    for state, shares in solve_cycle(inside, outside).items():
        remainder = shares.pop(_CUT, Fraction(0))
        common = lcm(*[share.denominator for share in shares.values()])
        weights = {
            outcome: share.numerator * (common // share.denominator) for outcome, share in shares.items() if share
        }
        result[state] = Odds.from_weights(weights, inside[state].get(state, Fraction(0)), remainder)
    return result


# ---------------------------------------------------------------------- choices


class CallDecision(Decision):
    """A call in which somebody chooses."""

    __slots__ = ("_support", "call", "chain", "form")

    def __init__(self, call: Call[Any], chain: Chain, form: ClosedForm[Any] | None = None) -> None:
        self.call = call
        self.chain = chain
        self.form = form
        self._support: tuple[Any, ...] | None = None

    def support(self) -> Sequence[Any]:
        """Every outcome at the end of some path."""
        if self._support is None:
            if self.form is not None:
                self._support = tuple(self.form.support())
            else:
                leaves = [outcome for tree in self.chain.trees.values() for outcome in tree.leaves()]
                self._support = tuple(Dist.from_dict(dict.fromkeys(leaves, 1)).outcomes)
        return self._support

    def best(self, way: Way) -> Odds[Any]:
        """The odds when choices are made in this way; remembered."""
        key = (self.call, way.key(self.support()))
        decided = _decided.get(key)
        if decided is None:
            with _deeper(self.call):
                if self.form is not None:
                    decided = Odds.from_dist(self.form.best(way.value), self.form.remainder)
                else:
                    decided = Deciding(self.chain, way).solve()[self.call]
            _decided.put(key, decided)
        return decided


class Deciding:
    """Choices made throughout a chain, by value or by policy, and the odds that follow."""

    def __init__(self, chain: Chain, way: Way) -> None:
        self.chain = chain
        self.way = way
        self.made = Made()
        self.worth: dict[Node, Any] = {}
        self.state_worth: dict[Call[Any], Any] = {}
        self.number: Callable[[Any], Any] = Fraction if way.exact else float

    def solve(self) -> dict[Call[Any], Odds[Any]]:
        """The odds of every state of the chain, each decided as well as can be."""
        solved: dict[Call[Any], Odds[Any]] = {}
        for component in self.chain.order:
            self._decide(component)
            solved.update(_solve(component, self.chain.trees, solved, self.made))
        return solved

    def _decide(self, component: list[Call[Any]]) -> None:
        trees = self.chain.trees
        members = set(component)
        circular = any(not members.isdisjoint(trees[state].tails) for state in component)
        if not circular:
            for state in component:
                self.state_worth[state] = self.value_of(trees[state].root)
            return
        if self.way.value is None:
            for state in component:
                self.state_worth[state] = self.number(0)
                self.value_of(trees[state].root)
            return
        if not any(trees[state].choosing for state in component):
            self._settle(component)
            return
        for state in component:
            self.state_worth[state] = self.number(0)
        self._settle(component, undecided=True)
        for _ in range(MOST_PASSES):
            before = dict(self.made.taken), dict(self.made.resolved)
            for state in component:
                self.value_of(trees[state].root)
            self._settle(component)
            if (self.made.taken, self.made.resolved) == before:
                return
        raise TooMuch(f"the choices in {component[0]!r} do not settle after {MOST_PASSES} passes")

    def _settle(self, component: list[Call[Any]], *, undecided: bool = False) -> None:
        """What each state of a circle is worth under the choices made so far (or under even choices)."""
        members = set(component)
        inside: dict[Call[Any], dict[Call[Any], Fraction]] = {}
        outside: dict[Call[Any], dict[Any, Fraction]] = {}
        assert self.way.value is not None
        for state in component:
            paths = _even_row(self.chain.trees[state].root) if undecided else self._shares(state)
            inside[state] = {target: share for target, share in paths.items() if target in members}
            worth = sum(
                [
                    share * Fraction(self.state_worth[key] if isinstance(key, Call) else self.way.value(key))
                    for key, share in paths.items()
                    if key not in members
                ],
                Fraction(0),
            )
            outside[state] = {"worth": worth}
        for state, columns in solve_cycle(inside, outside).items():
            self.state_worth[state] = self.number(columns["worth"])

    def _shares(self, state: Call[Any]) -> dict[Any, Fraction]:
        row = _row(self.chain.trees[state], self.made)
        return {key: Fraction(weight, row.total) for key, weight in (row.ends | row.tails).items()}

    def value_of(self, node: Node) -> Any:
        """What a node is worth to the one who acts, deciding every choice below it on the way."""
        if isinstance(node, Leaf):
            return 0 if self.way.value is None else self.number(self.way.value(node.outcome))
        if isinstance(node, Tail):
            return self.state_worth[node.call]
        values = [self.value_of(child) for child in node.children]
        if isinstance(node, Chance):
            worth = sum([value * weight for value, weight in zip(values, node.weights, strict=True)]) / node.total
        elif isinstance(node, Choice):
            self.made.taken[node] = self._pick(node.ask, values)
            worth = values[self.made.taken[node]]
        else:
            table = dict(zip(node.answers, values, strict=True))
            value = None if self.way.value is None else table.__getitem__
            dist = node.decision.best(Way(value, self.way.policy, self.way.exact))
            self.made.resolved[node] = dist
            worth = sum([table[answer] * weight for answer, weight in dist.items()]) / dist.total
        self.worth[node] = worth
        return worth

    def _pick(self, ask: Choose[Any], values: list[Any]) -> int:
        if self.way.policy is not None:
            return self.way.policy(ask)
        if ask.seat is Seat.GAME_MASTER:
            return ask.default
        best = max(values) if ask.seat is not Seat.OPPONENT else min(values)
        slack = 0 if self.way.exact else 1e-12 * max(1.0, *[abs(value) for value in values])
        return next(at for at, value in enumerate(values) if abs(value - best) <= slack)


def _even_row(root: Node) -> dict[Any, Fraction]:
    """Where a tree leads when every choice is made evenly: a start for choices in a rule that begins again."""
    shares: dict[Any, Fraction] = {}
    waiting = [(root, Fraction(1))]
    while waiting:
        node, share = waiting.pop()
        if isinstance(node, (Leaf, Tail)):
            key = node.outcome if isinstance(node, Leaf) else node.call
            shares[key] = shares.get(key, Fraction(0)) + share
        elif isinstance(node, Chance):
            parts = zip(node.children, node.weights, strict=True)
            waiting.extend([(child, share * Fraction(weight, node.total)) for child, weight in parts])
        else:
            waiting.extend([(child, share / len(node.children)) for child in node.children])
    return shares
