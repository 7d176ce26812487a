"""Tasks and jobs: how long they take, what time and further attempts change, when nobody can work, what a day holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.playing import events, last
from systems.renaissance.fights import at_home, fighter, held, playing, target_of, then, went, with_status
from systems.renaissance.folk import refused
from tablewright.dice import TypedDice
from tablewright.engine import Roll, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.mechanics.turn import minutes_lost, retry_penalty, task, timeframe
from tablewright.systems.renaissance.status import Job
from tablewright.systems.renaissance.values import Grade, in_shifts

ANN = fighter(
    "Ann",
    ("craft_kit", "pack"),
    race="human",
    skills={"control": 40, "craft:smith": 40, "spellcraft": 40, "persuasion": 40},
    powers=("charm",),
    classes=("corpse_herder",),
)
DOC = fighter("Doc", race="human")


def working(rolled: int, minutes: int = 60, **options: Any) -> Session:
    """A task of Ann's, at 50."""
    given: dict[str, Any] = {"who": "ann", "skill": "athletics", "minutes": minutes}
    return went(at_home(ANN, DOC, **options), rolled, process="renaissance.work", **given)


# ---------------------------------------------------------------------- how long tasks take


@pytest.mark.rule(
    "renaissance.action.task", "renaissance.action.check_at_start", "renaissance.gap.task.exceptional_time"
)
@pytest.mark.parametrize(
    ("rolled", "halves", "minutes"),
    [
        (20, False, 60),
        (41, False, 60),
        (41, True, 30),
        (20, True, 60),
        (22, True, 30),
        (71, False, 15),
        (66, False, 30),
        (99, False, 30),
    ],
)
def test_the_check_of_a_task_says_how_long_it_takes(rolled: int, halves: bool, minutes: int) -> None:
    assert play(task(60, 60, exceptional_halves_time=halves), TypedDice([rolled])).result.minutes == minutes
    assert [timeframe(60, steps) for steps in range(-3, 4)] == [15, 30, 45, 60, 90, 120, 150]
    assert (minutes_lost(61, exceptional=True), minutes_lost(61, exceptional=False)) == (30, 15)


@pytest.mark.rule("renaissance.grade.critical_counts_as_exceptional", "renaissance.action.failed_task_time")
@pytest.mark.parametrize(
    ("rolled", "minutes"), [(66, 15), (88, 15), (95, 30), (99, 30), (22, 60), (33, 30), (0, 60), (45, 30)]
)
def test_a_critical_of_a_small_margin_is_no_exceptional_task_where_the_table_says_so(rolled: int, minutes: int) -> None:
    strict: dict[str, Any] = {"critical_counts_as_exceptional": False, "exceptional_halves_time": True}
    assert play(task(60, 60, **strict), TypedDice([rolled])).result.minutes == minutes
    scene = at_home(ANN, DOC, **strict)
    session = went(scene, rolled, process="renaissance.work", who="doc", skill="fray", minutes=60, modifier=10)
    assert session.scene.clock.now == 60 * minutes
    upgraded = play(task(60, 60, luck=1, **strict), TypedDice([45]), lambda ask: ask.ids.index("upgrade")).result
    assert (upgraded.grade, upgraded.minutes) == (Grade.CRITICAL_SUCCESS, 30)


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.grade.exceptional_boundary")
@pytest.mark.parametrize(("boundary", "rolled", "minutes"), [("over", 80, 15), ("at_least", 80, 30), ("over", 81, 30)])
def test_the_boundary_of_exceptional_results_counts_for_tasks(boundary: str, rolled: int, minutes: int) -> None:
    session = working(rolled, exceptional_boundary=boundary)
    assert session.scene.clock.now == 60 * minutes
    assert last(session, "Checked").who == "ann"


@pytest.mark.rule("renaissance.core.synonyms", "renaissance.action.task", "renaissance.action.job")
def test_tasks_and_jobs_take_a_skill_by_any_of_its_names() -> None:
    scene = at_home(ANN, DOC)
    session = went(scene, 50, process="renaissance.work", who="ann", skill="First Aid", minutes=60)
    assert last(session, "Checked").what == "medicine"
    job = {"who": "ann", "job": "a gate", "skill": "Craft: Smith", "shifts": 2}
    assert isinstance(went(scene, process="renaissance.begin_job", **job).question, Roll)


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


