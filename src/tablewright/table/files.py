"""A whole campaign as one file, and back: a line that says what it is, and then the log, one line each.

The file holds everything, the seed and all secrets too: it is the game master's and the host's. Links are not in it. A
file that comes from elsewhere is not trusted: sizes, depths, counts and time are bounded, every line is checked, and
nothing is kept of a file of which anything is wrong. It is imported some lines at a time, and others write in between;
nobody sees the campaign before all of it is there.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from sqlalchemy import Connection

from tablewright import __version__
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.events import GAME_MASTER
from tablewright.game.registry import load_system
from tablewright.table.campaign import (
    MOST_CHARACTERS,
    MOST_ENCOUNTERS,
    MOST_NOTES,
    MOST_REMEMBERED,
    PUBLIC,
    Campaign,
    Line,
    Play,
    apply,
    apply_play,
    changes_play,
    from_snapshot,
    to_snapshot,
)
from tablewright.table.commands import bounded
from tablewright.table.database import rows
from tablewright.table.database.chain import FIRST, StoredLine, hash_of_line, short_json
from tablewright.table.database.rows import HOST, IMPORTING, Batch, Info, LinkRow, Raced
from tablewright.table.events import (
    CampaignMade,
    CampaignRenamed,
    Redone,
    SceneBegan,
    SceneClosed,
    TableEvent,
    Undone,
    from_plain,
)
from tablewright.table.feeding import Told
from tablewright.table.refusals import NotFound, StoreDamaged, StoreRefused
from tablewright.table.repeating import Once
from tablewright.table.seats import Invitation, hash_of
from tablewright.table.store import Made, Store
from tablewright.table.table import Table

KIND = "campaign"
SEEN = "seat"
FORMAT = 2
MOST_BYTES = 1_000_000_000
MOST_LINES = 1_000_000
MOST_LINE_BYTES = 4_000_000
CHUNK = 500
MOST_BYTES_OF_SLICE = 4_000_000
"""Bounds of one transaction of an import: lines, and bytes of text."""

MOST_SECONDS = 900
"""An import that takes longer is given up."""

MOST_OF: dict[str, int] = {
    "seats": 2_000,
    "owners": 2_000,
    "settings": 100,
    "thrown": 2_000,
    "notes": MOST_NOTES,
    "encounters": MOST_ENCOUNTERS,
    "remembered": 2 * MOST_REMEMBERED,
    "redo": 10_000,
}
"""Bounds of what a campaign may hold at any line of its file."""

MOST_OF_PLAY: dict[str, int] = {"characters": MOST_CHARACTERS, "packs": 100, "chapters": 10_000}
PLAY_KEPT_EVERY = 8
"""Distance between two kept states of play on a branch, counted in lines that change play."""

Plain = dict[str, Any]
Migration = Callable[[Iterator[Plain]], Iterator[Plain]]
MIGRATIONS: dict[int, Migration] = {1: lambda lines: lines}
"""From each older format to the next: the lines of the file as they were, to the lines as they are.

Lines of format 1 have no hash.
"""

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with how many lines are imported, and how many the file says it has."""


# ---------------------------------------------------------------------- writing


def export_campaign(store: Store, campaign: str) -> Iterator[str]:
    """The campaign with all its secrets, line by line; together they are the text of one file."""
    with rows.reading(store.engine) as connection:
        info = rows.info(connection, campaign)
        end = rows.end_of(connection, campaign)
    if info is None or end is None:
        raise NotFound("there is no such campaign")
    if info.closed is not None:
        raise StoreDamaged(rows.DAMAGED)
    about = {"title": info.title, "system": info.system, "made": info.made, "lines": info.last}
    yield _text({"tablewright": KIND, "format": FORMAT, "program": __version__, **about})
    hash_ = FIRST
    for low in range(1, info.last + 1, CHUNK):
        high = min(low + CHUNK - 1, info.last)
        with rows.reading(store.engine) as connection:
            found = rows.stored_between(connection, campaign, low, high)
        for line, places in found:
            hash_ = hash_of_line(hash_, line, places)
            if line.hash != hash_:
                raise StoreDamaged(rows.DAMAGED)
            yield _line_text(line, places)
        if not found or found[-1][0].seq != high or (high == end.last and hash_ != end.hash):
            raise StoreDamaged(rows.DAMAGED)


