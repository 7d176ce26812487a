"""Gifts of classes and races in fights: instinct, daring, a second roll of social checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import arm, fighter, playing, scene_with, went, with_status
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.systems.renaissance.actions.aim import aim
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.luck import lucky_contest
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.values import DV, Variable

BOB = fighter("Bob", ("mace", "main"))


# ---------------------------------------------------------------------- Intuitive Fighter


def brawler(**ranks: int) -> Any:
    return fighter("Ann", ("mace", "main"), classes=("intuitive_fighter",), skills={"blunt_weapons": 0, **ranks})


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_instinct_strikes_without_ranks_and_without_special_grades() -> None:
    scene = scene_with((brawler(), 5, 5), (BOB, 6, 5))
    me = now(scene, "ann")
    assert (me.skill("blunt_weapons").total, me.graded("blunt_weapons")) == (20 + 20, False)  # SOM+COO
    session = went(scene, "attack:bob:mace", "mighty_blow", 22, 99, (3, 3), 10)  # a double, and still a plain hit
    hit = last(session, "Attacked")
    assert (hit.result, hit.special, hit.critical, hit.effect) == ("hit", False, False, False)
    assert hit.damage == 6 + 4 + 5  # the mace and DB; neither a bonus nor the dice twice
    trained = scene_with((brawler(blunt_weapons=20), 5, 5), (BOB, 6, 5))
    assert now(trained, "ann").graded("blunt_weapons")
    same = went(trained, "attack:bob:mace", "plain", 22, 99, (3, 3, 4, 4), 10)
    assert last(same, "Attacked").critical


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_no_luck_upgrades_what_has_no_grades() -> None:
    call = attack(60, DV(2), luck=2, graded=False)
    upgraded = odds(call, "damage")
    assert not any(one.special or one.critical for one in upgraded.outcomes)
    assert any(one.special for one in odds(attack(60, DV(2), luck=2), "damage").outcomes)


# ---------------------------------------------------------------------- Daredevil


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_a_daredevil_pays_a_point_for_20_on_an_attack() -> None:
    ann = fighter("Ann", ("short_sword", "main"), classes=("daredevil",), race="human", luck=2)
    scene = scene_with((ann, 5, 5), (BOB, 6, 5))
    session = went(scene, "attack:bob:short_sword")
    assert {"plain", "plain:dare", "maim:dare", "maim:ignore_penalties:dare"} <= set(offered(session))
    goal = now(scene, "ann").skill("bladed_weapons").total
    answer(session, "plain:dare", goal + 20, 99)  # just hits
    if session.question is not None and offered(session)[0].startswith("keep"):
        answer(session, "keep the result")
    answer(session, (2, 2), 10)
    assert last(session, "Attacked").result.endswith("hit")
    assert session.scene["ann"].status.luck == 1
    plain = went(
        scene_with((fighter("Ann", ("short_sword", "main"), luck=2), 5, 5), (BOB, 6, 5)), "attack:bob:short_sword"
    )
    assert not [one for one in offered(plain) if "dare" in one]


@pytest.mark.rule("renaissance.luck.limit", "renaissance.gap.class.daredevil")
def test_an_attack_takes_as_much_luck_as_there_is_on_both_sides() -> None:
    bold = fighter("Ann", ("short_sword", "main"), luck=6, classes=("daredevil",))
    scene = with_status(scene_with((bold, 5, 5), (fighter("Bob", luck=5), 6, 5)), "ann", wounds=2)
    session = went(scene, "attack:bob:short_sword", "plain:ignore_penalties:dare", 26, 99)
    assert offered(session) == ("keep the result", "flip", "upgrade", "flip and upgrade")
    told = aim(scene, "ann", "bob", arm(scene, "ann", "short_sword")).call.named_arguments()
    assert (told["luck"], told["their_luck"]) == (6, 5)


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_daring_in_contests_of_both_sides() -> None:
    def won(**given: Any) -> Fraction:
        found = odds(lucky_contest(40, 60, **given), "win")
        return found.expected(lambda contest: contest.result is Variable.A_WINS)

    assert won(a_luck=1, a_daring=20) > won(a_luck=1) > won()
    assert won(b_luck=1, b_daring=38) < won(b_luck=1) < won()
    dared = play(lucky_contest(40, 60, 1, a_daring=20), TypedDice([59, 30]), lambda ask: 1)
    assert (dared.result.result, dared.result.a_spent) == (Variable.A_WINS, 1)


# ---------------------------------------------------------------------- Social Animal


@pytest.mark.rule("renaissance.gap.race.social_animal")
@pytest.mark.parametrize(("option", "asked"), [("luck_reroll", True), ("off", False)])
def test_a_human_rolls_a_feint_again(option: Any, asked: bool) -> None:
    ann = fighter("Ann", ("short_sword", "main"), race="human", luck=1)
    scene = scene_with((ann, 5, 5), (BOB, 6, 5), social_animal=option)
    session = went(scene, "maneuver:bob:feint", 95, 10)  # a failure against a success
    assert session.question is not None
    assert (session.question.question == "roll again") is asked  # type: ignore[union-attr]
    if asked:
        answer(session, "yes", 60)
        assert last(session, "Contested").result == "won"
        assert session.scene["ann"].status.luck == 0


@pytest.mark.rule("renaissance.gap.race.social_animal")
def test_no_second_roll_of_what_is_not_social() -> None:
    ann = fighter("Ann", ("short_sword", "main"), race="human", luck=1)
    scene = scene_with((ann, 5, 5), (BOB, 6, 5))
    assert now(scene, "ann").rolls_twice("deception")
    assert not now(scene, "ann").rolls_twice("bladed_weapons")
    session = went(scene, "maneuver:bob:trip", 95, 10)
    assert session.question is None or session.question.question != "roll again"  # type: ignore[union-attr]


@pytest.mark.rule("renaissance.gap.race.social_animal", "renaissance.opposed.resolve")
def test_a_second_roll_against_all_that_can_come_of_it() -> None:
    """A point more or less: by hand over every pair of rolls and every second roll."""
    a, b = 40, 55

    def margin(rolled: int, goal: int) -> int:
        return rolled if rolled <= goal else -1

    def ahead(mine: int, theirs: int) -> int:
        return (mine > theirs) - (mine < theirs)

    ends = [ahead(margin(mine, a), margin(theirs, b)) for mine in range(100) for theirs in range(100)]
    once = Fraction(ends.count(1), ends.count(1) + ends.count(-1))  # a tie is rolled afresh
    won = lost = Fraction(0)
    for mine in range(100):
        for theirs in range(100):
            first = ahead(margin(mine, a), margin(theirs, b))
            if first != -1:
                won += first == 1
                continue
            again = [ahead(margin(rolled, a), margin(theirs, b)) for rolled in range(100)]
            tied = Fraction(again.count(0), 100)  # then both roll again, and the point is spent
            won += Fraction(again.count(1), 100) + tied * once
            lost += Fraction(again.count(-1), 100) + tied * (1 - once)
    expected = won / (won + lost)

    def only_again(ask: Any) -> int:
        return int(ask.question == "roll again")

    found = odds(lucky_contest(a, b, 1, a_again=True), policy=only_again)
    assert found.expected(lambda contest: contest.result is Variable.A_WINS) == expected


@pytest.mark.rule("renaissance.gap.race.social_animal")
def test_the_other_side_may_answer_in_kind() -> None:
    call = lucky_contest(60, 60, 1, 1, a_again=True, b_again=True)
    done = play(call, TypedDice([95, 30, 50, 55]), lambda ask: int(ask.question == "roll again"))
    assert done.result == (Variable.B_WINS, 1, 1)
    ordered = lucky_contest(60, 60, 1, way="ordered", a_again=True)
    again = play(ordered, TypedDice([95, 40, 30]), lambda ask: 1)  # before the other one rolls
    assert again.result == (Variable.A_WINS, 1, 0)


def test_luck_is_not_thrown_away_for_nothing() -> None:
    """Luck is weighed by bots: none ignores penalties of 10 that way, all of them turn a defeat."""
    session = playing(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)))
    assert session.question is not None
    free = odds(lucky_contest(50, 50, 1, a_penalties=10), "win").expected(lambda contest: contest.a_spent)
    thrifty = odds(lucky_contest(50, 50, 1, a_penalties=10)).expected(lambda contest: contest.a_spent)
    assert thrifty < free