def hurt() -> Scene:
    """Everyone with something to mend."""
    scene = with_status(at_home(ANN, DOC, fighter("Bob")), "ann", traumas=1, stress=3)
    scene = with_status(scene, "bob", damage=5)
    return held(with_status(scene, "doc", damage=5, wounds=1), "doc", "bleeding")


@pytest.mark.rule("renaissance.turn.task_allotment")
@each_case(("process", "given"), PROCESSES)
def test_no_task_and_no_job_goes_on_in_combat(process: str, given: dict[str, Any]) -> None:
    assert playing(hurt(), f"renaissance.{process}", **given).question is not None
    with pytest.raises(IllegalActionError, match="no progress in combat") as error:
        playing(replace(hurt(), order=("ann",), round=1, turn="ann"), f"renaissance.{process}", **given)
    assert error.value.rule == "renaissance.turn.task_allotment"


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.stress.track")
@each_case(("process", "given"), PROCESSES)
def test_a_character_who_cannot_act_does_no_task_and_no_job(process: str, given: dict[str, Any]) -> None:
    scene = hurt()
    body, mind = "renaissance.injury.damage_track", "renaissance.stress.track"
    for down, rule in (
        (with_status(scene, "ann", damage=30), body),
        (with_status(scene, "ann", dead=True), body),
        (held(scene, "ann", "unconscious"), body),
        (with_status(scene, "ann", insane=True), mind),
        (with_status(scene, "ann", overwhelmed=True), mind),
    ):
        if process == "soothe" and down["ann"].status.overwhelmed:
            continue  # the trance is what ends it
        with pytest.raises(IllegalActionError, match="cannot act") as error:
            playing(down, f"renaissance.{process}", **given)
        assert error.value.rule == rule


# ---------------------------------------------------------------------- jobs


def begun(rolled: int, shifts: int, steps: int = 0, **options: Any) -> Session:
    """A job of Ann's, at 50."""
    given: dict[str, Any] = {"who": "ann", "job": "a boat", "skill": "athletics", "shifts": shifts, "steps": steps}
    return went(at_home(ANN, DOC, **options), rolled, process="renaissance.begin_job", **given)


def told(session: Session) -> list[str]:
    """Words about the work."""
    return [one.told for one in events(session, "Worked")]


def left(session: Session, days: int) -> int:
    """Minutes that are left of Ann's first job some days later."""
    return int(then(session, "rest", days=days).scene["ann"].status.jobs[0].minutes)


@pytest.mark.rule("renaissance.action.job", "renaissance.mode.down_time", "renaissance.mode.down_time_gm")
@pytest.mark.parametrize(("shifts_per_day", "first"), [(1, 2), (2, 1), (0, 3)])
def test_a_job_goes_on_by_shifts(shifts_per_day: int, first: int) -> None:
    session = begun(30, 3, shifts_per_day=shifts_per_day)
    assert left(session, 1) == 480 * first
    assert left(session, 5) == (0 if shifts_per_day else 3 * 480)


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.action.job")
def test_a_job_that_fails_is_never_done() -> None:
    session = begun(60, 8)
    assert session.scene["ann"].status.jobs == (Job("a boat", 2 * 480, True),)
    then(session, "rest", days=3)
    assert told(session) == ["2 shifts until it is clear that it fails", "1 shift left", "it fails"]
    done = then(begun(50, 2), "rest", days=3)
    assert told(done) == ["2 shifts", "1 shift left", "done"]
    words = {1_200: "2 shifts and 4 hours", 960: "2 shifts", 90: "1 hour and 30 minutes", 1: "1 minute"}
    assert {minutes: in_shifts(minutes) for minutes in words} == words


