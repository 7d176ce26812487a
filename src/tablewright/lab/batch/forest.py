"""Trees of questions in flat arrays, so that thousands of fights can go through them at once.

A node is a whole number. It asks one thing (``kind`` and ``about``) and leads on by the answer, which is a whole number
as well; where each answer leads to stands in one hash table for all nodes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ATOM, ASKED, DRAWN, HAPPENS, CHOSEN, LEAF, OPEN = range(7)
"""What a node asks: an atom, a function, a rule; something happens; somebody chooses; the end; nothing is known yet."""

Ints: TypeAlias = NDArray[np.int64]

_ANSWERS = 22
MOST_ANSWERS = 1 << _ANSWERS
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_EMPTY = -1


class Forest:
    """All trees of one fight."""

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.about: list[int] = []
        self.first: dict[int, list[int]] = {}
        self.links: dict[int, int] = {}
        self.kinds = np.zeros(1024, np.int8)
        self.abouts = np.zeros(1024, np.int64)
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
            self.kinds = np.concatenate([self.kinds, np.zeros_like(self.kinds)])
            self.abouts = np.concatenate([self.abouts, np.zeros_like(self.abouts)])
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
        key = (node << _ANSWERS) | answer
        new = key not in self.links
        self.links[key] = to
        if new and 2 * self._used >= len(self._keys):
            self._grow()
        self._put(key, to)
        self._used += new

    def forget(self, node: int) -> None:
        """Nothing is known any more of what a node asks; what came after it stays for those who are on their way."""
        stale = [key for key in self.links if key >> _ANSWERS == node]
        for key in stale:
            self.link(node, key & (MOST_ANSWERS - 1), -1)
        for key in stale:
            del self.links[key]
        self._used += len(stale)
        self.asks(node, OPEN, 0)

    def _grow(self) -> None:
        self._bits += 1
        self._keys = np.full(1 << self._bits, _EMPTY, np.int64)
        self._to = np.zeros(1 << self._bits, np.int64)
        keys = np.fromiter(self.links.keys(), np.int64, len(self.links))
        to = np.fromiter(self.links.values(), np.int64, len(self.links))
        places = self._place(keys)
        mask = len(self._keys) - 1
        while len(keys):
            free = self._keys[places] == _EMPTY
            _, ahead = np.unique(places, return_index=True)
            wins = np.zeros(len(keys), bool)
            wins[ahead] = True
            wins &= free
            self._keys[places[wins]] = keys[wins]
            self._to[places[wins]] = to[wins]
            keys, to, places = keys[~wins], to[~wins], (places[~wins] + 1) & mask

    def _place(self, keys: Any) -> Any:
        return ((keys.astype(np.uint64) * _SPREAD) >> np.uint64(64 - self._bits)).astype(np.int64)

    def _put(self, key: int, to: int) -> None:
        place = ((key * int(_SPREAD)) & 0xFFFFFFFFFFFFFFFF) >> (64 - self._bits)
        mask = len(self._keys) - 1
        while self._keys[place] not in (_EMPTY, key):
            place = (place + 1) & mask
        self._keys[place], self._to[place] = key, to

    def follow(self, nodes: Ints, answers: Ints) -> Ints:
        """Where many answers lead to, each of its node; -1 where that is not known."""
        keys = (nodes << _ANSWERS) | answers
        places = self._place(keys)
        found = self._keys[places]
        to = np.where(found == keys, self._to[places], -1)
        open_now = np.nonzero((found != keys) & (found != _EMPTY))[0]
        mask = len(self._keys) - 1
        while len(open_now):
            places[open_now] = (places[open_now] + 1) & mask
            found = self._keys[places[open_now]]
            hit = found == keys[open_now]
            to[open_now[hit]] = self._to[places[open_now[hit]]]
            open_now = open_now[~hit & (found != _EMPTY)]
        return to
