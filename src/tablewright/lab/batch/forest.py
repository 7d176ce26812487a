"""Trees of questions in flat arrays, so that thousands of fights can go through them at once.

A node is a whole number. It asks one thing (``kind`` and ``about``) and leads on by the answer, which is a whole number
as well; where each answer leads to stands in one hash table for all nodes.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

ATOM, ASKED, DRAWN, HAPPENS, CHOSEN, LEAF, OPEN = range(7)
"""What a node asks: an atom, a function, a rule; something happens; somebody chooses; the end; nothing is known yet."""

Ints: TypeAlias = NDArray[np.int64]

_ANSWERS = 22
MOST_ANSWERS = 1 << _ANSWERS
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_EMPTY = -1
_SMALL = 256
"""Answers below this are looked up directly, others in a hash table."""


class Forest:
    """All trees of one fight."""

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.about: list[int] = []
        self.first: dict[int, list[int]] = {}
        self.links: dict[int, int] = {}
        self.kinds = np.zeros(1024, np.int8)
        self.abouts = np.zeros(1024, np.int64)
        self.spans = np.zeros(1024, np.int64)
        self.bases = np.zeros(1024, np.int64)
        self._dense = np.full(4096, -1, np.int64)
        self._end = 0
        self._bits = 12
        self._keys = np.full(1 << self._bits, _EMPTY, np.int64)
        self._to = np.zeros(1 << self._bits, np.int64)
        self._used = 0

    def __len__(self) -> int:
        return len(self.kind)

    def node(self) -> int:
        """A new node that asks nothing yet."""
        number = len(self.kind)
        self.kind.append(OPEN)
        self.about.append(0)
        if number >= len(self.kinds):
            self.kinds, self.abouts, self.spans, self.bases = [
                np.concatenate([column, np.zeros_like(column)])
                for column in (self.kinds, self.abouts, self.spans, self.bases)
            ]
        self.kinds[number] = OPEN
        return number

    def asks(self, node: int, kind: int, about: int) -> None:
        """A node asks for something from now on."""
        self.kind[node], self.about[node] = kind, about
        self.kinds[node], self.abouts[node] = kind, about

    def after(self, node: int, answer: int) -> int | None:
        """Where an answer leads to."""
        return self.links.get((node << _ANSWERS) | answer)

    def link(self, node: int, answer: int, to: int) -> None:
        """An answer leads to a node."""
        self.links[(node << _ANSWERS) | answer] = to
        if answer < _SMALL:
            if answer >= self.spans[node]:
                self._widen(node, answer)
            self._dense[self.bases[node] + answer] = to
            return
        key = (node << _ANSWERS) | answer
        if 2 * self._used >= len(self._keys):
            self._grow()
        self._put(key, to)
        self._used += 1

    def _widen(self, node: int, answer: int) -> None:
        """Give a node room for more of the small answers, which are looked up directly."""
        old, base = int(self.spans[node]), int(self.bases[node])
        span = max(4, 1 << answer.bit_length())
        if self._end + span > len(self._dense):
            self._dense = np.concatenate([self._dense, np.full(max(span, len(self._dense)), -1, np.int64)])
        self._dense[self._end : self._end + old] = self._dense[base : base + old]
        self.spans[node], self.bases[node] = span, self._end
        self._end += span

    def forget(self, node: int) -> None:
        """Nothing is known any more of what a node asks; what came after it stays for those who are on their way."""
        for key in [key for key in self.links if key >> _ANSWERS == node]:
            answer = key & (MOST_ANSWERS - 1)
            if answer < _SMALL:
                self._dense[self.bases[node] + answer] = -1
            else:
                self._put(key, -1)
            del self.links[key]
        self.asks(node, OPEN, 0)

    def _grow(self) -> None:
        self._bits += 1
        self._keys = np.full(1 << self._bits, _EMPTY, np.int64)
        self._to = np.zeros(1 << self._bits, np.int64)
        for key, to in self.links.items():
            if key & (MOST_ANSWERS - 1) >= _SMALL:
                self._put(key, to)

    def _put(self, key: int, to: int) -> None:
        place = ((key * int(_SPREAD)) & 0xFFFFFFFFFFFFFFFF) >> (64 - self._bits)
        mask = len(self._keys) - 1
        while self._keys[place] not in (_EMPTY, key):
            place = (place + 1) & mask
        self._keys[place], self._to[place] = key, to

    def follow(self, nodes: Ints, answers: Ints) -> Ints:
        """Where many answers lead to, each of its node; -1 where that is not known, also for answers below 0."""
        near = answers < self.spans[nodes]
        if near.all():
            found: Ints = self._dense[self.bases[nodes] + answers]
            found[answers < 0] = -1
            return found
        found = np.full(len(nodes), -1, np.int64)
        near &= answers >= 0
        found[near] = self._dense[self.bases[nodes[near]] + answers[near]]
        far = np.nonzero(answers >= _SMALL)[0]
        if len(far):
            found[far] = self._far((nodes[far] << _ANSWERS) | answers[far])
        return found

    def _far(self, keys: Ints) -> Ints:
        places = ((keys.astype(np.uint64) * _SPREAD) >> np.uint64(64 - self._bits)).astype(np.int64)
        to = np.full(len(keys), -1, np.int64)
        open_now = np.arange(len(keys))
        mask = len(self._keys) - 1
        while len(open_now):
            there = self._keys[places[open_now]]
            hit = there == keys[open_now]
            to[open_now[hit]] = self._to[places[open_now[hit]]]
            open_now = open_now[~hit & (there != _EMPTY)]
            places[open_now] = (places[open_now] + 1) & mask
        return to
