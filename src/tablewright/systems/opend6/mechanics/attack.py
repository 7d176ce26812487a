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

from fractions import Fraction
from typing import Annotated, NamedTuple

from tablewright.engine import (
    Param,
    Request,
    Role,
    become,
    chance,
    finish,
    internal_argument,
    mechanic,
    minus,
    yes_no,
)
from tablewright.engine import roll as throw
from tablewright.systems.opend6.mechanics.checks import total as bare_total
from tablewright.systems.opend6.mechanics.dice import fifth_bonus
from tablewright.systems.opend6.mechanics.harm import (
    DEADLY,
    Body,
    Protection,
    exceeding,
    fate_on_resistance,
    resisting_known,
)
from tablewright.systems.opend6.mechanics.open_ended import NOTHING as NO_MORE
from tablewright.systems.opend6.mechanics.open_ended import (
    Formula,
    OpenTotal,
    dist_of,
    failed_total,
    open_table,
    plain_total,
)
from tablewright.systems.opend6.mechanics.points import (
    EMPTY,
    FATE_PRICE,
    FURTHER_SIXES,
    NOTHING,
    POINT_DIE,
    POINT_PRICE,
    TERMS,
    WORTH,
    Aimed,
    Before,
    Mended,
    Purse,
    Terms,
    Throw,
    aimed,
    ask_before,
    point_die,
    thrifty,
    thrown_as,
)
from tablewright.systems.opend6.mechanics.rolls import FURTHER_SIXES as TOLD_SIXES
from tablewright.systems.opend6.mechanics.rolls import PLAIN, How, Resistance, open_total, real_code
from tablewright.systems.opend6.values import DieCode, WoundLevel

LEAST_DIFFICULTY = 3  # opend6.gap.attack.least
FELLED = ("incapacitated", "mortally_wounded", "dead")
MOST_SHORT = 6  # opend6.wild.cf_complication


class Against(NamedTuple):
    """The combat difficulty, and the dice that are rolled for it where the table rolls modifiers."""

    difficulty: Annotated[int, Param("the combat difficulty with all its modifiers", -200, 500)] = 10
    harder: Annotated[int, Param("dice rolled and added to the difficulty", 0, 50)] = 0
    easier: Annotated[int, Param("dice rolled and taken from the difficulty", 0, 50)] = 0

    def total(self, more: int = 0) -> int:
        """The difficulty with so much rolled for it."""
        return max(LEAST_DIFFICULTY, self.difficulty + more)


