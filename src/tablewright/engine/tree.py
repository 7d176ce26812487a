"""Running a rule to every end: the tree of what it asks and how it may be answered.

A coroutine cannot be copied, so every path but the first through an ask is reached by running the rule again with the
answers so far. One leaf costs one short run; what can be merged before branching (``map``, ``versus``, sub-rules) is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tablewright.dice import Dist
from tablewright.dice.dist import show_outcome
from tablewright.engine.asks import Again, Ask, Become, Choose, Finish, Into, Rule
from tablewright.engine.mechanic import Call, leave, refuse_foreign, refuse_leaving, refuse_named
from tablewright.errors import TablewrightError

MOST_RUNS = 20_000
"""How often one call may be run to find all its ends."""

MOST_ASKS = 150
"""How many asks may follow each other on one path."""

MOST_STATES = 20_000
"""How many different calls one chain of tail calls may pass through."""

MOST_DEPTH = 40
"""How deep mechanics may call each other."""

MOST_WORK = 400_000
"""How many runs, tail calls and valued paths one question may take in all: about a second."""


class TooMuch(TablewrightError):
    """Exact odds would take too long; the message names the rule and where it grows."""


class Work:
    """What one question has cost so far, however many calls it is made of."""

    __slots__ = ("decided", "depth", "done")

    def __init__(self) -> None:
        self.depth = 0
        self.done = 0
        self.decided: dict[tuple[Call[Any], bool], Any] = {}  # what the policy made of calls on either side

    def spend(self, steps: int, call: Call[Any]) -> None:
        """Count steps, and refuse to go on when they are too many."""
        self.done += steps
        if self.done > MOST_WORK:
            raise TooMuch(f"too much to work out exactly: more than {MOST_WORK:,} steps in all, the last in {call!r}")


class Decision:
    """An answer that depends on choices: its possible outcomes, and its distribution once they are made."""

    __slots__ = ()

    def support(self) -> Sequence[Any]:
        """Every outcome that some choices can bring about."""
        raise NotImplementedError

    def best(self, way: Any) -> Dist[Any]:
        """The distribution when choices are made in a given way."""
        raise NotImplementedError


class Leaf:
    """The rule has ended. A chain has one leaf for each outcome."""

    __slots__ = ("number", "outcome")

    def __init__(self, outcome: Any, number: int) -> None:
        self.outcome = outcome
        self.number = number


class Tail:
    """The rule was left for another call: a state of the chain. A chain has one tail for each state."""

    __slots__ = ("call", "number")

    def __init__(self, call: Call[Any], number: int) -> None:
        self.call = call
        self.number = number


class Chance:
    """Dice, or a rule without choices, decide which way it goes on."""

    __slots__ = ("answers", "ask", "children", "cut", "shares", "total", "weights")

    def __init__(self, ask: Ask[Any], dist: Dist[Any], cut: Fraction | int) -> None:
        self.ask = ask
        self.answers: Sequence[Any] = dist.outcomes
        self.weights = dist.weights
        self.total = dist.total
        self.cut = cut
        self.children: list[Node] = []
        self.shares: tuple[float, ...] | None = None


class Choice:
    """A seat decides which way it goes on."""

    __slots__ = ("answers", "ask", "children")

    def __init__(self, ask: Choose[Any]) -> None:
        self.ask = ask
        self.answers: Sequence[Any] = ask.options
        self.children: list[Node] = []


class Deferred:
    """A rule that has choices of its own decides; how they fall depends on what each answer is worth here."""

    __slots__ = ("answers", "ask", "children", "decision")

    def __init__(self, ask: Ask[Any], decision: Decision) -> None:
        self.ask = ask
        self.decision = decision
        self.answers: Sequence[Any] = decision.support()
        self.children: list[Node] = []


Open: TypeAlias = Chance | Choice | Deferred
"""A place where the rule goes on in several ways."""

Node: TypeAlias = Leaf | Tail | Open

Look: TypeAlias = Callable[[Ask[Any]], tuple["Dist[Any] | Decision", Fraction | int]]
"""How an ask is answered in bulk: its distribution or decision, and the chance that a cap on dice cut it short."""


class Tree:
    """All that can happen in one call.

    ``nodes`` are the places where it goes on in several ways, each before those that follow it; ``tails`` are the
    states it may be left for.
    """

    __slots__ = ("choosing", "nodes", "root", "tails")

    def __init__(self, root: Node, nodes: list[Open], tails: Sequence[Tail], *, choosing: bool) -> None:
        self.root = root
        self.nodes = nodes
        self.tails = tails
        self.choosing = choosing


class Ends:
    """The ways out of the trees of one chain: a leaf for each outcome, a tail for each state."""

    __slots__ = ("leaves", "states", "tails")

    def __init__(self) -> None:
        self.leaves: dict[Any, Leaf] = {}
        self.tails: dict[Call[Any], Tail] = {}
        self.states: list[Tail] = []

    def leaf(self, outcome: Any, call: Call[Any]) -> Leaf:
        """The leaf of an outcome; outcomes that Python takes for equal must be of one kind."""
        try:
            leaf = self.leaves.get(outcome)
        except TypeError:
            raise TablewrightError(f"{call!r} gave {outcome!r:.60}; a result must be a hashable value") from None
        if leaf is None:
            leaf = self.leaves[outcome] = Leaf(outcome, len(self.leaves))
        elif leaf.outcome is not outcome and not alike(leaf.outcome, outcome):
            raise TablewrightError(
                f"{call!r} gave {outcome!r:.60} and {leaf.outcome!r:.60}, which Python takes for equal; "
                "use one kind of result"
            )
        return leaf

    def tail(self, call: Any, asker: Call[Any]) -> Tail:
        """The state of a call; the first one asked for is where the chain starts."""
        if not isinstance(call, Call):
            raise TablewrightError(f"{asker!r} can be left only for a call of a mechanic, not for {call!r:.60}")
        tail = self.tails.get(call)
        if tail is None:
            if len(self.states) >= MOST_STATES:
                start = self.states[0].call
                raise TooMuch(f"{start!r} passes through more than {MOST_STATES:,} states; narrow its arguments")
            tail = self.tails[call] = Tail(call, len(self.states))
            self.states.append(tail)
        return tail


def alike(first: object, second: object) -> bool:
    """Whether two equal values may stand for each other: ``True``, ``1`` and ``1.0`` may not.

    >>> alike(1, 1), alike(1, True), alike(1, Fraction(1))
    (True, False, True)
    >>> alike((2, 1), (2, 1)), alike((2, 1), (2, True)), alike(((2,), 1), ((2,), 1)), alike(((1,), 1), ((True,), 1))
    (True, False, True, False)
    """
    if type(first) is not type(second):
        return {type(first), type(second)} == {int, Fraction}
    if isinstance(first, tuple) and isinstance(second, tuple):
        kinds = list(map(type, first))
        if _FLAT.issuperset(kinds) and kinds == list(map(type, second)):
            return True  # as a rule: results are rows of plain values
        return all(map(alike, first, second))
    return True


_FLAT = frozenset([bool, int, str, Fraction, type(None)])
"""Kinds of values that hold no others."""


def grow(state: Tail, look: Look, ends: Ends, work: Work) -> Tree:
    """The whole tree of one call. Tail calls end a path: they are trees of their own."""
    return _Grower(state, look, ends, work).grow()


def known_tree(call: Call[Any], answer: Dist[Any] | Decision, cut: Fraction | int, ends: Ends) -> Tree:
    """What is known of a call already, as the smallest tree that says it."""
    node = Chance(call, answer, cut) if isinstance(answer, Dist) else Deferred(call, answer)
    node.children = [ends.leaf(outcome, call) for outcome in node.answers]
    return Tree(node, [node], (), choosing=isinstance(node, Deferred))


class _Grower:
    """One tree in the making, with its widest ask."""

    __slots__ = ("call", "choosing", "ends", "look", "nodes", "state", "tails", "widest", "work")

    def __init__(self, state: Tail, look: Look, ends: Ends, work: Work) -> None:
        self.state = state
        self.call = state.call
        self.look = look
        self.ends = ends
        self.work = work
        self.nodes: list[Open] = []
        self.tails: dict[Tail, None] = {}
        self.choosing = False
        self.widest: tuple[int, object] = (0, "")

    def grow(self) -> Tree:
        """Run the rule to its first end, then again and again with the next answer at the innermost open ask."""
        call, find_leaf = self.call, self.ends.leaf
        start, arguments = call.mechanic.function, call.arguments
        given: list[Any] = []  # the answers on the path to where the run waits
        to_do: list[tuple[list[Node], Iterator[Any]]] = []  # the open asks on it, each with the answers still to try
        top: list[Node] = []
        siblings = top
        runs = 1
        run = start(*arguments)
        answer: Any = None
        try:
            while True:
                try:
                    ask = run.send(answer)
                except StopIteration as end:
                    siblings.append(find_leaf(end.value, call))
                else:
                    node = self._node(run, ask, len(given))
                    siblings.append(node)
                    if type(node) is not Tail and not node.children:  # type: ignore[union-attr]
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
                if runs == MOST_RUNS:
                    self._refuse_width()
                runs += 1
                given[-1] = answer
                run = start(*arguments)
                self._again_to_where_it_waited(run, given)
        finally:
            run.close()

    def _again_to_where_it_waited(self, run: Rule[Any], given: list[Any]) -> None:
        """Bring a new run to the ask that the last of the given answers is for."""
        try:
            send = run.send
            send(None)
            for earlier in given[:-1]:
                send(earlier)
        except StopIteration:
            raise TablewrightError(
                f"{self.call!r} did not ask the same questions when it was run again with the same answers"
            ) from None

    def _node(self, run: Rule[Any], ask: Ask[Any], depth: int) -> Node:
        """The node of an ask that ``run`` waits for; without children where they are still to be found."""
        kind = type(ask)
        if kind is Become or kind is Again:
            self._leave(run)
            return self._tails([ask.call if isinstance(ask, Become) else self.call])[0]
        if not isinstance(ask, Ask):
            refuse_foreign(ask, self.call)
        if depth >= MOST_ASKS:
            raise TooMuch(f"{self.call!r} asks more than {MOST_ASKS} times in a row; leave it by become() instead")
        if isinstance(ask, Choose):
            if isinstance(ask.seat, str) and self.call.mechanic.rules:
                refuse_named(ask, self.call)
            node: Open = Choice(ask)
            self.choosing = True
        else:
            answer, cut = self.look(ask.ask if isinstance(ask, (Into, Finish)) else ask)
            node = Chance(ask, answer, cut) if isinstance(answer, Dist) else Deferred(ask, answer)
            self.choosing = self.choosing or isinstance(node, Deferred)
            if isinstance(ask, Into):
                self._leave(run)
                self.work.spend(len(node.answers), self.call)
                node.children = self._tails([ask.following(outcome) for outcome in node.answers])
            elif isinstance(ask, Finish):
                self._leave(run)
                node.children = [self.ends.leaf(outcome, self.call) for outcome in node.answers]
        if len(node.answers) > self.widest[0]:
            self.widest = (len(node.answers), ask)
        self.nodes.append(node)
        return node

    def _leave(self, run: Rule[Any]) -> None:
        if not self.call.mechanic.rules:
            refuse_leaving()
        leave(run, self.call)

    def _tails(self, calls: list[Call[Any]]) -> list[Node]:
        """The states that the rule is left for."""
        tails: list[Any]
        try:
            tails = list(map(self.ends.tails.get, calls))
        except TypeError:  # something unhashable, and so no call
            tails = [None] * len(calls)
        if None in tails:
            find, asker = self.ends.tail, self.call
            tails = [find(call, asker) if tail is None else tail for tail, call in zip(tails, calls, strict=True)]
        self.tails.update(dict.fromkeys(tails))
        return tails

    def _refuse_width(self) -> None:
        width, ask = self.widest
        raise TooMuch(
            f"{self.call!r} is too wide for exact odds: more than {MOST_RUNS:,} ways through it; "
            f"its widest ask has {width:,} answers ({ask!s:.80})"
        )


def answered(ask: Ask[Any], answer: Any) -> str:
    """One step of a path in words, such as ``roll 3d6: 11``."""
    return f"{ask!r}: {show_outcome(answer)}"
