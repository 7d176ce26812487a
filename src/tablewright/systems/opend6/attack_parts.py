"""An attack in its parts, as it is played where points are spent or others come between: aim, deal, resist."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tablewright.engine import Param, Seat, become, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.errors import BadInput
from tablewright.systems.opend6.attack import (
    FATE_PRICE,
    NOTHING,
    POINT_DIE,
    POINT_PRICE,
    TERMS,
    WORTH,
    Aiming,
    Before,
    Dicing,
    Fate,
    Injury,
    Own,
    Penalty,
    Points,
    Purse,
    Resistance,
    Terms,
    ask_before,
    kept,
    left_for,
    thrown_as,
)
from tablewright.systems.opend6.injury import two_less, wounded_by
from tablewright.systems.opend6.mechanics import Bonus, roll
from tablewright.systems.opend6.values import CriticalFailure, DieCode, WoundLevel


class Aimed(NamedTuple):
    """An attack roll before its result is declared; whether it is enough for what the attacker reckons with."""

    total: int
    enough: bool
    points: int = 0
    fate: int = 0
    complication: bool = False


@mechanic(
    rules=["opend6.turn.interrupt", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={
        "hit": lambda aimed: WORTH["wounded"] * aimed.enough - POINT_PRICE * aimed.points - FATE_PRICE * aimed.fate,
        "total": lambda aimed: aimed.total,
    },
)
@spelled_out
async def aim(
    code: Own,
    penalty: Penalty = 0,
    bonus: Annotated[DieCode, Param("bonus dice from outside: aiming, surprise, tools")] = NOTHING,
    plain: Bonus = 0,
    own_bonus: Annotated[int, Param("what the attacker's abilities add to the attack", -200, 200)] = 0,
    assumed: Annotated[int, Param("the difficulty that the attacker reckons with", 0, 500)] = 10,
    points: Points = 0,
    fate: Fate = 0,
    doubled: Annotated[bool, Param("whether all of the attacker's rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Aimed:
    """An attack roll with everything that is spent on it, before anybody says what comes of it."""
    aiming = Aiming(code, penalty, bonus, plain, own_bonus, doubled, terms)
    mine = Purse(points, fate)
    used = await ask_before(aiming.purse(mine), aiming.code, terms, "attack")
    paid = mine.pay(*used)
    rolled, plus = aiming.code(used.fate), aiming.number(used.fate)
    assert rolled is not None
    left = left_for(paid, used, terms)
    how = terms.how()._replace(critical_failure=terms.critical_failure)
    if how.on_one == "ask":
        one = await roll(rolled, plus, used.points, *how)
        failed = one.critical_failure is CriticalFailure.COMPLICATION
        return await become(aimed_at(one.total, failed, left, paid.spent, paid.spent_fate, assumed))
    return await thrown_as(rolled, used.points, how, lambda shown, one: (shown + plus, one)).into(
        lambda fallen: aimed_at(fallen[0], fallen[1], left, paid.spent, paid.spent_fate, assumed)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.die_behaviour"])
async def aimed_at(total: int, complication: bool, left: int, spent: int, fate: int, assumed: int) -> Aimed:
    """Character Points after the roll, one after the other, as long as it is not enough for what is reckoned with."""
    if (
        not left
        or total >= assumed
        or not await yes_no(
            Seat.ACTOR, "another Character Point on the attack?", cost="1 Character Point", about={"total": total}
        )
    ):
        return Aimed(total, total >= assumed, spent, fate, complication)
    return await throw(POINT_DIE).into(
        lambda shown: aimed_at(total + shown, complication, left - 1, spent + 1, fate, assumed)
    )


class Dealt(NamedTuple):
    """A damage roll, with what was spent on it."""

    total: int
    points: int = 0
    fate: int = 0


@mechanic(
    rules=["opend6.gap.damage.total", "opend6.fate.external_not_doubled", "opend6.cp.timing"],
    objectives={"damage": lambda dealt: dealt.total - 5 * dealt.points - 20 * dealt.fate},
)
@spelled_out
async def deal(
    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")],
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING,
    plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0,
    points: Points = 0,
    fate: Fate = 0,
    doubled: Annotated[bool, Param("whether all of the attacker's rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Dealt:
    """The damage of a hit: Strength Damage, which a Fate Point doubles, and the weapon's; Character Points after it."""

    def code(fate: int) -> DieCode:
        factor = 1 + max(fate, doubled)
        return DieCode(max(0, damage.dice * factor + weapon.dice), damage.pips * factor + weapon.pips)

    if code(1).dice < 1:
        return Dealt(max(0, code(int(doubled)).pips + plain + strength_bonus * (1 + doubled)))
    mine = Purse(0, 0 if doubled or (code(1) == code(0) and not strength_bonus) else fate)
    used = await ask_before(mine, code, terms, "damage")
    left = left_for(Purse(points), used, terms)
    plus = plain + strength_bonus * (1 + max(used.fate, doubled))
    rolled = thrown_as(code(used.fate), 0, terms.how(), lambda shown, _: max(0, shown + plus))
    return await rolled.into(lambda total: dealing(total, left, 0, used.fate))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"])
