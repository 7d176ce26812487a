"""Least-recently-used cache with a size limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Thread-safe mapping with at most ``most`` entries; the least recently used one is dropped first.

    >>> memory = BoundedCache[str, int](2)
    >>> for name in ("a", "b", "c"):
    ...     memory.put(name, 1)
    >>> memory.get("a"), memory.get("c")
    (None, 1)
    """

    __slots__ = ("_entries", "_lock", "_most", "peek")

    peek: Callable[[K], V | None]
    """Cached value without marking it as used; None if absent."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        self.peek = self._entries.get

    def get(self, key: K) -> V | None:
        """Cached value, marked as just used; None if absent."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> None:
        """Store a value; drop the least recently used entry if the cache is full."""
        with self._lock:
            entries = self._entries
            size = len(entries)
            entries[key] = value
            if len(entries) == size:
                entries.move_to_end(key)
            elif size >= self._most:
                entries.popitem(last=False)

    def put_all(self, pairs: Iterable[tuple[K, V]]) -> None:
        """Store several values; keys that are new become the most recently used."""
        with self._lock:
            entries = self._entries
            entries.update(pairs)
            while len(entries) > self._most:
                entries.popitem(last=False)

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
