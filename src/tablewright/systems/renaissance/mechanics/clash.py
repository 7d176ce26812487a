"""Mechanics of a clash between two opponents."""

from __future__ import annotations

from tablewright.engine import Role, become, chance, choose, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.systems.renaissance.mechanics.clash_odds import Clashes
from tablewright.systems.renaissance.mechanics.defences import (
    FAILED,
    KEEP,
    NO_ANSWER,
    Clash,
    Lies,
    Sides,
    Spending,
    outcome_of,
    read_attack,
    read_defence,
    turned,
    uses,
    ways,
    worth_of_attack,
    worth_of_defence,
)
from tablewright.systems.renaissance.mechanics.dice import LuckUse
from tablewright.systems.renaissance.mechanics.harm import PLAIN, FightRules
from tablewright.systems.renaissance.values import D_PERCENT, limited


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
async def clash(sides: Sides, rules: FightRules = PLAIN) -> Clash:
    """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again.

    A failed attack can only be flipped before the target would roll. Once both rolls are known the attacker spends Luck
    first, then the target. Without defences a success hits.
    """
    luck = sides.luck
    goal = limited(sides.target)
    lies = await throw(D_PERCENT, worth=worth_of_attack(goal, luck > 0)).map(read_attack(goal, luck > 0))
    if lies.natural == FAILED and (rules.ordered_first_failure == "lose" or not sides.defences):
        if (
            not luck
            or lies.swapped == FAILED
            or not await yes_no(Role.ACTOR, "flip the failed roll", cost_text="1 Luck")
        ):
            return sides.missed
        lies, sides = Lies(lies.swapped, lies.swapped), sides.spend(1)
    return await become(met(lies, sides, rules))


@mechanic(
    rules=["renaissance.attack.procedure", "renaissance.opposed.ordered", "renaissance.luck.flip"],
    objectives={"hit": chance(lambda clash: int(clash.hit)), "bonus": lambda clash: clash.bonus},
)
async def met(lies: Lies, sides: Sides, rules: FightRules = PLAIN) -> Clash:
    """An attack roll lies on the table: the target defends, and both may spend Luck, the attacker first."""
    _, defences, luck, their_luck, regrade, margins, *_ = sides
    answer = NO_ANSWER
    if defences:
        offered = ways(defences, their_luck, lies)
        how = offered[0] if len(offered) == 1 else await choose(Role.OPPONENT, "how to defend", offered)
        sides = sides.met_by(how)
        dice = throw(D_PERCENT, Role.OPPONENT, worth_of_defence(how.goal, lies.natural, sides.their_luck > 0))
        answer = await dice.map(read_defence(how.goal, lies, sides.their_luck > 0))
    spend, use = uses(lies, answer, luck, regrade, rules) if luck else KEEP, LuckUse.KEEP
    if len(spend) > 1:
        offers = [Spending(one, lies, answer, regrade, rules) for one in spend]
        use = (await choose(Role.ACTOR, "spend Luck on the attack", offers)).use
    ahead, margin = turned(use, lies, answer)
    back = answer.back_swapped if use.flips else answer.back
    sides = sides.spend(use.points)
    if sides.their_luck and ahead > 0 >= back and await yes_no(Role.OPPONENT, "flip the defence", cost_text="1 Luck"):
        ahead, sides = back, sides.spend(0, 1)
    if ahead == 0:
        return await become(clash(sides, rules))
    if ahead < 0:
        return sides.missed
    outcome = outcome_of(margin, use.regrade(regrade), rules)
    return Clash(True, *outcome, sides.spent, sides.their_spent, margin if margins else 0)
