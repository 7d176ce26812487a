"""Mechanics of an attack, from the roll to the damage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.engine import Mechanic, Param, Role, become, chance, choose, mechanic
from tablewright.engine.mechanic import FixedOdds
from tablewright.systems.marchen.mechanics.checks import PLAIN, CheckResult, Modifier, Table, TheAdvantage, TheCore
from tablewright.systems.marchen.mechanics.dice import SIGMA, Degree, strong_hit
from tablewright.systems.marchen.mechanics.harm import (
    BAD_SPOT,
    DOWN_WORTH,
    FAILED_BADLY,
    HALE,
    NOTHING,
    SUCCEEDED,
    UNHURT,
    Bearing,
    Body,
    Dice,
    Ends,
    Endure,
    FaceModifier,
    Plus,
    Spread,
    Suffered,
    Taken,
    TheDamageModel,
    Threshold,
    all_or_nothing,
    grouped,
    hurting,
    plain_check,
    suffer,
    terms_of,
    word_of,
    worth,
    wounded,
)
from tablewright.systems.marchen.options import Core, DamageBonus, DamageModel

T = TypeVar("T")
REACTION_WORTH, SPOT_WORTH = 1, 2
"""Values of a reaction and of the initiative, in points of damage."""

Reaction: TypeAlias = Literal["none", "dodge", "parry"]
Out: TypeAlias = Literal["", "yields", "flees", "felled"]
OUTS: tuple[Out, ...] = ("felled", "yields", "flees")
OUT_WORTH: dict[str, int] = {"": 0, "felled": DOWN_WORTH, "yields": DOWN_WORTH, "flees": DOWN_WORTH - 1}
"""Value of a foe who is out of the fight; one who flees takes things along and may come back."""

BackDice = Annotated[int, Param("the dice of the foe's weapon; 0 where it cannot strike back", 0, 20)]
OwnArmour = Annotated[int, Param("points of the attacker's armour", 0, 100)]
OwnSoak = Annotated[int, Param("points of the attacker's armour, where damage goes by tiers", 0, 40)]
TheOut = Annotated[Out, Param("fate of the foe on a strong hit, if it is to end the fight")]
Decisive = Annotated[bool, Param("whether it is to end the fight")]
Tide = Annotated[bool, Param("whether it is to turn the tide: a failure counts as Costly at least")]
TheDamageBonus = Annotated[DamageBonus, Param("bonus of a good hit on damage: twice sigma, or the effect")]


class Own(NamedTuple):
    """The attacker's own body, which the foe meets when it strikes back."""

    own_armour: OwnArmour = 0
    own_soak: OwnSoak = 0
    own_endure: Endure = 0
    own_taken: Taken = 0
    own_threshold: Threshold = 14
    own_face: FaceModifier = 0

    @staticmethod
    def of(body: Body) -> Own:
        """A body as the attacker's own."""
        return Own(body.armour, body.soak, *body.bearing)

    @property
    def body(self) -> Body:
        """The body as any wound meets it."""
        return Body(self.own_armour, self.own_soak, Bearing(*self[2:]))


SOUND = Own.of(Body(0, 0, HALE))


class Back(NamedTuple):
    """The foe's blow after a strike that goes badly wrong: the dice of its weapon, and the body it meets."""

    back_dice: BackDice = 0
    own: Own = SOUND


class FightTable(NamedTuple):
    """Options of a table that attacks read: the dice, the damage, and how checks are read."""

    core: TheCore = "2d6"
    damage_bonus: TheDamageBonus = "sigma"
    damage_model: TheDamageModel = "dice"
    checks: Table = PLAIN


NO_ANSWER, USUAL = Back(), FightTable()
NO_HARM = Ends(((NOTHING, 1),), 1)


class Blow(NamedTuple):
    """Result of an attack: degree, reaction, fate of the foe, and the harm to both."""

    degree: str
    reaction: str
    out: str
    hurt: Suffered
    back: Suffered


def harm(blow: Blow) -> int:
    """Value of a blow for the attacker, in points of damage."""
    degree, reaction, out, hurt, back = blow
    gain = 0 if hurt is NOTHING else worth(hurt)
    if back is not NOTHING:
        gain -= worth(back)
    if reaction != "none":
        gain += REACTION_WORTH
    gain += OUT_WORTH[out]
    return gain - SPOT_WORTH if degree in BAD_SPOT else gain


def damage(blow: Any) -> int:
    """Damage of a blow."""
    return int(blow.hurt.damage)


@chance
def _hits(blow: Blow) -> int:
    return int(blow.degree in SUCCEEDED)


