"""A player that learns a fight from nothing but its outcomes: a linear policy, trained by playing against itself.

    python examples/learner.py "mars:fighter vs mars:goblin*2" marchen:together

For each fight it trains five policies from different seeds, each by REINFORCE on the features of the options, and
measures them against `random` and `careful` with the sides exchanged. It prints the win rates with their intervals,
draws the curves as an SVG picture, and keeps the weights of the first seed, which `examples/learned.py` plays. A fight
takes minutes on two cores. Needs the extra `rl`.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import tablewright as tw
from tablewright.agents import FEATURES, LinearPolicy, VectorRunner
from tablewright.lab.fights.intervals import share

ENVIRONMENTS = 16
RATE = 0.15
HERE = Path(__file__).parent


def measure(scenario: str, policy: LinearPolicy, other: str, runs: int, seed: int) -> tuple[int, int]:
    """Fights won by a policy against another one, half of them on each side, and the number of fights."""
    who = scenario.split(" vs ")
    sides = list(dict.fromkeys([one["side"] for one in tw.Fight(*who, seed=1, dice="ask").people]))
    won = 0
    for side in sides:
        bots: dict[str, Any] = dict.fromkeys(sides, other) | {side: policy}
        found = tw.simulate(*who, runs=runs // len(sides), seed=seed, bots=bots, rounds=40)
        won += found.result.counts.won.get(side, 0)
    return won, runs // len(sides) * len(sides)


def train(scenario: str, seed: int, fights: int, points: int, runs: int) -> dict[str, Any]:
    """Train one policy against itself; measure it at some points on the way."""
    dice = np.random.default_rng(seed)
    weights = np.zeros(len(FEATURES))
    moment, square, updates = np.zeros_like(weights), np.zeros_like(weights), 0
    done, marks = 0, [round(fights * point / points) for point in range(points + 1)]
    curve, steps, began = [], 0, time.process_time()
    with VectorRunner(
        *scenario.split(" vs "),
        environments=ENVIRONMENTS,
        workers=1,
        seed=1_000_000 * (seed + 1),
        odds=False,
        rounds=40,
    ) as runner:
        batch = runner.reset()
        kept: list[list[tuple[int, Any]]] = [[] for _ in range(ENVIRONMENTS)]
        gradient, counted = np.zeros_like(weights), 0
        while True:
            while marks and done >= marks[0]:
                policy = named(weights)
                at = {other: measure(scenario, policy, other, runs, 77 + seed) for other in ("random", "careful")}
                curve.append({"fights": marks.pop(0), **at})
            if not marks:
                break
            scores = np.where(batch.masks, batch.observations @ weights, -np.inf)
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            actions = (chances.cumsum(axis=1) < dice.random((ENVIRONMENTS, 1))).sum(axis=1)
            actions = np.minimum(actions, batch.masks.sum(axis=1) - 1)
            for place in range(ENVIRONMENTS):
                rows, mask = batch.observations[place], batch.masks[place]
                if mask.sum() > 1:
                    kept[place].append((int(batch.agents[place]), rows[actions[place]] - chances[place] @ rows))
            batch = runner.step(actions)
            steps += ENVIRONMENTS
            for place in np.flatnonzero(batch.ended).tolist():
                for agent, direction in kept[place]:
                    gradient += batch.rewards[place][agent] * direction / len(kept[place])
                kept[place] = []
                done, counted = done + 1, counted + 1
            if counted >= ENVIRONMENTS:  # one step of Adam for each batch of fights
                updates += 1
                gradient /= counted
                moment = 0.9 * moment + 0.1 * gradient
                square = 0.99 * square + 0.01 * gradient**2
                step = (moment / (1 - 0.9**updates)) / (np.sqrt(square / (1 - 0.99**updates)) + 1e-8)
                weights = weights + RATE * step
                gradient, counted = np.zeros_like(weights), 0
    seconds = time.process_time() - began
    return {"seed": seed, "curve": curve, "weights": weights.tolist(), "steps": steps, "seconds": round(seconds, 1)}


def named(weights: Any) -> LinearPolicy:
    """Policy of a vector of weights."""
    return LinearPolicy(dict(zip(FEATURES, map(float, weights), strict=True)), odds=False, name="learned")


# ---------------------------------------------------------------------- telling


def percents(won: int, of: int) -> str:
    """A win rate with its interval."""
    value, low, high = share(won, of)
    return f"{100 * value:.1f}% ({100 * low:.1f}% to {100 * high:.1f}%)"


def drawn(found: dict[str, list[dict[str, Any]]]) -> str:
    """Learning curves as SVG: a panel for each fight, a thin line for each seed and a thick one for their mean."""
    width, height, left, top = 380, 260, 56, 40
    colours = {"random": "#0072b2", "careful": "#d55e00"}
    parts = []
    for number, (scenario, runs) in enumerate(found.items()):
        x0 = number * width + left
        most = runs[0]["curve"][-1]["fights"] or 1

        def at(fights: float, rate: float, x0: float = x0, most: float = most) -> str:
            return f"{x0 + fights / most * (width - left - 20):.1f},{top + (1 - rate) * (height - top - 60):.1f}"

        parts.append(f'<text x="{x0}" y="{top - 16}" font-weight="600">{scenario}</text>')
        for rate in (0, 0.25, 0.5, 0.75, 1):
            start, end = at(0, rate), at(most, rate)
            parts.append(f'<polyline points="{start} {end}" stroke="#8884" fill="none"/>')
            x, y = start.split(",")
            parts.append(f'<text x="{float(x) - 6}" y="{float(y) + 4}" text-anchor="end">{100 * rate:.0f}%</text>')
        x, y = at(most, 0).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 20}" text-anchor="end">{most:,} fights of training</text>')
        for other, colour in colours.items():
            rows = [[(one["fights"], one[other][0] / one[other][1]) for one in run["curve"]] for run in runs]
            for row in rows:
                points = " ".join([at(*point) for point in row])
                parts.append(f'<polyline points="{points}" stroke="{colour}" stroke-opacity=".3" fill="none"/>')
            mean = [(row[0][0], sum([point[1] for point in row]) / len(row)) for row in zip(*rows, strict=True)]
            points = " ".join([at(*point) for point in mean])
            parts.append(f'<polyline points="{points}" stroke="{colour}" stroke-width="2.5" fill="none"/>')
    legend = height - 12
    for number, (other, colour) in enumerate(colours.items()):
        parts.append(f'<text x="{left + 190 * number}" y="{legend}" fill="{colour}">wins against {other}</text>')
    size = f"0 0 {width * len(found)} {height}"
    style = 'style="font: 13px system-ui, sans-serif" fill="#808080"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {style} role="img">{"".join(parts)}</svg>\n'


def main() -> None:
    """Train, measure, print, draw."""
    read = argparse.ArgumentParser(description="Train a linear policy on fights, and measure it.")
    read.add_argument("scenario", nargs="+", help="scenarios such as mars:together, or two sides with vs between them")
    read.add_argument("--fights", type=int, default=480, help="fights of training for each seed")
    read.add_argument("--seeds", type=int, default=5)
    read.add_argument("--points", type=int, default=4, help="measurements on the way")
    read.add_argument("--runs", type=int, default=20, help="fights of each measurement on the way")
    read.add_argument("--final", type=int, default=100, help="fights of the last measurement of each seed")
    read.add_argument("--workers", type=int, default=2)
    read.add_argument("--picture", default=str(HERE.parent / "docs" / "learner.svg"))
    given = read.parse_args()
    found: dict[str, list[dict[str, Any]]] = {}
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as workers:
        for scenario in given.scenario:
            tasks = [
                workers.submit(_train, (scenario, seed, given.fights, given.points, given.runs), given.final)
                for seed in range(given.seeds)
            ]
            found[scenario] = [task.result() for task in tasks]
            tell(scenario, found[scenario])
            named(found[scenario][0]["weights"]).save(HERE / f"learned_{scenario.partition(':')[0]}.json")
    Path(given.picture).write_text(drawn(found), encoding="utf-8")


def _train(arguments: tuple[Any, ...], final: int) -> dict[str, Any]:
    """Train in a worker process, and measure the result at length."""
    run = train(*arguments)
    policy = named(run["weights"])
    scenario, seed = arguments[:2]
    run["final"] = {other: measure(scenario, policy, other, final, 9_000 + seed) for other in ("random", "careful")}
    return run


def tell(scenario: str, runs: list[dict[str, Any]]) -> None:
    """Print the win rates of each seed and of all together."""
    print(scenario)
    for run in runs:
        steps = f"{run['steps']:,} steps, {run['seconds']:g} s of CPU beside the environments"
        print(
            f"  seed {run['seed']}:", *[f"{other} {percents(*run['final'][other])}," for other in run["final"]], steps
        )
    for other in ("random", "careful"):
        won, of = (sum([run["final"][other][place] for run in runs]) for place in (0, 1))
        print(f"  wins against {other}: {percents(won, of)} of {of} fights")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
