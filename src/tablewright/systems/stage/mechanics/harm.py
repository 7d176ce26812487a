"""Mechanics of damage, injury and their aftermath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Annotated, NamedTuple, TypeAlias

from tablewright.dice import Dist, PoolShowing, Sum, SumShown
from tablewright.engine import Param
from tablewright.engine.mechanic import Value
from tablewright.systems.stage.mechanics.checks import SIX, without_dice
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS, Block, Shield, Unwritten
from tablewright.systems.stage.options import EmptySecondRoll
from tablewright.systems.stage.values import FEWEST_DICE, LOWEST_RESULT


class Attack(NamedTuple):
    """Result of an attack: the damage, the form, the defence and block against it, and their costs.

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
    rerolled: int = 0
    own_rerolls: int = 0
    last: str = ""


class Damage(NamedTuple):
    """Dice of a hit's damage, and the armour that they ignore."""

    dice: Annotated[int, Param("dice of the second roll", 0, 60)]
    modifier: Annotated[int, Param("flat modifiers of the second roll", -60, 60)]
    extra: Annotated[int, Param("dice of damage besides the second roll", 0, 20)]
    other: Annotated[int, Param("dice of damage of another kind", 0, 20)]
    ignores: Annotated[int, Param("Resistance and Defense Points that are ignored", 0, 20)]


class Rerolls(NamedTuple):
    """Price and number of rerolls of the damage."""

    reroll: Annotated[int, Param("the price of rolling the damage again", 0, 20)] = 0
    rerolls: Annotated[int, Param("the number of rerolls", 0, MOST_REROLLS)] = 0


NO_REROLLS = Rerolls()


class SoFar(Unwritten, Attack):
    """An attack in progress."""

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


@lru_cache(maxsize=65_536)
def done(so_far: Attack, damage: int) -> Attack:
    """The attack with the damage that arrives; equal ones are one object, which is quicker to compare."""
    return Attack(so_far.hit, damage, *so_far[2:])


def payable(points: int, left: int, may_pay_last: bool) -> bool:
    """Whether a cost can be paid: from the surface track and then from the core, the last point only where allowed.

    >>> payable(1, 1, True), payable(1, 1, False), payable(2, 1, True), payable(0, 0, False)
    (True, False, False, True)
    """
    return points == 0 or points < left or (may_pay_last and points == left)


def affordable(ways: Iterable[Block], shield: Shield) -> list[Block]:
    """The ways to stop damage that the target can pay."""
    last = shield.may_pay_last
    return [
        way
        for way in ways
        if payable(way.points, shield.left, last) and payable(way.others, shield.others, last) and way.ap <= shield.ap
    ]


def last_of(points: int, shield: Shield) -> str:
    """Whether a cost takes the last point that the target has: how the results say it."""
    return "paid" if points and points >= shield.left else ""


# ---------------------------------------------------------------------- the odds of what a hit does

Weights: TypeAlias = tuple[tuple[int, int], ...]


Mass: TypeAlias = dict[tuple[int, int], int]
"""Distribution of damage: weights by damage, and their total."""


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
def _made(dice: int, flat: int, most: int, times: int, botches: bool) -> Weights:
    """Every number of Defense Points that a block makes, with its weight; a botch makes the fewest."""
    rolled = PoolShowing(max(FEWEST_DICE, dice), SIX).weigh()

    def points_of(made: SumShown) -> int:
        return min(LOWEST_RESULT if botches and made.shown else max(LOWEST_RESULT, made.sum + flat), most)

    points = rolled.map(points_of)
    return tuple((points + points if times > 1 else points).items())


@lru_cache(maxsize=16_384)
def _past(damage: int, way: Block, ignored: int, resistance: int, botches: bool) -> tuple[Weights, int]:
    """Distribution of the damage left after a block with its Resistance: weights, and their total."""
    found: dict[int, int] = {}
    for points, weight in _made(way.dice, way.flat, way.most, way.times, botches):
        left = max(0, damage - resistance - max(0, points - ignored))
        found[left] = found.get(left, 0) + weight
    return tuple(found.items()), sum(found.values())


def _past_ally(damage: int, way: Block, botches: bool) -> tuple[Weights, int]:
    """The same for an ally who deflects, with a Resistance of their own."""
    return _past(damage, way._replace(times=1), 0, way.resistance, botches)


