"""Export of a campaign to one file, and import: a header line, the log and the pictures, one JSON object per line.

The file holds everything, including the seed and all secrets, but no links. It is meant for the game master and the
host. Import does not trust a file: it bounds sizes, depths, counts and time, checks every line, and keeps nothing of a
file with any error. It writes the lines in chunks and lets other writers in between. The campaign stays invisible until
the import is complete.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from sqlalchemy import Connection

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.registry import load_system
from tablewright.table.campaign import (
    MOST_CHARACTERS,
    MOST_ENCOUNTERS,
    MOST_HANDOUTS,
    MOST_LETTERS_OF_HANDOUTS,
    MOST_NOTES,
    MOST_PICTURES,
    MOST_PORTRAITS,
    MOST_REMEMBERED,
    MOST_TOKENS,
    PUBLIC,
    Campaign,
    LogLine,
    PlayState,
    apply,
    apply_play,
    changes_play,
    from_snapshot,
    to_snapshot,
)
from tablewright.table.commands import bounded
from tablewright.table.database import queries as rows
from tablewright.table.database.hash_chain import FIRST, StoredLine, hash_of_line, short_json
from tablewright.table.database.link_queries import HOST, LinkRow
from tablewright.table.database.picture_queries import PictureRow, ids_of, picture_of
from tablewright.table.database.queries import IMPORTING, CampaignSummary, PendingWrite, WriteConflict
from tablewright.table.errors import NotFoundError, StoreDamagedError, StoreError
from tablewright.table.events import (
    CampaignMade,
    CampaignRenamed,
    HandoutKept,
    MapSet,
    PictureAdded,
    PortraitSet,
    Redone,
    SceneBegan,
    SceneClosed,
    TableEvent,
    Undone,
    from_plain,
)
from tablewright.table.feed import LineBodies
from tablewright.table.idempotency import TokenRequest
from tablewright.table.pictures import check_stored, picture_id
from tablewright.table.store import CreatedCampaign, Store
from tablewright.table.table import Table
from tablewright.table.tokens import Invitation, hash_of
from tablewright.version import __version__

KIND = "campaign"
SEEN = "seat"
FORMAT = 3
MOST_BYTES = 1_000_000_000
MOST_LINES = 1_000_000
MOST_LINE_BYTES = 4_000_000
CHUNK = 500
MOST_BYTES_OF_SLICE = 4_000_000
"""Upper bounds for one transaction of an import: lines, and bytes of text."""

MOST_PIECE = 100_000
"""Upper bound for the letters of one text in the line of a picture."""

MOST_SECONDS = 900
"""Upper bound for the seconds of an import."""

MOST_OF: dict[str, int] = {
    "seats": 2_000,
    "owners": 2_000,
    "settings": 100,
    "thrown": 2_000,
    "notes": MOST_NOTES,
    "encounters": MOST_ENCOUNTERS,
    "pictures": MOST_PICTURES,
    "portraits": MOST_PORTRAITS,
    "maps": 10_000,
    "tokens": MOST_TOKENS,
    "handouts": MOST_HANDOUTS,
    "remembered": 2 * MOST_REMEMBERED,
    "redo": 10_000,
}
"""Upper bounds for the content of a campaign at any line of its file."""

MOST_OF_PLAY: dict[str, int] = {"characters": MOST_CHARACTERS, "packs": 100, "chapters": 10_000}
PLAY_KEPT_EVERY = 8
"""Distance between two cached play states on a branch, in lines that change play."""

Plain = dict[str, Any]
Migration = Callable[[Iterator[Plain]], Iterator[Plain]]
MIGRATIONS: dict[int, Migration] = {1: lambda lines: lines, 2: lambda lines: lines}
"""Migrations of the lines of a file, each from its format to the next one.

