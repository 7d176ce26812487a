"""Renaissance: a check and a whole attack against icepool and dyce, and its even fight from one end to the other.

`python bench/renaissance_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import icepool
from dyce import H, expand
from dyce.lifecycle import ExperimentalWarning
from fighting import tell
from mars_rows import by_name
from measure import Row

from tablewright.engine import odds
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.checks import check
from tablewright.systems.renaissance.mechanics.harm import Defence, after_armor, attack_bonus, wounds_of
from tablewright.systems.renaissance.values import DV, Grade, judge, natural_grade

warnings.simplefilter("ignore", ExperimentalWarning)

TARGET, STRIKING, FRAY = 60, 65, 50
PLUS, ARMOR, AP, THRESHOLD, BALANCE = 9, 6, 2, 6, 60
FIGHT = "renaissance:even"


# ---------------------------------------------------------------------- a check with six grades


def our_check() -> Any:
    return odds(check(TARGET)).map(lambda grade: grade.value)


def icepool_check() -> Any:
    return icepool.z(100).map(lambda rolled: natural_grade(rolled, TARGET).value)


def dyce_check() -> Any:
    return H(range(100)).apply(lambda rolled: natural_grade(rolled, TARGET).value)


# ---------------------------------------------------------------------- an attack, through to lying on the ground


def _met(mine: int, theirs: int) -> int:
    """The margin of a hit from 1 on, 0 for a miss, -1 where both roll again."""
    if mine > STRIKING:
        return 0
    if theirs > FRAY or theirs < mine:
        return mine + 1
    return -1 if theirs == mine else 0


def _hit(margin: int) -> tuple[int, bool]:
    """The extra DV, and whether the dice are rolled twice."""
    grade = judge(margin, margin).grade
    return attack_bonus(margin, grade), grade is Grade.CRITICAL_SUCCESS


def _wound(shown: int, bonus: int) -> tuple[int, int]:
    damage = after_armor(shown + PLUS + bonus, ARMOR, AP)
    return damage, wounds_of(damage, THRESHOLD)


def _falls(rolled: int, wounds: int) -> bool:
    return rolled > BALANCE - 10 * wounds


def our_attack() -> Any:
    call = attack(
        STRIKING, DV(2, PLUS), (Defence("fray", FRAY),), armor=ARMOR, ap=AP, wound_threshold=THRESHOLD, balance=BALANCE
    )
    return odds(call).map(lambda done: (done.hit, done.damage, done.wounds, done.prone))


def icepool_attack() -> Any:
    percent, two = icepool.z(100), 2 @ icepool.d10

    def land(margin: int) -> Any:
        if not margin:
            return icepool.tupleize(False, 0, 0, False)
        bonus, twice = _hit(margin - 1)
        dice = icepool.highest(two, two) if twice else two
        return dice.map(lambda shown: wounded(*_wound(shown, bonus)))

    def wounded(damage: int, wounds: int) -> Any:
        if not wounds:
            return icepool.tupleize(True, damage, 0, False)
        return percent.map(lambda rolled: icepool.tupleize(True, damage, wounds, _falls(rolled, wounds)))

    met = icepool.map(_met, percent, percent)
    return met.reroll([-1], depth="inf").map(land)


def dyce_attack() -> Any:
    percent, two = H(range(100)), 2 @ H(10)

    def met(mine: Any, theirs: Any) -> int:
        return _met(mine.outcome, theirs.outcome)

    def land(margin: Any) -> Any:
        if not margin.outcome:
            return (False, 0, 0, False)
        bonus, twice = _hit(margin.outcome - 1)

        def better(one: Any, other: Any) -> int:
            return int(max(one.outcome, other.outcome))

        def wounded(shown: Any) -> Any:
            damage, wounds = _wound(shown.outcome, bonus)
            if not wounds:
                return (True, damage, 0, False)
            return percent.apply(lambda rolled: (True, damage, wounds, _falls(rolled, wounds)))

        return expand(wounded, expand(better, two, two) if twice else two)

    margins = expand(met, percent, percent)
    return expand(land, H({margin: count for margin, count in margins.items() if margin >= 0}))


def rows() -> Iterator[Row]:
    """What the peers can be asked as well."""
    yield Row(f"Renaissance check against {TARGET}, six grades", our_check, icepool_check, dyce_check, by_name)
    yield Row(
        f"Renaissance attack {STRIKING} against {FRAY}, 2d10+{PLUS}, wounds, falling",
        our_attack,
        icepool_attack,
        dyce_attack,
        by_name,
    )


if __name__ == "__main__":
    tell(rows(), FIGHT)
