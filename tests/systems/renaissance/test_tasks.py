"""Tasks and jobs: when they make no progress, what time and further attempts change, what is left when they fail."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, last
from systems.renaissance.fights import fighter, held, playing, scene_with, went, with_status
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.mechanics.turn import retry_penalty
from tablewright.systems.renaissance.status import Job
from tablewright.systems.renaissance.values import in_shifts

ANN = fighter(
    "Ann",
    ("craft_kit", "pack"),
    race="human",
    skills={"control": 40, "craft:smith": 40, "spellcraft": 40, "persuasion": 40},
    powers=("charm",),
    classes=("corpse_herder",),
)
DOC = fighter("Doc", race="human")


def at_home(*people: Any, **options: Any) -> Scene:
    """People next to each other, outside of combat."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people or (ANN, DOC))], **options)
    return rulebook.open_scene(replace(scene, order=(), round=0, turn=None))


def again(session: Session, process: str, *answers: Any, **given: Any) -> Session:
    """One more process of the same session."""
    session.do(f"renaissance.{process}", **given)
    return answer(session, *answers)


def aimed_at(session: Session) -> int:
    """The target of the last check."""
    found = [line for line in session.log if isinstance(line, Trace)]
    total = found[-1].tallies["target"].total
    assert total == found[-1].call.values[0]
    return total


# ---------------------------------------------------------------------- binding and repairing


@pytest.mark.rule("renaissance.healing.binding", "renaissance.action.failed_task_time")
@pytest.mark.parametrize(
    ("steps", "rolled", "minutes", "bound"),
    [(0, 55, 10, 1), (0, 56, 2, 0), (0, 86, 5, 0), (2, 75, 20, 1), (2, 76, 5, 0), (-1, 45, 7, 1), (-1, 46, 1, 0)],
)
def test_binding_wounds_is_a_task(steps: int, rolled: int, minutes: int, bound: int) -> None:
    scene = with_status(at_home(), "ann", damage=20, wounds=2)
    session = playing(scene, "renaissance.bind_wounds", who="ann", by="doc", steps=steps)
    answer(session, rolled, *((7,) if bound else ()))
    status = session.scene["ann"].status
    assert (session.scene.clock.now, status.bound, status.tried) == (60 * minutes, bound, 1)
    assert status.damage == 20 - 7 * bound
    assert aimed_at(session) == 55 + 10 * steps


@pytest.mark.rule("renaissance.healing.binding")
def test_a_character_who_bleeds_to_death_meanwhile_is_not_bound() -> None:
    hurt = with_status(at_home(), "ann", damage=50, wounds=1)
    bleeding = playing(hurt, "renaissance.inflict", who="ann", condition="bleeding")
    again(bleeding, "bind_wounds", 50, 7, who="ann", by="doc")
    status = bleeding.scene["ann"].status
    assert (status.dead, status.damage, status.bound) == (True, 60, 0)


@pytest.mark.rule("renaissance.gap.class.companions", "renaissance.action.failed_task_time")
@pytest.mark.parametrize(("rolled", "minutes", "damage"), [((60, 4), 30, 5), ((71,), 7, 9), ((99,), 15, 9)])
def test_repairing_a_corpse_is_a_task(rolled: tuple[int, ...], minutes: int, damage: int) -> None:
    scene = with_status(at_home(ANN, fighter("Bob")), "bob", damage=9, wounds=1)
    session = went(scene, *rolled, process="renaissance.repair_corpse", who="ann", minion="bob")
    assert (session.scene.clock.now, session.scene["bob"].status.damage) == (60 * minutes, damage)


# ---------------------------------------------------------------------- who can work, and when

PROCESSES: list[tuple[str, dict[str, Any]]] = [
    ("bind_wounds", {"who": "doc", "by": "ann"}),
    ("stop_bleeding", {"who": "doc", "by": "ann"}),
    ("soothe", {"who": "ann"}),
    ("ritual", {"who": "ann", "tradition": "psion", "step": "trance", "work": "x"}),
    ("craft", {"who": "ann", "item": "rope", "field": "smith"}),
    ("charm", {"who": "ann", "target": "doc"}),
    ("raise_corpse", {"who": "ann", "skills": ("fray=10",)}),
    ("repair_corpse", {"who": "ann", "minion": "bob"}),
    ("begin_job", {"who": "ann", "job": "a boat", "skill": "athletics", "shifts": 2}),
    ("work", {"who": "ann", "skill": "athletics", "minutes": 5}),
]


