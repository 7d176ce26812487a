"""Exact distributions with whole-number weights; fractions are computed on demand, floats only for display."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from math import gcd, lcm, sqrt
from operator import add, attrgetter, mul
from typing import Any, Generic, TypeVar, cast, overload

from tablewright.dice import weights as tables
from tablewright.dice.outcomes import INTEGERS, check_kinds, format_outcome, is_same_key, order_outcomes, read_number
from tablewright.errors import InvalidInputError

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

_SPARSE = 8
"""Upper bound for table width per outcome; sparser distributions are added outcome by outcome."""


_NAME = attrgetter("_name_")


class Dist(Generic[T_co]):
    """Immutable distribution over hashable outcomes with integer weights in lowest terms.

    Numbers sort by size, enum members as declared. Equal distributions hash equal and print the same.

    >>> d6 = Dist.uniform(1, 6)
    >>> (d6 + d6)[7]
    Fraction(1, 6)
    >>> d6.map(lambda face: face >= 5)
    Dist({False: 2/3, True: 1/3})
    >>> Dist({"hit": 3, "miss": 1})["hit"]
    Fraction(3, 4)
    """

    __slots__ = ("_hash", "_index", "_outcomes", "_total", "_unordered", "_weights")

    _outcomes: Sequence[T_co]
    _weights: tuple[int, ...]
    _unordered: tuple[list[T_co], Sequence[int], set[type]] | None
    """Outcomes, weights and outcome types until they are sorted: many distributions are only mapped or added up."""
    _total: int
    _index: dict[object, tuple[int, type]] | None
    _hash: int | None

    def __init__(self, weights: Mapping[T_co, int] | Iterable[tuple[T_co, int]]) -> None:
        merged: dict[T_co, int] = {}
        kinds: set[type] = set()
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        for outcome, weight in pairs:
            if type(weight) is not int or weight < 0:
                raise InvalidInputError(
                    f"a weight must be a whole number of 0 or more, not {weight!r} (for {outcome!r})"
                )
            if weight:
                kinds.add(type(outcome))
                merged[outcome] = merged.get(outcome, 0) + weight
        self._fill_from_dict(merged, kinds)

    def _fill_from_dict(self, merged: dict[T_co, int], kinds: set[type]) -> None:
        """Sort, reduce and store; ``kinds`` are the outcome types, because True and 1 are equal keys."""
        self._arrange(list(merged), list(merged.values()), kinds)

    def _arrange(self, outcomes: list[T_co], weights: Sequence[int], kinds: set[type]) -> None:
        """Sort, reduce and store different outcomes, without hashing them."""
        if not outcomes:
            raise InvalidInputError("a distribution needs at least one outcome with a positive weight")
        ordered: Any
        if kinds == INTEGERS:
            ordered = sorted(cast("list[int]", outcomes))
            if ordered != outcomes:
                weight_of = dict(zip(outcomes, weights, strict=True))
                weights = [weight_of[outcome] for outcome in ordered]
            low, high = ordered[0], ordered[-1]
            ordered = range(low, high + 1) if high - low + 1 == len(ordered) else tuple(ordered)
        else:
            if float in kinds:
                raise InvalidInputError(
                    "floats cannot be outcomes of an exact distribution; use whole numbers or Fraction"
                )
            if len(kinds) > 1:
                check_kinds(kinds)
            divisor = 1 if weights[0] == 1 else gcd(*weights)
            if divisor != 1:
                weights = [weight // divisor for weight in weights]
            self._unordered = outcomes, weights, kinds
            self._total = sum(weights)
            self._index = self._hash = None
            return
        self._fill(ordered, weights)

    def _fill(self, outcomes: Sequence[T_co], weights: Sequence[int]) -> None:
        """Store sorted, distinct outcomes with positive weights, reduced to lowest terms."""
        divisor = 1 if weights[0] == 1 else gcd(*weights)
        self._weights = tuple(weights) if divisor == 1 else tuple([weight // divisor for weight in weights])
        self._outcomes = outcomes
        self._total = sum(self._weights)
        self._unordered = self._index = self._hash = None

    def _sort(self) -> None:
        """Put outcomes and weights in order."""
        unordered = self._unordered
        if unordered is not None:
            outcomes, weights, kinds = unordered
            order = order_outcomes(outcomes, kinds)
            self._outcomes = tuple([outcomes[at] for at in order])
            self._weights = tuple([weights[at] for at in order])
            self._unordered = None  # last: other threads may read

    def unordered(self) -> tuple[Sequence[T_co], Sequence[int]]:
        """Outcomes and their weights in any order, without sorting them first."""
        unordered = self._unordered
        return (self._outcomes, self._weights) if unordered is None else unordered[:2]

    def _copy(self, other: Dist[T_co]) -> None:
        """Become equal to another distribution."""
        unordered = other._unordered
        if unordered is None:
            self._outcomes, self._weights = other._outcomes, other._weights
        self._unordered, self._total = unordered, other._total
        self._index, self._hash = other._index, other._hash

    # ------------------------------------------------------------------ construction

    @staticmethod
    def uniform(low: int, high: int) -> Dist[int]:
        """Uniform distribution over the whole numbers from ``low`` to ``high``.

        >>> Dist.uniform(0, 99).mean
        Fraction(99, 2)
        """
        if type(low) is not int or type(high) is not int or high < low:
            raise InvalidInputError(f"no whole number lies between {low!r} and {high!r}")
        tables.bound(high - low + 1, 1, f"{low}..{high}")
        return Dist.from_table(low, [1] * (high - low + 1))

    @staticmethod
    def of(*outcomes: T) -> Dist[T]:
        """Uniform distribution over the given outcomes; a single outcome is certain.

        >>> Dist.of("heads", "tails")
        Dist({heads: 1/2, tails: 1/2})
        """
        return Dist([(outcome, 1) for outcome in outcomes])

    @staticmethod
    def from_table(low: int, weights: Sequence[int]) -> Dist[int]:
        """Distribution from a flat weight table whose first entry is for ``low``; zero weights are dropped.

        >>> Dist.from_table(1, [1, 0, 3])
        Dist({1: 1/4, 3: 3/4})
        """
        new: Dist[int] = Dist.__new__(Dist)
        if min(weights, default=0) <= 0:
            kept = [(outcome, weight) for outcome, weight in enumerate(weights, low) if weight]
            if not kept or min(weights) < 0:
                raise InvalidInputError(
                    "a distribution needs at least one outcome with a positive weight, and none below 0"
                )
            first, last = kept[0][0], kept[-1][0]
            dense = last - first + 1 == len(kept)
            outcomes = range(first, last + 1) if dense else tuple([outcome for outcome, _ in kept])
            new._fill(outcomes, [weight for _, weight in kept])
        else:
            new._fill(range(low, low + len(weights)), weights)
        return new

    @staticmethod
    def from_dict(weights: dict[T, int]) -> Dist[T]:
        """Fast version of ``Dist(weights)`` that does not check the weights; all must be positive whole numbers."""
        new: Dist[T] = Dist.__new__(Dist)
        new._fill_from_dict(weights, set(map(type, weights)))
        return new

    @staticmethod
    def from_chances(chances: Mapping[T, Fraction]) -> Dist[T]:
        """Distribution of exact chances that add up to 1, or to the share of a part; those of 0 are dropped.

        >>> Dist.from_chances({"heads": Fraction(1, 3), "tails": Fraction(2, 3)})
        Dist({heads: 1/3, tails: 2/3})
        """
        common = lcm(*[chance.denominator for chance in chances.values()])
        return Dist.from_dict({outcome: int(chance * common) for outcome, chance in chances.items() if chance})

    @staticmethod
    def mix(parts: Iterable[tuple[int, Dist[T]]]) -> Dist[T]:
        """Draw one of several distributions by whole-number weight, then an outcome from it.

        >>> Dist.mix([(1, Dist.of(0)), (1, Dist.uniform(1, 2))])
        Dist({0: 1/2, 1: 1/4, 2: 1/4})
        """
        listed = [(weight, dist) for weight, dist in parts if weight]
        for weight, _ in listed:
            if type(weight) is not int or weight < 0:
                raise InvalidInputError(f"a weight must be a whole number of 0 or more, not {weight!r}")
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

    @property
    def outcomes(self) -> Sequence[T_co]:
        """Possible outcomes in a stable order."""
        if self._unordered is not None:
            self._sort()
        return self._outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """Weights in the order of :attr:`outcomes`, in lowest terms."""
        if self._unordered is not None:
            self._sort()
        return self._weights

    @property
    def total(self) -> int:
        """Sum of all weights: the denominator of every probability."""
        return self._total

    def items(self) -> Iterator[tuple[T_co, int]]:
        """Pairs of outcome and weight."""
        if self._unordered is not None:
            self._sort()
        return zip(self._outcomes, self._weights, strict=True)

    def fractions(self) -> Iterator[tuple[T_co, Fraction]]:
        """Pairs of outcome and exact probability."""
        total = self._total
        return ((outcome, Fraction(weight, total)) for outcome, weight in self.items())

    def weight(self, outcome: object) -> int:
        """Weight of one outcome, or 0 if it cannot occur."""
        if self._index is None:
            self._index = {outcome: (weight, type(outcome)) for outcome, weight in zip(*self.unordered(), strict=True)}
        weight, kind = self._index.get(outcome, (0, type(outcome)))
        return weight if kind is type(outcome) or is_same_key(kind, type(outcome)) else 0

    def __getitem__(self, outcome: object) -> Fraction:
        return Fraction(self.weight(outcome), self._total)

    def __contains__(self, outcome: object) -> bool:
        return self.weight(outcome) > 0

    def __len__(self) -> int:
        unordered = self._unordered
        return len(self._outcomes if unordered is None else unordered[0])

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dist):
            return NotImplemented
        mine, theirs = self.outcomes, other.outcomes
        if isinstance(mine, range) and isinstance(theirs, range):
            return mine == theirs and self._weights == other._weights
        return (
            self._weights == other._weights
            and tuple(mine) == tuple(theirs)
            and list(map(type, mine)) == list(map(type, theirs))
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.weights, tuple(self.outcomes)))
        return self._hash

    def __repr__(self) -> str:
        shown = [f"{format_outcome(outcome)}: {chance}" for outcome, chance in self.fractions()]
        if len(shown) > 24:
            shown[12:-12] = [f"... {len(shown) - 24} more ..."]
        return "Dist({" + ", ".join(shown) + "})"

    # ------------------------------------------------------------------ probabilities and moments

    def chance(self, holds: Callable[[T_co], bool]) -> Fraction:
        """Exact probability that ``holds`` is true of the outcome.

        >>> Dist.uniform(1, 6).chance(lambda face: face % 2 == 0)
        Fraction(1, 2)
        """
        pairs = zip(*self.unordered(), strict=True)
        return Fraction(sum([weight for outcome, weight in pairs if holds(outcome)]), self._total)

    def _ordered(self, holds: Callable[[Any], bool]) -> Fraction:
        try:
            return self.chance(holds)
        except TypeError:
            raise InvalidInputError(
                f"{format_outcome(self.outcomes[0])!r} and what it is compared with have no order"
            ) from None

    def at_least(self, least: Any) -> Fraction:
        """Exact probability of ``least`` or more.

        >>> Dist.uniform(1, 6).at_least(5)
        Fraction(1, 3)
        """
        return self._ordered(lambda outcome: cast("bool", outcome >= least))

    def at_most(self, most: Any) -> Fraction:
        """Exact probability of ``most`` or less."""
        return self._ordered(lambda outcome: cast("bool", outcome <= most))

    @property
    def numeric(self) -> bool:
        """True if every outcome is a whole number or a fraction; only then does a mean exist."""
        return isinstance(self.outcomes, range) or all(
            isinstance(outcome, (int, Fraction)) and not isinstance(outcome, (bool, Enum)) for outcome in self.outcomes
        )

    def _numbers(self) -> Sequence[Any]:
        if not self.numeric:
            raise InvalidInputError(
                f"these outcomes are not numbers: {format_outcome(self.outcomes[0])!r}; map them to numbers"
            )
        return self.outcomes

    @property
    def mean(self) -> Fraction:
        """Exact expected value.

        >>> Dist.uniform(1, 6).mean
        Fraction(7, 2)
        """
        return Fraction(sum(map(mul, self._numbers(), self._weights))) / self._total

    def expected(self, value: Callable[[T_co], int | Fraction]) -> Fraction:
        """Exact expected value of a function of the outcome.

        >>> Dist.of("hit", "miss").expected(lambda outcome: 3 if outcome == "hit" else 0)
        Fraction(3, 2)
        """
        outcomes, weights = self.unordered()
        return tables.mean_of(list(map(value, outcomes)), weights, self._total)

    @property
    def variance(self) -> Fraction:
        """Exact variance.

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
        """Standard deviation as a float, for display."""
        return sqrt(self.variance)

    def quantile(self, share: Fraction | float) -> T_co:
        """First outcome, in order, whose cumulative probability is at least ``share``.

        >>> Dist.uniform(1, 6).quantile(Fraction(1, 2))
        3
        """
        if not 0 <= share <= 1:
            raise InvalidInputError(f"a quantile lies between 0 and 1, not {share}")
        wanted = Fraction(share) * self._total
        running = 0
        for outcome, weight in self.items():
            running += weight
            if running >= wanted:
                return outcome
        raise AssertionError("the weights of a distribution always reach its total")

    # ------------------------------------------------------------------ derived distributions

    def map(self, change: Callable[[T_co], U], *more: Callable[[Any], Any]) -> Dist[U]:
        """Distribution of ``change(outcome)``; equal results are merged. Further functions are applied in turn.

        >>> Dist.uniform(1, 6).map(lambda face: "high" if face > 4 else "low")
        Dist({high: 1/3, low: 2/3})
        """
        outcomes, weights = self.unordered()
        results = list(map(change, outcomes))
        for following in more:
            results = list(map(following, results))
        kinds = set(map(type, results))
        (kind, *others) = kinds
        if not others and issubclass(kind, Enum) and kind.__hash__ is Enum.__hash__:  # slow to hash, unlike their names
            names = list(map(_NAME, results))
            members = dict(zip(names, results, strict=True))
            names, weights = tables.summed(names, weights)
            results = [members[name] for name in names]
        else:
            results, weights = tables.summed(results, weights)
        new: Dist[U] = Dist.__new__(Dist)
        new._arrange(results, weights, kinds)
        return new

    def then(self, following: Callable[[T_co], Dist[U]]) -> Dist[U]:
        """Draw an outcome, then draw from the distribution that ``following`` returns for it.

        >>> coin = Dist.of(0, 1)
        >>> coin.then(lambda heads: Dist.uniform(1, 4) if heads else Dist.of(0))
        Dist({0: 1/2, 1: 1/8, 2: 1/8, 3: 1/8, 4: 1/8})
        """
        return Dist.mix([(weight, following(outcome)) for outcome, weight in self.items()])

    def given(self, holds: Callable[[T_co], bool]) -> Dist[T_co]:
        """Distribution conditioned on ``holds``; the same as rerolling all other outcomes without limit.

        >>> Dist.uniform(1, 6).given(lambda face: face > 1).mean
        Fraction(4, 1)
        """
        kept = [(outcome, weight) for outcome, weight in self.items() if holds(outcome)]
        if not kept:
            raise InvalidInputError("nothing is left: the condition holds for no possible outcome")
        return Dist(kept)

    def reroll(self, unwanted: Callable[[T_co], bool], times: int = 1) -> Dist[T_co]:
        """Reroll unwanted outcomes up to ``times`` times, then keep the last one.

        >>> Dist.uniform(1, 6).reroll(lambda face: face == 1)[1]
        Fraction(1, 36)
        """
        if not 0 <= times <= 1_000:
            raise InvalidInputError(
                f"a reroll may be made 0 to 1,000 times, not {times}; use given() to roll again without end"
            )
        every = self._total
        bad = [unwanted(outcome) for outcome in self.outcomes]
        again = sum([weight for weight, thrown in zip(self._weights, bad, strict=True) if thrown])
        tables.bound(len(self), (times + 1) * every.bit_length(), f"{times:,} rerolls")
        # Out of every**(times + 1) equally likely sequences: a kept outcome appears first or after any number of
        # unwanted ones, an unwanted one only at the end.
        last = again**times
        kept = last + sum([every ** (times - thrown) * again**thrown for thrown in range(times)])
        factors = [last if thrown else kept for thrown in bad]
        return Dist([(o, w * f) for (o, w), f in zip(self.items(), factors, strict=True)])

    def product(self, other: Dist[U], combine: Callable[[T_co, U], V]) -> Dist[V]:
        """Distribution of ``combine(mine, theirs)`` for independent outcomes.

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
        """Sign of the difference to an independent distribution: 1 if this one is higher, -1 if lower, 0 for a tie.

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
            raise InvalidInputError("these outcomes have no common order; map both to numbers") from None
        losses = self._total * other._total - wins - ties
        return Dist.from_dict({sign: weight for sign, weight in ((-1, losses), (0, ties), (1, wins)) if weight})

    # ------------------------------------------------------------------ arithmetic

    def _dense(self) -> list[int] | None:
        """Weights as a flat table from the lowest outcome to the highest, or None if the table would be too sparse."""
        outcomes = self.outcomes
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
            return self._shifted(read_number(other))
        mine, theirs = self._dense(), other._dense()
        if mine is None or theirs is None:
            self._numbers(), other._numbers()
            return self.product(other, add)
        low = cast("int", self._outcomes[0]) + cast("int", other._outcomes[0])
        bits = self._total.bit_length() + other._total.bit_length()
        tables.bound(len(mine) + len(theirs), bits, "this sum")
        return Dist.from_table(low, tables.convolve(mine, theirs))

    def __radd__(self, other: Any) -> Dist[Any]:
        return self._shifted(read_number(other))

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
        return self._shifted(-read_number(other))

    def __rsub__(self, other: Any) -> Dist[Any]:
        return (-cast("Dist[int]", self))._shifted(read_number(other))

    def __mul__(self, other: Any) -> Dist[Any]:
        self._numbers()
        if isinstance(other, Dist):
            other._numbers()
            return self.product(other, mul)
        factor = read_number(other)
        return self.map(partial(mul, factor))

    __rmul__ = __mul__

    def times(self: Dist[int], count: int) -> Dist[int]:
        """Sum of ``count`` independent draws.

        >>> Dist.uniform(1, 6).times(2) == Dist.uniform(1, 6) + Dist.uniform(1, 6)
        True
        """
        if type(count) is not int or count < 0:
            raise InvalidInputError(f"a number of dice is a whole number of 0 or more, not {count!r}")
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
