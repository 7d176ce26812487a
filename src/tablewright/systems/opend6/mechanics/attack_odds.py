"""Odds of an attack, in closed form where nothing can be spent, and step by step without an end of its dice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tablewright.dice import Dist
from tablewright.engine.mechanic import FixedOdds
from tablewright.systems.opend6.mechanics.blows import (
    LEAST_DIFFICULTY,
    MOST_SHORT,
    NEGLIGIBLE,
    Against,
    Blow,
    Fixed,
    Rolled,
    Spent,
    Struck,
    TheirPurse,
    fixed_of,
    short_by,
)
from tablewright.systems.opend6.mechanics.dice import (
    bought_total,
    counted_total,
    failed_total,
    out_of_reach,
    plain_total,
)
from tablewright.systems.opend6.mechanics.harm import DEADLY, Body, Protection
from tablewright.systems.opend6.mechanics.open_ended import NOTHING as NO_MORE
from tablewright.systems.opend6.mechanics.open_ended import (
    OpenNumber,
    OpenTotal,
    as_total,
    least_beyond,
    least_beyond_both,
)
from tablewright.systems.opend6.mechanics.points import MOST_FATE, Before, Purse, Terms, Throw
from tablewright.systems.opend6.mechanics.rolls import How, Resistance, open_total, real_code, told_up_to
from tablewright.systems.opend6.values import DieCode


def attack_odds(
    thrown: Throw,
    against: Against,
    blow: Blow,
    protection: Protection,
    body: Body,
    mine: Purse,
    theirs: TheirPurse,
    terms: Terms,
) -> FixedOdds[Struck] | None:
    """Odds of an attack on which nothing can be spent, in closed form: exact, and quicker than the rule."""
    code = thrown.rolled(0, mine.doubled, terms)
    if mine[:2] != (0, 0) or theirs[:2] != (0, 0) or against.harder or against.easier or code is None:
        return None
    fixed = fixed_of(blow, protection, body, mine, theirs, terms)
    how, factor = terms.how(), terms.factor(0, mine.doubled)
    dealt = _dealt_total(blow.code(factor), blow.number(factor), how)
    resisted = fixed.resistance(0).total(how)
    chances: dict[Struck, Fraction] = {}
    for part, complication in _parts(code, thrown.number(0, mine.doubled, terms) - against.total(), how):
        followed = part.followed(0, 0)
        for (over, _, _), weight in followed.weights.items():
            if over < 0:
                missed = Struck(False, body.level, complication=complication, short=short_by(over, complication))
                chances[missed] = chances.get(missed, Fraction(0)) + Fraction(weight, followed.whole)
        hits = followed.only(lambda over: over >= 0)
        if not hits.weights:
            continue
        more = hits.divided(5) if blow.fifth else NO_MORE
        share = Fraction(1) if blow.fifth else hits.share
        for struck, part_of_it in _struck(dealt.plus(more).floored(0), resisted, complication, fixed).items():
            chances[struck] = chances.get(struck, Fraction(0)) + share * part_of_it
    found = Dist.from_chances(chances)
    return FixedOdds(found if fixed.told is None else told_up_to(found, fixed.endless, fixed.told))


def _parts(code: DieCode, plus: int, how: How, points: int = 0) -> list[tuple[OpenTotal, bool]]:
    """The parts of an attack roll without and with a complication; their shares add up to 1."""
    real, pips = real_code(code, how)
    if real.dice < 1:
        return [(bought_total(points).plus(pips).floored(0).plus(plus), False)]
    keeps_one, reaches = how.cancel_scope == "highest_only", how.cancel_reaches_cp_dice
    failed = failed_total(real.dice - 1, points, how.on_one == "cancel", keeps_one, reaches)
    tells = how.on_one == "complication"
    return [(plain_total(real.dice - 1, points).plus(pips + plus), False), (failed.plus(pips + plus), tells)]


def _dealt_total(code: DieCode, more: int, how: How) -> OpenTotal:
    """Damage without the bonus from the attack's result points."""
    return NO_MORE.plus(code.pips + more) if code.dice < 1 else open_total(code, more, 0, how)


