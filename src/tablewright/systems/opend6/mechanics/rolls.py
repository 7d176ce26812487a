"""One roll: the settings of a table, the dice of a code, and the Critical Failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Dist, OrMore
from tablewright.engine import Call, Param, Request, Role, choose, finish, internal_argument, mechanic
from tablewright.engine import roll as throw
from tablewright.engine.exact.decisions import CallDecision
from tablewright.engine.mechanic import FixedOdds
from tablewright.engine.odds import decision_or_odds
from tablewright.engine.results import DecisionRule
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.dice import (
    LOWEST_CEILING,
    PointDice,
    Thrown,
    WildRoll,
    bought_total,
    counted_total,
)
from tablewright.systems.opend6.mechanics.open_ended import NOTHING as NO_DICE
from tablewright.systems.opend6.mechanics.open_ended import Followed, OpenTotal
from tablewright.systems.opend6.options import CancelScope, CriticalFailureRule, OpenD6Options, Simplification
from tablewright.systems.opend6.values import CriticalFailure, DieCode, simplified

V = TypeVar("V")
R = TypeVar("R")
FURTHER_SIXES = 8
"""Sixes beyond the dice themselves up to which a table of totals tells them one by one."""


OnOne: TypeAlias = Annotated[CriticalFailureRule, Param("what a 1 on the first toss of the Wild Die does")]
Scope: TypeAlias = Annotated[CancelScope, Param("whether the 1 is dropped together with the highest die")]
Reaches: TypeAlias = Annotated[bool, Param("whether a die bought with a Character Point can be dropped")]
Normalise: TypeAlias = Annotated[bool, Param("whether every three pips become a die before the roll")]
Fewer: TypeAlias = Annotated[Simplification, Param("how fewer dice are rolled")]
Remainder: TypeAlias = Annotated[bool, Param("whether pips that are left without any die count as they are")]
Ought: TypeAlias = Annotated[bool, Param("for a quick conversion: whether it ought to succeed (4 a die) or fail (3)")]


class How(NamedTuple):
    """Settings of one roll at a table."""

    critical_failure: OnOne = "cancel"
    cancel_scope: Scope = "wild_and_highest"
    cancel_reaches_cp_dice: Reaches = False
    normalise_rolled_pips: Normalise = False
    simplification: Fewer = "none"
    ought_to_succeed: Ought = True
    bare_pips: Remainder = False

    @classmethod
    def of(
        cls,
        options: OpenD6Options,
        critical_failure: CriticalFailureRule | None = None,
        ought: bool = True,
        *,
        creature: bool = False,
    ) -> How:
        """Settings by the options of a table; the consequence of a Critical Failure may be given for one roll.

        ``creature`` is set for a character of the game master's. [opend6.simplify.quick]
        """
        return cls(
            critical_failure or options.critical_failure,
            options.cancel_scope,
            options.cancel_reaches_cp_dice,
            options.normalise_rolled_pips,
            simplification_for(options, creature=creature),
            ought,
            options.zero_rule == "exactly_zero",
        )

    @property
    def on_one(self) -> CriticalFailureRule:
        """Consequence of a Critical Failure; for a Wild Die rolled alone it is always a complication."""
        return "complication" if self.simplification == "wild_die_only" else self.critical_failure


PLAIN = How()


def simplification_for(options: OpenD6Options, *, creature: bool) -> Simplification:
    """The simplification that holds for one side of a table. [opend6.simplify.quick]"""
    if options.simplification == "quick" and options.quick_for == ("players" if creature else "game_master"):
        return "none"
    return options.simplification


@mechanic(rules=["opend6.simplify.quick", "opend6.map.zero_rule"])
async def known(total: int) -> int:
    """A total for which nothing is thrown."""
    return total


class Fallen(NamedTuple, Generic[V]):
    """Worth of a roll: with all dice added, and with the dice cancelled that a Critical Failure takes."""

    added: V
    critical_failure: bool
    cancelled: V


def rollable(code: DieCode, how: How) -> DieCode:
    """Return a code that can be rolled; refuse one without dice."""
    if code.dice < 1 and not (how.bare_pips and code.pips > 0):
        raise IllegalActionError(f"{code} cannot be rolled: at least 1D is needed", rule="opend6.map.zero_rule")
    return code


def real_code(code: DieCode, how: How) -> tuple[DieCode, int]:
    """The dice that are thrown for a code, and the number on their total."""
    rolled = code.normalised() if how.normalise_rolled_pips else code
    real, fixed = simplified(rolled, how.simplification, how.ought_to_succeed)
    return real, real.pips + fixed


def open_total(code: DieCode, bonus: int, points: int, how: How) -> OpenTotal:
    """The total of a roll in closed form.

    What the game master decides about a Critical Failure counts as it usually does: it cancels.
    """
    real, plus = real_code(code, how)
    if real.dice == 0:
        return bought_total(points).plus(plus + bonus)
    cancels, keeps_one = how.on_one in ("cancel", "ask"), how.cancel_scope == "highest_only"
    return counted_total(real.dice - 1, points, cancels, keeps_one, how.cancel_reaches_cp_dice).plus(plus + bonus)


def fall(
    code: DieCode,
    bonus: int,
    points: int,
    how: How,
    worth: Callable[[int], V],
    *,
    highest: int | None = None,
    beyond: int = 0,
    tells: bool = True,
) -> Request[Fallen[V]]:
    """Ask for the dice of a roll; ``worth`` narrows a total.

    Totals above ``highest`` are all worth the same. Without it totals are told as a table that ends in one line for the
    rest, above ``beyond`` at the earliest.
    ``tells`` is unset where no one wants to know of a Critical Failure beyond what it does to the total.
    """
    real, plus = real_code(code, how)
    plus += bonus
    ceiling, is_open = _ceiling(real.dice + points, plus, highest, beyond), highest is None
    if real.dice == 0 and not points:
        return known(plus).map(lambda total: Fallen(worth(total), False, worth(total)))
    if real.dice == 0:
        return throw(PointDice(points, ceiling, is_open)).map(
            lambda total: Fallen(worth(total + plus), False, worth(total + plus))
        )
    on_one = how.on_one

    def read(thrown: Thrown) -> Fallen[V]:
        if on_one == "ask":
            return Fallen(worth(thrown.total + plus), thrown.critical_failure, worth(thrown.cancelled + plus))
        falls = worth((thrown.cancelled if on_one == "cancel" else thrown.total) + plus)
        return Fallen(falls, thrown.critical_failure and tells, falls)

    dice = WildRoll(real.dice - 1, points, ceiling, how.cancel_scope, how.cancel_reaches_cp_dice, is_open)
    return throw(dice).map(read)


def _ceiling(dice: int, plus: int, highest: int | None, beyond: int) -> int:
    """The total on the dice from which on all is the same, or told as the rest."""
    if highest is None:
        return max(6 * (dice + FURTHER_SIXES), beyond - plus + 1)
    return max(highest - plus + 1, LOWEST_CEILING)


def counted(
    code: DieCode, points: int, how: How, worth: Callable[[int], V], *, highest: int | None = None, beyond: int = 0
) -> Request[V]:
    """Ask for the dice of a roll of which the total alone counts; the parameters are those of :func:`fall`.

    It is weighed by the totals, far fewer than the ways in which the dice can fall.
    """
    real, plus = real_code(code, how)
    if real.dice == 0:
        return fall(code, 0, points, how, worth, highest=highest, beyond=beyond).map(lambda fallen: fallen.added)
    ceiling, is_open = _ceiling(real.dice + points, plus, highest, beyond), highest is None
    cancels, reaches = how.on_one == "cancel", how.cancel_reaches_cp_dice
    dice = WildRoll(real.dice - 1, points, ceiling, how.cancel_scope, reaches, is_open)
    total = (real.dice - 1, points, cancels, how.cancel_scope == "highest_only", reaches)
    thrown = throw(dice).map(lambda thrown: worth((thrown.cancelled if cancels else thrown.total) + plus))
    followed: Request[int] = throw(Followed(_totals, (total, ceiling, is_open)))
    return thrown.weighed_as(followed.map(lambda total: worth(total + plus)))


def _totals(total: tuple[int, int, bool, bool, bool], ceiling: int, is_open: bool) -> Mapping[Any, Fraction]:
    """Chances of the totals of :func:`~.dice.counted_total` up to a ceiling."""
    found = counted_total(*total)
    lowest = min([base for base, _, _ in found.weights])
    return found.table(lowest, max(lowest, ceiling), is_open=is_open)


async def settle(
    falls: Request[Fallen[V]], on_one: CriticalFailureRule, result: Callable[[V, CriticalFailure], R]
) -> R:
    """Throw the dice and settle a Critical Failure; ``result`` makes the result of the rule."""
    if on_one != "ask":
        one = CriticalFailure.CANCEL if on_one == "cancel" else CriticalFailure.COMPLICATION
        none = CriticalFailure.NONE
        return await finish(falls.map(lambda fallen: result(fallen.added, one if fallen.critical_failure else none)))
    fallen = await falls
    if not fallen.critical_failure:
        return result(fallen.added, CriticalFailure.NONE)
    consequences = [CriticalFailure.CANCEL, CriticalFailure.COMPLICATION]
    consequence = await choose(Role.GAME_MASTER, "what the Critical Failure does", consequences)
    return result(fallen.cancelled if consequence is CriticalFailure.CANCEL else fallen.added, consequence)


@internal_argument
class Resistance(NamedTuple):
    """Resistance to damage: a code, a number on its total, and the lowest total.

    ``own`` is how it is rolled where that differs from the roll of the damage.
    """

    code: DieCode
    plus: int
    least: int
    own: How | None = None

    def how(self, damage: How) -> How:
        """Settings of its roll; without its own it ought to fail."""
        return damage._replace(ought_to_succeed=False) if self.own is None else self.own

    def total(self, how: How) -> OpenTotal:
        """The resistance total in closed form."""
        if self.code.dice < 1:
            return NO_DICE.plus(max(self.least, self.code.pips + self.plus))
        return open_total(self.code, self.plus, 0, self.how(how)).floored(self.least)


def excess(damage: DieCode, plus: int, against: Resistance, how: How, deadly: int | None = None) -> dict[int, Fraction]:
    """Chances of damage beyond a resistance, 0 at least; from ``deadly`` on all is the same."""
    dealt = open_total(damage, plus, 0, how).floored(0)
    most = deadly
    if most is None:
        most = 6 * (damage.dice + FURTHER_SIXES) + max(0, damage.pips) - min(0, against.least)
    is_open = deadly is None and damage.dice > 0
    return dealt.over(against.total(how)).table(0, most, is_open=is_open)


# ---------------------------------------------------------------------- results without end


class Told:
    """Odds of a rule with choices whose result has a number without end: from ``top`` on all is one line.

    The rule itself leaves such numbers open; here they are told as the rest of a table, with its exact mean.
    """

    deciding = True
    remainder = Fraction(0)
    work = 1

    def __init__(self, decision: CallDecision, field: str, top: int) -> None:
        self._decision, self._field, self._top = decision, field, top

    def support(self) -> Sequence[Any]:
        """Every outcome; the mean of the rest is known only with the choices."""
        found: dict[Any, None] = {}
        for outcome in self._decision.support():
            number = getattr(outcome, self._field)
            told = OrMore(self._top, Fraction(self._top)) if number >= self._top else int(number)
            found[outcome._replace(**{self._field: told})] = None
        return tuple(found)

    def best(self, value: Callable[[Any], Any] | None) -> Dist[Any]:
        """The distribution with the best choices."""
        return told_up_to(self._decision.best(DecisionRule(value)), self._field, self._top)


def told_up_to(found: Dist[Any], field: str, top: int) -> Dist[Any]:
    """Outcomes with a number in a field, told one by one below ``top`` and as one rest from there on."""
    beyond = [(getattr(outcome, field), weight) for outcome, weight in found.items() if getattr(outcome, field) >= top]
    rest: int = top
    if beyond:
        mean = sum([Fraction(number) * weight for number, weight in beyond], Fraction(0))
        rest = OrMore(top, mean / sum([weight for _, weight in beyond]))
    weights: dict[Any, int] = {}
    for outcome, weight in found.items():
        number = getattr(outcome, field)
        told = outcome._replace(**{field: rest if number >= top else int(number)})
        weights[told] = weights.get(told, 0) + weight
    return Dist.from_dict(weights)


def told_odds(call: Call[Any], field: str, top: int) -> FixedOdds[Any] | Told:
    """Odds of a rule whose result has an unbounded number in a field."""
    found = decision_or_odds(call, by_rule=True)
    return Told(found, field, top) if isinstance(found, CallDecision) else FixedOdds(told_up_to(found, field, top))