def _line_text(line: StoredLine, places: Any) -> str:
    """A line of a file; what is JSON already stays as it is."""
    first = short_json({"seq": line.seq, "parent": line.parent, "at": line.at, "by": line.by, "kind": line.kind})
    last = short_json({"to": places, "hash": line.hash})
    return f'{first[:-1]},"data":{line.data},"bodies":{line.bodies},{last[1:]}\n'


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
    return short_json(plain) + "\n"


# ---------------------------------------------------------------------- reading


def import_campaign(
    store: Store,
    text: str | bytes | Iterable[str],
    *,
    asked: Once | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Made:
    """A new campaign from a file, and a link for its game master; a file with anything wrong in it leaves nothing.

    ``progress`` hears how far it is. ``clock`` is for tests: its seconds are bounded.
    """
    if asked is not None:
        with rows.reading(store.engine) as connection:
            known = rows.answered(connection, HOST, asked.owner, asked.key)
        if known is not None:
            return Made(store.table(asked.campaign(known)), asked.again(known))
    reading = _Reading(store)
    try:
        _take_all(reading, text, progress, clock)
        made = store.make_once(asked, reading.finish)
    except Raced:
        reading.discard()
        raise StoreRefused("the import was interrupted; try again") from None
    except BaseException:
        reading.discard()
        raise
    if made.table.id != reading.campaign.id:  # the same was asked for elsewhere, and done first
        reading.discard()
    return made


def _take_all(
    reading: _Reading, text: str | bytes | Iterable[str], progress: Progress | None, clock: Callable[[], float]
) -> None:
    given = _read(text)
    header = next(given, None)
    if header is not None and header.get("tablewright") == SEEN:
        raise BadInput("this is what one seat has seen; only the game master's file holds a whole campaign")
    if header is None or header.get("tablewright") != KIND:
        raise BadInput("this is no campaign's file")
    reading.is_chained = header.get("format") != 1
    wanted = header.get("lines")
    total, number, start = wanted if type(wanted) is int else None, 0, clock()
    for number, plain in enumerate(_upgraded(header.get("format"), given), start=1):
        reading.take(plain, number)
        if reading.is_slice:
            reading.write()
            if progress is not None:
                progress(number, total)
            if clock() - start > MOST_SECONDS:
                raise BadInput(f"the file takes longer than {MOST_SECONDS // 60} minutes; nothing of it was kept")
    if not number:
        raise BadInput("the file holds no lines")
    if total is not None and total != number:
        raise BadInput(f"the file is not whole: it has {number:,} of {total:,} lines", field="lines")
    if progress is not None:
        progress(number, total)


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
    """A campaign as it comes about, line by line, and the slice of it that is not written yet."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.is_chained = True
        self.campaign = Campaign(secrets.token_urlsafe(9))
        self._hash = FIRST
        self._batch = Batch(self.campaign.id, 0)
        self._bytes = 0
        self._bytes_of_slice = 0
        self._bytes_of_snapshots = 0
        self._is_there = False
        self._turns: list[int | None] = [0]
        self._changes: dict[int, tuple[Line, int, int]] = {}
        self._plays: dict[int, Play] = {}

    # ------------------------------------------------------------------ one line

    def take(self, plain: Plain, number: int) -> None:
        """Check one line, and put it with the others."""
        try:
            self._take(plain, number)
        except BadInput as error:
            raise BadInput(f"line {number}: {error.message}", field=error.field) from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, TablewrightError) as error:
            raise BadInput(f"line {number} does not fit: {error!s:.200}") from None

    def _take(self, plain: Plain, number: int) -> None:
        names = {"seq", "parent", "at", "by", "kind", "data", "bodies", "to"}
        if set(plain) - {"hash"} != names or type(plain["seq"]) is not int or plain["seq"] != number:
            raise BadInput("this is not the line that comes next")
        event = from_plain(str(plain["kind"]), plain["data"])
        for name, most in (("at", 40), ("by", 80)):
            if not _is_short(plain[name], most):
                raise BadInput(f"{name} is a text of at most {most} letters that can be printed", field=name)
        self._check(event, plain["parent"], number)
        line = Line(number, plain["parent"], plain["at"], plain["by"], event)
        self.campaign = apply(self.campaign, line, self._play_at)
        self._check_sizes()
        told = _told(plain["bodies"], plain["to"], self.campaign)
        self._check_hash(plain)
        self._remember(line)
        counts = dict(self.campaign.counts)
        for viewer, places in told.places.items():
            for place in places:
                counts[viewer] = counts.get(viewer, 0) + 1
                self._batch.feeds.append((viewer, counts[viewer], number, place))
        self.campaign = replace(self.campaign, counts=counts)
        self._batch.lines.append((line, told))
        self._bytes_of_slice += sum(map(len, told.bodies)) + 1

    def _check(self, event: TableEvent, parent: Any, number: int) -> None:
        if (number == 1) is not isinstance(event, CampaignMade):
            raise BadInput("a campaign begins with its first line, and only there")
        if isinstance(event, CampaignMade):
            load_system(event.system).options.from_mapping(event.options)
            if len(bytes.fromhex(event.seed)) != 16:
                raise BadInput("the seed is no such thing")
        if isinstance(event, CampaignMade | CampaignRenamed) and not (event.title and _is_short(event.title, 60)):
            raise BadInput("the title is a text of 1 to 60 letters that can be printed")
        if event.played:
            if parent != self.campaign.head or type(parent) is not int:
                raise BadInput("this line does not follow the one before it")
        elif parent is not None:
            raise BadInput("this line follows nothing")
        if isinstance(event, Undone | Redone) and not (0 <= event.head < number and event.was == self.campaign.head):
            raise BadInput("this goes back to nowhere")
        if isinstance(event, Redone) and event.head not in [back.head for back in self.campaign.redo[-1:]]:
            raise BadInput("this brings nothing back")
        scene = self.campaign.play.scene
        if isinstance(event, SceneBegan) and scene is not None:
            raise BadInput("this scene begins while another is open")
        if isinstance(event, SceneClosed) and (scene is None or event.scene != scene.id):
            raise BadInput("this ends no open scene")

    def _check_sizes(self) -> None:
        for whole, bounds in ((self.campaign, MOST_OF), (self.campaign.play, MOST_OF_PLAY)):
            for name, most in bounds.items():
                if len(getattr(whole, name)) > most:
                    raise BadInput(f"the campaign has more than {most:,} {name}")

    def _check_hash(self, plain: Plain) -> None:
        """The chain of the file itself; what is written gets a chain of its own."""
        if not self.is_chained and "hash" not in plain:
            return
        texts = short_json(plain["data"]), short_json(plain["bodies"])
        line = StoredLine(plain["seq"], plain["parent"], plain["at"], plain["by"], plain["kind"], *texts)
        self._hash = hash_of_line(self._hash, line, plain["to"])
        if plain.get("hash") != self._hash:
            raise BadInput("the line is not as it was written, or not the next one", field="hash")

    # ------------------------------------------------------------------ going back

    def _remember(self, line: Line) -> None:
        """Note where play stands after a line: ``_turns`` has the last line up to it that changed what is played."""
        if line.seq == 1:
            self._plays[0] = self.campaign.play
        if not line.event.played:
            self._turns.append(None)
            return
        before = self._turns[line.parent or 0] or 0
        if not changes_play(type(line.event)):
            self._turns.append(before)
            return
        depth = self._changes[before][2] + 1 if before else 1
        self._turns.append(line.seq)
        self._changes[line.seq] = line, before, depth
        if depth % PLAY_KEPT_EVERY == 0:
            self._plays[line.seq] = self.campaign.play

    def _play_at(self, head: int) -> Play:
        turn, chain = self._turns[head], list[Line]()
        if turn is None:
            raise BadInput("this goes back to no line of play")
        while turn not in self._plays:
            line, turn, _ = self._changes[turn]
            chain.append(line)
        play = self._plays[turn]
        for line in chain[::-1]:
            play = apply_play(play, line)
        return play

    # ------------------------------------------------------------------ writing

    @property
    def is_slice(self) -> bool:
        """Whether there is enough to write."""
        return len(self._batch.lines) >= CHUNK or self._bytes_of_slice >= MOST_BYTES_OF_SLICE

    def write(self) -> None:
        """Write what has come together, with a snapshot where those do not take more room than the log."""
        self._bytes += self._bytes_of_slice
        kept = to_snapshot(self.campaign)
        if self._bytes_of_snapshots + len(kept) <= self._bytes:
            self._bytes_of_snapshots += len(kept)
            self._batch.snapshot = (self.campaign.last, self.campaign.head, kept)
        with rows.writing(self.store.engine) as connection:
            self._append(connection, self._batch)
        self._is_there = True
        self._batch = Batch(self.campaign.id, self.campaign.last)
        self._bytes_of_slice = 0

    def _append(self, connection: Connection, batch: Batch) -> None:
        at, made = self.store.now(), self.campaign
        if not self._is_there:
            rows.add_campaign(connection, Info(made.id, made.title, made.system, at, at, 0, IMPORTING))
        rows.append(connection, batch, at, self.store.sender)

    def finish(self, connection: Connection, token: str) -> tuple[str, Invitation]:
        """Write the rest, a snapshot to open it from, and a link for the game master; everybody may see it now."""
        last, batch = self.campaign, self._batch
        kept = to_snapshot(last)
        try:
            from_snapshot(kept)
        except ValueError as error:
            raise BadInput(f"the campaign cannot be opened: {error!s:.200}") from None
        batch.snapshot = (last.last, last.head, kept)
        batch.title = last.title
        masters = [seat for seat in last.seats.values() if seat.role == "gm" and seat.takes_part]
        if not masters:
            raise BadInput("the campaign has no game master")
        batch.links = [LinkRow(hash_of(token), last.id, masters[0].id, "gm", "link", self.store.now(), None)]
        self._append(connection, batch)
        rows.close(connection, last.id, None)
        return last.id, Invitation(token, "gm", masters[0].id)

    def discard(self) -> None:
        """Leave nothing of what was written; what cannot be removed now is when the server starts the next time."""
        if self._is_there:
            with suppress(TablewrightError):
                self.store.discard(self.campaign.id)


def _is_short(text: Any, most: int) -> bool:
    return isinstance(text, str) and len(text) <= most and not any(letter < " " or letter == "\x7f" for letter in text)


def _told(bodies: Any, to: Any, campaign: Campaign) -> Told:
    if not isinstance(bodies, list) or not all(isinstance(body, dict) for body in bodies):
        raise BadInput("bodies are a list of objects", field="bodies")
    if not isinstance(to, dict):
        raise BadInput("to says for every viewer which of the bodies they are told", field="to")
    places: dict[str, tuple[int, ...]] = {}
    for viewer, some in to.items():
        if viewer not in (GAME_MASTER, PUBLIC) and viewer not in campaign.seats:
            raise BadInput(f'"{viewer:.40}" is nobody at this table', field="to")
        if not isinstance(some, list):
            raise BadInput("a viewer is told a list of places", field="to")
        if not all(type(place) is int and 0 <= place < len(bodies) for place in some):
            raise BadInput("this place is not there", field="to")
        places[viewer] = tuple(some)
    return Told(tuple([short_json(body) for body in bodies]), places)
