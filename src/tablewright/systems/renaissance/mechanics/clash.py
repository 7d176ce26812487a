"""Mechanics of a clash between two opponents."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from tablewright.engine import Call, Param, Role, become, chance, choose, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import flatten_settings
from tablewright.systems.renaissance.mechanics.checks import Target
from tablewright.systems.renaissance.mechanics.clash_odds import Clashes
from tablewright.systems.renaissance.mechanics.defences import (
    FAILED,
    KEEP,
    NO_ANSWER,
    Clash,
    Lies,
    Spending,
    outcome_of,
    read_attack,
    read_defence,
    turned,
    uses,
    ways,
)
from tablewright.systems.renaissance.mechanics.dice import LuckUse
from tablewright.systems.renaissance.mechanics.harm import PLAIN, Defence, FightRules
from tablewright.systems.renaissance.values import D_PERCENT, Regrade, limited

Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("how the target can defend, such as fray:60, parry:50-10; nothing if it cannot")
]
Luck: TypeAlias = Annotated[int, Param("Luck points of the attacker", 0, 20, unseen=0)]
TheirLuck: TypeAlias = Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)]
Change: TypeAlias = Annotated[Regrade, Param("upgrades and downgrades of the attack check")]


class Sides(NamedTuple):
    """Attack and defence before they meet, with the Luck of both and what they have spent of it already."""

    target: Target
    defences: Defences = ()
    luck: Luck = 0
    their_luck: TheirLuck = 0
    regrade: Change = Regrade.NONE
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False
    spent: Annotated[int, Param("Luck points that the attacker has spent already", 0, 20)] = 0
    their_spent: Annotated[int, Param("Luck points that the target has spent already", 0, 20)] = 0

    def spend(self, mine: int, theirs: int = 0) -> Sides:
        """With points spent by both sides."""
        return self._replace(
            luck=self.luck - mine,
            their_luck=self.their_luck - theirs,
            spent=self.spent + mine,
            their_spent=self.their_spent + theirs,
        )

    @property
    def missed(self) -> Clash:
        """The attack has failed."""
        return Clash(False, luck=self.spent, their_luck=self.their_spent)


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
@flatten_settings
async def clash(sides: Sides, rules: FightRules = PLAIN) -> Clash:
    """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again.

    A failed attack can only be flipped before the target would roll. Once both rolls are known the attacker spends Luck
    first, then the target. Without defences a success hits.
    """
    luck = sides.luck
    lies = await throw(D_PERCENT).map(read_attack(limited(sides.target), luck > 0))
    if lies.natural == FAILED and (rules.ordered_first_failure == "lose" or not sides.defences):
        if (
            not luck
            or lies.swapped == FAILED
            or not await yes_no(Role.ACTOR, "flip the failed roll", cost_text="1 Luck")
        ):
            return sides.missed
        lies, sides = Lies(lies.swapped, lies.swapped), sides.spend(1)
    return await become(Call(met, (*lies, *sides, *rules)))


@mechanic(
    rules=["renaissance.attack.procedure", "renaissance.opposed.ordered", "renaissance.luck.flip"],
    objectives={"hit": chance(lambda clash: int(clash.hit)), "bonus": lambda clash: clash.bonus},
)
@flatten_settings
async def met(
    natural: Annotated[int, Param("the margin of the attack roll; -1 for a failure", -1, 99)],
    swapped: Annotated[int, Param("its margin with the digits swapped", -1, 99)],
    sides: Sides,
    rules: FightRules = PLAIN,
) -> Clash:
    """An attack roll lies on the table: the target defends, and both may spend Luck, the attacker first."""
    _, defences, luck, their_luck, regrade, margins, *_ = sides
    lies, answer = Lies(natural, swapped), NO_ANSWER
    if defences:
        offered = ways(defences, their_luck, lies)
        how = offered[0] if len(offered) == 1 else await choose(Role.OPPONENT, "how to defend", offered)
        sides = sides.spend(0, how.spent)._replace(defences=(how.rolled,))
        answer = await throw(D_PERCENT).by_opponent().map(read_defence(how.goal, lies, sides.their_luck > 0))
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
        return await become(Call(clash, (*sides, *rules)))
    if ahead < 0:
        return sides.missed
    outcome = outcome_of(margin, use.regrade(regrade), rules)
    return Clash(True, *outcome, sides.spent, sides.their_spent, margin if margins else 0)
