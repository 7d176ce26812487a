"""What is rolled in a fight: striking and clashing, down to what is lost on both sides, and whole battles in a blur."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from tablewright.dice import Dist
from tablewright.engine import Mechanic, Param, Seat, again, become, both, choose, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.systems.marchen.degrees import strong_hit
from tablewright.systems.marchen.mechanics import (
    PLAIN,
    CheckResult,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    Winner,
    _rolled,
    check,
)
from tablewright.systems.marchen.options import Core, DamageBonus, DamageModel, OpposedTie
from tablewright.systems.marchen.suffering import (
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
    Threshold,
    grouped,
    hurting,
    shown_by,
    suffer,
    word_of,
    worth,
    wounded,
)
from tablewright.systems.marchen.tables import MODIFIER_SCALE, SIGMA, Advantage, Degree

T = TypeVar("T")
REACTION_WORTH, SPOT_WORTH = 1, 2
"""What a reaction costs and what it is to have the initiative, in points of damage."""

NARROW = 3
"""An effect below this wins a battle narrowly; five-fold on D100 (marchen.gap.fight.battle)."""

Reaction: TypeAlias = Literal["none", "dodge", "parry"]
Out: TypeAlias = Literal["", "yields", "flees", "felled"]
OUTS: tuple[Out, ...] = ("felled", "yields", "flees")
FoeModifier = Annotated[int, Param("the opponent's modifier", -60, 60)]
BackDice = Annotated[int, Param("the dice of the foe's weapon; 0 where it cannot strike back", 0, 20)]
OwnArmour = Annotated[int, Param("what the attacker's armour takes off", 0, 40)]
OwnSoak = Annotated[int, Param("points of the attacker's armour, where damage goes by tiers", 0, 40)]
Ties = Annotated[int, Param("the score that decides ties", -10, 40)]
TheOut = Annotated[Out, Param("what becomes of the foe on a strong hit, where it is to end the fight")]
Decisive = Annotated[bool, Param("whether it is to end the fight")]
Tide = Annotated[bool, Param("whether it is to turn the tide: a failure counts as Costly at least")]
TheDamageBonus = Annotated[DamageBonus, Param("what a good hit adds to damage: twice sigma, or the effect")]
TheDamageModel = Annotated[DamageModel, Param("damage by dice or by tiers")]
TheOpposedTie = Annotated[OpposedTie, Param("who wins when both effects are equal")]


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
    """What came of an attack: how well it went, how it was met, whether the foe is out of it, what both suffered."""

    degree: str
    reaction: str
    out: str
    hurt: Suffered
    back: Suffered


def harm(blow: Blow) -> int:
    """What a blow is worth to whoever strikes it, in points of damage."""
    degree, reaction, out, hurt, back = blow
    gain = 0 if hurt is NOTHING else worth(hurt)
    if back is not NOTHING:
        gain -= worth(back)
    if reaction != "none":
        gain += REACTION_WORTH
    if out:
        gain += DOWN_WORTH
    return gain - SPOT_WORTH if degree in BAD_SPOT else gain


def _damage(blow: Any) -> int:
    return int(blow.hurt.damage)


def _hits(blow: Blow) -> int:
    return int(blow.degree in SUCCEEDED)


def _fells(blow: Any) -> int:
    """Whether a blow puts the foe out of the fight."""
    outcome = blow.hurt.outcome
    return int(bool(blow.out) or (outcome is not None and outcome.down))


class Landed(NamedTuple):
    """As much of a check as a blow needs: its degree, its sigma, and what it adds to damage."""

    degree: str
    sigma: int
    bonus: int


def bonus_of(result: CheckResult, damage_bonus: DamageBonus, damage_model: DamageModel) -> int:
    """What a good hit adds to damage: twice the sigma or the effect, never less than nothing."""
    if damage_model == "tiers":
        return 0
    return max(0, 2 * result.sigma if damage_bonus == "sigma" else result.effect)  # marchen.gap.damage.formula


@lru_cache(maxsize=64)
def landing(damage_bonus: DamageBonus, damage_model: DamageModel, tide: bool) -> Callable[[CheckResult], Landed]:
    """How the check of a strike is read."""

    def landed(result: CheckResult) -> Landed:
        word = word_of(result)
        if result.success:
            return Landed(word, result.sigma, bonus_of(result, damage_bonus, damage_model))
        if tide and word not in FAILED_BADLY:
            return Landed("costly", -3, 0)  # marchen.ounces.turn_the_tide
        return Landed(word, result.sigma, 0)

    return landed


@mechanic(
    rules=[
        "marchen.ounces.strike",
        "marchen.attack.is_skill_check",
        "marchen.puncti.end_the_fight",
        "marchen.ounces.turn_the_tide",
        "marchen.gap.fight.reactions",
    ],
    objectives={"harm": harm, "damage": _damage, "hit": _hits, "fells": _fells},
)
@spelled_out
async def strike(
    modifier: Modifier = 0,
    dice: Dice = 3,
    plus: Plus = 0,
    advantage: TheAdvantage = "none",
    dodge: Annotated[int, Param("what dodging takes off the attack; 0 where it cannot be dodged", 0, 10)] = 0,
    parry: Annotated[int, Param("what parrying takes off the attack; 0 where it cannot be parried", 0, 20)] = 0,
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
    out: Out = "" if not decisive else await choose(Seat.ACTOR, "what becomes of the foe", OUTS)
    ways: list[Reaction] = ["none", *["dodge"] * (dodge > 0), *["parry"] * (parry > 0)]  # type: ignore[list-item]
    reaction = ways[0] if len(ways) == 1 else await choose(Seat.OPPONENT, "react", ways)
    less = dodge if reaction == "dodge" else parry if reaction == "parry" else 0
    rest = (*foe, back_dice, *own, *how, *table)
    return await become(struck(modifier - less, dice, plus, advantage, reaction, out, tide, *rest))


def _struck_odds(*given: Any) -> Formula[Blow]:
    modifier, dice, plus, advantage, reaction, out, tide, *rest = given
    foe, back_dice, own = Body(*rest[:6]), rest[6], Body(*rest[7:13])
    how, table = Fighting(*rest[13:16]), Table(*rest[16:])
    core, damage_bonus, model = how
    parts: list[tuple[int, Ends, Callable[[Suffered], Blow]]] = []
    for landed, weight in grouped(core, modifier, advantage, table, landing(damage_bonus, model, tide)).items():
        if landed.sigma >= 0:
            hurt = hurting(dice, plus + landed.bonus, _least(landed.sigma), foe, core, True, model, table)
            parts.append((weight, hurt, _hurting(landed.degree, reaction, out if strong_hit(landed.sigma) else "")))
        elif landed.degree in FAILED_BADLY and back_dice:
            back = hurting(back_dice, 0, 0, own, core, True, model, table)
            parts.append((weight, back, _hurting_back(landed.degree, reaction)))
        else:
            parts.append((weight, NO_HARM, _hurting(landed.degree, reaction, "")))
    return Formula(mixed(parts))


def _hurting(degree: str, reaction: str, out: str) -> Callable[[Suffered], Blow]:
    return lambda suffered: Blow(degree, reaction, out, suffered, NOTHING)


def _hurting_back(degree: str, reaction: str) -> Callable[[Suffered], Blow]:
    return lambda suffered: Blow(degree, reaction, "", NOTHING, suffered)


def mixed(parts: Sequence[tuple[int, Ends, Callable[[Suffered], T]]]) -> Dist[T]:
    """One of several ways by weight, then one of its ends, read in its own way."""
    common = lcm(*{ends.total for _, ends, _ in parts})
    found: dict[T, int] = {}
    for weight, ends, read in parts:
        factor = weight * (common // ends.total)
        for suffered, often in ends.ways:
            outcome = read(suffered)
            found[outcome] = found.get(outcome, 0) + factor * often
    return Dist.from_dict(found)


def _least(sigma: int) -> int:
    """The least damage of a hit: an exceptional success does at least 1 (marchen.gap.damage.formula)."""
    return int(sigma == SIGMA[Degree.SERENDIPITOUS])


@mechanic(
    rules=["marchen.ounces.strike", "marchen.gap.damage.formula"],
    objectives={"harm": harm, "damage": _damage, "hit": _hits, "fells": _fells},
    closed=_struck_odds,
)
@spelled_out
async def struck(
    modifier: Modifier = 0,
    dice: Dice = 3,
    plus: Plus = 0,
    advantage: TheAdvantage = "none",
    reaction: Annotated[Reaction, Param("how it is met")] = "none",
    out: TheOut = "",
    tide: Tide = False,
    foe: Body = UNHURT,
    back_dice: BackDice = 0,
    own: Own = SOUND,
    how: Fighting = USUAL,
    table: Table = PLAIN,
) -> Blow:
    """A strike after all that could be done about it beforehand: the check, the damage, what is endured."""
    read = landing(how.damage_bonus, how.damage_model, tide)
    landed = await check(how.core, "average", modifier, advantage, 0, 0, False, *table, "per_die").map(read)
    degree = landed.degree
    if landed.sigma >= 0:
        hurt = await _hit(dice, plus + landed.bonus, _least(landed.sigma), foe, how, table, foe_suffers=True)
        return Blow(degree, reaction, out if strong_hit(landed.sigma) else "", hurt, NOTHING)
    if degree not in FAILED_BADLY or not back_dice:
        return Blow(degree, reaction, "", NOTHING, NOTHING)
    back = await _hit(back_dice, 0, 0, Body(*own), how, table, foe_suffers=False)
    return Blow(degree, reaction, "", NOTHING, back)


async def _hit(
    dice: int, plus: int, least: int, body: Body, how: Fighting | Clashing, table: Table, *, foe_suffers: bool
) -> Suffered:
    """Throw for damage, take armour off, and let somebody endure the rest."""
    wound = await wounded(dice, plus, body.armour, body.soak, least, how.damage_model)
    call = suffer(wound.damage, *body[2:], how.core, True, *table)
    suffered = await (call.across() if foe_suffers else call)
    return suffered._replace(soaked=wound.soaked)


@lru_cache(maxsize=65_536)
def mean_hurt(
    dice: int, plus: int, least: int, body: Body, core: Core, damage_model: DamageModel, table: Table
) -> Fraction:
    """How bad a hit is on average, in points of damage."""
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
            least = int(landed.degree == "serendipitous")
            total += weight * mean_hurt(dice, plus + landed.bonus, least, body, core, damage_model, table)
            continue
        if landed.degree in BAD_SPOT:
            total -= SPOT_WORTH * weight
        if landed.degree in FAILED_BADLY and back_dice:
            total -= weight * mean_hurt(back_dice, 0, 0, own, core, damage_model, table)
    return total / every


# ---------------------------------------------------------------------- clashes


class Clashed(NamedTuple):
    """Who won a clash (``a``, ``b`` or nobody), the winner's sigma, and what the loser suffered."""

    winner: str
    sigma: int
    out: str
    hurt: Suffered
    back: Suffered


