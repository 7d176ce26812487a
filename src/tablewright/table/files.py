"""A whole campaign as one file, and back: a line that says what it is, and then the log, one line each.

The file holds everything, the seed and all secrets too: it is the game master's and the host's. Links are not in it. A
file that comes from elsewhere is not trusted: sizes, depths and counts are bounded, every line is checked, and nothing
is kept of a file of which anything is wrong.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from tablewright import __version__
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.registry import load_system
from tablewright.table.campaign import Campaign, Line, Play, apply, apply_play, changes_play, to_snapshot
from tablewright.table.commands import bounded
from tablewright.table.database import rows
from tablewright.table.database.rows import Batch, Info, LinkRow
from tablewright.table.events import CampaignMade, CampaignRenamed, Redone, TableEvent, Undone, from_plain, to_plain
from tablewright.table.feeding import Told
from tablewright.table.refusals import NotFound
from tablewright.table.repeating import Once
from tablewright.table.seats import Invitation, hash_of
from tablewright.table.store import Made, Store
from tablewright.table.table import Table

KIND = "campaign"
SEEN = "seat"
FORMAT = 1
MOST_BYTES = 1_000_000_000
MOST_LINES = 1_000_000
MOST_LINE_BYTES = 4_000_000
CHUNK = 500

Plain = dict[str, Any]
Migration = Callable[[Iterator[Plain]], Iterator[Plain]]
MIGRATIONS: dict[int, Migration] = {}
"""From each older format to the next: the lines of the file as they were, to the lines as they are."""


# ---------------------------------------------------------------------- writing


def export_campaign(store: Store, campaign: str) -> Iterator[str]:
    """The campaign with all its secrets, line by line; together they are the text of one file."""
    with rows.reading(store.engine) as connection:
        info = rows.info(connection, campaign)
    if info is None:
        raise NotFound("there is no such campaign")
    about = {"title": info.title, "system": info.system, "made": info.made, "lines": info.last}
    yield _text({"tablewright": KIND, "format": FORMAT, "program": __version__, **about})
    for low in range(1, info.last + 1, CHUNK):
        high = min(low + CHUNK - 1, info.last)
        with rows.reading(store.engine) as connection:
            found = rows.rows_between(connection, campaign, low, high, told=True)
            places = rows.places_between(connection, campaign, low, high)
        for row in found:
            line = row.line
            yield _text(
                {
                    "seq": line.seq,
                    "parent": line.parent,
                    "at": line.at,
                    "by": line.by,
                    "kind": line.event.kind,
                    "data": to_plain(line.event),
                    "bodies": list(row.bodies),
                    "to": places.get(line.seq, {}),
                }
            )


def export_seen(table: Table, seat: str) -> Iterator[str]:
    """What a seat has seen of a campaign, line by line, and the table as it sees it now: a player's own file.

    There is nothing in it that the seat was not told; it is for keeping and reading, and cannot be brought in again.
    """
    about, now = table.seat(seat), table.view(seat, 2**53)
    state = {name: value for name, value in now.items() if name not in ("cursor", "last", "lines")}
    yield _text({"tablewright": SEEN, "format": FORMAT, "program": __version__, **about, "lines": now["last"]})
    after = 0
    while after < now["last"] and (found := table.lines(seat, after)):
        yield from [_text(line) for line in found if line["number"] <= now["last"]]
        after = found[-1]["number"]
    yield _text({"now": state})


def _text(plain: Plain) -> str:
    return json.dumps(plain, separators=(",", ":")) + "\n"


# ---------------------------------------------------------------------- reading


def import_campaign(store: Store, text: str | bytes | Iterable[str], *, asked: Once | None = None) -> Made:
    """A new campaign from a file, and a link for its game master; a file with anything wrong in it leaves nothing."""
    return store.make_once(asked, lambda connection, token: _brought(store, connection, text, token))


def _brought(
    store: Store, connection: Connection, text: str | bytes | Iterable[str], token: str
) -> tuple[str, Invitation]:
    given = _read(text)
    header = next(given, None)
    if header is not None and header.get("tablewright") == SEEN:
        raise BadInput("this is what one seat has seen; only the game master's file holds a whole campaign")
    if header is None or header.get("tablewright") != KIND:
        raise BadInput("this is no campaign's file")
    lines = _upgraded(header.get("format"), given)
    reading = _Reading(store)
    at = store.now()
    batch, opened = reading.batch(0), False
    for number, plain in enumerate(lines, start=1):
        reading.take(batch, plain, number)
        if not opened:
            rows.add_campaign(connection, reading.info(at))
            opened = True
        if len(batch.lines) >= CHUNK:
            rows.append(connection, batch, at, store.sender)
            batch = reading.batch(number)
    if not opened:
        raise BadInput("the file holds no lines")
    invitation = reading.finish(batch, at, token)
    rows.append(connection, batch, at, store.sender)
    return reading.campaign.id, invitation


def _read(text: str | bytes | Iterable[str]) -> Iterator[Plain]:
    """The lines of a file as plain data, bounded."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise BadInput("the file is no UTF-8 text") from None
    if isinstance(text, str):
        if len(text) > MOST_BYTES:
            raise BadInput(f"the file has more than {MOST_BYTES:,} bytes")
        text = text.splitlines()
    size = 0
    for number, line in enumerate(text, start=1):
        size += len(line)
        if number > MOST_LINES + 1 or size > MOST_BYTES:
            raise BadInput(f"the file has more than {MOST_LINES:,} lines or {MOST_BYTES:,} bytes")
        if len(line) > MOST_LINE_BYTES:
            raise BadInput(f"line {number} has more than {MOST_LINE_BYTES:,} bytes")
        try:
            plain = json.loads(line, parse_constant=_refuse_constant)
            bounded(plain)
        except json.JSONDecodeError:
            raise BadInput(f"line {number} is not JSON: this is no file that Tablewright has written") from None
        except (ValueError, RecursionError) as error:
            raise BadInput(f"line {number}: {error!s:.200}") from None
        if not isinstance(plain, dict):
            raise BadInput(f"line {number} is no JSON object")
        yield plain


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _upgraded(written: Any, lines: Iterator[Plain]) -> Iterator[Plain]:
    """The lines as this program writes them, whichever older program wrote them."""
    if type(written) is not int or written > FORMAT or (written < FORMAT and written not in MIGRATIONS):
        known = ", ".join(map(str, sorted([*MIGRATIONS, FORMAT])))
        raise BadInput(f"the file has the format {written!r:.20}; this program reads {known}", field="format")
    for number in range(written, FORMAT):
        lines = MIGRATIONS[number](lines)
    return lines


