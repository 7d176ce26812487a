"""States that lead to each other: finding them, and solving their linear equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeVar

from tablewright.engine.exact.nodes import TailNode
from tablewright.engine.results import NeverResolvesError
from tablewright.errors import TablewrightError

Number = TypeVar("Number", Fraction, float)

MOST_STEPS = 400_000
"""Upper bound for the elementary steps of solving one circle of states."""

LONG = 1_024
"""Size in bits above which reducing weights by their common divisor saves time."""


def components(edges: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after all components it leads to (Tarjan, without recursion).

    >>> components({1: [2], 2: [3, 2], 3: []})
    [[3], [2], [1]]
    """
    index: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_states: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for root in edges:
        if root in index:
            continue
        index[root] = lowest[root] = len(index)
        open_states.append(root)
        is_open.add(root)
        path = [(root, iter(edges[root]))]
        while path:
            state, following = path[-1]
            for target in following:
                if target not in index:
                    index[target] = lowest[target] = len(index)
                    open_states.append(target)
                    is_open.add(target)
                    path.append((target, iter(edges[target])))
                    break
                if target in is_open and index[target] < lowest[state]:
                    lowest[state] = index[target]
            else:
                path.pop()
                if path and lowest[state] < lowest[path[-1][0]]:
                    lowest[path[-1][0]] = lowest[state]
                if lowest[state] == index[state]:
                    group = [open_states.pop()]
                    while group[-1] != state:
                        group.append(open_states.pop())
                    is_open.difference_update(group)
                    found.append(group)
    return found


class Circle:
    """States that lead to each other, as equations ``total * x = sum(weight * x of another state) + own``.

    >>> circle = Circle()
    >>> circle.add(0, 2, {1: 1}, [1, 0])
    >>> circle.add(1, 2, {0: 1}, [0, 1])
    >>> circle.solve([])[0]
    ([2, 1], 3)
    """

    __slots__ = ("_inside", "_own", "_totals")

    def __init__(self) -> None:
        self._totals: dict[int, int] = {}
        self._inside: dict[int, dict[int, int]] = {}
        self._own: dict[int, list[int]] = {}

    def add(self, number: int, total: int, inside: dict[int, int], own: list[int]) -> None:
        """Add the equation of one state; ``own`` has one column per wanted quantity."""
        self._totals[number], self._inside[number], self._own[number] = total, inside, own

    def solve(self, states: Sequence[TailNode]) -> dict[int, tuple[list[int], int]]:
        """Solve by elimination in whole numbers; return each state's columns and their common denominator."""
        totals, inside, own = self._totals, self._inside, self._own
        sources: dict[int, set[int]] = {number: set() for number in totals}
        for number, targets in inside.items():
            for target in targets:
                sources[target].add(number)
        steps = 0
        done: dict[int, None] = {}
        for number in sorted(inside, key=lambda number: len(inside[number])):
            targets = inside[number]
            totals[number] -= targets.pop(number, 0)
            if totals[number] == 0:
                raise NeverResolvesError(states[number])
            done[number] = None
            for source in sources[number]:
                if source in done or number not in inside[source]:
                    continue
                self._put_in(number, source)
                for target in targets:
                    sources[target].add(source)
                steps += (len(inside[source]) + len(own[source])) * (1 + totals[source].bit_length() // LONG)
                if steps > MOST_STEPS:
                    raise TablewrightError(
                        f"{states[number].call!r} is part of a circle of {len(inside):,} states, too many to solve "
                        "exactly"
                    )
        solved: dict[int, tuple[list[int], int]] = {}
        for number in reversed(done):
            parts = [(weight, *solved[target]) for target, weight in inside[number].items()]
            common = lcm(*[total for _, _, total in parts])
            sums = [part * common for part in own[number]]
            for weight, columns, total in parts:
                factor = weight * (common // total)
                sums = [part + factor * more for part, more in zip(sums, columns, strict=True)]
            out_of = totals[number] * common
            divisor = gcd(out_of, *sums)
            solved[number] = [part // divisor for part in sums], out_of // divisor
        return solved

    def _put_in(self, number: int, source: int) -> None:
        """Eliminate one state from the equation of another."""
        targets = self._inside[source]
        weight, scale = targets.pop(number), self._totals[number]
        shared = gcd(weight, scale)
        weight, scale = weight // shared, scale // shared
        if scale != 1:
            for target in targets:
                targets[target] *= scale
            self._totals[source] *= scale
        for target, more in self._inside[number].items():
            targets[target] = targets.get(target, 0) + weight * more
        own, put_in = self._own[source], self._own[number]
        self._own[source] = own = [part * scale + weight * more for part, more in zip(own, put_in, strict=True)]
        if self._totals[source].bit_length() > LONG // 4:
            divisor = gcd(self._totals[source], *own, *targets.values())
            self._totals[source] //= divisor
            self._own[source] = [part // divisor for part in own]
            for target in targets:
                targets[target] //= divisor


def settle(
    inside: Mapping[int, Mapping[int, Number]], outside: Mapping[int, Number], states: Sequence[TailNode], least: Number
) -> dict[int, Number]:
    """Solve ``x = outside + sum(share * x of another state)`` in floats or fractions.

    A state whose chance of leaving itself is ``least`` or less raises :class:`NeverResolvesError`.

    >>> settle({0: {1: 0.5}, 1: {0: 0.5}}, {0: 1.5, 1: 0.0}, [], 0.0)
    {1: 1.0, 0: 2.0}
    """
    rows = {number: dict(targets) for number, targets in inside.items()}
    sums = dict(outside)
    done: dict[int, None] = {}
    for number in sorted(rows, key=lambda number: len(rows[number])):
        own = rows[number]
        left = 1 - own.pop(number, 0)
        if left <= least:
            raise NeverResolvesError(states[number])
        if left != 1:
            rows[number] = own = {target: share / left for target, share in own.items()}
            sums[number] = sums[number] / left
        done[number] = None
        for source, targets in rows.items():
            if source not in done and number in targets:
                share = targets.pop(number)
                sums[source] += share * sums[number]
                for target, part in own.items():
                    targets[target] = targets[target] + share * part if target in targets else share * part
    solved: dict[int, Number] = {}
    for number in reversed(done):
        solved[number] = sums[number] + sum([share * solved[target] for target, share in rows[number].items()])
    return solved
