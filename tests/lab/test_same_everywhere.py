"""A fight depends on its seed and number alone: not on the process, nor on earlier fights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from conformance.places import at_length
from patience import LIMIT
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
ROUNDS = None if at_length() else 3
PROGRAM = "import json; from lab.test_same_everywhere import fought; print(json.dumps(fought(-1, (1, 0))))"


def fought(step: int, numbers: Sequence[int]) -> dict[str, Any]:
    """The last of some fights of each system; the systems come from the first on or from the last on."""
    found: dict[str, Any] = {}
    for system in SYSTEMS[::step]:
        ring = job_of(load_scenario(f"{system}:together"), runs=10, rounds=ROUNDS).ring()
        found[system] = [ring.count(range(number, number + 1)).to_json() for number in numbers][-1]
    return found


def test_fights_are_the_same_in_another_process_and_after_another_fight() -> None:
    """The sets and mappings of the other process are ordered by other hashes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONHASHSEED": "99", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    here, elsewhere = json.loads(json.dumps(fought(1, (0,)))), json.loads(done.stdout)
    for system in SYSTEMS:
        assert here[system] == elsewhere[system], system
