"""Märchen Engine: a check and a whole strike against icepool and dyce, and its even fight from one end to the other.

`python bench/marchen_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import icepool
from dyce import H, expand
from dyce.lifecycle import ExperimentalWarning
from fighting import tell
from mars_rows import by_name
from measure import Row

from tablewright.engine import odds
from tablewright.systems.marchen.mechanics.attack import struck
from tablewright.systems.marchen.mechanics.checks import check
from tablewright.systems.marchen.mechanics.dice import SIGMA, degree_of
from tablewright.systems.marchen.mechanics.harm import over_dm

warnings.simplefilter("ignore", ExperimentalWarning)

SKILL, DIFFICULT, TARGET = 3, -3, 11
STRIKING, DICE, MUSCLE, ARMOUR, TAKEN, THRESHOLD, HIT = 3, 3, 2, 3, 5, 14, 8
FIGHT = "marchen:even"


def _degree(effect: int) -> str:
    return degree_of("3d6", effect).value


# ---------------------------------------------------------------------- a difficult check with advantage


def our_check() -> Any:
    return odds(check("3d6", "difficult", SKILL, "advantage")).map(lambda result: result.degree.value)


def icepool_check() -> Any:
    better = icepool.highest(3 @ icepool.d6, 3 @ icepool.d6)
    return better.map(lambda shown: _degree(shown + SKILL + DIFFICULT - TARGET))


def dyce_check() -> Any:
    def better(one: Any, other: Any) -> Any:
        return max(one.outcome, other.outcome)

    three = 3 @ H(6)
    return expand(better, three, three).apply(lambda shown: _degree(shown + SKILL + DIFFICULT - TARGET))


# ---------------------------------------------------------------------- a strike, through to facing death


def _read(shown: int, modifier: int) -> tuple[str, int]:
    degree = degree_of("2d6", shown + modifier - HIT)
    return degree.value, SIGMA[degree]


def _wound(shown: int, sigma: int) -> int:
    return max(shown + MUSCLE + 2 * sigma - ARMOUR, int(sigma == 4))


def _endured(shown: int, damage: int) -> tuple[int, bool]:
    degree, sigma = _read(shown, 0)
    return max(0, damage - (max(1, sigma) if sigma >= 0 else 0)), degree == "catastrophic"


def _beyond(damage: int) -> bool:
    return bool(damage) and TAKEN + damage > THRESHOLD


def _faced(shown: int, damage: int) -> str:
    if TAKEN + damage >= 2 * THRESHOLD:
        return "catastrophic"
    return _read(shown, over_dm(TAKEN + damage, THRESHOLD))[0]


def our_strike() -> Any:
    """A strike that nobody reacts to and that is not answered: nothing is chosen."""
    call = struck(STRIKING, DICE, MUSCLE, armour=ARMOUR, taken=TAKEN, threshold=THRESHOLD)
    return odds(call).map(lambda blow: (blow.degree, blow.hurt.damage, blow.hurt.condition, blow.hurt.face))


def icepool_strike() -> Any:
    two, three = 2 @ icepool.d6, DICE @ icepool.d6

    def suffer(degree: str, damage: int) -> Any:
        if not damage:
            return icepool.tupleize(degree, 0, False, "")
        return two.map(lambda shown: face(degree, *_endured(shown, damage)))

    def face(degree: str, damage: int, condition: bool) -> Any:
        if not _beyond(damage):
            return icepool.tupleize(degree, damage, condition, "")
        return two.map(lambda shown: icepool.tupleize(degree, damage, condition, _faced(shown, damage)))

    def strike(shown: int) -> Any:
        degree, sigma = _read(shown, STRIKING)
        if sigma < 0:
            return icepool.tupleize(degree, 0, False, "")
        return three.map(lambda damage: suffer(degree, _wound(damage, sigma)))

    return two.map(strike)


def dyce_strike() -> Any:
    two, three = 2 @ H(6), DICE @ H(6)

    def strike(result: Any) -> Any:
        degree, sigma = _read(result.outcome, STRIKING)
        if sigma < 0:
            return (degree, 0, False, "")

        def wound(shown: Any) -> Any:
            damage = _wound(shown.outcome, sigma)
            return expand(endure(degree, damage), two) if damage else (degree, 0, False, "")

        return expand(wound, three)

    def endure(degree: str, damage: int) -> Callable[[Any], Any]:
        def endured(shown: Any) -> Any:
            left, condition = _endured(shown.outcome, damage)
            if not _beyond(left):
                return (degree, left, condition, "")
            return two.apply(lambda faced: (degree, left, condition, _faced(faced, left)))

        return endured

    return expand(strike, two)


def rows() -> Iterator[Row]:
    """What the peers can be asked as well."""
    yield Row(f"Märchen check, 3d6+{SKILL}, difficult, with advantage", our_check, icepool_check, dyce_check, by_name)
    yield Row(
        f"Märchen strike, {DICE}D6+{MUSCLE} against armour {ARMOUR}, endured, death faced",
        our_strike,
        icepool_strike,
        dyce_strike,
        by_name,
        "the rule goes on to what is struck back, reactions and how the end is brought about, on every core.",
    )


if __name__ == "__main__":
    tell(rows(), FIGHT)
