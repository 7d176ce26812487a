"""Pools and result points: worked examples, boundaries, every option."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from systems.opend6.people import LEDGER, C
from systems.playing import choosing
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.checks import (
    assisted,
    attempt,
    body_points,
    check,
    group_roll,
    improved_check,
    new_die,
    result_points,
    total,
    upper_limit,
)
from tablewright.systems.opend6.mechanics.dice import (
    NotPossible,
    PointDice,
    SecondChance,
    WildRoll,
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
from tablewright.systems.opend6.values import CriticalFailure, DieCode, simplified


@pytest.mark.rule("opend6.fate.double", "opend6.fate.order")
def test_fate_doubles_before_penalties_and_bonuses() -> None:
    assert assembled(C("4D+2"), factor=2) == DieCode(8, 4)
    assert assembled(C("4D+2")) == DieCode(4, 2)
    assert assembled(C("4D+1"), factor=2, penalty=1, bonus=C("1D")) == DieCode(8, 2)
    assert assembled(C("1D"), factor=2, penalty=1) == DieCode(1)  # the penalty is not doubled, and comes after


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_outside_bonuses_are_added_once() -> None:
    assert assembled(C("3D+1"), factor=2, bonus=C("2D+1")) == DieCode(8, 3)


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
def test_smallest_rest_of_a_code() -> None:
    bonus = C("2D")
    gone = assembled(C("1D+2"), penalty=1, bonus=bonus)
    assert isinstance(gone, NotPossible)
    assert gone.rule == "opend6.map.zero_rule"
    with pytest.raises(IllegalActionError, match="zero_rule"):
        demanded(gone)
    assert assembled(C("1D+2"), penalty=1, bonus=bonus, zero_rule="net_pool_below_1d") == DieCode(2, 2)
    assert isinstance(assembled(C("1D+2"), penalty=1, zero_rule="net_pool_below_1d"), NotPossible)
    assert assembled(C("1D+2"), penalty=2, bonus=bonus, zero_rule="net_pool_below_1d") == DieCode(1, 2)
    assert assembled(C("1D+2"), penalty=1, zero_rule="exactly_zero") == DieCode(0, 2)
    assert isinstance(assembled(C("1D"), penalty=1, zero_rule="exactly_zero"), NotPossible)
    assert isinstance(assembled(C("1D+2"), penalty=2, zero_rule="exactly_zero"), NotPossible)
    assert play(total(DieCode(0, 2), bare_pips=True), TypedDice([])).result == 2
    assert play(check(DieCode(0, 2), 2, bare_pips=True), TypedDice([])).result.success


@pytest.mark.rule("opend6.prepare.bonus")
def test_taking_longer() -> None:
    table = LEDGER["opend6.prepare.bonus"].data["bonus_dice_by_time_factor"]
    assert {str(factor): prepared_dice(int(factor)) for factor in table} == dict(table)
    assert [prepared_dice(factor) for factor in (1, 3, 7, 16)] == [0, 1, 2, 3]


@pytest.mark.rule("opend6.rush.difficulty", "opend6.rush.limits")
def test_hurrying() -> None:
    for step in LEDGER["opend6.rush.difficulty"].data["steps"]:
        left = 1 - Fraction(step["time_saved_percent"], 100)
        assert rushed_difficulty(left) == step["difficulty"]
    assert rushed_difficulty(Fraction(30, 60)) == 10
    assert [rushed_difficulty(Fraction(percent, 100)) for percent in (100, 90, 75, 74, 70, 50, 49, 25)] == [
        0, 5, 5, 10, 10, 10, 20, 20,
    ]  # fmt: skip
    refused = rushed_difficulty(Fraction(24, 100))
    assert isinstance(refused, NotPossible)
    assert refused.rule == "opend6.rush.limits"


@pytest.mark.rule("opend6.related.modifier")
def test_the_related_modifier() -> None:
    for example in LEDGER["opend6.related.modifier"].examples:
        points = example["given"]["related_result_points"]
        assert related_modifier(points) == example["expect"]["primary_total_modifier"]
    assert [related_modifier(points) for points in (-3, -2, -1, 0, 1, 2, 3, 9)] == [-2, -1, -1, 1, 1, 1, 2, 5]


@pytest.mark.rule("opend6.result.half_bonus", "opend6.result.fifth_damage")
def test_halves_and_fifths() -> None:
    assert [half_bonus(points) for points in (-4, -1, 0, 1, 2, 3, 10)] == [0, 0, 0, 1, 1, 2, 5]
    assert [fifth_bonus(points) for points in (-4, -1, 0, 1, 5, 6, 10, 11)] == [0, 0, 0, 1, 1, 2, 2, 3]


@pytest.mark.rule("opend6.gap.difficulty.breaking_a_fall")
def test_breaking_a_fall() -> None:
    assert [broken_fall(points) for points in (-1, 0, 4, 5, 9, 10)] == [0, 1, 1, 2, 2, 3]


@pytest.mark.rule("opend6.special.wild_die_only")
def test_when_the_wild_die_alone_is_suggested() -> None:
    assert suggests_wild_die_only(C("5D+2"), 7)
    assert not suggests_wild_die_only(C("5D+2"), 8)


@pytest.mark.rule("opend6.retry.consequences")
def test_second_chances_after_a_failure() -> None:
    none, cancel, mishap = CriticalFailure.NONE, CriticalFailure.CANCEL, CriticalFailure.COMPLICATION
    assert second_chance(-5, none, "consequences") is SecondChance.HARDER
    assert second_chance(-6, none, "consequences") is SecondChance.TIME_OR_HELP
    assert second_chance(-6, cancel, "consequences") is second_chance(-9, mishap, "consequences")
    assert second_chance(-6, cancel, "consequences") is SecondChance.LOCKED_OUT
    assert second_chance(-5, cancel, "consequences") is SecondChance.HARDER  # a small one stays small
    assert second_chance(-5, none, "consequences", small_shortfall=4) is SecondChance.TIME_OR_HELP
    outcomes = LEDGER["opend6.retry.consequences"].data["outcomes"]
    assert [one.value for one in list(SecondChance)[1:]] == list(outcomes)


@pytest.mark.rule("opend6.retry.free")
def test_tasks_that_may_simply_be_tried_again() -> None:
    assert second_chance(-40, CriticalFailure.CANCEL, "next_turn") is SecondChance.NEXT_TURN


@pytest.mark.rule("opend6.gap.dice.simplification")
@pytest.mark.parametrize(("dice", "bonuses"), LEDGER["opend6.gap.dice.simplification"].data["rows"].items())
def test_the_rows_of_the_simplification_chart(dice: str, bonuses: Any) -> None:
    code = DieCode(int(dice), 1)
    assert simplified(code, "five_dice") == (DieCode(5, 1), bonuses[0])
    assert simplified(code, "wild_die_only") == (DieCode(1, 1), bonuses[1])


@pytest.mark.rule("opend6.gap.dice.cancel")
def test_the_one_and_the_highest_die_are_taken_away() -> None:
    assert play(total(C("4D")), TypedDice([1, 5, 2, 3])).result == 5


# ---------------------------------------------------------------------- mechanics of several steps


@pytest.mark.rule("opend6.related.procedure", "opend6.related.modifier", "opend6.related.assist")
def test_a_related_skill_helps_or_hinders_the_primary_one() -> None:
    call = assisted(C("2D"), 5, C("2D"), 8)
    assert play(call, TypedDice([4, 5, 3, 3])).result.success  # 9 against 5: +2, and 6 + 2 reaches 8
    assert not play(call, TypedDice([2, 2, 4, 3])).result.success  # 4 against 5: -1, and 7 - 1 misses 8
    related, primary = odds(result_points(C("2D"), 5)), odds(total(C("2D")))
    exact = sum(
        [
            one * other
            for points, one in related.fractions()
            for shown, other in primary.fractions()
            if shown + related_modifier(points.result_points) >= 8
        ],
        start=Fraction(0),
    )
    assert odds(call).chance(lambda checked: checked.success) == exact


@pytest.mark.rule("opend6.group.single_roll")
def test_one_roll_against_every_difficulty() -> None:
    call = group_roll(C("3D"), (5, 10, 15), bonus=1)
    assert play(call, TypedDice([4, 3, 2])).result.successes == (True, True, False)
    assert play(group_roll(C("3D"), (10,)), TypedDice([4, 3, 2])).result.successes == (False,)
    exact = odds(call)
    for place, difficulty in enumerate((5, 10, 15)):
        alone = odds(check(C("3D"), difficulty, 1)).chance(lambda checked: checked.success)
        reached = sum([chance for grouped, chance in exact.fractions() if grouped.successes[place]], start=Fraction(0))
        assert reached == alone


@pytest.mark.rule("opend6.gap.creation.body_points")
def test_body_points_are_a_physique_roll_and_twenty() -> None:
    assert play(body_points(C("3D+1")), TypedDice([1, 4, 6])).result == 32
    assert play(body_points(C("3D+1"), 2), TypedDice([6, 2, 1, 1])).result == 33
    assert play(new_die(), TypedDice([1])).result == 1


@pytest.mark.rule("opend6.gap.advancement.upper_limit")
def test_the_upper_limit_is_rolled_with_four_dice() -> None:
    assert play(upper_limit(C("2D")), TypedDice([3, 2, 1, 1, 2, 3])).result is True  # 7 against 5
    assert play(upper_limit(C("2D")), TypedDice([2, 1, 1, 1, 2, 3])).result is True  # a tie improves
    assert play(upper_limit(C("2D")), TypedDice([2, 1, 1, 1, 3, 3])).result is False
    assert odds(upper_limit(C("4D+1")))[True] < odds(upper_limit(C("3D")))[True]
    assert odds(upper_limit(C("3D"), critical_failure="ask"))[True] == odds(upper_limit(C("3D")))[True]


# ---------------------------------------------------------------------- points by choice


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


@pytest.mark.rule("opend6.fate.double", "opend6.fate.timing")
@pytest.mark.parametrize(("code", "difficulty", "points"), [("3D", 15, 2), ("2D+1", 20, 1), ("4D", 10, 0)])
def test_fate_or_character_points_by_all_that_can_be_done(code: str, difficulty: int, points: int) -> None:
    own = C(code)
    doubled = DieCode(2 * own.dice, 2 * own.pips)
    told = advise(attempt(own, difficulty, (doubled,), points), "success").choices[0].options
    plain = odds(improved_check(own, difficulty, points)).chance(lambda result: result.success)
    fated = odds(check(doubled, difficulty)).chance(lambda result: result.success)
    assert {one.id: one.value for one in told} == {"0": plain, "1": fated}


@pytest.mark.rule("opend6.points.no_mixing")
def test_mixing_is_never_worse() -> None:
    def chance(mixing: bool) -> Fraction:
        return odds(attempt(C("3D"), 25, (C("6D"),), 2, allow_mixing=mixing)).chance(lambda result: result.success)

    assert chance(True) > chance(False)


@pytest.mark.rule("opend6.fate.timing")
def test_only_with_fate_where_nothing_else_is_left() -> None:
    only = attempt(None, 5, (C("1D"),))
    assert odds(only).chance(lambda result: result.success) == odds(check(C("1D"), 5)).chance(lambda one: one.success)
    assert all(result.fate_points == 1 for result in odds(only))
    with pytest.raises(IllegalActionError, match="zero_rule"):
        odds(attempt(None, 5))


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize(("code", "difficulty", "points"), [("2D", 9, 2), ("3D+1", 15, 3), ("4D", 26, 5)])
def test_an_attempt_without_fate_is_an_improved_check(code: str, difficulty: int, points: int) -> None:
    whole = odds(attempt(C(code), difficulty, (), points)).chance(lambda result: result.success)
    assert whole == odds(improved_check(C(code), difficulty, points)).chance(lambda result: result.success)


@pytest.mark.rule("opend6.cp.timing")
@hypothesis.settings(deadline=None, max_examples=15)
@hypothesis.given(st.integers(1, 4), st.integers(1, 25), st.integers(0, 3))
def test_advice_about_fate_is_the_better_of_both(dice: int, difficulty: int, points: int) -> None:
    call = attempt(DieCode(dice), difficulty, (DieCode(2 * dice),), points)
    without = odds(attempt(DieCode(dice), difficulty, (), points)).chance(lambda result: result.success)
    doubled = odds(check(DieCode(2 * dice), difficulty)).chance(lambda result: result.success)
    first = advise(call).choices[0]
    assert [worth.value for worth in first.options] == [without, doubled]
    assert odds(call).chance(lambda result: result.success) == max(without, doubled)


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize("mechanic", [improved_check, attempt])
def test_questions_do_not_depend_on_a_secret_difficulty(mechanic: Any) -> None:
    """The same dice and answers, another difficulty: the same questions and the same dice, only the outcome differs."""

    def asked(difficulty: int, assumed: int | None) -> list[str]:
        questions: list[str] = []

        def answer(question: Any) -> int:
            questions.append(f"{question.question} {question.ids}")
            return 1 if "another" in question.question else 0

        call = mechanic.read(
            {"code": "3D", "difficulty": difficulty, "character_points": 3, **({"assumed": assumed} if assumed else {})}
        )
        played = play(call, TypedDice([3, 4, 5, 2, 1, 5] if assumed is None else [3, 4, 5, 2]), answer)
        shown = [str(step) for step in played.trace.steps if "rolled" in str(step)]
        return [*questions, *shown]

    assert asked(9, None) == asked(30, None)
    assert asked(9, 13) == asked(30, 13)
    assert len(asked(9, None)) > len(asked(9, 13))  # with 12 one more point reaches what is assumed, and it ends there


@pytest.mark.rule("opend6.cp.timing")
def test_points_are_spent_for_what_is_assumed() -> None:
    careless = odds(attempt(C("3D"), 20, (), 5, assumed=10), "thrifty_success")
    knowing = odds(attempt(C("3D"), 20, (), 5), "thrifty_success")
    assert careless.chance(lambda one: one.success) < knowing.chance(lambda one: one.success)
    assert careless.chance(lambda one: one.hoped) > careless.chance(lambda one: one.success)
    assert all(one.hoped == one.success for one in knowing)


def test_dice_show_everything_that_was_thrown_whatever_odds_look_at() -> None:
    def thrown(faces: list[int]) -> Any:
        typed = TypedDice(faces)
        return typed.face

    assert PointDice(1, 5).read(thrown([6, 4])) == 10
    assert WildRoll(2, 0, 5).read(thrown([6, 2, 3, 4])) == (15, False, 15)
    assert WildRoll(2, 0, 5).read(thrown([1, 6, 4])) == (11, True, 4)
