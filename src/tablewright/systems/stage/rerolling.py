"""Checks that can be rolled again by a power: whoever rolls sees the dice and decides, the new result stands.

Whether to roll again is asked as long as it can be paid for, whatever came of the roll, so that the question betrays no
hidden Difficulty.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from tablewright.dice import PoolShowing
from tablewright.engine import Mechanic, Param, Seat, again, become, chance, mechanic, roll, yes_no
from tablewright.engine.settings import spelled_out
from tablewright.systems.stage.mechanics import (
    SIX,
    TRAINED,
    Botches,
    BotchFails,
    Difficulty,
    Flat,
    OpposingFlat,
    OpposingPool,
    Pool,
    TheBotchScope,
    Untrained,
)
from tablewright.systems.stage.pool import FEWEST_DICE, LOWEST_RESULT

WORTH = 100
"""What a success is worth against a reroll that was paid for."""

Rerolls = Annotated[int, Param("how often it can still be rolled again", 0, 20, unseen=0)]
Used = Annotated[int, Param("how often it was rolled again already", 0, 20)]


class RerolledResult(NamedTuple):
    """How a check in one roll ended, and how often it was rolled again."""

    success: bool
    botch: bool
    rerolls: int


class ReSetResult(NamedTuple):
    """The result of a check that is measured against nothing, and how often it was rolled again."""

    result: int
    botch: bool
    rerolls: int


def _success_for_its_price(result: RerolledResult) -> int:
    return WORTH * result.success - result.rerolls


def _result_for_its_price(result: ReSetResult) -> int:
    return result.result - result.rerolls


@mechanic(
    rules=["stage.power_effect.reroll", "stage.check.flat", "stage.check.botch"],
    objectives={"success": _success_for_its_price},
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
    if rerolls and await yes_no(Seat.ACTOR, "roll it again", cost="the power's points", about={"result": result}):
        return await become(flat_again(dice, difficulty, modifier, untrained, botch_fails, rerolls - 1, used + 1))
    return RerolledResult(result >= difficulty and not (botch and botch_fails), botch, used)


@mechanic(
    rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"],
    objectives={"result": _result_for_its_price},
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
    if rerolls and await yes_no(Seat.ACTOR, "roll it again", cost="the power's points", about={"result": result}):
        return await become(set_again(dice, modifier, untrained, botch_fails, botch_scope, rerolls - 1, used + 1))
    return ReSetResult(result, botch, used)


# ---------------------------------------------------------------------- against somebody's check


OpposingRerolls = Annotated[int, Param("how often the other side can still roll again", 0, 20, unseen=0)]
OpposingUsed = Annotated[int, Param("how often the other side has rolled again already", 0, 20)]


class Luck(NamedTuple):
    """How often either side of a contest can still roll again, and has done so."""

    rerolls: Rerolls = 0
    opposing_rerolls: OpposingRerolls = 0
    used: Used = 0
    opposing_used: OpposingUsed = 0


NO_LUCK = Luck()


class ContestResult(NamedTuple):
    """How a check against another's check ended, and how often either side rolled again."""

    success: bool
    botch: bool = False
    opposing_botch: bool = False
    rerolls: int = 0
    opposing_rerolls: int = 0


def _contest_for_its_price(result: ContestResult) -> int:
    return WORTH * result.success - result.rerolls + result.opposing_rerolls


OF_A_CONTEST = {"worth": _contest_for_its_price, "success": chance(lambda result: int(result.success))}
"""What choices in a contest can be made for: success for its price, or success at any."""


@mechanic(
    rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"],
    objectives=OF_A_CONTEST,
)
@spelled_out
async def opposed_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """The other side's check sets the Difficulty for one's own; each may be rolled again by whoever made it."""
    untrained, opposing_untrained, fails, scope = botches
    theirs = await set_again(
        opposing, opposing_modifier, opposing_untrained, fails, scope, luck.opposing_rerolls
    ).across()
    mine = await flat_again(dice, theirs.result, modifier, untrained, fails, luck.rerolls)
    return ContestResult(mine.success, mine.botch, theirs.botch, mine.rerolls, theirs.rerolls)


@mechanic(
    rules=["stage.power_effect.reroll", "stage.opposed.basic", "stage.check.botch"],
    objectives=OF_A_CONTEST,
)
@spelled_out
async def unnoticed_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """Hide, conceal or steal, where either side may roll again: one's own result is the Difficulty for the observer."""
    untrained, opposing_untrained, fails, scope = botches
    mine = await set_again(dice, modifier, untrained, fails, scope, luck.rerolls)
    call = flat_again(opposing, mine.result, opposing_modifier, opposing_untrained, fails, luck.opposing_rerolls)
    theirs = await call.across()
    return ContestResult(not theirs.success, mine.botch, theirs.botch, mine.rerolls, theirs.rerolls)


@mechanic(
    rules=["stage.power_effect.reroll", "stage.athletics.compete", "stage.speechcraft.discuss"],
    objectives=OF_A_CONTEST,
)
@spelled_out
async def compete_again(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
    luck: Luck = NO_LUCK,
) -> ContestResult:
    """Both roll, either may roll again, the higher result wins; ties are rolled anew by both for nothing."""
    untrained, opposing_untrained, fails, scope = botches
    mine = await set_again(dice, modifier, untrained, fails, scope, luck.rerolls)
    theirs = await set_again(
        opposing, opposing_modifier, opposing_untrained, fails, scope, luck.opposing_rerolls
    ).across()
    used = luck.used + mine.rerolls, luck.opposing_used + theirs.rerolls
    if mine.result == theirs.result:
        if not mine.rerolls and not theirs.rerolls:
            await again()
        left = Luck(luck.rerolls - mine.rerolls, luck.opposing_rerolls - theirs.rerolls, *used)
        return await become(compete_again(dice, opposing, modifier, opposing_modifier, *botches, *left))
    return ContestResult(mine.result > theirs.result, mine.botch, theirs.botch, *used)


REROLLING: tuple[Mechanic[..., Any], ...] = (flat_again, set_again, opposed_again, unnoticed_again, compete_again)
