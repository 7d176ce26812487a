"""Stress, healing, chemicals, diseases, tasks, jobs, rituals and luck, by the clock and with typed dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, last
from systems.renaissance.fights import fighter, kinds, playing, scene_with, went, with_status
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.mechanics.turn import (
    _rounded,
    landing,
    minutes_lost,
    scatter,
    stress,
    task,
    timeframe,
    traumas_of,
)
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Job
from tablewright.systems.renaissance.values import DAY, DV, Grade

ANN = fighter("Ann", race="human")  # DUR 30, WT 6; WIL 20, LUC 40, TT 8, IR 80
BOB = fighter("Bob", race="human", skills={"medicine": 40})


def at_home(*people: Any, **options: Any) -> Scene:
    """A scene in which no one fights."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people or (ANN, BOB))], **options)
    from dataclasses import replace

    return rulebook.open_scene(replace(scene, order=(), round=0, turn=None))


def days(session: Session, count: int) -> Session:
    """Let days pass."""
    session.do("renaissance.rest", days=count)
    return session


# ---------------------------------------------------------------------- stress


@pytest.mark.rule("renaissance.stress.resist", "renaissance.stress.two_values")
def test_stress_is_resisted_or_taken_in_full() -> None:
    assert play(stress(DV(1, 1), 45), TypedDice([45])).result.stress == 0
    assert play(stress(DV(1, 1), 45), TypedDice([46, 5])).result.stress == 6
    assert play(stress(DV(1), 45, half=True), TypedDice([45, 7])).result.stress == 3


@pytest.mark.rule("renaissance.stress.trauma", "renaissance.stress.boundary")
@pytest.mark.parametrize(
    ("sv", "over", "at_least"),
    [(5, 0, 0), (6, 0, 1), (7, 1, 1), (12, 1, 2), (13, 2, 2), (18, 2, 3), (19, 3, 3), (0, 0, 0)],
)
def test_stress_at_one_time_makes_traumas(sv: int, over: int, at_least: int) -> None:
    assert traumas_of(sv, 6) == over
    assert traumas_of(sv, 6, "at_least") == at_least


@pytest.mark.rule("renaissance.stress.trauma_stun")
def test_a_trauma_stuns_who_fails_with_its_penalty() -> None:
    call = stress(DV(1, 5), 0, trauma_threshold=6, nerves=45)
    assert play(call, TypedDice([50, 5, 36])).result.stunned
    assert not play(call, TypedDice([50, 5, 35])).result.stunned
    session = went(at_home(), 99, 9, 99, process="renaissance.stress", who="ann", source="torture")
    assert session.scene["ann"].status.has("stunned")
    assert session.scene["ann"].status.traumas == 1


@pytest.mark.rule("renaissance.stress.track", "renaissance.stress.boundary")
@pytest.mark.parametrize(
    ("before", "boundary", "overwhelmed", "insane"),
    [
        (37, "over", False, False),
        (38, "over", True, False),
        (37, "at_least", True, False),
        (77, "over", True, False),
        (78, "over", True, True),
    ],
)
def test_too_much_stress_overwhelms_and_breaks(before: int, boundary: str, overwhelmed: bool, insane: bool) -> None:
    scene = with_status(at_home(stress_boundary=boundary), "ann", stress=before)
    session = went(scene, 99, 2, process="renaissance.stress", who="ann", source="loss")  # 1d10+1: 3
    status = session.scene["ann"].status
    assert (status.overwhelmed, status.insane) == (overwhelmed, insane)


# ---------------------------------------------------------------------- healing


@pytest.mark.rule("renaissance.healing.natural_damage")
def test_a_point_a_day_then_a_wound_a_week() -> None:
    session = Session(
        playing(with_status(at_home(), "ann", damage=3, wounds=2), "renaissance.rest", days=1).header, rulebook
    )
    assert days(session, 1).scene["ann"].status.damage == 2
    days(session, 2)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.wounds) == (0, 2)
    days(session, 6)
    assert session.scene["ann"].status.wounds == 2
    assert days(session, 1).scene["ann"].status.wounds == 1
    assert days(session, 7).scene["ann"].status.wounds == 0


