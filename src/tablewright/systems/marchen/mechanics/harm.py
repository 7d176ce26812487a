"""Mechanics of damage, injury and their aftermath.

The actor of these mechanics is the one who suffers; a blow calls them from the other side. A blow has hundreds of ends,
so its odds have a closed form, which a test compares with the rules as they are played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Die, Dist, Sum
from tablewright.engine import Mechanic, Param, Request, Role, choose, mechanic, roll
from tablewright.engine.mechanic import FixedOdds
from tablewright.systems.marchen.mechanics import dice
from tablewright.systems.marchen.mechanics.checks import (
    PLAIN,
    Attempt,
    CheckResult,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    _rolled,
    check,
)
from tablewright.systems.marchen.mechanics.dice import (
    MODIFIER_SCALE,
    SIGMA,
    Advantage,
    Degree,
    Difficulty,
    Grade,
    grade,
)
from tablewright.systems.marchen.options import Core, DamageModel

T = TypeVar("T")
DegreeWord: TypeAlias = Literal[
    "catastrophic",
    "costly",
    "fail",
    "minor_fail",
    "fail_in_style",
    "tie",
    "succeed",
    "succeed_in_style",
    "critical",
    "serendipitous",
]
DOWN_WORTH, END_WORTH, CONDITION_WORTH = 12, 20, 2
"""Severity of falling, of an end and of a condition, in points of damage."""

FAILED_BADLY = ("catastrophic", "costly")
BAD_SPOT = ("catastrophic", "costly", "fail", "minor_fail")
"""The degrees of a strike after which the foe has the initiative (marchen.ounces.strike)."""

SUCCEEDED = ("tie", "succeed", "succeed_in_style", "critical", "serendipitous")
"""The degrees of a success; a strike that has one of them deals damage (marchen.ounces.strike)."""

Dice = Annotated[int, Param("D6 of damage; the points of the tier where damage goes by tiers", 0, 20)]
Plus = Annotated[int, Param("bonus on the damage: muscle, a fine weapon, a good hit", 0, 400)]
ArmourRating = Annotated[int, Param("points of armour", 0, 100)]
Soak = Annotated[int, Param("points of armour that are used up first, where damage goes by tiers", 0, 40)]
Endure = Annotated[int, Param("modifier of the characteristic that endures", -60, 60, unseen=0)]
Taken = Annotated[int, Param("damage of this aspect so far", 0, 1_000, unseen=0)]
Threshold = Annotated[int, Param("threshold of the aspect", 1, 1_000, unseen=14)]
FaceModifier = Annotated[int, Param("the modifier of the check that faces the end", -60, 60, unseen=0)]
Enduring = Annotated[bool, Param("whether it can be endured at all")]
TheDamageModel = Annotated[DamageModel, Param("damage by dice or by tiers")]


class Bearing(NamedTuple):
    """Resistance of an aspect: the endure modifier, the damage taken, and the threshold."""

    endure: Endure = 0
    taken: Taken = 0
    threshold: Threshold = 14
    face_modifier: FaceModifier = 0


HALE = Bearing()


class Body(NamedTuple):
    """The target of a wound: armour, points of armour, and the resistance of the aspect."""

    armour: ArmourRating = 0
    soak: Soak = 0
    bearing: Bearing = HALE


UNHURT = Body()


class Terms(NamedTuple):
    """Terms of suffering damage: the dice, whether it can be endured, and how checks are read."""

    core: TheCore = "2d6"
    enduring: Enduring = True
    table: Table = PLAIN


USUAL_TERMS = Terms()
terms_of = lru_cache(maxsize=256)(Terms)
"""The same terms for the same values, so that they are checked once."""


class Outcome(NamedTuple):
    """Outcome of a degree of the Face check (marchen.gap.face.outcomes)."""

    end: bool = False
    down: bool = False
    conscious: bool = True
    dying: Literal["", "puncti", "watch"] = ""
    condition: bool = False
    scar: bool = False
    weight: int = 0
    recovers: Literal["", "threshold", "half"] = ""


OUTCOMES: dict[str, Outcome] = {
    "catastrophic": Outcome(end=True, down=True, conscious=False),
    "costly": Outcome(down=True, conscious=False, dying="puncti", scar=True),
    "fail": Outcome(down=True, conscious=False, dying="watch", condition=True),
    "minor_fail": Outcome(down=True, conscious=False, dying="watch", condition=True),
    "fail_in_style": Outcome(down=True, condition=True),
    "tie": Outcome(weight=2),
    "succeed": Outcome(weight=1),
    "succeed_in_style": Outcome(recovers="threshold"),
    "critical": Outcome(recovers="threshold"),
    "serendipitous": Outcome(recovers="half"),
}
_WORDS: dict[Degree, DegreeWord] = {degree: degree.value for degree in Degree}


def word_of(result: CheckResult) -> DegreeWord:
    """The degree of a check as a word: results of blows are compared by the thousand."""
    return _WORDS[result.degree]


def all_or_nothing(result: CheckResult) -> CheckResult:
    """A check by which the tide is turned: a failure counts as Costly at least (marchen.ounces.turn_the_tide)."""
    if result.success or word_of(result) in FAILED_BADLY:
        return result
    return result._replace(degree=Degree.COSTLY, sigma=SIGMA[Degree.COSTLY])


def levels_of_success(result: CheckResult) -> int:
    """Levels of success of a check."""
    return dice.levels_of_success(result.sigma)


def grade_of(result: CheckResult) -> Grade:
    """Grade of an activity by its check."""
    return grade(result.sigma)


@lru_cache(maxsize=4_096)
def plain_check(
    core: Core, modifier: int, table: Table, difficulty: Difficulty = "average", advantage: Advantage = "none"
) -> Request[CheckResult]:
    """A check with nothing but a modifier and luck."""
    return check(core, Attempt(difficulty, modifier, advantage), table)


# ---------------------------------------------------------------------- odds by formula


@lru_cache(maxsize=1_024)
def shown_by(core: Core, advantage: Advantage = "none") -> Dist[int]:
    """Total of the dice of a check."""
    return _rolled(core, advantage).dice.weigh()  # type: ignore[attr-defined, no-any-return]


@lru_cache(maxsize=4_096)
def weighed(core: Core, modifier: int, advantage: Advantage, table: Table) -> tuple[tuple[CheckResult, int], ...]:
    """The results of an average check with their weights, equal effects apart."""
    measure, scale = table.measure(core, "average"), MODIFIER_SCALE[core]
    added = modifier * scale  # an average task has no DM of its own
    found: dict[CheckResult, int] = {}
    for shown, weight in shown_by(core, advantage).items():
        result = table.judge(shown + added, core, measure)
        found[result] = found.get(result, 0) + weight
    return tuple(found.items())


def grouped(
    core: Core, modifier: int, advantage: Advantage, table: Table, narrow: Callable[[CheckResult], T]
) -> dict[T, int]:
    """The weights of what results of a check come to."""
    found: dict[T, int] = {}
    for result, weight in weighed(core, modifier, advantage, table):
        key = narrow(result)
        found[key] = found.get(key, 0) + weight
    return found


# ---------------------------------------------------------------------- suffering


class Suffered(NamedTuple):
    """Harm to a participant: damage that counts, armour used up, a condition, the degree of facing the end."""

    damage: int = 0
    soaked: int = 0
    condition: bool = False
    face: str = ""

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of facing the end; None if it was not faced."""
        return OUTCOMES[self.face] if self.face else None

    def after(self, taken: int, threshold: int) -> int:
        """The damage of the aspect afterwards."""
        outcome = self.outcome
        if outcome is None or not outcome.recovers:
            return taken + self.damage
        return threshold if outcome.recovers == "threshold" else threshold // 2


