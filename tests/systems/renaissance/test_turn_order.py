"""Turn order outside combat: its initiative modifier, its allotment, and tasks that go on turn by turn."""

from __future__ import annotations

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import at_home, closed, fighter, playing, went
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session

ANN, BOB = fighter("Ann", COG=30, skills={"disable_device": 30}), fighter("Bob", COG=10, powers=("master",))
ORDER = "renaissance.turn_order"


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.turn.allotment")
def test_the_game_master_picks_modifier_and_allotment() -> None:
    session = playing(at_home(ANN, BOB), ORDER, modifier="COG", standard=0, quick=2, rounds=2)
    answer(session, 1, 10)
    assert [(one.who, one.total) for one in events(session, "InitiativeRolled")] == [("ann", 31), ("bob", 20)]
    assert session.scene.turn == "ann"
    assert closed(session)["full_defense"] == ("no standard action is left", "renaissance.combat.allotment")
    answer(session, "drop_prone", "stand")
    assert session.scene["ann"].status.spent == {"quick": 2}
    assert session.scene.turn == "bob"  # nothing is left for Ann
    answer(session, "end_turn", "end_turn", "end_turn")
    after = session.scene
    assert (session.question, after.order, after.round, after.ended) == (None, (), 0, None)
    assert after.clock.now == 2 * 3


@pytest.mark.rule("renaissance.turn.combat_is_turn_order", "renaissance.combat.allotment")
def test_combat_keeps_its_own_allotment_afterwards() -> None:
    session = went(at_home(ANN, BOB), 2, 1, "full_defense", process=ORDER, standard=2, quick=0, rounds=1)
    answer(session, "full_defense", "end_turn")  # two standard actions a turn
    assert session.question is None
    assert session.scene.system_state is None
    assert session.scene["ann"].status.initiative is None


def begun(rolled: int = 10) -> Session:
    """Ann has begun to pick a lock, a task of twelve minutes."""
    given = {"who": "ann", "task": "the lock", "skill": "disable_device", "minutes": 12}
    return answer(playing(at_home(ANN, BOB), "renaissance.begin_task", **given), rolled)


@pytest.mark.rule("renaissance.turn.task_allotment", "renaissance.action.check_at_start")
def test_each_turn_contributes_its_minutes_to_a_task() -> None:
    session = begun()
    session.do(ORDER, minutes=5, rounds=3)
    answer(session, 10, 1)
    for left in ("7 minutes left", "2 minutes left", "done"):
        answer(session, "continue_task::the lock")
        assert events(session, "Worked")[-1].told == left
        assert "continue_task::the lock" not in offered(session)  # once a turn
        answer(session, "end_turn", "end_turn")
    assert session.scene["ann"].status.jobs == ()
    assert session.scene.clock.now == 3 * 5 * 60


@pytest.mark.rule("renaissance.turn.task_allotment", "renaissance.action.failed_task_time")
def test_without_an_allotment_for_tasks_no_progress_is_made() -> None:
    session = begun(rolled=60)  # a failure: clear after a quarter of the time
    assert session.scene["ann"].status.jobs[0].minutes == 3
    session.do(ORDER, rounds=1)
    answer(session, 10, 1)
    reason = closed(session)["continue_task"]
    assert reason == ("tasks are not part of a turn here", "renaissance.turn.task_allotment")
    answer(session, "end_turn", "end_turn")
    kept = session.rulebook.export_character(session.scene, "ann")
    assert session.rulebook.participant(
        kept, session.scene.options, session.scene.library, id="ann", side="a", seat="a"
    ).status.jobs == (("the lock", 3, True, True),)
    session.do("renaissance.finish_task", who="ann", task="the lock")
    assert events(session, "Worked")[-1].told == "it fails"
    assert session.scene["ann"].status.jobs == ()


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.turn.task_allotment")
def test_refusals() -> None:
    scene = at_home(ANN, BOB)
    with pytest.raises(InvalidInputError, match="is not a target"):
        playing(scene, ORDER, modifier="LUCKY")
    with pytest.raises(InvalidInputError, match="has begun no task"):
        playing(scene, "renaissance.finish_task", who="ann", task="the lock")
    session = playing(scene, ORDER, rounds=1)
    answer(session, 10, 1)
    with pytest.raises(IllegalActionError):
        session.do(ORDER)
