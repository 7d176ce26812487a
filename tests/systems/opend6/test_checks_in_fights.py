"""Checks of people who are in a fight, by name and as actions: what takes dice from other rolls takes them here."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, begin, fact, person, ruled
from systems.opend6.people import arguments, planned
from systems.playing import answer, asked, last
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.turn import forced
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.content import Skill, Task
from tablewright.systems.opend6.status import wound_penalty

ACROBAT = person(skills={"acrobatics": "4D", "lockpicking": "4D"})


def lost_in(session: Session, what: str) -> int:
    """The dice that a check of a character in a fight lacks."""
    subject = rulebook.subject(session.scene["a"], session.scene)
    own = arguments(rulebook.check(what).read(subject, {}))["code"]
    return int(arguments(planned(subject.character, what))["code"].dice - own.dice)


def outcome(session: Session) -> tuple[str, str]:
    """The last check that was told: its skill and its result."""
    told = last(session, "Checked")
    return told.what, told.result


@pytest.mark.rule("opend6.gap.manoeuvre.list")
def test_a_check_of_agility_in_a_fight_is_off_balance_once() -> None:
    session = begin(HERO, FOE)
    ruled(session, "a", "unbalanced", "2")
    assert [lost_in(session, what) for what in ("dodge", "stamina", "agility")] == [2, 0, 2]
    for what, left in (("stamina", 2), ("dodge", 0)):
        session.do("table.check", who="a", what=what)
        session.roll()
        assert session.scene["a"].status.unbalanced == left


@pytest.mark.rule("opend6.gap.wound.stunned")
@pytest.mark.parametrize(("value", "dice"), [("penalty", 1), ("defend_only", 0)])
def test_a_stun_takes_the_same_from_checks_as_from_fights(value: str, dice: int) -> None:
    session = begin(FOE, HERO, options={"injury.stunned": value})
    answer(session, *(["1", "stop"] if session.seat == "a" else []))
    answer(session, "1", "slash:a:short_sword", HIT, [3, 3, 3], [4, 4, 4])
    assert (lost_in(session, "stamina"), wound_penalty(session.scene, "a")) == (dice, dice)


@pytest.mark.rule("opend6.action.use_ability", "opend6.check.skill_check", "opend6.action.communicate")
def test_every_skill_can_be_tried_in_a_fight_trained_or_not() -> None:
    session = answer(begin(HERO, FOE), "2")
    offered = {name.rpartition(":")[2] for name in asked(session) if name.startswith("use_skill")}
    skills = list(session.scene.library.of(Skill))
    assert offered == {one.id for one in skills if one.attribute in HERO["attributes"]}
    plans = [name for name in asked(session) if name.startswith("communicate")]
    assert plans == ["communicate", *[f"communicate::{one.id}" for one in skills if one.interaction]]
    fact(session, "a", "task", "9")
    answer(session, "use_skill::persuasion", [4, 4])
    assert outcome(session) == ("persuasion", "failure")  # 8 against 9, and 5 more without the skill
    planning = answer(begin(HERO, FOE), "2", "communicate", "communicate::persuasion", "nobody", "very_easy", [5, 5])
    assert outcome(planning) == ("persuasion", "success")  # 10 against 5 and 5 more without the skill
    assert planning.scene["a"].status.left == 0


@pytest.mark.rule("opend6.action.use_ability", "opend6.difficulty.standard", "opend6.untrained.modifier")
@pytest.mark.parametrize(
    ("level", "faces", "result"),
    [("moderate", [4, 4, 4, 3], "success"), ("moderate", [4, 4, 3, 3], "failure"), ("total", [4, 4, 3, 3], "14")],
)
def test_the_game_master_says_how_hard_a_skill_is(level: str, faces: list[int], result: str) -> None:
    session = answer(begin(ACROBAT, FOE), "1", "use_skill::acrobatics", "nobody")
    assert (session.seat, "legendary" in asked(session)) == ("game master", True)
    assert outcome(answer(session, level, faces)) == ("acrobatics", result)


@pytest.mark.rule("opend6.action.use_ability", "opend6.special.derived", "opend6.gap.difficulty.interaction")
@pytest.mark.parametrize(("faces", "result"), [([2, 2, 2], "success"), ([2, 2, 1], "failure")])
def test_an_interaction_skill_meets_the_foes_charisma(faces: list[int], result: str) -> None:
    session = answer(begin(HERO, FOE), "1", "use_skill::intimidation", "b", faces)
    assert outcome(session) == ("intimidation", result)  # Charisma 3D: 6, and no modifier for the untrained


@pytest.mark.rule("opend6.opposed.action_cost", "opend6.opposed.resolve")
def test_a_foe_who_has_waited_rolls_against_a_skill() -> None:
    session = answer(begin(HERO, person(attributes={"acumen": "4D"})), "2", "wait", "1", "use_skill::lifting", "b")
    assert (session.seat, asked(session)[0]) == ("game master", "physique")
    answer(session, "physique", [3, 3, 3], [4, 4])  # a tie would do, and 8 of 2D is less than 9
    assert outcome(session) == ("lifting", "success")
    assert session.scene["b"].status.left == 0, "resisting has cost the other action"


@pytest.mark.rule("opend6.action.use_ability", "opend6.rush.difficulty", "opend6.rush.limits")
@pytest.mark.parametrize(
    ("task", "skill", "offered"), [("break_a_fall", "acrobatics", True), ("pick_simple_lock", "lockpicking", False)]
)
def test_a_longer_task_is_forced_into_a_round_or_refused(task: str, skill: str, offered: bool) -> None:
    session = begin(ACROBAT, FOE)
    fact(session, "a", "task", task)
    answer(session, "1")
    assert (f"use_skill::{skill}" in asked(session)) is offered, "a minute is more than four rounds"
    if offered:
        assert outcome(answer(session, f"use_skill::{skill}", [3, 3, 3, 1])) == (skill, "success")


@pytest.mark.rule("opend6.action.use_ability", "opend6.rush.difficulty")
@each_case(("seconds", "more"), [(5, 0), (10, 10), (15, 20), (20, 20), (25, None)])
def test_rounds_saved_make_it_harder(seconds: int, more: int | None) -> None:
    found: Any = forced(Task(id="x", name="Climb a tower", origin="house", difficulty=5, seconds=seconds))
    assert (found if isinstance(found, int) else None) == more
