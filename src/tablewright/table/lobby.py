"""A table seen from outside: what a link shows before it is opened, and what the host's list shows of each table."""

from __future__ import annotations

from typing import Any

from tablewright.game.narration.projection import project_scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.registry import load_system
from tablewright.table import scenes
from tablewright.table import view as seeing
from tablewright.table.campaign import Seat
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.secrecy import library_known_to

MOST_SHOWN = 24
"""Upper bound for the characters and participants that are shown outside."""


def link_json(sitting: LoadedCampaign, role: str, seat: str | None) -> dict[str, Any]:
    """A valid link as JSON: the table, its game master, and the characters to choose from.

    Only characters that everyone at the table knows are listed. An open invitation asks for a name.
    """
    campaign = sitting.campaign
    person = campaign.seats.get(seat or "")
    masters = [value.name for value in campaign.seats.values() if value.role == "gm" and value.takes_part]
    scene = campaign.play.scene
    return {
        "campaign": campaign.title,
        "system": campaign.system,
        "role": role,
        "game_master": masters[0] if masters else "",
        "name": None if person is None else person.name,
        "scene": None if scene is None else {"form": scene.form, "title": scene.title},
        "characters": _characters(sitting) if role == "player" and person is None else [],
    }


def _characters(sitting: LoadedCampaign) -> list[dict[str, Any]]:
    """Characters that everyone knows, with the player of each; a free one with the line under its name."""
    campaign = sitting.campaign
    system = load_system(campaign.system)
    options = system.options.from_mapping(campaign.play.options)
    stranger = Seat("", "", "player")
    library = library_known_to(sitting, stranger)
    found: list[dict[str, Any]] = []
    for hero in list(campaign.play.characters.values())[:MOST_SHOWN]:
        if not hero.known:
            continue
        owner = campaign.owner(hero.id)
        about, player = "", None
        if owner == GAME_MASTER:
            character = scenes.character_from(system, library, seeing.character(sitting, hero.id))
            about = system.rulebook.sheet(character, options, library).subtitle
        else:
            player = campaign.seats[owner].name
        found.append({"id": hero.id, "name": hero.name, "about": about[:1].upper() + about[1:], "player": player})
    return found


def overview_json(sitting: LoadedCampaign) -> dict[str, Any] | None:
    """The open scene of a table for the host's list: form, title, round, whose turn it is and who takes part."""
    scene = sitting.campaign.play.scene
    if scene is None:
        return None
    plain: dict[str, Any] = {"form": scene.form, "title": scene.title}
    if scene.form != "encounter" or not sitting.has_scene:
        return plain
    session = sitting.session
    seen = project_scene(session.scene, session.rulebook, GAME_MASTER)
    names = {one["id"]: one["name"] for one in seen["participants"]}
    people = [
        {"name": one["name"], "side": one["side"], "present": one["present"], "health": one["health"]}
        for one in seen["participants"][:MOST_SHOWN]
    ]
    return plain | {
        "round": seen["round"],
        "turn": names.get(seen["turn"]),
        "ended": seen["ended"],
        "participants": people,
    }
