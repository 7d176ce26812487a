"""Exact odds: no mechanic cuts them short, with open-ended totals and with questions about points."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest

from conformance.places import at_length
from each_case import each_case
from tablewright.dice import Dist, OrMore, TypedDice
from tablewright.engine import Call, odds, play
from tablewright.engine.odds import decision_or_odds, forget
from tablewright.engine.report import answer_for, odds_json
from tablewright.errors import InvalidInputError
from tablewright.systems.opend6 import system
from tablewright.systems.opend6.mechanics import attack_odds, open_ended
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import NEGLIGIBLE, Against, Blow, TheirPurse
from tablewright.systems.opend6.mechanics.checks import Side
from tablewright.systems.opend6.mechanics.contests import Reserves, contested
from tablewright.systems.opend6.mechanics.dice import (
    PointDice,
    WildRoll,
    bought_total,
    counted_total,
    failed_total,
    out_of_reach,
)
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.open_ended import Runs
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.mechanics.rolls import told_up_to
from tablewright.systems.opend6.options import CancelScope
from tablewright.systems.opend6.values import DieCode

HIT = "code=3D difficulty=8 damage=1D weapon=1D resistance=2D"
QUESTIONS = f"""
check code=4D difficulty=15 critical_failure=ask
check code=3D difficulty=20 character_points=2 cancel_reaches_cp_dice=yes
roll code=4D character_points=9
roll code=2D character_points=2 cancel_reaches_cp_dice=yes critical_failure=ask cancel_scope=highest_only
total code=4D character_points=3 cancel_reaches_cp_dice=yes
total code=0D+2 bare_pips=yes character_points=3
total code=4D simplification=wild_die_only character_points=9
result_points code=4D difficulty=12 character_points=1 cancel_reaches_cp_dice=yes
opposed initiator=3D resister=2D+2 critical_failure=ask
opposed initiator=3D resister=2D+2 initiator_points=2 resister_points=1 cancel_reaches_cp_dice=yes
wild_die_only
improved_check code=4D+1 difficulty=15 character_points=2 cancel_reaches_cp_dice=yes
improved_check code=2D difficulty=10 character_points=1 critical_failure=ask
attempt code=3D difficulty=15 fated=6D character_points=2
assisted related=2D related_difficulty=7 code=2D difficulty=8
group_roll code=4D difficulties=10,15,20
body_points physique=3D
new_die
upper_limit new=5D critical_failure=ask
difficulty_level difficulty=14
contested initiator=3D resister=2D+2 points=2 their_points=1
contested initiator=3D resister=2D+2 initiator_points=1 points=1 cancel_reaches_cp_dice=yes
attack {HIT}
attack {HIT} harder=2 easier=1
attack {HIT} harder=1 points=1
attack {HIT} points=1 their_points=1
attack {HIT} points=1 fate=1
attack code=1D penalty=1 difficulty=5 harder=1 damage=1D resistance=1D fate=1
attack {HIT} points=1 cancel_reaches_cp_dice=yes
attack {HIT} points=1 halved=yes
attack {HIT} points=1 damage_plain=-20
attack {HIT} points=1 critical_failure=complication
attack {HIT} points=1 negative_resistance=add_to_damage resistance_plain=-20
attack {HIT} points=1 simplification=five_dice
attack {HIT} injury=body_points harder=1
attack {HIT} injury=body_points armour=2D points=1 their_points=1
attack {HIT} stun=yes halved=yes points=1
attack {HIT} harmless=yes points=1 fate=1
aim code=4D assumed=12 points=2 fate=1
aim code=3D assumed=12 points=3 challenge_level=universe_shaking critical_failure=ask
skill_roll code=4D assumed=12 points=2 cancel_reaches_cp_dice=yes
mend missing=5 left=2
mend missing=5 left=2 open_ended=yes
deal damage=3D weapon=2D fate=1
deepen left=3
resist damage=100 resistance=3D fate=1 injury=body_points
resist damage=15 resistance=3D stun=yes
ease over=12 left=3
ease over=100 left=2 levels=0
injure damage=3D resistance=2D injury=body_points
injure damage=3D resistance=2D plain=-5 negative_resistance=add_to_damage resistance_plain=-20
initiative acumen=3D points=2 cancel_reaches_cp_dice=yes
initiative acumen=3D points=12 challenge_level=universe_shaking
success code=1D difficulty=31
several_actions code=4D difficulty=10
choose_defence attack=3D defence=3D difficulty=12 foe=3D attacks=2 modifier=-5
prepare_or_act code=3D difficulty=15
fate_now_or_later code=3D difficulty=15 later=4D,4D later_difficulty=15
natural_healing physique=3D wound=wounded
regained code=3D
break_object damage=4D toughness=2D
""".strip().splitlines()
LARGER = f"""
attack {HIT} points=1 fate=1 their_points=1 their_fate=1
attack {HIT} stun=yes halved=yes their_fate=1
attack {HIT} points=21
attack {HIT} harder=1 points=1 fate=1
aim code=4D assumed=12 points=9 challenge_level=universe_shaking critical_failure=ask
check code=3D difficulty=60 character_points=30
contested initiator=3D resister=2D+2 initiator_points=9 points=2
improved_check code=4D+1 difficulty=15 character_points=30 challenge_level=universe_shaking
initiative acumen=3D points=5 cancel_reaches_cp_dice=yes
mend missing=70 left=5
opposed initiator=3D resister=2D+2 initiator_points=12 resister_points=9
""".strip().splitlines()
"""Questions with more to work out, for runs with more time."""

BY_NAME = {mechanic.name: mechanic for mechanic in system.mechanics}


def call_of(question: str) -> Call[Any]:
    name, *given = question.split()
    return BY_NAME[f"opend6.{name}"].read(dict([word.split("=", 1) for word in given]))


@pytest.mark.rule("opend6.wild.critical_success")
def test_a_question_for_every_mechanic() -> None:
    assert {f"opend6.{question.split()[0]}" for question in QUESTIONS} == set(BY_NAME)


@pytest.mark.rule("opend6.wild.critical_success")
@each_case("question", [*QUESTIONS, *LARGER] if at_length() else QUESTIONS)
def test_no_odds_are_cut(question: str) -> None:
    answer = answer_for(call_of(question))
    assert answer.odds.remainder == 0
    assert "remainder" not in odds_json(answer)


@pytest.mark.rule("opend6.gap.resistance.body_points", "opend6.gap.damage.stun")
@pytest.mark.parametrize("more", ["injury=body_points", "stun=yes", "stun=yes halved=yes", "harmless=yes"])
def test_a_loss_without_end_is_the_same_by_formula_and_by_rule(more: str) -> None:
    call = call_of(f"attack {HIT} {more}")
    formula, field = odds(call), "damage" if "harmless" in more else "loss"
    top = max([getattr(struck, field) for struck in formula])
    assert isinstance(top, OrMore)
    ruled = decision_or_odds(call, by_rule=True)
    assert isinstance(ruled, Dist)
    told = told_up_to(ruled, field, int(top))
    assert dict(formula.fractions()) == dict(told.fractions())
    assert formula.expected(lambda one: getattr(one, field)) == told.expected(lambda one: getattr(one, field))


@pytest.mark.rule("opend6.cp.timing", "opend6.gap.body_points.loss")
def test_the_mean_loss_with_a_point_is_exact() -> None:
    # Nothing resists, and a sure hit leaves the point for the damage: four dice of which one can fail, and one more.
    call = call_of("attack code=9D difficulty=3 damage=4D fifth=no injury=body_points points=1")
    found = odds(call, "loss")
    hit = found.chance(lambda struck: struck.hit)
    dealt = Fraction(odds(BY_NAME["opend6.total"].read({"code": "4D"})).mean)
    assert hit == 1
    assert found.expected(attack.objective("loss")[1]) == dealt + Fraction(21, 5)


@pytest.mark.rule("opend6.wild.cf_cancel")
@each_case(("regular", "points"), [(0, 1), (2, 1), (2, 2), (0, 3)])
@each_case("scope", ["wild_and_highest", "highest_only"])
def test_bought_dice_that_a_failure_drops(regular: int, points: int, scope: CancelScope) -> None:
    counted = WildRoll(regular, points, 25, scope, True).weigh()
    left = failed_total(regular, points, True, scope == "highest_only", True)
    failures = [(thrown, share) for thrown, share in counted.fractions() if thrown.critical_failure]
    for number in range(25):
        assert left.at_least(number) == sum([share for thrown, share in failures if thrown.cancelled >= number])
    shown = WildRoll(regular, points, 25, scope, True, True).weigh()
    assert {(int(one[0]), one[1], int(one[2])): share for one, share in shown.fractions()} == {
        tuple(one): share for one, share in counted.fractions()
    }


@pytest.mark.rule("opend6.cp.die_behaviour")
def test_a_hundred_bought_dice_have_their_exact_mean() -> None:
    assert PointDice(100, 500, True).weigh().mean == 100 * Fraction(21, 5)
    assert bought_total(20).over(bought_total(15)).at_least(0) > Fraction(8, 10)
    with pytest.raises(InvalidInputError, match="too many"):
        bought_total(50).over(bought_total(50)).at_least(0)


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.initiative.roll")
def test_a_failure_left_to_the_game_master_cancels_where_no_one_is_asked() -> None:
    rolled = play(call_of("initiative acumen=3D critical_failure=ask"), TypedDice([1, 5, 3])).result
    assert rolled.total == 3
    asked, usual = [
        odds(call_of(f"several_actions code=4D difficulty=10 critical_failure={rule}")) for rule in ("ask", "cancel")
    ]
    assert asked == usual


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


@pytest.mark.rule("opend6.gap.attack.modifier_style")
def test_rolled_modifiers_are_exact() -> None:
    rolled = odds(attack(THROW, Against(10, harder=1), BLOW, PROTECTION), "hit")
    assert rolled.chance(lambda one: one.hit) == counted_total(3, 0).over(counted_total(0, 0)).at_least(10)


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing")
@pytest.mark.parametrize(
    ("mine", "theirs"), [(Purse(1, int(at_length())), TheirPurse(1)), (Purse(1 + at_length()), TheirPurse())]
)
def test_following_further_changes_no_choice(monkeypatch: pytest.MonkeyPatch, mine: Purse, theirs: TheirPurse) -> None:
    call = attack(THROW, Against(13), Blow(DieCode(1), DieCode(1)), Protection(DieCode(2)), mine=mine, theirs=theirs)
    found = {objective: odds(call, objective) for objective in ("harm", "hit", "felled")}
    sure = attack_odds._sure
    monkeypatch.setattr(attack_odds, "_sure", lambda *given: sure(*given) + 12)
    monkeypatch.setattr(attack_odds, "out_of_reach", lambda *given: out_of_reach(*given) + 12)
    forget()
    try:
        further = {objective: odds(call, objective) for objective in found}
    finally:
        forget()
    assert dict(found["harm"].fractions()) == dict(further["harm"].fractions())  # no one pays for less than the price
    for objective, one in found.items():
        value = attack.objective(objective)[1]
        assert abs(one.expected(value) - further[objective].expected(value)) < NEGLIGIBLE


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
    for first, last in combinations_with_replacement((-7, -2, -1, 0, 1, 2, 3, 7), 2):
        wanted = range(first, last + 1)
        ahead, common = open_ended._chances(runs, (), first, last)
        assert [Fraction(share, common) for share in ahead] == [enough(runs, sixes) for sixes in wanted]
        behind, common = open_ended._chances((), runs, first, last)
        assert [Fraction(share, common) for share in behind] == [1 - enough(runs, 1 - sixes) for sixes in wanted]
