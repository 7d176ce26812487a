"""Handlers for the characters of a campaign."""

from __future__ import annotations

import re

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.legality import Legality
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.registry import load_system
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    MOST_CHARACTERS,
    Seat,
)
from tablewright.table.errors import ForbiddenError
from tablewright.table.handlers.lookups import find_character, find_player
from tablewright.table.handlers.registry import handles
from tablewright.table.handlers.settings import setting
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.secrecy import library_known_to
from tablewright.table.tokens import check_seen, seat_id

MOST_NAMED = 20
"""Upper bound for the violations of a character that one error lists."""


UNKNOWN = "npc-"
"""Prefix of the ids of characters that are hidden from players."""


@handles(given.AddCharacter, "player")
def _add_character(sitting: LoadedCampaign, seat: Seat, command: given.AddCharacter) -> None:
    campaign = sitting.campaign
    if seat.role != "gm" and not setting(campaign, "players_add"):
        raise ForbiddenError("only the game master may add characters at this table; ask for one")
    if len(campaign.play.characters) >= MOST_CHARACTERS:
        raise IllegalActionError(f"a campaign has at most {MOST_CHARACTERS} characters")
    system, library = load_system(campaign.system), library_known_to(sitting, seat)
    character = scenes.character_from(system, library, command.character)
    check_seen(character.name, "character.name")
    if seat.role != "gm" and setting(campaign, "players_legal"):
        _demand_legal(system.rulebook.legality(character, system.options.from_mapping(campaign.play.options), library))
    known = command.known or seat.role != "gm"
    wanted = command.id or seat_id(character.name, ())
    if seat.role != "gm" and wanted.startswith(UNKNOWN):
        raise InvalidInputError(
            f'ids that begin with "{UNKNOWN}" are reserved for the game master; choose another id', field="id"
        )
    if not known and not wanted.startswith(UNKNOWN):
        wanted = f"{UNKNOWN}{wanted}"[:60]  # so that no one finds out which ids are taken by people they do not know
    if not re.fullmatch(r"[^\W_][\w-]{0,59}", wanted):
        raise InvalidInputError(f'"{wanted:.40}" is not an id; use letters, digits, - and _', field="id")
    taken = {*campaign.play.characters, *campaign.owners}
    if command.id is not None and wanted in campaign.play.characters:
        raise InvalidInputError(f'the id "{wanted:.40}" is taken; choose another one', field="id")
    if command.id is not None:
        who = wanted
    else:
        who = seat_id(wanted, taken) if known else scenes.new_id(campaign, wanted, GAME_MASTER, taken)
    whose = seat.id if seat.role == "player" else command.seat
    if whose is not None and seat.role == "gm":
        whose = find_player(campaign, whose).id
    if whose is not None:
        sitting.add(
            happened.CharacterHanded(who=who, seat=whose, name=character.name, to=EVERYONE if known else GAME_MASTER),
            seat.id,
        )
    plain = character.to_json()
    to = EVERYONE if known else GAME_MASTER
    sitting.add(happened.CharacterAdded(who=who, name=character.name, character=plain, known=known, to=to), seat.id)


def _demand_legal(report: Legality) -> None:
    """Refuse an illegal character, with all violations and the rule of the first."""
    if report.violations:
        first = report.violations[0]
        wrong = "; ".join([f"{one.where}: {one.message}" for one in report.violations[:MOST_NAMED]])
        raise IllegalActionError(f"this character is not within the rules: {wrong}", field=first.where, rule=first.rule)


@handles(given.ReplaceCharacter, "gm")
def _replace_character(sitting: LoadedCampaign, seat: Seat, command: given.ReplaceCharacter) -> None:
    hero = find_character(sitting.campaign, command.who)
    if sitting.has_scene and hero.id in sitting.session.scene:
        raise IllegalActionError(f"{hero.id} is in the open scene; rule there, or end it first")
    system = load_system(sitting.campaign.system)
    library = scenes.library_for(system, sitting.campaign.play.packs)
    character = scenes.character_from(system, library, command.character)
    check_seen(character.name, "character.name")
    to = EVERYONE if hero.known else GAME_MASTER
    sitting.add(
        happened.CharacterReplaced(who=hero.id, character=character.to_json(), reason=command.reason, to=to), seat.id
    )


@handles(given.DropCharacter, "gm")
def _drop_character(sitting: LoadedCampaign, seat: Seat, command: given.DropCharacter) -> None:
    hero = find_character(sitting.campaign, command.who)
    sitting.add(happened.CharacterDropped(who=hero.id, to=EVERYONE if hero.known else GAME_MASTER), seat.id)
