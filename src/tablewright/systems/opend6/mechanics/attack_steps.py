"""Mechanics of the single steps of an attack, for play with interruptions.

Every question stands at the beginning of a rule with few and small arguments, so that whoever is asked, and every bot,
is advised at once: before a roll in `aim`, `deal` and `resist`, after it in `mend`, `deepen` and `ease`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tablewright.engine import Param, Role, chance, finish, internal_argument, mechanic, minus, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import flatten_settings
from tablewright.systems.opend6.mechanics.attack import (
    DEADLY,
    FATE_PRICE,
    POINT_PRICE,
    WORTH,
    Dicing,
    Fate,
    Penalty,
    exceeding,
    fate_on_resistance,
    resistance_roll,
    resisting_known,
)
from tablewright.systems.opend6.mechanics.checks import Bonus, roll
from tablewright.systems.opend6.mechanics.dice import PointDice
from tablewright.systems.opend6.mechanics.harm import two_less, wounded_by
from tablewright.systems.opend6.mechanics.points import (
    NOTHING,
    POINT_DIE,
    TERMS,
    Aiming,
    Purse,
    Terms,
    ask_before,
    point_die,
    thrown_as,
)
from tablewright.systems.opend6.mechanics.rolls import Excess, Resistance
from tablewright.systems.opend6.values import CriticalFailure, DieCode, WoundLevel

BEFORE_PRICE = 6
"""Points are better spent after a roll than before it: they are the same dice, and one knows what is needed."""


class Aimed(NamedTuple):
    """A roll before its result is declared; whether it is enough for what the roller reckons with."""

    total: int
    enough: bool
    points: int = 0
    fate: int = 0
    complication: bool = False


def _thrifty(aimed: Aimed) -> int:
    """Worth of a roll that is enough, less the points spent before it."""
    return WORTH["wounded"] * aimed.enough - BEFORE_PRICE * aimed.points - FATE_PRICE * aimed.fate


class Rolling(NamedTuple):
    """A roll of an attribute or a skill with everything that counts on it, and what may be spent on it."""

    code: Annotated[DieCode, Param("the roller's own code: skill or attribute")]
    penalty: Penalty = 0
    bonus: Annotated[DieCode, Param("bonus dice from outside: aiming, preparing, surprise, tools")] = NOTHING
    plain: Bonus = 0
    own_bonus: Annotated[int, Param("what the roller's abilities add to the total", -200, 200)] = 0
    assumed: Annotated[int, Param("the difficulty that the roller reckons with", 0, 500)] = 10
    points: Annotated[int, Param("Character Points that the roller has", 0, 1_000, unseen=0)] = 0
    fate: Annotated[int, Param("Fate Points that the roller has", 0, 1_000, unseen=0)] = 0
    doubled: Annotated[bool, Param("whether all of the roller's rolls are doubled this round")] = False

    async def thrown(self, terms: Terms, what: str) -> Aimed:
        """Ask what is spent before the roll, and make it."""
        aiming = Aiming(self.code, self.penalty, self.bonus, self.plain, self.own_bonus, self.doubled, terms)
        mine = Purse(self.points, self.fate)
        used = await ask_before(aiming.purse(mine), aiming.code, terms, what)
        paid = mine.pay(*used)
        rolled, plus = aiming.code(used.fate), aiming.number(used.fate)
        assert rolled is not None
        spent, fate, assumed = paid.spent, paid.spent_fate, self.assumed
        how = terms.how()._replace(critical_failure=terms.critical_failure)
        if how.on_one == "ask" and rolled.dice >= 1:
            one = await roll(rolled, plus, used.points, *how)
            failed = one.critical_failure is CriticalFailure.COMPLICATION
            return Aimed(one.total, one.total >= assumed, spent, fate, failed)
        return await finish(
            thrown_as(
                rolled,
                used.points,
                how,
                lambda shown, one: Aimed(shown + plus, shown + plus >= assumed, spent, fate, one),
                beyond=assumed - plus,
            )
        )


@mechanic(
    rules=["opend6.turn.interrupt", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={
        "thrifty": _thrifty,
        "hit": chance(lambda aimed: int(aimed.enough)),
        "total": lambda aimed: aimed.total,
    },
)
@flatten_settings
async def aim(rolling: Rolling, terms: Terms = TERMS) -> Aimed:
    """An attack roll with everything that is spent on it, before anybody says what comes of it."""
    return await rolling.thrown(terms, "attack")


@mechanic(
    rules=["opend6.check.roll_assembly", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={"thrifty": _thrifty, "total": lambda aimed: aimed.total},
)
@flatten_settings
async def skill_roll(rolling: Rolling, terms: Terms = TERMS) -> Aimed:
    """A roll in a fight that is no attack, such as a defence, with everything that is spent on it."""
    return await rolling.thrown(terms, "roll")


class Mended(NamedTuple):
    """Gain from Character Points after a roll, and their number."""

    gain: int = 0
    points: int = 0
    enough: bool = False


@mechanic(
    rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.cp.max_per_roll"],
    objectives={"thrifty": lambda mended: WORTH["wounded"] * mended.enough - POINT_PRICE * mended.points},
)
async def mend(
    missing: Annotated[int, Param("by how much a total misses what is reckoned with", 0, 1_000)],
    left: Annotated[int, Param("Character Points that may still go on the roll", 0, 1_000, unseen=0)],
    gain: Annotated[int, Param("what was gained so far", 0, 10_000)] = 0,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
    open_ended: Annotated[bool, Param("whether nothing says when it is enough")] = False,
) -> Mended:
    """Character Points on a roll that is made, one after the other, as long as it is not enough."""
    if not left or not (missing or open_ended):
        return Mended(gain, spent, not missing)
    about = {"missing": missing} if missing else {}
    if not await yes_no(Role.ACTOR, "another Character Point", cost_text="1 Character Point", details=about):
        return Mended(gain, spent, not missing)
    return await throw(PointDice(1, max(POINT_DIE.ceiling, missing), cuts=True)).into(
        lambda shown: mend(max(0, missing - shown), left - 1, gain + shown, spent + 1, open_ended)
    )


class Dealt(NamedTuple):
    """A damage roll, and whether a Fate Point was spent on it."""

    total: int
    fate: int = 0


@mechanic(
    rules=["opend6.gap.damage.total", "opend6.fate.external_not_doubled", "opend6.cp.timing"],
    objectives={"damage": lambda dealt: dealt.total - 20 * dealt.fate},
)
@flatten_settings
async def deal(
    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")],
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING,
    plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0,
    fate: Fate = 0,
    doubled: Annotated[bool, Param("whether all of the attacker's rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Dealt:
    """The damage of a hit: Strength Damage, which a Fate Point doubles, and the weapon's."""

    def code(fate: int) -> DieCode:
        factor = terms.factor(fate, doubled)
        return DieCode(max(0, damage.dice * factor + weapon.dice), damage.pips * factor + weapon.pips)

    if code(1).dice < 1:
        return Dealt(max(0, code(int(doubled)).pips + plain + strength_bonus * (1 + doubled)))
    gains = terms.may_add_fate(doubled) and (code(1) != code(0) or strength_bonus != 0)
    mine = Purse(0, fate if gains else 0)
    used = await ask_before(mine, code, terms, "damage")
    plus = plain + strength_bonus * terms.factor(used.fate, doubled)
    if code(used.fate).dice < 1:
        return Dealt(max(0, code(used.fate).pips + plus), used.fate)
    rolled = thrown_as(code(used.fate), 0, terms.how(), lambda shown, _: Dealt(max(0, shown + plus), used.fate))
    return await finish(rolled)


