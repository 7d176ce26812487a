"""Campaign in memory: its state, the session of its open scene, and lines that are not written yet.

A loaded campaign is used by one thread at a time. All changes collect in a batch. If the batch cannot be written, the
table discards the loaded campaign and reads it from the log again; memory never runs ahead of the log.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Engine

from tablewright.engine import Choice, Roll
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, TablewrightError
from tablewright.game.play.common_events import TimePassed
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.policies import answer_for_bot
from tablewright.game.session.record import Entry, JoinEntry, ReducedEntry, StartEntry, entry_from_json, entry_to_json
from tablewright.game.session.session import Session, is_same_fact
from tablewright.table import feed as feeding
from tablewright.table import scenes
from tablewright.table.campaign import (
    MOST_REMEMBERED,
    PUBLIC,
    Campaign,
    LogLine,
    PlayState,
    Seat,
    apply,
    apply_play,
    changes_play,
    from_snapshot,
    to_snapshot,
)
from tablewright.table.database import queries as rows
from tablewright.table.database import snapshot_queries
from tablewright.table.database.queries import LineRow, PendingWrite
from tablewright.table.database.verification import check_ends
from tablewright.table.errors import NotFoundError
from tablewright.table.events import KINDS, Entered, Proposed, SceneBegan, SceneClosed, TableEvent, Undone
from tablewright.table.feed import Feed, LineBodies, gathered, of_event

TABLE = "the table"
"""Author of automatic lines: automatic dice, bots and the effects of an upgrade."""

SNAPSHOT_EVERY = 400
MOST_AUTOMATIC = 4_000
MOST_AT_ONCE = 16
"""Upper bounds for automatic steps of dice and bots after one act, and in one chunk."""
CHUNK = 1_000
MOST_RECENT = 16
"""Number of recent feed items per viewer to keep in memory."""


class Recorded(NamedTuple):
    """An entry of the open scene that counts: its line, the event, and the records it caused."""

    seq: int
    parent: int
    by: str
    entry: Entry
    event: Entered
    facts: tuple[Any, ...]
    told: LineBodies | None = None

    def told_to(self, viewer: str) -> list[Any] | None:
        """The records that a viewer saw; None if they must be read from the database."""
        if self.told is None:
            return None
        return [json.loads(self.told.bodies[place]).get("fact") for place in self.told.places.get(viewer, ())]


class Recent(NamedTuple):
    """A recent feed item: its number, its time and its body."""

    number: int
    at: str
    body: dict[str, Any]


class LoadedCampaign:
    """A loaded campaign and its unwritten lines."""

    def __init__(self, engine: Engine, campaign: str, now: Callable[[], str]) -> None:
        self.engine = engine
        self.id = campaign
        self.now = now
        self._session: Session | None = None
        self._feed = Feed("")
        self.record: list[Recorded] = []
        self.since_snapshot = 0
        self.campaign = Campaign(campaign)
        self.batch = PendingWrite(campaign, 0)
        self.steps_left = 0
        self.recent: dict[str, deque[Recent]] = {}

    # ------------------------------------------------------------------ reading the log

    @classmethod
    def load(cls, engine: Engine, campaign: str, now: Callable[[], str]) -> LoadedCampaign:
        """Load a campaign from its newest snapshot and the lines after it."""
        sitting = cls(engine, campaign, now)
        with rows.reading(engine) as connection:
            last = rows.last_of(connection, campaign)
            if last is None:
                raise NotFoundError("there is no such campaign")
            snapshot = snapshot_queries.newest_snapshot(connection, campaign, last)
            if snapshot is not None:
                sitting.campaign = from_snapshot(snapshot)
            after = sitting.campaign.last
            check_ends(connection, campaign, after)
            tail = rows.rows_between(connection, campaign, after + 1, last)
        sitting.since_snapshot = len(tail)
        for row in tail:
            sitting.campaign = apply(sitting.campaign, row.line, sitting.play_at)
        sitting._count()
        sitting.begin()
        return sitting

    def catch_up(self) -> bool:
        """Apply the lines that other processes wrote; return False if there were none."""
        with rows.reading(self.engine) as connection:
            last = rows.last_of(connection, self.id)
            if last is None:
                raise NotFoundError("there is no such campaign")
            if last == self.campaign.last:
                return False
            tail = rows.rows_between(connection, self.id, self.campaign.last + 1, last, told=True)
        for row in tail:
            event, follows = row.line.event, row.line.parent == self.campaign.head
            self.campaign = apply(self.campaign, row.line, self.play_at)
            if isinstance(event, Entered) and follows and self._session is not None:
                self._follow(self._session, row, event)
            elif event.played or isinstance(event, Undone) or event.kind == "Redone":
                self._session = None
                self.steps_left = 0
        self.since_snapshot += len(tail)
        self.recent.clear()
        self._count()
        self.begin()
        return True

    def _count(self) -> None:
        """Set the number of feed items per viewer from the database."""
        counts: dict[str, int] = {}
        with rows.reading(self.engine) as connection:
            for viewer in dict.fromkeys([*self.campaign.viewers(), *self.campaign.counts]):
                seat = self.campaign.seats.get(viewer)
                counts[viewer] = rows.count(connection, self.id, viewer) or (seat.joined if seat is not None else 0)
        self.campaign = replace(self.campaign, counts=counts)

    def play_at(self, head: int) -> PlayState:
        """Play state at an earlier line, from the nearest snapshot among its ancestors or from the first line."""
        here = self.campaign
        scene = here.play.scene
        is_open = scene is not None and self._session is not None
        if is_open and scene and (head == scene.began or any(one.seq == head for one in self.record)):
            return here.play
        changes: list[int] = []
        unwritten = {line.seq: line for line, _ in self.batch.lines}
        with rows.reading(self.engine) as connection:
            at = head
            play: PlayState | None = None
            while at and play is None:
                low = max(1, at - CHUNK)
                steps = rows.steps_between(connection, self.id, low, at)
                steps |= {seq: (line.parent, line.event.kind) for seq, line in unwritten.items() if low <= seq <= at}
                known = snapshot_queries.snapshot_heads(connection, self.id, low, at)
                while at >= low and at:
                    if at in known:
                        kept = snapshot_queries.snapshot_at(connection, self.id, known[at])
                        if kept is not None:
                            play = from_snapshot(kept).play
                            break
                    parent, kind = steps[at]
                    if changes_play(KINDS[kind]):
                        changes.append(at)
                    at = parent or 0
            if play is None:
                first = rows.rows_between(connection, self.id, 1, 1)[0].line
                play = apply(Campaign(self.id), first, self.play_at).play
            written = rows.rows_of(connection, self.id, sorted([seq for seq in changes if seq not in unwritten]))
        for line in [*[row.line for row in written], *[unwritten[seq] for seq in sorted(changes) if seq in unwritten]]:
            play = apply_play(play, line)
        return play

    # ------------------------------------------------------------------ the open scene

    @property
    def session(self) -> Session:
        """Session of the open scene; the first access replays its record."""
        if self._session is None:
            self._open()
        if self._session is None:
            raise IllegalActionError("no scene is open any more; wait until the next one begins")
        return self._session

    @property
    def has_scene(self) -> bool:
        """True if a scene is open."""
        return self.campaign.play.scene is not None

    @property
    def is_ready(self) -> bool:
        """True if no scene has to be opened first."""
        return self._session is not None or self.campaign.play.scene is None

    def entries(self) -> list[Recorded]:
        """Entries of the open scene that count, in order; empty if no scene is open."""
        if self.has_scene and self._session is None:
            self._open()
        return list(self.record) if self.has_scene else []

    def _open(self) -> None:
        """Replay the record; if the rules have changed since, return to the last matching line and log that."""
        wrong = self._opened(self._chain())
        if wrong is None:
            return
        dropped, reason = wrong
        was = self.campaign.head
        lost = [dropped, *[one.seq for one in self._chain() if one.seq > dropped]]
        head = self._parent(dropped)
        self.jump(Undone(why="rules changed", reason=reason, head=head, was=was), lost, TABLE)
        if self.has_scene and self._session is None:
            self._opened(self._chain())

    def _opened(self, chain: Sequence[Recorded]) -> tuple[int, str] | None:
        """Create the session from a record; return the first line that differs and the reason, or None."""
        scene = self.campaign.play.scene
        if scene is None:
            raise IllegalActionError("no scene is open; begin one first")
        try:
            session = scenes.session_of(self.campaign)
        except TablewrightError as error:
            return scene.began, f"the scene cannot be opened any more: {error}"
        self.record, self._feed = [], Feed(scene.id)
        for one in chain:
            try:
                same = self._replay(session, one)
            except TablewrightError as error:
                return one.seq, f"an answer is no longer possible: {error}"
            if not same:
                return one.seq, "the rules or the content have changed since it was played"
        self._session = session
        return None

    def _replay(self, session: Session, one: Recorded) -> bool:
        """Enter a recorded entry again; return True if it causes the same records."""
        before = len(session.log)
        session.enter(one.entry)
        new = session.log[before:]
        self.record.append(one)
        if any(self._feed.held.values()) or any(isinstance(line, TimePassed) for line in new):
            self._feed.of_log(session, before, self.campaign.viewers())
        return are_same_facts([line.to_json() for line in new], one.facts)

    def _follow(self, session: Session, row: LineRow, event: Entered) -> None:
        """Apply an entry from another process; if the result differs here, drop the session."""
        try:
            same = self._replay(session, self._recorded(row))
        except TablewrightError:
            same = False
        if not same:
            self._session = None
        elif event.recalled is not None:
            session.forget(event.recalled)

    def _chain(self) -> list[Recorded]:
        """Entries of the open scene that count, in order, from the log and the unwritten batch."""
        scene = self.campaign.play.scene
        if scene is None:
            return []
        with rows.reading(self.engine) as connection:
            found = {
                row.line.seq: row
                for row in rows.rows_between(connection, self.id, scene.began + 1, self.campaign.last, told=True)
            }
        for line, told in self.batch.lines:
            found[line.seq] = LineRow(line, tuple([json.loads(body) for body in told.bodies]))
        chain: list[Recorded] = []
        at = self.campaign.head
        while at > scene.began and at in found:
            row = found[at]
            if isinstance(row.line.event, Entered):
                chain.append(self._recorded(row))
            at = row.line.parent or 0
        return chain[::-1]

    def _recorded(self, row: LineRow) -> Recorded:
        event = row.line.event
        assert isinstance(event, Entered)
        facts = tuple([body["fact"] for body in row.bodies[: event.facts]])
        return Recorded(row.line.seq, row.line.parent or 0, row.line.by, entry_from_json(event.entry), event, facts)

    def _parent(self, seq: int) -> int:
        for line, _ in self.batch.lines:
            if line.seq == seq:
                return line.parent or 0
        with rows.reading(self.engine) as connection:
            return rows.steps_between(connection, self.id, seq, seq)[seq][0] or 0

    # ------------------------------------------------------------------ adding to the log

    def begin(self) -> None:
        """Start a new batch."""
        self.batch = PendingWrite(self.id, self.campaign.last)

    def add(self, event: TableEvent, by: str, told: LineBodies | None = None) -> LogLine:
        """Add a line to the batch and apply it."""
        parent = self.campaign.head if event.played else None
        line = LogLine(self.campaign.last + 1, parent, self.now(), by, event)
        if isinstance(event, SceneClosed | SceneBegan):
            self._session = None
        before = self.campaign
        self.campaign = apply(before, line, self.play_at)
        told = told if told is not None else of_event(event, before, self.campaign)
        self._write(line, told)
        return line

    def _write(self, line: LogLine, told: LineBodies) -> None:
        counts = dict(self.campaign.counts)
        bodies = [json.loads(body) for body in told.bodies[:MOST_RECENT]]
        for viewer, places in told.places.items():
            recent = self.recent.setdefault(viewer, deque(maxlen=MOST_RECENT))
            for place in places:
                counts[viewer] = counts.get(viewer, 0) + 1
                self.batch.feeds.append((viewer, counts[viewer], line.seq, place))
                if place < len(bodies):
                    recent.append(Recent(counts[viewer], line.at, bodies[place]))
                else:
                    recent.clear()
        self.campaign = replace(self.campaign, counts=counts)
        self.batch.lines.append((line, told))
        self.since_snapshot += 1

    def seen_lately(self, viewer: str, after: int) -> list[Recent] | None:
        """Feed items of a viewer after a number, from memory; None if the database is needed."""
        recent = self.recent.get(viewer)
        if not recent or recent[0].number > after + 1:
            return None
        return [one for one in recent if one.number > after]

    def finish(self) -> PendingWrite:
        """The batch to write, with a snapshot every ``SNAPSHOT_EVERY`` lines."""
        if self.since_snapshot >= SNAPSHOT_EVERY:
            self.batch.snapshot = (self.campaign.last, self.campaign.head, to_snapshot(self.campaign))
            self.since_snapshot = 0
        return self.batch

    def enter(self, entry: Entry, by: str, *, unasked: bool = False) -> Recorded:
        """Enter an entry into the open scene."""
        recorded = self._enter(entry, by, unasked=unasked, may_hold=False)
        assert recorded is not None
        return recorded

    def take(self, entry: Entry, by: str, *, unasked: bool = False) -> bool:
        """Enter an entry into the open scene, or propose it to the game master if it would harm others.

        Return True if it was entered. Only tables with the setting ``harm`` on the game master make proposals.
        """
        may_hold = self.campaign.settings.get("harm") == GAME_MASTER
        return self._enter(entry, by, unasked=unasked, may_hold=may_hold) is not None

    def _enter(self, entry: Entry, by: str, *, unasked: bool, may_hold: bool) -> Recorded | None:
        session, open_ = self.session, self.campaign.play.scene
        assert open_ is not None
        if len(self.record) >= scenes.MOST_ENTRIES:
            raise IllegalActionError(f"a scene has at most {scenes.MOST_ENTRIES:,} lines; end it, and go on in another")
        question, seat, key = scenes.asked(session), session.seat or "", session.roll_key
        words = scenes.asked_in_words(session)
        is_answer = not isinstance(entry.entry if isinstance(entry, ReducedEntry) else entry, StartEntry | JoinEntry)
        next_remembered = self.campaign.remembered.get(key or "", [])
        recalled = key if is_answer and next_remembered and list(next_remembered[0]) == _faces(entry) else None
        before, was = len(session.log), session.scene
        session.enter(entry)
        if may_hold and scenes.harms(was, session, session.log[before:], seat):
            self._propose(session, before, entry, by, unasked=unasked)
            return None
        if recalled is not None:
            session.forget(recalled)
        new = session.log[before:]
        plain = entry_to_json(entry)
        who = self.campaign.seats.get(by)
        came = feeding.EnteredBody(who.viewer if who is not None and not unasked else "", words, plain)
        told = self._feed.of_log(session, before, self.campaign.viewers(), came)
        event = Entered(
            scene=open_.id,
            entry=plain,
            seat=seat if is_answer else "",
            asked=question if is_answer else "",
            recalled=recalled,
            facts=len(new),
            unasked=unasked,
        )
        parent = self.campaign.head
        line = self.add(event, by, told)
        facts = tuple([json.loads(body)["fact"] for body in told.bodies[: len(new)]])
        recorded = Recorded(line.seq, parent, by, entry, event, facts, told)
        self.record.append(recorded)
        return recorded

    def _propose(self, session: Session, before: int, entry: Entry, by: str, *, unasked: bool) -> None:
        """Show the effects of an entry to all viewers as a proposal, and restore the state before it."""
        open_ = self.campaign.play.scene
        assert open_ is not None
        viewers = self.campaign.viewers()
        told = self._feed.of_log(session, before, viewers)
        bodies = [json.loads(body) | {"kind": "proposed"} for body in told.bodies]
        self.rebuild(self.record)
        event = Proposed(scene=open_.id, entry=entry_to_json(entry), by=by, unasked=unasked)
        texts = tuple([json.dumps(body, separators=(",", ":")) for body in bodies])
        self.add(event, by, LineBodies(texts, told.places))

    def go_on(self) -> None:
        """Start the automatic steps: automatic dice, hidden dice and bots."""
        self.steps_left = MOST_AUTOMATIC
        self.go_further()

    def go_further(self) -> None:
        """Take the next chunk of automatic steps; ``steps_left`` is 0 at the end."""
        left, self.steps_left = self.steps_left, 0
        open_ = self.campaign.play.scene
        if open_ is None:
            return
        for _ in range(min(left, MOST_AT_ONCE)):
            session = self.session
            question, seat = session.question, self.asked
            if question is None or seat is None or len(self.record) >= scenes.MOST_ENTRIES:
                return
            if self.campaign.proposal is not None:
                return
            policy = open_.bots.get(seat)
            if isinstance(question, Roll):
                if policy is None and not self._is_thrown_for(seat):
                    return
                self.take(session.faces(), seat, unasked=True)
            elif policy is not None:
                assert isinstance(question, Choice)
                self.take(question.id_at(answer_for_bot(policy, session, question)), seat, unasked=True)
            else:
                return
        self.steps_left = max(0, left - MOST_AT_ONCE)

    def _is_thrown_for(self, seat: str) -> bool:
        """True if the dice of a seat are thrown automatically; hidden dice always are, which keeps them secret."""
        playing = self.session.playing
        assert playing is not None
        if playing.audience not in (EVERYONE, seat, playing.seat):
            return True
        person = self.person_of(seat)
        return person is None or person.dice == "auto"

    @property
    def asked(self) -> str | None:
        """The seat that may answer now, or None; follows a character that was handed over after the question.

        If the asked seat plays no participant of the scene any more, the game master answers.
        """
        session = self.session
        question, seat, scene = session.question, session.seat, session.scene
        if question is None or seat is None:
            return None
        who = question.details.get("who") if isinstance(question, Choice) else None
        if isinstance(who, str) and who in scene and seat in self.campaign.seats:
            return scene[who].seat
        is_here = seat not in self.campaign.seats or any(participant.seat == seat for participant in scene.participants)
        return seat if is_here else GAME_MASTER

    def person_of(self, seat: str) -> Seat | None:
        """The person behind a seat of the scene: its player, or else the first game master."""
        found = self.campaign.seats.get(seat)
        if found is not None and found.role == "player" and found.takes_part:
            return found
        masters = [value for value in self.campaign.seats.values() if value.role == "gm" and value.takes_part]
        return masters[0] if masters else None

    # ------------------------------------------------------------------ undo and redo

    def jump(self, event: TableEvent, changed: Sequence[int], by: str) -> LogLine:
        """Move the head to another line; each viewer learns which of their items count no more, or again."""
        told = self._told_of_jump(event, changed)
        line = self.add(event, by, told)
        self._session = None
        self.steps_left = 0
        return line

    def _told_of_jump(self, event: TableEvent, changed: Sequence[int]) -> LineBodies:
        concerned = set(changed)
        numbers: dict[str, list[int]] = {}
        with rows.reading(self.engine) as connection:
            for viewer, number, seq in rows.numbers_of(connection, self.id, min(changed), max(changed)):
                if seq in concerned:
                    numbers.setdefault(viewer, []).append(number)
        for viewer, number, seq, _ in self.batch.feeds:
            if seq in concerned:
                numbers.setdefault(viewer, []).append(number)
        bodies: dict[str, list[dict[str, Any]]] = {}
        for viewer in self.campaign.viewers():
            seat = self.campaign.seats.get(viewer)
            own = numbers.get(viewer, [])
            if seat is not None:
                own = [number for number in numbers.get(PUBLIC, []) if number <= seat.joined] + own
            seen = event.as_seen_by(viewer)
            if seen is not None and (own or viewer == GAME_MASTER):
                bodies[viewer] = [{"kind": event.kind.lower(), "fact": seen | {"lines": ranges(own)}}]
        return gathered(bodies)

    def rebuild(self, kept: Sequence[Recorded]) -> None:
        """Replace the session by one with a shorter record of the same scene."""
        wrong = self._opened(list(kept))
        if wrong is not None:
            self._session = None

    def proposed_faces(self) -> dict[str, list[int]]:
        """Faces thrown for the open proposal, by the key of the roll."""
        proposal, key = self.campaign.proposal, self.session.roll_key
        return {key: proposal.entry} if proposal is not None and key and isinstance(proposal.entry, list) else {}

    def remembered_with(self, kept: Sequence[Recorded], dropped: Sequence[Recorded]) -> dict[str, list[list[int]]]:
        """Faces of the rolls dropped now, and of earlier dropped rolls that were not repeated."""
        scratch = scenes.session_of(self.campaign, [one.entry for one in kept])
        try:
            rolls = scratch.rolls_of([one.entry for one in dropped])
        except TablewrightError:
            rolls = {}
        found = {key: [list(faces) for faces in some] for key, some in rolls.items()}
        for key, faces in self.proposed_faces().items():
            found.setdefault(key, []).append(faces)
        for key, some in self.campaign.remembered.items():
            found[key] = found.get(key, []) + some
        return dict(list(found.items())[:MOST_REMEMBERED])


def ranges(numbers: Sequence[int]) -> list[list[int]]:
    """Group numbers into ranges of consecutive ones.

    >>> ranges([3, 4, 5, 9])
    [[3, 5], [9, 9]]
    """
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def scene_seed(seed: str, line: int) -> str:
    """Seed of a scene, derived from the campaign's secret seed and the first line of the scene."""
    return blake2b(f"scene {line}".encode(), key=bytes.fromhex(seed), digest_size=16).hexdigest()


def _faces(entry: Entry) -> list[int] | None:
    shown = entry.entry if isinstance(entry, ReducedEntry) else entry
    return list(shown) if isinstance(shown, tuple) else None


def are_same_facts(new: Sequence[dict[str, Any]], stored: Sequence[dict[str, Any]]) -> bool:
    """True if new records equal stored ones, which went through JSON."""
    if list(new) == list(stored):
        return True
    read: list[dict[str, Any]] = json.loads(json.dumps(new))
    return len(read) == len(stored) and all(map(is_same_fact, read, stored))
