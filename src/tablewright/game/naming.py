"""Numbers that have names in a book: read by the name or as a number, shown by the name where there is one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablewright.errors import BadInput, nearest

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


def named_or_number(text: str, names: Mapping[str, int], low: int, high: int, *, what: str, rule: str) -> int | str:
    """The name that a text says, as the book has it, or the number within bounds that it is.

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
    raise BadInput(
        f'"{text:.40}" is no {what}; allowed are {", ".join(names)} and whole numbers from {low} to {high}'
        f"{nearest(word, names)}",
        rule=rule,
    )


def number_named(text: str, names: Mapping[str, int], low: int, high: int, *, what: str, rule: str) -> int:
    """The number that a text says, by its name or as it is.

    >>> number_named("easy", {"easy": 5}, 0, 40, what="difficulty", rule="demo.check.bands")
    5
    """
    found = named_or_number(text, names, low, high, what=what, rule=rule)
    return names[found] if isinstance(found, str) else found


def name_of(value: int, names: Mapping[str, int]) -> str:
    """The name of a number, or the number itself.

    >>> name_of(5, {"easy": 5}), name_of(6, {"easy": 5})
    ('easy', '6')
    """
    return next((name for name, number in names.items() if number == value), str(value))
