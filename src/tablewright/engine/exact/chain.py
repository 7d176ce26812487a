"""Chains of states, solved exactly in whole numbers.

A state is one call. Its row holds the weights of its outcomes and of the states it continues with. All states at once
are solved backwards from the outcomes. A single state with many outcomes is solved forwards, by the expected visits to
each state. A state that returns to itself is conditioned on leaving; a circle of several states is solved as linear
equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import attrgetter, le, mul
from typing import Any, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.dice.rollable import NEVER
from tablewright.engine.exact.circles import LONG, Circle, components
from tablewright.engine.exact.nodes import (
    AnyTree,
    ChainRow,
    ChanceNode,
    ChoiceNode,
    Deferred,
    LeafNode,
    Node,
    StraightTree,
    TailNode,
    Tree,
)
from tablewright.engine.exact.tree import Ends
from tablewright.engine.mechanic import Call
from tablewright.engine.results import NeverResolvesError, Odds, odds_of_leaves

K = TypeVar("K")

_WIDTHS = (128, LONG)
"""Widths in bits tried for a weight, the shortest first; short weights make every sum faster."""

NUMBER = attrgetter("number")
_CUT = attrgetter("cut")


Made: TypeAlias = Callable[[Any], Any]
"""Function from a :class:`ChoiceNode` to an option's position, or from a :class:`Deferred` to a distribution."""


def nothing_made(node: ChoiceNode | Deferred) -> Any:
    """Decider for trees without choices; never called."""
    raise AssertionError(f"nobody decided {node.ask!r}")


def row_of(tree: AnyTree, made: Made = nothing_made) -> ChainRow:
    """Collect the weights of all paths; paths with equal denominators are added before finding a common one."""
    if isinstance(tree, StraightTree):
        return tree
    ends: dict[int, dict[LeafNode, int]] = {}
    tails: dict[int, dict[TailNode, int]] = {}
    cut: Fraction | int = 0
    waiting: list[tuple[Node, int, int]] = [(tree.root, 1, 1)]
    while waiting:
        node, weight, total = waiting.pop()
        parts: Iterable[tuple[Any, int]]
        if isinstance(node, ChanceNode):
            if node.cut:
                cut += Fraction(weight, total) * node.cut
            total *= node.total
            parts = zip(node.children, node.weights, strict=True)
        elif isinstance(node, Deferred):
            dist: Dist[Any] = made(node)
            if isinstance(dist, Odds) and dist.remainder:
                cut += Fraction(weight, total) * dist.remainder
            total *= dist.total
            children = dict(zip(node.answers, node.children, strict=True))
            parts = [(children[answer], part) for answer, part in dist.items()]
        elif isinstance(node, ChoiceNode):
            parts = ((node.children[made(node)], 1),)
        else:
            parts = ((node, 1),)
        leaves, states = ends.get(total), tails.get(total)
        child: Any
        for child, part in parts:
            kind = type(child)
            if kind is LeafNode:
                if leaves is None:
                    leaves = ends[total] = {}
                leaves[child] = leaves.get(child, 0) + weight * part
            elif kind is TailNode:
                if states is None:
                    states = tails[total] = {}
                states[child] = states.get(child, 0) + weight * part
            else:
                waiting.append((child, weight * part, total))
    totals = ends.keys() | tails.keys()
    if len(totals) == 1:
        (common,) = totals
        return ChainRow(ends.get(common, {}), tails.get(common, {}), common, cut)
    common = lcm(*totals)
    return ChainRow(_added(ends, common), _added(tails, common), common, cut)


def _added(groups: Mapping[int, Mapping[K, int]], common: int) -> dict[K, int]:
    result: dict[K, int] = {}
    for total, group in groups.items():
        factor = common // total
        for key, weight in group.items():
            result[key] = result.get(key, 0) + weight * factor
    return result


# ---------------------------------------------------------------------- all states, backwards


class StateWeights:
    """Odds of one state, unsorted and unreduced, because few states of a chain are ever requested."""

    __slots__ = ("again", "cut", "leaves", "total", "weights")

    def __init__(self, leaves: Sequence[LeafNode], weights: list[int], total: int, again: tuple[int, int]) -> None:
        self.leaves = leaves
        self.weights = weights
        self.total = total
        self.again = again
        self.cut: Fraction | int = 0

    def odds(self, _call: Call[Any]) -> Odds[Any]:
        """Sorted and reduced odds."""
        weights = {leaf: weight for leaf, weight in zip(self.leaves, self.weights, strict=True) if weight}
        return odds_of_leaves(weights, Fraction(*self.again), self.cut)