def healing(**status: Any) -> Session:
    """Ann is hurt; Bob can care for her."""
    from tablewright.game.session.session import SessionHeader

    return Session(SessionHeader("renaissance", "0.1.0", with_status(at_home(), "ann", **status), 1), rulebook)


@pytest.mark.rule("renaissance.healing.natural_stress")
def test_a_point_of_stress_a_day_then_a_trauma_a_month() -> None:
    session = days(healing(stress=2, traumas=1), 2)
    assert session.scene["ann"].status.stress == 0
    assert days(session, 29).scene["ann"].status.traumas == 1
    assert days(session, 1).scene["ann"].status.traumas == 0


@pytest.mark.rule("renaissance.healing.care_physical", "renaissance.healing.care_scope")
def test_care_for_the_body_heals_three_a_day_and_a_wound_in_four() -> None:
    session = healing(damage=5, wounds=1, stress=4)
    session.do("renaissance.plan", who="ann", body="bob")
    days(session, 1)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.stress) == (2, 3)
    days(session, 1 + 3)
    assert session.scene["ann"].status.wounds == 1
    assert days(session, 1).scene["ann"].status.wounds == 0


@pytest.mark.rule("renaissance.healing.care_mental", "renaissance.healing.care_scope")
def test_care_for_the_mind_heals_three_a_day_and_a_trauma_in_seven() -> None:
    session = healing(damage=5, stress=3, traumas=1)
    session.do("renaissance.plan", who="ann", body="bob", mind="bob")
    days(session, 1)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.stress) == (2, 0)
    assert days(session, 6).scene["ann"].status.traumas == 1
    assert days(session, 1).scene["ann"].status.traumas == 0


@pytest.mark.rule("renaissance.healing.care_physical")
def test_care_that_begins_part_way_counts_by_parts() -> None:
    session = days(healing(wounds=1), 3)  # 3/7
    session.do("renaissance.plan", who="ann", body="bob")
    assert days(session, 2).scene["ann"].status.wounds == 1  # 3/7 + 2/4
    assert days(session, 1).scene["ann"].status.wounds == 0


def test_a_week_in_one_step_is_seven_days() -> None:
    at_once, one_by_one = days(healing(damage=4, wounds=1, stress=9), 10), healing(damage=4, wounds=1, stress=9)
    for _ in range(10):
        days(one_by_one, 1)
    assert at_once.scene == one_by_one.scene


@pytest.mark.rule("renaissance.healing.fast_healing_ref", "renaissance.gap.state.fast_healing")
def test_fast_healing_heals_every_turn_and_a_wound_a_day() -> None:
    orc = fighter("Ann", race="orc")
    scene = with_status(scene_with((BOB, 5, 5), (orc, 6, 5)), "ann", damage=5)
    session = went(scene, "end_turn")
    assert session.scene["ann"].status.damage == 4
    slow = playing(with_status(at_home(orc, BOB), "ann", damage=20, wounds=2), "renaissance.rest", days=1)
    assert (slow.scene["ann"].status.damage, slow.scene["ann"].status.wounds) == (0, 1)


@pytest.mark.rule("renaissance.healing.binding")
def test_binding_heals_a_die_and_negates_one_wound_once() -> None:
    scene = with_status(at_home(), "ann", damage=20, wounds=2)
    session = went(scene, 60, 7, process="renaissance.bind_wounds", who="ann", by="bob")
    status = session.scene["ann"].status
    assert (status.damage, status.wounds, status.bound, status.tried) == (13, 2, 1, 1)
    assert session.scene.clock.now == 600
    failed = answer(_again(session, "renaissance.bind_wounds", who="ann", by="bob"), 66)
    assert (failed.scene["ann"].status.bound, failed.scene["ann"].status.tried) == (1, 2)
    with pytest.raises(IllegalActionError, match="no wound"):
        failed.do("renaissance.bind_wounds", who="ann", by="bob")


