"""The checks of Renaissance: worked examples with typed dice, every option, and all rolls tried out one by one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.playing import choosing, examples
from tablewright.dice import TypedDice
from tablewright.engine import Call, advise, odds, play
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.renaissance import system
from tablewright.systems.renaissance.mechanics.checks import (
    LUCK_OBJECTIVES,
    MECHANICS,
    check,
    lucky_check,
    lucky_margin,
    margin,
    opposed,
    opposed_margin,
    ordered,
    simple_check,
    success_margin,
    variable,
)
from tablewright.systems.renaissance.mechanics.dice import LuckUse, uses_of_luck
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import (
    DOUBLE,
    Checked,
    Grade,
    Lucky,
    Quality,
    Regrade,
    Side,
    Variable,
    Won,
    counts_as_exceptional,
    flipped,
    judge,
    limited,
    natural_grade,
    natural_grades,
    regraded,
)

LEDGER = Ledger.load("renaissance")
PAIRS = [(first, second) for first in range(100) for second in range(100)]


def counted(outcomes: list[Any]) -> dict[Any, Fraction]:
    """The chance of each of several equally likely outcomes; None is rolled again."""
    kept = [outcome for outcome in outcomes if outcome is not None]
    return {outcome: Fraction(kept.count(outcome), len(kept)) for outcome in dict.fromkeys(kept)}


# ---------------------------------------------------------------------- one check


@pytest.mark.rule("renaissance.check.d_percent")
def test_a_hundred_is_read_as_zero() -> None:
    ((given, expect),) = examples("renaissance.check.d_percent")
    result = play(margin(50), TypedDice([given["shown"]])).result
    assert result == play(margin(50), TypedDice([expect["roll"]])).result
    assert (result.succeeds, result.grade.value) == (expect["success"], expect["grade"])
    for beyond in (-1, 101):
        with pytest.raises(InvalidInputError, match=r"shows 0 to 99"):
            play(margin(50), TypedDice([beyond]))


@pytest.mark.rule("renaissance.check.skill_target", "renaissance.check.margin")
def test_skill_check_examples() -> None:
    for given, expect in examples("renaissance.check.skill_target"):
        target = given["COO"] + given["ranks"] + sum(given["modifiers"])
        assert target == expect["target"]
        result = play(margin(target), TypedDice([given["roll"]])).result
        assert result.succeeds is expect["success"]
        assert result.margin == expect["mos" if result.succeeds else "mof"]


@pytest.mark.rule("renaissance.check.resolve", "renaissance.check.target_limits")
@each_case("target", [-40, 0, 1, 37, 97, 98, 99, 250])
def test_chance_of_success(target: int) -> None:
    chance = odds(check(target)).chance(lambda grade: grade.succeeds)
    assert chance == Fraction(min(max(target, 0), 98) + 1, 100)
    assert play(check(target), TypedDice([0])).result is Grade.CRITICAL_SUCCESS
    assert play(check(target), TypedDice([99])).result is Grade.CRITICAL_FAILURE


@pytest.mark.rule("renaissance.grade.critical", "renaissance.grade.ladder", "renaissance.grade.normal")
def test_doubles_are_critical_and_outrank() -> None:
    doubles = [number for number in range(100) if number % DOUBLE == 0]
    assert doubles == list(LEDGER["renaissance.grade.critical"].data["doubles"])
    assert [grade.value for grade in Grade] == list(LEDGER["renaissance.grade.ladder"].data["grades"])
    for rolled in range(100):
        grade = judge(rolled, 60).grade
        assert (grade in (Grade.CRITICAL_SUCCESS, Grade.CRITICAL_FAILURE)) is (rolled in doubles)
    assert judge(44, 60).grade is Grade.CRITICAL_SUCCESS
    assert judge(83, 61).grade is Grade.NORMAL_FAILURE  # missed by 22, but no double was rolled


@pytest.mark.rule("renaissance.grade.exceptional", "renaissance.grade.exceptional_boundary")
def test_exceptional_margins() -> None:
    good, bad = Grade.EXCEPTIONAL_SUCCESS, Grade.EXCEPTIONAL_FAILURE
    for rolled, over, at_least in (
        (31, good, good),
        (30, Grade.NORMAL_SUCCESS, good),
        (91, bad, bad),
        (90, Grade.NORMAL_FAILURE, bad),
    ):
        assert (judge(rolled, 60).grade, judge(rolled, 60, "at_least").grade) == (over, at_least)
        assert play(check(60, "at_least"), TypedDice([rolled])).result is at_least
        assert play(margin(60, "at_least"), TypedDice([rolled])).result.grade is at_least


@pytest.mark.rule("renaissance.grade.critical_counts_as_exceptional")
def test_a_critical_result_serves_as_an_exceptional_one() -> None:
    assert counts_as_exceptional(Checked(Grade.CRITICAL_SUCCESS, 22), critical_counts=True)
    assert not counts_as_exceptional(Checked(Grade.CRITICAL_SUCCESS, 22), critical_counts=False)
    assert counts_as_exceptional(Checked(Grade.CRITICAL_SUCCESS, 33), critical_counts=False)
    assert counts_as_exceptional(Checked(Grade.EXCEPTIONAL_FAILURE, 1), critical_counts=False)
    assert not counts_as_exceptional(Checked(Grade.NORMAL_SUCCESS, 40), critical_counts=True)


@pytest.mark.rule("renaissance.grade.ladder")
@each_case("target", [0, 30, 61, 98])
@each_case("boundary", ["over", "at_least"])
def test_checks_against_all_rolls(target: int, boundary: Any) -> None:
    every = [judge(rolled, target, boundary) for rolled in range(100)]
    assert dict(odds(margin(target, boundary)).fractions()) == counted(every)
    assert dict(odds(check(target, boundary)).fractions()) == counted([checked.grade for checked in every])
    table = natural_grades(target, boundary)
    assert table == [natural_grade(rolled, target, boundary) for rolled in range(100)]


@pytest.mark.rule("renaissance.simple.check")
def test_a_simple_check_has_no_grades() -> None:
    assert odds(simple_check(40))[Quality.EXCEL] == Fraction(41, 100)
    assert play(simple_check(0), TypedDice([0])).result is Quality.EXCEL
    assert play(simple_check(200), TypedDice([99])).result is Quality.STUMBLE
    assert [quality.value for quality in Quality] == sorted(LEDGER["renaissance.simple.check"].data["outcomes"])[::-1]


# ---------------------------------------------------------------------- regrading


@pytest.mark.rule("renaissance.regrade.upgrade", "renaissance.regrade.downgrade", "renaissance.regrade.never_flips")
def test_upgrades_and_downgrades_as_listed() -> None:
    for regrade in (Regrade.UPGRADE, Regrade.DOWNGRADE):
        listed = LEDGER[f"renaissance.regrade.{regrade.value}"].data[regrade.value]
        for grade in Grade:
            changed = regraded(grade, regrade, "one_each_cancel", "to_exceptional")
            assert changed.value == listed[grade.value]
            assert changed.succeeds is grade.succeeds


@pytest.mark.rule("renaissance.regrade.downgrade_critical")
def test_grade_of_a_downgraded_critical_success() -> None:
    call = check(60, regrade=Regrade.DOWNGRADE)
    assert play(call, TypedDice([44])).result is Grade.EXCEPTIONAL_SUCCESS
    two_steps = check(60, regrade=Regrade.DOWNGRADE, downgrade_critical="to_normal")
    assert play(two_steps, TypedDice([44])).result is Grade.NORMAL_SUCCESS
    assert play(two_steps, TypedDice([31])).result is Grade.NORMAL_SUCCESS
    assert play(two_steps, TypedDice([61])).result is Grade.EXCEPTIONAL_FAILURE


@pytest.mark.rule("renaissance.regrade.limit", "renaissance.regrade.limit_option")
@each_case("grade", list(Grade))
def test_an_upgrade_and_a_downgrade_on_one_check(grade: Grade) -> None:
    def after(regrade: Regrade, limit: Any) -> Grade:
        return regraded(grade, regrade, limit, "to_exceptional")

    up_down, down_up = Regrade.UPGRADE_THEN_DOWNGRADE, Regrade.DOWNGRADE_THEN_UPGRADE
    assert after(up_down, "one_each_cancel") is after(down_up, "one_each_cancel") is grade
    assert after(up_down, "one_total") is after(Regrade.UPGRADE, "one_total")
    assert after(down_up, "one_total") is after(Regrade.DOWNGRADE, "one_total")


@pytest.mark.rule("renaissance.regrade.margins_unchanged")
@each_case("regrade", list(Regrade))
def test_a_regrade_leaves_the_margin_alone(regrade: Regrade) -> None:
    for rolled in (0, 21, 45, 66, 80, 99):
        changed = play(margin(60, regrade=regrade), TypedDice([rolled])).result
        assert changed.margin == judge(rolled, 60).margin


# ---------------------------------------------------------------------- two sides


@pytest.mark.rule("renaissance.opposed.resolve", "renaissance.opposed.different_skills")
def test_opposed_example() -> None:
    ((given, expect),) = examples("renaissance.opposed.resolve")
    targets = {side: given[side]["SOM"] + given[side]["ranks"] for side in ("a", "b")}
    assert targets == {side: expect[side]["target"] for side in ("a", "b")}
    rolls = [given["a"]["roll"], given["b"]["roll"]]
    assert play(opposed(targets["a"], targets["b"]), TypedDice(rolls)).result.value == expect["winner"]
    won = play(opposed_margin(targets["a"], targets["b"]), TypedDice(rolls)).result
    assert won == Won(Side.A, Grade.EXCEPTIONAL_SUCCESS, expect["a"]["mos"])
    loser = play(margin(targets["b"]), TypedDice([given["b"]["roll"]])).result
    assert (loser.succeeds, loser.margin) == (expect["b"]["success"], expect["b"]["mof"])


@pytest.mark.rule("renaissance.opposed.resolve")
def test_opposed_rerolls_ties_and_double_failures_and_ignores_grades() -> None:
    assert odds(opposed(60, 65))[Side.A] == Fraction(3904, 8613)
    assert odds(opposed(90, 75))[Side.A] == Fraction(1029, 1618)
    assert odds(opposed(60, 65)).again == Fraction(1387, 10000)
    assert play(opposed(60, 65), TypedDice([40, 40, 61, 66, 5, 6])).result is Side.B
    assert play(opposed(60, 65), TypedDice([0, 1])).result is Side.B  # a critical success on 0 loses to any other
    assert play(opposed_margin(60, 65), TypedDice([99, 99, 33, 12])).result == Won(Side.A, Grade.CRITICAL_SUCCESS, 33)
    at_least = play(opposed_margin(60, 65, "at_least"), TypedDice([70, 30])).result
    assert at_least == Won(Side.B, Grade.EXCEPTIONAL_SUCCESS, 30)


def winner(first: int, second: int, a: int, b: int) -> Side | None:
    """The rule said slowly, for a pair of rolls."""
    if first <= a and second <= b:
        return None if first == second else (Side.A if first > second else Side.B)
    if first > a and second > b:
        return None
    return Side.A if first <= a else Side.B


@pytest.mark.rule("renaissance.opposed.resolve")
@pytest.mark.parametrize(("a", "b"), [(60, 65), (0, 98), (0, 0), (120, 20), (33, 33)])
def test_opposed_against_all_rolls(a: int, b: int) -> None:
    low, high = limited(a), limited(b)
    expected = counted([winner(first, second, low, high) for first, second in PAIRS])
    assert dict(odds(opposed(a, b)).fractions()) == expected
    won = [
        Won(side, judge(rolled, rolled).grade, rolled)
        for first, second in PAIRS
        if (side := winner(first, second, low, high))
        for rolled in [first if side is Side.A else second]
    ]
    assert dict(odds(opposed_margin(a, b)).fractions()) == counted(won)


@pytest.mark.rule("renaissance.opposed.ordered", "renaissance.opposed.ordered_first_failure")
@each_case(("a", "b"), [(60, 65), (20, 90), (0, 0)])
def test_ordered_checks_against_all_rolls(a: int, b: int) -> None:
    at_once = [Side.B if first > a else winner(first, second, a, b) for first, second in PAIRS]
    assert dict(odds(ordered(a, b)).fractions()) == counted(at_once)
    assert odds(ordered(a, b, "reroll")) == odds(opposed(a, b))


@pytest.mark.rule("renaissance.opposed.ordered")
def test_the_second_side_rolls_only_if_needed() -> None:
    for rolled, won in (([61], Side.B), ([40, 66], Side.A), ([40, 40, 40, 39], Side.A)):
        assert play(ordered(60, 65), TypedDice(rolled)).result is won
    assert play(ordered(60, 65, "reroll"), TypedDice([61, 66, 61, 2])).result is Side.B


@pytest.mark.rule("renaissance.opposed.variable")
@pytest.mark.parametrize(("a", "b"), [(60, 65), (20, 90), (0, 0)])
def test_variable_checks_against_all_rolls(a: int, b: int) -> None:
    def outcome(first: int, second: int) -> Variable | None:
        if first <= a and second <= b:
            return Variable.BOTH_PARTIAL
        if first > a and second > b:
            return None
        return Variable.A_WINS if first <= a else Variable.B_WINS

    assert dict(odds(variable(a, b)).fractions()) == counted([outcome(*pair) for pair in PAIRS])
    assert {result.value for result in Variable} == set(LEDGER["renaissance.opposed.variable"].data["outcomes"])
    assert play(variable(60, 65), TypedDice([61, 66, 10, 5])).result is Variable.BOTH_PARTIAL


# ---------------------------------------------------------------------- luck


@pytest.mark.rule("renaissance.luck.flip")
def test_flipping() -> None:
    ((given, expect),) = examples("renaissance.luck.flip")
    assert flipped(given["roll"]) == expect["flipped"]
    assert [flipped(flipped(rolled)) for rolled in range(100)] == list(range(100))
    assert all((flipped(rolled) % DOUBLE == 0) is (rolled % DOUBLE == 0) for rolled in range(100))
    played = play(lucky_margin(60, 1), TypedDice([94]), choosing("flip"))
    assert played.result == (Grade.EXCEPTIONAL_SUCCESS, 49, 1)


@pytest.mark.rule("renaissance.luck.limit", "renaissance.luck.flip", "renaissance.luck.upgrade")
@pytest.mark.parametrize("target", [18, 50, 80])
def test_three_points_on_one_check(target: int) -> None:
    ((given, expect),) = examples("renaissance.luck.limit")
    call = lucky_check(target - 20, 3, penalties=20)
    after_flip = play(call, TypedDice([given["roll"]]), choosing("yes", "flip")).result
    assert after_flip == Lucky(Grade(expect["grade_after_flip"]), 2)
    final = play(call, TypedDice([given["roll"]]), choosing("yes", "flip and upgrade")).result
    assert final == Lucky(Grade(expect["final_grade"]), expect["points_spent"])


@pytest.mark.rule("renaissance.strike.luck", "renaissance.luck.upgrade")
def test_an_upgrade_supplies_the_exceptional_grade_of_a_strike() -> None:
    ((given, expect),) = examples("renaissance.strike.maim")
    call = lucky_margin(expect["attack_target"], 1)
    natural = play(call, TypedDice([given["attack_roll"]])).result
    upgraded = play(call, TypedDice([given["attack_roll"]]), choosing("upgrade")).result
    assert natural == (Grade(expect["natural_grade"]), given["attack_roll"], 0)
    assert upgraded == (Grade(expect["final_grade"]), given["attack_roll"], 1)


@pytest.mark.rule("renaissance.luck.ignore_penalties")
def test_ignoring_penalties_raises_the_target_before_the_roll() -> None:
    call = lucky_check(30, 1, penalties=40, luck_per_check=1)
    assert play(call, TypedDice([65]), choosing("yes")).result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    assert play(call, TypedDice([65]), choosing("no", "keep the result")).result.grade is Grade.EXCEPTIONAL_FAILURE
    advice = advise(call)
    assert {worth.id: worth.value for worth in advice.choices[0].options}["yes"] == Fraction(71, 100)


@pytest.mark.rule("renaissance.luck.limit")
@each_case(("luck", "limit", "most"), [(3, None, 3), (3, 1, 1), (2, None, 2), (0, None, 0), (1, 20, 1)])
def test_number_of_points_on_one_check(luck: int, limit: int | None, most: int) -> None:
    exact = odds(lucky_check(40, luck, 20, limit), lambda result: result.spent)
    assert max(result.spent for result in exact) == most


@pytest.mark.rule("renaissance.regrade.limit", "renaissance.luck.upgrade")
def test_luck_upgrades_a_check_once() -> None:
    assert LuckUse.UPGRADE not in uses_of_luck(3, Regrade.UPGRADE, can_flip=True)
    downgraded = lucky_check(60, 1, regrade=Regrade.DOWNGRADE)
    assert play(downgraded, TypedDice([45])).result == Lucky(Grade.NORMAL_SUCCESS, 0)
    assert play(downgraded, TypedDice([45]), choosing("upgrade")).result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    only_first = lucky_check(60, 1, regrade=Regrade.DOWNGRADE, regrade_limit="one_total")
    assert play(only_first, TypedDice([45]), choosing("upgrade")).result == Lucky(Grade.NORMAL_SUCCESS, 1)


@pytest.mark.rule("renaissance.luck.flip", "renaissance.luck.upgrade", "renaissance.luck.ignore_penalties")
@each_case("objective", list(LUCK_OBJECTIVES))
@each_case(
    "arguments",
    [
        (50, 0, 20),
        (50, 1, 0),
        (50, 1, 20),
        (35, 3, 30),
        (60, 2, 10, 1),
        (60, 2, 0, None, "at_least", Regrade.DOWNGRADE),
    ],
)
def test_luck_with_and_without_the_margin(arguments: Any, objective: str) -> None:
    exact = odds(lucky_margin(*arguments), objective)
    narrow = odds(lucky_check(*arguments), objective)
    assert exact.map(lambda result: Lucky(result.grade, result.spent)) == narrow


# ---------------------------------------------------------------------- properties and declarations


@hypothesis.settings(deadline=None, max_examples=25)
@hypothesis.given(st.integers(-20, 120), st.integers(-20, 120))
def test_more_skill_is_never_worse_and_a_mirror_match_is_even(a: int, b: int) -> None:
    def wins(call: Call[Side]) -> Fraction:
        exact = odds(call)
        assert sum(chance for _, chance in exact.fractions()) == 1
        return exact[Side.A]

    assert wins(opposed(a + 1, b)) >= wins(opposed(a, b)) >= wins(opposed(a, b + 1))
    assert wins(ordered(a + 1, b)) >= wins(ordered(a, b))
    assert wins(opposed(a, b)) + wins(opposed(b, a)) == 1
    assert wins(opposed(a, a)) == Fraction(1, 2)
    luck = [odds(lucky_check(a, points, 10)).chance(lambda result: result.grade.succeeds) for points in range(4)]
    assert luck == sorted(luck)


def test_every_mechanic_says_what_it_does() -> None:
    assert set(MECHANICS) <= set(system.mechanics)
    for mechanic in system.mechanics:
        assert set(mechanic.rules) <= set(LEDGER), mechanic.name
        assert mechanic.documentation


def test_every_option_of_the_ledger_is_a_setting() -> None:
    options = {rule.data["option"]: rule for rule in LEDGER.values() if rule.data and "option" in rule.data}
    described = {one.name: one for one in RenaissanceOptions.describe()}
    assert set(options) == set(described)
    for name, one in described.items():
        rule = options[name]
        assert (one.rule, one.default) == (rule.id, rule.data["default"])
        values = {str(value).lower() for value in rule.data["values"]}
        if one.choices:
            assert values == {str(value).lower().replace("none", "null") for value in one.choices}
        else:
            assert all(one.low <= int(value) <= one.high for value in values)  # type: ignore[operator]


def test_arguments_come_from_text() -> None:
    call = lucky_check.read({"target": "50", "luck": 2, "luck_per_check": "1", "regrade": "downgrade"})
    assert call == lucky_check(50, 2, luck_per_check=1, regrade=Regrade.DOWNGRADE)
    assert odds(success_margin(10))[-1] == Fraction(89, 100)
