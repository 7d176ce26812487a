"""Clock with timers, in whole ticks of the system's smallest unit.

>>> clock = Clock().schedule("torch burns out", after=3_600).schedule("watch changes", after=1_800, every=1_800)
>>> clock, fallen = clock.advance(4_000)
>>> [(due.at, due.what) for due in fallen]
[(1800, 'watch changes'), (3600, 'torch burns out'), (3600, 'watch changes')]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.time.calendar import MOST_TEXT, MOST_TICKS
from tablewright.game.values import freeze, thaw

MOST_DUE = 10_000
MOST_FALLEN = 100_000

Data: TypeAlias = str | int | bool | tuple["Data", ...] | None
"""Data that a timer may carry: small, hashable, the same in JSON."""


class Whichever(Enum):
    """Wildcard for the data of a timer; None is a value like any other."""

    ANY = "any"


ANY: Final = Whichever.ANY
AnyData: TypeAlias = Data | Literal[Whichever.ANY]


class Timer(NamedTuple):
    """Entry on the clock: a moment, a name, a participant and data; it repeats after `every` ticks if that is not 0.

    Of several timers at the same moment the one with the lowest `rank` runs out first.
    """

    at: int
    what: str
    who: str = ""
    every: int = 0
    data: Data = None
    rank: int = 0

    def is_like(self, what: str | None = None, who: str | None = None, data: AnyData = ANY) -> bool:
        """True if the timer has this name, participant and data; None and `ANY` match everything."""
        return what in (None, self.what) and who in (None, self.who) and (data is ANY or same_data(data, self.data))

    def to_json(self) -> dict[str, Any]:
        """The timer as plain JSON; empty fields are left out."""
        plain: dict[str, Any] = {"at": self.at, "what": self.what}
        if self.who:
            plain["who"] = self.who
        if self.every:
            plain["every"] = self.every
        if self.data is not None:
            plain["data"] = thaw(self.data)
        if self.rank:
            plain["rank"] = self.rank
        return plain


@dataclass(frozen=True, slots=True)
class Clock:
    """The current time and the timers, earliest first.

    Timers of the same moment are ordered by rank, then by the order of scheduling. A rule that must come after another
    on the same day sets its rank, because the order of scheduling is arbitrary:

    >>> clock = Clock().schedule("season ends", after=90, rank=1).schedule("month is paid", after=30, every=30)
    >>> [due.what for due in clock.advance(90)[1]]
    ['month is paid', 'month is paid', 'month is paid', 'season ends']

    Timers run out at least one tick from now, so a timer that schedules its successor cannot stop the clock.
    """

    now: int = 0
    due: tuple[Timer, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.now <= MOST_TICKS:
            raise InvalidInputError(f"the time {self.now} is out of range, allowed are 0 to {MOST_TICKS:,} ticks")

    def schedule(
        self, what: str, *, after: int, who: str = "", every: int = 0, data: Data = None, rank: int = 0
    ) -> Clock:
        """Add a timer that runs out in `after` ticks (at least 1); it repeats after `every` ticks if that is not 0."""
        if not what or max(len(what), len(who)) > MOST_TEXT:
            raise InvalidInputError(f"what falls due has a name of 1 to {MOST_TEXT} characters")
        if not 1 <= after <= MOST_TICKS or not 0 <= every <= MOST_TICKS:
            raise InvalidInputError(
                f'"{what[:40]}" cannot fall due after {after} and every {every} ticks; after is at least 1'
            )
        if len(self.due) >= MOST_DUE:
            raise InvalidInputError(f"{MOST_DUE:,} things are already waiting to fall due, no more can be kept")
        return self._with(Timer(self.now + after, what, who, every, data, rank))

    def _with(self, thing: Timer) -> Clock:
        place = bisect_right(self.due, (thing.at, thing.rank), key=lambda due: (due.at, due.rank))
        return Clock(self.now, (*self.due[:place], thing, *self.due[place:]))

    def cancel(self, what: str | None = None, *, who: str | None = None, data: AnyData = ANY) -> Clock:
        """Remove the timers with this name, participant and data; None and `ANY` match everything."""
        kept = [due for due in self.due if not due.is_like(what, who, data)]
        return self if len(kept) == len(self.due) else Clock(self.now, tuple(kept))

    def waiting(self, what: str | None = None, *, who: str | None = None, data: AnyData = ANY) -> tuple[Timer, ...]:
        """Timers with this name, participant and data, in the order in which they run out."""
        return tuple([due for due in self.due if due.is_like(what, who, data)])

    def left(self, what: str, *, who: str = "", data: AnyData = ANY) -> int | None:
        """Ticks until the first timer of this name runs out; None if there is none."""
        return next((due.at - self.now for due in self.due if due.is_like(what, who, data)), None)

    def moved(self, by: int) -> Clock:
        """Advance by `by` ticks; timers that ran out still wait to be `taken`."""
        if by < 0:
            raise InvalidInputError(f"time does not go back, not by {-by} ticks")
        return Clock(self.now + by, self.due) if by else self

    def next(self, until: int | None = None) -> Timer | None:
        """First timer that runs out by `until` (default: now); None if there is none."""
        latest = self.now if until is None else until
        return self.due[0] if self.due and self.due[0].at <= latest else None

    def taken(self) -> Clock:
        """Remove the first timer that has run out; a repeating one is scheduled again."""
        first = self.next()
        if first is None:
            raise InvalidInputError(f"nothing is due at {self.now}")
        later = Clock(self.now, self.due[1:])
        return later._with(first._replace(at=first.at + first.every)) if first.every else later

    def step(self, until: int) -> tuple[Clock, Timer | None]:
        """Advance to the next timer, or to `until` if none runs out before.

        Use this to advance time when a timer may schedule or cancel others:

            until = clock.now + by
            while True:
                clock, due = clock.step(until)
                if due is None:
                    break
                clock = ...                # run the timer

        Where only events change the state, call `next(until)`, then emit an event that applies `moved`, then one that
        applies `taken`.
        """
        if until < self.now:
            raise InvalidInputError(f"time does not go back: it is {self.now}, not {until}")
        due = self.next(until)
        if due is None:
            return self.moved(until - self.now), None
        return self.moved(max(0, due.at - self.now)).taken(), due

    def advance(self, by: int) -> tuple[Clock, tuple[Timer, ...]]:
        """Advance by `by` ticks; return the clock and the timers that ran out, in order."""
        fallen: list[Timer] = []

        def keep(clock: Clock, due: Timer) -> Clock:
            fallen.append(due)
            return clock

        return run(self, by, keep), tuple(fallen)

    def to_json(self) -> dict[str, Any]:
        """The clock as plain JSON; `from_json` returns an equal one."""
        return {"now": self.now, "due": [due.to_json() for due in self.due]}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Clock:
        """Read a clock from JSON; the error lists all problems at once."""
        problems = list(_clock_problems(plain))
        if problems:
            raise ProblemListError(problems)
        return cls(
            plain["now"],
            tuple(
                [
                    Timer(
                        entry["at"],
                        entry["what"],
                        entry.get("who", ""),
                        entry.get("every", 0),
                        freeze(entry.get("data")),
                        entry.get("rank", 0),
                    )
                    for entry in plain.get("due", [])
                ]
            ),
        )


def run(clock: Clock, by: int, handle: Callable[[Clock, Timer], Clock]) -> Clock:
    """Advance time and pass each timer that runs out to `handle`, which may schedule and cancel others.

    >>> def spread(clock: Clock, due: Timer) -> Clock:
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
    raise InvalidInputError(
        f"more than {MOST_FALLEN:,} things fall due within {by} ticks; let time pass in smaller steps"
    )


def _clock_problems(plain: Mapping[str, Any]) -> Iterator[str]:
    now = plain.get("now")
    if type(now) is not int:
        yield f"now is {now!r:.40}; allowed are whole numbers of ticks"
        return
    entries = plain.get("due", [])
    if not isinstance(entries, list | tuple) or len(entries) > MOST_DUE:
        yield f"due is not a list of at most {MOST_DUE:,} things"
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


def same_data(one: Data, other: Data) -> bool:
    """True if two data values are equal; `True` and `1` differ, as they do in JSON."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_data, one, other))
    return type(one) is type(other) and one == other
