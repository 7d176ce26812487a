"""Attack against defence: the ordered check with Luck on both sides, as a rule; its odds are in :mod:`.clash_odds`."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from tablewright.engine import Call, Param, Seat, become, chance, choose, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.systems.renaissance.blows import PLAIN, Defence, FightRules
from tablewright.systems.renaissance.clash_odds import Clashes
from tablewright.systems.renaissance.luck import LuckUse
from tablewright.systems.renaissance.mechanics import Target
from tablewright.systems.renaissance.meeting import (
    FAILED,
    KEEP,
    NO_ANSWER,
    Clash,
    Lies,
    Spending,
    after,
    outcome_of,
    read_attack,
    read_defence,
    turned,
    uses,
    ways,
)
from tablewright.systems.renaissance.values import D_PERCENT, Regrade, limited

Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("how the target can defend, such as fray:60, parry:50-10; nothing if it cannot")
]
Luck: TypeAlias = Annotated[int, Param("Luck points of the attacker", 0, 20, unseen=0)]
TheirLuck: TypeAlias = Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)]
Change: TypeAlias = Annotated[Regrade, Param("what upgrades or downgrades the attack check")]


class Sides(NamedTuple):
    """Attack and defence before they meet, with the Luck of both."""

    target: Target
    defences: Defences = ()
    luck: Luck = 0
    their_luck: TheirLuck = 0
    regrade: Change = Regrade.NONE
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False


@mechanic(
    rules=[
        "renaissance.attack.procedure",
        "renaissance.opposed.ordered",
        "renaissance.attack.mos_bonus",
        "renaissance.defense.fray",
        "renaissance.defense.parry",
        "renaissance.luck.flip",
        "renaissance.luck.upgrade",
    ],
    objectives={"hit": chance(lambda clash: int(clash.hit)), "bonus": lambda clash: clash.bonus},
    closed=Clashes,
)
@spelled_out
async def clash(sides: Sides, rules: FightRules = PLAIN) -> Clash:
    """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again.

    A failed attack can only be flipped before the target would roll. Once both rolls are known the attacker spends Luck
    first, then the target. Without defences a success hits.
    """
    target, defences, luck, their_luck, *_ = sides
    lies = await throw(D_PERCENT).map(read_attack(limited(target), luck > 0))
    left = luck
    if lies.natural == FAILED and (rules.ordered_first_failure == "lose" or not defences):
        if not luck or lies.swapped == FAILED or not await yes_no(Seat.ACTOR, "flip the failed roll", cost="1 Luck"):
            return Clash(False, luck=luck, their_luck=their_luck)
        lies, left = Lies(lies.swapped, lies.swapped), left - 1
    return await become(Call(met, (*lies, *sides._replace(luck=left), *rules)))


@mechanic(
    rules=["renaissance.attack.procedure", "renaissance.opposed.ordered", "renaissance.luck.flip"],
    objectives={"hit": chance(lambda clash: int(clash.hit)), "bonus": lambda clash: clash.bonus},
)
@spelled_out
async def met(
    natural: Annotated[int, Param("the margin of the attack roll; -1 for a failure", -1, 99)],
    swapped: Annotated[int, Param("its margin with the digits swapped", -1, 99)],
    sides: Sides,
    rules: FightRules = PLAIN,
) -> Clash:
    """An attack roll lies on the table: the target defends, and both may spend Luck, the attacker first."""
    _, defences, luck, their_luck, regrade, margins = sides
    lies, theirs, answer, chosen = Lies(natural, swapped), their_luck, NO_ANSWER, defences
    if defences:
        offered = ways(defences, their_luck, lies)
        how = offered[0] if len(offered) == 1 else await choose(Seat.OPPONENT, "how to defend", offered)
        theirs -= how.ignores
        chosen = (after(how.defence, how.ignores),)
        answer = await throw(D_PERCENT).across().map(read_defence(limited(chosen[0].target), lies, theirs > 0))
    spend, use = uses(lies, answer, luck, regrade, rules) if luck else KEEP, LuckUse.KEEP
    if len(spend) > 1:
        offers = [Spending(one, lies, answer, regrade, rules) for one in spend]
        use = (await choose(Seat.ACTOR, "spend Luck on the attack", offers)).use
    ahead, margin = turned(use, lies, answer)
    back = answer.back_swapped if use.flips else answer.back
    left = luck - use.points
    if theirs and ahead > 0 >= back and await yes_no(Seat.OPPONENT, "flip the defence", cost="1 Luck"):
        ahead, theirs = back, theirs - 1
    if ahead == 0:
        again = sides._replace(defences=chosen, luck=left, their_luck=theirs)
        return await become(Call(clash, (*again, *rules)))
    if ahead < 0:
        return Clash(False, luck=left, their_luck=theirs)
    return Clash(True, *outcome_of(margin, use.regrade(regrade), rules), left, theirs, margin if margins else 0)
