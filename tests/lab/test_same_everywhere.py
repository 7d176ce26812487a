"""A fight depends on its seed and number alone: not on the process, nor on what was fought before it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from patience import LIMIT

PROGRAM = """
import json, sys
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of
system, numbers = sys.argv[1], json.loads(sys.argv[2])
ring = job_of(load_scenario(f"{system}:together"), runs=10).ring()
found = {number: ring.count(range(number, number + 1)).to_json() for number in numbers}
print(json.dumps(found, sort_keys=True))
"""


def fought(system: str, numbers: str, hashes: str) -> str:
    """Some fights in a process of their own, whose sets and mappings are ordered by other hashes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, system, numbers],
        env=os.environ | {"PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_fights_are_the_same_in_another_process_and_in_another_order(system: str) -> None:
    assert fought(system, "[0, 1]", "1") == fought(system, "[1, 0]", "99")
