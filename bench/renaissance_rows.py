"""Renaissance: a check, a whole attack, and its even fight.

`python bench/renaissance_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import mars_rows

from tablewright.engine import Call, forget, odds
from tablewright.systems.renaissance.attack import attack
from tablewright.systems.renaissance.blows import Defence
from tablewright.systems.renaissance.mechanics import lucky_check
from tablewright.systems.renaissance.values import DV

ENOUGH = 40


def calls() -> Iterator[tuple[str, str, Callable[[int], Call[object]]]]:
    """What is weighed, by name; the number makes every call a new one."""
    yield "check with 2 Luck", "success", lambda number: lucky_check(20 + number, 2, 10)
    yield "attack, no Luck", "worth", lambda number: attack(40 + number, DV(2, 12), (Defence("fray", 50),), 6, 2)
    yield (
        "attack, 1 Luck",
        "worth",
        lambda number: attack(40 + number, DV(2, 12), (Defence("fray", 50),), 6, 2, luck=1),
    )


def main(show: Callable[[str], None] = print) -> None:
    """These rows alone, with what they took."""
    for name, objective, call in calls():
        forget()
        began = time.process_time()
        for number in range(ENOUGH):
            odds(call(number), objective)
        show(f"{name}: {1e6 * (time.process_time() - began) / ENOUGH:,.0f} µs each")
    mars_rows.FIGHT = "renaissance:even"
    for line in mars_rows.encounter_lines():
        show(line)


if __name__ == "__main__":
    main()
