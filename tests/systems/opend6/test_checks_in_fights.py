"""Named checks of people who are in a fight: what takes dice from them is what takes dice from every roll there."""

from __future__ import annotations

import pytest

from systems.opend6 import fights
from systems.opend6.people import arguments, planned
from systems.playing import answer, asked
from tablewright.errors import IllegalActionError
from tablewright.game.play.common_events import Checked
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.turn import forced
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.content import Skill, Task
from tablewright.systems.opend6.status import wound_penalty


def lost_in(session: Session, what: str) -> int:
    """The dice that a check of a character in a fight lacks."""
    subject = rulebook.subject(session.scene["a"], session.scene)
    own = arguments(rulebook.check(what).read(subject, {}))["code"]
    return int(arguments(planned(subject.character, what))["code"].dice - own.dice)


@pytest.mark.rule("opend6.gap.manoeuvre.list")
def test_a_check_of_agility_in_a_fight_is_off_balance_once() -> None:
    session = fights.begin(fights.HERO, fights.FOE)
    fights.ruled(session, "a", "unbalanced", "2")
    found = [lost_in(session, what) for what in ("dodge", "stamina", "agility")]
    assert found == [2, 0, 2]
    session.do("table.check", who="a", what="stamina")
    session.roll()
    assert session.scene["a"].status.unbalanced == 2
    session.do("table.check", who="a", what="dodge")
    session.roll()
    assert session.scene["a"].status.unbalanced == 0


@pytest.mark.rule("opend6.gap.wound.stunned")
@pytest.mark.parametrize(("value", "dice"), [("penalty", 1), ("defend_only", 0)])
def test_a_stun_takes_the_same_from_checks_as_from_fights(value: str, dice: int) -> None:
    session = fights.begin(fights.FOE, fights.HERO, options={"injury.stunned": value})
    first = "b" if session.seat == "b" else "a"
    deeds = ["1", "slash:a:short_sword", fights.HIT, [3, 3, 3], [4, 4, 4]]
    answer(session, *(deeds if first == "b" else ["1", "stop", *deeds]))
    assert (lost_in(session, "stamina"), wound_penalty(session.scene, "a")) == (dice, dice)


@pytest.mark.rule("opend6.action.use_ability", "opend6.check.skill_check")
def test_every_skill_can_be_tried_in_a_fight_trained_or_not() -> None:
    session = fights.begin(fights.HERO, fights.FOE)
    answer(session, "2")
    offered = {name.rpartition(":")[2] for name in asked(session) if name.startswith("use_skill")}
    known = fights.HERO["attributes"]
    assert offered == {one.id for one in session.scene.library.of(Skill) if one.attribute in known}
    fights.fact(session, "a", "task", "9")
    answer(session, "use_skill::persuasion", [4, 4])
    told = [line for line in session.live.log if isinstance(line, Checked)]
    assert (told[-1].what, told[-1].result) == ("persuasion", "failure")  # 8 against 9, and 5 more without the skill


def outcome(session: Session) -> tuple[str, str]:
    """The last check that was told: its skill and its result."""
    told = [line for line in session.live.log if isinstance(line, Checked)][-1]
    return told.what, told.result


@pytest.mark.rule("opend6.action.use_ability", "opend6.difficulty.standard", "opend6.untrained.modifier")
@pytest.mark.parametrize(
    ("level", "faces", "result"),
    [("moderate", [4, 4, 4, 3], "success"), ("moderate", [4, 4, 3, 3], "failure"), ("total", [4, 4, 3, 3], "14")],
)
def test_the_game_master_says_how_hard_a_skill_is(level: str, faces: list[int], result: str) -> None:
    hero = fights.person(skills={"acrobatics": "4D"})
    session = fights.begin(hero, fights.FOE)
    answer(session, "1", "use_skill::acrobatics", "nobody")
    assert (session.seat, "legendary" in asked(session)) == ("game master", True)
    answer(session, level, faces)
    assert outcome(session) == ("acrobatics", result)


@pytest.mark.rule("opend6.action.use_ability", "opend6.special.derived", "opend6.gap.difficulty.interaction")
@pytest.mark.parametrize(("faces", "result"), [([2, 2, 2], "success"), ([2, 2, 1], "failure")])
def test_an_interaction_skill_meets_the_foes_charisma(faces: list[int], result: str) -> None:
    session = fights.begin(fights.HERO, fights.FOE)
    answer(session, "1", "use_skill::intimidation", "b", faces)  # Charisma 3D: 6, and no modifier for the untrained
    assert outcome(session) == ("intimidation", result)


