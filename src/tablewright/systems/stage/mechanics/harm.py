"""Mechanics of damage, injury and their aftermath."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, NamedTuple

from tablewright.engine import Param
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS, Block, Shield, Unwritten


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


@lru_cache(maxsize=4_096)
def stopped_by(so_far: SoFar, way: Block, shield: Shield, block: str = "", absorbed: str = "") -> SoFar:
    """The target has paid for a way to stop an attack: the name of a block, or of a power that absorbs it."""
    points, last = so_far.points + way.others + way.points, so_far.last or last_of(way.points, shield)
    names = (block or so_far.block, absorbed or so_far.absorbed)
    return so_far._replace(ap=so_far.ap + way.ap, points=points, last=last, block=names[0], absorbed=names[1])


@lru_cache(maxsize=65_536)
def done(so_far: Attack, damage: int) -> Attack:
    """The attack with the damage that arrives; equal ones are one object, which is quicker to compare."""
    return Attack(so_far.hit, damage, *so_far[2:])


def payable(points: int, left: int, may_pay_last: bool) -> bool:
    """True if a cost can be paid: from the surface track and then from the core, the last point only where allowed.

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
    """True if a cost takes the last point that the target has: how the results say it."""
    return "paid" if points and points >= shield.left else ""
