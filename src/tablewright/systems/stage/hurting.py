"""What an attack comes to, and the odds of `stage.hurt` in closed form: every damage with everything that stops it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple, TypeAlias

from tablewright.dice import Dist, Sum
from tablewright.engine.mechanic import Value
from tablewright.systems.stage.blows import Block, Shield, Unwritten
from tablewright.systems.stage.mechanics import SIX, without_dice
from tablewright.systems.stage.options import EmptySecondRoll
from tablewright.systems.stage.pool import FEWEST_DICE, LOWEST_RESULT


class Attack(NamedTuple):
    """What came of an attack: what gets through, by which form, against which defence and block, and what they cost.

    ``last`` says that the target has paid with its last point.
    """

    hit: bool
    damage: int = 0
    other: int = 0
    form: str = ""
    defence: str = ""
    block: str = ""
    deflected: str = ""
    absorbed: str = ""
    botch: bool = False
    ap: int = 0
    points: int = 0
    own_points: int = 0
    rerolled: bool = False
    own_rerolls: int = 0
    last: str = ""


class SoFar(Unwritten, Attack):
    """What has come of an attack up to the middle of it."""

    __slots__ = ()

    def __str__(self) -> str:
        spent = [
            word for word in (self.defence, self.deflected, self.block, self.absorbed) if word and word != "nothing"
        ]
        return " ".join([self.form or "attack", *spent, "hits" if self.hit else "misses"])

    def rolled_again(self, points: int) -> SoFar:
        """The damage is rolled again for some points of the attacker's (stage.power_effect.reroll)."""
        return self._replace(own_points=self.own_points + points, own_rerolls=self.own_rerolls + 1)

    def deflected_by(self, way: Block) -> SoFar:
        """An ally of the target has paid for deflecting it."""
        return self._replace(deflected=way.name, ap=self.ap + way.ap, points=self.points + way.points + way.others)

    def stopped_by(self, way: Block, shield: Shield) -> SoFar:
        """The target has paid for a way to stop it."""
        points = self.points + way.others + way.points
        return self._replace(ap=self.ap + way.ap, points=points, last=self.last or last_of(way.points, shield))


def done(so_far: Attack, damage: int) -> Attack:
    """The attack with the damage that arrives."""
    return Attack(so_far.hit, damage, *so_far[2:])


def payable(points: int, left: int, may_pay_last: bool) -> bool:
    """Whether a cost can be paid: from the surface track and then from the core, the last point only where allowed.

    >>> payable(1, 1, True), payable(1, 1, False), payable(2, 1, True), payable(0, 0, False)
    (True, False, False, True)
    """
    return points == 0 or points < left or (may_pay_last and points == left)


def affordable(ways: Iterable[Block], shield: Shield) -> list[Block]:
    """The ways to stop damage that the target can pay."""
    return [way for way in ways if payable(way.points, shield.left, shield.may_pay_last)]


def last_of(points: int, shield: Shield) -> str:
    """Whether a cost takes the last point that the target has: how the results say it."""
    return "paid" if points and points >= shield.left else ""


# ---------------------------------------------------------------------- the odds of what a hit does

Weights: TypeAlias = tuple[tuple[int, int], ...]


class Ending(NamedTuple):
    """What comes of some damage when all choices are made: what it is worth, its ends with their weights, and these
    added up."""

    worth: float
    ends: tuple[tuple[Attack, int], ...]
    total: int


@lru_cache(maxsize=1_024)
def _dealt(dice: int, modifier: int, extra: int, empty_second_roll: EmptySecondRoll) -> Weights:
    """Every damage of a second roll, and of dice besides, with its weight."""
    fixed = 0 if dice else without_dice(modifier, empty_second_roll)
    if not dice and not extra:
        return ((fixed, 1),)
    own = Sum.copies(dice, SIX, 0).weigh().map(lambda total: max(LOWEST_RESULT, total + modifier)) if dice else None
    more = Sum.copies(extra, SIX, fixed).weigh() if extra else None
    rolled = own + more if own is not None and more is not None else own if own is not None else more
    assert rolled is not None
    return tuple(rolled.items())


@lru_cache(maxsize=1_024)
def _made(dice: int, flat: int, most: int, times: int) -> Weights:
    """Every number of Defense Points that a block makes, with its weight."""
    rolled = Sum.copies(max(FEWEST_DICE, dice), SIX, 0).weigh()
    points = rolled.map(lambda total: min(max(LOWEST_RESULT, total + flat), most))
    return tuple((points + points if times > 1 else points).items())


