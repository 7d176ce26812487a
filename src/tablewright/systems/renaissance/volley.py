"""One weapon or two: an attack with the main hand, with the off hand, or with both, as a choice with its odds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import Ask, Mechanic, Param, Seat, chance, choose, finish, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.systems.renaissance.attack import (
    Armor,
    Attacked,
    Balance,
    BalancePenalties,
    Left,
    Negated,
    Piercing,
    Threshold,
    attack,
    worth,
)
from tablewright.systems.renaissance.blows import (
    NO_RESERVE,
    PLAIN,
    PLAIN_INJURY,
    FightRules,
    InjuryRules,
    fresh_penalty,
    multiple_penalty,
)
from tablewright.systems.renaissance.clashing import Defences
from tablewright.systems.renaissance.mechanics import Target
from tablewright.systems.renaissance.values import DV

Weapons: TypeAlias = Literal["main", "off", "both"]
WEAPONS: tuple[Weapons, ...] = ("main", "off", "both")
AGAINST_PRONE = 10  # renaissance.prone.effects


class Volleyed(NamedTuple):
    """What one or two attacks came to together."""

    hits: int
    damage: int = 0
    wounds: int = 0
    prone: bool = False
    felled: bool = False


def _one(attacked: Attacked) -> Volleyed:
    return Volleyed(int(attacked.hit), attacked.damage, attacked.wounds, attacked.prone, attacked.felled)


@mechanic(
    rules=["renaissance.multi.attacks", "renaissance.multi.off_hand", "renaissance.injury.wound_penalty"],
    objectives={
        "worth": lambda done: worth(done.damage, done.wounds, done.prone, done.felled),
        "damage": lambda done: done.damage,
        "hits": lambda done: done.hits,
        "felled": chance(lambda done: int(done.felled)),
    },
)
@spelled_out
async def two_weapons(
    target: Target,
    dv: Annotated[DV, Param("the DV of the main hand with every flat bonus, such as 2d10+6")],
    off_target: Annotated[int, Param("the target with the off hand, its penalties included", -500, 500)],
    off_dv: Annotated[DV, Param("the DV of the off hand with every flat bonus")],
    defences: Defences = (),
    armor: Armor = 0,
    ap: Piercing = 0,
    off_ap: Annotated[int, Param("armor penetration of the off hand", 0, 99)] = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    negated: Negated = 0,
    left: Left = NO_RESERVE,
    rules: FightRules = PLAIN,
    injury: InjuryRules = PLAIN_INJURY,
) -> Volleyed:
    """Attack with one weapon, or with both of them at -10 each; nobody spends Luck and no strike is tried.

    What the first attack has done counts for the second: wounds hamper the defence, and who lies is easier to hit.
    """
    hand = await choose(Seat.ACTOR, "with which weapons", WEAPONS)
    main, off = (target, dv, ap), (off_target, off_dv, off_ap)

    def blow(arm: tuple[int, DV, int], less: int, before: Volleyed) -> Ask[Volleyed]:
        aimed, strength, piercing = arm
        hampered = fresh_penalty(before.wounds, negated)
        met = tuple(
            [one._replace(target=one.target - hampered, penalties=one.penalties + hampered) for one in defences]
        )
        call = attack(
            aimed + less + (AGAINST_PRONE if before.prone else 0),
            strength,
            met,
            armor,
            piercing,
            wound_threshold,
            None if balance is None or before.prone else balance - hampered,
            balance_penalties + hampered,
            max(0, negated - before.wounds),
            left=left if left == NO_RESERVE else max(0, left - before.damage),
            **rules._asdict(),
            **injury._asdict(),
        )
        return call.map(_one).map(lambda after: _added(before, after))

    nothing = Volleyed(0)
    if hand != "both":
        return await finish(blow(main if hand == "main" else off, 0, nothing))
    several = multiple_penalty(2, 1)
    first = await blow(main, several, nothing)
    return first if first.felled else await finish(blow(off, several, first))


def _added(before: Volleyed, after: Volleyed) -> Volleyed:
    return Volleyed(
        before.hits + after.hits,
        before.damage + after.damage,
        before.wounds + after.wounds,
        before.prone or after.prone,
        after.felled,
    )


MECHANICS: tuple[Mechanic[..., Any], ...] = (two_weapons,)
