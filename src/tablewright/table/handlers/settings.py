"""Handlers for the settings of a table and for rule options."""

from __future__ import annotations

import json
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.processes import find_process
from tablewright.game.session.record import StartEntry
from tablewright.game.system.registry import load_system
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    Campaign,
    Seat,
)
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign

SETTINGS: dict[str, str] = {
    "players_start": "the processes that players may start for their own characters, by name",
    "players_add": "whether players may add characters of their own",
    "players_legal": "whether characters that players add have to be within the rules",
    "odds": "whether players are shown odds",
    "harm": "whether harm to others is applied at once, or by the game master when it was proposed",
}
"""Settings of a table with their descriptions."""


DEFAULTS: dict[str, Any] = {
    "players_start": ["table.check"],
    "players_add": True,
    "players_legal": True,
    "odds": True,
    "harm": "at once",
}


HARM = ("at once", GAME_MASTER)


@handles(given.SetOption, "gm")
def _set_option(sitting: LoadedCampaign, seat: Seat, command: given.SetOption) -> None:
    arguments = {"name": command.name, "value": _typed(command.value), "reason": command.reason}
    if sitting.has_scene:
        sitting.enter(StartEntry("table.set_option", arguments), seat.id)
        sitting.go_on()
        return
    campaign = sitting.campaign
    system = load_system(campaign.system)
    if campaign.play.characters:
        session = scenes.together(campaign)
        session.do("table.set_option", **arguments)
        options = session.scene.options
        changed = {
            participant.id: participant.character.to_json()
            for participant in session.scene.participants
            if participant.character != session.header.scene[participant.id].character
        }
    else:
        before = system.options.from_mapping(campaign.play.options)
        options = before.put(command.name, before.field(command.name).read(_typed(command.value)))
        changed = {}
    value = options.to_mapping()[command.name]
    sitting.add(
        happened.OptionSet(
            name=command.name,
            value=value,
            reason=command.reason,
            options=options.to_mapping(),
            characters=changed,
        ),
        seat.id,
    )


def _typed(value: str | int | bool | None) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@handles(given.SetSetting, "gm")
def _set_setting(sitting: LoadedCampaign, seat: Seat, command: given.SetSetting) -> None:
    if command.name not in SETTINGS:
        known = ", ".join(SETTINGS)
        raise InvalidInputError(f'there is no setting "{command.name:.40}"; there are: {known}', field="name")
    usual = DEFAULTS[command.name]
    if type(command.value) is not type(usual):
        raise InvalidInputError(
            f"{command.name} takes a {type(usual).__name__}, such as {json.dumps(usual)}", field="value"
        )
    if command.name == "harm" and command.value not in HARM:
        raise InvalidInputError(f"harm is applied {' or by the '.join(HARM)}", field="value")
    if isinstance(command.value, list):
        book = load_system(sitting.campaign.system).rulebook
        for process in command.value:
            find_process(book, str(process))
    sitting.add(happened.SettingSet(name=command.name, value=command.value), seat.id)


def setting(campaign: Campaign, name: str) -> Any:
    """Value of a setting, or its default."""
    return campaign.settings.get(name, DEFAULTS[name])
