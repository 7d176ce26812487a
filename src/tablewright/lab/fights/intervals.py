"""95 percent intervals for shares, means and quantiles.

All inputs are integer counts, so merged counts give the same figures in any grouping.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, inf, sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Standard deviations on each side of the mean that cover 95 percent of a normal distribution."""


class Interval(NamedTuple):
    """An estimate with its 95 percent bounds.

    >>> import tablewright as tw
    >>> won = tw.Interval(value=0.7, low=0.6, high=0.8)
    >>> won.low < 0.65 < won.high, round(won.half, 2)
    (True, 0.1)
    """

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    def to_json(self) -> dict[str, float | None]:
        """The interval as JSON; an infinite bound is null."""
        return {name: None if abs(number) == inf else number for name, number in self._asdict().items()}


def share(count: int, of: int) -> Interval:
    """Wilson's score interval for a share; it stays within 0 and 1 and suits small samples.

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


def share_of_effective(value: float, variance: float, of: int, most: float, deviations: float = Z) -> Interval:
    """Wilson's interval for an estimated share whose variance is known from the data.

    The share is treated as one of as many independent cases as would have that variance, at most ``most`` for each of
    the ``of`` real ones. ``deviations`` are more than :data:`Z` where the variance itself is an estimate from few.

    >>> share_of_effective(0.5, 0.25 / 400, 400, 4) == share(200, 400)
    True
    >>> round(share_of_effective(0.5, 0.25 / 800, 400, 4).half, 4) == round(share(400, 800).half, 4)
    True
    """
    found = min(1.0, max(0.0, value))
    spread = found * (1 - found)
    if not of or not spread:
        return share(round(found * of), of)
    cases = min(spread / variance, most * of) if variance else most * of
    square = deviations * deviations
    middle = (found + square / (2 * cases)) / (1 + square / cases)
    half = deviations / (1 + square / cases) * sqrt(spread / cases + square / (4 * cases * cases))
    return Interval(found, max(0.0, middle - half), min(1.0, middle + half))


def mean(total: int, squares: int, of: int) -> Interval:
    """Student's t interval for a mean from sum and sum of squares; unbounded for fewer than two cases.

    >>> [round(bound, 3) for bound in mean(30, 302, 3)]
    [10.0, 7.516, 12.484]
    """
    if not of:
        return Interval(0.0, -inf, inf)
    found = total / of
    if of == 1:
        return Interval(found, -inf, inf)
    spread = (of * squares - total * total) / (of * (of - 1))  # integer arithmetic up to the division: exact
    half = student(of - 1) * sqrt(max(0.0, spread) / of)
    return Interval(found, found - half, found + half)


_FEW = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)


def student(freedom: int) -> float:
    """Two-sided 95 percent quantile of Student's t (Cornish-Fisher series above ten degrees of freedom).

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
    """Quantile of counted whole numbers, with bounds by order statistics.

    The number of cases below a quantile is binomial; the bounds are the cases at its 95 percent limits.

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
    """The number at a 1-based place in sorted order."""
    passed, number = 0, 0
    for number in sorted(counts):
        passed += counts[number]
        if passed >= place:
            break
    return number
