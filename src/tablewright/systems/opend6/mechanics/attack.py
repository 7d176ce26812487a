"""Mechanics of an attack, from the roll to the damage.

An attack is one rule down to what is lost. Whoever attacks may spend a Fate Point or Character Points before the roll,
and Character Points after a miss; a Fate Point before the damage is rolled, and Character Points after it; whoever is
hit may do the same with the resistance. At a table where somebody has points to spend, or may come between roll and
result, the same rule is played in its parts: `opend6.aim`, `opend6.deal` and `opend6.resist`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.engine import (
    Param,
    Request,
    Role,
    become,
    chance,
    choose,
    finish,
    internal_argument,
    mechanic,
    minus,
    yes_no,
)
from tablewright.engine import roll as throw
from tablewright.engine.settings import flatten_settings
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.checks import Bonus
from tablewright.systems.opend6.mechanics.checks import total as bare_total
from tablewright.systems.opend6.mechanics.dice import fifth_bonus
from tablewright.systems.opend6.mechanics.harm import two_less, wounded_by
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
    NOTHING,
    POINT_DIE,
    TERMS,
    Aiming,
    Before,
    Purse,
    Terms,
    ask_before,
    left_for,
    point_die,
    thrown_as,
)
from tablewright.systems.opend6.mechanics.rolls import (
    FURTHER_SIXES,
    PLAIN,
    Excess,
    How,
    Resistance,
    open_total,
    real_code,
)
from tablewright.systems.opend6.values import DieCode, WoundLevel

LEAST_DIFFICULTY = 3  # opend6.gap.attack.least
DEADLY = 16  # opend6.gap.wound.levels
FELLED = ("incapacitated", "mortally_wounded", "dead")
MOST_SHORT = 6  # opend6.wild.cf_complication
FATE_PRICE, POINT_PRICE = 8, 2
WORTH: dict[str, int] = {
    "healthy": 0,
    "stunned": 4,
    "wounded": 8,
    "severely_wounded": 12,
    "incapacitated": 20,
    "mortally_wounded": 23,
    "dead": 24,
}
"""Worth of each level of injury against points spent, for bots and advice."""

Own: TypeAlias = Annotated[DieCode, Param("the attacker's own code: skill or attribute")]
Points: TypeAlias = Annotated[int, Param("Character Points that the attacker has", 0, 1_000, unseen=0)]
TheirPoints: TypeAlias = Annotated[int, Param("Character Points that the target has", 0, 1_000, unseen=0)]
Fate: TypeAlias = Annotated[int, Param("Fate Points that the attacker has", 0, 1_000, unseen=0)]
TheirFate: TypeAlias = Annotated[int, Param("Fate Points that the target has", 0, 1_000, unseen=0)]
Penalty: TypeAlias = Annotated[int, Param("penalty dice: other actions of the round, wounds", 0, 50)]
Level: TypeAlias = Annotated[WoundLevel, Param("the target's Wound level before the attack")]


@internal_argument
class Blow(NamedTuple):
    """Everything about the damage and resistance of a hit that stays the same during the attack.

    ``strength`` and ``physique`` are the fighters' own and doubled by Fate Points, ``weapon`` and ``armour`` are not.
    ``doubled`` and ``their_doubled`` say that all rolls of a side are doubled this round.
    """

    strength: DieCode
    strength_bonus: int
    weapon: DieCode
    plain: int
    physique: DieCode
    own_resistance: int
    resistance_plain: int
    armour: DieCode
    fifth: bool
    halved: bool
    stun: bool
    harmless: bool
    level: WoundLevel
    levels: int
    doubled: bool
    their_doubled: bool
    terms: Terms


class Struck(NamedTuple):
    """Result of an attack: hit or miss, the loss, and the points that both sides spent.

    ``level`` is the target's Wound level after it; ``loss`` are Body Points, or with a stun weapon the minutes for
    which it takes somebody's senses; ``damage`` is the total where it is not dealt but has to be known; ``short`` is by
    how much it has missed, where a complication comes with it, and more than the gravest takes counts as so much.
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
    """By how much a roll is short, as far as a complication goes by it. [opend6.wild.cf_complication]"""
    return min(MOST_SHORT, max(0, -over)) if complication else 0


