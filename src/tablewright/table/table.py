"""A table: a campaign as people use it. One thing happens at a time, and is told when it is on the disk."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection

from tablewright.errors import BadInput, TablewrightError
from tablewright.game.registry import load_system
from tablewright.table import changing, doing, keeping, scenes, seeing, weighing
from tablewright.table.campaign import Seat
from tablewright.table.commands import Command, bounded, read_command
from tablewright.table.database import rows
from tablewright.table.database.rows import LinkRow, Raced, Request
from tablewright.table.events import CampaignRenamed
from tablewright.table.knowing import as_told_to, library_known_to
from tablewright.table.refusals import Conflict, Forbidden, NotFound
from tablewright.table.repeating import Once, checked_key, token_for
from tablewright.table.seats import Invitation, checked_name, hash_of
from tablewright.table.sitting import TABLE, Sitting

if TYPE_CHECKING:
    from tablewright.game.sheet import Sheet
    from tablewright.table.store import Store

R = TypeVar("R")

MOST_TRIES = 8
PAUSE = 0.0005
"""How many seconds the lock of a table is free between two pieces, so that another thread gets it."""


class Table:
    """A campaign that can be seen and acted on by its seats; safe to use from several threads.

    Every method that takes a seat takes its id, as ``Store.enter`` gave it for a token, and answers with plain data
    that holds nothing which that seat may not see. What changes something returns when it is on the disk.
    """

    def __init__(self, store: Store, campaign: str) -> None:
        self.id = campaign
        self._store = store
        self._lock = threading.RLock()
        self._sitting: Sitting | None = None
        self._is_stale = False
        self._steps_left = 0
        self._connection: Connection | None = None

    # ------------------------------------------------------------------ seeing

    def view(
        self, seat: str, after: int = 0, *, most: int = seeing.MOST_LINES, cookie: str | None = None
    ) -> dict[str, Any]:
        """What the seat has to see after a cursor, and the table as it is now.

        ``cursor`` is the number of the last line in ``lines``; where it is less than ``last`` there are more to fetch.
        ``cookie`` has to open the seat still, where it is given.
        """
        with self._lock, self._moment():
            self._check_cookie(seat, cookie)
            sitting = self._present()
            return seeing.view(sitting, self._person(sitting, seat), _whole(after, "after"), most)

    def views(self, asked: Sequence[tuple[str, int, str]]) -> list[dict[str, Any] | TablewrightError]:
        """Views of one moment, each by seat, cursor and cookie; a refusal for a seat that is not open."""
        found: dict[tuple[str, int], dict[str, Any] | TablewrightError] = {}
        with self._lock, self._moment():
            sitting = self._present()
            with rows.reading(self._store.engine) as connection:
                opened = rows.seats_of(connection, self.id, [hash_of(cookie) for _, _, cookie in asked])
            for seat, after, cookie in asked:
                if (seat, after) not in found and opened.get(hash_of(cookie)) == seat:
                    try:
                        found[seat, after] = seeing.view(sitting, self._person(sitting, seat), _whole(after, "after"))
                    except TablewrightError as refusal:
                        found[seat, after] = refusal
        closed = NotFound("this seat is not open to you; ask the game master for a link")
        return [found[seat, after] if opened.get(hash_of(cookie)) == seat else closed for seat, after, cookie in asked]

    def lines(self, seat: str, after: int = 0, *, most: int = seeing.MOST_LINES) -> list[dict[str, Any]]:
        """What the seat has to see after a cursor, and nothing else: for feeds and for looking back."""
        with self._lock, self._moment():
            sitting = self._present()
            return seeing.lines(sitting, self._person(sitting, seat), _whole(after, "after"), most)

    def notes(self, seat: str, before: str | None = None, *, most: int = seeing.MOST_NOTES_SEEN) -> dict[str, Any]:
        """The last notes that the seat may read, or the last before one of them, and how many older ones are left."""
        with self._lock:
            sitting = self._present()
            return seeing.notes(sitting, self._person(sitting, seat), before, most)

    def cursor(self, seat: str) -> int:
        """How many lines the seat has to see so far; it counts only what it sees."""
        with self._lock:
            sitting = self._present()
            return seeing.cursor(sitting, self._person(sitting, seat))

    @property
    def title(self) -> str:
        """What the campaign is called. For whoever has the database."""
        with self._lock:
            return self._present().campaign.title

    def seat(self, seat: str) -> dict[str, Any]:
        """What somebody may know of their own seat, also while they wait for the game master to approve."""
        with self._lock:
            sitting = self._present()
            person = sitting.campaign.seats.get(seat)
            if person is None or person.removed:
                raise NotFound("there is no such seat")
            about = {"seat": person.id, "name": person.name, "role": person.role, "approved": person.approved}
            return {"campaign": sitting.campaign.title, "system": sitting.campaign.system} | about

    def sheet(self, seat: str, who: str) -> Sheet:
        """The sheet of a character, for its owner and the game master."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            play = sitting.campaign.play
            is_own = person.role == "gm" or (person.role == "player" and sitting.campaign.owner(who) == person.id)
            if who not in play.characters or not is_own:
                raise NotFound("there is no such character of yours")
            system = load_system(sitting.campaign.system)
            library = library_known_to(sitting, person)
            character = scenes.character_from(system, library, seeing.character(sitting, who))
            return system.book.sheet(character, system.options.from_mapping(play.options), library)

    def encounter(self, seat: str, name: str) -> dict[str, Any]:
        """A prepared encounter, for the game master."""
        with self._lock:
            sitting = self._present()
            return keeping.encounter(sitting, self._person(sitting, seat), name)

    def odds(self, seat: str, who: str, check: str, situation: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The exact odds of a check of a character, and its tallies, from what the seat may know; nothing is rolled.

        The table is not held while they are worked out, which may take up to about a second.
        """
        return weighing.odds_of(self.check_wanted(seat, who, check, situation))

    def check_wanted(
        self, seat: str, who: str, check: str, situation: Mapping[str, Any] | None = None, *, plus: int = 0
    ) -> weighing.Wanted:
        """A check as the seat may suppose it: a server works its odds out where nobody waits for it."""
        words = {str(name): str(value) for name, value in bounded(dict(situation or {})).items()}
        with self._lock:
            sitting = self._present()
            return weighing.check_of(sitting, self._person(sitting, seat), who, check, words, plus=plus)

    def advice(self, seat: str) -> dict[str, Any]:
        """What each option of the open question is worth, from what the one who is asked may know."""
        return weighing.advice_on(self.question_wanted(seat))

    def question_wanted(self, seat: str) -> weighing.Asked:
        """The open question, where the seat may answer it: a server weighs it where nobody waits for it."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            with as_told_to(sitting, person):
                return weighing.question_of(sitting, person)

    def preview(self, seat: str, command: Mapping[str, Any] | Command) -> dict[str, Any]:
        """What ``undo``, ``redo``, ``change`` or ``take_back`` would do, and the word that confirms it."""
        read = read_command(command)
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            if person.role != "gm" and read.do != "take_back":
                raise Forbidden("this is for the game master; ask for it")
            with as_told_to(sitting, person, read.model_dump()):
                return changing.preview(sitting, person, read)

    def asked_at(self, seat: str, line: int) -> dict[str, Any]:
        """What was asked at a line of the open scene that can be changed, and what was answered."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            if person.role != "gm":
                raise Forbidden("this is for the game master; ask for it")
            return changing.asked_at(sitting, person, line)

    # ------------------------------------------------------------------ acting

    def act(
        self,
        seat: str,
        command: Mapping[str, Any] | Command,
        *,
        key: str | None = None,
        expected: int | None = None,
        cookie: str | None = None,
        finish: bool = True,
    ) -> dict[str, Any]:
        """Do what a seat asks for; gives what the seat sees of it, once it is on the disk.

        What bots and dice do by themselves after it is written in pieces, between which others may act; the answer has
        the first of them. Without ``finish`` the caller takes the others, by ``go_further``.

        ``key`` makes it safe to ask again: under the same key nothing happens twice, and the answer is the same.
        ``expected`` is the cursor of what the seat has seen; if there is more to see by now, it is a ``Conflict``.
        ``cookie`` has to open the seat still, where it is given.
        """
        read = read_command(command)
        digest = blake2b(read.model_dump_json(by_alias=True).encode(), digest_size=16).hexdigest()
        checked_key(key)

        def check(sitting: Sitting) -> dict[str, Any] | None:
            self._check_cookie(seat, cookie)
            return self._answered(self._person(sitting, seat), key, digest)

        def done(sitting: Sitting) -> dict[str, Any]:
            person = self._person(sitting, seat)
            seen = seeing.cursor(sitting, person)
            if expected is not None and expected != seen:
                raise Conflict("something has happened that you have not seen yet", seen)
            self._check_question(sitting, person, read)
            doing.perform(sitting, person, read)
            return self._answer(sitting, person, seen, key, digest)

        answer = self._write(done, check)
        while finish and self.go_further():
            time.sleep(PAUSE)
        return answer

    @property
    def goes_further(self) -> bool:
        """True while bots or dice have steps left to take by themselves."""
        sitting = self._sitting
        return (self._steps_left if sitting is None else sitting.steps_left) > 0

    def go_further(self) -> bool:
        """Write the next piece of what bots and dice do by themselves after an act; whether there is more."""
        if not self.goes_further:
            return False

        def further(sitting: Sitting) -> bool:
            sitting.go_further()
            return sitting.steps_left > 0

        return self._write(further)

    def _write(self, what: Callable[[Sitting], R], check: Callable[[Sitting], R | None] = lambda _: None) -> R:
        """Do something and write what comes of it, in one step; others are told when it is on the disk.

        ``check`` refuses it, or gives what it was answered before; it reads in the same moment as the campaign.
        When another process was quicker, everything is read again and done with the campaign held fast.
        """
        with self._lock:
            for attempt in range(MOST_TRIES):
                start, steps_left = -1, 0
                try:
                    with self._held(attempt > 0):
                        with self._moment():
                            sitting = self._present()
                            start, steps_left = sitting.campaign.last, sitting.steps_left
                            before = check(sitting)
                        if before is not None:
                            return before
                        result = what(sitting)
                        self._commit(sitting)
                except Raced:
                    self._sitting = None
                    continue
                except BaseException:
                    if (
                        self._sitting is None
                        or self._sitting.campaign.last != start
                        or not self._sitting.batch.is_empty
                    ):
                        self._sitting = None  # memory says more than the log: read it again
                        self._steps_left = steps_left
                    raise
                if sitting.campaign.last != start:
                    self._store.tell(self.id, sitting.campaign.last)
                return result
        raise Conflict("too much happens at once; try again", 0)

    @contextmanager
    def _held(self, fast: bool) -> Iterator[None]:
        """Where that is asked for, nobody else writes to this campaign until this is left."""
        if not fast:
            yield
            return
        with rows.writing(self._store.engine) as connection:
            rows.hold(connection, self.id)
            self._connection = connection
            try:
                yield
            finally:
                self._connection = None

    def _check_question(self, sitting: Sitting, person: Seat, read: Any) -> None:
        """An answer is for the question that was seen, where it says which."""
        wanted = getattr(read, "question", None)
        if read.do == "answer" and wanted is not None:
            asked = seeing.question(sitting, person)
            if asked is None or asked.get("id") != wanted:
                raise Conflict("something else is asked by now", seeing.cursor(sitting, person))

    def _answered(self, person: Seat, key: str | None, digest: str) -> dict[str, Any] | None:
        if key is None:
            return None
        with rows.reading(self._store.engine) as connection:
            found = rows.answered(connection, self.id, person.id, key)
        if found is None:
            return None
        if found[0] != digest:
            raise BadInput("this key was used for something else already", field="key")
        answer: dict[str, Any] = json.loads(found[1])
        return answer

    def _answer(self, sitting: Sitting, person: Seat, seen: int, key: str | None, digest: str) -> dict[str, Any]:
        """What the seat sees of what was done; kept under the key, to be written with it."""
        told = {line.seq: (line, told) for line, told in sitting.batch.lines}
        new = [
            {"number": number, "at": told[seq][0].at, **json.loads(told[seq][1].bodies[place])}
            for viewer, number, seq, place in sitting.batch.feeds
            if viewer == person.viewer and number > seen
        ]
        answer = {"cursor": seeing.cursor(sitting, person), "lines": new}
        if key is not None:
            sitting.batch.request = Request(person.id, key, digest, json.dumps(answer, separators=(",", ":")))
        return answer

    def _commit(self, sitting: Sitting) -> None:
        batch = sitting.finish()
        if not batch.is_empty:
            at = self._store.now()
            if self._connection is not None:
                rows.append(self._connection, batch, at, self._store.sender)
            else:
                self._store.writer.write(batch, at)
        sitting.begin()

    # ------------------------------------------------------------------ seats and links

    def invite(
        self, seat: str, *, role: str = "player", name: str | None = None, asked: Once | None = None
    ) -> Invitation:
        """A link to the table: for somebody by name, who takes part at once, or for whoever comes and asks.

        ``asked`` makes it safe to ask again, here and for other links: nothing happens twice, the same token comes.
        """
        if role not in ("gm", "player", "spectator"):
            raise BadInput(f'"{role:.20}" is no role; allowed are gm, player, spectator', field="role")
        if name is None and role == "gm":
            raise BadInput("a game master is invited by name", field="name")
        return self._administer(seat, lambda sitting, token: self._invited(sitting, role, name, seat, token), asked)

    def _invited(self, sitting: Sitting, role: str, name: str | None, by: str, token: str) -> Invitation:
        id_ = None if name is None else doing.make_seat(sitting, name, role, approved=True, by=by)
        return self._linked(sitting, token, role, id_)

    def _linked(self, sitting: Sitting, token: str, role: str, seat: str | None, form: str | None = None) -> Invitation:
        kept = form or ("link" if seat else "invitation")
        sitting.batch.links.append(LinkRow(hash_of(token), self.id, seat, role, kept, self._store.now(), None))
        return Invitation(token, role, seat)

    def renew(self, seat: str, whom: str, *, asked: Once | None = None) -> Invitation:
        """A new link for a seat, or by ``""`` for whoever comes; all older ones, cookies too, are void."""
        return self._administer(seat, lambda sitting, token: self._renewed(sitting, whom, token), asked)

    def _renewed(self, sitting: Sitting, whom: str, token: str) -> Invitation:
        role = "player"
        if whom:
            person = sitting.campaign.seats.get(whom)
            if person is None or person.removed:
                raise NotFound("there is no such seat")
            role = person.role
        sitting.batch.voided.append(whom)
        return self._linked(sitting, token, role, whom or None)

    def revoke(self, seat: str, whom: str, *, asked: Once | None = None) -> None:
        """Make all links and cookies of a seat void, or by ``""`` all invitations to whoever comes."""

        def void(sitting: Sitting, _: str) -> Invitation:
            if whom and whom not in sitting.campaign.seats:
                raise NotFound("there is no such seat")
            sitting.batch.voided.append(whom)
            return Invitation("", "", whom)

        self._administer(seat, void, asked)

    def _administer(
        self, seat: str, what: Callable[[Sitting, str], Invitation], asked: Once | None = None
    ) -> Invitation:
        """What a game master does about links; the host, who has the database, may do it too."""

        def check(sitting: Sitting) -> Invitation | None:
            if seat != TABLE:
                self._check_cookie(seat, None if asked is None else asked.secret)
                if self._person(sitting, seat).role != "gm":
                    raise Forbidden("this is for the game master")
            return self._store.given_before(self.id, asked)

        def done(sitting: Sitting) -> Invitation:
            token, word = token_for(asked)
            made = what(sitting, token)
            if asked is not None:
                sitting.batch.request = asked.request(word, made)
            return made

        return self._write(done, check)

    def ask_for_seat(self, role: str, name: str, asked: Once | None = None) -> Invitation:
        """Somebody who came by an invitation asks for a seat, and gets a cookie for it; the game master approves."""

        def seated(sitting: Sitting, token: str) -> Invitation:
            id_ = doing.make_seat(sitting, name, role, approved=False)
            return self._linked(sitting, token, role, id_, form="cookie")

        return self._administer(TABLE, seated, asked)

    def host_link(self, role: str = "gm", *, renew: bool = False, asked: Once | None = None) -> Invitation:
        """A new link for whoever has the database, where theirs was lost.

        Older ones of that seat stay valid, unless they are to be renewed.
        """

        def made(sitting: Sitting, token: str) -> Invitation:
            found = [one for one in sitting.campaign.seats.values() if one.role == role and one.takes_part]
            whom = found[0].id if role == "gm" and found else None
            if renew:
                sitting.batch.voided.append(whom or "")
            if whom is not None:
                return self._linked(sitting, token, role, whom)
            return self._invited(sitting, role, None if role != "gm" else "Game Master", TABLE, token)

        return self._administer(TABLE, made, asked)

    def rename(self, title: str, *, asked: Once | None = None) -> str:
        """Call the campaign otherwise, for everybody; gives the title as it is kept. For whoever has the database."""
        plain = checked_name(title)

        def renamed(sitting: Sitting, _: str) -> Invitation:
            if plain != sitting.campaign.title:
                sitting.add(CampaignRenamed(title=plain), TABLE)
                sitting.batch.title = plain
            return Invitation("", "", None)

        self._administer(TABLE, renamed, asked)
        return plain

    # ------------------------------------------------------------------ within

    def _present(self) -> Sitting:
        """The campaign as its log says now."""
        if self._is_stale:
            self._is_stale, self._sitting = False, None
        sitting = self._sitting
        if sitting is None:
            sitting = self._sitting = Sitting.load(self._store.engine, self.id, self._store.now)
            sitting.steps_left, self._steps_left = self._steps_left, 0
        else:
            sitting.catch_up()
        if sitting.has_scene:
            sitting.entries()  # opens the scene; after an upgrade this may write a line
            if sitting.batch.lines:
                try:
                    self._commit(sitting)
                except Raced:
                    self._sitting = None
                    return self._present()  # somebody else has dealt with it
                except BaseException:
                    self._sitting = None
                    raise
                self._store.tell(self.id, sitting.campaign.last)
        return sitting

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Read everything in one transaction; a campaign that has to be opened first may write, and is before it."""
        if self._sitting is None:
            self._present()
        with rows.one_moment(self._store.engine):
            yield

    def _check_cookie(self, seat: str, cookie: str | None) -> None:
        """Refuse a cookie that opens this seat no more."""
        if cookie is None:
            return
        with rows.reading(self._store.engine) as connection:
            link = rows.link_of(connection, hash_of(cookie))
        if link is None or (link.form, link.campaign, link.seat) != ("cookie", self.id, seat):
            raise NotFound("this seat is not open to you; ask the game master for a link")

    def _person(self, sitting: Sitting, seat: str) -> Seat:
        person = sitting.campaign.seats.get(seat)
        if person is None or person.removed:
            raise NotFound("there is no such seat")
        if not person.approved:
            raise Forbidden("the game master has not approved of this seat yet")
        return person

    def forget(self) -> None:
        """Read everything again when it is next asked for."""
        with self._lock:
            self._sitting = None

    def forget_later(self) -> None:
        """Read everything again when something is next asked for, without waiting for what is under way."""
        self._is_stale = True

    def is_as_the_log_says(self) -> bool:
        """Whether what is in memory is what the whole log says, read from its beginning without snapshots."""
        from tablewright.table.checking import same_as_log  # noqa: PLC0415 - only tests and backups ask

        with self._lock:
            return same_as_log(self._present())


def _whole(number: int, name: str) -> int:
    if type(number) is not int or not 0 <= number <= 2**53:
        raise BadInput(f"{name} is a whole number from 0 up", field=name)
    return number
