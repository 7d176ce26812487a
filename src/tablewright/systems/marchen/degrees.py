"""What a degree of effect means beside success and failure, and how good a success is."""

from __future__ import annotations

from enum import Enum
from typing import Literal, NamedTuple, TypeAlias

from tablewright.systems.marchen.tables import SIGMA, Degree

Scope: TypeAlias = Literal["", "same", "identical", "origin"]
"""On what the next DM counts: the same obstacle, identical ones, all of the same origin."""


class Grade(Enum):
    """How well an activity went, in the words of the activities (marchen.action.success_levels)."""

    FAILURE = "failure"
    SUCCESS = "success"
    GREAT_SUCCESS = "great_success"
    EXTRAORDINARY_SUCCESS = "extraordinary_success"


class Consequence(NamedTuple):
    """What follows from a degree. ``cost`` is related to what was tried, ``trouble`` comes from elsewhere.

    ``next_dm`` counts on the next check in its ``scope``; ``boon`` is a second success, independent of the first.
    """

    goal: bool
    retry: bool = True
    cost: bool = False
    trouble: bool = False
    story: bool = False
    next_dm: int = 0
    scope: Scope = ""
    boon: bool = False


CONSEQUENCES: dict[Degree, Consequence] = {
    Degree.CATASTROPHIC: Consequence(False, retry=False, cost=True),  # marchen.degree.catastrophic
    Degree.COSTLY: Consequence(False, cost=True),  # marchen.degree.costly
    Degree.FAIL: Consequence(False),  # marchen.degree.fail
    Degree.MINOR_FAIL: Consequence(False),  # marchen.degree.nine_ways
    Degree.FAIL_IN_STYLE: Consequence(False, cost=True, story=True),  # marchen.degree.fail_in_style
    Degree.TIE: Consequence(True),  # marchen.degree.tie
    Degree.SUCCEED: Consequence(True),  # marchen.degree.succeed
    Degree.SUCCEED_IN_STYLE: Consequence(True, next_dm=1, scope="identical"),  # marchen.degree.succeed_in_style
    Degree.CRITICAL: Consequence(True, next_dm=1, scope="origin"),  # marchen.degree.critical
    Degree.SERENDIPITOUS: Consequence(True, next_dm=1, scope="origin", boon=True),  # marchen.degree.serendipitous
}


def consequence(degree: Degree, *, required: bool = False, tied: bool = False) -> Consequence:
    """What a degree brings; ``required`` where the party's goal depends on it, ``tied`` for a contest with effect 0.

    >>> consequence(Degree.CATASTROPHIC, required=True)[:4]
    (False, True, False, True)
    """
    if degree is Degree.CATASTROPHIC and required:  # it may not block: things get worse elsewhere instead
        return Consequence(False, trouble=True)
    if tied:  # marchen.degree.tie: both sides fail in style, and the next try is easier
        return CONSEQUENCES[Degree.FAIL_IN_STYLE]._replace(next_dm=1, scope="same")
    return CONSEQUENCES[degree]


def levels_of_success(sigma: int) -> int:
    """How many levels of success a sigma is: at least 1 on any success, none on a failure.

    >>> levels_of_success(0), levels_of_success(4), levels_of_success(-1)
    (1, 4, 0)
    """
    return max(1, sigma) if sigma >= 0 else 0  # marchen.action.success_levels


def grade(sigma: int) -> Grade:
    """How good a result is: success for sigma 0 and 1, a great one for 2, an extraordinary one for 3 and 4.

    >>> grade(1), grade(3)
    (<Grade.SUCCESS: 'success'>, <Grade.EXTRAORDINARY_SUCCESS: 'extraordinary_success'>)
    """
    if sigma < 0:
        return Grade.FAILURE
    if not strong_hit(sigma):
        return Grade.SUCCESS
    return Grade.GREAT_SUCCESS if sigma == SIGMA[Degree.SUCCEED_IN_STYLE] else Grade.EXTRAORDINARY_SUCCESS


def strong_hit(sigma: int) -> bool:
    """Whether a result is a strong hit."""
    return sigma >= SIGMA[Degree.SUCCEED_IN_STYLE]
