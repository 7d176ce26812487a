"""A campaign: what its log says. Immutable values, and ``apply``, which makes of one and the next line the next.

The lines that are played hang together as a tree: each names the one before it (``parent``), and ``head`` is the last
that counts. Undo goes back to an earlier line and redo forward again, so that nothing ever leaves the log and any
state is found by going from a line to its parents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

from tablewright.game.events import GAME_MASTER
from tablewright.table import events as happened
from tablewright.table.events import Plain, TableEvent

PUBLIC = "the public"
"""The viewer that everybody is who owns nothing: spectators, and players for what happened before they came."""

Role: TypeAlias = Literal["gm", "player", "spectator"]

MOST_SEATS = 60
MOST_CHARACTERS = 500
MOST_NOTES = 2_000
MOST_NOTES_OF_PLAYER = 500
MOST_REMEMBERED = 1_000
MOST_ENCOUNTERS = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a campaign's log. ``parent`` is the played line before it; None for what cannot be undone."""

    seq: int
    parent: int | None
    at: str
    by: str
    event: TableEvent


@dataclass(frozen=True, slots=True)
class Seat:
    """A person at the table. ``joined`` is how many public lines there were when they were let in."""

    id: str
    name: str
    role: Role
    approved: bool = False
    removed: bool = False
    dice: Literal["auto", "ask"] = "auto"
    joined: int = 0

    @property
    def viewer(self) -> str:
        """Whose eyes the seat sees with."""
        return GAME_MASTER if self.role == "gm" else self.id if self.role == "player" else PUBLIC

    @property
    def takes_part(self) -> bool:
        """Whether the seat may see the table at all."""
        return self.approved and not self.removed


@dataclass(frozen=True, slots=True)
class Hero:
    """A character of the campaign, as it was when it last left a scene."""

    id: str
    name: str
    character: Plain
    known: bool = True


@dataclass(frozen=True, slots=True)
class PackInUse:
    """A pack of the table; players know nothing of one that is not ``known``."""

    id: str
    title: str
    version: str
    content: Plain
    known: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """A scene in the list of all scenes; ``began`` is the line with which it begins."""

    id: str
    form: str
    title: str
    began: int
    ended: bool = False
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class OpenScene:
    """What the scene that is open started from."""

    id: str
    form: str
    title: str
    began: int
    source: Plain
    seats: dict[str, str]
    seed: str
    bots: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Play:
    """The part of a campaign that undo takes back."""

    options: Plain = field(default_factory=dict)
    packs: tuple[PackInUse, ...] = ()
    characters: dict[str, Hero] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()
    scene: OpenScene | None = None
    now: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Something written down."""

    id: str
    by: str
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An encounter that was prepared for later."""

    id: str
    title: str
    scenario: Plain


