"""Numbers for people: percentages, short fractions, bars."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

LONGEST_FRACTION = 13
_EIGHTHS = " ▏▎▍▌▋▊▉"


def percent(chance: Fraction) -> str:
    """A chance in percent; only certain outcomes read 100% and only impossible ones 0%.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**9)), percent(1 - Fraction(1, 10**9)), percent(Fraction(1))
    ('33.33%', '1.0e-07%', '>99.99%', '100%')
    """
    if chance in (0, 1):
        return "100%" if chance else "0%"
    number = float(chance) * 100
    if number < 0.005:
        return f"{number:.1e}%" if number else "~0%"
    return ">99.99%" if number >= 99.995 else f"{number:.2f}%"


def fraction(exact: Fraction, longest: int = LONGEST_FRACTION) -> str:
    """A fraction, or its approximate size if it is too long to read.

    >>> fraction(Fraction(3904, 8613)), fraction(Fraction(123456789, 987654321987))
    ('3904/8613', '~1 in 8000')
    """
    if max(exact.denominator.bit_length(), exact.numerator.bit_length()) < 3.4 * longest:
        whole = str(exact)
        if len(whole) <= longest:
            return whole
    if 0 < exact <= Fraction(1, 2):
        return f"~1 in {_significant(1 / exact)}"
    return f"~{float(exact):.6g}"


def _significant(number: Fraction) -> str:
    size = float(number) if number < 10**300 else float("inf")
    return f"{size:.3g}" if size < 1_000 else f"{size:.0f}" if size < 100_000 else f"{size:.1e}"


def number(exact: Fraction) -> str:
    """An expected value: whole numbers as they are, others with four significant digits.

    >>> number(Fraction(4)), number(Fraction(22, 7))
    ('4', '3.143')
    """
    return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):.4g}"


def lead(margin: Fraction, show: Callable[[Fraction], str]) -> str:
    """A margin: percentage points for chances, a number otherwise.

    >>> lead(Fraction(2, 5), percent), lead(Fraction(1, 10**6), percent), lead(Fraction(22, 7), number)
    ('40.00 points', '0.0001 points', '3.143')
    """
    if show is not percent:
        return show(margin)
    points = float(margin) * 100
    return f"{points:.2f} points" if points >= 0.005 else f"{points:.1g} points"


def bar(share: float, width: int, *, unicode: bool = True) -> str:
    """A bar that fills this share of the width.

    >>> bar(0.5, 10, unicode=False)
    '#####'
    """
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    if not unicode:
        return "#" * round(eighths / 8) or ("." if share > 0 else "")
    full, rest = divmod(eighths, 8)
    return "█" * full + _EIGHTHS[rest].strip() or ("▏" if share > 0 else "")


_READABLE = {"True": "yes", "False": "no", "None": "none", "d0..99": "d100"}
_RAW = re.compile(r"\b(?:True|False|None)\b|d0\.\.99|\b[a-z0-9]+(?:_[a-z0-9]+)+\b")


def in_plain_words(text: str) -> str:
    """A step or result of a rule without spellings of the program.

    >>> in_plain_words("roll d0..99: flipped None, critical_failure False")
    'roll d100: flipped none, critical failure no'
    """
    return _RAW.sub(lambda found: _READABLE.get(found[0], found[0].replace("_", " ")), text)
