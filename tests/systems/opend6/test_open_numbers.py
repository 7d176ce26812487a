"""Exact odds of rules that go on with open-ended totals and ask for points."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from conformance.places import at_length
from tablewright.engine import odds
from tablewright.systems.opend6.mechanics import open_ended
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import NEGLIGIBLE, Against, Blow, TheirPurse
from tablewright.systems.opend6.mechanics.checks import Side
from tablewright.systems.opend6.mechanics.contests import Reserves, contested
from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total, out_of_reach
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.open_ended import Runs
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.values import DieCode

FOUR, THREE = DieCode(4), DieCode(3)
THROW, BLOW, PROTECTION = Throw(FOUR), Blow(DieCode(2), DieCode(2), fifth=False), Protection(THREE)


@pytest.mark.rule("opend6.opposed.resolve", "opend6.cp.timing")
def test_a_contest_with_points_is_exact() -> None:
    found = odds(contested(FOUR, DieCode(4, 1), reserves=Reserves(1, 0)), "win")
    # Where only one side has a point and wants to win, the point is spent exactly when it is behind.
    exact = counted_total(3, 1).over(counted_total(3, 0).plus(1)).at_least(0)
    assert found.chance(lambda result: result.winner is Side.INITIATOR) == exact
    assert found.remainder == 0
    thrifty = odds(contested(FOUR, DieCode(4, 1), reserves=Reserves(2, 1)))
    assert thrifty.remainder == 0
    assert thrifty.expected(lambda result: int(result.winner is Side.INITIATOR)) < 1


@pytest.mark.rule("opend6.opposed.resolve", "opend6.cp.timing")
def test_two_who_both_spend_their_last_point() -> None:
    found = odds(contested(THREE, THREE, reserves=Reserves(1, 1)), "win")
    mine, die = counted_total(2, 0), bought_total(1)
    lead = mine.over(mine)
    both = mine.plus(die).over(mine.plus(die)).at_least(0)
    # Ahead, the other spends; behind after that or before, one spends: only the order differs.
    behind = odds(contested(THREE, THREE, reserves=Reserves(1, 0)), "win").chance(
        lambda result: result.winner is Side.INITIATOR
    )
    won = found.chance(lambda result: result.winner is Side.INITIATOR)
    assert found.remainder == 0
    assert both <= won <= behind
    assert lead.at_least(0) < behind


@pytest.mark.rule("opend6.cp.timing", "opend6.gap.resistance.wounds")
def test_an_attack_with_points_is_exact() -> None:
    struck = odds(attack(THROW, Against(13), BLOW, PROTECTION, mine=Purse(1)), "hit")
    assert struck.remainder == 0
    assert struck.chance(lambda one: one.hit) == counted_total(3, 1).at_least(13)
    felled = odds(attack(THROW, Against(3), BLOW, PROTECTION, theirs=TheirPurse(1)), "felled")
    hit = counted_total(3, 0).at_least(3)
    # The target spends the point whenever it is hurt; from 9 on it is felled.
    over = counted_total(3, 0).over(counted_total(2, 1)).at_least(9)
    assert felled.remainder == 0
    assert (
        felled.chance(lambda one: one.hit and one.level in ("incapacitated", "mortally_wounded", "dead")) == hit * over
    )


@pytest.mark.rule("opend6.gap.attack.modifier_style", "opend6.gap.weapon.flat")
def test_rolled_modifiers_and_halved_damage_are_exact() -> None:
    rolled = odds(attack(THROW, Against(10, harder=1), BLOW, PROTECTION), "hit")
    assert rolled.chance(lambda one: one.hit) == counted_total(3, 0).over(counted_total(0, 0)).at_least(10)
    flat = odds(attack(THROW, Against(3), BLOW._replace(halved=True), PROTECTION, mine=Purse(1)), "felled")
    assert rolled.remainder == flat.remainder == 0


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing")
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [(Purse(2), TheirPurse()), (Purse(1, 1), TheirPurse(1, int(at_length()))), (Purse(), TheirPurse(2))],
)
def test_following_further_changes_no_choice(monkeypatch: pytest.MonkeyPatch, mine: Purse, theirs: TheirPurse) -> None:
    from tablewright.engine.odds import forget
    from tablewright.systems.opend6.mechanics import attack_odds

    call = attack(THROW, Against(13), Blow(DieCode(2), DieCode(2)), PROTECTION, mine=mine, theirs=theirs)
    found = {objective: odds(call, objective) for objective in ("harm", "hit", "felled")}
    sure = attack_odds._sure
    monkeypatch.setattr(attack_odds, "_sure", lambda *given: sure(*given) + 12)
    monkeypatch.setattr(attack_odds, "out_of_reach", lambda *given: out_of_reach(*given) + 12)
    forget()
    try:
        further = {objective: odds(call, objective) for objective in found}
    finally:
        forget()
    for objective, one in found.items():
        if objective == "harm":  # no one pays for a chance below the price
            assert dict(one.fractions()) == dict(further[objective].fractions())
        value = attack.objective(objective)[1]
        assert abs(one.expected(value) - further[objective].expected(value)) < NEGLIGIBLE
        assert one.remainder == 0


def test_runs_on_both_sides_cancel_each_other() -> None:
    found = bought_total(1).numbers(0, 7)
    assert sum(found.values()) == 1
    assert (
        sum([share for number, share in found.items() if number >= 7]) == bought_total(1).at_least(7) == Fraction(1, 6)
    )


def enough(runs: Runs, sixes: int) -> Fraction:
    """The chance that runs come to so many sixes or more, by going through every end of them that has fewer."""
    if sixes <= 0:
        return Fraction(1)
    if not runs:
        return Fraction(0)
    (power, step), *others = runs
    on = Fraction(1, 6**power)
    several = -(-sixes // step)
    fewer = [on**count * (1 - on) * enough(tuple(others), sixes - step * count) for count in range(several)]
    return sum(fewer, on**several)


@pytest.mark.rule("opend6.cp.timing", "opend6.wild.critical_success")
@pytest.mark.parametrize("runs", [((1, 1),), ((1, 1), (1, 1)), ((2, 1),), ((1, 2), (2, 1), (1, 1))])
def test_chances_of_runs_are_those_of_every_end_that_they_may_have(runs: Runs) -> None:
    for first, last in combinations_with_replacement(range(-9, 10), 2):
        wanted = range(first, last + 1)
        ahead, common = open_ended._chances(runs, (), first, last)
        assert [Fraction(share, common) for share in ahead] == [enough(runs, sixes) for sixes in wanted]
        behind, common = open_ended._chances((), runs, first, last)
        assert [Fraction(share, common) for share in behind] == [1 - enough(runs, 1 - sixes) for sixes in wanted]
