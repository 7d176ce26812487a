"""The rest of a table without end, as one outcome."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


class OrMore(int):
    """The last line of a table of numbers without end: this number or more.

    It compares as the number itself. In means it counts as the exact mean of everything that it stands for.

    >>> rest = OrMore(48, Fraction(246, 5))
    >>> rest + 2, rest >= 48, rest * 5
    (OrMore(50, 256/5), True, Fraction(246, 1))
    >>> str(rest), Fraction(rest)
    ('48 or more', Fraction(246, 5))
    """

    mean: Fraction

    def __new__(cls, least: int, mean: Fraction) -> OrMore:  # noqa: PYI034 - the class is final in all but name
        new = super().__new__(cls, least)
        new.mean = mean
        return new

    def __add__(self, other: Any) -> Any:
        if isinstance(other, OrMore) or not isinstance(other, int):
            return self.mean + (other.mean if isinstance(other, OrMore) else other)
        return OrMore(int(self) + other, self.mean + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        return self.mean * other

    __rmul__ = __mul__

    @property
    def numerator(self) -> int:
        """Numerator of the mean, so that a fraction of it is exact."""
        return self.mean.numerator

    @property
    def denominator(self) -> Any:
        """Denominator of the mean."""
        return self.mean.denominator

    def __float__(self) -> float:
        return float(self.mean)

    def __reduce__(self) -> tuple[Any, ...]:
        return OrMore, (int(self), self.mean)

    def json_text(self) -> str:
        """The line as text."""
        return str(self)

    def __repr__(self) -> str:
        return f"OrMore({int(self)}, {self.mean})"

    def __str__(self) -> str:
        return f"{int(self)} or more"
