"""Handlers for prepared encounters, which only the game master sees, and for content packs."""

from __future__ import annotations

import json
from typing import Any

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, did_you_mean
from tablewright.game.content.packs import read_pack
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.registry import load_system
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import MOST_ENCOUNTERS, Seat
from tablewright.table.errors import GAME_MASTERS, ForbiddenError, NotFoundError
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.tokens import seat_id


@handles(given.KeepEncounter, "gm")
def _keep(sitting: LoadedCampaign, seat: Seat, command: given.KeepEncounter) -> None:
    known = sitting.campaign.encounters
    if command.id is not None and command.id not in known:
        raise NotFoundError("there is no such prepared encounter; it may have been deleted")
    if command.id is None and len(known) >= MOST_ENCOUNTERS:
        raise IllegalActionError(f"a campaign keeps at most {MOST_ENCOUNTERS} encounters")
    scenes.check_scenario(sitting.campaign, command.scenario)
    name = command.id or seat_id(command.title, known)
    kept = happened.EncounterKept(encounter=name, title=command.title, scenario=command.scenario, to=GAME_MASTER)
    sitting.add(kept, seat.id)


@handles(given.DropEncounter, "gm")
def _drop(sitting: LoadedCampaign, seat: Seat, command: given.DropEncounter) -> None:
    if command.id not in sitting.campaign.encounters:
        raise NotFoundError("there is no such prepared encounter; it may have been deleted")
    sitting.add(happened.EncounterDropped(encounter=command.id, to=GAME_MASTER), seat.id)


def encounter(sitting: LoadedCampaign, seat: Seat, name: str) -> dict[str, Any]:
    """A prepared encounter, for the game master only."""
    if seat.role != "gm":
        raise ForbiddenError(GAME_MASTERS)
    found = sitting.campaign.encounters.get(name)
    if found is None:
        raise NotFoundError("there is no such prepared encounter; it may have been deleted")
    return {"id": found.id, "title": found.title, "scenario": found.scenario}


# ---------------------------------------------------------------------- packs


@handles(given.AddPack, "gm")
def _add_pack(sitting: LoadedCampaign, seat: Seat, command: given.AddPack) -> None:
    _between_scenes(sitting)
    system = load_system(sitting.campaign.system)
    others = sitting.campaign.play.packs
    library = scenes.library_for(system, others)
    text = command.pack if isinstance(command.pack, str) else json.dumps(command.pack)
    pack = read_pack(text, dict(library.kinds), library)
    if pack.id not in {known.id for known in others}:
        library.with_pack(pack)
    sitting.add(
        happened.PackAdded(
            pack=pack.id,
            title=pack.title,
            version=pack.version,
            content=pack.to_json(),
            known=command.known,
            to=EVERYONE if command.known else GAME_MASTER,
        ),
        seat.id,
    )


@handles(given.RemovePack, "gm")
def _remove_pack(sitting: LoadedCampaign, seat: Seat, command: given.RemovePack) -> None:
    _between_scenes(sitting)
    known = {pack.id: pack for pack in sitting.campaign.play.packs}
    if command.pack not in known:
        raise NotFoundError(f'there is no pack "{command.pack:.40}"{did_you_mean(command.pack, known)}')
    to = EVERYONE if known[command.pack].known else GAME_MASTER
    sitting.add(happened.PackRemoved(pack=command.pack, to=to), seat.id)


def _between_scenes(sitting: LoadedCampaign) -> None:
    if sitting.has_scene:
        raise IllegalActionError("content changes between scenes; end the open one first")