def clash_harm(clashed: Clashed) -> int:
    """What a clash is worth to whoever started it, in points of damage."""
    gain = worth(clashed.hurt) + (DOWN_WORTH if clashed.out else 0) + SPOT_WORTH * (clashed.winner == "a")
    return gain - worth(clashed.back)


def _wins(clashed: Clashed) -> int:
    return int(clashed.winner == "a")


class Crossing(NamedTuple):
    """How two clash: what each adds and with which luck, and what the first strikes with."""

    modifier: Modifier = 0
    foe_modifier: FoeModifier = 0
    dice: Dice = 3
    plus: Plus = 0
    advantage: TheAdvantage = "none"
    foe_advantage: TheAdvantage = "none"


class Back(NamedTuple):
    """What the foe strikes back with."""

    back_dice: BackDice = 0
    back_plus: Plus = 0


class Clashing(NamedTuple):
    """The campaign's dice, how its blows do damage, and who wins where both are equal."""

    core: TheCore = "2d6"
    damage_bonus: TheDamageBonus = "sigma"
    damage_model: TheDamageModel = "dice"
    opposed_tie: TheOpposedTie = "characteristic"


EVEN, NO_ANSWER, USUALLY = Crossing(), Back(), Clashing()


class Met(NamedTuple):
    """Who was better, and how good; ``afresh`` where nobody was and it is rolled again."""

    winner: str
    sigma: int
    bonus: int
    narrow: bool = False