@pytest.mark.rule("opend6.opposed.action_cost", "opend6.opposed.resolve")
def test_a_foe_who_has_waited_rolls_against_a_skill() -> None:
    quick = fights.person(attributes={"acumen": "4D"})
    session = fights.begin(fights.HERO, quick)
    answer(session, "2", "wait", "1", "use_skill::lifting", "b")
    assert (session.seat, asked(session)[0]) == ("game master", "physique")
    answer(session, "physique", [3, 3, 3], [4, 4])  # a tie would do, and 8 of 2D is less than 9
    assert outcome(session) == ("lifting", "success")
    assert session.scene["b"].status.left == 0, "resisting has cost the other action"


@pytest.mark.rule("opend6.action.communicate")
def test_a_plan_is_explained_with_words_alone_or_with_an_interaction_skill() -> None:
    session = fights.begin(fights.HERO, fights.FOE)
    answer(session, "2")
    offered = [name for name in asked(session) if name.startswith("communicate")]
    known = [one.id for one in session.scene.library.of(Skill) if one.interaction]
    assert offered == ["communicate", *[f"communicate::{skill}" for skill in known]]
    answer(session, "communicate", "communicate::persuasion", "nobody", "very_easy", [5, 5])
    assert outcome(session) == ("persuasion", "success")  # 10 against 5 and 5 more without the skill
    assert session.scene["a"].status.left == 0


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat", "opend6.turn.waiting")
def test_fate_for_the_whole_round_while_waiting_and_before_ones_turn() -> None:
    rich = fights.person(fate_points=2)
    session = fights.begin(rich, fights.FOE)
    answer(session, "2", "wait", "1", "slash:a:short_sword", [3, 3, 3, 3], "burn_fate")
    status = session.scene["a"].status
    assert (status.climactic, status.fate_points, status.waiting, status.left) == (True, 1, True, 1)
    late = fights.begin(fights.FOE, fights.person(fate_points=2, attributes={"acumen": "1D"}))
    late.do("opend6.burn_fate", who="b")
    assert (late.scene["b"].status.climactic, late.scene["b"].status.fate_points) == (True, 1)
    with pytest.raises(IllegalActionError, match="doubled already"):
        late.do("opend6.burn_fate", who="b")
    with pytest.raises(IllegalActionError, match="no round"):
        fights.meeting(rich, fights.FOE).do("opend6.burn_fate", who="a")


@pytest.mark.rule("opend6.fate.climax_repeat", "opend6.fate.climactic")
def test_in_the_climax_the_attacked_may_double_the_round_before_their_turn() -> None:
    slow = fights.person(fate_points=1, attributes={"acumen": "1D"})
    session = fights.begin(fights.HERO, slow, options={"points.asked": "always"})
    session.do("opend6.set_moment", moment="climactic")
    answer(session, "1", "slash:b:short_sword")
    assert (session.seat, asked(session)) == ("b", ("no", "yes"))
    answer(session, "yes")
    assert session.scene["b"].status.climactic
    answer(session, fights.HIT, [3, 3, 3], [3] * 6)  # the resistance of 3D is doubled
    assert session.scene["b"].status.wounds.level == "healthy"


@pytest.mark.rule("opend6.action.use_ability", "opend6.rush.difficulty", "opend6.rush.limits")
@pytest.mark.parametrize(("task", "needed"), [("break_a_fall", 10), ("pick_simple_lock", None)])
def test_a_longer_task_is_forced_into_a_round_or_refused(task: str, needed: int | None) -> None:
    hero = fights.person(skills={"acrobatics": "4D", "lockpicking": "4D"})
    session = fights.begin(hero, fights.FOE)
    fights.fact(session, "a", "task", task)
    answer(session, "1")
    skill = "acrobatics" if needed else "lockpicking"
    assert (f"use_skill::{skill}" in asked(session)) is (needed is not None), "a minute is more than four rounds"
    if needed:
        answer(session, "use_skill::acrobatics", [3, 3, 3, 1])
        assert outcome(session) == ("acrobatics", "success")


@pytest.mark.rule("opend6.action.use_ability", "opend6.rush.difficulty")
@pytest.mark.parametrize(("seconds", "more"), [(5, 0), (10, 10), (15, 20), (20, 20), (25, None)])
def test_rounds_saved_make_it_harder(seconds: int, more: int | None) -> None:
    found = forced(Task(id="x", name="Climb a tower", origin="house", difficulty=5, seconds=seconds))
    assert (found if isinstance(found, int) else None) == more


@pytest.mark.rule("opend6.action.ready_weapon")
@pytest.mark.parametrize(("faces", "ready"), [([4, 3, 3], True), ([3, 3, 3], False)])
def test_under_stress_readying_a_weapon_takes_a_roll(faces: list[int], ready: bool) -> None:
    archer = fights.person(belongings=[{"item": "short_sword", "place": "pack"}])
    session = fights.begin(archer, fights.FOE)
    fights.fact(session, "a", "stress", "10")
    answer(session, "2", "ready_weapon::short_sword", faces)
    assert (session.scene["a"].belongings[0].place == "hand") is ready
    assert session.scene["a"].status.left == 1
