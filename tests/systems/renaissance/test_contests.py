"""Checks in a scene: Luck that is spent is gone, gifts of races and classes, contests of two characters."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, OPTIONS, plan, session_of, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.play.common_events import Checked
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.record import Harm
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import Grade, Lucky, Variable

ANN = somebody("Ann", COO=20, skills={"stealth": 40})


# ---------------------------------------------------------------------- Luck in free play


def checking(one: Any, what: str, *situation: str, options: RenaissanceOptions = OPTIONS) -> Session:
    """A character in the middle of a check."""
    session = session_of({"ann": one}, options)
    session.do("table.check", who="ann", what=what, situation=list(situation))
    return session


@pytest.mark.rule("renaissance.luck.stat", "renaissance.luck.flip")
def test_luck_spent_on_a_check_is_gone() -> None:
    session = checking(ANN.changed(luck=2), "stealth")
    session.type_in([94])
    session.choose("flip")
    assert session.result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    assert session.scene["ann"].status.luck == 1
    assert rulebook.export_character(session.scene, "ann").harm.luck == 1


@pytest.mark.rule("renaissance.luck.ignore_penalties")
def test_penalties_of_every_kind_are_ignored() -> None:
    hurt = ANN.changed(luck=1, harm=Harm(wounds=2))
    session = checking(hurt, "stealth", "difficulty=hard", "helpers=1")
    session.choose("yes")
    session.type_in([70])
    assert session.result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)
    assert session.scene["ann"].status.luck == 0


@pytest.mark.rule("renaissance.luck.stat")
def test_no_luck_goes_into_a_check_outside_a_scene_unless_it_is_named() -> None:
    lucky = ANN.changed(luck=2)
    assert "luck" not in plan("stealth", lucky).call.named_arguments()
    assert plan("stealth", lucky, luck=1).call.named_arguments()["luck"] == 1


@pytest.mark.rule("renaissance.luck.stat")
def test_a_check_names_how_much_luck_it_may_take() -> None:
    session = checking(ANN.changed(luck=2), "stealth", "luck=0")
    session.type_in([94])
    assert session.result is Grade.EXCEPTIONAL_FAILURE
    with pytest.raises(IllegalActionError) as error:
        plan("stealth", ANN.changed(luck=1), luck=2)
    assert error.value.rule == "renaissance.luck.stat"
    assert plan("stealth", ANN.changed(luck=1), luck=1).private


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_daredevils_dare() -> None:
    session = checking(ANN.changed(luck=5, classes=("daredevil",)), "stealth")
    session.choose("yes")
    session.type_in([80])
    session.choose("keep the result")
    assert session.result == Lucky(Grade.EXCEPTIONAL_SUCCESS, 1)


@pytest.mark.rule("renaissance.gap.race.social_animal")
def test_humans_roll_social_checks_again() -> None:
    human = somebody(race="human", luck=1, skills={"persuasion": 20})
    session = checking(human, "persuasion")
    session.type_in([90])
    session.choose("yes")
    session.type_in([12])
    assert session.result == Lucky(Grade.NORMAL_SUCCESS, 1)
    assert session.scene["ann"].status.luck == 0
    for one, what, options in (
        (human, "stealth", OPTIONS),
        (human, "persuasion", RenaissanceOptions(social_animal="off")),
        (somebody(luck=1), "persuasion", OPTIONS),
    ):
        session = checking(one, what, options=options)
        session.type_in([90])
        assert "keep the result" in session.question.ids  # type: ignore[union-attr]


# ---------------------------------------------------------------------- contests


def contest(one: Any, other: Any, *words: str, what: str = "athletics", against: str = "athletics") -> Session:
    """Two in the middle of a contest."""
    session = session_of({"ann": one, "bob": other})
    session.do("table.contest", who="ann", what=what, against="bob", with_what=against, situation=list(words))
    return session


@pytest.mark.rule("renaissance.opposed.resolve")
def test_an_opposed_check_of_two_characters() -> None:
    example = LEDGER["renaissance.opposed.resolve"].examples[0]
    a, b = example["given"]["a"], example["given"]["b"]
    one = somebody(SOM=a["SOM"], luck=0, skills={"athletics": a["ranks"]})
    other = somebody(SOM=b["SOM"], luck=0, skills={"athletics": b["ranks"]})
    session = contest(one, other)
    session.type_in([a["roll"]])
    session.type_in([b["roll"]])
    assert session.result.result is Variable.A_WINS
    told = [line.result for line in session.log if isinstance(line, Checked)]
    assert told == ["wins", "loses"]


@pytest.mark.rule("renaissance.opposed.different_skills")
def test_the_two_sides_may_use_different_skills() -> None:
    one = somebody(INT=15, luck=0, skills={"disguise": 40})
    other = somebody(SAV=15, INT=15, luck=0, skills={"read": 20})
    session = contest(one, other, what="disguise", against="read")
    session.type_in([55])
    session.type_in([35])
    assert session.result.result is Variable.A_WINS
    session = contest(one, other, what="disguise", against="resist_social_manipulation")
    session.type_in([20])
    session.type_in([30])
    assert session.result.result is Variable.B_WINS
    session = contest(one, other, what="disguise", against="read")
    session.type_in([55])
    session.type_in([36])
    assert session.result.result is Variable.A_WINS


@pytest.mark.rule("renaissance.opposed.variable")
def test_stealth_against_perception_can_succeed_in_part() -> None:
    one, other = somebody(COO=15, luck=0), somebody(INT=15, luck=0)
    session = contest(one, other, "way=variable", what="stealth", against="perception")
    session.type_in([10])
    session.type_in([5])
    assert session.result.result is Variable.BOTH_PARTIAL
    assert [line.result for line in session.log if isinstance(line, Checked)] == ["partial success"] * 2


@pytest.mark.rule("renaissance.luck.flip")
def test_luck_in_a_contest_once_both_rolls_are_known() -> None:
    one = somebody(SOM=15, luck=1, skills={"athletics": 45})
    other = somebody(SOM=15, luck=1, skills={"athletics": 45})
    session = contest(one, other)
    session.type_in([15])
    session.type_in([40])
    assert session.seat == "ann"
    session.choose("yes")  # 51 beats 40
    assert session.result.result is Variable.A_WINS  # 04 would not help
    assert (session.scene["ann"].status.luck, session.scene["bob"].status.luck) == (0, 1)
