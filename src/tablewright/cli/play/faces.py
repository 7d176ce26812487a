"""Typed faces: the next die that a roll still needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewright.dice import Die, Rollable


class _Missing(Exception):
    """Raised when a roll needs more faces than were typed."""


def missing_die(dice: Rollable[Any], faces: Sequence[int]) -> Die | None:
    """The next die that needs a face; None if the faces are complete or one of them is invalid.

    >>> from tablewright.dice import Sum
    >>> str(missing_die(Sum.of(6, 6), [3])), missing_die(Sum.of(6, 6), [3, 9])
    ('d6', None)
    """
    left = list(faces)

    def take(die: Die) -> int:
        if not left:
            raise _Missing(die)
        face = die.read(left.pop(0))
        if face is None:
            raise ValueError
        return face

    try:
        dice.read(take)
    except _Missing as missing:
        (die,) = missing.args
        return die if isinstance(die, Die) else None
    except ValueError:
        return None
    return None