class Stand:
    """State of an attack after one way of stopping it: the outcome of each damage from here.

    ``chosen`` has the worth of each damage that may be blocked, and with which of the ways; ``ends`` the worth of each
    that may only be absorbed, and its end, ``worths`` that worth alone. ``blocked`` and ``arrived`` are how much of all
    rolls comes here.
    """

    __slots__ = ("arrived", "blocked", "chosen", "ends", "shield", "so_far", "ways", "worths")

    def __init__(self, so_far: SoFar, shield: Shield, blocks: Iterable[Block] = ()) -> None:
        self.so_far, self.shield = so_far, shield
        self.chosen: dict[int, tuple[float, int]] = {}
        self.ends: dict[int, tuple[float, Attack]] = {}
        self.worths: dict[int, float] = {}
        self.blocked: Mass = {}
        self.arrived: Mass = {}
        self.ways = [(way, Stand(*_stopped(way, so_far, shield))) for way in blocks]

    def absorptions(self, damage: int) -> list[Attack]:
        """Every way in which damage that is past all blocks can arrive."""
        found, shield = [done(self.so_far, damage)], self.shield
        if damage and shield.absorptions:
            for way in affordable(shield.absorptions, shield):
                absorbed = self.so_far.stopped_by(way, shield)._replace(absorbed=way.name)
                found.append(done(absorbed, max(0, damage - way.absorbs)))
        return found


class Roll:
    """One roll of the damage: where it leads without and with each ally who deflects it, and what it is worth."""

    __slots__ = ("allies", "chosen", "here", "worth")

    def __init__(self, here: Stand, allies: list[tuple[Block, Stand]]) -> None:
        self.here, self.allies = here, allies
        self.chosen: dict[int, tuple[float, int]] = {}
        self.worth = 0.0


def _stopped(way: Block, so_far: SoFar, shield: Shield) -> tuple[SoFar, Shield]:
    """Result of a blocked attack, and the points that the target has left."""
    return so_far.stopped_by(way, shield)._replace(block=way.name), shield.after(way)


