"""Mechanics of a clash between two opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from tablewright.dice import Dist
from tablewright.engine import Mechanic, Param, Role, again, become, both, chance, choose, mechanic
from tablewright.engine.mechanic import FixedOdds
from tablewright.systems.marchen.mechanics.attack import (
    OUT_WORTH,
    OUTS,
    SOUND,
    SPOT_WORTH,
    BackDice,
    Decisive,
    Out,
    Own,
    TheDamageBonus,
    TheOut,
    Way,
    bonus_of,
    damage,
    fells,
    hit,
    least_of,
    mixed,
)
from tablewright.systems.marchen.mechanics.checks import PLAIN, Modifier, Table, TheAdvantage, TheCore, Winner, _rolled
from tablewright.systems.marchen.mechanics.dice import MODIFIER_SCALE, Advantage, strong_hit
from tablewright.systems.marchen.mechanics.harm import (
    NOTHING,
    UNHURT,
    Body,
    Dice,
    Plus,
    Suffered,
    TheDamageModel,
    hurting,
    shown_by,
    worth,
)
from tablewright.systems.marchen.options import OpposedTie

NARROW = 3
"""An effect below this wins a battle narrowly; five-fold on D100 (marchen.gap.fight.battle)."""

FoeModifier = Annotated[int, Param("the opponent's modifier", -60, 60)]
Ties = Annotated[int, Param("the score that decides ties", -10, 40)]
TheOpposedTie = Annotated[OpposedTie, Param("winner of equal effects")]


class Clashed(NamedTuple):
    """Result of a clash: the winner (``a``, ``b`` or no one), its sigma, and the harm to the loser."""

    winner: str
    sigma: int
    out: str
    hurt: Suffered
    back: Suffered


def clash_harm(clashed: Clashed) -> int:
    """Value of a clash for the one who started it, in points of damage."""
    gain = worth(clashed.hurt) + OUT_WORTH[clashed.out] + SPOT_WORTH * (clashed.winner == "a")
    return gain - worth(clashed.back)


@chance
def _wins(clashed: Clashed) -> int:
    return int(clashed.winner == "a")


class Crossing(NamedTuple):
    """Two sides of a clash: modifiers and luck of both, and the arms of the first."""

    modifier: Modifier = 0
    foe_modifier: FoeModifier = 0
    dice: Dice = 3
    plus: Plus = 0
    advantage: TheAdvantage = "none"
    foe_advantage: TheAdvantage = "none"


class Stakes(NamedTuple):
    """Facts of a clash apart from the dice: the scores that decide ties, and whether it is to end the fight."""

    characteristic: Ties = 0
    foe_characteristic: Ties = 0
    decisive: Decisive = False


class Said(NamedTuple):
    """Facts known before the dice: who wins ties, and the fate of the foe if the fight is to end."""

    ahead: Annotated[int, Param("lead of the own characteristic, which decides ties", -60, 60)] = 0
    out: TheOut = ""


class Answer(NamedTuple):
    """Answer of the foe who strikes back, and the body that they meet."""

    back_dice: BackDice = 0
    back_plus: Plus = 0
    own: Own = SOUND


class ClashTable(NamedTuple):
    """Options of a table that clashes read: the dice, the damage, the winner of ties, and how checks are read."""

    core: TheCore = "2d6"
    damage_bonus: TheDamageBonus = "sigma"
    damage_model: TheDamageModel = "dice"
    opposed_tie: TheOpposedTie = "characteristic"
    checks: Table = PLAIN


EVEN, NO_STAKES, NO_ANSWER, USUALLY = Crossing(), Stakes(), Answer(), ClashTable()


class Met(NamedTuple):
    """Winner and sigma of an opposed roll; ``afresh`` for a tie that is rolled again."""

    winner: str
    sigma: int
    bonus: int
    narrow: bool = False


AFRESH = Met("afresh", 0, 0)


@lru_cache(maxsize=4_096)
def meeting(modifier: int, foe_modifier: int, ahead: int, table: ClashTable) -> Callable[[int, int], Met]:
    """Reading of an opposed roll; ``ahead`` is the margin by which the first wins ties."""
    core, damage_bonus, damage_model, opposed_tie, checks = table
    measure, scale = checks.measure(core, "average"), MODIFIER_SCALE[core]
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
        result = checks.judge(first if by > 0 else second, core, measure)
        winner = Winner.A.value if by > 0 else Winner.B.value
        bonus = bonus_of(result, damage_bonus, damage_model)
        return Met(winner, max(0, result.sigma), bonus, result.effect < NARROW * scale)

    return meet


@lru_cache(maxsize=4_096)
def met_odds(
    modifier: int, foe_modifier: int, ahead: int, advantage: Advantage, foe_advantage: Advantage, table: ClashTable
) -> tuple[tuple[Met, int], ...]:
    """Weights of the results of an opposed roll, without ties that are rolled again.

    How the winner's dice are read does not depend on by how much they win, so it is enough to know for each total how
    often the other one has less.
    """
    meet = meeting(modifier, foe_modifier, ahead, table)
    lead = (modifier - foe_modifier) * MODIFIER_SCALE[table.core]
    mine, theirs = shown_by(table.core, advantage), shown_by(table.core, foe_advantage)
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
    objectives={"harm": clash_harm, "damage": damage, "wins": _wins, "fells": fells},
)
async def clash(
    crossing: Crossing = EVEN,
    stakes: Stakes = NO_STAKES,
    foe: Body = UNHURT,
    back: Answer = NO_ANSWER,
    table: ClashTable = USUALLY,
) -> Clashed:
    """Fight back from a bad spot: an opposed check whose winner deals damage. A clash may be meant to end the fight."""
    characteristic, foe_characteristic, decisive = stakes
    out: Out = "" if not decisive else await choose(Role.ACTOR, "what becomes of the foe", OUTS)
    return await become(met(crossing, Said(characteristic - foe_characteristic, out), foe, back, table))


def ways_of_clash(crossing: Crossing, ahead: int, foe: Body, back: Answer, table: ClashTable) -> tuple[Way, ...]:
    """The ways of a clash, without the dice of damage: its odds, and what bots expect of it, are sums over them."""
    modifier, foe_modifier, dice, plus, advantage, foe_advantage = crossing
    core, _, model, _, checks = table
    ways = []
    for found, weight in met_odds(modifier, foe_modifier, ahead, advantage, foe_advantage, table):
        winner, sigma, bonus, _ = found
        least = least_of(sigma)
        if winner == "a":
            hurt = hurting(dice, plus + bonus, least, foe, core, model, checks)
            ways.append(Way(weight, winner, sigma, hurt))
        elif winner == "b" and back.back_dice:
            answer = hurting(back.back_dice, back.back_plus + bonus, least, back.own.body, core, model, checks)
            ways.append(Way(weight, winner, sigma, back=answer))
        else:
            ways.append(Way(weight, winner, sigma))
    return tuple(ways)


def _met_odds(crossing: Crossing, said: Said, foe: Body, back: Answer, table: ClashTable) -> FixedOdds[Clashed]:
    def clashed(way: Way, hurt: Suffered, answer: Suffered) -> Clashed:
        out = said.out if way.degree == "a" and strong_hit(way.sigma) else ""
        return Clashed(way.degree, way.sigma, out, hurt, answer)

    return mixed(ways_of_clash(crossing, said.ahead, foe, back, table), clashed)


@mechanic(
    rules=["marchen.ounces.clash", "marchen.opposed.resolve"],
    objectives={"harm": clash_harm, "damage": damage, "wins": _wins, "fells": fells},
    closed=_met_odds,
)
async def met(crossing: Crossing, said: Said, foe: Body, back: Answer, table: ClashTable) -> Clashed:
    """A clash after all that could be said about it beforehand: both checks, the winner's damage."""
    modifier, foe_modifier, dice, plus, advantage, foe_advantage = crossing
    core, _, model, _, checks = table
    meet = meeting(modifier, foe_modifier, said.ahead, table)
    mine, theirs = _rolled(core, advantage), _rolled(core, foe_advantage).by_opponent()
    winner, sigma, bonus, _ = await both(mine, theirs, meet)
    if winner == "afresh":
        await again()
    if winner == "a":
        hurt = await hit(dice, plus + bonus, least_of(sigma), foe, core, model, checks, foe_suffers=True)
        return Clashed(winner, sigma, said.out if strong_hit(sigma) else "", hurt, NOTHING)
    if winner == "b" and back.back_dice:
        wound = (back.back_dice, back.back_plus + bonus, least_of(sigma), back.own.body)
        answer = await hit(*wound, core, model, checks, foe_suffers=False)
        return Clashed(winner, sigma, "", NOTHING, answer)
    return Clashed(winner, sigma, "", NOTHING, NOTHING)


