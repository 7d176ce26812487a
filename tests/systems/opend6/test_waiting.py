"""Waiting: what a character may do when others act, interruptions, and turns that are moved up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.opend6.fights import FOE, HERO, HIT, begin, fact, kinds, meeting, person
from systems.playing import answer, asked, last
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.session.session import Session
from tablewright.systems.opend6.events.attack import Struck
from tablewright.systems.opend6.status import fight, level

QUICK = person(attributes={"acumen": "5D"}, skills={"melee_combat": "8D", "dodge": "8D", "fighting": "8D"})
SECOND = person(FOE, attributes={"acumen": "4D"})


def told(session: Session) -> str:
    """The open question."""
    assert isinstance(session.question, Choice)
    return session.question.question


def done(session: Session, who: str) -> tuple[int, bool, int]:
    """Actions that a participant has left, whether they wait, and the number of their interruption."""
    status = session.scene[who].status
    return status.left, status.waiting, status.between


@pytest.mark.rule("opend6.turn.waiting")
def test_a_wait_takes_an_action_and_another_to_act_with() -> None:
    assert "wait" not in asked(answer(begin(HERO, FOE), "1"))
    assert "wait" not in asked(answer(begin(HERO, FOE), "2", "slash:b:short_sword", [1, 1, 1]))
    session = answer(begin(HERO, FOE), "2", "wait")
    assert (session.seat, done(session, "a")) == ("b", (1, True, 0))
    answer(session, "1", "communicate")
    assert (session.seat, asked(session)[0]) == ("a", "go_on_waiting")
    answer(session, "slash:b:short_sword", [2, 1, 1])  # a die less, for the wait counts
    assert session.scene["a"].status.left == 0


@pytest.mark.rule("opend6.turn.interrupt", "opend6.gap.defence.lasts")
def test_a_character_who_has_waited_dodges_between_roll_and_result() -> None:
    session = answer(begin(HERO, FOE), "2", "wait", "1", "slash:a:short_sword", [4, 4, 4, 4])
    assert (session.seat, "dodge" in asked(session)) == ("a", True)
    answer(session, "dodge", [6, 6, 5, 5, 5])  # 3D of 4D: 27, less 5 at point blank
    assert not last(session, "Struck").hit
    let = answer(
        begin(HERO, FOE), "2", "wait", "1", "slash:a:short_sword", [4, 4, 4, 4], "let_be", [3, 3, 3], [3, 3, 3]
    )
    assert last(let, "Struck").hit


@pytest.mark.rule("opend6.turn.waiting", "opend6.action.catch")
def test_everything_that_takes_an_action_is_open_to_anyone_who_has_waited() -> None:
    session = begin(person(QUICK, skills={"acrobatics": "4D"}), FOE)
    fact(session, "a", "thrown", "4")
    answer(session, "3", "wait", "1", "communicate")
    assert told(session) == "act now?"
    assert kinds(session) >= {"grab", "choke", "tackle", "trip", "push", "disarm", "lunge", "called_shot", "use_skill"}
    assert kinds(session) >= {"run_away", "communicate", "catch", "dodge", "slash"}
    assert not kinds(session) & {"wait", "stop", "speak", "glance", "full_dodge", "all_out", "prepare", "posture"}
    answer(session, "catch::4", [2, 2])
    assert last(session, "Taken").on == "catches it"
    assert done(session, "a") == (1, False, 1)


@pytest.mark.rule("opend6.turn.waiting")
def test_a_character_who_has_waited_takes_a_few_actions_waits_again_and_takes_some_more() -> None:
    session = answer(begin(QUICK, FOE), "6", "wait", "2", "communicate")
    answer(session, "communicate")
    assert (session.seat, told(session), done(session, "a")) == ("a", "what now?", (4, False, 1))
    answer(session, "communicate")
    assert (session.seat, told(session), "wait" in asked(session)) == ("a", "what now?", True)
    answer(session, "wait")
    assert (session.seat, done(session, "a")) == ("b", (2, True, 0))
    answer(session, "communicate")
    assert (session.seat, told(session)) == ("a", "act now?")
    answer(session, "communicate")
    assert (session.seat, told(session), done(session, "a")) == ("a", "what now?", (1, False, 1))
    answer(session, "communicate")
    assert (session.scene.round, session.scene["a"].status.declared, done(session, "a")) == (2, 0, (0, False, 0))


@pytest.mark.rule("opend6.turn.waiting", "opend6.turn.no_extra_no_carry")
def test_a_character_who_stops_after_a_wait_is_asked_no_more_in_this_round() -> None:
    session = answer(begin(QUICK, FOE), "4", "wait", "2", "communicate", "communicate", "stop")
    assert (session.seat, done(session, "a")) == ("b", (2, False, 0))
    answer(session, "communicate")
    assert (session.scene.round, session.seat) == (2, "a")


@pytest.mark.rule("opend6.turn.interrupt")
def test_an_interruption_is_one_action_and_the_rest_follows_the_result() -> None:
    session = answer(begin(QUICK, FOE), "4", "wait", "1", "slash:a:short_sword", [5, 5, 5, 5])
    assert told(session) == "interrupt it?"
    answer(session, "dodge", [2, 2, 2, 2, 2])
    assert not any(isinstance(line, Struck) for line in session.log)
    answer(session, [3, 3, 3], [4, 4, 4])
    assert last(session, "Struck").hit  # 20 against 10, less 5 at point blank
    assert (session.seat, told(session), done(session, "a")) == ("a", "what now?", (2, False, 1))


@pytest.mark.rule("opend6.turn.interrupt")
def test_a_character_who_falls_to_an_interruption_does_nothing_more_and_the_other_goes_on() -> None:
    session = answer(begin(QUICK, FOE, FOE), "3", "wait", "1", "slash:a:short_sword", [5, 5, 5, 5])
    answer(session, "slash:b:short_sword", [5, 5, 5, 5, 5, 5], [6, 6, 5, 6, 6], [2, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert [line.by for line in session.log if isinstance(line, Struck)] == ["a"]
    assert fight(session.scene).swings == ()
    assert (session.seat, told(session), done(session, "a")) == ("a", "what now?", (1, False, 1))


@pytest.mark.rule("opend6.turn.interrupt", "opend6.cp.timing")
def test_an_interrupting_attack_with_points_leaves_the_interrupted_one_standing() -> None:
    session = begin(
        person(QUICK, character_points=3),
        person(FOE, attributes={"physique": "9D"}),
        options={"points.asked": "always"},
    )
    answer(session, "2", "wait", "1", "slash:a:short_sword", [5, 5, 5, 5])
    answer(session, "slash:b:short_sword", "1_points", [2] * 8)
    assert [swing.who for swing in fight(session.scene).swings] == ["b"]
    while len(struck := [(one.by, one.hit) for one in session.log if isinstance(one, Struck)]) < 2:
        answer(session, asked(session)[0]) if isinstance(session.question, Choice) else session.roll()
    assert struck == [("a", True), ("b", True)]
    assert fight(session.scene).swings == ()


@pytest.mark.rule("opend6.turn.interrupt")
def test_an_interruption_can_itself_be_interrupted() -> None:
    session = begin(QUICK, SECOND, FOE)
    answer(session, "2", "wait", "3", "wait", "go_on_waiting", "1", "slash:a:short_sword", HIT)  # c strikes at a
    assert (session.seat, told(session)) == ("a", "interrupt it?")
    answer(session, "slash:b:short_sword", [2] * 7)  # a strikes at b between
    assert (session.seat, told(session)) == ("b", "interrupt it?")
    assert [swing.who for swing in fight(session.scene).swings] == ["c", "a"]
    answer(session, "dodge", [5, 5])  # 14 against 10, less 5 at point blank
    assert done(session, "b") == (1, False, 2)
    answer(session, [3, 3, 3], [4, 4, 4], [3, 3, 3], [4, 4, 4])
    assert [line.by for line in session.log if isinstance(line, Struck)] == ["a", "c"]
    assert (session.seat, told(session)) == ("b", "what now?")


@pytest.mark.rule("opend6.turn.waiting")
def test_a_character_who_came_last_goes_on_first_and_the_scene_alone_knows_it() -> None:
    session = begin(QUICK, SECOND, FOE)
    answer(session, "4", "wait", "4", "wait", "go_on_waiting", "1", "communicate", "communicate")
    assert (session.seat, told(session)) == ("b", "act now?")
    answer(session, "communicate")
    assert [done(session, who) for who in "ab"] == [(2, False, 1), (2, False, 2)]
    for who in ("b", "a"):
        assert (session.seat, told(session)) == (who, "what now?")
        again = Session(replace(session.header, scene=session.scene), session.rulebook)
        again.do("opend6.encounter")
        assert (again.seat, told(again), asked(again)) == (who, "what now?", asked(session))
        answer(session, "communicate", "communicate")
    assert session.scene.round == 2


@pytest.mark.rule("opend6.opposed.action_cost")
def test_a_character_who_holds_on_after_waiting_goes_on_then() -> None:
    session = begin(person(QUICK, skills={"lifting": "7D"}), FOE)
    answer(session, "4", "grab:b:unarmed/hold", [5] * 5, [3], [2, 2, 2], "leg")
    answer(session, "wait", "1", "escape:a", [2, 2, 2], [5, 5, 5, 5])
    assert (session.seat, told(session), done(session, "a")) == ("a", "what now?", (1, False, 1))


@pytest.mark.rule("opend6.turn.interrupt")
def test_every_roll_of_an_action_can_be_interrupted() -> None:
    session = begin(person(attributes={"acumen": "5D"}, skills={"fighting": "8D"}), FOE)
    answer(session, "2", "wait", "1", "run_away", [5, 5, 5])
    assert (session.seat, asked(session)[0]) == ("a", "let_be")
    assert session.scene["b"].present
    answer(session, "grab:b:unarmed/hold", [5] * 7, [5, 5, 5], "leg")
    assert (session.scene["b"].present, last(session, "Taken").on) == (True, "does not get away")
    let = answer(begin(person(attributes={"acumen": "5D"}), FOE), "2", "wait", "1", "run_away", [5, 5, 5], "let_be")
    assert not let.scene["b"].present


# ---------------------------------------------------------------------- turns moved up


@pytest.mark.rule("opend6.turn.move_up")
def test_a_turn_moved_up_is_open_to_everything_and_may_be_interrupted() -> None:
    session = answer(begin(QUICK, SECOND, FOE), "4", "wait", "1")
    session.do("opend6.move_up", who="c")
    answer(session, "2")
    assert kinds(session) >= {"grab", "wait", "communicate", "stop"}
    answer(session, "slash:a:short_sword", [5, 5, 5], "dodge", [2, 2, 2, 2, 2], [3, 3, 3], [4, 4, 4])
    assert (session.seat, told(session)) == ("a", "what now?")
    answer(session, "stop", "stop")
    assert (session.seat, told(session)) == ("b", "what now?")


@pytest.mark.rule("opend6.turn.move_up")
def test_a_turn_moved_up_takes_the_action_of_the_round() -> None:
    session = begin(HERO, FOE)
    with pytest.raises(IllegalActionError, match="has acted already"):
        session.do("opend6.move_up", who="a")  # the turn under way
    session.do("opend6.move_up", who="b")
    answer(session, "1", "dodge", [3, 3, 3, 3])
    assert ("b" in session.scene.acted, session.scene.turn, session.seat) == (True, "a", "a")
    with pytest.raises(IllegalActionError, match="move_up"):
        session.do("opend6.move_up", who="b")
    session.do("table.end", outcome="peace")
    for without in (session, meeting(HERO, FOE)):
        with pytest.raises(IllegalActionError, match="no round is under way"):
            without.do("opend6.move_up", who="b")
