"""Tracks: resources with a maximum, such as health, stamina and luck.

A status holds the remaining amount. The maximum is computed from character and rule options and never stored. Between
scenes a full track is saved as None, so a character with a raised maximum starts with all of it.

>>> from types import SimpleNamespace as Values
>>> most = Values(health=10, luck=3)
>>> remaining(Values(health=None, luck=5), most, ["health", "luck"])
{'health': 10, 'luck': 3}
>>> to_saved(Values(health=4, luck=3), most, ["health", "luck"])
{'health': 4, 'luck': None}
>>> [describe_level(left, 10, {0: "down", Fraction(1, 2): "hurt"}, "well") for left in (-1, 0, 5, 6)]
['down', 'down', 'hurt', 'well']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any


def remaining(kept: object, most: object, tracks: Iterable[str]) -> dict[str, Any]:
    """Remaining amount of each track on entry to a scene: the saved one, at most the maximum; the maximum if None.

    The result maps track names to numbers, ready to be fields of a status.
    """
    left: dict[str, Any] = {}
    for track in tracks:
        was, highest = getattr(kept, track), getattr(most, track)
        left[track] = highest if was is None else min(was, highest)
    return left


def to_saved(status: object, most: object, tracks: Iterable[str]) -> dict[str, Any]:
    """Amount of each track to save when a participant leaves a scene; None for a full one."""
    kept: dict[str, Any] = {}
    for track in tracks:
        left = getattr(status, track)
        kept[track] = None if left >= getattr(most, track) else left
    return kept


def shared_fields(kind: type, source: Any, but: Iterable[str] = ()) -> dict[str, Any]:
    """Fields that two classes have under the same name, from the one to the other: harm to a status, and back.

    >>> from dataclasses import make_dataclass
    >>> saved, status = make_dataclass("Saved", ["wounds", "luck"]), make_dataclass("Status", ["wounds", "luck", "aim"])
    >>> shared_fields(saved, status(2, 3, 1), but=["luck"])
    {'wounds': 2}
    """
    return {name: getattr(source, name) for name in _shared_names(kind, source.__class__) if name not in but}


@lru_cache
def _shared_names(kind: Any, other: Any) -> tuple[str, ...]:
    known = _field_names(other)
    return tuple([name for name in _field_names(kind) if name in known])


def _field_names(kind: Any) -> list[str]:
    return [one.name for one in fields(kind)] if is_dataclass(kind) else list(kind.model_fields)


def describe_level(left: int, most: int, words: Mapping[int | Fraction, str], otherwise: str) -> str:
    """The word that others see instead of the number: that of the lowest fraction of the maximum not exceeded."""
    for part in sorted(words):
        if left <= part * most:
            return words[part]
    return otherwise
