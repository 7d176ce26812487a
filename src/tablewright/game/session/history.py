"""Undo of the answers of one seat; seats and rolls are recorded as entries are made."""

from __future__ import annotations

from tablewright.engine import Roll
from tablewright.errors import InvalidInputError
from tablewright.game.session.record import JoinEntry, StartEntry
from tablewright.game.session.session import Session


class Past:
    """Seats and rolls of a session's entries, so that an undo needs a single replay."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seats: dict[int, str] = {}
        self._keys: dict[int, str] = {}
        self._typed: set[int] = set()
        self._rolled: set[int] = set()
        self._unknown = not all(isinstance(entry, StartEntry | JoinEntry) for entry in session.entries)

    def note(self) -> None:
        """Record the deciding seat and the roll of the next entry."""
        self._note(self._session, len(self._session.entries))

    def _note(self, session: Session, place: int) -> None:
        self._seats[place] = session.seat or ""
        self._keys.pop(place, None)
        self._rolled.discard(place)
        if isinstance(session.question, Roll):
            self._rolled.add(place)
            key = session.roll_key
            if key is not None:
                self._keys[place] = key

    def typed(self) -> None:
        """Mark the last entry as typed by a person."""
        self._typed.add(len(self._session.entries) - 1)

    def mine(self, seat: str) -> list[int]:
        """Indices of entries that a seat chose or that were typed; automatic rolls belong to no seat."""
        if self._unknown:
            self._learn()
        count = len(self._session.entries)
        given = {place for place, whose in self._seats.items() if whose == seat} - self._rolled
        kept = [place for place in given | self._typed if place < count]
        return sorted([place for place in kept if not isinstance(self._session.entries[place], StartEntry | JoinEntry)])

    def _learn(self) -> None:
        """Replay a resumed fight once to learn about its earlier entries."""
        again = Session(self._session.header, self._session.rulebook)
        for place, entry in enumerate(self._session.entries):
            self._note(again, place)
            again.enter(entry)
        self._unknown = False

    def take_back(self, place: int) -> None:
        """Undo all entries from an index on; their rolls are reused if the same requests come again."""
        entries = self._session.entries
        if not 0 <= place < len(entries):
            raise InvalidInputError("there is nothing to take back yet")
        rolls: dict[str, list[tuple[int, ...]]] = {}
        for at in range(place, len(entries)):
            faces = entries[at]
            if isinstance(faces, tuple) and at in self._keys:
                rolls.setdefault(self._keys[at], []).append(faces)
        self._session.undo(len(entries) - place, rolls)
        self._typed = {at for at in self._typed if at < place}
