"""Who is connected where: each process says of its own campaigns which seats are there, and hears it of the others.

Nothing of it is kept: what is said goes from process to process as word of changes does, is said again every few
seconds, and of a process that says nothing any more it is forgotten.

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
"""After how many seconds a process says again who is there."""

FORGOTTEN = 35.0
"""After how many seconds of silence nobody of a process is there any more."""

WHO = "?"
"""What a process says that would like to hear who is there."""

MOST_LETTERS = 1_900

Word = tuple[str, str]
"""A campaign, and what is said of it."""


class Presence:
    """Which seats are connected to this process and to others; safe to use from several threads."""

    def __init__(self, own: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.own = own
        self.clock = clock
        self.changed: Callable[[str], None] = _nobody_listens
        self._guard = threading.Lock()
        self._here: dict[str, list[str]] = {}
        self._there: dict[str, dict[str, tuple[list[str], float]]] = {}
        self._due: dict[str, None] = {}
        self._asked: dict[str, None] = {}
        self._said = clock()

    def set(self, campaign: str, seats: Iterable[str]) -> None:
        """Say which seats of a campaign are connected here."""
        found = sorted(set(seats))
        with self._guard:
            if campaign not in self._here and found:
                self._asked[campaign] = None
            if found:
                self._here[campaign] = found
            else:
                self._here.pop(campaign, None)
            self._due[campaign] = None

    def seats(self, campaign: str) -> list[str]:
        """Which seats of a campaign are connected, here or elsewhere."""
        with self._guard:
            found = set(self._here.get(campaign, ()))
            oldest = self.clock() - FORGOTTEN
            for seats, at in self._there.get(campaign, {}).values():
                found.update(seats if at >= oldest else ())
        return sorted(found)

    def words(self) -> list[Word]:
        """What the others have to be told now."""
        with self._guard:
            if self.clock() - self._said >= AGAIN:
                self._due.update(dict.fromkeys(self._here))
                self._said = self.clock()
            told = [(name, WHO) for name in self._asked]
            told += [(name, _said(self._here.get(name, ()))) for name in self._due]
            self._due, self._asked = {}, {}
        return told

    def hear(self, sender: str, campaign: str, said: str) -> None:
        """Another process says who is there, or asks."""
        with self._guard:
            if said == WHO:
                if campaign in self._here:
                    self._due[campaign] = None
                return
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
        """Whoever has said nothing for long is not there any more."""
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
        """What the others are told when this process ends."""
        with self._guard:
            names, self._here = list(self._here), {}
        return [(name, "@") for name in names]


def _said(seats: Iterable[str]) -> str:
    """Seats as they go over the line; there is an end to what it takes."""
    found, letters = [], 0
    for seat in seats:
        letters += len(seat) + 1
        if letters <= MOST_LETTERS:
            found.append(seat)
    return "@" + ",".join(found)


def _nobody_listens(_: str) -> None:
    """Before anybody wants to hear of it."""
