"""View of a seat: its feed items after a cursor, and the current state, cut to what it may know."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter, is_
from typing import Any, NamedTuple

from tablewright.engine import Choice
from tablewright.game.narration.narrator import status_words
from tablewright.game.narration.projection import project_question, project_scene
from tablewright.game.narration.question import word_question
from tablewright.game.narration.voices import sayings_of
from tablewright.game.rules.options import RuleOptions
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.system import System
from tablewright.table import scenes
from tablewright.table.campaign import PUBLIC, Campaign, Handout, Seat, token_key
from tablewright.table.database import queries as rows
from tablewright.table.database.hash_chain import short_json
from tablewright.table.database.picture_queries import picture_of
from tablewright.table.errors import NotFoundError
from tablewright.table.handlers.history import can_take_back
from tablewright.table.handlers.settings import SETTINGS, setting
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.narration import LOOKED_BACK, entries_of
from tablewright.table.pictures import picture_id
from tablewright.table.secrecy import secrets_of

_STRETCH = 20
"""Feed items read at once when the start of an action is looked for."""
MOST_LINES = 500
MOST_NOTES_SEEN = 100
MOST_LETTERS_SEEN = 50_000
"""Upper bounds for notes, and for letters in notes, per response; older ones come in pages."""
MOST_LETTERS_OF_LINES = 200_000
"""Upper bound for the JSON of feed items per response, beyond the first; later ones come in pages."""


def cursor(sitting: LoadedCampaign, seat: Seat) -> int:
    """Number of the seat's last feed item."""
    return sitting.campaign.counts.get(seat.viewer, 0)


def lines(sitting: LoadedCampaign, seat: Seat, after: int, most: int = MOST_LINES) -> list[dict[str, Any]]:
    """Feed items of the seat after a number; a player sees earlier lines as the public saw them."""
    return _one_page(items(sitting, seat, after, most))


