"""What goes into a check before any die is thrown: the dice pool, its helpers and its flat bonuses."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.systems.stage.options import AssistCapHolder

FEWEST_DICE = 1
"""No pool has fewer dice than this, and no roll a lower result (stage.check.minimum)."""

LOWEST_RESULT = 1

ASSIST_CAP = 1
"""Dice that all helpers together may give as long as no power raises it (stage.check.assist)."""


def assist_dice(helpers: int, cap: int | None = None) -> int:
    """The mundane dice that helpers give: one each, all together at most the cap; None is no power that raises it.

    >>> assist_dice(3), assist_dice(3, cap=2)
    (1, 2)
    """
    return min(helpers, assist_cap_of(cap))


def assist_cap(assisted: int | None, helpers: Iterable[int | None], holder: AssistCapHolder = "any_participant") -> int:
    """The limit on dice from helpers, from the powers that the assisted one and the helpers hold; the best one counts.

    >>> assist_cap(2, [None, 3]), assist_cap(2, [None, 3], "assisted")
    (3, 2)
    """
    caps = [assist_cap_of(None)]
    if holder != "helper":
        caps.append(assist_cap_of(assisted))
    if holder != "assisted":
        caps.extend([assist_cap_of(cap) for cap in helpers])
    return max(caps)


def assist_cap_of(power: int | None) -> int:
    """What one power, or none, allows."""
    return ASSIST_CAP if power is None else power
