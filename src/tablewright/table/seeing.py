"""What a seat sees: the lines it has to see after a cursor, and the table as it is now, cut to what it may know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from tablewright.game.events import GAME_MASTER
from tablewright.game.options import Options
from tablewright.game.projection import project_question, project_scene
from tablewright.game.registry import load_system
from tablewright.game.remembering import by_identity
from tablewright.game.system import System
from tablewright.game.telling import status_words
from tablewright.table import scenes
from tablewright.table.campaign import PUBLIC, Campaign, Seat
from tablewright.table.changing import can_take_back
from tablewright.table.database import rows
from tablewright.table.doing import SETTINGS, setting
from tablewright.table.knowing import secrets_of
from tablewright.table.refusals import NotFound
from tablewright.table.sitting import Sitting

MOST_LINES = 500
MOST_NOTES_SEEN = 100
MOST_LETTERS_SEEN = 50_000
"""How many notes, and letters in notes, come at once; older ones are asked for by pages."""


def cursor(sitting: Sitting, seat: Seat) -> int:
    """How many things the seat has to see so far."""
    return sitting.campaign.counts.get(seat.viewer, 0)


def lines(sitting: Sitting, seat: Seat, after: int, most: int = MOST_LINES) -> list[dict[str, Any]]:
    """What the seat has to see after a number: what happened before it came as the public saw it."""
    upto, most = cursor(sitting, seat), min(most, MOST_LINES)
    joined = seat.joined if seat.role == "player" else 0
    found: list[rows.Item] = []
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


def state(sitting: Sitting, seat: Seat) -> dict[str, Any]:
    """The table as it is now, as the seat may see it."""
    campaign, viewer = sitting.campaign, seat.viewer
    system = load_system(campaign.system)
    play = campaign.play
    session = sitting.session if sitting.has_scene else None  # may go back to what still agrees with the rules
    campaign, play = sitting.campaign, sitting.campaign.play
    all_seeing = viewer == GAME_MASTER
    options = _options(system, play.options)
    calendar = system.book.calendar_of(options if session is None else session.scene.options)
    now = session.scene.clock.now if session is not None else play.now
    scene = None
    if session is not None and play.scene is not None:
        about = {"id": play.scene.id, "form": play.scene.form, "title": play.scene.title}
        scene = about | project_scene(session.scene, session.book, viewer)
        for one in scene["participants"]:
            one["words"] = status_words(one["status"], type(session.scene[one["id"]].status), session.scene.called)
    kept = [{"id": one.id, "title": one.title} for one in campaign.encounters.values()]
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
            {"id": one.id, "name": one.name, "role": one.role}
            | ({"approved": one.approved, "dice": one.dice} if all_seeing else {})
            for one in campaign.seats.values()
            if not one.removed and (one.approved or all_seeing)
        ],
        **notes(sitting, seat),
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


def notes(sitting: Sitting, seat: Seat, before: str | None = None, most: int = MOST_NOTES_SEEN) -> dict[str, Any]:
    """The last notes that a seat may read, or the last before one of them, and how many older ones are left."""
    viewer = seat.viewer
    readable = [
        one for one in sitting.campaign.notes.values() if viewer == GAME_MASTER or one.to in ("everyone", viewer)
    ]
    if before is not None:
        places = [place for place, one in enumerate(readable) if one.id == before]
        if not places:
            raise NotFound(f'there is no note "{before:.60}" for you to read')
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


@by_identity
def _options(system: System, chosen: Mapping[str, Any]) -> Options:
    """The options of a campaign; they are asked for with every view and change seldom."""
    return system.options.from_mapping(chosen)


def _proposal(sitting: Sitting, seat: Seat) -> dict[str, Any] | None:
    """What waits for the game master to apply; everybody was told as much of it as they may see."""
    proposal = sitting.campaign.proposal
    if proposal is None or seat.role != "gm":
        return None
    return {"by": proposal.by, "entry": proposal.entry}


def _you(sitting: Sitting, seat: Seat) -> dict[str, Any]:
    own = [who for who in sitting.campaign.play.characters if sitting.campaign.owners.get(who) == seat.id]
    return {"seat": seat.id, "name": seat.name, "role": seat.role, "dice": seat.dice, "characters": own}


def known_heroes(campaign: Campaign, seat: Seat) -> list[str]:
    """The characters of the campaign that a seat may know of, by their ids."""
    heroes = campaign.play.characters.values()
    return [hero.id for hero in heroes if hero.known or _is_own(campaign, seat, hero.id)]


def _is_own(campaign: Campaign, seat: Seat, who: str) -> bool:
    return seat.role == "gm" or (seat.role == "player" and campaign.owner(who) == seat.id)


def _characters(sitting: Sitting, seat: Seat) -> list[dict[str, Any]]:
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


def character(sitting: Sitting, who: str) -> dict[str, Any]:
    """A character as it is now: in the open scene, or as it last left one."""
    if sitting.has_scene and who in sitting.session.scene:
        plain: dict[str, Any] = sitting.session.book.leave(sitting.session.scene, who).to_json()
        return plain
    return sitting.campaign.play.characters[who].character


def question(sitting: Sitting, seat: Seat) -> dict[str, Any] | None:
    """What is asked, as the seat may know it; with an id where the seat may answer."""
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
    return {"id": blake2b(raw.encode(), digest_size=9).hexdigest()} | seen


def view(sitting: Sitting, seat: Seat, after: int, most: int = MOST_LINES) -> dict[str, Any]:
    """Lines after a cursor and the state, of one moment."""
    now = state(sitting, seat)
    found = lines(sitting, seat, after, most)
    upto = cursor(sitting, seat)
    reached = found[-1]["number"] if found else min(max(after, 0), upto)
    return {"cursor": reached, "last": upto, "lines": found, **now}
