"""What is kept of many fights: whole numbers only, of bounded size, that can be added up in any grouping.

>>> few = Count()
>>> for number in (3, 5, 5):
...     few.add(number)
>>> few.total, few.squares, few.of, few.seen
(13, 59, 3, {3: 1, 5: 2})
>>> few.merge(few)
>>> few.of, few.mean().value == 26 / 6, few.quantile(0.5).value
(6, True, 5)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tablewright.lab.intervals import Interval, mean, quantile, share

MOST_SEEN = 4_096
"""How many different numbers are told apart; beyond that only mean and spread are known."""

MOST_EXAMPLES = 20
"""How many fights of each outcome are remembered by their numbers, the first ones."""

NOBODY = ""
"""Stands for the side of a draw, and for harm that was nobody's doing."""


@dataclass
class Count:
    """Whole numbers that were seen: how many, their sum and squares, and how often each was."""

    of: int = 0
    total: int = 0
    squares: int = 0
    seen: dict[int, int] | None = field(default_factory=dict)

    def add(self, number: int, times: int = 1) -> None:
        """Another one, or several alike."""
        self.of += times
        self.total += number * times
        self.squares += number * number * times
        if self.seen is not None:
            self.seen[number] = self.seen.get(number, 0) + times
            if len(self.seen) > MOST_SEEN:
                self.seen = None

    def merge(self, other: Count) -> None:
        """All of another count."""
        self.of += other.of
        self.total += other.total
        self.squares += other.squares
        if self.seen is None or other.seen is None:
            self.seen = None
            return
        for number, times in tuple(other.seen.items()):
            self.seen[number] = self.seen.get(number, 0) + times
        if len(self.seen) > MOST_SEEN:
            self.seen = None

    def filled(self, of: int) -> Count:
        """The same with nothings for the cases in which it was not counted."""
        whole = Count(self.of, self.total, self.squares, None if self.seen is None else dict(self.seen))
        if of > self.of:
            whole.add(0, of - self.of)
        return whole

    def mean(self, least: float = -inf) -> Interval:
        """The mean with its interval, which does not go below what the number can be at least."""
        found = mean(self.total, self.squares, self.of)
        return found._replace(low=max(least, found.low))

    def quantile(self, share_below: float) -> Interval | None:
        """A quantile with its interval; None where too many different numbers were seen."""
        return None if self.seen is None else quantile(self.seen, share_below)

    def to_json(self) -> list[Any]:
        """As JSON, in one order."""
        return [self.of, self.total, self.squares, None if self.seen is None else sorted(self.seen.items())]

    @staticmethod
    def from_json(raw: Any) -> Count:
        """From JSON."""
        of, total, squares, seen = raw
        return Count(of, total, squares, None if seen is None else {int(number): times for number, times in seen})


@dataclass
class Person:
    """What is counted of one participant: how often it fell, died or left, what it had left, what it gave and took.

    ``own`` is what it did to its own side, in the fights in which it did: a part of what it dealt.
    """

    fell: int = 0
    died: int = 0
    gone: int = 0
    left: dict[str, Count] = field(default_factory=dict)
    dealt: Count = field(default_factory=Count)
    taken: Count = field(default_factory=Count)
    by_source: dict[str, Count] = field(default_factory=dict)
    own: Count = field(default_factory=Count)

    def merge(self, other: Person) -> None:
        """All of another."""
        self.fell += other.fell
        self.died += other.died
        self.gone += other.gone
        self.dealt.merge(other.dealt)
        self.taken.merge(other.taken)
        self.own.merge(other.own)
        for mine, theirs in ((self.left, other.left), (self.by_source, other.by_source)):
            for name, count in theirs.items():
                mine.setdefault(name, Count()).merge(count)

    def to_json(self) -> dict[str, Any]:
        """As JSON, in one order."""
        return {
            "fell": self.fell,
            "died": self.died,
            "gone": self.gone,
            "left": {name: count.to_json() for name, count in sorted(self.left.items())},
            "dealt": self.dealt.to_json(),
            "taken": self.taken.to_json(),
            "by_source": {name: count.to_json() for name, count in sorted(self.by_source.items())},
        } | ({"own": self.own.to_json()} if self.own.of else {})

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Person:
        """From JSON."""
        return Person(
            raw["fell"],
            raw["died"],
            raw["gone"],
            {name: Count.from_json(count) for name, count in raw["left"].items()},
            Count.from_json(raw["dealt"]),
            Count.from_json(raw["taken"]),
            {name: Count.from_json(count) for name, count in raw["by_source"].items()},
            Count.from_json(raw["own"]) if "own" in raw else Count(),
        )


