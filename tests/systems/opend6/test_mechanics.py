"""The rolls of OpenD6: worked examples with typed dice, every option, and all rolls tried out one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.playing import choosing
from tablewright.dice import Die, Dist, SeededDice, TypedDice
from tablewright.engine import Call, Playthrough, advise, odds, play, replay
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.opend6 import system
from tablewright.systems.opend6.mechanics.checks import (
    MECHANICS,
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
from tablewright.systems.opend6.options import CancelScope, CriticalFailureRule, OpenD6Options
from tablewright.systems.opend6.values import (
    Checked,
    CriticalFailure,
    DieCode,
    Fortune,
    Improved,
    Level,
    Pointed,
    Rolled,
)

LEDGER = Ledger.load("opend6")
C = DieCode.parse
SCOPES = get_args(CancelScope)
CONSEQUENCES = get_args(CriticalFailureRule)


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


def brute_force(dice: WildRoll) -> dict[Thrown, Fraction]:
    """Every roll, read by the dice object itself."""
    chances: dict[Thrown, Fraction] = {}
    parts: list[list[tuple[list[int], Fraction]]] = [list(wild_values(dice.ceiling))]
    parts += [[([face], Fraction(1, 6)) for face in range(1, 7)]] * dice.regular
    parts += [list(wild_values(dice.ceiling))] * dice.points
    for combination in product(*parts):
        typed = TypedDice([face for faces, _ in combination for face in faces])
        shown = dice.read(typed.face)
        most = dice.ceiling
        thrown = shown._replace(total=min(shown.total, most), cancelled=min(shown.cancelled, most))
        typed.finish()
        chance = Fraction(1)
        for _, part in combination:
            chance *= part
        chances[thrown] = chances.get(thrown, Fraction(0)) + chance
    return chances


def success(call: Call[Checked]) -> Fraction:
    return odds(call).chance(lambda checked: checked.success)


# ---------------------------------------------------------------------- the Wild Die


@pytest.mark.rule("opend6.wild.one_per_roll")
def test_one_of_the_dice_is_the_wild_die() -> None:
    for example in LEDGER["opend6.wild.one_per_roll"].examples:
        code, expect = C(example["given"]["code"]), example["expect"]
        playing = Playthrough(roll(code))
        dice = getattr(playing.question, "dice", None)
        assert isinstance(dice, WildRoll)
        assert (dice.regular, code.pips) == (expect["regular_dice"], expect["pips"])
        assert dice.points == 0


@pytest.mark.rule("opend6.wild.critical_success", "opend6.wild.later_ones")
def test_sixes_go_on_and_a_later_one_is_harmless() -> None:
    assert play(roll(C("2D+1")), TypedDice([6, 6, 3, 2])).result == Rolled(18, CriticalFailure.NONE)
    assert play(roll(C("1D")), TypedDice([6, 1])).result == Rolled(7, CriticalFailure.NONE)
    assert play(roll(C("2D")), TypedDice([5, 6])).result == Rolled(
        11, CriticalFailure.NONE
    )  # only the Wild Die goes on


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.wild.cf_cancel", "opend6.wild.cf_complication")
def test_a_one_on_the_wild_die() -> None:
    faces = [1, 2, 5, 5]
    expected = {
        ("cancel", "wild_and_highest"): Rolled(8, CriticalFailure.CANCEL),
        ("cancel", "highest_only"): Rolled(9, CriticalFailure.CANCEL),
        ("complication", "wild_and_highest"): Rolled(14, CriticalFailure.COMPLICATION),
        ("complication", "highest_only"): Rolled(14, CriticalFailure.COMPLICATION),
    }
    for (consequence, scope), rolled in expected.items():
        call = roll(C("4D+1"), critical_failure=consequence, cancel_scope=scope)
        assert play(call, TypedDice(faces)).result == rolled
        asked = roll(C("4D+1"), critical_failure="ask", cancel_scope=scope)
        assert play(asked, TypedDice(faces), choosing(consequence)).result == rolled
    assert (
        play(roll(C("4D+1"), critical_failure="ask"), TypedDice(faces)).result.critical_failure
        is CriticalFailure.CANCEL
    )
    assert play(roll(C("4D+1")), TypedDice([2, 1, 5, 5])).result == Rolled(14, CriticalFailure.NONE)


@pytest.mark.rule("opend6.wild.cf_cancel")
@pytest.mark.parametrize(
    ("code", "scope", "faces", "result"),
    [
        ("1D+2", "wild_and_highest", [1], 2),
        ("1D+2", "highest_only", [1], 2),
        ("2D+2", "wild_and_highest", [1, 6], 2),
        ("2D+2", "highest_only", [1, 6], 3),
    ],
)
def test_small_pools_with_a_critical_failure(code: str, scope: Any, faces: list[int], result: int) -> None:
    assert play(roll(C(code), cancel_scope=scope), TypedDice(faces)).result.total == result


@pytest.mark.rule("opend6.dice.bonus_number")
def test_plain_numbers_are_added_after_a_cancellation() -> None:
    assert play(roll(C("3D"), bonus=5), TypedDice([1, 4, 6])).result.total == 9
    assert play(roll(C("3D"), bonus=-5), TypedDice([2, 4, 6])).result.total == 7


@pytest.mark.rule("opend6.wild.critical_success", "opend6.wild.cf_cancel")
@each_case("scope", SCOPES)
@each_case("reaches", [False, True])
@each_case(
    ("regular", "points", "ceiling"),
    [(0, 0, 2), (0, 0, 7), (1, 0, 14), (3, 0, 10), (0, 1, 9), (1, 1, 4), (1, 1, 9), (2, 1, 13), (0, 2, 8), (1, 2, 7)],
)
def test_wild_rolls_against_all_rolls(regular: int, points: int, ceiling: int, scope: Any, reaches: bool) -> None:
    dice = WildRoll(regular, points, ceiling, scope, reaches)
    assert dict(dice.weigh().fractions()) == brute_force(dice)


@pytest.mark.rule("opend6.cp.die_behaviour")
@pytest.mark.parametrize(("count", "ceiling"), [(0, 5), (1, 2), (1, 13), (2, 9), (3, 8)])
def test_point_dice_against_all_rolls(count: int, ceiling: int) -> None:
    chances: dict[int, Fraction] = {}
    for combination in product(list(wild_values(ceiling)), repeat=count):
        typed = TypedDice([face for faces, _ in combination for face in faces])
        shown = min(PointDice(count, ceiling).read(typed.face), ceiling)
        chance = Fraction(1)
        for _, part in combination:
            chance *= part
        chances[shown] = chances.get(shown, Fraction(0)) + chance
    assert dict(PointDice(count, ceiling).weigh().fractions()) == chances


def test_nothing_is_cut_off_where_nothing_is_chosen() -> None:
    calls: list[Call[Any]] = [roll(C("4D")), total(C("4D")), check(C("4D"), 15), improved_check(C("4D"), 15, 3)]
    assert [odds(call).remainder for call in calls] == [0, 0, 0, 0]


# ---------------------------------------------------------------------- checks


@pytest.mark.rule("opend6.check.skill_check", "opend6.wild.cf_complication")
def test_four_dice_and_a_pip_against_fifteen() -> None:
    assert success(check(C("4D+1"), 15, critical_failure="complication")) == Fraction(4501, 7776)
    assert success(check(C("4D+1"), 15)) == Fraction(4165, 7776)


@pytest.mark.rule("opend6.success.ties", "opend6.result.points", "opend6.result.levels")
def test_meeting_the_difficulty_succeeds() -> None:
    assert play(check(C("3D"), 10), TypedDice([2, 4, 4])).result == Checked(True, Level.MINIMAL, CriticalFailure.NONE)
    assert play(check(C("3D"), 11), TypedDice([2, 4, 4])).result == Checked(False, None, CriticalFailure.NONE)
    assert play(result_points(C("3D"), 11), TypedDice([2, 4, 4])).result == Pointed(-1, CriticalFailure.NONE)
    assert play(check(C("3D"), 11), TypedDice([6, 6, 6, 3, 4, 4])).result.level is Level.INCREDIBLE
    assert play(result_points(C("3D"), 11), TypedDice([6, 6, 6, 3, 4, 4])).result.result_points == 18


@pytest.mark.rule("opend6.check.skill_check", "opend6.result.levels")
@each_case("consequence", CONSEQUENCES)
@each_case("scope", SCOPES)
@each_case(("code", "difficulty"), [("1D", 1), ("2D+1", 6), ("3D+2", 11), ("4D", 30), ("2D-4", 0)])
def test_checks_against_all_rolls(code: str, difficulty: int, scope: Any, consequence: Any) -> None:
    value = C(code)
    expected: dict[Checked, Fraction] = {}
    dice = WildRoll(value.dice - 1, 0, difficulty + 17 - value.pips, scope)
    for thrown, chance in brute_force(dice).items():
        one = CriticalFailure.NONE
        shown = thrown.total
        if thrown.critical_failure:
            one = CriticalFailure.COMPLICATION if consequence == "complication" else CriticalFailure.CANCEL
            shown = thrown.total if consequence == "complication" else thrown.cancelled
        level = Level.of(shown + value.pips - difficulty)
        checked = Checked(level is not None, level, one)
        expected[checked] = expected.get(checked, Fraction(0)) + chance
    call = check(value, difficulty, critical_failure=consequence, cancel_scope=scope)
    assert dict(odds(call).fractions()) == expected


@pytest.mark.rule("opend6.wild.critical_failure")
def test_the_game_master_may_choose_the_consequence() -> None:
    call = check(C("4D+1"), 15, critical_failure="ask")
    assert odds(call) == odds(check(C("4D+1"), 15))  # by default the highest die is cancelled
    lenient = odds(call, policy=lambda asked: asked.ids.index("complication"))
    assert lenient == odds(check(C("4D+1"), 15, critical_failure="complication"))
    advice = advise(call)
    assert {situation.seat for situation in advice.choices} == {"game master"}


@pytest.mark.rule("opend6.dice.die_code")
def test_pips_of_a_rolled_code_stay_pips_unless_the_table_wants_dice() -> None:
    assert play(roll(C("2D+4")), TypedDice([3, 3])).result.total == 10
    assert play(roll(C("2D+4"), normalise_rolled_pips=True), TypedDice([3, 3, 5])).result.total == 12


@pytest.mark.rule("opend6.simplify.chart", "opend6.simplify.quick")
def test_rolling_fewer_dice() -> None:
    eight = C("8D+1")
    assert play(roll(eight, simplification="five_dice"), TypedDice([2, 3, 3, 3, 3])).result.total == 26
    assert play(roll(C("5D"), simplification="five_dice"), TypedDice([1, 3, 3, 3, 4])).result == (
        9,
        CriticalFailure.CANCEL,
    )
    lone = roll(eight, simplification="wild_die_only")
    assert play(lone, TypedDice([6, 2])).result.total == 34
    for consequence in CONSEQUENCES:
        call = roll(eight, simplification="wild_die_only", critical_failure=consequence)
        assert play(call, TypedDice([1])).result == Rolled(27, CriticalFailure.COMPLICATION)
    assert odds(total(eight, simplification="quick"))[33] == 1
    assert odds(total(eight, simplification="quick", ought_to_succeed=False))[25] == 1
    assert play(total(eight, character_points=1, simplification="quick"), TypedDice([6, 4])).result == 43


@pytest.mark.rule("opend6.map.zero_rule")
def test_a_code_without_dice_cannot_be_rolled() -> None:
    calls: list[Call[Any]] = [roll(C("0D+2")), check(C("0D"), 5), improved_check(C("0D+1"), 5, 2)]
    for call in calls:
        with pytest.raises(IllegalActionError, match=r"opend6\.map\.zero_rule"):
            odds(call)


@pytest.mark.rule("opend6.opposed.resolve", "opend6.success.ties")
def test_opposed_rolls() -> None:
    assert play(opposed(C("2D"), C("2D")), TypedDice([2, 3, 3, 2])).result is Side.INITIATOR
    assert play(opposed(C("2D"), C("2D"), resister_bonus=1), TypedDice([2, 3, 3, 2])).result is Side.RESISTER
    wins = Fraction(28999, 46656)
    assert odds(opposed(C("3D"), C("2D+2")))[Side.INITIATOR] == wins
    assert odds(opposed(C("3D"), C("2D+2"), critical_failure="ask"))[Side.INITIATOR] == wins


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
    assert play(roll(C("2D"), character_points=2), TypedDice([3, 4, 1, 6, 2])).result == Rolled(
        16, CriticalFailure.NONE
    )
    assert play(roll(C("2D"), character_points=1), TypedDice([1, 4, 6, 2])).result == Rolled(8, CriticalFailure.CANCEL)


@pytest.mark.rule("opend6.wild.cf_cancel")
def test_whether_a_bought_die_can_be_dropped() -> None:
    reaching = roll(C("2D"), character_points=1, cancel_reaches_cp_dice=True)
    assert play(reaching, TypedDice([1, 4, 6, 2])).result == Rolled(4, CriticalFailure.CANCEL)
    assert play(reaching, TypedDice([1, 4, 2])).result == Rolled(2, CriticalFailure.CANCEL)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll")
def test_points_before_and_after_the_roll() -> None:
    call = improved_check(C("2D"), 12, 3)
    asked = choosing("1", "yes", "yes")
    assert play(call, TypedDice([2, 2, 3, 1, 5]), asked).result == Improved(True, 3, True)
    assert play(call, TypedDice([2, 2, 3]), choosing("1", "no")).result == Improved(False, 1, False)
    assert play(call, TypedDice([6, 5, 6]), choosing("0", "no")).result == Improved(True, 0, True)
    easy = improved_check(C("2D"), 30, 9, "easy")
    assert play(easy, TypedDice([2, 2, 3, 1]), choosing("1", "yes")).result == Improved(False, 2, False)


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


@pytest.mark.rule("opend6.cp.extra_wild_die", "opend6.cp.timing")
@pytest.mark.parametrize(
    ("code", "difficulty", "points"), [("2D", 12, 2), ("3D+1", 15, 1), ("1D", 8, 3), ("4D+1", 15, 0)]
)
def test_points_spent_well_against_a_plain_recursion(code: str, difficulty: int, points: int) -> None:
    exact = odds(improved_check(C(code), difficulty, points)).chance(lambda result: result.success)
    assert exact == best_success(odds(total(C(code))), difficulty, points)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll")
@pytest.mark.parametrize(("code", "difficulty", "points"), [("2D", 12, 2), ("3D+1", 18, 3), ("4D", 9, 1)])
def test_every_number_of_points_before_a_roll_is_worth_what_enumeration_says(
    code: str, difficulty: int, points: int
) -> None:
    told = {
        one.id: one.value for one in advise(improved_check(C(code), difficulty, points), "success").choices[0].options
    }
    assert told == {
        str(first): best_success(odds(total(C(code), 0, first)), difficulty, points - first)
        for first in range(points + 1)
    }
    assert max(told, key=told.__getitem__) == "0"  # the same dice later, when one knows what is missing


@pytest.mark.rule("opend6.cp.timing")
def test_advice_is_to_wait_and_to_stop_when_it_is_hopeless() -> None:
    advice = advise(improved_check(C("4D+1"), 15, 2), "thrifty_success")
    before, *after = advice.choices
    assert [worth.id for worth in before.options] == ["0", "1", "2"]
    assert before.best.id == "0"  # a point spent later is never wasted on a roll that was good enough
    told = {situation.given[-1]: situation for situation in after}
    nearly = told["on with opend6.after_roll(1, 2, 0, 0, None)"]
    assert {worth.id: worth.value for worth in nearly.options} == {"no": 0, "yes": Fraction(9, 10)}
    assert told["on with opend6.after_roll(11, 1, 1, 0, None)"].best.id == "no"  # 1 in 12 is less than a point is worth


def test_success_with_points_is_no_worse_than_without() -> None:
    for points in range(5):
        now = odds(improved_check(C("3D"), 15, points)).chance(lambda result: result.success)
        more = odds(improved_check(C("3D"), 15, points + 1)).chance(lambda result: result.success)
        assert more > now


# ---------------------------------------------------------------------- properties and declarations


@hypothesis.settings(deadline=None, max_examples=40)
@hypothesis.given(
    dice=st.integers(1, 12),
    pips=st.integers(0, 2),
    difficulty=st.integers(1, 60),
    consequence=st.sampled_from(CONSEQUENCES),
    scope=st.sampled_from(SCOPES),
)
def test_more_is_never_worse(dice: int, pips: int, difficulty: int, consequence: Any, scope: Any) -> None:
    def chance(code: DieCode, against: int) -> Fraction:
        exact = odds(check(code, against, critical_failure=consequence, cancel_scope=scope))
        assert sum(part for _, part in exact.fractions()) == 1
        return exact.chance(lambda checked: checked.success)

    here = chance(DieCode(dice, pips), difficulty)
    assert chance(DieCode(dice, pips + 1), difficulty) >= here
    assert chance(DieCode(dice + 1, pips), difficulty) >= here
    assert chance(DieCode(dice, pips), difficulty + 1) <= here
    totals = odds(total(DieCode(dice, pips), critical_failure=consequence, cancel_scope=scope))
    assert totals.at_least(difficulty) == here


def test_play_and_replay() -> None:
    call = improved_check(C("3D"), 20, 3, critical_failure="ask")
    for seed in range(20):
        played = play(call, SeededDice(seed=seed), lambda asked: len(asked.options) - 1)
        assert replay(call, played.record) == played


def test_every_rule_is_known_and_every_option_is_a_parameter() -> None:
    assert system.mechanics[: len(MECHANICS)] == MECHANICS
    names = {parameter.name: parameter for mechanic in MECHANICS for parameter in mechanic.params}
    for mechanic in MECHANICS:
        assert set(mechanic.rules) <= set(LEDGER)
        assert mechanic.documentation
        assert mechanic.schema()["parameters"]["type"] == "object"
    own = [one for one in OpenD6Options.describe() if one.attribute in OpenD6Options.__annotations__]
    assert len(own) >= 30
    for described in own:
        entries = [entry for entry in LEDGER[described.rule].data["options"] if entry["name"] == described.name]
        assert len(entries) == 1, described.name
        if entries[0]["values"] != "integer":
            assert sorted(map(str, described.choices)) == sorted(map(str, entries[0]["values"]))
        assert described.default == entries[0]["default"]
        if described.attribute in names:
            assert names[described.attribute].default == described.default


def test_arguments_come_from_text() -> None:
    call = check.read({"code": "4D+1", "difficulty": 15, "critical_failure": "complication"})
    assert call == check(C("4D+1"), 15, critical_failure="complication")
    with pytest.raises(InvalidInputError, match="code"):
        check.read({"code": "4E", "difficulty": 15})
    with pytest.raises(InvalidInputError, match="difficulty"):
        check.read({"code": "4D", "difficulty": -1})


def test_dice_out_of_bounds_are_refused() -> None:
    with pytest.raises(InvalidInputError):
        WildRoll(500, 0, 20)
    with pytest.raises(InvalidInputError):
        PointDice(1, 1)
    with pytest.raises(InvalidInputError):
        TypedDice([7]).face(Die(6))
