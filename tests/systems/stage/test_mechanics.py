"""The checks of The Stage: worked examples, boundaries, every option, and all rolls tried out one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.playing import choosing, counted, examples
from systems.stage.people import refused
from tablewright.dice import SeededDice, TypedDice
from tablewright.engine import Choice, advise, odds, play
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.mechanics.checks import (
    FlatResult,
    LeveledResult,
    OpposedLeveledResult,
    OpposedResult,
    SetResult,
    flat,
    leveled,
    leveled_split,
    opposed,
    opposed_leveled,
    opposed_split,
    set_difficulty,
)
from tablewright.systems.stage.options import BotchScope, EmptySecondRoll, FlatPenaltyRoll, StageOptions

LEDGER = Ledger.load("stage")


def rolls(dice: int) -> Iterator[tuple[int, ...]]:
    """Every roll of so many six-sided dice."""
    return product(range(1, 7), repeat=dice)


def chances(dist: Any) -> dict[Any, Fraction]:
    return dict(dist.fractions())


# ---------------------------------------------------------------------- checks in one roll


@pytest.mark.rule("stage.check.flat", "stage.check.basic")
def test_a_result_of_the_difficulty_succeeds() -> None:
    for given, expected in examples("stage.check.basic"):
        played = play(flat(2, given["difficulty"]), TypedDice([6, given["result"] - 6]))
        assert played.result.success is expected["success"]
    ((given, expected),) = examples("stage.check.flat")
    assert given["dice_total"] == 3 + 5
    picked = flat(given["skill_level"], given["lock_complexity"])
    assert play(picked, TypedDice([3, 5])).result == FlatResult(expected["success"], False)
    assert not play(picked, TypedDice([3, 4])).result.success


@pytest.mark.rule("stage.dice.notation", "stage.check.flat")
def test_the_whole_pool_of_six_sided_dice_is_added_up() -> None:
    for dice, modifier, difficulty in [(1, 0, 4), (2, 1, 8), (3, -2, 10), (4, 0, 14)]:
        reached = counted(FlatResult(sum(faces) + modifier >= difficulty, False) for faces in rolls(dice))
        assert chances(odds(flat(dice, difficulty, modifier))) == reached


@pytest.mark.rule("stage.check.minimum")
def test_a_pool_has_a_die_and_a_result_is_at_least_one() -> None:
    (level_example, result_example) = examples("stage.check.minimum")
    assert level_example[1]["pool"] == "1d"
    pool = level_example[0]["level"] - level_example[0]["penalty_dice"]
    assert odds(flat(pool, 4)) == odds(flat(1, 4)) == odds(flat(0, 4))
    assert odds(leveled(pool, 4)) == odds(leveled(1, 4))
    rolled, penalty = result_example[0]["dice_total"], result_example[0]["flat_penalty"]
    assert play(set_difficulty(1, -penalty), TypedDice([rolled])).result.result == result_example[1]["result"]
    assert odds(flat(2, 1, -60))[FlatResult(True, False)] == 1
    assert odds(flat(2, 2, -60))[FlatResult(False, False)] == 1


@pytest.mark.rule("stage.check.botch")
@pytest.mark.parametrize("botch_fails", [True, False])
def test_an_untrained_roll_with_a_one_is_a_botch(botch_fails: bool) -> None:
    def by_hand(faces: tuple[int, ...], modifier: int, difficulty: int) -> FlatResult:
        botch = 1 in faces
        reached = sum(faces) + modifier >= difficulty
        return FlatResult(False if botch and botch_fails else reached, botch)

    for dice, modifier, difficulty in [(1, 0, 1), (1, 3, 4), (2, 0, 6), (3, 2, 9)]:
        expected = counted(by_hand(faces, modifier, difficulty) for faces in rolls(dice))
        assert chances(odds(flat(dice, difficulty, modifier, True, botch_fails))) == expected
    assert not odds(flat(1, 6)).chance(lambda result: result.botch)


# ---------------------------------------------------------------------- checks in two rolls


@pytest.mark.rule("stage.check.leveled_example", "stage.check.leveled")
@pytest.mark.rule("stage.check.types", "stage.check.procedure")
def test_the_second_roll_is_made_only_after_a_success() -> None:
    data = LEDGER["stage.check.types"].data["leveled"]
    assert (data["rolls"], data["second_roll_only_on_success"]) == (2, True)
    ((given, expected),) = examples("stage.check.leveled_example")
    assert given["first_dice_total"] == 5 + 6
    call = leveled(given["skill_level"], given["difficulty"], penalties=(given["flat_penalty_first"],))
    first_dice = str(given["split"][0])
    played = play(call, TypedDice([5, 6]), choosing(first_dice))
    assert played.result == LeveledResult(expected["success"], 0, False)
    assert expected["second_roll_made"] is False
    refused("left over: 2", play, call, TypedDice([5, 6, 2]), choosing(first_dice))
    assert expected["first_result"] == given["difficulty"] - 1  # so one point more is a success
    assert play(call, TypedDice([6, 6, 4]), choosing(first_dice)).result == LeveledResult(True, 4, False)


@pytest.mark.rule("stage.check.leveled", "stage.check.distribution")
@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_every_split_is_worth_what_all_rolls_say(dice: int) -> None:
    for difficulty in (1, 5, 9, 14):
        advice = advise(leveled(dice, difficulty))
        (situation,) = advice.choices
        assert (advice.objective, situation.question) == ("effect", "dice for the first roll")
        assert [option.option for option in situation.options] == list(range(1, dice + 1))  # never 0 on the first roll
        for option in situation.options:
            first = option.option
            effects = [
                (sum(faces[first:]) if first < dice else 1) if sum(faces[:first]) >= difficulty else 0
                for faces in rolls(dice)
            ]
            assert option.value == Fraction(sum(effects), len(effects))
        assert advice.value == max([option.value for option in situation.options]) == situation.best.value


@pytest.mark.rule("stage.check.leveled", "stage.check.minimum")
@pytest.mark.parametrize(
    ("option", "modifier", "effect"),
    [("fixed_one", 3, 1), ("fixed_one", -3, 1), ("one_plus_flat", 3, 4), ("one_plus_flat", -3, 1)],
)
def test_a_second_roll_gives_at_least_one_even_without_dice(
    option: EmptySecondRoll, modifier: int, effect: int
) -> None:
    assert option in get_args(EmptySecondRoll)
    call = leveled_split(2, 0, 0, modifier, 2, empty_second_roll=option)
    assert chances(odds(call)) == {LeveledResult(True, effect, False): 1}
    assert play(leveled_split(1, 1, -9, -9, 1), TypedDice([2, 3])).result == LeveledResult(True, 1, False)


@pytest.mark.rule("stage.check.botch")
def test_only_the_roll_against_the_difficulty_can_botch() -> None:
    split = leveled_split(1, 1, 0, 0, 2, untrained=True)
    assert play(split, TypedDice([3, 1])).result == LeveledResult(True, 1, False)
    assert play(split, TypedDice([1])).result == LeveledResult(False, 0, True)
    may_succeed = leveled_split(1, 1, 4, 0, 2, untrained=True, botch_fails=False)
    assert play(may_succeed, TypedDice([1, 6])).result == LeveledResult(True, 6, True)


@pytest.mark.rule("stage.check.distribution", "stage.equipment.bonus")
def test_free_bonuses_go_whole_on_either_roll() -> None:
    call = leveled(3, 9, bonuses=(1, 2))
    first, second = (
        play(call, TypedDice(faces), choosing("2", on)) for faces, on in [([4, 3, 5], "2"), ([4, 5, 5], "0")]
    )
    assert first.result == LeveledResult(True, 5 + 1, False)
    assert second.result == LeveledResult(True, 5 + 3, False)
    advice = advise(call)
    assert [option.option for option in advice.choices[1].options] == [0, 1, 2, 3]
    assert [option.option for option in advise(leveled(3, 9, bonuses=(2, 2))).choices[1].options] == [0, 2, 4]
    best = max(
        odds(leveled_split(first, 3 - first, on, 3 - on, 9)).expected(lambda result: result.effect)
        for first in (1, 2, 3)
        for on in (0, 1, 2, 3)
    )
    assert advice.value == best


@pytest.mark.rule("stage.check.distribution")
def test_places_of_free_penalties() -> None:
    split = {
        option: [leveled_split(first, 4 - first, -on, on - 3, 8) for first in (1, 2, 3, 4) for on in places]
        for option, places in {"first": [3], "second": [0], "player": [0, 1, 2, 3]}.items()
    }
    assert set(split) == set(get_args(FlatPenaltyRoll))
    for option, calls in split.items():
        call = leveled(4, 8, penalties=(1, 2), flat_penalty_roll=option)
        best = max(odds(fixed).expected(lambda result: result.effect) for fixed in calls)
        assert advise(call).value == best
        assert len(advise(call).choices) == (2 if option == "player" else 1)


def test_more_free_modifiers_than_anybody_has_are_refused() -> None:
    refused("11 flat modifiers are free", odds, leveled(3, 9, bonuses=(1,) * 11))


# ---------------------------------------------------------------------- against another character


@pytest.mark.rule("stage.opposed.basic")
def test_arlef_sneaks_past_the_guard() -> None:
    ((given, expected),) = examples("stage.opposed.basic")
    assert (given["setter_pool"], given["setter_result"]) == ("3d", 3 + 3 + 4)
    assert play(set_difficulty(3), TypedDice([3, 3, 4])).result == SetResult(expected["difficulty"], False)
    guard = opposed(1, 3)
    assert play(guard, TypedDice([3, 3, 4, given["roller_result"]])).result.success is expected["roller_success"]
    assert play(opposed(2, 3), TypedDice([3, 3, 4, 5, 5])).result.success  # a tie goes to the one who rolls against it


def opposed_by_hand(
    own: tuple[int, ...], against: tuple[int, ...], modifiers: tuple[int, int, int], rules: Mapping[str, Any]
) -> OpposedResult:
    modifier, opposing_modifier, bonus = modifiers
    opposing_botch = rules["opposing_untrained"] and rules["botch_scope"] == "any_check" and 1 in against
    made = 1 if opposing_botch and rules["botch_fails"] else max(1, sum(against) + opposing_modifier)
    botch = rules["untrained"] and 1 in own
    reached = max(1, sum(own) + modifier) >= max(1, made + bonus)
    return OpposedResult(reached and not (botch and rules["botch_fails"]), botch, opposing_botch)


@pytest.mark.rule("stage.opposed.basic", "stage.check.botch", "stage.check.minimum")
@each_case("botch_scope", get_args(BotchScope))
@each_case("botch_fails", [True, False])
@each_case("untrained", [True, False])
@each_case("opposing_untrained", [True, False])
def test_opposed_checks_as_all_rolls_say(**rules: Any) -> None:
    for dice, opposing, modifiers in [(1, 1, (0, 0, 0)), (2, 1, (-3, 0, 3)), (2, 2, (1, -4, -2))]:
        by_hand = counted(
            opposed_by_hand(own, against, modifiers, rules) for own in rolls(dice) for against in rolls(opposing)
        )
        assert chances(odds(opposed(dice, opposing, *modifiers, **rules))) == by_hand


@pytest.mark.rule("stage.attack.procedure", "stage.opposed.basic")
def test_the_split_is_fixed_before_the_defender_rolls() -> None:
    played = play(opposed_leveled(4, 2, difficulty_bonus=3), TypedDice([2, 3, 4, 4, 1, 6]), choosing("2"))
    assert played.record == ("2", (2, 3), (4, 4), (1, 6))
    assert played.result == OpposedLeveledResult(True, 7, False, False)
    (situation,) = advise(opposed_leveled(4, 2)).choices
    assert situation.given == ()  # nothing is known when the pool is split


@pytest.mark.rule("stage.attack.procedure", "stage.check.leveled")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_splits_against_an_unknown_difficulty_as_all_rolls_say(dice: int) -> None:
    (situation,) = advise(opposed_leveled(dice, 2, second=1)).choices
    for option in situation.options:
        first = option.option
        effects = [
            (sum(faces[first:]) + 1 if first < dice else 1) if sum(faces[:first]) >= sum(against) else 0
            for faces in rolls(dice)
            for against in rolls(2)
        ]
        assert option.value == Fraction(sum(effects), len(effects))
        assert option.value == odds(opposed_split(first, dice - first, 0, 1, 2)).expected(lambda result: result.effect)


@pytest.mark.rule("stage.check.botch")
def test_botches_on_both_sides_of_an_opposed_check_in_two_rolls() -> None:
    call = opposed_split(
        1, 0, 9, 0, 1, untrained=True, opposing_untrained=True, botch_fails=False, botch_scope="any_check"
    )
    assert play(call, TypedDice([1, 1])).result == OpposedLeveledResult(True, 1, True, True)
    assert play(call, TypedDice([4, 2])).result == OpposedLeveledResult(True, 1, False, False)


# ---------------------------------------------------------------------- declarations


@pytest.mark.rule("stage.option.index")
def test_options_are_those_of_the_ledger() -> None:
    index = {row["option"]: row for row in LEDGER["stage.option.index"].data}
    words = {"true": True, "false": False}
    described = {one.name: (one.rule, one.default) for one in StageOptions.describe()}
    assert described == {name: (row["rule"], words.get(row["default"], row["default"])) for name, row in index.items()}


@pytest.mark.rule("stage.check.distribution")
@pytest.mark.parametrize(("pool", "first"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_without_a_word_half_of_the_dice_go_on_the_first_roll(pool: int, first: int) -> None:
    asked: list[Choice[Any]] = []

    def usual(ask: Choice[Any]) -> int:
        asked.append(ask)
        return ask.default

    play(leveled(pool, 1), SeededDice(1), usual)
    assert [one.options[one.default] for one in asked] == [first]
