"""The odds of `renaissance.hurt` in closed form: every damage with every way to stay on one's feet, by counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import BestOf, Dist, Sum
from tablewright.dice.source import Die
from tablewright.engine.mechanic import Value
from tablewright.systems.renaissance.blows import InjuryRules, after_armor, fresh_penalty, scaled, wounds_of
from tablewright.systems.renaissance.luck import is_more
from tablewright.systems.renaissance.mechanics import luck_for_one
from tablewright.systems.renaissance.values import DV, flipped, limited


class Hurt(NamedTuple):
    """What damage does to somebody: damage after armor, wounds, whether they fall, and the Luck that is spent."""

    damage: int
    wounds: int = 0
    prone: bool = False
    felled: bool = False
    luck: int = 0


Checks: TypeAlias = tuple[tuple[int, int], ...]
"""The checks that have to be passed one after the other, each with its target and what its penalties take away."""


class Means(NamedTuple):
    """What Luck can do for such a check: what daring adds, and how many points one check may take."""

    daring: int = 0
    luck_per_check: int | None = None

    def before(self, luck: int, penalties: int) -> list[tuple[int, int]]:
        """Every way to spend so much Luck before a roll: whether penalties are ignored, and whether it is dared."""
        points = luck_for_one(luck, self.luck_per_check)
        dared = (0, 1) if self.daring else (0,)
        ways = [(ignores, dares) for ignores in ((0, 1) if penalties else (0,)) for dares in dared]
        return [way for way in ways if sum(way) <= points]


@lru_cache(maxsize=256)
def shown(dice: int, extra: int) -> tuple[tuple[int, int], ...]:
    """What dice of damage show, with weights; of several rolls the best or the worst."""
    if not dice:
        return ((0, 1),)
    rolled = Sum.copies(dice, Die(10), 0)
    return tuple((rolled if not extra else BestOf(rolled, abs(extra) + 1, highest=extra > 0)).weigh().items())


@lru_cache(maxsize=100)
def turning(goal: int) -> int:
    """How many of 100 rolls fail and succeed with their digits swapped."""
    return sum([number > goal >= flipped(number) for number in range(100)])


def damage_of(dv: DV, less: int, scale: int, armor: int, ap: int) -> Callable[[int], int]:
    """From what the dice show to the damage: flat bonuses, the distance of a blast, resistance, armor."""

    def taken(faces: int) -> int:
        full = (faces + dv.plus) // 2 if dv.half else faces + dv.plus
        return after_armor(scaled(max(0, full - less), scale), armor, ap)

    return taken


class Injuries:
    """The odds of `renaissance.hurt`; whoever is hurt decides about Luck."""

    def __init__(
        self,
        dv: DV,
        armor: int,
        ap: int,
        critical: bool,
        vulnerability: int,
        less: int,
        wound_threshold: int,
        balance: int | None,
        balance_penalties: int,
        negated: int,
        footing: int | None,
        left: int,
        luck: int,
        daring: int,
        luck_per_check: int | None,
        struck: bool,
        *rules: Any,
    ) -> None:
        self.rules = how = InjuryRules(*rules)
        ignores_armor = critical and how.critical_attack == "ignore_armor"
        self.extra = int(critical and not ignores_armor)
        if how.resistance_rule == "reroll_damage":
            self.extra += vulnerability
        scale = vulnerability if how.resistance_rule == "scale_dv" else 0
        self.dice, self.taken = dv.dice, damage_of(dv, less, scale, 0 if ignores_armor else armor, ap)
        self.threshold, self.left, self.luck = wound_threshold, left, luck
        self.balance, self.penalties, self.footing = balance, balance_penalties, footing
        self.negated, self.means = negated, Means(daring, luck_per_check)

    @cached_property
    def _damages(self) -> tuple[tuple[int, int, Checks, int], ...]:
        """Every damage with its wounds, what has to be passed to stay upright, and its weight."""
        weights: dict[int, int] = {}
        for faces, weight in shown(self.dice, self.extra if self.dice else 0):
            damage = self.taken(faces)
            weights[damage] = weights.get(damage, 0) + weight
        found = []
        for damage, weight in weights.items():
            wounds = wounds_of(damage, self.threshold, self.rules.wound_boundary)
            found.append((damage, wounds, () if damage >= self.left else self._checks(wounds), weight))
        return tuple(found)

    def _checks(self, wounds: int) -> Checks:
        if self.balance is None:
            return ()
        fresh = fresh_penalty(wounds, self.negated)
        number = wounds if self.rules.wound_check == "per_wound" else min(1, wounds)
        checks = [(self.balance - fresh, self.penalties + fresh)] * number
        if self.footing is not None:
            checks.append((self.footing - fresh, self.penalties + fresh))
        return tuple(checks)

    @property
    def deciding(self) -> bool:
        """Whether there is Luck, and a check to spend it on."""
        return self.luck > 0 and any(checks for _, _, checks, _ in self._damages)

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction(0)

    @property
    def work(self) -> int:
        """Some steps for each damage and each point of Luck."""
        return 2 * len(self._damages) * (1 + self.luck)

    def support(self) -> Sequence[Hurt]:
        """Everything that some choices can bring about."""
        found: dict[Hurt, None] = {}
        for damage, wounds, checks, _ in self._damages:
            if not checks:
                found[Hurt(damage, wounds, False, damage >= self.left)] = None
                continue
            for prone, luck in _all_kept(self.luck, _needs(checks, self.means)):
                found[Hurt(damage, wounds, prone, False, self.luck - luck)] = None
        return tuple(found)

    def best(self, value: Value | None) -> Dist[Hurt]:
        """The distribution when every choice serves ``value``; without one no Luck is spent."""
        most = max([len(checks) for _, _, checks, _ in self._damages])
        counts: dict[Hurt, int] = {}
        decided: dict[tuple[Checks, tuple[float, ...]], dict[Kept, int]] = {}
        for damage, wounds, checks, weight in self._damages:
            times = weight * 100 ** (most - len(checks))
            if not checks:
                counts[Hurt(damage, wounds, False, damage >= self.left)] = times
                continue
            kept = _all_kept(self.luck, _needs(checks, self.means))
            worths: tuple[float, ...] = ()
            if value is not None:
                ends = [float(value(Hurt(damage, wounds, prone, False, self.luck - luck))) for prone, luck in kept]
                worths = tuple([worth - ends[0] for worth in ends])
            found = decided.get((checks, worths))
            if found is None:
                by_end = dict(zip(kept, worths, strict=True)) if value is not None else None
                found = decided[checks, worths] = _upright(checks, 0, self.luck, self.means, by_end)[0]
            for (prone, luck), count in found.items():
                counts[Hurt(damage, wounds, prone, False, self.luck - luck)] = count * times
        return Dist(list(counts.items()))


Kept: TypeAlias = tuple[bool, int]
"""Whether somebody has fallen, and the Luck that is left."""

NO_LUCK = [(0, 0)]


def _needs(checks: Checks, means: Means) -> int:
    """How many points of Luck the checks can take: one each to flip, one to ignore penalties and one to dare."""
    return sum([luck_for_one(1 + (less > 0) + (means.daring > 0), means.luck_per_check) for _, less in checks])


@lru_cache(maxsize=256)
def _all_kept(luck: int, needs: int) -> tuple[Kept, ...]:
    """Every way in which checks can end that can take so much Luck."""
    return tuple([(prone, left) for left in range(luck, max(0, luck - needs) - 1, -1) for prone in (False, True)])


def _upright(
    checks: Checks, at: int, luck: int, means: Means, worths: dict[Kept, float] | None
) -> tuple[dict[Kept, int], float]:
    """How the checks from one on end, out of as many hundreds, with what that is worth; Luck as it serves best."""
    if at == len(checks):
        return {(False, luck): 1}, 0.0 if worths is None else worths[False, luck]
    target, penalties = checks[at]
    best: dict[Kept, int] = {}
    highest = 0.0
    points = luck_for_one(luck, means.luck_per_check)
    for ignores, dares in means.before(luck, penalties) if worths is not None else NO_LUCK:
        goal, spent = limited(target + penalties * ignores + means.daring * dares), ignores + dares
        left, found = luck - spent, dict[Kept, int]()
        passed, worth = _upright(checks, at + 1, left, means, worths)
        fallen, hundreds = (True, left), 100 ** (len(checks) - at - 1)
        turned = turning(goal) if points > spent and worths is not None else 0
        low = 0.0 if worths is None else worths[fallen]
        total = worth * (goal + 1) + low * (99 - goal - turned)
        _add(found, passed, goal + 1)
        found[fallen] = found.get(fallen, 0) + (99 - goal - turned) * hundreds
        if turned:
            saved, high = _upright(checks, at + 1, left - 1, means, worths)
            if is_more(high, low):
                _add(found, saved, turned)
                total += high * turned
            else:
                found[fallen] += turned * hundreds
                total += low * turned
        if not best or is_more(total / 100, highest):
            best, highest = found, total / 100
    return {end: count for end, count in best.items() if count}, highest


def _add(found: dict[Kept, int], ends: dict[Kept, int], times: int) -> None:
    for end, count in ends.items():
        found[end] = found.get(end, 0) + count * times