def hurt(scene: Scene) -> Scene:
    """Everyone with something to mend."""
    scene = with_status(scene, "ann", traumas=1, stress=3)
    scene = with_status(scene, "bob", damage=5)
    return held(with_status(scene, "doc", damage=5, wounds=1), "doc", "bleeding")


@pytest.mark.rule("renaissance.turn.task_allotment")
@each_case(("process", "given"), PROCESSES)
def test_no_task_and_no_job_goes_on_in_combat(process: str, given: dict[str, Any]) -> None:
    calm = hurt(at_home(ANN, DOC, fighter("Bob")))
    assert playing(calm, f"renaissance.{process}", **given).question is not None
    with pytest.raises(IllegalActionError, match="no progress in combat") as refused:
        playing(replace(calm, order=("ann",), round=1, turn="ann"), f"renaissance.{process}", **given)
    assert refused.value.rule == "renaissance.turn.task_allotment"


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.stress.track")
@each_case(("process", "given"), PROCESSES)
def test_a_character_who_cannot_act_does_no_task_and_no_job(process: str, given: dict[str, Any]) -> None:
    scene = hurt(at_home(ANN, DOC, fighter("Bob")))
    lying = held(scene, "ann", "unconscious")
    for down in (with_status(scene, "ann", damage=30), with_status(scene, "ann", dead=True), lying):
        with pytest.raises(IllegalActionError, match="cannot act") as refused:
            playing(down, f"renaissance.{process}", **given)
        assert refused.value.rule == "renaissance.injury.damage_track"
    for mad in (with_status(scene, "ann", overwhelmed=True), with_status(scene, "ann", insane=True)):
        if process == "soothe" and not mad["ann"].status.insane:
            continue  # the trance is what ends it
        with pytest.raises(IllegalActionError, match="cannot act") as refused:
            playing(mad, f"renaissance.{process}", **given)
        assert refused.value.rule == "renaissance.stress.track"


# ---------------------------------------------------------------------- jobs


def begun(rolled: int, shifts: int, steps: int = 0, **options: Any) -> Session:
    """A job of Ann's, at 50."""
    given: dict[str, Any] = {"who": "ann", "job": "a boat", "skill": "athletics", "shifts": shifts, "steps": steps}
    return went(at_home(**options), rolled, process="renaissance.begin_job", **given)


def told(session: Session) -> list[str]:
    """Words about the work."""
    return [one.told for one in events(session, "Worked")]


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.action.job")
def test_a_job_that_fails_is_never_done() -> None:
    session = begun(60, 8)
    assert session.scene["ann"].status.jobs == (Job("a boat", 2 * 480, True),)
    again(session, "rest", days=3)
    assert told(session) == ["2 shifts until it is clear that it fails", "1 shift left", "it fails"]
    done = again(begun(50, 2), "rest", days=3)
    assert told(done) == ["2 shifts", "1 shift left", "done"]


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.modifier.rushing", "renaissance.action.job")
@pytest.mark.parametrize(
    ("rolled", "shifts", "steps", "minutes"),
    [(60, 10, 0, 1_200), (40, 1, -1, 360), (30, 1, -2, 240), (20, 1, -3, 120), (21, 1, -3, 30), (50, 1, 1, 720)],
)
def test_jobs_are_reckoned_in_minutes(rolled: int, shifts: int, steps: int, minutes: int) -> None:
    assert begun(rolled, shifts, steps).scene["ann"].status.jobs[0].minutes == minutes


def test_shifts_are_told_in_whole_words() -> None:
    assert [in_shifts(minutes) for minutes in (1_200, 960, 90, 1)] == [
        "2 shifts and 4 hours",
        "2 shifts",
        "1 hour and 30 minutes",
        "1 minute",
    ]


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.action.job")
@pytest.mark.parametrize("down", [{"damage": 45}, {"overwhelmed": True, "stress": 70}, {"insane": True}])
def test_nobody_works_who_cannot_act(down: dict[str, Any]) -> None:
    session = begun(50, 5)
    idle = again(playing(with_status(session.scene, "ann", **down), "renaissance.rest", days=1), "rest", days=3)
    assert idle.scene["ann"].status.jobs[0].minutes == 5 * 480
    assert again(session, "rest", days=4).scene["ann"].status.jobs[0].minutes == 480


