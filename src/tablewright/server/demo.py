"""One campaign for each system, made of its demo party, so that there is something to click on the first day."""

from __future__ import annotations

from typing import NamedTuple

from tablewright.game.frozen import thaw
from tablewright.game.registry import load_all
from tablewright.game.scenario import Scenario, load_scenario
from tablewright.table import Invitation, Store, Table

SCENARIO = "even"


class Demo(NamedTuple):
    """A campaign that was made, and the link of its game master."""

    table: Table
    title: str
    invitation: Invitation


def make_demos(store: Store) -> list[Demo]:
    """Make the demo campaigns in an empty database; in another nothing is made."""
    if store.campaigns():
        return []
    playable = [system for system in load_all().systems if system.rulebook is not None]
    return [_made(store, load_scenario(f"{system.id}:{SCENARIO}"), system.title) for system in playable]


def _made(store: Store, scenario: Scenario, title: str) -> Demo:
    """The party of the even fight, at rest: whoever opens it can roll a check or begin the fight."""
    name = f"{scenario.title} ({title})"[:60]
    table, invitation = store.make_campaign(name, scenario.system)
    assert invitation.seat is not None
    gm = invitation.seat
    party = scenario.on(scenario.sides[0])
    for entrant in party:
        table.act(gm, {"do": "character.add", "character": thaw(entrant.character), "id": entrant.id})
    table.act(gm, {"do": "scene.begin", "form": "time", "who": [entrant.id for entrant in party]})
    return Demo(table, name, invitation)
