"""Fights of this version and of an earlier one in turn: processor time, and whether their records are the same.

`python bench/records.py CHECKOUT [FIGHTS [POLICY...] [SCENARIO...]]` prints a row for each scenario and policy, by
default for the even fight of each system; CHECKOUT is a compiled checkout of the earlier version, which may be 0.1.0.
Each version plays in a process of its own, fight by fight in turn; the first fights, which fill caches, are not
counted. Where only speed has changed every record must be the same: all faces, all answers and the outcome.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent.parent
SCENARIOS = ("mars:even", "renaissance:even", "opend6:even", "stage:even", "marchen:even")
FIGHTS, WARM = 60, 12


class Played(NamedTuple):
    """One fight: its processor seconds, its answers, and a hash of its record."""

    seconds: float
    answers: int
    record: str


class Player:
    """A process that plays fights of one scenario with one version."""

    def __init__(self, checkout: Path, scenario: str, policy: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, __file__, "--play", scenario, policy]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, number: int) -> Played:
        """Play the fight of a number."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None
        assert told is not None
        asked.write(f"{number}\n")
        asked.flush()
        return Played(*json.loads(told.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def lines(earlier: Path, fights: int, policies: Sequence[str], scenarios: Sequence[str]) -> Iterator[str]:
    """The table."""
    yield "| | before, fights a second | now, fights a second | times | same records |"
    yield "|---|---:|---:|---:|---:|"
    for scenario in scenarios:
        for policy in policies:
            yield row((earlier, HERE), scenario, policy, fights)


def row(checkouts: Sequence[Path], scenario: str, policy: str, fights: int, warm: int = WARM) -> str:
    """Fights a second of each version, how many times the first one's that is, and how many records are the same."""
    players = [Player(checkout, scenario, policy) for checkout in checkouts]
    spent, same = [0.0] * len(players), 0
    for number in range(warm + fights):
        turn = players if number % 2 else players[::-1]
        played = {player: player.play(number) for player in turn}
        same += len({one.record for one in played.values()}) == 1
        if number >= warm:
            spent = [total + played[one].seconds for total, one in zip(spent, players, strict=True)]
    for player in players:
        player.close()
    rates = [fights / seconds for seconds in spent]
    cells = [f"`{scenario}`" if policy == "careful" else f"`{scenario}`, {policy}", *[f"{rate:.1f}" for rate in rates]]
    if len(players) > 1:
        cells += [f"{rates[-1] / rates[0]:.2f}", f"{same} of {warm + fights}"]
    else:
        cells.append("")
    return f"| {' | '.join(cells)} |"


def play_for(scenario: str, policy: str) -> None:
    """Play the fights whose numbers come in, with whichever version is on the path."""
    try:
        from tablewright.game.scenario.loader import load_scenario  # noqa: PLC0415
        from tablewright.lab.fights.job import job_of  # noqa: PLC0415
        from tablewright.lab.fights.trial import rarely_collecting  # noqa: PLC0415
    except ImportError:  # 0.1.0
        scenarios: Any = __import__("tablewright.game.scenario.reading", fromlist=["load_scenario"])
        jobs: Any = __import__("tablewright.lab.jobs", fromlist=["job_of"])
        rings: Any = __import__("tablewright.lab.fights", fromlist=["rarely_collecting"])
        load_scenario, job_of, rarely_collecting = scenarios.load_scenario, jobs.job_of, rings.rarely_collecting
    loaded = load_scenario(scenario)
    ring = job_of(loaded, policies={entrant.id: policy for entrant in loaded.entrants}).ring()
    with rarely_collecting():
        for number in sys.stdin:
            began = time.process_time()
            trial = ring.play(int(number))
            result = ring.kept(int(number), trial)
            seconds = time.process_time() - began
            text = repr((trial.entries[1:], result.outcome, result.rounds))
            print(json.dumps([seconds, result.asks, blake2b(text.encode(), digest_size=8).hexdigest()]), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        play_for(*sys.argv[2:4])
    else:
        more = sys.argv[2:]
        fights = int(more[0]) if more else FIGHTS
        policies = [name for name in more[1:] if ":" not in name] or ["careful"]
        scenarios = [name for name in more[1:] if ":" in name] or SCENARIOS
        for line in lines(Path(sys.argv[1]).resolve(), fights, policies, scenarios):
            print(line, flush=True)
