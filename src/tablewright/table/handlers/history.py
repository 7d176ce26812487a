"""Handlers for undo, redo and changed answers, each with a preview and a confirmation. No line leaves the log.

Undo returns to the state before a line. Redo goes forward again until a new line is played. A change replaces the
answer at a line and runs the later answers again. The run ends at the first answer that is no longer possible or that
answered another question. A process that is to start is tried on a copy. A preview never throws dice, and a dropped
roll shows the same faces when it is requested again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple

from tablewright.engine import Choice
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError
from tablewright.game.narration.narrator import narrate_line
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.record import entry_to_json
from tablewright.game.session.session import Session
from tablewright.table import commands as given
from tablewright.table import scenes
from tablewright.table.campaign import PUBLIC, Seat
from tablewright.table.database import queries as rows
from tablewright.table.database.queries import FeedItem
from tablewright.table.errors import ConflictError, ForbiddenError, NotFoundError
from tablewright.table.events import Redone, UndoAsked, Undone
from tablewright.table.feed import EnteredBody, Feed
from tablewright.table.handlers.play import entry_of
from tablewright.table.handlers.registry import handles
from tablewright.table.handlers.seats import sync_seats
from tablewright.table.loaded_campaign import LoadedCampaign, Recorded

MOST_SHOWN = 500


class LineChange(NamedTuple):
    """Effect of a command on one feed item: ``stays``, ``changes`` (to ``becomes``), ``drops`` or ``comes``."""

    number: int
    fate: str
    text: str
    becomes: tuple[str, ...] = ()


def preview(sitting: LoadedCampaign, seat: Seat, command: given.Command) -> dict[str, Any]:
    """Effects of an undo, redo, change, take-back or start on the seat's feed, and the code that confirms it."""
    if isinstance(command, given.Undo):
        chain = _since(sitting, _line(sitting, seat, command.line))
        fates = [LineChange(item.number, "drops", _text(item)) for item in _items(sitting, seat, chain)]
    elif isinstance(command, given.Redo):
        fates = [LineChange(item.number, "stays", _text(item)) for item in _items(sitting, seat, _coming_back(sitting))]
    elif isinstance(command, given.Change):
        fates = _fates(sitting, seat, command)
    elif isinstance(command, given.TakeBack):
        chain = [one.seq for one in _own_last(sitting, seat).dropped]
        fates = [LineChange(item.number, "drops", _text(item)) for item in _items(sitting, seat, chain)]
    elif isinstance(command, given.Start):
        fates = _tried(sitting, seat, command)
    else:
        raise InvalidInputError(
            "a preview is for undo, redo, change, take_back and start only; do this at once", field="do"
        )
    return {
        "do": getattr(command, "do"),  # noqa: B009 - every command has it
        "lines": [fate._asdict() | {"becomes": list(fate.becomes)} for fate in fates[:MOST_SHOWN]],
        "left_out": max(0, len(fates) - MOST_SHOWN),
        "confirm": confirmation(sitting, seat, command),
    }


def _tried(sitting: LoadedCampaign, seat: Seat, command: given.Start) -> list[LineChange]:
    """The lines of a process that needs neither dice nor answers, tried on a copy of the scene."""
    if not sitting.has_scene:
        raise IllegalActionError("no scene is open; begin one first")
    session = sitting.session
    copy = Session(replace(session.header, scene=session.scene), session.rulebook)
    copy.do(command.process, **command.arguments)
    if copy.question is not None:
        raise InvalidInputError(f'"{command.process:.60}" asks for dice or an answer; start it', field="process")
    told = [narrate_line(line, copy.scene, seat.viewer, session.scene, by_name=True) for line in copy.log]
    first = sitting.campaign.counts.get(seat.viewer, 0) + 1
    return [LineChange(first + at, "comes", one.text) for at, one in enumerate([one for one in told if one])]


def confirmation(sitting: LoadedCampaign, seat: Seat, command: given.Command) -> str:
    """Code that proves that a seat has seen the preview of a command; it changes with the seat's feed.

    It depends only on what the seat has seen.
    """
    seen = sitting.campaign.counts.get(seat.viewer, 0)
    asked = command.model_dump_json(exclude={"confirm", "reason"})
    return blake2b(f"{sitting.id}|{seat.id}|{seen}|{asked}".encode(), digest_size=12).hexdigest()