def _struck(dealt: OpenTotal, resisted: OpenTotal, complication: bool, fixed: Fixed) -> dict[Struck, Fraction]:
    """Results of a hit with this damage against a resistance."""
    blow, level = fixed.blow, fixed.body.level
    dealt = dealt.divided(2) if blow.halved else dealt
    found: dict[Struck, Fraction] = {}
    if blow.harmless:
        for total, share in dealt.numbers(0, fixed.told or DEADLY).items():
            found[Struck(True, level, 0, total, complication=complication)] = share
        return found
    over = dealt.over(resisted)
    table = over.table(0, DEADLY, is_open=False) if fixed.told is None else over.floored(0).numbers(0, fixed.told)
    for excess, share in table.items():
        struck = fixed.lost(excess, complication, Spent(), Spent())
        found[struck] = found.get(struck, Fraction(0)) + share
    return found


# ---------------------------------------------------------------------- open-ended rolls within an attack


@lru_cache(maxsize=256)
def _resisted(fixed: Fixed, theirs: Purse) -> tuple[OpenTotal, ...]:
    """Resistance totals with all that the target can spend, each by its Fate Points; the damage of a death added."""
    terms, found = fixed.terms, []
    for used in range((terms.most_fate(theirs.fate) if terms.may_add_fate(theirs.doubled) else 0) + 1):
        left = theirs.left_after(Before(0, used), terms)
        found.append(fixed.resistance(used).total(terms.how()).plus(bought_total(left)).plus(DEADLY - 1))
    return tuple(found)


@lru_cache(maxsize=1_024)
def _escaped(fixed: Fixed, theirs: Purse) -> int:
    return max([least_beyond(resisted, fixed.least_chance) for resisted in _resisted(fixed, theirs)])


def _sure(fixed: Fixed, dealt: OpenTotal, theirs: Purse, fate: int = 0) -> int:
    """Damage from which on no choice depends on its number: whatever the target spends, it is death.

    A choice between a Fate Point and Character Points may depend on it for longer, until it makes no difference that
    the damage is as high and is resisted nevertheless. ``fate`` are Fate Points that the attacker may still spend.
    """
    if fixed.blow.harmless:
        assert fixed.told is not None
        return 2 * fixed.told if fixed.blow.halved else fixed.told
    found, resisted = _escaped(fixed, theirs), _resisted(fixed, theirs)
    if len(resisted) > 1 or fate:
        found = max(found, *[least_beyond_both(dealt, one, NEGLIGIBLE) for one in resisted])
    return 2 * found if fixed.blow.halved else found


def _hopeless(rolled: OpenTotal, thrown: Throw, mine: Purse, fixed: Fixed) -> int:
    """Difficulty from which on the attacker's choice does not depend on it."""
    terms = fixed.terms
    found, usable = LEAST_DIFFICULTY, mine.usable(terms)
    for fate in range(terms.most_fate(usable.fate) + 1):
        code = thrown.rolled(fate, mine.doubled, terms)
        if code is not None:
            total = open_total(code, thrown.number(fate, mine.doubled, terms), 0, terms.how())
            total = total.plus(bought_total(usable.points))
            found = max(found, least_beyond(total, fixed.least_chance))
            if usable.fate:
                found = max(found, least_beyond_both(rolled, total, NEGLIGIBLE))
    return found


def _short_of(fixed: Fixed) -> int:
    """Largest amount by which the damage of a hit can fall below zero."""
    how, blow, terms = fixed.terms.how(), fixed.blow, fixed.terms
    factors = [terms.factor(fate, fixed.doubled) for fate in range(terms.most_fate(MOST_FATE) + 1)]
    dealt = [_dealt_total(blow.code(factor), blow.number(factor), how) for factor in factors]
    return max(0, *[-min([base for base, _, _ in total.weights]) for total in dealt])


def difficulties(against: Against, thrown: Throw, mine: Purse, fixed: Fixed) -> dict[OpenNumber, Fraction]:
    """Difficulties with the modifiers that are rolled."""
    harder, easier = [NO_MORE if not dice else counted_total(dice - 1, 0) for dice in (against.harder, against.easier)]
    rolled = harder.plus(against.difficulty).over(easier).floored(LEAST_DIFFICULTY)
    return rolled.numbers(LEAST_DIFFICULTY, _hopeless(rolled, thrown, mine, fixed))


