"""Running a rule to every end: the tree of what it asks and how it may be answered.

A coroutine cannot be copied, so every path but the first through an ask is reached by running the rule again with the
answers so far. One leaf costs one short run; what can be merged before branching (``map``, ``versus``, sub-rules) is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.dice.dist import show_outcome
from tablewright.engine.asks import Again, Ask, Become, Choose, Finish, Into, Rule
from tablewright.engine.mechanic import Call, refuse_foreign
from tablewright.errors import TablewrightError

MOST_RUNS = 20_000
"""How often one call may be run to find all its ends."""

MOST_ASKS = 150
"""How many asks may follow each other on one path."""


class TooMuch(TablewrightError):
    """Exact odds would take too long; the message names the rule and where it grows."""


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
    """The rule has ended."""

    __slots__ = ("outcome",)

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome


class Tail:
    """The rule was left for another call."""

    __slots__ = ("call",)

    def __init__(self, call: Call[Any]) -> None:
        self.call = call


class Chance:
    """Dice, or a rule without choices, decide which way it goes on."""

    __slots__ = ("answers", "ask", "children", "cut", "total", "weights")

    def __init__(self, ask: Ask[Any], dist: Dist[Any], cut: Fraction | int, children: list[Node]) -> None:
        self.ask = ask
        self.answers = dist.outcomes
        self.weights = dist.weights
        self.total = dist.total
        self.cut = cut
        self.children = children


class Choice:
    """A seat decides which way it goes on."""

    __slots__ = ("ask", "children")

    def __init__(self, ask: Choose[Any], children: list[Node]) -> None:
        self.ask = ask
        self.children = children


class Deferred:
    """A rule that has choices of its own decides; how they fall depends on what each answer is worth here."""

    __slots__ = ("answers", "ask", "children", "decision")

    def __init__(self, ask: Ask[Any], decision: Decision, children: list[Node]) -> None:
        self.ask = ask
        self.decision = decision
        self.answers = tuple(decision.support())
        self.children = children


Node: TypeAlias = Leaf | Tail | Chance | Choice | Deferred

Look: TypeAlias = Callable[[Ask[Any]], tuple["Dist[Any] | Decision", Fraction | int]]
"""How an ask is answered in bulk: its distribution or decision, and the chance that a cap on dice cut it short."""


class Tree(NamedTuple):
    """All that can happen in one call, the calls it may be left for, and whether somebody chooses in it."""

    root: Node
    tails: tuple[Call[Any], ...]
    choosing: bool

    def leaves(self) -> Iterator[Any]:
        """The outcome at the end of every path."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Leaf):
                yield node.outcome
            elif not isinstance(node, Tail):
                waiting.extend(node.children)


def grow(call: Call[Any], look: Look) -> Tree:
    """The whole tree of one call. Tail calls end a path: they are trees of their own."""
    grower = _Grower(call, look)
    root = grower.grow()
    return Tree(root, tuple(grower.tails), grower.choosing)


def leaf_tree(call: Call[Any], answer: Dist[Any] | Decision, cut: Fraction | int) -> Tree:
    """What is known of a call already, as the smallest tree that says it."""
    if isinstance(answer, Dist):
        return Tree(Chance(call, answer, cut, [Leaf(outcome) for outcome in answer.outcomes]), (), False)
    return Tree(Deferred(call, answer, [Leaf(outcome) for outcome in answer.support()]), (), True)


class _Grower:
    """One tree in the making, with the number of runs it took and its widest ask."""

    __slots__ = ("call", "choosing", "look", "runs", "tails", "widest")

    def __init__(self, call: Call[Any], look: Look) -> None:
        self.call = call
        self.look = look
        self.runs = 0
        self.widest: tuple[int, object] = (0, "")
        self.tails: dict[Call[Any], None] = {}
        self.choosing = False

    def grow(self) -> Node:
        run = self._start()
        try:
            first = run.send(None)
        except StopIteration as end:
            return self._leaf(end.value)
        return self._branch(run, first, ())

    def _tail(self, call: Call[Any]) -> Tail:
        self.tails[call] = None
        return Tail(call)

    def _start(self) -> Rule[Any]:
        self.runs += 1
        if self.runs > MOST_RUNS:
            width, ask = self.widest
            raise TooMuch(
                f"{self.call!r} is too wide for exact odds: more than {MOST_RUNS:,} ways through it; "
                f"its widest ask has {width:,} answers ({ask!s:.80})"
            )
        return self.call.start()

    def _leaf(self, outcome: Any) -> Leaf:
        try:
            hash(outcome)
        except TypeError:
            raise TablewrightError(f"{self.call!r} gave {outcome!r:.60}; a result must be a hashable value") from None
        return Leaf(outcome)

    def _branch(self, run: Rule[Any], ask: Ask[Any], before: tuple[Any, ...]) -> Node:
        """The node of ``ask``, which ``run`` waits for after the answers ``before``."""
        kind = type(ask)
        if kind is Become:
            run.close()
            return self._tail(ask.call)  # type: ignore[attr-defined]
        if kind is Again:
            run.close()
            return self._tail(self.call)
        if not _is_ask(ask):
            run.close()
            refuse_foreign(ask, self.call)
        if len(before) >= MOST_ASKS:
            run.close()
            raise TooMuch(f"{self.call!r} asks more than {MOST_ASKS} times in a row; leave it by become() instead")
        if isinstance(ask, Choose):
            self._note_width(len(ask.options), ask)
            self.choosing = True
            return Choice(ask, list(self._children(run, before, ask.options)))
        answer, cut = self.look(ask.ask if isinstance(ask, Into | Finish) else ask)
        answers: Sequence[Any]
        answers = answer.outcomes if isinstance(answer, Dist) else tuple(answer.support())
        self._note_width(len(answers), ask)
        children: list[Node]
        if isinstance(ask, Into):
            run.close()
            children = [self._tail(ask.following(outcome)) for outcome in answers]
        elif isinstance(ask, Finish):
            run.close()
            children = [self._leaf(outcome) for outcome in answers]
        else:
            children = list(self._children(run, before, answers))
        if isinstance(answer, Dist):
            return Chance(ask, answer, cut, children)
        self.choosing = True
        return Deferred(ask, answer, children)

    def _note_width(self, width: int, ask: object) -> None:
        if width > self.widest[0]:
            self.widest = (width, ask)

    def _children(self, run: Rule[Any], before: tuple[Any, ...], answers: Sequence[Any]) -> Iterator[Node]:
        """What follows each answer: the first by going on, the others by running again to the same ask."""
        fresh = True
        for answer in answers:
            if not fresh:
                run = self._start()
                send = run.send
                send(None)
                for earlier in before:
                    send(earlier)
            fresh = False
            try:
                ask = run.send(answer)
            except StopIteration as end:
                yield self._leaf(end.value)
            else:
                yield self._branch(run, ask, (*before, answer))


def _is_ask(awaited: object) -> bool:
    return isinstance(awaited, Ask)


def answered(ask: Ask[Any], answer: Any) -> str:
    """One step of a path in words, such as ``roll 3d6: 11``."""
    return f"{ask!r}: {show_outcome(answer)}"
