"""Checks that can be rolled again by a power: whoever rolls sees the dice and decides, the new result stands.

Whether to roll again is asked as long as it can be paid for, whatever came of the roll, so that the question betrays no
hidden Difficulty.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from tablewright.dice import PoolShowing
from tablewright.engine import Mechanic, Param, Seat, become, mechanic, roll, yes_no
from tablewright.systems.stage.mechanics import SIX, BotchFails, Difficulty, Flat, Pool, TheBotchScope, Untrained
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
        again = flat_again(dice, difficulty, modifier, untrained, botch_fails, rerolls - 1, used + 1)
        return await become(again)
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


REROLLING: tuple[Mechanic[..., Any], ...] = (flat_again, set_again)
