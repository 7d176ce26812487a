"""Odds of an attack, in closed form where nothing can be spent, and step by step without an end of its dice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tablewright.systems.opend6.mechanics.blows import (
    LEAST_DIFFICULTY,
    MOST_SHORT,
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
from tablewright.systems.opend6.mechanics.harm import DEADLY, Body, Protection
from tablewright.systems.opend6.mechanics.open_ended import NOTHING as NO_MORE
from tablewright.systems.opend6.mechanics.open_ended import (
    Formula,
    OpenTotal,
    bought_total,
    counted_total,
    dist_of,
    failed_total,
    open_table,
    plain_total,
)
from tablewright.systems.opend6.mechanics.open_numbers import (
    Leads,
    OpenNumber,
    as_total,
    chances_of,
    follow,
    least_beyond,
    moved,
    out_of_reach,
    total_of,
)
from tablewright.systems.opend6.mechanics.points import MOST_FATE, POINT_PRICE, WORTH, Before, Purse, Terms, Throw
from tablewright.systems.opend6.mechanics.rolls import FURTHER_SIXES as TOLD_SIXES
from tablewright.systems.opend6.mechanics.rolls import How, Resistance, open_total, real_code
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
) -> Formula[Struck] | None:
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


def _parts(code: DieCode, plus: int, how: How, points: int = 0) -> list[tuple[OpenTotal, bool]]:
    """The parts of an attack roll without and with a complication; their shares add up to 1."""
    real, pips = real_code(code, how)
    if real.dice < 1:
        return [(bought_total(points).plus(pips).floored(0).plus(plus), False)]
    failed = failed_total(real.dice - 1, points, how.on_one == "cancel", how.cancel_scope == "highest_only")
    tells = how.on_one == "complication"
    return [(plain_total(real.dice - 1, points).plus(pips + plus), False), (failed.plus(pips + plus), tells)]


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


# ---------------------------------------------------------------------- open-ended rolls within an attack


SETTLED = Fraction(POINT_PRICE, WORTH["dead"])
"""A chance of death, or of escaping it, that is worth less than the cheapest point."""


@lru_cache(maxsize=1_024)
def _sure(fixed: Fixed, theirs: Purse) -> int:
    """Damage from which on neither side pays for more or less of it: whatever the target spends, it is death."""
    terms, found = fixed.terms, 0
    for fate in range((terms.most_fate(theirs.fate) if terms.may_add_fate(theirs.doubled) else 0) + 1):
        left = theirs.left_after(Before(0, fate), terms)
        resisted = fixed.resistance(fate).total(terms.how()).plus(bought_total(left))
        found = max(found, least_beyond(resisted.plus(DEADLY - 1), SETTLED))
    return 2 * found if fixed.blow.halved else found


@lru_cache(maxsize=1_024)
def _hopeless(thrown: Throw, mine: Purse, terms: Terms) -> int:
    """Difficulty from which on the attacker pays nothing for a chance of reaching it."""
    found, usable = LEAST_DIFFICULTY, mine.usable(terms)
    for fate in range(terms.most_fate(usable.fate) + 1):
        code = thrown.rolled(fate, mine.doubled, terms)
        total = open_total(code, thrown.number(fate, mine.doubled, terms), 0, terms.how()) if code else None
        if total is not None:
            found = max(found, least_beyond(total.plus(bought_total(usable.points)), SETTLED))
    return found


def _short_of(fixed: Fixed) -> int:
    """How far the least damage of a hit can be below nought."""
    how, blow, terms = fixed.terms.how(), fixed.blow, fixed.terms
    factors = [terms.factor(fate, fixed.doubled) for fate in range(terms.most_fate(MOST_FATE) + 1)]
    dealt = [_dealt_total(blow.code(factor), blow.number(factor), how) for factor in factors]
    return max(0, *[-min([base for base, _ in total.weights]) for total in dealt])


def difficulties(against: Against, thrown: Throw, mine: Purse, terms: Terms) -> dict[OpenNumber, Fraction]:
    """Difficulties with the modifiers that are rolled."""
    harder, easier = [NO_MORE if not dice else counted_total(dice - 1, 0) for dice in (against.harder, against.easier)]
    found: dict[OpenNumber, Fraction] = {}
    leads = chances_of(harder.plus(against.difficulty).over(easier))
    for number, share in follow(leads, LEAST_DIFFICULTY, _hopeless(thrown, mine, terms)).items():
        told = number if number > LEAST_DIFFICULTY else OpenNumber(LEAST_DIFFICULTY)
        found[told] = found.get(told, Fraction(0)) + share
    return found


def _rolled(leads: Leads, complication: bool, left: int, fixed: Fixed, theirs: Purse) -> dict[Rolled, Fraction]:
    """Misses, and what hits add to the damage, by the lead over the difficulty."""
    found: dict[Rolled, Fraction] = {}
    hits: list[tuple[int, Fraction]] = []
    for over, share in follow(leads, -max(MOST_SHORT, out_of_reach(left, SETTLED)), 0).items():
        if over >= 0:
            hits.append((over, share))
            continue
        missed = Rolled(over if left else OpenNumber(min(-1, -short_by(over, complication))), complication)
        found[missed] = found.get(missed, Fraction(0)) + share
    if not hits:
        return found
    more = total_of(hits)
    added = more.divided(5) if fixed.blow.fifth else total_of([(0, more.share)])
    for extra, share in follow(_parted(added), 0, _sure(fixed, theirs) + _short_of(fixed)).items():
        hit = Rolled(extra, complication)
        found[hit] = found.get(hit, Fraction(0)) + share
    return found


def _parted(total: OpenTotal) -> Leads:
    """Chances of a total that is a part of a roll."""
    return {key: share * total.share for key, share in chances_of(total.over(NO_MORE)).items()}


def attack_rolls(
    code: DieCode, plus: int, points: int, difficulty: int, left: int, fixed: Fixed, theirs: Purse
) -> dict[Rolled, Fraction]:
    """Misses and hits of an attack roll."""
    found: dict[Rolled, Fraction] = {}
    for part, complication in _parts(code, plus, fixed.terms.how(), points):
        over = part.over(as_total(difficulty))
        leads = {key: share * part.share for key, share in chances_of(over).items()}
        for rolled, share in _rolled(leads, complication, left, fixed, theirs).items():
            found[rolled] = found.get(rolled, Fraction(0)) + share
    return found


def mended_rolls(over: int, complication: bool, left: int, fixed: Fixed, theirs: Purse) -> dict[Rolled, Fraction]:
    """Misses and hits after another bought die."""
    return _rolled(moved(over, bought_total(1)), complication, left, fixed, theirs)


def damages(code: DieCode, plus: int, extra: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Damage totals with what the attack's result points add."""
    dealt = _dealt_total(code, plus, fixed.terms.how()).plus(as_total(extra)).floored(0)
    return follow(_parted(dealt), 0, _sure(fixed, theirs))