class _Reading:
    """A campaign as it comes about, line by line."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.campaign = Campaign(secrets.token_urlsafe(9))
        self._parents: list[int | None] = [None]
        self._changes: dict[int, Line] = {}
        self._first = Play()

    def batch(self, expected: int) -> Batch:
        return Batch(self.campaign.id, expected)

    def info(self, at: str) -> Info:
        made = self.campaign
        return Info(made.id, made.title, made.system, at, at, 0)

    def take(self, batch: Batch, plain: Plain, number: int) -> None:
        """Check one line, and put it with the others."""
        try:
            self._take(batch, plain, number)
        except BadInput as error:
            raise BadInput(f"line {number}: {error.message}", field=error.field) from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, TablewrightError) as error:
            raise BadInput(f"line {number} does not fit: {error!s:.200}") from None

    def _take(self, batch: Batch, plain: Plain, number: int) -> None:
        if set(plain) != {"seq", "parent", "at", "by", "kind", "data", "bodies", "to"} or plain["seq"] != number:
            raise BadInput("this is not the line that comes next")
        event = from_plain(str(plain["kind"]), plain["data"])
        if not all(isinstance(plain[name], str) and len(plain[name]) <= 80 for name in ("at", "by")):
            raise BadInput("at and by are short texts")
        self._check(event, plain["parent"], number)
        line = Line(number, plain["parent"], plain["at"], plain["by"], event)
        self.campaign = apply(self.campaign, line, self._play_at)
        self._parents.append(line.parent)
        if number == 1:
            self._first = self.campaign.play
        if changes_play(type(event)):
            self._changes[number] = line
        told = _told(plain["bodies"], plain["to"])
        counts = dict(self.campaign.counts)
        for viewer, places in told.places.items():
            for place in places:
                counts[viewer] = counts.get(viewer, 0) + 1
                batch.feeds.append((viewer, counts[viewer], number, place))
        self.campaign = replace(self.campaign, counts=counts)
        batch.lines.append((line, told))

    def _check(self, event: TableEvent, parent: Any, number: int) -> None:
        if (number == 1) is not isinstance(event, CampaignMade):
            raise BadInput("a campaign begins with its first line, and only there")
        if isinstance(event, CampaignMade):
            load_system(event.system).options.from_mapping(event.options)
            if len(event.title) > 60 or len(bytes.fromhex(event.seed)) != 16:
                raise BadInput("the title or the seed is no such thing")
        if isinstance(event, CampaignRenamed) and not 1 <= len(event.title) <= 60:
            raise BadInput("the title is no such thing")
        if event.played:
            if parent != self.campaign.head or type(parent) is not int:
                raise BadInput("this line does not follow the one before it")
        elif parent is not None:
            raise BadInput("this line follows nothing")
        if isinstance(event, Undone | Redone) and not (0 <= event.head < number and event.was == self.campaign.head):
            raise BadInput("this goes back to nowhere")
        if isinstance(event, Redone) and event.head not in [back.head for back in self.campaign.redo[-1:]]:
            raise BadInput("this brings nothing back")

    def _play_at(self, head: int) -> Play:
        chain: list[Line] = []
        while head:
            if head in self._changes:
                chain.append(self._changes[head])
            parent = self._parents[head]
            if parent is None or parent >= head:
                raise BadInput("this goes back to no line of play")
            head = parent
        play = self._first
        for line in chain[::-1]:
            play = apply_play(play, line)
        return play

    def finish(self, batch: Batch, at: str, token: str) -> Invitation:
        """A snapshot to open it from, and a link for the game master."""
        last = self.campaign
        batch.snapshot = (last.last, last.head, to_snapshot(last))
        batch.title = last.title
        masters = [seat for seat in last.seats.values() if seat.role == "gm" and seat.takes_part]
        if not masters:
            raise BadInput("the campaign has no game master")
        batch.links.append(LinkRow(hash_of(token), last.id, masters[0].id, "gm", "link", at, None))
        return Invitation(token, "gm", masters[0].id)


def _told(bodies: Any, to: Any) -> Told:
    if not isinstance(bodies, list) or not all(isinstance(body, dict) for body in bodies):
        raise BadInput("bodies are a list of objects", field="bodies")
    if not isinstance(to, dict) or len(to) > 200:
        raise BadInput("to says for every viewer which of the bodies they are told", field="to")
    places: dict[str, tuple[int, ...]] = {}
    for viewer, some in to.items():
        if len(viewer) > 80 or not isinstance(some, list):
            raise BadInput("a viewer is told a list of places", field="to")
        if not all(type(place) is int and 0 <= place < len(bodies) for place in some):
            raise BadInput("this place is not there", field="to")
        places[viewer] = tuple(some)
    return Told(tuple([json.dumps(body, separators=(",", ":")) for body in bodies]), places)
