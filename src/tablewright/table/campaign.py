"""Immutable state of a campaign, and ``apply``, which folds the next log line into it.

Played lines form a tree. Each line names its predecessor (``parent``), and ``head`` is the last line that counts. Undo
moves the head back to an earlier line and redo moves it forward again. No line ever leaves the log, and following the
parents of a line restores any state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table import events as happened
from tablewright.table.events import Plain, TableEvent

PUBLIC = "the public"
"""Viewer name of spectators, and of players for everything that happened before they joined."""

SeatRole: TypeAlias = Literal["gm", "player", "spectator"]

MOST_SEATS = 60
MOST_CHARACTERS = 500
MOST_NOTES = 2_000
MOST_NOTES_OF_PLAYER = 500
MOST_REMEMBERED = 1_000
MOST_ENCOUNTERS = 100
MOST_PICTURES = 400
MOST_PICTURES_OF_PLAYER = 40
MOST_BYTES_OF_PICTURES = 100_000_000
MOST_PORTRAITS = 2_000
MOST_TOKENS = 10_000
MOST_HANDOUTS = 200
MOST_LETTERS_OF_HANDOUTS = 200_000


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a campaign's log. ``parent`` is the played line before it, or None if undo does not apply."""

    seq: int
    parent: int | None
    at: str
    by: str
    event: TableEvent


@dataclass(frozen=True, slots=True)
class Seat:
    """A person at the table. ``joined`` is the number of public lines at the time of their approval."""

    id: str
    name: str
    role: SeatRole
    approved: bool = False
    removed: bool = False
    dice: Literal["auto", "ask"] = "auto"
    joined: int = 0
    wants: str = ""

    @property
    def viewer(self) -> str:
        """Viewer name of the seat."""
        return GAME_MASTER if self.role == "gm" else self.id if self.role == "player" else PUBLIC

    @property
    def takes_part(self) -> bool:
        """True if the seat may see the table at all."""
        return self.approved and not self.removed


@dataclass(frozen=True, slots=True)
class CampaignCharacter:
    """A character of the campaign, in the state in which it last left a scene."""

    id: str
    name: str
    character: Plain
    known: bool = True


@dataclass(frozen=True, slots=True)
class PackInUse:
    """A content pack of the table; players do not see one that is not ``known``."""

    id: str
    title: str
    version: str
    content: Plain
    known: bool = False


