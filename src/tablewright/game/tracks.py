"""Tracks: what goes down and comes back (health, stamina, luck), how much is left of how much, and how that looks.

A status holds what play has changed, here what is left; the most is worked out from character and options, never kept.
What is written down between scenes is None for a full track, so that whoever gets a higher maximum has all of it.

>>> from types import SimpleNamespace as Values
>>> most = Values(health=10, luck=3)
>>> left_of(Values(health=None, luck=5), most, ["health", "luck"])
{'health': 10, 'luck': 3}
>>> to_keep(Values(health=4, luck=3), most, ["health", "luck"])
{'health': 4, 'luck': None}
>>> [looks(left, 10, {0: "down", Fraction(1, 2): "hurt"}, "well") for left in (-1, 0, 5, 6)]
['down', 'down', 'hurt', 'well']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any


def left_of(kept: object, most: object, tracks: Iterable[str]) -> dict[str, Any]:
    """What somebody who comes into a scene has of each track: what was kept, all where nothing was, never too much.

    Numbers by the name of their track, ready to be fields of a status.
    """
    left: dict[str, Any] = {}
    for track in tracks:
        was, highest = getattr(kept, track), getattr(most, track)
        left[track] = highest if was is None else min(was, highest)
    return left


def to_keep(status: object, most: object, tracks: Iterable[str]) -> dict[str, Any]:
    """What is written down of each track when somebody goes out of a scene; None for a full one."""
    kept: dict[str, Any] = {}
    for track in tracks:
        left = getattr(status, track)
        kept[track] = None if left >= getattr(most, track) else left
    return kept


def looks(left: int, most: int, words: Mapping[int | Fraction, str], otherwise: str) -> str:
    """The word that others see instead of the number: of the first part of the most that is not exceeded."""
    for part in sorted(words):
        if left <= part * most:
            return words[part]
    return otherwise
