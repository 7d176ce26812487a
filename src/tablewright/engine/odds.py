"""Exact odds of a call in whole-number weights, also for rules that can roll again without limit.

A call is expanded to a tree (:mod:`tablewright.engine.exact.tree`). Tail calls connect trees to a chain of states,
which is solved in whole numbers (:mod:`tablewright.engine.exact.chain`). Choices are settled first
(:mod:`tablewright.engine.exact.decisions`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import repeat
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from tablewright.dice import Dist
from tablewright.dice.rollable import NEVER, Rollable, weigh
from tablewright.engine.cache import BoundedCache
from tablewright.engine.choice import Choice
from tablewright.engine.exact.chain import (
    NUMBER,
    Made,
    PackedWeights,
    StateWeights,
    nothing_made,
    row_of,
    weigh_apart,
    weigh_one,
    weigh_packed,
    weigh_rows,
)
from tablewright.engine.exact.decisions import (
    CallDecision,
    Chain,
    MappedDecision,
    SwappedDecision,
    Working,
    advised,
    asked,
    decided,
    followed,
    picked,
    waiting,
    worth_of_results,
)
from tablewright.engine.exact.nodes import AnyTree, Decision, Open, StraightTree, TailNode, Tree, branch
from tablewright.engine.exact.tree import (
    MOST_RUNS,
    NO_ENDS,
    Ends,
    Look,
    Started,
    WorkBudget,
    finish_at_once,
    grow,
    grow_on,
    known_tree,
)
from tablewright.engine.mechanic import Call, Mechanic, Until, Value, demand_call, leave
from tablewright.engine.request import (
    Again,
    Attributed,
    Become,
    Finish,
    Into,
    Joint,
    Mapped,
    Request,
    Roll,
    Swapped,
    Weighed,
)
from tablewright.engine.results import (
    DecisionRule,
    NeverResolvesError,
    Odds,
    Strategy,
    is_steady,
    odds_of_leaves,
)
from tablewright.errors import TablewrightError

__all__ = ["Odds", "Strategy", "decision_or_odds", "expected_value", "forget", "known", "look", "odds"]

T = TypeVar("T")

_CALL, _CHOOSING = attrgetter("call"), attrgetter("choosing")

FEW_OUTCOMES = 12
"""Upper bound for outcomes of a chain whose states are all solved and cached; beyond it only the requested one is."""

FEW_TO_MAP = 40
"""Upper bound for outcomes that go through several mappings at once, without merging equal ones in between."""

MOST_REMEMBERED = 4_096
"""Upper bound for the cached states of one chain."""

_memory: BoundedCache[Call[Any], Odds[Any] | CallDecision | StateWeights | PackedWeights] = BoundedCache(8_192)

_worths: BoundedCache[tuple[Call[Any], str | None], Fraction] = BoundedCache(16_384)
"""Expected values of calls by a declared objective."""

_by_strategy: WeakKeyDictionary[Strategy, BoundedCache[tuple[Call[Any], bool], Odds[Any]]] = WeakKeyDictionary()
"""Odds of calls and sides whose choices a steady strategy makes, as long as the strategy exists."""


def odds(call: Call[T], objective: str | Value | None = None, *, policy: Strategy | None = None) -> Odds[T]:
    """Compute the exact distribution of a call.

    ``policy`` settles the choices of the rule. Without it the actor's side maximises the expected value of
    ``objective``, and opponents minimise it. An objective is a name that the mechanic declares or a function of the
    result. A policy must give the same answer to the same choice every time.
    """
    value = call.mechanic.objective(objective)[1] if isinstance(objective, str) else objective
    if policy is not None:
        return odds_by_strategy(call, policy)
    answer = known(call)
    if isinstance(answer, Odds):
        return answer
    if value is None:
        value = call.mechanic.objective(None)[1]
    with Working(call):
        return answer.best(DecisionRule(value))


def expected_value(call: Call[Any], objective: str | None = None) -> Fraction:
    """Expected value of a call by a declared objective, by default its first; cached."""
    known_worth = _worths.get((call, objective))
    if known_worth is None:
        value = call.mechanic.objective(objective)[1]
        known_worth = odds(call, value).expected(value)
        _worths.put((call, objective), known_worth)
    return known_worth


def forget() -> None:
    """Clear all caches of this module, of decisions and of dice."""
    _memory.clear()
    _worths.clear()
    _by_strategy.clear()
    decided.clear()
    advised.clear()
    waiting.clear()
    picked.clear()
    followed.clear()
    worth_of_results.clear()
    weigh.cache_clear()


# ---------------------------------------------------------------------- distributions of requests


Looked: TypeAlias = tuple[Dist[Any] | Decision, Fraction | int]
"""Distribution or decision of a request, and the chance that a cap on dice cut it short."""


def look(ask: Request[Any]) -> Looked:
    """Distribution or decision of a request, and the chance that a cap on dice cut it short."""
    if isinstance(ask, Roll):
        return ask.dice.weigh(), _cut(ask.dice)
    if isinstance(ask, Call):
        answer = known(ask)
        return answer, _cut(answer) if isinstance(answer, Odds) else 0
    if isinstance(ask, Mapped):
        asked_first, changes = _changes(ask)
        return _mapped(look(asked_first), changes)
    if isinstance(ask, Joint):
        (first, cut), (second, other_cut) = look(ask.first), look(ask.second)
        if isinstance(first, Dist) and isinstance(second, Dist):
            return _joined(ask, first, second), cut + other_cut
        return _decided_in_turn(ask, (first, cut), (second, other_cut)), 0
    if isinstance(ask, Attributed):
        return look(ask.ask)
    if isinstance(ask, Swapped):
        inner, cut = look(ask.ask)
        return (inner if isinstance(inner, Dist) else SwappedDecision(inner)), cut
    if isinstance(ask, Choice):
        return look(Call(_CHOICE, (ask,)))
    if isinstance(ask, Until):
        return look(Call(_UNTIL, (ask.call, ask.part)))
    if isinstance(ask, Request):
        raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")
    raise TablewrightError(f"{ask!r:.80} is not a request and cannot be part of one")


def _cut(answer: Rollable[Any] | Odds[Any]) -> Fraction | int:
    """Chance that a cap on dice cut a roll or a call short; 0 without a cap, since fractions are slow to add."""
    remainder = answer.remainder
    return 0 if remainder is NEVER else remainder


def _changes(ask: Mapped[Any]) -> tuple[Request[Any], list[Callable[[Any], Any]]]:
    """The request inside several mappings, and these in the order in which they apply."""
    inner: Request[Any] = ask
    changes: list[Callable[[Any], Any]] = []
    while isinstance(inner, Mapped):
        if type(inner) is Mapped:
            changes.append(inner.change)
            inner = inner.ask
        else:
            assert isinstance(inner, Weighed)
            inner = inner.instead
    changes.reverse()
    return inner, changes


def _mapped(found: Looked, changes: Sequence[Callable[[Any], Any]]) -> Looked:
    """Answer of a request, mapped several times."""
    inner, cut = found
    if isinstance(inner, Dist):
        return (_changed(inner, changes) if changes else inner), cut
    for change in changes:
        inner = MappedDecision(inner, change)
    return inner, cut


def _changed(dist: Dist[Any], changes: Sequence[Callable[[Any], Any]]) -> Dist[Any]:
    """Map a distribution several times; a large one is merged after each."""
    if len(changes) == 1 or len(dist) <= FEW_TO_MAP:
        return dist.map(*changes)
    for change in changes:
        dist = dist.map(change)
    return dist


def _joined(ask: Joint[Any], first: Dist[Any], second: Dist[Any]) -> Dist[Any]:
    """Use fast arithmetic if both are numeric; other values define their own order and sums."""
    if first.numeric and second.numeric:
        if ask.kind == "versus":
            return first.compare(second)
        if ask.kind == "plus":
            return first + second
        if ask.kind == "minus":
            return first - second
    return first.product(second, ask.combine)


def _decided_in_turn(
    joint: Joint[Any],
    first: tuple[Dist[Any] | Decision, Fraction | int],
    second: tuple[Dist[Any] | Decision, Fraction | int],
) -> Odds[Any] | CallDecision:
    """Decision of two requests with choices, one after the other; its tree is known without a run."""
    call: Call[Any] = Call(_IN_TURN, (joint,))
    root, ends = branch(joint.first, *first), Ends()
    nodes: list[Open] = [root]
    ends.find_tails((call,), call)
    for answer in root.answers:
        node = branch(joint.second, *second)
        if len(root.answers) * len(node.answers) > MOST_RUNS:
            return known(call)  # refuses it
        node.children += ends.find_leaves([joint.combine(answer, other) for other in node.answers], call)
        nodes.append(node)
    root.children += nodes[1:]
    with Working(call) as work:
        work.spend(len(root.answers) * len(nodes[-1].answers), call)
    return CallDecision(call, Chain([Tree(root, nodes, (), choosing=True)], ends))


async def _in_turn(joint: Joint[T]) -> T:
    return await joint.in_turn()


async def _choice(ask: Request[T]) -> T:
    return await ask


async def _until(call: Call[Any], part: Mechanic[..., Any]) -> Any:
    """Run a call up to its tail call of a part, which is then the outcome."""
    while True:
        rule, answer = call.start(), None
        following: Request[Any] | None = None
        try:
            while following is None:
                ask = rule.send(answer)
                if isinstance(ask, Finish):
                    return await ask.ask
                if isinstance(ask, Into):
                    following = ask.following(await ask.ask)
                elif isinstance(ask, (Become, Again)):
                    following = ask.call if isinstance(ask, Become) else call
                else:
                    answer = await ask
        except StopIteration as end:
            return end.value
        finally:
            rule.close()
        call = demand_call(following, call)
        if call.mechanic is part:
            return call


_IN_TURN: Mechanic[..., Any] = Mechanic("both in turn", _in_turn, (), {})
_CHOICE: Mechanic[..., Any] = Mechanic("choice", _choice, (), {})
_REST: Mechanic[..., Any] = Mechanic("rest of a rule", _choice, (), {})
"""Name of the first state of a call under way; it is never run."""
_UNTIL: Mechanic[..., Any] = Mechanic("up to a part", _until, (), {})


# ---------------------------------------------------------------------- chains of calls


def known(call: Call[Any]) -> Odds[Any] | CallDecision:
    """Odds of a call, or its decision if it contains choices; cached."""
    answer = _memory.get(call)
    if answer is None:
        answer = decision_or_odds(call)
        _memory.put(call, answer)
    elif isinstance(answer, (StateWeights, PackedWeights)):
        answer = answer.odds(call)
        _memory.put(call, answer)
    return answer


def decision_or_odds(call: Call[Any], *, by_rule: bool = False) -> Odds[Any] | CallDecision:
    """Compute the odds of a call, or its decision if it contains choices.

    ``by_rule`` runs the rule even if it has a closed form.
    """
    with Working(call) as work:
        form = None if call.mechanic.closed is None or by_rule else call.mechanic.closed(*call.arguments)
        if form is not None:
            if form.deciding:
                return CallDecision(call, None, form, lambda: decision_or_odds(call, by_rule=True))
            return Odds.from_dist(form.best(None), form.remainder)
        found, started = finish_at_once(call, look, work)
        if found is not None:
            return Odds.from_dist(*found)
        trees, ends, grown = _grown(call, look, work, started=started)
        choosing = any(map(_CHOOSING, trees))
        if not choosing:
            if len(trees) == 1 and not trees[0].edges:
                return _weighed_alone(trees[0])
            found_apart = weigh_apart(trees, FEW_OUTCOMES)
            if found_apart is not None:
                return found_apart
        chain = Chain(trees, ends)
    if not chain.leaves:
        raise NeverResolvesError(chain.states[0])
    if choosing:
        return CallDecision(call, chain)
    weighed = _weighed(chain)
    if isinstance(weighed, Odds):
        return weighed
    kept = grown[:MOST_REMEMBERED]
    if isinstance(weighed, PackedWeights):
        _memory.put_all(zip(map(_CALL, kept), repeat(weighed), strict=False))
        return weighed.odds(call)
    _memory.put_all([(state.call, weighed[state.number]) for state in kept])
    return weighed[0].odds(call)


def chain_from(call: Call[Any], sent: Sequence[Any], work: WorkBudget) -> Chain:
    """Chain of a call under way; its first state is the rest of the call."""
    trees, ends, _ = _grown(Call(_REST, (call, tuple(sent))), look, work, begun=(call, sent))
    return Chain(trees, ends)


def _grown(
    call: Call[Any],
    look: Look,
    work: WorkBudget,
    choose: Strategy | None = None,
    *,
    most: int = MOST_RUNS,
    begun: tuple[Call[Any], Sequence[Any]] | None = None,
    started: Started | None = None,
) -> tuple[list[AnyTree], Ends, list[TailNode]]:
    """Trees of all states of a chain, their exits, and the states that were run.

    ``begun`` is run in place of the first state, from where it waits after some answers. ``started`` is a run of the
    first state that has made its first request. A state that only goes on after a request whose odds are known becomes
    a step at once.
    """
    ends = Ends()
    trees: list[AnyTree] = []
    grown: list[TailNode] = []
    ends.find_tails((call,), call)
    looked: dict[Request[Any], Looked] = {}

    def look_once(ask: Request[Any]) -> Looked:
        """Look at a call once for all states of the chain, also where they map its answer."""
        asked_first, changes = _changes(ask) if isinstance(ask, Mapped) else (ask, [])
        kind = type(asked_first)
        if kind is not Call and kind is not Swapped:
            return look(ask)
        found = looked.get(asked_first)
        if found is None:
            found = looked[asked_first] = look(asked_first)
        return _mapped(found, changes) if changes else found

    waiting = iter(ends.states)
    if begun is not None:
        next(waiting)
        trees.append(grow_on(*begun, look_once, ends, work))
    remembered, answers, states = _memory.peek, ends.answered.get, ends.states
    find_tail: Callable[[Any], int] = ends.tails.__getitem__
    for state in waiting:  # grows during the loop, with every new tail call
        call = state.call
        answer = remembered(call)
        mechanic: Mechanic[..., Any] = call[0]
        if trees and (mechanic.closed is not None or not (answer is None or isinstance(answer, CallDecision))):
            trees.append(known_tree(call, *look(call), ends))
            continue
        grown.append(state)
        if started is None:
            run = mechanic.function(*call[1])
            try:
                ask = run.send(None)
            except StopIteration as end:
                work.spend(1, call)
                trees.append(Tree(ends.leaf(end.value, call), [], (), choosing=False))
                continue
            except BaseException:
                run.close()
                raise
            if type(ask) is Into and type(ask.ask) is Call:  # most states of a long chain only go on
                answered = answers(ask.ask)
                if answered is not None and answered.outcomes and mechanic.rules:
                    leave(run, call)
                    try:
                        tails = list(map(find_tail, map(ask.following, answered.outcomes)))
                    except (KeyError, TypeError):  # not a call, or not even hashable
                        tails = ends.find_following(ask.following, answered.outcomes, call)
                    work.spend(len(tails) + 1, call)
                    trees.append(StraightTree(answered, tails, NO_ENDS, states))
                    continue
            started = run, ask
        trees.append(grow(state, started, look_once, ends, work, choose=choose, most=most))
        started = None
    return trees, ends, grown


def _weighed(chain: Chain, made: Made = nothing_made) -> Odds[Any] | PackedWeights | Sequence[StateWeights]:
    """Odds of the first state of a chain, or of all its states if there are few outcomes."""
    rows = [tree if type(tree) is StraightTree else row_of(tree, made) for tree in chain.trees]
    if len(rows) == 1 or len(chain.leaves) > FEW_OUTCOMES:
        return weigh_one(rows.__getitem__, chain.states)
    edges = (
        chain.edges
        if made is nothing_made
        else [
            known if row is tree else list(map(NUMBER, row.following))  # a row leaves out what no choice leads to
            for row, tree, known in zip(rows, chain.trees, chain.edges, strict=True)
        ]
    )
    packed = weigh_packed(rows, edges, chain.ends, chain.leaves, chain.order)
    return weigh_rows(rows, chain.states, chain.leaves, chain.order) if packed is None else packed


def _weighed_alone(tree: AnyTree, made: Made = nothing_made) -> Odds[Any]:
    """Odds of a call without open choices and tail calls."""
    if isinstance(tree, StraightTree):
        return Odds.from_dist(tree.answered.dist, tree.cut)
    row = row_of(tree, made)
    return odds_of_leaves(row.ends, NEVER, row.cut)


# ---------------------------------------------------------------------- choices made by a strategy


def odds_by_strategy(call: Call[T], policy: Strategy, most: int = MOST_RUNS) -> Odds[T]:
    """Odds of a call whose choices a strategy makes; the consequences of other options are not worked out.

    A call with more than ``most`` ways through it is refused, not counting those through calls inside it.
    """
    remembered = _remembered_by(policy)
    known_odds = remembered.get((call, False))
    if known_odds is not None:
        return known_odds
    answer = _memory.get(call)
    if isinstance(answer, CallDecision) and answer.chain is not None:  # everything is there already
        with Working(call):
            found = answer.best(DecisionRule(None, policy))
        remembered.put((call, False), found)
        return found
    return _ByStrategy(policy, remembered, call, most).odds(call, across=False)


def _remembered_by(policy: Strategy) -> BoundedCache[tuple[Call[Any], bool], Odds[Any]]:
    """Odds that are remembered for a strategy; for one that is not steady, those of this query alone."""
    if not is_steady(policy):
        return BoundedCache(MOST_REMEMBERED)
    known_odds = _by_strategy.get(policy)
    if known_odds is None:
        known_odds = _by_strategy[policy] = BoundedCache(MOST_REMEMBERED)
    return known_odds


class _ByStrategy:
    """One query by a strategy: the odds of each call and side that it has come to."""

    def __init__(
        self,
        policy: Strategy,
        remembered: BoundedCache[tuple[Call[Any], bool], Odds[Any]],
        first: Call[Any],
        most: int,
    ) -> None:
        self.policy = policy
        self._remembered = remembered
        self._first, self._most = first, most
        self._settled: dict[tuple[Call[Any], bool], tuple[Odds[Any], bool]] = {}
        self._chose = False

    def odds(self, call: Call[Any], *, across: bool) -> Odds[Any]:
        """Odds of a call for a side; those of a call without any choice are remembered for other queries."""
        answer = _memory.get(call)
        if answer is not None and not isinstance(answer, CallDecision):
            return answer if isinstance(answer, Odds) else answer.odds(call)
        settled = self._settled.get((call, across))
        if settled is None:
            chosen = self._remembered.get((call, across))
            settled = None if chosen is None else (chosen, True)
        if settled is None:
            before, self._chose = self._chose, False
            found = self._found(call, across)
            settled = found, self._chose
            if not call.mechanic.rules:  # a step of a process is played once
                self._settled[call, across] = settled
            elif self._chose:
                self._remembered.put((call, across), found)
            else:
                _memory.put(call, found)
            self._chose = before
        found, chose = settled
        self._chose = self._chose or chose
        return found

    def _found(self, call: Call[Any], across: bool) -> Odds[Any]:
        with Working(call) as work:
            if call.mechanic.closed is not None:
                form = call.mechanic.closed(*call.arguments)
                if form is not None and not form.deciding:
                    return Odds.from_dist(form.best(None), form.remainder)

            def choose(ask: Choice[Any]) -> int:
                self._chose = True
                return asked(self.policy, ask.by_opponent() if across else ask)

            def look(ask: Request[Any]) -> tuple[Dist[Any], Fraction | int]:
                return self._look(ask, across)

            most = self._most if call is self._first else MOST_RUNS
            found, started = finish_at_once(call, look, work)
            if found is not None:
                return Odds.from_dist(*found)
            trees, ends, _ = _grown(call, look, work, choose, most=most, started=started)
        if len(trees) == 1 and not trees[0].following:
            return _weighed_alone(trees[0], _only)
        chain = Chain(trees, ends)
        if not chain.leaves:
            raise NeverResolvesError(chain.states[0])
        weighed = _weighed(chain, _only)
        if isinstance(weighed, Odds):
            return weighed
        return (weighed if isinstance(weighed, PackedWeights) else weighed[0]).odds(call)

    def _look(self, ask: Request[Any], across: bool) -> tuple[Dist[Any], Fraction | int]:
        """Distribution of a request; see :func:`look`."""
        if isinstance(ask, Mapped):
            asked_first, changes = _changes(ask)
            inner, cut = self._look(asked_first, across)
            return (_changed(inner, changes) if changes else inner), cut
        if isinstance(ask, Roll):
            return ask.dice.weigh(), _cut(ask.dice)
        if isinstance(ask, Call):
            found = self.odds(ask, across=across)
            return found, _cut(found)
        if isinstance(ask, Joint):
            (first, cut), (second, other_cut) = self._look(ask.first, across), self._look(ask.second, across)
            return _joined(ask, first, second), cut + other_cut
        if isinstance(ask, Attributed):
            return self._look(ask.ask, across)
        if isinstance(ask, Swapped):
            return self._look(ask.ask, not across)
        if isinstance(ask, Choice):
            return self._look(Call(_CHOICE, (ask,)), across)
        if isinstance(ask, Until):
            return self._look(Call(_UNTIL, (ask.call, ask.part)), across)
        answer, cut = look(ask)
        assert isinstance(answer, Dist)
        return answer, cut


def _only(_node: Any) -> int:
    """Position of the only option that a tree grown by a strategy has."""
    return 0
