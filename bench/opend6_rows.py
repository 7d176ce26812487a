"""OpenD6: a check with and without points, a whole attack with and without, and its even fight.

The peers have no Wild Die that cancels; the dice alone stand beside them among the dice rows.
`python bench/opend6_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fighting import tell
from measure import Row

from tablewright.engine import odds
from tablewright.systems.opend6.mechanics.attack import Against, Blow, attack
from tablewright.systems.opend6.mechanics.checks import check, improved_check
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.values import DieCode

SKILL, STRENGTH, WEAPON = DieCode(4, 1), DieCode(2), DieCode(2, 2)
PHYSIQUE, ARMOUR, DIFFICULTY = DieCode(3), DieCode(1), 15
FIGHT = "opend6:even"


def rows() -> Iterator[Row]:
    """What is weighed, by name."""
    throw, against = Throw(SKILL), Against(DIFFICULTY)
    blow, target = Blow(STRENGTH, WEAPON), Protection(PHYSIQUE, ARMOUR)
    for name, call in (
        ("OpenD6 check, 4D+1 against 15", check(SKILL, DIFFICULTY)),
        ("OpenD6 check with 2 Character Points before and after", improved_check(SKILL, DIFFICULTY, 2)),
        ("OpenD6 attack with damage and resistance", attack(throw, against, blow, target)),
        ("OpenD6 attack with a Character Point on each roll", attack(throw, against, blow, target, mine=Purse(1))),
    ):
        yield Row(name, partial(odds, call), None, None, lambda answer: answer)


if __name__ == "__main__":
    tell(rows(), FIGHT)
