"""Presence of seats across processes: each process announces its connected seats and hears the others.

Nothing is stored. The announcements travel like change notifications and are repeated every few seconds. The seats of a
process that falls silent are dropped.

>>> here, there = Presence("here"), Presence("there")
>>> here.set("pantry", ["gwen"])
>>> there.set("pantry", ["anna"])
>>> for word in there.words():
...     here.hear("there", *word)
>>> here.seats("pantry")
['anna', 'gwen']
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

AGAIN = 10.0
"""Seconds between two announcements of a process."""

FORGOTTEN = 35.0
"""Seconds of silence after which the seats of a process no longer count as connected."""

WHO = "?"
"""Message by which a process asks the others for their seats."""

WRITES = "+"
"""First letter of the message that a seat is writing."""

MOST_LETTERS = 1_900

Word = tuple[str, str]
"""A campaign id and a message about it."""


class Presence:
    """Seats connected to this process and to others; safe to use from several threads."""

    def __init__(self, own: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.own = own
        self.clock = clock
        self.changed: Callable[[str], None] = _nobody_listens
        self.writes: Callable[[str, str], None] = _nobody_reads
        self._guard = threading.Lock()
        self._here: dict[str, list[str]] = {}
        self._there: dict[str, dict[str, tuple[list[str], float]]] = {}
        self._due: dict[str, None] = {}
        self._asked: dict[str, None] = {}
        self._writing: dict[Word, None] = {}
        self._said = clock()

    def set(self, campaign: str, seats: Iterable[str]) -> None:
        """Set the seats of a campaign that are connected to this process."""
        found = sorted(set(seats))
        with self._guard:
            if campaign not in self._here and found:
                self._asked[campaign] = None
            if found:
                self._here[campaign] = found
            else:
                self._here.pop(campaign, None)
            self._due[campaign] = None

    def write(self, campaign: str, seat: str) -> None:
        """Announce to other processes that a seat is writing."""
        with self._guard:
            self._writing[campaign, f"{WRITES}{seat}"] = None

    def seats(self, campaign: str) -> list[str]:
        """Seats of a campaign that are connected to any process, sorted."""
        with self._guard:
            found = set(self._here.get(campaign, ()))
            oldest = self.clock() - FORGOTTEN
            for seats, at in self._there.get(campaign, {}).values():
                found.update(seats if at >= oldest else ())
        return sorted(found)

    def words(self) -> list[Word]:
        """Take the messages that are ready to send to other processes."""
        with self._guard:
            if self.clock() - self._said >= AGAIN:
                self._due.update(dict.fromkeys(self._here))
                self._said = self.clock()
            told = [(name, WHO) for name in self._asked]
            told += [(name, _said(self._here.get(name, ()))) for name in self._due]
            told += self._writing
            self._due, self._asked, self._writing = {}, {}, {}
        return told

    def hear(self, sender: str, campaign: str, said: str) -> None:
        """Handle an announcement or a question from another process."""
        with self._guard:
            if said == WHO:
                if campaign in self._here:
                    self._due[campaign] = None
                return
            is_here = campaign in self._here
        if said.startswith(WRITES):
            if is_here:
                self.writes(campaign, said.removeprefix(WRITES))
            return
        with self._guard:
            seats = [seat for seat in said.removeprefix("@").split(",") if seat]
            of_campaign = self._there.setdefault(campaign, {})
            before = of_campaign.get(sender, ([], 0.0))[0]
            if seats:
                of_campaign[sender] = (seats, self.clock())
            else:
                of_campaign.pop(sender, None)
            if not of_campaign:
                del self._there[campaign]
        if seats != before:
            self.changed(campaign)

    def forget(self) -> None:
        """Drop the seats of processes that have been silent for too long."""
        oldest = self.clock() - FORGOTTEN
        with self._guard:
            gone = [(name, who) for name, of in self._there.items() for who, (_, at) in of.items() if at < oldest]
            for name, who in gone:
                del self._there[name][who]
                if not self._there[name]:
                    del self._there[name]
        for name in dict.fromkeys([name for name, _ in gone]):
            self.changed(name)

    def leave(self) -> list[Word]:
        """Messages to send when this process ends."""
        with self._guard:
            names, self._here = list(self._here), {}
        return [(name, "@") for name in names]


def _said(seats: Iterable[str]) -> str:
    """Format seats as a message, cut to the length that a notification can carry."""
    found, letters = [], 0
    for seat in seats:
        letters += len(seat) + 1
        if letters <= MOST_LETTERS:
            found.append(seat)
    return "@" + ",".join(found)


def _nobody_listens(_: str) -> None:
    """Ignore changes; the default for ``changed``."""


def _nobody_reads(_: str, __: str) -> None:
    """Ignore who is writing; the default for ``writes``."""
