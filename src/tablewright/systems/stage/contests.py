"""Checks of two against each other that are neither attack nor plain opposition: staying unnoticed, and being best."""

from __future__ import annotations

from typing import Any

from tablewright.engine import Mechanic, again, mechanic, versus
from tablewright.engine.settings import spelled_out
from tablewright.systems.stage.mechanics import (
    TRAINED,
    Botches,
    Flat,
    OpposedResult,
    OpposingFlat,
    OpposingPool,
    Pool,
    opposed,
    set_difficulty,
    succeeded,
)


@mechanic(rules=["stage.opposed.basic"], objectives={"success": succeeded})
@spelled_out
async def unnoticed(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
) -> OpposedResult:
    """Hide, conceal or steal: the result is the Difficulty for the observer, so that a tie favours the observer."""
    theirs = botches._replace(untrained=botches.opposing_untrained, opposing_untrained=botches.untrained)
    found = await opposed(opposing, dice, opposing_modifier, modifier, 0, *theirs).across()
    return OpposedResult(not found.success, found.opposing_botch, found.botch)


@mechanic(rules=["stage.athletics.compete", "stage.speechcraft.discuss"])
@spelled_out
async def compete(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
) -> bool:
    """Both roll, the higher result wins; ties are rolled again."""
    untrained, opposing_untrained, fails, scope = botches
    own = set_difficulty(dice, modifier, untrained, fails, scope).map(lambda made: made.result)
    made = set_difficulty(opposing, opposing_modifier, opposing_untrained, fails, scope)
    theirs = made.map(lambda made: made.result).across()
    sign = await versus(own, theirs)
    if sign == 0:
        await again()
    return sign > 0


CONTESTS: tuple[Mechanic[..., Any], ...] = (unnoticed, compete)
