"""Demo campaigns, one per system with its demo party, for first-time users."""

from __future__ import annotations

from typing import NamedTuple

from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.system.registry import load_all
from tablewright.game.values import thaw
from tablewright.table import CreatedCampaign, Invitation, NotFoundError, Store, Table, TokenRequest

SCENARIO = "even"
BOTS = "careful"
"""Policy of the sides that no one plays in a demo fight."""


class Demo(NamedTuple):
    """A demo campaign, and the link of its game master."""

    table: Table
    title: str
    invitation: Invitation


def make_demos(store: Store) -> list[Demo]:
    """Create the demo campaigns in an empty database; do nothing in any other."""
    if store.campaigns():
        return []
    playable = [system for system in load_all().systems if system.rulebook_module is not None]
    return [_made(store, load_scenario(f"{system.id}:{SCENARIO}"), system.title) for system in playable]


def _made(store: Store, scenario: Scenario, title: str) -> Demo:
    """Create a campaign with the party of the even fight in a quiet scene, ready for a check or the fight."""
    name = f"{scenario.title} ({title})"[:60]
    table, invitation = store.make_campaign(name, scenario.system)
    assert invitation.seat is not None
    gm = invitation.seat
    party = scenario.on(scenario.sides[0])
    for entrant in party:
        table.act(gm, {"do": "character.add", "character": thaw(entrant.character), "id": entrant.id})
    table.act(gm, {"do": "scene.begin", "form": "time", "who": [entrant.id for entrant in party]})
    return Demo(table, name, invitation)


def start_demo_fight(store: Store, system: str, name: str, asked: TokenRequest) -> CreatedCampaign:
    """Create a campaign with a fight under way: the caller plays the first side, the server the others.

    A retry under the same key returns the same campaign and begins nothing twice.
    """
    if name not in scenario_names(system):
        raise NotFoundError(f'there is no scenario "{name:.60}"')
    scenario = load_scenario(f"{system}:{name}")
    made = store.make_campaign(scenario.title[:60], system, asked=asked)
    seat = made.invitation.seat
    assert seat is not None
    for entrant in scenario.on(scenario.sides[0]):
        adding = {"do": "character.add", "character": thaw(entrant.character), "id": entrant.id}
        made.table.act(seat, adding, key=f"demo-{entrant.id}")
    bots = dict.fromkeys(scenario.sides[1:], BOTS)
    begin = {"do": "scene.begin", "scenario": name, "title": scenario.title[:60], "bots": bots}
    made.table.act(seat, begin, key="demo-fight", finish=False)
    return made
