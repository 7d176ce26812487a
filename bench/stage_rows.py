"""The Stage: a check, a whole attack, and its even fight.

`python bench/stage_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import mars_rows

from tablewright.engine import Call, forget, odds
from tablewright.systems.stage.blows import Block, Defence, Form
from tablewright.systems.stage.fighting import attack
from tablewright.systems.stage.mechanics import leveled

ENOUGH = 60


def calls() -> Iterator[tuple[str, Callable[[int], Call[Any]]]]:
    """What is weighed, by name; the number makes every call a new one."""
    yield "leveled check, 5 dice", lambda number: leveled(5, 10, number % 50)
    yield (
        "attack with split, defence and block, 4 dice",
        lambda number: attack(
            (Form("plain", 4, first=number % 40),),
            3,
            3,
            (Defence("dodge", 2, ap=1), Defence("parry", 2, points=1)),
            1,
            (Block("block", 2, most=9),),
        ),
    )


def main(show: Callable[[str], None] = print) -> None:
    """These rows alone, with what they took."""
    for name, call in calls():
        forget()
        began = time.process_time()
        for number in range(ENOUGH):
            odds(call(number))
        show(f"{name}: {1e6 * (time.process_time() - began) / ENOUGH:,.0f} µs each")
    mars_rows.FIGHT = "stage:even"
    for line in mars_rows.encounter_lines():
        show(line)


if __name__ == "__main__":
    main()