async def dealing(total: int, left: int, spent: int, fate: int) -> Dealt:
    """Character Points on damage that was rolled, one after the other."""
    if not left or not await yes_no(
        Seat.ACTOR, "another Character Point on the damage?", cost="1 Character Point", about={"damage": total}
    ):
        return Dealt(total, spent, fate)
    return await throw(POINT_DIE).into(lambda shown: dealing(total + shown, left - 1, spent + 1, fate))


class Kept(NamedTuple):
    """What a resistance roll left of the damage, and what was spent on it."""

    level: WoundLevel
    loss: int = 0
    points: int = 0
    fate: int = 0


def _spared(kept: Kept) -> int:
    return -WORTH[kept.level] - kept.loss - POINT_PRICE * kept.points - FATE_PRICE * kept.fate


@mechanic(
    rules=[
        "opend6.gap.resistance.wounds",
        "opend6.gap.resistance.body_points",
        "opend6.gap.wound.levels",
        "opend6.gap.body_points.loss",
        "opend6.cp.timing",
    ],
    objectives={"spared": _spared},
)
@spelled_out
async def resist(
    damage: Annotated[int, Param("the damage total", 0, 1_000)],
    resistance: Annotated[DieCode, Param("the Physique of whoever is hit")] = NOTHING,
    armour: Annotated[DieCode, Param("what protects them")] = NOTHING,
    resistance_bonus: Annotated[int, Param("what their abilities add to the resistance", -200, 200)] = 0,
    level: Annotated[WoundLevel, Param("their Wound level before")] = "healthy",
    levels: Annotated[int, Param("how many Wound levels they have", 1, 5)] = 5,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    points: Annotated[int, Param("Character Points that they have", 0, 1_000, unseen=0)] = 0,
    fate: Annotated[int, Param("Fate Points that they have", 0, 1_000, unseen=0)] = 0,
    doubled: Annotated[bool, Param("whether all of their rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Kept:
    """Resist damage: what exceeds the total is lost. A Fate Point before the roll, Character Points after it."""
    used = 0
    if damage > 0 and fate and not doubled and resistance.dice:
        ask = yes_no(Seat.ACTOR, "a Fate Point on the resistance?", cost="1 Fate Point", about={"damage": damage})
        used = int(await ask)
    factor = 1 + max(used, doubled) - (terms.injury == "body_points")
    code = DieCode(resistance.dice * factor + armour.dice, resistance.pips * factor + armour.pips)
    least = -200 if terms.negative_resistance == "add_to_damage" else 0
    against = Resistance(code, resistance_bonus * (1 + max(used, doubled)), least)
    left = left_for(Purse(points), Before(0, used), terms)
    spending = Spending(level, levels, stun, terms.injury)
    return (
        await kept(against, Dicing(terms.how()))
        .map(lambda shown: max(0, damage - shown))
        .into(lambda over: resisted(over, left, 0, used, spending))
    )


class Spending(NamedTuple):
    """Whom damage beyond the resistance would hurt, and how."""

    level: WoundLevel
    levels: int
    stun: bool
    injury: Injury

    @staticmethod
    def parse(text: str) -> Spending:
        """Nobody writes it: the rule itself makes it."""
        raise BadInput("this is made by the rule itself and cannot be written")


@mechanic(rules=["opend6.cp.timing", "opend6.gap.wound.adding", "opend6.gap.resistance.tie"])
async def resisted(over: int, left: int, spent: int, fate: int, spending: Spending) -> Kept:
    """Character Points on a resistance that was not enough, one after the other; then what is left over is lost."""
    if (
        over
        and left
        and await yes_no(
            Seat.ACTOR, "another Character Point on the resistance?", cost="1 Character Point", about={"hurt by": over}
        )
    ):
        return (
            await throw(POINT_DIE)
            .map(lambda shown: max(0, over - shown))
            .into(lambda now: resisted(now, left - 1, spent + 1, fate, spending))
        )
    level, levels, stun, injury = spending
    if injury == "body_points":
        return Kept(level, over, spent, fate)
    if stun:
        return Kept(two_less(level, over, levels), over, spent, fate)
    return Kept(wounded_by(level, over, levels), 0, spent, fate)
