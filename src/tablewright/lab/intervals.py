"""Intervals that hold the true value in 95 of 100 cases: for shares, for means, for quantiles.

Everything is counted in whole numbers, so that parts of a count put together in any way give the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, inf, sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""How many standard deviations around the middle hold 95 percent of a normal distribution."""


class Interval(NamedTuple):
    """A figure with the bounds between which the true value lies in 95 of 100 cases."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2

    def to_json(self) -> dict[str, float | None]:
        """The figure as JSON; a bound that nothing is known of is null."""
        return {name: None if abs(number) == inf else number for name, number in self._asdict().items()}


def share(count: int, of: int) -> Interval:
    """A share by Wilson's score interval, which never leaves 0 to 1 and is right for few cases too.

    >>> [round(bound, 3) for bound in share(7, 10)]
    [0.7, 0.397, 0.892]
    >>> share(0, 10).low, share(0, 0)
    (0.0, Interval(value=0.0, low=0.0, high=1.0))
    """
    if not of:
        return Interval(0.0, 0.0, 1.0)
    found, square = count / of, Z * Z
    middle = (found + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * sqrt(found * (1 - found) / of + square / (4 * of * of))
    return Interval(found, max(0.0, middle - half) if count else 0.0, min(1.0, middle + half) if count < of else 1.0)


def mean(total: int, squares: int, of: int) -> Interval:
    """A mean from the sum and the sum of squares, by Student's t; of one case nothing is known.

    >>> [round(bound, 3) for bound in mean(30, 302, 3)]
    [10.0, 7.516, 12.484]
    """
    if not of:
        return Interval(0.0, -inf, inf)
    found = total / of
    if of == 1:
        return Interval(found, -inf, inf)
    spread = (of * squares - total * total) / (of * (of - 1))  # whole numbers up to the last step: nothing is lost
    half = student(of - 1) * sqrt(max(0.0, spread) / of)
    return Interval(found, found - half, found + half)


_FEW = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)


def student(freedom: int) -> float:
    """How many standard errors hold 95 percent for so many degrees of freedom (Cornish and Fisher's series).

    >>> [round(student(freedom), 2) for freedom in (1, 2, 5, 30, 1000)]
    [12.71, 4.3, 2.57, 2.04, 1.96]
    """
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    z, n = Z, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def quantile(counts: Mapping[int, int], share_below: float) -> Interval:
    """A quantile of whole numbers from how often each was seen, with bounds by order statistics.

    How many of n cases lie below a quantile is binomial; the bounds are the cases that far out in the order.

    >>> quantile({3: 10, 4: 80, 9: 10}, 0.5)
    Interval(value=4, low=4, high=4)
    >>> quantile({3: 50, 9: 51}, 0.5)
    Interval(value=9, low=3, high=9)
    """
    of = sum(counts.values())
    if not of:
        return Interval(0.0, -inf, inf)
    half = Z * sqrt(of * share_below * (1 - share_below))
    places = (
        ceil(share_below * of),
        floor(share_below * of - half),
        ceil(share_below * of + half) + 1,
    )
    return Interval(*[_in_order(counts, min(of, max(1, place))) for place in places])


def _in_order(counts: Mapping[int, int], place: int) -> int:
    """The number at a place in the order, counted from 1."""
    passed, number = 0, 0
    for number in sorted(counts):
        passed += counts[number]
        if passed >= place:
            break
    return number