def harm(struck: Struck) -> int:
    """Worth of an attack to the attacker: harm done, less points spent, plus points that the target spent."""
    mine = POINT_PRICE * struck.points + FATE_PRICE * struck.fate
    theirs = POINT_PRICE * struck.their_points + FATE_PRICE * struck.their_fate
    return WORTH[struck.level] + struck.loss - mine + theirs


# ---------------------------------------------------------------------- the whole attack


def _attack_odds(*given: Any) -> Formula[Struck] | None:
    """Odds of an attack on which nothing can be spent, in closed form."""
    code, difficulty, damage, weapon, resistance, armour, penalty, bonus, plain, own_bonus, *further = given
    damage_plain, strength_bonus, resistance_bonus, resistance_plain, harder, easier, *flags = further
    level, levels, fifth, halved, stun, harmless, points, fate, their_points, their_fate, *rest = flags
    doubled, their_doubled, *settings = rest
    if any((points, fate, their_points, their_fate, harder, easier)):
        return None
    terms = Terms(*settings)
    own = (damage, strength_bonus, weapon, damage_plain, resistance, resistance_bonus, resistance_plain, armour)
    blow = Blow(*own, fifth, halved, stun, harmless, level, levels, doubled, their_doubled, terms)
    aiming = Aiming(code, penalty, bonus, plain, own_bonus, doubled, terms)
    return _undisputed_odds(aiming, max(LEAST_DIFFICULTY, difficulty), blow)


def _undisputed_odds(aiming: Aiming, difficulty: int, blow: Blow) -> Formula[Struck] | None:
    code, terms = aiming.code(0), blow.terms
    if code is None:
        return None
    how = terms.how()
    dealt, resisted = _dealt_total(blow, how), _resistance(blow, 0).total(how)
    chances: dict[Struck, Fraction] = {}
    for part, complication in _parts(code, aiming.number(0) - difficulty, how):
        followed = part.map_below(0, lambda short: short)
        for (over, _), weight in followed.weights.items():
            if over < 0:
                missed = Struck(False, blow.level, complication=complication, short=short_by(over, complication))
                chances[missed] = chances.get(missed, Fraction(0)) + part.share * Fraction(weight, followed.whole)
        hits = followed.only(lambda over: over >= 0)
        if not hits.weights:
            continue
        more = hits.divided(5) if blow.fifth else NO_MORE
        for struck, part_of_it in _struck(dealt.plus(more).floored(0), resisted, complication, blow).items():
            chances[struck] = chances.get(struck, Fraction(0)) + hits.share * part_of_it
    return Formula(dist_of(chances))


def _parts(code: DieCode, plus: int, how: How) -> list[tuple[OpenTotal, bool]]:
    """An attack roll by whether a complication comes with it; their shares add up to 1."""
    real, pips = real_code(code, how)
    if real.dice < 1:
        return [(NO_MORE.plus(max(0, pips) + plus), False)]
    failed = failed_total(real.dice - 1, 0, how.on_one == "cancel", how.cancel_scope == "highest_only")
    tells = how.on_one == "complication"
    return [(plain_total(real.dice - 1, 0).plus(pips + plus), False), (failed.plus(pips + plus), tells)]


def _dealt_total(blow: Blow, how: How) -> OpenTotal:
    """Damage without what the attack's result points add."""
    more = blow.plain + blow.strength_bonus * blow.terms.factor(0, blow.doubled)
    code = damage_code(blow, 0)
    found = NO_MORE.plus(code.pips + more) if code.dice < 1 else open_total(code, more, 0, how)
    assert found is not None  # nothing is bought
    return found


def _struck(dealt: OpenTotal, resisted: OpenTotal, complication: bool, blow: Blow) -> dict[Struck, Fraction]:
    """Results of a hit with this damage against a resistance."""
    dealt = dealt.divided(2) if blow.halved else dealt
    found: dict[Struck, Fraction] = {}
    if blow.harmless:
        for total, share in open_table(dealt, _told_to(blow)).fractions():
            found[Struck(True, blow.level, 0, total, complication=complication)] = share
        return found
    is_open = blow.stun or blow.terms.injury != "wounds"
    for over, share in dealt.over(resisted).table(0, _told_to(blow) if is_open else DEADLY, is_open=is_open).items():
        struck = _lost(over, complication, blow, Purse(), Purse())
        found[struck] = found.get(struck, Fraction(0)) + share
    return found