def _check_confirmed(sitting: LoadedCampaign, seat: Seat, command: given.Undo | given.Redo | given.Change) -> None:
    if command.confirm is None:
        raise InvalidInputError(
            "look at what it does first, then confirm with the code of the preview", field="confirm"
        )
    if command.confirm != confirmation(sitting, seat, command):
        seen = sitting.campaign.counts.get(seat.viewer, 0)
        raise ConflictError("more has happened since you looked; look at what it does again, then confirm", seen)


# ---------------------------------------------------------------------- finding lines


def _line(sitting: LoadedCampaign, seat: Seat, number: int) -> int:
    """The log line of a number in the seat's feed."""
    viewer = seat.viewer
    person = sitting.campaign.seats.get(seat.id)
    if person is not None and person.role == "player" and number <= person.joined:
        viewer = PUBLIC
    with rows.reading(sitting.engine) as connection:
        found = rows.line_of(connection, sitting.id, viewer, number)
    if found is None:
        raise NotFoundError(f"there is no line {number}; choose one that the log shows")
    return found


def _since(sitting: LoadedCampaign, line: int) -> list[int]:
    """The played lines from ``line`` to the head; refuse a line that does not count or is not undoable."""
    found: list[int] = []
    with rows.reading(sitting.engine) as connection:
        steps = rows.steps_between(connection, sitting.id, line, sitting.campaign.head)
    at = sitting.campaign.head
    while at >= line and at in steps:
        found.append(at)
        at = steps[at][0] or 0
    if not found or found[-1] != line:
        raise IllegalActionError(
            "this line cannot be undone: it does not count any more, or is not part of play; choose another one"
        )
    return found[::-1]


def _coming_back(sitting: LoadedCampaign) -> list[int]:
    """The played lines that redo restores."""
    campaign = sitting.campaign
    if not campaign.redo:
        raise IllegalActionError("there is nothing to redo")
    target = campaign.redo[-1].head
    with rows.reading(sitting.engine) as connection:
        steps = rows.steps_between(connection, sitting.id, campaign.head + 1, target)
    found: list[int] = []
    at = target
    while at > campaign.head and at in steps:
        found.append(at)
        at = steps[at][0] or 0
    return found[::-1]


def _items(sitting: LoadedCampaign, seat: Seat, seqs: Sequence[int]) -> list[FeedItem]:
    """The seat's feed items of some lines."""
    if not seqs:
        return []
    wanted, viewer = set(seqs), seat.viewer
    found: list[FeedItem] = []
    with rows.reading(sitting.engine) as connection:
        told = rows.numbers_of(connection, sitting.id, min(seqs), max(seqs))
        joined = sitting.campaign.seats[seat.id].joined if seat.role == "player" else 0
        for eyes in dict.fromkeys((viewer, PUBLIC) if seat.role == "player" else (viewer,)):
            numbers = [
                number
                for whose, number, seq in told
                if whose == eyes and seq in wanted and (eyes == viewer or number <= joined)
            ]
            if numbers:
                low, high = min(numbers), max(numbers)
                some = rows.items_after(connection, sitting.id, eyes, low - 1, until=high, most=high - low + 1)
                found += [item for item in some if item.seq in wanted]
    return sorted(found)


def _text(item: FeedItem) -> str:
    return str(item.body.get("text", ""))


# ---------------------------------------------------------------------- undo and redo


@handles(given.Undo, "gm")
def _undo(sitting: LoadedCampaign, seat: Seat, command: given.Undo) -> None:
    line = _line(sitting, seat, command.line)
    dropped = _since(sitting, line)
    _check_confirmed(sitting, seat, command)
    _go_back(sitting, seat, dropped, why="undo", reason=command.reason)
    sync_seats(sitting)


def _go_back(sitting: LoadedCampaign, seat: Seat, dropped: Sequence[int], *, why: str, reason: str = "") -> None:
    """Return to the state before the first of some lines; if that is inside the open scene, remember its rolls."""
    campaign, first = sitting.campaign, dropped[0]
    kept: list[Recorded] | None = None
    head, remembered = 0, campaign.remembered
    if sitting.has_scene and campaign.play.scene is not None and first > campaign.play.scene.began:
        record = sitting.entries()
        kept = [one for one in record if one.seq < first]
        gone = [one for one in record if one.seq >= first]
        if gone:
            head, remembered = gone[0].parent, sitting.remembered_with(kept, gone)
    if not head:
        kept = None
        with rows.reading(sitting.engine) as connection:
            head = rows.steps_between(connection, sitting.id, first, first)[first][0] or 0
        remembered = {}
    event = Undone(by=seat.id, why=why, reason=reason, head=head, was=campaign.head, remembered=remembered)
    sitting.jump(event, dropped, seat.id)
    if kept is not None:
        sitting.rebuild(kept)


