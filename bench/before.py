"""This version beside an earlier one: the same commands, run in turn by one interpreter, in processor time.

`python bench/before.py CHECKOUT` prints the tables; CHECKOUT is a compiled checkout of the earlier version. It takes
several minutes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent.parent
SYSTEMS = ("mars", "renaissance", "opend6", "stage", "marchen")
RUNS, TIMES = 60, 3
SEARCHES = ("mars:fighter mars:goblin --target 65%", "marchen:together --target 60%", "stage:together --target 60%")


class Answer(NamedTuple):
    """What a command said, and the processor seconds that it and its workers took."""

    told: dict[str, Any]
    seconds: float


def ask(checkout: Path, *words: str) -> Answer:
    """Run one command of one version."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, "-m", "tablewright.cli", *words, "--json", "--workers", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Answer(json.loads(done.stdout), spent)


def lines(earlier: Path) -> Iterator[str]:
    """The tables."""
    both = (earlier, HERE)
    yield f"{RUNS} fights of one seed, `careful` on both sides, one worker, starting included, in processor seconds:"
    yield f"the least of {TIMES} runs in turn. Figures differ where a system has got other rules or ratings since."
    yield ""
    yield "| | before, s | now, s | times | same figures |"
    yield "|---|---:|---:|---:|---|"
    for system in SYSTEMS:
        words = ("simulate", f"{system}:even", "--runs", str(RUNS), "--sampled")
        runs = [[ask(checkout, *words) for checkout in both] for _ in range(TIMES)]
        old, new = [min(answers, key=lambda answer: answer.seconds) for answers in zip(*runs, strict=True)]
        same = "yes" if old.told["digest"] == new.told["digest"] else "no"
        yield f"| `{system}:even` | {old.seconds:.2f} | {new.seconds:.2f} | {old.seconds / new.seconds:.2f} | {same} |"
    yield ""
    yield "| to ±5 points | before, fights | now, fights | before, s | now, s | times |"
    yield "|---|---:|---:|---:|---:|---:|"
    for system in SYSTEMS:
        words = ("simulate", f"{system}:even", "--until", "5%", "--sampled")
        yield _searched(f"`{system}:even`", [ask(checkout, *words) for checkout in both])
    yield ""
    yield "| `balance` | before, fights | now, fights | before, s | now, s | times |"
    yield "|---|---:|---:|---:|---:|---:|"
    for search in SEARCHES:
        answers = [ask(checkout, "balance", *search.split()) for checkout in both]
        nearest = " and ".join(dict.fromkeys([str(answer.told["best"]) for answer in answers]))
        yield _searched(f"`{search}`: nearest {nearest}", answers)


def _fights(told: dict[str, Any]) -> int:
    return sum([one["fights"] for one in told["tried"].values()]) if "tried" in told else int(told["fights"])


def _searched(name: str, answers: Sequence[Answer]) -> str:
    fights = [_fights(answer.told) for answer in answers]
    old, new = answers
    cells = [name, *[f"{number:,}" for number in fights], f"{old.seconds:.1f}", f"{new.seconds:.1f}"]
    return f"| {' | '.join([*cells, f'{old.seconds / new.seconds:.1f}'])} |"


if __name__ == "__main__":
    for line in lines(Path(sys.argv[1]).resolve()):
        print(line, flush=True)