def _again(session: Session, process: str, **given: Any) -> Session:
    session.do(process, **given)
    return session


# ---------------------------------------------------------------------- conditions and chemicals


@pytest.mark.rule(
    "renaissance.condition.bleeding", "renaissance.condition.framework", "renaissance.condition.system_option"
)
def test_bleeding_costs_a_point_a_minute_until_it_is_stopped() -> None:
    session = playing(at_home(), "renaissance.inflict", who="ann", condition="bleeding")
    session.do("table.pass_time", amount="3 minutes")
    assert session.scene["ann"].status.damage == 3
    answer(_again(session, "renaissance.stop_bleeding", who="ann", by="bob"), 60)
    session.do("table.pass_time", amount="10 minutes")
    assert session.scene["ann"].status.damage == 4  # one more during the minute of the task
    without = playing(at_home(conditions_system=False), "renaissance.inflict", who="ann", condition="bleeding")
    assert not without.scene["ann"].status.has("bleeding")


@pytest.mark.rule("renaissance.chemical.potion", "renaissance.gap.chemical.list")
def test_a_potion_is_drunk_with_a_quick_action() -> None:
    scene = scene_with((fighter("Ann", ("monster", "pack"), race="human"), 5, 5), (BOB, 6, 5))
    before = now(scene, "ann").numbers
    session = went(scene, "drink::monster")
    after = now(session.scene, "ann").numbers
    assert (after.DUR - before.DUR, after.STR - before.STR) == (10, 10)
    assert session.scene["ann"].status.durability == 40
    assert session.scene["ann"].status.spent == {"quick": 1}
    session.do("table.pass_time", amount="1 hour")
    assert session.scene["ann"].status.durability == 30


@pytest.mark.rule("renaissance.chemical.framework", "renaissance.chemical.poison")
def test_a_poison_has_an_onset_a_resistance_check_and_a_duration() -> None:
    session = playing(at_home(), "renaissance.dose", who="ann", chemical="blade_venom")
    assert session.scene["ann"].status.damage == 0
    answer(_again(session, "table.pass_time", amount="3 seconds"), 61, 8)  # DUR x2 = 60: failed
    if session.question is not None:
        answer(session, 10)
    assert session.scene["ann"].status.damage == 8
    answer(_again(session, "table.pass_time", amount="1 minute"), 5)
    assert session.scene["ann"].status.damage == 13
    spared = playing(at_home(), "renaissance.dose", who="ann", chemical="blade_venom")
    answer(_again(spared, "table.pass_time", amount="3 seconds"), 60, 8)
    assert spared.scene["ann"].status.damage == 4  # half


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_weapon_poisons_with_the_first_wound() -> None:
    ann = fighter("Ann", ("short_sword", "main"), ("blade_venom", "pack"))
    scene = scene_with((ann, 5, 5), (fighter("Bob", ("plate", "worn"), race="human"), 6, 5))
    session = went(
        scene,
        "coat::blade_venom/short_sword",
        "end_turn",
        "end_turn",
        "attack:bob:short_sword",
        "plain",
        20,
        99,
        (1, 1),
    )
    assert session.scene["bob"].status.wounds == 0
    assert session.scene["ann"].status.coated
    answer(session, "end_turn", "end_turn", "attack:bob:short_sword", "plain", 20, 99, (9, 9), 10)
    assert last(session, "Attacked").poisoned == "blade_venom"
    assert session.scene["ann"].status.coated == ()
    assert session.scene.clock.left("onset", who="bob") == 3


# ---------------------------------------------------------------------- diseases


