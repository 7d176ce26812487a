"""Nodes and rows of the trees through a rule, without the code that builds or weighs them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tablewright.dice import Dist
from tablewright.engine.choice import Choice
from tablewright.engine.mechanic import Call
from tablewright.engine.request import Request


class Decision:
    """Answer that depends on choices: its possible outcomes, and its distribution once they are settled."""

    __slots__ = ()

    def support(self) -> Sequence[Any]:
        """Every outcome that some choices can lead to."""
        raise NotImplementedError

    def best(self, way: Any) -> Dist[Any]:
        """Distribution under a decision rule."""
        raise NotImplementedError


class LeafNode:
    """End of a rule; a chain has one leaf per outcome."""

    __slots__ = ("number", "outcome")

    def __init__(self, outcome: Any, number: int) -> None:
        self.outcome = outcome
        self.number = number


class TailNode:
    """Tail call to a state of the chain; a chain has one tail per state."""

    __slots__ = ("call", "number")

    def __init__(self, call: Call[Any], number: int) -> None:
        self.call = call
        self.number = number


class ChanceNode:
    """Branch decided by dice or by a call without choices."""

    __slots__ = ("answers", "ask", "children", "cut", "shares", "total", "weights")

    def __init__(self, ask: Request[Any], dist: Dist[Any], cut: Fraction | int) -> None:
        self.ask = ask
        self.answers: Sequence[Any] = dist.outcomes
        self.weights: Sequence[int] = dist.weights
        self.total = dist.total
        self.cut = cut
        self.children: list[Node] = []
        self.shares: tuple[float, ...] | None = None


class ChoiceNode:
    """Branch decided by a seat."""

    __slots__ = ("answers", "ask", "children")

    def __init__(self, ask: Choice[Any]) -> None:
        self.ask = ask
        self.answers: Sequence[Any] = ask.options
        self.children: list[Node] = []


class Deferred:
    """Branch decided by a call with choices; they depend on the value of each answer here."""

    __slots__ = ("answers", "ask", "children", "decision")

    def __init__(self, ask: Request[Any], decision: Decision) -> None:
        self.ask = ask
        self.decision = decision
        self.answers: Sequence[Any] = decision.support()
        self.children: list[Node] = []


Open: TypeAlias = ChanceNode | ChoiceNode | Deferred
"""A node with branches."""

Node: TypeAlias = LeafNode | TailNode | Open


def branch(ask: Request[Any], answer: Dist[Any] | Decision, cut: Fraction | int) -> ChanceNode | Deferred:
    """Node of a request whose distribution or decision is known."""
    return ChanceNode(ask, answer, cut) if isinstance(answer, Dist) else Deferred(ask, answer)


class ChainRow:
    """One state: the weights of its outcomes and of the states that follow it, out of ``total``.

    ``following`` may list a state several times, each with its own weight; ``tails`` adds them up.
    """

    __slots__ = ("_tails", "cut", "ends", "total", "weights")

    def __init__(self, ends: dict[LeafNode, int], tails: dict[TailNode, int], total: int, cut: Fraction | int) -> None:
        self.ends = ends
        self.weights: Sequence[int] = tuple(tails.values())
        self.total = total
        self.cut = cut
        self._tails: dict[TailNode, int] | None = tails

    @property
    def following(self) -> Sequence[TailNode]:
        """States that follow."""
        return tuple(self.tails)

    @property
    def edges(self) -> Sequence[int]:
        """Numbers of the states that follow."""
        return [tail.number for tail in self.following]

    @property
    def tails(self) -> dict[TailNode, int]:
        """Weight of each state that follows."""
        if self._tails is None:
            self._tails = dict.fromkeys(self.following, 0)
            for tail, weight in zip(self.following, self.weights, strict=True):
                self._tails[tail] += weight
        return self._tails


class Tree:
    """All paths through one call; ``following`` are the states that it may be left for."""

    __slots__ = ("choosing", "edges", "following", "nodes", "root")

    def __init__(self, root: Node, nodes: list[Open], following: Sequence[TailNode], *, choosing: bool) -> None:
        self.root = root
        self.nodes = nodes
        self.following = following
        self.edges: Sequence[int] = [tail.number for tail in following]
        self.choosing = choosing


class RequestOdds:
    """A request, its distribution and the chance of a cut, shared by all states that begin with an equal request."""

    __slots__ = ("ask", "cut", "dist", "outcomes", "total", "weights")

    def __init__(self, ask: Request[Any], dist: Dist[Any], cut: Fraction | int) -> None:
        self.ask = ask
        self.dist = dist
        self.cut = cut
        self.total = dist.total
        self.outcomes: Sequence[Any] = ()
        self.weights: Sequence[int] = ()

    def sort(self) -> None:
        """Add outcomes and weights in order, for states that go on; the order of ends does not matter."""
        self.outcomes, self.weights = self.dist.outcomes, self.dist.weights


class StraightTree(ChainRow):
    """Tree and row in one, for a call that makes one request and continues.

    Most states of a long chain are steps. One becomes a node only if a choice elsewhere in the chain needs it.
    """

    __slots__ = ("_node", "_states", "answered", "numbers")

    choosing = False

    def __init__(
        self, answered: RequestOdds, numbers: Sequence[int], ends: dict[LeafNode, int], states: Sequence[TailNode]
    ) -> None:
        self.answered = answered
        self.numbers = numbers
        self._states = states
        self.weights = answered.weights if numbers else ()
        self.total = answered.total
        self.ends = ends
        self.cut = answered.cut
        self._tails = None
        self._node: ChanceNode | None = None

    @property
    def following(self) -> Sequence[TailNode]:
        """States that follow, one for each weight."""
        return list(map(self._states.__getitem__, self.numbers))

    @property
    def edges(self) -> Sequence[int]:
        """Numbers of the states that follow."""
        return self.numbers

    @property
    def root(self) -> ChanceNode:
        """The only branch."""
        node = self._node
        if node is None:
            node = self._node = ChanceNode(self.answered.ask, self.answered.dist, self.cut)
            if self.ends:  # their order is not that of the distribution, which may have been sorted since
                node.answers, node.weights = [leaf.outcome for leaf in self.ends], list(self.ends.values())
            node.children = [*self.following, *self.ends]
        return node

    @property
    def nodes(self) -> list[Open]:
        """The only branch in a list."""
        return [self.root]


AnyTree: TypeAlias = Tree | StraightTree
"""All paths through one call in either form."""
