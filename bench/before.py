"""An earlier version beside this one: the same fights, searches and commands, in turn, by one interpreter.

`python bench/before.py CHECKOUT` prints the tables; CHECKOUT is a compiled checkout of the earlier version, which may
be 0.1.0. With `--quick` it plays few fights, to try the program itself. Fights a second are in processor time; what a
person waits for is in seconds of the clock with two workers, so the machine should do nothing else.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import records

HERE = Path(__file__).parent.parent
SYSTEMS = ("mars", "renaissance", "opend6", "stage", "marchen")
FIGHTS = 80
PATIENCE = 120.0
"""Seconds after which a search is given up."""

SEARCHES = (
    "mars:fighter mars:goblin --target 65%",
    "renaissance:soldier renaissance:wolf --target 60%",
    "opend6:soldier opend6:ruffian --target 60%",
    "stage:veteran stage:bandit --target 60%",
    "marchen:soldier marchen:wolf --target 60%",
)

Versions = Mapping[str, Path]
"""Checkouts by the name of their version, the earlier one first."""


class Waited(NamedTuple):
    """Fights of a command and the seconds until its answer; None where it was given up."""

    fights: int | None
    seconds: float


def versions(earlier: Path | None) -> Versions:
    """This version, after the earlier one if there is one."""
    return {"now": HERE} if earlier is None else {_version(earlier): earlier, "now": HERE}


def _version(checkout: Path) -> str:
    found = re.search(r'^version = "(.+)"$', (checkout / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else checkout.name


def wait_for(checkout: Path, *words: str) -> Waited:
    """Run one command with two workers."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, "-m", "tablewright.cli", *words, "--json", "--workers", "2"]
    began = time.perf_counter()
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        told, _ = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)  # with its workers
        running.communicate()
        return Waited(None, PATIENCE)
    return Waited(_fights(json.loads(told)), time.perf_counter() - began)


def _fights(told: dict[str, Any]) -> int:
    return sum([one["fights"] for one in told["tried"].values()]) if "tried" in told else int(told["fights"])


def fights_a_second(of: Versions, *, quick: bool = False) -> Iterator[str]:
    """Whole fights of each system."""
    yield f"| `careful` on both sides | {' | '.join(of)} | times |{' same records |' if len(of) > 1 else ''}"
    yield f"|---|{'---:|' * (len(of) + 1 + (len(of) > 1))}"
    for system in SYSTEMS[-1:] if quick else SYSTEMS:
        fights, warm = (1, 1) if quick else (FIGHTS, records.WARM)
        yield records.row(tuple(of.values()), f"{system}:even", "careful", fights, warm)


def seconds_of_best(of: Versions, *, quick: bool = False) -> Iterator[str]:
    """One fight that the policy best plays on both sides, from a start without caches."""
    yield f"| one fight of `best`, s | {' | '.join(of)} | times |"
    yield f"|---|{'---:|' * (len(of) + 1)}"
    for system in SYSTEMS[-1:] if quick else SYSTEMS:
        taken = []
        for checkout in of.values():
            player = records.Player(checkout, f"{system}:even", "best")
            taken.append(player.play(1).seconds)
            player.close()
        yield _row(f"`{system}:even`", [f"{seconds:.1f}" for seconds in taken], taken)


def seconds_to_know(of: Versions, *, quick: bool = False) -> Iterator[str]:
    """Fights and seconds until the win chances are known to ±5 points, and until `balance` has found a number."""
    names = [f"{version}, {what}" for what in ("fights", "s") for version in of]
    yield f"| | {' | '.join(names)} | times |"
    yield f"|---|{'---:|' * (len(names) + 1)}"
    width = "20%" if quick else "5%"
    asked = [f"simulate {system}:even --until {width} --sampled" for system in SYSTEMS]
    asked += [f"balance {search}" for search in SEARCHES]
    for words in asked[4::5] if quick else asked:
        found = [wait_for(checkout, *words.split()) for checkout in of.values()]
        cells = ["" if one.fights is None else f"{one.fights:,}" for one in found]
        cells += [f"{'over ' if one.fights is None else ''}{one.seconds:.1f}" for one in found]
        yield _row(f"`{words.removesuffix(' --sampled')}`", cells, [one.seconds for one in found])


def _row(name: str, cells: Sequence[str], seconds: Sequence[float]) -> str:
    times = f"{seconds[0] / seconds[-1]:.1f}" if len(seconds) > 1 else ""
    return f"| {' | '.join([name, *cells, times])} |"


if __name__ == "__main__":
    given = versions(Path(sys.argv[1]).resolve())
    for table in (fights_a_second, seconds_of_best, seconds_to_know):
        for line in table(given, quick="--quick" in sys.argv):
            print(line, flush=True)