class Blow(NamedTuple):
    """Damage of a hit: Fate Points double ``damage`` and ``strength_bonus``, nothing else."""

    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")] = NOTHING
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING
    damage_plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0
    fifth: Annotated[bool, Param("whether a fifth of the result points adds to damage")] = True
    halved: Annotated[bool, Param("whether the damage is halved: an edged weapon used flat")] = False
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False
    harmless: Annotated[bool, Param("whether the damage is rolled but not dealt")] = False

    def extra(self, over: int) -> int:
        """Addition to the damage from the result points of a hit. [opend6.result.fifth_damage]"""
        return fifth_bonus(over) if self.fifth else 0

    def code(self, factor: int) -> DieCode:
        """Code of the damage; below 1D nothing is rolled, its pips are dealt. [opend6.fate.external_not_doubled]"""
        own, weapon = self.damage, self.weapon
        return DieCode(max(0, own.dice * factor + weapon.dice), own.pips * factor + weapon.pips)

    def number(self, factor: int, extra: int = 0) -> int:
        """Plain numbers on the damage."""
        return self.damage_plain + self.strength_bonus * factor + extra

    def dealt(self, total: int) -> int:
        """Damage that is dealt of a damage total. [opend6.gap.weapon.flat]"""
        return -(-total // 2) if self.halved else total

    async def begun(self, purse: Purse, terms: Terms) -> tuple[Before, DieCode, int]:
        """Ask for a Fate Point before the damage; gives that, the code that is rolled and the number on its total."""

        def code(fate: int) -> DieCode:
            return self.code(terms.factor(fate, purse.doubled))

        used = Before()
        if code(0).dice >= 1 or code(1).dice >= 1:
            gains = code(1) != code(0) or self.strength_bonus > 0
            fate = purse.fate if gains and terms.may_add_fate(purse.doubled) else 0
            used = await ask_before(Purse(0, fate), code, terms, "damage")
        return used, code(used.fate), self.number(terms.factor(used.fate, purse.doubled))


NO_DAMAGE = Blow()
NOBODY, UNHURT = Protection(), Body()
USUAL = Against()


class TheirPurse(NamedTuple):
    """Points of the target, and whether a Fate Point doubles all its rolls of the round already."""

    their_points: Annotated[int, Param("Character Points that the target has", 0, 1_000, unseen=0)] = 0
    their_fate: Annotated[int, Param("Fate Points that the target has", 0, 1_000, unseen=0)] = 0
    their_doubled: Annotated[bool, Param("whether all of the target's rolls are doubled this round")] = False


THEIRS = TheirPurse()


class Struck(NamedTuple):
    """Result of an attack: hit or miss, the loss, and the points that both sides spent.

    ``level`` is the target's Wound level after it. ``loss`` are Body Points, or with a stun weapon minutes without
    senses. ``damage`` is the total where it is not dealt but has to be known. ``short`` is the margin of a miss with a
    complication, up to that of the gravest one.
    """

    hit: bool
    level: WoundLevel
    loss: int = 0
    damage: int = 0
    points: int = 0
    fate: int = 0
    their_points: int = 0
    their_fate: int = 0
    complication: bool = False
    short: int = 0


def short_by(over: int, complication: bool) -> int:
    """Margin of a miss, as far as a complication goes by it. [opend6.wild.cf_complication]"""
    return min(MOST_SHORT, max(0, -over)) if complication else 0


def harm(struck: Struck) -> int:
    """Worth of an attack to the attacker: harm done, less points spent, plus points that the target spent."""
    mine = POINT_PRICE * struck.points + FATE_PRICE * struck.fate
    theirs = POINT_PRICE * struck.their_points + FATE_PRICE * struck.their_fate
    return WORTH[struck.level] + struck.loss - mine + theirs


# ---------------------------------------------------------------------- steps of the attacker


@mechanic(
    rules=["opend6.turn.interrupt", "opend6.cp.timing", "opend6.fate.timing"],
    objectives={
        "thrifty": thrifty,
        "hit": chance(lambda aimed: int(aimed.enough)),
        "total": lambda aimed: aimed.total,
    },
)
async def aim(
    throw: Throw,
    assumed: Annotated[int, Param("the difficulty that the roller reckons with", 0, 500)] = 10,
    purse: Purse = EMPTY,
    terms: Terms = TERMS,
) -> Aimed:
    """Roll to hit, with everything that is spent before the roll; its result is not declared yet."""
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


@mechanic(
    rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"],
    objectives={"damage": lambda mended: mended.gain - 5 * mended.points},
)
async def deepen(
    left: Annotated[int, Param("Character Points that may still go on the damage", 0, 1_000, unseen=0)],
    gain: Annotated[int, Param("what was gained so far", 0, 10_000)] = 0,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
) -> Mended:
    """Spend Character Points on damage that was rolled, one after the other."""
    if not left or not await yes_no(Role.ACTOR, "a Character Point on the damage", cost_text="1 Character Point"):
        return Mended(gain, spent, True)
    return await throw(POINT_DIE).into(lambda shown: deepen(left - 1, gain + shown, spent + 1))


# ---------------------------------------------------------------------- the whole attack in closed form


def _attack_odds(
    thrown: Throw,
    against: Against,
    blow: Blow,
    protection: Protection,
    body: Body,
    mine: Purse,
    theirs: TheirPurse,
    terms: Terms,
) -> Formula[Struck] | None:
    """Odds of an attack on which nothing can be spent, in closed form: exact, and quicker than the rule."""
    code = thrown.rolled(0, mine.doubled, terms)
    if mine[:2] != (0, 0) or theirs[:2] != (0, 0) or against.harder or against.easier or code is None:
        return None
    fixed = _fixed(blow, protection, body, mine, theirs, terms)
    how, factor = terms.how(), terms.factor(0, mine.doubled)
    dealt = _dealt_total(blow.code(factor), blow.number(factor), how)
    resisted = fixed.resistance(0).total(how)
    chances: dict[Struck, Fraction] = {}
    for part, complication in _parts(code, thrown.number(0, mine.doubled, terms) - against.total(), how):
        followed = part.map_below(0, lambda short: short)
        for (over, _), weight in followed.weights.items():
            if over < 0:
                missed = Struck(False, body.level, complication=complication, short=short_by(over, complication))
                chances[missed] = chances.get(missed, Fraction(0)) + part.share * Fraction(weight, followed.whole)
        hits = followed.only(lambda over: over >= 0)
        if not hits.weights:
            continue
        more = hits.divided(5) if blow.fifth else NO_MORE
        for struck, part_of_it in _struck(dealt.plus(more).floored(0), resisted, complication, fixed).items():
            chances[struck] = chances.get(struck, Fraction(0)) + hits.share * part_of_it
    return Formula(dist_of(chances))


def _parts(code: DieCode, plus: int, how: How) -> list[tuple[OpenTotal, bool]]:
    """The parts of an attack roll without and with a complication; their shares add up to 1."""
    real, pips = real_code(code, how)
    if real.dice < 1:
        return [(NO_MORE.plus(max(0, pips) + plus), False)]
    failed = failed_total(real.dice - 1, 0, how.on_one == "cancel", how.cancel_scope == "highest_only")
    tells = how.on_one == "complication"
    return [(plain_total(real.dice - 1, 0).plus(pips + plus), False), (failed.plus(pips + plus), tells)]


def _dealt_total(code: DieCode, more: int, how: How) -> OpenTotal:
    """Damage without what the attack's result points add."""
    found = NO_MORE.plus(code.pips + more) if code.dice < 1 else open_total(code, more, 0, how)
    assert found is not None  # nothing is bought
    return found


def _struck(dealt: OpenTotal, resisted: OpenTotal, complication: bool, fixed: Fixed) -> dict[Struck, Fraction]:
    """Results of a hit with this damage against a resistance."""
    blow, level = fixed.blow, fixed.body.level
    dealt = dealt.divided(2) if blow.halved else dealt
    told = max(DEADLY, 6 * (blow.code(fixed.terms.factor(0, fixed.doubled)).dice + TOLD_SIXES))
    if blow.harmless:
        shown = open_table(dealt, told).fractions()
        return {Struck(True, level, 0, total, complication=complication): share for total, share in shown}
    found: dict[Struck, Fraction] = {}
    is_open = fixed.deadly is None
    for over, share in dealt.over(resisted).table(0, told if is_open else DEADLY, is_open=is_open).items():
        struck = fixed.lost(over, complication, Spent(), Spent())
        found[struck] = found.get(struck, Fraction(0)) + share
    return found


# ---------------------------------------------------------------------- the whole attack


@internal_argument
class Spent(NamedTuple):
    """Points that one side has left, and what it has spent on this attack."""

    purse: Purse = EMPTY
    points: int = 0
    fate: int = 0

    def pay(self, points: int = 0, fate: int = 0) -> Spent:
        """The same with so much spent."""
        purse = self.purse
        left = Purse(purse.points - points, purse.fate - fate, purse.doubled)
        return Spent(left, self.points + points, self.fate + fate)


@internal_argument
class Fixed(NamedTuple):
    """Everything about the damage and the resistance of a hit that stays the same during an attack."""

    blow: Blow
    protection: Protection
    body: Body
    doubled: bool
    their_doubled: bool
    terms: Terms

    @property
    def deadly(self) -> int | None:
        """The damage beyond which more makes no difference; None where every point counts."""
        return None if self.blow.stun or self.terms.injury != "wounds" else DEADLY

    def resistance(self, fate: int) -> Resistance:
        """The target's resistance with so many Fate Points."""
        return self.protection.roll(fate, self.their_doubled, self.terms, stun=self.blow.stun)

    def may_spend(self, theirs: Purse) -> bool:
        """True if the target has anything to decide."""
        fate = theirs.fate > 0 and self.terms.may_add_fate(theirs.doubled) and self.protection.resistance.dice > 0
        return fate or (theirs.points > 0 and self.terms.may_add_points(0, theirs.doubled))

    def lost(self, over: int, complication: bool, mine: Spent, theirs: Spent) -> Struck:
        """Result of damage beyond the resistance; a tie hurts no one. [opend6.gap.resistance.tie]"""
        over = max(0, over)
        level = self.body.after(over, self.terms, stun=self.blow.stun)
        return _settled(True, level, 0 if self.deadly else over, 0, complication, mine, theirs)


def _fixed(blow: Blow, protection: Protection, body: Body, mine: Purse, theirs: TheirPurse, terms: Terms) -> Fixed:
    return Fixed(blow, protection, body, mine.doubled, theirs.their_doubled, terms)


def _settled(
    hit: bool, level: WoundLevel, loss: int, damage: int, complication: bool, mine: Spent, theirs: Spent
) -> Struck:
    return Struck(hit, level, loss, damage, mine.points, mine.fate, theirs.points, theirs.fate, complication)


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
    closed=_attack_odds,
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
    """Roll an attack against a difficulty; a hit rolls damage, and what exceeds the resistance is lost."""
    fixed = _fixed(blow, protection, body, mine, theirs, terms)
    first, second = Spent(mine), Spent(Purse(*theirs))
    if against.harder or against.easier:
        return await _difference(against.harder, against.easier).into(
            lambda more: striking(throw, against.total(more), fixed, first, second)
        )
    return await become(striking(throw, against.total(), fixed, first, second))


def _difference(harder: int, easier: int) -> Request[int]:
    """Modifiers that are rolled. [opend6.gap.attack.modifier_style]"""

    def rolled(dice: int) -> Request[int]:
        followed = thrown_as(DieCode(dice), 0, PLAIN, lambda shown, _: shown, cuts=True)
        return bare_total(DieCode(dice), 0, 0).weighed_as(followed)

    if harder and easier:
        return minus(rolled(harder), rolled(easier))
    return rolled(harder) if harder else rolled(easier).map(lambda shown: -shown)


@internal_argument
class Rolled(NamedTuple):
    """A roll to hit: what it adds to the damage, or by how much it misses, below 0."""

    over: int
    complication: bool


@mechanic(rules=["opend6.gap.attack.hit", "opend6.fate.timing", "opend6.cp.timing"])
async def striking(thrown: Throw, difficulty: int, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll to hit, with what is spent before it."""
    terms, blow = fixed.terms, fixed.blow
    used, code, plus = await thrown.begun(mine.purse, terms, "attack")
    left = mine.purse.left_after(used, terms)
    paid = mine.pay(*used)

    def read(shown: int, complication: bool) -> Rolled:
        over = shown + plus - difficulty
        if over >= 0:
            return Rolled(blow.extra(over), complication)
        return Rolled(over if left else min(-1, -short_by(over, complication)), complication)

    return await thrown_as(code, used.points, terms.how(), read, cuts=True).into(
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
        missed = _settled(False, fixed.body.level, 0, 0, complication, mine, theirs)
        return missed._replace(short=short_by(over, complication))
    paid = mine.pay(1)

    def read(shown: int) -> int:
        now = over + shown
        return now if now < 0 else fixed.blow.extra(now)

    return await throw(POINT_DIE).map(read).into(lambda now: missing(now, complication, left - 1, fixed, paid, theirs))


@mechanic(rules=["opend6.gap.damage.total", "opend6.result.fifth_damage", "opend6.fate.external_not_doubled"])
async def damaging(extra: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll the damage, with what is spent before it; ``extra`` is what the attack's result points add."""
    terms, blow = fixed.terms, fixed.blow
    used, code, plus = await blow.begun(mine.purse, terms)
    left, plus = mine.purse.left_after(used, terms), plus + extra
    paid = mine.pay(*used)
    if code.dice < 1:
        return await become(damaged(max(0, code.pips + plus), left, complication, fixed, paid, theirs))
    resisted_at_once = not blow.harmless and not blow.halved and plus >= 0
    if resisted_at_once and not left and not fixed.may_spend(theirs.purse):
        beyond = exceeding(code, plus, fixed.resistance(0), terms.how(), fixed.deadly)
        return await finish(beyond.map(lambda over: fixed.lost(over, complication, paid, theirs)))
    return await thrown_as(code, 0, terms.how(), lambda shown, _: max(0, shown + plus), cuts=True).into(
        lambda total: damaged(total, left, complication, fixed, paid, theirs)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"])
async def damaged(total: int, left: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Spend Character Points on damage that was rolled, one after the other; then it is resisted."""
    if left and await yes_no(
        Role.ACTOR, "another Character Point on the damage", cost_text="1 Character Point", details={"damage": total}
    ):
        paid = mine.pay(1)
        return await throw(POINT_DIE).into(
            lambda shown: damaged(total + shown, left - 1, complication, fixed, paid, theirs)
        )
    dealt = fixed.blow.dealt(total)
    if fixed.blow.harmless:
        return _settled(True, fixed.body.level, 0, dealt, complication, mine, theirs)
    return await become(resisting(dealt, complication, fixed, mine, theirs))


@mechanic(rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.fate.timing"])
async def resisting(damage: int, complication: bool, fixed: Fixed, mine: Spent, theirs: Spent) -> Struck:
    """Roll the resistance of the target, with a Fate Point before it."""
    terms, purse = fixed.terms, theirs.purse
    fate = await fate_on_resistance(Role.OPPONENT, damage, fixed.protection, purse, terms, stun=fixed.blow.stun)
    left = purse.left_after(Before(0, fate), terms)
    paid = theirs.pay(0, fate)
    followed = None if not left or fixed.deadly is None else DEADLY + 6 * (left + FURTHER_SIXES)
    beyond = resisting_known(damage, fixed.resistance(fate), terms.how(), followed).by_opponent()
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
    return (
        await throw(point_die(over), Role.OPPONENT)
        .map(lambda shown: max(0, over - shown))
        .into(lambda now: hurt(now, left - 1, complication, fixed, mine, paid))
    )
