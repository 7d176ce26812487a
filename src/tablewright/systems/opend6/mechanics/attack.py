"""Mechanics of an attack, from the roll to the damage.

`opend6.attack` is the whole rule down to what is lost. The attacker may spend a Fate Point or Character Points before
the roll, and Character Points after a miss; a Fate Point before the damage is rolled, and Character Points after it.
The target may do the same with the resistance.

Where a side has points to spend, or a character may interrupt between roll and result, play takes the same steps one by
one: `opend6.aim`, `mend`, `deal`, `deepen`, `resist` and `ease`. Each asks its question first and has few and small
arguments, so that its advice is there at once; advice about a whole attack with five points takes twenty times as long.
What a step does stands once, in the records :class:`Throw`, :class:`Blow`, :class:`Protection` and :class:`Body`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from tablewright.engine import Param, Request, Role, become, chance, finish, mechanic, minus, yes_no
from tablewright.engine import roll as throw_dice
from tablewright.systems.opend6.mechanics.attack_odds import (
    at_once,
    attack_odds,
    attack_rolls,
    damages,
    deeper,
    difficulties,
    eased,
    excesses,
    halves,
    mended_rolls,
)
from tablewright.systems.opend6.mechanics.blows import (
    FELLED,
    NO_DAMAGE,
    NOBODY,
    THEIRS,
    UNHURT,
    USUAL,
    Against,
    Blow,
    Fixed,
    Rolled,
    Spent,
    Struck,
    TheirPurse,
    fixed_of,
    harm,
    settled,
    short_by,
)
from tablewright.systems.opend6.mechanics.checks import total as bare_total
from tablewright.systems.opend6.mechanics.harm import Body, Protection, exceeding, fate_on_resistance, resisting_known
from tablewright.systems.opend6.mechanics.open_ended import Followed, OpenNumber, sum_of
from tablewright.systems.opend6.mechanics.points import (
    EMPTY,
    NOTHING,
    TERMS,
    TOLD_GAIN,
    Aimed,
    Before,
    Mended,
    Purse,
    Terms,
    Throw,
    aimed,
    gain_die,
    point_die,
    thrifty,
    thrown_as,
)
from tablewright.systems.opend6.mechanics.rolls import told_odds
from tablewright.systems.opend6.values import DieCode

# ---------------------------------------------------------------------- steps of the attacker


@mechanic(
    rules=["opend6.turn.interrupt", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={"thrifty": thrifty, "hit": chance(lambda aimed: int(aimed.enough)), "total": lambda aimed: aimed.total},
)
async def aim(
    throw: Throw,
    assumed: Annotated[int, Param("the difficulty that the roller reckons with", 0, 500)] = 10,
    purse: Purse = EMPTY,
    terms: Terms = TERMS,
) -> Aimed:
    """Roll to hit, with points spent before the roll; the result is not declared yet."""
    return await aimed(throw, assumed, purse, terms, "attack")


class Dealt(NamedTuple):
    """A damage roll, and whether a Fate Point was spent on it."""

    total: int
    fate: int = 0


@mechanic(
    rules=["opend6.gap.damage.total", "opend6.fate.external_not_doubled", "opend6.cp.timing"],
    objectives={"damage": lambda dealt: dealt.total - 20 * dealt.fate},
)
async def deal(
    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")],
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING,
    plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0,
    fate: Annotated[int, Param("Fate Points that the attacker has", 0, 1_000, unseen=0)] = 0,
    doubled: Annotated[bool, Param("whether all of the attacker's rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Dealt:
    """Roll the damage of a hit: Strength Damage, which a Fate Point doubles, and the weapon's."""
    blow = Blow(damage, weapon, plain, strength_bonus)
    used, code, plus = await blow.begun(Purse(0, fate, doubled), terms)
    if code.dice < 1:
        return Dealt(max(0, code.pips + plus), used.fate)
    return await finish(thrown_as(code, 0, terms.how(), lambda shown, _: Dealt(max(0, shown + plus), used.fate)))


def _deepened_odds(*given: Any) -> Any:
    return told_odds(deepen(*given), "gain", TOLD_GAIN)


@mechanic(
    rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"],
    objectives={"damage": lambda mended: mended.gain - 5 * mended.points},
    closed=_deepened_odds,
)
async def deepen(
    left: Annotated[int, Param("Character Points that may still go on the damage", 0, 1_000, unseen=0)],
    gain: Annotated[int, Param("what was gained so far")] = 0,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
) -> Mended:
    """Spend Character Points on damage that was rolled, one after the other."""
    return await become(deepened(left, gain, spent))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"])
