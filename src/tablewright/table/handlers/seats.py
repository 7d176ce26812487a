"""Handlers for seats: approval, names, removal, and who plays which character."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.record import JoinEntry, StartEntry
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    MOST_SEATS,
    PUBLIC,
    Campaign,
    Seat,
)
from tablewright.table.errors import ForbiddenError
from tablewright.table.handlers.lookups import find_character, find_player, find_seat, free_characters
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import TABLE, LoadedCampaign
from tablewright.table.tokens import checked_name, look_alike, seat_id, slug

ROLES = ("Game Master", "The Table", "Everyone", "Somebody")
"""Names that players may not take, because they stand for a role."""


def make_seat(
    sitting: LoadedCampaign, name: str, role: str, *, approved: bool, by: str = TABLE, wants: str = ""
) -> str:
    """Create a seat and return its id. Only the game master may give a name that is taken."""
    plain = checked_name(name)
    if not approved:
        _check_own_name(sitting.campaign, plain)
    if len([value for value in sitting.campaign.seats.values() if not value.removed]) >= MOST_SEATS:
        raise IllegalActionError(f"a table has at most {MOST_SEATS} seats")
    seats, to = sitting.campaign.seats, EVERYONE if approved else GAME_MASTER
    id_ = seat_id(plain, seats) if approved else scenes.new_id(sitting.campaign, slug(plain), to, seats)
    joined = sitting.campaign.counts.get(PUBLIC, 0)
    sitting.add(
        happened.SeatMade(seat=id_, name=plain, role=role, approved=approved, joined=joined, wants=wants, to=to), by
    )
    return id_


def _check_own_name(campaign: Campaign, name: str, seat: str = "") -> None:
    """Refuse a name chosen by its owner that looks like the name of another seat or of a role."""
    others = [value.name for value in campaign.seats.values() if value.takes_part and value.id != seat]
    taken = look_alike(name, [*others, *ROLES])
    if taken is not None:
        like = "" if taken == name else f' looks like "{taken}", which'
        raise InvalidInputError(f'"{name}"{like} is taken at this table; choose another name', field="name")


@handles(given.ApproveSeat, "gm")
def _approve(sitting: LoadedCampaign, seat: Seat, command: given.ApproveSeat) -> None:
    person = find_seat(sitting.campaign, command.seat)
    if person.approved:
        raise IllegalActionError(f"{person.name} takes part already")
    joined = sitting.campaign.counts.get(PUBLIC, 0)
    sitting.add(happened.SeatApproved(seat=person.id, name=person.name, joined=joined), seat.id)
    if person.role == "player" and person.wants in free_characters(sitting.campaign):
        sitting.add(happened.CharacterHanded(who=person.wants, seat=person.id), seat.id)
    sync_seats(sitting)


@handles(given.RenameSeat, "player")
def _rename(sitting: LoadedCampaign, seat: Seat, command: given.RenameSeat) -> None:
    if seat.role != "gm" and command.seat != seat.id:
        raise ForbiddenError("only the game master may rename others")
    person = find_seat(sitting.campaign, command.seat)
    to = EVERYONE if person.approved else GAME_MASTER
    name = checked_name(command.name)
    if seat.role != "gm":
        _check_own_name(sitting.campaign, name, seat.id)
    sitting.add(happened.SeatRenamed(seat=person.id, name=name, to=to), seat.id)


@handles(given.RemoveSeat, "gm")
def _remove(sitting: LoadedCampaign, seat: Seat, command: given.RemoveSeat) -> None:
    person = find_seat(sitting.campaign, command.seat)
    masters = [value for value in sitting.campaign.seats.values() if value.role == "gm" and value.takes_part]
    if masters == [person]:
        raise IllegalActionError("the last game master cannot be removed; invite another one first")
    to = EVERYONE if person.approved else GAME_MASTER
    sitting.add(happened.SeatRemoved(seat=person.id, name=person.name, to=to), seat.id)
    sitting.batch.voided.append(person.id)
    sync_seats(sitting)


@handles(given.HandCharacter, "gm")
def _hand(sitting: LoadedCampaign, seat: Seat, command: given.HandCharacter) -> None:
    hero = find_character(sitting.campaign, command.who)
    whose = None if command.seat is None else find_player(sitting.campaign, command.seat).id
    to = EVERYONE if hero.known else GAME_MASTER
    sitting.add(happened.CharacterHanded(who=hero.id, seat=whose, to=to), seat.id)
    sync_seats(sitting)


@handles(given.SetSeat, "player")
def _set_seat(sitting: LoadedCampaign, seat: Seat, command: given.SetSeat) -> None:
    if seat.role != "gm" and command.seat not in (None, seat.id):
        raise ForbiddenError("only the game master may set this for others")
    person = find_seat(sitting.campaign, command.seat or seat.id)
    to = person.viewer if person.role == "player" else GAME_MASTER
    sitting.add(happened.SeatSet(seat=person.id, dice=command.dice, to=to), seat.id)
    sitting.go_on()


def sync_seats(sitting: LoadedCampaign) -> None:
    """Give characters in the open scene to the seats that own them now.

    A character that a rule or ruling took from its player stays with its present seat until it gets another owner.
    """
    open_ = sitting.campaign.play.scene
    if open_ is None:
        return
    scene, said = sitting.session.scene, _players_said(sitting, open_.seats)
    for who in sitting.campaign.play.characters:
        owner = sitting.campaign.owner(who)
        if who in scene and said.get(who) != owner:
            ruling = {"who": who, "field": "seat", "value": json.dumps(owner)}
            sitting.enter(StartEntry("table.rule", ruling | {"reason": "who plays whom"}), TABLE, unasked=True)


def _players_said(sitting: LoadedCampaign, began: Mapping[str, str]) -> dict[str, str]:
    """Seats by character, as last told to the open scene: at its start, on an arrival or when a seat changed."""
    said = dict(began)
    for one in sitting.entries():
        entry = one.entry
        if isinstance(entry, JoinEntry) and "id" in entry.entrant:
            said[str(entry.entrant["id"])] = str(entry.entrant.get("seat"))
        elif one.by == TABLE and isinstance(entry, StartEntry) and entry.arguments.get("field") == "seat":
            said[str(entry.arguments["who"])] = json.loads(entry.arguments["value"])
    return said