AFRESH = Met("afresh", 0, 0)


@lru_cache(maxsize=4_096)
def meeting(
    modifier: int,
    foe_modifier: int,
    ahead: int,
    core: Core,
    damage_bonus: DamageBonus,
    damage_model: DamageModel,
    opposed_tie: OpposedTie,
    table: Table,
) -> Callable[[int, int], Met]:
    """How the dice of two who oppose each other are read; ``ahead`` says by how much the first wins ties."""
    measure, scale = table.measure(core, "average"), MODIFIER_SCALE[core]
    mine, theirs = modifier * scale, foe_modifier * scale

    def meet(a: int, b: int) -> Met:
        first, second = a + mine, b + theirs
        by = first - second
        if by == 0:
            if opposed_tie == "fail_in_style":
                return Met(Winner.NOBODY.value, 0, 0)
            if ahead == 0:
                return AFRESH
            by = ahead
        result = table.judge(first if by > 0 else second, core, measure)
        winner = Winner.A.value if by > 0 else Winner.B.value
        bonus = bonus_of(result, damage_bonus, damage_model)
        return Met(winner, max(0, result.sigma), bonus, result.effect < NARROW * scale)

    return meet


@lru_cache(maxsize=4_096)
def met_odds(
    modifier: int,
    foe_modifier: int,
    ahead: int,
    advantage: Any,
    foe_advantage: Any,
    core: Core,
    damage_bonus: DamageBonus,
    damage_model: DamageModel,
    opposed_tie: OpposedTie,
    table: Table,
) -> tuple[tuple[Met, int], ...]:
    """How two meet, with the weights of it; what is rolled afresh is left out.

    How the winner's dice are read does not depend on by how much they win, so it is enough to know for each total how
    often the other one has less.
    """
    meet = meeting(modifier, foe_modifier, ahead, core, damage_bonus, damage_model, opposed_tie, table)
    lead = (modifier - foe_modifier) * MODIFIER_SCALE[core]
    mine, theirs = shown_by(core, advantage), shown_by(core, foe_advantage)
    found: dict[Met, int] = {}

    def note(met: Met, weight: int) -> None:
        if weight and met is not AFRESH:
            key = met._replace(narrow=False)
            found[key] = found.get(key, 0) + weight

    equal = dict(theirs.items())
    for a, less, weight in _above(mine, theirs, lead):
        note(meet(a, a + lead - 1), weight * less)
        note(meet(a, a + lead), weight * equal.get(a + lead, 0))
    for b, less, weight in _above(theirs, mine, -lead):
        note(meet(b - lead - 1, b), weight * less)
    return tuple(found.items())


