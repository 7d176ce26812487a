"""An exact distribution: outcomes with whole-number weights. Fractions are made on demand, floats only for display."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from math import gcd, lcm, sqrt
from operator import add, mul
from typing import Any, Generic, TypeVar, cast, overload

from tablewright.dice import tables
from tablewright.errors import BadInput

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

_SPARSE = 8
"""A table may be at most this many times wider than it has outcomes before sums are made outcome by outcome."""


class Dist(Generic[T_co]):
    """An immutable distribution over hashable outcomes with integer weights.

    Weights are kept in lowest terms and outcomes in a stable order (numbers by size, enum members as declared), so two
    equal distributions compare equal, hash equal and print the same.

    >>> d6 = Dist.uniform(1, 6)
    >>> (d6 + d6)[7]
    Fraction(1, 6)
    >>> d6.map(lambda face: face >= 5)
    Dist({False: 2/3, True: 1/3})
    >>> Dist({"hit": 3, "miss": 1})["hit"]
    Fraction(3, 4)
    """

    __slots__ = ("_hash", "_index", "_outcomes", "_total", "_weights")

    _outcomes: Sequence[T_co]
    _weights: tuple[int, ...]
    _total: int
    _index: dict[object, tuple[int, type]] | None
    _hash: int | None

    def __init__(self, weights: Mapping[T_co, int] | Iterable[tuple[T_co, int]]) -> None:
        merged: dict[T_co, int] = {}
        kinds: set[type] = set()
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        for outcome, weight in pairs:
            if type(weight) is not int or weight < 0:
                raise BadInput(f"a weight must be a whole number of 0 or more, not {weight!r} (for {outcome!r})")
            if weight:
                kinds.add(type(outcome))
                merged[outcome] = merged.get(outcome, 0) + weight
        self._fill_from_dict(merged, kinds)

    def _fill_from_dict(self, merged: dict[T_co, int], kinds: set[type]) -> None:
        """Order, reduce and store; ``kinds`` are the types of the outcomes, so that True and 1 are never confused."""
        if not merged:
            raise BadInput("a distribution needs at least one outcome with a positive weight")
        if kinds == {int}:
            numbers = sorted(cast("Iterable[int]", merged))
            low, high = numbers[0], numbers[-1]
            dense = high - low + 1 == len(numbers)
            outcomes = cast("Sequence[T_co]", range(low, high + 1) if dense else tuple(numbers))
        else:
            if float in kinds:
                raise BadInput("floats cannot be outcomes of an exact distribution; use whole numbers or Fraction")
            _check_kinds(kinds)
            outcomes = _in_order(merged, kinds)
        self._fill(outcomes, [merged[outcome] for outcome in outcomes])

    def _fill(self, outcomes: Sequence[T_co], weights: Sequence[int]) -> None:
        """Store outcomes that are in order and distinct, with positive weights, in lowest terms."""
        divisor = 1 if weights[0] == 1 else gcd(*weights)
        self._weights = tuple(weights) if divisor == 1 else tuple([weight // divisor for weight in weights])
        self._outcomes = outcomes
        self._total = sum(self._weights)
        self._index = None
        self._hash = None

    # ------------------------------------------------------------------ making

    @staticmethod
    def uniform(low: int, high: int) -> Dist[int]:
        """Every whole number from ``low`` to ``high``, equally likely.

        >>> Dist.uniform(0, 99).mean
        Fraction(99, 2)
        """
        if type(low) is not int or type(high) is not int or high < low:
            raise BadInput(f"no whole number lies between {low!r} and {high!r}")
        tables.bound(high - low + 1, 1, f"{low}..{high}")
        return Dist.from_table(low, [1] * (high - low + 1))

    @staticmethod
    def of(*outcomes: T) -> Dist[T]:
        """Each of the given outcomes once, equally likely; one outcome is a certainty.

        >>> Dist.of("heads", "tails")
        Dist({heads: 1/2, tails: 1/2})
        """
        return Dist([(outcome, 1) for outcome in outcomes])

    @staticmethod
    def from_table(low: int, weights: Sequence[int]) -> Dist[int]:
        """The flat table ``weights`` whose first entry stands for ``low``; zero weights are left out.

        >>> Dist.from_table(1, [1, 0, 3])
        Dist({1: 1/4, 3: 3/4})
        """
        new: Dist[int] = Dist.__new__(Dist)
        if min(weights, default=0) <= 0:
            kept = [(outcome, weight) for outcome, weight in enumerate(weights, low) if weight]
            if not kept or min(weights) < 0:
                raise BadInput("a distribution needs at least one outcome with a positive weight, and none below 0")
            first, last = kept[0][0], kept[-1][0]
            dense = last - first + 1 == len(kept)
            outcomes = range(first, last + 1) if dense else tuple([outcome for outcome, _ in kept])
            new._fill(outcomes, [weight for _, weight in kept])
        else:
            new._fill(range(low, low + len(weights)), weights)
        return new

    @staticmethod
    def from_dict(weights: dict[T, int]) -> Dist[T]:
        """Like ``Dist(weights)`` for a dictionary known to hold positive whole numbers: the quick way for drivers."""
        new: Dist[T] = Dist.__new__(Dist)
        new._fill_from_dict(weights, set(map(type, weights)))
        return new

    @staticmethod
    def mix(parts: Iterable[tuple[int, Dist[T]]]) -> Dist[T]:
        """Draw one of several distributions by whole-number weight, then an outcome from it.

        >>> Dist.mix([(1, Dist.of(0)), (1, Dist.uniform(1, 2))])
        Dist({0: 1/2, 1: 1/4, 2: 1/4})
        """
        listed = [(weight, dist) for weight, dist in parts if weight]
        for weight, _ in listed:
            if type(weight) is not int or weight < 0:
                raise BadInput(f"a weight must be a whole number of 0 or more, not {weight!r}")
        common = lcm(*{dist.total for _, dist in listed})
        merged: dict[T, int] = {}
        kinds: set[type] = set()
        for weight, dist in listed:
            factor = weight * (common // dist.total)
            kinds.update(map(type, dist.outcomes))
            for outcome, part in dist.items():
                merged[outcome] = merged.get(outcome, 0) + part * factor
        new: Dist[T] = Dist.__new__(Dist)
        new._fill_from_dict(merged, kinds)
        return new

    # ------------------------------------------------------------------ reading

    @property
    def outcomes(self) -> Sequence[T_co]:
        """The possible outcomes, in a stable order."""
        return self._outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, in the order of :attr:`outcomes`, without a common divisor."""
        return self._weights

    @property
    def total(self) -> int:
        """The sum of all weights: the denominator of every probability."""
        return self._total

    def items(self) -> Iterator[tuple[T_co, int]]:
        """Pairs of outcome and weight."""
        return zip(self._outcomes, self._weights, strict=True)

    def fractions(self) -> Iterator[tuple[T_co, Fraction]]:
        """Pairs of outcome and exact probability."""
        total = self._total
        return ((outcome, Fraction(weight, total)) for outcome, weight in self.items())

    def weight(self, outcome: object) -> int:
        """The weight of one outcome, 0 if it cannot occur."""
        if self._index is None:
            self._index = {outcome: (weight, type(outcome)) for outcome, weight in self.items()}
        weight, kind = self._index.get(outcome, (0, type(outcome)))
        return weight if kind is type(outcome) or _same_key(kind, type(outcome)) else 0

    def __getitem__(self, outcome: object) -> Fraction:
        return Fraction(self.weight(outcome), self._total)

    def __contains__(self, outcome: object) -> bool:
        return self.weight(outcome) > 0

    def __len__(self) -> int:
        return len(self._outcomes)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dist):
            return NotImplemented
        if isinstance(self._outcomes, range) and isinstance(other._outcomes, range):
            return self._outcomes == other._outcomes and self._weights == other._weights
        return (
            self._weights == other._weights
            and tuple(self._outcomes) == tuple(other._outcomes)
            and list(map(type, self._outcomes)) == list(map(type, other._outcomes))
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._weights, tuple(self._outcomes)))
        return self._hash

    def __repr__(self) -> str:
        shown = [f"{show_outcome(outcome)}: {chance}" for outcome, chance in self.fractions()]
        if len(shown) > 24:
            shown[12:-12] = [f"... {len(shown) - 24} more ..."]
        return "Dist({" + ", ".join(shown) + "})"

    # ------------------------------------------------------------------ asking

    def chance(self, holds: Callable[[T_co], bool]) -> Fraction:
        """The exact probability that ``holds`` is true of the outcome.

        >>> Dist.uniform(1, 6).chance(lambda face: face % 2 == 0)
        Fraction(1, 2)
        """
        return Fraction(sum([weight for outcome, weight in self.items() if holds(outcome)]), self._total)

    def _ordered(self, holds: Callable[[Any], bool]) -> Fraction:
        try:
            return self.chance(holds)
        except TypeError:
            raise BadInput(f"{show_outcome(self._outcomes[0])!r} and what it is compared with have no order") from None

    def at_least(self, least: Any) -> Fraction:
        """The exact probability of ``least`` or more.

        >>> Dist.uniform(1, 6).at_least(5)
        Fraction(1, 3)
        """
        return self._ordered(lambda outcome: cast("bool", outcome >= least))

    def at_most(self, most: Any) -> Fraction:
        """The exact probability of ``most`` or less."""
        return self._ordered(lambda outcome: cast("bool", outcome <= most))

    @property
    def numeric(self) -> bool:
        """Whether every outcome is a whole number or a fraction, so that a mean exists."""
        return isinstance(self._outcomes, range) or all(
            isinstance(outcome, (int, Fraction)) and not isinstance(outcome, (bool, Enum)) for outcome in self._outcomes
        )

    def _numbers(self) -> Sequence[Any]:
        if not self.numeric:
            raise BadInput(f"these outcomes are not numbers: {show_outcome(self._outcomes[0])!r}; map them to numbers")
        return self._outcomes

    @property
    def mean(self) -> Fraction:
        """The exact expected value.

        >>> Dist.uniform(1, 6).mean
        Fraction(7, 2)
        """
        return Fraction(sum(map(mul, self._numbers(), self._weights))) / self._total

    def expected(self, value: Callable[[T_co], int | Fraction]) -> Fraction:
        """The exact expected value of a function of the outcome.

        >>> Dist.of("hit", "miss").expected(lambda outcome: 3 if outcome == "hit" else 0)
        Fraction(3, 2)
        """
        total = sum([value(outcome) * weight for outcome, weight in self.items()])  # as a rule all are whole numbers
        return Fraction(total) / self._total

    @property
    def variance(self) -> Fraction:
        """The exact variance.

        >>> Dist.uniform(1, 6).variance
        Fraction(35, 12)
        """
        numbers = self._numbers()
        squares = Fraction(
            sum([number * number * weight for number, weight in zip(numbers, self._weights, strict=True)])
        )
        return squares / self._total - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation, for display."""
        return sqrt(self.variance)

    def quantile(self, share: Fraction | float) -> T_co:
        """The first outcome, in order, at which at least ``share`` of the probability is reached.

        >>> Dist.uniform(1, 6).quantile(Fraction(1, 2))
        3
        """
        if not 0 <= share <= 1:
            raise BadInput(f"a quantile lies between 0 and 1, not {share}")
        wanted = Fraction(share) * self._total
        running = 0
        for outcome, weight in self.items():
            running += weight
            if running >= wanted:
                return outcome
        raise AssertionError("the weights of a distribution always reach its total")

    @property
    def modes(self) -> tuple[T_co, ...]:
        """The most likely outcome, or several when they are equally likely.

        >>> (Dist.uniform(1, 6) + Dist.uniform(1, 6)).modes
        (7,)
        """
        most = max(self._weights)
        return tuple([outcome for outcome, weight in self.items() if weight == most])

    # ------------------------------------------------------------------ making others

    def map(self, change: Callable[[T_co], U]) -> Dist[U]:
        """The distribution of ``change(outcome)``; outcomes that become equal are merged.

        >>> Dist.uniform(1, 6).map(lambda face: "high" if face > 4 else "low")
        Dist({high: 1/3, low: 2/3})
        """
        merged: dict[U, int] = {}
        kinds: set[type] = set()
        for outcome, weight in self.items():
            changed = change(outcome)
            kinds.add(type(changed))
            merged[changed] = merged.get(changed, 0) + weight
        new: Dist[U] = Dist.__new__(Dist)
        new._fill_from_dict(merged, kinds)
        return new

    def then(self, following: Callable[[T_co], Dist[U]]) -> Dist[U]:
        """Look at the outcome, then draw from the distribution that ``following`` gives for it.

        >>> coin = Dist.of(0, 1)
        >>> coin.then(lambda heads: Dist.uniform(1, 4) if heads else Dist.of(0))
        Dist({0: 1/2, 1: 1/8, 2: 1/8, 3: 1/8, 4: 1/8})
        """
        return Dist.mix([(weight, following(outcome)) for outcome, weight in self.items()])

    def given(self, holds: Callable[[T_co], bool]) -> Dist[T_co]:
        """Only the outcomes of which ``holds`` is true, as if all others were rolled again without end.

        >>> Dist.uniform(1, 6).given(lambda face: face > 1).mean
        Fraction(4, 1)
        """
        kept = [(outcome, weight) for outcome, weight in self.items() if holds(outcome)]
        if not kept:
            raise BadInput("nothing is left: the condition holds for no possible outcome")
        return Dist(kept)

    def reroll(self, unwanted: Callable[[T_co], bool], times: int = 1) -> Dist[T_co]:
        """Roll again, up to ``times`` times, while the outcome is unwanted; then keep what came.

        >>> Dist.uniform(1, 6).reroll(lambda face: face == 1)[1]
        Fraction(1, 36)
        """
        if not 0 <= times <= 1_000:
            raise BadInput(f"a reroll may be made 0 to 1,000 times, not {times}; use given() to roll again without end")
        every = self._total
        bad = [unwanted(outcome) for outcome in self._outcomes]
        again = sum([weight for weight, thrown in zip(self._weights, bad, strict=True) if thrown])
        tables.bound(len(self), (times + 1) * every.bit_length(), f"{times:,} rerolls")
        # in every**(times + 1) equally likely ways, an outcome that is kept comes up at the first throw or after any
        # number of unwanted ones, an unwanted one only at the very end
        last = again**times
        kept = last + sum([every ** (times - thrown) * again**thrown for thrown in range(times)])
        factors = [last if thrown else kept for thrown in bad]
        return Dist([(o, w * f) for (o, w), f in zip(self.items(), factors, strict=True)])

    def product(self, other: Dist[U], combine: Callable[[T_co, U], V]) -> Dist[V]:
        """The distribution of ``combine(mine, theirs)`` for independent outcomes.

        >>> Dist.uniform(1, 2).product(Dist.uniform(1, 3), max)
        Dist({1: 1/6, 2: 1/2, 3: 1/3})
        """
        pairs, bits = len(self) * len(other), self._total.bit_length() + other._total.bit_length()
        if pairs > 1_000 or bits > 1_000:
            what = f"a table of {len(self):,} by {len(other):,} outcomes"
            tables.bound(pairs, 1, what)
            tables.bound(1, bits, what)
            tables.bound_work(pairs * (4e-7 + 1e-10 * bits), what)
        merged: dict[V, int] = {}
        kinds: set[type] = set()
        theirs = list(other.items())
        for mine, weight in self.items():
            for yours, factor in theirs:
                combined = combine(mine, yours)
                kinds.add(type(combined))
                merged[combined] = merged.get(combined, 0) + weight * factor
        new: Dist[V] = Dist.__new__(Dist)
        new._fill_from_dict(merged, kinds)
        return new

    def compare(self, other: Dist[Any]) -> Dist[int]:
        """Who is higher: 1 if this one, -1 if the other, 0 for a tie; both are independent.

        >>> Dist.uniform(1, 6).compare(Dist.uniform(1, 4))
        Dist({-1: 1/4, 0: 1/6, 1: 7/12})
        """
        wins = ties = 0
        theirs = list(other.items())
        position = below = 0
        try:
            for mine, weight in self.items():
                while position < len(theirs) and theirs[position][0] < cast("Any", mine):
                    below += theirs[position][1]
                    position += 1
                wins += weight * below
                if position < len(theirs) and theirs[position][0] == mine:
                    ties += weight * theirs[position][1]
        except TypeError:
            raise BadInput("these outcomes have no common order; map both to numbers") from None
        losses = self._total * other._total - wins - ties
        return Dist.from_dict({sign: weight for sign, weight in ((-1, losses), (0, ties), (1, wins)) if weight})

    # ------------------------------------------------------------------ arithmetic

    def _dense(self) -> list[int] | None:
        """The weights as a flat table from the lowest outcome to the highest, or None where that would be wasteful."""
        outcomes = self._outcomes
        if isinstance(outcomes, range):
            return list(self._weights)
        if not all(type(outcome) is int for outcome in outcomes):
            return None
        numbers = cast("tuple[int, ...]", outcomes)
        span = numbers[-1] - numbers[0] + 1
        if span > _SPARSE * len(numbers):
            return None
        dense = [0] * span
        for number, weight in zip(numbers, self._weights, strict=True):
            dense[number - numbers[0]] = weight
        return dense

    def _shifted(self, by: Any) -> Dist[Any]:
        new: Dist[Any] = Dist.__new__(Dist)
        numbers = self._numbers()
        if isinstance(numbers, range) and type(by) is int:
            new._fill(range(numbers.start + by, numbers.stop + by), self._weights)
        else:
            new._fill(tuple([number + by for number in numbers]), self._weights)
        return new

    @overload
    def __add__(self: Dist[int], other: Dist[int] | int) -> Dist[int]: ...
    @overload
    def __add__(self, other: Any) -> Dist[Any]: ...
    def __add__(self, other: Any) -> Dist[Any]:
        if not isinstance(other, Dist):
            return self._shifted(_number(other))
        mine, theirs = self._dense(), other._dense()
        if mine is None or theirs is None:
            self._numbers(), other._numbers()
            return self.product(other, add)
        low = cast("int", self._outcomes[0]) + cast("int", other._outcomes[0])
        bits = self._total.bit_length() + other._total.bit_length()
        tables.bound(len(mine) + len(theirs), bits, "this sum")
        return Dist.from_table(low, tables.convolve(mine, theirs))

    def __radd__(self, other: Any) -> Dist[Any]:
        return self._shifted(_number(other))

    def __neg__(self: Dist[int]) -> Dist[int]:
        new: Dist[int] = Dist.__new__(Dist)
        numbers = self._numbers()
        if isinstance(numbers, range):
            new._fill(range(-numbers[-1], -numbers[0] + 1), self._weights[::-1])
        else:
            new._fill(tuple([-number for number in reversed(numbers)]), self._weights[::-1])
        return new

    @overload
    def __sub__(self: Dist[int], other: Dist[int] | int) -> Dist[int]: ...
    @overload
    def __sub__(self, other: Any) -> Dist[Any]: ...
    def __sub__(self, other: Any) -> Dist[Any]:
        if isinstance(other, Dist):
            return self.__add__(-other)
        return self._shifted(-_number(other))

    def __rsub__(self, other: Any) -> Dist[Any]:
        return (-cast("Dist[int]", self))._shifted(_number(other))

    def __mul__(self, other: Any) -> Dist[Any]:
        self._numbers()
        if isinstance(other, Dist):
            other._numbers()
            return self.product(other, mul)
        factor = _number(other)
        return self.map(partial(mul, factor))

    __rmul__ = __mul__

    def times(self: Dist[int], count: int) -> Dist[int]:
        """The sum of ``count`` independent draws.

        >>> Dist.uniform(1, 6).times(2) == Dist.uniform(1, 6) + Dist.uniform(1, 6)
        True
        """
        if type(count) is not int or count < 0:
            raise BadInput(f"a number of dice is a whole number of 0 or more, not {count!r}")
        numbers = self._numbers()
        if count == 0 or len(numbers) == 1:
            return Dist.of(count * numbers[0])
        what = f"a sum of {count:,}"
        tables.bound(1, count * (self._total - 1).bit_length(), what)
        dense = self._dense()
        if dense is not None:
            tables.bound(count * (len(dense) - 1) + 1, count * self._total.bit_length(), what)
            even = self._total == len(numbers) == len(dense)
            table = tables.equal_dice(count, len(dense)) if even else tables.power(dense, count, what)
            return Dist.from_table(numbers[0] * count, table)
        with tables.budget():
            result: Dist[int] = self
            for _ in range(count - 1):
                result = result + self
            return result

    def __rmatmul__(self: Dist[int], count: int) -> Dist[int]:
        return self.times(count)


def _number(value: object) -> Any:
    if type(value) is int or isinstance(value, Fraction):
        return value
    raise BadInput(f"a distribution can be combined with whole numbers, fractions and distributions, not {value!r}")


def _same_key(kind: type, other: type) -> bool:
    """Whether equal values of two different kinds are the same outcome: 2 and 4/2 are, 1 and True or 1.0 are not."""
    return {kind, other} == {int, Fraction}


def _check_kinds(kinds: set[type]) -> None:
    """Refuse kinds of outcomes of which different ones would be equal keys."""
    for family in (int, str):
        alike = [kind for kind in kinds if issubclass(kind, family) or (family is int and kind is Fraction)]
        if len(alike) > 1 and not _same_key(alike[0], alike[1]):
            raise BadInput("True and 1 are different outcomes but equal keys; use one kind of outcome")


def _in_order(outcomes: Iterable[T], kinds: set[type]) -> tuple[T, ...]:
    if len(kinds) == 1 and issubclass(next(iter(kinds)), (str, tuple, bool)):
        try:
            return tuple(sorted(cast("Any", outcomes)))
        except TypeError:
            pass
    return tuple(sorted(outcomes, key=order_of))


def order_of(outcome: object) -> tuple[Any, ...]:
    """A sort key over all kinds of outcomes: nothing, numbers, enum members as declared, text, then parts in turn.

    >>> sorted(["b", 2, None, "a", 1], key=order_of)
    [None, 1, 2, 'a', 'b']
    """
    if outcome is None:
        return (0,)
    if isinstance(outcome, Enum):
        return (2, type(outcome).__name__, list(type(outcome)).index(outcome))
    if isinstance(outcome, (int, Fraction)):
        return (1, outcome)
    if isinstance(outcome, str):
        return (3, outcome)
    if isinstance(outcome, tuple):
        return (4, tuple([order_of(part) for part in outcome]))
    return (5, repr(outcome))


def show_outcome(outcome: object) -> str:
    """An outcome as people read it.

    >>> show_outcome((True, 3))
    '(True, 3)'
    """
    if isinstance(outcome, Enum):
        return str(outcome.value)
    if hasattr(outcome, "json_text"):
        return str(outcome.json_text())
    if isinstance(outcome, tuple):
        names = getattr(outcome, "_fields", None)
        if names is not None:
            parts = [f"{name} {show_outcome(part)}" for name, part in zip(names, outcome, strict=True)]
            return ", ".join(parts)
        return "(" + ", ".join([show_outcome(part) for part in outcome]) + ")"
    return str(outcome)
