"""Chains of states: the order in which they can be solved, and circles of states as exact linear equations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from tablewright.errors import TablewrightError

S = TypeVar("S", bound=Hashable)

MOST_STEPS = 400_000
"""How many elementary steps solving one circle of states may take."""


def components(edges: Mapping[S, Sequence[S]]) -> list[list[S]]:
    """Groups of states that lead to each other, each group after all groups it leads to (Tarjan, without recursion).

    >>> components({"a": ["b"], "b": ["c", "b"], "c": []})
    [['c'], ['b'], ['a']]
    """
    index: dict[S, int] = {}
    lowest: dict[S, int] = {}
    open_states: list[S] = []
    is_open: set[S] = set()
    found: list[list[S]] = []
    for root in edges:
        if root in index:
            continue
        path: list[tuple[S, int]] = [(root, 0)]
        while path:
            state, position = path.pop()
            if position == 0:
                index[state] = lowest[state] = len(index)
                open_states.append(state)
                is_open.add(state)
            following = edges[state]
            while position < len(following):
                target = following[position]
                position += 1
                if target not in index:
                    path.append((state, position))
                    path.append((target, 0))
                    break
                if target in is_open:
                    lowest[state] = min(lowest[state], index[target])
            else:
                if lowest[state] == index[state]:
                    group: list[S] = []
                    while True:
                        member = open_states.pop()
                        is_open.discard(member)
                        group.append(member)
                        if member == state:
                            break
                    found.append(group)
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[state])
    return found


def solve_cycle(
    inside: Mapping[S, Mapping[S, Fraction]], outside: Mapping[S, Mapping[object, Fraction]]
) -> dict[S, dict[object, Fraction]]:
    """Solve ``x[s] = outside[s] + sum(inside[s][t] * x[t])`` exactly, column by column, by elimination.

    >>> half = Fraction(1, 2)
    >>> solve_cycle({"a": {"b": half}, "b": {"a": half}}, {"a": {"won": half}, "b": {"lost": half}})["a"]
    {'won': Fraction(2, 3), 'lost': Fraction(1, 3)}
    """
    rows = {state: dict(targets) for state, targets in inside.items()}
    sums = {state: dict(columns) for state, columns in outside.items()}
    order = sorted(rows, key=lambda state: len(rows[state]))
    steps = 0
    leads_to: dict[S, set[S]] = {state: set() for state in rows}
    for state, targets in rows.items():
        for target in targets:
            leads_to[target].add(state)
    done: list[S] = []
    for state in order:
        back = rows[state].pop(state, Fraction(0))
        if back == 1:
            raise TablewrightError(f"{state!r} never resolves: it leads only back into its own circle")
        if back:
            factor = 1 / (1 - back)
            rows[state] = {target: share * factor for target, share in rows[state].items()}
            sums[state] = {column: share * factor for column, share in sums[state].items()}
        leads_to[state].discard(state)
        for source in leads_to[state]:
            if state not in rows[source] or source in done:
                continue
            share = rows[source].pop(state)
            for target, part in rows[state].items():
                rows[source][target] = rows[source].get(target, Fraction(0)) + share * part
                leads_to[target].add(source)
            _add(sums[source], sums[state], share)
            steps += len(rows[state]) + len(sums[state])
            if steps > MOST_STEPS:
                raise TablewrightError(
                    f"{state!r} is part of a circle of {len(rows):,} states, too many to solve exactly"
                )
        done.append(state)
    for state in reversed(done):
        for target, share in rows[state].items():
            _add(sums[state], sums[target], share)
    return sums


def _add(into: dict[object, Fraction], columns: Mapping[object, Fraction], factor: Fraction) -> None:
    for column, share in columns.items():
        into[column] = into.get(column, Fraction(0)) + share * factor