@lru_cache(maxsize=16_384)
def _past(damage: int, way: Block, ignored: int, resistance: int) -> Weights:
    """What is left of some damage after a block, and after a Resistance that comes with it, with its weight."""
    found: dict[int, int] = {}
    for points, weight in _made(way.dice, way.flat, way.most, way.times):
        left = max(0, damage - resistance - max(0, points - ignored))
        found[left] = found.get(left, 0) + weight
    return tuple(found.items())


def _past_ally(damage: int, way: Block) -> Weights:
    """The same for an ally who deflects, with a Resistance of their own."""
    return _past(damage, way._replace(times=1), 0, way.resistance)


class Stand:
    """Where an attack stands that was stopped so far in one way: what came of each damage from here."""

    __slots__ = ("absorbed", "blocked", "shield", "so_far", "ways")

    def __init__(self, so_far: SoFar, shield: Shield, blocks: Iterable[Block] = ()) -> None:
        self.so_far, self.shield = so_far, shield
        self.blocked: dict[int, Ending] = {}
        self.absorbed: dict[int, Ending] = {}
        self.ways = [(way, Stand(*_stopped(way, so_far, shield))) for way in blocks]

    def absorptions(self, damage: int) -> list[Attack]:
        """Every way in which damage that is past all blocks can arrive."""
        found, shield = [done(self.so_far, damage)], self.shield
        if damage and shield.absorptions:
            for way in affordable(shield.absorptions, shield):
                absorbed = self.so_far.stopped_by(way, shield)._replace(absorbed=way.name)
                found.append(done(absorbed, max(0, damage - way.absorbs)))
        return found


def _stopped(way: Block, so_far: SoFar, shield: Shield) -> tuple[SoFar, Shield]:
    """What has come of an attack that is blocked, and what the target then has left."""
    after = shield._replace(left=max(0, shield.left - way.points))
    return so_far.stopped_by(way, shield)._replace(block=way.name), after