def deeper(total: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Damage totals after another bought die."""
    return follow(moved(total, bought_total(1)), 0, _sure(fixed, theirs))


def halves(total: int, fixed: Fixed, theirs: Purse) -> dict[OpenNumber, Fraction]:
    """Halves of a damage total that goes on."""
    return follow(_parted(as_total(total).divided(2)), 0, _sure(fixed, theirs))


def excesses(damage: OpenTotal | int, resistance: Resistance, left: int, how: How) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance: none, each number, and from the deadly one on as much as points can change."""
    dealt = damage if isinstance(damage, OpenTotal) else as_total(damage)
    return _clipped(chances_of(dealt.over(resistance.total(how))), left)


def at_once(code: DieCode, plus: int, extra: int, resistance: Resistance, how: How) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance where nobody spends anything in between."""
    return excesses(_dealt_total(code, plus, how).plus(as_total(extra)).floored(0), resistance, 0, how)


def eased(over: int, left: int) -> dict[OpenNumber, Fraction]:
    """Damage beyond the resistance after another bought die."""
    return _clipped(moved(over, bought_total(1), -1), left)


def _clipped(leads: Leads, left: int) -> dict[OpenNumber, Fraction]:
    most = DEADLY - 1 + out_of_reach(left, SETTLED) if left else DEADLY
    found: dict[OpenNumber, Fraction] = {}
    for over, share in follow(leads, 0, most).items():
        told = OpenNumber(0) if over <= 0 else over if left or over < DEADLY else OpenNumber(DEADLY)
        found[told] = found.get(told, Fraction(0)) + share
    return found
