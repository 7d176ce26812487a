"""Mechanics of an attack, from the roll to the damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.engine import Mechanic, Param, Role, become, chance, choose, mechanic
from tablewright.engine.mechanic import Value
from tablewright.engine.settings import flatten_settings
from tablewright.systems.marchen.mechanics.checks import (
    PLAIN,
    CheckResult,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    check,
)
from tablewright.systems.marchen.mechanics.dice import SIGMA, Advantage, Degree, strong_hit
from tablewright.systems.marchen.mechanics.harm import (
    BAD_SPOT,
    DOWN_WORTH,
    FAILED_BADLY,
    NOTHING,
    SUCCEEDED,
    UNHURT,
    Body,
    Dice,
    Ends,
    Endure,
    FaceModifier,
    Formula,
    Plus,
    Suffered,
    Taken,
    TheDamageModel,
    Threshold,
    all_or_nothing,
    grouped,
    hurting,
    suffer,
    word_of,
    worth,
    wounded,
)
from tablewright.systems.marchen.options import Core, DamageBonus, DamageModel

T = TypeVar("T")
REACTION_WORTH, SPOT_WORTH = 1, 2
"""What a reaction costs and what it is to have the initiative, in points of damage."""

Reaction: TypeAlias = Literal["none", "dodge", "parry"]
Out: TypeAlias = Literal["", "yields", "flees", "felled"]
OUTS: tuple[Out, ...] = ("felled", "yields", "flees")
OUT_WORTH: dict[str, int] = {"": 0, "felled": DOWN_WORTH, "yields": DOWN_WORTH, "flees": DOWN_WORTH - 1}
"""What it is worth that a foe is out of the fight; whoever flees takes their things along and may come back."""

BackDice = Annotated[int, Param("the dice of the foe's weapon; 0 where it cannot strike back", 0, 20)]
OwnArmour = Annotated[int, Param("points of the attacker's armour", 0, 100)]
OwnSoak = Annotated[int, Param("points of the attacker's armour, where damage goes by tiers", 0, 40)]
TheOut = Annotated[Out, Param("fate of the foe on a strong hit, if it is to end the fight")]
Decisive = Annotated[bool, Param("whether it is to end the fight")]
Tide = Annotated[bool, Param("whether it is to turn the tide: a failure counts as Costly at least")]
TheDamageBonus = Annotated[DamageBonus, Param("bonus of a good hit on damage: twice sigma, or the effect")]


class Own(NamedTuple):
    """The attacker's own body, which is met where the foe strikes back."""

    own_armour: OwnArmour = 0
    own_soak: OwnSoak = 0
    own_endure: Endure = 0
    own_taken: Taken = 0
    own_threshold: Threshold = 14
    own_face: FaceModifier = 0


class Fighting(NamedTuple):
    """The campaign's dice, and how its blows do damage."""

    core: TheCore = "2d6"
    damage_bonus: TheDamageBonus = "sigma"
    damage_model: TheDamageModel = "dice"


SOUND, USUAL = Own(), Fighting()
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
    """Whether a blow puts the foe out of the fight."""
    outcome = blow.hurt.outcome
    return int(bool(blow.out) or (outcome is not None and outcome.down))


class Landed(NamedTuple):
    """As much of a check as a blow needs: its degree, its sigma, and what it adds to damage."""

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


@dataclass(frozen=True)
class Decided(Generic[T]):
    """The odds of a rule that begins with choices: the one who acts chooses a row, the other one a way in it.

    Each way is what may come of it, with its weights.
    """

    rows: Sequence[Sequence[dict[T, int]]]
    deciding: bool = True
    remainder: Fraction = Fraction(0)
    work: int = 1

    def support(self) -> Sequence[T]:
        """Every outcome of every way."""
        return tuple(dict.fromkeys([outcome for row in self.rows for way in row for outcome in way]))

    def best(self, value: Value | None) -> Dist[T]:
        """The way that both come to: the one who acts wants most of the value, the other the least; first of equals."""
        assert value is not None

        def mean(way: dict[T, int]) -> Any:
            return sum([weight * value(outcome) for outcome, weight in way.items()]) / sum(way.values())

        return Dist.from_dict(max([min(row, key=mean) for row in self.rows], key=mean))