class Harms:
    """The odds of `stage.hurt`: whoever attacks may roll the damage again, an ally of the target may deflect it, the
    target may block and absorb it; each as it serves them."""

    def __init__(
        self,
        dice: int,
        modifier: int,
        extra: int,
        other: int,
        ignores: int,
        shield: Shield,
        empty_second_roll: EmptySecondRoll,
        so_far: SoFar,
        reroll: int,
        rerolls: int,
    ) -> None:
        self.dealt = _dealt(dice, modifier, extra, empty_second_roll)
        self.others = _dealt(other, 0, 0, empty_second_roll) if other else ((so_far.other, 1),)
        self.resistance, self.ignored = max(0, shield.resistance - ignores), max(0, ignores - shield.resistance)
        self.shield, self.so_far = shield, so_far
        self.reroll, self.rerolls = reroll, rerolls if dice or extra else 0
        self.blocks = affordable(shield.blocks, shield)

    @property
    def deciding(self) -> bool:
        """Whether there is anything to choose."""
        shield = self.shield
        if self.rerolls or shield.deflections:
            return True
        arrives = max(self.dealt)[0] > self.resistance
        return arrives and bool(self.blocks or affordable(shield.absorptions, shield))

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction(0)

    @property
    def work(self) -> int:
        """Some steps for each damage and each way to stop it."""
        shield = self.shield
        ways = (1 + len(shield.deflections)) * (1 + len(self.blocks)) * (1 + len(shield.absorptions))
        return len(self.dealt) * len(self.others) * (1 + self.rerolls) * ways

    # ------------------------------------------------------------------ everything that could be

    def support(self) -> Sequence[Attack]:
        """Everything that some choices can bring about."""
        found: dict[Attack, None] = {}
        for other, _ in self.others:
            so_far = self.so_far._replace(other=other)
            for _ in range(self.rerolls + 1):
                arrives = {max(0, damage - self.resistance) for damage, _ in self.dealt}
                found.update(dict.fromkeys(self._all_blocked(arrives, so_far)))
                for way in self.shield.deflections:
                    reached = [left for damage, _ in self.dealt for left, _ in _past_ally(damage, way)]
                    after = {max(0, left - self.resistance) for left in reached}
                    found.update(dict.fromkeys(self._all_blocked(after, so_far.deflected_by(way))))
                so_far = so_far.rolled_again(self.reroll)
        return tuple(found)

    def _all_blocked(self, damages: set[int], so_far: SoFar) -> Iterator[Attack]:
        here = Stand(so_far, self.shield, self.blocks)
        for damage in sorted(damages):
            yield from here.absorptions(damage)
        for way, after in here.ways:
            reached = {left for damage in damages if damage for left, _ in _past(damage, way, self.ignored, 0)}
            for left in sorted(reached):
                yield from after.absorptions(left)

    # ------------------------------------------------------------------ deciding

    def best(self, value: Value | None) -> Dist[Attack]:
        """The distribution when every choice serves ``value``; without one nothing is spent."""
        self._value = value
        groups: dict[int, dict[Attack, int]] = {}
        for other, times in self.others:
            for attack, weight, total in self._rolled(self.so_far._replace(other=other), self.rerolls)[1]:
                group = groups.setdefault(total, {})
                group[attack] = group.get(attack, 0) + weight * times
        common = lcm(*groups)
        counts: dict[Attack, int] = {}
        for total, group in groups.items():
            for attack, weight in group.items():
                counts[attack] = counts.get(attack, 0) + weight * (common // total)
        return Dist(list(counts.items()))

    def _rolled(self, so_far: SoFar, rerolls: int) -> tuple[float, list[tuple[Attack, int, int]]]:
        """What the roll of the damage is worth to the attacker, and its ends, each weight with what it is out of."""
        out_of = sum([weight for _, weight in self.dealt])
        again: tuple[float, list[tuple[Attack, int, int]]] | None = None
        blocks, deflections = (self.blocks, self.shield.deflections) if self._value is not None else ((), ())
        here = Stand(so_far, self.shield, blocks)
        allies = [(way, Stand(so_far.deflected_by(way), self.shield, blocks)) for way in deflections]
        if rerolls and self._value is not None:
            again = self._rolled(so_far.rolled_again(self.reroll), rerolls - 1)
        found: list[tuple[Attack, int, int]] = []
        worth = 0.0
        for damage, weight in self.dealt:
            kept = self._deflected(damage, here, allies)
            if again is not None and _is_more(again[0], kept.worth):
                worth += again[0] * weight
                found += [(attack, part * weight, total * out_of) for attack, part, total in again[1]]
            else:
                worth += kept.worth * weight
                found += [(attack, part * weight, kept.total * out_of) for attack, part in kept.ends]
        return worth / out_of, found

    def _deflected(self, damage: int, here: Stand, allies: list[tuple[Block, Stand]]) -> Ending:
        ending = self._blocked(max(0, damage - self.resistance), here)
        for way, after in allies:
            lefts = _past_ally(damage, way)
            parts = [(self._blocked(max(0, left - self.resistance), after), weight) for left, weight in lefts]
            ending = _lower(ending, _mixed(parts))
        return ending

    def _blocked(self, damage: int, here: Stand) -> Ending:
        ending = here.blocked.get(damage)
        if ending is None:
            ending = self._absorbed(damage, here)
            for way, after in here.ways if damage else ():
                lefts = _past(damage, way, self.ignored, 0)
                ending = _lower(ending, _mixed([(self._absorbed(left, after), weight) for left, weight in lefts]))
            here.blocked[damage] = ending
        return ending

    def _absorbed(self, damage: int, here: Stand) -> Ending:
        ending = here.absorbed.get(damage)
        if ending is None:
            offered, value = here.absorptions(damage), self._value
            ending = Ending(0.0 if value is None else float(value(offered[0])), ((offered[0], 1),), 1)
            for attack in offered[1:] if value is not None else ():
                ending = _lower(ending, Ending(float(value(attack)), ((attack, 1),), 1))  # type: ignore[misc]
            here.absorbed[damage] = ending
        return ending


def _mixed(parts: list[tuple[Ending, int]]) -> Ending:
    """Several endings, each with its weight, as one."""
    out_of = sum([weight for _, weight in parts])
    common = lcm(*[part.total for part, _ in parts])
    worth = sum([part.worth * weight for part, weight in parts]) / out_of
    ends = [(attack, own * weight * (common // part.total)) for part, weight in parts for attack, own in part.ends]
    return Ending(worth, tuple(ends), common * out_of)


def _lower(first: Ending, second: Ending) -> Ending:
    """The ending that leaves the attacker less; the first of equals."""
    return second if _is_more(first.worth, second.worth) else first


def _is_more(first: float, second: float) -> bool:
    """Whether a worth is higher than another by more than floats err."""
    return first - second > 1e-12 * max(1.0, abs(first), abs(second))