@mechanic(
    rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"],
    objectives={"damage": lambda mended: mended.gain - 5 * mended.points},
)
async def deepen(
    left: Annotated[int, Param("Character Points that may still go on the damage", 0, 1_000, unseen=0)],
    gain: Annotated[int, Param("what was gained so far", 0, 10_000)] = 0,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
) -> Mended:
    """Character Points on damage that was rolled, one after the other."""
    if not left or not await yes_no(Role.ACTOR, "a Character Point on the damage", cost_text="1 Character Point"):
        return Mended(gain, spent, True)
    return await throw(POINT_DIE).into(lambda shown: deepen(left - 1, gain + shown, spent + 1))


class Kept(NamedTuple):
    """By how much damage exceeds the resistance, what that costs, and what was spent on it."""

    over: int
    level: WoundLevel
    points: int = 0
    fate: int = 0


def _spared(kept: Kept) -> int:
    return -WORTH[kept.level] - kept.over - POINT_PRICE * kept.points - FATE_PRICE * kept.fate


@internal_argument
class Victim(NamedTuple):
    """The victim of damage beyond the resistance; ``levels`` is 0 where Body Points are lost."""

    level: WoundLevel
    levels: int
    stun: bool
    killing: bool = False

    def after(self, over: int) -> WoundLevel:
        """The level after so much damage beyond the resistance; none is lost where Body Points are."""
        if not self.levels:
            return self.level
        if self.stun:
            return two_less(self.level, over, self.levels)
        return wounded_by(self.level, over, self.levels, self.killing)