@pytest.mark.rule("renaissance.action.failed_task_time", "renaissance.modifier.rushing", "renaissance.action.job")
@pytest.mark.parametrize(
    ("rolled", "shifts", "steps", "minutes"),
    [(60, 10, 0, 1_200), (40, 1, -1, 360), (30, 1, -2, 240), (20, 1, -3, 120), (21, 1, -3, 30), (50, 1, 1, 720)],
)
def test_jobs_are_reckoned_in_minutes(rolled: int, shifts: int, steps: int, minutes: int) -> None:
    assert begun(rolled, shifts, steps).scene["ann"].status.jobs[0].minutes == minutes


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.action.job")
@pytest.mark.parametrize("down", [{"damage": 45}, {"overwhelmed": True, "stress": 70}, {"insane": True}])
def test_nobody_works_who_cannot_act(down: dict[str, Any]) -> None:
    session = begun(50, 5)
    idle = playing(with_status(session.scene, "ann", **down), "renaissance.rest", days=1)
    assert left(idle, 3) == 5 * 480
    assert left(session, 4) == 480


@pytest.mark.rule("renaissance.action.job")
def test_a_second_job_is_beside_the_first_and_the_same_begins_again() -> None:
    session = begun(50, 5)
    then(session, "begin_job", 50, who="ann", job="a hut", skill="athletics", shifts=1)
    then(session, "rest", days=1)
    then(session, "begin_job", 50, who="ann", job="a boat", skill="athletics", shifts=2)
    assert session.scene["ann"].status.jobs == (Job("a boat", 960), Job("a hut", 0))
    assert session.scene["ann"].status.plan.what == "a boat"


# ---------------------------------------------------------------------- trying again


@pytest.mark.rule("renaissance.modifier.retry", "renaissance.modifier.retry_penalty")
@pytest.mark.parametrize(
    ("process", "given"),
    [one for one in PROCESSES if one[0] not in ("bind_wounds", "soothe", "charm", "repair_corpse")],
)
def test_trying_again_costs_ten_each_time(process: str, given: dict[str, Any]) -> None:
    def aimed(scene: Scene, **more: Any) -> int:
        return target_of(went(scene, 1, process=f"renaissance.{process}", **given, **more))

    flat = replace(hurt(), options=replace(hurt().options, retry_penalty="flat"))
    assert aimed(hurt(), attempt=3) == aimed(hurt()) - 20
    assert aimed(flat, attempt=3) == aimed(hurt()) - 10
    assert [retry_penalty(attempt) for attempt in (1, 2, 4)] == [0, -10, -30]
    assert [retry_penalty(attempt, "flat") for attempt in (1, 2, 4)] == [0, -10, -10]


# ---------------------------------------------------------------------- the hours of a day


@pytest.mark.rule("renaissance.mode.down_time_tasks", "renaissance.mode.unstructured")
def test_the_tasks_of_a_day_take_eight_hours_at_most() -> None:
    given: dict[str, Any] = {"who": "ann", "skill": "athletics"}
    session = working(50, minutes=240)
    assert (session.scene.clock.now, session.scene.order) == (240 * 60, ())  # no turn order, no allotment
    assert refused(session, "work", "240 minutes left", minutes=241, **given) == "renaissance.mode.down_time_tasks"
    then(session, "work", 50, minutes=240, **given)
    refused(session, "work", "0 minutes left", minutes=1, **given)
    then(session, "rest", days=1)
    with pytest.raises(InvalidInputError, match="480"):
        session.do("renaissance.work", minutes=481, **given)
    assert then(session, "work", 51, minutes=480, **given).scene["ann"].status.tasked == 120
    with pytest.raises(IllegalActionError, match="480 minutes left"):
        playing(at_home(ANN, DOC), "renaissance.work", minutes=480, steps=1, **given)


@pytest.mark.rule("renaissance.mode.down_time_tasks", "renaissance.action.job")
def test_a_day_of_tasks_is_no_day_of_the_job() -> None:
    session = then(begun(50, 3), "work", 50, who="ann", skill="athletics", minutes=60)
    assert [left(session, 1), left(session, 1)] == [3 * 480, 2 * 480]