def exposed(disease: str, roll: int, **status: Any) -> Session:
    """Ann is exposed to a disease."""
    return went(with_status(at_home(), "ann", **status), roll, process="renaissance.expose", who="ann", disease=disease)


@pytest.mark.rule("renaissance.disease.course", "renaissance.disease.framework", "renaissance.disease.flu")
def test_the_flu_from_infection_to_its_end() -> None:
    assert exposed("flu", 60).scene["ann"].status.incubating == ()  # DUR x2
    session = exposed("flu", 61)
    seen = project_session(session, "ann")
    assert seen == project_session(exposed("flu", 60), "ann")  # no one knows
    before = now(session.scene, "ann").skill("fray").total
    session.do("table.pass_time", amount="1 day")
    assert now(session.scene, "ann").skill("fray").total == before - 10
    session.do("table.pass_time", amount="2 days")
    assert session.scene["ann"].status.has("disease")
    session.do("table.pass_time", amount="1 day")
    assert not session.scene["ann"].status.has("disease")
    assert session.scene["ann"].status.damage == 0


@pytest.mark.rule("renaissance.disease.black_death")
def test_the_black_death_from_infection_to_its_end() -> None:
    assert exposed("black_death", 30).scene["ann"].status.incubating == ()  # DUR
    session = exposed("black_death", 31)
    session.do("table.pass_time", amount="2 days")
    assert session.question is None
    session.do("table.pass_time", amount="8 days")
    for day in range(7):
        answer(session, 4)  # each day 1d10, less a point that heals
        assert session.scene["ann"].status.damage == 3 + 3 * day - (day == 6)  # the tenth day ends as well
    assert session.question is None
    assert session.scene["ann"].status.damage == 3 + 3 * 6 - 1
    assert not session.scene["ann"].status.has("disease")
    assert not session.scene["ann"].status.has("unconscious")


@pytest.mark.rule("renaissance.disease.raking_cough")
def test_the_raking_cough_from_infection_to_death() -> None:
    session = exposed("raking_cough", 61)
    days(session, 30)
    assert session.scene["ann"].status.durability == 30
    for month in range(1, 6):
        days(session, 30)
        assert session.scene["ann"].status.durability == 30 - 5 * month
    assert now(session.scene, "ann").numbers.WT == 1
    assert days(session, 30).scene["ann"].status.dead


@pytest.mark.rule("renaissance.disease.treatment", "renaissance.gap.disease.defaults")
def test_treatment_gives_one_more_check_at_ten_more_once_a_day() -> None:
    session = exposed("flu", 61)
    session.do("table.pass_time", amount="1 day")
    answer(_again(session, "renaissance.treat", who="ann", by="bob", disease="flu"), 60, 61)  # 60 + 10 - 10
    assert session.scene["ann"].status.has("disease")
    with pytest.raises(IllegalActionError, match="once a day"):
        session.do("renaissance.treat", who="ann", by="bob", disease="flu")
    other = exposed("flu", 61)
    other.do("table.pass_time", amount="1 day")
    answer(_again(other, "renaissance.treat", who="ann", by="bob", disease="flu"), 60, 60)
    assert not other.scene["ann"].status.has("disease")
    assert other.scene.clock.now == DAY + 3_600


# ---------------------------------------------------------------------- tasks and jobs


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
    scene = at_home(**strict)
    session = went(scene, rolled, process="renaissance.work", who="bob", skill="fray", minutes=60, modifier=10)
    assert session.scene.clock.now == 60 * minutes
    upgraded = play(task(60, 60, luck=1, **strict), TypedDice([45]), lambda ask: ask.ids.index("upgrade")).result
    assert (upgraded.grade, upgraded.minutes) == (Grade.CRITICAL_SUCCESS, 30)