async def deepened(left: int, gain: int, spent: int) -> Mended:
    """Ask for one Character Point after the other."""
    if not left or not await yes_no(Role.ACTOR, "a Character Point on the damage", cost_text="1 Character Point"):
        return Mended(gain, spent, True)
    return await gain_die(gain).into(lambda shown: deepened(left - 1, sum_of(gain, shown), spent + 1))


# ---------------------------------------------------------------------- the whole attack


def _odds(*given: Any) -> Any:
    """Odds of an attack in closed form where nothing can be spent, and told as a table where its loss has no end."""
    found = attack_odds(*given)
    if found is not None:
        return found
    _, _, blow, protection, body, mine, theirs, terms = given
    fixed = fixed_of(blow, protection, body, mine, theirs, terms)
    return None if fixed.told is None else told_odds(attack(*given), fixed.endless, fixed.told)


@mechanic(
    rules=[
        "opend6.gap.attack.hit",
        "opend6.gap.damage.total",
        "opend6.gap.resistance.wounds",
        "opend6.gap.resistance.body_points",
        "opend6.result.fifth_damage",
        "opend6.cp.timing",
        "opend6.fate.double",
    ],
    objectives={
        "harm": harm,
        "hit": chance(lambda struck: int(struck.hit)),
        "felled": chance(lambda struck: int(struck.hit and struck.level in FELLED)),
        "loss": lambda struck: struck.loss,
    },
    closed=_odds,
)
async def attack(
    throw: Throw,
    against: Against = USUAL,
    blow: Blow = NO_DAMAGE,
    protection: Protection = NOBODY,
    body: Body = UNHURT,
    mine: Purse = EMPTY,
    theirs: TheirPurse = THEIRS,
    terms: Terms = TERMS,
) -> Struck:
    """Roll an attack against a difficulty; a hit rolls damage against the resistance."""
    fixed = fixed_of(blow, protection, body, mine, theirs, terms)
    first, second = Spent(mine), Spent(Purse(*theirs))
    if against.harder or against.easier:
        rolled = _difference(against.harder, against.easier).map(against.total)
        followed: Request[int] = throw_dice(Followed(difficulties, (against, throw, mine, fixed)))
        return await rolled.weighed_as(followed).into(
            lambda difficulty: striking(throw, difficulty, fixed, first, second)
        )
    return await become(striking(throw, against.total(), fixed, first, second))


def _difference(harder: int, easier: int) -> Request[int]:
    """Modifiers that are rolled. [opend6.gap.attack.modifier_style]"""

    def rolled(dice: int) -> Request[int]:
        return bare_total(DieCode(dice), 0, 0)

    if harder and easier:
        return minus(rolled(harder), rolled(easier))
    return rolled(harder) if harder else rolled(easier).map(lambda shown: -shown)


