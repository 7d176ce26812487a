"""Totals over many fights: integers of bounded size that can be merged in any grouping.

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

from tablewright.lab.fights.intervals import Interval, mean, quantile, share
from tablewright.lab.fights.luck import LuckTotals

MOST_SEEN = 4_096
"""Upper bound for distinct numbers counted one by one; beyond it only mean and spread remain."""

MOST_EXAMPLES = 20
"""Upper bound for example fights kept per winner; the first ones are kept."""

NOBODY = ""
"""The winner of a draw, and the source of damage that no participant caused."""


@dataclass
class Count:
    """Statistics of whole numbers: count, sum, sum of squares, and the frequency of each number."""

    of: int = 0
    total: int = 0
    squares: int = 0
    seen: dict[int, int] | None = field(default_factory=dict)

    def add(self, number: int, times: int = 1) -> None:
        """Count a number ``times`` times."""
        self.of += times
        self.total += number * times
        self.squares += number * number * times
        if self.seen is not None:
            self.seen[number] = self.seen.get(number, 0) + times
            if len(self.seen) > MOST_SEEN:
                self.seen = None

    def merge(self, other: Count) -> None:
        """Add another count."""
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
        """A copy padded with zeros to ``of`` cases."""
        whole = Count(self.of, self.total, self.squares, None if self.seen is None else dict(self.seen))
        if of > self.of:
            whole.add(0, of - self.of)
        return whole

    def mean(self, least: float = -inf) -> Interval:
        """Mean with its interval; ``least`` is a lower bound for the interval."""
        found = mean(self.total, self.squares, self.of)
        return found._replace(low=max(least, found.low))

    def quantile(self, share_below: float) -> Interval | None:
        """Quantile with its interval; None if too many distinct numbers occurred."""
        return None if self.seen is None else quantile(self.seen, share_below)

    def to_json(self) -> list[Any]:
        """The count as JSON with sorted frequencies."""
        return [self.of, self.total, self.squares, None if self.seen is None else sorted(self.seen.items())]

    @staticmethod
    def from_json(raw: Any) -> Count:
        """Read a count from JSON."""
        of, total, squares, seen = raw
        return Count(of, total, squares, None if seen is None else {int(number): times for number, times in seen})


@dataclass
class ParticipantTotals:
    """Totals of one participant: falls, deaths, departures, remaining resources, damage dealt and taken.

    ``own`` is damage to its own side, a part of ``dealt``, counted only in fights where it occurred.
    """

    fell: int = 0
    died: int = 0
    gone: int = 0
    left: dict[str, Count] = field(default_factory=dict)
    dealt: Count = field(default_factory=Count)
    taken: Count = field(default_factory=Count)
    by_source: dict[str, Count] = field(default_factory=dict)
    own: Count = field(default_factory=Count)

    def merge(self, other: ParticipantTotals) -> None:
        """Add the totals of another."""
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
        """Totals as JSON with sorted keys."""
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
    def from_json(raw: Mapping[str, Any]) -> ParticipantTotals:
        """Read totals from JSON."""
        return ParticipantTotals(
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
class FightTotals:
    """Totals over any number of fights.

    ``won`` counts by side, with draws under :data:`NOBODY`. ``limited`` counts fights ended by the round limit, and
    ``harmless`` those of them without any damage. ``still`` counts the rounds after their last damage, and ``done`` the
    actions taken in them. ``examples`` holds the first fight numbers of each winner. ``luck`` is counted in mirrored
    jobs alone.
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
    people: dict[str, ParticipantTotals] = field(default_factory=dict)
    nobody: dict[str, Count] = field(default_factory=dict)
    luck: LuckTotals | None = None

    def merge(self, other: FightTotals) -> None:
        """Add the totals of another, whose fights come after these."""
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
            self.people.setdefault(who, ParticipantTotals()).merge(person)
        for name, count in other.nobody.items():
            self.nobody.setdefault(name, Count()).merge(count)
        if other.luck is not None:
            if self.luck is None:
                self.luck = LuckTotals(other.luck.sides, other.luck.winners)
            self.luck.merge(other.luck)

    def share_won(self, side: str) -> Interval:
        """Win chance of a side, corrected for the luck of the dice where that is counted."""
        corrected = None if self.luck is None else self.luck.share_won(side, self.fights)
        return corrected if corrected is not None else share(self.won.get(side, 0), self.fights)

    def shares(self) -> Iterator[tuple[str, Interval]]:
        """Win chance of each side that won at least once, and of a draw."""
        for side in self.won:
            yield side, self.share_won(side)

    def to_json(self) -> dict[str, Any]:
        """Totals as JSON with sorted keys; equal totals give equal text."""
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
        } | ({} if self.luck is None else {"luck": self.luck.to_json()})

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> FightTotals:
        """Read totals from JSON."""
        return FightTotals(
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
            people={who: ParticipantTotals.from_json(person) for who, person in raw["people"].items()},
            nobody={name: Count.from_json(count) for name, count in raw["nobody"].items()},
            luck=LuckTotals.from_json(raw["luck"]) if "luck" in raw else None,
        )