@pytest.mark.rule("renaissance.mode.unstructured", "renaissance.mode.down_time_tasks")
def test_free_play_has_tasks_of_at_most_a_day_s_work() -> None:
    session = went(at_home(), 30, process="renaissance.work", who="bob", skill="medicine", minutes=120)
    assert session.scene.clock.now == 7_200
    assert not session.scene.order  # no turn order, no allotment
    with pytest.raises(Exception, match="480"):
        session.do("renaissance.work", who="bob", skill="medicine", minutes=481)


@pytest.mark.rule("renaissance.action.job", "renaissance.mode.down_time", "renaissance.mode.down_time_gm")
@pytest.mark.parametrize(("shifts_per_day", "left"), [(1, 2), (2, 1), (0, 3)])
def test_a_job_goes_on_by_shifts(shifts_per_day: int, left: int) -> None:
    session = went(
        at_home(shifts_per_day=shifts_per_day),
        30,
        process="renaissance.begin_job",
        who="bob",
        job="chair",
        skill="medicine",
        shifts=3,
    )
    assert days(session, 1).scene["bob"].status.jobs == (Job("chair", 480 * left),)
    assert days(session, 5).scene["bob"].status.jobs == (Job("chair", 0 if shifts_per_day else 3 * 480),)


# ---------------------------------------------------------------------- magic


PRIEST = fighter(
    "Ann", race="human", skills={"research": 30, "profession:priest": 30, "knowledge:theology": 30, "persuasion": 40}
)


@pytest.mark.rule(
    "renaissance.magic.priest_research", "renaissance.magic.priest_design", "renaissance.magic.priest_perform"
)
def test_a_spirit_is_called_and_bargained_with_in_four_steps() -> None:
    session = playing(at_home(PRIEST, BOB), "renaissance.luck", who="bob", why="session")
    given = {"who": "ann", "tradition": "priest", "work": "glade_spirit"}
    with pytest.raises(IllegalActionError, match="research"):
        session.do("renaissance.ritual", step="design", **given)
    session.do("renaissance.ritual", step="research", **given)
    answer(session, 45)  # 55 + 20 for related ranks: exceptional
    assert session.scene.clock.now == 8 * 3_600
    session.do("renaissance.ritual", step="design", **given)
    assert session.seat == "game master"  # no one sees it
    answer(session, 40)
    assert session.scene.clock.now == 12 * 3_600
    session.do("renaissance.ritual", step="perform", **given)
    answer(session, 40)
    assert session.scene.clock.now == 13 * 3_600
    session.do("renaissance.bargain", who="ann", spirit="glade_spirit")
    answer(session, 50, 30)
    assert "green_hand" in session.scene["ann"].character.powers


@pytest.mark.rule("renaissance.magic.priest_design", "renaissance.magic.priest_research")
@pytest.mark.parametrize(("rolled", "more"), [(20, 0), (45, 10), (44, 20)])
def test_good_research_helps_to_design_the_ritual(rolled: int, more: int) -> None:
    session = playing(at_home(PRIEST, BOB), "renaissance.luck", who="bob", why="session")
    given = {"who": "ann", "tradition": "priest", "work": "glade_spirit"}
    session.do("renaissance.ritual", step="research", **given)
    answer(session, rolled)
    session.do("renaissance.ritual", step="design", **given)
    assert session.playing is not None
    assert (
        session.playing.calls[0].named_arguments()["target"] == 25 + 30 + 20 + more
    )  # Cognition, ranks, a related skill