def _above(one: Dist[int], other: Dist[int], lead: int) -> Iterator[tuple[int, int, int]]:
    """Each number that one shows, how often the other shows less than it with the lead, and how often it is shown."""
    lower, less = list(other.items()), 0
    at = 0
    for shown, weight in one.items():  # both in order
        while at < len(lower) and lower[at][0] < shown + lead:
            less += lower[at][1]
            at += 1
        yield shown, less, weight


@mechanic(
    rules=["marchen.ounces.clash", "marchen.puncti.end_the_fight"],
    objectives={"harm": clash_harm, "damage": _damage, "wins": _wins, "fells": _fells},
)
@spelled_out
async def clash(
    crossing: Crossing = EVEN,
    characteristic: Ties = 0,
    foe_characteristic: Ties = 0,
    decisive: Decisive = False,
    foe: Body = UNHURT,
    back: Back = NO_ANSWER,
    own: Own = SOUND,
    how: Clashing = USUALLY,
    table: Table = PLAIN,
) -> Clashed:
    """Fight back from a bad spot: an opposed check whose winner deals damage. A clash may be meant to end the fight."""
    out: Out = "" if not decisive else await choose(Seat.ACTOR, "what becomes of the foe", OUTS)
    ahead = characteristic - foe_characteristic
    return await become(met(*crossing, ahead, out, *foe, *back, *own, *how, *table))


