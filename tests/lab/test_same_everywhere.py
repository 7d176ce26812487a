"""A fight depends on its seed and number alone: not on the process, nor on earlier fights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from patience import LIMIT

SYSTEMS = ["marchen", "mars", "opend6", "renaissance", "stage"]
PROGRAM = """
import json, sys
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of
found = {}
for system in json.loads(sys.argv[1]):
    ring = job_of(load_scenario(f"{system}:together"), runs=10).ring()
    found[system] = {number: ring.count(range(number, number + 1)).to_json() for number in json.loads(sys.argv[2])}
print(json.dumps(found, sort_keys=True))
"""


def fought(systems: list[str], numbers: list[int], hashes: str) -> dict[str, Any]:
    """Some fights in a process of their own, whose sets and mappings are ordered by other hashes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(systems), json.dumps(numbers)],
        env=os.environ | {"PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_fights_are_the_same_in_another_process_and_in_another_order() -> None:
    one, two = fought(SYSTEMS, [0, 1], "1"), fought(SYSTEMS[::-1], [1, 0], "99")
    assert list(one) == sorted(SYSTEMS)
    for system in SYSTEMS:
        assert one[system] == two[system], system
