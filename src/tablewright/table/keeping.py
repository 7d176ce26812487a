"""Encounters that the game master has prepared: kept with the campaign, and known to nobody else."""

from __future__ import annotations

from typing import Any

from tablewright.errors import RulesSayNo
from tablewright.game.events import GAME_MASTER
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import MOST_ENCOUNTERS, Seat
from tablewright.table.doing import performs
from tablewright.table.refusals import Forbidden, NotFound
from tablewright.table.seats import seat_id
from tablewright.table.sitting import Sitting


@performs(given.KeepEncounter, "gm")
def _keep(sitting: Sitting, seat: Seat, command: given.KeepEncounter) -> None:
    known = sitting.campaign.encounters
    if command.id is not None and command.id not in known:
        raise NotFound("there is no such encounter")
    if command.id is None and len(known) >= MOST_ENCOUNTERS:
        raise RulesSayNo(f"a campaign keeps at most {MOST_ENCOUNTERS} encounters")
    scenes.check_scenario(sitting.campaign, command.scenario)
    name = command.id or seat_id(command.title, known)
    kept = happened.EncounterKept(encounter=name, title=command.title, scenario=command.scenario, to=GAME_MASTER)
    sitting.add(kept, seat.id)


@performs(given.DropEncounter, "gm")
def _drop(sitting: Sitting, seat: Seat, command: given.DropEncounter) -> None:
    if command.id not in sitting.campaign.encounters:
        raise NotFound("there is no such encounter")
    sitting.add(happened.EncounterDropped(encounter=command.id, to=GAME_MASTER), seat.id)


def encounter(sitting: Sitting, seat: Seat, name: str) -> dict[str, Any]:
    """A prepared encounter as it was kept, for the game master."""
    if seat.role != "gm":
        raise Forbidden("this is for the game master")
    found = sitting.campaign.encounters.get(name)
    if found is None:
        raise NotFound("there is no such encounter")
    return {"id": found.id, "title": found.title, "scenario": found.scenario}