@handles(given.Redo, "gm")
def _redo(sitting: LoadedCampaign, seat: Seat, command: given.Redo) -> None:
    back = _coming_back(sitting)
    _check_confirmed(sitting, seat, command)
    campaign = sitting.campaign
    sitting.jump(Redone(by=seat.id, head=campaign.redo[-1].head, was=campaign.head), back, seat.id)
    sync_seats(sitting)


# ---------------------------------------------------------------------- changing a line


def asked_at(sitting: LoadedCampaign, seat: Seat, number: int) -> dict[str, Any]:
    """The question at a changeable line with all its options, and the answer given."""
    kept, line, _ = _changed(sitting, seat, number)
    session = scenes.session_of(sitting.campaign, [one.entry for one in kept])
    seen = project_question(session.playing, session.scene, GAME_MASTER)
    assert seen is not None
    key = session.question.key if isinstance(session.question, Choice) else ""
    worded = word_question(key, seen, session.scene, session.rulebook, GAME_MASTER, game=session.live).to_json()
    return worded | {"answer": line.event.entry}


def _changed(sitting: LoadedCampaign, seat: Seat, number: int) -> tuple[list[Recorded], Recorded, list[Recorded]]:
    """The record of the open scene before a line, the line itself, and the record after it."""
    line = _line(sitting, seat, number)
    record = sitting.entries()
    places = [place for place, one in enumerate(record) if one.seq == line]
    if not places:
        raise IllegalActionError("only an answer in the open scene can be changed; undo goes further back")
    place = places[0]
    if not record[place].event.asked:
        raise IllegalActionError("this line answers no question; undo it instead")
    return record[:place], record[place], record[place + 1 :]


def _new_entry(sitting: LoadedCampaign, seat: Seat, command: given.Change) -> Any:
    if command.answer.roll:
        raise InvalidInputError(
            "dice are not thrown again; type faces in, or set what comes of it", field="answer.roll"
        )
    return entry_of(command.answer, sitting, seat)


def _fates(sitting: LoadedCampaign, seat: Seat, command: given.Change) -> list[LineChange]:
    """Replay the record with one answer changed, without writing, and compare the texts."""
    kept, line, later = _changed(sitting, seat, command.line)
    session = scenes.session_of(sitting.campaign, [one.entry for one in kept])
    becomes = _told_anew(session, seat, line, _new_entry(sitting, seat, command), later)
    was: dict[int, list[FeedItem]] = {}
    for item in _items(sitting, seat, [line.seq, *[one.seq for one in later]]):
        was.setdefault(item.seq, []).append(item)
    return [fate for seq, items in was.items() for fate in _compared(items, becomes.get(seq))]


def _compared(items: Sequence[FeedItem], now: Sequence[str] | None) -> Iterator[LineChange]:
    """Changes of the items of one line; new texts go to the first item that changes, or else to the last item."""
    old = [_text(item) for item in items]
    new = tuple([text for text in now or () if text not in old])
    for item, text in zip(items, old, strict=True):
        if now is None:
            yield LineChange(item.number, "drops", text)
        elif text not in now:
            yield LineChange(item.number, "changes", text, new)
            new = ()
        elif new and item is items[-1]:
            yield LineChange(item.number, "changes", text, (text, *new))
        else:
            yield LineChange(item.number, "stays", text)


def _told_anew(
    session: Session, seat: Seat, line: Recorded, entry: Any, later: Sequence[Recorded]
) -> dict[int, list[str]]:
    """Texts for the seat after a change, by line, as far as the later answers still fit."""
    feed, found = Feed(""), dict[int, list[str]]()
    for one in (line, *later):
        if one is not line and not _fits(session, one):
            break
        new, before = entry if one is line else one.entry, len(session.log)
        came = EnteredBody(seat.viewer, scenes.asked_in_words(session), entry_to_json(new))
        try:
            session.enter(new)
        except TablewrightError:
            if one is line:
                raise
            break
        told = feed.of_log(session, before, (seat.viewer,), came)
        found[one.seq] = [str(json.loads(body).get("text", "")) for body in told.bodies]
    return found