@mechanic(rules=["opend6.gap.attack.hit", "opend6.fate.timing", "opend6.cp.timing"])
async def striking(thrown: Throw, difficulty: int, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll to hit, with points spent before it."""
    terms, blow = fixed.terms, fixed.blow
    used, code, plus = await thrown.begun(mine.purse, terms, "attack")
    left = mine.purse.left_after(used, terms)
    paid = mine.pay(*used)

    def read(shown: int, complication: bool) -> Rolled:
        over = shown + plus - difficulty
        if over >= 0:
            return Rolled(blow.extra(over), complication)
        return Rolled(over if left else min(-1, -short_by(over, complication)), complication)

    rolls = thrown_as(code, used.points, terms.how(), read)
    given = (code, plus, used.points, difficulty, left, fixed, paid.purse, theirs.purse)
    followed: Request[Rolled] = throw_dice(Followed(attack_rolls, given))
    return await rolls.weighed_as(followed).into(
        lambda rolled: missing(rolled.over, rolled.complication, left, fixed, paid, theirs)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.cp.max_per_roll"])
async def missing(over: int, complication: bool, left: int, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Spend Character Points on a miss, one after the other; a hit goes on to the damage."""
    if over >= 0:
        return await become(damaging(over, complication, fixed, mine, theirs))
    if not left or not await yes_no(
        Role.ACTOR, "another Character Point on the attack", cost_text="1 Character Point", details={"missing": -over}
    ):
        missed = settled(False, fixed.body.level, 0, 0, complication, mine, theirs)
        return missed._replace(short=int(short_by(over, complication)))
    paid = mine.pay(1)

    def read(shown: int) -> int:
        now = over + shown
        return now if now < 0 else fixed.blow.extra(now)

    rolls = throw_dice(point_die()).map(lambda shown: Rolled(read(shown), complication))
    followed: Request[Rolled] = throw_dice(
        Followed(mended_rolls, (over, complication, left - 1, fixed, paid.purse, theirs.purse))
    )
    return await rolls.weighed_as(followed).into(
        lambda rolled: missing(rolled.over, complication, left - 1, fixed, paid, theirs)
    )


@mechanic(rules=["opend6.gap.damage.total", "opend6.result.fifth_damage", "opend6.fate.external_not_doubled"])
async def damaging(extra: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll the damage, with points spent before it; ``extra`` comes from the attack's result points."""
    terms, blow = fixed.terms, fixed.blow
    used, code, plus = await blow.begun(mine.purse, terms)
    left, number = mine.purse.left_after(used, terms), plus + extra
    paid = mine.pay(*used)
    if code.dice < 1:
        known = sum_of(extra, code.pips + plus)
        return await become(damaged(known if known > 0 else 0, left, complication, fixed, paid, theirs))
    resisted_at_once = not blow.harmless and not blow.halved and number >= 0
    if resisted_at_once and not left and not fixed.may_spend(theirs.purse):
        beyond = exceeding(code, number, fixed.resistance(0), terms.how(), fixed.deadly)
        met: Request[int] = throw_dice(Followed(at_once, (code, plus, extra, fixed.resistance(0), fixed)))
        return await finish(beyond.weighed_as(met).map(lambda over: fixed.lost(over, complication, paid, theirs)))
    totals = thrown_as(code, 0, terms.how(), lambda shown, _: max(0, shown + number))
    followed: Request[int] = throw_dice(Followed(damages, (code, plus, extra, fixed, theirs.purse)))
    return await totals.weighed_as(followed).into(lambda total: damaged(total, left, complication, fixed, paid, theirs))


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"])
async def damaged(total: int, left: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Spend Character Points on damage that was rolled, one after the other; then it is resisted."""
    if left and await yes_no(
        Role.ACTOR, "another Character Point on the damage", cost_text="1 Character Point", details={"damage": total}
    ):
        paid = mine.pay(1)
        totals = throw_dice(point_die()).map(lambda shown: total + shown)
        followed: Request[int] = throw_dice(Followed(deeper, (total, fixed, theirs.purse)))
        return await totals.weighed_as(followed).into(
            lambda now: damaged(now, left - 1, complication, fixed, paid, theirs)
        )
    if fixed.blow.halved and isinstance(total, OpenNumber):
        half: Request[int] = throw_dice(Followed(halves, (total, fixed, theirs.purse)))
        return await half.into(lambda dealt: resisting(dealt, complication, fixed, mine, theirs))
    dealt = fixed.blow.dealt(total)
    if fixed.blow.harmless:
        return settled(True, fixed.body.level, 0, dealt, complication, mine, theirs)
    return await become(resisting(dealt, complication, fixed, mine, theirs))


@mechanic(rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.fate.timing"])
async def resisting(damage: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll the resistance of the target, with a Fate Point before it."""
    terms, purse = fixed.terms, theirs.purse
    fate = await fate_on_resistance(Role.OPPONENT, damage, fixed.protection, purse, terms, stun=fixed.blow.stun)
    left = purse.left_after(Before(0, fate), terms)
    paid = theirs.pay(0, fate)
    followed: Request[int] = throw_dice(
        Followed(excesses, (damage, fixed.resistance(fate), left, fixed)), Role.OPPONENT
    )
    beyond = resisting_known(damage, fixed.resistance(fate), terms.how()).by_opponent().weighed_as(followed)
    if not left:
        return await finish(beyond.map(lambda over: fixed.lost(over, complication, mine, paid)))
    return await beyond.into(lambda over: hurt(over, left, complication, fixed, mine, paid))


@mechanic(rules=["opend6.gap.wound.levels", "opend6.gap.body_points.loss", "opend6.cp.timing"])
async def hurt(over: int, left: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Spend Character Points against damage beyond the resistance, one after the other; then it is lost."""
    ask = yes_no(
        Role.OPPONENT,
        "another Character Point on the resistance",
        cost_text="1 Character Point",
        details={"hurt by": over},
    )
    if not over or not left or not await ask:
        return fixed.lost(over, complication, mine, theirs)
    paid = theirs.pay(1)
    less = throw_dice(point_die(over), Role.OPPONENT).map(lambda shown: max(0, over - shown))
    followed: Request[int] = throw_dice(Followed(eased, (over, left - 1, fixed)), Role.OPPONENT)
    return await less.weighed_as(followed).into(lambda now: hurt(now, left - 1, complication, fixed, mine, paid))
