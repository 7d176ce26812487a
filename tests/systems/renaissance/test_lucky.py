"""Luck: gifts of some characters, contests with Luck on both sides, all rolls tried out; points gained and lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, person, session_of, somebody
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.systems.renaissance.mechanics.checks import check, lucky_check, opposed, ordered, variable
from tablewright.systems.renaissance.mechanics.luck import (
    CONTEST_OBJECTIVES,
    Contest,
    gifted_check,
    lucky_contest,
    two_rolls,
)
from tablewright.systems.renaissance.values import Grade, Lucky, Side, Variable, flipped

WINS = {Side.A: Variable.A_WINS, Side.B: Variable.B_WINS}


@pytest.mark.parametrize(("target", "luck", "penalties"), [(60, 0, 0), (60, 1, 0), (40, 2, 20), (35, 3, 30)])
def test_without_gifts_it_is_a_check_with_luck(target: int, luck: int, penalties: int) -> None:
    for objective in ("success", "grade", "thrifty_success"):
        plain = odds(lucky_check(target, luck, penalties), objective=objective)
        assert odds(gifted_check(target, luck, penalties), objective=objective) == plain


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_daring_adds_twenty_before_the_roll() -> None:
    assert LEDGER["renaissance.gap.class.daredevil"].data["bonus"] == 20
    dared = odds(gifted_check(40, 1, daring=20), objective="success").chance(lambda result: result.grade.succeeds)
    # a flip after the roll is better than 20 more before it: every failure that swaps below the target is saved
    saved = sum([rolled > 40 >= flipped(rolled) for rolled in range(100)])
    assert dared == Fraction(max(61, 41 + saved), 100)
    chosen = advise(gifted_check(70, 1, daring=20), objective="success").choices[0]
    assert chosen.question == "dare it, for +20"
    assert play(
        gifted_check(40, 1, daring=20),
        TypedDice([60]),
        lambda asked: 0 if "no" not in asked.ids else asked.ids.index("yes"),
    ).result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_nobody_dares_without_a_point() -> None:
    assert odds(gifted_check(40, 0, daring=20)).chance(lambda result: result.grade.succeeds) == Fraction(41, 100)
    both = odds(gifted_check(40, 1, 20, 20), objective="success")
    assert max(result.spent for result in both) == 1
    assert max(result.spent for result in odds(gifted_check(0, 2, 20, 20), objective="success")) == 2


@pytest.mark.rule("renaissance.gap.race.social_animal")
@pytest.mark.parametrize("target", [10, 50, 90])
def test_a_second_roll_binds(target: int) -> None:
    first = Fraction(min(target, 98) + 1, 100)
    again = odds(gifted_check(target, 1, second_roll=True), objective="success")
    saved = Fraction(sum([rolled > target >= flipped(rolled) for rolled in range(100)]), 100)
    assert again.chance(lambda result: result.grade.succeeds) == first + saved + (1 - first - saved) * first


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_ungraded_checks_cannot_be_upgraded() -> None:
    results = odds(gifted_check(60, 3, graded=False), objective="grade")
    assert {result.grade for result in results} == {Grade.NORMAL_SUCCESS, Grade.NORMAL_FAILURE}
    assert odds(gifted_check(60, 0, graded=False)).chance(lambda result: result.grade.succeeds) == Fraction(61, 100)
    assert odds(check(60)).chance(lambda grade: grade.succeeds) == Fraction(61, 100)


@pytest.mark.rule("renaissance.luck.limit")
def test_the_limit_holds_for_gifts_too() -> None:
    most = max(result.spent for result in odds(gifted_check(40, 5, 20, 20, True), objective="grade"))
    assert most > 1
    limited = odds(gifted_check(40, 5, 20, 20, True, luck_per_check=1), objective="grade")
    assert max(result.spent for result in limited) == 1


# ---------------------------------------------------------------------- contests


def results(call: Any) -> dict[Variable, Fraction]:
    """The chance of each result of a contest, whatever was spent on it."""
    exact = odds(call)
    found = dict.fromkeys(Variable, Fraction(0))
    for one in exact:
        found[one.result] += exact[one]
    return found


@pytest.mark.rule("renaissance.opposed.resolve", "renaissance.opposed.ordered", "renaissance.opposed.variable")
@pytest.mark.parametrize(("a", "b"), [(60, 50), (20, 90), (98, 98), (0, 40)])
def test_without_luck_contests_are_the_plain_checks(a: int, b: int) -> None:
    for call, plain in (
        (lucky_contest(a, b), opposed(a, b)),
        (lucky_contest(a, b, way="ordered"), ordered(a, b)),
        (lucky_contest(a, b, way="ordered", ordered_first_failure="reroll"), ordered(a, b, "reroll")),
    ):
        exact = odds(plain)
        chances = results(call)
        for side, result in WINS.items():
            assert chances[result] == exact[side]
    exact_variable = odds(variable(a, b))
    assert results(lucky_contest(a, b, way="variable")) == {one: exact_variable[one] for one in Variable}


def test_the_known_odds_of_an_opposed_check() -> None:
    assert odds(opposed(90, 75))[Side.A] == Fraction(1029, 1618)
    assert odds(lucky_contest(90, 75)).chance(lambda one: one.result is Variable.A_WINS) == Fraction(1029, 1618)


@pytest.mark.rule("renaissance.luck.flip")
def test_a_point_after_both_rolls_by_all_pairs() -> None:
    """A has one point and flips whenever that wins; ties and double failures go on without it."""

    def value(first: int, second: int, luck: int) -> Fraction | None:
        mine = [first] + ([flipped(first)] if luck else [])
        margins = [roll if roll <= 40 else -1 for roll in mine]
        other = second if second <= 60 else -1
        if any(margin > other for margin in margins):
            return Fraction(1)
        if margins[0] == other or any(margin == other for margin in margins):
            return None  # again; the point is kept where it is not needed for it
        return Fraction(0)

    pairs = [(a, b) for a in range(100) for b in range(100)]
    plain = odds(lucky_contest(40, 60)).chance(lambda one: one.result is Variable.A_WINS)
    won = sum([value(a, b, 1) == 1 for a, b in pairs])
    kept = [(a, b) for a, b in pairs if value(a, b, 1) is None]
    free = sum([(a if a <= 40 else -1) == (b if b <= 60 else -1) for a, b in kept])  # no point spent for another try
    paid = len(kept) - free
    # what is kept goes on with the point, what was paid for goes on without
    expected = (won + paid * plain) / Fraction(10_000 - free)
    assert odds(lucky_contest(40, 60, 1), objective="win").chance(lambda one: one.result is Variable.A_WINS) == expected


@pytest.mark.rule("renaissance.opposed.ordered", "renaissance.luck.flip")
def test_a_failed_first_roll_can_be_flipped_before_the_second_side_rolls() -> None:
    yes = lambda asked: asked.ids.index("yes")  # noqa: E731 - one answer to every question
    no = lambda asked: asked.ids.index("no")  # noqa: E731
    call = lucky_contest(50, 40, 1, 0, way="ordered")
    assert play(call, TypedDice([71]), no).result == Contest(Variable.B_WINS, 0, 0)
    assert play(call, TypedDice([71, 30]), yes).result == Contest(Variable.B_WINS, 1, 0)  # 17 against 30
    assert play(call, TypedDice([71, 99]), yes).result == Contest(Variable.A_WINS, 1, 0)
    assert play(call, TypedDice([99]), yes).result == Contest(Variable.B_WINS, 0, 0)  # nothing is asked: 99 stays 99


@pytest.mark.rule("renaissance.luck.ignore_penalties")
def test_both_sides_may_ignore_their_penalties() -> None:
    call = lucky_contest(30, 30, 1, 1, 20, 20)
    answers = iter(["yes", "no"])
    played = play(call, TypedDice([45, 60]), lambda asked: asked.ids.index(next(answers, "no")))
    assert played.result == Contest(Variable.A_WINS, 1, 0)
    limited = odds(lucky_contest(30, 30, 3, 0, 20, luck_per_check=1), objective="win")
    assert max(one.a_spent for one in limited) == 1


def test_a_point_is_worth_a_tenth_of_a_win() -> None:
    thrifty = CONTEST_OBJECTIVES["thrifty_win"]
    assert thrifty(Contest(Variable.A_WINS, 2, 0)) == Fraction(8, 10)
    assert thrifty(Contest(Variable.A_WINS, 0, 1)) == Fraction(11, 10)
    assert thrifty(Contest(Variable.BOTH_PARTIAL, 1, 1)) == 0
    assert [CONTEST_OBJECTIVES["no_defeat"](Contest(result, 0, 0)) for result in Variable] == [1, 1, 0]


def test_results_of_two_rolls() -> None:
    assert tuple(play(two_rolls(50, 50), TypedDice([21, 15])).result) == (1, -1, 1, 1)  # 51 fails
    ends = play(two_rolls(50, 50), TypedDice([14, 23])).result
    assert tuple(ends) == (-1, 1, -1, 1)  # 14 or 41 against 23 or 32


# ---------------------------------------------------------------------- points come and go


@pytest.mark.rule("renaissance.luck.regain", "renaissance.luck.stat")
def test_luck_comes_back_up_to_the_stat() -> None:
    spent = person("soldier").harm.changed(luck=0)
    session = session_of({"ann": person("soldier", harm=spent)})
    for now, why in enumerate(("session", "motivation", "roleplaying")):
        session.do("renaissance.luck", who="ann", why=why)
        assert session.scene["ann"].status.luck == now + 1
    session.do("renaissance.luck", who="ann", why="session")
    assert (session.result, session.scene["ann"].status.luck) == (0, 3)  # the Luck stat is 3
    data = LEDGER["renaissance.luck.regain"].data
    assert {data["session_start"], data["motivation_success"], data["roleplaying"]} == {1}


@pytest.mark.rule("renaissance.luck.lose")
@pytest.mark.parametrize("why", ["failed_motivation", "poor_roleplaying"])
def test_luck_is_lost_down_to_none(why: str) -> None:
    session = session_of({"ann": somebody(luck=1)})
    for lost in (-1, 0):
        session.do("renaissance.luck", who="ann", why=why)
        assert (session.result, session.scene["ann"].status.luck) == (lost, 0)
