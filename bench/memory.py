"""Memory of long runs: the most that one process takes, after each tenth of its fights.

`python bench/memory.py mars:together --seconds 600` plays for so long, or until so many runs are done. Nothing is
written: a row of `SOAK.md` is made of it by hand. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests" / "sixth"))

from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.simulation import Progress, simulate


def most_megabytes() -> float:
    """The most memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(word: str, runs: int, seconds: float) -> None:
    job = job_of(load_scenario(word), runs=runs, seed=1)
    began, told = time.process_time(), 0.0
    print(f"{word}: {most_megabytes():,.0f} MB before the first fight", flush=True)

    def tell(progress: Progress) -> None:
        nonlocal told
        spent = time.process_time() - began
        done = max(progress.counts.fights / runs, spent / seconds)
        if done >= told:
            told += 0.1
            print(
                f"{progress.counts.fights:>9,} fights, {spent:6.0f} s, {most_megabytes():,.1f} MB at most", flush=True
            )
        if spent >= seconds:
            raise KeyboardInterrupt

    result = simulate(job, progress=tell)
    spent = time.process_time() - began
    rate = result.counts.fights / spent
    print(f"{result.counts.fights:,} fights, {spent:.0f} s, {rate:,.1f} a second, {most_megabytes():,.0f} MB at most")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600.0)
    given = parser.parse_args()
    main(given.scenario, given.runs, given.seconds)
