"""Handlers for portraits, for the picture under the map, and for tokens on it."""

from __future__ import annotations

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError
from tablewright.game.ground.grid import Grid
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table.campaign import (
    MOST_BYTES_OF_PICTURES,
    MOST_PICTURES,
    MOST_PICTURES_OF_PLAYER,
    MOST_PORTRAITS,
    MOST_TOKENS,
    Seat,
    token_key,
)
from tablewright.table.database.picture_queries import PictureRow
from tablewright.table.errors import NOT_YOURS, ONLY_WATCH, ForbiddenError, NotFoundError
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.pictures import EncodedPicture


def add_picture(sitting: LoadedCampaign, seat: Seat, picture: EncodedPicture) -> None:
    """Store a picture of a seat; a second upload of the same picture stores nothing."""
    if seat.role == "spectator":
        raise ForbiddenError(ONLY_WATCH)
    known = sitting.campaign.pictures
    before = known.get(picture.id)
    if before is not None and seat.id in before.by:
        return
    own = len([value for value in known.values() if seat.id in value.by])
    if seat.role != "gm" and own >= MOST_PICTURES_OF_PLAYER:
        raise IllegalActionError(f"a player uploads at most {MOST_PICTURES_OF_PLAYER} pictures")
    size = sum([value.size for value in known.values()]) + len(picture.data)
    if before is None and (len(known) >= MOST_PICTURES or size > MOST_BYTES_OF_PICTURES):
        raise IllegalActionError(
            f"a campaign has at most {MOST_PICTURES} pictures with {MOST_BYTES_OF_PICTURES // 1_000_000} MB in all"
        )
    sitting.add(
        happened.PictureAdded(
            picture=picture.id,
            by=seat.id,
            width=picture.width,
            height=picture.height,
            size=len(picture.data),
            to=seat.viewer,
        ),
        seat.id,
    )
    if before is None:
        sitting.batch.pictures.append(PictureRow(picture.id, picture.data))


def find_picture(sitting: LoadedCampaign, seat: Seat, picture: str) -> str:
    """Id of a picture that a seat may use; the game master may use all."""
    found = sitting.campaign.pictures.get(picture)
    if found is None or (seat.role != "gm" and seat.id not in found.by):
        raise NotFoundError("there is no such picture of yours; upload it first")
    return picture


@handles(given.SetPortrait, "player")
def _set_portrait(sitting: LoadedCampaign, seat: Seat, command: given.SetPortrait) -> None:
    campaign, who = sitting.campaign, command.who
    name = name_of(sitting, who)
    is_own = seat.role == "gm" or (who in campaign.play.characters and campaign.owner(who) == seat.id)
    if name is None or not is_own:
        raise NotFoundError(NOT_YOURS)
    picture = "" if command.picture is None else find_picture(sitting, seat, command.picture)
    if picture and who not in campaign.portraits and len(campaign.portraits) >= MOST_PORTRAITS:
        raise IllegalActionError(f"a campaign has at most {MOST_PORTRAITS:,} portraits")
    to = EVERYONE if is_known_to_all(sitting, who) else GAME_MASTER
    sitting.add(happened.PortraitSet(who=who, name=name, picture=picture, to=to), seat.id)


@handles(given.SetMap, "gm")
def _set_map(sitting: LoadedCampaign, seat: Seat, command: given.SetMap) -> None:
    scene = sitting.campaign.play.scene
    if scene is None:
        raise IllegalActionError("no scene is open; begin one, then lay its map")
    picture = "" if command.picture is None else find_picture(sitting, seat, command.picture)
    sitting.add(happened.MapSet(scene=scene.id, picture=picture), seat.id)


@handles(given.PlaceToken, "player")
def _place_token(sitting: LoadedCampaign, seat: Seat, command: given.PlaceToken) -> None:
    """Put a token on the picture; players move their own. On a grid the rules of the game place everyone."""
    campaign, who = sitting.campaign, command.who
    scene = campaign.play.scene
    if scene is None or scene.id not in campaign.maps:
        raise IllegalActionError("no picture lies under the map; the game master chooses one")
    now = sitting.session.scene
    is_own = seat.role == "gm" or (who in now and now[who].seat == seat.viewer)
    if who not in now or not is_own:
        raise NotFoundError("no character of yours in the scene has this id; take one of your own")
    if isinstance(now.ground, Grid):
        raise IllegalActionError("this scene has a grid; tokens stand where the rules put them")
    if token_key(scene.id, who) not in campaign.tokens and len(campaign.tokens) >= MOST_TOKENS:
        raise IllegalActionError(f"a campaign has at most {MOST_TOKENS:,} placed tokens")
    to = EVERYONE if is_known_to_all(sitting, who) else GAME_MASTER
    sitting.add(happened.TokenPlaced(scene=scene.id, who=who, x=command.x, y=command.y, to=to), seat.id)


def name_of(sitting: LoadedCampaign, who: str) -> str | None:
    """Name of a character of the campaign, or of a participant in the open scene; None if there is none."""
    hero = sitting.campaign.play.characters.get(who)
    if hero is not None:
        return hero.name
    if sitting.has_scene and who in sitting.session.scene:
        return sitting.session.scene.display_name(who)
    return None


def is_known_to_all(sitting: LoadedCampaign, who: str) -> bool:
    """True if every seat may know of a character or a participant."""
    hero = sitting.campaign.play.characters.get(who)
    if hero is not None and not hero.known:
        return False
    if not sitting.has_scene or who not in sitting.session.scene:
        return hero is not None
    scene = sitting.session.scene
    return all(scene.can_see(viewer, who) for viewer in sitting.campaign.viewers())