class PackedWeights:
    """Odds of all states of a chain without circles.

    The weights of all outcomes of a state stand side by side in one number, each ``width`` bits wide.
    """

    __slots__ = ("again", "leaves", "packed", "tails", "width")

    def __init__(
        self,
        tails: Mapping[Call[Any], int],
        leaves: Sequence[LeafNode],
        packed: Sequence[int],
        width: int,
        again: Mapping[int, Fraction],
    ) -> None:
        self.tails = tails
        self.leaves = leaves
        self.packed = packed
        self.width = width
        self.again = again

    def odds(self, call: Call[Any]) -> Odds[Any]:
        """Sorted and reduced odds of one state."""
        number, width = self.tails[call], self.width
        packed, one = self.packed[number], (1 << width) - 1
        weights = {leaf: packed >> width * leaf.number & one for leaf in self.leaves}
        again = self.again.get(number, NEVER)
        return odds_of_leaves({leaf: weight for leaf, weight in weights.items() if weight}, again, 0)


def weigh_packed(
    rows: Sequence[ChainRow],
    edges: Sequence[Sequence[int]],
    ends: Ends,
    leaves: Sequence[LeafNode],
    order: Sequence[Sequence[int]],
) -> PackedWeights | None:
    """Compute the odds of every state as :func:`weigh_rows` does, but for all outcomes in one multiplication.

    ``edges`` are the numbers of the states that follow each state. None if there is a circle of several states, a cut,
    or a denominator so long that it should be reduced.
    """
    if len(order) < len(rows) or any(map(_CUT, rows)):
        return None
    found = None
    for width in _WIDTHS:
        found = found or _weigh_packed(rows, edges, ends, leaves, order, width=width)
    return found


