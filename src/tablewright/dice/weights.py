"""Flat weight tables: weights of consecutive integers as plain lists, and fast operations on them.

A table is a sequence of whole-number weights; the caller knows the integer of its first entry. These functions are
independent of dice and games. They never build a fraction or dispatch on a type inside a loop, and they use as few
passes as the arithmetic allows.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm
from operator import mul, sub
from sys import byteorder
from typing import TypeVar

from tablewright.errors import InvalidInputError

U = TypeVar("U")

MOST_ENTRIES = 200_000
"""Upper bound for the totals in one table."""

MOST_BYTES = 16_000_000
"""Upper bound for the bytes of one table's weights."""

MOST_BITS = 14_000
"""Upper bound for the bits of one weight; Python refuses to print longer integers (4,300 decimal digits)."""

MOST_WORK = 0.4
"""Upper bound for the estimated seconds on one core to build an expression's tables."""

_LIMB = 30
"""Bits in one digit of a Python integer; the unit of the work estimates."""


def bound(entries: int, bits: int, what: object) -> None:
    """Refuse a table of ``entries`` weights of about ``bits`` bits each, before any work is done.

    >>> bound(5_001, 2_585, "1000d6")
    >>> bound(10**9, 3, "10^9 coins")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    tablewright.errors.InvalidInputError: 10^9 coins is too large for exact odds: ...
    """
    if entries > MOST_ENTRIES:
        raise InvalidInputError(
            f"{what} is too large for exact odds: {entries:,} different totals, at most {MOST_ENTRIES:,}"
        )
    if bits > MOST_BITS:
        raise InvalidInputError(
            f"{what} is too large for exact odds: its fractions would have about {bits * 3 // 10:,} digits"
        )
    if entries * bits // 8 > MOST_BYTES:
        raise InvalidInputError(
            f"{what} is too large for exact odds: its table would need about {entries * bits // 8_000_000:,} MB, "
            f"at most {MOST_BYTES // 1_000_000} MB"
        )


_spent: ContextVar[list[float] | None] = ContextVar("seconds spent on the tables of one expression", default=None)


@contextmanager
def budget() -> Iterator[None]:
    """Context manager that makes all tables built inside share one work limit; inner budgets join the outer one."""
    if _spent.get() is not None:
        yield
        return
    token = _spent.set([0.0])
    try:
        yield
    finally:
        _spent.reset(token)


def bound_work(seconds: float, what: object) -> None:
    """Refuse work estimated at more than :data:`MOST_WORK` seconds, including the work of the current budget."""
    spent = _spent.get()
    if spent is not None:
        spent[0] += seconds
        seconds = spent[0]
    if seconds > MOST_WORK:
        raise InvalidInputError(f"{what} is too large for exact odds: its table would take too long to make")


