"""Taking back one's own answers: whose each entry was and what was rolled is noted when it is given."""

from __future__ import annotations

from tablewright.engine import Roll
from tablewright.errors import BadInput
from tablewright.game.session import Came, Session, Started


class Past:
    """What is known of the entries of a session, so that one replay is enough to take some of them back."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seats: dict[int, str] = {}
        self._keys: dict[int, str] = {}
        self._typed: set[int] = set()
        self._rolled: set[int] = set()
        self._unknown = not all(isinstance(entry, Started | Came) for entry in session.entries)

    def note(self) -> None:
        """Note who is asked for the next entry, and what is rolled."""
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
        """The last entry was typed in, whoever was asked."""
        self._typed.add(len(self._session.entries) - 1)

    def mine(self, seat: str) -> list[int]:
        """The places of the entries that a seat chose or that were typed; dice that fell by themselves are nobody's."""
        if self._unknown:
            self._learn()
        count = len(self._session.entries)
        given = {place for place, whose in self._seats.items() if whose == seat} - self._rolled
        kept = [place for place in given | self._typed if place < count]
        return sorted([place for place in kept if not isinstance(self._session.entries[place], Started | Came)])

    def _learn(self) -> None:
        """Find out about entries from before, of a fight that was resumed, by playing them once more."""
        again = Session(self._session.header, self._session.book)
        for place, entry in enumerate(self._session.entries):
            self._note(again, place)
            again.enter(entry)
        self._unknown = False

    def take_back(self, place: int) -> None:
        """Take back everything from one place on."""
        entries = self._session.entries
        if not 0 <= place < len(entries):
            raise BadInput("there is nothing to take back")
        rolls: dict[str, list[tuple[int, ...]]] = {}
        for at in range(place, len(entries)):
            faces = entries[at]
            if isinstance(faces, tuple) and at in self._keys:
                rolls.setdefault(self._keys[at], []).append(faces)
        self._session.undo(len(entries) - place, rolls)
        self._typed = {at for at in self._typed if at < place}
