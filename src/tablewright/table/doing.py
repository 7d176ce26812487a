"""What commands do: who may give which, and the lines that come of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar

from tablewright.dice import Dice, Die, Typed
from tablewright.dice.notation import parse
from tablewright.engine import Roll, Set
from tablewright.engine.asks import EVERYONE
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.events import GAME_MASTER
from tablewright.game.legality import Legality
from tablewright.game.registry import load_system
from tablewright.game.scene import Scene
from tablewright.game.session import JOINED, Came, Entry, Started, Tempered, entry_from_json
from tablewright.game.session import entrant as read_entrant
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    MOST_CHARACTERS,
    MOST_NOTES,
    MOST_NOTES_OF_PLAYER,
    MOST_SEATS,
    PUBLIC,
    Campaign,
    Proposal,
    Seat,
)
from tablewright.table.knowing import as_far_as_known, as_told_to, check_named, check_offered, library_known_to
from tablewright.table.refusals import Forbidden, NotFound
from tablewright.table.seats import check_seen, checked_name, look_alike, seat_id, slug
from tablewright.table.sitting import TABLE, Sitting, scene_seed

SETTINGS: dict[str, str] = {
    "players_start": "the processes that players may start for their own characters, by name",
    "players_add": "whether players may add characters of their own",
    "players_legal": "whether characters that players add have to be within the rules",
    "odds": "whether players are shown odds",
    "harm": "whether harm to others is applied at once, or by the game master when it was proposed",
}
"""What a game master may set for a table, and what it means."""

DEFAULTS: dict[str, Any] = {
    "players_start": ["table.check"],
    "players_add": True,
    "players_legal": True,
    "odds": True,
    "harm": "at once",
}
HARM = ("at once", GAME_MASTER)
MOST_NAMED = 20
"""How many things that are wrong with a character are named at once."""


BESIDE = (given.AddCharacter, given.Throw, given.WriteNote, given.RemoveNote, given.RenameSeat)
"""What players do besides the scene: what is refused of it is never about those who are there."""

ROLES = ("Game Master", "The Table", "Everyone", "Somebody")
"""Names that only a game master gives: they would be taken for somebody else."""

UNKNOWN = "npc-"
"""How the ids of characters begin that players do not know of."""

C = TypeVar("C", bound=given.Command)
Do = Callable[[Sitting, Seat, Any], None]
_performers: dict[type[given.Command], tuple[Do, str]] = {}


def performs(
    kind: type[C], who: str
) -> Callable[[Callable[[Sitting, Seat, C], None]], Callable[[Sitting, Seat, C], None]]:
    """Declare what a command does, and who may give it: ``gm``, ``player`` (and the game master) or ``anyone``."""

    def declare(function: Callable[[Sitting, Seat, C], None]) -> Callable[[Sitting, Seat, C], None]:
        _performers[kind] = (function, who)
        return function

    return declare


def perform(sitting: Sitting, seat: Seat, command: given.Command) -> None:
    """Do what a seat asks for, or refuse it; a refusal says nothing that the seat may not know."""
    function, who = _performers[type(command)]
    allowed = {"gm": ("gm",), "player": ("gm", "player"), "anyone": ("gm", "player", "spectator")}[who]
    if seat.role not in allowed:
        raise Forbidden("this is for the game master" if who == "gm" else "spectators only watch")
    if isinstance(command, given.Start) and seat.role != "gm":
        _check_start(sitting, seat, command)  # from what the seat knows alone: it may hear all that is said of that
    with nullcontext() if isinstance(command, BESIDE) else as_told_to(sitting, seat, command.model_dump()):
        function(sitting, seat, command)


# ---------------------------------------------------------------------- playing


@performs(given.Answer, "player")
def _answer(sitting: Sitting, seat: Seat, command: given.Answer) -> None:
    session = sitting.session if sitting.has_scene else None
    if session is None or session.question is None:
        raise RulesSayNo("nothing is asked now")
    if seat.role != "gm" and sitting.asked != seat.viewer:
        raise Forbidden("somebody else is asked now, or nobody")
    if sitting.campaign.proposal is not None:
        raise RulesSayNo("the game master has yet to say whether what was proposed happens")
    if command.option is not None:
        check_offered(sitting, seat, command.option)
    sitting.take(entry_of(command, sitting, seat), seat.id)
    sitting.go_on()


def entry_of(command: given.Answered, sitting: Sitting, seat: Seat) -> Entry:
    """What comes into the record of a scene when a question is answered so."""
    if command.set is not None:
        if seat.role != "gm":
            raise Forbidden("only the game master sets what dice come out as")
        if not command.reason.strip():
            raise BadInput("a ruling names its reason; none was given", field="reason")
        return Set(command.set, command.reason)
    if command.roll:
        if not isinstance(sitting.session.question, Roll):
            raise BadInput("no roll is asked for now", field="roll")
        return sitting.session.faces()
    if command.faces is not None:
        return tuple(command.faces)
    assert command.option is not None
    return command.option


@performs(given.Start, "player")
def _start(sitting: Sitting, seat: Seat, command: given.Start) -> None:
    _demand_scene(sitting)
    started = Started(command.process, command.arguments)
    if seat.role == "gm":
        sitting.enter(started, seat.id)
    else:
        sitting.take(started, seat.id)
    sitting.go_on()


def _demand_scene(sitting: Sitting) -> None:
    if not sitting.has_scene:
        raise RulesSayNo("no scene is open; the game master begins one")


def _check_start(sitting: Sitting, seat: Seat, command: given.Start) -> None:
    """A player starts what the table lets players start, for characters of their own, and knows whom they name."""
    _demand_scene(sitting)
    if command.process not in setting(sitting.campaign, "players_start"):
        raise Forbidden(f'"{command.process:.60}" is started by the game master')
    if sitting.session.question is not None:
        raise RulesSayNo("somebody has to answer first")
    scene = sitting.session.scene
    own = [one.id for one in scene.participants if one.seat == seat.id]
    who = command.arguments.get("who")
    named = who if isinstance(who, list) else [who]
    if not named or any(one not in own for one in named):
        raise Forbidden(f"name a character of your own: {', '.join(own) or 'you have none here'}")
    if command.arguments.get("secret"):
        raise Forbidden("only the game master keeps a difficulty secret")
    if command.arguments.get("plus"):
        raise Forbidden("only the game master adds something to a roll")

    def tried(known: Scene) -> None:
        check_named(sitting.session.book, known, command.process, command.arguments)

    as_far_as_known(sitting, seat, scene.known_to(seat.viewer), command.arguments, tried)


@performs(given.Join, "gm")
def _join(sitting: Sitting, seat: Seat, command: given.Join) -> None:
    if not sitting.has_scene:
        raise RulesSayNo("no scene is open")
    entrant = dict(command.entrant)
    hero = sitting.campaign.play.characters.get(str(entrant.get("character")))
    if hero is not None:
        entrant |= {"character": hero.character, "id": hero.id}
        entrant.setdefault("hidden", not hero.known)
        if entrant["hidden"]:
            sides = [(one.id, one.side) for one in sitting.session.scene.participants]
            side = str(entrant.get("side", JOINED))
            entrant["side"] = scenes.side_of(sitting.campaign, hero.id, side, sides)
    entrant["seat"] = sitting.campaign.owner(hero.id) if hero is not None else GAME_MASTER
    if not entrant.get("id"):
        came = read_entrant(sitting.session.book, sitting.session.scene, entrant)
        to = GAME_MASTER if came.hidden else EVERYONE
        here = [one.id for one in sitting.session.scene.participants]
        entrant["id"] = scenes.new_id(sitting.campaign, slug(came.name), to, here)
    sitting.enter(Came(entrant), seat.id)
    sitting.go_on()


@performs(given.ApplyProposal, "gm")
def _apply_proposal(sitting: Sitting, seat: Seat, command: given.ApplyProposal) -> None:
    proposal = _proposal(sitting)
    entry = entry_from_json(proposal.entry)
    if command.harm != "all" and not isinstance(entry, Came | Tempered):
        entry = Tempered(entry, command.harm)
    sitting.enter(entry, proposal.by, unasked=proposal.unasked)
    sitting.go_on()


@performs(given.DismissProposal, "gm")
def _dismiss_proposal(sitting: Sitting, seat: Seat, command: given.DismissProposal) -> None:
    _proposal(sitting)
    remembered = dict(sitting.campaign.remembered)
    for key, faces in sitting.proposed_faces().items():
        if remembered.get(key, [None])[0] != faces:
            remembered[key] = [faces, *remembered.get(key, [])]
    sitting.add(happened.Dismissed(by=seat.id, reason=command.reason, remembered=remembered), seat.id)
    sitting.rebuild(sitting.entries())


def _proposal(sitting: Sitting) -> Proposal:
    proposal = sitting.campaign.proposal
    if proposal is None or not sitting.has_scene:
        raise RulesSayNo("nothing is proposed")
    return proposal


@performs(given.GoOn, "gm")
def _go_on(sitting: Sitting, seat: Seat, command: given.GoOn) -> None:
    sitting.go_on()


@performs(given.Throw, "player")
def _throw(sitting: Sitting, seat: Seat, command: given.Throw) -> None:
    dice = parse(command.dice)
    to = {"public": EVERYONE, "blind": GAME_MASTER}.get(command.audience, seat.viewer)
    stream = "table" if to == EVERYONE else f"to:{to}"
    campaign = sitting.campaign
    source: Dice | Typed
    if command.faces is not None:
        source = Typed(command.faces)
    else:
        source = Dice(int(campaign.seed, 16), stream, 0, campaign.thrown.get(stream, 0))
    faces: list[int] = []

    def keep(die: Die) -> int:
        faces.append(source.face(die))
        return faces[-1]

    outcome = dice.read(keep)
    if isinstance(source, Typed):
        source.finish()
    sitting.add(
        happened.Thrown(
            by=seat.id,
            dice=str(dice),
            faces=tuple(faces),
            outcome=outcome,
            audience=command.audience,
            stream=stream,
            to=to,
        ),
        seat.id,
    )


# ---------------------------------------------------------------------- scenes


@performs(given.BeginScene, "gm")
def _begin_scene(sitting: Sitting, seat: Seat, command: given.BeginScene) -> None:
    if sitting.has_scene:
        _close(sitting, seat, "")
    wanted = scenes.Beginning(
        command.form, command.title, command.scenario, tuple(command.who), command.side, command.bots
    )
    if command.form == "encounter" and command.scenario is None:
        raise BadInput("an encounter needs a scenario", field="scenario")
    seed = scene_seed(sitting.campaign.seed, sitting.campaign.last + 1)
    sitting.add(scenes.scene_began(sitting.campaign, wanted, seed), seat.id)
    if command.form == "encounter":
        process, arguments = scenes.opening_entry(sitting.session)
        sitting.enter(Started(process, arguments), seat.id)
        sitting.go_on()


@performs(given.EndScene, "gm")
def _end_scene(sitting: Sitting, seat: Seat, command: given.EndScene) -> None:
    if not sitting.has_scene:
        raise RulesSayNo("no scene is open")
    _close(sitting, seat, command.outcome, anyway=command.anyway)


def _close(sitting: Sitting, seat: Seat, outcome: str, *, anyway: bool = False) -> None:
    if sitting.session.question is not None and not anyway:
        raise RulesSayNo("something is still asked in the open scene; end it anyway, or have it answered")
    sitting.add(scenes.scene_closed(sitting.campaign, sitting.session, outcome), seat.id)


# ---------------------------------------------------------------------- characters and options


@performs(given.AddCharacter, "player")
def _add_character(sitting: Sitting, seat: Seat, command: given.AddCharacter) -> None:
    campaign = sitting.campaign
    if seat.role != "gm" and not setting(campaign, "players_add"):
        raise Forbidden("the game master adds characters")
    if len(campaign.play.characters) >= MOST_CHARACTERS:
        raise RulesSayNo(f"a campaign has at most {MOST_CHARACTERS} characters")
    system, library = load_system(campaign.system), library_known_to(sitting, seat)
    character = scenes.character_from(system, library, command.character)
    check_seen(character.name, "character.name")
    if seat.role != "gm" and setting(campaign, "players_legal"):
        _demand_legal(system.book.legality(character, system.options.from_mapping(campaign.play.options), library))
    known = command.known or seat.role != "gm"
    wanted = command.id or seat_id(character.name, ())
    if seat.role != "gm" and wanted.startswith(UNKNOWN):
        raise BadInput(f'ids that begin with "{UNKNOWN}" are the game master\'s', field="id")
    if not known and not wanted.startswith(UNKNOWN):
        wanted = f"{UNKNOWN}{wanted}"[:60]  # so that nobody finds out which ids are taken by people they do not know
    if not re.fullmatch(r"[^\W_][\w-]{0,59}", wanted):
        raise BadInput(f'"{wanted:.40}" is no id: letters, digits, - and _', field="id")
    taken = {*campaign.play.characters, *campaign.owners}
    if command.id is not None and wanted in campaign.play.characters:
        raise BadInput("this id is taken", field="id")
    if command.id is not None:
        who = wanted
    else:
        who = seat_id(wanted, taken) if known else scenes.new_id(campaign, wanted, GAME_MASTER, taken)
    whose = seat.id if seat.role == "player" else command.seat
    if whose is not None and seat.role == "gm":
        whose = _player(campaign, whose).id
    if whose is not None:
        sitting.add(
            happened.CharacterHanded(who=who, seat=whose, name=character.name, to=EVERYONE if known else GAME_MASTER),
            seat.id,
        )
    plain = character.to_json()
    to = EVERYONE if known else GAME_MASTER
    sitting.add(happened.CharacterAdded(who=who, name=character.name, character=plain, known=known, to=to), seat.id)


def _demand_legal(report: Legality) -> None:
    """Refuse a character that is not within the rules, with everything that is wrong and the first rule it breaks."""
    if report.violations:
        first = report.violations[0]
        wrong = "; ".join([f"{one.where}: {one.message}" for one in report.violations[:MOST_NAMED]])
        raise RulesSayNo(f"this character is not within the rules: {wrong}", field=first.where, rule=first.rule)


@performs(given.ReplaceCharacter, "gm")
def _replace_character(sitting: Sitting, seat: Seat, command: given.ReplaceCharacter) -> None:
    hero = _hero(sitting.campaign, command.who)
    if sitting.has_scene and hero.id in sitting.session.scene:
        raise RulesSayNo(f"{hero.id} is in the open scene; rule there, or end it first")
    system = load_system(sitting.campaign.system)
    library = scenes.library_for(system, sitting.campaign.play.packs)
    character = scenes.character_from(system, library, command.character)
    to = EVERYONE if hero.known else GAME_MASTER
    sitting.add(
        happened.CharacterReplaced(who=hero.id, character=character.to_json(), reason=command.reason, to=to), seat.id
    )


@performs(given.DropCharacter, "gm")
def _drop_character(sitting: Sitting, seat: Seat, command: given.DropCharacter) -> None:
    hero = _hero(sitting.campaign, command.who)
    sitting.add(happened.CharacterDropped(who=hero.id, to=EVERYONE if hero.known else GAME_MASTER), seat.id)


def _hero(campaign: Campaign, who: str) -> Any:
    known = campaign.play.characters
    if who not in known:
        raise NotFound(f'no character of the campaign is called "{who:.40}"{nearest(who, known)}')
    return known[who]


@performs(given.SetOption, "gm")
def _set_option(sitting: Sitting, seat: Seat, command: given.SetOption) -> None:
    arguments = {"name": command.name, "value": _typed(command.value), "reason": command.reason}
    if sitting.has_scene:
        sitting.enter(Started("table.set_option", arguments), seat.id)
        sitting.go_on()
        return
    campaign = sitting.campaign
    system = load_system(campaign.system)
    if campaign.play.characters:
        session = scenes.together(campaign)
        session.do("table.set_option", **arguments)
        options = session.scene.options
        changed = {
            one.id: one.character.to_json()
            for one in session.scene.participants
            if one.character != session.header.scene[one.id].character
        }
    else:
        before = system.options.from_mapping(campaign.play.options)
        options = before.put(command.name, before.field(command.name).read(_typed(command.value)))
        changed = {}
    value = options.to_mapping()[command.name]
    sitting.add(
        happened.OptionSet(
            name=command.name,
            value=value,
            reason=command.reason,
            options=options.to_mapping(),
            characters=changed,
        ),
        seat.id,
    )


def _typed(value: str | int | bool | None) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# ---------------------------------------------------------------------- notes


@performs(given.WriteNote, "player")
def _write_note(sitting: Sitting, seat: Seat, command: given.WriteNote) -> None:
    notes = sitting.campaign.notes
    if command.id is not None:
        note = notes.get(command.id)
        if note is None or (note.by != seat.id and seat.role != "gm"):
            raise NotFound("there is no such note of yours")
    elif len(notes) >= MOST_NOTES:
        raise RulesSayNo(f"a campaign has at most {MOST_NOTES:,} notes")
    own = len([one for one in notes.values() if one.by == seat.id])
    if command.id is None and seat.role != "gm" and own >= MOST_NOTES_OF_PLAYER:
        raise RulesSayNo(f"a player has at most {MOST_NOTES_OF_PLAYER:,} notes; remove or rewrite one")
    to = {"everyone": EVERYONE, "gm": GAME_MASTER}.get(command.to, seat.viewer)
    if command.to == "gm" and seat.role == "player":
        to = seat.viewer  # the writer sees it too; the game master sees everything
    id_ = command.id or scenes.new_id(sitting.campaign, "note", to, notes)
    sitting.add(happened.NoteWritten(note=id_, by=seat.id, text=command.text, to=to), seat.id)


@performs(given.RemoveNote, "player")
def _remove_note(sitting: Sitting, seat: Seat, command: given.RemoveNote) -> None:
    note = sitting.campaign.notes.get(command.id)
    if note is None or (note.by != seat.id and seat.role != "gm"):
        raise NotFound("there is no such note of yours")
    sitting.add(happened.NoteRemoved(note=note.id, to=note.to), seat.id)


# ---------------------------------------------------------------------- seats


def make_seat(sitting: Sitting, name: str, role: str, *, approved: bool, by: str = TABLE) -> str:
    """Make a seat for somebody; gives its id. A game master may give a name twice, others may not take one."""
    plain = checked_name(name)
    if not approved:
        _check_own_name(sitting.campaign, plain)
    if len([one for one in sitting.campaign.seats.values() if not one.removed]) >= MOST_SEATS:
        raise RulesSayNo(f"a table has at most {MOST_SEATS} seats")
    seats, to = sitting.campaign.seats, EVERYONE if approved else GAME_MASTER
    id_ = seat_id(plain, seats) if approved else scenes.new_id(sitting.campaign, slug(plain), to, seats)
    joined = sitting.campaign.counts.get(PUBLIC, 0)
    sitting.add(happened.SeatMade(seat=id_, name=plain, role=role, approved=approved, joined=joined, to=to), by)
    return id_


def _check_own_name(campaign: Campaign, name: str, seat: str = "") -> None:
    """Refuse a name that somebody takes for themselves and that looks like another's, or like the game master's."""
    others = [one.name for one in campaign.seats.values() if one.takes_part and one.id != seat]
    taken = look_alike(name, [*others, *ROLES])
    if taken is not None:
        like = "" if taken == name else f' looks like "{taken}", which'
        raise BadInput(f'"{name}"{like} is taken at this table; choose another name', field="name")


@performs(given.ApproveSeat, "gm")
def _approve(sitting: Sitting, seat: Seat, command: given.ApproveSeat) -> None:
    person = _seat(sitting.campaign, command.seat)
    if person.approved:
        raise RulesSayNo(f"{person.name} takes part already")
    joined = sitting.campaign.counts.get(PUBLIC, 0)
    sitting.add(happened.SeatApproved(seat=person.id, name=person.name, joined=joined), seat.id)
    sync_seats(sitting)


@performs(given.RenameSeat, "player")
def _rename(sitting: Sitting, seat: Seat, command: given.RenameSeat) -> None:
    if seat.role != "gm" and command.seat != seat.id:
        raise Forbidden("the game master renames others")
    person = _seat(sitting.campaign, command.seat)
    to = EVERYONE if person.approved else GAME_MASTER
    name = checked_name(command.name)
    if seat.role != "gm":
        _check_own_name(sitting.campaign, name, seat.id)
    sitting.add(happened.SeatRenamed(seat=person.id, name=name, to=to), seat.id)


@performs(given.RemoveSeat, "gm")
def _remove(sitting: Sitting, seat: Seat, command: given.RemoveSeat) -> None:
    person = _seat(sitting.campaign, command.seat)
    masters = [one for one in sitting.campaign.seats.values() if one.role == "gm" and one.takes_part]
    if masters == [person]:
        raise RulesSayNo("the last game master cannot be removed")
    to = EVERYONE if person.approved else GAME_MASTER
    sitting.add(happened.SeatRemoved(seat=person.id, name=person.name, to=to), seat.id)
    sitting.batch.voided.append(person.id)
    sync_seats(sitting)


@performs(given.HandCharacter, "gm")
def _hand(sitting: Sitting, seat: Seat, command: given.HandCharacter) -> None:
    hero = _hero(sitting.campaign, command.who)
    whose = None if command.seat is None else _player(sitting.campaign, command.seat).id
    to = EVERYONE if hero.known else GAME_MASTER
    sitting.add(happened.CharacterHanded(who=hero.id, seat=whose, to=to), seat.id)
    sync_seats(sitting)


@performs(given.SetSeat, "player")
def _set_seat(sitting: Sitting, seat: Seat, command: given.SetSeat) -> None:
    if seat.role != "gm" and command.seat not in (None, seat.id):
        raise Forbidden("the game master sets this for others")
    person = _seat(sitting.campaign, command.seat or seat.id)
    to = person.viewer if person.role == "player" else GAME_MASTER
    sitting.add(happened.SeatSet(seat=person.id, dice=command.dice, to=to), seat.id)
    sitting.go_on()


def _seat(campaign: Campaign, id_: str) -> Seat:
    person = campaign.seats.get(id_)
    if person is None or person.removed:
        raise NotFound("there is no such seat")
    return person


def _player(campaign: Campaign, id_: str) -> Seat:
    person = _seat(campaign, id_)
    if person.role != "player":
        raise BadInput("characters are handed to players", field="seat")
    return person


def sync_seats(sitting: Sitting) -> None:
    """In the open scene, too, everybody is asked for the characters that have become theirs.

    Whom the rules or a ruling took from their player in the scene stays with whoever has them, as long as nobody else
    owns them.
    """
    open_ = sitting.campaign.play.scene
    if open_ is None:
        return
    scene, said = sitting.session.scene, _players_said(sitting, open_.seats)
    for who in sitting.campaign.play.characters:
        owner = sitting.campaign.owner(who)
        if who in scene and said.get(who) != owner:
            ruling = {"who": who, "field": "seat", "value": json.dumps(owner)}
            sitting.enter(Started("table.rule", ruling | {"reason": "who plays whom"}), TABLE, unasked=True)


def _players_said(sitting: Sitting, began: Mapping[str, str]) -> dict[str, str]:
    """Who plays whom, as the open scene was last told: when it began, when somebody came, or when a seat changed."""
    said = dict(began)
    for one in sitting.entries():
        entry = one.entry
        if isinstance(entry, Came) and "id" in entry.entrant:
            said[str(entry.entrant["id"])] = str(entry.entrant.get("seat"))
        elif one.by == TABLE and isinstance(entry, Started) and entry.arguments.get("field") == "seat":
            said[str(entry.arguments["who"])] = json.loads(entry.arguments["value"])
    return said


@performs(given.SetSetting, "gm")
def _set_setting(sitting: Sitting, seat: Seat, command: given.SetSetting) -> None:
    if command.name not in SETTINGS:
        known = ", ".join(SETTINGS)
        raise BadInput(f'there is no setting "{command.name:.40}"; there are: {known}', field="name")
    usual = DEFAULTS[command.name]
    if type(command.value) is not type(usual):
        raise BadInput(f"{command.name} is {json.dumps(usual)} or another {type(usual).__name__}", field="value")
    if command.name == "harm" and command.value not in HARM:
        raise BadInput(f"harm is applied {' or by the '.join(HARM)}", field="value")
    if isinstance(command.value, list):
        book = load_system(sitting.campaign.system).book
        for process in command.value:
            book.process(str(process))
    sitting.add(happened.SettingSet(name=command.name, value=command.value), seat.id)


def setting(campaign: Campaign, name: str) -> Any:
    """How the table is played in one regard."""
    return campaign.settings.get(name, DEFAULTS[name])