def reactions(dodge: int, parry: int) -> dict[Reaction, int]:
    """Reactions with the DM that each puts on the attack; one that takes nothing off is left out.

    >>> reactions(1, 0)
    {'none': 0, 'dodge': 1}
    """
    ways: dict[Reaction, int] = {"none": 0, "dodge": dodge, "parry": parry}
    return {way: off for way, off in ways.items() if off or way == "none"}


def _strike_odds(*given: Any) -> Formula[Blow] | Decided[Blow]:
    modifier, dice, plus, advantage, dodge, parry, tide, decisive, *rest = given
    less = reactions(dodge, parry)
    rows = [
        [_blows(modifier - off, dice, plus, advantage, way, out, tide, *rest) for way, off in less.items()]
        for out in (OUTS if decisive else ("",))
    ]
    if len(less) == 1 and not decisive:
        return Formula(Dist.from_dict(rows[0][0]))
    return Decided(rows)


@mechanic(
    rules=[
        "marchen.ounces.strike",
        "marchen.attack.is_skill_check",
        "marchen.puncti.end_the_fight",
        "marchen.ounces.turn_the_tide",
        "marchen.gap.fight.reactions",
    ],
    objectives={"harm": harm, "damage": damage, "hit": _hits, "fells": fells},
    closed=_strike_odds,
)
@flatten_settings
async def strike(
    modifier: Modifier = 0,
    dice: Dice = 3,
    plus: Plus = 0,
    advantage: TheAdvantage = "none",
    dodge: Annotated[int, Param("DM of a dodge; 0 if dodging is impossible", 0, 10)] = 0,
    parry: Annotated[int, Param("DM of a parry; 0 if parrying is impossible", 0, 20)] = 0,
    tide: Tide = False,
    decisive: Decisive = False,
    foe: Body = UNHURT,
    back_dice: BackDice = 0,
    own: Own = SOUND,
    how: Fighting = USUAL,
    table: Table = PLAIN,
) -> Blow:
    """Attack while in control: a skill check that the foe may dodge or parry, and what comes of it for both.

    A success, a tie too, deals damage. A costly failure lets the foe deal its weapon's damage. A strike that is to end
    the fight puts the foe out of it on a strong hit, in a way that the attacker chooses.
    """
    out: Out = "" if not decisive else await choose(Role.ACTOR, "what becomes of the foe", OUTS)
    less = reactions(dodge, parry)
    reaction = "none" if len(less) == 1 else await choose(Role.OPPONENT, "react", tuple(less))
    rest = (*foe, back_dice, *own, *how, *table)
    return await become(struck(modifier - less[reaction], dice, plus, advantage, reaction, out, tide, *rest))


def _struck_odds(*given: Any) -> Formula[Blow]:
    return Formula(Dist.from_dict(_blows(*given)))


def _blows(*given: Any) -> dict[Blow, int]:
    """All that can come of a strike that nothing can be done about any more, with its weights."""
    modifier, dice, plus, advantage, reaction, out, tide, *rest = given
    foe, back_dice, own = Body(*rest[:6]), rest[6], Body(*rest[7:13])
    how, table = Fighting(*rest[13:16]), Table(*rest[16:])
    core, damage_bonus, model = how
    parts: list[tuple[int, Ends, Callable[[Suffered], Blow]]] = []
    for landed, weight in grouped(core, modifier, advantage, table, landing(damage_bonus, model, tide)).items():
        if landed.sigma >= 0:
            hurt = hurting(dice, plus + landed.bonus, least_of(landed.sigma), foe, core, True, model, table)
            parts.append((weight, hurt, _hurting(landed.degree, reaction, out if strong_hit(landed.sigma) else "")))
        elif landed.degree in FAILED_BADLY and back_dice:
            back = hurting(back_dice, 0, 0, own, core, True, model, table)
            parts.append((weight, back, _hurting_back(landed.degree, reaction)))
        else:
            parts.append((weight, NO_HARM, _hurting(landed.degree, reaction, "")))
    return mixed(parts)


def _hurting(degree: str, reaction: str, out: str) -> Callable[[Suffered], Blow]:
    return lambda suffered: Blow(degree, reaction, out, suffered, NOTHING)


def _hurting_back(degree: str, reaction: str) -> Callable[[Suffered], Blow]:
    return lambda suffered: Blow(degree, reaction, "", NOTHING, suffered)


