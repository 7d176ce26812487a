"""Märchen Engine: a check, a whole strike, and its even fight.

`python bench/marchen_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import mars_rows

from tablewright.engine import Call, forget, odds
from tablewright.systems.marchen.blows import strike
from tablewright.systems.marchen.mechanics import check

ENOUGH = 200


def calls() -> Iterator[tuple[str, Callable[[int], Call[object]]]]:
    """What is weighed, by name; the number makes every call a new one."""
    yield "check, difficult +3", lambda number: check("2d6", "difficult", 3 + number % 50)
    yield (
        "strike with reactions, damage and facing death",
        lambda number: strike(3, 3, 2, dodge=1, parry=2, armour=3, taken=number, threshold=300, back_dice=3),
    )


def main(show: Callable[[str], None] = print) -> None:
    """These rows alone, with what they took."""
    for name, call in calls():
        forget()
        began = time.process_time()
        for number in range(ENOUGH):
            odds(call(number))
        show(f"{name}: {1e6 * (time.process_time() - began) / ENOUGH:,.0f} µs each")
    mars_rows.FIGHT = "marchen:even"
    for line in mars_rows.encounter_lines():
        show(line)


if __name__ == "__main__":
    main()