@dataclass(frozen=True, slots=True)
class Back:
    """What redo goes back to: the head before an undo, and the rolls that were remembered then."""

    head: int
    remembered: dict[str, list[list[int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An answer that would harm others and waits for the game master: what, by whom, and whether anybody was asked."""

    entry: Any
    by: str
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign after a line of its log.

    ``last`` is that line, ``head`` the last played line that counts, ``branch`` how often play went back, ``redo``
    what redo goes to, ``remembered`` the faces of dropped rolls. ``counts`` is how many lines each viewer has to
    see, ``thrown`` how many dice were thrown from each stream besides the game.
    """

    id: str
    title: str = ""
    system: str = ""
    version: str = ""
    seed: str = ""
    last: int = 0
    head: int = 0
    branch: int = 0
    settings: Plain = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    thrown: dict[str, int] = field(default_factory=dict)
    play: Play = field(default_factory=Play)
    redo: tuple[Back, ...] = ()
    remembered: dict[str, list[list[int]]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    proposal: Proposal | None = None
    encounters: dict[str, Kept] = field(default_factory=dict)

    def viewers(self) -> tuple[str, ...]:
        """Everybody whose lines are counted: the game master, the public, every player who takes part."""
        players = [seat.id for seat in self.seats.values() if seat.role == "player" and seat.takes_part]
        return (GAME_MASTER, PUBLIC, *players)

    def owner(self, who: str) -> str:
        """The seat, as scenes know it, that decides for a character."""
        seat = self.seats.get(self.owners.get(who, ""))
        return seat.id if seat is not None and seat.role == "player" and seat.takes_part else GAME_MASTER


_JSON: TypeAdapter[Campaign] = TypeAdapter(Campaign)


def to_snapshot(campaign: Campaign) -> bytes:
    """The campaign as JSON."""
    return _JSON.dump_json(campaign)


def from_snapshot(raw: bytes | str) -> Campaign:
    """The campaign that a snapshot holds."""
    return _JSON.validate_json(raw)


PlayAt: TypeAlias = Callable[[int], Play]
"""The part that is played as it was at an earlier line."""


def apply(campaign: Campaign, line: Line, play_at: PlayAt) -> Campaign:
    """The campaign after one more line."""
    event = line.event
    campaign = replace(campaign, last=line.seq)
    if event.played or isinstance(event, happened.Undone | happened.Redone):
        campaign = replace(campaign, proposal=None)
    if isinstance(event, happened.Undone):
        redo = (*campaign.redo, Back(event.was, campaign.remembered))
        back = replace(campaign, head=event.head, redo=redo, branch=campaign.branch + 1)
        return replace(back, play=play_at(event.head), remembered=event.remembered)
    if isinstance(event, happened.Redone):
        remembered = campaign.redo[-1].remembered  # what counts again is not rolled a second time
        forth = replace(campaign, head=event.head, redo=campaign.redo[:-1], remembered=remembered)
        return replace(forth, play=play_at(event.head))
    if event.played:
        play = apply_play(campaign.play, line)
        campaign = replace(campaign, head=line.seq, redo=(), play=play)
        if isinstance(event, happened.Entered) and event.recalled is not None:
            campaign = replace(campaign, remembered=without_first(campaign.remembered, event.recalled))
        return campaign
    return _beside(event, campaign)


def without_first(remembered: dict[str, list[list[int]]], key: str) -> dict[str, list[list[int]]]:
    """The remembered rolls without the next of one kind."""
    left = remembered.get(key, [])[1:]
    others = {known: rolls for known, rolls in remembered.items() if known != key}
    return others | {key: left} if left else others


# ---------------------------------------------------------------------- besides play


@singledispatch
def _beside(event: TableEvent, campaign: Campaign) -> Campaign:
    """What a line does that is no part of play; most do nothing but stand there."""
    return campaign


@_beside.register
def _(event: happened.CampaignMade, campaign: Campaign) -> Campaign:
    play = replace(campaign.play, options=event.options)
    return replace(campaign, title=event.title, system=event.system, version=event.version, seed=event.seed, play=play)


@_beside.register
def _(event: happened.CampaignRenamed, campaign: Campaign) -> Campaign:
    return replace(campaign, title=event.title)


@_beside.register
def _(event: happened.SettingSet, campaign: Campaign) -> Campaign:
    return replace(campaign, settings=campaign.settings | {event.name: event.value})


@_beside.register
def _(event: happened.SeatMade, campaign: Campaign) -> Campaign:
    role: Any = event.role
    seat = Seat(event.seat, event.name, role, approved=event.approved, joined=event.joined)
    return _with_seat(campaign, seat)


@_beside.register
def _(event: happened.SeatApproved, campaign: Campaign) -> Campaign:
    return _with_seat(campaign, replace(campaign.seats[event.seat], approved=True, joined=event.joined))


def _with_seat(campaign: Campaign, seat: Seat) -> Campaign:
    campaign = replace(campaign, seats=campaign.seats | {seat.id: seat})
    if seat.role == "player" and seat.takes_part and seat.id not in campaign.counts:
        return replace(campaign, counts=campaign.counts | {seat.id: seat.joined})
    return campaign


@_beside.register
def _(event: happened.SeatRenamed, campaign: Campaign) -> Campaign:
    return _with_seat(campaign, replace(campaign.seats[event.seat], name=event.name))


@_beside.register
def _(event: happened.SeatRemoved, campaign: Campaign) -> Campaign:
    return _with_seat(campaign, replace(campaign.seats[event.seat], removed=True))


@_beside.register
def _(event: happened.SeatSet, campaign: Campaign) -> Campaign:
    dice: Any = event.dice
    return _with_seat(campaign, replace(campaign.seats[event.seat], dice=dice))


@_beside.register
def _(event: happened.CharacterHanded, campaign: Campaign) -> Campaign:
    owners = {who: seat for who, seat in campaign.owners.items() if who != event.who}
    return replace(campaign, owners=owners if event.seat is None else owners | {event.who: event.seat})


@_beside.register
def _(event: happened.NoteWritten, campaign: Campaign) -> Campaign:
    note = Note(event.note, event.by, event.to, event.text)
    return replace(campaign, notes=campaign.notes | {note.id: note})


@_beside.register
def _(event: happened.NoteRemoved, campaign: Campaign) -> Campaign:
    return replace(campaign, notes={known: note for known, note in campaign.notes.items() if known != event.note})


@_beside.register
def _(event: happened.EncounterKept, campaign: Campaign) -> Campaign:
    kept = Kept(event.encounter, event.title, event.scenario)
    return replace(campaign, encounters=campaign.encounters | {kept.id: kept})


@_beside.register
def _(event: happened.EncounterDropped, campaign: Campaign) -> Campaign:
    left = {known: kept for known, kept in campaign.encounters.items() if known != event.encounter}
    return replace(campaign, encounters=left)


@_beside.register
def _(event: happened.Proposed, campaign: Campaign) -> Campaign:
    return replace(campaign, proposal=Proposal(event.entry, event.by, event.unasked))


@_beside.register
def _(event: happened.Dismissed, campaign: Campaign) -> Campaign:
    return replace(campaign, proposal=None, remembered=event.remembered)


@_beside.register
def _(event: happened.Thrown, campaign: Campaign) -> Campaign:
    count = campaign.thrown.get(event.stream, 0) + 1
    return replace(campaign, thrown=campaign.thrown | {event.stream: count})


# ---------------------------------------------------------------------- play


def apply_play(play: Play, line: Line) -> Play:
    """What is played, after one more line of it."""
    return _played(line.event, play, line.seq)


@singledispatch
def _played(event: TableEvent, play: Play, seq: int) -> Play:
    """What a played line does; an answer is part of a scene's record and does nothing outside it."""
    return play


def changes_play(kind: type[TableEvent]) -> bool:
    """Whether events of a kind do anything outside a scene."""
    return kind.played and kind is not happened.Entered


@_played.register
def _(event: happened.CharacterAdded, play: Play, seq: int) -> Play:
    hero = Hero(event.who, event.name, event.character, event.known)
    return replace(play, characters=play.characters | {hero.id: hero})


@_played.register
def _(event: happened.CharacterReplaced, play: Play, seq: int) -> Play:
    return _with_characters(play, {event.who: event.character})


@_played.register
def _(event: happened.CharacterDropped, play: Play, seq: int) -> Play:
    return replace(play, characters={who: hero for who, hero in play.characters.items() if who != event.who})


@_played.register
def _(event: happened.OptionSet, play: Play, seq: int) -> Play:
    return _with_characters(replace(play, options=event.options), event.characters)


@_played.register
def _(event: happened.PackAdded, play: Play, seq: int) -> Play:
    pack = PackInUse(event.pack, event.title, event.version, event.content, event.known)
    return replace(play, packs=(*[known for known in play.packs if known.id != pack.id], pack))


@_played.register
def _(event: happened.PackRemoved, play: Play, seq: int) -> Play:
    return replace(play, packs=tuple([known for known in play.packs if known.id != event.pack]))


@_played.register
def _(event: happened.SceneBegan, play: Play, seq: int) -> Play:
    scene = OpenScene(event.scene, event.form, event.title, seq, event.source, event.seats, event.seed, event.bots)
    chapter = Chapter(event.scene, event.form, event.title, seq)
    return replace(play, scene=scene, chapters=(*play.chapters, chapter))


@_played.register
def _(event: happened.SceneClosed, play: Play, seq: int) -> Play:
    *before, last = play.chapters  # the scene that is open began last
    chapters = (*before, replace(last, ended=True, outcome=event.outcome))
    play = replace(play, scene=None, chapters=chapters, now=event.now, options=event.options)
    return _with_characters(play, event.characters)


def _with_characters(play: Play, changed: dict[str, Plain]) -> Play:
    heroes = {
        who: replace(play.characters[who], character=character, name=str(character.get("name", who)))
        for who, character in changed.items()
        if who in play.characters
    }
    return replace(play, characters=play.characters | heroes)