@pytest.mark.rule("renaissance.gap.magic.spirits")
@pytest.mark.parametrize(
    ("spirit", "less", "will"), [("river_spirit", (10, 10, 10), 60), ("mountain_spirit", (20, 30, 30), 80)]
)
def test_greater_spirits_are_harder_to_find_to_call_and_to_win(spirit: str, less: tuple[int, ...], will: int) -> None:
    def targets(work: str) -> list[int]:
        session = playing(at_home(PRIEST, BOB), "renaissance.luck", who="bob", why="session")
        found: list[int] = []
        for step in ("research", "design", "perform"):
            session.do("renaissance.ritual", step=step, who="ann", tradition="priest", work=work)
            assert session.playing is not None
            found.append(session.playing.calls[0].named_arguments()["target"])
            answer(session, 20)
        session.do("renaissance.bargain", who="ann", spirit=work)
        assert session.playing is not None
        named = session.playing.calls[0].named_arguments()
        return [*found, named["a"], named["b"]]

    usual, hard = targets("glade_spirit"), targets(spirit)
    assert [usual[at] - hard[at] for at in (0, 2, 3)] == list(less)
    assert (usual[4], hard[4]) == (40, will)


@pytest.mark.rule("renaissance.magic.priest_bargain")
def test_a_ritual_that_went_wrong_shows_only_when_nobody_comes() -> None:
    session = playing(at_home(PRIEST, BOB), "renaissance.luck", who="bob", why="session")
    given = {"who": "ann", "tradition": "priest", "work": "glade_spirit"}
    for step, rolled in (("research", 20), ("design", 97), ("perform", 20)):
        session.do("renaissance.ritual", step=step, **given)
        answer(session, rolled)
    session.do("renaissance.bargain", who="ann", spirit="glade_spirit")
    assert session.question is None
    assert last(session, "Checked").result == "nobody comes"
    with pytest.raises(IllegalActionError):
        session.do("renaissance.bargain", who="ann", spirit="glade_spirit")


@pytest.mark.rule("renaissance.magic.one_off", "renaissance.magic.mage", "renaissance.magic.mage_scale")
def test_a_mage_designs_and_performs_with_forty_ranks() -> None:
    mage = fighter("Ann", race="human", skills={"spellcraft": 40})
    session = playing(at_home(mage, BOB), "renaissance.luck", who="bob", why="session")
    with pytest.raises(IllegalActionError, match="40 ranks"):
        session.do("renaissance.ritual", who="bob", tradition="mage", step="design", work="great fireball")
    for step in ("design", "perform"):
        session.do("renaissance.ritual", who="ann", tradition="mage", step=step, work="great fireball")
        answer(session, 30)
    assert dict(session.scene["ann"].status.work)["great fireball/mage/perform"] == Grade.NORMAL_SUCCESS.rank
    from systems.renaissance.folk import library
    from tablewright.systems.renaissance.content import Tradition

    assert "great fireball" in library().get(Tradition, "mage").hours


@pytest.mark.rule("renaissance.magic.psion", "renaissance.magic.psion_scale")
def test_a_psion_heals_the_psyche_in_a_trance() -> None:
    psion = fighter("Ann", race="human", skills={"control": 40})
    session = went(
        with_status(at_home(psion, BOB), "ann", stress=10, traumas=1), 30, 6, process="renaissance.soothe", who="ann"
    )
    status = session.scene["ann"].status
    assert (status.stress, status.traumas, status.soothed) == (10 - 6 - 1, 1, 1)
    session.do("renaissance.ritual", who="ann", tradition="psion", step="trance", work="hear nearby thoughts")
    answer(session, 30)
    assert "Worked" in kinds(session)


@pytest.mark.rule("renaissance.magic.psion_scale")
def test_a_trance_that_fails_soothes_nothing() -> None:
    psion = fighter("Ann", race="human", skills={"control": 40})
    scene = with_status(at_home(psion, BOB), "ann", stress=10, traumas=1)
    failed = went(scene, 98, process="renaissance.soothe", who="ann").scene["ann"].status
    assert (failed.traumas, failed.soothed, failed.stress) == (1, 0, 10)  # half a day has passed
    assert failed.meditated == 1


@pytest.mark.rule("renaissance.ranged.scatter", "renaissance.ranged.scatter_method")
def test_the_nearest_square_halves_away_from_the_centre() -> None:
    assert [_rounded(one) for one in (0, 499, 500, 1_499, 1_500)] == [0, 0, 1, 1, 2]
    assert [_rounded(-one) for one in (499, 500, 1_499, 1_500)] == [0, -1, -1, -2]


