"""Participant ids derived from names."""

from __future__ import annotations

from collections.abc import Container

LONGEST = 56
"""Upper bound for the letters that an id takes from a name."""


def free_id(name: str, taken: Container[str], *, longest: int | None = LONGEST) -> str:
    """Derive an id from a name; append a number if it is taken.

    >>> free_id("Old Rat", ["old-rat"]), free_id("!", [])
    ('old-rat-2', 'somebody')
    """
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    base = "-".join(words)[:longest] or "somebody"
    free, number = base, 1
    while free in taken:
        number += 1
        free = f"{base}-{number}"
    return free
