"""How one comes into a fight: what is rolled for it, and how those come who take others by surprise."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablewright.engine import Mechanic, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.systems.marchen.mechanics import PLAIN, CheckResult, Modifier, Table, TheAdvantage, TheCore, check
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.suffering import FAILED_BADLY, word_of
from tablewright.systems.marchen.tables import MODIFIER_SCALE, dice_of


class Entered(NamedTuple):
    """How somebody enters a fight: the effect that orders turns, who has the initiative, whether a round is lost."""

    effect: int
    in_control: bool
    loses_round: bool


def entered(result: CheckResult) -> Entered:
    """What the check to enter the fray comes to: costly or worse, the first round is lost as well."""
    return Entered(result.effect, result.success, word_of(result) in FAILED_BADLY)


def ambushing(core: Core, agility: int, table: Table = PLAIN) -> Entered:
    """How somebody enters who takes the others by surprise: as if the dice showed their most.

    >>> ambushing("2d6", 1)
    Entered(effect=5, in_control=True, loses_round=False)
    """
    number, sides = dice_of(core)
    measure = table.measure(core, "average")
    total = number * sides + agility * MODIFIER_SCALE[core]
    return Entered(total - measure.target, True, False)  # marchen.gap.fight.surprise


@mechanic(
    rules=["marchen.puncti.enter_the_fray"],
    objectives={"control": lambda entered: int(entered.in_control) - int(entered.loses_round)},
)
@spelled_out
async def enter_the_fray(
    modifier: Modifier = 0, advantage: TheAdvantage = "none", core: TheCore = "2d6", table: Table = PLAIN
) -> Entered:
    """Come into a fight: an agility check says who acts when, and who begins in control."""
    return await check(core, "average", modifier, advantage, 0, 0, False, *table, "per_die").map(entered)


FRAY: tuple[Mechanic[..., Any], ...] = (enter_the_fray,)
