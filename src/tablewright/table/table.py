"""Table: a campaign as its seats use it. Changes run one at a time, and subscribers hear of them after the commit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.system.registry import load_system
from tablewright.table import advice as weighing
from tablewright.table import lobby, scenes
from tablewright.table import view as seeing
from tablewright.table.campaign import Seat
from tablewright.table.commands import Command, bounded, read_command
from tablewright.table.database import link_queries
from tablewright.table.database import queries as rows
from tablewright.table.database.link_queries import LinkRow
from tablewright.table.database.queries import StoredResponse
from tablewright.table.errors import GAME_MASTERS, NO_SEAT, NOT_YOURS, ConflictError, ForbiddenError, NotFoundError
from tablewright.table.events import CampaignRenamed
from tablewright.table.handlers import encounters, history, pictures
from tablewright.table.handlers.lookups import free_characters
from tablewright.table.handlers.registry import execute
from tablewright.table.handlers.seats import make_seat
from tablewright.table.idempotency import TokenRequest, checked_key, token_for
from tablewright.table.loaded_campaign import TABLE, LoadedCampaign
from tablewright.table.pictures import EncodedPicture
from tablewright.table.secrecy import as_told_to, library_known_to
from tablewright.table.stored_table import NOT_OPEN, SeatRequest, StoredTable
from tablewright.table.tokens import Invitation, checked_name, hash_of

if TYPE_CHECKING:
    from tablewright.game.character.sheet import Sheet

R = TypeVar("R")

PAUSE = 0.0005
"""Seconds that the lock of a table stays free between two chunks, to let other threads in."""


class Table(StoredTable):
    """A campaign that its seats can see and act on; safe to use from several threads.

    Methods take a seat by its id, as returned by ``Store.enter`` for a token. They return plain data without anything
    hidden from that seat. A method that changes the campaign returns when the change is on disk.
    """

    # ------------------------------------------------------------------ views

    def view(
        self, seat: str, after: int = 0, *, most: int = seeing.MOST_LINES, cookie: str | None = None
    ) -> dict[str, Any]:
        """Feed items of the seat after a cursor, and the current state of the table.

        ``cursor`` is the number of the last item in ``lines``; if it is less than ``last``, there are more to fetch. A
        given ``cookie`` must still open the seat.
        """
        with self._lock, self._moment():
            self._check_cookie(seat, cookie)
            sitting = self._present()
            return seeing.view(sitting, self._person(sitting, seat), _whole(after, "after"), most)

    def views(self, asked: Sequence[tuple[str, int, str]]) -> list[seeing.SeenView | TablewrightError]:
        """Views of one moment, one per (seat, cursor, cookie); an error in place of the view of a closed seat."""
        found: dict[tuple[str, int], seeing.SeenView | TablewrightError] = {}
        hashes = {cookie: hash_of(cookie) for _, _, cookie in asked}
        with self._lock, self._seated([*hashes.values()]) as (sitting, opened):
            for seat, after, cookie in asked:
                if (seat, after) not in found and opened.get(hashes[cookie]) == seat:
                    try:
                        found[seat, after] = self._seen(sitting, self._person(sitting, seat), _whole(after, "after"))
                    except TablewrightError as refusal:
                        found[seat, after] = refusal
        closed = NotFoundError(NOT_OPEN)
        return [found[seat, after] if opened.get(hashes[cookie]) == seat else closed for seat, after, cookie in asked]

    @contextmanager
    def _seated(self, cookies: Sequence[str]) -> Iterator[tuple[LoadedCampaign, dict[str, str]]]:
        """The campaign, up to date, and the seats that cookies open, by the hash of the cookie; all of one moment."""
        engine = self._store.engine
        if self._sitting is not None and len(cookies) <= link_queries.MOST_HASHES:
            known = rows.seated(engine, self.id, cookies)
            sitting = None if known is None else self._current(known.last, known.closed)
            if known is not None and sitting is not None:
                yield sitting, known.seats
                return
        with self._moment():
            sitting = self._present()
            with rows.reading(engine) as connection:
                opened = link_queries.seats_of(connection, self.id, cookies)
            yield sitting, opened

    def _seen(self, sitting: LoadedCampaign, person: Seat, after: int) -> seeing.SeenView:
        """View of a seat; a state that has not changed is the same object as the last time."""
        known = self._states.get(person.id)
        if known is None or not known.is_of(sitting):
            known = self._states[person.id] = seeing.SeenState(sitting, person)
        return seeing.view_beside(sitting, person, after, known)

    def lines(self, seat: str, after: int = 0, *, most: int = seeing.MOST_LINES) -> list[dict[str, Any]]:
        """Feed items of the seat after a cursor, without the state."""
        with self._lock, self._moment():
            sitting = self._present()
            return seeing.lines(sitting, self._person(sitting, seat), _whole(after, "after"), most)

    def history(self, seat: str, after: int = 0, *, most: int = seeing.MOST_LINES) -> dict[str, Any]:
        """Feed items of the seat after a cursor with their entries, without the state."""
        with self._lock, self._moment():
            sitting = self._present()
            person = self._person(sitting, seat)
            found = seeing.items(sitting, person, _whole(after, "after"), most)
            return {"lines": found, "entries": seeing.entries(sitting, person, found)}

    def notes(self, seat: str, before: str | None = None, *, most: int = seeing.MOST_NOTES_SEEN) -> dict[str, Any]:
        """The last notes that the seat may read, or the last before a given one, and the number of older ones."""
        with self._lock:
            return seeing.notes(sitting := self._present(), self._person(sitting, seat), before, most)

    def cursor(self, seat: str) -> int:
        """Number of the seat's last feed item."""
        with self._lock:
            sitting = self._present()
            return seeing.cursor(sitting, self._person(sitting, seat))

    @property
    def title(self) -> str:
        """Title of the campaign. For the host only."""
        with self._lock:
            return self._present().campaign.title

    def seat(self, seat: str) -> dict[str, Any]:
        """Data about a seat for its owner, also while it waits for approval."""
        with self._lock:
            sitting = self._present()
            person = sitting.campaign.seats.get(seat)
            if person is None or person.removed:
                raise NotFoundError(NO_SEAT)
            about = {"seat": person.id, "name": person.name, "role": person.role, "approved": person.approved}
            return {"campaign": sitting.campaign.title, "system": sitting.campaign.system} | about

    def link_json(self, role: str, seat: str | None) -> dict[str, Any]:
        """A valid link as JSON before it is opened; ``seat`` is None for an open invitation."""
        with self._lock, self._moment():
            return lobby.link_json(self._present(), role, seat)

    def overview(self) -> dict[str, Any] | None:
        """The open scene for the host's list. For the host only."""
        with self._lock, self._moment():
            return lobby.overview_json(self._present())

    def sheet(self, seat: str, who: str) -> Sheet:
        """Sheet of a character, for its owner and the game master; of anyone in the open scene for the latter."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            play = sitting.campaign.play
            is_own = person.role == "gm" or (person.role == "player" and sitting.campaign.owner(who) == person.id)
            is_known = who in play.characters or (sitting.has_scene and who in sitting.session.scene)
            if not is_own or not is_known:
                raise NotFoundError(NOT_YOURS)
            system = load_system(sitting.campaign.system)
            library = library_known_to(sitting, person)
            character = scenes.character_from(system, library, seeing.character(sitting, who))
            return system.rulebook.sheet(character, system.options.from_mapping(play.options), library)

    def encounter(self, seat: str, name: str) -> dict[str, Any]:
        """A prepared encounter, for the game master only."""
        with self._lock:
            sitting = self._present()
            return encounters.encounter(sitting, self._person(sitting, seat), name)

    def odds(self, seat: str, who: str, check: str, situation: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Exact odds of a character's check, and its tallies, from what the seat may know; rolls nothing.

        The table stays unlocked during the computation, which takes up to about a second.
        """
        return weighing.odds_of(self.check_wanted(seat, who, check, situation))

    def check_wanted(
        self, seat: str, who: str, check: str, situation: Mapping[str, Any] | None = None, *, plus: int = 0
    ) -> weighing.Wanted:
        """A check as the seat may know it; a server computes its odds in a worker."""
        words = {str(name): str(value) for name, value in bounded(dict(situation or {})).items()}
        with self._lock:
            sitting = self._present()
            return weighing.check_of(sitting, self._person(sitting, seat), who, check, words, plus=plus)

    def advice(self, seat: str) -> dict[str, Any]:
        """The value of each option of the open question, from what the deciding seat may know."""
        return weighing.advice_on(self.question_wanted(seat))

    def question_wanted(self, seat: str, *, odds: bool = True) -> weighing.OpenQuestion:
        """The open question, if the seat may answer it; without ``odds`` also where players see no odds."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            with as_told_to(sitting, person):
                return weighing.question_of(sitting, person, odds=odds)

    def preview(self, seat: str, command: Mapping[str, Any] | Command) -> dict[str, Any]:
        """Preview of ``undo``, ``redo``, ``change``, ``take_back`` or ``start``, and the code that confirms it."""
        read = read_command(command)
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            if person.role != "gm" and read.do != "take_back":
                raise ForbiddenError(GAME_MASTERS)
            with as_told_to(sitting, person, read.model_dump()):
                return history.preview(sitting, person, read)

    def asked_at(self, seat: str, line: int) -> dict[str, Any]:
        """The question at a changeable line of the open scene, and its answer; for the game master only."""
        with self._lock:
            sitting = self._present()
            person = self._person(sitting, seat)
            if person.role != "gm":
                raise ForbiddenError(GAME_MASTERS)
            return history.asked_at(sitting, person, line)

    # ------------------------------------------------------------------ commands

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
        """Execute a command of a seat; return the resulting feed items of the seat once they are on disk.

        Automatic steps of bots and dice follow in chunks, and other seats may act between them. The response holds the
        first chunk. Without ``finish`` the caller runs the rest with ``go_further``.

        ``key`` makes retries safe: a retry has no effect and returns the same response. ``expected`` is the cursor that
        the seat has seen; newer items raise a ``ConflictError``. A given ``cookie`` must still open the seat.
        """
        read = read_command(command)
        digest = blake2b(read.model_dump_json(by_alias=True).encode(), digest_size=16).hexdigest()
        asked = SeatRequest(seat, cookie, checked_key(key), digest)

        def done(sitting: LoadedCampaign) -> dict[str, Any]:
            person = self._person(sitting, seat)
            seen = seeing.cursor(sitting, person)
            if expected is not None and expected != seen:
                raise ConflictError("more has happened since you last looked; read what is new, then try again", seen)
            self._check_question(sitting, person, read)
            execute(sitting, person, read)
            return self._answer(sitting, person, seen, key, digest)

        answer = self._write(done, partial(self._answered, asked), asked)
        while finish and self.go_further():
            time.sleep(PAUSE)
        return answer

    def add_picture(
        self, seat: str, picture: EncodedPicture, *, key: str | None = None, cookie: str | None = None
    ) -> dict[str, Any]:
        """Store an uploaded picture; return its id and size. Only the uploader and the game master may see it yet."""
        answer = {"id": picture.id, "width": picture.width, "height": picture.height}
        digest = blake2b(f"picture {picture.id}".encode(), digest_size=16).hexdigest()
        asked = SeatRequest(seat, cookie, checked_key(key), digest)

        def done(sitting: LoadedCampaign) -> dict[str, Any]:
            pictures.add_picture(sitting, self._person(sitting, seat), picture)
            sitting.batch.request = None if key is None else StoredResponse(seat, key, digest, json.dumps(answer))
            return answer

        return self._write(done, partial(self._answered, asked), asked)

    def picture(self, seat: str, id_: str) -> bytes:
        """Bytes of a picture, as WebP, if the seat may see it."""
        with self._lock:
            return seeing.picture(sitting := self._present(), self._person(sitting, seat), id_)

    @property
    def goes_further(self) -> bool:
        """True if bots or dice have automatic steps left."""
        sitting = self._sitting
        return (self._steps_left if sitting is None else sitting.steps_left) > 0

    def go_further(self) -> bool:
        """Write the next chunk of automatic steps; return True if there are more."""
        if not self.goes_further:
            return False

        def further(sitting: LoadedCampaign) -> bool:
            sitting.go_further()
            return sitting.steps_left > 0

        return self._write(further)

    def _check_question(self, sitting: LoadedCampaign, person: Seat, read: Any) -> None:
        """Refuse an answer to a question other than the open one."""
        wanted = getattr(read, "question", None)
        if read.do == "answer" and wanted is not None:
            asked = seeing.question(sitting, person)
            if asked is None or asked.get("id") != wanted:
                now = "this question is not open any more; "
                is_asked = asked is not None and "waiting" not in asked
                now += "answer the one that is asked now" if is_asked else "wait until you are asked again"
                raise ConflictError(now, seeing.cursor(sitting, person))

    def _answered(
        self, asked: SeatRequest, sitting: LoadedCampaign, standing: rows.RequestStanding | None
    ) -> dict[str, Any] | None:
        """The response to an earlier request of a seat under the same key; None for a new key."""
        if standing is None:
            self._check_cookie(asked.seat, asked.cookie)
        elif asked.cookie is not None and standing.seat != asked.seat:
            raise NotFoundError(NOT_OPEN)
        person = self._person(sitting, asked.seat)
        if asked.key is None:
            return None
        if standing is not None:
            found = None if standing.digest is None or standing.answer is None else (standing.digest, standing.answer)
        else:
            with rows.reading(self._store.engine) as connection:
                found = rows.answered(connection, self.id, person.id, asked.key)
        if found is None:
            return None
        if found[0] != asked.digest:
            raise InvalidInputError("this key was used for another request already; make a new one", field="key")
        answer: dict[str, Any] = json.loads(found[1])
        return answer

    def _answer(self, sitting: LoadedCampaign, person: Seat, seen: int, key: str | None, digest: str) -> dict[str, Any]:
        """Build the response for the seat; with a key, add it to the batch."""
        told = {line.seq: (line, told) for line, told in sitting.batch.lines}
        new = [
            {"number": number, "at": told[seq][0].at, **json.loads(told[seq][1].bodies[place])}
            for viewer, number, seq, place in sitting.batch.feeds
            if viewer == person.viewer and number > seen
        ]
        answer = {"cursor": seeing.cursor(sitting, person), "lines": new}
        if key is not None:
            sitting.batch.request = StoredResponse(person.id, key, digest, json.dumps(answer, separators=(",", ":")))
        return answer

    # ------------------------------------------------------------------ seats and links

    def invite(
        self, seat: str, *, role: str = "player", name: str | None = None, asked: TokenRequest | None = None
    ) -> Invitation:
        """Create a link to the table: for a named person, who takes part at once, or an open invitation.

        ``asked`` makes retries safe, here and for other links: a retry returns the same token.
        """
        if role not in ("gm", "player", "spectator"):
            raise InvalidInputError(f'"{role:.20}" is not a role; allowed are gm, player, spectator', field="role")
        if name is None and role == "gm":
            raise InvalidInputError("name the game master to invite", field="name")
        return self._administer(seat, lambda sitting, token: self._invited(sitting, role, name, seat, token), asked)

    def _invited(self, sitting: LoadedCampaign, role: str, name: str | None, by: str, token: str) -> Invitation:
        id_ = None if name is None else make_seat(sitting, name, role, approved=True, by=by)
        return self._linked(sitting, token, role, id_)

    def _linked(
        self, sitting: LoadedCampaign, token: str, role: str, seat: str | None, form: str | None = None
    ) -> Invitation:
        kept = form or ("link" if seat else "invitation")
        sitting.batch.links.append(LinkRow(hash_of(token), self.id, seat, role, kept, self._store.now(), None))
        return Invitation(token, role, seat)

    def renew(self, seat: str, whom: str, *, asked: TokenRequest | None = None) -> Invitation:
        """Create a new link for a seat, or with ``""`` an open invitation; void all older ones, including cookies."""
        return self._administer(seat, lambda sitting, token: self._renewed(sitting, whom, token), asked)

    def _renewed(self, sitting: LoadedCampaign, whom: str, token: str) -> Invitation:
        role = "player"
        if whom:
            person = sitting.campaign.seats.get(whom)
            if person is None or person.removed:
                raise NotFoundError(NO_SEAT)
            role = person.role
        sitting.batch.voided.append(whom)
        return self._linked(sitting, token, role, whom or None)

    def revoke(self, seat: str, whom: str, *, asked: TokenRequest | None = None) -> None:
        """Void all links and cookies of a seat, or with ``""`` all open invitations."""

        def void(sitting: LoadedCampaign, _: str) -> Invitation:
            if whom and whom not in sitting.campaign.seats:
                raise NotFoundError(NO_SEAT)
            sitting.batch.voided.append(whom)
            return Invitation("", "", whom)

        self._administer(seat, void, asked)

    def _administer(
        self, seat: str, what: Callable[[LoadedCampaign, str], Invitation], asked: TokenRequest | None = None
    ) -> Invitation:
        """Run a change of links, for a game master or for the host."""

        def check(sitting: LoadedCampaign, _: rows.RequestStanding | None) -> Invitation | None:
            if seat != TABLE:
                self._check_cookie(seat, None if asked is None else asked.secret)
                if self._person(sitting, seat).role != "gm":
                    raise ForbiddenError(GAME_MASTERS)
            return self._store.given_before(self.id, asked)

        def done(sitting: LoadedCampaign) -> Invitation:
            token, word = token_for(asked)
            made = what(sitting, token)
            if asked is not None:
                sitting.batch.request = asked.request(word, made)
            return made

        return self._write(done, check)

    def ask_for_seat(
        self, role: str, name: str, asked: TokenRequest | None = None, *, wants: str | None = None
    ) -> Invitation:
        """Create a seat for a person with an invitation; it gets a cookie and waits for approval.

        ``wants`` is the free character that the person would like to play.
        """

        def seated(sitting: LoadedCampaign, token: str) -> Invitation:
            if wants is not None and wants not in free_characters(sitting.campaign):
                raise InvalidInputError("this character is not free any more; choose another one", field="character")
            id_ = make_seat(sitting, name, role, approved=False, wants=wants or "")
            return self._linked(sitting, token, role, id_, form="cookie")

        return self._administer(TABLE, seated, asked)

    def host_link(self, role: str = "gm", *, renew: bool = False, asked: TokenRequest | None = None) -> Invitation:
        """Create a new link for the host, for example after losing the old one.

        Older links of that seat stay valid unless ``renew`` is set.
        """

        def made(sitting: LoadedCampaign, token: str) -> Invitation:
            found = [value for value in sitting.campaign.seats.values() if value.role == role and value.takes_part]
            whom = found[0].id if role == "gm" and found else None
            if renew:
                sitting.batch.voided.append(whom or "")
            if whom is not None:
                return self._linked(sitting, token, role, whom)
            return self._invited(sitting, role, None if role != "gm" else "Game Master", TABLE, token)

        return self._administer(TABLE, made, asked)

    def rename(self, title: str, *, asked: TokenRequest | None = None) -> str:
        """Rename the campaign for all seats; return the title as stored. For the host only."""
        plain = checked_name(title)

        def renamed(sitting: LoadedCampaign, _: str) -> Invitation:
            if plain != sitting.campaign.title:
                sitting.add(CampaignRenamed(title=plain), TABLE)
                sitting.batch.title = plain
            return Invitation("", "", None)

        self._administer(TABLE, renamed, asked)
        return plain


def _whole(number: int, name: str) -> int:
    if type(number) is not int or not 0 <= number <= 2**53:
        raise InvalidInputError(f"{name} must be a whole number of 0 or more", field=name)
    return number
