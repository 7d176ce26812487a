"""Mechanics of a clash between two opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from tablewright.dice import Dist
from tablewright.engine import Mechanic, Param, Role, again, become, both, chance, choose, mechanic
from tablewright.engine.settings import flatten_settings
from tablewright.systems.marchen.mechanics.attack import (
    NO_HARM,
    OUT_WORTH,
    OUTS,
    SOUND,
    SPOT_WORTH,
    BackDice,
    Decided,
    Decisive,
    Out,
    Own,
    TheDamageBonus,
    TheOut,
    bonus_of,
    damage,
    fells,
    hit,
    least_of,
    mixed,
)
from tablewright.systems.marchen.mechanics.checks import PLAIN, Modifier, Table, TheAdvantage, TheCore, Winner, _rolled
from tablewright.systems.marchen.mechanics.dice import MODIFIER_SCALE, strong_hit
from tablewright.systems.marchen.mechanics.harm import (
    NOTHING,
    UNHURT,
    Body,
    Dice,
    Ends,
    Formula,
    Plus,
    Suffered,
    TheDamageModel,
    hurting,
    shown_by,
    worth,
)
from tablewright.systems.marchen.options import Core, DamageBonus, DamageModel, OpposedTie

NARROW = 3
"""An effect below this wins a battle narrowly; five-fold on D100 (marchen.gap.fight.battle)."""

FoeModifier = Annotated[int, Param("the opponent's modifier", -60, 60)]
Ties = Annotated[int, Param("the score that decides ties", -10, 40)]
TheOpposedTie = Annotated[OpposedTie, Param("winner of equal effects")]


class Clashed(NamedTuple):
    """Result of a clash: the winner (``a``, ``b`` or nobody), its sigma, and the harm to the loser."""

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


class Back(NamedTuple):
    """Arms of the foe who strikes back."""

    back_dice: BackDice = 0
    back_plus: Plus = 0


class Said(NamedTuple):
    """Facts known before the dice: who wins ties, and the fate of the foe if the fight is to end."""

    ahead: Annotated[int, Param("lead of the own characteristic, which decides ties", -60, 60)] = 0
    out: TheOut = ""


class Clashing(NamedTuple):
    """The campaign's dice, how its blows do damage, and who wins where both are equal."""

    core: TheCore = "2d6"
    damage_bonus: TheDamageBonus = "sigma"
    damage_model: TheDamageModel = "dice"
    opposed_tie: TheOpposedTie = "characteristic"


EVEN, NO_ANSWER, USUALLY = Crossing(), Back(), Clashing()