@pytest.mark.rule("renaissance.action.job")
def test_a_second_job_is_beside_the_first_and_the_same_begins_again() -> None:
    session = begun(50, 5)
    again(session, "begin_job", 50, who="ann", job="a hut", skill="athletics", shifts=1)
    again(session, "rest", days=1)
    again(session, "begin_job", 50, who="ann", job="a boat", skill="athletics", shifts=2)
    assert session.scene["ann"].status.jobs == (Job("a boat", 960), Job("a hut", 0))
    assert session.scene["ann"].status.plan.what == "a boat"


# ---------------------------------------------------------------------- trying again


@pytest.mark.rule("renaissance.modifier.retry", "renaissance.modifier.retry_penalty")
@pytest.mark.parametrize(
    ("process", "given"),
    [one for one in PROCESSES if one[0] not in ("bind_wounds", "soothe", "charm", "repair_corpse")],
)
def test_trying_again_costs_ten_each_time(process: str, given: dict[str, Any]) -> None:
    scene = hurt(at_home(ANN, DOC, fighter("Bob")))
    first = aimed_at(went(scene, 1, process=f"renaissance.{process}", **given))
    assert aimed_at(went(scene, 1, process=f"renaissance.{process}", attempt=3, **given)) == first - 20
    flat = replace(scene, options=replace(scene.options, retry_penalty="flat"))
    assert aimed_at(went(flat, 1, process=f"renaissance.{process}", attempt=3, **given)) == first - 10
    assert [retry_penalty(attempt) for attempt in (1, 2, 4)] == [0, -10, -30]
    assert [retry_penalty(attempt, "flat") for attempt in (1, 2, 4)] == [0, -10, -10]


@pytest.mark.rule("renaissance.magic.psion_scale", "renaissance.healing.binding")
def test_one_trance_for_each_trauma() -> None:
    scene = with_status(at_home(), "ann", traumas=2, stress=9)
    session = went(scene, 41, process="renaissance.soothe", who="ann")
    assert (session.scene["ann"].status.meditated, session.scene["ann"].status.soothed) == (1, 0)
    assert session.scene.clock.now == 86_400 // 4
    again(session, "soothe", 40, 4, who="ann")
    assert (session.scene["ann"].status.meditated, session.scene["ann"].status.soothed) == (2, 1)
    with pytest.raises(IllegalActionError, match="no trauma to soothe"):
        session.do("renaissance.soothe", who="ann")
    kept = rulebook.export_character(session.scene, "ann").harm
    assert (kept.meditated, kept.soothed) == (2, 1)


# ---------------------------------------------------------------------- the hours of a day


@pytest.mark.rule("renaissance.mode.down_time_tasks")
def test_the_tasks_of_a_day_take_eight_hours_at_most() -> None:
    given: dict[str, Any] = {"who": "ann", "skill": "athletics"}
    session = went(at_home(), 50, process="renaissance.work", minutes=240, **given)
    with pytest.raises(IllegalActionError, match="240 minutes left") as refused:
        session.do("renaissance.work", minutes=241, **given)
    assert refused.value.rule == "renaissance.mode.down_time_tasks"
    again(session, "work", 50, minutes=240, **given)
    with pytest.raises(IllegalActionError, match="0 minutes left"):
        session.do("renaissance.work", minutes=1, **given)
    again(session, "rest", days=1)
    assert again(session, "work", 51, minutes=480, **given).scene["ann"].status.tasked == 120
    with pytest.raises(IllegalActionError, match="480 minutes left"):
        playing(at_home(), "renaissance.work", minutes=480, steps=1, **given)


@pytest.mark.rule("renaissance.mode.down_time_tasks", "renaissance.action.job")
def test_a_day_of_tasks_is_no_day_of_the_job() -> None:
    session = begun(50, 3)
    again(session, "work", 50, who="ann", skill="athletics", minutes=60)
    assert again(session, "rest", days=1).scene["ann"].status.jobs[0].minutes == 3 * 480
    assert again(session, "rest", days=1).scene["ann"].status.jobs[0].minutes == 2 * 480


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.grade.exceptional_boundary")
@pytest.mark.parametrize(("boundary", "rolled", "minutes"), [("over", 80, 15), ("at_least", 80, 30), ("over", 81, 30)])
def test_the_boundary_of_exceptional_results_counts_for_tasks(boundary: str, rolled: int, minutes: int) -> None:
    scene = at_home(exceptional_boundary=boundary)
    session = went(scene, rolled, process="renaissance.work", who="ann", skill="athletics", minutes=60)
    assert session.scene.clock.now == 60 * minutes
    assert last(session, "Checked").who == "ann"
