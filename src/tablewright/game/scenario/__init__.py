"""Scenarios: who meets whom, where, and what ends it. Named `SYSTEM:NAME` where they come with a system, or own files.

    title: The toll bridge
    system: coinfolk
    options: {tie: defender}
    ground: {kind: grid, size: [12, 8], blocked: ["5,0..5,2"]}
    participants:
      - {character: anna.yaml, side: party, seat: anna, position: "1,2"}
      - {character: bandit, side: bandits, count: 2, position: ["9,2", "9,4"], policy: careful}
    surprise: [party]

A character is the id of a template or creature of the system's content, a file beside the scenario, or a mapping; what
it means is the system's to say, later. `like: even` begins with another scenario of the same folder and replaces
whatever is given. Everything that is wrong is reported at once, each with file, line and column.
"""

from __future__ import annotations

from tablewright.game.scenario.reading import find_scenario, load_scenario, read_scenario, scenario_names
from tablewright.game.scenario.schema import POLICIES, ScenarioFile
from tablewright.game.scenario.values import Ending, Entrant, Scenario

__all__ = [
    "POLICIES",
    "Ending",
    "Entrant",
    "Scenario",
    "ScenarioFile",
    "find_scenario",
    "load_scenario",
    "read_scenario",
    "scenario_names",
]