@chance
def fells(blow: Any) -> int:
    """True if a blow puts the foe out of the fight."""
    outcome = blow.hurt.outcome
    return int(bool(blow.out) or (outcome is not None and outcome.down))


class Landed(NamedTuple):
    """The parts of a check that a blow reads: degree, sigma, and bonus on damage."""

    degree: str
    sigma: int
    bonus: int


def bonus_of(result: CheckResult, damage_bonus: DamageBonus, damage_model: DamageModel) -> int:
    """Bonus of a good hit on damage: twice the sigma or the effect, never below 0."""
    if damage_model == "tiers":
        return 0
    return max(0, 2 * result.sigma if damage_bonus == "sigma" else result.effect)  # marchen.gap.damage.formula


@lru_cache(maxsize=64)
def landing(damage_bonus: DamageBonus, damage_model: DamageModel, tide: bool) -> Callable[[CheckResult], Landed]:
    """Reading of the check of a strike."""

    def landed(result: CheckResult) -> Landed:
        if result.success:
            return Landed(word_of(result), result.sigma, bonus_of(result, damage_bonus, damage_model))
        failed = all_or_nothing(result) if tide else result
        return Landed(word_of(failed), failed.sigma, 0)

    return landed


def reactions(dodge: int, parry: int) -> dict[Reaction, int]:
    """Reactions with the DM that each puts on the attack; one that takes nothing off is left out.

    >>> reactions(1, 0)
    {'none': 0, 'dodge': 1}
    """
    ways: dict[Reaction, int] = {"none": 0, "dodge": dodge, "parry": parry}
    return {way: off for way, off in ways.items() if off or way == "none"}


class Attack(NamedTuple):
    """An attack that was declared: what is added to it, what it does, and how it may be met."""

    modifier: Modifier = 0
    dice: Dice = 3
    plus: Plus = 0
    advantage: TheAdvantage = "none"
    dodge: Annotated[int, Param("DM of a dodge; 0 if dodging is impossible", 0, 10)] = 0
    parry: Annotated[int, Param("DM of a parry; 0 if parrying is impossible", 0, 20)] = 0
    tide: Tide = False
    decisive: Decisive = False


PLAINLY = Attack()


@mechanic(
    rules=[
        "marchen.ounces.strike",
        "marchen.attack.is_skill_check",
        "marchen.puncti.end_the_fight",
        "marchen.ounces.turn_the_tide",
        "marchen.gap.fight.reactions",
    ],
    objectives={"harm": harm, "damage": damage, "hit": _hits, "fells": fells},
)
async def strike(
    attack: Attack = PLAINLY, foe: Body = UNHURT, back: Back = NO_ANSWER, table: FightTable = USUAL
) -> Blow:
    """Attack while in control: a skill check that the foe may dodge or parry, and what comes of it for both.

    A success, a tie too, deals damage. A costly failure lets the foe deal its weapon's damage. A strike that is to end
    the fight puts the foe out of it on a strong hit, in a way that the attacker chooses.
    """
    modifier, dice, plus, advantage, dodge, parry, tide, decisive = attack
    out: Out = "" if not decisive else await choose(Role.ACTOR, "what becomes of the foe", OUTS)
    less = reactions(dodge, parry)
    reaction = "none" if len(less) == 1 else await choose(Role.OPPONENT, "react", tuple(less))
    swing = Swing(modifier - less[reaction], dice, plus, advantage, reaction, out, tide)
    return await become(struck(swing, foe, back, table))


class Swing(NamedTuple):
    """A strike that is on its way: what is added to it, what it does, how it is met, and what it is to end in."""

    modifier: Modifier = 0
    dice: Dice = 3
    plus: Plus = 0
    advantage: TheAdvantage = "none"
    reaction: Annotated[Reaction, Param("reaction to it")] = "none"
    out: TheOut = ""
    tide: Tide = False


class Way(NamedTuple):
    """One way that a strike or a clash may go: its weight, its degree or winner, its sigma, and the harm to both."""

    weight: int
    degree: str
    sigma: int
    hurt: Ends | Spread = NO_HARM
    back: Ends | Spread = NO_HARM


def ways_of_strike(swing: Swing, foe: Body, back: Back, table: FightTable) -> tuple[Way, ...]:
    """The ways of a strike, without the dice of damage: its odds, and what bots expect of it, are sums over them."""
    modifier, dice, plus, advantage, _, _, tide = swing
    core, damage_bonus, model, checks = table
    ways = []
    read = landing(damage_bonus, model, tide)
    for (degree, sigma, bonus), weight in grouped(core, modifier, advantage, checks, read).items():
        if sigma >= 0:
            hurt = hurting(dice, plus + bonus, least_of(sigma), foe, core, model, checks)
            ways.append(Way(weight, degree, sigma, hurt))
        elif degree in FAILED_BADLY and back.back_dice:
            answer = hurting(back.back_dice, 0, 0, back.own.body, core, model, checks)
            ways.append(Way(weight, degree, sigma, back=answer))
        else:
            ways.append(Way(weight, degree, sigma))
    return tuple(ways)


