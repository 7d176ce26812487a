"""Time: a calendar that reads and writes durations, and a clock with the things that fall due.

All time is counted in whole ticks of the system's smallest unit.

>>> calendar = Calendar((Unit("second", 1), Unit("round", 6, spoken=False), Unit("minute", 60), Unit("hour", 3_600)))
>>> calendar.parse("1 hour 3 rounds"), calendar.show(3_690)
(3618, '1 hour 1 minute 30 seconds')
>>> clock = Clock().schedule("torch burns out", after=3_600).schedule("watch changes", after=1_800, every=1_800)
>>> clock, fallen = clock.advance(4_000)
>>> [(due.at, due.what) for due in fallen]
[(1800, 'watch changes'), (3600, 'torch burns out'), (3600, 'watch changes')]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tablewright.errors import BadInput, ManyProblems, nearest

MOST_TICKS = 10**15
MOST_DUE = 10_000
MOST_FALLEN = 100_000
MOST_UNITS = 60
MOST_TEXT = 200
_PART = re.compile(
    r"\s*(?P<count>[0-9]{1,15}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?)"
    r"\s*(?P<unit>[^\W\d_][^\d,;+]*?)"
    r"\s*(?:,?\s*\band\b|[,;+])?\s*(?=[0-9]|\Z)"
)

Data: TypeAlias = str | int | bool | tuple["Data", ...] | None
"""What a thing that falls due may carry: small, hashable, the same in JSON."""


class Whichever(Enum):
    """Stands for whatever data a thing carries; None is data like any other."""

    ANY = "any"


ANY: Final = Whichever.ANY
AnyData: TypeAlias = Data | Literal[Whichever.ANY]


class Unit(NamedTuple):
    """A unit of time: its name, how many ticks it has, other ways to write it, whether it is used in output."""

    name: str
    ticks: int
    plural: str = ""
    short: tuple[str, ...] = ()
    spoken: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """Every way to write it."""
        return (self.name, self.many, *self.short)

    @property
    def many(self) -> str:
        """Its name for more than one."""
        return self.plural or f"{self.name}s"


@dataclass(frozen=True, slots=True)
class Calendar:
    """The units of a game, from the smallest to the largest.

    A unit that is not `spoken` is understood but never used in output; `counted` names the units in which moments are
    numbered. Where the smallest unit is longer than a tick, what is left over is written as a fraction of it.

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
            raise ManyProblems(problems)
        by_word = {word.casefold(): unit for unit in self.units for word in unit.words}
        object.__setattr__(self, "_by_word", by_word)

    def unit(self, name: str) -> Unit:
        """The unit with this name, in any of its forms."""
        found = self._by_word.get(name.strip().casefold())
        if found is None:
            known = ", ".join(unit.name for unit in self.units)
            raise BadInput(f'there is no unit of time "{name[:40]}"{nearest(name, self._by_word)} (units: {known})')
        return found

    def ticks(self, unit: str, count: Fraction | int = 1) -> int:
        """How many ticks so many of a unit have; less than a tick is refused."""
        ticks = Fraction(count) * self.unit(unit).ticks
        if ticks.denominator != 1:
            raise BadInput(f"{count} {self.unit(unit).many} cannot be counted, the smallest time is {self.show(1)}")
        if not 0 <= ticks <= MOST_TICKS:
            raise BadInput(f"{count} {self.unit(unit).many} is too long, at most {self.show(MOST_TICKS)}")
        return ticks.numerator

    def parse(self, text: str) -> int:
        """The ticks of a duration such as `3 days 4 hours`, `1.5 hours`, `1/2 day and 10 min`; 0 is written `0 days`.

        >>> Calendar((Unit("minute", 1, short=("min",)), Unit("hour", 60))).parse("1.5 hours and 10 min")
        100
        """
        shown = text if len(text) <= 40 else text[:37] + "..."
        example = f"a duration is written like {self.show(self.units[-1].ticks + self.units[0].ticks)}"
        if len(text) > MOST_TEXT:
            raise BadInput(f'"{shown}" is too long; {example}')
        at, total = 0, 0
        problems: list[str] = []
        while at < len(text):
            part = _PART.match(text, at)
            if part is None:
                raise BadInput(f'"{shown}" is no duration; {example}')
            try:
                total += self.ticks(part["unit"], Fraction(part["count"]))
            except BadInput as problem:
                problems.append(problem.message)
            at = part.end()
        if problems:
            raise ManyProblems(problems)
        if not text.strip():
            raise BadInput(f'"{shown}" is no duration; {example}')
        if total > MOST_TICKS:
            raise BadInput(f'"{shown}" is too long, at most {self.show(MOST_TICKS)}')
        return total

    def split(self, ticks: int) -> tuple[tuple[Unit, int | Fraction], ...]:
        """A duration in spoken units, the largest first; only the smallest may have a fraction."""
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
        """A duration in words; `parse` reads it back."""
        parts = []
        for unit, count in self.split(ticks):
            if isinstance(count, Fraction) and count > 1:
                parts.append(f"{count} {unit.many}")
            else:
                parts.append(f"{count} {unit.name if 0 < count <= 1 else unit.many}")
        return " ".join(parts)

    def moment(self, now: int) -> str:
        """A point in time: the counted units numbered from 1, then what is left as a duration."""
        parts, left = [], now
        for unit in reversed([self.unit(name) for name in self.counted]):
            count, left = divmod(left, unit.ticks)
            parts.append(f"{unit.name} {count + 1}")
        if left or not parts:
            parts.append(self.show(left))
        return ", ".join(parts)

    def number(self, now: int, unit: str) -> int:
        """How many of a unit have passed since the beginning."""
        return now // self.unit(unit).ticks

    def until_next(self, now: int, unit: str) -> int:
        """How long it is to the next beginning of a unit: to the next day, the next week.

        >>> Calendar((Unit("hour", 1), Unit("day", 24))).until_next(30, "day")
        18
        """
        ticks = self.unit(unit).ticks
        return ticks - now % ticks


