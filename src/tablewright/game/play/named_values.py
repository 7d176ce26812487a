"""Numbers with names in a book: parsed from the name or the digits, displayed by name where there is one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablewright.errors import InvalidInputError, did_you_mean

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


def named_or_number(text: str, names: Mapping[str, int], low: int, high: int, *, what: str, rule: str) -> int | str:
    """Parse a name of the book or a whole number within bounds; anything else is refused.

    >>> bands = {"easy": 5, "very_hard": 20}
    >>> named_or_number("Very hard", bands, 0, 40, what="difficulty", rule="demo.check.bands")
    'very_hard'
    >>> named_or_number("+12", bands, 0, 40, what="difficulty", rule="demo.check.bands")
    12
    """
    word = text.strip().casefold()
    for spelled in (word, word.replace(" ", "_")):
        if spelled in names:
            return spelled
    if _NUMBER.fullmatch(word) and low <= int(word) <= high:
        return int(word)
    raise InvalidInputError(
        f'"{text:.40}" is no {what}; allowed are {", ".join(names)} and whole numbers from {low} to {high}'
        f"{did_you_mean(word, names)}",
        rule=rule,
    )


def number_named(text: str, names: Mapping[str, int], low: int, high: int, *, what: str, rule: str) -> int:
    """Parse a number from its name or its digits.

    >>> number_named("easy", {"easy": 5}, 0, 40, what="difficulty", rule="demo.check.bands")
    5
    """
    found = named_or_number(text, names, low, high, what=what, rule=rule)
    return names[found] if isinstance(found, str) else found


def name_of(value: int, names: Mapping[str, int]) -> str:
    """The name of a number, or its digits if it has none.

    >>> name_of(5, {"easy": 5}), name_of(6, {"easy": 5})
    ('easy', '6')
    """
    return next((name for name, number in names.items() if number == value), str(value))
