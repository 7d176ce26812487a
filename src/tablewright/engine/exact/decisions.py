"""Choices in exact odds, settled by value or by a strategy; floats compare options, integers count weights.

The value of an option covers everything after it, including the caller's use of the result. In a rule that starts again
it is a fixed point: the first pass takes the options that end the rule soonest, and later passes change an option only
for a better one, until none is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from fractions import Fraction
from math import inf
from typing import Any

from tablewright.dice import Dist
from tablewright.dice.weights import mean_of
from tablewright.engine.cache import BoundedCache
from tablewright.engine.choice import Choice
from tablewright.engine.exact.chain import in_order, row_of, weigh_one
from tablewright.engine.exact.circles import settle
from tablewright.engine.exact.nodes import AnyTree, ChainRow, ChanceNode, ChoiceNode, Decision, Deferred, Node, Open
from tablewright.engine.exact.tree import MOST_DEPTH, Ends, TooComplexError, WorkBudget
from tablewright.engine.mechanic import Call, ClosedForm, refuse_named
from tablewright.engine.options import Role
from tablewright.engine.results import DecisionRule, NeverResolvesError, Odds, Strategy
from tablewright.errors import TablewrightError

MOST_PASSES = 50
"""Upper bound for the passes over the choices of a rule that starts again."""

decided: BoundedCache[tuple[Any, ...], Odds[Any]] = BoundedCache(2_048)
"""Odds of calls with choices, keyed by the values of their outcomes."""

advised: BoundedCache[tuple[Call[Any], str], Any] = BoundedCache(1_024)
"""Advice on calls, keyed by the name of the objective."""

waiting: BoundedCache[tuple[Call[Any], tuple[Any, ...]], Chain] = BoundedCache(1_024)
"""Chains of waiting rules, keyed by their answers so far."""

picked: BoundedCache[tuple[Any, ...], int] = BoundedCache(16_384)
"""Best answers to waiting rules, keyed by the call, its answers, the values of its results and the steps after them."""

followed: BoundedCache[tuple[Call[Any], Any], Fraction | float] = BoundedCache(16_384)
"""Expected values of calls that end a rule under way, by the objective of the rule."""

worth_of_results: BoundedCache[tuple[Any, ...], dict[Any, Any]] = BoundedCache(1_024)
"""Values of the results of a part of a call, by the call, its objective and the place of the part."""

_work: ContextVar[WorkBudget | None] = ContextVar("what the present question has cost", default=None)


class Working:
    """Context manager for the work on one call, within the current odds query or as a new one.

    It refuses calls that are nested too deep, before Python's own recursion limit.
    """

    __slots__ = ("call", "token", "work")

    token: Token[WorkBudget | None] | None
    work: WorkBudget

    def __init__(self, call: Call[Any]) -> None:
        self.call = call

    def __enter__(self) -> WorkBudget:
        work = _work.get()
        self.token = None
        if work is None:
            work = WorkBudget()
            self.token = _work.set(work)
        if work.depth >= MOST_DEPTH:  # never true in a new query
            raise TooComplexError(
                f"{self.call!r} is nested more than {MOST_DEPTH} calls deep; leave a rule by become() instead"
            )
        work.depth += 1
        self.work = work
        return work

    def __exit__(self, *_: object) -> None:
        self.work.depth -= 1
        if self.token is not None:
            _work.reset(self.token)


class Chain:
    """All states that a call can reach by tail calls, and their components in solving order."""

    __slots__ = ("edges", "ends", "leaves", "order", "states", "trees")

    def __init__(self, trees: Sequence[AnyTree], ends: Ends) -> None:
        ends.find_all_leaves()
        self.trees = trees
        self.ends = ends
        self.states = ends.states
        self.leaves = list(ends.leaves.values())
        self.edges = [tree.edges for tree in trees]
        self.order = [[0]] if len(trees) == 1 else in_order(self.edges)


class MappedDecision(Decision):
    """A decision whose outcomes are mapped before its caller sees them.

    The mapping is applied at once, because variables that ``change`` refers to may differ when the choice is decided.
    """

    __slots__ = ("inner", "narrowed")

    def __init__(self, inner: Decision, change: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.narrowed = {outcome: change(outcome) for outcome in inner.support()}

    def support(self) -> Sequence[Any]:
        """Mapped outcomes without duplicates."""
        return tuple(dict.fromkeys(self.narrowed.values()))

    def widened(self, way: DecisionRule) -> DecisionRule:
        """The same decision rule with values for the outcomes before mapping."""
        value, narrow = way.value, self.narrowed.__getitem__
        worth = None if value is None else (lambda outcome: value(narrow(outcome)))
        return DecisionRule(worth, way.policy, way.exact, way.together, way.across)

    def best(self, way: DecisionRule) -> Dist[Any]:
        """Decide by the values of the mapped outcomes."""
        wide = self.inner.best(self.widened(way))
        return Odds.from_dist(wide.map(self.narrowed.__getitem__), wide.remainder if isinstance(wide, Odds) else 0)


class SwappedDecision(Decision):
    """A decision that the other side makes; its values are negated."""

    __slots__ = ("inner",)

    def __init__(self, inner: Decision) -> None:
        self.inner = inner

    def support(self) -> Sequence[Any]:
        """Outcomes of the inner decision."""
        return self.inner.support()

    def best(self, way: DecisionRule) -> Dist[Any]:
        """Decide by the values for the other side."""
        return self.inner.best(way.other())


class CallDecision(Decision):
    """A call with choices, given by its chain or by a closed form.

    ``by_rule`` expands the rule behind a closed form; strategies and advice need its choices.
    """

    __slots__ = ("_support", "by_rule", "call", "chain", "form")

    def __init__(
        self,
        call: Call[Any],
        chain: Chain | None,
        form: ClosedForm[Any] | None = None,
        by_rule: Callable[[], CallDecision | Odds[Any]] | None = None,
    ) -> None:
        self.call = call
        self.chain = chain
        self.form = form
        self.by_rule = by_rule
        self._support: tuple[Any, ...] | None = None

    def support(self) -> Sequence[Any]:
        """Every outcome at the end of some path, in order."""
        if self._support is None:
            if self.chain is None:
                assert self.form is not None
                self._support = tuple(self.form.support())
            else:
                leaves = {leaf.outcome: 1 for leaf in self.chain.leaves}
                self._support = tuple(Dist.from_dict(leaves).outcomes)
        return self._support

    def best(self, way: DecisionRule) -> Odds[Any]:
        """Odds under a decision rule; cached, but for a strategy only within one query."""
        with Working(self.call) as work:
            if way.policy is not None:
                seen = (self.call, way.across)
                result = work.decided.get(seen)
                if result is None:
                    result = work.decided[seen] = self._decide(way, work)
                return result
            key = (self.call, *way.key(self.support()))
            result = decided.get(key)
            if result is None:
                result = self._decide(way, work)
                decided.put(key, result)
            return result

    def worth(self, way: DecisionRule) -> Any:
        """Expected value under a decision rule by value, without the odds of each outcome."""
        if self.chain is None:
            assert way.value is not None
            return self.best(way).expected(way.value)
        with Working(self.call) as work:
            return Deciding(self.chain, way, work).worth[self.chain.states[0]]

    def _decide(self, way: DecisionRule, work: WorkBudget) -> Odds[Any]:
        if self.chain is None:
            assert self.form is not None
            if way.policy is not None and self.by_rule is not None:
                ruled = self.by_rule()
                return ruled if isinstance(ruled, Odds) else ruled.best(way)
            work.spend(self.form.work, self.call)
            return Odds.from_dist(self.form.best(way.value), self.form.remainder)
        return Deciding(self.chain, way, work).odds()


def seats_of(decision: Decision) -> frozenset[Role | str]:
    """Roles that make the choices of a decision; a closed form is taken for the actor's."""
    while isinstance(decision, (MappedDecision, SwappedDecision)):
        decision = decision.inner
    if not isinstance(decision, CallDecision) or decision.chain is None:
        return frozenset([Role.ACTOR])
    found: set[Role | str] = set()
    for tree in decision.chain.trees:
        for node in tree.nodes:
            if isinstance(node, ChoiceNode):
                found.add(node.ask.seat)
            elif isinstance(node, Deferred):
                found |= seats_of(node.decision)
    return frozenset(found)