@dataclass
class Counts:
    """What is kept of any number of fights.

    ``won`` is by side, draws under :data:`NOBODY`; ``limited`` are those that the round limit ended, ``harmless`` those
    of them in which nobody was hurt, ``still`` the rounds at their end in which nobody was, and ``done`` what was done
    in them by action. ``examples`` are the first numbers of each outcome.
    """

    fights: int = 0
    asks: int = 0
    won: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[int]] = field(default_factory=dict)
    rounds: Count = field(default_factory=Count)
    limited: int = 0
    harmless: int = 0
    still: Count = field(default_factory=Count)
    done: dict[str, int] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    nobody: dict[str, Count] = field(default_factory=dict)

    def merge(self, other: Counts) -> None:
        """All of another, whose fights come after these."""
        self.fights += other.fights
        self.asks += other.asks
        self.limited += other.limited
        self.harmless += other.harmless
        self.rounds.merge(other.rounds)
        self.still.merge(other.still)
        for mine, theirs in ((self.won, other.won), (self.outcomes, other.outcomes), (self.done, other.done)):
            for name, times in theirs.items():
                mine[name] = mine.get(name, 0) + times
        for name, numbers in other.examples.items():
            known = self.examples.setdefault(name, [])
            known += numbers[: MOST_EXAMPLES - len(known)]
        for who, person in other.people.items():
            self.people.setdefault(who, Person()).merge(person)
        for name, count in other.nobody.items():
            self.nobody.setdefault(name, Count()).merge(count)

    def share_won(self, side: str) -> Interval:
        """The chance that a side wins."""
        return share(self.won.get(side, 0), self.fights)

    def shares(self) -> Iterator[tuple[str, Interval]]:
        """The chance of each side that won at all, and of a draw."""
        for side in self.won:
            yield side, self.share_won(side)

    def to_json(self) -> dict[str, Any]:
        """As JSON, in one order: equal counts give equal text."""
        return {
            "fights": self.fights,
            "asks": self.asks,
            "won": dict(sorted(self.won.items())),
            "outcomes": dict(sorted(self.outcomes.items())),
            "examples": dict(sorted(self.examples.items())),
            "rounds": self.rounds.to_json(),
            "limited": self.limited,
            "harmless": self.harmless,
            "still": self.still.to_json(),
            "done": dict(sorted(self.done.items())),
            "people": {who: person.to_json() for who, person in sorted(self.people.items())},
            "nobody": {name: count.to_json() for name, count in sorted(self.nobody.items())},
        }

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Counts:
        """From JSON."""
        return Counts(
            fights=raw["fights"],
            asks=raw["asks"],
            won=dict(raw["won"]),
            outcomes=dict(raw["outcomes"]),
            examples={name: list(numbers) for name, numbers in raw["examples"].items()},
            rounds=Count.from_json(raw["rounds"]),
            limited=raw["limited"],
            harmless=raw["harmless"],
            still=Count.from_json(raw["still"]),
            done=dict(raw["done"]),
            people={who: Person.from_json(person) for who, person in raw["people"].items()},
            nobody={name: Count.from_json(count) for name, count in raw["nobody"].items()},
        )