def _met_odds(*given: Any) -> Formula[Clashed]:
    modifier, foe_modifier, dice, plus, advantage, foe_advantage, ahead, out, *rest = given
    foe, (back_dice, back_plus), own = Body(*rest[:6]), rest[6:8], Body(*rest[8:14])
    how, table = Clashing(*rest[14:18]), Table(*rest[18:])
    core, model = how.core, how.damage_model
    parts: list[tuple[int, Ends, Callable[[Suffered], Clashed]]] = []
    for found, weight in met_odds(modifier, foe_modifier, ahead, advantage, foe_advantage, *how, table):
        winner, sigma, bonus, _ = found
        if winner == "a":
            hurt = hurting(dice, plus + bonus, _least(sigma), foe, core, True, model, table)
            parts.append((weight, hurt, _won(sigma, out if strong_hit(sigma) else "")))
        elif winner == "b" and back_dice:
            back = hurting(back_dice, back_plus + bonus, _least(sigma), own, core, True, model, table)
            parts.append((weight, back, _lost(sigma)))
        else:
            parts.append((weight, NO_HARM, _undecided(winner, sigma)))
    return Formula(mixed(parts))


def _won(sigma: int, out: str) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed("a", sigma, out, suffered, NOTHING)


def _lost(sigma: int) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed("b", sigma, "", NOTHING, suffered)


def _undecided(winner: str, sigma: int) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed(winner, sigma, "", suffered, NOTHING)


@mechanic(
    rules=["marchen.ounces.clash", "marchen.opposed.resolve"],
    objectives={"harm": clash_harm, "damage": _damage, "wins": _wins, "fells": _fells},
    closed=_met_odds,
)
@spelled_out
async def met(
    crossing: Crossing = EVEN,
    ahead: Annotated[int, Param("by how much one's own characteristic is more, which decides ties", -60, 60)] = 0,
    out: TheOut = "",
    foe: Body = UNHURT,
    back: Back = NO_ANSWER,
    own: Own = SOUND,
    how: Clashing = USUALLY,
    table: Table = PLAIN,
) -> Clashed:
    """A clash after all that could be said about it beforehand: both checks, the winner's damage."""
    modifier, foe_modifier, dice, plus, advantage, foe_advantage = crossing
    meet = meeting(modifier, foe_modifier, ahead, *how, table)
    mine, theirs = _rolled(how.core, advantage), _rolled(how.core, foe_advantage).across()
    winner, sigma, bonus, _ = await both(mine, theirs, meet)
    if winner == "afresh":
        await again()
    if winner == "a":
        hurt = await _hit(dice, plus + bonus, _least(sigma), foe, how, table, foe_suffers=True)
        return Clashed(winner, sigma, out if strong_hit(sigma) else "", hurt, NOTHING)
    if winner == "b" and back.back_dice:
        wound = (back.back_dice, back.back_plus + bonus, _least(sigma), Body(*own))
        return Clashed(winner, sigma, "", NOTHING, await _hit(*wound, how, table, foe_suffers=False))
    return Clashed(winner, sigma, "", NOTHING, NOTHING)


# ---------------------------------------------------------------------- battles


@mechanic(
    rules=["marchen.puncti.battle", "marchen.gap.fight.battle"],
    objectives={"win": lambda met: int(met.winner == "a")},
)
@spelled_out
async def battle(
    modifier: Modifier = 0,
    foe_modifier: FoeModifier = 0,
    characteristic: Ties = 0,
    foe_characteristic: Ties = 0,
    core: TheCore = "2d6",
    damage_bonus: TheDamageBonus = "sigma",
    opposed_tie: TheOpposedTie = "characteristic",
    table: Table = PLAIN,
) -> Met:
    """A whole fight in a blur: one opposed check of the leaders; the winner's sigma says how hard losers are hit."""
    ahead = characteristic - foe_characteristic
    meet = meeting(modifier, foe_modifier, ahead, core, damage_bonus, "dice", opposed_tie, table)
    fought = await both(_rolled(core, "none"), _rolled(core, "none").across(), meet)
    if fought == AFRESH:
        await again()
    return fought


BLOWS: tuple[Mechanic[..., Any], ...] = (strike, struck, clash, met, battle)