def _told_to(blow: Blow) -> int:
    """The number up to which a loss without end is told one by one."""
    return max(DEADLY, 6 * (damage_code(blow, 0).dice + FURTHER_SIXES))


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
@flatten_settings
async def attack(
    code: Own,
    difficulty: Annotated[int, Param("the combat difficulty with all its modifiers", -200, 500)] = 10,
    damage: Annotated[DieCode, Param("the attacker's own part of the damage: Strength Damage")] = NOTHING,
    weapon: Annotated[DieCode, Param("what weapon and manoeuvre add to the damage")] = NOTHING,
    resistance: Annotated[DieCode, Param("the target's Physique")] = NOTHING,
    armour: Annotated[DieCode, Param("what the target wears")] = NOTHING,
    penalty: Penalty = 0,
    bonus: Annotated[DieCode, Param("bonus dice from outside: aiming, surprise, tools")] = NOTHING,
    plain: Bonus = 0,
    own_bonus: Annotated[int, Param("what the attacker's abilities add to the attack", -200, 200)] = 0,
    damage_plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    strength_bonus: Annotated[int, Param("what the attacker's abilities add to the damage", -200, 200)] = 0,
    resistance_bonus: Annotated[int, Param("what the target's abilities add to the resistance", -200, 200)] = 0,
    resistance_plain: Annotated[int, Param("plain numbers on the resistance, such as for size", -200, 200)] = 0,
    harder: Annotated[int, Param("dice rolled and added to the difficulty", 0, 50)] = 0,
    easier: Annotated[int, Param("dice rolled and taken from the difficulty", 0, 50)] = 0,
    level: Level = "healthy",
    levels: Annotated[int, Param("how many Wound levels the target has", 1, 5)] = 5,
    fifth: Annotated[bool, Param("whether a fifth of the result points adds to damage")] = True,
    halved: Annotated[bool, Param("whether the damage is halved: an edged weapon used flat")] = False,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    harmless: Annotated[bool, Param("whether the damage is rolled but not dealt")] = False,
    points: Points = 0,
    fate: Fate = 0,
    their_points: TheirPoints = 0,
    their_fate: TheirFate = 0,
    doubled: Annotated[bool, Param("whether all of the attacker's rolls are doubled this round")] = False,
    their_doubled: Annotated[bool, Param("whether all of the target's rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Struck:
    """Roll an attack against a difficulty; a hit rolls damage, and what exceeds the resistance is lost."""
    blow = Blow(
        damage,
        strength_bonus,
        weapon,
        damage_plain,
        resistance,
        resistance_bonus,
        resistance_plain,
        armour,
        fifth,
        halved,
        stun,
        harmless,
        level,
        levels,
        doubled,
        their_doubled,
        terms,
    )
    mine, theirs = Purse(points, fate), Purse(their_points, their_fate)
    aiming = Aiming(code, penalty, bonus, plain, own_bonus, doubled, terms)
    if not any((points, fate, their_points, their_fate)):
        more = await _difference(harder, easier) if harder or easier else 0
        return await _undisputed(aiming, max(LEAST_DIFFICULTY, difficulty + more), blow)
    if harder or easier:
        return await _difference(harder, easier).into(
            lambda more: striking(aiming, max(LEAST_DIFFICULTY, difficulty + more), blow, mine, theirs)
        )
    return await become(striking(aiming, max(LEAST_DIFFICULTY, difficulty), blow, mine, theirs))


async def _undisputed(aiming: Aiming, difficulty: int, blow: Blow) -> Struck:
    """An attack on which nobody can spend anything: three rolls, one after the other."""
    code, plus, terms = aiming.code(0), aiming.number(0), blow.terms
    if code is None:
        raise IllegalActionError("nothing can be done with a code that is used up", rule="opend6.map.zero_rule")

    def read(shown: int, complication: bool) -> tuple[int, bool]:
        over = shown + plus - difficulty
        if over < 0:
            return min(-1, -short_by(over, complication)), complication
        return fifth_bonus(over) if blow.fifth else 0, complication

    fifth, complication = await thrown_as(code, 0, terms.how(), read, cuts=True)
    if fifth < 0:
        return Struck(False, blow.level, complication=complication, short=short_by(fifth, complication))
    more = fifth + blow.plain + blow.strength_bonus * terms.factor(0, blow.doubled)
    damage, half = damage_code(blow, 0), 2 if blow.halved else 1
    if damage.dice < 1:
        return await _dealt(-(-max(0, damage.pips + more) // half), complication, blow)
    if not blow.harmless and not blow.halved and more >= 0:
        beyond = exceeding(damage, more, _resistance(blow, 0), terms.how(), _deadly(blow))
        return await finish(beyond.map(lambda over: _lost(over, complication, blow, Purse(), Purse())))
    rolled = thrown_as(damage, 0, terms.how(), lambda shown, _: -(-max(0, shown + more) // half), cuts=True)
    if blow.harmless:
        return await finish(rolled.map(lambda total: Struck(True, blow.level, 0, total, complication=complication)))
    return await _dealt(await rolled, complication, blow)


def _deadly(blow: Blow) -> int | None:
    """The damage beyond which more makes no difference; None where every point counts."""
    return None if blow.stun or blow.terms.injury != "wounds" else DEADLY


async def _dealt(total: int, complication: bool, blow: Blow) -> Struck:
    """Damage that is known, and the resistance against it."""
    if blow.harmless:
        return Struck(True, blow.level, 0, total, complication=complication)
    over = resisting_known(total, _resistance(blow, 0), blow.terms.how()).by_opponent()
    return await finish(over.map(lambda over: _lost(over, complication, blow, Purse(), Purse())))


def _difference(harder: int, easier: int) -> Request[int]:
    """Modifiers that are rolled. [opend6.gap.attack.modifier_style]"""

    def rolled(dice: int) -> Request[int]:
        followed = thrown_as(DieCode(dice), 0, PLAIN, lambda shown, _: shown, cuts=True)
        return bare_total(DieCode(dice), 0, 0).weighed_as(followed)

    if harder and easier:
        return minus(rolled(harder), rolled(easier))
    return rolled(harder) if harder else rolled(easier).map(lambda shown: -shown)


@mechanic(rules=["opend6.gap.attack.hit", "opend6.fate.timing", "opend6.cp.timing"])
async def striking(aiming: Aiming, difficulty: int, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """The attack roll, with what is spent before it."""
    terms = aiming.terms
    used = await ask_before(aiming.purse(mine), aiming.code, terms, "attack")
    mine = mine.pay(*used)
    code, plus = aiming.code(used.fate), aiming.number(used.fate)
    assert code is not None
    left = left_for(mine, used, terms, aiming.doubled)

    def read(shown: int, complication: bool) -> tuple[int, bool]:
        over = shown + plus - difficulty
        return (over if over < 0 else fifth_bonus(over)), complication

    return await thrown_as(code, used.points, terms.how(), read, cuts=True).into(
        lambda fallen: missing(fallen[0], fallen[1], left, blow, mine, theirs)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.die_behaviour", "opend6.cp.max_per_roll"])
async def missing(over: int, complication: bool, left: int, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """A miss may be mended by Character Points, one after the other; a hit goes on to the damage."""
    if over >= 0:
        extra = over if blow.fifth else 0
        return await become(damaging(extra, complication, blow, mine, theirs))
    if not left or not await yes_no(
        Role.ACTOR, "another Character Point on the attack", cost_text="1 Character Point", details={"missing": -over}
    ):
        missed = _settled(False, blow.level, 0, 0, complication, mine, theirs)
        return missed._replace(short=short_by(over, complication))
    paid = mine.pay(1)

    def read(shown: int) -> int:
        now = over + shown
        return now if now < 0 else fifth_bonus(now)

    return await throw(POINT_DIE).map(read).into(lambda now: missing(now, complication, left - 1, blow, paid, theirs))


def _settled(
    hit: bool, level: WoundLevel, loss: int, damage: int, complication: bool, mine: Purse, theirs: Purse
) -> Struck:
    return Struck(hit, level, loss, damage, mine.spent, mine.spent_fate, theirs.spent, theirs.spent_fate, complication)


# ---------------------------------------------------------------------- damage


def damage_code(blow: Blow, fate: int) -> DieCode:
    """Code of the damage: Fate doubles the attacker's own part, not the weapon's. A code below 1D
    is no roll: its pips are the damage. [opend6.fate.external_not_doubled]"""
    factor = blow.terms.factor(fate, blow.doubled)
    return DieCode(
        max(0, blow.strength.dice * factor + blow.weapon.dice), blow.strength.pips * factor + blow.weapon.pips
    )


@mechanic(rules=["opend6.gap.damage.total", "opend6.result.fifth_damage", "opend6.fate.external_not_doubled"])
async def damaging(extra: int, complication: bool, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """The damage roll, with what is spent before it; ``extra`` is what the attack's result points add."""
    terms = blow.terms
    plain, doubled = damage_code(blow, 0), damage_code(blow, 1)
    gains = doubled != plain or blow.strength_bonus > 0
    purse = Purse(0, mine.fate if gains and terms.may_add_fate(blow.doubled) else 0)
    if plain.dice < 1 and doubled.dice < 1:
        own = blow.strength_bonus * terms.factor(0, blow.doubled)
        left = left_for(mine, Before(), terms, blow.doubled)
        shown = max(0, plain.pips + blow.plain + extra + own)
        return await become(damaged(shown, left, complication, blow, mine, theirs))
    used = await ask_before(purse, lambda fate: damage_code(blow, fate), terms, "damage")
    paid = mine.pay(*used)
    left = left_for(paid, used, terms, blow.doubled)
    plus = extra + blow.plain + blow.strength_bonus * terms.factor(used.fate, blow.doubled)
    code = damage_code(blow, used.fate)
    if code.dice < 1:
        return await become(damaged(max(0, code.pips + plus), left, complication, blow, paid, theirs))
    if not left and not _may_spend(theirs, blow) and not blow.harmless and not blow.halved and plus >= 0:
        beyond = exceeding(code, plus, _resistance(blow, 0), terms.how(), _deadly(blow))
        return await finish(beyond.map(lambda over: _lost(over, complication, blow, paid, theirs)))
    return await thrown_as(code, 0, terms.how(), lambda shown, _: max(0, shown + plus), cuts=True).into(
        lambda total: damaged(total, left, complication, blow, paid, theirs)
    )


@mechanic(rules=["opend6.cp.timing", "opend6.cp.extra_wild_die"])
async def damaged(total: int, left: int, complication: bool, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """Damage that was rolled may be raised by Character Points, one after the other; then it is resisted."""
    if left and await yes_no(
        Role.ACTOR, "another Character Point on the damage", cost_text="1 Character Point", details={"damage": total}
    ):
        paid = mine.pay(1)
        return await throw(POINT_DIE).into(
            lambda shown: damaged(total + shown, left - 1, complication, blow, paid, theirs)
        )
    dealt = -(-total // 2) if blow.halved else total
    if blow.harmless:
        return _settled(True, blow.level, 0, dealt, complication, mine, theirs)
    return await become(resisting(dealt, complication, blow, mine, theirs))


# ---------------------------------------------------------------------- resistance


@internal_argument
class Dicing(NamedTuple):
    """Settings of one roll as one argument."""

    how: How


def _may_spend(theirs: Purse, blow: Blow) -> bool:
    """Whether whoever is hit has anything to decide."""
    doubled, terms = blow.their_doubled, blow.terms
    fate = theirs.fate > 0 and terms.may_add_fate(doubled) and blow.physique.dice > 0
    return fate or (theirs.points > 0 and terms.may_add_points(0, doubled))


@mechanic(rules=["opend6.gap.damage.total", "opend6.gap.resistance.wounds"])
async def damage_roll(damage: DieCode, against: Resistance, dice: Dicing) -> int:
    """Excess of a damage roll over a resistance roll without points."""
    dealt = thrown_as(damage, 0, dice.how, lambda shown, _: shown, cuts=True)
    return await finish(minus(dealt, resistance_roll(against, dice).by_opponent()))


@mechanic(
    rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.gap.resistance.pips_only"]
)
async def resistance_roll(against: Resistance, dice: Dicing) -> int:
    """A resistance total; of a code without dice nothing is rolled."""
    if against.code.dice < 1:
        return max(against.least, against.code.pips + against.plus)
    least, plus = against.least, against.plus
    how = against.how(dice.how)
    return await finish(thrown_as(against.code, 0, how, lambda shown, _: max(least, shown + plus), cuts=True))


def exceeding(damage: DieCode, plus: int, against: Resistance, how: How, deadly: int | None) -> Request[int]:
    """Excess of rolled damage over a resistance; from ``deadly`` on all is the same."""
    beyond = damage_roll(damage, against, Dicing(how)).map(lambda shown: max(0, shown + plus))
    return beyond.weighed_as(throw(Excess(damage, plus, against, how, deadly)))


def resisting_known(damage: int, against: Resistance, how: How, followed: int | None = None) -> Request[int]:
    """Excess of known damage over a resistance; odds follow it up to ``followed``."""
    beyond = resistance_roll(against, Dicing(how)).map(lambda shown: max(0, damage - shown))
    most = None if followed is None or damage - against.least < followed else followed
    return beyond.weighed_as(throw(Excess(DieCode(0, damage), 0, against, how, most, cuts=True)))


def resistance_code(blow: Blow, fate: int) -> DieCode:
    """Code of the resistance: Physique and armour; with Body Points armour alone, and Physique by a Fate Point.

    [opend6.gap.resistance.wounds, opend6.gap.resistance.body_points] Against a stun weapon Physique always counts.
    [opend6.gap.damage.stun]
    """
    factor = blow.terms.factor(fate, blow.their_doubled)
    if blow.terms.injury == "body_points" and not blow.stun:
        factor -= 1
    return DieCode(blow.physique.dice * factor + blow.armour.dice, blow.physique.pips * factor + blow.armour.pips)


def _resistance(blow: Blow, fate: int) -> Resistance:
    least = -200 if blow.terms.negative_resistance == "add_to_damage" else 0  # opend6.gap.resistance.negative
    own = blow.own_resistance * blow.terms.factor(fate, blow.their_doubled)
    return Resistance(resistance_code(blow, fate), own + blow.resistance_plain, least, blow.terms.resisting())


async def fate_on_resistance(seat: Role, most: int, damage: int, resistance: DieCode) -> int:
    """Ask for Fate Points on a resistance roll before it is made."""
    about = {"damage": damage, "resistance": str(resistance)}
    if most > 1:
        return await choose(seat, "Fate Points on the resistance", range(most + 1), details=about)
    return int(await yes_no(seat, "a Fate Point on the resistance", cost_text="1 Fate Point", details=about))


@mechanic(rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.fate.timing"])
async def resisting(damage: int, complication: bool, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """The resistance roll of whoever was hit, with a Fate Point before it."""
    terms = blow.terms
    fate = 0
    if damage > 0 and theirs.fate and terms.may_add_fate(blow.their_doubled) and blow.physique.dice:
        resists = resistance_code(blow, 0)
        fate = await fate_on_resistance(Role.OPPONENT, terms.most_fate(theirs.fate), damage, resists)
    paid = theirs.pay(0, fate)
    left = left_for(paid, Before(0, fate), terms, blow.their_doubled)
    followed = None if not left or _deadly(blow) is None else DEADLY + 6 * (left + FURTHER_SIXES)
    beyond = resisting_known(damage, _resistance(blow, fate), terms.how(), followed).by_opponent()
    if not left:
        return await finish(beyond.map(lambda over: _lost(over, complication, blow, mine, paid)))
    return await beyond.into(lambda over: hurt(over, left, complication, blow, mine, paid))


@mechanic(rules=["opend6.gap.wound.levels", "opend6.gap.body_points.loss", "opend6.cp.timing"])
async def hurt(over: int, left: int, complication: bool, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """Damage beyond the resistance: Character Points may still raise it, then it is lost."""
    if (
        over
        and left
        and await yes_no(
            Role.OPPONENT,
            "another Character Point on the resistance",
            cost_text="1 Character Point",
            details={"hurt by": over},
        )
    ):
        paid = theirs.pay(1)
        return (
            await throw(point_die(over), Role.OPPONENT)
            .map(lambda shown: max(0, over - shown))
            .into(lambda now: hurt(now, left - 1, complication, blow, mine, paid))
        )
    return _lost(over, complication, blow, mine, theirs)


def _lost(over: int, complication: bool, blow: Blow, mine: Purse, theirs: Purse) -> Struck:
    """Result of damage beyond the resistance; a tie hurts nobody. [opend6.gap.resistance.tie]"""
    over = max(0, over)
    if blow.terms.injury == "wounds":
        if blow.stun:
            level = two_less(blow.level, over, blow.levels)
            return _settled(True, level, over, 0, complication, mine, theirs)
        level = wounded_by(blow.level, over, blow.levels, blow.terms.killing_blow)
        return _settled(True, level, 0, 0, complication, mine, theirs)
    return _settled(True, blow.level, over, 0, complication, mine, theirs)
