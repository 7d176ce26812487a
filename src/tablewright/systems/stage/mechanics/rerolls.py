"""Mechanics of checks that a power lets the roller repeat.

Whether to roll again is asked as long as it can be paid for, whatever came of the roll, so that the question betrays no
hidden Difficulty.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.dice import PoolShowing
from tablewright.engine import Mechanic, Param, Role, again, become, chance, mechanic, roll, yes_no
from tablewright.systems.stage.mechanics.checks import (
    SIX,
    TRAINED,
    Botches,
    BotchFails,
    CheckRules,
    Difficulty,
    Flat,
    OpposingFlat,
    OpposingPool,
    Pool,
    TheBotchScope,
    Untrained,
    flat,
    set_difficulty,
)
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS, Defence, Shield
from tablewright.systems.stage.mechanics.harm import payable
from tablewright.systems.stage.values import FEWEST_DICE, LOWEST_RESULT

WORTH = 100
"""Value of a success in paid rerolls."""

Rerolls = Annotated[int, Param("the number of rerolls left", 0, MOST_REROLLS, unseen=0)]
Used = Annotated[int, Param("the number of rerolls used", 0, MOST_REROLLS)]


class RerolledResult(NamedTuple):
    """Result of a flat check, with its number of rerolls."""

    success: bool
    botch: bool
    rerolls: int


class ReSetResult(NamedTuple):
    """The result of a check that is measured against nothing, and how often it was rolled again."""

    result: int
    botch: bool
    rerolls: int


@mechanic(
    rules=["stage.power_effect.reroll", "stage.check.flat", "stage.check.botch"],
    objectives={"success": lambda result: WORTH * result.success - result.rerolls},
)
async def flat_again(
    dice: Pool,
    difficulty: Difficulty,
    modifier: Flat = 0,
    untrained: Untrained = False,
    botch_fails: BotchFails = True,
    rerolls: Rerolls = 1,
    used: Used = 0,
) -> RerolledResult:
    """A flat check that may be rolled again after its dice were seen, for the price of a power each time."""
    rolled = await roll(PoolShowing(max(FEWEST_DICE, dice), SIX))
    result, botch = max(LOWEST_RESULT, rolled.sum + modifier), untrained and rolled.shown
    if rerolls and await yes_no(
        Role.ACTOR, "roll it again", cost_text="the power's points", details={"result": result}
    ):
        return await become(flat_again(dice, difficulty, modifier, untrained, botch_fails, rerolls - 1, used + 1))
    return RerolledResult(result >= difficulty and not (botch and botch_fails), botch, used)


@mechanic(
    rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"],
    objectives={"result": lambda result: result.result - result.rerolls},
)
async def set_again(
    dice: Pool,
    modifier: Flat = 0,
    untrained: Untrained = False,
    botch_fails: BotchFails = True,
    botch_scope: TheBotchScope = "versus_difficulty",
    rerolls: Rerolls = 1,
    used: Used = 0,
) -> ReSetResult:
    """A check that sets a Difficulty or gives points, and may be rolled again after its dice were seen."""
    rolled = await roll(PoolShowing(max(FEWEST_DICE, dice), SIX))
    botch = untrained and rolled.shown and botch_scope == "any_check"
    result = LOWEST_RESULT if botch and botch_fails else max(LOWEST_RESULT, rolled.sum + modifier)
    if rerolls and await yes_no(
        Role.ACTOR, "roll it again", cost_text="the power's points", details={"result": result}
    ):
        return await become(set_again(dice, modifier, untrained, botch_fails, botch_scope, rerolls - 1, used + 1))
    return ReSetResult(result, botch, used)


# ---------------------------------------------------------------------- against a character's check


OpposingRerolls = Annotated[int, Param("the number of rerolls that the other side has left", 0, MOST_REROLLS, unseen=0)]
OpposingUsed = Annotated[int, Param("the number of rerolls that the other side has used", 0, MOST_REROLLS)]


class Luck(NamedTuple):
    """Rerolls of both sides of a contest: left, and used."""

    rerolls: Rerolls = 0
    opposing_rerolls: OpposingRerolls = 0
    used: Used = 0
    opposing_used: OpposingUsed = 0


NO_LUCK = Luck()


class ContestResult(NamedTuple):
    """Result of an opposed check, with the rerolls of both sides."""

    success: bool
    botch: bool = False
    opposing_botch: bool = False
    rerolls: int = 0
    opposing_rerolls: int = 0


OF_A_CONTEST = {
    "worth": lambda result: WORTH * result.success - result.rerolls + result.opposing_rerolls,
    "success": chance(lambda result: int(result.success)),
}
"""Objectives of choices in a contest: success less its price, or success at any price."""


@mechanic(rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"], objectives=OF_A_CONTEST)
async def opposed_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """The defender's check sets the Difficulty for the pool; each side may roll its own check again."""
    untrained, opposing_untrained, fails, scope = botches
    theirs = await set_again(
        opposing, opposing_modifier, opposing_untrained, fails, scope, luck.opposing_rerolls
    ).by_opponent()
    mine = await flat_again(dice, theirs.result, modifier, untrained, fails, luck.rerolls)
    return ContestResult(mine.success, mine.botch, theirs.botch, mine.rerolls, theirs.rerolls)