def _weigh_packed(
    rows: Sequence[ChainRow],
    edges: Sequence[Sequence[int]],
    ends: Ends,
    leaves: Sequence[LeafNode],
    order: Sequence[Sequence[int]],
    *,
    width: int,
) -> PackedWeights | None:
    """Odds of every state with weights of some width; None if a denominator is wider."""
    totals, packed = [1] * len(rows), [0] * len(rows)
    total_of, packed_of = totals.__getitem__, packed.__getitem__
    again: dict[int, Fraction] = {}
    for (number,) in order:
        row, numbers = rows[number], edges[number]
        weights, own, common = row.weights, row.total, 1
        if number in numbers:
            back = sum([weight for at, weight in zip(numbers, weights, strict=True) if at == number])
            if back == own:
                raise NeverResolvesError(ends.states[number])
            again[number] = Fraction(back, own)
            own -= back
            weights = [weight for at, weight in zip(numbers, weights, strict=True) if at != number]
            numbers = [at for at in numbers if at != number]
        value = 0
        if numbers:
            below = list(map(total_of, numbers))
            common = max(below)
            if below.count(common) < len(below):
                if any(common % total for total in below):
                    common = lcm(*below)
                weights = [weight * (common // total) for weight, total in zip(weights, below, strict=True)]
            value = sum(map(mul, weights, map(packed_of, numbers)))
        if row.ends:
            for leaf, weight in row.ends.items():
                value += weight * common << width * leaf.number
        packed[number] = value
        total = totals[number] = own * common
        if total.bit_length() > width:
            return None
    return PackedWeights(ends.tails, leaves, packed, width, again)


def weigh_rows(
    rows: Sequence[ChainRow], states: Sequence[TailNode], leaves: Sequence[LeafNode], order: Sequence[Sequence[int]]
) -> list[StateWeights]:
    """Compute the odds of every state from those of the states that follow it."""
    weighed: list[Any] = [None] * len(rows)
    for component in order:
        if len(component) > 1:
            _weigh_circle(component, rows, states, leaves, weighed)
            continue
        (number,) = component
        row = rows[number]
        if not row.following:
            weights = [0] * len(leaves)
            for leaf, weight in row.ends.items():
                weights[leaf.number] = weight
            weighed[number] = StateWeights(leaves, weights, row.total, (0, 1))
            weighed[number].cut = row.cut
            continue
        back = 0
        following: list[tuple[int, StateWeights]] = []
        for tail, weight in row.tails.items():
            if tail.number == number:
                back = weight
            else:
                following.append((weight, weighed[tail.number]))
        if back == row.total:
            raise NeverResolvesError(states[number])
        weights, common, cut = _combined(row, following, leaves)
        new = StateWeights(leaves, weights, (row.total - back) * common, (back, row.total))
        if new.total.bit_length() > LONG:
            divisor = gcd(new.total, *weights)
            new.total //= divisor
            new.weights = [weight // divisor for weight in weights]
        if cut:
            new.cut = cut * Fraction(row.total, row.total - back)
        weighed[number] = new
    return weighed


def _combined(
    row: ChainRow, following: list[tuple[int, StateWeights]], leaves: Sequence[LeafNode]
) -> tuple[list[int], int, Fraction | int]:
    """Merge a row's own outcomes with the odds of its next states; return weights, extra denominator and cut."""
    totals = {part.total for _, part in following}
    common = max(totals, default=1)
    for total in totals:
        if common % total:
            common = lcm(*totals)
            break
    ends, cut = row.ends, row.cut
    factors = [weight * (common // part.total) for weight, part in following]
    columns = zip(*[part.weights for _, part in following], strict=True)
    weights = [sum(map(mul, factors, column)) for column in columns] or [0] * len(leaves)
    for leaf, weight in ends.items():
        weights[leaf.number] += weight * common
    for weight, part in following:
        if part.cut:
            cut += Fraction(weight, row.total) * part.cut
    return weights, common, cut


def _weigh_circle(
    component: Sequence[int],
    rows: Sequence[ChainRow],
    states: Sequence[TailNode],
    leaves: Sequence[LeafNode],
    weighed: list[Any],
) -> None:
    """Solve states that lead to each other in a circle; the chance of a cut is one more column."""
    circle = Circle()
    members = set(component)
    for number in component:
        row = rows[number]
        following = [(weight, weighed[t.number]) for t, weight in row.tails.items() if t.number not in members]
        weights, common, cut = _combined(row, following, leaves)
        scale = cut.denominator
        own = [*weights, 0] if scale == 1 else [weight * scale for weight in (*weights, 0)]
        common *= scale
        own[-1] = int(cut * row.total * common)
        inside = {t.number: weight * common for t, weight in row.tails.items() if t.number in members}
        circle.add(number, row.total * common, inside, own)
    for number, (weights, total) in circle.solve(states).items():
        cut = Fraction(weights.pop(), total)
        back = rows[number].tails.get(states[number], 0)
        weighed[number] = StateWeights(leaves, weights, total, (back, rows[number].total))
        weighed[number].cut = cut


# ---------------------------------------------------------------------- one state, forwards


def weigh_one(row: Callable[[int], ChainRow], states: Sequence[TailNode]) -> Odds[Any]:
    """Compute the odds of the first state alone, from the expected visits to every other state.

    Only the rows of reachable states are requested.
    """
    rows: dict[int, ChainRow] = {}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        if number not in rows:
            rows[number] = row(number)
            waiting.extend(map(NUMBER, rows[number].following))
    if not any(rows[number].following for number in rows if number):
        return weigh_last(rows.__getitem__, states)
    ends: dict[int, dict[LeafNode, int]] = {}
    cut: Fraction | int = 0
    visits: dict[int, dict[int, int]] = {
        number: {} for number in rows
    }  # by denominator; added up when the state is reached
    visits[0][1] = 1
    for component in _forwards(rows):
        members = set(component)
        for number, (times, total) in _visits(component, rows, visits, states).items():
            current = rows[number]
            if current.cut:
                cut += Fraction(times, total) * current.cut
            out_of = total * current.total
            group = ends.setdefault(out_of, {}) if current.ends else {}
            for leaf, weight in current.ends.items():
                group[leaf] = group.get(leaf, 0) + times * weight
            for tail, weight in current.tails.items():
                if tail.number not in members:
                    following = visits[tail.number]
                    following[out_of] = following.get(out_of, 0) + times * weight
    again = Fraction(rows[0].tails.get(states[0], 0), rows[0].total)
    return odds_of_leaves(_added(ends, lcm(*ends)), again, cut)


def weigh_last(row: Callable[[int], ChainRow], states: Sequence[TailNode]) -> Odds[Any]:
    """Odds of a first state whose next states all end, or which starts again."""
    first = row(0)
    again = first.tails.get(states[0], 0)
    if again == first.total:
        raise NeverResolvesError(states[0])
    following = [(row(tail.number), weight) for tail, weight in first.tails.items() if tail.number]
    common = lcm(*[last.total for last, _ in following])
    weights = {leaf: weight * common for leaf, weight in first.ends.items()}
    cut = first.cut
    for last, weight in following:
        factor = weight * (common // last.total)
        if weights.keys().isdisjoint(last.ends):
            weights.update(zip(last.ends, [part * factor for part in last.ends.values()], strict=True))
        else:
            for leaf, part in last.ends.items():
                weights[leaf] = weights.get(leaf, 0) + part * factor
        if last.cut:
            cut += Fraction(weight, first.total) * last.cut
    if cut and again:
        cut *= Fraction(first.total, first.total - again)
    return odds_of_leaves(weights, Fraction(again, first.total) if again else NEVER, cut)


def weigh_apart(trees: Sequence[AnyTree], few: int) -> Odds[Any] | None:
    """Odds of a first state whose next states end in different outcomes; None for other chains, and for few outcomes.

    No leaves are needed, since nothing is added up.
    """
    ends: list[tuple[Sequence[Any], Sequence[int], int]] = []
    for tree in trees[1:]:
        if type(tree) is StraightTree and not (tree.numbers or tree.cut):
            ends.append((*tree.answered.dist.unordered(), tree.total))
        elif type(tree) is Tree and isinstance(tree.root, LeafNode):
            ends.append(((tree.root.outcome,), (1,), 1))
        else:
            return None
    if sum([len(outcomes) for outcomes, _, _ in ends]) <= few:
        return None
    first = row_of(trees[0])
    common = lcm(*[total for _, _, total in ends])
    outcomes = [leaf.outcome for leaf in first.ends]
    weights = [weight * common for weight in first.ends.values()]
    factors = [weight * (common // ends[tail.number - 1][2]) for tail, weight in first.tails.items()]
    divisor = gcd(*weights, *factors)  # that of the result, since the weights of each state are in lowest terms
    weights = [weight // divisor for weight in weights]
    for tail, factor in zip(first.tails, factors, strict=True):
        if tail.number == 0:
            return None
        found, parts, _ = ends[tail.number - 1]
        share = factor // divisor
        outcomes += found
        weights += [part * share for part in parts]
    return Odds.from_distinct(outcomes, weights, NEVER, first.cut) if len(set(outcomes)) == len(outcomes) else None


def _forwards(rows: Mapping[int, ChainRow]) -> Iterable[list[int]]:
    """Components of the states, each before all components it leads to; often they are numbered so already."""
    edges = {number: list(map(NUMBER, row.following)) for number, row in rows.items()}
    if all(number < min(following) for number, following in edges.items() if following):
        return [[number] for number in sorted(edges)]
    return reversed(components(edges))


def _visits(
    component: list[int],
    rows: Mapping[int, ChainRow],
    visits: Mapping[int, Mapping[int, int]],
    states: Sequence[TailNode],
) -> dict[int, tuple[int, int]]:
    """Expected visits to each state of a component, as numerator and denominator."""
    if len(component) == 1:
        (number,) = component
        row, groups = rows[number], visits[number]
        out_of = next(iter(groups)) if len(groups) == 1 else lcm(*groups)
        times = sum([part * (out_of // total) for total, part in groups.items()])
        back = row.tails.get(states[number], 0)
        if back:
            if back == row.total:
                raise NeverResolvesError(states[number])
            times, out_of = times * row.total, out_of * (row.total - back)
        if out_of.bit_length() > LONG:
            divisor = gcd(times, out_of)
            times, out_of = times // divisor, out_of // divisor
        return {number: (times, out_of)}
    circle = Circle()
    into: dict[int, dict[int, Fraction]] = {number: {} for number in component}
    for number in component:
        for tail, weight in rows[number].tails.items():
            if tail.number in into:
                into[tail.number][number] = Fraction(weight, rows[number].total)
    for number, shares in into.items():
        entered = sum([Fraction(part, total) for total, part in visits[number].items()], Fraction(0))
        common = lcm(entered.denominator, *[share.denominator for share in shares.values()])
        inside = {source: int(share * common) for source, share in shares.items()}
        circle.add(number, common, inside, [int(entered * common)])
    return {number: (times[0], out_of) for number, (times, out_of) in circle.solve(states).items()}


# ---------------------------------------------------------------------- order and circles


def in_order(edges: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """Components of states in solving order; ``edges`` lists the next states of each state.

    A chain whose states only lead on to later ones, or to states that end, needs no search for circles.
    """
    last = [number for number, following in enumerate(edges) if not following]
    others = [number for number, following in enumerate(edges) if following]
    if any(map(le, map(min, filter(None, edges)), others)):
        ending = set(last)
        for number in others:
            if not ending.issuperset([at for at in edges[number] if at <= number]):
                return components(dict(enumerate(edges)))
    return [*zip(last, strict=True), *zip(reversed(others), strict=True)]
