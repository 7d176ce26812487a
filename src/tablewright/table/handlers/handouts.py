"""Handlers for handouts: pages of the game master that chosen seats may read."""

from __future__ import annotations

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import MOST_HANDOUTS, MOST_LETTERS_OF_HANDOUTS, Campaign, Handout, Seat
from tablewright.table.errors import NotFoundError
from tablewright.table.handlers.lookups import find_seat
from tablewright.table.handlers.pictures import find_picture
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign


@handles(given.KeepHandout, "gm")
def _keep(sitting: LoadedCampaign, seat: Seat, command: given.KeepHandout) -> None:
    known = sitting.campaign.handouts
    if command.id is not None:
        _find(sitting.campaign, command.id)
    elif len(known) >= MOST_HANDOUTS:
        raise IllegalActionError(f"a campaign has at most {MOST_HANDOUTS} handouts; delete one")
    letters = sum([len(value.text) for value in known.values() if value.id != command.id]) + len(command.text)
    if letters > MOST_LETTERS_OF_HANDOUTS:
        raise IllegalActionError(f"the handouts have at most {MOST_LETTERS_OF_HANDOUTS:,} letters in all; delete one")
    picture = "" if command.picture is None else find_picture(sitting, seat, command.picture)
    id_ = command.id or scenes.new_id(sitting.campaign, "handout", GAME_MASTER, known)
    sitting.add(
        happened.HandoutKept(handout=id_, title=command.title, text=command.text, picture=picture, to=GAME_MASTER),
        seat.id,
    )


@handles(given.ShowHandout, "gm")
def _show(sitting: LoadedCampaign, seat: Seat, command: given.ShowHandout) -> None:
    handout = _find(sitting.campaign, command.id)
    if command.seats == "everyone":
        if not handout.everyone:
            sitting.add(happened.HandoutShown(handout=handout.id, title=handout.title, to=EVERYONE), seat.id)
        return
    for id_ in dict.fromkeys(command.seats):
        reader = find_seat(sitting.campaign, id_)
        if reader.role != "player":
            raise IllegalActionError(
                f"{reader.name} is not a player; a handout is shown to players, or to everyone", field="seats"
            )
        if reader.id not in handout.seats:
            shown = happened.HandoutShown(handout=handout.id, title=handout.title, seat=reader.id, to=reader.viewer)
            sitting.add(shown, seat.id)


@handles(given.HideHandout, "gm")
def _hide(sitting: LoadedCampaign, seat: Seat, command: given.HideHandout) -> None:
    handout = _find(sitting.campaign, command.id)
    if handout.everyone or handout.seats:
        sitting.add(happened.HandoutHidden(handout=handout.id, title=handout.title, to=GAME_MASTER), seat.id)


@handles(given.DropHandout, "gm")
def _drop(sitting: LoadedCampaign, seat: Seat, command: given.DropHandout) -> None:
    handout = _find(sitting.campaign, command.id)
    sitting.add(happened.HandoutDropped(handout=handout.id, title=handout.title, to=GAME_MASTER), seat.id)


def _find(campaign: Campaign, id_: str) -> Handout:
    if id_ not in campaign.handouts:
        raise NotFoundError("there is no such handout; it may have been deleted")
    return campaign.handouts[id_]