Lines of format 1 have no hash, and files of format 2 have no pictures.
"""

Progress: TypeAlias = Callable[[int, int | None], None]
"""Callback with the number of imported lines, and the total that the header states, or None."""


# ---------------------------------------------------------------------- writing


def export_campaign(store: Store, campaign: str) -> Iterator[str]:
    """Yield the file of a campaign line by line, with all its secrets."""
    with rows.reading(store.engine) as connection:
        info = rows.info(connection, campaign)
        end = rows.end_of(connection, campaign)
        pictures = ids_of(connection, campaign)
    if info is None or end is None:
        raise NotFoundError("there is no such campaign")
    if info.closed is not None:
        raise StoreDamagedError(rows.DAMAGED)
    about = {"title": info.title, "system": info.system, "made": info.made, "lines": info.last}
    about |= {"pictures": len(pictures)} if pictures else {}
    yield _text({"tablewright": KIND, "format": FORMAT, "program": __version__, **about})
    hash_ = FIRST
    for low in range(1, info.last + 1, CHUNK):
        high = min(low + CHUNK - 1, info.last)
        with rows.reading(store.engine) as connection:
            found = rows.stored_between(connection, campaign, low, high)
        for line, places in found:
            hash_ = hash_of_line(hash_, line, places)
            if line.hash != hash_:
                raise StoreDamagedError(rows.DAMAGED)
            yield _line_text(line, places)
        if not found or found[-1][0].seq != high or (high == end.last and hash_ != end.hash):
            raise StoreDamagedError(rows.DAMAGED)
    for id_ in pictures:
        with rows.reading(store.engine) as connection:
            data = picture_of(connection, campaign, id_)
        if data is None or picture_id(data) != id_:
            raise StoreDamagedError("a picture of this campaign is damaged; restore the campaign from a backup")
        yield _text({"picture": id_, "data": _pieces(data)})


def _pieces(data: bytes) -> list[str]:
    """Bytes of a picture as Base64 in texts of bounded length."""
    text = b64encode(data).decode()
    return [text[start : start + MOST_PIECE] for start in range(0, len(text), MOST_PIECE)]


def _line_text(line: StoredLine, places: Any) -> str:
    """Format a line of the file; stored JSON is copied unchanged."""
    first = short_json({"seq": line.seq, "parent": line.parent, "at": line.at, "by": line.by, "kind": line.kind})
    last = short_json({"to": places, "hash": line.hash})
    return f'{first[:-1]},"data":{line.data},"bodies":{line.bodies},{last[1:]}\n'


def export_seen(table: Table, seat: str) -> Iterator[str]:
    """Yield the feed of a seat line by line, and its current view at the end: a player's own file.

    It holds nothing that is hidden from the seat. It is meant for reading and cannot be imported.
    """
    about, now = table.seat(seat), table.view(seat, 2**53)
    state = {name: value for name, value in now.items() if name not in ("cursor", "last", "lines", "entries")}
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
    asked: TokenRequest | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> CreatedCampaign:
    """Create a campaign from a file, with a link for its game master; a file with any error leaves nothing behind.

    ``progress`` is called after every chunk. ``clock`` is for tests: it gives the seconds for the time limit.
    """
    if asked is not None:
        with rows.reading(store.engine) as connection:
            known = rows.answered(connection, HOST, asked.owner, asked.key)
        if known is not None:
            return CreatedCampaign(store.table(asked.campaign(known)), asked.again(known))
    reading = _CampaignReader(store)
    try:
        _take_all(reading, text, progress, clock)
        made = store.make_once(asked, reading.finish)
    except WriteConflict:
        reading.discard()
        raise StoreError("the import was interrupted; try again") from None
    except BaseException:
        reading.discard()
        raise
    if made.table.id != reading.campaign.id:  # a concurrent request with the same key finished first
        reading.discard()
    return made


def _take_all(
    reading: _CampaignReader, text: str | bytes | Iterable[str], progress: Progress | None, clock: Callable[[], float]
) -> None:
    given = _read(text)
    header = next(given, None)
    if header is not None and header.get("tablewright") == SEEN:
        raise InvalidInputError("this is what one seat has seen; only the game master's file holds a whole campaign")
    if header is None or header.get("tablewright") != KIND:
        raise InvalidInputError("this is not a campaign's file")
    reading.is_chained = header.get("format") != 1
    wanted = header.get("lines")
    total, number, start = wanted if type(wanted) is int else None, 0, clock()
    for plain in _upgraded(header.get("format"), given):
        if "picture" in plain:
            reading.take_picture(plain)
        else:
            number += 1
            reading.take(plain, number)
        if reading.is_slice:
            reading.write()
            if progress is not None:
                progress(number, total)
            if clock() - start > MOST_SECONDS:
                raise InvalidInputError(
                    f"the file takes longer than {MOST_SECONDS // 60} minutes; nothing of it was kept"
                )
    if not number:
        raise InvalidInputError("the file has no lines; export the campaign again")
    if total is not None and total != number:
        raise InvalidInputError(f"the file is incomplete: it has {number:,} of {total:,} lines", field="lines")
    reading.check_pictures()
    if progress is not None:
        progress(number, total)


def _read(text: str | bytes | Iterable[str]) -> Iterator[Plain]:
    """Parse the lines of a file as plain data, within the bounds."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInputError("the file is not UTF-8 text") from None
    if isinstance(text, str):
        if len(text) > MOST_BYTES:
            raise InvalidInputError(f"the file has more than {MOST_BYTES:,} bytes")
        text = text.splitlines()
    size = 0
    for number, line in enumerate(text, start=1):
        size += len(line)
        if number > MOST_LINES + 1 or size > MOST_BYTES:
            raise InvalidInputError(f"the file has more than {MOST_LINES:,} lines or {MOST_BYTES:,} bytes")
        if len(line) > MOST_LINE_BYTES:
            raise InvalidInputError(f"line {number} has more than {MOST_LINE_BYTES:,} bytes")
        try:
            plain = json.loads(line, parse_constant=_refuse_constant)
            bounded(plain)
        except json.JSONDecodeError:
            raise InvalidInputError(
                f"line {number} is not JSON: this is not a file that Tablewright has written"
            ) from None
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"line {number}: {error!s:.200}") from None
        if not isinstance(plain, dict):
            raise InvalidInputError(f"line {number} is not a JSON object")
        yield plain


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _upgraded(written: Any, lines: Iterator[Plain]) -> Iterator[Plain]:
    """Migrate the lines to the current format; refuse unknown formats."""
    if type(written) is not int or written > FORMAT or (written < FORMAT and written not in MIGRATIONS):
        known = ", ".join(map(str, sorted([*MIGRATIONS, FORMAT])))
        raise InvalidInputError(f"the file has the format {written!r:.20}; this program reads {known}", field="format")
    for number in range(written, FORMAT):
        lines = MIGRATIONS[number](lines)
    return lines