class Met(NamedTuple):
    """Winner and sigma of an opposed roll; ``afresh`` for a tie that is rolled again."""

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
    """Reading of an opposed roll; ``ahead`` is the margin by which the first wins ties."""
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
    """Weights of the results of an opposed roll, without ties that are rolled again.

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


def _clash_odds(*given: Any) -> Formula[Clashed] | Decided[Clashed]:
    *crossing, characteristic, foe_characteristic, decisive = given[:9]
    ahead = characteristic - foe_characteristic
    if not decisive:
        return _met_odds(*crossing, ahead, "", *given[9:])
    return Decided([[_clashes(*crossing, ahead, out, *given[9:])] for out in OUTS])


@mechanic(
    rules=["marchen.ounces.clash", "marchen.puncti.end_the_fight"],
    objectives={"harm": clash_harm, "damage": damage, "wins": _wins, "fells": fells},
    closed=_clash_odds,
)
@flatten_settings
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
    out: Out = "" if not decisive else await choose(Role.ACTOR, "what becomes of the foe", OUTS)
    ahead = characteristic - foe_characteristic
    return await become(met(*crossing, ahead, out, *foe, *back, *own, *how, *table))


def _met_odds(*given: Any) -> Formula[Clashed]:
    return Formula(Dist.from_dict(_clashes(*given)))


def _clashes(*given: Any) -> dict[Clashed, int]:
    """All that can come of a clash that was begun, with its weights."""
    modifier, foe_modifier, dice, plus, advantage, foe_advantage, ahead, out, *rest = given
    foe, (back_dice, back_plus), own = Body(*rest[:6]), rest[6:8], Body(*rest[8:14])
    how, table = Clashing(*rest[14:18]), Table(*rest[18:])
    core, model = how.core, how.damage_model
    parts: list[tuple[int, Ends, Callable[[Suffered], Clashed]]] = []
    for found, weight in met_odds(modifier, foe_modifier, ahead, advantage, foe_advantage, *how, table):
        winner, sigma, bonus, _ = found
        if winner == "a":
            hurt = hurting(dice, plus + bonus, least_of(sigma), foe, core, True, model, table)
            parts.append((weight, hurt, _won(sigma, out if strong_hit(sigma) else "")))
        elif winner == "b" and back_dice:
            back = hurting(back_dice, back_plus + bonus, least_of(sigma), own, core, True, model, table)
            parts.append((weight, back, _lost(sigma)))
        else:
            parts.append((weight, NO_HARM, _undecided(winner, sigma)))
    return mixed(parts)


def _won(sigma: int, out: str) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed("a", sigma, out, suffered, NOTHING)


def _lost(sigma: int) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed("b", sigma, "", NOTHING, suffered)


def _undecided(winner: str, sigma: int) -> Callable[[Suffered], Clashed]:
    return lambda suffered: Clashed(winner, sigma, "", suffered, NOTHING)


@mechanic(
    rules=["marchen.ounces.clash", "marchen.opposed.resolve"],
    objectives={"harm": clash_harm, "damage": damage, "wins": _wins, "fells": fells},
    closed=_met_odds,
)
@flatten_settings
async def met(crossing: Crossing, said: Said, foe: Body, back: Back, own: Own, how: Clashing, table: Table) -> Clashed:
    """A clash after all that could be said about it beforehand: both checks, the winner's damage."""
    modifier, foe_modifier, dice, plus, advantage, foe_advantage = crossing
    ahead, out = said
    meet = meeting(modifier, foe_modifier, ahead, *how, table)
    mine, theirs = _rolled(how.core, advantage), _rolled(how.core, foe_advantage).by_opponent()
    winner, sigma, bonus, _ = await both(mine, theirs, meet)
    if winner == "afresh":
        await again()
    if winner == "a":
        wound = (dice, plus + bonus, least_of(sigma), foe)
        hurt = await hit(*wound, how.core, how.damage_model, table, foe_suffers=True)
        return Clashed(winner, sigma, out if strong_hit(sigma) else "", hurt, NOTHING)
    if winner == "b" and back.back_dice:
        wound = (back.back_dice, back.back_plus + bonus, least_of(sigma), Body(*own))
        suffered = await hit(*wound, how.core, how.damage_model, table, foe_suffers=False)
        return Clashed(winner, sigma, "", NOTHING, suffered)
    return Clashed(winner, sigma, "", NOTHING, NOTHING)


# ---------------------------------------------------------------------- battles


@mechanic(
    rules=["marchen.puncti.battle", "marchen.gap.fight.battle"],
    objectives={"win": chance(lambda met: int(met.winner == "a"))},
)
@flatten_settings
async def battle(
    modifier: Modifier = 0,
    foe_modifier: FoeModifier = 0,
    characteristic: Ties = 0,
    foe_characteristic: Ties = 0,
    core: TheCore = "2d6",
    damage_bonus: TheDamageBonus = "sigma",
    opposed_tie: TheOpposedTie = "characteristic",
    advantage: TheAdvantage = "none",
    foe_advantage: TheAdvantage = "none",
    table: Table = PLAIN,
) -> Met:
    """A whole fight in a blur: one opposed check of the leaders; the winner's sigma says how hard losers are hit."""
    ahead = characteristic - foe_characteristic
    meet = meeting(modifier, foe_modifier, ahead, core, damage_bonus, "dice", opposed_tie, table)
    fought = await both(_rolled(core, advantage), _rolled(core, foe_advantage).by_opponent(), meet)
    if fought == AFRESH:
        await again()
    return fought


CLASHES: tuple[Mechanic[..., Any], ...] = (clash, met, battle)
