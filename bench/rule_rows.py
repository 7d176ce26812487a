"""Whole rules, written for all three libraries as each of them likes it best."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import icepool
from dyce import H, expand
from dyce.lifecycle import ExperimentalWarning
from measure import Row

from tablewright.engine import Call, advise, both, d, finish, mechanic, odds
from tablewright.systems.mars.mechanics.checks import roll as mars_roll
from tablewright.systems.mars.values import RollValue
from tablewright.systems.renaissance.mechanics.checks import opposed as renaissance_opposed
from tablewright.systems.stage.mechanics.checks import leveled

warnings.simplefilter("ignore", ExperimentalWarning)


def chances(answer: Any) -> dict[Any, Fraction]:
    """A distribution of any of the libraries as outcomes and fractions."""
    items = list(answer.items())
    total = sum([weight for _, weight in items])
    return {_plain(outcome): Fraction(int(weight), int(total)) for outcome, weight in items if weight}


def _plain(outcome: Any) -> Any:
    return tuple(outcome) if isinstance(outcome, tuple) else getattr(outcome, "value", outcome)


# ---------------------------------------------------------------------- opposed percentile dice with rerolls


def icepool_opposed() -> Any:
    def margin(target: int) -> Any:
        return icepool.z(100).map(lambda rolled: rolled if rolled <= target else -1)

    return margin(60).cmp(margin(65)).reroll([0], depth="inf").map({1: "a", -1: "b"})


def dyce_opposed() -> Any:
    def margin(target: int) -> Any:
        return H(dict.fromkeys(range(target + 1), 1)).merge(H({-1: 99 - target}))

    signs = margin(60).apply(lambda a, b: "a" if a > b else "b" if b > a else "", margin(65))
    return H.from_counts({side: weight for side, weight in signs.items() if side})


# ---------------------------------------------------------------------- the pool split of The Stage


def our_splits() -> list[list[Fraction]]:
    return [[worth.value for worth in advise(leveled(dice, 10)).choices[0].options] for dice in range(1, 13)]


def icepool_splits() -> list[list[Fraction]]:
    """What each split is worth: the chance of the first roll times the mean of the second, which is 1 without dice."""
    found = []
    for dice in range(1, 13):
        row = []
        for first in range(1, dice + 1):
            hit = (first @ icepool.d6 >= 10).mean()
            effect = ((dice - first) @ icepool.d6).mean() if first < dice else 1
            row.append(Fraction(hit) * Fraction(effect))
        found.append(row)
    return found


def dyce_splits() -> list[list[Fraction]]:
    found = []
    for dice in range(1, 13):
        row = []
        for first in range(1, dice + 1):
            total = first @ H(6)
            hit = Fraction(sum([weight for sum_, weight in total.items() if sum_ >= 10]), total.total)
            second = (dice - first) @ H(6)
            effect = Fraction(sum([s * w for s, w in second.items()]), second.total) if first < dice else Fraction(1)
            row.append(hit * effect)
        found.append(row)
    return found


# ---------------------------------------------------------------------- the best die is rerolled

REROLLED = RollValue.parse("r22")


def _rerolled_at(faces: tuple[int, ...], sides: tuple[int, ...]) -> int:
    """The die with the greatest gain, of equals the one with more sides."""

    def gain(at: int) -> tuple[Fraction, int]:
        missing = sides[at] - faces[at]
        return Fraction(missing * (missing + 1), 2 * sides[at]), sides[at]

    return max(range(len(sides)), key=gain)


def _sides() -> tuple[int, ...]:
    return tuple(REROLLED.dice())


def icepool_reroll() -> Any:
    sides = _sides()

    def best(*faces: int) -> Any:
        at = _rerolled_at(faces, sides)
        return icepool.d(sides[at]).map(lambda new: sum(faces) - faces[at] + max(new, faces[at]))

    return icepool.map(best, *[icepool.d(size) for size in sides]) + REROLLED.modifier


def dyce_reroll() -> Any:
    sides = _sides()

    def best(*results: Any) -> Any:
        faces = tuple([result.outcome for result in results])
        at = _rerolled_at(faces, sides)
        return H(sides[at]).apply(lambda new: sum(faces) - faces[at] + max(new, faces[at]))

    return expand(best, *[H(size) for size in sides]).apply(lambda total: total + REROLLED.modifier)


# ---------------------------------------------------------------------- duels

HEALTH = 30


class Standing(NamedTuple):
    a: bool
    b: bool


@mechanic(rules=["bench.duel.strike"])
async def strike(least: int) -> int:
    """A d20 hits from some number on and deals a d6."""
    return await finish(d(6)) if await d(20).map(lambda shown: shown >= least) else 0


@mechanic(rules=["bench.duel.exchange"])
async def exchange() -> tuple[int, int]:
    """Both strike at the same time: the damage to each."""
    return await finish(both(strike(13), strike(11), lambda to_a, to_b: (to_a, to_b)))


@mechanic(rules=["bench.duel.rounds"])
async def rounds(a: int, b: int, left: int) -> Standing:
    """So many rounds, blow by blow; who is still standing."""
    if left == 0:
        return Standing(a > 0, b > 0)
    return await strike(11).into(lambda to_b: struck_back(a, max(0, b - to_b), left - 1))


@mechanic(rules=["bench.duel.rounds"])
async def struck_back(a: int, b: int, left: int) -> Standing:
    """The second blow of a round, which a fallen one still strikes; after it the duel may be over early."""

    def after(to_a: int) -> Call[Standing]:
        both_stand = to_a < a and b > 0
        return rounds(a - to_a, b, left) if both_stand and left else rounds(int(to_a < a), int(b > 0), 0)

    return await strike(13).into(after)


@mechanic(rules=["bench.duel.death"])
async def to_the_death(a: int, b: int) -> Standing:
    """Until one falls, or both."""
    if a <= 0 or b <= 0:
        return Standing(a > 0, b > 0)
    return await exchange().into(lambda hurt: to_the_death(max(0, a - hurt[0]), max(0, b - hurt[1])))


def _icepool_blow(least: int) -> Any:
    return icepool.d20.map(lambda shown: icepool.d6 if shown >= least else 0)


def _icepool_round(a: int, b: int, to_a: int, to_b: int) -> tuple[int, int]:
    return (max(0, a - to_a), max(0, b - to_b)) if a > 0 and b > 0 else (a, b)


def _icepool_standing(die: Any) -> Any:
    return die.map(lambda a, b: (a > 0, b > 0), star=True)


def icepool_rounds() -> Any:
    start = icepool.Die([(20, 20)])
    return _icepool_standing(start.map(_icepool_round, _icepool_blow(13), _icepool_blow(11), star=True, repeat=6))


def icepool_death() -> Any:
    """By recursion over what is left, rounds in which nobody is hit rolled again: far quicker than ``repeat='inf'``."""
    hurt = icepool.tupleize(_icepool_blow(13), _icepool_blow(11))

    @cache
    def duel(a: int, b: int) -> Any:
        if a <= 0 or b <= 0:
            return icepool.Die([(a > 0, b > 0)])
        return hurt.map(
            lambda to_a, to_b: duel(max(0, a - to_a), max(0, b - to_b)) if to_a or to_b else icepool.Reroll, star=True
        )

    return duel(HEALTH, HEALTH)


def _dyce_blow(least: int) -> Any:
    missed, hit = least - 1, 21 - least
    return H({0: 6 * missed} | dict.fromkeys(range(1, 7), hit))


def dyce_rounds() -> Any:
    hurt = _dyce_blow(13).apply(lambda to_a, to_b: (to_a, to_b), _dyce_blow(11))
    states: Any = H({(20, 20): 1})
    for _ in range(6):
        states = states.apply(lambda state, blow: _icepool_round(*state, *blow), hurt)
    return states.apply(lambda state: (state[0] > 0, state[1] > 0))


def dyce_death() -> Any:
    hurt = _dyce_blow(13).apply(lambda to_a, to_b: (to_a, to_b), _dyce_blow(11))

    @cache
    def duel(a: int, b: int) -> Any:
        if a <= 0 or b <= 0:
            return H({(a > 0, b > 0): 1})

        def following(blow: Any) -> Any:
            to_a, to_b = blow.outcome
            return duel(max(0, a - to_a), max(0, b - to_b)) if to_a or to_b else H({})

        return expand(following, hurt, min_path_probability=Fraction(0), reset_path_probability=True)

    return duel(HEALTH, HEALTH)


def rows() -> Iterator[Row]:
    """All rows, the quick ones first."""
    yield Row(
        "opposed percentile, 60 against 65, rerolled",
        lambda: odds(renaissance_opposed(60, 65)),
        icepool_opposed,
        dyce_opposed,
        chances,
    )
    yield Row(
        "pool split, 1 to 12 dice",
        our_splits,
        icepool_splits,
        dyce_splits,
        lambda found: found,
        "here the whole rule is run, with its flat modifiers, botches and options; the peers weigh two bare sums.",
    )
    yield Row(
        f"best die rerolled, {REROLLED}",
        lambda: odds(mars_roll(REROLLED, advantage=1)),
        icepool_reroll,
        dyce_reroll,
        chances,
    )
    yield Row(
        "six-round duel, 20 health each",
        lambda: odds(rounds(20, 20, 6)),
        icepool_rounds,
        dyce_rounds,
        chances,
        "every state of the chain is a call of the rule, with its arguments checked and its odds remembered; dyce "
        "applies one bare function to all pairs of state and blow.",
    )
    yield Row(
        f"duel to the death, {HEALTH} health each",
        lambda: odds(to_the_death(HEALTH, HEALTH)),
        icepool_death,
        dyce_death,
        chances,
    )
