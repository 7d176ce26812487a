"""A bounded memory: the newest answers are kept, the ones unused for longest go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(Generic[K, V]):
    """A mapping that never holds more than ``most`` entries; several threads may use it at once.

    >>> memory = Memory[str, int](2)
    >>> for name in ("a", "b", "c"):
    ...     memory.put(name, 1)
    >>> memory.get("a"), memory.get("c")
    (None, 1)
    """

    __slots__ = ("_entries", "_lock", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The remembered value, which counts as used now."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def peek(self, key: K) -> V | None:
        """The remembered value, without counting as used."""
        return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Remember a value, forgetting the one unused for longest when there are too many."""
        self.put_all(((key, value),))

    def put_all(self, pairs: Iterable[tuple[K, V]]) -> None:
        """Remember several values, the last one longest."""
        with self._lock:
            entries = self._entries
            for key, value in pairs:
                entries[key] = value
                entries.move_to_end(key)
                if len(entries) > self._most:
                    entries.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