@pytest.mark.rule("renaissance.magic.psion_scale", "renaissance.stress.track")
@pytest.mark.parametrize(("stress", "left", "still"), [(60, 53, True), (47, 40, True), (46, 39, False)])
def test_a_character_who_is_below_lucidity_again_is_no_longer_overwhelmed(stress: int, left: int, still: bool) -> None:
    psion = fighter("Ann", race="human", skills={"control": 40})
    scene = with_status(at_home(psion, BOB), "ann", stress=stress, traumas=1, overwhelmed=True)
    status = went(scene, 30, 6, process="renaissance.soothe", who="ann").scene["ann"].status  # a point heals by itself
    assert (status.stress, status.overwhelmed) == (left, still)


@pytest.mark.rule("renaissance.healing.natural_stress", "renaissance.stress.track")
def test_rest_brings_back_anyone_who_was_overwhelmed() -> None:
    session = days(healing(stress=42, overwhelmed=True), 2)
    assert (session.scene["ann"].status.stress, session.scene["ann"].status.overwhelmed) == (40, True)
    assert days(session, 1).scene["ann"].status.overwhelmed is False


# ---------------------------------------------------------------------- luck, scattering


@pytest.mark.rule("renaissance.luck.regain", "renaissance.luck.lose", "renaissance.luck.stat")
def test_luck_is_gained_and_lost_within_its_bounds() -> None:
    scene = with_status(at_home(fighter("Ann", luck=2), BOB), "ann", luck=1)
    session = playing(scene, "renaissance.luck", who="ann", why="session")
    assert session.scene["ann"].status.luck == 2
    session.do("renaissance.luck", who="ann", why="roleplaying")
    assert session.scene["ann"].status.luck == 2
    for left in (1, 0, 0):
        session.do("renaissance.luck", who="ann", why="failed_motivation")
        assert session.scene["ann"].status.luck == left


@pytest.mark.rule("renaissance.ranged.scatter", "renaissance.ranged.scatter_method")
def test_eight_directions_and_ten_metres() -> None:
    assert [landing(4, metres).east for metres in range(1, 11)] == [1, 1, 2, 3, 4, 4, 5, 6, 6, 7]
    assert play(scatter(), TypedDice([9, 10, 3, 5])).result == (5, 0)
    assert odds(scatter()).expected(lambda land: int(land.south < 0 and land.east == 0)) == Fraction(1, 8)
    assert play(scatter("drop_die"), TypedDice([90, 4])).result == (4, 0)
    assert play(scatter("drop_die"), TypedDice([45, 10])).result == (7, -7)
    assert play(scatter("drop_die"), TypedDice([0, 4])).result == (0, -4)
    assert play(scatter("drop_die"), TypedDice([359, 10])).result == (0, -10)
    assert play(scatter("drop_die"), TypedDice([360, 4])).result == (0, -4)
    with pytest.raises(InvalidInputError):
        play(scatter("drop_die"), TypedDice([361, 4]))


@pytest.mark.rule("renaissance.gap.hazard.falling")
@pytest.mark.parametrize(
    ("metres", "rolling", "dice", "dead"),
    [
        (3, False, 0, False),
        (5, False, 2, False),
        (8, False, 8, False),
        (11, False, 0, True),
        (1, True, 0, False),
        (5, True, 0, False),
        (7, True, 2, False),
        (12, True, 10, False),
        (13, True, 0, True),
    ],
)
def test_falling(metres: int, rolling: bool, dice: int, dead: bool) -> None:
    session = playing(at_home(), "renaissance.fall", who="ann", metres=metres, rolling=rolling)
    if dice:
        answer(session, (1,) * dice)
        while session.question is not None:
            answer(session, 0)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.dead) == (dice, dead)
