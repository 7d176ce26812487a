"""MARS: a check and a whole attack beside the peers, and its even fight, which has no peer.

`python bench/mars_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import icepool
from dyce import H, expand
from dyce.lifecycle import ExperimentalWarning
from fighting import tell
from measure import Row

from tablewright.engine import Odds, odds
from tablewright.systems.mars.mechanics.attack import Attempt, Body, Target, Wound
from tablewright.systems.mars.mechanics.attack import attack as mars_attack
from tablewright.systems.mars.mechanics.checks import check as mars_check
from tablewright.systems.mars.values import RollValue

warnings.simplefilter("ignore", ExperimentalWarning)

SKILL, DIFFICULTY = RollValue.parse("r18+2"), 14
STRIKING, DEFENDING, HARMING = RollValue.parse("r20+1"), RollValue.parse("r10+2"), RollValue.parse("r16+1")
REDUCTION, CRITICAL = 2, 6
ENDURANCE, HEALTH = 9, 7
FIGHT = "mars:even"


def _degree(margin: int) -> str:
    if margin >= 0:
        return "critical" if margin >= 7 else "success"
    return "graze" if margin > -7 else "failure"


def _dice(value: RollValue) -> tuple[int, ...]:
    return tuple(value.dice())


def by_name(answer: Any) -> dict[Any, Any]:
    """Outcomes by their names, with weights as fractions of the whole."""
    import rule_rows  # noqa: PLC0415 - it measures other systems, which need not be loaded for these rows

    found: dict[Any, Any] = rule_rows.chances(answer)
    return found


# ---------------------------------------------------------------------- a check with one advantage


def _worst(faces: tuple[int, ...], sides: tuple[int, ...]) -> int:
    """The die with the greatest gain if it is rerolled and the better face stays, of equals the one with more sides."""

    def gain(at: int) -> tuple[int, int]:
        missing = sides[at] - faces[at]
        return missing * (missing + 1) * (720 // sides[at]), sides[at]

    return max(range(len(sides)), key=gain)


def icepool_check() -> Any:
    sides = _dice(SKILL)

    def rerolled(*faces: int) -> Any:
        at = _worst(faces, sides)
        return icepool.d(sides[at]).map(lambda new: sum(faces) - faces[at] + max(new, faces[at]))

    total = icepool.map(rerolled, *[icepool.d(size) for size in sides]) + SKILL.modifier
    return total.map(lambda shown: _degree(shown - DIFFICULTY))


def dyce_check() -> Any:
    sides = _dice(SKILL)

    def rerolled(*results: Any) -> Any:
        faces = tuple([result.outcome for result in results])
        at = _worst(faces, sides)
        return H(sides[at]).apply(lambda new: sum(faces) - faces[at] + max(new, faces[at]))

    total = expand(rerolled, *[H(size) for size in sides])
    return total.apply(lambda shown: _degree(shown + SKILL.modifier - DIFFICULTY))


# ---------------------------------------------------------------------- a whole attack, through to what becomes of it


def _struck(degree: str, raw: int) -> tuple[str, int, str]:
    """Degree, damage, and fate of the target: endurance is lost first, then health."""
    if degree == "failure":
        return degree, 0, "stands"
    damage = raw + CRITICAL if degree == "critical" else max(1, (raw - REDUCTION) // (2 if degree == "graze" else 1))
    health = HEALTH - max(0, damage - ENDURANCE)
    if damage < ENDURANCE or health > 0:
        return degree, damage, "stands"
    return degree, damage, "dying" if health else "unconscious"


def our_attack() -> Any:
    """A target without stamina: nothing is chosen."""
    body = Body(REDUCTION, stamina=0, endurance=ENDURANCE, health=HEALTH)
    return odds(mars_attack(Attempt(STRIKING), Target(DEFENDING), Wound(HARMING, CRITICAL), body))


def icepool_attack() -> Any:
    def total(value: RollValue) -> Any:
        return sum([icepool.d(size) for size in _dice(value)], icepool.Die([value.modifier]))

    degrees = (total(STRIKING) - total(DEFENDING)).map(_degree)
    damage = total(HARMING)
    return degrees.map(lambda degree: damage.map(lambda raw: icepool.tupleize(*_struck(degree, raw))))


def dyce_attack() -> Any:
    def total(value: RollValue) -> Any:
        return sum([H(size) for size in _dice(value)], H({value.modifier: 1}))

    degrees = (total(STRIKING) - total(DEFENDING)).apply(_degree)
    damage = total(HARMING)

    def struck(result: Any) -> Any:
        degree = result.outcome
        return damage.apply(lambda raw: _struck(degree, raw))

    return expand(struck, degrees)


def struck_by_name(answer: Any) -> dict[Any, Any]:
    """Chances of each degree, damage and fate; the rule tells defence, shield and stamina as well, which never vary."""
    if not isinstance(answer, Odds):
        return by_name(answer)
    return by_name(answer.map(lambda attacked: (attacked.degree.value, attacked.damage, attacked.fate.value)))


def rows() -> Iterator[Row]:
    """What the peers can be asked as well."""
    yield Row(
        f"MARS check, {SKILL} against {DIFFICULTY} with advantage",
        lambda: odds(mars_check(SKILL, DIFFICULTY, advantage=1)),
        icepool_check,
        dyce_check,
        by_name,
    )
    yield Row(
        f"MARS attack, {STRIKING} against {DEFENDING}, damage {HARMING}",
        our_attack,
        icepool_attack,
        dyce_attack,
        struck_by_name,
        "the whole rule is run, with its choice of defence, its shield and all options, and each part is checked and "
        "remembered; the peers apply one bare function to all pairs of degree and damage.",
    )


if __name__ == "__main__":
    tell(rows(), FIGHT)
