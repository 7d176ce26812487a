"""Lookups of characters and seats by id, with the error for an unknown one."""

from __future__ import annotations

from typing import Any

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table.campaign import (
    Campaign,
    Seat,
)
from tablewright.table.errors import NO_SEAT, NotFoundError


def find_character(campaign: Campaign, who: str) -> Any:
    known = campaign.play.characters
    if who not in known:
        raise NotFoundError(f'no character of the campaign is called "{who:.40}"{did_you_mean(who, known)}')
    return known[who]


def find_seat(campaign: Campaign, id_: str) -> Seat:
    person = campaign.seats.get(id_)
    if person is None or person.removed:
        raise NotFoundError(NO_SEAT)
    return person


def find_player(campaign: Campaign, id_: str) -> Seat:
    person = find_seat(campaign, id_)
    if person.role != "player":
        raise InvalidInputError(f"{person.name} is not a player; characters are handed to players", field="seat")
    return person


def free_characters(campaign: Campaign) -> list[str]:
    """Ids of the characters that a newcomer may choose: known to everyone, and played by the game master."""
    heroes = campaign.play.characters.values()
    return [hero.id for hero in heroes if hero.known and campaign.owner(hero.id) == GAME_MASTER]
