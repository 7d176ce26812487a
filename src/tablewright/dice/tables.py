"""Flat integer tables: weights of consecutive integers as plain lists, and the few loops everything fast is made of.

A table is a sequence of whole-number weights; which integer its first entry stands for is the caller's business. These
functions know nothing of dice or games. They never build a fraction, never dispatch on a type inside a loop and do each
thing in as few passes as the arithmetic allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from math import comb
from operator import mul, sub

from tablewright.errors import BadInput

MOST_ENTRIES = 200_000
"""How many different totals one table may hold."""

MOST_BYTES = 16_000_000
"""How much memory the weights of one table may take."""

MOST_BITS = 14_000
"""How long one weight may be: beyond it Python no longer prints the fraction (4,300 decimal digits)."""

MOST_WORK = 0.4
"""About how many seconds on one core an expression's tables may take to make; what would take longer is refused."""

_LIMB = 30
"""Bits in one digit of a Python integer: what the estimates of work count in."""


def bound(entries: int, bits: int, what: object) -> None:
    """Refuse a table of ``entries`` weights of about ``bits`` bits each, before any work is done.

    >>> bound(5_001, 2_585, "1000d6")
    >>> bound(10**9, 3, "10^9 coins")
    Traceback (most recent call last):
        ...
    tablewright.errors.BadInput: 10^9 coins is too large for exact odds: 1,000,000,000 different totals, at most 200,000
    """
    if entries > MOST_ENTRIES:
        raise BadInput(f"{what} is too large for exact odds: {entries:,} different totals, at most {MOST_ENTRIES:,}")
    if bits > MOST_BITS:
        raise BadInput(f"{what} is too large for exact odds: its fractions would have about {bits * 3 // 10:,} digits")
    if entries * bits // 8 > MOST_BYTES:
        raise BadInput(
            f"{what} is too large for exact odds: its table would need about {entries * bits // 8_000_000:,} MB, "
            f"at most {MOST_BYTES // 1_000_000} MB"
        )


_spent: ContextVar[list[float] | None] = ContextVar("seconds spent on the tables of one expression", default=None)


@contextmanager
def budget() -> Iterator[None]:
    """All tables made inside share one allowance of work, so that many halves of a second are refused like one hour."""
    if _spent.get() is not None:
        yield
        return
    token = _spent.set([0.0])
    try:
        yield
    finally:
        _spent.reset(token)


def bound_work(seconds: float, what: object) -> None:
    """Refuse what would take longer than :data:`MOST_WORK`, by an estimate made beforehand."""
    spent = _spent.get()
    if spent is not None:
        spent[0] += seconds
        seconds = spent[0]
    if seconds > MOST_WORK:
        raise BadInput(f"{what} is too large for exact odds: its table would take too long to make")


def convolve(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The weights of the sum of two independent tables.

    >>> convolve([1, 1, 1], [1, 1])
    [1, 2, 2, 1]
    """
    if len(a) < len(b):
        a, b = b, a
    if len(b) == 1:
        factor = b[0]
        return list(a) if factor == 1 else [weight * factor for weight in a]
    if len(b) * len(a) > 400:
        width = ((max(a) * max(b) * len(b)).bit_length() + 7) // 8
        packed = _packed_seconds(len(a), len(b), width)
        looped = _looped_seconds(len(a), max(a).bit_length(), len(b), max(b).bit_length())
        bound_work(min(packed, looped), f"a sum of tables with {len(a):,} and {len(b):,} totals")
        if width and packed < looped:
            return _multiply_packed(a, b, width)
    # every weight of the result is one sum of products; the ends, where the tables overlap in part, meet zeros
    turned, size = b[::-1], len(b)
    zeros = [0] * (size - 1)
    padded = [*zeros, *a, *zeros]
    return [sum(map(mul, turned, padded[at : at + size])) for at in range(len(a) + size - 1)]


def convolve_seconds(longer: int, long_bits: int, shorter: int, short_bits: int) -> float:
    """About how long :func:`convolve` takes for two tables of so many weights of so many bits."""
    looped = _looped_seconds(longer, long_bits, shorter, short_bits)
    return min(looped, _packed_seconds(longer, shorter, (long_bits + short_bits) // 8 + 2))


def _looped_seconds(longer: int, long_bits: int, shorter: int, short_bits: int) -> float:
    return longer * shorter * (4.5e-8 + 1e-9 * (long_bits // _LIMB + 1) * (short_bits // _LIMB + 1))


def _packed_seconds(longer: int, shorter: int, width: int) -> float:
    """Karatsuba on blocks of the shorter number, and the packing."""
    digits = shorter * width * 8 / _LIMB
    return longer / shorter * 7e-9 * float(digits**1.585) + (longer + shorter) * (3e-7 + 1e-9 * width)


def _multiply_packed(a: Sequence[int], b: Sequence[int], width: int) -> list[int]:
    """Convolve by one multiplication: each table becomes one long number with a slot of equal width per weight."""
    size = len(a) + len(b) - 1
    return _unpack(_pack(a, width) * _pack(b, width), size, width)


def _pack(table: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(width, "little") for weight in table]), "little")


def _unpack(packed: int, size: int, width: int) -> list[int]:
    raw = packed.to_bytes(size * width, "little")
    number = int.from_bytes
    return [number(raw[at : at + width], "little") for at in range(0, size * width, width)]


def equal_dice(count: int, sides: int) -> list[int]:
    """The weights of ``count`` dice with ``sides`` sides each, from the lowest total to the highest, in one pass.

    The generating function ``((1 - x**s) / (1 - x)) ** n`` satisfies a differential equation with constant terms, so
    each weight follows from a handful of earlier ones; the table is symmetric, so only half of it is computed.

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
    """The weights of the sum of ``count`` independent copies of one table, by the same kind of recurrence.

    The table starts and ends with a positive weight.

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
    """The weights of the sum of the ``keep`` highest of ``count`` draws from one table, 1 <= ``keep`` <= ``count``.

    Each face in turn is the lowest one kept: some dice, fewer than ``keep``, lie above it, and of the rest at most
    ``count - keep`` lie below it. The ways of the rest are plain numbers that follow from each other; the sums of the
    dice above are powers of the table above the face, gathered by Horner's rule.

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
        # ways: of so many remaining dice, none above this face, at most `spare` lie below it; one die more may be
        # either, less the case of one too many below
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
"""Up to so many bytes a table of kept dice is quicker made as one long number than as a list."""


def _highest_kept_packed(weights: Sequence[int], spare: int, steps: list[tuple[int, int]], width: int) -> list[int]:
    """The same steps as in :func:`highest_kept`, with every table as one long number of slots of ``width`` bytes."""
    slot = 8 * width
    shown = _pack(weights, width)
    result = below = 0
    for face, weight in enumerate(weights):
        upto = below + weight
        ways, excess = upto**spare, below ** (spare + 1)
        above = shown - weight  # one slot up, so that every die above this face adds at least one to the sum
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
    """The table convolved with ``width`` ones: differences of running totals."""
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


def extreme(tables: Sequence[Sequence[int]], *, highest: bool) -> list[int]:
    """The weights of the highest (or lowest) of several independent tables over the same integers.

    >>> extreme([[1, 1], [1, 1]], highest=True)
    [1, 3]
    """
    size = len(tables[0])
    below = [1] * size
    for table in tables:
        running = at_most(table if highest else table[::-1])
        below = [left * right for left, right in zip(below, running, strict=True)]
    weights = [below[0]] + [below[i] - below[i - 1] for i in range(1, size)]
    return weights if highest else weights[::-1]