def _rolled(
    lead: OpenTotal, complication: bool, left: int, fixed: Fixed, mine: Purse, theirs: Purse
) -> dict[Rolled, Fraction]:
    """Misses, and the damage bonus of hits, by the lead over the difficulty."""
    found: dict[Rolled, Fraction] = {}
    lowest = -max(MOST_SHORT, out_of_reach(left, fixed.least_chance))
    followed = lead.followed(lowest, 0)
    for over, share in followed.only(lambda over: over < 0).numbers(lowest, 0).items():
        missed = Rolled(over if left else OpenNumber(min(-1, -short_by(over, complication))), complication)
        found[missed] = found.get(missed, Fraction(0)) + share
    hits = followed.only(lambda over: over >= 0)
    if not hits.weights:
        return found
    extra = hits.divided(5) if fixed.blow.fifth else as_total(0, hits.share)
    for more, share in extra.numbers(0, _sure(fixed, extra, theirs, mine.fate) + _short_of(fixed)).items():
        hit = Rolled(more, complication)
        found[hit] = found.get(hit, Fraction(0)) + share
    return found


def attack_rolls(
    code: DieCode, plus: int, points: int, difficulty: int, left: int, fixed: Fixed, mine: Purse, theirs: Purse
) -> dict[Rolled, Fraction]:
    """Misses and hits of an attack roll."""
    found: dict[Rolled, Fraction] = {}
    for part, complication in _parts(code, plus, fixed.terms.how(), points):
        over = part.over(as_total(difficulty))
        for rolled, share in _rolled(over, complication, left, fixed, mine, theirs).items():
            found[rolled] = found.get(rolled, Fraction(0)) + share
    return found


def mended_rolls(
    over: int, complication: bool, left: int, fixed: Fixed, mine: Purse, theirs: Purse
) -> dict[Rolled, Fraction]:
    """Misses and hits after another bought die."""
    return _rolled(as_total(over).plus(bought_total(1)), complication, left, fixed, mine, theirs)


def damages(code: DieCode, plus: int, extra: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Damage totals with the bonus from the attack's result points."""
    dealt = _dealt_total(code, plus, fixed.terms.how()).plus(as_total(extra)).floored(0)
    return dealt.numbers(0, _sure(fixed, dealt, theirs))


def deeper(total: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Damage totals after another bought die."""
    dealt = as_total(total).plus(bought_total(1))
    return dealt.numbers(0, _sure(fixed, dealt, theirs))


def halves(total: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Halves of a damage total that goes on."""
    dealt = as_total(total).divided(2)
    return dealt.numbers(0, _sure(fixed, dealt, theirs))


def excesses(damage: OpenTotal | int, resistance: Resistance, left: int, fixed: Fixed) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance: none, each number, and from the deadly one on as much as points can change."""
    dealt = damage if isinstance(damage, OpenTotal) else as_total(damage)
    return _clipped(dealt.over(resistance.total(fixed.terms.how())), left, fixed)


def at_once(code: DieCode, plus: int, extra: int, resistance: Resistance, fixed: Fixed) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance if no points are spent in between."""
    dealt = _dealt_total(code, plus, fixed.terms.how()).plus(as_total(extra)).floored(0)
    return excesses(dealt, resistance, 0, fixed)


def eased(over: int, left: int, fixed: Fixed) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance after another bought die."""
    return _clipped(as_total(over).over(bought_total(1)), left, fixed)


def _clipped(lead: OpenTotal, left: int, fixed: Fixed) -> dict[OpenNumber, Fraction]:
    """Damage beyond a resistance, up to the highest value that matters."""
    most = (fixed.told or DEADLY) + (out_of_reach(left, fixed.least_chance) - 1 if left else 0)
    found: dict[OpenNumber, Fraction] = {}
    for over, share in lead.floored(0).numbers(0, most).items():
        told = OpenNumber(DEADLY) if fixed.told is None and not left and over >= DEADLY else over
        found[told] = found.get(told, Fraction(0)) + share
    return found
