"""Pools and result points: worked examples, boundaries, every option."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import LEDGER, C
from systems.playing import choosing
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.attack import aim
from tablewright.systems.opend6.mechanics.checks import (
    assisted,
    attempt,
    check,
    group_roll,
    improved_check,
    total,
    upper_limit,
)
from tablewright.systems.opend6.mechanics.dice import (
    NotPossible,
    SecondChance,
    assembled,
    broken_fall,
    demanded,
    fate_factor,
    fifth_bonus,
    half_bonus,
    penalty_dice,
    prepared_dice,
    related_modifier,
    rushed_difficulty,
    second_chance,
    suggests_wild_die_only,
)
from tablewright.systems.opend6.values import CriticalFailure, DieCode


@pytest.mark.rule("opend6.fate.double", "opend6.fate.order", "opend6.fate.external_not_doubled")
@each_case(
    ("code", "given", "pool"),
    [
        ("4D+2", {"factor": 2}, DieCode(8, 4)),
        ("4D+2", {}, DieCode(4, 2)),
        ("4D+1", {"factor": 2, "penalty": 1, "bonus": C("1D")}, DieCode(8, 2)),
        ("1D", {"factor": 2, "penalty": 1}, DieCode(1)),  # the penalty is not doubled, and comes after
        ("3D+1", {"factor": 2, "bonus": C("2D+1")}, DieCode(8, 3)),  # nor are bonuses from outside
    ],
)
def test_fate_doubles_before_penalties_and_bonuses(code: str, given: dict[str, Any], pool: DieCode) -> None:
    assert assembled(C(code), **given) == pool


@pytest.mark.rule("opend6.fate.extra_on_one_roll")
def test_several_fate_points_add_up_or_double_again() -> None:
    assert [fate_factor(points, "additive") for points in range(4)] == [1, 2, 3, 4]
    assert [fate_factor(points, "geometric") for points in range(4)] == [1, 2, 4, 8]


@pytest.mark.rule("opend6.map.penalty", "opend6.map.allotment")
def test_the_multi_action_penalty() -> None:
    for rule in ("opend6.map.penalty", "opend6.map.allotment"):
        for example in LEDGER[rule].examples:
            given = example["given"]
            assert penalty_dice(given["actions"], given["allotment"]) == example["expect"]["penalty_dice"]
    assert penalty_dice(1) == penalty_dice(3, 8) == 0


@pytest.mark.rule("opend6.map.zero_rule")
@each_case(
    ("code", "penalty", "bonus", "rule", "pool"),
    [
        ("1D+2", 1, "2D", "own_code_below_1d", None),
        ("1D+2", 1, "2D", "net_pool_below_1d", DieCode(2, 2)),
        ("1D+2", 2, "2D", "net_pool_below_1d", DieCode(1, 2)),
        ("1D+2", 1, "0D", "net_pool_below_1d", None),
        ("1D+2", 1, "0D", "exactly_zero", DieCode(0, 2)),
        ("1D", 1, "0D", "exactly_zero", None),
        ("1D+2", 2, "0D", "exactly_zero", None),
    ],
)
def test_smallest_rest_of_a_code(code: str, penalty: int, bonus: str, rule: Any, pool: DieCode | None) -> None:
    found = assembled(C(code), penalty=penalty, bonus=C(bonus), zero_rule=rule)
    if pool is not None:
        assert found == pool
        return
    assert isinstance(found, NotPossible)
    assert found.rule == "opend6.map.zero_rule"
    with pytest.raises(IllegalActionError, match="zero_rule"):
        demanded(found)


@pytest.mark.rule("opend6.map.zero_rule")
def test_bare_pips_are_a_total_without_a_roll() -> None:
    assert play(total(DieCode(0, 2), bare_pips=True), TypedDice([])).result == 2
    assert play(check(DieCode(0, 2), 2, bare_pips=True), TypedDice([])).result.success
    asked = aim(DieCode(1, 2), 1, assumed=2, critical_failure="ask", zero_rule="exactly_zero")
    assert play(asked, TypedDice([])).result.total == 2


@pytest.mark.rule("opend6.prepare.bonus", "opend6.rush.difficulty", "opend6.rush.limits")
def test_taking_longer_and_hurrying() -> None:
    assert [prepared_dice(factor) for factor in (1, 2, 3, 4, 7, 8, 15, 16)] == [0, 1, 1, 2, 2, 3, 3, 3]
    table = LEDGER["opend6.prepare.bonus"].data["bonus_dice_by_time_factor"]
    assert {str(factor): prepared_dice(int(factor)) for factor in table} == dict(table)
    for step in LEDGER["opend6.rush.difficulty"].data["steps"]:
        assert rushed_difficulty(1 - Fraction(step["time_saved_percent"], 100)) == step["difficulty"]
    found = [rushed_difficulty(Fraction(percent, 100)) for percent in (100, 90, 75, 74, 50, 49, 25)]
    assert found == [0, 5, 5, 10, 10, 20, 20]
    refused = rushed_difficulty(Fraction(24, 100))
    assert isinstance(refused, NotPossible)
    assert refused.rule == "opend6.rush.limits"


@pytest.mark.rule("opend6.related.modifier")
def test_the_related_modifier() -> None:
    for example in LEDGER["opend6.related.modifier"].examples:
        points = example["given"]["related_result_points"]
        assert related_modifier(points) == example["expect"]["primary_total_modifier"]
    assert [related_modifier(points) for points in (-3, -2, -1, 0, 1, 2, 3, 9)] == [-2, -1, -1, 1, 1, 1, 2, 5]


@pytest.mark.rule("opend6.result.half_bonus", "opend6.result.fifth_damage", "opend6.gap.difficulty.breaking_a_fall")
def test_halves_and_fifths_of_result_points() -> None:
    assert [half_bonus(points) for points in (-4, -1, 0, 1, 2, 3, 10)] == [0, 0, 0, 1, 1, 2, 5]
    assert [fifth_bonus(points) for points in (-4, -1, 0, 1, 5, 6, 10, 11)] == [0, 0, 0, 1, 1, 2, 2, 3]
    assert [broken_fall(points) for points in (-1, 0, 4, 5, 9, 10)] == [0, 1, 1, 2, 2, 3]


@pytest.mark.rule("opend6.special.wild_die_only")
def test_when_the_wild_die_alone_is_suggested() -> None:
    assert suggests_wild_die_only(C("5D+2"), 7)
    assert not suggests_wild_die_only(C("5D+2"), 8)


@pytest.mark.rule("opend6.retry.consequences", "opend6.retry.free")
@each_case(
    ("points", "failure", "rule", "small", "state"),
    [
        (-5, CriticalFailure.NONE, "consequences", 5, SecondChance.HARDER),
        (-6, CriticalFailure.NONE, "consequences", 5, SecondChance.TIME_OR_HELP),
        (-5, CriticalFailure.NONE, "consequences", 4, SecondChance.TIME_OR_HELP),
        (-6, CriticalFailure.CANCEL, "consequences", 5, SecondChance.LOCKED_OUT),
        (-9, CriticalFailure.COMPLICATION, "consequences", 5, SecondChance.LOCKED_OUT),
        (-5, CriticalFailure.CANCEL, "consequences", 5, SecondChance.HARDER),  # a small one stays small
        (-40, CriticalFailure.CANCEL, "next_turn", 5, SecondChance.NEXT_TURN),
    ],
)
def test_second_chances_after_a_failure(
    points: int, failure: CriticalFailure, rule: Any, small: int, state: SecondChance
) -> None:
    assert second_chance(points, failure, rule, small_shortfall=small) is state
    outcomes = LEDGER["opend6.retry.consequences"].data["outcomes"]
    assert [one.value for one in list(SecondChance)[1:]] == list(outcomes)


# ---------------------------------------------------------------------- mechanics of several steps


@pytest.mark.rule("opend6.related.procedure", "opend6.related.modifier", "opend6.related.assist")
def test_a_related_skill_helps_or_hinders_the_primary_one() -> None:
    call = assisted(C("2D"), 5, C("2D"), 8)
    assert play(call, TypedDice([4, 5, 3, 3])).result.success  # 9 against 5: +2, and 6 + 2 reaches 8
    assert not play(call, TypedDice([2, 2, 4, 3])).result.success  # 4 against 5: -1, and 7 - 1 misses 8


@pytest.mark.rule("opend6.group.single_roll")
def test_one_roll_against_every_difficulty() -> None:
    call = group_roll(C("3D"), (5, 10, 15), bonus=1)
    assert play(call, TypedDice([4, 3, 2])).result.successes == (True, True, False)
    assert play(group_roll(C("3D"), (10,)), TypedDice([4, 3, 2])).result.successes == (False,)
    for place, difficulty in enumerate((5, 10, 15)):
        alone = odds(check(C("3D"), difficulty, 1)).chance(lambda checked: checked.success)
        assert odds(call).chance(lambda grouped, place=place: grouped.successes[place]) == alone  # type: ignore[misc]


@pytest.mark.rule("opend6.gap.advancement.upper_limit")
def test_the_upper_limit_is_rolled_with_four_dice() -> None:
    assert play(upper_limit(C("2D")), TypedDice([3, 2, 1, 1, 2, 3])).result is True  # 7 against 5
    assert play(upper_limit(C("2D")), TypedDice([2, 1, 1, 1, 2, 3])).result is True  # a tie improves
    assert play(upper_limit(C("2D")), TypedDice([2, 1, 1, 1, 3, 3])).result is False
    assert odds(upper_limit(C("3D"), critical_failure="ask"))[True] == odds(upper_limit(C("3D")))[True]


# ---------------------------------------------------------------------- points by choice


@pytest.mark.rule("opend6.fate.double", "opend6.fate.timing", "opend6.cp.timing")
@each_case(("code", "difficulty", "points"), [("3D", 15, 2), ("2D+1", 20, 1), ("4D", 10, 0)])
def test_fate_or_character_points_by_all_that_can_be_done(code: str, difficulty: int, points: int) -> None:
    own = C(code)
    doubled = DieCode(2 * own.dice, 2 * own.pips)
    call = attempt(own, difficulty, (doubled,), points)
    told = advise(call, "success").choices[0].options
    plain = odds(improved_check(own, difficulty, points)).chance(lambda result: result.success)
    fated = odds(check(doubled, difficulty)).chance(lambda result: result.success)
    assert {one.id: one.value for one in told} == {"0": plain, "1": fated}
    assert odds(call).chance(lambda result: result.success) == max(plain, fated)
    without = odds(attempt(own, difficulty, (), points)).chance(lambda result: result.success)
    assert without == plain


@pytest.mark.rule("opend6.fate.timing", "opend6.points.no_mixing")
def test_only_with_fate_where_nothing_else_is_left() -> None:
    only = odds(attempt(None, 5, (C("1D"),)))
    assert only.chance(lambda result: result.success) == odds(check(C("1D"), 5)).chance(lambda one: one.success)
    assert all(result.fate_points == 1 for result in only)
    with pytest.raises(IllegalActionError, match="zero_rule"):
        odds(attempt(None, 5))
    chances = [
        odds(attempt(C("3D"), 25, (C("6D"),), 2, allow_mixing=mixing)).chance(lambda result: result.success)
        for mixing in (True, False)
    ]
    assert chances[0] > chances[1]


@pytest.mark.rule("opend6.fate.timing", "opend6.points.no_mixing", "opend6.cp.timing")
def test_fate_before_the_roll_and_points_around_it() -> None:
    call = attempt(C("2D"), 15, (C("4D"),), 3)
    result = play(call, TypedDice([2, 3, 4, 5, 6, 1]), choosing("0", "2", "yes")).result
    assert (result.success, result.character_points, result.fate_points) == (True, 3, 0)  # 2+3 +4+5 +7
    fated = play(call, TypedDice([4, 4, 4, 2]), choosing("1")).result  # no Character Points beside it
    assert (fated.success, fated.character_points, fated.fate_points) == (False, 0, 1)
    mixed = attempt(C("2D"), 15, (C("4D"),), 3, allow_mixing=True)
    both = play(mixed, TypedDice([4, 4, 4, 2, 1]), choosing("1", "1", "no")).result
    assert (both.success, both.character_points, both.fate_points) == (True, 1, 1)


@pytest.mark.rule("opend6.cp.timing")
def test_points_are_spent_for_what_is_assumed() -> None:
    careless = odds(attempt(C("3D"), 20, (), 5, assumed=10), "thrifty_success")
    knowing = odds(attempt(C("3D"), 20, (), 5), "thrifty_success")
    assert careless.chance(lambda one: one.success) < knowing.chance(lambda one: one.success)
    assert careless.chance(lambda one: one.hoped) > careless.chance(lambda one: one.success)
    assert all(one.hoped == one.success for one in knowing)
