"""Character and Fate Points inside a roll, and the terms that all rolls of a fight share.

A Fate Point doubles what is the roller's own, and each Character Point is a die more; the rules of `attack.py` and its
parts ask for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import Param, Request, Role, become, choose, finish, mechanic, yes_no
from tablewright.engine import roll as throw_dice
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.checks import Bonus, roll
from tablewright.systems.opend6.mechanics.dice import (
    LOWEST_CEILING,
    NotPossible,
    PointDice,
    assembled,
    bought_total,
    fate_factor,
)
from tablewright.systems.opend6.mechanics.open_ended import Followed, sum_of
from tablewright.systems.opend6.mechanics.rolls import (
    Fewer,
    How,
    Normalise,
    OnOne,
    Ought,
    Reaches,
    Scope,
    counted,
    fall,
    real_code,
    told_odds,
)
from tablewright.systems.opend6.options import ChallengeLevel, NegativeResistance, Simplification, ZeroRule
from tablewright.systems.opend6.values import (
    MOST_PIPS,
    CriticalFailure,
    DieCode,
    most_character_points,
    points_in_words,
)

NOTHING = DieCode(0)
FATE_PRICE, POINT_PRICE = 8, 2
BEFORE_PRICE = 6
"""Price of points before a roll: above the usual one, since after the roll the needed total is known."""
WORTH: dict[str, int] = {
    "healthy": 0,
    "stunned": 4,
    "wounded": 8,
    "severely_wounded": 12,
    "incapacitated": 20,
    "mortally_wounded": 23,
    "dead": 24,
}
"""Worth of each level of injury against points spent, for bots and advice."""


def point_die(needed: int = LOWEST_CEILING) -> PointDice:
    """A die bought with a Character Point after the roll, where nothing beyond a number counts."""
    return PointDice(1, max(LOWEST_CEILING, needed))


MOST_FATE = 3
"""Most Fate Points on one roll of a fight, where several may go on it."""

V = TypeVar("V")


# ---------------------------------------------------------------------- points


class Purse(NamedTuple):
    """Points of a roller, and whether a Fate Point doubles all rolls of the round already."""

    points: Annotated[int, Param("Character Points that the roller has", 0, 1_000, unseen=0)] = 0
    fate: Annotated[int, Param("Fate Points that the roller has", 0, 1_000, unseen=0)] = 0
    doubled: Annotated[bool, Param("whether all of the roller's rolls are doubled this round")] = False

    def usable(self, terms: Terms) -> Purse:
        """Points that may go on a roll: a doubled one takes no further Fate Point. [opend6.fate.climactic]"""
        points = self.points if terms.may_add_points(0, self.doubled) else 0
        return Purse(points, self.fate if terms.may_add_fate(self.doubled) else 0, self.doubled)

    def left_after(self, used: Before, terms: Terms) -> int:
        """Character Points that may still go on a roll after those spent before it. [opend6.cp.max_per_roll]"""
        if not terms.may_add_points(used.fate, self.doubled):
            return 0
        return most_character_points(self.points, terms.challenge_level) - used.points


EMPTY = Purse()


class Before(NamedTuple):
    """Points spent before a roll."""

    points: int = 0
    fate: int = 0

    @property
    def id(self) -> str:
        """Id of the option."""
        fate = "fate" if self.fate == 1 else f"{self.fate}_fate"
        parts = [f"{self.points}_points" if self.points else "", fate if self.fate else ""]
        return "_and_".join([part for part in parts if part]) or "nothing"

    @property
    def label(self) -> str:
        """Gain of the option in words."""
        more = "a die more" if self.points == 1 else f"{self.points} dice more"
        fate = "all doubled" if self.fate == 1 else f"all times {self.fate + 1} and more"
        return " and ".join([more] * (self.points > 0) + [fate] * (self.fate > 0)) or "nothing"

    @property
    def cost(self) -> str:
        """Cost of the option in words."""
        return points_in_words(self.points, self.fate)


def spendable_before(purse: Purse, code: Callable[[int], DieCode | None], terms: Terms) -> list[Before]:
    """Options of spending before a roll: nothing, Character Points, a Fate Point, or both where the table allows it."""
    most = most_character_points(purse.points, terms.challenge_level)
    found = [Before(points) for points in range(most + 1)] if code(0) is not None else []
    for fate in range(1, terms.most_fate(purse.fate) + 1):
        if code(fate) is not None:
            found.append(Before(0, fate))
            if terms.allow_mixing:  # opend6.points.no_mixing
                found += [Before(points, fate) for points in range(1, most + 1)]
    return found


async def ask_before(purse: Purse, code: Callable[[int], DieCode | None], terms: Terms, what: str) -> Before:
    """Ask for points before a roll; refuse if there are no dice to roll."""
    found = spendable_before(purse, code, terms)
    if not found:
        raise IllegalActionError("nothing can be done with a code that is used up", rule="opend6.map.zero_rule")
    return await choose(Role.ACTOR, f"spend points before the {what}", found) if len(found) > 1 else found[0]


# ---------------------------------------------------------------------- the roll


def thrown_as(
    code: DieCode, points: int, how: How, read: Callable[[int, bool], V], *, highest: int | None = None, beyond: int = 0
) -> Request[V]:
    """The total of a code with points already spent on it, and whether a complication comes with it; narrowed.

    ``highest`` and ``beyond`` are those of :func:`~.rolls.fall`. A Critical Failure left to the game master cancels.
    """
    tells = how.on_one == "complication"
    how = how._replace(critical_failure="cancel") if how.on_one == "ask" else how
    least = 0 if real_code(code, how)[0].dice < 1 else -MOST_PIPS
    if not tells:
        return counted(code, points, how, lambda shown: read(max(least, shown), False), highest=highest, beyond=beyond)
    falls = fall(code, 0, points, how, lambda shown: max(least, shown), highest=highest, beyond=beyond)
    return falls.map(lambda fallen: read(fallen.added, fallen.critical_failure))


Injury: TypeAlias = Literal["wounds", "body_points"]
Stacking: TypeAlias = Literal["off", "additive", "geometric"]


class Terms(NamedTuple):
    """Settings of rolls in fights."""

    critical_failure: OnOne = "cancel"
    cancel_scope: Scope = "wild_and_highest"
    cancel_reaches_cp_dice: Reaches = False
    normalise_rolled_pips: Normalise = False
    simplification: Fewer = "none"
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic"
    allow_mixing: Annotated[bool, Param("whether both kinds of points may go on one roll")] = False
    zero_rule: Annotated[ZeroRule, Param("when a code that penalties have eaten up cannot be used")] = (
        "own_code_below_1d"
    )
    injury: Annotated[Injury, Param("whether Wound levels or Body Points are lost")] = "wounds"
    negative_resistance: Annotated[NegativeResistance, Param("what a resistance below zero does")] = "zero"
    killing_blow: Annotated[bool, Param("whether a blow that alone wounds mortally is death at once")] = False
    fate_stacking: Annotated[Stacking, Param("what several Fate Points on one roll do; off for one at most")] = "off"
    ought_to_succeed: Ought = True
    their_simplification: Annotated[
        Simplification | None, Param("how fewer dice are rolled for the resistance; as for the attack unless said")
    ] = None
    they_ought_to_succeed: Annotated[
        bool, Param("for a quick conversion: whether the resistance ought to succeed (4 a die) or fail (3)")
    ] = False

    def factor(self, fate: int, doubled: bool = False) -> int:
        """Multiplier by Fate Points of the character's own code. [opend6.fate.double, opend6.fate.extra_on_one_roll]

        >>> Terms().factor(1), Terms(fate_stacking="geometric").factor(2), Terms().factor(0, doubled=True)
        (2, 4, 2)
        >>> Terms(fate_stacking="additive").factor(1, doubled=True)  # beside the one that doubles the whole round
        3
        """
        points = max(fate, int(doubled)) if self.fate_stacking == "off" else fate + doubled
        return fate_factor(points, "geometric" if self.fate_stacking == "geometric" else "additive")

    def most_fate(self, owned: int) -> int:
        """Most Fate Points on one roll. [opend6.fate.per_roll_limit]"""
        return min(owned, 1 if self.fate_stacking == "off" else MOST_FATE)

    def may_add_fate(self, doubled: bool) -> bool:
        """True if a Fate Point may go on a roll, perhaps beside one that doubles all of the round.

        [opend6.fate.climactic]
        """
        return not doubled or self.fate_stacking != "off"

    def may_add_points(self, fate: int, doubled: bool = False) -> bool:
        """True if Character Points may go on a roll: not beside a Fate Point, be it one that doubles the whole round.

        [opend6.points.no_mixing, opend6.fate.climactic]
        """
        return self.allow_mixing or not (fate or doubled)

    def resisting(self) -> How | None:
        """The settings of the resistance roll where they are not those of the other rolls."""
        if self.their_simplification is None and not self.they_ought_to_succeed:
            return None
        fewer = self.simplification if self.their_simplification is None else self.their_simplification
        return self.how()._replace(simplification=fewer, ought_to_succeed=self.they_ought_to_succeed)

    def how(self) -> How:
        """The settings of one roll. A Critical Failure left to the game master cancels, save in attack rolls."""
        known = _hows.get(id(self))
        if known is not None and known[0] is self:
            return known[1]
        found = How(
            "cancel" if self.critical_failure == "ask" else self.critical_failure,
            self.cancel_scope,
            self.cancel_reaches_cp_dice,
            self.normalise_rolled_pips,
            self.simplification,
            self.ought_to_succeed,
        )
        if len(_hows) >= MOST_HOWS:
            _hows.clear()
        _hows[id(self)] = (self, found)
        return found


class Throw(NamedTuple):
    """A roll of an attribute or skill with all its modifiers."""

    code: Annotated[DieCode, Param("the roller's own code: skill or attribute")]
    penalty: Annotated[int, Param("penalty dice: other actions of the round, wounds", 0, 50)] = 0
    bonus: Annotated[DieCode, Param("bonus dice from outside: aiming, preparing, surprise, tools")] = NOTHING
    plain: Bonus = 0
    own_bonus: Annotated[int, Param("what the roller's abilities add to the total", -200, 200)] = 0

    def rolled(self, fate: int, doubled: bool, terms: Terms) -> DieCode | None:
        """Code that is rolled with a number of Fate Points; None if no die is left."""
        factor = terms.factor(fate, doubled)
        found = assembled(self.code, factor=factor, penalty=self.penalty, bonus=self.bonus, zero_rule=terms.zero_rule)
        return None if isinstance(found, NotPossible) else found

    def number(self, fate: int, doubled: bool, terms: Terms) -> int:
        """Plain numbers on the total; Fate Points double what belongs to the character."""
        return self.plain + self.own_bonus * terms.factor(fate, doubled)

    async def begun(self, purse: Purse, terms: Terms, what: str) -> tuple[Before, DieCode, int]:
        """Ask for points before the roll; return them, the code to roll and the number added to its total."""
        doubled = purse.doubled
        used = await ask_before(purse.usable(terms), lambda fate: self.rolled(fate, doubled, terms), terms, what)
        rolled = self.rolled(used.fate, doubled, terms)
        assert rolled is not None
        return used, rolled, self.number(used.fate, doubled, terms)


TERMS = Terms()
MOST_HOWS = 256
_hows: dict[int, tuple[Terms, How]] = {}
"""Settings of a roll by terms, so that equal calls share the very same settings."""


# ---------------------------------------------------------------------- rolls with points


class Aimed(NamedTuple):
    """A roll before its result is declared; ``enough`` says that it reaches the assumed difficulty."""

    total: int
    enough: bool
    points: int = 0
    fate: int = 0
    complication: bool = False


def thrifty(aimed: Aimed) -> int:
    """Worth of a roll that is enough, less the points spent before it."""
    return WORTH["wounded"] * aimed.enough - BEFORE_PRICE * aimed.points - FATE_PRICE * aimed.fate


async def aimed(thrown: Throw, assumed: int, purse: Purse, terms: Terms, what: str) -> Aimed:
    """A roll with points spent before it."""
    used, rolled, plus = await thrown.begun(purse, terms, what)
    how = terms.how()._replace(critical_failure=terms.critical_failure)
    if how.on_one == "ask" and rolled.dice >= 1:
        one = await roll(rolled, plus, used.points, how)
        failed = one.critical_failure is CriticalFailure.COMPLICATION
        return Aimed(one.total, one.total >= assumed, *used, failed)

    def read(shown: int, complication: bool) -> Aimed:
        return Aimed(shown + plus, shown + plus >= assumed, *used, complication)

    return await finish(thrown_as(rolled, used.points, how, read, beyond=assumed - plus))


@mechanic(
    rules=["opend6.check.roll_assembly", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={"thrifty": thrifty, "total": lambda aimed: aimed.total},
)
async def skill_roll(
    throw: Throw,
    assumed: Annotated[int, Param("the difficulty that the roller reckons with", 0, 500)] = 10,
    purse: Purse = EMPTY,
    terms: Terms = TERMS,
) -> Aimed:
    """Roll for something in a fight that is no attack, such as a defence, with everything spent before the roll."""
    return await aimed(throw, assumed, purse, terms, "roll")


class Mended(NamedTuple):
    """Gain from Character Points after a roll, and their number."""

    gain: int = 0
    points: int = 0
    enough: bool = False


TOLD_GAIN = 60
"""The gain from Character Points after a roll up to which each number is told."""


def _gains(most: int) -> Mapping[Any, Fraction]:
    return bought_total(1).numbers(0, most)


def gain_die(gain: int, missing: int = 0, told: int = TOLD_GAIN) -> Request[int]:
    """A die bought with a Character Point after the roll, on top of a gain; all beyond a told gain count as one."""
    most = max(missing, told - int(gain))
    return throw_dice(point_die()).weighed_as(throw_dice(Followed(_gains, (most,))))


def _mended_odds(*given: Any) -> Any:
    return told_odds(mended(*given, TOLD_GAIN), "gain", TOLD_GAIN)


@mechanic(
    rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.cp.max_per_roll"],
    objectives={"thrifty": lambda mended: WORTH["wounded"] * mended.enough - POINT_PRICE * mended.points},
    closed=_mended_odds,
)
async def mend(
    missing: Annotated[int, Param("by how much a total misses what is reckoned with", 0, 1_000)],
    left: Annotated[int, Param("Character Points that may still go on the roll", 0, 1_000, unseen=0)],
    gain: Annotated[int, Param("what was gained so far")] = 0,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
    open_ended: Annotated[bool, Param("whether nothing says when it is enough")] = False,
) -> Mended:
    """Spend Character Points on a roll that is made, one after the other, as long as it is not enough."""
    return await become(mended(missing, left, gain, spent, open_ended, 0))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.cp.max_per_roll"])
async def mended(missing: int, left: int, gain: int, spent: int, open_ended: bool, told: int) -> Mended:
    """Ask for one Character Point after the other.

    ``told`` is the gain up to which odds tell each number; to decide, all that is enough counts as one.
    """
    if not left or not (missing or open_ended):
        return Mended(gain, spent, not missing)
    about = {"missing": missing} if missing else {}
    if not await yes_no(Role.ACTOR, "another Character Point", cost_text="1 Character Point", details=about):
        return Mended(gain, spent, not missing)
    return await gain_die(gain, missing, told).into(
        lambda shown: mended(max(0, missing - int(shown)), left - 1, sum_of(gain, shown), spent + 1, open_ended, told)
    )