@mechanic(rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"], objectives=OF_A_CONTEST)
async def unnoticed_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """Hide, conceal or steal with rerolls on either side: the result is the Difficulty for the observer."""
    untrained, opposing_untrained, fails, scope = botches
    mine = await set_again(dice, modifier, untrained, fails, scope, luck.rerolls)
    call = flat_again(opposing, mine.result, opposing_modifier, opposing_untrained, fails, luck.opposing_rerolls)
    theirs = await call.by_opponent()
    return ContestResult(not theirs.success, mine.botch, theirs.botch, mine.rerolls, theirs.rerolls)


@mechanic(
    rules=["stage.power_effect.reroll", "stage.athletics.compete", "stage.speechcraft.discuss"], objectives=OF_A_CONTEST
)
async def compete_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """Both roll, either may reroll, the higher result wins; both roll ties again for free."""
    untrained, opposing_untrained, fails, scope = botches
    mine = await set_again(dice, modifier, untrained, fails, scope, luck.rerolls)
    theirs = await set_again(
        opposing, opposing_modifier, opposing_untrained, fails, scope, luck.opposing_rerolls
    ).by_opponent()
    used = luck.used + mine.rerolls, luck.opposing_used + theirs.rerolls
    if mine.result == theirs.result:
        if not mine.rerolls and not theirs.rerolls:
            await again()
        left = Luck(luck.rerolls - mine.rerolls, luck.opposing_rerolls - theirs.rerolls, *used)
        return await become(compete_again(dice, opposing, modifier, opposing_modifier, botches, left))
    return ContestResult(mine.result > theirs.result, mine.botch, theirs.botch, *used)


# ---------------------------------------------------------------------- in an attack


HitDifficulty: TypeAlias = Annotated[
    int, Param("Hit Difficulty without any defence: Size, cover and the like", -30, 99)
]


class Raised(NamedTuple):
    """Hit Difficulty as a defence has set it, and how often that was rolled again."""

    needed: int
    rerolled: int


@mechanic(rules=["stage.power_effect.reroll", "stage.attack.defensive"])
async def defended_again(
    way: Defence, difficulty: HitDifficulty, shield: Shield, rules: CheckRules, used: Used = 0
) -> Raised:
    """Set Hit Difficulty by a defence that may be rolled again as long as it can be paid for."""
    made = await set_difficulty(way.dice, way.flat, way.untrained, rules.botch_fails, rules.botch_scope).by_opponent()
    price = way.points + (used + 1) * way.reroll
    able = used < way.rerolls if way.ally else payable(price, shield.left, shield.may_pay_last)
    seat, about = Role.OPPONENTS_ALLY if way.ally else Role.OPPONENT, {"result": made.result}
    if (
        used < MOST_REROLLS
        and able
        and await yes_no(seat, "roll again", cost_text=f"{way.reroll} points", details=about)
    ):
        return await become(defended_again(way, difficulty, shield, rules, used + 1))
    return Raised(set_against(way, made.result, difficulty), used)


def set_against(way: Defence, result: int, difficulty: int) -> int:
    """Hit Difficulty with what a defence rolled; a tumble counts where it is higher (stage.agility.tumble)."""
    return max(LOWEST_RESULT, max(way.least, result) + difficulty - way.least)


class Swung(NamedTuple):
    """Result of a first roll, and the rerolls it took."""

    hit: bool
    botch: bool
    rerolled: int = 0


@mechanic(rules=["stage.power_effect.reroll", "stage.attack.procedure"])
async def hit_again(
    dice: Pool,
    needed: Difficulty,
    modifier: Annotated[int, Param("flat modifiers of the roll", -60, 60)],
    untrained: Untrained,
    botch_fails: BotchFails,
    reroll: Annotated[int, Param("the price of a reroll", 0, 20)],
    rerolls: Annotated[int, Param("the number of rerolls left", 0, MOST_REROLLS)],
    used: Used = 0,
) -> Swung:
    """Roll to hit; a miss may be rolled again for points of a power as often as they last."""
    hit, botch = await flat(dice, needed, modifier, untrained, botch_fails)
    if not hit and rerolls and await yes_no(Role.ACTOR, "roll to hit again", cost_text=f"{reroll} points"):
        left = reroll, rerolls - 1, used + 1
        return await become(hit_again(dice, needed, modifier, untrained, botch_fails, *left))
    return Swung(hit, botch, used)


REROLLING: tuple[Mechanic[..., Any], ...] = (flat_again, set_again, opposed_again, unnoticed_again, compete_again)
