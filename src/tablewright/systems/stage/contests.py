"""Checks of two against each other that are neither attack nor plain opposition: staying unnoticed, and being best."""

from __future__ import annotations

from typing import Any

from tablewright.engine import Mechanic, again, mechanic, versus
from tablewright.systems.stage.mechanics import (
    BotchFails,
    Flat,
    OpposedResult,
    OpposingFlat,
    OpposingPool,
    OpposingUntrained,
    Pool,
    TheBotchScope,
    Untrained,
    opposed,
    set_difficulty,
    succeeded,
)


@mechanic(rules=["stage.opposed.basic"], objectives={"success": succeeded})
async def unnoticed(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    untrained: Untrained = False,
    opposing_untrained: OpposingUntrained = False,
    botch_fails: BotchFails = True,
    botch_scope: TheBotchScope = "versus_difficulty",
) -> OpposedResult:
    """Hide, conceal or steal: the result is the Difficulty for the observer, so that a tie favours the observer."""
    found = await opposed(
        opposing, dice, opposing_modifier, modifier, 0, opposing_untrained, untrained, botch_fails, botch_scope
    ).across()
    return OpposedResult(not found.success, found.opposing_botch, found.botch)


@mechanic(rules=["stage.athletics.compete", "stage.speechcraft.discuss"])
async def compete(dice: Pool, opposing: OpposingPool, modifier: Flat = 0, opposing_modifier: OpposingFlat = 0) -> bool:
    """Both roll, the higher result wins; ties are rolled again."""
    own = set_difficulty(dice, modifier).map(lambda made: made.result)
    theirs = set_difficulty(opposing, opposing_modifier).map(lambda made: made.result).across()
    sign = await versus(own, theirs)
    if sign == 0:
        await again()
    return sign > 0


CONTESTS: tuple[Mechanic[..., Any], ...] = (unnoticed, compete)
