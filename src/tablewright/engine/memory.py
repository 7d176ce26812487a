"""A bounded memory: the newest answers are kept, the ones unused for longest go first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(Generic[K, V]):
    """A mapping that never holds more than ``most`` entries.

    >>> memory = Memory[str, int](2)
    >>> for name in ("a", "b", "c"):
    ...     memory.put(name, 1)
    >>> memory.get("a"), memory.get("c")
    (None, 1)
    """

    __slots__ = ("_entries", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The remembered value, which counts as used now."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Remember a value, forgetting the one unused for longest when there are too many."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
