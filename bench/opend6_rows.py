"""OpenD6: a check with points, a whole attack, and its even fight.

`python bench/opend6_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from fighting import encounter_lines

from tablewright.engine import Call, forget, odds
from tablewright.systems.opend6.attack import attack
from tablewright.systems.opend6.mechanics import check, improved_check
from tablewright.systems.opend6.values import DieCode

ENOUGH = 60
SKILL, STRENGTH, WEAPON = DieCode(4, 1), DieCode(2), DieCode(2, 2)
PHYSIQUE, ARMOUR = DieCode(3), DieCode(1)


def calls() -> Iterator[tuple[str, Callable[[int], Call[Any]]]]:
    """What is weighed, by name; the number makes every call a new one."""
    yield "check, 4D+1", lambda number: check(SKILL, 8 + number % 20, number)
    yield "check with 2 Character Points before and after, 4D+1", lambda number: improved_check(SKILL, 5 + number, 2)
    yield (
        "attack with damage and resistance, 4D+1",
        lambda number: attack(SKILL, 5 + number % 20, STRENGTH, WEAPON, PHYSIQUE, ARMOUR, damage_plain=number),
    )
    yield (
        "attack with a Character Point on each roll, 4D+1",
        lambda number: attack(SKILL, 10, STRENGTH, WEAPON, PHYSIQUE, ARMOUR, damage_plain=number, points=1),
    )


def main(show: Callable[[str], None] = print) -> None:
    """These rows alone, with what they took."""
    for name, call in calls():
        forget()
        began = time.process_time()
        for number in range(ENOUGH):
            odds(call(number))
        show(f"{name}: {1e6 * (time.process_time() - began) / ENOUGH:,.0f} µs each")
    for line in encounter_lines("opend6:even"):
        show(line)


if __name__ == "__main__":
    main()