@mechanic(
    rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.gap.resistance.tie"],
    objectives={"spared": _spared},
)
@flatten_settings
async def resist(
    damage: Annotated[int, Param("the damage total", 0, 1_000)],
    resistance: Annotated[DieCode, Param("the Physique of whoever is hit")] = NOTHING,
    armour: Annotated[DieCode, Param("what protects them")] = NOTHING,
    resistance_bonus: Annotated[int, Param("what their abilities add to the resistance", -200, 200)] = 0,
    resistance_plain: Annotated[int, Param("plain numbers on the resistance, such as for size", -200, 200)] = 0,
    level: Annotated[WoundLevel, Param("their Wound level before")] = "healthy",
    levels: Annotated[int, Param("how many Wound levels they have", 1, 5)] = 5,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    fate: Annotated[int, Param("Fate Points that they have", 0, 1_000, unseen=0)] = 0,
    doubled: Annotated[bool, Param("whether all of their rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Kept:
    """Resist damage: what exceeds the total hurts. A Fate Point may go on it before the roll."""

    def code(used: int) -> DieCode:
        factor = terms.factor(used, doubled) - (terms.injury == "body_points" and not stun)
        return DieCode(resistance.dice * factor + armour.dice, resistance.pips * factor + armour.pips)

    used = 0
    if damage > 0 and fate and terms.may_add_fate(doubled) and resistance.dice:
        used = await fate_on_resistance(Role.ACTOR, terms.most_fate(fate), damage, code(0))
    least = -200 if terms.negative_resistance == "add_to_damage" else 0
    plus = resistance_plain + resistance_bonus * terms.factor(used, doubled)
    against = Resistance(code(used), plus, least, terms.resisting())
    victim = Victim(level, 0 if terms.injury == "body_points" else levels, stun, terms.killing_blow)

    beyond = resisting_known(damage, against, terms.how())
    return await finish(beyond.map(lambda over: Kept(over, victim.after(over), 0, used)))


@mechanic(
    rules=["opend6.gap.damage.total", "opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points"],
    objectives={"spared": _spared},
)
@flatten_settings
async def injure(
    damage: Annotated[DieCode, Param("the damage code")],
    resistance: Annotated[DieCode, Param("the Physique of whoever is hurt")] = NOTHING,
    armour: Annotated[DieCode, Param("what protects them")] = NOTHING,
    resistance_bonus: Annotated[int, Param("what their abilities add to the resistance", -200, 200)] = 0,
    resistance_plain: Annotated[int, Param("plain numbers on the resistance, such as for size", -200, 200)] = 0,
    level: Annotated[WoundLevel, Param("their Wound level before")] = "healthy",
    levels: Annotated[int, Param("how many Wound levels they have", 1, 5)] = 5,
    doubled: Annotated[bool, Param("whether all of their rolls are doubled this round")] = False,
    plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    terms: Terms = TERMS,
) -> Kept:
    """Damage that is no attack's, such as a choking hand's, against a resistance on which nothing is spent."""
    wounds = terms.injury == "wounds"
    factor = terms.factor(0, doubled) - (not wounds)
    code = DieCode(resistance.dice * factor + armour.dice, resistance.pips * factor + armour.pips)
    least = -200 if terms.negative_resistance == "add_to_damage" else 0
    plus = resistance_plain + resistance_bonus * terms.factor(0, doubled)
    against = Resistance(code, plus, least, terms.resisting())
    victim = Victim(level, levels if wounds else 0, stun=False, killing=terms.killing_blow)

    def read(beyond: int) -> Kept:
        over = max(0, beyond)
        return Kept(0 if wounds else over, victim.after(over))

    if damage.dice < 1:
        dealt = max(0, damage.pips + plain)
        return await finish(resisting_known(dealt, against, terms.how()).map(read))
    if plain >= 0:
        return await finish(exceeding(damage, plain, against, terms.how(), DEADLY if wounds else None).map(read))
    lessened = thrown_as(damage, 0, terms.how(), lambda shown, _: max(0, shown + plain), cuts=True)
    beyond = minus(lessened, resistance_roll(against, Dicing(terms.how())).by_opponent()).map(lambda over: max(0, over))
    if least == 0:  # damage below zero hurts no more than none
        deadly = DEADLY if wounds else None
        beyond = beyond.weighed_as(throw(Excess(damage, plain, against, terms.how(), deadly)))
    return await finish(beyond.map(read))


@mechanic(
    rules=["opend6.cp.timing", "opend6.gap.wound.adding", "opend6.gap.body_points.loss"],
    objectives={"spared": _spared},
)
async def ease(
    over: Annotated[int, Param("by how much damage exceeds the resistance", 0, 1_000)],
    left: Annotated[int, Param("Character Points that may still go on the resistance", 0, 1_000, unseen=0)],
    level: Annotated[WoundLevel, Param("their Wound level before")] = "healthy",
    levels: Annotated[int, Param("how many Wound levels they have; 0 where Body Points are lost", 0, 5)] = 5,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    killing: Annotated[bool, Param("whether a blow that alone wounds mortally is death at once")] = False,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
) -> Kept:
    """Character Points on a resistance that was not enough, one after the other."""
    ask = yes_no(
        Role.ACTOR, "a Character Point on the resistance", cost_text="1 Character Point", details={"hurt by": over}
    )
    if not over or not left or not await ask:
        return Kept(over, Victim(level, levels, stun, killing).after(over), spent)
    return (
        await throw(point_die(over))
        .map(lambda shown: max(0, over - shown))
        .into(lambda now: ease(now, left - 1, level, levels, stun, killing, spent + 1))
    )