NOTHING = Suffered()


@lru_cache(maxsize=16_384)
def worth(suffered: Suffered) -> int:
    """Severity in points of damage."""
    bad = suffered.damage + CONDITION_WORTH * suffered.condition
    outcome = suffered.outcome
    if outcome is None:
        return bad
    return bad + END_WORTH * outcome.end + DOWN_WORTH * outcome.down + outcome.weight


def _spared(suffered: Suffered) -> int:
    return -worth(suffered)


def over_dm(damage: int, threshold: int) -> int:
    """The DM for damage beyond the threshold: one off for every full 4 points (marchen.gap.face.check).

    >>> over_dm(15, 12), over_dm(16, 12), over_dm(20, 12), over_dm(5, 12)
    (0, -1, -2, 0)
    """
    return min(0, -((damage - threshold) // 4))


@mechanic(
    rules=[
        "marchen.interrupted.face_death",
        "marchen.interrupted.face_duress",
        "marchen.interrupted.face_depression",
        "marchen.interrupted.face_desolation",
    ],
    objectives={"stay_up": lambda degree: -worth(Suffered(face=degree))},
)
async def face(
    damage: Annotated[int, Param("damage of the aspect", 0, 1_000)],
    threshold: Threshold,
    modifier: FaceModifier = 0,
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> str:
    """Face death, duress, depression or desolation: an aspect check that is harder for damage beyond the threshold.

    At twice the threshold there is nothing to roll for any more.
    """
    if damage >= 2 * threshold:
        return "catastrophic"  # marchen.gap.threshold.end
    return await plain_check(core, modifier + over_dm(damage, threshold), table).map(word_of)


def _endured(result: CheckResult) -> tuple[int, bool]:
    return levels_of_success(result), result.degree is Degree.CATASTROPHIC


@dataclass(frozen=True, eq=False)
class Ends:
    """All that may be suffered, each with its weight, and the sum of the weights.

    Unlike a distribution they are not put in order and in lowest terms: they are only mixed with others.
    """

    ways: tuple[tuple[Suffered, int], ...]
    total: int

    @cached_property
    def severity(self) -> int:
        """Severity of all ends in points of damage, by weight; the average is this through the total."""
        return sum([weight * worth(suffered) for suffered, weight in self.ways])


@dataclass(frozen=True, eq=False)
class Spread:
    """Harm from damage that is not certain: the ends of each damage, by weight, all with the same total.

    The ends are put together only where someone asks for them: for an average they need not be.
    """

    parts: tuple[tuple[int, Ends], ...]

    @cached_property
    def ways(self) -> tuple[tuple[Suffered, int], ...]:
        """All ends with their weights."""
        found: dict[Suffered, int] = {}
        for weight, ends in self.parts:
            for suffered, often in ends.ways:
                found[suffered] = found.get(suffered, 0) + weight * often
        return tuple(found.items())

    @cached_property
    def total(self) -> int:
        """Sum of all weights."""
        return self.parts[0][1].total * sum([weight for weight, _ in self.parts])

    @cached_property
    def severity(self) -> int:
        """Severity of all ends in points of damage, by weight."""
        return sum([weight * ends.severity for weight, ends in self.parts])


@lru_cache(maxsize=4_096)
def _enduring(core: Core, endure: int, table: Table) -> tuple[tuple[tuple[int, bool], int], ...]:
    return tuple(grouped(core, endure, "none", table, _endured).items())


@lru_cache(maxsize=8_192)
def _faced(damage: int, threshold: int, modifier: int, core: Core, table: Table) -> tuple[tuple[str, int], ...]:
    if damage >= 2 * threshold:
        return (("catastrophic", 1),)
    return tuple(grouped(core, modifier + over_dm(damage, threshold), "none", table, word_of).items())


@lru_cache(maxsize=16_384)
def suffering(damage: int, bearing: Bearing, core: Core, enduring: bool, table: Table) -> Ends:
    """The odds of :func:`suffer`."""
    endure, taken, threshold, face_modifier = bearing
    full = shown_by(core).total
    if damage <= 0:
        return Ends(((NOTHING, full * full),), full * full)
    endured = _enduring(core, endure, table) if enduring else (((0, False), full),)
    found: dict[Suffered, int] = {}
    for (levels, condition), weight in endured:
        left = max(0, damage - levels)
        if left == 0 or taken + left <= threshold:
            end = Suffered(left, 0, condition)
            found[end] = found.get(end, 0) + weight * full
            continue
        ways = _faced(taken + left, threshold, face_modifier, core, table)
        factor = full // sum([part for _, part in ways])
        for word, part in ways:
            end = Suffered(left, 0, condition, word)
            found[end] = found.get(end, 0) + weight * part * factor
    return Ends(tuple(found.items()), full * full)


@mechanic(rules=["marchen.ounces.endure", "marchen.interrupted.trigger"], objectives={"spared": _spared})
async def suffer(
    damage: Annotated[int, Param("damage after armour", 0, 1_000)], bearing: Bearing = HALE, terms: Terms = USUAL_TERMS
) -> Suffered:
    """Endure what one suffers, once: a success takes off its levels, a catastrophe adds a condition.

    If the damage then exceeds the threshold, the end has to be faced.
    """
    if damage <= 0:
        return NOTHING
    condition = False
    core, enduring, table = terms
    if enduring:
        levels, condition = await plain_check(core, bearing.endure, table).map(_endured)
        damage = max(0, damage - levels)
    total = bearing.taken + damage
    if damage == 0 or total <= bearing.threshold:
        return Suffered(damage, 0, condition)
    faced = await face(total, bearing.threshold, bearing.face_modifier, core, table)
    return Suffered(damage, 0, condition, faced)


class Wound(NamedTuple):
    """Damage that is left after armour, and points of armour that are used up."""

    damage: int
    soaked: int


TIERS = (0, 1, 2, 3, 5)
"""Nothing, Small, Medium, Large and Deadly: what so many dice are worth where damage goes by tiers."""


def tier_of(dice: int) -> int:
    """The tier of damage that is told in dice, as weapons have it (marchen.gap.damage.tiers).

    >>> tier_of(0), tier_of(3), tier_of(4), tier_of(9)
    (0, 3, 5, 5)
    """
    return TIERS[min(dice, len(TIERS) - 1)]


def tiered(tier: int, soak: int, least: int) -> Wound:
    """Damage of a hit by tiers: armour is used up before the body (marchen.gap.damage.tiers).

    >>> tiered(3, 2, 0), tiered(1, 5, 1)
    (Wound(damage=1, soaked=2), Wound(damage=1, soaked=1))
    """
    used = min(soak, tier)
    return Wound(max(tier - used, least), used)


async def wounded(dice: int, plus: int, armour: int, soak: int, least: int, damage_model: DamageModel) -> Wound:
    """Throw for damage and take armour off."""
    if damage_model == "tiers":
        return tiered(dice, soak, least)
    off = plus - armour
    if not dice:
        return Wound(max(off, least), 0)
    return Wound(await roll(Sum.copies(dice, Die(6))).map(lambda shown: max(shown + off, least)), 0)


@lru_cache(maxsize=1_024)
def _wounds(dice: int, off: int, least: int) -> tuple[tuple[int, int], ...]:
    """Damage of dice with what is added and taken off, and the weights."""
    if not dice:
        return ((max(off, least), 1),)
    found: dict[int, int] = {}
    for shown, weight in Sum.copies(dice, Die(6)).weigh().items():
        damage = max(shown + off, least)
        found[damage] = found.get(damage, 0) + weight
    return tuple(found.items())


@lru_cache(maxsize=8_192)
def hurting(
    dice: int, plus: int, least: int, body: Body, core: Core, damage_model: DamageModel, table: Table
) -> Ends | Spread:
    """The odds of what a hit comes to, from its dice to what is lost."""
    if damage_model == "tiers":
        wound = tiered(dice, body.soak, least)
        ends = suffering(wound.damage, body.bearing, core, True, table)
        if not wound.soaked:
            return ends
        return Ends(tuple([(found._replace(soaked=wound.soaked), weight) for found, weight in ends.ways]), ends.total)
    return _suffered(_wounds(dice, plus - body.armour, least), body.bearing, core, True, table)


def _suffered(
    wounds: tuple[tuple[int, int], ...], bearing: Bearing, core: Core, enduring: bool, table: Table, part: int = 1
) -> Spread:
    """Harm from damage that is not certain, or from a part of it, rounded down."""
    return Spread(
        tuple([(weight, suffering(damage // part, bearing, core, enduring, table)) for damage, weight in wounds])
    )


class Damage(NamedTuple):
    """Damage of a hazard before it is endured: its dice, the bonus, and the armour against it."""

    dice: Dice
    plus: Plus = 0
    armour: ArmourRating = 0

    def by(self, damage_model: DamageModel) -> Damage:
        """The damage under a damage model: where damage goes by tiers, the dice name a tier and are not rolled."""
        return Damage(0, self.plus + tier_of(self.dice), self.armour) if damage_model == "tiers" else self


def _hazard_odds(
    damage: Damage,
    bearing: Bearing,
    core: Core,
    enduring: bool,
    half: bool,
    table: Table,
    least: int,
    damage_model: DamageModel,
) -> FixedOdds[Suffered]:
    dice, plus, armour = damage.by(damage_model)
    wounds = _wounds(dice, plus - armour, least)
    return FixedOdds(Dist.from_dict(dict(_suffered(wounds, bearing, core, enduring, table, 2 if half else 1).ways)))


@mechanic(
    rules=["marchen.ounces.endure", "marchen.gap.damage.formula"], objectives={"spared": _spared}, closed=_hazard_odds
)
async def hazard(
    damage: Damage,
    bearing: Bearing = HALE,
    core: TheCore = "2d6",
    enduring: Enduring = True,
    half: Annotated[bool, Param("whether it is half a hit, rounded down")] = False,
    table: Table = PLAIN,
    least: Annotated[int, Param("the least damage after armour", 0, 1)] = 0,
    damage_model: TheDamageModel = "dice",
) -> Suffered:
    """Damage that nobody deals in person: a fall, a fire, the price of a failure, a hit of a battle.

    Where damage goes by tiers the dice say how large it is, and are not rolled.
    """
    dice, plus, armour = damage.by(damage_model)
    wound = await wounded(dice, plus, armour, 0, least, "dice")
    return await suffer(wound.damage // 2 if half else wound.damage, bearing, terms_of(core, enduring, table))


# ---------------------------------------------------------------------- what failures cost


class FailureCost(NamedTuple):
    """Cost of a failure: a DM on the next check, damage, whether a retry is possible, the resource given up."""

    dm: int = 0
    suffered: Suffered = NOTHING
    retry: bool = True
    given: Literal["", "supply", "treasure"] = ""


def cheap(cost: FailureCost) -> int:
    """Cheapness of a failure, the more the better."""
    return cost.dm - worth(cost.suffered) - 3 * (cost.given == "supply") - 2 * (cost.given == "treasure")


PRICE_DICE: dict[str, int] = {"costly": 1, "catastrophic": 2}


@mechanic(rules=["marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource"], objectives={"cheap": cheap})
async def pay_the_price(
    degree: Annotated[DegreeWord, Param("degree of the failed check")],
    supply: Annotated[int, Param("supply that can be given up instead", 0, 5, unseen=0)] = 0,
    treasure: Annotated[int, Param("treasure that can be given up instead", 0, 1_000_000, unseen=0)] = 0,
    bearing: Bearing = HALE,
    core: TheCore = "2d6",
    table: Table = PLAIN,
    damage_model: TheDamageModel = "dice",
) -> FailureCost:
    """Suffer the outcome of a failed move, or give up a resource instead; a catastrophe cannot be bought off."""
    if degree not in BAD_SPOT:
        return FailureCost()
    if degree != "catastrophic":
        ways = ["pay", *["supply"] * (supply > 0), *["treasure"] * (treasure > 0)]
        given = ways[0] if len(ways) == 1 else await choose(Role.ACTOR, "what does it cost", ways)
        if given == "supply":
            return FailureCost(given="supply")
        if given == "treasure":
            return FailureCost(given="treasure")
    if degree not in PRICE_DICE:
        return FailureCost(dm=-1)
    suffered = await hazard(Damage(PRICE_DICE[degree]), bearing, core, True, False, table, 0, damage_model)
    return FailureCost(0, suffered, retry=degree != "catastrophic")


@mechanic(rules=["marchen.ounces.withstand_damage"], objectives={"sound": lambda conditions: -conditions})
async def withstand(
    modifier: Modifier = 0, core: TheCore = "2d6", advantage: TheAdvantage = "none", table: Table = PLAIN
) -> int:
    """Conditions of an item after a damaging situation: one on a failure, two on a costly one."""
    return await plain_check(core, modifier, table, advantage=advantage).map(
        lambda result: 0 if result.success else 2 if word_of(result) in FAILED_BADLY else 1
    )


SUFFERING: tuple[Mechanic[..., Any], ...] = (suffer, hazard, face, pay_the_price, withstand)