def convolve(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Weights of the sum of two independent tables.

    >>> convolve([1, 1, 1], [1, 1])
    [1, 2, 2, 1]
    """
    if len(a) < len(b):
        a, b = b, a
    if len(b) == 1:
        factor = b[0]
        return list(a) if factor == 1 else [weight * factor for weight in a]
    width = ((max(a) * max(b) * len(b)).bit_length() + 7) // 8
    packed = looped = 0.0
    if len(b) * len(a) > 400:
        packed = _packed_seconds(len(a), len(b), width)
        looped = _looped_seconds(len(a), max(a).bit_length(), len(b), max(b).bit_length())
        bound_work(min(packed, looped), f"a sum of tables with {len(a):,} and {len(b):,} totals")
    if width < len(_CODES):
        return _multiply_short(a, b, _CODES[width])
    if packed < looped:
        return _multiply_packed(a, b, width)
    # Each weight of the result is one sum of products; zero padding covers the ends, where the tables overlap in part.
    turned, size = b[::-1], len(b)
    zeros = [0] * (size - 1)
    padded = [*zeros, *a, *zeros]
    return [sum(map(mul, turned, padded[at : at + size])) for at in range(len(a) + size - 1)]


def convolve_seconds(longer: int, long_bits: int, shorter: int, short_bits: int) -> float:
    """Estimated seconds of :func:`convolve` for two tables with the given lengths and bits per weight."""
    looped = _looped_seconds(longer, long_bits, shorter, short_bits)
    return min(looped, _packed_seconds(longer, shorter, (long_bits + short_bits) // 8 + 2))


def _looped_seconds(longer: int, long_bits: int, shorter: int, short_bits: int) -> float:
    return longer * shorter * (4.5e-8 + 1e-9 * (long_bits // _LIMB + 1) * (short_bits // _LIMB + 1))


def _packed_seconds(longer: int, shorter: int, width: int) -> float:
    """Estimate Karatsuba on blocks of the shorter number, plus packing."""
    digits = shorter * width * 8 / _LIMB
    return longer / shorter * 7e-9 * float(digits**1.585) + (longer + shorter) * (3e-7 + 1e-9 * width)


def _multiply_packed(a: Sequence[int], b: Sequence[int], width: int) -> list[int]:
    """Convolve by one multiplication of two long integers that hold one weight per slot of ``width`` bytes."""
    size = len(a) + len(b) - 1
    return _unpack(_pack(a, width) * _pack(b, width), size, width)


_CODES = "BBHIIQQQQ"
"""Code of the whole numbers in :mod:`array` that hold a weight, by its bytes."""


def _multiply_short(a: Sequence[int], b: Sequence[int], code: str) -> list[int]:
    """Convolve as :func:`_multiply_packed` does, with weights that fit into the numbers of a machine."""
    one, other, result = array(code, a), array(code, b), array(code)
    number = int.from_bytes(one.tobytes(), byteorder) * int.from_bytes(other.tobytes(), byteorder)
    result.frombytes(number.to_bytes((len(a) + len(b) - 1) * result.itemsize, byteorder))
    return result.tolist()


def _pack(table: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(width, "little") for weight in table]), "little")


def _unpack(packed: int, size: int, width: int) -> list[int]:
    raw = packed.to_bytes(size * width, "little")
    number = int.from_bytes
    return [number(raw[at : at + width], "little") for at in range(0, size * width, width)]


def equal_dice(count: int, sides: int) -> list[int]:
    """Weights of ``count`` dice with ``sides`` sides each, from the lowest total to the highest, in one pass.

    The generating function ``((1 - x**s) / (1 - x)) ** n`` satisfies a differential equation with constant terms. Each
    weight therefore follows from a handful of earlier ones. The table is symmetric; only half of it is computed.

    >>> equal_dice(2, 6)
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    if count == 0 or sides == 1:
        return [1]
    if count == 1:
        return [1] * sides
    span = count * (sides - 1) + 1
    if count == 2:
        rising = list(range(1, sides + 1))
        return rising + rising[-2::-1]
    half = (span + 1) // 2
    # (1-x)(1-x^s) Q' = n ((1-x^s) - s x^(s-1) (1-x)) Q, compared power by power:
    #   k q[k] = (k-1+n) q[k-1] + (k-s-n s) q[k-s] - (k-s-1+n-n s) q[k-s-1]
    table = [1] * half
    total = count * sides
    for k in range(1, min(sides, half)):
        table[k] = (k - 1 + count) * table[k - 1] // k
    if sides < half:
        table[sides] = ((sides - 1 + count) * table[sides - 1] - total) // sides
    for k in range(sides + 1, half):
        table[k] = (
            (k - 1 + count) * table[k - 1]
            + (k - sides - total) * table[k - sides]
            - (k - sides - 1 + count - total) * table[k - sides - 1]
        ) // k
    return table + table[span // 2 - 1 :: -1] if span > 1 else table


def power(table: Sequence[int], count: int, what: object = "this sum") -> list[int]:
    """Weights of the sum of ``count`` independent copies of one table, by a recurrence as in `equal_dice`.

    The table must start and end with a positive weight.

    >>> power([1, 0, 2], 2)
    [1, 0, 4, 0, 4]
    """
    if count == 0:
        return [1]
    if count == 1:
        return list(table)
    first, width = table[0], len(table) - 1
    if width == 0:
        return [first**count]
    span = width * count + 1
    bits = count * sum(table).bit_length()
    bound_work(span * width * (1.5e-7 + 2e-9 * bits / _LIMB) + span * 2.5e-10 * (bits / _LIMB) ** 2, what)
    # q = t**n satisfies t q' = n t' q; compared power by power, with o the offset into the table:
    #   k t[0] q[k] = sum of ((n+1) o - k) t[o] q[k-o] = (n+1) sum of o t[o] q[k-o] - k sum of t[o] q[k-o]
    turned = table[:0:-1]
    sloped = [offset * weight for offset, weight in zip(range(width, 0, -1), turned, strict=True)]
    result = [0] * width + [first**count]
    for k in range(1, span):
        earlier = result[k:]
        result.append(
            ((count + 1) * sum(map(mul, sloped, earlier)) - k * sum(map(mul, turned, earlier))) // (k * first)
        )
    return result[width:]


def highest_kept(weights: Sequence[int], count: int, keep: int, what: object = "this pool") -> list[int]:
    """Weights of the sum of the ``keep`` highest of ``count`` draws from one table, 1 <= ``keep`` <= ``count``.

    The loop takes each face as the lowest one kept. Fewer than ``keep`` dice lie above it, and at most ``count - keep``
    of the rest lie below it. The ways of the rest are plain numbers with a recurrence. The sums of the dice above are
    powers of the table above the face, collected by Horner's rule.

    >>> highest_kept([1, 1], 2, 1)
    [1, 3]
    """
    sides, spare = len(weights), count - keep
    even = min(weights) == max(weights) == 1
    limbs = count * sum(weights).bit_length() / _LIMB
    steps = sides * keep + sides * sides * keep * (keep - 1) / 4 * (1 if even else sides / 4)
    bound_work(steps * (8e-8 + 2e-9 * limbs) + 2e-9 * sides * keep * limbs**1.6, what)
    choices = [comb(count, above) for above in range(keep)]
    fewest = [comb(rest, spare) for rest in range(spare, count)]
    span = keep * (sides - 1) + 1
    width = (sum(weights) ** count).bit_length() // 8 + 1
    if span * width < _PACKED_KEEP:
        return _highest_kept_packed(weights, spare, list(zip(reversed(choices), fewest, strict=True)), width)
    result = [0] * span
    below = 0
    for face, weight in enumerate(weights):
        if weight == 0:
            continue
        # ways: arrangements of the remaining dice with none above this face and at most `spare` below it. One more die
        # can be at or below the face; the case of one too many below is subtracted.
        upto = below + weight
        ways, excess = upto**spare, below ** (spare + 1)
        wider = sides - face - 1
        partial: list[int] = []
        for choice, few in zip(reversed(choices), fewest, strict=True):
            ways = ways * upto - few * excess
            excess *= weight
            if wider and partial:
                grown = _boxed(partial, wider) if even else convolve(partial, weights[face + 1 :])
                partial = [ways * choice, *grown]
            else:
                partial = [ways * choice]
        for offset, part in enumerate(partial, keep * face):
            result[offset] += part
        below = upto
    return result


_PACKED_KEEP = 4_000
"""Upper bound in bytes for building a table of kept dice as one long integer; a list is faster beyond it."""


def _highest_kept_packed(weights: Sequence[int], spare: int, steps: list[tuple[int, int]], width: int) -> list[int]:
    """Run the steps of :func:`highest_kept` on tables packed into integers with slots of ``width`` bytes."""
    slot = 8 * width
    shown = _pack(weights, width)
    result = below = 0
    for face, weight in enumerate(weights):
        upto = below + weight
        ways, excess = upto**spare, below ** (spare + 1)
        above = shown - weight  # shifted by one slot: every die above this face adds at least one to the sum
        partial = 0
        for choice, few in steps:
            ways = ways * upto - few * excess
            excess *= weight
            partial = partial * above + ways * choice
        if weight:
            result += partial << slot * len(steps) * face
        shown >>= slot
        below = upto
    return _unpack(result, len(steps) * (len(weights) - 1) + 1, width)


def _boxed(table: Sequence[int], width: int) -> list[int]:
    """Convolve a table with ``width`` ones, by differences of running totals."""
    if width == 1:
        return list(table)
    running = list(accumulate(table))
    filled = running + running[-1:] * (width - 1)
    return [*filled[:width], *map(sub, filled[width:], running)]


def at_most(table: Sequence[int]) -> list[int]:
    """Running totals from the low end.

    >>> at_most([1, 2, 1])
    [1, 3, 4]
    """
    return list(accumulate(table))


def summed(outcomes: list[U], weights: Sequence[int]) -> tuple[list[U], Sequence[int]]:
    """Different outcomes in the order of their first appearance, and the total weight of each.

    >>> summed(["miss", "hit", "miss"], [1, 2, 3])
    (['miss', 'hit'], [4, 2])
    """
    totals: dict[U, int]
    if weights.count(1) == len(weights):
        totals = Counter(outcomes)
    else:
        totals = dict.fromkeys(outcomes, 0)
        if len(totals) == len(outcomes):
            return outcomes, weights
        for outcome, weight in zip(outcomes, weights, strict=True):
            totals[outcome] += weight
    return list(totals), list(totals.values())


def mean_of(values: Sequence[int | Fraction], weights: Sequence[int], total: int) -> Fraction:
    """Mean of some values by their weights, which have this sum; a single fraction is made.

    >>> mean_of([1, Fraction(1, 2)], [1, 3], 4)
    Fraction(5, 8)
    """
    kinds = set(map(type, values))
    if kinds <= _WHOLE:
        return Fraction(sum(map(mul, values, weights)), total)
    if float in kinds:
        return Fraction(sum(map(mul, values, weights))) / total
    common = lcm(*[value.denominator for value in values])
    whole = [value.numerator * (common // value.denominator) for value in values]
    return Fraction(sum(map(mul, whole, weights)), common * total)


_WHOLE = frozenset([int, bool])
