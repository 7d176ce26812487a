"""The lab: whole fights, what bare duels in plain Python take, and how the cost grows.

`python bench/lab_rows.py` measures these rows alone and writes nothing. Seconds are those of the processor on one core,
so that other work on the machine does not count.
"""

from __future__ import annotations

import contextlib
import json
import random
import resource
import time
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

import numpy as np

from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.job import Job, counts_of, job_of
from tablewright.lab.fights.totals import FightTotals
from tablewright.lab.fights.trial import Arena

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
SCENARIOS = ("even", "together")
AT_ONCE = 20_000
ENOUGH_SECONDS = 6.0
WARM = 2


class Rate(NamedTuple):
    """What one second of the processor is worth."""

    fights: float
    asks: float
    rounds: float
    asks_of_a_fight: float


def rate_of(ring: Arena, seconds: float | None = None) -> Rate:
    """Fight until enough time has gone by; the first fights fill the caches and do not count."""
    ring.count(range(WARM))
    began, number, counts = time.process_time(), WARM, FightTotals()
    while time.process_time() - began < (ENOUGH_SECONDS if seconds is None else seconds):
        counts.merge(ring.count(range(number, number + 1)))
        number += 1
    spent = time.process_time() - began
    return Rate(
        counts.fights / spent, counts.asks / spent, counts.rounds.total / spent, counts.asks / max(1, counts.fights)
    )


def bare_duel(seconds: float = 1.0) -> float:
    """Two with ten health strike each other with a die until one falls, in plain Python: duels in a second."""
    roll = random.Random(1).randrange
    began, duels = time.process_time(), 0
    while time.process_time() - began < seconds:
        for _ in range(100):
            health = [10, 10]
            striker = 0
            while True:
                if roll(20) >= 10:
                    health[1 - striker] -= 1 + roll(6)
                    if health[1 - striker] <= 0:
                        break
                striker = 1 - striker
            duels += 1
    return duels / (time.process_time() - began)


def asked_duel(seconds: float = 1.0) -> float:
    """The same duel with dice that are asked for and everything that happens written down: duels in a second."""
    roll = random.Random(1).randrange

    def duel(log: list[tuple[str, int, int]]) -> Generator[int, int, int]:
        health, striker = [10, 10], 0
        while True:
            if (yield 20) >= 10:
                harm = 1 + (yield 6)
                health[1 - striker] -= harm
                log.append(("hit", striker, harm))
                if health[1 - striker] <= 0:
                    return striker
            else:
                log.append(("miss", striker, 0))
            striker = 1 - striker

    began, duels = time.process_time(), 0
    while time.process_time() - began < seconds:
        for _ in range(100):
            asks = duel([])
            sides = next(asks)
            with contextlib.suppress(StopIteration):
                while True:
                    sides = asks.send(roll(sides))
            duels += 1
    return duels / (time.process_time() - began)


def array_duel(seconds: float = 1.0) -> float:
    """The same duel in NumPy, many at a time: duels in a second."""
    draw = np.random.default_rng(1).integers
    began, duels = time.process_time(), 0
    while time.process_time() - began < seconds:
        health, striker = np.full((AT_ONCE, 2), 10), 0
        while len(health):
            hits = draw(0, 20, len(health)) >= 10
            health[:, 1 - striker] -= hits * draw(1, 7, len(health))
            health = health[health[:, 1 - striker] > 0]
            striker = 1 - striker
        duels += AT_ONCE
    return duels / (time.process_time() - began)


def played_lines() -> Iterator[str]:
    """Every system's even fight, and the same people within reach of each other."""
    floor = bare_duel()
    yield "| fight | fights/s | asks/s | asks a fight | fights of a bare duel's rate |"
    yield "|---|---|---|---|---|"
    for system in SYSTEMS:
        for name in SCENARIOS:
            if name not in scenario_names(system):
                continue
            job = job_of(load_scenario(f"{system}:{name}"))
            found = rate_of(job.ring())
            yield (
                f"| {system}:{name} | {found.fights:,.1f} | {found.asks:,.0f} | {found.asks_of_a_fight:,.0f} "
                f"| 1 in {floor / found.fights:,.0f} |"
            )
    yield (
        f"\nA bare duel in plain Python, integers only: {floor:,.0f} in a second; with asked-for dice and a "
        f"log: {asked_duel():,.0f}; in NumPy, {AT_ONCE:,} at a time: {array_duel():,.0f}."
    )


def growth_lines(word: str = "mars:together") -> Iterator[str]:
    """How the cost of a fight grows with the combatants, with the limit of rounds and with the runs."""
    job = job_of(load_scenario(word))
    last = job.scenario["participants"][-1]["id"]
    first = job.scenario["participants"][0]["id"]
    yield f"| {word} | fights/s | asks/s | asks a fight |"
    yield "|---|---|---|---|"
    cases: list[tuple[str, Callable[[], Job]]] = [
        ("as it is", lambda: job),
        ("two more", lambda: changed(job, f"add:{first}, add:{last}")),
        ("eight more", lambda: changed(job, ", ".join([f"add:{first}, add:{last}"] * 4))),
        ("one round", lambda: changed(job, "rounds=1")),
        ("two rounds", lambda: changed(job, "rounds=2")),
    ]
    for label, make in cases:
        found = rate_of(make().ring())
        yield f"| {label} | {found.fights:,.1f} | {found.asks:,.0f} | {found.asks_of_a_fight:,.0f} |"
    yield ""
    yield f"| {word}, from nothing | seconds | seconds a fight |"
    yield "|---|---:|---:|"
    ring, began, done = job.ring(), time.process_time(), 0
    for runs in (5, 20, 80):
        ring.count(range(done, runs))
        done, spent = runs, time.process_time() - began
        yield f"| {runs} runs | {spent:.2f} | {spent / runs:.4f} |"


def memory_lines(word: str = "mars:together", few: int = 20, many: int = 100) -> Iterator[str]:
    """What is kept, and the most memory that was used, after few and after many fights."""
    ring = job_of(load_scenario(word)).ring()
    counts = FightTotals()
    for runs in (few, many):
        for number in range(counts.fights, runs):
            counts.merge(counts_of(json.dumps(ring.count(range(number, number + 1)).to_json())))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield f"{word}: {runs} fights, {len(json.dumps(counts.to_json())):,} characters kept, {most:,.0f} MB at most"


def lines() -> list[str]:
    """All of it."""
    return [*played_lines(), "", *growth_lines(), "", *memory_lines()]


if __name__ == "__main__":
    print("\n".join(lines()))
