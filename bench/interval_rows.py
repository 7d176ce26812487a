"""Intervals that cover: mirrored dice and the correction for luck beside plain counting, in four systems.

`python bench/interval_rows.py` prints the table. Fights of each system are played once, in mirrored pairs. Their share
of wins is then the known chance, and thousands of samples drawn from them give intervals that contain it or not. Luck
is zero on average over all fights there are, so it is counted from its mean over the fights that were played.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.intervals import share
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.luck import LuckTotals
from tablewright.lab.fights.totals import NOBODY

SYSTEMS = ("mars", "renaissance", "stage", "marchen")
PAIRS, SAMPLE, INTERVALS = 200, 100, 2_000


def lines(*, quick: bool = False) -> Iterator[str]:
    """The table."""
    yield "| | a fight is worth | corrected intervals that cover | plain intervals that cover |"
    yield "|---|---:|---:|---:|"
    for system in SYSTEMS[-1:] if quick else SYSTEMS:
        yield _row(f"{system}:even", 20 if quick else PAIRS, 20 if quick else INTERVALS)


def _row(scenario: str, pairs: int, intervals: int) -> str:
    job = job_of(load_scenario(scenario)).as_mirrored()
    ring, side = job.ring(), job.sides[0]
    fights = [ring.fight(number) for number in range(2 * pairs)]
    total = {side: sum([fight.luck.get(side, 0) for fight in fights]) for side in job.sides}
    luck = [{side: len(fights) * fight.luck.get(side, 0) - total[side] for side in job.sides} for fight in fights]
    together = sum([fight.winner == side for fight in fights]) / len(fights)
    alone = sum([fight.winner == side for fight in fights[::2]]) / pairs
    dice, corrected, plain, worth = Random(1), 0, 0, 0.0
    for _ in range(intervals):
        totals = LuckTotals(job.sides, (*job.sides, NOBODY))
        won = 0
        for number, pair in enumerate(dice.choices(range(pairs), k=SAMPLE)):
            for at in (0, 1):
                fight = fights[2 * pair + at]
                totals.add(2 * number + at, fight.winner, luck[2 * pair + at])
                won += fight.winner == side
        counted = share(won, 2 * SAMPLE)
        found = totals.share_won(side, 2 * SAMPLE) or counted
        corrected += found.low <= together <= found.high
        worth += (counted.half / found.half) ** 2
        drawn = sum([fights[2 * pair].winner == side for pair in dice.choices(range(pairs), k=SAMPLE)])
        usual = share(drawn, SAMPLE)
        plain += usual.low <= alone <= usual.high
    return (
        f"| `{scenario}` | {worth / intervals:.2f} | {100 * corrected / intervals:.1f}% "
        f"| {100 * plain / intervals:.1f}% |"
    )


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
