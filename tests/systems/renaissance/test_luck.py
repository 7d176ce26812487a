"""Luck: points that come and go, what they do on checks, in contests and in fights, gifts, and limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, choosing, last
from systems.playing import asked as offered
from systems.renaissance.fights import at_home, duel, fighter, held, playing, then, went, with_status
from systems.renaissance.folk import LEDGER, OPTIONS, creature, plan, session_of
from tablewright.dice import TypedDice
from tablewright.engine import Choice, Playthrough, Trace, odds, play
from tablewright.engine import advise as advice
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.actions.attack import worth_of
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.record import Harm
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.checks import check, lucky_check, opposed, ordered, variable
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.harm import Defence, keep_up
from tablewright.systems.renaissance.mechanics.luck import (
    CONTEST_OBJECTIVES,
    Contest,
    Done,
    gifted_check,
    lucky_contest,
    lucky_simple,
    rolled_contest,
    two_rolls,
)
from tablewright.systems.renaissance.mechanics.turn import resist, stress
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import DV, Grade, Lucky, Quality, Side, Variable, flipped

SNEAK = creature("Ann", COO=20, skills={"stealth": 40})
ANN = fighter("Ann", ("short_sword", "main"))
DARING = "renaissance.gap.class.daredevil"
WINS = {Side.A: Variable.A_WINS, Side.B: Variable.B_WINS}


def luck(session: Session, who: str = "ann") -> int:
    """The points of Luck that a character has left."""
    return int(session.scene[who].status.luck)


def asked(session: Any) -> str:
    """Key of the open question."""
    return str(session.question.question)


def always(option: str) -> Any:
    """A policy that gives one answer wherever it is offered."""
    return lambda ask: ask.ids.index(option) if option in ask.ids else 0


# ---------------------------------------------------------------------- points come and go


@pytest.mark.rule("renaissance.luck.regain", "renaissance.luck.lose", "renaissance.luck.stat")
def test_luck_is_gained_and_lost_within_its_bounds() -> None:
    session = playing(with_status(at_home(fighter("Ann", luck=3)), "ann", luck=0), "renaissance.rest", days=1)
    for why, left, change in (
        ("session", 1, 1),
        ("motivation", 2, 1),
        ("roleplaying", 3, 1),
        ("session", 3, 0),  # the Luck stat is 3
        ("failed_motivation", 2, -1),
        ("poor_roleplaying", 1, -1),
        ("failed_motivation", 0, -1),
        ("failed_motivation", 0, 0),
    ):
        then(session, "luck", who="ann", why=why)
        assert (luck(session), session.result) == (left, change)
    data = LEDGER["renaissance.luck.regain"].data
    assert {data["session_start"], data["motivation_success"], data["roleplaying"]} == {1}


# ---------------------------------------------------------------------- checks in a scene


def checking(one: Any, what: str, *situation: str, options: RenaissanceOptions = OPTIONS) -> Session:
    """A character in the middle of a check."""
    session = session_of({"ann": one}, options)
    session.do("table.check", who="ann", what=what, situation=list(situation))
    return session


@pytest.mark.rule("renaissance.luck.stat", "renaissance.luck.flip", "renaissance.luck.ignore_penalties")
def test_luck_spent_on_a_check_is_gone() -> None:
    session = answer(checking(SNEAK.changed(luck=2), "stealth"), 94, "flip")
    assert session.result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    assert luck(session) == rulebook.export_character(session.scene, "ann").harm.luck == 1
    hurt = SNEAK.changed(luck=1, harm=Harm(wounds=2))
    session = answer(checking(hurt, "stealth", "difficulty=hard", "helpers=1"), "yes", 70)  # penalties of every kind
    assert (session.result, luck(session)) == (Lucky(Grade.EXCEPTIONAL_SUCCESS, 1), 0)
    lucky = SNEAK.changed(luck=2)  # a check names how much it may take
    assert answer(checking(lucky, "stealth", "luck=0"), 94).result is Grade.EXCEPTIONAL_FAILURE
    assert "luck" not in plan("stealth", lucky).call.named_arguments()  # outside of a scene
    assert plan("stealth", lucky, luck=1).call.named_arguments()["luck"] == 1
    with pytest.raises(IllegalActionError) as error:
        plan("stealth", SNEAK.changed(luck=1), luck=2)
    assert error.value.rule == "renaissance.luck.stat"
    assert plan("stealth", SNEAK.changed(luck=1), luck=1).private


@pytest.mark.rule("renaissance.gap.race.social_animal")
def test_humans_roll_social_checks_again() -> None:
    human = creature(race="human", luck=1, skills={"persuasion": 20})
    session = answer(checking(human, "persuasion"), 90, "yes", 12)
    assert (session.result, luck(session)) == (Lucky(Grade.NORMAL_SUCCESS, 1), 0)
    for one, what, options in (
        (human, "stealth", OPTIONS),
        (human, "persuasion", RenaissanceOptions(social_animal="off")),
        (creature(luck=1), "persuasion", OPTIONS),
    ):
        assert "keep the result" in offered(answer(checking(one, what, options=options), 90))


@pytest.mark.rule("renaissance.simple.check", "renaissance.luck.flip", DARING)
def test_luck_serves_on_simple_checks_and_upgrades_nothing() -> None:
    def done(rolled: int, *more: int, target: int = 40, **given: Any) -> Done:
        call = lucky_simple(target, **given)
        return play(call, TypedDice([rolled, *more]), always("yes")).result

    assert done(93, luck=1) == Done(Quality.EXCEL, 1)  # turned it is 39
    assert done(93, luck=1, target=39) == Done(Quality.EXCEL, 1)  # exactly what it takes
    assert done(14, luck=1) == Done(Quality.EXCEL, 0)  # nothing to turn
    assert done(95, luck=1) == Done(Quality.STUMBLE, 0)
    # The only point ignores the penalty of 20 before the roll; 93 stays above 60, and nothing is left to make it 39.
    assert done(93, luck=1, penalties=20) == Done(Quality.STUMBLE, 1)
    assert done(93, luck=2, penalties=20) == Done(Quality.EXCEL, 2)
    assert done(70, luck=3, penalties=10, daring=20) == Done(Quality.EXCEL, 2)
    assert done(50, luck=3, penalties=10, daring=20, luck_per_check=1) == Done(Quality.EXCEL, 1)
    assert done(95, 40, luck=1, second_roll=True) == Done(Quality.EXCEL, 1)
    assert odds(lucky_simple(40, 0))[Done(Quality.EXCEL, 0)] == Fraction(41, 100)
    ann = creature("Ann", luck=2, skills={"stealth": 20})
    assert plan("stealth", ann, simple=True, luck=1).call.mechanic is lucky_simple
    target = plan("stealth", ann, simple=True).tallies["target"].total
    session = checking(ann, "stealth", "simple=yes")
    assert luck(answer(session, 89 + target // 10, "yes")) == 1  # turned it is less than the target


# ---------------------------------------------------------------------- gifts on checks


@pytest.mark.parametrize(("target", "points", "penalties"), [(60, 0, 0), (60, 1, 0), (40, 2, 20), (35, 3, 30)])
def test_without_gifts_it_is_a_check_with_luck(target: int, points: int, penalties: int) -> None:
    for objective in ("success", "grade", "thrifty_success"):
        plain = odds(lucky_check(target, points, penalties), objective=objective)
        assert odds(gifted_check(target, points, penalties), objective=objective) == plain


def succeeds(result: Lucky) -> bool:
    """True if a check with Luck succeeds."""
    return result.grade.succeeds


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_daring_adds_twenty_before_the_roll() -> None:
    assert LEDGER["renaissance.gap.class.daredevil"].data["bonus"] == 20
    dared = odds(gifted_check(40, 1, daring=20), objective="success").chance(succeeds)
    # a flip after the roll is better than 20 more before it: every failure that swaps below the target is saved
    saved = sum([rolled > 40 >= flipped(rolled) for rolled in range(100)])
    assert dared == Fraction(max(61, 41 + saved), 100)
    chosen = advice(gifted_check(70, 1, daring=20), objective="success").choices[0]
    assert chosen.question == "dare it, for +20"
    won = play(gifted_check(40, 1, daring=20), TypedDice([60]), always("yes")).result
    assert won == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    session = answer(checking(SNEAK.changed(luck=5, classes=("daredevil",)), "stealth"), "yes", 80, "keep the result")
    assert session.result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)


@pytest.mark.rule("renaissance.gap.class.daredevil", "renaissance.luck.limit")
def test_nobody_dares_without_a_point_or_above_the_limit() -> None:
    def most(*given: Any, objective: str = "success", **more: Any) -> int:
        return max([result.spent for result in odds(gifted_check(*given, **more), objective=objective)])

    assert odds(gifted_check(40, 0, daring=20)).chance(succeeds) == Fraction(41, 100)
    assert (most(40, 1, 20, 20), most(0, 2, 20, 20)) == (1, 2)
    assert most(40, 5, 20, 20, True, objective="grade") > 1
    assert most(40, 5, 20, 20, True, objective="grade", luck_per_check=1) == 1


@pytest.mark.rule("renaissance.gap.race.social_animal")
@pytest.mark.parametrize("target", [10, 50, 90])
def test_a_second_roll_binds(target: int) -> None:
    first = Fraction(min(target, 98) + 1, 100)
    again = odds(gifted_check(target, 1, second_roll=True), objective="success")
    saved = Fraction(sum([rolled > target >= flipped(rolled) for rolled in range(100)]), 100)
    assert again.chance(succeeds) == first + saved + (1 - first - saved) * first


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_ungraded_checks_cannot_be_upgraded() -> None:
    results = odds(gifted_check(60, 3, graded=False), objective="grade")
    assert {result.grade for result in results} == {Grade.NORMAL_SUCCESS, Grade.NORMAL_FAILURE}
    assert odds(gifted_check(60, 0, graded=False)).chance(succeeds) == Fraction(61, 100)
    assert odds(check(60)).chance(lambda grade: grade.succeeds) == Fraction(61, 100)


# ---------------------------------------------------------------------- contests


def results(call: Any) -> dict[Variable, Fraction]:
    """The chance of each result of a contest, whatever was spent on it."""
    exact = odds(call)
    found = dict.fromkeys(Variable, Fraction(0))
    for one in exact:
        found[one.result] += exact[one]
    return found


def wins(contest: Contest) -> bool:
    """True if A wins."""
    return contest.result is Variable.A_WINS


@pytest.mark.rule("renaissance.opposed.resolve", "renaissance.opposed.ordered", "renaissance.opposed.variable")
@pytest.mark.parametrize(("a", "b"), [(60, 50), (20, 90), (98, 98), (0, 40)])
def test_without_luck_contests_are_the_plain_checks(a: int, b: int) -> None:
    for call, plain in (
        (lucky_contest(a, b), opposed(a, b)),
        (lucky_contest(a, b, way="ordered"), ordered(a, b)),
        (lucky_contest(a, b, way="ordered", ordered_first_failure="reroll"), ordered(a, b, "reroll")),
    ):
        exact, found = odds(plain), results(call)
        assert {result: found[result] for result in WINS.values()} == {WINS[side]: exact[side] for side in WINS}
    exact_variable = odds(variable(a, b))
    assert results(lucky_contest(a, b, way="variable")) == {one: exact_variable[one] for one in Variable}


@pytest.mark.rule("renaissance.luck.flip")
def test_a_point_after_both_rolls_by_all_pairs() -> None:
    """A has one point and flips whenever that wins; ties and double failures go on without it."""

    def value(first: int, second: int) -> Fraction | None:
        margins = [roll if roll <= 40 else -1 for roll in (first, flipped(first))]
        other = second if second <= 60 else -1
        if any(margin > other for margin in margins):
            return Fraction(1)
        if other in margins:
            return None  # again; the point is kept where it is not needed for it
        return Fraction(0)

    pairs = [(a, b) for a in range(100) for b in range(100)]
    plain = odds(lucky_contest(40, 60)).chance(wins)
    won = sum([value(a, b) == 1 for a, b in pairs])
    kept = [(a, b) for a, b in pairs if value(a, b) is None]
    free = sum([(a if a <= 40 else -1) == (b if b <= 60 else -1) for a, b in kept])  # no point spent for another try
    paid = len(kept) - free
    # what is kept goes on with the point, what was paid for goes on without
    expected = (won + paid * plain) / Fraction(10_000 - free)
    assert odds(lucky_contest(40, 60, 1), objective="win").chance(wins) == expected


@pytest.mark.rule("renaissance.luck.flip")
def test_a_flip_that_helps_nobody_is_not_offered() -> None:
    """28 against 40, and 82 is no success with 45: the point would be lost."""
    for target, offered_flip in ((45, False), (90, True)):
        contest = Playthrough(rolled_contest(target, 40, 1, 0))
        contest.type_in([28])
        contest.type_in([40])
        assert isinstance(contest.question, Choice) is offered_flip


@pytest.mark.rule("renaissance.opposed.ordered", "renaissance.luck.flip")
@pytest.mark.parametrize(
    ("rolled", "flips", "result", "spent"),
    [
        ([71], "no", Variable.B_WINS, 0),
        ([71, 30], "yes", Variable.B_WINS, 1),  # 17 against 30
        ([71, 99], "yes", Variable.A_WINS, 1),
        ([99], "yes", Variable.B_WINS, 0),  # nothing is asked: 99 stays 99
    ],
)
def test_a_failed_first_roll_can_be_flipped_before_the_second_side_rolls(
    rolled: list[int], flips: str, result: Variable, spent: int
) -> None:
    call = lucky_contest(50, 40, 1, 0, way="ordered")
    assert play(call, TypedDice(rolled), always(flips)).result == Contest(result, spent, 0)


@pytest.mark.rule("renaissance.luck.ignore_penalties")
def test_both_sides_may_ignore_their_penalties() -> None:
    call = lucky_contest(30, 30, 1, 1, 20, 20)
    assert play(call, TypedDice([45, 60]), choosing("yes", "no", "no")).result == Contest(Variable.A_WINS, 1, 0)
    limited = odds(lucky_contest(30, 30, 3, 0, 20, luck_per_check=1), objective="win")
    assert max(one.a_spent for one in limited) == 1


def test_a_point_is_worth_a_tenth_of_a_win() -> None:
    thrifty = CONTEST_OBJECTIVES["thrifty_win"]
    assert thrifty(Contest(Variable.A_WINS, 2, 0)) == Fraction(8, 10)
    assert thrifty(Contest(Variable.A_WINS, 0, 1)) == Fraction(11, 10)
    assert thrifty(Contest(Variable.BOTH_PARTIAL, 1, 1)) == 0
    assert [CONTEST_OBJECTIVES["no_defeat"](Contest(result, 0, 0)) for result in Variable] == [1, 1, 0]
    # None ignores penalties of 10 that way, all of them turn a defeat.
    call = lucky_contest(50, 50, 1, a_penalties=10)
    free, spent = [odds(call, *aim).expected(lambda contest: contest.a_spent) for aim in (("win",), ())]
    assert spent < free


def test_results_of_two_rolls() -> None:
    assert tuple(play(two_rolls(50, 50), TypedDice([21, 15])).result) == (1, -1, 1, 1)  # 51 fails
    ends = play(two_rolls(50, 50), TypedDice([14, 23])).result
    assert tuple(ends) == (-1, 1, -1, 1)  # 14 or 41 against 23 or 32


# ---------------------------------------------------------------------- daring in fights


def bold(name: str = "Bob", points: int = 2, **more: Any) -> Any:
    """A Daredevil with some Luck."""
    return fighter(name, ("mace", "main"), classes=("daredevil",), luck=points, **more)


@pytest.mark.rule(DARING, "renaissance.luck.ignore_penalties", "renaissance.defense.fray")
def test_a_daredevil_dares_a_defence() -> None:
    session = went(with_status(duel(ANN, bold()), "bob", wounds=1), "attack:bob:short_sword", "plain", 29)
    fray = now(session.scene, "bob").skill("fray").total
    assert {"fray", "fray:dare", "fray:ignore_penalties", "fray:ignore_penalties:dare"} <= set(offered(session))
    labels = {one.id: one.label for one in session.question.options}  # type: ignore[union-attr]
    assert labels["fray:ignore_penalties:dare"] == f"fray at {fray + 30}, ignoring penalties, daring it"
    answer(session, "fray:dare", fray + 20)
    assert last(session, "Attacked").result == "miss"
    assert luck(session, "bob") == 1
    plain = went(duel(ANN, fighter("Bob", luck=2)), "attack:bob:short_sword", "plain", 29)
    assert not [one for one in getattr(plain.question, "ids", ()) if "dare" in one]


@pytest.mark.rule(DARING)
def test_a_character_who_has_dared_a_defence_stands_by_it_when_a_tie_is_rolled_again() -> None:
    call = clash(60, (Defence("fray", 40, 0, 20),), 0, 2)
    done = play(call, TypedDice([50, 50, 55, 57]), always("fray:dare"))
    assert (done.result.hit, done.result.their_luck) == (False, 1)
    assert [one for one in odds(call, "hit").outcomes if one.their_luck > 2] == []


@pytest.mark.rule(DARING, "renaissance.injury.knockdown", "renaissance.luck.ignore_penalties")
def test_a_daredevil_dares_to_stay_on_their_feet() -> None:
    assert play(keep_up(30, luck=1, daring=20), TypedDice([50]), always("yes")).result == (True, 1)
    with_it = odds(keep_up(30, luck=1, daring=20), "passed").chance(lambda kept: kept.passed)
    assert with_it == Fraction(51, 100)
    scene = held(duel(ANN, bold(points=1, SOM=10)), "bob", "unaware")
    session = went(scene, "attack:bob:short_sword", "plain", 29, (4, 4))
    assert asked(session) == "ignore the penalties on the check"
    answer(session, "no")
    assert asked(session) == "dare it, for +20"
    answer(session, "yes", 30)  # SOM x3 is 30, less 20 for two wounds
    assert (last(session, "Attacked").wounds, session.scene["bob"].status.has("prone")) == (2, False)
    assert luck(session, "bob") == 0


@pytest.mark.rule(DARING, "renaissance.chemical.framework", "renaissance.stress.resist")
def test_a_daredevil_dares_to_resist() -> None:
    assert play(resist(30, luck=1, daring=20), TypedDice([50]), always("yes")).result == (True, 1)
    done = play(stress(DV(1), 30, luck=1, daring=20), TypedDice([50]), always("yes")).result
    assert (done.stress, done.luck) == (0, 1)
    session = playing(at_home(bold("Ann", 1), fighter("Bob")), "renaissance.stress", who="ann", source="torture")
    assert asked(session) == "dare it, for +20"
    answer(session, "yes", 60)
    assert (last(session, "Stressed").stress, luck(session)) == (0, 0)


# ---------------------------------------------------------------------- one limit for each check


@pytest.mark.rule("renaissance.luck.limit", "renaissance.injury.knockdown", "renaissance.stress.trauma_stun")
def test_the_limit_is_one_for_each_check() -> None:
    limited = attack(90, DV(0, 7), (Defence("fray", 20),), balance=10, their_luck=3, luck_per_check=1)
    assert max([one.their_luck for one in odds(limited, lambda one: 9 * one.prone + 9 * one.hit).outcomes]) == 2
    scene = duel(ANN, fighter("Bob", luck=3, SOM=10, skills={"unarmed_combat": 0}), luck_per_check=1)
    session = went(scene, "attack:bob:short_sword", "plain", 28, 13)  # turned it is 31
    assert asked(session) == "flip the defence"
    answer(session, "no", (2, 2))
    assert asked(session) == "ignore the penalties on the check"
    answer(session, "yes", 93)  # turned it would be 39, above SOM x3; no second point on one check
    assert luck(session, "bob") == 2
    call = stress(DV(0, 9), 20, nerves=20, penalties=10, luck=3, luck_per_check=1)
    done = play(call, TypedDice([90, 95]), lambda ask: 1).result
    assert (done.stress, done.traumas, done.luck) == (9, 1, 2)


@pytest.mark.rule("renaissance.injury.knockdown", "renaissance.check.waive")
def test_a_character_who_lies_on_the_ground_does_not_roll_to_stay_on_their_feet() -> None:
    scene = held(duel(ANN, fighter("Bob", luck=2)), "bob", "unaware")
    blow = ("attack:bob:short_sword", "plain", 29, (4, 4))
    assert asked(went(scene, *blow)) == "ignore the penalties on the check"
    struck = went(held(scene, "bob", "prone"), *blow)
    assert asked(struck) != "ignore the penalties on the check"
    assert last(struck, "Attacked").wounds == 2
    lying = attack(60, DV(2, 6), balance=None, ignoring=False)
    assert not any(one.prone for one in odds(lying).outcomes)
    assert worth_of(lying) == odds(lying, "worth").expected(lying.mechanic.objective("worth")[1])
    fallen = playing(held(duel(ANN, fighter("Bob")), "ann", "prone"), "renaissance.fall", who="ann", metres=6)
    answer(fallen, (9, 9, 9))
    assert (fallen.question, last(fallen, "Hurt").wounds) == (None, 4)


# ---------------------------------------------------------------------- what others see


@pytest.mark.rule("renaissance.luck.stat", "renaissance.gap.money.crafting", DARING)
def test_remaining_luck_is_told_to_nobody() -> None:
    assert play(resist(60, luck=5), TypedDice([30]), lambda ask: 0).result.luck == 0
    missed = play(clash(60, (), 5, 4), TypedDice([77]), lambda ask: 0).result
    assert (missed.luck, missed.their_luck) == (0, 0)
    smith = creature("Ann", COG=15, luck=3, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"),))
    session = then(session_of({"ann": smith}), "craft", 20, who="ann", item="mace", field="smith")
    answer(session, "keep the result")
    assert "luck" in [line for line in session.log if isinstance(line, Trace)][-1].private
    for points in (0, 2):
        me = now(duel(bold("Ann", points, race="human"), fighter("Bob")), "ann")
        assert (me.daring, me.rolls_twice("deception")) == (20, True)