@dataclass(frozen=True, slots=True)
class SceneRecord:
    """A scene in the list of all scenes; ``began`` is its first line."""

    id: str
    form: str
    title: str
    began: int
    ended: bool = False
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class OpenScene:
    """The setup from which the open scene started."""

    id: str
    form: str
    title: str
    began: int
    source: Plain
    seats: dict[str, str]
    seed: str
    bots: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayState:
    """The part of a campaign that undo takes back."""

    options: Plain = field(default_factory=dict)
    packs: tuple[PackInUse, ...] = ()
    characters: dict[str, CampaignCharacter] = field(default_factory=dict)
    chapters: tuple[SceneRecord, ...] = ()
    scene: OpenScene | None = None
    now: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A written note; ``to`` names its readers."""

    id: str
    by: str
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class PreparedEncounter:
    """An encounter that the game master prepared for later."""

    id: str
    title: str
    scenario: Plain


@dataclass(frozen=True, slots=True)
class Picture:
    """An uploaded picture: its size in pixels and bytes, and the seats that uploaded it."""

    width: int
    height: int
    size: int
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Handout:
    """A page of the game master for players. ``seats`` are its readers, ``everyone`` includes future seats."""

    id: str
    title: str
    text: str
    picture: str = ""
    seats: tuple[str, ...] = ()
    everyone: bool = False


@dataclass(frozen=True, slots=True)
class RedoPoint:
    """A target of redo: the head before an undo, and the rolls remembered at that time."""

    head: int
    remembered: dict[str, list[list[int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An answer that would harm others and waits for the game master; ``unasked`` if it answers no question."""

    entry: Any
    by: str
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign after a line of its log.

    ``last`` is that line. ``head`` is the last played line that counts. ``branch`` counts how often play went back.
    ``redo`` holds the targets of redo, ``remembered`` the faces of dropped rolls. ``counts`` is the number of feed
    items per viewer. ``thrown`` is the number of throws outside the game per random stream. ``portraits`` are pictures
    by character, ``maps`` pictures by scene, ``tokens`` places on these pictures by scene and participant.
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
    play: PlayState = field(default_factory=PlayState)
    redo: tuple[RedoPoint, ...] = ()
    remembered: dict[str, list[list[int]]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    proposal: Proposal | None = None
    encounters: dict[str, PreparedEncounter] = field(default_factory=dict)
    pictures: dict[str, Picture] = field(default_factory=dict)
    portraits: dict[str, str] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    handouts: dict[str, Handout] = field(default_factory=dict)

    def viewers(self) -> tuple[str, ...]:
        """All viewers with a feed of their own: the game master, the public and every player who takes part."""
        players = [seat.id for seat in self.seats.values() if seat.role == "player" and seat.takes_part]
        return (GAME_MASTER, PUBLIC, *players)

    def owner(self, who: str) -> str:
        """Viewer name of the seat that decides for a character; the game master if no player owns it."""
        seat = self.seats.get(self.owners.get(who, ""))
        return seat.id if seat is not None and seat.role == "player" and seat.takes_part else GAME_MASTER


_JSON: TypeAdapter[Campaign] = TypeAdapter(Campaign)


def to_snapshot(campaign: Campaign) -> bytes:
    """Encode a campaign as JSON."""
    return _JSON.dump_json(campaign)


def from_snapshot(raw: bytes | str) -> Campaign:
    """Decode a campaign from a snapshot."""
    return _JSON.validate_json(raw)


PlayAt: TypeAlias = Callable[[int], PlayState]
"""Function that returns the play state at an earlier line."""


def apply(campaign: Campaign, line: LogLine, play_at: PlayAt) -> Campaign:
    """Return the campaign after one more line."""
    event = line.event
    campaign = replace(campaign, last=line.seq)
    if event.played or isinstance(event, happened.Undone | happened.Redone):
        campaign = replace(campaign, proposal=None)
    if isinstance(event, happened.Undone):
        redo = (*campaign.redo, RedoPoint(event.was, campaign.remembered))
        back = replace(campaign, head=event.head, redo=redo, branch=campaign.branch + 1)
        return replace(back, play=play_at(event.head), remembered=event.remembered)
    if isinstance(event, happened.Redone):
        remembered = campaign.redo[-1].remembered  # redo restores the remembered rolls: no dice are thrown twice
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
    """Remembered rolls without the first one under a key."""
    left = remembered.get(key, [])[1:]
    others = {known: rolls for known, rolls in remembered.items() if known != key}
    return others | {key: left} if left else others


# ---------------------------------------------------------------------- outside play


@singledispatch
def _beside(event: TableEvent, campaign: Campaign) -> Campaign:
    """Apply an event that undo does not cover; most events change no state."""
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
    seat = Seat(event.seat, event.name, role, approved=event.approved, joined=event.joined, wants=event.wants)
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
    kept = PreparedEncounter(event.encounter, event.title, event.scenario)
    return replace(campaign, encounters=campaign.encounters | {kept.id: kept})


@_beside.register
def _(event: happened.EncounterDropped, campaign: Campaign) -> Campaign:
    left = {known: kept for known, kept in campaign.encounters.items() if known != event.encounter}
    return replace(campaign, encounters=left)


@_beside.register
def _(event: happened.PictureAdded, campaign: Campaign) -> Campaign:
    known = campaign.pictures.get(event.picture)
    by = (event.by,) if known is None else (*[seat for seat in known.by if seat != event.by], event.by)
    picture = Picture(event.width, event.height, event.size, by)
    return replace(campaign, pictures=campaign.pictures | {event.picture: picture})


@_beside.register
def _(event: happened.PortraitSet, campaign: Campaign) -> Campaign:
    return replace(campaign, portraits=_put(campaign.portraits, event.who, event.picture))


@_beside.register
def _(event: happened.MapSet, campaign: Campaign) -> Campaign:
    return replace(campaign, maps=_put(campaign.maps, event.scene, event.picture))


@_beside.register
def _(event: happened.TokenPlaced, campaign: Campaign) -> Campaign:
    place = f"{int(event.x)},{int(event.y)}"
    return replace(campaign, tokens=_put(campaign.tokens, token_key(event.scene, event.who), place))


def token_key(scene: str, who: str) -> str:
    """Key of a token's place; no id has a blank in it."""
    return f"{scene} {who}"


def _put(pictures: dict[str, str], key: str, picture: str) -> dict[str, str]:
    others = {known: other for known, other in pictures.items() if known != key}
    return others | {key: picture} if picture else others


@_beside.register
def _(event: happened.HandoutKept, campaign: Campaign) -> Campaign:
    before = campaign.handouts.get(event.handout, Handout(event.handout, "", ""))
    return _with_handout(campaign, replace(before, title=event.title, text=event.text, picture=event.picture))


@_beside.register
def _(event: happened.HandoutShown, campaign: Campaign) -> Campaign:
    before = campaign.handouts[event.handout]
    if not event.seat:
        return _with_handout(campaign, replace(before, everyone=True))
    return _with_handout(campaign, replace(before, seats=(*before.seats, event.seat)))


@_beside.register
def _(event: happened.HandoutHidden, campaign: Campaign) -> Campaign:
    return _with_handout(campaign, replace(campaign.handouts[event.handout], seats=(), everyone=False))


@_beside.register
def _(event: happened.HandoutDropped, campaign: Campaign) -> Campaign:
    left = {known: handout for known, handout in campaign.handouts.items() if known != event.handout}
    return replace(campaign, handouts=left)


def _with_handout(campaign: Campaign, handout: Handout) -> Campaign:
    return replace(campaign, handouts=campaign.handouts | {handout.id: handout})


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


def apply_play(play: PlayState, line: LogLine) -> PlayState:
    """Return the play state after one more played line."""
    return _played(line.event, play, line.seq)


@singledispatch
def _played(event: TableEvent, play: PlayState, seq: int) -> PlayState:
    """Apply a played event; an answer belongs to a scene's record and changes no state outside it."""
    return play


def changes_play(kind: type[TableEvent]) -> bool:
    """True if events of a kind change the play state outside a scene."""
    return kind.played and kind is not happened.Entered


@_played.register
def _(event: happened.CharacterAdded, play: PlayState, seq: int) -> PlayState:
    hero = CampaignCharacter(event.who, event.name, event.character, event.known)
    return replace(play, characters=play.characters | {hero.id: hero})


@_played.register
def _(event: happened.CharacterReplaced, play: PlayState, seq: int) -> PlayState:
    return _with_characters(play, {event.who: event.character})


@_played.register
def _(event: happened.CharacterDropped, play: PlayState, seq: int) -> PlayState:
    return replace(play, characters={who: hero for who, hero in play.characters.items() if who != event.who})


@_played.register
def _(event: happened.OptionSet, play: PlayState, seq: int) -> PlayState:
    return _with_characters(replace(play, options=event.options), event.characters)


@_played.register
def _(event: happened.PackAdded, play: PlayState, seq: int) -> PlayState:
    pack = PackInUse(event.pack, event.title, event.version, event.content, event.known)
    return replace(play, packs=(*[known for known in play.packs if known.id != pack.id], pack))


@_played.register
def _(event: happened.PackRemoved, play: PlayState, seq: int) -> PlayState:
    return replace(play, packs=tuple([known for known in play.packs if known.id != event.pack]))


@_played.register
def _(event: happened.SceneBegan, play: PlayState, seq: int) -> PlayState:
    scene = OpenScene(event.scene, event.form, event.title, seq, event.source, event.seats, event.seed, event.bots)
    chapter = SceneRecord(event.scene, event.form, event.title, seq)
    return replace(play, scene=scene, chapters=(*play.chapters, chapter))


@_played.register
def _(event: happened.SceneClosed, play: PlayState, seq: int) -> PlayState:
    *before, last = play.chapters  # the open scene is always the last of the list
    chapters = (*before, replace(last, ended=True, outcome=event.outcome))
    play = replace(play, scene=None, chapters=chapters, now=event.now, options=event.options)
    return _with_characters(play, event.characters)


def _with_characters(play: PlayState, changed: dict[str, Plain]) -> PlayState:
    heroes = {
        who: replace(play.characters[who], character=character, name=str(character.get("name", who)))
        for who, character in changed.items()
        if who in play.characters
    }
    return replace(play, characters=play.characters | heroes)
