"""What exact odds are given as, and how the choices in them are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.engine.asks import Choose

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Policy: TypeAlias = Callable[[Choose[Any]], int]
"""Answers a choice by the position of the option taken."""


class Odds(Dist[T_co]):
    """The exact distribution of a call, with what the rule did on the way.

    ``again`` is the chance that the rule starts afresh the first time through; ``remainder`` bounds the chance that a
    cap on extra dice cut a roll short.
    """

    __slots__ = ("again", "remainder")

    again: Fraction
    remainder: Fraction

    @staticmethod
    def from_weights(weights: dict[T, int], again: Fraction, remainder: Fraction | int) -> Odds[T]:
        """Odds from positive whole-number weights."""
        new: Odds[T] = Odds.__new__(Odds)
        new._fill_from_dict(weights, set(map(type, weights)))
        new.again = again
        new.remainder = min(Fraction(remainder), Fraction(1))
        return new

    @staticmethod
    def from_dist(dist: Dist[T], remainder: Fraction | int = 0) -> Odds[T]:
        """Odds that are known as a distribution."""
        new: Odds[T] = Odds.__new__(Odds)
        new._fill(dist.outcomes, dist.weights)
        new.again = Fraction(0)
        new.remainder = Fraction(remainder)
        return new


@dataclass(frozen=True)
class Way:
    """How choices are made: by a policy, or by what outcomes are worth (in floats, or in fractions for advice).

    ``together`` means that opponents help: only to find out whether a rule that starts again can end at all.
    ``across`` means that the sides have changed places; what outcomes are worth is turned round already.
    """

    value: Callable[[Any], Any] | None = None
    policy: Policy | None = None
    exact: bool = False
    together: bool = False
    across: bool = False

    def other(self) -> Way:
        """The same way for a rule that the other side goes through."""
        value = self.value
        turned = value if value is None or self.together else (lambda outcome: -value(outcome))
        return Way(turned, self.policy, self.exact, self.together, not self.across)

    def key(self, support: Sequence[Any]) -> tuple[Any, ...]:
        """Two ways by value with the same key decide the same."""
        assert self.value is not None
        return (self.exact, self.together, *[self.value(outcome) for outcome in support])
