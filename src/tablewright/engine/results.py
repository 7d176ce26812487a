"""Exact odds of a call, and the decision rules that settle its choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.dice.rollable import NEVER
from tablewright.engine.choice import Choice
from tablewright.errors import TablewrightError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Strategy: TypeAlias = Callable[[Choice[Any]], int]
"""Function from a choice to the position of the option taken."""


S = TypeVar("S", bound=Strategy)
_STEADY = "_tablewright_steady"


def steady(strategy: S) -> S:
    """Declare that a strategy always gives the same answer to the same choice; odds by it are then remembered.

    >>> first = steady(lambda question: 0)
    >>> is_steady(first), is_steady(lambda question: 0)
    (True, False)
    """
    setattr(strategy, _STEADY, True)
    return strategy


def is_steady(strategy: Strategy) -> bool:
    """True if a strategy was declared as steady."""
    return getattr(strategy, _STEADY, False) is True


class Odds(Dist[T_co]):
    """Exact distribution of a call.

    ``again`` is the chance that the first pass starts the rule again. ``remainder`` is an upper bound for the chance
    that a cap on extra dice cut a roll short.
    """

    __slots__ = ("again", "remainder")

    again: Fraction
    remainder: Fraction

    @staticmethod
    def from_weights(weights: dict[T, int], again: Fraction, remainder: Fraction | int) -> Odds[T]:
        """Create odds from positive whole-number weights."""
        return Odds.from_distinct(list(weights), list(weights.values()), again, remainder)

    @staticmethod
    def from_distinct(outcomes: list[T], weights: list[int], again: Fraction, remainder: Fraction | int) -> Odds[T]:
        """Create odds from different outcomes with positive whole-number weights."""
        new: Odds[T] = Odds.__new__(Odds)
        new._arrange(outcomes, weights, set(map(type, outcomes)))
        new.again = again
        new.remainder = min(Fraction(remainder), Fraction(1)) if remainder else NEVER
        return new

    @staticmethod
    def from_dist(dist: Dist[T], remainder: Fraction | int = 0) -> Odds[T]:
        """Create odds from a distribution."""
        new: Odds[T] = Odds.__new__(Odds)
        new._copy(dist)
        new.again = NEVER
        new.remainder = Fraction(remainder) if remainder else NEVER
        return new


@dataclass(frozen=True)
class DecisionRule:
    """Rule that settles all choices: a strategy, or a value function (in floats, or in fractions for advice).

    ``together`` makes opponents cooperate, to find out whether a rule that starts again can end at all. ``across``
    means that the sides are swapped; ``value`` is then negated already.
    """

    value: Callable[[Any], Any] | None = None
    policy: Strategy | None = None
    exact: bool = False
    together: bool = False
    across: bool = False

    def other(self) -> DecisionRule:
        """The same decision rule for a call that the other side runs."""
        value = self.value
        turned = value if value is None or self.together else (lambda outcome: -value(outcome))
        return DecisionRule(turned, self.policy, self.exact, self.together, not self.across)

    def key(self, support: Sequence[Any]) -> tuple[Any, ...]:
        """Cache key; two value-based rules with equal keys decide alike."""
        assert self.value is not None
        return (self.exact, self.together, *[self.value(outcome) for outcome in support])


class NeverResolvesError(TablewrightError):
    """Refusal of a rule that always starts again."""

    def __init__(self, state: Any) -> None:
        super().__init__(f"{state.call!r} never resolves: it always starts again")


def odds_of_leaves(weights: Mapping[Any, int], again: Fraction, cut: Fraction | int) -> Odds[Any]:
    """Odds of the weighed leaves of a tree, whose outcomes are all different."""
    return Odds.from_distinct([leaf.outcome for leaf in weights], list(weights.values()), again, cut)