class Due(NamedTuple):
    """Something that falls due at a moment: what, for whom, with what in hand; `every` so many ticks it comes again.

    Of several things due at the same moment the one with the lowest `rank` comes first.
    """

    at: int
    what: str
    who: str = ""
    every: int = 0
    data: Data = None
    rank: int = 0

    def is_like(self, what: str | None = None, who: str | None = None, data: AnyData = ANY) -> bool:
        """Whether it has this name, is for this person and carries this; what is not said does not matter."""
        return what in (None, self.what) and who in (None, self.who) and (data is ANY or same_data(data, self.data))

    def to_json(self) -> dict[str, Any]:
        """The thing as plain JSON; what is empty is left out."""
        plain: dict[str, Any] = {"at": self.at, "what": self.what}
        if self.who:
            plain["who"] = self.who
        if self.every:
            plain["every"] = self.every
        if self.data is not None:
            plain["data"] = _thawed(self.data)
        if self.rank:
            plain["rank"] = self.rank
        return plain


@dataclass(frozen=True, slots=True)
class Clock:
    """The time now and the things to come, earliest first.

    Things due at the same moment come by their rank, and those of the same rank in the order of scheduling. A rule that
    must come after another on the same day says so by its rank, because the order of scheduling is an accident:

    >>> clock = Clock().schedule("season ends", after=90, rank=1).schedule("month is paid", after=30, every=30)
    >>> [due.what for due in clock.advance(90)[1]]
    ['month is paid', 'month is paid', 'month is paid', 'season ends']

    Nothing can be scheduled for now or before, so that time always moves on between two things of the same chain.
    """

    now: int = 0
    due: tuple[Due, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.now <= MOST_TICKS:
            raise BadInput(f"the time {self.now} is out of range, allowed are 0 to {MOST_TICKS:,} ticks")

    def schedule(
        self, what: str, *, after: int, who: str = "", every: int = 0, data: Data = None, rank: int = 0
    ) -> Clock:
        """With something that falls due `after` so many ticks, and then `every` so many."""
        if not what or max(len(what), len(who)) > MOST_TEXT:
            raise BadInput(f"what falls due has a name of 1 to {MOST_TEXT} characters")
        if not 1 <= after <= MOST_TICKS or not 0 <= every <= MOST_TICKS:
            raise BadInput(f'"{what[:40]}" cannot fall due after {after} and every {every} ticks; after is at least 1')
        if len(self.due) >= MOST_DUE:
            raise BadInput(f"{MOST_DUE:,} things are already waiting to fall due, no more can be kept")
        return self._with(Due(self.now + after, what, who, every, data, rank))

    def _with(self, thing: Due) -> Clock:
        place = bisect_right(self.due, (thing.at, thing.rank), key=lambda due: (due.at, due.rank))
        return Clock(self.now, (*self.due[:place], thing, *self.due[place:]))

    def cancel(self, what: str | None = None, *, who: str | None = None, data: AnyData = ANY) -> Clock:
        """Without the things of this name, of this person, with this data; what is not said does not matter."""
        kept = [due for due in self.due if not due.is_like(what, who, data)]
        return self if len(kept) == len(self.due) else Clock(self.now, tuple(kept))

    def waiting(self, what: str | None = None, *, who: str | None = None, data: AnyData = ANY) -> tuple[Due, ...]:
        """The things of this name, of this person, with this data, in the order in which they fall due."""
        return tuple([due for due in self.due if due.is_like(what, who, data)])

    def left(self, what: str, *, who: str = "", data: AnyData = ANY) -> int | None:
        """How long until the first thing of this name falls due; None if there is none."""
        return next((due.at - self.now for due in self.due if due.is_like(what, who, data)), None)

    def moved(self, by: int) -> Clock:
        """So many ticks later; what fell due meanwhile still waits to be `taken`."""
        if by < 0:
            raise BadInput(f"time does not go back, not by {-by} ticks")
        return Clock(self.now + by, self.due) if by else self

    def next(self, until: int | None = None) -> Due | None:
        """The first thing that falls due, at `until` at the latest; by itself, the first that is due now."""
        latest = self.now if until is None else until
        return self.due[0] if self.due and self.due[0].at <= latest else None

    def taken(self) -> Clock:
        """Without the first thing that is due now; one that repeats waits again."""
        first = self.next()
        if first is None:
            raise BadInput(f"nothing is due at {self.now}")
        later = Clock(self.now, self.due[1:])
        return later._with(first._replace(at=first.at + first.every)) if first.every else later

    def step(self, until: int) -> tuple[Clock, Due | None]:
        """To the next thing that falls due, or to `until` if nothing does before it.

        This is how to let time pass where what falls due may schedule or cancel other things:

            until = clock.now + by
            while True:
                clock, due = clock.step(until)
                if due is None:
                    break
                clock = ...                # whatever the thing does

        Where only events change the state, the same is `next(until)`, then an event whose application is `moved`, then
        one whose application is `taken`.
        """
        if until < self.now:
            raise BadInput(f"time does not go back: it is {self.now}, not {until}")
        due = self.next(until)
        if due is None:
            return self.moved(until - self.now), None
        return self.moved(max(0, due.at - self.now)).taken(), due

    def advance(self, by: int) -> tuple[Clock, tuple[Due, ...]]:
        """So many ticks later, and all that fell due on the way, in order."""
        fallen: list[Due] = []

        def keep(clock: Clock, due: Due) -> Clock:
            fallen.append(due)
            return clock

        return run(self, by, keep), tuple(fallen)

    def to_json(self) -> dict[str, Any]:
        """The clock as plain JSON; `from_json` gives an equal one."""
        return {"now": self.now, "due": [due.to_json() for due in self.due]}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Clock:
        """The clock that JSON holds."""
        problems = list(_clock_problems(plain))
        if problems:
            raise ManyProblems(problems)
        return cls(
            plain["now"],
            tuple(
                [
                    Due(
                        entry["at"],
                        entry["what"],
                        entry.get("who", ""),
                        entry.get("every", 0),
                        _frozen(entry.get("data")),
                        entry.get("rank", 0),
                    )
                    for entry in plain.get("due", [])
                ]
            ),
        )


def run(clock: Clock, by: int, handle: Callable[[Clock, Due], Clock]) -> Clock:
    """Lets time pass and gives each thing that falls due to `handle`, which may schedule and cancel others.

    >>> def spread(clock: Clock, due: Due) -> Clock:
    ...     return clock.schedule("fever", after=3, who="bert") if due.who == "anna" else clock
    >>> run(Clock().schedule("fever", after=2, who="anna"), 10, spread)
    Clock(now=10, due=())
    """
    until = clock.moved(by).now
    for _ in range(MOST_FALLEN):
        clock, due = clock.step(until)
        if due is None:
            return clock
        clock = handle(clock, due)
    raise BadInput(f"more than {MOST_FALLEN:,} things fall due within {by} ticks; let time pass in smaller steps")


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
            yield f'there is no unit of time "{name}" to count in{nearest(name, sizes)}'
    counted = [sizes[name] for name in calendar.counted if name in sizes]
    if counted != sorted(counted):
        yield "counted units go from the smallest to the largest"


def _clock_problems(plain: Mapping[str, Any]) -> Iterator[str]:
    now = plain.get("now")
    if type(now) is not int:
        yield f"now is {now!r:.40}; allowed are whole numbers of ticks"
        return
    entries = plain.get("due", [])
    if not isinstance(entries, list | tuple) or len(entries) > MOST_DUE:
        yield f"due is no list of at most {MOST_DUE:,} things"
        return
    before = (0, -MOST_TICKS)
    for number, entry in enumerate(entries):
        at = entry.get("at") if isinstance(entry, Mapping) else None
        if type(at) is not int or not before[0] <= at <= 2 * MOST_TICKS:
            yield f"due[{number}].at is {at!r:.40}; allowed are whole numbers of ticks, in order"
            continue
        rank = entry.get("rank", 0)
        if type(rank) is not int or (at, rank) < before:
            yield f"due[{number}].rank is {rank!r:.40}; allowed are whole numbers, in order at the same moment"
            continue
        before = (at, rank)
        if not isinstance(entry.get("what"), str) or not isinstance(entry.get("who", ""), str):
            yield f"due[{number}] needs text for what, and for who if it is given"
        every = entry.get("every", 0)
        if type(every) is not int or every < 0:
            yield f"due[{number}].every is {every!r:.40}; allowed are whole numbers of ticks"


def _frozen(value: Any) -> Data:
    return tuple([_frozen(part) for part in value]) if isinstance(value, list | tuple) else value


def same_data(one: Data, other: Data) -> bool:
    """Whether two things carry the same: `True` and `1` are different, as they are in JSON."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_data, one, other))
    return type(one) is type(other) and one == other


def _thawed(value: Data) -> Any:
    return [_thawed(part) for part in value] if isinstance(value, tuple) else value
