"""The rolls of OpenD6: worked examples with typed dice, every option, and all rolls tried out one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.opend6.people import LEDGER, C
from systems.playing import choosing
from tablewright.dice import Dist, TypedDice
from tablewright.engine import Call, Playthrough, advise, odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.opend6.mechanics.checks import (
    Side,
    check,
    improved_check,
    opposed,
    result_points,
    roll,
    total,
    wild_die_only,
)
from tablewright.systems.opend6.mechanics.dice import PointDice, Thrown, WildRoll
from tablewright.systems.opend6.options import CancelScope, CriticalFailureRule
from tablewright.systems.opend6.values import Checked, CriticalFailure, Fortune, Improved, Level, Pointed, Rolled

SCOPES = get_args(CancelScope)
CONSEQUENCES = get_args(CriticalFailureRule)
NONE, CANCEL, COMPLICATION = CriticalFailure.NONE, CriticalFailure.CANCEL, CriticalFailure.COMPLICATION


def total_of(call: Call[Rolled], *faces: int) -> int:
    """The total of a roll with typed dice."""
    return play(call, TypedDice(faces)).result.total


def wild_values(ceiling: int) -> Iterator[tuple[list[int], Fraction]]:
    """The tosses of a Wild Die that stay below the ceiling, and one way of reaching it for all others."""
    rest = Fraction(1)
    sixes = 0
    while 6 * sixes < ceiling:
        for last in range(1, 6):
            if 6 * sixes + last < ceiling:
                chance = Fraction(1, 6 ** (sixes + 1))
                rest -= chance
                yield [6] * sixes + [last], chance
        sixes += 1
    yield [6] * sixes + [1], rest


def every_throw(parts: Sequence[list[tuple[list[int], Fraction]]]) -> Iterator[tuple[list[int], Fraction]]:
    """The faces of every throw of several dice, with its chance."""
    for combination in product(*parts):
        chance = Fraction(1)
        for _, part in combination:
            chance *= part
        yield [face for faces, _ in combination for face in faces], chance


def brute_force(dice: WildRoll) -> dict[Thrown, Fraction]:
    """Every roll, read by the dice object itself."""
    chances: dict[Thrown, Fraction] = {}
    wild = list(wild_values(dice.ceiling))
    regular = [([face], Fraction(1, 6)) for face in range(1, 7)]
    for faces, chance in every_throw([wild, *[regular] * dice.regular, *[wild] * dice.points]):
        typed = TypedDice(faces)
        shown = dice.read(typed.face)
        typed.finish()
        most = dice.ceiling
        thrown = shown._replace(total=min(shown.total, most), cancelled=min(shown.cancelled, most))
        chances[thrown] = chances.get(thrown, Fraction(0)) + chance
    return chances


# ---------------------------------------------------------------------- the Wild Die


@pytest.mark.rule("opend6.wild.one_per_roll")
def test_one_of_the_dice_is_the_wild_die() -> None:
    for example in LEDGER["opend6.wild.one_per_roll"].examples:
        code, expect = C(example["given"]["code"]), example["expect"]
        dice = getattr(Playthrough(roll(code)).question, "dice", None)
        assert isinstance(dice, WildRoll)
        assert (dice.regular, code.pips, dice.points) == (expect["regular_dice"], expect["pips"], 0)


@pytest.mark.rule("opend6.wild.critical_success", "opend6.wild.later_ones", "opend6.dice.bonus_number")
@each_case(
    ("call", "faces", "result"),
    [
        (roll(C("2D+1")), [6, 6, 3, 2], 18),
        (roll(C("1D")), [6, 1], 7),
        (roll(C("2D")), [5, 6], 11),  # only the Wild Die goes on
        (roll(C("4D+1")), [2, 1, 5, 5], 14),
        (roll(C("3D"), bonus=-5), [2, 4, 6], 7),
    ],
)
def test_sixes_of_the_wild_die_go_on_and_later_ones_are_harmless(
    call: Call[Rolled], faces: list[int], result: int
) -> None:
    assert play(call, TypedDice(faces)).result == Rolled(result, NONE)


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.wild.cf_cancel", "opend6.wild.cf_complication")
@each_case(
    ("consequence", "scope", "rolled"),
    [
        ("cancel", "wild_and_highest", Rolled(8, CANCEL)),
        ("cancel", "highest_only", Rolled(9, CANCEL)),
        ("complication", "wild_and_highest", Rolled(14, COMPLICATION)),
        ("complication", "highest_only", Rolled(14, COMPLICATION)),
    ],
)
def test_a_one_on_the_wild_die(consequence: Any, scope: Any, rolled: Rolled) -> None:
    faces = [1, 2, 5, 5]
    assert play(roll(C("4D+1"), critical_failure=consequence, cancel_scope=scope), TypedDice(faces)).result == rolled
    asked = roll(C("4D+1"), critical_failure="ask", cancel_scope=scope)
    assert play(asked, TypedDice(faces), choosing(consequence)).result == rolled
    assert play(asked, TypedDice(faces)).result.critical_failure is CANCEL  # by default


@pytest.mark.rule("opend6.wild.cf_cancel", "opend6.gap.dice.cancel", "opend6.dice.bonus_number")
@each_case(
    ("call", "faces", "result"),
    [
        (roll(C("1D+2")), [1], 2),
        (roll(C("1D+2"), cancel_scope="highest_only"), [1], 2),
        (roll(C("2D+2")), [1, 6], 2),
        (roll(C("2D+2"), cancel_scope="highest_only"), [1, 6], 3),
        (roll(C("3D"), bonus=5), [1, 4, 6], 9),  # plain numbers are added after a cancellation
        (roll(C("2D"), character_points=1), [1, 4, 6, 2], 8),
        (roll(C("2D"), character_points=1, cancel_reaches_cp_dice=True), [1, 4, 6, 2], 4),
        (roll(C("2D"), character_points=1, cancel_reaches_cp_dice=True), [1, 4, 2], 2),
    ],
)
def test_dice_that_a_critical_failure_drops(call: Call[Rolled], faces: list[int], result: int) -> None:
    assert play(call, TypedDice(faces)).result == Rolled(result, CANCEL)


@pytest.mark.rule("opend6.wild.critical_success", "opend6.wild.cf_cancel")
@each_case("scope", SCOPES)
@each_case("reaches", [False, True])
@each_case(
    ("regular", "points", "ceiling"), [(0, 0, 2), (1, 0, 14), (3, 0, 10), (1, 1, 4), (1, 1, 9), (0, 2, 8), (1, 2, 7)]
)
def test_wild_rolls_against_all_rolls(regular: int, points: int, ceiling: int, scope: Any, reaches: bool) -> None:
    dice = WildRoll(regular, points, ceiling, scope, reaches)
    assert dict(dice.weigh().fractions()) == brute_force(dice)


@pytest.mark.rule("opend6.cp.die_behaviour")
@each_case(("count", "ceiling"), [(0, 5), (1, 2), (1, 13), (2, 9)])
def test_point_dice_against_all_rolls(count: int, ceiling: int) -> None:
    chances: dict[int, Fraction] = {}
    for faces, chance in every_throw([list(wild_values(ceiling))] * count):
        shown = min(PointDice(count, ceiling).read(TypedDice(faces).face), ceiling)
        chances[shown] = chances.get(shown, Fraction(0)) + chance
    assert dict(PointDice(count, ceiling).weigh().fractions()) == chances


def test_dice_show_everything_that_was_thrown_whatever_odds_look_at() -> None:
    assert PointDice(1, 5).read(TypedDice([6, 4]).face) == 10
    assert WildRoll(2, 0, 5).read(TypedDice([6, 2, 3, 4]).face) == (15, False, 15)
    assert WildRoll(2, 0, 5).read(TypedDice([1, 6, 4]).face) == (11, True, 4)


def test_dice_out_of_bounds_are_refused() -> None:
    with pytest.raises(InvalidInputError):
        WildRoll(500, 0, 20)
    with pytest.raises(InvalidInputError):
        PointDice(1, 1)


# ---------------------------------------------------------------------- checks


@pytest.mark.rule("opend6.success.ties", "opend6.result.points", "opend6.result.levels")
def test_meeting_the_difficulty_succeeds() -> None:
    assert play(check(C("3D"), 10), TypedDice([2, 4, 4])).result == Checked(True, Level.MINIMAL, NONE)
    assert play(check(C("3D"), 11), TypedDice([2, 4, 4])).result == Checked(False, None, NONE)
    assert play(result_points(C("3D"), 11), TypedDice([2, 4, 4])).result == Pointed(-1, NONE)
    assert play(check(C("3D"), 11), TypedDice([6, 6, 6, 3, 4, 4])).result.level is Level.INCREDIBLE
    assert play(result_points(C("3D"), 11), TypedDice([6, 6, 6, 3, 4, 4])).result.result_points == 18


@pytest.mark.rule("opend6.check.skill_check", "opend6.result.levels", "opend6.wild.cf_complication")
@each_case("consequence", CONSEQUENCES)
@each_case("scope", SCOPES)
@each_case(("code", "difficulty"), [("1D", 1), ("2D+1", 6), ("3D+2", 11), ("2D-4", 0)])
def test_checks_against_all_rolls(code: str, difficulty: int, scope: Any, consequence: Any) -> None:
    value = C(code)
    expected: dict[Checked, Fraction] = {}
    dice = WildRoll(value.dice - 1, 0, difficulty + 17 - value.pips, scope)
    for thrown, chance in brute_force(dice).items():
        lenient = consequence == "complication" or not thrown.critical_failure
        failure = (COMPLICATION if lenient else CANCEL) if thrown.critical_failure else NONE
        level = Level.of((thrown.total if lenient else thrown.cancelled) + value.pips - difficulty)
        checked = Checked(level is not None, level, failure)
        expected[checked] = expected.get(checked, Fraction(0)) + chance
    call = check(value, difficulty, critical_failure=consequence, cancel_scope=scope)
    assert dict(odds(call).fractions()) == expected


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.check.skill_check")
def test_the_game_master_may_choose_the_consequence() -> None:
    call = check(C("4D+1"), 15, critical_failure="ask")
    cancelled, complicated = odds(check(C("4D+1"), 15)), odds(check(C("4D+1"), 15, critical_failure="complication"))
    assert odds(call) == cancelled  # by default the highest die is cancelled
    assert odds(call, policy=lambda asked: asked.ids.index("complication")) == complicated
    chances = [found.chance(lambda checked: checked.success) for found in (cancelled, complicated)]
    assert chances == [Fraction(4165, 7776), Fraction(4501, 7776)]
    assert {situation.seat for situation in advise(call).choices} == {"game master"}


@pytest.mark.rule("opend6.dice.die_code")
def test_pips_of_a_rolled_code_stay_pips_unless_the_table_wants_dice() -> None:
    assert total_of(roll(C("2D+4")), 3, 3) == 10
    assert total_of(roll(C("2D+4"), normalise_rolled_pips=True), 3, 3, 5) == 12


@pytest.mark.rule("opend6.simplify.chart", "opend6.simplify.quick")
def test_rolling_fewer_dice() -> None:
    eight = C("8D+1")
    assert total_of(roll(eight, simplification="five_dice"), 2, 3, 3, 3, 3) == 26
    failed = play(roll(C("5D"), simplification="five_dice"), TypedDice([1, 3, 3, 3, 4])).result
    assert failed == Rolled(9, CANCEL)
    assert total_of(roll(eight, simplification="wild_die_only"), 6, 2) == 34
    for consequence in CONSEQUENCES:
        call = roll(eight, simplification="wild_die_only", critical_failure=consequence)
        assert play(call, TypedDice([1])).result == Rolled(27, COMPLICATION)
    assert odds(total(eight, simplification="quick"))[33] == 1
    assert odds(total(eight, simplification="quick", ought_to_succeed=False))[25] == 1
    assert play(total(eight, character_points=1, simplification="quick"), TypedDice([6, 4])).result == 43


@pytest.mark.rule("opend6.map.zero_rule")
@each_case("call", [roll(C("0D+2")), check(C("0D"), 5), improved_check(C("0D+1"), 5, 2)])
def test_a_code_without_dice_cannot_be_rolled(call: Call[Any]) -> None:
    with pytest.raises(IllegalActionError, match=r"opend6\.map\.zero_rule"):
        odds(call)


@pytest.mark.rule("opend6.opposed.resolve", "opend6.success.ties")
def test_a_tie_of_opposed_rolls_is_won_by_the_initiator() -> None:
    assert play(opposed(C("2D"), C("2D")), TypedDice([2, 3, 3, 2])).result is Side.INITIATOR
    assert play(opposed(C("2D"), C("2D"), resister_bonus=1), TypedDice([2, 3, 3, 2])).result is Side.RESISTER


@pytest.mark.rule("opend6.special.wild_die_only")
def test_the_wild_die_alone() -> None:
    outcomes = LEDGER["opend6.special.wild_die_only"].data["outcome"]
    for face in range(1, 7):
        entry = outcomes.get(face, outcomes.get(str(face)))
        fortune = play(wild_die_only(), TypedDice([face])).result
        assert (fortune is Fortune.COMPLICATION) is ("complication" in entry)
        assert (fortune is Fortune.LUCK) is ("fortune" in entry)


# ---------------------------------------------------------------------- Character Points


@pytest.mark.rule("opend6.cp.extra_wild_die", "opend6.cp.die_behaviour")
def test_bought_dice_are_wild_but_never_fail() -> None:
    rolled = play(roll(C("2D"), character_points=2), TypedDice([3, 4, 1, 6, 2])).result
    assert rolled == Rolled(16, NONE)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll")
@each_case(
    ("difficulty", "level", "faces", "answers", "result"),
    [
        (12, "cinematic", [2, 2, 3, 1, 5], ("1", "yes", "yes"), Improved(True, 3, True)),
        (12, "cinematic", [2, 2, 3], ("1", "no"), Improved(False, 1, False)),
        (12, "cinematic", [6, 5, 6], ("0", "no"), Improved(True, 0, True)),
        (30, "easy", [2, 2, 3, 1], ("1", "yes"), Improved(False, 2, False)),
    ],
)
def test_points_before_and_after_the_roll(
    difficulty: int, level: Any, faces: list[int], answers: tuple[str, ...], result: Improved
) -> None:
    assert play(improved_check(C("2D"), difficulty, 3, level), TypedDice(faces), choosing(*answers)).result == result


@pytest.mark.rule("opend6.cp.max_per_roll")
@pytest.mark.parametrize(("level", "most"), [("easy", 2), ("cinematic", 5), ("universe_shaking", 7)])
def test_the_challenge_level_limits_all_points_together(level: Any, most: int) -> None:
    exact = odds(improved_check(C("2D"), 60, 7, level), lambda result: result.spent)
    assert max(result.spent for result in exact) == most


def best_success(have: Dist[int], missing_from: int, points: int) -> Fraction:
    """The chance of reaching a difficulty when points are spent only afterwards, without any narrowing."""
    die = dict(PointDice(1, missing_from).weigh().fractions())

    def reach(missing: int, left: int) -> Fraction:
        if missing <= 0:
            return Fraction(1)
        if left == 0:
            return Fraction(0)
        return sum((chance * reach(missing - shown, left - 1) for shown, chance in die.items()), start=Fraction(0))

    return sum((chance * reach(missing_from - shown, points) for shown, chance in have.fractions()), start=Fraction(0))


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll", "opend6.cp.extra_wild_die")
@each_case(
    ("code", "difficulty", "points"), [("2D", 12, 2), ("3D+1", 18, 3), ("4D", 9, 1), ("1D", 8, 3), ("4D+1", 15, 0)]
)
def test_every_number_of_points_before_a_roll_is_worth_what_a_plain_recursion_says(
    code: str, difficulty: int, points: int
) -> None:
    call = improved_check(C(code), difficulty, points)
    worth = [best_success(odds(total(C(code), 0, first)), difficulty, points - first) for first in range(points + 1)]
    assert odds(call).chance(lambda result: result.success) == worth[0] == max(worth)
    if points:
        told = {one.id: one.value for one in advise(call, "success").choices[0].options}
        assert told == {str(first): value for first, value in enumerate(worth)}


@pytest.mark.rule("opend6.cp.timing")
def test_advice_is_to_wait_and_to_stop_when_it_is_hopeless() -> None:
    before, *after = advise(improved_check(C("4D+1"), 15, 2), "thrifty_success").choices
    assert [worth.id for worth in before.options] == ["0", "1", "2"]
    assert before.best.id == "0"  # a point spent later is never wasted on a roll that was good enough
    told = {situation.given[-1]: situation for situation in after}
    nearly = told["on with opend6.after_roll(1, 2, 0, 0, None)"]
    assert {worth.id: worth.value for worth in nearly.options} == {"no": 0, "yes": Fraction(9, 10)}
    assert told["on with opend6.after_roll(11, 1, 1, 0, None)"].best.id == "no"  # 1 in 12 is less than a point is worth
