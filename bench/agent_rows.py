"""Steps a second of the learning environment, beside two classic games of PettingZoo, by masked random actions.

    .venv/bin/python bench/agent_rows.py

The classic games need pygame, which no lock of this project holds since nothing else uses it; without it their rows say
what to install: .venv/bin/pip install pygame. Times are processor time of one process, after a first fight that
fills the caches; a step is one action of one agent with its observation.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from tablewright.agents import env, scenario_ids

STEPS = 400
CLASSIC = ("tictactoe_v3", "connect_four_v3")


def steps_a_second(make: Callable[[], Any], steps: int = STEPS) -> float:
    """Steps of one environment in a second of processor time."""
    made, dice = make(), np.random.default_rng(1)
    _play(made, dice, steps // 3, 1)
    began = time.process_time()
    done = _play(made, dice, steps, 2)
    return done / (time.process_time() - began)


def _play(made: Any, dice: np.random.Generator, steps: int, seed: int) -> int:
    done = 0
    while done < steps:
        made.reset(seed=seed)
        seed += 1
        for _ in made.agent_iter():
            seen, _, ended, cut, _ = made.last()
            action = None if ended or cut else int(dice.choice(np.flatnonzero(seen["action_mask"])))
            made.step(action)
            done += 1
            if done >= steps:
                break
    return done


def lines() -> list[str]:
    """The table as Markdown."""
    rows = ["| environment | steps a second | with chances among the features |", "|---|---:|---:|"]
    for name in scenario_ids():
        if name.endswith(":together"):
            plain = steps_a_second(lambda name=name: env(name, odds=False))  # type: ignore[misc]
            whole = steps_a_second(lambda name=name: env(name), STEPS // 3)  # type: ignore[misc]
            rows.append(f"| {name} | {plain:,.0f} | {whole:,.0f} |")
    for name in CLASSIC:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = steps_a_second(import_module(f"pettingzoo.classic.{name}").env, 3 * STEPS)
            except ModuleNotFoundError as missing:
                rows.append(f"| {name} of PettingZoo | not measured: .venv/bin/pip install {missing.name} | |")
            else:
                rows.append(f"| {name} of PettingZoo | {found:,.0f} | |")
    return rows


if __name__ == "__main__":
    print("\n".join(lines()))
