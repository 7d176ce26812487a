"""Trees of all paths through a rule, built by running it to every end.

A coroutine cannot be copied. Each further path through a request therefore needs a new run with the answers so far, one
short run per leaf. Answers are merged before branching where possible (``map``, ``versus``, nested calls).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.dice import Dist
from tablewright.dice.outcomes import alike
from tablewright.engine.choice import Choice
from tablewright.engine.exact.nodes import (
    AnyTree,
    ChoiceNode,
    Decision,
    Deferred,
    LeafNode,
    Node,
    Open,
    RequestOdds,
    StraightTree,
    TailNode,
    Tree,
    branch,
)
from tablewright.engine.mechanic import Call, Mechanic, leave, refuse_foreign, refuse_leaving, refuse_named
from tablewright.engine.request import Again, Become, Finish, Into, Request, RunningRule
from tablewright.errors import TablewrightError, TooLargeError

if TYPE_CHECKING:
    from random import Random

MOST_RUNS = 20_000
"""Upper bound for runs of one call."""

PROBES, HOPELESS = 8, 8
"""Random ways through a call with a lower limit than usual, and the multiple of the limit at which they refuse it."""

MOST_ASKS = 150
"""Upper bound for the requests on one path."""
_ENDLESS = f"{{!r}} asks more than {MOST_ASKS} times in a row; leave it by become() instead"

MOST_STATES = 20_000
"""Upper bound for the different calls in one chain of tail calls."""

MOST_DEPTH = 40
"""Upper bound for the nesting depth of mechanics."""

MOST_WORK = 400_000
"""Upper bound for the runs, tail calls and valued paths of one odds query: about a second."""


class TooComplexError(TooLargeError):
    """Refusal of exact odds that would take too long; the message names the rule and the cause."""


class WorkBudget:
    """Work spent on one odds query, across all nested calls."""

    __slots__ = ("decided", "depth", "done")

    def __init__(self) -> None:
        self.depth = 0
        self.done = 0
        self.decided: dict[tuple[Call[Any], bool], Any] = {}  # results by a strategy, per call and side

    def spend(self, steps: int, call: Call[Any]) -> None:
        """Count work steps; raise :class:`TooComplexError` beyond the limit."""
        self.done += steps
        if self.done > MOST_WORK:
            raise TooComplexError(
                f"too much to work out exactly: more than {MOST_WORK:,} steps in all, the last in {call!r}"
            )


Look: TypeAlias = Callable[[Request[Any]], tuple["Dist[Any] | Decision", Fraction | int]]
"""Function from a request to its distribution or decision, and the chance that a cap on dice cut it short."""


Pick: TypeAlias = Callable[[Choice[Any]], int]
"""Function from a choice to the position of the option taken."""


class _Tails(dict[Call[Any], int]):
    """Numbers of the states of a chain by their calls; a call that is looked up for the first time becomes a state."""

    __slots__ = ("states",)

    def __init__(self) -> None:
        super().__init__()
        self.states: list[TailNode] = []

    def __missing__(self, call: Any) -> int:
        if not isinstance(call, Call):
            raise KeyError(call)
        states = self.states
        number = self[call] = len(states)
        if number >= MOST_STATES:
            raise TooComplexError(
                f"{states[0].call!r} passes through more than {MOST_STATES:,} states; narrow its arguments"
            )
        states.append(TailNode(call, number))
        return number


class Ends:
    """Exits of the trees of one chain: a leaf per outcome and a tail per state."""

    __slots__ = ("_ending", "answered", "leaves", "states", "tails")

    def __init__(self) -> None:
        self._ending: list[tuple[StraightTree, Call[Any]]] = []
        self.answered: dict[Call[Any], RequestOdds] = {}
        self.leaves: dict[Any, LeafNode] = {}
        self.tails = _Tails()
        self.states = self.tails.states

    def end(self, answered: RequestOdds, call: Call[Any]) -> StraightTree:
        """Tree of a call that ends with the answer of a request; its leaves are found when they are needed."""
        tree = StraightTree(answered, (), NO_ENDS, self.states)
        self._ending.append((tree, call))
        return tree

    def find_all_leaves(self) -> None:
        """Find the leaves of the trees that have none yet."""
        ending, self._ending = self._ending, []
        for tree, call in ending:
            outcomes, weights = tree.answered.dist.unordered()
            tree.ends = dict(zip(self.find_leaves(outcomes, call), weights, strict=True))

    def leaf(self, outcome: Any, call: Call[Any]) -> LeafNode:
        """Leaf of an outcome; equal outcomes of different types are refused."""
        if self._ending:
            self.find_all_leaves()
        try:
            leaf = self.leaves.get(outcome)
        except TypeError:
            raise TablewrightError(f"{call!r} gave {outcome!r:.60}; a result must be a hashable value") from None
        if leaf is None:
            leaf = self.leaves[outcome] = LeafNode(outcome, len(self.leaves))
        if leaf.outcome is not outcome and not alike(leaf.outcome, outcome):
            raise TablewrightError(
                f"{call!r} gave {outcome!r:.60} and {leaf.outcome!r:.60}, which Python takes for equal; "
                "use one kind of result"
            )
        return leaf

    def find_leaves(self, outcomes: Sequence[Any], call: Call[Any]) -> list[LeafNode]:
        """Leaves of several outcomes of a call."""
        if self._ending:
            self.find_all_leaves()
        leaves, found = self.leaves, []
        if not leaves or leaves.keys().isdisjoint(outcomes):
            new = {outcome: LeafNode(outcome, number) for number, outcome in enumerate(outcomes, len(leaves))}
            if len(new) == len(outcomes):  # the usual case: no outcome has a leaf, and none comes twice
                leaves.update(new)
                return list(new.values())
        for outcome in outcomes:
            leaf = leaves.get(outcome)
            if leaf is None:
                leaf = leaves[outcome] = LeafNode(outcome, len(leaves))
            elif leaf.outcome is not outcome and not alike(leaf.outcome, outcome):
                leaf = self.leaf(outcome, call)  # refuses it
            found.append(leaf)
        return found

    def find_following(
        self, following: Callable[[Any], Request[Any]], outcomes: Sequence[Any], asker: Call[Any]
    ) -> list[int]:
        """Numbers of the states that follow several outcomes."""
        try:
            return list(map(self.tails.__getitem__, map(following, outcomes)))  # type: ignore[arg-type]
        except (KeyError, TypeError):
            return [tail.number for tail in self.find_tails(map(following, outcomes), asker)]

    def find_tails(self, calls: Iterable[Request[Any]], asker: Call[Any]) -> list[TailNode]:
        """Tails of several calls; the first call of all is the start of the chain."""
        listed = list(calls)
        try:
            return list(map(self.states.__getitem__, map(self.tails.__getitem__, listed)))  # type: ignore[arg-type]
        except (KeyError, TypeError):  # not a call, or not even hashable
            for call in listed:
                if not isinstance(call, Call):
                    raise TablewrightError(
                        f"{asker!r} can be left only for a call of a mechanic, not for {call!r:.60}"
                    ) from None
            raise


Started: TypeAlias = tuple[RunningRule[Any], Request[Any]]
"""A run of a rule and the first request that it makes."""


def finish_at_once(
    call: Call[Any], look: Look, work: WorkBudget
) -> tuple[tuple[Dist[Any], Fraction | int] | None, Started | None]:
    """Distribution of a rule whose first request ends it, found without a tree; else its run, to be grown from there.

    A rule that requests nothing has neither.
    """
    mechanic: Mechanic[..., Any] = call[0]
    run = mechanic.function(*call[1])
    try:
        ask = run.send(None)
        if type(ask) is Finish and mechanic.rules:
            answer, cut = look(ask.ask)
            if isinstance(answer, Dist):
                leave(run, call)
                work.spend(len(answer) + 1, call)
                return (answer, cut), None
    except StopIteration:
        return None, None
    except BaseException:
        run.close()
        raise
    return None, (run, ask)


def grow(
    state: TailNode,
    started: Started,
    look: Look,
    ends: Ends,
    work: WorkBudget,
    *,
    choose: Pick | None = None,
    most: int = MOST_RUNS,
) -> AnyTree:
    """Build the tree of one call from a run of it that has made its first request; tail calls end a path.

    ``choose`` makes the choices on the way; the tree then has no branch for the options that are not taken. A call with
    more than ``most`` ways through it is refused.
    """
    call = state.call
    mechanic: Mechanic[..., Any] = call[0]
    chosen: list[Any] = []
    run: RunningRule[Any]
    ask: Any
    run, ask = started
    try:
        while choose is not None and isinstance(ask, Choice):
            if isinstance(ask.seat, str) and mechanic.rules:
                refuse_named(ask, call)
            chosen.append(ask.options[choose(ask)])
            ask = run.send(chosen[-1])
            if len(chosen) > MOST_ASKS:
                raise TooComplexError(_ENDLESS.format(call))
    except StopIteration as end:
        work.spend(1, call)
        return Tree(ends.leaf(end.value, call), [], (), choosing=False)
    except BaseException:
        run.close()
        raise
    if type(ask) is Into or type(ask) is Finish:
        asked = ask.ask
        answered = ends.answered.get(asked) if type(asked) is Call else None
        if answered is None:
            answer, cut = look(asked)
            if isinstance(answer, Dist):
                answered = RequestOdds(asked, answer, cut)
        if answered is not None:
            if not mechanic.rules:
                refuse_leaving()
            leave(run, call)
            if type(ask) is Into:
                if not answered.outcomes:
                    answered.sort()
                    if type(asked) is Call:
                        ends.answered[asked] = answered
                following = ends.find_following(ask.following, answered.outcomes, call)
                work.spend(len(following) + 1, call)
                return StraightTree(answered, following, NO_ENDS, ends.states)
            work.spend(len(answered.dist) + 1, call)
            if state.number == 0:  # the answer is the result, and nothing else follows
                return StraightTree(answered, (), NO_ENDS, ends.states)
            return ends.end(answered, call)
    return _Grower(call, look, ends, work, choose=choose, most=most).grow(run, ask, chosen)


def grow_on(call: Call[Any], sent: Sequence[Any], look: Look, ends: Ends, work: WorkBudget) -> Tree:
    """Build the tree of a call from the request that it makes after some answers; it is not a state of the chain."""
    run = call.start()
    try:
        ask = run.send(None)
        for answer in sent:
            ask = run.send(answer)
    except StopIteration as end:
        return Tree(ends.leaf(end.value, call), [], (), choosing=False)
    except BaseException:
        run.close()
        raise
    return _Grower(call, look, ends, work, choose=None, most=MOST_RUNS).grow(run, ask, list(sent))


NO_ENDS: dict[LeafNode, int] = {}
"""Shared empty ends of a step that never ends a rule."""


def leave_for_good(call: Call[Any], run: RunningRule[Any]) -> None:
    """End the run of a mechanic that is left for other calls; a process cannot be left."""
    if not call.mechanic.rules:
        refuse_leaving()
    leave(run, call)


def known_tree(call: Call[Any], answer: Dist[Any] | Decision, cut: Fraction | int, ends: Ends) -> Tree:
    """Smallest tree for a call whose odds or decision is known."""
    node = branch(call, answer, cut)
    node.children = [*ends.find_leaves(node.answers, call)]
    return Tree(node, [node], (), choosing=isinstance(node, Deferred))


class _Grower:
    """Builder of one tree."""

    __slots__ = ("call", "choose", "choosing", "ends", "look", "most", "nodes", "probe", "tails", "widest", "work")

    def __init__(
        self, call: Call[Any], look: Look, ends: Ends, work: WorkBudget, *, choose: Pick | None, most: int
    ) -> None:
        self.call = call
        self.choose = choose
        self.most = most
        self.probe = most // 16 if most < MOST_RUNS else 0
        self.look = look
        self.ends = ends
        self.work = work
        self.nodes: list[Open] = []
        self.tails: dict[TailNode, None] = {}
        self.choosing = False
        self.widest: tuple[int, object] = (0, "")

    def grow(self, run: RunningRule[Any], ask: Request[Any], given: list[Any]) -> Tree:
        """Run the rule, begun up to a first request, to its first end; then once per further answer.

        Each further run takes the next answer of the innermost open request. ``given`` are the answers on the path to
        the current request.
        """
        call, find_leaf = self.call, self.ends.leaf
        start, arguments = call.mechanic.function, call.arguments
        to_do: list[tuple[list[Node], Iterator[Any]]] = []  # open requests on the path, with the answers still to try
        top: list[Node] = []
        siblings = top
        runs = 1
        answer: Any = None
        begun = True
        try:
            while True:
                try:
                    ask, begun = ask if begun else run.send(answer), False
                except StopIteration as end:
                    siblings.append(find_leaf(end.value, call))
                else:
                    node = self._node(run, ask, len(given))
                    siblings.append(node)
                    if type(node) is not TailNode and not node.children:  # type: ignore[union-attr]
                        siblings = node.children  # type: ignore[union-attr]
                        left = iter(node.answers)  # type: ignore[union-attr]
                        to_do.append((siblings, left))
                        answer = next(left)
                        given.append(answer)
                        continue
                while to_do:
                    siblings, left = to_do[-1]
                    try:
                        answer = next(left)
                        break
                    except StopIteration:
                        to_do.pop()
                        given.pop()
                else:
                    self.work.spend(runs, call)
                    return Tree(top[0], self.nodes, tuple(self.tails), choosing=self.choosing)
                if runs >= self.most or (runs == self.probe and self._is_hopeless()):
                    self._refuse_width()
                runs += 1
                given[-1] = answer
                run = start(*arguments)
                self._again_to_where_it_waited(run, given)
        finally:
            run.close()

    def _is_hopeless(self) -> bool:
        """True if some ways through the rule, taken at random, show that there are far more than allowed.

        The product of the widths on a random way is on average the number of ways.
        """
        from random import Random  # noqa: PLC0415 - rarely needed, and slow to load

        pick, known = Random(0), len(self.nodes)
        ways = sum([self._ways_by_chance(pick) for _ in range(PROBES)]) / PROBES
        del self.nodes[known:]
        return ways > HOPELESS * self.most

    def _ways_by_chance(self, pick: Random) -> int:
        run, answer, ways = self.call.start(), None, 1
        try:
            for depth in range(MOST_ASKS):
                node = self._node(run, run.send(answer), depth)
                if isinstance(node, (LeafNode, TailNode)) or node.children:
                    break
                ways *= len(node.answers)
                answer = pick.choice(node.answers)
        except StopIteration:
            pass
        finally:
            run.close()
        return ways

    def _again_to_where_it_waited(self, run: RunningRule[Any], given: list[Any]) -> None:
        """Advance a new run to the request that the last given answer is for."""
        try:
            send = run.send
            send(None)
            for earlier in given[:-1]:
                send(earlier)
        except StopIteration:
            raise TablewrightError(
                f"{self.call!r} did not ask the same questions when it was run again with the same answers"
            ) from None

    def _node(self, run: RunningRule[Any], ask: Request[Any], depth: int) -> Node:
        """Node for the request that ``run`` waits for; its children are empty if still to be found."""
        kind = type(ask)
        if kind is Become or kind is Again:
            leave_for_good(self.call, run)
            return self._tails([ask.call if isinstance(ask, Become) else self.call])[0]
        if not isinstance(ask, Request):
            refuse_foreign(ask, self.call)
        if depth >= MOST_ASKS:
            raise TooComplexError(_ENDLESS.format(self.call))
        if isinstance(ask, Choice):
            if isinstance(ask.seat, str) and self.call.mechanic.rules:
                refuse_named(ask, self.call)
            node: Open = ChoiceNode(ask)
            if self.choose is None:
                self.choosing = True
            else:
                node.answers = (ask.options[self.choose(ask)],)
        else:
            answer, cut = self.look(ask.ask if isinstance(ask, (Into, Finish)) else ask)
            node = branch(ask, answer, cut)
            self.choosing = self.choosing or isinstance(node, Deferred)
            if isinstance(ask, Into):
                leave_for_good(self.call, run)
                self.work.spend(len(node.answers), self.call)
                node.children = list(self._tails([ask.following(outcome) for outcome in node.answers]))
            elif isinstance(ask, Finish):
                leave_for_good(self.call, run)
                node.children = [*self.ends.find_leaves(node.answers, self.call)]
        if len(node.answers) > self.widest[0]:
            self.widest = (len(node.answers), ask)
        self.nodes.append(node)
        return node

    def _tails(self, calls: Sequence[Request[Any]]) -> Sequence[TailNode]:
        """Tails of the calls that the rule is left for."""
        tails = self.ends.find_tails(calls, self.call)
        self.tails.update(dict.fromkeys(tails))
        return tails

    def _refuse_width(self) -> None:
        width, ask = self.widest
        raise TooComplexError(
            f"{self.call!r} is too wide for exact odds: more than {self.most:,} ways through it; "
            f"its widest ask has {width:,} answers ({ask!s:.80})"
        )