class Deciding:
    """Choices settled throughout a chain, by value or by strategy, and the resulting odds."""

    def __init__(self, chain: Chain, way: DecisionRule, work: WorkBudget) -> None:
        self.chain = chain
        self.way = way
        self.work = work
        self.taken: dict[ChoiceNode, int] = {}
        self.resolved: dict[Deferred, Dist[Any]] = {}
        self.worth: dict[Node, Any] = {}
        self.number: Callable[[Any], Any] = Fraction if way.exact else float
        if way.value is not None:
            for leaf in chain.leaves:
                self.worth[leaf] = self.number(way.value(leaf.outcome))
            for component in chain.order:
                self._decide(component)

    def odds(self) -> Odds[Any]:
        """Odds of the first call of the chain."""
        return weigh_one(self.row, self.chain.states)

    def row(self, number: int) -> ChainRow:
        """Row of a state under the choices made."""
        return row_of(self.chain.trees[number], self._made)

    def _made(self, node: ChoiceNode | Deferred) -> Any:
        """Position or distribution decided for a node; a strategy is called here."""
        if isinstance(node, ChoiceNode):
            policy, ask = self.way.policy, node.ask
            if policy is None:
                return self.taken[node]
            return asked(policy, ask.by_opponent() if self.way.across else ask)
        return self.resolved[node] if self.way.policy is None else node.decision.best(self.way)

    # ------------------------------------------------------------------ by value

    def _decide(self, component: Sequence[int]) -> None:
        trees = self.chain.trees
        members = set(component)
        if not any(tail.number in members for number in component for tail in trees[number].following):
            for number in component:
                self._value(number)
                self.worth[self.chain.states[number]] = self.worth[trees[number].root]
            return
        if any(trees[number].choosing for number in component):
            self._end_soonest(component)
        self._settle(component)
        for _ in range(MOST_PASSES):
            before = dict(self.taken), dict(self.resolved)
            for number in component:
                self._value(number)
            if (self.taken, self.resolved) == before:
                return
            self._settle(component)
        start = self.chain.states[component[0]].call
        raise TooComplexError(f"the choices in {start!r} do not settle after {MOST_PASSES} passes")

    def _value(self, number: int) -> None:
        """Compute the value of every node of a tree for the actor, settling each choice on the way."""
        worth, exact = self.worth, self.way.exact
        tree = self.chain.trees[number]
        for node in reversed(tree.nodes):
            values = [worth[child] for child in node.children]
            self.work.spend(len(values) // 4 + 1, self.chain.states[number].call)
            if isinstance(node, ChanceNode):
                worth[node] = mean_of(values, node.weights, node.total) if exact else _float_mean(node, values)
            elif isinstance(node, ChoiceNode):
                position = self.taken[node] = self._pick(node, values)
                worth[node] = values[position]
            else:
                self._resolve(node, values)

    def _pick(self, node: ChoiceNode, values: list[Any]) -> int:
        """Position of the best option, the first one for a tie; an earlier pick stays unless another is better."""
        fixed = _fixed(node)
        if fixed is not None:
            return fixed
        seat = node.ask.seat
        if isinstance(seat, str):
            refuse_named(node.ask, self.chain.states[0].call)
        opposes = (seat is Role.OPPONENT or seat is Role.OPPONENTS_ALLY) and not self.way.together
        best = min(values) if opposes else max(values)
        slack = self._slack(values)
        before = self.taken.get(node)
        if before is not None and abs(values[before] - best) <= slack:
            return before
        return next(at for at, value in enumerate(values) if abs(value - best) <= slack)

    def _resolve(self, node: Deferred, values: list[Any]) -> None:
        table = dict(zip(node.answers, values, strict=True))
        way = self.way
        dist = node.decision.best(DecisionRule(table.__getitem__, None, way.exact, way.together, way.across))
        worth = self._expected(dist, table)
        before = self.resolved.get(node)
        if before is None or abs(self._expected(before, table) - worth) > self._slack(values):
            self.resolved[node] = dist
        self.worth[node] = worth

    def _expected(self, dist: Dist[Any], table: dict[Any, Any]) -> Any:
        values = [table[answer] for answer in dist.outcomes]
        if self.way.exact:
            return mean_of(values, dist.weights, dist.total)
        return sum([value * (weight / dist.total) for value, weight in zip(values, dist.weights, strict=True)])

    def _slack(self, values: list[Any]) -> float:
        return 0 if self.way.exact else 1e-12 * max(1.0, *map(abs, values))

    # ------------------------------------------------------------------ circles

    def _settle(self, component: Sequence[int]) -> None:
        """Compute the value of each state of a circle under the current choices."""
        members = set(component)
        share: Callable[[int, int], Any] = Fraction if self.way.exact else (lambda weight, total: weight / total)
        inside: dict[int, dict[int, Any]] = {}
        outside: dict[int, Any] = {}
        for number in component:
            row = self.row(number)
            inside[number] = {}
            worth = self.number(0)
            for leaf, weight in row.ends.items():
                worth += self.worth[leaf] * share(weight, row.total)
            for tail, weight in row.tails.items():
                if tail.number in members:
                    inside[number][tail.number] = share(weight, row.total)
                else:
                    worth += self.worth[tail] * share(weight, row.total)
            outside[number] = worth
            self.work.spend(len(row.ends) + len(row.tails), self.chain.states[number].call)
        for number, worth in settle(
            inside, outside, self.chain.states, self.number(0 if self.way.exact else 1e-13)
        ).items():
            self.worth[self.chain.states[number]] = worth

    def _end_soonest(self, component: Sequence[int]) -> None:
        """Take the options on the shortest way out of a circle; under these choices it surely ends."""
        trees, states = self.chain.trees, self.chain.states
        away: dict[Node, float] = {states[number]: inf for number in component}
        shorter = True
        while shorter:
            shorter = False
            for number in component:
                for node in reversed(trees[number].nodes):
                    steps = [away.get(child, 0) for child in node.children]
                    fixed = _fixed(node)
                    away[node] = min(steps) if fixed is None else steps[fixed]
                self.work.spend(len(trees[number].nodes), states[number].call)
                found = away.get(trees[number].root, 0) + 1
                if found < away[states[number]]:
                    away[states[number]] = found
                    shorter = True
        for number in component:
            if away[states[number]] == inf:
                raise NeverResolvesError(states[number])
            for node in trees[number].nodes:
                steps = [away.get(child, 0) for child in node.children]
                if isinstance(node, ChoiceNode):
                    fixed = _fixed(node)
                    self.taken[node] = steps.index(min(steps)) if fixed is None else fixed
                elif isinstance(node, Deferred):
                    nearest = {
                        answer: int(step == min(steps)) for answer, step in zip(node.answers, steps, strict=True)
                    }
                    self.resolved[node] = node.decision.best(DecisionRule(nearest.__getitem__, together=True))


def _fixed(node: Open) -> int | None:
    """Default of a game master's choice, which ignores values; None for other nodes."""
    return node.ask.default if isinstance(node, ChoiceNode) and node.ask.seat is Role.GAME_MASTER else None


def _float_mean(node: ChanceNode, values: list[float]) -> float:
    if node.shares is None:
        total = node.total
        node.shares = tuple([weight / total for weight in node.weights])
    return sum([value * share for value, share in zip(values, node.shares, strict=True)])


def asked(policy: Strategy, ask: Choice[Any]) -> int:
    """Position that a strategy returns, checked; a single option is taken without calling it."""
    position: object = policy(ask) if len(ask.options) > 1 else 0
    if type(position) is not int or not 0 <= position < len(ask.options):
        raise TablewrightError(
            f'a policy answered "{ask.question}" with {position!r:.40}; it must give a position from 0 to '
            f"{len(ask.options) - 1}"
        )
    return position