def _one_page(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first items up to ``MOST_LETTERS_OF_LINES``, at least one."""
    letters = 0
    for place, item in enumerate(found if len(found) > 1 else ()):
        letters += len(short_json(item))
        if place and letters > MOST_LETTERS_OF_LINES:
            return found[:place]
    return found


def items(sitting: LoadedCampaign, seat: Seat, after: int, most: int) -> list[dict[str, Any]]:
    """Feed items of the seat after a number, as many as asked for, however long they are."""
    upto, most = cursor(sitting, seat), min(most, MOST_LINES)
    joined = seat.joined if seat.role == "player" else 0
    found: list[rows.FeedItem] = []
    if after >= upto:
        return []
    if after >= joined:
        recent = sitting.seen_lately(seat.viewer, after)
        if recent is not None:
            return [{"number": one.number, "at": one.at, **one.body} for one in recent[:most]]
    with rows.reading(sitting.engine) as connection:
        if after < joined:
            found += rows.items_after(connection, sitting.id, PUBLIC, after, until=joined, most=most)
        if len(found) < most:
            start, left = max(after, joined), most - len(found)
            found += rows.items_after(connection, sitting.id, seat.viewer, start, until=upto, most=left)
    return [{"number": item.number, "at": item.at, **item.body} for item in found]


def state(sitting: LoadedCampaign, seat: Seat) -> dict[str, Any]:
    """Current state of the table, as the seat may see it."""
    campaign, viewer = sitting.campaign, seat.viewer
    system = load_system(campaign.system)
    play = campaign.play
    session = sitting.session if sitting.has_scene else None  # opening it may undo lines that no longer fit the rules
    campaign, play = sitting.campaign, sitting.campaign.play
    all_seeing = viewer == GAME_MASTER
    options = _options(system, play.options)
    calendar = system.rulebook.calendar_of(options if session is None else session.scene.options)
    now = session.scene.clock.now if session is not None else play.now
    scene = None
    if session is not None and play.scene is not None:
        about = {"id": play.scene.id, "form": play.scene.form, "title": play.scene.title}
        scene = about | project_scene(session.scene, session.rulebook, viewer)
        for one in scene["participants"]:
            one["words"] = status_words(
                one["status"],
                type(session.scene[one["id"]].status),
                session.scene.display_name,
                sayings_of(campaign.system).status_words,
            )
            one.update(_vitals(session, one["id"], viewer))
    kept = [{"id": value.id, "title": value.title} for value in campaign.encounters.values()]
    return {
        "campaign": {"id": campaign.id, "title": campaign.title, "system": campaign.system},
        "you": _you(sitting, seat),
        "clock": {"now": now, "words": calendar.moment(now)},
        "options": options.changed(),
        "settings": {name: setting(campaign, name) for name in SETTINGS},
        "packs": [
            {"id": pack.id, "title": pack.title, "version": pack.version}
            | ({"known": pack.known} if seat.role == "gm" else {})
            for pack in play.packs
            if pack.known or seat.role == "gm"
        ],
        "characters": _characters(sitting, seat),
        "seats": [
            {"id": value.id, "name": value.name, "role": value.role}
            | ({"approved": value.approved, "dice": value.dice} if all_seeing else {})
            | ({"wants": value.wants} if all_seeing and value.wants and not value.approved else {})
            for value in campaign.seats.values()
            if not value.removed and (value.approved or all_seeing)
        ],
        **notes(sitting, seat),
        "portraits": portraits(sitting, seat),
        "map": _map(sitting, seat),
        "handouts": [_handout_json(handout, seat) for handout in handouts(campaign, seat)],
        "scenes": [
            {"id": one.id, "form": one.form, "title": one.title, "ended": one.ended, "outcome": one.outcome}
            for one in play.chapters
        ],
        "encounters": kept if seat.role == "gm" else [],
        "scene": scene,
        "question": question(sitting, seat),
        "proposal": _proposal(sitting, seat),
        "can": {
            "redo": all_seeing and bool(campaign.redo),
            "take_back": session is not None and can_take_back(sitting, seat),
        },
    }


def _vitals(session: Session, who: str, viewer: str) -> dict[str, Any]:
    """True if a participant still stands; for those who may know also their resources, now and unhurt and rested."""
    vitals, one, first = session.rulebook.vitals, session.scene[who], session.header.scene
    told: dict[str, Any] = {"standing": vitals.is_standing(one)}
    if viewer in (GAME_MASTER, one.seat):
        before = {each.id: each for each in first.participants}.get(who, one)
        whole = vitals.whole(session.scene, one)
        told["left"] = {
            name: {"now": amount(one), "most": max(amount(one), whole.get(name, amount(before)))}
            for name, amount in vitals.left.items()
        }
    return told


def notes(
    sitting: LoadedCampaign, seat: Seat, before: str | None = None, most: int = MOST_NOTES_SEEN
) -> dict[str, Any]:
    """The last notes that a seat may read, or the last before a given one, and the number of older ones."""
    viewer = seat.viewer
    readable = [
        value for value in sitting.campaign.notes.values() if viewer == GAME_MASTER or value.to in ("everyone", viewer)
    ]
    if before is not None:
        places = [place for place, one in enumerate(readable) if one.id == before]
        if not places:
            raise NotFoundError(f'there is no note "{before:.60}" for you to read')
        readable = readable[: places[0]]
    shown, letters = 0, 0
    for one in reversed(readable[-min(most, MOST_NOTES_SEEN) :]):
        letters += len(one.text)
        if shown and letters > MOST_LETTERS_SEEN:
            break
        shown += 1
    left = len(readable) - shown
    plain = [{"id": one.id, "by": one.by, "text": one.text} for one in readable[left:]]
    return {"notes": plain, "older_notes": left}


def portraits(sitting: LoadedCampaign, seat: Seat) -> dict[str, str]:
    """Pictures of the characters and participants that a seat may know, by their id."""
    campaign = sitting.campaign
    known = set(known_heroes(campaign, seat))
    if sitting.has_scene:
        known |= {participant.id for participant in sitting.session.scene.visible_to(seat.viewer).participants}
    return {who: picture for who, picture in campaign.portraits.items() if who in known}


def _map(sitting: LoadedCampaign, seat: Seat) -> dict[str, Any] | None:
    """The picture under the map of the open scene with the places of the tokens that a seat sees, or None."""
    scene = sitting.campaign.play.scene
    picture = sitting.campaign.maps.get(scene.id) if scene is not None else None
    if picture is None:
        return None
    about = sitting.campaign.pictures[picture]
    assert scene is not None
    seen = (
        [participant.id for participant in sitting.session.scene.visible_to(seat.viewer).participants]
        if sitting.has_scene
        else []
    )
    places = {who: sitting.campaign.tokens.get(token_key(scene.id, who)) for who in seen}
    tokens = {who: [int(part) for part in place.split(",")] for who, place in places.items() if place}
    return {"picture": picture, "width": about.width, "height": about.height, "tokens": tokens}


def handouts(campaign: Campaign, seat: Seat) -> list[Handout]:
    """Handouts that a seat may read, oldest first."""
    return [
        value for value in campaign.handouts.values() if seat.role == "gm" or value.everyone or seat.id in value.seats
    ]


def _handout_json(handout: Handout, seat: Seat) -> dict[str, Any]:
    plain = {"id": handout.id, "title": handout.title, "text": handout.text, "picture": handout.picture or None}
    if seat.role != "gm":
        return plain
    return plain | {"seats": "everyone" if handout.everyone else list(handout.seats)}


def pictures_seen(sitting: LoadedCampaign, seat: Seat) -> set[str]:
    """Pictures that a seat may see: its own, and those of the portraits, the map and the handouts that it sees."""
    campaign = sitting.campaign
    if seat.role == "gm":
        return set(campaign.pictures)
    found = {id_ for id_, one in campaign.pictures.items() if seat.id in one.by}
    found |= set(portraits(sitting, seat).values())
    found |= {handout.picture for handout in handouts(campaign, seat) if handout.picture}
    shown = _map(sitting, seat)
    return found | ({shown["picture"]} if shown is not None else set())


def picture(sitting: LoadedCampaign, seat: Seat, id_: str) -> bytes:
    """Bytes of a picture that a seat may see; the same error for a hidden, a damaged and an unknown one."""
    data = None
    if id_ in pictures_seen(sitting, seat):
        with rows.reading(sitting.engine) as connection:
            data = picture_of(connection, sitting.id, id_)
    if data is None or picture_id(data) != id_:
        raise NotFoundError("there is no such picture for you to see")
    return data


@cached_by_identity
def _options(system: System, chosen: Mapping[str, Any]) -> RuleOptions:
    """Options of a campaign; cached because every view needs them."""
    return system.options.from_mapping(chosen)


def _proposal(sitting: LoadedCampaign, seat: Seat) -> dict[str, Any] | None:
    """The open proposal, for the game master only; other seats have seen their part of it in the feed."""
    proposal = sitting.campaign.proposal
    if proposal is None or seat.role != "gm":
        return None
    return {"by": proposal.by, "entry": proposal.entry}


def _you(sitting: LoadedCampaign, seat: Seat) -> dict[str, Any]:
    own = [who for who in sitting.campaign.play.characters if sitting.campaign.owners.get(who) == seat.id]
    return {"seat": seat.id, "name": seat.name, "role": seat.role, "dice": seat.dice, "characters": own}


def known_heroes(campaign: Campaign, seat: Seat) -> list[str]:
    """Ids of the campaign characters that a seat may know."""
    heroes = campaign.play.characters.values()
    return [hero.id for hero in heroes if hero.known or _is_own(campaign, seat, hero.id)]


def _is_own(campaign: Campaign, seat: Seat, who: str) -> bool:
    return seat.role == "gm" or (seat.role == "player" and campaign.owner(who) == seat.id)


def _characters(sitting: LoadedCampaign, seat: Seat) -> list[dict[str, Any]]:
    campaign = sitting.campaign
    found: list[dict[str, Any]] = []
    for who in known_heroes(campaign, seat):
        hero, owner = campaign.play.characters[who], campaign.owner(who)
        is_own = _is_own(campaign, seat, who)
        plain: dict[str, Any] = {
            "id": hero.id,
            "name": hero.name,
            "seat": None if owner == GAME_MASTER else owner,
        }
        if is_own:
            plain |= {"character": character(sitting, hero.id)}
        found.append(plain | ({"known": hero.known} if seat.role == "gm" else {}))
    return found


def character(sitting: LoadedCampaign, who: str) -> dict[str, Any]:
    """Current data of a character: from the open scene, or from when it last left one."""
    if sitting.has_scene and who in sitting.session.scene:
        plain: dict[str, Any] = sitting.session.rulebook.export_character(sitting.session.scene, who).to_json()
        return plain
    return sitting.campaign.play.characters[who].character


def question(sitting: LoadedCampaign, seat: Seat) -> dict[str, Any] | None:
    """The open question, as the seat may know it, with an id if the seat may answer; None if there is none."""
    if not sitting.has_scene:
        return None
    session = sitting.session
    if sitting.campaign.proposal is not None and seat.role != "gm":
        return {"waiting": "somebody"}
    asked = sitting.asked
    eyes = session.seat if seat.viewer == asked else PUBLIC if seat.viewer == session.seat else seat.viewer
    seen = project_question(session.playing, session.scene, eyes or PUBLIC, secrets_of(sitting, seat))
    if seen is None or "waiting" in seen:
        return {"waiting": asked} if seen is not None and seen["waiting"] == session.seat else seen
    seen |= {"seat": asked}
    raw = json.dumps([scenes.asked(session), len(session.entries) if seat.role == "gm" else 0, seen], sort_keys=True)
    assert session.question is not None
    key = session.question.key if isinstance(session.question, Choice) else ""
    worded = word_question(key, seen, session.scene, session.rulebook, eyes or PUBLIC, game=session.live).to_json()
    return {"id": blake2b(raw.encode(), digest_size=9).hexdigest()} | worded | passing(session.rulebook, seen)


def passing(book: Rulebook, seen: Mapping[str, Any]) -> dict[str, str]:
    """The option of a projected question that ends the turn, as ``pass``; empty if there is none."""
    offered = [one["id"] for one in seen.get("options", ())]
    return {"pass": book.pass_action} if book.pass_action in offered else {}


def view(sitting: LoadedCampaign, seat: Seat, after: int, most: int = MOST_LINES) -> dict[str, Any]:
    """Feed items after a cursor, and the state, of the same moment."""
    now = state(sitting, seat)
    found = lines(sitting, seat, after, most)
    upto = cursor(sitting, seat)
    reached = found[-1]["number"] if found else min(max(after, 0), upto)
    return {"cursor": reached, "last": upto, "lines": found, "entries": entries(sitting, seat, found), **now}


# ---------------------------------------------------------------------- live views

_UNSEEN = ("last", "counts", "thrown")
"""Fields of a campaign on which no state depends."""
_SEEN = attrgetter(*[field.name for field in fields(Campaign) if field.name not in _UNSEEN])


class SeenState:
    """State of the table as a seat sees it, and its JSON part by part, both made once until something changes.

    A campaign is immutable: as long as it has the same objects in its fields, and the session of its scene the same
    entries, its state is the same.
    """

    def __init__(self, sitting: LoadedCampaign, seat: Seat) -> None:
        value = state(sitting, seat)
        self._made_of = self._parts_of(sitting)
        self.texts: dict[str, str] = {name: short_json(part) for name, part in value.items()}

    @staticmethod
    def _parts_of(sitting: LoadedCampaign) -> tuple[Any, ...]:
        session = sitting.session if sitting.has_scene else None
        lengths = (0, 0) if session is None else (len(session.entries), len(session.log))
        return (*_SEEN(sitting.campaign), session, *lengths)

    def is_of(self, sitting: LoadedCampaign) -> bool:
        """True if nothing has changed in a campaign since this state was made."""
        return all(map(is_, self._made_of, self._parts_of(sitting)))


class SeenView(NamedTuple):
    """Feed items after a cursor, and the state of the same moment."""

    cursor: int
    last: int
    lines: list[dict[str, Any]]
    entries: list[dict[str, Any]]
    state: SeenState


def view_beside(sitting: LoadedCampaign, seat: Seat, after: int, seen: SeenState) -> SeenView:
    """View of a seat whose state is known."""
    found = lines(sitting, seat, after)
    upto = cursor(sitting, seat)
    reached = found[-1]["number"] if found else min(max(after, 0), upto)
    return SeenView(reached, upto, found, entries(sitting, seat, found), seen)


# ---------------------------------------------------------------------- entries


def _goes_on(items: Sequence[dict[str, Any]]) -> bool:
    """True if feed items start in the middle of an action; answers that were only asked for belong to any."""
    first = next((item for item in items if item["kind"] != "entry"), None)
    return first is not None and first.get("act") == "same"


def entries(sitting: LoadedCampaign, seat: Seat, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries of feed items that follow each other; an action that began before them is told as a whole."""
    if not found:
        return []
    first = found[0]["number"] - 1
    before: list[dict[str, Any]] = []
    while first and len(before) < LOOKED_BACK and _goes_on([*before, *found]):
        upto = before[0]["number"] - 1 if before else first
        row = items(sitting, seat, max(0, upto - _STRETCH), _STRETCH)
        before = [*[one for one in row if one["number"] <= upto], *before]
    return entries_of(sitting, seat, [*before, *found], first)