def mixed(parts: Sequence[tuple[int, Ends, Callable[[Suffered], T]]]) -> dict[T, int]:
    """The weights of one of several ways by weight, then one of its ends, read in its own way."""
    common = lcm(*{ends.total for _, ends, _ in parts})
    found: dict[T, int] = {}
    for weight, ends, read in parts:
        factor = weight * (common // ends.total)
        for suffered, often in ends.ways:
            outcome = read(suffered)
            found[outcome] = found.get(outcome, 0) + factor * often
    return found


def least_of(sigma: int) -> int:
    """The least damage of a hit: an exceptional success does at least 1 (marchen.gap.damage.formula)."""
    return int(sigma == SIGMA[Degree.SERENDIPITOUS])


class Swing(NamedTuple):
    """A strike that is on its way: what is added to it, what it does, how it is met, and what it is to end in."""

    modifier: Modifier = 0
    dice: Dice = 3
    plus: Plus = 0
    advantage: TheAdvantage = "none"
    reaction: Annotated[Reaction, Param("reaction to it")] = "none"
    out: TheOut = ""
    tide: Tide = False


@mechanic(
    rules=["marchen.ounces.strike", "marchen.gap.damage.formula"],
    objectives={"harm": harm, "damage": damage, "hit": _hits, "fells": fells},
    closed=_struck_odds,
)
@flatten_settings
async def struck(
    swing: Swing,
    foe: Body,
    back_dice: BackDice = 0,
    own: Own = SOUND,
    how: Fighting = USUAL,
    table: Table = PLAIN,
) -> Blow:
    """A strike after all that could be done about it beforehand: the check, the damage, what is endured."""
    modifier, dice, plus, advantage, reaction, out, tide = swing
    core, damage_bonus, model = how
    read = landing(damage_bonus, model, tide)
    landed = await check(core, "average", modifier, advantage, 0, 0, False, *table, "per_die").map(read)
    degree = landed.degree
    if landed.sigma >= 0:
        wound = (dice, plus + landed.bonus, least_of(landed.sigma), foe)
        hurt = await hit(*wound, core, model, table, foe_suffers=True)
        return Blow(degree, reaction, out if strong_hit(landed.sigma) else "", hurt, NOTHING)
    if degree not in FAILED_BADLY or not back_dice:
        return Blow(degree, reaction, "", NOTHING, NOTHING)
    back = await hit(back_dice, 0, 0, Body(*own), core, model, table, foe_suffers=False)
    return Blow(degree, reaction, "", NOTHING, back)


async def hit(
    dice: int, plus: int, least: int, body: Body, core: Core, model: DamageModel, table: Table, *, foe_suffers: bool
) -> Suffered:
    """Roll damage, subtract armour, and let the target endure the rest."""
    wound = await wounded(dice, plus, body.armour, body.soak, least, model)
    call = suffer(wound.damage, *body[2:], core, True, *table)
    suffered = await (call.by_opponent() if foe_suffers else call)
    return suffered._replace(soaked=wound.soaked)


@lru_cache(maxsize=65_536)
def mean_hurt(
    dice: int, plus: int, least: int, body: Body, core: Core, damage_model: DamageModel, table: Table
) -> Fraction:
    """Average harm of a hit, in points of damage."""
    found = hurting(dice, plus, least, body, core, True, damage_model, table)
    return Fraction(sum([weight * worth(suffered) for suffered, weight in found.ways]), found.total)


@lru_cache(maxsize=65_536)
def mean_harm(
    modifier: int,
    dice: int,
    plus: int,
    advantage: Advantage,
    tide: bool,
    body: Body,
    back_dice: int,
    own: Body,
    core: Core,
    damage_bonus: DamageBonus,
    damage_model: DamageModel,
    table: Table,
) -> Fraction:
    """The exact average of what a strike is worth that nobody reacts to: as by its odds, many times quicker."""
    total, every = Fraction(0), 0
    for landed, weight in grouped(core, modifier, advantage, table, landing(damage_bonus, damage_model, tide)).items():
        every += weight
        if landed.sigma >= 0:
            least = least_of(landed.sigma)
            total += weight * mean_hurt(dice, plus + landed.bonus, least, body, core, damage_model, table)
            continue
        if landed.degree in BAD_SPOT:
            total -= SPOT_WORTH * weight
        if landed.degree in FAILED_BADLY and back_dice:
            total -= weight * mean_hurt(back_dice, 0, 0, own, core, damage_model, table)
    return total / every


BLOWS: tuple[Mechanic[..., Any], ...] = (strike, struck)