class Harms:
    """The odds of `stage.hurt`: whoever attacks may roll the damage again, an ally of the target may deflect it, the
    target may block and absorb it; each as it serves them."""

    def __init__(
        self, damage: Damage, shield: Shield, empty_second_roll: EmptySecondRoll, so_far: SoFar, more: Rerolls
    ) -> None:
        dice, modifier, extra, other, ignores = damage
        self.dealt = _dealt(dice, modifier, extra, empty_second_roll)
        self.others = _dealt(other, 0, 0, empty_second_roll) if other else ((so_far.other, 1),)
        self.resistance, self.ignored = max(0, shield.resistance - ignores), max(0, ignores - shield.resistance)
        self.shield, self.so_far = shield, so_far
        self.reroll, self.rerolls = more.reroll, more.rerolls if dice or extra else 0
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
                    reached = [
                        left
                        for damage, _ in self.dealt
                        for left, _ in _past_ally(damage, way, self.shield.can_be_botched(way))[0]
                    ]
                    after = {max(0, left - self.resistance) for left in reached}
                    found.update(dict.fromkeys(self._all_blocked(after, so_far.deflected_by(way))))
                so_far = so_far.rolled_again(self.reroll)
        return tuple(found)

    def _all_blocked(self, damages: set[int], so_far: SoFar) -> Iterator[Attack]:
        here = Stand(so_far, self.shield, self.blocks)
        for damage in sorted(damages):
            yield from here.absorptions(damage)
        for way, after in here.ways:
            reached = {
                left
                for damage in damages
                if damage
                for left, _ in _past(damage, way, self.ignored, 0, self.shield.can_be_botched(way))[0]
            }
            for left in sorted(reached):
                yield from after.absorptions(left)

    # ------------------------------------------------------------------ deciding

    def best(self, value: Value | None) -> Dist[Attack]:
        """The distribution when every choice serves ``value``; without one nothing is spent."""
        self._value = value
        out_of = sum([times for _, times in self.others])
        groups: dict[int, dict[Attack, int]] = {}
        for other, times in self.others:
            rolls = self._decided(self.so_far._replace(other=other))
            self._thrown(rolls, times, out_of)
            for roll in rolls:
                for stand in (roll.here, *[ally for _, ally in roll.allies]):
                    self._collect(stand, groups)
        common = lcm(*groups)
        counts: dict[Attack, int] = {}
        for total, group in groups.items():
            for attack, weight in group.items():
                counts[attack] = counts.get(attack, 0) + weight * (common // total)
        return Dist(list(counts.items()))

    def _decided(self, so_far: SoFar) -> list[Roll]:
        """The rolls of the damage one after the other, each with what is chosen after it."""
        choosing = self._value is not None
        blocks, deflections = (self.blocks, self.shield.deflections) if choosing else ((), ())
        rolls: list[Roll] = []
        for _ in range(self.rerolls + 1 if choosing else 1):
            allies = [(way, Stand(so_far.deflected_by(way), self.shield, blocks)) for way in deflections]
            rolls.append(Roll(Stand(so_far, self.shield, blocks), allies))
            so_far = so_far.rolled_again(self.reroll)
        out_of = sum([weight for _, weight in self.dealt])
        again: float | None = None
        for roll in reversed(rolls):
            total = 0.0
            for damage, weight in self.dealt:
                kept, which = self._deflected(damage, roll)
                if again is not None and is_more(again, kept):
                    kept, which = again, ROLLED_AGAIN
                roll.chosen[damage] = kept, which
                total += kept * weight
            again = roll.worth = total / out_of
        return rolls

    def _deflected(self, damage: int, roll: Roll) -> tuple[float, int]:
        least, which = self._blocked(max(0, damage - self.resistance), roll.here)[0], AS_IT_IS
        for at, (way, after) in enumerate(roll.allies):
            lefts, out_of = _past_ally(damage, way, self.shield.can_be_botched(way))
            total = sum([self._blocked(max(0, left - self.resistance), after)[0] * weight for left, weight in lefts])
            worth = total / out_of
            if is_more(least, worth):
                least, which = worth, at
        return least, which

    def _blocked(self, damage: int, here: Stand) -> tuple[float, int]:
        known = here.chosen.get(damage)
        if known is None:
            least, which = self._absorbed(damage, here)[0], AS_IT_IS
            for at, (way, after) in enumerate(here.ways if damage else ()):
                lefts, out_of = _past(damage, way, self.ignored, 0, self.shield.can_be_botched(way))
                worths = after.worths
                try:
                    total = sum([worths[left] * weight for left, weight in lefts])
                except KeyError:
                    total = sum([self._absorbed(left, after)[0] * weight for left, weight in lefts])
                worth = total / out_of
                if is_more(least, worth):
                    least, which = worth, at
            known = here.chosen[damage] = least, which
        return known

    def _absorbed(self, damage: int, here: Stand) -> tuple[float, Attack]:
        known = here.ends.get(damage)
        if known is None:
            offered, value = here.absorptions(damage), self._value
            if value is None:
                known = 0.0, offered[0]
            else:
                known = float(value(offered[0])), offered[0]
                for attack in offered[1:]:
                    worth = float(value(attack))
                    known = (worth, attack) if is_more(known[0], worth) else known
            here.ends[damage], here.worths[damage] = known, known[0]
        return known

    # ------------------------------------------------------------------ how often each end is reached

    def _thrown(self, rolls: list[Roll], weight: int, out_of: int) -> None:
        """Let all rolls go where they were decided to go, roll after roll."""
        total = sum([times for _, times in self.dealt])
        for roll in rolls:
            out_of *= total
            again = 0
            for damage, times in self.dealt:
                which = roll.chosen[damage][1]
                if which == ROLLED_AGAIN:
                    again += weight * times
                elif which == AS_IT_IS:
                    _add(roll.here.blocked, max(0, damage - self.resistance), out_of, weight * times)
                else:
                    way, after = roll.allies[which]
                    lefts, parts = _past_ally(damage, way, self.shield.can_be_botched(way))
                    for left, part in lefts:
                        _add(after.blocked, max(0, left - self.resistance), out_of * parts, weight * times * part)
            if not again:
                break
            weight = again

    def _collect(self, here: Stand, groups: dict[int, dict[Attack, int]]) -> None:
        """The ends of everything that has come to where it may be blocked."""
        for (damage, out_of), weight in here.blocked.items():
            which = self._blocked(damage, here)[1]
            if which == AS_IT_IS:
                _add(here.arrived, damage, out_of, weight)
                continue
            way, after = here.ways[which]
            lefts, parts = _past(damage, way, self.ignored, 0, self.shield.can_be_botched(way))
            for left, part in lefts:
                _add(after.arrived, left, out_of * parts, weight * part)
        for stand in (here, *[after for _, after in here.ways]):
            for (damage, out_of), weight in stand.arrived.items():
                attack = self._absorbed(damage, stand)[1]
                group = groups.setdefault(out_of, {})
                group[attack] = group.get(attack, 0) + weight


AS_IT_IS, ROLLED_AGAIN = -1, -2
"""Options besides the ways to block: take the damage, or have it rolled again."""


def _add(mass: Mass, damage: int, out_of: int, weight: int) -> None:
    key = (damage, out_of)
    mass[key] = mass.get(key, 0) + weight


def is_more(first: float, second: float) -> bool:
    """Whether a worth is higher than another by more than floats err."""
    return first - second > 1e-12 * max(1.0, abs(first), abs(second))
