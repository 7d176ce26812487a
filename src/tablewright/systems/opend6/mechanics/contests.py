"""Mechanics of contests in which Character Points are spent after the roll."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

from tablewright.engine import Param, Request, Role, chance, mechanic, minus, yes_no
from tablewright.engine import roll as throw
from tablewright.systems.opend6.mechanics.checks import MOST_POINTS, Bonus, Side
from tablewright.systems.opend6.mechanics.dice import bought_total, out_of_reach
from tablewright.systems.opend6.mechanics.open_ended import Followed, OpenNumber, OpenTotal, as_total
from tablewright.systems.opend6.mechanics.points import point_die, thrown_as
from tablewright.systems.opend6.mechanics.rolls import PLAIN, How, open_total
from tablewright.systems.opend6.values import DieCode

PRICE = Fraction(1, 10)
"""A Character Point is worth a tenth of a victory, as in checks."""


class Contested(NamedTuple):
    """Winner of an opposed roll, and the points that both spent after it."""

    winner: Side
    points: int = 0
    their_points: int = 0


def _thrifty(result: Contested) -> Fraction:
    return int(result.winner is Side.INITIATOR) - PRICE * (result.points - result.their_points)


class Reserves(NamedTuple):
    """Character Points that both sides may spend after the roll."""

    points: Annotated[
        int, Param("Character Points the one who acts may spend after the roll", 0, MOST_POINTS, unseen=0)
    ] = 0
    their_points: Annotated[int, Param("Character Points the other may spend after it", 0, MOST_POINTS, unseen=0)] = 0


NO_RESERVES = Reserves()


def _followed(lead: OpenTotal, points: int, their_points: int) -> dict[OpenNumber, Fraction]:
    """Leads as far as a choice depends on them: no one pays for a chance that is worth less than the point.

    Who only wants to win always pays, however small the chance.
    """
    return lead.numbers(-out_of_reach(points, PRICE), out_of_reach(their_points, PRICE))


def _first_leads(
    initiator: DieCode, resister: DieCode, ahead: int, put_in: tuple[int, int], reserves: Reserves, how: How
) -> dict[OpenNumber, Fraction]:
    """Leads of the first roll."""
    mine, yours = open_total(initiator, ahead, put_in[0], how), open_total(resister, 0, put_in[1], how)
    return _followed(mine.over(yours), *reserves)


def _next_leads(lead: int, sign: int, points: int, their_points: int) -> dict[OpenNumber, Fraction]:
    """Leads after another bought die."""
    now, die = as_total(lead), bought_total(1)
    return _followed(now.plus(die) if sign > 0 else now.over(die), points, their_points)


@mechanic(
    rules=["opend6.opposed.resolve", "opend6.success.ties", "opend6.cp.timing"],
    objectives={"thrifty_win": _thrifty, "win": chance(lambda result: int(result.winner is Side.INITIATOR))},
)
async def contested(
    initiator: Annotated[DieCode, Param("the die code of the one who acts")],
    resister: Annotated[DieCode, Param("the die code of the one who resists")],
    initiator_bonus: Bonus = 0,
    resister_bonus: Bonus = 0,
    reserves: Reserves = NO_RESERVES,
    initiator_points: Annotated[int, Param("Character Points the one who acts has put in", 0, MOST_POINTS)] = 0,
    resister_points: Annotated[int, Param("Character Points the one who resists has put in", 0, MOST_POINTS)] = 0,
    how: How = PLAIN,
) -> Contested:
    """Both sides roll and the higher total wins, a tie the side that started; the side behind may spend points."""
    how = how._replace(critical_failure="cancel") if how.on_one == "ask" else how
    mine = thrown_as(initiator, initiator_points, how, lambda shown, _: shown)
    yours = thrown_as(resister, resister_points, how, lambda shown, _: shown).by_opponent()
    ahead, put_in = initiator_bonus - resister_bonus, (initiator_points, resister_points)
    leads: Request[int] = minus(mine, yours).map(lambda lead: lead + ahead)
    followed = throw(Followed(_first_leads, (initiator, resister, ahead, put_in, reserves, how)))
    return await leads.weighed_as(followed).into(lambda lead: caught_up(lead, *reserves, 0, 0))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.opposed.resolve"])
async def caught_up(lead: int, points: int, their_points: int, spent: int, their_spent: int) -> Contested:
    """Continue an opposed roll: the side behind may spend a Character Point, then the other side, and so on."""
    if lead < 0:
        ask = yes_no(Role.ACTOR, "another Character Point", cost_text="1 Character Point", details={"behind": -lead})
        if not points or not await ask:
            return Contested(Side.RESISTER, spent, their_spent)
        closer = throw(point_die()).map(lambda shown: lead + shown)
        followed = throw(Followed(_next_leads, (lead, 1, points - 1, their_points)))
        return await closer.weighed_as(followed).into(
            lambda now: caught_up(now, points - 1, their_points, spent + 1, their_spent)
        )
    ask = yes_no(Role.OPPONENT, "another Character Point", cost_text="1 Character Point", details={"behind": lead + 1})
    if not their_points or not await ask:
        return Contested(Side.INITIATOR, spent, their_spent)
    closer = throw(point_die(), Role.OPPONENT).map(lambda shown: lead - shown)
    followed = throw(Followed(_next_leads, (lead, -1, points, their_points - 1)), Role.OPPONENT)
    return await closer.weighed_as(followed).into(
        lambda now: caught_up(now, points, their_points - 1, spent, their_spent + 1)
    )