class _CampaignReader:
    """An import in progress: the campaign so far, and the chunk that is not written yet."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.is_chained = True
        self.campaign = Campaign(secrets.token_urlsafe(9))
        self._hash = FIRST
        self._batch = PendingWrite(self.campaign.id, 0)
        self._bytes = 0
        self._bytes_of_slice = 0
        self._bytes_of_snapshots = 0
        self._is_there = False
        self._turns: list[int | None] = [0]
        self._changes: dict[int, tuple[LogLine, int, int]] = {}
        self._plays: dict[int, PlayState] = {}
        self._pictures: set[str] = set()

    # ------------------------------------------------------------------ reading a line

    def take(self, plain: Plain, number: int) -> None:
        """Check one line and apply it to the campaign; errors name the line."""
        try:
            self._take(plain, number)
        except InvalidInputError as error:
            raise InvalidInputError(f"line {number}: {error.message}", field=error.field) from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, TablewrightError) as error:
            raise InvalidInputError(f"line {number} does not fit: {error!s:.200}") from None

    def _take(self, plain: Plain, number: int) -> None:
        names = {"seq", "parent", "at", "by", "kind", "data", "bodies", "to"}
        if set(plain) - {"hash"} != names or type(plain["seq"]) is not int or plain["seq"] != number:
            raise InvalidInputError("lines are missing or out of order here")
        event = from_plain(str(plain["kind"]), plain["data"])
        for name, most in (("at", 40), ("by", 80)):
            if not _is_short(plain[name], most):
                raise InvalidInputError(f"{name} must be text of at most {most} printable characters", field=name)
        self._check(event, plain["parent"], number)
        line = LogLine(number, plain["parent"], plain["at"], plain["by"], event)
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

    def take_picture(self, plain: Plain) -> None:
        """Check one picture; it must belong to the log before it."""
        id_, pieces = plain["picture"], plain.get("data")
        if not isinstance(id_, str) or id_ not in self.campaign.pictures or id_ in self._pictures:
            raise InvalidInputError(f"the log knows no picture {id_!r:.50}, or it comes twice", field="picture")
        if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
            raise InvalidInputError("the data of a picture is a list of texts", field="picture")
        try:
            data = b64decode("".join(pieces), validate=True)
        except ValueError:
            raise InvalidInputError("the data of a picture is not Base64 text", field="picture") from None
        found, told = check_stored(id_, data), self.campaign.pictures[id_]
        if (found.width, found.height, len(data)) != (told.width, told.height, told.size):
            raise InvalidInputError("the picture has another size than the log says", field="picture")
        self._pictures.add(id_)
        self._batch.pictures.append(PictureRow(id_, data))
        self._bytes_of_slice += len(data)

    def check_pictures(self) -> None:
        """Refuse a file that lacks a picture of its log."""
        missing = len(self.campaign.pictures) - len(self._pictures)
        if missing:
            raise InvalidInputError(
                f"the file is not whole: {missing} of {len(self.campaign.pictures)} pictures are missing",
                field="pictures",
            )

    def _check(self, event: TableEvent, parent: Any, number: int) -> None:
        if (number == 1) is not isinstance(event, CampaignMade):
            raise InvalidInputError("a campaign begins with its first line, and only there")
        if isinstance(event, CampaignMade):
            load_system(event.system).options.from_mapping(event.options)
            if len(bytes.fromhex(event.seed)) != 16:
                raise InvalidInputError("the seed must have 32 hexadecimal digits")
        if isinstance(event, CampaignMade | CampaignRenamed) and not (event.title and _is_short(event.title, 60)):
            raise InvalidInputError("the title must be text of 1 to 60 printable characters")
        if event.played:
            if parent != self.campaign.head or type(parent) is not int:
                raise InvalidInputError("the line names another line as its predecessor than the last of play")
        elif parent is not None:
            raise InvalidInputError("a line that undo does not cover names a predecessor")
        if isinstance(event, Undone | Redone) and not (0 <= event.head < number and event.was == self.campaign.head):
            raise InvalidInputError("the undo or redo names no line before it")
        if isinstance(event, Redone) and event.head not in [back.head for back in self.campaign.redo[-1:]]:
            raise InvalidInputError("the redo has nothing to bring back")
        self._check_picture(event)
        scene = self.campaign.play.scene
        if isinstance(event, SceneBegan) and scene is not None:
            raise InvalidInputError("a scene begins while another one is open")
        if isinstance(event, SceneClosed) and (scene is None or event.scene != scene.id):
            raise InvalidInputError("a scene ends that is not open")

    def _check_picture(self, event: TableEvent) -> None:
        """Refuse a picture with an impossible id or size, and the use of one that no one uploaded."""
        if isinstance(event, PictureAdded):
            is_id = re.fullmatch(r"[0-9a-f]{40}", event.picture) is not None
            if not is_id or min(event.width, event.height, event.size) < 1 or event.by not in self.campaign.seats:
                raise InvalidInputError("this is not a picture of a seat at this table")
        used = event.picture if isinstance(event, PortraitSet | MapSet | HandoutKept) else ""
        if used and used not in self.campaign.pictures:
            raise InvalidInputError("nobody has uploaded this picture", field="picture")
        if isinstance(event, HandoutKept) and len(event.text) > MOST_LETTERS_OF_HANDOUTS:
            raise InvalidInputError(f"a handout has at most {MOST_LETTERS_OF_HANDOUTS:,} letters", field="text")

    def _check_sizes(self) -> None:
        for whole, bounds in ((self.campaign, MOST_OF), (self.campaign.play, MOST_OF_PLAY)):
            for name, most in bounds.items():
                if len(getattr(whole, name)) > most:
                    raise InvalidInputError(f"the campaign has more than {most:,} {name}")

    def _check_hash(self, plain: Plain) -> None:
        """Check the hash chain of the file; the stored lines get a chain of their own."""
        if not self.is_chained and "hash" not in plain:
            return
        texts = short_json(plain["data"]), short_json(plain["bodies"])
        line = StoredLine(plain["seq"], plain["parent"], plain["at"], plain["by"], plain["kind"], *texts)
        self._hash = hash_of_line(self._hash, line, plain["to"])
        if plain.get("hash") != self._hash:
            raise InvalidInputError("the line was altered, or a line before it is missing", field="hash")

    # ------------------------------------------------------------------ earlier states

    def _remember(self, line: LogLine) -> None:
        """Record the play state after a line; ``_turns`` maps each line to the last one that changed play."""
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

    def _play_at(self, head: int) -> PlayState:
        turn, chain = self._turns[head], list[LogLine]()
        if turn is None:
            raise InvalidInputError("the undo goes back to a line that undo does not cover")
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
        """True if the chunk is large enough to write."""
        return len(self._batch.lines) >= CHUNK or self._bytes_of_slice >= MOST_BYTES_OF_SLICE

    def write(self) -> None:
        """Write the chunk, with a snapshot unless the snapshots would outgrow the log."""
        self._bytes += self._bytes_of_slice
        kept = to_snapshot(self.campaign)
        if self._bytes_of_snapshots + len(kept) <= self._bytes:
            self._bytes_of_snapshots += len(kept)
            self._batch.snapshot = (self.campaign.last, self.campaign.head, kept)
        with rows.writing(self.store.engine) as connection:
            self._append(connection, self._batch)
        self._is_there = True
        self._batch = PendingWrite(self.campaign.id, self.campaign.last)
        self._bytes_of_slice = 0

    def _append(self, connection: Connection, batch: PendingWrite) -> None:
        at, made = self.store.now(), self.campaign
        if not self._is_there:
            rows.add_campaign(connection, CampaignSummary(made.id, made.title, made.system, at, at, 0, IMPORTING))
        rows.append(connection, batch, at, self.store.sender)

    def finish(self, connection: Connection, token: str) -> tuple[str, Invitation]:
        """Write the last chunk, a snapshot and a link for the game master, and make the campaign visible."""
        last, batch = self.campaign, self._batch
        kept = to_snapshot(last)
        try:
            from_snapshot(kept)
        except ValueError as error:
            raise InvalidInputError(f"the campaign cannot be opened: {error!s:.200}") from None
        batch.snapshot = (last.last, last.head, kept)
        batch.title = last.title
        masters = [seat for seat in last.seats.values() if seat.role == "gm" and seat.takes_part]
        if not masters:
            raise InvalidInputError("the campaign has no game master")
        batch.links = [LinkRow(hash_of(token), last.id, masters[0].id, "gm", "link", self.store.now(), None)]
        self._append(connection, batch)
        rows.close(connection, last.id, None)
        return last.id, Invitation(token, "gm", masters[0].id)

    def discard(self) -> None:
        """Delete the lines written so far; on failure, the next start of the server deletes them."""
        if self._is_there:
            with suppress(TablewrightError):
                self.store.discard(self.campaign.id)


def _is_short(text: Any, most: int) -> bool:
    return isinstance(text, str) and len(text) <= most and not any(letter < " " or letter == "\x7f" for letter in text)


def _told(bodies: Any, to: Any, campaign: Campaign) -> LineBodies:
    if not isinstance(bodies, list) or not all(isinstance(body, dict) for body in bodies):
        raise InvalidInputError("bodies must be a list of objects", field="bodies")
    if not isinstance(to, dict):
        raise InvalidInputError("to must map each viewer to the places of their bodies", field="to")
    places: dict[str, tuple[int, ...]] = {}
    for viewer, some in to.items():
        if viewer not in (GAME_MASTER, PUBLIC) and viewer not in campaign.seats:
            raise InvalidInputError(f'"{viewer:.40}" is not a viewer of this table', field="to")
        if not isinstance(some, list):
            raise InvalidInputError("the places of a viewer must be a list", field="to")
        if not all(type(place) is int and 0 <= place < len(bodies) for place in some):
            raise InvalidInputError("a place names a body that is missing", field="to")
        places[viewer] = tuple(some)
    return LineBodies(tuple([short_json(body) for body in bodies]), places)
