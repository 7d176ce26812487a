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
from fractions import Fraction
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


def describe_level(left: int, most: int, words: Mapping[int | Fraction, str], otherwise: str) -> str:
    """The word that others see instead of the number: that of the lowest fraction of the maximum not exceeded."""
    for part in sorted(words):
        if left <= part * most:
            return words[part]
    return otherwise