def _fits(session: Any, one: Recorded) -> bool:
    """True if a recorded entry still fits: the same question is open, or the entry answers none."""
    return not one.event.asked or scenes.asked(session) == one.event.asked


@handles(given.Change, "gm")
def _change(sitting: LoadedCampaign, seat: Seat, command: given.Change) -> None:
    _, line, later = _changed(sitting, seat, command.line)
    entry = _new_entry(sitting, seat, command)
    _check_confirmed(sitting, seat, command)
    _go_back(sitting, seat, [line.seq, *[one.seq for one in later]], why="change")
    sitting.enter(entry, seat.id)
    _run_again(sitting, later)
    sync_seats(sitting)
    sitting.go_on()


def _run_again(sitting: LoadedCampaign, later: Sequence[Recorded]) -> None:
    """Enter recorded entries again, up to the first that no longer fits."""
    for one in later:
        if not _fits(sitting.session, one):
            return
        try:
            sitting.enter(one.entry, one.by, unasked=one.event.unasked)
        except TablewrightError:
            return


# ---------------------------------------------------------------------- commands of players


class _Own(NamedTuple):
    dropped: list[Recorded]
    unseen: list[Recorded]


def _own_last(sitting: LoadedCampaign, seat: Seat) -> _Own:
    """A player's last answer with its automatic consequences, and later entries that the player cannot see."""
    refusal = IllegalActionError("nothing of yours can be undone: another seat has acted since, or dice were shown")
    record = sitting.entries()
    places = [place for place, one in enumerate(record) if one.by == seat.id and not one.event.unasked]
    if not places:
        raise refusal
    since = record[places[-1] :]
    if sitting.campaign.head != since[-1].seq or sitting.campaign.proposal is not None:
        raise refusal
    seen: dict[int, list[Any]] = {one.seq: facts for one in since if (facts := one.told_to(seat.viewer)) is not None}
    for item in _items(sitting, seat, [one.seq for one in since if one.seq not in seen]):
        seen.setdefault(item.seq, []).append(item.body.get("fact"))
    dropped: list[Recorded] = []
    unseen: list[Recorded] = []
    for one in since:
        is_own = one.by == seat.id or (one.event.unasked and one.event.seat == seat.id)
        if any(map(_has_dice, seen.get(one.seq, ()))):
            raise refusal
        if not is_own and seen.get(one.seq):
            raise refusal
        (dropped if is_own else unseen).append(one)
    return _Own(dropped, unseen)


def _has_dice(fact: Any) -> bool:
    """True if a visible record contains faces of dice."""
    if isinstance(fact, dict):
        return bool(fact.get("faces")) or any(_has_dice(part) for part in fact.values())
    return isinstance(fact, list) and any(_has_dice(part) for part in fact)


@handles(given.TakeBack, "player")
def _take_back(sitting: LoadedCampaign, seat: Seat, command: given.TakeBack) -> None:
    own = _own_last(sitting, seat)
    everything = sorted([one.seq for one in (*own.dropped, *own.unseen)])
    _go_back(sitting, seat, everything, why="take back")
    _run_again(sitting, own.unseen)


@handles(given.AskUndo, "player")
def _ask_undo(sitting: LoadedCampaign, seat: Seat, command: given.AskUndo) -> None:
    line = _line(sitting, seat, command.line)
    _since(sitting, line)
    with rows.reading(sitting.engine) as connection:
        numbers = [
            number for viewer, number, _ in rows.numbers_of(connection, sitting.id, line, line) if viewer == GAME_MASTER
        ]
    seen = [item for item in _items(sitting, seat, [line]) if item.number == command.line]
    text = _text(seen[0]) if seen else ""
    to = EVERYONE if seat.role == "gm" else seat.viewer
    asked = UndoAsked(by=seat.id, reason=command.reason, text=text, line=min(numbers, default=0), to=to)
    sitting.add(asked, seat.id)


def can_take_back(sitting: LoadedCampaign, seat: Seat) -> bool:
    """True if a player may take back their last answer now."""
    if seat.role != "player":
        return False
    try:
        _own_last(sitting, seat)
    except (IllegalActionError, ForbiddenError):
        return False
    return True
