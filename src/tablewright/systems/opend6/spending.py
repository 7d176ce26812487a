"""One roll of a fight and the points that may go on it: before it, what can be spent; after it, how many are left.

A Fate Point doubles what is the roller's own, and each Character Point is a die more; the rules of `attack.py` and its
parts ask for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tablewright.engine import Ask, Seat, choose, unwritten
from tablewright.engine import roll as throw
from tablewright.errors import RulesSayNo
from tablewright.systems.opend6.dice import PointDice, Thrown, WildRoll
from tablewright.systems.opend6.mechanics import How, known
from tablewright.systems.opend6.pools import NotPossible, assembled
from tablewright.systems.opend6.terms import Terms
from tablewright.systems.opend6.values import DieCode, most_character_points, points_in_words, simplified

NOTHING = DieCode(0)
FURTHER_SIXES = 4
"""How many sixes of a Wild Die totals of a fight count beyond the dice themselves; more count as so many."""

POINT_DIE = PointDice(1, 6 * FURTHER_SIXES, cuts=True)
"""A die bought with a Character Point after the roll."""

V = TypeVar("V")


# ---------------------------------------------------------------------- points


@unwritten
class Purse(NamedTuple):
    """The points that one side has left, and what it has spent on this attack."""

    points: int = 0
    fate: int = 0
    spent: int = 0
    spent_fate: int = 0

    def pay(self, points: int = 0, fate: int = 0) -> Purse:
        """With so much less."""
        return Purse(self.points - points, self.fate - fate, self.spent + points, self.spent_fate + fate)


class Before(NamedTuple):
    """What is spent before a roll."""

    points: int = 0
    fate: int = 0

    @property
    def id(self) -> str:
        """What the option is called."""
        fate = "fate" if self.fate == 1 else f"{self.fate}_fate"
        parts = [f"{self.points}_points" if self.points else "", fate if self.fate else ""]
        return "_and_".join([part for part in parts if part]) or "nothing"

    @property
    def label(self) -> str:
        """What the option gives, in words."""
        more = "a die more" if self.points == 1 else f"{self.points} dice more"
        fate = "all doubled" if self.fate == 1 else f"all times {self.fate + 1} and more"
        return " and ".join([more] * (self.points > 0) + [fate] * (self.fate > 0)) or "nothing"

    @property
    def cost(self) -> str:
        """What it costs, in words."""
        return points_in_words(self.points, self.fate)


def _befores(purse: Purse, code: Callable[[int], DieCode | None], terms: Terms) -> list[Before]:
    """What can be spent before a roll: nothing, Character Points, a Fate Point, or both where the table allows it."""
    most = most_character_points(purse.points, terms.challenge_level)
    found = [Before(points) for points in range(most + 1)] if code(0) is not None else []
    for fate in range(1, terms.most_fate(purse.fate) + 1):
        if code(fate) is not None:
            found.append(Before(0, fate))
            if terms.allow_mixing:  # opend6.points.no_mixing
                found += [Before(points, fate) for points in range(1, most + 1)]
    return found


def left_for(purse: Purse, used: Before, terms: Terms, doubled: bool) -> int:
    """How many Character Points may still go on a roll after what was spent before it. [opend6.cp.max_per_roll]"""
    if not terms.may_add_points(used.fate, doubled):
        return 0
    return most_character_points(purse.points + used.points, terms.challenge_level) - used.points


async def ask_before(purse: Purse, code: Callable[[int], DieCode | None], terms: Terms, what: str) -> Before:
    """Ask what is spent before a roll; where nothing can be rolled at all the rules say no."""
    found = _befores(purse, code, terms)
    if not found:
        raise RulesSayNo("nothing can be done with a code that is used up", rule="opend6.map.zero_rule")
    return await choose(Seat.ACTOR, f"spend points before the {what}", found) if len(found) > 1 else found[0]


# ---------------------------------------------------------------------- the roll


def thrown_as(code: DieCode, points: int, how: How, read: Callable[[int, bool], V]) -> Ask[V]:
    """The total of a code with points already spent on it, and whether a complication comes with it; narrowed."""
    code = code.normalised() if how.normalise_rolled_pips else code
    real, fixed = simplified(code, how.simplification, how.ought_to_succeed)
    plus = real.pips + fixed
    ceiling = 6 * (real.dice + points + FURTHER_SIXES)
    if real.dice < 1 and not points:
        return known(max(0, plus)).map(lambda shown: read(shown, False))
    if real.dice < 1:
        return throw(PointDice(points, ceiling, cuts=True)).map(lambda shown: read(max(0, shown + plus), False))
    cancels, tells = how.on_one == "cancel", how.on_one == "complication"

    def narrow(thrown: Thrown) -> V:
        shown = thrown.cancelled if cancels else thrown.total
        return read(shown + plus, tells and thrown.critical_failure)

    dice = WildRoll(real.dice - 1, points, ceiling, how.cancel_scope, how.cancel_reaches_cp_dice, cuts=True)
    return throw(dice).map(narrow)


@unwritten
class Aiming(NamedTuple):
    """A roll before it is made: the roller's own code, what is taken from it, and what comes from outside."""

    own: DieCode
    penalty: int
    outside: DieCode
    plain: int
    own_bonus: int
    doubled: bool
    terms: Terms

    def code(self, fate: int) -> DieCode | None:
        """What is rolled; none where it cannot be."""
        factor = self.terms.factor(fate, self.doubled)
        found = assembled(
            self.own, factor=factor, penalty=self.penalty, bonus=self.outside, zero_rule=self.terms.zero_rule
        )
        return None if isinstance(found, NotPossible) else found

    def number(self, fate: int) -> int:
        """Plain numbers on the total; what belongs to the character is doubled too."""
        return self.plain + self.own_bonus * self.terms.factor(fate, self.doubled)

    def purse(self, purse: Purse) -> Purse:
        """What may be spent: rolls that are doubled anyway have had their Fate Point. [opend6.fate.climactic]"""
        points = purse.points if self.terms.may_add_points(0, self.doubled) else 0
        return purse._replace(points=points, fate=purse.fate if self.terms.may_add_fate(self.doubled) else 0)