# ---------------------------------------------------------------------- battles


class Leaders(NamedTuple):
    """The leaders of two sides: the modifiers of both, and the scores that decide ties."""

    modifier: Modifier = 0
    foe_modifier: FoeModifier = 0
    characteristic: Ties = 0
    foe_characteristic: Ties = 0


WELL_MATCHED = Leaders()


@mechanic(
    rules=["marchen.puncti.battle", "marchen.gap.fight.battle"],
    objectives={"win": chance(lambda met: int(met.winner == "a"))},
)
async def battle(
    leaders: Leaders = WELL_MATCHED,
    core: TheCore = "2d6",
    damage_bonus: TheDamageBonus = "sigma",
    opposed_tie: TheOpposedTie = "characteristic",
    advantage: TheAdvantage = "none",
    foe_advantage: TheAdvantage = "none",
    table: Table = PLAIN,
) -> Met:
    """A whole fight in a blur: one opposed check of the leaders; the winner's sigma says how hard losers are hit."""
    modifier, foe_modifier, characteristic, foe_characteristic = leaders
    rules = ClashTable(core, damage_bonus, "dice", opposed_tie, table)
    meet = meeting(modifier, foe_modifier, characteristic - foe_characteristic, rules)
    fought = await both(_rolled(core, advantage), _rolled(core, foe_advantage).by_opponent(), meet)
    if fought == AFRESH:
        await again()
    return fought


CLASHES: tuple[Mechanic[..., Any], ...] = (clash, met, battle)