def _struck_odds(swing: Swing, foe: Body, back: Back, table: FightTable) -> FixedOdds[Blow]:
    def blow(way: Way, hurt: Suffered, answer: Suffered) -> Blow:
        return Blow(way.degree, swing.reaction, swing.out if strong_hit(way.sigma) else "", hurt, answer)

    return mixed(ways_of_strike(swing, foe, back, table), blow)


def mixed(ways: Sequence[Way], read: Callable[[Way, Suffered, Suffered], T]) -> FixedOdds[T]:
    """The odds of one of several ways by weight, then of the harm that it does to one of both."""
    common = lcm(*{way.hurt.total * way.back.total for way in ways})
    found: dict[T, int] = {}
    for way in ways:
        factor = way.weight * (common // (way.hurt.total * way.back.total))
        for hurt, often in way.hurt.ways:
            for answer, as_often in way.back.ways:
                outcome = read(way, hurt, answer)
                found[outcome] = found.get(outcome, 0) + factor * often * as_often
    return FixedOdds(Dist.from_dict(found))


def averaged(harms: Iterable[tuple[int, Ends | Spread]], every: int) -> Fraction:
    """Average severity of harm, each with its weight out of all."""
    sums: dict[int, int] = {}
    for weight, ends in harms:
        sums[ends.total] = sums.get(ends.total, 0) + weight * ends.severity
    return sum([Fraction(found, total * every) for total, found in sums.items() if found], Fraction(0))


@lru_cache(maxsize=65_536)
def mean_harm(swing: Swing, foe: Body, back: Back, table: FightTable) -> Fraction:
    """The expected ``harm`` of a strike without making its distribution, which is many times quicker."""
    ways = ways_of_strike(swing, foe, back, table)
    every = sum([way.weight for way in ways])
    hurt = averaged([(way.weight, way.hurt) for way in ways], every)
    answer = averaged([(way.weight, way.back) for way in ways], every)
    spoiled = sum([way.weight for way in ways if way.degree in BAD_SPOT])
    out = OUT_WORTH[swing.out] * sum([way.weight for way in ways if strong_hit(way.sigma)])
    return hurt - answer + Fraction(out - SPOT_WORTH * spoiled, every) + REACTION_WORTH * (swing.reaction != "none")


def least_of(sigma: int) -> int:
    """The least damage of a hit: an exceptional success does at least 1 (marchen.gap.damage.formula)."""
    return int(sigma == SIGMA[Degree.SERENDIPITOUS])


@mechanic(
    rules=["marchen.ounces.strike", "marchen.gap.damage.formula"],
    objectives={"harm": harm, "damage": damage, "hit": _hits, "fells": fells},
    closed=_struck_odds,
)
async def struck(swing: Swing, foe: Body = UNHURT, back: Back = NO_ANSWER, table: FightTable = USUAL) -> Blow:
    """A strike after all that could be done about it beforehand: the check, the damage, what is endured."""
    modifier, dice, plus, advantage, reaction, out, tide = swing
    core, damage_bonus, model, checks = table
    read = landing(damage_bonus, model, tide)
    degree, sigma, bonus = await plain_check(core, modifier, checks, advantage=advantage).map(read)
    if sigma >= 0:
        hurt = await hit(dice, plus + bonus, least_of(sigma), foe, core, model, checks, foe_suffers=True)
        return Blow(degree, reaction, out if strong_hit(sigma) else "", hurt, NOTHING)
    if degree not in FAILED_BADLY or not back.back_dice:
        return Blow(degree, reaction, "", NOTHING, NOTHING)
    answer = await hit(back.back_dice, 0, 0, back.own.body, core, model, checks, foe_suffers=False)
    return Blow(degree, reaction, "", NOTHING, answer)


async def hit(
    dice: int, plus: int, least: int, body: Body, core: Core, model: DamageModel, table: Table, *, foe_suffers: bool
) -> Suffered:
    """Roll damage, subtract armour, and let the target endure the rest."""
    wound = await wounded(dice, plus, body.armour, body.soak, least, model)
    call = suffer(wound.damage, body.bearing, terms_of(core, True, table))
    suffered = await (call.by_opponent() if foe_suffers else call)
    return suffered._replace(soaked=wound.soaked)


BLOWS: tuple[Mechanic[..., Any], ...] = (strike, struck)
