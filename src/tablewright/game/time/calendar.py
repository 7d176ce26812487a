"""Calendars: units of time, and durations parsed and formatted in them.

All time is counted in whole ticks of the system's smallest unit.

>>> calendar = Calendar((Unit("second", 1), Unit("round", 6, spoken=False), Unit("minute", 60), Unit("hour", 3_600)))
>>> calendar.parse("1 hour 3 rounds"), calendar.show(3_690)
(3618, '1 hour 1 minute 30 seconds')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tablewright.errors import InvalidInputError, ProblemListError, did_you_mean

MOST_TICKS = 10**15
MOST_UNITS = 60
MOST_TEXT = 200
_PART = re.compile(
    r"\s*(?P<count>[0-9]{1,15}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?)"
    r"\s*(?P<unit>[^\W\d_][^\d,;+]*?)"
    r"\s*(?:,?\s*\band\b|[,;+])?\s*(?=[0-9]|\Z)"
)


class Unit(NamedTuple):
    """Unit of time: its name, length in ticks, other spellings, and whether output uses it."""

    name: str
    ticks: int
    plural: str = ""
    short: tuple[str, ...] = ()
    spoken: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """All accepted spellings."""
        return (self.name, self.many, *self.short)

    @property
    def many(self) -> str:
        """Plural name."""
        return self.plural or f"{self.name}s"


@dataclass(frozen=True, slots=True)
class Calendar:
    """Units of a game, from the smallest to the largest.

    A unit that is not `spoken` is parsed but never used in output. `counted` names the units that number moments. If
    the smallest unit is longer than a tick, the remainder is written as a fraction of it.

    >>> old = Calendar((Unit("ounce", 15), Unit("hour", 7_200), Unit("day", 172_800)), counted=("day",))
    >>> old.show(7_215), old.show(10), old.parse("2/3 ounce")
    ('1 hour 1 ounce', '2/3 ounce', 10)
    >>> old.moment(172_800 * 2 + 7_200)
    'day 3, 1 hour'
    """

    units: tuple[Unit, ...]
    counted: tuple[str, ...] = ()
    _by_word: dict[str, Unit] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        problems = list(_calendar_problems(self))
        if problems:
            raise ProblemListError(problems)
        by_word = {word.casefold(): unit for unit in self.units for word in unit.words}
        object.__setattr__(self, "_by_word", by_word)

    def unit(self, name: str) -> Unit:
        """The unit with this name in any spelling; unknown names are refused."""
        found = self._by_word.get(name.strip().casefold())
        if found is None:
            known = ", ".join(unit.name for unit in self.units)
            raise InvalidInputError(
                f'there is no unit of time "{name[:40]}"{did_you_mean(name, self._by_word)} (units: {known})'
            )
        return found

    def ticks(self, unit: str, count: Fraction | int = 1) -> int:
        """Length of `count` units in ticks; fractions of a tick are refused."""
        ticks = Fraction(count) * self.unit(unit).ticks
        if ticks.denominator != 1:
            raise InvalidInputError(
                f"{count} {self.unit(unit).many} cannot be counted, the smallest time is {self.show(1)}"
            )
        if not 0 <= ticks <= MOST_TICKS:
            raise InvalidInputError(f"{count} {self.unit(unit).many} is too long, at most {self.show(MOST_TICKS)}")
        return ticks.numerator

    def parse(self, text: str) -> int:
        """Parse a duration such as `3 days 4 hours`, `1.5 hours`, `1/2 day and 10 min` into ticks; 0 is `0 days`.

        >>> Calendar((Unit("minute", 1, short=("min",)), Unit("hour", 60))).parse("1.5 hours and 10 min")
        100
        """
        shown = text if len(text) <= 40 else text[:37] + "..."
        example = f"a duration is written like {self.show(self.units[-1].ticks + self.units[0].ticks)}"
        if len(text) > MOST_TEXT:
            raise InvalidInputError(f'"{shown}" is too long; {example}')
        at, total = 0, 0
        problems: list[str] = []
        while at < len(text):
            part = _PART.match(text, at)
            if part is None:
                raise InvalidInputError(f'"{shown}" is not a duration; {example}')
            try:
                total += self.ticks(part["unit"], Fraction(part["count"]))
            except InvalidInputError as problem:
                problems.append(problem.message)
            at = part.end()
        if problems:
            raise ProblemListError(problems)
        if not text.strip():
            raise InvalidInputError(f'"{shown}" is not a duration; {example}')
        if total > MOST_TICKS:
            raise InvalidInputError(f'"{shown}" is too long, at most {self.show(MOST_TICKS)}')
        return total

    def split(self, ticks: int) -> tuple[tuple[Unit, int | Fraction], ...]:
        """Split a duration into spoken units, the largest first; only the smallest may have a fraction."""
        spoken = [unit for unit in self.units if unit.spoken]
        parts: list[tuple[Unit, int | Fraction]] = []
        for unit in reversed(spoken):
            if unit is spoken[0]:
                rest = Fraction(ticks, unit.ticks)
                if rest or not parts:
                    parts.append((unit, rest.numerator if rest.denominator == 1 else rest))
            elif ticks >= unit.ticks:
                count, ticks = divmod(ticks, unit.ticks)
                parts.append((unit, count))
        return tuple(parts)

    def show(self, ticks: int) -> str:
        """Format a duration in words; `parse` reads it back."""
        parts = []
        for unit, count in self.split(ticks):
            if isinstance(count, Fraction) and count > 1:
                parts.append(f"{count} {unit.many}")
            else:
                parts.append(f"{count} {unit.name if 0 < count <= 1 else unit.many}")
        return " ".join(parts)

    def moment(self, now: int) -> str:
        """Format a point in time: the counted units numbered from 1, then the rest as a duration."""
        parts, left = [], now
        for unit in reversed([self.unit(name) for name in self.counted]):
            count, left = divmod(left, unit.ticks)
            parts.append(f"{unit.name} {count + 1}")
        if left or not parts:
            parts.append(self.show(left))
        return ", ".join(parts)

    def number(self, now: int, unit: str) -> int:
        """Number of whole units since the beginning."""
        return now // self.unit(unit).ticks


def _calendar_problems(calendar: Calendar) -> Iterator[str]:
    if not 1 <= len(calendar.units) <= MOST_UNITS:
        yield f"a calendar has 1 to {MOST_UNITS} units, not {len(calendar.units)}"
        return
    seen: dict[str, str] = {}
    before = 0
    for unit in calendar.units:
        if type(unit.ticks) is not int or not 1 <= unit.ticks <= MOST_TICKS:
            yield f"{unit.name} has {unit.ticks} ticks; allowed are 1 to {MOST_TICKS:,}"
        elif unit.ticks <= before:
            yield f"{unit.name} is not longer than the unit before it; units go from the smallest to the largest"
        else:
            before = unit.ticks
        for word in dict.fromkeys(unit.words):
            if not re.fullmatch(r"[^\W\d_](?:[^\W\d_ ]|[ '-](?=[^\W\d_]))*", word):
                yield f'"{word}" cannot be the name of a unit: letters, with single spaces between words'
            if word.casefold() in seen:
                yield f'"{word}" is both {seen[word.casefold()]} and {unit.name}'
            seen[word.casefold()] = unit.name
    if not any(unit.spoken for unit in calendar.units):
        yield "no unit is spoken, so that no duration can be written"
    sizes = {unit.name: unit.ticks for unit in calendar.units}
    for name in calendar.counted:
        if name not in sizes:
            yield f'there is no unit of time "{name}" to count in{did_you_mean(name, sizes)}'
    counted = [sizes[name] for name in calendar.counted if name in sizes]
    if counted != sorted(counted):
        yield "counted units go from the smallest to the largest"
