"""The checks of MARS: worked examples with typed dice, every option, and all rolls tried out one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.mars.people import LEDGER
from systems.playing import choosing
from tablewright.dice import Die, Rollable, TypedDice
from tablewright.engine import Roll, TooComplexError, advise, odds, play
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.mechanics.checks import (
    Competition,
    DiceRules,
    check,
    contest,
    contest_of_several,
    group_action,
    opposed,
    reroll,
    rerolled_by_choice,
    roll,
    total_of,
)
from tablewright.systems.mars.mechanics.dice import ChosenRerolls, DieOrder, OnTable, Rerolled, gain
from tablewright.systems.mars.mechanics.harm import dying, dying_check, dying_checks
from tablewright.systems.mars.options import AdvantageDieChoice
from tablewright.systems.mars.values import Contested, Degree, RollValue, Shown, degree_of

ORDERS = get_args(DieOrder)
DIE_CHOICES = get_args(AdvantageDieChoice)
R = RollValue.parse


class _NeedsMore(Exception):
    def __init__(self, die: Die) -> None:
        self.die = die


def every_reading(dice: Rollable[Any], faces: tuple[int, ...] = ()) -> Iterator[tuple[Any, Fraction]]:
    """Every roll that a dice object can ask for, face by face, with its chance."""
    waiting = iter(faces)

    def face(die: Die) -> int:
        for shown in waiting:
            return shown
        raise _NeedsMore(die)

    try:
        yield dice.read(face), Fraction(1)
    except _NeedsMore as more:
        for shown in range(1, more.die.sides + 1):
            for outcome, chance in every_reading(dice, (*faces, shown)):
                yield outcome, chance / more.die.sides


def brute_force(dice: Rollable[Any]) -> dict[Any, Fraction]:
    """The odds of a dice object by trying every roll."""
    chances: dict[Any, Fraction] = {}
    for outcome, chance in every_reading(dice):
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance
    return chances


# ---------------------------------------------------------------------- checks


@pytest.mark.rule("mars.check.outcomes", "mars.dice.no_total_floor")
@each_case("difficulty", [-3, 0, 1, 7, 10, 14, 19])
@each_case("text", ["r0", "r0+9", "r2-3", "r12", "r14+1", "r16-20", "r22"])
def test_a_check_against_all_rolls(text: str, difficulty: int) -> None:
    value = R(text)
    expected: dict[Degree, Fraction] = {}
    for total, chance in brute_force(value.rolled()).items():
        degree = degree_of(total - difficulty)
        expected[degree] = expected.get(degree, Fraction(0)) + chance
    assert dict(odds(check(value, difficulty)).fractions()) == expected


@pytest.mark.rule("mars.dice.no_total_floor")
def test_totals_go_below_zero_and_a_natural_maximum_is_nothing_special() -> None:
    assert play(roll(R("r6-9")), TypedDice([1])).result == -8
    assert play(check(R("r6"), 30), TypedDice([6])).result is Degree.FAILURE
    assert play(check(R("r6+40"), 30), TypedDice([1])).result is Degree.CRITICAL


@pytest.mark.rule("mars.dice.odd_values", "mars.dice.small_and_zero")
def test_rolls_of_odd_values() -> None:
    assert odds(roll(R("r15"))) == Rerolled((10, 5), 0, 0, "max_gain").weigh()
    assert odds(roll(R("r15"), odd_roll_values="even_plus_one")) == odds(roll(R("r14+1")))
    assert odds(roll(R("r11"))) == odds(roll(R("r10+1")))
    assert odds(roll(R("r0+3"), advantage=2))[3] == 1
    with pytest.raises(InvalidInputError):
        odds(roll(R("r15"), odd_roll_values="reject"))


# ---------------------------------------------------------------------- advantage and disadvantage


@pytest.mark.rule("mars.advantage.advantage")
@pytest.mark.parametrize("example", LEDGER["mars.advantage.advantage"].examples)
def test_advantage_examples(example: Any) -> None:
    shown = example["given"]["dice"]
    faces = [shown["d10"], shown["d4"], example["given"]["new"]]
    for options in ({}, {"advantage_die_choice": "lowest_die"}, {"advantage_die_choice": "ask"}):
        chooser = choosing(f"d10:{shown['d10']}")
        played = play(roll(R("r14"), advantage=1, **options), TypedDice(faces), chooser)
        assert played.result == example["expect"]["total"]


@pytest.mark.rule("mars.advantage.disadvantage")
@pytest.mark.parametrize("example", LEDGER["mars.advantage.disadvantage"].examples)
@pytest.mark.parametrize("tie", ["more_sides", "fewer_sides", "ask"])
def test_disadvantage_examples(example: Any, tie: Any) -> None:
    shown = example["given"]["dice"]
    faces = [shown["d10"], shown["d4"], example["given"]["new"]]
    played = play(roll(R("r14"), disadvantage=1, disadvantage_tie=tie), TypedDice(faces))
    assert played.result == example["expect"]["total"]


@pytest.mark.rule("mars.advantage.cancel")
def test_advantage_and_disadvantage_cancel_in_pairs() -> None:
    for example in LEDGER["mars.advantage.cancel"].examples:
        given, net = example["given"], example["expect"]["net"]
        both = roll(R("r24"), given["advantage"], given["disadvantage"])
        assert odds(both) == odds(roll(R("r24"), max(net, 0), max(-net, 0)))
    assert odds(roll(R("r24"), 1, 3)) == odds(roll(R("r24"), 0, 2))


@pytest.mark.rule("mars.advantage.cancel")
@pytest.mark.parametrize("pairs", [0, 1, 3])
@pytest.mark.parametrize("asked", [False, True])
def test_cancelled_advantages_leave_a_plain_roll(pairs: int, *, asked: bool) -> None:
    rules = DiceRules("ask", "ask") if asked else DiceRules("max_gain", "more_sides")
    thrown = total_of(R("r24"), pairs, pairs, rules)
    assert isinstance(thrown, Roll)
    assert not isinstance(thrown.dice, Rerolled)


@pytest.mark.rule("mars.advantage.advantage", "mars.advantage.disadvantage")
@each_case("order", ORDERS)
@each_case("rerolls", [0, 1, 2, 3])
@each_case("dice", [(), (4,), (4, 4), (6, 4), (3, 2), (4, 1), (3, 3, 2), (5, 3)])
def test_rerolled_dice_against_all_rolls(dice: tuple[int, ...], rerolls: int, order: Any) -> None:
    rerolled = Rerolled(dice, 1, rerolls, order)
    assert dict(rerolled.weigh().fractions()) == brute_force(rerolled)


@each_case("dice", [(), (4,), (4, 4), (6, 4), (3, 3, 2), (4, 4, 4)])
def test_dice_on_the_table_against_all_rolls(dice: tuple[int, ...]) -> None:
    assert dict(OnTable(dice).weigh().fractions()) == brute_force(OnTable(dice))


@pytest.mark.rule("mars.advantage.die_choice")
def test_which_die_is_rerolled() -> None:
    assert gain(Shown(10, 3)) == sum(Fraction(max(new - 3, 0), 10) for new in range(1, 11))
    # the d10 has more to gain than the lower d4
    assert play(roll(R("r14"), 1), TypedDice([3, 1, 9])).result == 10
    assert play(roll(R("r14"), 1, advantage_die_choice="lowest_die"), TypedDice([3, 1, 4])).result == 7
    # equal faces: more sides first
    assert play(roll(R("r14"), 1, advantage_die_choice="lowest_die"), TypedDice([2, 2, 9])).result == 11
    assert play(roll(R("r20"), 1), TypedDice([7, 7, 10])).result == 17


@pytest.mark.rule("mars.advantage.disadvantage")
def test_which_of_two_greatest_dice_is_rerolled() -> None:
    faces = [4, 4, 3]
    assert play(roll(R("r14"), 0, 1), TypedDice(faces)).trace.steps[-1].to_json()["faces"] == faces
    fewer = roll(R("r14"), 0, 1, disadvantage_tie="fewer_sides")
    with pytest.raises(InvalidInputError, match="d4"):
        play(fewer, TypedDice([4, 4, 9]))  # the d4 is rerolled and cannot show a 9
    assert play(roll(R("r14"), 0, 1), TypedDice([4, 4, 9])).result == 8
    asked = roll(R("r14"), 0, 1, disadvantage_tie="ask")
    assert play(asked, TypedDice([4, 4, 1]), choosing("d4:4")).result == 5
    assert play(asked, TypedDice([4, 4, 9]), choosing("d10:4")).result == 8


@pytest.mark.rule("mars.advantage.die_choice")
def test_several_rerolls_may_take_the_same_die() -> None:
    assert play(roll(R("r20"), 2), TypedDice([1, 9, 2, 8])).result == 17
    asked = roll(R("r20"), 2, advantage_die_choice="ask")
    assert play(asked, TypedDice([1, 9, 2, 8]), choosing("d10:1", "d10:2")).result == 17
    assert play(asked, TypedDice([1, 9, 2, 10]), choosing("d10:1", "d10:9")).result == 12


@pytest.mark.rule("mars.advantage.disadvantage")
def test_the_greatest_die_is_looked_for_again_each_time() -> None:
    assert play(roll(R("r20"), 0, 2), TypedDice([8, 7, 2, 1])).result == 3


SLOWLY = replace(rerolled_by_choice, name="mars.rerolled_by_choice_run_to_every_end", closed=None)
WORTHS: list[Callable[[int], int]] = [int, lambda total: int(total >= 7), lambda total: degree_of(total - 6).rank]


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.disadvantage")
@each_case("side", [1, -1])
@each_case("keep", ["better", "worse"])
@each_case(("dice", "rerolls"), [((4,), 2), ((6, 4), 1), ((4, 4), 2), ((4, 4, 2), 2), ((5, 3), 3)])
def test_choices_in_closed_form_against_the_rule(dice: Any, rerolls: int, keep: Any, side: int) -> None:
    for worth in WORTHS:

        def to_this_side(total: int, worth: Callable[[int], int] = worth) -> int:
            return side * worth(total)

        by_rule = odds(SLOWLY(dice, rerolls, keep), to_this_side)
        assert odds(rerolled_by_choice(dice, rerolls, keep), to_this_side) == by_rule


@pytest.mark.rule("mars.advantage.die_choice")
@pytest.mark.parametrize(
    ("dice", "rerolls", "work"), [((6,), 1, 3), ((4, 4), 2, 20), ((10, 6), 2, 120), ((3, 3, 3), 1, 15), ((), 2, 0)]
)
def test_cost_of_working_out_a_chosen_reroll(dice: tuple[int, ...], rerolls: int, work: int) -> None:
    assert ChosenRerolls(dice, rerolls, "better").work == work  # half of the ways to lie, times dice, times rerolls


@pytest.mark.rule("mars.advantage.die_choice")
@each_case("text", ["r14", "r22", "r26"])
@each_case("difficulty", [9, 14])
@each_case("advantage", [1, 2, 3])
def test_a_choice_is_never_worse_than_a_fixed_rule(text: str, difficulty: int, advantage: int) -> None:
    chances = {
        choice: odds(check(R(text), difficulty, advantage, advantage_die_choice=choice)).chance(
            lambda degree: degree.succeeds
        )
        for choice in DIE_CHOICES
    }
    assert chances["ask"] >= chances["max_gain"]
    assert chances["ask"] >= chances["lowest_die"]


def test_choosing_nothing_in_particular_takes_the_automatic_die() -> None:
    form = ChosenRerolls((10, 6), 2, "better")
    assert form.best(None) == Rerolled((10, 6), 0, 2, "max_gain").weigh()
    assert not ChosenRerolls((10, 10), 2, "worse").deciding
    assert ChosenRerolls((), 2, "better").best(None)[0] == 1


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.advantage")
def test_bonuses_count_for_the_reroll_too() -> None:
    by_degree = odds(reroll((Shown(10, 5),), 10, modifier=3))  # a 7 or more on the rerolled die
    assert by_degree[Degree.SUCCESS] == Fraction(4, 10)
    assert by_degree[Degree.GRAZE] == Fraction(6, 10)


@pytest.mark.rule("mars.advantage.die_choice")
def test_advice_names_the_die() -> None:
    (situation,) = advise(reroll((Shown(10, 3), Shown(4, 1)), 10)).choices
    assert situation.best.id == "d10:3"
    assert situation.best.value == Fraction(1, 5)
    # one point is missing: six faces of the d10 are higher than 4, three of the d4 higher than 1
    (near,) = advise(reroll((Shown(10, 4), Shown(4, 1)), 6)).choices
    assert {worth.id: worth.value for worth in near.options} == {"d10:4": Fraction(6, 10), "d4:1": Fraction(3, 4)}
    assert near.best.id == "d4:1"


@pytest.mark.rule("mars.advantage.disadvantage")
def test_advice_on_a_disadvantage_offers_only_the_greatest_dice() -> None:
    tied = advise(reroll((Shown(10, 4), Shown(4, 4), Shown(4, 1)), 9, keep="worse"))
    assert [worth.id for worth in tied.choices[0].options] == ["d10:4", "d4:4"]
    assert advise(reroll((Shown(10, 5), Shown(4, 4)), 9, keep="worse")).choices == ()


def test_too_many_rerolls_by_choice_are_refused_at_once() -> None:
    with pytest.raises(TooComplexError, match="max_gain"):
        odds(check(R("r160"), 80, 3, advantage_die_choice="ask"))
    with pytest.raises(TooComplexError):
        odds(contest(R("r60"), R("r60"), b_advantage=3, advantage_die_choice="ask"))
    with pytest.raises(InvalidInputError):
        check(R("r16"), 14, advantage=11)


# ---------------------------------------------------------------------- two sides, several members


def differences(a: str, b: str) -> dict[int, Fraction]:
    """Differences of two rolls with their counts, by brute force."""
    chances: dict[int, Fraction] = {}
    for first, chance in brute_force(R(a).rolled()).items():
        for second, other in brute_force(R(b).rolled()).items():
            chances[first - second] = chances.get(first - second, Fraction(0)) + chance * other
    return chances


@pytest.mark.rule("mars.opposed.difficulty_setting")
def test_opposed_examples() -> None:
    for example in LEDGER["mars.opposed.difficulty_setting"].examples:
        expect = example["expect"]
        outcome = expect if isinstance(expect, str) else expect["outcome"]
        attack, deflection = example["given"]["attack"], example["given"]["deflection"]
        call = opposed(R("r20"), R("r20"))
        assert play(call, TypedDice([attack - 5, 5, deflection - 5, 5])).result.value == outcome


@pytest.mark.rule("mars.opposed.difficulty_setting", "mars.opposed.contest")
@each_case(("a", "b"), [("r14", "r12+1"), ("r6", "r16"), ("r22", "r4-2")])
def test_opposed_rolls_and_contests_against_all_rolls(a: str, b: str) -> None:
    degrees: dict[Degree, Fraction] = {}
    expected: dict[Contested, Fraction] = {}
    for difference, chance in differences(a, b).items():
        degree, contested = degree_of(difference), Contested.of(difference)
        degrees[degree] = degrees.get(degree, Fraction(0)) + chance
        expected[contested] = expected.get(contested, Fraction(0)) + chance
    assert dict(odds(opposed(R(a), R(b))).fractions()) == degrees
    assert dict(odds(contest(R(a), R(b))).fractions()) == expected
    nobody = expected.pop(Contested(Degree.FAILURE, Degree.FAILURE), Fraction(0))
    rerolled = odds(contest(R(a), R(b), "reroll"))
    assert rerolled.again == nobody
    assert dict(rerolled.fractions()) == {result: chance / (1 - nobody) for result, chance in expected.items()}


@pytest.mark.rule("mars.opposed.contest")
def test_a_tie_is_rolled_again_or_not() -> None:
    assert play(contest(R("r10"), R("r10")), TypedDice([4, 4])).result.winner is None
    assert play(contest(R("r10"), R("r10"), "reroll"), TypedDice([4, 4, 5, 3])).result.winner == "a"


@pytest.mark.rule("mars.advantage.die_choice")
def test_an_opponent_chooses_against_the_one_who_acts() -> None:
    asked = odds(opposed(R("r12"), R("r14"), against_advantage=1, advantage_die_choice="ask"))
    fixed = odds(opposed(R("r12"), R("r14"), against_advantage=1))
    assert asked.chance(lambda degree: degree.succeeds) <= fixed.chance(lambda degree: degree.succeeds)
    mirror = odds(contest(R("r14"), R("r14"), "reroll", 1, 0, 1, 0, "max_gain"))
    assert mirror.chance(lambda result: result.winner == "a") == Fraction(1, 2)


@pytest.mark.rule("mars.check.group_action")
@pytest.mark.parametrize(("mode", "pick"), [("best", max), ("worst", min)])
def test_a_group_counts_its_best_or_worst_total(mode: Any, pick: Callable[[tuple[int, ...]], int]) -> None:
    members = tuple(map(R, ("r6", "r10+1", "r12")))
    expected: dict[Degree, Fraction] = {}
    for rolls in product(*[brute_force(one.rolled()).items() for one in members]):
        degree = degree_of(pick(tuple([total for total, _ in rolls])) - 8)
        expected[degree] = expected.get(degree, Fraction(0)) + prod([chance for _, chance in rolls])
    assert dict(odds(group_action(members, 8, mode)).fractions()) == expected
    with pytest.raises(InvalidInputError, match="members"):
        odds(group_action((), 8, mode))


# ---------------------------------------------------------------------- properties and declarations


@pytest.mark.rule("mars.opposed.contest")
def test_a_contest_of_several_agrees_with_counting_every_roll() -> None:
    values = (R("r6"), R("r4"), R("r4+1"))
    won: Counter[int] = Counter()
    for faces in product(range(1, 7), range(1, 5), range(1, 5)):
        totals = [face + value.modifier for face, value in zip(faces, values, strict=True)]
        best = [number for number, total in enumerate(totals, 1) if total == max(totals)]
        won[best[0] if len(best) == 1 else 0] += 1
    winners = odds(contest_of_several(values)).map(lambda result: result.winner)
    assert {winner: winners[winner] for winner in won} == {one: Fraction(n, 96) for one, n in won.items()}
    again = odds(contest_of_several((R("r4"), R("r4"), R("r4")), "reroll"))
    assert again.chance(lambda result: result.winner == 2) == Fraction(1, 3)
    assert again.chance(lambda result: result.winner == 0) == 0
    two, alone = odds(contest_of_several((R("r16"), R("r14")))), odds(contest(R("r16"), R("r14")))
    critical = two.chance(lambda result: result == (1, Degree.CRITICAL))
    assert critical == alone.chance(lambda result: result.a is Degree.CRITICAL)
    objectives = contest_of_several((R("r4"), R("r4"))).mechanic.objectives
    for name, wanted in {"win": (0, 1, 0), "no_defeat": (1, 1, 0), "critical": (0, 1, 0)}.items():
        value = objectives[name]
        assert tuple([value(Competition(winner, Degree.CRITICAL)) for winner in (0, 1, 2)]) == wanted
    with pytest.raises(InvalidInputError, match="1 compete; 2 to 20 can"):
        odds(contest_of_several((R("r4"),)))


@pytest.mark.rule("mars.effect.dying")
def test_number_of_dying_checks() -> None:
    long = odds(dying_checks(R("r10"), -3))
    assert long.chance(lambda struggle: struggle.survives) == odds(dying(R("r10"), -3)).chance(bool)
    at_once = odds(dying_check(R("r10"), -3)).chance(lambda count: count.successes == 2)
    second = odds(dying_check(R("r10"), -4))
    some = second.chance(lambda count: count.successes >= 1)
    most = second.chance(lambda count: count.successes >= 2)
    once = odds(dying_check(R("r10"), -3)).chance(lambda count: count.successes == 1)
    assert long.chance(lambda struggle: struggle == (2, True)) == at_once * some + once * most
    assert long.chance(lambda struggle: struggle.checks < 2) == 0
    assert play(dying_checks(R("r10"), -1), TypedDice([8, 3])).result == (2, True)
