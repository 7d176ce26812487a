"""Records of an attack: the difficulty, the damage, the points of both sides, and the result."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

from tablewright.engine import Param, internal_argument
from tablewright.systems.opend6.mechanics.dice import fifth_bonus
from tablewright.systems.opend6.mechanics.harm import DEADLY, Body, Protection
from tablewright.systems.opend6.mechanics.points import (
    EMPTY,
    FATE_PRICE,
    NOTHING,
    POINT_PRICE,
    WORTH,
    Before,
    Purse,
    Terms,
    ask_before,
)
from tablewright.systems.opend6.mechanics.rolls import Resistance
from tablewright.systems.opend6.values import DieCode, WoundLevel

LEAST_DIFFICULTY = 3  # opend6.gap.attack.least
FELLED = ("incapacitated", "mortally_wounded", "dead")
MOST_SHORT = 6  # opend6.wild.cf_complication

TOLD_SIXES = 2
"""Sixes beyond the dice of the damage up to which a loss without end is told point by point."""
SETTLED = Fraction(POINT_PRICE, WORTH["dead"])
"""A chance of death, or of escaping it, that is worth less than the cheapest point."""
RARE = Fraction(1, 1_000)
"""The same if every point of damage counts: a point is valued above a thousandth of any damage."""
NEGLIGIBLE = Fraction(1, 10**12)
"""Difference in value below which odds treat two options as equal."""


class Against(NamedTuple):
    """The combat difficulty, and the dice that are rolled for it where the table rolls modifiers."""

    difficulty: Annotated[int, Param("the combat difficulty with all its modifiers", -200, 500)] = 10
    harder: Annotated[int, Param("dice rolled and added to the difficulty", 0, 50)] = 0
    easier: Annotated[int, Param("dice rolled and taken from the difficulty", 0, 50)] = 0

    def total(self, more: int = 0) -> int:
        """The difficulty with so much rolled for it."""
        return max(LEAST_DIFFICULTY, self.difficulty + more)


class Blow(NamedTuple):
    """Damage of a hit: Fate Points double ``damage`` and ``strength_bonus``, nothing else."""

    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")] = NOTHING
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING
    damage_plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0
    fifth: Annotated[bool, Param("whether a fifth of the result points adds to damage")] = True
    halved: Annotated[bool, Param("whether the damage is halved: an edged weapon used flat")] = False
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False
    harmless: Annotated[bool, Param("whether the damage is rolled but not dealt")] = False

    def extra(self, over: int) -> int:
        """Addition to the damage from the result points of a hit. [opend6.result.fifth_damage]"""
        return fifth_bonus(over) if self.fifth else 0

    def code(self, factor: int) -> DieCode:
        """Code of the damage; below 1D nothing is rolled, its pips are dealt. [opend6.fate.external_not_doubled]"""
        own, weapon = self.damage, self.weapon
        return DieCode(max(0, own.dice * factor + weapon.dice), own.pips * factor + weapon.pips)

    def number(self, factor: int, extra: int = 0) -> int:
        """Plain numbers on the damage."""
        return self.damage_plain + self.strength_bonus * factor + extra

    def dealt(self, total: int) -> int:
        """Damage that is dealt of a damage total. [opend6.gap.weapon.flat]"""
        return -(-total // 2) if self.halved else total

    async def begun(self, purse: Purse, terms: Terms) -> tuple[Before, DieCode, int]:
        """Ask for a Fate Point before the damage; gives that, the code that is rolled and the number on its total."""

        def code(fate: int) -> DieCode:
            return self.code(terms.factor(fate, purse.doubled))

        used = Before()
        if code(0).dice >= 1 or code(1).dice >= 1:
            gains = code(1) != code(0) or self.strength_bonus > 0
            fate = purse.fate if gains and terms.may_add_fate(purse.doubled) else 0
            used = await ask_before(Purse(0, fate), code, terms, "damage")
        return used, code(used.fate), self.number(terms.factor(used.fate, purse.doubled))


NO_DAMAGE = Blow()
NOBODY, UNHURT = Protection(), Body()
USUAL = Against()


class TheirPurse(NamedTuple):
    """Points of the target, and whether a Fate Point doubles all its rolls of the round already."""

    their_points: Annotated[int, Param("Character Points that the target has", 0, 1_000, unseen=0)] = 0
    their_fate: Annotated[int, Param("Fate Points that the target has", 0, 1_000, unseen=0)] = 0
    their_doubled: Annotated[bool, Param("whether all of the target's rolls are doubled this round")] = False


THEIRS = TheirPurse()


class Struck(NamedTuple):
    """Result of an attack: hit or miss, the loss, and the points that both sides spent.

    ``level`` is the target's Wound level after it. ``loss`` are Body Points, or with a stun weapon minutes without
    senses. ``damage`` is the total where it is not dealt but has to be known. ``short`` is the margin of a miss with a
    complication, up to that of the gravest one.
    """

    hit: bool
    level: WoundLevel
    loss: int = 0
    damage: int = 0
    points: int = 0
    fate: int = 0
    their_points: int = 0
    their_fate: int = 0
    complication: bool = False
    short: int = 0


def short_by(over: int, complication: bool) -> int:
    """Margin of a miss, as far as a complication goes by it. [opend6.wild.cf_complication]"""
    return min(MOST_SHORT, max(0, -over)) if complication else 0


def harm(struck: Struck) -> int:
    """Worth of an attack to the attacker: harm done, less points spent, plus points that the target spent."""
    mine = POINT_PRICE * struck.points + FATE_PRICE * struck.fate
    theirs = POINT_PRICE * struck.their_points + FATE_PRICE * struck.their_fate
    return WORTH[struck.level] + struck.loss - mine + theirs


@internal_argument
class Spent(NamedTuple):
    """Remaining points of one side, and those spent on this attack."""

    purse: Purse = EMPTY
    points: int = 0
    fate: int = 0

    def pay(self, points: int = 0, fate: int = 0) -> Spent:
        """The same with so much spent."""
        purse = self.purse
        left = Purse(purse.points - points, purse.fate - fate, purse.doubled)
        return Spent(left, self.points + points, self.fate + fate)


@internal_argument
class Fixed(NamedTuple):
    """Everything about the damage and the resistance of a hit that stays the same during an attack."""

    blow: Blow
    protection: Protection
    body: Body
    doubled: bool
    their_doubled: bool
    terms: Terms

    @property
    def deadly(self) -> int | None:
        """The damage beyond which more makes no difference; None where every point counts."""
        return None if self.blow.stun or self.terms.injury != "wounds" else DEADLY

    @property
    def least_chance(self) -> Fraction:
        """Chance below which another Character Point is not worth its price; nearly 0 where points cost nothing."""
        return SETTLED if self.told is None else RARE

    @property
    def told(self) -> int | None:
        """The damage or loss up to which each number is told; None where injuries have an end."""
        if self.deadly and not self.blow.harmless:
            return None
        dice = self.blow.code(self.terms.factor(0, self.doubled)).dice
        return max(DEADLY, 6 * (dice + TOLD_SIXES))

    @property
    def endless(self) -> str:
        """The field of the result that has no end then."""
        return "damage" if self.blow.harmless else "loss"

    def resistance(self, fate: int) -> Resistance:
        """The target's resistance with so many Fate Points."""
        return self.protection.roll(fate, self.their_doubled, self.terms, stun=self.blow.stun)

    def may_spend(self, theirs: Purse) -> bool:
        """True if the target has anything to decide."""
        fate = theirs.fate > 0 and self.terms.may_add_fate(theirs.doubled) and self.protection.resistance.dice > 0
        return fate or (theirs.points > 0 and self.terms.may_add_points(0, theirs.doubled))

    def lost(self, over: int, complication: bool, mine: Spent, theirs: Spent) -> Struck:
        """Result of damage beyond the resistance; a tie hurts no one. [opend6.gap.resistance.tie]"""
        over = over if over > 0 else 0
        level = self.body.after(int(over), self.terms, stun=self.blow.stun)
        return settled(True, level, 0 if self.deadly else over, 0, complication, mine, theirs)


def fixed_of(blow: Blow, protection: Protection, body: Body, mine: Purse, theirs: TheirPurse, terms: Terms) -> Fixed:
    return Fixed(blow, protection, body, mine.doubled, theirs.their_doubled, terms)


def settled(
    hit: bool, level: WoundLevel, loss: int, damage: int, complication: bool, mine: Spent, theirs: Spent
) -> Struck:
    return Struck(hit, level, loss, damage, mine.points, mine.fate, theirs.points, theirs.fate, complication)


@internal_argument
class Rolled(NamedTuple):
    """A roll to hit: its bonus to the damage, or the margin of a miss as a negative number."""

    over: int
    complication: bool
